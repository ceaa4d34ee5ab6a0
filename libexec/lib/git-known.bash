# git-known.bash: git's configuration as a person left it. Sourced by git.bash, whose head says
# what W, B, N, K and ID are.
#
#	git_known PROJECT [TRUST]   reads the configuration for all that follows, and keeps it in SHARED. 1: programs in it
#	                            differ from those that were there before; those are kept, unless TRUST. REPLY: the keys
#
# An agent may write .git/config, what that includes, and its user's own: programs that these name (filters, a pager, a
# credential helper) would run in the controller, or in a person's `wisp done`. So git reads copies, in
# SHARED/.git-known: `global`, and `common`, a common folder of links to the repository's own, with a
# `config` of its own. What names no program is as it stands at each start. The same for each submodule; git itself is
# kept from looking into one, where it would start a git that reads the submodule's own.

UNNAMED=(AUTHOR COMMITTER)	# whose name and address git has to be asked for; both where the configuration is not read

git_known()
{
	local found='' first=${2-} module

	[[ -f $SHARED/.git-known/entries ]] || first=first
	GIT_OWN_CONFIG=1 git_use "$1" || return
	REPLY=''
	git__known_read "$SHARED/.git-known" "$WT_COMMON" "$first" -C "$1" || return
	found=$REPLY
	git__known_modules "$1" || return
	REPLY=$found
	for module in ${MODULES[@]+"${MODULES[@]}"}; do
		git__known_place "$module" || return
		git__known_read "$KNOWN" "$module" "$first" --git-dir="$module" || return
	done
	[[ -z $REPLY ]]
}

# DIR COMMON TRUST GIT_OPTION...: the configuration of the repository COMMON, which git finds by these options, is read, and kept
# in DIR (src/session/known.c). Programs that are not among those of before are left out, unless TRUST; REPLY gets their keys, too.
git__known_read()
{
	local line key said dir=$1 names=$REPLY list=${SCRATCH:-$SHARED/.git-known}/git.config args=(--dir "$1" --common "$2")

	[[ -z $3 ]] || args+=(--trust)
	# Who has the lock already asks for it no more.
	[[ -n $GIT_ALONE ]] || args+=(--lock "$WT_COMMON/wisp/.worktrees" --wait "$GIT_ALONE_MOST")
	[[ -z ${OWN_WORK-} ]] || args+=(--home "$STATE" --work "$OWN_WORK")
	git_run "${@:4}" config --list --show-scope --includes -z >"$list" || return 111
	git_reply git__child wisp-session known "${args[@]}" --list "$list" || return 111
	said=$REPLY REPLY=$names
	[[ $dir != "$SHARED/.git-known" ]] || UNNAMED=()
	while IFS= read -r line; do
		key=${line#*=}
		case $line in
		key=*) [[ ", $REPLY, " == *", $key, "* ]] || REPLY+=${REPLY:+, }$key ;;
		unnamed=*) [[ $dir != "$SHARED/.git-known" ]] || UNNAMED+=("$key") ;;
		esac
	done <<<"$said"
}

# PROJECT: MODULES are the git folders of its submodules, and of theirs: in its own, or in their checkouts.
git__known_modules()
{
	local folder name path

	MODULES=()
	[[ ! -d $WT_COMMON/modules ]] || while IFS= read -r -d '' folder; do
		MODULES+=("${folder%/objects}")
	done < <(find "$WT_COMMON/modules" \( -name worktrees -o -name hooks -o -name refs -o -name logs \) -prune -o \
		-type d -name objects -print0 -prune 2>/dev/null)
	[[ -f $1/.gitmodules ]] || return 0
	GIT_OWN_CONFIG=1 git__submodules "$1" || return
	while read -r name path; do
		[[ -z $path || ! -d $1/$path/.git/objects ]] || MODULES+=("$1/$path/.git")
	done <<<"$REPLY"
}

# COMMON: KNOWN is the place of the copies that a start has made of that repository's configuration. No two are in each other's.
git__known_place()
{
	KNOWN=$(CDPATH='' cd -P -- "$1" && pwd) || return 111
	KNOWN=$SHARED/.git-known/modules$KNOWN/+
}

# KNOWN is where the copies for the repository that is chosen are. Of one that no start has seen, such as a clone or a
# submodule that an agent has made, none that names a program is taken, and none that is in another file.
git__known_find()
{
	local list

	KNOWN=$SHARED/.git-known
	! git__known_here || return 0
	git__known_place "$WT_COMMON" || return
	[[ ! -e $KNOWN/entries || ! $KNOWN/common/objects -ef $WT_COMMON/objects ]] || return 0
	KNOWN=${STATE:-$SHARED}/.git-other/${KNOWN#"$SHARED/.git-known/modules/"}
	[[ ! $KNOWN/config -nt $WT_COMMON/config || ! $KNOWN/common/objects -ef $WT_COMMON/objects ]] || return 0
	list=${SCRATCH:-$SHARED/.git-known}/git.other
	GIT_EXEC='' git_run --git-dir="$WT_COMMON" config --local --no-includes --list -z >"$list" || return 111
	GIT_EXEC='' git__child wisp-session known --dir "$KNOWN" --common "$WT_COMMON" --list "$list" --known "$SHARED/.git-known" || return 111
}

# WT_SPARSE: of a work tree's own configuration, config.worktree, that alone is taken which says what is checked out.
git__known_sparse()
{
	local key value

	WT_SPARSE=()
	[[ -f $WT_GIT/info/sparse-checkout && -f $WT_GIT/config.worktree ]] || return 0
	while IFS=$' \t=' read -r key value; do
		[[ $key != [sS]parse[cC]heckout* || $value == *[!a-zA-Z0-9]* ]] || WT_SPARSE+=(-c "core.$key=$value")
	done <"$WT_GIT/config.worktree"
}

# Are the copies of the repository that is chosen?
git__known_here()
{
	[[ -z ${GIT_OWN_CONFIG-} && ${SHARED:-/-}/.git-known/common/objects -ef $WT_COMMON/objects ]]
}

# Where the project's repository has another place by now they are made again; the session's work tree must be of it.
git__known_follow()
{
	local rc=0

	[[ -z ${GIT_OWN_CONFIG-} && -e ${SHARED:-/-}/.git-known/entries ]] && ! git__known_here || return 0
	[[ $WT_TOP == "${PROJECT:-/-}" || $WT_TOP == "${WORKTREE:-/-}" ]] || return 0
	git__known_again || rc=$?
	((rc <= 1)) || return 111
	git__known_here || git__refuse "'$WT_TOP/.git' leads to another repository than that of '$PROJECT'"
}

git__known_again()
{
	local WT_TOP WT_GIT WT_COMMON WT_SPARSE

	git_known "$PROJECT"
}

# FUNCTION ARGUMENT...: what git it runs reads that configuration; with GIT_OWN_CONFIG the repository's own, where what
# runs names no program, and registers a work tree by paths of it, or changes the configuration.
git__with_known()
{
	local KNOWN

	if [[ -n ${GIT_OWN_CONFIG-} || ! -e ${SHARED:-/-}/.git-known/entries ]]; then
		"$@"
	else
		git__known_find || return 111
		GIT_FETCHES=1 GIT_COMMON_DIR=$KNOWN/common GIT_CONFIG_GLOBAL=$KNOWN/global GIT_CONFIG_SYSTEM=$KNOWN/system "$@"
	fi
}
