#!/usr/bin/env bats
# sandbox.network as a list of hosts: real squid and socat, in a network of the tests' own that has nothing but a
# loopback, with the addresses of hosts of the tests' own on it, whose names stand in its own /etc/hosts.

load helper
load helper-scenario

setup_file()
{
	[[ -e /proc/self/status ]] || skip 'Linux alone'
	[[ -n $(PATH=$PATH:/usr/sbin type -P squid) && -n $(type -P socat) && -n $(PATH=$PATH:/usr/sbin type -P ip) ]] ||
		skip 'needs squid, socat and ip'
	unshare -rnm true 2>/dev/null || skip 'no namespaces here'
}

setup()
{
	make_repo app
	cd app
	# 192.0.2.1 is nobody's address: neither loopback nor private.
	cat >"$BATS_TEST_TMPDIR/hosts" <<-'END'
		127.0.0.1 localhost evil.test
		192.0.2.1 api.test other.test a.wild.test wild.test
		10.1.2.3 private.test
		169.254.169.254 metadata.test
		192.0.2.1 both.test
		127.0.0.1 both.test
	END
	cat >"$BATS_TEST_TMPDIR/serve" <<'END'
while IFS= read -r line && [[ $line != $'\r' ]]; do :; done
printf 'HTTP/1.0 200 OK\r\nConnection: close\r\n\r\nserved'
END
	cat >./get <<'END'
#!/bin/bash
# get HOST PORT [HOST PORT]...: what the proxy answers, a line each.
while (($#)); do
	exec 3<>/dev/tcp/127.0.0.1/3128 || { echo "$1:$2 no proxy"; exit; }
	printf 'GET http://%s:%s/ HTTP/1.0\r\n\r\n' "$1" "$2" >&3
	answer=$(tr -d '\r\0' <&3)
	case $answer in
	*served) echo "$1:$2 served" ;;
	*wisp:*) echo "$1:$2 ${answer##*wisp: the sandbox refuses }" ;;
	*) head -n 1 <<<"$1:$2 $answer" ;;
	esac
	shift 2
done
END
	chmod +x get
}

# world COMMAND: a network and mounts of its own, in which servers answer at 192.0.2.1:80 and 127.0.0.1:80.
world()
{
	local map=()

	((EUID == 0)) && [[ -z ${AS_USER-} ]] || map=(--user --map-current-user --keep-caps)
	# shellcheck disable=SC2016 # the inner shell expands it
	${FIRST[@]+"${FIRST[@]}"} unshare ${map[@]+"${map[@]}"} --net --mount --propagation private \
		env "PATH=$PATH:/usr/sbin" bash -c '
		set -e
		mount --bind "$0/hosts" /etc/hosts
		ip link set lo up
		ip address add 192.0.2.1/32 dev lo
		socat "TCP-LISTEN:80,fork,reuseaddr,bind=192.0.2.1" "EXEC:bash $0/serve" 3>&- >/dev/null 2>&1 &
		servers=$!
		socat "TCP-LISTEN:80,fork,reuseaddr,bind=127.0.0.1" "EXEC:bash $0/serve" 3>&- >/dev/null 2>&1 &
		servers+=" $!"
		trap "kill $servers" EXIT
		until { exec 4<>/dev/tcp/192.0.2.1/80; } 2>/dev/null; do :; done
		until { exec 4<>/dev/tcp/127.0.0.1/80; } 2>/dev/null; do :; done
		exec 4>&-
		setpriv --inh-caps=-all --ambient-caps=-all bash -c "$1" "$0"' "$BATS_TEST_TMPDIR" "$1"
}

# hosts HOST...: the options that list them.
hosts()
{
	local host

	for host; do
		printf -- '-c sandbox.network=%s ' "$host"
	done
}

nothing_left()
{
	local left

	left=("$TMPDIR"/wisp.*)
	for left in "${left[@]}"; do
		[[ ! -e $left ]] || fail "left: $left" || return 1
	done
}

as_listed()
{
	run -0 --separate-stderr world "wisp sandbox --agent none --sandbox bwrap $(hosts api.test '*.wild.test' evil.test private.test \
		metadata.test both.test 192.0.2.1:80 other.test:81 127.0.0.1:80) -- ./get \
		api.test 80 API.test 80 a.wild.test 80 192.0.2.1 80 127.0.0.1 80 \
		api.test 8080 wild.test 80 other.test 80 nowhere.test 80 evil.test 80 private.test 80 metadata.test 80 both.test 80 \
		localhost 80 10.1.2.3 80 api.test.evil.test 80"
	assert_output "api.test:80 served
API.test:80 served
a.wild.test:80 served
192.0.2.1:80 served
127.0.0.1:80 served
api.test:8080 api.test: sandbox.network has it with another port
wild.test:80 wild.test: it is not in sandbox.network
other.test:80 other.test: sandbox.network has it with another port
nowhere.test:80 nowhere.test: it is not in sandbox.network
evil.test:80 evil.test: its address is this machine
private.test:80 private.test: its address is private: sandbox.network can name the address itself
metadata.test:80 metadata.test: its address is link-local
both.test:80 both.test: its address is this machine
localhost:80 localhost: it is not in sandbox.network
10.1.2.3:80 10.1.2.3: it is not in sandbox.network
api.test.evil.test:80 api.test.evil.test: it is not in sandbox.network"
	assert_contains "$stderr" 'wisp sandbox: the sandbox refused nowhere.test:80: it is not in sandbox.network'
	assert_contains "$stderr" 'wisp sandbox: the sandbox refused metadata.test:80: its address is link-local'
	nothing_left
}

@test "network: hosts: what is listed is reached, all else refused with its rule" {
	as_listed
}

@test "network: hosts: the same as an ordinary user" {
	((EUID == 0)) || skip 'it is one'
	chown -R 65534:65534 "$BATS_TEST_TMPDIR"
	chmod 755 "$BATS_TEST_TMPDIR" "${BATS_TEST_TMPDIR%/*}" "${BATS_TEST_TMPDIR%/*/*}"
	AS_USER=1 FIRST=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	"${FIRST[@]}" test -x "$WISP_BUILD/wisp-sandbox" || skip 'the programs are not readable by others'
	"${FIRST[@]}" unshare --user --map-current-user --keep-caps --net --mount true || skip 'no namespaces for them'
	as_listed
}

@test "network: hosts: there is no way around the proxy" {
	run -1 world "wisp sandbox --agent none --sandbox bwrap $(hosts api.test) -- bash -c '
		for try in \"tcp 192.0.2.1 80\" \"tcp 127.0.0.1 80\" \"udp 192.0.2.1 53\" \"tcp 169.254.169.254 80\"; do
			wisp-sandbox try \$try
		done
		! env -u http_proxy curl -sS --max-time 9 http://192.0.2.1/ 2>/dev/null && exit 1'"
	[[ $output == 'refused: '*$'\nrefused: '*$'\nrefused: '*$'\nrefused: '* && $output != *allowed* ]] || fail "$output"
}

@test "network: hosts: programs are told of the proxy, and CONNECT goes by it" {
	[[ -n $(type -P curl) ]] || skip 'no curl here'
	run -0 --separate-stderr world "wisp sandbox --agent none --sandbox bwrap $(hosts api.test:80) -- bash -c '
		curl -sS http://api.test/; echo
		curl -sS --proxytunnel http://api.test:80/; echo
		curl -sS https://nowhere.test/ 2>&1; :'"
	[[ $output == $'served\nserved\n'*'403'* ]] || fail "$output"
	assert_contains "$stderr" 'refused nowhere.test:443: it is not in sandbox.network'
}

@test "network: hosts: a proxy that dies in mid-step fails closed, and the next step has one again" {
	world 'mkdir "$0/p"
		printf "{\"sandbox.network\": [\"api.test\"]}\n" >"$0/config"
		set -- --driver bwrap --config "$0/config" --tmp "$0"
		wisp-sandbox proxy "$@" --for $$ "$0/p" || exit
		first=$(<"$0/p/pid")
		wisp-sandbox proxy "$@" --for $$ "$0/p" && [[ $first == "$(<"$0/p/pid")" ]] || exit 9
		wisp-sandbox run "$@" --proxy "$0/p" -- bash -c "./get api.test 80; : >ready; until [[ -e dead ]]; do :; done
			./get api.test 80" "$0" >"$0/out" &
		until [[ -e ready ]]; do :; done
		for kid in $(ps -o pid= --ppid "$first"); do
			[[ $(ps -o comm= -p "$kid") != squid ]] || kill -KILL "$kid"
		done
		while kill -0 "$first" 2>/dev/null; do :; done
		: >dead
		wait
		[[ ! -e $0/p/socket ]] || exit 8
		wisp-sandbox proxy "$@" --for $$ "$0/p" || exit
		wisp-sandbox run "$@" --proxy "$0/p" -- ./get api.test 80 other.test 80 other.test 80 >>"$0/out"
		wisp-sandbox refused "$0/p" >>"$0/out"
		wisp-sandbox refused "$0/p" >>"$0/out"
		printf "{\"sandbox.network\": [\"other.test\"]}\n" >"$0/config"
		wisp-sandbox proxy "$@" --for $$ "$0/p" || exit
		wisp-sandbox run "$@" --proxy "$0/p" -- ./get api.test 80 other.test 80 >>"$0/out"
		last=$(<"$0/p/pid")
		kill -KILL "$last"
		while kill -0 "$last" 2>/dev/null; do :; done
		wisp-sandbox proxy "$@" --for $$ "$0/p" && wisp-sandbox proxy --driver off "$0/p" || exit
		printf %s "$0/p" | sha256sum >"$0/name"'
	read -r name <"$BATS_TEST_TMPDIR/name"
	left=("/dev/shm/wisp${name:0:16}"*)
	[[ ! -e ${left[0]} ]] || fail "left: ${left[*]}"
	run -0 cat "$BATS_TEST_TMPDIR/out"
	assert_output "api.test:80 served
api.test:80 
api.test:80 served
other.test:80 other.test: it is not in sandbox.network
other.test:80 other.test: it is not in sandbox.network
refused=other.test:80: it is not in sandbox.network
api.test:80 api.test: it is not in sandbox.network
other.test:80 served"
}

@test "network: hosts: a session reaches what is listed, and its loop says what was refused" {
	cp get "$HOME/get"
	export WISP_HOME=$BATS_TEST_TMPDIR/records
	mkdir "$WISP_HOME"
	scenario_new
	scenario_step 1 --effects 'bash "$HOME/get" api.test 80 other.test 80 >got' --pass 1 --commit got --status DONE --summary s \
		--output '<promise>COMPLETE</promise>'
	scenario_tasks 1 >"$BATS_TEST_TMPDIR/tasks.json"
	run -0 world "wisp run work --agent replay --tasks \"\$0/tasks.json\" --foreground -c sandbox=bwrap \
		-c sandbox.read=\"\$0\" $(hosts api.test) </dev/null"
	assert_contains "$output" 'the sandbox refused other.test:80: it is not in sandbox.network'
	assert_equal 'api.test:80 served
other.test:80 other.test: it is not in sandbox.network' "$(git show work:got)"
}

@test "network: hosts: what was refused is part of a failed step's reason, and of the next prompt, once" {
	cp get "$HOME/get"
	export WISP_HOME=$BATS_TEST_TMPDIR/records
	mkdir "$WISP_HOME"
	scenario_new
	scenario_step 1 --effects 'bash "$HOME/get" other.test 80; exit 3'
	scenario_step 2 --effects 'echo x >x' --pass 1 --commit x --status CONTINUE
	scenario_step 3 --pass 2 --status DONE --promise
	scenario_tasks 2 >"$BATS_TEST_TMPDIR/tasks.json"
	run -0 world "wisp run work --agent replay --tasks \"\$0/tasks.json\" --foreground -c sandbox=bwrap -c retry.delay=10ms \
		-c verify.command='bash \"\$HOME/get\" verify.test 80; true' -c sandbox.read=\"\$0\" $(hosts api.test) </dev/null"
	assert_contains "$output" 'failed with 3; the sandbox refused other.test:80: it is not in sandbox.network'
	assert_contains "$(<.wisp/sessions/work/steps/0002/prompt.md)" '- other.test:80: it is not in sandbox.network'
	assert_contains "$(<.wisp/sessions/work/steps/0003/prompt.md)" '- verify.test:80: it is not in sandbox.network'
	assert_lacks "$(<.wisp/sessions/work/steps/0003/prompt.md)" other.test
}

@test "network: hosts: without squid or socat nothing is run, and doctor asks for them" {
	mkdir bin
	ln -s "$(PATH=$PATH:/usr/sbin type -P squid)" bin/
	printf '{"sandbox.network": ["a.b"]}\n' >config
	run -16 --separate-stderr env PATH="$WISP_BUILD:$PWD/bin" wisp-sandbox proxy --driver bwrap --config config p
	assert_stderr 'wisp-sandbox: no way to the hosts of sandbox.network: socat is not found: a list of hosts needs squid and socat'
	run wisp doctor
	assert_lacks "$output" sandbox.network
	wisp config sandbox.network a.b
	run wisp doctor
	assert_contains "$output" 'ok   sandbox.network: squid and socat are there for the list of hosts'
	for tool in bash env git sh sed awk sort tr cat mktemp mkdir rm rmdir dirname uname df stat tmux ps; do
		ln -s "$(type -P "$tool")" bin/
	done
	run env PATH="$ROOT/bin:$WISP_BUILD:$PWD/bin" wisp doctor
	assert_contains "$output" 'FAIL sandbox.network: a list of hosts needs socat: install it, or set the network to open or off'
}

@test "network: hosts: a typo is refused with its file, key and reason" {
	local host

	mkdir -p "$XDG_CONFIG_HOME/wisp"
	git config --file "$XDG_CONFIG_HOME/wisp/config" sandbox.network opne
	run -102 --separate-stderr wisp sandbox -- touch ran
	assert_contains "$stderr" "$XDG_CONFIG_HOME/wisp/config: sandbox.network: expected open, off, agent, or hosts such as \
api.example.org, *.example.org or db:5432, not 'opne'"
	[[ ! -e ran ]]
	rm "$XDG_CONFIG_HOME/wisp/config"
	for host in opne https://a.b a.b:0 a.b:70000 a.b/c '*' '*.' 'a b.c' '[::1' -a.b a.b:x; do
		run -100 --separate-stderr wisp-config check -- sandbox.network "$host"
		assert_contains "$stderr" "expected open, off, agent, or hosts"
	done
	for host in open off agent a.b '*.a.b' a:1 '[::1]:80' 10.0.0.1; do
		run -0 wisp-config check -- sandbox.network "$host"
	done
}
