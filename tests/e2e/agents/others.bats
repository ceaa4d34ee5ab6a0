#!/usr/bin/env bats
# Sessions with the real Codex and the real Gemini CLI.

load ../../helper
load ../../helper-scenario
load ../helper-e2e
load helper-agents

setup()
{
	agents_begin
}

teardown()
{
	agents_end
	helper_teardown
}

codex_serve()
{
	serve "$@"
	mkdir "$HOME/.codex"
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

gemini_serve()
{
	serve "$@"
	mkdir "$HOME/.gemini"
	echo '{"security": {"auth": {"selectedType": "gemini-api-key"}}, "general": {"maxAttempts": 2}}' >"$HOME/.gemini/settings.json"
	export GEMINI_API_KEY=invented GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:$PORT
}

exec_command()
{
	calls_tool exec_command "{\"cmd\": $(json_text "$1")}"
}

run_shell_command()
{
	calls_tool run_shell_command "{\"command\": $(json_text "$1"), \"description\": \"a test\"}"
}

# It worked: the commit, the task, the prompt with the system prompt before it.
believed()
{
	passes 1
	in_tree login.c 'int login;'
	assert_equal 'add login' "$(git -C "$TREE" log -1 --format=%s)"
	assert_contains "$(request 1)" 'a controller, runs you again and again'
	assert_contains "$(request 1)" 'From the controller'
	step 0001 .outcome ok
	step 0001 .exit_code 0
	step 0001 .promise true
	step 0001 .cost_usd null
	step 0001 .unknown_events 0
	step 0001 .survivors_killed 0
	step 0001 .bad_lines 0
}

@test "codex: a session: it works, commits, claims, and is believed" {
	codex_serve "$(exec_command 'echo "int login;" >login.c')" "$(exec_command "$COMMIT && $PASS")" \
		"$(exec_command "echo '$DONE' >\"\$WISP_STATE_FILE\"")" "$(says "$PROMISE")"
	work 0 1 --agent codex
	requests 4
	believed
	step 0001 .format codex
	step 0001 .tools.command_execution 3
}

@test "codex: a key that is refused ends the loop with 16" {
	codex_serve "$(fault '"status": 401')"
	work 16 1 --agent codex
	step 0001 .outcome auth
}

@test "gemini: a session: it works, writes the state file outside the work tree, and is believed" {
	gemini_serve "$(calls_tool write_file "{\"file_path\": \"$TREE/login.c\", \"content\": \"int login;\\n\"}")" \
		"$(run_shell_command "$COMMIT && $PASS")" \
		"$(calls_tool write_file "{\"file_path\": \"$DIR/state.json\", \"content\": $(json_text "$DONE")}")" "$(says "$PROMISE")"
	work 0 1 --agent gemini
	requests 4
	believed
	step 0001 .format gemini
	step 0001 .tools.write_file 2
	step 0001 .tools.run_shell_command 1
}

@test "gemini: a key that is refused ends the loop with 16" {
	gemini_serve "$(fault '"status": 401')"
	work 16 1 --agent gemini
	step 0001 .outcome auth
	step 0001 .api_status 401
}
