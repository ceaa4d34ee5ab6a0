#!/usr/bin/env bats
# The real Claude Code, and a service that fails in every way there is.

load ../../helper
load ../../helper-scenario
load ../helper-e2e
load helper-agents

setup()
{
	claude_begin
	work_replies
}

@test "claude: a key that is refused ends the loop with 16 at the first retry" {
	unset CLAUDE_CODE_MAX_RETRIES # ten, and three minutes, if it were left alone
	claude_serve "$(fault '"status": 401')"
	work 16 1 --agent claude
	step 0001 .outcome auth
	requests 1
}

@test "claude: without any login it is not started, and nothing is made" {
	unset ANTHROPIC_API_KEY
	claude_serve "${REPLIES[@]}"
	work 16 1 --agent claude
	assert_contains "$output" "the agent 'claude' cannot run: not logged in: "
	[[ ! -e $DIR ]] || fail 'a session was made'
	[[ ! -e $SERVICE/1.json ]] || fail 'a request was made'
}

@test "claude: what it retries by itself is no matter for the loop: 429 with retry-after, 500, a stream that breaks, is malformed or tells of an error" {
	claude_serve \
		"$(fault '"status": 429, "headers": {"retry-after": "1"}')" "${REPLIES[0]}" \
		"$(fault '"status": 500')" "${REPLIES[1]}" \
		"$(fault '"text": "I will", "fault": "drop"')" "${REPLIES[2]}" \
		"$(fault '"text": "I will", "fault": "malformed"')" "${REPLIES[3]}" \
		"$(fault '"text": "I will", "fault": "error"')" "$(bash_tool 'true')" \
		"$(fault '"text": "I will", "fault": "cut"')" "${REPLIES[4]}"
	work 0 1 --agent claude
	passes 1
	step 0001 .outcome ok
	session .loop_count 1
}

@test "claude: an overload beyond its retries is transient: the loop tries again" {
	claude_serve "$(fault '"status": 529, "times": 3')" "${REPLIES[@]}"
	work 0 1 --agent claude
	step 0001 .outcome transient
	step 0002 .outcome ok
	passes 1
}

@test "claude: so is a service that breaks every connection, and one that only fails" {
	claude_serve "$(fault '"fault": "refuse", "times": 3')" "$(fault '"status": 500, "times": 3')" "${REPLIES[@]}"
	work 16 1 --agent claude
	step 0001 .outcome transient
	step 0002 .outcome transient
	step 0002 .api_status 500
	session .status paused
	again 0
	passes 1
}

@test "claude: 429 without any header is a limit of unknown end, after its retries" {
	claude_serve "$(fault '"status": 429')"
	work 14 1 --agent claude --no-wait
	step 0001 .outcome limit
	step 0001 .limit.kind requests
	step 0001 .limit.resets_at null
	step 0001 .retries 2
	requests 3
}

@test "claude: so is 429 that says to wait for an hour, at once" {
	claude_serve "$(fault '"status": 429, "headers": {"retry-after": "3600"}')"
	work 14 1 --agent claude --no-wait
	step 0001 .outcome limit
	step 0001 .limit.kind requests
	requests 1
}

@test "claude: a service that never answers, or stops in the middle, is cut off by the idle limit" {
	OPTIONS+=(-c step.idleTimeout=8s)
	claude_serve "$(fault '"fault": "hang"')" "$(fault '"text": "I", "fault": "stall"')" "${REPLIES[@]}"
	work 16 1 --agent claude
	step 0001 .outcome idle
	step 0002 .outcome idle
	OPTIONS=(-c retry.delay=50ms -c step.idleTimeout=30s) # one that was cut off before it asked has left its reply
	again 0
	passes 1
}
