# hostile.bash: steps that want to outlive their end.
#
# Sessions of 20 steps, in bwrap, in landlock and in no sandbox. Their agents fork twice, into sessions of their own,
# with an empty environment and TERM ignored; start each other anew; do not end; stop or kill what supervises
# them, as does the harness at random moments. What they start is known by its command line alone.

STEPS=0

part_hostile()
{
	local round=$FROM until=${ROUNDS:-1000} kind

	TASKS=1
	world_make
	hostile_agent
	# Rounds are steps here: a session has several.
	while ((STEPS < until)); do
		for kind in bwrap landlock off; do
			if [[ $kind != off ]] && ! in_world wisp-sandbox driver --driver "$kind" >/dev/null 2>&1; then
				continue
			fi
			round_begin hostile "$round" "$kind" "steps from $STEPS on"
			! wanted "$kind" || hostile_round "$kind"
			round_end
			TRIED=$STEPS
			round=$((round + 1))
		done
		[[ $ROUNDS != 1 ]] || break
	done
}

hostile_agent()
{
	cat >"$SAVED/agent" <<-END
		#!/usr/bin/env bash
		# Format: text
		w=$WORLD/hostile
	END
	cat >>"$SAVED/agent" <<-'END'
		cat >/dev/null
		printf '{"status": "CONTINUE", "summary": "on"}\n' >"$WISP_STATE_FILE"
		hide() # <command of bash>...
		{
			setsid env -i "$BASH" -c "trap '' TERM HUP INT; $1" "$w" </dev/null >/dev/null 2>&1 &
		}
		above() # <signal>
		{
			local pid=$PPID

			while ((pid > 1)) && [[ $(tr '\0' ' ' <"/proc/$pid/cmdline") == *wisp-agent* ]]; do
				kill "-$1" "$pid"
				pid=$(sed -n 's/^PPid:[^0-9]*//p' "/proc/$pid/status")
			done 2>/dev/null
		}
		hide 'exec -a "$0" sleep 1000'
		case $((WISP_ITERATION % 8)) in
		0) hide '(setsid bash -c "trap \"\" TERM; exec -a \"\$0\" sleep 1000" "$0" &) ; exec -a "$0" sleep 1000' ;;
		1) for ((i = 0; i < 20; i++)); do hide 'exec -a "$0" sleep 1000'; done ;;
		2) hide 'while :; do (setsid bash -c "exec -a \"\$0\" sleep 0.2" "$0" &); sleep 0.02; done' ;;
		3) above STOP ;;
		4) above KILL ;;
		5)
			trap '' TERM HUP INT
			exec -a "$w" sleep 1000
			;;
		6) exec >&- 2>&- </dev/null ;;
		7)
			trap 'hide "exec -a \"\$0\" sleep 1000"' TERM
			sleep 1000 &
			wait
			;;
		esac
	END
}

hostile_round() # <kind>
{
	local starts=0 command

	command=(run work --agent "$WORLD/agent" --tasks ../tasks.json --trust)
	while :; do
		starts=$((starts + 1))
		if ((starts > 40)); then
			lost "it has not come to its limit after $starts starts: $(tail -n 3 "$WORLD/log.loop")"
			break
		fi
		start loop wisp -c retry.delay=0 -c step.timeout=500ms -c step.grace=100ms -c step.linger=0 \
			-c stuck.noProgress=10000 "${command[@]}" --foreground --max-iterations 20 --sandbox "$1"
		if ((RANDOM % 2)); then
			random_wait
			hostile_signal
		fi
		ended loop 600
		hostile_left
		case $CODE in
		13) break ;;
		15 | 16 | 111 | 137 | 143) ;; # what supervises a step was killed, twice in a row with 16
		*)
			lost "the loop ended with $CODE: $(tail -n 3 "$WORLD/log.loop")"
			break
			;;
		esac
		command=(resume work)
	done
	STEPS=$((STEPS + $(in_world wisp-state -C "$WORLD/repo/.wisp/sessions/work" get -f session .totals.agent_calls)))
	check_person
	check_left work
}

# What supervises a step is stopped or killed, both processes of it.
hostile_signal()
{
	local signal=KILL

	((RANDOM % 2)) || signal=STOP
	one_process 'wisp-agent run' | xargs kill "-$signal" || :
	one_process 'wisp-agent run' | xargs kill "-$signal" || :
} 2>/dev/null

# Within 10 s of the loop's end nothing is there that a step has started.
hostile_left()
{
	local end=$((SECONDS + 10)) found

	while found=$(grep -lzFx -- "$WORLD/hostile" /proc/[0-9]*/cmdline 2>/dev/null); do
		if ((SECONDS > end)); then
			left "$(wc -l <<<"$found") processes after the loop ($CODE): $found"
			tr -dc '0-9\n' <<<"$found" | xargs kill -KILL 2>/dev/null || :
			return 0
		fi
		sleep 0.05
	done
}
