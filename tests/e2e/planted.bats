#!/usr/bin/env bats
# What a step writes into git's configuration runs in no git of wisp's; what was there before does.

load ../helper
load ../helper-scenario
load helper-e2e

setup()
{
	project
	RAN=$BATS_TEST_TMPDIR/ran
	printf '#!/bin/sh\necho "$0 $*" >>%s\ncat\n' "$RAN" >"$BATS_TEST_TMPDIR/evil"
	chmod +x "$BATS_TEST_TMPDIR/evil"
	mkdir "$BATS_TEST_TMPDIR/hooks"
	cp "$BATS_TEST_TMPDIR/evil" "$BATS_TEST_TMPDIR/hooks/pre-push"
	EVIL=$BATS_TEST_TMPDIR/evil
	# Whatever attributes can lead to, and what needs none.
	PLANT='
		common=$(git rev-parse --git-common-dir)
		mkdir -p "$common/info"
		echo "* filter=e diff=e merge=e" >"$common/info/attributes"
		for key in filter.e.clean filter.e.smudge diff.e.textconv diff.e.command merge.e.driver diff.external \
			core.fsmonitor core.pager core.editor core.sshCommand gpg.program credential.helper gc.recentObjectsHook; do
			git config $WHERE $key '"$EVIL"'
		done
		git config $WHERE core.hooksPath '"$BATS_TEST_TMPDIR/hooks"'
		git config $WHERE filter.e.required true
		git config $WHERE commit.gpgSign true
		git config $WHERE url.'"$BATS_TEST_TMPDIR/elsewhere.insteadOf $BATS_TEST_TMPDIR/remote"
}

nothing_ran()
{
	[[ ! -e $RAN ]] || fail 'ran:' "$(<"$RAN")"
}

# planted WHERE BEFORE: a whole session with it, to the merge.
planted()
{
	scenario_step 1 --effects "WHERE='$1'; $PLANT; ${2:-:}; echo one >one; rm -f $RAN" --pass 1 --status CONTINUE
	scenario_step 2 --effects "echo two >two; rm -f $RAN" --exit 1
	scenario_step 3 --effects "echo three >three; rm -f $RAN" --pass '1 2' --status DONE --promise
	OPTIONS=(-c retry.delay=0)
	work 0 2
	nothing_ran
	assert_equal one "$(git -c core.fsmonitor=false cat-file blob work:one)"
}

@test "planted: filters, drivers, helpers and the like in .git/config, run, diff, roll back, finish" {
	git init -q --bare "$BATS_TEST_TMPDIR/remote"
	git init -q --bare "$BATS_TEST_TMPDIR/elsewhere"
	git remote add origin "$BATS_TEST_TMPDIR/remote"
	planted ''
	expect 0 wisp diff work 1
	expect 0 wisp checkpoint work
	nothing_ran
	expect 0 wisp done work --push --hooks
	nothing_ran
	assert_contains "$output" 'filter.e.clean'
	assert_equal "$(git rev-parse work)" "$(git --git-dir "$BATS_TEST_TMPDIR/remote" rev-parse work)"
	run -1 git --git-dir "$BATS_TEST_TMPDIR/elsewhere" rev-parse -q --verify refs/heads/work
	expect 0 wisp done work --merge
	nothing_ran
	assert_equal three "$(<three)"
	expect 0 wisp rm work --force
	nothing_ran
}

@test "planted: in the user's own configuration, and gh and git gc read it as it was, too" {
	git init -q --bare "$BATS_TEST_TMPDIR/remote"
	git remote add origin https://github.com/o/r.git
	git remote set-url --push origin "$BATS_TEST_TMPDIR/remote"
	git config branch.main.remote origin
	git config gc.auto 1
	mkdir "$BATS_TEST_TMPDIR/bin"
	printf '#!/bin/sh\ngit status >&2 && git gc --quiet >&2 && echo "[]"\n' >"$BATS_TEST_TMPDIR/bin/gh"
	chmod +x "$BATS_TEST_TMPDIR/bin/gh"
	planted --global
	PATH=$BATS_TEST_TMPDIR/bin:$PATH
	run wisp done work --pr
	assert_contains "$output" 'asking gh'
	nothing_ran
}

@test "planted: in a file that .git/config has included all the time" {
	touch "$BATS_TEST_TMPDIR/included"
	git config include.path "$BATS_TEST_TMPDIR/included"
	planted "--file $BATS_TEST_TMPDIR/included"
}

@test "planted: in a file that .git/config includes" {
	planted "--file $BATS_TEST_TMPDIR/included" "git config include.path $BATS_TEST_TMPDIR/included"
}

@test "planted: in the work tree's own configuration" {
	git config extensions.worktreeConfig true
	planted --worktree
}

@test "planted: the next start names it, and leaves it out; --trust takes it" {
	planted ''
	nothing_ran
	scenario_step default --effects 'echo four >four' --status DONE --promise
	scenario_tasks 1 >"$BATS_TEST_TMPDIR/tasks.json"
	expect 15 wisp run other --agent replay --tasks "$BATS_TEST_TMPDIR/tasks.json" --once
	assert_contains "$output" 'other programs than when a person last started: '
	assert_contains "$output" 'filter.e.clean'
	nothing_ran
	expect 15 wisp run third --agent replay --tasks "$BATS_TEST_TMPDIR/tasks.json" --once --trust
	assert_contains "$(<"$RAN")" evil
}

@test "planted: a program that is no longer named is still used, and that is said" {
	git config filter.up.clean 'tr a-z A-Z'
	echo '*.up filter=up' >.git/info/attributes
	scenario_step 1 --effects 'git config --unset filter.up.clean; echo text >f.up' --pass 1 --status CONTINUE
	scenario_step 2 --pass 2 --status DONE --promise
	work 15 2 --once
	assert_equal TEXT "$(git cat-file blob work:f.up)"
	again 0
	assert_contains "$output" 'other programs than when a person last started: filter.up.clean'
	expect 0 wisp done work --merge
	assert_contains "$output" 'filter.up.clean'
	scenario_new
	scenario_step 1 --status CONTINUE
	BRANCH=other
	work 15 1 --once --trust
	assert_lacks "$output" 'filter.up.clean'
	again 15 --once
	assert_lacks "$output" 'filter.up.clean'
}

@test "planted: what was there when a person started still works, and so does a key that names no program" {
	git config filter.up.clean 'tr a-z A-Z'
	git config filter.up.smudge 'tr A-Z a-z'
	echo '*.up filter=up' >.gitattributes
	git add .gitattributes
	git commit -q -m attributes
	scenario_step 1 --effects 'git config user.nickname x; echo text >f.up' --pass 1 --status DONE --promise
	work 0 1
	assert_equal TEXT "$(git cat-file blob work:f.up)"
	git init -q --bare "$BATS_TEST_TMPDIR/later"
	git remote add origin "$BATS_TEST_TMPDIR/later"
	expect 0 wisp done work --push
	expect 0 wisp done work --merge
	assert_equal text "$(<f.up)"
}

@test "planted: in another repository, to which the git folder of the work tree is made to lead" {
	scenario_step 1 --effects "dir=\$(git rev-parse --absolute-git-dir); git clone -q --mirror . $BATS_TEST_TMPDIR/other
		(cd $BATS_TEST_TMPDIR/other; WHERE=''; $PLANT)
		echo $BATS_TEST_TMPDIR/other >\$dir/commondir; echo one >one; rm -f $RAN" --pass 1 --status DONE --promise
	work 0 1
	assert_contains "$output" 'it is registered again'
	nothing_ran
	for command in 'rollback work 0' 'done work' 'diff work' 'rm work'; do
		echo "$BATS_TEST_TMPDIR/other" >.git/worktrees/work/commondir
		# shellcheck disable=SC2086 # words
		run wisp $command </dev/null
		nothing_ran
		[[ $command == diff* ]] || assert_contains "$output" 'leads to another repository'
	done
}

@test "planted: what wisp init and wisp hook look at in the project" {
	touch Makefile
	WHERE='' EVIL=$EVIL bash -c "$PLANT"
	rm -f "$RAN"
	expect 0 wisp init
	expect 0 wisp hook install --dry-run
	assert_contains "$output" 'this would be changed'
	nothing_ran
}
