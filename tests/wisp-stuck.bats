#!/usr/bin/env bats
# wisp-stuck: each folder of cases/stuck is a case: `args` (one a line) for
# `check` on its files, `expect` the exit code, what is printed and what is said
# on stderr. The rules themselves are tables in unit/stuck.c.

load helper
load helper-session

# play CASE: prints what `expect` should hold.
play()
{
	local args=() arg rc=0

	while IFS= read -r arg; do
		args+=("$arg")
	done <"$1/args"
	wisp-stuck -C "$1" check ${args[@]+"${args[@]}"} >"$TMPDIR/out" 2>"$TMPDIR/err" || rc=$?
	printf 'exit %s\n' "$rc"
	cat "$TMPDIR/out"
	sed 's/^/stderr: /' "$TMPDIR/err"
}

# entries N [PROGRESS]: a history of that many iterations.
entries()
{
	local i separator='['

	for ((i = 1; i <= $1; i++)); do
		printf '%s{"iteration": %d, "state": "valid", "status": "CONTINUE", "progress": %s}' "$separator" "$i" "${2:-false}"
		separator=', '
	done
	printf ']\n'
}

@test "stuck: the cases" {
	local case played=0

	for case in "$ROOT"/tests/cases/stuck/*/; do
		run -0 play "${case%/}"
		output=${output//$case/}
		[[ $output == "$(<"$case/expect")" ]] || fail "in $case" 'expected:' "$(<"$case/expect")" 'actual:' "$output"
		played=$((played + 1))
	done
	((played > 14))
}

@test "stuck: every threshold has its option" {
	local option

	mkdir s
	entries 1 >s/history.json
	for option in no-progress=noProgress same-files=sameFiles similar-errors=similarErrors \
		returning-tree=returningTree false-done=falseDone; do
		run -1 wisp-stuck -C s check "--${option%=*}" 7
		assert_contains "$output" "${option#*=}="
		[[ $output =~ ${option#*=}=[01]/7 ]] || fail "$option: $output"
		run -100 --separate-stderr wisp-stuck -C s check "--${option%=*}" 0
		assert_stderr "wisp-stuck: stuck.${option#*=}: expected a whole number from 1, not '0'"
	done
}

@test "stuck: --template lays a template's thresholds over them, options over those" {
	mkdir s t
	entries 2 >s/history.json
	echo '{"name": "t", "config": {"stuck.noProgress": 2}}' >t/loop.json
	run -1 wisp-stuck -C s check
	run -0 wisp-stuck -C s check --template t
	assert_contains "$output" 'noProgress=2/2'
	run -1 wisp-stuck -C s check --template t --no-progress 3
	run -102 --separate-stderr wisp-stuck -C s check --template none
	assert_contains "$stderr" "loop.json"
	echo '{"config": {"stuck.noprogres": 2}}' >t/loop.json
	run -102 --separate-stderr wisp-stuck -C s check --template t
	assert_stderr "wisp-stuck: t/loop.json: unknown key 'stuck.noprogres'; did you mean 'stuck.noProgress'?"
}

# The record of the session at hand, written by hand.
@test "stuck: a session is judged by its record, not by what lies in its folder" {
	local home session=p/.wisp/sessions/b

	make_repo p
	mkdir -p "$session"
	echo '{}' >"$session/session.json"
	entries 9 >"$session/history.json"
	home=$(cd p && wisp-session find b | sed -n 's/^home=//p')
	mkdir -p "$home"
	printf '{"version": 1, "config": {"stuck.noProgress": 4}, "intervened": 1, "history": %s}\n' "$(entries 4)" >"$home/record.json"
	run -1 wisp-stuck -C "$session" check
	assert_contains "$output" 'noProgress=3/4 iterations 2, 3, 4:'
	run -0 wisp-stuck -C "$session" check --since 0
	assert_contains "$output" 'noProgress=4/4 iterations 1, 2, 3, 4:'
	echo '{' >"$home/record.json"
	run -102 --separate-stderr wisp-stuck -C "$session" check
	assert_contains "$stderr" "$home/record.json:"
	rm "$home/record.json" "$session/session.json"
	run -0 wisp-stuck -C "$session" check
	assert_contains "$output" 'noProgress=9/3'
}

@test "stuck: called wrongly is 100" {
	run -100 --separate-stderr wisp-stuck
	run -100 --separate-stderr wisp-stuck check --since x
	assert_stderr "wisp-stuck: option '--since' needs a whole number, not 'x'"
	run -100 --separate-stderr wisp-stuck check extra
	run -100 --separate-stderr wisp-stuck breaker
	run -100 --separate-stderr wisp-stuck -C . breaker close
	assert_stderr "wisp-stuck: breaker: expected show, update, reset or allow, not 'close'"
	run -100 --separate-stderr wisp-stuck -C . breaker show --progress
	run -100 --separate-stderr wisp-stuck -C . breaker update --progress --no-progress
	run -100 --separate-stderr wisp-stuck -C . breaker update --metrics '[1]'
	run -100 --separate-stderr wisp-stuck -C . breaker update --metrics '{'
	run -102 --separate-stderr wisp-stuck -C none check
	run -0 --separate-stderr wisp-stuck -h
	assert_stderr ''
	assert_contains "$output" --similar-errors
}

@test "stuck: output that does not arrive is 111" {
	[ -c /dev/full ] || return 0
	mkdir s
	entries 3 >s/history.json
	run -111 --separate-stderr bash -c 'wisp-stuck -C s check >/dev/full'
}

# --- the breaker --------------------------------------------------------------

# says TEXT: `breaker show` has that line.
says()
{
	run -0 wisp-stuck -C s breaker show
	assert_contains "$output"$'\n' "$1"$'\n'
}

@test "breaker: a bare folder, phase by phase" {
	local row phase n error k

	mkdir s
	for row in RED/3/5 GREEN/2/3 REFACTOR/5/5 DOCUMENT/3/5 QA/3/3; do
		IFS=/ read -r phase n error <<<"$row"
		wisp-stuck -C s breaker reset >/dev/null
		for ((k = 1; k < n; k++)); do
			run -0 wisp-stuck -C s breaker update --no-progress --phase "$phase"
			run -0 wisp-stuck -C s breaker allow
			assert_output ''
		done
		run -0 wisp-stuck -C s breaker update --no-progress --phase "$phase"
		assert_contains "$output" "no_progress_threshold=$n"
		assert_contains "$output" "same_error_threshold=$error"
		run -1 wisp-stuck -C s breaker allow
		says "open_reason=No progress for $n iterations"
		assert_contains "$output" opened_at=2
		wisp-stuck -C s breaker reset >/dev/null
		for ((k = 1; k < error; k++)); do
			wisp-stuck -C s breaker update --progress --error boom --phase "$phase" >/dev/null
		done
		run -0 wisp-stuck -C s breaker allow
		wisp-stuck -C s breaker update --progress --error boom --phase "$phase" >/dev/null
		says "open_reason=Same error repeated $error times"
	done
	run -0 wisp-state -C s check breaker
}

@test "breaker: an open one is closed by a reset and by nothing else" {
	mkdir s
	wisp-stuck -C s breaker update --no-progress --phase GREEN >/dev/null
	wisp-stuck -C s breaker update --no-progress --phase GREEN >/dev/null
	run -0 wisp-stuck -C s breaker update --progress --metrics '{"tests_passing": 9}' --phase GREEN
	assert_contains "$output" state=OPEN
	run -0 wisp-stuck -C s breaker reset
	assert_contains "$output" state=CLOSED
	assert_lacks "$output" open_reason
	run -0 wisp-stuck -C s breaker update --progress --metrics '{"tests_passing": 9}'
	assert_equal 9 "$(wisp-state -C s get -f breaker .last_progress_metric.tests_passing)"
}

@test "breaker: show and --json, of a folder that has none" {
	mkdir s
	run -0 wisp-stuck -C s breaker show
	assert_output $'state=CLOSED\nno_progress_count=0\nsame_error_count=0\nno_progress_threshold=3\nsame_error_threshold=5'
	[[ ! -e s/breaker.json ]]
	wisp-stuck -C s breaker show --json --phase GREEN >out.json
	assert_equal '"CLOSED" "GREEN" 2 3 null' "$("$JQ" -c '.state, .phase, .no_progress_threshold, .same_error_threshold, .open_reason' out.json | paste -s -d ' ' -)"
	run -0 wisp-stuck -C s breaker allow --json
	assert_contains "$output" '"state": "CLOSED"'
}

@test "breaker: without options, an update takes the last iteration as it stands" {
	mkdir s
	run -102 --separate-stderr wisp-stuck -C s breaker update
	assert_contains "$stderr" 'give --progress or --no-progress'
	echo '[{"iteration": 1, "progress": true, "error": "old"}, {"iteration": 2, "phase": "GREEN", "progress": false, "error": "boom"}]' >s/history.json
	run -0 wisp-stuck -C s breaker update
	assert_contains "$output" no_progress_count=1
	assert_contains "$output" same_error_count=1
	assert_contains "$output" phase=GREEN
	echo '[{"iteration": 3, "progress": true, "error": null}]' >s/history.json
	echo '{"status": "CONTINUE", "summary": "s", "metrics": {"tests_passing": 4}}' >s/state.json
	run -0 wisp-stuck -C s breaker update
	assert_contains "$output" no_progress_count=0
	assert_equal 4 "$(wisp-state -C s get -f breaker .last_progress_metric.tests_passing)"
	echo '{"state": "AJAR"}' >s/breaker.json
	run -102 --separate-stderr wisp-stuck -C s breaker update
	assert_contains "$stderr" 's/breaker.json:1:11: breaker.state: expected one of'
	assert_equal '{"state": "AJAR"}' "$(<s/breaker.json)"
}

@test "breaker: a session's is the record's, and not for its agent to change" {
	local session=.wisp/sessions/b

	make_repo p
	cd p
	session_make b config='{"stuck.noProgress": 2}'
	run -0 wisp-stuck -C "$session" breaker update --no-progress
	run -0 wisp-stuck -C "$session" breaker update --no-progress
	assert_contains "$output" state=OPEN
	assert_equal OPEN "$(wisp-state -C "$session" get -f breaker .state)"
	assert_equal OPEN "$(wisp-state -C "$session" get -f "$STATE/record.json" .breaker.state)"
	echo '{"state": "CLOSED"}' >"$session/breaker.json"
	run -1 wisp-stuck -C "$session" breaker allow
	WISP_ITERATION=3 WISP_SESSION_DIR=$session run -100 --separate-stderr wisp-stuck -C "$session" breaker reset
	assert_stderr 'wisp-stuck: changing the breaker is not possible from inside a step'
	WISP_ITERATION=3 WISP_SESSION_DIR=$session run -100 wisp-stuck -C "$session" breaker update --progress
	WISP_ITERATION=3 WISP_SESSION_DIR=$session run -1 wisp-stuck -C "$session" breaker allow
	run -0 wisp-stuck -C "$session" breaker reset
	run -0 wisp-stuck -C "$session" breaker allow
}
