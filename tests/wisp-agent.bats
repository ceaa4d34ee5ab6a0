# wisp-agent run: what happens to real processes. What the streams of the agents
# mean is tested in unit/step.c.

load helper

setup()
{
	cat >field <<'END'
#!/usr/bin/env bash
# field NAME FILE: a member of a pretty-printed object, strings without quotes.
while IFS= read -r line; do
	case $line in
	*"\"$1\": "*)
		line=${line#*: }
		line=${line%,}
		line=${line#\"}
		printf '%s\n' "${line%\"}"
		exit 0
		;;
	esac
done <"$2"
exit 1
END
	chmod +x field
	type -P ps >/dev/null || fail 'ps is needed to tell who lives'
	unset WISP_ITERATION
}

# What a failed test left behind is ended; the processes wrote their numbers into files.
teardown()
{
	local file

	for file in *.pid; do
		[[ ! -s $file ]] || kill -KILL "$(number "${file%.pid}")" 2>/dev/null || :
	done
	helper_teardown
}

# program NAME: an executable shell script from stdin.
program()
{
	{
		printf '#!/bin/sh\n'
		cat
	} >"$1"
	chmod +x "$1"
}

# step [OPTION]... -- PROGRAM...: a step as the loop runs it.
step()
{
	run -0 --separate-stderr wisp-agent run --log log --result step.json "$@"
}

# start_step [OPTION]... -- PROGRAM...: the same in the background, its number in supervisor.pid.
start_step()
{
	wisp-agent run --log log --result step.json "$@" 3>&- &
	echo $! >supervisor.pid
}

assert_field()
{
	arguments 2 $# assert_field || return 1
	assert_equal "$1: $2" "$1: $(./field "$1" step.json)"
}

# number NAME: of the process that wrote NAME.pid, as it is called here; nothing if it is gone.
number()
{
	step_process "$(<"$1.pid")" .
}

# A dead process that nobody has waited for yet is not alive.
alive()
{
	[[ -n $(number "$1") ]]
}

gone()
{
	! alive "$1"
}

# end_step: the background step is over, and everything that wrote a number with it.
end_step()
{
	local file

	wait "$(<supervisor.pid)"
	for file in *.pid; do
		wait_until 10 gone "${file%.pid}"
	done
}

@test 'run: a program that ends with 0 is ok' {
	step --agent me --format text -- sh -c 'echo one; echo two'
	assert_field agent me
	assert_field format text
	assert_field outcome ok
	assert_field reason null
	assert_field exit_code 0
	assert_field signal null
	assert_field final_text 'one\ntwo'
	assert_field output_bytes 8
	assert_field survivors_killed 0
	assert_equal $'one\ntwo' "$(<log)"
}

@test 'run: another exit status is an error, with what the program said last' {
	step -- sh -c 'echo out; echo "no such table" >&2; exit 7'
	assert_field outcome error
	assert_field exit_code 7
	assert_field reason 'exit status 7: no such table'
}

@test 'run: a signal from elsewhere is a crash' {
	# shellcheck disable=SC2016 # for the other shell
	step -- sh -c 'kill -SEGV $$'
	assert_field outcome crashed
	assert_field exit_code null
	assert_field signal SEGV
}

@test 'run: the prompt is standard input, however large' {
	head -c 3000000 /dev/zero | tr '\0' x >prompt.md
	step --prompt prompt.md -- wc -c
	assert_contains "$(./field final_text step.json)" 3000000
	step --prompt prompt.md -- true
	assert_field outcome ok
	step -- wc -c
	assert_contains "$(./field final_text step.json)" 0
}

@test 'run: a prompt that is missing is no step' {
	run -111 --separate-stderr wisp-agent run --log log --result step.json --prompt none -- touch started
	assert_stderr "wisp-agent: cannot open 'none': No such file or directory"
	[[ ! -e started && ! -e step.json ]]
}

@test 'run: the environment is clean, and nothing in it can wait for a person' {
	export SECRET=1 CLAUDECODE=1 CLAUDE_CODE_ENTRYPOINT=cli ANTHROPIC_API_KEY=key LC_TIME=C https_proxy=p
	export OTHER=2 EDITOR=vi
	step --env-pass OTHER --env 'GREETING=a b' --env EDITOR=ed -- env
	assert_contains "$(<log)" 'ANTHROPIC_API_KEY=key'
	assert_contains "$(<log)" 'LC_TIME=C'
	assert_contains "$(<log)" 'https_proxy=p'
	assert_contains "$(<log)" 'OTHER=2'
	assert_contains "$(<log)" 'GREETING=a b'
	assert_contains "$(<log)" 'EDITOR=ed'
	assert_contains "$(<log)" 'GIT_EDITOR=false'
	assert_contains "$(<log)" 'PAGER=cat'
	assert_contains "$(<log)" 'GIT_TERMINAL_PROMPT=0'
	assert_contains "$(<log)" 'WISP_STEP_MARK='
	assert_lacks "$(<log)" SECRET
	assert_lacks "$(<log)" CLAUDECODE
	assert_lacks "$(<log)" CLAUDE_CODE_ENTRYPOINT
	assert_lacks "$(<log)" TERM=
}

@test 'run: --keep-env keeps all but what misleads' {
	export SECRET=1 CLAUDECODE=1 EDITOR=vi
	step --keep-env -- env
	assert_contains "$(<log)" SECRET=1
	assert_contains "$(<log)" TERM=xterm
	assert_contains "$(<log)" EDITOR=false
	assert_lacks "$(<log)" CLAUDECODE
}

@test 'run: a descriptor of the caller, such as a lock, does not reach the program' {
	exec 9>lock
	step -- bash -c 'if : >&9; then echo open; else echo closed; fi'
	exec 9>&-
	assert_field final_text closed
}

@test 'run: what the program leaves behind is ended' {
	program leave <<'END'
setsid sh -c 'echo $$ >new-session.pid; exec sleep 1000' &
(sh -c 'echo $$ >orphan.pid; exec sleep 1000' &)
sh -c 'trap "" TERM HUP; echo $$ >deaf.pid; while :; do sleep 1000; done' >/dev/null &
env -i sh -c 'echo $$ >bare.pid; exec /bin/sleep 1000' &
setsid sh -c '(setsid sh -c "echo \$\$ >daemon.pid; exec sleep 1000" </dev/null >/dev/null 2>&1 &)' &
until [ -s new-session.pid ] && [ -s orphan.pid ] && [ -s deaf.pid ] && [ -s bare.pid ] && [ -s daemon.pid ]; do
	:
done
echo done
END
	step -- ./leave
	assert_field outcome ok
	assert_field final_text 'done'
	for name in new-session orphan deaf bare daemon; do
		wait_until 10 gone "$name"
	done
	[[ $(./field survivors_killed step.json) -ge 5 ]]
}

@test 'run: processes that start new ones for ever are ended' {
	program again <<'END'
echo $$ >again.new
mv again.new again.pid
sleep 0.1
setsid ./again >/dev/null 2>&1 &
END
	program respawn <<'END'
./again
until [ -s again.pid ]; do :; done
END
	step -- ./respawn
	assert_field outcome ok
	last=$(<again.pid)
	wait_until 10 gone again
	assert_equal "$last" "$(<again.pid)"
}

@test 'run: nothing of the supervisor is left when it returns' {
	step -- true
	assert_lacks "$(ps -A -o args=)" "$BATS_TEST_TMPDIR/step.json"
	run -0 wisp-agent run --log "$PWD/log" --result "$PWD/step.json" -- true
	assert_lacks "$(ps -A -o args=)" "$PWD/step.json"
}

@test 'run: the time limit' {
	start_step --timeout 200ms --grace 1h -- sh -c 'echo $$ >agent.pid; exec sleep 1000'
	end_step
	assert_field outcome timeout
	assert_field signal TERM
	assert_field reason 'took longer than 200ms'
}

@test 'run: no grace at all' {
	start_step --timeout 200ms --grace 0 -- sh -c 'trap "" TERM; echo $$ >agent.pid; while :; do sleep 1000; done'
	end_step
	assert_field outcome timeout
	assert_field signal KILL
}

@test 'run: the idle limit, for which each byte counts' {
	start_step --idle-timeout 300ms --grace 1h -- sh -c '
		for i in 1 2 3 4 5 6; do echo $i >&2; sleep 0.1; done; echo $$ >agent.pid; exec sleep 1000'
	end_step
	assert_field outcome idle
	assert_field reason 'printed nothing for 300ms'
	assert_contains "$(<log)" 6
}

# talker: an agent of the claude format that does well and then goes on; its claim is what the first argument prints.
talker()
{
	program talk <<'END'
echo $$ >agent.pid
printf '%s' "$1" >state.json
echo '{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"<promise>COMPLETE</promise>"}'
while :; do
	echo '{"type":"system","subtype":"task_notification"}'
	sleep 0.05
done
END
}

@test 'run: after its final event, with a valid state, a program is ended, whatever it prints' {
	talker
	start_step --format claude --state state.json --linger 0 --timeout 1m --grace 1h -- \
		./talk '{"status": "DONE", "summary": "x"}'
	end_step
	assert_field outcome ok
	assert_field reason 'wisp ended it 0s after its final event, with a valid state.json'
	assert_field promise true
	assert_field signal TERM
}

@test 'run: the state may come after the final event' {
	program late <<'END'
echo $$ >agent.pid
echo '{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"x"}'
until [ -e go ]; do sleep 0.05; done
echo '{"status": "DONE", "summary": "x"}' >state.json
exec sleep 1000
END
	start_step --format claude --state state.json --linger 50ms --timeout 1m --grace 1h -- ./late
	wait_until 10 test -s agent.pid
	touch go
	end_step
	assert_field outcome ok
}

@test 'run: without a valid state, or a final event, the other limits hold' {
	talker
	start_step --format claude --state state.json --linger 0 --timeout 1s --grace 1h -- ./talk '{"status": "DONE"}'
	end_step
	assert_field outcome timeout
	ln -s /dev/zero link
	start_step --format claude --state link --linger 0 --timeout 1s --grace 1h -- \
		./talk '{"status": "DONE", "summary": "x"}'
	end_step
	assert_field outcome timeout
	start_step --format text --state state.json --linger 0 --timeout 1s --grace 1h -- \
		./talk '{"status": "DONE", "summary": "x"}'
	end_step
	assert_field outcome timeout
	start_step --format claude --state state.json --linger none --timeout 1s --grace 1h -- \
		./talk '{"status": "DONE", "summary": "x"}'
	end_step
	assert_field outcome timeout
}

@test 'run: what only says that it tries again is no sign of life' {
	program retry <<'END'
echo $$ >agent.pid
while :; do
	echo '{"type":"system","subtype":"api_retry","attempt":1,"error":"overloaded"}'
	echo 'Attempt 1 failed with status 529. Retrying with backoff... Error: {' >&2
	sleep 0.05
done
END
	start_step --format claude --idle-timeout 500ms --timeout 1m --grace 1h -- ./retry
	end_step
	assert_field outcome idle
	assert_field reason 'printed nothing but retries for 500ms'
}

@test 'run: TERM is forwarded once, and what comes afterwards does not count' {
	program agent <<'END'
trap 'echo "told"; exit 0' TERM
echo $$ >agent.pid
while :; do sleep 0.05; done
END
	start_step --grace 1h -- ./agent
	wait_until 10 test -s agent.pid
	kill -TERM "$(<supervisor.pid)"
	end_step
	assert_field outcome interrupted
	assert_field exit_code 0
	assert_field reason 'stopped by a person (TERM)'
	assert_contains "$(<log)" told
}

@test 'run: after the grace everything is killed' {
	program agent <<'END'
trap '' TERM
sh -c 'echo $$ >child.pid; while :; do sleep 1000; done' &
setsid sh -c 'echo $$ >away.pid; while :; do sleep 1000; done' &
until [ -s child.pid ] && [ -s away.pid ]; do :; done
echo $$ >agent.pid
while :; do sleep 1000; done
END
	start_step --grace 200ms -- ./agent
	wait_until 10 test -s agent.pid
	kill -HUP "$(<supervisor.pid)"
	end_step
	assert_field outcome interrupted
	assert_field signal KILL
}

@test 'run: when the agent ends at once, its children still have the grace' {
	program agent <<'END'
sh -c 'trap "sleep 0.3; echo saved >saved; exit" TERM; echo $$ >child.pid; while :; do sleep 0.05; done' &
until [ -s child.pid ]; do :; done
echo $$ >agent.pid
exec sleep 1000
END
	start_step --grace 1h -- ./agent
	wait_until 10 test -s agent.pid
	kill -TERM "$(<supervisor.pid)"
	end_step
	assert_equal saved "$(<saved)"
	assert_field signal TERM
}

@test 'run: a second signal kills at once' {
	program agent <<'END'
trap 'echo once >>told' TERM
echo $$ >agent.pid
while :; do sleep 0.05; done
END
	start_step --grace 1h -- ./agent
	wait_until 10 test -s agent.pid
	kill -TERM "$(<supervisor.pid)"
	wait_until 10 test -s told
	kill -TERM "$(<supervisor.pid)"
	end_step
	assert_field outcome interrupted
	assert_field signal KILL
	assert_equal once "$(<told)"
}

@test 'run: QUIT kills at once; the program that it runs has QUIT as ever' {
	program agent <<'END'
trap 'echo once >>told' TERM
echo $$ >agent.pid
while :; do sleep 0.05; done
END
	start_step --grace 1h -- ./agent
	wait_until 10 test -s agent.pid
	kill -QUIT "$(<supervisor.pid)"
	end_step
	assert_field outcome interrupted
	assert_field reason 'stopped by a person (QUIT)'
	run -0 wisp-agent run --log log --result step.json -- sh -c 'kill -QUIT $$'
	assert_field signal QUIT
}

@test 'run: INT counts, unless it was ignored from the start' {
	program agent <<'END'
echo $$ >agent.pid
exec sleep 1000
END
	bash -c 'trap "" INT; exec wisp-agent run --log log --result step.json -- ./agent' 3>&- &
	echo $! >supervisor.pid
	wait_until 10 test -s agent.pid
	kill -INT "$(<supervisor.pid)"
	kill -TERM "$(<supervisor.pid)"
	end_step
	assert_field reason 'stopped by a person (TERM)'

	# Background programs of a shell without job control ignore INT; those of a supervisor do not.
	rm ./*.pid step.json
	program agent <<'END'
echo $PPID >inner.pid
echo $$ >agent.pid
exec sleep 1000
END
	wisp-agent run --pid-namespace false --log outer --result outer.json -- \
		wisp-agent run --pid-namespace false --log log --result step.json -- ./agent 3>&- &
	echo $! >supervisor.pid
	wait_until 10 test -s agent.pid
	kill -INT "$(<inner.pid)"
	end_step
	assert_field reason 'stopped by a person (INT)'
}

# tree: an agent with a child in another session, both recorded.
tree()
{
	program agent <<'END'
setsid sh -c 'trap "" TERM; echo $$ >away.pid; while :; do sleep 1000; done' >/dev/null 2>&1 &
(setsid sh -c 'echo $$ >daemon.pid; exec sleep 1000' >/dev/null 2>&1 &)
until [ -s away.pid ] && [ -s daemon.pid ]; do :; done
echo $$ >agent.pid
exec sleep 1000
END
}

@test 'run: when the parent is killed all ends, and no step.json is written' {
	tree
	bash -c 'wisp-agent run --log log --result step.json -- ./agent & echo $! >supervisor.pid; wait' 3>&- &
	parent=$!
	wait_until 10 test -s agent.pid
	kill -KILL "$parent"
	for name in supervisor agent away daemon; do
		wait_until 10 gone "$name"
	done
	[[ ! -e step.json ]]
}

@test 'run: when the supervisor is killed all ends' {
	tree
	start_step -- ./agent
	wait_until 10 test -s agent.pid
	kill -KILL "$(<supervisor.pid)"
	for name in agent away daemon; do
		wait_until 10 gone "$name"
	done
	[[ ! -e step.json ]]
}

# enclosed HOW: does a step get a pid namespace with --pid-namespace HOW? 2 where it does
# not, and another program gets one from the kernel in that way.
enclosed()
{
	local here given=(--fork --pid --mount-proc)

	here=$(ls -l /proc/self/ns/pid 2>/dev/null) || here=none
	step --pid-namespace "$1" --format text -- ls -l /proc/self/ns/pid
	if [[ $(./field outcome step.json) == ok && ${here##*pid:} != "$(./field final_text step.json | sed 's/.*pid://')" ]]; then
		return 0
	fi
	if [[ $(./field reason step.json) == *'this build of wisp' || $1 == auto && $(portable) == yes ]]; then
		return 1
	fi
	if ! unshare --fork --pid --mount true 2>/dev/null; then
		[[ $1 == true ]] || return 1
		given+=(--user --map-current-user)
	fi
	! unshare "${given[@]}" true 2>/dev/null || return 2
	return 1
}

# portable: yes where the programs are built without what only Linux has.
portable()
{
	wisp-agent run --log /dev/null --result portable.json --pid-namespace true -- true
	[[ $(./field reason portable.json) != *'this build of wisp' ]] || echo yes
}

# barred COMMAND...: where no pid namespace can be made, by root or anyone.
barred()
{
	if unshare --user --map-root-user true 2>/dev/null; then
		# shellcheck disable=SC2016 # for the other shell
		unshare --user --map-root-user sh -c 'echo 0 >/proc/sys/user/max_pid_namespaces && exec "$@"' sh "$@"
	elif setpriv --bounding-set -sys_admin true 2>/dev/null; then
		setpriv --bounding-set -sys_admin "$@"
	else
		"$@"
	fi
}

child_of()
{
	local pid parent

	ps -A -o pid= -o ppid= | while read -r pid parent; do
		[[ $parent != "$1" ]] || echo "$pid"
	done
}

# hide: an executable that starts a daemon with no environment, and becomes ./agent.
hide()
{
	program hide <<'END'
echo $PPID >over.pid
env -i setsid /bin/sh -c '(/usr/bin/env -i /usr/bin/setsid /bin/sh -c "echo \$\$ >bare.pid; exec /bin/sleep 1000" </dev/null >/dev/null 2>&1 &)'
until [ -s bare.pid ]; do :; done
exec ./agent
END
}

@test 'run: KILL of the supervisor, or of its watchdog, by whomever, leaves nothing' {
	[[ ! -e /proc/self/status ]] || [[ $(portable) == yes ]] || bare=bare
	tree
	hide
	for killed in over supervisor; do
		rm -f ./*.pid
		start_step --pid-namespace false -- ./hide
		wait_until 10 test -s agent.pid
		kill -KILL "$(<"$killed.pid")"
		# It returns when all is over, but where it was killed itself.
		rc=0
		wait "$(<supervisor.pid)" || rc=$?
		assert_equal 137 "$rc"
		for name in agent away daemon ${bare-}; do
			[[ $killed == over ]] && alive "$name" && fail "$name lives"
			wait_until 10 gone "$name"
		done
		[[ ! -e step.json ]]
	done
}

@test 'run: a supervisor and a watchdog that an agent stops go on: the limit holds, TERM is heard' {
	program agent <<'END'
watchdog=$(ps -o ppid= -p $PPID)
[ -e portable ] || kill -STOP $watchdog
kill -STOP $PPID
echo $$ >agent.pid
exec sleep 1000
END
	[[ $(portable) != yes ]] || : >portable
	start_step --pid-namespace false --timeout 1s -- ./agent
	wait_until 10 test -s step.json
	end_step
	assert_field outcome timeout
	rm agent.pid step.json
	start_step --pid-namespace false -- ./agent
	wait_until 10 test -s agent.pid
	kill -TERM "$(<supervisor.pid)"
	kill -CONT "$(<supervisor.pid)"
	wait_until 10 test -s step.json
	end_step
	assert_field outcome interrupted
}

@test 'pid namespace: KILL of the supervisor and of its watchdog leaves nothing, however it hides' {
	tree
	hide
	for how in auto true; do
		rm -f ./*.pid
		rc=0
		enclosed "$how" || rc=$?
		((rc < 2)) || fail "no pid namespace with '$how', and one could be made"
		if ((rc == 1)); then
			[[ $how == auto ]] || assert_field outcome unstartable
			continue
		fi
		rm step.json
		start_step --pid-namespace "$how" -- ./hide
		wait_until 10 test -s agent.pid
		alive bare
		kill -KILL "$(<supervisor.pid)" "$(child_of "$(<supervisor.pid)")"
		for name in agent away daemon bare; do
			wait_until 10 gone "$name"
		done
		[[ ! -e step.json ]]
	done
}

@test 'pid namespace: exit status, signal and what cannot be started are told as without one' {
	printf '#!/no/such/interpreter\n' >lost
	chmod +x lost
	for how in auto true false; do
		[[ $how != true ]] || enclosed true || continue
		step --pid-namespace "$how" -- true
		assert_field outcome ok
		assert_field survivors_killed 0
		step --pid-namespace "$how" -- sh -c 'exit 173'
		assert_field exit_code 173
		for signal in SEGV KILL; do
			# shellcheck disable=SC2016 # for the other shell
			step --pid-namespace "$how" -- sh -c 'kill -$0 $$' "$signal"
			assert_field outcome crashed
			assert_field signal "$signal"
		done
		step --pid-namespace "$how" -- sh -c '(sleep 1000 &); sleep 1000 & exit 3'
		assert_field exit_code 3
		assert_field survivors_killed 2
		step --pid-namespace "$how" -- ./lost
		assert_field reason "cannot start: './lost' has an interpreter on its #! line that is not found"
	done
}

@test 'pid namespace: TERM, grace and KILL are as without one' {
	program agent <<'END'
(setsid sh -c 'trap "" TERM; echo $$ >deaf.pid; while :; do sleep 1000; done' >/dev/null 2>&1 &)
(setsid sh -c 'trap "echo saved >saved; exit" TERM; echo $$ >child.pid; while :; do sleep 0.05; done' >/dev/null 2>&1 &)
until [ -s deaf.pid ] && [ -s child.pid ]; do :; done
echo $$ >agent.pid
exec sleep 1000
END
	for how in auto true; do
		[[ $how != true ]] || enclosed true || continue
		rm -f ./*.pid saved
		start_step --pid-namespace "$how" --grace 1h -- ./agent
		wait_until 10 test -s agent.pid
		kill -TERM "$(<supervisor.pid)"
		wait_until 10 test -s saved
		wait_until 10 gone agent
		alive deaf
		kill -TERM "$(<supervisor.pid)"
		end_step
		assert_field outcome interrupted
		assert_field signal TERM
	done
}

@test 'pid namespace: the numbers in it go on from those outside' {
	# shellcheck disable=SC2016 # for the other shell
	step --format text -- sh -c 'echo $$'
	[[ ! -e /proc/sys/kernel/ns_last_pid || $(./field final_text step.json) -gt 2 ]]
}

@test 'pid namespace: where none can be made, auto goes without and true is refused' {
	run -0 --separate-stderr barred wisp-agent run --log log --result step.json --pid-namespace auto -- sh -c 'exit 4'
	assert_stderr ''
	assert_field exit_code 4
	run -0 --separate-stderr barred wisp-agent run --log log --result step.json --pid-namespace true -- touch started
	assert_field outcome unstartable
	assert_field exit_code null
	assert_contains "$(./field reason step.json)" \
		"cannot start: 'touch' cannot be given a pid namespace (step.pidNamespace is true): "
	[[ ! -e started ]]
}

@test 'run: what cannot be started' {
	printf 'echo hello\n' >plain
	printf '#!/no/such/interpreter\n' >lost
	printf 'data' >data
	chmod +x plain lost
	step -- no-such-program
	assert_field outcome unstartable
	assert_field reason "cannot start: 'no-such-program' is not found"
	assert_field exit_code null
	step -- ./data
	assert_field reason "cannot start: './data' is not executable"
	step -- "$PWD"
	assert_field reason "cannot start: '$PWD' is a directory"
	step -- ./plain
	assert_field reason "cannot start: './plain' has the wrong format: it is neither a program nor a script with a #! line"
	step -- ./lost
	assert_field reason "cannot start: './lost' has an interpreter on its #! line that is not found"
	assert_field outcome unstartable
}

@test 'run: a starting script whose program is missing' {
	program start <<'END'
exec no-such-agent
END
	step --format claude -- ./start
	assert_field outcome unstartable
	assert_field exit_code 127
	step --format text -- ./start
	assert_field outcome error
}

@test 'run: --missing: 1 where the program is not there, or an empty script that leaves no claim' {
	program start <<'END'
exec ./cli
END
	local agent=(run --missing --format claude --state state.json --log log --result step.json)
	run -1 wisp-agent "${agent[@]}" -- ./start
	assert_field outcome unstartable
	: >cli
	run -1 wisp-agent "${agent[@]}" -- ./start
	chmod +x cli
	run -1 bash -c 'exec wisp-agent "$@"' sh "${agent[@]}" -- bash ./start
	assert_field outcome error
	echo '{"status": "CONTINUE", "summary": "made"}' >state.json
	run -0 wisp-agent "${agent[@]}" -- bash ./start
	rm state.json
	echo 'echo hello' >cli
	run -0 wisp-agent "${agent[@]}" -- bash ./start
	run -1 wisp-agent "${agent[@]}" -- ./none
	step -- ./none
}

@test 'run: a failed login ends the step at the first event that says so' {
	program agent <<'END'
echo $$ >agent.pid
echo '{"type":"system","subtype":"init","session_id":"s","claude_code_version":"1"}'
echo '{"type":"system","subtype":"api_retry","attempt":1,"error_status":401,"error":"authentication_failed"}'
exec sleep 1000
END
	start_step --timeout 30s --format claude -- ./agent
	end_step
	assert_field outcome auth
	assert_field retries 1
	assert_field signal TERM
}

@test 'run: the format is found from the stream' {
	program agent <<'END'
echo 'starting up'
echo '{"type":"thread.started","thread_id":"t-1"}'
echo '{"type":"turn.started"}'
echo '{"type":"turn.completed","usage":{"input_tokens":5,"output_tokens":6}}'
END
	step -- ./agent
	assert_field format codex
	assert_field outcome ok
	assert_field bad_lines 1
	assert_field input 5
}

@test 'run: the log keeps so much and no more, and the rest is still read' {
	step --max-output 100 -- sh -c 'head -c 20000000 /dev/zero | tr "\0" x; echo; echo "<promise>COMPLETE</promise>"'
	assert_field promise true
	assert_field output_bytes 20000029
	assert_equal "$(printf 'x%.0s' {1..100})" "$(head -n 1 log)"
	assert_contains "$(<log)" '[wisp: the output is longer than 100 bytes; the rest is not kept]'
	[[ $(wc -c <log) -lt 200 ]]
}

@test 'run: --output has standard output alone, bounded and without a word of ours; the log has the rest' {
	echo old >out
	step --max-output 10 --output out -- sh -c 'echo "{"; echo warning >&2; printf "1234567890"; echo more >&2; exit 3'
	assert_equal $'{\n12345678' "$(<out)"
	assert_equal $'warning\nmo' "$(head -c 10 log)"
	assert_contains "$(<log)" '[wisp: the output is longer than 10 bytes; the rest is not kept]'
	assert_field exit_code 3
	run -111 --separate-stderr wisp-agent run --log log --output no/out --result step.json -- touch started
	assert_stderr "wisp-agent: cannot open 'no/out': No such file or directory"
	[[ ! -e started ]]
}

@test 'run: a log that cannot be written does not end the step' {
	run -0 --separate-stderr wisp-agent run --log /dev/full --result step.json -- sh -c 'echo a; echo b'
	assert_stderr 'wisp-agent: cannot write the log, going on without: No space left on device'
	assert_field final_text 'a\nb'
}

@test 'run: a log that cannot be opened, a result that cannot be written' {
	run -111 --separate-stderr wisp-agent run --log no/log --result step.json -- touch started
	assert_stderr "wisp-agent: cannot open 'no/log': No such file or directory"
	[[ ! -e started ]]
	run -111 --separate-stderr wisp-agent run --log log --result log/step.json -- true
	assert_contains "$stderr" "wisp-agent: cannot make 'log'"
	run -0 wisp-agent run --log log --result gone/with/it/step.json -- true
	[[ -s gone/with/it/step.json ]]
}

@test 'run: standard error does not cut a line of standard output' {
	program agent <<'END'
printf '{"type":'
echo "warning" >&2
printf half >&2
until [ -e go ]; do sleep 0.05; done
echo '"x"}'
echo after >&2
END
	start_step -- ./agent
	wait_until 10 test -s log
	touch go
	end_step
	assert_equal $'{"type":"x"}\nwarning\nhalfafter' "$(<log)"
}

@test 'run: memory does not grow with the stream' {
	wide='head -c 67108864 /dev/zero | tr "\0" y'
	step --keep-env --format text -- wisp-agent parse --format claude /dev/null
	before=$(./field peak_rss_kb step.json)
	{
		printf '{"type":"user","message":{"content":[{"type":"tool_result","content":"'
		bash -c "$wide"
		printf '"}]}}\n{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"'
		bash -c "$wide"
		printf '"}\n'
		bash -c "$wide"
	} >stream
	step --keep-env --format text -- wisp-agent parse --format claude --exit-code 0 stream
	assert_contains "$(<log)" '"events": 2'
	assert_contains "$(<log)" '"outcome": "ok"'
	[[ $(./field peak_rss_kb step.json) -lt $((before + 2048)) ]]
}

@test 'parse: one document, whatever the outcome' {
	printf 'no JSON\n' >stream
	run -0 --separate-stderr wisp-agent parse --format claude --exit-code 1 stream
	assert_contains "$output" '"outcome": "error"'
	assert_contains "$output" '"reason": "exit status 1, no result line: no JSON"'
	assert_contains "$output" '"bad_lines": 1'
	run -0 wisp-agent parse --format text --signal SIGTERM --sent-signal 15 - <stream
	assert_contains "$output" '"outcome": "interrupted"'
	assert_contains "$output" '"signal": "TERM"'
	assert_contains "$output" '"final_text": "no JSON"'
	printf 'broken pipe\n' >errors
	run -0 wisp-agent parse --format gemini --exit-code 3 --stderr errors /dev/null
	assert_contains "$output" '"reason": "exit status 3, no result line: broken pipe"'
}

@test 'run --fail ends with 1 where the outcome is not ok' {
	run -0 wisp-agent run --fail --result step.json -- true
	run -1 wisp-agent run --fail --result step.json -- sh -c 'exit 3'
	[[ $(<step.json) == *'"outcome": "error"'* ]]
	run -1 wisp-agent run --fail --timeout 1s -- sleep 100
	run -100 wisp-agent run --fail
}

@test 'run --exit-status ends as timeout does, and without a log the output is passed on' {
	run -0 wisp-agent run --exit-status -- sh -c 'echo out; echo err >&2'
	assert_contains "$output" out
	assert_contains "$output" err
	run -7 wisp-agent run --exit-status --log l --result r.json -- sh -c 'exit 7'
	assert_equal 7 "$(./field exit_code r.json)"
	run -124 wisp-agent run --exit-status --timeout 100ms --grace 100ms -- sleep 1000
	run -124 wisp-agent run --exit-status --idle-timeout 100ms --grace 100ms -- sleep 1000
	run -143 wisp-agent run --exit-status -- sh -c 'kill -TERM $$'
	run -127 wisp-agent run --exit-status -- ./nothing-there
	run -0 wisp-agent run -- sh -c 'exit 7'
}

@test 'wrong calls' {
	run -100 --separate-stderr wisp-agent
	run -100 --separate-stderr wisp-agent walk
	run -100 --separate-stderr wisp-agent run --log l --result r
	run -100 --separate-stderr wisp-agent run --log l --result r --timeout soon -- true
	assert_stderr "wisp-agent: option '--timeout' needs a duration such as 90s or 1h30m, not 'soon'"
	run -100 --separate-stderr wisp-agent run --log l --result r --pid-namespace maybe -- true
	assert_stderr "wisp-agent: option '--pid-namespace' needs 'auto', 'true' or 'false', not 'maybe'"
	run -100 --separate-stderr wisp-agent run --log l --result r --format odd -- true
	assert_stderr "wisp-agent: unknown format 'odd'; there are: auto text claude codex gemini qwen opencode copilot amp"
	run -100 --separate-stderr wisp-agent run --log l --result r --env NAME -- true
	assert_stderr "wisp-agent: option '--env' needs NAME=VALUE, not 'NAME'"
	run -100 --separate-stderr wisp-agent parse
	assert_stderr "wisp-agent: option '--format' is needed"
	run -100 --separate-stderr wisp-agent parse --format text --signal LOUD
	assert_stderr "wisp-agent: option '--signal' needs a signal such as TERM, not 'LOUD'"
	run -100 --separate-stderr wisp-agent parse --format text --exit-code 1 --signal TERM
	run -100 --separate-stderr wisp-agent parse --format text --timed-out late
	assert_stderr "wisp-agent: option '--timed-out' needs 'wall', 'idle' or 'linger', not 'late'"
	run -111 --separate-stderr wisp-agent parse --format text none
	assert_stderr "wisp-agent: cannot open 'none': No such file or directory"
	run -0 --separate-stderr wisp-agent -h
	assert_contains "$output" 'wisp-agent'
}

# --- bad input: what an agent may do to its supervisor -----------------------

@test 'run: an agent that prints nothing, or only to standard error' {
	step -- true
	assert_field outcome ok
	assert_field output_bytes 0
	assert_field final_text ''
	step --format claude -- true
	assert_field outcome error
	assert_field reason 'exit status 0, no result line'
	step --format claude -- sh -c 'echo "only a warning" >&2'
	assert_field outcome error
	assert_field reason 'exit status 0, no result line: only a warning'
	assert_equal 'only a warning' "$(<log)"
	step -- sh -c 'echo "only a warning" >&2'
	assert_field outcome ok
}

@test 'run: hundreds of megabytes, of which the log keeps what it may, in constant memory' {
	# shellcheck disable=SC2016 # for the other shell
	run -0 wisp-agent run --log outer --result outer.json --keep-env --format text -- \
		wisp-agent run --log log --result step.json --max-output 1000000 --format claude -- \
		sh -c 'head -c 500000000 /dev/zero; printf "\n{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"num_turns\":1,\"result\":\"end\"}\n"'
	assert_field outcome ok
	assert_field final_text end
	assert_field bad_lines 1
	[[ $(./field output_bytes step.json) -gt 500000000 ]]
	[[ $(wc -c <log) -lt 1000200 ]]
	[[ $(./field peak_rss_kb outer.json) -lt 8192 ]] || fail "$(./field peak_rss_kb outer.json) kB"
}

@test 'run: binary, and all JSON in one line' {
	head -c 300000 "$WISP_BUILD/wisp-agent" >binary
	step --format claude -- cat binary
	assert_field outcome error
	assert_field output_bytes 300000
	cmp binary log
	step -- cat binary
	assert_field outcome ok
	assert_field format text
	# shellcheck disable=SC2016 # for the other shell
	step --format claude -- sh -c 'i=0; while [ $i -lt 1000 ]; do
		printf "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"num_turns\":1,\"result\":\"ok\"}"; i=$((i + 1)); done'
	assert_field outcome error
	assert_field bad_lines 1
	assert_field events 0
}

@test 'run: a result before the work, and an exit status that does not agree' {
	program agent <<'END'
echo '{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"all done"}'
echo '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"x"}}]}}'
echo worked >work
exit "${1-0}"
END
	step --format claude -- ./agent
	assert_field outcome ok
	assert_field Bash 1
	assert_equal worked "$(<work)"
	step --format claude -- ./agent 173
	assert_field outcome error
	assert_field exit_code 173
	assert_field reason 'reported success, but its exit status is 173'
	step --format claude -- sh -c 'echo "{\"type\":\"result\",\"subtype\":\"error_during_execution\",\"is_error\":true,\"errors\":[\"it broke\"]}"'
	assert_field outcome error
	assert_field exit_code 0
	assert_field reason 'it broke'
}

@test 'run: an agent that closes its output and goes on is waited for' {
	program agent <<'END'
echo 'the last words'
exec >&- 2>&-
echo $$ >agent.pid
until [ -e go ]; do sleep 0.05; done
echo more >work
exit 3
END
	start_step -- ./agent
	wait_until 10 test -s agent.pid
	alive supervisor
	alive agent
	touch go
	end_step
	assert_field exit_code 3
	assert_field final_text 'the last words'
	assert_equal more "$(<work)"
}

@test 'run: an agent that closed its output is ended by the limits' {
	start_step --timeout 300ms --grace 0 -- sh -c 'exec >&- 2>&-; echo $$ >agent.pid; exec sleep 1000'
	end_step
	assert_field outcome timeout
	start_step --idle-timeout 300ms --grace 0 -- sh -c 'exec >&- 2>&-; echo $$ >agent.pid; exec sleep 1000'
	end_step
	assert_field outcome idle
}

@test 'run: a prompt of 10 MB, and prompts that begin with / and -' {
	head -c 10000000 /dev/zero | tr '\0' p >prompt.md
	step --prompt prompt.md -- wc -c
	assert_contains "$(<log)" 10000000
	for text in '/nosuchcommand do it' '--help' '-'; do
		printf '%s' "$text" >prompt.md
		rm -f log
		step --prompt prompt.md -- cat
		assert_equal "$text" "$(<log)"
		assert_field final_text "$text"
	done
}

@test 'run: a folder in the place of step.json is removed, with what it holds' {
	step -- sh -c 'rm -f step.json; mkdir -p step.json/a/b; echo x >step.json/a/b/c; chmod 500 step.json/a/b'
	assert_field outcome ok
	step -- sh -c 'rm -f step.json; mkfifo step.json'
	assert_field outcome ok
	echo precious >precious
	step -- sh -c 'ln -sf precious step.json'
	assert_field outcome ok
	assert_equal precious "$(<precious)"
}
