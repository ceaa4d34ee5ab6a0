#!/usr/bin/env bats
# Orchestrations in trouble: killed between two things, told to end in the middle of one, and with sessions,
# branches and work trees as others leave them. `wisp orchestrate --resume` goes on; nothing is done twice.

load ../helper
load ../helper-scenario
load ../e2e/helper-e2e
load ../e2e/helper-orchestra

# killed_at POINT...: where the orchestrator is killed, once each: before or after `wisp-orch` is called with arguments that
# begin so, such as 'after:take discover'.
killed_at()
{
	local build=$BATS_TEST_TMPDIR/build point

	mkdir "$build" "$BATS_TEST_TMPDIR/points"
	ln -s "$WISP_BUILD"/* "$build"
	rm "$build/wisp-orch"
	cat >"$build/wisp-orch" <<'END'
#!/usr/bin/env bash
kill_it()
{
	local said=" $* " point file
	said=$when:${said#* -C * }

	for file in "$POINTS"/*; do
		[[ -e $file ]] || return 0
		point=$(<"$file")
		[[ $said == "$point"* ]] || continue
		rm "$file"
		kill -KILL "$(<"$POINTS.loop")"
		exit 1
	done
}
when=before kill_it "$@"
rc=0
"$REAL/wisp-orch" "$@" || rc=$?
when=after kill_it "$@"
exit "$rc"
END
	chmod +x "$build/wisp-orch"
	export POINTS=$BATS_TEST_TMPDIR/points REAL=$WISP_BUILD
	for point; do
		printf '%s' "$point" >"$POINTS/${point//[ \/]/_}"
	done
	WISP_BUILD=$build
	PATH=$ROOT/bin:$WISP_BUILD:$HIDDEN
}

# Starts it, and has it go on as often as it is killed, until there is no point left; then it ends with 0.
until_it_ends()
{
	local status options=()

	while :; do
		status=0
		[[ ! -e $DIR/session.json ]] || options=(--resume)
		(
			printf '%s' "$BASHPID" >"$POINTS.loop" # bash 3.2: this needs Linux anyway
			exec bash "$ROOT/bin/wisp" orchestrate "$BATS_TEST_TMPDIR/shop.md" --agent replay --foreground --yes \
				${options[@]+"${options[@]}"}
		) </dev/null >>"$BATS_TEST_TMPDIR/loop.log" 2>&1 3>&- || status=$?
		((status == 137)) || break
	done
	[[ $status == 0 && -z $(ls "$POINTS") ]] || fail "expected exit 0, not $status; not killed at: $(ls "$POINTS")" "$(<"$BATS_TEST_TMPDIR/loop.log")"
}

# was_told SYSTEM TEXT: a prompt of its agent has that.
was_told()
{
	grep -qF -e "$2" "$PROJECT/.wisp/sessions/$B-$1"/steps/*/prompt.md
}

@test "fault: killed in DETECT, DISCOVER, PLAN and RETROSPECT, it goes on; no agent is called twice" {
	finds one
	finishes one
	killed_at after:new after:detect 'after:take discover' 'before:take decompose' \
		'before:move EXECUTE' 'after:take retrospect' 'after:move COMPLETE'
	until_it_ends
	state .currentPhase COMPLETE
	state .currentLoop 1
	calls 3
	assert_equal 1 "$(scenario_calls "$PROJECT/.wisp/sessions/$B-one")"
	wisp-state -C "$DIR" check
}

@test "fault: killed between the steps of EXECUTE and of a merge, it goes on; what was sent back is told once" {
	finds one two
	works one 1 --effects "echo one >src/list.c" --commit one --pass 1 --status DONE --promise
	works two 1 --effects "until git log --format=%s $B-one | grep -qx one; do sleep 0.05; done; echo two >src/list.c" \
		--commit two --pass 1 --status DONE --promise
	works two 2 --effects "git merge -q $B >/dev/null || :; echo both >src/list.c; git add -A; git commit -q --no-edit" \
		--pass '1 2' --status DONE --promise
	killed_at 'before:note spawning one' 'after:note spawning two' 'after:note merging one' 'before:note merged one' \
		'after:note back two' 'before:note spawning two' 'before:move RETROSPECT'
	until_it_ends
	assert_equal 1 "$(scenario_calls "$PROJECT/.wisp/sessions/$B-one")"
	assert_equal 2 "$(scenario_calls "$PROJECT/.wisp/sessions/$B-two")"
	assert_equal 2 "$(wisp-tasks -C "$PROJECT/.wisp/sessions/$B-two" list | grep -c .)"
	was_told two 'conflict in src/list.c'
	calls 3
	in_tree src/list.c both
	assert_equal 2 "$(wisp-state -C "$DIR" query -f loop '.completedSystems | length')"
}

@test "fault: killed while a rejected merge is sent back: what was said is not lost, nor asked again" {
	finds one
	finishes one
	works one 2 --effects 'echo better >one.txt' --commit 'better' --pass 2 --status DONE --promise
	wisp config gates.required merge
	orchestration --mode brownfield-polish --wait
	wait_until 30 is_pending one
	kill -KILL "$LOOP"
	wait "$LOOP" || :
	LOOP=''
	expect 0 wisp reject gate-001 --feedback 'say it better'
	killed_at 'before:note back one' 'after:note back one'
	until_it_ends
	was_told one 'say it better'
	in_tree one.txt better
	assert_equal 'gate-001 gate-002' "$(wisp-state -C "$DIR" query -f loop '[.gates.rejected[].id, .gates.approved[].id] | join(" ")')"
}

is_pending()
{
	[[ $(wisp-state -C "$DIR" get -f loop '.gates.pending[0].agent' 2>/dev/null) == "agent-$1" ]]
}

@test "fault: an orchestration's work tree that somebody has changed holds up the merges, and no agent is blamed" {
	finds one
	finishes one
	echo "echo junk >'$PROJECT/.wisp/worktrees/$B/src/list.c'" >>"$SCENARIOS/$B-one/1/effects.sh"
	expect 10 wisp orchestrate "$BATS_TEST_TMPDIR/shop.md" --agent replay --foreground --mode greenfield --no-wait
	assert_contains "$output" "has uncommitted changes, such as 'src/list.c'"
	assert_equal 1 "$(scenario_calls "$PROJECT/.wisp/sessions/$B-one")"
	git -C "$PROJECT/.wisp/worktrees/$B" checkout -q src/list.c
	orchestrate 0 --resume
	assert_equal 1 "$(scenario_calls "$PROJECT/.wisp/sessions/$B-one")"
	in_tree one.txt one
}

@test "fault: what failed is tried again in the next loop; a session that was removed begins again as it was planned" {
	finds one
	works one default --status BLOCKED --error 'the disk is missing'
	WISP_REPLAY=$SCENARIOS/$B leaves 4 retrospect.json '{"gaps": [], "systems": []}'
	echo "touch '$BATS_TEST_TMPDIR/begun'; until test -e '$BATS_TEST_TMPDIR/go'; do sleep 0.05; done" >>"$SCENARIOS/$B/3/effects.sh"
	orchestration --yes
	wait_until 30 test -e "$BATS_TEST_TMPDIR/begun"
	is_agent one failed
	rm -r "$SCENARIOS/$B-one"
	finishes one
	expect 0 wisp rm "$B-one" --branch
	touch "$BATS_TEST_TMPDIR/go"
	ends 0
	said 'one: its session is gone: it begins again as it was planned'
	state .completedSystems[0] one
	state .currentLoop 2
	in_tree one.txt one
}

@test "fault: a branch that somebody else has begun is not taken for a system's own" {
	finds one
	finishes one
	git switch -qc "$B-one"
	git commit -q --allow-empty -m 'Of a person'
	git switch -q main
	orchestrate 100
	assert_contains "$output" "there is a branch $B-one already, with commits of its own"
	git branch -qm "$B-one" mine
	orchestrate 0 --resume
	calls 3
}

@test "fault: told to end during a merge, nothing is left running; the merge is made by the next start" {
	finds one
	finishes one
	printf 'test ! -e one.txt || test -e %q || { : >%q; exec sleep 1000.%s; }\n' "$BATS_TEST_TMPDIR/go" "$BATS_TEST_TMPDIR/verifies" "$$" >check
	git commit -qam 'A long check'
	echo "touch '$BATS_TEST_TMPDIR/go'" >>"$SCENARIOS/$B-one/1/effects.sh"
	orchestration --yes
	wait_until 30 said 'one: finished'
	rm "$BATS_TEST_TMPDIR/go"
	wait_until 30 test -e "$BATS_TEST_TMPDIR/verifies"
	kill -TERM "$LOOP"
	ends 143
	run ! pgrep -f "^sleep 1000.$$"
	[[ -z $(owner one) ]]
	state .sessionHandoff.reason signal
	touch "$BATS_TEST_TMPDIR/go"
	orchestrate 0 --resume
	in_tree one.txt one
}

@test "fault: told to end before an agent that was started has begun, it is waited for and ended all the same" {
	local delay=$BATS_TEST_TMPDIR/delay run

	finds one
	# It may get as far as its step, which is then done once more.
	works one default --effects 'echo one >one.txt; git add -A; git commit -qm one || :' --pass 1 --status DONE --promise
	mkdir "$delay"
	ln -s "$WISP_BUILD"/* "$delay"
	rm "$delay/wisp-session"
	# The agent's loop is held up before it owns its session.
	cat >"$delay/wisp-session" <<END
#!/usr/bin/env bash
if [[ \$(ps -o args= -p \$PPID) == *wisp-run* ]]; then
	echo \$PPID >>'$delay/runs'
	until test -e '$delay/go'; do sleep 0.05; done
fi
exec '$WISP_BUILD/wisp-session' "\$@"
END
	chmod +x "$delay/wisp-session"
	WISP_BUILD=$delay
	PATH=$ROOT/bin:$WISP_BUILD:$HIDDEN
	orchestration --yes
	wait_until 30 said 'one: started'
	kill -TERM "$LOOP"
	wait_until 10 said 'TERM: ending'
	touch "$delay/go"
	ends 143
	while IFS= read -r run; do
		wait_until 10 gone "$run"
	done <"$delay/runs"
	# What held the loop up has the lock for a moment longer.
	wait_until 10 nobody_owns one
	orchestrate 0 --resume
	in_tree one.txt one
}

nobody_owns()
{
	[[ -z $(owner "$1") ]]
}
