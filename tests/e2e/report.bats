#!/usr/bin/env bats
# What a run says at its end, and `--json`.

load ../helper
load ../helper-scenario
load helper-e2e

setup()
{
	project
}

# result PATH: of the document in $output; the real jq, as an outside judge.
result()
{
	"$JQ" -c "$1" <<<"$output"
}

# run_json CODE COMMAND...: the document alone is on stdout.
run_json()
{
	local code=$1
	shift

	run --separate-stderr wisp "${OPTIONS[@]}" "$@" --json </dev/null
	[[ $status == "$code" ]] || fail "expected exit $code, not $status" "$output" "$stderr"
	"$JQ" -e 'type == "object" and .version == 1' <<<"$output" >/dev/null || fail "no document" "$output"
	assert_contains "$stderr" 'wisp: '
}

tasks()
{
	scenario_tasks "$1" >"$BATS_TEST_TMPDIR/tasks.json"
	TASKS=$BATS_TEST_TMPDIR/tasks.json
}

@test "run --json: claimed, observed, verified; commits, steps, and what to type next" {
	OPTIONS=(-c verify.command='test ! -e bad')
	tasks 3
	scenario_step 1 --effects 'echo a >a' --pass 1 --commit 'add a' --status CONTINUE --summary 'added a'
	scenario_step 2 --effects 'touch bad' --pass 2 --status CONTINUE
	scenario_step 3 --effects 'rm bad; echo b >b' --pass 2 --status CONTINUE
	scenario_step 4 --effects 'echo c >c' --pass 3 --status DONE --promise
	run_json 0 run work --agent replay --tasks "$TASKS"
	assert_equal '["completed",0,"every gate held",false]' "$(result '[.result,.exit,.reason,.unverified]')"
	assert_equal '[[1,1,0,1,"passed",true],[2,2,1,3,"passed",true],[3,1,0,4,"passed",true]]' \
		"$(result '[.tasks.list[] | [.task,.claims,.refused,.iteration,.verify,.verified]]')"
	assert_equal "$(git rev-list --count main..work)" "$(result .commits.count)"
	assert_equal "$(git log --format=%s main..work)" "$("$JQ" -r '.commits.list[].subject' <<<"$output")"
	assert_equal "$(git rev-parse work~2)" "$("$JQ" -r '.tasks.list[0].commit' <<<"$output")"
	assert_equal '[4,{"ok":4}]' "$(result '.iterations | [.count,.outcomes]')"
	assert_equal '[[1,"ok","passed"],[2,"ok","failed"],[3,"ok","passed"],[4,"ok","passed"]]' \
		"$(result '[.iterations.list[] | [.iteration,.outcome,.verify]]')"
	assert_equal '["wisp done work --merge","wisp rm work"]' "$(result .next)"
	run_json 0 resume work
	assert_equal '["completed",0]' "$(result '[.result,.exit]')"
}

@test "the text: what there is to know on one screen" {
	scenario_step 1 --effects 'echo a >a' --pass 1 --commit 'add a' --status CONTINUE --summary 'added a'
	scenario_step 2 --status NEEDS_INPUT --question 'And now?'
	work 10 2
	assert_contains "$output" 'work: paused (exit 10)
  question  And now?
  tasks     1 of 2 pass, 0 of them verified
       1  unverified  in 1    task 1
       2  open                task 2
  commits   1 since '
	assert_contains "$output" '  add a
  steps     2: 2 ok
       1  ok CONTINUE, '
	assert_contains "$output" ', verify none: added a'
	assert_contains "$output" '  verify    unverified: no verify.command is set'
	assert_equal '  now       wisp answer work TEXT, then: wisp resume work' "${lines[${#lines[@]}-1]}"
}

@test "tampering, failures and waits are told, and outlive the history window" {
	unconfined # it tampers
	OPTIONS=(-c history.window=1 -c retry.delay=0)
	tasks 1
	scenario_step 1 --effects 'echo x >>"$WISP_SESSION_DIR/session.json"' --status CONTINUE
	scenario_step 2 --exit 1
	scenario_step 3 --pass 1 --status DONE --promise
	run_json 0 run work --agent replay --tasks "$TASKS"
	assert_equal '["session.json",1,1]' "$(result '.tampered[0] | [.name,.times,.iteration]')"
	assert_equal '[3,1,{"ok":2,"error":1}]' "$(result '.iterations | [.count,(.list|length),.outcomes]')"
}

@test "observed and claimed: of each task, of each step, and counted beyond the window" {
	OPTIONS=(-c verify.command='printf "1..2\nok 1\nok 2\n"' -c history.window=1)
	tasks 2
	scenario_step 1 --pass 1 --state '{"status": "CONTINUE", "summary": "s", "tests_run": 5, "tests_passed": 2}'
	scenario_step 2 --pass 2 --state '{"status": "DONE", "summary": "s", "tests_run": 2, "tests_passed": 1}' --promise
	run_json 0 run work --agent replay --tasks "$TASKS"
	assert_equal '[[2,["tests_run"]],[2,["tests_passed"]]]' "$(result '[.tasks.list[] | [.observed.tests_total,.claimed_differs]]')"
	assert_equal '[["tests_run",1,1],["tests_passed",1,2]]' "$(result '[.claimed_differs[] | [.name,.times,.iteration]]')"
	assert_equal '[[2,["tests_passed"]]]' "$(result '[.iterations.list[] | [.observed.tests_passing,.claimed_differs]]')"
	run -0 wisp-session summary work
	assert_contains "$output" ', verify passed: s
          observed 2 of 2 tests pass, not as claimed: tests_passed'
	assert_contains "$output" '  claimed   in 1: tests_run
            in 2: tests_passed'
}

# phase_step N METRICS EXIT TAP [OPTION]...: what a step in a phase claims, and what verify will count
phase_step()
{
	scenario_step "$1" --effects "printf '$4' >tap" --output "$(stream 'done' ok)" --state \
		"{\"status\": \"CONTINUE\", \"summary\": \"step $1\", \"exit_signal\": $3, \"metrics\": $2}"
}

@test "phases: iterations, why each was left, rejections, the model that implemented, and what was observed" {
	local green='{"tests_total": 2, "tests_passing": 2, "tests_failing": 0'

	OPTIONS=(-c verify.command='cat tap; ! grep -q not tap')
	printf '# a feature\n' >prp.md
	phase_step 1 '{"criteria_count": 2, "tests_generated": 2, "tests_failing": 2}' true '1..2\nnot ok 1\nnot ok 2\n'
	phase_step 2 "$green}" true '1..2\nok 1\nnot ok 2\n'
	phase_step 3 "$green}" true '1..2\nok 1\nok 2\n'
	phase_step 4 "$green}" true '1..2\nok 1\nok 2\n'
	phase_step 5 "$green, \"refactoring_complete\": true}" true '1..2\nok 1\nok 2\n'
	phase_step 6 '{"docs_generated": 3, "has_adr": true}' true '1..2\nok 1\nok 2\n'
	phase_step 7 '{"blocking_issues": 1, "verdict": "REJECT"}' false '1..2\nok 1\nok 2\n'
	run_json 13 run work --agent replay --template tdd --spec prp.md --max-iterations 7
	assert_equal '["GREEN",40,1,"m"]' "$(result '.phases | [.current,.percent,.qa_attempts,.green_model]')"
	assert_equal '[["RED","completed",1,"Dual-Gate satisfied"],["GREEN","current",3,null],["REFACTOR","completed",1,"Dual-Gate satisfied"],["DOCUMENT","completed",1,"Dual-Gate satisfied"],["QA","open",1,"step 7"]]' \
		"$(result '[.phases.list[] | [.phase,.status,.iterations,.reason]]')"
	assert_equal '["step 7"]' "$(result '[.phases.list[4].rejections[].reason]')"
	assert_equal '[1,["metrics.tests_passing","metrics.tests_failing"]]' \
		"$(result '.iterations.list[1] | [.observed.tests_passing,.claimed_differs]')"
	assert_equal '["metrics.tests_passing","metrics.tests_failing"]' "$(result '[.claimed_differs[].name]')"
	run -0 wisp-session summary work
	assert_contains "$output" '  phases    40% done, 1 of 3 rejections, GREEN by m
     RED       completed, 1 iteration: Dual-Gate satisfied
     GREEN     current, 3 iterations
     REFACTOR  completed, 1 iteration: Dual-Gate satisfied
     DOCUMENT  completed, 1 iteration: Dual-Gate satisfied
     QA        open, 1 iteration: step 7
  steps '
	expect 0 wisp status work
	assert_contains "$output" '  phase     GREEN, 0 of 10 iterations, 40% of the whole'
	expect 0 wisp list
	assert_contains "$output" ' GREEN 0/10 '
}

@test "a usage limit: what is waited for is in the document, and the wait is counted" {
	tasks 1
	scenario_step 1 --output "$(stream limit $(($(date +%s) + 3600)))"
	run_json 14 run work --agent replay --tasks "$TASKS" --no-wait
	assert_equal '["usage",0]' "$(result '[.waiting.for,.waits.usage]')"
	assert_equal '{"limit":1}' "$(result .iterations.outcomes)"
	background wisp resume work
	wait_until 10 grep -q 'waiting: ' "$BATS_TEST_TMPDIR/loop.log"
	expect 0 wisp status work
	assert_contains "$output" '  waits     usage limit: until '
	expect 0 wisp pause work
	ends 15
	assert_contains "$(<"$BATS_TEST_TMPDIR/loop.log")" ': 1 for a usage limit, 0 for a new hour'
}

@test "rolled back: what passed since is open in the report" {
	scenario_step 1 --effects 'echo a >a' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'echo b >b' --pass 2 --status CONTINUE
	work 13 3 --max-iterations 2
	expect 0 wisp rollback work 1
	run -0 wisp-session summary work --json
	assert_equal '[[true,1],[false,null],[false,null]]' "$(result '[.tasks.list[] | [.passes,.iteration]]')"
	assert_equal '[1,1,0]' "$(result '[.tasks.list[].claims]')"
}

@test "a session that begins anew in the same folder has a ledger of its own" {
	scenario_step 1 --pass 1 --status DONE --promise
	work 0 1
	wisp tasks add --category docs more
	scenario_step 2 --pass 2 --status DONE --promise
	tasks 1
	run_json 0 run work
	assert_equal '[[1,null],[1,1]]' "$(result '[.tasks.list[] | [(.claims + 1 - .claims), .iteration]]')"
	assert_equal '[0,1]' "$(result '[.tasks.list[].claims]')"
	assert_equal '{"ok":1}' "$(result .iterations.outcomes)"
}

@test "--json: nothing is on stdout where no run came about" {
	run -100 --separate-stderr wisp run work --json --no-such
	assert_output ''
	tasks 1
	run -100 --separate-stderr wisp run work --json --agent replay
	assert_output ''
	assert_contains "$stderr" "no session 'work' here"
}

@test "money: what a step may cost at most is reserved before it starts, is its cap, and is settled" {
	unconfined # the step looks into the record
	scenario_step default --effects 'echo "$WISP_STEP_BUDGET_USD $(wisp-state get -f "$REC" .step.reserved_usd)" >>"$SPENT"' \
		--status CONTINUE --output "$(stream 'done' ok 0.7)"
	export REC SPENT=$BATS_TEST_TMPDIR/spent
	REC=$(wisp-session place --project "$PROJECT" --branch work | sed -n 's/^home=//p')/record.json
	OPTIONS=(-c limits.maxStepCostUsd=1 -c stuck.noProgress=9 -c agent.replay.env=REC -c agent.replay.env=SPENT)
	work 13 1 --max-cost 1.5
	assert_equal '1 1
0.8 0.8
0.1 0.1' "$(<"$SPENT")"
	assert_equal null "$(wisp-state get -f "$REC" .step.reserved_usd)"
	session .totals.cost_usd 2.1
	assert_contains "$output" '2.10 of 1.5 USD are spent'
	assert_equal '  now       wisp resume work --max-cost N' "${lines[${#lines[@]}-1]}"
}

@test "money: an agent that reports no cost is told of before the first step" {
	mkdir -p .wisp/agents
	printf '#!/usr/bin/env bash\n# Cost: none\nexec "%s" "$@"\n' "$ROOT/libexec/agents/replay" >.wisp/agents/mute
	chmod +x .wisp/agents/mute
	tasks 1
	scenario_step 1 --pass 1 --status DONE --promise
	expect 0 wisp run work --agent mute --tasks "$TASKS" --trust
	assert_contains "$output" 'wisp: mute does not report costs, so limits.maxCostUsd is not enforced; its calls and tokens are counted
wisp: [1/50] mute'
	assert_contains "$output" ' in 1 agent call; cost unknown: limits.maxCostUsd not enforced
  left      '
	place other
	expect 0 wisp -c limits.maxStepCostUsd=2 run other --agent mute --tasks "$TASKS" --trust
	assert_contains "$output" 'each of its steps counts as limits.maxStepCostUsd (2)'
	place free
	expect 0 wisp -c limits.maxCostUsd=none run free --agent mute --tasks "$TASKS" --trust
	assert_lacks "$output" 'reports no cost'
}
