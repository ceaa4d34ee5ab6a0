#!/usr/bin/env bats
# What the shells complete: all of them ask `wisp --complete WORD...`.

load helper
load helper-session

setup()
{
	make_repo project
	cd project || return
	session_make work
	session_make feature/login
	git branch later
}

# says WORD...: what may stand for the last one, with blanks between. In the table `_` is an empty word.
says()
{
	wisp --complete "$@" | tr '\n' ' ' | sed 's/ $//'
}

@test "complete: commands, sessions, branches, agents, templates, files and settings, each where it may stand" {
	local line want word words

	mkdir -p .wisp/agents .wisp/templates/mine
	: >.wisp/agents/clever
	while IFS='|' read -r line want; do
		words=()
		for word in $line; do
			words+=("${word#_}")
		done
		assert_equal "$line: $want" "$line: $(says "${words[@]}")"
	done <<-'END'
		re|reject resume review
		-c ag|agent.default=
		-c limits.onHourly=|limits.onHourly=wait limits.onHourly=pause
		-c agent.default=cl|agent.default=clever agent.default=claude
		-c limits.maxHours=2 sta|state status
		run _|feature/login work later main
		run l|later
		resume _|feature/login work
		status f|feature/login
		rm w|work
		rm --b|--branch
		rm --branch w|work
		answer --branch _|feature/login work
		run --branch la|later
		run --agent cl|clever claude
		run --agent=cl|--agent=clever --agent=claude
		run --max-cost _|
		run work --temp|--template
		run --template m|mine
		run --spec _|:files
		run --tasks _|:files
		plan _|:files
		plan --from be|beads
		update _|:files
		update spec.md _|feature/login work
		orchestrate --mode br|brownfield-feature brownfield-polish
		config ship|ship
		config ship _|none push pr
		config agent.default re|replay
		config limits.maxHours _|--list --add --unset --origin --template --json --help
		list _|--all -a --json --help
		status --|--json --help
		checkpoint s|save
		help att|attach
		hook inst|install
		hook t|
		hook gr|graduate
		gate ex|exit explain
		gate f|feature/login
		gate --n|--note
		tasks import f|fixplan :files
		nosuch _|
	END
	assert_lacks "$(says gate '')" --
}

@test "complete: outside of a repository there are no sessions, and no message" {
	cd /
	run -0 --separate-stderr wisp --complete resume ''
	assert_lacks "$output" work
	assert_stderr ''
	run -0 wisp --complete run --agent rep
	assert_output replay
}

# in_bash COMMAND WORD...: what the function of completions/wisp.bash answers; it breaks words at =.
in_bash()
{
	bash --norc -c '. "$1/completions/wisp.bash"; COMP_WORDS=("${@:2}") COMP_CWORD=$(($# - 2)) COMP_WORDBREAKS="=:"
		_wisp "$2"; printf "%s\n" "${COMPREPLY[@]}"' _ "$ROOT" "$@"
}

@test "complete: bash" {
	: >'a file'
	run -0 in_bash wisp resume ''
	assert_output $'feature/login\nwork'
	run -0 in_bash wisp run --agent = cl
	assert_output claude
	run -0 in_bash wisp -c limits.onHourly = ''
	assert_output $'wait\npause'
	run -0 in_bash wisp -c limits.onHourly = wait stat
	assert_output $'state\nstatus'
	run -0 in_bash wisp -c ship
	assert_output 'ship='
	run -0 in_bash wisp plan a
	assert_output 'a file'
	run -0 in_bash wisp-gate app
	assert_output approve
}

@test "complete: fish" {
	command -v fish >/dev/null || skip "no fish"
	: >'a file'
	in_fish()
	{
		fish --no-config -c "source '$ROOT/completions/wisp.fish'; complete -C '$1'" | sed 's/\t.*//'
	}
	run -0 in_fish 'wisp resume '
	assert_output $'feature/login\nwork'
	run -0 in_fish 'wisp run --agent=cl'
	assert_output --agent=claude
	run -0 in_fish 'wisp plan a'
	assert_output 'a file'
	run -0 in_fish 'wisp-gate app'
	assert_output approve
}

@test "complete: zsh" {
	command -v zsh >/dev/null || skip "no zsh"
	# in_zsh WORD...: what it hands to compadd and _files.
	in_zsh()
	{
		zsh -f -c 'compadd() { [[ $1 != -S ]] || shift 2; for word in ${(P)2}; do print -r -- $word; done }; _files() { print files }
			dir=$1; shift; words=("$@") CURRENT=$#; source $dir/completions/_wisp' _ "$ROOT" "$@"
	}
	run -0 in_zsh wisp resume ''
	assert_output $'feature/login\nwork'
	run -0 in_zsh wisp run --agent=cl
	assert_output --agent=claude
	run -0 in_zsh wisp plan ''
	assert_output files
	run -0 in_zsh wisp-gate app
	assert_output approve
}
