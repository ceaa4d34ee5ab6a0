# Scenarios for the replay agent in few lines; `load helper-scenario` after `load helper`.
#
#	scenario_new				# an empty one, exported as WISP_REPLAY
#	scenario_step 1 --pass 1 --commit 'add login' --effects 'echo x >login'
#	scenario_step 2 --effects 'echo junk >litter' --exit 1		# dies without a claim
#	scenario_step 3 --status NEEDS_INPUT --question 'Which port?'
#	scenario_step 4 --pass 2 --status DONE --promise
#	scenario_step default --status CONTINUE
#
# docs/agents.md says what the files mean. Nothing is implied: without --state
# or --status a step writes no state.json; only --commit commits.

# scenario_new [FOLDER]
scenario_new()
{
	WISP_REPLAY=${1:-$BATS_TEST_TMPDIR/scenario}
	export WISP_REPLAY
	rm -rf "$WISP_REPLAY"
	mkdir -p "$WISP_REPLAY"
}

# scenario_step N|default OPTION...; an option given again takes the place of the first, but --effects add up.
#	--effects SCRIPT	bash, run in the work tree
#	--commit MESSAGE	commits all there is, after the effects
#	--pass 'N|ID ...'	tasks to mark
#	--tasks JSON		the whole task list
#	--state TEXT		state.json as it stands, valid or not
#	--status STATUS		a state.json with that status
#	--summary, --question, --error TEXT	for --status; plain text without " and \
#	--output TEXT, --stderr TEXT	a line end is added
#	--promise		the promise as last line of the output
#	--exit N, --signal NAME, --delay SECONDS, --linger SECONDS
scenario_step()
{
	local dir=$WISP_REPLAY/$1 status='' summary="step $1" extra='' promise=''
	shift
	rm -rf "$dir"
	mkdir -p "$dir"
	while [ $# -gt 0 ]; do
		case $1 in
		--effects) printf '%s\n' "$2" >>"$dir/effects.sh" ;;
		--commit) printf 'git add -A && git commit -q -m %q\n' "$2" >"$dir/commit" ;;
		--pass) tr ' ' '\n' <<<"$2" >"$dir/pass" ;;
		--tasks) printf '%s\n' "$2" >"$dir/tasks.json" ;;
		--state) printf '%s\n' "$2" >"$dir/state.json" ;;
		--status) status=$2 ;;
		--summary) summary=$2 ;;
		--question | --error) extra+=", \"${1#--}\": \"$2\"" ;;
		--output | --stderr | --exit | --signal | --delay | --linger) printf '%s\n' "$2" >"$dir/${1#--}" ;;
		--promise) promise=yes; set -- "$1" "$@" ;;
		*) echo "scenario_step: unknown option '$1'" >&2; return 1 ;;
		esac
		shift 2
	done
	[ ! -e "$dir/commit" ] || { cat "$dir/commit" >>"$dir/effects.sh"; rm "$dir/commit"; }
	[ -z "$promise" ] || printf '<promise>COMPLETE</promise>\n' >>"$dir/output"
	[ -z "$status" ] || printf '{"status": "%s", "summary": "%s"%s}\n' "$status" "$summary" "$extra" >"$dir/state.json"
}

# scenario_calls [SESSION]: how many calls the agent has had, in the session's folder, else in WISP_REPLAY_STATE.
scenario_calls()
{
	local file=${1:+$1/replay}/calls
	[ -n "${1-}" ] || file=$WISP_REPLAY_STATE/calls
	if [ -e "$file" ]; then cat "$file"; else echo 0; fi
}

# scenario_tasks N: prints a task list of N open tasks with ids t1 to tN, for those who need no more.
scenario_tasks()
{
	local i separator=''
	printf '['
	for ((i = 1; i <= $1; i++)); do
		printf '%s\n  {\n    "id": "t%d",\n    "category": "feature",\n    "description": "task %d",\n    "steps": [],\n    "passes": false\n  }' \
			"$separator" "$i" "$i"
		separator=,
	done
	printf '\n]\n'
}
