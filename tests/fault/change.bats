#!/usr/bin/env bats
# Every call by which a changed task list is asked for, proposed and taken kills
# the program once: the next start goes on, the list is the old one or the new
# one, and none is lost (shim.c).

load ../helper
load helper-fault

teardown()
{
	[[ -n ${BATS_TEST_COMPLETED-} ]] || printf 'with: %s\n' "${FAULT-}"
	helper_teardown
}

readonly NEW='[
  {"id": "a", "category": "test", "description": "One", "steps": [], "passes": true},
  {"id": "c", "category": "docs", "description": "Three", "steps": [], "passes": false},
  {"id": "d", "category": "docs", "description": "Four", "steps": [], "passes": false}
]'

setup()
{
	world_home
	trap - DEBUG # by which bats follows each line
	printf 'the new spec\n' >"$WORLD/spec"
	ASK=(wisp-session -C "$DIR" change ask --kind update --spec spec --file "$WORLD/spec")
	world_save before
}

# The step is begun, and the agent has left a new list.
stepped()
{
	"${ASK[@]}" >/dev/null
	wisp-state -C "$DIR" begin --plan update --head h1 --tree t1 >/dev/null
	step_ends 0.25 none
	printf '%s\n' "$NEW" >"$DIR/tasks.json"
}

judged()
{
	wisp-state -C "$DIR" ran >/dev/null
	turn_record "$DIR" h1 t1 >/dev/null
}

# each_death SAVED MIN CHECK COMMAND...: for every k, from the world SAVED, COMMAND dies at its k-th call; then CHECK.
each_death()
{
	local saved=$1 min=$2 check=$3 k=0
	shift 3

	while :; do
		k=$((k + 1))
		world_load "$saved"
		with_fault "$k" kill "$@"
		FAULT="death at call ${CALL:-beyond the last}: $STATUS $ERRORS"
		[[ -n $CALL ]] || break
		assert_equal 137 "$STATUS"
		assert_whole
		"$check" "$@"
	done
	assert_equal 0 "$STATUS"
	((k > min)) || fail "$k calls"
}

is_old()
{
	assert_equal "$TASKS" "$(<"$DIR/tasks.json")"
}

is_new()
{
	assert_equal "$NEW" "$(<"$DIR/tasks.json")"
	assert_equal null "$(value .change)"
	assert_equal 1 "$(grep -c removed_at "$RECORD")"
	assert_equal spec "$(value .session.spec)"
	assert_no_litter
}

asked()
{
	is_old
	assert_contains "$("$@")" act=asked
	assert_equal asked "$(value .change.stage)"
}

# As a start and a person after it do.
proposed()
{
	wisp-state -C "$DIR" start --pid $$ >/dev/null
	judged
	is_old
	assert_equal proposed "$(value .change.stage)"
	assert_contains "$(wisp-session -C "$DIR" change take)" act=taken
	is_new
}

taken()
{
	wisp-state -C "$DIR" start --pid $$ >/dev/null
	if [[ $(value .change) != null ]]; then
		is_old
		wisp-session -C "$DIR" change take >/dev/null
	fi
	is_new
}

@test "faults: a change is asked for" {
	each_death before 5 asked "${ASK[@]}"
}

@test "faults: the list that a change step left is looked at" {
	stepped
	world_save stepped
	each_death stepped 8 proposed wisp-state -C "$DIR" ran
}

@test "faults: a change is taken" {
	stepped
	judged
	world_save judged
	each_death judged 8 taken wisp-session -C "$DIR" change take
}

@test "faults: lost with its controller, a change step is due again and the list is as it was" {
	stepped
	rm "$DIR/steps/0002/step.json"
	assert_contains "$(wisp-state -C "$DIR" start --pid $$)" change_stage=asked
	is_old
}
