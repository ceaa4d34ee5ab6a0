#!/usr/bin/env bats
# The prompts that ship: what they show holds, and an agent that follows them,
# and nothing else, completes a run.

load helper
load helper-scenario

# example FILE [TEMPLATE]: the first indented block of a prompt
example()
{
	local line seen=''

	while IFS= read -r line; do
		if [[ $line == '    '* ]]; then
			seen=yes
			printf '%s\n' "${line#    }"
		elif [[ -n $seen ]]; then
			return
		fi
	done <"$ROOT/templates/${2:-default}/$1"
}

@test "the state file in each system prompt is valid" {
	local template

	for template in default orchestrator tdd review; do
		example system.md "$template" >state.json
		run -0 wisp-state check state.json
		assert_equal CONTINUE "$(wisp-state get -f ./state.json .status)"
	done
	assert_equal 2 "$(wisp-state get -f ./state.json .metrics.parts_done)"
}

@test "the task list in create-tasks.md is valid" {
	example create-tasks.md >tasks.json
	run -0 wisp-tasks -C . check
	run -0 wisp-tasks -C . count
	assert_contains "$output" total=1
}

@test "the documents that the orchestrator's prompts show are taken" {
	local dir

	make_repo project
	cd project
	dir=$PWD/.wisp/sessions/orch
	wisp init >/dev/null
	wisp-session -C "$dir" create --template orchestrator --template-dir "$ROOT/templates/orchestrator" --agent replay --worktree "$PWD"
	wisp-orch -C "$dir" new --parallel 2
	wisp-orch -C "$dir" mode --mode brownfield-polish
	example discover.md orchestrator >"$dir/discovery.json"
	run -0 wisp-orch -C "$dir" take discover
	example plan.md orchestrator >"$dir/plan.json"
	run -0 wisp-orch -C "$dir" take decompose
	[[ -s $dir/plan/deployment.json ]]
	wisp-orch -C "$dir" move EXECUTE
	wisp-orch -C "$dir" move RETROSPECT
	example retrospect.md orchestrator >"$dir/retrospect.json"
	run -0 wisp-orch -C "$dir" take retrospect
	assert_equal 'deployment import-tests' "$(wisp-state -C "$dir" query -f loop '[.scopeDiscovery.systems[].name] | join(" ")')"
}

@test "the promise stands in the system prompt alone, and on no line of its own" {
	run -0 grep -rlF '<promise>' "$ROOT/templates"
	assert_output "$ROOT/templates/default/system.md"
	run -1 grep -E '^[[:space:]`]*<promise>COMPLETE</promise>[[:space:]`]*$' "$ROOT/templates/default/system.md"
}

@test "every system prompt names the four words it may end with as the state file takes them" {
	for word in CONTINUE DONE NEEDS_INPUT BLOCKED; do
		printf '{"status": "%s", "summary": "s", "question": "q", "error": "e"}' "$word" >state.json
		run -0 wisp-state check state.json
		for file in "$ROOT"/templates/*/system.md; do
			grep -qF "\`$word\`" "$file" || fail "$word is not in $file"
		done
	done
}

@test "an agent that follows only its prompts completes a run" {
	make_repo project
	cd project
	cat >../tasks.json <<'END'
[
  {"category": "setup", "description": "one", "steps": ["mkdir a", "echo 1 >a/one"],
   "passes": false},
  {"category": "feature", "description": "two", "steps": ["echo 2 >a/two"],
   "passes": false},
  {"category": "docs", "description": "three", "steps": ["cat a/one a/two >three"],
   "passes": false}
]
END
	wisp init
	wisp config verify.command 'test ! -e three || test "$(cat three)" = "1
2"'
	run -0 wisp run --foreground --agent "$ROOT/tests/stubs/obedient" --tasks ../tasks.json --branch work </dev/null
	assert_equal "Task 3
Task 2
Task 1" "$(git log --format=%s main..work)"
	assert_equal completed "$(wisp-state -C .wisp/sessions/work get -f session .status)"
	assert_equal 3 "$(wisp-state -C .wisp/sessions/work get -f session .loop_count)"
}

@test "a folder with system.md is a template: what it lacks comes from the default one" {
	make_repo project
	cd project
	wisp init
	mkdir .wisp/templates/mine
	cp "$ROOT/templates/default/system.md" .wisp/templates/mine
	printf 'Make tasks of it, as I like them.\n' >.wisp/templates/mine/create-tasks.md
	printf '[{"category": "docs", "description": "one", "steps": ["echo 1 >one"],\n"passes": false}]\n' >../tasks.json
	run wisp run --foreground --template mine --agent "$ROOT/tests/stubs/obedient" --tasks ../tasks.json --branch work </dev/null
	[[ $status == 0 ]] || fail "$output"
	assert_contains "$(<.wisp/sessions/work/steps/0001/prompt.md)" "$(head -n 1 "$ROOT/templates/default/iterate.md")"
	run wisp doctor
	assert_contains "$output" 'mine'
	rm .wisp/templates/default/iterate.md
	run -0 wisp run --foreground --agent "$ROOT/tests/stubs/obedient" --tasks ../tasks.json --branch other </dev/null
	assert_equal 1 "$(wisp-state -C .wisp/sessions/other get -f session .totals.agent_calls)"
}

@test "an agent that follows create-tasks.md makes a plan" {
	make_repo project
	cd project
	echo 'Add a login.' >spec.md
	git add spec.md
	git commit -q -m 'Say what is wanted'
	wisp init
	run -0 wisp plan spec.md --agent "$ROOT/tests/stubs/obedient" --branch work </dev/null
	run -0 wisp-tasks -C .wisp/sessions/work next
	assert_contains "$output" 'Add a login form'
}

# --- templates with phases ---------------------------------------------------

# ask TEMPLATE FILTER: of its loop.json.
ask()
{
	"$JQ" -r "$2" "$ROOT/templates/$1/loop.json"
}

# filter TEMPLATE PHASE MEMBER: gate, progress, or the reject rule of that phase.
filter()
{
	ask "$1" "if \"$3\" == \"reject\" then .reject | select(.phase == \"$2\").when
		else .phases[] | select(.name == \"$2\").$3 end"
}

# cases TEMPLATE [PHASE MEMBER]: its table in tests/cases/templates, a row a line.
cases()
{
	grep -E "^${2:-[A-Z]+} ${3:-[a-z]+} " "$ROOT/tests/cases/templates/$1"
}

# expected ROW, document ROW: the two halves of a row.
expected()
{
	local words

	read -r -a words <<<"${1%%|*}"
	printf '%s' "${words[2]}"
}

document()
{
	local metrics rest

	IFS='|' read -r _ metrics rest <<<"$1"
	printf '{state: null, tasks: null, history: [], session: null, loop: null, step: null, verify: "none", last: {}}
		+ {metrics: {%s}} + {%s}' "$metrics" "$rest"
}

# hold TEMPLATE PHASE MEMBER: one start of jq for all its rows; each gives one boolean, the right one.
hold()
{
	local row text program='' rows=() answers=() n=0

	text=$(cases "$@")
	while IFS= read -r row; do
		rows+=("$row")
		program+="${program:+, }($(document "$row"))"
	done <<<"$text"
	text=$("$JQ" -n -c "$program | [try ($(filter "$@")) catch \"error: \\(.)\"]")
	while IFS= read -r row; do
		answers+=("$row")
	done <<<"$text"
	assert_equal "${#rows[@]}" "${#answers[@]}"
	for row in "${rows[@]}"; do
		assert_equal "[$(expected "$row")] $row" "${answers[n]} $row" || return 1
		n=$((n + 1))
	done
}

# every TEMPLATE COMMAND...: COMMAND TEMPLATE PHASE MEMBER for each filter of a template; each has rows for both answers.
every()
{
	local filters phase member

	filters=$(ask "$1" '(.phases[].name | "\(.) gate", "\(.) progress"), "\(.reject.phase) reject"')
	while read -r phase member; do
		cases "$1" "$phase" "$member" | grep -q ' true ' || fail "$phase $member: no case is true" || return 1
		cases "$1" "$phase" "$member" | grep -q ' false ' || fail "$phase $member: no case is false" || return 1
		"$2" "$1" "$phase" "$member" || return 1
	done <<<"$filters"
}

@test "tdd: each gate, progress and reject filter answers as its table says" {
	every tdd hold
	(($(cases tdd | wc -l) > 150))
}

@test "review: each gate, progress and reject filter answers as its table says" {
	every review hold
	(($(cases review | wc -l) > 40))
}

# same_in_wisp TEMPLATE PHASE MEMBER: libjq, asked by wisp-gate, agrees on the first row of either answer.
same_in_wisp()
{
	local word rows code

	mkdir -p s
	for word in true false; do
		rows=$(cases "$@" | grep " $word ")
		code=0
		[[ $word == true ]] || code=1
		run -"$code" wisp-gate -C s "eval" "$(document "${rows%%$'\n'*}") | ($(filter "$@"))"
		assert_output "$word"
	done
}

@test "wisp-gate gives the same answers, each filter within its limits" {
	every tdd same_in_wisp
	every review same_in_wisp
}

# same_in_phase TEMPLATE PHASE MEMBER: so does the gate of that phase, from files, on the last row of either answer that they can hold.
same_in_phase()
{
	local word rows member=$3

	[[ $member != gate ]] || member=gate_1
	mkdir -p p
	for word in true false; do
		rows=$(cases "$@" | grep "^[A-Z]* [a-z]* $word " | grep -v -e nan -e tasks: -e verify:)
		"$JQ" -n "$(document "${rows##*$'\n'}") | {status: \"CONTINUE\", summary: \"s\", metrics}, {session_id:
			\"6f1c2e0a-1d5b-4c58-9a57-6a8f3f0a2b11\", prp_file: \"none\", current_phase: \"$2\", status: \"running\", last} | tojson" -r |
			{ read -r REPLY && echo "$REPLY" >p/state.json && cat >p/loop-state.json; }
		run -1 wisp-gate -C p phase --json --template "$ROOT/templates/$1" "$2"
		assert_equal "$word ${rows##*$'\n'}" "$("$JQ" -r ".$member" <<<"$output") ${rows##*$'\n'}" || return 1
	done
}

@test "wisp-gate phase gives the same answers for a folder of the template" {
	every tdd same_in_phase
	every review same_in_phase
}

@test "the machine of tdd is that of its specification" {
	assert_equal 'RED 10 10 3 5
GREEN 45 10 2 3
REFACTOR 15 10 5 5
DOCUMENT 15 10 3 5
QA 15 10 3 3' "$(ask tdd '.phases[] | "\(.name) \(.weight) \(.max_iterations) \(.breaker.no_progress) \(.breaker.same_error)"')"
	assert_equal 'QA GREEN .metrics.verdict == "REJECT" 3' \
		"$(ask tdd '.reject | "\(.phase) \(.goto) \(.when) \(.max)"')"
}

@test "phases: weights add up, prompts are there, nothing is loosened or executed" {
	local template name

	for template in tdd review; do
		assert_equal "$template phases 100" "$(ask "$template" '"\(.name) \(.state) \([.phases[].weight] | add)"')"
		assert_equal '{}' "$(ask "$template" '.config | tojson')"
		for name in $(ask "$template" '.phases[].prompt') system.md; do
			[[ -s $ROOT/templates/$template/$name ]] || fail "$template: no $name"
		done
	done
}

# read_by TEMPLATE PHASE: the metrics that its gate and progress read.
read_by()
{
	printf '%s\n' "$(filter "$1" "$2" gate)" "$(filter "$1" "$2" progress)" |
		grep -oE '(n|up|down|len)\("[a-z_]+"|\.(verdict|has_adr|refactoring_complete)' |
		sed -E 's/^[a-z]*[(."]+//; s/"$//' | sort -u
}

@test "phases: a prompt tells of each metric that its filters read, and of its exit signal" {
	local template rows phase prompt metrics metric text

	for template in tdd review; do
		rows=$(ask "$template" '.phases[] | "\(.name) \(.prompt)"')
		while read -r phase prompt; do
			text=$(<"$ROOT/templates/$template/$prompt")
			metrics=$(read_by "$template" "$phase")
			[[ -n $metrics ]]
			while read -r metric; do
				case $metric in
				iteration | consecutive_green_runs) assert_lacks "$text" "$metric" ;; # the controller counts them
				*) grep '^|' <<<"$text" | grep -qF "\`$metric\`" || fail "$prompt does not ask for $metric" ;;
				esac
			done <<<"$metrics"
			assert_contains "$text" '`exit_signal` is `true`'
			assert_contains "$text" "Phase $phase: "
		done <<<"$rows"
	done
}

@test "wisp init --template copies them" {
	make_repo project
	cd project
	run -0 wisp init --no-verify --template tdd
	assert_contains "$output" 'wrote .wisp/templates/tdd (7 files)'
	run -0 wisp init --no-verify --template review
	assert_equal 'wrote .wisp/templates/review (4 files)' "${lines[0]}"
	cmp "$ROOT/templates/review/review.md" .wisp/templates/review/review.md
	[[ ! -e .wisp/templates/default ]]
}
