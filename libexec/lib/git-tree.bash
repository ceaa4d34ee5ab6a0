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

# W OPTION...: the end of a step: git's part of it, and wisp-state's observe, which notes what came of that. OBS_*,
# CLOSE_UNCOMMITTED and CLOSE_DELETES are what observe answers.
git_close()
{
	local dir args=()

	CLOSE_UNCOMMITTED='' CLOSE_DELETES=''
	if [[ -f $1/.gitmodules ]]; then
		[[ -n $WORKED ]] || git_observe "$1" || return
		git_use "$1" && git__submodule_lines || return
		while IFS= read -r dir; do
			[[ -z $dir ]] || args+=(--line "$dir")
		done <<<"$REPLY"
	fi
	git__observe close "$@" ${GIT_LINE_ENDS:+--line-ends "$GIT_LINE_ENDS"} ${args[@]+"${args[@]}"}
}

# W B N ID [K FILE]: stores what git_observe saw as checkpoint N. REPLY: the commit. Into FILE go the names, NUL-separated,
# in which it differs from checkpoint K; CK_COMMIT is empty where there was none.
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
	CK_COMMIT=''
	git__tree checkpoint --head "$OBS_HEAD" --tree "$OBS_TREE" --branch "$2" --n "$3" --session "$4" \
		${6:+--checkpoint "${5:-0}" --files "$6"} ${args[@]+"${args[@]}"}
}

# Checkpoint K, a number or the commit itself: CK_COMMIT, CK_HEAD, CK_TREE, CK_INDEX (HEAD's tree, or, with CK_STAGED=1,
# what was staged), CK_NESTED, CK_LINKS (COMMIT PATH of submodules). 1: there is none.
git_checkpoint_read()
{
	git__ck_none
	git_use "$1" && git__tree read --branch "$2" --checkpoint "$3"
}

git__ck_none()
{
	CK_COMMIT='' CK_HEAD='' CK_TREE='' CK_INDEX='' CK_STAGED='' CK_NESTED=() CK_LINKS=()
}

# Puts HEAD back on B where the agent moved or detached it; commits made there
# come along if they build on B. Tree and index stay. REPLY: what was done, in words.
git_home()
{
	git_use "$1" && git__head || return
	REPLY=
	[[ $OBS_REF == "refs/heads/$2" ]] || git__tree home --branch "$2"
}

# W B N ID K: a failed step: all in W is saved; then W becomes HEAD plus what checkpoint K had uncommitted and the commits
# since did not touch. Commits stay: PUT_COMMITS, a line "id subject" each. PUT_REF: where the rest lies. REPLY: the new
# tree; it is observed. May be repeated after a kill. 1: no checkpoint K, nothing was done. K is a number, or the commit
# itself, should its ref be gone.
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
# first (PUT_REF; empty: nothing); where there is no K, all that is uncommitted.
git_restore_always()
{
	git__go_back clear "$@"
}

git__go_back()
{
	PUT_HEAD='' PUT_TREE='' PUT_COMMITS='' PUT_REF=''
	git__ck_none
	git__observe "$1" "$2" --branch "$3" --n "$4" --session "$5" --checkpoint "$6" || return
	git_worktrees_gone "$WT_TOP" || return
	[[ -z $GONE ]] || git_say 'removed with the work, and their branches stay: %s' "$GONE"
	git__submodules_back || return
	REPLY=$PUT_TREE
}

# Deletes every ref of wisp's for B, and what else lies in W's git folder (W: any
# work tree that is left).
git_refs_drop()
{
	git_use "$1" && git__tree drop --branch "$2"
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

# VERB OPTION...: wisp-tree in the work tree chosen last, or what ends a step, or reconciles it, of which that is git's part
# alone; its answers in the variables of their names.
git__tree()
{
	local KNOWN value verb=$1 rc=0 program args=(--top "$WT_TOP" --git "$WT_GIT" --common "$WT_COMMON" --patience "$GIT_PATIENCE")
	shift

	((BASH_SUBSHELL > 0)) || args+=(--parent "$$")
	if [[ -z ${GIT_OWN_CONFIG-} && -e ${SHARED:-/-}/.git-known/entries ]]; then
		git__known_find || return 111
		args+=(--known "$KNOWN")
	fi
	! git__persons || args+=(--persons)
	for value in ${WT_SPARSE[@]+"${WT_SPARSE[@]}"}; do
		[[ $value == -c ]] || args+=(--config "$value")
	done
	case $verb in
	close) program=(wisp-state -C "$DIR" observe) ;;
	reconcile) program=(wisp-tasks -C "$DIR" reconcile) ;;
	*) program=(wisp-tree "$verb") ;;
	esac
	if [[ -d ${SCRATCH-} ]]; then
		git__child "${program[@]}" "${args[@]}" "$@" >"$SCRATCH/git.line" || rc=$?
		git__answered "$rc" "${program[0]}" || rc=$?
		((rc > 2)) || git__answers <"$SCRATCH/git.line"
	else
		git_reply git__child "${program[@]}" "${args[@]}" "$@" || rc=$?
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
		diff=*) WORK_DIFF=$value ;;
		left=*) LOOK_LEFT=$value ;;
		link=*) LOOK_LINKS+=("$value") ;;
		few=*) GIT_FEW=$value ;;
		commit=* | why=* | names=* | said=*) REPLY=$value ;;
		at=*) OBS_HEAD=$value ;;
		ck-commit=*) CK_COMMIT=$value ;;
		ck-head=*) CK_HEAD=$value ;;
		ck-tree=*) CK_TREE=$value ;;
		ck-index=*) CK_INDEX=$value ;;
		ck-staged=*) CK_STAGED=$value ;;
		ck-nested=*) CK_NESTED+=("$value") ;;
		ck-link=*) CK_LINKS+=("$value") ;;
		put-head=*) PUT_HEAD=$value ;;
		put-tree=*) PUT_TREE=$value ;;
		put-commits=*) PUT_COMMITS=$value ;;
		put-ref=*) PUT_REF=$value ;;
		uncommitted=*) CLOSE_UNCOMMITTED=$value ;;
		deletes=*) CLOSE_DELETES=$value ;;
		---) # what follows is of the session, and not of the work tree
			IFS= read -r -d '' value || :
			answered "$value"
			;;
		esac
	done
}
