# git-checkpoint.bash: checkpoints and the refs that hold them.
# Sourced by git.bash, whose head says what W, B, N, K and ID are.

# Stores what git_observe saw as checkpoint N. REPLY: the commit.
git_checkpoint()
{
	local W=$1 B=$2 ref parents=() dir text

	git_use "$W" && git__unlock "$B" || return
	printf -v text 'wisp checkpoint %s/%d\n\nWisp-Step: %s/%d' "$B" "$3" "$4" "$3"
	for dir in ${OBS_NESTED[@]+"${OBS_NESTED[@]}"}; do
		dir=${dir//\%/%25}
		dir=${dir//$'\n'/%0A}
		text+=$'\n'"Wisp-Nested: $dir"
	done
	git__submodule_lines || return
	text+=$REPLY
	git_ref checkpoints "$B" "$3"
	ref=$REPLY
	if [[ -n $OBS_HEAD ]]; then
		git__staged_commit "$W" || return
		parents=(-p "$OBS_HEAD" ${REPLY:+-p "$REPLY"})
	fi
	git__store "$ref" "$OBS_TREE" "$text" ${parents[@]+"${parents[@]}"}
}

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

# Keeps the newest KEEP of B's checkpoints and of its failed refs, and checkpoint
# 0, the tree as the session found it. Cheap where there are not more loose ones.
git_refs_prune()
{
	local W=$1 B=$2 keep=$3 kind ref seen many='' list

	git_use "$W" || return
	[[ ! -d $WT_COMMON/reftable ]] || many=1
	for kind in checkpoints failed; do
		set -- "$WT_COMMON/refs/wisp/$kind/$B"/[0-9]*
		[[ ! -f $WT_COMMON/refs/wisp/checkpoints/$B/0000 || $kind == failed ]] || shift
		[[ $# -le $keep ]] || many=1
	done
	[[ -n $many ]] || return 0
	list=$WT_GIT/wisp.list
	git_quiet for-each-ref --sort=-version:refname --format='%(refname)' \
		"refs/wisp/checkpoints/$B/" "refs/wisp/failed/$B/" >"$list" || return 111
	for kind in checkpoints failed; do
		seen=0
		while IFS= read -r ref; do
			[[ $ref == refs/wisp/$kind/* && $ref != refs/wisp/checkpoints/"$B"/0000 ]] || continue
			seen=$((seen + 1))
			[[ $seen -le $keep ]] || printf 'delete %s\0\0' "$ref"
		done <"$list"
	done >"$WT_GIT/wisp.info"
	[[ ! -s $WT_GIT/wisp.info ]] || git_quiet update-ref --no-deref --stdin -z <"$WT_GIT/wisp.info" || return 111
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
