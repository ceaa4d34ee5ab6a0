# git-work.bash: what in a work tree is the agent's work, and what is not: files that a
# check wrote, or that worktree.copy and worktree.setup put there.
# Sourced by git.bash, whose head says what W, B, N, K and ID are.
#
# What they are is wisp-tree's to say (src/tree/work.c has the rule, and what the list is like that stays).

# W TREE STEP B|'' OPTION...: the work tree before a check runs in it, for the step SESSION/N; in a person's checkout B is its
# branch. WORK_CREDITED is the tree as the agent left it. The lists are in SCRATCH, the one that stays is STATE/not-work;
# WORK_DIFF says by which of them the end of the step may go.
git_before()
{
	local W=$1 since=$2 step=$3 branch=$4

	shift 4
	WORK_CREDITED='' WORK_AGAIN='' WORK_WROTE='' WORK_DIFF=''
	git__observe before "$W" ${since:+--since "$since"} --step "$step" ${branch:+--branch "$branch"} \
		--work "$SCRATCH" --not-work "$STATE/not-work" "$@"
}

# W OPTION...: and after it has run on the tree that was seen last. WORK_AGAIN: what verify changed, where it runs once more;
# WORK_WROTE: what is not work from now on, and no person has heard of; it is in SCRATCH/news.
git_after()
{
	local W=$1 before=$OBS_TREE

	shift
	WORK_AGAIN='' WORK_WROTE=''
	git__observe after "$W" --tree "$before" --credited "$WORK_CREDITED" --work "$SCRATCH" --not-work "$STATE/not-work" "$@"
}

# W VERIFY OPTION...: the same where what has run is verify, which has said VERIFY, and what `wisp-tasks reconcile` makes of
# that: F_*. With WORK_AGAIN nothing is made of it yet; --again says that it has run once more.
git_reconcile()
{
	local W=$1 verify=$2 before=$OBS_TREE

	shift 2
	WORK_AGAIN='' WORK_WROTE=''
	git__observe reconcile "$W" "$verify" --tree "$before" --credited "$WORK_CREDITED" \
		--work "$SCRATCH" --not-work "$STATE/not-work" "$@"
}

# FILE OPTION...: the list in it loses what is no work; REPLY is that, in words, and GIT_FEW a few of the others.
git_apart()
{
	local file=$1

	shift
	git__tree apart --files "$file" "$@"
}

# W KINDS: clears flags of the index that hide files from git: `assumed`, `skipped`.
git_flags_clear()
{
	git_use "$1" && git__tree unhide --flags "$2"
}
