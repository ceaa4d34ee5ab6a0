# git.bash: work trees, checkpoints and wisp's own commits.
#
# This file and those that it sources at its end are the only ones that change a
# work tree or refs/wisp. Needs git 2.30 and bash 3.2. docs/checkpoints.md says
# what is stored and why.
#
#	refs/wisp/checkpoints/BRANCH/NNNN   the work tree after a good iteration
#	refs/wisp/failed/BRANCH/NNNN        what was put away when one failed
#
# Functions answer in variables: REPLY, or those that they name. They return 0
# done or yes, 1 no, anything else: git or the system refused, and said why on
# stderr. W is the absolute top of the session's work tree, B its branch, N an
# iteration, K the iteration of the checkpoint to go back to, ID the session.
# Whoever calls them with W owns the session: locks that a killed git left in W
# are removed, and the scratch files in its git folder have one user.
#
# Chooses            git_use  git_top  git_branch_alias  git_branch_own  git_known
# Looks              git_observe  git_work  git_look  git_index_whole
# Whose it is        git_before  git_after  git_apart  git_flags_clear
# Saves              git_checkpoint  git_checkpoint_read  git_refs_prune  git_refs_drop
# Goes back          git_put_away  git_reset_to  git_restore_always  git_home
# Commits            git_close
# Needs              git_filter_missing  git_submodules_fill  git_submodules_back
#                    git_hooks_path  git_hooks_missing, in git-needs.bash
# Makes work trees   git_worktree_add  git_worktree_known  git_worktree_register  git_worktree_repair
#                    git_worktree_remove  git_worktrees_gone  git_worktree_gone
# Packs              git_pack  git_pack_unlock
# Finishes           git_finish_*  git_deletes_much, in git-finish.bash
# All else           git_quiet ARGUMENT..., in the work tree chosen last; git_ref; git_run, in git-run.bash

[[ -z ${GIT_NO_WISP-} ]] || return 0	# sourced before

# What a caller inside a hook, an alias or another work tree has set is not ours.
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_COMMON_DIR GIT_PREFIX GIT_NAMESPACE GIT_OBJECT_DIRECTORY \
	GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_QUARANTINE_PATH GIT_LITERAL_PATHSPECS GIT_GLOB_PATHSPECS \
	GIT_NOGLOB_PATHSPECS GIT_ICASE_PATHSPECS GIT_EXTERNAL_DIFF GIT_CONFIG GIT_GRAFT_FILE GIT_SHALLOW_FILE

# Nothing may run a program of the repository's choice, wait for a person, change
# bytes on their way through, or trust a setting that hides a change. fsync: by
# itself git does not sync loose objects. Versions that do not know a key ignore it.
# shellcheck disable=SC2054  # the comma is a value's
GIT_SETTINGS=(
	-c core.hooksPath=/dev/null -c core.fsmonitor=false -c core.autocrlf=false -c core.safecrlf=false
	-c core.fsync=objects,reference -c core.fsyncMethod=batch -c core.untrackedCache=false -c core.splitIndex=false
	-c core.checkStat=default -c core.ignoreStat=false -c gc.auto=0 -c color.ui=false -c i18n.commitEncoding=UTF-8
	-c submodule.recurse=false -c diff.submodule=short
)

# .wisp/ is never in a tree of ours. Spelled with a wildcard since `git add`
# fails where a literal exclusion names something that is ignored anyway.
GIT_NO_WISP=(':(exclude,top).wis[p]' ':(exclude,top).wis[p]/*')
readonly GIT_SETTINGS GIT_NO_WISP

WT_TOP='' WT_GIT='' WT_COMMON='' WT_SPARSE=() GIT_LOOKED=''
GIT_KEEPS=''	# not empty: what is found out about a work tree holds until another program has run, or wisp has made one
GIT_USED=()	# W, its git folder and the repository's, of each without a sparse checkout that was found since
OBS_TOP='' OBS_HEAD='' OBS_REF='' OBS_TREE='' OBS_NOTE='' OBS_PARTIAL='' OBS_NESTED=() OBS_LARGE=() OBS_INDEX='' OBS_SAID=''
CK_COMMIT='' CK_HEAD='' CK_TREE='' CK_INDEX='' CK_STAGED='' CK_NESTED=() CK_LINKS=()
PUT_HEAD='' PUT_TREE='' PUT_COMMITS='' PUT_REF=''

# git in the work tree chosen by git_use. The git folder is named outright: where
# an agent removed W/.git, git would find, and change, the main work tree instead.
git_quiet()
{
	GIT_TERMINAL_PROMPT=0 GIT_OPTIONAL_LOCKS=0 GIT_PAGER=cat GIT_NO_REPLACE_OBJECTS=1 \
		git__with_known git_run -C "$WT_TOP" --git-dir="$WT_GIT" --work-tree="$WT_TOP" "${GIT_SETTINGS[@]}" ${WT_SPARSE[@]+"${WT_SPARSE[@]}"} "$@"
}

# The same, output into REPLY.
git__line()
{
	git_reply git_quiet "$@"
}

git__refuse()
{
	git_say '%s' "$1"
	return 111
}

# REPLY: the first line of a file. 1: no such file.
git__first()
{
	REPLY=''
	[[ -f $1 && -r $1 ]] || return 1
	IFS= read -r REPLY <"$1" || :
}

# REPLY: a file's text without the line ends at its end. bash reads it byte by
# byte, so this is for paths, which may have a newline, and messages.
git__slurp()
{
	REPLY=''
	[[ -f $1 && -r $1 ]] || return 1
	IFS= read -r -d '' REPLY <"$1" || :
	while [[ $REPLY == *[$'\r\n'] ]]; do
		REPLY=${REPLY%?}
	done
}

# REPLY: PATH with its folder resolved, as git registers work trees.
git__physical()
{
	REPLY=$1
	[[ ! -d ${1%/*}/ ]] || REPLY=$(cd -P -- "${1%/*}/" && printf '%s/%s' "${PWD%/}" "${1##*/}")
}

# Is the first argument one of the others?
git__among()
{
	local item=$1 other

	shift
	for other; do
		[[ $other != "$item" ]] || return 0
	done
	return 1
}

# Top of the work tree that the sessions begun in DIR (default: here) belong to: REPLY. 1: there is
# none, 111: git refuses to look, 100: no place for records; REPLY says why.
git_top()
{
	local rc=0

	git_opens "${1:-.}" || return
	REPLY=$(wisp-session -C "${1:-.}" project 2>&1 8>&- 9>&-) || rc=$?
	REPLY=${REPLY#wisp-session: } REPLY=${REPLY#project=} REPLY=${REPLY%%$'\n'*}
	((rc != 1)) || REPLY="it is bare: go into a work tree of it (git worktree add makes one)"
	return "$rc"
}

# DIR QUESTION...: does git find a repository there, and what does it answer? 1 and 111 as above.
git_opens()
{
	local line said='' rc=0

	git_within "$1" || return
	LC_ALL=C GIT_NO_REPLACE_OBJECTS=1 git_reply git_both git_run -C "$1" rev-parse --git-dir "${@:2}" || rc=$?
	((rc != 0)) || return 0
	while IFS=$' \t' read -r line; do
		[[ $line != 'fatal: not a git repository'* ]] || line='git init makes one'
		said+=${line:+${said:+ }$line}
	done <<<"$REPLY"
	REPLY=${said#wisp: } REPLY=${REPLY#fatal: }
	[[ $rc -ne 111 && $REPLY == *'git init makes one'* ]] || return 111
	return 1
}

# Chooses W for what follows: WT_TOP, WT_GIT (its git folder), WT_COMMON (the
# repository's). Refused where W/.git points to a folder that is another work tree's.
git_use()
{
	local i

	WT_TOP=$1
	[[ -z $GIT_KEEPS || -n ${GIT_OWN_CONFIG-} ]] || for ((i = 0; i < ${#GIT_USED[@]}; i += 3)); do
		[[ ${GIT_USED[i]} == "$1" ]] || continue
		WT_GIT=${GIT_USED[i + 1]} WT_COMMON=${GIT_USED[i + 2]} WT_SPARSE=()
		return 0
	done
	git__find "$1" && git__whole || return
	[[ -z $GIT_KEEPS || -n ${GIT_OWN_CONFIG-} || ${#WT_SPARSE[@]} -gt 0 ]] || GIT_USED+=("$1" "$WT_GIT" "$WT_COMMON")
}

# W: WT_GIT and WT_COMMON.
git__find()
{
	local back

	WT_GIT=$1/.git WT_COMMON=
	if [[ -d $WT_GIT ]]; then
		WT_COMMON=$WT_GIT
		return 0
	fi
	git__slurp "$1/.git" && [[ $REPLY == 'gitdir: '* ]] || git__refuse "'$1' is no work tree: its .git is missing or broken" || return
	WT_GIT=${REPLY#gitdir: }
	[[ $WT_GIT == /* ]] || WT_GIT=$1/$WT_GIT
	if git__linked; then
		git__slurp "$WT_GIT/gitdir" || :
		back=$REPLY
		[[ $back == /* ]] || back=$WT_GIT/$back
		[[ $back -ef $1/.git ]] || git__refuse "'$1/.git' points to the git folder of another work tree" || return
	else
		[[ -f $WT_GIT/HEAD && ${WT_GIT##*/} != .git ]] || git__refuse "'$1/.git' does not point to its git folder" || return
	fi
}

# WT_COMMON is what the git folder WT_GIT has in common with others. 1: it is one of its own.
git__linked()
{
	WT_COMMON=$WT_GIT
	git__first "$WT_GIT/commondir" || return
	WT_COMMON=$REPLY
	[[ $WT_COMMON == /* ]] || WT_COMMON=$WT_GIT/$WT_COMMON
	[[ $REPLY != ../.. ]] || WT_COMMON=${WT_GIT%/*/*}
}

# Is there a HEAD that git could read, and no named pipe? There it would wait for ever. Each folder is looked
# through once, and anew when another program has run.
git__whole()
{
	local folder rule

	git__known_sparse
	git__known_follow || return
	for folder in "$WT_GIT" "$WT_COMMON"; do
		[[ $GIT_LOOKED != *"|$folder|"* ]] || continue
		! git_plugged "$folder" || git__refuse "$REPLY" || return
		GIT_LOOKED+="|$folder|"
		for rule in "$folder"/info/*; do
			[[ ! -p $rule ]] || git__unplug || return
		done
	done
	git__first "$WT_GIT/HEAD" || :
	[[ $REPLY != 'ref: refs/'* ]] && ! git__is_id "$REPLY" || return 0
	git__refuse "'$WT_GIT/HEAD' is no HEAD of a git folder: git symbolic-ref HEAD refs/heads/BRANCH writes it"
}

# Is W a checkout of a person's own? In a bare repository each has a git folder like a session's.
git__persons()
{
	[[ $WT_GIT == "$WT_COMMON" || $WT_TOP == "${PROJECT-}" ]]
}

# Locks that a killed git left behind; the owner of the session has no git running.
git__unlock()
{
	local lock stale=() locks=("$WT_GIT/wisp.index.lock" "$WT_GIT/wisp.temp.lock" "$WT_COMMON/refs/heads/$1.lock"
		"$WT_COMMON/refs/wisp/checkpoints/$1"/*.lock "$WT_COMMON/refs/wisp/failed/$1"/*.lock)
	# There these may be those of a person's git that runs right now: of the index, of HEAD, of AUTO_MERGE and its like.
	git__persons || locks+=("$WT_GIT"/*.lock "$WT_GIT/reftable/tables.list.lock")
	for lock in "${locks[@]}"; do
		[[ ! -f $lock ]] || stale+=("$lock")
	done
	# A scratch file is a file: a folder, a pipe or a link in its place was put there by an agent.
	for lock in "$WT_GIT"/wisp.*; do
		[[ -f $lock && ! -L $lock || ! -e $lock && ! -L $lock ]] || stale+=("$lock")
	done
	[[ ${#stale[@]} -eq 0 ]] || rm -rf -- "${stale[@]}" || return
	# Who deletes a ref takes it for a moment: while a killed git's is there no ref of the repository can be deleted.
	git_lock_stale "$WT_COMMON/packed-refs.lock"
}

git__is_id()
{
	[[ (${#1} -eq 40 || ${#1} -eq 64) && $1 != *[!0-9a-f]* ]]
}

# REPLY: what HEAD says in a git folder of the repository, by its file where that is enough. 1: it has none.
git__head_of()
{
	git__first "$1/HEAD" || return
	[[ $REPLY == 'ref: refs/heads/.invalid' ]] || return 0	# the refs are in a reftable
	git_reply git_run --git-dir="$1" symbolic-ref -q HEAD || :
	REPLY="ref: $REPLY"
}

# OBS_HEAD and OBS_REF, by reading files where that is enough.
git__head()
{
	OBS_HEAD='' OBS_REF=''
	git__head_of "$WT_GIT" || git__refuse "cannot read '$WT_GIT/HEAD'" || return
	if git__is_id "$REPLY"; then
		OBS_HEAD=$REPLY
		return 0
	fi
	OBS_REF=${REPLY#ref: }
	if git__first "$WT_COMMON/$OBS_REF" && git__is_id "$REPLY"; then
		OBS_HEAD=$REPLY
		return 0
	fi
	git__line rev-parse -q --verify HEAD || :
	OBS_HEAD=$REPLY
}

# B: REPLY is the ref that it is only another name of, as `git symbolic-ref` makes it: git would change that one. 1: none.
git_branch_alias()
{
	local file=$WT_COMMON/refs/heads/$1

	REPLY=''
	if [[ -L $file ]]; then
		REPLY=$(readlink -- "$file")
		[[ $REPLY == refs/* ]] # what git takes for one
	elif [[ -d $WT_COMMON/reftable ]]; then
		git__line symbolic-ref -q "refs/heads/$1"
	else
		git__first "$file" && [[ $REPLY == 'ref: '* ]] || return 1
		REPLY=${REPLY#ref: }
	fi
}

# B: is made a branch of its own where it is none, at the commit that it led to; where that is none it is gone.
git_branch_own()
{
	local to

	if ! git_branch_alias "$1"; then
		REPLY=''
		return 0
	fi
	to=$REPLY
	git__commit "refs/heads/$1" 2>/dev/null
	if [[ -n $REPLY ]]; then
		git_quiet update-ref --no-deref -m 'wisp: a branch of its own' "refs/heads/$1" "$REPLY" || return 111
	else
		git_quiet update-ref --no-deref -d "refs/heads/$1" || return 111
	fi
	git_say "the branch '%s' had become another name of '%s': it is a branch of its own again" "$1" "${to#refs/heads/}"
}

# REPLY: the full name of the ref KIND (checkpoints, failed) B N.
git_ref()
{
	printf -v REPLY 'refs/wisp/%s/%s/%04d' "$1" "$2" "$3"
}

# REPLY: the commit that a name stands for, empty if there is none.
git__commit()
{
	git__line rev-parse -q --verify "$1^{commit}" || REPLY=
}

# shellcheck source=lib/git-run.bash
source "${BASH_SOURCE[0]%/*}/git-run.bash"
# shellcheck source=lib/git-known.bash
source "${BASH_SOURCE[0]%/*}/git-known.bash"
# shellcheck source=lib/git-look.bash
source "${BASH_SOURCE[0]%/*}/git-look.bash"
# shellcheck source=lib/git-tree.bash
source "${BASH_SOURCE[0]%/*}/git-tree.bash"
# shellcheck source=lib/git-work.bash
source "${BASH_SOURCE[0]%/*}/git-work.bash"
# shellcheck source=lib/git-needs.bash
source "${BASH_SOURCE[0]%/*}/git-needs.bash"
# shellcheck source=lib/git-worktree.bash
source "${BASH_SOURCE[0]%/*}/git-worktree.bash"
# shellcheck source=lib/git-pack.bash
source "${BASH_SOURCE[0]%/*}/git-pack.bash"
# shellcheck source=lib/git-finish.bash
source "${BASH_SOURCE[0]%/*}/git-finish.bash"
