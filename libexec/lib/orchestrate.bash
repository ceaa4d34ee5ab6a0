# orchestrate.bash: one orchestration: its phases, one after the other.
#
# Sourced last, by wisp-orchestrate. The orchestration is a session like others: it is
# owned, its agent steps run in the loop of loop.bash, and its record keeps what
# wisp-orch decides (docs/orchestrator.md). Each sub-agent is a session with a loop
# of its own, which is started, looked at and merged, but never driven, from here.
#
#	orchestrate_new, orchestrate_existing   make the session, or adopt what is there
#	orchestrate_dry_run     shows what would be done, and ends the command
#	orchestrate_run         owns it, goes through the phases, and exits with its code
#	orch VERB ...           asks wisp-orch; its lines key=value become F_KEY; 1 where it says no
#	gate TYPE AGENT TEXT ARTIFACT...   asks a person's approval; GATE is approved, rejected or pending
#
# orchestrate-phase.bash has the phases, orchestrate-detect.bash classifies the project, orchestrate-sub.bash makes and starts
# the sub-agents' sessions, orchestrate-execute.bash watches them, orchestrate-merge.bash
# merges what they finish.

opt_mode='' opt_parallel='' opt_yes='' opt_resume='' opt_dry_run=''
PARALLEL='' GATE='' REASON=''

readonly PARALLEL_MOST=4 # where nobody says how many

orch()
{
	call wisp-orch "$@"
}

# --- the session -------------------------------------------------------------

orchestrate_new()
{
	local spec=''

	template_dir orchestrator
	thresholds
	config_value agent.default
	agent_resolve "${opt_agent:-${WISP_AGENT:-$VALUE}}"
	if [[ -n $opt_spec ]]; then
		readable_file spec "$opt_spec"
		spec=$FILE
	fi
	check_trust
	agents_check
	session_own
	if session_exists; then
		orchestrate_existing
		return
	fi
	session_make orchestrator "$AGENT_NAME" "$spec" '' ''
	TEMPLATE=orchestrator
}

orchestrate_existing()
{
	session_own
	session_folder
	session_facts
	[[ $TEMPLATE == orchestrator ]] || die_usage "the session $BRANCH is no orchestration, it works by the template $TEMPLATE: name another --branch"
	[[ $F_status != completed ]] || die_usage "the orchestration $BRANCH is complete (wisp done $TYPED --merge; wisp rm $TYPED makes room for another)"
	[[ -n $opt_resume || -n $PANE ]] || die_usage "the orchestration $BRANCH is under way: --resume goes on (wisp status $TYPED)"
	keep_limit max-iterations limits.maxIterations "$F_max_iterations"
	keep_limit max-hours limits.maxHours "$F_max_hours"
	keep_limit max-cost limits.maxCostUsd "$F_max_cost"
	AGENT=${opt_agent:-$F_agent}
	template_dir orchestrator
	thresholds
	agent_resolve "$AGENT"
	check_trust
	agents_check
}

# How many agents at once: what is asked for, what the record says, else the cores less one.
parallel()
{
	local cores

	cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null) || cores=2
	PARALLEL=$((cores - 1))
	((PARALLEL >= 1)) || PARALLEL=1
	((PARALLEL <= PARALLEL_MOST)) || PARALLEL=$PARALLEL_MOST
	PARALLEL=${opt_parallel:-${1:-$PARALLEL}}
}

orchestrate_run()
{
	local begun

	loop_own
	orch facts
	begun=$F_phase
	parallel "$F_parallel"
	# The loop's first question is what is left of the budget.
	[[ -z $begun ]] || orch pool --parallel "$PARALLEL"
	if tmux_wanted; then
		start_in_tmux
	fi
	take_session ${begun:+--resume}
	# What a stop leaves halted or completed for other sessions goes on here by its phase.
	[[ $END != "$EXIT_OK" ]] || [[ $NEXT == completed ]] || END=''
	loop_started
	[[ -z $opt_guide ]] || wisp-session -C "$DIR" guide -- "$opt_guide" 9>&- || loop_fail $?
	orch new --parallel "$PARALLEL" ${opt_yes:+--yes}
	orch pool --parallel "$PARALLEL"
	orchestrate_phases
	orchestrate_over
}

orchestrate_phases()
{
	while [[ -z $END ]]; do
		orch facts
		title "wisp: $BRANCH $F_phase"
		case $F_phase in
		DETECT) phase_detect ;;
		DISCOVER) phase_discover ;;
		PLAN) phase_plan ;;
		EXECUTE) phase_execute ;;
		RETROSPECT) phase_retrospect ;;
		COMPLETE) END=$EXIT_OK ;;
		*) die_data "the orchestration $BRANCH is in no phase that is known: '$F_phase'" ;;
		esac
	done
}

# However it ended, the handoff says how it goes on.
orchestrate_over()
{
	orch end --exit "$END" ${REASON:+--reason "$REASON"}
	notify_end
	wisp-session -C "$DIR" release 9>&- || :
	session_let_go
	orchestrate_report
	exit "$END"
}

orchestrate_report()
{
	if [[ -n $opt_json ]]; then
		wisp-state -C "$DIR" get -f loop . >&5 || :
	else
		wisp-state -C "$DIR" show --detail || :
	fi
}

# stop_here CODE TEXT: the orchestration ends, to be resumed.
stop_here()
{
	END=$1 REASON=$2
	tell "wisp: $2"
}

# --- a person's word ---------------------------------------------------------

# Is a gate of that type asked for (gates.required)?
gate_required()
{
	local type

	config_values gates.required
	for type in ${VALUES[@]+"${VALUES[@]}"}; do
		[[ $type != "$1" ]] || return 0
	done
	return 1
}

gate()
{
	local args=(--type "$1" --agent "$2" --description "$3")
	shift 3

	while (($#)); do
		args+=(--artifact "$1")
		shift
	done
	orch gate "${args[@]}" ${opt_yes:+--by --yes}
	GATE=$F_gate
	[[ -z $F_new ]] || {
		tell "wisp: $F_id: $F_text"
		tell "wisp: wisp approve $F_id, or wisp reject $F_id --feedback TEXT"
		bell
		notify gate
	}
}

# Waits until something is decided, or ends the command where nobody is there to do it.
gate_wait()
{
	if [[ -z $ASK ]]; then
		stop_here "$EXIT_INPUT" "waits for a person: $1"
		return 0
	fi
	look_again "$STATE" "$STATE/requests" || wait_changed || :
	asked_to_stop
}

# A pause that a person asked for, and signals, end it between two things.
asked_to_stop()
{
	if [[ -n $CUT ]]; then
		cut_code
		END=$CODE REASON='ended by a signal'
		[[ $END != "$EXIT_PAUSED" ]] || REASON='stopped on request'
		return 0
	fi
	[[ -n $(compgen -G "$STATE/requests/*") ]] || return 0
	orch asked
	[[ $F_act != stop ]] || stop_here "$EXIT_PAUSED" "paused on request"
}

# Before there is a plan, what is detected is all that can be said without an agent.
orchestrate_dry_run()
{
	if session_exists; then
		session_facts
		wisp-orch -C "$DIR" order ${opt_parallel:+--parallel "$opt_parallel"} ${opt_json:+--json} || exit $?
	else
		template_use orchestrator
		WORKTREE=$PROJECT
		detect || exit $?
		say "then an agent names the systems; with gates.required=plan-review it stops before any of them is begun"
	fi
	exit 0
}

# shellcheck source=lib/orchestrate-phase.bash
source "${BASH_SOURCE[0]%/*}/orchestrate-phase.bash"
# shellcheck source=lib/orchestrate-detect.bash
source "${BASH_SOURCE[0]%/*}/orchestrate-detect.bash"
# shellcheck source=lib/orchestrate-sub.bash
source "${BASH_SOURCE[0]%/*}/orchestrate-sub.bash"
# shellcheck source=lib/orchestrate-execute.bash
source "${BASH_SOURCE[0]%/*}/orchestrate-execute.bash"
# shellcheck source=lib/orchestrate-merge.bash
source "${BASH_SOURCE[0]%/*}/orchestrate-merge.bash"
