# loop-sandbox.bash: what confines a step, and what the project has run. Sourced by loop.bash, whose head says what
# the variables are; docs/sandbox.md has the rule.
#
#	sandbox_choose     SANDBOX: bwrap, landlock or off; ends with 16 where nothing can confine a step here
#	confine OPTION...  CONFINED: what stands before a program, from the -- on, for wisp-agent to know what it is
#	lent_back          what a step made of what it was lent, by name

SANDBOX='' CONFINED=()

# Asked once a start. There is one question, where nothing works and a person is there: never is a step unconfined in silence.
sandbox_choose()
{
	local rc=0 said word=''

	[[ -z $SANDBOX ]] || return 0
	config_value sandbox
	SANDBOX=$VALUE
	[[ $SANDBOX != off ]] || return 0
	said=$(wisp-sandbox driver --config "$CONFIG" 2>"$SCRATCH/why") || rc=$?
	if ((rc == EXIT_AGENT)) && [[ $SANDBOX == auto && -t 0 && -t 2 ]]; then
		cat -- "$SCRATCH/why" >&2
		trust_ask 'Have steps run unconfined from now on?'
		[[ $word == [yY]* ]] || exit "$rc"
		"$WISP_LIBEXEC/wisp-config" sandbox off || exit
		SANDBOX=off
		return 0
	fi
	((rc == 0)) || {
		cat -- "$SCRATCH/why" >&2
		exit "$rc"
	}
	SANDBOX=$(value_of driver "$said")
}

confine()
{
	sandbox_choose
	CONFINED=(--sandbox "$SANDBOX" --)
	[[ $SANDBOX != off ]] || return 0
	folder_make "$SCRATCH/tmp" || die_sys "cannot make '$SCRATCH/tmp'"
	CONFINED+=(wisp-sandbox run --known --driver "$SANDBOX" --config "$CONFIG" --keep-env --tmp "$SCRATCH/tmp" "$@")
	if [[ -d ${STATE-} ]]; then
		folder_make "$STATE/caches" || die_sys "cannot make '$STATE/caches'"
		CONFINED+=(--caches "$STATE/caches")
	fi
	lead_out "$@"
	CONFINED+=(--)
}

# Where hosts are listed, the way to those, as long as this process is there.
lead_out()
{
	local key=sandbox.network folder=$SCRATCH/proxy

	[[ ${1-} != --setup ]] || key=sandbox.setupNetwork folder=$SCRATCH/proxy.setup
	config_values "$key"
	case ${VALUES[0]-} in
	'' | open | off) return 0 ;;
	esac
	wisp-sandbox proxy "${CONFINED[@]:5}" --for "$$" "$folder" || exit
	CONFINED+=(--proxy "$folder")
}

# What the proxy refused to the step, and to what was run after it; the next prompt says it, too.
refusals_noted()
{
	local line file=$SCRATCH/refused

	[[ -d $SCRATCH/proxy ]] || return 0
	: >"$file"
	while IFS= read -r line; do
		tell "wisp: [$ITERATION] the sandbox refused ${line#*=}"
		printf '%s\0' "${line#*=}" >>"$file"
	done < <(wisp-sandbox refused "$SCRATCH/proxy" 9>&-)
	[[ ! -s $file ]] || NEWS+=(--refused "$file")
}

# Before anything is asked of git, or of the session's folder. A loop that was killed has left it.
lent_back()
{
	local rc=0 said line dropped='' others='' known=() at=${ITERATION:+[$ITERATION] }

	[[ -e $STATE/lent ]] || return 0
	! git__known_here || known=(--known "$SHARED/.git-known")
	[[ $WORKTREE != "$PROJECT" ]] || known+=(--persons)
	said=$(wisp-sandbox take --worktree "$WORKTREE" --branch "$BRANCH" --session "$DIR" --agent-state "$STATE/agent" ${known[@]+"${known[@]}"} "$STATE/lent" 9>&-) || rc=$?
	((rc <= 1)) || loop_fail "$rc"
	while IFS= read -r line; do
		case $line in
		tampered=*) tell "wisp: ${at}nothing of git is taken over from the step: '${line#*=}' is not what it was" ;;
		why=*) tell "wisp: ${at}what the step committed is not taken over: ${line#*=}" ;;
		module=*) tell "wisp: ${at}what the step committed in a submodule is not taken over: ${line#*=}" ;;
		other=*) others+=${others:+, }${line#*=} ;;
		refused=*) tell "wisp: ${at}${line#*=}" ;;
		planted=*) tell "wisp: ${at}'${line#*=}', which programs outside of the sandbox would run, was made in the step: moved to '${line#*=}.made-in-a-step'" ;;
		dropped=*) dropped+=${dropped:+, }${line#*=} ;;
		esac
	done <<<"$said"
	[[ -z $others ]] || tell "wisp: ${at}only its own branch is taken over from a step; these are as they were: $others"
	[[ -z $dropped ]] || tell "wisp: ${at}left in the session's folder, and not taken over: $dropped"
}
