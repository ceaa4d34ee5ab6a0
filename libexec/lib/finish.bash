# finish.bash: does what a session came to hold, on its final commit and merged?
# Sourced by wisp-done after start.bash, and by wisp-bisect, which runs it on other commits.
#
#	finish_facts          TIP, RANGE, BASE_BRANCH ...: what there is to finish
#	finish_gates          the session's gates, the work tree, the commits
#	finish_verify COMMIT  the verify command in a clean work tree
#	finish_merge          into the base branch, verified before anything moves (finish-merge.bash)
#	finish_end CODE TEXT  nothing comes of it; with --json the document says so
#
# FINISH_TREE is a work tree of the command's own, removed however it ends.

COMMITS=0 STAT='' VERIFY='' MERGED='' DIVERGENCE='' FINISH_TREE='' TIP='' RANGE=() HOLDER='' BASE_TIP=''
TREE_MADE=''

readonly VERIFY_SHOWN=20	# lines of a verify that failed

finish_end()
{
	warn "$2"
	finish_document "$2"
	exit "$1"
}

# row NAME TEXT: of the report.
row()
{
	[[ -z $2 ]] || tell "$(printf '  %-9s %s' "$1" "${2//[[:cntrl:]]/?}")"
}

finish_cut()
{
	local with=TERM

	[[ -z $CUT ]] || GIT_NOW=1 with=QUIT # the second one
	CUT=$1
	[[ -z $AGENT_PID ]] || child_end "$AGENT_PID" "$with"
	! git_cut || exit "$EXIT_SYS" # finish_exit makes it the signal's
}

finish_exit()
{
	local rc=$?

	signals_ignore INT TERM HUP
	if [[ -n $AGENT_PID ]]; then
		child_end "$AGENT_PID"
		agent_wait || :
	fi
	finish_tree_drop || warn "the work tree '$FINISH_TREE' could not be removed: the next wisp done does"
	if [[ -n $CUT ]]; then
		cut_code
		rc=$CODE
	fi
	files_remove "$SCRATCH" 2>/dev/null || :
	exit "$rc"
}

finish_traps()
{
	TRAPS=finish_traps # to be set again
	trap 'finish_cut 2' INT
	trap 'finish_cut 15' TERM
	trap 'finish_cut 1' HUP
	trap '' PIPE
	git_hear
	exit_trap finish_exit
}

# Between two things that take long: was the command told to end?
finish_stop()
{
	[[ -z $CUT ]] || exit # finish_exit says with what
}

# --- what there is -----------------------------------------------------------

finish_facts()
{
	session_facts
	worktree_moved
	STATUS=$F_status BASE_BRANCH=$F_base_branch LOOPS=${F_loop_count:-0}
	template_dir "$TEMPLATE"
	thresholds
	verify_options
	git_use "$PROJECT" || exit "$EXIT_SYS"
	git__commit "refs/heads/$BRANCH"
	TIP=$REPLY
	[[ -n $TIP ]] || finish_end "$EXIT_DATA" "the branch '$BRANCH' is gone"
	# What was merged into the branch from its base is not the session's.
	if [[ -n $BASE_BRANCH && $BASE_BRANCH != "$BRANCH" ]]; then
		git__commit "refs/heads/$BASE_BRANCH"
		BASE_TIP=$REPLY
	fi
	if [[ -z $BASE && -n $BASE_TIP ]] && git__line merge-base "$BASE_TIP" "$TIP"; then
		BASE=$REPLY
	fi
	RANGE=("$TIP" ${BASE:+"^$BASE"})
	git__said rev-list --count "${RANGE[@]}" -- ||
		finish_end "$EXIT_DATA" "the commits since $BASE cannot be counted: ${REPLY#fatal: }"
	COMMITS=$REPLY
	if [[ -n $BASE ]] && git__line diff --shortstat --no-ext-diff --no-textconv "$BASE...$TIP" --; then
		STAT=$REPLY
	fi
	[[ ! -f $DIR/divergence.md || -L $DIR/divergence.md || ! -s $DIR/divergence.md ]] || DIVERGENCE=$DIR/divergence.md
	git_finish_place "$PROJECT" "$BRANCH"
	FINISH_TREE=$REPLY
}

# --- gates -------------------------------------------------------------------

finish_gates()
{
	case $STATUS in
	completed | paused | halted) ;;
	*) finish_end "$EXIT_NO" "the loop of $BRANCH ended in the middle of an iteration (wisp resume $TYPED)" ;;
	esac
	if [[ -z $PHASES && $TEMPLATE != orchestrator ]]; then
		finish_tasks
	elif [[ $STATUS != completed ]]; then
		finish_end "$EXIT_NO" "not every phase of $BRANCH is complete: it is $STATUS (wisp status $TYPED)"
	fi
	finish_clean
	finish_forbidden
}

# Every task passes: that counts whatever the session's status is, since a person may have ticked the last one.
finish_tasks()
{
	local counts open rc=0

	counts=$(wisp-tasks -C "$DIR" count) || rc=$?
	((rc == 0)) || finish_end "$rc" "the tasks of $BRANCH cannot be counted"
	PASSED=$(value_of passed "$counts") TOTAL=$(value_of total "$counts")
	((TOTAL > 0)) || finish_end "$EXIT_DATA" "$BRANCH has no task"
	((PASSED < TOTAL)) || return 0
	open=$(wisp-tasks -C "$DIR" list --open) || exit $?
	finish_end "$EXIT_NO" "$((TOTAL - PASSED)) of $TOTAL tasks of $BRANCH are open, such as ${open%%$'\n'*}"
}

# What verify wrote, and such, was left out on purpose: named, and no obstacle.
finish_not_work()
{
	GIT_FEW=''
	[[ -s $SCRATCH/left ]] || return 0
	git_work "$WORKTREE" && git_apart "$SCRATCH/left" --tree "$OBS_TREE" --not-work "$STATE/not-work" || exit "$EXIT_SYS"
	[[ -z $REPLY ]] || tell "wisp: left out, since it is not the agent's work: $REPLY"
}

# What is not committed would be missing from what is pushed or merged.
finish_clean()
{
	local in_place=''

	[[ -e $WORKTREE/.git ]] || return 0
	[[ $WORKTREE != "$PROJECT" ]] || in_place=1
	git_finish_left "$WORKTREE" "$BRANCH" "$SCRATCH/left" "$in_place" ||
		finish_end "$EXIT_SYS" "the work tree '$WORKTREE' cannot be looked at"
	finish_not_work
	[[ -z $GIT_FEW ]] || finish_end "$EXIT_NO" "not committed in '$WORKTREE': $GIT_FEW (commit it there, or take it away)"
	git_use "$WORKTREE" && git__head || exit "$EXIT_SYS"
	if [[ -n $OBS_HEAD && $OBS_REF != "refs/heads/$BRANCH" ]] && ! git_quiet merge-base --is-ancestor "$OBS_HEAD" "$TIP"; then
		finish_end "$EXIT_NO" "'$WORKTREE' is not on $BRANCH, and has a commit that is not on it: $OBS_HEAD"
	fi
	git_use "$PROJECT"
}

finish_forbidden()
{
	git_finish_forbidden "${RANGE[@]}" ${BASE_TIP:+"^$BASE_TIP"} || exit "$EXIT_SYS"
	[[ -n $REPLY ]] || return 0
	printf '  %s\n' "${REPLY//$'\n'/$'\n'  }" | LC_ALL=C tr -d '\000-\010\013-\037\177' >&2
	finish_end "$EXIT_NO" "these commits of $BRANCH have something of .wisp/: take it out (git rebase -i $BASE in '$WORKTREE')"
}

# --- verify ------------------------------------------------------------------

# COMMANDS: those that are set now, and where none is, those that the last run had.
verify_list()
{
	local said

	said=$(config_ask get --as command verify.command ${CONFIG_ARGS[@]+"${CONFIG_ARGS[@]}"}) || exit $?
	answered "$said"
	[[ ${#COMMANDS_SAID[@]} -gt 0 ]] || call wisp-state commands
	commands_take
}

finish_tree_make()
{
	TREE_MADE=1
	git_finish_add "$PROJECT" "$FINISH_TREE" "$1" || finish_end "$EXIT_SYS" "no work tree could be made: $REPLY"
}

finish_tree_drop()
{
	[[ -n $TREE_MADE ]] || return 0
	git_finish_remove "$PROJECT" "$FINISH_TREE" || return
	TREE_MADE=''
	git_use "$PROJECT"
}

# finish_tree_verify WHAT: does the tree that was made hold? Sets VERIFY.
finish_tree_verify()
{
	local WORKTREE=$FINISH_TREE rc=0

	verify_list
	VERIFY=none
	[[ ${#COMMANDS[@]} -gt 0 ]] || return 0
	worktree_set_up "$FINISH_TREE" || rc=$?
	((rc == 0)) || finish_end "$((rc == 1 ? EXIT_USAGE : rc))" "$REPLY"
	finish_stop
	verify_list # what the setup has run could change the file
	tell "wisp: verifying $1"
	VERIFY=passed
	verify_listed "$DIR/steps/done" || VERIFY=failed
	finish_stop
	[[ $VERIFY == failed ]] || return 0
	tail -n "$VERIFY_SHOWN" -- "$DIR/steps/done/verify.log" 2>/dev/null | LC_ALL=C tr -d '\000-\010\013-\037\177' >&2 || :
	finish_end "$EXIT_NO" "verify fails on $1: $FAILED_COMMAND (all it said: $DIR/steps/done/verify.log)"
}

finish_verify()
{
	finish_tree_make "$1"
	finish_tree_verify "the final commit ${1:0:12}"
	finish_tree_drop || finish_end "$EXIT_SYS" "the work tree '$FINISH_TREE' cannot be removed"
}

# shellcheck source=lib/finish-merge.bash
source "${BASH_SOURCE[0]%/*}/finish-merge.bash"
