# session-branch.bash: can git read what the branch has beyond the record? git does not
# sync the objects of an agent's commits: a power cut leaves them empty, or torn.
# Sourced by session.bash, whose head says what the variables are.

LOST=''	# the step that is open lost its commits

# The branch goes back to the commit of the record where the newer ones cannot be read.
branch_ready()
{
	local head=$RECORDED tip ref=refs/heads/$BRANCH

	[[ -n $head ]] || return 0
	git_use "$PROJECT" || exit "$EXIT_SYS"
	git__line rev-parse -q --verify "$ref" 2>/dev/null || REPLY=''
	tip=$REPLY
	if [[ $tip == "$head" ]]; then
		branch_reads "$head" || branch_gone "$head"
		return 0
	fi
	# One that was deleted is another matter.
	[[ -n $tip || -e $WT_COMMON/$ref ]] || return 0
	if [[ -z $tip ]] || ! printf '%s\n^%s\n' "$tip" "$head" | git_quiet pack-objects --revs --stdout -q >/dev/null 2>&1; then
		branch_reads "$head" || branch_gone "$head"
		branch_back "$tip" "$head"
	fi
}

branch_reads()
{
	git_quiet cat-file -e "$1^{tree}" 2>/dev/null
}

branch_gone()
{
	die_sys "git cannot read the commit of the record, ${1:0:12}: 'git fsck' names what is damaged; fetch it from" \
		"a clone, or go back to an older iteration: wisp rollback N $TYPED"
}

# branch_back TIP HEAD: objects that cannot be read make room, so that git writes them again.
branch_back()
{
	local line names='' aside=$WT_COMMON/wisp-damaged path='objects/([0-9a-f][0-9a-f]/[0-9a-f]+)' name

	while IFS= read -r line; do
		[[ $line =~ $path ]] || continue
		name=${BASH_REMATCH[1]}
		[[ -f $WT_COMMON/objects/$name ]] || continue
		if ! mkdir -p -- "$aside/${name%/*}" || ! mv -f -- "$WT_COMMON/objects/$name" "$aside/$name"; then
			die_sys "cannot move '$WT_COMMON/objects/$name'"
		fi
		[[ -n $names ]] || names="; damaged objects are kept in '$aside':"
		names+=" ${name%%/*}${name#*/}"
	done < <(git_quiet fsck --no-dangling --no-progress 2>&1)
	[[ -n $1 ]] || rm -f -- "$WT_COMMON/refs/heads/$BRANCH"
	git_quiet update-ref --no-deref -m 'wisp: back to the record' "refs/heads/$BRANCH" "$2" || die_sys "cannot set the branch '$BRANCH'"
	warn "git cannot read what $BRANCH has since the record (${1:-its ref is damaged}): the branch is back at ${2:0:12}, and" \
		"the step counts as lost$names"
	LOST=1
	[[ ! -e $WORKTREE/.git ]] || ! git_use "$WORKTREE" 2>/dev/null || rm -f -- "$WT_GIT/wisp.index" "$WT_GIT/wisp.head"
}
