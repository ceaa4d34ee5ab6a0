#!/usr/bin/env bats
# Whole sessions with the real Claude Code.

load ../../helper
load ../../helper-scenario
load ../helper-e2e
load helper-agents

setup()
{
	claude_begin
	work_replies
}

teardown()
{
	agents_end
	if [[ -n $LOOP ]]; then
		kill -KILL "$LOOP" 2>/dev/null || :
	fi
	helper_teardown
}

@test "claude: a session: it reads the prompt, works with its tools, commits, claims, and is believed" {
	claude_serve "${REPLIES[@]}"
	work 0 1 --agent claude
	requests 5
	passes 1
	in_tree login.c 'int login;'
	assert_equal 'add login' "$(git -C "$TREE" log -1 --format=%s)"
	session .status completed

	assert_contains "$(request 1)" 'task 1'
	assert_contains "$(request 1)" 'From the controller'
	assert_contains "$(request 1)" 'a controller, runs you again and again'
	assert_contains "$(request 2)" '\"description\": \"task 1\"'

	step 0001 .outcome ok
	step 0001 .format claude
	step 0001 .agent_version 2.1.197
	step 0001 .exit_code 0
	step 0001 .promise true
	step 0001 .turns 5
	step 0001 .tools.Bash 2
	step 0001 .tools.Write 2
	step 0001 .tokens.output 100
	step 0001 .unknown_events 0
	step 0001 .survivors_killed 0
	step 0001 .bad_lines 0
	assert_lacks "$(wisp-state get -f "$DIR/steps/0001/step.json" .cost_usd)" null
}

@test "claude: a question ends the loop, its answer is in the next prompt" {
	claude_serve "$(state '{"status": "NEEDS_INPUT", "summary": "s", "question": "Which port?"}')" "$(says 'I asked.')" "${REPLIES[@]}"
	work 10 1 --agent claude
	assert_contains "$output" 'Which port?'
	requests 2
	expect 0 wisp answer 'port 8080'
	again 0
	assert_contains "$(request 3)" 'Which port?'
	assert_contains "$(request 3)" 'port 8080'
	passes 1
}

@test "claude: a usage limit of a subscriber is waited for until it resets, and costs no iteration" {
	unset ANTHROPIC_API_KEY
	export CLAUDE_CODE_OAUTH_TOKEN=sk-ant-oat01-invented
	claude_serve "$(fault '"limit": {"kind": "five_hour", "in": 6}')" "${REPLIES[@]}"
	work 0 1 --agent claude --wait
	assert_contains "$output" 'waiting: '
	passes 1
	requests 6
	step 0001 .outcome limit
	step 0001 .limit.kind five_hour
	step 0001 .api_status 429
	session .loop_count 1
}

@test "claude: with --no-wait a usage limit ends the loop with 14, and it goes on after the reset" {
	unset ANTHROPIC_API_KEY
	export CLAUDE_CODE_OAUTH_TOKEN=sk-ant-oat01-invented
	claude_serve "$(fault '"limit": {"kind": "seven_day", "in": 6}')" "${REPLIES[@]}"
	work 14 1 --agent claude --no-wait
	step 0001 .limit.kind seven_day
	again 0 --wait
	passes 1
}

@test "claude: killed in the middle of a tool it leaves no process, and the next run goes on" {
	claude_serve "$(bash_tool "echo \$\$ >$BATS_TEST_TMPDIR/tool && exec sleep 600")" "${REPLIES[@]}"
	begin 1 --agent claude
	wait_until 60 test -s "$BATS_TEST_TMPDIR/tool"
	local tool
	tool=$(<"$BATS_TEST_TMPDIR/tool")
	run -1 gone "$tool"
	run -1 no_agent
	kill -KILL "$LOOP"
	wait "$LOOP" || :
	LOOP=''
	wait_until 20 gone "$tool"
	wait_until 20 no_agent
	again 0
	passes 1
	in_tree login.c 'int login;'
}

@test "claude: TERM in the middle of a tool ends it in good order, as interrupted" {
	claude_serve "$(bash_tool "echo \$\$ >$BATS_TEST_TMPDIR/tool && exec sleep 600")" "${REPLIES[@]}"
	begin 1 --agent claude
	wait_until 60 test -s "$BATS_TEST_TMPDIR/tool"
	kill -TERM "$LOOP"
	ends 143
	gone "$(<"$BATS_TEST_TMPDIR/tool")"
	no_agent
	step 0001 .outcome interrupted
	again 0
	passes 1
}

@test "claude: what it left running in the background is ended with the step" {
	REPLIES[0]=$(bash_tool "setsid sh -c 'echo \$\$ >$BATS_TEST_TMPDIR/daemon; exec sleep 600' >/dev/null 2>&1 </dev/null & until test -s $BATS_TEST_TMPDIR/daemon; do :; done")
	claude_serve "${REPLIES[@]}"
	work 0 1 --agent claude
	gone "$(<"$BATS_TEST_TMPDIR/daemon")"
	[[ $(wisp-state get -f "$DIR/steps/0001/step.json" .survivors_killed) -ge 1 ]]
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

@test "claude: what it retries by itself is no matter for the loop: 429 with retry-after, 500, a stream that breaks or is malformed" {
	claude_serve \
		"$(fault '"status": 429, "headers": {"retry-after": "1"}')" "${REPLIES[0]}" \
		"$(fault '"status": 500')" "${REPLIES[1]}" \
		"$(fault '"text": "I will", "fault": "drop"')" "${REPLIES[2]}" \
		"$(fault '"text": "I will", "fault": "malformed"')" "${REPLIES[3]}" \
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

@test "claude: 429 without any header is a limit of unknown end" {
	claude_serve "$(fault '"status": 429')"
	work 14 1 --agent claude --no-wait
	step 0001 .outcome limit
	step 0001 .limit.kind requests
	step 0001 .limit.resets_at null
}

@test "claude: a service that never answers, or stops in the middle, is cut off by the idle limit" {
	OPTIONS+=(-c step.idleTimeout=4s)
	claude_serve "$(fault '"fault": "hang"')" "$(fault '"text": "I", "fault": "stall"')" "${REPLIES[@]}"
	work 16 1 --agent claude
	step 0001 .outcome idle
	step 0002 .outcome idle
	OPTIONS=()
	again 0
	passes 1
}

@test "claude: the denials hold, though it may do all else" {
	mkdir -p "$HOME/.ssh"
	echo key >"$HOME/.ssh/id"
	local denied=("$(bash_tool 'git push origin work')" "$(bash_tool 'git add -A; git push')" "$(bash_tool 'cat ~/.ssh/id')"
		"$(calls_tool Read "{\"file_path\": \"$HOME/.ssh/id\"}")"
		"$(calls_tool Write "{\"file_path\": \"$TREE/.wisp/config\", \"content\": \"x\"}")"
		"$(calls_tool Write "{\"file_path\": \"$PROJECT/.git/hooks/post-commit\", \"content\": \"x\"}")"
		"$(calls_tool Write "{\"file_path\": \"$TREE/.claude/settings.json\", \"content\": \"{}\"}")")

	claude_serve "${denied[@]}" "${REPLIES[@]}"
	work 0 1 --agent claude
	passes 1
	[[ ! -e $PROJECT/.git/hooks/post-commit && ! -e $TREE/.claude && ! -e $TREE/.wisp/config ]]
	local n
	for n in 2 3 4 5 6 7 8; do
		assert_contains "$(request "$n")" denied
	done
	assert_lacks "$(request 12)" '"key\n"'
	assert_equal 'Bash: git push origin work' "$(wisp-state get -f "$DIR/steps/0001/step.json" '.denials[0]')"
}

@test "claude: with permissions by rules and none given, a step that may do nothing is refused" {
	OPTIONS+=(-c agent.claude.permissions=rules)
	claude_serve "$(bash_tool 'touch x')" "$(says 'I may not.')"
	work 16 1 --agent claude
	step 0001 .outcome refused
}

@test "claude: a prompt that begins with / is no command" {
	mkdir -p .wisp/templates/own
	cp -R "$ROOT/templates/default/." .wisp/templates/own/
	{ echo '/compact'; cat "$ROOT/templates/default/iterate.md"; } >.wisp/templates/own/iterate.md
	claude_serve "${REPLIES[@]}"
	work 0 1 --agent claude --template own --trust
	assert_contains "$(request 1)" '/compact'
	step 0001 .turns 5
}
