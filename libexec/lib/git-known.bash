# git-known.bash: git's configuration as a person left it. Sourced by git.bash, whose head says
# what W, B, N, K and ID are.
#
#	git_known PROJECT [TRUST]   reads the configuration for all that follows, and keeps it in SHARED. 1: programs in it
#	                            differ from those that were there before; those are kept, unless TRUST. REPLY: the keys
#
# An agent may write .git/config, what that includes, and its user's own: programs that these name (filters, a pager, a
# credential helper) would run in the controller, or in a person's `wisp done`. So git reads copies, in
# SHARED/.git-known: `global`, and `common`, a common folder of links to the repository's own, with a
# `config` of its own. What names no program is as it stands at each start.

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
		tar.*.command | http.*proxy | http.*sslverify | http.*sslcainfo | http.*sslcapath | http.*curloptresolve | \
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

# SHARED/.git-known is written anew, from the entries that follow COMMON.
git__known_write()
{
	local dir=$SHARED/.git-known common=$1 new entry name links=() system=() global=() own=()
	shift

	for entry; do
		case $entry in
		'worktree core.'* | 'worktree index.'*) ;; # of that one alone: bare, sparse
		'system '*) system+=("$entry") ;;
		'global '*) global+=("$entry") ;;
		'local '* | 'worktree '*) own+=("$entry") ;;
		esac
	done
	new=$dir/new.$$
	[[ ! -e $dir/common || $dir/common/objects -ef $common/objects ]] || rm -rf -- "$dir/common" || return
	# What git would make in a folder that is not there must not end in the copy.
	mkdir -p -- "$new" "$dir/common" "$common/logs" || return
	[[ $* != *filter.lfs.* || -d $common/lfs ]] || mkdir -- "$common/lfs" || return
	for name in HEAD index objects refs reftable logs packed-refs info shallow worktrees modules hooks lfs rr-cache remotes branches; do
		[[ -L $dir/common/$name ]] || links+=("$common/$name")
	done
	[[ -L $dir/common/config ]] || links+=(../config)
	((${#links[@]} == 0)) || ln -s -- "${links[@]}" "$dir/common" || return
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
	local scope entry kept=() before=() there=() now=() other=() list=${SCRATCH:-$SHARED/.git-known}/git.config

	GIT_OWN_CONFIG=1 git_use "$1" || return
	git_run -C "$1" config --list --show-scope --includes -z >"$list" || return 111
	if [[ -f $SHARED/.git-known/entries ]]; then
		while IFS= read -r -d '' entry; do
			kept+=("$entry")
			! git__entry_runs "$entry" || before+=("$entry")
		done <"$SHARED/.git-known/entries"
	fi
	while IFS= read -r -d '' scope && IFS= read -r -d '' entry; do
		if [[ ${#kept[@]} -gt 0 && -z ${2-} ]] && git__entry_runs "$scope $entry"; then
			there+=("$scope $entry")
			git__among "$scope $entry" ${before[@]+"${before[@]}"} || other+=("$entry")
		else
			now+=("$scope $entry")
		fi
	done <"$list"
	[[ -n ${2-} ]] || for entry in ${before[@]+"${before[@]}"}; do
		now+=("$entry")
		git__among "$entry" ${there[@]+"${there[@]}"} || other+=("${entry#* }")
	done
	if [[ ${now[*]-} != "${kept[*]-}" || ! $SHARED/.git-known/common/objects -ef $WT_COMMON/objects ]]; then
		git__alone git__known_store "$WT_COMMON" ${now[@]+"${now[@]}"} || return 111
	fi
	REPLY=''
	for entry in ${other[@]+"${other[@]}"}; do
		entry=${entry%%$'\n'*}
		[[ ", $REPLY, " == *", $entry, "* ]] || REPLY+=${REPLY:+, }$entry
	done
	[[ -z $REPLY ]]
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
	local known=${SHARED-}/.git-known

	if git__known_here; then
		GIT_COMMON_DIR=$known/common GIT_CONFIG_GLOBAL=$known/global GIT_CONFIG_SYSTEM=$known/system "$@"
	else
		"$@"
	fi
}
