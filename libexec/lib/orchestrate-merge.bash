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

MERGING='' MERGE_PID='' MERGE_DIR=''

# Types of gates.required that are asked for each system before it is merged.
merge_gates()
{
	local line type

	while IFS= read -r line; do
		type=${line#gates.required=}
		[[ $type != plan-review ]] || continue
		gate "$type" "agent-$1" "$1 is finished: merge $BRANCH-$1 into $BRANCH?"
		[[ $GATE == approved ]] || return 0
	done < <(config_lines gates.required)
	GATE=approved
}

merge_begin()
{
	local type

	merge_gates "$1"
	case $GATE in
	pending) return 0 ;;
	rejected)
		type=$F_type
		orch gate --type "$type" --agent "agent-$1" --again
		send_back "$1" "$type was rejected" "${F_feedback-}"
		return 0
		;;
	esac
	orch note merging "$1"
	MERGING=$1 MERGE_DIR=$SCRATCH/merge
	rm -rf -- "$MERGE_DIR"
	mkdir -- "$MERGE_DIR"
	tell "wisp: $1: merging $BRANCH-$1"
	(
		trap - EXIT INT TERM HUP USR1
		rc=0
		WISP_MERGE_FOR=$$ "$WISP_LIBEXEC/wisp-done" "$BRANCH-$1" --merge </dev/null >"$MERGE_DIR/said" 2>&1 || rc=$?
		echo "$rc" >"$MERGE_DIR/code.new"
		mv -f -- "$MERGE_DIR/code.new" "$MERGE_DIR/code"
	) 5>&- 8>&- 9>&- &
	MERGE_PID=$!
}

merge_round()
{
	local rc said name=$MERGING commit

	[[ -n $MERGING ]] || return 0
	if [[ ! -e $MERGE_DIR/code ]]; then
		! kill -0 "$MERGE_PID" 2>/dev/null || return 0
		[[ -e $MERGE_DIR/code ]] || echo "$EXIT_SYS" >"$MERGE_DIR/code"
	fi
	wait "$MERGE_PID" || :
	rc=$(<"$MERGE_DIR/code") said=$(<"$MERGE_DIR/said")
	MERGING='' MERGE_PID=''
	case $rc in
	0)
		git_use "$PROJECT"
		commit=$(git_quiet rev-parse "refs/heads/$BRANCH") || commit=''
		orch note merged "$name" ${commit:+--commit "$commit"}
		# The merge is no work of a person's in our own work tree.
		observe
		turn restored --did keep --head "$OBS_HEAD" --tree "$OBS_TREE"
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
	kill -TERM "$MERGE_PID" 2>/dev/null || :
	wait "$MERGE_PID" || :
	orch note unmerged "$MERGING"
	MERGING='' MERGE_PID=''
}

# send_back SYSTEM WHY TEXT: to its agent, as often as the template allows; then to a person.
send_back()
{
	orch note back "$1" --reason "$2"
	if [[ $F_back == person ]]; then
		gate merge-fix "agent-$1" "$2, after $F_times tries: approve has its agent try again. $3"
		return 0
	fi
	sub_tell "$1" "Mend $1: $2" "$3" || orch note failed "$1" --reason "no task could be added: $2"
}
