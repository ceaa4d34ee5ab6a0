#!/usr/bin/env bats
# The loop inside one interactive session: what the hooks answer, who owns the
# loop, and the settings file.

load helper
load helper-scenario

setup()
{
	make_repo project
	cd project || return
	PROJECT=$PWD
	LOOP=$PROJECT/.loop/state.json
}

# stop SESSION MESSAGE [ACTIVE] [OPTION]...: the Stop hook; its answer in output, what people see in stderr.
stop()
{
	local id=$1 said=$2 active=${3:-false}
	shift 2
	shift || :
	printf '{"session_id": "%s", "cwd": "%s", "hook_event_name": "Stop", "stop_hook_active": %s, "last_assistant_message": "%s"}' \
		"$id" "$PROJECT" "$active" "$said" >"$BATS_TEST_TMPDIR/stdin"
	run -0 --separate-stderr wisp hook stop "$@" <"$BATS_TEST_TMPDIR/stdin"
}

began()
{
	wisp hook start 'make it good' --criterion 'tests pass' --criterion 'no lint' --step one --step two "$@"
}

at()
{
	wisp-state get -f "$LOOP" "$1"
}

@test "hook start: the flat schema of the state file" {
	began --max-iterations 10 --budget 25 --shape tool
	assert_equal 'make it good' "$(at .spec)"
	assert_equal false "$(at '.criteriaStatus["tests pass"]')"
	assert_equal one "$(at '.remainingSteps[0]')"
	assert_equal in_progress "$(at .status)"
	assert_equal 10 "$(at .metadata.maxIterations)"
	assert_equal 25 "$(at .metadata.budget)"
	assert_equal tool "$(at .metadata.shape)"
	assert_equal 0 "$(at .iteration)"
}

@test "hook start: what it writes holds, and wisp-state check names the first fault of what does not" {
	began --max-iterations 10 --verify 'no lint=true'
	run -0 wisp-state check "$LOOP"
	run -0 wisp-state check .loop/state.json
	run -102 wisp-state set -f "$LOOP" '.criteriaStatus["no lint"]' '"yes"'
	sed 's/"no lint": false/"no lint": "yes"/' "$LOOP" >changed
	cp changed "$LOOP"
	run -102 wisp-state check .loop/state.json
	assert_contains "$output" 'hook.criteriaStatus.no lint: expected a boolean, not a string'
}

@test "hook start: says so where no settings file has the hooks" {
	local said='wisp hook: the hooks are in no settings file yet: wisp hook install'

	export HOME=$BATS_TEST_TMPDIR/home
	run -0 --separate-stderr began
	assert_stderr "$said"
	run -100 --separate-stderr began
	assert_lacks "$stderr" 'install'
	for scope in '' --local --user; do
		wisp hook cancel
		wisp hook install ${scope:+"$scope"}
		run -0 --separate-stderr began
		assert_stderr ''
		wisp hook uninstall ${scope:+"$scope"}
	done
}

@test "hook start: called wrongly" {
	run -100 wisp hook start 'x'
	assert_contains "$output" 'wisp hook: a loop without criteria'
	run -100 wisp hook start '  ' --criterion a
	run -100 wisp hook start x --criterion a --criterion a
	run -100 wisp hook start x --criterion a --shape round
	run -100 wisp hook start x --criterion a --budget much
	run -100 wisp hook start x --criterion a --verify b=true
	run -100 wisp hook start x --criterion a --max-iterations 0
	[[ ! -e $LOOP ]]
}

@test "hook start: not over a loop that is under way; one that is over is kept beside it" {
	began
	run -100 wisp hook start other --criterion a
	assert_contains "$output" 'wisp hook cancel'
	wisp hook cancel
	wisp hook start other --criterion a
	assert_equal other "$(at .spec)"
	assert_contains "$(<"$LOOP.old")" 'make it good'
}

@test "hook stop: no state file, or none in progress, lets go without a word" {
	stop s1 hello
	assert_output ''
	began
	wisp hook pause
	stop s1 hello
	assert_output ''
	[[ ! -e $PROJECT/.loop/none ]]
}

@test "hook stop: unmet criteria block, with the next step; all met without the marker, too; then it lets go" {
	began
	stop s1 'I am done'
	assert_output '{"decision":"block","reason":"unmet: tests pass, no lint; next: one"}'
	wisp hook met 'tests pass'
	wisp hook step-done one
	stop s1 'done\n<loop-complete>'
	assert_output '{"decision":"block","reason":"unmet: no lint; next: two"}'
	wisp hook met 2
	stop s1 'say <loop-complete> when done'
	assert_contains "$output" '<loop-complete> alone on a line'
	stop s1 'done\n  <loop-complete>  '
	assert_output ''
	assert_contains "$stderr" 'complete'
	assert_equal completed "$(at .status)"
	assert_equal 4 "$(at .iteration)"
	assert_equal 4 "$(at .metadata.iteration)"
}

@test "hook stop: a criterion without a status, and one that the list does not name" {
	mkdir .loop
	printf '{"spec": "x", "criteria": ["a"], "criteriaStatus": {"b": false}, "status": "in_progress"}' >"$LOOP"
	stop s1 x
	assert_output '{"decision":"block","reason":"unmet: a, b"}'
}

@test "hook stop: with --schema prompt the ok and reason of the seed" {
	began
	stop s1 x false --schema prompt
	assert_output '{"ok":false,"reason":"unmet: tests pass, no lint; next: one"}'
	wisp hook met 1
	wisp hook met 2
	stop s1 '<loop-complete>' false --schema prompt
	assert_output '{"ok":true,"reason":"complete"}'
}

@test "hook stop: the first session that comes owns the loop; another is let go" {
	began
	stop s1 x
	assert_contains "$output" block
	stop s2 x
	assert_output ''
	assert_equal s1 "$(at .session_id)"
	assert_equal 1 "$(at .iteration)"
	wisp hook resume
	stop s2 x
	assert_contains "$output" block
	assert_equal s2 "$(at .session_id)"
}

@test "hook stop: the third evaluation in a row that changed nothing pauses" {
	began
	stop s1 x
	stop s1 x true
	assert_contains "$output" block
	stop s1 x true
	assert_contains "$output" block
	wisp hook step-done one
	stop s1 x true
	assert_contains "$output" block
	stop s1 x true
	stop s1 x true
	assert_contains "$output" block
	stop s1 x true
	assert_output ''
	assert_contains "$stderr" 'changed nothing'
	assert_equal paused "$(at .status)"
	assert_contains "$(at .pauseReason)" 'changed nothing'
}

@test "hook stop: iterations and budget are limits" {
	began --max-iterations 2 --budget 5
	stop s1 x
	assert_contains "$output" block
	stop s1 x
	assert_output ''
	assert_contains "$(at .pauseReason)" '2 of 2 iterations'
	wisp hook cancel
	began --budget 5
	wisp hook cost 4.5
	stop s1 x
	assert_contains "$output" block
	wisp hook cost 0.5
	stop s1 x
	assert_output ''
	assert_contains "$(at .pauseReason)" '5.00 of 5 USD'
}

@test "hook stop: a file whose steps, iteration and limits stand in metadata goes on as it stands" {
	mkdir .loop
	cat >"$LOOP" <<-'END'
		{"id": "task-1", "subject": "Complete: the parser", "description": "Port the parser", "status": "in_progress",
		 "criteria": ["tests pass"], "criteriaStatus": {"tests pass": false},
		 "metadata": {"iteration": 8, "cost": 4.50, "shape": "tool", "budget": 25, "maxIterations": 10,
		  "completedSteps": ["one", "two"], "remainingSteps": ["three", "four"], "errors": []}}
	END
	run -0 wisp-state check "$LOOP"
	run -0 wisp hook status
	assert_contains "$output" 'Port the parser'
	assert_contains "$output" 'iteration  8 of at most 10'
	assert_contains "$output" '[ ] three'
	stop s1 working
	assert_equal '{"decision":"block","reason":"unmet: tests pass; next: three"}' "$output"
	assert_equal 9 "$(at .metadata.iteration)"
	wisp hook step-done three
	assert_equal '["one","two","three"]' "$(wisp-state query -f "$LOOP" -- '.metadata.completedSteps')"
	assert_equal '[["four"],null]' "$(wisp-state query -f "$LOOP" '[.metadata.remainingSteps, .remainingSteps]')"
	stop s1 working
	assert_contains "$stderr" '10 of 10 iterations are used'
	assert_equal paused "$(at .status)"
}

@test "hook stop: a file that does not hold is kept as it is, and the session let go" {
	local text

	mkdir .loop
	for text in '' '{"status": "in_progress"' '[]' '{"status": "in_progress", "criteriaStatus": {"a": "yes"}}' $'{"spec": "\xff"}'; do
		printf '%s' "$text" >"$LOOP"
		stop s1 x
		assert_output ''
		[[ -n $stderr ]]
		assert_equal "$text" "$(<"$LOOP")"
	done
}

@test "hook stop: nothing, or nonsense, on standard input" {
	began
	run -0 --separate-stderr wisp hook stop </dev/null
	assert_contains "$output" block
	run -0 --separate-stderr wisp hook stop --no-such-option <<<'[1, 2'
	assert_contains "$output" block
	run -0 --separate-stderr wisp hook stop <<<'{"session_id": 7, "last_assistant_message": {}, "new": [1]}'
	assert_contains "$output" block
}

@test "hook stop: the marker may be in the transcript alone" {
	began
	wisp hook met 1
	wisp hook met 2
	printf '%s\n' '{"type":"user","message":{"content":"<loop-complete>"}}' \
		'{"type":"assistant","message":{"content":[{"type":"text","text":"all done\n<loop-complete>"}]}}' \
		'{"type":"assistant","message":{"content":[{"type":"tool_use","name":"x"}]}}' '{"type":"system"}' >t.jsonl
	printf '{"session_id": "s1", "cwd": "%s", "transcript_path": "%s"}' "$PWD" "$PWD/t.jsonl" >stdin
	run -0 --separate-stderr wisp hook stop <stdin
	assert_output ''
	assert_equal completed "$(at .status)"
}

@test "hook stop: a check alone says whether its criterion is met" {
	began --verify 'no lint=test -e lint.ok'
	run -100 wisp hook met 'no lint'
	assert_contains "$output" 'is decided by its check only'
	wisp hook met 'tests pass'
	stop s1 x
	assert_contains "$output" 'its check does not hold: test -e lint.ok'
	touch lint.ok
	stop s1 '<loop-complete>'
	assert_output ''
	assert_equal true "$(at '.criteriaStatus["no lint"]')"
	wisp hook cancel || :
}

@test "hook stop: what an agent claims of a criterion with a check is put right" {
	began --verify 'no lint=false'
	wisp hook met 1
	sed 's/"no lint": false/"no lint": true/' "$LOOP" >new
	mv new "$LOOP"
	stop s1 '<loop-complete>'
	assert_contains "$output" '"reason":"unmet: no lint'
	assert_equal false "$(at '.criteriaStatus["no lint"]')"
}

@test "hook: errors as the seed's table has them" {
	began
	assert_equal in_progress "$(wisp hook error --type transient 'timeout')"
	wisp hook step-done one
	assert_equal in_progress "$(wisp hook error --type transient 'timeout')"
	assert_equal paused "$(wisp hook error --type transient 'timeout')"
	wisp hook resume
	assert_equal in_progress "$(wisp hook error --type logic 'test failed')"
	assert_equal in_progress "$(wisp hook error --type logic 'test failed')"
	assert_equal paused "$(wisp hook error --type logic 'test failed')"
	wisp hook resume
	assert_equal paused "$(wisp hook error --type blocking 'no key')"
	wisp hook resume
	assert_equal paused "$(wisp hook error 'what?')"
	assert_equal logic "$(at '.metadata.errors[3].type')"
	run -100 wisp hook error --type odd x
}

@test "hook: verbs that have no loop, or are not now" {
	run -102 wisp hook met a
	assert_contains "$output" 'there is no loop here'
	run -102 wisp hook status
	began
	run -100 wisp hook met nothing
	assert_contains "$output" '1. tests pass'
	run -100 wisp hook step-done three
	run -100 wisp hook cost -1
	wisp hook cancel
	run -100 wisp hook pause
	assert_contains "$output" 'cancelled'
	assert_contains "$(wisp hook status)" $'status     cancelled\n'
	run -100 wisp hook resume
	run -100 wisp hook nothing
}

@test "hook: a change touches only its own bytes" {
	mkdir .loop
	printf '{"spec":"x",\n\t"criteria": [ "a" ],  "criteriaStatus":{"a":false}, "status" : "in_progress",\n "n": 12345678901234567890, "own": 1.10}' >"$LOOP"
	wisp hook met a
	assert_contains "$(<"$LOOP")" $'{"spec":"x",\n\t"criteria": [ "a" ],  "criteriaStatus":{"a":true}, "status" : "in_progress",\n "n": 12345678901234567890, "own": 1.10'
}

@test "hook session-start: an active loop, with what remains; another session's with its age" {
	began
	run -0 --separate-stderr wisp hook session-start <<<"{\"session_id\": \"s1\", \"cwd\": \"$PWD\", \"source\": \"startup\"}"
	assert_contains "$output" 'A loop is active'
	assert_contains "$output" '- tests pass'
	assert_contains "$output" '- one'
	run -0 --separate-stderr wisp hook session-start <<<"{\"session_id\": \"s1\", \"cwd\": \"$PWD\", \"source\": \"compact\"}"
	assert_contains "$output" 'A loop is active'
	run -0 --separate-stderr wisp hook session-start <<<"{\"session_id\": \"s2\", \"cwd\": \"$PWD\", \"source\": \"startup\"}"
	assert_contains "$output" "Another session's loop is active here"
	assert_contains "$output" 'wisp hook resume'
	wisp hook cancel
	run -0 --separate-stderr wisp hook session-start <<<'{"session_id": "s1"}'
	assert_output ''
}

@test "hook session-start: after a clear or a resume the person, too, is told of the loop of the session before" {
	local source

	began
	stop s1 no
	for source in clear resume; do
		run -0 --separate-stderr wisp hook session-start <<<"{\"session_id\": \"s2\", \"cwd\": \"$PWD\", \"source\": \"$source\"}"
		echo "$output" >answer.json
		assert_contains "$(wisp-state get -f answer.json .systemMessage)" 'wisp hook resume'
		assert_equal SessionStart "$(wisp-state get -f answer.json .hookSpecificOutput.hookEventName)"
		assert_contains "$(wisp-state get -f answer.json .hookSpecificOutput.additionalContext)" "Another session's loop is active here"
	done
	# Its own loop, or one that it can take, is news for the model alone.
	run -0 wisp hook session-start <<<"{\"session_id\": \"s1\", \"cwd\": \"$PWD\", \"source\": \"resume\"}"
	assert_contains "${lines[0]}" 'A loop is active'
	wisp hook resume
	run -0 wisp hook session-start <<<"{\"session_id\": \"s2\", \"cwd\": \"$PWD\", \"source\": \"clear\"}"
	assert_contains "${lines[0]}" 'A loop is active'
}

# deep SESSION: its Stop hook, called where its shell stands now: below the project, beside another loop's file.
deep()
{
	run -0 --separate-stderr wisp hook stop <<<"{\"session_id\": \"$1\", \"cwd\": \"$PROJECT/src/deep\"}"
}

@test "hook stop: the loop of the session, or one that is free, wins over a nearer file that is over, another's, or broken" {
	local near=$PROJECT/src/deep/.loop/state.json text

	began
	mkdir -p src/deep/.loop
	for text in '{"status": "completed", "criteria": ["other"], "session_id": "s1"}' \
		'{"status": "in_progress", "criteria": ["other"], "session_id": "s9"}' '{"status": "in_'; do
		printf '%s' "$text" >"$near"
		deep s1
		assert_contains "$output" 'unmet: tests pass'
		assert_equal "$text" "$(<"$near")"
	done
	assert_contains "$stderr" "passed over: $near:1:"
	assert_equal 3 "$(at .iteration)"
	# So it is for what the session says of it.
	cd src/deep
	wisp hook met 1
	cd "$PROJECT"
	assert_equal true "$(at '.criteriaStatus["tests pass"]')"
	# Another session, which finds nothing to take, has the nearest.
	deep s2
	assert_equal '' "$output"
	assert_lacks "$stderr" 'passed over'
	rm -r src/deep
	deep s1
	assert_contains "$output" 'unmet: no lint'
	assert_equal 4 "$(at .iteration)"
}

@test "hook session-start: within 2 KB whatever the loop holds" {
	local i args=()
	for ((i = 0; i < 60; i++)); do
		args+=(--criterion "criterion $i $(printf '%0100d' "$i")")
	done
	wisp hook start "$(printf '%01000d' 7)" "${args[@]}"
	run -0 --separate-stderr wisp hook session-start <<<'{}'
	((${#output} <= 2048))
}

@test "hook install: into a settings file that people keep, once, and out again byte for byte" {
	mkdir .claude
	printf '{\n    "model": "x",\n    "hooks": {\n        "Stop": [\n            {"hooks": [{"type": "command", "command": "say done"}]}\n        ]\n    },\n    "n": 1.10\n}\n' >.claude/settings.json
	cp .claude/settings.json before
	run -0 wisp hook install --dry-run
	assert_contains "$output" "--- $PROJECT/.claude/settings.json
+++ $PROJECT/.claude/settings.json
"
	assert_contains "$output" "this would be changed in $PROJECT/.claude/settings"
	assert_contains "$output" '+'
	assert_contains "$output" 'session-start'
	cmp before .claude/settings.json
	wisp hook install
	assert_equal 1 "$(grep -c "wisp-hook' stop" .claude/settings.json)"
	assert_contains "$(<.claude/settings.json)" '"n": 1.10'
	assert_contains "$(<.claude/settings.json)" '{"hooks": [{"type": "command", "command": "say done"}]}'
	cp .claude/settings.json once
	run -0 wisp hook install
	assert_contains "$output" 'already'
	cmp once .claude/settings.json
	wisp hook uninstall
	cmp before .claude/settings.json
	run -0 wisp hook uninstall
	assert_contains "$output" 'no hook of wisp'
}

@test "hook install: local and user scope; a malformed file is refused" {
	wisp hook install --local
	[[ -e .claude/settings.local.json && ! -e .claude/settings.json ]]
	HOME=$BATS_TEST_TMPDIR/home wisp hook install --user
	[[ -e $BATS_TEST_TMPDIR/home/.claude/settings.json ]]
	printf '{"hooks": ' >.claude/settings.json
	run -102 wisp hook install
	assert_contains "$output" 'settings.json:1:'
	assert_equal '{"hooks": ' "$(<.claude/settings.json)"
	printf '{"hooks": []}' >.claude/settings.json
	run -102 wisp hook install
	assert_contains "$output" 'hooks'
	run -100 wisp hook install --local --user
}

@test "hook install: the command that it names answers" {
	local command

	wisp hook install
	began
	command=$(wisp-state get -f .claude/settings.json '.hooks.Stop[0].hooks[0].command')
	run -0 env -i PATH=/usr/bin:/bin HOME=/nowhere sh -c "$command" <<<"{\"session_id\": \"s\", \"cwd\": \"$PWD\"}"
	assert_contains "$output" '"decision":"block"'
}

@test "hook graduate: the criteria are a session's tasks" {
	scenario_new
	began --verify 'no lint=test -e lint.ok'
	wisp hook met 'tests pass'
	run -0 wisp hook graduate --branch go --agent replay
	assert_equal graduated "$(at .status)"
	assert_equal true "$(wisp-state -C .wisp/sessions/go get -f tasks '.[0].passes')"
	assert_equal 'no lint' "$(wisp-state -C .wisp/sessions/go get -f tasks '.[1].description')"
	assert_equal 'test -e lint.ok' "$(wisp-state -C .wisp/sessions/go get -f tasks '.[1].verify')"
	# The steps that remain go with what is still to be done.
	assert_equal '[]' "$(wisp-state -C .wisp/sessions/go get -f tasks '.[0].steps')"
	assert_equal two "$(wisp-state -C .wisp/sessions/go get -f tasks '.[1].steps[1]')"
	stop s1 x
	assert_output ''
}

@test "hook stop: the loop of another session is not written to" {
	began
	stop s1 x
	file=$(ls -i "$LOOP")
	stop s2 x
	assert_output ''
	assert_equal "$file" "$(ls -i "$LOOP")"
}

@test "hook status: nothing that an agent wrote reaches the terminal as a control character" {
	began
	printf '{"spec": "s", "status": "odd\\u001b[31m", "pauseReason": "a\\u0007b"}\n' >"$LOOP"
	run -0 wisp hook status
	assert_contains "$output" 'status     odd'
	assert_equal "$output" "$(tr -d '\033\007' <<<"$output")"
}

@test "hook stop: an answer that cannot be written blocks by the exit status" {
	began
	stop s1 'not yet'
	run -2 --separate-stderr bash -c 'wisp hook stop <"$1" >&-' _ "$BATS_TEST_TMPDIR/stdin"
	assert_contains "$stderr" 'unmet: tests pass, no lint'
	[[ ! -s $PROJECT/.loop/.lock ]]
	[[ ! -e /dev/full ]] || run -2 bash -c 'wisp hook stop <"$1" >/dev/full' _ "$BATS_TEST_TMPDIR/stdin"
}

@test "hook stop: a limit on the size of files does not end it" {
	began
	stop s1 'not yet'
	run -0 --separate-stderr bash -c 'ulimit -f 0; exec wisp hook stop <"$1" 2>/dev/null | cat' _ "$BATS_TEST_TMPDIR/stdin"
	assert_contains "$output" '"decision":"block"'
	assert_equal 'make it good' "$(at .spec)"
}

# told TEXT: the Stop hook, with that on its standard input, as printf %b has it.
told()
{
	printf '%b' "$1" >"$BATS_TEST_TMPDIR/stdin"
	run -0 --separate-stderr wisp hook stop <"$BATS_TEST_TMPDIR/stdin"
}

@test "hook stop: whose session it is, is seen in an input that does not hold" {
	local text

	began
	stop s1 x
	for text in '"last_assistant_message": "a\\ud83d"}' '"last_assistant_message": "a\\u0000"}' '"last_assistant_message": "a\xff"}' \
		'"last_assistant_message": "a' '"session_id": "s2"}' '"x": 1} and words' '\0'; do
		told "{\"session_id\": \"s1\", $text"
		assert_contains "$output" '"decision":"block"'
	done
}

@test "hook stop: the end of standard input is not waited for" {
	began
	set -o pipefail
	# The writer is there until the answer is, and gives up before the hook would.
	# shellcheck disable=SC2094 # that is what is looked for
	{
		printf '{"session_id": "s1", "last_assistant_message": "x"}\n'
		wait_until 4 test -s answer
	} | wisp hook stop >answer
	assert_contains "$(<answer)" '"decision":"block"'
	assert_equal s1 "$(at .session_id)"
}

@test "hook stop: a transcript's last message is the one after the last turn of the person, and not a subagent's" {
	local said='{"type":"assistant","message":{"content":[{"type":"text","text":"\ud83d\n<loop-complete>"}]}}'

	began
	wisp hook met 1
	wisp hook met 2
	printf '%s\n' "$said" '{"type":"user","message":{"content":"go on"}}' >t.jsonl
	told "{\"session_id\": \"s1\", \"transcript_path\": \"$PWD/t.jsonl\"}"
	assert_contains "$output" 'alone on a line'
	printf '%s\n' "$said" '{"type":"assistant","isSidechain":true,"message":{"content":"no"}}' '{"type":"assistant","message":{"content":"no"}' >>t.jsonl
	told "{\"session_id\": \"s1\", \"transcript_path\": \"$PWD/t.jsonl\"}"
	assert_output ''
	assert_equal completed "$(at .status)"
}

@test "hook stop: what agents leave in the file does not undo the counting" {
	local i

	mkdir .loop
	printf '{"criteria": ["a"], "criteriaStatus": null, "status": "in_progress", "session_id": "", "metadata": null}' >"$LOOP.real"
	ln -s state.json.real "$LOOP"
	for i in 1 2 3 4; do
		stop s1 x true
	done
	assert_output ''
	assert_equal 4 "$(at .metadata.iteration)"
	assert_equal s1 "$(at .session_id)"
	[[ -L $LOOP ]]
	wisp hook met a
	assert_equal true "$(at .criteriaStatus.a)"
	printf '{"criteria": ["a"], "status": "in_progress", "metadata": {"budget": "5"}}' >"$LOOP"
	stop s1 x
	assert_output ''
	assert_contains "$stderr" 'metadata.budget'
}

@test "hook stop: a criterion of any length leaves room for the others and the next step" {
	local long

	long=$(printf '%0100000d' 7)
	began --criterion "$long" --criterion last
	stop s1 x
	assert_contains "$output" ', last; next: one"'
	((${#output} < 2500))
}

@test "hook stop: a lock that somebody keeps does not keep the session" {
	type -P flock >/dev/null || skip 'flock is not here'
	began
	exec 5>>"$PROJECT/.loop/.lock"
	flock 5
	run -0 --separate-stderr wisp hook stop <<<'{"session_id": "s1"}' 5>&-
	exec 5>&-
	assert_contains "$output" '"decision":"block"'
	assert_contains "$stderr" 'locked by another process'
}

@test "hook stop: a check that nobody allowed is not run, and shown to the person who allows it" {
	began --verify 'no lint=false'
	wisp hook met 1
	sed 's/"no lint": "false"/"no lint": "touch ran"/' "$LOOP" >new
	mv new "$LOOP"
	stop s1 '<loop-complete>'
	assert_contains "$output" 'was not allowed here'
	[[ ! -e ran ]]
	run -0 wisp hook resume --trust
	assert_output 'allowed: touch ran'
	stop s1 '<loop-complete>'
	assert_output ''
	[[ -e ran ]]
	HOME='' WISP_HOME='' XDG_STATE_HOME='' run -102 wisp hook start x --criterion a --verify a=true
	assert_contains "$output" 'HOME is not set'
}

@test "hook stop: who comes while the first session's checks run is another session" {
	began --verify 'no lint=echo seen; mkdir ran && printf "{\"session_id\": \"s2\"}" | wisp hook stop >s2.out && test -e ran'
	printf 'keep\n' >precious
	ln -s ../precious .loop/check.log
	stop s1 x
	assert_equal '' "$(<s2.out)"
	assert_equal s1 "$(at .session_id)"
	assert_contains "$output" 'unmet: tests pass; next'
	assert_equal keep "$(<precious)"
	assert_contains "$(<.loop/check.log)" seen
}

@test "hook: a loop that is over takes no error, and is not graduated" {
	began
	wisp hook pause
	assert_equal paused "$(wisp hook error --type logic 'again')"
	wisp hook cancel
	run -100 wisp hook error x
	run -100 wisp hook graduate --branch go
	assert_contains "$output" 'cancelled'
	assert_equal cancelled "$(at .status)"
}

@test "hook install: byte for byte in files of any hand, and what only looks like ours stays" {
	local text F=.claude/settings.json

	mkdir .claude
	for text in '{"a":1}' '\xef\xbb\xbf{"a":1}\n' '{\r\n\t"a": 1,\r\n\t"b": []\r\n}\r\n' \
		'{      "a":1\n ,"hooks" :\n{ "Stop":[ {"hooks":[]} ,\n  {"matcher":"*","hooks":[]}]}}' \
		'{"hooks": {"Stop": [7, null, {"hooks": 3}, {"hooks": [1, {"command": "echo wisp hook; my stop"}]}]}}'; do
		printf '%b' "$text" >$F
		cp $F before
		wisp hook install
		assert_contains "$(<$F)" 'exec wisp hook session-start"'
		wisp hook uninstall
		cmp before $F
	done
	for text in '{"a": 1} // x' '{"hooks": {}, "hooks": {}}' '{"hooks": {"Stop": {}}}' '{"hooks": null}' '[]'; do
		printf '%s' "$text" >$F
		run -102 wisp hook install
		assert_equal "$text" "$(<$F)"
	done
}

@test "hook install: through a link, in a folder of any name, and shown before" {
	local dir=$'a  b\nc\'d'

	make_repo "$dir"
	cd "$dir"
	mkdir .claude
	printf '{"a": 1}\n' >../dotfile
	ln -s ../../dotfile .claude/settings.json
	run -0 wisp hook install --dry-run
	assert_contains "$output" '-{"a": 1}'
	wisp hook install
	[[ -L .claude/settings.json ]]
	assert_contains "$(<../dotfile)" 'wisp hook stop'
	rm ../dotfile
	run -111 wisp hook install
	[[ -L .claude/settings.json ]]
}

@test "hook install: where wisp was moved the hook finds another, and install names it" {
	local command

	wisp hook install
	began
	sed "s|'[^']*/wisp-hook'|'/gone/wisp-hook'|g" .claude/settings.json >moved
	mv moved .claude/settings.json
	command=$(wisp-state get -f .claude/settings.json '.hooks.Stop[0].hooks[0].command')
	assert_contains "$command" "exec '/gone/wisp-hook' stop"
	run -0 sh -c "$command" <<<'{"session_id": "s"}'
	assert_contains "$output" '"decision":"block"'
	wisp hook install
	run -1 grep gone .claude/settings.json
}

# At each call that changes a file: a full disk, or death.
@test "hook stop: a full disk, or death at any moment, leaves a whole file, and a full disk an answer" {
	local k=0 what
	load fault/helper-fault

	began --max-iterations 50
	stop s1 x
	CALL=first
	WORLD=$PROJECT
	while [[ -n $CALL ]]; do
		k=$((k + 1))
		for what in kill ENOSPC; do
			FULL=1 with_fault "$k" "$what" wisp-hook stop <"$BATS_TEST_TMPDIR/stdin"
			assert_equal 'in_progress s1' "$(at .status) $(at .session_id)"
			[[ $what == kill ]] || assert_equal "0 $output" "$STATUS $(<"$BATS_TEST_TMPDIR/said")"
		done
	done
	((k > 3)) || fail "$k calls"
	[[ -n $(find .loop -name '.*.wisp-*') ]]
	wisp hook session-start <"$BATS_TEST_TMPDIR/stdin"
	assert_no_litter
}
