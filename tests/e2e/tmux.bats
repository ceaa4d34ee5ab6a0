#!/usr/bin/env bats
# The loop in its tmux: started, left, joined, killed; what its panes get to know;
# and what is left of it at the end: nothing.

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
	touch "$BATS_TEST_TMPDIR/go"
	end_tmux
	if [[ -n $LOOP ]]; then
		kill -KILL "$LOOP" 2>/dev/null || :
	fi
	helper_teardown
}

# held N [OPTION]...: step N says that it has begun, and waits for `go`.
held()
{
	local n=$1
	shift

	scenario_step "$n" --effects "touch '$BATS_TEST_TMPDIR/begun'; until test -e '$BATS_TEST_TMPDIR/go'; do sleep 0.05; done" "$@"
}

# two: a session of two steps, the first of which is held.
two()
{
	held 1 --pass 1 --status CONTINUE
	scenario_step 2 --pass '1 2' --status DONE --promise
}

# run_typed [OPTION]...: `wisp run` at a terminal; waits until the step has begun.
run_typed()
{
	scenario_tasks 2 >"$BATS_TEST_TMPDIR/tasks.json"
	typed wisp run "$BRANCH" --agent replay --tasks "$BATS_TEST_TMPDIR/tasks.json" "$@"
	begun
}

begun()
{
	wait_until 20 test -e "$BATS_TEST_TMPDIR/begun" || fail "$(screen)"
}

go()
{
	touch "$BATS_TEST_TMPDIR/go"
}

state_home()
{
	wisp-session find "$BRANCH" | sed -n 's/^home=//p'
}

# server ARGUMENT...: the session's tmux.
server()
{
	tmux -L "$(wisp-session -C "$DIR" server)" "$@"
}

alive()
{
	wisp-session -C "$DIR" owner >/dev/null
}

ended()
{
	! alive
}

sockets()
{
	local socket

	for socket in "$TMUX_TMPDIR"/tmux-*/wisp-*; do
		[[ ! -e $socket ]] || printf '%s\n' "$socket"
	done
}

# No server of the session runs, and none has left its socket.
nothing_left()
{
	[[ -z $(sockets) && -z $(pgrep -f -- "-L $(wisp-session -C "$DIR" server)") ]]
}

assert_nothing_left()
{
	wait_until 10 nothing_left || fail "$(sockets)" "$(pgrep -af tmux)"
}

# --- start, leave, join -------------------------------------------------------

@test "tmux: a run at a terminal is shown there, and exits with the loop's code" {
	two
	run_typed
	sees 'wisp: [1/50] replay' '/50]  0/2 tasks  running' 'C-b C-b d: leave'
	server list-panes -t '=loop:=loop'
	session .status running
	go
	sees_end 0
	assert_contains "$(screen)" 'work: completed'
	assert_lacks "$(screen)" 'C-b d'
	assert_nothing_left
}

@test "tmux: the code is the loop's, whatever it is" {
	scenario_step 1 --status BLOCKED --error 'no network'
	scenario_tasks 1 >tasks.json
	typed wisp run "$BRANCH" --agent replay --tasks tasks.json
	sees_end 11
	assert_contains "$(screen)" 'no network'
	assert_nothing_left
	typed wisp resume "$BRANCH" --max-iterations 1
	sees_end 13
	assert_nothing_left
}

@test "tmux: the person leaves, the loop goes on" {
	two
	run_typed
	sees 'C-b C-b d: leave'
	press C-b d
	sees_end 0
	sees 'the loop of work runs on; `wisp attach work` comes back to it'
	alive
	go
	wait_until 20 ended
	session .status completed
	assert_nothing_left
}

@test "tmux: joined again, it exits with the loop's code" {
	scenario_step 2 --status BLOCKED --error 'no network'
	held 1 --pass 1 --status CONTINUE
	run_typed
	sees 'C-b C-b d: leave'
	press C-b d
	sees_end 0
	typed wisp attach
	sees 'wisp: [1/50] replay' '0/2 tasks  running'
	go
	sees_end 11
	assert_contains "$(screen)" 'no network'
	expect 1 wisp attach
	assert_contains "$output" 'wisp attach: no loop of work is running; `wisp resume work` goes on'
	assert_nothing_left
}

@test "tmux: a client that is killed, a terminal that is closed: the loop goes on" {
	two
	run_typed
	sees 'C-b C-b d: leave'
	typed wisp attach
	sees '0/2 tasks  running'
	kill -KILL "$(server list-clients -F '#{client_activity} #{client_pid}' | sort -n | sed -n '$s/.* //p')"
	sees 'the loop of work runs on'
	TERMINAL=1
	terminal kill-server
	wait_until 10 no_client
	alive
	go
	wait_until 20 ended
	session .status completed
	calls 2
	assert_nothing_left
}

no_client()
{
	[[ -z $(server list-clients) ]]
}

@test "tmux: two terminals show the same loop, -r only looks" {
	two
	run_typed
	sees 'C-b C-b d: leave'
	typed wisp attach -r
	sees '0/2 tasks  running'
	# What comes within a millisecond tmux takes for pasted text, which is no command.
	tmux -S "$(sockets)" set-option -g assume-paste-time 0
	press C-c
	press C-b d
	sees_end 0
	alive
	TERMINAL=1
	go
	sees_end 0
	session .status completed
}

@test "tmux: Ctrl-C ends the loop as in the foreground" {
	two
	run_typed
	sees 'C-b C-b d: leave'
	press C-c
	sees_end 130
	assert_contains "$(screen)" 'INT: ending the step, saving the state'
	session .status paused
	assert_nothing_left
}

@test "tmux: the options of the command hold in the pane" {
	scenario_step default --pass 1 --status CONTINUE
	scenario_tasks 2 >tasks.json
	typed wisp -c verify.command=true run "$BRANCH" --agent replay --tasks tasks.json --once --max-iterations 7 --guide "it's \$(new)"
	sees_end 15
	assert_contains "$(screen)" 'wisp: [1/7] replay'
	assert_contains "$(screen)" 'verify passed'
	assert_contains "$(prompt 0001)" "it's \$(new)"
	calls 1
}

# --- --detach -------------------------------------------------------------------

@test "tmux: --detach returns once the loop has started, without a terminal too" {
	two
	work 0 2 --detach
	assert_output 'the loop of work has started; `wisp attach work` joins it, `wisp log -f work` shows what it does'
	alive
	begun
	again 17
	assert_contains "$output" 'wisp resume: the session work is already running: process '
	assert_contains "$output" 'wisp resume: `wisp attach work` joins it'
	expect 100 wisp attach
	assert_contains "$output" 'a terminal is needed'
	go
	wait_until 20 ended
	session .status completed
	assert_nothing_left
	again 0 --detach
	assert_contains "$output" 'wisp: the session work is completed'
	assert_nothing_left
}

@test "tmux: --detach passes on why a loop does not start" {
	scenario_step 1 --status BLOCKED --error 'no network'
	work 11 1
	expect 11 wisp run --detach
	assert_contains "$output" 'wisp: the session work is halted: '
	assert_nothing_left
	expect 100 wisp resume --detach --foreground
	assert_contains "$output" '--detach and --foreground exclude each other'
	expect 100 wisp resume --detach --json
	expect 16 wisp resume --detach --agent ./none
	calls 1
	assert_nothing_left
}

@test "tmux: a question keeps a detached loop waiting" {
	scenario_step 1 --status NEEDS_INPUT --question 'Which port?'
	scenario_step 2 --pass 1 --status DONE --promise
	work 0 1 --detach
	wait_until 20 asks
	typed wisp attach
	sees 'Which port?' 'paused: asks'
	expect 0 wisp answer "$BRANCH" 8080
	sees_end 0
	assert_contains "$(prompt 0002)" 8080
}

asks()
{
	wisp-session -C "$DIR" question >/dev/null 2>&1
}

# --- where it runs ------------------------------------------------------------

@test "tmux: --foreground, --json and a terminal that can show nothing stay in the terminal" {
	two
	scenario_step default --pass '1 2' --status DONE --promise
	run_typed --foreground
	assert_equal '' "$(sockets)"
	expect 1 wisp attach
	assert_contains "$output" 'the loop of work does not run in tmux: process '
	press C-c
	sees_end 130

	held 2 --status CONTINUE
	rm "$BATS_TEST_TMPDIR/begun"
	typed env TERM=dumb wisp resume "$BRANCH"
	begun
	assert_equal '' "$(sockets)"
	press C-c
	sees_end 130

	go
	typed wisp resume "$BRANCH" --json
	sees_end 0
	assert_contains "$(screen)" '"result": "completed"'
	[[ ! -e $(state_home)/tmux ]]
}

@test "tmux: without tmux the loop runs in the terminal, and says what is missing" {
	hide_tmux
	HIDDEN=$ROOT/bin:$HIDDEN
	two
	go
	scenario_tasks 2 >tasks.json
	typed env PATH="$HIDDEN" wisp run "$BRANCH" --agent replay --tasks tasks.json
	sees_end 0
	assert_contains "$(screen)" 'wisp run: there is no tmux: the loop runs in this terminal, and ends with it'
	PATH=$HIDDEN expect 111 wisp resume --detach
	assert_contains "$output" '--detach needs tmux'
	PATH=$HIDDEN expect 1 wisp attach
	PATH=$HIDDEN SHELL=/bin/pwd expect 0 wisp shell
	assert_contains "$output" 'here: there is no tmux'
}

@test "tmux: one that does not start does not keep the loop from running" {
	two
	go
	scenario_tasks 2 >tasks.json
	typed env TMUX_TMPDIR=/dev/null wisp run "$BRANCH" --agent replay --tasks tasks.json
	sees_end 0
	assert_contains "$(screen)" 'tmux does not start, the loop runs in this terminal'
	TMUX_TMPDIR=/dev/null expect 111 wisp resume "$BRANCH" --detach
	assert_contains "$output" 'wisp resume: tmux does not start: '
}

@test "tmux: what can be asked before is asked in the person's terminal" {
	two
	go
	mkdir -p .wisp
	printf '[verify]\n\tcommand = true\n' >.wisp/config
	scenario_tasks 2 >tasks.json
	typed wisp run "$BRANCH" --agent replay --tasks tasks.json
	sees 'verify.command=true' 'Allow that? [y/N]'
	assert_equal '' "$(sockets)"
	press n Enter
	sees_end 100
	typed wisp run "$BRANCH" --agent replay --tasks tasks.json --detach
	sees 'Allow that? [y/N]'
	press y Enter
	sees_end 0
	wait_until 20 ended
	session .status completed
}

@test "tmux: TMUX set to nonsense breaks nothing" {
	local nonsense

	for nonsense in x ',,' '/dev/null,1,2' "/no where,a'b"; do
		place "work$((TERMINAL + 1))"
		scenario_new
		scenario_step 1 --status NEEDS_INPUT --question 'Which port?'
		scenario_step 2 --pass '1 2' --status DONE --promise
		TMUX=$nonsense work 10 2
		expect 0 wisp answer "$BRANCH" 8080
		typed env TMUX="$nonsense" wisp resume "$BRANCH"
		sees_end 0
		TMUX=$nonsense expect 1 wisp attach "$BRANCH"
		TMUX=$nonsense SHELL=/bin/pwd expect 0 wisp shell "$BRANCH"
	done
	assert_nothing_left
}

@test "tmux: a terminal of 20x5" {
	WIDTH=20 HEIGHT=5
	two
	run_typed
	sees 'work  ['
	go
	sees_end 0
	session .status completed
}

@test "tmux: any branch, any folder" {
	cd ..
	project "it's a \"pro ject\" #{x} %H)"
	place "feat/x.y'z\$(#1)"
	two
	run_typed
	sees "feat/x.y'z\$(#1)  [" '/50]  0/2 tasks  running'
	assert_lacks "$(wisp-session -C "$DIR" server)" y
	printf '#!/bin/sh\npwd >"%s"\n' "$BATS_TEST_TMPDIR/where" >"$BATS_TEST_TMPDIR/shell"
	chmod +x "$BATS_TEST_TMPDIR/shell"
	typed env SHELL="$BATS_TEST_TMPDIR/shell" wisp shell "$BRANCH"
	sees_end 0
	assert_equal "$TREE" "$(<"$BATS_TEST_TMPDIR/where")"
	expect 0 wisp stop --now "$BRANCH"
	TERMINAL=1
	sees_end 15
	assert_nothing_left
}

@test "tmux: names of servers differ where tmux would make two branches one" {
	local names

	for BRANCH in feat/x.y feat/x_y feat/x-y; do
		mkdir -p ".wisp/sessions/$BRANCH"
		wisp-session -C ".wisp/sessions/$BRANCH" server
	done >names
	names=$(sort -u names)
	assert_equal 3 "$(grep -c '^wisp-[0-9a-f]\{16\}$' <<<"$names")"
	run -100 --separate-stderr wisp-session -C .wisp server
}

# --- ends -----------------------------------------------------------------------

@test "tmux: a killed server ends the loop, state saved; resume goes on" {
	two
	run_typed
	sees 'C-b C-b d: leave'
	kill -KILL "$(server display-message -p '#{pid}')"
	sees_end 129
	wait_until 10 ended
	session .status paused
	go
	typed wisp resume "$BRANCH"
	sees_end 0
	session .status completed
	assert_nothing_left
}

@test "tmux: server and loop killed: stale, and resume goes on" {
	local owner

	two
	run_typed
	sees 'C-b C-b d: leave'
	owner=$(wisp-session -C "$DIR" owner | sed -n 's/^pid=//p')
	kill -KILL "$owner" "$(server display-message -p '#{pid}')"
	sees_end 129 137 # the pane may have had the time to say how the loop ended
	expect 0 wisp status
	assert_contains "$output" stale
	go
	again 0
	session .status completed
	assert_nothing_left
}

@test "tmux: pause, stop, stop --now and rm leave no server behind" {
	local verb

	scenario_step default --pass 1 --status CONTINUE --effects "touch '$BATS_TEST_TMPDIR/begun'" --delay 0.2
	OPTIONS=(-c stuck.noProgress=9)
	for verb in pause stop 'stop --now'; do
		rm -f "$BATS_TEST_TMPDIR/begun"
		if [[ $verb == pause ]]; then work 0 2 --detach; else again 0 --detach; fi
		begun
		# shellcheck disable=SC2086 # two words
		expect 0 wisp $verb
		[[ $verb != *now ]] || assert_equal '' "$(sockets)"
		wait_until 20 ended
		session .status paused || fail "after wisp $verb: $(<"$DIR/session.json")"
		assert_nothing_left
	done
	rm -f "$BATS_TEST_TMPDIR/begun"
	again 0 --detach
	expect 17 wisp rm "$BRANCH" --force
	expect 0 wisp stop --now
	expect 0 wisp rm "$BRANCH" --force
	assert_equal '' "$(sockets)"
}

# --- the shell ------------------------------------------------------------------

@test "shell: a window beside the loop, with the session's variables; its exit status is passed" {
	two
	run_typed
	sees 'C-b C-b d: leave'
	typed env HERE=own wisp shell
	sees '1:shell*'
	press 'pwd; echo "$WISP_BRANCH $HERE ${WISP_ITERATION-none}"; test "$WISP_TASKS_FILE" -ef '"'$DIR/tasks.json'"' && wisp-tasks count' Enter
	sees "$TREE" 'work own none' 'total=2'
	TERMINAL=1
	sees '0:loop*'
	TERMINAL=2
	press 'exit 7' Enter
	sees_end 7
	TERMINAL=1
	sees '0:loop*'
	go
	sees_end 0
	assert_nothing_left
}

@test "shell: left open it stays, also when the loop has ended, and takes the server with it" {
	two
	work 0 2 --detach
	begun
	typed wisp shell
	sees '1:shell*'
	press C-b d
	sees_end 0
	assert_contains "$(screen)" 'the shell stays open beside the loop of work'
	typed wisp attach
	sees '0:loop*'
	go
	sees_end 0
	assert_contains "$(screen)" 'work: completed'
	typed wisp attach
	sees '1:shell*'
	press 'wisp shell' Enter
	sees 'here: no loop runs in tmux'
	press 'exit 3' Enter
	press 'exit 4' Enter
	sees_end 0
	assert_contains "$(screen)" 'the loop of work has ended; this is a shell that was left open there'
	assert_nothing_left
}

@test "shell: a new loop joins a server that a shell has kept" {
	two
	work 0 2 --detach --once
	begun
	typed wisp shell
	sees '1:shell*'
	go
	wait_until 20 ended
	typed wisp resume "$BRANCH"
	sees_end 0
	session .status completed
	TERMINAL=1
	sees '1:shell*'
	press 'exit 5' Enter
	sees_end 5
	assert_nothing_left
}

@test "tmux: resume --detach has the keys of now, in a server that a shell has kept, too" {
	local say='echo "key ${ANTHROPIC_API_KEY-none}" >>../keys'

	two
	scenario_step 2 --effects "$say" --status CONTINUE
	scenario_step 3 --effects "$say" --pass '1 2' --status DONE --promise
	printf '%s\n' "$say" "$(<"$WISP_REPLAY/1/effects.sh")" >"$WISP_REPLAY/1/effects.sh"
	export ANTHROPIC_API_KEY=old
	work 0 2 --detach --once
	begun
	typed wisp shell
	sees '1:shell*'
	go
	wait_until 20 ended
	export ANTHROPIC_API_KEY=new
	expect 0 wisp resume "$BRANCH" --detach --once
	wait_until 20 grep -q new .wisp/worktrees/keys
	wait_until 20 ended
	press 'exit 0' Enter
	sees_end 0
	assert_nothing_left
	unset ANTHROPIC_API_KEY
	expect 0 wisp resume "$BRANCH" --detach
	wait_until 20 ended
	assert_equal $'key old\nkey new\nkey none' "$(<.wisp/worktrees/keys)"
}

@test "shell: without a loop it is one of this terminal" {
	scenario_step default --status CONTINUE
	work 15 2 --once
	SHELL=/bin/pwd expect 0 wisp shell
	assert_contains "$output" "wisp shell: a shell in '$TREE', here: no loop runs in tmux"
	assert_equal "$TREE" "${lines[${#lines[@]} - 1]}"
	rm -rf "$TREE"
	expect 102 wisp shell
	assert_contains "$output" "the work tree '$TREE' is gone"
	WISP_ITERATION=1 WISP_SESSION_DIR=$DIR expect 100 wisp shell
	WISP_ITERATION=1 WISP_SESSION_DIR=$DIR expect 100 wisp attach
}

@test "attach: from a window of the same tmux it is refused" {
	two
	run_typed
	sees 'C-b C-b d: leave'
	typed wisp shell
	sees '1:shell*'
	press 'wisp attach' Enter
	sees 'wisp attach: this is the tmux of work already'
	press 'wisp shell' Enter
	sees 'here: this is its tmux'
	press exit Enter exit Enter # typed ahead: an end of file could be read by nobody
	sees_end 0
}

# --- what leaks -----------------------------------------------------------------

@test "tmux: the agent has the person's keys; the server, its environment and other panes have not" {
	two
	printf '%s\n' 'env >../environment' "$(<"$WISP_REPLAY/1/effects.sh")" >"$WISP_REPLAY/1/effects.sh"
	OPTIONS=(-c "notify.command=env >'$BATS_TEST_TMPDIR/notified.new'; mv '$BATS_TEST_TMPDIR/notified.new' '$BATS_TEST_TMPDIR/notified'")
	export ANTHROPIC_API_KEY=invented-key PERSON_SECRET=invented-secret
	work 0 2 --detach
	unset ANTHROPIC_API_KEY PERSON_SECRET
	begun
	assert_contains "$(server capture-pane -p -t '=loop:=loop')" '[1/50]'
	wait_until 10 test -s "$PROJECT/.wisp/worktrees/environment"
	go
	grep -q 'ANTHROPIC_API_KEY=invented-key' "$PROJECT/.wisp/worktrees/environment"
	! grep -q '^TMUX=' "$PROJECT/.wisp/worktrees/environment" || fail 'the agent can reach the server'
	wait_until 20 test -e "$BATS_TEST_TMPDIR/notified"
	grep -q 'PERSON_SECRET=invented-secret' "$BATS_TEST_TMPDIR/notified"
	! grep -q '^TMUX=' "$BATS_TEST_TMPDIR/notified" || fail 'what the loop starts can reach the server'
}

@test "tmux: no secret and no lock in the server and in shells" {
	local pid

	[[ -e /proc/self/fd ]] || skip 'no /proc here'
	two
	export PERSON_SECRET=invented-secret
	work 0 2 --detach 7>"$BATS_TEST_TMPDIR/seven"
	unset PERSON_SECRET
	begun
	typed wisp shell
	sees '1:shell*'
	press 'echo "<$PERSON_SECRET>"; ls -l /proc/$$/fd | grep -c "/lock$\|\.lock$"; tmux show-environment -g | grep -c SECRET; echo over' Enter
	sees '<>' over
	assert_lacks "$(server show-environment -g)" invented
	assert_lacks "$(server show-environment -t =loop)" invented
	! grep -rq invented-secret "$(state_home)" || fail 'the file with the environment is still there'
	for pid in $(server display-message -p '#{pid}') $(server list-panes -a -F '#{pane_pid}'); do
		! tr '\0' '\n' <"/proc/$pid/environ" | grep -q invented || fail "in the environment of $(ps -fp "$pid")"
		! find "/proc/$pid/fd" -lname "$(state_home)/*" | grep -q . || fail "a lock of $(ps -fp "$pid")"
		! find "/proc/$pid/fd" -lname '*/seven' | grep -q . || fail "a descriptor of ours: $(ps -fp "$pid")"
	done
	! pgrep -f invented-secret || fail 'in the arguments of a process'
	assert_contains "$(screen)" '<>'$'\n''0'$'\n''0'$'\n''over'
	press 'exit 0' Enter
	sees_end 0
	go
	wait_until 20 ended
}
