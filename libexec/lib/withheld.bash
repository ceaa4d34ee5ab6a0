# withheld.bash: which of the person's variables a project asks for, and its commands are not
# given (verify.env). Sourced by detect.bash and start.bash.
#
#	detect_withheld DIR	says which of them the files of the project name; nothing where there is none
#	withheld_names NAMES	of those that its commands are not given (`A, B`): the pathspec and patterns WITHHELD_GREP of git grep
#	withheld_text NAMES	REPLY: what is said of those that git grep finds, which is standard input; empty for none

# Words of their own, in files that git does not ignore.
withheld_names()
{
	local name

	WITHHELD_GREP=(grep --untracked --no-recurse-submodules --no-color -h -I -o -w -F)
	for name in ${1//,/}; do
		WITHHELD_GREP+=(-e "$name")
	done
	WITHHELD_GREP+=(-- ':!.wisp')
}

withheld_text()
{
	local line name found=' ' names='' one=NAME

	while IFS= read -r line; do
		[[ $found == *" $line "* ]] || found+="$line "
	done
	for name in ${1//,/}; do
		[[ $found != *" $name "* ]] || names+=${names:+, }$name
	done
	REPLY=''
	[[ -n $names ]] || return 0
	[[ $names == *,* ]] || one=$names
	REPLY="the project's files name what its tests will not be given: wisp withholds $names from it: wisp config --add verify.env $one"
}

detect_withheld()
{
	local names rc=0

	names=$(wisp-config withheld) || return
	[[ -n $names ]] || return 0
	withheld_names "$names"
	git_reply named_here "$1" || rc=$?
	((rc <= 1)) || return "$rc"
	withheld_text "$names" <<<"$REPLY"
	[[ -z $REPLY ]] || say "$REPLY"
}

named_here()
{
	(cd -- "$1" && git_run -c core.fsmonitor=false "${WITHHELD_GREP[@]}")
}
