#!/usr/bin/env bats
# wisp-limit: what a session may still spend. The rules are unit/limits.c; here
# it is what the verbs print, change and answer. WISP_NOW is the clock.

load helper

setup()
{
	export WISP_NOW=1768557600000	# 2026-01-16T10:00:00Z
	wisp-state -C s init
}

limit()
{
	wisp-limit -C s "$@"
}

@test "limit: nothing in the way" {
	run -0 --separate-stderr limit check
	assert_output 'limit=none'
	run -0 --separate-stderr limit wait
	assert_output 'limit=none'
	assert_stderr ''
	run -0 limit --json check
	assert_output $'{\n  "limit": "none",\n  "until": null,\n  "reason": null\n}'
}

@test "limit: charge counts the hour, which ends" {
	local i

	run -0 limit charge
	assert_output ''
	run -0 wisp-state -C s query -f limits '.hourly | [.calls_made, .limit, .next_reset]'
	assert_output '[1,100,"2026-01-16T11:00:00+00:00"]'
	wisp-state -C s set -f limits .hourly.calls_made 99
	run -0 limit check
	limit charge
	run -1 limit check
	assert_output $'limit=calls\nuntil=2026-01-16T11:00:00+00:00\nreason=100 of 100 agent starts are used this hour'
	WISP_NOW=$((WISP_NOW + 3600000)) run -0 limit check
	WISP_NOW=$((WISP_NOW + 3600000)) limit charge
	run -0 wisp-state -C s get -f limits .hourly.calls_made
	assert_output 1
}

@test "limit: check changes nothing" {
	cp s/limits.json before
	WISP_NOW=$((WISP_NOW + 7200000)) run -0 limit check
	cmp before s/limits.json
	WISP_ITERATION=1 WISP_SESSION_DIR=$PWD/s run -0 limit check
}

@test "limit: iterations, hours and money are a person's to raise" {
	wisp-state -C s set -f session .loop_count 50
	run -1 limit check
	assert_output $'limit=iterations\nreason=50 of 50 iterations are used'
	run -1 limit wait
	assert_output $'limit=iterations\nreason=50 of 50 iterations are used'
	wisp-state -C s set -f session .loop_count 0
	wisp-state -C s set -f session .totals.seconds 14400
	run -1 limit check
	assert_output $'limit=hours\nreason=4.00 of 4 hours are used'
	wisp-state -C s set -f session .totals.seconds 0
	wisp-state -C s set -f session .totals.cost_usd 20.004
	run -1 limit check
	assert_output $'limit=cost\nreason=20.00 of 20 USD are spent'
}

@test "limit: a usage limit lasts until its reset, or until a person's" {
	wisp-state -C s set -f limits .usage '{"detected": true, "detected_at": "2026-01-16T10:00:00Z",
		"resume_at": "2026-01-16T10:30:00Z", "waiting": true, "kind": "five_hour", "waits": 1}'
	run -1 limit check
	assert_output $'limit=usage\nuntil=2026-01-16T10:30:00+00:00\nreason=the usage limit resets at 2026-01-16T10:30:00+00:00'
	WISP_NOW=$((WISP_NOW + 1800000)) run -0 limit check
	WISP_NOW=$((WISP_NOW + 1800000)) run -0 limit wait
	run -0 limit reset
	run -0 limit check
	run -0 wisp-state -C s query -f limits '[.hourly.calls_made, .usage.detected, .usage.resume_at]'
	assert_output '[0,false,null]'
}

@test "limit: wait goes on when a person resets" {
	local pid

	wisp-state -C s set -f limits .usage '{"detected": true, "resume_at": "2026-01-16T10:30:00Z", "waiting": true, "kind": "quota", "waits": 1}'
	limit wait >out 2>err &
	pid=$!
	wait_until 10 grep -q 'waiting: usage limit (quota) until' err
	kill -0 "$pid"
	limit reset
	wait "$pid"
	assert_equal limit=none "$(<out)"
	assert_equal 'wisp-limit: waiting: usage limit (quota) until 2026-01-16T10:30:00+00:00' "$(<err)"
}

@test "limit: a reset too far away is not waited for" {
	wisp-state -C s set -f limits .usage '{"detected": true, "resume_at": "2026-03-16T10:30:00Z", "waiting": true, "kind": "quota", "waits": 1}'
	run -1 limit wait
	assert_contains "$output" 'limit=usage'
	assert_contains "$output" 'the usage limit resets only at 2026-03-16'
}

@test "limit: only a person charges and resets" {
	export WISP_ITERATION=1 WISP_SESSION_DIR=$PWD/s
	run -100 --separate-stderr limit charge
	assert_stderr 'wisp-limit: charging a call is not possible from inside a step'
	run -100 limit reset
}

@test "limit: a limits.json alone will do, or a loop state without one" {
	mkdir alone
	printf '{"hourly": {"calls_made": 5, "limit": 5, "next_reset": "2026-01-16T10:30:00Z"}, "usage": {"detected": false, "detected_at": null, "resume_at": null, "waiting": false}}\n' >alone/limits.json
	run -1 wisp-limit -C alone check
	assert_output $'limit=calls\nuntil=2026-01-16T10:30:00+00:00\nreason=5 of 5 agent starts are used this hour'
	export WISP_NOW=$((WISP_NOW + 30 * 60000))
	run -0 wisp-limit -C alone check
	assert_output 'limit=none'
	run -0 wisp-limit -C alone charge
	assert_contains "$(<alone/limits.json)" '"calls_made": 1'
	assert_contains "$(<alone/limits.json)" '"limit": 5'
	run -0 wisp-limit -C alone reset
	assert_contains "$(<alone/limits.json)" '"calls_made": 0'
	run -0 ls alone
	assert_output 'limits.json'
	printf '{"hourly": []}' >alone/limits.json
	run -102 --separate-stderr wisp-limit -C alone charge
	assert_stderr "wisp-limit: $PWD/alone/limits.json:1:12: limits.hourly: expected an object, not an array"
	mkdir loop
	printf '%s\n' '{"session_id": "a1b2c3d4-e5f6-4890-abcd-ef1234567890", "prp_file": "x.md", "started_at": "2026-01-16T10:00:00Z",' \
		'"current_phase": "RED", "current_iteration": 0, "status": "running"}' >loop/loop-state.json
	run -0 wisp-limit -C loop charge
	assert_contains "$(<loop/limits.json)" '"calls_made": 1'
}

@test "limit: bad files and calls" {
	run -100 wisp-limit
	run -100 limit raise
	run -100 limit check now
	mkdir empty
	run -102 --separate-stderr wisp-limit -C empty check
	assert_stderr "wisp-limit: no session in '$PWD/empty' (wisp-state init makes one there)"
	printf '{"hourly": []}' >s/limits.json
	run -102 --separate-stderr limit check
	assert_stderr "wisp-limit: $PWD/s/limits.json:1:12: limits.hourly: expected an object, not an array"
	rm s/limits.json
	mkfifo s/limits.json
	run -102 limit check
}
