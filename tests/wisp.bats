#!/usr/bin/env bats
# wisp: finding itself, help, dispatch, and the options that commands read.

load helper

# A tree of its own: the real bin and common files, made-up commands, and a
# utility that shows how it was called.
make_tree()
{
	local tree=$1

	mkdir -p "$tree/bin" "$tree/libexec/lib" "$tree/build"
	cp "$ROOT/bin/wisp" "$tree/bin/"
	cp "$ROOT/libexec/wisp-help" "$tree/libexec/"
	cp "$ROOT/libexec/lib/common.bash" "$ROOT/libexec/lib/options.bash" "$tree/libexec/lib/"
	cp "$ROOT/VERSION" "$tree/"
	write_command "$tree/libexec/wisp-show"
	write_utility "$tree/build/wisp-state"
}

write_command()
{
	cat >"$1" <<-'END'
		#!/usr/bin/env bash
		# Summary: shows what it was given
		# Usage: wisp show [<thing>]... [--agent A] [--max-iterations N]
		#        wisp show --json
		#
		# Prose about show.
		set -euo pipefail
		source "$WISP_LIBEXEC/lib/common.bash"

		parse_options 'agent=,json,n=,f,max-iterations=,guide=' "$@"
		operands 0 3
		option_values guide
		say "agent=<$opt_agent> json=<$opt_json> n=<$opt_n> f=<$opt_f> max=<$opt_max_iterations>"
		printf 'arg=<%s>\n' ${ARGS[@]+"${ARGS[@]}"}
		printf 'step=<%s>\n' ${VALUES[@]+"${VALUES[@]}"}
	END
	chmod +x "$1"
}

write_utility()
{
	cat >"$1" <<-'END'
		#!/bin/sh
		if [ "$1" = -h ]; then
			printf 'usage: wisp-state VERB\nthe state of a session\n\n  get [--raw]  one value\n  set on|off   changes it\n'
			exit
		fi
		printf '%s\n' "called with: $*" "libexec: $WISP_LIBEXEC" "share: $WISP_SHARE" "set: ${WISP_CONFIG_SET-}"
		exit 1
	END
	chmod +x "$1"
}

setup()
{
	PROGRAMS=$WISP_BUILD
	unset WISP_BUILD
	make_tree "$BATS_TEST_TMPDIR/a tree"
	TREE=$BATS_TEST_TMPDIR/a\ tree
	WISP=$TREE/bin/wisp
}

@test "wisp: runs a utility from the tree, with its exit code" {
	run -1 "$WISP" state get .a 'b c'
	assert_equal "called with: get .a b c" "${lines[0]}"
	assert_equal "libexec: $TREE/libexec" "${lines[1]}"
	assert_equal "share: $TREE" "${lines[2]}"
}

@test "wisp: works from another folder, through links, relative ones too" {
	mkdir -p else/where "links/one"
	ln -s "../../a tree/bin/wisp" links/one/wisp
	ln -s one/wisp links/w
	ln -s "$PWD/links/w" else/where/wisp
	cd else/where
	run -1 ./wisp state get
	assert_equal "share: $TREE" "${lines[2]}"
	PATH=$PWD:$PATH
	run -1 wisp state get
	assert_equal "share: $TREE" "${lines[2]}"
	CDPATH=/ run -1 bash wisp state get
	assert_equal "share: $TREE" "${lines[2]}"
}

@test "wisp: honours WISP_BUILD, relative to the folder it is called from" {
	mkdir other
	mv "$TREE/build" other/build
	WISP_BUILD=other/build run -1 "$WISP" state get
	assert_equal "called with: get" "${lines[0]}"
}

@test "wisp: works installed, wherever the prefix was moved to" {
	mkdir -p usr/bin usr/libexec usr/share
	cp "$WISP" usr/bin/
	mv "$TREE/build/wisp-state" usr/bin/
	cp -R "$TREE/libexec" usr/libexec/wisp
	mkdir usr/share/wisp
	run -1 usr/bin/wisp state get
	assert_equal "libexec: $PWD/usr/libexec/wisp" "${lines[1]}"
	assert_equal "share: $PWD/usr/share/wisp" "${lines[2]}"
}

@test "wisp: without its programs it says what to do" {
	rm -r "$TREE/build"
	run -111 --separate-stderr "$WISP" state get
	assert_stderr "wisp: the C utilities are not in '$TREE/build': run make first"
	run -0 "$WISP" help show
	run -0 "$WISP" help
}

@test "wisp: a script comes before the utility of the same name" {
	printf '#!/bin/sh\necho the script "$@"\n' >"$TREE/libexec/wisp-state"
	chmod +x "$TREE/libexec/wisp-state"
	run -0 "$WISP" state get
	assert_output "the script get"
}

@test "wisp: -c adds up in WISP_CONFIG_SET" {
	run -1 "$WISP" -c limits.maxHours=2 -c 'verify.command=make a=b' state get
	assert_equal "set: limits.maxHours=2" "${lines[3]}"
	assert_equal "verify.command=make a=b" "${lines[4]}"
}

@test "wisp: -c refuses what is not one setting" {
	run -100 --separate-stderr "$WISP" -c limits.maxHours state get
	assert_stderr "wisp: -c needs key=value, not 'limits.maxHours'"
	run -100 "$WISP" -c =2 state get
	run -100 "$WISP" -c
	run -100 --separate-stderr "$WISP" -c $'a.b=1\nc.d=2' state get
	assert_stderr "wisp: -c: a value of one line is needed"
}

@test "wisp: an unknown command is refused with the nearest" {
	run -100 --separate-stderr "$WISP" shwo
	assert_stderr "wisp: unknown command 'shwo' (did you mean show?); see wisp help"
	run -100 --separate-stderr "$WISP" st
	assert_stderr "wisp: unknown command 'st' (did you mean state or stuck?); see wisp help"
	run -100 --separate-stderr "$WISP" completely-else
	assert_stderr "wisp: unknown command 'completely-else'; see wisp help"
	run -100 --separate-stderr "$WISP" nope
	assert_stderr "wisp: unknown command 'nope'; see wisp help"
	run -100 --separate-stderr "$WISP" $'sh\tow\n'
	assert_stderr "wisp: unknown command 'sh?ow?' (did you mean show?); see wisp help"
}

@test "wisp: a name cannot lead out of libexec" {
	mkdir -p "$TREE/libexec/wisp-x"
	printf '#!/bin/sh\necho out\n' >"$TREE/out"
	chmod +x "$TREE/out"
	run -100 "$WISP" x/../../out
	assert_lacks "$output" $'\nout'
	run -100 "$WISP" ''
}

@test "wisp: an unknown option is refused" {
	run -100 --separate-stderr "$WISP" --jsno show
	assert_stderr "wisp: unknown option '--jsno'; see wisp --help"
}

@test "wisp: without arguments it helps, on stderr, and fails" {
	run -100 --separate-stderr "$WISP"
	assert_output ""
	assert_contains "$stderr" "Usage: wisp"
	assert_contains "$stderr" "wisp: a command is needed"
}

@test "wisp: --version names the release" {
	release="wisp $(<"$ROOT/VERSION")"
	cp -R "$ROOT/bin" "$ROOT/libexec" "$ROOT/VERSION" .
	mkdir build
	run -0 env -u WISP_BUILD bin/wisp --version
	assert_output "$release"
	echo 0123456789ab+ >build/commit
	run -0 env -u WISP_BUILD bin/wisp -V
	assert_output "$release (0123456789ab+)"
}

@test "help: lists scripts and utilities with their summaries" {
	for words in help --help -h; do
		run -0 --separate-stderr "$WISP" "$words"
		assert_contains "$output" "  show        shows what it was given"
		assert_contains "$output" "  state       the state of a session"
		assert_stderr ""
	done
}

@test "help: prints a command's usage and prose from its header" {
	expected='Usage: wisp show [<thing>]... [--agent A] [--max-iterations N]
       wisp show --json

Prose about show.'
	run -0 "$WISP" help show
	assert_output "$expected"
	run -0 "$WISP" show --help
	assert_output "$expected"
	run -0 "$WISP" show a --agent b -h
	assert_output "$expected"
}

@test "help: the summary stands in for missing prose" {
	printf '#!/bin/sh\n# Summary: does little\n# Usage: wisp little\nexit 3\n' >"$TREE/libexec/wisp-little"
	chmod +x "$TREE/libexec/wisp-little"
	run -0 "$WISP" help little
	assert_output $'Usage: wisp little\n\ndoes little'
}

@test "help: of a utility is the utility's own, below where the branch stands" {
	run -0 "$WISP" help state
	assert_equal 'Usage: wisp state [<branch>] VERB ...: wisp-state on the files of that session' "${lines[0]}"
	assert_equal "usage: wisp-state VERB" "${lines[1]}"
	assert_equal "$output" "$("$WISP" state --help)"
}

@test "help: refuses an unknown command" {
	run -100 --separate-stderr "$WISP" help shwo
	assert_stderr "wisp help: unknown command 'shwo' (did you mean show?)"
	run -100 "$WISP" help show state
}

@test "output that cannot be written is 111 with a reason, on a full disk and at a size limit" {
	local command

	for command in --version help 'help run'; do
		# shellcheck disable=SC2086 # two words
		run -111 --separate-stderr bash -c '"$0" "$@" >/dev/full' wisp $command
		assert_contains "$stderr" 'cannot write to standard output'
		assert_lacks "$stderr" 'line '
	done
	run -111 bash -c '(ulimit -f 0; exec wisp --version >file 2>&1)'
	run -100 bash -c 'wisp --unknown 2>/dev/full'
	run -100 bash -c 'wisp --unknown 2>&-'
}

@test "complete: wisp lists commands, a command its options, a utility verbs and options" {
	run -0 "$WISP" --complete
	assert_output $'gate\nhelp\nshow\nstate\nstuck\ntasks'
	run -0 "$WISP" help --complete
	assert_output $'gate\nhelp\nshow\nstate\nstuck\ntasks'
	run -0 "$WISP" show --complete
	assert_output $'--agent\n--json\n-n\n-f\n--max-iterations\n--guide\n--help'
	run -0 "$WISP" state --complete
	assert_output $'--raw\nget\noff\non\nset'
}

@test "options: anywhere, in both forms, the last one counts" {
	run -0 "$WISP" show one --agent=a two --json --agent 'b c' --max-iterations -1 -
	assert_output "agent=<b c> json=<1> n=<> f=<> max=<-1>
arg=<one>
arg=<two>
arg=<->
step=<>"
}

@test "options: short ones, joined and apart" {
	for words in "-f -n 5" "-fn5" "-fn 5" "-n5 -f"; do
		# shellcheck disable=SC2086 # several words are meant
		run -0 "$WISP" show $words
		assert_equal "agent=<> json=<> n=<5> f=<1> max=<>" "${lines[0]}"
	done
}

@test "options: a repeated one keeps every value, newlines and blanks too" {
	run -0 "$WISP" show --guide $'a\nb' --guide= --guide '*  c'
	assert_output $'agent=<> json=<> n=<> f=<> max=<>\narg=<>\nstep=<a\nb>\nstep=<>\nstep=<*  c>'
}

@test "options: -- ends them" {
	run -0 "$WISP" show -- --json -x --
	assert_output $'agent=<> json=<> n=<> f=<> max=<>\narg=<--json>\narg=<-x>\narg=<-->\nstep=<>'
}

@test "options: the caller's environment sets none" {
	opt_agent=evil opt_json=1 run -0 "$WISP" show
	assert_equal "agent=<> json=<> n=<> f=<> max=<>" "${lines[0]}"
}

@test "options: whatever is wrong is refused with 100" {
	while IFS='|' read -r words message; do
		# shellcheck disable=SC2086 # several words are meant
		run -100 --separate-stderr "$WISP" show $words
		assert_stderr "wisp show: $message"
		assert_output ""
	done <<-'END'
		--agnet x|unknown option '--agnet' (did you mean --agent?)
		--agnet=x|unknown option '--agnet' (did you mean --agent?)
		--max|unknown option '--max' (did you mean --max-iterations?)
		--agent|--agent needs a value
		-fn|-n needs a value
		--json=yes|--json takes no value
		--n 5|unknown option '--n' (did you mean -n?)
		-fx|unknown option '-x'; see wisp show --help
		--=x|unknown option '--'; see wisp show --help
		--json,n|unknown option '--json,n' (did you mean --json?)
		a b c d|unexpected argument 'd'; see wisp show --help
	END
}

@test "complete: what is chosen from is offered, too, and nothing that is not for people" {
	local words

	export WISP_BUILD=$PROGRAMS
	words=" $("$ROOT/bin/wisp" tasks --complete | tr '\n' ' ')"
	assert_contains "$words" ' import '
	assert_contains "$words" ' sync '
	assert_contains "$words" ' ralphex '
	assert_contains "$words" ' issues '
	assert_contains " $("$ROOT/bin/wisp" gate --complete | tr '\n' ' ')" ' --note '
	words=" $("$ROOT/bin/wisp" plan --complete | tr '\n' ' ')"
	assert_contains "$words" ' --from '
	assert_contains "$words" ' fixplan '
	words=" $("$ROOT/bin/wisp" hook --complete | tr '\n' ' ')"
	assert_contains "$words" ' graduate '
	assert_contains "$words" ' --dry-run '
	assert_contains "$words" ' --branch '
	assert_contains "$words" ' session-start '
	assert_contains "$words" ' transient '
	assert_lacks "$words" ' graduated '
	assert_lacks "$words" ' spec '
	assert_lacks "$words" ' tasks '
}

@test "help: no line of what people read is wider than their terminal" {
	export WISP_BUILD=$PROGRAMS
	{
		"$ROOT/bin/wisp" help
		for name in $("$ROOT/bin/wisp" --complete); do
			"$ROOT/bin/wisp" help "$name"
		done
		for name in agent limit prompt wait; do
			"wisp-$name" -h
		done
	} >help.txt
	run -1 grep -E '.{81}' help.txt
}

@test "help: every command of the tree has a summary and a usage, and names each of its options" {
	export WISP_BUILD=$PROGRAMS
	for file in "$ROOT"/libexec/wisp-*; do
		name=${file##*/wisp-}
		run -0 --separate-stderr "$ROOT/bin/wisp" help "$name"
		help=$output
		assert_contains "$help" "Usage: wisp $name"
		assert_equal "# Summary: " "$(sed -n '2s/^\(# Summary: \).*/\1/p' "$file")"
		run -0 --separate-stderr "$ROOT/bin/wisp" "$name" --complete
		for option in "${lines[@]}"; do
			if [[ $option == -* && $option != --help ]]; then
				assert_contains "$help" "$option"
			fi
		done
	done
}
