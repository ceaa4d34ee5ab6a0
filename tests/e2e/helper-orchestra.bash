# Orchestrations with scripted agents; `load helper-orchestra` after helper-e2e.
#
#	shop			# a project with a check, entered; its orchestration is $B, without tmux
#	finds SYSTEM...		# what DISCOVER finds, PLAN plans and RETROSPECT leaves: NAME[!][<A,B], ! alone, < depends on
#	works SYSTEM N OPTION...	# scenario_step N of the system's agent
#	finishes SYSTEM [N [TASK]]	# its step N writes SYSTEM.txt, commits it and passes TASK (1 1)
#	orchestrate CODE [OPTION]...	# ends with that code; sets output
#	orchestration [OPTION]...	# in the background; sets LOOP
#	state PATH VALUE	# what loop-state.json says
#	agent SYSTEM PATH	# prints what it says of that agent
#	is_agent SYSTEM STATUS
#	owner SYSTEM		# prints the process that owns its session

readonly B=wisp/shop

shop()
{
	project shop
	mkdir src
	printf 'test ! -e broken\n' >check
	for name in cart list pay; do
		echo "$name" >"src/$name.c"
	done
	git add -A
	git commit -qm 'A shop'
	wisp config verify.command 'sh check'
	SCENARIOS=$WISP_REPLAY
	place "$B"
	printf 'A shop.\n' >"$BATS_TEST_TMPDIR/shop.md"
	without_tmux
}

# Agents run beside the orchestrator then.
without_tmux()
{
	hide_tmux
	PATH=$ROOT/bin:$WISP_BUILD:$HIDDEN
}

finds()
{
	local word name needs alone gaps='' systems='' plans=''

	for word; do
		needs=''
		[[ $word != *'<'* ]] || needs=\"${word#*<}\" needs=${needs//,/\", \"}
		name=${word%%<*}
		alone=true
		[[ $name != *! ]] || alone=false
		name=${name%!}
		gaps+="${gaps:+, }{\"category\": \"$name\", \"severity\": \"high\", \"description\": \"no $name\"}"
		systems+="${systems:+, }{\"name\": \"$name\", \"type\": \"gap-fill\", \"priority\": \"high\", \"parallelizable\": $alone, \"depends_on\": [$needs], \"estimatedHours\": 1}"
		plans+="${plans:+, }{\"name\": \"$name\", \"tasks\": [{\"category\": \"feature\", \"description\": \"build $name\", \"steps\": [], \"passes\": false}]}"
	done
	mkdir -p "$SCENARIOS/$B"
	WISP_REPLAY=$SCENARIOS/$B
	leaves 1 discovery.json "{\"gaps\": [$gaps], \"systems\": [$systems]}"
	leaves 2 plan.json "{\"systems\": [$plans]}"
	leaves 3 retrospect.json '{"gaps": [], "systems": []}'
	WISP_REPLAY=$SCENARIOS
}

# leaves N FILE TEXT: step N of the orchestrator's own agent.
leaves()
{
	scenario_step "$1" --status CONTINUE --effects "cat >\"\$WISP_SESSION_DIR/$2\" <<'END'
$3
END"
}

works()
{
	local system=$1
	shift

	mkdir -p "$SCENARIOS/$B-$system"
	WISP_REPLAY=$SCENARIOS/$B-$system scenario_step "$@"
}

finishes()
{
	works "$1" "${2:-1}" --effects "echo $1 >$1.txt" --commit "build $1" --pass "${3:-1}" --status DONE --promise
}

orchestrate()
{
	local code=$1
	shift

	expect "$code" wisp orchestrate "$BATS_TEST_TMPDIR/shop.md" --agent replay --foreground --yes "$@"
}

orchestration()
{
	background wisp orchestrate "$BATS_TEST_TMPDIR/shop.md" --agent replay --foreground "$@"
}

state()
{
	assert_equal "$2" "$(wisp-state -C "$DIR" get -f loop "$1")"
}

agent()
{
	wisp-state -C "$DIR" query -f loop ".subAgents[] | select(.system == \"$1\") | $2" 2>/dev/null
}

is_agent()
{
	[[ $(agent "$1" .status) == "$2" ]]
}

owner()
{
	local line

	while IFS= read -r line; do
		[[ $line != pid=* ]] || printf '%s\n' "${line#pid=}"
	done < <(WISP_LIBEXEC=$ROOT/libexec wisp-session -C "$PROJECT/.wisp/sessions/$B-$1" owner)
}

said()
{
	grep -qF -e "$1" "$BATS_TEST_TMPDIR/loop.log"
}

# Whatever loop is left of the test's own.
end_agents()
{
	local name pid

	for name in "$PROJECT/.wisp/sessions/wisp/"*; do
		pid=$(owner "${name##*/shop-}" 2>/dev/null) || continue
		[[ -z $pid ]] || kill -KILL "$pid" 2>/dev/null || :
	done
}

setup()
{
	shop
}

teardown()
{
	[[ -z $LOOP ]] || kill -KILL "$LOOP" 2>/dev/null || :
	end_agents
	helper_teardown
}
