#!/usr/bin/env bats
# wisp-tasks import, export and sync, and wisp plan --from.
#
# cases/import/FORMAT/cases holds sources: `== NAME`, then its lines; a source that begins
# with %b is written by printf '%b', for bytes that no text file should have.
# cases/import/FORMAT/expect has the same names, and below each the exit code, the tasks, one a
# line, and what is said on stderr. MAKE_EXPECT=1 makes it anew; then read it.

load helper
load helper-scenario

setup()
{
	new_world
	export WISP_LIBEXEC=$ROOT/libexec # for programs that were built elsewhere
	mkdir list
}

# split FILE DIR: each case to a file of its name, in order in $NAMES.
split()
{
	local line name=''

	NAMES=()
	mkdir -p "$2"
	while IFS= read -r line || [[ -n $line ]]; do
		if [[ $line == '== '* ]]; then
			name=${line#== }
			NAMES+=("$name")
			: >"$2/$name"
		elif [[ $line == %b* ]]; then
			printf '%b' "${line#%b}" >"$2/$name"
		else
			printf '%s\n' "$line" >>"$2/$name"
		fi
	done <"$1"
}

# play FORMAT NAME: in the folder of the sources; prints what `expect` should hold.
play()
{
	local rc=0

	wisp-tasks import "$1" "$2" >"$TMPDIR/out" 2>"$TMPDIR/err" || rc=$?
	printf 'exit %s\n' "$rc"
	if ((rc == 0)); then
		"$JQ" -c '.[]' "$TMPDIR/out"
		mv "$TMPDIR/out" "$BATS_TEST_TMPDIR/list/tasks.json"
		wisp-tasks -C "$BATS_TEST_TMPDIR/list" check || echo 'not a list'
	else
		cat "$TMPDIR/out"
	fi
	sed 's/^/stderr: /' "$TMPDIR/err"
}

# play_all FORMAT: at least 25 cases.
play_all()
{
	local name cases=$ROOT/tests/cases/import/$1 actual

	split "$cases/cases" sources
	((${#NAMES[@]} >= 25)) || fail "$1 has ${#NAMES[@]} cases"
	cd sources || return 1
	if [[ -n ${MAKE_EXPECT-} ]]; then
		for name in "${NAMES[@]}"; do
			printf '== %s\n' "$name"
			play "$1" "$name"
		done >"$cases/expect"
	fi
	split "$cases/expect" "$BATS_TEST_TMPDIR/expected"
	for name in "${NAMES[@]}"; do
		actual=$(play "$1" "$name")
		[[ $actual == "$(<"$BATS_TEST_TMPDIR/expected/$name")" ]] ||
			fail "$1 $name" 'expected:' "$(<"$BATS_TEST_TMPDIR/expected/$name")" 'actual:' "$actual" || return 1
	done
}

@test "import: prd" { play_all prd; }
@test "import: fixplan" { play_all fixplan; }
@test "import: ralphex" { play_all ralphex; }
@test "import: criteria" { play_all criteria; }
@test "import: beads" { play_all beads; }
@test "import: taskmaster" { play_all taskmaster; }
@test "import: issues" { play_all issues; }
@test "import: csv" { play_all csv; }
@test "import: lines" { play_all lines; }

# --- more than one file -----------------------------------------------------

# tasks JSON...: the list of the folder `list`, an element each.
tasks()
{
	local IFS=,

	printf '[%s]\n' "$*" >list/tasks.json
}

# round_trip FORMAT EXT: import of the export is the list again; nothing is said.
round_trip()
{
	run -0 --separate-stderr wisp-tasks -C list export "$1"
	assert_stderr ''
	printf '%s\n' "$output" >"$1.out"
	run -0 --separate-stderr wisp-tasks import "$1" "$1.out"
	assert_equal "$("$JQ" -S -c . list/tasks.json)" "$("$JQ" -S -c . <<<"$output")"
}

@test "import: a list of formats for a word that is none" {
	local list='prd|fixplan|ralphex|criteria|beads|taskmaster|issues|csv|lines'

	run -100 wisp-tasks import trello x
	assert_output "wisp-tasks: 'trello' is not a format of import: expected one of $list"
	run -100 wisp-tasks import
	assert_contains "$output" "$list"
	run -100 wisp-tasks import prd
	assert_output 'wisp-tasks: a file is missing (- is standard input)'
	run -100 wisp-tasks -C list export issues
	assert_output "wisp-tasks: 'issues' is not a format of export: expected one of prd|fixplan|ralphex|criteria|beads|csv|lines"
	run -100 wisp-tasks -C list sync csv x
	assert_output "wisp-tasks: 'csv' is not a format of sync: expected one of prd|fixplan|ralphex|criteria|beads|taskmaster"
}

@test "import: --category, standard input, files that cannot be read" {
	run -0 wisp-tasks import lines - --category docs <<<a
	assert_contains "$output" '"category": "docs"'
	run -0 wisp-tasks import prd --category=test - <<<'{"userStories": [{"title": "a"}]}'
	assert_contains "$output" '"category": "test"'
	run -100 wisp-tasks import lines - --category bug <<<a
	assert_output "wisp-tasks: --category: one of setup|feature|bugfix|refactor|test|docs, not 'bug'"
	run -102 wisp-tasks import prd nowhere
	assert_output 'wisp-tasks: nowhere: missing'
	run -102 wisp-tasks import lines list
	assert_output 'wisp-tasks: list: not a regular file'
	run -102 wisp-tasks import lines - <<<$'a\n\xff'
	assert_output 'wisp-tasks: standard input:2: not UTF-8'
}

@test "import: large files, and long lines" {
	local i

	for ((i = 0; i < 2000; i++)); do printf -- '- [ ] task %d\n  - step\n' "$i"; done >many
	wisp-tasks import fixplan many >list/tasks.json
	assert_equal total=2000 "$(wisp-tasks -C list count | tail -n 1)"
	{
		printf '{"userStories": ['
		printf '{"id": "%d", "title": "t"},\n' {1..10000}
		printf '{"title": "last"}]}\n'
	} >many
	wisp-tasks import prd many >list/tasks.json
	assert_equal total=10001 "$(wisp-tasks -C list count | tail -n 1)"
	{
		printf 'description\n'
		printf 'a%.0s' {1..300000}
	} >many
	wisp-tasks import csv many >list/tasks.json
	(($(wc -c <list/tasks.json) > 300000))
	head -c 8388600 /dev/zero | tr '\0' a >many
	run -102 wisp-tasks import lines many
	assert_output 'wisp-tasks: many: the list that it makes would be larger than 8 MiB'
	printf '[%.0s' {1..9000} >many
	run -102 wisp-tasks import issues many
	assert_output 'wisp-tasks: many:1:65: nested deeper than 64'
}

@test "import: libjq is loaded for JSON alone" {
	if ! type -P ldd >/dev/null; then skip "no ldd"; fi
	run -0 ldd "$WISP_BUILD/wisp-tasks"
	assert_lacks "$output" libjq
	WISP_LIBEXEC=$TMPDIR run -102 wisp-tasks import prd - <<<'{}'
	assert_contains "$output" "there is no filter 'common.jq'"
	WISP_LIBEXEC=$TMPDIR run -0 wisp-tasks import lines - <<<a
}

@test "export: what a format holds comes back" {
	tasks '{"id": "a", "category": "feature", "description": "One", "steps": ["s1", "s 2"], "passes": true, "priority": 1, "acceptance": ["c"], "notes": "n"}' \
		'{"id": "b", "category": "feature", "description": "Two", "steps": [], "passes": false, "depends_on": ["a"]}'
	round_trip prd
	round_trip csv
	tasks '{"id": "a", "category": "bugfix", "description": "One", "steps": ["s1"], "passes": true, "priority": 1, "acceptance": ["c"]}' \
		'{"id": "b", "category": "docs", "description": "Two", "steps": [], "passes": false, "priority": 2, "depends_on": ["a"], "notes": "x\ny"}'
	round_trip beads
	round_trip csv
	tasks '{"category": "feature", "description": "One", "steps": ["s1", "s2"], "passes": true, "priority": 1}' \
		'{"category": "docs", "description": "Two", "steps": [], "passes": false, "priority": 1, "notes": "first\nsecond"}' \
		'{"category": "feature", "description": "Three", "steps": [], "passes": false, "priority": 9}' \
		'{"category": "test", "description": "Four", "steps": [], "passes": false}'
	round_trip fixplan
	tasks '{"category": "feature", "description": "One", "steps": ["s1", "s2"], "passes": true, "verify": "make test && make lint"}' \
		'{"category": "feature", "description": "Two", "steps": [], "passes": false, "verify": "make test && make lint", "notes": "first\n- second"}' \
		'{"category": "feature", "description": "Three", "steps": [], "passes": true, "verify": "make test && make lint"}'
	round_trip ralphex
	tasks '{"category": "feature", "description": "One", "steps": ["s1"], "passes": true}' \
		'{"category": "feature", "description": "\"Two\"", "steps": [], "passes": false, "verify": "true"}'
	round_trip criteria
	tasks '{"category": "feature", "description": "One", "steps": [], "passes": false}' \
		'{"category": "feature", "description": "- [ ] Two, \"three\"; four", "steps": [], "passes": false}'
	round_trip lines
	round_trip csv
}

@test "export: what a format cannot hold is named" {
	tasks '{"id": "a", "category": "docs", "description": "One\nmore", "steps": ["s\n1"], "passes": true, "verify": "true", "notes": "- x", "color": "red"}' \
		'{"category": "feature", "description": "Two", "steps": ["x"], "passes": false, "priority": -1}'
	run -0 --separate-stderr wisp-tasks -C list export fixplan
	assert_stderr 'wisp-tasks: fixplan cannot hold: id of 1 task, the first is 1
wisp-tasks: fixplan cannot hold: description of 1 task, the first is 1
wisp-tasks: fixplan cannot hold: steps of 1 task, the first is 1
wisp-tasks: fixplan cannot hold: verify of 1 task, the first is 1
wisp-tasks: fixplan cannot hold: notes of 1 task, the first is 1
wisp-tasks: fixplan cannot hold: color of 1 task, the first is 1
wisp-tasks: fixplan cannot hold: priority of 1 task, the first is 2'
	assert_contains "$output" '- [x] One more'
	run -0 --separate-stderr wisp-tasks -C list export prd
	assert_contains "$stderr" 'prd cannot hold: category of 1 task, the first is 1'
	assert_contains "$stderr" 'prd cannot hold: steps of 1 task'
	assert_contains "$stderr" 'prd cannot hold: verify of 1 task'
	run -0 --separate-stderr wisp-tasks -C list export beads
	assert_contains "$stderr" 'beads cannot hold: id of 1 task, the first is 2'
	run -0 --separate-stderr wisp-tasks -C list export ralphex
	assert_contains "$stderr" 'ralphex cannot hold: verify of 1 task'
	tasks '{"category": "docs", "description": "same", "steps": [], "passes": true}' \
		'{"category": "docs", "description": "same", "steps": [], "passes": false}'
	run -102 wisp-tasks -C list export criteria
	assert_contains "$output" 'two criteria of the same text'
	tasks
	run -102 wisp-tasks -C list export lines
	assert_contains "$output" 'tasks.json: there is no task in it'
}

# --- sync --------------------------------------------------------------------

@test "sync: boxes of markdown, and no other byte" {
	printf '\xef\xbb\xbf# Plan\r\n- [ ] One\r\n  - [ ] step\r\n  - plain [ ]\r\n* [ ]  Two  \r\n- [x] Three\r\n- [] Four\r\n- [ ] Five\r\n' >plan.md
	tasks '{"category": "docs", "description": "One", "steps": [], "passes": true}' \
		'{"category": "docs", "description": "Two", "steps": [], "passes": true}' \
		'{"category": "docs", "description": "Three", "steps": [], "passes": false}' \
		'{"category": "docs", "description": "Four", "steps": [], "passes": true}' \
		'{"category": "docs", "description": "Six", "steps": [], "passes": true}'
	cp plan.md before.md
	chmod 640 plan.md
	ln -s plan.md link.md
	run -0 --separate-stderr wisp-tasks -C list sync --dry-run fixplan link.md
	assert_output 'ticked=1 One
ticked=2 Two
unmarked=4 Four
absent=5 Six
new=Five'
	cmp plan.md before.md
	run -0 wisp-tasks -C list sync fixplan link.md
	assert_contains "$output" 'ticked=2 Two'
	printf '\xef\xbb\xbf# Plan\r\n- [x] One\r\n  - [x] step\r\n  - plain [ ]\r\n* [x]  Two  \r\n- [x] Three\r\n- [] Four\r\n- [ ] Five\r\n' | cmp - plan.md
	[[ -L link.md ]]
	assert_equal plan.md "$(find plan.md -perm 640)"
	run -0 wisp-tasks -C list sync --json fixplan plan.md
	assert_equal '{"ticked":[],"unmarked":[{"number":4,"description":"Four"}],"absent":[{"number":5,"description":"Six"}],"new":[{"description":"Five"}]}' \
		"$("$JQ" -c . <<<"$output")"
}

@test "sync: all boxes of a task of ralphex" {
	printf '### Task 1: One\n- [ ] a\n- [x] b\n### Task 2: Two\n- [ ] c\n## Other\n- [ ] d\n' >plan.md
	tasks '{"category": "docs", "description": "One", "steps": [], "passes": true}' \
		'{"category": "docs", "description": "Two", "steps": [], "passes": false}'
	run -0 --separate-stderr wisp-tasks -C list sync ralphex plan.md
	assert_output 'ticked=1 One'
	assert_equal $'### Task 1: One\n- [x] a\n- [x] b\n### Task 2: Two\n- [ ] c\n## Other\n- [ ] d' "$(<plan.md)"
}

@test "sync: passes of prd.json, by id before description" {
	cat >prd.json <<'JSON'
{ "n": 12345678901234567890,
  "userStories": [
	{"id": "US-1", "title": "One", "passes" : false, "x": 1.10},
	{"id": "US-2", "title": "Two"},
	{"id": "US-3", "title": "Three", "passes": false}
  ] }
JSON
	tasks '{"id": "US-1", "category": "docs", "description": "reworded", "steps": [], "passes": true}' \
		'{"category": "docs", "description": "Two", "steps": [], "passes": true}' \
		'{"id": "US-3", "category": "docs", "description": "Three", "steps": [], "passes": false}'
	run -0 --separate-stderr wisp-tasks -C list sync prd prd.json
	assert_output 'ticked=1 reworded
ticked=2 Two'
	assert_equal '{ "n": 12345678901234567890,
  "userStories": [
	{"id": "US-1", "title": "One", "passes" : true, "x": 1.10},
	{"id": "US-2", "title": "Two", "passes": true},
	{"id": "US-3", "title": "Three", "passes": false}
  ] }' "$(<prd.json)"
}

@test "sync: tasks and subtasks of taskmaster" {
	printf '%s\n' '{"master": {"tasks": [{"id": 1, "title": "One", "status": "pending",' \
		' "subtasks": [{"id": 1, "title": "Part", "status" : "in-progress"}, {"id": 2, "title": "Other"}]}]}}' >tasks.json
	done_of taskmaster tasks.json
	run -0 wisp-tasks -C list sync taskmaster tasks.json
	assert_output 'ticked=1 Part
ticked=2 Other
ticked=3 One'
	assert_equal '{"master": {"tasks": [{"id": 1, "title": "One", "status": "done",
 "subtasks": [{"id": 1, "title": "Part", "status" : "done"}, {"id": 2, "title": "Other", "status": "done"}]}]}}' "$(<tasks.json)"
}

@test "sync: todos of Cursor, by their status" {
	printf -- '---\r\nname: x\r\ntodos:\r\n  - id: a\r\n    content: One\r\n    status: pending\r\n  - status: in_progress\r\n    content: Two\r\n' >x.plan.md
	printf -- '  - content: Three\n    status: in\n      progress\n  - content: Four\n  - content: Five\n    status: completed\n---\n- [ ] One\n' >>x.plan.md
	sed -e '6s/pending/completed/' -e '7s/in_progress/completed/' x.plan.md >expected
	done_of fixplan x.plan.md
	run -0 --separate-stderr wisp-tasks -C list sync fixplan x.plan.md
	assert_output 'ticked=1 One
ticked=2 Two
unmarked=3 Three
unmarked=4 Four'
	cmp expected x.plan.md
}

@test "sync: the numbers of spec-kit name its tasks" {
	printf -- '- [ ] T001 One\n- [ ] T002 [P] Two\n' >tasks.md
	done_of fixplan tasks.md
	printf -- '- [ ] T002 [P] [US1] Two, said in another way\n- [ ] T001 One\n' >tasks.md
	run -0 wisp-tasks -C list sync fixplan tasks.md
	assert_equal '- [x] T002 [P] [US1] Two, said in another way
- [x] T001 One' "$(<tasks.md)"
}

@test "sync: criteria, but not those that a command decides" {
	printf '{"criteria": ["a", "b c"], "verify": {"a": "true"}, "criteriaStatus": {"a": false}}\n' >state.json
	tasks '{"category": "docs", "description": "a", "steps": [], "passes": true}' \
		'{"category": "docs", "description": "b c", "steps": [], "passes": true}'
	run -0 --separate-stderr wisp-tasks -C list sync criteria state.json
	assert_output 'ticked=2 b c
unmarked=1 a'
	assert_equal '{"criteria": ["a", "b c"], "verify": {"a": "true"}, "criteriaStatus": {"a": false, "b c": true}}' "$(<state.json)"
}

# done_of FORMAT FILE: its tasks are the list of the folder `list`, all of them done.
done_of()
{
	wisp-tasks import "$1" "$2" 2>"$TMPDIR/err" | sed 's/"passes": false/"passes": true/' >list/tasks.json
}

# What is ticked there stays as it is, whatever is open below it.
@test "sync: markdown of every kind, a byte for a box" {
	printf '%s\r\n' '# Plan' '1. [ ] one' '   2) [ ] two' '* [ ] star' '+ [X] plus' '    - [ ] four blanks' >plan.md
	printf '%s\n' '- [ ] tab ' $'\t- [ ]\ttabbed' '```' '- [ ] code' '```' '<!-- - [ ] comment -->' '<!--' '- [ ] comment' \
		'-->' '- [ ] after' '> - [ ] quoted' '- [ ] same' '- [ ] same' '-[ ] typo' '- [-] struck' '  - [ ] below' '- a [ ] b' '' '' >>plan.md
	printf -- '- [ ] last' >>plan.md
	done_of fixplan plan.md
	run -0 wisp-tasks -C list sync fixplan plan.md
	{
		printf '%s\r\n' '# Plan' '1. [x] one' '   2) [x] two' '* [x] star' '+ [X] plus' '    - [ ] four blanks'
		printf '%s\n' '- [x] tab ' $'\t- [x]\ttabbed' '```' '- [ ] code' '```' '<!-- - [ ] comment -->' '<!--' '- [ ] comment' \
			'-->' '- [x] after' '> - [ ] quoted' '- [x] same' '- [x] same' '-[ ] typo' '- [-] struck' '  - [ ] below' '- a [ ] b' '' ''
		printf -- '- [x] last'
	} | diff - plan.md
}

@test "sync: lines of beads, closed with the time" {
	printf '\xef\xbb\xbf\r\n{"id":"b-1","title":"One","status":"in_progress","n":12345678901234567890,"updated_at":"2025"} \r\n' >issues.jsonl
	printf '{"id":"b-2","title":"Two","status":"closed","closed_at":"2025"}\n\n  {"id":"b-3","title":"Three"}\n' >>issues.jsonl
	printf '{"id":"b-4","title":"Four","status":"tombstone"}\n{"id":9007199254740993,"title":"Five", "status": "open"}' >>issues.jsonl
	done_of beads issues.jsonl
	run -0 wisp-tasks -C list sync beads issues.jsonl
	assert_contains "$output" 'ticked=4 Five'
	{
		printf '\xef\xbb\xbf\r\n{"id":"b-1","title":"One","status":"closed","n":12345678901234567890,"updated_at":"NOW","closed_at":"NOW"} \r\n'
		printf '{"id":"b-2","title":"Two","status":"closed","closed_at":"2025"}\n\n  {"id":"b-3","title":"Three","status":"closed","closed_at":"NOW"}\n'
		printf '{"id":"b-4","title":"Four","status":"tombstone"}\n{"id":9007199254740993,"title":"Five", "status": "closed", "closed_at": "NOW"}'
	} | diff - <(sed -E 's/20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z/NOW/g' issues.jsonl)
	cp issues.jsonl before
	run -0 --separate-stderr wisp-tasks -C list sync beads issues.jsonl
	assert_output ''
	cmp issues.jsonl before
	printf '[ {"id": "b-1", "title": "One", "status": "open"} ]\n' >array.json
	done_of beads array.json
	run -0 wisp-tasks -C list sync beads array.json
	assert_contains "$(<array.json)" '"title": "One", "status": "closed", "closed_at": "20'
}

@test "sync: another id is another task, whatever it says" {
	printf '{"userStories": [{"id": "A", "title": "Tests"}, {"id": "B", "title": "Tests"}, {"title": "Tests"}]}\n' >prd.json
	tasks '{"category": "test", "description": "Tests", "steps": [], "passes": false}' \
		'{"id": "C", "category": "test", "description": "Tests", "steps": [], "passes": true}' \
		'{"id": "A", "category": "test", "description": "Tests", "steps": [], "passes": true}'
	run -0 wisp-tasks -C list sync prd prd.json
	assert_output 'ticked=2 Tests
ticked=3 Tests'
	assert_equal '{"userStories": [{"id": "A", "title": "Tests", "passes": true}, {"id": "B", "title": "Tests"}, {"title": "Tests", "passes": true}]}' \
		"$(<prd.json)"
}

@test "sync: several at once, what a killed one left, and a file that is read-only" {
	local i pids=()

	for i in 1 2 3 4; do printf -- '- [ ] %s\n' "$i"; done >plan.md
	: >.plan.md.wisp-999999999-0123
	for i in 1 2 3 4; do
		mkdir "at$i"
		printf '[{"category": "docs", "description": "%s", "steps": [], "passes": true}]\n' "$i" >"at$i/tasks.json"
		wisp-tasks -C "at$i" sync fixplan plan.md >"at$i/out" 2>&1 &
		pids+=("$!")
	done
	for i in "${pids[@]}"; do wait "$i"; done
	assert_equal $'- [x] 1\n- [x] 2\n- [x] 3\n- [x] 4' "$(<plan.md)"
	[[ ! -e .plan.md.wisp-999999999-0123 ]]
	printf -- '- [ ] 1\n' >plan.md
	chmod 444 plan.md
	if [[ -w plan.md ]]; then skip 'root writes what is read-only'; fi
	run -111 wisp-tasks -C at1 sync fixplan plan.md
	assert_contains "$output" 'Permission denied'
	assert_equal '- [ ] 1' "$(<plan.md)"
}

@test "sync: two of the same text are told apart by their order" {
	printf -- '- [ ] same\n- [ ] same\n' >plan.md
	tasks '{"category": "docs", "description": "same", "steps": [], "passes": false}' \
		'{"category": "docs", "description": "same", "steps": [], "passes": true}'
	run -0 wisp-tasks -C list sync fixplan plan.md
	assert_equal $'- [ ] same\n- [x] same' "$(<plan.md)"
}

@test "sync: refused in a step, of standard input, of what does not hold" {
	printf -- '- [ ] a\n' >plan.md
	tasks '{"category": "docs", "description": "a", "steps": [], "passes": true}'
	WISP_ITERATION=1 WISP_SESSION_DIR=$PWD/list run -100 wisp-tasks sync fixplan plan.md
	assert_output 'wisp-tasks: ticking tasks elsewhere is not possible from inside a step'
	printf '{"userStories": [{"title": "a"}]}\n' >prd.json
	WISP_ITERATION=1 WISP_SESSION_DIR=$PWD/list run -100 wisp-tasks sync prd prd.json
	assert_output 'wisp-tasks: ticking tasks elsewhere is not possible from inside a step'
	run -100 wisp-tasks -C list sync fixplan - <plan.md
	assert_contains "$output" 'standard input cannot be ticked'
	printf 'nothing\n' >plan.md
	run -102 wisp-tasks -C list sync fixplan plan.md
	assert_output 'wisp-tasks: plan.md: there is no task in it'
	assert_equal nothing "$(<plan.md)"
}

# --- plan --from ---------------------------------------------------------------

@test "plan --from: a session begins with the list of another tool's file" {
	make_repo project
	cd project
	scenario_new
	scenario_step 1 --pass 1 --status CONTINUE
	scenario_step 2 --pass 2 --status DONE --promise
	printf '{"branchName": "x", "userStories": [{"id": "US-1", "title": "One"}, {"title": "Two"}]}\n' >prd.json
	run -0 --separate-stderr wisp plan --from prd prd.json --category docs --agent replay
	assert_output 'wisp/prd is ready: wisp run wisp/prd'
	assert_contains "$stderr" "prd.json:1: not taken over: 'branchName': 'x'"
	run -0 wisp tasks wisp/prd list
	assert_output '1 [ ] docs: One
2 [ ] docs: Two'
	run -0 wisp run wisp/prd
	run -0 wisp tasks wisp/prd sync prd prd.json
	assert_output 'ticked=1 One
ticked=2 Two'
	assert_equal '{"branchName": "x", "userStories": [{"id": "US-1", "title": "One", "passes": true}, {"title": "Two", "passes": true}]}' "$(<prd.json)"
}

@test "plan --from: a list that is there needs no agent, a spec does" {
	make_repo project
	cd project
	printf 'One\n' >list.txt
	printf '[{"category": "docs", "description": "One", "steps": [], "passes": false}]\n' >tasks.json
	run -16 wisp plan list.txt
	assert_contains "$output" "the agent 'claude' cannot run"
	run -0 wisp plan --from lines list.txt --branch one
	run -0 wisp plan --tasks tasks.json list.txt --branch two
	run -16 wisp run one
	assert_contains "$output" "the agent 'claude' cannot run"
}

@test "plan --from: standard input, a spec, a branch; and what is refused" {
	make_repo project
	cd project
	scenario_new
	printf 'Do it.\n' >spec.md
	run -0 wisp plan --from=lines - --agent replay <<<'One'
	assert_contains "$output" 'wisp/lines is ready'
	run -0 wisp plan spec.md --from lines - --branch other --agent replay <<<'One'
	assert_contains "$output" 'other is ready'
	assert_equal '"spec.md"' "$(wisp-state -C .wisp/sessions/other get -f session .spec --json)"
	run -100 wisp plan --from prd
	assert_output 'wisp plan: --from needs a format and a file: --from prd prd.json'
	run -100 wisp plan --from
	assert_output 'wisp plan: --from needs a format and a file: --from prd prd.json'
	run -100 wisp plan --from lines spec.md --tasks spec.md
	assert_output 'wisp plan: --from and --tasks exclude each other'
	run -100 wisp plan --category docs spec.md
	assert_output 'wisp plan: --category goes with --from'
	run -100 wisp plan --from word spec.md
	assert_contains "$output" "'word' is not a format of import"
	run -102 wisp plan --from prd spec.md --branch bad
	assert_output 'wisp-tasks: spec.md:1:1: expected a value'
	[[ ! -e .wisp/sessions/bad ]]
}
