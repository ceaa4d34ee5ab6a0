# loss.bash: what would be lost with a work tree or a ref. Sourced by wisp-rm and wisp-gc, after
# git.bash.
#
#	worktree_loss             would WORKTREE, of BRANCH, take work along? REPLY says what, LOSS_WAY how to keep it
#	on_a_branch COMMIT NOT    is it on a branch, here or of a remote, other than NOT?

LOSS_WAY=''

# Ignored files do not count.
worktree_loss()
{
	LOSS_WAY=''
	if ! git_use "$WORKTREE" || ! git__unlock "$BRANCH" || ! git_look "$WORKTREE" "$WT_GIT/wisp.names"; then
		REPLY="'$WORKTREE' cannot be looked at"
		return 0
	fi
	if [[ -n $LOOK_LEFT ]]; then
		REPLY="'$WORKTREE' has uncommitted changes, such as '$LOOK_LEFT'" LOSS_WAY="commit them first"
		return 0
	fi
	! loss_nested "$WT_TOP" "$WT_GIT" || return 0
	! loss_inside || return 0
	git__commit HEAD
	[[ -n $REPLY ]] && ! on_a_branch "$REPLY" '' || return 1
	git__commit HEAD
	LOSS_WAY="git branch NAME $REPLY keeps them"
	REPLY="'$WORKTREE' has commits that are on no branch: $REPLY"
}

# TOP GIT: of the repositories in the chosen work tree, LOOK_LINKS, those that lie in TOP, or in
# its git folder GIT, go with it.
loss_nested()
{
	local link

	for link in ${LOOK_LINKS[@]+"${LOOK_LINKS[@]}"}; do
		! git__within "$link" loss_unpushed "$1" "$2" || return 0
	done
	return 1
}

loss_unpushed()
{
	local LOOK_LEFT LOOK_LINKS common=$WT_COMMON

	git__physical "$common/."
	common=${REPLY%.}
	git__physical "$1/."
	if [[ $common == "${REPLY%.}"* || $common == "$2/modules/"* ]] &&
		git__line rev-list -n 1 --all --not --remotes -- && [[ -n $REPLY ]]; then
		LOSS_WAY="push them first"
		REPLY="'$WT_TOP' is a repository of its own, with commits that no remote has: $REPLY"
		return 0
	fi
	git__look --untracked no && loss_nested "$1" "$2"
}

# Work trees in it that an agent made for its own, where git does not see them.
loss_inside()
{
	local folder found

	git__registrations_in "$WORKTREE"
	found=$REPLY
	while IFS= read -r folder; do
		[[ $folder == "$WT_COMMON"/* && $folder != "$WT_COMMON/modules/"* ]] || continue
		git__registered_path "$folder" || continue
		[[ -e $REPLY ]] || continue
		if ! git_look "$REPLY" "$folder/wisp.names"; then
			REPLY="'$WT_TOP', a work tree in it, cannot be looked at"
			return 0
		fi
		if [[ -n $LOOK_LEFT ]]; then
			REPLY="'$WT_TOP', a work tree in it, has uncommitted changes, such as '$LOOK_LEFT'"
			return 0
		fi
	done <<<"$found"
	git_use "$WORKTREE"
	return 1
}

on_a_branch()
{
	local ref

	git__line for-each-ref --contains "$1" --format='%(refname)' refs/heads/ refs/remotes/ || return 1
	while IFS= read -r ref; do
		if [[ -n $ref && $ref != "$2" ]]; then
			return 0
		fi
	done <<<"$REPLY"
	return 1
}
