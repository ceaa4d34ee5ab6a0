# session-tree.bash: the work tree of a session that is owned: is it there, and does git
# know it? Sourced by session.bash, whose head says what the variables are.
#
#	worktree_ready     it is there and known, made or registered again where need be
#	worktree_moved     the part of that which takes nothing away: for commands that run no loop

# The work tree may have been removed by hand: the branch is still there.
worktree_ready()
{
	if [[ ! -e $WORKTREE/.git ]]; then
		warn "the work tree '$WORKTREE' is gone: it is made again from $BRANCH"
		worktree_aside
		git_worktree_add "$PROJECT" "$BRANCH" "$WORKTREE" "$BRANCH" || die_sys "$REPLY"
		worktree_note
	elif [[ $WORKTREE != "$PROJECT" ]]; then
		worktree_moved
		git_worktree_known "$WORKTREE" || worktree_register
	fi
}

# Without its .git a work tree may yet hold what is nowhere else.
worktree_aside()
{
	local aside

	[[ -e $WORKTREE || -L $WORKTREE ]] || return 0
	! rmdir -- "$WORKTREE" 2>/dev/null || return 0
	if ! aside=$(mktemp -d "${WORKTREE%/*}/.${WORKTREE##*/}.XXXXXX") || ! mv -- "$WORKTREE" "$aside/"; then
		die_sys "cannot move '$WORKTREE' out of the way"
	fi
	warn "what stood there without a .git is kept in '$aside'"
}

# In a repository that was moved or copied the work tree still leads to where that was.
worktree_moved()
{
	[[ $WORKTREE != "$PROJECT" && -e $WORKTREE/.git ]] && ! git_worktree_known "$WORKTREE" || return 0
	! git_worktree_repair "$PROJECT" "$BRANCH" "$WORKTREE" || worktree_note
}

# What wisp has made is not what an agent has changed.
worktree_note()
{
	wisp-turn -C "$DIR" gitfile 9>&- || exit $?
}

# An agent may have removed, or spoiled, what git keeps about its work tree.
worktree_register()
{
	warn "git no longer knows the work tree '$WORKTREE': it is registered again, its files stay"
	git_worktree_register "$PROJECT" "$BRANCH" "$WORKTREE" ||
		die_sys "the work tree '$WORKTREE' cannot be registered again: $REPLY"
	worktree_note
}
