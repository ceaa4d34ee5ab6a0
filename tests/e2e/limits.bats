#!/usr/bin/env bats
# Limits, stuck detection, and sessions that are over before they begin.

load ../helper
load ../helper-scenario
load helper-e2e

setup()
{
	project
}

@test "iterations: 13, cumulative over resumes, and raised on resume" {
	scenario_step default --status CONTINUE
	work 13 1 --max-iterations 2
	session .status paused
	assert_contains "$(wisp-state -C "$DIR" get -f session .pause_reason)" '2 of 2 iterations'
	again 13 --max-iterations 2
	calls 2
	again 13 --max-iterations 3
	calls 3
	scenario_step 4 --pass 1 --status DONE --promise
	again 0 --max-iterations 10
	session .loop_count 4
}

@test "time: 13, and raised on resume" {
	scenario_step 1 --pass 1 --status CONTINUE
	scenario_step 2 --pass 2 --status DONE --promise
	work 13 2 --max-hours 0.000001
	assert_contains "$output" hours
	status_says .left.hours 0
	calls 1
	again 0 --max-hours 1
}

@test "money: 13 with what the steps said they cost, and raised on resume" {
	scenario_step 1 --pass 1 --status CONTINUE --output "$(stream done ok 0.7)"
	scenario_step 2 --pass 2 --status CONTINUE --output "$(stream done ok 0.7)"
	scenario_step 3 --pass 3 --status DONE --output "$(stream done '<promise>COMPLETE</promise>' 0.1)"
	work 13 3 --max-cost 1
	session .totals.cost_usd 1.4
	calls 2
	again 0 --max-cost 2
	session .totals.cost_usd 1.5
}

@test "money: a step that does not say what it cost counts as the dearest so far, or as maxStepCostUsd" {
	scenario_step 1 --pass 1 --status CONTINUE --output "$(stream done ok 0.5)"
	scenario_step 2 --pass 2 --status DONE --promise
	work 0 2
	session .totals.cost_usd 1
	place other
	OPTIONS=(-c limits.maxStepCostUsd=2)
	scenario_step 1 --pass '1 2' --status DONE --promise
	work 0 2
	session .totals.cost_usd 2
}

@test "calls an hour: 14 where it is not waited for" {
	OPTIONS=(-c limits.callsPerHour=1)
	scenario_step 1 --pass 1 --status CONTINUE
	scenario_step 2 --pass 2 --status DONE --promise
	work 14 2 --no-wait
	assert_contains "$output" 'this hour'
	calls 1
	OPTIONS=(-c limits.callsPerHour=1 -c limits.onHourly=pause)
	again 14
	OPTIONS=(-c limits.callsPerHour=5)
	again 0
}

@test "calls an hour: the count and its reset survive a restart" {
	OPTIONS=(-c limits.callsPerHour=2)
	scenario_step default --status CONTINUE
	work 15 2 --once
	again 15 --once
	hour=$(wisp-state -C "$DIR" get -f limits .hourly.next_reset)
	again 14 --no-wait
	assert_contains "$output" '2 of 2 agent starts are used this hour'
	assert_equal "$hour" "$(wisp-state -C "$DIR" get -f limits .hourly.next_reset)"
	calls 2
	expect 0 wisp-limit -C "$DIR" reset
	again 15 --once
	calls 3
}

@test "usage limit: a loop that was killed while it waited waits on, until the same time" {
	scenario_step 1 --output "$(stream limit $(($(date +%s) + 3600)))"
	begin 1
	wait_until 10 grep -q 'waiting: ' "$BATS_TEST_TMPDIR/loop.log"
	until=$(wisp-state -C "$DIR" get -f limits .usage.resume_at)
	kill -KILL "$LOOP"
	wait "$LOOP" 2>/dev/null || :
	LOOP=''
	again 14 --no-wait
	assert_contains "$output" "the usage limit resets at $until"
	calls 1
	session .loop_count 1
}

@test "usage limit: met again and again though its reset has passed, it ends with 14 after maxWaits" {
	OPTIONS=(-c limits.maxWaits=2)
	scenario_step default --output "$(stream limit $(($(date +%s) - 5)))"
	work 14 1
	assert_contains "$output" 'met 3 times in a row'
	calls 3
	again 14
	calls 6
}

@test "money: what a lost step may have cost counts: maxStepCostUsd, and its reservation is settled" {
	OPTIONS=(-c limits.maxStepCostUsd=2)
	scenario_step 1 --effects 'touch ../started; exec sleep 60'
	scenario_step 2 --pass 1 --status DONE --output "$(stream 'done' '<promise>COMPLETE</promise>' 0.5)"
	begin 1 --max-cost 2.2
	wait_until 10 test -e "$PROJECT/.wisp/worktrees/started"
	assert_contains "$(wisp status work)" '$2.00 reserved'
	kill -KILL "$LOOP"
	wait "$LOOP" 2>/dev/null || :
	LOOP=''
	again 0
	session .totals.cost_usd 2.5
	assert_equal '{"interrupted":1,"ok":1}' "$(wisp-session summary work --json | "$JQ" -c .iterations.outcomes)"
	assert_lacks "$(wisp status work)" reserved
}

@test "paid extra usage: shown with its time, and with limits.overage=pause 14 after each step on it" {
	extra=$(stream overage true)$'\n'$(claude done)
	scenario_step 1 --pass 1 --status CONTINUE --output "$extra"
	scenario_step 2 --pass 2 --status CONTINUE --output "$extra"
	scenario_step 3 --status CONTINUE --output "$(stream overage false)"$'\n'"$(claude done)"
	scenario_step 4 --pass 3 --status DONE --output "$(stream overage true)"$'\n'"$(claude done '<promise>COMPLETE</promise>')"
	work 15 3 --once
	since=$(wisp-state -C "$DIR" get -f limits .overage.since)
	assert_contains "$output" "1 step on paid extra usage, on it since $since"
	OPTIONS=(-c limits.overage=pause)
	again 14
	calls 2
	assert_contains "$output" 'paid extra usage since'
	assert_contains "$(wisp status work)" '2 steps on paid extra usage, on it since'
	status_says .overage.steps 2
	expect 1 wisp-limit -C "$DIR" check
	assert_contains "$output" limit=overage
	again 15 --once
	assert_lacks "$output" 'on it since'
	again 0
	status_says .overage.steps 3
}

@test "a loop that waits for a limit can be paused and ended by a signal" {
	scenario_step 1 --output "$(stream limit $(($(date +%s) + 3600)))"
	begin 1
	wait_until 10 grep -q 'waiting: ' "$BATS_TEST_TMPDIR/loop.log"
	session .status paused
	expect 0 wisp pause work
	ends 15
	calls 1
	background wisp resume work
	wait_until 10 grep -q 'waiting: ' "$BATS_TEST_TMPDIR/loop.log"
	kill -HUP "$LOOP"
	ends 129
	session .status paused
}

# --- stuck ------------------------------------------------------------------

@test "stuck: no progress, at the number that is configured" {
	OPTIONS=(-c stuck.noProgress=2)
	scenario_step default --status CONTINUE
	work 12 1
	calls 2
	assert_contains "$(prompt 0002)" 'Iteration 2'
}

@test "stuck: a task that passes begins the count anew; an answer is an intervention" {
	scenario_step default --status CONTINUE
	scenario_step 2 --pass 1 --status CONTINUE
	scenario_step 4 --status NEEDS_INPUT --question 'And now?'
	work 10 2
	wisp answer 'go on'
	again 12
	calls 7
}

@test "stuck: the same files again and again: a warning in the prompt, then the end" {
	OPTIONS=(-c stuck.noProgress=100 -c commit.fallback=false)
	scenario_step default --effects 'echo x >>same' --status CONTINUE
	work 12 1
	assert_contains "$output" sameFiles
	calls 5
	assert_contains "$(prompt 0004)" 'changed only same'
	assert_lacks "$(prompt 0003)" 'changed only same'
	assert_contains "$(prompt 0003)" 'circuit breaker is half open'
}

@test "stuck: similar errors, though numbers and paths differ" {
	OPTIONS=(-c stuck.noProgress=100 -c verify.command='n=$(cat ../n 2>/dev/null || echo 0); echo $((n + 1)) >../n; echo "error at /tmp/$n/x line $n"; false')
	scenario_step default --pass 1 --status CONTINUE
	work 12 1
	assert_contains "$output" similarErrors
	calls 5
}

@test "stuck: a tree that returns" {
	OPTIONS=(-c stuck.noProgress=100)
	scenario_step default --effects 'if test -e flag; then rm flag; else touch flag; fi; echo $WISP_ITERATION' --status CONTINUE
	work 12 1
	assert_contains "$output" returningTree
	calls 4
}

@test "stuck: DONE refused for the same reason" {
	OPTIONS=(-c stuck.noProgress=100)
	scenario_step default --status DONE --promise
	work 12 1
	assert_contains "$output" falseDone
	calls 3
}

@test "stuck: failed steps and interruptions are told apart from it" {
	scenario_step 1 --status CONTINUE
	scenario_step 2 --exit 1
	scenario_step 3 --pass 1 --status DONE --promise
	work 0 1
}

# --- completed at the start -------------------------------------------------

passing()
{
	sed 's/false/true/' <(scenario_tasks 2) >passing.json
}

@test "every task passes at the start, nothing to verify with: completed, no call" {
	passing
	expect 0 wisp run work --agent replay --tasks passing.json
	calls 0
	session .status completed
	session .loop_count 0
}

@test "every task passes at the start, and verify holds: completed, no call" {
	passing
	OPTIONS=(-c verify.command='test -e README')
	expect 0 wisp "${OPTIONS[@]}" run work --agent replay --tasks passing.json
	calls 0
	session .status completed
}

@test "every task passes at the start, but verify fails: the agent is called, and told" {
	passing
	OPTIONS=(-c verify.command='echo "no such thing"; test -e fixed')
	scenario_step 1 --effects 'touch fixed' --status DONE --promise
	expect 0 wisp "${OPTIONS[@]}" run work --agent replay --tasks passing.json
	calls 1
	assert_contains "$(prompt 0001)" 'every task passes, but the verify command fails'
}

@test "completed at the start comes before the limits" {
	passing
	expect 0 wisp -c limits.callsPerHour=1 run work --agent replay --tasks passing.json --no-wait --max-iterations 1
	calls 0
}

@test "completed is final: run and resume say so; open tasks begin another session in the same folder" {
	scenario_step 1 --pass 1 --status DONE --promise
	work 0 1
	id=$(wisp-state -C "$DIR" get -f session .session_id)
	expect 0 wisp run work
	again 0
	calls 1
	session .session_id "$id"
	wisp tasks add --category docs more
	scenario_step 2 --pass 2 --status DONE --promise
	expect 0 wisp run work
	calls 2
	session .loop_count 1
	[[ $(wisp-state -C "$DIR" get -f session .session_id) != "$id" ]]
	assert_equal completed "$(wisp-state -C "$DIR" get -f "$DIR/past/$id.json" .status)"
}

# --- the end of a process ---------------------------------------------------

@test "signals: INT, TERM and HUP save the state, end what the step started, and are 130, 143, 129" {
	scenario_step default --effects 'setsid sleep 1000 & echo $! >../sleeper.$WISP_ITERATION; trap "" TERM; touch "../started.$WISP_ITERATION"; while :; do sleep 0.05; done'
	OPTIONS=(-c step.grace=100ms)
	begin 1
	wait_until 10 test -e "$PROJECT/.wisp/worktrees/started.1"
	kill -INT "$LOOP"
	ends 130
	session .status paused
	session .pause_reason 'user interrupt (signal 2)'
	status_says .exit 130
	n=1
	for signal in TERM:143 HUP:129; do
		n=$((n + 1))
		background wisp "${OPTIONS[@]}" resume work
		wait_until 10 test -e "$PROJECT/.wisp/worktrees/started.$n"
		kill "-${signal%:*}" "$LOOP"
		ends "${signal#*:}"
		session .pause_reason "graceful shutdown (signal $((${signal#*:} - 128)))"
	done
	for pid in "$PROJECT"/.wisp/worktrees/sleeper.*; do
		step_gone "$(<"$pid")" || fail "a process outlived its step"
	done
	session .owner null
}

@test "killed: the next resume goes on from the last good iteration; the number counts, the work is put away" {
	scenario_step 1 --effects 'echo good >good' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'echo junk >litter; echo $$ >../pid; touch ../started; exec sleep 60'
	scenario_step 3 --effects 'test ! -e litter && test -e good' --pass 2 --status DONE --promise
	begin 2
	wait_until 10 test -e "$PROJECT/.wisp/worktrees/started"
	kill -KILL "$LOOP"
	wait "$LOOP" 2>/dev/null || :
	LOOP=''
	wait_until 10 step_gone "$(<"$PROJECT/.wisp/worktrees/pid")"
	status_says .alive false
	again 0
	session .loop_count 3
	entry 1 .outcome interrupted
	assert_equal junk "$(git show "$(failed_ref 2):litter")"
	assert_contains "$(prompt 0003)" 'A step was lost together with its controller'
}

@test "owned: a second loop is refused with 17, and names the first" {
	scenario_step 1 --effects 'touch ../started; until test -e ../go; do sleep 0.02; done' --pass 1 --status DONE --promise
	begin 1
	wait_until 10 test -e "$PROJECT/.wisp/worktrees/started"
	again 17
	assert_contains "$output" "$LOOP"
	expect 17 wisp rollback work 0
	expect 17 wisp rm work --force
	touch "$PROJECT/.wisp/worktrees/go"
	ends 0
	calls 1
}

# --- requests and records ---------------------------------------------------

@test "signals: a second INT ends the step at once, whatever grace it has" {
	OPTIONS=(-c step.grace=1000s)
	scenario_step 1 --effects 'trap "" TERM; touch ../started; while :; do sleep 0.05; done'
	begin 1
	wait_until 10 test -e "$PROJECT/.wisp/worktrees/started"
	kill -INT "$LOOP"
	wait_until 10 grep -q 'ending the step' "$BATS_TEST_TMPDIR/loop.log"
	kill -INT "$LOOP"
	wait_until 10 gone "$LOOP"
	ends 130
}

@test "requests: a pause meant for an earlier owner is dropped, a task waits until it is applied" {
	scenario_step 1 --effects 'touch ../started; exec sleep 60'
	scenario_step 2 --pass '1 2' --status DONE --promise
	begin 1
	wait_until 10 test -e "$PROJECT/.wisp/worktrees/started"
	expect 0 wisp pause work
	expect 0 wisp tasks add --category docs more
	kill -KILL "$LOOP"
	wait "$LOOP" 2>/dev/null || :
	LOOP=''
	again 0
	assert_contains "$(prompt 0002)" '2 of 2 tasks are open'
	passes 1 2
}

@test "the record is missing: it is made again from the published files, and said so" {
	scenario_step 1 --effects 'echo x >x' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'echo junk >litter' --exit 1
	scenario_step 3 --effects 'test -e x && test ! -e litter' --pass 2 --status DONE --promise
	work 15 2 --once
	rm -rf "$WISP_HOME"
	again 0
	assert_contains "$output" 'there was no record of work here'
	session .loop_count 3
	assert_equal 3 "$(wisp-state -C "$DIR" query -f history length)"
	passes 1 2
}

@test "the repository was moved: it goes on there" {
	scenario_step 1 --effects 'echo x >x' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'test -e x; echo y >y' --pass 2 --status DONE --promise
	work 15 2 --once
	cd ..
	mv project moved
	cd moved
	PROJECT=$PWD
	place work
	again 0
	in_tree y y
	assert_equal y "$(git show work:y)"
	session .loop_count 2
}

@test "completed at start: a signal in that verify is no answer, and resume asks again without a call" {
	OPTIONS=(-c verify.command='touch ../verifying; test ! -e ../block || exec sleep 60')
	mkdir -p "$PROJECT/.wisp/worktrees"
	touch "$PROJECT/.wisp/worktrees/block"
	scenario_step default --status CONTINUE
	scenario_tasks 1 | sed 's/false/true/' >tasks.json
	background wisp "${OPTIONS[@]}" run work --agent replay --tasks tasks.json
	wait_until 10 test -e "$PROJECT/.wisp/worktrees/verifying"
	kill -TERM "$LOOP"
	ends 143
	rm "$PROJECT/.wisp/worktrees/block"
	again 0
	calls 0
}
