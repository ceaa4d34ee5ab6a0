#!/usr/bin/env bats
# wisp done: what a session came to is checked once more, then pushed, proposed or
# merged; and the setting `ship`.

load ../helper
load ../helper-scenario
load helper-e2e

setup()
{
	project 'a project'
	FORGE_STUB=$BATS_TEST_TMPDIR/forge
	export FORGE_STUB
	mkdir -p "$FORGE_STUB"
	OPTIONS=(-c verify.command='test ! -e bad')
}

# completed [BRANCH]: a session with two commits, completed.
completed()
{
	[[ -z ${1-} ]] || place "$1"
	scenario_step 1 --effects 'echo one >one' --pass 1 --commit 'Add one' --status CONTINUE
	scenario_step 2 --effects 'echo two >two' --pass 2 --commit 'Add two' --status DONE --promise --summary 'all is there'
	work 0 2
	TIP=$(git rev-parse "$BRANCH")
	MAIN=$(git rev-parse main)
}

# finish CODE [OPTION]...
finish()
{
	local code=$1
	shift
	expect "$code" wisp "${OPTIONS[@]}" done "$BRANCH" "$@"
	alone
}

# Whatever happened, no work tree is left over and nobody is in the middle of anything.
alone()
{
	[[ ! -e $PROJECT/.wisp/worktrees/.done ]] || fail "left over: $(ls -A "$PROJECT/.wisp/worktrees/.done")"
	assert_equal "${TREES:-2}" "$(git worktree list | wc -l | tr -d ' ')"
	assert_equal "" "$(ls "$TMPDIR")"
}

# at REF COMMIT
at()
{
	assert_equal "$2" "$(git rev-parse "$1")"
}

bare()
{
	git init -q --bare "$BATS_TEST_TMPDIR/$1.git"
	git remote add "$1" "$BATS_TEST_TMPDIR/$1.git"
}

# main_goes_on FILE: a commit on main, which is checked out here.
main_goes_on()
{
	echo main >"$1"
	git add "$1"
	git commit -q -m "Add $1"
	MAIN=$(git rev-parse main)
}

# --- the check ---------------------------------------------------------------

@test "alone it checks the final commit in a clean work tree, and reports" {
	printf 'junk\n' >.gitignore
	git add .gitignore
	git commit -q -m 'Ignore junk'
	scenario_step 1 --effects 'echo x >junk' --pass 1 --status CONTINUE
	OPTIONS=()
	completed
	OPTIONS=(-c verify.command='test "$(git status --porcelain --ignored)" = "" && test -e two && ! git symbolic-ref -q HEAD')
	echo 'No port is configured.' >"$DIR/divergence.md"
	finish 0
	assert_contains "$output" "work: completed, 2 commits since $(git rev-parse --short=12 main) of main
  changes   2 files changed, 2 insertions(+)
  tasks     2 of 2 pass
  verify    passed on ${TIP:0:12}
  differs   from the spec: see $DIR/divergence.md
  now       wisp done work --merge, or --pr, or --push"
	at main "$MAIN"
	at work "$TIP"
	run --separate-stderr -0 wisp done --json
	assert_equal "[1,\"work\",\"$TIP\",\"$MAIN\",\"main\",2,\"none\",null,null,null]" \
		"$("$JQ" -c '[.version,.branch,.commit,.base,.base_branch,.commits,.verify,.merged,.pushed,.error]' <<<"$output")"
}

@test "verify as it is set now counts, else that of the last run; red is 1, and what it said is shown" {
	completed
	OPTIONS=()
	git -C "$TREE" rm -q --cached one
	git -C "$TREE" commit -q -m 'bad: one is gone from the commit'
	rm "$TREE/one"
	finish 0
	assert_contains "$output" 'verify    passed'
	OPTIONS=(-c verify.command='test ! -e bad' -c verify.command='echo looking; test -e one || { echo "one is not there"; exit 3; }')
	finish 1
	assert_contains "$output" 'one is not there'
	assert_contains "$output" "wisp done: verify fails on the final commit $(git rev-parse --short=12 work): echo looking"
	assert_contains "$(<"$DIR/steps/done/verify.log")" looking
	run --separate-stderr -1 wisp "${OPTIONS[@]}" done --json
	assert_equal '["failed",true]' "$("$JQ" -c '[.verify, (.error | startswith("verify fails on the final commit"))]' <<<"$output")"
	OPTIONS=(-c verify.command='exec sleep 60' -c verify.timeout=100ms)
	finish 1
	assert_contains "$output" 'verify fails'
}

@test "worktree.copy and worktree.setup hold for the work tree of its own" {
	completed
	mkdir conf
	echo secret >conf/.env
	OPTIONS=(-c worktree.copy=conf/.env -c worktree.setup='echo set >made'
		-c verify.command='grep -q secret conf/.env && grep -q set made')
	finish 0
	OPTIONS=(-c worktree.setup='exit 3')
	finish 111
	assert_contains "$output" 'worktree.setup failed'
}

@test "refused: open tasks, work that is not committed, something of .wisp/ in a commit" {
	completed
	wisp tasks work open 2
	finish 1
	assert_contains "$output" 'wisp done: 1 of 2 tasks of work are open, such as 2 [ ] feature: task 2'
	wisp tasks work pass 2
	echo x >"$TREE/loose file"
	echo y >>"$TREE/one"
	finish 1
	assert_contains "$output" "wisp done: not committed in '$TREE': 'one', 'loose file' (commit it there, or take it away)"
	rm "$TREE/loose file"
	git -C "$TREE" checkout -q one
	mkdir -p "$TREE/.wisp/sessions"
	echo x >"$TREE/.wisp/sessions/leak"
	git -C "$TREE" add -f .wisp/sessions/leak
	git -C "$TREE" commit -q -m 'Oh no'
	git -C "$TREE" rm -q .wisp/sessions/leak
	git -C "$TREE" commit -q -m 'Take it away'
	finish 1 --merge
	assert_contains "$output" "  $(git rev-parse --short=12 work~1) Oh no"
	assert_contains "$output" "  $(git rev-parse --short=12 work) Take it away"
	assert_contains "$output" 'wisp done: these commits of work have something of .wisp/'
	at main "$MAIN"
}

@test "a project that keeps .wisp/config in git: what came from the base is not the session's; what a merge adds is" {
	completed
	mkdir -p .wisp
	printf '[verify]\n\ttimeout = 9m\n' >.wisp/config
	git add -f .wisp/config
	git commit -q -m 'Keep the settings'
	git -C "$TREE" merge -q main
	finish 0
	main_goes_on base
	git -C "$TREE" merge -q --no-commit main
	mkdir -p "$TREE/.wisp"
	echo x >"$TREE/.wisp/leak"
	git -C "$TREE" add -f .wisp/leak
	git -C "$TREE" commit -q -m 'Merge, and more'
	finish 1
	assert_contains "$output" "  $(git rev-parse --short=12 work) Merge, and more
wisp done:"
}

@test "refused: a session in the middle, paused with open tasks, a live loop, inside a step" {
	scenario_step 1 --pass 1 --status CONTINUE --effects 'echo one >one' --commit one
	work 15 2 --once
	finish 1
	assert_contains "$output" '1 of 2 tasks'
	WISP_ITERATION=1 WISP_SESSION_DIR=$DIR finish 100
	assert_contains "$output" 'finishing a session is not possible from inside a step'
	scenario_step 2 --delay 60
	background wisp resume work
	wait_until 10 test -e "$DIR/steps/0002/prompt.md"
	expect 17 wisp done work
	kill -KILL "$LOOP"
	wait "$LOOP" || :
	LOOP=''
	expect 1 wisp done work
	assert_contains "$output" 'ended in the middle of an iteration (wisp resume work)'
}

@test "a last task that a person ticked counts; the session need not be completed" {
	scenario_step 1 --pass 1 --status CONTINUE --effects 'echo one >one' --commit one
	work 15 2 --once
	wisp tasks work pass 2
	finish 0
	assert_contains "$output" 'work: paused, 1 commit since'
}

@test "called wrongly: options that exclude each other, none such, another session" {
	completed
	finish 100 --pr --merge
	finish 100 --force
	expect 100 wisp done nothing
	finish 100 --push
	assert_contains "$output" 'there is no remote to push to (git remote add origin URL)'
	git config remote.pushDefault elsewhere
	finish 100 --push
	assert_contains "$output" "the remote 'elsewhere', named by the configuration, does not exist"
}

@test "what the repository's files would have run needs a person's word" {
	completed
	printf '[verify]\n\tcommand = touch %s\n' "$BATS_TEST_TMPDIR/ran" >.wisp/config
	OPTIONS=()
	finish 100
	assert_contains "$output" 'not trusted yet'
	[[ ! -e $BATS_TEST_TMPDIR/ran ]]
	finish 0 --trust
	[[ -e $BATS_TEST_TMPDIR/ran ]]
}

@test "what the repository's files loosen needs a person's word" {
	mkdir -p .wisp "$XDG_CONFIG_HOME/wisp"
	printf '[limits]\n\tmaxCostUsd = 1\n' >"$XDG_CONFIG_HOME/wisp/config"
	printf '[limits]\n\tmaxCostUsd = 2\n\tmaxHours = 9\n' >.wisp/config
	scenario_step default --effects 'echo one >one' --pass 1 --commit one --status DONE --promise
	work 100 1
	assert_contains "$output" $'ask to run, or to loosen:\n  limits.maxCostUsd=2\n'
	calls 0
	work 0 1 --trust
}

# --- pushing -----------------------------------------------------------------

@test "--push: just that branch, to the remote that git would choose, a second time too" {
	completed 'feat/x.y'
	bare origin
	bare other
	bare mine
	git tag -a -m v1 v1 "$TIP"
	git config push.followTags true
	finish 0 --push
	assert_contains "$output" "pushed    ${TIP:0:12} to origin ($BATS_TEST_TMPDIR/origin.git)"
	assert_equal "refs/heads/feat/x.y $TIP" "$(git -C "$BATS_TEST_TMPDIR/origin.git" for-each-ref --format='%(refname) %(objectname)')"
	finish 0 --push
	git config remote.pushDefault other
	finish 0 --push
	assert_equal "$TIP" "$(git -C "$BATS_TEST_TMPDIR/other.git" rev-parse 'feat/x.y')"
	git config 'branch.feat/x.y.pushRemote' mine
	run --separate-stderr -0 wisp "${OPTIONS[@]}" done --push --json
	assert_equal '["mine",null]' "$("$JQ" -c '[.pushed,.error]' <<<"$output")"
	assert_equal "$TIP" "$(git -C "$BATS_TEST_TMPDIR/mine.git" rev-parse 'feat/x.y')"
	wisp rm 'feat/x.y' --branch
}

@test "--push never forces: a remote that has more is named, and keeps it" {
	completed
	bare origin
	git push -q origin main:refs/heads/work
	git clone -q "$BATS_TEST_TMPDIR/origin.git" "$BATS_TEST_TMPDIR/clone"
	git -C "$BATS_TEST_TMPDIR/clone" checkout -q work
	git -C "$BATS_TEST_TMPDIR/clone" commit -q --allow-empty -m theirs
	git -C "$BATS_TEST_TMPDIR/clone" push -q origin work
	local theirs
	theirs=$(git -C "$BATS_TEST_TMPDIR/origin.git" rev-parse work)
	finish 111 --push
	assert_contains "$output" "does not take work: [rejected] (fetch first) (wisp never forces"
	assert_equal "$theirs" "$(git -C "$BATS_TEST_TMPDIR/origin.git" rev-parse work)"
	git remote set-url origin "$BATS_TEST_TMPDIR/nothing.git"
	finish 111 --push
	assert_contains "$output" "work could not be pushed to origin ($BATS_TEST_TMPDIR/nothing.git)"
}

@test "--push asks nothing without a terminal, shows no password, and runs hooks only with --hooks" {
	completed
	bare origin
	printf '#!/bin/sh\necho "prompt=$GIT_TERMINAL_PROMPT" >%s\n' "$BATS_TEST_TMPDIR/hooked" >.git/hooks/pre-push
	chmod +x .git/hooks/pre-push
	finish 0 --push
	assert_contains "$output" 'wisp done: the pre-push hook does not run (--hooks lets it)'
	[[ ! -e $BATS_TEST_TMPDIR/hooked ]]
	git -C "$BATS_TEST_TMPDIR/origin.git" update-ref -d refs/heads/work
	GIT_TERMINAL_PROMPT=1 finish 0 --push --hooks
	assert_equal prompt=0 "$(<"$BATS_TEST_TMPDIR/hooked")"
	git remote set-url origin 'https://me:secret@github.com/o/r.git'
	finish 0 --push --dry-run
	assert_contains "$output" 'to origin (https://github.com/o/r.git) as work'
	assert_lacks "$output" secret
}

# --- pull requests -----------------------------------------------------------

# forge URL [TOOL]: origin has that address, pushes go to a bare repository, gh and glab are there.
forge()
{
	bare origin
	git remote set-url --push origin "$BATS_TEST_TMPDIR/origin.git"
	git config remote.origin.url "$1"
	git config branch.main.remote origin
	git config branch.main.merge refs/heads/trunk
	PATH=$ROOT/tests/stubs/forge:$PATH
	echo '[]' >"$FORGE_STUB/list"
}

calls_hold()
{
	assert_contains "$(<"$FORGE_STUB/calls")" "$1"
}

@test "--pr by gh: title and body from tasks, summary and divergence; the branch is pushed first" {
	completed
	forge https://github.com/o/r.git
	printf 'No @team port.\n~~~~\n<!-- x -->\n' >"$DIR/divergence.md"
	echo https://github.com/o/r/pull/7 >"$FORGE_STUB/made"
	finish 0 --pr
	assert_contains "$output" 'request   https://github.com/o/r/pull/7'
	assert_equal "$TIP" "$(git -C "$BATS_TEST_TMPDIR/origin.git" rev-parse work)"
	calls_hold "gh
pr
create
--repo
github.com/o/r
--head
work
--base
trunk
--title
work
--body-file"
	assert_equal "all is there

## Tasks

- [x] task 1 (verified)
- [x] task 2 (verified)

The verify command passes on ${TIP:0:12}.

## Where it departs from the spec

~~~~~
No @team port.
~~~~
<!-- x -->
~~~~~

wisp session $(wisp-state -C "$DIR" get -f session .session_id), 2 iterations" "$(<"$FORGE_STUB/body")"
}

@test "--pr: a request that is open is named, no second one is made; one of a fork is another" {
	completed
	forge git@github.com:o/r.git
	echo '[{"url": "https://github.com/o/r/pull/3", "headRepositoryOwner": {"login": "other"}},
		{"url": "https://github.com/o/r/pull/4", "headRepositoryOwner": {"login": "O"}}]' >"$FORGE_STUB/list"
	finish 0 --pr
	assert_contains "$output" 'request   https://github.com/o/r/pull/4 (it was open already)'
	assert_lacks "$(<"$FORGE_STUB/calls")" create
	echo '[{"url": "https://github.com/o/r/pull/3", "headRepositoryOwner": {"login": "other"}}]' >"$FORGE_STUB/list"
	echo https://github.com/o/r/pull/5 >"$FORGE_STUB/made"
	run --separate-stderr -0 wisp "${OPTIONS[@]}" done --pr --json
	assert_equal '["origin","https://github.com/o/r/pull/5"]' "$("$JQ" -c '[.pushed,.request]' <<<"$output")"
}

@test "--pr by glab, on a host of its own; from a fork" {
	completed
	forge ssh://git@gitlab.example.org:2222/group/sub/r.git
	echo 'Creating merge request
!5 work (work)
 https://gitlab.example.org/group/sub/r/-/merge_requests/5' >"$FORGE_STUB/made"
	finish 0 --pr
	assert_contains "$output" 'request   https://gitlab.example.org/group/sub/r/-/merge_requests/5'
	calls_hold "glab
mr
create
--repo
https://gitlab.example.org/group/sub/r
--source-branch
work
--target-branch
trunk"
	assert_contains "$(<"$FORGE_STUB/body")" '- [x] task 2 (verified)'
	git config --add remote.origin.pushurl 'git@gitlab.example.org:me/r.git'
	git config --replace-all remote.origin.pushurl 'git@gitlab.example.org:me/r.git'
	finish 0 --pr --dry-run
	assert_contains "$output" 'https://gitlab.example.org/me/r/-/merge_requests/new?merge_request%5Bsource_branch%5D=work&merge_request%5Btarget_branch%5D=trunk'
}

@test "--pr: gh that fails is 111, the branch is pushed and the link is said" {
	completed
	forge https://github.com/o/r
	for verb in list create; do
		echo "$verb" >"$FORGE_STUB/fails"
		finish 111 --pr
		assert_contains "$output" 'no login for this host'
		assert_contains "$output" 'work is pushed, but gh opened no request; by hand: https://github.com/o/r/compare/trunk...work?expand=1'
	done
	assert_equal "$TIP" "$(git -C "$BATS_TEST_TMPDIR/origin.git" rev-parse work)"
}

@test "--pr: text of an agent can neither pass for an option nor for markup, and is bounded" {
	place "feat/o'x\"y"
	local text='--web <b>@all</b> $(touch /tmp/x) `x`'
	scenario_step 1 --effects 'echo one >one' --pass 1 --commit one --status DONE --promise --summary '[x](http://e) # no'
	printf '[{"category": "feature", "description": "%s", "steps": [], "passes": false}]\n' "$text" >"$BATS_TEST_TMPDIR/tasks.json"
	expect 0 wisp "${OPTIONS[@]}" run "$BRANCH" --agent replay --tasks "$BATS_TEST_TMPDIR/tasks.json"
	forge https://github.com/o/r.git
	echo https://github.com/o/r/pull/7 >"$FORGE_STUB/made"
	for ((i = 0; i < 3000; i++)); do echo "departs line $i"; done >"$DIR/divergence.md"
	finish 0 --pr
	calls_hold "--head
$BRANCH
--base
trunk
--title
$text
--body-file"
	assert_contains "$(<"$FORGE_STUB/body")" '- [x] --web \<b\>@'
	assert_contains "$(<"$FORGE_STUB/body")" '\[x\](http://e) \# no'
	assert_contains "$(<"$FORGE_STUB/body")" '[...]'
	(($(wc -c <"$FORGE_STUB/body") < 60000))
}

@test "--pr without gh or glab: a link, for the hosts that are known, and nothing guessed" {
	completed "feat/x'z+ü"
	bare origin
	local url link
	while IFS=' ' read -r url link; do
		git remote set-url origin "$url"
		finish 0 --pr --dry-run
		assert_contains "$output" "
            $link"
	done <<-'END'
		https://github.com/o/r.git https://github.com/o/r/compare/main...feat/x%27z%2B%C3%BC?expand=1
		https://u:p@github.com:443/o/r/ https://github.com:443/o/r/compare/main...feat/x%27z%2B%C3%BC?expand=1
		git@github.com:o/r.git https://github.com/o/r/compare/main...feat/x%27z%2B%C3%BC?expand=1
		ssh://git@ssh.github.com:443/o/r.git https://github.com/o/r/compare/main...feat/x%27z%2B%C3%BC?expand=1
		ssh://git@gitlab.com:22/g/s/r.git https://gitlab.com/g/s/r/-/merge_requests/new?merge_request%5Bsource_branch%5D=feat/x%27z%2B%C3%BC&merge_request%5Btarget_branch%5D=main
		[git@gitlab.example.org:2222]:g/r.git https://gitlab.example.org/g/r/-/merge_requests/new?merge_request%5Bsource_branch%5D=feat/x%27z%2B%C3%BC&merge_request%5Btarget_branch%5D=main
		git@bitbucket.org:o/r.git https://bitbucket.org/o/r/pull-requests/new?source=feat/x%27z%2B%C3%BC&dest=main
		http://gitea.example.org:3000/o/r http://gitea.example.org:3000/o/r/compare/main...feat/x%27z%2B%C3%BC
		https://codeberg.org/o/r.git https://codeberg.org/o/r/compare/main...feat/x%27z%2B%C3%BC
		https://example.org/o/r.git no page is known for https://example.org/o/r.git
		host:o/r.git no page is known for host:o/r.git
		/srv/git/r.git no page is known for /srv/git/r.git
		file:///srv/git/r.git no page is known for file:///srv/git/r.git
		https://github.com/r no page is known for https://github.com/r
	END
}

# --- merging -----------------------------------------------------------------

@test "--merge: with merge.mode=commit there is a merge commit also where the base could be moved forward" {
	completed
	OPTIONS+=(-c merge.mode=commit)
	finish 0 --merge
	assert_contains "$output" 'merged    into main by '
	assert_equal "$MAIN $TIP" "$(git rev-parse 'main^1' 'main^2' | tr '\n' ' ' | sed 's/ $//')"
	git diff --quiet main "$TIP"
}

@test "--merge: fast-forward of a base that is checked out; untracked files stay; then rm" {
	completed
	echo mine >notes
	finish 0 --merge
	assert_contains "$output" "merged    into main, which is now at ${TIP:0:12} (fast-forward)"
	assert_contains "$output" 'now       wisp rm work --branch'
	at main "$TIP"
	assert_equal 'one mine' "$(cat one notes | tr '\n' ' ' | sed 's/ $//')"
	assert_equal '?? notes' "$(git status --porcelain -- . ':!.wisp')"
	finish 0 --merge
	assert_contains "$output" 'main has it already'
	wisp rm work --branch
}

@test "--merge: a file that a person's checkout ignores, and the branch has, is named and left alone" {
	echo .env >.gitignore
	git add .gitignore
	git commit -q -m ignore
	echo secret >.env
	scenario_step 1 --effects 'echo public >.env; git add -f .env' --pass 1 --commit 'Add .env' --status DONE --promise
	work 0 1
	MAIN=$(git rev-parse main)
	finish 1 --merge
	assert_contains "$output" 'main was not moved: The following untracked working tree files would be overwritten by merge: .env'
	at main "$MAIN"
	assert_equal secret "$(<.env)"
}

@test "--merge: where tags have the names of both branches" {
	git tag main
	git tag work
	completed
	finish 0 --merge
	at refs/heads/main "$(git rev-parse refs/heads/work)"
}

@test "--merge: a merge commit where the base went on, verified as merged, with a trailer" {
	completed
	main_goes_on base
	OPTIONS=(-c verify.command="echo \"\$(ls | tr '\\n' ' ')\" >>$BATS_TEST_TMPDIR/seen")
	finish 0 --merge
	assert_equal 'README one two 
README base one two ' "$(<"$BATS_TEST_TMPDIR/seen")"
	assert_equal "$MAIN $TIP" "$(git log -1 --format=%P main)"
	assert_equal "Merge branch 'work' into main

Wisp-Step: $(wisp-state -C "$DIR" get -f session .session_id)/2" "$(git log -1 --format=%B main)"
	assert_equal Test "$(git log -1 --format=%an main)"
	assert_equal '' "$(git status --porcelain -- . ':!.wisp')"
	[[ -e two ]]
	assert_contains "$output" "merged    into main by $(git rev-parse --short=12 main), verify passed"
}

@test "--merge into a base that is checked out nowhere moves the ref alone" {
	completed
	main_goes_on base
	git checkout -q --detach
	finish 0 --merge
	assert_equal "$MAIN $TIP" "$(git log -1 --format=%P main)"
	[[ ! -e two ]]
	at HEAD "$MAIN"
}

@test "--merge: a conflict names the files, and nothing moves" {
	completed
	main_goes_on two
	finish 1 --merge
	assert_contains "$output" "work and main conflict in two: nothing was merged"
	at main "$MAIN"
	at work "$TIP"
	assert_equal main "$(<two)"
	run --separate-stderr -1 wisp "${OPTIONS[@]}" done --merge --json
	assert_equal '[null,true]' "$("$JQ" -c '[.merged, (.error | contains("conflict in two"))]' <<<"$output")"
}

@test "--merge: verify that is red on the merged tree alone; nothing moves" {
	completed
	main_goes_on base
	OPTIONS=(-c verify.command='! test -e base || ! test -e one')
	finish 1 --merge
	assert_contains "$output" 'verify fails on work merged into main'
	at main "$MAIN"
	[[ ! -e one ]]
}

@test "--merge: a checkout with changes is refused before anything runs" {
	completed
	OPTIONS=(-c verify.command="touch $BATS_TEST_TMPDIR/ran")
	echo changed >README
	finish 1 --merge
	assert_contains "$output" "main is checked out and would move: '$PROJECT' has uncommitted changes, such as 'README' (commit or stash it, then once more)"
	git checkout -q README
	touch .git/MERGE_HEAD
	finish 1 --merge
	assert_contains "$output" 'half done'
	rm .git/MERGE_HEAD
	[[ ! -e $BATS_TEST_TMPDIR/ran ]]
	echo mine >one
	finish 1 --merge
	assert_contains "$output" 'main was not moved: The following untracked working tree files would be overwritten by merge: one'
	at main "$MAIN"
	assert_equal mine "$(<one)"
}

@test "--merge: a base that moves while it verifies is not moved back" {
	completed
	unconfined # verify moves the base itself
	main_goes_on base
	local move="! test -e base || git -C '$PROJECT' commit -q --allow-empty -m meanwhile"
	OPTIONS=(-c verify.command="$move")
	finish 1 --merge
	assert_contains "$output" "main was not moved: 'main' has moved meanwhile"
	assert_equal meanwhile "$(git log -1 --format=%s main)"
	git checkout -q -b aside
	OPTIONS=(-c verify.command="! test -e base || git -C '$PROJECT' update-ref refs/heads/main work")
	finish 1 --merge
	at main "$TIP"
}

@test "--merge: no base, a base that is gone, its own base, nobody to commit as" {
	completed
	main_goes_on base
	git config user.useConfigOnly true
	(
		unset GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
		finish 100 --merge
		assert_contains "$output" 'git knows no name and address to commit the merge with'
	)
	at main "$MAIN"
	git checkout -q -b aside
	git branch -q -D main
	finish 102 --merge
	assert_contains "$output" "the branch 'main', which work began on, is gone"
	finish 0
}

@test "in place: the base is the branch itself; dirt from before is the user's" {
	place main
	echo mine >dirt
	scenario_step 1 --effects 'echo one >one; git add one; git commit -q -m one' --pass 1 --status DONE --promise
	scenario_tasks 1 >"$BATS_TEST_TMPDIR/tasks.json"
	expect 0 wisp "${OPTIONS[@]}" run --in-place --agent replay --tasks "$BATS_TEST_TMPDIR/tasks.json"
	TREES=1
	finish 0
	finish 100 --merge
	assert_contains "$output" 'main is its own base (--in-place)'
	echo more >>one
	finish 1
	assert_contains "$output" "not committed in '$PROJECT': 'one'"
}

@test "--dry-run says what would be done, and does nothing" {
	completed
	bare origin
	main_goes_on base
	OPTIONS=(-c verify.command="touch $BATS_TEST_TMPDIR/ran")
	git for-each-ref >"$BATS_TEST_TMPDIR/before"
	finish 0 --push --merge --dry-run
	assert_contains "$output" "would     verify: touch $BATS_TEST_TMPDIR/ran"
	assert_contains "$output" "would     merge ${TIP:0:12} into main, and verify that; it is checked out in $PROJECT"
	assert_contains "$output" "would     push ${TIP:0:12} to origin ($BATS_TEST_TMPDIR/origin.git) as work"
	[[ ! -e $BATS_TEST_TMPDIR/ran ]]
	assert_equal "$(<"$BATS_TEST_TMPDIR/before")" "$(git for-each-ref)"
	assert_equal '' "$(git -C "$BATS_TEST_TMPDIR/origin.git" for-each-ref)"
}

@test "--merge and --push together: the branch is pushed only after it could be merged" {
	completed
	bare origin
	main_goes_on two
	finish 1 --merge --push
	assert_equal '' "$(git -C "$BATS_TEST_TMPDIR/origin.git" for-each-ref)"
	git rm -q two
	git commit -q -m 'Take two away'
	MAIN=$(git rev-parse main)
	finish 0 --merge --push
	assert_equal "$MAIN $TIP" "$(git log -1 --format=%P main)"
	assert_equal "$TIP" "$(git -C "$BATS_TEST_TMPDIR/origin.git" rev-parse work)"
}

@test "--merge: a base on which a live loop works is left alone" {
	completed
	mkdir -p .wisp/sessions/main
	scenario_new "$BATS_TEST_TMPDIR/other"
	scenario_step 1 --delay 60
	scenario_tasks 1 >"$BATS_TEST_TMPDIR/tasks.json"
	background wisp run --in-place --agent replay --tasks "$BATS_TEST_TMPDIR/tasks.json"
	wait_until 10 test -e "$PROJECT/.wisp/sessions/main/steps/0001/prompt.md"
	expect 17 wisp done work --merge
	assert_contains "$output" "a live loop works on 'main' (wisp pause main)"
	at main "$MAIN"
}

@test "nothing committed: there is nothing to push or merge" {
	scenario_step 1 --pass 1 --status DONE --promise
	work 0 1
	TREES=2
	bare origin
	finish 1 --push
	assert_contains "$output" 'work has no commit of its own: there is nothing to push'
	finish 0 --merge
	assert_contains "$output" 'main has it already'
}

@test "with phases: the last one must be complete" {
	mkdir -p "$PROJECT/.wisp/templates/short"
	printf 'do it\n' >.wisp/templates/short/go.md
	printf '{"name": "short", "description": "d", "state": "phases", "phases": [{"name": "GO", "weight": 100, "prompt": "go.md", "gate": "true"}]}\n' \
		>.wisp/templates/short/loop.json
	scenario_step 1 --effects 'echo one >one' --commit one --status CONTINUE
	scenario_step 2 --status DONE
	expect 15 wisp run work --template short --agent replay --once
	finish 1
	assert_contains "$output" 'not every phase of work is complete: it is paused'
	again 0
	finish 0 --merge
	at main "$(git rev-parse work)"
}

# --- cut off -----------------------------------------------------------------

# in_the_middle: `wisp done --merge` in the background, held up by verify on the merged tree. Sets LOOP.
in_the_middle()
{
	completed
	main_goes_on base
	waits
}

waits()
{
	rm -f "$BATS_TEST_TMPDIR/middle"
	OPTIONS=(-c verify.command="! test -e base || { echo x >$BATS_TEST_TMPDIR/middle; exec sleep 60; }")
	background wisp "${OPTIONS[@]}" done work --merge
	wait_until 20 test -e "$BATS_TEST_TMPDIR/middle"
}

@test "TERM in the middle: nothing moved, nothing left over, 143" {
	in_the_middle
	kill -TERM "$LOOP"
	ends 143
	at main "$MAIN"
	alone
	status_says .session.status completed
}

@test "stop ends it with 143, stop --now with 15, and no later one" {
	in_the_middle
	expect 0 wisp stop
	assert_equal "work: no loop is running; the command that owns it (process $LOOP) was asked to end" "$output"
	ends 143
	waits
	expect 0 wisp stop --now
	assert_contains "$output" "the command that owned work (process $LOOP) has ended"
	ends 15
	waits
	kill -TERM "$LOOP"
	ends 143
	at main "$MAIN"
	alone
}

@test "stop --now ends it while it asks for a person's word" {
	completed
	git config -f .wisp/config verify.command 'echo asked'
	OPTIONS=()
	mkfifo "$BATS_TEST_TMPDIR/nothing"
	exec 7<>"$BATS_TEST_TMPDIR/nothing" # which never ends
	script -qefc 'wisp done work --merge' "$BATS_TEST_TMPDIR/asked" <&7 >/dev/null 2>&1 3>&- &
	wait_until 20 grep -q 'Allow that?' "$BATS_TEST_TMPDIR/asked"
	expect 0 wisp stop --now
	assert_contains "$output" 'has ended'
	wait $! || :
	at main "$MAIN"
	alone
}

@test "KILL in the middle: nothing moved, and the next one clears up" {
	in_the_middle
	kill -KILL "$LOOP"
	ends 137
	at main "$MAIN"
	[[ -e $PROJECT/.wisp/worktrees/.done/work ]]
	OPTIONS=(-c verify.command=true)
	finish 0 --merge
	assert_equal "$MAIN $TIP" "$(git log -1 --format=%P main)"
}

@test "KILL in the middle: rm clears up, too" {
	in_the_middle
	kill -KILL "$LOOP"
	ends 137
	wisp rm work --force
	assert_equal 1 "$(git worktree list | wc -l | tr -d ' ')"
	[[ ! -e $PROJECT/.wisp/worktrees/.done ]]
}

# --- ship --------------------------------------------------------------------

@test "ship = push: a completed run pushes; a second run of it does not" {
	bare origin
	OPTIONS+=(-c ship=push)
	completed
	assert_contains "$output" "pushed    ${TIP:0:12} to origin"
	assert_contains "$output" '  shipped   to origin'
	assert_equal "$TIP" "$(git -C "$BATS_TEST_TMPDIR/origin.git" rev-parse work)"
	git -C "$BATS_TEST_TMPDIR/origin.git" update-ref -d refs/heads/work
	expect 0 wisp "${OPTIONS[@]}" run work
	assert_equal '' "$(git -C "$BATS_TEST_TMPDIR/origin.git" for-each-ref)"
}

@test "ship = pr: by gh, and in the report" {
	forge https://github.com/o/r.git
	echo https://github.com/o/r/pull/7 >"$FORGE_STUB/made"
	scenario_step 1 --effects 'echo one >one' --pass 1 --commit 'Add one' --status DONE --promise
	scenario_tasks 1 >"$BATS_TEST_TMPDIR/tasks.json"
	run --separate-stderr -0 wisp "${OPTIONS[@]}" -c ship=pr run work --agent replay --tasks "$BATS_TEST_TMPDIR/tasks.json" --json </dev/null
	assert_equal '["completed",0,"pr",true,"origin","https://github.com/o/r/pull/7",null]' \
		"$("$JQ" -c '[.result,.exit] + (.shipped | [.what,.ok,.pushed,.request,.error])' <<<"$output")"
	calls_hold create
}

@test "ship that fails is said loudly, and the run is completed all the same" {
	OPTIONS+=(-c ship=push)
	completed
	assert_contains "$output" 'wisp done: there is no remote to push to'
	assert_contains "$output" 'wisp: NOT shipped (100); the session is completed all the same: wisp done work --push tries again'
	assert_contains "$output" '  shipped   NO (push): there is no remote to push to'
	status_says .session.status completed
	bare origin
	finish 0 --push
}

@test "ship: what is left uncommitted is not shipped; nothing is shipped of a run that did not complete" {
	bare origin
	OPTIONS+=(-c ship=push -c commit.fallback=false)
	scenario_step 1 --effects 'echo one >one' --pass 1 --status DONE --promise
	work 0 1
	assert_contains "$output" "not committed in '$TREE': 'one'"
	assert_equal '' "$(git -C "$BATS_TEST_TMPDIR/origin.git" for-each-ref)"
	place other
	scenario_step 1 --status BLOCKED --error 'no way'
	work 11 1
	assert_lacks "$output" shipping
}

# --- what wisp would not commit, it does not merge -----------------------------

@test "what verify wrote is no obstacle: left out and named" {
	OPTIONS=(-c verify.command='echo >report; test ! -e bad')
	scenario_step 1 --effects 'echo one >one' --pass 1 --commit 'Add one' --status DONE --promise
	work 0 1
	run git -C "$TREE" status --porcelain
	assert_output '?? report'
	finish 0 --merge
	assert_contains "$output" 'left out, since it is not the agent'\''s work: report'
	assert_equal $'README\none' "$(git ls-tree -r --name-only main)"
	echo mine >"$TREE/report"
	finish 1
	assert_contains "$output" "not committed in '$TREE': 'report'"
}

@test "--merge: a branch that deletes most of the base is refused, its files named; one that moves them is not" {
	for i in 1 2 3 4 5 6 7 8 9 10 11; do echo "content $i" >"f$i"; done
	git add f* && git commit -q -m files
	scenario_step 1 --effects 'git rm -q -r f*' --commit 'Drop them' --pass 1 --status DONE --promise
	work 0 1
	MAIN=$(git rev-parse main)
	finish 1 --merge
	assert_contains "$output" 'work would delete 11 of 12 tracked files of main, such as f1, f10, f11 and 8 more'
	at main "$MAIN"
	place moved
	scenario_step 1 --effects 'mkdir src; git mv f* src' --commit 'Move them' --pass 1 --status DONE --promise
	work 0 1
	TREES=3 finish 0 --merge
}
