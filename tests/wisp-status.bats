# wisp status, wisp list and the wisp-session they ask: where sessions stand.

load helper
load helper-session

readonly THREE='[
  {"id": "t1", "category": "setup", "description": "lay the ground", "steps": [], "passes": true},
  {"id": "t2", "category": "feature", "description": "build the house", "steps": [], "passes": false},
  {"category": "docs", "description": "tell about it", "steps": [], "passes": false}]'
readonly PORT='{"id": "q-3", "question": "Which port?\nSay one.", "choices": ["8080", "9090"], "iteration": 3,
  "asked_at": "2026-01-16T10:09:00Z", "stamp": ""}'

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

# json PATH: a value of the last output. The real jq, as an outside judge.
json()
{
	"$JQ" -c "$1" <<<"$output"
}

@test "the object of --json has exactly the members of the contract" {
	session_make main status=paused pause=needs_input count=3 exit=10 reason='asks' question="$PORT" tasks="$THREE"
	run -0 --separate-stderr wisp status --json
	assert_equal '["version","branch","project","session","alive","tasks","phase","question","unverified","exit","reason","left"]' \
		"$(json keys_unsorted)"
	assert_equal '[1,"main",false,null,true,10,"asks"]' "$(json '[.version,.branch,.alive,.phase,.unverified,.exit,.reason]')"
	assert_equal "$PWD" "$("$JQ" -r .project <<<"$output")"
	assert_equal '{"passed":1,"total":3,"next":{"number":2,"id":"t2","description":"build the house"}}' "$(json .tasks)"
	assert_equal '["q-3","Which port?\nSay one.",["8080","9090"],3,false]' \
		"$(json '.question | [.id,.question,.choices,.iteration,.answered]')"
	assert_equal '[47,18.07,100]' "$(json '.left | [.iterations,.cost_usd,.calls]')"
	assert_equal true "$("$JQ" --slurpfile s "$DIR/session.json" '.session == $s[0]' <<<"$output")"
	assert_stderr ''
}

@test "the text says where it stands and what to type next" {
	session_make main status=paused pause=needs_input count=3 exit=10 reason='asks' question="$PORT" tasks="$THREE" \
		history="[$(session_entry 3 summary='laid the ground')]"
	run -0 --separate-stderr wisp status
	assert_output "main: paused (needs_input)
  iteration 3 of 50
  tasks     1 of 3 pass; next: 2 build the house
  question  Which port? Say one.
            1  8080
            2  9090
  last      laid the ground
  verify    unverified: no verify.command is set
  spent     \$1.93 of \$20, 13m32s in 3 agent calls
  left      47 iterations, 3h46m, \$18.07, 100 calls this hour
  where     $PWD/.wisp/worktrees/main
  now       wisp answer main TEXT (or the number of a choice), then: wisp resume main"
}

@test "a session is not unverified where a verify command is set" {
	session_make main config='{"verify.command": ["make check"]}' history="[$(session_entry 1 verify=failed)]"
	run -0 wisp status --json
	assert_equal false "$(json .unverified)"
	run -0 wisp status
	assert_contains "$output" '  verify    failed'
}

@test "what to type next follows from how the last run ended" {
	local -a cases=(
		'halted 11 wisp log -n 1 main; wisp resume main'
		'halted 12 wisp log main; wisp resume main --guide TEXT; wisp resume main --reset; wisp resume main --abort'
		'paused 15 wisp resume main'
		'halted 16 wisp log -n 1 main; wisp doctor; wisp resume main'
		'completed 0 wisp done main --merge; wisp rm main'
	)
	local entry
	for entry in "${cases[@]}"; do
		session_make main status="${entry%% *}" exit="$(cut -d ' ' -f 2 <<<"$entry")" count=2
		run -0 wisp status
		assert_equal "  now       $(cut -d ' ' -f 3- <<<"$entry")" "${lines[${#lines[@]}-1]}"
	done
	session_make main status=paused pause=planned exit=0 count=1
	run -0 wisp list
	assert_contains "$output" '$1.93'
	run -0 wisp status
	assert_equal '  now       wisp run main' "${lines[${#lines[@]}-1]}"
	session_make main status=paused exit=13 count=50
	run -0 wisp status
	assert_contains "$output" 'wisp resume main --max-iterations N'
}

# limits [SETTING]...: the lines about limits of a status with these members of the record
limits()
{
	session_make main count=3 "$@"
	run -0 wisp status
	sed -n '/^  spent/,/^  where/p' <<<"$output" | sed '$d'
}

@test "what to type next while an orchestration asks is the answer, and no pause" {
	session_make orch status=paused question="$PORT" more="\"template\": {\"name\": \"orchestrator\", \"dir\": \"$ROOT/templates/orchestrator\"},"
	wisp-orch -C "$DIR" new --parallel 2
	session_hold
	run -0 wisp status orch
	assert_contains "$output" 'now       wisp answer orch TEXT'
	assert_lacks "$output" 'wisp pause'
	assert_lacks "$output" 'orchestrate --resume'
}

@test "what is left of each limit, what is reserved, and what is waited for" {
	export WISP_NOW=1768558080000 # 10:08:00Z
	assert_equal '  spent     $1.93, 13m32s in 3 agent calls
  left      7 iterations' "$(limits config='{"limits.maxIterations": 10, "limits.maxHours": null,
		"limits.maxCostUsd": null, "limits.callsPerHour": null}' step='{"reserved_usd": 0}')"
	assert_equal '  spent     $1.93 of $2, 13m32s in 3 agent calls
  left      1 iteration, 0s, $0.07 ($0.05 reserved), 1 call this hour' "$(limits config='{"limits.maxIterations": 4,
		"limits.maxHours": 0.1, "limits.maxCostUsd": 2, "limits.callsPerHour": 2}' step='{"reserved_usd": 0.05}' \
		more='"limits": {"hourly": {"calls_made": 1, "next_reset": "2026-01-16T10:09:00Z"}, "usage": {}},')"
	assert_contains "$(limits config='{"limits.callsPerHour": 1}' \
		more='"limits": {"hourly": {"calls_made": 1, "next_reset": "2026-01-16T10:09:08Z"}, "usage": {}},')" \
		'  waits     hourly limit of calls: until 2026-01-16T10:09:08+00:00, 1m08s from now'
	assert_contains "$(limits more='"limits": {"hourly": {}, "usage": {"detected_at": "2026-01-16T10:00:00Z",
		"resume_at": "2026-01-16T11:09:09Z", "waiting": true, "kind": "five_hour", "waits": 1}},')" \
		'  waits     usage limit: until 2026-01-16T11:09:09+00:00, 1h01m from now'
	assert_lacks "$(limits status=completed more='"limits": {"hourly": {}, "usage": {"resume_at": "2026-01-16T11:00:00Z"}},')" \
		waits
}

@test "while the first step runs its cost is not known, and not 0" {
	session_make main count=1 step='{"iteration": 1, "charged": false}'
	sed 's/"cost_usd": 1.93/"cost_usd": 0/' "$STATE/record.json" >record
	cp record "$STATE/record.json"
	assert_contains "$(wisp status)" ' in 1 agent call; cost unknown: no step ended well yet'
	assert_lacks "$(wisp status; wisp list)" '$'
	run -0 wisp status --json
	assert_equal '[null,false]' "$(json '[.session.totals.cost_usd,.cost_known]')"
	sed 's/"charged": false/"charged": true/' record >"$STATE/record.json"
	assert_contains "$(wisp status)" '  spent     $0.00'
	sed 's/"agent_calls": 1/"agent_calls": 2/' record >"$STATE/record.json"
	assert_contains "$(wisp status)" '  spent     $0.00'
}

@test "an agent that reports no cost: calls and tokens are shown, and that the limit does not hold it" {
	session_make main count=3 more='"unpriced": 3, "tally": {"outcomes": {"ok": 3}},'
	sed -e 's/"cost_usd": 1.93/"cost_usd": 0/' -e 's/"input_tokens": 0/"input_tokens": 1200/' "$STATE/record.json" >record &&
		mv record "$STATE/record.json"
	run -0 wisp status
	assert_contains "$output" '  spent     13m32s in 3 agent calls, 1200 tokens; cost unknown: limits.maxCostUsd not enforced
  left      47 iterations, 3h46m, 100 calls this hour'
	sed -e 's/"ok": 3/"idle": 3/' "$STATE/record.json" >record && mv record "$STATE/record.json"
	run -0 wisp status
	assert_contains "$output" ' tokens; cost unknown: no step ended well yet'
	run -0 wisp list
	assert_lacks "$output" '$'
	run -0 wisp status --json
	assert_equal '[null,null,false]' "$(json '[.left.cost_usd,.session.totals.cost_usd,.cost_known]')"
	run -0 wisp list --json
	assert_equal '[null,null,false]' "$(json '.[0] | [.left.cost_usd,.session.totals.cost_usd,.cost_known]')"
	run -0 wisp-session summary --json
	assert_equal '[null,null,false]' "$(json '[.left.cost_usd,.totals.cost_usd,.cost_known]')"
	session_make main count=3 more='"unpriced": 1,'
	run -0 wisp status
	assert_contains "$output" '1 step without a price, counted as the most expensive one'
	session_make main count=3 config='{"limits.maxStepCostUsd": 2}' more='"unpriced": 2,'
	run -0 wisp status
	assert_contains "$output" '2 steps without a price, counted as limits.maxStepCostUsd'
}

@test "running without an owner is shown as stale, with one as running" {
	session_make main status=running count=1
	run -0 wisp status
	assert_contains "$output" 'main: stale (its loop is gone)'
	run -0 wisp list
	assert_contains "$output" 'stale'
	session_hold
	run -0 wisp status
	assert_equal 'main: running' "${lines[0]}"
	assert_contains "$output" 'wisp log -f main; wisp pause main'
	run -0 wisp status --json
	assert_equal true "$(json .alive)"
	run -0 wisp-session owner
	assert_equal 'alive=true' "${lines[4]}"
}

@test "a step that runs is shown with its time; a reason only once" {
	export WISP_NOW=1768557785000
	session_make main status=running count=4 \
		step='{"iteration": 4, "name": "0004", "stage": "begun", "started_at": "2026-01-16T10:00:00Z"}'
	session_hold
	run -0 wisp status
	assert_equal '  iteration 4 of 50, its step runs for 3m05s' "${lines[1]}"
	session_drop
	run -0 wisp status
	assert_equal '  iteration 4 of 50' "${lines[1]}"
	session_make main status=paused pause='paused on request' reason='paused on request'
	run -0 wisp status
	assert_equal 'main: paused (paused on request)' "${lines[0]}"
	assert_lacks "$output" '  reason'
	session_make main status=halted halt=blocked reason='no key for the server'
	run -0 wisp status
	assert_contains "$output" '  reason    no key for the server'
}

@test "text of agents is brought to one line, control characters and all" {
	session_make main count=1 history="[$(session_entry 1 summary='a\u001b[31mb\nc')]"
	run -0 wisp status
	assert_contains "$output" '  last      a [31mb c'
}

@test "a task list that does not hold is named; a missing one has no tasks" {
	session_make main tasks='[{"category": "feature"}]'
	run -0 --separate-stderr wisp status --json
	assert_equal '[null,null]' "$(json '.tasks | [.passed,.total]')"
	assert_contains "$(json .tasks.error)" 'tasks.json:1:'
	run -0 wisp status
	assert_contains "$output" '  tasks     '"$DIR/tasks.json:1:"
	rm "$DIR/tasks.json"
	run -0 wisp status --json
	assert_equal '{"passed":0,"total":0,"next":null}' "$(json .tasks)"
}

# in_phase [SETTING]...: a session in GREEN; its lines from `iteration` to `tasks`, of which phases need none
in_phase()
{
	session_make main count=4 more="$MACHINE" \
		phases='{"current_phase": "GREEN", "current_iteration": 2, "allowed": 20, "phases_completed": ["RED"]}' "$@"
	run -0 wisp status
	sed -nE '/^  iteration/,/^  (tasks|spent)/p' <<<"$output" | sed '$d'
}

readonly MACHINE='"machine": {"phases": [{"name": "RED", "weight": 20}, {"name": "GREEN", "weight": 80, "max_iterations": 5}]},'

@test "phases: which one, what it has used of its iterations, how much of the whole is done" {
	assert_equal '  iteration 4 of 50
  phase     GREEN, 2 of 20 iterations, 36% of the whole' "$(in_phase)"
	assert_equal '  iteration 4 of 50
  phase     GREEN, 1 of 5 iterations, 8% of the whole' \
		"$(in_phase phases='{"current_phase": "GREEN", "current_iteration": 1}')"
	assert_equal '  iteration 4 of 50
  phase     OTHER, 0 of 10 iterations, 0% of the whole' "$(in_phase phases='{"current_phase": "OTHER"}')"
	in_phase phases=null >/dev/null
	run -0 wisp list
	assert_contains "${lines[1]}" ' 0/0   4/50 '
	in_phase >/dev/null
	run -0 wisp list
	assert_contains "${lines[1]}" ' GREEN 2/20 4/50 '
	run -0 wisp status --json
	assert_equal '"GREEN"' "$(json .phase)"
	run -0 wisp list --json
	assert_equal 12 "$(json '.[0] | length')"
}

@test "the breaker is shown when it is not closed, with its reason" {
	assert_equal '  iteration 4 of 50' "$(in_phase phases=null more='"breaker": {"state": "CLOSED", "no_progress_count": 1},')"
	assert_equal '  iteration 4 of 50
  breaker   HALF_OPEN: 2 iterations without progress' \
		"$(in_phase phases=null more='"breaker": {"state": "HALF_OPEN", "no_progress_count": 2, "open_reason": null},')"
	assert_equal '  iteration 4 of 50
  breaker   HALF_OPEN' "$(in_phase phases=null more='"breaker": {"state": "HALF_OPEN"},')"
	assert_equal '  iteration 4 of 50
  phase     GREEN, 2 of 20 iterations, 36% of the whole
  breaker   OPEN: Same error repeated 3 times' \
		"$(in_phase more="$MACHINE"'"breaker": {"state": "OPEN", "open_reason": "Same error\nrepeated 3 times"},')"
	in_phase more="$MACHINE"'"breaker": {"state": "OPEN"},' >/dev/null
	run -0 wisp list
	assert_contains "$output" ' GREEN 2/20 OPEN 4/50 '
}

@test "divergence.md: its first line, its size and where it is; nothing where it says nothing" {
	session_make main
	printf '\n' >"$DIR/divergence.md"
	run -0 wisp status
	assert_lacks "$output" diverges
	run -0 wisp status --json
	assert_equal false "$(json 'has("divergence")')"
	printf '\n## No \033[31mport\n\nThe spec says 80.\n' >"$DIR/divergence.md"
	run -0 wisp status
	assert_contains "$output" $'  diverges  No [31mport\n            36 bytes: '"$DIR/divergence.md"
	run -0 wisp status --json
	assert_equal "[\"$DIR/divergence.md\",true,36,\"No [31mport\"]" "$(json '.divergence | [.path,.present,.bytes,.first]')"
	rm "$DIR/divergence.md"
	mkfifo "$DIR/divergence.md"
	run -0 wisp status
	assert_lacks "$output" diverges
}

@test "the branch picks, and where it is not clear all are named" {
	session_make feature/x
	session_make other
	git switch -q -c elsewhere
	run -100 --separate-stderr wisp status
	assert_stderr "wisp status: $PWD: which session? There is feature/x, other"
	run -100 --separate-stderr wisp status nothing
	assert_stderr "wisp status: $PWD: no session 'nothing'; there is feature/x, other"
	run -0 wisp status feature/x
	assert_contains "$output" 'feature/x: paused'
	git switch -q -c feature/x
	run -0 wisp status
	assert_contains "$output" 'feature/x: paused'
}

@test "find prints where a session lies; no says 1" {
	session_make feature/x
	run -0 wisp-session find
	assert_output "project=$PWD
branch=feature/x
dir=$PWD/.wisp/sessions/feature/x
home=$STATE
shared=${STATE%/feature/x}
worktree=$PWD/.wisp/worktrees/feature/x"
	run -1 --separate-stderr wisp-session find y
	assert_stderr "wisp-session: $PWD: no session 'y'; there is feature/x"
	cd "$BATS_TEST_TMPDIR"
	run -1 --separate-stderr wisp-session find
	assert_contains "$stderr" 'not in a git repository'
}

@test "a record of another version is bad data in status, and one of the list" {
	session_make bad
	local record=$STATE/record.json
	echo '{"version": 2}' >"$record"
	session_make good
	run -102 --separate-stderr wisp status bad
	assert_contains "$stderr" "$record: version: expected 1"
	run -0 wisp list
	assert_equal 3 "${#lines[@]}"
	assert_equal bad "${lines[1]%% *}"
	assert_contains "${lines[1]}" "- $record: version:"
	assert_contains "${lines[2]}" 'good     paused'
	run -0 wisp list --json
	assert_equal '[["bad","broken"],["good",null]]' "$(json '[.[] | [.branch,.problem.kind]]')"
	assert_equal '["version","branch","project","session","alive","tasks","phase","question","unverified","exit","reason","left"]' \
		"$(json '.[1] | keys_unsorted')"
}

@test "a damaged record: status, list and the doctor say what takes its place; the next command that writes puts it there" {
	session_make main history="[$(session_entry 1), $(session_entry 2)]"
	wisp-state -C "$PWD/.wisp/sessions/main" end --stop >/dev/null
	head -c 1500 "$STATE/record.json" >part
	mv part "$STATE/record.json"
	run -0 wisp list
	assert_contains "$output" 'main     paused'
	assert_contains "$output" 'record.json was damaged ('
	run -0 wisp status
	assert_contains "$output" 'the record kept before it'
	run -0 wisp status --json
	assert_contains "$(json .note)" 'record.json was damaged'
	wisp config agent.default replay
	run wisp doctor
	assert_contains "$output" "main: record.json was damaged"
	run -0 wisp-session -C "$PWD/.wisp/sessions/main" facts
	assert_contains "$output" "back=record.json was damaged"
	assert_contains "$output" "the damaged file is kept as $STATE/record.damaged.json"
	cmp -s <(head -c 1500 "$STATE/record.damaged.json") "$STATE/record.damaged.json"
	run -0 wisp status
	assert_contains "$output" 'record.damaged.json'
}

@test "list --all sees all projects, and those that are gone" {
	session_make one status=completed count=2
	cd "$BATS_TEST_TMPDIR"
	make_repo second
	cd second
	session_make two/three
	run -0 wisp list
	assert_equal 2 "${#lines[@]}"
	cd "$BATS_TEST_TMPDIR"
	run -100 --separate-stderr wisp list
	assert_stderr 'wisp list: not in a git repository; --all lists the sessions of all projects'
	rm -rf project/.wisp
	run -0 wisp list --all
	assert_equal 3 "${#lines[@]}"
	assert_contains "${lines[1]}" "one       $PWD/project gone"
	assert_contains "${lines[2]}" "two/three $PWD/second  paused"
	run -0 wisp list --all --json
	assert_equal '["gone",null]' "$(json '[.[].problem.kind]')"
}

@test "a limit that is waited for is named, with the time, in status and list" {
	export WISP_NOW=1768558385000
	local until=2026-01-16T14:05:00Z
	usage()
	{
		printf '"limits": {"hourly": {"calls_made": 0, "limit": 100, "next_reset": null}, "usage": {"detected": true,
			"detected_at": "2026-01-16T10:00:00Z", "resume_at": "%s", "waiting": true, "kind": "five_hour", "waits": 1}},' "$until"
	}
	session_make main status=paused pause=usage count=2 more="$(usage)"
	run -0 wisp list
	assert_contains "$output" ' waits for the usage limit until 14:05'
	run -0 wisp status
	assert_contains "$output" '  waits     usage limit: until 2026-01-16T14:05:00+00:00, 3h51m from now'
	run -0 wisp status --json
	assert_equal '{"for":"usage","until":"2026-01-16T14:05:00+00:00"}' "$(json '.waiting | {for,until}')"
	until=2026-01-18T09:30:00Z
	session_make main status=paused pause=usage count=2 more="$(usage)"
	run -0 wisp list
	assert_contains "$output" ' waits for the usage limit until 2026-01-18 09:30'
	session_make main status=halted halt=stuck count=2 more="$(usage)"
	run -0 wisp list
	assert_contains "$output" ' stuck'
	session_make main status=completed count=2 more="$(usage)"
	run -0 wisp status --json
	assert_equal false "$(json 'has("waiting")')"
}

@test "a response.json that is no answer is named, with the reason" {
	session_make main status=paused pause=needs_input count=3 exit=10 question="$PORT"
	echo '{"response": ' >"$DIR/response.json"
	run -0 wisp status
	assert_contains "$output" "  answer    $DIR/response.json:"
	run -0 wisp status --json
	assert_contains "$(json .question.invalid)" 'response.json:'
	echo '"8080"' >"$DIR/response.json"
	run -0 wisp status
	assert_lacks "$output" '  answer '
}

@test "a question that is answered is no longer asked in the list" {
	session_make main status=paused pause=needs_input count=3 exit=10 question="$PORT"
	run -0 wisp list
	assert_contains "$output" ' asks: Which port? Say one.'
	run -0 wisp answer 8080
	run -0 wisp list
	assert_contains "$output" ' answered: Which port? Say one.'
}

@test "list --all: a folder that cannot be read hides no other" {
	session_make one
	mkdir -p "$WISP_HOME"
	ln -s loop "$WISP_HOME/loop" # not even root can read it
	run -0 --separate-stderr wisp list --all
	assert_equal 3 "${#lines[@]}"
	assert_contains "$output" "- cannot read '$WISP_HOME/loop'"
	run -0 wisp watch --once
	assert_contains "$output" loop
}

@test "a list of none is empty, and says so beside it" {
	run -0 --separate-stderr wisp list
	assert_output ''
	assert_stderr 'wisp list: no sessions here; --all lists those of all projects'
	run -0 wisp list --json
	assert_output '[]'
	run -0 --separate-stderr wisp list --all
	assert_output ''
	assert_stderr 'wisp list: no sessions'
}

@test "list: the table fits the terminal, whose width COLUMNS may name; in a pipe nothing is cut" {
	export WISP_NOW=1768558385000 # 10:13:05Z
	session_make a-branch-with-a-rather-long-name status=paused pause=needs_input count=3 question="$PORT" tasks="$THREE"
	session_make tdd status=running count=4 more="$MACHINE" \
		phases='{"current_phase": "GREEN", "current_iteration": 2, "phases_completed": ["RED"]}'
	session_hold
	COLUMNS=40 run -0 wisp list
	assert_output '  BRANCH      STATUS  TASKS     ITER AGE
? a-branch-w~ paused  1/3       3/50  3m
    asks: Which port? Say one.
  tdd         running GREEN 2/5 4/50  3m'
	COLUMNS=80 run -0 wisp list
	assert_output '  BRANCH                           STATUS  PROGRESS     TASKS     ITER AGE  COST
? a-branch-with-a-rather-long-name paused  ###--------- 1/3       3/50  3m $1.93
    asks: Which port? Say one.
  tdd                              running ####-------- GREEN 2/5 4/50  3m $1.93'
	run -0 wisp list
	assert_output 'BRANCH                           STATUS  PROGRESS             TASKS     ITER AGE  COST
a-branch-with-a-rather-long-name paused  ######-------------- 1/3       3/50  3m $1.93 asks: Which port? Say one.
tdd                              running #######------------- GREEN 2/5 4/50  3m $1.93'
}

@test "a session whose record is elsewhere is read from what was published" {
	session_make main count=5
	rm -r "$WISP_HOME"
	run -0 wisp status
	assert_equal '  iteration 5 of 50' "${lines[1]}"
	run -0 wisp list
	assert_contains "$output" ' 5/50 '
}
