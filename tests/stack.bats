#!/usr/bin/env bats
# A stack of 64 KiB, as a container or a supervisor may set it.

load helper
load helper-scenario
load e2e/helper-e2e

# small COMMAND...: becomes it with such a stack.
small()
{
	ulimit -s 64
	exec "$@"
}

@test "stack: a small one is enough for a run, and to look at it" {
	project
	scenario_step 1 --effects 'echo x >file' --commit file --pass 1 --status DONE --promise
	scenario_tasks 1 >tasks.json
	expect 0 small wisp run "$BRANCH" --agent replay --tasks tasks.json
	passes 1
	expect 0 small wisp-state -C "$DIR" check
	expect 0 small wisp log "$BRANCH"
	expect 0 small wisp status "$BRANCH"
}

@test "stack: a small one is enough to read each stream" {
	local format

	for format in claude codex copilot gemini opencode; do
		echo '{"type": "result", "message": "x"}' >stream
		run small wisp-agent parse --format "$format" stream
		((status < 128)) || fail "$format: $status"
	done
}
