#!/usr/bin/env bats
# Some rounds of tests/reliability: the power fails, and what was not synced is lost.

load ../helper

@test "power: a session goes on after a power cut" {
	"$ROOT/tests/reliability/run" --seed 1 --rounds 6 power
}
