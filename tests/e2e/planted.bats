#!/usr/bin/env bats
# What a step writes into git's configuration runs in no git of wisp's; what was there before does.

load ../helper
load ../helper-scenario
load helper-e2e

setup()
{
	unconfined
	project
	RAN=$BATS_TEST_TMPDIR/ran
	printf '#!/bin/sh\necho "$0 $*" >>%s\ncat\n' "$RAN" >"$BATS_TEST_TMPDIR/evil"
	chmod +x "$BATS_TEST_TMPDIR/evil"
	mkdir "$BATS_TEST_TMPDIR/hooks"
	cp "$BATS_TEST_TMPDIR/evil" "$BATS_TEST_TMPDIR/hooks/pre-push"
	EVIL=$BATS_TEST_TMPDIR/evil
	SAFE='git -c commit.gpgSign=false -c core.fsmonitor=false -c core.hooksPath=/dev/null'
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

# planted_in DIR: in effects: all that, hooks, and a configuration of its own, in the repository at DIR of the work tree.
planted_in()
{
	local common="\$(cd $1; cd \"\$(git rev-parse --git-common-dir)\"; pwd)"

	printf '%s\n' "(cd $1 || exit; WHERE=''; $PLANT; git config extensions.worktreeConfig true; WHERE=--worktree; $PLANT)" \
		"(cd $common; git config core.alternateRefsCommand $EVIL; git config diff.submodule diff; git config submodule.recurse true
		echo '*.up filter=up' >>info/attributes
		mkdir -p hooks; for hook in post-checkout reference-transaction post-index-change pre-auto-gc; do cp $EVIL hooks/\$hook; done
		cp hooks/* $BATS_TEST_TMPDIR/hooks
		w=\$(git config -f config core.worktree) && git config -f config.worktree core.worktree \$w && git config -f config --unset core.worktree)"
}

# own EFFECTS: what these run themselves is no git of wisp's; what has run before them is kept.
own()
{
	printf '%s\n' "[ ! -e $RAN ] || cat $RAN >>$RAN.before" "$1" "rm -f $RAN"
}

nothing_ran()
{
	local file

	for file in "$RAN" "$RAN.before"; do
		[[ ! -e $file ]] || fail 'ran:' "$(<"$file")"
	done
}

# planted WHERE BEFORE: a whole session with it, to the merge.
planted()
{
	scenario_step 1 --effects "$(own "WHERE='$1'; $PLANT; ${2:-:}; echo one >one")" --pass 1 --status CONTINUE
	scenario_step 2 --effects "$(own "echo two >two")" --exit 1
	scenario_step 3 --effects "$(own "echo three >three")" --pass '1 2' --status DONE --promise
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
	scenario_step 1 --effects "$(own "dir=\$(git rev-parse --absolute-git-dir); git clone -q --mirror . $BATS_TEST_TMPDIR/other
		(cd $BATS_TEST_TMPDIR/other; WHERE=''; $PLANT)
		echo $BATS_TEST_TMPDIR/other >\$dir/commondir; echo one >one")" --pass 1 --status DONE --promise
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

# with_lib: the project has the submodule lib, whose repository asks for a filter of its own.
with_lib()
{
	(cd .. && make_repo lib && cd lib && echo '*.up filter=up' >.gitattributes && echo TEXT >f.up && git add . && git commit -q -m up)
	git -c protocol.file.allow=always submodule --quiet add "$PWD/../lib" lib
	git config -f .gitmodules submodule.lib.ignore none
	git -C lib config filter.up.clean 'tr a-z A-Z'
	git -C lib config filter.up.smudge 'tr A-Z a-z'
	git add .gitmodules
	git commit -q -m 'With lib'
	touch lib/f.up
	git -C lib checkout -q f.up
}

@test "planted: in a submodule's own configuration and hooks, by a step; what was there before works" {
	local plant first

	with_lib
	first=$(git rev-parse HEAD:lib)
	plant=$(planted_in lib)
	scenario_step 1 --effects "$(own "(cd lib; test text = \"\$(cat f.up)\"; echo more >f.up; git commit -q -a -m one); $plant; touch lib/*")" \
		--pass 1 --status CONTINUE
	scenario_step 2 --effects "$(own "cd lib; echo two >README; $SAFE commit -q -a -m two; touch *")" --exit 1
	scenario_step 3 --effects "$(own "touch lib/*; echo x >x; git config submodule.recurse true; git config diff.submodule diff")" \
		--pass '1 2' --status DONE --promise
	OPTIONS=(-c retry.delay=0)
	work 0 2
	nothing_ran
	assert_contains "$output" 'the submodule lib is back at'
	assert_equal MORE "$(git -C lib cat-file blob "$(git rev-parse work:lib)":f.up)"
	expect 0 wisp diff work 1
	expect 0 wisp checkpoint work
	expect 0 wisp done work
	nothing_ran
	echo z >"$TREE/lib/z"
	expect 1 wisp done work
	assert_contains "$output" "not committed in '$TREE': 'lib'"
	expect 100 wisp rm work
	nothing_ran
	rm "$TREE/lib/z"
	touch lib/*
	expect 0 wisp done work --merge
	nothing_ran
	expect 0 wisp rollback work 0
	nothing_ran
	assert_equal "$first" "$(wisp_head "$TREE/lib")"
	assert_equal text "$(<"$TREE/lib/f.up")"
	expect 0 wisp rm work --force
	nothing_ran
	scenario_new
	scenario_step default --effects "$(own :)" --pass 1 --status DONE --promise
	BRANCH=other
	work 0 1
	nothing_ran
	assert_contains "$output" 'other programs than when a person last started: '
	assert_equal more "$(<.wisp/worktrees/other/lib/f.up)"
}

# What git itself would read of the repository at DIR runs nothing here.
wisp_head()
{
	git -C "$1" -c core.fsmonitor=false rev-parse HEAD
}

@test "planted: in a submodule that a step adds, in clones in the work tree, and in an index of wisp's that has them" {
	local plant

	make_repo ../lib
	plant=$(printf '%s\n' "git -c protocol.file.allow=always submodule --quiet add $PWD/../lib lib; git config -f .gitmodules submodule.lib.ignore none; git add .gitmodules" \
		"git clone -q $PWD/../lib clone; git add clone; git commit -q -m links" \
		"git clone -q $PWD/../lib loose" "$(planted_in lib)" "$(planted_in clone)" "$(planted_in loose)")
	scenario_step 1 --effects "$(own "$plant; touch lib/* clone/* loose/*")" --pass 1 --status CONTINUE
	scenario_step 2 --effects "$(own "export GIT_INDEX_FILE=\$(git rev-parse --git-dir)/wisp.index; git read-tree HEAD; git add loose; touch lib/* clone/* loose/*")" --exit 1
	scenario_step 3 --effects "$(own :)" --status CONTINUE
	scenario_step 4 --effects "$(own "for d in lib clone; do (cd \$d; $SAFE commit -q --allow-empty -m x); done
		touch lib/* clone/* loose/*")" --exit 1
	scenario_step 5 --effects "$(own "touch lib/* clone/* loose/*")" --pass '1 2' --status DONE --promise
	OPTIONS=(-c retry.delay=0)
	work 0 2
	nothing_ran
	run wisp done work
	nothing_ran
	run wisp rm work
	nothing_ran
	expect 0 wisp rollback work 3
	expect 0 wisp rollback work 0
	nothing_ran
	expect 0 wisp rm work --force
	nothing_ran
}

@test "planted: verify puts submodules into wisp's own index: nothing of theirs runs" {
	local plant

	make_repo ../lib
	plant=$(planted_in loose)
	printf '%s\n' "git clone -q $PWD/../lib loose; $plant; touch loose/*" \
		"GIT_INDEX_FILE=\$(git rev-parse --git-dir)/wisp.index git add loose; rm -f $RAN" >"$BATS_TEST_TMPDIR/verify"
	scenario_step 1 --effects 'echo x >x' --pass 1 --status DONE --promise
	OPTIONS=(-c "verify.command=bash '$BATS_TEST_TMPDIR/verify'")
	run wisp "${OPTIONS[@]}" run work --agent replay --tasks <(scenario_tasks 1) --once
	nothing_ran
}

@test "planted: the git that gh starts looks into no submodule" {
	git init -q --bare "$BATS_TEST_TMPDIR/remote"
	git remote add origin https://github.com/o/r.git
	git remote set-url --push origin "$BATS_TEST_TMPDIR/remote"
	git config branch.main.remote origin
	with_lib
	mkdir "$BATS_TEST_TMPDIR/bin"
	printf '#!/bin/sh\ntouch lib/*; git status >&2 && echo "[]"\n' >"$BATS_TEST_TMPDIR/bin/gh"
	chmod +x "$BATS_TEST_TMPDIR/bin/gh"
	scenario_step 1 --effects "$(planted_in lib); rm -f $RAN; echo x >x" --pass 1 --status DONE --promise
	work 0 1
	PATH=$BATS_TEST_TMPDIR/bin:$PATH
	run wisp done work --pr
	assert_contains "$output" 'asking gh'
	nothing_ran
}

@test "planted: git fetches no object that is missing by what a step wrote: a submodule's head, wisp doctor, init and rm" {
	local promise="git config core.repositoryFormatVersion 1; git config extensions.partialClone origin; git config remote.origin.promisor true
		git config remote.origin.url '$PWD/../none'; git config remote.origin.uploadpack '$EVIL </dev/null; false'" tip

	with_lib
	echo 'test: ; true' >Makefile
	git add Makefile && git commit -q -m make
	scenario_step 1 --effects "$(own "(cd lib; $promise; echo $(printf '1%.0s' {1..40}) >\"\$(git rev-parse --git-dir)/HEAD\"); echo x >x")" \
		--pass 1 --status DONE --promise
	work 0 1
	nothing_ran
	bash -c "$promise"
	tip=$(git rev-parse HEAD)
	git update-index --assume-unchanged Makefile README
	rm -f .git/objects/"$(git rev-parse :Makefile | sed 's,^..,&/,')" .git/objects/"$(git rev-parse :README | sed 's,^..,&/,')"
	run wisp init --check
	run wisp init
	nothing_ran
	run wisp rm work --force
	nothing_ran
	rm -f ".git/objects/${tip:0:2}/${tip:2}"
	run wisp doctor
	nothing_ran
}
