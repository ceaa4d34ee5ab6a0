#!/usr/bin/env bats
# The spec changes: the task list follows, once a person says yes.

load ../helper
load ../helper-scenario
load helper-e2e
load helper-terminal

setup()
{
	project
	printf 'Make it greet.\nIn English.\n' >spec.md
	git add spec.md
	git commit -q -m spec
}

teardown()
{
	end_tmux
	if [[ -n $LOOP ]]; then
		kill -KILL "$LOOP" 2>/dev/null || :
	fi
	helper_teardown
}

# task ID DESCRIPTION PASSES [MORE]
task()
{
	printf '{"id": "%s", "category": "feature", "description": "%s", "steps": [], "passes": %s%s}' "$1" "$2" "$3" "${4-}"
}

list()
{
	local item separator='['

	for item; do
		printf '%s\n%s' "$separator" "$item"
		separator=,
	done
	printf '\n]\n'
}

# A session with a spec and two tasks, the first of which passes; the spec is then another one.
started()
{
	place greet
	list "$(task one greet false)" "$(task two shout false)" >ready.json
	scenario_step 1 --effects 'echo a >a' --pass one --commit one --status CONTINUE
	expect 15 wisp run greet --agent replay --spec spec.md --tasks ready.json --once
	printf 'Make it greet.\nIn German.\n' >spec.md
}

# The list that an update may make of that: one stays, two is reworded, three is new.
updated()
{
	list "$(task one greet true)" "$(task two 'shout in German' false)" "$(task three translate false)"
}

good()
{
	wisp-state -C "$DIR" get -f "$(wisp-session find "$BRANCH" | sed -n 's/^home=//p')/record.json" "$1"
}

@test "update: the agent is told the difference, the change is shown, a yes puts it in place, the loop goes on" {
	started
	scenario_step 2 --tasks "$(updated)" --status CONTINUE
	scenario_step 3 --pass 'two three' --status DONE --promise
	expect 0 wisp update spec.md greet --yes
	assert_contains "$(prompt 0002)" 'The spec has changed.'
	assert_contains "$(prompt 0002)" '-In English.'
	assert_contains "$(prompt 0002)" '+In German.'
	assert_contains "$(prompt 0002)" "- spec: $PROJECT/spec.md"
	assert_contains "$output" $'added: 1\n    3  translate'
	assert_contains "$output" $'reworded: 1\n    2  shout in German'
	assert_lacks "$output" 'removed'
	assert_contains "$(prompt 0003)" 'the task list was changed for it'
	assert_lacks "$(prompt 0003)" 'How the spec has changed'
	assert_contains "$(prompt 0003)" "- spec: $PROJECT/spec.md"
	calls 3
	session .status completed
	passes 1 2 3
	entry 1 .progress false
}

@test "update: without a terminal and --yes it ends with 10 before any call; resume --yes goes on" {
	started
	scenario_step 2 --tasks "$(updated)" --status CONTINUE
	scenario_step 3 --pass 'two three' --status DONE --promise
	expect 10 wisp update spec.md greet
	assert_contains "$output" 'a person has to say yes (wisp resume greet --yes'
	calls 1
	session .status paused
	session .pause_reason "a changed task list waits for a person's yes"
	status_says .exit 10
	expect 10 wisp update spec.md greet
	calls 1
	again 0 --yes
	calls 3
	passes 1 2 3
}

@test "update: what a terminal saw waits, nothing is changed, and a yes later needs no agent" {
	started
	cp "$DIR/tasks.json" ../before.json
	scenario_step 2 --tasks "$(updated)" --status CONTINUE
	proposed 'wisp update spec.md greet'
	assert_contains "$output" 'translate'
	cmp "$DIR/tasks.json" ../before.json
	session .status paused
	session .pause_reason "a changed task list waits for a person's yes"
	expect 10 wisp update spec.md greet
	assert_contains "$output" 'wisp resume greet --yes'
	assert_contains "$output" 'translate'
	calls 2
	scenario_step 3 --pass 'two three' --status DONE --promise
	expect 0 wisp update spec.md greet --yes
	calls 3
	passes 1 2 3
}

@test "update: resume --yes takes it as well; without it the loop goes on with the list that there is" {
	started
	scenario_step 2 --tasks "$(updated)" --status CONTINUE
	proposed 'wisp update spec.md greet'
	scenario_step 3 --pass two --status DONE --promise
	scenario_step 4 --tasks "$(updated)" --status CONTINUE
	scenario_step 5 --pass three --status DONE --promise
	expect 0 wisp resume greet
	assert_contains "$output" 'a changed task list waits for a yes'
	assert_equal 2 "$(wisp-tasks -C "$DIR" count | sed -n 's/total=//p')"
	calls 3
}

@test "update: --no-run ends once the list is changed" {
	started
	scenario_step 2 --tasks "$(updated)" --status CONTINUE
	expect 0 wisp update spec.md greet --yes --no-run
	calls 2
	session .status paused
	passes 1
	assert_equal 3 "$(wisp-tasks -C "$DIR" count | sed -n 's/total=//p')"
	expect 100 wisp update spec.md greet --yes
	assert_contains "$output" 'nothing to update'
	calls 2
}

@test "update: the spec that steps are told of is the one that was given, whatever became of the file" {
	started
	scenario_step 2 --tasks "$(updated)" --status CONTINUE
	expect 0 wisp update spec.md greet --yes --no-run
	echo 'In French.' >spec.md
	scenario_step 3 --pass 'two three' --status DONE --promise
	again 0
	file=$(prompt 0003 | sed -n 's/^- spec: //p')
	assert_contains "$file" /good/
	assert_equal $'Make it greet.\nIn German.' "$(<"$file")"
}

@test "update: where no copy of the old spec was kept, git has it; else all of the new one is told" {
	started
	record=$(wisp-session find greet | sed -n 's/^home=//p')/record.json
	"$JQ" '.spec = null' "$record" >../record && mv ../record "$record"
	scenario_step 2 --status NEEDS_INPUT --question 'Why?'
	expect 10 wisp update spec.md greet --yes
	assert_contains "$(prompt 0002)" '-In English.'
	"$JQ" '.spec = null | .session.spec = null | .question = null' "$record" >../record && mv ../record "$record"
	echo 'In French.' >>spec.md
	scenario_step 3 --status BLOCKED --error 'no'
	expect 11 wisp update spec.md greet --yes
	assert_contains "$(prompt 0003)" 'What it said before is not known.'
	assert_contains "$(prompt 0003)" '    Make it greet.'
}

@test "update: an open task that goes is said, and kept in the session" {
	started
	scenario_step 2 --tasks "$(list "$(task one greet true)" "$(task three translate false)")" --status CONTINUE
	expect 0 wisp update spec.md greet --yes --no-run
	assert_contains "$output" $'removed: 1\n    2  shout'
	assert_equal two "$(good '.removed[0].id')"
}

@test "update: a task that passed and does not hold any more is opened, and said" {
	started
	scenario_step 2 --tasks "$(list "$(task one greet false)" "$(task two shout false)")" --status CONTINUE
	expect 0 wisp update spec.md greet --yes --no-run
	assert_contains "$output" $'reopened: 1\n    1  greet'
	passes
}

@test "update: a list that is not lawful is told and asked for again; twice is 16, the old one stays, and it can go on" {
	started
	cp "$DIR/tasks.json" ../before.json
	scenario_step 2 --tasks "$(list "$(task two shout false)")" --status CONTINUE
	scenario_step 3 --tasks "$(list "$(task one greet true)" "$(task two shout true)")" --status DONE --promise
	expect 16 wisp update spec.md greet --yes
	assert_contains "$(prompt 0003)" 'The task list was not accepted'
	assert_contains "$(prompt 0003)" 'task 1 (greet) passes and is gone'
	assert_contains "$(prompt 0003)" '+In German.'
	assert_contains "$output" 'passes now'
	cmp "$DIR/tasks.json" ../before.json
	scenario_step 4 --tasks "$(updated)" --status CONTINUE
	scenario_step 5 --pass 'two three' --status DONE --promise
	again 0
	calls 5
	passes 1 2 3
}

@test "update: a list that does not parse, or is gone, is a failed step" {
	started
	scenario_step 2 --tasks '[{' --status CONTINUE
	scenario_step 3 --effects 'rm "$WISP_TASKS_FILE"' --status CONTINUE
	expect 16 wisp update spec.md greet --yes
	assert_contains "$output" 'tasks.json is gone'
	passes 1
}

@test "update: what lies in the list's place and is no file is a failed step, and called that" {
	unconfined # of a confined step it is named, and not taken over: the list is as it was
	started
	scenario_step 2 --effects 'rm "$WISP_TASKS_FILE"; mkdir "$WISP_TASKS_FILE"' --status CONTINUE
	scenario_step 3 --effects 'rm "$WISP_TASKS_FILE"; mkfifo "$WISP_TASKS_FILE"' --status CONTINUE
	expect 16 wisp update spec.md greet --yes
	assert_contains "$output" 'not a regular file'
	passes 1
}

@test "update: no task changes: the spec is the new one, nobody is asked" {
	started
	scenario_step 2 --status CONTINUE
	expect 0 wisp update spec.md greet --yes --no-run
	assert_contains "$output" 'the tasks stay as they are'
	expect 100 wisp update spec.md greet
}

@test "update: a question is asked, and the answer's step is told the difference again" {
	started
	scenario_step 2 --status NEEDS_INPUT --question 'Which German?'
	scenario_step 3 --tasks "$(updated)" --status CONTINUE
	expect 10 wisp update spec.md greet --yes
	wisp answer Swiss
	scenario_step 4 --pass 'two three' --status DONE --promise
	again 0
	assert_contains "$(prompt 0003)" 'Swiss'
	assert_contains "$(prompt 0003)" '+In German.'
	assert_equal 3 "$(wisp-tasks -C "$DIR" count | sed -n 's/total=//p')"
}

@test "update: a completed session goes on as another one, its counters at zero" {
	local id

	place greet
	list "$(task one greet false)" >ready.json
	scenario_step 1 --pass one --status DONE --promise
	expect 0 wisp run greet --agent replay --spec spec.md --tasks ready.json
	id=$(wisp-state -C "$DIR" get -f session .session_id)
	expect 100 wisp update spec.md greet
	session .status completed
	echo 'In German.' >>spec.md
	scenario_step 2 --tasks "$(list "$(task one greet true)" "$(task three translate false)")" --status CONTINUE
	scenario_step 3 --pass three --status DONE --promise
	expect 0 wisp update spec.md greet --yes
	[[ -e $DIR/past/$id.json ]]
	session .loop_count 2
	session .status completed
	assert_contains "$(prompt 0001.2)" '+In German.'
	passes 1 2
}

@test "update: tasks that a person changes while a yes is waited for make the agent be asked again" {
	started
	scenario_step 2 --tasks "$(updated)" --status CONTINUE
	proposed 'wisp update spec.md greet'
	wisp-tasks -C "$DIR" add --category test --id four 'test it'
	scenario_step 3 --tasks "$(list "$(task one greet true)" "$(task two shout false)" "$(task four 'test it' false | sed s/feature/test/)" "$(task three translate false)")" --status CONTINUE
	expect 0 wisp update spec.md greet --yes --no-run
	assert_contains "$output" 'the agent is asked again'
	calls 3
	assert_equal 4 "$(wisp-tasks -C "$DIR" count | sed -n 's/total=//p')"
}

@test "update: what a yes would let run is shown" {
	started
	scenario_step 2 --tasks "$(list "$(task one greet true)" "$(task two shout false)" "$(task three translate false ', "verify": "rm -rf x"')")" --status CONTINUE
	proposed 'wisp update spec.md greet'
	assert_contains "$output" 'verified by: rm -rf x'
}

@test "update: a spec that is missing, empty, no text or too large is refused, with no agent call" {
	started
	expect 102 wisp update gone.md greet
	assert_contains "$output" gone.md
	: >empty.md
	expect 102 wisp update empty.md greet
	assert_contains "$output" 'it is empty'
	printf 'a\nb\0c\n' >binary.md
	expect 102 wisp update binary.md greet
	assert_contains "$output" 'binary.md:2:2: it is not a text file: a NUL'
	printf 'a\n\377\n' >binary.md
	expect 102 wisp update binary.md greet
	assert_contains "$output" 'binary.md:2:1: it is not a text file: this is not UTF-8'
	truncate -s 65M large.md
	expect 102 wisp update large.md greet
	assert_contains "$output" 'larger than 64 MiB'
	expect 102 wisp update . greet
	expect 100 wisp update
	calls 1
	WISP_ITERATION=1 WISP_SESSION_DIR=$DIR expect 100 wisp update spec.md greet
}

@test "update: the spec as it was again drops the change that waits" {
	started
	scenario_step 2 --tasks "$(updated)" --status CONTINUE
	proposed 'wisp update spec.md greet'
	git checkout -q spec.md
	expect 100 wisp update spec.md greet
	assert_contains "$output" 'is dropped'
	scenario_step 3 --pass two --status DONE --promise
	again 0
	assert_lacks "$output" 'waits for a yes'
}

@test "update: a loop that lives owns the session: 17" {
	started
	scenario_step 2 --delay 60
	wisp resume greet </dev/null >/dev/null 2>&1 3>&- &
	LOOP=$!
	wait_until 10 test -e "$DIR/steps/0002/prompt.md"
	expect 17 wisp update spec.md greet --yes
	kill -TERM "$LOOP"
	wait "$LOOP" || :
	LOOP=''
}

@test "update: with phases the next prompt is told, and no list is asked for" {
	place phases
	scenario_step default --status CONTINUE
	expect 15 wisp run phases --agent replay --template tdd --spec spec.md --once
	echo 'In German.' >>spec.md
	expect 13 wisp update spec.md phases --max-iterations 2
	assert_contains "$output" 'the next prompt says so'
	assert_contains "$(prompt 0002)" '+In German.'
	[[ ! -e $DIR/tasks.json ]]
}

@test "update: killed in the middle, it goes on by itself" {
	started
	scenario_step 2 --delay 60
	wisp update spec.md greet --yes </dev/null >/dev/null 2>&1 3>&- &
	LOOP=$!
	wait_until 10 test -e "$DIR/replay/calls" -a -e "$DIR/steps/0002/prompt.md"
	kill -KILL "$LOOP"
	wait "$LOOP" || :
	LOOP=''
	rm -r "$WISP_REPLAY/2"
	scenario_step default --status DONE --pass 'two three' --promise
	scenario_step 2 --tasks "$(updated)" --status CONTINUE
	scenario_step 3 --tasks "$(updated)" --status CONTINUE
	again 0
	assert_contains "$output" 'added: 1'
	passes 1 2 3
}

@test "update: at a terminal it asks; no leaves all as it was, yes goes on" {
	started
	scenario_step 2 --tasks "$(updated)" --status CONTINUE
	typed wisp update spec.md greet --foreground
	sees 'change it so? [y/n]'
	press n
	sees_end 15
	session .pause_reason 'a person did not want the task list changed'
	assert_equal 2 "$(wisp-tasks -C "$DIR" count | sed -n 's/total=//p')"
	assert_equal null "$(good .change)"
	scenario_step 3 --tasks "$(updated)" --status CONTINUE
	scenario_step 4 --pass 'two three' --status DONE --promise
	typed wisp update spec.md greet --foreground
	sees 'change it so? [y/n]'
	press y
	sees_end 0
	passes 1 2 3
}

@test "update: at a terminal the loop goes on in tmux, which asks there" {
	started
	scenario_step 2 --tasks "$(updated)" --status CONTINUE
	scenario_step 3 --pass 'two three' --status DONE --promise
	typed wisp update spec.md greet
	sees 'change it so? [y/n]'
	press y
	sees_end 0
	passes 1 2 3
}

@test "update: a task that was verified before stays verified in the next session" {
	place greet
	list "$(task one greet false)" >ready.json
	scenario_step 1 --effects 'echo x >x' --pass one --status DONE --promise
	expect 0 wisp -c verify.command=true run greet --agent replay --spec spec.md --tasks ready.json
	echo 'In German.' >>spec.md
	scenario_step 2 --tasks "$(list "$(task one greet true)" "$(task three translate false)")" --status CONTINUE
	scenario_step 3 --effects 'echo y >y' --pass three --status DONE --promise
	expect 0 wisp -c verify.command=true update spec.md greet --yes
	assert_contains "$output" '2 of 2 pass, 2 of them verified'
}
