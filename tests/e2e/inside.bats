#!/usr/bin/env bats
# What a step may not do in a person's name, whatever it clears from its environment.

load ../helper
load ../helper-scenario
load helper-e2e

setup()
{
	project
	expect 0 wisp init --agent replay
	AS_PERSON="env -i PATH=$PATH HOME=$HOME WISP_HOME=$WISP_HOME"
	SAID=$BATS_TEST_TMPDIR/said CODES=$BATS_TEST_TMPDIR/codes
}

# tries HOW COMMAND...: effects of a step that gives each of these, words of HOW before it; its
# exit code goes to CODES.
tries()
{
	local how=$1 command
	shift

	for command; do
		printf '%s %s </dev/null >>%s 2>&1; echo "$?: %s" >>%s\n' "$how" "$command" "$SAID" "${command//\"/}" "$CODES"
	done
}

# refused N: just so many were tried, and none of them was for a step.
refused()
{
	assert_equal '' "$(grep -v '^100: ' "$CODES")"
	assert_equal "$1" "$(grep -c . "$CODES")"
	assert_equal '' "$(grep -v 'is not possible from' "$SAID")"
}

COMMANDS=(
	'wisp run other --trust' 'wisp plan x' 'wisp resume' 'wisp pause' 'wisp stop' 'wisp stop --now' 'wisp guide x'
	'wisp answer x' 'wisp attach' 'wisp shell' 'wisp update x' 'wisp review x' 'wisp done --merge' 'wisp rm work --force'
	'wisp rollback 0' 'wisp checkpoint save' 'wisp config verify.command true' 'wisp config --unset agent.default'
	'wisp init' 'wisp orchestrate x' 'wisp approve x' 'wisp reject x --feedback y'
	'wisp tasks work add --category docs x' 'wisp tasks work pass 1' 'wisp state work move halted' 'wisp state work set -f session .status 1'
	'wisp stuck work breaker reset' 'wisp-limit -C .wisp/sessions/work reset' 'wisp gate approve x' 'wisp gate reject x --feedback y'
	'wisp hook met 1' 'wisp hook unmet 1' 'wisp hook step-done 1' 'wisp hook cost 1' 'wisp hook error x' 'wisp hook pause'
	'wisp hook resume --trust' 'wisp hook cancel' 'wisp hook install' 'wisp hook uninstall' 'wisp hook graduate'
	'wisp-hook --json cancel' 'wisp-session -C .wisp/sessions/work request stop' 'wisp-session -C .wisp/sessions/work answer x'
	'wisp-session -C .wisp/sessions/work guide x' 'wisp-session -C .wisp/sessions/work renew' 'wisp-config renew'
	'wisp-config trust --add' 'wisp-orch -C .wisp/sessions/work note spawning x'
)

@test "inside: nothing of a person's works with a cleared environment, from the project's top, in a namespace or not" {
	local how before

	before=$(<.wisp/config)
	for how in true false; do
		[[ $how == false ]] || unshare -pf true 2>/dev/null || continue
		project "project-$how"
		expect 0 wisp init --agent replay
		before=$(<.wisp/config)
		: >"$CODES"
		: >"$SAID"
		scenario_step 1 --effects "cd '$PROJECT'; $(tries "$AS_PERSON" "${COMMANDS[@]}")" --pass 1 --status DONE --promise
		OPTIONS=(-c "step.pidNamespace=$how")
		work 0 1
		refused "${#COMMANDS[@]}"
		assert_equal "$before" "$(<.wisp/config)"
		entry 0 .tampered '[]'
		assert_equal 'main work' "$(git for-each-ref --format='%(refname:short)' refs/heads | tr '\n' ' ' | sed 's/ $//')"
		cd ..
	done
}

@test "inside: a step's grandchild in a session of its own, whose parents have ended, is one of the step" {
	scenario_step 1 --effects "cd '$PROJECT'; setsid sh -c '($AS_PERSON wisp answer x; echo \$? >$CODES) >$SAID 2>&1 &'
		until test -s $CODES; do sleep 0.02; done" --pass 1 --status DONE --promise
	OPTIONS=(-c step.pidNamespace=false)
	work 0 1
	assert_equal 100 "$(<"$CODES")"
	assert_contains "$(<"$SAID")" 'from inside a step'
}

@test "inside: a pid namespace that is not the loop's" {
	unshare -pf --mount-proc true 2>/dev/null || skip 'no pid namespace may be made here'
	unconfined
	scenario_step 1 --effects "cd '$PROJECT'; $(tries "unshare -pf --mount-proc $AS_PERSON" 'wisp pause' \
		'wisp config verify.command true' 'wisp tasks work pass 1' 'wisp run other')" --pass 1 --status DONE --promise
	work 0 1
	refused 4
	assert_contains "$(<"$SAID")" 'from another pid namespace than that of the loop of work'
}

@test "inside: what an agent writes into the lock does not make its pid namespace the loop's, nor another session nobody's" {
	unshare -pf --mount-proc true 2>/dev/null || skip 'no pid namespace may be made here'
	unconfined
	printf '%s\n' 'lock=$(echo "$WISP_HOME"/*/work/lock)' 'read -r pid host id space home <"$lock"' \
		'echo "$pid $host $id ${1:-$(readlink /proc/self/ns/pid)} $home" >"$lock"; exec 3<"$lock"; shift; "$@"' >"$BATS_TEST_TMPDIR/forge"
	scenario_step 1 --effects "cd '$PROJECT'; $(tries "unshare -pf --mount-proc $AS_PERSON bash '$BATS_TEST_TMPDIR/forge' ''" 'wisp pause' \
		'wisp tasks work pass 1' 'wisp-tasks -C .wisp/sessions/other add --category docs x')
		$(tries "unshare -pf --mount-proc $AS_PERSON bash '$BATS_TEST_TMPDIR/forge' -" 'wisp pause' 'wisp tasks work pass 1')" \
		--pass 1 --status DONE --promise
	place other
	work 0 1 --max-iterations 3
	rm -f "$SAID" "$CODES"
	place work
	work 0 1
	refused 5
}

@test "inside: something else mounted over /proc is believed nothing" {
	unshare -m true 2>/dev/null || skip 'no mount namespace may be made here'
	unconfined
	scenario_step 1 --effects "cd '$PROJECT'; $(tries "unshare -m sh -c 'mount -t tmpfs none /proc && exec \"\$@\"' sh $AS_PERSON" \
		'wisp pause' 'wisp-session -C .wisp/sessions/work request stop')" --pass 1 --status DONE --promise
	work 0 1
	refused 2
}

@test "inside: verify, metrics and worktree.setup are no person either, notify.command is" {
	expect 0 wisp config verify.command "cd '$PROJECT'; $AS_PERSON wisp pause >>$SAID 2>&1; echo \$? >>$CODES"
	expect 0 wisp config verify.metrics "cd '$PROJECT'; $AS_PERSON wisp pause >>$SAID 2>&1; echo \$? >>$CODES; echo {}"
	expect 0 wisp config worktree.setup "cd '$PROJECT'; $AS_PERSON wisp pause >>$SAID 2>&1; echo \$? >>$CODES"
	expect 0 wisp config notify.command "$AS_PERSON wisp guide 'as a person'; echo \$? >$BATS_TEST_TMPDIR/told"
	scenario_step 1 --pass 1 --status DONE --promise
	work 0 1
	assert_equal '100 100 100' "$(tr '\n' ' ' <"$CODES" | sed 's/ $//')"
	wait_until 10 test -s "$BATS_TEST_TMPDIR/told"
	assert_equal 0 "$(<"$BATS_TEST_TMPDIR/told")"
}

@test "inside: what only asks works, and a folder of no session is anybody's" {
	mkdir "$BATS_TEST_TMPDIR/folder"
	scenario_tasks 2 >"$BATS_TEST_TMPDIR/folder/tasks.json"
	scenario_step 1 --effects "cd '$PROJECT'; $(tries "$AS_PERSON" 'wisp status work' 'wisp list' 'wisp config verify.timeout' \
		'wisp tasks work count' 'wisp gate work exit --help' "wisp-tasks -C '$BATS_TEST_TMPDIR/folder' pass 2")" --pass 1 --status DONE --promise
	work 0 1
	assert_equal '' "$(grep -v '^0: ' "$CODES")"
	assert_equal 'passed=1' "$(wisp-tasks -C "$BATS_TEST_TMPDIR/folder" count | head -1)"
}

@test "inside: the hooks let go in a step, and the loop of the person stays as it is" {
	wisp hook start 'A spec' --criterion one >/dev/null 2>&1
	cp .loop/state.json "$BATS_TEST_TMPDIR/loop"
	scenario_step 1 --effects "cd '$PROJECT'
		echo '{\"session_id\": \"s\"}' | $AS_PERSON wisp hook stop >>$SAID 2>&1; echo \$? >>$CODES
		echo '{\"session_id\": \"s\"}' | $AS_PERSON wisp hook session-start >>$SAID 2>&1; echo \$? >>$CODES
		mkdir '$BATS_TEST_TMPDIR/new'; cd '$BATS_TEST_TMPDIR/new'
		$AS_PERSON wisp hook start spec --criterion c 2>>$BATS_TEST_TMPDIR/started; echo \$? >>$CODES
		$AS_PERSON wisp hook stop --schema prompt </dev/null >$BATS_TEST_TMPDIR/prompt; echo \$? >>$CODES" \
		--pass 1 --status DONE --promise
	work 0 1
	assert_equal '0 0 0 0' "$(tr '\n' ' ' <"$CODES" | sed 's/ $//')"
	assert_equal '' "$(<"$SAID")"
	assert_contains "$(<"$BATS_TEST_TMPDIR/started")" 'no loop is begun: this is inside a step'
	assert_equal '{"ok":true,"reason":"no active loop"}' "$(<"$BATS_TEST_TMPDIR/prompt")"
	[[ ! -e $BATS_TEST_TMPDIR/new/.loop ]]
	cmp .loop/state.json "$BATS_TEST_TMPDIR/loop"
	assert_contains "$(echo '{"session_id": "s"}' | wisp hook stop)" '"block"'
}

# Not held off: docs/security.md says so.
@test "inside: what a server that ran before starts is no child of the step" {
	local ask=$BATS_TEST_TMPDIR/ask child=$BATS_TEST_TMPDIR/child

	mkfifo "$ask"
	ASK=$ask sh -c 'read -r said <"$ASK"; sh -c "$said"' 3>&- &
	scenario_step 1 --effects "echo 'cd $PROJECT; wisp guide \"read this\" >$SAID; echo \$? >$CODES; echo \$\$ >$child; exec sleep 600' >'$ask'
		until test -s $child; do sleep 0.02; done" --pass 1 --status DONE --promise
	work 0 1
	assert_equal 0 "$(<"$CODES")"
	kill "$(<"$child")" || fail 'it was ended'
}
