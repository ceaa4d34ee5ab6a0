# git-tree.bash: what wisp-tree does, a program of its own that starts git itself (src/tree/tree.h).
# Sourced by git.bash, whose head says what W, B, N, K and ID are.

# The work tree as it is: OBS_HEAD (empty: no commit yet), OBS_REF (empty: detached), OBS_TREE, OBS_NESTED (folders left
# out since they are repositories of their own), OBS_LARGE (files left out since they are too large), OBS_NOTE (git's words
# about files it could not read; with OBS_PARTIAL=1 there were some).
git_observe()
{
	git__observe observe "$1"
}

# W: git_observe, with what is staged in spite of an ignore rule: the tree that a commit of all that is there would have.
git_work()
{
	git__observe observe "$1" --staged
}

# W TREE FILE [B N ID]: git_observe, and into FILE the names, NUL-separated, in which that differs from TREE. Where B is
# given it becomes checkpoint N as well, REPLY.
git_observe_since()
{
	git__observe observe "$1" --since "$2" --files "$3" ${4:+--branch "$4" --n "$5" --session "$6"} || return
	[[ -z ${4-} || -n $REPLY ]] || git_checkpoint "$1" "$4" "$5" "$6"
}

# Stores what git_observe saw as checkpoint N. REPLY: the commit.
git_checkpoint()
{
	local dir args=()

	git_use "$1" || return
	for dir in ${OBS_NESTED[@]+"${OBS_NESTED[@]}"}; do
		args+=(--nested "$dir")
	done
	git__submodule_lines || return
	while IFS= read -r dir; do
		[[ -z $dir ]] || args+=(--line "$dir")
	done <<<"$REPLY"
	git__tree checkpoint --head "$OBS_HEAD" --tree "$OBS_TREE" --branch "$2" --n "$3" --session "$4" ${args[@]+"${args[@]}"}
}

# REPLY: tree of what is staged in W; empty if that is HEAD's tree, or unmerged.
git_index_tree()
{
	git_use "$1" && git__tree staged
}

# Keeps the newest KEEP of B's checkpoints and of its failed refs, and checkpoint
# 0, the tree as the session found it. Starts no git where there are not more loose ones.
git_refs_prune()
{
	git_use "$1" && git__tree prune --branch "$2" --keep "$3"
}

# VERB W OPTION...: what wisp-tree found last in W spares it work.
git__observe()
{
	local dir verb=$1 args=()

	git_use "$2" || return
	[[ $OBS_TOP == "$2" ]] || OBS_NESTED=() OBS_LARGE=() OBS_INDEX=''
	OBS_TOP=$2
	shift 2
	for dir in ${OBS_NESTED[@]+"${OBS_NESTED[@]}"}; do
		args+=(--nested "$dir")
	done
	git__tree "$verb" "$@" ${OBS_INDEX:+--was "$OBS_INDEX"} ${OBS_LARGE[@]+--large} ${args[@]+"${args[@]}"} ||
		return
	git__say_large
}

# VERB OPTION...: wisp-tree in the work tree chosen last; its answers in the variables of their names.
git__tree()
{
	local value verb=$1 rc=0 args=(--top "$WT_TOP" --git "$WT_GIT" --common "$WT_COMMON" --patience "$GIT_PATIENCE")
	shift

	((BASH_SUBSHELL > 0)) || args+=(--parent "$$")
	! git__known_here || args+=(--known "$SHARED/.git-known")
	! git__persons || args+=(--persons)
	for value in ${WT_SPARSE[@]+"${WT_SPARSE[@]}"}; do
		[[ $value == -c ]] || args+=(--config "$value")
	done
	if [[ -d ${SCRATCH-} ]]; then
		git__child wisp-tree "$verb" "${args[@]}" "$@" >"$SCRATCH/git.line" || rc=$?
		git__answered "$rc" wisp-tree || rc=$?
		((rc > 2)) || git__answers <"$SCRATCH/git.line"
	else
		git_reply git__child wisp-tree "$verb" "${args[@]}" "$@" || rc=$?
		((rc > 2)) || git__answers <<<"$REPLY"
	fi
	return "$rc"
}

git__answers()
{
	local line value

	REPLY=''
	while IFS= read -r line; do
		value=${line#*=}
		if [[ $value == *%* ]]; then
			value=${value//\%0A/$'\n'}
			value=${value//\%25/%}
		fi
		case $line in
		head=*) OBS_HEAD=$value OBS_INDEX='' OBS_NOTE='' OBS_PARTIAL='' OBS_NESTED=() OBS_LARGE=() ;;
		ref=*) OBS_REF=$value ;;
		tree=*) OBS_TREE=$value ;;
		index=*) OBS_INDEX=$value ;;
		note=*) OBS_NOTE=$value ;;
		partial=*) OBS_PARTIAL=$value ;;
		nested=*) OBS_NESTED+=("$value") ;;
		large=*) OBS_LARGE+=("$value") ;;
		line-ends=*) GIT_LINE_ENDS=$value ;;
		credited=*) WORK_CREDITED=$value ;;
		again=*) WORK_AGAIN=$value ;;
		wrote=*) WORK_WROTE=$value ;;
		commit=* | staged=* | why=* | names=*) REPLY=$value ;;
		esac
	done
}
