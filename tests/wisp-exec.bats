#!/usr/bin/env bats
# What whoever starts wisp has ignored, blocked or closed.

load helper
load helper-scenario
load e2e/helper-e2e

# ignoring SIGNAL... -- COMMAND: becomes it with these ignored, as by a supervisor or by `&` in a script.
ignoring()
{
	local signals=()

	while [[ $1 != -- ]]; do
		signals+=("$1")
		shift
	done
	shift
	trap '' "${signals[@]}"
	exec "$@"
}

@test "exec: ignored signals end the program as they do at a terminal, but for HUP" {
	local signal rc

	for signal in INT TERM PIPE USR1 ALRM; do
		rc=0
		(ignoring "$signal" -- wisp-exec sh -c "kill -$signal \$\$; exit 3") || rc=$?
		((rc > 128)) || fail "$signal was ignored: $rc"
	done
	run -0 ignoring HUP -- wisp-exec bash -c 'kill -HUP $$; echo lives'
	assert_output lives
}

@test "exec: blocked signals and ignored children, where env can make them" {
	env --block-signal=TERM --ignore-signal=CHLD true 2>/dev/null || skip 'no such env here'
	[[ -e /proc/self/status ]] || skip 'no /proc here'
	run -0 env --block-signal=TERM --ignore-signal=CHLD,QUIT wisp-exec grep -E 'Sig(Blk|Ign)' /proc/self/status
	# Signals 32 and 33 are those of the C library, which lets no program set them; HUP, 1, stays as nohup left it.
	assert_contains "$output" $'SigBlk:\t0000000000000000\nSigIgn:\t'
	assert_equal 0 $((0x${output##*$'\t'} & ~0x180000001))
}

@test "exec: arguments, and what is not there or no program" {
	run -3 wisp-exec bash -c 'printf "%s|" "$0" "$@"; exit 3' 'a b' '' '*'
	assert_output 'a b||*|'
	run -127 wisp-exec ./nothing
	assert_output "wisp: cannot start './nothing': No such file or directory"
	touch data
	run -126 wisp-exec ./data
	run -100 wisp-exec
	assert_output 'wisp: a program is needed'
}

@test "exec: --limit ends the program by ALRM, and leaves other signals as they are" {
	run -142 ignoring ALRM -- wisp-exec --limit 1 sleep 100
	run -0 ignoring TERM -- wisp-exec --limit 100 bash -c 'kill -TERM $$; echo lives'
	assert_output lives
	run -3 wisp-exec --limit 100 sh -c 'exit 3'
	for n in '' 0 -1 x 1x 86401; do
		run -100 wisp-exec --limit "$n" true
		assert_output 'wisp: --limit needs seconds, 1 to 86400'
	done
	run -100 wisp-exec --limit
	run -100 wisp-exec --limit 1
	assert_output 'wisp: a program is needed'
}

@test "exec: wisp help needs no program of C" {
	WISP_BUILD=$BATS_TEST_TMPDIR run -0 wisp help
}

@test "a run whose children, interrupts and pipes were ignored" {
	project
	scenario_step 1 --effects 'echo x >file' --commit file --pass 1 --status DONE --promise
	work() { expect 0 ignoring CHLD INT QUIT PIPE USR1 -- wisp run work --agent replay --tasks tasks.json; }
	scenario_tasks 1 >tasks.json
	work
	passes 1
	in_tree file x
}

@test "a run in the background of a script is ended by INT: 130" {
	project
	scenario_step 1 --effects 'touch ../up; sleep 60'
	scenario_tasks 1 >tasks.json
	ignoring INT QUIT CHLD -- wisp run work --agent replay --tasks tasks.json </dev/null >"$BATS_TEST_TMPDIR/loop.log" 2>&1 3>&- &
	LOOP=$!
	wait_until 20 test -e "$PROJECT/.wisp/worktrees/up"
	kill -INT "$LOOP"
	ends 130
	session .status paused
}

@test "a run under nohup does not end with its terminal" {
	project
	scenario_step 1 --effects 'touch ../up; until [[ -e ../../../../go ]]; do sleep 0.02; done' \
		--pass 1 --status DONE --promise
	scenario_tasks 1 >tasks.json
	ignoring HUP -- wisp run work --agent replay --tasks tasks.json </dev/null >"$BATS_TEST_TMPDIR/loop.log" 2>&1 3>&- &
	LOOP=$!
	wait_until 20 test -e "$PROJECT/.wisp/worktrees/up"
	kill -HUP "$LOOP"
	touch ../go
	ends 0
}

@test "a run without standard streams" {
	project
	scenario_step 1 --pass 1 --status DONE --promise
	scenario_tasks 1 >tasks.json
	expect 0 bash -c 'exec wisp run work --agent replay --tasks tasks.json <&- >&- 2>&-'
	passes 1
	session .status completed
}
