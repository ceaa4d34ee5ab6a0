# Clones that do not have, or do not show, all there is.

load ../helper
load ../helper-scenario
load helper-e2e

# files TREE: what a commit has.
files()
{
	git ls-tree -r --name-only "$1" | tr '\n' ' '
}

@test "sparse checkout: what is left out stays in every commit, and going back keeps it so" {
	project
	mkdir -p in out
	echo in >in/f
	echo out >out/f
	git add -A
	git commit -q -m 'In and out'
	git sparse-checkout set --cone in
	[[ ! -e out ]]
	scenario_step 1 --effects 'echo 1 >in/x' --pass 1 --status CONTINUE
	scenario_step 2 --effects 'echo bad >in/f; echo bad >bad'
	scenario_step 3 --effects 'mkdir -p out; echo new >out/new; git mv in/f in/g' --pass 2 --status CONTINUE
	scenario_step default --effects 'echo 2 >in/y' --pass '2 3' --status DONE --promise
	work 0 3
	assert_lacks "$output" tampered
	assert_equal 'README in/g in/x in/y out/f out/new ' "$(files work)"
	absent out/f
	absent bad
	expect 0 wisp rollback work 1
	assert_equal 'README in/f in/x out/f ' "$(files work)"
	in_tree in/f in
	absent out/f
	assert_equal '' "$(git -C "$TREE" status --porcelain)"
	expect 0 wisp resume work
	expect 0 wisp done work --merge
	assert_equal 'README in/f in/x in/y out/f ' "$(files main)"
	[[ ! -e out ]]
}

@test "a partial clone whose remote is gone, and a shallow one" {
	local clone

	make_repo origin
	echo 2 >origin/README
	git -C origin commit -q -a -m two
	git -C origin config uploadpack.allowFilter true
	for clone in partial shallow; do
		case $clone in
		partial) git clone -q --filter=blob:none "file://$PWD/origin" $clone ;;
		shallow) git clone -q --depth=1 "file://$PWD/origin" $clone ;;
		esac
	done
	mv origin gone
	for clone in partial shallow; do
		cd "$clone"
		PROJECT=$PWD
		place work
		scenario_new
		scenario_step 1 --effects 'echo bad >README'
		scenario_step default --effects 'echo x >x' --pass 1 --status DONE --promise
		work 0 1
		in_tree README 2
		expect 0 wisp done work --merge
		assert_equal 'README x ' "$(files main)"
		expect 0 wisp rm work --branch
		cd ..
	done
}

@test "core.fsmonitor, core.untrackedCache and core.ignoreCase hide nothing" {
	project
	printf '#!/bin/sh\ntouch "%s"\nprintf "x\\0"\n' "$BATS_TEST_TMPDIR/ran" >"$BATS_TEST_TMPDIR/monitor"
	chmod +x "$BATS_TEST_TMPDIR/monitor"
	git config core.untrackedCache true
	git config core.ignoreCase true
	git status >/dev/null
	scenario_step default --effects 'echo x >x; echo changed >README' --pass 1 --status DONE --promise
	git config core.fsmonitor "$BATS_TEST_TMPDIR/monitor"
	work 0 1
	assert_equal 'README x ' "$(files work)"
	assert_equal changed "$(git show work:README)"
	[[ ! -e $BATS_TEST_TMPDIR/ran ]]
}
