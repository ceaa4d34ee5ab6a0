# finish-merge.bash: into the branch that the session began on. Sourced by
# finish.bash, whose head says what the variables are.
#
#	finish_merge_check   ends the command where that cannot be; MERGE is none, forward or commit
#	finish_merge         does it; MERGED is the commit at which BASE_BRANCH is then

# The process of an orchestration that merges by this command: it owns the branch that is merged into.
MERGE_FOR=${WISP_MERGE_FOR-}
unset WISP_MERGE_FOR

# Does a live loop work on that branch? Not the orchestration that has this command merge for it.
finish_merge_owned()
{
	local owner

	[[ -e $PROJECT/.wisp/sessions/$1/session.json ]] || return 1
	owner=$(ask -C "$PROJECT/.wisp/sessions/$1" owner 2>/dev/null) || return 1
	[[ $(value_of pid "$owner") != "$MERGE_FOR" ]]
}

# Whatever stands in the way, said before anything is run.
finish_merge_check()
{
	[[ -n $BASE_BRANCH ]] || finish_end "$EXIT_USAGE" "$BRANCH began on no branch: there is none to merge into"
	[[ $BASE_BRANCH != "$BRANCH" ]] || finish_end "$EXIT_USAGE" "$BRANCH is its own base (--in-place): there is nothing to merge"
	[[ -n $BASE_TIP ]] || finish_end "$EXIT_DATA" "the branch '$BASE_BRANCH', which $BRANCH began on, is gone"
	if finish_merge_owned "$BASE_BRANCH"; then
		finish_end "$EXIT_OWNED" "a live loop works on '$BASE_BRANCH' (wisp pause $BASE_BRANCH)"
	fi
	if git_finish_held "$BASE_BRANCH"; then
		finish_end "$EXIT_NO" "$REPLY: nothing was merged"
	fi
	if [[ -n $HOLDER ]]; then
		git_finish_dirty "$HOLDER" || finish_end "$EXIT_SYS" "'$HOLDER' cannot be looked at"
		[[ -z $REPLY ]] || finish_end "$EXIT_NO" \
			"$BASE_BRANCH is checked out and would move: $REPLY (commit or stash it, then once more)"
		git_use "$PROJECT"
	fi
	MERGE=commit
	config_value merge.mode
	if git_quiet merge-base --is-ancestor "$TIP" "$BASE_TIP"; then
		MERGE=none
	elif [[ $VALUE != commit ]] && git_quiet merge-base --is-ancestor "$BASE_TIP" "$TIP"; then
		MERGE=forward
	elif ! git_finish_identity; then
		finish_end "$EXIT_USAGE" "git knows no name and address to commit the merge with (git config user.name, user.email)"
	fi
}

# Merged: the commit to which BASE_BRANCH moves; verified, unless it is one that was.
finish_merge_make()
{
	local rc=0

	printf "Merge branch '%s' into %s\n\nWisp-Step: %s/%s\n" "$BRANCH" "$BASE_BRANCH" "$SESSION_ID" "$LOOPS" >"$SCRATCH/message"
	finish_tree_make "$BASE_TIP"
	git_finish_merge "$FINISH_TREE" "$TIP" "$SCRATCH/message" || rc=$?
	case $rc in
	0) MERGED=$REPLY ;;
	1) finish_end "$EXIT_NO" "$BRANCH and $BASE_BRANCH conflict in ${REPLY//$'\n'/, }: nothing was merged (merge $BASE_BRANCH into $BRANCH in '$WORKTREE' first)" ;;
	*) finish_end "$EXIT_SYS" "git does not merge: $REPLY" ;;
	esac
	finish_tree_verify "$BRANCH merged into $BASE_BRANCH"
	finish_tree_drop || finish_end "$EXIT_SYS" "the work tree '$FINISH_TREE' cannot be removed"
}

# finish_said TEXT: the first line of what git said, with the first of the names that are indented below.
finish_said()
{
	local line said=${1%%$'\n'*} n=0

	while IFS= read -r line; do
		[[ $line == $'\t'* ]] || continue
		n=$((n + 1))
		((n > 3)) || said+="${line/#$'\t'/ }"
	done <<<"$1"
	((n <= 3)) || said+=" and $((n - 3)) more"
	printf '%s' "${said#error: }"
}

# The merge is of a person's choice, but not that of an emptied project.
finish_merge_deletes()
{
	local rc=0

	git_use "$PROJECT" && git_deletes_much "$BASE_TIP" "$MERGED" "$SCRATCH/deleted" || rc=$?
	((rc != 1)) || return 0
	MERGED=''
	((rc == 0)) || finish_end "$EXIT_SYS" "what $BRANCH deletes cannot be found out"
	finish_end "$EXIT_NO" \
		"$BRANCH would delete $REPLY of $BASE_BRANCH, such as $GIT_FEW: nothing was merged (git merge $BRANCH, if that is meant)"
}

finish_merge()
{
	case $MERGE in
	none)
		MERGED=$BASE_TIP
		return 0
		;;
	forward) MERGED=$TIP ;;
	commit) finish_merge_make ;;
	esac
	finish_merge_deletes
	finish_stop
	git_finish_move "$PROJECT" "$BASE_BRANCH" "$MERGED" "$BASE_TIP" "$HOLDER" || {
		MERGED=''
		finish_end "$EXIT_NO" "$BASE_BRANCH was not moved: $(finish_said "$REPLY")"
	}
}
