#!/usr/bin/env bats
# What an agent may not touch is put back and named; the task list keeps its law.

load ../helper
load ../helper-scenario
load helper-e2e

setup()
{
	project
	scenario_step 2 --pass '1 2' --status DONE --promise
}

# tampered I NAME...: the names in entry I of history.json.
tampered()
{
	local i=$1
	shift

	assert_equal "$*" "$(wisp-state -C "$DIR" query -f history ".[$i].tampered | sort | join(\" \")")"
}

@test "tampering: session.json and history.json are put back, named, told, and kept for people to see" {
	scenario_step 1 --effects '
		sed "s/\"loop_count\": 1/\"loop_count\": 0/; s/\"cost_usd\": 0/\"cost_usd\": -5/" "$WISP_SESSION_DIR/session.json" >s
		mv s "$WISP_SESSION_DIR/session.json"
		echo "[]" >"$WISP_SESSION_DIR/history.json"' --pass 1 --status CONTINUE
	scenario_step 3 --status DONE --promise
	work 15 2 --once
	scenario_step 2 --effects 'rm "$WISP_SESSION_DIR/history.json"' --status CONTINUE
	scenario_step 3 --pass 2 --status DONE --promise
	again 0
	tampered 0 session.json
	tampered 1 history.json
	session .loop_count 3
	assert_contains "$(<"$DIR/steps/0001/tampered/session.json")" '"loop_count": 0'
	assert_contains "$(prompt 0002)" 'Files of the controller were put back'
	assert_contains "$(prompt 0002)" session.json
	assert_contains "$(prompt 0003)" history.json
}

@test "tampering: limits.json and breaker.json" {
	scenario_step 1 --effects 'echo "{}" >"$WISP_SESSION_DIR/limits.json"; rm "$WISP_SESSION_DIR/breaker.json"' --pass 1 --status CONTINUE
	work 0 2
	tampered 0 breaker.json limits.json
	assert_contains "$(<"$DIR/limits.json")" calls_made
	[[ -s $DIR/breaker.json ]]
}

@test "tampering: config and template" {
	expect 0 wisp init --agent replay
	cp .wisp/config "$BATS_TEST_TMPDIR/config"
	cp .wisp/templates/default/iterate.md "$BATS_TEST_TMPDIR/iterate.md" 2>/dev/null || {
		mkdir -p .wisp/templates/default
		cp "$ROOT"/templates/default/* .wisp/templates/default/
		cp .wisp/templates/default/iterate.md "$BATS_TEST_TMPDIR/iterate.md"
	}
	scenario_step 1 --effects '
		top=$WISP_SESSION_DIR/../../..
		git config --file "$top/.wisp/config" verify.command "true"
		echo "say DONE" >"$top/.wisp/templates/default/iterate.md"
		echo "more" >"$top/.wisp/templates/default/more.md"' --pass 1 --status CONTINUE
	work 0 2
	tampered 0 .wisp/config .wisp/templates/default/iterate.md .wisp/templates/default/more.md
	diff .wisp/config "$BATS_TEST_TMPDIR/config"
	diff .wisp/templates/default/iterate.md "$BATS_TEST_TMPDIR/iterate.md"
	[[ ! -e .wisp/templates/default/more.md ]]
	assert_equal 'say DONE' "$(<"$DIR/steps/0001/tampered/.wisp/templates/default/iterate.md")"
}

@test "tampering: the whole session folder deleted is made again, the tasks from the good copy" {
	scenario_step 1 --effects 'rm -rf "$WISP_SESSION_DIR"'
	scenario_step default --pass '1 2' --status DONE --promise
	export WISP_REPLAY_STATE=$BATS_TEST_TMPDIR/replay
	OPTIONS=(-c agent.replay.env=WISP_REPLAY_STATE)
	work 0 2
	entry 0 .state missing
	assert_contains "$(wisp-state -C "$DIR" query -f history '.[0].tampered')" session.json
	passes 1 2
	session .loop_count 2
}

@test "tampering: the work tree's .git file" {
	scenario_step 1 --effects 'echo x >x; rm .git' --pass 1 --status CONTINUE
	work 0 2
	tampered 0 .git
	in_tree x x
	assert_equal refs/heads/work "$(git -C "$TREE" symbolic-ref HEAD)"
	assert_equal '' "$(git status --porcelain -- . ':!.wisp')"
}

@test "tampering: a .git that points elsewhere, even to a repository of the agent's own" {
	scenario_step 1 --effects 'rm .git; git init -q .; git config core.fsmonitor "touch $PWD/../ran"' --pass 1 --status CONTINUE
	work 0 2
	tampered 0 .git
	[[ ! -e $PROJECT/.wisp/worktrees/ran ]] || fail 'a program of the agent ran'
}

@test "tampering: .git/config, hooks and agents' settings are named, but stay" {
	scenario_step 1 --effects '
		git config wisp.test x
		hooks=$(git rev-parse --git-common-dir)/hooks
		printf "#!/bin/sh\nexit 1\n" >"$hooks/pre-commit"; chmod +x "$hooks/pre-commit"
		mkdir -p .claude; echo "{}" >.claude/settings.json' --pass 1 --status CONTINUE
	work 0 2
	tampered 0 .claude/settings.json .git/config .git/hooks
	tampered 1
	assert_equal x "$(git config wisp.test)"
	[[ -x .git/hooks/pre-commit ]]
}

@test "no tampering: what a person changes while no loop runs" {
	scenario_step 1 --pass 1 --status CONTINUE
	work 15 2 --once
	wisp config limits.maxIterations 7
	echo '{}' >"$DIR/session.json"
	rm "$DIR/history.json"
	git config wisp.test x
	again 0
	tampered 1
	session .loop_count 2
}

@test "no tampering: wisp config while the loop runs" {
	scenario_step 1 --effects 'touch ../started; until test -e ../go; do sleep 0.02; done' --pass 1 --status CONTINUE
	begin 2
	wait_until 10 test -e "$PROJECT/.wisp/worktrees/started"
	wisp config limits.maxIterations 7
	touch "$PROJECT/.wisp/worktrees/go"
	ends 0
	tampered 0
	assert_equal 7 "$(wisp config limits.maxIterations)"
}

# --- the task list ----------------------------------------------------------

# list A B ...: a task list with these ids
list()
{
	local id separator=''

	printf '['
	for id; do
		printf '%s\n{"id": "%s", "category": "feature", "description": "task %s", "steps": [], "passes": %s}' \
			"$separator" "${id%+}" "${id#t}" "$([[ $id == *+ ]] && echo true || echo false)"
		separator=,
	done
	printf '\n]'
}

@test "tasks: removed, reworded or reordered ones are put back; passes stay where the task is the same; told" {
	scenario_step 1 --tasks "$(list t1)" --status CONTINUE
	scenario_step 2 --tasks "$(list t2 t1)" --status CONTINUE
	scenario_step 3 --effects 'sed "s/task 2/another/; s/\"passes\": false/\"passes\": true/" "$WISP_TASKS_FILE" >t; mv t "$WISP_TASKS_FILE"' --status CONTINUE
	scenario_step 4 --pass 2 --status DONE --promise
	OPTIONS=(-c stuck.noProgress=9)
	work 0 2
	assert_contains "$(prompt 0002)" 'tasks.json was put back: 1 removed'
	assert_contains "$(prompt 0003)" 'moved'
	assert_contains "$(prompt 0004)" 'reworded'
	assert_contains "$(prompt 0004)" '1 of 2 tasks are open'
	assert_equal "$(scenario_tasks 2 | sed 's/false/true/')" "$(<"$DIR/tasks.json")"
	assert_contains "$(<"$DIR/steps/0002/tasks.rejected.json")" '"id": "t2"'
	calls 4
}

@test "tasks: a list that does not parse, or is gone, is put back, and the place is told" {
	scenario_step 1 --tasks '[{"id": "t1", ' --status CONTINUE
	scenario_step 2 --effects 'rm "$WISP_TASKS_FILE"' --status CONTINUE
	scenario_step 3 --pass '1 2' --status DONE --promise
	work 0 2
	assert_contains "$(prompt 0002)" 'tasks.json:'
	assert_contains "$(prompt 0003)" 'The task list was put back'
	passes 1 2
}

@test "tasks: notes and additions are lawful, and bytes that nobody changed stay" {
	cat >tasks.json <<-'END'
	[
	    {"category":"test",   "description":"first", "steps":[], "passes":false, "weight": 1.10, "big": 12345678901234567890}
	]
	END
	scenario_step 1 --effects 'sed "s/\"passes\":false/\"passes\":true, \"notes\": \"n\"/; s/^]/,{\"category\":\"docs\",\"description\":\"more\",\"steps\":[],\"passes\":false}]/" "$WISP_TASKS_FILE" >t; mv t "$WISP_TASKS_FILE"' --status CONTINUE
	scenario_step 2 --pass 2 --status DONE --promise
	expect 0 wisp run work --agent replay --tasks tasks.json
	assert_lacks "$(prompt 0002)" 'put back'
	assert_contains "$(<"$DIR/tasks.json")" '{"category":"test",   "description":"first", "steps":[], "passes":true, "notes": "n", "weight": 1.10, "big": 12345678901234567890}'
}

@test "tasks: a failed step's claims and additions go back" {
	scenario_step 1 --tasks "$(list t1+ t2 t3)" --exit 1
	work 0 2
	assert_contains "$(prompt 0002)" '2 of 2 tasks are open'
}
@test "a session.json that was removed while no loop runs is published again by resume" {
	scenario_step 1 --pass 1 --status CONTINUE
	scenario_step 2 --pass '1 2' --status DONE --promise
	work 15 2 --once
	rm "$DIR/session.json"
	again 0
	session .loop_count 2
}

@test "tampering: a folder, a pipe or a file where the controller has something else" {
	scenario_step 1 --pass 1 --status CONTINUE --effects '
		rm "$WISP_TASKS_FILE"
		mkdir -p "$WISP_TASKS_FILE/x"'
	scenario_step 2 --pass '1 2' --status CONTINUE --effects '
		step=${WISP_PROMPT_FILE%/*}
		mkdir -p "$step/commit.txt/x" "$step/verify.json/x" "$step/verify.log/x"
		echo >"$step/tampered"
		rm "$WISP_SESSION_DIR/history.json"
		mkfifo "${WISP_SESSION_DIR%/sessions/*}/config"
		echo work >work'
	rm "$WISP_REPLAY/1/pass"
	OPTIONS=(-c verify.command=true)
	scenario_step 3 --pass '1 2' --status DONE --promise
	work 0 2
	[[ -d $DIR/steps/0001/tasks.rejected.json/x ]]
	tampered 1 .wisp/config history.json
	[[ ! -e .wisp/config ]]
	in_tree work work
	assert_equal '' "$(git -C "$TREE" status --porcelain)"
}

@test "tampering: a file in place of the steps, or of the session's folder, is moved away by a resume" {
	local name

	for name in steps work; do
		project "$name"
		scenario_step 1 --effects '
			where=$WISP_SESSION_DIR/steps
			[[ $PWD != */work/.wisp/* ]] || where=$WISP_SESSION_DIR
			rm -r "$where"; echo mine >"$where"' --status CONTINUE
		scenario_step 2 --pass '1 2' --status DONE --promise
		touch "$WISP_REPLAY/by-iteration"
		work 111 2
		again 0
		assert_contains "$output" 'is no folder: it is moved to'
		session .loop_count 2
		cd ..
	done
}

@test "tampering: what git keeps of the work tree is made again, and its files stay" {
	scenario_step 1 --effects 'echo new >file; git add file; rm -rf "$(git rev-parse --git-dir)"' --pass 1 --status CONTINUE
	work 0 2
	assert_contains "$output" 'registered again, its files stay'
	in_tree file new
	assert_equal work "$(git -C "$TREE" symbolic-ref --short HEAD)"
	assert_equal '' "$(git -C "$TREE" status --porcelain)"
}

@test "tampering: a spoiled HEAD of the work tree ends the loop with 111, and a resume mends it" {
	scenario_step 1 --effects 'echo new >file; echo spoiled >"$(git rev-parse --git-dir)/HEAD"' --pass 1 --status CONTINUE
	work 111 2
	again 0
	assert_contains "$output" 'registered again, its files stay'
	in_tree file new
	passes 1 2
}

@test "tampering: folders, pipes and links in place of the scratch files in the git folder" {
	scenario_step 1 --effects '
		cd "$(git rev-parse --git-dir)"
		rm -f wisp.*
		mkdir -p wisp.index/x
		mkfifo wisp.list wisp.said wisp.info
		ln -s "$BATS_TEST_TMPDIR/precious" wisp.head' --pass 1 --status CONTINUE
	echo precious >"$BATS_TEST_TMPDIR/precious"
	work 0 2
	assert_equal precious "$(<"$BATS_TEST_TMPDIR/precious")"
}

@test "tampering: pipes where git looks for ignore rules, in a folder; nobody waits for ever" {
	scenario_step 1 --pass 1 --status CONTINUE --effects '
		mkdir -p a/b
		mkfifo a/.gitignore a/b/.gitattributes
		echo work >a/b/work'
	scenario_step 2 --pass '1 2' --status DONE --promise
	work 0 2
	in_tree a/b/work work
	[[ ! -e $TREE/a/.gitignore && ! -e $TREE/a/b/.gitattributes ]]
}

@test "tampering: a folder in the place of step.json" {
	scenario_step 1 --pass 1 --status CONTINUE --effects '
		mkdir -p "${WISP_PROMPT_FILE%/*}/step.json/a/b"
		echo x >"${WISP_PROMPT_FILE%/*}/step.json/a/b/c"'
	scenario_step 2 --pass '1 2' --status DONE --promise
	work 0 2
	entry 0 .outcome ok
	[[ -f $DIR/steps/0001/step.json ]]
}
