# wisp doctor: a line for each check, 0 only if a run can start.

load helper
load helper-scenario
load helper-session

setup()
{
	make_repo project
	cd project || return 1
	scenario_new
	wisp init --agent replay --verify 'make check' >/dev/null
}

# line NAME: what was said about it.
line()
{
	grep -E "^(ok  |warn|FAIL) $1: " <<<"$output"
}

# doctor CODE [OPTION]...
doctor()
{
	local code=$1
	shift
	run "-$code" --separate-stderr wisp doctor "$@"
	assert_stderr ''
}

# without TOOL: a PATH in which it is not.
without()
{
	local file dir=$BATS_TEST_TMPDIR/bin
	mkdir -p "$dir"
	for file in /usr/bin/* /bin/*; do
		[[ ${file##*/} == "$1" || -e $dir/${file##*/} ]] || ln -s "$file" "$dir/${file##*/}"
	done
	PATH=$ROOT/bin:$WISP_BUILD:$dir
}

@test "all is well: a line each, no FAIL, 0" {
	doctor 0
	local name
	for name in git bash tmux programs kernel repository disk template config agent records sessions worktrees refs; do
		line "$name" >/dev/null || fail "no line for $name in: $output"
	done
	assert_lacks "$output" 'FAIL '
	assert_equal "15 checks, 0 warn, 0 FAIL: a run can start" "${lines[${#lines[@]}-1]}"
	assert_equal "ok   repository: $PWD" "$(line repository)"
	assert_equal "ok   config: verify.command is 'make check'" "$(line config)"
	assert_equal "ok   template: default, the project's copy, 0 files edited" "$(line template)"
	assert_contains "$(line agent)" 'ok   agent: replay 1 ('
}

@test "what confines a step is named; a FAIL where nothing can" {
	unset WISP_CONFIG_SET
	without bwrap
	doctor 1 -c sandbox=bwrap
	assert_contains "$(line sandbox)" 'FAIL sandbox: nothing can confine a step here (bwrap: bwrap is not found: install'
	WISP_LANDLOCK_ABI=0 doctor 1
	assert_contains "$(line sandbox)" 'FAIL sandbox: nothing can confine a step here ('
	doctor 0 -c sandbox=off
	assert_equal 'ok   sandbox: off: nothing confines a step' "$(line sandbox)"
}

@test "variables that the project's files name and its tests are not given" {
	export DATABASE_URL=db OTHER_SECRET=s
	doctor 0
	assert_lacks "$output" withholds
	printf 'check:\n\tpsql "$$DATABASE_URL"\n' >Makefile
	doctor 0
	assert_contains "$(line environment)" 'wisp withholds DATABASE_URL from it: wisp config --add verify.env DATABASE_URL'
	wisp config --add verify.env DATABASE_URL
	doctor 0
	assert_lacks "$output" environment
}

@test "--json is one document with the same" {
	doctor 0 --json
	assert_equal '[1,true]' "$("$JQ" -c '[.version,.ok]' <<<"$output")"
	assert_equal '"ok"' "$("$JQ" -c '.checks[] | select(.name == "agent").status' <<<"$output")"
	unset WISP_REPLAY
	doctor 1 --json
	assert_equal '[false,"FAIL","replay: no scenario: set WISP_REPLAY or agent.replay.args"]' \
		"$("$JQ" -c '[.ok] + [.checks[] | select(.name == "agent") | .status, .text]' <<<"$output")"
}

@test "the agent: not there, not able, not ours, and the one asked for" {
	doctor 1 --agent claude
	assert_contains "$(line agent)" 'FAIL agent: claude: claude is not in PATH'
	doctor 1 --agent nothing
	assert_contains "$(line agent)" "FAIL agent: no agent 'nothing'"
	mkdir .wisp/agents
	printf '#!/bin/sh\ntouch started\n' >.wisp/agents/own
	chmod +x .wisp/agents/own
	doctor 0 --agent own
	assert_equal 'ok   agent: own, not asked: it is not one that ships with wisp' "$(line agent)"
	doctor 0 --agent ./.wisp/agents/own
	assert_contains "$(line agent)" 'not asked'
	[[ ! -e started ]]
}

@test "git that is missing or too old is a FAIL, no tmux a warning" {
	mkdir old
	printf '#!/bin/sh\n[ "$1" != version ] || { echo "git version 2.29.3"; exit; }\nexec /usr/bin/git "$@"\n' >old/git
	chmod +x old/git
	PATH=$PWD/old:$PATH doctor 1
	assert_equal 'FAIL git: 2.29.3; 2.30 or newer is needed' "$(line git)"
	printf '#!/bin/sh\n[ "$1" != version ] || { echo "git version 3.1"; exit; }\nexec /usr/bin/git "$@"\n' >old/git
	PATH=$PWD/old:$PATH doctor 0
	without tmux
	doctor 0
	assert_contains "$(line tmux)" 'warn tmux: not found'
}

@test "a program of another version, or none, is a FAIL" {
	mkdir programs
	ln -s "$WISP_BUILD"/wisp-* programs/
	rm programs/wisp-tasks programs/wisp-limit
	printf '#!/bin/sh\necho wisp-tasks 0.0.1\n' >programs/wisp-tasks
	chmod +x programs/wisp-tasks
	PATH=$ROOT/bin:/usr/bin:/bin WISP_BUILD=$PWD/programs doctor 1
	assert_contains "$(line programs)" 'FAIL programs: wisp-tasks 0.0.1, wisp-limit does not run; this is wisp '
}

@test "no repository, no commit, no name to commit with" {
	mkdir "$BATS_TEST_TMPDIR/nowhere"
	cd "$BATS_TEST_TMPDIR/nowhere"
	doctor 1 --agent replay
	assert_equal 'FAIL repository: none here: git init makes one' "$(line repository)"
	git init -q
	doctor 1 --agent replay
	assert_equal "FAIL repository: '$PWD' has no commit yet: make one first" "$(line repository)"
	git commit -q --allow-empty -m Begin
	unset GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
	git config user.useConfigOnly true
	doctor 1 --agent replay
	assert_contains "$(line repository)" 'FAIL repository: git knows no name'
	assert_contains "$(line init)" 'warn init: not done here'
}

@test "a configuration that does not hold is a FAIL, with the file" {
	git config --file .wisp/config limits.maxHour 3
	doctor 1
	assert_contains "$(line config)" 'FAIL config: '
	assert_contains "$(line config)" "$PWD/.wisp/config"
	assert_contains "$(line config)" limits.maxHours
}

@test "a session without verify is warned of; so is what nobody allowed" {
	git config --file .wisp/config --unset-all verify.command
	doctor 0
	assert_equal 'warn config: no verify.command: what sessions do is unverified' "$(line config)"
	git config --file .wisp/config notify.command 'curl evil'
	doctor 0
	assert_contains "$(line config)" 'warn config: project files set commands that you have not approved'
	assert_contains "$(line config)" 'notify.command=curl evil'
}

@test "a template copy that is behind is named" {
	echo changed >>.wisp/templates/default/system.md
	doctor 0
	assert_equal "ok   template: default, the project's copy, 1 files edited" "$(line template)"
	rm .wisp/templates/default/update-tasks.md
	doctor 0
	assert_equal "warn template: default is behind what is shipped: update-tasks.md (wisp init renews what is not edited)" \
		"$(line template)"
	WISP_TEMPLATE=nothing doctor 1
	assert_contains "$(line template)" "FAIL template: no template 'nothing'"
}

@test "records that cannot be written are a FAIL" {
	touch "$BATS_TEST_TMPDIR/file"
	WISP_HOME=$BATS_TEST_TMPDIR/file doctor 1
	assert_equal "FAIL records: cannot write in '$BATS_TEST_TMPDIR/file'" "$(line records)"
}

@test "a template in use that does not hold is a FAIL, another one a warning; each has a line" {
	cp -R .wisp/templates/default .wisp/templates/mine
	cp -R "$ROOT/templates/tdd" .wisp/templates/tdd
	echo '{"name": "mine", "config": {"limits.maxIteration": 5}}' >.wisp/templates/mine/loop.json
	doctor 0
	assert_equal 3 "$(line template | wc -l | tr -d ' ')"
	assert_contains "$(line template)" "warn template: mine: $PWD/.wisp/templates/mine/loop.json:"
	assert_contains "$(line template)" limits.maxIterations
	assert_contains "$(line template)" 'template: tdd'
	WISP_TEMPLATE=mine doctor 1
	assert_contains "$(line template)" "FAIL template: mine: $PWD/.wisp/templates/mine/loop.json:"
	sed 's/"gate": *"/&((/' .wisp/templates/tdd/loop.json >new
	mv new .wisp/templates/tdd/loop.json
	WISP_TEMPLATE=tdd doctor 1
	assert_contains "$(line template)" 'FAIL template: tdd: '
}

@test "a session whose loop is gone, and one that cannot be read, with what mends it" {
	session_make stale status=running
	session_make fine status=paused
	doctor 0
	assert_equal 'warn sessions: the loop of stale died: wisp resume stale' "$(line sessions)"
	session_make broken
	echo '{' >"$STATE/record.json"
	doctor 0
	assert_contains "$(line sessions)" 'warn sessions: broken: record.json was damaged (unexpected end of JSON)'
	echo '{' >"$DIR/session.json"
	doctor 0
	assert_contains "$(line sessions)" 'warn sessions: broken cannot be read: wisp status broken says why'
	rm -r .wisp/sessions "$WISP_HOME"
	session_make fine
	doctor 0
	assert_equal 'ok   sessions: 1, none of them stale' "$(line sessions)"
}

@test "work trees and refs of no session, each with a command that mends it" {
	local command
	scenario_step default --effects 'echo x >x' --status CONTINUE
	session_run work 1 --once
	doctor 0
	assert_equal 'ok   worktrees: each belongs to a session' "$(line worktrees)"
	assert_equal 'ok   refs: refs/wisp holds the work of sessions alone' "$(line refs)"
	session_run other 1 --once
	rm -r "$STATE" .wisp/sessions/other
	doctor 0
	assert_equal "warn worktrees: '$PWD/.wisp/worktrees/other' belongs to no session: git worktree remove $PWD/.wisp/worktrees/other" \
		"$(line worktrees)"
	assert_contains "$(line refs)" 'warn refs: refs/wisp holds work of other, which has no session: git for-each-ref'
	command=$(line refs)
	bash -c "git${command#*: git}" || fail "it does not mend: $command"
	rm -r .wisp/worktrees/other
	doctor 0
	assert_equal 'ok   refs: refs/wisp holds the work of sessions alone' "$(line refs)"
	assert_contains "$(line worktrees)" "is gone, and git still has it registered: git worktree prune"
	git worktree prune
	doctor 0
	assert_equal 'ok   worktrees: each belongs to a session' "$(line worktrees)"
	git rev-parse -q --verify refs/wisp/checkpoints/work/0001 >/dev/null || fail 'the wrong refs were dropped'
}

@test "a folder in TMPDIR of a command that was killed is named, one of a command that runs is not" {
	local gone

	: &
	gone=$!
	wait "$gone" || :
	mkdir "$TMPDIR/wisp.$gone.abcdef" "$TMPDIR/wisp.$$.abcdef" "$TMPDIR/wisp.x.abcdef"
	touch "$TMPDIR/wisp.$gone.file00"
	doctor 0
	run -0 line scratch
	assert_output "warn scratch: '$TMPDIR/wisp.$gone.abcdef' was left by process $gone, which has ended: rm -r $TMPDIR/wisp.$gone.abcdef
warn scratch: '$TMPDIR/wisp.$gone.file00' was left by process $gone, which has ended: rm -r $TMPDIR/wisp.$gone.file00"
}

@test "a notification that failed is told of, until one arrives" {
	session_make main
	printf '2026-01-16T10:00:00Z told stuck\n2026-01-16T11:00:00Z FAILED needs_input: it ended with 7 (notify.command: false)\n' >"$DIR/notify.log"
	doctor 0
	assert_equal 'warn notify: the last one of main, at 2026-01-16T11:00:00Z: needs_input: it ended with 7 (notify.command: false): wisp config notify.command sets another' \
		"$(line notify)"
	echo '2026-01-16T12:00:00Z told completed' >>"$DIR/notify.log"
	wisp config notify.command 'tell me' >/dev/null
	doctor 0
	assert_equal "ok   notify: notify.command is 'tell me'" "$(line notify)"
}

@test "a file system on which files are not replaced or locked is a FAIL" {
	printf '#!/bin/sh\n[ "$1" != disk ] || [ "$2" != "%s/.wisp" ] || { echo "wisp-session: a lock (flock) does not hold" >&2; exit 1; }\nexec "%s" "$@"\n' \
		"$PWD" "$WISP_BUILD/wisp-session" >session
	mkdir programs
	ln -s "$WISP_BUILD"/wisp-* programs/
	rm programs/wisp-session
	mv session programs/wisp-session
	chmod +x programs/wisp-session
	PATH=$ROOT/bin:/usr/bin:/bin WISP_BUILD=$PWD/programs doctor 1
	assert_equal 'FAIL disk: a lock (flock) does not hold' "$(line disk)"
	run -0 --separate-stderr wisp-session disk "$PWD"
	assert_equal '' "$(find . -name '.wisp-doctor*')"
	run -1 --separate-stderr wisp-session disk "$PWD/nowhere"
	assert_contains "$stderr" "cannot write and sync a file in '$PWD/nowhere'"
}
