# wisp rm, wisp checkpoint and wisp diff: what is kept of a session, and how it goes.

load helper
load helper-session
load helper-scenario
load e2e/helper-terminal

setup()
{
	make_repo project
	cd project || return 1
	scenario_new
	scenario_step 1 --pass 1 --status CONTINUE --effects 'echo one >one' --commit 'Add one'
	scenario_step 2 --effects 'echo litter >litter' --exit 3
	scenario_step 3 --pass 2 --status DONE --promise --effects 'echo two >two; echo loose >loose'
}

teardown()
{
	end_tmux
	session_drop
	helper_teardown
}

# The session of most tests: iteration 1 and 3 good, 2 put away; all committed by the end.
finished()
{
	session_run feature/x 2
	assert_equal 0 "$status"
	WORKTREE=$PWD/.wisp/worktrees/feature/x
}

refs()
{
	git for-each-ref --format='%(refname)' refs/wisp
}

@test "checkpoints are listed with iteration, head and tasks" {
	finished
	run -0 --separate-stderr wisp checkpoint
	assert_equal 3 "${#lines[@]}"
	assert_contains "${lines[0]}" 'iteration 0'
	assert_contains "${lines[1]}" 'iteration 1'
	assert_contains "${lines[1]}" 'tasks 1/2'
	assert_contains "${lines[1]}" "HEAD $(git rev-parse --short=12 feature/x~1)"
	assert_contains "${lines[2]}" 'iteration 3'
	assert_contains "${lines[2]}" 'tasks 2/2'
	run -0 wisp checkpoint list feature/x --json
	assert_equal '[[0,0],[1,1],[3,2]]' "$("$JQ" -c '[.[] | [.iteration,.tasks.passed]]' <<<"$output")"
	assert_equal "$(git rev-parse refs/wisp/checkpoints/feature/x/0003)" "$("$JQ" -r '.[2].commit' <<<"$output")"
}

@test "diff shows what one iteration changed, untracked files too" {
	finished
	run -0 wisp diff 1
	assert_contains "$output" '+++ b/one'
	assert_lacks "$output" two
	run -0 wisp diff --stat
	assert_contains "$output" 'loose | 1 +'
	assert_contains "$output" 'two   | 1 +'
	assert_lacks "$output" 'one '
	run -0 wisp diff feature/x 2
	assert_contains "$output" '+++ b/litter'
	run -1 --separate-stderr wisp diff 7
	assert_stderr 'wisp diff: nothing is kept of iteration 7, or of the tree before it; `wisp checkpoint` lists what is'
	run -100 --separate-stderr wisp diff feature/x 1 2
	assert_contains "$stderr" 'unexpected argument'
}

@test "diff runs no program that the repository names" {
	finished
	git config diff.external 'touch ran; false'
	git config core.pager 'touch ran; cat'
	printf '* diff=evil\n' >.git/info/attributes
	git config diff.evil.textconv 'touch ran; cat'
	run -0 wisp diff 1
	assert_contains "$output" '+++ b/one'
	[[ ! -e ran && ! -e $WORKTREE/ran ]]
}

@test "what was rolled back is neither listed nor shown" {
	finished
	run -0 wisp rollback 1
	run -0 wisp checkpoint
	assert_equal 2 "${#lines[@]}"
	assert_contains "${lines[1]}" 'iteration 1'
	run -0 wisp diff --stat
	assert_contains "$output" 'one | 1 +'
	assert_lacks "$output" loose
}

@test "saving makes the tree as it is the last checkpoint, and the next step begins there" {
	finished
	echo mine >"$WORKTREE/mine"
	run -0 wisp checkpoint save
	assert_output 'saved the work tree of feature/x as the checkpoint of iteration 3'
	run -0 git show refs/wisp/checkpoints/feature/x/0003:mine
	assert_output mine
	assert_equal '["adopted",["mine"]]' \
		"$("$JQ" -c '.feedback[-1] | [.kind,.items]' "$STATE/record.json")"
	assert_equal '' "$(ls "$TMPDIR")"
}

@test "save and rm leave a session alone whose loop lives" {
	finished
	session_hold
	run -17 --separate-stderr wisp checkpoint save feature/x
	assert_contains "$stderr" 'wisp checkpoint: the session feature/x is busy: '
	assert_lacks "$stderr" 'process  on'
	run -17 --separate-stderr wisp rm feature/x --force
	assert_contains "$stderr" 'wisp rm: the session feature/x is busy: '
	[[ -d $DIR && -d $STATE && -d $WORKTREE ]]
}

@test "rm removes work tree, refs and folders, says so, and keeps the branch" {
	finished
	local tip failed
	tip=$(git rev-parse feature/x) failed=$(git rev-parse refs/wisp/failed/feature/x/0002)
	run -0 --separate-stderr wisp rm feature/x
	assert_output "removed the work tree $WORKTREE
removed the work put away in iteration 2 (git show $failed)
removed 4 refs in refs/wisp
removed $STATE
removed $DIR"
	assert_equal '' "$(refs)"
	assert_equal "$tip" "$(git rev-parse feature/x)"
	[[ ! -e .wisp/sessions/feature && ! -e .wisp/worktrees/feature && ! -e ${STATE%/x} ]]
	assert_equal 1 "$(git worktree list | wc -l)"
	run -0 --separate-stderr wisp list --all
	assert_output ''
}

@test "rm removes a cache whose folders nobody may write, such as that of Go's modules" {
	finished
	local cache=$STATE/caches
	mkdir -p "$cache/go-mod/example.org/m"
	: >"$cache/go-mod/example.org/m/m.go"
	chmod -R a-w "$cache/go-mod"
	run -0 as_user wisp rm feature/x
	assert_contains "$output" "removed $STATE"
	[[ ! -e $STATE ]]
}

@test "rm without a name asks at a terminal, and refuses elsewhere" {
	finished
	run -100 --separate-stderr wisp rm --branch
	assert_stderr 'wisp rm: a session is removed by its name: wisp rm feature/x'
	[[ -e $DIR/session.json && -e $WORKTREE ]]
	typed wisp rm --branch
	sees 'Remove the session feature/x and its branch? [y/N]'
	press Enter
	sees 'the session feature/x is not removed'
	sees_end 100
	[[ -e $DIR/session.json && -e $WORKTREE ]]
	typed wisp rm
	sees 'Remove the session feature/x? [y/N]'
	press y Enter
	sees_end 0
	[[ ! -e $DIR && ! -e $WORKTREE ]]
}

@test "rm refuses what would lose uncommitted work" {
	finished
	echo new >"$WORKTREE/new"
	run -100 --separate-stderr wisp rm feature/x
	assert_stderr "wisp rm: '$WORKTREE' has uncommitted changes, such as 'new'; commit them first; --force removes it all the same"
	[[ -e $WORKTREE/new && -e $DIR/session.json && -n $(refs) ]]
	run -0 wisp rm feature/x --force
	[[ ! -e $WORKTREE && ! -e $DIR ]]
}

@test "rm refuses what would lose commits that are on no branch" {
	finished
	git -C "$WORKTREE" switch -q --detach
	git -C "$WORKTREE" commit -q --allow-empty -m 'Beside'
	run -100 --separate-stderr wisp rm feature/x
	assert_contains "$stderr" "has commits that are on no branch: $(git -C "$WORKTREE" rev-parse HEAD)"
	[[ -e $DIR/session.json ]]
}

@test "rm --branch refuses an unmerged branch, and removes a merged one" {
	finished
	local tip
	tip=$(git rev-parse feature/x)
	run -100 --separate-stderr wisp rm feature/x --branch
	assert_stderr "wisp rm: the commits of 'feature/x' are on no other branch (its tip is $tip); without --branch it stays, wisp done --merge lands it; --force removes it all the same"
	[[ -e $WORKTREE && -e $DIR/session.json ]]
	git merge -q feature/x
	run -0 wisp rm feature/x --branch
	assert_contains "$output" "removed the branch feature/x (it was at $tip)"
	run -1 git rev-parse -q --verify feature/x
}

@test "rm --branch changes the configuration only where it speaks of the branch" {
	finished
	git merge -q feature/x
	git config branch.feature/x.y.remote origin
	: >.git/config.lock
	: >.git/refs/heads/feature/x.lock
	run -0 wisp rm feature/x --branch
	rm .git/config.lock
	run -1 git rev-parse -q --verify feature/x
	assert_equal origin "$(git config branch.feature/x.y.remote)"
}

@test "rm --branch takes the branch out of the configuration, first" {
	finished
	git merge -q feature/x
	git config branch.feature/x.remote origin
	: >.git/config.lock
	run -111 wisp rm feature/x --branch
	git rev-parse -q --verify feature/x
	rm .git/config.lock
	run -0 wisp rm feature/x --branch
	run -1 git config branch.feature/x.remote
	run -1 git rev-parse -q --verify feature/x
}

@test "rm --branch leaves a branch that is being rebased" {
	finished
	rm -rf "$WORKTREE"
	git worktree prune
	git switch -q feature/x
	git rebase -q -x false HEAD~1 || :
	run -111 wisp rm feature/x --branch --force
	git rev-parse -q --verify feature/x
}

@test "rm can be repeated after it was cut off, and takes a broken record" {
	finished
	rm -rf "$WORKTREE"
	echo '{' >"$STATE/record.json"
	run -0 wisp rm feature/x
	[[ ! -e $DIR && ! -e $STATE && -z $(refs) ]]
	run -100 --separate-stderr wisp rm feature/x
	assert_contains "$stderr" "no session 'feature/x'"
}

@test "rm that is killed at a removal, or in the middle of one, can be repeated" {
	local rm

	finished
	rm=$(type -P rm)
	mkdir ../bin ../saved
	cat >../bin/rm <<-END
		#!/bin/bash
		echo >>"\$COUNT"
		if [[ \$(wc -l <"\$COUNT") -eq \$AT ]]; then
			[[ \$HOW == half ]] && $rm -rf "\${!#}/session.json" "\${!#}/gitdir" || $rm "\$@"
			kill -KILL \$PPID
			exit
		fi
		exec $rm "\$@"
	END
	chmod +x ../bin/rm
	cp -Rp ../project ../saved/
	cp -Rp "$WISP_HOME" ../saved/wisp
	export HOW AT COUNT=$BATS_TEST_TMPDIR/count
	for HOW in half all; do
		for ((AT = 1; AT < 40; AT++)); do
			cd .. && rm -rf project "$WISP_HOME" "$COUNT" && cp -Rp saved/project . && cp -Rp saved/wisp "$WISP_HOME" && cd project
			run env PATH="${PWD%/*}/bin:$PATH" wisp rm feature/x --branch --force
			((status)) || break
			run wisp rm feature/x --branch --force
			((status == 0)) || assert_contains "$output" "no session 'feature/x'"
			assert_equal "" "$(find .wisp/sessions .wisp/worktrees "$WISP_HOME"/*/feature -mindepth 1 ! -path '.wisp/sessions/feature*' -o -type f 2>/dev/null; refs; git branch --list feature/x; find .git/worktrees .git/wisp/removed -mindepth 1 2>/dev/null)"
		done
		((AT > 3 && AT < 40))
	done
}

@test "another session stays as it is" {
	finished
	scenario_new
	scenario_step 1 --pass 1 --status DONE --promise
	session_run feature/y 1
	run -0 wisp rm feature/x
	assert_equal 'refs/wisp/checkpoints/feature/y/0000
refs/wisp/checkpoints/feature/y/0001' "$(refs)"
	run -0 wisp status feature/y
	assert_contains "$output" 'feature/y: completed'
	[[ -d .wisp/worktrees/feature/y ]]
}

@test "a step cannot remove a session or save a checkpoint" {
	finished
	export WISP_ITERATION=1 WISP_SESSION_DIR=$DIR
	run -100 --separate-stderr wisp rm feature/x --force
	assert_stderr 'wisp rm: removing a session is not possible from inside a step'
	run -100 --separate-stderr wisp checkpoint save
	assert_stderr 'wisp checkpoint: saving a checkpoint is not possible from inside a step'
	[[ -e $DIR/session.json ]]
}
