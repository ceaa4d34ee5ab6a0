#!/usr/bin/env bats
# Tests one by one: what verify says of each, what is lost, what is flaky, who is told.

load ../helper
load ../helper-scenario
load helper-e2e

setup()
{
	project
	# What the agent calls its tests is in the file `suite`, a word each; `!` before one that fails, `%` one that is skipped.
	cat >"$BATS_TEST_TMPDIR/tap" <<'TAP'
#!/usr/bin/env bash
read -r -a words <suite
failed=0
echo "1..${#words[@]}"
for w in ${words[@]+"${words[@]}"}; do
	case $w in
	!*) echo "not ok - ${w#!}"; failed=1 ;;
	%*) echo "ok - ${w#%} # SKIP" ;;
	*) echo "ok - $w" ;;
	esac
done
exit "$failed"
TAP
	chmod +x "$BATS_TEST_TMPDIR/tap"
	OPTIONS=(-c verify.command="$BATS_TEST_TMPDIR/tap")
}

# marks: each test with its row.
marks()
{
	wisp-session -C "$DIR" tests --json >"$BATS_TEST_TMPDIR/marks.json"
	wisp-state query -f "$BATS_TEST_TMPDIR/marks.json" '[.tests[] | .marks + " " + .name] | join("\n")'
}

@test "tests: a test that is gone is named in the next prompt, in status and report; DONE is accepted" {
	scenario_step 1 --effects 'echo a b c >suite' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'echo a >suite' --pass 2 --status CONTINUE
	scenario_step 3 --status DONE --promise
	work 0 2
	assert_equal $'passed a\npassed b\npassed c' "$(sed 's/ .*\t\t/ /; s/\t.*//' "$DIR/steps/0001/tests")"
	assert_contains "$(prompt 0003)" 'Tests that passed before are gone or skipped'
	assert_contains "$(prompt 0003)" '- b'
	entry 1 .verify passed
	entry 1 .tests.lost 2
	assert_contains "$output" 'wisp: [2] tests that passed before are lost: 2 (b, c)'
	assert_contains "$output" '  tests     lost 2 (b, c) (wisp tests)'
	run -0 wisp status
	assert_contains "$output" '  tests     lost 2 (b, c) (wisp tests)'
	assert_equal $'... a\n.-- b\n.-- c' "$(marks)"
	run -0 wisp tests --lost
	assert_equal $'iterations 1 to 3, of which 3 had tests: . passed, F failed, s skipped, ~ flaky, - absent\n.--  b  (lost since 2)\n.--  c  (lost since 2)' "$output"
	wisp tests --json >"$BATS_TEST_TMPDIR/tests.json"
	assert_equal '[1,2,3] [] 2' "$(wisp-state query -f "$BATS_TEST_TMPDIR/tests.json" '(.iterations | tojson) + " " + (.removed | tojson) + " " + (.tests[1].lost_since | tostring)')"
	run -1 wisp tests --failing
	assert_equal 'wisp tests: there is no such test' "$output"
}

@test "tests: with verify.lost = fail the claims go back, DONE is refused, and a reason is accepted" {
	OPTIONS+=(-c verify.lost=fail)
	scenario_step 1 --effects 'echo a b c >suite' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'echo a b >suite' --pass 2 --status DONE --promise
	scenario_step 3 --pass 2 --promise \
		--state '{"status": "DONE", "summary": "s", "tests_removed": [{"test": "c", "reason": "the feature is gone"}]}'
	work 0 2
	entry 1 .verify failed
	entry 1 .refused 'lost tests'
	entry 1 .tasks_passed 1
	entry 1 .error 'test that passed before is lost: 1 (c)'
	assert_contains "$(prompt 0003)" 'The project'\''s check passed, but tests that passed before are gone'
	assert_contains "$(prompt 0003)" 'DONE was refused: tests that passed before are gone'
	assert_lacks "$(prompt 0003)" 'The check printed'
	entry 2 .verify passed
	assert_contains "$output" 'removed   c: the feature is gone'
	run -0 wisp status
	assert_contains "$output" 'removed   c: the feature is gone'
}

@test "tests: the reason for a subtest, which its name alone tells, is kept" {
	OPTIONS=(-c verify.command='cat suite')
	scenario_step 1 --effects 'printf "1..1\n        ok - a\n        ok - a\n    ok - m\nok - f\n" >suite' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'printf "1..1\n        ok - a\n    ok - m\nok - f\n" >suite' --pass 2 --promise \
		--state '{"status": "DONE", "summary": "s", "tests_removed": [{"test": "a", "reason": "twice the same"}]}'
	work 0 2
	assert_contains "$output" 'removed   f > m > a (2): twice the same'
}

@test "tests: of a torn report nothing is concluded, nor of what another command said" {
	OPTIONS=(-c verify.command='cat suite; ! test -e torn || cp torn report.xml' -c verify.command='cat other' -c verify.report=report.xml)
	scenario_step 1 --effects 'printf "1..1\nok - a\n" >suite; printf "1..1\nok - b\n" >other' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'echo none >suite; echo "<testsuite>" >torn; echo TAP version 13 >other' --pass 2 --status DONE --promise
	work 0 2
	assert_equal $'.? a\n.- b' "$(marks)"
}

@test "tests: all of them gone, or one of a protected file, fails whatever verify.lost says" {
	scenario_step 1 --effects 'echo a b >suite' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'echo >suite' --pass 2 --status DONE --promise
	scenario_step 3 --effects 'echo a b >suite' --pass 2 --status DONE --promise
	work 0 2
	entry 1 .refused 'lost tests'
	entry 2 .verify passed
}

@test "tests: what fails, and passes as it runs once more, is flaky: told as a fault the third time" {
	OPTIONS=(-c verify.command='echo 1..1; if test -e ../once; then rm ../once; echo ok - a; else touch ../once; echo not ok - a; exit 1; fi')
	scenario_step 1 --pass 1 --status CONTINUE
	scenario_step 2 --status DONE --promise
	scenario_step 3 --status DONE --promise
	scenario_step 4 --pass 2 --status DONE --promise
	work 0 2
	assert_contains "$output" 'wisp: verify failed (1 test): running it once more'
	entry 0 .verify passed
	entry 0 .tests.flaky 1
	assert_lacks "$(prompt 0003)" 'Tests that pass only sometimes'
	assert_contains "$(prompt 0004)" 'Tests that pass only sometimes'
	assert_equal '~~~~ a' "$(marks)"
	run -0 wisp status
	assert_contains "$output" 'flaky 1 (a)'
}

@test "tests: a verify that fails twice has failed, and one without tests runs once" {
	OPTIONS=(-c verify.command='echo >>../ran; echo 1..1; test -e file && echo ok - a || { echo not ok - a; false; }')
	scenario_step 1 --pass 1 --status CONTINUE
	scenario_step 2 --effects 'touch file' --pass '1 2' --status DONE --promise
	work 0 2
	entry 0 .verify failed
	entry 0 .tests.flaky 0
	assert_equal 3 "$(wc -l <"$PROJECT/.wisp/worktrees/ran" | tr -d ' ')"
	assert_equal 'F. a' "$(marks)"
}

@test "tests: reports that verify writes count, and none that lay there, or is no file of the work tree" {
	OPTIONS=(-c verify.report='reports/**/*.xml' -c verify.command='mkdir -p reports/deep; cp now reports/deep/a.xml; mkfifo reports/pipe.xml; ln -s ../old reports/link.xml')
	scenario_step 1 --effects 'mkdir reports; echo "<testsuite><testcase name=\"planted\"/></testsuite>" >reports/old.xml; touch -d 2099-01-01 reports/old.xml; echo "<testsuite><testcase name=\"linked\"/></testsuite>" >old; echo "<testsuite name=\"s\"><testcase name=\"a\" file=\"t.py\"/></testsuite>" >now' --pass 1 --status DONE --promise
	work 0 1
	assert_equal '. a' "$(marks)"
	assert_contains "$(<"$DIR/steps/0001/tests")" $'s\ta\tt.py'
}

# --- real runners: a suite with one test that passes, one that fails, one that is skipped ---

# runner PROGRAM COMMAND REPORT: what that verify command says, by name.
runner()
{
	command -v "$1" >/dev/null || skip "no $1 here"
	OPTIONS=(-c verify.command="$2" ${3:+-c verify.report="$3"})
	scenario_step 1 --effects 'cp -R ../../../suite/. .' --pass 1 --status CONTINUE
	scenario_step 2 --state '{"status": "BLOCKED", "summary": "s", "error": "enough"}'
	work 11 1
	wisp tests --json >"$BATS_TEST_TMPDIR/said.json"
	assert_equal 'fails failed, passes passed, waits skipped' \
		"$(wisp-state query -f "$BATS_TEST_TMPDIR/said.json" '[.tests[] | (.name | ascii_downcase | sub("^test_?"; "")) + " " + .last] | sort | join(", ")')"
}

bats_suite()
{
	mkdir suite
	printf '#!/usr/bin/env bats\n@test "passes" { true; }\n@test "fails" { false; }\n@test "waits" { skip later; }\n' >suite/a.bats
}

@test "tests: of bats, as TAP" {
	bats_suite
	runner bats 'env -i PATH="$PATH" HOME="$HOME" bats --tap a.bats' ''
}

@test "tests: of bats, as a report" {
	bats_suite
	runner bats 'env -i PATH="$PATH" HOME="$HOME" bats --report-formatter junit -o . a.bats' report.xml
}

node_suite()
{
	mkdir suite
	echo 'const {describe, it} = require("node:test"); describe("s", () => { it("passes", () => {}); it("fails", () => { throw new Error("x"); }); it.skip("waits", () => {}); });' >suite/a.test.js
}

@test "tests: of node, as TAP" {
	node_suite
	runner node 'node --test --test-reporter=tap' ''
}

@test "tests: of node, as JUnit XML" {
	node_suite
	runner node 'node --test --test-reporter=junit --test-reporter-destination=out.xml' out.xml
}

@test "tests: of pytest" {
	mkdir suite
	printf 'import pytest\ndef test_passes(): pass\ndef test_fails(): assert False\n@pytest.mark.skip\ndef test_waits(): pass\n' >suite/test_a.py
	runner pytest 'pytest -q --junitxml=out.xml' out.xml
}

@test "tests: of ctest" {
	mkdir suite
	printf 'add_test(passes true)\nadd_test(fails false)\nadd_test(waits sh -c "exit 77")\nset_tests_properties(waits PROPERTIES SKIP_RETURN_CODE 77)\n' >suite/CTestTestfile.cmake
	runner ctest 'ctest --output-junit out.xml' out.xml
}

@test "tests: of go" {
	mkdir suite
	printf 'module m\n' >suite/go.mod
	printf 'package m\nimport "testing"\nfunc TestPasses(t *testing.T) {}\nfunc TestFails(t *testing.T) { t.Fail() }\nfunc TestWaits(t *testing.T) { t.Skip() }\n' >suite/a_test.go
	runner go 'go test -json ./...' ''
}
