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
#	orch VERB ...           asks wisp-orch; its lines key=value become F_key; 1 where it says no
#	gate TYPE AGENT TEXT ARTIFACT...   asks a person's approval; GATE is approved, rejected or pending
#
# orchestrate-detect.bash classifies the project, orchestrate-sub.bash makes and starts
# the sub-agents' sessions, orchestrate-execute.bash watches them, orchestrate-merge.bash
# merges what they finish.

opt_mode='' opt_parallel='' opt_yes='' opt_resume='' opt_dry_run=''
PARALLEL='' GATE='' REASON='' LEFT_OPEN=''

readonly PARALLEL_MOST=4 # where nobody says how many

orch()
{
	TURN=wisp-orch turn "$@"
}

# --- the session -------------------------------------------------------------

orchestrate_new()
{
	local spec=''

	template_use orchestrator
	thresholds
	agent_resolve "${opt_agent:-${WISP_AGENT:-$(config_value agent.default)}}"
	if [[ -n $opt_spec ]]; then
		readable_file spec "$opt_spec"
		spec=$FILE
	fi
	check_trust
	agents_check
	session_make orchestrator "$AGENT_NAME" "$spec" '' ''
	TEMPLATE=orchestrator
}

orchestrate_existing()
{
	session_folders
	session_facts
	[[ $TEMPLATE == orchestrator ]] || die_usage "the session $BRANCH is no orchestration, it works by the template $TEMPLATE: name another --branch"
	[[ $F_status != completed ]] || die_usage "the orchestration $BRANCH is complete (wisp done $TYPED --merge; wisp rm $TYPED makes room for another)"
	[[ -n $opt_resume || -n $PANE ]] || die_usage "the orchestration $BRANCH is under way: --resume goes on (wisp status $TYPED)"
	keep_limit max-iterations limits.maxIterations "${F_max_iterations-}"
	keep_limit max-hours limits.maxHours "${F_max_hours-}"
	keep_limit max-cost limits.maxCostUsd "${F_max_cost-}"
	AGENT=${opt_agent:-$F_agent}
	template_use orchestrator
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
	loop_own
	orch facts
	parallel "${F_parallel-}"
	if tmux_wanted; then
		start_in_tmux
	fi
	take_session ${opt_resume:+--resume}
	# What a stop leaves halted or completed for other sessions goes on here by its phase.
	[[ $END != "$EXIT_OK" ]] || [[ $NEXT == completed ]] || END=''
	loop_started
	[[ -z $opt_guide ]] || wisp-turn -C "$DIR" guide -- "$opt_guide" 9>&- || loop_fail $?
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
	wisp-turn -C "$DIR" release 9>&- || :
	exec 8>&- 9>&-
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
	local line

	while IFS= read -r line; do
		[[ ${line#gates.required=} != "$1" ]] || return 0
	done < <(config_lines gates.required)
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
	[[ -z ${F_new-} ]] || {
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
		END=$((128 + CUT)) REASON="ended by a signal"
		return 0
	fi
	orch asked
	[[ ${F_act-} != stop ]] || stop_here "$EXIT_PAUSED" "paused on request"
}

# --- phases ------------------------------------------------------------------

phase_detect()
{
	orchestrate_detect
	if [[ -n $opt_mode ]]; then
		orch mode --mode "$opt_mode"
	elif [[ -n $opt_yes ]]; then
		orch mode
	elif [[ -n $ASK && -t 0 ]]; then
		detect_ask
	else
		stop_here "$EXIT_INPUT" "the mode is to be confirmed: wisp orchestrate --resume --branch $TYPED with --yes, or --mode M"
		return 0
	fi
	[[ -n $END ]] || tell "wisp: the project is taken as ${F_mode-}"
}

# artefact_step WORD FILE: an agent step that leaves FILE, until that holds.
artefact_step()
{
	PLAN=$1
	# One whose loop was killed may have left it.
	if [[ $NEXT != judge && -e $DIR/$2 ]] && orch take "$1"; then
		PLAN=''
		return 0
	fi
	while [[ -z $END ]]; do
		loop_run
		NEXT=loop
		[[ $END == "$EXIT_OK" ]] || break
		END=''
		! orch take "$1" || break
		tell "wisp: $2 is not taken: ${F_text-}"
	done
	PLAN=''
}

phase_discover()
{
	artefact_step discover discovery.json
	[[ -n $END ]] || tell "wisp: $DIR/SCOPE-DISCOVERY.md says what was found"
}

# Has every system a task list yet?
all_planned()
{
	local name status

	while read -r name status; do
		[[ $status != open || -s $DIR/plan/$name.json ]] || return 1
	done <<<"$1"
}

phase_plan()
{
	local systems

	systems=$(wisp-orch -C "$DIR" systems 9>&-) || loop_fail $?
	if [[ -n $systems ]] && ! all_planned "$systems"; then
		artefact_step decompose plan.json
		[[ -z $END ]] || return 0
	fi
	if [[ -n $systems ]] && gate_required plan-review; then
		gate plan-review orchestrator "the plan: $(plan_text "$systems")" "$DIR/SCOPE-DISCOVERY.md" "$DIR/plan"
		case $GATE in
		pending)
			gate_wait "wisp gate list"
			return 0
			;;
		rejected)
			rm -rf -- "$DIR/plan"
			wisp-turn -C "$DIR" guide -- "The plan was rejected: ${F_feedback-}" 9>&- || loop_fail $?
			orch gate --type plan-review --agent orchestrator --again
			return 0
			;;
		esac
	fi
	make_sessions "$systems"
	[[ -n $END ]] || orch move EXECUTE
}

plan_text()
{
	local name rest text='' n=0

	while read -r name rest; do
		n=$((n + 1))
		text+="${text:+, }$name"
	done <<<"$1"
	printf '%d systems: %s' "$n" "$text"
}

phase_retrospect()
{
	local systems

	orch calibrate
	tell "wisp: this loop was estimated at ${F_estimated_hours-0} hours and took ${F_actual_hours-0}"
	artefact_step retrospect retrospect.json
	[[ -z $END ]] || return 0
	orch again
	case $F_act in
	complete)
		orch move COMPLETE
		;;
	limit) stop_here "$EXIT_LIMIT" "$F_text" ;;
	execute)
		systems=$(wisp-orch -C "$DIR" systems 9>&-) || loop_fail $?
		make_sessions "$systems"
		[[ -n $END ]] || orch move EXECUTE
		;;
	esac
}

orchestrate_dry_run()
{
	session_exists || die_usage "there is no plan yet: wisp orchestrate${opt_spec:+ $opt_spec} makes one, and gates.required=plan-review has it stop there"
	session_facts
	wisp-orch -C "$DIR" order ${opt_parallel:+--parallel "$opt_parallel"} ${opt_json:+--json} || exit $?
	exit 0
}

# shellcheck source=lib/orchestrate-detect.bash
source "${BASH_SOURCE[0]%/*}/orchestrate-detect.bash"
# shellcheck source=lib/orchestrate-sub.bash
source "${BASH_SOURCE[0]%/*}/orchestrate-sub.bash"
# shellcheck source=lib/orchestrate-execute.bash
source "${BASH_SOURCE[0]%/*}/orchestrate-execute.bash"
# shellcheck source=lib/orchestrate-merge.bash
source "${BASH_SOURCE[0]%/*}/orchestrate-merge.bash"
