#!/usr/bin/env bats
# From a spec to tasks, and what a repository may have executed.

load ../helper
load ../helper-scenario
load helper-e2e

OBEDIENT=$ROOT/tests/stubs/obedient

setup()
{
	project
	echo 'Make it greet.' >spec.md
	git add spec.md
	git commit -q -m spec
}

@test "plan: an agent that follows only the prompts plans, and run then completes" {
	expect 0 wisp plan spec.md --agent "$OBEDIENT"
	place wisp/spec
	assert_contains "$output" 'wisp run wisp/spec'
	session .pause_reason planned
	[[ -s $DIR/tasks.json ]]
	session .loop_count 1
	passes
	cat >"$DIR/tasks.json" <<-'END'
	[{"category": "feature", "description": "first", "steps": ["echo a >a"], "passes": false},
	 {"category": "feature", "description": "second", "steps": ["echo b >b"], "passes": false}]
	END
	expect 0 wisp run wisp/spec
	in_tree b b
	session .status completed
}

@test "identity: without one every start ends with 100, and nothing is made or called" {
	scenario_step 1 --tasks "$(scenario_tasks 1)" --status CONTINUE
	scenario_step 2 --effects 'echo x >x; git add x; git commit -q -m x' --pass 1 --status DONE --promise
	git config user.useConfigOnly true
	for name in AUTHOR COMMITTER; do
		run env -u "GIT_${name}_NAME" wisp plan spec.md --agent replay
		assert_equal 100 "$status"
	done
	unset GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
	for command in 'plan spec.md' 'run --spec spec.md' 'orchestrate spec.md --yes'; do
		# shellcheck disable=SC2086 # several words are meant
		expect 100 wisp $command --agent replay
		assert_contains "$output" 'git config user.name NAME, git config user.email ADDRESS'
	done
	assert_equal main "$(git for-each-ref --format='%(refname:short)')"
	[[ ! -e .wisp/worktrees ]]
	git config user.name N
	git config user.email a@example.org
	place wisp/spec
	expect 0 wisp plan spec.md --agent replay
	git config --unset user.email
	again 100
	calls 1
	git config user.email a@example.org
	again 0
	assert_equal N "$(git log -1 --format=%an wisp/spec)"
}

@test "plan: run --spec plans first and goes on" {
	scenario_step 1 --tasks "$(scenario_tasks 1)" --status CONTINUE
	scenario_step 2 --effects 'echo x >x' --pass 1 --status DONE --promise
	place greet
	expect 0 wisp run greet --agent replay --spec spec.md
	calls 2
	assert_contains "$(prompt 0001)" 'spec.md'
	passes 1
	in_tree x x
}

@test "plan: a list that does not hold is a failed step, told with its place; twice is 16, and it can go on" {
	scenario_step 1 --tasks '{"tasks": []}' --status CONTINUE
	scenario_step 2 --tasks '[]' --status CONTINUE
	scenario_step 3 --tasks "$(scenario_tasks 2)" --status CONTINUE
	place greet
	expect 16 wisp plan spec.md --branch greet --agent replay
	entry 0 .state invalid
	assert_contains "$(prompt 0002)" 'tasks.json'
	scenario_step 4 --pass '1 2' --status DONE --promise
	again 0
	calls 4
	passes 1 2
}

@test "plan: a ready list takes the agent's place; twice is refused" {
	scenario_tasks 2 >ready.json
	place greet
	expect 0 wisp plan spec.md --branch greet --agent replay --tasks ready.json
	calls 0
	passes
	expect 100 wisp plan spec.md --branch greet --agent replay
	scenario_step 1 --pass '1 2' --status DONE --promise
	expect 0 wisp run greet
}

@test "a name without a slash at its front is that of this folder, whatever CDPATH says" {
	mkdir -p given other/given
	scenario_tasks 1 >given/tasks.json
	export CDPATH=$PWD/other
	expect 0 wisp plan spec.md --tasks given/tasks.json --agent replay
	assert_contains "$output" 'wisp run wisp/spec'
}

@test "run: a list that a command prints is read once, up to 8 MiB" {
	scenario_step default --effects 'date >>x' --pass 1 --commit one --status DONE --promise
	expect 102 wisp run work --agent replay --tasks <(yes)
	assert_contains "$output" 'larger than 8 MiB'
	expect 0 wisp run work --agent replay --tasks <(scenario_tasks 1)
	# A session that is there.
	scenario_step default --effects 'date >>x' --pass '1 2' --commit one --status DONE --promise
	expect 0 wisp run work --agent replay --tasks <(scenario_tasks 2)
}

@test "plan: a question ends it with 10; run goes on planning after the answer" {
	scenario_step 1 --status NEEDS_INPUT --question 'In which language?'
	scenario_step 2 --tasks "$(scenario_tasks 1)" --status CONTINUE
	scenario_step 3 --pass 1 --status DONE --promise
	place greet
	expect 10 wisp plan spec.md --branch greet --agent replay
	wisp answer 'in C'
	expect 0 wisp run greet
	assert_contains "$(prompt 0002)" 'in C'
	calls 3
}

# --- trust ------------------------------------------------------------------

@test "trust: what a file of the repository asks to run is refused until a person has said so, once" {
	mkdir -p .wisp
	git config --file .wisp/config verify.command 'touch ../ran'
	scenario_tasks 1 >tasks.json
	scenario_step default --pass 1 --status DONE --promise
	expect 100 wisp run work --agent replay --tasks tasks.json
	assert_contains "$output" 'verify.command=touch ../ran'
	assert_contains "$output" --trust
	[[ ! -e .wisp/sessions/work ]]
	work 0 1 --trust
	[[ -e .wisp/worktrees/ran ]]
	place second
	work 0 1
	git config --file .wisp/config verify.command 'touch ../other'
	place third
	expect 100 wisp run third --agent replay --tasks tasks.json
}

@test "trust: what wisp config or -c sets is trusted" {
	wisp config verify.command true
	scenario_step default --pass 1 --status DONE --promise
	work 0 1
	OPTIONS=(-c verify.command=true)
	place second
	work 0 1
}

@test "trust: an agent of the repository, and again when it has changed" {
	mkdir -p .wisp/agents
	cat >.wisp/agents/mine <<-'END'
	#!/bin/sh
	if [ "$1" = --probe ]; then
		echo '{"agent": "mine", "version": "1", "path": null, "problems": [], "logged_in": null}'
		exit
	fi
	cat >/dev/null
	sed 's/false/true/' "$WISP_TASKS_FILE" >t && mv t "$WISP_TASKS_FILE"
	echo '{"status": "DONE", "summary": "did it"}' >"$WISP_STATE_FILE"
	echo '<promise>COMPLETE</promise>'
	END
	chmod +x .wisp/agents/mine
	scenario_tasks 1 >tasks.json
	expect 100 wisp run work --agent mine --tasks tasks.json
	expect 0 wisp run work --agent mine --tasks tasks.json --trust
	expect 0 wisp run second --agent mine --tasks tasks.json
	echo '# more' >>.wisp/agents/mine
	expect 100 wisp run third --agent mine --tasks tasks.json
}

@test "plan: with two sessions run asks which one" {
	scenario_tasks 1 >ready.json
	expect 0 wisp plan spec.md --branch one --agent replay --tasks ready.json
	expect 0 wisp plan spec.md --branch two --agent replay --tasks ready.json
	expect 100 wisp run
	assert_contains "$output" 'which session? There is one, two'
}
