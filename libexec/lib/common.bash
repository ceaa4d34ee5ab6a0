# common.bash: what every wisp command begins with.
#
#	#!/usr/bin/env bash
#	# Summary: one line, shown by `wisp help`
#	# Usage: wisp NAME [<branch>] [--agent A] [--json]
#	#
#	# Prose, shown by `wisp help NAME` and `wisp NAME --help`.
#	set -euo pipefail
#	source "$WISP_LIBEXEC/lib/common.bash"
#
#	main()
#	{
#		parse_options 'agent=,json' "$@"
#		operands 0 1
#		...
#	}
#
#	main "$@"
#
# bin/wisp sets WISP_LIBEXEC, WISP_SHARE and PATH (the C utilities first).
#
# Arguments are read by options.bash, which this file sources at its end.
#
# Ends the command:     die_usage MSG (100)  die_bug MSG (101)  die_data MSG (102)  die_sys MSG (111)
# Talks:                say MSG (stdout)  warn MSG (stderr)
# Reads the arguments:  parse_options SPEC ARGUMENT...   option_values NAME   operands MIN [MAX]
# Suggests:             nearest WORD CANDIDATE...  did_you_mean WORD CANDIDATE...
# Knows the commands:   list_commands  is_utility NAME
#
# Messages read `wisp run: cannot read 'PATH'`: one line, no capital, no full
# stop. Runs on bash 3.2.

set -euo pipefail
shopt -s inherit_errexit 2>/dev/null || : # bash 3.2: it drops -e in $( ), as all do before 4.4

# The exit codes: answers, ends of a run, failures.
# shellcheck disable=SC2034 # each command uses some of them
readonly EXIT_OK=0 EXIT_NO=1 \
	EXIT_INPUT=10 EXIT_BLOCKED=11 EXIT_STUCK=12 EXIT_LIMIT=13 EXIT_WAIT=14 \
	EXIT_PAUSED=15 EXIT_AGENT=16 EXIT_OWNED=17 \
	EXIT_USAGE=100 EXIT_BUG=101 EXIT_DATA=102 EXIT_SYS=111

# Commands that are C utilities and have no script.
readonly UTILITIES='gate state stuck tasks'

# What messages begin with: wisp-run says `wisp run`.
PROGRAM=${0##*/}
PROGRAM=${PROGRAM/#wisp-/wisp }
readonly PROGRAM

say()
{
	printf '%s\n' "$*" 2>/dev/null || die_sys "cannot write to standard output"
}

# Control characters become `?`: much of the text comes from driven programs.
warn()
{
	local text="$PROGRAM: $*"

	# Without a standard error the exit code still says it. One redirection: more may lack descriptors to save in.
	printf '%s\n' "${text//[[:cntrl:]]/?}" >&2 || :
}

die_usage()
{
	warn "$@"
	exit "$EXIT_USAGE"
}

die_bug()
{
	warn "$@"
	exit "$EXIT_BUG"
}

die_data()
{
	warn "$@"
	exit "$EXIT_DATA"
}

die_sys()
{
	warn "$@"
	exit "$EXIT_SYS"
}

# did_you_mean WORD CANDIDATE...: prints ` (did you mean X or Y?)`, or nothing.
did_you_mean()
{
	wisp-config near -- "$@"
}

# real_folder DIR: REPLY is its path without links; a shell of its own is needed where there are some. 1: it cannot be entered.
real_folder()
{
	local dir=${1#./}

	[[ $dir == /* ]] || dir=$PWD/$dir
	dir=${dir%/} dir=${dir%/.}
	REPLY=$dir
	[[ $PWD -ef . && -d $dir && -x $dir && $dir/ != *//* && $dir/ != */./* && $dir/ != */../* ]] || dir=/
	until [[ -z $dir || $dir == / || -L $dir ]]; do
		dir=${dir%/*}
	done
	[[ -z $dir ]] || REPLY=$(CDPATH='' cd -P -- "$1" 2>/dev/null && pwd)
}

is_utility()
{
	[[ " $UTILITIES " == *" $1 "* ]]
}

# list_verbs NAME: the verbs of a program, a line each.
list_verbs()
{
	"wisp-$1" -h | sed -n 's/^  \([a-z][a-z-]*\).*/\1/p'
}

# Every command, a line each, in order.
list_commands()
{
	local file names=$UTILITIES

	for file in "$WISP_LIBEXEC"/wisp-*; do
		if [[ -x $file ]]; then
			names+=" ${file##*/wisp-}"
		fi
	done
	tr ' ' '\n' <<<"$names" | LC_ALL=C sort -u
}

# files_remove FILE...: whatever is there of that name; folders below may have any mode, as those of Go's modules do.
files_remove()
{
	local file

	for file; do
		[[ -e $file || -L $file ]] || continue
		rm -rf -- "$file" 2>/dev/null || { chmod -R u+rwx -- "$file" 2>/dev/null && rm -rf -- "$file"; } || return
	done
}

source "$WISP_LIBEXEC/lib/options.bash"
