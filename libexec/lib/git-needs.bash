# git-needs.bash: what a repository asks for beside git itself, and a work tree may lack.
# Sourced by git.bash, whose head says what W, B, N, K and ID are.

# Does a file of the chosen work tree ask for a filter that git does not do without, and whose program is
# not there (git-lfs)? That is one with `required`, and any `process`. REPLY says which. 1: no.
git_filter_missing()
{
	local key value name settings program

	git__attributes && git__line config --get-regexp '^filter\..*\.(process|clean|required)$' || return 1
	settings=$REPLY
	while read -r key value; do
		name=${key%.*} name=${name#filter.} program=${value%% *}
		[[ $key != *.required && -n $program && $program != *[^a-zA-Z0-9_./+-]* ]] || continue
		[[ $key == *.process ]] || git__required "$name" "$settings" || continue
		[[ -z $(type -P -- "$program") ]] || continue
		! git_reply git_run --exec-path || [[ ! -x $REPLY/$program ]] || continue
		git_quiet ls-files -z -- ":(top,attr:filter=$name)" >"$WT_GIT/wisp.list" || return 1
		git_names_shown "$WT_GIT/wisp.list"
		[[ -n $REPLY ]] || continue
		REPLY="the filter $name, which .gitattributes asks for ($REPLY), needs $program, which is not in PATH: install it"
		return 0
	done <<<"$settings"
	return 1
}

# May files be other in the work tree than in the repository?
git__attributes()
{
	[[ -e $WT_TOP/.gitattributes || -s $WT_COMMON/info/attributes ]]
}

# Does the last word of the SETTINGS make the filter NAME one that must not fail?
git__required()
{
	local key value required=''

	while read -r key value; do
		[[ $key != "filter.$1.required" ]] || required=$value
	done <<<"$2"
	[[ $required == [tT1yY]* || $required == [oO][nN] ]]
}
