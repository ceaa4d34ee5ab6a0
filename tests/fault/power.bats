#!/usr/bin/env bats
# The record and a power cut: how often record.json is replaced, that it is synced before, and what
# is left where all that was never synced is empty (shim.c, FAULT_DIRTY).

load ../helper
load ../helper-scenario
load ../e2e/helper-e2e
load helper-fault

setup()
{
	project
	LOG=$BATS_TEST_TMPDIR/calls
	DIRTY=$BATS_TEST_TMPDIR/dirty
	LIST=$BATS_TEST_TMPDIR/tasks.json
	scenario_tasks 4 >"$LIST"
	for i in 1 2 3; do
		scenario_step "$i" --effects "echo $i >>work" --commit "task $i" --pass "t$i" --status CONTINUE
	done
	scenario_step 4 --effects 'echo 4 >>work' --commit 'task 4' --pass t4 --status DONE --promise
}

# All programs of the loop note what they do; those of a step get no environment of that kind.
noted()
{
	export LD_PRELOAD ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 FAULT_LOG=$LOG FAULT_DIRTY=$DIRTY
	LD_PRELOAD=$(shim)
}

unnoted()
{
	unset LD_PRELOAD FAULT_LOG FAULT_DIRTY
}

# Sets COUNT: so often record.json was replaced. Each time its file was synced, after the last write to it.
replaced()
{
	COUNT=$(awk '
		$2 == "write" && /\/\.record\.json\.wisp-/ { synced = 0 }
		($2 == "fsync" || $2 == "fdatasync") && /\/\.record\.json\.wisp-/ { synced = 1 }
		$2 == "rename" && /\/record\.json$/ { n++; if (!synced) { print "not synced"; exit }; synced = 0 }
		END { print n + 0 }' "$LOG")
}

@test "power: an iteration replaces the record twice, each time by a file that was synced" {
	local first
	noted
	expect 15 wisp -c verify.command=true run work --agent replay --tasks "$LIST" --once
	rm -f "$LOG"
	expect 15 wisp -c verify.command=true resume work --once
	replaced
	first=$COUNT
	((first > 2)) || fail "$first"
	rm -f "$LOG"
	expect 0 wisp -c verify.command=true resume work
	unnoted
	replaced
	assert_equal "$((first + 2))" "$COUNT"
}

# What git wrote since the list `before` was made, and did not sync, is empty.
objects_lost()
{
	local path

	while IFS= read -r path; do
		chmod u+w "$path"
		: >"$path"
	done < <(find .git/objects/?? -type f | grep -vxFf before)
}

# A second step commits, and is lost with its loop.
lost_after_commit()
{
	scenario_step 2 --effects "echo 2 >>work; git add work; git commit -q -m 'task 2'; touch ../committed; sleep 60"
	expect 15 wisp run work --agent replay --tasks "$LIST" --once
	find .git/objects/?? -type f >before
	begin 4
	wait_until 10 test -e .wisp/worktrees/committed
	kill -KILL "$LOOP"
	wait "$LOOP" 2>/dev/null || :
	LOOP=''
	scenario_step 3 --effects 'echo 2 >>work' --commit 'task 2' --pass t2 --status CONTINUE
	scenario_step 4 --effects 'echo 3 >>work' --commit 'task 3' --pass t3 --status CONTINUE
	scenario_step 5 --effects 'echo 4 >>work' --commit 'task 4' --pass t4 --status DONE --promise
}

@test "power: the objects of an agent's commit are empty: the branch goes back to the record, and it goes on" {
	local tip

	unconfined # a sandbox's commits come in a pack, which git syncs
	lost_after_commit
	tip=$(git rev-parse work)
	objects_lost
	expect 0 wisp resume work
	assert_contains "$output" "git cannot read what work has since the record ($tip)"
	assert_contains "$output" 'the step counts as lost'
	assert_contains "$output" "${tip#??}"
	entry 1 .outcome interrupted
	assert_equal $'1\n2\n3\n4' "$(git show work:work)"
	git fsck --no-dangling --no-reflogs
}

@test "power: the branch's ref is empty: it goes back to the record" {
	lost_after_commit
	: >.git/refs/heads/work
	expect 0 wisp resume work
	assert_contains "$output" 'its ref is damaged'
	assert_equal $'1\n2\n3\n4' "$(git show work:work)"
}

@test "power: the commit of the record cannot be read: 111 says what to do" {
	local head

	unconfined # as above
	expect 15 wisp run work --agent replay --tasks "$LIST" --once
	head=$(git rev-parse work)
	chmod u+w ".git/objects/${head:0:2}/${head:2}"
	: >".git/objects/${head:0:2}/${head:2}"
	expect 111 wisp resume work
	assert_contains "$output" "git cannot read the commit of the record, ${head:0:12}"
	assert_contains "$output" 'wisp rollback'
}

@test "power: the task list of a completed session is empty: it is shown, and put back, from the record" {
	local empty

	expect 0 wisp run work --agent replay --tasks "$LIST"
	cp "$DIR/tasks.json" was
	for empty in '' '\0\0\0'; do
		printf %b "$empty" >"$DIR/tasks.json"
		expect 0 wisp status work
		assert_contains "$output" 'tasks.json is empty'
		assert_contains "$output" '4 of 4 pass'
		expect 0 wisp list
		assert_contains "$output" 'tasks.json is empty'
		expect 0 wisp resume work
		assert_contains "$output" 'tasks.json was empty: the list of the record takes its place'
		cmp was "$DIR/tasks.json"
	done
}

@test "power: the task list is empty between two steps: that is no edit" {
	expect 15 wisp run work --agent replay --tasks "$LIST" --once
	: >"$DIR/tasks.json"
	expect 0 wisp run work --agent replay --tasks "$LIST"
	assert_contains "$output" 'tasks.json was empty: the list of the record takes its place'
	assert_lacks "$output" adopted
	assert_equal $'1\n2\n3\n4' "$(git show work:work)"
}
