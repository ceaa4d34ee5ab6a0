#!/usr/bin/env bats
# Some rounds of tests/reliability: steps that want to outlive their end.

load ../helper

@test "hostile: no process of a step outlives it, in a sandbox or in none" {
	"$ROOT/tests/reliability/run" --seed 1 --rounds 24 hostile
}
