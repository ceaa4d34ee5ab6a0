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
	echo 'what it said' >"$DIR/steps/0003.2/output.log"
	run -0 --separate-stderr wisp log --short
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

@test "what the agent said stands between what the iteration was and what came of it" {
	three
	mkdir -p "$DIR/steps/0002" "$DIR/steps/0003"
	echo 'said in 2' >"$DIR/steps/0002/output.log"
	echo 'said in 3' >"$DIR/steps/0003/output.log"
	run -0 --separate-stderr wisp log
	assert_stderr ''
	assert_equal 'iteration 1
iteration 2
    said in 2
  summary   step 2
iteration 3
    said in 3
  summary   third' "$(sed -n 's/^\(iteration [0-9]*\)  .*/\1/p; /^    /p; /^  summary   [^f]/p' <<<"$output")"
}

# many N: a session of N iterations, each with a step folder.
many()
{
	local i history=''
	for ((i = 1; i <= $1; i++)); do
		history+=${history:+,}$(session_entry "$i")
	done
	session_make main count="$1" history="[$history]"
}

@test "ten iterations if nothing else is said" {
	many 12
	run -0 wisp log
	assert_equal 10 "$(grep -c '^iteration' <<<"$output")"
	assert_contains "${lines[0]}" 'iteration 3 '
	run -0 wisp log --all
	assert_equal 12 "$(grep -c '^iteration' <<<"$output")"
	run -0 wisp log --short
	assert_equal 12 "$(grep -c '^iteration' <<<"$output")"
	run -0 wisp log -n 11
	assert_equal 11 "$(grep -c '^iteration' <<<"$output")"
}

@test "the iteration that runs is shown as far as it is" {
	session_make main
	session_hold
	step_at 2 begun "$(session_entry 1)"
	mkdir -p "$DIR/steps/0002"
	printf 'at work\nhalf a li' >"$DIR/steps/0002/output.log"
	run -0 --separate-stderr wisp log -n 1
	assert_output 'iteration 2  2026-01-16T10:10:00Z: runs
    at work
    half a li'
	run -0 wisp log
	assert_contains "${lines[0]}" 'iteration 1 '
	session_drop
	run -0 wisp log --short -n 1
	assert_output 'iteration 2  2026-01-16T10:10:00Z: was cut off'
}

@test "only the last ones; as JSON" {
	three
	run -0 wisp log --short -n 1 main
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
	run -100 --separate-stderr wisp log --short --raw
	assert_stderr 'wisp log: --short shows nothing of the output, --raw and --all do'
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
	run -0 wisp log main2 --raw --all
	assert_output $'one\tline\n{"half": '
	session_make none
	run -0 --separate-stderr wisp log none --raw
	assert_output ''
	assert_stderr ''
}

# events LINE...: what is shown of a step that printed them.
events()
{
	session_make main count=1 history="[$(session_entry 1)]"
	mkdir -p "$DIR/steps/0001"
	printf '%s\n' "$@" >"$DIR/steps/0001/output.log"
	show
}

show()
{
	run -0 --separate-stderr wisp log
	assert_stderr ''
	output=${output#*$'\n'}
	output=${output%%$'\n  summary '*}
}

@test "events of claude, qwen and amp as text" {
	events '{"type": "system", "subtype": "init", "cwd": "/repo"}' \
		'{"type": "assistant", "message": {"content": [{"type": "text", "text": "First\n\n  second \u001b[1m"}, {"type": "tool_use", "name": "Bash", "input": {"command": "make\n-s", "description": "no"}}]}}' \
		'{"type": "user", "message": {"content": [{"type": "tool_result", "content": "boom", "is_error": true}, {"type": "text", "text": "echo"}]}}' \
		'{"type": "assistant", "message": {"content": [{"type": "tool_use", "name": "Read", "input": {"file_path": "/a"}}, {"type": "tool_use", "name": "Odd", "input": {"x": 1}}]}}' \
		'{"type": "user", "message": {"content": [{"type": "tool_result", "content": "fine"}, {"type": "tool_result", "content": [{"type": "text", "text": "[one]\ntwo"}]}, {"type": "tool_result", "content": ""}]}}' \
		'{"type": "result", "subtype": "success", "is_error": false, "result": "First", "num_turns": 3, "total_cost_usd": 0.21}'
	assert_output '    First
      second [1m
  > Bash: make -s
  ! failed: boom
  > Read: /a
  > Odd
  < fine
  < [one] two
  < (nothing)
  = success, 3 turns, $0.21'
}

@test "claude: retries, limits, denials, failures, and a result that is all there is" {
	events '{"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"retry_delay_ms":2334.09,"error_status":429,"error":"rate_limit"}' \
		'{"type":"system","subtype":"api_retry","attempt":2,"max_retries":10,"retry_delay_ms":500,"error_status":null,"error":"unknown"}' \
		'{"type":"rate_limit_event","rate_limit_info":{"status":"allowed"}}' \
		'{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1795900000,"rateLimitType":"five_hour"}}' \
		'{"type":"system","subtype":"status","status":"busy"}' '{"type":"new_kind","text":"x"}' \
		'{"type":"result","subtype":"success","is_error":true,"result":"Over.","errors":["why"],"permission_denials":[{"tool_name":"Bash","tool_input":{"command":"git push"}}]}'
	assert_output '  ~ retry 1 of 10 in 2s: rate_limit (429)
  ~ retry 2 of 10 in 500ms: unknown
  ~ limit five_hour: rejected, resets at 2026-11-28T21:06:40+00:00
  ~ denied: Bash: git push
    Over.
  ! failed: why
  = failed'
}

@test "events of codex" {
	events '{"type":"item.started","item":{"id":"1","type":"command_execution","command":"ls"}}' \
		'{"type":"error","message":"Reconnecting... 1/5 (gone)"}' \
		'{"type":"item.completed","item":{"id":"0","type":"reasoning","text":"hm"}}' \
		'{"type":"item.completed","item":{"id":"1","type":"command_execution","command":"ls","aggregated_output":"no ls\n","exit_code":2}}' \
		'{"type":"item.completed","item":{"id":"2","type":"command_execution","command":"id","aggregated_output":"root\n","exit_code":0}}' \
		'{"type":"item.completed","item":{"id":"3","type":"file_change","changes":[{"path":"a.c"}],"status":"failed"}}' \
		'{"type":"item.completed","item":{"id":"4","type":"error","message":"a warning"}}' \
		'{"type":"item.completed","item":{"id":"5","type":"agent_message","text":"Done."}}' \
		'{"type":"turn.completed","usage":{"input_tokens":12345,"output_tokens":7}}' \
		'{"type":"error","message":"no way"}' \
		'{"type":"turn.failed","error":{"message":"over"}}'
	assert_output '  > command_execution: ls
  ~ Reconnecting... 1/5 (gone)
  ! failed: exit status 2: no ls
  > command_execution: id
  < root
  > file_change: a.c
  ! failed: failed
  ~ a warning
    Done.
  = completed, 12345 tokens in, 7 out
  ! failed: no way
  = failed: over'
}

@test "events of gemini, whose words come in pieces" {
	events '{"type":"message","role":"user","content":"the prompt"}' \
		'{"type":"message","role":"assistant","content":"Rea","delta":true}' \
		'{"type":"message","role":"assistant","content":"ding.\nThe sec","delta":true}' \
		'{"type":"message","role":"assistant","content":"ond line","delta":true}' \
		'{"type":"tool_use","tool_name":"run_shell_command","parameters":{"command":"cat x"}}' \
		'{"type":"tool_result","status":"error","output":"no x"}' \
		'{"type":"tool_use","tool_name":"write_file","parameters":{"file_path":"f"}}' \
		'{"type":"tool_result","status":"success","output":"done"}' \
		'{"type":"message","role":"assistant","content":"End","delta":true}' \
		'{"type":"result","status":"error","error":{"message":"quota"},"stats":{"input_tokens":5,"output_tokens":6}}'
	assert_output '    Reading.
    The second line
  > run_shell_command: cat x
  ! failed: no x
  > write_file: f
  < done
    End
  ! failed: quota
  = error, 5 tokens in, 6 out'
}

@test "events of opencode, whose cost adds up" {
	events '{"type":"text","sessionID":"s","part":{"type":"text","text":"Hello."}}' \
		'{"type":"tool_use","sessionID":"s","part":{"tool":"bash","state":{"status":"completed","input":{"command":"x"},"output":"oh","metadata":{"exit":7}}}}' \
		'{"type":"step_finish","sessionID":"s","part":{"reason":"tool-calls","cost":0.5,"tokens":{"input":1,"output":2}}}' \
		'{"type":"tool_use","sessionID":"s","part":{"tool":"edit","state":{"status":"error","input":{"filePath":"f"},"error":"denied"}}}' \
		'{"type":"tool_use","sessionID":"s","part":{"tool":"read","state":{"status":"completed","input":{"filePath":"f"},"output":"text"}}}' \
		'{"type":"step_finish","sessionID":"s","part":{"reason":"stop","cost":0.25,"tokens":{"input":3,"output":4}}}' \
		'{"type":"error","sessionID":"s","error":{"name":"APIError","data":{"message":"slow down","statusCode":429}}}'
	assert_output '    Hello.
  > bash: x
  ! failed: exit status 7: oh
  > edit: f
  ! failed: denied
  > read: f
  < text
  = stop, 4 tokens in, 6 out, $0.75
  ! failed: slow down (429)'
}

@test "events of copilot" {
	events '{"type":"user.message","data":{"content":"the prompt"}}' \
		'{"type":"assistant.message_delta","data":{"deltaContent":"H"}}' \
		'{"type":"assistant.message","data":{"content":"Hi."}}' \
		'{"type":"tool.execution_start","data":{"toolName":"create","arguments":{"path":"p"}}}' \
		'{"type":"tool.execution_complete","data":{"success":false,"error":{"message":"no"}}}' \
		'{"type":"tool.execution_complete","data":{"success":true,"result":{"content":"yes"}}}' \
		'{"type":"model.call_failure","data":{"statusCode":500,"errorMessage":"oops"}}' \
		'{"type":"assistant.turn_retry","data":{"reason":"api_error"}}' \
		'{"type":"session.error","data":{"message":"gave up"}}' \
		'{"type":"result","exitCode":1}' '{"type":"result","exitCode":0}'
	assert_output '    Hi.
  > create: p
  ! failed: no
  < yes
  ~ the call failed (500): oops
  ~ retry: api_error
  ! failed: gave up
  = failed, exit status 1
  = success'
}

@test "what is no event is shown as it is, safe for a terminal" {
	events 'plain words' '' $'bell\a \e[31mred \xc2\x9b1m and \xff byte' '{"type": "assistant", ' '{"level": "info", "text": "\u001b[1m"}' \
		$'\tindented' '[1, 2]' "$(printf 'x%.0s' {1..30000})"
	assert_equal $'    plain words
    bell [31mred 1m and \xef\xbf\xbd byte
    {"type": "assistant",
    {"level": "info", "text": "\\u001b[1m"}
            indented
    [1, 2]' "$(head -n 6 <<<"$output")"
	assert_equal 7 "$(wc -l <<<"$output")"
	((${#output} < 17000))
	printf 'nul\0nul\r\n\r\n\0\0\n{"type":"assistant","message":{"content":[{"type":"text","text":"\\u0007\\u009b"}]}}' >"$DIR/steps/0001/output.log"
	show
	assert_output '    nul nul'
}

@test "huge lines: a message, a result, and no line end at all" {
	local wide
	wide=$(printf '%0400000d' 1)
	events "{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"a\\n$wide\"}]}}" \
		"{\"type\":\"user\",\"message\":{\"content\":[{\"type\":\"tool_result\",\"content\":\"$wide\"}]}}"
	assert_equal 4 "$(wc -l <<<"$output")"
	assert_equal '  ~ the message is longer than that' "${lines[3]}"
	assert_equal '  < 0000' "${lines[4]:0:8}"
	((${#lines[4]} < 210))
	printf '{"type":"user","x":"%s%s%s' "$wide" "$wide" "$wide" >"$DIR/steps/0001/output.log"
	show
	assert_equal '    {"type":"user","x":"000' "${output:0:27}"
	((${#output} < 210))
}

# bytes_read COMMAND...: how many bytes it and what it started have read; its output goes to SHOWN.
bytes_read()
{
	[[ -r /proc/self/io ]] || skip 'the kernel does not count what is read'
	# shellcheck disable=SC2016 # it is the new shell that expands
	bash -c '"$@" >"$0" && while read -r name n; do [[ $name != rchar: ]] || echo "$n"; done </proc/$$/io' "$SHOWN" "$@"
}

@test "of 200 MB the end is shown, and no more than that is read" {
	local bytes i line SHOWN=$BATS_TEST_TMPDIR/shown
	events first
	{
		head -c 1000000 /dev/zero | tr '\0' '\n'
		line=$(printf '{"type":"text","sessionID":"s","part":{"text":"%0500d"}}' 1)
		for ((i = 0; i < 2400; i++)); do printf '%s\n' "$line"; done
		printf '{"type":"text","sessionID":"s","part":{"text":"the last words"}}\n'
	} >end
	truncate -s 200000000 "$DIR/steps/0001/output.log"
	cat end >>"$DIR/steps/0001/output.log"
	bytes=$(bytes_read wisp log)
	((bytes < 4000000)) || fail "$bytes bytes were read"
	assert_equal '  ... 201' "$(sed -n '2s/\(.\{9\}\).*/\1/p' "$SHOWN")"
	assert_contains "$(sed -n 2p "$SHOWN")" ' kB before this; --all shows them'
	assert_equal '    000' "$(sed -n '3s/\(.\{7\}\).*/\1/p' "$SHOWN")"
	assert_contains "$(tail -n 8 "$SHOWN")" '    the last words'
	bytes=$(bytes_read wisp log --all)
	((bytes > 200000000)) || fail "only $bytes bytes were read"
	assert_contains "$(tail -n 8 "$SHOWN")" '    the last words'
	assert_lacks "$(head -n 2 "$SHOWN")" before
}

@test "of 200 MB nothing is kept" {
	local before
	events first
	measure()
	{
		wisp-agent run --keep-env --log log --result step.json --format text -- wisp-session log --events --all "$@"
		sed -n 's/.*"peak_rss_kb": \([0-9]*\).*/\1/p' step.json
	}
	before=$(measure main)
	truncate -s 200000000 "$DIR/steps/0001/output.log"
	printf '\nthe last words' >>"$DIR/steps/0001/output.log"
	(($(measure main) < before + 2048)) || fail "more than $before kB"
	assert_contains "$(<log)" 'the last words'
}

@test "following shows what has been, and ends where no loop lives" {
	three
	run -0 --separate-stderr wisp log -f --short -n 1
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
		step="{\"iteration\": $number, \"name\": \"000$number\", \"stage\": \"$stage\", \"started_at\": \"2026-01-16T10:10:00Z\"}"
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

@test "following begins at the end of a long output, and Ctrl-C ends it" {
	local out=$BATS_TEST_TMPDIR/out rc=0 pid
	session_make main
	session_hold
	step_at 4 begun "$(session_entry 3)"
	mkdir -p "$DIR/steps/0004"
	truncate -s 200000000 "$DIR/steps/0004/output.log"
	printf '\nnow\n' >>"$DIR/steps/0004/output.log"
	set -m # a group of its own, as on a terminal
	wisp log -f >"$out" 2>&1 3>&- &
	pid=$!
	set +m
	wait_until 10 grep -q '^    now' "$out"
	printf 'and then\n' >>"$DIR/steps/0004/output.log"
	wait_until 10 grep -q '^    and then' "$out"
	kill -INT -- "-$pid"
	wait "$pid" || rc=$?
	assert_equal 130 "$rc"
	assert_equal '    and then' "$(tail -n 1 "$out")"
}
