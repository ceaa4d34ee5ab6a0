# loop-menu.bash: what a person at the terminal is asked, and what one decides.
# Sourced by loop.bash, whose head says what the variables are.
#
#	person_option   the options of `wisp resume` that exclude each other
#	person_before   a resume, before the loop takes the session: what was chosen, or the menu
#	menu_stuck      halted for want of progress: 0 to go on, 1 to end with END
#	loop_goes_on    a loop that ended so: 0 if a person has it go on
#	wait_limit      until a limit ends; stop_hour where the loop would pause
#	wait_shown      a wait with the time that is left; wait_delay: before the next step
#
# A person is at the terminal where input and output both are one.

opt_reset='' opt_skip_phase='' opt_abort=''
KEY='' SHOWN='' COUNTDOWN=()

on_terminal()
{
	[[ -t 0 && -t 1 ]]
}

# countdown: sets COUNTDOWN to the options by which wisp-wait shows the time that is left, in place.
countdown()
{
	COUNTDOWN=()
	[[ -n $PLAIN ]] || COUNTDOWN=(--countdown 'wisp: time left:')
}

# wait_shown OPTION... PATH...: wisp-wait on the terminal; sets KEY where one ended it.
wait_shown()
{
	local rc=0

	[[ " $* " != *' --countdown '* ]] || IN_PLACE=1
	wisp-wait --parent "$$" "$@" <&0 2>&1 >"$SCRATCH/key" 8>&- 9>&- &
	agent_started
	agent_wait || rc=$?
	IN_PLACE=''
	KEY=$(<"$SCRATCH/key")
	case $KEY in
	key=*) KEY=${KEY#key=} ;;
	*) KEY='' ;;
	esac
	return "$rc"
}

# wait_delay MILLISECONDS: before the next step; what is asked of the loop ends it.
wait_delay()
{
	if draws; then
		wait_shown --for "${1}ms" --countdown 'wisp: next step in:' "$STATE/requests" || :
	else
		wait_for --for "${1}ms" "$STATE/requests" || :
	fi
}

# --- no progress -----------------------------------------------------------

person_option()
{
	local given=${opt_reset:+ --reset}${opt_skip_phase:+ --skip-phase}${opt_abort:+ --abort}${opt_guide:+ --guide}

	[[ $given != ' --'*' --'* ]] || die_usage "${given# } exclude each other"
}

# Ends the command: the session stays halted, and no agent is started.
person_aborts()
{
	session_own
	call wisp-session person abort
	say "the session $BRANCH is halted: aborted by a person (wisp resume $TYPED goes on)"
	exit "$EXIT_STUCK"
}

skip_phase()
{
	call wisp-session person skip-phase
	tell "wisp: the phase $F_skipped is skipped${F_phase:+, $F_phase is next}${F_reason:+: $F_reason}"
}

person_before()
{
	if [[ -n $opt_skip_phase ]]; then
		skip_phase
	elif [[ -z $opt_reset && -z $opt_guide ]] && on_terminal; then
		call wisp-session stuck
		if [[ $F_stuck == yes ]] && ! menu_stuck; then
			END=${END:-$EXIT_STUCK}
			exit "$END"
		fi
	fi
}

# show_stuck SKIP PHASE REASON ITERATIONS
show_stuck()
{
	tell ""
	tell "---CIRCUIT_BREAKER_OPEN---"
	tell "PHASE: ${2:-none}"
	tell "REASON: $3"
	tell "ITERATIONS: $4"
	tell ""
	tell "OPTIONS:"
	tell "[R]eset and retry with current approach"
	[[ -z $1 ]] || tell "[S]kip phase (mark as complete)"
	tell "[A]bort execution"
	tell "[M]odify approach (provide new guidance)"
	tell "---END_CIRCUIT_BREAKER_OPEN---"
}

# typed_text STAMP: REPLY is what a person types, blank where that is Enter alone. 1: a signal came, or a request since
# the folder had that stamp; KEY is empty then.
typed_text()
{
	rm -f -- "$SCRATCH/typed"
	wait_shown --type "$SCRATCH/typed" --empty --since "$1" "$STATE/requests" || :
	[[ $KEY == enter && -z $CUT ]] && REPLY=$(<"$SCRATCH/typed")
}

# With the answer of `wisp-session stuck`.
menu_stuck()
{
	local skip='' stamp before now rc

	[[ $F_phases == no ]] || skip=s
	stamp=$(wisp-wait --stamp "$STATE/requests" 9>&-)
	before=$(compgen -G "$STATE/requests/*") || :
	show_stuck "$skip" "$F_phase" "$F_reason" "$F_iterations"
	while :; do
		# A request ends it, too: `wisp stop` where the menu is on another terminal.
		rc=0
		wait_shown --keys "ram$skip" --since "$stamp" "$STATE/requests" || rc=$?
		if [[ $KEY == m && -z $CUT ]]; then
			tell "New guidance: (Enter ends it, \\ and Enter: one more line, Enter alone: back)"
			if typed_text "$stamp" && [[ $REPLY == *[![:space:]]* ]]; then
				wisp-session -C "$DIR" guide -- "$REPLY" 9>&- || loop_fail $?
				return 0
			fi
			[[ -z $KEY ]] || show_stuck "$skip" "$F_phase" "$F_reason" "$F_iterations"
		fi
		if [[ -n $CUT || -z $KEY ]]; then
			# What woke it may be a request that is only being written: looked at in this order, none is missed.
			stamp=$(wisp-wait --stamp "$STATE/requests" 9>&-)
			now=$(compgen -G "$STATE/requests/*") || :
			cut_code
			[[ ${CODE:-0} == 0 ]] || END=$CODE
			((rc == 0)) && [[ $CODE == 0 && $now == "$before" ]] || return 1
			continue
		fi
		case $KEY in
		r) return 0 ;;
		s)
			skip_phase
			return 0
			;;
		a)
			call wisp-session person abort
			tell "wisp: aborted: wisp resume $TYPED goes on"
			return 1
			;;
		m | enter) ;;
		*) return 1 ;;
		esac
	done
}

# The loop ended for want of progress: 0 if a person has it go on.
loop_goes_on()
{
	[[ $END == "$EXIT_STUCK" && $NEXT != halted && -z $PLAN ]] || return 1
	if ! on_terminal; then
		tell "wisp: your decision is needed: wisp resume $TYPED --reset, --abort, --guide TEXT${PHASES:+ or --skip-phase}"
		return 1
	fi
	notify stuck
	NOTIFIED=stuck
	call wisp-session stuck
	[[ $F_stuck == yes ]] && menu_stuck || return 1
	END='' STAMP='' NOTIFIED=''
}

# --- limits ----------------------------------------------------------------

# wait_limit: until F_until, or what look_again noted is different. Money that others have reserved,
# and a login that another session tries, are asked for again and again: told once for a step.
wait_limit()
{
	local stamp=$STAMP until=$F_until shown=$F_until

	countdown
	if [[ $F_limit == money || $F_limit == login ]]; then
		shown="$F_limit ${ITERATION-}" COUNTDOWN=()
	fi
	if [[ $SHOWN != "$shown" ]]; then
		tell "wisp: waiting: $F_text"
		title "wisp: $BRANCH waits for a limit"
		notify limit
	fi
	if [[ ! -t 1 || (-n $PLAIN && $F_limit != hourly) ]]; then
		SHOWN=$shown
		wait_changed --until "$until" || :
	elif [[ $F_limit == hourly ]] && on_terminal; then
		wait_hour "$until" --until "$until" ${COUNTDOWN[@]+"${COUNTDOWN[@]}"} --since "$stamp" "${WATCHED[@]}"
	else
		SHOWN=$shown STAMP=''
		wait_shown --until "$until" ${COUNTDOWN[@]+"${COUNTDOWN[@]}"} --since "$stamp" "${WATCHED[@]}" || :
	fi
}

# wait_hour UNTIL OPTION... PATH...: with the menu of an hour that is used up.
wait_hour()
{
	local until=$1
	shift

	STAMP=''
	[[ $SHOWN == "$until" ]] || tell "wisp: [W]ait for the reset, [C]ontinue at once, or [A]bort"
	SHOWN=$until
	wait_shown --keys wca "$@" || :
	case $KEY in
	c)
		warn "continuing past limits.callsPerHour at your request"
		call wisp-session person new-hour
		;;
	a) WAIT='' ;;
	esac
}

# The hour is used up, and limits.onHourly has the loop pause: a person at the terminal is
# asked first. 1 where none is.
stop_hour()
{
	local until=$F_until stamp

	[[ $F_reason == hourly_limit && -n $WAIT ]] && on_terminal || return 1
	! look_again "$STATE/requests" || return 0
	stamp=$STAMP
	countdown
	[[ $SHOWN == "$until" ]] || tell "wisp: $F_text"
	wait_hour "$until" --since "$stamp" "${WATCHED[@]}"
	if [[ $KEY == w ]]; then
		wait_shown --until "$until" ${COUNTDOWN[@]+"${COUNTDOWN[@]}"} --since "$stamp" "${WATCHED[@]}" || :
	fi
}
