#!/usr/bin/env bats
# wisp-gate: each folder of cases/gate is a case: the files of a session, with
# step.json as the step's, and `expect`, what `exit` and `decide`, or with a
# loop-state.json `phase`, answer on them. The table of decisions is
# unit/decide.c, that of the phases' gates unit/phase_gates.c.

load helper

# play CASE: prints what `expect` should hold.
play()
{
	local file verb rc verbs=(exit decide)

	rm -rf s
	mkdir -p s/steps/0001
	for file in "$1"/*.json; do
		cp "$file" s
	done
	[[ ! -e s/step.json ]] || mv s/step.json s/steps/0001/step.json
	[[ ! -e s/loop-state.json ]] || verbs=(phase)
	for verb in "${verbs[@]}"; do
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
	local case played=0 prefix=$PWD/

	export WISP_SHARE=$ROOT

	for case in "$ROOT"/tests/cases/gate/*/; do
		run -0 play "${case%/}"
		output=${output//$prefix/}
		[[ $output == "$(<"$case/expect")" ]] || fail "in $case" 'expected:' "$(<"$case/expect")" 'actual:' "$output"
		# Open exactly where the loop would complete.
		[[ $output != *'exit 0'* && $output != *decision=completed* ]] ||
			[[ $output == *'exit 0'*decision=completed* ]] || fail "in $case" "$output"
		played=$((played + 1))
	done
	((played > 40))
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

@test "gate, stuck: who only asks about a step that is open changes no file" {
	local before

	printf '[%s]' "$(task one false)" >tasks.json
	wisp-state -C d init --tasks tasks.json
	wisp-state -C d begin
	printf '[%s]' "$(task one true)" >d/tasks.json
	echo '{"outcome": "ok", "promise": false}' >d/steps/0001/step.json
	wisp-state -C d ran >/dev/null
	before=$(find d -type f -exec cksum {} + | sort)
	run -0 wisp-gate -C d decide
	assert_contains "$output" 'decision=retry'
	run -1 wisp-stuck -C d check
	run wisp-gate -C d explain
	assert_equal "$before" "$(find d -type f -exec cksum {} + | sort)"
	run -0 wisp-state -C d record
	run -0 wisp-tasks -C d list --done
	assert_output ''
}

@test "gate: explain shows each fact and where it comes from" {
	files DONE true true
	run -100 wisp-gate -C s explain --verify failed
	printf '{"version": 1, "step": {"iteration": 1, "name": "0001", "stage": "recorded", "state": "valid", "verify": "failed"}}' >s/record.json
	wisp-state -C e init
	cp e/session.json s
	run -0 wisp-gate -C s explain
	assert_output 'cut=no (nobody asks)
outcome=ok (steps/0001/step.json)
state=valid (state.json)
status=DONE (state.json)
tasks=1/1 (record.json)
promise=seen (steps/0001/step.json)
verify=failed (record.json)
commit=ok (record.json)
failures=0 (history.json)
stuck=no (history.json)
breaker=closed (breaker.json)
pause=no (nobody asks)
once=no (nobody asks)
decision=continue
exit=0
reason=done_refused
row=9
tree=keep
refused=verify'
	run -1 wisp-gate -C s exit
	assert_output $'done=yes state.json says DONE\ntasks=yes 1 of 1 pass\npromise=yes seen in step 0001\nverify=no failed'
	rm s/record.json
	run -0 wisp-gate -C s --json explain
	assert_contains "$output" '"decision": "completed"'
}

# --- phases ----------------------------------------------------------------

# phase_files PHASE METRICS [MORE]: a session of that phase in s, with `exit_signal`.
phase_files()
{
	export WISP_SHARE=$ROOT
	mkdir -p s
	printf '{"session_id": "a1b2c3d4-e5f6-4890-abcd-ef1234567890", "prp_file": "prp.md", "current_phase": "%s",
		"current_iteration": 4, "status": "running"%s}' "$1" "${3-}" >s/loop-state.json
	printf '{"status": "CONTINUE", "summary": "", "exit_signal": true, "metrics": %s}' "$2" >s/state.json
}

# record FILTER: what a controller keeps of that session, with what the filter adds.
record()
{
	printf '{"version": 1}' | "$JQ" "$1" >s/record.json
	[[ -e s/session.json ]] || {
		wisp-state -C made init
		cp made/session.json s
	}
}

readonly GREEN='{"tests_failing": 0, "tests_passing": 2, "tests_total": 2, "consecutive_green_runs": 2, "verdict": "REJECT"}'

@test "gate: phase as JSON, of the current phase or another one" {
	phase_files GREEN "$GREEN"
	run -0 wisp-gate -C s phase
	assert_output $'gate_1=true\ngate_2=true\ncan_exit=true'
	run -1 wisp-gate -C s phase QA
	assert_output $'gate_1=false\ngate_2=true\ncan_exit=false'
	run -1 wisp-gate -C s --json phase QA
	assert_output '{
  "phase": "QA",
  "gate_1": false,
  "gate_2": true,
  "can_exit": false,
  "progress": false,
  "reject": true,
  "metrics": {
    "tests_failing": 0,
    "tests_passing": 2,
    "tests_total": 2,
    "consecutive_green_runs": 2,
    "verdict": "REJECT",
    "iteration": 4
  }
}'
	run -100 --separate-stderr wisp-gate -C s phase BLUE
	assert_stderr "wisp-gate: there is no phase 'BLUE': expected one of RED, GREEN, REFACTOR, DOCUMENT, QA"
	run -100 wisp-gate -C s phase QA GREEN
}

@test "gate: phase without phases cannot tell" {
	files DONE true true
	run -102 --separate-stderr wisp-gate -C s phase
	assert_output ''
	assert_stderr "wisp-gate: '$PWD/s' has no phases: there is no loop-state.json"
	run -102 --separate-stderr wisp-gate -C s phase --template "$ROOT/templates/default"
	assert_stderr "wisp-gate: the template '$ROOT/templates/default' has no phases"
	run -102 --separate-stderr wisp-gate -C s phase --template none
	assert_stderr 'wisp-gate: none/loop.json: missing'
	phase_files GREEN "$GREEN"
	WISP_SHARE=$PWD run -102 --separate-stderr wisp-gate -C s phase
	assert_contains "$stderr" "the template 'tdd' is not installed"
}

@test "gate: phase by a template of one's own" {
	mkdir template
	phase_files BLUE '{"n": 3}'
	printf '{"phases": [{"name": "BLUE", "weight": 100, "gate": ".metrics.n == 3 and .state.exit_signal"}]}' >template/loop.json
	run -102 --separate-stderr wisp-gate -C s phase
	assert_stderr "wisp-gate: '$PWD/s/loop-state.json' is in phase 'BLUE': its template is needed (--template)"
	run -0 wisp-gate -C s phase --template template
	record '.machine = {phases: [{name: "BLUE", weight: 100, gate: ".metrics.n == 4"}], reject: null}'
	run -1 wisp-gate -C s phase
	assert_equal gate_1=false "${lines[0]}"
	run -0 wisp-gate -C s phase --template template
	printf '{"phases": [{"name": "BLUE", "weight": 100, "gate": ".metrics.n"}]}' >template/loop.json
	run -102 --separate-stderr wisp-gate -C s phase --template template
	assert_stderr "wisp-gate: phase BLUE: gate: filter '.metrics.n': expected true or false, not 3"
	printf '{"phases": [{"name": "BLUE", "weight": 90, "gate": "true"}]}' >template/loop.json
	run -102 --separate-stderr wisp-gate -C s phase --template template
	assert_stderr 'wisp-gate: template/loop.json:1:12: template.phases: the weights add up to 90, not to 100'
	phase_files RED '{}'
	run -102 --separate-stderr wisp-gate -C s phase
	assert_stderr "wisp-gate: $PWD/s/loop-state.json: loop.current_phase: expected one of BLUE, not 'RED'"
}

@test "gate: with a record the controller counts, and what it observed wins" {
	phase_files GREEN "$GREEN" ', "consecutive_green_runs": 1'
	run -0 wisp-gate -C s phase
	record .
	run -1 wisp-gate -C s --json phase
	assert_contains "$output" '"consecutive_green_runs": 1'
	record '.step = {iteration: 5, name: "0005", stage: "recorded", state: "valid"}'
	run -1 wisp-gate -C s --json phase
	assert_contains "$output" '"iteration": 4'
	# A step that is not history yet is counted before it is asked about.
	record '.step = {iteration: 5, name: "0005", stage: "verified", state: "valid", verify: "passed"}'
	run -0 wisp-gate -C s --json phase
	assert_contains "$output" '"consecutive_green_runs": 2'
	assert_contains "$output" '"iteration": 5'
	record '.step = {iteration: 5, name: "0005", stage: "verified", state: "valid", verify: "failed"}'
	run -1 wisp-gate -C s --json phase
	assert_contains "$output" '"consecutive_green_runs": 0'
	record '.step = {iteration: 5, name: "0005", stage: "verified", state: "valid", observed: {tests_passing: 1, tests_failing: 1}}'
	run -1 wisp-gate -C s --json phase
	assert_contains "$output" '"tests_failing": 1'
	run -0 gate_eval '.metrics.tests_passing == 1 and .metrics.tests_total == 2 and .loop.current_iteration == 5'
	assert_equal 4 "$(wisp-state -C s get -f loop .current_iteration)"
}

@test "gate: the last metrics are what progress is measured against" {
	phase_files GREEN "$GREEN" ', "last": {"tests_passing": 1, "tests_failing": 0}'
	run -0 wisp-gate -C s --json phase
	assert_contains "$output" '"progress": true'
	run -0 gate_eval '.last.tests_passing == 1'
	phase_files GREEN "$GREEN" ', "last": {"tests_passing": 2, "tests_failing": 0}'
	run -0 wisp-gate -C s --json phase
	assert_contains "$output" '"progress": false'
}

@test "gate: the installed template is found by a program that is started alone" {
	phase_files GREEN "$GREEN"
	unset WISP_SHARE
	mkdir -p p/bin p/libexec/wisp/bin p/share/wisp/templates/tdd
	cp "$WISP_BUILD/wisp-gate" p/bin
	cp "$WISP_BUILD/wisp-gate" p/libexec/wisp/bin
	printf '{"phases": [%s, %s]}' '{"name": "GREEN", "weight": 60, "gate": "false"}' '{"name": "RED", "weight": 40, "gate": "true"}' \
		>p/share/wisp/templates/tdd/loop.json
	PATH=$PWD/p/bin:$PATH run -1 wisp-gate -C s phase
	assert_equal gate_1=false "${lines[0]}"
	PATH=$PWD/p/libexec/wisp/bin:$PATH run -1 wisp-gate -C s phase
	ln -s ../p/bin/wisp-gate s/wisp-gate
	PATH=$PWD/s:$PATH run -1 wisp-gate -C s phase
	# wisp says where it is.
	run -0 wisp gate phase -C "$PWD/s"
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

@test "help: the arguments of a verb are broken before an option, within 80 columns" {
	local line program

	for program in state tasks stuck gate; do
		run -0 "wisp-$program" -h
		for line in "${lines[@]}"; do
			((${#line} <= 80)) || fail "longer than 80 columns: $line"
		done
	done
	assert_contains "$output" $'[--note]\n                        what the step that ended last means for the loop'
}

@test "gate: libjq is loaded where a filter is run, and by no other program" {
	local program

	type -P ldd >/dev/null || skip "no ldd here"
	ldd "$WISP_BUILD/wisp-filter" >libraries
	grep -q libjq libraries || skip "libjq is linked statically"
	for program in "$WISP_BUILD"/wisp-*; do
		[[ -f $program && -x $program && ${program##*/} != wisp-filter ]] || continue
		ldd "$program" >libraries
		assert_lacks "$(<libraries)" libjq
	done
}

@test "gate: a long filter, over a document that is longer than a pipe holds" {
	local long text=''

	printf -v long '%03000d' 1
	files CONTINUE false true
	for _ in {1..60}; do
		text+="$(task "$long" false),"
	done
	printf '[%s]' "${text%,}" >s/tasks.json
	run -0 wisp-gate -C s "eval" "([.. | strings | length] | add) > 180000 and (\"$long\" | length) == 3000"
}

@test "gate: where wisp-filter cannot be run, that is said" {
	files CONTINUE false true
	mkdir programs
	cp "$WISP_BUILD/wisp-gate" programs/
	PATH=$PWD/programs:/usr/bin:/bin run -102 --separate-stderr wisp-gate -C s "eval" true
	assert_stderr "wisp-gate: filter 'true': cannot run wisp-filter: No such file or directory"
}
