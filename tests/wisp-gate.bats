#!/usr/bin/env bats
# wisp-gate: each folder of cases/gate is a case: the files of a session, with
# step.json as the step's, and `expect`, what `exit` and `decide` answer on
# them. The table of decisions is unit/decide.c.

load helper

# play CASE: prints what `expect` should hold.
play()
{
	local file verb rc

	rm -rf s
	mkdir -p s/steps/0001
	for file in "$1"/*.json; do
		cp "$file" s
	done
	[[ ! -e s/step.json ]] || mv s/step.json s/steps/0001/step.json
	for verb in exit decide; do
		rc=0
		wisp-gate -C s "$verb" >"$TMPDIR/out" 2>"$TMPDIR/err" || rc=$?
		printf '%s %s\n' "$verb" "$rc"
		cat "$TMPDIR/out"
		sed 's/^/stderr: /' "$TMPDIR/err"
	done
}

task()
{
	printf '{"category": "feature", "description": "%s", "steps": [], "passes": %s}' "$1" "$2"
}

# files STATUS PASSES PROMISE: a session of one task in s.
files()
{
	mkdir -p s/steps/0001
	printf '{"status": "%s", "summary": "did it", "metrics": {"tests": 3}}' "$1" >s/state.json
	printf '[%s]' "$(task one "$2")" >s/tasks.json
	printf '{"outcome": "ok", "promise": %s}' "$3" >s/steps/0001/step.json
}

gate_eval()
{
	wisp-gate -C s "eval" "$@"
}

@test "gate: the cases" {
	local case played=0

	for case in "$ROOT"/tests/cases/gate/*/; do
		run -0 play "${case%/}"
		output=${output//"$PWD/"/}
		[[ $output == "$(<"$case/expect")" ]] || fail "in $case" 'expected:' "$(<"$case/expect")" 'actual:' "$output"
		played=$((played + 1))
	done
	((played > 20))
}

@test "gate: the promise may be asked for or not" {
	files DONE true false
	run -1 wisp-gate -C s exit
	run -0 wisp-gate -C s exit --promise optional
	assert_output $'done=yes state.json says DONE\ntasks=yes 1 of 1 pass\npromise=yes not asked for'
	run -1 wisp-gate -C s exit --promise required
	run -100 wisp-gate -C s exit --promise perhaps
	printf '{"version": 1, "config": {"completion.promise": "optional"}}' >s/record.json
	wisp-state -C e init
	mv e/session.json s
	run -0 wisp-gate -C s exit
	run -1 wisp-gate -C s exit --promise required
}

@test "gate: exit as JSON" {
	files CONTINUE true true
	run -1 wisp-gate -C s --json exit
	assert_output '{
  "open": false,
  "done": {
    "holds": false,
    "reason": "state.json says CONTINUE"
  },
  "tasks": {
    "holds": true,
    "reason": "1 of 1 pass"
  },
  "promise": {
    "holds": true,
    "reason": "seen in step 0001"
  }
}'
}

@test "gate: an older step's promise is not this one's" {
	files DONE true true
	run -0 wisp-gate -C s exit
	mkdir s/steps/0002
	run -1 wisp-gate -C s exit
	assert_contains "$output" 'promise=no there is no step.json'
	mkdir s/steps/0010
	printf '{"promise": true}' >s/steps/0010/step.json
	run -0 wisp-gate -C s exit
	mkdir s/steps/10000
	run -1 wisp-gate -C s exit
}

@test "gate: a filter is asked over all files" {
	files DONE true true
	printf '[{"iteration": 1, "verify": "passed"}]' >s/history.json
	run -0 gate_eval '.state.status == "DONE" and (.tasks.list | all(.passes))'
	assert_output true
	run -0 gate_eval '.tasks.passed == 1 and .tasks.total == 1 and .tasks.next == null'
	run -1 gate_eval '.tasks.passed >= 3'
	run -1 gate_eval '.metrics.tests > 3'
	assert_output false
	run -0 gate_eval '.history[0].iteration == 1 and .verify == "passed" and .step.promise and .last == {}'
	run -0 gate_eval '.session == null and .loop == null'
	run -0 gate_eval 'keys == ["history", "last", "loop", "metrics", "session", "state", "step", "tasks", "verify"]'
}

@test "gate: a filter that gives no boolean cannot tell" {
	local filter

	files DONE true true
	for filter in .state.status .tasks null empty 'true, true' '.x.y.z |' '.state[0]' 'error("no")' input 'import "a" as a; true'; do
		run -102 --separate-stderr gate_eval "$filter"
		assert_output ''
		assert_contains "$stderr" "filter '"
	done
	run -100 gate_eval
	printf '{' >s/state.json
	run -102 gate_eval true
	rm s/state.json s/tasks.json
	run -0 gate_eval '.state == null and .tasks == null and .metrics == {}'
	printf '[' >s/history.json
	run -102 gate_eval true
}

@test "gate: a filter sees no environment and no file" {
	files DONE true true
	SECRET=x run -0 gate_eval '[$ENV, env] | all(has("SECRET") | not)'
	SECRET=x run -102 gate_eval 'include "a"; true'
}

@test "gate: decide takes every fact as an option" {
	local options want

	mkdir s
	while IFS='|' read -r options want; do
		# shellcheck disable=SC2086 # words
		run -0 wisp-gate -C s decide $options
		assert_equal "$want" "${lines[0]#*=} ${lines[1]#*=} ${lines[2]#*=} ${lines[4]#*=}${lines[5]:+ ${lines[5]#*=}}"
	done <<-'END'
		--status CONTINUE|continue 0 continue keep
		--status CONTINUE --stuck|halted 12 stuck keep
		--status CONTINUE --pause|paused 15 request keep
		--status CONTINUE --once|paused 15 once keep
		--status CONTINUE --signal 2|paused 130 interrupted keep
		--status CONTINUE --stop|paused 15 interrupted keep
		--status DONE --tasks 2/2 --promise seen|completed 0 completed keep
		--status DONE --tasks 2/2 --promise optional --verify passed|completed 0 completed keep
		--status DONE --tasks 2/2 --promise missing|continue 0 done_refused keep promise
		--status DONE --tasks 1/2 --promise seen|continue 0 done_refused keep tasks
		--status DONE --tasks 2/2 --promise seen --verify failed|continue 0 done_refused keep verify
		--status BLOCKED|halted 11 blocked keep
		--status NEEDS_INPUT|ask 10 needs_input keep
		--state malformed|retry 0 failed_step put-away
		--state missing --failures 1|halted 16 agent_fails put-away
		--state missing --failures 1 --outcome timeout|paused 16 agent_fails put-away
		--state missing --outcome limit|wait 0 usage_limit keep
		--status CONTINUE --outcome auth|halted 16 auth keep
	END
	for options in '--outcome fine' '--state good' '--status done' '--tasks 3/2' '--tasks 2' '--promise yes' '--verify no' \
		'--failures -1' '--signal 200'; do
		# shellcheck disable=SC2086 # words
		run -100 wisp-gate -C s decide $options
	done
}

@test "gate: decide says the same before and after record" {
	local before

	printf '[%s]' "$(task one false)" >tasks.json
	wisp-state -C d init --tasks tasks.json
	wisp-state -C d begin
	run -0 wisp-gate -C d --json decide
	before=$output
	assert_contains "$output" '"decision": "retry"'
	wisp-state -C d record
	run -0 wisp-gate -C d --json decide
	assert_output "$before"
	wisp-state -C d begin
	run -0 wisp-gate -C d decide
	assert_contains "$output" 'decision=halted'
	wisp-state -C d record
	run -0 wisp-gate -C d decide
	assert_contains "$output" 'decision=halted'
}

@test "gate: explain shows each fact and where it comes from" {
	files DONE true true
	run -0 wisp-gate -C s explain --verify failed
	assert_output 'cut=no (no option)
outcome=ok (steps/0001/step.json)
state=valid (state.json)
status=DONE (state.json)
tasks=1/1 (tasks.json)
promise=seen (steps/0001/step.json)
verify=failed (option)
failures=0 (history.json)
stuck=no (history.json)
pause=no (no option)
once=no (no option)
decision=continue
exit=0
reason=done_refused
row=9
tree=keep
refused=verify'
	run -0 wisp-gate -C s --json explain
	assert_contains "$output" '"decision": "completed"'
}

@test "gate: hostile files are neither open nor shut" {
	files DONE true true
	rm s/state.json
	mkfifo s/state.json
	run -102 wisp-gate -C s exit
	rm s/state.json
	mkdir s/state.json
	run -102 wisp-gate -C s exit
	rmdir s/state.json
	files DONE true true
	head -c 100 /dev/zero >s/tasks.json
	run -102 wisp-gate -C s exit
	files DONE true true
	printf '{"outcome": "ok", "promise": "true"}' >s/steps/0001/step.json
	run -1 wisp-gate -C s exit
	run -102 wisp-gate -C nowhere exit
	run -100 wisp-gate -C s open
}
