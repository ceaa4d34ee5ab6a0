#!/usr/bin/env bats
# wisp-tasks: each folder of cases/tasks is a case: `args` (one a line) on its
# files, with -C where that makes sense; `expect` is the exit code, what is
# printed and what is said on stderr; `after.json` is what becomes of the list.

load helper

setup()
{
	new_world
	mkdir list
	cd list || exit 1
	cat >tasks.json <<'END'
[
  {"id": "a", "category": "test", "description": "One", "steps": [], "passes": false},
  {"category": "docs", "description": "Two", "steps": [], "passes": true}
]
END
}

teardown()
{
	helper_teardown
}

# play CASE: in a copy of it; prints what `expect` should hold.
play()
{
	local args=() arg rc=0

	while IFS= read -r arg; do
		args+=("$arg")
	done <"$1/args"
	if [[ ${args[0]} != diff ]]; then
		args=(-C . "${args[@]}")
	fi
	cp -R "$1" "$BATS_TEST_TMPDIR/case"
	cd "$BATS_TEST_TMPDIR/case" || return 1
	wisp-tasks "${args[@]}" >"$TMPDIR/out" 2>"$TMPDIR/err" || rc=$?
	printf 'exit %s\n' "$rc"
	cat "$TMPDIR/out"
	sed 's/^/stderr: /' "$TMPDIR/err"
	if [[ -e after.json ]]; then
		cmp tasks.json after.json || return
	fi
	rm -rf "$BATS_TEST_TMPDIR/case"
}

@test "tasks: the cases" {
	local case played=0 prefix

	prefix=$(cd -P "$BATS_TEST_TMPDIR" && pwd)/case/
	for case in "$ROOT"/tests/cases/tasks/*/; do
		run -0 play "$case"
		# Paths are resolved, and the temporary folder may be behind a link.
		output=${output//$prefix/}
		[[ $output == "$(<"$case/expect")" ]] || fail "in $case" 'expected:' "$(<"$case/expect")" 'actual:' "$output"
		played=$((played + 1))
	done
	((played > 40))
}

@test "tasks: -h and -V go to stdout" {
	run -0 --separate-stderr wisp-tasks -h
	assert_contains "$output" 'add --category C [--id I] [--step S]... DESCRIPTION'
	assert_stderr ''
	run -0 --separate-stderr wisp-tasks list --help
	assert_contains "$output" 'list [--open | --done]'
	assert_lacks "$output" DESCRIPTION
	run -0 --separate-stderr wisp-tasks -V
	assert_output "wisp-tasks $(<"$ROOT/VERSION")"
}

@test "tasks: called wrongly is 100 and says how" {
	local case

	while IFS='|' read -r case message; do
		# shellcheck disable=SC2086 # words
		run -100 --separate-stderr wisp-tasks $case
		assert_output ''
		assert_stderr "wisp-tasks: $message"
	done <<'END'
|no verb given (-h lists the verbs)
lst|unknown verb 'lst' (-h lists them)
--bogus list|unknown option '--bogus' (-h lists them)
list --bogus=1|unknown option '--bogus' (-h lists them)
list -x|unknown option '-x' (-h lists them)
list --open=1|option '--open' takes no value
list --open --done|--open and --done exclude each other
list -C|option '-C' needs a value
list extra|usage: wisp-tasks list [--open | --done]
show|usage: wisp-tasks show N|ID
show 1 2|usage: wisp-tasks show N|ID
diff tasks.json|usage: wisp-tasks diff OLD NEW
add x|--category is missing
add --category|option '--category' needs a value
add --category docs --id|option '--id' needs a value
--js list|unknown option '--js' (-h lists them)
END
}

@test "tasks: -C before and after the verb, apart and together" {
	local args

	cd /
	for args in "-C DIR count" "-CDIR count" "count -C DIR" "count -CDIR" "--json count -C DIR" "-C / count -C DIR"; do
		# shellcheck disable=SC2086 # words
		run -0 wisp-tasks ${args//DIR/$BATS_TEST_TMPDIR/list}
		assert_contains "$output" passed
	done
	run -102 --separate-stderr wisp-tasks -C "$BATS_TEST_TMPDIR/none" count
	assert_stderr "wisp-tasks: $BATS_TEST_TMPDIR/none: No such file or directory"
	run -102 --separate-stderr wisp-tasks -C "$BATS_TEST_TMPDIR/list/tasks.json" count
	assert_stderr "wisp-tasks: $BATS_TEST_TMPDIR/list/tasks.json: Not a directory"
}

# make_session BRANCH: in the repository at hand, with the task list of this test.
make_session()
{
	mkdir -p ".wisp/sessions/$1"
	echo '{}' >".wisp/sessions/$1/session.json"
	cp "$BATS_TEST_TMPDIR/list/tasks.json" ".wisp/sessions/$1/"
}

@test "tasks: the session that is meant is found" {
	cd "$BATS_TEST_TMPDIR"
	run -100 --separate-stderr wisp-tasks count
	assert_contains "$stderr" 'not in a git repository'
	make_repo project
	cd project
	run -100 --separate-stderr wisp-tasks count
	assert_contains "$stderr" 'no session here'
	make_session feature/a
	run -0 wisp-tasks count
	make_session b
	run -100 --separate-stderr wisp-tasks count
	assert_contains "$stderr" "which session? There is b, feature/a (-C DIR names a session's folder)"
	git worktree add -q -b feature/a .wisp/worktrees/feature/a
	mkdir .wisp/worktrees/feature/a/src
	cd .wisp/worktrees/feature/a/src
	wisp-tasks pass a
	cd "$BATS_TEST_TMPDIR/project"
	git checkout -q -b b
	run -0 wisp-tasks count
	assert_output $'passed=1\ntotal=2'
	WISP_SESSION_DIR=$PWD/.wisp/sessions/feature/a run -0 wisp-tasks count
	assert_output $'passed=2\ntotal=2'
}

@test "tasks: a session is locked at home, another folder in itself" {
	wisp-tasks -C . pass a
	[[ -e .lock ]]
	make_repo "$BATS_TEST_TMPDIR/project"
	cd "$BATS_TEST_TMPDIR/project"
	make_session b
	wisp-tasks pass a
	assert_equal 'session.json tasks.json' "$(cd .wisp/sessions/b && echo .[!.]* * | sed 's/^[^a-z]* //')"
	[[ -e $(echo "$WISP_HOME"/project-*/b/.write) ]]
}

@test "tasks: nothing is changed from inside a step, but all may be asked" {
	local args

	cp tasks.json before
	export WISP_SESSION_DIR=$PWD WISP_ITERATION=3
	for args in 'pass a' 'open 2' 'add --category docs x'; do
		# shellcheck disable=SC2086 # words
		run -100 --separate-stderr wisp-tasks $args
		assert_stderr 'wisp-tasks: changing tasks is not possible from inside a step'
	done
	cmp tasks.json before
	run -0 wisp-tasks next
	run -0 wisp-tasks check
	mkdir ../other
	cp tasks.json ../other
	run -0 wisp-tasks -C ../other pass a
	WISP_ITERATION='' run -0 wisp-tasks pass a
}

@test "tasks: whoever changes the list waits for its lock" {
	local i

	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
		wisp-tasks -C . add --category test "Task $i" >"$TMPDIR/number.$i" &
	done
	wait
	run -0 wisp-tasks -C . count
	assert_output $'passed=1\ntotal=14'
	assert_equal 12 "$(sort -u "$TMPDIR"/number.* | wc -l | tr -d ' ')"
}

@test "tasks: the mode of the file stays, and no temporary is left" {
	chmod 640 tasks.json
	wisp-tasks -C . pass a
	[[ $(ls -l tasks.json) == -rw-r-----* ]]
	assert_equal '.lock tasks.json' "$(echo .l* .*wisp* * | sed 's/ \.\*wisp\*//')"
}

@test "tasks: what nothing changes is not written" {
	ln tasks.json same
	wisp-tasks -C . open a
	[[ tasks.json -ef same ]]
	wisp-tasks -C . pass a
	[[ ! tasks.json -ef same ]]
}

@test "tasks: what cannot be printed is 111" {
	run -111 --separate-stderr bash -c 'wisp-tasks -C . list >&-'
	assert_stderr 'wisp-tasks: cannot write to standard output: Bad file descriptor'
}

@test "tasks: a list that is no file is bad data, and is not waited for" {
	rm tasks.json
	mkfifo tasks.json
	run -102 --separate-stderr wisp-tasks -C . count
	assert_contains "$stderr" 'tasks.json: cannot read: not a regular file'
}
