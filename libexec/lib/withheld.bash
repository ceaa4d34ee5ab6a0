# withheld.bash: which of the person's variables a project asks for, and its commands are not
# given (verify.env). Sourced by detect.bash and start.bash.
#
#	detect_withheld DIR	says which of them the files of the project name; nothing where there is none
#	withheld_said DIR NAMES	the same, where it is known which those are: `A, B`

detect_withheld()
{
	local names

	names=$(wisp-config withheld) || return
	withheld_said "$1" "$names"
}

# withheld_said DIR NAMES: those of the names, `A, B`, that files of the project have as a word.
withheld_said()
{
	local name said patterns=()

	for name in ${2//,/}; do
		patterns+=(-e "$name")
	done
	((${#patterns[@]})) || return 0
	said=$(cd -- "$1" && named_here "${patterns[@]}") || return
	[[ -n $said ]] || return 0
	name=NAME
	[[ $said == *$'\n'* ]] || name=$said
	say "the project's files name what its tests will not be given:" \
		"wisp withholds ${said//$'\n'/, } from it: wisp config --add verify.env $name"
}

named_here()
{
	{ git_run -c core.fsmonitor=false grep --untracked --no-recurse-submodules --no-color -h -I -o -w -F "$@" -- ':!.wisp' || (($? == 1)); } | sort -u
}
