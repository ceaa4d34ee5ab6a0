#!/usr/bin/env bats
# What the controller counts itself: verify's own tests, verify.metrics, and
# verify.protect; and what it says where that is not what was claimed.

load ../helper
load ../helper-scenario
load helper-e2e

setup()
{
	project
}

# claim STATUS RUN PASSED [MEMBERS]: a state.json that claims tests.
claim()
{
	printf '{"status": "%s", "summary": "s", "tests_run": %s, "tests_passed": %s%s}' "$1" "$2" "$3" "${4-}"
}

# listed I MEMBER WORDS: the list that the history has there.
listed()
{
	assert_equal "$3" "$(wisp-state -C "$DIR" query -f history ".[$1].$2 | join(\" \")")"
}

# unset_entry I MEMBER: the history says nothing of that kind.
unset_entry()
{
	run -1 wisp-state -C "$DIR" get -f history ".[$1].$2"
}

@test "observed: the tests that verify prints, against the claim: history, the loop, status, log, the next prompt" {
	# shellcheck disable=SC2016 # the shell that verifies expands it
	OPTIONS=(-c verify.command='printf "1..3\nok 1\nnot ok 2\nok 3 # skip\n"; test -e file')
	scenario_step 1 --pass 1 --state "$(claim CONTINUE 5 5)"
	scenario_step 2 --effects 'touch file' --pass 1 --state "$(claim CONTINUE 3 1)"
	work 15 2 --once
	entry 0 .observed.tests_total 2
	entry 0 .observed.tests_passing 1
	entry 0 .observed.tests_failing 1
	entry 0 .observed.tests_skipped 1
	listed 0 claimed_differs 'tests_run tests_passed'
	assert_contains "$output" 'verify failed, 1 of 2 tests pass, 1 skipped'
	assert_contains "$output" 'wisp: [1] observed differs from claimed: tests_run tests_passed'
	run -0 wisp status work
	assert_contains "$output" 'observed  1 of 2 tests pass, 1 skipped'
	assert_contains "$output" 'observed differs from claimed: tests_run tests_passed'
	run -0 wisp log -n 1 work
	assert_contains "$output" 'observed differs from claimed: tests_run tests_passed'
	again 15 --once
	assert_contains "$(prompt 0002)" 'What you claimed is not what was observed (iteration 1)'
	assert_contains "$(prompt 0002)" 'tests_run: claimed 5, observed 2'
	assert_contains "$(prompt 0002)" 'tests_passed: claimed 5, observed 1'
	# Whoever counts those that were skipped is right, too.
	entry 1 .observed.tests_total 2
	unset_entry 1 claimed_differs
	assert_lacks "$output" 'observed differs from claimed'
	run -0 wisp-state -C "$DIR" check history
}

@test "observed: a plan of no tests is no test that passes" {
	OPTIONS=(-c verify.command='echo 1..0')
	scenario_step 1 --pass 1 --status DONE --promise
	work 0 1
	entry 0 .observed.tests_total 0
	assert_contains "$output" 'verify passed, no test ran: '
}

@test "observed: JUnit XML on verify's output counts; prose never does" {
	OPTIONS=(-c verify.command='test -e file || echo "12 tests passed"; cat file 2>/dev/null || :')
	scenario_step 1 --pass 1 --state "$(claim CONTINUE 12 12)"
	scenario_step 2 --effects 'echo "<testsuite><testcase/><testcase><failure/></testcase></testsuite>" >file' \
		--pass 2 --state "$(claim DONE 2 2)" --promise
	work 0 2
	unset_entry 0 observed
	unset_entry 0 claimed_differs
	entry 1 .observed.tests_total 2
	listed 1 claimed_differs 'tests_passed'
}

@test "metrics: what verify.metrics prints wins over verify's tests; it runs like verify, its errors apart, and may fail" {
	unconfined
	# shellcheck disable=SC2016 # the shell that it runs in expands it
	OPTIONS=(-c verify.command='printf "1..1\nok 1\n"'
		-c verify.metrics='echo warning >&2; cat; pwd -P >../place; test ! -t 0 || exit; echo "{\"tests_total\": 7,"; echo more >&2; echo "\"coverage\": 81.5, \"new\": true}"; sleep 60 & echo $! >../pid; exit 1')
	scenario_step 1 --pass 1 --promise --state "$(claim DONE 7 2 ', "metrics": {"coverage": 95, "new": true, "other": 1}')"
	work 0 1
	entry 0 .observed.tests_total 7
	entry 0 .observed.tests_passing 1
	listed 0 claimed_differs 'tests_passed metrics.coverage'
	unset_entry 0 observed.coverage
	assert_equal "$(cd -P "$TREE" && pwd)" "$(<"$PROJECT/.wisp/worktrees/place")"
	gone "$(<"$PROJECT/.wisp/worktrees/pid")" || fail 'it outlived the command'
	assert_equal $'warning\nmore' "$(<"$DIR/steps/0001/metrics.log")"
}

@test "metrics: due when verify would be, with or without a command for that" {
	OPTIONS=(-c verify.metrics='echo >>../ran; echo "{\"n\": 1}"')
	scenario_step 1 --status CONTINUE
	scenario_step 2 --pass 1 --status CONTINUE
	scenario_step 3 --exit 1
	scenario_step 4 --status DONE --promise
	work 0 1
	assert_equal 2 "$(wc -l <"$PROJECT/.wisp/worktrees/ran" | tr -d ' ')"
	assert_contains "$output" unverified
	entry 1 .verify none
	unset_entry 1 observed
}

@test "metrics: output that is none is a note for people and the next prompt, and no failure" {
	OPTIONS=(-c verify.metrics='cat file; exit 3')
	scenario_step 1 --effects 'echo all is well >file' --pass 1 --status CONTINUE
	scenario_step 2 --effects "echo '{\"a\": NaN}' >file" --pass 2 --status CONTINUE
	scenario_step 3 --effects "echo '{\"tests_total\": -3, \"tests_passing\": \"2\", \"tests_failing\": 1.5, \"tests_skipped\": 4}' >file" --pass 3 --status CONTINUE
	scenario_step 4 --effects 'rm file' --pass 4 --status CONTINUE
	scenario_step 5 --effects "{ printf '{\"a\": \"'; head -c 70000 /dev/zero | tr '\\0' x; echo '\"}'; } >file" --pass 5 --status DONE --promise
	work 0 5
	assert_contains "$output" 'wisp: [1] verify.metrics: it printed neither a JSON object, nor TAP, nor JUnit XML (exit status 3)'
	assert_contains "$(prompt 0002)" 'Nothing was observed of some metrics (iteration 1)'
	assert_contains "$(prompt 0002)" 'it printed neither a JSON object'
	assert_contains "$output" 'wisp: [2] verify.metrics: standard output:1:7: NaN and Infinity are not JSON'
	assert_contains "$output" 'wisp: [3] verify.metrics: tests_total: expected a whole number from 0; verify.metrics: tests_passing: expected a whole number from 0; verify.metrics: tests_failing: expected a whole number from 0'
	assert_equal '{"tests_skipped":4}' "$(wisp-state -C "$DIR" query -f history '.[2].observed')"
	assert_contains "$output" 'wisp: [4] verify.metrics: it printed nothing (exit status 3: cat:'
	assert_contains "$output" 'wisp: [5] verify.metrics: the metrics that it printed are larger than 64 KiB'
	entry 4 .outcome ok
}

@test "metrics: a command that hangs or is killed gives none, and that is said" {
	# shellcheck disable=SC2016 # the shell that it runs in expands it
	OPTIONS=(-c verify.metrics='echo "{\"n\": 1}"; test -e fast && kill -KILL $$; sleep 60' -c verify.timeout=500ms -c step.grace=100ms)
	scenario_step 1 --pass 1 --status CONTINUE
	scenario_step 2 --effects 'touch fast' --pass 2 --status DONE --promise
	work 0 2
	assert_contains "$output" 'wisp: [1] verify.metrics: it gave none: '
	assert_contains "$output" 'wisp: [2] verify.metrics: it gave none: '
	assert_contains "$(prompt 0002)" 'it gave none'
}

@test "metrics: a template with phases asks for them after every valid state, and its gates see them" {
	mkdir -p .wisp/templates/mini
	echo 'Work.' >.wisp/templates/mini/work.md
	echo 'You work.' >.wisp/templates/mini/system.md
	echo '{"name": "mini", "phases": [{"name": "ONE", "weight": 100, "prompt": "work.md", "gate": ".metrics.tests_passing == 2"}]}' \
		>.wisp/templates/mini/loop.json
	OPTIONS=(-c verify.metrics='cat file')
	scenario_step 1 --effects 'printf "1..2\nok 1\nnot ok 2\n" >file' --state "$(claim DONE 2 2 ', "metrics": {"tests_passing": 2}')"
	scenario_step 2 --effects 'printf "1..2\nok 1\nok 2\n" >file' --state "$(claim DONE 2 2)"
	expect 0 wisp "${OPTIONS[@]}" run work --agent replay --template mini --trust
	entry 0 .observed.tests_passing 1
	listed 0 claimed_differs 'tests_passed metrics.tests_passing'
	entry 1 .observed.tests_passing 2
	calls 2
}

@test "protect: files that verify runs from are named in the history, by the loop, in status and in the next prompt, and stay" {
	mkdir tests
	echo true >tests/run
	git add tests
	git commit -q -m tests
	wisp config verify.protect 'tests/**'
	wisp config --add verify.protect '.ci/*'
	scenario_step 1 --effects 'mkdir a .ci; for i in $(seq 100); do echo >"a/$i"; done; echo >.ci/x; echo false >tests/run; echo >tests.c' \
		--commit 'much' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'echo >b' --pass 2 --status CONTINUE
	work 15 3 --once
	listed 0 protected '.ci/x tests/run'
	assert_contains "$output" 'wisp: [1] changed, though verify runs from it: .ci/x tests/run'
	run -0 wisp status work
	assert_contains "$output" 'protected changed: .ci/x tests/run'
	again 15 --once
	assert_contains "$(prompt 0002)" "Files that the project's check runs from were changed (iteration 1)"
	assert_contains "$(prompt 0002)" 'tests/run'
	in_tree tests/run false
	unset_entry 1 protected
	assert_lacks "$output" 'though verify runs from it'
	run -0 wisp-state -C "$DIR" check history
}
