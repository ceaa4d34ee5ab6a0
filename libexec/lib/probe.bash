# What an agent answers to --probe: one JSON object that `wisp doctor` and the
# check before a run read. Sourced by the agents for that purpose alone.

# probe_quote TEXT: as a JSON string, null where it is empty
probe_quote()
{
	local text=$1 out='' char

	[[ -n $text ]] || { printf 'null'; return; }
	while [[ -n $text ]]; do
		char=${text:0:1} text=${text:1}
		case $char in
		[\"\\]) out+="\\$char" ;;
		[[:cntrl:]]) out+=' ' ;;
		*) out+=$char ;;
		esac
	done
	printf '"%s"' "$out"
}

# probe_path PROGRAM: where the step would find it; nothing where there is none
probe_path()
{
	type -P -- "$1" || true
}

# probe_version PROGRAM: the first word with a digit in it that it prints for --version
probe_version()
{
	local text word

	text=$("$1" --version </dev/null 2>/dev/null) || return 0
	for word in $text; do
		[[ $word != *[0-9]* ]] || { printf '%s' "$word"; return; }
	done
}

# probe_report AGENT VERSION PATH true|false|null PROBLEM...: the last but one is whether it is logged in
probe_report()
{
	local agent=$1 version=$2 path=$3 logged_in=$4 problem separator=''
	shift 4

	printf '{"agent": %s, "version": %s, "path": %s, "problems": [' \
		"$(probe_quote "$agent")" "$(probe_quote "$version")" "$(probe_quote "$path")"
	for problem; do
		printf '%s%s' "$separator" "$(probe_quote "$problem")"
		separator=', '
	done
	printf '], "logged_in": %s}\n' "$logged_in"
}
