#!/usr/bin/env bats
# The tdd template with the real Claude Code: its tools write the tests, the code,
# the commits and the metrics, and QA is another model than GREEN.

load ../../helper
load ../../helper-scenario
load ../helper-e2e
load helper-agents

setup()
{
	claude_begin
	printf '# add\nadd.sh adds two numbers, sub.sh subtracts them.\n' >prp.md
	OPTIONS+=(-c 'verify.command=sh tests.sh')
	REPLIES=()
}

# What the model writes: the tests, as TAP, then the code.
readonly TESTS='printf "%s\n" "echo 1..2" "for t in add sub; do test -e \$t.sh && echo ok || { echo not ok; bad=1; }; done" "exit \${bad-0}" >tests.sh'
readonly CODE='echo "echo \$((\$1 + \$2))" >add.sh && echo "echo \$((\$1 - \$2))" >sub.sh'
readonly RED='{"criteria_count": 2, "tests_generated": 2, "tests_failing": 2, "tests_total": 2, "tests_passing": 0}'
readonly GREEN='{"tests_total": 2, "tests_passing": 2, "tests_failing": 0}'

# step_replies COMMAND METRICS EXIT [SUMMARY]: one step more, of three requests; a commit, then the claim.
step_replies()
{
	local n=$((${#REPLIES[@]} / 3 + 1))

	REPLIES+=("$(bash_tool "$1 && git add -A && git commit -q --allow-empty -m 'step $n'")"
		"$(state "{\"status\": \"CONTINUE\", \"summary\": \"${4:-step $n}\", \"exit_signal\": $3, \"metrics\": $2}")"
		"$(says 'That is all of this step.')")
}

# tdd CODE [OPTION]...
tdd()
{
	local code=$1
	shift
	claude_serve "${REPLIES[@]}"
	expect "$code" wisp "${OPTIONS[@]}" run work --agent claude --spec prp.md "$@"
	requests "${#REPLIES[@]}"
}

# loop PATH VALUE: what loop-state.json says there.
loop()
{
	assert_equal "$2" "$("$JQ" -c "$1" "$DIR/loop-state.json")"
}

# model STEP: the one that the service was asked for in that step.
model()
{
	"$JQ" -r .body.model "$SERVICE/$(($1 * 3 - 2)).json"
}

@test "claude: tdd from RED over a REJECT to APPROVE, as two models that saw each its prompt" {
	local n phases=(RED GREEN GREEN REFACTOR DOCUMENT QA GREEN GREEN QA)

	OPTIONS+=(-c agent.claude.model=sonnet)
	step_replies "$TESTS" "$RED" true
	step_replies "$CODE" "$GREEN" true
	step_replies 'echo "# adds" >>add.sh' "$GREEN" true
	step_replies 'echo "# subtracts" >>sub.sh' "${GREEN%\}}, \"refactoring_complete\": true}" true
	step_replies 'mkdir docs && touch docs/adr.md docs/use.md docs/why.md' '{"docs_generated": 3, "has_adr": true}' true
	step_replies 'sh add.sh 1 2' '{"blocking_issues": 1, "verdict": "REJECT"}' false 'sub.sh takes no negative number'
	step_replies 'echo "# negative, too" >>sub.sh' "$GREEN" true
	step_replies 'sh sub.sh 1 -2' "$GREEN" true
	step_replies 'sh tests.sh' '{"blocking_issues": 0, "verdict": "APPROVE"}' true
	tdd 0 --template tdd
	session .status completed
	loop .phases_completed '["RED","REFACTOR","DOCUMENT","GREEN","QA"]'
	loop '[.phase_history[].iterations]' '[1,4,1,1,2]'
	loop '.phase_history.QA.rejections[0].reason' '"sub.sh takes no negative number"'
	loop .total_agent_calls 9
	for ((n = 1; n <= 9; n++)); do
		assert_contains "$(request $((n * 3 - 2)))" "Phase ${phases[n - 1]}: "
		step "$(printf %04d "$n")" .outcome ok
		entry $((n - 1)) .phase "${phases[n - 1]}"
	done
	assert_contains "$(request 19)" 'sub.sh takes no negative number'
	assert_equal "$(git log --format=%s -n 9 work)" "$(printf 'step %s\n' 9 8 7 6 5 4 3 2 1)"

	# What it claimed is what was counted.
	entry 0 .observed.tests_failing 2
	entry 1 .observed.tests_passing 2
	for n in 0 1 2 3; do
		run -1 wisp-state -C "$DIR" get -f history ".[$n].claimed_differs"
	done

	for n in 1 2 3 4 5 7 8; do
		assert_contains "$(model $n)" sonnet
	done
	assert_contains "$(model 6)" opus
	assert_contains "$(model 9)" opus
	loop .green_model "\"$(model 2)\""
}

@test "claude: tdd, where opus implements, QA is another model" {
	mkdir -p .wisp/templates/short
	cp "$ROOT"/templates/tdd/*.md .wisp/templates/short/
	"$JQ" '.phases |= [.[] | select(.name == "GREEN" or .name == "QA") | .weight = 50]' "$ROOT/templates/tdd/loop.json" \
		>.wisp/templates/short/loop.json
	OPTIONS+=(-c agent.claude.model=opus)
	step_replies "$TESTS && $CODE" "$GREEN" true
	step_replies true "$GREEN" true
	step_replies true '{"blocking_issues": 0, "verdict": "APPROVE"}' true
	tdd 0 --template short
	loop .status '"completed"'
	assert_contains "$(model 2)" opus
	assert_contains "$(model 3)" sonnet
}
