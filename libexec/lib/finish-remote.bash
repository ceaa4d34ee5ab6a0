# finish-remote.bash: where a finished branch goes: its remote, and what hosts that.
# Sourced by wisp-done after finish.bash.
#
#	remote_choose    REMOTE and REMOTE_URL, as git itself would choose
#	remote_secrets   refuses where what would be pushed has a known secret
#	remote_push      pushes TIP there
#	remote_host      FORGE, FORGE_REPO, WEB ...: what the remote that has the base is
#	request_open     a pull request by gh or glab, or a link where one can be opened
#
# Nothing here is forced. git asks for a name or password only at a terminal, gh
# and glab ask nothing.

REMOTE='' REMOTE_URL='' PUSHED='' REQUEST='' LINK='' FORGE='' FORGE_REPO='' FORGE_BASE='' HEAD_REPO='' WEB=''
URL_HOST='' URL_PATH='' URL_WEB=''

readonly NET_LIMITS=(--timeout 10m --grace 2s --pid-namespace false)

remote_choose()
{
	local key name=''

	for key in "branch.$BRANCH.pushRemote" remote.pushDefault "branch.$BRANCH.remote"; do
		git__line config --get "$key" || REPLY=''
		[[ -z $REPLY || $REPLY == . ]] || { name=$REPLY && break; }
	done
	if [[ -z $name ]] && git_quiet remote get-url origin >/dev/null 2>&1; then
		name=origin
	fi
	[[ -n $name ]] || finish_end "$EXIT_USAGE" "there is no remote to push to (git remote add origin URL)"
	REMOTE=$name
	git__line remote get-url --push -- "$name" 2>/dev/null || REPLY=$name
	REMOTE_URL=${REPLY%%$'\n'*}
	[[ $REMOTE_URL != "$name" || $name == *[:/]* ]] ||
		finish_end "$EXIT_USAGE" "the remote '$name', named by the configuration, does not exist (git remote)"
}

# shown_url URL: without a name and password in it.
shown_url()
{
	local rest=${1#*://}

	if [[ $1 == *://* && ${rest%%/*} == *@* ]]; then
		printf '%s://%s' "${1%%://*}" "${rest#*@}"
	else
		printf '%s' "$1"
	fi
}

# net NAME COMMAND...: what it prints goes to SCRATCH/NAME, its messages to NAME.log and,
# where it fails, to standard error. At a terminal git may ask; else there is none to ask at.
net()
{
	local name=$1 rc=0
	shift

	: >"$SCRATCH/$name.log"
	if [[ $1 == git && -t 0 && -t 2 ]]; then
		WISP_SECRETS='' GIT_TERMINAL_PROMPT=1 git__with_known "$@" >"$SCRATCH/$name" 8>&- 9>&- &
		agent_started
		agent_wait || rc=$?
	else
		GIT_TERMINAL_PROMPT=0 WORKTREE=$PROJECT git__outside git__with_known supervise --keep-env --format text "${NET_LIMITS[@]}" \
			--output "$SCRATCH/$name" --log "$SCRATCH/$name.log" --result "$SCRATCH/$name.json" -- "$@" || supervisor_lost $?
		wisp-session outcome "$SCRATCH/$name.json" || rc=$?
	fi
	finish_stop
	((rc == 0)) || tail -n 20 -- "$SCRATCH/$name.log" | LC_ALL=C tr -d '\000-\010\013-\037\177' >&2
	return "$rc"
}

# In the files, names and messages of the commits that the remote has not, as far as is known here.
remote_secrets()
{
	local rc=0

	[[ -n $WISP_SECRETS ]] || return 0
	# Where git fails, that line is no object.
	{ git_finish_objects "$PROJECT" "$REMOTE" "$TIP" || say failed; } 5>&- 8>&- 9>&- | wisp-config found >"$SCRATCH/found" || rc=$?
	finish_stop
	case $rc in
	0) ;;
	1) return 0 ;;
	*) finish_end "$EXIT_SYS" "the commits of $BRANCH cannot be searched for secrets" ;;
	esac
	sed 's/^/  /' <"$SCRATCH/found" >&2
	finish_end "$EXIT_NO" "a secret would be pushed with $BRANCH: take it out of its commits (git rebase -i${BASE:+ $BASE} in '$WORKTREE')"
}

remote_push()
{
	local rc=0 where flag='' refs='' why=''

	where="$REMOTE ($(shown_url "$REMOTE_URL"))"
	git_finish_push "$PROJECT" "$REMOTE" "$TIP" "$BRANCH" "$opt_hooks" || exit "$EXIT_SYS"
	tell "wisp: pushing $BRANCH to $where"
	net push "${GIT_COMMAND[@]}" || rc=$?
	while IFS=$'\t' read -r flag refs why; do
		[[ $flag != '!' ]] || break
	done 2>/dev/null <"$SCRATCH/push" || :
	if [[ $flag == '!' ]]; then
		finish_end "$EXIT_SYS" "$where does not take $BRANCH: $why (wisp never forces: merge what is there, or push it yourself)"
	fi
	((rc == 0)) || finish_end "$EXIT_SYS" "$BRANCH could not be pushed to $where"
	PUSHED=$REMOTE
}

# url_parse URL: URL_HOST, URL_PATH and URL_WEB, where people look at it. 1: it is on no host.
url_parse()
{
	local url=$1 scheme=ssh auth port

	URL_HOST='' URL_PATH='' URL_WEB=''
	case $url in
	*://*/*)
		scheme=${url%%://*} url=${url#*://}
		auth=${url%%/*} URL_PATH=${url#*/}
		;;
	'['*']:'*) auth=${url#[} auth=${auth%%]*} URL_PATH=${url#*]:} ;;
	*:*)
		auth=${url%%:*} URL_PATH=${url#*:}
		[[ $auth != */* ]] || return 1
		;;
	*) return 1 ;;
	esac
	auth=${auth##*@}
	port=${auth##*]}
	[[ $port == *:* ]] && port=:${port##*:} || port=''
	URL_HOST=$(printf '%s' "${auth%"$port"}" | LC_ALL=C tr '[:upper:]' '[:lower:]')
	case $URL_HOST in
	ssh.github.com | altssh.gitlab.com | altssh.bitbucket.org) URL_HOST=${URL_HOST#*.} ;;
	esac
	while [[ $URL_PATH == /* ]]; do URL_PATH=${URL_PATH#/}; done
	while [[ $URL_PATH == */ ]]; do URL_PATH=${URL_PATH%/}; done
	URL_PATH=${URL_PATH%.git}
	case $scheme in
	http | https) URL_WEB=$scheme://$URL_HOST$port ;;
	ssh | git | git+ssh | ssh+git) URL_WEB=https://$URL_HOST ;; # their port is not that of the pages
	*) return 1 ;;
	esac
	[[ -n $URL_HOST && $URL_HOST != *[!a-z0-9.:_-]* && $URL_PATH == ?*/?* && $URL_PATH != *[[:cntrl:]]* ]]
}

# What a host is, by its name alone: nothing else is guessed.
forge_of()
{
	case $1 in
	github.com | github.* | *.ghe.com) printf github ;;
	gitlab.com | gitlab.*) printf gitlab ;;
	bitbucket.org) printf bitbucket ;;
	codeberg.org | gitea.* | forgejo.*) printf gitea ;;
	"${GH_HOST:-github.com}") printf github ;;
	"${GITLAB_HOST:-gitlab.com}") printf gitlab ;;
	esac
}

# A request is made where the base branch lives: with a fork, that is another remote than the one pushed to.
remote_host()
{
	local remote='' url='' own=''

	FORGE='' HEAD_REPO='' FORGE_BASE=$BASE_BRANCH
	! url_parse "$REMOTE_URL" || own=$URL_PATH
	if [[ -n $BASE_BRANCH ]] && git__line config --get "branch.$BASE_BRANCH.remote"; then
		remote=$REPLY
	fi
	if [[ -n $remote && $remote != . ]]; then
		! git__line config --get "branch.$BASE_BRANCH.merge" || [[ -z $REPLY ]] || FORGE_BASE=${REPLY#refs/heads/}
		git__line remote get-url -- "$remote" 2>/dev/null || REPLY=$remote
		url=$REPLY
	fi
	url_parse "${url:-$REMOTE_URL}" || return 0
	FORGE=$(forge_of "$URL_HOST") FORGE_REPO=$URL_PATH WEB=$URL_WEB
	[[ -z $own || $own == "$FORGE_REPO" ]] || HEAD_REPO=$own
}

# url_quote TEXT: as a part of a URL; slashes stay.
url_quote()
{
	local LC_ALL=C text=$1 char code

	while [[ -n $text ]]; do
		char=${text:0:1} text=${text:1}
		case $char in
		[a-zA-Z0-9._~/-]) printf '%s' "$char" ;;
		*)
			printf -v code '%d' "'$char"
			printf '%%%02X' "$((code & 255))"
			;;
		esac
	done
}

# LINK: where a person opens the request by hand; empty where the host is not known.
request_link()
{
	local base head repo owner=''

	base=$(url_quote "$FORGE_BASE") head=$(url_quote "$BRANCH") repo=$(url_quote "$FORGE_REPO")
	[[ -z $HEAD_REPO ]] || owner=$(url_quote "${HEAD_REPO%%/*}"):
	case $FORGE in
	github) LINK="$WEB/$repo/compare/${base:+$base...}$owner$head?expand=1" ;;
	gitea) LINK="$WEB/$repo/compare/${base:+$base...}$owner$head" ;;
	gitlab)
		[[ -z $HEAD_REPO ]] || repo=$(url_quote "$HEAD_REPO")
		LINK="$WEB/$repo/-/merge_requests/new?merge_request%5Bsource_branch%5D=$head${base:+&merge_request%5Btarget_branch%5D=$base}"
		;;
	bitbucket)
		[[ -z $HEAD_REPO ]] || repo=$(url_quote "$HEAD_REPO")
		LINK="$WEB/$repo/pull-requests/new?source=$head${base:+&dest=$base}"
		;;
	*) LINK='' ;;
	esac
}

# shellcheck source=lib/finish-request.bash
source "${BASH_SOURCE[0]%/*}/finish-request.bash"
