#!/usr/bin/env bats
# Pause, stop and guidance: said to a loop that lives, confirmed to whoever says
# it, obeyed at the moment that is named. What a person changed while it was
# paused is adopted, and listed.

load ../helper
load ../helper-scenario
load helper-e2e

setup()
{
	project
	LOG=$BATS_TEST_TMPDIR/loop.log
	SIDE=$PROJECT/.wisp/worktrees
}

# A step that waits for the file `go`.
readonly HELD='touch ../started; until test -e ../go; do sleep 0.02; done'

held()
{
	wait_until 10 test -e "$SIDE/started"
}

let_go()
{
	touch "$SIDE/go"
}

# said TEXT: the loop comes to say it.
said()
{
	wait_until 10 grep -qF -e "$1" "$LOG" || fail "$(<"$LOG")"
}

# --- pause and stop ---------------------------------------------------------

@test "requests: pause is confirmed at once, twice, and obeyed after the step, which is judged" {
	scenario_step 1 --effects "$HELD" --pass 1 --status CONTINUE
	scenario_step 2 --pass 2 --status DONE --promise
	begin 2
	held
	expect 0 wisp pause
	assert_equal "work will pause after this step (iteration 1) (\`wisp resume work\` goes on)" "$output"
	said 'wisp: asked to pause: will pause after this step (iteration 1)'
	expect 0 wisp pause
	assert_contains "$output" 'that was asked already'
	status_says .alive true
	let_go
	ends 15
	passes 1
	session .status paused
	session .owner null
	expect 1 wisp pause
	assert_equal 'wisp pause: no loop of work is running: it is paused' "$output"
	again 0
	calls 2
	expect 1 wisp pause
	assert_equal 'wisp pause: no loop of work is running: it is completed' "$output"
}

@test "requests: a pause during verify waits for its answer; what it says counts" {
	scenario_step 1 --pass 1 --status CONTINUE
	scenario_step 2 --pass 1 --status DONE --promise
	OPTIONS=(-c "verify.command=cd '$SIDE' && touch started; until test -e '$SIDE/go'; do sleep 0.02; done; test -e '$SIDE/good'")
	begin 1
	held
	expect 0 wisp pause
	assert_contains "$output" 'will pause after this step (iteration 1)'
	let_go
	ends 15
	passes
	entry 0 .verify failed
	touch "$SIDE/good"
	again 0
	passes 1
}

@test "requests: stop --now during verify ends it; the valid state stays, and resume judges it without a new call" {
	scenario_step 1 --pass 1 --status DONE --promise
	OPTIONS=(-c "verify.command=echo \$\$ >'$SIDE/pid'; touch '$SIDE/started'; until test -e '$SIDE/go'; do sleep 0.02; done")
	begin 1
	held
	expect 0 wisp stop --now
	assert_contains "$output" 'stopping work now, in iteration 1'
	assert_contains "$output" 'the loop of work has ended'
	ends 15
	wait_until 10 step_gone "$(<"$SIDE/pid")"
	assert_equal ran "$(wisp-state -C "$DIR" get -f "$(echo "$WISP_HOME"/*/work/record.json)" .step.stage)"
	let_go
	again 0
	calls 1
	passes 1
}

@test "requests: stop --now during the verify of a restore, and before the first step: 15" {
	scenario_step 1 --effects 'echo x >x' --commit x --exit 1
	OPTIONS=(-c retry.delay=0 -c "verify.command=touch '$SIDE/started'; until test -e '$SIDE/go'; do sleep 0.02; done")
	begin 1
	held
	calls 1
	expect 0 wisp stop --now
	ends 15
	place passing
	rm -f "$SIDE/started"
	scenario_tasks 1 | sed 's/"passes": false/"passes": true/' >"$BATS_TEST_TMPDIR/passing.json"
	begin 1 --tasks "$BATS_TEST_TMPDIR/passing.json"
	held
	expect 0 wisp stop passing --now
	ends 15
}

# slow_git WORD: the git command WORD of the loop waits for the file `go`.
slow_git()
{
	mkdir -p "$BATS_TEST_TMPDIR/slow"
	{
		printf '#!/bin/sh\nfor word; do\n\tif [ "$word" = %s ] && [ -e %q ]; then\n' "$1" "$SIDE/armed"
		printf '\t\trm -f %q; touch %q; until [ -e %q ]; do sleep 0.02; done\n' "$SIDE/armed" "$SIDE/started" "$SIDE/go"
		printf '\tfi\ndone\nexec %q "$@"\n' "$(type -P git)"
	} >"$BATS_TEST_TMPDIR/slow/git"
	chmod +x "$BATS_TEST_TMPDIR/slow/git"
	PATH=$BATS_TEST_TMPDIR/slow:$PATH
}

@test "requests: pause and stop --now during a checkpoint: it is made whole, at once or by the next start" {
	local how
	slow_git write-tree
	for how in pause 'stop --now'; do
		rm -rf "$SIDE/started" "$SIDE/go"
		place "at-${how%% *}"
		scenario_step 1 --effects 'echo 1 >one; touch ../armed' --commit one --pass 1 --status CONTINUE
		scenario_step 2 --pass 2 --status DONE --promise
		begin 2
		held
		# shellcheck disable=SC2086 # two words
		wisp $how "$BRANCH" >"$BATS_TEST_TMPDIR/asked" 2>&1 3>&- &
		wait_until 10 grep -q "$BRANCH" "$BATS_TEST_TMPDIR/asked"
		let_go
		ends 15
		wait
		# A pause lets it be made; cut off, the step is judged by the next start.
		[[ $how != pause ]] || git rev-parse -q --verify "refs/wisp/checkpoints/$BRANCH/0001" >/dev/null || fail 'no checkpoint'
		again 0
		git rev-parse -q --verify "refs/wisp/checkpoints/$BRANCH/0001" >/dev/null || fail 'no checkpoint'
		calls 2
		in_tree one 1
	done
}

@test "requests: pause, and stop --now, while a usage limit is waited for" {
	local how
	printf '#!/bin/sh\n# Format: claude\nexec "%s/libexec/agents/replay" "$@"\n' "$ROOT" >limited
	chmod +x limited
	scenario_step 1 --output "$(stream limit "$(($(date +%s) + 5000))")" --exit 1
	for how in pause 'stop --now'; do
		place "limit-${how%% *}"
		: >"$LOG"
		scenario_tasks 1 >"$BATS_TEST_TMPDIR/tasks.json"
		wisp run "$BRANCH" --agent ./limited --tasks "$BATS_TEST_TMPDIR/tasks.json" </dev/null >"$LOG" 2>&1 3>&- &
		LOOP=$!
		said 'wisp: waiting: '
		# shellcheck disable=SC2086 # two words
		expect 0 wisp $how "$BRANCH"
		[[ $how != pause ]] || assert_contains "$output" "$BRANCH will pause at once: it waits for a limit"
		ends 15
		session .status paused
		session .owner null
	done
}

@test "requests: Ctrl-C while an answer is waited for is 130, and leaves nothing" {
	scenario_step 1 --status NEEDS_INPUT --question 'Which port?'
	begin 1 --wait
	said 'waiting for the answer'
	kill -INT "$LOOP"
	ends 130
	session .status paused
	session .owner null
	again 10
}

@test "requests: --plain writes lines alone where a countdown would be drawn" {
	local plain
	scenario_step 1 --output "$(stream limit "$(($(date +%s) + 5000))")" --exit 1
	printf '#!/bin/sh\n# Format: claude\nexec "%s/libexec/agents/replay" "$@"\n' "$ROOT" >limited
	chmod +x limited
	for plain in '' --plain; do
		place "drawn$plain"
		rm -f "$LOG"
		scenario_tasks 1 >"$BATS_TEST_TMPDIR/tasks.json"
		script -qefc "TERM=xterm wisp run $BRANCH --agent ./limited --tasks $BATS_TEST_TMPDIR/tasks.json --foreground $plain" \
			"$LOG" </dev/null >/dev/null 2>&1 3>&- &
		LOOP=$!
		said 'wisp: waiting: '
		[[ -n $plain ]] || said 'wisp: time left:'
		expect 0 wisp stop "$BRANCH" --now
		ends 15
	done
	assert_lacks "$(<"$LOG")" 'time left'
	assert_lacks "$(<"$LOG")" $'\033'
}

# --- guidance ---------------------------------------------------------------

@test "requests: guidance reaches the next prompt of a loop that goes on" {
	scenario_step 1 --effects "$HELD" --pass 1 --status CONTINUE
	scenario_step 2 --pass 2 --status DONE --promise
	begin 2
	held
	expect 0 wisp guide 'use "tabs" and $(x)'
	assert_contains "$output" 'guidance queued for the next step of work'
	expect 100 wisp guide ' '
	assert_equal 'wisp guide: the guidance is empty' "$output"
	let_go
	ends 0
	assert_contains "$(prompt 0002)" 'use "tabs" and $(x)'
	calls 2
}

# --- what a person changed --------------------------------------------------

@test "requests: what was changed while it was paused is adopted, and listed: tasks, files, config" {
	scenario_step 1 --effects 'echo 1 >one' --commit one --pass 1 --status CONTINUE
	scenario_step 2 --pass '2 3' --status DONE --promise
	work 15 2 --once
	"$JQ" '.[1].description = "another task" | . + [{"category": "docs", "description": "a third", "steps": [], "passes": false}]' \
		"$DIR/tasks.json" >tasks.new
	mv tasks.new "$DIR/tasks.json"
	echo 2 >"$TREE/two"
	echo more >>"$TREE/one"
	wisp config limits.maxIterations 33
	wisp config --add verify.command true
	again 0
	assert_contains "$output" 'wisp: imported external changes: config: limits.maxIterations 50 -> 33, verify.command none -> true'
	assert_contains "$output" 'wisp: imported external changes: 2 files: one two'
	assert_contains "$output" 'wisp: imported external changes: tasks: 1 added (3), 1 reworded (2)'
	assert_contains "$(prompt 0002)" '1 added (3), 1 reworded (2)'
	assert_contains "$(prompt 0002)" '- two'
	in_tree two 2
	passes 1 2 3
}

@test "requests: a task taken away, passed or opened by a person is listed, and nothing else is" {
	scenario_step 1 --pass 1 --status CONTINUE
	scenario_step 2 --pass '1 2' --status DONE --promise
	work 15 3 --once
	"$JQ" '.[0].passes = false | .[1].passes = true | del(.[2])' "$DIR/tasks.json" >tasks.new
	mv tasks.new "$DIR/tasks.json"
	again 0
	assert_contains "$output" 'wisp: imported external changes: tasks: 1 removed (3), 1 passed (2), 1 opened again (1)'
	assert_lacks "$output" 'external changes: config'
	assert_lacks "$output" 'changed files'
}

# added TEXT: a person asks for one more task while the step is open.
added()
{
	expect 0 wisp-tasks -C "$DIR" add --category docs "$1"
	assert_contains "$output" 'a step is open'
}

descriptions()
{
	assert_equal "$1" "$(wisp-state -C "$DIR" query -f tasks 'map(.description) | join(", ")')"
}

@test "requests: tasks that were added in a step stand in the list when the loop has ended, in order, whatever ended it" {
	local way
	for way in pause signal halt once; do
		rm -rf "$SIDE/started" "$SIDE/go"
		place "by-$way"
		OPTIONS=()
		[[ $way != once ]] || OPTIONS=(-c limits.maxIterations=1)
		scenario_step 1 --effects "$HELD" --pass 1 --status CONTINUE
		[[ $way != halt ]] || scenario_step 1 --effects "$HELD" --status BLOCKED --error 'no way'
		[[ $way != signal ]] || scenario_step 1 --effects "$HELD" # no state
		begin 1
		held
		[[ $way != pause ]] || expect 0 wisp pause "$BRANCH"
		added 'One more'
		added Another
		case $way in
		signal) kill -TERM "$LOOP" && ends 143 ;;
		pause) let_go && ends 15 ;;
		halt) let_go && ends 11 ;;
		once) let_go && ends 13 ;;
		esac
		descriptions 'task 1, One more, Another'
		assert_equal '' "$(ls "$(echo "$WISP_HOME"/*/"$BRANCH")/requests")"
		expect 0 wisp-tasks -C "$DIR" add --category docs Last
		assert_equal 4 "$output"
	done
}

@test "requests: a DONE of the step in which a task was added is refused" {
	scenario_step 1 --effects "$HELD" --pass 1 --status DONE --promise
	scenario_step 2 --pass 2 --status DONE --promise
	begin 1
	held
	added Extra
	let_go
	ends 0
	calls 2
	passes 1 2
	entry 0 .refused tasks
	assert_contains "$(prompt 0002)" 'Extra'
}

@test "requests: tasks that were added to a step that was lost with its loop come before those that are added later" {
	scenario_step 1 --effects "$HELD" --pass 1 --status CONTINUE
	scenario_step 2 --pass 1 --status CONTINUE
	begin 1
	held
	added First
	kill -KILL "$LOOP"
	wait "$LOOP" 2>/dev/null || :
	LOOP=''
	added Second
	again 15 --once
	descriptions 'task 1, First, Second'
}

@test "requests: a resume after nothing was changed lists nothing" {
	scenario_step 1 --pass 1 --status CONTINUE
	scenario_step 2 --pass 2 --status DONE --promise
	work 15 2 --once
	again 0
	assert_lacks "$output" adopted
}

@test "requests: a task list that a person broke is named with its place, and nothing is lost" {
	scenario_step 1 --pass 1 --status CONTINUE
	scenario_step 2 --pass 2 --status DONE --promise
	work 15 2 --once
	cp "$DIR/tasks.json" tasks.good
	printf '[\n{"category": "docs",\n' >"$DIR/tasks.json"
	again 102
	assert_contains "$output" 'tasks.json:3:'
	cp tasks.good "$DIR/tasks.json"
	again 0
	calls 2
}

@test "paused: a state.json that a person changed is what the next prompt shows; one that does not hold is named, and passed over" {
	scenario_step default --status CONTINUE --summary 'as the agent had it'
	work 15 1 --once
	sed 's/as the agent had it/as a person has it/' "$DIR/state.json" >new
	mv new "$DIR/state.json"
	again 15 --once
	assert_contains "$output" 'state.json was changed'
	assert_contains "$(prompt 0002)" 'as a person has it'
	entry 0 .summary 'as a person has it'
	printf '{' >"$DIR/state.json"
	again 15 --once
	assert_contains "$output" 'state.json:1:'
	assert_contains "$(prompt 0003)" 'as the agent had it'
	again 15 --once
	assert_lacks "$output" 'state.json was changed'
}

@test "paused: with phases no setting is called changed that the template has put out of force" {
	printf '# x\n' >prp.md
	scenario_step default --status CONTINUE
	expect 15 wisp run "$BRANCH" --template tdd --agent replay --spec prp.md --once
	again 15 --once
	assert_lacks "$output" 'external changes: config'
}
