#!/usr/bin/env bats
# What a step has committed in its copy of the git folder is not lost where taking it over ends before its end, at
# whatever call of wisp's or git's: killed, or with a full disk from there on (shim.c).

load ../helper
load helper-fault

setup()
{
	[[ -e /proc/self/status ]] || skip 'Linux alone'
	wisp-sandbox driver --driver bwrap >/dev/null 2>&1 || skip 'bwrap does not work here'
	WORLD=$BATS_TEST_TMPDIR/world
	mkdir "$WORLD"
	cd "$WORLD"
	make_repo app
	git -C app worktree add -q -b work ../tree
	mkdir tmp.own
	TAKE=(wisp-sandbox take --worktree "$WORLD/tree" --branch work "$WORLD/lent")
	(cd tree && wisp-sandbox run --driver bwrap --known --worktree "$PWD" --tmp "$WORLD/tmp.own" --lend "$WORLD/lent" \
		--env-pass GIT_CONFIG_NOSYSTEM -- bash -ec 'echo x >x; git add x; git commit -q -m One; echo y >y; git add y')
	cp -Rp app/.git git
	cp -Rp lent saved
	trap - DEBUG # by which bats follows each line
	export FAULT_SHARED=$WORLD/shared
}

# as_lent: the git folder itself is the same, which counts.
as_lent()
{
	find app/.git -mindepth 1 -delete
	cp -Rp git/. app/.git
	rm -rf lent
	cp -Rp saved lent
	head -c 8 /dev/zero >"$FAULT_SHARED"
}

# each_fault WHAT: at each call; what was committed is there once it is taken over without a fault.
each_fault()
{
	local k=0 what=$1

	while :; do
		k=$((k + 1))
		as_lent
		with_fault "$k" "$what" "${TAKE[@]}"
		[[ -n $CALL ]] || break
		"${TAKE[@]}" >"$BATS_TEST_TMPDIR/said" || fail "$what at call $k, $CALL: then $?, $(<"$BATS_TEST_TMPDIR/said")"
		assert_equal 'One' "$(git -C tree log -1 --format=%s)"
		assert_equal 'A  y' "$(git -C tree status --short)"
		[[ $STATUS -ne 1 ]] || fail "$what at call $k, $CALL: not taken over: $(<"$BATS_TEST_TMPDIR/said")"
	done
	((k > 20))
	git -C app fsck --strict --no-progress
}

@test "lend: killed at each call of taking over: once more, and nothing is lost" {
	each_fault kill
}

@test "lend: a full disk from each call of taking over on: once there is room nothing is lost" {
	FULL=1 each_fault ENOSPC
}
