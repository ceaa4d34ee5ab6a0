# doctor-left.bash: what sessions left lying about, with the command that mends
# it. Sourced by wisp-doctor, after doctor.bash; each function calls report.

SESSIONS=() # the branches of the project's sessions

# Nothing of it keeps a run from starting.
check_left()
{
	check_scratch
	[[ -n $PROJECT ]] && git_use "$PROJECT" 2>/dev/null || return 0
	check_sessions
	check_worktrees
	check_refs
	check_notify
}

# What commands that were killed had in TMPDIR. Only named: a process of another container is not to be seen from here.
check_scratch()
{
	local left pid

	for left in "${TMPDIR:-/tmp}"/wisp.*.??????; do
		pid=${left##*/wisp.}
		pid=${pid%.*}
		[[ $pid != *[!0-9]* && -e $left && ! -L $left && -O $left ]] || continue
		! kill -0 "$pid" 2>/dev/null || continue
		report warn scratch "'$left' was left by process $pid, which has ended: rm -r $(printf '%q' "$left")"
	done
}

# is_session BRANCH
is_session()
{
	local branch

	for branch in ${SESSIONS[@]+"${SESSIONS[@]}"}; do
		[[ $branch != "$1" ]] || return 0
	done
	return 1
}

# Sets SESSIONS.
check_sessions()
{
	local states word branch bad=''

	if ! states=$(ask states 2>&1); then
		report warn sessions "${states#*: }"
		return 0
	fi
	while read -r word branch; do
		[[ -n $branch ]] || continue
		if [[ $word == note ]]; then
			report warn sessions "$branch"
			bad=yes
			continue
		fi
		SESSIONS+=("$branch")
		typed_word "$branch"
		case $word in
		stale) report warn sessions "the loop of $branch died: wisp resume $REPLY" ;;
		broken) report warn sessions "$branch cannot be read: wisp status $REPLY says why" ;;
		*) continue ;;
		esac
		bad=yes
	done <<<"$states"
	[[ -n $bad ]] || report ok sessions "${#SESSIONS[@]}, none of them stale"
}

# Those that git knows below .wisp/worktrees, and has no session for.
check_worktrees()
{
	local line path bad='' top=$PROJECT/.wisp/worktrees

	if git_plugged "$WT_COMMON"/worktrees/*; then
		report warn worktrees "$REPLY"
		return 0
	fi
	GIT_OWN_CONFIG=1 git__line worktree list --porcelain || REPLY=''
	while IFS= read -r line; do
		path=${line#worktree }
		[[ $line == "worktree $top/"* ]] || continue
		! is_session "${path#"$top/"}" || continue
		if [[ -e $path ]]; then
			report warn worktrees "'$path' belongs to no session: git worktree remove $(printf '%q' "$path")"
		else
			report warn worktrees "'$path' is gone, and git still has it registered: git worktree prune"
		fi
		bad=yes
	done <<<"$REPLY"
	[[ -n $bad ]] || report ok worktrees 'each belongs to a session'
}

# Checkpoints and put-away work of branches that have no session any more.
check_refs()
{
	local ref branch seen='' bad='' words

	git__line for-each-ref --format='%(refname)' refs/wisp/checkpoints/ refs/wisp/failed/ || REPLY=''
	while IFS= read -r ref; do
		branch=${ref#refs/wisp/*/}
		branch=${branch%/*}
		[[ -n $ref && $seen != *" $branch "* ]] || continue
		seen+=" $branch "
		if ! is_session "$branch"; then
			words="refs/wisp holds work of $branch, which has no session: git for-each-ref --format='delete %(refname)'"
			words+="$(printf ' %q' "refs/wisp/checkpoints/$branch/" "refs/wisp/failed/$branch/") | git update-ref --no-deref --stdin"
			report warn refs "$words"
			bad=yes
		fi
	done <<<"$REPLY"
	[[ -n $bad ]] || report ok refs 'refs/wisp holds the work of sessions alone'
}

# Did the last notification of a session fail?
check_notify()
{
	local branch log line failed=''

	for branch in ${SESSIONS[@]+"${SESSIONS[@]}"}; do
		log=$PROJECT/.wisp/sessions/$branch/notify.log
		[[ -f $log ]] || continue
		line=$(tail -n 1 -- "$log")
		if [[ $line == *' FAILED '* ]]; then
			report warn notify "the last one of $branch, at ${line/ FAILED/:}: wisp config notify.command sets another"
			failed=yes
		fi
	done
	config_value notify.command
	[[ -n $failed || -z $VALUE ]] || report ok notify "notify.command is '$VALUE'"
}
