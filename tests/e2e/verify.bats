#!/usr/bin/env bats
# The promise, verify, and a DONE that is refused.

load ../helper
load ../helper-scenario
load helper-e2e

setup()
{
	project
}

@test "verify: refuses a task, takes its claim back, and the next prompt holds the end of its output" {
	OPTIONS=(-c verify.command='echo "the check: file is missing"; test -e file')
	scenario_step 1 --pass 1 --status CONTINUE
	scenario_step 2 --effects 'touch file' --pass '1 2' --status DONE --promise
	work 0 2
	entry 0 .verify failed
	entry 0 .tasks_passed 0
	entry 0 .progress false
	assert_contains "$(wisp-state -C "$DIR" get -f history '.[0].error')" 'file is missing'
	assert_contains "$(prompt 0002)" 'The project'\''s check failed'
	assert_contains "$(prompt 0002)" 'the check: file is missing'
	assert_contains "$(prompt 0002)" '2 of 2 tasks are open'
	assert_contains "$(<"$DIR/steps/0001/verify.log")" 'the check: file is missing'
	assert_lacks "$output" unverified
}

@test "verify: only the tasks claimed in that step go back" {
	OPTIONS=(-c verify.command='test ! -e broken')
	scenario_step 1 --pass 1 --status CONTINUE
	scenario_step 2 --effects 'touch broken' --pass 2 --status CONTINUE
	scenario_step 3 --effects 'grep -c true "$WISP_TASKS_FILE" >../passing; rm broken' --pass 2 --status DONE --promise
	work 0 2
	assert_equal 1 "$(<"$PROJECT/.wisp/worktrees/passing")"
}

@test "verify: a false DONE is refused, and said so" {
	OPTIONS=(-c verify.command='test -e file')
	scenario_step 1 --pass 1 --status DONE --promise
	scenario_step 2 --effects 'touch file' --pass 1 --status DONE --promise
	work 0 1
	entry 0 .refused verify
	assert_contains "$(prompt 0002)" 'Your DONE was refused'
	assert_contains "$(prompt 0002)" 'the verify command failed'
}

@test "verify: every command counts, and a DONE without a new task is verified, too" {
	wisp config verify.command 'echo first >>../ran'
	wisp config --add verify.command 'echo second >>../ran; test -e file'
	scenario_step 1 --effects 'touch file' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'rm file' --status CONTINUE
	scenario_step 3 --status DONE --promise
	scenario_step 4 --effects 'touch file' --status DONE --promise
	work 0 1
	entry 0 .verify passed
	entry 1 .verify skipped
	entry 2 .verify failed
	entry 3 .verify passed
	assert_equal 'first second first second first second' "$(tr '\n' ' ' <"$PROJECT/.wisp/worktrees/ran" | sed 's/ $//')"
	passes 1
}

@test "verify: a command that hangs is ended with all it started, and counts as failed" {
	unconfined
	OPTIONS=(-c verify.command='test -e fast || { sleep 60 & echo $! >../pid; wait; }' -c verify.timeout=500ms -c step.grace=100ms)
	scenario_step 1 --pass 1 --status CONTINUE
	scenario_step 2 --effects 'touch fast' --pass 1 --status DONE --promise
	work 0 1
	entry 0 .verify failed
	gone "$(<"$PROJECT/.wisp/worktrees/pid")" || fail 'it outlived the command'
}

@test "verify: runs in the work tree, with no terminal and nothing on its input" {
	OPTIONS=(-c verify.command='pwd -P >../place; cat >../input; ! test -t 0')
	scenario_step 1 --pass 1 --status DONE --promise
	work 0 1
	assert_equal "$(cd -P "$TREE" && pwd)" "$(<"$PROJECT/.wisp/worktrees/place")"
	assert_equal '' "$(<"$PROJECT/.wisp/worktrees/input")"
}

@test "verify, metrics and setup have no secret of the person's, but for verify.env, in wisp done, too; notifications have" {
	# shellcheck disable=SC2016 # the shells of the commands expand it
	OPTIONS=(-c verify.command='echo "verify $MYPASS $GITHUB_TOKEN $ANTHROPIC_API_KEY $GREETING" >>"$HOME/seen"'
		-c verify.metrics='echo "metrics $MYPASS $GITHUB_TOKEN $GREETING" >>"$HOME/seen"; echo {}'
		-c worktree.setup='echo "setup $MYPASS $GITHUB_TOKEN $GREETING" >>"$HOME/seen"'
		-c notify.command='echo "notify $MYPASS" >>"$HOME/told"'
		-c verify.env=GITHUB_TOKEN -c 'verify.env=GREETING=hello you')
	scenario_step 1 --effects 'echo x >x' --pass 1 --commit x --status DONE --promise
	MYPASS=hunter2 GITHUB_TOKEN=ghp ANTHROPIC_API_KEY=sk work 0 1
	assert_equal $'metrics  ghp hello you\nsetup  ghp hello you\nverify  ghp  hello you' "$(sort -u "$HOME/seen")"
	wait_until 20 test -s "$HOME/told"
	assert_equal 'notify hunter2' "$(<"$HOME/told")"
	rm "$HOME/seen"
	MYPASS=hunter2 GITHUB_TOKEN=ghp ANTHROPIC_API_KEY=sk expect 0 wisp "${OPTIONS[@]}" done work
	assert_equal $'setup  ghp hello you\nverify  ghp  hello you' "$(sort -u "$HOME/seen")"
}

@test "verify: where it asks for a variable that is withheld, the person and the next prompt are told" {
	# shellcheck disable=SC2016 # the shell of the command expands it
	OPTIONS=(-c verify.command='[ -n "${DATABASE_URL-}" ] || { echo "DATABASE_URL is not set"; exit 1; }')
	scenario_step default --effects 'date >>x' --pass 1 --status DONE --promise
	DATABASE_URL=db OTHER_SECRET=s work 15 1 --once
	assert_contains "$output" 'wisp withholds DATABASE_URL from it: wisp config --add verify.env DATABASE_URL'
	assert_lacks "$output" OTHER_SECRET
	assert_contains "$(wisp-state -C "$DIR" get -f history '.[0].error')" 'wisp withholds DATABASE_URL'
	OPTIONS+=(-c verify.env=DATABASE_URL)
	DATABASE_URL=db again 0
	assert_contains "$(prompt 0002)" 'wisp withholds DATABASE_URL'
}

@test "what verify.env and agent.NAME.env set is on no command line, and neither these nor -c reach a step otherwise" {
	# shellcheck disable=SC2016 # the shells of the commands expand it
	local look='for f in /proc/[0-9]*/cmdline; do tr "\\0" " " <$f; done >>../lines 2>/dev/null; env >>../env'

	wisp config verify.command "$look; "'echo "verify:$KEY" >>../seen'
	wisp config worktree.setup "$look"
	wisp config verify.env KEY=verify-value
	wisp config agent.replay.env KEY=agent-value
	OPTIONS=(-c agent.other.env=OTHER=other-value)
	# shellcheck disable=SC2016 # the agent expands it
	scenario_step 1 --effects "$look"'; echo "agent:$KEY" >>../seen; echo x >x' --pass 1 --status DONE --promise
	work 0 1
	assert_equal $'agent:agent-value\nverify:verify-value' "$(<"$PROJECT/.wisp/worktrees/seen")"
	assert_lacks "$(<"$PROJECT/.wisp/worktrees/lines")" agent-value
	assert_lacks "$(<"$PROJECT/.wisp/worktrees/lines")" verify-value
	assert_lacks "$(<"$PROJECT/.wisp/worktrees/env")" WISP_CONFIG_SET
	assert_lacks "$(<"$PROJECT/.wisp/worktrees/env")" WISP_STEP_ENV
	assert_lacks "$(<"$PROJECT/.wisp/worktrees/env")" other-value
}

@test "the project's first start says which of the person's variables its files name and its commands are not given" {
	printf 'url = $DATABASE_URL, $API_TOKEN of $NOBODYS\n' >settings
	OPTIONS=(-c verify.command=true)
	scenario_step default --effects 'date >>x' --pass 1 --status DONE --promise
	DATABASE_URL=db API_TOKEN=t OTHER_KEY=k work 0 1
	[[ $output =~ 'wisp withholds '(API_TOKEN, DATABASE_URL|DATABASE_URL, API_TOKEN)' from it: wisp config --add verify.env NAME' ]]
	assert_lacks "$output" OTHER_KEY
	place other
	DATABASE_URL=db API_TOKEN=t work 0 1
	assert_lacks "$output" 'wisp withholds'
}

@test "an agent that fails for want of a variable that is withheld: the reason says so" {
	scenario_step default --stderr 'Missing environment variable: CPA_API_KEY.' --exit 1
	CPA_API_KEY=k work 16 1
	assert_contains "$output" 'wisp withholds CPA_API_KEY from it: wisp config --add agent.replay.env CPA_API_KEY'
}

@test "worktree.setup that fails for want of a variable that is withheld: that is said" {
	OPTIONS=(-c worktree.setup='echo "export NPM_TOKEN first" >&2; exit 3')
	NPM_TOKEN=t work 111 1
	assert_contains "$output" 'worktree.setup failed with 3'
	assert_contains "$output" 'wisp withholds NPM_TOKEN from it: wisp config --add verify.env NPM_TOKEN'
}

@test "verify: a task's own command runs when that task is claimed, as it stood when a person brought it in" {
	cat >tasks.json <<-'END'
	[{"id": "a", "category": "test", "description": "first", "steps": [], "passes": false, "verify": "test -e a"},
	 {"id": "b", "category": "test", "description": "second", "steps": [], "passes": false}]
	END
	scenario_step 1 --pass a --status CONTINUE
	scenario_step 2 --effects 'sed "s/test -e a/true/" "$WISP_TASKS_FILE" >t && mv t "$WISP_TASKS_FILE"' --pass a --status CONTINUE
	scenario_step 3 --effects 'touch a' --pass 'a b' --status DONE --promise
	expect 0 wisp run work --agent replay --tasks tasks.json
	entry 0 .verify failed
	entry 1 .tasks_passed 0
	assert_contains "$(prompt 0003)" 'The task list was put back'
	entry 2 .verify passed
	assert_contains "$(<"$DIR/tasks.json")" '"test -e a"'
}

@test "verify: a command that an agent adds with a new task counts for nothing" {
	scenario_step 1 --tasks '[
	  {"id": "t1", "category": "feature", "description": "task 1", "steps": [], "passes": true},
	  {"category": "feature", "description": "own", "steps": [], "passes": true, "verify": "touch ../ran"}]' \
		--status DONE --promise
	work 0 1
	[[ ! -e $PROJECT/.wisp/worktrees/ran ]] || fail 'the command of the agent ran'
	entry 0 .verify none
}

@test "verify: where its supervisor is killed nothing is known: 111, no claim is kept or refused, and a resume asks again" {
	unconfined
	scenario_step 1 --pass 1 --status DONE --promise
	# shellcheck disable=SC2016 # the shell that verifies expands it
	OPTIONS=(-c verify.command=true -c 'verify.command=[ -e "$HOME/again" ] || { >"$HOME/again"; kill -KILL "$PPID"; sleep 60; }')
	work 111 1
	assert_contains "$output" 'wisp-agent was killed by signal 9'
	again 0
	entry 0 .verify passed
	calls 1
}

@test "verify: one that asks on a terminal finds none, and fails instead of waiting" {
	OPTIONS=(-c verify.command='test -e done || { echo "Sure? " >/dev/tty && read -r answer </dev/tty; }')
	scenario_step 1 --pass 1 --status DONE --promise
	scenario_step 2 --effects 'touch done' --pass 1 --status DONE --promise
	work 0 1
	entry 0 .verify failed
	entry 1 .verify passed
}

@test "verify: a gigabyte of output is read, but for 64 MiB not kept" {
	OPTIONS=(-c verify.command='head -c 1073741824 /dev/zero; echo the end >&2; exit 1')
	scenario_step 1 --pass 1 --status CONTINUE
	work 15 1 --once
	entry 0 .verify failed
	assert_contains "$output" 'verify.log: it is too long for its tests to be counted'
	[[ $(wc -c <"$DIR/steps/0001/verify.log") -lt $((65 << 20)) ]]
}

@test "verify: one that holds only sometimes is told as it was each time, and a task stays as the last one said" {
	# shellcheck disable=SC2016 # the shell that verifies expands it
	OPTIONS=(-c verify.command='echo >>../runs; test $(($(wc -l <../runs) % 2)) -eq 0')
	scenario_step 1 --pass 1 --status DONE --promise
	scenario_step 2 --pass 1 --status CONTINUE
	scenario_step 3 --status DONE --promise
	scenario_step 4 --status DONE --promise
	work 0 1
	entry 0 .verify failed
	entry 0 .tasks_passed 0
	entry 1 .verify passed
	entry 1 .tasks_passed 1
	entry 2 .verify failed
	entry 2 .refused verify
	entry 3 .verify passed
	passes 1
}

@test "verify: what an agent writes into the project's config or template weakens neither this step's verify nor the next one's" {
	unconfined
	wisp config verify.command 'test -e file'
	wisp config verify.protect 'tests/**'
	# shellcheck disable=SC2016 # the agent expands it
	scenario_step 1 --effects 'git config --file "$WISP_SESSION_DIR/../../config" verify.command true
git config --file "$WISP_SESSION_DIR/../../config" --unset-all verify.protect
mkdir tests; echo true >tests/run' --pass 1 --status DONE --promise
	scenario_step 2 --pass 1 --status DONE --promise
	scenario_step 3 --effects 'touch file' --pass 1 --status DONE --promise
	work 0 1
	entry 0 .verify failed
	entry 0 .tampered[0] .wisp/config
	entry 0 .protected[0] tests/run
	entry 1 .verify failed
	entry 2 .verify passed
	assert_equal 'test -e file' "$(wisp config verify.command)"
	assert_equal 'tests/**' "$(wisp config verify.protect)"
}

@test "promise: only alone on a line of the final message" {
	scenario_step 1 --pass 1 --status DONE --output 'I say <promise>COMPLETE</promise> now'
	scenario_step 2 --status DONE --output '`<promise>COMPLETE</promise>`'
	scenario_step 3 --status DONE --output $'done\n  <promise>COMPLETE</promise>  \t\nbye'
	work 0 1
	entry 0 .refused promise
	entry 1 .refused promise
	calls 3
}

@test "promise: echoed from the prompt or by a tool of a claude agent it does not count" {
	scenario_step 1 --pass 1 --status DONE --output "$(claude init)
{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"<promise>COMPLETE</promise>\"}]}}
{\"type\":\"user\",\"message\":{\"content\":[{\"type\":\"tool_result\",\"content\":\"<promise>COMPLETE</promise>\"}]}}
$(claude done 'All is done.')"
	scenario_step 2 --status DONE --output "$(stream done 'Yes.\n<promise>COMPLETE</promise>')"
	work 0 1
	entry 0 .refused promise
	calls 2
}

@test "promise: without DONE it counts for nothing; with completion.promise=optional it is not asked" {
	scenario_step 1 --pass 1 --status CONTINUE --promise
	scenario_step 2 --status DONE
	work 15 1 --once
	OPTIONS=(-c completion.promise=optional)
	again 0
	calls 2
}

# --- what was verified is what is committed ----------------------------------

# committed REF NAME...: what the tree of REF holds beside README.
committed()
{
	local ref=$1
	shift
	assert_equal "$*" "$(git ls-tree -r --name-only "$ref" | grep -v '^README$' | tr '\n' ' ' | sed 's/ $//')"
}

@test "tree: what changes while verify runs is verified again before it is committed" {
	OPTIONS=(-c verify.command='! grep -q evil code && { [ -e ../outside ] || { >../outside; echo evil >>code; }; }')
	scenario_step 1 --effects 'echo good >code' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'echo good >code' --pass 1 --status DONE --promise
	work 0 1
	entry 0 .verify failed
	assert_contains "$output" 'verify changed code: verifying what it left'
	entry 1 .verify passed
	assert_equal good "$(git show work:code)"
}

@test "tree: where a check leaves the branch, or makes it another's, what it verified is committed on the branch" {
	unconfined
	local how main

	main=$(git rev-parse main)
	for how in 'git checkout -q --detach' 'git switch -q -C elsewhere' 'git symbolic-ref refs/heads/$WISP_BRANCH refs/heads/main' \
		'git symbolic-ref HEAD refs/heads/main'; do
		rm -rf -- "${WISP_REPLAY:?}"/* && place "work-${#how}"
		scenario_step 1 --effects 'echo 1 >one' --pass 1 --status DONE --promise
		OPTIONS=(-c verify.command="${how/\$WISP_BRANCH/$BRANCH}")
		work 0 1
		assert_equal 1 "$(git show "$BRANCH:one")"
	done
	assert_equal "$main" "$(git rev-parse main)"
}

@test "tree: a formatter in verify: what it left is verified once more, and that is committed; credited is what the agent did" {
	OPTIONS=(-c verify.command='echo >>../runs; tr a-z A-Z <code >t && { cmp -s t code || cat t >code; rm t; }')
	echo lower >format
	git add format && git commit -q -m format
	scenario_step 1 --effects 'echo code >code' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'echo MORE >more' --pass 2 --status DONE --promise
	work 0 2
	assert_equal CODE "$(git show work:code)"
	assert_equal 3 "$(wc -l <.wisp/worktrees/runs | tr -d ' ')"
	assert_equal '["code"]' "$(wisp-state -C "$DIR" query -f history '.[0].files')"
	assert_equal '["more"]' "$(wisp-state -C "$DIR" query -f history '.[1].files')"
	assert_equal '' "$(git -C "$TREE" status --porcelain)"
}

@test "tree: what verify wrote is neither committed nor credited, is named once, and stays" {
	OPTIONS=(-c verify.command='mkdir -p out; date +%N >out/report; echo x >cache')
	scenario_step 1 --effects 'echo 1 >one' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'echo 2 >two' --pass 2 --status CONTINUE
	scenario_step 3 --effects 'echo 3 >three' --pass 3 --status DONE --promise
	work 0 3
	committed work one three two
	assert_equal 1 "$(grep -c 'verify wrote cache, out/report' <<<"$output")"
	assert_contains "$(prompt 0002)" 'Files that the project'\''s check wrote'
	assert_contains "$(prompt 0002)" out/report
	assert_lacks "$(prompt 0003)" 'check wrote'
	assert_equal 'one two three' "$(wisp-state -C "$DIR" query -f history 'map(.files[]) | join(" ")')"
	in_tree cache x
	assert_lacks "$output" 'verifying what it left'
}

@test "tree: a file that verify wrote and the agent then changed is the agent's" {
	OPTIONS=(-c verify.command='[ -e snap ] || echo first >snap')
	scenario_step 1 --effects 'echo 1 >one' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'echo mine >snap' --pass 2 --status DONE --promise
	work 0 2
	committed work one snap
	assert_equal mine "$(git show work:snap)"
	assert_equal '["snap"]' "$(wisp-state -C "$DIR" query -f history '.[1].files')"
}

@test "tree: a tracked file that every run of verify changes is committed as it was verified, and asks for no third run" {
	echo 0 >count
	git add count && git commit -q -m count
	OPTIONS=(-c verify.command='echo >>../runs; echo $(($(cat count) + 1)) >count')
	scenario_step 1 --effects 'echo 1 >one' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'echo 2 >two' --pass 2 --status DONE --promise
	work 0 2
	assert_equal 3 "$(wc -l <.wisp/worktrees/runs | tr -d ' ')"
	assert_equal 1 "$(git show work:count)"
	in_tree count 3
	assert_equal '["two"]' "$(wisp-state -C "$DIR" query -f history '.[1].files')"
}

@test "tree: verify.metrics and a verify that fails write files that are not the agent's either" {
	OPTIONS=(-c verify.command='echo >log; test -e fixed' -c verify.metrics='echo x >numbers; echo "{\"n\": 1}"')
	scenario_step 1 --effects 'echo 1 >one' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'touch fixed' --pass 1 --status DONE --promise
	work 0 1
	entry 0 .verify failed
	committed work fixed one
}

@test "tree: without checkpoints what verify wrote is not the agent's either" {
	OPTIONS=(-c checkpoint.save=false -c commit.fallback=false -c verify.command='echo >log')
	scenario_step 1 --effects 'echo 1 >one' --pass 1 --status DONE --promise
	work 0 1
	assert_equal '["one"]' "$(wisp-state -C "$DIR" query -f history '.[0].files')"
}

@test "tree: files that are hidden in the index are committed as they were verified" {
	printf 'test -e done\n' >check.sh
	git add check.sh && git commit -q -m check
	OPTIONS=(-c verify.command='sh check.sh')
	scenario_step 1 --effects 'git update-index --assume-unchanged check.sh
echo true >check.sh' --pass 1 --status DONE --promise
	work 0 1
	assert_equal true "$(git show work:check.sh)"
	assert_equal '' "$(git -C "$TREE" ls-files -v | grep -v '^H ')"
}

@test "tree: what a DONE leaves uncommitted is committed, with what the step says of itself" {
	OPTIONS=(-c verify.command='grep -q good code')
	scenario_step 1 --effects 'echo good >code' --pass 1 --commit 'Add code' --status CONTINUE
	scenario_step 2 --effects 'echo more >more' --status DONE --promise --summary 'Polished it'
	work 0 1
	assert_equal 'Polished it' "$(git log -1 --format=%s work)"
	committed work code more
	status_says .unverified false
}

@test "tree: with commit.fallback=false a session is not called verified for what HEAD lacks" {
	OPTIONS=(-c commit.fallback=false -c verify.command='echo >log; grep -q good code')
	scenario_step 1 --effects 'echo bad >code; git add code; git commit -qm code; echo good >code' --pass 1 --status DONE --promise
	work 0 1
	assert_contains "$output" 'work: completed, unverified'
	assert_contains "$output" 'unverified: it passed with what is not committed: code'
	status_says .unverified true
	status_says '.uncommitted[0]' code
	git -C "$TREE" commit -qam 'mend'
	scenario_step 2 --status DONE --promise
	place other
	scenario_step 1 --effects 'echo good >code' --commit code --pass 1 --status DONE --promise
	work 0 1
	status_says .unverified false
}

@test "tree: what a verify wrote that was cut off is not the agent's either" {
	unconfined
	scenario_step 1 --effects 'echo x >x' --pass 1 --status DONE --promise
	# shellcheck disable=SC2016 # the shell that verifies expands it
	OPTIONS=(-c 'verify.command=[ -e "$HOME/again" ] || { >"$HOME/again"; echo >litter; kill -KILL "$PPID"; sleep 60; }')
	work 111 1
	again 0
	committed work x
	in_tree litter ''
	assert_equal '["x"]' "$(wisp-state -C "$DIR" query -f history '.[0].files')"
	assert_contains "$output" 'verify wrote litter: not committed'
}

@test "tree: with INT in verify, too" {
	scenario_step 1 --effects 'echo x >x' --pass 1 --status DONE --promise
	# shellcheck disable=SC2016 # the shell that verifies expands it
	OPTIONS=(-c 'verify.command=[ -e "$HOME/again" ] || { >litter; >"$HOME/again"; sleep 60; }')
	begin 1
	wait_until 20 test -e "$HOME/again"
	kill -INT "$LOOP"
	ends 130
	again 0
	committed work x
}
