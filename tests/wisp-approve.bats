#!/usr/bin/env bats
# wisp-gate list, approve, reject, and the commands `wisp approve` and `wisp reject`: stage
# gates of an orchestration, decided once, with who and when, and told to the agent that waits.

load helper
load helper-session

readonly ASKS='{"id": "q-3", "question": "Is the look right?", "choices": ["approve", "reject"], "iteration": 3,
  "gate": {"type": "visual-review", "description": "UI dark mode styling complete", "artifacts": ["home.png"]},
  "asked_at": "2026-01-21T10:59:59Z", "stamp": ""}'

setup()
{
	export WISP_NOW=1768993500000 # 2026-01-21T11:05:00Z
	export USER=anna
	make_repo project
	cd project || return 1
}

teardown()
{
	session_drop
	helper_teardown
}

# state GATES: a loop state with one sub-agent, ui.
state()
{
	cat <<-END
		{"version": 1, "orchestratorId": "orch-1", "startedAt": "2026-01-21T10:00:00Z", "mode": "brownfield-polish",
		 "modeDetection": {"detected": "brownfield-polish", "confidence": 0.87, "signals": [], "confirmedByUser": true,
		  "overridden": false},
		 "scopeDiscovery": {"completedAt": "2026-01-21T10:15:00Z", "gaps": [], "systems": [
		  {"name": "ui", "type": "gap-fill", "priority": "high", "parallelizable": true}],
		  "estimatedLoops": 1, "parallelizationFactor": 1},
		 "currentLoop": 1, "currentPhase": "EXECUTE",
		 "subAgents": [{"id": "agent-ui", "system": "ui", "status": "waiting-gate"}],
		 "completedSystems": [], "gates": $1,
		 "metrics": {"loopsCompleted": 0, "estimatedHours": 4, "actualHours": 0, "calibrationFactor": 1.0}}
	END
}

# gate N TYPE AGENT DESCRIPTION
gate()
{
	printf '{"id": "gate-%03d", "agent": "%s", "type": "%s", "description": "%s", "artifacts": ["home.png"],
		"requestedAt": "2026-01-21T11:00:00Z"}' "$1" "$3" "$2" "$4"
}

# orchestration BRANCH: its session with a gate of ui and one of its own, and in BRANCH-ui the agent that asks. DIR and
# STATE are the agent's then, PARENT is the orchestration's folder.
orchestration()
{
	local gates

	gates="{\"pending\": [$(gate 1 visual-review agent-ui 'UI dark mode styling complete'),
		$(gate 2 plan-review orchestrator 'the plan')], \"approved\": [], \"rejected\": []}"
	session_make "$1" more="\"orchestration\": $(state "$gates"),"
	PARENT=$DIR
	wisp-state -C "$DIR" set -f session .loop_count 0 # publishes
	session_make "$1-ui" status=running count=3 question="$ASKS" more="\"parent\": \"$1\"," \
		tasks='[{"category": "test", "description": "one", "steps": [], "passes": false}]'
}

# gate_in LIST N: what the record says, on one line.
gate_in()
{
	"$JQ" -c ".gates.$1[$2]" "$PARENT/loop-state.json"
}

@test "approve: the gate is recorded with who and when, and its agent told in the same command" {
	orchestration orc
	session_hold
	run -0 --separate-stderr wisp approve gate-001
	assert_output 'approved gate-001: visual-review of agent-ui
agent-ui has been notified and continues'
	assert_stderr ''
	assert_equal '{"id":"gate-001","agent":"agent-ui","type":"visual-review","approvedAt":"2026-01-21T11:05:00+00:00","feedback":null,"approvedBy":"anna"}' \
		"$(gate_in approved 0)"
	assert_equal gate-002 "$("$JQ" -r '.gates.pending[].id' "$PARENT/loop-state.json")"
	assert_equal '{"response":"approve","question_id":"q-3","responded_at":"2026-01-21T11:05:00+00:00"}' \
		"$("$JQ" -c . "$DIR/response.json")"
}

@test "approve: the answer is one that the loop takes" {
	orchestration orc
	"$JQ" 'del(.parent)' "$STATE/record.json" >"$STATE/alone" # which has no budget to ask for
	mv "$STATE/alone" "$STATE/record.json"
	wisp approve gate-001 --feedback 'as in the mock-up'
	wisp-state -C "$DIR" begin >/dev/null || :
	run -0 wisp-state -C "$DIR" query -f "$STATE/record.json" '[.question, .feedback[0].kind, .feedback[0].text] | @json'
	assert_output '[null,"answer","approve: as in the mock-up"]'
}

@test "reject: the feedback is recorded and told; without one nothing happens" {
	orchestration orc
	run -100 --separate-stderr wisp reject gate-001
	assert_stderr 'wisp reject: reject needs --feedback TEXT: the agent must know what to change'
	run -100 --separate-stderr wisp reject gate-001 --feedback ' '
	assert_stderr 'wisp reject: the feedback is empty'
	run -100 --separate-stderr wisp approve gate-001 --feedback ''
	assert_stderr 'wisp approve: the feedback is empty'
	run -100 --separate-stderr wisp-gate reject gate-001 --feedback $'\xff'
	assert_stderr 'wisp-gate: the feedback is not a text: byte 1 is not UTF-8'
	[[ ! -e $DIR/response.json ]]
	run -0 --separate-stderr wisp reject gate-001 --feedback $'darker\n"still"'
	assert_output "rejected gate-001: visual-review of agent-ui
agent-ui will be notified when its loop resumes: \`wisp orchestrate --resume\`, or \`wisp resume orc-ui\`"
	assert_equal '{"id":"gate-001","agent":"agent-ui","type":"visual-review","rejectedAt":"2026-01-21T11:05:00+00:00","feedback":"darker\n\"still\"","rejectedBy":"anna"}' \
		"$(gate_in rejected 0)"
	assert_equal $'reject: darker\n"still"' "$("$JQ" -r .response "$DIR/response.json")"
}

@test "approve: decided once: the second is told by whom and when, and changes nothing" {
	orchestration orc
	wisp approve gate-001
	cp "$PARENT/loop-state.json" "$DIR/response.json" "$BATS_TEST_TMPDIR"
	export USER=ben WISP_NOW=1768993560000
	run -1 --separate-stderr wisp reject gate-001 --feedback 'no'
	assert_stderr 'wisp reject: gate-001 was approved already by anna, at 2026-01-21T11:05:00+00:00'
	assert_output ''
	run -1 --separate-stderr wisp-gate --json approve gate-001
	assert_equal '["approved","anna",false,"it is answered already"]' "$("$JQ" -c '[.decision, .by, .told, .why]' <<<"$output")"
	cmp "$PARENT/loop-state.json" "$BATS_TEST_TMPDIR/loop-state.json"
	cmp "$DIR/response.json" "$BATS_TEST_TMPDIR/response.json"
}

@test "approve: of two people at once one decides" {
	local codes=() pids=() pid n rc

	orchestration orc
	for n in 1 2 3 4; do
		wisp-gate -C "$PARENT" approve gate-001 --by "person $n" >"said.$n" 2>&1 3>&- &
		pids+=("$!")
	done
	for pid in "${pids[@]}"; do
		rc=0
		wait "$pid" || rc=$?
		codes+=("$rc")
	done
	assert_equal '0 1 1 1' "$(printf '%s\n' "${codes[@]}" | sort | tr '\n' ' ' | sed 's/ $//')"
	assert_equal 1 "$("$JQ" '.gates.approved | length' "$PARENT/loop-state.json")"
	assert_equal 3 "$(cat said.* | grep -c "already by $("$JQ" -r '.gates.approved[0].approvedBy' "$PARENT/loop-state.json"), at ")"
}

@test "approve: a decision whose answer was lost is told again" {
	orchestration orc
	wisp approve gate-001 --feedback fine
	rm "$DIR/response.json"
	run -1 --separate-stderr wisp approve gate-001
	assert_contains "$output" 'agent-ui will be notified'
	assert_equal 'approve: fine' "$("$JQ" -r .response "$DIR/response.json")"
	# What it asks after the decision is another gate's.
	session_make orc-ui status=running count=5 question="${ASKS/10:59:59/11:06:00}" more='"parent": "orc",'
	rm "$DIR/response.json"
	run -1 --separate-stderr wisp-gate -C "$PARENT" approve gate-001
	assert_contains "$output" 'why=it asks something else now'
	[[ ! -e $DIR/response.json ]]
}

@test "approve: an agent that died, asks no more, asks something else or is gone is not told" {
	orchestration orc
	session_make orc-ui status=halted halt=stuck count=4 more='"parent": "orc",'
	run -0 wisp approve gate-001
	assert_output 'approved gate-001: visual-review of agent-ui
agent-ui was not notified: it asks nothing now, and is halted'
	[[ ! -e $DIR/response.json ]]
	orchestration two
	session_make two-ui status=running question="${ASKS/UI dark/Another}" more='"parent": "two",'
	run -0 wisp-gate -C "$PARENT" approve gate-001
	assert_contains "$output" 'why=it asks something else now'
	orchestration three
	rm -r "$DIR" "$STATE"
	run -0 wisp-gate -C "$PARENT" approve gate-001
	assert_contains "$output" 'why=it has no session any more'
	[[ ! -e $DIR && ! -e $STATE ]]
}

@test "approve: a gate of the orchestrator itself is only recorded" {
	orchestration orc
	run -0 wisp approve gate-002
	assert_output 'approved gate-002: plan-review of orchestrator'
	assert_equal anna "$("$JQ" -r '.gates.approved[0].approvedBy' "$PARENT/loop-state.json")"
	[[ ! -e $DIR/response.json ]]
}

@test "approve: finds the orchestration: from its agent, by name, or the only one with that gate" {
	orchestration orc
	run -0 wisp approve gate-001 --branch orc-ui
	orchestration two
	# orc has it decided, two pending.
	run -0 wisp approve gate-001
	assert_equal 1 "$("$JQ" '.gates.approved | length' "$PARENT/loop-state.json")"
	run -100 --separate-stderr wisp approve gate-002
	assert_stderr "wisp approve: there is a gate 'gate-002' in orc, two: name one (-C its folder, or --branch)"
	run -0 wisp approve gate-002 --branch two
	# Now orc has it pending, two decided.
	run -0 wisp approve gate-002
	assert_equal 'agent-ui orchestrator' "$("$JQ" -r '[.gates.approved[].agent] | join(" ")' .wisp/sessions/orc/loop-state.json)"
	run -100 --separate-stderr wisp approve gate-007
	assert_stderr "wisp approve: there is no gate 'gate-007' (wisp gate list)"
	session_make other
	run -100 --separate-stderr wisp approve gate-002 --branch other
	assert_contains "$stderr" 'is no orchestration'
	run -100 --separate-stderr wisp approve
	assert_stderr 'wisp approve: an argument is missing: wisp approve ID [--feedback TEXT] [--branch B]; see wisp approve --help'
}

@test "approve: no agent decides" {
	orchestration orc
	export WISP_ITERATION=4 WISP_SESSION_DIR=$DIR
	run -100 --separate-stderr wisp approve gate-001
	assert_stderr 'wisp approve: deciding a gate is not possible from inside a step'
	run -100 --separate-stderr wisp-gate -C "$PARENT" approve gate-001
	assert_stderr 'wisp-gate: deciding a gate is not possible from inside a step'
	assert_equal 2 "$("$JQ" '.gates.pending | length' "$PARENT/loop-state.json")"
}

@test "gate list: what is pending, with --all what was decided, of all orchestrations" {
	orchestration orc
	run -0 wisp gate list
	assert_output 'gate-001  visual-review  agent-ui  UI dark mode styling complete
  home.png
gate-002  plan-review  orchestrator  the plan
  home.png'
	wisp reject gate-001 --feedback $'too\nlight'
	run -0 wisp gate list --all
	assert_output 'gate-002  plan-review  orchestrator  the plan
  home.png
gate-001  visual-review  agent-ui  rejected 2026-01-21T11:05:00+00:00 by anna: too light'
	orchestration two
	run -0 wisp gate list
	assert_equal 'orc: two:' "$(grep ':$' <<<"$output" | tr '\n' ' ' | sed 's/ $//')"
	run -0 wisp gate list --json
	assert_equal '[["gate-002","orc","pending"],["gate-001","two","pending"],["gate-002","two","pending"]]' \
		"$("$JQ" -c '[.[] | [.id, .orchestration, .decision]]' <<<"$output")"
	run -0 wisp-gate -C "$DIR" list
	assert_equal 4 "${#lines[@]}"
}

@test "gate list: nothing to decide, and nothing at all" {
	run -0 --separate-stderr wisp gate list
	assert_output ''
	assert_stderr 'wisp-gate: no gate waits for a decision'
	run -0 --separate-stderr wisp gate list --all
	assert_output ''
	assert_stderr 'wisp-gate: no gates'
	run -0 --separate-stderr wisp gate list --json
	assert_output '[]'
	assert_stderr ''
	run -100 --separate-stderr wisp approve gate-001
	assert_stderr 'wisp approve: there is no orchestration here'
	mkdir plain
	run -100 --separate-stderr wisp-gate -C plain list
	assert_stderr "wisp-gate: 'plain' is no orchestration"
}

@test "gate: a folder with a loop-state.json alone, as 001_ has it" {
	mkdir plain
	state "{\"pending\": [$(gate 1 merge agent-ui done)], \"approved\": [], \"rejected\": []}" >plain/loop-state.json
	unset USER
	run -0 wisp-gate -C plain list
	assert_equal 'gate-001  merge  agent-ui  done' "${lines[0]}"
	run -0 wisp-gate -C plain approve gate-001 --by 'the team'
	assert_equal "gate=gate-001
type=merge
agent=agent-ui
decision=approved
at=2026-01-21T11:05:00+00:00
by=the team
told=no
why=it is no agent with a session" "$output"
	run -1 wisp-gate -C plain approve gate-001
	run -0 wisp-state -C plain get -f loop '.gates.approved[0].approvedBy'
	assert_output 'the team'
	echo '{"orchestratorId": 3}' >plain/loop-state.json
	run -102 --separate-stderr wisp-gate -C plain approve gate-001
	assert_stderr "wisp-gate: $PWD/plain/loop-state.json:1:20: loop.orchestratorId: expected a string, not a number"
}
