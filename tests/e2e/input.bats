#!/usr/bin/env bats
# Bad input, odd places and odd names: a plain answer, and nothing left half made.

load ../helper
load ../helper-scenario
load helper-e2e

# refused CODE TEXT COMMAND...: it ends with CODE, says TEXT, and there is no session then.
refused()
{
	local code=$1 text=$2
	shift 2

	expect "$code" "$@"
	assert_contains "$output" "$text"
	[[ ! -e .wisp/sessions/work && ! -e .wisp/worktrees/work ]] || fail 'something was left half made'
	run ! git rev-parse -q --verify refs/heads/work >/dev/null 2>&1 || fail 'the branch was left'
}

tasks()
{
	scenario_tasks 1 >"$BATS_TEST_TMPDIR/tasks.json"
	TASKS=$BATS_TEST_TMPDIR/tasks.json
}

done_at_once()
{
	scenario_step default --effects 'echo x >x' --commit 'did it' --pass 1 --status DONE --promise
}

# --- where it is called -----------------------------------------------------

@test "no repository, and an empty one: 100" {
	tasks
	mkdir plain
	cd plain
	expect 100 wisp run work --agent replay --tasks "$TASKS"
	assert_contains "$output" 'no git repository here'
	assert_equal '' "$(ls -A)"
	git init -q -b main .
	expect 100 wisp run work --agent replay --tasks "$TASKS"
	assert_contains "$output" 'no commit yet'
	[[ ! -e .wisp ]]
}

@test "a repository that git cannot use is named with git's reason" {
	project
	tasks
	printf '[core\n' >>.git/config
	expect 111 wisp run work --agent replay --tasks "$TASKS"
	assert_contains "$output" 'bad config line'
	git init -q -b main ../other
	cd ../other
	git config core.bare true
	expect 100 wisp run work --agent replay --tasks "$TASKS"
	assert_contains "$output" 'it is bare'
}

@test "an empty branch, spec or name is refused, and not taken for none" {
	project
	done_at_once
	work 0 1
	tasks
	expect 100 wisp run '' --agent replay --tasks "$TASKS"
	expect 100 wisp rm ''
	expect 100 wisp status ''
	expect 102 wisp plan '' --agent replay
	expect 100 wisp run $'\xff' --agent replay --tasks "$TASKS"
	assert_contains "$output" 'is no name for a branch'
	assert_equal work "$(ls .wisp/sessions)"
}

@test "a detached HEAD: a work tree of its own is fine, in place is not" {
	project
	done_at_once
	tasks
	git switch -q --detach
	expect 100 wisp run --in-place --agent replay --tasks "$TASKS"
	assert_contains "$output" 'HEAD is detached'
	work 0 1
	session .base_branch null
}

@test "in place works on the branch that is checked out, and on no other that is named" {
	project
	tasks
	expect 100 wisp run other --in-place --agent replay --tasks "$TASKS"
	assert_contains "$output" "--in-place works on 'main', which is checked out, not on 'other': git switch comes first"
	expect 100 wisp run --branch other --in-place --agent replay --tasks "$TASKS"
	expect 100 wisp run one --branch other --agent replay --tasks "$TASKS"
	assert_contains "$output" "two branches are named: 'one' and 'other'"
	[[ ! -e .wisp/sessions ]]
	done_at_once
	expect 0 wisp run --branch main --in-place --agent replay --tasks "$TASKS"
}

@test "a dirty tree: the session begins at the commit, and the dirt is untouched" {
	project
	done_at_once
	echo dirty >>README
	work 0 1
	in_tree README 'A project.'
	assert_equal $'A project.\ndirty' "$(<README)"
}

@test "a branch that is there is used; one that is checked out elsewhere is refused, with the place" {
	project
	done_at_once
	tasks
	git branch there
	git worktree add -q "$BATS_TEST_TMPDIR/elsewhere" -b taken
	place there
	work 0 1
	expect 100 wisp run taken --agent replay --tasks "$TASKS"
	assert_contains "$output" "$BATS_TEST_TMPDIR/elsewhere"
	expect 100 wisp run main --agent replay --tasks "$TASKS"
	assert_contains "$output" "checked out at '$PROJECT'"
	[[ ! -e .wisp/sessions/taken && ! -e .wisp/sessions/main ]]
}

@test "branches: slashes, a and a/b, and names that git does not have" {
	project
	done_at_once
	tasks
	place feature/deep/login
	work 0 1
	in_tree x x
	status_says .branch feature/deep/login
	expect 100 wisp run feature/deep --agent replay --tasks "$TASKS"
	assert_contains "$output" feature/deep/login
	expect 100 wisp run feature/deep/login/more --agent replay --tasks "$TASKS"
	for name in 'a b' '../up' 'x.lock' '-x' 'a//b' '.hidden' 'a..b' '@{x' ''; do
		expect 100 wisp run --branch "$name" --agent replay --tasks "$TASKS" 2>/dev/null || {
			[[ -z $name && $status == 0 ]] || fail "'$name' was taken"
		}
	done
}

@test "from a subfolder, and from inside another session's work tree" {
	project
	done_at_once
	tasks
	mkdir sub
	cd sub
	work 0 1
	cd "$TREE"
	place second
	expect 0 wisp run second --agent replay --tasks "$TASKS"
	[[ -e $PROJECT/.wisp/sessions/second ]]
}

@test "blanks, quotes, backslashes and UTF-8 in every path" {
	project "a \"b\" 'c' \\d ü"
	export WISP_HOME="$BATS_TEST_TMPDIR.the record's place" TMPDIR="$BATS_TEST_TMPDIR/tmp dir"
	mkdir -p "$TMPDIR"
	scenario_new "$BATS_TEST_TMPDIR/scenario \$(x)"
	scenario_step 1 --effects 'echo x >"a file
with a \"line end\""' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'echo junk >" litter "' --exit 1
	scenario_step 3 --pass 2 --status DONE --promise
	work 0 2
	in_tree $'a file\nwith a "line end"' x
	absent ' litter '
	expect 0 wisp rollback work 1
	assert_equal '' "$(ls -A "$TMPDIR")"
}

@test "a branch and files in UTF-8, text in every field, under LANG=C" {
	project
	export LC_ALL=C LANG=C
	place 'größe/日本'
	cat >tasks.json <<-'END'
	[{"id": "ü-1", "category": "feature", "description": "größer „so“ $(x) `y` \"z\"\nzweite Zeile", "steps": ["日本語", "a\tb"],
	  "acceptance": ["\u00e9\ud83d\ude00"], "passes": false, "notes": "\\"}]
	END
	scenario_step 1 --effects 'echo ü >"datei-ü"' --pass 'ü-1' \
		--state '{"status": "NEEDS_INPUT", "summary": "gemacht: größer 日本", "question": "Wie groß? $(x) `y`"}'
	scenario_step 2 --status DONE --promise
	expect 10 wisp run "$BRANCH" --agent replay --tasks tasks.json
	expect 0 wisp answer 'größer — 日本'
	again 0
	assert_contains "$(prompt 0001)" 'größer „so“ $(x) `y` "z"'
	assert_contains "$(prompt 0001)" '日本語'
	assert_contains "$(prompt 0002)" 'größer — 日本'
	assert_contains "$(prompt 0002)" 'Wie groß? $(x) `y`'
	entry 0 .summary 'gemacht: größer 日本'
	assert_contains "$(git log --format=%B "$BRANCH")" 'größer „so“ $(x) `y` "z"'
	in_tree datei-ü ü
}

# --- what is given ----------------------------------------------------------

@test "nothing to do: no spec and no tasks is 100, a missing spec or list 102" {
	project
	refused 100 'no session to run here' wisp run
	refused 100 "no session 'work' here" wisp run work --agent replay
	refused 102 "'no-such.md'" wisp run work --agent replay --spec no-such.md
	refused 102 "'no-such.json'" wisp run work --agent replay --tasks no-such.json
	refused 102 "" wisp run work --agent replay --tasks . || :
}

@test "a task list that is an object, broken, out of schema, or empty: 102, with the place" {
	project
	echo '{"tasks": []}' >object.json
	refused 102 object.json wisp run work --agent replay --tasks object.json
	printf '[\n  {"category": "feature",}\n]\n' >broken.json
	refused 102 'broken.json:2:' wisp run work --agent replay --tasks broken.json
	echo '[{"category": "feature", "description": "x", "passes": "no", "steps": []}]' >schema.json
	refused 102 passes wisp run work --agent replay --tasks schema.json
	printf '[{"category": "feature", "description": "x", "passes": false, "passes": true, "steps": []}]' >twice.json
	refused 102 twice.json wisp run work --agent replay --tasks twice.json
	: >empty.json
	refused 102 empty.json wisp run work --agent replay --tasks empty.json
	echo '[]' >none.json
	expect 102 wisp run work --agent replay --tasks none.json
	assert_contains "$output" 'no task'
}

@test "a task list with a byte-order mark and CRLF line ends" {
	project
	done_at_once
	{
		printf '\357\273\277'
		scenario_tasks 1 | sed 's/$/\r/'
	} >tasks.json
	expect 0 wisp run work --agent replay --tasks tasks.json
	passes 1
	assert_equal "$(($(wc -c <tasks.json) - 1))" "$(wc -c <"$DIR/tasks.json" | tr -d ' ')"
}

@test "another list for a session that has one: 100; the same one: fine" {
	project
	done_at_once
	scenario_step 1 --status CONTINUE
	work 15 1 --once
	scenario_tasks 2 >other.json
	expect 100 wisp run work --tasks other.json
	assert_contains "$output" 'other tasks'
	work 0 1
}

@test "a template that is missing, or broken: not JSON, an unknown key; a prompt that is missing is the default one" {
	project
	tasks
	refused 102 "no template 'nope'" wisp run work --agent replay --tasks "$TASKS" --template nope
	refused 100 "no name" wisp run work --agent replay --tasks "$TASKS" --template ../x
	mkdir -p .wisp/templates/mine
	cp "$ROOT"/templates/default/*.md .wisp/templates/mine
	echo '{"name": ' >.wisp/templates/mine/loop.json
	refused 102 'loop.json:' wisp run work --agent replay --tasks "$TASKS" --template mine
	echo '{"name": "mine", "config": {"limits.maxIteration": 5}}' >.wisp/templates/mine/loop.json
	refused 102 'limits.maxIterations' wisp run work --agent replay --tasks "$TASKS" --template mine
	echo '{"name": "mine", "config": {"limits.maxIterations": "many"}}' >.wisp/templates/mine/loop.json
	refused 102 'limits.maxIterations' wisp run work --agent replay --tasks "$TASKS" --template mine
	echo '{"name": "mine", "config": {}}' >.wisp/templates/mine/loop.json
	rm .wisp/templates/mine/iterate.md
	scenario_step default --pass 1 --status DONE --promise
	expect 0 wisp run work --agent replay --tasks "$TASKS" --template mine
	assert_contains "$(prompt 0001)" "$(head -n 1 "$ROOT/templates/default/iterate.md")"
}

@test "a template's own settings count, below those of the project" {
	project
	mkdir -p .wisp/templates/mine
	cp "$ROOT"/templates/default/*.md .wisp/templates/mine
	echo '{"name": "mine", "config": {"limits.maxIterations": 2, "stuck.noProgress": 1}}' >.wisp/templates/mine/loop.json
	wisp config stuck.noProgress 9
	scenario_step default --status CONTINUE
	work 13 1 --template mine
	calls 2
}

@test "an agent that is missing, or not executable: 16; nothing is made" {
	project
	tasks
	refused 16 "no agent 'nobody'" wisp run work --agent nobody --tasks "$TASKS"
	echo 'exit 0' >agent
	refused 16 'not executable' wisp run work --agent ./agent --tasks "$TASKS"
	refused 16 './no-such' wisp run work --agent ./no-such --tasks "$TASKS"
	refused 16 '' wisp run work --agent . --tasks "$TASKS" 2>/dev/null || [[ $status == 16 ]]
}

@test "an agent by its path, relative to where wisp is called" {
	project
	mkdir tools
	cat >tools/agent <<-'END'
	#!/bin/sh
	cat >/dev/null
	sed 's/false/true/' "$WISP_TASKS_FILE" >t && mv t "$WISP_TASKS_FILE"
	echo '{"status": "DONE", "summary": "did it"}' >"$WISP_STATE_FILE"
	echo '<promise>COMPLETE</promise>'
	END
	chmod +x tools/agent
	tasks
	cd tools
	expect 0 wisp run work --agent ./agent --tasks "$TASKS"
	session .agent "$(cd "$PROJECT" && pwd -P)/tools/agent"
}

@test "limits that are none: 0, -1, x, and others: 100, nothing is made" {
	project
	tasks
	for value in 0 -1 x '' 1.5 1e3; do
		refused 100 max-iterations wisp run work --agent replay --tasks "$TASKS" --max-iterations "$value"
	done
	refused 100 max-cost wisp run work --agent replay --tasks "$TASKS" --max-cost -1
	refused 100 max-hours wisp run work --agent replay --tasks "$TASKS" --max-hours nan
	refused 100 max-iterations wisp run work --agent replay --tasks "$TASKS" --max-iterations
	refused 100 maxIterations wisp -c limits.maxIterations=0 run work --agent replay --tasks "$TASKS"
	refused 100 limits.maxIterations wisp -c limits.maxIteration=3 run work --agent replay --tasks "$TASKS"
}

@test "options: unknown ones, those that exclude each other, too many operands: 100" {
	project
	tasks
	refused 100 '--max-iterations' wisp run work --max-iteration 3 --tasks "$TASKS"
	refused 100 exclude wisp run work --wait --no-wait --tasks "$TASKS"
	refused 100 "'more'" wisp run work more --tasks "$TASKS"
	expect 100 wisp resume work
	assert_contains "$output" "no session 'work'"
}

@test "a configuration with an unknown key, or a bad value: 102, with the file" {
	project
	tasks
	mkdir -p .wisp
	git config --file .wisp/config limits.maxIteration 3
	refused 102 '.wisp/config' wisp run work --agent replay --tasks "$TASKS"
	git config --file .wisp/config --unset limits.maxIteration
	git config --file .wisp/config step.timeout soon
	refused 102 step.timeout wisp run work --agent replay --tasks "$TASKS"
	echo '[broken' >.wisp/config
	refused 102 '.wisp/config' wisp run work --agent replay --tasks "$TASKS"
}

# --- the surroundings -------------------------------------------------------

@test "HOME unset, TERM unset, nothing but PATH" {
	project
	scenario_step 1 --effects 'echo x >x' --pass 1 --status DONE --promise
	tasks
	git config user.name Local
	git config user.email local@example.org
	expect 0 env -i PATH="$PATH" WISP_BUILD="$WISP_BUILD" WISP_HOME="$WISP_HOME" WISP_REPLAY="$WISP_REPLAY" \
		wisp run work --agent replay --tasks "$TASKS"
	[[ ! -e \~ && ! -e .local ]]
	session .status completed
	assert_equal 'Local: task 1' "$(git log -1 --format='%an: %s' work)"
}

@test "HOME unset and no WISP_HOME: 100, and says what to set" {
	project
	done_at_once
	tasks
	expect 100 env -u HOME -u WISP_HOME -u XDG_STATE_HOME wisp run work --agent replay --tasks "$TASKS"
	assert_contains "$output" HOME
}

@test ".wisp that cannot be written: 111, named, no branch is left" {
	project
	done_at_once
	tasks
	mkdir .wisp
	chmod 555 .wisp
	expect 111 as_user wisp run work --agent replay --tasks "$TASKS"
	chmod 755 .wisp
	assert_contains "$output" .wisp
	run ! git rev-parse -q --verify refs/heads/work
}

@test "a session folder that cannot be written: 111, and it goes on when it can" {
	project
	scenario_step 1 --status CONTINUE
	scenario_step 2 --pass 1 --status DONE --promise
	work 15 1 --once
	chmod 555 "$DIR/steps"
	expect 111 as_user wisp resume work
	chmod 755 "$DIR/steps"
	calls 1
	again 0
	calls 2
}

@test "no temporary folder: 111" {
	project
	tasks
	TMPDIR=/no/such refused 111 'temporary folder' wisp run work --agent replay --tasks "$TASKS"
}

@test "a work tree removed by hand is made again" {
	project
	scenario_step 1 --effects 'echo 1 >one' --commit one --status CONTINUE
	scenario_step 2 --effects 'test -e one' --pass 1 --status DONE --promise
	work 15 1 --once
	rm -rf "$TREE"
	again 0
	in_tree one 1
}

@test "a work tree removed with its folders is made again, and nobody has tampered" {
	project
	place feature/x
	scenario_step default --status CONTINUE --effects 'echo 1 >>one' --commit one
	work 15 1 --once
	rm -rf "$PROJECT/.wisp/worktrees"
	git -C "$PROJECT" worktree prune
	git -C "$PROJECT" worktree add -q -b other "$PROJECT/.wisp/worktrees/other/x" # takes the name that git kept it by
	expect 102 wisp rollback feature/x 1
	assert_contains "$output" "the work tree '$TREE' is gone (wisp resume feature/x makes it again)"
	again 15 --once
	entry 1 .tampered '[]'
	assert_equal feature/x "$(git -C "$TREE" symbolic-ref --short HEAD)"
}

@test "a branch of more than 32 parts, which no list would find, is refused" {
	project
	scenario_tasks 1 >../tasks.json
	expect 100 wisp run "b$(printf '/%d' {1..32})" --agent replay --tasks ../tasks.json
	assert_contains "$output" 'has more than 32 parts'
	[[ ! -e .wisp/worktrees ]]
}

@test "what stands where a work tree was, without a .git, is kept" {
	project
	scenario_step default --status CONTINUE --effects 'echo 1 >>one' --commit one
	work 15 1 --once
	rm "$TREE/.git"
	echo mine >"$TREE/mine"
	again 15 --once
	assert_contains "$output" "the previous one is kept in '$PROJECT/.wisp/worktrees/.work."
	assert_equal mine "$(cat "$PROJECT"/.wisp/worktrees/.work.*/work/mine)"
}

@test "what a person is to type next fits a shell, whatever the branch is called" {
	project
	# shellcheck disable=SC2016 # as it is
	place 'it'"'"'s$(id);x'
	scenario_step default --status NEEDS_INPUT --question Which
	work 10 1
	assert_contains "$output" "wisp answer 'it'\\''s\$(id);x' TEXT"
	expect 0 wisp answer "$BRANCH" this
	assert_contains "$output" "\`wisp resume 'it'\\''s\$(id);x'\` goes on"
}

@test "a lock that cannot be opened is said once, by wisp" {
	project
	scenario_step default --status CONTINUE
	work 15 1 --once
	lock=$(echo "$WISP_HOME"/*/work/lock)
	rm "$lock"
	mkdir "$lock"
	expect 111 wisp rm work
	assert_output "wisp rm: cannot open '$lock'"
}

@test "the utilities take a session's name before the verb" {
	project
	scenario_step default --status CONTINUE
	scenario_tasks 2 >tasks.json
	expect 15 wisp run feature/x --agent replay --tasks tasks.json --once
	expect 15 wisp run other --agent replay --tasks tasks.json --once
	expect 0 wisp tasks feature/x count
	assert_contains "$output" total=2
	expect 1 wisp gate feature/x exit
	expect 100 wisp tasks nosuch count
}

@test "too few file descriptors: 111, and said as such" {
	project
	scenario_step default --pass 1 --status DONE --promise
	scenario_tasks 1 >tasks.json
	expect 111 bash -c 'ulimit -n 12; exec wisp run work --agent replay --tasks tasks.json'
	assert_equal "wisp run: too few file descriptors are allowed: 64 are needed, see 'ulimit -n'" "$output"
	[[ ! -e .wisp/sessions ]]
	expect 0 bash -c 'ulimit -n 64; exec wisp run work --agent replay --tasks tasks.json'
}

@test "an agent that says nothing at all, and one that only complains: the state counts" {
	project
	scenario_step 1 --pass 1 --status CONTINUE
	scenario_step 2 --pass '1 2' --status CONTINUE --stderr 'a warning' --exit 1
	scenario_step 3 --status DONE --promise
	work 0 2
	assert_equal '' "$(<"$DIR/steps/0001/output.log")"
	entry 0 .outcome ok
	entry 1 .outcome error
	passes 1 2
}

@test "a start with nothing to begin from says what is missing, and what begins a session" {
	project
	expect 100 wisp run
	assert_equal 'wisp run: no session to run here: --spec FILE or --tasks FILE begins one' "$output"
	expect 100 wisp run nosuch
	assert_equal "wisp run: no session 'nosuch' here: --spec FILE or --tasks FILE begins one (wisp list shows those that are there)" "$output"
	expect 100 wisp status
	assert_contains "$output" 'no session here: `wisp run --spec FILE` or `--tasks FILE` begins one'
	expect 102 wisp run a --spec gone.md
	assert_equal "wisp run: cannot read the spec 'gone.md': No such file or directory" "$output"
	expect 102 wisp plan .
	assert_equal "wisp plan: cannot read the spec '.': Is a directory" "$output"
	expect 102 wisp run a --tasks /dev/null
	assert_equal "wisp run: cannot read the task list '/dev/null': it is not a regular file" "$output"
	printf '\377\376A\0' >a.md
	printf '[\0]\0' >a.json
	expect 102 wisp run a --spec a.md
	assert_equal "wisp run: cannot read the spec 'a.md': it is UTF-16: save it as UTF-8" "$output"
	expect 102 wisp run a --tasks a.json
	assert_equal "wisp run: cannot read the task list 'a.json': it is UTF-16: save it as UTF-8" "$output"
	[[ -z $(wisp list) ]]
}
