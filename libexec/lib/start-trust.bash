# start-trust.bash: what a start looks at before anything of a repository runs: its
# template, the agents, and a person's word for what would be executed.
# Sourced by start.bash, whose head says what the variables are.
#
#	template_use NAME   TEMPLATE_DIR of a template that holds
#	thresholds          CONFIG, CONFIG_TEXT, WISP_SECRETS, PHASES, PHASE_AGENTS, ASKED: what is in force with the template in TEMPLATE_DIR
#	withheld_told       which variables the project's files name that its commands are not given
#	agents_check        can they run? Ends with 16 where one cannot, with 100 where none could commit
#	check_trust         asks a person for what has not been seen here before

PHASE_AGENTS=() ASKED='' WITHHELD=''

# template_use NAME: its folder, once its loop.json holds as a whole.
template_use()
{
	template_dir "$1"
	wisp-filter template "$TEMPLATE_DIR" >/dev/null || exit $?
}

# Thresholds in force: the layers, then what the command line sets. As JSON for
# the record, as text for config_value. The template in TEMPLATE_DIR holds as a whole: PHASES is set where it has
# phases, PHASE_AGENTS to the agents that those name. ASKED: what is to be trusted, KEY=VALUE a line each.
thresholds()
{
	local line

	config_layers "$TEMPLATE_DIR"
	CONFIG=$SCRATCH/config.json
	CONFIG_TEXT=$(exec -a "$PROGRAM" wisp-config list --to "$CONFIG" --said "$SCRATCH/config.said" --project "$PROJECT" \
		--template-dir "$TEMPLATE_DIR" ${CONFIG_ARGS[@]+"${CONFIG_ARGS[@]}"} ${LIMITS[@]+"${LIMITS[@]}"}) || exit $?
	PHASES='' PHASE_AGENTS=() ASKED='' WITHHELD=''
	while IFS= read -r line; do
		case $line in
		phases=yes) PHASES=1 ;;
		agent=*) PHASE_AGENTS+=("${line#*=}") ;;
		withheld=*) WITHHELD=${line#*=} ;;
		asks=*) ASKED+=${ASKED:+$'\n'}${line#*=} ;;
		esac
	done <"$SCRATCH/config.said"
	secrets_known
	[[ -z $PHASES ]] || template_use "${TEMPLATE_DIR##*/}" # filters have a program of their own
}

# The project's first session: which of the person's variables its files name, and its commands are not given.
withheld_told()
{
	[[ -n $WITHHELD && ! -e $PROJECT/.wisp/sessions ]] && config_value verify.command && [[ -n $VALUE ]] &&
		config_value verify.env && [[ -z $VALUE ]] && git_use "$PROJECT" || return 0
	withheld_names "$WITHHELD"
	git_quiet "${WITHHELD_GREP[@]}" >"$SCRATCH/named" 2>/dev/null || return 0
	withheld_text "$WITHHELD" <"$SCRATCH/named"
	[[ -z $REPLY ]] || tell "wisp: $REPLY"
}

# Without an identity git refuses every commit of an agent, after the step that made it was paid for.
identity_check()
{
	local role rc=0

	for role in ${UNNAMED[@]+"${UNNAMED[@]}"}; do
		git_run -C "$PROJECT" var "GIT_${role}_IDENT" >/dev/null 2>&1 || rc=$?
		((rc != EXIT_SYS)) || die_sys "git var was ended, or gave no answer, in '$PROJECT'"
		((rc == 0)) ||
			die_usage "git knows no name and address to commit with in '$PROJECT':" \
				"git config user.name NAME, git config user.email ADDRESS (with --global: for all repositories)"
	done
}

# The session's agent, and those of its template's phases: can they run?
agents_check()
{
	local name own=$AGENT_NAME

	identity_check
	for name in ${PHASE_AGENTS[@]+"${PHASE_AGENTS[@]}"}; do
		agent_resolve "$name"
		agent_check
	done
	agent_resolve "$own"
	agent_check
}

# agent_trust NAME: REPLY is what a person has to have seen before that agent runs: a script of
# this repository, or a program that its template names by path.
agent_trust()
{
	agent_resolve "$1"
	REPLY=''
	if [[ ${AGENT_COMMAND[0]} == "$PROJECT/"* ]]; then
		git_use "$PROJECT" || exit "$EXIT_SYS"
		git__line hash-object --no-filters -- "${AGENT_COMMAND[0]}" || exit "$EXIT_SYS"
		REPLY=${AGENT_COMMAND[0]#"$PROJECT/"}=$REPLY
	elif [[ $1 == */* && $1 != "$OWN_AGENT" && $TEMPLATE_DIR == "$PROJECT"/* ]]; then
		REPLY=phase.agent=$1
	fi
}

# What the repository's files would have executed needs a person's word, once.
check_trust()
{
	local asked=$ASKED script name OWN_AGENT=$AGENT_NAME

	for name in ${PHASE_AGENTS[@]+"${PHASE_AGENTS[@]}"} "$OWN_AGENT"; do
		# What a person names on the command line, by its path, is trusted.
		[[ $name != "$OWN_AGENT" || $name != */* ]] || continue
		agent_trust "$name"
		script=$REPLY
		if [[ -n $script ]] && ! printf '%s\0' "$script" | config_ask trust --project "$PROJECT" >/dev/null; then
			asked+=${asked:+$'\n'}$script
		fi
	done
	((${#PHASE_AGENTS[@]} == 0)) || agent_resolve "$OWN_AGENT"
	[[ -z $asked ]] || trust_word "$asked"
	[[ -n $PANE ]] || trust_git # the command that was typed has asked
	sandbox_choose
}

# Programs that git's configuration names, other than when a person last started: they may be a step's.
trust_git()
{
	local rc=0 word=''

	git_known "$PROJECT" ${opt_trust:+trust} || rc=$?
	((rc <= 1)) || die_sys "cannot read git's configuration of '$PROJECT'"
	((rc == 1)) || return 0
	warn "git's configuration names other programs than when a person last started: $REPLY"
	if [[ -t 0 && -t 2 ]]; then
		trust_ask 'Use them?'
	fi
	if [[ $word == [yY]* ]]; then
		git_known "$PROJECT" trust
	else
		warn "those of then are used (--trust uses these)"
	fi
}

# trust_ask QUESTION: word, what a person answers.
trust_ask()
{
	trap - INT TERM HUP # bash would run one after the line alone
	read -r -p "$1 [y/N] " word || word=''
	${TRAPS:-:}
}

# trust_word LINES: a person's word for what these lines say, or the command ends.
trust_word()
{
	local script word

	warn "files of this repository ask to run, or to loosen:"
	printf '  %s\n' "$1" | wisp-config hide | LC_ALL=C tr -d '\000-\010\013-\037\177' >&2
	if [[ -z $opt_trust ]]; then
		[[ -t 0 && -t 2 ]] || die_usage "not trusted yet: look at it, then give --trust (or set it with wisp config)"
		trust_ask 'Allow that?'
		[[ $word == [yY]* ]] || die_usage "not trusted"
	fi
	while IFS= read -r script; do
		config_trust "$script"
	done <<<"$1"
}
