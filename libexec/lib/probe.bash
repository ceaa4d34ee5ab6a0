# What an agent answers to --probe: one JSON object that `wisp doctor` and the
# check before a run read (docs/agents.md). Sourced by the agents for that
# purpose alone.
#
#	probe_cli PROGRAM PACKAGE 'HELP ARGUMENTS' FLAG...
#		looks for the program, asks its version, and looks for the flags in its
#		help; sets CLI_PATH, CLI_VERSION and CLI_PROBLEMS
#	probe_bad VERSION WHY
#		a version of it that is known to fail
#	probe_permissions WORD...
#		holds agent.NAME.permissions against the words there are
#	probe_login true|false|null HINT
#		whether somebody is logged in; HINT says how to
#	probe_answer AGENT
#		prints all that as JSON
#	probe_report AGENT VERSION PATH true|false|null PROBLEM...
#		the same for an agent that drives no CLI
#
# A CLI needs up to seconds to print its help. What was found good is kept in
# ${XDG_CACHE_HOME:-~/.cache}/wisp and holds until the program's file changes;
# a problem, and the login, are looked at anew each time.

CLI_PATH='' CLI_VERSION='' CLI_PROBLEMS=() CLI_LOGIN=null

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
		[[ $word != *[0-9]* ]] || { printf '%s' "${word%.}"; return; }
	done
}

# probe_key PATH WORD...: changes when the program or what is asked of it does
probe_key()
{
	local path=$1
	shift

	printf '%s %s\n' "$(ls -dilnL -- "$path")" "$*"
}

probe_cli()
{
	local program=$1 package=$2 cache=${XDG_CACHE_HOME:-${HOME-}/.cache}/wisp/probe-$1 key known=''
	shift 2

	CLI_PATH=$(probe_path "$program")
	if [[ -z $CLI_PATH ]]; then
		CLI_PROBLEMS+=("$program is not in PATH: npm install -g $package")
		return
	fi
	key=$(probe_key "$CLI_PATH" "$@")
	if [[ -r $cache ]]; then
		{ IFS= read -r known && IFS= read -r CLI_VERSION; } <"$cache" || known=''
	fi
	if [[ $known != "$key" ]]; then
		probe_flags "$@"
		((${#CLI_PROBLEMS[@]})) || probe_keep "$cache" "$key"
	fi
}

# probe_flags 'HELP ARGUMENTS' FLAG...: asks the program itself
probe_flags()
{
	local arguments flag help missing=''

	CLI_VERSION=$(probe_version "$CLI_PATH")
	if [[ -z $CLI_VERSION ]]; then
		CLI_PROBLEMS+=("'$CLI_PATH --version' does not answer")
		return
	fi
	read -r -a arguments <<<"$1"
	shift
	help=$("$CLI_PATH" "${arguments[@]}" </dev/null 2>&1) || :
	for flag; do
		[[ $help == *"$flag"[!a-zA-Z0-9-]* ]] || missing+="${missing:+, }$flag"
	done
	if [[ -n $missing ]]; then
		CLI_PROBLEMS+=("'$CLI_PATH' $CLI_VERSION does not know $missing: another version is needed")
	fi
}

# probe_keep FILE KEY: where nothing can be kept, the next run asks again
probe_keep()
{
	mkdir -p -- "${1%/*}" 2>/dev/null || return 0
	{ printf '%s\n' "$2" "$CLI_VERSION" >"$1.$$" && mv -f -- "$1.$$" "$1"; } 2>/dev/null || :
}

probe_bad()
{
	[[ $CLI_VERSION == "$1" ]] || return 0
	CLI_PROBLEMS+=("'$CLI_PATH' $1 is known to fail: $2; another version is needed")
}

probe_permissions()
{
	local word

	for word in '' "$@"; do
		[[ ${WISP_AGENT_PERMISSIONS-} != "$word" ]] || return 0
	done
	CLI_PROBLEMS+=("unknown permissions '$WISP_AGENT_PERMISSIONS'; there are: $*")
}

probe_login()
{
	CLI_LOGIN=$1
	if [[ $1 == false && -n $CLI_PATH ]]; then
		CLI_PROBLEMS+=("not logged in: $2")
	fi
}

probe_answer()
{
	probe_report "$1" "$CLI_VERSION" "$CLI_PATH" "$CLI_LOGIN" ${CLI_PROBLEMS[@]+"${CLI_PROBLEMS[@]}"}
}

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
