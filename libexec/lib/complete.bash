# complete.bash: what may stand at the end of a command line, for the shells'
# completions; sourced by bin/wisp alone.
#
# complete_line WORD...: the words behind `wisp`, the last one as far as it was
# typed (''). Prints what it may become, a line each; what ends in `=` goes on
# without a blank. A line `:files`: names of files, too. The tables of it are
# complete_operand (what a command works on) and complete_value (what follows an
# option); options and verbs the commands tell themselves.

complete_line()
{
	local command='' previous='' word="${*: -1}" operands=()

	while (($# > 1)); do
		if [[ -z $command && $1 == -c ]]; then
			previous=-c
		elif [[ $previous == -c && -z $command ]]; then
			previous=''
		elif [[ -z $command ]]; then
			[[ $1 == -* ]] || command=$1
		elif takes_value "$previous"; then
			previous=''
		elif [[ $1 == -?* ]]; then
			previous=$1
		else
			previous=''
			operands+=("$1")
		fi
		shift
	done
	complete_word | complete_matching "$word"
}

# The lines of stdin that begin with WORD, each once.
complete_matching()
{
	local line

	while IFS= read -r line; do
		if [[ $line == :files || $line == "$1"* ]]; then
			printf '%s\n' "$line"
		fi
	done | awk '!seen[$0]++'
}

complete_word()
{
	if [[ -z $command && $previous == -c ]]; then
		complete_setting "$word"
	elif [[ -z $command ]]; then
		list_commands
	elif takes_value "$previous"; then
		complete_value "$previous"
	elif [[ $word == --*=* ]]; then
		complete_value "${word%%=*}" | sed -e "/^:files\$/!s|^|${word%%=*}=|"
	elif [[ $word == -* ]]; then
		complete_own | grep -e '^-' || :
	else
		complete_operands
	fi
}

# Where nothing else may stand there are the options.
complete_operands()
{
	local found

	found=$(complete_operand "${#operands[@]}")
	if [[ -n $found ]]; then
		printf '%s\n' "$found"
	else
		complete_own | grep -e '^-' || :
	fi
}

# What the command itself tells: its options, and verbs and words of a utility.
complete_own()
{
	(run_command "$command" --complete 2>/dev/null) || :
}

# takes_value OPTION: is the next word its value?
takes_value()
{
	case $command:$1 in
	rm:--branch) return 1 ;;
	*:--agent | *:--sandbox | *:--template | *:--branch | *:--spec | *:--tasks | *:--from | *:--mode | *:--dir | *:--verify | \
		*:--max-iterations | *:--max-hours | *:--max-cost | *:--parallel | *:--guide | *:--feedback | *:--category | *:-n | *:-c) ;;
	*) return 1 ;;
	esac
}

complete_value()
{
	case $1 in
	--agent) complete_agents ;;
	--template) complete_templates ;;
	--branch)
		complete_sessions
		[[ $command != run && $command != plan && $command != orchestrate ]] || complete_branches
		;;
	--spec | --tasks | --dir) echo :files ;;
	--from) complete_own | grep -v '^-' || : ;;
	--sandbox) printf '%s\n' auto bwrap landlock off ;;
	--mode) printf '%s\n' greenfield brownfield-feature brownfield-polish ;;
	-c) complete_setting "$word" ;;
	esac
}

# complete_operand N: what the command works on, as its operand after N others.
complete_operand()
{
	case $command:$1 in
	run:0 | shell:0)
		complete_sessions
		[[ $command != run ]] || complete_branches
		;;
	resume:0 | status:0 | tests:0 | log:0 | attach:0 | pause:0 | stop:0 | bisect:0 | diff:0 | done:0 | rm:0 | rollback:0 | guide:0 | answer:0 | \
		update:1 | review:1 | checkpoint:1) complete_sessions ;;
	checkpoint:0)
		printf '%s\n' list save
		complete_sessions
		;;
	sandbox:0)
		echo show
		complete_sessions
		;;
	sandbox:1) complete_sessions ;;
	plan:* | update:0 | orchestrate:0) echo :files ;;
	approve:0 | reject:0) wisp-gate list 2>/dev/null | sed 's/ .*//' || : ;;
	config:0) wisp-config keys | grep -v '[*]' ;;
	config:1) complete_setting_values "${operands[0]}" ;;
	help:0) list_commands ;;
	*)
		if [[ $command == hook ]] || is_utility "$command"; then
			complete_utility_operand "$1"
		fi
		;;
	esac
}

# A verb, also behind a session; then the words it chooses from, and files.
complete_utility_operand()
{
	if [[ $1 == 0 && $command == hook ]]; then
		(run_command hook --complete verbs)
	elif (($1 == 0)); then
		list_verbs "$command"
		complete_sessions
	else
		complete_own | grep -v '^-' || :
		echo :files
	fi
}

complete_sessions()
{
	wisp-session states 2>/dev/null | sed -n -e '/^note /d' -e 's/^[a-z]* //p' || :
}

complete_branches()
{
	git for-each-ref --format='%(refname:short)' refs/heads 2>/dev/null || :
}

# complete_below FOLDER: what the project and wisp itself have of it.
complete_below()
{
	local project name

	project=$(wisp-session project 2>/dev/null) || project=''
	project=${project%%$'\n'*}
	for name in "${project#project=}/.wisp/$1"/* "$2"/*; do
		[[ ! -e $name ]] || printf '%s\n' "${name##*/}"
	done
}

complete_agents()
{
	complete_below agents "$WISP_LIBEXEC/agents" | grep -v '[.]'
}

complete_templates()
{
	complete_below templates "$WISP_SHARE/templates"
}

# complete_setting TEXT: KEY=, or once that stands there KEY=VALUE.
complete_setting()
{
	if [[ $1 == *=* ]]; then
		complete_setting_values "${1%%=*}" | sed "s|^|${1%%=*}=|"
	else
		wisp-config keys | sed -e '/[*]/d' -e 's/$/=/'
	fi
}

complete_setting_values()
{
	case $1 in
	agent.default) complete_agents ;;
	*) wisp-config words "$1" 2>/dev/null || : ;;
	esac
}
