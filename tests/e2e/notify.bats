#!/usr/bin/env bats
# Notifications: what notify.command is told and when, that it can neither delay
# nor outlive what it should, and the commands that ship with wisp.

load ../helper
load ../helper-scenario
load helper-e2e

setup()
{
	project
	TOLD=$BATS_TEST_TMPDIR/told
	mkdir "$TOLD"
	OPTIONS=(-c "notify.command=cat >$TOLD/\$1.new && mv $TOLD/\$1.new $TOLD/\$1")
}

# told EVENT FILTER VALUE: the document of that event, once it has come.
told()
{
	wait_until 10 test -e "$TOLD/$1"
	assert_equal "$3" "$("$JQ" -r "$2" "$TOLD/$1")"
}

# noted TEXT: in the session's notify.log.
noted()
{
	wait_until 20 grep -qF -e "$1" "$DIR/notify.log"
}

no_litter()
{
	! compgen -G "$TMPDIR/wisp-notify.*" >/dev/null
}

# No folder of a notification is left.
assert_no_litter()
{
	wait_until 10 no_litter
}

@test "notify: a question, with its choices, and the status of the session" {
	scenario_step 1 --state '{"status": "NEEDS_INPUT", "summary": "s", "question": "Which port?", "choices": ["8080", "9090"]}'
	work 10 1
	told needs_input '.event' needs_input
	told needs_input '.title' 'wisp: work asks a question'
	told needs_input '.text' 'Which port?
  1  8080
  2  9090'
	told needs_input '[.version, .branch, .session.status, .exit, .question.id] | tojson' '[1,"work","paused",10,"q-1"]'
	noted 'told needs_input'
	assert_no_litter
}

@test "notify: completed, blocked, stuck, a limit, an agent that cannot run" {
	scenario_step 1 --pass 1 --status DONE --promise
	work 0 1
	told completed '[.title, .tasks.passed] | tojson' '["wisp: work is completed",1]'
	place blocked
	scenario_step 1 --status BLOCKED --error 'no network'
	work 11 1
	told blocked .text 'no network'
	place limited
	rm -r "$WISP_REPLAY/1"
	scenario_step default --status CONTINUE
	work 13 1 --max-iterations 1
	told limit .exit 13
	place stuck
	OPTIONS+=(-c stuck.noProgress=1)
	work 12 1
	told stuck .title 'wisp: stuck is stuck'
	place broken
	scenario_step default --exit 1
	OPTIONS+=(-c retry.delay=0)
	work 16 1
	told agent .exit 16
}

@test "notify: a question that is waited for is told once, whatever is written meanwhile" {
	OPTIONS=(-c "notify.command=echo \"\$WISP_EVENT: \$WISP_TITLE: \$WISP_TEXT\" >>$TOLD/lines")
	scenario_step 1 --status NEEDS_INPUT --question 'Which port?'
	OPTIONS+=(-c input.timeout=600)
	begin 1 --wait
	wait_until 10 grep -q 'waiting for the answer' "$BATS_TEST_TMPDIR/loop.log"
	echo '{' >"$DIR/response.json"
	wait_until 10 grep -q 'response.json is not valid yet' "$BATS_TEST_TMPDIR/loop.log"
	expect 0 wisp pause
	ends 15
	noted 'told needs_input'
	assert_equal 'needs_input: wisp: work asks a question: Which port?' "$(<"$TOLD/lines")"
}

@test "notify: a usage limit that is waited for is told, with its end" {
	scenario_step 1 --output "$(stream limit "$(($(date +%s) + 5000))")" --exit 1
	printf '#!/bin/sh\n# Format: claude\nexec "%s/libexec/agents/replay" "$@"\n' "$ROOT" >limited
	chmod +x limited
	scenario_tasks 1 >"$BATS_TEST_TMPDIR/tasks.json"
	background wisp "${OPTIONS[@]}" run work --agent ./limited --tasks "$BATS_TEST_TMPDIR/tasks.json"
	told limit '.text | test("until 20")' true
	expect 0 wisp stop --now
	ends 15
}

@test "notify: a command that hangs delays nothing, holds no lock, and is ended with its limit" {
	OPTIONS=(-c "notify.command=echo \$\$ >$TOLD/pid; ls -l /proc/\$\$/fd >$TOLD/fds; trap '' TERM HUP INT; while :; do sleep 0.1; done")
	scenario_step 1 --status NEEDS_INPUT --question 'Which port?'
	scenario_step 2 --pass 1 --status DONE --promise
	work 10 1
	wait_until 10 test -s "$TOLD/fds"
	run ! grep -e "$WISP_HOME" "$TOLD/fds"
	wisp answer 8080
	OPTIONS=()
	again 0
	wait_until 40 gone "$(<"$TOLD/pid")"
	noted 'FAILED needs_input: '
	assert_no_litter
}

@test "notify: at most three at once; a fourth is noted, not started" {
	OPTIONS=(-c "notify.command=echo x >>$TOLD/started; until test -e $TOLD/go; do sleep 0.05; done" -c input.timeout=600)
	for n in 1 2 3 4; do
		scenario_step "$n" --status NEEDS_INPUT --question "Question $n?"
	done
	scenario_step 5 --pass 1 --status DONE --promise
	begin 1 --wait
	for n in 1 2 3 4; do
		wait_until 10 grep -q "Question $n?" "$BATS_TEST_TMPDIR/loop.log"
		wait_until 10 has_waited "$n"
		wisp answer "answer $n"
	done
	ends 0
	noted 'FAILED needs_input: 3 notifications are still running'
	assert_equal 3 "$(wc -l <"$TOLD/started" | tr -d ' ')"
	touch "$TOLD/go"
	assert_no_litter
}

@test "notify: a command that fails is noted with its reason; the run ends as it would" {
	OPTIONS=(-c 'notify.command=echo "no such host" >&2; exit 7')
	scenario_step 1 --pass 1 --status DONE --promise
	work 0 1
	noted 'FAILED completed: '
	noted '(notify.command: echo "no such host" >&2; exit 7)'
	assert_no_litter
}

@test "notify: what an agent put in the place of the notes is not written through" {
	ln -s "$BATS_TEST_TMPDIR/elsewhere" "$BATS_TEST_TMPDIR/link"
	scenario_step 1 --effects 'ln -s ../../../../../elsewhere "$WISP_SESSION_DIR/notify.log"' --pass 1 --status DONE --promise
	work 0 1
	noted 'told completed'
	[[ ! -e $BATS_TEST_TMPDIR/elsewhere && ! -L $DIR/notify.log ]]
}

@test "notify: run --json is one document, and nobody waits for the command to close it" {
	OPTIONS=(-c "notify.command=until test -e $TOLD/go; do sleep 0.05; done")
	scenario_step 1 --pass 1 --status DONE --promise
	scenario_tasks 1 >"$BATS_TEST_TMPDIR/tasks.json"
	wisp "${OPTIONS[@]}" run work --agent replay --tasks "$BATS_TEST_TMPDIR/tasks.json" --json </dev/null 2>/dev/null | cat >"$BATS_TEST_TMPDIR/report"
	assert_equal 0 "$("$JQ" .exit "$BATS_TEST_TMPDIR/report")"
	[[ ! -e $DIR/notify.log ]]
	touch "$TOLD/go"
	noted 'told completed'
}

# --- the commands that ship -------------------------------------------------

# stub NAME: a program in PATH that notes its arguments, a line each, and its input.
stub()
{
	mkdir -p "$BATS_TEST_TMPDIR/stubs"
	printf '#!/bin/sh\nprintf "%%s\\n" "$@" >%q\ncat >%q\n%s\n' "$TOLD/$1.args" "$TOLD/$1.input" "${2-}" >"$BATS_TEST_TMPDIR/stubs/$1"
	chmod +x "$BATS_TEST_TMPDIR/stubs/$1"
	PATH=$BATS_TEST_TMPDIR/stubs:$PATH
}

# asked COMMAND: a question is told by it, and that goes well.
asked()
{
	OPTIONS=(-c "notify.command=$1")
	scenario_step 1 --status NEEDS_INPUT --question 'a <b> & $(c)?'
	work 10 1
	noted 'told needs_input'
}

@test "notify: wisp-notify-desktop, by notify-send or osascript" {
	stub notify-send
	asked wisp-notify-desktop
	assert_equal '--app-name=wisp
--urgency=critical
--
wisp: work asks a question
a &lt;b&gt; &amp; $(c)?' "$(<"$TOLD/notify-send.args")"
}

@test "notify: wisp-notify-webhook posts the document, and keeps an address in a file secret" {
	stub curl "cat <&3 >'$TOLD/curl.config'"
	echo 'https://example.org/hook?key=secret' >"$BATS_TEST_TMPDIR/hook"
	asked "wisp-notify-webhook @$BATS_TEST_TMPDIR/hook"
	assert_lacks "$(<"$TOLD/curl.args")" secret
	assert_equal 'url = "https://example.org/hook?key=secret"' "$(<"$TOLD/curl.config")"
	assert_equal needs_input "$("$JQ" -r .event "$TOLD/curl.input")"
}

@test "notify: wisp-notify-mail, by sendmail" {
	stub sendmail
	asked 'wisp-notify-mail me@example.org'
	assert_equal 'To: me@example.org
Subject: wisp: work asks a question
Content-Type: text/plain; charset=utf-8

a <b> & $(c)?' "$(<"$TOLD/sendmail.input")"
}

@test "notify: the bell and the window's title are a terminal's, and not with --plain" {
	scenario_step 1 --status NEEDS_INPUT --question 'Which port?'
	scenario_tasks 1 >"$BATS_TEST_TMPDIR/tasks.json"
	run script -qec "stty -echo; TERM=xterm wisp run work --foreground --agent replay --tasks $BATS_TEST_TMPDIR/tasks.json --no-wait" /dev/null </dev/null
	assert_contains "$output" $'\a'
	assert_contains "$output" $'\033]2;wisp: work 1/50\a'
	assert_contains "$output" $'\033]2;wisp: work asks\a'
	for terminal in 'TERM=dumb' 'TERM=xterm PLAIN=--plain'; do
		run script -qec "stty -echo; env $terminal sh -c 'wisp resume work --foreground --no-wait \$PLAIN'" /dev/null </dev/null
		assert_contains "$output" 'Which port?'
		assert_contains "$output" $'\a'
		assert_lacks "$output" $'\033]'
	done
}

@test "notify: a question that asks for approval is a gate: told as one, shown with what it is about, answered by its choices" {
	OPTIONS=(-c "notify.command=echo \"\$WISP_EVENT: \$WISP_TITLE\" >>$TOLD/lines")
	scenario_step 1 --state '{"status": "NEEDS_INPUT", "summary": "s", "question": "Does it look right?",
		"gate": {"type": "visual-review", "description": "the page", "artifacts": ["shots/home.png"]}}'
	scenario_step 2 --pass 1 --status DONE --promise
	work 10 1
	assert_contains "$output" 'shots/home.png'
	assert_contains "$output" '1  approve'
	noted 'told gate'
	assert_equal 'gate: wisp: work asks for approval' "$(<"$TOLD/lines")"
	assert_equal visual-review "$(wisp status --json | "$JQ" -r .question.gate.type)"
	expect 0 wisp answer 1
	again 0
	assert_contains "$(prompt 0002)" 'approve'
}
