# loop-left.bash: what a step leaves, or takes, in the repository beside its own work tree. Sourced
# by loop.bash, whose head says what the variables are.

# Work trees that the step made beside its own, as sub-agents do. One that is gone is registered no longer; the others are
# named once. In .wisp/worktrees are those of other sessions.
trees_left()
{
	local folder left=(${TREES_LEFT[@]+"${TREES_LEFT[@]}"}) GONE=''

	[[ ${#TREES[@]} -gt 0 ]] || return 0 # no step of this loop
	for folder in "$WT_COMMON"/worktrees/*; do
		! git__among "$folder" "${TREES[@]}" || continue
		git__registered_path "$folder" || continue
		! git__among "$folder" ${TREES_LEFT[@]+"${TREES_LEFT[@]}"} || continue
		[[ $REPLY != "$PROJECT/.wisp/worktrees/"* || $REPLY == "$WORKTREE/"* ]] || continue
		left+=("$folder")
		[[ ! -e $REPLY ]] || tell "wisp: [$ITERATION] a work tree was left at '$REPLY': git worktree remove takes it away, its branch stays"
	done
	TREES_LEFT=()
	for folder in ${left[@]+"${left[@]}"}; do
		git_worktree_gone "$folder" || loop_fail "$EXIT_SYS"
		[[ ! -d $folder ]] || TREES_LEFT+=("$folder")
	done
	[[ -z $GONE ]] || tell "wisp: [$ITERATION] work trees that are gone are registered no longer, their branches stay: $GONE"
}
TREES=() TREES_LEFT=()

# REPLY: what is stashed. git has one list for all work trees of a repository: an agent that pops an entry where it has
# made none takes a person's.
stashed()
{
	local id file=$WT_COMMON/logs/refs/stash

	REPLY=''
	[[ -f $file && -r $file ]] || return 0
	while read -r _ id _; do
		REPLY+=" $id"
	done <"$file"
}
STASHED=''

# Entries that are gone since the step began.
stash_kept()
{
	local id

	stashed
	for id in $STASHED; do
		[[ " $REPLY " != *" $id "* ]] || continue
		! git__keep_commit "$WT_COMMON" "$id" ||
			tell "wisp: [$ITERATION] an entry of git's stash went in the step: it is kept (git stash store refs/wisp/kept/$id)"
		stashed
	done
	STASHED=''
}
