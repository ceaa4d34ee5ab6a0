# finish-request.bash: a pull request by gh, a merge request by glab. Sourced by
# finish-remote.bash, whose head says what the variables are.
#
# Title and body are files of wisp-session, made of the tasks, the last summary and
# divergence.md. A request that is open already is named, and its text is left alone.

# TITLE, and the body in SCRATCH/body.md.
request_text()
{
	ask -C "$DIR" proposal --commit "$TIP" --verify "$VERIFY" --project "$PROJECT" \
		${DIVERGENCE:+--divergence "$DIVERGENCE"} --body "$SCRATCH/body.md" >"$SCRATCH/title" || exit $?
	IFS= read -r TITLE <"$SCRATCH/title"
}

# The tool for this host, where it is there: REQUEST_TOOL.
request_tool()
{
	REQUEST_TOOL=''
	case $FORGE in
	github) REQUEST_TOOL=gh ;;
	gitlab) REQUEST_TOOL=glab ;;
	esac
	[[ -z $REQUEST_TOOL ]] || type -P -- "$REQUEST_TOOL" >/dev/null || REQUEST_TOOL=''
}

# The first address in what a tool has printed: REQUEST.
request_address()
{
	local word line

	REQUEST=''
	while IFS= read -r line || [[ -n $line ]]; do
		for word in $line; do
			if [[ $word == http://*/* || $word == https://*/* ]]; then
				REQUEST=${word//[[:cntrl:]]/}
				return 0
			fi
		done
	done <"$1"
	return 1
}

# REQUEST: the one that is open already; empty if there is none. Fails where that cannot be told.
request_find()
{
	local filter='[.[] | .url // .web_url][0] // ""' owner=${HEAD_REPO:-$FORGE_REPO}

	owner=${owner%%/*}
	case $REQUEST_TOOL in
	gh)
		net list gh pr list --repo "${WEB#*://}/$FORGE_REPO" --head "$BRANCH" ${FORGE_BASE:+--base "$FORGE_BASE"} \
			--state open --json url,headRepositoryOwner || return
		# Forks may have a branch of that name, too.
		[[ $owner == *[!a-zA-Z0-9_.-]* ]] || filter="[.[] | select((.headRepositoryOwner.login // \"$owner\" | ascii_downcase) ==
			(\"$owner\" | ascii_downcase))] | $filter"
		;;
	glab)
		net list glab mr list --repo "$WEB/$FORGE_REPO" --source-branch "$BRANCH" ${FORGE_BASE:+--target-branch "$FORGE_BASE"} \
			--output json || return
		;;
	esac
	REQUEST=''
	[[ -s $SCRATCH/list ]] || return 0
	REQUEST=$(wisp-state -C "$DIR" query -f "$SCRATCH/list" "$filter")
}

request_make()
{
	local head=$BRANCH

	request_text
	case $REQUEST_TOOL in
	gh)
		[[ -z $HEAD_REPO ]] || head=${HEAD_REPO%%/*}:$BRANCH
		net request gh pr create --repo "${WEB#*://}/$FORGE_REPO" --head "$head" ${FORGE_BASE:+--base "$FORGE_BASE"} \
			--title "$TITLE" --body-file "$SCRATCH/body.md" || return
		;;
	glab)
		net request glab mr create --repo "$WEB/$FORGE_REPO" ${HEAD_REPO:+--head "$HEAD_REPO"} --source-branch "$BRANCH" \
			${FORGE_BASE:+--target-branch "$FORGE_BASE"} --title "$TITLE" --description "$(<"$SCRATCH/body.md")" --yes || return
		;;
	esac
	request_address "$SCRATCH/request" || request_address "$SCRATCH/request.log"
}

request_open()
{
	local rc=0

	request_tool
	request_link
	if [[ -z $REQUEST_TOOL ]]; then
		return 0
	fi
	export GH_PROMPT_DISABLED=1 GH_NO_UPDATE_NOTIFIER=1 GLAB_CHECK_UPDATE=false NO_PROMPT=1 NO_COLOR=1
	tell "wisp: asking $REQUEST_TOOL for a request from $BRANCH${FORGE_BASE:+ into $FORGE_BASE}"
	request_find || rc=$?
	if ((rc == 0)) && [[ -n $REQUEST ]]; then
		REQUEST_OLD=1
		return 0
	fi
	((rc != 0)) || request_make || rc=$?
	((rc == 0)) || finish_end "$EXIT_SYS" "$BRANCH is pushed, but $REQUEST_TOOL opened no request${LINK:+; by hand: $LINK}"
}
