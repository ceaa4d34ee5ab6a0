#!/bin/sh
# usage: ./install.sh [MODE] [--deps] [--prefix DIR] [--dry-run]
#
#   (no mode)         packages, build, make install
#   --demo            packages, build, then `wisp demo` from this folder
#   --check           packages, those of the tests too, make check
#   --check-tests     the same without lint and fuzzers, and so without clang
#   --check-agents    packages, Node.js and npm too, make check-agents
#   --check-distro    debootstrap, make check-distro: wisp on bare Debian systems
#   --check-packages  what builds packages, debootstrap, make check-packages
#   --uninstall       take away what was installed below the prefix
#   --deps            the mode's packages, and no more
#   --prefix DIR      where to install (/usr/local)
#   --dry-run         print the commands and run none of them
#
# Needs neither make nor a compiler to begin with. Installs what is missing and
# nothing else, by the system's package manager, and uses sudo only where it
# must and is not root; where there is no sudo it prints what root is to run.
set -eu

say() { printf '==> %s\n' "$*"; }
have() { command -v "$1" >/dev/null 2>&1; }

# die CODE MESSAGE: 100 called wrongly, 111 the system refused.
die()
{
	code=$1
	shift
	printf 'install.sh: %s\n' "$*" >&2
	exit "$code"
}

# quote WORD...: as one would type them.
quote()
{
	line=
	for word; do
		case $word in
		'' | *[!A-Za-z0-9_./:=+,@%-]*) word="'$(printf '%s\n' "$word" | sed "s/'/'\\\\''/g")'" ;;
		esac
		line="$line $word"
	done
	printf '%s\n' "${line# }"
}

run()
{
	printf '+ %s\n' "$(quote "$@")"
	[ -n "$dry_run" ] || "$@"
}

as_root()
{
	if [ "$(id -u)" -eq 0 ]; then
		run "$@"
	elif have sudo; then
		run sudo "$@"
	elif [ -n "$dry_run" ]; then
		run "$@"
	else
		for_root="$for_root
  $(quote "$@")"
	fi
}

# Ends where as_root could run nothing.
need_root()
{
	[ -z "$for_root" ] || die 111 "no sudo here; as root, run:$for_root
and then this once more"
}

# What is needed, and the packages that bring it; - where none is due.
table()
{
	cat <<-'END'
		need        apt-get           dnf                            apk           pacman       brew
		make        make              make                           make          make         -
		cc          gcc,libc6-dev     gcc,glibc-devel                gcc,musl-dev  gcc          -
		pkg-config  pkg-config        pkgconf-pkg-config             pkgconf       pkgconf      pkgconf
		libcjson    libcjson-dev      cjson-devel                    cjson-dev     cjson        cjson
		libmd       libmd-dev         libmd-devel                    libmd-dev     libmd        libmd
		libjq       libjq-dev         jq-devel                       jq-dev        jq           jq
		libexpat    libexpat1-dev     expat-devel                    expat-dev     expat        -
		ncurses     libncurses-dev    ncurses-devel                  ncurses-dev   ncurses      -
		bash        bash              bash                           bash          bash         bash
		git         git               git                            git           git          git
		tmux        tmux              tmux                           tmux          tmux         tmux
		jq          jq                jq                             jq            jq           jq
		bats        bats              bats                           bats          bats         bats-core
		shellcheck  shellcheck        ShellCheck                     shellcheck    shellcheck   shellcheck
		clang       clang             clang                          clang         clang        llvm
		sanitizers  libclang-rt-dev   compiler-rt,libasan,libubsan   compiler-rt   compiler-rt  llvm
		mandoc      mandoc            mandoc                         mandoc        mandoc       mandoc
		ps          procps            procps-ng                      procps        procps-ng    -
		zsh         zsh               zsh                            zsh           zsh          zsh
		fish        fish              fish                           fish          fish         fish
		strace      strace            strace                         strace        strace       -
		bwrap       bubblewrap        bubblewrap                     bubblewrap    bubblewrap   -
		socat       socat             socat                          socat         socat        -
		squid       squid             squid                          squid         squid        -
		ip          iproute2          iproute                        iproute2      iproute2     -
		debootstrap debootstrap       debootstrap                    debootstrap   debootstrap  -
		dh          debhelper         -                              -             -            -
		lintian     lintian           -                              -             -            -
		rpmbuild    rpm               -                              -             -            -
		ruby        ruby              -                              -             -            -
		file        file              file                           file          file         -
		autoreconf  dh-autoreconf     -                              -             -            -
		aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu,libc6-dev-arm64-cross - - -                 -
		qemu-aarch64-static qemu-user-static -                       -             -            -
		node        nodejs            nodejs                         nodejs        nodejs       node
		npm         npm               npm                            npm           npm          -
	END
}

# packages_for MANAGER NEED...: its column of the table, or the first.
packages_for()
{
	table | awk -v manager="$1" -v needs=" $* " '
		NR == 1 { for (column = NF; column > 1 && $column != manager; column--); }
		NR > 1 && index(needs, " " $1 " ") && $column != "-" { gsub(",", " ", $column); printf "%s%s", gap, $column; gap = " " }'
}

# compiles COMPILER TEXT FLAG...: can it build a program of that one line?
compiles()
{
	compiler=$1 text=$2
	shift 2
	have "$compiler" && printf '%s\nint main(void) { return 0; }\n' "$text" |
		"$compiler" -x c -o /dev/null - "$@" >/dev/null 2>&1
}

# library HEADER NAME FLAG: pkg-config knows where, else the usual folders.
library()
{
	# shellcheck disable=SC2046 # several flags are meant
	compiles cc "#include <$1>" $(pkg-config --cflags --libs "$2" 2>/dev/null || echo "$3")
}

# missing: what this machine lacks for the mode, as the table names it.
missing()
{
	case $mode in
	check-distro)
		tools='make git debootstrap'
		[ "$(id -u)" -eq 0 ] || PATH=$PATH:/usr/sbin # where only root looks
		;;
	check | check-tests)
		tools='jq bats ps zsh fish bwrap socat squid ip'
		[ "$mode" = check-tests ] || tools="$tools shellcheck clang mandoc strace"
		[ "$(id -u)" -eq 0 ] || PATH=$PATH:/usr/sbin
		;;
	demo) tools=bwrap ;;
	check-agents) tools='bats ps node npm' ;;
	check-packages)
		tools='debootstrap dh lintian rpmbuild ruby file autoreconf aarch64-linux-gnu-gcc qemu-aarch64-static'
		[ "$(id -u)" -eq 0 ] || PATH=$PATH:/usr/sbin
		;;
	*) tools='' ;;
	esac
	[ "$mode" = check-distro ] || missing_to_build
	for tool in $tools; do
		have "$tool" || { [ "$tool" = bwrap ] && [ ! -e /proc/version ]; } || echo "$tool"
	done
	[ "$mode" != check ] ||
		compiles clang '#include <stdio.h>' -fsanitize=address,undefined,fuzzer-no-link || echo sanitizers
}

missing_to_build()
{
	for tool in make pkg-config bash git tmux; do
		have "$tool" || echo "$tool"
	done
	compiles cc '#include <stdio.h>' || echo cc
	library cjson/cJSON.h libcjson -lcjson || echo libcjson
	library sha2.h libmd -lmd || echo libmd
	library jq.h libjq -ljq || echo libjq
	library expat.h expat -lexpat || echo libexpat
	library curses.h ncursesw -lncursesw || library curses.h ncurses -lncurses || echo ncurses
}

# shellcheck disable=SC2086 # needs and packages are words
install_packages()
{
	needs=$(missing)
	[ -n "$needs" ] || { say 'every package is there'; return; }
	for with in apt-get dnf apk pacman brew none; do
		! have "$with" || break
	done
	packages=$(packages_for "$with" $needs)
	[ "$with" != none ] || die 111 "no package manager that is known here; please install: $packages"
	say "missing, to be installed with $with: $packages"
	case $with in
	apt-get)
		as_root apt-get update -q
		as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $packages
		;;
	dnf) as_root dnf install -y $packages ;;
	apk) as_root apk add $packages ;;
	pacman) as_root pacman -S --needed --noconfirm $packages ;;
	brew) run brew install $packages ;;
	esac
	need_root
	[ -z "$dry_run" ] || return 0
	needs=$(missing)
	[ -z "$needs" ] || die 111 "still missing after that:" $needs
}

# make_there GOAL: as root where the prefix is not ours to write.
make_there()
{
	folder=$prefix
	while [ ! -e "$folder" ]; do
		folder=$(dirname -- "$folder")
	done
	if [ -w "$folder" ]; then
		run make "$1" PREFIX="$prefix"
	else
		say "writing below '$folder' needs root"
		as_root make "$1" PREFIX="$prefix"
		need_root
	fi
}

# after MODE: what to do next, or what is still there.
after()
{
	[ -z "$dry_run" ] || return 0
	if [ "$1" = uninstall ]; then
		say "what stays: packages; .wisp in your projects; the records of their sessions in" \
			"'${WISP_HOME:-${XDG_STATE_HOME:-${HOME-}/.local/state}/wisp}'"
		return
	fi
	case :${PATH-}: in
	*:"$prefix/bin":*) ;;
	*) say "put this into your shell's profile: PATH=$(quote "$prefix/bin"):\$PATH; export PATH" ;;
	esac
	say "next, in a git repository: wisp doctor, which says whether a run can start; then man 7 wisp"
}

mode=install prefix=/usr/local dry_run='' deps='' for_root=''
while [ $# -gt 0 ]; do
	case $1 in
	--demo | --check | --check-tests | --check-agents | --check-distro | --check-packages | --uninstall)
		[ "$mode" = install ] || die 100 "--$mode and $1 exclude each other"
		mode=${1#--}
		;;
	--deps) deps=1 ;;
	--dry-run) dry_run=1 ;;
	--prefix)
		[ $# -gt 1 ] || die 100 '--prefix needs a folder'
		prefix=$2
		shift
		;;
	--prefix=*) prefix=${1#*=} ;;
	-h | --help) exec sed -n '2,/^set/s/^# \{0,1\}//p' "$0" ;;
	*) die 100 "unknown argument '$1'; see ./install.sh --help" ;;
	esac
	shift
done
[ -z "$deps" ] || [ "$mode" != uninstall ] || die 100 '--uninstall and --deps exclude each other'
case $prefix in
'') die 100 '--prefix needs a folder' ;;
/*) ;;
*) prefix=$PWD/$prefix ;;
esac
cd -- "$(dirname -- "$0")"

[ "$mode" = uninstall ] || install_packages
[ -z "$deps" ] || exit 0
case $mode in
install | demo) run make -j "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" ;;
esac
case $mode in
install | uninstall)
	make_there "$mode"
	after "$mode"
	;;
demo) run bin/wisp demo ;;
check-distro | check-packages)
	as_root make "$mode"
	need_root
	;;
check*) run make "$mode" ;;
esac
