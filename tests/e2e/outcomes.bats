#!/usr/bin/env bats
# docs/decisions.md: each row of the table, and each outcome that leads to one.

load ../helper
load ../helper-scenario
load helper-e2e

setup()
{
	project
}

# --- row 2: a usage limit ---------------------------------------------------

@test "row 2: a limit that is over already: the step again, same number, no failure" {
	scenario_step 1 --effects 'echo half >half' --output "$(stream limit $(($(date +%s) - 5)))"
	scenario_step 2 --effects 'cat half' --pass t1 --status DONE --output "$(stream done '<promise>COMPLETE</promise>')"
	work 0 1
	session .loop_count 1
	session .totals.agent_calls 2
	assert_equal 1 "$(wisp-state -C "$DIR" query -f history length)"
	entry 0 .iteration 1
	[[ -d $DIR/steps/0001.2 ]]
	assert_contains "$(prompt 0001.2)" 'Uncommitted work of a step that was cut off'
	assert_contains "$(prompt 0001.2)" half
}

@test "row 2: a limit without a reset is waited for 60 minutes; --no-wait is 14" {
	scenario_step 1 --output "$(stream failure rate_limit 429)"
	work 14 1 --no-wait
	session .status paused
	assert_contains "$(wisp-state -C "$DIR" get -f session .pause_reason)" 'no end of the usage limit is known; it is tried again at'
	assert_equal true "$(wisp-state -C "$DIR" query -f limits '(.usage.resume_at | fromdateiso8601? // 0) > -1 and .usage.waiting')"
	calls 1
	# resumed too early it is 14 again, with no call
	again 14 --no-wait
	calls 1
}

@test "row 2: a limit with a valid state is judged by the state, and waited for before the next step" {
	scenario_step 1 --pass t1 --status CONTINUE --output "$(stream limit $(($(date +%s) + 3600)))"
	work 14 2 --no-wait
	entry 0 .outcome limit
	entry 0 .state valid
	passes 1
	session .loop_count 1
	calls 1
}

@test "row 2: a limit with a valid DONE is completed" {
	scenario_step 1 --pass t1 --status DONE --output "$(stream limit $(($(date +%s) + 3600)))"
	OPTIONS=(-c completion.promise=optional)
	work 0 1 --no-wait
	session .status completed
}

@test "row 2: a reset more than 8 days away is 14, also where limits are waited for" {
	scenario_step 1 --output "$(stream limit $(($(date +%s) + 9 * 86400)))"
	work 14 1
	assert_contains "$output" 'resets only at'
}

@test "row 2: limits.maxWaits in a row, then 14; a resume begins to count anew" {
	OPTIONS=(-c limits.maxWaits=2)
	scenario_step default --output "$(stream limit $(($(date +%s) - 5)))"
	scenario_step 3 --output "$(stream limit $(($(date +%s) + 3600)))"
	work 14 1
	assert_contains "$output" 'met 3 times in a row'
	calls 3
	session .loop_count 1
}

# --- row 3: the agent cannot run --------------------------------------------

@test "row 3: auth halts with 16 at the first time" {
	scenario_step 1 --effects 'echo x >litter' --output "$(stream failure authentication_failed 403)" --exit 1
	work 16 2
	session .status halted
	entry 0 .outcome auth
	calls 1
	# the work lies there for a person to see until the next step
	in_tree litter x
	scenario_step 2 --pass '1 2' --status DONE --promise
	again 0
	absent litter
	assert_equal x "$(git show "$(failed_ref 1):litter")"
}

@test "row 3: auth with a valid state halts, too, and keeps the work" {
	scenario_step 1 --effects 'echo x >good' --status CONTINUE --output "$(stream failure billing_error 400)" --exit 1
	work 16 1
	session .status halted
	scenario_step 2 --pass 1 --status DONE --promise
	again 0
	in_tree good x
}

@test "row 3: a refused token is tried once more, and is no failed step" {
	OPTIONS=(-c retry.delay=10ms)
	scenario_step 1 --effects 'echo x >litter' --output "$(stream failure authentication_failed 401)" --exit 1
	scenario_step 2 --output 'no state' --exit 1
	scenario_step 3 --output "$(stream failure authentication_failed 401)" --exit 1
	scenario_step 4 --pass 1 --status DONE --promise
	work 0 1
	assert_contains "$output" 'wisp: [1] retry: auth: API Error'
	entry 0 .outcome auth
	assert_equal token "$(wisp-state get -f .wisp/sessions/work/steps/0001/step.json .auth)"
	absent litter
	calls 4
}

@test "row 3: the second in a row halts, and a person's resume counts anew" {
	OPTIONS=(-c retry.delay=10ms)
	scenario_step 1 --output "$(stream failure authentication_failed 401)" --exit 1
	scenario_step 2 --output "$(stream failure authentication_failed 401)" --exit 1
	scenario_step 3 --output "$(stream failure authentication_failed 401)" --exit 1
	scenario_step 4 --pass 1 --status DONE --promise
	work 16 1
	session .status halted
	calls 2
	again 0
	calls 4
}

@test "row 3: a refused token with a valid state is judged by that" {
	OPTIONS=(-c retry.delay=10ms)
	scenario_step 1 --pass 1 --status DONE --output "$(stream failure authentication_failed 401)" --exit 1
	scenario_step 2 --status DONE --promise
	work 0 1
	calls 2
}

@test "an agent that goes on after its result is ended, and its step is good" {
	OPTIONS=(-c step.linger=0 -c step.grace=100ms)
	scenario_step 1 --pass 1 --status CONTINUE --output "$(stream done 'One of two.')" --linger 1000
	scenario_step 2 --pass 2 --status DONE --output "$(stream done '<promise>COMPLETE</promise>')" --linger 1000
	work 0 2
	entry 0 .outcome ok
	entry 0 .error null
	assert_contains "$(prompt 0002)" 'ok: wisp ended it 0s after its final event'
	calls 2
}

@test "row 3: an agent that cannot be started is unstartable: 16" {
	printf '#!/nowhere/interpreter\n' >"$BATS_TEST_TMPDIR/agent"
	chmod +x "$BATS_TEST_TMPDIR/agent"
	scenario_tasks 1 >tasks.json
	expect 16 wisp run work --agent "$BATS_TEST_TMPDIR/agent" --tasks tasks.json
	session .status halted
	entry 0 .outcome unstartable
}

# An agent of a stream format whose program, $HOME/cli, may be missing; the first step leaves a CONTINUE.
updated()
{
	mkdir -p "$HOME"
	cat >"$HOME/agent" <<'END'
#!/usr/bin/env bash
# Format: claude
exec "$HOME/cli"
END
	cat >"$HOME/good" <<'END'
#!/bin/sh
set -e
sed "1,/false/s/false/true/" "$WISP_TASKS_FILE" >"$WISP_TASKS_FILE.new"
mv "$WISP_TASKS_FILE.new" "$WISP_TASKS_FILE"
[ "$WISP_ITERATION" = 1 ] && status=CONTINUE || status=DONE
echo "{\"status\": \"$status\", \"summary\": \"made\"}" >"$WISP_STATE_FILE.new"
mv "$WISP_STATE_FILE.new" "$WISP_STATE_FILE"
echo '{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"<promise>COMPLETE</promise>"}'
[ "$WISP_ITERATION" != 1 ] || . "$HOME/then"
END
	chmod +x "$HOME/agent" "$HOME/good"
	ln -s good "$HOME/cli"
	scenario_tasks 2 >tasks.json
}

@test "row 3: an agent that is missing for a moment after it has run is tried again, with its number" {
	updated
	for gone in 'rm "$HOME/cli"' 'rm "$HOME/cli"; : >"$HOME/cli"; chmod +x "$HOME/cli"' 'rm "$HOME/cli"; : >"$HOME/cli"' \
		'rm "$HOME/cli"; mv "$HOME/agent" "$HOME/old"'; do
		printf '%s\n' "$gone" >"$HOME/then"
		background wisp run "$BRANCH" --agent "$HOME/agent" --tasks tasks.json
		wait_until 20 grep -q 'and has run before: tried again until [0-2][0-9]:[0-5][0-9]:[0-5][0-9]$' "$BATS_TEST_TMPDIR/loop.log" || fail "$gone" "$(<"$BATS_TEST_TMPDIR/loop.log")"
		[[ ! -e $HOME/old ]] || mv "$HOME/old" "$HOME/agent"
		ln -sf good "$HOME/cli"
		ends 0
		session .loop_count 2
		expect 0 wisp rm "$BRANCH" --force --branch
	done
}

@test "row 3: one that stays missing halts with 16 after a time, at once where none has run" {
	updated
	echo 'rm "$HOME/cli"' >"$HOME/then"
	WISP_MISSING_LIMIT=1 expect 16 wisp run "$BRANCH" --agent "$HOME/agent" --tasks tasks.json
	assert_contains "$output" 'tried again until'
	entry 1 .outcome unstartable
	session .loop_count 2
	place other
	expect 16 wisp run "$BRANCH" --agent "$HOME/agent" --tasks tasks.json
	assert_lacks "$output" 'tried again until'
}

# --- row 4: a failed step ---------------------------------------------------

@test "row 4: of an agent that ended well without a state file the reason is what is missing" {
	scenario_step default --output 'no state'
	work 16 1
	session .halt_reason 'failed 2 times in a row, no state.json was left'
	assert_contains "$output" 'wisp: [1] retry: no state.json was left'
}

@test "row 4: where the agent's own sandbox kept it from writing its state, the reason says so" {
	scenario_step default --output "sh: cannot create $PROJECT/.wisp/sessions/work/state.json.t: Read-only file system"
	work 16 1
	assert_contains "$(wisp-state -C "$DIR" get -f history '.[0].error')" \
		"no state.json was left; its output says 'sh: cannot create $PROJECT/.wisp/sessions/work/state.json.t: Read-only file system': the agent cannot write there"
	assert_contains "$(prompt 0002)" 'Read-only file system'
}

@test "row 4: one failed step is tried again with what was wrong; two in a row halt with 16" {
	scenario_step 1 --output 'no state' --exit 3
	scenario_step 2 --pass 1 --status CONTINUE
	scenario_step 3 --exit 3
	scenario_step 4 --exit 3
	work 16 2
	session .status halted
	session .loop_count 4
	entry 0 .state missing
	entry 0 .outcome error
	entry 1 .state valid
	assert_contains "$(prompt 0002)" 'no state.json was left'
	assert_lacks "$(prompt 0003)" 'no state.json was left'
	calls 4
	passes 1
}

# wrong N TEXT STATE VERDICT: step N leaves STATE; what is wrong is told to the next one with TEXT.
wrong()
{
	scenario_step "$1" --state "$3"
	WRONG+=("$1|$2|$4")
}

wrong_ones_are_told()
{
	local one n text i=0

	for one in "${WRONG[@]}"; do
		n=${one%%|*} text=${one#*|}
		entry "$((2 * i))" .state "${text#*|}"
		assert_contains "$(prompt "000$((n + 1))")" "${text%|*}"
		i=$((i + 1))
	done
}

@test "row 4: a state.json that is no JSON, or empty, named in the next prompt with its place" {
	OPTIONS=(-c stuck.noProgress=100)
	WRONG=()
	scenario_step default --status CONTINUE
	wrong 1 'state.json:2:1:' '{"status": "CONTINUE", "summary": ' malformed
	wrong 3 'state.json:1:40:' '{"status": "CONTINUE", "summary": "x"} more' malformed
	wrong 5 'state.json: empty' '' empty
	scenario_step 5 --effects ': >"$WISP_STATE_FILE"'
	work 13 1 --max-iterations 6
	wrong_ones_are_told
}

@test "row 9: a character that was cut in half, in the summary and in the notes of a task, costs no step" {
	scenario_step 1 --effects 'echo work >good.txt
		printf "%s" "{\"status\": \"CONTINUE\", \"summary\": \"half \\ud83d done\"}" >"$WISP_STATE_FILE"
		sed "s/\"passes\": false/\"passes\": true, \"notes\": \"cut \\\\ud83d here\"/" "$WISP_TASKS_FILE" >new && mv new "$WISP_TASKS_FILE"'
	scenario_step 2 --status DONE --promise
	work 0 1
	session .loop_count 2
	entry 0 .state valid
	entry 0 .summary $'half \xef\xbf\xbd done'
	entry 0 .tasks_passed 1
	in_tree good.txt work
	assert_contains "$(<"$DIR/tasks.json")" 'cut \ud83d here'
}

@test "row 4: a state.json out of schema, named in the next prompt" {
	OPTIONS=(-c stuck.noProgress=100)
	WRONG=()
	scenario_step default --status CONTINUE
	wrong 1 FINISHED '{"status": "FINISHED", "summary": "x"}' invalid
	wrong 3 summary '{"status": "CONTINUE"}' invalid
	wrong 5 error '{"status": "BLOCKED", "summary": "x"}' invalid
	wrong 7 question '{"status": "NEEDS_INPUT", "summary": "x"}' invalid
	work 13 1 --max-iterations 8
	wrong_ones_are_told
}

@test "row 4: a state.json of an earlier step does not count" {
	scenario_step 1 --status CONTINUE
	scenario_step 2 --output 'wrote nothing'
	scenario_step 3 --pass 1 --status DONE --promise
	work 0 1
	entry 1 .state missing
	entry 1 .outcome ok
}

@test "row 4: transient twice pauses with 16, and retry.delay comes before the retry" {
	OPTIONS=(-c retry.delay=10ms)
	scenario_step default --output "$(stream failure overloaded 529)" --exit 1
	work 16 1
	session .status paused
	entry 0 .outcome transient
	assert_contains "$output" 'before the next step'
	calls 2
	# and the failures are forgiven by a person's resume
	scenario_step 4 --pass 1 --status DONE --promise
	again 0
	calls 4
}

@test "row 4: a time limit: the tree is ended, two in a row pause with 16" {
	OPTIONS=(-c step.timeout=200ms -c step.grace=100ms)
	scenario_step default --effects 'exec sleep 60'
	work 16 1
	session .status paused
	entry 0 .outcome timeout
	entry 1 .outcome timeout
}

@test "row 4: silence for step.idleTimeout" {
	OPTIONS=(-c step.idleTimeout=200ms -c step.grace=100ms)
	scenario_step default --effects 'exec sleep 60'
	work 16 1
	session .status paused
	entry 0 .outcome idle
	assert_contains "$(prompt 0002)" 'idle'
}

@test "row 4: crashed twice halts with 16" {
	scenario_step default --signal SEGV
	work 16 1
	session .status halted
	entry 0 .outcome crashed
}

# --- outcomes with a valid state --------------------------------------------

@test "a valid state counts though the agent hung, crashed, was capped or failed; the next prompt is told" {
	OPTIONS=(-c step.timeout=1500ms -c step.grace=100ms)
	scenario_step 1 --effects 'echo x >file' --status CONTINUE --linger 60
	scenario_step 2 --pass '1 2' --status CONTINUE --signal KILL
	scenario_step 3 --pass 3 --status CONTINUE --output "$(stream capped)" --exit 1
	scenario_step 4 --pass 4 --status CONTINUE --exit 7
	scenario_step 5 --pass 5 --status DONE --promise
	work 0 5
	passes 1 2 3 4 5
	entry 0 .outcome timeout
	entry 1 .outcome crashed
	entry 2 .outcome capped
	entry 3 .outcome error
	in_tree file x
	for n in 2 3 4 5; do
		assert_contains "$(prompt "000$n")" 'How the last step ended'
	done
}

# --- rows 5 to 9, pause, once -----------------------------------------------

@test "row 5: BLOCKED halts with 11 and the agent's words; run does not go on, resume does" {
	scenario_step 1 --effects 'echo x >kept' --status BLOCKED --error 'no access to the registry'
	work 11 1
	session .status halted
	session .halt_reason 'no access to the registry'
	expect 11 wisp run work
	assert_contains "$output" 'no access to the registry'
	calls 1
	scenario_step 2 --pass 1 --status DONE --promise
	again 0
	in_tree kept x
}

@test "row 6: NEEDS_INPUT is 10 where nobody can answer" {
	scenario_step 1 --status NEEDS_INPUT --question 'Which port?'
	work 10 1
	session .status paused
	session .pause_reason needs_input
	assert_contains "$output" 'Which port?'
}

@test "row 7: DONE, all tasks, the promise: completed, exit 0, shown unverified" {
	scenario_step 1 --pass 1 --status DONE --promise
	work 0 1
	session .status completed
	assert_contains "$output" unverified
	status_says .unverified true
}

@test "row 7: DONE in the last allowed iteration is 0, not 13" {
	scenario_step 1 --pass 1 --status DONE --promise
	work 0 1 --max-iterations 1
}

@test "row 8: a session that is halted is BLOCKED to who asks for that, until it goes on" {
	scenario_step default --status CONTINUE
	OPTIONS=(-c stuck.noProgress=1)
	work 12 2
	session .state_status BLOCKED
	assert_equal CONTINUE "$(wisp-state -C "$DIR" get -f state .status)"
	expect 0 wisp-state -C "$DIR" check
	expect 0 wisp-state -C "$DIR" move running
	run -1 wisp-state -C "$DIR" get -f session .state_status
}

@test "row 8: stuck halts with 12 and the evidence; a resume is an intervention" {
	scenario_step default --status CONTINUE
	work 12 1
	session .status halted
	assert_contains "$(wisp-state -C "$DIR" get -f session .halt_reason)" 'no task newly passed'
	calls 3
	status_says .exit 12
	again 12
	calls 6
}

@test "row 9: CONTINUE goes on, and a DONE that lacks something says what" {
	scenario_step 1 --pass 1 --status CONTINUE
	scenario_step 2 --status DONE --promise
	scenario_step 3 --pass 2 --status DONE
	scenario_step 4 --status DONE --promise
	work 0 2
	entry 1 .refused tasks
	entry 2 .refused promise
	assert_contains "$(prompt 0003)" 'there are tasks that do not pass'
	assert_contains "$(prompt 0004)" 'the promise does not stand alone'
	assert_lacks "$(prompt 0004)" 'there are tasks that do not pass'
	calls 4
}

@test "a cut off step (row 1) keeps its work, takes its claims back, and the next prompt says what lies there" {
	unconfined
	scenario_step 1 --effects 'echo half >half; touch ../started' --pass 1 --linger 60
	scenario_step 2 --pass '1 2' --status DONE --promise
	begin 2
	wait_until 10 test -e "$PROJECT/.wisp/worktrees/started"
	wait_until 10 grep -q true "$DIR/tasks.json"
	kill -TERM "$LOOP"
	ends 143
	session .status paused
	passes
	in_tree half half
	again 0
	in_tree half half
	entry 0 .outcome interrupted
	assert_contains "$(prompt 0002)" 'Uncommitted work of a step that was cut off'
	assert_contains "$(prompt 0002)" half
	session .loop_count 2
}

@test "row 1 with a valid state: the record stays ran, and resume judges it without a call" {
	unconfined
	scenario_step 1 --effects 'echo x >file' --pass 1 --status DONE --promise --linger 60
	begin 1
	wait_until 10 test -e "$DIR/state.json"
	kill -TERM "$LOOP"
	ends 143
	session .status paused
	in_tree file x
	OPTIONS=(-c completion.promise=optional)
	again 0
	calls 1
	session .loop_count 1
	entry 0 .state valid
	assert_equal '["file"]' "$(wisp-state -C "$DIR" query -f history '.[0].files' | tr -d ' \n')"
}

@test "row 1: a verify that is cut off is asked again after the resume" {
	OPTIONS=(-c verify.command='touch ../verifying; test -e ../go || exec sleep 60')
	scenario_step 1 --pass 1 --status DONE --promise
	begin 1
	wait_until 10 test -e "$PROJECT/.wisp/worktrees/verifying"
	kill -TERM "$LOOP"
	ends 143
	touch "$PROJECT/.wisp/worktrees/go"
	again 0
	calls 1
	entry 0 .verify passed
}

@test "row 1: told to end before the supervisor of a step or a verify has begun, the signal is what ended the loop" {
	local log programs=$BATS_TEST_TMPDIR/programs held=$BATS_TEST_TMPDIR/held

	mkdir "$programs"
	ln -s "$WISP_BUILD"/* "$programs"
	rm "$programs/wisp-agent"
	# The shell that is to become it dies of the signal, and leaves no word.
	cat >"$programs/wisp-agent" <<END
#!/bin/sh
case \$* in
*/output.log* | */verify.log*) test ! -s '$held' || case \$* in *"/\$(cat '$held') "*) : >'$held' && exec sleep 1000 ;; esac ;;
esac
exec '$WISP_BUILD/wisp-agent' "\$@"
END
	chmod +x "$programs/wisp-agent"
	WISP_BUILD=$programs
	PATH=$programs:$PATH
	OPTIONS=(-c verify.command=true)
	scenario_step 1 --pass 1 --status DONE --promise
	for log in output.log verify.log; do
		echo "$log" >"$held"
		begin 1
		wait_until 10 test ! -s "$held"
		kill -TERM "$LOOP"
		ends 143
		session .status paused
		session .owner null
	done
	again 0
}

@test "pause: asked in a step, carried out after it; the step is judged first" {
	scenario_step 1 --effects 'touch ../started; until test -e ../go; do sleep 0.02; done' --pass 1 --status CONTINUE
	scenario_step 2 --pass 2 --status DONE --promise
	begin 2
	wait_until 10 test -e "$PROJECT/.wisp/worktrees/started"
	expect 0 wisp pause work
	touch "$PROJECT/.wisp/worktrees/go"
	ends 15
	session .status paused
	passes 1
	session .loop_count 1
	again 0
}

@test "pause: a step that completes is completed all the same" {
	scenario_step 1 --effects 'touch ../started; until test -e ../go; do sleep 0.02; done' --pass 1 --status DONE --promise
	begin 1
	wait_until 10 test -e "$PROJECT/.wisp/worktrees/started"
	expect 0 wisp pause work
	touch "$PROJECT/.wisp/worktrees/go"
	ends 0
	session .status completed
}

@test "stop --now cuts the step off: 15" {
	scenario_step 1 --effects 'touch ../started; exec sleep 60'
	begin 1
	wait_until 10 test -e "$PROJECT/.wisp/worktrees/started"
	expect 0 wisp stop work --now
	ends 15
	session .status paused
	session .pause_reason 'stopped on request'
	scenario_step 2 --pass 1 --status DONE --promise
	again 0
}

# above COMMAND: for a step, COMMAND on the supervisor and the watchdog (on $p, one after the other).
above()
{
	# shellcheck disable=SC2016 # for the shell of the step
	printf 'p=$$; k=0; while [ $k -lt 2 ]; do p=$(ps -o ppid= -p $p | tr -d " ")
		case $(ps -o comm= -p $p) in wisp-*) k=$((k + 1)); %s ;; esac; done' "$1"
}

@test "stop --now reaches a step that stopped its supervisor, the watchdog and the loop: 15" {
	unconfined
	# shellcheck disable=SC2016 # for the shell of the step
	scenario_step 1 --effects "$(above 'kill -STOP $p');"'kill -STOP $(ps -o ppid= -p $p); touch ../started; exec sleep 60'
	OPTIONS=(-c step.pidNamespace=false)
	begin 1
	wait_until 10 test -e "$PROJECT/.wisp/worktrees/started"
	expect 0 wisp stop work --now
	ends 15
}

@test "a step that kills its supervisor leaves no daemon, which would write into the next commit: 111" {
	unconfined
	# shellcheck disable=SC2016 # for the shell of the step
	scenario_step 1 --effects "env -i setsid /bin/sh -c 'echo \$\$ >../daemon; while /bin/sleep 0.01; do echo stray >>stray; done' &
		until [ -s ../daemon ]; do :; done; $(above 'kill -KILL $p; exec sleep 60')"
	scenario_step 2 --effects 'echo good >good' --pass 1 --status DONE --promise
	OPTIONS=(-c step.pidNamespace=false)
	work 111 1
	gone "$(<"$PROJECT/.wisp/worktrees/daemon")"
	again 0
	absent stray
}

@test "once: a DONE that was refused is said, too" {
	scenario_step 1 --status DONE
	work 15 2 --once
	assert_contains "$output" 'paused after one iteration (--once); DONE was refused: there are tasks that do not pass'
}

@test "once: one iteration, then 15; a completed one is 0" {
	scenario_step 1 --pass 1 --status CONTINUE
	scenario_step 2 --pass 2 --status DONE --promise
	work 15 2 --once
	session .status paused
	calls 1
	again 0 --once
	calls 2
}

# --- a commit that cannot be made --------------------------------------------

@test "commit: DONE with a merge half done is refused, told, and done once it is mended" {
	scenario_step 1 --effects 'git checkout -q -b side; echo side >README; git commit -qam side; git checkout -q work
echo here >README; git commit -qam here; git merge -q side; true' --pass 1 --status DONE --promise
	# Confined, it has the index of the merge, and no longer which commit is merged (docs/sandbox.md).
	scenario_step 2 --effects 'git checkout -q --ours README; git add README; git commit -q --allow-empty -m merged; echo x >x' --status DONE --promise
	work 0 1
	entry 0 .refused commit
	passes 1
	assert_contains "$output" 'DONE was refused: what the step left could not be committed'
	assert_contains "$(prompt 0002)" 'a merge is half done'
	calls 2
	assert_equal $'task 1\nmerged' "$(git log --first-parent -2 --format=%s work)"
}

@test "commit: one that could not be made in the middle is said, and made with the next, both tasks named" {
	scenario_step 1 --effects 'git checkout -q -b side; echo side >README; git commit -qam side; git checkout -q work
echo here >README; git commit -qam here; git merge -q side; true' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'git checkout -q --ours README; git add README; git commit -qm merged; echo x >x' \
		--pass 2 --status DONE --promise
	work 0 2
	assert_contains "$output" 'what the agent left could not be committed: a merge is half done'
	assert_equal $'task 1\n\n- task 2' "$(git log -1 --format=%B work | sed '/^Wisp-Step/d')"
}

@test "commit: an index that cannot be read is made anew, and the work is committed" {
	# shellcheck disable=SC2016 # the agent expands it
	scenario_step 1 --effects 'echo x >x; echo torn >"$(git rev-parse --git-dir)/index"' --pass 1 --status DONE --promise
	work 0 1
	assert_equal 'task 1' "$(git log -1 --format=%s work)"
	assert_equal '' "$(git -C "$TREE" status --porcelain)"
}

# bad_git VERB TIMES: a git that is killed so often instead of doing that.
bad_git()
{
	local real
	real=$(type -P git)
	mkdir -p "$BATS_TEST_TMPDIR/bin"
	cat >"$BATS_TEST_TMPDIR/bin/git" <<-END
		#!/bin/sh
		for word; do
			[ "\$word" != $1 ] || [ ! -s "$BATS_TEST_TMPDIR/times" ] || {
				sed 1d "$BATS_TEST_TMPDIR/times" >"$BATS_TEST_TMPDIR/left"
				cat "$BATS_TEST_TMPDIR/left" >"$BATS_TEST_TMPDIR/times"
				kill -KILL \$\$
			}
		done
		exec "$real" "\$@"
	END
	chmod +x "$BATS_TEST_TMPDIR/bin/git"
	yes | head -n "$2" >"$BATS_TEST_TMPDIR/times"
	PATH=$BATS_TEST_TMPDIR/bin:$PATH
}

@test "commit: a git that is killed once is asked again; one commit a task" {
	scenario_step 1 --effects 'echo x >x' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'echo y >y' --pass 2 --status DONE --promise
	bad_git commit-tree 1
	OPTIONS=(-c checkpoint.save=false)
	work 0 2
	assert_equal $'task 2\ntask 1' "$(git log --format=%s main..work)"
}

@test "commit: a git that fails again ends the loop with 111, and a resume commits without another call" {
	scenario_step 1 --effects 'echo x >x' --pass 1 --status DONE --promise
	bad_git commit-tree 4 # two tries, each with a second look at its words
	OPTIONS=(-c checkpoint.save=false)
	work 111 1
	assert_contains "$output" 'could not be committed: git failed 2 times'
	again 0
	assert_equal 'task 1' "$(git log --format=%s main..work)"
	calls 1
}

# --- a commit that would delete most of what there is --------------------------

# files_made N: so many files are tracked, README among them.
files_made()
{
	local i

	for ((i = 2; i <= $1; i++)); do
		echo "content $i" >"f$i"
	done
	git add -- README f* 2>/dev/null && git commit -q -m files --allow-empty
}

@test "deletion: a commit of more than half of the files is refused, the step failed, its work put away, the list named" {
	files_made 30
	scenario_step 1 --effects 'rm f1? f2?; echo x >x' --pass 1 --status DONE --promise
	scenario_step 2 --effects 'echo x >x' --pass 1 --status DONE --promise
	work 0 1
	assert_contains "$output" 'what the agent left is not committed: it deletes 20 of 30 tracked files'
	entry 0 .state invalid
	assert_contains "$(wisp-state -C "$DIR" get -f history '.[0].error')" 'its work would delete 20 of 30 tracked files'
	assert_contains "$(prompt 0002)" 'it deletes most of the project'
	assert_contains "$(prompt 0002)" f10
	assert_equal 31 "$(git ls-tree -r --name-only work | wc -l | tr -d ' ')"
	git rev-parse -q --verify "$(failed_ref 1)"
	in_tree f10 'content 10'
}

@test "deletion: twice in a row is 16, and the work of both can be had" {
	files_made 20
	scenario_step default --effects 'rm f*' --pass 1 --status DONE --promise
	work 16 1
	passes
	assert_equal '' "$(git log --format=%s main..work)"
}

# deletes TRACKED DELETED VERDICT: what becomes of such a step.
deletes()
{
	local files

	place "work$1-$2"
	files=$(cd "$PROJECT" && git ls-files | sed -n "1,$2p" | tr '\n' ' ')
	scenario_step 1 --effects "rm -f $files; echo x >x-$1-$2" --pass 1 --status CONTINUE
	work 15 1 --once
	entry 0 .state "$3"
}

@test "deletion: at least ten and more than half, or all" {
	files_made 3
	deletes 3 2 valid
	deletes 3 3 invalid
	files_made 10
	deletes 10 9 valid
	deletes 10 10 invalid
	files_made 19
	deletes 19 9 valid
	deletes 19 10 invalid
	files_made 20
	deletes 20 10 valid
	deletes 20 11 invalid
}

@test "deletion: what moves is not deleted, and what the agent commits itself is its own" {
	files_made 20
	scenario_step 1 --effects 'mkdir src; mv f* README src' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'git rm -q -r src' --commit 'Begin anew' --pass 2 --status DONE --promise
	work 0 2
	assert_equal $'Begin anew\ntask 1' "$(git log --format=%s main..work)"
}
