#!/usr/bin/env bats
# wisp-state: values and files as they stand, and a loop by hand with begin and
# record. What a step is judged as is a table in unit/turn.c.

load helper

setup()
{
	mkdir s
	cat >s/state.json <<-'END'
		{
		  "status": "CONTINUE",
		  "summary": "it \"works\"",
		  "big": 12345678901234567890, "price": 1.10,
		  "a": {"b": [1, {"c d": null}]}
		}
	END
}

ws()
{
	wisp-state -C s "$@"
}

task()
{
	printf '{"category": "feature", "description": "%s", "steps": [], "passes": %s}' "$1" "$2"
}

# tasks ONE TWO: two tasks that pass or not.
tasks()
{
	printf '[%s,\n %s]\n' "$(task one "$1")" "$(task two "$2")"
}

# A session of two open tasks in d.
session()
{
	tasks false false >tasks.json
	wisp-state -C d init --tasks tasks.json
}

# step STATUS ONE TWO: what an agent leaves.
step()
{
	printf '{"status": "%s", "summary": "did it"}' "$1" >d/state.json
	tasks "$2" "$3" >d/tasks.json
}

# --- get, set, query -------------------------------------------------------

@test "state: get prints a value as it stands, a string bare" {
	run -0 ws get .big
	assert_output 12345678901234567890
	run -0 ws get .price
	assert_output 1.10
	run -0 ws get .summary
	assert_output 'it "works"'
	run -0 ws get --json .summary
	assert_output '"it \"works\""'
	run -0 ws get '.a.b[1]["c d"]'
	assert_output null
	run -0 ws get .a
	assert_output '{"b": [1, {"c d": null}]}'
	run -0 ws get .
	assert_output "$(<s/state.json)"
}

@test "state: get tells no value, no file and no path apart" {
	run -1 --separate-stderr ws get .nothing
	assert_output ''
	assert_stderr ''
	run -1 ws get '.a.b[2]'
	run -1 ws get .summary.x
	run -0 ws set .a.b[0] -1
	run -0 ws get .a.b[0]
	assert_output -1
	run -102 --separate-stderr ws get -f tasks .
	assert_stderr "wisp-state: $PWD/s/tasks.json: missing"
	run -100 --separate-stderr ws get 'a['
	assert_contains "$stderr" "'a[' is not a path"
	run -100 ws get
	run -100 ws get .a .b
}

@test "state: FILE is a word or a path" {
	tasks true false >s/tasks.json
	run -0 ws get -f tasks '.[1].description'
	assert_output two
	printf '\xef\xbb\xbf{"scripts": {"test": "make check"}}\r\n' >package.json
	run -0 wisp-state get --file=package.json .scripts.test
	assert_output 'make check'
	run -0 wisp-state get -f s/tasks.json '.[0].passes'
	assert_output true
}

@test "state: set touches no other byte" {
	local before longer='null}, "x"]'

	before=$(<s/state.json)
	run -0 --separate-stderr ws set .price 2.500
	assert_output ''
	assert_equal "${before/1.10/2.500}" "$(<s/state.json)"
	ws set .price 1.10
	assert_equal "$before" "$(<s/state.json)"
	ws set '.a.b[2]' '"x"'
	assert_equal "${before/null\}]/$longer}" "$(<s/state.json)"
	printf '\xef\xbb\xbf[{"n": 1e2}, 2]\r\n' >other.json
	wisp-state set -f other.json '.[1]' true
	printf '\xef\xbb\xbf[{"n": 1e2}, true]\r\n' >expected
	cmp other.json expected
}

@test "state: set keeps a file that it cannot set, or would break" {
	local before

	before=$(<s/state.json)
	run -1 --separate-stderr ws set .x.y 1
	assert_stderr "wisp-state: there is no place for '.x.y' in '$PWD/s/state.json'"
	run -100 --separate-stderr ws set .x '{'
	assert_contains "$stderr" "'{' is not JSON"
	run -100 ws set .x '1 2'
	run -102 --separate-stderr ws set .status '"FINE"'
	assert_stderr "wisp-state: $PWD/s/state.json:2:13: state.status: expected one of CONTINUE|DONE|NEEDS_INPUT|BLOCKED, not 'FINE'"
	run -102 ws set .status '"BLOCKED"'
	run -102 ws set . '[]'
	assert_equal "$before" "$(<s/state.json)"
	tasks true false >s/tasks.json
	run -102 --separate-stderr ws set -f tasks '.[0].category' '"fun"'
	assert_contains "$stderr" 'tasks[0].category: expected one of'
	assert_equal "$(tasks true false)" "$(<s/tasks.json)"
	run -102 ws set -f history . '[]'
}

@test "state: set holds each of the controller's files against its schema" {
	local file path value

	session
	while read -r file path value; do
		cp "d/$file" before
		run -102 --separate-stderr wisp-state -C d set -f "${file%.json}" "$path" "$value"
		assert_contains "$stderr" "d/$file:"
		cmp before "d/$file"
	done <<-'END'
		session.json .status "done"
		session.json .session_id "x"
		session.json .loop_count -1
		history.json . {}
		history.json .[0] {"iteration":"1"}
		breaker.json .state "AJAR"
		limits.json .hourly.calls_made "many"
	END
	wisp-state -C d set -f limits .hourly.calls_made 7
	run -0 wisp-state -C d get -f limits .hourly.calls_made
	assert_output 7
}

@test "state: what a session's controller owns is set in the record" {
	make_repo project
	cd project
	mkdir -p .wisp/sessions/b
	wisp-state -C .wisp/sessions/b init
	wisp-state -C .wisp/sessions/b set -f session .agent '"codex"'
	rm .wisp/sessions/b/session.json
	# Whatever is committed next publishes it again.
	wisp-state -C .wisp/sessions/b move running
	run -0 wisp-state get -f session .agent
	assert_output codex
	run -0 wisp-state get -f "$WISP_HOME"/project-*/b/record.json .session.agent
	assert_output codex
	[[ -e $(echo "$WISP_HOME"/project-*/b/.write) && ! -e .wisp/sessions/b/.lock ]]
}

@test "state: query is jq, a line for each result, strings bare" {
	run -0 ws query '.a.b[0], .summary, {x: .price}'
	assert_output $'1\nit "works"\n{"x":1.1}'
	run -0 ws query --json .summary
	assert_output '"it \"works\""'
	run -0 ws query 'empty'
	assert_output ''
	run -102 --separate-stderr ws query '.a |'
	assert_contains "$stderr" "filter '.a |':"
	run -102 ws query .a.b.c
}

# --- check -----------------------------------------------------------------

@test "state: check names file, line, column and path" {
	run -0 ws check
	assert_output ''
	printf '{"version": 1,\n "session_id": "x"}\n' >s/session.json
	printf '[\n  {"category": "fun"}]\n' >s/tasks.json
	: >s/history.json
	printf '{"state": "CLOSED"}}' >s/breaker.json
	printf '"yes"\n' >s/response.json
	printf '{"hourly": {"calls_made": 1.5},\n "usage": {}}' >s/limits.json
	run -102 --separate-stderr ws check
	assert_stderr ''
	assert_output "$PWD/s/session.json:1:1: session.branch: is missing
$PWD/s/tasks.json:2:16: tasks[0].category: expected one of setup|feature|bugfix|refactor|test|docs, not 'fun'
$PWD/s/history.json:1:1: empty
$PWD/s/breaker.json:1:20: text after the value
$PWD/s/limits.json:1:27: limits.hourly.calls_made: expected a whole number"
	run -102 ws check breaker
	assert_output "$PWD/s/breaker.json:1:20: text after the value"
	run -0 ws check state response
	run -102 ws --json check breaker
	assert_output "{
  \"good\": false,
  \"faults\": [
    {
      \"file\": \"$PWD/s/breaker.json\",
      \"line\": 1,
      \"column\": 20,
      \"text\": \"text after the value\"
    }
  ]
}"
}

@test "state: check wants a file that is named, and one at all" {
	run -102 ws check loop
	assert_output "$PWD/s/loop-state.json: missing"
	run -102 wisp-state check s/state.json none.json
	assert_output 'none.json: missing'
	mkdir empty
	run -102 --separate-stderr wisp-state -C empty check
	assert_stderr "wisp-state: no file of a session in '$PWD/empty'"
	run -102 wisp-state -C nowhere check
}

@test "state: check is not to be had by what is no plain text file" {
	mkfifo s/history.json
	mkdir s/tasks.json
	head -c 4096 /dev/zero >s/limits.json
	printf '{"state": "\xff"}' >s/breaker.json
	ln -s loop-state.json s/loop-state.json
	run -102 ws check
	assert_contains "$output" 's/history.json: cannot read: not a regular file'
	assert_contains "$output" 's/tasks.json: cannot read: not a regular file'
	assert_contains "$output" 's/limits.json:1:1: '
	assert_contains "$output" 's/breaker.json:1:12: '
	assert_contains "$output" 's/loop-state.json: cannot read'
	assert_equal 5 "${#lines[@]}"
	run -102 ws get -f history .
	run -102 ws set -f tasks . '[]'
}

@test "state: a file is too large, or too deep" {
	printf '%*s' 65 '' | tr ' ' '[' >s/history.json
	run -102 ws check history
	assert_contains "$output" 's/history.json:1:65: '
	dd if=/dev/zero of=s/history.json bs=1 count=1 seek=67108864 2>/dev/null
	run -102 ws check history
	assert_contains "$output" 's/history.json: larger than 64 MiB'
}

# bounded COMMAND...: with 256 MiB of memory at the most, which no document of such a file would fit in.
bounded()
{
	(ulimit -v 262144 && "$@")
}

@test "giants: what agents write is refused by its size, before it takes memory" {
	local file n

	printf '{"status": "DONE", "summary": "s", "metrics": {"a": [1%s]}}' "$(printf ',1%.0s' {1..600000})" >s/state.json
	run -102 bounded ws check state
	assert_contains "$output" 's/state.json: larger than 1 MiB'
	run -102 bounded ws get .status
	assert_contains "$output" 's/state.json: larger than 1 MiB'
	run -102 bounded wisp-gate -C s exit
	assert_contains "$output" 'larger than 1 MiB'
	# The deepest use of what is allowed fits.
	printf '{"status": "DONE", "summary": "s", "metrics": {"a": [1%s]}}' "$(printf ',1%.0s' {1..500000})" >s/state.json
	run -0 bounded ws check state
	file=$(printf '{"category": "test", "description": "d", "steps": [], "passes": false},\n%.0s' {1..1000})
	for ((n = 0; n < 250; n++)); do printf '%s\n' "$file"; done | sed '1s/^/[/; $s/,$/]/' >s/tasks.json
	for command in 'ws check tasks' 'wisp-tasks -C s count' 'wisp-tasks diff s/tasks.json s/tasks.json' \
		'wisp-tasks import criteria s/tasks.json' 'wisp-tasks import fixplan s/tasks.json'; do
		# shellcheck disable=SC2086 # words
		run -102 bounded $command
		assert_contains "$output" 's/tasks.json: larger than 8 MiB'
	done
	head -n 100000 s/tasks.json | sed '$s/,$/]/' >s/many && mv s/many s/tasks.json
	run -0 wisp-tasks diff s/tasks.json s/tasks.json
}

# --- a loop by hand --------------------------------------------------------

@test "state: init makes the files once" {
	session
	run -0 wisp-state -C d check
	run -0 wisp-state -C d get -f session .status
	assert_output paused
	assert_equal "$(tasks false false)" "$(<d/tasks.json)"
	cp d/session.json before
	run -1 --separate-stderr wisp-state -C d init
	assert_stderr "wisp-state: there is a session in '$PWD/d' already"
	cmp before d/session.json
	printf '[{}]' >bad.json
	run -102 wisp-state -C e init --tasks bad.json
	[[ ! -e e/session.json ]]
}

@test "state: a new session begins where one is completed" {
	local id

	session
	wisp-state -C d move running
	wisp-state -C d move completed
	id=$(wisp-state -C d get -f session .session_id)
	wisp-state -C d init
	run -0 wisp-state get -f "d/past/$id.json" .status
	assert_output completed
	[[ $(wisp-state -C d get -f session .session_id) != "$id" ]]
	# The list of tasks is still there.
	run -0 wisp-state -C d get -f tasks '.[1].description'
	assert_output two
}

@test "state: begin and record make an iteration, and may be repeated" {
	session
	printf 'old' >d/state.json
	run -0 wisp-state -C d begin
	assert_output "act=step
iteration=1
attempt=1
name=0001
dir=$PWD/d/steps/0001
max=50
budget=20"
	assert_equal old "$(<d/steps/0001/state.before.json)"
	[[ ! -e d/state.json ]]
	first=$output
	run -0 wisp-state -C d begin
	assert_output "$first"
	step CONTINUE true false
	run -0 wisp-state -C d --json record
	first=$output
	run -0 wisp-state -C d --json record
	assert_output "$first"
	run -0 wisp-state -C d query -f history 'map([.iteration, .outcome, .status, .tasks_passed, .progress])[]'
	assert_output '[1,"ok","CONTINUE",1,true]'
	run -0 wisp-state -C d query -f session '[.loop_count, .totals.agent_calls]'
	assert_output '[1,1]'
	run -0 wisp-state -C d check
	run -0 wisp-state -C d begin
	assert_contains "$output" 'name=0002'
}

@test "state: begin says when it is not the time" {
	session
	wisp-state -C d set -f session .loop_count 50
	run -1 wisp-state -C d begin
	assert_output $'act=stop\nexit=13\nreason=max_iterations\ntext=50 of 50 iterations are used'
	[[ ! -e d/steps ]]
	rm d/tasks.json
	rm -r d/good
	run -102 --separate-stderr wisp-state -C d begin
	assert_contains "$stderr" 'no task at all'
}

@test "state: begin on a session that is over starts nothing, and leaves it over" {
	session
	wisp-state -C d move running
	wisp-state -C d move completed
	run -1 wisp-state -C d begin
	assert_output act=completed
	assert_equal completed "$(wisp-state -C d get -f session .status)"
	[[ ! -e d/steps ]]
	wisp-state -C d init
	wisp-state -C d move running
	wisp-state -C d move halted --reason 'the disk is missing'
	run -1 wisp-state -C d begin
	assert_output $'act=halted\nreason=the disk is missing'
	assert_equal halted "$(wisp-state -C d get -f session .status)"
	wisp-state -C d move running
	run -0 wisp-state -C d begin
}

@test "state: a question waits for response.json" {
	session
	wisp-state -C d begin
	printf '{"status": "NEEDS_INPUT", "summary": "", "question": "Which parser?"}' >d/state.json
	run -0 wisp-state -C d record
	assert_contains "$output" 'action=ask'
	run -1 wisp-state -C d begin
	assert_output $'act=ask\nexit=10\nreason=needs_input\nid=q-1\nquestion=Which parser?'
	printf '{"response": ' >d/response.json
	run -1 wisp-state -C d begin
	assert_contains "$output" "text=$PWD/d/response.json:1:14: "
	printf '{"response": "the old one"}' >d/response.json
	run -0 wisp-state -C d begin
	assert_contains "$output" 'iteration=2'
	run -0 wisp-state get -f d/answers/q-1.json .response
	assert_output 'the old one'
	# The step that is prompted with it finds it, too; that ended, it goes.
	run -0 wisp-state get -f d/response.json .response
	assert_output 'the old one'
	step CONTINUE false
	run -0 wisp-state -C d record
	[[ ! -e d/response.json ]]
}

@test "state: record judges what it is told" {
	session
	run -102 --separate-stderr wisp-state -C d record
	assert_contains "$stderr" 'no step is open that ran'
	wisp-state -C d begin
	run -100 wisp-state -C d record --outcome fine
	run -100 wisp-state -C d record --verify maybe
	step DONE true true
	run -0 wisp-state -C d record --promise --verify failed
	assert_contains "$output" $'action=continue\n'
	assert_contains "$output" 'reason=done_refused'
	assert_equal "$(tasks false false)" "$(<d/tasks.json)"
	wisp-state -C d begin
	step DONE true true
	run -0 wisp-state -C d record --promise --verify passed --head H --tree T
	assert_contains "$output" $'action=completed\nexit=0\n'
	run -0 wisp-state -C d query -f history '.[1] | [.head, .tree, .verify]'
	assert_output '["H","T","passed"]'
	run -0 wisp-state -C d get -f session .status
	assert_output completed
}

@test "state: a failed step is told of, the second in a row halts" {
	session
	wisp-state -C d begin
	run -0 wisp-state -C d record --outcome timeout
	assert_contains "$output" 'action=retry'
	assert_contains "$output" 'tree=put-away'
	wisp-state -C d begin
	printf '{"status": "PERHAPS", "summary": ""}' >d/state.json
	run -0 wisp-state -C d record
	assert_contains "$output" $'action=halted\nexit=16\n'
	assert_contains "$output" "d/state.json:1:12: state.status: expected one of"
}

@test "state: a loop at work is left alone" {
	session
	(
		exec 9>>d/lock
		wisp-session own --fd 9
		run -1 --separate-stderr wisp-state -C d begin
		assert_stderr "wisp-state: a loop is at work on '$PWD/d'"
		run -1 wisp-state -C d record
		run -1 --separate-stderr wisp-tasks -C d reconcile passed
		assert_stderr "wisp-tasks: a loop is at work on '$PWD/d'"
	)
	wisp-state -C d begin
}

@test "state: while a loop is at work its verbs are for the process that has the session" {
	session
	wisp-state -C d begin
	cat >loop <<-'END'
		exec 9>>d/lock 8>>d/work
		wisp-session take --lock d/lock --work d/work --pid $$
		bash -c 'wisp-tasks -C d reconcile --seal "a b c" none; echo "another: $?"' 9>&- 8>&- 2>&1
		bash -c 'wisp-gate -C d decide --note; wisp-stuck -C d check --note; wisp-gate -C d phase --note; :' 9>&- 8>&- 2>&1
		bash -c 'for verb in release gitfile "person abort" "change drop"; do wisp-session -C d $verb; done; :' 9>&- 8>&- 2>&1
		wisp-tasks -C d reconcile none 9>&- >/dev/null 2>&1
		echo "the loop: $?"
	END
	run -0 bash loop
	assert_output "wisp-tasks: a loop is at work on '$PWD/d'
another: 1
wisp-gate: a loop is at work on '$PWD/d'
wisp-stuck: a loop is at work on '$PWD/d'
wisp-gate: a loop is at work on '$PWD/d'
wisp-session: a loop is at work on '$PWD/d'
wisp-session: a loop is at work on '$PWD/d'
wisp-session: a loop is at work on '$PWD/d'
wisp-session: a loop is at work on '$PWD/d'
the loop: 102"
	[[ -e d/record.json ]]
}

@test "state: nothing is changed from inside a step" {
	session
	export WISP_ITERATION=1 WISP_SESSION_DIR=$PWD/d
	for args in 'set -f session .loop_count 1' 'set -f tasks .[0].passes true' init begin record 'move running' 'error x'; do
		# shellcheck disable=SC2086 # words
		run -100 --separate-stderr wisp-state $args
		assert_contains "$stderr" 'is not possible from inside a step'
	done
	run -0 wisp-state get -f session .status
	run -1 wisp-state error --same x
	run -0 wisp-state show
}

@test "state: the smaller session.json of other tools holds, and every utility works beside it" {
	mkdir d
	printf '{"session_id": "%s", "branch": "main", "started_at": "2026-01-16T10:00:00Z", "loop_count": 3}' abc123 >d/session.json
	tasks true false >d/tasks.json
	printf '{"status": "CONTINUE", "summary": "s"}' >d/state.json
	run -0 wisp-state -C d check
	run -1 wisp-gate -C d exit
	run -0 wisp-gate -C d decide
	run -0 wisp-gate -C d explain
	run -0 wisp-state -C d show
	assert_contains "$output" 'Iteration 3/'
	run -0 wisp-state -C d progress
	assert_output 50
	run -0 wisp-state -C d set -f session .loop_count 4
	run -0 wisp-state -C d check
	run -0 wisp-state -C d query -f session '[.version, .session_id, .loop_count]'
	assert_output '[null,"abc123",4]'
	run -0 wisp-state -C d begin
	assert_contains "$output" iteration=5
	run -0 wisp-state -C d check
	run -0 wisp-state -C d query -f session '[.version, .branch, .loop_count, .started_at]'
	assert_output '[1,"main",5,"2026-01-16T10:00:00Z"]'
	printf '{"session_id": "abc", "branch": "main", "started_at": "yesterday", "loop_count": 3}' >d/session.json
	rm d/record.json*
	run -102 wisp-state -C d check
	assert_contains "$output" 'session.started_at: expected a time with a zone'
	printf '{"session_id": "abc", "branch": "main"}' >d/session.json
	run -102 wisp-state -C d check
	assert_contains "$output" 'session.started_at: is missing'
}

# --- move, error, progress, show -------------------------------------------

@test "state: move knows the legal moves" {
	session
	run -1 --separate-stderr wisp-state -C d move completed
	assert_stderr "wisp-state: no move from paused to 'completed'"
	run -0 wisp-state -C d move running
	run -0 wisp-state -C d move halted --reason 'no luck'
	run -0 wisp-state -C d query -f session '[.status, .halt_reason, .pause_reason]'
	assert_output '["halted","no luck",null]'
	run -1 wisp-state -C d move paused
	run -100 --separate-stderr wisp-state -C d move flying
	assert_stderr "wisp-state: 'flying' is no status: expected one of running|paused|completed|halted"
	run -0 wisp-state -C d move running
	run -0 wisp-state -C d get -f session .halt_reason
	assert_output null
	run -102 ws move running
}

@test "state: error hashes the whole text, from stdin too" {
	session
	run -1 wisp-state -C d error --same boom
	assert_output 81f52337ebb4cb1669bb802c708807dde0519d15cb102a6313d26ad5cd821713
	run -0 wisp-state -C d error <<<boom
	assert_output 81f52337ebb4cb1669bb802c708807dde0519d15cb102a6313d26ad5cd821713
	run -0 wisp-state -C d error --same boom
	run -0 wisp-state -C d error bang
	run -1 wisp-state -C d error --same boom
	run -1 wisp-state -C d --json error --same boom
	assert_contains "$output" '"same": false'
}

@test "state: 50 errors are kept, of 500 characters" {
	local i long

	session
	wisp-state -C d set -f session .loop_count 3
	for i in {1..51}; do
		wisp-state -C d error "$i" >/dev/null
	done
	printf -v long 'é%.0s' {1..600}
	wisp-state -C d error "$long" >/dev/null
	run -0 wisp-state query -f d/record.json '.error_history | length, .[0].error, .[49].iteration, (.[49].error | length)'
	assert_output $'50\n3\n3\n500'
}

@test "state: progress and the status line count tasks" {
	session
	run -0 wisp-state -C d progress
	assert_output 0
	tasks true false >d/tasks.json
	run -0 wisp-state -C d progress
	assert_output 50
	run -0 wisp-state -C d show
	assert_output '[default] Iteration 0/50 | 1/2 tasks passing | Status: paused'
	run -0 wisp-state -C d --json progress
	assert_output $'{\n  "progress": 50\n}'
	run -0 wisp-state -C d --json show
	assert_contains "$output" '"tasks_passed": 1'
	printf '[' >d/tasks.json
	run -102 wisp-state -C d progress
	run -102 ws progress
}

# The session of 000_: GREEN after RED.
loop_state()
{
	cat <<-'END'
		{
		  "session_id": "a1b2c3d4-e5f6-7890-abcd-ef1234567890",
		  "prp_file": "docs/PRPs/2026-01-16-feature-name.md",
		  "started_at": "2026-01-16T10:00:00-03:00",
		  "current_phase": "GREEN",
		  "current_iteration": 5,
		  "last_activity": "2026-01-16T10:45:00-03:00",
		  "status": "running",
		  "halt_reason": null,
		  "phases_completed": ["RED"],
		  "phase_history": {
		    "RED": {
		      "started_at": "2026-01-16T10:00:00-03:00",
		      "completed_at": "2026-01-16T10:15:00-03:00",
		      "iterations": 2,
		      "exit_reason": "Dual-Gate satisfied"
		    },
		    "GREEN": {"started_at": "2026-01-16T10:15:00-03:00", "completed_at": null, "iterations": 5}
		  },
		  "error_history": [],
		  "total_agent_calls": 12
		}
	END
}

@test "state: with phases, progress goes by their weights" {
	session
	loop_state >d/loop-state.json
	printf '{"status": "CONTINUE", "summary": "", "tests_run": 10, "tests_passed": 6}' >d/state.json
	run -0 wisp-state -C d progress
	assert_output 32
	run -0 wisp-state -C d show
	assert_output '[GREEN] Iteration 5/10 | 6/10 tests passing | Status: paused'
	run -0 wisp-state -C d --json show
	assert_contains "$output" '"phase": "GREEN"'
	assert_contains "$output" '"tests_total": 10'
	wisp-state -C d error boom >/dev/null
	run -0 wisp-state -C d query -f loop '.error_history[0] | .phase, .iteration, .error, .hash'
	assert_output $'GREEN\n5\nboom\n81f52337ebb4cb1669bb802c708807dde0519d15cb102a6313d26ad5cd821713'
	run -0 wisp-state -C d error --same boom
	wisp-state -C d set -f loop .allowed 20
	run -0 wisp-state -C d show
	assert_contains "$output" 'Iteration 5/20 '
}

@test "state: a loop state alone is shown, as 000_ has it" {
	loop_state >s/loop-state.json
	run -0 ws progress
	assert_output 32
	printf '{"status": "CONTINUE", "summary": "", "tests_run": 1, "tests_passed": 1, "metrics": {"tests_total": 10, "tests_passing": 6}}' \
		>s/state.json
	run -0 ws show
	assert_output '[GREEN] Iteration 5/10 | 6/10 tests passing | Status: running'
	loop_state | "$JQ" '.last = {tests_passing: 5, tests_total: 9}' >s/loop-state.json
	run -0 ws show
	assert_contains "$output" '| 5/9 tests passing |'
	run -0 ws show --detail
	assert_output '+==========================================+
|          LOOP STATE SUMMARY              |
+==========================================+
| Session:    a1b2c3d4-...                 |
| PRP:        feature-name.md              |
| Phase:      GREEN                        |
| Iteration:  5                            |
| Status:     running                      |
|                                          |
| Progress:                                |
| |-- RED:      [x] Complete (2 iters)     |
| |-- GREEN:    [>] 5/10 iters             |
| |-- REFACTOR: [ ] Pending                |
| |-- DOCUMENT: [ ] Pending                |
| `-- QA:       [ ] Pending                |
|                                          |
| Overall:    ######..............  32%    |
+==========================================+'
	LC_ALL=C.UTF-8 run -0 ws show --detail
	assert_output '╔══════════════════════════════════════════╗
║          LOOP STATE SUMMARY              ║
╠══════════════════════════════════════════╣
║ Session:    a1b2c3d4-...                 ║
║ PRP:        feature-name.md              ║
║ Phase:      GREEN (🟢)                   ║
║ Iteration:  5                            ║
║ Status:     running                      ║
║                                          ║
║ Progress:                                ║
║ ├── RED:      ✅ Complete (2 iters)      ║
║ ├── GREEN:    ⏳ 5/10 iters              ║
║ ├── REFACTOR: ⏳ Pending                 ║
║ ├── DOCUMENT: ⏳ Pending                 ║
║ └── QA:       ⏳ Pending                 ║
║                                          ║
║ Overall:    ██████░░░░░░░░░░░░░░  32%    ║
╚══════════════════════════════════════════╝'
}

@test "state: a loop state alone has errors and a status of its own" {
	local i

	mkdir d
	loop_state >d/loop-state.json
	run -1 wisp-state -C d error --same boom
	run -0 wisp-state -C d error boom
	assert_output 81f52337ebb4cb1669bb802c708807dde0519d15cb102a6313d26ad5cd821713
	run -0 wisp-state -C d error --same boom
	for ((i = 1; i <= 50; i++)); do
		printf '%0600d\n' "$i" | wisp-state -C d error >/dev/null
	done
	run -0 wisp-state -C d query -f loop '.error_history | length, .[0].iteration, .[0].phase, (.[49].error | length)'
	assert_output $'50\n5\nGREEN\n500'
	run -0 wisp-state -C d move paused --reason 'user interrupt'
	run -0 wisp-state -C d query -f loop '.status, .pause_reason, .halt_reason'
	assert_output $'paused\nuser interrupt\nnull'
	run -1 --separate-stderr wisp-state -C d move completed
	assert_stderr "wisp-state: no move from paused to 'completed'"
	run -0 wisp-state -C d move halted --reason 'gave up'
	run -0 wisp-state -C d check
	run -0 ls d
	assert_output loop-state.json
	run -102 --separate-stderr wisp-state -C . error boom
	assert_stderr "wisp-state: no session in '$PWD' (wisp-state init makes one there)"
	[ ! -e .lock ]
}

@test "state: the phases are those of the record, or of a template" {
	session
	mkdir template
	printf '{"phases": [{"name": "GREEN", "weight": 70, "max_iterations": 6, "gate": "true"}, {"name": "RED", "weight": 30, "gate": "true"}]}' \
		>template/loop.json
	loop_state >d/loop-state.json
	run -0 wisp-state -C d progress --template template
	assert_output 65
	run -0 wisp-state -C d show --template template
	assert_contains "$output" 'Iteration 5/6 '
	run -0 wisp-state -C d show --detail --template template
	assert_contains "$output" '| `-- RED:      [x] Complete (2 iters)     |'
	"$JQ" --slurpfile t template/loop.json '.machine = {phases: $t[0].phases, reject: null}' d/record.json >record.json
	mv record.json d
	run -0 wisp-state -C d progress
	assert_output 65
	run -0 wisp-state -C d check loop
	loop_state | "$JQ" '.current_phase = "QA"' >d/loop-state.json
	run -102 wisp-state -C d check
	assert_contains "$output" "loop.current_phase: expected one of GREEN|RED, not 'QA'"
	run -102 wisp-state -C d set -f loop .status '"paused"'
	loop_state >d/loop-state.json
	run -102 --separate-stderr wisp-state -C d progress --template none
	assert_stderr 'wisp-state: none/loop.json: missing'
	printf '{}' >template/loop.json
	run -102 --separate-stderr wisp-state -C d progress --template template
	assert_stderr "wisp-state: the template 'template' has no phases"
}

@test "state: a loop state is held against the rules of 000_" {
	local filter want

	while IFS='|' read -r filter want; do
		loop_state | "$JQ" "$filter" >s/loop-state.json
		run -102 ws check loop
		assert_contains "$output" "$PWD/s/loop-state.json:"
		assert_contains "$output" ": $want"
		run -102 ws show
	done <<-'END'
		.session_id = "a1b2c3d4-e5f6-1890-abcd-ef1234567890"|loop.session_id: expected a UUID v4
		del(.prp_file)|loop.prp_file: is missing
		.current_iteration = 101|loop.current_iteration: must not be above 100
		.status = "done"|loop.status: expected one of running
		.started_at = "2026-01-16T10:00:00"|loop.started_at: expected a time with a zone
		.error_history = [{}]|loop.error_history[0].timestamp: is missing
	END
	mkdir template
	printf '{"phases": [{"name": "BLUE", "weight": 100, "gate": "true"}]}' >template/loop.json
	loop_state | "$JQ" '.current_phase = "BLUE" | .phases_completed = [] | .phase_history = {}' >s/loop-state.json
	run -102 ws check loop
	assert_output "$PWD/s/loop-state.json:5:20: loop.current_phase: expected one of RED|GREEN|REFACTOR|DOCUMENT|QA, not 'BLUE'"
	run -102 ws check s/loop-state.json
	run -0 ws check --template template loop
	loop_state >s/loop-state.json
	run -0 ws check
	run -102 ws check --template template
	assert_contains "$output" "expected one of BLUE, not 'GREEN'"
	run -102 --separate-stderr ws set -f loop .current_phase '"BLUE"'
	assert_contains "$stderr" "expected one of RED|GREEN|REFACTOR|DOCUMENT|QA, not 'BLUE'"
}

# orchestra PHASE MORE: the loop state of an orchestration (001_), with further members, into s.
orchestra()
{
	mkdir -p s
	cat >s/loop-state.json <<-END
		{"orchestratorId": "orch-1705834800000", "startedAt": "2026-01-21T10:00:00Z", "mode": "brownfield-polish",
		 "modeDetection": {"detected": "brownfield-polish", "confidence": 0.87, "signals": [], "confirmedByUser": true, "overridden": false},
		 "scopeDiscovery": {"completedAt": "2026-01-21T10:15:00Z", "gaps": [], "systems": [
		  {"name": "deployment", "type": "gap-fill", "priority": "critical", "parallelizable": false},
		  {"name": "ui-polish", "type": "gap-fill", "priority": "high", "parallelizable": true},
		  {"name": "testing", "type": "gap-fill", "priority": "medium", "parallelizable": true},
		  {"name": "docs", "type": "gap-fill", "priority": "low", "parallelizable": true}], "estimatedLoops": 2, "parallelizationFactor": 3},
		 "currentLoop": 2, "currentPhase": "$1", "subAgents": [
		  {"id": "agent-ui-polish", "system": "ui-polish", "status": "running", "currentStage": "IMPLEMENT"},
		  {"id": "agent-testing", "system": "testing", "status": "failed"}], "completedSystems": ["deployment"],
		 "gates": {"pending": [{"id": "gate-001", "agent": "agent-ui-polish", "type": "visual-review", "requestedAt": "2026-01-21T11:00:00Z"}],
		  "approved": [], "rejected": []}, ${2-}
		 "metrics": {"loopsCompleted": 1, "estimatedHours": 4, "actualHours": 3.5, "calibrationFactor": 0.875}}
	END
}

@test "state: an orchestration is shown from its loop state alone, as 001_ has it" {
	orchestra EXECUTE
	run -0 wisp-state -C s check
	assert_output ''
	run -0 wisp-state -C s get -f loop '.scopeDiscovery.systems[1].name'
	assert_output ui-polish
	run -0 wisp-state -C s progress
	assert_output 35
	run -0 wisp-state -C s show
	assert_output '[EXECUTE] Loop 2 | 1/4 systems completed | 1 gate pending | Status: running'
	run -0 env LC_ALL=C wisp-state -C s show --detail
	assert_output '+==========================================+
|          LOOP STATE SUMMARY              |
+==========================================+
| Run:        orch-1705834800000           |
| Mode:       brownfield-polish (0.87)     |
| Phase:      EXECUTE                      |
| Loop:       2                            |
| Status:     running                      |
| Systems:    1/4 completed                |
| Hours:      3.5 of 4 estimated           |
|                                          |
| Systems:                                 |
| |-- deployment: [x] Complete             |
| |-- ui-polish: [>] IMPLEMENT             |
| |-- testing: [!] failed                  |
| `-- docs: [ ] Pending                    |
|                                          |
| Gates that wait for a person:            |
|   gate-001 visual-review (agent-ui-po... |
|                                          |
| Overall:    #######.............  35%    |
+==========================================+'
	# The confidence is that of what was detected, not of what a person has said.
	wisp-state -C s set -f s/loop-state.json .modeDetection.overridden true
	run -0 env LC_ALL=C wisp-state -C s show --detail
	assert_contains "$output" '| Mode:       brownfield-polish (chosen)   |'
	run -0 wisp-state -C s --json show
	assert_equal '["EXECUTE","orch-1705834800000","brownfield-polish",2,1,4,1,"running",35]' "$("$JQ" -c '[.phase, .orchestrator_id, .mode,
		.loop, .systems_completed, .systems_total, .gates_pending, .status, .progress]' <<<"$output")"
	orchestra PLAN '"sessionHandoff": {"pausedAt": "2026-01-21T12:00:00Z", "reason": "session-end", "resumeInstructions": "x", "pendingActions": []},'
	run -0 wisp-state -C s show
	assert_contains "$output" '| Status: paused'
	sed 's/"testing", "status": "failed"/"testing", "status": "spawning"/' s/loop-state.json >s/new
	mv s/new s/loop-state.json
	run -0 env LC_ALL=C wisp-state -C s show --detail
	assert_contains "$output" '-- testing: [>] stopped'
	sed 's/"sessionHandoff": {[^}]*},//' s/loop-state.json >s/new
	mv s/new s/loop-state.json
	run -0 env LC_ALL=C wisp-state -C s show --detail
	assert_contains "$output" '-- testing: [>] spawning'
	orchestra COMPLETE
	run -0 wisp-state -C s show
	assert_contains "$output" '| Status: completed'
}

@test "state: a part of an orchestration's loop state is held against its rules, and not those of phases" {
	for part in '"modeDetection": {"detected": null}' '"scopeDiscovery": {}' '"subAgents": []' '"gates": {"pending": []}' \
		'"sessionHandoff": null'; do
		printf '{%s}' "$part" >s/loop-state.json
		run -102 ws check loop
		assert_lacks "$output" session_id
		assert_contains "$output" 'loop.orchestratorId: is missing'
	done
}

@test "state: a loop state of an orchestration that does not hold is refused by all verbs, and has no status to move" {
	local verb

	orchestra DONE
	run -102 wisp-state -C s check
	assert_contains "$output" 's/loop-state.json:8:36: loop.currentPhase: expected one of DETECT|DISCOVER|PLAN|EXECUTE|RETROSPECT|COMPLETE, not'
	for verb in show progress; do
		run -102 --separate-stderr wisp-state -C s "$verb"
		assert_contains "$stderr" 'loop.currentPhase: expected one of'
	done
	orchestra EXECUTE
	run -102 --separate-stderr wisp-state -C s set -f loop '.subAgents[0].status' '"done"'
	assert_contains "$stderr" "loop.subAgents[0].status: expected one of spawning|running|waiting-gate|completed|failed, not 'done'"
	run -0 wisp-state -C s set -f loop '.subAgents[0].status' '"completed"'
	run -102 --separate-stderr wisp-state -C s move paused
	assert_contains "$stderr" 'is that of an orchestration, which has no status and no errors'
	run -102 --separate-stderr wisp-state -C s error text
	[[ ! -e s/.wisp ]]
}

@test "state: the box is 44 columns wide in ASCII" {
	local line

	session
	wisp-state -C d set -f session .spec '"docs/Größe-und-Länge-einer-langen-Datei.md"'
	run -0 wisp-state -C d show --detail
	for line in "${lines[@]}"; do
		assert_equal 44 "${#line}"
	done
	assert_contains "$output" '| Spec:       docs/Gr??e-und-L?nge-eine... |'
	assert_contains "$output" '| Overall:    ....................  0%     |'
	[[ ${lines[3]} == '| Session:    '*'... |' ]]
}

@test "state: the box counts columns, not bytes, where the locale has UTF-8" {
	session
	wisp-state -C d set -f session .spec '"日本語の仕様書.md"'
	wisp-state -C d set -f session .template '"é"'
	LC_ALL=C.UTF-8 run -0 wisp-state -C d show --detail
	assert_contains "$output" '║ Spec:       日本語の仕様書.md            ║'
	assert_contains "$output" '║ Template:   é                            ║'
	wisp-state -C d set -f session .spec '"日本語の仕様書と日本語の仕様書.md"'
	LC_ALL=C.UTF-8 run -0 wisp-state -C d show --detail
	assert_contains "$output" '║ Spec:       日本語の仕様書と日本語の...  ║'
}

# --- faults ----------------------------------------------------------------

@test "state: a folder that cannot be written to is 111, and stays as it is" {
	((EUID != 0)) || {
		# root writes where it likes; a full disk stops it too
		run -111 bash -c "ulimit -f 0; trap '' XFSZ; exec wisp-state -C s set .price 2"
		assert_contains "$output" "cannot write '$PWD/s/state.json'"
		assert_equal 1.10 "$(ws get .price)"
		return 0
	}
	chmod a-w s
	run -111 --separate-stderr ws set .price 2
	chmod u+w s
	assert_equal 1.10 "$(ws get .price)"
}

@test "state: two writers at once lose nothing" {
	local i pids=()

	session
	for i in 1 2 3 4 5 6 7 8; do
		wisp-state -C d error "$i" >/dev/null &
		pids+=($!)
	done
	for i in "${pids[@]}"; do
		wait "$i"
	done
	run -0 wisp-state query -f d/record.json '.error_history | map(.error) | sort | join("")'
	assert_output 12345678
}

@test "state: an answer that cannot be printed is 111" {
	[[ -e /dev/full ]] || return 0
	run -111 --separate-stderr bash -c "wisp-state -C s get . >/dev/full"
	assert_contains "$stderr" 'wisp-state: '
}

@test "utilities: -q leaves the exit code alone" {
	local stamp

	session
	printf '[]\n' >d/history.json
	run -0 wisp-state -q -C d get -f tasks .
	assert_output ''
	run -1 wisp-state -C d get -q -f tasks .nothing
	run -0 wisp-tasks -C d count --quiet
	assert_output ''
	printf '{"status": "CONTINUE", "summary": ""}\n' >d/state.json
	run -1 wisp-gate -C d -q exit
	assert_output ''
	run -1 wisp-stuck -C d -q check
	assert_output ''
	run -0 wisp-tasks -q import prd - <<<'{"userStories": [{"title": "a"}]}'
	assert_output ''
	run -3 wisp-agent -q run --exit-status -- sh -c 'echo out; exit 3'
	assert_output ''
	run -1 wisp-wait -q --for 0 d
	assert_output ''
	stamp=$(wisp-wait --stamp d)
	touch d/new
	run -0 wisp-wait --quiet --since "$stamp" d
	assert_output ''
	run -102 wisp-state -q -C d get -f nothing .
	assert_contains "$output" 'nothing'
}

@test "state: called wrongly is 100, help and version are 0" {
	run -100 --separate-stderr wisp-state
	run -100 --separate-stderr wisp-state fly
	assert_stderr "wisp-state: unknown verb 'fly' (-h lists them)"
	run -100 --separate-stderr ws get --fast .a
	assert_stderr "wisp-state: unknown option '--fast' (-h lists them)"
	run -0 --separate-stderr wisp-state -h
	assert_contains "$output" 'usage: wisp-state'
	run -0 wisp-state -V
}
