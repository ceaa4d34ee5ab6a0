# start-trust.bash: what a start looks at before anything of a repository runs: its
# template, the agents, and a person's word for what would be executed.
# Sourced by start.bash, whose head says what the variables are.
#
#	template_use NAME   TEMPLATE_DIR, PHASES and PHASE_AGENTS of a template that holds
#	agents_check        can they run? Ends with 16 where one cannot, with 100 where none could commit
#	check_trust         asks a person for what has not been seen here before

PHASE_AGENTS=()

# template_use NAME: its folder, once its loop.json holds as a whole; PHASES is set where it
# has phases, PHASE_AGENTS to the agents that those name.
template_use()
{
	local line out rc=0

	template_dir "$1"
	out=$(wisp-filter template "$TEMPLATE_DIR") || rc=$?
	((rc == 0)) || exit "$rc"
	PHASES='' PHASE_AGENTS=()
	while IFS= read -r line; do
		case $line in
		phases=yes) PHASES=1 ;;
		agent=*) PHASE_AGENTS+=("${line#*=}") ;;
		esac
	done <<<"$out"
}

# Without an identity git refuses every commit of an agent, after the step that made it was paid for.
identity_check()
{
	local name rc=0 names=(GIT_AUTHOR_IDENT)

	# One more question where the committer may be another.
	[[ $KNOWN_COMMITTER == same && ${GIT_AUTHOR_NAME+-$GIT_AUTHOR_NAME} == "${GIT_COMMITTER_NAME+-$GIT_COMMITTER_NAME}" &&
		${GIT_AUTHOR_EMAIL+-$GIT_AUTHOR_EMAIL} == "${GIT_COMMITTER_EMAIL+-$GIT_COMMITTER_EMAIL}" ]] ||
		names+=(GIT_COMMITTER_IDENT)
	for name in "${names[@]}"; do
		git_run -C "$PROJECT" var "$name" >/dev/null 2>&1 || rc=$?
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

# agent_trust NAME: prints what a person has to have seen before that agent runs: a script of
# this repository, or a program that its template names by path.
agent_trust()
{
	agent_resolve "$1"
	git_use "$PROJECT"
	if [[ ${AGENT_COMMAND[0]} == "$PROJECT/"* ]]; then
		git__line hash-object --no-filters -- "${AGENT_COMMAND[0]}"
		printf '%s=%s\n' "${AGENT_COMMAND[0]#"$PROJECT/"}" "$REPLY"
	elif [[ $1 == */* && $1 != "$OWN_AGENT" && $TEMPLATE_DIR == "$PROJECT"/* ]]; then
		printf 'phase.agent=%s\n' "$1"
	fi
}

# What the repository's files would have executed needs a person's word, once.
check_trust()
{
	local asked script name rc=0 OWN_AGENT=$AGENT_NAME

	asked=$(config_trusted "$TEMPLATE_DIR") || rc=$?
	((rc <= 1)) || exit "$rc"
	for name in ${PHASE_AGENTS[@]+"${PHASE_AGENTS[@]}"} "$OWN_AGENT"; do
		# What a person names on the command line, by its path, is trusted.
		[[ $name != "$OWN_AGENT" || $name != */* ]] || continue
		script=$(agent_trust "$name") || exit $?
		if [[ -n $script ]] && ! printf '%s\0' "$script" | config_ask trust --project "$PROJECT" >/dev/null; then
			asked+=${asked:+$'\n'}$script
		fi
	done
	[[ -z $asked ]] || trust_word "$asked"
	[[ -n $PANE ]] || trust_git # the command that was typed has asked
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
	printf '  %s\n' "$1" | LC_ALL=C tr -d '\000-\010\013-\037\177' >&2
	if [[ -z $opt_trust ]]; then
		[[ -t 0 && -t 2 ]] || die_usage "not trusted yet: look at it, then give --trust (or set it with wisp config)"
		trust_ask 'Allow that?'
		[[ $word == [yY]* ]] || die_usage "not trusted"
	fi
	while IFS= read -r script; do
		config_trust "$script"
	done <<<"$1"
}
