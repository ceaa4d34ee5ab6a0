# git-commit.bash: wisp's commits on the branch.
# Sourced by git.bash, whose head says what W, B, N, K and ID are.

# W B MESSAGE_FILE TRAILER [SKIP_FILE [TREE]]: commits TREE (default: the work
# tree as it is) as the user. What is in .wisp/ and in the NUL-separated paths of SKIP_FILE,
# sorted, stays as HEAD has it. But for where submodules are, nothing is read from the work
# tree: what was verified is what is committed. REPLY: the commit; empty where nothing is left to commit. 1: not done,
# REPLY says why. 2: it would delete most of what there is: REPLY says how much, and the names
# are in DELETED_FILE.
git_fallback_commit()
{
	local tree=${6-} rc=0 dir args=()

	if [[ -z $tree ]]; then
		git_work "$1" || return
		tree=$OBS_TREE
	fi
	git_use "$1" || return 111
	for dir in ${OBS_NESTED[@]+"${OBS_NESTED[@]}"}; do
		args+=(--nested "$dir")
	done
	git__tree commit --tree "$tree" --branch "$2" --message "$3" --trailer "$4" ${5:+--skip "$5"} \
		${GIT_LINE_ENDS:+--line-ends "$GIT_LINE_ENDS"} ${args[@]+"${args[@]}"} || rc=$?
	DELETED_FILE=$WT_GIT/wisp.deleted
	((rc == 0)) || return "$rc"
	[[ -z $REPLY ]] || OBS_HEAD=$REPLY
}

# FROM TO FILE: does TO delete more than half of what FROM tracks and at least ten files, or
# all? 0: yes, the names are in FILE, and REPLY says how many. A file that moved is not deleted.
git_deletes_much()
{
	git__tree deletes --since "$1" --tree "$2" --files "$3"
}

git__has_identity()
{
	git_quiet -c user.useConfigOnly=true var GIT_AUTHOR_IDENT >/dev/null 2>&1 &&
		git_quiet -c user.useConfigOnly=true var GIT_COMMITTER_IDENT >/dev/null 2>&1
}

# REPLY: how many commits of B are not in BASE.
git_branch_unmerged()
{
	git_use "$1" || return
	git__line rev-list --count "refs/heads/$2" "^$3" -- || return 111
}
