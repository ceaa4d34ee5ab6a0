# wisp bisect: which iteration broke it, by the checkpoints.

load helper
load helper-session
load helper-scenario

setup()
{
	make_repo project
	cd project || return 1
	scenario_new
	broken_at 4
}

teardown()
{
	session_drop
	helper_teardown
}

# broken_at N: six iterations, each of which adds a line to `log`; the N-th one makes `state` bad.
broken_at()
{
	local i end=(--status CONTINUE)

	for i in 1 2 3 4 5 6; do
		((i < 6)) || end=(--status DONE --promise)
		scenario_step "$i" --pass "$(seq -s ' ' "$i")" --effects "echo $i >>log; (($i < $1)) || echo bad >state" "${end[@]}"
	done
}

finished()
{
	session_run feature/x 6
	assert_equal 0 "$status"
}

untouched()
{
	git for-each-ref >"$BATS_TEST_TMPDIR/refs.after"
	git worktree list >"$BATS_TEST_TMPDIR/trees.after"
	diff "$BATS_TEST_TMPDIR/refs" "$BATS_TEST_TMPDIR/refs.after"
	diff "$BATS_TEST_TMPDIR/trees" "$BATS_TEST_TMPDIR/trees.after"
	assert_equal '' "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'wisp.*' -newer "$BATS_TEST_TMPDIR/refs")"
}

note()
{
	git for-each-ref >"$BATS_TEST_TMPDIR/refs"
	git worktree list >"$BATS_TEST_TMPDIR/trees"
}

@test "bisect: the iteration, its prompt and what it changed; nothing is touched" {
	finished
	note
	run -0 --separate-stderr wisp bisect -- sh -c '! test -e state'
	assert_contains "$output" 'feature/x: iteration 4 broke it'
	assert_contains "$output" 'after iteration 3'
	assert_contains "$output" '--- the prompt of iteration 4'
	assert_contains "$output" '+++ b/state'
	untouched
	# By halves: both ends, and two between; what fails is asked twice.
	assert_equal 4 "$(grep -c 'wisp: after iteration' <<<"$output")"
	run -0 --separate-stderr wisp bisect --json -- test ! -e state
	assert_equal '[4,3,1,[]]' "$("$JQ" -c '[.iteration, .held, .exit_code, .passed_over]' <<<"$output")"
}

@test "bisect: verify.command where no command is given, --from and --to" {
	finished
	wisp config verify.command '! grep -q 3 log'
	run -0 wisp bisect feature/x
	assert_contains "$output" 'iteration 3 broke it'
	run -1 wisp bisect --from 3
	assert_contains "$output" 'it fails after iteration 3 already'
	run -1 wisp bisect --to 2
	assert_contains "$output" 'it holds after iteration 2: nothing broke it'
}

@test "bisect: 125 passes over; what cannot be told apart is a range" {
	finished
	# shellcheck disable=SC2016 # the command's own
	run -0 wisp bisect -- sh -c 'case $(wc -l <log) in 3 | 4) exit 125 ;; esac; test ! -e state'
	assert_contains "$output" 'one of the iterations 3 to 5 broke it'
	assert_contains "$output" 'since nothing can be said of them: 3 4'
	run -1 wisp bisect -- sh -c 'exit 125'
	assert_contains "$output" 'nothing can be said of any iteration'
	run -1 wisp bisect -- sh -c 'kill -9 $$'
	assert_contains "$output" 'nothing can be said of any iteration'
}

@test "bisect: a flaky answer is asked a second and a third time" {
	finished
	mkdir "$BATS_TEST_TMPDIR/seen"
	# shellcheck disable=SC2016 # the command's own
	run -0 wisp -c sandbox=off bisect -- sh -c 'test ! -e state || exit 3
		test "$(wc -l <log)" != 3 || ! mkdir "$0"' "$BATS_TEST_TMPDIR/seen/once"
	assert_contains "$output" 'it failed (1), and did not the second time: once more'
	assert_contains "$output" 'iteration 4 broke it'
}

@test "bisect: checkpoints that are gone are named, and where none is left it is 100" {
	finished
	git update-ref -d refs/wisp/checkpoints/feature/x/0000
	git update-ref -d refs/wisp/checkpoints/feature/x/0001
	run -0 wisp bisect -- test ! -e state
	assert_contains "$output" 'the checkpoints before iteration 2 are gone'
	assert_contains "$output" 'iteration 4 broke it'
	run -100 wisp bisect --from 7 -- true
	assert_contains "$output" 'no checkpoint of these iterations of feature/x is left'
	run -100 wisp bisect --from 6 -- true
	assert_contains "$output" 'one checkpoint alone is left'
	run -100 wisp bisect --from x -- true
	assert_contains "$output" "--from: 'x' is no number of an iteration"
	run -100 wisp bisect
	assert_contains "$output" 'no verify.command is set'
}

@test "bisect: a step may not, and a live loop keeps the session" {
	finished
	exec 9>>"$(wisp-session find feature/x | sed -n 's/^home=//p')/lock"
	flock 9
	run -17 wisp bisect -- true
	exec 9>&-
}

@test "bisect: told to end, it leaves nothing" {
	local code=0

	finished
	note
	wisp -c sandbox=off bisect -- sh -c ": >'$BATS_TEST_TMPDIR/runs'; sleep 1000" >"$BATS_TEST_TMPDIR/log" 2>&1 3>&- &
	wait_until 20 test -e "$BATS_TEST_TMPDIR/runs"
	kill -TERM $!
	wait $! || code=$?
	assert_equal 143 "$code"
	untouched
}
