# loop-step.bash: one iteration: the step, and its judgement. Sourced by
# loop.bash, whose head says what the variables are.

step_environment()
{
	session_environment
	export WISP_ITERATION=$ITERATION WISP_MAX_ITERATIONS=${F_max-} \
		WISP_PHASE=${F_phase-} WISP_MODEL=${F_model:-$MODEL} WISP_AGENT_PERMISSIONS=$PERMISSIONS WISP_STEP_BUDGET_USD=${F_budget-}
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
	local prompt=${F_prompt:-iterate.md}

	ITERATION=$F_iteration STEP_DIR=$F_dir STEPPING=1
	step_agent
	case $PLAN in
	plan) prompt=create-tasks.md ;;
	update | review) prompt=$PLAN-tasks.md ;;
	discover | retrospect) prompt=$PLAN.md ;;
	decompose) prompt=plan.md ;;
	esac
	wisp-prompt -C "$DIR" --template "$TEMPLATE_DIR" --name "$prompt" -o "$STEP_DIR/prompt.md" \
		--system-out "$STEP_DIR/system.md" 9>&- || loop_fail $?
	tell "wisp: [$ITERATION/${F_max}] ${F_phase:+$F_phase, }$AGENT${F_model:+ with $F_model} ..."
	title "wisp: $BRANCH $ITERATION/$F_max"
	[[ -z ${F_note-} ]] || tell "wisp: [$ITERATION] $F_phase: $F_note"
	(
		step_environment
		cd -- "$WORKTREE" || exit
		exec wisp-agent run --parent "$$" --agent "$AGENT" --format "$AGENT_FORMAT" "${STEP_LIMITS[@]}" \
			${AGENT_ENV[@]+"${AGENT_ENV[@]}"} --prompt "$STEP_DIR/prompt.md" --log "$STEP_DIR/output.log" \
			--result "$STEP_DIR/step.json" -- "${AGENT_COMMAND[@]}" ${AGENT_ARGS[@]+"${AGENT_ARGS[@]}"}
	) </dev/null 9>&- &
	AGENT_PID=$!
	[[ -z $CUT ]] || kill -TERM "$AGENT_PID" 2>/dev/null || :
	agent_wait || supervisor_lost $?
}

# judge: the agent has ended. Looks at what it left, verifies, records; F_action says how it goes on.
judge()
{
	local verify metrics message='' args=()

	STEPPING=1
	turn ran
	verify=$F_verify metrics=$F_metrics message=${F_commit-}
	STATE_VERDICT=$F_state
	if [[ $verify == due && -z $CUT ]]; then
		tell "wisp: verifying"
		verify=passed
		verify_commands "$STEP_DIR" || verify=failed
		if [[ -z $CUT ]]; then
			turn verified "$verify"
			message=${F_commit-}
		fi
	fi
	if [[ -z $CUT && ($verify == passed || $verify == failed || $metrics == yes) ]]; then
		observe_metrics "$STEP_DIR" "$metrics"
	fi
	[[ $WORKTREE == "$PROJECT" || ! -e $WORKTREE/.git ]] || git_use "$WORKTREE" 2>/dev/null || worktree_register
	git_home "$WORKTREE" "$BRANCH"
	if [[ -n $message && -z $CUT ]]; then
		commit_left "$message"
	fi
	observe
	args=(--head "$OBS_HEAD" --tree "$OBS_TREE")
	if [[ $SAVE != true ]]; then
		args+=(--files "$SCRATCH/files")
	elif [[ $OBS_TREE != "$TREE" && -n $TREE ]]; then
		git_changed "$WORKTREE" "$TREE" "$OBS_TREE" "$SCRATCH/files"
		args+=(--files "$SCRATCH/files")
	fi
	if [[ $STATE_VERDICT == valid && $SAVE == true && -z $CUT ]]; then
		git_checkpoint "$WORKTREE" "$BRANCH" "$ITERATION" "$SESSION_ID"
		args+=(--commit "$REPLY")
		# Once in ten: looking costs two programs. The end of the loop prunes what is left over.
		((ITERATION % 10 != 0)) || git_refs_prune "$WORKTREE" "$BRANCH" "$KEEP"
	fi
	if [[ -n $PHASES && $STATE_VERDICT == valid && -z $CUT && -z $PLAN ]]; then
		TURN=wisp-judge turn gates
		if [[ -n ${F_action-} ]]; then
			tell "wisp: [$ITERATION] $F_action: $F_text"
			return 0
		fi
	fi
	turn record "${args[@]}" ${CUT:+--signal "$CUT"} ${ONCE:+--once}
	HEAD=$OBS_HEAD TREE=$OBS_TREE
	report_iteration
}

# commit_left MESSAGE_FILE: a task passed and its work was left uncommitted: wisp
# commits it, but for the dirt that was the user's before the first step (--in-place).
commit_left()
{
	local skip='' rc=0

	if [[ $WORKTREE == "$PROJECT" ]]; then
		git_observe "$WORKTREE"
		skip=$SCRATCH/dirt
		git_dirt "$WORKTREE" "$BRANCH" 0 "$skip" || skip=''
	fi
	git_fallback_commit "$WORKTREE" "$BRANCH" "$1" "Wisp-Step: $SESSION_ID/$ITERATION" "$skip" "$HEAD" || rc=$?
	((rc <= 1)) || REPLY='git refused, and said why'
	((rc == 0)) || tell "wisp: what the agent left could not be committed: $REPLY"
}

report_iteration()
{
	local tasks=''

	[[ -n ${F_outcome-} ]] || return 0
	[[ -z ${F_block-} ]] || tell "$(<"$F_block")"
	# With phases there may be no list.
	[[ ${F_tasks_total:-0} == 0 ]] || tasks=" $F_tasks_passed/$F_tasks_total tasks,"
	tell "wisp: [$ITERATION] ${F_status:-no valid state ($F_state)},$tasks" \
		"outcome ${F_outcome}, verify ${F_verify}${F_observed:+, $F_observed}${F_cost_usd:+, \$$F_cost_usd}:" \
		"${F_summary:-${F_error:-}}"
	[[ -z ${F_differs-} ]] || tell "wisp: [$ITERATION] not what was claimed: $F_differs"
	[[ -z ${F_protected-} ]] || tell "wisp: [$ITERATION] changed, though verify runs from it: $F_protected"
	if [[ $F_action != continue || $F_reason != continue ]]; then
		tell "wisp: [$ITERATION] $F_action: $F_text"
	fi
}
