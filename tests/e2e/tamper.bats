#!/usr/bin/env bats
# What an agent may not touch is put back and named; the task list keeps its law.

load ../helper
load ../helper-scenario
load helper-e2e

setup()
{
	unconfined
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
	assert_equal '' "$(find "$WISP_HOME"/project-*/.good -perm /077)"
	[[ -n $(find .wisp/config -perm 644) ]]
}

@test "tampering: what verify changes of the configuration in the last step is put back and named, too" {
	expect 0 wisp init --agent replay
	expect 0 wisp config verify.command "printf '[notify]\\n\\tcommand = true\\n' >>'$PROJECT/.wisp/config'; true"
	cp .wisp/config "$BATS_TEST_TMPDIR/config"
	scenario_step 1 --pass 1 --status DONE --promise
	work 0 1
	tampered 0 .wisp/config
	diff .wisp/config "$BATS_TEST_TMPDIR/config"
}

@test "tampering: the project's own agents: changed, removed, made unusable, added" {
	mkdir -p .wisp/agents
	for name in mine other third; do
		printf '#!/bin/sh\nexec "%s" "$@"\n' "$ROOT/libexec/agents/replay" >".wisp/agents/$name"
		chmod 755 ".wisp/agents/$name"
	done
	cp -a .wisp/agents "$BATS_TEST_TMPDIR/agents"
	scenario_step 1 --effects '
		cd "$WISP_SESSION_DIR/../../../.wisp/agents"
		echo "touch $PWD/ran" >>mine; rm other; chmod -x third; echo more >more' --pass 1 --status CONTINUE
	scenario_tasks 2 >"$BATS_TEST_TMPDIR/tasks.json"
	expect 0 wisp run work --agent mine --trust --tasks "$BATS_TEST_TMPDIR/tasks.json"
	tampered 0 .wisp/agents/mine .wisp/agents/more .wisp/agents/other .wisp/agents/third
	diff -r .wisp/agents "$BATS_TEST_TMPDIR/agents"
	[[ -x .wisp/agents/mine && -x .wisp/agents/other && -x .wisp/agents/third ]]
	assert_contains "$(<"$DIR/steps/0001/tampered/.wisp/agents/mine")" 'touch'
	assert_contains "$(prompt 0002)" .wisp/agents/mine
}

# forged EFFECTS NAME...: a step that does this to the record ends the loop with 102 and these names.
forged()
{
	local effects=$1 name home

	shift
	project "forged-${#effects}"
	scenario_step 1 --pass 1 --status CONTINUE
	scenario_step 2 --effects "cd $WISP_HOME/forged-${#effects}-*/work; $effects" --pass '1 2' --status DONE --promise
	wisp config verify.command 'test -e never-there'
	work 102 2
	home=$(echo "$WISP_HOME/${PROJECT##*/}"-*/work)
	for name; do
		assert_contains "$output" "changed in a step, and not by wisp: "
		assert_contains "$output" "$home/$name"
		[[ -e $home/$name.changed || $effects == rm* ]]
	done
	scenario_step default --status DONE --promise --pass '1 2'
	expect 13 wisp resume work --max-iterations 3
	assert_equal failed "$(wisp-state -C "$DIR" query -f history '.[-1].verify')"
	cd ..
}

@test "tampering: a record that a step changed, made or removed ends the loop with 102 and its name" {
	forged 'sed "s/test -e never-there/true/" record.json >r; mv r record.json' record.json
	forged 'sed "s/test -e never-there/true/" record.json >r; cat r >record.json; rm r' record.json
	forged 'sed "s/test -e never-there/true/" record.last.json >r; mv r record.last.json' record.last.json
	forged 'rm record.json' record.json
	forged 'sha=$(sha256sum record.json); sed "s/test -e never-there/true/; s/^{/{\"base\": \"${sha%% *}\",/" record.json >record.now.json' record.now.json
	forged 'rm record.last.json' record.last.json
}

@test "tampering: a record that changes while verify, or verify.metrics, runs ends the loop with 102 and its name" {
	local key

	for key in verify.command verify.metrics; do
		project "while-$key"
		scenario_step default --pass '1 2' --status DONE --promise
		wisp config "$key" "cd $WISP_HOME/while-$key-*/work && test ! -e once && touch once && sed 's/task 1/task x/' record.json >r && cat r >record.json && rm r; echo {}"
		work 102 2
		assert_contains "$output" 'changed in a step, and not by wisp: '
		[[ -e $(echo "$WISP_HOME/while-$key"-*/work)/record.json.changed ]]
		expect 0 wisp resume work
		cd ..
	done
}

@test "tampering: a step.json that changes while verify, or verify.metrics, runs ends the loop with 102 and its name" {
	local key

	for key in verify.command verify.metrics; do
		project "result-$key"
		scenario_step default --pass 1 --status DONE
		wisp config "$key" "cd '$DIR/steps/0001' && test ! -e once && touch once && sed 's/\"promise\": false/\"promise\": true/' step.json >r && cat r >step.json && rm r; echo {}"
		work 102 1
		assert_contains "$output" 'steps/0001/step.json: it changed after the step, and not by wisp'
		scenario_step default --pass 1 --status DONE --promise
		expect 0 wisp resume work
		cd ..
	done
}

@test "tampering: a verify command cannot take away the ones that come after it" {
	scenario_step 1 --effects 'echo x >x' --pass 1 --status DONE --promise
	mkdir "$BATS_TEST_TMPDIR/scratch"
	export TMPDIR=$BATS_TEST_TMPDIR/scratch
	wisp config --add verify.command "find '$TMPDIR' -type f -name '*command*' -exec truncate -s 0 {} +"
	wisp config --add verify.command 'touch ../second; false'
	work 13 1 --max-iterations 1
	[[ -e $PROJECT/.wisp/worktrees/second ]]
	entry 0 .verify failed
}

@test "tampering: what a verify command makes of the list of changes that the commit goes by counts for nothing" {
	scenario_step 1 --effects 'echo 1 >one' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'echo 2 >two' --pass 2 --status DONE --promise
	mkdir "$BATS_TEST_TMPDIR/scratch"
	export TMPDIR=$BATS_TEST_TMPDIR/scratch
	wisp config --add verify.command "for file in '$TMPDIR'/wisp.*/raw; do test ! -e \"\$file\" || { tr '\\0' '\\n' <\"\$file\" | head -n 2 | tr '\\n' '\\0' >../list; cat ../list >\"\$file\"; }; done"
	work 0 2
	[[ -s $PROJECT/.wisp/worktrees/list ]]
	assert_equal 2 "$(git show work:two)"
}

# between KIND: verify runs between two steps, changes the record, and, where it may go on, asks for a command that only the loop may do.
between()
{
	local forge="cd $WISP_HOME/between-$1-*/work && sed 's/task 1/task x/' record.json >r && cat r >record.json && rm r"

	project "between-$1"
	scenario_step 1 --effects 'git commit -q --allow-empty -m kept' --exit 1
	scenario_step default --pass 1 --status DONE --promise
	scenario_tasks 1 >"$BATS_TEST_TMPDIR/all.json"
	[[ $1 == restore ]] || sed 's/false/true/' "$BATS_TEST_TMPDIR/all.json" >"$BATS_TEST_TMPDIR/passing.json"
	wisp config verify.command "test -e ../forged || { touch ../forged; $forge; }"
	expect 102 wisp run work --agent replay --tasks "$BATS_TEST_TMPDIR/$([[ $1 == restore ]] && echo all || echo passing).json" -c retry.delay=0
	assert_contains "$output" 'changed in a step, and not by wisp: '
	[[ -e $(echo "$WISP_HOME/between-$1"-*/work)/record.json.changed ]]
	expect 0 wisp -c retry.delay=0 resume work
	cd ..
}

@test "tampering: a record that changes while verify runs between two steps, for a restore or before the first, ends the loop with 102" {
	between restore
	between start
}

@test "no tampering: what only the loop may change waits while verify runs before the first step, too" {
	scenario_tasks 1 | sed 's/false/true/' >"$BATS_TEST_TMPDIR/passing.json"
	wisp config verify.command 'touch ../started; until test -e ../go; do sleep 0.02; done'
	set -m
	wisp run work --agent replay --tasks "$BATS_TEST_TMPDIR/passing.json" </dev/null >"$BATS_TEST_TMPDIR/loop.log" 2>&1 3>&- &
	LOOP=$!
	set +m
	wait_until 10 test -e "$PROJECT/.wisp/worktrees/started"
	expect 100 wisp stuck work breaker reset
	touch "$PROJECT/.wisp/worktrees/go"
	ends 0
	expect 0 wisp stuck work breaker reset
}

@test "tampering: a task list that is kept under its hash, and is another one, counts for nothing" {
	scenario_step 1 --effects "cd $WISP_HOME/project-*/work/good; for f in *; do sed s/task/TASK/ \$f >n; mv n \$f; done; rm \$WISP_TASKS_FILE" \
		--status CONTINUE
	work 102 2
	assert_contains "$output" 'changed, and not by wisp: it is kept under its hash'
}

@test "no tampering: what people ask while a step runs, by files and by commands; what only the loop may change then waits" {
	scenario_step 1 --effects 'touch ../started; until test -e ../go; do sleep 0.02; done' --pass 1 --status CONTINUE
	begin 2
	wait_until 10 test -e "$PROJECT/.wisp/worktrees/started"
	expect 0 wisp guide work 'mind the gap'
	expect 0 wisp tasks work add --category docs 'one more'
	expect 100 wisp stuck work breaker reset
	assert_contains "$output" 'a step of work is running'
	scenario_step 3 --pass 3 --status DONE --promise
	touch "$PROJECT/.wisp/worktrees/go"
	ends 0
	tampered 0
	assert_contains "$(prompt 0002)" 'mind the gap'
}

@test "no tampering: what only the loop may change waits while verify runs, too" {
	scenario_step default --pass 1 --status DONE --promise
	wisp config verify.command 'touch ../started; until test -e ../go; do sleep 0.02; done'
	begin 1
	wait_until 10 test -e "$PROJECT/.wisp/worktrees/started"
	expect 100 wisp stuck work breaker reset
	touch "$PROJECT/.wisp/worktrees/go"
	ends 0
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
		echo "*.o" >>"$(git rev-parse --git-common-dir)/info/exclude"
		hooks=$(git rev-parse --git-common-dir)/hooks
		printf "#!/bin/sh\nexit 1\n" >"$hooks/pre-commit"; chmod +x "$hooks/pre-commit"
		mkdir -p .claude; echo "{}" >.claude/settings.json' --pass 1 --status CONTINUE
	work 0 2
	tampered 0 .claude/settings.json .git/config .git/hooks .git/info/exclude
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
	assert_contains "$output" 'wisp: [1] tasks.json was put back: 1 removed'
	assert_contains "$(wisp-state -C "$DIR" get -f history '.[1].note')" 'tasks.json was put back: 0 removed, 0 reworded, 1 moved'
	assert_lacks "$(wisp-state -C "$DIR" query -f history '.[3]')" note
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

# misplaced NAME FOLDER EFFECTS: a step puts something else in the place of a folder of the session. The
# controller finds VICTIM, a link's target, as it was.
misplaced()
{
	local i

	project "$1"
	VICTIM=$BATS_TEST_TMPDIR/$1.victim
	mkdir -p "$VICTIM/tampered"
	for i in 0001 0002 0003 0004; do
		mkdir "$VICTIM/$i"
		echo precious >"$VICTIM/$i/file"
	done
	echo precious >"$VICTIM/session.json"
	find "$VICTIM" | sort >"$VICTIM.before"
	scenario_step 1 --pass 1 --status CONTINUE
	scenario_step 2 --effects "VICTIM=$VICTIM; cd -P \"\$WISP_SESSION_DIR\"; $3" --pass '1 2' --status CONTINUE
	scenario_step 3 --pass '1 2' --status CONTINUE
	scenario_step 4 --pass '1 2' --status DONE --promise
	export WISP_REPLAY_STATE=$BATS_TEST_TMPDIR/$1.replay
	OPTIONS=(-c steps.keep=2 -c stuck.noProgress=99 -c agent.replay.env=WISP_REPLAY_STATE)
	work 0 2
	assert_contains "$(wisp-state -C "$DIR" query -f history '.[1].tampered | join(" ")') " "$2 "
	session .loop_count 4
	[[ -d $DIR && ! -L $DIR && -d $DIR/steps && ! -L $DIR/steps ]]
	find "$VICTIM" | sort | diff "$VICTIM.before" -
	assert_equal precious "$(<"$VICTIM/session.json")"
	cd ..
}

@test "tampering: links and files in the place of the session's folders are moved aside and named, and nothing behind them is touched" {
	misplaced steps steps 'mv steps old; ln -s "$VICTIM" steps'
	misplaced step steps/0002 'mv steps/0002 old; ln -s "$VICTIM" steps/0002'
	misplaced whole work 'mv "$PWD" "$PWD.old"; ln -s "$VICTIM" "$PWD"'
	misplaced answers answers 'ln -s "$VICTIM" answers'
	misplaced past past 'echo >past'
	misplaced file steps 'rm -r steps; echo mine >steps'
	[[ -L $PROJECT/../steps/.wisp/sessions/work/.steps.moved ]]
	assert_equal mine "$(<"$DIR/.steps.moved")"
}

@test "a link in the place of the session's folder is moved by a start, the folder of all sessions may be one" {
	scenario_step 1 --pass 1 --status CONTINUE
	touch "$WISP_REPLAY/by-iteration"
	mkdir -p "$BATS_TEST_TMPDIR/disk" .wisp
	ln -s "$BATS_TEST_TMPDIR/disk" .wisp/sessions
	work 15 2 --once
	mv "$DIR" "$BATS_TEST_TMPDIR/elsewhere"
	ln -s "$BATS_TEST_TMPDIR/elsewhere" "$DIR"
	again 0
	assert_contains "$output" 'is no folder: it is moved to'
	[[ -L $PROJECT/.wisp/sessions && -d $DIR && ! -L $DIR ]]
	session .loop_count 2
}

@test "tampering: sparse giants are moved and never read" {
	scenario_step 1 --pass 1 --status CONTINUE --effects '
		truncate -s 1T "$WISP_TASKS_FILE"
		truncate -s 1T "$WISP_SESSION_DIR/history.json" "$WISP_SESSION_DIR/divergence.md"
		truncate -s 1T "$(git rev-parse --git-common-dir)/hooks/pre-commit"'
	rm "$WISP_REPLAY/1/pass"
	scenario_step 2 --effects 'truncate -s 1T "$WISP_STATE_FILE"'
	scenario_step 3 --pass '1 2' --status DONE --promise
	work 0 2
	tampered 0 .git/hooks history.json
	[[ -n $(find "$DIR/steps/0001/tasks.rejected.json" -size +1000000000k) ]]
	[[ -n $(find "$DIR/steps/0001/tampered/history.json" -size +1000000000k) ]]
	assert_contains "$(prompt 0002)" 'tasks.json was put back'
	assert_contains "$(prompt 0003)" 'state.json: larger than'
	rm -rf "$DIR/steps"
}

@test "tampering: what git keeps of the work tree is made again, and its files stay" {
	scenario_step 1 --effects 'echo new >file; git add file; rm -rf "$(git rev-parse --git-dir)"' --pass 1 --status CONTINUE
	work 0 2
	assert_contains "$output" 'registered again, its files stay'
	in_tree file new
	assert_equal work "$(git -C "$TREE" symbolic-ref --short HEAD)"
	assert_equal '' "$(git -C "$TREE" status --porcelain)"
}

@test "tampering: a HEAD of the work tree that is spoiled, or a pipe, is made again, and its files stay" {
	scenario_step 1 --effects 'echo new >file; echo spoiled >"$(git rev-parse --git-dir)/HEAD"' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'cd "$(git rev-parse --git-dir)"; rm HEAD; mkfifo HEAD' --pass 2 --status DONE --promise
	work 0 2
	assert_contains "$output" 'registered again, its files stay'
	in_tree file new
	passes 1 2
	assert_equal work "$(git -C "$TREE" symbolic-ref --short HEAD)"
}

@test "tampering: an index that git cannot read is kept aside and made again; in place it is named" {
	scenario_step 1 --effects 'echo new >file; echo torn >"$(git rev-parse --git-dir)/index"' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'cd "$(git rev-parse --git-dir)"; rm index; mkfifo index' --pass 2 --status CONTINUE
	scenario_step 3 --status DONE --promise
	work 0 2
	assert_contains "$output" 'git could not read the index of'
	assert_equal $'README\nfile' "$(git ls-tree --name-only work)"
	assert_equal '' "$(git -C "$TREE" status --porcelain)"

	place main
	scenario_step 1 --effects 'echo new >file' --pass 1 --status CONTINUE
	scenario_step 2 --pass 2 --status DONE --promise
	work 15 2 --in-place --once
	cp .git/index ../index
	echo torn >.git/index
	again 111
	assert_contains "$output" "git cannot read '$PROJECT/.git/index'"
	cp ../index .git/index
	again 0
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

# --- the work tree itself ---------------------------------------------------

# lost NAME EFFECTS...: the second step, which ticks the last task and says DONE, ends with its work tree so.
lost()
{
	local name=$1
	shift

	project "$name"
	echo two >two
	git add two
	git commit -q -m two
	scenario_step 1 --effects 'echo one >one; echo kept >uncommitted' --pass 1 --status CONTINUE
	scenario_step 2 --effects "$*" --pass '1 2' --status DONE --promise
	scenario_step 3 --effects 'echo three >three' --pass '1 2' --status DONE --promise
	OPTIONS=(-c commit.fallback=false)
	work 0 2
	assert_contains "$output" 'it is made again from the last checkpoint'
	assert_lacks "$output" 'its files stay'
	session .loop_count 3
	tampered 1 "${NAMED:-work tree}"
	entry 1 .state invalid
	tampered 2
	assert_contains "$(prompt 0003)" 'the work tree'
	assert_contains "$(prompt 0003)" '1 of 2 tasks are open'
	in_tree README 'A project.'
	in_tree two two
	in_tree uncommitted kept
	assert_equal refs/heads/work "$(git -C "$TREE" symbolic-ref HEAD)"
	assert_equal $'README\ntwo' "$(git ls-tree --name-only work)"
	git -C "$TREE" fsck --no-dangling
	cd ..
}

@test "tampering: a work tree that a step removed, emptied, moved or replaced is no work, and is made again" {
	lost removed 'rm -rf "$PWD"'
	lost removed-by-git 'git worktree remove --force "$PWD"'
	lost emptied 'rm -rf ./* .git'
	lost emptied-but-git 'rm -rf ./*'
	lost emptied-and-unknown 'rm -rf "$(git rev-parse --git-dir)" ./*'
	lost moved 'mv "$PWD" "$PWD.away"'
	lost moved-by-git 'git worktree move "$PWD" "$PWD.away"'
	lost linked 'mv "$PWD" "$PWD.away"; ln -s "$PWD.away" "$PWD"'
	lost linked-elsewhere 'rm -rf "$PWD"; ln -s /tmp "$PWD"'
	lost a-file 'rm -rf "$PWD"; echo >"$PWD"'
	lost another 'rm -rf ./* .git; git init -q .; echo x >other; git add other; git commit -q -m other'
	lost no-commit 'rm -rf ./* .git; git init -q .'
	lost unborn 'git switch -q --orphan nothing'
	lost branch-deleted 'git update-ref -d HEAD'
	NAMED='.git/info/exclude work tree' lost all-but-ignored \
		'echo "*.o" >>"$(git rev-parse --git-common-dir)/info/exclude"; rm -rf ./*; touch x.o'
}

@test "tampering: in place, a tree that a step emptied, or whose branch it deleted" {
	local how

	for how in 'rm -rf ./*' 'git update-ref -d HEAD' 'git switch -q --orphan nothing'; do
		project "place${#how}"
		BRANCH=main TREE=$PROJECT
		DIR=$PROJECT/.wisp/sessions/main
		scenario_step 1 --effects 'echo one >one' --pass 1 --status CONTINUE
		scenario_step 2 --effects "$how" --pass '1 2' --status DONE --promise
		scenario_step 3 --effects 'echo three >three' --pass '1 2' --status DONE --promise
		work 0 2 --in-place
		tampered 1 'work tree'
		assert_equal $'README\none\nthree' "$(git ls-tree --name-only main)"
		assert_equal '' "$(git status --porcelain -- . ':!.wisp')"
		cd ..
	done
}

@test "a start finds its work tree gone, emptied, half made or without a commit, and makes it again" {
	local how

	scenario_step 1 --effects 'echo one >one; echo kept >uncommitted' --pass 1 --status CONTINUE
	rm -r "$WISP_REPLAY/2"
	scenario_step default --effects 'cat uncommitted' --status CONTINUE
	OPTIONS=(-c commit.fallback=false -c stuck.noProgress=99 -c stuck.returningTree=99)
	work 15 2 --once
	for how in 'rm -rf "$TREE"' 'rm -rf "$TREE"/*' 'echo initializing >.git/worktrees/work/locked; rm "$TREE/one"' \
		'git -C "$TREE" switch -q --orphan x' 'rm -rf "$TREE"; mkdir "$TREE"; git init -q "$TREE"'; do
		TREE=$TREE bash -c "$how"
		again 15 --once
		assert_contains "$output" 'it is made again from the last checkpoint'
		assert_lacks "$(cat "$DIR"/steps/*/prompt.md)" 'A person worked here'
		in_tree uncommitted kept
		in_tree one one
		in_tree README 'A project.'
	done
}

@test "tampering: commits of a step that removed its work tree stay, and verify runs on what is made of them" {
	local how

	for how in 'rm -rf "$PWD"' 'git worktree remove --force "$PWD"' 'rm -rf ./* .git'; do
		project "kept${#how}"
		OPTIONS=(-c verify.command='test -e one && test -e two')
		scenario_step 1 --effects 'echo one >one' --commit one --pass 1 --status CONTINUE
		scenario_step 2 --effects "echo two >two; git add two; git commit -q -m two; echo lost >left; $how" \
			--pass '1 2' --status DONE --promise
		OPTIONS=(-c verify.command='test -e one')
		work 0 2
		session .loop_count 2
		tampered 1 'work tree'
		entry 1 .verify passed
		assert_equal $'two\none\nBegin' "$(git log --format=%s work)"
		in_tree two two
		cd ..
	done
}

@test "tampering: flags in the index that hide files from git are cleared and named; those of before stay" {
	echo one >one; echo two >two; echo three >three; echo four >four
	git add . ':!.wisp' 2>/dev/null || git add one two three four
	git commit -q -m files
	scenario_step 1 --effects 'git update-index --assume-unchanged one; git update-index --skip-worktree two
echo hidden >one; echo hidden >two' --status CONTINUE
	scenario_step 2 --effects 'git add -A; git commit -q -m seen' --pass 1 --status DONE --promise
	work 0 1
	assert_contains "$(wisp-state -C "$DIR" get -f history '.[0].tampered')" 'index flags: one two'
	assert_contains "$(prompt 0002)" 'index flags: one two'
	assert_contains "$output" 'index flags: one two'
	assert_equal hidden "$(git show work:one)"
	assert_equal hidden "$(git show work:two)"

	place other
	git worktree add -q "$TREE" -b other main
	git -C "$TREE" update-index --index-version 4 --skip-worktree three
	scenario_step 1 --effects 'git update-index --assume-unchanged four; echo x >x' --pass 1 --status DONE --promise
	work 0 1
	assert_equal 'S three' "$(git -C "$TREE" ls-files -v | grep -v '^H ')"
}

@test "tampering: flags in wisp's own index hide nothing from it" {
	echo exit 1 >check.sh
	git add check.sh && git commit -q -m check
	OPTIONS=(-c verify.command='sh check.sh')
	scenario_step 1 --status CONTINUE
	# shellcheck disable=SC2016 # the agent expands it
	scenario_step 2 --effects 'export GIT_INDEX_FILE=$(git rev-parse --git-dir)/wisp.index
git update-index --assume-unchanged check.sh; echo true >check.sh' --pass 1 --status DONE --promise
	work 0 1
	assert_contains "$(wisp-state -C "$DIR" get -f history '.[1].tampered')" 'index flags: check.sh'
	assert_equal true "$(git show work:check.sh)"
	assert_equal '["check.sh"]' "$(wisp-state -C "$DIR" query -f history '.[1].files')"

	place other
	# shellcheck disable=SC2016 # the agent expands it
	scenario_step 2 --effects 'export GIT_INDEX_FILE=$(git rev-parse --git-dir)/wisp.index
git update-index --split-index --assume-unchanged check.sh; echo true >check.sh' --pass 1 --status DONE --promise
	work 0 1
	assert_equal true "$(git show other:check.sh)"
}

@test "a start does not wait at a pipe in the place of the work tree's HEAD" {
	scenario_step 1 --pass 1 --status CONTINUE
	work 15 2 --once
	rm .git/worktrees/work/HEAD
	mkfifo .git/worktrees/work/HEAD
	again 0
	assert_contains "$output" 'registered again, its files stay'
}

# private UMASK: whole runs, and whose is what they leave, and what they have in TMPDIR meanwhile.
private()
{
	umask "$1"
	whole_run
	umask 022
	assert_equal '' "$(find "$WISP_HOME" "$PROJECT/.wisp/sessions" -name replay -prune -o ! -type l -perm /077 -print)"
	assert_equal '' "$(<"$PROJECT/.wisp/worktrees/open")"
	assert_equal "$1"$'\n'"$1" "$(<"$TREE/../umask")"
}

whole_run()
{
	work 0 2
	wait_until 20 grep -q completed "$DIR/notify.log"
}

@test "what a session holds is its owner's alone, whatever the umask; what it makes in the work tree is as ever" {
	# shellcheck disable=SC2016 # the shell of the command expands it
	OPTIONS=(-c verify.command='echo tested; echo >../log; find "$TMPDIR" -name "wisp*" -prune -perm /077 -print >>../open'
		-c verify.metrics='echo {}' -c notify.command='cat >/dev/null' -c worktree.setup='umask >../umask')
	scenario_step 1 --effects 'echo x >x; umask >>../umask' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'echo junk >"$WISP_SESSION_DIR/junk"; cat "$WISP_TASKS_FILE" >t; mv t "$WISP_TASKS_FILE"' --exit 1
	scenario_step 3 --pass '1 2' --status DONE --promise
	private 0000
	[[ -n $(find "$TREE/x" -perm 666) && -n $(find "$TREE" -maxdepth 0 -perm 777) ]]
	# What an older wisp left is mended by a start.
	chmod 755 "$DIR" "$DIR/steps" "$WISP_HOME"/*/work
	chmod 644 "$DIR/tasks.json" "$WISP_HOME"/*/work/record.json
	again 0
	assert_equal '' "$(find "$WISP_HOME" "$DIR" -name replay -prune -o ! -type l -perm /077 -print)"
	place other
	private 0022
}

@test "checkout: what changed in the person's own is named, and stays" {
	local step top='top=$(cd "$(git rev-parse --git-common-dir)/.." && pwd)'

	echo a >a
	echo b >b
	git add a b
	git commit -q -m files
	echo mine >>b
	scenario_step 1 --status CONTINUE
	scenario_step 2 --effects "$top"'; echo x >>"$top/a"' --status CONTINUE
	scenario_step 3 --effects "$top"'; rm "$top/a"; git -C "$top" checkout -q b' --status CONTINUE
	scenario_step 4 --effects "$top"'; git -C "$top" checkout -q a; git -C "$top" commit -q --allow-empty -m theirs' --status CONTINUE
	scenario_step 5 --effects "$top"'; git -C "$top" pack-refs --all; git -C "$top" switch -q -c other' --status CONTINUE
	scenario_step 6 --pass '1 2' --status DONE --promise
	OPTIONS=(-c stuck.noProgress=9 -c stuck.sameFiles=9)
	work 0 2
	for step in 0 5; do
		assert_equal null "$(wisp-state -C "$DIR" query -f history ".[$step].note")"
	done
	entry 1 .note 'your checkout changed meanwhile: files a'
	entry 2 .note 'your checkout changed meanwhile: files a b'
	[[ $(wisp-state -C "$DIR" get -f history '.[3].note') == 'your checkout changed meanwhile: HEAD '*', was '* ]]
	entry 4 .note 'your checkout changed meanwhile: branch other, was main'
	assert_contains "$output" 'your checkout changed meanwhile: branch other, was main'
	tampered 1
	assert_lacks "$(prompt 0003)" 'your checkout'
	assert_equal other "$(git symbolic-ref --short HEAD)"
}

@test "tampering: what a step has named, or a commit says, writes no control character to the terminal" {
	local at="$BATS_TEST_TMPDIR/wt" esc='$(printf "\033[31mRED\007")' line

	scenario_step 1 --effects "git worktree add -q -b x1 \"$at$esc\"; git worktree add -q \"${at}2$esc\"; rm -rf \"${at}2$esc\"
		printf 'ref: refs/heads/x\033[31mRED\n' >\"\$(git rev-parse --git-common-dir)/refs/heads/work\"" --pass 1 --status CONTINUE
	scenario_step 2 --effects "mkfifo \"\$(git rev-parse --git-common-dir)/info/$esc\"; mkdir .wisp; echo x >.wisp/x; git add -f .wisp/x
		git commit -q -m \"x $esc\"" --pass '1 2' --status DONE --promise
	run wisp run work --agent replay --tasks <(scenario_tasks 2) --max-iterations 3
	for line in 'had become another name of' 'a work tree was left at' 'removed the named pipe'; do
		assert_contains "$output" "$line"
	done
	assert_equal '' "$(grep "[$(printf '\033\007')]" <<<"$output")"
	run wisp done work
	assert_contains "$output" 'x [31mRED'
	assert_equal '' "$(grep "[$(printf '\033\007')]" <<<"$output")"
}

@test "tampering: a link or pipe in the place of one of the loop's scratch files ends it with 102 and its name" {
	local scratch=$BATS_TEST_TMPDIR/scratch made

	mkdir "$scratch"
	export TMPDIR=$scratch
	echo mine >"$BATS_TEST_TMPDIR/mine"
	printf '%s\n' "for d in '$scratch'/wisp.*; do" 'for f in git.line files own raw commands code new wrote known git.config status; do' \
		'rm -rf "$d/$f"; mkfifo "$d/$f"; done' \
		'for f in not-work not-work.before; do rm -f "$WISP_HOME"/*/work/$f; mkfifo "$(echo "$WISP_HOME"/*/work)/$f"; done' "for f in changed dirt news rest; do rm -rf \"\$d/\$f\"; ln -s '$BATS_TEST_TMPDIR/mine' \"\$d/\$f\"; done" \
		'done; echo "$RANDOM" >>x' >"$BATS_TEST_TMPDIR/made"
	made="bash '$BATS_TEST_TMPDIR/made'"
	scenario_step 1 --effects "$made" --pass 1 --status CONTINUE
	scenario_step default --pass '1 2' --status DONE --promise
	scenario_tasks 2 >"$BATS_TEST_TMPDIR/tasks.json"
	expect 102 wisp run "$BRANCH" --agent replay --tasks "$BATS_TEST_TMPDIR/tasks.json"
	assert_contains "$output" 'changed in a step, and not by wisp: '
	assert_contains "$output" '/git.line'
	assert_contains "$output" '/not-work.before'
	expect 102 wisp -c "verify.command=$made" resume "$BRANCH"
	expect 0 wisp resume "$BRANCH"
	assert_equal mine "$(<"$BATS_TEST_TMPDIR/mine")"
}
