# loop-tree.bash: what becomes of the work tree before a step. Sourced by
# loop.bash, whose head says what the variables are.

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
	keep | modules)
		[[ $F_do == keep ]] || git_submodules_back "$WORKTREE" "$BRANCH" "$F_checkpoint"
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
