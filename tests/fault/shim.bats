#!/usr/bin/env bats
# Every call by which wisp changes files fails, or kills it, once: for each of
# them what is there is whole afterwards, the next call goes on, nothing is done
# twice, and nobody is accused of tampering (shim.c).

load ../helper
load helper-fault

teardown()
{
	[[ -n ${BATS_TEST_COMPLETED-} ]] || printf 'with: %s\n' "${FAULT-}"
	helper_teardown
}

ERRNOS=(ENOSPC EIO EACCES)
DEATHS=(exit kill)
COSTS=(0 0.25 0.5 0.75) # after so many steps

# each_fault SAVED CHECK COMMAND...: for every k, from the world SAVED, COMMAND with its k-th call failing, then with
# death at it; then CHECK. At least MIN calls must have been made, and some must have been refused with 111.
each_fault()
{
	local saved=$1 check=$2 k=0 what refused=0 whole=''
	shift 2

	trap - DEBUG # by which bats follows each line: thousands of them

	while [[ -z $whole ]]; do
		k=$((k + 1))
		for what in "${ERRNOS[k % 3]}" "${DEATHS[k % 2]}"; do
			world_load "$saved"
			with_fault "$k" "$what" "$@"
			FAULT="$what at call ${CALL:-beyond the last}: $STATUS $ERRORS"
			if [[ -z $CALL ]]; then
				whole=yes
				assert_equal 0 "$STATUS"
				break
			fi
			judge_fault "$what"
			((STATUS != 111)) || refused=$((refused + 1))
			assert_whole
			"$check" "$@"
		done
	done
	((k > MIN && refused > 2)) || fail "$*: $k calls, $refused refused"
}

# Death is death; a refusal is told with the name of what it was about; what is harmless is passed over.
judge_fault() # <what>
{
	case $1:$STATUS in
	exit:99 | kill:137) ;;
	E*:111) [[ $ERRORS == wisp-*": "*"'"/*"'"* && $ERRORS != *$'\n'* ]] ;;
	E*:0) [[ -z $ERRORS ]] ;;
	*) false ;;
	esac
}

# The same call again goes on; then no litter is left, and all the rest is as if nothing had been.
again()
{
	local out

	out=$("$@" 2>&1) || fail "the next call: $? $out"
	assert_no_litter
	assert_whole
}

# The step ends: nothing is called tampering, and nothing was lost or done twice.
assert_step() # <iteration>
{
	local tampered

	step_ends
	wisp-state -C "$DIR" ran >/dev/null || fail "ran: $?"
	tampered=$(value .step.tampered)
	[[ $tampered == '[]' ]] || fail "called tampering: $tampered"
	assert_equal "$1" "$(value .step.iteration)"
	turn_record "$DIR" h2 t2 >/dev/null || fail "record: $?"
	assert_totals "$1"
}

assert_totals() # <iterations>
{
	local want have

	assert_equal "$1" "$(value .session.totals.agent_calls)"
	assert_equal "$1" "$(value .session.loop_count)"
	assert_equal "$1" "$(grep -c '"iteration":' "$DIR/history.json")"
	assert_equal "${COSTS[$1]}" "$(value .session.totals.cost_usd)"
	want=$(value .session) have=$(<"$DIR/session.json")
	assert_equal "${want//[[:space:]]/}" "${have//[[:space:]]/}"
}

assert_tasks() # <passed> <total>
{
	assert_equal "passed=$1"$'\n'"total=$2" "$(wisp-tasks -C "$DIR" count)"
}

# --- begin -----------------------------------------------------------------

# What waits to be applied: guidance and a task.
ask_things()
{
	local requests=${RECORD%/*}/requests

	mkdir -p "$requests"
	printf '{"verb": "guide", "text": "mind the gap", "at": "2026-01-16T10:00:00Z"}\n' >"$requests/0000000000001-0000001.json"
	printf '{"verb": "tasks", "at": "2026-01-16T10:00:00Z", "change": {"op": "add", "add": %s}}\n' \
		'{"category": "docs", "description": "Four", "steps": [], "passes": false}' >"$requests/0000000000002-0000001.json"
}

check_begin()
{
	again "$@"
	assert_tasks 1 4
	assert_equal 1 "$(grep -c '"kind": "guidance"' "$RECORD")"
	assert_equal 0002 "$(value .step.name)"
	assert_step 2
	wisp-state -C "$DIR" begin --head h2 --tree t2 >/dev/null
	assert_equal '' "$(find "${RECORD%/*}/requests" -type f)"
	assert_tasks 2 4
}

begin_faults()
{
	ask_things
	world_save ready
	each_fault ready check_begin wisp-state -C "$DIR" begin --head h1 --tree t1
}

@test "faults: begin, a session" {
	world_home
	MIN=20 begin_faults
}

@test "faults: begin, a folder of no session" {
	world_plain
	MIN=20 begin_faults
}

# --- ran, record -----------------------------------------------------------

open_step()
{
	wisp-state -C "$DIR" begin --head h1 --tree t1 >/dev/null
	step_ends
	world_save open
}

check_record()
{
	again "$@"
	assert_totals 2
	assert_equal '[]' "$(value .step.tampered)"
	assert_tasks 2 3
	wisp-state -C "$DIR" begin --head h2 --tree t2 >/dev/null
	assert_step 3
}

@test "faults: record, a session" {
	world_home
	open_step
	MIN=30 each_fault open check_record wisp-state -C "$DIR" record --verify passed --head h2 --tree t2
}

@test "faults: record, a folder of no session" {
	world_plain
	open_step
	MIN=30 each_fault open check_record wisp-state -C "$DIR" record --verify passed --head h2 --tree t2
}

check_refused()
{
	again "$@"
	assert_totals 2
	assert_tasks 1 3
	wisp-state -C "$DIR" begin --head h2 --tree t2 >/dev/null
	assert_step 3
}

@test "faults: record where verify failed and the claims go back" {
	world_home
	open_step
	MIN=30 each_fault open check_refused wisp-state -C "$DIR" record --verify failed --head h2 --tree t2
}

check_ran()
{
	again "$@"
	assert_equal '[]' "$(value .step.tampered)"
	assert_equal ran "$(value .step.stage)"
	turn_record "$DIR" h2 t2 >/dev/null
	assert_totals 2
	assert_tasks 2 3
}

@test "faults: ran" {
	world_home
	open_step
	MIN=10 each_fault open check_ran wisp-state -C "$DIR" ran
}

# What the agent may not do is undone in any case, and nothing but that is named.
tamper()
{
	printf '{}\n' >"$DIR/session.json"
	printf 'x\n' >"$WORLD/repo/.wisp/config"
	printf '[]\n' >"$DIR/tasks.json"
}

check_tampered()
{
	local name

	again "$@"
	for name in $(value .step.tampered); do
		[[ $name == [][] || $name == '[]' || $name == '"session.json"'* || $name == '".wisp/config"'* ]] ||
			fail "called tampering: $name"
	done
	cmp "$BATS_TEST_TMPDIR/saved.open/repo/.wisp/config" "$WORLD/repo/.wisp/config" || fail "the config is not back"
	assert_tasks 1 3
	turn_record "$DIR" h2 t2 >/dev/null
	assert_totals 2
}

@test "faults: ran, after an agent that changed what is not its own" {
	world_home
	open_step
	tamper
	cp -Rp "$BATS_TEST_TMPDIR/saved.open" "$BATS_TEST_TMPDIR/kept"
	world_save tampered
	assert_whole() { wisp-state -C "$DIR" get -f "$RECORD" .version >/dev/null; }
	MIN=20 each_fault tampered check_tampered wisp-state -C "$DIR" ran
}

# --- questions -------------------------------------------------------------

# asks N: the step that is begun ends with a question, which is q-N.
asks()
{
	step_ends 0.25 none
	printf '{"status": "NEEDS_INPUT", "summary": "asks", "question": "Question %d?"}\n' "$1" >"$DIR/state.json"
	wisp-state -C "$DIR" ran >/dev/null
	turn_record "$DIR" h1 t1 >/dev/null
	assert_equal "q-$1" "$(value .question.id)"
}

world_asks()
{
	wisp-state -C "$DIR" begin --head h1 --tree t1 >/dev/null
	asks 2
	world_save asks
}

# The answer is told once, archived once, and answers no other question.
assert_taken()
{
	assert_equal 1 "$(grep -c '"kind": "answer"' "$RECORD")"
	assert_equal q-2.json "$(cd "$DIR/answers" && echo *)"
	assert_equal 8080 "$(wisp-state -C "$DIR" get -f "$DIR/answers/q-2.json" .response)"
	assert_equal 0003 "$(value .step.name)"
	asks 3
	assert_contains "$(wisp-state -C "$DIR" begin --head h1 --tree t1)" act=ask
	assert_equal q-2.json "$(cd "$DIR/answers" && echo *)"
}

# What could not be saved is not there by half; said again it is saved, or was already.
check_answer()
{
	local rc=0

	"$@" >/dev/null 2>&1 || rc=$?
	((rc <= 1)) || fail "the next call: $rc"
	assert_no_litter
	assert_equal 8080 "$(wisp-state -C "$DIR" get -f "$DIR/response.json" .response)"
	wisp-state -C "$DIR" begin --head h1 --tree t1 >/dev/null
	assert_taken
}

@test "faults: an answer is saved" {
	world_home
	world_asks
	MIN=4 each_fault asks check_answer wisp-session -C "$DIR" answer 8080
}

check_taken()
{
	again "$@"
	assert_taken
}

@test "faults: an answer is taken by begin" {
	world_home
	world_asks
	wisp-session -C "$DIR" answer 8080 >/dev/null
	world_save answered
	MIN=20 each_fault answered check_taken wisp-state -C "$DIR" begin --head h1 --tree t1
}

# --- start -----------------------------------------------------------------

check_start()
{
	local tampered

	again "$@"
	assert_equal 1 "$(grep -c '"outcome": "interrupted"' "$DIR/history.json")"
	assert_equal 2 "$(value .session.loop_count)"
	assert_tasks 1 3
	wisp-state -C "$DIR" begin --head h1 --tree t1 >/dev/null
	step_ends
	wisp-state -C "$DIR" ran >/dev/null || fail "ran: $?"
	tampered=$(value .step.tampered)
	[[ $tampered == '[]' ]] || fail "called tampering: $tampered"
}

@test "faults: start, after a step that was lost with its loop" {
	world_home
	open_step
	rm "$DIR/steps/0002/step.json"
	mkdir -p "${RECORD%/*}/requests"
	printf '{"verb": "pause", "at": "2026-01-16T10:00:00Z"}\n' >"${RECORD%/*}/requests/0000000000001-0000001.json"
	world_save lost
	MIN=15 each_fault lost check_start wisp-state -C "$DIR" start --pid $$
}

# Another session's loop compares with the good copies while they are renewed.
check_renew()
{
	wisp-state -C "$DIR" ran >/dev/null || fail "ran: $?"
	assert_equal '[]' "$(value .step.tampered)"
	[[ -e $WORLD/repo/.wisp/config && -e $WORLD/repo/.wisp/templates/mine/loop.json ]] || fail "deleted"
	"$@" || fail "the next call: $?"
	assert_no_litter
}

@test "faults: renew, with the good copies of config and templates" {
	world_home
	mkdir -p "$WORLD/repo/.wisp/templates/mine"
	printf '{}\n' >"$WORLD/repo/.wisp/templates/mine/loop.json"
	wisp-session -C "$DIR" renew
	open_step
	MIN=8 each_fault open check_renew wisp-session -C "$DIR" renew
}

# --- tasks -----------------------------------------------------------------

check_pass()
{
	again "$@"
	assert_tasks 2 3
	wisp-state -C "$DIR" begin --head h1 --tree t1 >/dev/null
	assert_step 2
}

@test "faults: wisp-tasks pass, a session" {
	world_home
	world_save ready
	MIN=12 each_fault ready check_pass wisp-tasks -C "$DIR" pass c
}

@test "faults: wisp-tasks pass, a folder of no session" {
	world_plain
	world_save ready
	MIN=4 each_fault ready check_pass wisp-tasks -C "$DIR" pass c
}
