# git-commit.bash: wisp's commits on the branch, and finding them again.
# Sourced by git.bash, whose head says what W, B, N, K and ID are.

# REPLY: the newest commit of FROM..HEAD (FROM empty: all) with the trailer "Key: value". 1: none.
git_find_trailer()
{
	git_use "$1" || return
	git__trailer "$3" ${2:+"^$2"} HEAD
}

git__trailer()
{
	local key=${1%%: *} value=${1#*: } id found

	shift
	git__line log --no-show-signature --format="%H,%(trailers:key=$key,valueonly,separator=%x2C)," "$@" -- || return 111
	while IFS= read -r found; do
		id=${found%%,*}
		[[ ,${found#*,} != *",$value,"* ]] || { REPLY=$id && return 0; }
	done <<<"$REPLY"
	REPLY=''
	return 1
}

# W B MESSAGE_FILE TRAILER [SKIP_FILE [FROM [TREE]]]: commits TREE (default: the work
# tree as it is) as the user. What is in .wisp/ and in the NUL-separated paths of SKIP_FILE,
# sorted, stays as HEAD has it. But for where submodules are, nothing is read from the work
# tree: what was verified is what is committed. REPLY: the commit; where
# nothing is left to commit that of FROM..HEAD (HEAD alone without FROM) with that trailer, or
# empty. What is left is committed though: an agent may have written the trailer. 1: not done,
# REPLY says why. 2: it would delete most of what there is: REPLY says how much, and the names
# are in DELETED_FILE.
git_fallback_commit()
{
	local B=$2 message trailer=$4 skip=${5:-/dev/null} tree=${7-} new older rc=0

	git__slurp "$3" || git__refuse "cannot read '$3'" || return
	message=$REPLY
	if [[ -z $tree ]]; then
		git_work "$1" || return
		tree=$OBS_TREE
	fi
	git_use "$1" && git__head && git__unlock "$B" || return 111
	if [[ -n ${6-} ]]; then set -- "^$6" HEAD; else set -- -1 HEAD; fi
	git__trailer "$trailer" "$@" || rc=$?
	[[ $rc -le 1 ]] || return "$rc"
	older=$REPLY
	git__sound_index || return
	if [[ -n $REPLY ]]; then
		REPLY='a merge is half done'
		return 1
	fi
	git__tree_but "$tree" "$skip" || return
	new=$REPLY
	if [[ -z $new ]]; then
		REPLY=$older
		return 0
	fi
	if ((DELETED > 0)); then
		DELETED_FILE=$WT_GIT/wisp.deleted
		rc=0
		git_deletes_much HEAD "$new" "$DELETED_FILE" || rc=$?
		((rc > 0)) || return 2
		((rc == 1)) || return "$rc"
	fi
	# The index first: killed between the two, it is only ahead.
	git__index_like "$new" || return
	git__commit_tree "$new" "$message"$'\n\n'"$trailer"
}

# REPLY: what is unmerged in the real index. One that is torn is made anew, but not a person's.
git__sound_index()
{
	git__line ls-files -u 2>"$WT_GIT/wisp.said" && return 0
	git__slurp "$WT_GIT/wisp.said" || :
	! git__persons && [[ -n $OBS_HEAD ]] || git__refuse "$REPLY" || return
	rm -rf -- "$WT_GIT/index"
	git_quiet read-tree HEAD || return 111
	REPLY=''
}

# TREE SKIP_FILE: REPLY is a tree of what TREE changes in HEAD, but for what stays; empty
# for no change.
git__tree_but()
{
	local list=$WT_GIT/wisp.list info=$WT_GIT/wisp.info

	git__warm git_quiet diff-tree -r --raw -z --no-abbrev --no-renames HEAD "$1" -- "${GIT_NO_WISP[@]}" \
		>"$list" || return 111
	REPLY='' DELETED=0
	[[ -s $list || ${#OBS_NESTED[@]} -gt 0 ]] || return 0
	git__index_info "$2" <"$list" >"$info"
	[[ -z $LINKS && ${#OBS_NESTED[@]} -eq 0 ]] || { git__staged_links && git__moved_links; } >>"$info" || return
	REPLY=''
	[[ -s $info ]] || return 0
	rm -f -- "$WT_GIT/wisp.temp"
	git__temp git_quiet read-tree HEAD || return 111
	git__temp git_quiet update-index -z --index-info <"$info" || return 111
	git__line_ends "$info" || return
	git__temp git__line write-tree || return 111
}

# A raw difference on stdin, as input for update-index, without the names in FILE and
# without submodules (LINKS says whether there are any). Counts DELETED.
git__index_info()
{
	local LC_ALL=C mode id name skip more=1

	DELETED=0 LINKS=''
	{
		IFS= read -r -d '' skip <&7 || more=''
		while IFS= read -r -d '' mode && IFS= read -r -d '' name; do
			while [[ -n $more && $skip < $name ]]; do
				IFS= read -r -d '' skip <&7 || more=''
			done
			[[ -z $more || $skip != "$name" ]] || continue
			# :100644 100755 OLD NEW STATUS
			if [[ $mode == :160000* || $mode == :??????' 160000 '* ]]; then
				LINKS=1
				continue
			fi
			[[ $mode != *D ]] || DELETED=$((DELETED + 1))
			mode=${mode#* } id=${mode#* * }
			printf '%s %s\t%s\0' "${mode%% *}" "${id% *}" "$name"
		done
	} 7<"$1"
}

# Of submodules what is staged, as input for update-index: there is no file to look at.
git__staged_links()
{
	local mode id name

	git_quiet diff-index --cached --raw -z --no-abbrev --no-renames HEAD -- >"$WT_GIT/wisp.list" || return 111
	while IFS= read -r -d '' mode && IFS= read -r -d '' name; do
		[[ $mode == :160000* || $mode == :??????' 160000 '* ]] || continue
		mode=${mode#* } id=${mode#* * }
		printf '%s %s\t%s\0' "${mode%% *}" "${id% *}" "$name"
	done <"$WT_GIT/wisp.list"
}

# W TREE SKIP_FILE OUT: into OUT the names that differ between HEAD and TREE, but for what a commit
# of TREE would leave out.
git_uncommitted()
{
	local entry

	git_use "$1" || return
	git__warm git_quiet diff-tree -r --raw -z --no-abbrev --no-renames HEAD "$2" -- "${GIT_NO_WISP[@]}" \
		>"$WT_GIT/wisp.list" || return 111
	git__index_info "$3" <"$WT_GIT/wisp.list" >"$WT_GIT/wisp.info"
	git__moved_links >>"$WT_GIT/wisp.info" || return
	while IFS= read -r -d '' entry; do
		printf '%s\0' "${entry#*$'\t'}"
	done <"$WT_GIT/wisp.info" >"$4"
}

# With core.autocrlf a person's commits have other line ends than the files: the entries
# in INFO of the temporary index get those, from copies.
git__line_ends()
{
	local entry

	if [[ -z ${GIT_LINE_ENDS-} ]]; then
		git__line config --get-all core.autocrlf || return 111
		REPLY=${REPLY%false}	# ours comes last
		REPLY=${REPLY%$'\n'}
		GIT_LINE_ENDS=${REPLY##*$'\n'}
		GIT_LINE_ENDS=${GIT_LINE_ENDS:-false}
	fi
	[[ $GIT_LINE_ENDS != false ]] || return 0
	while IFS= read -r -d '' entry; do
		[[ $entry != 100* ]] || printf '%s\0' "${entry#*$'\t'}"
	done <"$1" >"$WT_GIT/wisp.list"
	[[ ! -s $WT_GIT/wisp.list ]] || git__renormalize "$WT_GIT/wisp.list" "$GIT_LINE_ENDS"
}

# LIST AUTOCRLF: the files of LIST in the temporary index become what git makes of them when it checks them out and adds them.
git__renormalize()
{
	local copies=$WT_GIT/wisp.copies

	rm -rf -- "$copies"
	git__temp git_quiet checkout-index -z --stdin --prefix="$copies/" <"$1" || return 111
	GIT_LITERAL_PATHSPECS=1 git__temp git_quiet -C "$copies" --work-tree="$copies" -c core.autocrlf="$2" \
		add --renormalize --pathspec-from-file="$1" --pathspec-file-nul 2>/dev/null || return 111
	rm -rf -- "$copies"
}

# FROM TO FILE: does TO delete more than half of what FROM tracks and at least ten files, or
# all? 0: yes, the names are in FILE, and REPLY says how many. A file that moved is not deleted.
git_deletes_much()
{
	local deleted tracked

	git_quiet diff-tree -r -M --name-only -z --diff-filter=D "$1" "$2" -- "${GIT_NO_WISP[@]}" >"$3" || return 111
	deleted=$(tr -dc '\0' <"$3" | wc -c) || return 111
	((deleted > 0)) || return 1
	git_quiet ls-tree -r -z --name-only "$1" >"$3.all" || return 111
	tracked=$(tr '\n\0' '\001\n' <"$3.all" | LC_ALL=C grep -vc '^\.wisp/') || return 111
	rm -f -- "$3.all"
	REPLY="$((deleted)) of $((tracked)) tracked files"
	((deleted == tracked || deleted >= 10 && 2 * deleted > tracked))
}

# Into the real index what TREE changes in HEAD: nothing else that is staged, and no flag
# that hides a change.
git__index_like()
{
	git__warm git_quiet diff-tree -r --raw -z --no-abbrev --no-renames HEAD "$1" >"$WT_GIT/wisp.list" || return 111
	git__index_info /dev/null <"$WT_GIT/wisp.list" >"$WT_GIT/wisp.info"
	git__moved_links >>"$WT_GIT/wisp.info" || return
	git_quiet update-index -z --index-info <"$WT_GIT/wisp.info" || return 111
	git_quiet update-index -q --refresh >/dev/null || :
}

# TREE MESSAGE: the commit, and HEAD's branch goes there. A merge that is resolved is concluded.
git__commit_tree()
{
	local as=git__as_user id parents=(-p "$OBS_HEAD") subject=${2%%$'\n'*}

	if [[ -f $WT_GIT/MERGE_HEAD ]]; then
		while IFS= read -r id; do
			! git__is_id "$id" || parents+=(-p "$id")
		done <"$WT_GIT/MERGE_HEAD"
	fi
	git__has_identity || as=git__as_wisp
	"$as" git__line commit-tree "${parents[@]}" "$1" <<<"$2" || return 111
	id=$REPLY
	"$as" git_quiet update-ref -m "commit: $subject" HEAD "$id" "$OBS_HEAD" || return 111
	git__end_operations
	OBS_HEAD=$id REPLY=$id
}

git__has_identity()
{
	git_quiet -c user.useConfigOnly=true var GIT_AUTHOR_IDENT >/dev/null 2>&1 &&
		git_quiet -c user.useConfigOnly=true var GIT_COMMITTER_IDENT >/dev/null 2>&1
}

# REPLY: how many commits of B are not in BASE.
git_branch_unmerged()
{
	git_use "$1" || return
	git__line rev-list --count "refs/heads/$2" "^$3" -- || return 111
}
