#!/bin/sh
# Runs each tests/*.sh with `expect` at hand; fails if one of them does.
# shellcheck disable=SC1090,SC2317 # the tests are named by a pattern, and call expect
failed=0

# expect WHAT OUTPUT COMMAND...
expect() {
	what=$1 wanted=$2
	shift 2
	got=$("$@" 2>&1)
	if [ "$got" = "$wanted" ]; then
		echo "ok: $what"
	else
		echo "FAILED: $what: expected '$wanted', got '$got'"
		failed=1
	fi
}

for t in tests/*.sh; do
	[ ! -e "$t" ] || . "./$t"
done
exit $failed
