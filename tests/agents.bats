#!/usr/bin/env bats
# The agents that ship: replay plays scenarios as docs/agents.md says, and all of
# them answer --probe. How the CLIs are started is in agents-cli.bats.

load helper
load helper-scenario

setup()
{
	REPLAY=$ROOT/libexec/agents/replay
	export WISP_SESSION_DIR=$BATS_TEST_TMPDIR/session WISP_ITERATION=1
	export WISP_STATE_FILE=$WISP_SESSION_DIR/state.json WISP_TASKS_FILE=$WISP_SESSION_DIR/tasks.json
	mkdir -p "$WISP_SESSION_DIR" tree
	scenario_tasks 3 >"$WISP_TASKS_FILE"
	cd tree || return
	scenario_new
}

# json FIELD: of the answer to a probe
json()
{
	printf '%s\n' "$output" >../probe.json
	wisp-state get -f ../probe.json "$1"
}

@test "replay: a call plays all that its folder holds" {
	scenario_step 1 --effects 'cat >prompt' --effects 'pwd >where' --pass 2 --status CONTINUE --summary 'did it' \
		--output 'said' --stderr 'complained' --exit 7

	run -7 --separate-stderr "$REPLAY" <<<'do it'
	assert_output said
	assert_stderr complained
	assert_equal 'do it' "$(<prompt)"
	assert_equal "$PWD" "$(<where)"
	assert_equal '{"status": "CONTINUE", "summary": "did it"}' "$(<"$WISP_STATE_FILE")"
	run -0 wisp-tasks -C "$WISP_SESSION_DIR" list --done
	assert_contains "$output" 'task 2'
	assert_lacks "$output" 'task 1'
}

@test "replay: calls are counted, then comes the default" {
	scenario_step 1 --output one
	mkdir "$WISP_REPLAY/0002"
	echo two >"$WISP_REPLAY/0002/output"
	scenario_step default --output more

	for expected in one two more more; do
		run -0 "$REPLAY"
		assert_output "$expected"
	done
	assert_equal 4 "$(scenario_calls "$WISP_SESSION_DIR")"
}

@test "replay: a call without a folder is an error" {
	run -1 --separate-stderr "$REPLAY"
	assert_stderr "replay: '$WISP_REPLAY' has nothing for call 1, and no default"
	run -1 --separate-stderr env WISP_REPLAY=nowhere "$REPLAY"
	assert_stderr "replay: 'nowhere' is no scenario folder"
}

@test "replay: the first argument names the scenario, WISP_REPLAY goes before it" {
	scenario_step default --output environment
	mkdir -p other/default
	echo argument >other/default/output

	run -0 "$REPLAY" other
	assert_output environment
	unset WISP_REPLAY
	run -0 "$REPLAY" other
	assert_output argument
}

@test "replay: by-iteration plays the folder of the iteration" {
	touch "$WISP_REPLAY/by-iteration"
	scenario_step 5 --output five

	WISP_ITERATION=5 run -0 "$REPLAY"
	WISP_ITERATION=5 run -0 "$REPLAY"
	assert_output five
	assert_equal 0 "$(scenario_calls "$WISP_SESSION_DIR")"
}

@test "replay: WISP_REPLAY_STATE keeps the count somewhere else" {
	export WISP_REPLAY_STATE=$BATS_TEST_TMPDIR/count
	scenario_step default

	run -0 "$REPLAY"
	assert_equal 1 "$(scenario_calls)"
	[[ ! -e $WISP_SESSION_DIR/replay ]] || fail 'counted in the session too'
}

@test "replay: effects that fail end it with 1 and no claim" {
	scenario_step 1 --effects 'exit 3' --status CONTINUE

	run -1 --separate-stderr "$REPLAY"
	assert_stderr "replay: '$WISP_REPLAY/1/effects.sh' failed with 3"
	[[ ! -e $WISP_STATE_FILE ]] || fail 'a state file was written'
}

@test "replay: a whole task list, a task that is not there, --commit" {
	make_repo repo
	cd repo
	scenario_step 1 --tasks '[]'
	scenario_step 2 --pass t9
	scenario_step 3 --effects 'echo x >new' --commit "it's new"

	run -0 "$REPLAY"
	assert_equal '[]' "$(<"$WISP_TASKS_FILE")"
	run -1 "$REPLAY"
	assert_contains "$output" "cannot mark task 't9'"
	run -0 "$REPLAY"
	assert_equal "it's new" "$(git log -1 --format=%s)"
	assert_equal new "$(git show --format= --name-only)"
}

@test "replay: marking a task changes no other byte of the list" {
	printf '[{"category":"docs", "description":"x",\r\n "steps":[],"passes" : false, "n": 1.10}]' >"$WISP_TASKS_FILE"
	scenario_step 1 --pass 1

	run -0 "$REPLAY"
	printf '[{"category":"docs", "description":"x",\r\n "steps":[],"passes" : true, "n": 1.10}]' >expected
	cmp expected "$WISP_TASKS_FILE"
}

@test "replay: a state file that is no JSON is written as it stands" {
	scenario_step 1 --state '{"status": "CONT'

	run -0 "$REPLAY"
	assert_equal '{"status": "CONT' "$(<"$WISP_STATE_FILE")"
}

@test "replay: it dies of the signal it is told to, after the claim" {
	scenario_step 1 --status CONTINUE --signal KILL

	run -137 "$REPLAY"
	[[ -e $WISP_STATE_FILE ]] || fail 'no state file'
}

@test "replay: a call that is killed was a call" {
	scenario_step 1 --delay 60
	scenario_step 2 --output two

	"$REPLAY" 3>&- &
	wait_until 5 test -e "$WISP_SESSION_DIR/replay/calls"
	kill -KILL $!
	run -0 "$REPLAY"
	assert_output two
}

@test "replay: the probe says whether there is a scenario" {
	run -0 "$REPLAY" --probe
	assert_equal '[]' "$(json .problems)"
	WISP_REPLAY='no "such\folder' run -0 "$REPLAY" --probe
	assert_equal "the scenario 'no \"such\\folder' is no folder" "$(json '.problems[0]')"
	unset WISP_REPLAY
	run -0 "$REPLAY" --probe
	assert_contains "$(json '.problems[0]')" 'no scenario'
}

@test "every agent that ships answers --probe in JSON, under its own name" {
	for agent in "$ROOT"/libexec/agents/*; do
		[[ $agent != *.json && $agent != *.sandbox ]] || continue
		run -0 "$agent" --probe
		assert_equal "${agent##*/}" "$(json .agent)"
		for field in version path problems logged_in; do
			json ".$field" >/dev/null || fail "$agent: no .$field"
		done
	done
}
