# template.bash: a project's own copies of the templates, .wisp/templates/NAME.
# Sourced by wisp-init and wisp-doctor.
#
# `.shipped` in a copy holds a line `HASH FILE` for each file as it was when it
# was copied. So three things can be told apart: a file that nobody touched, one
# that a person edited, and one that wisp now ships in another form.
#
#	template_source NAME           prints the folder to copy from; 1 if there is none
#	template_state SOURCE COPY FILE    prints one of
#	    missing     not in the copy
#	    same        as it is shipped
#	    behind      not edited, but shipped in another form now
#	    edited      edited, shipped as it was
#	    both        edited, and shipped in another form now

readonly SHIPPED=.shipped

template_source()
{
	local dir

	for dir in "${XDG_CONFIG_HOME:-${HOME-}/.config}/wisp/templates/$1" "$WISP_SHARE/templates/$1"; do
		if [[ -f $dir/loop.json || -f $dir/system.md ]]; then
			printf '%s\n' "$dir"
			return 0
		fi
	done
	return 1
}

template_hash()
{
	git hash-object --no-filters -- "$1"
}

# shipped_hash COPY FILE: what FILE was when it was copied; empty where that is not known.
shipped_hash()
{
	local hash name

	if [[ -f $1/$SHIPPED ]]; then
		while read -r hash name; do
			if [[ $name == "$2" ]]; then
				printf '%s\n' "$hash"
			fi
		done <"$1/$SHIPPED"
	fi
}

template_state()
{
	local source=$1/$3 copy=$2/$3 before now

	if [[ ! -e $copy ]]; then
		say missing
	elif [[ ! -f $copy ]]; then
		say both
	elif cmp -s -- "$source" "$copy"; then
		say same
	else
		before=$(shipped_hash "$2" "$3")
		now=$(template_hash "$copy")
		if [[ $now == "$before" ]]; then
			say behind
		elif [[ $(template_hash "$source") == "$before" ]]; then
			say edited
		else
			say both
		fi
	fi
}

# template_files SOURCE: the names of its files, a line each; templates have no folders.
template_files()
{
	local file

	for file in "$1"/*; do
		if [[ -f $file ]]; then
			printf '%s\n' "${file##*/}"
		fi
	done
}
