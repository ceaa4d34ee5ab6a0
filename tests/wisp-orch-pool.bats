#!/usr/bin/env bats
# One budget over an orchestration and its sub-agents. The rules are unit/pool.c; here
# it is what the turns of several sessions do with it, and what people see.

load helper
load helper-scenario

setup()
{
	make_repo repo
	cd repo || exit 1
	wisp init >/dev/null
	printf '[{"category": "feature", "description": "One", "steps": [], "passes": false}]\n' >../tasks.json
	LOOP='' TOP=$PWD/.wisp/sessions/orch A=$PWD/.wisp/sessions/orch-a B=$PWD/.wisp/sessions/orch-b
	make_session orch
	HOME_OF=$(home orch)
	set_record orch .orchestra '{"parallel": 2}'
	make_session orch-a --parent orch
	make_session orch-b --parent orch
	money 10
}

teardown()
{
	exec 8>&- 9>&-
	[[ -z $LOOP ]] || kill -TERM "$LOOP" 2>/dev/null || :
	helper_teardown
}

make_session() # <branch> [option]...
{
	local branch=$1
	shift

	wisp-session -C ".wisp/sessions/$branch" create --template default --template-dir "$ROOT/templates/default" --agent replay \
		--worktree "$PWD" --tasks ../tasks.json "$@"
}

home() # <branch>
{
	wisp-session place --project "$PWD" --branch "$1" | sed -n 's/^home=//p'
}

value() # <branch> <path in its record>
{
	wisp-state get -f "$(home "$1")/record.json" "$2"
}

set_record() # <branch> <path> <json>
{
	wisp-state set -f "$(home "$1")/record.json" "$2" "$3"
}

pool() # <path>
{
	wisp-state get -f "$HOME_OF/pool.json" "$1"
}

entry() # <branch> <member>
{
	pool ".sessions[\"$(value "$1" .session.session_id)\"].$2"
}

money() # <ceiling>
{
	set_record orch '.config["limits.maxCostUsd"]' "$1"
	wisp-orch -C "$TOP" pool >/dev/null
}

# as_loop FOLDER COMMAND...: where the lock is held, by what calls this.
as_loop()
{
	sh -c 'echo "$PPID host id space home"' >"$(home "${1##*/}")/lock"
	"${@:2}"
}

begin() # <folder>
{
	run as_loop "$1" wisp-state -C "$1" begin --head h --tree t --wait
	((status <= 1))
}

# The step that is open ends: OUTCOME and cost, with what its step.json says more.
ends() # <folder> <outcome> <cost> [more]
{
	local name

	name=$(value "${1##*/}" .step.name)
	printf '{"outcome": "%s", "reason": "", "cost_usd": %s, "duration_s": 1, "promise": false%s}\n' "$2" "$3" "${4-}" \
		>"$1/steps/$name/step.json"
	[[ $2 == limit ]] || printf '{"status": "CONTINUE", "summary": "went on"}\n' >"$1/state.json"
	as_loop "$1" wisp-state -C "$1" ran >/dev/null
	as_loop "$1" turn_record "$1" h t >/dev/null
}

@test "pool: thresholds are those of the orchestration's config, sums stay" {
	run -0 wisp-orch -C "$TOP" pool --parallel 3
	assert_output $'spent_usd=0\nreserved_usd=0\nmax_cost_usd=10'
	assert_equal 3 "$(pool .parallel)"
	assert_equal 100 "$(pool .calls_per_hour)"
	begin "$A"
	ends "$A" ok 1.5
	begin "$A"
	set_record orch '.config["limits.maxCostUsd"]' null
	run -0 wisp-orch -C "$TOP" pool
	assert_output $'spent_usd=1.5\nreserved_usd=2.833333'
	assert_equal 2 "$(pool .parallel)"
	assert_equal null "$(pool .max_cost_usd)"
	run -102 --separate-stderr wisp-orch -C "$A" pool
	assert_stderr "wisp-orch: the session in '$A' is no orchestration"
	run -100 wisp-orch -C "$TOP" pool now
}

@test "pool: a session belongs to its orchestration, and so does the one after it" {
	run -0 wisp-session -C "$A" facts
	assert_contains "$output" 'parent=orch'
	make_session orch-a --replace
	assert_equal orch "$(value orch-a .parent)"
	run -0 wisp-session -C "$TOP" facts
	assert_lacks "$output" parent=
}

@test "pool: each gets a share of what is left; nobody's step is more than that" {
	exec 9>"$(home orch-a)/lock"
	wisp-session own --fd 9
	begin "$A"
	assert_contains "$output" budget=5
	begin "$A"
	assert_contains "$output" budget=5
	begin "$B"
	assert_contains "$output" budget=5
	begin "$TOP"
	assert_contains "$output" 'text=orchestration orch: 5.00 of 10 USD are spent, or were reserved by loops that are gone, and other agents have reserved 5.00'
	ends "$A" ok 4
	ends "$B" ok 6
	assert_equal 4 "$(entry orch-a cost_usd)"
	begin "$A"
	assert_contains "$output" $'exit=13\nreason=max_cost\ntext=orchestration orch: 10.00 of 10 USD are spent'
	money 11
	begin "$A"
	assert_contains "$output" budget=1
}

@test "pool: money that others have reserved is waited for, and people are told so" {
	exec 9>"$(home orch-a)/lock" 8>"$(home orch-b)/lock"
	wisp-session own --fd 9
	wisp-session own --fd 8
	begin "$A"
	begin "$B"
	begin "$TOP"
	assert_contains "$output" $'act=wait\nlimit=money'
	assert_contains "$output" 'text=orchestration orch: 0.00 of 10 USD are spent, and other agents have reserved 10.00'
	assert_contains "$output" "pool=$HOME_OF/pool.json"
	run -0 wisp status orch
	assert_contains "$output" '  waits     money that other agents have reserved'
	run -0 wisp list
	assert_contains "$output" 'waits for money that other agents have reserved'
	run -1 wisp-state -C "$TOP" begin --head h --tree t
	assert_contains "$output" $'exit=14\nreason=reserved'
	run -1 wisp-limit -C "$TOP" check
	assert_contains "$output" limit=reserved
	ends "$A" ok 1
	begin "$TOP"
	assert_contains "$output" $'act=step'
	assert_contains "$output" budget=4
	assert_equal 1 "$(value orch .waits.money)"
	run -0 wisp status orch
	assert_lacks "$output" 'waits'
}

@test "pool: a usage limit that one meets is waited for by all, until a person says otherwise" {
	export WISP_NOW=1768557600000 # 2026-01-16T10:00:00Z
	begin "$A"
	ends "$A" limit 0 ', "limit": {"kind": "five_hour", "resets_at": "2026-01-16T10:30:00Z"}'
	begin "$B"
	assert_contains "$output" $'act=wait\nlimit=usage\nuntil=2026-01-16T10:30:00'
	assert_contains "$output" 'text=orchestration orch: usage limit (five_hour) until 2026-01-16T10:30:00'
	run -0 wisp status orch-b
	assert_contains "$output" '  waits     usage limit of the orchestration: until 2026-01-16T10:30:00+00:00, 30m00s from now'
	run -0 wisp list
	assert_contains "$output" 'waits for the usage limit of the orchestration until 10:30'
	run -0 "$JQ" -r '.waiting | .for, .orchestration' <(wisp status orch-b --json)
	assert_output $'usage\norch'
	run -1 wisp-limit -C "$B" check
	assert_contains "$output" $'limit=usage\nuntil=2026-01-16T10:30:00'
	wisp-limit -C "$B" reset
	begin "$B"
	assert_contains "$output" act=step
	WISP_NOW=$((WISP_NOW + 1800000)) run -0 as_loop "$A" wisp-state -C "$A" begin --head h --tree t --wait
	assert_contains "$output" $'act=step'
	assert_contains "$output" $'attempt=2'
}

@test "pool: the hour of calls is one for all, and a person begins a new one" {
	export WISP_NOW=1768557600000
	set_record orch '.config["limits.callsPerHour"]' 1
	wisp-orch -C "$TOP" pool >/dev/null
	begin "$A"
	begin "$B"
	assert_contains "$output" $'act=wait\nlimit=hourly\nuntil=2026-01-16T11:00:00'
	run -0 wisp status orch-b
	assert_contains "$output" '  waits     hourly limit of calls of the orchestration: until 2026-01-16T11:00:00+00:00'
	wisp-session -C "$B" person new-hour >/dev/null
	begin "$B"
	assert_contains "$output" act=step
}

@test "pool: one that does not hold lets nobody spend, and is made anew of the records" {
	begin "$A"
	ends "$A" ok 2
	make_session orch-a --replace
	begin "$A"
	ends "$A" ok 0.5
	printf '{"version": 1,\n "parallel": "2"}\n' >"$HOME_OF/pool.json"
	run -102 --separate-stderr wisp-state -C "$A" begin --head h --tree t
	assert_stderr "wisp-state: $HOME_OF/pool.json:2:14: pool.parallel: expected a number, not a string: wisp orchestrate --resume makes it anew"
	run -102 wisp-state -C "$A" start --pid 1
	run -102 wisp-limit -C "$A" check
	run -0 wisp status orch-a
	run -0 --separate-stderr wisp-orch -C "$TOP" pool
	assert_output $'spent_usd=2.5\nreserved_usd=0\nmax_cost_usd=10'
	assert_stderr "wisp-orch: $HOME_OF/pool.json:2:14: pool.parallel: expected a number, not a string: made anew of what the sessions' records say; the old one is $HOME_OF/pool.json.bad"
	assert_contains "$(<"$HOME_OF/pool.json.bad")" '"parallel": "2"'
	begin "$A"
	assert_contains "$output" act=step
}

@test "pool: where the orchestration was removed each has limits of its own" {
	rm -r "$HOME_OF"
	begin "$A"
	assert_contains "$output" budget=20
	ends "$A" ok 1
	[[ ! -e $HOME_OF ]]
}

# Guidance ends a wait; the next one lasts until another time.
waits_anew()
{
	wisp-session -C "$A" guide 'mind the gap'
	[[ $(value orch-a .waits.until) != "$first" ]]
}

@test "pool: a loop waits for the others' money, says so once, and goes on when they give it back" {
	local i first

	scenario_new
	scenario_step default --pass 1 --status DONE --promise
	exec 9>"$(home orch-b)/lock" 8>"$(home orch)/lock"
	wisp-session own --fd 9
	wisp-session own --fd 8
	begin "$B"
	begin "$TOP"
	wisp run orch-a --foreground --wait >../out 2>&1 </dev/null 3>&- 8>&- 9>&- &
	LOOP=$!
	wait_until 20 grep -q '^wisp: waiting: orchestration orch: 0.00 of 10 USD are spent' ../out
	first=$(value orch-a .waits.until)
	wait_until 20 waits_anew
	ends "$B" ok 1
	wait_until 60 gone "$LOOP"
	i=0
	wait "$LOOP" || i=$?
	LOOP=''
	assert_equal 0 "$i"
	assert_equal 1 "$(grep -c '^wisp: waiting' ../out)"
	assert_equal null "$(entry orch-a reserved_usd)"
}
