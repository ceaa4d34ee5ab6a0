# loop.bash: the loop of one session: begin, step, verify, judge, record, act.
#
# Sourced after session.bash. bash sequences and waits; what is decided is
# decided by wisp-state and the other utilities (docs/loop.md). Its answers are read into variables F_* (call.bash).
#
#	loop_run      runs until there is a reason to stop; sets END to the exit code
#
# Reads: PROJECT BRANCH DIR STATE WORKTREE TEMPLATE_DIR AGENT AGENT_COMMAND AGENT_FORMAT AGENT_ARGS AGENT_ENV
#        MODEL PERMISSIONS PLAN (plan: steps make the task list; update, review: they change it)
#        ONCE (1) WAIT (1: limits are waited for) ASK (1: questions are)
#
# loop-supervise.bash starts programs and receives signals, loop-tree.bash restores
# the work tree, loop-verify.bash verifies a step's work, loop-step.bash is one iteration, loop-left.bash
# what a step left beside its work tree, loop-sandbox.bash has what confines it, loop-change.bash has a changed task list taken, loop-live.bash shows what a step does,
# loop-menu.bash asks the person at the terminal, loop-people.bash those who are elsewhere.

CUT='' AGENT_PID='' STEP_MARK=() STEPPING='' END='' HEAD='' TREE='' SEAL='' STAMP='' WATCHED=()
FIRST='' # no loop has had the work tree: then the commit of its first checkpoint, for `begin`

# tell TEXT...: a closed terminal must not end the loop; what cannot be shown is not shown. Control characters, which an
# agent may have put into a name, become `?`.
# A trap has the redirections of what it comes in, such as the file that git's answer goes to: there OUT is 4.
OUT=1
tell()
{
	local line text=$* lines=''

	while [[ $text == *$'\n'* ]]; do
		line=${text%%$'\n'*} text=${text#*$'\n'}
		lines+=${line//[[:cntrl:]]/?}$'\n'
	done
	[[ -z $IN_PLACE ]] || printf '\r\033[K' 2>/dev/null 1>&"$OUT" || :
	printf '%s\n' "$lines${text//[[:cntrl:]]/?}" 2>/dev/null 1>&"$OUT" || :
}

# loop_fail CODE: the loop ends with it, whatever the record says.
loop_fail()
{
	# Told to end, it is for that. on_exit records the signal.
	[[ -z $CUT ]] || exit "$1"
	END=$1
	notify failed
	exit "$1"
}

# --- acting ----------------------------------------------------------------

act_wait()
{
	look_again "$STATE/requests" ${F_pool:+"$F_pool"} || wait_limit
}

# Before the first step, with every task passing: does verify hold? Then nothing is to be done.
act_check()
{
	local verify=none

	if [[ ${#COMMANDS_SAID[@]} -gt 0 ]]; then
		verify=passed
		tell "wisp: verifying"
		verify_tree "$DIR/steps/0000" || verify=failed
		[[ -z $CUT ]] || return 0 # cut off is no answer: the next start asks again
		TREE=${TREE:+$OBS_TREE}
	fi
	call wisp-state checked "$verify"
	if [[ $F_act == completed ]]; then
		END=0
	fi
}

# After a step: on with the loop, or its end.
act_judged()
{
	local delay=${F_delay:-0}

	STEPPING=''
	case $F_action in
	continue | retry)
		if [[ -n $F_plan && $F_action == continue ]]; then
			PLAN=$F_plan END=0
			return 0
		fi
		[[ $F_due != restore ]] || {
			PENDING=$F_pending
			restore
		}
		if ((delay > 0)); then
			tell "wisp: waiting $((delay / 1000)) s before the next step"
			wait_delay "$delay"
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
		# A step that is begun is ended as one that was cut off.
		[[ -z $CUT || -n $BEGUN ]] || {
			call wisp-state end --signal "$CUT"
			END=$F_exit
			break
		}
		if [[ -n $BEGUN ]]; then
			answered "$BEGUN"
			BEGUN=''
		else
			call wisp-state begin --head "$HEAD" --tree "$TREE" ${FIRST:+--first "$FIRST"} ${WAIT:+--wait} ${PLAN:+--plan "$PLAN"} --template "$TEMPLATE_DIR" || : # no step begins: act= says why
			FIRST=''
		fi
		[[ -z $F_adopted ]] || tell "wisp: imported external changes: tasks: $F_adopted"
		case $F_act in
		step | judge)
			[[ $F_act == judge ]] || run_step
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

# shellcheck source=lib/call.bash
source "${BASH_SOURCE[0]%/*}/call.bash"
# shellcheck source=lib/loop-supervise.bash
source "${BASH_SOURCE[0]%/*}/loop-supervise.bash"
# shellcheck source=lib/loop-tree.bash
source "${BASH_SOURCE[0]%/*}/loop-tree.bash"
# shellcheck source=lib/loop-verify.bash
source "${BASH_SOURCE[0]%/*}/loop-verify.bash"
# shellcheck source=lib/loop-step.bash
source "${BASH_SOURCE[0]%/*}/loop-step.bash"
# shellcheck source=lib/loop-sandbox.bash
source "${BASH_SOURCE[0]%/*}/loop-sandbox.bash"
# shellcheck source=lib/loop-left.bash
source "${BASH_SOURCE[0]%/*}/loop-left.bash"
# shellcheck source=lib/loop-change.bash
source "${BASH_SOURCE[0]%/*}/loop-change.bash"
# shellcheck source=lib/loop-live.bash
source "${BASH_SOURCE[0]%/*}/loop-live.bash"
# shellcheck source=lib/loop-menu.bash
source "${BASH_SOURCE[0]%/*}/loop-menu.bash"
# shellcheck source=lib/loop-people.bash
source "${BASH_SOURCE[0]%/*}/loop-people.bash"
