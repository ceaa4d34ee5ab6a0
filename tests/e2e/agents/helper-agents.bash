# Real CLIs against an invented service; load ../../helper, ../../helper-scenario and ../helper-e2e before.
#
#	agents_begin			# a project, entered, and a HOME with nothing but invented logins; for setup
#	serve REPLY...			# starts the service (server.mjs) with these replies, JSON each; the teardown here
#					# ends it, and sees that no agent was left
#
#	says TEXT			# a reply: the model speaks, and its turn ends
#	calls_tool NAME INPUT		# a reply: the model calls a tool; INPUT is JSON
#	bash_tool COMMAND		# a reply: claude's Bash
#	state JSON			# a reply: claude's Write on the state file
#	fault FIELDS			# a reply: a fault, such as '"status": 500'
#	stays				# prints a shell command for a tool: it stays, and its process is in $TOOL
#	in_a_tool [OPTION]...		# begins a run, and waits until it is in that tool
#	the_agent			# prints the process that called it
#
#	requests N			# so many requests for the model were made
#	request N			# prints what was sent in request N
#	step NAME FIELD VALUE		# what steps/NAME/step.json says
#	believed			# the work was good, the prompt whole, and the stream understood
#
# No request leaves the machine: all but 127.0.0.1 is sent to a proxy that is not there.

AGENT_CLIS=${AGENT_CLIS:-$WISP_BUILD/agents/bin}
SERVER=''

agents_begin()
{
	[[ -x $AGENT_CLIS/node ]] || fail "no CLIs in '$AGENT_CLIS': run make check-agents"
	PATH=$AGENT_CLIS:$PATH # its node goes before one that may be too old
	export HTTP_PROXY=http://127.0.0.1:9 HTTPS_PROXY=http://127.0.0.1:9 NO_PROXY=127.0.0.1
	unset http_proxy https_proxy no_proxy ALL_PROXY all_proxy
	export CLAUDE_CODE_MAX_RETRIES=2
	OPTIONS=(-c retry.delay=50ms -c agent.gemini.model=gemini-2.5-pro)
	project
	SERVICE=$BATS_TEST_TMPDIR/service TOOL=$BATS_TEST_TMPDIR/tool
	mkdir "$SERVICE"
	# But for those that set it: what a CLI does by itself is looked at here.
	export WISP_CONFIG_SET=${WISP_CONFIG_SET:+$WISP_CONFIG_SET$'\n'}sandbox=off
}

# serve REPLY...
serve()
{
	local reply separator='['

	for reply; do
		printf '%s%s' "$separator" "$reply"
		separator=$',\n'
	done >"$SERVICE/scenario.json"
	echo ']' >>"$SERVICE/scenario.json"
	"$AGENT_CLIS/node" "$ROOT/tests/e2e/agents/server.mjs" "$SERVICE/scenario.json" "$SERVICE" 3>&- >"$SERVICE/log" 2>&1 &
	SERVER=$!
	wait_until 20 test -s "$SERVICE/port"
	PORT=$(<"$SERVICE/port")
}

teardown()
{
	if [[ -n $LOOP ]]; then
		kill -KILL "$LOOP" 2>/dev/null || :
	fi
	if [[ -n $SERVER ]]; then
		kill "$SERVER" 2>/dev/null || :
		wait "$SERVER" 2>/dev/null || :
	fi
	wait_until 20 no_agent
	helper_teardown
}

# json_text TEXT: as a JSON string; what the tests say has no control characters but line ends.
json_text()
{
	local text=$1 newline='\n'

	text=${text//\\/\\\\}
	text=${text//\"/\\\"}
	printf '"%s"' "${text//$'\n'/$newline}"
}

says()
{
	printf '{"text": %s}' "$(json_text "$1")"
}

calls_tool()
{
	printf '{"tools": [{"name": "%s", "input": %s}]}' "$1" "$2"
}

bash_tool()
{
	calls_tool Bash "{\"command\": $(json_text "$1"), \"description\": \"a test\"}"
}

state()
{
	calls_tool Write "{\"file_path\": \"$DIR/state.json\", \"content\": $(json_text "$1")}"
}

fault()
{
	printf '{%s}' "$1"
}

stays()
{
	printf 'echo $$ >%s && exec sleep 600' "$TOOL"
}

in_a_tool_or_over()
{
	[[ -s $TOOL ]] || gone "$LOOP"
}

in_a_tool()
{
	begin 1 "$@"
	wait_until 60 in_a_tool_or_over
	run -1 step_gone "$(<"$TOOL")"
	run -1 no_agent
}

# The process that called the tool, which knows itself by the number of its pid namespace.
the_agent()
{
	ps -o ppid= -p "$(step_process "$(<"$TOOL")" "$TREE")" | tr -d ' '
}

requests()
{
	[[ -e $SERVICE/$1.json && ! -e $SERVICE/$(($1 + 1)).json ]] ||
		fail "expected: $1 requests" "actual: $(cd "$SERVICE" && echo [0-9]*.json)"
}

request()
{
	cat "$SERVICE/$1.json"
}

step()
{
	assert_equal "$3" "$(wisp-state get -f "$DIR/steps/$1/step.json" "$2")"
}

# --- claude ------------------------------------------------------------------

claude_begin()
{
	agents_begin
	export ANTHROPIC_API_KEY=sk-ant-invented
}

# claude_serve REPLY...
claude_serve()
{
	serve "$@"
	export ANTHROPIC_BASE_URL=http://127.0.0.1:$PORT
}

# Shell commands for the model: all tasks pass, or the first; a commit.
readonly PASS='sed "s/\"passes\": false/\"passes\": true/" "$WISP_TASKS_FILE" >"$WISP_TASKS_FILE.new" && mv "$WISP_TASKS_FILE.new" "$WISP_TASKS_FILE"'
readonly PASS_FIRST="sed \"/\\\"t1\\\"/,/passes/${PASS#sed \"}"
readonly COMMIT='git add -A && git commit -q -m "add login"'
readonly DONE='{"status": "DONE", "summary": "added the login"}'
readonly PROMISE=$'All is done.\n<promise>COMPLETE</promise>'

# work_replies: a good step, from the look at the task to the promise, as claude_serve takes it; sets REPLIES.
work_replies()
{
	REPLIES=(
		"$(bash_tool 'cat "$WISP_TASKS_FILE" && git status --short')"
		"$(calls_tool Write "{\"file_path\": \"$TREE/login.c\", \"content\": \"int login;\\n\"}")"
		"$(bash_tool "$COMMIT && $PASS")"
		"$(state "$DONE")"
		"$(says "$PROMISE")"
	)
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

# --- processes ---------------------------------------------------------------

# no_agent: no process of an agent of this session is left; they are known by the session's folder on their command lines.
no_agent()
{
	! ps -e -o args= | SESSION=$DIR awk 'index($0, ENVIRON["SESSION"]) { print; found = 1 } END { exit !found }'
}
