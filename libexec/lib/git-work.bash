# git-work.bash: what in a work tree is the agent's work, and what is not: files that a
# check wrote, or that worktree.copy and worktree.setup put there.
# Sourced by git.bash, whose head says what W, B, N, K and ID are.
#
# A list of what is not work is a file: the tree in which that was so, then the names,
# sorted as git sorts, each with a NUL after it. A name counts as long as it is the same. The names in
# FILE.copied, which worktree.copy brought, count whatever becomes of them: they may be secrets.

# W KINDS: clears flags of the index that hide files from git: `assumed`, `skipped`.
git_flags_clear()
{
	local kind name list=$WT_GIT/wisp.list

	git_use "$1" || return
	for kind in $2; do
		git_quiet ls-files -v -z >"$list" 2>/dev/null || return 0	# a torn index hides nothing
		case $kind in
		assumed) set -- '^[a-z]' --no-assume-unchanged ;;
		skipped) set -- '^[Ss]' --no-skip-worktree ;;
		esac
		while IFS= read -r -d '' name; do
			printf '%s\0' "${name:2}"
		done < <(git__grep "$1" <"$list") >"$WT_GIT/wisp.info"
		git_quiet update-index "$2" -z --stdin <"$WT_GIT/wisp.info" || return 111
	done
}

# W FILE TREE OUT: into OUT the names of the list FILE that are in TREE as they were.
git_not_work()
{
	local tree='' list=$WT_GIT/wisp.list

	: >"$4"
	if [[ -s $2 ]]; then
		{
			IFS= read -r -d '' tree
			cat >"$list"
		} <"$2" || return 111
		# A tree that is gone says nothing of the names.
		! git_changed "$1" "$tree" "$3" "$WT_GIT/wisp.info" 2>/dev/null || git__minus "$list" "$WT_GIT/wisp.info" "$4" || return
	fi
	[[ ! -s $2.copied ]] || git_names_join "$4" "$4" "$2.copied"
}

# W TREE OUT: into OUT the names that TREE changes in HEAD by what git makes of HEAD's own file alone, such as other
# line ends where .gitattributes ask for them: nobody has touched those.
git_renormalized()
{
	local mode name list=$WT_GIT/wisp.list

	: >"$3"
	git_use "$1" && git__attributes || return 0
	git__warm git_quiet diff-tree -r --raw -z --no-renames --diff-filter=M HEAD "$2" -- "${GIT_NO_WISP[@]}" >"$list" || return 111
	while IFS= read -r -d '' mode && IFS= read -r -d '' name; do
		[[ $mode != :100* ]] || printf '%s\0' "$name"
	done <"$list" >"$WT_GIT/wisp.info"
	[[ -s $WT_GIT/wisp.info ]] || return 0
	rm -f -- "$WT_GIT/wisp.temp"
	git__temp git_quiet read-tree HEAD && git__renormalize "$WT_GIT/wisp.info" false || return 111
	git__temp git_quiet diff-index --cached --name-only -z --no-renames "$2" -- >"$list" || return 111
	git__minus "$WT_GIT/wisp.info" "$list" "$3"
}

# FILE TREE LIST: FILE is from now on the list of the names in LIST, as they are in TREE.
git_not_work_is()
{
	{
		printf '%s\0' "$2"
		cat -- "$3"
	} >"$1.new" && mv -f -- "$1.new" "$1" || return 111
}

# FILE OUT: into OUT the names of the list FILE, as they are now or not.
git_not_work_names()
{
	: >"$2"
	[[ -s $1 ]] || return 0
	{
		IFS= read -r -d '' _
		cat >"$2"
	} <"$1"
}

# W BEFORE AFTER OWN NEW CHANGED: what a check did to the tree: into NEW the names that
# AFTER alone has, into CHANGED those that differ otherwise, in both without those in OWN.
git_wrote()
{
	local status name list=$WT_GIT/wisp.list

	: >"$5"
	: >"$6"
	[[ $2 != "$3" ]] || return 0
	git_use "$1" || return
	git__warm git_quiet diff-tree -r --name-status -z --no-renames "$2" "$3" >"$list" || return 111
	while IFS= read -r -d '' status && IFS= read -r -d '' name; do
		case $status in
		A) printf '%s\0' "$name" >&7 ;;
		*) printf '%s\0' "$name" ;;
		esac
	done <"$list" 7>"$WT_GIT/wisp.new" >"$WT_GIT/wisp.info"
	git__minus "$WT_GIT/wisp.new" "$4" "$5" && git__minus "$WT_GIT/wisp.info" "$4" "$6"
}

# OUT FILE...: the names of the lists, sorted, each once. OUT may be one of them.
git_names_join()
{
	local out=$1

	shift
	cat -- "$@" | tr '\n\0' '\001\n' | LC_ALL=C sort -u | tr '\n\001' '\0\n' >"$WT_GIT/wisp.join" || return 111
	mv -f -- "$WT_GIT/wisp.join" "$out"
}

# FILE: REPLY is a few of the names in it, in words; empty for none.
git_names_shown()
{
	local name n=0

	REPLY=''
	while IFS= read -r -d '' name; do
		n=$((n + 1))
		((n > 3)) || REPLY+="${REPLY:+, }${name//[[:cntrl:]]/?}"
	done <"$1"
	((n <= 3)) || REPLY+=" and $((n - 3)) more"
}
