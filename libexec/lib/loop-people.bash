# loop-people.bash: people who are elsewhere: questions, notifications, and what
# a terminal shows beside the lines. Sourced by loop.bash, whose head says what
# the variables are.
#
#	notify EVENT    has notify.command told, without waiting for it
#	notify_end      the same of the way in which the loop ended
#	act_ask         a question: waited for, at a terminal answered there, or the loop ends with 10
#	title TEXT      of the terminal's window; bell rings it

readonly NOTIFY_TIME=30s NOTIFY_MOST=3	# a command's time; how many may run at once
readonly NOTIFY_LOG=65536		# bytes of notify.log and of the older one, each

NOTIFY='' NOTIFYING=() NOTIFIED='' ASKED='' ASK_UNTIL='' PLAIN=''

# --- the terminal ----------------------------------------------------------

# Is there a terminal that may be drawn on? Not with --plain, nor one that knows no sequences.
draws()
{
	[[ -z $PLAIN && -t 1 ]] || return 1
	case ${TERM:-dumb} in
	dumb | linux) return 1 ;;
	esac
}

title()
{
	! draws || printf '\033]2;%s\007' "${1//[[:cntrl:]]/ }" 2>/dev/null || :
}

# The title that was there is kept by the terminal, and comes back at the end.
title_keep()
{
	! draws || printf '\033[22;2t' 2>/dev/null || :
}

title_back()
{
	! draws || printf '\033[23;2t' 2>/dev/null || :
}

bell()
{
	[[ ! -t 1 ]] || printf '\a' 2>/dev/null || :
}

# --- notifications ---------------------------------------------------------

# notify_note TEXT: what became of a notification, in the session's folder.
notify_note()
{
	local file=$DIR/notify.log size=0

	[[ -f $file && ! -L $file ]] || rm -rf -- "$file" # what an agent put there is not written through
	[[ ! -f $file ]] || size=$(wc -c <"$file")
	((size < NOTIFY_LOG)) || mv -f -- "$file" "$file.1"
	(umask 077 && printf '%s %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$1" >>"$file")
}

# notify_tell EVENT FOLDER: runs the command, notes what came of it, and removes the folder.
notify_tell()
{
	local reason rc=0

	cd -- "$PROJECT" && wisp-agent run --outside --keep-env --format text --timeout "$NOTIFY_TIME" --grace 1s \
		--pid-namespace false --prompt "$2/notice" --log "$2/log" --result "$2/step.json" \
		-- sh -c "$NOTIFY" wisp-notify "$1" || rc=$?
	if ((rc == 0)) && wisp-session outcome "$2/step.json"; then
		notify_note "told $1"
	else
		reason=$(wisp-state -C "$DIR" get -f "$2/step.json" .reason) || reason="wisp-agent ended with $rc"
		notify_note "FAILED $1: ${reason//[[:cntrl:]]/ } (notify.command: $NOTIFY)"
	fi
	rm -rf -- "$2"
}

# The state is noted before the loop goes on; the command runs beside it, and outlives it if
# need be, but not NOTIFY_TIME. It has no terminal, and none of the loop's descriptors.
notify()
{
	local pid running=() dir words

	[[ -n $NOTIFY ]] || return 0
	for pid in ${NOTIFYING[@]+"${NOTIFYING[@]}"}; do
		! kill -0 "$pid" 2>/dev/null || running+=("$pid")
	done
	NOTIFYING=(${running[@]+"${running[@]}"})
	if ((${#running[@]} >= NOTIFY_MOST)); then
		notify_note "FAILED $1: $NOTIFY_MOST notifications are still running" || :
		return 0
	fi
	dir=$(mktemp -d "${TMPDIR:-/tmp}/wisp-notify.XXXXXX") || return 0
	if ! ask -C "$DIR" notice "$1" >"$dir/notice" 2>/dev/null 9>&- ||
		! words=$(ask -C "$DIR" notice --words "$1" 2>/dev/null 9>&-); then
		rm -rf -- "$dir"
		return 0
	fi
	(
		trap '' INT HUP
		export PATH=$PATH:$WISP_LIBEXEC/notify WISP_EVENT=$1 WISP_TITLE=${words%%$'\n'*} WISP_TEXT=${words#*$'\n'}
		notify_tell "$1" "$dir"
	) </dev/null >/dev/null 2>&1 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- &
	NOTIFYING+=("$!")
}

# Each once: a question that was waited for, or a menu, has been told of already.
notify_end()
{
	local event=''

	case $END in
	"$EXIT_OK") event=completed ;;
	"$EXIT_INPUT") [[ $NOTIFIED == gate ]] || event=needs_input ;;
	"$EXIT_BLOCKED") event=blocked ;;
	"$EXIT_STUCK") event=stuck ;;
	"$EXIT_LIMIT" | "$EXIT_WAIT") event=limit ;;
	"$EXIT_AGENT") event=agent ;;
	esac
	[[ -z $event || $event == "$NOTIFIED" ]] || notify "$event"
}

# --- questions -------------------------------------------------------------

# The question with its choices, once; until when its answer is waited for goes into ASK_UNTIL. 1: Ctrl-C ended what was to say it.
show_question()
{
	local question choice=''

	ASKED=$F_id ASK_UNTIL=$F_until
	question=$(ask -C "$DIR" question 9>&-) || question=''
	[[ -z $CUT ]] || return 1
	[[ $question != *$'\n  1  '* ]] || choice=' (or the number of a choice)'
	tell ""
	tell "  Question: ${question//$'\n'/$'\n'  }"
	if [[ -n $ASK ]] && on_terminal; then
		tell "  Answer here:    ${choice:+a number, or }a text, and Enter (\\ and Enter: one more line)"
		tell "  or elsewhere:   wisp answer $TYPED TEXT"
	else
		tell "  Answer with:    wisp answer $TYPED TEXT$choice"
	fi
	rm -f -- "$SCRATCH/answer"
	bell
	title "wisp: $BRANCH asks"
	NOTIFIED=needs_input
	[[ -z $F_gate ]] || NOTIFIED=gate
	notify "$NOTIFIED"
}

# Waited for where somebody may answer, else the loop ends with 10.
act_ask()
{
	local until then='' rc=0

	if [[ -n $ASK ]] && look_again "$DIR/response.json" "$STATE/requests"; then
		return 0
	fi
	[[ $ASKED == "$F_id" ]] || show_question || return 0
	[[ -z $F_text ]] || tell "  (response.json is not valid yet: $F_text)"
	if [[ -z $ASK ]]; then
		END=$F_exit
		return 0
	fi
	until=$ASK_UNTIL
	[[ -z $until ]] || then=", until $until, then: $INPUT_THEN"
	tell "wisp: waiting for the answer$then"
	if on_terminal; then
		wait_answer ${until:+--until "$until"} || rc=$?
	else
		wait_changed ${until:+--until "$until"} || rc=$?
	fi
	# Only 1 says that the time is over: a pause that was asked for ends the wait by its signal.
	if ((rc == 1)) && [[ -z $CUT ]]; then
		input_over
	elif ((rc > 1 && rc <= 128)); then
		loop_fail "$rc"
	fi
	[[ -n $END ]] || restore
}

# wait_answer OPTION...: until what look_again noted is different, or an answer is typed here. What was typed of one stays
# for the next wait; one that came from elsewhere meanwhile is the answer.
wait_answer()
{
	local stamp=$STAMP answer rc=0

	STAMP=''
	wait_shown --type "$SCRATCH/answer" "$@" --since "$stamp" "${WATCHED[@]}" || rc=$?
	[[ $KEY == enter && -z $CUT ]] || return "$rc"
	answer=$(ask -C "$DIR" answer - <"$SCRATCH/answer" 2>&1 9>&-) || rc=$?
	rm -f -- "$SCRATCH/answer"
	case $rc in
	0) tell "wisp: answered $(value_of question "$answer"): $(value_of response "$answer")" ;;
	1 | "$EXIT_USAGE") tell "wisp: not taken: ${answer#"$PROGRAM": }" ;;
	*)
		warn "${answer#"$PROGRAM": }"
		return "$rc"
		;;
	esac
	return 0
}

# Nobody answered in time (input.onTimeout): the loop ends, or the answer is what was set for this case.
input_over()
{
	local answer=$INPUT_THEN rc=0

	if [[ $answer == pause ]]; then
		tell "wisp: nobody answered in time"
		END=$EXIT_INPUT
		return 0
	fi
	[[ $answer != continue ]] || answer='nobody answered in time: decide yourself, and note it in divergence.md'
	ask -C "$DIR" answer -- "$answer" >/dev/null 9>&- || rc=$?
	# Somebody has answered at the last moment: that is the answer.
	((rc <= 1)) || loop_fail "$rc"
	((rc == 1)) || tell "wisp: nobody answered in time: the answer is '$answer'"
}
