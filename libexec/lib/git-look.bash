# git-look.bash: the work tree as it is.
# Sourced by git.bash, whose head says what W, B, N, K and ID are.

GIT_PATIENCE=5	# seconds

# A git program that looks at what the agent left. At a named pipe in the place of a
# .gitignore it would wait for ever. Looking for those costs as much as git itself
# where there are many files, so that is done when git takes long.
git__patient()
{
	local rc='' began=$SECONDS

	{
		GIT_PID=${!-} # bash 3.2 has it for `&` alone: there git ends at its limit
		until IFS= read -r -t "$GIT_PATIENCE" rc <&7; do
			# bash 3.2 does not tell the end of the pipe, or a signal, from the time that is over.
			if ((SECONDS == began)); then
				IFS= read -r rc <&7 || rc=111
				break
			fi
			git__unplug || :
			began=$SECONDS
		done
	} 6>&1 7< <(trap '[[ -z $GIT_PID ]] || kill "$GIT_PID"; exit 143' TERM && exec 8>&- 9>&- && rc=0 && { "$@" >&6 || rc=$?; } && printf '%s\n' "$rc")
	GIT_PID=''
	return "$rc"
}

# Removes such pipes, and lets go whoever waits at one.
git__unplug()
{
	local name

	wisp-session unplug "$WT_TOP" "$WT_GIT" "$WT_COMMON" 8>&- 9>&- | while IFS= read -r name; do
		git_say 'removed the named pipe %s' "$name"
	done
}

# Names them, each once.
git__say_large()
{
	local name

	for name in ${OBS_LARGE[@]+"${OBS_LARGE[@]}"}; do
		[[ $OBS_SAID != *$'\n'"$name"$'\n'* ]] || continue
		OBS_SAID+=$'\n'$name$'\n'
		git_say '%s is larger than 1 GiB: not committed' "$name"
	done
}

# grep for lists that are separated by NUL; bash itself reads them byte by byte.
git__grep()
{
	tr '\n\0' '\001\n' | LC_ALL=C grep -e "$1" | tr '\n\001' '\0\n'
}

# An index of W that is no index, such as one that a power cut tore, or a pipe, is put aside (REPLY: where; empty: it is
# whole) and made again from HEAD; what was staged is in the tree still. 1: W is a person's own checkout, REPLY says what to do.
git_index_whole()
{
	local magic='' index=$WT_GIT/index

	REPLY=''
	[[ -e $index || -L $index ]] || return 0
	if [[ -f $index ]]; then
		LC_ALL=C IFS= read -r -n 4 -d '' magic <"$index" || :
		[[ $magic != DIRC ]] || return 0
	fi
	if git__persons; then
		REPLY="git cannot read '$index': move it away, then \`git reset\` makes it again from HEAD"
		return 1
	fi
	REPLY=$index.broken
	rm -rf -- "$REPLY" && mv -f -- "$index" "$REPLY" && git_quiet reset -q || return 111
}

# Without checkpoints: OBS_HEAD and OBS_REF alone, and into FILE the names,
# NUL-separated, of what `git status` finds uncommitted, .wisp/ left out.
git_look()
{
	local list=$2

	git_use "$1" && git__head || return
	OBS_TREE=''
	git__patient git_quiet status --porcelain -z --no-renames --untracked-files=all --ignore-submodules=dirty -- "${GIT_NO_WISP[@]}" \
		>"$WT_GIT/wisp.list" || return 111
	git__touched git_quiet "$WT_GIT/wisp.list" >"$list"
	git__submodules_dirty "$WT_GIT/wisp.links" >"$WT_GIT/wisp.new" || return
	[[ ! -s $WT_GIT/wisp.new ]] || cat -- "$WT_GIT/wisp.new" >>"$list"
}

# GIT LIST: the names in LIST, which GIT's `status -z` wrote, but for files that are just as its checkout makes them: where a
# repository has other line ends than .gitattributes ask for, git calls those modified for ever.
git__touched()
{
	local entry name copies=$WT_GIT/wisp.copies

	rm -rf -- "$copies"
	while IFS= read -r -d '' entry; do
		[[ $entry != ' M '* ]] || printf '%s\0' "${entry:3}"
	done <"$2" >"$2.changed"
	[[ ! -s $2.changed ]] || ! git__attributes ||
		"$1" checkout-index -q -z --stdin --prefix="$copies/" <"$2.changed" >&2 || :
	while IFS= read -r -d '' entry; do
		name=${entry:3}
		[[ $entry == ' M '* ]] && git__same_file "$copies/$name" "$WT_TOP/$name" || printf '%s\0' "$name"
	done <"$2"
	rm -rf -- "$copies" "$2.changed"
}

git__same_file()
{
	[[ -f $1 && ! -L $1 && -f $2 && ! -L $2 ]] && cmp -s -- "$1" "$2" || return 1
	[[ -x $1 && -x $2 || ! -x $1 && ! -x $2 ]]
}
