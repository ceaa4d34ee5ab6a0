# start-loop.bash: the loop of a session that is there: owned, run, and reported.
# Sourced by start.bash, whose head says what the variables are.

# What verifies is the person's own, and may have to do with what runs outside; but it may run what the agent wrote: no
# keys, but those that a person names.
verify_options()
{
	config_env verify.env
	VERIFY_ENV=$STEP_ENV
	config_value step.grace
	VERIFY_OPTIONS=(--tools-env --grace "$VALUE" --pid-namespace false)
	config_value verify.timeout
	[[ -z $VALUE ]] || VERIFY_OPTIONS+=(--timeout "$VALUE" --idle-timeout "$VALUE")
}

loop_settings()
{
	local option

	verify_options
	STEP_LIMITS=()
	for option in grace:step.grace linger:step.linger pid-namespace:step.pidNamespace \
		timeout:step.timeout idle-timeout:step.idleTimeout; do
		config_value "${option#*:}"
		[[ -z $VALUE ]] || STEP_LIMITS+=("--${option%%:*}" "$VALUE")
	done
	config_value checkpoint.save && SAVE=$VALUE
	config_value steps.keep && KEEP=$VALUE
	config_value input.onTimeout && INPUT_THEN=$VALUE
	config_value notify.command && NOTIFY=$VALUE
	config_value verify.metrics && METRICS=$VALUE
	agent_settings
	SESSION_AGENT=$AGENT_NAME STEP_AGENT=$AGENT_NAME
}

# take_session [--resume]: what became of the step before says how it goes on.
take_session()
{
	WISP_STEP_ENV=$AGENT_ENV call wisp-state start --config "$CONFIG" --pid $$ ${1:+"$1"} ${LOST:+--lost} --agent "$AGENT_NAME" \
		--login "$AGENT_LOGIN" --sandbox "$SANDBOX" --template "$TEMPLATE_DIR" ${LIMITS[@]+"${LIMITS[@]}"}
	LOST=''
	NEXT=$F_next PENDING=$F_pending FIRST=$F_first
	[[ -z $F_config ]] || tell "wisp: imported external changes: config: $F_config"
	[[ -z $F_state ]] || tell "wisp: state.json was changed: $F_state"
	case $NEXT in
	completed)
		tell "wisp: the session $BRANCH is completed"
		END=0
		;;
	halted)
		tell "wisp: the session $BRANCH is halted: $F_reason (wisp resume $TYPED goes on)"
		END=$F_exit
		;;
	judge)
		ITERATION=$F_iteration STEP_DIR=$DIR/steps/$F_name TREE=$F_tree HEAD=$F_head
		STEP_MARK=(--iteration "$F_iteration" --try "$F_attempt")
		;;
	esac
}

# The session is ours: what is in force, and its work tree.
loop_own()
{
	session_own
	session_facts --renew
	lent_back
	worktree_unlock
	branch_ready
	[[ $F_status != running ]] || worktree_unsynced
	loop_settings
	loop_traps
	worktree_ready
}

start_loop()
{
	loop_own
	[[ -z $CHANGE ]] || change_ask
	[[ -z ${1-} ]] || person_before
	if tmux_wanted; then
		start_in_tmux ${1:+"$1"}
	fi
	take_session ${1:+"$1"}
	loop_started
	[[ -n $END ]] || change_due
	if [[ -n $opt_guide ]]; then
		wisp-session -C "$DIR" guide -- "$opt_guide" 9>&- || loop_fail $?
	fi
	[[ -n $END ]] || report_costs
	[[ -n $END ]] || loop_run
	plan_over
	while loop_goes_on; do
		take_session --resume
		[[ -n $END ]] || loop_run
	done
	if [[ $SAVE == true && -e $WORKTREE/.git ]]; then
		git_refs_prune "$WORKTREE" "$BRANCH" "$KEEP" || :
	fi
	[[ $END == 0 && -n $PLAN_ONLY ]] || notify_end
	wisp-session -C "$DIR" release 9>&- || :
	session_let_go
	[[ $END != 0 || $NEXT == completed || -n $PLAN_ONLY ]] || ship_session
	[[ -n $CUT ]] || pack_repository
	if [[ -n $PLAN_ONLY && $END == 0 ]]; then
		say "$BRANCH is ready: wisp run $TYPED"
	else
		report_session
	fi
	exit "$END"
}

# Where git finds it due. It says what it does.
pack_repository()
{
	git_pack "$PROJECT" 2>/dev/null || return 0
	WORKTREE=$PROJECT git__with_known supervise --keep-env --format text --timeout 10m --grace 2s --pid-namespace false \
		--log - --result "$SCRATCH/pack.json" -- "${GIT_COMMAND[@]}" || return 0
	wisp-session outcome "$SCRATCH/pack.json" || tell "wisp: the repository is not packed: \`git gc\` did not end well"
}

# What `ship` asks for after a completion. wisp done has a lock and a verify of its own, and
# whatever comes of it, the run has ended as it has.
ship_session()
{
	local rc=0

	config_value ship
	SHIP=$VALUE
	[[ -n $SHIP ]] || return 0
	tell "wisp: shipping: wisp done $TYPED --$SHIP"
	"$WISP_LIBEXEC/wisp-done" "$BRANCH" "--$SHIP" --json </dev/null 2>&1 >"$SCRATCH/shipped" &
	agent_started
	agent_wait || rc=$?
	((rc == 0)) || tell "wisp: NOT shipped ($rc); the session is completed all the same: wisp done $TYPED --$SHIP tries again"
}
