# git-worktree.bash: work trees: made, repaired, removed.
# Sourced by git.bash, whose head says what W, B, N, K and ID are.

# REPLY: the path of the work tree that a folder of .git/worktrees belongs to.
git__registered_path()
{
	git__slurp "$1/gitdir" || return
	[[ $REPLY == /* ]] || git__physical "$1/$REPLY"
	REPLY=${REPLY%/.git}
}

# REPLY: the folder of .git/worktrees for the work tree at PATH. 1: none.
git__registration()
{
	local folder

	for folder in "$WT_COMMON"/worktrees/*; do
		if git__registered_path "$folder" && [[ $REPLY == "$1" ]]; then
			REPLY=$folder
			return 0
		fi
	done
	REPLY=''
	return 1
}

# REPLY: the work tree, other than the one registered as EXCEPT, that has B checked out. 1: none.
git__holder()
{
	local folder

	for folder in "$WT_COMMON" "$WT_COMMON"/worktrees/*; do
		[[ $folder != "$2" ]] || continue
		git__first "$folder/HEAD" || :
		[[ $REPLY == "ref: refs/heads/$1" ]] || continue
		REPLY=$WT_TOP
		[[ $folder == "$WT_COMMON" ]] || git__registered_path "$folder" || REPLY=$folder
		return 0
	done
	return 1
}

# PROJECT B PATH BASE: a work tree for branch B, which is made at BASE if there is
# none. 1: refused, REPLY says why. On failure all is as before.
git_worktree_add()
{
	local B=$2 path stale force=() what made=''

	git_use "$1" || return
	git__physical "$3"
	path=$REPLY
	git__registration "$path" || :
	stale=$REPLY
	if [[ -n $stale ]] && git__first "$stale/locked" && [[ $REPLY == initializing ]]; then
		rm -rf -- "$path" "$stale" || return 111	# a `worktree add` that was killed
		stale=''
	fi
	if [[ -e $path || -L $path ]]; then
		REPLY="'$path' exists already"
		return 1
	fi
	# Where its parent is gone, git overlooks that the path is registered, and registers it once more.
	[[ -z $stale ]] || { mkdir -p -- "${path%/*}" && force=(--force); } || return 111
	if git__holder "$B" "$stale"; then
		REPLY="branch '$B' is checked out at '$REPLY'"
		return 1
	fi
	git__commit "refs/heads/$B"
	what=("$path" "$B")
	if [[ -z $REPLY ]]; then
		git__commit "$4"
		made=$REPLY what=(-b "$B" "$path" "$REPLY")
		if [[ -z $made ]]; then
			REPLY="'$4' is no commit"
			return 1
		fi
	fi
	REPLY=$(git_quiet -c branch.autoSetupMerge=false -c worktree.useRelativePaths=false \
		worktree add -q ${force[@]+"${force[@]}"} "${what[@]}" 2>&1) && return 0
	# git took back the folder and its registration, but not the branch
	[[ -z $made ]] || git_quiet update-ref -d "refs/heads/$B" "$made" 2>/dev/null || :
	return 1
}

# PROJECT B PATH: makes the work tree of B and its registration point to each other
# where both were moved or copied. 1: it has none here, REPLY says why.
git_worktree_repair()
{
	local path folder

	git_use "$1" || return
	git__physical "$3"
	path=$REPLY
	if ! git__slurp "$path/.git" || [[ $REPLY != 'gitdir: '?* ]]; then
		REPLY="'$path/.git' names no git folder"
		return 1
	fi
	# Not by `git worktree repair`: a copy still leads to the repository that it was made of, and that one would be changed.
	folder=$WT_COMMON/worktrees/${REPLY##*/}
	if ! git__first "$folder/HEAD"; then
		REPLY="'$folder' is not there"
		return 1
	fi
	if [[ $REPLY != "ref: refs/heads/$2" ]] && git__registered_path "$folder" && [[ -e $REPLY/.git ]]; then
		REPLY="'$folder' belongs to '$REPLY'"
		return 1
	fi
	rm -rf -- "$folder/wisp.new" && printf '%s\n' "$path/.git" >"$folder/wisp.new" && mv -f -- "$folder/wisp.new" "$folder/gitdir" &&
		printf 'gitdir: %s\n' "$folder" >"$folder/wisp.new" && mv -f -- "$folder/wisp.new" "$path/.git" || return 111
}

# PATH: does git know it as a work tree? 1: its registration is gone or broken.
git_worktree_known()
{
	git_use "$1" 2>/dev/null || return 1
	git_quiet rev-parse --git-dir >/dev/null 2>&1 || return 1
}

# PROJECT B PATH: makes the registration of a work tree again; its files stay, and
# nothing is staged. 1: refused, REPLY says why.
git_worktree_register()
{
	local B=$2 path stale='' new

	git_use "$1" || return
	git__physical "$3"
	path=$REPLY
	! git__registration "$path" || stale=$REPLY
	if git__holder "$B" "$stale"; then
		REPLY="branch '$B' is checked out at '$REPLY'"
		return 1
	fi
	new=${path%/*}/.again/${path##*/}	# no branch has that name
	rm -rf -- "${new%/*}" || return 111
	[[ -z $stale ]] || rm -rf -- "$stale" || return 111
	REPLY=$(git_quiet -c worktree.useRelativePaths=false worktree add -q --no-checkout "$new" "$B" 2>&1) || return 1
	mv -f -- "$new/.git" "$path/.git" && rm -rf -- "${new%/*}" || return 111
	REPLY=$(git_quiet worktree repair "$path" 2>&1) || return 1
	git_use "$path" || return
	REPLY=$(git_quiet reset -q 2>&1) || return 1
}

# PROJECT PATH: removes a work tree, whatever is in it, and its registration.
git_worktree_remove()
{
	local path folder

	git_use "$1" || return
	git__physical "$2"
	path=$REPLY
	if ! git__registration "$path"; then
		[[ -e $path || -L $path ]] || return 0
		REPLY="'$path' is no work tree of '$1'"
		return 1
	fi
	folder=$REPLY
	git_quiet worktree remove --force --force "$path" 2>/dev/null || rm -rf -- "$path" "$folder" || return 111
	path=${path%/*}
	while [[ $path == "$WT_TOP"/.wisp/worktrees/* ]] && rmdir -- "$path" 2>/dev/null; do
		path=${path%/*}
	done
}
