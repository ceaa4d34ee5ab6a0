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

# Does git run what KEY says, send to where it says, or need what another such key says? Else 1.
git__runs()
{
	case $1 in
	filter.*.clean | filter.*.smudge | filter.*.process | filter.*.required | diff.external | diff.*.command | diff.*.textconv | \
		merge.*.driver | core.fsmonitor | core.hookspath | core.sshcommand | core.gitproxy | core.askpass | \
		core.editor | core.pager | core.alternaterefscommand | sequence.editor | pager.* | gpg.program | gpg.*.program | \
		gpg.*defaultkeycommand | credential.helper | credential.*.helper | remote.*.uploadpack | remote.*.receivepack | \
		remote.*.vcs | remote.*.proxy | url.*.insteadof | url.*.pushinsteadof | submodule.*.update | protocol.*allow | \
		uploadpack.packobjectshook | gc.recentobjectshook | interactive.difffilter | trailer.*.command | trailer.*.cmd | \
		tar.*.command | hook.*.command | http.*proxy | http.*sslverify | http.*sslcainfo | http.*sslcapath | http.*curloptresolve | \
		lfs.customtransfer.* | lfs.extension.* | lfs.standalonetransferagent | lfs.*url) return 0 ;;
	esac
	return 1
}

# Prints entries, `SCOPE KEY\nVALUE` each, as a configuration file.
git__known_print()
{
	local entry key value section

	for entry; do
		entry=${entry#* }
		key=${entry%%$'\n'*} section=${entry%%.*}
		case $key in
		include.path | includeif.*.path) continue ;; # what these files say is among the entries
		extensions.worktreeconfig) continue ;; # that of a work tree is an agent's
		esac
		value=${key#"$section".}
		if [[ $value == *.* ]]; then
			value=${value%.*}
			value=${value//\\/\\\\}
			value=${value//\"/\\\"}
			printf '[%s "%s"]\n' "$section" "$value"
		else
			printf '[%s]\n' "$section"
		fi
		printf '\t%s' "${key##*.}"
		if [[ $entry == *$'\n'* ]]; then
			value=${entry#*$'\n'}
			value=${value//\\/\\\\}
			value=${value//\"/\\\"}
			value=${value//$'\n'/\\n}
			printf ' = "%s"' "$value"
		fi
		printf '\n'
	done
}

# DIR COMMON: DIR/common becomes a folder of links to the git folder COMMON, but for its configuration.
git__known_links()
{
	local dir=$1 common=$2 name links=()

	[[ ! -e $dir/common || $dir/common/objects -ef $common/objects ]] || rm -rf -- "$dir/common" || return
	# What git, or LFS, would make in a folder that is not there must not end in the copy.
	mkdir -p -- "$dir/common" "$common/logs" || return
	[[ ${*:3} != *filter.lfs.* || -d $common/lfs ]] || mkdir -- "$common/lfs" || return
	for name in HEAD index objects refs reftable logs packed-refs info shallow worktrees modules hooks lfs rr-cache remotes branches; do
		[[ -L $dir/common/$name ]] || links+=("$common/$name")
	done
	[[ -L $dir/common/config ]] || links+=(../config)
	((${#links[@]} == 0)) || ln -s -- "${links[@]}" "$dir/common"
}

# DIR COMMON ENTRY...: the copies of COMMON's configuration in DIR are written anew.
git__known_write()
{
	local dir=$1 common=$2 new=$1/new.$$ entry system=() global=() own=()
	shift 2

	for entry; do
		case $entry in
		'worktree core.'* | 'worktree index.'*) ;; # of that one alone: bare, sparse
		'system '*) system+=("$entry") ;;
		'global '*) global+=("$entry") ;;
		'local '* | 'worktree '*) own+=("$entry") ;;
		esac
	done
	mkdir -p -- "$new" && git__known_links "$dir" "$common" "$@" || return
	git__known_print ${system[@]+"${system[@]}"} >"$new/system" && git__known_print ${global[@]+"${global[@]}"} >"$new/global" &&
		git__known_print ${own[@]+"${own[@]}"} >"$new/config" && printf '%s\0' "$@" >"$new/entries" &&
		mv -f -- "$new"/* "$dir" && rmdir -- "$new"
}

# By one start at a time: another one's half-made folder of links would be taken for that of another repository.
git__known_store()
{
	(umask 077 && git__known_write "$@")
}

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
# in DIR. Programs that are not among those of before are left out, unless TRUST; REPLY gets their keys, too.
git__known_read()
{
	local scope entry dir=$1 common=$2 trust=$3 names=$REPLY kept=() before=() there=() now=() other=() list=${SCRATCH:-$SHARED/.git-known}/git.config
	shift 3

	git_run "$@" config --list --show-scope --includes -z >"$list" || return 111
	if [[ -f $dir/entries ]]; then
		while IFS= read -r -d '' entry; do
			kept+=("$entry")
			! git__entry_runs "$entry" || before+=("$entry")
		done <"$dir/entries"
	fi
	while IFS= read -r -d '' scope && IFS= read -r -d '' entry; do
		if [[ -z $trust ]] && git__entry_runs "$scope $entry"; then
			there+=("$scope $entry")
			git__among "$scope $entry" ${before[@]+"${before[@]}"} || other+=("$entry")
		else
			now+=("$scope $entry")
		fi
	done <"$list"
	[[ -n $trust ]] || for entry in ${before[@]+"${before[@]}"}; do
		now+=("$entry")
		git__among "$entry" ${there[@]+"${there[@]}"} || other+=("${entry#* }")
	done
	if [[ ${now[*]-} != "${kept[*]-}" || ! $dir/common/objects -ef $common/objects ]]; then
		git__alone git__known_store "$dir" "$common" ${now[@]+"${now[@]}"} || return 111
	fi
	REPLY=$names
	for entry in ${other[@]+"${other[@]}"}; do
		entry=${entry%%$'\n'*}
		[[ ", $REPLY, " == *", $entry, "* ]] || REPLY+=${REPLY:+, }$entry
	done
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
	local list entry now=()

	KNOWN=$SHARED/.git-known
	! git__known_here || return 0
	git__known_place "$WT_COMMON" || return
	[[ ! -e $KNOWN/entries || ! $KNOWN/common/objects -ef $WT_COMMON/objects ]] || return 0
	KNOWN=${STATE:-$SHARED}/.git-other/${KNOWN#"$SHARED/.git-known/modules/"}
	[[ ! $KNOWN/config -nt $WT_COMMON/config || ! $KNOWN/common/objects -ef $WT_COMMON/objects ]] || return 0
	list=${SCRATCH:-$SHARED/.git-known}/git.other
	GIT_EXEC='' git_run --git-dir="$WT_COMMON" config --local --no-includes --list -z >"$list" || return 111
	while IFS= read -r -d '' entry; do
		git__entry_runs "local $entry" || now+=("local $entry")
	done <"$list"
	(umask 077 && git__known_other ${now[@]+"${now[@]}"}) || return 111
}

git__known_other()
{
	mkdir -p -- "$KNOWN" && git__known_links "$KNOWN" "$WT_COMMON" "$(<"$SHARED/.git-known/global")" &&
		git__known_print "$@" >"$KNOWN/config.$$" && mv -f -- "$KNOWN/config.$$" "$KNOWN/config" &&
		ln -sf -- "$SHARED/.git-known/global" "$SHARED/.git-known/system" "$KNOWN"
}

git__entry_runs()
{
	local key=${1#* }

	git__runs "${key%%$'\n'*}"
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
