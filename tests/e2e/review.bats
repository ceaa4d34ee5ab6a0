#!/usr/bin/env bats
# A review becomes tasks, once a person says yes.

load ../helper
load ../helper-scenario
load helper-e2e

setup()
{
	project
	place greet
	scenario_tasks 2 >ready.json
	printf 'It should say goodbye, too.\n' >review.txt
}

# The session is done, or with `--once` under way.
done_so_far()
{
	scenario_step 1 --pass '1 2' --status DONE --promise
	expect 0 wisp run greet --agent replay --tasks ready.json
}

under_way()
{
	scenario_step 1 --pass 1 --status CONTINUE
	expect 15 wisp run greet --agent replay --tasks ready.json --once
}

# reviewed [first] [second] [more]: two tasks, of which those pass, and one that a review adds.
reviewed()
{
	local word list=()

	for word in first second more; do
		[[ " $* " == *" $word "* ]] && list+=(true) || list+=(false)
	done
	printf '[{"id": "t1", "category": "feature", "description": "task 1", "steps": [], "passes": %s},\n' "${list[0]}"
	printf ' {"id": "t2", "category": "feature", "description": "task 2", "steps": [], "passes": %s}' "${list[1]}"
	[[ ${list[2]} == false ]] ||
		printf ',\n {"category": "feature", "description": "say goodbye", "steps": [], "passes": false}'
	printf ']\n'
}

# stub NAME SCRIPT: a program of that name in front of all others.
stub()
{
	mkdir -p "$BATS_TEST_TMPDIR/bin"
	printf '#!/bin/sh\n%s\n' "$2" >"$BATS_TEST_TMPDIR/bin/$1"
	chmod +x "$BATS_TEST_TMPDIR/bin/$1"
	[[ $PATH == "$BATS_TEST_TMPDIR/bin":* ]] || PATH=$BATS_TEST_TMPDIR/bin:$PATH
}

@test "review: a completed session goes on as another one, with the tasks that came of it" {
	done_so_far
	# Its DONE is about the list, though every task of the old one passes.
	scenario_step 2 --tasks "$(reviewed first second more)" --status DONE --promise
	scenario_step 3 --pass 3 --status DONE --promise
	expect 0 wisp review review.txt greet --yes --no-run
	assert_contains "$output" $'added: 1\n    3  say goodbye'
	session .status paused
	expect 0 wisp run greet
	assert_contains "$(prompt 0001.2)" 'Somebody has reviewed the work.'
	assert_contains "$(prompt 0001.2)" '    It should say goodbye, too.'
	assert_lacks "$(prompt 0002)" 'goodbye, too'
	session .loop_count 2
	passes 1 2 3
}

@test "review: from standard input; a task is opened; without a terminal and --yes nothing is paid" {
	under_way
	scenario_step 2 --tasks "$(reviewed)" --status CONTINUE
	run wisp review - greet <review.txt
	assert_equal 10 "$status"
	passes 1
	calls 1
	scenario_step 3 --pass '1 2' --status DONE --promise
	again 0 --yes
	assert_contains "$output" $'reopened: 1\n    1  task 1'
	calls 3
	passes 1 2
}

@test "review: what does more than add and open is refused, and told" {
	under_way
	scenario_step 2 --tasks "$(reviewed first | sed 's/task 2/task two/')" --status CONTINUE
	scenario_step 3 --tasks "$(reviewed first second)" --status CONTINUE
	expect 16 wisp review review.txt greet --yes
	assert_contains "$(prompt 0003)" 'a review adds tasks at the end'
	assert_contains "$output" 'passes now'
	passes 1
}

@test "review: praise alone changes nothing, and nobody is asked" {
	under_way
	scenario_step 2 --status CONTINUE
	expect 0 wisp review review.txt greet --yes --no-run
	assert_contains "$output" 'the tasks stay as they are'
	passes 1
}

@test "review: an empty one, one that is no text, or none is refused" {
	under_way
	: >empty
	expect 102 wisp review empty greet
	expect 102 wisp review - greet
	printf 'a\0b\n' >binary
	expect 102 wisp review binary greet
	expect 102 wisp review gone greet
	expect 100 wisp review
	calls 1
}

@test "review: the comments of the branch's pull request, by gh" {
	under_way
	# shellcheck disable=SC2016
	stub gh 'printf "%s\n" "$*" >>"$HOME/gh.log"
	case "$1 $2 $*" in
	"pr view "*"--json number"*) echo 12 ;;
	"pr view "*) printf "ann said:\nIt should say goodbye, too.\n" ;;
	"api "*) printf "bob said at a.c:3:\nrename this\n" ;;
	esac'
	scenario_step 2 --tasks "$(reviewed first more)" --status CONTINUE
	expect 0 wisp review --pr greet --yes --no-run
	assert_contains "$(prompt 0002)" '    It should say goodbye, too.'
	assert_contains "$(prompt 0002)" '    bob said at a.c:3:'
	assert_contains "$(<"$HOME/gh.log")" 'pr view greet --json number'
	assert_contains "$(<"$HOME/gh.log")" 'api --paginate repos/{owner}/{repo}/pulls/12/comments'
	scenario_step 3 --status CONTINUE
	expect 0 wisp review --pr 7 --yes --no-run
	assert_contains "$(<"$HOME/gh.log")" 'pr view 7 --json number'
}

@test "review: glab where gh knows no such request; what both said where none does" {
	under_way
	stub gh 'echo "no pull requests found" >&2; exit 1'
	stub glab 'echo "carl commented: say goodbye"'
	scenario_step 2 --tasks "$(reviewed first more)" --status CONTINUE
	expect 0 wisp review --pr --yes --no-run
	assert_contains "$(prompt 0002)" '    carl commented: say goodbye'
	stub glab 'echo "not a GitLab project" >&2; exit 1'
	expect 111 wisp review --pr
	assert_contains "$output" 'gh: no pull requests found; glab: not a GitLab project'
	stub glab 'exit 0'
	expect 102 wisp review --pr
	rm "$BATS_TEST_TMPDIR/bin/gh" "$BATS_TEST_TMPDIR/bin/glab"
	expect 100 wisp review --pr
	assert_contains "$output" 'needs gh or glab'
	calls 2
}

@test "review: tasks that were verified before stay so; a step that only commits is verified, and that is said" {
	OPTIONS=(-c verify.command='! grep -q bad code')
	scenario_step 1 --effects 'echo good >code' --pass '1 2' --commit 'Add code' --status DONE --promise
	expect 0 wisp "${OPTIONS[@]}" run greet --agent replay --tasks ready.json
	scenario_step 2 --effects 'echo better >code' --commit 'Better code' --status CONTINUE
	expect 0 wisp "${OPTIONS[@]}" review review.txt greet --yes
	assert_contains "$output" 'wisp: verifying'
	assert_contains "$output" '2 of 2 pass, 2 of them verified'
	session .status completed
	scenario_step 3 --effects 'echo bad >code' --commit 'Bad code' --status CONTINUE
	scenario_step 4 --effects 'echo good >code' --commit 'Mend it' --status DONE --promise
	expect 0 wisp "${OPTIONS[@]}" review review.txt greet --yes
	calls 4
	assert_contains "$(prompt 0002)" 'the verify command fails on the work tree as it is'
}
