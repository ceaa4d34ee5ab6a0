#!/usr/bin/env bats
# git's own housekeeping, which a step's commit leaves to a process in the background.

load ../helper
load ../helper-scenario
load helper-e2e

# A step that is not confined: it writes into the repository's own git folder, as loose objects.
setup()
{
	project
	unconfined
}

# The next step commits many files, and no git of its own packs them. Six are in objects/17, by which git counts.
loose()
{
	scenario_step 1 --pass 1 --status DONE --promise --effects \
		'for ((i = 1; i <= 600; i++)); do echo "line $i" >"$i"; done; git add .; git -c gc.auto=0 commit -qm many'
}

packed()
{
	[[ -n $(find .git/objects/pack -name '*.pack') ]]
}

@test "packing: done where a loop ends and git finds it due, and said" {
	loose
	git config gc.auto 20
	mkdir -p .git/hooks
	printf '#!/bin/sh\ntouch %q\nexit 1\n' "$PWD/hooked" >.git/hooks/pre-auto-gc
	chmod +x .git/hooks/pre-auto-gc
	work 0 1
	packed || fail "$output"
	assert_contains "$output" 'Auto packing the repository for optimum performance'
	[[ ! -e hooked && ! -e .git/gc.pid ]]
}

@test "packing: the packs that commits of confined steps become are packed where git finds it due" {
	local n

	wisp-sandbox driver --driver bwrap >/dev/null 2>&1 || skip 'bwrap does not work here'
	for n in 1 2 3; do
		scenario_step "$n" --effects "echo $n >$n" --commit "$n" --pass "$n" --status CONTINUE
	done
	scenario_step 3 --effects 'echo 3 >3' --commit 3 --pass 3 --status DONE --promise
	git config gc.autoPackLimit 2
	work 0 3 -c sandbox=bwrap
	assert_contains "$output" 'Auto packing the repository for optimum performance'
	assert_equal 1 "$(find .git/objects/pack -name '*.pack' | wc -l)"
}

@test "packing: not where it is not due, or a person has turned it off, nor with a program of the repository's" {
	local setting

	for setting in gc.auto=6700 gc.auto=0 maintenance.auto=off gc.recentObjectsHook=true; do
		place "${setting%%.*}/${setting#*=}"
		loose
		git config gc.auto 20
		git config "${setting%=*}" "${setting#*=}"
		work 0 1
		! packed || fail "$setting: $output"
		assert_lacks "$output" 'packing'
		git config --unset "${setting%=*}"
	done
}

@test "packing: locks that a step's housekeeping was killed with are removed, and no others" {
	scenario_step 1 --pass 1 --status CONTINUE --effects "cd '$PWD/.git'; echo '1 $(uname -n)' >gc.pid; : >objects/maintenance.lock"
	scenario_step 2 --pass 2 --status DONE --promise
	work 0 2
	assert_contains "$output" "removed '$PWD/.git/objects/maintenance.lock', which a git that ended with the step has left"
	assert_contains "$output" "removed '$PWD/.git/gc.pid'"
	[[ ! -e .git/gc.pid && ! -e .git/objects/maintenance.lock ]]
	: >.git/objects/maintenance.lock
	scenario_new
	scenario_step 1 --pass 1 --status DONE --promise
	place other
	work 0 1
	[[ -e .git/objects/maintenance.lock ]]
}

@test "packing: a lock stays while a git that packs lives in the repository" {
	mkfifo "$BATS_TEST_TMPDIR/go"
	# A process of that name, and with such arguments.
	ln -s "$(type -P bash)" "$BATS_TEST_TMPDIR/git"
	"$BATS_TEST_TMPDIR/git" -c 'read -r _ <"$1"' gc "$BATS_TEST_TMPDIR/go" 3>&- &
	scenario_step 1 --pass 1 --status DONE --promise --effects ": >'$PWD/.git/objects/maintenance.lock'"
	work 0 1
	echo >"$BATS_TEST_TMPDIR/go"
	[[ -e .git/objects/maintenance.lock ]]
}

@test "packing: a signal ends it, and the run has ended as it had" {
	local object=.git/objects/17/00000000000000000000000000000000000000

	loose
	git config gc.auto 20
	mkdir -p "${object%/*}"
	mkfifo "$object"
	begin 1
	wait_until 60 pgrep -f "git --git-dir=$PWD/.git .* gc --auto"
	wait_until 60 grep -q 'Auto packing' "$BATS_TEST_TMPDIR/loop.log"
	kill -TERM "$LOOP"
	ends 0
	! pgrep -f -- "$PWD/.git .* gc --auto" || fail 'git gc is left'
}
