# loop.bash: the loop of one session: begin, step, verify, judge, record, act.
#
# Sourced after session.bash. bash sequences and waits; what is decided is
# decided by wisp-turn (docs/loop.md). Its answers are read into variables F_*.
#
#	loop_run      runs until there is a reason to stop; sets END to the exit code
#
# Reads: PROJECT BRANCH DIR STATE WORKTREE TEMPLATE_DIR AGENT AGENT_COMMAND AGENT_FORMAT AGENT_ARGS AGENT_ENV
#        MODEL PERMISSIONS PLAN (1: steps make the task list) ONCE (1) WAIT (1: limits are waited for) ASK (1: questions are)
#
# loop-supervise.bash starts programs and hears signals, loop-tree.bash restores
# and verifies the work tree, loop-step.bash is one iteration,
# loop-menu.bash asks the person at the terminal.

CUT='' AGENT_PID='' END='' HEAD='' TREE='' STAMP='' WATCHED=()

# turn VERB ...: asks wisp-turn, or the program TURN; its lines key=value become F_key. Ends the loop where it fails.
turn()
{
	local line out name rc=0

	for name in ${!F_@}; do
		unset "$name"
	done
	out=$(
		trap '' INT HUP TERM
		exec "${TURN:-wisp-turn}" -C "$DIR" "$@" 9>&-
	) || rc=$?
	((rc == 0)) || loop_fail "$rc"
	while IFS= read -r line; do
		if [[ $line == *=* ]]; then
			printf -v "F_${line%%=*}" '%s' "${line#*=}"
		fi
	done <<<"$out"
}

# tell TEXT...: a closed terminal must not end the loop; what cannot be shown is not shown.
tell()
{
	printf '%s\n' "$*" 2>/dev/null || :
}

# loop_fail CODE: the loop ends with it, whatever the record says.
loop_fail()
{
	END=$1
	exit "$1"
}

# --- people who are elsewhere ----------------------------------------------

# notify EVENT: runs notify.command with the event, the state as JSON on its stdin; off the loop's path.
notify()
{
	[[ -n $NOTIFY ]] || return 0
	(
		trap '' INT TERM HUP
		ask -C "$DIR" status --json >"$STATE/notify.json" || exit 0
		exec wisp-agent run --keep-env --format text --timeout 30s --prompt "$STATE/notify.json" \
			--log "$STATE/notify.log" --result "$STATE/notify.step.json" -- sh -c "$NOTIFY" wisp-notify "$1"
	) </dev/null >/dev/null 2>&1 8>&- 9>&- || :
}

notify_end()
{
	case $END in
	"$EXIT_OK") notify completed ;;
	"$EXIT_INPUT") notify needs_input ;;
	"$EXIT_BLOCKED") notify blocked ;;
	"$EXIT_STUCK") [[ -n $NOTIFIED ]] || notify stuck ;;
	"$EXIT_LIMIT" | "$EXIT_WAIT") notify limit ;;
	"$EXIT_AGENT") notify agent ;;
	esac
}

# --- acting ----------------------------------------------------------------

# A question: waited for where somebody may answer, else the loop ends with 10.
act_ask()
{
	if [[ -n $ASK ]] && look_again "$DIR/response.json" "$STATE/requests"; then
		return 0
	fi
	tell ""
	tell "  The agent asks: $F_question"
	tell "  Answer with:    wisp answer $BRANCH TEXT"
	[[ -z ${F_text-} ]] || tell "  (not an answer yet: $F_text)"
	if [[ -z $ASK ]]; then
		END=$F_exit
		return 0
	fi
	notify needs_input
	tell "wisp: waiting for the answer${INPUT_TIMEOUT:+, for $INPUT_TIMEOUT at most}"
	if ! wait_changed ${INPUT_TIMEOUT:+--for "$INPUT_TIMEOUT"} && [[ -z $CUT ]]; then
		input_over
	fi
	[[ -n $END ]] || restore
}

# Nobody answered in time (input.onTimeout): the loop ends, or the answer is what was set for this case.
input_over()
{
	case $INPUT_THEN in
	pause) END=$EXIT_INPUT ;;
	continue) ask -C "$DIR" answer 'nobody answered in time: decide yourself, and note it in divergence.md' >/dev/null ;;
	*) ask -C "$DIR" answer "$INPUT_THEN" >/dev/null ;;
	esac
}

act_wait()
{
	look_again "$STATE/requests" || wait_limit
}

# Before the first step, with every task passing: does verify hold? Then nothing is to be done.
act_check()
{
	local verify=none

	wisp-turn -C "$DIR" commands --configured 9>&- >"$SCRATCH/commands" || loop_fail $?
	if [[ -s $SCRATCH/commands ]]; then
		verify=passed
		verify_tree "$DIR/steps/0000" || verify=failed
		[[ -z $CUT ]] || return 0 # cut off is no answer: the next start asks again
	fi
	turn checked "$verify"
	if [[ $F_act == completed ]]; then
		END=0
	fi
}

# After a step: on with the loop, or its end.
act_judged()
{
	local delay=${F_delay:-0}

	case $F_action in
	continue | retry)
		if [[ -n $PLAN && $F_action == continue ]]; then
			END=0
			return 0
		fi
		if [[ $F_tree == put-away ]]; then
			PENDING=$ITERATION
		fi
		if [[ $F_tree == put-away || $RESTORE == always ]]; then
			restore
		fi
		if ((delay > 0)); then
			tell "wisp: waiting $((delay / 1000)) s before the next step"
			wait_for --for "${delay}ms" "$STATE/requests" || :
		fi
		;;
	wait | ask) ;;
	*) END=$F_exit ;;
	esac
}

loop_run()
{
	[[ ${NEXT-} != judge ]] || {
		judge
		act_judged
	}
	[[ -n $END ]] || restore
	while [[ -z $END ]]; do
		[[ -z $CUT ]] || {
			turn end --signal "$CUT"
			END=$F_exit
			break
		}
		turn begin --head "$HEAD" --tree "$TREE" ${WAIT:+--wait} ${PLAN:+--plan}
		case $F_act in
		step)
			run_step
			judge
			act_judged
			;;
		judge)
			judge
			act_judged
			;;
		check) act_check ;;
		ask) act_ask ;;
		wait) act_wait ;;
		stop)
			stop_hour || {
				tell "wisp: $F_text"
				END=$F_exit
			}
			;;
		esac
	done
}

# shellcheck source=lib/loop-supervise.bash
source "${BASH_SOURCE[0]%/*}/loop-supervise.bash"
# shellcheck source=lib/loop-tree.bash
source "${BASH_SOURCE[0]%/*}/loop-tree.bash"
# shellcheck source=lib/loop-step.bash
source "${BASH_SOURCE[0]%/*}/loop-step.bash"
# shellcheck source=lib/loop-menu.bash
source "${BASH_SOURCE[0]%/*}/loop-menu.bash"
