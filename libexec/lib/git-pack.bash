# git-pack.bash: git's own housekeeping. What a step's git leaves to a process in the background ends with the
# step, and wisp's git leaves it out: it is done where a loop ends.
# Sourced by git.bash, whose head says what W, B, N, K and ID are.

# PROJECT: sets GIT_COMMAND to what packs it, where git itself finds that due. 1: nothing is to be packed by itself,
# or git would start a program of the repository's choice for it.
git_pack()
{
	git_use "$1" || return
	! git__line config --type=bool maintenance.auto || [[ $REPLY != false ]] || return
	! GIT_OWN_CONFIG=1 git_quiet config --get-all gc.recentObjectsHook >/dev/null || return
	# shellcheck disable=SC2034 # the caller runs it
	GIT_COMMAND=(git --git-dir="$WT_GIT" --work-tree="$WT_TOP" "${GIT_SETTINGS[@]/gc.auto=0/gc.autoDetach=false}" gc --auto)
}

# FILE: removes the locks of housekeeping that are newer, where none lives in this repository: a step's was killed
# with it. git itself would heed them for ever, or for as long as some process has that number.
git_pack_unlock()
{
	local lock

	for lock in "$WT_COMMON/objects/maintenance.lock" "$WT_COMMON"/gc.pid{,.lock}; do
		[[ -f $lock && -O $lock && $lock -nt $1 ]] || continue
		! git__packs || return 0
		rm -f -- "$lock" || return 111
		git_say "removed '%s', which a git that ended with the step has left" "$lock"
	done
}

# Does a `git gc` or `git maintenance` live that works in this repository? Where that cannot be seen: yes.
git__packs()
{
	local proc name args

	[[ -r /proc/self/cmdline ]] || return 0
	for proc in /proc/[0-9]*; do
		{ IFS= read -r name <"$proc/comm"; } 2>/dev/null || continue
		[[ $name == git ]] || continue
		args=$(tr '\0' ' ' 2>/dev/null <"$proc/cmdline") || continue
		[[ $args == *' gc '* || $args == *' maintenance '* ]] || continue
		git_reply git_run -C "$proc/cwd" rev-parse --git-common-dir 2>/dev/null || REPLY=''
		[[ $REPLY == /* ]] || REPLY=$proc/cwd/$REPLY
		[[ ! -e $proc/cwd || ! $REPLY -ef $WT_COMMON ]] || return 0
	done
	return 1
}
