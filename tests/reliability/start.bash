# start.bash: a start is killed at one of its calls, and the same command is given again.
#
# The shim counts the calls by which all programs of a start, wisp's and git's, change files or
# make processes, until the agent is called. At the K-th one the program dies alone (kill) or with
# all of its process group (group); with strace every process dies at its own K-th call of a kind.

readonly STARTS='run plan-tasks plan orchestrate graduate init rm'
readonly TRACED='rename mkdir openat write unlink fsync clone execve link'

part_start()
{
	local kind how calls=0 k stride round=0 kinds=0 rounds

	TASKS=2
	world_make
	race_shop
	for kind in $STARTS; do
		! wanted "$kind" || kinds=$((kinds + 1))
	done
	rounds=$((${ROUNDS:-500} / (kinds ? kinds : 1)))
	for kind in $STARTS; do
		wanted "$kind" || continue
		count_calls "$kind"
		stride=${STRIDE:-$(((calls * 2 + rounds - 1) / rounds))}
		((stride > 0)) || stride=1
		# Another offset for each kind and seed: with a stride, every call has its turn in time.
		for ((k = 1 + (SEED + 29 * ${#kind}) % stride, round = 1; k <= calls; k += stride, round++)); do
			for how in kill group; do
				[[ $FROM == 1 || $FROM == "$k" ]] || continue
				round_begin "start --stride $stride" "$k" "$kind" "$how at call $k of $calls"
				start_round "$kind" "$how" "$k" $((round % 3))
				round_end
			done
		done
		[[ -n $STRIDE || $kind == rm ]] || start_traced "$kind"
	done
}

# Where there is strace: its fault injection needs no library, so that no call passes by.
start_traced() # <kind>
{
	local call k

	type -P strace >/dev/null || return 0
	for call in $TRACED; do
		for k in 1 2 3 5 8 13; do
			round_begin start "$k" "$1" "KILL at $call $k of each process"
			start_round "$1" "trace=$call" "$k" 1
			round_end
		done
	done
}

start_prepare() # <kind>
{
	race_prepare "$1"
	if [[ $1 == rm ]]; then
		race_command run
		in_world "${COMMAND[@]}" >/dev/null 2>&1
		[[ -e .wisp/sessions/work/session.json ]] || lost "no session to remove"
	fi
}

start_command() # <kind>
{
	race_command "$1"
	[[ $1 != rm ]] || COMMAND=(wisp rm work --branch --force)
}

# count_calls KIND: sets `calls` of the caller.
count_calls()
{
	world_reset
	start_prepare "$1"
	start_command "$1"
	shimmed 0 kill
	wisp_says count "${COMMAND[@]}"
	calls=$(counted)
	end_world
}

start_round() # <kind> <how> <k> <0: rm before the command again>
{
	local kind=$1 how=$2 k=$3 before

	start_prepare "$kind"
	start_command "$kind"
	if [[ $how == trace=* ]]; then
		COMMAND=(strace -f -qqq -o /dev/null -e "$how"
			-e "inject=${how#trace=}:signal=KILL:when=$k" "${COMMAND[@]}")
	else
		shimmed "$k" "$how"
	fi
	wisp_says first "${COMMAND[@]}"
	FAULTS=()
	before=$CODE
	# 16: it was the agent's probe.
	[[ $before == 0 || $before == 16 || $before == 111 || $before == 137 || $how == trace* ]] ||
		lost "killed, it ended with $before: $(tail -n 2 "$WORLD/log.first")"
	no_process 5 || left "processes after the KILL: $(processes)"
	[[ $kind == init ]] || check_person
	# A loop that is graduated is so once, whatever becomes of the session.
	[[ $kind == init || $kind == rm || $kind$before == graduate0 || $4 != 0 ]] || start_removed "$kind"
	[[ $kind != orchestrate ]] || start_given_up
	start_again "$kind" "$before"
}

# As a person does who wants to begin anew.
start_removed() # <kind>
{
	local branch=work

	[[ $1 != orchestrate ]] || branch=wisp/shop
	wisp_says rm wisp rm "$branch" --branch --force
	[[ $CODE == 0 || $CODE == 100 || $CODE == 102 ]] ||
		lost "wisp rm: $CODE: $(tail -n 2 "$WORLD/log.rm")"
	if [[ $CODE == 0 && -n $(in_world git for-each-ref "refs/heads/$branch") ]]; then
		left "the branch $branch after wisp rm"
	fi
}

# An agent whose every loop was killed at the same call has failed, and its orchestration is halted, which is no loss.
start_given_up()
{
	local status

	status=$(in_world wisp-state -C .wisp/sessions/wisp/shop get -f session .status 2>/dev/null) || :
	[[ $status != halted ]] || start_removed orchestrate
}

start_again() # <kind> <code of the first>
{
	local status

	start_command "$1"
	status=$(in_world wisp-state -C .wisp/sessions/work get -f session .status 2>/dev/null) || :
	if [[ $1 != run || $status != completed ]]; then
		wisp_says again "${COMMAND[@]}"
		case $1:$CODE in
		*:0 | plan*:100 | graduate:100 | rm:102 | rm:100) ;;
		orchestrate:100) wisp_says again "${COMMAND[@]}" --resume ;;
		*) lost "$1 again ended with $CODE: $(tail -n 2 "$WORLD/log.again")" ;;
		esac
	fi
	case $1 in
	init)
		check_init
		check_left
		;;
	rm)
		check_removed
		;;
	orchestrate) check_shop ;;
	*) race_finish "$1" ;;
	esac
}

check_removed()
{
	local found

	check_person
	check_left
	check_fsck
	found=$(in_world git for-each-ref refs/wisp refs/heads/work)
	[[ -z $found ]] || left "refs: $found"
	found=$(find "$WORLD/home" -path '*/work*' ! -path '*/.git-known/*')
	[[ -z $found && ! -e .git/wisp/work.lock ]] || left "$found $(ls .git/wisp 2>&1)"
}
