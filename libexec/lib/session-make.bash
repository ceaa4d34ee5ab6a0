# session-make.bash: a session is made, under its owner's locks, in moves that a kill between any two leaves to
# be undone by the next owner (docs/record.md, "Making a session"). Sourced by session.bash, whose head says what the
# variables are.
#
#	session_make TEMPLATE AGENT SPEC TASKS IN_PLACE   makes branch, work tree and session
#	worktree_make COMMIT       makes the work tree of a session that is there
#	making_undo [failed]       what a start was making that was cut off, or has failed

# leads_inside PATH TOP: is what PATH leads to, by whatever links, TOP or in it?
leads_inside()
{
	local path=$1 top real folder hops=0

	while [[ -L $path && ! -d $path && $hops -lt 40 ]]; do
		folder=${path%/*} path=$(readlink -- "$path") hops=$((hops + 1))
		[[ $path == /* ]] || path=$folder/$path
	done
	[[ -d $path ]] || path=${path%/*}
	top=$(cd -P -- "$2" && pwd) && real=$(cd -P -- "$path/" && pwd) || return
	[[ $real/ == "${top%/}/"* ]]
}

# worktree_copy PATH TREE [LIST]: copies a file or folder of the project into a work tree of it, unless it is there;
# the names of what was copied are added to LIST, a NUL after each. Nothing comes from outside, and nothing gets
# there. REPLY says why not: 1 refused, 111 failed.
worktree_copy()
{
	local path=${1#./} tree=$2 folder name

	path=${path%/}
	case /$path/ in
	//) return 0 ;;
	//* | */../* | /.git/* | /.wisp/*)
		REPLY="'$1' is no path inside the project"
		return 1
		;;
	esac
	[[ -e $PROJECT/$path && ! -e $tree/$path && ! -L $tree/$path ]] || return 0
	folder=$tree/$path
	until [[ -d $folder ]]; do
		folder=${folder%/*}
	done
	if ! leads_inside "$PROJECT/$path" "$PROJECT" || ! leads_inside "$folder" "$tree"; then
		REPLY="'$1' leads out of the project by a link"
		return 1
	fi
	REPLY="'$1' cannot be copied"
	folder=$tree/$path
	mkdir -p -- "${folder%/*}" && cp -pR -- "$PROJECT/$path" "$tree/$path" || return 111
	(cd -- "$tree" && find "./$path" ! -type d -print0) | while IFS= read -r -d '' name; do
		printf '%s\0' "${name#./}"
	done >>"${3:-/dev/null}" || return 111
}

# worktree_copies WHAT TREE [LIST]: each path on standard input, a NUL after each; WHAT asks for them.
worktree_copies()
{
	local path what=$1 rc
	shift

	while IFS= read -r -d '' path; do
		rc=0
		worktree_copy "$path" "$@" || rc=$?
		((rc == 0)) || {
			REPLY="$what: $REPLY"
			return "$rc"
		}
	done
}

# The project's ignored files that a pattern in .worktreeinclude matches, as other tools read it.
worktree_included()
{
	[[ -f $PROJECT/.worktreeinclude ]] && git_use "$PROJECT" || return 0
	git_quiet ls-files -o -i -z --directory --exclude-from="$PROJECT/.worktreeinclude" -- "${GIT_NO_WISP[@]}" |
		git_quiet check-ignore -z --stdin || :
}

# worktree_set_up TREE [LIST]: what a new work tree needs beside the commits: submodules, ignored files such as .env
# (worktree.copy, .worktreeinclude), whose names go into LIST, then worktree.setup. REPLY says why not: 1 refused, 111 failed.
worktree_set_up()
{
	local command rc WORKTREE=$1 result=$SCRATCH/setup.json

	if ! git_submodules_fill "$PROJECT" "$1"; then
		REPLY="the submodules of '$1' cannot be looked at"
		return 111
	fi
	config_values worktree.copy
	printf '%s\0' ${VALUES[@]+"${VALUES[@]}"} >"$SCRATCH/copies"
	worktree_copies worktree.copy "$@" <"$SCRATCH/copies" || return
	worktree_included >"$SCRATCH/copies"
	worktree_copies .worktreeinclude "$@" <"$SCRATCH/copies" || return
	config_value worktree.setup
	command=$VALUE
	[[ -n $command ]] || return 0
	TREE_FRESH=''
	tell "wisp: setting up the work tree: $command"
	# It ends with the command that began it, however that one ends.
	rm -f -- "$result"
	rc=0
	config_env verify.env
	confine --setup
	WISP_STEP_ENV=$STEP_ENV supervise --tools-env --format text --pid-namespace false --log - --result "$result" \
		"${CONFINED[@]}" sh -c "$command" || rc=$?
	if ((rc == 0)) && ! wisp-session outcome "$result"; then
		rc=1
		[[ ! $(<"$result") =~ \"exit_code\":\ ([0-9]+) ]] || rc=${BASH_REMATCH[1]}
	fi
	REPLY="worktree.setup failed with $rc in '$1'"
	((rc == 0)) || return 111
}

# making WHAT: what a mark says that has the next owner undo it: session (branch, work tree, session), record (the session
# alone) or tree. MAKING: how that is asked for; TOKEN, by which a branch is known that was made for it.
MAKING=() TOKEN=''
making()
{
	TOKEN=$$.$RANDOM$RANDOM
	MAKING=(-C "$DIR" --making "$1" --token "$TOKEN")
}

# The owner's lock is ours: whoever has left the mark is dead. Where there is a record the session is whole, since
# that is made last; what was there before it began stays.
making_undo()
{
	local what token had=tasks path=$DIR

	[[ -e $STATE/making ]] || return 0
	read -r what token had <"$STATE/making" || what='' had=tasks
	if [[ $what == tree ]] || { [[ $what == session ]] && ! session_exists; }; then
		[[ -n ${1-} ]] || warn "an earlier command was cut off when it made the work tree of $BRANCH: that is removed"
		[[ $what == session ]] || token=''
		git_worktree_undo "$PROJECT" "$BRANCH" "$PROJECT/.wisp/worktrees/$BRANCH" "$token" ||
			die_sys "what was begun of the work tree of $BRANCH cannot be removed: $REPLY"
	fi
	session_exists || [[ $had == tasks ]] || rm -f -- "$DIR/tasks.json"
	while [[ $path == "$PROJECT/.wisp/sessions/"* ]] && rmdir -- "$path" 2>/dev/null; do
		path=${path%/*}
	done
	rm -f -- "$STATE/making" || die_sys "cannot remove '$STATE/making'"
}

# make_failed RC WHY: ends the command; nothing is left of what it was making.
make_failed()
{
	making_undo failed
	(($1 != 1)) || die_usage "$2"
	die_sys "$2"
}

worktree_make()
{
	local rc=0

	making tree
	git_worktree_add "$PROJECT" "$BRANCH" "$WORKTREE" "$1" "$TOKEN" "${MAKING[@]}" || rc=$?
	((rc == 0)) || make_failed "$EXIT_SYS" "$REPLY"
	rm -f -- "$STATE/making"
}

# All that lies in it is of the branch by now, and nothing is staged: neither worktree_ready need look at it nor wisp-tree.
worktree_made()
{
	local file

	! git__head || [[ -z $OBS_HEAD ]] || printf '%s\n' "$OBS_HEAD" >"$WT_GIT/wisp.unstaged" || die_sys "cannot write in '$WT_GIT'"
	for file in "$WORKTREE"/* "$WORKTREE"/.[!.]*; do
		[[ ${file##*/} != .git && (-e $file || -L $file) ]] || continue
		TREE_SEEN=$file TREE_FRESH=1
		return 0
	done
}

# The branch of the orchestration that a session works for: it begins there, not on what is checked out.
SESSION_FROM=''

# With ASK_FACTS, MADE_FACTS is what session_facts would ask for, and a person's word is given as with its --renew.
ASK_FACTS='' MADE_FACTS=''

# session_make TEMPLATE AGENT SPEC TASKS IN_PLACE [REPLACE]: the last four may be empty; REPLACE: also where one is under way.
session_make()
{
	local base base_branch made='' rc=0 args

	git_use "$PROJECT"
	base_branch=$SESSION_FROM
	if [[ -z $base_branch && -n ${PROJECT_HEAD-} ]]; then
		[[ $PROJECT_REF != refs/heads/* ]] || base_branch=${PROJECT_REF#refs/heads/}
		base=$PROJECT_HEAD
	else
		git__line rev-parse "${SESSION_FROM:+refs/heads/}${SESSION_FROM:-HEAD}^{commit}" || exit "$EXIT_SYS"
		base=$REPLY
	fi
	WORKTREE=$PROJECT
	if [[ -z $5 ]]; then
		WORKTREE=$PROJECT/.wisp/worktrees/$BRANCH
		! git_worktree_half "$WORKTREE" || worktree_aside
		[[ -e $WORKTREE/.git ]] || made=1
	fi
	if [[ -n $made ]]; then
		if session_exists; then making tree; else making session; fi
		git_worktree_add "$PROJECT" "$BRANCH" "$WORKTREE" "$base" "$TOKEN" "${MAKING[@]}" || rc=$?
		((rc == 0)) || make_failed "$rc" "$REPLY"
		worktree_made
	elif ! session_exists; then
		making record
		wisp-session own "${MAKING[@]}" 9>&- || exit $?
	fi
	if [[ -z $5 ]]; then
		worktree_set_up "$WORKTREE" "$STATE/not-work.copied" || rc=$?
		((rc == 0)) || make_failed "$rc" "$REPLY"
		! git_hooks_missing "$PROJECT" "$WORKTREE" ||
			tell "wisp: $REPLY: commits there run no hooks (worktree.copy $HOOKS brings them)"
	fi
	args=(--template "$1" --template-dir "$TEMPLATE_DIR" --agent "$2" --base "$base" --worktree "$WORKTREE")
	[[ -z $base_branch ]] || args+=(--base-branch "$base_branch")
	[[ -z $SESSION_FROM ]] || args+=(--parent "$SESSION_FROM")
	[[ -z $3 ]] || args+=(--spec "${3#"$PROJECT/"}")
	[[ -z $4 ]] || args+=(--tasks "$4")
	[[ -z ${6-} ]] || args+=(--replace)
	[[ -z $ASK_FACTS ]] || args+=(--facts)
	MADE_FACTS=$(exec wisp-session -C "$DIR" create "${args[@]}" 9>&-) || rc=$?
	((rc == 0)) || MADE_FACTS=''
	((rc <= 1)) || { making_undo failed && exit "$rc"; }
}
