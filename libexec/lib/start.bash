# start.bash: from what a person typed to a loop that owns its session.
#
# Sourced last, after loop.bash. Used by wisp-run, wisp-resume and wisp-plan.
#
#	start_options SPEC ARGUMENT...   reads the command's options, and checks those that the three share
#	start_here WHAT [BRANCH]    refuses a step; sets PROJECT, and SCRATCH: a private folder, gone at the end
#	start_scratch               SCRATCH alone
#	choose_branch [BRANCH]      sets BRANCH
#	start_new                   owns and makes the session
#	start_existing              owns it, and adopts what is there
#	start_loop [--resume]       owns it, runs the loop here or in tmux, and exits with its code (start-loop.bash)

opt_template='' opt_agent='' opt_tasks='' opt_spec='' opt_branch='' opt_in_place='' opt_once='' opt_wait='' opt_no_wait=''
opt_trust='' opt_guide='' opt_json='' opt_max_iterations='' opt_max_hours='' opt_max_cost='' opt_plain='' opt_sandbox='' opt_no_sandbox=''
PLAN='' PLAN_ONLY='' NEEDS_PLAN='' PHASES='' REBUILT='' ONCE='' WAIT='' ASK='' SCRATCH='' NEXT='' SHIP=''

readonly LOOP_OPTIONS='agent=,max-iterations=,max-hours=,max-cost=,sandbox=,no-sandbox,wait,no-wait,plain,trust'

start_options()
{
	parse_options "$LOOP_OPTIONS,$1" "${@:2}"
	tmux_options
	report_open
	[[ -z $opt_sandbox || -z $opt_no_sandbox ]] || die_usage "--sandbox and --no-sandbox exclude each other"
	opt_sandbox=${opt_no_sandbox:+off}$opt_sandbox
	# So that the loops that an orchestration starts have it, too.
	[[ -z $opt_sandbox ]] || config_set "sandbox=$opt_sandbox"
	[[ -z $opt_wait || -z $opt_no_wait ]] || die_usage "--wait and --no-wait exclude each other"
	check_limit max-iterations limits.maxIterations "$opt_max_iterations"
	check_limit max-hours limits.maxHours "$opt_max_hours"
	check_limit max-cost limits.maxCostUsd "$opt_max_cost"
	ONCE=$opt_once PLAIN=$opt_plain
	WAIT=1
	[[ -z $opt_no_wait ]] || WAIT=''
	if [[ -n $opt_wait || (-z $opt_no_wait && (-t 0 || (-n ${TMUX-} && -S ${TMUX%%,*}))) ]]; then
		ASK=1
	fi
}

# check_limit OPTION KEY VALUE: before anything is made: --max-iterations 0, -1, x.
check_limit()
{
	local why rc=0

	option_values "$1"
	((${#VALUES[@]})) || return 0
	LIMITS+=(--option "$2=$3") GIVEN+=" $1"
	# What is plainly a number is asked about with all the other thresholds.
	[[ ! $3 =~ ^[1-9][0-9]{0,5}$ ]] || return 0
	why=$(wisp-config check "$2" "$3" 2>&1) || rc=$?
	((rc == 0)) || die_usage "--$1: ${why#*: }"
}
LIMITS=() GIVEN=''

# keep_limit OPTION KEY VALUE: what an earlier run was given holds until another one is given.
keep_limit()
{
	if [[ -n $3 && " $GIVEN " != *" $1 "* ]]; then
		LIMITS+=(--option "$2=$3")
	fi
}

# Ends the command where an agent's step typed it; WHAT it asked for. Else sets PROJECT and SHARED, and DIR and STATE of PLACED.
start_here()
{
	local said line inside='' shared=''

	start_descriptors
	# Whose the folder is tells doctor, where we are killed before a session has a note of it.
	said=$(exec -a "$PROGRAM" wisp-session here --scratch "${TMPDIR:-/tmp}/wisp.$$" ${2:+--branch "$2"}) || exit $?
	PROJECT='' PLACED=${2-}
	while IFS= read -r line; do
		case $line in
		scratch=*) SCRATCH=${line#*=} ;;
		project=*) PROJECT=${line#*=} ;;
		shared=*) shared=${line#*=} ;;
		dir=*) DIR=${line#*=} ;;
		home=*) STATE=${line#*=} ;;
		inside=*) inside=${line#*=} ;;
		esac
	done <<<"$said"
	[[ -z $inside ]] || die_usage "$1 is not possible $inside"
	trap 'rm -rf -- "$SCRATCH"' EXIT
	# git is asked with the repository's own configuration: what lies in SHARED is an earlier start's.
	locate_project
	SHARED=$shared
}

# Tried, since asking for the limit takes a descriptor too.
start_descriptors()
{
	(: 63</dev/null) 2>/dev/null ||
		die_sys "too few file descriptors are allowed: 64 are needed, see 'ulimit -n'"
}

start_scratch()
{
	start_descriptors
	SCRATCH=$(mktemp -d "${TMPDIR:-/tmp}/wisp.$$.XXXXXX") || die_sys "cannot make a temporary folder"
	trap 'rm -rf -- "$SCRATCH"' EXIT
}

choose_branch()
{
	local named=${1-$opt_branch}

	[[ -z $opt_branch || $named == "$opt_branch" ]] || die_usage "two branches are named: '$named' and '$opt_branch'"
	if [[ -n $opt_in_place ]]; then
		current_branch "$PROJECT"
		[[ ${named:-$BRANCH} == "$BRANCH" ]] ||
			die_usage "--in-place works on '$BRANCH', which is checked out, not on '$named': git switch comes first"
	elif (($#)); then
		BRANCH=$1
	elif [[ -n $opt_branch ]]; then
		BRANCH=$opt_branch
	elif [[ -n $opt_spec ]]; then
		branch_for "$opt_spec"
	elif [[ -n $opt_tasks ]]; then
		branch_for "$opt_tasks"
	elif [[ $(ask list --json) != '[]' ]]; then
		find_session
	else
		die_usage "no session to run here: --spec FILE or --tasks FILE begins one"
	fi
}

# is_utf16 FILE: as PowerShell's `>` and Notepad write it, with a byte-order mark or without: as in src/tasks/import.c.
is_utf16()
{
	local LC_ALL=C first='' second=''

	{ IFS= read -r -d '' -n 1 first && IFS= read -r -d '' -n 1 second; } <"$1" || return 1
	# A NUL is read as nothing: one byte that is left had one beside it.
	case $first$second in
	$'\xff\xfe' | $'\xfe\xff' | ?) return 0 ;;
	*) return 1 ;;
	esac
}

# readable_file WHAT FILE: sets FILE to its absolute path, or ends the command.
readable_file()
{
	local why='' folder=.

	[[ $2 != */* ]] || folder=${2%/*}/
	if [[ ! -e $2 ]]; then
		why='No such file or directory'
	elif [[ ! -r $2 ]]; then
		why='Permission denied'
	elif [[ -d $2 ]]; then
		why='Is a directory'
	elif [[ ! -f $2 ]]; then
		why='it is not a regular file'
	elif is_utf16 "$2"; then
		why='it is UTF-16: save it as UTF-8'
	fi
	[[ -z $why ]] || die_data "cannot read the $1 '$2': $why"
	real_folder "$folder" || die_sys "cannot enter the folder of the $1 '$2'"
	FILE=${REPLY%/}/${2##*/}
}

readonly TASKS_MAX=8	# MiB of a task list, as in src/core/tasks.h

# tasks_file: sets FILE to the list that --tasks names. What a shell makes of <(COMMAND) can be read once, and is kept.
tasks_file()
{
	local name=$opt_tasks size

	if [[ $name == /dev/fd/* && -p $name ]]; then
		opt_tasks=$SCRATCH/tasks.given
		head -c $(((TASKS_MAX << 20) + 1)) <"$name" >"$opt_tasks" || die_sys "cannot read the task list '$name'"
		size=$(wc -c <"$opt_tasks") || die_sys "cannot read the task list '$name'"
		((size <= TASKS_MAX << 20)) || die_data "$name: larger than $TASKS_MAX MiB"
	fi
	readable_file 'task list' "$opt_tasks"
	wisp-tasks diff "$FILE" "$FILE" >/dev/null || exit $?
}

start_new()
{
	local spec='' tasks='' template

	template=${opt_template:-${WISP_TEMPLATE:-default}}
	template_dir "$template"
	thresholds
	config_value agent.default
	agent_resolve "${opt_agent:-${WISP_AGENT:-$VALUE}}"
	if [[ -n $opt_spec ]]; then
		readable_file spec "$opt_spec"
		spec=$FILE
	fi
	if [[ -n $opt_tasks ]]; then
		tasks_file
		tasks=$FILE
	fi
	[[ -n $spec || -n $tasks || -n $PHASES ]] ||
		die_usage "no session '$BRANCH' here: --spec FILE or --tasks FILE begins one (wisp list shows those that are there)"
	[[ -z $PHASES || -z $NEEDS_PLAN ]] || die_usage "the template $template works in phases: it needs no plan (wisp run)"
	[[ -n $tasks || -n $PHASES ]] || PLAN=plan
	[[ -n $spec || -n $tasks || -n $opt_guide ]] ||
		warn "no spec and no task list: the agent is told no more than the template $template says (--spec FILE)"
	OWN_WORK=$WT_COMMON/wisp/$BRANCH.lock
	check_trust
	OWN_WORK=''
	# A plan that is there is only taken over: no agent is called.
	[[ -n $NEEDS_PLAN && -z $PLAN ]] || agents_check
	session_own
	if session_exists; then
		made_meanwhile
		return
	fi
	withheld_told
	ASK_FACTS=1
	session_make "$template" "$AGENT_NAME" "$spec" "$tasks" "$opt_in_place"
	ASK_FACTS=''
	TEMPLATE=$template
}

# Between the first look and the lock another command has made the session, and has ended: on with what is there.
made_meanwhile()
{
	PLAN=''
	[[ -z $NEEDS_PLAN ]] || planned_already
	start_existing ''
}

# What the record says of a session that is there; options may change the agent, not the tasks.
start_existing()
{
	local word spec='' tasks=''

	session_own
	session_folder
	session_facts
	[[ $TEMPLATE != orchestrator ]] || start_orchestration
	keep_limit max-iterations limits.maxIterations "$F_max_iterations"
	keep_limit max-hours limits.maxHours "$F_max_hours"
	keep_limit max-cost limits.maxCostUsd "$F_max_cost"
	template_dir "$TEMPLATE"
	thresholds
	agent_resolve "${opt_agent:-$F_agent}"
	check_trust
	if [[ -n $opt_spec ]]; then
		readable_file spec "$opt_spec"
		spec=$FILE
	fi
	if [[ -n $opt_tasks ]]; then
		tasks_file
		tasks=$FILE
	fi
	call wisp-session again ${opt_template:+--template "$opt_template"} ${spec:+--spec "${spec#"$PROJECT/"}"} \
		${tasks:+--tasks "$tasks"} ${PHASES:+--phases} ${CHANGE:+--change} ${1:+"$1"}
	case $F_due in
	plan) PLAN=plan ;;
	anew) begin_anew "$tasks" "$F_spec" ;;
	ask-spec)
		read -r -p "The session $BRANCH ($F_status) is about '$F_spec'. Begin a new one with '$opt_spec'? [y/N] " word
		[[ $word == [yY]* ]] || start_refused
		begin_anew '' "$spec" replace
		;;
	anew-spec) begin_anew '' "$spec" replace ;;
	other-*) start_refused ;;
	esac
	[[ $F_status == completed ]] || agents_check
}

# With the answer of `wisp-session again`: it is asked for with what is not its own.
start_refused()
{
	case $F_due in
	other-template) die_usage "the session $BRANCH has the template '$TEMPLATE', not '$opt_template' (another --branch makes another session)" ;;
	other-tasks) die_usage "the session $BRANCH has other tasks than '$opt_tasks' (wisp tasks add, or another branch)" ;;
	*) die_usage "the session $BRANCH works on '${F_spec:-no spec}', not on '$opt_spec' (wisp update brings it in line; another --branch makes another session)" ;;
	esac
}

# An orchestration has a command of its own, which `wisp resume` is another name of.
start_orchestration()
{
	local i args=(--resume "--branch=$BRANCH")

	[[ $PROGRAM == 'wisp resume' ]] || die_usage "$BRANCH is an orchestration: wisp orchestrate --resume --branch $TYPED"
	for ((i = 0; i < ${#OPTIONS[@]}; i += 2)); do
		case ${OPTIONS[i]} in
		agent | max-iterations | max-hours | max-cost | guide) args+=("--${OPTIONS[i]}=${OPTIONS[i + 1]}") ;;
		yes | wait | no-wait | plain | trust | foreground | detach | json) args+=("--${OPTIONS[i]}") ;;
		esac
	done
	rm -rf -- "$SCRATCH"
	[[ -z $opt_json ]] || exec 1>&5
	exec "$WISP_LIBEXEC/wisp-orchestrate" "${args[@]}" 8>&- 9>&-
}

# begin_anew TASKS SPEC [REPLACE]: completed is final for a session id: open tasks (TASKS, a
# file, or where it is empty those that are there) begin another session in the same folder.
begin_anew()
{
	local in_place=''

	[[ $WORKTREE != "$PROJECT" ]] || in_place=1
	SESSION_FROM=$F_parent
	session_make "$TEMPLATE" "$AGENT_NAME" "$2" "$1" "$in_place" "${3-}"
	session_facts
}

# Reads what the record says, or what `create` has just said: SESSION_ID WORKTREE TEMPLATE F_status F_agent F_spec.
# With --renew a person says that config, templates and agents are good as they are.
session_facts()
{
	if [[ -n $MADE_FACTS ]]; then
		answered "$MADE_FACTS"
	else
		call wisp-session facts "$@"
	fi
	MADE_FACTS=''
	SESSION_ID=$F_session_id WORKTREE=$F_worktree TEMPLATE=$F_template BASE=$F_base RECORDED=$F_head
	if [[ $F_rebuilt == yes && -z $REBUILT ]]; then
		warn "there was no record of $BRANCH here: it is made again from the files in '$DIR'"
		REBUILT=1
	fi
	[[ -z $F_list ]] || warn "$F_list"
	if [[ -n $F_back && -z $REBUILT ]]; then
		warn "$F_back"
		REBUILT=1
	fi
}

# shellcheck source=lib/withheld.bash
source "${BASH_SOURCE[0]%/*}/withheld.bash"

# shellcheck source=lib/report.bash
source "${BASH_SOURCE[0]%/*}/report.bash"

# shellcheck source=lib/start-trust.bash
source "${BASH_SOURCE[0]%/*}/start-trust.bash"

# shellcheck source=lib/start-tmux.bash
source "${BASH_SOURCE[0]%/*}/start-tmux.bash"

# shellcheck source=lib/start-loop.bash
source "${BASH_SOURCE[0]%/*}/start-loop.bash"
