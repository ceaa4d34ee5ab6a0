#!/usr/bin/env bats
# wisp-stuck: each folder of cases/stuck is a case: `args` (one a line) for
# `check` on its files, `expect` the exit code, what is printed and what is said
# on stderr. The rules themselves are tables in unit/stuck.c.

load helper

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
		output=${output//"${case}"/}
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
	rm "$home/record.json"
	run -0 wisp-stuck -C "$session" check
	assert_contains "$output" 'noProgress=9/3'
}

@test "stuck: called wrongly is 100" {
	run -100 --separate-stderr wisp-stuck
	run -100 --separate-stderr wisp-stuck check --since x
	assert_stderr "wisp-stuck: option '--since' needs a whole number, not 'x'"
	run -100 --separate-stderr wisp-stuck check extra
	run -100 --separate-stderr wisp-stuck breaker
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
