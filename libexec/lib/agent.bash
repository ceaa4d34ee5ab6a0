# agent.bash: which agent runs, how it is set up, and whether it can.
# Sourced by session.bash, after config.bash.
#
#	agent_resolve NAME         sets AGENT, AGENT_NAME, AGENT_COMMAND (array), AGENT_FORMAT, AGENT_COST, AGENT_LOGIN; ends with 16
#	agent_settings             sets MODEL, PERMISSIONS, AGENT_ARGS (array) and AGENT_ENV (lines) to what is configured for it
#	agent_probe                asks it what is wrong: 0 nothing, 1 a problem, 2 no answer; the answer in REPLY
#	agent_check                ends with 16 where it says that it cannot run

readonly PROBE_TIME=20s

# agent_header FILE: sets AGENT_FORMAT to the stream format that an agent's header names,
# AGENT_COST to `none` where it says that the agent reports no cost, and AGENT_LOGIN to the
# variables that it says its login depends on.
agent_header()
{
	local line i=0

	AGENT_FORMAT=auto AGENT_COST='' AGENT_LOGIN=''
	while ((i < 20)) && IFS= read -r line; do
		i=$((i + 1))
		if [[ $line =~ ^#\ Format:\ ([a-z]+) ]]; then
			AGENT_FORMAT=${BASH_REMATCH[1]}
		elif [[ $line == '# Cost: none' ]]; then
			AGENT_COST=none
		elif [[ $line == '# Login: '* ]]; then
			AGENT_LOGIN=${line#'# Login: '}
		fi
	done <"$1" 2>/dev/null || :
}

# A name is looked up in .wisp/agents and the shipped ones; a path is a path.
agent_resolve()
{
	local name=$1 command file=''

	AGENT=${name##*/} AGENT_NAME=$name
	config_value "agent.$name.command"
	command=$VALUE
	if [[ $name == */* ]]; then
		file=$name
		if [[ -d ${file%/*}/ && (${file:0:1} != / || $file == *//* || $file == */.*/*) ]]; then
			file=$(cd -- "${file%/*}/" && pwd)/${file##*/}
		fi
		AGENT_NAME=$file
	elif [[ -n $command ]]; then
		AGENT_COMMAND=(sh -c "$command" "$name") AGENT_FORMAT=auto AGENT_COST='' AGENT_LOGIN=''
		return 0
	elif [[ -e $PROJECT/.wisp/agents/$name ]]; then
		file=$PROJECT/.wisp/agents/$name
	elif [[ -e $WISP_LIBEXEC/agents/$name ]]; then
		file=$WISP_LIBEXEC/agents/$name
	fi
	if [[ -z $file || ! -e $file ]]; then
		if [[ $name == */* ]]; then
			warn "no agent at '$name'"
		else
			warn "no agent '$name': neither in .wisp/agents nor shipped, and agent.$name.command is not set"
		fi
		exit "$EXIT_AGENT"
	fi
	if [[ ! -f $file || ! -x $file ]]; then
		warn "the agent '$file' is not executable"
		exit "$EXIT_AGENT"
	fi
	AGENT_COMMAND=("$file")
	agent_header "$file"
}

agent_settings()
{
	config_value "agent.$AGENT.model"
	MODEL=$VALUE
	config_value "agent.$AGENT.permissions"
	PERMISSIONS=$VALUE
	config_values "agent.$AGENT.args"
	AGENT_ARGS=(${VALUES[@]+"${VALUES[@]}"})
	config_env "agent.$AGENT.env"
	AGENT_ENV=$STEP_ENV
}

# In the environment that a step would have: a key that the step would not see is none.
agent_probe()
{
	local dir rc=0

	agent_settings
	dir=$(mktemp -d "${SCRATCH:-${TMPDIR:-/tmp}}/wisp.$$.XXXXXX") || die_sys "cannot make a temporary folder"
	CONFINED=(--)
	[[ -z ${SANDBOX-} ]] || confine --agent "$AGENT"
	WISP_AGENT_PERMISSIONS=$PERMISSIONS WISP_STEP_ENV=$AGENT_ENV wisp-agent run --format text \
		--timeout "$PROBE_TIME" --log "$dir/log" --output "$dir/answer" --result "$dir/step.json" \
		"${CONFINED[@]}" "${AGENT_COMMAND[0]}" --probe ${AGENT_ARGS[@]+"${AGENT_ARGS[@]}"} </dev/null 2>/dev/null || :
	REPLY=$(ask agent "$dir/answer" 2>/dev/null) || rc=$?
	((rc <= 1)) || REPLY=$(wisp-state -C "$dir" get -f "$dir/step.json" .reason 2>/dev/null) || REPLY=''
	rm -rf -- "$dir"
	((rc <= 1)) || rc=2
	return "$rc"
}

# Does it answer --probe? A path is a script of one's own, a command no agent file;
# and one of the project's that does not know the word would be started by it.
agent_answers()
{
	[[ $AGENT_NAME != */* && ${AGENT_COMMAND[0]} == /* ]] || return 1
	[[ ${AGENT_COMMAND[0]} == "$WISP_LIBEXEC/agents/"* ]] || grep -q -e --probe -- "${AGENT_COMMAND[0]}"
}

agent_check()
{
	local rc=0 line

	agent_answers || return 0
	agent_probe || rc=$?
	case $rc in
	0) return 0 ;;
	1)
		while IFS= read -r line; do
			[[ $line != problem=* ]] || warn "the agent '$AGENT_NAME' cannot run: ${line#*=}"
		done <<<"$REPLY"
		;;
	*) warn "the agent '$AGENT_NAME' does not answer: '${AGENT_COMMAND[0]} --probe' printed no JSON within $PROBE_TIME${REPLY:+ ($REPLY)}" ;;
	esac
	exit "$EXIT_AGENT"
}
