#!/usr/bin/env bats
# Named pipes where git has files of its own: git would wait at them for ever.

load ../helper
load ../helper-scenario
load helper-e2e

setup()
{
	project
	export WISP_GIT_LIMIT=1
}

# plugged FILE: the next step leaves a pipe as FILE of the project's git folder.
plugged()
{
	scenario_step "${2:-1}" --effects "cd '$PWD/.git'; rm -f $1; mkfifo $1" --pass 1 --status CONTINUE
}

# Does a git of the loop itself run?
git_waits()
{
	pgrep -x -P "$LOOP" git >/dev/null
}

@test "pipes: left by a step, the loop ends with 111 and names them" {
	local file

	for file in config packed-refs refs/heads/pipe/here; do
		place "pipe/${file##*/}"
		plugged "$file"
		work 111 2
		assert_contains "$output" " gave no answer for 1 s: '$PWD/.git/$file' is a named pipe: remove it"
		rm ".git/$file"
		git symbolic-ref HEAD refs/heads/main
		git config core.bare false
	done
}

@test "pipes: there before a start, they are named" {
	scenario_step 1 --pass 1 --status CONTINUE
	work 15 2 --once
	mv .git/config ../config
	mkfifo .git/config
	again 111
	assert_contains "$output" "git rev-parse gave no answer for 1 s: '.git/config' is a named pipe: remove it"
	expect 111 wisp init
	rm .git/config
	mv ../config .git/config
	scenario_step 2 --pass 2 --status DONE --promise
	again 0
}

@test "pipes: a signal ends the loop while git waits at one, with the state saved" {
	export WISP_GIT_LIMIT=290
	plugged refs/heads/work
	begin 2
	wait_until 30 test -p .git/refs/heads/work
	wait_until 30 git_waits
	kill -TERM "$LOOP"
	ends 143
	rm .git/refs/heads/work
	session .status paused
	assert_contains "$(<"$BATS_TEST_TMPDIR/loop.log")" "git waited at '$PWD/.git/refs/heads/work', a named pipe: remove it"
	! pgrep -f -- "-C $PWD/.wisp" || fail 'a git is left'
}
