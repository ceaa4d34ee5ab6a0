# wisp log: what the agent did, from the history and the steps' own files.

load helper
load helper-session
load helper-scenario

setup()
{
	make_repo project
	cd project || return 1
}

teardown()
{
	session_drop
	helper_teardown
}

three()
{
	session_make main count=3 history="[$(session_entry 1 summary='first'), $(session_entry 2 outcome=error \
		error='it broke' verify=none), $(session_entry 3 summary='third' verify=failed)]"
}

@test "a block for each iteration, oldest first" {
	three
	mkdir -p "$DIR/steps/0003" "$DIR/steps/0003.2"
	run -0 --separate-stderr wisp log
	assert_output "iteration 1  2026-01-16T10:00:00Z, 3m05s: ok, CONTINUE
  summary   first
  tasks     1 of 3 pass
  verify    passed
  cost      \$0.21
  files     src/a.c README
iteration 2  2026-01-16T10:00:00Z, 3m05s: error, CONTINUE
  summary   step 2
  error     it broke
  tasks     1 of 3 pass
  verify    none
  cost      \$0.21
  files     src/a.c README
iteration 3  2026-01-16T10:00:00Z, 3m05s: ok, CONTINUE
  summary   third
  tasks     1 of 3 pass
  verify    failed
  cost      \$0.21
  files     src/a.c README
  step      $DIR/steps/0003.2"
	assert_stderr ''
}

@test "only the last ones; as JSON" {
	three
	run -0 wisp log -n 1 main
	assert_equal 'iteration 3  2026-01-16T10:00:00Z, 3m05s: ok, CONTINUE' "${lines[0]}"
	assert_equal 6 "${#lines[@]}"
	run -0 wisp log -n2 --json
	assert_equal '[2,3]' "$("$JQ" -c '[.[].iteration]' <<<"$output")"
	run -0 wisp log -n 0
	assert_output ''
	run -100 --separate-stderr wisp log -n x
	assert_stderr "wisp log: option '-n' needs a whole number, not 'x'"
	run -100 --separate-stderr wisp log --json -f
	assert_stderr 'wisp log: --json goes with no other way to show it'
}

@test "what is not there is not shown; long lists are cut" {
	local files
	files=$(printf '"a-file-of-some-length-%s",' 1 2 3 4 5 6 7 8 9)
	session_make main count=1 history="[{\"iteration\": 1, \"outcome\": \"ok\", \"state\": \"missing\", \"status\": null,
		\"files\": [${files%,}], \"tampered\": [\"session.json\"]}]"
	run -0 wisp log
	assert_output 'iteration 1  -, -: ok, state.json missing
  tasks     - of - pass
  files     a-file-of-some-length-1 a-file-of-some-length-2 a-file-of-some-length-3 a-file-of-some-length-4 a-file-of-some-length-5 a-file-of-some-length-6 and 3 more
  tampered  session.json'
	session_make main
	run -0 --separate-stderr wisp log
	assert_output ''
	assert_stderr ''
}

@test "the raw output is the agent's, byte for byte" {
	scenario_new
	scenario_step 1 --status CONTINUE --output $'one\tline'
	scenario_step 2 --status CONTINUE --output '{"half": '
	session_run main2 1 --max-iterations 2
	assert_equal 13 "$status"
	run -0 wisp log main2 --raw
	assert_output '{"half": '
	run -0 wisp log main2 --raw -n 2
	assert_output $'one\tline\n{"half": '
	session_make none
	run -0 --separate-stderr wisp log none --raw
	assert_output ''
	assert_stderr ''
}

# events LINE...: what --events shows of a step that printed them.
events()
{
	session_make main count=1 history="[$(session_entry 1)]"
	mkdir -p "$DIR/steps/0001"
	printf '%s\n' "$@" >"$DIR/steps/0001/output.log"
	run -0 --separate-stderr wisp log --events
	assert_stderr ''
	output=${output#*"$DIR/steps/0001"}
	output=${output#$'\n'}
}

@test "events of claude, qwen and amp as text" {
	events '{"type": "system", "subtype": "init", "cwd": "/repo"}' \
		'{"type": "assistant", "message": {"content": [{"type": "text", "text": "First\n\n  second \u001b[1m"}, {"type": "tool_use", "name": "Bash", "input": {"command": "make\n-s", "description": "no"}}]}}' \
		'{"type": "user", "message": {"content": [{"type": "tool_result", "content": "boom", "is_error": true}, {"type": "text", "text": "echo"}]}}' \
		'{"type": "assistant", "message": {"content": [{"type": "tool_use", "name": "Read", "input": {"file_path": "/a"}}, {"type": "tool_use", "name": "Odd", "input": {"x": 1}}]}}' \
		'{"type": "user", "message": {"content": [{"type": "tool_result", "content": "fine"}]}}' \
		'{"type": "result", "subtype": "success", "is_error": false, "result": "First"}'
	assert_output '    First
    second [1m
  > Bash: make -s
  ! failed: boom
  > Read: /a
  > Odd
  = success'
}

@test "events of codex" {
	events '{"type":"item.started","item":{"type":"command_execution","command":"ls"}}' \
		'{"type":"item.completed","item":{"type":"reasoning","text":"hm"}}' \
		'{"type":"item.completed","item":{"type":"command_execution","command":"ls","exit_code":2}}' \
		'{"type":"item.completed","item":{"type":"file_change","changes":[{"path":"a.c"}]}}' \
		'{"type":"item.completed","item":{"type":"agent_message","text":"Done."}}' \
		'{"type":"turn.failed","error":{"message":"over"}}'
	assert_output '  > command_execution: ls
  ! failed: 2
  > file_change: a.c
    Done.
  ! failed: over'
}

@test "events of gemini, whose words come in pieces" {
	events '{"type":"message","role":"user","content":"the prompt"}' \
		'{"type":"message","role":"assistant","content":"Rea","delta":true}' \
		'{"type":"message","role":"assistant","content":"ding.","delta":true}' \
		'{"type":"tool_use","tool_name":"run_shell_command","parameters":{"command":"cat x"}}' \
		'{"type":"tool_result","status":"error","output":"no x"}' \
		'{"type":"message","role":"assistant","content":"End","delta":true}'
	assert_output '    Reading.
  > run_shell_command: cat x
  ! failed: no x
    End'
}

@test "events of opencode and copilot" {
	events '{"type":"text","part":{"type":"text","text":"Hello."}}' \
		'{"type":"tool_use","part":{"tool":"bash","state":{"status":"completed","input":{"command":"x"},"metadata":{"exit":7}}}}' \
		'{"type":"tool_use","part":{"tool":"edit","state":{"status":"error","input":{"filePath":"f"},"error":"denied"}}}' \
		'{"type":"assistant.message","data":{"content":"Hi."}}' \
		'{"type":"tool.execution_start","data":{"toolName":"create","arguments":{"path":"p"}}}' \
		'{"type":"tool.execution_complete","data":{"success":false,"error":{"message":"no"}}}' \
		'{"type":"result","exitCode":0}'
	assert_output '    Hello.
  > bash: x
  ! failed: 7
  > edit: f
  ! failed: denied
    Hi.
  > create: p
  ! failed: no
  = ended'
}

@test "what is no event is shown as it is, in one line" {
	events 'plain words' '' $'bell\a and \xff byte' '{"type": "assistant", ' "$(printf 'x%.0s' {1..5000})"
	assert_equal '    plain words' "${output%%$'\n'*}"
	assert_contains "$output" $'\n    bell and \xef\xbf\xbd byte\n'
	assert_equal 4 "$(wc -l <<<"$output")"
	((${#output} < 600))
}

@test "following shows what has been, and ends where no loop lives" {
	three
	run -0 --separate-stderr wisp log -f -n 1
	assert_equal 6 "${#lines[@]}"
	assert_contains "$output" 'iteration 3'
	assert_stderr ''
}

# step_at NUMBER STAGE ENTRY...: the record of a loop that has come to there.
step_at()
{
	local number=$1 stage=$2 history
	shift 2
	history=$(printf '%s,' "$@")
	session_make main status=running count="$number" pid="$OWNER" history="[${history%,}]" \
		step="{\"iteration\": $number, \"name\": \"000$number\", \"stage\": \"$stage\"}"
}

@test "following shows output and iterations as they come, until the loop ends" {
	local go=$BATS_TEST_TMPDIR/go out=$BATS_TEST_TMPDIR/out
	three
	mkfifo "$go"
	mkdir -p "$DIR/steps/0004" "$DIR/steps/0005"
	printf '{"type":"text","part":{"text":"first words"}}\n{"type":"te' >"$DIR/steps/0004/output.log"
	session_hold "read -r <'$go'; exit"
	step_at 4 begun "$(session_entry 3)"
	wisp log -f -n 1 >"$out.text" 3>&- &
	wisp log -f --raw >"$out.raw" 3>&- &
	wait_until 10 grep -q 'first words' "$out.raw"
	wait_until 10 grep -q 'first words' "$out.text"
	printf 'xt","part":{"text":"last words"}}\n' >>"$DIR/steps/0004/output.log"
	wait_until 10 grep -q 'last words' "$out.text"
	step_at 4 recorded "$(session_entry 3)" "$(session_entry 4 summary=fourth)"
	wait_until 10 grep -q fourth "$out.text"
	printf 'of the fifth' >"$DIR/steps/0005/output.log"
	step_at 5 begun "$(session_entry 3)" "$(session_entry 4 summary=fourth)"
	wait_until 10 grep -q 'of the fifth' "$out.raw"
	wait_until 10 grep -q 'iteration 5 runs' "$out.text"
	step_at 5 recorded "$(session_entry 3)" "$(session_entry 4 summary=fourth)" "$(session_entry 5 summary=fifth)"
	echo >"$go"
	wait %?text %?raw
	assert_equal "$(<"$DIR/steps/0004/output.log")
of the fifth" "$(<"$out.raw")"
	assert_equal 'iteration 3
iteration 4 runs
    first words
    last words
iteration 4
iteration 5 runs
    of the fifth
iteration 5' "$(sed -n 's/^\(iteration [0-9]*\)  .*/\1/p; /^iteration [0-9]* runs/p; /^    /p' "$out.text")"
}
