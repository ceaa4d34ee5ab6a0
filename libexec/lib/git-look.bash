# git-look.bash: the work tree as it is.
# Sourced by git.bash, whose head says what W, B, N, K and ID are.

# The work tree as it is: OBS_HEAD (empty: no commit yet), OBS_REF (empty:
# detached), OBS_TREE, OBS_NESTED (folders left out since they are repositories
# of their own), OBS_LARGE (files left out since they are too large), OBS_NOTE (git's words about files it could not read; with
# OBS_PARTIAL=1 there were some).
git_observe()
{
	git_use "$1" && git__head || return
	git__unlock "${OBS_REF#refs/heads/}" || return 111
	[[ $OBS_TOP == "$1" ]] || OBS_NESTED=() OBS_LARGE=()
	OBS_TOP=$1
	git__add_all || return
	git__say_large
	! git__sparse || git__keep_sparse || return
	git__warm git__line write-tree || return 111
	OBS_TREE=$REPLY
	git__tracked_though_ignored
}

GIT_PATIENCE=5	# seconds
readonly GIT_LARGE=2097152 # blocks of 512 bytes: 1 GiB

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
			[[ -z ${GIT_ADDS-} || ${#OBS_LARGE[@]} -gt 0 || -z $GIT_PID ]] || ! git__find_large || kill "$GIT_PID" 2>/dev/null || :
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
		printf 'wisp: removed the named pipe %s\n' "$name" >&2
	done
}

# Sets OBS_LARGE to the files of W that no commit of wisp's is to have; git would read them for minutes, or hours. They are
# looked for, as pipes are, where git takes long. 1: there are none.
git__find_large()
{
	local name GIT_PID='' # what runs beside is not this one's

	OBS_LARGE=()
	while IFS= read -r -d '' name; do
		git_quiet -C "$WT_TOP" check-ignore -q -- "$name" || OBS_LARGE+=("${name#./}")
	done < <(cd -- "$WT_TOP" && find . \( -name .git -o -path ./.wisp \) -prune -o -type f -size "+$GIT_LARGE" -print0 2>/dev/null)
	((${#OBS_LARGE[@]} > 0))
}

# Names them, each once.
git__say_large()
{
	local name

	for name in ${OBS_LARGE[@]+"${OBS_LARGE[@]}"}; do
		[[ $OBS_SAID != *$'\n'"$name"$'\n'* ]] || continue
		OBS_SAID+=$'\n'$name$'\n'
		printf 'wisp: %s is larger than 1 GiB: not committed\n' "${name//[[:cntrl:]]/?}" >&2
	done
}

# `add` finds all but what HEAD tracks in spite of an ignore rule. Once in the warm
# index it stays there, so it is looked for once for each HEAD.
git__tracked_though_ignored()
{
	git__first "$WT_GIT/wisp.head" || :
	[[ -n $OBS_HEAD && $REPLY != "$OBS_HEAD" ]] || return 0
	git__keep_files "$OBS_HEAD" || return
	printf '%s\n' "$OBS_HEAD" >"$WT_GIT/wisp.head"
}

# Has W a sparse checkout, or had one?
git__sparse()
{
	[[ -f $WT_GIT/info/sparse-checkout ]]
}

# Into the warm index what a sparse checkout leaves out, without the flags that would hide it.
git__keep_sparse()
{
	git_quiet ls-files -s -t -z >"$WT_GIT/wisp.list" || return 111
	tr '\n\0' '\001\n' <"$WT_GIT/wisp.list" | LC_ALL=C sed -n 's/^S //p' | tr '\n\001' '\0\n' >"$WT_GIT/wisp.info"
	git__warm git_quiet update-index -z --index-info <"$WT_GIT/wisp.info" || return 111
}

# OBS_TREE, with the files of TREE that it lacks and that are there all the same.
git__keep_files()
{
	local name list=$WT_GIT/wisp.list found=$WT_GIT/wisp.info

	git__warm git_quiet diff-tree -r --name-only -z --no-renames --diff-filter=D "$1" "$OBS_TREE" -- "${GIT_NO_WISP[@]}" \
		>"$list" || return 111
	while IFS= read -r -d '' name; do
		! git__is_file "$name" || printf '%s\0' "$name"
	done <"$list" >"$found"
	[[ -s $found ]] || return 0
	git__warm git_quiet update-index --add -z --stdin <"$found" || return 111
	git__warm git__line write-tree || return 111
	OBS_TREE=$REPLY
}

# Is there a file, or a symbolic link, of that name in W, and not by way of a link?
git__is_file()
{
	local folder=$1

	while [[ $folder == */* ]]; do
		folder=${folder%/*}
		[[ ! -L $WT_TOP/$folder ]] || return 1
	done
	[[ -f $WT_TOP/$1 || -L $WT_TOP/$1 ]]
}

git__add_all()
{
	local said=$WT_GIT/wisp.said rc=0

	OBS_NOTE='' OBS_PARTIAL=''
	if git__add_but_nested 2>"$said" && [[ ! -s $said ]]; then
		return 0
	fi
	# A repository in a folder makes `add` fail, or store a link to it. After a
	# power cut the index may be no index.
	if ! git__find_nested 2>/dev/null; then
		rm -f -- "$WT_GIT/wisp.index" "$WT_GIT/wisp.head"
		git__find_nested || return 111
	fi
	git__add_but_nested --ignore-errors 2>"$said" || rc=$?
	git__slurp "$said" && OBS_NOTE=$REPLY
	[[ $rc -ne 1 ]] || OBS_PARTIAL=1
	# Such as an encoding that .gitattributes asks for, and a file lacks; where the disk is full it says nothing.
	[[ $rc -le 1 ]] ||
		git__refuse "git cannot take in what is in '$WT_TOP': ${OBS_NOTE:-git add ended with $rc} (mend that, then once more)"
}

git__add_but_nested()
{
	local dir kept=() but=() GIT_ADDS=1

	((${#OBS_LARGE[@]} == 0)) || git__find_large || :
	for dir in ${OBS_LARGE[@]+"${OBS_LARGE[@]}"}; do
		git__pattern "$dir"
		but+=(":(exclude,top)$REPLY")
	done
	for dir in ${OBS_NESTED[@]+"${OBS_NESTED[@]}"}; do
		[[ -e $WT_TOP/$dir/.git ]] || continue
		kept+=("$dir")
		git__pattern "$dir"
		but+=(":(exclude,top)$REPLY" ":(exclude,top)$REPLY/*")
	done
	OBS_NESTED=(${kept[@]+"${kept[@]}"})
	# git before 2.34 has no such word, and needs none.
	if git__sparse; then
		git_reply git_both git_run add -h || : # says it with 129
		[[ $REPLY != *sparse* ]] || set -- "$@" --sparse
	fi
	git__patient git__warm git_quiet add -A "$@" -- "${GIT_NO_WISP[@]}" ${but[@]+"${but[@]}"}
}

# OBS_NESTED, after dropping the links that stand for them from the warm index.
git__find_nested()
{
	local name list=$WT_GIT/wisp.list links=$WT_GIT/wisp.info

	git__warm git_quiet ls-files -s -z >"$list" || return
	while IFS= read -r -d '' name; do
		printf '%s\0' "${name#*$'\t'}"
	done < <(git__grep '^160000' <"$list") >"$links"
	[[ ! -s $links ]] || git__warm git_quiet update-index --force-remove -z --stdin <"$links" || return
	git__patient git__warm git_quiet ls-files -o --exclude-standard -z -- "${GIT_NO_WISP[@]}" >"$list" || return
	OBS_NESTED=()
	while IFS= read -r -d '' name; do
		OBS_NESTED+=("${name%/}")
	done < <(git__grep '/$' <"$list")
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

# REPLY: tree of what is staged in W; empty if that is HEAD's tree, or unmerged.
git_index_tree()
{
	local rc=0 head='' OBS_HEAD OBS_REF

	git_use "$1" && git__head || return
	REPLY=''
	[[ -n $OBS_HEAD && -f $WT_GIT/index ]] || return 0
	# Strictly newer than the index, with HEAD in it: it was asked since then, and nothing was staged.
	if [[ $WT_GIT/wisp.unstaged -nt $WT_GIT/index ]] && read -r head <"$WT_GIT/wisp.unstaged" && [[ $head == "$OBS_HEAD" ]]; then
		return 0
	fi
	git_quiet diff-index --cached --quiet HEAD -- "${GIT_NO_WISP[@]}" || rc=$?
	[[ $rc -ne 0 ]] || printf '%s\n' "$OBS_HEAD" >"$WT_GIT/wisp.unstaged" || return 111
	# Anything but 1: no difference, or an index that is none, from which nothing can be had.
	[[ $rc -eq 1 ]] || return 0
	cp -- "$WT_GIT/index" "$WT_GIT/wisp.temp" || return 111
	git__temp git_quiet rm -r -f -q --cached --ignore-unmatch -- .wisp || return 111
	git__temp git__line write-tree 2>/dev/null || REPLY=''
}

# Into FILE: the names, NUL-separated, that differ between two trees. REPLY: how many.
git_changed()
{
	local count=0

	REPLY=0
	if [[ $2 == "$3" ]]; then
		: >"$4"
		return "$?"
	fi
	git_use "$1" || return
	git__warm git_quiet diff-tree -r --name-only -z --no-renames "$2" "$3" >"$4" || return 111
	# Counting here is cheaper than a process for a step's usual changes, and slow for many.
	while [[ $count -lt 200 ]] && IFS= read -r -d '' _; do
		count=$((count + 1))
	done <"$4"
	REPLY=$count
	[[ $count -lt 200 ]] || REPLY=$(tr -dc '\0' <"$4" | wc -c) || return 111
	REPLY=${REPLY// /}
}

# Into FILE: what was uncommitted at checkpoint K and is the same now (git_observe
# before): the dirt that stays the user's, for git_fallback_commit. Needs checkpoint K.
git_dirt()
{
	local W=$1 B=$2 K=$3 file=$4

	git_checkpoint_read "$W" "$B" "$K" || return
	git__merge "$CK_HEAD" "$CK_HEAD" "$CK_HEAD" || return
	git_changed "$W" "$REPLY" "$CK_TREE" "$WT_GIT/wisp.list" || return
	git_changed "$W" "$CK_TREE" "$OBS_TREE" "$WT_GIT/wisp.info" || return
	git__minus "$WT_GIT/wisp.list" "$WT_GIT/wisp.info" "$file"
}

# Without checkpoints: OBS_HEAD and OBS_REF alone, and into FILE the names,
# NUL-separated, of what `git status` finds uncommitted, .wisp/ left out.
git_look()
{
	local list=$2

	git_use "$1" && git__head || return
	OBS_TREE=''
	git__patient git_quiet status --porcelain -z --no-renames --untracked-files=all -- "${GIT_NO_WISP[@]}" >"$WT_GIT/wisp.list" || return 111
	git__touched git_quiet "$WT_GIT/wisp.list" >"$list"
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

# REPLY: what an agent could use against the controller's own git: the repository's
# configuration, hooks, and W's .git pointer, as text to be compared.
git_control_state()
{
	local file line text=''

	git_use "$1" || return
	for file in "$1/.git" "$WT_COMMON/config" "$WT_GIT/config.worktree" "$WT_COMMON"/info/* "$WT_COMMON"/hooks/*; do
		[[ -f $file && -r $file && $file != *.sample ]] || continue
		text+="$file"$'\n'
		[[ ! -x $file ]] || text+=$'executable\n'
		while IFS= read -r line || [[ -n $line ]]; do
			text+=$line$'\n'
		done <"$file"
	done
	REPLY=$text
}
