# counts.bash: how much an iteration starts, forks, reads and writes. Sourced by run.
#
# What is counted, the figure to reach, and the ceiling: what it was when it was counted last. More fails. Whoever makes
# it less lowers the ceiling in the same commit, until the two are one figure.
counted()
{
	cat <<'END'
start   programs  20  23
start   forks     0   1
idle    programs  9   8
idle    forks     0   0
idle    reads     6   5
idle    writes    2   2
idle    syncs     2   2
commit  programs  13  13
commit  forks     0   0
commit  reads     6   6
commit  writes    2   2
commit  syncs     2   2
leave   programs  16  15
leave   forks     0   0
leave   reads     6   6
leave   writes    2   2
leave   syncs     2   2
END
}

readonly TRACED=4

# trace KIND: a run of TRACED iterations with an agent that claims nothing, commits, or leaves its work; in $TMP/trace.
trace()
{
	local rc=0

	[[ -d $TMP/counts ]] || make_repo "$TMP/counts" 100
	export WISP_HOME=$TMP/home.$1 WISP_BENCH_LOG=$TMP/log WISP_BENCH_FILE=d0/f0 WISP_BENCH_KIND=$1
	[[ $1 != idle ]] || WISP_BENCH_KIND=''
	many_tasks 10 >"$TMP/ten.json"
	(cd "$TMP/counts" && strace -f -q -y -s 4096 --seccomp-bpf -e signal=none \
		-e trace=execve,fork,vfork,clone,clone3,open,openat,rename,renameat,renameat2,fsync,fdatasync,syncfs -o "$TMP/trace" \
		wisp -c verify.command='true bench-verify' -c stuck.noProgress=1000 -c stuck.sameFiles=1000 \
		-c stuck.returningTree=1000 run --agent "$BUILD/bench/null" --tasks "$TMP/ten.json" --branch "count/$1" \
		--max-iterations "$TRACED") >"$TMP/out" 2>&1 || rc=$?
	((rc == 13)) || {
		cat "$TMP/out" >&2
		exit 1
	}
}

# of_trace KIND: of each thing that is counted, the median of its iterations, which are alike, as `KIND NAME COUNT`.
of_trace()
{
	awk -v agent="$BUILD/bench/null" -f "$ROOT/tests/bench/counts.awk" "$TMP/trace" | sort -k1,1 -k3,3n |
		awk -v kind="$1" '{ if (kind == "start" ? $2 == 0 : $2 > 0) value[$1, ++n[$1]] = $3 }
			END { for (name in n) print kind, name, value[name, int((n[name] + 1) / 2)] }'
}

words_of()
{
	case $1 in
	programs) echo 'programs' ;;
	forks) echo 'forks of bash that start none' ;;
	reads) echo 'record.json read' ;;
	writes) echo 'record.json written' ;;
	syncs) echo 'record.json synced' ;;
	start) echo 'from wisp run to the first step' ;;
	idle) echo 'an iteration that claims nothing' ;;
	commit) echo 'one whose agent commits' ;;
	leave) echo 'one whose work wisp commits' ;;
	esac
}

# Fails above a ceiling, when all are printed.
bench_counts()
{
	local kind name target ceiling count

	if ! command -v strace >/dev/null; then
		row 'programs, forks, the record' 'strace is not here' '-'
		return 0
	fi
	say 'programs, forks, the record'
	: >"$TMP/counted"
	for kind in idle commit leave; do
		trace "$kind"
		of_trace "$kind" >>"$TMP/counted"
		[[ $kind != idle ]] || of_trace start >>"$TMP/counted"
	done
	while read -r kind name target ceiling; do
		count=$(awk -v kind="$kind" -v name="$name" '$1 == kind && $2 == name { print $3 }' "$TMP/counted")
		row "$(words_of "$name"), $(words_of "$kind")" "$count" "$target"
		if ((count > ceiling)); then
			FAILED+="$kind $name: $count, more than the ceiling of $ceiling (tests/bench/counts.bash)"$'\n'
		elif ((count < ceiling)); then
			say "$kind $name: $count, the ceiling of $ceiling can be lowered (tests/bench/counts.bash)"
		fi
	done < <(counted)
}

# What happens in one iteration of each kind, in order, as the kernel saw it.
bench_events()
{
	local kind

	for kind in idle commit leave; do
		trace "$kind"
		if [[ $kind == idle ]]; then
			printf '\n## start\n'
			events 0
		fi
		printf '\n## %s\n' "$kind"
		events $((TRACED - 1))
	done
}

# The same of an iteration whose work wisp commits, as the table that docs/architecture.md has.
bench_table()
{
	trace leave
	printf '\n| program | reads | replaces |\n|---|---|---|\n'
	events $((TRACED - 1)) -v table=1
}

events() # <iteration> <awk option>...
{
	awk "${@:2}" -v agent="$BUILD/bench/null" -v top="$TMP" -v events="$1" -f "$ROOT/tests/bench/counts.awk" "$TMP/trace"
}
