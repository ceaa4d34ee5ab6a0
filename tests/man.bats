#!/usr/bin/env bats
# The examples of the manual pages are run as they stand there.
#
#	block PAGE TEXT		the literal text (.Bd to .Ed, or .Dl) of EXAMPLES that has TEXT in it, as a reader sees it
#	transcript PAGE TEXT	types what is behind each `$ ` of that block; what comes must be what stands there

load helper
load helper-session
load helper-scenario

block()
{
	local found

	found=$(awk -v text="$2" '
		/^\.Sh / { on = $2 == "EXAMPLES" }
		!on { next }
		/^\.Dl / { b = substr($0, 5); if (index(b, text)) print b; next }
		/^\.Bd / { b = ""; within = 1; next }
		/^\.Ed/ { if (within && index(b, text)) { printf "%s", b; exit } within = 0; next }
		within { b = b $0 "\n" }' "$ROOT/man/$1" | sed -e 's/\\e/\\/g; s/\\(dq/"/g; s/^\\&//')
	[[ -n $found ]] || fail "$1 has no example with: $2" || return 1
	printf '%s\n' "$found"
}

# run_block PAGE TEXT: sets status and output.
run_block()
{
	block "$1" "$2" >"$TMPDIR/block" || return 1
	run bash -u "$TMPDIR/block"
}

# What differs from run to run, on both sides.
masked()
{
	sed -E -e "s#$PWD/|/src/app/#HERE/#g" -e 's/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]+(Z|\+00:00)/DATE/g'
}

transcript()
{
	local line command=''

	block "$1" "$2" >"$TMPDIR/shown" || return 1
	while IFS= read -r line; do
		case $command$line in
		'$ '*\\) command+=$line$'\n' && continue ;;
		'$ '*)
			command+=$line
			printf 'was=$?; cat <<"END"; (exit "$was")\n%s\nEND\n%s\n' "$command" "${command#'$ '}"
			command=''
			;;
		esac
	done <"$TMPDIR/shown" >"$TMPDIR/typed"
	run bash "$TMPDIR/typed"
	assert_equal "$(masked <"$TMPDIR/shown")" "$(masked <<<"$output")"
}

# typed PAGE TEXT: what is behind `$ ` there, in the file `typed`.
typed()
{
	block "$1" "$2" | sed 's/^\$ //' >typed
}

program() # <name> <<<SCRIPT
{
	{
		echo '#!/bin/sh'
		cat
	} >"$1"
	chmod +x "$1"
}

task() # <passes> <text> [<category>]
{
	printf '{"category": "%s", "description": "%s", "steps": [], "passes": %s}' "${3:-feature}" "$2" "$1"
}

# --- wisp-state(1) --------------------------------------------------------------

@test "man: wisp-state, values of a session" {
	make_repo app
	cd app
	session_make main history='[{"iteration": 1, "outcome": "ok", "verify": "passed"}]'
	printf '{"status": "CONTINUE", "summary": "The parser takes comments now."}\n' >"$DIR/state.json"
	printf '[\n\n\n\n\n\n\n%s, {\n      "passes": "no",\n"category": "docs", "description": "b", "steps": []}]\n' "$(task true a)" >"$DIR/tasks.json"
	transcript wisp-state.1 'get .summary'
}

# The agent dies, goes on without the promise, then gives it.
@test "man: wisp-state, a loop of one's own runs to its end" {
	printf '[%s,\n%s]\n' "$(task false a)" "$(task false b)" >tasks.json
	cp -R "$ROOT/templates/default" template
	printf 'test:\n\t@test ! -e bad\n' >Makefile
	program my-agent <<-'END'
		cat >last-prompt
		case $(ls work/steps | wc -l) in
		1) exit 7 ;;
		2) echo '{"status": "CONTINUE", "summary": "one"}' >work/state.json; touch bad ;;
		3) echo '{"status": "DONE", "summary": "all"}' >work/state.json; rm bad
		   sed 's/"passes": false/"passes": true/' work/tasks.json >new && mv new work/tasks.json ;;
		*) echo '{"status": "DONE", "summary": "all"}' >work/state.json; echo '<promise>COMPLETE</promise>' ;;
		esac
	END
	run_block wisp-state.1 '-C work init'
	assert_equal 0 "$status"
	assert_contains "$output" 'act=completed'
	run -0 wisp-state -C work query -f history 'map([.outcome, .state, .verify])[]'
	assert_output '["error","missing","passed"]
["ok","valid","failed"]
["ok","valid","passed"]
["ok","valid","passed"]'
	assert_contains "$(<last-prompt)" '# From the controller'
}

@test "man: wisp-state, a loop of one's own does not hide why it ended" {
	printf '[%s]\n' "$(task false a)" >tasks.json
	cp -R "$ROOT/templates/default" template
	printf 'test:\n' >Makefile
	program my-agent <<<'echo "{\"status\": \"BLOCKED\", \"summary\": \"\", \"error\": \"no key\"}" >work/state.json'
	run_block wisp-state.1 '-C work init'
	assert_equal 1 "$status"
	assert_contains "$output" 'act=halted'
	rm -r work template
	run_block wisp-state.1 '-C work init'
	assert_equal 102 "$status"
	echo '[' >tasks.json
	rm -r work
	run_block wisp-state.1 '-C work init'
	assert_equal 102 "$status"
}

@test "man: wisp-state(5), the list of one task holds" {
	block wisp-state.5 '"category"' >tasks.json
	run -0 wisp-state check tasks.json
	make_repo app
	cd app
	session_make main tasks='[]' >/dev/null
	run_block wisp-state.5 'check'
	assert_equal 0 "$status"
}

# --- wisp-tasks(1) --------------------------------------------------------------

@test "man: wisp-tasks, a task is added and marked" {
	echo '[]' >tasks.json
	export WISP_SESSION_DIR=$PWD
	transcript wisp-tasks.1 'add --category'
	run -0 wisp-tasks -C . list
	assert_output '1 [x] docs: Describe the login'
}

@test "man: wisp-tasks, open tasks one after the other, up to one that fails" {
	mkdir plan
	printf '[%s, %s, %s]\n' "$(task false a)" "$(task false b)" "$(task false c)" >plan/tasks.json
	program work-on <<<'echo "$1" >>done; test ! -e "fail$1"'
	touch fail2
	run_block wisp-tasks.1 '-C plan next'
	assert_equal 1 "$status"
	assert_equal $'1\n2' "$(<done)"
	rm fail2
	run_block wisp-tasks.1 '-C plan next'
	assert_equal 0 "$status"
	assert_equal $'1\n2\n2\n3' "$(<done)"
	run_block wisp-tasks.1 'eval "$counts"'
	assert_equal '3 of 3 pass' "$output"
	echo '[' >plan/tasks.json
	run_block wisp-tasks.1 '-C plan next'
	assert_equal 102 "$status"
	run_block wisp-tasks.1 'eval "$counts"'
	assert_equal 102 "$status"
	assert_lacks "$output" 'pass'
}

@test "man: wisp-tasks, what an edit lost, and the list of another tool" {
	printf '[%s, %s, %s, %s]\n' "$(task false a)" "$(task false 'Check the password')" "$(task true c)" "$(task false d)" >before.json
	printf '[%s, %s, %s, %s]\n' "$(task false a)" "$(task true c)" "$(task false d)" "$(task false 'Skip the password')" >after.json
	transcript wisp-tasks.1 'diff before.json'
	printf '{\n\n"branchName": "ralph/login", "userStories": [{"id": "US-001", "title": "Add a login form"}]}\n' >prd.json
	transcript wisp-tasks.1 'import prd'
}

# --- wisp-gate(1), wisp-stuck(1), wisp-limit(1) -----------------------------------

@test "man: wisp-gate, each answer has its own code" {
	printf '[%s]\n' "$(task true a)" >tasks.json
	export WISP_SESSION_DIR=$PWD
	echo '{"status": "CONTINUE", "summary": ""}' >state.json
	run_block wisp-gate.1 'cannot tell'
	assert_contains "$output" 'shut'
	echo '[' >tasks.json
	run_block wisp-gate.1 'cannot tell'
	assert_equal 1 "$status"
	assert_contains "$output" 'cannot tell'
}

@test "man: wisp-stuck, what it prints and each of its codes" {
	local i error='login.c:31: no such user' list=''

	for i in 6 7; do
		list+="{\"iteration\": $i, \"outcome\": \"ok\", \"state\": \"valid\", \"progress\": false, \"files\": [\"src/login.c\"], \"error\": \"$error\"},"
	done
	printf '[%s]\n' "${list%,}" >history.json
	export WISP_SESSION_DIR=$PWD
	transcript wisp-stuck.1 '$ wisp-stuck check'
	program mail <<<'cat >sent'
	PATH=$PWD:$PATH run_block wisp-stuck.1 'mail -s'
	assert_equal 0 "$status"
	assert_contains "$(<sent)" 'stuck=yes'
	run_block wisp-stuck.1 'cannot tell'
	assert_output 'on its way'
	printf '[%s]\n' "${list}{\"iteration\": 8, \"progress\": false}" >history.json
	run_block wisp-stuck.1 'cannot tell'
	assert_equal 1 "$status"
	assert_output 'stuck'
	echo '[' >history.json
	run_block wisp-stuck.1 'cannot tell'
	assert_equal 2 "$status"
	assert_contains "$output" 'cannot tell'
}

@test "man: wisp-limit, an agent outside the loop, within the limits" {
	printf '{"hourly": {"calls_made": 0, "limit": 1, "next_reset": "2099-01-16T10:30:00Z"}, %s}\n' \
		'"usage": {"detected": false, "detected_at": null, "resume_at": null, "waiting": false}' >limits.json
	export WISP_SESSION_DIR=$PWD
	program my-agent <<<'echo ran'
	PATH=$PWD:$PATH run_block wisp-limit.1 'my-agent'
	assert_equal 0 "$status"
	assert_contains "$output" 'ran'
	sed -e 's/"calls_made": 1/"calls_made": 100/; s/"limit": 1/"limit": 100/' limits.json >new.json
	mv new.json limits.json
	transcript wisp-limit.1 '$ wisp-limit check'
}

# --- wisp-agent(1), wisp-prompt(1), wisp-wait(1) -----------------------------------

@test "man: wisp-agent, a script under a limit, and a recorded run" {
	program build <<<'echo built; exit 3'
	run_block wisp-agent.1 '.outcome'
	assert_equal 0 "$status"
	assert_output 'error'
	assert_contains "$(<build.log)" 'built'
	run_block wisp-agent.1 '--exit-status'
	assert_equal 3 "$status"
	echo '{"type":"result","subtype":"success","is_error":false,"result":"ok"}' >output.log
	run_block wisp-agent.1 'parse --format claude'
	assert_equal 0 "$status"
	assert_contains "$output" '"exit_code": 1'
}

@test "man: wisp-prompt, what the next agent is told" {
	make_repo app
	cd app
	wisp init >/dev/null
	session_make login tasks="[$(task false 'Add a form')]"
	typed wisp-prompt.1 '-C .wisp'
	run -0 bash typed
	assert_contains "$output" 'Add a form'
	cp -R .wisp/templates/default drafts
	typed wisp-prompt.1 'drafts'
	program less <<<cat
	PATH=$PWD:$PATH WISP_SESSION_DIR=$DIR run -0 bash typed
	assert_contains "$output" 'Add a form'
}

@test "man: wisp-wait, a line in a file" {
	echo no >answer
	block wisp-wait.1 '--stamp' >waits
	bash waits &
	printf 'yes\n' >answer
	wait $!
}

# --- wisp(1), wisp-config(5), wisp-template(5), wisp-hook(1) -------------------------

@test "man: wisp, from init to a run" {
	make_repo app
	cd app
	mkdir docs
	echo 'A login.' >docs/rfc.md
	scenario_new
	scenario_step 1 --tasks "[$(task false 'Add a form')]" --status CONTINUE
	scenario_step 2 --pass 1 --status DONE --promise
	WISP_AGENT=replay run_block wisp.1 'wisp doctor'
	assert_equal 0 "$status"
	assert_contains "$output" 'feature/login: completed, unverified (exit 0)'
}

@test "man: wisp-config, the file and the commands that make it" {
	make_repo app
	cd app
	wisp init >/dev/null
	: >.wisp/config
	transcript wisp-config.5 '$ wisp config limits.maxIterations'
	block wisp-config.5 'maxCostUsd' >.wisp/config
	run -0 wisp config verify.command
	assert_output $'make test\nmake lint'
	run -0 wisp config agent.claude.model
	assert_output 'opus'
}

@test "man: wisp-template, a loop of two phases" {
	make_repo app
	cd app
	mkdir -p .wisp/templates/tune
	block wisp-template.5 '"MEASURE"' >.wisp/templates/tune/loop.json
	echo 'Do it.' | tee .wisp/templates/tune/{system,measure,tune}.md
	echo '[]' >tasks.json
	wisp-state -C work init --template .wisp/templates/tune --tasks tasks.json
	printf '{"status": "CONTINUE", "summary": "", "metrics": {"benchmark": true, "ms": 61.5}}\n' >work/state.json
	run -1 wisp-gate -C work phase MEASURE --template .wisp/templates/tune
	assert_contains "$output" 'gate_1=true'
	typed wisp-template.5 'verify.metrics'
	run -0 bash typed
	run -0 wisp config verify.metrics
	assert_output './bench --json'
}

@test "man: wisp-hook, from the hooks to the session" {
	make_repo app
	cd app
	program claude <<<'cat .loop/state.json'
	PATH=$PWD:$PATH
	typed wisp-hook.1 '$ claude'
	run -0 bash -e typed
	assert_contains "$output" '"no warning"'
}
