#!/usr/bin/env bats
# Sessions of wisp 0.1.0, as it left them: sessions-0.1.0 holds the repository (a stream for
# git fast-import) and each file, below a line with its name. They are shown, answered, gone on
# with and rolled back.

load ../helper
load ../helper-scenario
load ../e2e/helper-e2e
load helper-golden

# In a new project, at the path that the record then names.
setup()
{
	project
	unconfined
	mkdir files
	sed -e "s|@TEST@|$BATS_TEST_TMPDIR|g; s|@ROOT@|$ROOT|g" "$ROOT/tests/golden/sessions-0.1.0" |
		LC_ALL=C awk '/^#### / { close(file); file = "files/" $2; folder = file; sub("/[^/]*$", "", folder)
			if (!made[folder]++) system("mkdir -p '\''" folder "'\''"); next } { print >file }'
	git fast-import --quiet --force <files/repository
	git reset -q --hard
	rm -rf .wisp
	mv files/wisp .wisp
	HOME_OF_IT=$(wisp-session find work | sed -n 's/^home=//p')
	HOME_OF_IT=${HOME_OF_IT%/*}
	mkdir -p "${HOME_OF_IT%/*}"
	mv files/home "$HOME_OF_IT"
	mv files "$BATS_TEST_TMPDIR/rest"
	begin_golden
}

@test "golden: sessions of 0.1.0 are shown" {
	local name

	for name in work tdd; do
		both wisp status "$name"
		show wisp log "$name"
		show wisp checkpoint list "$name"
		show wisp-state -C ".wisp/sessions/$name" check
		show wisp-state -C ".wisp/sessions/$name" show --detail
		show wisp-gate -C ".wisp/sessions/$name" decide
		show wisp-gate -C ".wisp/sessions/$name" exit
		show wisp-stuck -C ".wisp/sessions/$name" breaker show
	done
	show wisp list
	show wisp tasks -C .wisp/sessions/work list
	show wisp diff work 2
	same sessions-0.1.0
}

@test "golden: sessions of 0.1.0 go on" {
	place work
	scenario_step 1 --effects 'echo 8080 >port' --commit 'add port' --pass 2 --status DONE --promise
	expect 10 wisp resume work
	expect 0 wisp answer work --branch work 2
	expect 0 wisp resume work
	assert_contains "$(prompt 0004)" '8080'
	in_tree one 1
	in_tree three 3
	session .loop_count 4
	session .status completed
	passes 1 2
	expect 0 wisp-state -C "$DIR" check
	expect 0 wisp done work --merge

	place tdd
	scenario_new
	scenario_step default --effects 'echo 2 >two' --state '{"status": "CONTINUE", "summary": "one passes", "exit_signal": false,
		"metrics": {"tests_total": 2, "tests_passing": 1, "tests_failing": 1}}'
	expect 15 wisp resume tdd --once
	assert_equal 2 "$(wisp-state -C "$DIR" get -f loop .phase_history.RED.iterations)"
	entry 1 .phase RED
	expect 0 wisp rollback tdd 0
	absent one
	session .loop_count 0
}
