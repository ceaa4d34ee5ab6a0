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
			for tool in make cc pkg-config bash git tmux jq bats shellcheck clang mandoc ps; do
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
		apt-get|env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends make gcc libc6-dev pkg-config libcjson-dev libmd-dev libjq-dev bash git tmux
		dnf|dnf install -y make gcc glibc-devel pkgconf-pkg-config cjson-devel libmd-devel jq-devel bash git tmux
		apk|apk add make gcc musl-dev pkgconf cjson-dev libmd-dev jq-dev bash git tmux
		pacman|pacman -S --needed --noconfirm make gcc pkgconf cjson libmd jq bash git tmux
		brew|brew install pkgconf cjson libmd jq bash git tmux
	END
}

@test "install: --check needs the tools of the tests too" {
	root_machine apt-get
	run -0 install_sh --check --dry-run
	assert_output "==> missing, to be installed with apt-get: make gcc libc6-dev pkg-config libcjson-dev libmd-dev libjq-dev bash git tmux jq bats shellcheck clang libclang-rt-dev mandoc procps
+ apt-get update -q
+ env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends make gcc libc6-dev pkg-config libcjson-dev libmd-dev libjq-dev bash git tmux jq bats shellcheck clang libclang-rt-dev mandoc procps
+ make -j 4
+ make check"
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
apt-get install -q -y --no-install-recommends make gcc libc6-dev pkg-config libcjson-dev libmd-dev libjq-dev bash git tmux jq bats shellcheck clang libclang-rt-dev mandoc procps
make -j 4
make check" "$(<calls)"
	rm calls
	run -0 install_sh --check
	assert_equal $'make -j 4\nmake check' "$(<calls)"
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
	assert_stderr "install.sh: still missing after that: make pkg-config bash git tmux cc libcjson libmd libjq"
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
	assert_stderr "install.sh: no sudo here; as root, run: dnf install -y tmux"
	[[ ! -e calls ]]
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
	assert_stderr "install.sh: no package manager that is known here; please install: make cc pkg-config libcjson libmd libjq bash git tmux"
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
		--prefix|--prefix needs a folder
		--prefix=|--prefix needs a folder
	END
	run -0 install_sh --help
	assert_equal "usage: ./install.sh [MODE] [--prefix DIR] [--dry-run]" "${lines[0]}"
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
	first=$(listing "$prefix")

	run -0 "$TREE/install.sh" --prefix "$prefix"
	assert_lacks "$output" "CC "
	assert_equal "$first" "$(listing "$prefix")"

	mv "$TREE" away
	run -0 "$prefix/bin/wisp" --version
	assert_output "wisp $(<"$ROOT/VERSION")"
	run -0 "$prefix/bin/wisp" help
	run -0 "$prefix/bin/wisp" tasks -h
	run -0 "$prefix/bin/wisp-tasks" -h
	assert_equal "$(cd "$ROOT" && find templates -type f | LC_ALL=C sort)" \
		"$(cd "$prefix/share/wisp" && find templates -type f | LC_ALL=C sort)"

	mv away "$TREE"
	run -0 "$TREE/install.sh" --uninstall --prefix "$prefix"
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

@test "make dist: packs the commit, and refuses what disagrees" {
	copy_tree
	cd "$TREE"
	make_repo .
	git add .
	git commit -q -m 'All of it'
	version=$(<VERSION)
	run -0 make dist
	run -0 tar tzf "build/wisp-$version.tar.gz"
	assert_contains "$output" "wisp-$version/bin/wisp"
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
