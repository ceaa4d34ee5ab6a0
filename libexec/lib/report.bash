# report.bash: what a run says of itself as a whole: what it can count, and what it
# came to. Sourced by start.bash.
#
#	report_open      with --json: stdout is the document's alone, all else goes to stderr
#	report_costs     says, before the first step, where money cannot be counted
#	report_session   the report of wisp-session, with the commits since the session began

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

	total=$(config_value limits.maxCostUsd)
	step=$(config_value limits.maxStepCostUsd)
	[[ $AGENT_COST == none && -n $total ]] || return 0
	if [[ -n $step ]]; then
		tell "wisp: $AGENT reports no cost: each of its steps counts as limits.maxStepCostUsd ($step)"
	else
		tell "wisp: $AGENT reports no cost: limits.maxCostUsd cannot hold it; its calls and tokens are counted"
	fi
}

# A report that cannot be written changes nothing about how the run ended.
report_session()
{
	local count range="$BASE..refs/heads/$BRANCH" args=()

	if [[ -n $BASE ]] && git_use "$PROJECT" 2>/dev/null &&
		count=$(git_quiet rev-list --count "$range" -- 2>/dev/null) &&
		git_quiet log --no-show-signature --max-count="$REPORT_COMMITS" --format='%H %s' "$range" -- >"$SCRATCH/commits"; then
		args=(--commits "$SCRATCH/commits" --count "$count")
	fi
	if [[ -n $opt_json ]]; then
		ask -C "$DIR" summary --json ${args[@]+"${args[@]}"} >&5 || :
	else
		ask -C "$DIR" summary ${args[@]+"${args[@]}"} || :
	fi
}
