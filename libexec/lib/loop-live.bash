# loop-live.bash: the run's own screen: what the agent does, line by line, and a status line below that is kept in
# place. Sourced by loop.bash, whose head says what the variables are.
#
#	live_start LOG [--title TEXT]   while a program runs whose output is in LOG; with TEXT in the place of the
#	                           task, and only the last line of the output
#	live_stop                  the program has ended: all of it is shown, and the status line is gone
#
# `wisp-session live` draws; nothing is drawn where draws says no. While there is such a line, or a countdown, IN_PLACE is
# set, and `tell` takes it away first.

LIVE='' LIVE_PID='' IN_PLACE=''

live_start()
{
	draws || return 0
	LIVE=$SCRATCH/over IN_PLACE=1
	wisp-session -C "$DIR" live --parent "$$" --over "$LIVE" --log "$@" </dev/null 8>&- 9>&- &
	LIVE_PID=$!
}

# It ends as soon as the file is there, and removes file and line. One that was killed has left both.
live_stop()
{
	[[ -n $LIVE ]] || return 0
	: >"$LIVE"
	child_wait "$LIVE_PID" || {
		rm -f -- "$LIVE"
		printf '\r\033[K' 2>/dev/null || :
	}
	LIVE='' IN_PLACE=''
}
