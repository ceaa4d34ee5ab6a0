# Real CLIs against an invented service; load ../../helper, ../../helper-scenario and ../helper-e2e before.
#
#	agents_begin			# a project, entered, and a HOME with nothing but invented logins; for setup
#	serve REPLY...			# starts the service (server.mjs) with these replies, JSON each
#	agents_end			# for teardown
#
#	says TEXT			# a reply: the model speaks, and its turn ends
#	calls_tool NAME INPUT		# a reply: the model calls a tool; INPUT is JSON
#	bash_tool COMMAND		# a reply: claude's Bash
#	state JSON			# a reply: claude's Write on the state file
#	fault FIELDS			# a reply: a fault, such as '"status": 500'
#
#	requests N			# so many requests for the model were made
#	request N			# prints what was sent in request N
#	step NAME FIELD VALUE		# what steps/NAME/step.json says
#
# No request leaves the machine: all but 127.0.0.1 is sent to a proxy that is not there.

AGENT_CLIS=$WISP_BUILD/agents/node_modules/.bin
SERVER=''

agents_begin()
{
	[[ -x $AGENT_CLIS/node ]] || fail "no CLIs in '$AGENT_CLIS': run make check-agents"
	PATH=$PATH:$AGENT_CLIS
	export HTTP_PROXY=http://127.0.0.1:9 HTTPS_PROXY=http://127.0.0.1:9 NO_PROXY=127.0.0.1
	unset http_proxy https_proxy no_proxy ALL_PROXY all_proxy
	export CLAUDE_CODE_MAX_RETRIES=2
	OPTIONS=(-c retry.delay=50ms -c agent.gemini.model=gemini-2.5-pro)
	project
	SERVICE=$BATS_TEST_TMPDIR/service
	mkdir "$SERVICE"
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

agents_end()
{
	if [[ -n $SERVER ]]; then
		kill "$SERVER" 2>/dev/null || :
		wait "$SERVER" 2>/dev/null || :
	fi
	SERVER=''
}

# json_text TEXT: as a JSON string; what the tests say has no control characters but line ends.
json_text()
{
	local text=$1

	text=${text//\\/\\\\}
	text=${text//\"/\\\"}
	printf '"%s"' "${text//$'\n'/\\n}"
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

# Shell commands for the model: a task passes, with its commit.
readonly PASS='sed "s/\"passes\": false/\"passes\": true/" "$WISP_TASKS_FILE" >"$WISP_TASKS_FILE.new" && mv "$WISP_TASKS_FILE.new" "$WISP_TASKS_FILE"'
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

# --- processes ---------------------------------------------------------------

# gone PID: it is no more; a dead process that nobody has waited for counts as gone.
gone()
{
	local stat

	! stat=$(ps -o stat= -p "$1") || [[ $stat == Z* ]]
}

# no_agent: no process of an agent of this session is left; they are known by the session's files on their command lines.
no_agent()
{
	! ps -e -o args= | SESSION=$DIR/ awk 'index($0, ENVIRON["SESSION"]) { print; found = 1 } END { exit !found }'
}
