# Submodules of the project in a session's work tree.

load ../helper
load ../helper-scenario
load helper-e2e

setup()
{
	WISP_CONFIG_SET+=$'\n'sandbox=auto
}

# with_submodules: the project has deps/lib, which has inner, and deps/far, which was never fetched.
with_submodules()
{
	project
	(cd .. && make_repo inner && make_repo lib && make_repo far)
	export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=protocol.file.allow GIT_CONFIG_VALUE_0=always
	git -C ../lib submodule --quiet add "$PWD/../inner" inner
	git -C ../lib commit -q -m 'With inner'
	git submodule --quiet add "$PWD/../lib" deps/lib
	git submodule --quiet update --init --recursive
	git commit -q -m 'With submodules'
	unset GIT_CONFIG_COUNT
}

@test "submodules are there before the first step, without a network" {
	with_submodules
	mv ../lib ../inner ../far "$BATS_TEST_TMPDIR/tmp"
	scenario_step default --effects 'cat deps/lib/README deps/lib/inner/README >x' --pass 1 --status DONE --promise
	OPTIONS=(-c 'verify.command=test -s deps/lib/README && test -s deps/lib/inner/README' -c 'worktree.setup=test -s deps/lib/README')
	work 0 1
	assert_lacks "$output" empty
	assert_equal x "$(git diff --name-only main work)"
	assert_equal '' "$(git -C "$TREE" status --porcelain)"
	expect 0 wisp "${OPTIONS[@]}" done work --merge
	assert_equal '' "$(git status --porcelain -- ':(exclude).wisp')"
	expect 0 wisp rm work
	assert_equal 1 "$(git -C deps/lib worktree list | wc -l)"
	assert_equal 1 "$(git -C deps/lib/inner worktree list | wc -l)"
}

@test "submodules that the repository has not are named before the first step, and stay as they are" {
	with_submodules
	git submodule --quiet deinit -f deps/lib
	rm -rf .git/modules
	scenario_step 1 --effects 'echo junk >junk' --exit 1
	scenario_step default --effects 'echo x >x' --pass 1 --status DONE --promise
	OPTIONS=(-c retry.delay=0)
	work 0 1
	assert_lacks "$output" 'other programs'
	assert_lacks "$output" 'not everything'
	assert_contains "$output" "submodules that are empty in the session's work tree, since the repository has not what they are at: deps/lib (git submodule update --init"
	assert_equal x "$(git diff --name-only main work)"
}

@test "what is committed or changed in a submodule is not lost with the work tree" {
	local id

	with_submodules
	scenario_step default --effects 'echo x >x; echo y >deps/lib/y; cd deps/lib; git add y; git commit -q -m y; echo z >z' --pass 1 --status DONE --promise
	work 0 1
	assert_contains "$output" 'not everything in the work tree is committed: deps/lib'
	expect 1 wisp done work --merge
	assert_contains "$output" "not committed in '$TREE': 'deps/lib'"
	expect 100 wisp rm work
	assert_contains "$output" "uncommitted changes, such as 'deps/lib'"
	id=$(git -C "$TREE/deps/lib" rev-parse HEAD)
	expect 0 wisp rm work --force
	assert_equal "refs/wisp/kept/$id" "$(git -C deps/lib for-each-ref --contains "$id" --format='%(refname)')"
}

# lib: prints the commit that a commit of the project has for deps/lib.
lib()
{
	git rev-parse "$1:deps/lib"
}

@test "a submodule that was moved is committed with its task, and merged" {
	with_submodules
	scenario_step default --effects 'cd deps/lib; echo y >y; git add y; git commit -q -m y' --pass 1 --status DONE --promise
	work 0 1
	assert_equal "$(git -C "$TREE/deps/lib" rev-parse HEAD)" "$(lib work)"
	assert_equal '' "$(git -C "$TREE" status --porcelain)"
	expect 0 wisp done work --merge
	expect 0 wisp rm work --branch
	git submodule --quiet update
	assert_equal y "$(<deps/lib/y)"
}

@test "an agent that commits all itself leaves nothing to commit, beside submodules, too" {
	with_submodules
	scenario_step default --effects 'echo x >x' --commit 'All of it' --pass 1 --status DONE --promise
	work 0 1
	assert_equal 'All of it' "$(git log -1 --format=%s work)"
}

@test "a submodule goes back with its checkpoint: of a failed step, and by rollback" {
	local first good

	with_submodules
	first=$(lib HEAD)
	scenario_step 1 --effects 'cd deps/lib; echo 1 >y; git add y; git commit -q -m one' --status CONTINUE
	scenario_step 2 --effects 'cd deps/lib; echo 2 >y; git commit -q -a -m two'
	scenario_step 3 --effects 'cat deps/lib/y >x' --status CONTINUE
	work 15 1 --once
	good=$(git -C "$TREE/deps/lib" rev-parse HEAD)
	again 15 --once
	again 15 --once
	assert_contains "$output" "the submodule deps/lib is back at ${good:0:12}; it was at"
	in_tree x 1
	assert_equal "$good" "$(git -C "$TREE/deps/lib" rev-parse HEAD)"
	expect 0 wisp rollback work 0
	assert_equal "$first" "$(git -C "$TREE/deps/lib" rev-parse HEAD)"
	assert_equal 1 "$(git -C deps/lib for-each-ref refs/wisp/kept | wc -l)"
}
