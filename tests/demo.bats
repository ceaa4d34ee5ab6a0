#!/usr/bin/env bats
# wisp demo: a whole run in which things go wrong, and nothing is left behind.

load helper

@test "the scenario: each step leaves the project as the story needs it" {
	cp -R "$ROOT/libexec/demo/project" project
	cd project
	git init -q .
	git add -A
	git commit -q -m stub
	export WISP_DIVERGENCE_FILE=$BATS_TEST_TMPDIR/divergence.md
	run -0 sh test.sh

	for step in 0001/0 0002/1 0003/0 0004/1 0005/0 0007/0 0008/0; do
		if [[ $step == 0005/* ]]; then
			git checkout -q -- .
			git clean -q -f -d
		fi
		bash "$ROOT/libexec/demo/scenario/${step%/*}/effects.sh" || fail "$step"
		run "-${step#*/}" sh test.sh
	done
	assert_equal '9' "$(sh test.sh | grep -c '^ok:')"
	grep -q Spanish "$WISP_DIVERGENCE_FILE"
}

@test "the scenario: README.md shows what greet prints" {
	cp -R "$ROOT/libexec/demo/project" project
	cd project
	git init -q .
	export WISP_DIVERGENCE_FILE=$BATS_TEST_TMPDIR/divergence.md
	for step in 0007 0008; do
		mkdir -p tests
		bash "$ROOT/libexec/demo/scenario/$step/effects.sh"
	done
	wanted=''
	while read -r mark line; do
		if [[ $mark == '$' ]]; then
			wanted=$(bash -c "$line")
		elif [[ -n $wanted ]]; then
			assert_equal "$wanted" "$mark $line"
			wanted=''
		fi
	done < <(grep '^    ' README.md)
}

@test "demo: the whole story, exit 0, and the folder is gone" {
	run -0 --separate-stderr wisp demo
	assert_contains "$output" 'step 1 did one task.'
	assert_contains "$output" 'step 2 claimed a task, but the test script failed.'
	assert_contains "$output" 'step 3 did one task.'
	assert_contains "$output" 'step 4 died (outcome: error) without a state file'
	assert_contains "$output" 'step 5 said DONE and promised it, with 3 of 5 tasks passed.'
	assert_contains "$output" 'wisp made the commit.'
	assert_contains "$output" 'step 6 asked a question instead of guessing.'
	assert_contains "$output" 'step 7 did one task.'
	assert_contains "$output" 'step 8 said DONE and promised it, with 5 of 5 tasks passed.'
	assert_contains "$output" 'demo/greet: completed'
	assert_contains "$output" 'put away   refs/wisp/failed/demo/greet/0004'
	assert_contains "$output" 'Greet in Spanish and German'
	! wisp-sandbox driver --driver bwrap 2>/dev/null || assert_contains "$output" 'confined  bwrap'
	assert_equal '' "$(ls -A "$TMPDIR")"
	assert_equal '' "$(ls -A "$HOME")"
	[[ ! -e $WISP_HOME ]] || fail 'a record outside the folder'
}

@test "demo: where bwrap cannot confine a step it asks nothing, and says what does" {
	local by='not at all: the sandbox is off'

	mkdir bin
	printf '#!/bin/sh\nexit 1\n' >bin/bwrap
	chmod +x bin/bwrap
	PATH=$PWD/bin:$PATH
	run -0 script -qefc 'wisp demo' /dev/null </dev/null
	! wisp-sandbox driver --driver landlock >/dev/null 2>&1 || by=landlock
	assert_contains "$output" "confined  $by"
	assert_lacks "$output" 'unconfined from now on'
}

@test "demo: --dir keeps it, completed, and writes nowhere else" {
	run -0 wisp demo --dir 'my demo'
	cd 'my demo/greet'
	assert_equal completed "$(WISP_HOME=$PWD/../records wisp-state -C .wisp/sessions/demo/greet get -f session .status)"
	assert_equal 6 "$(git rev-list --count main..demo/greet)"
	assert_equal '' "$(git -C .wisp/worktrees/demo/greet status --porcelain)"
	(cd .wisp/worktrees/demo/greet && run -0 sh test.sh)
	assert_equal '' "$(ls -A "$TMPDIR")"
	[[ ! -e $WISP_HOME ]] || fail 'a record outside the folder'
}

@test "demo: the user's own settings do not change it" {
	mkdir -p "$XDG_CONFIG_HOME/wisp"
	git config --file "$XDG_CONFIG_HOME/wisp/config" limits.maxIterations 1
	git config --global commit.gpgsign true
	git config --global core.hooksPath "$PWD/hooks"
	run -0 env WISP_AGENT=nobody WISP_TEMPLATE=none GIT_DIR=/nowhere GIT_AUTHOR_NAME=x wisp -c stuck.noProgress=1 demo
}

@test "demo: wrong calls" {
	mkdir full
	touch full/file
	run -100 --separate-stderr wisp demo --dir full
	assert_stderr "wisp demo: 'full' is not empty"
	run -100 wisp demo --frob
	run -100 wisp demo operand
	run -100 wisp demo --dir
	run -111 --separate-stderr wisp demo --dir full/file/sub
	run -0 wisp demo --help
	assert_contains "$output" '--dir DIR'
}
