# Repositories as people lay them out: bare ones with work trees beside them, git folders
# that lie elsewhere, work trees with a configuration of their own, other people's.

load ../helper
load ../helper-scenario
load helper-e2e

# in_checkout NAME: the checkout that one stands in is a project like any other.
in_checkout()
{
	PROJECT=$PWD
	place "$BRANCH"
	scenario_new
	scenario_step default --effects 'echo x >x' --pass 1 --status DONE --promise
	work 0 1
	in_tree x x
	assert_equal x "$(git ls-tree --name-only "$BRANCH" x)"
	run -0 wisp list
	assert_contains "$output" "$BRANCH"
	run wisp doctor --agent replay
	assert_contains "$output" "ok   repository: $PWD"
	assert_contains "$(cd "$TREE" && wisp list)" "$BRANCH"
	expect 0 wisp done "$BRANCH" --merge
	assert_equal x "$(<x)"
	assert_equal '' "$(git status --porcelain -- ':(exclude).wisp')"
	expect 0 wisp rm "$BRANCH" --branch
	[[ ! -e $TREE ]]
	run -1 git rev-parse -q --verify "refs/heads/$BRANCH"
	assert_equal '' "$(git worktree list | grep "$BRANCH" || :)"
}

# not_here: where there is no checkout a command says so, and makes nothing.
not_here()
{
	scenario_tasks 1 >"$BATS_TEST_TMPDIR/tasks.json"
	expect 100 wisp run "$BRANCH" --agent replay --tasks "$BATS_TEST_TMPDIR/tasks.json"
	assert_contains "$output" 'it is bare: go into a work tree of it'
	run wisp doctor --agent replay
	assert_contains "$output" 'FAIL repository: none here: it is bare: go into a work tree of it'
	expect 100 wisp init
	[[ ! -e .wisp ]]
}

@test "a bare repository beside a .git that names it, and its work trees" {
	make_repo origin
	mkdir hub
	git clone -q --bare origin hub/.bare
	cd hub
	printf 'gitdir: ./.bare\n' >.git
	git worktree add -q main
	git worktree add -q -b feature feature
	not_here
	(cd main && in_checkout)
	(cd feature && in_checkout)
}

@test "a bare repository that is .git, or that has any name" {
	local repo

	make_repo origin
	for repo in hub/.git plain.git; do
		git clone -q --bare origin "$repo"
		(cd "$repo" && not_here)
		git -C "$repo" worktree add -q "$PWD/${repo%%[./]*}-main" main
		(cd "${repo%%[./]*}-main" && in_checkout)
	done
}

@test "extensions.worktreeConfig: core.bare is in a file of its own" {
	git clone -q --bare "$(make_repo origin && echo origin)" hub/.git
	git -C hub/.git worktree add -q ../main main
	git -C hub/.git config extensions.worktreeConfig true
	git -C hub/.git config --unset core.bare
	git -C hub/.git config --worktree core.bare true
	(cd hub && not_here)
	(cd hub/main && in_checkout)
}

@test "a git folder that lies elsewhere, by its name or by a link; a submodule" {
	make_repo origin
	git clone -q --separate-git-dir store origin apart
	(cd apart && in_checkout)
	git clone -q origin linked
	mv linked/.git there.git
	ln -s "$PWD/there.git" linked/.git
	(cd linked && in_checkout)
	make_repo outer
	git -C outer -c protocol.file.allow=always submodule --quiet add ../origin inner
	(cd outer/inner && in_checkout)
}

@test "a base that is checked out in another work tree of a bare repository moves there" {
	make_repo origin
	git clone -q --bare origin hub/.git
	git -C hub/.git worktree add -q "$PWD/hub/main" main
	git -C hub/.git worktree add -q -b feature "$PWD/hub/feature"
	cd hub/main
	PROJECT=$PWD
	place "$BRANCH"
	scenario_new
	scenario_step default --effects 'echo x >x' --pass 1 --status DONE --promise
	work 0 1
	git switch -q -c other
	expect 0 wisp done "$BRANCH" --merge
	assert_equal x "$(git ls-tree --name-only main x)"
	[[ ! -e x ]]
}

@test "a repository of somebody else: git's own answer, 111, and nothing is made" {
	make_repo theirs
	cd theirs
	scenario_tasks 1 >"$BATS_TEST_TMPDIR/tasks.json"
	export GIT_TEST_ASSUME_DIFFERENT_OWNER=1
	for args in "run work --agent replay --tasks $BATS_TEST_TMPDIR/tasks.json" 'plan README --agent replay' init; do
		# shellcheck disable=SC2086 # words
		expect 111 wisp $args
		assert_contains "$output" 'detected dubious ownership in repository at'
		assert_contains "$output" 'git config --global --add safe.directory'
		[[ ! -e .wisp && ! -e $WISP_HOME ]]
	done
	run wisp doctor --agent replay
	assert_contains "$output" 'FAIL repository: none here: detected dubious ownership in repository at'
	assert_contains "$output" 'git config --global --add safe.directory'
}

@test "in a work tree of a bare repository the index and its lock are the person's" {
	make_repo origin
	git clone -q --bare origin hub/.git
	git -C hub/.git worktree add -q "$PWD/hub/main" main
	cd hub/main
	PROJECT=$PWD
	place main
	scenario_new
	scenario_step default --effects 'echo x >x' --pass 1 --status DONE --promise
	echo mine >mine
	: >../.git/worktrees/main/index.lock
	work 111 1 --in-place
	assert_contains "$output" index.lock
	[[ -e ../.git/worktrees/main/index.lock ]]
	rm ../.git/worktrees/main/index.lock
	again 0
	assert_equal x "$(git show --name-only --format= HEAD)"
}

# lfs: m.bin asks for a filter whose program is not there.
lfs()
{
	printf '*.bin filter=lfs diff=lfs merge=lfs -text\n' >.gitattributes
	printf 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n' >m.bin
	git add -A
	git commit -q -m 'A pointer'
	git config filter.lfs.process 'git-lfs-not-here filter-process'
	git config filter.lfs.clean 'git-lfs-not-here clean -- %f'
	git config filter.lfs.required true
}

@test "LFS that is asked for and missing is said in a line, 111, and nothing is made" {
	local in_place

	project
	lfs
	scenario_step default --effects 'echo x >x' --pass 1 --status DONE --promise
	touch m.bin
	for in_place in '' --in-place; do
		BRANCH=${in_place:+main}
		BRANCH=${BRANCH:-work} work 111 1 $in_place
		assert_equal 'wisp run: the filter lfs, which .gitattributes asks for (m.bin), needs git-lfs-not-here, which is not in PATH: install it' "$output"
		[[ ! -e .wisp && ! -e $WISP_HOME ]]
		assert_equal main "$(git for-each-ref --format='%(refname:short)')"
	done
	BRANCH=work
	run wisp doctor --agent replay
	assert_contains "$output" 'FAIL repository: the filter lfs'
	# Where git may do without, pointers stay pointers.
	git config filter.lfs.required false
	work 111 1
	git config --unset filter.lfs.process
	work 0 1
	assert_equal "$(<m.bin)" "$(<"$TREE/m.bin")"
	assert_equal x "$(git diff --name-only main work)"
}

@test "LFS that goes missing while a session is there: 111, and it goes on when it is back" {
	project
	lfs
	git config --remove-section filter.lfs
	scenario_step default --status CONTINUE
	work 15 1 --once
	git config filter.lfs.process git-lfs-not-here
	again 111
	assert_contains "$output" 'needs git-lfs-not-here'
	git config --remove-section filter.lfs
	scenario_step default --effects 'echo x >x' --pass 1 --status DONE --promise
	again 0
}

# crlf: four files whose line ends are not those that .gitattributes ask for: git calls them modified in every checkout.
crlf()
{
	local i

	git config core.autocrlf false
	for i in 1 2 3 4; do
		printf 'a\r\nb\r\n' >"crlf$i.txt"
	done
	git add -A
	git commit -q -m 'With CR'
	printf '*.txt text eol=lf\n' >.gitattributes
	git add .gitattributes
	git commit -q -m 'Without CR'
	touch -d yesterday crlf?.txt
	assert_equal ' M crlf1.txt' "$(git status --porcelain | head -n 1)"
}

@test "line ends that git itself changes are nobody's work: not committed, and in nobody's way" {
	project
	crlf
	scenario_step 1 --status CONTINUE
	scenario_step 2 --effects 'echo x >out.log; printf "a\r\nb\r\nc\r\n" >crlf4.txt' --pass 1 --status DONE --promise
	work 0 1
	assert_lacks "$output" 'not everything in the work tree is committed'
	entry 0 .progress false
	assert_equal "crlf4.txt"$'\n'"out.log" "$(git diff --name-only main work)"
	assert_equal $'a\nb\nc' "$(git show work:crlf4.txt)"
	# In the checkout git itself would not write over the one that the branch changes.
	expect 1 wisp done work --merge
	assert_contains "$output" 'would be overwritten by merge: crlf4.txt'
	git switch -q -c other
	expect 0 wisp done work --merge
	assert_equal x "$(git show main:out.log)"
	expect 0 wisp rm work --branch
}

@test "line ends: --in-place, and a checkout with a change of a person's own" {
	project
	crlf
	scenario_step default --effects 'echo x >out.log' --pass 1 --status DONE --promise
	work 0 1
	printf 'mine\r\n' >crlf1.txt
	expect 1 wisp done work --merge
	assert_contains "$output" "uncommitted changes, such as 'crlf1.txt'"
	git checkout -q crlf1.txt
	chmod +x crlf2.txt
	expect 1 wisp done work --merge
	assert_contains "$output" "uncommitted changes, such as 'crlf2.txt'"
	chmod -x crlf2.txt
	printf 'a\r\nb\r\n' >"$TREE/crlf3.txt"
	printf 'new\n' >"$TREE/crlf2.txt"
	expect 100 wisp rm work
	assert_contains "$output" "uncommitted changes, such as 'crlf2.txt'"
	rm "$TREE/crlf2.txt"
	git -C "$TREE" checkout -q crlf2.txt
	expect 0 wisp done work --merge
	assert_equal x "$(<out.log)"
	place main
	scenario_step default --effects 'echo x >in-place' --pass 1 --status DONE --promise
	BRANCH=main work 0 1 --in-place
	assert_equal in-place "$(git show --name-only --format= main)"
}
