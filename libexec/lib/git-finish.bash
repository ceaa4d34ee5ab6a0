# git-finish.bash: what becomes of a branch that is finished: looked through, merged, pushed.
# Sourced by git.bash, whose head says what W, B, N, K and ID are.
#
# A merge is made in a work tree of its own and on no branch; the branch that it
# is for moves last, in one step, and only from where it was.

# In a person's own checkout their settings for line ends and the like hold.
# shellcheck disable=SC2054  # the comma is a value's
readonly GIT_PLAIN=(
	-c core.hooksPath=/dev/null -c core.fsmonitor=false -c core.fsync=objects,reference -c core.fsyncMethod=batch
	-c gc.auto=0 -c maintenance.auto=false -c color.ui=false -c submodule.recurse=false
)

git__plain()
{
	GIT_TERMINAL_PROMPT=0 GIT_PAGER=cat git__with_known git_run -C "$WT_TOP" --git-dir="$WT_GIT" --work-tree="$WT_TOP" "${GIT_PLAIN[@]}" \
		${WT_SPARSE[@]+"${WT_SPARSE[@]}"} "$@"
}

# PROJECT B: REPLY is where a clean work tree for checks on B lies. No branch has such a name.
git_finish_place()
{
	REPLY=$1/.wisp/worktrees/.done/${2//\//..}
}

# PROJECT PATH COMMIT: a clean work tree on no branch; what one that was cut off
# left at PATH goes first. 1: refused, REPLY says why.
git_finish_add()
{
	git_finish_remove "$1" "$2" && mkdir -p -- "${2%/*}" || return
	git__alone git__register --detach --no-checkout "$2" "$3" || return 1
	git_use "$2" && git__said reset -q --hard --no-recurse-submodules || return 1
	git_use "$1"
}

# PROJECT PATH: away with it, registered or not.
git_finish_remove()
{
	local rc=0

	git_worktree_remove "$1" "$2" || rc=$?
	[[ $rc -ne 1 ]] || { rm -rf -- "$2" && rc=0; }
	return "$rc"
}

# W B FILE [IN_PLACE]: into FILE the names, NUL-separated, of what is uncommitted;
# in a person's own checkout without the dirt that was there before the session.
git_finish_left()
{
	git_look "$1" "$3" || return
	[[ -n ${4-} && -s $3 ]] || return 0
	git__observe left "$1" --branch "$2" --files "$3" || :
}

# RANGE...: REPLY is a line `ID SUBJECT` for each commit that has something of .wisp/.
git_finish_forbidden()
{
	local commit merges found

	git__line rev-list --full-history --min-parents=2 "$@" -- ':(top).wisp' || return 111
	merges=$REPLY
	git__line log --no-show-signature --full-history --no-merges --abbrev=12 --format='%h %s' "$@" -- ':(top).wisp' || return 111
	found=$REPLY
	# A merge that takes it over from one side has nothing of its own.
	for commit in $merges; do
		git__line diff-tree -c -r --name-only --no-commit-id "$commit" -- ':(top).wisp' || return 111
		[[ -n $REPLY ]] || continue
		git__line log -1 --no-show-signature --abbrev=12 --format='%h %s' "$commit" -- || return 111
		found+=${found:+$'\n'}$REPLY
	done
	REPLY=$found
}

# B: REPLY says why B must not move now: a rebase of it that is half done, another
# branch that would move instead, or a checkout that is gone. 1: nothing. HOLDER is where it is checked out, if anywhere.
git_finish_held()
{
	local folder file

	HOLDER=''
	for folder in "$WT_COMMON" "$WT_COMMON"/worktrees/*; do
		for file in rebase-merge rebase-apply; do
			if git__first "$folder/$file/head-name" && [[ $REPLY == "refs/heads/$1" ]]; then
				REPLY="a rebase of '$1' is half done"
				return 0
			fi
		done
	done
	if git_branch_alias "$1"; then
		REPLY="'$1' is only another name of '${REPLY#refs/heads/}'"
		return 0
	fi
	git__holder "$1" '' || return 1
	HOLDER=$REPLY
	[[ ! -e $HOLDER/.git ]] || return 1
	REPLY="'$1' is checked out in '$HOLDER', which is gone (git worktree prune)"
}

# HOLDER: may its checkout move? REPLY says why not; empty if it may. Untracked files
# do not count: git itself refuses to write over one.
git_finish_dirty()
{
	local file

	git_use "$1" || return
	for file in MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD rebase-merge rebase-apply; do
		if [[ -e $WT_GIT/$file ]]; then
			REPLY="a merge, rebase or the like is half done in '$1'"
			return 0
		fi
	done
	git__look --untracked no --plain || return 111
	[[ -z $LOOK_LEFT ]] || REPLY="'$1' has uncommitted changes, such as '$LOOK_LEFT'"
}

# FROM TO FILE: does TO delete more than half of what FROM tracks and at least ten files, or
# all? 0: yes, the names are in FILE, REPLY says how many, and GIT_FEW which. A file that moved is not deleted.
git_deletes_much()
{
	git__tree deletes --since "$1" --tree "$2" --files "$3"
}

# Does git know who commits?
git_finish_identity()
{
	git_quiet -c user.useConfigOnly=true var GIT_AUTHOR_IDENT >/dev/null 2>&1 &&
		git_quiet -c user.useConfigOnly=true var GIT_COMMITTER_IDENT >/dev/null 2>&1
}

# W TIP MESSAGE_FILE: merges TIP into what is checked out in W. REPLY: the commit. 1:
# they conflict, REPLY names the files. 2: git refused, REPLY says why.
git_finish_merge()
{
	local said

	git_use "$1" || return
	if git_reply git_both git_quiet -c rerere.enabled=false -c merge.autoStash=false -c merge.stat=false -c maintenance.auto=false \
		merge -q --no-ff --no-verify --no-gpg-sign --no-edit --cleanup=whitespace -F "$3" "$2"; then
		git__commit HEAD
		return 0
	fi
	said=$REPLY
	git__line diff --name-only --no-ext-diff --ignore-submodules --diff-filter=U -- || REPLY=''
	[[ -z $REPLY ]] || return 1
	REPLY=$said
	return 2
}

# PROJECT B NEW OLD HOLDER: B goes from OLD to NEW, with its checkout if it has one.
# 1: not done, REPLY says why.
git_finish_move()
{
	git_use "${5:-$1}" || return
	git__commit "refs/heads/$2"
	if [[ $REPLY != "$4" ]]; then
		REPLY="'$2' has moved meanwhile"
		return 1
	fi
	if [[ -z $5 ]]; then
		git_reply git_both git_quiet update-ref -m "wisp done: merge" "refs/heads/$2" "$3" "$4" || return 1
		return 0
	fi
	git__line symbolic-ref -q HEAD || :
	if [[ $REPLY != "refs/heads/$2" ]]; then
		REPLY="'$2' is no longer checked out in '$5'"
		return 1
	fi
	# Ignored files are a person's, such as .env: without the word git writes over them.
	git_reply git_both git__plain merge -q --ff-only --no-autostash --no-overwrite-ignore "$3" || return 1
}

# PROJECT REMOTE COMMIT: the objects that a push would send, as `wisp-config found` reads them.
git_finish_objects()
{
	git_use "$1" || return
	git_quiet rev-list --objects "$3" --not "--remotes=$2" -- |
		git_quiet cat-file --batch='%(objecttype) %(objectname) %(objectsize) %(rest)'
}

# PROJECT REMOTE COMMIT B [HOOKS]: sets GIT_COMMAND to what pushes just that commit
# as B, never by force; the pre-push hook runs only with HOOKS.
git_finish_push()
{
	local hooks=/dev/null

	git_use "$1" || return
	if [[ -n ${5-} ]]; then
		git_reply git__with_known git_run -C "$WT_TOP" --git-dir="$WT_GIT" rev-parse --git-path hooks || return 111
		hooks=$REPLY
		[[ $hooks == /* ]] || hooks=$WT_TOP/$hooks
	fi
	# shellcheck disable=SC2034 # the caller runs it
	GIT_COMMAND=(git -C "$WT_TOP" --git-dir="$WT_GIT" --work-tree="$WT_TOP" "${GIT_SETTINGS[@]}" -c "core.hooksPath=$hooks"
		push --porcelain --no-follow-tags --recurse-submodules=no -- "$2" "$3:refs/heads/$4")
}
