# loop-verify.bash: verify on what the agent left, and the commit of just that. Sourced
# by loop.bash, whose head says what the variables are. docs/checkpoints.md has the rule.
#
#	WORKED		the tree that verify ran on last, and that is committed
#	CREDITED	the tree as the agent left it
#	LISTED		the tree whose changes since TREE are in SCRATCH/files
#	SCRATCH/own	names in WORKED that are not the agent's work
#	SCRATCH/wrote	what verify and verify.metrics wrote in this step

WORKED='' CREDITED='' LISTED=''

# The list of what is not work lies beside the record, out of the work tree.
not_work_file()
{
	NOT_WORK=$STATE/not-work
}

# What is in the work tree before anything is run there.
work_before()
{
	not_work_file
	git_work "$WORKTREE" "$TREE" "$SCRATCH/files"
	WORKED=$OBS_TREE CREDITED=$OBS_TREE LISTED=$OBS_TREE
	git_not_work "$WORKTREE" "$NOT_WORK" "$OBS_TREE" "$SCRATCH/own"
	git_renormalized "$WORKTREE" "$OBS_TREE" "$SCRATCH/dirt"
	git_names_join "$SCRATCH/own" "$SCRATCH/own" "$SCRATCH/dirt"
	if [[ $WORKTREE == "$PROJECT" ]] && git_dirt "$WORKTREE" "$BRANCH" 0 "$SCRATCH/dirt"; then
		git_names_join "$SCRATCH/own" "$SCRATCH/own" "$SCRATCH/dirt"
	fi
	: >"$SCRATCH/wrote"
	work_cut_off
}

# The tree before verify is noted: one that was cut off has written files, too, when the
# next start verifies the step again.
work_cut_off()
{
	local step='' tree=''

	[[ ! -s $NOT_WORK.before ]] || IFS=' ' read -r step tree <"$NOT_WORK.before" || :
	if [[ $step == "$SESSION_ID/$ITERATION" ]] && git_quiet cat-file -e "$tree^{tree}" 2>/dev/null; then
		git_wrote "$WORKTREE" "$tree" "$OBS_TREE" "$SCRATCH/own" "$SCRATCH/new" "$SCRATCH/changed"
		wrote "$SCRATCH/new"
		git_names_join "$SCRATCH/own" "$SCRATCH/own" "$SCRATCH/new"
		CREDITED=$tree
	else
		printf '%s %s\n' "$SESSION_ID/$ITERATION" "$OBS_TREE" >"$NOT_WORK.before" || loop_fail "$EXIT_SYS"
	fi
}

# work_after: something was run in the tree that was seen last; SCRATCH/new and SCRATCH/changed say what it did.
work_after()
{
	local before=$OBS_TREE

	git_observe "$WORKTREE"
	git_wrote "$WORKTREE" "$before" "$OBS_TREE" "$SCRATCH/own" "$SCRATCH/new" "$SCRATCH/changed"
}

# wrote LIST...: the names in these are not work from now on.
wrote()
{
	git_names_join "$SCRATCH/wrote" "$SCRATCH/wrote" "$@"
}

# verify_work: VERIFY is what verify says of the work. Where it passes and changed files
# that were there, as a formatter does, it runs once more, on what it left; what it then
# changes again is its own.
verify_work()
{
	VERIFY=passed
	verify_commands "$STEP_DIR" || VERIFY=failed
	[[ -z $CUT ]] || return 0
	work_after
	wrote "$SCRATCH/new"
	[[ $VERIFY == passed && -s $SCRATCH/changed ]] || return 0
	git_names_shown "$SCRATCH/changed"
	tell "wisp: verify changed $REPLY: verifying what it left"
	git_names_join "$SCRATCH/own" "$SCRATCH/own" "$SCRATCH/new"
	WORKED=$OBS_TREE
	verify_commands "$STEP_DIR" || VERIFY=failed
	[[ -z $CUT ]] || return 0
	work_after
	wrote "$SCRATCH/new" "$SCRATCH/changed"
}

# What was run has left files: they are not the agent's, and a person hears of each once.
work_noted()
{
	[[ -s $SCRATCH/wrote || -s $SCRATCH/own && $OBS_TREE != "$CREDITED" ]] || return 0
	git_not_work_names "$NOT_WORK" "$SCRATCH/known"
	git__minus "$SCRATCH/wrote" "$SCRATCH/known" "$SCRATCH/news"
	git_names_join "$SCRATCH/known" "$SCRATCH/own" "$SCRATCH/wrote"
	git_not_work_is "$NOT_WORK" "$OBS_TREE" "$SCRATCH/known"
	[[ -s $SCRATCH/news ]] || return 0
	git_names_shown "$SCRATCH/news"
	tell "wisp: verify wrote $REPLY: not committed (add it to .gitignore, or commit it)"
	RECORD_ARGS+=(--wrote "$SCRATCH/news")
}

# Without checkpoints: what is uncommitted, but for what is not work.
files_of_work()
{
	git_names_join "$SCRATCH/known" "$SCRATCH/own" "$SCRATCH/wrote"
	git_names_join "$SCRATCH/files" "$SCRATCH/files"
	git__minus "$SCRATCH/files" "$SCRATCH/known" "$SCRATCH/new"
	mv -f -- "$SCRATCH/new" "$SCRATCH/files"
}

# verify_tree DIR: does the tree that was seen last hold? For a restore and before the first step.
verify_tree()
{
	local rc=0 RECORD_ARGS=()

	turn checking
	SEAL=$F_seal
	verify_commands "$1" --configured || rc=$?
	turn checking --seal "$SEAL"
	SEAL=''
	[[ $SAVE == true && -z $CUT ]] || return "$rc"
	not_work_file
	CREDITED=$OBS_TREE
	git_not_work "$WORKTREE" "$NOT_WORK" "$OBS_TREE" "$SCRATCH/own"
	: >"$SCRATCH/wrote"
	work_after
	wrote "$SCRATCH/new"
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
			"$SCRATCH/own" "$HEAD" "$WORKED" || rc=$?
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
