# step.bash: what a step costs that does not go well, or prints much. Sourced by run.

# agent NAME: a shell script from stdin, in $TMP/step.
agent()
{
	{
		printf '#!/bin/sh\n'
		cat
	} >"$TMP/step/$1"
	chmod +x "$TMP/step/$1"
}

tree_agents()
{
	agent obedient <<'END'
echo >up
exec sleep 1000
END
	agent deaf <<'END'
trap "" TERM
echo >up
while :; do sleep 1000; done
END
	agent daemons <<'END'
(setsid sh -c '(setsid sh -c "trap \"\" TERM HUP; echo >up; while :; do sleep 1000; done" &) &' >/dev/null 2>&1 </dev/null &)
exec sleep 1000
END
	# Each of the 50 puts another in its place, in a session of its own, all the time.
	agent again <<'END'
trap "" TERM HUP
sleep 0.05
setsid ./again "$@" >/dev/null 2>&1 </dev/null &
END
	agent respawn <<'END'
i=0
while [ $i -lt 50 ]; do
	setsid ./again "bench-$PPID" >/dev/null 2>&1 </dev/null &
	i=$((i + 1))
done
echo >up
exec sleep 1000
END
}

# end_of AGENT: from TERM to the return of the supervisor, in microseconds; nothing may be left then.
end_of()
{
	local pid n

	rm -f "$TMP/step/up" "$TMP/end"
	export WISP_BENCH_LOG=$TMP/end WISP_BENCH_FILE=''
	(cd "$TMP/step" && exec wisp-agent run --keep-env --grace 1s --log log --result step.json -- "./$1") &
	pid=$!
	for ((n = 0; n < 200; n++)); do
		[[ ! -e $TMP/step/up ]] || break
		sleep 0.05
	done
	"$BUILD/bench/null"
	kill -TERM "$pid"
	wait "$pid"
	"$BUILD/bench/null"
	for n in /proc/[0-9]*; do
		if [[ $n -ef /proc/$BASHPID ]]; then # bash 3.2: has no /proc where it matters
			continue
		fi
		[[ ! $n/cwd -ef $TMP/step ]] || {
			say "left by $1: $(tr '\0' ' ' <"$n/cmdline")"
			exit 1
		}
	done
	median 0 2 <"$TMP/end"
}

bench_tree()
{
	local name what n times

	say "ending process trees"
	mkdir -p "$TMP/step"
	tree_agents
	for name in obedient deaf daemons respawn; do
		case $name in
		obedient) what='an agent that ends by TERM' ;;
		deaf) what='TERM ignored, grace 1 s' ;;
		daemons) what='deaf daemons, grace 1 s' ;;
		respawn) what='50 that start each other anew, grace 1 s' ;;
		esac
		times=''
		for ((n = 0; n < 5; n++)); do
			times+=$(end_of "$name")$'\n'
		done
		row "TERM to all gone: $what" "$(ms "$(sort -n <<<"${times%$'\n'}" | sed -n 3p)")" \
			"$([[ $name == obedient ]] && echo '1000 ms' || echo '2000 ms')"
	done
}

peak_agents()
{
	agent line <<'END'
printf '{"type":"user","message":{"content":[{"type":"tool_result","content":"'
head -c 67108864 /dev/zero | tr '\0' y
printf '"}]}}\n'
END
	agent lines <<'END'
yes '{"type":"assistant","message":{"content":[{"type":"text","text":"a line of some length"}]}}' | head -n 1000000
END
	agent output <<'END'
text=$(head -c 80000 /dev/zero | tr '\0' t)
yes "{\"type\":\"user\",\"message\":{\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"content\":\"$text\"}]}}" | head -c 500000000
END
}

bench_peak()
{
	local name what us kb

	say "memory of the supervisor"
	mkdir -p "$TMP/step"
	peak_agents
	for name in line lines output; do
		case $name in
		line) what='64 MiB in one line' ;;
		lines) what='a million lines' ;;
		output) what='500 MB of tool output' ;;
		esac
		read -r us kb cpu < <("$BUILD/bench/measure" 3 wisp-agent run --keep-env --format claude --log "$TMP/step/log" \
			--result "$TMP/step/step.json" -- "$TMP/step/$name")
		rm -f "$TMP/step/log"
		row "peak memory of a step, $what" "$(awk -v us="$us" -v kb="$kb" 'BEGIN { printf "%.1f MB, in %.1f s", kb / 1024, us / 1000000 }')" "8 MB"
	done
}
