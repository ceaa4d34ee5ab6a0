# wisp answer, pause and stop: what a person asks of a session, or answers it.

load helper
load helper-session
load helper-scenario

readonly PORT='{"id": "q-3", "question": "Which port?\nSay one.", "choices": ["8080", "the \"usual\" one"], "iteration": 3,
  "asked_at": "2026-01-16T10:09:00Z", "stamp": ""}'
readonly FREE='{"id": "q-4", "question": "What now?", "choices": null, "iteration": 4, "asked_at": "2026-01-16T10:09:00Z"}'

setup()
{
	make_repo project
	cd project || return 1
	session_make main status=paused pause=needs_input count=3 exit=10 question="$PORT"
}

teardown()
{
	cd "$BATS_TEST_TMPDIR" || return 1
	[[ ! -s loop.pid || -s loop.end ]] || kill "$(<loop.pid)" 2>/dev/null || :
	session_drop
	helper_teardown
}

# assert_answered TEXT ID: what response.json says.
assert_answered()
{
	assert_equal "$1" "$("$JQ" -r .response "$DIR/response.json")"
	assert_equal "$2" "$("$JQ" -r .question_id "$DIR/response.json")"
}

@test "a branch alone, where the session is not clear, is taken for no answer, and that is said" {
	session_make other status=paused pause=needs_input count=3 exit=10 question="$PORT"
	git checkout -q -b elsewhere
	run -100 --separate-stderr wisp answer other
	assert_stderr "wisp answer: 'other' alone is an answer, and to which session is not clear: wisp answer other TEXT, or --branch other"
	run -100 --separate-stderr wisp answer 9090
	assert_contains "$stderr" 'which session? There is main, other'
	run -100 --separate-stderr wisp answer other 9090 --branch main
	assert_stderr "wisp answer: two branches are named: 'other' and 'main'"
	[[ ! -e $DIR/response.json ]]
}

@test "an answer is written with its question and its time" {
	export WISP_NOW=1768557600000
	run -0 --separate-stderr wisp answer 'use 9090, please'
	assert_output "answered q-3: use 9090, please
\`wisp resume main\` goes on"
	assert_stderr ''
	assert_equal '{
  "response": "use 9090, please",
  "question_id": "q-3",
  "responded_at": "2026-01-16T10:00:00+00:00"
}' "$(<"$DIR/response.json")"
	run -0 wisp status
	assert_contains "$output" 'answered; the next prompt says so'
}

@test "the number of a choice is that choice; any other text is itself" {
	wisp answer 2
	assert_answered 'the "usual" one' q-3
	wisp answer 3 --replace
	assert_answered 3 q-3
	session_make main question="$FREE"
	wisp answer 2
	assert_answered 2 q-4
}

@test "a waiting loop is told apart from none" {
	session_hold
	run -0 wisp answer 1
	assert_equal 'the loop goes on' "${lines[1]}"
}

@test "standard input, with lines and quotes as they are" {
	printf 'first "line"\n\tsecond\\\n\n' | wisp answer -
	assert_answered $'first "line"\n\tsecond\\' q-3
	head -c 1048576 /dev/zero | tr '\0' x | wisp answer main - --replace | cut -c 1-100 >"$BATS_TEST_TMPDIR/said"
	assert_equal 1048576 "$("$JQ" '.response | length' "$DIR/response.json")"
	run -100 --separate-stderr wisp answer - --replace < <(head -c 1048577 /dev/zero | tr '\0' x)
	assert_stderr 'wisp answer: the answer is longer than 1048576 bytes'
	assert_equal 1048576 "$("$JQ" '.response | length' "$DIR/response.json")"
}

@test "the branch comes first, or from --branch" {
	session_make other question="$FREE"
	wisp answer other 'go on'
	assert_answered 'go on' q-4
	echo 'go back' | wisp answer - --branch=other --replace
	assert_answered 'go back' q-4
	run -100 --separate-stderr wisp answer nothing text
	assert_contains "$stderr" "no session 'nothing'"
	run -100 --separate-stderr wisp answer one two three
	assert_stderr "wisp answer: unexpected argument 'three'; see wisp answer --help"
}

@test "the editor gets the question below the line, and what is above it counts" {
	cat >"$BATS_TEST_TMPDIR/my editor" <<-'END'
		#!/bin/sh
		cp "$2" "$1"
		echo 'noise on stdout'
		{ printf '# A heading\nand text\n'; cat "$1"; } >"$2"
	END
	chmod +x "$BATS_TEST_TMPDIR/my editor"
	export EDITOR="'$BATS_TEST_TMPDIR/my editor' '$BATS_TEST_TMPDIR/seen'"
	run -0 wisp answer
	assert_answered $'# A heading\nand text' q-3
	assert_contains "$(<"$BATS_TEST_TMPDIR/seen")" '
#
# Which port?
# Say one.
#   1  8080
#   2  the "usual" one'
	VISUAL=false run -111 --separate-stderr wisp answer
	assert_stderr "wisp answer: the editor 'false' failed: nothing is sent"
	assert_equal '' "$(ls "$TMPDIR")"
}

@test "what was written in the editor is kept where it cannot be sent" {
	printf '#!/bin/sh\necho "a long answer" >"$1"\n' >"$BATS_TEST_TMPDIR/editor"
	chmod +x "$BATS_TEST_TMPDIR/editor"
	mkdir "$DIR/response.json"
	EDITOR=$BATS_TEST_TMPDIR/editor run -111 --separate-stderr wisp answer
	assert_contains "$stderr" "wisp answer: what you wrote is kept in '$TMPDIR/wisp-answer."
	assert_equal 'a long answer' "$(cat "$TMPDIR"/wisp-answer.*)"
}

@test "the first answer counts: a second person is told, and may replace it" {
	wisp answer 'take 8080'
	run -1 --separate-stderr wisp answer 'take 9090'
	assert_stderr "wisp answer: q-3 is answered already: 'take 8080' (--replace puts this answer in its place)"
	assert_answered 'take 8080' q-3
	run -0 wisp answer 'take 9090' --replace
	assert_answered 'take 9090' q-3
	# by hand, in its other form, too
	echo '"take 7070"' >"$DIR/response.json"
	run -1 --separate-stderr wisp answer 'take 9090'
	assert_contains "$stderr" "answered already: 'take 7070'"
	run -0 wisp status
	assert_contains "$output" 'answered; the next prompt says so'
	# what does not hold yet is no answer
	echo '{"response": ' >"$DIR/response.json"
	run -0 wisp answer 'take 9090'
	assert_answered 'take 9090' q-3
}

@test "of twenty people who answer at once one wins, and nineteen are told" {
	local i
	for ((i = 1; i <= 20; i++)); do
		(
			rc=0
			wisp answer "answer $i" >/dev/null 2>&1 || rc=$?
			echo "$rc" >"$BATS_TEST_TMPDIR/rc.$i"
		) 3>&- &
	done
	wait
	assert_equal 19 "$(cat "$BATS_TEST_TMPDIR"/rc.* | grep -c '^1$')"
	assert_equal 1 "$(cat "$BATS_TEST_TMPDIR"/rc.* | grep -c '^0$')"
	i=$(grep -l '^0$' "$BATS_TEST_TMPDIR"/rc.*)
	assert_answered "answer ${i##*.}" q-3
}

@test "an empty answer is none" {
	local try
	for try in '' $' \n\t'; do
		run -100 --separate-stderr wisp answer "$try"
		assert_stderr 'wisp answer: the answer is empty'
	done
	EDITOR=true run -100 --separate-stderr wisp answer
	assert_stderr 'wisp answer: the answer is empty'
	run -100 --separate-stderr wisp answer </dev/null
	assert_stderr 'wisp answer: no answer given, and neither VISUAL nor EDITOR is set'
	run -100 --separate-stderr wisp answer - < <(printf 'a\0b')
	assert_stderr 'wisp answer: the answer holds a NUL byte'
	run -100 --separate-stderr wisp answer - < <(printf 'ab\377\376')
	assert_stderr 'wisp answer: the answer is not a text: byte 3 is not UTF-8'
	[[ ! -e $DIR/response.json ]]
}

@test "no open question is 100, and nothing is written" {
	session_make main
	run -100 --separate-stderr wisp answer yes
	assert_stderr 'wisp answer: no question is open: there is nothing to answer'
	EDITOR=true run -100 --separate-stderr wisp answer
	assert_stderr 'wisp answer: no question is open'
	run -100 --separate-stderr wisp answer </dev/null
	assert_stderr 'wisp answer: no question is open'
	[[ ! -e $DIR/response.json ]]
}

@test "an answer that cannot be written is the system's refusal" {
	mkdir "$DIR/response.json"
	run -111 --separate-stderr wisp answer yes
	assert_contains "$stderr" "wisp answer: cannot write '$DIR/response.json'"
	[[ -d $DIR/response.json ]]
}

@test "a step cannot answer, pause or stop itself" {
	session_hold
	export WISP_ITERATION=3 WISP_SESSION_DIR=$DIR
	run -100 --separate-stderr wisp answer yes
	assert_stderr 'wisp answer: answering is not possible from inside a step'
	run -100 --separate-stderr wisp pause
	assert_stderr 'wisp pause: pause is not possible from inside a step'
	run -100 --separate-stderr wisp stop --now
	assert_stderr 'wisp stop: stop is not possible from inside a step'
	run -100 --separate-stderr wisp-session request stop
	assert_stderr 'wisp-session: stop is not possible from inside a step'
	run -100 --separate-stderr wisp-session answer yes
	[[ ! -e $DIR/response.json && ! -e $STATE/requests ]]
}

@test "pause leaves a request for the loop that lives, signals it, and says when it is obeyed" {
	local verb
	session_hold '{ trap "echo asked >>\"$BATS_TEST_TMPDIR/signals\"" USR1; while :; do sleep 0.1; done; }'
	for verb in pause stop; do
		session_make main pid="$OWNER" step='{"iteration": 7, "stage": "begun"}'
		rm -rf "$STATE/requests" "$BATS_TEST_TMPDIR/signals"
		run -0 wisp "$verb"
		assert_output "main will pause after this step (iteration 7) (\`wisp resume main\` goes on)"
		run -0 cat "$STATE"/requests/*.json
		assert_equal "[\"pause\",$OWNER,false]" "$("$JQ" -c '[.verb,.owner,.now]' <<<"$output")"
		wait_until 5 test -s "$BATS_TEST_TMPDIR/signals"
	done
	session_make main pid="$OWNER" step='{"iteration": 7, "stage": "recorded"}' more='"waits": {"for": "usage"},'
	rm -rf "$STATE/requests"
	run -0 wisp pause
	assert_contains "$output" 'main will pause at once: it waits for a limit'
	session_make main pid="$OWNER" question="$PORT"
	rm -rf "$STATE/requests"
	run -0 wisp pause
	assert_contains "$output" 'main will pause at once: it waits for an answer'
}

@test "pause twice is one request, and the second says so" {
	session_hold '{ trap : USR1; while :; do sleep 0.1; done; }'
	session_make main pid="$OWNER" step='{"iteration": 7, "stage": "ran"}'
	wisp pause
	run -0 wisp pause
	assert_output "main will pause after this step (iteration 7); that was asked already (\`wisp resume main\` goes on)"
	assert_equal 1 "$(find "$STATE/requests" -type f | wc -l | tr -d ' ')"
}

@test "a loop that has not written itself into the record yet is not mistaken for the one before" {
	local gone
	sleep 0 &
	gone=$!
	wait "$gone"
	session_hold
	session_make main pid="$gone"
	run -111 --separate-stderr wisp pause
	assert_contains "$stderr" "wisp pause: a loop is only just starting, or another wisp command owns the session: ask again"
	[[ ! -e $STATE/requests ]]
}

@test "a loop that writes itself into the record in a moment is waited for, one that was killed is gone" {
	local gone
	sleep 0 &
	gone=$!
	wait "$gone"
	session_make main pid="$gone" status=running
	session_hold 'sleep 0.3 3>&-; sed -i "s/\"pid\": [0-9]*/\"pid\": $$/" "$1/record.json"; trap "" USR1; exec sleep 60'
	run -0 wisp pause
	assert_contains "$output" "main will pause"
	session_drop
	session_make main pid="$gone" status=running
	session_hold 'exec sleep 0.3'
	run -1 --separate-stderr wisp stop --now
	assert_stderr "wisp stop: no loop of main is running: it is stale (wisp resume goes on)"
}

@test "without a loop there is nothing to pause or stop" {
	local call
	for call in pause stop 'stop --now'; do
		# shellcheck disable=SC2086 # two words
		run -1 --separate-stderr wisp $call
		assert_stderr "wisp ${call%% *}: no loop of main is running: it is paused"
	done
	[[ ! -e $STATE/requests ]]
}

@test "stop --now leaves a request, signals the loop and waits for its end" {
	session_hold '{ trap "sleep 0.3; exit" TERM; while :; do sleep 0.1; done; }'
	session_make main status=running pid="$OWNER"
	run -0 wisp stop --now
	assert_output "stopping main now
the loop of main has ended; \`wisp resume main\` goes on"
	run -0 cat "$STATE"/requests/*.json
	assert_equal '["stop",true]' "$("$JQ" -c '[.verb,.now]' <<<"$output")"
}

@test "stop --now says so where the loop does not end" {
	session_hold '{ trap "" TERM; while :; do sleep 0.1; done; }'
	session_make main status=running pid="$OWNER" config='{"step.grace": 1}'
	run -111 --separate-stderr wisp stop --now
	assert_stderr "wisp stop: the loop of main (process $OWNER) has not ended yet"
}

@test "requests without a process to ask are refused" {
	session_make main pid=0
	session_hold
	run -111 --separate-stderr wisp stop --now
	assert_contains "$stderr" 'only just starting'
	run -100 --separate-stderr wisp-session request pause --now
	assert_stderr 'wisp-session: --now goes with stop'
	run -100 --separate-stderr wisp-session request rest
	assert_stderr "wisp-session: pause or stop, not 'rest'"
}

# real_loop FILE: a session `work` in the background, its words in FILE; sets LOOP once its first step runs.
real_loop()
{
	scenario_tasks 2 >"$BATS_TEST_TMPDIR/tasks.json"
	(
		wisp run work --agent replay --tasks "$BATS_TEST_TMPDIR/tasks.json" --foreground </dev/null 3>&- &
		echo $! >"$BATS_TEST_TMPDIR/loop.pid"
		rc=0
		wait $! || rc=$?
		echo "$rc" >"$BATS_TEST_TMPDIR/loop.end"
	) >"$1" 2>&1 3>&- &
	wait_until 20 test -s "$BATS_TEST_TMPDIR/loop.pid"
	LOOP=$(<"$BATS_TEST_TMPDIR/loop.pid")
	wait_until 20 test -e "$PWD/.wisp/worktrees/work/began"
}

# Its exit code, once it has ended.
loop_end()
{
	wait_until 20 test -s "$BATS_TEST_TMPDIR/loop.end"
	cat "$BATS_TEST_TMPDIR/loop.end"
}

@test "a real loop ends with 15 after the step in which it was asked to pause" {
	scenario_new
	scenario_step 1 --effects "touch began; while [ ! -e '$PWD/go' ]; do sleep 0.05; done" --pass 1 --status CONTINUE
	real_loop "$BATS_TEST_TMPDIR/out"
	run -0 wisp pause work
	assert_output "work will pause after this step (iteration 1) (\`wisp resume work\` goes on)"
	wait_until 5 grep -q 'asked to pause: will pause after this step (iteration 1)' "$BATS_TEST_TMPDIR/out"
	touch go
	assert_equal 15 "$(loop_end)"
	run -0 wisp status work --json
	assert_equal '["paused",15,1,false]' "$(/usr/bin/jq -c '[.session.status,.exit,.tasks.passed,.alive]' <<<"$output")"
}

@test "a real loop and its agent are gone when stop --now returns" {
	scenario_new
	scenario_step 1 --effects "echo \$\$ >began; exec sleep 60" --status CONTINUE
	real_loop "$BATS_TEST_TMPDIR/out"
	wait_until 5 test -s "$PWD/.wisp/worktrees/work/began"
	run -0 wisp stop work --now
	assert_output "stopping work now, in iteration 1
the loop of work has ended; \`wisp resume work\` goes on"
	assert_equal '' "$(step_process "$(<.wisp/worktrees/work/began)" .wisp/worktrees/work)"
	assert_equal 15 "$(loop_end)"
	run -0 wisp status work
	assert_contains "$output" 'work: paused'
}

@test "an answer reaches a real session and lets it go on" {
	scenario_new
	scenario_step 1 --status NEEDS_INPUT --question 'Which port?'
	scenario_step 2 --pass 1 --status DONE --promise
	session_run work 1
	assert_equal 10 "$status"
	run -10 wisp resume work --foreground </dev/null
	run -0 wisp answer work 'take 8080'
	run -0 wisp resume work --foreground </dev/null
	assert_contains "$(<.wisp/sessions/work/steps/0002/prompt.md)" 'take 8080'
	assert_contains "$(cat "$PWD"/.wisp/sessions/work/answers/*.json)" 'take 8080'
	[[ ! -e $PWD/.wisp/sessions/work/response.json ]]
}
