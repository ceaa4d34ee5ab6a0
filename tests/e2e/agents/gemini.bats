#!/usr/bin/env bats
# Sessions with the real Gemini CLI.

load ../../helper
load ../../helper-scenario
load ../helper-e2e
load helper-agents

setup()
{
	agents_begin
	# A good step, after which it is believed.
	WORK=(
		"$(write_file "$TREE/login.c" $'int login;\n')"
		"$(run_shell_command "$COMMIT && $PASS")"
		"$(write_file "$DIR/state.json" "$DONE")"
		"$(says "$PROMISE")"
	)
}

gemini_serve()
{
	serve "$@"
	mkdir "$HOME/.gemini"
	echo '{"security": {"auth": {"selectedType": "gemini-api-key"}}, "general": {"maxAttempts": 2}}' >"$HOME/.gemini/settings.json"
	export GEMINI_API_KEY=invented GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:$PORT
}

write_file()
{
	calls_tool write_file "{\"file_path\": \"$1\", \"content\": $(json_text "$2")}"
}

run_shell_command()
{
	calls_tool run_shell_command "{\"command\": $(json_text "$1"), \"description\": \"a test\"}"
}

@test "gemini: a session: it works, writes the state file outside the work tree, and is believed" {
	OPTIONS+=(-c sandbox=auto)
	gemini_serve "${WORK[@]}"
	work 0 1 --agent gemini
	requests 4
	believed
	step 0001 .format gemini
	step 0001 .tools.write_file 2
	step 0001 .tools.run_shell_command 1
}

# The session's folder is elsewhere there, and git's cannot be written: wisp commits.
@test "gemini: a session in landlock: it works, claims, and is believed" {
	OPTIONS+=(-c sandbox=landlock)
	gemini_serve "${WORK[0]}" "$(run_shell_command "$PASS")" "$(run_shell_command "echo '$DONE' >\"\$WISP_STATE_FILE\"")" \
		"$(says "$PROMISE")"
	work 0 1 --agent gemini
	passes 1
	in_tree login.c 'int login;'
	step 0001 .sandbox landlock
	step 0001 .outcome ok
	step 0001 .survivors_killed 0
}

@test "gemini: killed in the middle of a tool, with its loop: no process is left, and the next run goes on" {
	gemini_serve "$(run_shell_command "$(stays)")" "${WORK[@]}"
	in_a_tool --agent gemini
	kill -KILL "$LOOP"
	wait "$LOOP" || :
	LOOP=''
	wait_until 20 step_gone "$(<"$TOOL")"
	wait_until 20 no_agent
	again 0
	passes 1
}

@test "gemini: stopped in the middle of a tool: the tool goes too, and its exit status of 0 does not count" {
	gemini_serve "$(run_shell_command "$(stays)")" "${WORK[@]}"
	in_a_tool --agent gemini
	kill -TERM "$LOOP"
	ends 143
	step_gone "$(<"$TOOL")"
	no_agent
	step 0001 .outcome interrupted
}

@test "gemini: a key that is refused ends the loop with 16" {
	gemini_serve "$(fault '"status": 401')"
	work 16 1 --agent gemini
	step 0001 .outcome auth
	step 0001 .api_status 401
}

@test "gemini: the quota of a day, and 429 after its retries, are limits" {
	local kind

	gemini_serve "$(fault '"limit": {"kind": "any", "in": 0}')" "$(fault '"status": 429')"
	for kind in quota requests; do
		work 14 1 --agent gemini --no-wait
		step 0001 .outcome limit
		step 0001 .limit.kind "$kind"
		step 0001 .limit.resets_at null
		step 0001 .api_status 429
		expect 0 wisp rm work --branch
		# The next one has the same login, and would wait.
		rm "$WISP_HOME/shared.json"
	done
}

@test "gemini: what it retries by itself is no matter for the loop: 429 with retry-after, 500, a stream that unexpected end of JSON" {
	gemini_serve "$(fault '"text": "I will", "fault": "cut"')" "${WORK[0]}" \
		"$(fault '"status": 429, "headers": {"retry-after": "1"}')" "${WORK[1]}" "$(fault '"status": 500')" "${WORK[@]:2}"
	work 0 1 --agent gemini
	passes 1
	step 0001 .outcome ok
	session .loop_count 1
}

@test "gemini: a service that only fails is transient, and so is a stream that breaks" {
	gemini_serve "$(fault '"status": 500, "times": 2')" "$(fault '"text": "I will", "fault": "drop"')"
	work 16 1 --agent gemini
	step 0001 .outcome transient
	step 0001 .api_status 500
	step 0002 .outcome transient
}

@test "gemini: a stream that is malformed is told in its own words" {
	gemini_serve "$(fault '"text": "I will", "fault": "malformed"')"
	work 16 1 --agent gemini
	step 0001 .outcome error
}

@test "gemini: a service that stops in the middle is cut off by the idle limit" {
	OPTIONS+=(-c step.idleTimeout=8s)
	gemini_serve "$(fault '"text": "I", "fault": "stall"')"
	work 13 1 --agent gemini --max-iterations 1
	step 0001 .outcome idle
}
