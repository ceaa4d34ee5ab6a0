# loop-tree.bash: what becomes of the work tree before a step, and whether it
# holds. Sourced by loop.bash, whose head says what the variables are.

# The work tree as it is: OBS_HEAD and OBS_TREE; without checkpoints HEAD alone,
# and the names of what is not committed in SCRATCH/files.
observe()
{
	if [[ $SAVE == true ]]; then
		git_observe "$WORKTREE"
	else
		git_look "$WORKTREE" "$SCRATCH/files"
	fi
}

# What is to become of the work tree before the next step; HEAD and TREE are then as it is.
restore()
{
	local again=''

	git_home "$WORKTREE" "$BRANCH"
	[[ -z $REPLY ]] || tell "wisp: $REPLY"
	if [[ -n $FIRST && $SAVE == true ]]; then
		git_observe_since "$WORKTREE" '' '' "$BRANCH" 0 "$SESSION_ID" || exit "$EXIT_SYS"
		FIRST=$REPLY HEAD=$OBS_HEAD TREE=$OBS_TREE PENDING=''
		return 0
	fi
	FIRST=''
	observe
	if [[ $SAVE != true ]]; then
		call wisp-state restored --did keep --head "$OBS_HEAD"
		HEAD=$OBS_HEAD TREE='' PENDING=''
		return 0
	fi
	if [[ -n ${PENDING-} ]]; then
		git_ref failed "$BRANCH" "$PENDING"
		if git_quiet rev-parse -q --verify "$REPLY" >/dev/null; then
			again=--again
		fi
	fi
	call wisp-state restore --head "$OBS_HEAD" --tree "$OBS_TREE" $again
	case $F_do in
	none) ;;
	first) restored_checkpoint first 0 ;;
	adopt) restored_checkpoint adopt "$F_last" ;;
	put-away) put_away "$F_n" "$F_checkpoint" ;;
	drop) drop_left "$F_last" "$F_checkpoint" ;;
	keep)
		# Where submodules are shows in no tree.
		[[ -z ${F_n-} || $RESTORE == never ]] || git_submodules_back "$WORKTREE" "$BRANCH" "$F_checkpoint"
		call wisp-state restored --did keep --head "$OBS_HEAD" --tree "$OBS_TREE"
		;;
	esac
	HEAD=$OBS_HEAD TREE=$OBS_TREE PENDING=''
}

# restored_checkpoint first|adopt N: the tree as it is becomes checkpoint N, the very
# first one, or what a person left.
restored_checkpoint()
{
	local args=()

	[[ $1 != adopt ]] || args=("$F_checkpoint" "$SCRATCH/files")
	git_checkpoint "$WORKTREE" "$BRANCH" "$2" "$SESSION_ID" ${args[@]+"${args[@]}"}
	args=()
	[[ -z $CK_COMMIT ]] || args=(--files "$SCRATCH/files")
	call wisp-state restored --did "$1" --head "$OBS_HEAD" --tree "$OBS_TREE" --commit "$REPLY" ${args[@]+"${args[@]}"}
	if [[ $1 == adopt && ${F_changed:-0} != 0 ]]; then
		tell "wisp: imported external changes: $F_changed files: $F_names"
	fi
}

# drop_left N CHECKPOINT, with checkpoint.restore=always: what a good step left
# uncommitted stays in its checkpoint alone.
drop_left()
{
	local tree=$OBS_TREE ref

	git_restore_always "$WORKTREE" "$BRANCH" "$1" "$SESSION_ID" "$2"
	git_ref checkpoints "$BRANCH" "$1"
	ref=${PUT_REF:-$REPLY}
	call wisp-state restored --did drop --head "$OBS_HEAD" --tree "$OBS_TREE"
	[[ $OBS_TREE == "$tree" ]] || tell "wisp: what was left uncommitted was put away: git show $ref"
}

# put_away N CHECKPOINT: a failed step's work goes to refs/wisp/failed; with its
# commits, where verify fails on them.
put_away()
{
	local did=put-away commits ref rc=0

	git_put_away "$WORKTREE" "$BRANCH" "$1" "$SESSION_ID" "$2" || rc=$?
	case $rc in
	0) ;;
	1)
		tell "wisp: the checkpoint is gone: what iteration $1 left stays as it is"
		call wisp-state restored --did keep --head "$OBS_HEAD" --tree "$OBS_TREE"
		return 0
		;;
	*) loop_fail "$EXIT_SYS" ;;
	esac
	commits=$PUT_COMMITS ref=$PUT_REF
	if [[ -z $commits ]]; then
		:
	elif verify_tree "$DIR/steps/restore"; then
		git_observe "$WORKTREE"
	else
		# Cut off is no answer: the record still asks for it, and the next start verifies again.
		[[ -z $CUT ]] || return 0
		git_reset_to "$WORKTREE" "$BRANCH" "$1" "$SESSION_ID" "$2"
		did=reset commits=''
	fi
	call wisp-state restored --did "$did" --head "$OBS_HEAD" --tree "$OBS_TREE" --ref "$ref" --commits "$commits"
	tell "wisp: the work of iteration $1 was put away: git show $ref"
}

# commands_read: COMMANDS are those in SCRATCH/commands, a NUL after each: all of them, before the first one runs.
COMMANDS=()
commands_read()
{
	local command

	COMMANDS=()
	while IFS= read -r -d '' command; do
		COMMANDS+=("$command")
	done <"$SCRATCH/commands"
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
	files_remove "$dir/verify.log"
	FAILED_COMMAND=''
	for command in ${COMMANDS[@]+"${COMMANDS[@]}"}; do
		files_remove "$dir/verify.json" # that of the command before is no answer to this one
		live_start "$dir/verify.log" --title "verify: $command"
		rc=0
		supervise --fail --format text "${VERIFY_OPTIONS[@]}" \
			--log "$dir/verify.log" --result "$dir/verify.json" \
			${STEP_MARK[@]+"${STEP_MARK[@]}"} -- sh -c "$command" || rc=$?
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

	folder_make "$dir"
	files_remove "$dir/metrics" "$dir/metrics.json" "$dir/metrics.log"
	supervise --format text "${VERIFY_OPTIONS[@]}" --output "$dir/metrics" \
		--log "$dir/metrics.log" --result "$dir/metrics.json" -- sh -c "$METRICS" || supervisor_lost $?
	tree_home
	# Cut off is no answer: the step is looked at again.
	[[ -z $CUT ]] || return 0
	call wisp-filter observed ${SEAL:+--seal "$SEAL"} --metrics "$dir/metrics"
	SEAL='' # it is another one by now, and nothing else runs
}
