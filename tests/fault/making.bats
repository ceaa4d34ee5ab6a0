#!/usr/bin/env bats
# A session is made: by several commands at once, of which one has it, and by one that is killed
# anywhere, after which the same command makes it whole.

load ../helper
load ../helper-scenario

FILES=30

setup()
{
	PIDS=()
	make_repo repo
	cd repo || exit 1
	PROJECT=$PWD
	for ((i = 1; i <= FILES; i++)); do
		echo "$i" >"f$i"
	done
	git add . && git commit -q -m 'Files'
	scenario_new
	scenario_step default --pass 1 --effects 'echo done >work' --commit 'Work' --status DONE --promise
	scenario_tasks 1 >../tasks.json
	RUN=(wisp run b --agent replay --tasks "$BATS_TEST_TMPDIR/tasks.json" --foreground)
}

teardown()
{
	local pid

	: >"$BATS_TEST_TMPDIR/go"
	for pid in ${PIDS[@]+"${PIDS[@]}"}; do
		kill -KILL "$pid" 2>/dev/null || :
	done
	helper_teardown
}

# programs: wrappers of git, wisp-state and wisp-session, which see CASE (bash, with their arguments); then the real one runs.
programs()
{
	local program

	GIT=$(type -P git)
	mkdir "$BATS_TEST_TMPDIR/programs"
	for program in "$WISP_BUILD"/wisp-*; do
		[[ ! -x $program || -d $program ]] || ln -s "$program" "$BATS_TEST_TMPDIR/programs/"
	done
	rm "$BATS_TEST_TMPDIR/programs"/wisp-{state,session}
	for program in "git $GIT" "wisp-state $WISP_BUILD/wisp-state" "wisp-session $WISP_BUILD/wisp-session"; do
		cat >"$BATS_TEST_TMPDIR/programs/${program%% *}" <<-END2
			#!$BASH
			[[ ! -r '$BATS_TEST_TMPDIR/case' ]] || source '$BATS_TEST_TMPDIR/case' "\$@"
			exec '${program#* }' "\$@"
		END2
		chmod +x "$BATS_TEST_TMPDIR/programs/${program%% *}"
	done
	export WISP_BUILD=$BATS_TEST_TMPDIR/programs PATH=$BATS_TEST_TMPDIR/programs:$PATH
}

# start NAME COMMAND...: in a process group of its own; what it says is in the file NAME. Sets PID.
start()
{
	set -m
	"${@:2}" </dev/null >"$BATS_TEST_TMPDIR/$1" 2>&1 3>&- &
	PID=$!
	set +m
	PIDS+=("$PID")
}

# ended PID: sets STATUS.
ended()
{
	STATUS=0
	wait "$1" || STATUS=$?
}

# at_once N COMMAND...: N times side by side; sets CODES, sorted, a word each.
at_once()
{
	local i n=$1 pids=()
	shift

	for ((i = 1; i <= n; i++)); do
		start "said.$i" "$@"
		pids+=("$PID")
	done
	CODES=''
	for pid in "${pids[@]}"; do
		ended "$pid"
		CODES+="$STATUS "
	done
	CODES=$(tr ' ' '\n' <<<"$CODES" | sort -n | tr '\n' ' ')
	CODES=${CODES# }
	CODES=${CODES% }
}

# only_one CODE OTHER...: one of CODES is CODE, and each of the rest one of the others.
only_one()
{
	local code n=0 first=$1 others=" ${*:2} "

	for code in $CODES; do
		if [[ $code == "$first" ]]; then
			n=$((n + 1))
		elif [[ $others != *" $code "* ]]; then
			n=9
		fi
	done
	((n == 1)) || fail "$CODES" "$(cat ../said.*)"
}

# The branch has all there was and the work; its tree is registered, once; nothing of the making is left.
assert_whole()
{
	assert_equal '' "$(git diff --name-only --diff-filter=D main b)"
	assert_equal 'done' "$(git show b:work)"
	assert_equal "refs/heads/b" "$(git -C .wisp/worktrees/b symbolic-ref HEAD)"
	assert_equal '' "$(git -C .wisp/worktrees/b status --porcelain)"
	assert_equal b "$(ls .git/worktrees)"
	[[ -z $(compgen -G "$WISP_HOME/*/b/making") ]] || fail 'a mark is left'
	assert_equal '?? .wisp/' "$(git status --porcelain)"
}

# --- several at once ---------------------------------------------------------

@test "making: of two starts of one new session the second ends with 17, and the first one's branch stays" {
	programs
	cat >../case <<-END
		if [[ " \$* " == *' worktree add '* && ! -e '$BATS_TEST_TMPDIR/here' ]]; then
			: >'$BATS_TEST_TMPDIR/here'
			until [[ -e '$BATS_TEST_TMPDIR/go' ]]; do sleep 0.02; done
		fi
	END
	start first "${RUN[@]}"
	first=$PID
	wait_until 60 test -e ../here
	run -17 "${RUN[@]}" </dev/null
	assert_contains "$output" "the session b is busy: a loop that starts, or another wisp command (process $first on "
	run -17 wisp plan --tasks ../tasks.json README --agent replay --branch b </dev/null
	run -17 wisp orchestrate README --branch b --agent replay --foreground --yes </dev/null
	: >../go
	ended "$first"
	[[ $STATUS == 0 ]] || fail "$STATUS" "$(<../first)"
	assert_whole
}

@test "making: eight starts of one new session: one runs, and its branch has the work" {
	at_once 8 "${RUN[@]}"
	# Who comes after its end finds it completed.
	[[ $CODES == 0* && ${CODES//17/} != *[!0\ ]* ]] || fail "$CODES" "$(cat ../said.*)"
	assert_equal 1 "$(scenario_calls .wisp/sessions/b)"
	assert_whole
}

@test "making: four plans and four orchestrations at once" {
	at_once 4 wisp plan README --tasks ../tasks.json --agent replay --branch b
	only_one 0 17 100
	git rev-parse -q --verify refs/heads/b
	run -0 "${RUN[@]}" </dev/null
	assert_whole
	at_once 4 wisp orchestrate README --branch o --agent replay --no-wait --foreground
	only_one 10 17 100
	git rev-parse -q --verify refs/heads/o
	run -10 wisp orchestrate --resume --branch o --no-wait --foreground </dev/null
}

# --- killed ------------------------------------------------------------------

# killed_anywhere HOW: HOW gets LEADER, and kills; before each program of the making, one at a time.
killed_anywhere()
{
	local k=0 count=$BATS_TEST_TMPDIR/count

	programs
	cp -a "$PROJECT" "$BATS_TEST_TMPDIR/master"
	while :; do
		k=$((k + 1))
		rm -rf "$PROJECT" "$WISP_HOME"
		cp -a "$BATS_TEST_TMPDIR/master" "$PROJECT"
		cd "$PROJECT"
		: >"$count"
		cat >../case <<-END
			record=\$(compgen -G '$WISP_HOME/*/b/record.json')
			if [[ -z \$record || -e \${record%/*}/making ]]; then
				echo "\$0 \$*" >>'$count'
				if [[ \$(wc -l <'$count') -eq $k ]]; then
					LEADER=\$((\$(ps -o pgid= \$\$)))
					$1
				fi
			fi
		END
		start said "${RUN[@]}"
		ended "$PID"
		[[ $STATUS != 0 ]] || break
		[[ $STATUS == 137 ]] || fail "killed at $k: $STATUS" "$(<../said)"
		AT=$(tail -n 1 "$count")
		rm ../case
		run "${RUN[@]}" </dev/null
		[[ $status == 0 ]] || fail "after $k, $AT: $status" "$output"
		assert_whole || fail "after $k, $AT" "$output"
	done
	((k > 10)) || fail "$k programs"
}

@test "making: killed before each of its programs, the same command makes it whole" {
	killed_anywhere 'kill -KILL -- -$LEADER'
}

@test "making: killed alone, while its program goes on, the same command makes it whole" {
	killed_anywhere 'kill -KILL $LEADER'
}

# half: a start that is killed with half of the files checked out. WHO: the group or git alone.
half()
{
	git config filter.half.smudge "sh '$BATS_TEST_TMPDIR/smudge'"
	git config filter.half.clean cat
	git config filter.half.required true
	echo 'f20 filter=half' >.git/info/attributes
	printf '%s\n' "if [ ! -e '$BATS_TEST_TMPDIR/was' ]; then : >'$BATS_TEST_TMPDIR/was'; $1; exit 1; fi; cat" >../smudge
	start said "${RUN[@]}"
	ended "$PID"
}

@test "making: killed while the files are checked out" {
	half 'kill -s KILL -- -$(($(ps -o pgid= $$)))'
	assert_equal 137 "$STATUS"
	[[ ! -e .wisp/worktrees/b/f20 && -e .wisp/worktrees/b/f1 ]]
	# As git leaves it where it is killed while it writes the branch.
	: >.git/refs/heads/b.lock
	touch -t 202001010000 .git/packed-refs.lock
	run -0 "${RUN[@]}" </dev/null
	assert_contains "$output" 'cut off'
	assert_whole
	assert_equal '' "$(find .git -name '*.lock' ! -path '.git/wisp/*')"
}

@test "making: git alone is killed: 111 in its words, nothing is left, and the same command makes it whole" {
	half 'pid=$PPID; until [ "$(ps -o comm= -p $pid)" = git ]; do pid=$(($(ps -o ppid= -p $pid))); done; kill -s KILL $pid'
	[[ $STATUS == 111 ]] || fail "$STATUS" "$(<../said)"
	assert_contains "$(<../said)" 'wisp run: git reset was killed by signal 9'
	[[ ! -e .wisp/worktrees/b ]]
	assert_equal '' "$(git for-each-ref refs/heads/b)$(ls .git/worktrees 2>/dev/null)"
	run -0 "${RUN[@]}" </dev/null
	assert_whole
}

@test "making: an orchestration that was killed before its first state is found by --resume" {
	programs
	echo '[[ " $* " != *" start "* ]] || kill -KILL -- -$(($(ps -o pgid= $$)))' >../case
	start said wisp orchestrate README --agent replay --no-wait --foreground
	ended "$PID"
	assert_equal 137 "$STATUS"
	rm ../case
	run -10 wisp orchestrate --resume --no-wait --foreground </dev/null
	assert_contains "$output" "--resume --branch wisp/readme"
}

@test "making: what was cut off is removed by wisp rm; a branch and a folder that were there stay" {
	half 'kill -s KILL -- -$(($(ps -o pgid= $$)))'
	run -0 wisp rm b
	assert_equal '' "$(git for-each-ref refs/heads/b)$(find .git/worktrees .git/wisp -mindepth 1 ! -name .worktrees)"
	[[ ! -e .wisp/worktrees/b && -z $(compgen -G "$WISP_HOME/*/b") ]]
	git branch b
	git commit -q --allow-empty -m "Later"
	rm ../was
	half 'kill -s KILL -- -$(($(ps -o pgid= $$)))'
	run -0 wisp rm b
	assert_equal "$(git rev-parse main~1)" "$(git rev-parse b)"
	git branch -D -q b
	mkdir -p .wisp/worktrees/b
	echo mine >.wisp/worktrees/b/mine
	run -100 "${RUN[@]}" </dev/null
	assert_contains "$output" 'exists already'
	assert_equal mine "$(<.wisp/worktrees/b/mine)"
	assert_equal '' "$(git for-each-ref refs/heads/b)"
}

# worktree.setup, which wrote its number down.
setup_gone()
{
	[[ -z $(step_process "$(<"$BATS_TEST_TMPDIR/pid")" .wisp/worktrees/b) ]]
}

@test "making: worktree.setup ends with the start that is killed, and what it says is shown" {
	git config --file .wisp.config worktree.setup \
		"echo \$\$ >'$BATS_TEST_TMPDIR/pid'; echo said; echo wrong >&2; test -e '$BATS_TEST_TMPDIR/go' || exec sleep 300"
	mkdir .wisp && mv .wisp.config .wisp/config
	export WISP_CONFIG_SET=${WISP_CONFIG_SET:+$WISP_CONFIG_SET$'\n'}sandbox.write=$BATS_TEST_TMPDIR
	"${RUN[@]}" --trust >"$BATS_TEST_TMPDIR/log" 2>&1 3>&- &
	PIDS+=($!)
	wait_until 30 test -s "$BATS_TEST_TMPDIR/pid"
	kill -KILL "$!"
	wait "$!" || :
	wait_until 30 setup_gone
	: >"$BATS_TEST_TMPDIR/go"
	run -0 "${RUN[@]}" --trust
	assert_contains "$output" said
	assert_contains "$output" wrong
	assert_equal 'done' "$(git show b:work)"
}

@test "making: worktree.setup that fails leaves nothing, and its status is named" {
	mkdir .wisp && printf '[worktree]\n\tsetup = "echo why; exit 7"\n' >.wisp/config
	run -111 "${RUN[@]}" --trust
	assert_contains "$output" why
	assert_contains "$output" 'worktree.setup failed with 7'
	run -1 git rev-parse -q --verify b
}

gone() # <pid>
{
	! kill -0 "$1" 2>/dev/null
}

@test "making: where a git is killed the command ends with 111, and says which" {
	local verb real without

	real=$(type -P git)
	mkdir ../stub
	printf '#!/bin/sh\ncase " $* " in *" $KILLED "*) kill -9 $$ ;; esac\nexec %s "$@"\n' "$real" >../stub/git
	chmod +x ../stub/git
	scenario_tasks 1 >../tasks.json
	for verb in '--git-dir' 'HEAD^{commit}' 'GIT_AUTHOR_IDENT' 'update-ref' 'worktree add' 'reset'; do
		without=() # git is asked for a name that nobody has given
		[[ $verb != GIT_AUTHOR_IDENT ]] || without=(-u GIT_AUTHOR_NAME)
		KILLED=$verb PATH=$(cd ../stub && pwd):$PATH run -111 env ${without[@]+"${without[@]}"} wisp run work --agent replay --tasks ../tasks.json </dev/null
		[[ $output =~ git\ .*was\ (ended|killed) ]] || fail "$verb: $output"
		assert_lacks "$output" 'wisp run: '$'\n'
		assert_lacks "$output"$'\n' $': \n'
	done
}
