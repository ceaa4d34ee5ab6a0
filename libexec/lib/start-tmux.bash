# start-tmux.bash: whether the loop runs in the session's tmux, and how it gets there.
# Sourced by start.bash, whose head says what the variables are.
#
# What a start can refuse or ask is refused and asked first, at the person's terminal,
# by the command that was typed: it has owned the session once. Then the same
# command runs in a pane, with PANE set, and owns it anew.
#
#	tmux_options        what excludes what
#	tmux_wanted         is the loop to run there?
#	start_in_tmux       starts it and ends the command; returns where tmux does not start
#	loop_started        in the pane: tells the command that waits

opt_detach='' opt_foreground=''

# A step's own tmux commands must not reach the server that its loop runs in.
PANE=${WISP_PANE-}
unset WISP_PANE
[[ -z $PANE ]] || unset TMUX TMUX_PANE

tmux_options()
{
	[[ -n $opt_detach ]] || return 0
	[[ -z $opt_foreground ]] || die_usage "--detach and --foreground exclude each other"
	[[ -z $opt_json ]] || die_usage "--detach and --json exclude each other: the report comes at the end (wisp status --json)"
	tmux_there || die_sys "--detach needs tmux, and there is none in PATH"
}

tmux_wanted()
{
	[[ $PROGRAM == 'wisp run' || $PROGRAM == 'wisp resume' || $PROGRAM == 'wisp orchestrate' ]] || return 1
	[[ -z $PANE && -z $opt_foreground && -z $opt_json ]] || return 1
	[[ -z $opt_detach ]] || return 0
	on_terminal && [[ ${TERM:-dumb} != dumb ]] || return 1
	tmux_there || {
		warn "there is no tmux: the loop runs in this terminal, and ends with it"
		return 1
	}
}

# Sets COMMAND: what was typed, without what has been done by now.
pane_command()
{
	local name value command=${0##*/}

	# What was asked to be changed is in the record by now.
	[[ -z $CHANGE ]] || command=wisp-resume
	COMMAND=("$WISP_LIBEXEC/$command" "$BRANCH")
	[[ $command != wisp-orchestrate ]] || COMMAND=("$WISP_LIBEXEC/$command" --resume "--branch=$BRANCH")
	for name in agent max-iterations max-hours max-cost guide mode parallel; do
		value=opt_${name//-/_}
		[[ -z ${!value-} ]] || COMMAND+=("--$name=${!value}")
	done
	[[ -z $opt_once ]] || COMMAND+=(--once)
	[[ -z $opt_wait ]] || COMMAND+=(--wait)
	[[ -z $opt_no_wait ]] || COMMAND+=(--no-wait)
	[[ -z $opt_plain ]] || COMMAND+=(--plain)
	[[ -z $opt_yes ]] || COMMAND+=(--yes)
	# The person has been asked, or has said it.
	[[ -z ${1-} || -n $opt_guide ]] || COMMAND+=(--reset)
}

# Another command may wait just now for the pane that it has started: then its folder stays.
panes_sweep()
{
	local folder pid old=()

	for folder in "$STATE"/tmux/loop.*; do
		pid=${folder##*/loop.}
		pid=${pid%%.*}
		[[ ! -d $folder ]] || { [[ $pid != *[!0-9]* ]] && kill -0 "$pid" 2>/dev/null; } || old+=("$folder")
	done
	((${#old[@]} == 0)) || rm -rf -- "${old[@]}"
}

# start_in_tmux [--resume]
start_in_tmux()
{
	local folder rc=0

	panes_sweep
	if ! folder_make "$STATE/tmux" || ! folder=$(mktemp -d "$STATE/tmux/loop.$$.XXXXXX"); then
		die_sys "cannot write in '$STATE'"
	fi
	pane_command "$@"
	(
		export WISP_PANE=$folder
		tmux_pane "$folder" "${COMMAND[@]}"
	) || exit
	session_let_go
	if ! tmux_start "$folder"; then
		rm -rf -- "$folder"
		[[ -z $opt_detach ]] || die_sys "tmux does not start: $REPLY"
		warn "tmux does not start, the loop runs in this terminal: $REPLY"
		session_own
		return 0
	fi
	title_back
	trap - INT TERM HUP PIPE USR1
	trap 'rm -rf -- "$SCRATCH"' EXIT
	if ! tmux_wait "$folder"; then
		pane_refused "$folder"
	elif [[ -n $opt_detach ]]; then
		say "the loop of $BRANCH has started; \`wisp attach $TYPED\` joins it, \`wisp log -f $TYPED\` shows what it does"
		exit 0
	fi
	[[ -e $folder/code ]] || tmux_attach -t =loop || rc=$?
	tmux_after "$folder" "$rc"
}

# pane_refused FOLDER: the loop has ended before it began, with a code and a message.
pane_refused()
{
	local code=$EXIT_SYS

	if [[ -e $1/code ]]; then
		code=$(<"$1/code")
		tmux_show "$1" >&2
	else
		warn "the loop of $BRANCH has not started: its tmux was ended"
	fi
	tmux_settle
	rm -rf -- "$1"
	exit "$code"
}

loop_started()
{
	[[ -z $PANE || -n $END ]] || : >"$PANE/started"
}
