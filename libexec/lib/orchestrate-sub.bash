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
#	sub_tell SYSTEM         what it was sent back for becomes a task of its

# sub_place SYSTEM: sets SUB, and SUB_DIR its session's folder.
sub_place()
{
	SUB=$BRANCH-$1
	SUB_DIR=$PROJECT/.wisp/sessions/$SUB
}

# sub_make SYSTEM [AGAIN]: in a shell of its own, since all that names a session names the other one there. What has that
# name already, and is not ours, stays what it is; with AGAIN its branch is.
sub_make()
(
	tasks=$DIR/plan/$1.json
	spec=$DIR/SCOPE-DISCOVERY.md
	session_from=$BRANCH
	SCRATCH_NOTE=''
	session_let_go
	trap - EXIT INT TERM HUP USR1
	sub_place "$1"
	session_place "$SUB"
	! session_exists || sub_ours "$session_from"
	session_own
	! session_exists || sub_ours "$session_from"
	git_use "$PROJECT"
	git__commit "refs/heads/$SUB"
	commit=$REPLY
	if [[ -n $commit && -z ${2-} ]] && ! git_quiet merge-base --is-ancestor "$commit" "refs/heads/$session_from"; then
		die_usage "there is a branch $SUB already, with commits of its own (git branch -m $TYPED NAME makes room)"
	fi
	template_use default
	SESSION_FROM=$session_from
	session_make default "$SESSION_AGENT" "$spec" "$tasks" ''
)

# sub_ours BRANCH: ends the shell of sub_make: what has its name is its own session, or another one.
sub_ours()
{
	session_facts
	[[ $F_parent != "$1" ]] || exit 0
	die_usage "there is a session $SUB already, which this orchestration has not made (wisp rm $TYPED makes room)"
}

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

# Somebody may have removed its session: then it begins again by its plan. Sets MADE where it does.
MADE=''
sub_there()
{
	MADE=''
	[[ ! -e $SUB_DIR/session.json && ! -e $SHARED/$SUB/record.json && ! -e $SHARED/$SUB/record.last.json ]] || return 0
	tell "wisp: $1: its session is gone: it begins again as it was planned"
	MADE=1
	sub_make "$1" again
}

# sub_start SYSTEM [first]: where its session was completed, there are tasks anew.
sub_start()
{
	local how=${2-} command=resume status options=(--wait) said rc=0

	sub_place "$1"
	if ! sub_there "$1"; then
		orch note failed "$1" --reason "its session is gone, and cannot be made again"
		return 0
	fi
	[[ -z $MADE ]] || how=first
	if ! sub_tell "$1"; then
		orch note failed "$1" --reason "no task could be added to its list, for what is in '$STATE/back/$1'"
		return 0
	fi
	orch note spawning "$1"
	if ! status=$(wisp-state -C "$SUB_DIR" get -f session .status 2>&1 9>&-); then
		orch note failed "$1" --reason "its session cannot be read: $status"
		return 0
	fi
	[[ $how != first && $status != completed ]] || command=run
	[[ $how != first ]] || sub_catch_up
	[[ -z $opt_trust ]] || options+=(--trust)
	if ! tmux_there; then
		sub_beside "$1" "$command" "${options[@]}"
	else
		said=$("$WISP_LIBEXEC/wisp-$command" "$SUB" --detach "${options[@]}" </dev/null 2>&1 8>&- 9>&-) || rc=$?
		# One that lives is taken over.
		if ((rc != 0 && rc != EXIT_OWNED)); then
			orch note failed "$1" --reason "it does not start ($rc): ${said##*$'\n'}"
			tell "wisp: $SUB does not start: $said"
			return 0
		fi
	fi
	typed_word "$SUB"
	tell "wisp: $1: started (wisp attach $REPLY, wisp log -f $REPLY)"
}

# Without tmux: beside this loop; what it says is in run.log.
sub_beside()
{
	local command=$2

	(
		trap '' HUP INT
		exec "$WISP_LIBEXEC/wisp-$command" "$SUB" --foreground "${@:3}"
	) </dev/null >>"$SUB_DIR/run.log" 2>&1 3>&- 4>&- 5>&- 8>&- 9>&- &
	BESIDE+=("$1 $!")
	disown "$!" # what becomes of it is observed, and not for bash to tell
}

# Sets BESIDE: SYSTEM PROCESS of those that were started so and have not ended.
BESIDE=()
beside_look()
{
	local entry left=()

	for entry in ${BESIDE[@]+"${BESIDE[@]}"}; do
		! kill -0 "${entry#* }" 2>/dev/null || left+=("$entry")
	done
	BESIDE=(${left[@]+"${left[@]}"})
}

# Sets TOLD: those that heard it. One that is just beginning may not.
sub_stop()
{
	local how=$1 name pids=() i=0
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
	TOLD=''
	for name; do
		! wait "${pids[i]}" || TOLD+="$name "
		i=$((i + 1))
	done
}
TOLD=''

# What sent it back becomes a task of its list, once, wherever we are killed; a session that was completed begins
# anew with it.
sub_tell()
{
	local file=$STATE/back/$1 title text how open

	[[ -e $file ]] || return 0
	{
		IFS= read -r title && text=$(cat)
	} <"$file" || return
	how=$(<"$TEMPLATE_DIR/merge-fix.md")
	open=$(wisp-tasks -C "$SUB_DIR" list --open 9>&-) || return
	[[ $open == *"$title"* ]] ||
		wisp-tasks -C "$SUB_DIR" add --category bugfix --step "$how" --step "$text" -- "$title" >/dev/null 9>&- || return
	rm -f -- "$file"
}
