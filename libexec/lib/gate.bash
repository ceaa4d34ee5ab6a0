# gate.bash: a person's decision on a stage gate. Sourced by wisp-approve and wisp-reject,
# after people.bash; wisp-gate decides, and tells the agent.

opt_feedback='' opt_branch=''

# decide_gate approve|reject ID: reads OPTIONS, so that an empty --feedback is told from none.
decide_gate()
{
	local args=() answer rc=0

	refuse_inside_step 'deciding a gate'
	if [[ -n $opt_branch ]]; then
		find_session "$opt_branch"
		args+=(-C "$DIR")
	fi
	option_values feedback
	answer=$(exec -a "$PROGRAM" wisp-gate ${args[@]+"${args[@]}"} "$1" \
		${VALUES[@]+--feedback "${VALUES[${#VALUES[@]} - 1]}"} -- "$2") || rc=$?
	((rc <= 1)) || exit "$rc"
	tell_decision "$answer" "$rc"
	exit "$rc"
}

# What was decided before has been said on stderr: only what the agent does now is new.
tell_decision()
{
	local agent why branch

	agent=$(value_of agent "$1")
	branch=$(value_of branch "$1")
	(($2)) || say "$(value_of decision "$1") $(value_of gate "$1"): $(value_of type "$1") of $agent"
	if [[ $(value_of told "$1") == yes ]]; then
		typed_word "$branch"
		if [[ $(value_of alive "$1") == yes ]]; then
			say "$agent has been notified and continues"
		else
			say "$agent will be notified when its loop resumes: \`wisp orchestrate --resume\`, or \`wisp resume $REPLY\`"
		fi
	elif [[ -n $branch ]] && ((!$2)); then
		why=$(value_of why "$1")
		say "$agent was not notified: $why"
	fi
}
