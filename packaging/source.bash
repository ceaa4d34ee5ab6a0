# source.bash: what packages are made of; sourced in the tree's top folder by the scripts beside it.
#
#	need COMMAND PACKAGE      ends with 111 where COMMAND is missing
#	source_date               exports SOURCE_DATE_EPOCH: the caller's, else the commit's, else that of NEWS
#	copy_source FOLDER        the tree as it stands, without what was built, ignored files and .git
#	fresh_folder FOLDER       an empty one
#	pack PARENT NAME FILE     the folder NAME as a tarball whose bytes depend on its files alone

need()
{
	type -P "$1" >/dev/null && return
	printf '%s: %s is missing; install %s\n' "${0##*/}" "$1" "$2" >&2
	exit 111
}

source_date()
{
	SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(own_git log -1 --format=%ct HEAD 2>/dev/null || date -r NEWS +%s)}
	export SOURCE_DATE_EPOCH
}

# own_git ARGUMENT...: git in the clone that this tree is; fails where it lies in another one.
own_git()
{
	[[ -e .git ]] && git -c safe.directory='*' "$@"
}

copy_source()
{
	mkdir -p "$1"
	if [[ -e .git ]]; then
		own_git ls-files -z --cached --others --exclude-standard --deduplicate
	else
		find . -path ./build -prune -o -type f -print0
	fi | while IFS= read -r -d '' file; do
		[[ ! -e $file ]] || printf '%s\0' "$file"
	done | tar --null -T - -cf - | tar -x -C "$1"
	packaging/commit >"$1/packaging/COMMIT"
}

fresh_folder()
{
	rm -rf -- "$1"
	mkdir -p -- "$1"
}

pack()
{
	tar --sort=name --format=ustar --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
		-C "$1" -cf - "$2" | gzip -9n >"$3"
}
