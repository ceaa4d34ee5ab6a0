# git-run.bash: git with a time limit, and signals heard meanwhile. Only `wisp done` starts a push
# otherwise, and the demo its own.
#
#	git_run ARGUMENT...   111, and a message, where it gave no answer within GIT_LIMIT, or was killed
#	git_reply [git_both] FUNCTION ARGUMENT...   git_run, or what calls it: what it says into REPLY
#	git_hear              traps are set from here on
#	git_cut               a signal has come: ends the git that runs, where it waits at a
#	                      named pipe, or where GIT_NOW is 1; 1: it works, or none runs
#
# git opens some files of its folder whatever they are, and at a named pipe it would wait
# for ever. The limit is for that, not for slow machines. WISP_GIT_LIMIT, seconds, lowers
# it: for tests alone.
#
# bash runs no trap while it waits for a program in the foreground, hence `&` and wait,
# which is no process more.

! declare -F git_run >/dev/null || return 0 # sourced before

readonly GIT_LIMIT_MOST=300
GIT_LIMIT=${WISP_GIT_LIMIT:-$GIT_LIMIT_MOST}
[[ $GIT_LIMIT != *[!0-9]* && $GIT_LIMIT -gt 0 && $GIT_LIMIT -lt $GIT_LIMIT_MOST ]] || GIT_LIMIT=$GIT_LIMIT_MOST
readonly GIT_LIMIT GIT_LATE=142 # ended by ALRM

GIT_PID=''

# git_say FORMAT ARGUMENT...: a message. What an agent has named must not write to a terminal.
git_say()
{
	local text

	# shellcheck disable=SC2059 # the format is the first
	printf -v text "$@"
	printf 'wisp: %s\n' "${text//[[:cntrl:]]/?}" >&2
}

git_run()
{
	local rc=0

	# An object that is missing is fetched in a partial clone, by a program that its configuration names.
	[[ -n ${GIT_FETCHES-} ]] || local -x GIT_ALLOW_PROTOCOL=''
	git__child wisp-exec --limit "$GIT_LIMIT" git "$@" || rc=$?
	git__answered "$rc" "$@"
}

# PROGRAM ARGUMENT...: with GIT_EXEC this shell becomes it, and the caller has git__answered look at the status.
git__child()
{
	local rc=0

	[[ -z ${GIT_EXEC-} ]] || exec "$@" 9>&-
	"$@" <&0 9>&- &
	GIT_PID=$!
	[[ -z ${CUT-} ]] || ! git_cut || exit 111 # a signal has come before: no other may follow
	child_wait "$GIT_PID" || rc=$?
	GIT_PID=''
	return "$rc"
}

# In a shell that hears signals it goes through a file: bash runs no trap while it reads
# what a $( ) says. Else exec saves the second fork.
git_reply()
{
	local rc=0 more=''

	if [[ ! -d ${SCRATCH-} ]]; then
		# shellcheck disable=SC2030 # for this one alone
		REPLY=$(GIT_EXEC=1 && "$@") || rc=$?
		git__answered "$rc" "$@"
		return
	fi
	"$@" >"$SCRATCH/git.line" || rc=$?
	# Mostly it is one line.
	if { IFS= read -r REPLY && { IFS= read -r more || [[ -n $more ]]; }; } <"$SCRATCH/git.line"; then
		REPLY=$(<"$SCRATCH/git.line")
	fi
	return "$rc"
}

# git_both FUNCTION ARGUMENT...: its errors, and those of git_run, go where its output goes.
git_both()
{
	GIT_EXEC='' "$@" 2>&1
}

# git__answered STATUS ARGUMENT...: returns STATUS, but 111 where the limit, or a signal, has ended git.
git__answered()
{
	local rc=$1 why='and was ended'
	shift

	# 129 is its usage, 255 a failure; in between are signals.
	((rc > 129 && rc < 193)) || return "$rc"
	while [[ ${1-} == -* || ${1-} == git_* ]]; do
		[[ $1 != -[Cc] ]] || shift
		shift
	done
	((rc == GIT_LATE)) || {
		[[ -n ${CUT-} ]] || git_say 'git %s was killed by signal %s' "${1-}" "$((rc - 128))"
		return 111
	}
	! git__pipe || why="'$REPLY' is a named pipe: remove it"
	git_say 'git %s gave no answer for %s s: %s' "${1-}" "$GIT_LIMIT" "$why"
	return 111
}

# REPLY: a named pipe in one of git's folders, wherever. 1: there is none.
git__pipe()
{
	IFS= read -r REPLY < <(find "${WT_GIT:-.git}" "${WT_COMMON:-.git}" "${PROJECT:-.}/.git" "${WORKTREE:-.}/.git" \
		-type p 2>/dev/null)
}

# git_plugged FOLDER...: is there one in these folders of git's? REPLY says so. Objects are not looked through, nor
# what wisp removes or makes again itself. Starts no program.
git_plugged()
{
	local dir file

	for dir; do
		for file in "$dir" "$dir"/* "$dir"/{objects/info,refs,logs}/* "$dir"/{refs,logs/refs}/*/*{,/*,/*/*,/*/*/*}; do
			if [[ -p $file && ${file##*/} != wisp.* && $file != "$dir/index" ]]; then
				REPLY="git would wait at '$file', a named pipe: remove it"
				return 0
			fi
		done
	done
	return 1
}

# git_within DIR: 111 where there is one in the repository that DIR lies in; REPLY says so.
git_within()
{
	local top dir

	real_folder "$1" || return 0 # git will say it
	top=$REPLY
	while [[ -n $top && ! -e $top/.git ]]; do
		top=${top%/*}
	done
	dir=$top/.git
	if [[ -f $dir ]]; then # that of a linked work tree lies in its repository's
		IFS= read -r dir <"$dir" || :
		dir=${dir#gitdir: }
		[[ $dir == /* ]] || dir=$top/$dir
	fi
	! git_plugged "$dir" "${dir%/worktrees/*}" || return 111
}

# A trap has the redirections of the call that it comes in: what it says goes to 4.
git_hear()
{
	exec 4>&2
}

git_cut()
{
	local REPLY=''

	[[ -n $GIT_PID ]] && { git__pipe || [[ -n ${GIT_NOW-} ]]; } || return 1
	kill -TERM "$GIT_PID" 2>/dev/null || :
	exec >&4 2>&4 # the caller ends
	[[ ! -p $REPLY ]] || git_say "git waited at '%s', a named pipe: remove it" "$REPLY"
}

# git_lock_stale LOCK: one that stays as it is for ten seconds is none that a git at work holds, and is removed.
git_lock_stale()
{
	local lock=$1 same left

	[[ -f $lock ]] && same=$(ls -di -- "$lock" 2>/dev/null) || return 0
	if [[ -z $(find "$lock" -mmin +1 2>/dev/null) ]]; then
		git_say "'%s' is held by a git: waiting for it, 10 s at most" "$lock"
		for ((left = 10; left > 0; left--)); do
			sleep 1
			[[ $(ls -di -- "$lock" 2>/dev/null) == "$same" ]] || return 0
		done
	fi
	rm -f -- "$lock" || return
	git_say "removed '%s', which a git that was killed has left" "$lock"
}

# shellcheck source=lib/child.bash
source "${BASH_SOURCE[0]%/*}/child.bash"
