#!/usr/bin/env bats
# What becomes of an orchestration's agents, as their records and locks say, and what is
# noted of them. Which systems are next is unit/schedule.c; whole runs are e2e/orchestrate.bats.

load helper
load helper-session

setup()
{
	export WISP_NOW=1768557600000 # 2026-01-16T10:00:00Z
	make_repo repo
	cd repo || exit 1
	wisp init >/dev/null
	OWNER=''
	session_make orch status=running more="\"template\": {\"name\": \"orchestrator\", \"dir\": \"$ROOT/templates/orchestrator\"},"
	TOP=$DIR HOME_OF=$STATE
	wisp-orch -C "$TOP" new --parallel 2
	put .scopeDiscovery.systems "[$(system one)]"
}

teardown()
{
	session_drop
	helper_teardown
}

system() # <name> [more]
{
	printf '{"name": "%s", "type": "gap-fill", "priority": "high", "parallelizable": true, "estimatedHours": 2%s}' "$1" "${2-}"
}

put() # <path in the state> <json>
{
	wisp-state set -f "$HOME_OF/record.json" ".orchestration$1" "$2"
}

is() # <path in the state> <value>
{
	assert_equal "$2" "$("$JQ" -rc ".orchestration$1" "$HOME_OF/record.json")"
}

note()
{
	run -0 wisp-orch -C "$TOP" note "$@"
}

# The first agent is started, its session then is as said, and looked at: STATUS, and what is printed.
looks() # <status> <printed> [NAME=VALUE]...
{
	local status_then=$1 printed=$2
	shift 2

	note spawning one
	session_make orch-one "$@"
	look "$status_then" "$printed"
}

# A look that is repeated says and changes nothing more.
look() # <status> <printed> [option]...
{
	local status_then=$1 printed=$2
	shift 2

	run -0 wisp-orch -C "$TOP" observe "$@"
	assert_output "$printed"
	is '.subAgents[0].status' "$status_then"
	wisp-state -C "$TOP" check
	[[ $status_then == spawning ]] || {
		cp "$HOME_OF/record.json" before
		run -0 wisp-orch -C "$TOP" observe
		assert_output ''
		diff before "$HOME_OF/record.json"
	}
}

question() # <id> [more]
{
	printf '{"id": "%s", "question": "Is it good?", "choices": null, "iteration": 1, "asked_at": "2026-01-16T10:00:00Z", "stamp": ""%s}' \
		"$1" "${2-}"
}

gate() # <id>
{
	question "$1" ', "gate": {"type": "visual-review", "description": "the page", "artifacts": ["page.png"]}'
}

# A verb that is repeated, since somebody was killed, changes nothing more.
twice()
{
	local first

	run -0 wisp-orch -C "$TOP" "$@"
	first=$output
	cp "$HOME_OF/record.json" before
	run -0 wisp-orch -C "$TOP" "$@"
	assert_equal "$first" "$output"
	diff before "$HOME_OF/record.json"
}

@test "observe: one that nobody owns has ended as its record says" {
	looks completed 'event=one: finished' status=completed
	is '.subAgents[0].completedAt' 2026-01-16T10:10:00Z
	looks failed 'event=one: failed: halted: the disk is missing' status=halted reason='the disk is missing'
	is '.subAgents[0].progress' 'failed: halted: the disk is missing'
	looks failed 'event=one: failed: paused: 20.00 of 20 USD are spent' exit=13 reason='20.00 of 20 USD are spent'
	looks waiting-gate 'event=one: waits for a person: Is it good?' question="$(question q-1)"
	is '.subAgents[0].progress' 'Is it good?'
	is '.gates.pending' '[]'
}

@test "observe: one that is gone in the middle goes on once, whatever process has its number now" {
	looks spawning $'event=one: its loop is gone: it is started again from its checkpoint\ncrashed=one' status=running pid=$$
	run -0 wisp-orch -C "$TOP" observe
	assert_output ''
	run -0 wisp-orch -C "$TOP" next
	assert_output $'resume=one\nact=wait'
	looks failed 'event=one: failed: its loop died again' status=running pid=$$
	run -0 wisp-orch -C "$TOP" next
	assert_output 'act=done'
}

@test "observe: one that lives runs, or waits; a failed one that lives again runs again" {
	looks failed 'event=one: failed: halted: no way' status=halted reason='no way'
	session_make orch-one status=running history="[$(session_entry 1 summary='added\na form')]"
	session_hold
	look running 'event=one: runs again'
	is '.subAgents[0].progress' 'added a form'
	is '.subAgents[0].currentStage' IMPLEMENT
	wisp-state set -f "$STATE/record.json" .question "$(question q-1)"
	wisp-state set -f "$STATE/record.json" .session.status '"paused"'
	look waiting-gate 'event=one: waits for a person: Is it good?'
	session_drop
	look waiting-gate ''
	wisp-state set -f "$STATE/record.json" .question null
	wisp-state set -f "$STATE/record.json" .session.status '"completed"'
	look completed 'event=one: finished'
}

@test "observe: one that was started is waited for, but not for ever" {
	local n

	session_make orch-one status=completed
	note spawning one
	for n in {1..20}; do
		run -0 wisp-orch -C "$TOP" observe
		assert_output ''
	done
	is '.subAgents[0].status' spawning
	look failed "event=one: failed: its loop has not begun (run.log in its session's folder)"
}

@test "observe: one that was begun anew, and whose loop does not own it yet, is waited for" {
	local n

	session_make orch-one status=completed
	note spawning one
	session_make orch-one status=paused
	for n in {1..20}; do
		run -0 wisp-orch -C "$TOP" observe
		assert_output ''
	done
	session_make orch-one status=paused reason=signal
	look failed 'event=one: failed: paused: signal'
}

@test "observe: a session that is gone, or cannot be read, has failed; the reason names the file" {
	looks completed 'event=one: finished' status=completed
	note spawning one
	printf '{"version": 1,\n "session"\n' >"$STATE/record.json"
	look completed 'event=one: finished' # by what was published
	note spawning one
	printf '{"version": 1,\n "session_id"\n' >"$DIR/session.json"
	look failed "event=one: failed: $STATE/record.json:3:1: unexpected end of JSON; no record is kept beside it, and of the published files: $DIR/session.json:3:1: unexpected end of JSON"
	note spawning one
	rm -r "$STATE" "$DIR"
	look failed 'event=one: failed: its session is gone'
}

@test "observe: a failed one that a person had go on to its end has finished; nothing else has it do so" {
	looks failed 'event=one: failed: halted: no way' status=halted reason='no way'
	session_make orch-one status=completed
	look completed 'event=one: finished'
	note failed one --reason 'its merge ended with 111'
	look failed ''
	session_make orch-one status=completed
	look completed 'event=one: finished'
}

@test "observe: clocks that differ decide nothing" {
	WISP_NOW=4000000000000 looks completed 'event=one: finished' status=completed
	WISP_NOW=1000000000 looks failed 'event=one: failed: halted: no way' status=halted reason='no way'
	session_make orch-one status=running
	wisp-state set -f "$STATE/record.json" .session.last_activity '"2099-01-01T00:00:00Z"'
	session_hold
	look running 'event=one: runs again'
	is '.subAgents[0].lastHeartbeat' 2099-01-01T00:00:00+00:00
}

@test "observe: stage, heartbeat, output and metrics are those of its session and of git" {
	session_make orch-one status=running
	note spawning one
	session_make orch-one status=running phases='{"current_phase": "GREEN"}' step='{"iteration": 2, "name": "0002"}' \
		history="[$(session_entry 1)]"
	wisp-state set -f "$STATE/record.json" '.history[0].observed' '{"tests_total": 4}'
	session_hold
	run -0 wisp-orch -C "$TOP" observe --git one=8,2 --git one-more=1,1
	is '.subAgents[0].currentStage' GREEN
	is '.subAgents[0].outputFile' null
	is '.subAgents[0].metrics' '{"filesModified":8,"testsAdded":0,"commitsCreated":2}'
	wisp-state set -f "$STATE/record.json" .history "[$(session_entry 1), $(session_entry 2)]"
	wisp-state set -f "$STATE/record.json" '.history[0].observed' '{"tests_total": 4}'
	wisp-state set -f "$STATE/record.json" '.history[1].observed' '{"tests_total": 7}'
	mkdir -p "$DIR/steps/0002"
	touch -t 209901010000 "$DIR/steps/0002/output.log"
	look running ''
	is '.subAgents[0].outputFile' "$DIR/steps/0002/output.log"
	is '.subAgents[0].lastHeartbeat' 2099-01-01T00:00:00+00:00
	is '.subAgents[0].metrics' '{"filesModified":8,"testsAdded":3,"commitsCreated":2}'
}

@test "observe: before the first step its progress is the task that it has begun with" {
	local list='[{"category": "feature", "description": "A form", "steps": [], "passes": false}]' good

	good=$(sha256sum <<<"$list")
	session_make orch-one status=running more="\"good\": \"${good%% *}\","
	printf '%s\n' "$list" >"$STATE/good/${good%% *}"
	session_hold
	note spawning one
	look running ''
	is '.subAgents[0].progress' 'A form'
}

@test "observe: a question with a gate asks for one; its decision is told, again where that was lost" {
	looks waiting-gate $'gate=gate-001\nevent=one: waits for a person: Is it good?' question="$(gate q-1)"
	is '.gates.pending[0].agent' agent-one
	is '.gates.pending[0].description' 'the page'
	is '.gates.pending[0].artifacts' '["page.png"]'
	run -0 wisp-gate -C "$TOP" reject gate-001 --feedback 'too red'
	rm "$DIR/response.json"
	run -0 wisp-orch -C "$TOP" observe
	assert_equal 'reject: too red' "$(wisp-state get -f "$DIR/response.json" .response)"
	run -0 wisp-orch -C "$TOP" observe
	run -0 wisp-orch -C "$TOP" next
	assert_output $'resume=one\nact=wait'
	is '.gates.pending' '[]'
	is '.gates.rejected[0].feedback' 'too red'
}

@test "observe: with --yes a gate is approved, once, by that name" {
	note spawning one
	session_make orch-one question="$(gate q-1)"
	run -0 wisp-orch -C "$TOP" observe --yes
	assert_output ''
	assert_equal approve "$(wisp-state get -f "$DIR/response.json" .response)"
	run -0 wisp-orch -C "$TOP" observe --yes
	is '.gates.approved[0].approvedBy' --yes
	is '.gates | map_values(length)' '{"pending":0,"approved":1,"rejected":0}'
}

@test "observe: a gate that nobody decides in time is rejected" {
	wisp-state set -f "$HOME_OF/record.json" '.config["gates.timeout"]' 60000
	looks waiting-gate $'gate=gate-001\nevent=one: waits for a person: Is it good?' question="$(gate q-1)"
	WISP_NOW=$((WISP_NOW + 61000)) run -0 wisp-orch -C "$TOP" observe
	is '.gates.rejected[0].rejectedBy' gates.timeout
	assert_equal 'reject: nobody decided in time' "$(wisp-state get -f "$DIR/response.json" .response)"
}

@test "observe: a gate whose question was answered in another way has that answer, and no older one" {
	looks waiting-gate $'gate=gate-001\nevent=one: waits for a person: Is it good?' question="$(gate q-1)"
	mkdir -p "$DIR/answers"
	printf '{"question": "Is it good?", "asked_at": "2025-01-01T00:00:00Z", "response": "approve"}\n' >"$DIR/answers/q-1.json"
	printf '{"question": "Is it good?", "asked_at": "2026-01-16T10:00:00Z", "response": "not yet"}\n' >"$DIR/answers/q-1.2.json"
	wisp-state set -f "$STATE/record.json" .question null
	session_hold
	look running ''
	is '.gates.pending' '[]'
	is '.gates.rejected[0].feedback' 'not yet'
	is '.gates.rejected[0].rejectedBy' 'wisp answer'
}

@test "observe: another question, or an end, closes the gate of the one before" {
	looks waiting-gate $'gate=gate-001\nevent=one: waits for a person: Is it good?' question="$(gate q-1)"
	wisp-state set -f "$STATE/record.json" .question "$(gate q-2)"
	look waiting-gate 'gate=gate-002'
	is '.gates.rejected[0].id' gate-001
	is '.gates.rejected[0].feedback' 'the agent asks no more'
	wisp-state set -f "$STATE/record.json" .question "$(question q-3)"
	look waiting-gate ''
	is '.gates.rejected[1].id' gate-002
	wisp-state set -f "$STATE/record.json" .question "$(gate q-4)"
	look waiting-gate 'gate=gate-003'
	session_make orch-one status=halted reason='no way'
	look failed 'event=one: failed: halted: no way'
	is '.gates.pending' '[]'
	is '.gates.rejected[2].rejectedBy' orchestrator
}

@test "observe: an agent that was answered while no loop was there goes on" {
	looks waiting-gate 'event=one: waits for a person: Is it good?' question="$(question q-1)"
	wisp answer --branch orch-one yes
	run -0 wisp-orch -C "$TOP" observe
	run -0 wisp-orch -C "$TOP" next
	assert_output $'resume=one\nact=wait'
}

@test "note: each may be repeated, and counts once" {
	session_make orch-one status=completed
	twice note spawning one
	is '.subAgents[0].status' spawning
	session_make orch-one status=completed
	wisp-orch -C "$TOP" observe >/dev/null
	twice note merging one
	run -0 wisp-orch -C "$TOP" next
	assert_output 'act=wait'
	twice note unmerged one
	run -0 wisp-orch -C "$TOP" next
	assert_output $'merge=one\nact=wait'
	twice note back one --reason 'it does not merge'
	assert_output $'back=agent\ntimes=1'
	run -0 wisp-orch -C "$TOP" next
	assert_output $'resume=one\nact=wait'
	note spawning one
	note back one --reason 'it does not merge'
	assert_output $'back=agent\ntimes=2'
	note spawning one
	twice note back one --reason 'it does not merge'
	assert_output $'back=person\ntimes=3'
	is '.subAgents[0].status' completed
	twice note failed one --reason $'two\nlines'
	is '.subAgents[0].progress' 'failed: two lines'
	twice note merged one --commit abc
	is '.completedSystems' '["one"]'
	run -0 wisp-orch -C "$TOP" next
	assert_output 'act=done'
	run -100 --separate-stderr wisp-orch -C "$TOP" note started one
	assert_stderr "wisp-orch: nothing is noted as 'started'"
}

@test "next: starts, merges and failures in their order; what is at work is watched" {
	put .scopeDiscovery.systems "[$(system one), $(system two), $(system three ', "depends_on": ["two"]'), $(system four)]"
	run -0 wisp-orch -C "$TOP" next
	assert_output $'start=one\nstart=two\nact=wait'
	looks completed 'event=one: finished' status=completed
	note failed two --reason 'no way'
	run -0 wisp-orch -C "$TOP" next
	assert_output $'fail=three it depends on two, which failed\nmerge=one\nstart=four\nact=wait'
	note spawning four
	run -0 wisp-orch -C "$TOP" next
	assert_contains "$output" "watch=$(dirname "$HOME_OF")/orch-four/record.json"
	put .scopeDiscovery.systems "[$(system one ', "depends_on": ["five"]')]"
	run -102 --separate-stderr wisp-orch -C "$TOP" next
	assert_stderr 'wisp-orch: the system one depends on five, which is not a system'
}

@test "reopen: what was at work is open again, and so are failed ones with --failed; who lives is taken over" {
	put .scopeDiscovery.systems "[$(system one), $(system two), $(system three)]"
	session_make orch-two
	session_make orch-three
	wisp-orch -C "$TOP" reopen # the loop begins
	looks failed 'event=one: failed: halted: no way' status=halted reason='no way'
	note spawning two
	note failed three --reason 'it depends on one, which failed'
	twice reopen
	run -0 wisp-orch -C "$TOP" systems
	assert_output $'one failed\ntwo open\nthree failed'
	run -1 wisp-orch -C "$TOP" alive
	note spawning two
	session_make orch-two status=running
	session_hold
	twice reopen --failed
	run -0 wisp-orch -C "$TOP" systems
	assert_output $'one open\ntwo active\nthree open'
	run -0 wisp-orch -C "$TOP" alive
	assert_output two
	run -0 wisp-orch -C "$TOP" next
	assert_contains "$output" $'resume=one\nact=wait'
}

@test "order: rounds, hours by what was learned, and what is left of the money" {
	put .scopeDiscovery.systems "[$(system one), $(system two ', "depends_on": ["one"]'), $(system three)]"
	wisp-state set -f "$HOME_OF/record.json" '.config["limits.maxCostUsd"]' 5
	printf '{"version": 1, "runs": {"orch-1": {"estimatedHours": 4, "actualHours": 2}}}\n' >"${HOME_OF%/*}/.calibration.json"
	run -0 wisp-orch -C "$TOP" order
	assert_output "orch: DETECT, loop 1, up to 2 at once
  round 1  one                      open, 1 h
  round 1  three                    open, 1 h
  round 2  two                      open, 1 h
  hours    3 of work, 2 in these rounds (estimates times 0.5)
  cost     at most \$5 over all of them, for every loop together: \$1.93 spent, \$3.07 left"
	wisp-orch -C "$TOP" pool >/dev/null
	run -0 "$JQ" -c '[.parallel, .systems[2].name, .systems[2].round, .hours_elapsed, .cost]' <(wisp-orch -C "$TOP" --json order --parallel 1)
	assert_output '[1,"three",3,3,{"max_usd":5,"spent_usd":1.93,"left_usd":3.07}]'
	put .scopeDiscovery.systems '[]'
	run -0 wisp-orch -C "$TOP" order
	assert_contains "$output" 'none is open'
}

@test "calibrate: actual over estimated hours, over all sessions of a system, once for each orchestration" {
	session_make orch-one status=completed
	mkdir "$DIR/past"
	printf '{"totals": {"seconds": 2787.6}}\n' >"$DIR/past/a.json"
	note spawning one
	twice calibrate
	assert_output $'estimated_hours=2\nactual_hours=1\nfactor=0.5'
	is .metrics.calibrationFactor 0.5
	assert_equal '{"estimatedHours":2,"actualHours":1}' \
		"$("$JQ" -c ".runs[\"orch-$WISP_NOW\"]" "${HOME_OF%/*}/.calibration.json")"
}

@test "calibrate: a system without an estimate counts as worked, and is compared with nothing" {
	session_make orch-one status=completed
	note spawning one
	session_make orch-two status=completed
	note spawning two
	wisp-state set -f "$HOME_OF/record.json" '.orchestration.scopeDiscovery.systems[1]' \
		'{"name": "two", "type": "gap-fill", "priority": "high", "parallelizable": true}'
	wisp-orch -C "$TOP" calibrate >two
	wisp-state set -f "$HOME_OF/record.json" '.orchestration.scopeDiscovery.systems[1].estimatedHours' 2
	wisp-orch -C "$TOP" calibrate >both
	assert_equal "$(grep actual two)" "$(grep actual both)"
	assert_equal "$(grep factor two)" "$(grep factor both)"
}
