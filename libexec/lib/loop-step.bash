# loop-step.bash: one iteration: the step, and its judgement. Sourced by
# loop.bash, whose head says what the variables are.

step_environment()
{
	session_environment
	export WISP_ITERATION=$ITERATION WISP_MAX_ITERATIONS=$F_max \
		WISP_PHASE=$F_phase WISP_MODEL=${F_model:-$MODEL} WISP_AGENT_PERMISSIONS=$PERMISSIONS WISP_STEP_BUDGET_USD=$F_budget
}

# A phase may name an agent of its own; without one it is the session's again.
step_agent()
{
	local name=${F_agent:-$SESSION_AGENT}

	[[ $name != "$STEP_AGENT" ]] || return 0
	agent_resolve "$name"
	agent_settings
	STEP_AGENT=$name
}

run_step()
{
	ITERATION=$F_iteration STEP_DIR=$F_dir SEAL=$F_seal STEPPING=1 TREE_GIT=$WT_GIT
	TREES=("$WT_COMMON"/worktrees/*)
	stashed
	STASHED=$REPLY
	STEP_MARK=(--iteration "$F_iteration" --try "$F_attempt")
	step_agent
	tell "wisp: [$ITERATION/${F_max}] ${F_phase:+$F_phase, }$AGENT${F_model:+ with $F_model} ..."
	title "wisp: $BRANCH $ITERATION/$F_max"
	[[ -z $F_note ]] || tell "wisp: [$ITERATION] $F_phase: $F_note"
	agent_run
}

# What runs as the agent may be replaced just now. Where one has run in this session, a missing one is tried again.
readonly MISSING_MOST=120 # seconds; WISP_MISSING_LIMIT lowers it: for tests alone
agent_run()
{
	local rc end='' state=$DIR/state.json

	confine --agent "$AGENT" --session "$DIR" --lend "$STATE/lent" --agent-state "$STATE/agent"
	[[ $SANDBOX == off ]] || state=$STATE/lent/session/state.json
	while :; do
		live_start "$STEP_DIR/output.log"
		(
			step_environment
			cd -- "$WORKTREE" || exit
			export WISP_STEP_ENV=$AGENT_ENV
			exec wisp-agent run --missing --parent "$$" --agent "$AGENT" --format "$AGENT_FORMAT" "${STEP_LIMITS[@]}" \
				--prompt "$STEP_DIR/prompt.md" --log "$STEP_DIR/output.log" \
				--result "$STEP_DIR/step.json" --state "$state" "${STEP_MARK[@]}" \
				"${CONFINED[@]}" "${AGENT_COMMAND[@]}" ${AGENT_ARGS[@]+"${AGENT_ARGS[@]}"}
		) </dev/null 9>&- &
		agent_started
		rc=0
		agent_wait || rc=$?
		live_stop
		((rc == 1)) || break
		agent_missing || return 0
	done
	((rc == 0)) || supervisor_lost "$rc"
}

# agent_missing: 0 once it may be tried again; sets end.
agent_missing()
{
	local h m s until limit=${WISP_MISSING_LIMIT:-$MISSING_MOST}

	((F_iteration > 1 || F_attempt > 1)) && [[ -z $CUT ]] || return 1
	if [[ -z $end ]]; then
		end=$((SECONDS + limit))
		IFS=: read -r h m s <<<"$(date +%H:%M:%S)"
		s=$(((10#$h * 60 + 10#$m) * 60 + 10#$s + limit))
		printf -v until '%02d:%02d:%02d' $((s / 3600 % 24)) $((s / 60 % 60)) $((s % 60))
		tell "wisp: [$ITERATION] the agent '$AGENT' cannot be started now, and has run before: tried again until $until"
	fi
	((SECONDS < end)) || return 1
	wait_for --for 1s "$STATE/requests" || :
	[[ -z $CUT ]]
}

# judge: the agent has ended. Looks at what it left, does what is due of it, records; F_action says how it goes on.
judge()
{
	local due note='' NEWS=() next=() GIT_KEEPS=1

	STEPPING=1 WORKED='' WORK_CREDITED='' WORK_DIFF='' WORK_WROTE=''
	lent_back
	worktree_unlock
	git_pack_unlock "$STEP_DIR/prompt.md"
	! worktree_lost || worktree_again "$REPLY"
	call wisp-state ran ${SEAL:+--seal "$SEAL"}
	commands_take
	SEAL=$F_seal due=$F_due
	[[ -z $F_note ]] || tell "wisp: [$ITERATION] $F_note"
	worktree_use || worktree_register
	worktree_index
	git_home "$WORKTREE" "$BRANCH"
	[[ -z $F_flags ]] || git_flags_clear "$WORKTREE" "$F_flags"
	trees_left
	stash_kept
	while [[ -z $CUT ]]; do
		case $due in
		verify) verify_work ;;
		metrics) observe_metrics "$STEP_DIR" ;;
		gates)
			call wisp-gate phase --note
			SEAL='' due=$F_due
			[[ -z $F_action ]] || {
				tell "wisp: [$ITERATION] $F_action: $F_text"
				return 0
			}
			;;
		commit)
			work_before
			break
			;;
		*) break ;; # observe
		esac
	done
	[[ -z $note ]] || tell "wisp: [$ITERATION] $note"
	work_noted
	refusals_noted
	close_step
	call wisp-stuck check --note -q || :
	call wisp-gate decide --note -q
	[[ -n $CUT || -n $PLAN ]] || next=(--begin ${WAIT:+--wait} --template "$TEMPLATE_DIR")
	call wisp-state record ${next[@]+"${next[@]}"}
	HEAD=$OBS_HEAD TREE=$OBS_TREE SEAL=''
	report_iteration
}

# close_step: what was verified is committed, the step is observed and gets its checkpoint; all that is noted. What the
# agent can mend goes into the next prompt; where git itself fails twice, the loop ends: the next start verifies and commits.
close_step()
{
	local try rc

	[[ $SAVE == true ]] || observe
	for try in 1 2; do
		rc=0
		git_close "$WORKTREE" ${SEAL:+--seal "$SEAL"} ${CUT:+--signal "$CUT"} ${ONCE:+--once} \
			--head "$OBS_HEAD" --tree "$OBS_TREE" --since "$TREE" --files "$SCRATCH/files" \
			--worked "$WORKED" --credited "$WORK_CREDITED" --listed "$LISTED" --work "$SCRATCH" ${WORK_DIFF:+--diff "$WORK_DIFF"} \
			--not-work "$STATE/not-work" ${NEWS[@]+"${NEWS[@]}"} || rc=$?
		[[ $rc -eq $EXIT_SYS && $due == commit && -z $CUT ]] || break
	done
	if ((rc > 0)); then
		[[ $rc -ne $EXIT_SYS || $due != commit ]] || tell "wisp: what the agent left could not be committed: git failed $try times" \
			"(wisp resume verifies and commits it)"
		loop_fail "$rc"
	fi
	[[ -z $CLOSE_UNCOMMITTED ]] || tell "wisp: what the agent left could not be committed: $CLOSE_UNCOMMITTED"
	[[ -z $CLOSE_DELETES ]] || tell "wisp: what the agent left is not committed: it deletes $CLOSE_DELETES"
}

# show_block FILE: the status block of a phase, which phase-status.log has too; on a screen of its own the status line does.
show_block()
{
	if draws; then
		tell "$(wisp-state -C "$DIR" show 9>&-)"
	else
		tell "$(<"$1")"
	fi
}

report_iteration()
{
	local tasks=''

	[[ -n $F_outcome ]] || return 0
	[[ -z $F_block ]] || show_block "$F_block"
	# With phases there may be no list.
	[[ ${F_tasks_total:-0} == 0 ]] || tasks=" $F_tasks_passed/$F_tasks_total tasks,"
	tell "wisp: [$ITERATION] ${F_status:-no valid state ($F_state)},$tasks" \
		"outcome ${F_outcome}, verify ${F_verify}${F_observed:+, $F_observed}${F_cost_usd:+, \$$F_cost_usd}:" \
		"${F_summary:-${F_error:-}}"
	[[ -z $F_differs ]] || tell "wisp: [$ITERATION] observed differs from claimed: $F_differs"
	[[ -z $F_protected ]] || tell "wisp: [$ITERATION] changed, though verify runs from it: $F_protected"
	[[ $F_action == continue && $F_reason == continue ]] || tell "wisp: [$ITERATION] $F_action: $F_text"
}
