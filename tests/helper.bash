# helper.bash: what every bats file here loads first, with `load helper` (from
# a subfolder `load ../helper`).
#
# Loading it makes a world of the test's own under $BATS_TEST_TMPDIR and enters
# it: HOME, XDG_*, WISP_HOME, TMPDIR, TMUX_TMPDIR and PATH are new, the git
# identity is fixed, and nothing of the caller's WISP_*, GIT_*, TMUX or EDITOR
# is left. Nothing is written outside it.
#
#	ROOT            the source tree
#	WISP_BUILD      the programs under test: build, or what the caller set
#	                (`make asan` runs the same tests on other programs)
#	PATH            stubs that fail loudly (jq, python3, perl), bin/, WISP_BUILD,
#	                then only the folders of the tools that wisp needs
#
#	JQ              the real jq, to look at a document (wisp itself must not start it)
#
#	make_repo DIR               a git repository with one commit on main
#	turn_record DIR HEAD TREE   what is seen after the open step, and its record
#	wait_until SECONDS CMD...   until CMD succeeds; fails with a message if it never does
#	fail TEXT...                says why and fails
#	assert_equal EXPECTED ACTUAL
#	assert_output EXPECTED      all of $output
#	assert_stderr EXPECTED      all of $stderr (run --separate-stderr)
#	assert_contains TEXT PART   assert_lacks TEXT PART
#	step_process PID DIR        the number that process PID of a step in DIR has here
#	gone PID                    no such process
#	as_user COMMAND...          without root's right to pass over permissions
#	hide_tmux                   sets HIDDEN to a folder with all programs but tmux
#	end_tmux                    ends the tmux servers that the test started
#
# A file that needs a teardown of its own calls helper_teardown last in it.
# Use `run -N` for the exact exit code, and wait_until in place of sleep.

bats_require_minimum_version 1.5.0

# Folders of what wisp and its tests need, and no others: an agent's CLI that
# happens to be installed must not be found.
tool_path()
{
	local path='' tool file

	for tool in bash git tmux cc make sleep; do
		file=$(type -P "$tool") || continue
		[[ :$path: == *:"${file%/*}":* ]] || path+=:${file%/*}
	done
	printf '%s' "${path#:}:/usr/bin:/bin${BATS_LIBEXEC:+:$BATS_LIBEXEC}"
}

new_world()
{
	local name world=${BATS_TEST_TMPDIR:-${BATS_FILE_TMPDIR:-$BATS_RUN_TMPDIR}}

	ROOT=$(cd -P -- "${BASH_SOURCE[0]%/*}/.." && pwd)
	WISP_BUILD=${WISP_BUILD:-$ROOT/build}
	[[ $WISP_BUILD == /* ]] || WISP_BUILD=$ROOT/$WISP_BUILD
	JQ=${JQ:-$(type -P jq || :)}
	PATH=$ROOT/tests/stubs/forbidden:$ROOT/bin:$WISP_BUILD:$(tool_path)

	for name in $(compgen -A export WISP_) $(compgen -A export GIT_) $(compgen -A export XDG_) \
		$(compgen -A export TMUX) EDITOR VISUAL CDPATH BASH_ENV ENV MAKEFLAGS MAKELEVEL WERROR; do
		[[ $name == WISP_BUILD ]] || unset "$name"
	done
	export ROOT WISP_BUILD JQ PATH
	export HOME=$world/home TMPDIR=$world/tmp TMUX_TMPDIR=$world/tmux
	export WISP_HOME=$world.wisp
	export XDG_CONFIG_HOME=$HOME/.config XDG_STATE_HOME=$HOME/.local/state \
		XDG_DATA_HOME=$HOME/.local/share XDG_CACHE_HOME=$HOME/.cache
	export GIT_AUTHOR_NAME=Test GIT_AUTHOR_EMAIL=test@example.org \
		GIT_COMMITTER_NAME=Test GIT_COMMITTER_EMAIL=test@example.org \
		GIT_CONFIG_NOSYSTEM=1 GIT_TERMINAL_PROMPT=0 GIT_CEILING_DIRECTORIES=$world
	# Where bwrap cannot confine a step none is: landlock lets no step commit, and most scenarios do. Asked once a file.
	[[ -n ${BWRAP_HERE-} ]] || BWRAP_HERE=$(wisp-sandbox driver --driver bwrap 2>/dev/null) || BWRAP_HERE=no
	export BWRAP_HERE
	[[ $BWRAP_HERE != no ]] || export WISP_CONFIG_SET=sandbox=off
	export LC_ALL=C TERM=xterm TZ=UTC
	umask 022
	mkdir -p "$HOME" "$TMPDIR" "$TMUX_TMPDIR"
	cd "$world" || exit 1
}

make_repo()
{
	git init -q -b main "$1"
	printf 'A project.\n' >"$1/README"
	git -C "$1" add README
	git -C "$1" commit -q -m 'Begin'
}

turn_record()
{
	wisp-state -C "$1" observe --head "$2" --tree "$3" && wisp-state -C "$1" record
}

wait_until()
{
	local seconds=$(($1 < 60 ? 60 : $1)) end # whoever hangs is found so, and not whoever is slow
	shift

	end=$((SECONDS + seconds))
	until "$@"; do
		if ((SECONDS > end)); then
			fail "not within $seconds s: $*"
			return 1
		fi
		sleep 0.05
	done
}

fail()
{
	printf '%s\n' "$@" >&2
	return 1
}

# arguments COUNT ACTUAL NAME: an assertion that overlooks an argument, or is
# fed on stdin, would hold by mistake.
arguments()
{
	(($2 == $1)) || fail "$3: $1 arguments are needed, not $2"
}

assert_equal()
{
	arguments 2 $# assert_equal || return 1
	[[ $1 == "$2" ]] || fail "expected: $1" "actual:   $2"
}

assert_output()
{
	arguments 1 $# assert_output || return 1
	# shellcheck disable=SC2154 # set by run
	assert_equal "$1" "$output"
}

assert_stderr()
{
	arguments 1 $# assert_stderr || return 1
	# shellcheck disable=SC2154 # set by run
	assert_equal "$1" "$stderr"
}

assert_contains()
{
	arguments 2 $# assert_contains || return 1
	[[ -n $2 && $1 == *"$2"* ]] || fail "expected: ... $2 ..." "actual:   $1"
}

assert_lacks()
{
	arguments 2 $# assert_lacks || return 1
	[[ -n $2 && $1 != *"$2"* ]] || fail "expected: without $2" "actual:   $1"
}

# step_process PID DIR: prints the number of a process that works in DIR and calls itself
# PID; nothing when it is gone. In a pid namespace it calls itself otherwise than the
# test does. Not for a folder that was removed.
step_process()
{
	local status name numbers

	if [[ ! -e /proc/self/status ]]; then
		ps -o stat= -p "$1" | grep -q '^[^Z]' || return 0
		printf '%s\n' "$1"
		return
	fi
	for status in /proc/[0-9]*/status; do
		[[ ${status%status}cwd -ef $2 ]] || continue
		numbers=${status#/proc/}
		numbers=${numbers%/status}
		while read -r name REPLY; do
			[[ $name != NSpid: ]] || numbers+=" $REPLY"
		done 2>/dev/null <"$status" || :
		[[ ${numbers##*[[:space:]]} != "$1" ]] || printf '%s\n' "${numbers%%[[:space:]]*}"
	done
}

# A dead process that nobody has waited for counts as gone.
gone()
{
	local stat

	! stat=$(ps -o stat= -p "$1") || [[ $stat == Z* ]]
}

# Without root's right to pass over permissions.
as_user()
{
	if ((EUID == 0)); then
		setpriv --bounding-set -dac_override,-dac_read_search -- "$@"
	else
		"$@"
	fi
}

# It is the bash of this test that stays, where there are several.
hide_tmux()
{
	local program

	HIDDEN=$BATS_TEST_TMPDIR/hidden
	mkdir "$HIDDEN"
	ln -s /bin/* "$HIDDEN" 2>/dev/null || :
	ln -s /usr/bin/* "$HIDDEN" 2>/dev/null || :
	program=$(type -P bash) && ln -sf "$program" "$HIDDEN/bash"
	rm -f "$HIDDEN/tmux"
}

end_tmux()
{
	local socket server

	for socket in "$TMUX_TMPDIR"/tmux-*/*; do
		server=$(tmux -S "$socket" display-message -p '#{pid}' 2>/dev/null) || continue
		tmux -S "$socket" kill-server 2>/dev/null || :
		wait_until 10 gone "$server" # one that ends turns the next client away
	done
}

helper_teardown()
{
	[[ ! -e $BATS_TEST_TMPDIR/forbidden ]] ||
		fail "started, but must not be: $(<"$BATS_TEST_TMPDIR/forbidden")"
}

teardown()
{
	helper_teardown
}

new_world
