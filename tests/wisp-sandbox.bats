#!/usr/bin/env bats
# What confines a step: `wisp sandbox show`, and what a command that is run in it can and
# cannot do. Each attempt is made by a program of its own (wisp-sandbox try), by both
# drivers, as root and as an ordinary user. The plan itself is unit/sandbox.c.

load helper
load helper-session

setup()
{
	local dir

	[[ -e /proc/self/status ]] || skip 'Linux alone'
	make_repo app
	mkdir -p "$HOME/.ssh" "$HOME/.config/gh" "$HOME/work" "$WISP_HOME" outside
	echo key >"$HOME/.ssh/id"
	echo token >"$HOME/.config/gh/hosts.yml"
	git config --global user.name Me
	echo record >"$WISP_HOME/record"
	echo safe >outside/file
	unset BACK
	cd app
}

teardown()
{
	local pid

	for pid in ${BACK-}; do
		kill "$pid" 2>/dev/null || :
	done
	helper_teardown
}

# driver KIND: what the tests below use; skips where it does not work here.
driver()
{
	KIND=$1
	wisp-sandbox driver --driver "$KIND" >/dev/null 2>&1 || skip "$KIND does not work here"
}

box()
{
	wisp sandbox --agent none --sandbox "$KIND" "$@"
}

# As an ordinary user: everything here is theirs then.
become_user()
{
	((EUID == 0)) || return 0
	chown -R 65534:65534 "$BATS_TEST_TMPDIR"
	chmod 755 "$BATS_TEST_TMPDIR" "${BATS_TEST_TMPDIR%/*}" "${BATS_TEST_TMPDIR%/*/*}"
	setpriv --reuid 65534 --regid 65534 --clear-groups test -x "$WISP_BUILD/wisp-sandbox" ||
		skip 'the programs are not readable by others'
	USER_FIRST=(setpriv --reuid 65534 --regid 65534 --clear-groups)
}

# tries [OPTION...] <<<'ATTEMPT OPERAND...': each line as `allowed`, `refused: WHY`, inside.
tries()
{
	local lines

	lines=$(cat)
	# shellcheck disable=SC2016 # the inner shell expands it
	${USER_FIRST[@]+"${USER_FIRST[@]}"} wisp sandbox --agent none --sandbox "$KIND" "$@" -- \
		bash -c 'while read -r -a words; do
			printf "%s: " "${words[0]}"
			"$0" try "${words[@]}" || :
		done <<<"$1"' "$WISP_BUILD/wisp-sandbox" "$lines"
}

# all WORD TEXT: each line of the text says that.
all()
{
	local line

	[[ -n $2 ]] || fail 'nothing was tried' || return 1
	while IFS= read -r line; do
		[[ $line == *": $1"* ]] || fail "expected $1: $line" "$2" || return 1
	done <<<"$2"
}

inside_work_tree()
{
	local found

	found=$(tries <<-END
		write $PWD/new
		make $PWD/folder
		rename $PWD/new $PWD/newer
		remove $PWD/newer
		read /etc/passwd
		read $HOME/.gitconfig
		list /usr/bin
		write /dev/null
		write /dev/shm/wisp-test
		remove /dev/shm/wisp-test
	END
	)
	all allowed "$found"
}

outside_of_it()
{
	local found

	found=$(tries <<-END
		write $HOME/.bashrc
		write $HOME/work/file
		make $HOME/.config/made
		write $BATS_TEST_TMPDIR/outside/file
		truncate $BATS_TEST_TMPDIR/outside/file
		remove $BATS_TEST_TMPDIR/outside/file
		rename $BATS_TEST_TMPDIR/outside/file $BATS_TEST_TMPDIR/app/file
		link $BATS_TEST_TMPDIR/outside/file $BATS_TEST_TMPDIR/app/link
		rename $BATS_TEST_TMPDIR/app $BATS_TEST_TMPDIR/moved
		write $WISP_HOME/record
		read $HOME/.ssh/id
		read $HOME/.config/gh/hosts.yml
		read $WISP_HOME/record
		remove $HOME/.ssh
		rename $HOME/.ssh $HOME/ssh
		write /etc/hosts
		read /etc/shadow
	END
	)
	all refused "$found"
	assert_equal safe "$(<"$BATS_TEST_TMPDIR/outside/file")"
	[[ ! -e $HOME/.bashrc && ! -e $BATS_TEST_TMPDIR/app/file ]]
}

of_the_kernel()
{
	local found pid

	sleep 300 3>&- &
	pid=$!
	BACK="$pid"
	found=$(tries <<-END
		kill $pid
		trace $pid
		kill $$
		read /proc/$pid/environ
		read /proc/$pid/root/etc/passwd
		write /proc/sys/kernel/core_pattern
		write /proc/sysrq-trigger
		unshare
		io_uring
		mount $PWD
		type
	END
	)
	all refused "$found"
	assert_contains "$found" 'type: refused: Operation not permitted'
}

@test "sandbox: bwrap: the work tree is written, the system read" {
	driver bwrap
	inside_work_tree
}

@test "sandbox: landlock: the work tree is written, the system read" {
	driver landlock
	inside_work_tree
}

@test "sandbox: bwrap: nothing else is written, nothing hidden is read" {
	driver bwrap
	outside_of_it
}

@test "sandbox: landlock: nothing else is written, nothing hidden is read" {
	driver landlock
	outside_of_it
}

@test "sandbox: bwrap: no process outside, no namespace, no io_uring, no typing" {
	driver bwrap
	of_the_kernel
}

@test "sandbox: landlock: no process outside, no namespace, no io_uring, no typing" {
	driver landlock
	of_the_kernel
}

@test "sandbox: bwrap: the same as an ordinary user" {
	driver bwrap
	become_user
	inside_work_tree
	outside_of_it
	of_the_kernel
}

@test "sandbox: landlock: the same as an ordinary user" {
	driver landlock
	become_user
	inside_work_tree
	outside_of_it
	of_the_kernel
}

@test "sandbox: without one all of that is possible" {
	KIND=off
	mkdir -p race/door
	ln -s "$HOME/.ssh" race/way
	found=$(tries <<-END
		race $PWD/race id
		setuid
		write $HOME/.bashrc
		read $HOME/.ssh/id
		link $BATS_TEST_TMPDIR/outside/file $BATS_TEST_TMPDIR/app/link
		rename $HOME/.ssh $HOME/ssh
		kill $$
	END
	)
	all allowed "$found"
}

# A link in the work tree is followed to where nothing may be done.
symbolic_links()
{
	ln -s "$HOME/.ssh" keys
	ln -s "$HOME/.ssh/id" key
	ln -s ../outside out
	ln -s /proc/self/root root
	found=$(tries <<-END
		read $PWD/keys/id
		read $PWD/key
		write $PWD/out/file
		write $PWD/out/new
		read $PWD/root$HOME/.ssh/id
		write $PWD/root$HOME/.bashrc
		write /proc/self/cwd/../outside/file
	END
	)
	all refused "$found"
}

@test "sandbox: bwrap: links lead nowhere else" {
	driver bwrap
	symbolic_links
}

@test "sandbox: landlock: links lead nowhere else" {
	driver landlock
	symbolic_links
}

@test "sandbox: a home and a hidden folder that are links are hidden where they are" {
	local kind

	mv "$HOME" "$BATS_TEST_TMPDIR/real"
	ln -s real "$HOME"
	mv "$BATS_TEST_TMPDIR/real/.ssh" "$BATS_TEST_TMPDIR/keys"
	ln -s "$BATS_TEST_TMPDIR/keys" "$BATS_TEST_TMPDIR/real/.ssh"
	for kind in bwrap landlock; do
		driver "$kind"
		found=$(tries <<-END
			read $HOME/.ssh/id
			read $BATS_TEST_TMPDIR/keys/id
			read $BATS_TEST_TMPDIR/real/.config/gh/hosts.yml
		END
		)
		all refused "$found"
		all allowed "$(tries <<<"read $BATS_TEST_TMPDIR/real/.gitconfig")"
	done
}

@test "sandbox: git's folder is read, and nothing in it is changed" {
	driver bwrap
	found=$(tries <<-END
		write $PWD/.git/config
		write $PWD/.git/hooks/post-commit
		remove $PWD/.git/HEAD
		rename $PWD/.git $PWD/git
		make $PWD/.git/new
	END
	)
	all refused "$found"
	run -0 box -- git log --format=%s
	assert_output Begin
}

@test "sandbox: in a linked work tree its .git cannot be moved, and the checkout not be written" {
	driver bwrap
	git worktree add -q ../linked
	cd ../linked
	found=$(tries <<-END
		rename $PWD/.git $PWD/git
		remove $PWD/.git
		write $PWD/.git
		write $BATS_TEST_TMPDIR/app/README
		write $BATS_TEST_TMPDIR/app/.git/config
		write $BATS_TEST_TMPDIR/app/.git/worktrees/linked/commondir
		write $BATS_TEST_TMPDIR/app/.git/worktrees/linked/gitdir
	END
	)
	all refused "$found"
	all allowed "$(tries <<<"write $PWD/README")"
	run -0 box -- git status --short
	assert_output ''
}

@test "sandbox: the services of the person are not reached, but for those named" {
	local socket=$BATS_TEST_TMPDIR/agent

	[[ -n $(type -P socat) ]] || skip 'no socat here'
	socat "UNIX-LISTEN:$socket,fork" /dev/null 3>&- &
	BACK=$!
	socat ABSTRACT-LISTEN:wisp-$$,fork /dev/null 3>&- &
	BACK+=" $!"
	wait_until 10 test -S "$socket"
	wait_until 10 wisp-sandbox try abstract "wisp-$$"
	driver bwrap
	found=$(tries <<-END
		socket $socket
		abstract wisp-$$
	END
	)
	all refused "$found"
	mkdir -p "$BATS_TEST_TMPDIR/run"
	export XDG_RUNTIME_DIR=$BATS_TEST_TMPDIR/run SSH_AUTH_SOCK=$BATS_TEST_TMPDIR/run/agent
	socat "UNIX-LISTEN:$SSH_AUTH_SOCK,fork" /dev/null 3>&- &
	BACK+=" $!"
	wait_until 10 test -S "$SSH_AUTH_SOCK"
	all refused "$(tries <<<"socket $SSH_AUTH_SOCK")"
	# shellcheck disable=SC2016 # the inner shell expands it
	run -0 box -- sh -c 'echo "${SSH_AUTH_SOCK-none}"'
	assert_output none
	all allowed "$(tries -c sandbox.sockets=ssh-agent <<<"socket $SSH_AUTH_SOCK")"
	# shellcheck disable=SC2016 # the inner shell expands it
	run -0 box -c sandbox.sockets=ssh-agent -- sh -c 'echo "${SSH_AUTH_SOCK-none}"'
	assert_output "$SSH_AUTH_SOCK"
	KIND=landlock
	driver landlock
	all refused "$(tries <<<"abstract wisp-$$")"
}

@test "sandbox: network: open, off" {
	local port=$((20000 + $$ % 20000)) kind

	[[ -n $(type -P socat) ]] || skip 'no socat here'
	socat "TCP-LISTEN:$port,bind=127.0.0.1,fork,reuseaddr" /dev/null 3>&- &
	BACK=$!
	wait_until 10 wisp-sandbox try tcp 127.0.0.1 "$port"
	for kind in bwrap landlock; do
		driver "$kind"
		all allowed "$(tries <<<"tcp 127.0.0.1 $port")"
		found=$(tries -c sandbox.network=off <<-END
			tcp 127.0.0.1 $port
			udp 192.0.2.1 53
			tcp 192.0.2.1 80
		END
		)
		all refused "$found"
	done
}

@test "sandbox: /tmp and TMPDIR are the command's own, and gone after it" {
	local kind

	echo x >"$TMPDIR/of-the-host"
	for kind in bwrap landlock; do
		driver "$kind"
		# shellcheck disable=SC2016 # the inner shell expands it
		run -0 box -- sh -c 'echo y >"$TMPDIR/mine" && cat "$TMPDIR/mine" && echo "${#TMPDIR}"'
		[[ $output == $'y\n'* ]]
		((${output#*$'\n'} < 90)) || fail "TMPDIR is too long for a socket: $output"
		[[ ! -e $TMPDIR/mine && -e $TMPDIR/of-the-host ]]
		found=("$TMPDIR"/wisp.*)
		[[ ! -e ${found[0]} ]] || fail "left: ${found[*]}"
	done
}

@test "sandbox: root has no capability inside, and gains none" {
	local kind

	((EUID == 0)) || skip 'root alone'
	for kind in bwrap landlock; do
		driver "$kind"
		run -0 box -- grep -E 'Cap(Prm|Eff|Bnd)|NoNewPrivs' /proc/self/status
		[[ $output == *$'NoNewPrivs:\t1'* && $output == *$'CapPrm:\t0000000000000000'* &&
			$output == *$'CapEff:\t0000000000000000'* && $output == *$'CapBnd:\t0000000000000000'* ]] || fail "$output"
	done
}

@test "sandbox: a path that a person hides, lets read or lets write" {
	local kind

	echo secret >env.local
	echo x >"$HOME/tool"
	for kind in bwrap landlock; do
		driver "$kind"
		all allowed "$(tries -c "sandbox.write=$BATS_TEST_TMPDIR/outside" <<<"write $BATS_TEST_TMPDIR/outside/file")"
		all allowed "$(tries -c "sandbox.read=~/.ssh" <<<"read $HOME/.ssh/id")"
		all refused "$(tries -c "sandbox.read=~/.ssh" <<<"write $HOME/.ssh/id")"
		all refused "$(tries -c "sandbox.hide=~/tool" <<<"read $HOME/tool")"
		all refused "$(tries -c sandbox.home=private <<<"read $HOME/tool")"
	done
	KIND=bwrap
	driver bwrap
	all refused "$(tries -c "sandbox.hide=$PWD/env.local" <<<"read $PWD/env.local")"
	run -100 --separate-stderr wisp sandbox --sandbox landlock -c "sandbox.hide=$PWD/env.local" -- true
	assert_stderr "wisp-sandbox: landlock cannot hide '$PWD/env.local' in '$PWD', which may be written: sandbox = bwrap can"
}

@test "sandbox: blanks and line feeds in paths" {
	local kind name=$'a b\n\'c"'

	mkdir -p "../$name/tree"
	echo x >"../$name/file"
	cd "../$name/tree"
	for kind in bwrap landlock; do
		driver "$kind"
		run -0 box -- bash -c 'echo y >new && { echo y >../file || :; } 2>/dev/null && pwd'
		assert_output "$PWD"
		assert_equal y "$(<new)"
		assert_equal x "$(<../file)"
	done
}

@test "sandbox: what the command answers, and a signal for it" {
	local kind

	for kind in bwrap landlock off; do
		driver "$kind"
		run -7 box -- sh -c 'exit 7'
		run -127 --separate-stderr box -- "no-such-program"
		run -0 box -- cat <<<'from here'
		assert_output 'from here'
		# shellcheck disable=SC2016 # the inner shell expands it
		run -0 box -- sh -c 'echo "$1|$#"' sh -c '--json'
		assert_output '-c|2'
	done
}

@test "sandbox: nothing that the command started outlives it with bwrap" {
	driver bwrap
	# shellcheck disable=SC2016 # the inner shell expands it
	run -0 box -- bash -c 'setsid sleep 298 >/dev/null 2>&1 & (trap "" TERM; exec -a wisp-left sleep 299) >/dev/null 2>&1 & disown -a; exit 0'
	assert_lacks "$(ps ax -o args=) " 'sleep 298'
	assert_lacks "$(ps ax -o args=) " 'wisp-left'
}

@test "sandbox: where nothing works it is said, and never run all the same" {
	mkdir bin
	printf '#!/bin/sh\necho "bwrap: No permissions to create a new namespace" >&2\nexit 1\n' >bin/bwrap
	chmod +x bin/bwrap
	run -16 --separate-stderr env PATH="$PWD/bin:$PATH" WISP_LANDLOCK_ABI=2 wisp sandbox -- touch ran
	assert_stderr "wisp-sandbox: nothing can confine a step here (bwrap: bwrap: No permissions to create a new namespace; \
landlock: landlock of the kernel is too old: ABI 2, and 3 is needed); \`wisp config sandbox off\` has steps run unconfined"
	[[ ! -e ran ]]
	run -16 env PATH="$PWD/bin:$PATH" wisp sandbox --sandbox bwrap -- touch ran
	[[ ! -e ran ]]
	if wisp-sandbox driver --driver landlock >/dev/null 2>&1; then
		run -0 env PATH="$PWD/bin:$PATH" wisp sandbox show
		assert_contains "$output" 'driver   landlock'
	fi
	run -0 wisp sandbox --sandbox off -- touch ran
	[[ -e ran ]]
}

@test "sandbox: older kernels: what is not held off is said" {
	local abi

	driver landlock
	for abi in 3 4 5; do
		export WISP_LANDLOCK_ABI=$abi
		run -0 box show
		assert_contains "$output" 'processes of the same user can be signalled (landlock before ABI 6)'
		outside_of_it
	done
	export WISP_LANDLOCK_ABI=6
	run -0 box show
	assert_lacks "$output" 'before ABI 6'
}

@test "sandbox: what the project's file sets needs a person's word" {
	mkdir .wisp
	printf '[sandbox]\n\twrite = /\n' >.wisp/config
	run -100 --separate-stderr wisp sandbox -- true
	assert_contains "$stderr" "sets what you have not agreed to: sandbox.write=/"
	rm .wisp/config
	wisp config sandbox.network off
	KIND=bwrap
	driver bwrap
	run -0 box show
	assert_contains "$output" 'network  off'
}

@test "sandbox: show, as text and as JSON" {
	driver bwrap
	run -0 box show
	assert_contains "$output" "write    $PWD  (the work tree)"
	assert_contains "$output" "hide     $HOME/.ssh  (keys and passwords)"
	run -0 box show --json
	run -0 "$JQ" -r '.driver, .network, (.paths[] | select(.access == "hide" and (.path | endswith("/.ssh"))) | .why), .environment.SSH_AUTH_SOCK' <<<"$output"
	assert_output $'bwrap\nopen\nkeys and passwords\nnull'
	run -100 --separate-stderr box show -- true
	assert_stderr 'wisp sandbox: show runs no command'
	run -100 --separate-stderr box --json -- true
	assert_stderr 'wisp sandbox: --json goes with show'
}

@test "sandbox: a session's work tree is what is confined, its caches stay" {
	driver bwrap
	session_make feature/x
	git worktree add -q "$PWD/.wisp/worktrees/feature/x" -b feature/x
	# shellcheck disable=SC2016 # the inner shell expands it
	run -0 box feature/x -- sh -c 'pwd; echo x >"$npm_config_cache.test"; ! touch ../../../../README 2>/dev/null'
	assert_output "$PWD/.wisp/worktrees/feature/x"
	[[ -e $STATE/caches/npm.test ]]
	cd .wisp/worktrees/feature/x
	cp "$STATE/record.json" "$BATS_TEST_TMPDIR/record"
	all allowed "$(tries <<<"read $DIR/tasks.json")"
	all refused "$(tries <<<"write $DIR/tasks.json"$'\n'"read $STATE/record.json")"
	tries <<<"write $STATE/record.json"
	cmp "$STATE/record.json" "$BATS_TEST_TMPDIR/record"
}

# ending DRIVER: an agent that was asked to end has its grace, and its own processes, too.
ending()
{
	local pid

	driver "$1"
	export WISP_LIBEXEC=$ROOT/libexec
	mkdir -p "$BATS_TEST_TMPDIR/own"
	rm -f ready ended
	# shellcheck disable=SC2016 # the inner shell expands it
	wisp-agent run --sandbox "$1" --grace 60s --log log --result step.json -- \
		wisp-sandbox run --driver "$1" --known --keep-env --tmp "$BATS_TEST_TMPDIR/own" -- \
		bash -c 'trap "echo yes >ended; exit 3" TERM; : >ready; while :; do sleep 0.05; done' 3>&- &
	pid=$!
	wait_until 30 test -e ready
	kill -TERM "$pid"
	wait "$pid" || :
	assert_equal yes "$(<ended)"
	assert_equal 3 "$("$JQ" .exit_code step.json)"
}

@test "sandbox: under wisp-agent: asked to end, what is inside has its grace, with bwrap" {
	ending bwrap
}

@test "sandbox: under wisp-agent: asked to end, what is inside has its grace, with landlock" {
	ending landlock
}

@test "sandbox: under wisp-agent: what the kernel ends with bwrap is no survivor" {
	driver bwrap
	mkdir -p "$BATS_TEST_TMPDIR/own"
	# shellcheck disable=SC2016 # the inner shell expands it
	run -0 wisp-agent run --sandbox bwrap --log log --result step.json -- \
		wisp-sandbox run --driver bwrap --known --keep-env --tmp "$BATS_TEST_TMPDIR/own" -- \
		bash -c 'for i in 1 2 3 4 5 6 7 8; do setsid sleep 297 & done'
	assert_equal 0 "$("$JQ" .survivors_killed step.json)"
	assert_lacks "$(ps ax -o args=)" 'sleep 297'
}

@test "sandbox: under wisp-agent: KILL of the supervisor leaves nothing inside" {
	local kind pid

	export WISP_LIBEXEC=$ROOT/libexec
	mkdir -p "$BATS_TEST_TMPDIR/own"
	for kind in bwrap landlock; do
		driver "$kind"
		rm -f ready
		# shellcheck disable=SC2016 # the inner shell expands it
		wisp-agent run --sandbox "$kind" --log log --result step.json -- \
			wisp-sandbox run --driver "$kind" --known --keep-env --tmp "$BATS_TEST_TMPDIR/own" -- \
			bash -c 'trap "" TERM; setsid env -i sleep "$1" & : >ready; wait' sh "31$$" 3>&- &
		pid=$!
		wait_until 30 test -e ready
		kill -KILL "$pid"
		wait "$pid" || :
		wait_until 30 none_runs "sleep 31$$"
	done
}

# Has no process that command line?
none_runs()
{
	[[ $'\n'$(ps ax -o args=)$'\n' != *$'\n'"$1"$'\n'* ]]
}

@test "sandbox: wisp doctor --sandbox tries it all, and finds a sandbox that is none" {
	driver bwrap
	run -0 wisp doctor --sandbox
	assert_contains "$output" 'ok   sandbox bwrap: read a key in ~/.ssh: refused'
	assert_contains "$output" 'ok   sandbox bwrap: move .git of the work tree away: refused'
	assert_contains "$output" 'ok   sandbox bwrap: reach a socket in XDG_RUNTIME_DIR (ssh-agent, D-Bus, tmux): refused'
	assert_lacks "$output" 'FAIL sandbox'
	assert_equal '' "$(find "$WISP_HOME" "${TMPDIR:-/tmp}" -maxdepth 1 -name '*proof*')"
	run -0 wisp doctor --sandbox --json
	run -0 "$JQ" -r '.ok, ([.checks[] | select(.name == "sandbox bwrap")] | length > 30)' <<<"$output"
	assert_output $'true\ntrue'
	mkdir bin
	# shellcheck disable=SC2016 # the script's own
	printf '%s\n' '#!/bin/sh' 'while [ "$1" != -- ]; do shift; done' 'shift' 'exec "$@"' >bin/bwrap
	chmod +x bin/bwrap
	run -1 env PATH="$PWD/bin:$PATH" wisp doctor --sandbox
	assert_contains "$output" 'FAIL sandbox bwrap: read a key in ~/.ssh: allowed'
	assert_contains "$output" 'FAIL sandbox bwrap: write .git/hooks: allowed'
	assert_contains "$output" 'FAIL sandbox bwrap: read it while a folder and a link change places: allowed'
	assert_contains "$output" 'FAIL sandbox bwrap: reach a socket in XDG_RUNTIME_DIR (ssh-agent, D-Bus, tmux): allowed'
	run -100 --separate-stderr wisp doctor --sandbox --agent claude
	assert_stderr 'wisp doctor: --agent and --sandbox exclude each other'
}
