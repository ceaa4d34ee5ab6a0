#!/usr/bin/env bats
# What a person is asked at a terminal, and decides with `wisp resume`.

load ../helper
load ../helper-scenario
load helper-e2e
load helper-terminal

setup()
{
	project
}

teardown()
{
	end_tmux
	if [[ -n $LOOP ]]; then
		kill -KILL "$LOOP" 2>/dev/null || :
	fi
	helper_teardown
}

# stuck_at_once: every iteration opens the breaker.
stuck_at_once()
{
	OPTIONS+=(-c stuck.noProgress=1)
	scenario_step default --status CONTINUE
}

# phases: a template of two phases whose gates do not open.
phases()
{
	local dir=.wisp/templates/two

	mkdir -p "$dir"
	echo 'work' >"$dir/work.md"
	cat >"$dir/loop.json" <<-'END'
		{"name": "two", "description": "two phases", "state": "phases", "phases": [
		 {"name": "ONE", "weight": 50, "prompt": "work.md", "gate": "false", "progress": "false", "breaker": {"no_progress": 1, "same_error": 9}},
		 {"name": "TWO", "weight": 50, "prompt": "work.md", "gate": "false", "progress": "false", "breaker": {"no_progress": 1, "same_error": 9}}]}
	END
	scenario_step default --status CONTINUE
}

# work_phases CODE
work_phases()
{
	echo spec >spec.md
	expect "$1" wisp run "$BRANCH" --agent replay --template two --spec spec.md --trust
}

in_terminal()
{
	scenario_tasks 2 >tasks.json
	typed wisp ${OPTIONS[@]+"${OPTIONS[@]}"} run "$BRANCH" --agent replay --tasks tasks.json
}

@test "menu: the loop is stuck: reset, then abort" {
	stuck_at_once
	in_terminal
	sees '---CIRCUIT_BREAKER_OPEN---' 'PHASE: none' 'REASON: iteration 1: no task newly passed' 'ITERATIONS: 1' 'OPTIONS:' \
		'[R]eset and retry with current approach' '[A]bort execution' '[M]odify approach (provide new guidance)' \
		'---END_CIRCUIT_BREAKER_OPEN---'
	assert_lacks "$(screen)" 'kip phase'
	session .status 'halted'
	press x s R
	sees 'ITERATIONS: 2'
	press a
	sees_end 12
	calls 2
	session .status 'halted'
	session .halt_reason 'aborted by a person'
	status_says .exit 12
}

# prompted: a text may be typed now.
prompted()
{
	screen | grep -v "C-b C-b" | grep . | tail -n 1 | grep -qx '>'
}

# menus N: it was shown so often.
menus()
{
	(($(screen | grep -c -- '---END_CIRCUIT') == $1))
}

@test "menu: modify the approach: what is typed is guidance for the next step" {
	stuck_at_once
	in_terminal
	sees '---END_CIRCUIT_BREAKER_OPEN---'
	press m
	sees 'New guidance:'
	wait_until 20 prompted
	press 'a' Enter
	sees 'ITERATIONS: 2'
	press m
	wait_until 20 prompted
	press Enter
	wait_until 20 menus 3
	press m
	wait_until 20 prompted
	press -- $'-use the other library\\' Enter 'and its headers' Enter
	sees 'ITERATIONS: 3'
	assert_contains "$(prompt 0003)" $'    -use the other library\n    and its headers'
	press a
	sees_end 12
}

@test "menu: stop --now ends it with 15; the session stays halted" {
	stuck_at_once
	in_terminal
	sees '---END_CIRCUIT_BREAKER_OPEN---'
	wisp stop "$BRANCH" --now
	sees_end 15
	calls 1
	session .status 'halted'

	typed wisp "${OPTIONS[@]}" resume "$BRANCH"
	sees '---END_CIRCUIT_BREAKER_OPEN---'
	wisp stop "$BRANCH" --now
	sees_end 15

	typed wisp "${OPTIONS[@]}" resume "$BRANCH" --guide 'another way'
	sees 'ITERATIONS: 2'
	press m
	sees 'New guidance:'
	wisp stop "$BRANCH" --now
	sees_end 15
}

@test "menu: a signal leaves the session halted, and the terminal as it was" {
	stuck_at_once
	in_terminal
	sees '---END_CIRCUIT_BREAKER_OPEN---'
	press C-c
	sees_end 130
	calls 1
	session .status 'halted'
	status_says .exit 12

	typed wisp "${OPTIONS[@]}" resume "$BRANCH"
	sees '---END_CIRCUIT_BREAKER_OPEN---'
	press C-c
	sees_end 130
	calls 1
	session .status 'halted'

	typed wisp "${OPTIONS[@]}" resume "$BRANCH"
	sees '---END_CIRCUIT_BREAKER_OPEN---'
	press m
	sees 'New guidance:'
	press C-c
	sees_end 130
	calls 1
}

@test "menu: a stop that is asked of it ends it" {
	stuck_at_once
	in_terminal
	sees '---END_CIRCUIT_BREAKER_OPEN---'
	expect 0 wisp pause "$BRANCH"
	sees_end 12
	session .status 'halted'
}

@test "menu: resume without an option on a session that is stuck" {
	stuck_at_once
	work 12 2
	assert_contains "$output" 'your decision is needed: wisp resume work --reset, --abort, --guide TEXT'
	assert_lacks "$output" skip-phase
	typed wisp "${OPTIONS[@]}" resume "$BRANCH"
	sees 'ITERATIONS: 1' '---END_CIRCUIT_BREAKER_OPEN---'
	calls 1
	press r
	sees 'ITERATIONS: 2'
	calls 2
	press a
	sees_end 12

	# Aborted is no question any more: the next resume goes on.
	typed wisp "${OPTIONS[@]}" resume "$BRANCH"
	sees 'ITERATIONS: 3'
	press a
	sees_end 12
}

@test "menu: options say it before it is asked" {
	stuck_at_once
	work 12 2
	typed wisp "${OPTIONS[@]}" resume "$BRANCH" --reset
	sees 'ITERATIONS: 2'
	press a
	sees_end 12
	typed wisp "${OPTIONS[@]}" resume "$BRANCH" --guide 'less is more'
	sees 'ITERATIONS: 3'
	assert_contains "$(prompt 0003)" 'less is more'
	press a
	sees_end 12
}

@test "menu: a phase is skipped, and with the last one the session is completed" {
	phases
	work_phases 12
	assert_contains "$output" 'or --skip-phase'
	typed wisp resume "$BRANCH"
	sees 'PHASE: ONE' 'REASON: No progress for 1 iterations' '[S]kip phase (mark as complete)'
	press s
	sees 'the phase ONE is skipped, TWO is next' 'PHASE: TWO' 'ITERATIONS: 2'
	press s
	sees_end 0
	session .status 'completed'
	calls 2
	assert_equal 'skipped by a person' "$(wisp-state -C "$DIR" get -f loop .phase_history.ONE.exit_reason)"
	assert_equal 'completed' "$(wisp-state -C "$DIR" get -f loop .status)"
	status_says .reason 'completed, but ONE, TWO: skipped by a person'
}

@test "resume: without a terminal it goes on as the reset" {
	stuck_at_once
	work 12 2
	again 12
	calls 2
	again 12 --reset
	calls 3
	again 12 --guide 'another way'
	assert_contains "$(prompt 0004)" 'another way'
	assert_lacks "$output" CIRCUIT_BREAKER_OPEN
}

@test "spec: another one than the session's is asked about at a terminal, also where that is over" {
	local id

	phases
	sed 's/"gate": "false"/"gate": "true"/' .wisp/templates/two/loop.json >loop.json
	mv loop.json .wisp/templates/two/loop.json
	printf 'one\n' >one.md
	printf 'two\n' >two.md
	place b
	scenario_step default --state '{"status": "CONTINUE", "summary": "s", "exit_signal": true}'
	expect 0 wisp run b --template two --agent replay --spec one.md
	id=$(wisp-state -C "$DIR" get -f session .session_id)
	typed wisp run b --spec two.md --foreground
	sees "The session b (completed) is about 'one.md'. Begin a new one with 'two.md'?"
	press n Enter
	sees_end 100
	assert_equal "$id" "$(wisp-state -C "$DIR" get -f session .session_id)"
	typed wisp run b --spec two.md --foreground
	sees "Begin a new one with 'two.md'?"
	press y Enter
	sees_end 0
	[[ $(wisp-state -C "$DIR" get -f session .session_id) != "$id" ]]
}

@test "resume --abort: halted, no agent, 12; also of a paused session" {
	scenario_step default --status CONTINUE
	work 15 2 --once
	again 12 --abort
	assert_output 'the session work is halted: aborted by a person (wisp resume work goes on)'
	calls 1
	session .halt_reason 'aborted by a person'
	expect 12 wisp run work
	calls 1
	again 15 --once
	calls 2
}

@test "resume --abort: not of a session that is completed, or that a loop owns" {
	scenario_step 1 --pass '1 2' --status DONE --promise
	work 0 2
	again 100 --abort
	assert_contains "$output" 'the session is completed: there is nothing to abort'
	place other
	scenario_new
	scenario_step default --effects 'touch ../started; exec sleep 60'
	begin 2
	wait_until 10 test -e "$PROJECT/.wisp/worktrees/started"
	again 17 --abort
	again 17 --reset
}

@test "resume --skip-phase: phases are needed, and one that ran must be judged first" {
	scenario_step default --status CONTINUE
	work 15 2 --once
	again 100 --skip-phase
	assert_contains "$output" 'wisp resume: the session work has no phases: there is none to skip'
	calls 1

	place two
	phases
	work_phases 12
	again 12 --skip-phase
	assert_contains "$output" 'the phase ONE is skipped, TWO is next'
	assert_equal 'TWO' "$(wisp-state -C "$DIR" get -f loop .current_phase)"
	again 0 --skip-phase
	calls 2
	again 100 --skip-phase
	assert_contains "$output" 'the session is completed'
}

@test "resume: the options exclude each other" {
	local pair

	for pair in '--reset --abort' '--skip-phase --guide x' '--abort --skip-phase' '--reset --guide x'; do
		# shellcheck disable=SC2086 # two words
		expect 100 wisp resume $pair
		assert_contains "$output" 'exclude each other'
	done
}

# --- the hour -----------------------------------------------------------------

one_call_an_hour()
{
	OPTIONS+=(-c limits.callsPerHour=1 -c stuck.noProgress=9)
	scenario_step 2 --status CONTINUE
	scenario_step default --status CONTINUE
}

@test "hour: the time that is left, and [C]ontinue" {
	one_call_an_hour
	scenario_step 2 --pass '1 2' --status DONE --promise
	in_terminal
	sees 'waiting: 1 of 1 agent starts are used this hour' '[W]ait for the reset, [C]ontinue at once, or [A]bort' 'wisp: time left: 59:'
	session .status 'paused'
	press w
	wait_until 20 shows 'time left: 59:'
	calls 1
	press C
	sees_end 0
	assert_contains "$(screen)" 'continuing past limits.callsPerHour at your request'
	assert_lacks "$(screen)" 'time left'
	calls 2
}

@test "hour: [A]bort ends it as --no-wait would" {
	one_call_an_hour
	in_terminal
	sees 'time left: 59:'
	press a
	sees_end 14
	calls 1
	session .status 'paused'
}

@test "hour: requests and signals are heard at once" {
	one_call_an_hour
	in_terminal
	sees 'time left: 59:'
	expect 0 wisp pause "$BRANCH"
	sees_end 15
	typed wisp "${OPTIONS[@]}" resume "$BRANCH"
	sees 'time left: 59:'
	press C-c
	sees_end 130
	calls 1
}

@test "hour: limits.onHourly=pause asks a person at the terminal, and no other" {
	one_call_an_hour
	OPTIONS+=(-c limits.onHourly=pause)
	scenario_step 2 --pass '1 2' --status DONE --promise
	in_terminal
	sees '[W]ait for the reset, [C]ontinue at once, or [A]bort'
	assert_lacks "$(screen)" 'time left'
	press w
	sees 'time left: 59:'
	expect 0 wisp pause "$BRANCH"
	sees_end 15
	again 14
	assert_lacks "$output" ontinue
	typed wisp "${OPTIONS[@]}" resume "$BRANCH" --no-wait
	sees_end 14
	typed wisp "${OPTIONS[@]}" resume "$BRANCH"
	sees '[W]ait for the reset'
	press a
	sees_end 14
	typed wisp "${OPTIONS[@]}" resume "$BRANCH"
	sees '[W]ait for the reset'
	press c
	sees_end 0
}

@test "hour: without a terminal it says once what it waits for" {
	one_call_an_hour
	begin 2
	wait_until 10 grep -q 'waiting: 1 of 1 agent starts' "$BATS_TEST_TMPDIR/loop.log"
	kill -TERM "$LOOP"
	ends 143
	assert_equal 1 "$(grep -c 'waiting:' "$BATS_TEST_TMPDIR/loop.log")"
	assert_lacks "$(<"$BATS_TEST_TMPDIR/loop.log")" 'time left'
}

@test "usage limit: the time that is left, without a menu" {
	scenario_step 1 --output "$(stream limit $(($(date +%s) + 3600)))"
	scenario_tasks 2 >tasks.json
	typed wisp run "$BRANCH" --agent replay --tasks tasks.json
	sees 'waiting: usage limit (five_hour)' 'wisp: time left: 59:'
	assert_lacks "$(screen)" 'ontinue at once'
	press C-c
	sees_end 130
}

# --- a question ---------------------------------------------------------------

# asks: step 1 asks with three choices.
asks()
{
	scenario_step 1 --state '{"status": "NEEDS_INPUT", "summary": "s", "question": "Which port?", "choices": ["8080", "80", "2"]}'
	scenario_step 2 --pass '1 2' --status DONE --promise
	in_terminal
	sees 'Question: Which port?' '  1  8080' 'Answer here:    a number, or a text,' \
		'or elsewhere:   wisp answer work TEXT' 'wisp: waiting for the answer' '>'
}

answered()
{
	assert_equal "$1" "$(wisp-state get -f "$DIR/answers/q-1.json" .response)"
}

@test "ask: the number of a choice is typed where it is asked" {
	asks
	press x BSpace 3 Enter
	sees_end 0
	assert_contains "$(screen)" 'wisp: answered q-1: 2'
	answered 2
	assert_contains "$(prompt 0002)" '2'
}

@test "ask: with --foreground, too, and --plain; nothing is sent by Enter alone" {
	OPTIONS+=(-c limits.maxIterations=9)
	scenario_step 1 --status NEEDS_INPUT --question 'Which port?'
	scenario_step 2 --pass '1 2' --status DONE --promise
	scenario_tasks 2 >tasks.json
	typed wisp run "$BRANCH" --agent replay --tasks tasks.json --foreground --plain
	sees 'Answer here:    a text, and Enter (\ and Enter: one more line)' '>'
	press Enter
	press -l 'the one that "nginx" used; $(echo é)'
	press Enter
	sees_end 0
	answered 'the one that "nginx" used; $(echo é)'
}

@test "ask: several lines: a backslash before Enter, and what is pasted" {
	asks
	press -l "first\\"
	press Enter
	terminal set-buffer $'second \\\n\tthird'
	terminal paste-buffer -p
	sees 'third'
	press Enter
	sees_end 0
	answered $'first\nsecond \\\n\tthird'
}

@test "ask: erased by character, word and line, also over the edge of the terminal" {
	WIDTH=40 HEIGHT=30
	asks
	press -l "$(printf 'word %.0s' 1 2 3 4 5 6 7 8 9 10 11 12)andlast"
	sees 'andlast'
	press C-w
	press -l 'zzz'
	press BSpace BSpace
	sees 'word z'
	shows '> word word word' || fail "$(screen)"
	assert_lacks "$(screen)" last
	press C-u
	press -l 'short'
	sees '> short'
	assert_lacks "$(screen)" word
	press Enter
	sees_end 0
	answered short
}

@test "ask: the file answers meanwhile; what was typed by then is not sent" {
	asks
	press -l 'half of'
	sees '> half of'
	echo '{"response":' >"$DIR/response.json"
	sees 'response.json is not valid yet'
	press -l ' it'
	sees '> half of it'
	echo '{"response": "eight"}' >"$DIR/response.json"
	sees_end 0
	answered eight
}

@test "ask: an answer that comes while another one is being taken is told of it" {
	asks
	press -l 'mine'
	sees '> mine'
	# Where the file is not seen to change: the loop is stopped while both come.
	local wait
	wait=$(pgrep -f "^wisp-wait .*--type .*/answer .*$BATS_TEST_TMPDIR")
	kill -STOP "$wait"
	expect 0 wisp answer "$BRANCH" theirs
	press Enter
	kill -CONT "$wait"
	sees_end 0
	answered theirs
}

@test "ask: a pause and Ctrl-C end it as ever" {
	asks
	press -l 'half'
	sees '> half'
	expect 0 wisp pause "$BRANCH"
	sees_end 15
	typed wisp resume "$BRANCH"
	sees '>'
	press -l 'half'
	press C-c
	sees_end 130
	calls 1
	session .pause_reason 'user interrupt (signal 2)'
}
