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
	# Bounded: bash may have lost it, and then it is there for as long as this shell.
	for ((j = 0; j < 20000; j++)); do kill -0 "$signal" 2>/dev/null || break; done
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
files_remove() { rm -rf -- "$1"; }
exit_trap on_exit
(
	exit_trap on_exit
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

# requests SCRIPT: 150 rounds in which a request to pause comes as the program ends; SCRIPT waits for AGENT_PID, which ends with 3.
requests()
{
	{
		cat <<'END'
source "$ROOT/libexec/lib/child.bash"
source "$ROOT/libexec/lib/loop-supervise.bash"
AGENT_PID=''
on_request() { :; }
REQUEST_TRAP=on_request
trap "$REQUEST_TRAP" USR1
for ((i = 0; i < 150; i++)); do
	sh -c "sleep 0.00$((i % 2)); exit 3" &
	AGENT_PID=$! rc=0
	sh -c "sleep 0.00$((i % 4)); kill -USR1 $$" &
	signal=$!
	disown "$signal"
END
		printf '%s\n' "$1" '	for ((j = 0; j < 20000; j++)); do kill -0 "$signal" 2>/dev/null || break; done' done
	} >rounds
	bash rounds </dev/null >said 2>&1 3>&- || fail "$?" "$(<said)"
	assert_equal '' "$(<said)"
}

@test "child_wait: a request to pause just as the program ends costs no status" {
	requests '	child_wait "$AGENT_PID" || rc=$?; ((rc == 3)) || echo "$i: $rc"'
}

@test "signals_ignore: nothing is said of a signal that comes just then" {
	cat >flood <<'END'
source "$ROOT/libexec/lib/child.bash"
trap : USR1
sh -c "while kill -USR1 $$ 2>/dev/null; do :; done" &
for ((i = 0; i < 20000; i++)); do
	signals_ignore USR1
	trap : USR1
done
kill "$!"
END
	run -0 bash flood 3>&-
	assert_equal '' "$output"
}

@test "agent_wait: a request to pause just as the program ends: where the status is lost, that is known" {
	requests '	agent_wait || rc=$?; ((rc == 3)) || [[ -n $STATUS_LOST ]] || echo "$i: $rc"'
}

@test "signals: the second one asks otherwise than the first, of which nothing may have been heard yet" {
	cat >twice <<'END'
source "$ROOT/libexec/lib/git-run.bash"
source "$ROOT/libexec/lib/loop.bash"
source "$ROOT/libexec/lib/finish.bash"
title_keep() { :; }
child_end() { echo "$*"; }
exec 4>/dev/null
AGENT_PID=7
on_signal 2 INT
on_signal 2 INT
CUT=''
finish_cut 2
finish_cut 2
END
	assert_equal $'7 TERM\n7 QUIT\n7 TERM\n7 QUIT' "$(bash twice)"
}

@test "signals: what a trap says does not go where the output of what it comes in goes" {
	cat >heard <<'END'
source "$ROOT/libexec/lib/git-run.bash"
source "$ROOT/libexec/lib/loop.bash"
title_keep() { :; }
loop_traps
trap - EXIT
{
	kill -USR1 $$
	kill -TERM $$
} >answer
tell over
END
	run -0 --separate-stderr bash heard
	assert_output over
	assert_equal '' "$(<answer)"
	assert_contains "$stderr" 'wisp: asked to pause: no step is running, so at once'
	assert_contains "$stderr" 'wisp: TERM: ending the step'
}
