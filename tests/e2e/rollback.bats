#!/usr/bin/env bats
# rollback N and rm.

load ../helper
load ../helper-scenario
load helper-e2e

setup()
{
	project
	scenario_step 1 --effects 'echo 1 >one; git add one; git commit -q -m one; echo 1 >loose; echo 1 >staged; git add staged' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'echo 2 >two; rm loose' --commit two --pass 2 --status CONTINUE
	scenario_step 3 --effects 'echo 3 >three' --pass 3 --status DONE --promise
	OPTIONS=(-c commit.fallback=false)
}

@test "rollback: tree, untracked files, index, commits, tasks and counters together; what was is kept; it goes on" {
	work 13 3 --max-iterations 2
	expect 0 wisp rollback work 1
	in_tree loose 1
	in_tree one 1
	absent two
	assert_equal 'A  staged' "$(git -C "$TREE" status --porcelain staged)"
	assert_equal '?? loose' "$(git -C "$TREE" status --porcelain loose)"
	assert_equal one "$(git log -1 --format=%s work)"
	passes 1
	session .loop_count 1
	session .status paused
	# what was spent stays spent
	session .totals.agent_calls 2
	assert_contains "$output" refs/wisp/failed/work
	assert_equal 2 "$(git show "$(failed_ref 2):two")"
	assert_equal 1 "$(wisp-state -C "$DIR" query -f history length)"
	scenario_step 3 --effects 'test -e loose' --pass '2 3' --status DONE --promise
	again 0 --max-iterations 9
	session .loop_count 2
}

@test "rollback: after completion it is another session, with open tasks again" {
	work 0 3
	id=$(wisp-state -C "$DIR" get -f session .session_id)
	expect 0 wisp rollback work 2
	session .status paused
	passes 1 2
	absent three
	[[ $(wisp-state -C "$DIR" get -f session .session_id) != "$id" ]]
	assert_equal completed "$(wisp-state -C "$DIR" get -f "$DIR/past/$id.json" .status)"
	scenario_step 4 --pass 3 --status DONE --promise
	again 0
	session .loop_count 3
}

@test "rollback: to 0 is the start" {
	work 0 3
	expect 0 wisp rollback work 0
	passes
	assert_equal README "$(ls "$TREE")"
	assert_equal Begin "$(git log -1 --format=%s work)"
	session .loop_count 0
}

@test "rollback: of a question, it is no longer asked" {
	scenario_step 2 --status NEEDS_INPUT --question 'What?'
	work 10 3
	expect 0 wisp rollback work 1
	scenario_step 3 --pass '2 3' --status DONE --promise
	again 0
	assert_lacks "$(prompt 0002)" 'What?'
}

@test "rollback: no such checkpoint is 1 and changes nothing; a wrong call is 100" {
	work 13 3 --max-iterations 2
	before=$(wisp-state -C "$DIR" query -f session . && git rev-parse work)
	expect 1 wisp rollback work 7
	expect 100 wisp rollback work x
	expect 100 wisp rollback work -1
	expect 100 wisp rollback work
	assert_equal "$before" "$(wisp-state -C "$DIR" query -f session . && git rev-parse work)"
}

@test "rollback: a checkpoint of an earlier session in the same folder is none" {
	work 0 3
	wisp tasks add --category docs more
	scenario_step 4 --effects 'echo 4 >four' --commit four --status CONTINUE
	expect 15 wisp run work --once
	tip=$(git -C "$TREE" rev-parse HEAD)
	expect 1 wisp rollback work 3
	assert_equal "$tip" "$(git -C "$TREE" rev-parse HEAD)"
	in_tree four 4
}

@test "rm: work tree, session, refs and record; the branch stays; --branch takes it, too" {
	OPTIONS=()
	work 0 3
	git -C "$TREE" clean -q -f -d
	expect 0 wisp rm work
	[[ ! -e $DIR && ! -e $TREE ]]
	assert_equal '' "$(git for-each-ref refs/wisp)"
	git rev-parse -q --verify work
	# and it may begin again
	work 0 3
	expect 100 wisp rm work --branch
	expect 0 wisp rm work --branch --force
	run ! git rev-parse -q --verify work
}
