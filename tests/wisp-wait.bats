#!/usr/bin/env bats
# wisp-wait: what it takes for a change, and that it misses none. The waits here
# would last a minute; that they end at all is what is tested.

load helper

# start ARGUMENT...: wisp-wait in the background, its output in the file `out`.
start()
{
	wisp-wait --for 60 "$@" >out 3>&- &
	PID=$!
}

# again COMMAND...: once more, if it still waits. It may not have begun to watch yet.
again()
{
	if ! gone "$PID"; then
		"$@"
		sleep 0.02
	fi
	gone "$PID"
}

# ends EXPECTED COMMAND...: COMMAND again and again ends the wait, which printed EXPECTED.
ends()
{
	local expected=$1 rc=0
	shift

	wait_until 30 again "$@"
	wait "$PID" || rc=$?
	assert_equal 0 "$rc"
	assert_equal "$expected" "$(<out)"
}

append()
{
	echo more >>"$1"
}

replace()
{
	echo new >"$1.new"
	mv "$1.new" "$1"
}

make_and_remove()
{
	mkdir -p "${1%/*}"
	: >"$1"
	rm "$1"
}

remove_and_make()
{
	rm -f "$1"
	: >"$1"
}

new_name()
{
	NAMES=$((${NAMES-0} + 1))
	: >"$1/$NAMES"
}

deep()
{
	rm -rf "${1%%/*}"
	mkdir -p "${1%/*}"
	: >"$1"
}

@test "wait: a file that is written to" {
	echo one >file
	start file
	ends file append file
}

@test "wait: a file that is replaced" {
	echo one >file
	start file
	ends file replace file
}

@test "wait: a file that is removed" {
	: >file
	start file
	ends file remove_and_make file
}

@test "wait: a file that does not exist yet" {
	start file
	ends file append file
}

@test "wait: a file in a folder that does not exist yet" {
	start a/b/c/file
	ends a/b/c/file deep a/b/c/file
}

@test "wait: a name that comes in a folder" {
	mkdir dir
	start dir
	ends dir new_name dir
}

@test "wait: a file behind a link" {
	mkdir other
	echo one >other/file
	ln -s other/file link
	start link
	ends link append other/file
}

@test "wait: of several, the one that changed is printed" {
	echo one >b
	start a b "$PWD/c"
	ends b append b
}

@test "wait: --since tells of a change before the call" {
	local stamp

	echo one >a
	stamp=$(wisp-wait --stamp a b)
	echo two >b
	run -0 --separate-stderr wisp-wait --since "$stamp" --for 60 a b
	assert_output b
	stamp=$(wisp-wait --stamp a b)
	rm a
	run -0 --separate-stderr wisp-wait --since "$stamp" a b
	assert_output a
	stamp=$(wisp-wait --stamp a b)
	run -1 --separate-stderr wisp-wait --since "$stamp" --for 0 a b
	assert_output ''
}

@test "wait: the stamp of what changed is another, of what did not the same" {
	local stamp

	mkdir dir
	stamp=$(wisp-wait --stamp dir none)
	assert_equal "$stamp" "$(wisp-wait --stamp dir none)"
	: >dir/x
	[[ $(wisp-wait --stamp dir none) != "$stamp" ]]
}

@test "wait: the time is over: 1, and nothing is printed" {
	run -1 --separate-stderr wisp-wait --for 0 none
	assert_output ''
	assert_stderr ''
	run -1 wisp-wait --for 10ms
	run -1 wisp-wait --until 2020-01-01T00:00:00Z none
	WISP_NOW=1768561200000 run -1 wisp-wait --until 2026-01-16T08:00:00-03:00
}

# A clock that stands still a second before the time: only the file can end that wait.
@test "wait: --until goes by the wall clock" {
	WISP_NOW=1768561199000 wisp-wait --until 2026-01-16T11:00:00Z file >out 3>&- &
	PID=$!
	ends file append file
}

@test "wait: TERM, INT and HUP end it at once with 128 and their number" {
	local signal rc

	for signal in TERM=143 INT=130 HUP=129; do
		start none
		wait_until 30 again kill "-${signal%=*}" "$PID"
		rc=0
		wait "$PID" || rc=$?
		assert_equal "$signal" "${signal%=*}=$rc"
	done
}

@test "wait: called wrongly is 100" {
	local args message

	while IFS='|' read -r args message; do
		# shellcheck disable=SC2086 # words
		run -100 --separate-stderr wisp-wait $args
		assert_output ''
		assert_stderr "wisp-wait: $message"
	done <<'END'
|there is nothing to wait for
--stamp|there is nothing to wait for
--since x --for 1|there is nothing to wait for
--for soon|--for needs a duration such as 90s or 1h30m, not 'soon'
--until noon|--until needs a time in ISO 8601 with a zone, not 'noon'
--until 2026-01-16T08:00:00 a|--until needs a time in ISO 8601 with a zone, not '2026-01-16T08:00:00'
--for 1 --until 2026-01-16T08:00:00Z a|--for and --until exclude each other
--stamp --for 1 a|--stamp does not wait
--since - a b|'-' is no stamp of 2 paths
--since -,- a|'-,-' is no stamp of 1 path
END
	run -100 --separate-stderr wisp-wait --bogus
	assert_contains "$stderr" bogus
}

@test "wait: -h and -V go to stdout" {
	run -0 --separate-stderr wisp-wait -h
	assert_contains "$output" '--until TIME'
	assert_stderr ''
	run -0 wisp-wait --version
	assert_output "wisp-wait $(<"$ROOT/VERSION")"
}

# --- the terminal ---------------------------------------------------------------

@test "wait: without a terminal the countdown is one line, and keys are none" {
	run -1 --separate-stderr wisp-wait --for 20ms --countdown 'time left:' --keys rs </dev/null
	assert_output ''
	assert_stderr 'time left: 0:01'
	run -1 --separate-stderr wisp-wait --for 0 --countdown x
	assert_stderr ''
	run -1 wisp-wait --keys rs </dev/null
	run -100 --separate-stderr wisp-wait --keys 'R' file
	assert_stderr "wisp-wait: --keys needs letters such as rsa, not 'R'"
	run -100 wisp-wait --keys '' file
	run -100 --separate-stderr wisp-wait --countdown x file
	assert_stderr 'wisp-wait: --countdown needs --for or --until'
	run -100 wisp-wait --stamp --keys a file
	run -1 wisp-wait --type text </dev/null
	[[ ! -e text ]]
	run -100 --separate-stderr wisp-wait --keys a --type text
	assert_stderr 'wisp-wait: --keys and --type exclude each other'
	run -100 --separate-stderr wisp-wait --countdown x --for 1s --type text
	assert_stderr 'wisp-wait: --countdown and --type exclude each other'
	run -100 wisp-wait --stamp --type text file
	run -100 --separate-stderr wisp-wait --empty file
	assert_stderr 'wisp-wait: --empty needs --type'
}

@test "wait: hours, and a text of several lines" {
	run -143 --separate-stderr bash -c 'wisp-wait --for 3723s --countdown "$1" & while ! kill -TERM $!; do :; done; wait $!' - $'a\n\033[1mb'
	[[ -z $stderr || $stderr == $'a [1mb 1:02:03' ]] || fail "$stderr"
}

# in_terminal COMMAND: run by a shell in a terminal of tmux; its code goes to the file `code`.
in_terminal()
{
	printf '%s\necho $? >code.new\nstty -a >modes\nmv code.new code\nexec sleep 60\n' "$1" >typed
	tmux -f /dev/null new-session -d -x 60 -y 20 "bash --norc typed" 3>&-
}

screen_shows()
{
	tmux capture-pane -p | grep -qF -e "$1"
}

# ended CODE OUTPUT: with the terminal as it was.
ended()
{
	wait_until 20 test -e code
	assert_equal "$1" "$(<code)"
	assert_equal "$2" "$(<out)"
	assert_contains " $(<modes)" ' icanon'
	assert_contains " $(<modes)" ' echo '
	end_tmux
}

@test "wait: a key on the terminal ends it, the countdown is one line" {
	in_terminal 'wisp-wait --for 1h --countdown "time left:" --keys rs file >out'
	wait_until 20 screen_shows 'time left: 59:5'
	assert_equal 1 "$(tmux capture-pane -p | grep -c .)"
	tmux send-keys x 1 R
	ended 0 key=r
}

@test "wait: a file that changes, and a signal, while keys are waited for" {
	in_terminal 'wisp-wait --for 1h --countdown "time left:" --keys rs file >out'
	wait_until 20 screen_shows 'time left:'
	: >file
	ended 0 file
	rm -f code
	TMUX_TMPDIR=$PWD/2
	mkdir 2
	in_terminal 'wisp-wait --countdown x --for 1h --keys r file >out & echo $! >pid; wait $!'
	wait_until 20 test -s pid
	wait_until 20 screen_shows x
	kill -TERM "$(<pid)"
	ended 143 ''
}

@test "wait: a terminal that belongs to others gives no keys" {
	in_terminal 'set -m; wisp-wait --keys r >out <&0 & wait $!'
	ended 1 ''
}

@test "wait: in the background nothing is drawn, and back in the foreground it asks" {
	in_terminal 'set -m; script -qefc "set -m; wisp-wait --for 20ms --countdown left: & wait \$!" log'
	wait_until 20 test -e code
	assert_equal 1 "$(<code)"
	assert_lacks "$(<log)" 0:01
	end_tmux

	rm code
	in_terminal 'set -m; wisp-wait --type text file >out & read -r line; echo "$line" >line; fg'
	wait_until 20 tmux send-keys 'a line' Enter
	wait_until 20 screen_shows '>'
	assert_equal 'a line' "$(<line)"
	tmux send-keys abc Enter
	ended 0 key=enter
	assert_equal abc "$(<text)"

	rm code
	in_terminal 'set -m; wisp-wait --for 1h --countdown left: --keys r file >out & read -r line; fg'
	wait_until 20 tmux send-keys 'a line' Enter
	wait_until 20 screen_shows 'left: 59:5'
	tmux send-keys r
	ended 0 key=r
}

@test "wait: stopped and continued, with the terminal as another left it, it goes on" {
	in_terminal 'set -m; sh -c "echo \$\$ >pid; exec wisp-wait --type text file" >out; stty icanon echo; echo stopped; fg'
	wait_until 20 screen_shows '>'
	tmux send-keys abc
	wait_until 20 screen_shows '> abc'
	kill -STOP "$(<pid)"
	wait_until 20 screen_shows stopped
	wait_until 20 bash -c '(($(tmux capture-pane -p | grep -c "^> abc") == 2))'
	tmux send-keys d Enter
	ended 0 key=enter
	assert_equal abcd "$(<text)"
}

@test "wait: QUIT leaves the terminal as it was" {
	in_terminal 'wisp-wait --type text file >out'
	wait_until 20 screen_shows '>'
	tmux send-keys $'C-\\'
	ended 131 ''
}

@test "wait: with --parent it ends with the process that started it" {
	local file=$BATS_TEST_TMPDIR/pid parent

	bash -c 'wisp-wait --parent $$ --for 1h "$1" </dev/null >/dev/null 2>&1 3>&- & echo $! >"$1.new" && mv "$1.new" "$1.pid"; wait' \
		x "$file" 3>&- &
	parent=$!
	wait_until 10 test -s "$file.pid"
	kill -0 "$(<"$file.pid")"
	kill -KILL "$parent"
	wait "$parent" || :
	wait_until 10 bash -c '! kill -0 "$1" 2>/dev/null' x "$(<"$file.pid")"
	run -143 wisp-wait --parent 2 --for 1h
	run -100 wisp-wait --parent x --for 1h
}
