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
		git__head_of "$folder" || :
		[[ $REPLY == "ref: refs/heads/$1" ]] || continue
		REPLY=$WT_TOP
		if [[ $folder != "$WT_COMMON" ]]; then
			git__registered_path "$folder" || REPLY=$folder
		elif [[ $WT_GIT != "$WT_COMMON" ]]; then # W is linked, and no file says where the main one is
			! git_reply git_run --git-dir="$WT_COMMON" rev-parse --is-bare-repository || [[ $REPLY != true ]] || continue
			REPLY=$folder
		fi
		return 0
	done
	return 1
}

# FILE: a lock can be opened there: its folder is there, and nothing but a plain file stands in its place.
git__lockable()
{
	[[ -d ${1%/*} ]] || mkdir -p -- "${1%/*}" || return 111
	[[ ! -e $1 && ! -L $1 || -f $1 && ! -L $1 ]] || rm -rf -- "$1" || return 111
}

readonly GIT_ALONE_MOST=60 # seconds that another command may take to register a work tree
GIT_ALONE='' GIT_ALONE_NOTES=()

# FUNCTION ARGUMENT...: runs it under the repository's own lock, on descriptor 7: of two git that change
# what is registered at a time one fails, as it reads what the other has half written. GIT_ALONE_NOTES: further options of
# who takes it.
git__alone()
{
	local rc=0 file=$WT_COMMON/wisp/.worktrees

	if [[ -n $GIT_ALONE ]]; then
		"$@"
		return $?
	fi
	git__lockable "$file" || return
	{
		wisp-session own --fd 7 --wait "$GIT_ALONE_MOST" ${GIT_ALONE_NOTES[@]+"${GIT_ALONE_NOTES[@]}"} 9>&- || rc=$?
		if ((rc == 0)); then
			GIT_ALONE=1
			"$@" || rc=$?
			GIT_ALONE=''
		elif ((rc == 1)); then
			REPLY="another command has changed the work trees of this repository for $GIT_ALONE_MOST s ('$file' is locked)"
			rc=111
		else
			REPLY='the work trees of this repository stay as they are'
		fi
	} 7>>"$file" || return 111
	return "$rc"
}

# git_quiet ARGUMENT...: what it said is in REPLY, which is never empty where it failed.
git__said()
{
	local rc=0

	git_reply git_both git_quiet "$@" || rc=$?
	((rc != 0)) || return 0
	REPLY=${REPLY//$'\n'/; }
	REPLY=${REPLY#wisp: }
	REPLY=${REPLY:-git ended with $rc}
	return 111
}

# ARGUMENT...: `git worktree add`, which reads what is registered already.
git__register()
{
	! git_plugged "$WT_COMMON"/worktrees/* || return 111
	GIT_OWN_CONFIG=1 git__said -c worktree.useRelativePaths=false worktree add -q "$@"
}

# B BASE TOKEN: makes the branch, if it is not there: git is asked for it where it cannot be made. The entry in its log says
# who has made it. 1: another branch is in its way, or BASE is no commit.
git__branch_make()
{
	local above=$1 said

	git__said update-ref --no-deref --create-reflog -m "wisp: made ($3)" "refs/heads/$1" "$2^{commit}" '' && return 0
	said=$REPLY
	git__commit "refs/heads/$1"
	[[ -z $REPLY ]] || return 0
	git__commit "$2"
	[[ -n $REPLY ]] || { REPLY="'$2' is no commit" && return 1; }
	while [[ $above == */* ]]; do
		above=${above%/*}
		git__commit "refs/heads/$above"
		[[ -z $REPLY ]] || break
	done
	[[ -n $REPLY && $above != "$1" ]] || git__line for-each-ref --count=1 --format='%(refname)' "refs/heads/$1/"
	[[ -n $REPLY ]] || { REPLY=$said && return 111; }
	REPLY="the branch '$1' cannot be made: $said"
	return 1
}

# B PATH BASE TOKEN: the branch where there is none, and a work tree that is registered and empty.
git__worktree_begin()
{
	local stale='' force=()

	! git__registration "$2" || stale=$REPLY
	if [[ -e $2 || -L $2 ]]; then
		REPLY="'$2' exists already"
		return 1
	fi
	# Where its parent is gone, git overlooks that the path is registered, and registers it once more. What a
	# `worktree add` that was killed has left is locked, and takes a second word.
	[[ -z $stale ]] || { mkdir -p -- "${2%/*}" && force=(--force --force); } || return 111
	if git__holder "$1" "$stale"; then
		REPLY="branch '$1' is checked out at '$REPLY'"
		return 1
	fi
	if git_branch_alias "$1"; then
		REPLY="branch '$1' is only another name of '${REPLY#refs/heads/}', which would change: give another one"
		return 1
	fi
	git__branch_make "$1" "$3" "$4" || return
	git__register ${force[@]+"${force[@]}"} --no-checkout "$2" "$1"
}

# PROJECT B PATH BASE [TOKEN NOTE...]: a work tree for branch B, which is made at BASE if there is none. 1: refused, 111: git
# failed; REPLY says why, and all is as before. The options NOTE have `wisp-session own` note TOKEN before anything is made:
# where this is killed, git_worktree_undo has all as before by it.
git_worktree_add()
{
	local path why rc=0 token=${5:-$$.$RANDOM}

	git_use "$1" || return
	git__physical "$3"
	path=$REPLY
	GIT_ALONE_NOTES=("${@:6}")
	git__alone git__worktree_begin "$2" "$path" "$4" "$token" || rc=$?
	GIT_ALONE_NOTES=()
	((rc != 1)) || return 1
	# Files take long, and nothing else needs to wait for them.
	if ((rc == 0)) && git_use "$path" && git__said reset -q --hard --no-recurse-submodules; then
		return 0
	fi
	why=$REPLY
	git_worktree_undo "$1" "$2" "$path" "$token" || :
	REPLY=$why
	return 111
}

# PROJECT B PATH TOKEN: takes away what a git_worktree_add that was cut off has made: a work tree and its registration, and
# the branch, where that is as TOKEN has made it. What git has not begun there stays.
git_worktree_undo()
{
	git_use "$1" && git__unlock "$2" || return 111
	git__physical "$3"
	git__alone git__worktree_drop "$1" "$REPLY" || return
	[[ -n $4 ]] && git__line log -g -1 --no-show-signature --format=%gs "refs/heads/$2" -- 2>/dev/null || return 0
	[[ $REPLY == "wisp: made ($4)" ]] && ! git__holder "$2" '' || return 0
	git__commit "refs/heads/$2"
	git__said update-ref --no-deref -d "refs/heads/$2" "$REPLY"
}

git__worktree_drop()
{
	local folder

	if ! git_worktree_remove "$1" "$2" && ! rmdir -- "$2" 2>/dev/null &&
		git__slurp "$2/.git" && [[ -z $REPLY || $REPLY == "gitdir: $WT_COMMON/worktrees/"* ]]; then
		rm -rf -- "$2" || return 111	# a power cut has emptied what it was known by
	fi
	# git makes the folder first, and writes into it what it is for next, maybe by half.
	for folder in "$WT_COMMON/worktrees/${2##*/}"*; do
		git__slurp "$folder/gitdir" && [[ $REPLY == */.git ]] || rm -rf -- "$folder" || return 111
	done
}

# PATH: is it what a `worktree add` that was killed has left?
git_worktree_half()
{
	git_use "$1" 2>/dev/null || return 1
	[[ $WT_GIT != "$WT_COMMON" && ! -e $WT_GIT/index && -e $WT_GIT/locked ]]
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
	if ! git__head_of "$folder"; then
		REPLY="'$folder' is not there"
		return 1
	fi
	if [[ $REPLY != "ref: refs/heads/$2" ]] && git__registered_path "$folder" && [[ -e $REPLY/.git ]]; then
		REPLY="'$folder' belongs to '$REPLY'"
		return 1
	fi
	git__alone git__worktree_point "$path" "$folder"
}

git__worktree_point()
{
	local path=$1 folder=$2

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
	local path

	git_use "$1" || return
	git__physical "$3"
	path=$REPLY
	git__alone git__worktree_register "$2" "$path" || return
	git_use "$path" || return
	git__said reset -q || return 1
}

git__worktree_register()
{
	local stale='' new=${2%/*}/.again/${2##*/}	# no branch has that name

	# One that was killed at this.
	! git__registration "$new" || rm -rf -- "$REPLY" || return 111
	! git__registration "$2" || stale=$REPLY
	if git__holder "$1" "$stale"; then
		REPLY="branch '$1' is checked out at '$REPLY'"
		return 1
	fi
	rm -rf -- "${new%/*}" || return 111
	[[ -z $stale ]] || rm -rf -- "$stale" || return 111
	git__register --no-checkout "$new" "$1" || return 1
	mv -f -- "$new/.git" "$2/.git" && rm -rf -- "${new%/*}" || return 111
	GIT_OWN_CONFIG=1 git__said worktree repair "$2" || return 1
}

# git__unregister FOLDER: for git it is gone in one move. What one that is killed leaves goes with the next.
git__unregister()
{
	local removed=${1%/worktrees/*}/wisp/removed

	rm -rf -- "$removed" && mkdir -p -- "${removed%/*}" && mv -f -- "$1" "$removed" && rm -rf -- "$removed"
}

# PROJECT PATH: removes a work tree, whatever is in it, and its registration.
git_worktree_remove()
{
	local path folder

	git_use "$1" || return
	git__physical "$2"
	path=$REPLY
	[[ ! -e $WT_COMMON/wisp/removed ]] || git__alone rm -rf -- "$WT_COMMON/wisp/removed" || return 111
	if git__registration "$path"; then
		folder=$REPLY
		# The registration goes last: by it a removal that was cut off is known.
		rm -rf -- "$path" && git_worktrees_gone "$path" && git__alone git__unregister "$folder" || return 111
	elif [[ -e $path || -L $path ]]; then
		REPLY="'$path' is no work tree of '$1'"
		return 1
	fi
	path=${path%/*}
	while [[ $path == "$WT_TOP"/.wisp/worktrees/* ]] && rmdir -- "$path" 2>/dev/null; do
		path=${path%/*}
	done
}

# Into REPLY: the registrations, a line each, of work trees in the folder PATH: of the repository, and of its submodules.
git__registrations_in()
{
	local folder found='' IFS=$'\n'

	set -f
	# shellcheck disable=SC2046 # a line each
	set -- "$1" $(find "$WT_COMMON/worktrees" "$WT_COMMON/modules" "$WT_GIT/modules" -path '*/worktrees/*/gitdir' 2>/dev/null)
	set +f
	for folder in "${@:2}"; do
		folder=${folder%/gitdir}
		git__registered_path "$folder" || continue
		[[ $REPLY != "$1"/* || $found$'\n' == *"$folder"$'\n'* ]] || found+=${found:+$'\n'}$folder
	done
	REPLY=$found
}

# PATH: of work trees in the folder PATH that are gone the registrations go, too. GONE: what they were, in words, but for
# submodules.
git_worktrees_gone()
{
	local folder found

	GONE=''
	git__registrations_in "$1"
	found=$REPLY
	while IFS= read -r folder; do
		[[ -z $folder ]] || git_worktree_gone "$folder" || return
	done <<<"$found"
}

# FOLDER: if the work tree that is registered there is gone, its registration goes; a commit that no branch has is kept
# in refs/wisp/kept. Adds to GONE.
git_worktree_gone()
{
	local path common=${1%/worktrees/*} at

	git__registered_path "$1" && [[ ! -e $REPLY ]] || return 0
	path=$REPLY
	git__head_of "$1" || :
	at=${REPLY#ref: refs/heads/}
	! git__is_id "$at" || ! git__keep_commit "$common" "$at" || at="$at, kept as refs/wisp/kept/$at"
	git__alone git__unregister "$1" || return 111
	[[ $common != "$WT_COMMON" ]] || GONE+="${GONE:+; }$path ($at)"
}
