#!/usr/bin/env bats
# wisp gc: what is left over goes, and nothing else does.

load helper
load helper-session
load helper-scenario

setup()
{
	make_repo project
	cd project || return 1
	scenario_new
	scenario_step 1 --pass 1 --status CONTINUE --effects 'echo one >one' --commit 'Add one'
	scenario_step 2 --effects 'echo litter >litter' --exit 3
	scenario_step 3 --pass 2 --status DONE --promise --effects 'echo two >two' --commit 'Add two'
}

teardown()
{
	session_drop
	helper_teardown
}

# lost BRANCH: a session that ran, and of which neither folder nor record is there any more.
lost()
{
	session_run "$1" 2
	assert_equal 0 "$status"
	WORKTREE=$PWD/.wisp/worktrees/$1
	STATE=$(wisp-session place --project "$PWD" --branch "$1" | sed -n 's/^home=//p')
	rm -r "$PWD/.wisp/sessions/$1" "$STATE"
}

# dead: a process id that nobody has.
dead()
{
	: &
	DEAD=$!
	wait "$DEAD"
}

refs()
{
	git for-each-ref --format='%(refname)' refs/wisp
}

# everything: what wisp gc must not have changed.
everything()
{
	find .wisp "$WISP_HOME" "$TMPDIR" | LC_ALL=C sort
	git for-each-ref
	git worktree list
}

@test "gc: nothing is left over, and nothing is changed" {
	session_run feature/x 2
	everything >../before
	run -0 --separate-stderr wisp gc
	assert_output 'nothing is left over'
	run -0 wisp gc --yes
	assert_equal "$(<../before)" "$(everything)"
	cd ..
	run -0 wisp gc
	assert_output 'nothing is left over'
}

@test "gc: a work tree of no session is listed, and goes with --yes; its branch stays" {
	lost feature/x
	everything >../before
	run -0 --separate-stderr wisp gc
	assert_contains "$output" "$WORKTREE: it belongs to no session"
	assert_contains "$output" 'wisp gc --yes removes them'
	assert_equal "$(<../before)" "$(everything)"
	run -0 wisp gc --yes
	assert_contains "$output" 'removed worktree'
	[[ ! -e $WORKTREE ]]
	assert_equal 1 "$(git worktree list | wc -l)"
	git rev-parse -q --verify feature/x
	[[ ! -e $STATE && ! -e .git/wisp/feature/x.lock ]]
	run -0 wisp gc --yes
	assert_lacks "$output" removed
}

@test "gc: work that is on no branch is kept, and named" {
	lost feature/x
	echo mine >"$WORKTREE/mine"
	run -0 wisp gc --yes
	assert_contains "$output" "kept    worktree            $WORKTREE: '$WORKTREE' has uncommitted changes, such as 'mine'"
	[[ -e $WORKTREE/mine ]]
	rm "$WORKTREE/mine"
	git -C "$WORKTREE" checkout -q --detach
	git -C "$WORKTREE" commit -q --allow-empty -m 'On no branch'
	run -0 wisp gc --yes
	assert_contains "$output" 'has commits that are on no branch'
	[[ -d $WORKTREE ]]
}

@test "gc, rm: commits of a repository in the work tree that no remote has are kept" {
	lost feature/x
	make_repo ../sub
	git -C "$WORKTREE" -c protocol.file.allow=always submodule --quiet add "$PWD/../sub" sub
	git init -q "$WORKTREE/sub/inner"
	for tree in sub/inner sub .; do
		git -C "$WORKTREE/$tree" add .
		git -C "$WORKTREE/$tree" commit -q --allow-empty -m 'More'
	done
	run -0 wisp gc --yes
	assert_contains "$output" "kept    worktree            $WORKTREE: '$WORKTREE/sub' is a repository of its own, with commits that no remote has"
	git -C "$WORKTREE/sub" push -q origin HEAD:other
	run -0 wisp gc --yes
	assert_contains "$output" "'$WORKTREE/sub/inner' is a repository of its own"
	git -C "$WORKTREE/sub/inner" update-ref refs/remotes/origin/main HEAD
	run -0 wisp gc --yes
	assert_contains "$output" 'removed worktree'
}

@test "gc: a work tree that a step made in its own is not left over" {
	session_run feature/x 2
	git -C .wisp/worktrees/feature/x worktree add -q inner -b inner
	run -0 wisp gc --yes
	assert_output 'nothing is left over'
	[[ -d .wisp/worktrees/feature/x/inner ]]
}

@test "gc: refs of no session go where branches have all of them, put-away work stays" {
	lost feature/x
	assert_contains "$(refs)" refs/wisp/checkpoints/feature/x/0001
	run -0 wisp gc --yes
	assert_contains "$output" 'belong to no session, and branches have all of them'
	assert_contains "$output" "feature/x: 1 of refs/wisp hold work that is on no branch: git show refs/wisp/failed/feature/x/0002"
	assert_equal refs/wisp/failed/feature/x/0002 "$(refs)"
	git cat-file -e refs/wisp/failed/feature/x/0002:litter
}

@test "gc: a work tree that is gone, and one of a done that was killed" {
	lost feature/x
	rm -r "$WORKTREE"
	session_run feature/y 2
	git worktree add -q --detach .wisp/worktrees/.done/feature..y
	run -0 wisp gc
	assert_contains "$output" "$WORKTREE: it is gone, and git has it registered"
	assert_contains "$output" 'a wisp done or bisect had it'
	run -0 wisp gc --yes
	assert_equal 2 "$(git worktree list | wc -l)"
	[[ ! -e .wisp/worktrees/.done/feature..y ]]
	run -0 wisp status feature/y
}

@test "gc: what killed commands had in TMPDIR, whatever its names, and no other's" {
	dead
	hostile="$TMPDIR/wisp.$DEAD.a;\$(xy"
	mkdir "$TMPDIR/wisp.$DEAD.abcdef" "$TMPDIR/wisp.$$.abcdef" "$hostile" "$TMPDIR/wisp.x.abcdef" "$TMPDIR/target"
	touch "$TMPDIR/wisp.$DEAD.abcdef/"$'a\nb' "$TMPDIR/target/kept"
	ln -s "$TMPDIR/target" "$TMPDIR/wisp.$DEAD.linked"
	run -0 wisp gc
	assert_contains "$output" "$TMPDIR/wisp.$DEAD.abcdef: process $DEAD, which had it, has ended"
	[[ -e $TMPDIR/wisp.$DEAD.abcdef ]]
	run -0 wisp gc --yes
	[[ ! -e $TMPDIR/wisp.$DEAD.abcdef && ! -e $hostile ]]
	[[ -d $TMPDIR/wisp.$$.abcdef && -d $TMPDIR/wisp.x.abcdef && -L $TMPDIR/wisp.$DEAD.linked && -e $TMPDIR/target/kept ]]
}

@test "gc: the record of a completed session whose folder is gone; a paused one is kept" {
	session_make done status=completed
	completed=$STATE
	session_make waits
	paused=$STATE
	cd ..
	rm -r project
	run -0 wisp gc
	assert_contains "$output" "$completed: a completed session, whose folder is gone"
	assert_contains "$output" "$paused: a session that was paused, whose folder is gone"
	run -0 wisp gc --yes
	[[ ! -e $completed && -e $paused/record.json ]]
}

@test "gc: where the last record goes, the folder of the records stays" {
	session_make done status=completed
	cd ..
	rm -r project
	run -0 wisp gc --yes
	assert_equal '' "$(ls -A "$WISP_HOME")"
}

@test "gc: the caches of a completed session" {
	session_make done status=completed
	mkdir -p "$STATE/caches/npm"
	completed=$STATE
	session_make waits
	mkdir -p "$STATE/caches/npm"
	run -0 wisp gc --yes
	assert_contains "$output" 'the session done is completed'
	[[ ! -e $completed/caches && -e $completed/record.json && -d $STATE/caches/npm ]]
}

@test "gc: a session that runs, or whose loop was killed, is not touched" {
	session_run feature/x 2
	lost=$WORKTREE
	session_hold
	everything >../before
	run -0 wisp gc --yes
	assert_equal "$(<../before)" "$(everything)"
	session_drop
}

@test "gc: names that a shell or a terminal would act on" {
	branch="a'b\$(id);x"
	lost "$branch"
	run -0 wisp gc --yes
	assert_contains "$output" "$WORKTREE: it belongs to no session"
	[[ ! -e $WORKTREE ]]
	git rev-parse -q --verify "refs/heads/$branch"
}

# Has gc begun to remove the work tree, or has it done so?
begun()
{
	[[ -e .git/wisp/feature/x.lock || ! -e $WORKTREE ]]
}

@test "gc: killed at any moment it can be repeated" {
	lost feature/x
	for n in 1 2 3 4 5 6; do
		wisp gc --yes >/dev/null 2>&1 &
		pid=$!
		[[ $n == 1 ]] || wait_until 5 begun
		kill -KILL "$pid" 2>/dev/null || :
		wait "$pid" 2>/dev/null || :
	done
	run -0 wisp gc --yes
	[[ ! -e $WORKTREE ]]
	assert_equal 1 "$(git worktree list | wc -l)"
	assert_equal refs/wisp/failed/feature/x/0002 "$(refs)"
	git rev-parse -q --verify feature/x
}

@test "gc: wrong calls, and inside a step" {
	run -100 --separate-stderr wisp gc feature/x
	assert_contains "$stderr" "unexpected argument 'feature/x'"
	run -100 --separate-stderr wisp gc --force
	assert_contains "$stderr" "unknown option '--force'"
	run -0 wisp-agent run --log log --result result -- bash -c 'wisp gc --yes 2>&1 || :'
	assert_contains "$(<log)" 'removing what is left over is not possible from inside a step'
}
