#!/usr/bin/env bats
# The configuration folder of an agent for a session: settings copied in, histories not, and a login that is refreshed
# in a step kept, whoever refreshes it.

load helper

setup()
{
	unset CLAUDE_CONFIG_DIR CODEX_HOME GEMINI_CLI_HOME
	export WISP_LIBEXEC=$ROOT/libexec
	TO=$BATS_TEST_TMPDIR/session
	mkdir -p "$HOME/.claude/projects" "$HOME/.claude/hooks" "$BATS_TEST_TMPDIR/dotfiles"
	echo '{"hooks": {}}' >"$BATS_TEST_TMPDIR/dotfiles/settings.json"
	ln -s "$BATS_TEST_TMPDIR/dotfiles/settings.json" "$HOME/.claude/settings.json"
	echo run >"$HOME/.claude/hooks/stop"
	chmod +x "$HOME/.claude/hooks/stop"
	echo '{"mcpServers": {}}' >"$HOME/.claude.json"
	echo said >"$HOME/.claude/projects/history.jsonl"
	LOGIN=$HOME/.claude/.credentials.json
	login one 1000
	chmod 600 "$LOGIN"
}

# login TOKEN TIME [FILE]: that file, written then.
login()
{
	echo "{\"token\": \"$1\"}" >"${3-$LOGIN}"
	touch -d "@$2" "${3-$LOGIN}"
}

# lend [FOLDER [AGENT]]: a step of that session
lend()
{
	wisp-sandbox run --driver off --known --agent "${2-claude}" --agent-state "${1-$TO}" -- sh -c 'echo "$CLAUDE_CONFIG_DIR"'
}

take()
{
	wisp-sandbox take --worktree . --agent-state "${1-$TO}" none
}

# all_of FOLDER: its files with what they hold.
all_of()
{
	find "$1" -type f ! -name '.credentials.json' -exec sha256sum {} + | sort
}

@test "agent state: settings are copied in, histories are not" {
	run -0 lend
	assert_output "$TO/claude/config"
	run -0 find "$TO/claude/config" -type f
	assert_equal "$TO/claude/config/.claude.json
$TO/claude/config/.credentials.json
$TO/claude/config/hooks/stop
$TO/claude/config/settings.json" "$(sort <<<"$output")"
	[[ -x $TO/claude/config/hooks/stop && ! -L $TO/claude/config/settings.json ]]
	assert_equal '{"token": "one"}' "$(<"$TO/claude/config/.credentials.json")"
	run -0 lend "$TO" opencode
	assert_output ''
	[[ ! -e $TO/opencode ]]
}

@test "agent state: what would run later is unchanged, and what a step made of it is gone in the next" {
	before=$(all_of "$HOME")
	lend
	echo '{"hooks": {"evil": 1}}' >"$TO/claude/config/settings.json"
	echo evil >"$TO/claude/config/hooks/stop"
	echo evil >"$TO/claude/config/hooks/start"
	echo session >"$TO/claude/config/history.jsonl"
	rm "$TO/claude/config/.claude.json"
	take
	assert_equal "$before" "$(all_of "$HOME")"
	lend
	assert_equal run "$(<"$TO/claude/config/hooks/stop")"
	[[ ! -e $TO/claude/config/hooks/start && -e $TO/claude/config/.claude.json && -e $TO/claude/config/history.jsonl ]]
	assert_equal '{"hooks": {}}' "$(<"$TO/claude/config/settings.json")"
}

@test "agent state: a refreshed login is kept, also where the step was killed before it was taken" {
	lend
	login two 2000 "$TO/claude/config/.credentials.json"
	take
	assert_equal '{"token": "two"}' "$(<"$LOGIN")"
	[[ ! -e $TO/claude/config/.credentials.json && ! -e $TO/claude/before/0 ]]
	assert_equal '' "$(find "$TO/claude/before" -type f)"
	lend
	touch -d @2000 "$BATS_TEST_TMPDIR/then"
	assert_equal "$LOGIN" "$(find "$LOGIN" -perm 600 ! -newer "$BATS_TEST_TMPDIR/then")"
	login three 3000 "$TO/claude/config/.credentials.json"
	lend
	assert_equal '{"token": "three"}' "$(<"$LOGIN")"
	assert_equal '{"token": "three"}' "$(<"$TO/claude/config/.credentials.json")"
	take
	assert_equal '{"token": "three"}' "$(<"$LOGIN")"
}

@test "agent state: the newest login wins, in whatever order they come back" {
	local i

	for i in 1 2 3 4; do
		lend "$TO.$i" >/dev/null
		login "of-$i" "$((5000 - i))" "$TO.$i/claude/config/.credentials.json"
	done
	for i in 3 1 4 2; do
		take "$TO.$i"
	done
	assert_equal '{"token": "of-1"}' "$(<"$LOGIN")"
	lend "$TO.4"
	assert_equal '{"token": "of-1"}' "$(<"$TO.4/claude/config/.credentials.json")"
}

@test "agent state: four sessions at once on one login" {
	local i n one pids=()

	for i in 1 2 3 4; do
		(
			for ((n = 0; n < 10; n++)); do
				lend "$TO.$i" >/dev/null && echo "{\"token\": \"$i-$n\"}" >"$TO.$i/claude/config/.credentials.json" &&
					cp -p "$TO.$i/claude/config/.credentials.json" "$BATS_TEST_TMPDIR/refreshed.$i-$n" && take "$TO.$i" || exit
			done
		) 3>&- &
		pids+=($!)
	done
	for i in "${pids[@]}"; do
		wait "$i"
	done
	# The newest of all that were refreshed.
	grep -qxF "$(<"$LOGIN")" "$BATS_TEST_TMPDIR"/refreshed.*
	for one in "$BATS_TEST_TMPDIR"/refreshed.*; do
		[[ ! $one -nt $LOGIN ]] || fail "$(<"$one") is newer than $(<"$LOGIN")"
	done
	left=("$HOME"/.claude/.*.wisp-*)
	[[ ! -e ${left[0]} ]] || fail "left: ${left[*]}"
}

@test "agent state: what is no login, or a link, or of a login that is gone, or from the future" {
	lend
	echo '{"token": ' >"$TO/claude/config/.credentials.json"
	run -0 take
	assert_output "refused='$LOGIN' was changed and is not taken over: it is no JSON object"
	assert_equal '{"token": "one"}' "$(<"$LOGIN")"
	lend
	echo '{"token": "secret"}' >"$BATS_TEST_TMPDIR/secret"
	ln -sf "$BATS_TEST_TMPDIR/secret" "$TO/claude/config/.credentials.json"
	run -0 take
	assert_output ''
	assert_equal '{"token": "one"}' "$(<"$LOGIN")"
	lend
	rm "$TO/claude/config/.credentials.json"
	run -0 take
	[[ -e $LOGIN ]]
	lend
	login two 99999999999 "$TO/claude/config/.credentials.json"
	take
	touch "$BATS_TEST_TMPDIR/now"
	[[ ! $LOGIN -nt $BATS_TEST_TMPDIR/now ]]
	lend
	login three 3000 "$TO/claude/config/.credentials.json"
	rm "$LOGIN"
	run -0 take
	assert_output "refused='$LOGIN' was changed and is not taken over: there is none any more"
	[[ ! -e $LOGIN ]]
	lend
	[[ ! -e $TO/claude/config/.credentials.json ]]
}

@test "agent state: a person's own folder, and one that is a home" {
	export CLAUDE_CONFIG_DIR=$BATS_TEST_TMPDIR/mine
	mkdir "$CLAUDE_CONFIG_DIR" "$HOME/.gemini"
	echo mine >"$CLAUDE_CONFIG_DIR/.claude.json"
	login mine 1000 "$CLAUDE_CONFIG_DIR/.credentials.json"
	lend
	assert_equal mine "$(<"$TO/claude/config/.claude.json")"
	login newer 2000 "$TO/claude/config/.credentials.json"
	take
	assert_equal '{"token": "newer"}' "$(<"$CLAUDE_CONFIG_DIR/.credentials.json")"
	assert_equal '{"token": "one"}' "$(<"$LOGIN")"
	echo '{}' >"$HOME/.gemini/settings.json"
	lend "$TO.g" gemini
	assert_equal '{}' "$(<"$TO.g/gemini/config/.gemini/settings.json")"
	# A folder on the way that the step made a link of.
	mkdir "$HOME/other"
	echo other >"$HOME/other/settings.json"
	rm -r "$TO.g/gemini/config/.gemini"
	ln -s "$HOME/other" "$TO.g/gemini/config/.gemini"
	lend "$TO.g" gemini
	assert_equal other "$(<"$HOME/other/settings.json")"
	assert_equal '{}' "$(<"$TO.g/gemini/config/.gemini/settings.json")"
}

@test "agent state: through the loop: a login that the agent's program refreshes is kept, its settings are not" {
	local kind

	make_repo project
	mkdir bin
	cat >bin/claude <<'END'
#!/usr/bin/env bash
case " $* " in
*' --version '*) echo '9.8.7 (The CLI)' ;;
*' --help '*)
	printf '  %s <value>\n' --output-format --verbose --no-session-persistence --settings --dangerously-skip-permissions \
		--append-system-prompt --add-dir --model --max-budget-usd
	;;
*)
	cat >/dev/null
	echo "{\"token\": \"after $(grep -c one "$CLAUDE_CONFIG_DIR/.credentials.json")\"}" >"$CLAUDE_CONFIG_DIR/.credentials.new"
	mv "$CLAUDE_CONFIG_DIR/.credentials.new" "$CLAUDE_CONFIG_DIR/.credentials.json"
	echo evil >"$CLAUDE_CONFIG_DIR/settings.json"
	echo '{"status": "BLOCKED", "summary": "s", "error": "seen enough"}' >"$WISP_STATE_FILE"
	;;
esac
END
	chmod +x bin/claude
	PATH=$PWD/bin:$PATH
	printf '[{"category": "test", "description": "d", "steps": [], "passes": false}]\n' >tasks.json
	before=$(all_of "$HOME/.claude")
	cd project
	export WISP_HOME=$BATS_TEST_TMPDIR/records
	mkdir "$WISP_HOME"
	for kind in bwrap landlock; do
		wisp-sandbox driver --driver "$kind" >/dev/null 2>&1 || continue
		login one 1000
		run wisp run "of-$kind" --agent claude --tasks ../tasks.json --foreground -c "sandbox=$kind" \
			-c sandbox.read="$BATS_TEST_TMPDIR/bin" </dev/null
		[[ $status == 11 ]] || fail "$status: $output"
		assert_equal '{"token": "after 1"}' "$(<"$LOGIN")"
		assert_equal "$before" "$(all_of "$HOME/.claude")"
	done
	run -0 find "$WISP_HOME" -name .credentials.json
	assert_output ''
}

@test "agent state: what a step makes that programs outside would run is moved aside and named, where there is no such variable" {
	wisp-sandbox driver --driver bwrap >/dev/null 2>&1 || skip 'bwrap does not work here'
	make_repo tree
	cd tree
	mkdir "$HOME/.qwen"
	echo '{}' >"$HOME/.qwen/settings.json"
	# shellcheck disable=SC2016 # the inner shell expands it
	run wisp-sandbox run --driver bwrap --agent qwen --worktree "$PWD" --lend "$TO" -- sh -c \
		'mkdir ~/.qwen/commands; echo x >~/.qwen/commands/evil; echo x >~/.qwen/history; echo x >~/.qwen/settings.json'
	run -0 wisp-sandbox take --worktree "$PWD" --branch "$(git branch --show-current)" "$TO"
	assert_contains "$output" "planted=$HOME/.qwen/commands"
	assert_equal '{}' "$(<"$HOME/.qwen/settings.json")"
	assert_equal x "$(<"$HOME/.qwen/history")"
	assert_equal x "$(<"$HOME/.qwen/commands.made-in-a-step/evil")"
	[[ ! -e $HOME/.qwen/commands ]]
}
