#!/usr/bin/env bats
# Whole sessions with the real Claude Code: it works, asks, is cut off and killed.

load ../../helper
load ../../helper-scenario
load ../helper-e2e
load helper-agents

setup()
{
	claude_begin
	work_replies
}

@test "claude: a session: it reads the prompt, works with its tools, commits, claims, and is believed" {
	OPTIONS+=(-c sandbox=auto)
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
	step 0001 .agent_version "$(sed -n 's/^claude //p' "$AGENT_CLIS/../versions")"
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

# The session's folder is elsewhere there, and git's cannot be written: wisp commits.
@test "claude: a session in landlock: it works, claims, and is believed" {
	OPTIONS+=(-c sandbox=landlock)
	claude_serve "${REPLIES[1]}" "$(bash_tool "$PASS")" "$(bash_tool "echo '$DONE' >\"\$WISP_STATE_FILE\"")" \
		"$(says "$PROMISE")"
	work 0 1 --agent claude
	passes 1
	in_tree login.c 'int login;'
	step 0001 .sandbox landlock
	step 0001 .outcome ok
	step 0001 .survivors_killed 0
}

@test "claude: a session of two steps: each with a fresh context, each judged by the verify command" {
	OPTIONS+=(-c 'verify.command=test -e one.c')
	claude_serve "$(bash_tool 'echo secret of the first step')" \
		"$(bash_tool 'echo "int one;" >one.c && git add -A && git commit -q -m "add one"')" \
		"$(bash_tool "$PASS_FIRST")" "$(state '{"status": "CONTINUE", "summary": "one is there"}')" "$(says 'One of two.')" \
		"${REPLIES[@]}"
	work 0 2 --agent claude
	requests 10
	passes 1 2
	session .loop_count 2
	entry 0 .verify passed
	entry 1 .verify passed
	assert_contains "$(request 6)" 'one is there'
	assert_lacks "$(request 6)" 'secret of the first step'
	assert_equal $'add login\nadd one' "$(git -C "$TREE" log -2 --format=%s)"
}

# A server that the model leaves running holds no step: the switch of the agent's own refuses it.
@test "claude: nothing is left in the background, and no step waits for it" {
	claude_serve "$(calls_tool Bash '{"command": "sleep 1000", "run_in_background": true}')" "${REPLIES[@]}"
	work 0 1 --agent claude
	passes 1
	step 0001 .outcome ok
	step 0001 .promise true
	requests 6
}

@test "claude: with background tasks a step ends step.linger after its result" {
	OPTIONS+=(-c step.linger=1s -c agent.claude.env=CLAUDE_CODE_DISABLE_BACKGROUND_TASKS=0)
	claude_serve "$(calls_tool Bash '{"command": "sleep 1000", "run_in_background": true}')" "${REPLIES[@]}"
	work 0 1 --agent claude
	passes 1
	step 0001 .outcome ok
	step 0001 .promise true
	assert_contains "$(wisp-state get -f "$DIR/steps/0001/step.json" .reason)" 'wisp ended it 1s after its final event'
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

@test "claude: cut off by a subscriber's limit in the middle of its work, it goes on with that work after the reset" {
	unset ANTHROPIC_API_KEY
	export CLAUDE_CODE_OAUTH_TOKEN=sk-ant-oat01-invented
	claude_serve "${REPLIES[1]}" "$(fault '"limit": {"kind": "five_hour", "in": 6}')" \
		"$(bash_tool 'cat login.c')" "${REPLIES[@]:2}"
	work 0 1 --agent claude --wait
	assert_contains "$output" 'waiting: '
	passes 1
	requests 6
	assert_contains "$(request 3)" 'login.c'
	assert_lacks "$(request 3)" 'int login;'
	assert_contains "$(request 4)" 'int login;'
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

@test "claude: the loop is killed in the middle of a tool: no process is left, and the next run goes on" {
	claude_serve "$(bash_tool "$(stays)")" "${REPLIES[@]}"
	in_a_tool --agent claude
	kill -KILL "$LOOP"
	wait "$LOOP" || :
	LOOP=''
	wait_until 20 step_gone "$(<"$TOOL")"
	wait_until 20 no_agent
	again 0
	passes 1
	in_tree login.c 'int login;'
}

@test "claude: it is killed itself in the middle of a tool: no process is left, and the loop goes on" {
	OPTIONS+=(-c sandbox=landlock) # with bwrap it is the kernel that ends the rest
	claude_serve "$(bash_tool "touch litter; $(stays)")" "${REPLIES[@]}"
	in_a_tool --agent claude
	kill -KILL "$(the_agent)"
	ends 0
	step_gone "$(<"$TOOL")"
	no_agent
	step 0001 .outcome crashed
	step 0001 .signal KILL
	[[ $(wisp-state get -f "$DIR/steps/0001/step.json" .survivors_killed) -ge 1 ]]
	absent litter
	passes 1
}

@test "claude: TERM in the middle of a tool ends it in good order, as interrupted" {
	claude_serve "$(bash_tool "$(stays)")" "${REPLIES[@]}"
	in_a_tool --agent claude
	kill -TERM "$LOOP"
	ends 143
	step_gone "$(<"$TOOL")"
	no_agent
	step 0001 .outcome interrupted
	again 0
	passes 1
}

@test "claude: what it left running in the background is ended with the step" {
	REPLIES[0]=$(bash_tool "setsid sh -c 'echo \$\$ >$TOOL; exec sleep 600' >/dev/null 2>&1 </dev/null & until test -s $TOOL; do :; done")
	claude_serve "${REPLIES[@]}"
	work 0 1 --agent claude
	step_gone "$(<"$TOOL")"
	[[ $(wisp-state get -f "$DIR/steps/0001/step.json" .survivors_killed) -ge 1 ]]
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
