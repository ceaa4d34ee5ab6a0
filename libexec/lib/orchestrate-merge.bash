# orchestrate-merge.bash: the merge queue: one at a time, into the orchestration's branch.
# Sourced by orchestrate.bash, whose head says what the variables are.
#
# `wisp done B-SYSTEM --merge` does it, as for a person: gates once more, verify on the
# final commit and on the merged tree, in a work tree of its own; the branch moves last. It
# runs beside the rounds of orchestrate-execute.bash, so that the others are looked at
# meanwhile. What conflicts or fails goes back to the system's agent, as a task.
#
#	merge_begin SYSTEM   where its gates allow it
#	merge_round          has it ended?
#	merge_cut            ends it

readonly TOLD_MOST=20000 # characters of what a merge said that are told
MERGING='' MERGE_PID='' MERGE_DIR='' HELD=''

# Types of gates.required that are asked for each system before it is merged.
merge_gates()
{
	local type required

	config_values gates.required
	required=(${VALUES[@]+"${VALUES[@]}"})
	for type in ${required[@]+"${required[@]}"}; do
		[[ $type != plan-review ]] || continue
		gate "$type" "agent-$1" "$1 is finished: merge $BRANCH-$1 into $BRANCH?"
		[[ $GATE == approved ]] || return 0
	done
	GATE=approved
}

# Can our branch move? What stands in its way here is for a person, and no agent's to mend: HELD says what, and
# nothing is merged until it is gone.
merge_held()
{
	local was=$HELD

	HELD=''
	git_use "$PROJECT"
	if git_finish_held "$BRANCH" || { [[ -n $HOLDER ]] && git_finish_dirty "$HOLDER"; }; then
		HELD=$REPLY
	fi
	git_use "$PROJECT"
	[[ -z $HELD || $HELD == "$was" ]] || {
		tell "wisp: nothing is merged until a person has looked: $HELD (commit it there, or take it away)"
		bell
	}
}

merge_begin()
{
	merge_gates "$1"
	case $GATE in
	pending) return 0 ;;
	rejected)
		send_back "$1" "$F_type was rejected" "$F_feedback"
		return 0
		;;
	esac
	merge_held
	[[ -z $HELD ]] || return 0
	MERGE_DIR=$SCRATCH/merge
	rm -rf -- "$MERGE_DIR"
	mkdir -- "$MERGE_DIR" || die_sys "cannot make '$MERGE_DIR'"
	orch note merging "$1"
	MERGING=$1
	tell "wisp: $1: merging $BRANCH-$1"
	merge_beside "$1" 5>&- 8>&- 9>&- &
	MERGE_PID=$!
}

# In a process of its own: what ends that one ends the merge.
merge_beside()
{
	local pid='' cut='' rc

	trap - EXIT INT HUP USR1
	trap 'cut=1; [[ -z $pid ]] || kill -TERM "$pid" 2>/dev/null' TERM
	WISP_MERGE_FOR=$$ "$WISP_LIBEXEC/wisp-done" "$BRANCH-$1" --merge </dev/null >"$MERGE_DIR/said" 2>&1 &
	pid=$!
	[[ -z $cut ]] || kill -TERM "$pid" 2>/dev/null || :
	while :; do
		rc=0
		wait "$pid" || rc=$?
		kill -0 "$pid" 2>/dev/null || break
	done
	# Seen by whoever waits there; what counts is our status.
	: >"$MERGE_DIR/over"
	exit "$rc"
}

# Waits for it; returns its status.
merge_wait()
{
	local rc=0

	child_wait "$MERGE_PID" || rc=$?
	MERGE_PID='' GIT_LOOKED=''
	return "$rc"
}

merge_round()
{
	local rc=0 said name=$MERGING commit

	[[ -n $MERGING ]] || return 0
	[[ -e $MERGE_DIR/over ]] || ! kill -0 "$MERGE_PID" 2>/dev/null || return 0
	merge_wait || rc=$?
	said=$(cat -- "$MERGE_DIR/said" 2>/dev/null) || :
	MERGING=''
	case $rc in
	0)
		git_use "$PROJECT"
		git__commit "refs/heads/$BRANCH"
		commit=$REPLY
		orch note merged "$name" ${commit:+--commit "$commit"}
		rm -f -- "$STATE/back/$name"
		# The merge is no work of a person's in our own work tree.
		observe
		call wisp-state restored --did keep --head "$OBS_HEAD" --tree "$OBS_TREE"
		tell "wisp: $name: merged into $BRANCH, now at ${commit:0:12}"
		;;
	"$EXIT_OWNED") orch note unmerged "$name" ;; # its loop is just ending: in the next round
	"$EXIT_NO")
		tell "wisp: $name: not merged: ${said##*$'\n'}"
		send_back "$name" "it does not merge into $BRANCH" "$said"
		;;
	*)
		tell "wisp: $name: not merged ($rc): $said"
		orch note failed "$name" --reason "its merge ended with $rc: ${said##*$'\n'}"
		;;
	esac
}

merge_cut()
{
	[[ -n $MERGE_PID ]] || return 0
	child_end "$MERGE_PID"
	merge_wait || :
	orch note unmerged "$MERGING"
	MERGING=''
}

# send_back SYSTEM WHY TEXT: to its agent, as often as the template allows; then to a person. The task lies in
# our record's folder first, and gets into the system's list when its agent is started (sub_tell).
send_back()
{
	local file=$STATE/back/$1 text=$3

	((${#text} <= TOLD_MOST)) || text=...${text:${#text}-TOLD_MOST}
	if ! { folder_make "$STATE/back" && (umask 077 && printf 'Fix %s: %s\n%s\n' "$1" "$2" "$text" >"$STATE/back/.$1") && mv -f -- "$STATE/back/.$1" "$file"; }; then
		orch note failed "$1" --reason "'$file' cannot be written: $2"
		return 0
	fi
	orch note back "$1" --reason "$2"
	[[ $F_back != person ]] ||
		gate merge-fix "agent-$1" "$2, after $F_times tries: approve has its agent try again. $text"
}
