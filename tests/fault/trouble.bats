#!/usr/bin/env bats
# What goes wrong around a loop: no room on the disk, no right to write, others
# at work at the same time, a record that is torn, gone or left behind.

load ../helper
load ../helper-scenario

setup()
{
	# A step tells the test by files there.
	export WISP_CONFIG_SET=${WISP_CONFIG_SET:+$WISP_CONFIG_SET$'\n'}sandbox.write=$BATS_TEST_TMPDIR
	LOOPS=()
	make_repo repo
	cd repo || exit 1
	scenario_new
}

teardown()
{
	local pid

	for pid in ${LOOPS[@]+"${LOOPS[@]}"}; do
		kill -TERM "$pid" 2>/dev/null || :
	done
	helper_teardown
}

# A scenario of N tasks: each is done, committed and ticked in the step of its number.
scenario_of() # <n>
{
	local i status=CONTINUE promise=()

	: >"$WISP_REPLAY/by-iteration"
	for ((i = 1; i <= $1; i++)); do
		((i < $1)) || status=DONE promise=(--promise)
		scenario_step "$i" --effects "echo 'task $i' >>work" --commit "task $i" --pass "t$i" --status "$status" \
			${promise[@]+"${promise[@]}"}
	done
	scenario_tasks "$1" >"$BATS_TEST_TMPDIR/tasks.json"
}

session_of() # <branch>
{
	BRANCH=$1
	DIR=$PWD/.wisp/sessions/$1
	RUN=(wisp run "$1" --agent replay --tasks "$BATS_TEST_TMPDIR/tasks.json" --foreground)
}

# Sets STATE, RECORD: where the record of the session lies.
find_record()
{
	STATE=$(wisp-session find "$BRANCH" | sed -n 's/^home=//p')
	RECORD=$STATE/record.json
}

# Step N waits for the file `go`, and makes `here` when it is there.
step_waits() # <n>
{
	cat >>"$WISP_REPLAY/$1/effects.sh" <<-END
		: >'$BATS_TEST_TMPDIR/here'
		until [[ -e '$BATS_TEST_TMPDIR/go' ]]; do sleep 0.02; done
	END
}

in_background() # COMMAND...
{
	"$@" >"$BATS_TEST_TMPDIR/log" 2>&1 </dev/null 3>&- &
	LOOPS+=("$!")
}

ends_with() # <exit code>: the loop in the background
{
	local rc=0

	wait "${LOOPS[0]}" || rc=$?
	assert_equal "$1" "$rc"
}

assert_done() # <tasks> [branch]
{
	local i want=''

	for ((i = 1; i <= $1; i++)); do
		want+="task $i"$'\n'
	done
	assert_equal "${want%$'\n'}" "$(git show "${2:-$BRANCH}:work")"
	assert_equal completed "$(wisp-state -C "$PWD/.wisp/sessions/${2:-$BRANCH}" get -f session .status)"
}

as_is() # every file of session and record, with its bytes
{
	find "$DIR" "$STATE" -type f ! -name '.write' -exec cksum {} + | sort
}

# Without root's right to write everywhere.
unprivileged()
{
	if ((EUID)); then
		"$@"
	else
		setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-dac_override,-dac_read_search "$@"
	fi
}

# --- no room, no right -----------------------------------------------------

@test "trouble: the disk is full in the middle of a run, and has room again" {
	scenario_of 3
	session_of work
	scenario_step 2 --effects ": >'$BATS_TEST_TMPDIR/full'; echo 'task 2' >>work" --pass t2 --status CONTINUE
	ln -s "$WISP_BUILD/fault/shim.so" "$BATS_TEST_TMPDIR/shim.so" # LD_PRELOAD takes no blank
	run -111 env LD_PRELOAD="$BATS_TEST_TMPDIR/shim.so" FAULT_AT=1 FAULT_DO=ENOSPC FAULT_FULL=1 \
		FAULT_IF="$BATS_TEST_TMPDIR/full" ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 "${RUN[@]}"
	assert_contains "$output" 'No space left on device'
	wisp-state -C "$DIR" check
	rm "$BATS_TEST_TMPDIR/full"
	scenario_step 2 --effects "echo 'task 2' >>work" --commit 'task 2' --pass t2 --status CONTINUE
	mv "$WISP_REPLAY/3" "$WISP_REPLAY/4"
	scenario_step 3 --effects "echo 'task 2' >>work" --commit 'task 2' --pass t2 --status CONTINUE
	run -0 wisp resume work --foreground
	assert_done 3
}

@test "trouble: the session's folder may not be written" {
	scenario_of 2
	session_of work
	run -15 "${RUN[@]}" --once
	chmod a-w "$DIR"
	run -111 unprivileged wisp resume work --foreground
	assert_contains "$output" "$DIR"
	chmod u+w "$DIR"
	run -0 wisp resume work --foreground
	assert_done 2
}

# --- others at the same time -----------------------------------------------

@test "trouble: two loops on one session: the second ends with 17 at once" {
	scenario_of 2
	session_of work
	step_waits 1
	in_background "${RUN[@]}"
	wait_until 10 test -e ../here
	run -17 wisp resume work --foreground
	assert_contains "$output" "already running"
	assert_contains "$output" "${LOOPS[0]}"
	: >../go
	wait "${LOOPS[0]}"
	assert_done 2
}

@test "trouble: two sessions on one repository, at the same time" {
	scenario_of 4
	session_of a
	in_background "${RUN[@]}"
	session_of b
	in_background "${RUN[@]}"
	wait "${LOOPS[0]}"
	wait "${LOOPS[1]}"
	assert_done 4 a
	assert_done 4 b
	git fsck --no-dangling
}

@test "trouble: changes of tasks while a step is open are applied after it" {
	local before

	scenario_of 3
	session_of work
	step_waits 1
	scenario_tasks 2 >"$BATS_TEST_TMPDIR/tasks.json"
	in_background "${RUN[@]}"
	wait_until 10 test -e ../here
	before=$(<"$DIR/tasks.json")
	run -0 --separate-stderr wisp-tasks -C "$DIR" add --category feature --id t3 'task 3'
	assert_output ''
	assert_stderr 'wisp-tasks: a step is open: this is applied after it'
	run -1 wisp-tasks -C "$DIR" pass t9
	run -100 wisp-tasks -C "$DIR" add --category feature --id t2 'again'
	run -0 wisp pause work
	assert_equal "$before" "$(<"$DIR/tasks.json")"
	: >../go
	ends_with 15
	run -0 wisp resume work --foreground
	assert_done 3
	run -0 wisp-tasks -C "$DIR" count
	assert_output $'passed=3\ntotal=3'
	assert_equal '[]' "$(wisp-state -C "$DIR" get -f history '.[0].tampered')"
}

@test "trouble: eight add tasks at the same time, to a session and to a step that is open" {
	local i pids

	scenario_of 1
	session_of work
	step_waits 1
	in_background "${RUN[@]}"
	wait_until 10 test -e ../here
	add_eight early
	run -0 wisp-tasks -C "$DIR" count
	assert_output $'passed=0\ntotal=1'
	run -0 wisp pause work
	: >../go
	ends_with 15
	add_eight late
	scenario_step 2 --status CONTINUE
	run -15 wisp resume work --foreground --once
	run -0 wisp-tasks -C "$DIR" count
	assert_output $'passed=1\ntotal=17'
	wisp-tasks -C "$DIR" check
}

add_eight() # <word>
{
	local i pids=()

	for i in 1 2 3 4 5 6 7 8; do
		wisp-tasks -C "$DIR" add --category test "$1 $i" 2>/dev/null &
		pids+=("$!")
	done
	for i in "${pids[@]}"; do
		wait "$i"
	done
}

@test "trouble: eight add tasks at the same time, to a folder of no session" {
	mkdir ../plain
	echo '[]' >../plain/tasks.json
	DIR=$PWD/../plain
	add_eight plain
	run -0 wisp-tasks -C "$DIR" count
	assert_output $'passed=0\ntotal=8'
}

@test "trouble: an answer while the loop waits for it" {
	scenario_of 2
	session_of work
	scenario_step 1 --effects "echo 'task 1' >>work" --commit 'task 1' --pass t1 --status NEEDS_INPUT --question 'Which port?'
	scenario_step 2 --effects "cat >'$BATS_TEST_TMPDIR/prompt'; echo 'task 2' >>work" --commit 'task 2' --pass t2 \
		--status DONE --promise
	in_background "${RUN[@]}" --wait
	wait_until 10 grep -q 'waiting for the answer' ../log
	run -0 wisp answer work 'port 8080'
	wait "${LOOPS[0]}"
	assert_contains "$(<../prompt)" 'port 8080'
	[[ -e $DIR/answers/q-1.json && ! -e $DIR/response.json ]]
	assert_done 2
}

# --- the record ------------------------------------------------------------

# A session whose record is cut off; ../torn is that record.
torn_record()
{
	scenario_of 2
	session_of work
	run -15 "${RUN[@]}" --once
	find_record
	head -c 300 "$RECORD" >../torn
	cp ../torn "$RECORD"
}

@test "trouble: a torn record is gone back from, and kept aside" {
	torn_record
	run -0 wisp resume work --foreground
	assert_contains "$output" 'record.json was damaged'
	assert_contains "$output" 'the record kept before it'
	cmp ../torn "${RECORD%/*}/record.damaged.json"
	assert_done 2
}

@test "trouble: a torn record in whose place nothing stands is named, and nothing is written over it" {
	local before

	torn_record
	rm "${RECORD%/*}/record.last.json"
	echo '{' >"$DIR/session.json"
	before=$(as_is | but_owner)
	assert_torn wisp resume work --foreground
	assert_torn wisp-tasks -C "$DIR" pass t2
	assert_torn wisp-state -C "$DIR" begin
	assert_torn wisp-state -C "$DIR" start --pid 1
}

assert_torn() # COMMAND...
{
	run -102 "$@"
	assert_contains "$output" "$RECORD:"
	assert_equal "$before" "$(as_is | but_owner)"
}

# Without what an owner writes of itself beside the record.
but_owner()
{
	grep -vE '/(lock|scratch)$'
}

@test "trouble: a missing record is made from the published files, and that is said" {
	local calls

	scenario_of 2
	session_of work
	run -15 "${RUN[@]}" --once
	find_record
	rm "$RECORD" "${RECORD%/*}/record.last.json"
	run -0 wisp resume work --foreground
	assert_contains "$output" 'record'
	assert_contains "$output" 'it is made again'
	assert_done 2
	assert_equal 2 "$(wisp-state -C "$DIR" get -f session .totals.agent_calls)"
}

@test "trouble: the repository was moved" {
	scenario_of 2
	session_of work
	run -15 "${RUN[@]}" --once
	cd ..
	mv repo elsewhere
	cd elsewhere
	session_of work
	run -0 wisp resume work --foreground
	assert_contains "$output" 'it is made again'
	assert_done 2
	assert_equal "$PWD/.wisp/worktrees/work" "$(git -C .wisp/worktrees/work rev-parse --show-toplevel)"
}

@test "trouble: the repository was moved when the work was done: it is merged and removed all the same" {
	scenario_of 1
	session_of work
	run -0 "${RUN[@]}"
	cd ..
	mv repo elsewhere
	cd elsewhere
	run -0 wisp done work --merge
	run -0 wisp rm work --branch
	assert_equal 1 "$(git worktree list | wc -l | tr -d ' ')"
}

@test "trouble: the repository was copied: the copy works on its own branch" {
	local before copy first=$PWD

	scenario_of 2
	session_of work
	run -15 "${RUN[@]}" --once
	before=$(git for-each-ref refs/heads; git worktree list; cat .wisp/worktrees/work/.git)
	cp -Rp "$first" ../copy
	cd ../copy
	copy=$PWD
	session_of work
	run -0 wisp resume work --foreground
	assert_done 2
	assert_equal "$copy" "$(cd .wisp/worktrees/work && cd "$(git rev-parse --git-common-dir)/.." && pwd)"
	cd "$first"
	assert_equal "$before" "$(git for-each-ref refs/heads; git worktree list; cat .wisp/worktrees/work/.git)"
}

@test "trouble: the repository was removed and cloned again: said, and wisp rm makes room" {
	scenario_of 2
	session_of work
	run -15 "${RUN[@]}" --once
	git clone -q . ../again
	cd ..
	rm -rf repo
	mv again repo
	cd repo || exit 1
	for command in 'run work' 'resume work'; do
		# shellcheck disable=SC2086 # two words
		run -102 wisp $command --foreground </dev/null
		assert_contains "$output" "has neither its folder nor its branch"
		assert_contains "$output" "wisp rm work drops the record"
	done
	run -0 wisp rm work
	run -0 "${RUN[@]}"
	assert_done 2
}

@test "trouble: the folder of the sessions was removed: it is made again from the record" {
	scenario_of 2
	session_of work
	run -15 "${RUN[@]}" --once
	rm -rf .wisp/sessions
	run -0 wisp resume work --foreground
	assert_contains "$output" 'it is made again from the record'
	assert_done 2
}

@test "trouble: two WISP_HOMEs and one branch: the second ends with 17 and names the first" {
	local home=$WISP_HOME

	scenario_of 2
	session_of work
	step_waits 1
	in_background "${RUN[@]}"
	wait_until 30 test -e ../here
	export WISP_HOME=$BATS_TEST_TMPDIR/other
	run -17 wisp resume work --foreground
	assert_contains "$output" "the branch work is already running under another WISP_HOME, '$home': process ${LOOPS[0]} on "
	export WISP_HOME=$home
	: >../go
	wait "${LOOPS[0]}"
	assert_done 2
	[[ -f .git/wisp/work.lock ]]
	run -0 wisp rm work
	[[ ! -e .git/wisp/work.lock ]]
}

@test "trouble: what a loop that was killed had just started holds its lock for a moment, and is waited for" {
	local gone holder

	scenario_of 2
	session_of work
	run -15 "${RUN[@]}" --once
	find_record
	sleep 0 &
	gone=$!
	wait "$gone"
	bash -c 'exec 9>>"$1" && flock 9 && echo "$2 $(hostname) 0:0 - $WISP_HOME" >"$1" && : >"$3" && exec sleep 1000' - \
		"$STATE/lock" "$gone" "$BATS_TEST_TMPDIR/held" 3>&- &
	holder=$!
	wait_until 30 test -e "$BATS_TEST_TMPDIR/held"
	in_background wisp resume work --foreground
	wait_until 30 grep -q "until what process $gone, which has ended, has started ends" ../log
	kill "$holder"
	wait "${LOOPS[0]}"
	assert_done 2
}

@test "trouble: what a loop that was killed had in TMPDIR is removed by the next one" {
	scenario_of 2
	session_of work
	step_waits 1
	in_background "${RUN[@]}"
	wait_until 30 test -e ../here
	kill -KILL "${LOOPS[0]}"
	wait "${LOOPS[0]}" || :
	: >../go
	assert_equal "$(compgen -G "$TMPDIR/wisp.${LOOPS[0]}.??????")" "$(compgen -G "$TMPDIR/wisp.*")"
	mkdir "$TMPDIR/wisp.abcdef"
	run wisp resume work --foreground
	assert_equal "$TMPDIR/wisp.abcdef" "$(compgen -G "$TMPDIR/wisp.*")"
}

@test "trouble: the repository is renamed while a step runs: nothing is made where it was" {
	scenario_of 2
	session_of work
	step_waits 1
	in_background "${RUN[@]}"
	wait_until 30 test -e ../here
	cd .. || exit 1
	mv repo renamed
	: >go
	wait "${LOOPS[0]}" && fail 'it went on'
	[[ ! -e repo ]] || fail "$(find repo)" "$(<log)"
	assert_contains "$(<log)" "the project '$PWD/repo' is gone"
}
