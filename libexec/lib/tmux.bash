# tmux.bash: the tmux that a session's loop runs in.
#
# Sourced after people.bash, with the session in DIR and STATE. A session has a server of its
# own, `tmux -L wisp-HASH`, so that a fault of one costs one session. There the
# tmux session `loop` holds the loop's window `loop`, and those of `wisp shell`. Targets
# are exact (=loop): tmux would take the beginning of a name for the name.
#
# The server begins with a bare environment: what it has, every later pane would get,
# and `tmux show-environment` would show. What a pane is to have goes through a
# private file that libexec/tmux-pane reads and removes. So does the folder that it works
# in: tmux would expand formats in what -c gives.
#
#	STATE/tmux/socket        the server's socket, wherever TMUX_TMPDIR led when it was started
#	STATE/tmux/loop.PID.XXXXXX/  the folder of one start, of the process that started it (libexec/tmux-pane); `current` names the last one
#
#	tmux_there          is there a tmux?
#	tmux_loop           does a loop have a window? Sets TMUX_SOCKET
#	tmux_alive          is there a server? Sets TMUX_SOCKET
#	tmux_pane FOLDER COMMAND...   what a pane is to run, with the folder and environment of this shell
#	tmux_start FOLDER   the loop's window, without attaching; else 1, and why in REPLY
#	tmux_wait FOLDER    0: the loop has started; 1: it has not, and has ended
#	tmux_attach OPTION...         until the person leaves, or what is shown ends
#	tmux_after FOLDER STATUS      ends the command after that, with the loop's code if it has ended
#	tmux_settle, tmux_remove      after a loop's end: no server and no socket are left

TMUX_SOCKET=''

tmux_there()
{
	type -P tmux >/dev/null
}

# tmux_do ARGUMENT...: tmux at the session's socket. No descriptor of ours goes along, since a server would
# keep it, and no TMUX: tmux refuses to be attached inside of another one, and that may be nonsense.
tmux_do()
{
	(
		exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
		unset TMUX TMUX_PANE
		exec tmux -S "$TMUX_SOCKET" "$@"
	)
}

tmux_alive()
{
	TMUX_SOCKET=''
	[[ ! -r $STATE/tmux/socket ]] || IFS= read -r TMUX_SOCKET <"$STATE/tmux/socket" || :
	[[ -S $TMUX_SOCKET ]] && tmux_there && tmux_do list-sessions >/dev/null 2>&1
}

tmux_loop()
{
	tmux_alive && tmux_do list-panes -t '=loop:=loop' >/dev/null 2>&1
}

# Is this a pane of that server?
tmux_inside()
{
	[[ -n ${TMUX-} && ${TMUX%%,*} -ef $TMUX_SOCKET ]]
}

# Nothing of the terminal that it is typed at goes along.
tmux_pane()
{
	local folder=$1
	shift

	(
		umask 077
		unset TMUX TMUX_PANE TERM TERM_PROGRAM TERM_PROGRAM_VERSION COLUMNS LINES
		{
			export -p
			declare -xf
			printf 'wisp_pane_dir=%q\n' "$PWD"
			printf 'wisp_pane_command=('
			printf ' %q' "$@"
			printf ' )\n'
		} >"$folder/start"
	) || die_sys "cannot write in '$folder'"
}

# tmux_server COMMAND...: a new server with its first window.
tmux_server()
{
	local name server environment=()

	server=$(ask -C "$DIR" server) || return
	# What tmux, the status line and the start of a pane need.
	for name in PATH HOME SHELL USER LOGNAME LANG LC_ALL LC_CTYPE TZ TMPDIR TMUX_TMPDIR WISP_HOME XDG_STATE_HOME; do
		[[ -z ${!name-} ]] || environment+=("$name=${!name}")
	done
	(
		exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
		exec env -i ${environment[@]+"${environment[@]}"} WISP_SESSION_DIR="$DIR" tmux -L "$server" -f "$WISP_LIBEXEC/tmux.conf" \
			new-session -d -P -F '#{socket_path}' -s loop -n loop -x 120 -y 40 "$@"
	)
}

tmux_start()
{
	local command=("$BASH" "$WISP_LIBEXEC/tmux-pane" "$1")

	if tmux_alive; then
		# The last loop has ended, but somebody has a shell there.
		REPLY=$(tmux_do new-window -d -t =loop: -n loop "${command[@]}" 2>&1) || return 1
	else
		[[ -z $TMUX_SOCKET ]] || rm -f -- "$TMUX_SOCKET"
		REPLY=$(tmux_server "${command[@]}" 2>&1) || return 1
		TMUX_SOCKET=${REPLY##*$'\n'}
		printf '%s\n' "$TMUX_SOCKET" >"$STATE/tmux/socket"
	fi
	printf '%s\n' "$1" >"$STATE/tmux/current"
	tmux_do select-window -t '=loop:=loop' 2>/dev/null || :
	tmux_do select-pane -t '=loop:=loop' -T "wisp: ${BRANCH//\#/##}" 2>/dev/null || :
}

tmux_wait()
{
	local stamp

	while :; do
		stamp=$(wisp-wait --stamp "$1")
		[[ ! -e $1/started ]] || return 0
		[[ ! -e $1/code ]] || return 1
		wisp-wait --for 2s --since "$stamp" "$1" >/dev/null || tmux_loop || [[ -e $1/code ]] || return 1
	done
}

# The keys that leave: the outer one of two tmuxes takes the first C-b for itself.
tmux_attach()
{
	local keys='C-b d' terminal rc=0

	terminal=$(stty -g 2>/dev/null) || terminal=''

	if [[ -n ${TMUX-} && $(tmux show-options -gv prefix 2>/dev/null) == C-b ]]; then
		keys='C-b C-b d'
	fi
	tmux_do set-option -g @wisp_leave "$keys: leave" 2>/dev/null || :
	tmux_do attach-session "$@" >/dev/null || rc=$?
	if ((rc != 0)) && [[ -n $terminal ]]; then
		# A server that was killed left the terminal as it was drawn on: its other screen, no cursor, no echo.
		stty "$terminal" 2>/dev/null || :
		printf '\033[?1049l\033[?25h\033[?1l\033>\033[0m\r' 2>/dev/null || :
	fi
	return "$rc"
}

# tmux_show FOLDER: what the pane showed last, without the empty lines below.
tmux_show()
{
	local text=''

	[[ ! -r $1/screen ]] || text=$(<"$1/screen")
	[[ -z $text ]] || printf '%s\n' "$text" 2>/dev/null || :
}

tmux_after()
{
	local code=129 # what a loop ends with whose server was killed

	if [[ ! -e $1/code ]] && tmux_loop; then
		(($2 != 1)) || die_sys "tmux cannot show it in this terminal; the loop of $BRANCH runs on: wisp log -f $TYPED"
		say "the loop of $BRANCH runs on; \`wisp attach $TYPED\` comes back to it"
		exit 0
	fi
	while [[ ! -e $1/code ]] && loop_lives; do
		wisp-wait --for 100ms "$1" >/dev/null || :
	done
	if [[ -e $1/code ]]; then
		code=$(<"$1/code")
		tmux_show "$1"
	else
		warn "the tmux of $BRANCH was killed; \`wisp resume $TYPED\` goes on"
	fi
	tmux_settle
	exit "$code"
}

# Waits until the window of a loop that has ended is gone; a socket that nobody listens at goes.
tmux_settle()
{
	local n

	for ((n = 0; n < 20; n++)); do
		tmux_loop || break
		wisp-wait --for 100ms "$STATE/tmux" >/dev/null || :
	done
	if ! tmux_alive && [[ -S $TMUX_SOCKET ]]; then
		rm -f -- "$TMUX_SOCKET"
	fi
}

# Shells that somebody has there end, too.
tmux_remove()
{
	! tmux_alive || tmux_do kill-server 2>/dev/null || :
	[[ ! -S $TMUX_SOCKET ]] || rm -f -- "$TMUX_SOCKET"
}
