# git-look.bash: the work tree as it is.
# Sourced by git.bash, whose head says what W, B, N, K and ID are.

GIT_PATIENCE=5	# seconds

# Removes named pipes at which git would wait for ever, and lets go whoever waits at one.
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

# W FILE: without checkpoints: OBS_HEAD and OBS_REF alone, and into FILE the names, NUL-separated, of what is uncommitted;
# LOOK_LEFT is the first of them. .wisp/ is left out, and so are files that are just as a checkout makes them.
git_look()
{
	git_use "$1" || return
	OBS_TREE=''
	git__look --files "$2" || return 111
	git__look_modules "$2"
}
LOOK_LEFT='' LOOK_LINKS=()

# OPTION...: LOOK_LEFT; LOOK_LINKS are submodules with a repository of their own, which are not looked into.
git__look()
{
	LOOK_LEFT='' LOOK_LINKS=()
	git__tree look "$@"
}

# FILE: those in which something is not committed go into LOOK_LEFT and FILE, too. git's own `status` would ask one that
# reads the submodule's own configuration.
git__look_modules()
{
	local link ignores

	[[ ${#LOOK_LINKS[@]} -eq 0 ]] || git__ignores
	for link in ${LOOK_LINKS[@]+"${LOOK_LINKS[@]}"}; do
		git__ignored "$link" "$ignores"
		[[ $REPLY != dirty && $REPLY != all ]] || continue
		! git__within "$link" git__clean "$REPLY" || continue
		LOOK_LEFT=${LOOK_LEFT:-$link}
		printf '%s\0' "$link" >>"$1"
	done
}

# IGNORE: is nothing in the chosen one that is not committed, nor in its submodules?
git__clean()
{
	local LOOK_LEFT LOOK_LINKS untracked=normal

	[[ $1 != untracked ]] || untracked=no
	git__look --untracked "$untracked" && git__look_modules /dev/null && [[ -z $LOOK_LEFT ]]
}
