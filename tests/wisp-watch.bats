#!/usr/bin/env bats
# wisp watch: all sessions on one screen. The terminal is one of tmux: keys are
# sent, and the screen is read until it shows what it should.

load helper
load helper-scenario
load helper-session
load e2e/helper-e2e

readonly TWO='[{"category": "setup", "description": "lay the ground", "steps": [], "passes": true},
  {"category": "feature", "description": "build the house", "steps": [], "passes": false}]'
readonly PORT='{"id": "q-3", "question": "Which port?", "choices": ["8080", "9090"], "iteration": 3,
  "asked_at": "2026-01-16T10:09:00Z", "stamp": ""}'

teardown()
{
	end_tmux
	session_drop
	[[ -z $LOOP ]] || kill -KILL "$LOOP" 2>/dev/null || :
	helper_teardown
}

# sessions: some of each kind, in two projects, at 10:13.
sessions()
{
	export WISP_NOW=1768558385000
	make_repo shop
	cd shop || return
	session_make ask status=paused pause=needs_input count=3 question="$PORT" tasks="$TWO" worktree=/w/ask \
		history="[$(session_entry 3 summary='laid the ground')]"
	session_make done status=completed count=3 exit=0 worktree=/w/done
	session_make run status=running count=4 tasks="$TWO" phases='{"current_phase": "GREEN"}' worktree=/w/run more='"sandbox": "bwrap",' \
		step='{"iteration": 4, "name": "0004", "stage": "begun", "started_at": "2026-01-16T10:02:00Z"}'
	session_hold
	make_repo ../west
	cd ../west || return
	session_make stuck status=halted halt='no task newly passed' count=5 exit=12 worktree=/w/stuck
	session_make wait status=paused pause=usage count=2 worktree=/w/wait more='"limits": {"hourly": {"calls_made": 0, "limit": 100,
		"next_reset": null}, "usage": {"detected": true, "detected_at": "2026-01-16T10:00:00Z",
		"resume_at": "2026-01-16T14:05:00Z", "waiting": true, "kind": "five_hour", "waits": 1}},'
	cd ..
}

# open WIDTH HEIGHT [COMMAND]: in a terminal of that size; its code goes to the file `code`, the terminal's state to `modes`.
open()
{
	rm -f "$BATS_TEST_TMPDIR/code"
	cat >"$BATS_TEST_TMPDIR/typed" <<-END
		echo before the screen
		${3:-wisp watch}
		echo \$? >$BATS_TEST_TMPDIR/code.new
		stty -a >$BATS_TEST_TMPDIR/modes
		mv $BATS_TEST_TMPDIR/code.new $BATS_TEST_TMPDIR/code
		exec sleep 60
	END
	tmux -u -f /dev/null new-session -d -x "$1" -y "$2" "bash --norc $BATS_TEST_TMPDIR/typed" 3>&-
}

screen()
{
	tmux capture-pane -p
}

shows()
{
	[[ $(screen) == *"$1"* ]]
}

shows_not()
{
	! shows "$1"
}

sees()
{
	local text

	for text; do
		wait_until 20 shows "$text" || fail "$(screen)"
	done
}

press()
{
	tmux send-keys "$@"
}

is_screen()
{
	[[ $(screen) == "$1" ]]
}

sees_screen()
{
	wait_until 20 is_screen "$1" || assert_equal "$1" "$(screen)"
}

# ended CODE: with the terminal as it was.
ended()
{
	wait_until 20 test -e "$BATS_TEST_TMPDIR/code" || fail "$(screen)"
	assert_equal "$1" "$(<"$BATS_TEST_TMPDIR/code")"
	assert_contains " $(<"$BATS_TEST_TMPDIR/modes")" ' icanon'
	assert_contains " $(<"$BATS_TEST_TMPDIR/modes")" ' echo '
	assert_contains " $(<"$BATS_TEST_TMPDIR/modes")" 'susp = ^Z'
	assert_equal 1 "$(tmux display-message -p '#{cursor_flag}')"
	assert_equal 0 "$(tmux display-message -p '#{alternate_on}')"
}

readonly TABLE='  BRANCH   PROJECT  STATUS  PROGRESS             TASKS      ITER AGE  COST
> ask      shop     paused  ##########---------- 1/2        3/50  3m $1.93
  stuck    west     halted                       0/0        5/50  3m $1.93
    no task newly passed
  run      shop     running ##########---------- GREEN 0/10 4/50  3m $1.93
  wait     west     paused                       0/0        2/50  3m $1.93
    waits for the usage limit until 14:05'
readonly SMALL="wisp: 4 sessions, 1 waiting for an answer, 1 running, 1 completed hidden   10:13
$TABLE

--------------------------------------------------------------------------------
asks      Which port?
          1 8080
          2 9090
next      2 build the house
last      laid the ground
spent     \$1.93 of \$20, 13m32s in 3 agent calls
left      47 iterations, 3h46m, \$18.07, 100 calls this hour
where     /w/ask





l log  a answer  p pause  r resume  / filter  c completed  ? help  q quit"

@test "watch: the screen in 80x24, one session after the other, and the terminal as it was" {
	sessions
	open 80 24
	sees_screen "$SMALL"
	press j
	sees '> stuck    west' 'status    halted: no task newly passed'
	press Down
	sees '> run      shop' 'status    running' 'step      of iteration 4 runs since 10:02' 'confined  bwrap' 'where     /w/run'
	press G
	sees '> wait     west' 'status    paused: waits for the usage limit until 14:05'
	press k
	sees '> run      shop'
	press Home q
	ended 0
	sees 'before the screen'
}

@test "watch: the screen in 200x50 has what is asked beside the session" {
	sessions
	open 200 50
	sees '  BRANCH   PROJECT  STATUS  PROGRESS             TASKS      ITER AGE  COST'
	assert_equal '> ask      shop     paused  ##########---------- 1/2        3/50  3m $1.93
  stuck    west     halted                       0/0        5/50  3m $1.93 no task newly passed
  run      shop     running ##########---------- GREEN 0/10 4/50  3m $1.93
  wait     west     paused                       0/0        2/50  3m $1.93 waits for the usage limit until 14:05' \
		"$(screen | sed -n 3,6p)"
	assert_equal 'where     /w/ask' "$(screen | grep where)"
	assert_equal 'wisp: 4 sessions, 1 waiting for an answer, 1 running, 1 completed hidden' "$(screen | sed -n 's/  *10:13$//p')"
}

@test "watch: 20x5 has the session and its question; a terminal that grows is filled, and back" {
	sessions
	open 20 5
	sees_screen 'wisp: 4 sessions, 1~
> ask      paused
  stuck    halted
Which port?
? help  q quit'
	press j j
	sees_screen 'wisp: 4 sessions, 1~
  stuck    halted
> run      running
running
? help  q quit'
	tmux resize-window -x 80 -y 24
	sees '> run      shop     running ##########----------'
	press Home
	sees_screen "$SMALL"
	tmux resize-window -x 20 -y 5
	sees '> ask      paused'
}

@test "watch: what is completed in the second in which it is opened is shown" {
	sessions
	export WISP_NOW=1768558200999
	open 120 40
	sees '5 sessions' '  done     shop     completed'
}

@test "watch: / filters, c shows completed ones, Esc all again" {
	sessions
	open 120 40
	sees '4 sessions' '1 completed hidden'
	press c
	sees '5 sessions' '  done     shop     completed'
	shows_not hidden
	press c
	sees '4 sessions' '1 completed hidden'
	press /
	press -l WEST
	sees 'wisp: /WEST: 2 sessions, 0 running' '> stuck    west'
	shows_not shop
	press -l q
	sees 'wisp: /WESTq: 0 sessions' 'no session matches: Esc shows all' '/WESTq'
	press BSpace Enter
	sees 'wisp: /WEST: 2 sessions' '? help  q quit'
	press Escape
	sees 'wisp: 4 sessions' '> stuck    west'
	press / C-u Escape
	sees '? help  q quit'
}

@test "watch: every key is in its help, on one screen" {
	local key

	open 80 24
	sees 'no sessions yet'
	press '?'
	sees 'Any key goes back.'
	for key in 'Up Down j k' 'PgUp PgDn' Home 'End G' / Esc c 'Enter l' a y g p s r t Ctrl-L q; do
		shows "$key" || fail "$key"
	done
}

@test "watch: blocks and wide characters where the locale has them" {
	locale -a 2>/dev/null | grep -qix 'c.utf-\?8' || skip "no UTF-8 locale"
	sessions
	cd shop
	session_make ask status=paused pause=needs_input count=3 worktree=/w tasks="$TWO" \
		question='{"id": "q-3", "question": "日本語 größer?", "choices": null, "iteration": 3, "asked_at": null}'
	export LC_ALL=C.UTF-8
	open 40 12
	sees '> ask      paused  1/2        3/50  3m' 'asks      日本語 größer?' '────────────────────────────────────────'
	press q
	ended 0
	export COLUMNS=80
	run -0 wisp watch --once
	assert_contains "$output" '██████████░░░░░░░░░░ 1/2'
	LC_ALL=C run -0 wisp watch --once
	assert_contains "$output" 'asks: ??? gr??er?'
	assert_contains "$output" '##########---------- 1/2'
}

@test "a terminal of 40 columns: status, log and the doctor break their lines at words" {
	sessions
	cd shop
	session_make ask status=paused pause=needs_input count=3 tasks="$TWO" question="$PORT" \
		worktree=/w/a/path/that/is/wider/than/the/terminal history="[$(session_entry 3 summary='laid the ground for the house, and looked at the plans')]"
	open 40 24 'wisp status ask'
	sees '  last      laid the ground for the
            house, and looked at the
            plans'
	tmux capture-pane -pJ | grep -qx '  where     /w/a/path/that/is/wider/than/the/terminal' # to be copied
	ended 0
	end_tmux
	open 40 24 'wisp log ask --short'
	sees '  summary   laid the ground for the
            house, and looked at the'
	ended 0
	end_tmux
	wisp config agent.default replay
	open 40 60 'wisp doctor --agent nothing'
	sees "FAIL agent: no agent 'nothing'" '15 checks, 1 warn, 1 FAIL: a run cannot'
	assert_lacks "$(screen)" "$HOME/"
	screen | awk 'length > 40 { exit 1 }'
	assert_contains "$(tmux capture-pane -pe | grep FAIL)" $'\033['
	ended 1
}

@test "watch: no colour with NO_COLOR or in a vt100, some else; no control character of the data comes through" {
	sessions
	cd shop
	session_make ask status=paused pause=needs_input count=3 worktree=/w reason='a\u001b]0;owned\u0007b\u009b31m' \
		question='{"id": "q-3", "question": "a\u001b[31mb\u0007\u009b7mc\rd\u202ee", "choices": ["\u001b[2J"], "iteration": 3}'
	open 80 24
	sees 'asks      a [31mb 7mc d?e' '1 [2J'
	tmux capture-pane -pe >seen
	assert_contains "$(<seen)" $'\033[32m'
	assert_lacks "$(<seen)" $'\033[33m' # yellow is hard to read on a light background
	press j
	sees '> stuck '
	tmux capture-pane -pe >seen
	grep '> stuck' seen | grep -q '7[;m].*31m' || fail "$(cat -v seen)" # selected, and still as halted
	assert_lacks "$(<seen)" $'\033[31mb'
	assert_lacks "$(tmux display-message -p '#{pane_title}')" owned
	press q
	ended 0
	end_tmux
	open 80 24 'NO_COLOR=1 wisp watch'
	sees '> ask '
	assert_lacks "$(tmux capture-pane -pe)" $'\033[32m'
	end_tmux
	open 80 24 'TERM=vt100 wisp watch'
	sees '> ask ' 'q quit'
	assert_lacks "$(tmux capture-pane -pe)" $'\033[32m'
	press j
	sees '> stuck '
	press q
	ended 0
}

@test "watch: signals, Ctrl-C and Ctrl-Z leave the terminal as it was" {
	local code name

	sessions
	while read -r code name; do
		open 80 24 'bash -c "echo \$\$ >pid; exec wisp watch"'
		sees 'q quit'
		kill "-$name" "$(<pid)"
		ended "$code"
		end_tmux
	done <<-'END'
		143 TERM
		129 HUP
		131 QUIT
	END
	open 80 24
	sees 'q quit'
	press C-c
	ended 130
	end_tmux
	open 80 24 'set -m; wisp watch; stty -a >stopped; fg >/dev/null'
	sees 'q quit'
	press C-z
	wait_until 20 test -s stopped
	assert_contains " $(<stopped)" ' icanon'
	assert_contains " $(<stopped)" ' echo '
	press j
	sees '> stuck '
	press q
	ended 0
}

@test "watch: a terminal that is closed ends it" {
	sessions
	export ASAN_OPTIONS=detect_leaks=0 # it hangs where there is no terminal to report to
	open 80 24 'bash -c "echo \$\$ >pid; exec wisp watch"'
	sees 'q quit'
	tmux kill-server
	wait_until 20 gone "$(<pid)"
}

@test "watch: without a terminal that will do it says so" {
	run -100 --separate-stderr wisp watch </dev/null
	assert_stderr 'wisp watch: there is no terminal here; use --plain, --once or `wisp list --all`'
	open 80 24 'TERM=dumb wisp watch'
	sees "wisp watch: the terminal 'dumb' lacks cursor control; use --plain, --once or"
	ended 100
	end_tmux
	open 80 24 'TERM=nonsense wisp watch'
	sees "wisp watch: the terminal 'nonsense' is not known here"
	ended 100
	end_tmux
	open 80 24 'env -u TERM wisp watch'
	sees 'wisp watch: TERM is not set'
	ended 100
	run -100 --separate-stderr wisp watch --plain --once
	assert_stderr 'wisp watch: --plain and --once exclude each other'
	run -100 wisp watch main
	run -100 wisp watch --json
}

@test "watch: what changes is seen: sessions that come and go, one whose loop dies" {
	make_repo shop
	cd shop
	open 80 24
	sees 'wisp: 0 sessions, 0 running' 'no sessions yet: `wisp plan` and `wisp run` make them'
	press a
	sees 'there is no session'
	session_make b status=running count=1
	sees '> b '
	session_hold
	sees '1 running'
	session_make a count=2
	sees '> b ' '  a ' 'wisp: 2 sessions, 1 running'
	session_drop
	sees 'stale'
	rm -r "$STATE"
	sees 'wisp: 1 session, 0 running'
	press '?'
	sees 'Any key goes back.'
	press x
	sees '> b '
}

@test "watch: an answer, by its number, to a loop that waits for it" {
	project
	scenario_step 1 --state '{"status": "NEEDS_INPUT", "summary": "s", "question": "Which port?", "choices": ["8080", "the usual one"]}'
	scenario_step 2 --status DONE --pass 1 --effects 'echo x >one' --commit one --promise
	begin 1 --wait
	open 80 24
	sees 'asks      Which port?' '1 8080' '2 the usual one'
	press a
	sees 'answer work:'
	press Escape
	sees 'q quit'
	press a
	press 'no' BSpace BSpace 2
	sees 'answer work: 2'
	press Enter
	sees 'the usual one'
	ends 0
	sees 'completed'
	assert_contains "$(prompt 0002)" 'the usual one'
	press a
	sees 'work asks nothing'
}

@test "watch: y approves at a gate, and nothing else" {
	project
	scenario_step 1 --state '{"status": "NEEDS_INPUT", "summary": "s", "question": "Does it look right?", "gate": {"type": "visual-review"}}'
	scenario_step 2 --status NEEDS_INPUT --question 'Which port?'
	begin 1 --wait
	open 80 24
	sees 'asks      Does it look right?' '1 approve' '2 reject'
	press y
	sees 'asks      Which port?'
	assert_contains "$(prompt 0002)" 'approve'
	press y
	sees 'work asks for no approval'
	[[ ! -e $DIR/response.json ]]
}

@test "watch: an answer only to the question that was shown, and not an empty one" {
	sessions
	cd shop
	open 80 24
	sees '1 8080'
	press a
	sees 'answer ask:'
	press Enter
	sees 'nothing was sent'
	press a 1
	sees 'answer ask: 1'
	session_make ask status=paused pause=needs_input count=4 question="${PORT//q-3/q-4}" worktree=/w
	press Enter
	sees 'nothing was sent: that question is not open any more'
	[[ ! -e $DIR/response.json ]]
	press a
	press -l -- '-1 "$x" '
	press Enter
	wait_until 20 test -e "$DIR/response.json"
	assert_equal '-1 "$x" ' "$("$JQ" -r .response "$DIR/response.json")"
	sees 'answered'
}

@test "watch: guidance, and a pause after the step" {
	project
	scenario_step 1 --effects "until [[ -e $BATS_TEST_TMPDIR/go ]]; do sleep 0.1; done" --status CONTINUE
	begin 1
	open 80 24
	sees '1 running' 'step      of iteration 1 runs'
	press g
	press -l -- '-use the old API'
	press Enter
	sees 'guidance queued for the next step of work'
	press p
	sees 'after this step (iteration 1)'
	: >"$BATS_TEST_TMPDIR/go"
	ends 15
	sees 'status    paused'
	press p
	sees 'no loop of work is running'
	scenario_step default --status DONE --pass 1 --effects 'echo x >one' --commit one --promise
	again 0
	assert_contains "$(prompt 0002)" '-use the old API'
	sees completed
}

@test "watch: resume is in the background; what another command refuses is seen" {
	project
	scenario_step 1 --status CONTINUE
	scenario_step default --status DONE --pass 1 --effects 'echo x >one' --commit one --promise
	work 15 1 --once
	open 80 24
	sees '> work' 'paused'
	press t
	sees 'no loop of work is running' 'Enter goes back to the sessions.'
	press Enter
	sees '> work' 'q quit'
	press r
	sees 'completed' ' 1/1'
	press r
	sees 'the session work is completed'
}

@test "watch: stop asks first, and stops at once" {
	project
	scenario_step 1 --delay 60
	begin 1
	open 80 24
	sees '1 running'
	press s
	sees 'stop work at once? y/n'
	press n
	sees 'q quit'
	press s
	sees 'stop work at once? y/n'
	press y
	ends 15
	sees 'has ended' 'paused'
}

@test "watch: the log is a screen of its own, follows what comes, and q comes back" {
	project
	scenario_step 1 --effects "until [[ -e $BATS_TEST_TMPDIR/go ]]; do sleep 0.1; done" --output 'a line of output' \
		--status DONE --pass 1 --effects 'echo x >one' --commit one --promise
	begin 1
	open 80 24
	sees '1 running'
	press Enter
	sees 'log of work' 'iteration 1' 'q back'
	press q
	sees '> work' '? help  q quit'
	press l
	sees 'log of work' 'iteration 1'
	press C-c
	sees '> work' '? help  q quit'
	press l
	sees 'log of work' 'iteration 1'
	: >"$BATS_TEST_TMPDIR/go"
	sees 'a line of output'
	ends 0
	press q
	sees '> work' 'completed'
	press q
	ended 0
}

@test "watch: --plain says each change in a line" {
	sessions
	cd shop
	wisp watch --plain >"$BATS_TEST_TMPDIR/lines" 3>&- &
	OTHER=$!
	wait_until 20 grep -q wait "$BATS_TEST_TMPDIR/lines"
	assert_equal '10:13 shop ask: paused, iteration 3 of 50, tasks 1/2, $1.93; asks: Which port?
10:13 shop done: completed, iteration 3 of 50, $1.93
10:13 shop run: running, phase GREEN, iteration 4 of 50, tasks 1/2, $1.93
10:13 west stuck: halted, iteration 5 of 50, $1.93; no task newly passed
10:13 west wait: paused, iteration 2 of 50, $1.93; waits for the usage limit until 14:05' "$(<"$BATS_TEST_TMPDIR/lines")"
	session_make done status=completed count=3 exit=0 worktree=/elsewhere
	session_make ask status=paused count=4 tasks="$TWO" worktree=/w pause='a\u001b[1mb'
	wait_until 20 grep -q 'ask: paused, iteration 4 of 50' "$BATS_TEST_TMPDIR/lines"
	rm -r "$STATE"
	wait_until 20 grep -q 'shop ask: removed' "$BATS_TEST_TMPDIR/lines"
	assert_equal '10:13 shop ask: paused, iteration 4 of 50, tasks 1/2, $1.93; a [1mb
10:13 shop ask: removed' "$(sed 1,5d "$BATS_TEST_TMPDIR/lines")"
	kill "$OTHER"
	status=0
	wait "$OTHER" || status=$?
	assert_equal 143 "$status"
}

@test "watch: --once prints the table, of no session nothing" {
	run -0 --separate-stderr wisp watch --once
	assert_output ''
	sessions
	export COLUMNS=80
	run -0 --separate-stderr wisp watch --once
	assert_output '  BRANCH   PROJECT  STATUS    PROGRESS             TASKS      ITER AGE  COST
? ask      shop     paused    ##########---------- 1/2        3/50  3m $1.93
    asks: Which port?
  stuck    west     halted                         0/0        5/50  3m $1.93
    no task newly passed
  run      shop     running   ##########---------- GREEN 0/10 4/50  3m $1.93
  wait     west     paused                         0/0        2/50  3m $1.93
    waits for the usage limit until 14:05
  done     shop     completed                      0/0        3/50  3m $1.93'
	assert_stderr ''
}
