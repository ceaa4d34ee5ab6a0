# change.bash: what a person wants changed, and what the agent is told of it. Sourced by
# wisp-update and wisp-review, last.
#
#	change_spec FILE          another spec: compared with the one that the session works on
#	change_review FEEDBACK    a review: a file, or - for standard input
#	change_request [N]        a review: the comments of a pull request, by gh or glab
#	change_start              has the loop of the session do it
#
# loop-change.bash has the changed list taken.

opt_no_run='' opt_pr=''
CHANGE_ARGS=()

readonly CHANGE_OPTIONS='yes,no-run,foreground,detach,json'

# change_spec FILE: CHANGE and CHANGE_ARGS; ends the command where there is nothing new.
change_spec()
{
	readable_file spec "$1"
	call wisp-session change look --file "$FILE"
	[[ $F_same == no ]] || change_nothing "$1"
	[[ -z $F_old ]] || cp -- "$F_old" "$SCRATCH/old" || die_sys "cannot read '$F_old'"
	session_facts
	if [[ ! -e $SCRATCH/old && -n $F_spec && -n $BASE ]]; then
		# Sessions of an earlier version kept no copy: what git has of it.
		git_quiet show "$BASE:$F_spec" >"$SCRATCH/old" 2>/dev/null || rm -f -- "$SCRATCH/old"
	fi
	change_difference "$1" "$FILE"
	CHANGE=update
	CHANGE_ARGS=(--spec "${FILE#"$PROJECT/"}" --file "$FILE" --told "$SCRATCH/told")
}

# With the answer of `wisp-session change look`. Who puts the spec back as it was takes the change back.
change_nothing()
{
	if [[ $F_change == update ]]; then
		session_own
		call wisp-session change drop
		die_usage "the spec '$1' is again what $BRANCH works on: the change that was under way is dropped"
	fi
	die_usage "the spec '$1' is what $BRANCH works on already: nothing to update (wisp resume $TYPED goes on)"
}

# change_difference NAME FILE: what the agent is told, in SCRATCH/told.
change_difference()
{
	local rc=0

	if [[ ! -s $SCRATCH/old ]]; then
		{
			printf 'What it said before is not known. This is all of it:\n\n'
			cat -- "$2"
		} >"$SCRATCH/told"
		return 0
	fi
	git_quiet diff --no-index --text --no-ext-diff --no-textconv --no-color --unified=5 \
		-- "$SCRATCH/old" "$2" >"$SCRATCH/diff" || rc=$?
	case $rc in
	0) change_nothing "$1" ;;
	1) ;;
	*) die_sys "git cannot compare '$1' with what the spec was" ;;
	esac
	{
		printf -- '--- the spec as it was\n+++ %s\n' "$1"
		sed -n '/^@@/,$p' "$SCRATCH/diff"
	} >"$SCRATCH/told"
}

change_review()
{
	local file=$SCRATCH/review

	if [[ $1 == - ]]; then
		cat >"$file" || die_sys "cannot read standard input"
	else
		readable_file review "$1"
		file=$FILE
	fi
	[[ -s $file ]] || die_data "the review is empty"
	CHANGE=review CHANGE_ARGS=(--file "$file")
}

# request_gh REQUEST: what was said on it, and at which lines. The filters are gh's own.
request_gh()
{
	local n

	n=$(gh pr view "$1" --json number --jq .number) || return
	gh pr view "$n" --json comments,reviews \
		--jq '(.comments[], .reviews[]) | select(.body != "") | "\(.author.login) said:\n\(.body)\n"' &&
		gh api --paginate "repos/{owner}/{repo}/pulls/$n/comments" \
			--jq '.[] | "\(.user.login) said at \(.path):\(.line // .original_line // "?"):\n\(.body)\n"'
}

request_glab()
{
	glab mr view "$1" --comments
}

# change_request [N]: without a number, that of the session's branch.
change_request()
{
	local tool why='' found=''

	for tool in gh glab; do
		type -P "$tool" >/dev/null || continue
		found+=" $tool"
		if (cd -- "$WORKTREE" && GH_PROMPT_DISABLED=1 NO_COLOR=1 GLAB_CHECK_UPDATE=false "request_$tool" "${1:-$BRANCH}") \
			</dev/null >"$SCRATCH/request" 2>"$SCRATCH/said"; then
			[[ -s $SCRATCH/request ]] || die_data "nobody has said anything on the pull request of $BRANCH"
			change_review "$SCRATCH/request"
			return 0
		fi
		why+="; $tool: $(head -n 1 <"$SCRATCH/said")"
	done
	[[ -n $found ]] || die_usage "--pr needs gh or glab, and neither is in PATH"
	die_sys "the pull request cannot be read${why}"
}

change_start()
{
	[[ -z $opt_no_run ]] || PLAN_ONLY=1
	start_existing --resume
	start_loop --resume
}

# Asks for it in the record: from here on a loop that is killed goes on with it.
change_ask()
{
	call wisp-session change ask --kind "$CHANGE" "${CHANGE_ARGS[@]}" ${PHASES:+--phases} ${opt_yes:+--yes}
	if [[ $F_act == told ]]; then
		tell "wisp: the next prompt says so"
	fi
}
