# git-restore.bash: going back to a checkpoint, once git-save.bash has what would be lost.
# Sourced by git.bash, whose head says what W, B, N, K and ID are.

# BASE OURS THEIRS (commit, commit, tree): REPLY is the tree OURS plus what THEIRS
# changed since BASE where OURS did not; without .wisp.
git__merge()
{
	rm -f -- "$WT_GIT/wisp.temp"
	git__temp git_quiet read-tree -i -m --aggressive "$1^{tree}" "$2^{tree}" "$3^{tree}" || return 111
	git__temp git_quiet ls-files -u -z >"$WT_GIT/wisp.list" || return 111
	if [[ -s $WT_GIT/wisp.list ]]; then
		git__settle >"$WT_GIT/wisp.info"
		git__temp git_quiet update-index -z --index-info <"$WT_GIT/wisp.info" || return 111
	fi
	git__temp git_quiet rm -r -f -q --cached --ignore-unmatch -- .wisp || return 111
	git__temp git__line write-tree || return 111
}

# Unmerged entries as input that settles them: ours, where there is one. What only
# theirs has (stage 3 alone) is in conflict with a file or folder; it goes in
# before ours, and ours takes the place of what is in its way.
git__settle()
{
	local pass entry path id last

	for pass in drop theirs ours; do
		last=
		while IFS= read -r -d '' entry; do
			path=${entry#*$'\t'} entry=${entry%%$'\t'*}
			id=${entry#* }
			id=${id% *}
			case $pass$entry in
			drop*) printf '0 %s\t%s\0' "${id//?/0}" "$path" ;;
			theirs*3) [[ $path == "$last" ]] || printf '%s 0\t%s\0' "${entry% *}" "$path" ;;
			ours*2) printf '%s 0\t%s\0' "${entry% *}" "$path" ;;
			esac
			last=$path
		done <"$WT_GIT/wisp.list"
	done
}

# Where a failed step leads, from the checkpoint that was read and HEAD as it is.
git__plan()
{
	PUT_HEAD=$CK_HEAD PUT_TREE=$CK_TREE PUT_INDEX=$CK_INDEX PUT_STAGED=$CK_STAGED PUT_COMMITS=
	[[ $1 == put-away && -n $CK_HEAD && -n $OBS_HEAD && $OBS_HEAD != "$CK_HEAD" ]] || return 0
	# A step that rewrote what earlier ones had committed leaves nothing to build on.
	git_quiet merge-base --is-ancestor "$CK_HEAD" "$OBS_HEAD" || return 0
	git__merge "$CK_HEAD" "$OBS_HEAD" "$CK_TREE" || return
	PUT_HEAD=$OBS_HEAD PUT_TREE=$REPLY PUT_INDEX=$OBS_HEAD PUT_STAGED=''
	git__line log --no-show-signature --format='%H %s' "$CK_HEAD..$OBS_HEAD" || return 111
	PUT_COMMITS=$REPLY
}

git__go_back()
{
	local how=$1 W=$2 B=$3 n=$4 id=$5

	git_checkpoint_read "$W" "$B" "$6" || return
	git__unlock "$B" && git__head || return
	PUT_NOTE=''
	if [[ $how == reset || $OBS_REF == "refs/heads/$B" ]]; then
		git__plan "$how" && git__save "$W" "$B" "$n" "$id" || return
	else	# no plan without its HEAD, and none that an earlier run may have begun to carry out
		git_save_failed "$W" "$B" "$n" "$id" && git_home "$W" "$B" || return
		PUT_NOTE=$REPLY
		git__plan "$how" || return
	fi
	git__carry_out "$W" "$B" "$n" "$id" || return
	REPLY=$PUT_TREE
}

# A failed step: all in W is saved; then W becomes HEAD plus what checkpoint K
# had uncommitted and the commits since did not touch. Commits stay: PUT_COMMITS,
# a line "id subject" each. PUT_REF: where the rest lies. PUT_NOTE: what git_home
# said. REPLY: the new tree. May be repeated after a kill. 1: no checkpoint K,
# nothing was done. K is a number, or the commit itself, should its ref be gone.
git_put_away()
{
	git__go_back put-away "$@"
}

# The same, but branch, index and tree go back to checkpoint K exactly.
git_reset_to()
{
	git__go_back reset "$@"
}

# checkpoint.restore=always: W becomes HEAD. What checkpoint K does not hold is saved
# first; where there is no K, all that is uncommitted.
git_restore_always()
{
	local W=$1 B=$2 n=$3 id=$4 rc=0

	git_home "$W" "$B" && git_observe "$W" || return
	git_checkpoint_read "$W" "$B" "$5" || rc=$?
	[[ $rc -le 1 && -n $OBS_HEAD ]] || return 111
	git__merge "$OBS_HEAD" "$OBS_HEAD" "$OBS_HEAD" || return
	PUT_HEAD=$OBS_HEAD PUT_TREE=$REPLY PUT_INDEX=$OBS_HEAD PUT_STAGED='' PUT_COMMITS='' PUT_REF=''
	[[ $OBS_TREE == "$CK_TREE" || $OBS_TREE == "$PUT_TREE" ]] || git__save "$W" "$B" "$n" "$id" || return
	git__carry_out "$W" "$B" "$n" "$id" || return
	REPLY=$PUT_TREE
}

# Branch, work tree and index become PUT_HEAD, PUT_TREE, PUT_INDEX.
git__carry_out()
{
	local dir keep=(-e /.wisp)

	git__unplug && git__branch_to "$2" || return
	git__rules_first "$@" || return
	git__warm git_quiet read-tree --no-recurse-submodules --reset -u "$PUT_TREE" || return 111
	for dir in ${CK_NESTED[@]+"${CK_NESTED[@]}"} ${OBS_LARGE[@]+"${OBS_LARGE[@]}"}; do
		git__pattern "$dir"
		keep+=(-e "/$REPLY")
	done
	# All else is saved; what cannot be removed, and git says so, is no reason to stop.
	git__warm git_quiet clean -ffdq "${keep[@]}" || ! git__rights || git__warm git_quiet clean -ffdq "${keep[@]}" || :
	git__index_to && git__links_there || return
	git__end_operations
	git_worktrees_gone "$WT_TOP" || return
	[[ -z $GONE ]] || git_say 'removed with the work, and their branches stay: %s' "$GONE"
	git__submodules_back
}

git__branch_to()
{
	[[ $OBS_REF != "refs/heads/$1" || $OBS_HEAD != "$PUT_HEAD" ]] || return 0
	if [[ -z $PUT_HEAD ]]; then
		git_quiet update-ref --no-deref -d "refs/heads/$1" || return 111
	else
		git__commit "refs/heads/$1"
		[[ $REPLY == "$PUT_HEAD" ]] ||
			git_quiet update-ref --no-deref -m 'wisp: back to checkpoint' "refs/heads/$1" "$PUT_HEAD" || return 111
	fi
	[[ $OBS_REF == "refs/heads/$1" ]] ||
		git_quiet symbolic-ref -m 'wisp: back to checkpoint' HEAD "refs/heads/$1" || return 111
}

# Where ignore rules change on the way back, the new ones count: what they do not
# hide is saved too, what only they hide is not touched. So they are laid out
# first, with all of the new tree, and W is looked at again.
git__rules_first()
{
	local name rules=()

	git__warm git_quiet diff-tree -r --name-only -z --no-renames "$OBS_TREE" "$PUT_TREE" -- ':(top,glob)**/.gitignore' \
		>"$WT_GIT/wisp.list" || return 111
	[[ -s $WT_GIT/wisp.list ]] || return 0
	while IFS= read -r -d '' name; do
		! git__is_file "$name" || rules+=("$WT_TOP/$name")
	done <"$WT_GIT/wisp.list"
	git__warm git_quiet read-tree --reset "$PUT_TREE" || return 111
	[[ ${#rules[@]} -eq 0 ]] || rm -f -- "${rules[@]}" || return 111
	git__warm git_quiet checkout-index -q -f -a -u || return 111
	git__save "$@"
}

# A submodule that is empty is a folder all the same; git would call it deleted.
git__links_there()
{
	local name

	[[ -f $WT_TOP/.gitmodules ]] || return 0
	git_quiet ls-files -s -z >"$WT_GIT/wisp.list" || return 111
	git__grep '^160000' <"$WT_GIT/wisp.list" >"$WT_GIT/wisp.links" || return 0
	while IFS= read -r -d '' name; do
		name=${name#*$'\t'}
		git__by_link "$name" || [[ -e $WT_TOP/$name ]] || mkdir -p -- "$WT_TOP/$name" 2>/dev/null || :
	done <"$WT_GIT/wisp.links"
}

# The real index: PUT_INDEX; where that was staged, .wisp in it is as in HEAD.
git__index_to()
{
	local tree=$PUT_INDEX

	if [[ -n $PUT_STAGED ]]; then
		git__temp git_quiet read-tree "$PUT_INDEX" || return 111
		! git_quiet cat-file -e "HEAD:.wisp/" 2>/dev/null || git__temp git_quiet read-tree --prefix=.wisp/ HEAD:.wisp || return 111
		git__temp git__line write-tree || return 111
		tree=$REPLY
	fi
	if ! git_quiet read-tree --reset "$tree"; then
		! git__persons || return 111
		rm -f -- "$WT_GIT/index"	# torn
		git_quiet read-tree "$tree" || return 111
	fi
	# Without -u, read-tree forgets what a sparse checkout leaves out; with it, the warm index is flagged for that.
	if git__sparse; then
		git_quiet sparse-checkout reapply >/dev/null 2>&1 || :
		rm -f -- "$WT_GIT/wisp.index" "$WT_GIT/wisp.head"
	fi
	git_quiet update-index -q --refresh >/dev/null || :
}

# A merge, rebase, cherry-pick or bisect that a step left half done.
git__end_operations()
{
	local name left=()

	for name in MERGE_HEAD MERGE_MSG MERGE_MODE MERGE_RR AUTO_MERGE SQUASH_MSG CHERRY_PICK_HEAD REVERT_HEAD REBASE_HEAD \
		rebase-merge rebase-apply sequencer BISECT_LOG BISECT_START BISECT_NAMES BISECT_TERMS BISECT_EXPECTED_REV; do
		[[ ! -e $WT_GIT/$name ]] || left+=("$WT_GIT/$name")
	done
	[[ ${#left[@]} -eq 0 ]] || rm -rf -- "${left[@]}"
}

# Puts HEAD back on B where the agent moved or detached it; commits made there
# come along if they build on B. Tree and index stay. REPLY: what was done, in words.
git_home()
{
	local B=$2 tip from to

	git_use "$1" && git__head || return
	REPLY=
	[[ $OBS_REF != "refs/heads/$B" ]] || return 0
	from=${OBS_REF#refs/heads/} to=''
	git__commit "refs/heads/$B"
	tip=$REPLY
	if [[ -n $OBS_HEAD && -z $tip ]]; then
		to="which was made again at ${OBS_HEAD:0:12}"
		git_quiet update-ref --no-deref -m 'wisp: branch was gone' "refs/heads/$B" "$OBS_HEAD" || return 111
	elif [[ -n $OBS_HEAD && $tip != "$OBS_HEAD" ]]; then
		to="which stays at ${tip:0:12}: ${OBS_HEAD:0:12} does not build on it"
		if git_quiet merge-base --is-ancestor "$tip" "$OBS_HEAD"; then
			to="which moved on to ${OBS_HEAD:0:12}"
			git_quiet update-ref --no-deref -m 'wisp: commits made elsewhere' "refs/heads/$B" "$OBS_HEAD" "$tip" || return 111
		fi
	fi
	git_quiet symbolic-ref -m 'wisp: back on the branch' HEAD "refs/heads/$B" || return 111
	git__end_operations
	git__head || return
	if [[ -n $from ]]; then from="on '$from'"; else from=detached; fi
	REPLY="HEAD was $from and is back on '$B'${to:+, $to}"
}
