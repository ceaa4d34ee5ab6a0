# orchestrate-sub.bash: the sessions of the sub-agents: made, started, told to end.
# Sourced by orchestrate.bash, whose head says what the variables are.
#
# A sub-agent of SYSTEM is the session B-SYSTEM, B being the orchestration's branch, and
# that is what it began on. It runs as a person would run it: in a tmux of its own, or
# where there is none beside this loop, which it outlives. None of our locks goes along.
#
#	make_sessions LINES     for each open system of `wisp-orch systems`
#	sub_start SYSTEM        runs it, or goes on with it
#	sub_stop HOW SYSTEM...  HOW is pause or now; returns once they were told
#	sub_tell SYSTEM TITLE TEXT   a task for it: what was finished does not hold

# sub_place SYSTEM: sets SUB, and SUB_DIR its session's folder.
sub_place()
{
	SUB=$BRANCH-$1
	SUB_DIR=$PROJECT/.wisp/sessions/$SUB
}

# In a shell of its own, since all that names a session names the other one there.
sub_make()
(
	tasks=$DIR/plan/$1.json
	spec=$DIR/SCOPE-DISCOVERY.md
	session_from=$BRANCH
	exec 8>&- 9>&-
	trap - EXIT INT TERM HUP USR1
	sub_place "$1"
	session_place "$SUB"
	! session_exists || exit 0
	template_use default
	SESSION_FROM=$session_from
	session_make default "$SESSION_AGENT" "$spec" "$tasks" ''
)

make_sessions()
{
	local name status rc

	while read -r name status; do
		[[ -n $name && $status == open ]] || continue
		rc=0
		sub_make "$name" || rc=$?
		((rc == 0)) || {
			stop_here "$rc" "the session of $name could not be made"
			return 0
		}
		asked_to_stop
		[[ -z $END ]] || return 0
	done <<<"$1"
}

# The branch of a system that has nothing of its own yet begins at what was merged meanwhile.
sub_catch_up()
{
	local tree=$PROJECT/.wisp/worktrees/$SUB

	[[ -e $tree/.git ]] && git_use "$tree" || return 0
	if git_quiet merge-base --is-ancestor HEAD "refs/heads/$BRANCH"; then
		git_quiet merge -q --ff-only "refs/heads/$BRANCH" >/dev/null 2>&1 || :
	fi
	git_use "$PROJECT"
}

# sub_start SYSTEM [first]: where its session was completed, there are tasks anew.
sub_start()
{
	local how=${2-} command=resume status options=(--wait) said rc=0

	sub_place "$1"
	orch note spawning "$1"
	if ! status=$(wisp-state -C "$SUB_DIR" get -f session .status 2>&1 9>&-); then
		orch note failed "$1" --reason "its session cannot be read: $status"
		return 0
	fi
	[[ $how != first && $status != completed ]] || command=run
	[[ $how != first ]] || sub_catch_up
	[[ -z $opt_trust ]] || options+=(--trust)
	if ! tmux_there; then
		sub_beside "$command" "${options[@]}"
	else
		said=$("$WISP_LIBEXEC/wisp-$command" "$SUB" --detach "${options[@]}" </dev/null 2>&1 8>&- 9>&-) || rc=$?
		# One that lives is taken over.
		if ((rc != 0 && rc != EXIT_OWNED)); then
			orch note failed "$1" --reason "it does not start ($rc): ${said##*$'\n'}"
			tell "wisp: $SUB does not start: $said"
			return 0
		fi
	fi
	tell "wisp: $1: started (wisp attach $SUB, wisp log -f $SUB)"
}

# Without tmux: beside this loop; what it says is in run.log.
sub_beside()
{
	local command=$1
	shift

	(
		trap '' HUP INT
		exec "$WISP_LIBEXEC/wisp-$command" "$SUB" --foreground "$@"
	) </dev/null >>"$SUB_DIR/run.log" 2>&1 3>&- 4>&- 5>&- 8>&- 9>&- &
}

sub_stop()
{
	local how=$1 name pids=() pid
	shift

	for name; do
		sub_place "$name"
		if [[ $how == now ]]; then
			"$WISP_LIBEXEC/wisp-stop" "$SUB" --now </dev/null >/dev/null 2>&1 8>&- 9>&- &
		else
			"$WISP_LIBEXEC/wisp-pause" "$SUB" </dev/null >/dev/null 2>&1 8>&- 9>&- &
		fi
		pids+=("$!")
	done
	for pid in ${pids[@]+"${pids[@]}"}; do
		wait "$pid" || :
	done
}

# The task stands in its list; a session that was completed begins anew with it.
sub_tell()
{
	local text

	sub_place "$1"
	text=$(<"$TEMPLATE_DIR/merge-fix.md")
	wisp-tasks -C "$SUB_DIR" add --category bugfix --step "$text" --step "$3" -- "$2" >/dev/null 9>&-
}
