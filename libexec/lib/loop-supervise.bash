# loop-supervise.bash: signals, and programs that may take long. Sourced by
# loop.bash, whose head says what the variables are.

# on_signal NUMBER NAME: the first one asks the step to end, a second one ends it at
# once (wisp-agent does both; of two TERM that come together a process hears one).
on_signal()
{
	local OUT=4 with=TERM

	if [[ -z $CUT ]]; then
		CUT=$1
		tell "wisp: $2: ending the step, saving the state (once more: at once)"
		! git_cut || exit "$EXIT_SYS" # on_exit makes it the signal's
	elif GIT_NOW=1 git_cut; then
		exit "$EXIT_SYS"
	else
		with=QUIT
	fi
	[[ -z $AGENT_PID ]] || child_end "$AGENT_PID" "$with"
}

# A person asks for a pause; the request itself lies where `begin` and `record` look for it.
on_request()
{
	local OUT=4

	if [[ -n $STEPPING ]]; then
		tell "wisp: asked to pause: will pause after this step (iteration $ITERATION)"
	else
		tell "wisp: asked to pause: no step is running, so at once"
	fi
}

# cut_code: CODE is what the loop exits with: 15 where `wisp stop --now` asked, else 128 and the signal; 0 for neither.
CODE=''
cut_code()
{
	# Through a file: of a $( ) in a trap bash 5.2.37 may say that it has lost the process.
	{ wisp-state -C "$DIR" cut --signal "${CUT:-0}" 9>&- >"$SCRATCH/code" && IFS= read -r CODE <"$SCRATCH/code"; } ||
		CODE=${CUT:+$((128 + CUT))}
}

# Whatever ends the loop, the record says so.
on_exit()
{
	local rc=$?

	signals_ignore INT TERM HUP
	if [[ -n $AGENT_PID ]]; then
		child_end "$AGENT_PID"
		agent_wait
	fi
	live_stop
	if [[ -z $END && -n $CUT ]]; then
		cut_code
		wisp-state -C "$DIR" end --signal "$CUT" 9>&- >/dev/null || :
		rc=$CODE
	fi
	title_back
	files_remove "$SCRATCH" 2>/dev/null || :
	exit "${END:-$rc}"
}

loop_traps()
{
	git_hear
	trap 'on_signal 2 INT' INT
	trap 'on_signal 15 TERM' TERM
	trap 'on_signal 1 HUP' HUP
	REQUEST_TRAP=on_request
	trap -- "$REQUEST_TRAP" USR1
	trap '' PIPE
	title_keep
	exit_trap on_exit
}

# exit_trap FUNCTION: at the end of this shell alone. A child that a signal ends before it has put the traps away runs
# them, too; a function there would have bash say that it has no record of a process.
exit_trap()
{
	# shellcheck disable=SC2064 # the function's name is known now
	trap "case \${BASHPID:-\$\$} in \$\$) $1 ;; esac" EXIT # bash 3.2: has no BASHPID: it is run there, too
}

# The program that was started last is the one that signals end. One that came before this
# found none to end; a child that is still this shell loses what is sent to it, hence twice.
agent_started()
{
	AGENT_PID=$!
	if [[ -n $CUT ]]; then
		child_end "$AGENT_PID"
		sleep 0.2
		child_end "$AGENT_PID"
	fi
}

# Waits for the started program whatever interrupts the wait; returns its status.
agent_wait()
{
	local rc=0

	child_hears "$AGENT_PID" || rc=$?
	AGENT_PID='' GIT_LOOKED='' GIT_USED=()
	scratch_own
	return "$rc"
}

# What has run could write into the loop's scratch folder: at a pipe there it would wait for ever, a link would be followed.
scratch_own()
{
	local file found=''

	[[ -n ${SCRATCH-} ]] || return 0
	[[ -d $SCRATCH && ! -L $SCRATCH ]] || { rm -rf -- "$SCRATCH" && mkdir -m 700 -- "$SCRATCH"; } || loop_fail "$EXIT_SYS"
	for file in "$SCRATCH"/* "${STATE:-$SCRATCH}"/not-work*; do
		[[ -L $file || -p $file ]] || continue
		rm -f -- "$file"
		found+=${found:+, }$file
	done
	[[ -z $found || -n $CUT ]] || {
		warn "changed in a step, and not by wisp: $found"
		loop_fail "$EXIT_DATA"
	}
}

# supervisor_lost STATUS: wisp-agent itself has failed, or was killed: what it
# watched has no outcome, and nothing may be made of that.
supervisor_lost()
{
	# Told to end before it had begun, when it was still this shell, or as it ended. on_exit records the signal.
	[[ -z $CUT || $1 -le 128 ]] || exit "$1"
	# A request to pause came as it ended: what became of it is in its result.
	[[ -z $STATUS_LOST ]] || return 0
	if (($1 > 128)); then
		warn "wisp-agent was killed by signal $(($1 - 128))"
		loop_fail "$EXIT_SYS"
	fi
	loop_fail "$1"
}

# supervise OPTION... -- COMMAND...: under wisp-agent, in the work tree, with no
# terminal. A pause in bash 3.2: a trap runs only when `wait` returns, hence `&`.
supervise()
{
	(
		cd -- "$WORKTREE" || exit
		exec wisp-agent run --parent "$$" "$@"
	) </dev/null 9>&- &
	agent_started
	agent_wait
}

# wait_for UNTIL PATH...: until something changes there or the time is over. 0 changed, 1 over.
wait_for()
{
	local rc=0

	wisp-wait --parent "$$" "$@" </dev/null >/dev/null 8>&- 9>&- &
	agent_started
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
