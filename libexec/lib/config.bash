# config.bash: where the layers of the configuration lie. Sourced after
# common.bash and people.bash.
#
#	config_layers [TEMPLATE]
#
# sets the array CONFIG_ARGS to what tells wisp-config of them, in their order:
#
#	template    TEMPLATE/loop.json; TEMPLATE is a folder, none if empty
#	user        ${XDG_CONFIG_HOME:-~/.config}/wisp/config
#	project     $PROJECT/.wisp/config, where PROJECT is set
#	own         ${XDG_CONFIG_HOME:-~/.config}/wisp/projects$PROJECT/config: yours, for this project
#	command     WISP_AGENT as agent.default, then the lines of WISP_CONFIG_SET
#	            (what `wisp -c KEY=VALUE` was given)
#
# Further `--option KEY=VALUE` come after it. So the thresholds of a run are
#
#	config_layers "$template"
#	CONFIG_TEXT=$(config_ask list --to FILE "${CONFIG_ARGS[@]}" --option limits.maxIterations=5)
#
# with exit 102 for a file that does not hold, after a message with its name
# (and line where git has it), and 100 for what -c or an option says.
#
# Of what `config_ask list` printed, once it is in CONFIG_TEXT:
#
#	config_value KEY			sets VALUE to the value in force, empty for none; of a list the first
#	config_values KEY			sets the array VALUES to all of a list
#	config_env KEY				sets STEP_ENV to that list of variables, a line each, as wisp-agent reads WISP_STEP_ENV
#
# What a file of the repository would have executed, or loosens, needs a person's word first:
#
#	config_trusted "$template" || ...	prints what is not trusted yet, 1
#	config_trust KEY=VALUE...		remembers it

# config_ask is wisp-config under the command's own name, for its messages.
config_ask()
{
	(exec -a "$PROGRAM" wisp-config "$@")
}

config_layers()
{
	local home=${XDG_CONFIG_HOME:-${HOME:+$HOME/.config}}

	CONFIG_ARGS=()
	if [[ -n ${1-} && -e $1/loop.json ]]; then
		CONFIG_ARGS+=(--template "$1/loop.json")
	fi
	if [[ -n $home ]]; then
		CONFIG_ARGS+=(--layer "user=$home/wisp/config")
	fi
	if [[ -n ${PROJECT-} ]]; then
		CONFIG_ARGS+=(--layer "project=$PROJECT/.wisp/config" ${home:+--layer "own=$home/wisp/projects$PROJECT/config"})
	fi
	if [[ -n ${WISP_AGENT-} ]]; then
		CONFIG_ARGS+=(--set "agent.default=$WISP_AGENT")
	fi
	[[ -z ${WISP_CONFIG_SET-} ]] || CONFIG_ARGS+=(--command)
}

# config_trusted [TEMPLATE]: is all trusted that a repository's file would have
# executed, or loosens? Else prints it, KEY=VALUE a line each, and answers 1; other codes are failures.
config_trusted()
{
	local template=${1-}

	if [[ $template != "$PROJECT"/* ]]; then
		template='' # your own, or installed: no file of the repository
	fi
	config_layers "$template"
	exec -a "$PROGRAM" wisp-config asks ${CONFIG_ARGS[@]+"${CONFIG_ARGS[@]}"} |
		exec -a "$PROGRAM" wisp-config trust --project "$PROJECT"
}

config_trust()
{
	printf '%s\0' "$@" | config_ask trust --add --project "$PROJECT"
}

# Not printed: of a $( ) that was killed nobody would hear, and its setting would count as none.
config_value()
{
	config_values "$1"
	VALUE=${VALUES[0]-}
}

config_values()
{
	local rest=$'\n'$CONFIG_TEXT$'\n' value

	VALUES=()
	while [[ $rest == *$'\n'"$1="* ]]; do
		rest=${rest#*$'\n'"$1="}
		value=${rest%%$'\n'*}
		rest=$'\n'${rest#*$'\n'}
		[[ -z $value || $value == none ]] || VALUES+=("$value")
	done
}

# In the environment of wisp-agent, never on its command line, which every user of the machine can read.
config_env()
{
	local value

	STEP_ENV=''
	config_values "$1"
	for value in ${VALUES[@]+"${VALUES[@]}"}; do
		STEP_ENV+=${STEP_ENV:+$'\n'}$value
	done
}
