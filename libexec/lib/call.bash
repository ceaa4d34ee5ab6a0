# call.bash: one question to one of wisp's programs, about the session in DIR, and its answer. Sourced by loop.bash.
#
#	call PROGRAM VERB ...   its lines key=value become F_KEY; the others are empty. 1: it says no. Ends the loop where it fails.

BEGUN='' # what `begin` answered, where `record` has begun the next step
RARE=1   # the last answer had a key that not every iteration has

call()
{
	local out rc=0

	# The process that has the session is the parent of what is called: a verb of the loop is for it alone.
	out=$(
		trap '' INT HUP TERM
		exec "$1" -C "$DIR" "${@:2}" 9>&-
	) || rc=$?
	((rc <= 1)) || loop_fail "$rc"
	BEGUN=''
	[[ $out != *$'\n---\n'* ]] || BEGUN=${out#*$'\n---\n'}
	answered "${out%%$'\n---\n'*}"
	return "$rc"
}

# bash copies a function each time it is called: what is rarely answered has functions of its own.
answer_empty()
{
	F_actual_hours='' F_adopted='' F_agent='' F_back='' F_base='' F_base_branch='' F_block='' F_change='' \
		F_change_stage='' F_change_yes='' F_changed='' F_checkpoint='' F_config='' F_cost_usd='' \
		F_differences='' F_differs='' F_do='' F_error='' F_estimated_hours='' F_feedback='' F_first='' \
		F_flags='' F_gate='' F_head='' F_id='' F_iterations='' F_last='' F_limit='' F_list='' F_loop_count='' \
		F_max_cost='' F_max_hours='' F_max_iterations='' F_mode='' F_model='' F_n='' F_names='' F_new='' \
		F_next='' F_note='' F_observed='' F_old='' F_parallel='' F_parent='' F_pending='' F_phase='' \
		F_phases='' F_plan='' F_pool='' F_protected='' F_rebuilt='' F_same='' F_session_id='' F_skipped='' \
		F_spec='' F_stuck='' F_template='' F_times='' F_type='' F_until='' F_worktree=''
	RARE=''
}

answer_rare()
{
	local line=$1

	RARE=1
	case $line in
	actual_hours=*) F_actual_hours=${line#*=} ;;
	adopted=*) F_adopted=${line#*=} ;;
	agent=*) F_agent=${line#*=} ;;
	back=*) F_back=${line#*=} ;;
	base=*) F_base=${line#*=} ;;
	base_branch=*) F_base_branch=${line#*=} ;;
	block=*) F_block=${line#*=} ;;
	change=*) F_change=${line#*=} ;;
	change_stage=*) F_change_stage=${line#*=} ;;
	change_yes=*) F_change_yes=${line#*=} ;;
	changed=*) F_changed=${line#*=} ;;
	checkpoint=*) F_checkpoint=${line#*=} ;;
	config=*) F_config=${line#*=} ;;
	cost_usd=*) F_cost_usd=${line#*=} ;;
	differences=*) F_differences=${line#*=} ;;
	differs=*) F_differs=${line#*=} ;;
	do=*) F_do=${line#*=} ;;
	error=*) F_error=${line#*=} ;;
	estimated_hours=*) F_estimated_hours=${line#*=} ;;
	feedback=*) F_feedback=${line#*=} ;;
	first=*) F_first=${line#*=} ;;
	flags=*) F_flags=${line#*=} ;;
	gate=*) F_gate=${line#*=} ;;
	head=*) F_head=${line#*=} ;;
	id=*) F_id=${line#*=} ;;
	iterations=*) F_iterations=${line#*=} ;;
	last=*) F_last=${line#*=} ;;
	limit=*) F_limit=${line#*=} ;;
	list=*) F_list=${line#*=} ;;
	loop_count=*) F_loop_count=${line#*=} ;;
	max_cost=*) F_max_cost=${line#*=} ;;
	max_hours=*) F_max_hours=${line#*=} ;;
	max_iterations=*) F_max_iterations=${line#*=} ;;
	mode=*) F_mode=${line#*=} ;;
	model=*) F_model=${line#*=} ;;
	n=*) F_n=${line#*=} ;;
	names=*) F_names=${line#*=} ;;
	new=*) F_new=${line#*=} ;;
	next=*) F_next=${line#*=} ;;
	note=*) F_note=${line#*=} ;;
	observed=*) F_observed=${line#*=} ;;
	old=*) F_old=${line#*=} ;;
	parallel=*) F_parallel=${line#*=} ;;
	parent=*) F_parent=${line#*=} ;;
	pending=*) F_pending=${line#*=} ;;
	phase=*) F_phase=${line#*=} ;;
	phases=*) F_phases=${line#*=} ;;
	plan=*) F_plan=${line#*=} ;;
	pool=*) F_pool=${line#*=} ;;
	protected=*) F_protected=${line#*=} ;;
	rebuilt=*) F_rebuilt=${line#*=} ;;
	same=*) F_same=${line#*=} ;;
	session_id=*) F_session_id=${line#*=} ;;
	skipped=*) F_skipped=${line#*=} ;;
	spec=*) F_spec=${line#*=} ;;
	stuck=*) F_stuck=${line#*=} ;;
	template=*) F_template=${line#*=} ;;
	times=*) F_times=${line#*=} ;;
	type=*) F_type=${line#*=} ;;
	until=*) F_until=${line#*=} ;;
	worktree=*) F_worktree=${line#*=} ;;
	esac
}

# answered LINES: what may be answered, to any call: a key that is not here is not asked for. Those of most
# iterations stand here.
answered()
{
	local line lines

	F_act='' F_action='' F_attempt='' F_budget='' F_delay='' F_dir='' F_due='' F_exit='' F_iteration='' F_max='' \
		F_name='' F_outcome='' F_reason='' F_seal='' F_state='' F_status='' F_summary='' F_tasks_passed='' \
		F_tasks_total='' F_text='' F_tree='' F_verify=''
	[[ -z $RARE ]] || answer_empty
	COMMANDS_SAID=()
	# In one command, so that no trap has that IFS. With `read`, bash would read a pipe byte by byte.
	set -f
	# shellcheck disable=SC2206 # it is to be split
	IFS=$'\n' lines=($1) IFS=$' \t\n'
	set +f
	for line in ${lines[@]+"${lines[@]}"}; do
		case $line in
		command=*)
			line=${line#*=} line=${line//\%0A/$'\n'}
			COMMANDS_SAID+=("${line//\%25/%}")
			;;
		act=*) F_act=${line#*=} ;;
		action=*) F_action=${line#*=} ;;
		attempt=*) F_attempt=${line#*=} ;;
		budget=*) F_budget=${line#*=} ;;
		delay=*) F_delay=${line#*=} ;;
		dir=*) F_dir=${line#*=} ;;
		due=*) F_due=${line#*=} ;;
		exit=*) F_exit=${line#*=} ;;
		iteration=*) F_iteration=${line#*=} ;;
		max=*) F_max=${line#*=} ;;
		name=*) F_name=${line#*=} ;;
		outcome=*) F_outcome=${line#*=} ;;
		reason=*) F_reason=${line#*=} ;;
		seal=*) F_seal=${line#*=} ;;
		state=*) F_state=${line#*=} ;;
		status=*) F_status=${line#*=} ;;
		summary=*) F_summary=${line#*=} ;;
		tasks_passed=*) F_tasks_passed=${line#*=} ;;
		tasks_total=*) F_tasks_total=${line#*=} ;;
		text=*) F_text=${line#*=} ;;
		tree=*) F_tree=${line#*=} ;;
		verify=*) F_verify=${line#*=} ;;
		*) answer_rare "$line" ;;
		esac
	done
}
answered ''
