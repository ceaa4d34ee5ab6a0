#!/usr/bin/env bats
# Some rounds of tests/reliability: a start, and `wisp init`, killed at one of its calls and repeated.

load ../helper

start() # <stride> <kind>...
{
	local args=(--seed 1 --stride "$1")
	shift

	while (($#)); do
		args+=(--only "$1")
		shift
	done
	"$ROOT/tests/reliability/run" "${args[@]}" start
}

@test "start: wisp run is killed at a call, and repeated" {
	start 53 run
}

@test "start: wisp plan and hook graduate are killed at a call, and repeated" {
	start 113 plan-tasks graduate
}

@test "start: wisp init is killed at a call, and repeated" {
	start 97 init
}
