#!/usr/bin/env bats
# Named pipes where git has files of its own: git would wait at them for ever.

load ../helper
load ../helper-scenario
load helper-e2e

setup()
{
	unconfined
	project
	export WISP_GIT_LIMIT=1
}

# plugged FILE: the next step leaves a pipe as FILE of the project's git folder.
plugged()
{
	scenario_step 1 --effects "cd '$PWD/.git'; mkdir -p ./$1; rm -rf $1; mkfifo $1" --pass 1 --status CONTINUE
}

# A pipe is there, and a git of wisp's own runs.
git_waits()
{
	[[ -n $(find .git/objects -type p) ]] && pgrep -f -- "git -C $PWD" >/dev/null
}

# would_wait FILE: it was said so, and no git was started to find out.
would_wait()
{
	assert_contains "$output" "git would wait at '$PROJECT/.git/$1', a named pipe: remove it"
	assert_lacks "$output" 'gave no answer'
}

@test "pipes: left by a step, the loop ends with 111 and names them" {
	local file

	for file in config packed-refs shallow logs/HEAD objects/info/alternates refs/heads/pipe/here refs/remotes/a/b/c; do
		place "pipe/${file##*/}"
		plugged "$file"
		work 111 2
		would_wait "$file"
		rm ".git/$file"
		git symbolic-ref HEAD refs/heads/main
		git config core.bare false
	done
}

@test "pipes: there before a start, they are named" {
	local file command

	scenario_step 1 --pass 1 --status CONTINUE
	work 15 2 --once
	for file in HEAD config packed-refs commondir logs/refs/heads/main objects/info/alternates; do
		[[ ! -e .git/$file ]] || mv ".git/$file" ../saved
		mkfifo ".git/$file"
		for command in 'resume work' 'diff work' checkpoint 'done' 'rm work --force'; do
			# shellcheck disable=SC2086 # with its arguments
			expect 111 wisp $command
			would_wait "$file"
		done
		(cd "$TREE" && expect 111 wisp run other && would_wait "$file")
		expect 111 wisp init
		would_wait "$file"
		expect 1 wisp doctor --agent replay
		assert_contains "$output" "FAIL repository: none here: git would wait at '$PROJECT/.git/$file', a named pipe: remove it"
		rm ".git/$file"
		[[ ! -e ../saved ]] || mv ../saved ".git/$file"
	done
	scenario_step 2 --pass 2 --status DONE --promise
	again 0
}

@test "pipes: of another work tree, in git's rules, and in the place of .git" {
	scenario_step 1 --pass 1 --status CONTINUE
	work 15 2 --once
	git worktree add -q ../other
	rm .git/worktrees/other/HEAD
	mkfifo .git/worktrees/other/HEAD
	expect 111 wisp run more --agent replay --tasks "$BATS_TEST_TMPDIR/tasks.json"
	would_wait worktrees/other/HEAD
	! git rev-parse -q --verify more || fail 'a branch is left'
	expect 0 wisp doctor --agent replay
	assert_contains "$output" "warn worktrees: git would wait at '$PROJECT/.git/worktrees/other/HEAD', a named pipe: remove it"
	rm -f .git/info/exclude
	mkfifo .git/info/exclude
	scenario_step 2 --pass 2 --status DONE --promise
	again 0
	assert_contains "$output" "removed the named pipe $PROJECT/.git/info/exclude"
	mv .git ../git
	mkfifo .git
	expect 111 wisp resume
	assert_contains "$output" "git would wait at '$PROJECT/.git', a named pipe: remove it"
}

# object_pipe COMMIT: prints a command that makes a pipe of it, which nobody looks for.
object_pipe()
{
	printf 'h=$(git rev-parse %s) && f=%q/.git/objects/${h%%"${h#??}"}/${h#??} && rm -f "$f" && mkfifo "$f"' "$1" "$PROJECT"
}

@test "pipes: a signal ends the loop while git waits at one, with the state saved" {
	export WISP_GIT_LIMIT=290
	scenario_step 1 --effects "echo x >x; git add x; git commit -qm own; $(object_pipe HEAD)" --pass 1 --status CONTINUE
	begin 2
	wait_until 30 git_waits
	kill -TERM "$LOOP"
	ends 143
	session .status paused
	session .owner null
	assert_contains "$(<"$BATS_TEST_TMPDIR/loop.log")" "git waited at '$(find "$PWD/.git/objects" -type p)', a named pipe: remove it"
	! pgrep -f -- "git -C $PWD" || fail 'a git is left'
}

@test "pipes: a signal ends wisp done while git waits at one" {
	scenario_step 1 --effects 'echo x >x; git add x; git commit -qm x' --pass 1 --status DONE --promise
	work 0 1
	export WISP_GIT_LIMIT=290
	sh -c "$(object_pipe work)"
	background wisp done work
	wait_until 30 git_waits
	kill -TERM "$LOOP"
	ends 143
	assert_contains "$(<"$BATS_TEST_TMPDIR/loop.log")" "git waited at '$(find "$PWD/.git/objects" -type p)', a named pipe: remove it"
	! pgrep -f -- "git -C $PWD" || fail 'a git is left'
}
