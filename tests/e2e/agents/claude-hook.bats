#!/usr/bin/env bats
# The stop hook in the real Claude Code: it keeps the session going until every
# criterion is met, and never runs away.

load ../../helper
load ../../helper-scenario
load ../helper-e2e
load helper-agents

setup()
{
	claude_begin
	wisp hook install >/dev/null
	LOOP_FILE=$PROJECT/.loop/state.json
}

# session: claude in print mode, in the project, with its hooks; 0 is expected.
session()
{
	expect 0 env IS_SANDBOX=1 "$AGENT_CLIS/claude" -p --permission-mode bypassPermissions "go on"
}

at()
{
	wisp-state get -f "$LOOP_FILE" "$1"
}

hook()
{
	bash_tool "wisp hook $1"
}

@test "claude hook: it blocks while a criterion is unmet, and lets go when all are met and the marker is there" {
	wisp hook start 'make it' --criterion 'it is there' --verify 'it is there=test -e made' --criterion tested >/dev/null
	claude_serve "$(says 'I am done.')" "$(bash_tool 'touch made')" "$(says 'Now?')" "$(hook 'met tested')" "$(says 'Done now.')" \
		"$(says $'All of it.\n<loop-complete>')"
	session
	requests 6
	assert_contains "$(request 2)" 'unmet: it is there'
	assert_contains "$(request 4)" 'unmet: tested'
	assert_contains "$(request 6)" 'alone on a line'
	assert_equal completed "$(at .status)"
	[[ $(at .session_id) == *-*-*-*-* ]]
}

@test "claude hook: the session is told of the loop when it starts" {
	wisp hook start 'make it' --criterion 'it is there' --step 'lay the ground' >/dev/null
	claude_serve "$(hook 'met 1')" "$(says '<loop-complete>')"
	session
	assert_contains "$(request 1)" 'A loop is active'
	assert_contains "$(request 1)" 'lay the ground'
	assert_equal completed "$(at .status)"
}

@test "claude hook: three evaluations that change nothing end the session, and pause the loop" {
	wisp hook start 'make it' --criterion 'it is there' >/dev/null
	claude_serve "$(says one)" "$(says two)" "$(says three)" "$(says four)" "$(says five)" "$(says six)"
	session
	requests 4
	assert_equal paused "$(at .status)"
	assert_contains "$(at .pauseReason)" 'changed nothing'
}

@test "claude hook: two sessions in one project: the second is not held" {
	wisp hook start 'make it' --criterion 'it is there' --max-iterations 2 >/dev/null
	claude_serve "$(says one)" "$(says two)" "$(says 'another session')"
	session
	requests 2
	wisp hook resume
	sed 's/"session_id": null/"session_id": "11111111-1111-4111-8111-111111111111"/' "$LOOP_FILE" >new
	mv new "$LOOP_FILE"
	session
	requests 3
	assert_contains "$(request 3)" "Another session's loop is active here"
	assert_equal in_progress "$(at .status)"
}

@test "claude hook: killed in the middle, its loop is announced to the next session and can be taken over" {
	local pid

	wisp hook start 'make it' --criterion 'it is there' >/dev/null
	claude_serve "$(bash_tool "$(stays)")" "$(says 'hello')" "$(hook 'met 1')" "$(says '<loop-complete>')"
	IS_SANDBOX=1 "$AGENT_CLIS/claude" -p --permission-mode bypassPermissions "go on" </dev/null >/dev/null 2>&1 3>&- &
	pid=$!
	wait_until 60 test -s "$TOOL"
	kill -KILL "$pid"
	wait "$pid" || :
	kill -KILL "$(<"$TOOL")"
	session
	assert_contains "$(request 2)" "Another session's loop is active here"
	assert_equal in_progress "$(at .status)"
	wisp hook resume
	session
	assert_equal completed "$(at .status)"
}
