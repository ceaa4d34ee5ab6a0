#!/usr/bin/env bats
# The loop is killed at random moments, 100 times, and resumed each time: no work
# is lost or done twice, totals never go down, and no process is left.
#
# FAULT_SEED repeats a run's moments; KILLS is how many.

load ../helper

TASKS=12

setup()
{
	KILLS=${KILLS:-100}
	RANDOM=${FAULT_SEED:=$((RANDOM * 32768 + RANDOM))}
	LOOP=''
	make_repo repo
	cd repo || exit 1
	wisp init >/dev/null
	wisp config limits.callsPerHour 100000
	task_list >../tasks.json
}

teardown()
{
	[[ -z $LOOP ]] || kill -KILL "$LOOP" 2>/dev/null || :
	[[ -n ${BATS_TEST_COMPLETED-} ]] || {
		printf 'FAULT_SEED=%s, kill %s; the loop said:\n' "$FAULT_SEED" "${KILLED-}"
		tail -n 20 ../log
	}
	helper_teardown
}

task_list()
{
	local i end=,

	echo '['
	for ((i = 1; i <= TASKS; i++)); do
		((i < TASKS)) || end=''
		printf '{"category": "feature", "description": "Task %d", "steps": [], "passes": false}%s\n' "$i" "$end"
	done
	echo ']'
}

milliseconds()
{
	local now=${EPOCHREALTIME/./} # bash 3.2: this needs Linux anyway

	NOW=${now%???}
}

# The pids of all that belongs to a step of this session.
strays()
{
	local file

	grep -lzs -e "^WISP_SESSION_DIR=$DIR\$" /proc/[0-9]*/environ | while IFS= read -r file; do
		file=${file#/proc/}
		[[ ! -e /proc/${file%/*}/exe ]] || echo "${file%/*}"
	done
}

no_strays()
{
	[[ -z $(strays) ]]
}

# Starts the loop in a process group of its own: LOOP.
start_loop()
{
	local command=(resume "$BRANCH")

	[[ -e $DIR/session.json ]] ||
		command=(run "$BRANCH" --agent "$ROOT/tests/fault/agent" --tasks ../tasks.json --trust)
	set -m
	wisp "${command[@]}" --foreground --max-iterations 1000 >>../log 2>&1 </dev/null 3>&- &
	LOOP=$!
	set +m
}

# Waits for a random moment of the run: any, or one of a step, which is short.
wait_random()
{
	local most=$SPAN

	if ((RANDOM % 2)); then
		most=$((SPAN / 8))
		while kill -0 "$LOOP" 2>/dev/null && no_strays; do
			:
		done
	fi
	most=$((RANDOM % 1000 * most / 1000))
	sleep "$(printf '%d.%03d' $((most / 1000)) $((most % 1000)))"
}

# Ends the loop as a power cut does, in one of three ways. STATUS: how it ended, 137 if it was killed.
kill_loop()
{
	case $((RANDOM % 3)) in
	0) kill -KILL "$LOOP" ;;
	1) kill -KILL -- "-$LOOP" ;;
	2) strays | xargs kill -KILL "$LOOP" ;;
	esac 2>/dev/null || :
	STATUS=0
	wait "$LOOP" 2>/dev/null || STATUS=$?
	LOOP=''
}

# Calls, money and time that the session has spent, in whole numbers; they never go down.
look_at_totals()
{
	local totals value name now=()

	[[ -e $DIR/session.json ]] || return 0
	totals=$(wisp-state -C "$DIR" get -f session .totals)
	for name in agent_calls cost_usd seconds; do
		value=${totals#*"\"$name\": "}
		value=${value%%[!0-9.]*}
		printf -v value '%.0f' "${value}e6"
		now+=("$value")
	done
	((now[0] >= LAST[0] && now[1] >= LAST[1] && now[2] >= LAST[2])) || fail "totals went down: ${LAST[*]}, then ${now[*]}"
	LAST=("${now[@]}")
}

# A whole run of one session, killed at every turn until it is completed or there were enough kills.
run_session() # <branch>
{
	BRANCH=$1 DIR=$PWD/.wisp/sessions/$1 LAST=(0 0 0)
	while :; do
		start_loop
		if ((KILLED < KILLS)); then
			wait_random
			kill_loop
		else
			STATUS=0
			wait "$LOOP" || STATUS=$?
			LOOP=''
		fi
		look_at_totals
		case $STATUS in
		0) break ;;
		137) KILLED=$((KILLED + 1)) ;;
		*) fail "the loop ended with $STATUS" ;;
		esac
	done
	assert_session
}

assert_session()
{
	local i

	assert_equal completed "$(wisp-state -C "$DIR" get -f session .status)"
	assert_equal "passed=$TASKS"$'\n'"total=$TASKS" "$(wisp-tasks -C "$DIR" count)"
	for ((i = 1; i <= TASKS; i++)); do
		printf 'task %d\n' "$i"
	done >../expected
	git show "$BRANCH:work" >../actual
	cmp ../expected ../actual || fail "$(diff ../expected ../actual)"
	wait_until 5 no_strays
	[[ -n $(git for-each-ref "refs/wisp/checkpoints/$BRANCH") ]] || fail "no checkpoint"
	git fsck --no-dangling
	[[ -z $(git -C ".wisp/worktrees/$BRANCH" status --porcelain) ]] || fail "the work tree is not clean"
}

@test "kill: 100 times at random moments" {
	local n=0

	# How long a start and a step take, here and now.
	wisp run measure --agent "$ROOT/tests/fault/agent" --tasks ../tasks.json --trust --foreground >/dev/null --once || :
	milliseconds
	SPAN=$NOW
	wisp resume measure --foreground --once >/dev/null || :
	milliseconds
	SPAN=$(((NOW - SPAN) * 5 / 4)) KILLED=0
	while ((KILLED < KILLS)); do
		n=$((n + 1))
		run_session "s$n"
	done
	printf '# %s kills over %s sessions, seed %s, within %s ms\n' "$KILLED" "$n" "$FAULT_SEED" "$SPAN" >&3
}
