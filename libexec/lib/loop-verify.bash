# loop-verify.bash: verify on what the agent left, and the commit of just that. Sourced
# by loop.bash, whose head says what the variables are. docs/checkpoints.md has the rule.
#
#	WORKED		the tree that verify ran on last, and that is committed
#	WORK_CREDITED	the tree as the agent left it
#	LISTED		the tree whose changes since TREE are in SCRATCH/files

WORKED='' LISTED=''

# What is in the work tree before anything is run there, or where nothing is.
work_before()
{
	local branch='' end=''

	[[ -z $WORKED ]] || return 0
	[[ $WORKTREE != "$PROJECT" ]] || branch=$BRANCH
	[[ $due != commit ]] || end=--end
	git_before "$WORKTREE" "$TREE" "$SESSION_ID/$ITERATION" "$branch" ${end:+"$end"}
	WORKED=$OBS_TREE LISTED=$OBS_TREE
}

# verify_work: what verify says of the work; the claims stand or go back for it, due and note are what is answered. Where it
# passes and changed files that were there, as a formatter does, it runs once more, on what it left; what it then changes
# again is its own. So it does where tests failed (verify.retries).
verify_work()
{
	work_before
	tell "wisp: verifying"
	verify_once
	[[ -z $CUT && -n $WORK_AGAIN ]] || return 0
	tell "wisp: verify $WORK_AGAIN"
	WORKED=$OBS_TREE
	verify_once --again
}

verify_once()
{
	local rc=0 said=passed

	verify_commands "$STEP_DIR" || said=failed
	[[ -z $CUT ]] || return 0
	git_reconcile "$WORKTREE" "$said" ${SEAL:+--seal "$SEAL"} "$@" || rc=$?
	((rc == 0)) || loop_fail "$rc"
	[[ -n $WORK_AGAIN ]] || SEAL=$F_seal due=$F_due note=$F_note
}

# What was run has left files: they are not the agent's, and a person hears of each once.
work_noted()
{
	[[ -n $WORK_WROTE ]] || return 0
	tell "wisp: verify wrote $WORK_WROTE: not committed (add it to .gitignore, or commit it)"
	NEWS=(--wrote "$SCRATCH/news")
}

# verify_tree DIR: does the tree that was seen last hold? For a restore and before the first step.
verify_tree()
{
	local rc=0 NEWS=()

	call wisp-state checking
	SEAL=$F_seal
	commands_take
	verify_commands "$1" || rc=$?
	call wisp-state checking --seal "$SEAL"
	SEAL=''
	[[ $SAVE == true && -z $CUT ]] || return "$rc"
	WORK_CREDITED=$OBS_TREE
	git_after "$WORKTREE" --fresh --verify failed --end
	work_noted
	return "$rc"
}

# commands_take: COMMANDS are those that were answered: all of them, before the first one runs.
COMMANDS=()
commands_take()
{
	COMMANDS=(${COMMANDS_SAID[@]+"${COMMANDS_SAID[@]}"})
}

# verify_commands DIR: runs COMMANDS; 0 if all hold. The output is DIR/verify.log.
verify_commands()
{
	local rc=0

	verify_listed "$1" || rc=$?
	tree_home
	return "$rc"
}

# What was run in the work tree may have changed HEAD, or the branch: a commit would go elsewhere.
tree_home()
{
	if ! git_use "$WORKTREE" || ! git_branch_own "$BRANCH" || ! git_home "$WORKTREE" "$BRANCH"; then
		loop_fail "$EXIT_SYS"
	fi
	[[ -z $REPLY ]] || tell "wisp: $REPLY"
}

# The same where it does not matter what became of the work tree; FAILED_COMMAND is the one that does not hold.
verify_listed()
{
	local dir=$1 command rc

	folder_make "$dir"
	files_remove "$dir/verify.log" "$dir/verify.runs"
	FAILED_COMMAND=''
	confine --session "$DIR"
	for command in ${COMMANDS[@]+"${COMMANDS[@]}"}; do
		files_remove "$dir/verify.json" # that of the command before is no answer to this one
		live_start "$dir/verify.log" --title "verify: $command"
		rc=0
		WISP_STEP_ENV=$VERIFY_ENV supervise --fail --format text "${VERIFY_OPTIONS[@]}" \
			--log "$dir/verify.log" --result "$dir/verify.json" --runs "$dir/verify.runs" \
			${STEP_MARK[@]+"${STEP_MARK[@]}"} "${CONFINED[@]}" sh -c "$command" || rc=$?
		((rc <= 1)) || outcome_lost "$rc" "$dir/verify.json"
		live_stop
		((rc == 0)) || {
			FAILED_COMMAND=$command
			return 1
		}
	done
}

# outcome_lost STATUS RESULT: that is not the status of wisp-agent, which was lost: rc is what the result says.
outcome_lost()
{
	supervisor_lost "$1"
	rc=0
	wisp-session outcome "$2" || rc=$?
	((rc <= 1)) || loop_fail "$rc"
}

# observe_metrics DIR: what the controller counts itself: over the tests that verify printed what verify.metrics prints.
# Its standard output has a file of its own, so that no warning comes between what programs read.
observe_metrics()
{
	local dir=$1

	work_before
	folder_make "$dir"
	files_remove "$dir/metrics" "$dir/metrics.json" "$dir/metrics.log"
	confine --session "$DIR"
	WISP_STEP_ENV=$VERIFY_ENV supervise --format text "${VERIFY_OPTIONS[@]}" --output "$dir/metrics" \
		--log "$dir/metrics.log" --result "$dir/metrics.json" "${CONFINED[@]}" sh -c "$METRICS" || supervisor_lost $?
	tree_home
	# Cut off is no answer: the step is looked at again.
	[[ -n $CUT ]] || {
		call wisp-filter observed ${SEAL:+--seal "$SEAL"} --metrics "$dir/metrics"
		SEAL='' due=$F_due note=$F_note # the seal is another one by now, and nothing else runs
	}
	git_after "$WORKTREE" --end
}
