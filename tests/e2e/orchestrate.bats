#!/usr/bin/env bats
# Orchestrations as a whole, with scripted agents: every branch has a scenario of its own.

load ../helper
load ../helper-scenario
load helper-e2e
load helper-orchestra

setup()
{
	shop
}

teardown()
{
	[[ -z $LOOP ]] || kill -KILL "$LOOP" 2>/dev/null || :
	end_agents
	helper_teardown
}

# asks SYSTEM: its first step asks for a gate.
asks()
{
	works "$1" 1 --state '{"status": "NEEDS_INPUT", "summary": "a page", "question": "Is the page good?",
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
}
