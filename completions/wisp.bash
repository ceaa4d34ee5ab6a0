# bash completion for wisp: it asks wisp itself what may stand there.

_wisp()
{
	local words=() current='' name=${1##*/} i

	# bash breaks words at =, wisp does not.
	for ((i = 1; i <= COMP_CWORD; i++)); do
		if [[ ${COMP_WORDS[i]} == = || ${COMP_WORDS[i - 1]} == = ]] && ((${#words[@]})); then
			words[${#words[@]} - 1]+=${COMP_WORDS[i]}
		else
			words+=("${COMP_WORDS[i]}")
		fi
	done
	current=${words[${#words[@]} - 1]}
	if [[ $name == wisp-* ]]; then
		words=("${name#wisp-}" "${words[@]}")
	fi
	_wisp_reply "$current" "$(wisp --complete "${words[@]}" 2>/dev/null)"
}

# _wisp_reply CURRENT FOUND: of what has a = bash wants what follows that alone.
_wisp_reply()
{
	local line before=''

	if [[ $1 == *=* && ${COMP_WORDBREAKS-} == *=* ]]; then
		before=${1%%=*}=
	fi
	COMPREPLY=()
	while IFS= read -r line; do
		case $line in
		'') ;;
		:files)
			while IFS= read -r line; do
				COMPREPLY+=("$line")
			done < <(compgen -f -- "${1#"$before"}")
			compopt -o filenames 2>/dev/null
			;;
		*)
			COMPREPLY+=("${line#"$before"}")
			[[ $line != *= ]] || compopt -o nospace 2>/dev/null
			;;
		esac
	done <<<"$2"
}

complete -F _wisp wisp wisp-gate wisp-state wisp-stuck wisp-tasks
