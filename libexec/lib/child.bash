# child.bash: programs that were started with `&`, so that signals are heard while they run.

# child_end PID: asks it to end, also where an agent has stopped it.
child_end()
{
	kill -TERM "$1" 2>/dev/null || :
	kill -CONT "$1" 2>/dev/null || :
}

# child_wait PID: whatever interrupts the wait; returns the program's status.
child_wait()
{
	local rc own

	while :; do
		rc=0
		wait "$1" 2>/dev/null || rc=$? # bash would say itself which signal ended it
		kill -0 "$1" 2>/dev/null || break
	done
	# A trap may have ended the wait at the moment at which the program ended: then
	# its own status is still to be had, and 127 says that it was had already. Where bash
	# still counts it as running, it took the status and lost it: another wait would not
	# return while there are other children.
	if ((rc > 128)) && [[ $'\n'$(jobs -rp)$'\n' != *$'\n'"$1"$'\n'* ]]; then
		own=0
		wait "$1" 2>/dev/null || own=$?
		((own == 127)) || rc=$own
	fi
	return "$rc"
}

# own_exit: is this the shell that set the trap EXIT? A child that a signal ends before it has put the traps away runs it, too.
own_exit()
{
	((${BASHPID:-$$} == $$)) # bash 3.2: does not know its child's number, and takes it for its own
}
