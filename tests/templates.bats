#!/usr/bin/env bats
# The prompts that ship: what they show holds, and an agent that follows them,
# and nothing else, completes a run.

load helper
load helper-scenario

# example FILE: the first indented block of a prompt
example()
{
	local line seen=''

	while IFS= read -r line; do
		if [[ $line == '    '* ]]; then
			seen=yes
			printf '%s\n' "${line#    }"
		elif [[ -n $seen ]]; then
			return
		fi
	done <"$ROOT/templates/default/$1"
}

@test "the state file in the system prompt is valid" {
	example system.md >state.json
	run -0 wisp-state check state.json
	assert_equal CONTINUE "$(wisp-state get -f ./state.json .status)"
}

@test "the task list in create-tasks.md is valid" {
	example create-tasks.md >tasks.json
	run -0 wisp-tasks -C . check
	run -0 wisp-tasks -C . count
	assert_contains "$output" total=1
}

@test "the promise stands in the system prompt alone, and on no line of its own" {
	run -0 grep -rlF '<promise>' "$ROOT/templates/default"
	assert_output "$ROOT/templates/default/system.md"
	run -1 grep -E '^[[:space:]`]*<promise>COMPLETE</promise>[[:space:]`]*$' "$ROOT/templates/default/system.md"
}

@test "every prompt names the four words it may end with as the state file takes them" {
	for word in CONTINUE DONE NEEDS_INPUT BLOCKED; do
		printf '{"status": "%s", "summary": "s", "question": "q", "error": "e"}' "$word" >state.json
		run -0 wisp-state check state.json
		grep -qF "\`$word\`" "$ROOT/templates/default/system.md" || fail "$word is not in system.md"
	done
}

@test "an agent that follows only its prompts completes a run" {
	make_repo project
	cd project
	cat >../tasks.json <<'END'
[
  {"category": "setup", "description": "one", "steps": ["mkdir a", "echo 1 >a/one"],
   "passes": false},
  {"category": "feature", "description": "two", "steps": ["echo 2 >a/two"],
   "passes": false},
  {"category": "docs", "description": "three", "steps": ["cat a/one a/two >three"],
   "passes": false}
]
END
	wisp init
	wisp config verify.command 'test ! -e three || test "$(cat three)" = "1
2"'
	run -0 wisp run --foreground --agent "$ROOT/tests/stubs/obedient" --tasks ../tasks.json --branch work </dev/null
	assert_equal "Task 3
Task 2
Task 1" "$(git log --format=%s main..work)"
	assert_equal completed "$(wisp-state -C .wisp/sessions/work get -f session .status)"
	assert_equal 3 "$(wisp-state -C .wisp/sessions/work get -f session .loop_count)"
}

@test "an agent that follows create-tasks.md makes a plan" {
	make_repo project
	cd project
	echo 'Add a login.' >spec.md
	git add spec.md
	git commit -q -m 'Say what is wanted'
	wisp init
	run -0 wisp plan spec.md --agent "$ROOT/tests/stubs/obedient" --branch work </dev/null
	run -0 wisp-tasks -C .wisp/sessions/work next
	assert_contains "$output" 'Add a login form'
}
