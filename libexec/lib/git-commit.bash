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

# W B MESSAGE_FILE TRAILER [SKIP_FILE [FROM]]: commits what is uncommitted, but
# .wisp/ and the NUL-separated paths in SKIP_FILE, as the user. REPLY: the commit,
# empty if there was nothing; the older one where FROM..HEAD (HEAD alone without
# FROM) has that trailer. 1: not done, REPLY says why.
git_fallback_commit()
{
	local B=$2 message trailer=$4 skip rc=0

	git__slurp "$3" || git__refuse "cannot read '$3'" || return
	message=$REPLY
	git_observe "$1" || return
	git__unlock "$B" || return 111
	if [[ -n ${6-} ]]; then set -- "$1" "${5-}" "^$6" HEAD; else set -- "$1" "${5-}" -1 HEAD; fi
	git__trailer "$trailer" "${@:3}" || rc=$?
	[[ $rc -eq 1 ]] || return "$rc"
	git__line ls-files -u || return 111
	if [[ -n $REPLY ]]; then
		REPLY='a merge is half done'
		return 1
	fi
	skip=$WT_GIT/wisp.skip
	{
		printf '.wisp\0'
		[[ -z $2 ]] || cat -- "$2"
	} >"$skip" || return 111
	git__add_but "$skip" || return
	cp -p -- "$WT_GIT/index" "$WT_GIT/wisp.temp" || return 111
	GIT_LITERAL_PATHSPECS=1 git__temp git_quiet reset -q --pathspec-from-file="$skip" --pathspec-file-nul || return 111
	git__commit_temp "$message"$'\n\n'"$trailer"
}

# Into the real index: all but nested repositories and the paths in FILE, with the
# user's own line ends this time.
git__add_but()
{
	local name rc=0

	git__line config --get-all core.autocrlf || return 111
	REPLY=${REPLY%false}	# ours comes last
	REPLY=${REPLY%$'\n'}
	set -- "$1" "${REPLY##*$'\n'}"
	{
		for name in ${OBS_NESTED[@]+"${OBS_NESTED[@]}"}; do
			git__all_but "$name"
		done
		while IFS= read -r -d '' name; do
			git__all_but "$name"
		done <"$1"
	} >"$WT_GIT/wisp.info"
	git__patient git_quiet -c core.autocrlf="${2:-false}" add -A --ignore-errors --pathspec-from-file="$WT_GIT/wisp.info" \
		--pathspec-file-nul 2>"$WT_GIT/wisp.said" || rc=$?
	git__slurp "$WT_GIT/wisp.said" && OBS_NOTE=$REPLY
	[[ $rc -le 1 ]] || git__refuse "$OBS_NOTE"
}

git__all_but()
{
	git__pattern "$1"
	printf ':(exclude,top)%s\0:(exclude,top)%s/*\0' "$REPLY" "$REPLY"
}

git__commit_temp()
{
	local rc=0 as=git__as_user

	git__temp git_quiet diff-index --cached --quiet HEAD -- || rc=$?
	REPLY=''
	[[ $rc -ne 0 ]] || return 0
	[[ $rc -eq 1 ]] || return 111
	git__has_identity || as=git__as_wisp
	git__temp "$as" git_quiet -c maintenance.auto=false commit -q --no-verify --no-gpg-sign --cleanup=whitespace -F - <<<"$1" || return 111
	git__commit HEAD
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
