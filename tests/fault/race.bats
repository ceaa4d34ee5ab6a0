#!/usr/bin/env bats
# Some rounds of tests/reliability: several starters of one session, of each kind.

load ../helper

@test "race: of several starters of a session one does the work, all others end with 17" {
	"$ROOT/tests/reliability/run" --seed 1 --rounds 1 --starters '2 4' race \
		--only run --only plan-tasks --only plan --only init --only orchestrate --only graduate
}

@test "race: run against plan, graduate and an agent of an orchestration" {
	"$ROOT/tests/reliability/run" --seed 2 --rounds 1 --starters 2 race \
		--only run+plan --only run+graduate --only sub+run
}
