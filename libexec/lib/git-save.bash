# git-save.bash: what a failed step left, saved before it is taken away.
# Sourced by git.bash, whose head says what W, B, N, K and ID are.

# Everything in W as it is now, as a commit under refs/wisp/failed: parents are
# HEAD, whatever else would be lost, and an older commit of that name. REPLY: the
# commit, PUT_REF its name. Repeated with nothing new, the older one stays.
git_save_failed()
{
	PUT_HEAD='' PUT_TREE='' PUT_INDEX=''
	git__save "$@"
}

# The same on the way to PUT_TREE, PUT_HEAD and PUT_INDEX: what is in these is no news.
git__save()
{
	local W=$1 B=$2 n=$3 id=$4 tree tip old ref parents=() text

	git_observe "$W" && git__unplug || return
	[[ -z $OBS_NOTE ]] || ! git__rights || git_observe "$W" || return
	[[ -z $OBS_PARTIAL ]] || git__refuse "cannot save all of '$W': $OBS_NOTE" || return
	git__whole_tree || return
	tree=$REPLY
	REPLY=$OBS_HEAD
	[[ $OBS_REF == "refs/heads/$B" ]] || git__commit "refs/heads/$B"
	tip=$REPLY
	git_ref failed "$B" "$n"
	ref=$REPLY PUT_REF=$REPLY
	git__commit "$ref"
	old=$REPLY
	if [[ -n $old ]] && git__nothing_new "$old" "$tree" "$tip"; then
		REPLY=$old
		return 0
	fi
	[[ -z $OBS_HEAD ]] || parents=(-p "$OBS_HEAD")
	[[ -z $old ]] || parents+=(-p "$old")
	[[ -z $tip || $tip == "$OBS_HEAD" ]] || parents+=(-p "$tip")
	git__staged_commit "$W" || return
	[[ -z $REPLY ]] || parents+=(-p "$REPLY")
	# what `git rebase --autostash` had set aside
	! git__first "$WT_GIT/rebase-merge/autostash" || ! git__is_id "$REPLY" || parents+=(-p "$REPLY")
	printf -v text 'wisp put away %s/%d\n\nWisp-Step: %s/%d' "$B" "$n" "$id" "$n"
	git__store "$ref" "$tree" "$text" ${parents[@]+"${parents[@]}"}
}

# What a step has kept from being read, or removed, gets its owner's rights back. 1: W is a person's own checkout.
git__rights()
{
	! git__persons || return
	find "$WT_TOP" -path "$WT_TOP/.git" -prune -o -type d ! -perm -700 -exec chmod u+rwx {} \; -o \
		-type f ! -perm -400 -exec chmod u+r {} + 2>/dev/null || :
}

# REPLY: OBS_TREE with the files of nested repositories that going back will remove.
git__whole_tree()
{
	local dir temp=''

	for dir in ${OBS_NESTED[@]+"${OBS_NESTED[@]}"}; do
		! git__among "$dir" ${CK_NESTED[@]+"${CK_NESTED[@]}"} || continue
		[[ -n $temp ]] || git__temp git_quiet read-tree "$OBS_TREE" || return 111
		temp=1
		rm -f -- "$WT_GIT/wisp.nested"
		git__nested git_quiet -C "$dir" --work-tree="$WT_TOP/$dir" add -A --ignore-errors 2>/dev/null || :
		git__nested git__line write-tree || return 111
		git__temp git_quiet read-tree --prefix="$dir/" "$REPLY" || return 111
	done
	REPLY=$OBS_TREE
	[[ -z $temp ]] || git__temp git__line write-tree || return 111
}

git__nested()
{
	GIT_INDEX_FILE=$WT_GIT/wisp.nested "$@"
}

# OLD TREE TIP: is all that would be saved in OLD and the commits before it, or in
# what W is to become?
git__nothing_new()
{
	local old=$1 tree=$2 id known IFS=$' \n'

	for id in "$OBS_HEAD" "$3"; do
		[[ -z $id || $id == "$PUT_HEAD" ]] || git_quiet merge-base --is-ancestor "$id" "$old" || return
	done
	git_index_tree "$WT_TOP" || return
	if [[ -n $REPLY ]]; then
		id=$REPLY
		git__line rev-parse "$old^@" || return
		for known in $PUT_INDEX $REPLY; do
			! git__warm git_quiet diff-tree --quiet "$known" "$id" -- "${GIT_NO_WISP[@]}" || break
			known=
		done
		[[ -n $known ]] || return
	fi
	# names that differ from each of the others
	git__warm git__line diff -c --name-only --no-ext-diff "$tree" "$old" "${PUT_TREE:-$old}" "${OBS_HEAD:-$old}" &&
		[[ -z $REPLY ]]
}
