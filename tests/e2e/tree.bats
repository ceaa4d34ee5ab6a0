#!/usr/bin/env bats
# What becomes of the work tree: keep, put-away, reset, adopt; and what is the user's.

load ../helper
load ../helper-scenario
load helper-e2e

setup()
{
	project
}

# --- put away ---------------------------------------------------------------

@test "put away: uncommitted work goes, commits stay and are listed, what was uncommitted before stays" {
	scenario_step 1 --effects 'echo good >uncommitted; echo one >one; git add one; git commit -q -m one' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'echo two >two; git add two; git commit -q -m "did the second"; echo junk >litter; echo changed >uncommitted' --pass 2 --exit 1
	scenario_step 3 --effects 'ls >../seen' --pass '2 3' --status DONE --promise
	OPTIONS=(-c commit.fallback=false)
	work 0 3
	assert_equal $'README\none\ntwo\nuncommitted' "$(<"$PROJECT/.wisp/worktrees/seen")"
	in_tree uncommitted good
	absent litter
	assert_equal junk "$(git show "$(failed_ref 2):litter")"
	assert_equal changed "$(git show "$(failed_ref 2):uncommitted")"
	assert_contains "$(prompt 0003)" 'Commits of a failed step were kept'
	assert_contains "$(prompt 0003)" 'did the second'
	assert_contains "$(prompt 0003)" "git show --stat $(failed_ref 2)"
	# its claims went back
	assert_contains "$(prompt 0003)" '2 of 3 tasks are open'
}

@test "put away: what a failed step kept from being read or removed is saved, and goes" {
	scenario_step 1 --effects 'mkdir shut kept; echo 1 >shut/file; echo 2 >kept/file; echo 3 >secret; chmod 000 shut secret; chmod 555 kept' --exit 1
	scenario_step 2 --effects 'echo 1 >one' --pass 1 --status DONE --promise
	scenario_tasks 1 >"$BATS_TEST_TMPDIR/tasks.json"
	expect 0 as_user wisp -c retry.delay=0 run work --agent replay --tasks "$BATS_TEST_TMPDIR/tasks.json"
	assert_equal 'kept/file secret shut/file' "$(git diff --name-only main "$(failed_ref 1)" | tr '\n' ' ' | sed 's/ $//')"
	assert_equal one "$(git diff --name-only main work)"
	[[ ! -e $TREE/shut && ! -e $TREE/kept && ! -e $TREE/secret ]]
}

@test "put away: carried out before the next step, so that a halted session shows what the agent left" {
	scenario_step 1 --effects 'echo 1 >litter' --exit 1
	scenario_step 2 --effects 'echo 2 >litter' --exit 1
	work 16 1
	in_tree litter 2
	scenario_step 3 --effects 'test ! -e litter' --pass 1 --status DONE --promise
	again 0
	assert_equal 1 "$(git show "$(failed_ref 1):litter")"
	assert_equal 2 "$(git show "$(failed_ref 2):litter")"
}

@test "reset: where verify fails on the kept commits they are put away too, and the tree is the checkpoint exactly" {
	OPTIONS=(-c verify.command='test ! -e broken')
	scenario_step 1 --effects 'echo one >one' --commit one --pass 1 --status CONTINUE
	scenario_step 2 --effects 'touch broken; echo two >two' --commit 'breaks it' --exit 1
	scenario_step 3 --effects 'git log --format=%s >../log' --pass 2 --status DONE --promise
	work 0 2
	assert_equal $'one\nBegin' "$(<"$PROJECT/.wisp/worktrees/log")"
	absent broken
	absent two
	assert_equal 'breaks it' "$(git log -1 --format=%s "$(failed_ref 2)^1")"
	assert_contains "$(prompt 0003)" 'its commits too'
	assert_lacks "$(prompt 0003)" 'Commits of a failed step were kept'
}

@test "put away: verify holds on the kept commits, so they stay" {
	OPTIONS=(-c verify.command='test ! -e broken')
	scenario_step 1 --effects 'echo two >two; git add two; git commit -q -m fine; touch broken' --exit 1
	scenario_step 2 --pass 1 --status DONE --promise
	work 0 1
	in_tree two two
	assert_contains "$(prompt 0002)" 'fine'
}

@test "keep: after a valid state work stays, uncommitted and untracked, also when verify failed" {
	OPTIONS=(-c verify.command='test -e fixed' -c commit.fallback=false)
	scenario_step 1 --effects 'echo x >new; echo more >>README' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'touch fixed; cat new README >../seen' --pass 1 --status DONE --promise
	work 0 1
	assert_equal $'x\nA project.\nmore' "$(<"$PROJECT/.wisp/worktrees/seen")"
	entry 0 .verify failed
}

@test "ignored files are never touched" {
	echo '*.o' >.gitignore
	git add .gitignore
	git commit -q -m ignore
	scenario_step 1 --effects 'touch kept.o junk' --exit 1
	scenario_step 2 --effects 'test -e kept.o && test ! -e junk' --pass 1 --status DONE --promise
	work 0 1
}

@test "an agent that left its branch is brought back, its commits with it" {
	unconfined
	scenario_step 1 --effects 'git switch -q --detach; echo x >x' --commit 'on no branch' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'git switch -q -c elsewhere; echo y >y' --commit 'on another' --pass 2 --status DONE --promise
	work 0 2
	assert_equal "refs/heads/work" "$(git -C "$TREE" symbolic-ref HEAD)"
	assert_equal $'on another\non no branch\nBegin' "$(git log --format=%s work)"
}

@test "put away: a restore that was killed half way goes on, and is not taken for a person's work" {
	scenario_step default --effects 'echo junk >litter; echo more >other' --exit 1
	work 16 1
	git update-ref "$(failed_ref 2)" "$(git -C "$TREE" commit-tree -p HEAD -m half "HEAD^{tree}")"
	rm "$TREE/other"
	scenario_step 3 --effects 'test ! -e litter' --pass 1 --status DONE --promise
	again 0
	absent litter
	assert_lacks "$(prompt 0003)" 'A person worked here'
}

# --- a person's changes -----------------------------------------------------

@test "adopted: what a person changed while it was paused stays and is listed, after a failed step too" {
	scenario_step 1 --effects 'echo junk >litter' --exit 1
	scenario_step 2 --effects 'echo more >>litter' --exit 1
	scenario_step 3 --effects 'cat litter mine >../seen' --pass 1 --status DONE --promise
	work 16 1
	echo mine >"$TREE/mine"
	again 0
	assert_equal $'more\nmine' "$(<"$PROJECT/.wisp/worktrees/seen")"
	assert_contains "$(prompt 0003)" 'A person worked here in the meantime'
	assert_contains "$(prompt 0003)" '- mine'
}

@test "adopted: a commit, and a change of the task list" {
	scenario_step 1 --pass 1 --status CONTINUE
	work 15 2 --once
	echo x >"$TREE/mine"
	git -C "$TREE" add mine
	git -C "$TREE" commit -q -m 'by hand'
	scenario_tasks 3 >"$DIR/tasks.json"
	scenario_step 2 --effects 'grep -c false "$WISP_TASKS_FILE" >../open; test -e mine' --pass '1 2 3' --status DONE --promise
	again 0
	assert_equal 3 "$(<"$PROJECT/.wisp/worktrees/open")"
	assert_contains "$(prompt 0002)" 'a person changed the task list'
	assert_contains "$(prompt 0002)" '- mine'
	passes 1 2 3
}

@test "a task list that a person broke is bad data, by name, line and column, and is not put back" {
	scenario_step 1 --pass 1 --status CONTINUE
	work 15 2 --once
	echo '[{"category": ' >"$DIR/tasks.json"
	again 102
	assert_contains "$output" 'tasks.json:'
	assert_equal '[{"category": ' "$(<"$DIR/tasks.json")"
	scenario_tasks 2 >"$DIR/tasks.json"
	scenario_step 2 --pass '1 2' --status DONE --promise
	again 0
}

# --- what is the user's -----------------------------------------------------

@test "stash: an entry of a person's that a step pops or drops is kept, and that is said" {
	unconfined
	local first second

	echo 1 >>README && git stash -q && first=$(git rev-parse stash)
	echo 2 >>README && git stash -q && second=$(git rev-parse stash)
	scenario_step 1 --effects 'git stash drop -q "stash@{1}"; echo own >own; git stash -q -u; git stash pop -q' --status CONTINUE
	scenario_step 2 --effects 'git stash pop -q; git checkout -q README; echo one >one' --pass 1 --status DONE --promise
	work 0 1
	assert_equal "$first $second" "$(git rev-parse "refs/wisp/kept/$first") $(git rev-parse "refs/wisp/kept/$second")"
	assert_equal 2 "$(git for-each-ref refs/wisp/kept | wc -l | tr -d ' ')"
	assert_contains "$output" "an entry of git's stash went in the step: it is kept (git stash store refs/wisp/kept/$second)"
	git stash store "refs/wisp/kept/$first"
	git stash pop -q
	assert_contains "$(<README)" 1
}

@test "the user's checkout, index, stash, branches, config, hooks and remotes are as they were" {
	printf '#!/bin/sh\ntouch %q\n' "$BATS_TEST_TMPDIR/hooked" >.git/hooks/pre-commit
	chmod +x .git/hooks/pre-commit
	for hook in post-commit post-checkout reference-transaction; do
		cp .git/hooks/pre-commit ".git/hooks/$hook"
	done
	rm -f "$BATS_TEST_TMPDIR/hooked"
	git remote add origin /nowhere
	git branch other
	echo stashed >>README
	git stash -q
	echo staged >staged
	git add staged
	echo dirty >>README
	echo untracked >untracked
	rm -f "$BATS_TEST_TMPDIR/hooked"
	facts()
	{
		git status --porcelain -- . ':!.wisp'
		git diff
		git diff --cached
		git stash list
		git for-each-ref refs/heads/main refs/heads/other refs/stash
		cat .git/config
		ls -l .git/hooks
	}
	facts >"$BATS_TEST_TMPDIR/before"
	scenario_step 1 --effects 'echo x >x' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'echo junk >junk' --exit 1
	scenario_step 3 --effects 'echo y >y' --pass 2 --status DONE --promise
	work 0 2
	facts | diff "$BATS_TEST_TMPDIR/before" -
	[[ ! -e $BATS_TEST_TMPDIR/hooked ]] || fail "a hook ran"
	# the work tree began at the commit, without the dirt
	absent untracked
}

@test "nothing of .wisp is ever committed, and it is no untracked file" {
	scenario_step 1 --effects 'mkdir -p .wisp && echo x >.wisp/mine && echo x >x' --pass 1 --status DONE --promise
	work 0 1
	assert_equal $'README\nx' "$(git ls-tree -r --name-only work)"
}

# --- the fallback commit ----------------------------------------------------

@test "commit: a passed task left uncommitted is committed with its description and one trailer" {
	scenario_step 1 --effects 'echo x >x' --pass '1 2' --status CONTINUE
	scenario_step 2 --effects 'echo y >y' --status CONTINUE
	scenario_step 3 --pass 3 --status DONE --promise
	work 0 3
	id=$(wisp-state -C "$DIR" get -f session .session_id)
	first=$(git rev-list --reverse main..work | head -n 1)
	assert_equal $'task 1\n\n- task 2\n\nWisp-Step: '"$id/1" "$(git log -1 --format=%B "$first")"
	assert_equal Test "$(git log -1 --format=%an "$first")"
	# no task passed in the second step: its work waits for the third's
	assert_equal $'task 3\ntask 1' "$(git log --format=%s main..work)"
	assert_equal y "$(git show work:y)"
}

@test "commit: what is left is committed, also where the agent has written wisp's trailer" {
	scenario_step 1 --effects 'echo 1 >one; git add one; git commit -qm one -m "Wisp-Step: $WISP_SESSION_ID/$WISP_ITERATION"; echo 2 >two' \
		--pass 1 --status DONE --promise
	work 0 1
	assert_equal '1 2' "$(git show work:one work:two | tr '\n' ' ' | sed 's/ $//')"
}

@test "commit: not where verify failed, and not with commit.fallback=false" {
	OPTIONS=(-c verify.command='test -e fixed')
	scenario_step 1 --effects 'echo x >x' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'touch fixed' --commit 'all' --pass 1 --status DONE --promise
	work 0 1
	assert_equal $'all' "$(git log --format=%s main..work)"

	place other
	OPTIONS=(-c commit.fallback=false)
	scenario_step 1 --effects 'echo x >x' --pass 1 --status DONE --promise
	work 0 1
	assert_equal '' "$(git log --format=%s main..other)"
	in_tree x x
}

@test "commit: a giant is not committed, and said; one of a failed step stays where it is" {
	scenario_step 1 --effects 'truncate -s 64G big; echo junk >junk' --exit 1
	scenario_step 2 --effects 'ls >seen; echo x >x' --pass 1 --status DONE --promise
	work 0 1
	assert_contains "$output" 'wisp: big is larger than 1 GiB: not committed'
	assert_equal $'README\nseen\nx' "$(git ls-tree -r --name-only work)"
	in_tree seen $'README\nbig\nseen'
	[[ -e $TREE/big ]]
}

@test "commit: what worktree.copy brought along is not committed, whatever becomes of it" {
	local save

	mkdir conf
	echo secret >.env.local; echo a >conf/a; echo b >conf/b
	for save in true false; do
		place "save-$save"
		OPTIONS=(-c worktree.copy=./.env.local -c worktree.copy=conf/ -c "checkpoint.save=$save")
		scenario_new
		scenario_step 1 --effects 'echo x >x; echo more >>.env.local; echo mine >conf/b; echo new >conf/new' --pass 1 \
			--status DONE --promise
		work 0 1
		assert_equal $'README\nconf/new\nx' "$(git ls-tree -r --name-only "$BRANCH")"
		in_tree .env.local $'secret\nmore'
		expect 0 wisp done "$BRANCH"
	done
}

@test "worktree.copy: nothing comes from outside of the project, nor gets there, and the start is refused" {
	local out=$BATS_TEST_TMPDIR/outside path

	mkdir "$out" in
	scenario_tasks 1 >../tasks.json
	echo key >"$out/key"
	ln -s "$out" folder
	ln -s ../outside/key file
	ln -s file again
	ln -s .. up
	ln -s "$out" committed
	git add committed
	git commit -q -m 'A link'
	rm committed
	mkdir committed
	echo secret >committed/.env
	ln -s ../../project/in/ok in/link
	echo fine >in/ok
	for path in ../outside/key "$out/key" in/../../outside/key .git/config .wisp/config folder folder/key file again up up/outside/key \
		committed/.env; do
		expect 100 wisp -c "worktree.copy=$path" run work --agent replay --tasks ../tasks.json
		assert_contains "$output" "worktree.copy: '$path' "
		[[ ! -e .wisp/sessions/work && ! -e $TREE ]] || fail "$path: something stays"
	done
	assert_equal key "$(ls "$out")"
	assert_equal "" "$(git branch --list work)"
	scenario_step 1 --effects 'cat in/ok >x' --pass 1 --status DONE --promise
	OPTIONS=(-c worktree.copy=in/ -c worktree.copy=in/link -c worktree.copy=missing)
	work 0 1
	in_tree x fine
}

@test "in place: the dirt stays the user's and out of the commit; a failed step leaves it as it was" {
	echo dirty >>README
	echo untracked >untracked
	echo staged >staged
	git add staged
	place main
	TREE=$PROJECT
	scenario_step 1 --effects 'echo x >x; echo over >untracked' --exit 1
	scenario_step 2 --effects 'cat untracked >../seen; echo y >y' --pass 1 --status DONE --promise
	work 0 1 --in-place
	assert_equal untracked "$(<"$BATS_TEST_TMPDIR/seen")"
	absent x
	assert_equal y "$(git show --name-only --format= HEAD)"
	in_tree README $'A project.\ndirty'
	in_tree untracked untracked
	assert_contains "$(git status --porcelain)" '?? untracked'
	assert_contains "$(git status --porcelain)" 'A  staged'
	[[ ! -e .wisp/worktrees ]]
}

@test "in place: what the agent changed of the dirt is committed" {
	echo dirty >>README
	place main
	TREE=$PROJECT
	scenario_step 1 --effects 'echo agent >>README' --pass 1 --status DONE --promise
	work 0 1 --in-place
	assert_equal README "$(git show --name-only --format= HEAD)"
}

# --- settings ---------------------------------------------------------------

@test "checkpoint.restore=never: a failed step's work stays" {
	OPTIONS=(-c checkpoint.restore=never)
	scenario_step 1 --effects 'echo junk >litter' --pass 1 --exit 1
	scenario_step 2 --effects 'test -e litter' --pass 1 --status DONE --promise
	work 0 1
	in_tree litter junk
	run ! git rev-parse -q --verify "$(failed_ref 1)"
}

@test "checkpoint.restore=always: what a good step left uncommitted is dropped, too, and can be had back" {
	OPTIONS=(-c checkpoint.restore=always -c commit.fallback=false)
	scenario_step 1 --effects 'echo x >left; echo y >y; git add y; git commit -q -m y' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'test ! -e left && test -e y' --pass 2 --status DONE --promise
	work 0 2
	assert_contains "$output" 'git show refs/wisp/checkpoints/work/0001'
	assert_equal x "$(git show refs/wisp/checkpoints/work/0001:left)"
}

@test "checkpoint.save=false: none is taken, and the loop goes on all the same" {
	OPTIONS=(-c checkpoint.save=false)
	scenario_step 1 --effects 'echo x >x' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'echo junk >litter' --exit 1
	scenario_step 3 --effects 'echo y >y' --pass 2 --status DONE --promise
	work 0 2
	run ! git rev-parse -q --verify refs/wisp/checkpoints/work/0001
	in_tree x x
	in_tree y y
	expect 1 wisp rollback work 1
}

@test "steps.keep: the newest step folders, checkpoints and put-away refs are kept" {
	OPTIONS=(-c steps.keep=3 -c stuck.noProgress=100)
	scenario_step default --status CONTINUE
	scenario_step 2 --effects 'echo x >x' --exit 1
	work 13 1 --max-iterations 6
	assert_equal $'0004\n0005\n0006' "$(ls "$DIR/steps")"
	assert_equal $'0000\n0004\n0005\n0006' \
		"$(git for-each-ref --format='%(refname:lstrip=4)' refs/wisp/checkpoints/)"
}

@test "put away: an agent that deletes wisp's refs loses nothing, the checkpoint is known by its commit" {
	scenario_step 1 --effects 'echo good >kept' --status CONTINUE
	scenario_step 2 --effects 'echo bad >litter; git for-each-ref --format="%(refname)" refs/wisp | while read -r ref; do git update-ref -d "$ref"; done' --exit 1
	scenario_step 3 --pass '1 2' --commit 'all' --status DONE --promise
	work 0 2
	[ -e "$TREE/kept" ]
	[ ! -e "$TREE/litter" ]
}

@test "put away: a signal in the verify of the kept commits is no answer; they stay, and resume asks again" {
	OPTIONS=(-c verify.command='touch ../verifying; test ! -e ../block || exec sleep 60')
	scenario_step 1 --effects 'echo good >kept' --status CONTINUE
	scenario_step 2 --effects 'echo more >more; touch ../block' --commit 'kept by the failed step' --exit 1
	scenario_step 3 --pass '1 2' --status DONE --promise
	begin 2
	wait_until 10 test -e "$PROJECT/.wisp/worktrees/verifying"
	kill -TERM "$LOOP"
	ends 143
	assert_contains "$(git log --oneline work)" 'kept by the failed step'
	rm "$PROJECT/.wisp/worktrees/block"
	again 0
	assert_contains "$(git log --oneline work)" 'kept by the failed step'
	[ -e "$TREE/more" ]
}

@test "locks: those that a killed git left in the work tree are removed before the first git of a start" {
	local dir=.git/worktrees/work

	scenario_step 1 --effects 'echo 1 >>one' --commit 'task 1' --pass 1 --status CONTINUE
	work 15 2 --once
	git -C "$TREE" switch -q --detach # so that the start has HEAD to set
	touch "$dir"/{index,HEAD,wisp.index,wisp.temp}.lock .git/refs/heads/work.lock
	: >"$dir/index"
	scenario_step 2 --effects 'echo 2 >>one' --commit 'task 2' --pass 2 --status DONE --promise
	again 0
	assert_equal $'1\n2' "$(git show work:one)"
}

@test "locks: one that an agent's killed git left keeps no step from being judged" {
	scenario_step 1 --effects 'echo 1 >>one; git add one; git commit -qm one; git switch -q --detach; touch ../../../.git/worktrees/work/{index,HEAD}.lock' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'echo 2 >>one' --commit 'task 2' --pass 2 --status DONE --promise
	work 0 2
	assert_equal $'1\n2' "$(git show work:one)"
}

# Symbolic refs: what git is told of one it does to the other.
@test "branch: a step that makes it, or wisp's refs, other names of main moves and deletes nothing of a person's" {
	unconfined
	local main

	main=$(git rev-parse main)
	scenario_step 1 --effects 'for ref in heads/work wisp/checkpoints/work/0000 wisp/checkpoints/work/0001 wisp/failed/work/0001; do
		git symbolic-ref "refs/$ref" refs/heads/main; done; echo litter >litter'
	scenario_step 2 --effects 'git symbolic-ref refs/heads/work refs/heads/main; echo 1 >one' --pass 1 --status CONTINUE
	scenario_step 3 --effects 'git symbolic-ref refs/heads/work refs/heads/nowhere'
	scenario_step 4 --effects 'git symbolic-ref refs/wisp/checkpoints/work/0004 refs/heads/main; echo 2 >two' --pass 2 --status DONE --promise
	OPTIONS=(-c retry.delay=0)
	work 0 2
	assert_contains "$output" "the branch 'work' had become another name of 'main': it is a branch of its own again"
	assert_equal "$main main" "$(git for-each-ref --format='%(objectname) %(refname:short)' refs/heads/main refs/heads/nowhere)"
	assert_equal '1 2' "$(git show work:one work:two | tr '\n' ' ' | sed 's/ $//')"
	git symbolic-ref refs/wisp/failed/work/0009 refs/heads/main
	git symbolic-ref refs/heads/work refs/heads/main
	wisp rm work --branch --force
	assert_equal "$main refs/heads/main" "$(git for-each-ref --format='%(objectname) %(refname)')"
}

@test "branch: one that is only another name of another is refused, as the session's, in place and as the base" {
	git symbolic-ref refs/heads/work refs/heads/main
	work 100 1
	assert_contains "$output" "branch 'work' is only another name of 'main'"
	git symbolic-ref HEAD refs/heads/work
	scenario_step 1 --effects 'echo 1 >one' --pass 1 --commit 'task 1' --status DONE --promise
	expect 100 wisp run --agent replay --tasks "$BATS_TEST_TMPDIR/tasks.json" --in-place
	assert_contains "$output" "'work' is only another name of 'main': git switch main"
	BRANCH=other
	work 0 1
	expect 0 wisp done other --merge --dry-run
	assert_contains "$output" 'move main to'
	git switch -q main
	git branch trunk
	git symbolic-ref refs/heads/main refs/heads/trunk
	expect 1 wisp done other --merge
	assert_contains "$output" "'main' is only another name of 'trunk': nothing was merged"
}

@test "moved: a repository that is renamed while a step runs keeps the commit and the claim of that step" {
	unconfined
	scenario_step 1 --effects 'echo 1 >>one; git add one; git commit -q -m "task 1"
		awk "/passes/ && !n++ { sub(\"false\", \"true\") } 1" "$WISP_TASKS_FILE" >../claimed && cp ../claimed "$WISP_TASKS_FILE"
		touch ../../../../here; until test -e ../../../../go; do sleep 0.1; done' --status CONTINUE
	scenario_step 2 --effects 'echo 2 >>one' --commit 'task 2' --pass 2 --status DONE --promise
	begin 2
	wait_until 10 test -e ../here
	cd ..
	mv project moved
	cd moved || return
	touch ../go
	ends 111
	expect 0 wisp resume work
	assert_equal $'1\n2' "$(git show work:one)"
}
