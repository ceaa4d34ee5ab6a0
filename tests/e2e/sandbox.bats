# What confines a step of a loop, and what comes back of what it was lent.

load ../helper
load ../helper-scenario
load helper-e2e
load helper-terminal

setup()
{
	mkdir "$BATS_TEST_TMPDIR/out"
	export WISP_CONFIG_SET=sandbox.write=$BATS_TEST_TMPDIR/out
	project
	CONFINED_BY=$(wisp-sandbox driver | sed 's/^driver=//')
	[[ $CONFINED_BY == bwrap ]] || skip 'bwrap does not work here'
}

@test "a step is confined by default, and step.json says by what" {
	scenario_step 1 --effects 'echo x >"$HOME/outside" || :; echo x >inside' --pass 1 --status DONE --promise --commit 'work'
	work 0 1
	in_tree inside x
	[[ ! -e $HOME/outside ]] || fail 'written outside'
	assert_equal "\"$CONFINED_BY\"" "$("$JQ" .sandbox "$DIR/steps/0001/step.json")"
}

@test "--no-sandbox and sandbox=off: it is not, and that is said" {
	scenario_step 1 --effects 'echo x >"$HOME/outside"; echo x >inside' --pass 1 --status DONE --promise --commit 'work'
	work 0 1 --no-sandbox
	assert_equal x "$(<"$HOME/outside")"
	assert_equal '"off"' "$("$JQ" .sandbox "$DIR/steps/0001/step.json")"
}

@test "--sandbox: one that is unknown, or beside --no-sandbox" {
	work 100 1 --sandbox jail
	[[ $output == *"sandbox: expected one of auto|bwrap|landlock|off, not 'jail'"* ]]
	work 100 1 --sandbox landlock --no-sandbox
	[[ $output == *'--sandbox and --no-sandbox exclude each other'* ]]
	work 16 1 -c sandbox.write=relative
	assert_contains "$output" "sandbox.write: expected an absolute path, or one that begins with ~/, not 'relative'"
}

teardown()
{
	end_tmux
	if [[ -n $LOOP ]]; then
		kill -KILL "$LOOP" 2>/dev/null || :
	fi
	helper_teardown
}

# Nothing can confine a step from now on.
nothing_confines()
{
	local hidden=$BATS_TEST_TMPDIR/bin

	mkdir "$hidden"
	printf '#!/bin/sh\necho "bwrap: no namespaces here" >&2\nexit 1\n' >"$hidden/bwrap"
	chmod +x "$hidden/bwrap"
	PATH=$hidden:$PATH
	export WISP_LANDLOCK_ABI=0
}

@test "where nothing can confine a step there is no start: 16, and how it is turned off" {
	nothing_confines
	scenario_step 1 --pass 1 --status DONE --promise
	work 16 1
	[[ $output == *'nothing can confine a step here (bwrap: bwrap: no namespaces here; landlock: '*'`wisp config sandbox off`'* ]]
	[[ ! -e $DIR ]] || fail 'a session was made'
	work 0 1 -c sandbox=off
}

@test "where nothing can confine a step a user at a terminal is asked, once: no is 16, yes is kept" {
	local start=(wisp run "$BRANCH" --agent replay --tasks "$BATS_TEST_TMPDIR/tasks.json")

	nothing_confines
	unset WISP_CONFIG_SET
	scenario_tasks 1 >"$BATS_TEST_TMPDIR/tasks.json"
	scenario_step default --pass 1 --status DONE --promise
	typed "${start[@]}" --foreground
	sees 'nothing can confine a step here (bwrap: bwrap: no namespaces here; landlock: ' 'Have steps run unconfined from now on? [y/N]'
	press n Enter
	sees_end 16
	[[ ! -e $DIR ]] || fail 'a session was made'
	typed "${start[@]}"
	sees 'Have steps run unconfined from now on? [y/N]'
	press y Enter
	sees 'completed'
	assert_equal off "$(wisp config sandbox)"
	assert_equal '"off"' "$("$JQ" .sandbox "$DIR/steps/0001/step.json")"
	place other
	work 0 1
	assert_lacks "$output" unconfined
}

@test "verify is confined, too" {
	scenario_step 1 --pass 1 --status DONE --promise --commit 'work' --effects 'echo x >file'
	work 0 1 -c verify.command='! echo x >"$HOME/outside" && echo y >verified'
	[[ ! -e $HOME/outside ]] || fail 'written outside'
	in_tree verified y
}

@test "worktree.setup is confined, too" {
	scenario_step 1 --pass 1 --status DONE --promise --commit 'work' --effects 'echo x >file'
	work 0 1 -c worktree.setup='echo y >set-up; ! echo x >"$HOME/outside"'
	[[ ! -e $HOME/outside ]] || fail 'written outside'
	in_tree set-up y
}

@test "what it leaves in the session's folder is taken over by name, all else dropped and named" {
	scenario_step 1 --effects 'echo mine >"$WISP_SESSION_DIR/session.json"; echo x >"$WISP_SESSION_DIR/notes"
		echo different >"$WISP_DIVERGENCE_FILE"; rm -rf "$WISP_SESSION_DIR/steps" || :; echo x >inside' --pass 1 --status DONE --promise --commit 'work'
	work 0 1
	[[ $output == *"left in the session's folder, and not taken over: notes, session.json"* ]]
	assert_equal different "$(<"$DIR/divergence.md")"
	[[ ! -e $DIR/notes && -e $DIR/steps/0001/step.json ]]
	session .status completed
}

# asks_about NAME...: a state.json whose question is about these.
asks_about()
{
	local names

	printf -v names '"%s", ' "$@"
	printf '{"status": "NEEDS_INPUT", "summary": "s", "question": "Is it right?", "gate": {"type": "look", "artifacts": [%s]}}' \
		"${names%, }"
}

@test "artefacts that a gate names are taken over, and again, and no file of the controller's in their place" {
	local folder
	for folder in bwrap landlock; do
		[[ $(wisp-sandbox driver --driver "$folder") == "driver=$folder" ]] || continue
		place "by-$folder"
		scenario_new
		scenario_step 1 --effects 'cd "$WISP_SESSION_DIR" && echo 1 >page.png && echo 1 >other.png && ln -s page.png link.png &&
			mkdir shots && echo 1 >shots/a.png && echo "{\"answer\": \"yes\"}" >response.json && echo x >session.json' \
			--state "$(asks_about page.png link.png shots/a.png ../over.png "$DIR/whole.txt" response.json session.json steps none.png)"
		printf 'echo whole >"$WISP_SESSION_DIR/whole.txt"\n' >>"$WISP_REPLAY/1/effects.sh"
		scenario_step 2 --effects 'echo 2 >"$WISP_SESSION_DIR/page.png"; echo mine >"$WISP_SESSION_DIR/notes.txt"' \
			--state "$(asks_about page.png notes.txt)"
		scenario_step 3 --pass 1 --status DONE --promise
		work 10 1 --sandbox "$folder"
		assert_contains "$output" "not taken over: link.png, other.png, response.json, session.json, shots"
		assert_equal $'1\nwhole' "$(cat "$DIR/page.png" "$DIR/whole.txt")"
		[[ ! -e $DIR/link.png && ! -e $DIR/shots && ! -e $DIR/other.png && ! -e $DIR/response.json ]]
		echo theirs >"$DIR/notes.txt"
		wisp answer "$BRANCH" no
		again 10
		assert_equal 2 "$(<"$DIR/page.png")"
		assert_equal theirs "$(<"$DIR/notes.txt")"
		wisp answer "$BRANCH" yes
		again 0
	done
}

@test "a file of the session's folder that is too large is dropped and named" {
	scenario_step 1 --effects 'truncate -s 65M "$WISP_TASKS_FILE"' --status CONTINUE
	scenario_step 2 --pass 1 --status DONE --promise
	work 0 1 -c retry.delay=10ms
	assert_contains "$output" 'not taken over: tasks.json'
	entry 0 .outcome ok
}

@test "a link in the place of state.json is not followed" {
	printf '{"status": "DONE", "summary": "forged"}\n' >"$BATS_TEST_TMPDIR/out/forged"
	scenario_step 1 --effects 'ln -s "'"$BATS_TEST_TMPDIR"'/out/forged" "$WISP_STATE_FILE"'
	work 13 1 --max-iterations 1
	[[ $output == *'not taken over: state.json'* ]]
	entry 0 .state missing
}

@test "a person adds a task while a step runs: it stays, and what the step passes passes" {
	scenario_step 1 --effects ': >"'"$BATS_TEST_TMPDIR"'/out/runs"; until test -e "'"$BATS_TEST_TMPDIR"'/out/go"; do sleep 0.05; done' \
		--pass 1 --status CONTINUE
	scenario_step 2 --pass 2 --status DONE --promise
	begin 1
	wait_until 20 test -e "$BATS_TEST_TMPDIR/out/runs"
	wisp-tasks -C "$DIR" add --category feature 'one more'
	: >"$BATS_TEST_TMPDIR/out/go"
	ends 0
	passes 1 2
}

@test "a user reorders tasks without ids while a step runs: what the step passes passes, and no other" {
	cat >"$BATS_TEST_TMPDIR/list" <<-'END'
		[{"category": "feature", "description": "one", "steps": [], "passes": false},
		{"category": "feature", "description": "two", "steps": [], "passes": false}]
	END
	# shellcheck disable=SC2016 # the agent expands it
	scenario_step 1 --effects ': >"'"$BATS_TEST_TMPDIR"'/out/runs"; until test -e "'"$BATS_TEST_TMPDIR"'/out/go"; do sleep 0.05; done
		sed "2s/false/true/" "$WISP_TASKS_FILE" >new && mv new "$WISP_TASKS_FILE"' --status CONTINUE
	background wisp run "$BRANCH" --agent replay --tasks "$BATS_TEST_TMPDIR/list" --once
	wait_until 20 test -e "$BATS_TEST_TMPDIR/out/runs"
	"$JQ" reverse "$DIR/tasks.json" >new
	mv new "$DIR/tasks.json"
	: >"$BATS_TEST_TMPDIR/out/go"
	ends 15
	assert_equal '["two"]' "$("$JQ" -c '[.[] | select(.passes).description]' "$DIR/tasks.json")"
}

@test "of a step's references its own branch is taken over, the others are named" {
	scenario_step 1 --effects 'echo x >file; git add file; git commit -qm one; git branch other; git tag here' --pass 1 --status DONE --promise
	work 0 1
	[[ $output == *'only its own branch is taken over from a step; these are as they were: refs/heads/other, refs/tags/here'* ]]
	assert_equal one "$(git log -1 --format=%s "$BRANCH")"
	run ! git rev-parse -q --verify other
}

@test "a step commits though the user has all commits signed: the key is hidden" {
	git config --global commit.gpgSign true
	git config --global tag.gpgSign true
	scenario_step 1 --effects 'echo x >file; git add file; git commit -qm one; git tag -m here here' --pass 1 --status DONE --promise
	work 0 1
	assert_equal one "$(git log -1 --format=%s "$BRANCH")"
	assert_contains "$output" 'these are as they were: refs/tags/here'
}

@test "in place: commits are taken over" {
	scenario_step 1 --effects 'echo x >file; git add file; git commit -qm one' --pass 1 --status DONE --promise
	git switch -qc "$BRANCH"
	work 0 1 --in-place
	assert_equal one "$(git log -1 --format=%s "$BRANCH")"
	assert_equal x "$(<file)"
}

@test "a loop that is killed in a step: the next start takes over what that committed" {
	scenario_step 1 --effects 'echo x >file; git add file; git commit -qm one; : >"'"$BATS_TEST_TMPDIR"'/out/runs"; sleep 100'
	scenario_step 2 --pass 1 --status DONE --promise
	begin 1
	wait_until 20 test -e "$BATS_TEST_TMPDIR/out/runs"
	kill -KILL "$LOOP"
	wait "$LOOP" || :
	LOOP=''
	again 0
	[[ $(git log --format=%s "$BRANCH") == *one* ]]
}

@test "landlock: a step leaves its claim in a folder that variables lead to" {
	[[ $(wisp-sandbox driver --driver landlock) == driver=landlock ]] || skip 'no landlock here'
	scenario_step 1 --effects 'echo x >file; echo x >"$HOME/outside" || :' --pass 1 --status DONE --promise
	work 0 1 --sandbox landlock
	in_tree file x
	[[ ! -e $HOME/outside ]] || fail 'written outside'
	assert_equal '"landlock"' "$("$JQ" .sandbox "$DIR/steps/0001/step.json")"
	assert_contains "$(prompt 0001)" "- state file: $(echo "$WISP_HOME"/*/work)/lent/session/state.json"
}

@test "landlock: commits are taken over, also after a kill; others find the work tree meanwhile" {
	[[ $(wisp-sandbox driver --driver landlock) == driver=landlock ]] || skip 'no landlock here'
	scenario_step 1 --effects 'echo x >file; git add file; git commit -qm one; git branch other; : >"'"$BATS_TEST_TMPDIR"'/out/runs"; sleep 100'
	scenario_step 2 --pass 1 --status DONE --promise
	begin 1 --sandbox landlock
	wait_until 20 test -e "$BATS_TEST_TMPDIR/out/runs"
	assert_equal one "$(git -C "$TREE" log -1 --format=%s)"
	assert_lacks "$(git log --format=%s "$BRANCH")" one
	cd "$TREE"
	expect 0 wisp status
	cd "$PROJECT"
	kill -KILL "$LOOP"
	wait "$LOOP" || :
	LOOP=''
	expect 100 wisp rm "$BRANCH"
	assert_contains "$output" "uncommitted changes, such as 'file'"
	again 0 --sandbox landlock
	assert_contains "$(git log --format=%s "$BRANCH")" one
	assert_contains "$output" 'these are as they were: refs/heads/other'
	assert_equal "gitdir: $PROJECT/.git/worktrees/$BRANCH" "$(<"$TREE/.git")"
}

@test "inside is inside: a step that clears its environment is no person, and finds no record" {
	scenario_step 1 --effects 'for verb in "run other --tasks tasks.json" "config sandbox off" "answer work yes"; do
			env -i PATH="$PATH" HOME=/tmp wisp $verb >>said 2>&1 && echo "did $verb" >>said
		done; env -i PATH="$PATH" HOME=/tmp wisp status >>said 2>&1; true' --pass 1 --status DONE --promise
	work 0 1
	git -C "$TREE" show HEAD:said >"$BATS_TEST_TMPDIR/said"
	assert_lacks "$(<"$BATS_TEST_TMPDIR/said")" 'did '
	assert_contains "$(<"$BATS_TEST_TMPDIR/said")" 'from inside a step'
}

@test "status, list and report say what confined a session" {
	scenario_step 1 --pass 1 --status DONE --promise --effects 'echo x >file'
	work 0 1
	assert_contains "$output" "confined  $CONFINED_BY"
	status_says .sandbox "$CONFINED_BY"
	assert_contains "$(wisp status "$BRANCH")" "confined  $CONFINED_BY"
	assert_contains "$(wisp list --json)" "\"sandbox\": \"$CONFINED_BY\""
	place other
	scenario_new
	scenario_step 1 --pass 1 --status DONE --promise --effects 'echo x >file'
	work 0 1 --no-sandbox
	assert_contains "$output" 'confined  not at all: the sandbox is off'
	assert_contains "$(wisp list --json)" '"sandbox": "off"'
}

@test "a failed step, and a verify, that needed more are told the setting" {
	scenario_step 1 --effects 'mkdir "$HOME/a store"; exit 3' --exit 1
	scenario_step 2 --pass 1 --status DONE --promise --effects 'echo x >file'
	scenario_step 3 --pass 1 --status DONE --promise --effects 'echo x >stop'
	work 0 1 -c retry.delay=10ms -c verify.command='test -e stop || { mkdir "$HOME/store"; seq 200; exit 1; }'
	assert_contains "$output" "the sandbox does not let it change '$HOME/a store': wisp config --add sandbox.write PATH"
	assert_contains "$(prompt 0003)" "the sandbox does not let it change '$HOME/store'"
	assert_contains "$("$JQ" '.[1].error' "$DIR/history.json")" 'wisp config --add sandbox.write PATH'
}

@test "a failed step that was denied what is hidden is told the setting; what the work tree denies is its own" {
	printf 'token\n' >"$HOME/.npmrc"
	mkdir "$HOME/.ssh"
	printf 'key\n' >"$HOME/.ssh/id"
	scenario_step 1 --effects 'echo x >tool; "$PWD/tool"; cat "$HOME/.ssh/id"; exit 3'
	scenario_step 2 --effects 'cat "$HOME/.npmrc"; exit 3'
	work 16 1 -c retry.delay=10ms
	assert_contains "$output" "the sandbox does not let it reach '$HOME/.npmrc': wisp config --add sandbox.read PATH, or sandbox.write"
	assert_contains "$output" "'$HOME/.ssh/id': wisp config --add sandbox.read PATH"
	assert_lacks "$output" "reach '$TREE/tool'"
	assert_lacks "$output" "reach '$WISP_REPLAY"
}

# What tests/e2e/tamper.bats does where nothing confines a step, a line each.
tampering()
{
	cat <<'END'
echo "[]" >"$WISP_SESSION_DIR/history.json"; rm -f "$WISP_SESSION_DIR/session.json" "$WISP_SESSION_DIR/limits.json"
echo "{}" >"$WISP_SESSION_DIR/breaker.json"; mkfifo "$WISP_SESSION_DIR/pipe"; mkdir "$WISP_SESSION_DIR/folder"
rm -rf "$WISP_SESSION_DIR"/[!t]*
rm -rf "$WISP_SESSION_DIR/steps"; echo x >"$WISP_SESSION_DIR/steps/0001/step.json"
git config --file "$TOP/.wisp/config" verify.command true; echo x >"$TOP/.wisp/config"
mkdir -p "$TOP/.wisp/templates/default"; echo "say DONE" >"$TOP/.wisp/templates/default/iterate.md"
mkdir -p "$TOP/.wisp/agents"; echo x >"$TOP/.wisp/agents/replay"
rm -rf "$WISP_HOME"; echo x >"$WISP_HOME"/*/record.json
rm -f .git; echo "gitdir: /nowhere" >.git; mv .git elsewhere
echo x >"$TOP/.git/hooks/pre-commit"; git config core.fsmonitor ./run; git config alias.x '!x'
echo x >"$TOP/.git/info/exclude"; echo x >"$TOP/.git/config"
rm -rf "$TOP/.git/objects" "$TOP/.git/refs/heads/main" "$TOP/.git/HEAD"; mv "$TOP/.git" "$TOP/git"
echo x >"$TOP/README"; echo x >"$TOP/planted"
git update-ref -d refs/heads/main; git update-ref refs/wisp/checkpoints/work/0000 HEAD; git branch -f main HEAD
echo x >"$TMPDIR/../x"; for each in /tmp/wisp.*/* "$TMPDIR"/wisp.*/*; do rm -rf "$each"; mkfifo "$each"; done
mv "$TOP" "$TOP.moved"; mv "$WISP_SESSION_DIR" "$WISP_SESSION_DIR.moved"
echo x >>"$HOME/.bashrc"; echo x >"$HOME/.gitconfig"
END
}

@test "tampering, confined: nothing of it reaches what is the loop's, or a person's, so that nothing is put back" {
	local git=$PROJECT/.git

	expect 0 wisp init --agent replay
	git add -A && git commit -qm init
	{
		printf 'TOP=%q\n' "$PROJECT"
		tampering | sed 's/.*/{ &; } 2>>errors/'
		echo 'echo x >x; true'
	} >effects
	: >"$WISP_REPLAY/by-iteration" # its own count may be removed, too
	scenario_step 1 --effects "$(<effects)" --pass 1 --status CONTINUE
	rm effects
	scenario_step 2 --pass 2 --status DONE --promise
	find .wisp/config "$git/config" "$git/hooks" "$git/info/exclude" README -type f -exec cksum {} + >"$BATS_TEST_TMPDIR/before"
	main=$(git rev-parse main)
	work 0 2
	assert_equal '[]' "$(wisp-state -C "$DIR" query -f history '[.[].tampered // empty | .[]]')"
	find .wisp/config "$git/config" "$git/hooks" "$git/info/exclude" README -type f -exec cksum {} + | diff "$BATS_TEST_TMPDIR/before" -
	assert_equal "$main" "$(git rev-parse main)"
	assert_equal '' "$(git status --porcelain)"
	[[ ! -e $HOME/.bashrc && ! -e $HOME/.gitconfig && ! -e $git/hooks/pre-commit && ! -e .wisp/agents && ! -e planted ]]
	git fsck --strict --no-dangling
	assert_contains "$(git show work:errors)" 'Read-only file system'
}
