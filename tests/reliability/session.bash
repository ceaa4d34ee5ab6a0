# session.bash: a whole session is killed at random moments and resumed until it is completed.
#
# Seven tasks, one half committed by the agent, the other by wisp; a check; a question, a usage
# limit and pauses on the way. What is killed: the loop, its process group, all that belongs to
# the world, one program of it alone, the supervisor; or TERM comes first. Starts are killed too.

KILLS=0 SPAN=2000

part_session()
{
	local round=$FROM until=${ROUNDS:-500}

	TASKS=7
	world_make
	session_agent
	# Rounds are kills here: a session has several.
	while ((KILLS < until)); do
		round_begin session "$round" session "kills from $KILLS on"
		session_round "$until"
		round_end
		TRIED=$KILLS
		round=$((round + 1))
		[[ $FROM == 1 || $ROUNDS != 1 ]] || break
	done
}

# What the agent does instead of a task, once: a question at the third, a limit at the fifth.
session_agent()
{
	cat >"$SAVED/instead" <<-'END'
		done=$(grep -c '"passes": true' "$WISP_TASKS_FILE")
		if [[ $done == 2 && $prompt != *'The answer to your question'* ]]; then
			printf '{"status": "NEEDS_INPUT", "summary": "asks", "question": "Which?"}\n' \
				>"$WISP_STATE_FILE"
			exit 0
		fi
		if [[ $done == 4 && ! -e $w/limited ]]; then
			: >"$w/limited"
			printf '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected",'
			printf '"rateLimitType":"five_hour","resetsAt":%s}}\n' $(($(date +%s) + 1))
			printf '{"type":"assistant","error":"rate_limit","message":{"content":[]}}\n'
			printf '{"type":"result","subtype":"success","is_error":true,"api_error_status":429,'
			printf '"num_turns":1,"result":"limit","total_cost_usd":0.01}\n'
			exit 1
		fi
	END
}

session_round() # <kills at most>
{
	local starts=0 began

	ANSWERS=0
	SPENT=(0 0)
	began=$(now)
	while :; do
		starts=$((starts + 1))
		if ((starts > 80)); then
			lost "it is not completed after $starts starts: $(tail -n 3 "$WORLD"/log.loop)"
			break
		fi
		session_start
		if ((KILLS < $1)) && ((RANDOM % 8)); then
			random_wait
			random_kill
		fi
		ended loop 120
		check_totals
		case $CODE in
		0) break ;;
		137 | 143 | 111) ;; # 111: a program that it needs was killed
		10) session_answer ;;
		15) ;;
		*)
			lost "the loop ended with $CODE: $(tail -n 3 "$WORLD/log.loop")"
			[[ $CODE != hung ]] || break
			((${#LOST[@]} < 6)) || break
			;;
		esac
		no_process 10 || {
			left "processes after the loop ($CODE): $(ps -o pid=,args= -p "$(processes | paste -sd, -)")"
			end_world
		}
	done
	# How long a session takes here, for the moments of the next.
	SPAN=$((($(now) - began) / starts + 200))
	check_session work "$TASKS"
	check_person
	check_left work
}

now()
{
	local us=${EPOCHREALTIME/./} # bash 3.2: this needs Linux anyway

	echo "${us%???}"
}

session_start()
{
	local command=(resume work)

	[[ -e .wisp/sessions/work/session.json ]] ||
		command=(run work --agent "$WORLD/agent" --tasks ../tasks.json --trust)
	start loop wisp -c retry.delay=0 "${command[@]}" --foreground --max-iterations 1000
}

session_answer()
{
	in_world wisp answer work yes >"$WORLD/log.answer" 2>&1 ||
		lost "wisp answer: $(<"$WORLD/log.answer")"
	ANSWERS=$((ANSWERS + 1))
	((ANSWERS == 1)) || lost "the question was asked again after its answer"
}

random_wait()
{
	local most=$((RANDOM % 1000 * SPAN / 1000))

	((RANDOM % 4)) || most=$((most / 8))
	sleep "$(printf '%d.%03d' $((most / 1000)) $((most % 1000)))"
	((RANDOM % 12)) || in_world wisp pause work >/dev/null 2>&1 || :
}

# One of the processes: the N-th of those that match, in any order.
one_process() # <pattern>
{
	local pids=() pid

	for pid in $(processes); do
		case " $(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null)" in
		*$1*) pids+=("$pid") ;;
		esac
	done
	((${#pids[@]} == 0)) || echo "${pids[RANDOM % ${#pids[@]}]}"
}

random_kill()
{
	local pid how=$((RANDOM % 6))

	pid=$(<"$WORLD/pid.loop")
	runs "$pid" || return 0
	KILLS=$((KILLS + 1))
	case $how in
	0) kill -KILL "$pid" ;;
	1) kill -KILL -- "-$pid" ;;
	2) processes | xargs kill -KILL ;;
	3) one_process ' ' | xargs kill -KILL ;;
	4) one_process wisp-agent | xargs kill -KILL ;;
	5)
		kill -TERM "$pid"
		sleep "0.0$((RANDOM % 10))"
		kill -KILL "$pid"
		;;
	esac 2>/dev/null || :
}

# What the record says was spent is at least what the agent was called for, and never goes down.
check_totals()
{
	local calls=0 recorded file=.wisp/sessions/work/session.json

	[[ -e $file ]] || return 0
	[[ ! -e $WORLD/calls ]] || calls=$(wc -l <"$WORLD/calls")
	recorded=$(in_world wisp-state get -f "$file" .totals.agent_calls 2>/dev/null) || recorded=0
	((recorded >= SPENT[0])) || lost "the count of calls went from ${SPENT[0]} to $recorded"
	# A step that was cut off is counted by the start after it.
	((recorded + 1 >= calls)) || lost "$calls calls of the agent, $recorded recorded"
	SPENT[0]=$recorded
	[[ $CODE != 0 ]] || ((recorded >= calls)) ||
		lost "$calls calls of the agent, $recorded recorded at the end"
}
