#!/usr/bin/env bats
# A question, its answer, and what is said between a person and the loop.

load ../helper
load ../helper-scenario
load helper-e2e

setup()
{
	project
	scenario_step 1 --effects 'echo x >kept' --status NEEDS_INPUT --question 'Which port?'
	scenario_step 2 --pass 1 --status DONE --promise
}

@test "question: 10, answered, resumed: the next prompt holds both, and the answer is archived" {
	work 10 1
	expect 0 wisp answer '8080, "quoted" $(x)'
	again 0
	assert_contains "$(prompt 0002)" 'Which port?'
	assert_contains "$(prompt 0002)" '8080, "quoted" $(x)'
	in_tree kept x
	[[ ! -e $DIR/response.json ]]
	assert_equal '8080, "quoted" $(x)' "$(wisp-state -C "$DIR" get -f "$DIR/answers/q-1.json" .response)"
}

@test "question: Ctrl-C as it is about to be shown: none without words is" {
	local build=$BATS_TEST_TMPDIR/build
	mkdir "$build"
	ln -s "$WISP_BUILD"/* "$build"
	rm "$build/wisp-session"
	printf '#!/bin/sh\nfor word; do\n[ "$word" != question ] || { trap "" INT; kill -INT 0; exit 130; }\ndone\nexec %q "$@"\n' \
		"$WISP_BUILD/wisp-session" >"$build/wisp-session"
	chmod +x "$build/wisp-session"
	WISP_BUILD=$build begin 1
	ends 130
	assert_lacks "$(<"$BATS_TEST_TMPDIR/loop.log")" 'Question:'
	again 10
	assert_contains "$output" 'Which port?'
}

@test "question: asked again after a restart without an answer, with no call" {
	work 10 1
	again 10
	assert_contains "$output" 'Which port?'
	expect 10 wisp run work
	calls 1
	session .pause_reason needs_input
	status_says .question.question 'Which port?'
	status_says .exit 10
}

@test "question: the answer stays until a step that was prompted with it ends well, and is then gone" {
	scenario_step 2 --exit 1
	scenario_step 3 --status CONTINUE
	scenario_step 4 --pass 1 --status DONE --promise
	work 10 1
	wisp answer 8080
	again 0
	assert_contains "$(prompt 0002)" 8080
	assert_contains "$(prompt 0003)" 8080
	assert_lacks "$(prompt 0004)" 8080
}

@test "question: the steps prompted with an answer find it at WISP_RESPONSE_FILE, the next question does not" {
	local read='cat "$WISP_RESPONSE_FILE" >"../read.$WISP_ITERATION" 2>/dev/null || :'
	scenario_step 2 --effects "$read" --exit 1
	scenario_step 3 --effects "$read" --status NEEDS_INPUT --question 'Which host?'
	scenario_step 4 --effects "$read" --status CONTINUE
	scenario_step 5 --effects "$read" --pass 1 --status DONE --promise
	work 10 1
	echo '"8080"' >"$DIR/response.json"
	again 10
	assert_contains "$output" 'Which host?'
	assert_lacks "$output" 'response.json is not valid yet'
	[[ ! -e $DIR/response.json ]]
	wisp answer here
	again 0
	for i in 2 3 4; do
		"$JQ" -r '[.question_id, .response, (.responded_at | length > 0)] | join(" ")' "$PROJECT/.wisp/worktrees/read.$i"
	done >"$BATS_TEST_TMPDIR/read"
	assert_equal $'q-1 8080 true\nq-1 8080 true\nq-3 here true' "$(<"$BATS_TEST_TMPDIR/read")"
	assert_equal '' "$(<"$PROJECT/.wisp/worktrees/read.5")"
}

@test "question: an answer that was not taken is none to a question of the same number after a rollback" {
	scenario_step 1 --pass 1 --status CONTINUE
	scenario_step 2 --status NEEDS_INPUT --question 'Which port?'
	scenario_step 3 --status NEEDS_INPUT --question 'Which host?'
	work 10 2
	wisp answer 8080
	wisp rollback work 1
	again 10
	assert_contains "$output" 'Which host?'
}

@test "question: a bare string in response.json is an answer" {
	work 10 1
	echo '"eight"' >"$DIR/response.json"
	again 0
	assert_contains "$(prompt 0002)" eight
}

@test "question: a broken response.json is no answer yet, and the reason is shown" {
	work 10 1
	echo '{"response": ' >"$DIR/response.json"
	again 10
	assert_contains "$output" 'response.json:'
	calls 1
	echo '{"response": "8080"}' >"$DIR/response.json"
	again 0
	assert_contains "$(prompt 0002)" 8080
}

@test "question: a response.json that lay there before is ignored, unless its question_id matches" {
	unconfined
	scenario_step 1 --effects 'echo "{\"response\": \"stale\"}" >"$WISP_RESPONSE_FILE"' --status NEEDS_INPUT --question 'Which port?'
	work 10 1
	again 10
	assert_contains "$output" 'before the question was asked'
	echo '{"response": "other", "question_id": "q-7"}' >"$DIR/response.json"
	again 10
	assert_contains "$output" 'q-7'
	echo '{"response": "8080", "question_id": "q-1"}' >"$DIR/response.json"
	again 0
	assert_contains "$(prompt 0002)" 8080
	assert_lacks "$(prompt 0002)" stale
}

@test "question: a stale one whose question_id matches counts" {
	unconfined
	scenario_step 1 --effects 'echo "{\"response\": \"early\", \"question_id\": \"q-1\"}" >"$WISP_RESPONSE_FILE"' \
		--status NEEDS_INPUT --question 'Which port?'
	work 0 1
	assert_contains "$(prompt 0002)" early
}

@test "question: with --wait the loop lives, shows paused, and goes on with the answer" {
	begin 1 --wait
	wait_until 10 grep -q 'waiting for the answer' "$BATS_TEST_TMPDIR/loop.log"
	session .status paused
	status_says .alive true
	expect 0 wisp answer 8080
	ends 0
	assert_contains "$(prompt 0002)" 8080
}

@test "question: a loop that waits for an answer can be paused, and ended by a signal" {
	begin 1 --wait
	wait_until 10 grep -q 'waiting for the answer' "$BATS_TEST_TMPDIR/loop.log"
	expect 0 wisp pause work
	ends 15
	again 10
	background wisp resume work --wait
	wait_until 10 grep -q 'waiting for the answer' "$BATS_TEST_TMPDIR/loop.log"
	kill -TERM "$LOOP"
	ends 143
	calls 1
	wisp answer 8080
	again 0
}

@test "question: it is shown with its choices, once, and a number is the choice" {
	scenario_step 1 --state '{"status": "NEEDS_INPUT", "summary": "s", "question": "Which port?\nSay one.", "choices": ["8080", "the usual one"]}'
	begin 1 --wait
	wait_until 10 grep -q 'waiting for the answer' "$BATS_TEST_TMPDIR/loop.log"
	assert_contains "$(<"$BATS_TEST_TMPDIR/loop.log")" '  Question: Which port?
  Say one.
    1  8080
    2  the usual one
  Answer with:    wisp answer work TEXT (or the number of a choice)'
	echo '{"response":' >"$DIR/response.json"
	wait_until 10 grep -q 'response.json is not valid yet: .*response.json:' "$BATS_TEST_TMPDIR/loop.log"
	echo '{"response": "x", "question_id": "q-9"}' >"$DIR/response.json"
	wait_until 10 grep -q 'response.json is not valid yet: response.json answers question q-9, not q-1' "$BATS_TEST_TMPDIR/loop.log"
	expect 0 wisp answer 2
	ends 0
	assert_equal 1 "$(grep -c 'Question:' "$BATS_TEST_TMPDIR/loop.log")"
	assert_contains "$(prompt 0002)" 'the usual one'
	assert_lacks "$(<"$BATS_TEST_TMPDIR/loop.log")" $'\a'
}

# by_hand RESPONSE: what it comes to, written by hand while nobody waits.
by_hand()
{
	rm -rf s
	printf '[{"category": "docs", "description": "d", "steps": [], "passes": false}]' >list.json
	wisp-state -C s init --tasks list.json
	wisp-state -C s begin >/dev/null
	printf '{"status": "NEEDS_INPUT", "summary": "s", "question": "How many?", "choices": ["3", "2", "1"]}' >s/state.json
	wisp-state -C s record >/dev/null
	printf '%s' "$1" >s/response.json
	wisp-state -C s begin >/dev/null
	wisp-state get -f s/answers/q-1.json .response
}

@test "question: the number of a choice is that choice in response.json, too, and is resolved once" {
	assert_equal 3 "$(by_hand '{"response": "1"}')"
	assert_equal 1 "$(by_hand '"3"')"
	assert_equal 3 "$(by_hand '{"response": "3", "choice": "1"}')"
	assert_equal 'as many as fit' "$(by_hand '{"response": "as many as fit"}')"
	assert_equal 4 "$(by_hand '{"response": "4"}')"
	scenario_step 1 --state '{"status": "NEEDS_INPUT", "summary": "s", "question": "How many?", "choices": ["3", "2", "1"]}'
	work 10 1
	expect 0 wisp answer 1
	again 0
	assert_equal 3 "$(wisp-state get -f "$DIR/answers/q-1.json" .response)"
}

@test "question: the archive has question, choices, iteration, both times; one of the same number keeps its own" {
	scenario_step 1 --state '{"status": "NEEDS_INPUT", "summary": "s", "question": "Which port?", "choices": ["8080"]}'
	work 10 1
	wisp answer 1
	expect 0 wisp guide 'never mind'
	scenario_step 2 --status CONTINUE
	again 15 --once
	wisp rollback work 0
	scenario_step 3 --status NEEDS_INPUT --question 'Which host?'
	again 10
	wisp answer here
	again 15 --once
	assert_equal '["q-1","Which port?",["8080"],1,"8080",true,true]' "$("$JQ" -c \
		'[.question_id, .question, .choices, .iteration, .response, (.asked_at | length > 0), (.answered_at | length > 0)]' "$DIR/answers/q-1.json")"
	assert_equal 'Which host? here' "$("$JQ" -r '.question + " " + .response' "$DIR/answers/q-1.2.json")"
}

@test "question: nobody answers in time: input.onTimeout pauses, goes on, or answers" {
	OPTIONS=(-c input.timeout=50ms)
	work 10 1 --wait
	assert_contains "$output" 'wisp: waiting for the answer, until 20'
	assert_contains "$output" ', then: pause'
	assert_contains "$output" 'nobody answered in time'
	session .pause_reason needs_input
	OPTIONS=(-c input.timeout=50ms -c 'input.onTimeout=take 9090')
	again 0 --wait
	assert_contains "$output" "nobody answered in time: the answer is 'take 9090'"
	assert_contains "$(prompt 0002)" 'take 9090'
}

@test "question: nobody answers in time, and it goes on without an answer" {
	OPTIONS=(-c input.timeout=50ms -c input.onTimeout=continue)
	work 0 1 --wait
	assert_contains "$(prompt 0002)" 'nobody answered in time: decide yourself'
}

@test "question: input.timeout counts from the question, whatever is written in between" {
	OPTIONS=(-c input.timeout=600s)
	begin 1 --wait
	wait_until 10 grep -q 'waiting for the answer' "$BATS_TEST_TMPDIR/loop.log"
	echo '{"response":' >"$DIR/response.json"
	wait_until 10 grep -q 'response.json is not valid yet' "$BATS_TEST_TMPDIR/loop.log"
	wait_until 10 has_waited 2
	assert_equal 1 "$(grep 'waiting for the answer' "$BATS_TEST_TMPDIR/loop.log" | sort -u | wc -l | tr -d ' ')"
	wisp answer 8080
	ends 0
}

@test "question: an answer of 1 MB reaches the archive whole, and the next prompt as far as it holds" {
	work 10 1
	head -c 1000000 /dev/zero | tr '\0' x | wisp answer - >"$BATS_TEST_TMPDIR/said"
	again 0
	assert_equal 1000000 "$("$JQ" '.response | length' "$DIR/answers/q-1.json")"
	assert_contains "$(prompt 0002)" xxxxxxxx
	assert_contains "$(prompt 0002)" 'answers/q-1.json'
}

@test "question: run --json tells other programs what is asked, and how to answer" {
	work 10 1
	wisp resume work --json </dev/null >"$BATS_TEST_TMPDIR/report.json" 2>"$BATS_TEST_TMPDIR/loop.log" || assert_equal 10 $?
	assert_equal '["Which port?","q-1"]' "$("$JQ" -c '[.question.question, .question.id]' "$BATS_TEST_TMPDIR/report.json")"
	printf '{"response": "by a program", "question_id": "q-1", "responded_at": "2026-01-16T10:00:00Z", "by": "x"}' >"$DIR/response.json"
	again 0
	assert_contains "$(prompt 0002)" 'by a program'
}

@test "question: killed while it waits, it is asked again; killed after the answer, that is used once" {
	scenario_step 2 --effects 'cat "$WISP_RESPONSE_FILE" >../new; mv ../new ../started; until test -e ../go; do sleep 0.02; done' --pass 1 --status CONTINUE
	scenario_step 3 --pass 1 --status DONE --promise
	begin 1 --wait
	wait_until 10 grep -q 'waiting for the answer' "$BATS_TEST_TMPDIR/loop.log"
	kill -KILL "$LOOP"
	wait "$LOOP" 2>/dev/null || :
	again 10
	assert_contains "$output" 'Which port?'
	wisp answer 8080
	background wisp resume work
	wait_until 10 test -e "$PROJECT/.wisp/worktrees/started"
	kill -KILL "$LOOP"
	wait "$LOOP" 2>/dev/null || :
	LOOP=''
	touch "$PROJECT/.wisp/worktrees/go"
	assert_contains "$(<"$PROJECT/.wisp/worktrees/started")" 8080
	assert_equal q-1.json "$(ls "$DIR/answers")"
	again 0
	[[ ! -e $DIR/response.json ]]
	# The lost step has not heard it: the next one is told, once.
	assert_equal 1 "$(grep -c 8080 "$DIR/steps/0003/prompt.md")"
	assert_equal q-1.json "$(ls "$DIR/answers")"
}

@test "question: what a person changed while it was open is adopted" {
	work 10 1
	echo mine >"$TREE/mine"
	wisp answer 8080
	again 0
	assert_contains "$(prompt 0002)" '- mine'
	in_tree mine mine
}

@test "guidance: in the next prompt, once" {
	scenario_step 1 --pass 1 --status CONTINUE
	scenario_step 2 --status CONTINUE
	scenario_step 3 --status DONE --promise
	work 15 1 --once
	again 0 --guide '- use "tabs" and $(x)'
	assert_contains "$(prompt 0002)" 'Guidance from a person'
	assert_contains "$(prompt 0002)" 'use "tabs" and $(x)'
	assert_lacks "$(prompt 0003)" 'use "tabs"'
}

@test "requests: a task added while a step is open is in the list after it" {
	scenario_step 1 --effects 'touch ../started; until test -e ../go; do sleep 0.02; done' --pass 1 --status CONTINUE
	scenario_step 2 --pass 2 --status DONE --promise
	begin 1
	wait_until 10 test -e "$PROJECT/.wisp/worktrees/started"
	expect 0 wisp tasks add --category docs 'write it down'
	assert_lacks "$(<"$DIR/tasks.json")" 'write it down'
	touch "$PROJECT/.wisp/worktrees/go"
	ends 0
	assert_contains "$(prompt 0002)" 'write it down'
	passes 1 2
}

@test "refused from inside a step: answer, pause, resume, config, tasks" {
	scenario_step 1 --effects '
		for command in "run" "resume" "pause" "answer x" "config limits.maxHours 9" "tasks pass 1" "rollback 0" "rm" "plan x"; do
			wisp $command </dev/null >>../said 2>&1; echo "$command: $?" >>../codes
		done' --pass 1 --status DONE --promise
	work 0 1
	assert_equal 9 "$(grep -c ': 100$' "$PROJECT/.wisp/worktrees/codes")"
}
