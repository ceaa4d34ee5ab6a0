#!/usr/bin/env bats
# Sessions with the real Codex.

load ../../helper
load ../../helper-scenario
load ../helper-e2e
load helper-agents

setup()
{
	agents_begin
	# A good step, after which it is believed.
	WORK=(
		"$(exec_command 'echo "int login;" >login.c')"
		"$(exec_command "$COMMIT && $PASS")"
		"$(exec_command "echo '$DONE' >\"\$WISP_STATE_FILE\"")"
		"$(says "$PROMISE")"
	)
}

codex_serve()
{
	serve "$@"
	mkdir -p "$HOME/.codex"
	cat >"$HOME/.codex/config.toml" <<-END
		model_provider = "invented"
		model = "invented"

		[model_providers.invented]
		name = "invented"
		base_url = "http://127.0.0.1:$PORT/v1"
		env_key = "OPENAI_API_KEY"
		wire_api = "responses"
		request_max_retries = 1
		stream_max_retries = 1
	END
	export OPENAI_API_KEY=sk-invented
}

exec_command()
{
	calls_tool exec_command "{\"cmd\": $(json_text "$1")}"
}

@test "codex: a session: it works, commits, claims, and is believed" {
	OPTIONS+=(-c sandbox=auto)
	codex_serve "${WORK[@]}"
	work 0 1 --agent codex
	requests 4
	believed
	step 0001 .format codex
	step 0001 .tools.command_execution 3
}

# The session's folder is elsewhere there, and git's cannot be written: wisp commits.
@test "codex: a session in landlock: it works, claims, and is believed" {
	OPTIONS+=(-c sandbox=landlock)
	codex_serve "${WORK[0]}" "$(exec_command "$PASS")" "${WORK[2]}" \
		"$(says "$PROMISE")"
	work 0 1 --agent codex
	passes 1
	in_tree login.c 'int login;'
	step 0001 .sandbox landlock
	step 0001 .outcome ok
	step 0001 .survivors_killed 0
}

# Its program brings bubblewrap along, which some systems and containers give no namespace.
@test "codex: in its own sandbox it commits in the session's tree, and writes neither git's configuration nor hooks" {
	codex sandbox -c sandbox_mode=workspace-write -- true || skip 'no sandbox of Codex here'
	OPTIONS+=(-c agent.codex.permissions=workspace-write)
	WORK[0]=$(exec_command "echo 'int login;' >login.c; for f in config hooks/post-commit; do echo >>'$PROJECT/.git/'\$f && echo \$f >>written; done")
	codex_serve "${WORK[@]}"
	# The tests are there, where it lets write as a rule.
	printf '[sandbox_workspace_write]\nexclude_slash_tmp = true\nexclude_tmpdir_env_var = true\n' >>"$HOME/.codex/config.toml"
	work 0 1 --agent codex
	believed
	absent written
}

@test "codex: a question ends the loop, its answer is in the next prompt" {
	codex_serve "$(exec_command "echo '{\"status\": \"NEEDS_INPUT\", \"summary\": \"s\", \"question\": \"Which port?\"}' >\"\$WISP_STATE_FILE\"")" \
		"$(says 'I asked.')" "${WORK[@]}"
	work 10 1 --agent codex
	expect 0 wisp answer 'port 8080'
	again 0
	assert_contains "$(request 3)" 'port 8080'
	passes 1
}

@test "codex: killed in the middle of a tool, with its loop: no process is left, and the next run goes on" {
	codex_serve "$(exec_command "$(stays)")" "${WORK[@]}"
	in_a_tool --agent codex
	kill -KILL "$LOOP"
	wait "$LOOP" || :
	LOOP=''
	wait_until 20 step_gone "$(<"$TOOL")"
	wait_until 20 no_agent
	again 0
	passes 1
}

@test "codex: stopped in the middle of a tool: the tool goes too" {
	codex_serve "$(exec_command "$(stays)")" "${WORK[@]}"
	in_a_tool --agent codex
	kill -TERM "$LOOP"
	ends 143
	step_gone "$(<"$TOOL")"
	no_agent
	step 0001 .outcome interrupted
}

@test "codex: a key that is refused ends the loop with 16" {
	codex_serve "$(fault '"status": 401')"
	work 16 1 --agent codex
	step 0001 .outcome auth
}

@test "codex: a usage limit is told with the time at which it ends" {
	codex_serve "$(fault '"limit": {"kind": "any", "in": 7200}')"
	work 14 1 --agent codex --no-wait
	step 0001 .outcome limit
	step 0001 .limit.kind unknown
	assert_lacks "$(wisp-state get -f "$DIR/steps/0001/step.json" .limit.resets_at)" null
	requests 1
}

@test "codex: so is 429 without a word after its retries, without one" {
	codex_serve "$(fault '"status": 429')"
	work 14 1 --agent codex --no-wait
	step 0001 .outcome limit
	step 0001 .limit.kind requests
	step 0001 .limit.resets_at null
}

@test "codex: a quota that only a person raises ends the loop with 16" {
	codex_serve "$(fault '"status": 429, "kind": "insufficient_quota"')"
	work 16 1 --agent codex
	step 0001 .outcome auth
	step 0001 .auth credit
	requests 1
}

@test "codex: what it retries by itself is no matter for the loop: 429 with retry-after, 500, a stream that breaks or is malformed" {
	codex_serve "$(fault '"status": 429, "headers": {"retry-after": "1"}')" "${WORK[0]}" \
		"$(fault '"status": 500')" "${WORK[1]}" \
		"$(fault '"text": "I will", "fault": "drop"')" "${WORK[2]}" \
		"$(fault '"text": "I will", "fault": "cut"')" \
		"$(fault "\"text\": $(json_text "$PROMISE"), \"fault\": \"malformed\"")"
	work 0 1 --agent codex
	passes 1
	step 0001 .outcome ok
	session .loop_count 1
}

@test "codex: a service that only fails is transient" {
	codex_serve "$(fault '"status": 500')"
	work 16 1 --agent codex
	step 0001 .outcome transient
	session .status paused
}

@test "codex: a service that never answers, or stops in the middle, is cut off by the idle limit" {
	OPTIONS+=(-c step.idleTimeout=8s)
	codex_serve "$(fault '"fault": "hang"')" "$(fault '"text": "I", "fault": "stall"')" "${WORK[@]}"
	work 16 1 --agent codex
	step 0001 .outcome idle
	step 0002 .outcome idle
}
