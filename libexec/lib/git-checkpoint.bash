# git-checkpoint.bash: checkpoints and the refs that hold them.
# Sourced by git.bash, whose head says what W, B, N, K and ID are.

# REPLY: a commit of what is staged, if that differs from HEAD.
git__staged_commit()
{
	git_index_tree "$1" || return
	[[ -z $REPLY ]] || git__as_wisp git__line commit-tree -m 'wisp: what was staged' -p "$OBS_HEAD" "$REPLY" || return 111
}

# A commit of wisp's under REF: TREE TEXT [-p PARENT]... REPLY: its id.
git__store()
{
	local ref=$1 tree=$2 text=$3

	shift 3
	git__as_wisp git__line commit-tree -m "$text" "$@" "$tree" || return 111
	git_quiet update-ref --no-deref "$ref" "$REPLY" || return 111
}

# Checkpoint N: CK_COMMIT, CK_HEAD, CK_TREE, CK_INDEX (HEAD's tree, or, with
# CK_STAGED=1, what was staged), CK_NESTED, CK_LINKS (COMMIT PATH of submodules). 1: there is none.
git_checkpoint_read()
{
	local line parents=()

	git_use "$1" || return
	CK_COMMIT='' CK_HEAD='' CK_TREE='' CK_INDEX='' CK_STAGED='' CK_NESTED=() CK_LINKS=()
	REPLY=$3
	git__is_id "$3" || git_ref checkpoints "$2" "$3"
	git__line cat-file --batch <<<"$REPLY" || return 111
	[[ $REPLY == *' commit '*$'\n'* ]] || return 1
	CK_COMMIT=${REPLY%% *}
	while IFS= read -r line; do
		case $line in
		'tree '*) [[ -n $CK_TREE ]] || CK_TREE=${line#tree } ;;
		'Wisp-Submodule: '*) CK_LINKS+=("${line#Wisp-Submodule: }") ;;
		'parent '*) parents+=("${line#parent }") ;;
		'Wisp-Nested: '*)
			line=${line#Wisp-Nested: }
			line=${line//\%0A/$'\n'}
			CK_NESTED+=("${line//\%25/%}")
			;;
		esac
	done <<<"$REPLY"
	CK_INDEX=$CK_TREE
	[[ ${#parents[@]} -gt 0 ]] || return 0
	CK_HEAD=${parents[0]}
	[[ ${#parents[@]} -lt 2 ]] || CK_STAGED=1
	git__line rev-parse "${parents[${#parents[@]} - 1]}^{tree}" || return 111
	CK_INDEX=$REPLY
}

# Deletes every ref of wisp's for B, and what else lies in W's git folder (W: any
# work tree that is left).
git_refs_drop()
{
	local ref

	git_use "$1" || return
	git__line for-each-ref --format='%(refname)' "refs/wisp/*/$2/*" || return 111
	while IFS= read -r ref; do
		[[ -z $ref ]] || printf 'delete %s\0\0' "$ref"
	done <<<"$REPLY" >"$WT_GIT/wisp.info"
	git_quiet update-ref --no-deref --stdin -z <"$WT_GIT/wisp.info" || return 111
	rm -f -- "$WT_GIT"/wisp.*
}
