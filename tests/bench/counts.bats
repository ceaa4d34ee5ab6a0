#!/usr/bin/env bats
# The part of `make bench` that does not depend on speed: programs, forks, readings and writings
# of the record are at most what they were (tests/bench/counts.bash has the figures).

load ../helper

@test "bench: programs, forks and the record's reads and writes of an iteration are within their ceilings" {
	[[ $WISP_BUILD != */asan ]] || skip 'LeakSanitizer does not work where another traces'
	strace -f -o /dev/null true 2>/dev/null || skip 'strace is not here, or may not trace'
	run "$ROOT/tests/bench/run" counts
	[[ $status == 0 ]] || fail "$output"
	assert_contains "$output" 'programs, one whose work wisp commits'
}
