#!/usr/bin/env bats
# An orchestration with the real Claude Code: its tools write what each phase is to
# leave, two of it work side by side, and what all of them cost is one sum.

load ../../helper
load ../../helper-scenario
load ../helper-e2e
load ../helper-orchestra
load helper-agents

setup()
{
	claude_begin
	without_tmux
	PATH=$AGENT_CLIS:$PATH
	place "$B"
	printf 'A cart and a till.\n' >"$BATS_TEST_TMPDIR/shop.md"
	REPLIES=()
	finds_cart_and_till
}

teardown()
{
	[[ -z $LOOP ]] || kill -KILL "$LOOP" 2>/dev/null || :
	end_agents
	if [[ -n $SERVER ]]; then
		kill "$SERVER" 2>/dev/null || :
		wait "$SERVER" 2>/dev/null || :
	fi
	wait_until 20 no_agent
	helper_teardown
}

# to TEXT REPLY...: these replies are for the requests that have TEXT in them.
to()
{
	local text=$1 reply
	shift

	for reply; do
		REPLIES+=("{\"for\": $(json_text "$text"), ${reply#\{}")
	done
}

# says_of TEXT FILE JSON STATE: a step of the orchestrator: it leaves FILE, then its state file.
says_of()
{
	to "$1" "$(calls_tool Write "{\"file_path\": \"$DIR/$2\", \"content\": $(json_text "$3")}")" "$(state "$4")" "$(says 'That is all.')"
}

readonly GOES_ON='{"status": "CONTINUE", "summary": "it is written down"}'

# The replies of DISCOVER, PLAN and RETROSPECT; each is known by the first words of its prompt.
finds_cart_and_till()
{
	local name gaps='' systems='' plans=''

	for name in cart till; do
		gaps+="${gaps:+, }{\"category\": \"feature\", \"severity\": \"high\", \"description\": \"There is no $name\"}"
		systems+="${systems:+, }{\"name\": \"$name\", \"type\": \"feature\", \"priority\": \"high\", \"parallelizable\": true, \"depends_on\": [], \"estimatedHours\": 1}"
		plans+="${plans:+, }{\"name\": \"$name\", \"tasks\": [{\"category\": \"feature\", \"description\": \"Build the $name\", \"steps\": [], \"passes\": false}]}"
	done
	says_of 'Find out what is missing' discovery.json "{\"gaps\": [$gaps], \"systems\": [$systems]}" "$GOES_ON"
	says_of 'Make a task list for each system' plan.json "{\"systems\": [$plans]}" "$GOES_ON"
	says_of 'Look at what this loop has done' retrospect.json '{"gaps": [], "systems": []}' "$GOES_ON"
}

# meets SYSTEM OTHER: prints a shell command that ends once both are at it.
meets()
{
	printf 'touch %s; until test -e %s; do sleep 0.05; done' "$BATS_TEST_TMPDIR/at-$1" "$BATS_TEST_TMPDIR/at-$2"
}

# builds SYSTEM REPLY...: what its agent does.
builds()
{
	local system=$1
	shift

	DIR=$DIR-$system to "worktrees/$B-$system" "$@"
}

# sub_state SYSTEM JSON
sub_state()
{
	DIR=$DIR-$1 state "$2"
}

starts()
{
	claude_serve "${REPLIES[@]}"
	set -m
	wisp "${OPTIONS[@]}" orchestrate "$BATS_TEST_TMPDIR/shop.md" --agent claude --foreground --yes --parallel 2 "$@" \
		</dev/null >"$BATS_TEST_TMPDIR/loop.log" 2>&1 3>&- &
	LOOP=$!
	set +m
}

pool()
{
	wisp-state query -f "$(echo "$WISP_HOME"/project-*/"$B/pool.json")" "$1"
}

@test "claude: an orchestration: it discovers, plans, builds two systems side by side, looks back; all of it is one budget" {
	local name other=till

	for name in cart till; do
		builds "$name" "$(bash_tool "$(meets "$name" "$other") && echo $name >$name.c && git add -A && git commit -q -m 'build the $name' && $PASS")" \
			"$(sub_state "$name" '{"status": "DONE", "summary": "it is there"}')" "$(says "$PROMISE")"
		other=cart
	done
	starts --max-cost 1
	ends 0
	assert_equal COMPLETE "$(wisp-state -C "$DIR" get -f loop .currentPhase)"
	requests 15
	in_tree cart.c cart
	in_tree till.c till
	assert_equal "$(git log --no-merges --format=%s "main..$B" | sort)" $'build the cart\nbuild the till'
	assert_contains "$(<"$DIR/SCOPE-DISCOVERY.md")" '| till | feature | high | beside others |'
	assert_contains "$(<"$PROJECT/.wisp/sessions/$B-till/steps/0001/prompt.md")" 'Build the till'
	assert_equal 2 "$(wisp-state -C "$DIR" query -f loop '[.subAgents[] | select(.status == "completed")] | length')"
	assert_equal 2 "$(wisp-state -C "$DIR" query -f loop '.completedSystems | length')"

	assert_equal 3 "$(pool '.sessions | length')"
	assert_equal '[1,1,3]' "$(pool '[.sessions[].calls] | sort')"
	assert_equal "$(pool '[.sessions[].cost_usd] | add * 1e6 | round')" \
		"$("$JQ" -s '[.[].cost_usd] | add * 1e6 | round' "$DIR"/steps/*/step.json "$DIR"-*/steps/*/step.json)"
	[[ $(pool '[.sessions[].cost_usd > 0] | all') == true ]]
	[[ $(pool '[.sessions[].reserved_usd] | all(. == null)') == true ]]
}

@test "claude: a usage limit that one agent of an orchestration meets is waited for by all; INT ends them" {
	unset ANTHROPIC_API_KEY
	export CLAUDE_CODE_OAUTH_TOKEN=sk-ant-oat01-invented
	builds cart "$(bash_tool "$(meets cart till)")" "$(fault '"limit": {"kind": "five_hour", "in": 3600}')"
	builds till "$(bash_tool "$(meets till cart); until grep -qs five_hour '$DIR-cart/steps/0001/step.json'; do sleep 0.05; done")" \
		"$(sub_state till '{"status": "CONTINUE", "summary": "not yet"}')" "$(says 'One step.')" \
		"$(bash_tool "touch '$BATS_TEST_TMPDIR/early'")" "$(says 'Another.')"
	starts
	wait_until 120 waits cart
	wait_until 120 waits till
	kill -INT "$LOOP"
	ends 130
	[[ ! -e $BATS_TEST_TMPDIR/early && -z $(owner cart) && -z $(owner till) ]]
	assert_equal five_hour "$(pool '.limits.usage.kind')"
}

waits()
{
	grep -qs 'waiting: ' "$PROJECT/.wisp/sessions/$B-$1/run.log"
}
