#!/usr/bin/env bats
# Templates with phases, from the first failing test to APPROVE: what the loop
# counts, when a phase ends, what a REJECT does, and when it halts.

load ../helper
load ../helper-scenario
load helper-e2e

setup()
{
	project
	place b
	printf '# a feature\n' >prp.md
}

red='{"criteria_count": 2, "tests_generated": 2, "tests_failing": 2, "tests_total": 2, "tests_passing": 0}'
green='{"tests_total": 2, "tests_passing": 2, "tests_failing": 0}'
refactored='{"tests_total": 2, "tests_passing": 2, "tests_failing": 0, "refactoring_complete": true}'
documented='{"docs_generated": 3, "has_adr": true}'
approve='{"blocking_issues": 0, "verdict": "APPROVE"}'
reject='{"blocking_issues": 2, "verdict": "REJECT"}'

# claim N METRICS EXIT [SUMMARY]: step N leaves them, and changes a file.
claim()
{
	scenario_step "$1" --effects "echo $1 >file$1" --state \
		"{\"status\": \"CONTINUE\", \"summary\": \"${4:-step $1}\", \"exit_signal\": $3, \"metrics\": $2}"
}

# tdd CODE [OPTION]...
tdd()
{
	local code=$1
	shift
	expect "$code" wisp ${OPTIONS[@]+"${OPTIONS[@]}"} run b --template tdd --agent replay --spec prp.md "$@"
}

# loop PATH VALUE: what loop-state.json says there.
loop()
{
	assert_equal "$2" "$(wisp-state -C "$DIR" get -f loop "$1" | tr -d '\n' | sed 's/, */,/g; s/\[ */[/g; s/ *\]/]/g')"
}

to_qa()
{
	claim 1 "$red" true
	claim 2 "$green" false
	claim 3 "$green" true
	claim 4 "$refactored" true
	claim 5 "$documented" true
}

@test "tdd: RED to QA, each phase at its gate in one iteration, then completed" {
	to_qa
	claim 6 "$approve" true
	tdd 0
	calls 6
	loop .phases_completed '["RED","GREEN","REFACTOR","DOCUMENT","QA"]'
	loop .status completed
	assert_lacks "$output" ' 0/0 tasks'
	assert_contains "$output" 'phase RED is complete, on to GREEN'
	assert_contains "$output" 'wisp: not everything in the work tree is committed: file1 (git -C '
	loop .phase_history.GREEN.iterations 2
	loop .phase_history.RED.exit_reason 'Dual-Gate satisfied'
	loop .total_agent_calls 6
	entry 1 .phase GREEN
	entry 5 .phase QA
	assert_equal 100 "$(wisp-state -C "$DIR" progress)"
	run wisp-state -C "$DIR" check
	[[ $status == 0 ]] || fail "$output"
}

@test "tdd: the status block of each iteration is shown, and kept in phase-status.log" {
	claim 1 "$red" true
	claim 2 "$green" false
	claim 3 "$green" false
	tdd 13 --max-iterations 3
	assert_contains "$output" '---PRP_PHASE_STATUS---'
	assert_equal 3 "$(grep -c -e '^---END_PRP_PHASE_STATUS---$' "$DIR/phase-status.log")"
	assert_contains "$(<"$DIR/phase-status.log")" 'PHASE: GREEN'
	assert_contains "$(<"$DIR/phase-status.log")" 'CAN_EXIT: true'
}

@test "tdd: gate 2 alone does not end a phase, nor gate 1 alone" {
	claim 1 '{"tests_generated": 1, "criteria_count": 2, "tests_failing": 1}' true
	claim 2 "$red" false
	claim 3 "$red" true
	tdd 13 --max-iterations 3
	loop .phases_completed '["RED"]'
	loop .phase_history.RED.iterations 3
	assert_contains "$(prompt 0002)" '## The phase is not over yet (iteration 1)'
	assert_lacks "$(prompt 0002)" 'DONE was refused'
	entry 0 .refused gate
}

@test "tdd: GREEN asks for two green runs in a row, counted by wisp and not by the agent" {
	claim 1 "$red" true
	claim 2 '{"tests_total": 2, "tests_passing": 2, "tests_failing": 0, "consecutive_green_runs": 9}' true
	claim 3 '{"tests_total": 2, "tests_passing": 1, "tests_failing": 1}' true
	claim 4 '{"tests_total": 2, "tests_passing": 2, "tests_failing": 0}' true
	claim 5 '{"tests_total": 2, "tests_passing": 2, "tests_failing": 0}' true
	tdd 13 --max-iterations 5
	loop .current_phase REFACTOR
	loop .phase_history.GREEN.iterations 4
	loop .current_iteration 0
	loop .last '{}'
}

@test "tdd: the prompt tells phase, iteration, gate and the metrics before" {
	claim 1 '{"tests_generated": 1, "criteria_count": 2, "tests_failing": 1}' false
	claim 2 "$red" true
	tdd 13 --max-iterations 2
	assert_contains "$(prompt 0002)" 'Phase RED, iteration 2 in it of at most 10'
	assert_contains "$(prompt 0002)" "Session $(wisp-state -C "$DIR" get -f loop .session_id), PRP file prp.md."
	assert_contains "$(prompt 0002)" '"tests_generated": 1'
	assert_contains "$(prompt 0002)" 'tests_generated'
	[[ -e $DIR/steps/0001/prompt.md ]]
}

@test "tdd: QA REJECT goes back to GREEN with the reason, then QA again" {
	to_qa
	claim 6 "$reject" false 'two holes in the parser'
	claim 7 "$green" false
	claim 8 "$green" true
	claim 9 "$approve" true
	tdd 0
	calls 9
	loop .phases_completed '["RED","REFACTOR","DOCUMENT","GREEN","QA"]'
	loop .qa_attempts 0
	loop .phase_history.QA.rejections[0].reason 'two holes in the parser'
	assert_contains "$output" 'wisp: [6] continue: QA rejected the work (1 of at most 3): back to GREEN'
	assert_contains "$(prompt 0007)" 'QA rejected the work (1 of at most 3): back to GREEN'
	assert_contains "$(prompt 0007)" 'two holes in the parser'
	assert_contains "$(prompt 0008)" 'two holes in the parser'
	loop .phase_history.GREEN.iterations 4
}

@test "tdd: a pause in the step that ends a phase, or that rejects the work, takes nothing of that back" {
	to_qa
	claim 6 "$reject" false 'two holes in the parser'
	claim 7 "$green" false
	tdd 15 --once
	loop .phases_completed '["RED"]'
	loop .current_phase GREEN
	assert_contains "$output" 'paused after one iteration (--once); phase RED is complete, on to GREEN'
	tdd 13 --max-iterations 5
	tdd 15 --max-iterations 9 --once
	assert_contains "$output" '(--once); QA rejected the work (1 of at most 3): back to GREEN'
	loop .current_phase GREEN
	loop .qa_attempts 1
	tdd 15 --once
	assert_contains "$(prompt 0007)" 'two holes in the parser'
}

@test "tdd: the third REJECT asks a person with the whole report; the answer goes on at GREEN" {
	local n=6

	to_qa
	for _ in 1 2 3; do
		claim $n "$reject" false "finding $n"
		claim $((n + 1)) "$green" false
		claim $((n + 2)) "$green" true
		n=$((n + 3))
	done
	claim 15 "$approve" true
	tdd 10
	calls 12
	assert_contains "$output" 'QA rejected the work 3 times. How is GREEN to go on?'
	assert_contains "$output" 'finding 12'
	loop .qa_attempts 3
	expect 0 wisp answer b 'leave out the parser'
	again 0
	assert_contains "$(prompt 0013)" 'leave out the parser'
	calls 15
	loop .qa_attempts 0
}

@test "tdd: the breaker opens in GREEN after two iterations without progress; reset goes on" {
	claim 1 "$red" true
	claim 2 '{"tests_total": 2, "tests_passing": 1, "tests_failing": 1}' false
	claim 3 '{"tests_total": 2, "tests_passing": 1, "tests_failing": 1}' false
	claim 4 '{"tests_total": 2, "tests_passing": 1, "tests_failing": 1}' false
	claim 5 "$green" false
	claim 6 "$green" true
	tdd 12
	calls 4
	assert_equal OPEN "$(wisp-state -C "$DIR" get -f breaker .state)"
	assert_contains "$output" 'No progress for 2 iterations'
	assert_contains "$(<"$DIR/phase-status.log")" $'BLOCKERS:\n  - the circuit breaker is open: No progress for 2 iterations\n'
	again 13 --max-iterations 6
	assert_equal CLOSED "$(wisp-state -C "$DIR" get -f breaker .state)"
	loop .current_phase REFACTOR
}

@test "phases: one that names no breaker is held by stuck.noProgress" {
	mkdir -p .wisp/templates/plain
	echo work >.wisp/templates/plain/work.md
	cat >.wisp/templates/plain/loop.json <<-'END'
		{"name": "plain", "state": "phases", "phases": [
		 {"name": "BUILD", "weight": 100, "prompt": "work.md", "gate": "false", "progress": "false"}]}
	END
	claim default '{}' false
	expect 12 wisp -c stuck.noProgress=2 run b --template plain --agent replay --spec prp.md
	calls 2
	assert_contains "$output" 'No progress for 2 iterations'
	assert_contains "$(wisp-stuck -C "$DIR" breaker show)" 'no_progress_threshold=2'
	run -0 wisp log b
	assert_contains "$output" 'iteration 2 (BUILD)'
	assert_lacks "$output" '  tasks '
}

@test "tdd: a phase that has used its iterations is paused with 13, resume grants as many again" {
	local i

	mkdir -p .wisp/templates/short
	cp "$ROOT"/templates/tdd/* .wisp/templates/short/
	sed 's/"max_iterations": 10/"max_iterations": 2/; s/"no_progress": [0-9]/"no_progress": 9/' \
		"$ROOT/templates/tdd/loop.json" >.wisp/templates/short/loop.json
	for i in 1 2 3 4 5; do
		claim "$i" '{"tests_generated": 1, "criteria_count": 2}' false
	done
	expect 13 wisp run b --template short --agent replay --spec prp.md --trust
	calls 2
	assert_contains "$output" 'phase RED has used its 2 iterations'
	again 13
	calls 4
}

@test "tdd: a failed verify is an observation: RED goes on, nothing is undone, and it is no error" {
	OPTIONS=(-c 'verify.command=echo broken; false')
	claim 1 "$red" true
	claim 2 "$green" true
	claim 3 "$green" true
	tdd 13 --max-iterations 3
	loop .current_phase GREEN
	loop .consecutive_green_runs 0
	entry 0 .verify failed
	entry 0 .error null
	assert_contains "$(prompt 0002)" 'An observation'
	loop .error_history '[]'
}

@test "tdd: metrics may come in the block of the final message" {
	scenario_step 1 --status CONTINUE --output $'working\n---PRP_PHASE_STATUS---\nPHASE: RED\nTESTS:\n  TOTAL: 2\n  FAILING: 2\nMETRICS:\n  TESTS_GENERATED: 2\n  CRITERIA_COUNT: 2\nBLOCKERS:\n  - the API key is missing\nEXIT_SIGNAL: true\n---END_PRP_PHASE_STATUS---'
	tdd 13 --max-iterations 1
	loop .phases_completed '["RED"]'
	assert_contains "$(<"$DIR/phase-status.log")" $'BLOCKERS:\n  - the API key is missing\n'
}

@test "tdd: QA runs with another model than GREEN" {
	to_qa
	claim 6 "$approve" true
	tdd 0
	assert_contains "$output" 'QA: it uses the session'
}

# qa_model STREAM: the model that QA is asked to use, after a GREEN that printed that.
qa_model()
{
	to_qa
	claim 6 "$approve" true
	printf '%s\n' "$1" | tee "$WISP_REPLAY/2/output" >"$WISP_REPLAY/3/output"
	# shellcheck disable=SC2016 # the agent expands it
	printf 'echo "$WISP_MODEL" >../model\n' >>"$WISP_REPLAY/6/effects.sh"
	tdd 0
	assert_equal "$2" "$(<.wisp/worktrees/model)"
}

claude_with()
{
	printf '{"type":"system","subtype":"init","session_id":"s","model":"%s"}\n' "$1"
	claude done
}

@test "tdd: QA's model is known by the stream of GREEN, whatever the agent is called" {
	qa_model "$(claude_with claude-opus-4-5)" sonnet
}

@test "tdd: QA's model keeps the provider's prefix" {
	qa_model "$(claude_with anthropic/claude-sonnet-4-5)" anthropic/opus
}

@test "tdd: QA's model is left to an agent that calls models otherwise" {
	qa_model '{"type":"system","subtype":"init","session_id":"s","model":"claude-opus-4","qwen_code_version":"1"}' ''
}

@test "phases: a filter that gives no boolean halts with 102; mended, the step is judged" {
	mkdir -p .wisp/templates/odd
	cp "$ROOT"/templates/tdd/*.md .wisp/templates/odd/
	printf '{"name": "odd", "state": "phases", "phases": [{"name": "ONE", "weight": 100, "prompt": "red.md", "gate": %s}]}' \
		'".metrics.x"' >.wisp/templates/odd/loop.json
	claim 1 '{"x": "yes"}' true
	expect 102 wisp run b --template odd --agent replay --spec prp.md
	assert_contains "$output" 'ONE'
	assert_contains "$output" 'gate'
	calls 1
	session .status halted
	sed 's/\.metrics\.x/.metrics.x == \\"yes\\"/' .wisp/templates/odd/loop.json >odd.json
	mv odd.json .wisp/templates/odd/loop.json
	again 0
	calls 1
	loop .phases_completed '["ONE"]'
}

@test "phases: a template that does not hold is refused before the first step" {
	mkdir -p .wisp/templates/odd
	cp "$ROOT"/templates/tdd/*.md .wisp/templates/odd/
	sed 's/"weight": 45/"weight": 35/' "$ROOT/templates/tdd/loop.json" >.wisp/templates/odd/loop.json
	expect 102 wisp run b --template odd --agent replay --spec prp.md
	assert_contains "$output" 'loop.json'
	assert_contains "$output" '90'
	[[ ! -e $DIR ]]
}

@test "phases: a phase renamed in mid-session is refused, and nothing is lost" {
	mkdir -p .wisp/templates/own
	cp "$ROOT"/templates/tdd/* .wisp/templates/own/
	claim 1 "$red" true
	claim 2 "$green" false
	expect 13 wisp run b --template own --agent replay --spec prp.md --max-iterations 2
	sed 's/"GREEN"/"CODE"/g' "$ROOT/templates/tdd/loop.json" >.wisp/templates/own/loop.json
	expect 102 wisp resume b --max-iterations 9
	assert_contains "$output" 'GREEN'
	loop .current_phase GREEN
	calls 2
}

@test "phases: no plan is made, and none is asked for" {
	expect 100 wisp plan prp.md --template tdd --branch p
	assert_contains "$output" 'needs no plan'
	[[ ! -e $PROJECT/.wisp/sessions/p ]]
}

@test "phases: PRP_SESSION_DIR gets the loop state, too" {
	claim 1 "$red" true
	PRP_SESSION_DIR=$PROJECT/there tdd 13 --max-iterations 1
	cmp there/loop-state.json "$DIR/loop-state.json"
}

@test "phases: rollback puts the loop state back" {
	claim 1 "$red" true
	claim 2 "$green" false
	claim 3 "$green" true
	tdd 13 --max-iterations 3
	loop .current_phase REFACTOR
	expect 0 wisp rollback b 1
	loop .current_phase GREEN
	loop .current_iteration 0
	loop .phases_completed '["RED"]'
}

@test "phases: another spec is refused while the session is under way, and begins a new one once it is over" {
	local id

	printf '# another\n' >other.md
	to_qa
	claim 6 "$approve" true
	tdd 13 --max-iterations 2
	expect 100 wisp run b --spec other.md
	assert_contains "$output" "works on 'prp.md', not on 'other.md'"
	expect 100 wisp run b --template default
	assert_contains "$output" "has the template 'tdd', not 'default'"
	again 0 --max-iterations 9
	id=$(wisp-state -C "$DIR" get -f loop .session_id)
	expect 13 wisp run b --spec other.md --max-iterations 1
	loop .prp_file other.md
	[[ $(wisp-state -C "$DIR" get -f loop .session_id) != "$id" ]]
	ls "$DIR"/past/*.json
}

@test "phases: gate explain shows the gates of the step that ended, and which row decided" {
	claim 1 "$red" true
	tdd 13 --max-iterations 1
	run wisp gate b explain
	[[ $status == 0 ]] || fail "$output"
	assert_contains "$output" 'phase=RED (record.json)'
	assert_contains "$output" 'gate_1=open'
	assert_contains "$output" 'gate_2=open'
	assert_contains "$output" 'row=7p'
	run wisp gate b decide
	assert_contains "$output" 'reason=next_phase'
}

@test "phases: metrics that are too deep, or too large, are dropped, the state holds, and that is said" {
	local deep wide

	deep=$(printf '{"a":%.0s' {1..40})1$(printf '}%.0s' {1..40})
	wide="{\"text\": \"$(printf '%070000d' 0)\"}"
	claim 1 "$deep" false
	claim 2 "$red" false
	claim 3 "$wide" false
	tdd 13 --max-iterations 3
	assert_contains "$output" 'wisp: [1] the metrics in state.json were dropped: they are nested deeper than 16'
	assert_contains "$output" 'wisp: [3] the metrics in state.json were dropped: they are larger than 64 KiB'
	assert_contains "$(prompt 0002)" 'they are nested deeper than 16'
	entry 0 .state valid
	entry 2 .state valid
	expect 0 wisp status b
}
