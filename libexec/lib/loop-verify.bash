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
	RECORD_ARGS+=(--wrote "$SCRATCH/news")
}

# verify_tree DIR: does the tree that was seen last hold? For a restore and before the first step.
verify_tree()
{
	local rc=0 RECORD_ARGS=()

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

# What verify ran on and HEAD lacks: the end of a session is no verified commit then.
work_rest()
{
	[[ $VERIFY == passed && $STATUS_CLAIM == DONE ]] || return 0
	git_uncommitted "$WORKTREE" "$WORKED" "$SCRATCH/own" "$SCRATCH/rest"
	[[ ! -s $SCRATCH/rest ]] || RECORD_ARGS+=(--rest "$SCRATCH/rest")
}

# commit_left MESSAGE_FILE: a task passed and its work was left uncommitted: wisp commits
# what was verified. What the agent can mend goes into the next prompt; where git itself
# fails twice, the loop ends: the next start verifies and commits.
commit_left()
{
	local try rc

	for try in 1 2; do
		rc=0
		git_fallback_commit "$WORKTREE" "$BRANCH" "$1" "Wisp-Step: $SESSION_ID/$ITERATION" \
			"$SCRATCH/own" "$WORKED" || rc=$?
		((rc > 2)) || break
	done
	case $rc in
	0) ;;
	1)
		tell "wisp: what the agent left could not be committed: $REPLY"
		RECORD_ARGS+=(--uncommitted "$REPLY")
		;;
	2)
		tell "wisp: what the agent left is not committed: it deletes $REPLY"
		cp -- "$DELETED_FILE" "$SCRATCH/deleted" || loop_fail "$EXIT_SYS"
		RECORD_ARGS+=(--deletes "$REPLY" --deleted "$SCRATCH/deleted")
		STATE_VERDICT=invalid
		;;
	*)
		tell "wisp: what the agent left could not be committed: git failed $try times" \
			"(wisp resume verifies and commits it)"
		loop_fail "$EXIT_SYS"
		;;
	esac
}
