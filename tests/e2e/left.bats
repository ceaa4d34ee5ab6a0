# Work trees and repositories that agents leave behind, as their sub-agents do.

load ../helper
load ../helper-scenario
load helper-e2e

setup()
{
	unconfined
}

# registered: the work trees that git knows beside the project and the session's.
registered()
{
	git worktree list --porcelain | grep '^worktree ' | grep -vxF -e "worktree $PROJECT" -e "worktree $TREE" || :
}

@test "work trees of sub-agents are named, are no work of the session, and go with it" {
	project
	scenario_step 1 --effects 'git worktree add -q .claude/worktrees/agent-1 -b agent-1; echo x >.claude/worktrees/agent-1/left
		git clone -q . vendor/clone; echo x >x' --pass 1 --status CONTINUE
	scenario_step default --status DONE --promise
	work 0 1
	assert_contains "$output" "wisp: [1] a work tree was left at '$TREE/.claude/worktrees/agent-1'"
	assert_lacks "$output" "[2] a work tree"
	assert_equal x "$(git diff --name-only main work)"
	expect 100 wisp rm work
	expect 0 wisp rollback work 0
	assert_contains "$output" "removed with the work, and their branches stay: $TREE/.claude/worktrees/agent-1 (agent-1)"
	assert_equal '' "$(registered)"
	assert_equal x "$(git show "refs/wisp/failed/work/0002:.claude/worktrees/agent-1/left")"
	git rev-parse -q --verify refs/heads/agent-1
	expect 0 wisp rm work
}

@test "a work tree that is gone again is registered no longer; a commit that no branch has is kept" {
	local id

	project
	scenario_step 1 --effects 'git worktree add -q --detach ../../../../aside; cd ../../../../aside; echo y >y
		git add y; git commit -q -m y; git rev-parse HEAD >../id; cd ..; rm -rf aside' --status CONTINUE
	scenario_step 2 --effects 'git worktree add -q ../../../../later -b later' --status CONTINUE
	scenario_step 3 --effects 'rm -rf ../../../../later; echo x >x' --pass 1 --status DONE --promise
	git worktree add -q ../mine -b mine
	rm -rf ../mine
	work 0 1
	id=$(<../id)
	assert_contains "$output" "wisp: [1] work trees that are gone are registered no longer, their branches stay: $BATS_TEST_TMPDIR/aside ($id, kept as refs/wisp/kept/$id)"
	assert_contains "$output" "wisp: [2] a work tree was left at '$BATS_TEST_TMPDIR/later'"
	assert_contains "$output" "wisp: [3] work trees that are gone are registered no longer, their branches stay: $BATS_TEST_TMPDIR/later (later)"
	git cat-file -e "refs/wisp/kept/$id"
	# A person's own is left alone.
	assert_equal "worktree $BATS_TEST_TMPDIR/mine" "$(registered)"
}

@test "a work tree with work in an ignored folder is not removed without a word" {
	project
	printf '.claude/\n' >.gitignore
	git add .gitignore
	git commit -q -m 'Ignore'
	scenario_step default --effects 'git worktree add -q .claude/worktrees/a -b a; echo x >x' --pass 1 --status DONE --promise
	work 0 1
	assert_equal ".gitignore"$'\n'"x" "$(git diff --name-only HEAD^ work)"
	echo mine >"$TREE/.claude/worktrees/a/README"
	expect 100 wisp rm work
	assert_contains "$output" "'$TREE/.claude/worktrees/a', a work tree in it, has uncommitted changes, such as 'README'"
	git -C "$TREE/.claude/worktrees/a" checkout -q README
	expect 0 wisp rm work
	assert_equal '' "$(registered)"
	git rev-parse -q --verify refs/heads/a
}
