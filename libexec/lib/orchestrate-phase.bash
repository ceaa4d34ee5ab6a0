# orchestrate-phase.bash: the phases but EXECUTE, one function each. Sourced by
# orchestrate.bash, whose head says what the variables are.

phase_detect()
{
	orchestrate_detect
	if [[ -n $opt_mode ]]; then
		orch mode --mode "$opt_mode"
	elif [[ -n $opt_yes ]]; then
		orch mode
	elif [[ -n $ASK ]] && on_terminal; then
		detect_ask
	else
		stop_here "$EXIT_INPUT" "please confirm the project mode: wisp orchestrate --resume --branch $TYPED with --yes, or --mode M"
		return 0
	fi
	[[ -n $END ]] || tell "wisp: project mode: $F_mode"
}

# artefact_step WORD FILE: an agent step that leaves FILE, until that holds.
artefact_step()
{
	PLAN=$1
	# One whose loop was killed may have left it, or have taken it already.
	if [[ $NEXT != judge ]] && orch take --left "$1"; then
		PLAN=''
		return 0
	fi
	while [[ -z $END ]]; do
		loop_run
		NEXT=loop
		[[ $END == "$EXIT_OK" ]] || break
		END=''
		! orch take "$1" || break
		tell "wisp: $2 rejected: $F_text"
	done
	PLAN=''
}

phase_discover()
{
	artefact_step discover discovery.json
	[[ -n $END ]] || tell "wisp: findings written to $DIR/SCOPE-DISCOVERY.md"
}

# Has every system a task list yet?
all_planned()
{
	local name status

	while read -r name status; do
		[[ $status != open || -s $DIR/plan/$name.json ]] || return 1
	done <<<"$1"
}

# It lies aside until the record has what was said of it, so that killed anywhere nothing of it counts once more.
plan_rejected()
{
	orch gate --type plan-review --agent orchestrator --again --guide
	rm -rf -- "$DIR/plan.rejected"
}

phase_plan()
{
	local systems

	[[ ! -e $DIR/plan.rejected ]] || plan_rejected
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
			mv -- "$DIR/plan" "$DIR/plan.rejected" || die_sys "cannot move '$DIR/plan'"
			plan_rejected
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

# Sets REPLY to that number of hours as text.
hours()
{
	local LC_ALL=C

	printf -v REPLY '%.1f' "$1"
	[[ $REPLY != 0.0 || $1 == 0 ]] || REPLY='under 0.1'
	REPLY="${REPLY%.0} h"
}

phase_retrospect()
{
	local systems estimated

	orch calibrate
	hours "${F_estimated_hours:-0}"
	estimated=$REPLY
	hours "${F_actual_hours:-0}"
	tell "wisp: estimated $estimated, actual $REPLY"
	artefact_step retrospect retrospect.json
	[[ -z $END ]] || return 0
	orch again ${opt_resume:+--resume}
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
