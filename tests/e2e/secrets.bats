#!/usr/bin/env bats
# Values that must not be read by others: out of all that is kept, and not pushed.

load ../helper
load ../helper-scenario
load helper-e2e

setup()
{
	project
	wisp config agent.replay.env AGENT_KEY=agent-0123456789
	wisp config verify.env VERIFY_KEY
	export VERIFY_KEY=verify-0123456789
}

# unseen FOLDER...: neither value is in a file there, but for those that the agent itself wrote.
unseen()
{
	assert_equal '' "$(grep -rlE 'agent-0123456789|verify-0123456789' "$@" | grep -v '/replay/' | grep -vE '/(state|tasks)(\.[a-z]+)?\.json$|/good/' || :)"
}

@test "known values are in no log, prompt, feedback, report or notification, also where a read cuts them" {
	# shellcheck disable=SC2016 # the shell of the command expands it
	wisp config verify.command 'printf "key verify-01"; printf "234%s " 56789; echo "$VERIFY_KEY, and agent-0123456789"; test -e fine'
	OPTIONS=(-c notify.command='cat >>"$HOME/told"; echo "$WISP_TEXT" >>"$HOME/told"')
	# shellcheck disable=SC2016 # the agent expands it
	scenario_step 1 --effects 'echo "out $AGENT_KEY"; echo "err $AGENT_KEY" >&2; printf agent-0123; printf "%s\n" 456789' \
		--pass 1 --status CONTINUE --summary 'I used agent-0123456789 and verify-0123456789'
	scenario_step 2 --status NEEDS_INPUT --question 'Is agent-0123456789 right?'
	scenario_step 3 --effects 'touch fine' --pass '1 2' --status DONE --promise
	work 10 2
	wait_until 20 test -s "$HOME/told"
	assert_lacks "$output" 0123456789
	assert_contains "$(<"$DIR/steps/0001/output.log")" 'out [secret AGENT_KEY]'
	assert_contains "$(<"$DIR/steps/0001/output.log")" 'err [secret AGENT_KEY]'
	assert_contains "$(<"$DIR/steps/0001/verify.log")" 'key [secret VERIFY_KEY] [secret VERIFY_KEY], and [secret AGENT_KEY]'
	assert_contains "$(prompt 0002)" 'I used [secret AGENT_KEY] and [secret VERIFY_KEY]'
	assert_contains "$(prompt 0002)" 'key [secret VERIFY_KEY]'
	assert_contains "$(<"$HOME/told")" 'Is [secret AGENT_KEY] right?'
	wisp answer "$BRANCH" 'take verify-0123456789'
	again 0
	assert_contains "$(prompt 0003)" 'take [secret VERIFY_KEY]'
	assert_lacks "$output" 0123456789
	unseen "$DIR/steps" "$HOME/told"
	assert_lacks "$(wisp log "$BRANCH")$(wisp status "$BRANCH")" 0123456789
}

@test "what a repository's file would set, and what became otherwise, is told without the values" {
	git config --file .wisp/config --add verify.env OTHER=other-0123456789
	expect 100 wisp run "$BRANCH" --agent replay --spec README
	assert_contains "$output" 'verify.env=OTHER=[secret OTHER]'
	assert_contains "$(wisp doctor)" 'verify.env=OTHER=[secret OTHER]'
	assert_lacks "$output$(wisp doctor)" 0123456789
	wisp config verify.env OTHER=other-0123456789
	scenario_step default --effects 'date >>x' --status CONTINUE
	work 15 1 --once
	wisp config verify.env OTHER=another-0123456789
	again 15 --once
	assert_contains "$output" 'verify.env OTHER=... -> OTHER=...'
	assert_lacks "$output" 0123456789
}

@test "a login's values are known by the agent's table and its script; doctor names what is too common to be hidden" {
	mkdir -p .wisp/agents "$HOME/.mine"
	printf '# Login: MY_TOKEN MY_URL\n' >.wisp/agents/mine
	printf '%s\n' 'config MINE_DIR ~/.other' 'login ~/.mine/login.json' >.wisp/agents/mine.sandbox
	printf '{"o": {"accessToken": "login-0123456789", "plan": "plan-0123456789"}}' >"$HOME/.mine/login.json"
	export MY_TOKEN=token-0123456789 MY_URL=url-0123456789
	# shellcheck disable=SC2016 # the agent expands it
	scenario_step 1 --effects 'echo "$(cat ~/.mine/login.json), token-0123456789, url-0123456789"' --pass 1 --status DONE --promise
	wisp config verify.command true
	wisp config agent.replay.env WORD=production
	wisp config --add agent.replay.env TINY=short
	work 0 1 --trust
	assert_contains "$(<"$DIR/steps/0001/output.log")" \
		'{"o": {"accessToken": "[secret mine login]", "plan": "plan-0123456789"}}, [secret MY_TOKEN], url-0123456789'
	run wisp doctor
	assert_contains "$output" 'not taken out of logs and prompts: WORD (it is a word), TINY (it is shorter than 8 bytes)'
}

@test "done --push and --pr refuse commits with a known value, and name the file and the secret, not the value" {
	# shellcheck disable=SC2016 # the agent expands it
	scenario_step 1 --effects 'mkdir -p "a b"; { head -c 65530 /dev/zero | tr "\0" x; echo "$AGENT_KEY"; } >"a b/settings"' \
		--pass 1 --commit 'Add settings' --status CONTINUE
	scenario_step 2 --effects 'echo none >"a b/settings"' --pass 2 --commit 'For verify-0123456789' --status DONE --promise
	work 0 2
	git init -q --bare "$BATS_TEST_TMPDIR/origin.git"
	git remote add origin "$BATS_TEST_TMPDIR/origin.git"
	for option in --push --pr '--push --dry-run'; do
		# shellcheck disable=SC2086 # two words
		expect 1 wisp done "$BRANCH" $option
		assert_contains "$output" "'a b/settings' has [secret AGENT_KEY]"
		assert_contains "$output" "the commit $(git rev-parse --short=12 "$BRANCH") has [secret VERIFY_KEY]"
		assert_contains "$output" "a secret would be pushed with $BRANCH"
		assert_lacks "$output" 0123456789
	done
	assert_equal '' "$(git ls-remote origin)"
	# What the remote has already is not asked about, nor is anything where no value is known.
	git push -q origin "$BRANCH"
	echo more >"$TREE/more"
	git -C "$TREE" add more
	git -C "$TREE" commit -q -m 'Add more'
	expect 0 wisp done "$BRANCH" --push
	assert_equal "$(git rev-parse "$BRANCH")" "$(git ls-remote origin "refs/heads/$BRANCH" | cut -f 1)"
}

@test "done --push: where a name in a folder is a known value, that is named, and git's failure is none" {
	scenario_step 1 --effects 'mkdir d; echo x >d/agent-0123456789' --pass 1 --commit 'Add d' --status DONE --promise
	work 0 1
	git init -q --bare "$BATS_TEST_TMPDIR/origin.git"
	git remote add origin "$BATS_TEST_TMPDIR/origin.git"
	expect 1 wisp done "$BRANCH" --push
	assert_contains "$output" "a name in 'd' has [secret AGENT_KEY]"
	assert_lacks "$output" 0123456789
	run -102 wisp-config found <<<'failed'
}
