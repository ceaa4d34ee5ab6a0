#!/usr/bin/env bats
# What an orchestration's own steps leave is taken, or refused and told. The rules are
# unit/scope.c; here it is the files around them, and the turns of such a step.

load helper

setup()
{
	make_repo repo
	cd repo || exit 1
	wisp init >/dev/null
	DIR=$PWD/.wisp/sessions/orch
	make_session orch orchestrator
	wisp-orch -C "$DIR" new --parallel 2
	wisp-orch -C "$DIR" pool --parallel 2 >/dev/null
	wisp-orch -C "$DIR" mode --mode brownfield-polish >/dev/null
	HOME_OF=$(wisp-session place --project "$PWD" --branch orch | sed -n 's/^home=//p')
}

make_session() # <branch> <template>
{
	wisp-session -C ".wisp/sessions/$1" create --template "$2" --template-dir "$ROOT/templates/$2" --agent replay --worktree "$PWD"
}

value() # <path in the record>
{
	wisp-state get -f "$HOME_OF/record.json" "$1"
}

phase() # <phase>
{
	wisp-state set -f "$HOME_OF/record.json" .orchestration.currentPhase "\"$1\""
}

begin() # <word>
{
	wisp-state -C "$DIR" start --pid $$ >/dev/null
	run -0 wisp-state -C "$DIR" begin --head h --tree t --plan "$1"
}

# The step that is open ends with a valid state.
ends()
{
	printf '{"outcome": "ok", "reason": "", "cost_usd": 0, "duration_s": 1, "promise": false}\n' \
		>"$DIR/steps/$(value .step.name)/step.json"
	printf '{"status": "CONTINUE", "summary": "looked"}\n' >"$DIR/state.json"
	run -0 wisp-state -C "$DIR" ran
	run -0 turn_record "$DIR" h t
}

system() # <name> [more]
{
	printf '{"name": "%s", "type": "gap-fill", "priority": "high", "parallelizable": true, "estimatedHours": 2%s}' "$1" "${2-}"
}

gap()
{
	printf '{"category": "ui", "severity": "low", "description": "no button"}'
}

task()
{
	printf '[{"category": "docs", "description": "%s", "steps": [], "passes": false}]' "$1"
}

# The next step WORD leaves FILE with that text, which is looked at.
leaves() # <word> <file> <text>
{
	begin "$1"
	printf '%s\n' "$3" >"$DIR/$2"
	ends
	run wisp-orch -C "$DIR" take "$1"
}

discovered() # <system>...
{
	local name systems=''

	for name; do
		systems+="${systems:+, }$(system "$name")"
	done
	leaves discover discovery.json "{\"gaps\": [$(gap)], \"systems\": [$systems]}"
	assert_equal 0 "$status"
}

planned() # <system>...
{
	local name plans=''

	for name; do
		plans+="${plans:+, }{\"name\": \"$name\", \"tasks\": $(task "build $name")}"
	done
	leaves decompose plan.json "{\"systems\": [$plans]}"
	assert_equal 0 "$status"
}

# What lies there is refused with that text; nothing of it stays, and the state is as it was.
refused() # <word> <file> <text>
{
	local before
	before=$(value .orchestration.currentPhase)

	run -1 wisp-orch -C "$DIR" take "$1"
	assert_contains "$output" "text=$DIR/$2$3"
	[[ ! -e $DIR/$2 && ! -L $DIR/$2 ]]
	assert_equal "$before" "$(value .orchestration.currentPhase)"
}

@test "take: a discovery becomes the scope, the estimates and SCOPE-DISCOVERY.md; taken again it is the same" {
	local text before

	mkdir -p "$DIR/plan"
	echo '[]' >"$DIR/plan/one.json"
	text="{\"gaps\": [$(gap)], \"systems\": [$(system one), $(system two ', "depends_on": ["one"], "secret": 1')]}"
	leaves discover discovery.json "$text"
	assert_equal 0 "$status"
	assert_output ''
	assert_equal PLAN "$(value .orchestration.currentPhase)"
	assert_equal 2 "$(value .orchestration.scopeDiscovery.parallelizationFactor)"
	assert_equal 1 "$(value .orchestration.scopeDiscovery.estimatedLoops)"
	assert_equal 4 "$(value .orchestration.metrics.estimatedHours)"
	assert_equal two "$(value '.orchestration.scopeDiscovery.systems[1].name')"
	assert_lacks "$(<"$DIR/loop-state.json")" secret
	assert_contains "$(<"$DIR/SCOPE-DISCOVERY.md")" '- ui: no button'
	assert_contains "$(<"$DIR/SCOPE-DISCOVERY.md")" $'1. one\n2. two'
	# A list that the agent has laid there is no plan.
	[[ ! -e $DIR/plan ]]
	[[ ! -e $DIR/discovery.json && -e $DIR/steps/0001/discovery.json ]]
	run -0 wisp-state -C "$DIR" check
	# Killed before the document was put aside.
	before=$(<"$DIR/loop-state.json")
	echo "$text" >"$DIR/discovery.json"
	run -0 wisp-orch -C "$DIR" take --left discover
	assert_equal "$before" "$(<"$DIR/loop-state.json")"
	[[ ! -e $DIR/discovery.json ]]
}

@test "take: a fault is named by file, line, column and path, and told to the next step" {
	begin discover
	printf '{\n "gaps": [],\n "systems": [%s,\n  %s]\n}\n' "$(system one)" "$(system one)" >"$DIR/discovery.json"
	ends
	refused discover discovery.json ":4:12: document.systems[1].name: 'one' is there twice"
	assert_equal artefact "$(value '.feedback[0].kind')"
	assert_contains "$(value '.feedback[0].text')" 'discovery.json:4:12: document.systems[1].name'
	[[ -e $DIR/steps/0001/discovery.json ]]
	printf '{"gaps": [], "gaps": [], "systems": []}' >"$DIR/discovery.json"
	refused discover discovery.json ":1:14: duplicate key 'gaps'"
	# The third in a row is for a person.
	printf '{"gaps": ["\0"]}' >"$DIR/discovery.json"
	refused discover discovery.json ':1:12: '
	assert_contains "$output" 'asked=yes'
	assert_contains "$(value .question.question)" 'was invalid 3 times'
	printf '{"gaps": [], "systems": [{"name": "%s"' "$(head -c 100000 </dev/zero | tr '\0' x)" >"$DIR/discovery.json"
	printf ', "type": "a", "priority": "low", "parallelizable": true, "estimatedHours": 1}]}' >>"$DIR/discovery.json"
	refused discover discovery.json ":1:35: document.systems[0].name: expected lower case letters"
	assert_lacks "$output" 'asked='
	((${#output} < 3000))
}

@test "take: what is no file, or too large, is refused and does not stay" {
	begin discover
	mkdir "$DIR/discovery.json"
	ends
	refused discover discovery.json ': cannot read: not a regular file'
	mkfifo "$DIR/discovery.json"
	refused discover discovery.json ': cannot read: not a regular file'
	echo '{"gaps": [], "systems": []}' >"$BATS_TEST_TMPDIR/other"
	ln -s "$BATS_TEST_TMPDIR/other" "$DIR/discovery.json"
	refused discover discovery.json ': a symbolic link: write the file itself'
	[[ -s $BATS_TEST_TMPDIR/other ]]
	dd if=/dev/zero of="$DIR/discovery.json" bs=1 count=1 seek=$((8 * 1024 * 1024)) 2>/dev/null
	refused discover discovery.json ': larger than 8 MiB'
	: >"$DIR/discovery.json"
	refused discover discovery.json ': empty'
	refused discover discovery.json ': missing'
	# A step that left nothing is told of it, one that is only looked for is not.
	run -1 wisp-orch -C "$DIR" take --left discover
	assert_output ''
}

@test "take: what a person laid there before the first step is taken, or refused and kept" {
	echo '{"gaps": [' >"$DIR/discovery.json"
	run -1 wisp-orch -C "$DIR" take --left discover
	assert_contains "$output" "text=$DIR/discovery.json:2:1: unexpected end of JSON"
	assert_equal '{"gaps": [' "$(<"$DIR/discovery.json.old")"
	[[ ! -e $DIR/discovery.json ]]
	echo '{"gaps": [], "systems": []}' >"$DIR/discovery.json"
	run -0 wisp-orch -C "$DIR" take --left discover
	assert_equal PLAN "$(value .orchestration.currentPhase)"
}

@test "take: what an earlier step left does not count" {
	echo '{"gaps": [], "systems": []}' >"$DIR/discovery.json"
	echo '{"systems": []}' >"$DIR/plan.json"
	begin discover
	[[ ! -e $DIR/discovery.json && -e $DIR/plan.json ]]
	assert_equal '{"gaps": [], "systems": []}' "$(<"$DIR/steps/0001/artefact.before.json")"
	ends
	refused discover discovery.json ': missing'
}

@test "take: a system whose session is there already needs another name" {
	make_session orch-one default
	leaves discover discovery.json "{\"gaps\": [], \"systems\": [$(system two), $(system one)]}"
	assert_equal 1 "$status"
	assert_contains "$output" 'document.systems[1].name: there is a session orch-one already: take another name'
	discovered two
}

@test "take: a plan becomes a list for each system; nothing is written outside the session" {
	local outside=$BATS_TEST_TMPDIR/outside

	discovered one two
	leaves decompose plan.json "{\"systems\": [{\"name\": \"one\", \"tasks\": $(task x)}]}"
	assert_equal 1 "$status"
	assert_contains "$output" "document.systems: the system 'two' is missing"
	mkdir "$outside"
	ln -s "$outside" "$DIR/plan"
	rm "$DIR/SCOPE-DISCOVERY.md"
	mkdir -p "$DIR/SCOPE-DISCOVERY.md/x"
	planned one two
	assert_equal '' "$(ls "$outside")"
	assert_equal $'one.json\ntwo.json' "$(ls "$DIR/plan")"
	assert_equal '"build two"' "$("$JQ" '.[0].description' "$DIR/plan/two.json")"
	assert_contains "$(<"$DIR/SCOPE-DISCOVERY.md")" '# Scope discovery'
	assert_equal PLAN "$(value .orchestration.currentPhase)"
}

@test "take: a retrospect adds systems and their lists; killed before the loop goes on, it is not taken twice" {
	discovered one
	planned one
	phase RETROSPECT
	leaves retrospect retrospect.json "{\"gaps\": [$(gap)], \"systems\": [$(system one ", \"tasks\": $(task x)")]}"
	assert_equal 1 "$status"
	assert_contains "$output" "'one' was there in this orchestration"
	leaves retrospect retrospect.json "{\"gaps\": [$(gap)], \"lessons\": \"look first\", \"systems\": [$(system new ", \"tasks\": $(task x), \"depends_on\": [\"one\"]")]}"
	assert_equal 0 "$status"
	assert_equal RETROSPECT "$(value .orchestration.currentPhase)"
	assert_equal new "$(value '.orchestration.scopeDiscovery.systems[1].name')"
	assert_lacks "$(<"$DIR/loop-state.json")" tasks
	assert_equal $'new.json\none.json' "$(ls "$DIR/plan")"
	assert_contains "$(<"$DIR/RETROSPECT.md")" 'look first'
	run -0 wisp-orch -C "$DIR" take --left retrospect
	assert_equal 2 "$("$JQ" '.orchestration.scopeDiscovery.systems | length' "$HOME_OF/record.json")"
	# The next loop has a retrospect of its own.
	wisp-orch -C "$DIR" move EXECUTE
	phase RETROSPECT
	run -1 wisp-orch -C "$DIR" take --left retrospect
}

@test "take: a gap that a retrospect no longer names is closed, and open again where one names it again" {
	local other='{"category": "ci", "severity": "high", "description": "no CI"}'
	local -r closed='[.orchestration.scopeDiscovery.gaps[] | "\(.category) \(.closed)"] | join(", ")'

	discovered one
	planned one
	phase RETROSPECT
	leaves retrospect retrospect.json "{\"gaps\": [$other], \"systems\": [$(system new ", \"tasks\": $(task x)")]}"
	assert_equal 0 "$status"
	assert_equal 'ci null, ui true' "$("$JQ" -r "$closed" "$HOME_OF/record.json")"
	assert_contains "$(<"$DIR/SCOPE-DISCOVERY.md")" $'### Closed\n\n- ui: no button'
	run -0 wisp-state -C "$DIR" check
	wisp-orch -C "$DIR" move EXECUTE
	phase RETROSPECT
	leaves retrospect retrospect.json "{\"gaps\": [$(gap)], \"systems\": [$(system more ", \"tasks\": $(task x)")]}"
	assert_equal 'ui null, ci true' "$("$JQ" -r "$closed" "$HOME_OF/record.json")"
	run -0 wisp-orch -C "$DIR" again
	assert_contains "$output" act=execute
	wisp-orch -C "$DIR" move EXECUTE
	phase RETROSPECT
	leaves retrospect retrospect.json '{"gaps": [], "systems": []}'
	assert_equal 'ui true, ci true' "$("$JQ" -r "$closed" "$HOME_OF/record.json")"
	assert_contains "$(<"$DIR/SCOPE-DISCOVERY.md")" $'## Gaps\n\nNone.\n\n### Closed'
	run -0 wisp-orch -C "$DIR" again
	assert_contains "$output" act=complete
}

@test "take: words, phases and sessions that it is not for" {
	run -100 wisp-orch -C "$DIR" take everything
	assert_contains "$output" "expected one of discover|decompose|retrospect, not 'everything'"
	echo '{"systems": []}' >"$DIR/plan.json"
	run -100 wisp-orch -C "$DIR" take decompose
	assert_contains "$output" 'plan.json is of the phase PLAN: this one is DISCOVER'
	[[ -e $DIR/plan.json ]]
	make_session other default
	run -102 wisp-orch -C .wisp/sessions/other take discover
}

@test "take: such a step needs no task list and changes none; the loop state outlives every turn" {
	local before

	[[ ! -e $DIR/tasks.json ]]
	begin discover
	assert_contains "$output" 'act=step'
	assert_equal discover "$(value .step.plan)"
	before=$(value .orchestration.orchestratorId)
	# An agent writes itself a state, and a list.
	echo '{"currentPhase": "COMPLETE"}' >"$DIR/loop-state.json"
	task mine >"$DIR/tasks.json"
	ends
	assert_equal ok "$(value '.history[0].outcome')"
	assert_equal CONTINUE "$(value '.history[0].status')"
	assert_equal loop-state.json "$(value '.history[0].tampered[0]')"
	assert_equal DISCOVER "$(wisp-state get -f "$DIR/loop-state.json" .currentPhase)"
	# Killed in the middle of one, and begun again.
	begin discover
	wisp-state -C "$DIR" start --pid $$ --resume --template "$ROOT/templates/orchestrator" >/dev/null
	assert_equal interrupted "$(value '.history[1].outcome')"
	begin discover
	ends
	wisp-session -C "$DIR" release
	assert_equal "$before" "$(value .orchestration.orchestratorId)"
	assert_equal "$before" "$(wisp-state get -f "$DIR/loop-state.json" .orchestratorId)"
	# Where the record is gone, the loop state is what is left of it.
	rm "$HOME_OF/record.json"
	wisp-state -C "$DIR" start --pid $$ >/dev/null
	assert_equal "$before" "$(value .orchestration.orchestratorId)"
	assert_equal null "$("$JQ" .phases "$HOME_OF/record.json")"
}
