# child.bash: programs that were started with `&`, so that signals are heard while they run.

# child_end PID [SIGNAL]: asks it to end, also where an agent has stopped it.
child_end()
{
	kill -"${2:-TERM}" "$1" 2>/dev/null || :
	kill -CONT "$1" 2>/dev/null || :
}

# signals_ignore NAME...: where one comes just then, bash says at the next command that its trap cannot be run.
signals_ignore()
{
	{ trap '' "$@" && :; } 2>/dev/null
}

# What a request to pause runs, a trap of USR1; empty where none is heard.
REQUEST_TRAP=''

# child_wait PID: whatever interrupts the wait; returns the program's status. A request to pause does not: it can wait,
# and where it came as the program ends the status could be lost.
child_wait()
{
	local rc=0

	[[ -z $REQUEST_TRAP ]] || signals_ignore USR1
	child_hears "$1" || rc=$?
	[[ -z $REQUEST_TRAP ]] || trap -- "$REQUEST_TRAP" USR1
	return "$rc"
}

# child_hears PID: the same, and a request is heard. STATUS_LOST: the status is that of a trap, the program's own was lost.
child_hears()
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
	STATUS_LOST=''
	if ((rc > 128)); then
		STATUS_LOST=1
		if [[ $'\n'$(jobs -rp)$'\n' != *$'\n'"$1"$'\n'* ]]; then
			own=0 STATUS_LOST=''
			wait "$1" 2>/dev/null || own=$?
			((own == 127)) || rc=$own
		fi
	fi
	return "$rc"
}
