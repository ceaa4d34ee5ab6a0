# loop.bash: the loop of one session: begin, step, verify, judge, record, act.
#
# Sourced after session.bash. bash sequences and waits; what is decided is
# decided by wisp-turn (docs/loop.md). Its answers are read into variables F_*.
#
#	loop_run      runs until there is a reason to stop; sets END to the exit code
#
# Reads: PROJECT BRANCH DIR STATE WORKTREE TEMPLATE_DIR AGENT AGENT_COMMAND AGENT_FORMAT AGENT_ARGS AGENT_ENV
#        MODEL PERMISSIONS PLAN (1: steps make the task list) ONCE (1) WAIT (1: limits are waited for) ASK (1: questions are)

CUT='' AGENT_PID='' END='' HEAD='' TREE='' STAMP='' WATCHED=()

# turn VERB ...: asks wisp-turn; its lines key=value become F_key. Ends the loop where it fails.
turn()
{
	local line out name rc=0

	for name in ${!F_@}; do
		unset "$name"
	done
	out=$(
		trap '' INT HUP TERM
		exec wisp-turn -C "$DIR" "$@" 9>&-
	) || rc=$?
	((rc == 0)) || loop_fail "$rc"
	while IFS= read -r line; do
		if [[ $line == *=* ]]; then
			printf -v "F_${line%%=*}" '%s' "${line#*=}"
		fi
	done <<<"$out"
}

# A closed terminal must not end the loop: what cannot be shown is not shown.
tell()
{
	printf '%s\n' "$*" 2>/dev/null || :
}

loop_fail()
{
	END=$1
	exit "$1"
}

# --- signals ---------------------------------------------------------------

# The first one asks the step to end, a second one ends it at once (wisp-agent does both).
on_signal() # <number> <name>
{
	if [[ -z $CUT ]]; then
		CUT=$1
		tell "wisp: $2: ending the step, saving the state (once more: at once)"
	fi
	if [[ -n $AGENT_PID ]]; then
		kill -TERM "$AGENT_PID" 2>/dev/null || :
	fi
}

# Whatever ends the loop, the record says so.
on_exit()
{
	local rc=$?

	trap '' INT TERM HUP
	if [[ -n $AGENT_PID ]]; then
		kill -TERM "$AGENT_PID" 2>/dev/null || :
		agent_wait
	fi
	if [[ -z $END && -n $CUT ]]; then
		wisp-turn -C "$DIR" end --signal "$CUT" 9>&- >/dev/null || :
		rc=$((128 + CUT))
	fi
	rm -rf -- "$SCRATCH"
	exit "${END:-$rc}"
}

loop_traps()
{
	trap 'on_signal 2 INT' INT
	trap 'on_signal 15 TERM' TERM
	trap 'on_signal 1 HUP' HUP
	trap '' PIPE
	trap 'on_exit' EXIT
}

# --- programs that may take long -------------------------------------------

# Waits for the started program whatever interrupts the wait; returns its status.
agent_wait()
{
	local rc

	while :; do
		rc=0
		wait "$AGENT_PID" || rc=$?
		kill -0 "$AGENT_PID" 2>/dev/null || break
	done
	AGENT_PID=''
	return "$rc"
}

# supervise OPTION... -- COMMAND...: under wisp-agent, in the work tree, with no
# terminal. A pause in bash 3.2: a trap runs only when `wait` returns, hence `&`.
supervise()
{
	(
		cd -- "$WORKTREE" || exit
		exec wisp-agent run --parent "$$" "$@"
	) </dev/null 9>&- &
	AGENT_PID=$!
	[[ -z $CUT ]] || kill -TERM "$AGENT_PID" 2>/dev/null || :
	agent_wait
}

# wait_for UNTIL PATH...: until something changes there or the time is over. 0 changed, 1 over.
wait_for()
{
	local rc=0

	wisp-wait "$@" </dev/null >/dev/null 8>&- 9>&- &
	AGENT_PID=$!
	agent_wait || rc=$?
	return "$rc"
}

# look_again PATH...: notes how these are, and lets `begin` look once more, so that
# nothing that comes between its look and the wait is missed. 1: that was done.
look_again()
{
	[[ -z $STAMP ]] || return 1
	WATCHED=("$@")
	STAMP=$(wisp-wait --stamp "$@" 9>&-)
}

# wait_changed OPTION...: until what look_again noted is different.
wait_changed()
{
	local stamp=$STAMP

	STAMP=''
	wait_for "$@" --since "$stamp" "${WATCHED[@]}"
}

# --- the work tree ---------------------------------------------------------

failed_ref()
{
	printf -v REPLY 'refs/wisp/failed/%s/%04d' "$BRANCH" "$1"
}

# The work tree as it is: OBS_HEAD and OBS_TREE; without checkpoints HEAD alone,
# and the names of what is not committed in SCRATCH/files.
observe()
{
	if [[ $SAVE == true ]]; then
		git_observe "$WORKTREE"
	else
		git_look "$WORKTREE" "$SCRATCH/files"
	fi
}

# What is to become of the work tree before the next step; HEAD and TREE are then as it is.
restore()
{
	local again=''

	git_home "$WORKTREE" "$BRANCH"
	[[ -z $REPLY ]] || tell "wisp: $REPLY"
	observe
	if [[ $SAVE != true ]]; then
		turn restored --did keep --head "$OBS_HEAD"
		HEAD=$OBS_HEAD TREE='' PENDING=''
		return 0
	fi
	if [[ -n ${PENDING-} ]]; then
		failed_ref "$PENDING"
		if git_quiet rev-parse -q --verify "$REPLY" >/dev/null; then
			again=--again
		fi
	fi
	turn restore --head "$OBS_HEAD" --tree "$OBS_TREE" $again
	case $F_do in
	none) ;;
	first) restored_checkpoint first 0 ;;
	adopt) restored_checkpoint adopt "$F_last" ;;
	put-away) put_away "$F_n" "$F_checkpoint" ;;
	drop) drop_left "$F_last" "$F_checkpoint" ;;
	keep) turn restored --did keep --head "$OBS_HEAD" --tree "$OBS_TREE" ;;
	esac
	HEAD=$OBS_HEAD TREE=$OBS_TREE PENDING=''
}

# The tree as it is becomes checkpoint N: the very first one, or what a person left.
restored_checkpoint() # <word> <n>
{
	local args=()

	if [[ $1 == adopt ]] && git_checkpoint_read "$WORKTREE" "$BRANCH" "$F_checkpoint"; then
		git_changed "$WORKTREE" "$CK_TREE" "$OBS_TREE" "$SCRATCH/files"
		args=(--files "$SCRATCH/files")
	fi
	git_checkpoint "$WORKTREE" "$BRANCH" "$2" "$SESSION_ID"
	turn restored --did "$1" --head "$OBS_HEAD" --tree "$OBS_TREE" --commit "$REPLY" ${args[@]+"${args[@]}"}
	if [[ $1 == adopt && ${F_changed:-0} != 0 ]]; then
		tell "wisp: adopted $F_changed changed files"
	fi
}

# checkpoint.restore=always: what a good step left uncommitted stays in its checkpoint alone.
drop_left() # <n> <checkpoint>
{
	local tree=$OBS_TREE ref

	git_restore_always "$WORKTREE" "$BRANCH" "$1" "$SESSION_ID" "$2"
	printf -v ref 'refs/wisp/checkpoints/%s/%04d' "$BRANCH" "$1"
	ref=${PUT_REF:-$ref}
	git_observe "$WORKTREE"
	turn restored --did drop --head "$OBS_HEAD" --tree "$OBS_TREE"
	[[ $OBS_TREE == "$tree" ]] || tell "wisp: what was left uncommitted was put away: git show $ref"
}

# A failed step's work goes to refs/wisp/failed; with its commits, where verify fails on them.
put_away() # <n> <checkpoint>
{
	local did=put-away commits rc=0

	git_put_away "$WORKTREE" "$BRANCH" "$1" "$SESSION_ID" "$2" || rc=$?
	case $rc in
	0) ;;
	1)
		tell "wisp: the checkpoint is gone: what iteration $1 left stays as it is"
		turn restored --did keep --head "$OBS_HEAD" --tree "$OBS_TREE"
		return 0
		;;
	*) loop_fail "$EXIT_SYS" ;;
	esac
	commits=$PUT_COMMITS
	if [[ -n $commits ]] && ! verify_tree "$DIR/steps/restore"; then
		git_reset_to "$WORKTREE" "$BRANCH" "$1" "$SESSION_ID" "$2"
		did=reset commits=''
	fi
	failed_ref "$1"
	local ref=$REPLY
	git_observe "$WORKTREE"
	turn restored --did "$did" --head "$OBS_HEAD" --tree "$OBS_TREE" --ref "$ref" --commits "$commits"
	tell "wisp: the work of iteration $1 was put away: git show $ref"
}

# --- verify ----------------------------------------------------------------

# verify_commands DIR OPTION...: runs the commands that wisp-turn names; 0 if all hold. The output is DIR/verify.log.
verify_commands()
{
	local dir=$1 command list=$SCRATCH/commands
	shift

	mkdir -p -- "$dir"
	wisp-turn -C "$DIR" commands "$@" 9>&- >"$list" || loop_fail $?
	rm -f -- "$dir/verify.log"
	while IFS= read -r -d '' command <&3; do
		supervise --keep-env --format text "${VERIFY_LIMITS[@]}" \
			--log "$dir/verify.log" --result "$dir/verify.json" -- sh -c "$command" || :
		wisp-turn outcome "$dir/verify.json" || return 1
	done 3<"$list"
}

# Does the tree as it is hold? For a restore and before the first step.
verify_tree()
{
	verify_commands "$1" --configured
}

# --- one iteration ---------------------------------------------------------

step_environment()
{
	export WISP_BRANCH=$BRANCH WISP_SESSION_ID=$SESSION_ID WISP_SESSION_DIR=$DIR \
		WISP_STATE_FILE=$DIR/state.json WISP_TASKS_FILE=$DIR/tasks.json \
		WISP_RESPONSE_FILE=$DIR/response.json WISP_DIVERGENCE_FILE=$DIR/divergence.md \
		WISP_PROMPT_FILE=$STEP_DIR/prompt.md WISP_SYSTEM_FILE=$STEP_DIR/system.md \
		WISP_ITERATION=$ITERATION WISP_MAX_ITERATIONS=${F_max-} WISP_TEMPLATE=$TEMPLATE \
		WISP_PHASE='' WISP_MODEL=$MODEL WISP_AGENT_PERMISSIONS=$PERMISSIONS WISP_STEP_BUDGET_USD=${F_budget-}
}

run_step()
{
	local prompt=iterate.md

	ITERATION=$F_iteration STEP_DIR=$F_dir
	[[ -z $PLAN ]] || prompt=create-tasks.md
	wisp-prompt -C "$DIR" --template "$TEMPLATE_DIR" --name "$prompt" -o "$STEP_DIR/prompt.md" \
		--system-out "$STEP_DIR/system.md" 9>&- || loop_fail $?
	tell "wisp: [$ITERATION/${F_max}] $AGENT ..."
	(
		step_environment
		cd -- "$WORKTREE" || exit
		exec wisp-agent run --parent "$$" --agent "$AGENT" --format "$AGENT_FORMAT" "${STEP_LIMITS[@]}" \
			${AGENT_ENV[@]+"${AGENT_ENV[@]}"} --prompt "$STEP_DIR/prompt.md" --log "$STEP_DIR/output.log" \
			--result "$STEP_DIR/step.json" -- "${AGENT_COMMAND[@]}" ${AGENT_ARGS[@]+"${AGENT_ARGS[@]}"}
	) </dev/null 9>&- &
	AGENT_PID=$!
	[[ -z $CUT ]] || kill -TERM "$AGENT_PID" 2>/dev/null || :
	agent_wait || loop_fail $?
}

# judge: the agent has ended. Looks at what it left, verifies, records; F_action says how it goes on.
judge()
{
	local verify message='' args=()

	turn ran ${PLAN:+--plan}
	verify=$F_verify message=${F_commit-}
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
		git_refs_prune "$WORKTREE" "$BRANCH" "$KEEP"
	fi
	turn record "${args[@]}" ${CUT:+--signal "$CUT"} ${ONCE:+--once} ${PLAN:+--plan}
	HEAD=$OBS_HEAD TREE=$OBS_TREE
	report_iteration
}

# A task passed and its work was left uncommitted: wisp commits it, but for the
# dirt that was the user's before the first step (--in-place).
commit_left() # <message file>
{
	local skip=''

	if [[ $WORKTREE == "$PROJECT" ]]; then
		git_observe "$WORKTREE"
		skip=$SCRATCH/dirt
		git_dirt "$WORKTREE" "$BRANCH" 0 "$skip" || skip=''
	fi
	git_fallback_commit "$WORKTREE" "$BRANCH" "$1" "Wisp-Step: $SESSION_ID/$ITERATION" "$skip" "$HEAD" ||
		tell "wisp: what the agent left could not be committed: $REPLY"
}

report_iteration()
{
	[[ -n ${F_outcome-} ]] || return 0
	tell "wisp: [$ITERATION] ${F_status:-no valid state ($F_state)}, ${F_tasks_passed:-0}/${F_tasks_total:-0} tasks," \
		"outcome ${F_outcome}, verify ${F_verify}${F_cost_usd:+, \$$F_cost_usd}: ${F_summary:-${F_error:-}}"
	if [[ $F_action != continue || $F_reason == done_refused ]]; then
		tell "wisp: [$ITERATION] $F_action: $F_text"
	fi
}

# --- people who are elsewhere ----------------------------------------------

# notify EVENT: runs notify.command with the event, the state as JSON on its stdin; off the loop's path.
notify()
{
	[[ -n $NOTIFY ]] || return 0
	(
		trap '' INT TERM HUP
		ask -C "$DIR" status --json >"$STATE/notify.json" || exit 0
		exec wisp-agent run --keep-env --format text --timeout 30s --prompt "$STATE/notify.json" \
			--log "$STATE/notify.log" --result "$STATE/notify.step.json" -- sh -c "$NOTIFY" wisp-notify "$1"
	) </dev/null >/dev/null 2>&1 8>&- 9>&- || :
}

notify_end()
{
	case $END in
	0) notify completed ;;
	10) notify needs_input ;;
	11) notify blocked ;;
	12) notify stuck ;;
	13 | 14) notify limit ;;
	16) notify agent ;;
	esac
}

# --- acting ----------------------------------------------------------------

# A question: waited for where somebody may answer, else the loop ends with 10.
act_ask()
{
	if [[ -n $ASK ]] && look_again "$DIR/response.json" "$STATE/requests"; then
		return 0
	fi
	tell ""
	tell "  The agent asks: $F_question"
	tell "  Answer with:    wisp answer $BRANCH TEXT"
	[[ -z ${F_text-} ]] || tell "  (not an answer yet: $F_text)"
	if [[ -z $ASK ]]; then
		END=$F_exit
		return 0
	fi
	notify needs_input
	tell "wisp: waiting for the answer${INPUT_TIMEOUT:+, for $INPUT_TIMEOUT at most}"
	if ! wait_changed ${INPUT_TIMEOUT:+--for "$INPUT_TIMEOUT"} && [[ -z $CUT ]]; then
		input_over
	fi
	[[ -n $END ]] || restore
}

# Nobody answered in time (input.onTimeout): the loop ends, or the answer is what was set for this case.
input_over()
{
	case $INPUT_THEN in
	pause) END=$EXIT_INPUT ;;
	continue) ask -C "$DIR" answer 'nobody answered in time: decide yourself, and note it in divergence.md' >/dev/null ;;
	*) ask -C "$DIR" answer "$INPUT_THEN" >/dev/null ;;
	esac
}

act_wait()
{
	if look_again "$STATE/requests"; then
		return 0
	fi
	tell "wisp: waiting: $F_text"
	wait_changed --until "$F_until" || :
}

# Before the first step, with every task passing: does verify hold? Then nothing is to be done.
act_check()
{
	local verify=none

	wisp-turn -C "$DIR" commands --configured 9>&- >"$SCRATCH/commands" || loop_fail $?
	if [[ -s $SCRATCH/commands ]]; then
		verify=passed
		verify_tree "$DIR/steps/0000" || verify=failed
	fi
	turn checked "$verify"
	if [[ $F_act == completed ]]; then
		END=0
	fi
}

# After a step: on with the loop, or its end.
act_judged()
{
	local delay=${F_delay:-0}

	case $F_action in
	continue | retry)
		if [[ -n $PLAN && $F_action == continue ]]; then
			END=0
			return 0
		fi
		if [[ $F_tree == put-away ]]; then
			PENDING=$ITERATION
		fi
		if [[ $F_tree == put-away || $RESTORE == always ]]; then
			restore
		fi
		if ((delay > 0)); then
			tell "wisp: waiting $((delay / 1000)) s before the next step"
			wait_for --for "${delay}ms" "$STATE/requests" || :
		fi
		;;
	wait | ask) ;;
	*) END=$F_exit ;;
	esac
}

loop_run()
{
	[[ ${NEXT-} != judge ]] || {
		judge
		act_judged
	}
	[[ -n $END ]] || restore
	while [[ -z $END ]]; do
		[[ -z $CUT ]] || {
			turn end --signal "$CUT"
			END=$F_exit
			break
		}
		turn begin --head "$HEAD" --tree "$TREE" ${WAIT:+--wait} ${PLAN:+--plan}
		case $F_act in
		step)
			run_step
			judge
			act_judged
			;;
		judge)
			judge
			act_judged
			;;
		check) act_check ;;
		ask) act_ask ;;
		wait) act_wait ;;
		stop)
			tell "wisp: $F_text"
			END=$F_exit
			;;
		esac
	done
}
