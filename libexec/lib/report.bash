# report.bash: what a run says of itself as a whole: what it can count, and what it
# came to. Sourced by start.bash.
#
#	report_open      with --json: stdout is the document's alone, all else goes to stderr
#	report_costs     says, before the first step, where money cannot be counted
#	report_session   the report of wisp-session, with the commits since the session began;
#	                 before it, where a session is completed, what is not committed

readonly REPORT_COMMITS=100 # that the document names; it counts all

# The document's stdout waits on descriptor 5.
report_open()
{
	if [[ -n $opt_json ]]; then
		exec 5>&1 1>&2
	fi
}

report_costs()
{
	local total step

	config_value limits.maxCostUsd
	total=$VALUE
	config_value limits.maxStepCostUsd
	step=$VALUE
	[[ $AGENT_COST == none && -n $total ]] || return 0
	if [[ -n $step ]]; then
		tell "wisp: $AGENT reports no cost: each of its steps counts as limits.maxStepCostUsd ($step)"
	else
		tell "wisp: $AGENT does not report costs, so limits.maxCostUsd is not enforced; its calls and tokens are counted"
	fi
}

# A merge takes what is committed. With phases nobody commits but the agent, and where a task
# claims nothing new neither does wisp: what is left over would be missed only later.
report_left()
{
	local text

	[[ $END == "$EXIT_OK" && $WORKTREE != "$PROJECT" && -e $WORKTREE/.git ]] || return 0
	git_look "$WORKTREE" "$SCRATCH/left" 2>/dev/null && [[ -n $LOOK_LEFT ]] || return 0
	# An agent gave it its name: no control character of it reaches the terminal.
	printf -v text 'not everything in the work tree is committed: %q (git -C %q status)' "$LOOK_LEFT" "$WORKTREE"
	tell "wisp: $text"
}

# A report that cannot be written changes nothing about how the run ended.
report_session()
{
	local count range="$BASE..refs/heads/$BRANCH" args=()

	report_left
	if [[ -n $BASE ]] && git_use "$PROJECT" 2>/dev/null &&
		git__line rev-list --count "$range" -- 2>/dev/null && count=$REPLY &&
		git_quiet log --no-show-signature --max-count="$REPORT_COMMITS" --format='%H %s' "$range" -- >"$SCRATCH/commits"; then
		args=(--commits "$SCRATCH/commits" --count "$count")
	fi
	[[ -z $SHIP ]] || args+=(--ship "$SHIP" --shipped "$SCRATCH/shipped")
	if [[ -n $opt_json ]]; then
		ask -C "$DIR" summary --json ${args[@]+"${args[@]}"} >&5 || :
	else
		ask -C "$DIR" summary ${args[@]+"${args[@]}"} || :
	fi
}
