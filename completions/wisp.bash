# bash completion for wisp: it asks wisp itself what there is.

_wisp()
{
	local current=${COMP_WORDS[COMP_CWORD]} command='' i

	# The first word that is neither an option nor the setting of -c; bash
	# breaks words at =.
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		-c | =) i=$((i + 1)) ;;
		-*) ;;
		*)
			command=${COMP_WORDS[i]}
			break
			;;
		esac
	done
	_wisp_reply "$current" ${command:+"$command"}
}

# A utility called by its own name.
_wisp_utility()
{
	_wisp_reply "${COMP_WORDS[COMP_CWORD]}" "${1##*wisp-}"
}

_wisp_reply()
{
	local current=$1
	shift

	# shellcheck disable=SC2207 # words without blanks; bash 3.2 has no mapfile
	COMPREPLY=($(compgen -W "$(wisp "$@" --complete 2>/dev/null)" -- "$current"))
}

complete -o default -F _wisp wisp
complete -o default -F _wisp_utility wisp-gate wisp-state wisp-stuck wisp-tasks
