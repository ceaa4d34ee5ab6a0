# hook.bash: how long a session waits for its Stop hook. Sourced by run.

# What install wrote, started by sh as Claude Code does, with a session's JSON on standard input.
bench_hook()
{
	local us kb floor command dir=$TMP/hook

	say "the stop hook"
	git init -q "$dir"
	(cd "$dir" && wisp hook install && wisp hook start 'spec' --criterion 'tests pass' --criterion 'no lint' --step one) >/dev/null || exit
	command=$(wisp-state get -f "$dir/.claude/settings.json" '.hooks.Stop[0].hooks[0].command')
	printf '{"session_id": "s", "cwd": "%s", "last_assistant_message": "not yet"}' "$dir" >"$TMP/hook.in"
	read -r floor kb cpu < <("$BUILD/bench/measure" 51 sh -c true)
	read -r us kb cpu < <(cd "$dir" && "$BUILD/bench/measure" 51 sh -c "{ $command; } <'$TMP/hook.in'")
	row "the stop hook, a criterion unmet (sh -c true: $(ms "$floor"))" "$(ms "$us") ($(ratio "$us" "$floor")x)" "10 ms"
	read -r us kb cpu < <(cd "$dir" && "$BUILD/bench/measure" 21 sh -c "wisp hook stop <'$TMP/hook.in'")
	row "the same by the command \`wisp hook stop\`" "$(ms "$us") ($(ratio "$us" "$floor")x)" "-"
}
