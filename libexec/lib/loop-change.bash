# loop-change.bash: a task list that a step made, or changed: with a person's yes it is
# the list. Sourced by loop.bash, whose head says what the variables are.
#
#	change_due      a start: what of a change is under way goes on
#	plan_over       a step about the list has ended: on with the loop
#
# CHANGE is set where this very command asked for one (change.bash).

CHANGE='' opt_yes=''

# With the answer of `wisp-state start`. Without a terminal and --yes no agent is paid for a list that no person can
# confirm, and one that waits does not keep the loop from its tasks.
change_due()
{
	[[ -n $F_change ]] || return 0
	if [[ $F_change_yes == no && -z $opt_yes && $NEXT != judge ]] && ! on_terminal; then
		if [[ -z $CHANGE ]]; then
			tell "wisp: a changed task list waits for a yes: wisp resume $TYPED --yes"
			return 0
		elif [[ $F_change_stage != proposed ]]; then
			change_unconfirmed
			return 0
		fi
	fi
	PLAN=$F_change
	# Its step has been judged: what is left is to ask the person.
	[[ $F_change_stage != proposed || $NEXT == judge ]] || END=0
}

plan_over()
{
	while [[ $END == 0 && -n $PLAN ]]; do
		change_settle
		[[ $END == 0 && (-n $PLAN || -z $PLAN_ONLY) ]] || return 0
		END='' NEXT=''
		loop_run
	done
}

# Sets PLAN to what the next step is to be about, empty for the work; END where the loop ends.
change_settle()
{
	local kind

	PLAN=''
	call wisp-session change look
	kind=$F_change
	case $F_change_stage in
	asked)
		# The step that was judged belonged to a change that this one has taken the place of.
		PLAN=$kind
		return 0
		;;
	proposed) ;;
	*) return 0 ;;
	esac
	if [[ $F_differences == 0 ]]; then
		tell "wisp: the tasks stay as they are"
	else
		change_show "$kind"
		change_confirmed || return 0
	fi
	call wisp-session change take
	if [[ $F_act == stale ]]; then
		tell "wisp: the tasks are others by now: the agent is asked again"
		PLAN=$kind
	fi
}

change_show()
{
	local text

	text=$(wisp-session -C "$DIR" change show 9>&-) || loop_fail $?
	tell "wisp: what the $1 changes in the task list of $BRANCH:"
	tell "$text"
}

change_unconfirmed()
{
	tell "wisp: nothing is changed yet: a person has to say yes (wisp resume $TYPED --yes, or at a terminal without it)"
	call wisp-session change wait
	END=$EXIT_INPUT
}

# With the answer of `wisp-session change look`: 0 if a person says yes; else END is set.
change_confirmed()
{
	[[ $F_change_yes == no && -z $opt_yes ]] || return 0
	if ! on_terminal; then
		change_unconfirmed
		return 1
	fi
	tell 'wisp: change it so? [y/n]'
	wait_shown --keys yn "$STATE/requests" || :
	if [[ -n $CUT ]]; then
		call wisp-state end --signal "$CUT"
		END=$F_exit
		return 1
	fi
	case $KEY in
	y) return 0 ;;
	n)
		call wisp-session change drop
		tell "wisp: the task list stays as it was"
		;;
	*) call wisp-session change wait ;;
	esac
	END=$EXIT_PAUSED
	return 1
}
