# session-tree.bash: the work tree of a session that is owned: is it there, and does git
# know it? Sourced by session.bash, whose head says what the variables are.
#
#	worktree_ready     it is there and known, made or registered again where need be
#	worktree_unlock    locks that a killed git left go, before git needs them; the branch is one of its own
#	worktree_unsynced  what a power cut has spoiled in .git is cleared, before that
#	worktree_lost      is there nothing in it that could be work? REPLY: what is wrong
#	worktree_again WHY it is made again from the last checkpoint; the loop alone calls it
#	worktree_moved     the part of that which takes nothing away: for commands that run no loop

readonly TREE_EMPTY='4b825dc642cb6eb9a060e54bf8d69288fbee4904 6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321'
TREE_SEEN=''	# an entry of the work tree that was there when it was looked at last
TREE_FRESH=''	# git has just made it, and nothing of the project's has run since

worktree_ready()
{
	[[ -n $TREE_FRESH ]] || worktree_whole
	worktree_submodules
}

worktree_whole()
{
	worktree_moved
	if worktree_lost; then
		worktree_again "$REPLY"
	elif [[ $WORKTREE != "$PROJECT" ]]; then
		git_worktree_known "$WORKTREE" || worktree_register
	fi
	worktree_index
}

# They may have come with a commit, or be missing since the work tree was made again.
worktree_submodules()
{
	[[ $WORKTREE != "$PROJECT" ]] || return 0
	git_submodules_fill "$PROJECT" "$WORKTREE" || die_sys "the submodules of '$WORKTREE' cannot be looked at"
	[[ -z $REPLY ]] || warn "submodules that are empty in the session's work tree, since the repository has not" \
		"what they are at: $REPLY (git submodule update --init, then once more; or worktree.setup)"
}

# The owner of the session has no git running: a lock is of one that was killed, by a step or with the loop before.
worktree_unlock()
{
	worktree_use || git_use "$PROJECT" || exit "$EXIT_SYS"
	git__unlock "$BRANCH" || die_sys "cannot remove the locks that git left in '$WT_GIT'"
	git_branch_own "$BRANCH" || die_sys "'$BRANCH' cannot be made a branch of its own"
}

# git answers nothing where its index is none.
worktree_index()
{
	local rc=0

	worktree_use || return 0
	git_index_whole || rc=$?
	((rc <= 1)) || die_sys "cannot make the index of '$WORKTREE' again"
	((rc == 0)) || die_sys "$REPLY"
	[[ -z $REPLY ]] || warn "git could not read the index of '$WORKTREE': it is made again from $BRANCH, and kept as '$REPLY'"
}

# The loop before this one did not end by itself. What git had not synced when the power failed is
# empty then: a ref that leads nowhere, and objects that git takes for there and never writes again.
worktree_unsynced()
{
	git_use "$PROJECT" || exit "$EXIT_SYS"
	find "$WT_COMMON/objects/"?? "$WT_COMMON/refs/heads/$BRANCH" "$WT_COMMON/refs/wisp" \
		-type f -size 0 -exec rm -f -- {} + 2>/dev/null || :
}

# REPLY: what is wrong with a work tree that holds no work: gone, half made, emptied, replaced, or
# without a commit. 1: nothing is. Costs no program where one known entry is still there.
worktree_lost()
{
	local why=''

	if [[ -L $WORKTREE ]]; then
		why='is a link'
	elif [[ ! -d $WORKTREE ]]; then
		why='is gone'
	elif [[ -z ${STEPPING-} && ! -e $WORKTREE/.git ]]; then
		why='has no .git' # after a step that is put back: the files are there
	elif worktree_half_made; then
		why='is half made'
	elif ! worktree_has_files; then
		why='is empty'
	elif worktree_use && git__head 2>/dev/null && [[ -z $OBS_HEAD ]]; then
		why='has no commit checked out'
	fi
	REPLY=$why
	[[ -n $why ]]
}

# Chooses it for git, if its .git is one of this repository's. 1: an agent may have put another there.
worktree_use()
{
	local common

	git_use "$PROJECT" || exit "$EXIT_SYS"
	[[ $WORKTREE != "$PROJECT" ]] || return 0
	common=$WT_COMMON
	[[ -f $WORKTREE/.git && ! -L $WORKTREE/.git ]] && git_use "$WORKTREE" 2>/dev/null &&
		[[ $WT_COMMON -ef $common && ! $WT_GIT -ef $common ]]
}

# What a `git worktree add` that was killed leaves. An agent may write that word, too.
worktree_half_made()
{
	[[ $WORKTREE != "$PROJECT" && -z ${STEPPING-} ]] && worktree_use &&
		git__first "$WT_GIT/locked" && [[ $REPLY == initializing ]]
}

# Is anything there of what the branch, or the commit before the step, has at its top? Else a work
# tree whose .git leads elsewhere is another one, and in the session's own git has to see a file.
worktree_has_files()
{
	local name

	[[ -z $TREE_SEEN || (! -e $TREE_SEEN && ! -L $TREE_SEEN) ]] || return 0
	TREE_SEEN=''
	git_use "$PROJECT" || exit "$EXIT_SYS"
	git__line -c core.quotePath=false ls-tree --name-only "${HEAD:-refs/heads/$BRANCH}" 2>/dev/null || REPLY=''
	while IFS= read -r name; do
		[[ -n $name && (-e $WORKTREE/$name || -L $WORKTREE/$name) ]] || continue
		TREE_SEEN=$WORKTREE/$name
		return 0
	done <<<"$REPLY"
	worktree_use && git_worktree_known "$WORKTREE" || return 1
	git_observe "$WORKTREE" || exit "$EXIT_SYS"
	[[ " $TREE_EMPTY " != *" $OBS_TREE "* ]] || worktree_meant_empty
}

# A commit of the agent's own, or of a person's, that holds no file is what they wanted.
worktree_meant_empty()
{
	[[ -n $OBS_HEAD ]] && git__line rev-parse "$OBS_HEAD^{tree}" && [[ $REPLY == "$OBS_TREE" ]]
}

# worktree_again WHY: the work tree becomes the tip of its branch plus what the last checkpoint had
# uncommitted. The record knows first: after that nothing shows what the step did.
worktree_again()
{
	local n checkpoint head commits='' GIT_KEEPS=''

	GIT_USED=()
	call wisp-state lost ${SEAL:+--seal "$SEAL"}
	SEAL=''
	n=$F_n checkpoint=$F_checkpoint head=$F_head
	[[ -e $PROJECT/.git ]] || die_sys "the repository in '$PROJECT' is gone: its .git is not there"
	git_use "$PROJECT" || exit "$EXIT_SYS"
	git__commit "refs/heads/$BRANCH"
	if [[ -z $REPLY && -n $head ]]; then
		git_quiet update-ref --no-deref -m 'wisp: branch was gone' "refs/heads/$BRANCH" "$head" || exit "$EXIT_SYS"
	elif [[ -n $head && $REPLY != "$head" ]] && git_quiet merge-base --is-ancestor "$head" "$REPLY"; then
		commits=--commits
	fi
	call wisp-state lost $commits -- "$1"
	tell "wisp: the work tree '$WORKTREE' $1: it is made again from the last checkpoint"
	if [[ $WORKTREE != "$PROJECT" ]] && ! worktree_stands; then
		worktree_aside
		worktree_claim
		worktree_make "$BRANCH"
		worktree_note
	fi
	worktree_fill "$n" "$checkpoint"
	TREE_SEEN=''
}

# It is emptied only: git knows it, and can fill it again.
worktree_stands()
{
	[[ ! -L $WORKTREE && -d $WORKTREE ]] && ! worktree_half_made && worktree_use && git_worktree_known "$WORKTREE"
}

# `git worktree move` in a step takes the branch along: its registration is given up, its files stay.
worktree_claim()
{
	git_use "$PROJECT" || exit "$EXIT_SYS"
	[[ -n ${TREE_GIT-} && $TREE_GIT != "$WT_COMMON" ]] && git__head_of "$TREE_GIT" &&
		[[ $REPLY == "ref: refs/heads/$BRANCH" ]] && git__registered_path "$TREE_GIT" &&
		[[ $REPLY != "$WORKTREE" ]] || return 0
	warn "the work tree was moved to '$REPLY': what is there stays, and git no longer knows it"
	rm -rf -- "$TREE_GIT" || die_sys "cannot remove '$TREE_GIT'"
}

# worktree_fill N CHECKPOINT: whatever is there is put away under the number N first.
worktree_fill()
{
	local rc=1

	if [[ ${SAVE-} == true ]]; then
		rc=0
		git_put_away "$WORKTREE" "$BRANCH" "$1" "$SESSION_ID" "$2" || rc=$?
	fi
	((rc != 1)) || {
		rc=0
		git_restore_always "$WORKTREE" "$BRANCH" "$1" "$SESSION_ID" "$2" || rc=$?
	}
	((rc == 0)) || die_sys "the work tree '$WORKTREE' cannot be made again"
}

# What stands in the place of the work tree may hold what is nowhere else.
worktree_aside()
{
	local aside

	[[ -e $WORKTREE || -L $WORKTREE ]] || return 0
	! rmdir -- "$WORKTREE" 2>/dev/null || return 0
	if ! aside=$(mktemp -d "${WORKTREE%/*}/.${WORKTREE##*/}.XXXXXX") || ! mv -- "$WORKTREE" "$aside/"; then
		die_sys "cannot move '$WORKTREE' out of the way"
	fi
	warn "the previous one is kept in '$aside'"
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
	wisp-session -C "$DIR" gitfile 9>&- || exit $?
}

# An agent may have removed, or spoiled, what git keeps about its work tree.
worktree_register()
{
	local GIT_KEEPS=''

	GIT_USED=()
	warn "git no longer knows the work tree '$WORKTREE': it is registered again, its files stay"
	git_use "$PROJECT" || exit "$EXIT_SYS"
	# What a step has left of the registration leads nowhere, and would stay beside the new one.
	if [[ ${TREE_GIT-} == "$WT_COMMON/worktrees/"* ]] && ! git__slurp "$TREE_GIT/gitdir"; then
		rm -rf -- "$TREE_GIT" || die_sys "cannot remove '$TREE_GIT'"
	fi
	git_worktree_register "$PROJECT" "$BRANCH" "$WORKTREE" ||
		die_sys "the work tree '$WORKTREE' cannot be registered again: $REPLY"
	worktree_note
}
