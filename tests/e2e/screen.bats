#!/usr/bin/env bats
# The run's own screen: a line for each event, one status line below that is kept in place, and the status line of tmux.

load ../helper
load ../helper-scenario
load helper-e2e
load helper-terminal

setup()
{
	project
	WIDTH=80 HEIGHT=24
	cat >"$BATS_TEST_TMPDIR/agent" <<-END
		#!/bin/sh
		# Format: claude
		cat >/dev/null
		if [ "\$1" = --probe ]; then echo '{}'; exit; fi
		cat "$BATS_TEST_TMPDIR/events"
		touch "$BATS_TEST_TMPDIR/begun"
		until test -e "$BATS_TEST_TMPDIR/go"; do sleep 0.05; done
		cat "$BATS_TEST_TMPDIR/more"
		echo '{"status": "BLOCKED", "summary": "no", "error": "no network"}' >"\$WISP_STATE_FILE"
	END
	chmod +x "$BATS_TEST_TMPDIR/agent"
	tool Bash '{"command": "make \u001b[31m test"}' >"$BATS_TEST_TMPDIR/events"
	tool Edit '{"file_path": "src/a.c"}' >"$BATS_TEST_TMPDIR/more"
	printf '{"type":"result","subtype":"success","num_turns":2,"total_cost_usd":0.25,"result":"","session_id":"s"}\n' >>"$BATS_TEST_TMPDIR/more"
	printf '[{"category": "feature", "description": "prints a greeting", "steps": [], "passes": false}]' >tasks.json
}

teardown()
{
	touch "$BATS_TEST_TMPDIR/go"
	end_tmux
	helper_teardown
}

# tool NAME INPUT: the event of claude by which it says that a tool runs.
tool()
{
	printf '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"%s","input":%s}]},"session_id":"s"}\n' "$1" "$2"
}

run_typed()
{
	typed "${@:2}" wisp ${OPTIONS[@]+"${OPTIONS[@]}"} run "$BRANCH" --agent "$BATS_TEST_TMPDIR/agent" --trust --tasks tasks.json ${1:+"$1"}
}

# status_lines: those that stand on the screen, without what has gone over its upper edge.
status_lines()
{
	terminal capture-pane -p | grep -c '/1 tasks | [0-9:]* |' || :
}

# What is typed before it stands there is thrown away.
prompts()
{
	screen | grep -qx '> *'
}

one_status_line()
{
	[[ $(status_lines) == 1 ]]
}

# ticks: seconds have passed.
ticks()
{
	screen | grep -q '/1 tasks | 0:[0-5]*[1-9] |'
}

@test "screen: a line for each event, and one status line below, with task, time, event and what is left" {
	run_typed ''
	sees 'wisp: [1/50] agent ...' '  > Bash: make [31m test' '[1/50] 0/1 tasks | 0:0' ' | prints a greeting | Bash: make ' 'h59m left' \
		'work  [1/50]  0/1 tasks  running'
	wait_until 20 ticks || fail "$(screen)"
	one_status_line || fail "$(screen)"
	# It is the last line of what the pane shows.
	assert_contains "$(screen | grep -v '^$' | tail -n 2 | head -n 1)" '[1/50] 0/1 tasks'
	touch "$BATS_TEST_TMPDIR/go"
	sees_end 11
	assert_contains "$(screen)" '  > Edit: src/a.c'
	assert_contains "$(screen)" '  = success, 2 turns, $0.25'
	assert_equal 0 "$(status_lines)" || fail "$(screen)"
	assert_contains "$(screen | grep -A1 -F '= success')" 'wisp: [1] BLOCKED, 0/1 tasks, outcome ok, verify none, $0.25: no'
}

@test "screen: at 120x40, left and joined again, it shows what the run does" {
	WIDTH=120 HEIGHT=40
	run_typed ''
	sees '> Bash: make' 'C-b C-b d: leave'
	press C-b d
	sees_end 0
	typed wisp attach
	sees '> Bash: make' '[1/50] 0/1 tasks | 0:0' '| prints a greeting | Bash: make'
	touch "$BATS_TEST_TMPDIR/go"
	sees_end 11
	assert_equal 0 "$(status_lines)" || fail "$(screen)"
}

@test "screen: a terminal that is made narrower, and wider, has one status line" {
	local width
	run_typed --foreground
	sees '| prints a greeting | Bash: make'
	for width in 30 100 50; do
		terminal resize-window -x "$width" -y 20
		wait_until 3 one_status_line || fail "$(screen)"
		sees '> Bash: make'
	done
	sees 'Bash: make [31'
	touch "$BATS_TEST_TMPDIR/go"
	sees_end 11
	assert_equal 0 "$(status_lines)" || fail "$(screen)"
	assert_equal 1 "$(screen | grep -c 'Bash: make')"
}

@test "screen: in the background no status line goes over what a person types, and the question waits for the foreground" {
	sed 's/"status": "BLOCKED", .*"error": "no network"/"status": "NEEDS_INPUT", "summary": "s", "question": "Which port?"/' \
		"$BATS_TEST_TMPDIR/agent" >"$BATS_TEST_TMPDIR/asks"
	mv "$BATS_TEST_TMPDIR/asks" "$BATS_TEST_TMPDIR/agent"
	chmod +x "$BATS_TEST_TMPDIR/agent"
	typed script -qefc "bash -mc 'wisp run work --foreground --agent $BATS_TEST_TMPDIR/agent --trust --tasks tasks.json & read -r; fg'" log
	sees '> Bash: make'
	touch "$BATS_TEST_TMPDIR/go"
	sees 'Answer here:' 'wisp: waiting for the answer'
	assert_lacks "$(<log)" '0/1 tasks | 0:'
	press Enter
	wait_until 20 prompts
	press 'port 8080' Enter
	sees 'wisp: answered q-1: port 8080'
	press C-c
	sees_end 130
}

@test "screen: Ctrl-C and a pause are said above it, and it is gone at the end" {
	run_typed --foreground
	sees '[1/50] 0/1 tasks | 0:0'
	expect 0 wisp pause "$BRANCH"
	sees 'wisp: asked to pause: will pause after this step (iteration 1)'
	wait_until 20 one_status_line || fail "$(screen)"
	press C-c
	sees_end 130
	assert_equal 0 "$(status_lines)" || fail "$(screen)"
	assert_equal 1 "$(screen | grep -c '^wisp: INT: ending the step, saving the state')"
}

@test "screen: NO_COLOR has no colours; --plain and TERM=dumb have lines alone" {
	run_typed --foreground env NO_COLOR=1
	sees '[1/50] 0/1 tasks | 0:0'
	assert_lacks "$(terminal capture-pane -p -e)" $'\033['
	wait_until 20 test -e "$BATS_TEST_TMPDIR/begun"
	press C-c
	sees_end 130
	rm "$BATS_TEST_TMPDIR/begun"
	typed wisp resume "$BRANCH" --foreground --plain
	wait_until 20 test -e "$BATS_TEST_TMPDIR/begun"
	press C-c
	sees_end 130
	assert_lacks "$(screen)" 'Bash: make'
	assert_equal 0 "$(status_lines)" || fail "$(screen)"
	rm "$BATS_TEST_TMPDIR/begun"
	typed env TERM=dumb wisp resume "$BRANCH" --foreground
	wait_until 20 test -e "$BATS_TEST_TMPDIR/begun"
	press C-c
	sees_end 130
	assert_lacks "$(screen)" 'Bash: make'
}

@test "screen: what the agent printed in a flood is shown from its end; the viewer that is killed harms nothing" {
	seq 400000 >>"$BATS_TEST_TMPDIR/events"
	run_typed --foreground
	sees '    400000' '[1/50] 0/1 tasks'
	kill -KILL "$(pgrep -f "^wisp-session -C $DIR live ")"
	touch "$BATS_TEST_TMPDIR/go"
	sees_end 11
	sees 'wisp: [1] BLOCKED'
}

@test "screen: while verify runs it says so, with the last line of its output" {
	scenario_step 1 --pass 1 --status DONE --promise
	typed wisp -c "verify.command=echo 3 passed; until test -e '$BATS_TEST_TMPDIR/go'; do sleep 0.05; done" \
		run "$BRANCH" --agent replay --tasks tasks.json --foreground
	sees 'wisp: verifying' '| verify: echo 3 passed' '| 3 passed'
	touch "$BATS_TEST_TMPDIR/go"
	sees_end 0
	assert_lacks "$(screen)" 'verify: echo'
}

@test "screen: before a retry the time that is left stands there" {
	scenario_step 1 --exit 1
	scenario_step default --status CONTINUE
	typed wisp -c loop.delay=1h run "$BRANCH" --agent replay --tasks tasks.json
	sees 'wisp: waiting 3600 s before the next step' 'wisp: next step in: 59:5'
	expect 0 wisp pause "$BRANCH"
	sees_end 15
	assert_lacks "$(screen)" 'next step in'
}

@test "screen: in phases the status line of the phase; the block is in phase-status.log alone" {
	echo spec >spec.md
	scenario_step 1 --state '{"status": "CONTINUE", "summary": "s", "metrics": {"tests_total": 4, "tests_passing": 1, "tests_failing": 3, "tests_generated": 4, "criteria_count": 4}}'
	scenario_step 2 --effects "touch '$BATS_TEST_TMPDIR/begun'; until test -e '$BATS_TEST_TMPDIR/go'; do sleep 0.05; done" \
		--status BLOCKED --error 'no network'
	typed wisp run "$BRANCH" --agent replay --template tdd --spec spec.md --foreground --trust
	sees '[RED] Iteration 1/10 | 1/4 tests passing | Status: running' '[RED] Iteration 2/10 | 1/4 tests passing | Status: running | 0:0'
	touch "$BATS_TEST_TMPDIR/go"
	sees_end 11
	assert_lacks "$(screen)" PRP_PHASE_STATUS
	assert_equal 2 "$(grep -c -e '^---PRP_PHASE_STATUS---$' "$DIR/phase-status.log")"
}

@test "screen: the line of tmux says what is waited for, and until when" {
	local waits='work  \[[01]/50\]  0/1 tasks  waits: usage limit until ([0-9-]+ )?[0-9]{2}:[0-9]{2}'

	scenario_step 1 --output "$(stream limit "$(($(date +%s) + 3600))")"
	typed wisp run "$BRANCH" --agent replay --tasks tasks.json --foreground
	sees 'wisp: time left: 59:'
	[[ $(wisp-session -C "$DIR" bar) =~ $waits ]] || fail "$(wisp-session -C "$DIR" bar)"
	press C-c
	sees_end 130
	assert_contains "$(wisp-session -C "$DIR" bar)" paused
}

@test "screen: the line of tmux, status and list say that the next step is waited for, and until when" {
	local waits='1/2 tasks  waits: delay before the next step until ([0-9-]+ )?[0-9]{2}:[0-9]{2}'

	scenario_tasks 2 >tasks.json
	scenario_step 1 --pass 1 --status CONTINUE
	typed wisp -c loop.delay=1h run "$BRANCH" --agent replay --tasks tasks.json --foreground
	sees 'next step in: 59:'
	[[ $(wisp-session -C "$DIR" bar) =~ $waits ]] || fail "$(wisp-session -C "$DIR" bar)"
	status_says .waiting.for delay
	assert_contains "$(wisp status "$BRANCH")" 'waits     delay before the next step: until '
	press C-c
	sees_end 130
	assert_lacks "$(wisp status "$BRANCH")" 'waits '
}
