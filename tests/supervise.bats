#!/usr/bin/env bats
# libexec/lib/loop-supervise.bash: waiting for a program, with signals.

load helper

teardown()
{
	[[ -z ${ROUNDS-} ]] || kill -KILL -- "-$ROUNDS" 2>/dev/null || :
	helper_teardown
}

@test "agent_wait: a signal just as the program ends: the wait returns, whatever other children live" {
	cat >rounds <<'END'
source "$ROOT/libexec/lib/child.bash"
source "$ROOT/libexec/lib/loop-supervise.bash"
AGENT_PID=''
trap '[[ -z $AGENT_PID ]] || kill -TERM "$AGENT_PID" 2>/dev/null || :' INT
sleep 600 &
other=$!
disown "$other"
trap 'kill "$other"' EXIT
for ((i = 0; i < 150; i++)); do
	sleep 0.002 &
	AGENT_PID=$!
	sh -c "sleep 0.00$((i % 4)); kill -INT $$" &
	signal=$!
	disown "$signal"
	agent_wait || :
	while kill -0 "$signal" 2>/dev/null; do :; done
done
echo over >over
END
	set -m
	bash rounds </dev/null >/dev/null 2>&1 3>&- &
	ROUNDS=$!
	set +m
	wait_until 60 gone "$ROUNDS"
	[[ -e over ]]
}

@test "on_exit: a child that runs the loop's trap ends nothing of the loop" {
	cat >loop <<'END'
source "$ROOT/libexec/lib/child.bash"
source "$ROOT/libexec/lib/loop-supervise.bash"
END=7 SCRATCH=scratch AGENT_PID='' CUT=''
live_stop() { :; }
title_back() { :; }
trap on_exit EXIT
(
	trap on_exit EXIT
	exit 3
)
echo "$?" >code
[[ -d scratch ]] && echo still >still
END
	mkdir scratch
	run -7 bash loop
	assert_equal 3 "$(<code)"
	[[ -e still && ! -e scratch ]]
}
