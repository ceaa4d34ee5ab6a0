#!/usr/bin/env bats
# The report at the end of a run (wisp-report(5)), of sessions written by hand.

load helper
load helper-session

readonly LIST='[
  {"id": "t1", "category": "setup", "description": "lay the ground", "steps": [], "passes": true},
  {"id": "t2", "category": "feature", "description": "build the house", "steps": [], "passes": true},
  {"id": "t3", "category": "feature", "description": "paint it", "steps": [], "passes": false},
  {"category": "docs", "description": "tell about it", "steps": [], "passes": false}]'
readonly LEDGER='"ledger": [
  {"task": 1, "name": "t1", "claims": 1, "claimed": 1, "refused": 0, "verify": "passed", "commit": "c1", "iteration": 1,
   "observed": {"tests_total": 12, "tests_passing": 11}, "claimed_differs": ["tests_passed"]},
  {"task": 2, "name": "t2", "claims": 2, "claimed": 3, "refused": 1, "verify": "none", "commit": null, "iteration": 3},
  {"task": 3, "name": "t3", "claims": 1, "claimed": 2, "refused": 1, "verify": "failed", "commit": null, "iteration": null}],'

setup()
{
	make_repo project
	cd project || return 1
}

# json PATH: a value of the last output. The real jq, as an outside judge.
json()
{
	"$JQ" -c "$1" <<<"$output"
}

# report [ARGUMENT]...: into $output; no line but those of paths and commands is wider than a screen.
report()
{
	run -0 --separate-stderr wisp-session summary "$@"
	assert_stderr ''
	[[ ${1-} == --json ]] || ! grep -v -e '^  where ' -e '^  now ' <<<"$output" | grep '.\{81\}' || fail "too wide"
}

@test "the document has exactly these members" {
	session_make main status=paused pause='on request' count=3 exit=15 reason='on request' tasks="$LIST"
	report --json
	assert_equal '["version","branch","project","worktree","session_id","template","agent","base","base_branch","started_at","result","exit","reason","unverified","uncommitted","question","overage","today","tests","tests_removed","tasks","phases","commits","iterations","totals","left","waits","waiting","tampered","protected","claimed_differs","shipped","removed","divergence","next"]' \
		"$(json keys_unsorted)"
	assert_equal '[1,"main","paused",15,"on request",true,null,null,null,null,[],[],[]]' \
		"$(json '[.version,.branch,.result,.exit,.reason,.unverified,.question,.phases,.commits,.waiting,.tampered,.protected,.claimed_differs]')"
	assert_equal '{"usage":0,"hourly":0,"seconds":0}' "$(json .waits)"
	assert_equal '{"count":3,"outcomes":{},"list":[]}' "$(json .iterations)"
	assert_equal '{"agent_calls":3,"seconds":812.4,"cost_usd":1.93,"input_tokens":0,"output_tokens":0,"unpriced":0}' \
		"$(json .totals)"
	assert_equal '["wisp resume main"]' "$(json .next)"
}

@test "per task: what was claimed, what is observed, what was verified" {
	session_make main count=3 tasks="$LIST" more="$LEDGER"
	report --json
	assert_equal '[2,4]' "$(json '.tasks | [.passed,.total]')"
	assert_equal '["task","id","description","passes","verified","verify","claims","refused","claimed","commit","iteration","observed","claimed_differs"]' \
		"$(json '.tasks.list[0] | keys_unsorted')"
	assert_equal '[1,"t1",true,true,"passed",1,0,1,"c1",1]' \
		"$(json '.tasks.list[0] | [.task,.id,.passes,.verified,.verify,.claims,.refused,.claimed,.commit,.iteration]')"
	assert_equal '[[true,false,"none",2,1,3],[false,false,"failed",1,1,null],[false,false,"none",0,0,null]]' \
		"$(json '[.tasks.list[1:][] | [.passes,.verified,.verify,.claims,.refused,.iteration]]')"
	assert_equal '[[11,["tests_passed"]],[null,[]],[null,[]],[null,[]]]' \
		"$(json '[.tasks.list[] | [.observed.tests_passing,.claimed_differs]]')"
	report
	assert_contains "$output" '  tasks     2 of 4 pass, 1 of them verified
       1  verified    in 1    lay the ground
       2  unverified  in 3    build the house
       3  taken back  in 2    paint it
       4  open                tell about it'
}

@test "verified then is not verified now: a task that is open again, whatever its ledger says" {
	local open='"passes": false'

	session_make main tasks="${LIST/\"passes\": true/$open}" more="$LEDGER"
	report --json
	assert_equal '[false,false]' "$(json '.tasks.list[0] | [.passes,.verified]')"
}

@test "many tasks: those that need no look are left out, and how many is said" {
	local list='[' i
	for ((i = 1; i <= 30; i++)); do
		list+="{\"id\": \"t$i\", \"category\": \"test\", \"description\": \"task $i\", \"steps\": [], \"passes\": false},"
	done
	session_make "it's" tasks="${list%,}]"
	report "it's"
	assert_contains "$output" "      10  open                task 10
     ... 20 more: wisp tasks list 'it'\\''s'"
}

@test "commits: counted all, some of them named, bytes that are no UTF-8 and all" {
	session_make main
	printf '%s a\303\244\377b\033[31mc\n%s\n%s %s\n' 1111111111111111 2222 3333333 "$(printf '%0300d' 0)" >commits
	report --json --commits commits --count 7
	assert_equal '[7,3,"2222",""]' "$(json '.commits | [.count, (.list | length), .list[1].id, .list[1].subject]')"
	assert_equal '"aä�b [31mc"' "$(json '.commits.list[0].subject')"
	report --commits commits --count 7
	assert_contains "$output" '  commits   7 since - of main
     111111111111  aä�b [31mc
     2222  
     3333333  000'
	assert_contains "$output" '     ... 4 more'
	: >empty
	report --json --commits empty --count 0
	assert_equal '{"count":0,"list":[]}' "$(json .commits)"
	run -111 wisp-session summary --commits none
	assert_contains "$output" "cannot read 'none'"
}

@test "iterations: outcomes are counted beyond the window; time and tokens come from the step" {
	session_make main count=40 history="[$(session_entry 39), $(session_entry 40 summary='cut it' outcome=timeout)]" \
		more='"tally": {"outcomes": {"ok": 38, "timeout": 2}},'
	mkdir -p "$DIR/steps/0040"
	echo '{"duration_s": 61.5, "tokens": {"input": 5, "output": 6}}' >"$DIR/steps/0040/step.json"
	report --json
	assert_equal '[40,{"ok":38,"timeout":2},null,61.5,6]' \
		"$(json '.iterations | [.count,.outcomes,.list[0].seconds,.list[1].seconds,.list[1].tokens.output]')"
	report
	assert_contains "$output" '  steps     40: 38 ok, 2 timeout
      39  ok CONTINUE, 3m05s, $0.21, verify passed: step 39
      40  timeout'" CONTINUE, 1m01s, \$0.21, verify passed: cut it"
}

@test "a claim that is not what was observed: under its step, and beyond the window by its name" {
	local told='"observed": {"tests_total": 3, "tests_passing": 1, "tests_skipped": 1}, "claimed_differs":' names
	names=$(printf '"metrics.%030d", ' 1 2 3)
	session_make main count=9 history="[$(session_entry 7), $(session_entry 8 | sed "s/\"iteration\"/$told [\"tests_run\", \"tests\\\\u001bx\"], &/"),
		$(session_entry 9 | sed "s/\"iteration\"/\"claimed_differs\": [${names%, }], &/")]" \
		more='"tally": {"outcomes": {}, "claimed_differs": [{"name": "tests_run", "times": 3, "iteration": 8}]},'
	report
	assert_contains "$output" ', verify passed: step 8
          observed 1 of 3 tests pass, 1 skipped, not as claimed: tests_run te...
       9  ok'
	assert_contains "$output" '          observed differs from claimed: metrics.0000000000000000000000000000...'
	assert_contains "$output" '  claimed   in 8 (3 times): tests_run'
	report --json
	assert_equal '[null,["tests_run","tests\u001bx"]]' "$(json '[.iterations.list[:2][].claimed_differs]')"
	assert_equal '[{"name":"tests_run","times":3,"iteration":8}]' "$(json .claimed_differs)"
}

@test "what was tampered with, which protected files changed, and how long was waited" {
	session_make main more='"tally": {"outcomes": {}, "tampered": [{"name": ".wisp/config", "times": 2, "iteration": 5},
		{"name": "a\u001bb", "times": 1, "iteration": 6}], "protected": [{"name": "tests/run", "times": 1, "iteration": 4}]},
		"waits": {"usage": 2, "hourly": 1, "seconds": 3725, "for": null, "since": null, "until": null},'
	report --json
	assert_equal '[".wisp/config",2,5]' "$(json '.tampered[0] | [.name,.times,.iteration]')"
	assert_equal '["tests/run"]' "$(json '[.protected[].name]')"
	assert_equal '{"usage":2,"hourly":1,"seconds":3725}' "$(json .waits)"
	report
	assert_contains "$output" '  waited    1h02m: 2 for a usage limit, 1 for a new hour
  tampered  in 5 (2 times): .wisp/config
            in 6: a b
  protected in 4: tests/run'
}

@test "what a change took from the list, and where the work departs from the spec" {
	session_make main more='"removed": [{"description": "old", "removed_at": "2026-01-16T10:00:00Z"}],'
	echo 'No port.' >"$DIR/divergence.md"
	run -0 wisp-session summary main
	assert_contains "$output" '  removed   old'
	assert_contains "$output" $'  diverges  No port.\n            9 bytes: '"$DIR/divergence.md"
	run -0 wisp-session summary --json main
	assert_equal '["old"]' "$(json '[.removed[].description]')"
	assert_equal '[true,9]' "$(json '.divergence | [.present,.bytes]')"
}

@test "phases stand in the place of tasks" {
	session_make main count=4 phases='{"current_phase": "GREEN", "current_iteration": 2, "phases_completed": ["RED"],
		"qa_attempts": 1, "green_model": "small-1\u001b[2J", "phase_history": {"RED": {"iterations": 1, "exit_reason": "Dual-Gate satisfied"},
		"GREEN": {"iterations": 9}, "QA": {"iterations": 1, "exit_reason": "two\u0007holes",
		"rejections": [{"at": "2026-01-16T10:00:00Z", "reason": "two holes"}]}}}' \
		more='"machine": {"phases": [{"name": "RED", "weight": 20}, {"name": "GREEN", "weight": 50}, {"name": "QA", "weight": 30}],
		"reject": {"phase": "QA", "goto": "GREEN", "max": 3}},'
	report --json
	assert_equal '["GREEN",30,1,"small-1\u001b[2J"]' "$(json '.phases | [.current,.percent,.qa_attempts,.green_model]')"
	assert_equal '[["RED","completed",1,"Dual-Gate satisfied",[]],["GREEN","current",9,null,[]],["QA","open",1,"two\u0007holes",["two holes"]]]' \
		"$(json '[.phases.list[] | [.phase,.status,.iterations,.reason,[.rejections[].reason]]]')"
	report
	assert_contains "$output" '  phases    30% done, 1 of 3 rejections, GREEN by small-1 [2J
     RED    completed, 1 iteration: Dual-Gate satisfied
     GREEN  current, 9 iterations
     QA     open, 1 iteration: two holes'
	assert_lacks "$output" '  tasks '
}

@test "phases: many, long ones, and a loop state without counts" {
	local i machine=''
	for ((i = 1; i <= 12; i++)); do
		machine+="{\"name\": \"$(printf '%0100d' "$i")\", \"weight\": 5},"
	done
	session_make main count=4 phases='{"current_phase": "ONE", "current_iteration": 2}' \
		more="\"machine\": {\"phases\": [{\"name\": \"ONE\"}, ${machine%,}]},"
	report
	assert_contains "$output" '  phases    0% done
     ONE                       current, 2 iterations
     000000000000000000000...  open'
	assert_contains "$output" '     ... 3 more'
}

@test "unverified is said, and not said where verify is configured" {
	session_make main status=completed exit=0 reason='every gate held' tasks="$LIST"
	report
	assert_equal 'main: completed, unverified (exit 0)' "${lines[0]}"
	assert_contains "$output" '  verify    unverified: no verify.command is set'
	session_make main status=completed exit=0 config='{"verify.command": ["true"]}'
	report
	assert_equal 'main: completed (exit 0)' "${lines[0]}"
	assert_lacks "$output" unverified
}

@test "the next command, for each end; the branch as a shell reads it" {
	local -a cases=(
		'completed 0 ["wisp done BRANCH --merge","wisp rm BRANCH"]'
		'halted 11 ["wisp log -n 1 BRANCH","wisp resume BRANCH"]'
		'halted 12 ["wisp log BRANCH","wisp resume BRANCH --guide TEXT","wisp resume BRANCH --reset","wisp resume BRANCH --abort"]'
		'paused 14 ["wisp resume BRANCH"]'
		'paused 15 ["wisp resume BRANCH"]'
		'halted 16 ["wisp log -n 1 BRANCH","wisp doctor","wisp resume BRANCH"]'
		'paused 130 ["wisp resume BRANCH"]'
	)
	local entry branch want shell
	for branch in main 'fix/#7;rm' "it's"; do
		case $branch in
		main) shell=main ;;
		fix*) shell="'fix/#7;rm'" ;;
		*) shell="'it'\\''s'" ;;
		esac
		for entry in "${cases[@]}"; do
			session_make "$branch" status="${entry%% *}" exit="$(cut -d ' ' -f 2 <<<"$entry")" count=2
			report --json "$branch"
			want=$(cut -d ' ' -f 3- <<<"$entry")
			assert_equal "$(NAME=$shell "$JQ" -c 'map(gsub("BRANCH"; env.NAME))' <<<"$want")" "$(json .next)"
		done
	done
	session_make main status=halted exit=12 count=2 phases='{"current_phase": "GREEN"}'
	report --json main
	assert_equal '["wisp log main","wisp resume main --guide TEXT","wisp resume main --reset","wisp resume main --skip-phase","wisp resume main --abort"]' \
		"$(json .next)"
	session_make main status=paused exit=13 count=50
	report --json main
	assert_equal '["wisp resume main --max-iterations N"]' "$(json .next)"
	session_make main status=paused exit=10 count=2 question='{"id": "q-2", "question": "Which?", "choices": ["a", "b"], "iteration": 2}'
	report --json main
	assert_equal '["wisp answer main TEXT","wisp resume main"]' "$(json .next)"
	report main
	assert_contains "$output" '  question  Which?
            1  a
            2  b'
	session_make main status=completed exit=0 worktree=.
	sed 's/"base": null/"base": "0123456789abcdef"/' "$STATE/record.json" >record && mv record "$STATE/record.json"
	report --json main
	assert_equal '["git log 0123456789ab..main","wisp rm main"]' "$(json .next)"
}

@test "long and hostile texts: cut or wrapped, one screen, no control character" {
	local long
	long=$(printf 'wörter日本 %.0s' {1..200})
	session_make main count=3 exit=12 status=halted reason="$long\u001b[2J\nx" halt="$long" tasks="${LIST//build the house/$long}" \
		history="[$(session_entry 1 summary="$long\u0007"), $(session_entry 2 summary="\ud83d\ude00$long")]" more="$LEDGER"
	report
	((${#lines[@]} <= 24)) || fail "more than a screen" "$output"
	! LC_ALL=C grep -n '[[:cntrl:]]' <<<"$output" || fail "control characters" "$output"
	iconv -f UTF-8 -t UTF-8 <<<"$output" >/dev/null
	report --json
	json .reason >/dev/null
}

@test "a task list that does not hold is named, and the rest is there" {
	session_make main tasks='[{"category": "feature"}]'
	run -0 wisp-session summary
	assert_contains "$output" "  tasks     $DIR/tasks.json:"
	assert_contains "$output" "            1:2: tasks[0].description: is missing"
	report --json
	assert_equal '[null,[]]' "$(json '[.tasks.passed,.tasks.list]')"
	assert_contains "$(json .tasks.error)" tasks.json
}
