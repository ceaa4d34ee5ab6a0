# orchestra.bash: what it costs to watch eight agents. Sourced by run.
#
# They run without tmux, as children of the orchestrator; what they are and start is not counted with it.

readonly AGENTS=8 WATCHED_FOR=10

# The orchestrator's own steps leave what they are to leave; the agents of the systems print a line a second for
# the time that their step takes, and have then done nothing.
orchestra_agent()
{
	local i systems='' plans=''

	for ((i = 1; i <= AGENTS; i++)); do
		systems+="${systems:+, }{\"name\": \"s$i\", \"type\": \"none\", \"priority\": \"low\", \"parallelizable\": true, \"estimatedHours\": 1}"
		plans+="${plans:+, }{\"name\": \"s$i\", \"tasks\": [{\"category\": \"feature\", \"description\": \"never\", \"steps\": [], \"passes\": false}]}"
	done
	echo "{\"gaps\": [], \"systems\": [$systems]}" >"$ORCHESTRA/discovery.json"
	echo "{\"systems\": [$plans]}" >"$ORCHESTRA/plan.json"
	cat >"$ORCHESTRA/agent" <<END
#!/bin/sh
case \$WISP_SESSION_DIR in
*-s[0-9])
	i=0
	while [ \$i -lt "\$(cat "$ORCHESTRA/step")" ]; do
		echo at work
		sleep 1
		i=\$((i + 1))
	done
	;;
*)
	[ -e "\$WISP_SESSION_DIR/SCOPE-DISCOVERY.md" ] && left=plan || left=discovery
	cp "$ORCHESTRA/\$left.json" "\$WISP_SESSION_DIR/"
	;;
esac
exec "$BUILD/bench/null"
END
	chmod +x "$ORCHESTRA/agent"
}

# orchestra_begin BRANCH SECONDS: returns once all are at work, in steps that take so long; sets ORCHESTRATOR and ORCHESTRATION.
orchestra_begin()
{
	local n

	ORCHESTRATION=$ORCHESTRA/repo/.wisp/sessions/$1
	export WISP_HOME=$ORCHESTRA/home
	echo "$2" >"$ORCHESTRA/step"
	(cd "$ORCHESTRA/repo" && exec env PATH="$ROOT/bin:$BUILD:$ORCHESTRA/bin" wisp -c stuck.noProgress=1000000 \
		-c stuck.sameFiles=1000000 -c stuck.returningTree=1000000 -c limits.callsPerHour=1000000 -c limits.maxIterations=1000000 -c checkpoint.save=false \
		orchestrate --branch "$1" --agent "$ORCHESTRA/agent" --yes --foreground --parallel "$AGENTS") >"$TMP/out" 2>&1 </dev/null &
	ORCHESTRATOR=$!
	for ((n = 0; n < 1200; n++)); do
		[[ $(wisp-state query -f "$ORCHESTRATION/loop-state.json" '[.subAgents[] | select(.status == "running")] | length' \
			2>/dev/null) != "$AGENTS" ]] || return 0
		kill -0 "$ORCHESTRATOR" 2>/dev/null || break
		sleep 0.05
	done
	cat "$TMP/out" >&2
	orchestra_end
	exit 1
}

orchestra_end()
{
	kill -TERM "$ORCHESTRATOR" 2>/dev/null || true
	wait "$ORCHESTRATOR" || true
}

# pss PID...: in kB
pss()
{
	local pid kb=0

	for pid; do
		[[ ! -r /proc/$pid/smaps_rollup ]] || kb=$((kb + $(awk '/^Pss:/ { print $2 }' "/proc/$pid/smaps_rollup" 2>/dev/null || echo 0)))
	done
	echo "$kb"
}

# below PID: the processes below it
below()
{
	ps -e -o pid= -o ppid= | awk -v top="$1" '{ of[$1] = $2 } END { for (p in of) { for (q = p; q in of && q != top; q = of[q]); if (q == top && p != top) print p } }'
}

# The orchestrator itself while it waits: bash and its wisp-wait; its agents' loops are its children as well. The median of some looks.
orchestra_memory()
{
	local n pid children own

	for ((n = 0; n < 21; n++)); do
		own=("$ORCHESTRATOR")
		read -r -a children <"/proc/$ORCHESTRATOR/task/$ORCHESTRATOR/children"
		for pid in "${children[@]}"; do
			[[ $(cat "/proc/$pid/comm" 2>/dev/null) != wisp-wait ]] || own+=("$pid")
		done
		pss "${own[@]}"
		sleep 0.1
	done | sort -n | sed -n 11p
}

# What the orchestrator starts from now on; its agents' loops are there already, and strace follows none that was.
orchestra_programs()
{
	local tracer

	strace -f -qq -e trace=execve -e signal=none -o "$ORCHESTRA/trace" -p "$ORCHESTRATOR" 2>/dev/null &
	tracer=$!
	sleep "$WATCHED_FOR"
	if ! kill -INT "$tracer"; then
		say "the orchestrator has ended: $(tail -n 1 "$TMP/out")"
		return 1
	fi
	wait "$tracer" || true
	awk -v s="$WATCHED_FOR" '/execve\(.*= 0$/ && !seen[$1]++ { count++ } END { printf "%.1f", count / s }' "$ORCHESTRA/trace"
}

bench_orchestra()
{
	local us kb programs

	say "an orchestrator and $AGENTS agents"
	ORCHESTRA=$TMP/orchestra
	mkdir -p "$ORCHESTRA/bin"
	ln -s /bin/* /usr/bin/* "$ORCHESTRA/bin" 2>/dev/null || true
	rm -f "$ORCHESTRA/bin/tmux"
	make_repo "$ORCHESTRA/repo" 100
	orchestra_agent
	orchestra_begin bench/long 1000
	row "memory of an idle orchestrator (bash and wisp-wait, PSS)" "$(awk -v kb="$(orchestra_memory)" 'BEGIN { printf "%.1f MB", kb / 1024 }')" "10 MB"
	# shellcheck disable=SC2046 # a word each
	row "all of it: $AGENTS loops, their supervisors and agents (sh)" \
		"$(awk -v kb="$(pss "$ORCHESTRATOR" $(below "$ORCHESTRATOR"))" 'BEGIN { printf "%.1f MB", kb / 1024 }')" "-"
	read -r us kb cpu < <("$BUILD/bench/measure" 51 wisp-orch -C "$ORCHESTRATION" observe)
	row "wisp-orch observe, $AGENTS agents" "$(ms "$us")" "-"
	read -r us kb cpu < <("$BUILD/bench/measure" 51 wisp-orch -C "$ORCHESTRATION" next)
	row "wisp-orch next, $AGENTS agents" "$(ms "$us")" "-"
	if ! command -v strace >/dev/null; then
		row "programs started while $AGENTS agents are at work" "strace is not here" "-"
		orchestra_end
		return 0
	fi
	programs=$(orchestra_programs) || {
		orchestra_end
		exit 1
	}
	orchestra_end
	row "programs started while $AGENTS agents are at work" "$programs/s" "-"
	orchestra_begin bench/short 0
	programs=$(orchestra_programs) || {
		orchestra_end
		exit 1
	}
	orchestra_end
	row "the same, their steps taking no time" "$programs/s" "-"
}
