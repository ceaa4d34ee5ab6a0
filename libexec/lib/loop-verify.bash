# loop-verify.bash: verify on what the agent left, and the commit of just that. Sourced
# by loop.bash, whose head says what the variables are. docs/checkpoints.md has the rule.
#
#	WORKED		the tree that verify ran on last, and that is committed
#	WORK_CREDITED	the tree as the agent left it
#	LISTED		the tree whose changes since TREE are in SCRATCH/files

WORKED='' LISTED=''

# work_before OPTION...: what is in the work tree before anything is run there.
work_before()
{
	local branch=''

	[[ $WORKTREE != "$PROJECT" ]] || branch=$BRANCH
	git_before "$WORKTREE" "$TREE" "$SESSION_ID/$ITERATION" "$branch" "$@"
	WORKED=$OBS_TREE LISTED=$OBS_TREE
}

# verify_work OPTION...: VERIFY is what verify says of the work. Where it passes and changed files
# that were there, as a formatter does, it runs once more, on what it left; what it then
# changes again is its own.
verify_work()
{
	VERIFY=passed
	verify_commands "$STEP_DIR" || VERIFY=failed
	[[ -z $CUT ]] || return 0
	git_after "$WORKTREE" --verify "$VERIFY" "$@"
	[[ -n $WORK_AGAIN ]] || return 0
	tell "wisp: verify changed $WORK_AGAIN: verifying what it left"
	WORKED=$OBS_TREE
	verify_commands "$STEP_DIR" || VERIFY=failed
	[[ -n $CUT ]] || git_after "$WORKTREE" "$@"
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

	call wisp-state checking --commands "$SCRATCH/commands"
	SEAL=$F_seal
	commands_read
	verify_commands "$1" || rc=$?
	call wisp-state checking --seal "$SEAL"
	SEAL=''
	[[ $SAVE == true && -z $CUT ]] || return "$rc"
	WORK_CREDITED=$OBS_TREE
	git_after "$WORKTREE" --fresh --verify failed --end
	work_noted
	return "$rc"
}
