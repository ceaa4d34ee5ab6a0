# A person at a terminal, which is one of tmux: keys are sent, the screen is read until it
# shows what it should. `load helper-terminal` after helper-e2e; end with end_tmux.
#
#	typed COMMAND...	# in a new terminal, from then on the one that is meant: TERMINAL, a number
#	sees TEXT...		# each comes to stand on its screen; `shows TEXT`: now; `screen` prints it
#	press KEY...
#	sees_end CODE		# the command has ended with it, and the terminal is as it was
#	WIDTH, HEIGHT		# of terminals to come

TERMINAL=0 WIDTH=150 HEIGHT=100

# The exit code goes to the file `code`, the terminal's state after it to `stty`.
typed()
{
	local base

	TERMINAL=$((TERMINAL + 1))
	while [[ -e $BATS_TEST_TMPDIR/typed$TERMINAL ]]; do
		TERMINAL=$((TERMINAL + 1))
	done
	base=$BATS_TEST_TMPDIR
	{
		printf 'cd %q\n' "$PWD"
		printf '%q ' "$@"
		printf '\necho $? >%q\nstty -a >%q\nmv %q %q\n' "$base/code$TERMINAL.new" "$base/stty$TERMINAL" \
			"$base/code$TERMINAL.new" "$base/code$TERMINAL"
		printf 'exec sleep 60\n'
	} >"$base/typed$TERMINAL"
	terminal -f /dev/null new-session -d -x "$WIDTH" -y "$HEIGHT" "bash --norc '$base/typed$TERMINAL'" 3>&-
}

# terminal ARGUMENT...: the tmux that TERMINAL is.
terminal()
{
	tmux -L "terminal$TERMINAL" "$@"
}

screen()
{
	terminal capture-pane -p -S -500
}

shows()
{
	screen | grep -qF -e "$1"
}

sees()
{
	local text

	for text; do
		wait_until 20 shows "$text" || fail "expected to see: $text" "$(screen)"
	done
}

press()
{
	terminal send-keys "$@"
}

sees_end()
{
	local base=$BATS_TEST_TMPDIR stty

	wait_until 20 test -e "$base/code$TERMINAL" || fail "$(screen)"
	[[ " $* " == *" $(<"$base/code$TERMINAL") "* ]] || fail "expected exit $*, not $(<"$base/code$TERMINAL")" "$(screen)"
	stty=" $(tr '\n' ' ' <"$base/stty$TERMINAL")"
	assert_contains "$stty" ' icanon'
	assert_contains "$stty" ' echo '
	assert_contains "$stty" 'susp = ^Z'
}
