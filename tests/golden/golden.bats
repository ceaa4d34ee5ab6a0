#!/usr/bin/env bats
# What every command and utility prints, and what lies in a session's folder, on sessions that
# are always made in the same way: tests/golden/NAME.txt. A change that is meant is written by
#
#	GOLDEN=write bats tests/golden/golden.bats
#
# and read in `git diff`. What differs from run to run is taken out by `normalise` of
# helper-golden.bash, and by nothing else.

load ../helper
load ../helper-scenario
load ../e2e/helper-e2e
load helper-golden

setup()
{
	project
	unconfined
	begin_golden
}

@test "golden: in mid-work" {
	local word

	wisp config verify.command 'test ! -e broken'
	scenario_step 1 --effects 'echo 1 >one' --commit 'add one' --pass 1 --status CONTINUE --output 'I did one.'
	scenario_step 2 --effects 'echo junk >litter' --exit 1 --stderr 'it broke'
	scenario_step 3 --effects 'echo 3 >three; touch broken' --status CONTINUE --pass 2
	scenario_step 4 --effects 'echo 4 >four; rm broken' --pass 2 --status CONTINUE
	ran 13 3 --max-iterations 4
	asks
	both wisp list --all
	show wisp watch --once
	show wisp log work --short -n 2
	show wisp log work --raw --all
	show wisp diff work 1
	show wisp diff work 2
	show wisp diff work 9
	show wisp checkpoint list work --json
	show wisp done work --dry-run --json
	both wisp config verify.command
	show wisp config --list --origin
	for word in 'list --open' 'list --done' 'show 1' 'show t2' 'show 9'; do
		# shellcheck disable=SC2086 # words
		both wisp tasks $word
	done
	for word in prd fixplan ralphex criteria beads csv lines; do
		show wisp tasks export "$word"
	done
	for word in "$DIR"/{session,history}.json "$DIR"/steps/0004/{prompt.md,state.json,step.json,verify.json}; do
		show cat "$word"
	done
	same work
}

@test "golden: phases" {
	local red='{"criteria_count": 2, "tests_generated": 2, "tests_failing": 2, "tests_total": 2, "tests_passing": 0}'

	place tdd
	printf '# a feature\n' >prp.md
	scenario_step 1 --effects 'echo 1 >one' --state \
		"{\"status\": \"CONTINUE\", \"summary\": \"tests are written\", \"exit_signal\": true, \"metrics\": $red}"
	scenario_step 2 --effects 'echo 2 >two' --state \
		'{"status": "CONTINUE", "summary": "one passes", "exit_signal": false, "metrics": {"tests_total": 2, "tests_passing": 1, "tests_failing": 1}}'
	expect 13 wisp run tdd --template tdd --agent replay --spec prp.md --max-iterations 2
	printf '$ wisp run\n%s\n' "$output" >>"$OUT"
	asks
	show cat "$DIR/phase-status.log"
	show wisp-gate -C "$DIR" phase RED
	show cat "$DIR/steps/0002/prompt.md"
	same phases
}

@test "golden: waiting for an answer" {
	scenario_step 1 --state '{"status": "NEEDS_INPUT", "summary": "two ways", "question": "Which port?", "choices": ["80", "8080"]}'
	scenario_step 2 --effects 'echo 8080 >port' --commit 'add port' --pass 1 --status DONE --promise
	ran 10 1
	asks
	show wisp answer work --branch work ''
	show wisp answer 2 --branch work
	show wisp answer 1 --branch work
	show wisp status work
	show cat "$DIR/response.json"
	show wisp resume work
	show cat "$DIR/steps/0002/prompt.md"
	same question
}

@test "golden: halted" {
	local step

	for step in 1 2 3; do
		scenario_step $step --effects "echo $step >same" --status CONTINUE
	done
	ran 12 2
	asks
	show wisp resume work --abort
	show wisp run work
	show wisp-stuck -C "$DIR" breaker reset
	show wisp-state -C "$DIR" move running
	show wisp rollback work 1
	show wisp checkpoint save work
	show wisp pause work
	show wisp stop work --now
	show wisp rm work
	show wisp rm work --branch --force
	show wisp list
	same halted
}

@test "golden: completed" {
	scenario_step 1 --effects 'echo 1 >one' --commit 'add one' --pass '1 2' --status DONE --promise
	ran 0 2
	asks
	show wisp resume work
	show wisp guide work 'more of it'
	both wisp done work --dry-run --merge
	show wisp done work --merge --json
	show git log --format=%s main
	show wisp rm work
	same completed
}

@test "golden: a changed spec, and a review" {
	local list

	printf 'Make it greet.\n' >spec.md
	list=$(scenario_tasks 2)
	scenario_step 1 --effects 'echo 1 >one' --commit 'add one' --pass 1 --status CONTINUE
	scenario_step 2 --tasks "${list//task 2/task 2 in German}" --pass 1 --status CONTINUE
	scenario_step 3 --effects 'echo 2 >two' --commit 'add two' --pass 2 --status DONE --promise
	scenario_step 4 --tasks "${list//task 2/task 2 in German}" --pass 1 --status CONTINUE
	ran 15 2 --spec spec.md --once
	printf 'Make it greet, in German.\n' >spec.md
	show wisp update spec.md work
	both wisp status work
	show wisp resume work --yes
	show wisp update spec.md work
	printf 'The second is wrong.\n' >review.md
	show wisp review review.md work --no-run --yes
	show wisp tasks list
	same change
}

@test "golden: the utilities on a folder that is no session's" {
	local word

	mkdir "$BATS_TEST_TMPDIR/own"
	cd "$BATS_TEST_TMPDIR/own"
	scenario_tasks 2 >list.json
	export WISP_SESSION_DIR=$PWD
	show wisp-state init --agent mine --tasks list.json
	show wisp-state init
	both wisp-tasks add --category test --id new --step 'think' 'one more'
	both wisp-state begin
	show wisp-limit charge
	show wisp-prompt
	echo '{"status": "CONTINUE", "summary": "half"}' >state.json
	show wisp-tasks pass 1
	show wisp-state record --verify passed
	show wisp-state begin
	echo '{"status": "BLOCKED", "summary": "no way", "error": "no key at line 12"}' >state.json
	show wisp-state record --json
	for word in exit decide explain; do
		both wisp-gate "$word"
	done
	show wisp-state error 'no key at line 12'
	show wisp-state error --same 'no key at line 13'
	show wisp-state set .summary '"another"'
	show wisp-state get --json .summary
	show wisp-state get .nothing
	show wisp-state move running
	show wisp-state move completed
	both wisp-stuck check
	both wisp-stuck breaker update --no-progress --error 'no key'
	both wisp-stuck breaker show
	both wisp-stuck breaker reset
	show wisp-tasks open 1
	both wisp-tasks diff list.json tasks.json
	both wisp-limit reset
	show wisp-state check
	for word in session tasks history breaker limits; do
		show cat "$word.json"
	done
	same utilities
}

@test "golden: the loop of the stop hook" {
	show wisp hook status
	show wisp hook start 'a parser' --criterion 'tests pass' --criterion 'no lint' --step one --budget 2
	show wisp hook met 1
	show wisp hook step-done one
	show wisp hook cost 0.5
	show wisp hook error 'no such file'
	both wisp hook status
	show bash -c "echo '{\"session_id\": \"s\", \"cwd\": \"$PWD\", \"last_assistant_message\": \"not yet\"}' | wisp hook stop"
	show wisp hook pause
	show wisp hook resume
	show wisp hook install --print
	show cat .loop/state.json
	show wisp hook cancel
	same hook
}
