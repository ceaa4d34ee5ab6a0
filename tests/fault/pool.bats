#!/usr/bin/env bats
# Two agents of an orchestration share a budget. Each call by which a turn of the one changes files
# fails, or kills it, once; the other goes on meanwhile. Whatever comes between pool
# and record: what was spent and what may still be spent is never more than the ceiling.

load ../helper
load helper-fault

CEILING=1

teardown()
{
	[[ -n ${BATS_TEST_COMPLETED-} ]] || printf 'with: %s\n' "${FAULT-}"
	helper_teardown
}

world_pool()
{
	local branch

	WORLD=$BATS_TEST_TMPDIR/world
	mkdir -p "$WORLD"
	export WISP_HOME=$WORLD/home
	make_repo "$WORLD/repo"
	printf '%s\n' "$TASKS" >"$WORLD/list.json"
	for branch in orch orch-a orch-b; do
		wisp-session -C "$WORLD/repo/.wisp/sessions/$branch" create --template default --template-dir "$ROOT/templates/default" \
			--agent replay --worktree "$WORLD/repo" --tasks "$WORLD/list.json" ${PARENT:+--parent "$PARENT"}
		PARENT=orch
	done
	at orch
	wisp-state set -f "$RECORD" .orchestra '{"parallel": 2}'
	wisp-state set -f "$RECORD" '.config["limits.maxCostUsd"]' "$CEILING"
	wisp-orch -C "$DIR" pool >/dev/null
	at orch-a
}

at() # <branch>
{
	DIR=$WORLD/repo/.wisp/sessions/$1
	RECORD=$(echo "$WISP_HOME"/*/"$1"/record.json)
}

# Sets SPENT and ALLOWED, in millionths of a dollar: what the steps cost, and what those that are open may cost,
# by the records.
add_up()
{
	local record value

	SPENT=0 ALLOWED=0
	for record in "$WISP_HOME"/*/orch*/record.json; do
		record_file "$record"
		record=$REPLY
		value=$(wisp-state get -f "$record" .session.totals.cost_usd)
		printf -v value '%.0f' "${value}e6"
		SPENT=$((SPENT + value))
		value=$(wisp-state get -f "$record" .step)
		[[ $value == *'"reserved_usd": '[0-9]* ]] || continue
		value=${value#*'"reserved_usd": '}
		printf -v value '%.0f' "${value%%[!0-9.]*}e6"
		ALLOWED=$((ALLOWED + value))
	done
}

assert_ceiling()
{
	add_up
	((SPENT + ALLOWED <= CEILING * 1000000)) || fail "spent $SPENT and allowed $ALLOWED of ${CEILING}000000"
}

# Both go on until nothing is left, each step costing what it may.
spend_all()
{
	local branch budget answer stops=0 rounds=0

	while ((stops < 2)); do
		rounds=$((rounds + 1)) stops=0
		((rounds < 40)) || fail "it never ends"
		for branch in orch-b orch-a; do
			at "$branch"
			answer=$(wisp-state -C "$DIR" begin --head h --tree t) || (($? == 1)) || fail "begin: $answer"
			assert_ceiling
			case $answer in
			*act=step*)
				budget=${answer##*budget=}
				step_ends "${budget%%[!0-9.]*}" none
				;;
			*act=judge*) ;;
			*exit=13*)
				stops=$((stops + 1))
				continue
				;;
			*) fail "$answer" ;;
			esac
			wisp-state -C "$DIR" ran >/dev/null || fail "ran: $?"
			assert_ceiling
			turn_record "$DIR" h t >/dev/null || fail "record: $?"
		done
	done
	add_up
	((SPENT > CEILING * 500000)) || fail "money was lost: spent $SPENT of ${CEILING}000000"
}

# each_call SAVED COMMAND...: killed at each of its calls; those that are the pool's are refused as well. Sets FAULTS.
each_call()
{
	local saved=$1 k=0 what
	shift

	trap - DEBUG # by which bats follows each line: thousands of them
	FAULTS=0
	while :; do
		k=$((k + 1))
		for what in kill ENOSPC; do
			[[ $what == kill || $CALL == *pool* ]] || continue
			world_load "$saved"
			with_fault "$k" "$what" "$@"
			FAULT="$what at call ${CALL:-beyond the last}: $STATUS $ERRORS"
			[[ -n $CALL ]] || return 0
			FAULTS=$((FAULTS + 1))
			assert_ceiling
			"${AFTER:-:}"
			spend_all
			assert_no_litter
			at orch-a
		done
	done
}

@test "pool faults: begin" {
	world_pool
	world_save ready
	each_call ready wisp-state -C "$DIR" begin --head h --tree t
	((FAULTS > 20)) || fail "$FAULTS calls"
}

@test "pool faults: ran, with a step of the other's under way" {
	local answer

	world_pool
	at orch-b
	wisp-state -C "$DIR" begin --head h --tree t >/dev/null
	step_ends 0.5 none
	at orch-a
	answer=$(wisp-state -C "$DIR" begin --head h --tree t)
	assert_contains "$answer" budget=0.25
	step_ends 0.25 none
	world_save open
	each_call open wisp-state -C "$DIR" ran
	((FAULTS > 10)) || fail "$FAULTS calls"
}

lost_again()
{
	at orch-a
	wisp-state -C "$DIR" start --pid $$ >/dev/null || fail "start: $?"
	assert_ceiling
}

@test "pool faults: start, after a step that was lost" {
	world_pool
	wisp-state -C "$DIR" begin --head h --tree t >/dev/null
	step_ends 0.125 none
	wisp-state -C "$DIR" ran >/dev/null
	turn_record "$DIR" h t >/dev/null
	wisp-state -C "$DIR" begin --head h --tree t >/dev/null
	world_save lost
	AFTER=lost_again each_call lost wisp-state -C "$DIR" start --pid $$
	((FAULTS > 10)) || fail "$FAULTS calls"
}
