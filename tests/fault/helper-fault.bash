# What the tests of faults share; `load helper-fault` after `load ../helper`.
#
#	world_home		# a session of a repository, with its record under WISP_HOME
#	world_plain		# a folder of no session, used by a script
#	world_save NAME		# keeps all of it, world_load NAME puts it back
#	step_ends [COST]	# what agent and supervisor leave: task 2 passes, a valid state.json, a whole step.json
#
# Each sets DIR (the session's folder), RECORD (its record.json) and WORLD (all that is kept).

readonly TASKS='[
  {"id": "a", "category": "test", "description": "One", "steps": [], "passes": true},
  {"id": "b", "category": "test", "description": "Two", "steps": [], "passes": false},
  {"id": "c", "category": "docs", "description": "Three", "steps": [], "passes": false}
]'

world_home()
{
	WORLD=$BATS_TEST_TMPDIR/world
	rm -rf "$WORLD"
	mkdir -p "$WORLD"
	export WISP_HOME=$WORLD/home
	make_repo "$WORLD/repo"
	printf '%s\n' "$TASKS" >"$WORLD/list.json"
	DIR=$WORLD/repo/.wisp/sessions/work
	printf '[limits]\n\tmaxIterations = 90\n' >"$WORLD/repo/.wisp.config"
	wisp-session -C "$DIR" create --template default --template-dir "$ROOT/templates/default" --agent replay \
		--worktree "$WORLD/repo" --tasks "$WORLD/list.json"
	mv "$WORLD/repo/.wisp.config" "$WORLD/repo/.wisp/config"
	RECORD=$(echo "$WISP_HOME"/*/work/record.json)
	wisp-session -C "$DIR" renew
	wisp-state -C "$DIR" start --pid $$ >/dev/null
	step_whole
}

world_plain()
{
	WORLD=$BATS_TEST_TMPDIR/world
	rm -rf "$WORLD"
	DIR=$WORLD/folder
	mkdir -p "$DIR"
	printf '%s\n' "$TASKS" >"$WORLD/list.json"
	wisp-state -C "$DIR" init --tasks "$WORLD/list.json" >/dev/null
	RECORD=$DIR/record.json
	step_whole
}

# A step that was recorded: there is a past to lose.
step_whole()
{
	wisp-state -C "$DIR" begin --head h0 --tree t0 >/dev/null
	step_ends 0.25 none
	wisp-state -C "$DIR" ran >/dev/null
	turn_record "$DIR" h1 t1 >/dev/null
}

# Sets REPLY to the file that holds what is known: the record, or what the open step noted over just that one.
record_file() # <record.json>
{
	local now=${1%.json}.now.json

	REPLY=$1
	if [[ -e $now && $(wisp-state get -f "$now" .base) == *"$(sha256sum <"$1" | cut -d' ' -f1)"* ]]; then
		REPLY=$now
	fi
}

value() # <path in the record>
{
	record_file "$RECORD"
	wisp-state -C "$DIR" get -f "$REPLY" "$1"
}

step_ends() # [cost] [none: no task passes]
{
	local step

	step=$DIR/steps/$(value .step.name)
	printf '{"outcome": "ok", "reason": "", "cost_usd": %s, "duration_s": 1, "promise": false, "tokens": {"input": 10, "output": 5}}\n' \
		"${1:-0.25}" >"$step/step.json"
	printf '{"status": "CONTINUE", "summary": "went on"}\n' >"$DIR/state.json"
	if [[ -z ${2-} ]]; then
		sed '3s/false/true/' "$DIR/tasks.json" >"$step/tasks.json"
		mv "$step/tasks.json" "$DIR/tasks.json"
	fi
}

world_save()
{
	rm -rf "$BATS_TEST_TMPDIR/saved.$1"
	cp -Rp "$WORLD" "$BATS_TEST_TMPDIR/saved.$1"
}

world_load()
{
	rm -rf "$WORLD"
	cp -Rp "$BATS_TEST_TMPDIR/saved.$1" "$WORLD"
}

# The preloaded library, by a path that holds no blank: LD_PRELOAD takes those for ends of names.
shim()
{
	ln -sf "$WISP_BUILD/fault/shim.so" "$BATS_TEST_TMPDIR/shim.so"
	printf '%s' "$BATS_TEST_TMPDIR/shim.so"
}

# Runs a program with the K-th of its calls failing as WHAT says. Sets STATUS, ERRORS (what it said), CALL (empty:
# it made fewer calls).
with_fault() # <k> <what> COMMAND...
{
	local k=$1 what=$2 log=$BATS_TEST_TMPDIR/calls
	shift 2

	rm -f "$log"
	STATUS=0
	env LD_PRELOAD="$(shim)" ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 \
		FAULT_AT="$k" FAULT_DO="$what" FAULT_LOG="$log" ${FULL:+FAULT_FULL=1} "$@" \
		>"$BATS_TEST_TMPDIR/said" 2>"$BATS_TEST_TMPDIR/errors" || STATUS=$?
	ERRORS=$(<"$BATS_TEST_TMPDIR/errors")
	CALL=$(sed -n "${k}p" "$log" 2>/dev/null) || CALL=''
}

# No temporary of a writer lies anywhere.
assert_no_litter()
{
	local found

	found=$(find "$WORLD" -name '.*.wisp-*')
	[[ -z $found ]] || fail "litter: $found"
}

# Every file that wisp owns holds what it should, and the record as well.
assert_whole()
{
	local found

	found=$(wisp-state -C "$DIR" check 2>&1) || fail "not whole: $found"
	wisp-state -C "$DIR" get -f "$RECORD" .version >/dev/null || fail "the record is torn"
}
