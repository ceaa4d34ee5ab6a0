# What is compared with tests/golden/NAME.txt; `load helper-golden` after `load ../e2e/helper-e2e`.
#
#	begin_golden		# nothing was shown yet
#	show COMMAND...		# what it prints becomes part of it
#	both COMMAND...		# as text and as JSON
#	ran CODE N [OPTION]...	# `work` with what it prints
#	asks			# all that only asks about the session $BRANCH
#	same NAME		# all that was shown is what NAME.txt holds; GOLDEN=write writes it

begin_golden()
{
	OUT=$BATS_TEST_TMPDIR/out
	: >"$OUT"
	unset COLUMNS
}

# show COMMAND...: what was typed, what it printed, on standard error behind `!`, and its exit code, if it is not 0.
show()
{
	local status=0

	printf '$ %s\n' "$*" >>"$OUT"
	"$@" >"$OUT.out" 2>"$OUT.err" </dev/null || status=$?
	# Whatever a file ends with, the next line is one of its own.
	sed 's/$//' "$OUT.out" >>"$OUT"
	sed 's/^/! /' "$OUT.err" >>"$OUT"
	((status == 0)) || printf 'exit %s\n' "$status" >>"$OUT"
}

# both COMMAND...: as text and as JSON.
both()
{
	show "$@"
	show "$@" --json
}

# normalise <TEXT: without times, what takes time, identities and places. No \b and no \d, which sed need not know.
normalise()
{
	sed -E \
		-e "s|$WISP_HOME|/test/wisp|g; s|$BATS_TEST_TMPDIR|/test|g; s|$ROOT|/wisp|g; s|$WISP_BUILD|/wisp/build|g" \
		-e 's/project-[0-9a-f]{8,}/project-HASH/g' \
		-e 's/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})/TIME/g' \
		-e 's/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{1,12}(\.\.\. )?/UUID/g' \
		-e 's/[0-9a-f]{64}/SHA256/g; s/[0-9a-f]{40}/SHA1/g; s/(^|[^0-9a-f])[0-9a-f]{12}([^0-9a-f]|$)/\1HASH\2/g' \
		-e 's/("(seconds|duration_s|hours|peak_rss_kb|actualHours|calibrationFactor)": )[0-9.e-]+/\1N/' \
		-e 's/[0-9a-f]{8}-\.\.\. /UUID /g; s/orch-[0-9]+/orch-N/g; s/by '"$(id -un)"'/by USER/; s/(By": )"'"$(id -un)"'"/\1"USER"/' \
		-e 's/(^|[^0-9a-zA-Z.])[0-9]+(ms|s|m[0-9]+s|m|h[0-9]+m|h|d)([^0-9a-zA-Z]|$)/\1SPAN\3/g' \
		-e 's/ +(now|SPAN) +([-0-9$])/ AGE \2/' \
		-e 's/^(.*BRANCH .*PROJECT) +/\1 /; s/ITER +AGE +COST/ITER AGE COST/'
}

# same NAME: OUT is what tests/golden/NAME.txt holds.
same()
{
	local golden=$ROOT/tests/golden/$1.txt

	normalise <"$OUT" >"$OUT.normal"
	if [[ ${GOLDEN-} == write ]]; then
		cp "$OUT.normal" "$golden"
	fi
	diff -u "$golden" "$OUT.normal" >&2 || fail "not as in tests/golden/$1.txt; GOLDEN=write renews it, if that is meant"
}

# The verbs of the utilities that only ask.
utilities_ask()
{
	local word

	export WISP_SESSION_DIR=$DIR
	show wisp-state get -f session .status
	show wisp-state query -f history '.[] | [.iteration, .phase, .outcome, .status, .verify]'
	both wisp-state check
	both wisp-state progress
	both wisp-state show
	show wisp-state show --detail
	for word in list next count check; do
		both wisp-tasks "$word"
	done
	for word in exit phase decide explain list; do
		both wisp-gate "$word"
	done
	show wisp-gate 'eval' '.tasks.passed == .tasks.total'
	both wisp-stuck check
	both wisp-stuck breaker show
	both wisp-stuck breaker allow
	both wisp-limit check
	show wisp-prompt
	unset WISP_SESSION_DIR
}

# The commands that only ask, and what they read.
asks()
{
	local name

	both wisp status "$BRANCH"
	show wisp list
	both wisp log "$BRANCH"
	show wisp diff "$BRANCH" --stat
	show wisp checkpoint list "$BRANCH"
	show wisp done "$BRANCH" --dry-run
	utilities_ask
	for name in breaker limits loop-state; do
		[[ ! -e $DIR/$name.json ]] || show cat "$DIR/$name.json"
	done
}

# A run whose report is part of it.
ran()
{
	work "$@"
	printf '$ wisp run\n%s\nexit %s\n' "$output" "$1" >>"$OUT"
}
