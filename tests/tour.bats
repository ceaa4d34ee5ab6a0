#!/usr/bin/env bats
# docs/tour.md: each of its commands is typed at a terminal of 80x24, one after the other,
# and each of its screens must come to stand there.
#
#	```console	what is typed after `$ `, and all that the terminal shows of it
#	```text		the first line is typed (`$ COMMAND`), pressed (`[KEYS]`) or `...`, where the screen
#			comes by itself; the others are the screen
#	<!-- agent: 1 2 -->	those calls of the scripted agent, held until then, go on
#	<!-- bwrap -->		the next one is left out where bwrap does not work
#
# A line `...` in a screen stands for any number of lines. What differs from run to run is masked.

load helper
load e2e/helper-terminal

# A call of the agent, told to sleep for 20 seconds, sleeps until the tour lets it go on.
setup()
{
	WIDTH=80 HEIGHT=24 GO=$BATS_TEST_TMPDIR/go
	SCREENS=0
	mkdir -p "$GO" "$BATS_TEST_TMPDIR/bin"
	cat >"$BATS_TEST_TMPDIR/bin/sleep" <<-END
		#!/bin/sh
		[ "\$1" = 20 ] || exec $(type -P sleep) "\$@"
		until test -e "$GO/\$(cat "\$WISP_SESSION_DIR/replay/calls")"; do $(type -P sleep) 0.05; done
	END
	chmod +x "$BATS_TEST_TMPDIR/bin/sleep"
	PATH=$BATS_TEST_TMPDIR/bin:$PATH
	unset WISP_HOME
	export WISP_CONFIG_SET=${WISP_CONFIG_SET:+$WISP_CONFIG_SET$'\n'}sandbox.read=$BATS_TEST_TMPDIR/bin$'\n'sandbox.read=$GO
	export COLUMNS=80 PS1='$ ' SHELL=/bin/sh
	cd "$HOME"
	terminal -f /dev/null new-session -d -x 80 -y 24 "env -u TMUX -u TMUX_PANE bash --norc --noprofile -i" 3>&-
	wait_until 20 prompts
}

teardown()
{
	local n

	for ((n = 1; n < 20; n++)); do
		: >"$GO/$n"
	done
	end_tmux
	helper_teardown
}

# masked: stdin, with one blank for several and without what differs from run to run.
masked()
{
	sed -E -e "s#$ROOT/libexec#/usr/local/libexec/wisp#g; s#/[.][.]/libexec/demo#/../libexec/wisp/demo#" -e "s|$HOME|/home/ada|g" \
		-e 's/[[:blank:]]+/ /g; s/ $//; /^$/d' \
		-e 's/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:+-]+/DATE/g; s/[0-9]{2}:[0-9]{2}$/CLOCK/; s/[0-9a-f]{12,}/HASH/g' \
		-e 's/(^|[^[:alnum:]])([0-9]+(ms|[smh]))+/\1TIME/g; s|([0-9]/[0-9]+) now |\1 TIME |; s/version [0-9].*/VERSION/; s/^[a-zA-Z]+ kernel:.*/KERNEL/' \
		-e 's/ \| [0-9]+:[0-9]{2} \| / | CLOCK | /; s/^ ?confined .*/ confined BY/' \
		-e 's/: [^:]+\.\.\.$/: CUT/' \
		-e 's/^greet .*( 0:loop\*)/greet BAR\1/'
}

# pattern TEXT: for the shell, out of a screen of the tour.
pattern()
{
	local line pattern=''

	while IFS= read -r line; do
		if [[ $line == ... ]]; then
			pattern+='*'
		else
			pattern+=$line$'\n'
		fi
	done < <(masked <<<"$1" | sed 's/[][*?\\]/\\&/g')
	printf '%s' "$pattern"
}

# capture [OPTION]...: with an end of line after the last one, as pattern has it.
capture()
{
	terminal capture-pane -p -J "$@" | masked
}

prompts()
{
	[[ $(capture | tail -n 1) == '$' ]]
}

alone()
{
	[[ $(capture) == '$' ]]
}

# Nothing but a prompt is on the screen, and nothing above it.
cleared()
{
	wait_until 20 prompts || fail "$(capture)"
	press C-l
	wait_until 20 alone
	terminal clear-history
}

typed_line()
{
	press -l "${1/libexec\/wisp\/demo/libexec/demo}" # installed, it lies one deeper
	press Enter
}

# stands PATTERN [OPTION]...
stands()
{
	local wanted=$1
	shift
	SEEN=$(capture "$@")$'\n'
	# shellcheck disable=SC2053 # a pattern it is
	[[ ${SEEN#"${TYPED:+$TYPED$'\n'}"} == $wanted ]]
}

# shown TEXT [OPTION]...
shown()
{
	local wanted text=$1
	shift

	SCREENS=$((SCREENS + 1))
	wanted=$(pattern "$text")$'\n'
	wait_until 30 stands "$wanted" "$@" ||
		fail "the tour has:" "$text" "the terminal, masked:" "$(capture "$@")" "the tour, masked:" "$wanted"
}

console_block()
{
	local line

	cleared
	while IFS= read -r line; do
		[[ $line == '$ '* ]] || continue
		wait_until 30 prompts || fail "$(capture)"
		typed_line "${line#??}"
	done <<<"$1"
	TYPED=''
	shown "$1"$'\n$' -S -500
}

text_block()
{
	local first=${1%%$'\n'*} key

	TYPED=''
	case $first in
	'$ '*)
		cleared
		typed_line "${first#??}"
		TYPED=$first
		;;
	'['*)
		for key in ${first//[][]/}; do
			press "$key"
		done
		;;
	...)
		shown "$1"
		return
		;;
	*) fail "neither a command nor keys: $first" ;;
	esac
	shown "${1#*$'\n'}"
}

@test "the tour: its commands show its screens" {
	local line kind='' block='' call skip=''

	while IFS= read -r line; do
		case $kind:$line in
		':<!-- agent: '*)
			for call in ${line//[^0-9 ]/}; do
				: >"$GO/$call"
			done
			;;
		':<!-- bwrap -->') wisp-sandbox driver --driver bwrap >/dev/null 2>&1 || skip=yes ;;
		':```'*) kind=${line#???} block='' ;;
		*':```')
			[[ -n $skip ]] || "${kind}_block" "$block"
			kind='' skip=''
			;;
		:*) ;;
		*) block+=${block:+$'\n'}$line ;;
		esac
	done <"$ROOT/docs/tour.md"
	((SCREENS > 15)) || fail "only $SCREENS screens were found"
}
