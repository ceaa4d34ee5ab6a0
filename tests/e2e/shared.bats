#!/usr/bin/env bats
# What sessions of different projects share: the usage limit of their login, and the money of a day.
# The rules are unit/shared.c.

load ../helper
load ../helper-scenario
load helper-e2e

setup()
{
	unconfined
	project first
	FIRST=$DIR
}

# second: another project, with a scenario and a session of its own.
second()
{
	cd ..
	make_repo second
	cd second
	PROJECT=$PWD
	place work
	scenario_new "$BATS_TEST_TMPDIR/second-scenario"
}

@test "usage limit: what one session met holds for all of the login, until a person forgets it" {
	scenario_step 1 --output "$(stream limit $(($(date +%s) + 3600)))"
	work 14 1 --no-wait
	second
	scenario_step 1 --pass 1 --status DONE --promise
	work 14 1 --no-wait
	assert_contains "$output" 'login replay-'
	assert_contains "$output" 'the usage limit resets at '
	calls 0
	assert_contains "$(wisp status work)" 'usage limit of this login: until'
	assert_contains "$(wisp list)" 'usage limit of this login until'
	expect 1 wisp-limit -C "$DIR" check
	OPTIONS=(-c agent.replay.env=HOME="$BATS_TEST_TMPDIR/else")
	place other
	work 0 1
	OPTIONS=()
	expect 0 wisp-limit -C "$FIRST" reset
	place work
	again 0
}

@test "usage limit: after its reset one session tries, and another one waits for what comes of it" {
	scenario_step 1 --output "$(stream limit $(($(date +%s) - 5)))"
	scenario_step 2 --effects 'touch ../started; until test -e ../go; do sleep 0.02; done' --pass 1 --status DONE --promise
	begin 1
	loop=$LOOP LOOP='' first=$PROJECT/.wisp/worktrees
	wait_until 10 test -e "$first/started"
	mv "$BATS_TEST_TMPDIR/loop.log" first.log
	second
	scenario_step 1 --pass 1 --status DONE --promise
	begin 1
	wait_until 10 grep -q 'another session tries first' "$BATS_TEST_TMPDIR/loop.log"
	assert_contains "$(wisp status work)" 'another session of this login, which tries first'
	assert_contains "$(wisp list)" 'waits for another session of this login'
	status_says .waiting.for login
	calls 0
	touch "$first/go"
	wait "$loop"
	ends 0
	assert_equal 1 "$(grep -c 'another session tries first' "$BATS_TEST_TMPDIR/loop.log")"
}

@test "money of a day: counted over all sessions, 13 once it is spent, and shown" {
	OPTIONS=(-c limits.maxCostPerDayUsd=1)
	scenario_step 1 --pass 1 --status CONTINUE --output "$(stream done ok 0.7)"
	work 15 2 --once
	assert_contains "$output" '$0.70 of $1 today, by all sessions'
	second
	OPTIONS=()
	scenario_step default --pass 1 --status CONTINUE --output "$(stream done ok 0.4)"
	work 15 2 --once
	assert_lacks "$output" today
	OPTIONS=(-c limits.maxCostPerDayUsd=1)
	again 13
	assert_contains "$output" 'all sessions today (limits.maxCostPerDayUsd): 1.10 of 1 USD are spent'
	calls 1
	status_says .today.cost_usd 1.1
	WISP_NOW=$((($(date +%s) + 172800) * 1000)) expect 0 wisp-limit -C "$DIR" check
	expect 0 wisp rm work --force
	cd ../first
	PROJECT=$PWD
	place work
	WISP_REPLAY=$BATS_TEST_TMPDIR/scenario
	again 13
	calls 1
	printf '{' >"$WISP_HOME/shared.json"
	again 102
	assert_contains "$output" 'shared.json:1:2: unexpected end of JSON: what was spent today is not known; remove it'
	rm "$WISP_HOME/shared.json"
	again 15 --once
	calls 2
}

@test "where nothing is spent or met nothing is written again" {
	scenario_step default --status CONTINUE
	work 15 1 --once
	cp "$WISP_HOME/shared.json" before
	again 15 --once
	cmp before "$WISP_HOME/shared.json"
}
