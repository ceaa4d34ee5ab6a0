#!/usr/bin/env bats
# Orchestrations as a whole, with scripted agents: every branch has a scenario of its own.

load ../helper
load ../helper-scenario
load helper-e2e
load helper-orchestra

# asks SYSTEM [N]: its first step, or step N, asks for a gate.
asks()
{
	works "$1" "${2:-1}" --state '{"status": "NEEDS_INPUT", "summary": "a page", "question": "Is the page good?",
		"gate": {"type": "visual-review", "description": "the page of '"$1"'", "artifacts": ["page.png"]}}'
}

gate_of()
{
	wisp-state -C "$DIR" query -f loop ".gates.pending[] | select(.agent == \"agent-$1\") | .id" 2>/dev/null
}

is_pending()
{
	[[ -n $(gate_of "$1") ]]
}

@test "orchestrate: five systems, a crash, a gate approved, one rejected, a conflict mended, COMPLETE" {
	local name

	finds core! 'ui<core' api data docs
	works core 1 --effects "touch '$BATS_TEST_TMPDIR/begun'; until test -e '$BATS_TEST_TMPDIR/go'; do sleep 0.05; done"
	finishes core 2
	asks ui
	finishes ui 2
	asks api
	finishes api 2
	for name in data docs; do
		works "$name" 1 --effects "echo $name >src/list.c" --commit "build $name" --pass 1 --status DONE --promise
		works "$name" 2 --effects "git merge -q $B >/dev/null || :; echo both >src/list.c; git add -A; git commit -q --no-edit" \
			--pass '1 2' --status DONE --promise
	done
	orchestration --mode brownfield-feature --wait --parallel 3
	wait_until 30 test -e "$BATS_TEST_TMPDIR/begun"
	wait_until 10 is_agent core running
	kill -KILL "$(owner core)"
	touch "$BATS_TEST_TMPDIR/go"
	wait_until 40 is_pending ui
	wait_until 40 is_pending api
	is_agent ui waiting-gate
	expect 0 wisp gate list
	assert_contains "$output" 'the page of api'
	expect 0 wisp approve "$(gate_of ui)"
	expect 0 wisp reject "$(gate_of api)" --feedback 'too red'
	ends 0
	state .currentPhase COMPLETE
	state .mode brownfield-feature
	state .modeDetection.overridden true
	state .completedSystems[0] core
	assert_equal 5 "$(wisp-state -C "$DIR" query -f loop '.completedSystems | length')"
	assert_equal 1 "$(wisp-state -C "$DIR" query -f loop '.gates.approved | length')"
	state '.gates.rejected[0].feedback' 'too red'
	assert_contains "$(<"$PROJECT/.wisp/sessions/$B-api/steps/0002/prompt.md")" 'reject: too red'
	said 'its loop is gone: it is started again from its checkpoint'
	said 'conflict in src/list.c'
	in_tree src/list.c both
	in_tree core.txt core
	in_tree ui.txt ui
	[[ ! -e $PROJECT/core.txt ]]
	assert_equal completed "$(wisp-state -C "$DIR" get -f session .status)"
	wisp-state -C "$DIR" check
	expect 0 wisp done "$B" --merge
	[[ -e $PROJECT/core.txt ]]
	expect 0 wisp rm "$B" --branch
	[[ ! -e $PROJECT/.wisp/sessions/wisp && -z $(git branch --list 'wisp/*') ]]
}

@test "orchestrate: nobody confirms the mode: 10, and the handoff says how it goes on" {
	finds one
	expect 10 wisp orchestrate "$BATS_TEST_TMPDIR/shop.md" --agent replay --foreground
	state .currentPhase DETECT
	state .sessionHandoff.reason waits-for-person
	assert_contains "$(wisp-state -C "$DIR" get -f loop .sessionHandoff.resumeInstructions)" 'wisp orchestrate --resume'
	expect 100 wisp orchestrate "$BATS_TEST_TMPDIR/shop.md" --agent replay --foreground --yes
	assert_contains "$output" 'is under way'
	finishes one
	orchestrate 0 --resume
	state .modeDetection.confirmedByUser true
	state .sessionHandoff null
	orchestrate 100 --resume
}

@test "orchestrate: what does not hold is told to the next step, twice, then a person is asked" {
	finds one
	WISP_REPLAY=$SCENARIOS/$B leaves 1 discovery.json '{"gaps": [], "systems": [{"name": "Big One"}]}'
	WISP_REPLAY=$SCENARIOS/$B leaves 2 discovery.json '{"gaps": ['
	WISP_REPLAY=$SCENARIOS/$B scenario_step 3 --status CONTINUE
	orchestrate 10
	assert_contains "$output" 'discovery.json rejected'
	assert_contains "$(prompt 0002)" 'systems[0].type'
	assert_contains "$(prompt 0003)" 'discovery.json:2:1: unexpected end of JSON'
	state .currentPhase DISCOVER
	[[ -e $DIR/steps/0001/discovery.json && ! -e $DIR/discovery.json ]]
	expect 0 wisp answer --branch "$B" 'one system, called one'
	WISP_REPLAY=$SCENARIOS/$B leaves 4 discovery.json '{"gaps": [], "systems": []}'
	WISP_REPLAY=$SCENARIOS/$B leaves 5 retrospect.json '{"gaps": [], "systems": []}'
	orchestrate 0 --resume
	assert_contains "$(prompt 0004)" 'one system, called one'
	state .currentPhase COMPLETE
}

@test "orchestrate: the plan waits for a person; rejected, it is made again; approved, work begins" {
	finds one
	finishes one
	wisp config gates.required plan-review
	expect 10 wisp orchestrate "$BATS_TEST_TMPDIR/shop.md" --agent replay --foreground --mode brownfield-polish
	state .currentPhase PLAN
	state '.gates.pending[0].type' plan-review
	[[ ! -e $PROJECT/.wisp/sessions/$B-one ]]
	expect 0 wisp reject gate-001 --feedback 'smaller tasks'
	cp -R "$SCENARIOS/$B/2" "$SCENARIOS/$B/3.new"
	mv "$SCENARIOS/$B/3" "$SCENARIOS/$B/4"
	mv "$SCENARIOS/$B/3.new" "$SCENARIOS/$B/3"
	expect 10 wisp orchestrate --resume --foreground --branch "$B"
	assert_contains "$(prompt 0003)" 'smaller tasks'
	expect 0 wisp approve gate-002
	expect 0 wisp orchestrate --resume --foreground --branch "$B"
	state .completedSystems[0] one
	state '.gates.rejected[0].feedback' 'smaller tasks'
}

@test "orchestrate: an orchestrator that was killed leaves its agents; --resume takes them over" {
	finds one two
	works one 1 --effects "touch '$BATS_TEST_TMPDIR/begun'; until test -e '$BATS_TEST_TMPDIR/go'; do sleep 0.05; done
echo one >one.txt" --commit 'build one' --pass 1 --status DONE --promise
	finishes two
	orchestration --yes --parallel 1
	wait_until 30 test -e "$BATS_TEST_TMPDIR/begun"
	wait_until 10 is_agent one running
	# Whoever reads the file of one that runs does not take it for paused.
	state .sessionHandoff null
	mkdir copy
	cp "$DIR/loop-state.json" copy
	expect 0 wisp-state -C copy show
	assert_contains "$output" 'Status: running'
	kill -KILL "$LOOP"
	wait "$LOOP" || :
	[[ -n $(owner one) ]]
	orchestration --yes --resume
	touch "$BATS_TEST_TMPDIR/go"
	ends 0
	assert_equal 1 "$(scenario_calls "$PROJECT/.wisp/sessions/$B-one")"
	assert_equal 2 "$(wisp-state -C "$DIR" query -f loop '.completedSystems | length')"
}

@test "orchestrate: a pause ends the agents after their steps; --resume goes on with them" {
	finds one two
	works one 1 --effects "touch '$BATS_TEST_TMPDIR/begun'; until test -e '$BATS_TEST_TMPDIR/go'; do sleep 0.05; done" --status CONTINUE
	finishes one 2
	finishes two
	orchestration --yes --parallel 1
	wait_until 30 test -e "$BATS_TEST_TMPDIR/begun"
	wait_until 10 is_agent one running
	expect 0 wisp pause "$B"
	wait_until 10 said 'ending 1 agents: one'
	touch "$BATS_TEST_TMPDIR/go"
	ends 15
	[[ -z $(owner one) ]]
	state .sessionHandoff.reason session-end
	expect 0 wisp status "$B"
	assert_contains "$output" 'one stopped'
	orchestrate 0 --resume
	assert_equal 2 "$(scenario_calls "$PROJECT/.wisp/sessions/$B-one")"
}

@test "orchestrate: stop --now ends it with 15, while agents work and while a gate is waited for" {
	finds one
	works one 1 --effects "touch '$BATS_TEST_TMPDIR/begun'; sleep 1000"
	orchestration --yes
	wait_until 30 test -e "$BATS_TEST_TMPDIR/begun"
	wait_until 10 is_agent one running
	expect 0 wisp stop "$B" --now
	ends 15
	[[ -z $(owner one) ]]
	state .sessionHandoff.reason session-end
	asks one 2
	orchestration --resume --wait
	wait_until 30 is_pending one
	expect 0 wisp stop "$B" --now
	ends 15
}

@test "orchestrate: a signal ends the agents at once; nothing is left" {
	finds one
	works one 1 --effects "touch '$BATS_TEST_TMPDIR/begun'; sleep 1000"
	finishes one 2
	orchestration --yes
	wait_until 30 test -e "$BATS_TEST_TMPDIR/begun"
	wait_until 10 is_agent one running
	kill -INT "$LOOP"
	ends 130
	[[ -z $(owner one) ]]
	state .sessionHandoff.reason signal
	orchestrate 0 --resume
	state .completedSystems[0] one
}

@test "orchestrate: an agent that is blocked has failed, with its reason, and what depends on it; loops are limited" {
	local n

	finds one 'two<one' three
	works one default --status BLOCKED --error 'the disk is missing'
	finishes three
	for n in 3 4 5; do
		WISP_REPLAY=$SCENARIOS/$B leaves "$n" retrospect.json '{"gaps": [], "systems": []}'
	done
	orchestrate 13
	assert_equal '"failed: halted: the disk is missing"' "$(agent one .progress | sed 's/^failed.*/"&"/')"
	is_agent two failed
	assert_contains "$(agent two .progress)" 'it depends on one, which failed'
	state .completedSystems[0] three
	state .currentLoop 3
	assert_contains "$output" '3 of 3 loops are used'
}

@test "orchestrate: what does not merge goes back twice, then a person decides" {
	unconfined # the one agent waits for a branch of the others, which is what it was when its step began
	finds one two
	works one 1 --effects "echo one >src/list.c" --commit one --pass 1 --status DONE --promise
	works two 1 --effects "until git log --format=%s $B | grep -qx one; do sleep 0.05; done; echo two >src/list.c" \
		--commit two --pass 1 --status DONE --promise
	works two 2 --pass 2 --status DONE --promise
	works two 3 --pass 3 --status DONE --promise
	orchestration --mode brownfield-polish --wait --parallel 2
	wait_until 40 is_pending two
	assert_contains "$(wisp-state -C "$DIR" get -f loop '.gates.pending[0].description')" 'conflict in src/list.c'
	expect 0 wisp reject "$(gate_of two)" --feedback 'give it up'
	wait_until 20 is_agent two failed
	assert_contains "$(agent two .progress)" 'rejected: give it up'
	assert_equal 3 "$(scenario_calls "$PROJECT/.wisp/sessions/$B-two")"
	ends 0
	state .currentPhase COMPLETE
	state .currentLoop 1
	in_tree src/list.c one
}

@test "orchestrate: a gate before each merge: what is rejected goes back as a task" {
	finds one
	finishes one
	works one 2 --effects 'echo better >one.txt' --commit 'better' --pass 2 --status DONE --promise
	wisp config gates.required merge
	orchestration --mode brownfield-polish --wait
	wait_until 30 is_pending one
	expect 0 wisp reject gate-001 --feedback 'say it better'
	wait_until 30 is_pending one
	assert_contains "$(<"$PROJECT/.wisp/sessions/$B-one/steps/0001.2/prompt.md")" 'say it better'
	expect 0 wisp approve gate-002 --feedback fine
	ends 0
	in_tree one.txt better
	state '.gates.approved[0].type' merge
}

@test "orchestrate: a gate that nobody decides in time is rejected, and the agent goes on" {
	finds one
	asks one
	finishes one 2
	wisp config gates.timeout 1s
	orchestrate_waits 0
	state '.gates.rejected[0].rejectedBy' gates.timeout
	assert_contains "$(<"$PROJECT/.wisp/sessions/$B-one/steps/0002/prompt.md")" 'reject: nobody decided in time'
}

# orchestrate_waits CODE: as with a person there, who does nothing.
orchestrate_waits()
{
	expect "$1" wisp orchestrate "$BATS_TEST_TMPDIR/shop.md" --agent replay --foreground --mode brownfield-polish --wait
}

@test "orchestrate: --yes approves what agents ask for, and that is recorded" {
	finds one
	asks one
	finishes one 2
	orchestrate 0
	state '.gates.approved[0].approvedBy' --yes
	state '.gates.approved[0].type' visual-review
}

@test "orchestrate: nobody is there: an agent that asks ends it with 10, once the others are done" {
	finds one two
	asks one
	finishes one 2
	finishes two
	expect 10 wisp orchestrate "$BATS_TEST_TMPDIR/shop.md" --agent replay --foreground --mode brownfield-polish --no-wait
	state .completedSystems[0] two
	[[ -z $(owner one) ]]
	assert_contains "$(wisp-state -C "$DIR" get -f loop .sessionHandoff.pendingActions)" 'Decide gate-001'
	expect 0 wisp approve gate-001
	orchestrate 0 --resume
	state '.completedSystems[1]' one
}

@test "orchestrate: --dry-run shows what is detected, later the order; nothing is started" {
	expect 0 wisp orchestrate "$BATS_TEST_TMPDIR/shop.md" --agent replay --dry-run
	assert_contains "$output" 'detected '
	[[ ! -e $DIR ]]
	finds core! 'ui<core' api
	wisp config gates.required plan-review
	expect 10 wisp orchestrate "$BATS_TEST_TMPDIR/shop.md" --agent replay --foreground --mode brownfield-polish
	expect 0 wisp orchestrate "$BATS_TEST_TMPDIR/shop.md" --dry-run --parallel 2
	assert_contains "$output" 'round 1  core                     open, alone'
	assert_contains "$output" 'round 2  ui '
	assert_contains "$output" 'round 2  api '
	assert_contains "$output" 'at most $20'
	[[ ! -e $PROJECT/.wisp/sessions/$B-core ]]
	calls 2
}

@test "orchestrate: what is left begins the next loop, at EXECUTE; the retrospect is written down" {
	finds one
	finishes one
	WISP_REPLAY=$SCENARIOS/$B leaves 3 retrospect.json '{"gaps": [{"category": "test", "severity": "low", "description": "no test"}],
		"systems": [{"name": "more", "type": "gap-fill", "priority": "low", "parallelizable": true, "estimatedHours": 1,
		"tasks": [{"category": "test", "description": "test it", "steps": [], "passes": false}]}], "lessons": "tests were forgotten"}'
	WISP_REPLAY=$SCENARIOS/$B leaves 4 retrospect.json '{"gaps": [], "systems": []}'
	finishes more
	orchestrate 0
	state .currentLoop 2
	state .metrics.loopsCompleted 2
	state '.completedSystems[1]' more
	assert_contains "$(<"$DIR/RETROSPECT.md")" 'tests were forgotten'
	in_tree more.txt more
}

@test "orchestrate: with tmux each agent has a server of its own, and nothing is left of them" {
	PATH=$ROOT/tests/stubs/forbidden:$ROOT/bin:$WISP_BUILD:$(tool_path)
	finds one two
	works one 1 --effects "touch '$BATS_TEST_TMPDIR/begun'; until test -e '$BATS_TEST_TMPDIR/go'; do sleep 0.05; done; echo one >one.txt" \
		--commit one --pass 1 --status DONE --promise
	finishes two
	orchestration --yes --parallel 2
	wait_until 30 test -e "$BATS_TEST_TMPDIR/begun"
	wait_until 20 is_agent one running
	[[ -S $(<"$(session_home one)/tmux/socket") ]]
	touch "$BATS_TEST_TMPDIR/go"
	ends 0
	[[ ! -S $(<"$(session_home one)/tmux/socket") ]]
	end_tmux
}

# session_home SYSTEM: the folder of its record.
session_home()
{
	printf '%s\n' "$WISP_HOME"/shop-*/"$B-$1"
}

@test "orchestrate: status, list, watch and resume know it" {
	finds one
	finishes one
	wisp config gates.required plan-review
	wisp config notify.command "cat >>'$BATS_TEST_TMPDIR/notices'"
	expect 10 wisp orchestrate "$BATS_TEST_TMPDIR/shop.md" --agent replay --foreground --mode brownfield-polish
	expect 0 wisp status "$B"
	assert_contains "$output" 'phase     PLAN, loop 1, brownfield-polish'
	assert_contains "$output" 'systems   0 of 1 merged'
	assert_contains "$output" 'gate      gate-001: plan-review of orchestrator'
	assert_contains "$output" 'wisp approve gate-001'
	expect 0 wisp list
	assert_contains "$output" 'PLAN 0/1'
	assert_contains "$output" 'gate-001: plan-review'
	wait_until 10 grep -q '"event": "gate"' "$BATS_TEST_TMPDIR/notices"
	expect 0 wisp approve gate-001
	expect 0 wisp resume "$B" --foreground
	assert_contains "$output" 'completed'
	status_says .orchestration.merged 1
	wisp status "$B-one" --json >"$BATS_TEST_TMPDIR/status.json"
	assert_equal "$B" "$(wisp-state get -f "$BATS_TEST_TMPDIR/status.json" .parent)"
	expect 0 wisp watch --once
	assert_contains "$output" "  $B-one"
	expect 100 wisp run "$B"
}

@test "orchestrate: a person at the terminal is asked what kind of project it is" {
	load helper-terminal
	finds one
	finishes one
	local hidden=$PATH
	PATH+=:$(tool_path)
	typed env PATH="$hidden" wisp orchestrate "$BATS_TEST_TMPDIR/shop.md" --agent replay --foreground
	sees '[Y, or g: greenfield, f: brownfield-feature, p: brownfield-polish]' '>'
	expect 0 wisp pause "$B"
	sees 'wisp: paused on request'
	sees_end 15
	typed env PATH="$hidden" wisp orchestrate --agent replay --foreground --resume
	sees 'p: brownfield-polish]' '>'
	press what Enter
	wait_until 20 bash -c '(($(tmux -L "terminal$1" capture-pane -p | grep -c "^Is it greenfield") == 2))' x "$TERMINAL"
	wait_until 20 bash -c '[[ $(tmux -L "terminal$1" capture-pane -p | grep . | tail -n 1) == ">" ]]' x "$TERMINAL"
	press p Enter
	sees_end 0
	state .mode brownfield-polish
}
