# Whole runs in a line each; `load ../helper`, `load ../helper-scenario`, `load helper-e2e`.
#
#	project [NAME]			# a repository with an empty scenario, entered; sets PROJECT, DIR, TREE
#	work CODE N [OPTION]...		# `wisp run` of the session $BRANCH with N tasks ends with CODE; sets output
#	again CODE [OPTION]...		# `wisp resume`
#	unconfined		# for scenarios that do what a sandbox forbids
#	begin N [OPTION]...		# `wisp run` in the background; sets LOOP
#	background COMMAND...		# any other; its output is in loop.log
#	ends CODE [LOG]			# waits for it
#
#	session PATH VALUE		# what session.json says there
#	entry I PATH VALUE		# what history.json says of its entry I (from 0)
#	passes N...			# just these tasks pass
#	calls N				# so often the agent was called
#	prompt NAME			# prints the prompt of steps/NAME
#	in_tree FILE TEXT		# what a file in the work tree holds; `absent FILE`
#	failed_ref N			# prints the ref of what was put away in iteration N
#	step_gone PID			# none that a step in TREE called so
#	stream KIND [ARGUMENT]...	# prints what a claude agent prints; see claude below
#
# OPTIONS holds options of `wisp` itself that every `work` and `begin` uses, such as -c KEY=VALUE.

# A step is confined, but may write in the test's own folder and home; WISP_HOME lies in neither, the repository is read-only.
[[ -z ${BATS_TEST_TMPDIR-} ]] ||
	export WISP_CONFIG_SET=${WISP_CONFIG_SET:+$WISP_CONFIG_SET$'\n'}sandbox.write=$BATS_TEST_TMPDIR$'\n'sandbox.write=$HOME

# unconfined: the scenarios of this test do what a sandbox forbids.
unconfined()
{
	export WISP_CONFIG_SET=sandbox=off
}

BRANCH=work
OPTIONS=()
LOOP=''

project()
{
	make_repo "${1:-project}"
	cd "${1:-project}" || return
	PROJECT=$PWD
	WISP_CONFIG_SET+=$'\n'sandbox.write=$PROJECT/.wisp/worktrees # for what a scenario tells the test beside its work tree
	place "$BRANCH"
	scenario_new
}

# place BRANCH: from now on it is this session.
place()
{
	BRANCH=$1
	DIR=$PROJECT/.wisp/sessions/$BRANCH
	TREE=$PROJECT/.wisp/worktrees/$BRANCH
}

# expect CODE COMMAND...: like `run -CODE`, with what it printed where that fails.
expect()
{
	local code=$1
	shift

	run "$@" </dev/null
	[[ $status == "$code" ]] || fail "expected exit $code, not $status" "$output"
}

work()
{
	local code=$1
	scenario_tasks "$2" >"$BATS_TEST_TMPDIR/tasks.json"
	shift 2

	expect "$code" wisp ${OPTIONS[@]+"${OPTIONS[@]}"} run "$BRANCH" --agent replay --tasks "$BATS_TEST_TMPDIR/tasks.json" "$@"
}

again()
{
	local code=$1
	shift

	expect "$code" wisp ${OPTIONS[@]+"${OPTIONS[@]}"} resume "$BRANCH" "$@"
}

# Job control, since a shell has INT ignored in what it starts in the background. What an earlier one said must not be
# taken for its words, and it may be slow to empty the file.
background()
{
	: >"$BATS_TEST_TMPDIR/loop.log"
	set -m
	"$@" </dev/null >"$BATS_TEST_TMPDIR/loop.log" 2>&1 3>&- &
	LOOP=$!
	set +m
}

begin()
{
	scenario_tasks "$1" >"$BATS_TEST_TMPDIR/tasks.json"
	shift

	background wisp ${OPTIONS[@]+"${OPTIONS[@]}"} run "$BRANCH" --agent replay --tasks "$BATS_TEST_TMPDIR/tasks.json" "$@"
}

ends()
{
	local status=0

	wait "$LOOP" || status=$?
	LOOP=''
	[[ $status == "$1" ]] || fail "expected exit $1, not $status" "$(<"${2:-$BATS_TEST_TMPDIR/loop.log}")"
}

# proposed COMMAND: at a terminal, up to its question; a pause ends it, and the changed list waits. Sets output.
proposed()
{
	local log=$BATS_TEST_TMPDIR/proposed

	script -qefc "$1 --foreground --plain" "$log" </dev/null >/dev/null 2>&1 3>&- &
	LOOP=$!
	wait_until 20 grep -q 'change it so' "$log"
	wisp pause "$BRANCH"
	ends 15 "$log"
	output=$(tr -d '\r' <"$log")
}

teardown()
{
	if [[ -n $LOOP ]]; then
		kill -KILL "$LOOP" 2>/dev/null || :
	fi
	helper_teardown
}

session()
{
	assert_equal "$2" "$(wisp-state -C "$DIR" get -f session "$1")"
}

entry()
{
	assert_equal "$3" "$(wisp-state -C "$DIR" get -f history ".[$1]$2")"
}

# status_says PATH VALUE: in `wisp status --json`.
status_says()
{
	wisp status "$BRANCH" --json >"$BATS_TEST_TMPDIR/status.json"
	assert_equal "$2" "$(wisp-state -C "$DIR" get -f "$BATS_TEST_TMPDIR/status.json" "$1")"
}

passes()
{
	local passing

	passing=$(wisp-state -C "$DIR" query -f tasks '[to_entries[] | select(.value.passes) | .key + 1] | map(tostring) | join(" ")')
	assert_equal "$*" "$passing"
}

calls()
{
	assert_equal "$1" "$(scenario_calls "$DIR")"
}

prompt()
{
	cat "$DIR/steps/$1/prompt.md"
}

in_tree()
{
	assert_equal "$2" "$(<"$TREE/$1")"
}

absent()
{
	[[ ! -e $TREE/$1 ]] || fail "'$1' is there"
}

failed_ref()
{
	printf 'refs/wisp/failed/%s/%04d' "$BRANCH" "$1"
}

step_gone()
{
	[[ -z $(step_process "$1" "$TREE") ]]
}

# claude KIND...: a line or two as `claude -p --output-format stream-json` prints them.
#	init	done [TEXT [COST]]	failure ERROR HTTP_STATUS	limit RESETS	capped
#	overage true|false
claude()
{
	case $1 in
	init) echo '{"type":"system","subtype":"init","session_id":"s","model":"m"}' ;;
	done) printf '{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"%s","total_cost_usd":%s}\n' "${2-}" "${3:-0.01}" ;;
	failure)
		printf '{"type":"assistant","error":"%s","message":{"content":[]}}\n' "$2"
		printf '{"type":"result","subtype":"success","is_error":true,"api_error_status":%s,"num_turns":1,"result":"API Error","total_cost_usd":0.01}\n' "$3"
		;;
	limit)
		printf '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","rateLimitType":"five_hour","resetsAt":%s}}\n' "$2"
		claude failure rate_limit 429
		;;
	overage) printf '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","overageStatus":"allowed","isUsingOverage":%s}}\n' "$2" ;;
	capped) echo '{"type":"result","subtype":"error_max_turns","is_error":true,"num_turns":9,"errors":["too many turns"],"total_cost_usd":0.01}' ;;
	esac
}

# stream KIND...: a whole stream that begins as it must.
stream()
{
	claude init
	claude "$@"
}

# has_waited N: has the loop of `begin` said so often that it waits for the answer?
has_waited()
{
	[[ $(grep -c 'waiting for the answer' "$BATS_TEST_TMPDIR/loop.log") == "$1" ]]
}
