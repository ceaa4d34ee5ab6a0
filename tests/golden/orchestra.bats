#!/usr/bin/env bats
# What golden.bats does, of an orchestration: it waits for a gate, then its agents work.

load ../helper
load ../helper-scenario
load ../e2e/helper-e2e
load ../e2e/helper-orchestra
load helper-golden

@test "golden: an orchestration" {
	unconfined
	begin_golden
	finds one
	finishes one
	wisp config gates.required plan-review
	show wisp orchestrate "$BATS_TEST_TMPDIR/shop.md" --agent replay --dry-run
	show wisp orchestrate "$BATS_TEST_TMPDIR/shop.md" --agent replay --foreground --mode brownfield-polish
	asks
	show wisp reject gate-002 --feedback 'no such gate'
	show wisp approve gate-001 --feedback 'fine'
	show wisp approve gate-001
	show wisp gate list --all
	expect 0 wisp orchestrate --resume --foreground --branch "$B" --yes
	both wisp status "$B"
	show wisp status "$B-one"
	show wisp list
	show wisp watch --once
	show wisp-gate -C "$DIR" list --all --json
	show cat "$DIR/loop-state.json"
	same orchestration
}
