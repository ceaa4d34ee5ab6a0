# git-needs.bash: what a repository asks for beside git itself, and a work tree may lack.
# Sourced by git.bash, whose head says what W, B, N, K and ID are.

# Does a file of the chosen work tree ask for a filter that git does not do without, and whose program is
# not there (git-lfs)? That is one with `required`, and any `process`. REPLY says which. 1: no.
git_filter_missing()
{
	local key value name settings program

	git__attributes && git__line config --get-regexp '^filter\..*\.(process|clean|required)$' || return 1
	settings=$REPLY
	while read -r key value; do
		name=${key%.*} name=${name#filter.} program=${value%% *}
		[[ $key != *.required && -n $program && $program != *[^a-zA-Z0-9_./+-]* ]] || continue
		[[ $key == *.process ]] || git__required "$name" "$settings" || continue
		[[ -z $(type -P -- "$program") ]] || continue
		! git_reply git_run --exec-path || [[ ! -x $REPLY/$program ]] || continue
		git__line ls-files -- ":(top,attr:filter=$name)" || return 1
		[[ -n $REPLY ]] || continue
		git__few
		REPLY="the filter $name, which .gitattributes asks for ($REPLY), needs $program, which is not in PATH: install it"
		return 0
	done <<<"$settings"
	return 1
}

# REPLY, names a line each, becomes a few of them, in words.
git__few()
{
	local name n=0 few=''

	while IFS= read -r name; do
		n=$((n + 1))
		((n > 3)) || few+="${few:+, }$name"
	done <<<"$REPLY"
	((n <= 3)) || few+=" and $((n - 3)) more"
	REPLY=$few
}

# May files be other in the work tree than in the repository?
git__attributes()
{
	[[ -e $WT_TOP/.gitattributes || -s $WT_COMMON/info/attributes ]]
}

# Does the last word of the SETTINGS make the filter NAME one that must not fail?
git__required()
{
	local key value required=''

	while read -r key value; do
		[[ $key != "filter.$1.required" ]] || required=$value
	done <<<"$2"
	[[ $required == [tT1yY]* || $required == [oO][nN] ]]
}

# PROJECT W: submodules of W that are empty are checked out from what the repository has of them, each as a work tree of
# its repository, so that what is committed there outlives W. Asks no network. REPLY: those that stay empty.
git_submodules_fill()
{
	local WT_TOP=$WT_TOP WT_GIT=$WT_GIT WT_COMMON=$WT_COMMON EMPTY=''

	[[ ! -f $2/.gitmodules ]] || git__submodules_fill "$1" "$2" '' || return
	REPLY=$EMPTY
}

# PROJECT W PREFIX: those in the folder PREFIX of W, and theirs.
git__submodules_fill()
{
	local name path id module prefix=$3 W=$2 names

	git__submodules "$W/$prefix" || return
	names=$REPLY
	while read -r name path; do
		git_use "$W/${prefix%/}" || return
		git__line ls-files -s -- ":(top,literal)$path" || return
		[[ $REPLY == 160000* ]] || continue
		id=${REPLY#* } id=${id%% *}
		if [[ ! -e $W/$prefix$path/.git ]] && { ! git__submodule_folder "$1/$prefix$path" "$name" ||
			! git__submodule_add "$REPLY" "$W/$prefix$path" "$id"; }; then
			EMPTY+=${EMPTY:+, }$prefix$path
			continue
		fi
		[[ ! -f $W/$prefix$path/.gitmodules ]] || git__submodules_fill "$1" "$W" "$prefix$path/" || return
	done <<<"$names"
}

# W: REPLY is a line `NAME PATH` for each submodule that .gitmodules in W speaks of.
git__submodules()
{
	local key path found=''

	git_use "${1%/}" && git__line config --file "${1%/}/.gitmodules" --get-regexp '^submodule\..*\.path$' || REPLY=''
	while read -r key path; do
		key=${key#submodule.} key=${key%.path}
		# git takes no such names either: they would lead out of its folder.
		[[ -z $path || /$key/ == */../* || $key == *[[:space:]]* || /$path/ == */../* || $path == /* ]] || found+="$key $path"$'\n'
	done <<<"$REPLY"
	REPLY=${found%$'\n'}
}

# PATH NAME: REPLY is the git folder of a submodule that is at PATH in the project. 1: it has none.
git__submodule_folder()
{
	REPLY=''
	if [[ -d $1/.git ]]; then
		REPLY=$1/.git
	elif [[ -d $WT_COMMON/modules/$2 ]]; then
		REPLY=$WT_COMMON/modules/$2
	elif git__slurp "$1/.git" && [[ $REPLY == 'gitdir: '?* ]]; then
		REPLY=${REPLY#gitdir: }
		[[ $REPLY == /* ]] || REPLY=$1/$REPLY
	fi
	[[ -f $REPLY/HEAD ]]
}

# FOLDER PATH COMMIT: a work tree at PATH of the repository in FOLDER.
git__submodule_add()
{
	local WT_TOP=$2 WT_GIT=$1 WT_COMMON WT_SPARSE=()

	[[ ! -e $2 ]] || rmdir -- "$2" 2>/dev/null || return 1
	git__linked || :
	mkdir -p -- "$2" && git_quiet cat-file -e "$3^{commit}" 2>/dev/null || return 1
	git__alone git__register --detach --force --no-checkout "$2" "$3" && git_use "$2" || return 1
	if ! git__said reset -q --hard --no-recurse-submodules; then
		rm -rf -- "$2" && git__alone git__unregister "$WT_GIT" && mkdir -- "$2"
		return 1
	fi
}

# GIT_FOLDER COMMIT: one that no ref there has is kept by refs/wisp/kept. 1: one has it.
git__keep_commit()
{
	local WT_TOP=$1 WT_GIT=$1 WT_COMMON WT_SPARSE=()

	git__linked || :
	git__line for-each-ref --count=1 --contains "$2" 2>/dev/null || REPLY=''
	[[ -z $REPLY ]] || return 1
	git_quiet update-ref --no-deref "refs/wisp/kept/$2" "$2" 2>/dev/null
}

# PATH FUNCTION ARGUMENT...: with the repository in that folder of W as the chosen one. 1: there is none that git could read.
git__within()
{
	local WT_TOP=$WT_TOP/$1 WT_GIT WT_COMMON WT_SPARSE OBS_HEAD OBS_REF
	shift

	git_use "$WT_TOP" 2>/dev/null || return 1
	"$@"
}

# PATH: REPLY is the commit that the repository in that folder of W is at; empty for none.
git__nested_head()
{
	git__within "$1" git__head_said 2>/dev/null || REPLY=''
}

git__head_said()
{
	git__head || return
	REPLY=$OBS_HEAD
}

# REPLY: for a checkpoint, where the submodules are: a line each.
git__submodule_lines()
{
	local name path names dir text=''

	REPLY=''
	[[ ${#OBS_NESTED[@]} -gt 0 && -f $WT_TOP/.gitmodules ]] || return 0
	git__submodules "$WT_TOP" || return
	names=$REPLY
	while read -r name path; do
		git__among "$path" "${OBS_NESTED[@]}" || continue
		git__nested_head "$path"
		[[ -z $REPLY ]] || text+=$'\n'"Wisp-Submodule: $REPLY $path"
	done <<<"$names"
	REPLY=$text
}

# ignores: what `ignore` says of submodules here, and where they are; the last word counts.
git__ignores()
{
	git__line config --file "$WT_TOP/.gitmodules" --get-regexp '^submodule\..*\.(path|ignore)$' 2>/dev/null || REPLY=''
	ignores=$REPLY
	git__line config --get-regexp '^submodule\..*\.ignore$' || REPLY=''
	ignores+=$'\n'$REPLY
}

# PATH IGNORES: REPLY is what they say of the submodule there; empty: nothing.
git__ignored()
{
	local key value name=''

	REPLY=''
	while read -r key value; do
		[[ $key != *.path || $value != "$1" ]] || name=${key%.path}
	done <<<"$2"
	while read -r key value; do
		[[ -z $name || $key != "$name.ignore" ]] || REPLY=$value
	done <<<"$2"
}

# FUNCTION ARGUMENT...: what git other programs start in the chosen work tree looks into no submodule either.
git__outside()
{
	local key n=${GIT_CONFIG_COUNT:-0} from=(--file "$WT_TOP/.gitmodules")

	[[ -e $WT_TOP/.gitmodules ]] || from=(--blob :.gitmodules)
	local -x "GIT_CONFIG_KEY_$n=diff.ignoreSubmodules" "GIT_CONFIG_VALUE_$n=dirty" GIT_CONFIG_COUNT=$((n + 1))
	while IFS= read -r -d '' key; do
		n=$GIT_CONFIG_COUNT GIT_CONFIG_COUNT=$((n + 1))
		local -x "GIT_CONFIG_KEY_$n=${key%.*}.ignore" "GIT_CONFIG_VALUE_$n=dirty"
	done < <(git_quiet config "${from[@]}" -z --name-only --get-regexp '^submodule\.' 2>/dev/null)
	"$@"
}

# W B K: they alone go back to checkpoint K (git_observe before).
git_submodules_back()
{
	git_checkpoint_read "$1" "$2" "$3" || return 0
	PUT_HEAD=$OBS_HEAD
	git__submodules_back
}

# Submodules go back to where they were at the checkpoint that was read, or to what the commits since say.
git__submodules_back()
{
	local link id path was

	for link in ${CK_LINKS[@]+"${CK_LINKS[@]}"}; do
		id=${link%% *} path=${link#* }
		git__line rev-parse -q --verify "$CK_HEAD:$path" || :
		was=$REPLY
		git__line rev-parse -q --verify "$PUT_HEAD:$path" || :
		[[ -z $REPLY || $REPLY == "$was" ]] || id=$REPLY
		git__nested_head "$path"
		was=$REPLY
		[[ -n $was && $was != "$id" ]] || continue
		if git__within "$path" git__submodule_to "$was" "$id"; then
			git_say 'the submodule %s is back at %s; it was at %s' "$path" "${id:0:12}" "$was"
		else
			git_say 'the submodule %s stays at %s, since it has changes of its own' "$path" "$was"
		fi
	done
}

# WAS ID: the chosen one goes from the one commit to the other.
git__submodule_to()
{
	git__keep_commit "$WT_GIT" "$1" || :
	git_quiet checkout -q --detach "$2" 2>/dev/null
}

# PROJECT: HOOKS is the folder in its work tree that has the commit hooks, such as .husky/_. 1: they are in the git folder,
# or there are none.
git_hooks_path()
{
	git_use "$1" || return
	HOOKS=''
	[[ $(<"$WT_COMMON/config") == *[hH][oO][oO][kK][sS][pP][aA][tT][hH]* ]] || return 1
	git_reply git_run -C "$1" config core.hooksPath || return 1
	HOOKS=${REPLY#./}
	[[ -n $HOOKS && $HOOKS != [/~]* && -d $1/$HOOKS ]]
}

# PROJECT W: does W lack them? REPLY says so, in words.
git_hooks_missing()
{
	git_hooks_path "$1" && [[ -d $2 && ! -d $2/$HOOKS ]] || return 1
	REPLY="core.hooksPath is $HOOKS, which '$2' lacks"
}
