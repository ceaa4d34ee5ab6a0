#!/usr/bin/env bats
# wisp config, and the private utility under it that knows the layers and what
# is trusted.

load helper

setup()
{
	make_repo p
	cd p || exit 1
}

# user LINE...: the person's own file
user()
{
	mkdir -p "$XDG_CONFIG_HOME/wisp"
	printf '%s\n' "$@" >"$XDG_CONFIG_HOME/wisp/config"
}

project()
{
	mkdir -p .wisp
	printf '%s\n' "$@" >.wisp/config
}

# template CONFIG: the project's default template
template()
{
	mkdir -p .wisp/templates/default
	printf '{"name": "default", "config": %s}\n' "$1" >.wisp/templates/default/loop.json
}

# assert_value KEY VALUE
assert_value()
{
	run -0 --separate-stderr wisp config "$1"
	assert_output "$2"
	assert_stderr ''
}

# trust VALUE...: asks about them.
trust()
{
	printf '%s\0' "$@" | wisp-config trust
}

@test "config: the defaults are those of the contract" {
	run -0 env -u WISP_CONFIG_SET wisp config --list
	assert_output 'limits.maxIterations=50
limits.maxHours=4
limits.maxCostUsd=20
limits.maxStepCostUsd=none
limits.maxCostPerDayUsd=none
limits.callsPerHour=100
limits.maxWaits=5
limits.onHourly=wait
limits.overage=allow
step.timeout=60m
step.idleTimeout=10m
step.linger=10s
step.grace=5s
step.pidNamespace=auto
loop.delay=0
retry.delay=30s
agent.default=claude
input.timeout=none
input.onTimeout=pause
stuck.noProgress=3
stuck.sameFiles=3
stuck.similarErrors=5
stuck.returningTree=2
stuck.falseDone=3
history.window=20
steps.keep=20
completion.promise=required
checkpoint.restore=failed
checkpoint.save=true
commit.fallback=true
verify.command=none
verify.env=none
verify.timeout=15m
verify.metrics=none
verify.protect=none
verify.report=none
verify.lost=warn
verify.retries=1
notify.command=none
worktree.setup=none
worktree.copy=none
gates.required=none
gates.timeout=none
merge.mode=fast
sandbox=auto
sandbox.write=none
sandbox.read=none
sandbox.hide=none
sandbox.home=shared
sandbox.network=none
sandbox.setupNetwork=none
sandbox.sockets=none
sandbox.caches=private
sandbox.userns=false
ship=none'
}

@test "config: the manual page has every key, with its default" {
	local page key value

	page=$(<"$ROOT/man/wisp-config.5")
	for key in $(wisp-config keys); do
		value=$(wisp-config get "${key/\*/x}")
		[[ $page =~ .It\ Li\ ${key/.\*/. Ns Ar name Ns Li }\ No\ \((list, )?$value\) ]] || fail "$key ($value) is missing"
	done
}

@test "config: sets and reads" {
	run -0 --separate-stderr wisp config limits.maxIterations 7
	assert_output ''
	assert_value limits.maxIterations 7
	assert_value LIMITS.maxiterations 7
	assert_equal $'[limits]\n\tmaxIterations = 7' "$(<.wisp/config)"
	wisp config limits.maxIterations 8
	assert_equal $'[limits]\n\tmaxIterations = 8' "$(<.wisp/config)"
	# The good copy, which a loop compares with, is renewed.
	cmp .wisp/config "$WISP_HOME"/p-*/.good/config
	wisp config step.timeout 2h
	assert_value step.timeout 2h
	run -0 wisp config --json step.timeout
	assert_output 7200000
	wisp config limits.maxCostUsd none
	assert_value limits.maxCostUsd none
	wisp config agent.MyOwn.model opus
	assert_value agent.MyOwn.model opus
	assert_value agent.myown.model none
}

@test "config: a key without a section has wisp's in the file" {
	wisp config ship pr
	assert_equal $'[wisp]\n\tship = pr' "$(<.wisp/config)"
	assert_value ship pr
	wisp config --unset ship
	assert_value ship none
}

@test "config: values that git quotes come back as they were" {
	local value

	for value in 'make "x" # y; z' 'a\b' ' led by a blank' $'two\nlines' '$(false) `false`' '-x'; do
		wisp config -- worktree.setup "$value"
		run -0 --keep-empty-lines --separate-stderr wisp config worktree.setup
		assert_equal "$value"$'\n' "$output"
	done
}

@test "config: lists are set, added to and taken from" {
	wisp config verify.command 'make test'
	wisp config verify.command 'make check'
	wisp config --add verify.command 'make.lint'
	assert_value verify.command $'make check\nmake.lint'
	run -0 wisp config --json verify.command
	assert_output $'[\n  "make check",\n  "make.lint"\n]'
	run -1 --separate-stderr wisp config --unset verify.command 'make lint'
	assert_stderr "wisp config: verify.command is not set to that in '$(pwd -P)/.wisp/config'"
	wisp config --unset verify.command make.lint
	assert_value verify.command 'make check'
	wisp config --add verify.command again
	wisp config --unset verify.command
	assert_value verify.command none
	run -1 --separate-stderr wisp config --unset verify.command
	assert_stderr "wisp config: verify.command is not set in '$(pwd -P)/.wisp/config'"
	run -100 --separate-stderr wisp config --add limits.maxHours 3
	assert_stderr 'wisp config: limits.maxHours takes one value, there is nothing to add'
}

@test "config: what is refused is 100, and changes nothing" {
	local args message

	while IFS='|' read -r args message; do
		# shellcheck disable=SC2086 # words
		run -100 --separate-stderr wisp config $args
		assert_output ''
		assert_stderr "wisp config: $message"
	done <<'END'
limits.maxIteration 7|unknown key 'limits.maxIteration'; did you mean 'limits.maxIterations'?
maxHours|unknown key 'maxHours'; did you mean 'limits.maxHours'?
core.editor vi|unknown key 'core.editor'; wisp config --list shows them all
--unset stuck.noProgres|unknown key 'stuck.noProgres'; did you mean 'stuck.noProgress'?
limits.maxIterations 0|limits.maxIterations: expected a whole number from 1, not '0'
limits.maxHours 1h|limits.maxHours: expected a number above 0, not '1h'
step.timeout soon|step.timeout: expected a duration above 0, such as 90s or 1h30m, not 'soon'
checkpoint.save perhaps|checkpoint.save: expected true or false, not 'perhaps'
ship it|ship: expected one of none|push|pr, not 'it'
|an argument is missing: wisp config [--list] [--add | --unset] [KEY [VALUE]] [--origin] [--json]; see wisp config --help
--list ship|unexpected argument 'ship'; see wisp config --help
ship pr now|unexpected argument 'now'; see wisp config --help
--add --unset ship|--add and --unset exclude each other
--template nothing ship|there is no template 'nothing'
END
	[ ! -e .wisp/config ]
}

@test "config: each layer lies over the one before" {
	template '{"stuck.noProgress": 6, "steps.keep": 6, "loop.delay": 6, "history.window": 6, "verify.command": ["t"]}'
	assert_value stuck.noProgress 6
	user '[steps]' 'keep = 7' '[loop]' 'delay = 7' '[history]' 'window = 7' '[verify]' 'command = u' 'command = v'
	assert_value verify.command $'u\nv'
	project '[loop]' 'delay = 8' '[history]' 'window = 8' '[verify]' 'command = p'
	assert_value verify.command p
	run -0 wisp -c history.window=9 config --list --origin
	assert_contains "$output" $'stuck.noProgress=6\ttemplate\n'
	assert_contains "$output" $'steps.keep=7\tuser\n'
	assert_contains "$output" $'loop.delay=8s\tproject\n'
	assert_contains "$output" $'history.window=9\tcommand\n'
	assert_contains "$output" $'limits.maxHours=4\tdefault\n'
	WISP_AGENT=amp run -0 wisp config agent.default
	assert_output amp
	WISP_AGENT=amp run -0 wisp -c agent.default=codex config agent.default
	assert_output codex
	run -0 wisp -c verify.command=x -c verify.command='y = z' config verify.command
	assert_output $'x\ny = z'
}

@test "config: the template is that of the session at hand, unless another is named" {
	local name

	for name in default mine other; do
		mkdir -p .wisp/templates/$name
		printf '{"config": {"steps.keep": %d}}\n' ${#name} >.wisp/templates/$name/loop.json
	done
	assert_value steps.keep 7
	mkdir -p .wisp/sessions/b
	echo '{"template": "mine"}' >.wisp/sessions/b/session.json
	assert_value steps.keep 4
	WISP_TEMPLATE=other run -0 wisp config steps.keep
	assert_output 5
	WISP_TEMPLATE=other run -0 wisp config --template default steps.keep
	assert_output 7
}

@test "config: a template never loosens what a person set" {
	template '{"limits.maxIterations": 500, "step.timeout": null}'
	assert_value limits.maxIterations 500
	assert_value step.timeout none
	user '[limits]' 'maxIterations = 10' '[step]' 'timeout = 1m'
	assert_value limits.maxIterations 10
	assert_value step.timeout 1m
}

@test "config: a work tree has the configuration of its main one" {
	wisp config steps.keep 3
	git worktree add -q ../other
	cd ../other
	assert_value steps.keep 3
	wisp config steps.keep 4
	[ ! -e .wisp ]
	cd ../p
	assert_value steps.keep 4
}

@test "config: a file that does not hold is 102, with its name and the fault" {
	local file

	file=$(pwd -P)/.wisp/config
	project '[limits]' 'maxHours'
	run -102 --separate-stderr wisp config ship
	assert_stderr "wisp config: $file: limits.maxHours: has no value"
	project '[limits]' 'maxHours = many'
	run -102 --separate-stderr wisp config ship
	assert_stderr "wisp config: $file: limits.maxHours: expected a number above 0, not 'many'"
	project '[limits]' 'maxHour = 3'
	run -102 --separate-stderr wisp config ship
	assert_stderr "wisp config: $file: unknown key 'limits.maxhour'; did you mean 'limits.maxHours'?"
	project '[limits]' '[oops'
	run -102 --separate-stderr wisp config ship
	assert_contains "$stderr" "line 2 in file $file"
	assert_contains "$stderr" "wisp config: cannot read the configuration '$file'"
	run -102 --separate-stderr wisp config ship pr
	assert_contains "$stderr" "$file"
	assert_equal $'[limits]\n[oops' "$(<.wisp/config)"
	rm .wisp/config
	mkdir .wisp/config
	run -102 wisp config ship
	template '[1]'
	rm -r .wisp/config
	run -102 --separate-stderr wisp config ship
	assert_stderr "wisp config: ${file%config}templates/default/loop.json: config: expected an object"
}

@test "config: no file is included by a repository's file" {
	printf '[verify]\n\tcommand = evil\n' >../evil
	project '[include]' 'path = ../../evil'
	run -102 --separate-stderr wisp config verify.command
	assert_contains "$stderr" "unknown key 'include.path'"
}

@test "config: nothing is changed from inside a step" {
	local args

	export WISP_ITERATION=1 WISP_SESSION_DIR=$PWD/.wisp/sessions/b
	for args in 'ship pr' '--unset ship' '--add verify.command x'; do
		# shellcheck disable=SC2086 # words
		run -100 --separate-stderr wisp config $args
		assert_stderr 'wisp config: changing the configuration is not possible from inside a step'
	done
	[ ! -e .wisp/config ]
	run -0 wisp config ship
	assert_output none
}

@test "config: outside of a repository is 100" {
	cd ..
	run -100 --separate-stderr wisp config ship
	assert_stderr 'wisp config: no git repository here (git init makes one)'
}

@test "config: what cannot be written is 111" {
	: >.wisp
	run -111 --separate-stderr wisp config ship pr
	assert_stderr "wisp config: cannot make '$(pwd -P)/.wisp'"
	rm .wisp
	project
	mkdir .wisp/config.lock
	run -111 --separate-stderr wisp config ship pr
	assert_contains "$stderr" "wisp config: cannot write '$(pwd -P)/.wisp/config'"
}

@test "config: -c may stand among a command's options, too" {
	run -0 wisp config limits.maxHours -c limits.maxHours=2
	assert_output 2
	run -0 wisp -c limits.maxHours=2 config -c limits.maxHours=3 limits.maxHours
	assert_output 3
	run -100 --separate-stderr wisp config limits.maxHours -c limits.maxHours
	assert_stderr "wisp config: -c needs key=value, not 'limits.maxHours'"
	run -100 wisp run -c
	# After -- it is an operand.
	run -100 --separate-stderr wisp config -- -c
	assert_lacks "$stderr" 'key=value'
}

@test "config: --complete knows the keys" {
	run -0 wisp config --complete
	assert_contains "$output" $'limits.maxIterations\n'
	assert_contains "$output" $'--unset\n'
}

@test "trust: what a person sets with wisp config is trusted" {
	run -1 trust 'verify.command=make test'
	assert_output 'verify.command=make test'
	wisp config verify.command 'make test'
	wisp config --add verify.command 'make lint'
	run -0 trust 'verify.command=make test' 'verify.command=make lint'
	assert_output ''
	run -1 trust 'verify.command=make test' 'worktree.setup=make test' 'verify.command=make'
	assert_output $'worktree.setup=make test\nverify.command=make'
	wisp config loop.delay 3
	run -1 trust loop.delay=3
	# It lies outside of the repository, and holds for its work trees.
	[ -z "$(git status --porcelain -- . ':!.wisp')" ]
	git worktree add -q ../other
	cd ../other
	run -0 trust 'verify.command=make test'
	make_repo ../q
	cd ../q
	run -1 trust 'verify.command=make test'
}

@test "trust: asked for by what the repository's files set, and only by them" {
	local args=(--template .wisp/templates/default/loop.json --layer user="$XDG_CONFIG_HOME/wisp/config" --layer project=.wisp/config)

	template '{"verify.metrics": "m", "stuck.noProgress": 3}'
	user '[notify]' 'command = mine' '[agent "x"]' 'command = mine'
	project '[verify]' 'command = a' 'command = "b\nc"' '[agent]' 'default = codex' '[agent "x"]' 'env = A=1' '[step]' 'grace = 1'
	run -0 bash -c 'wisp-config asks "$@" | tr "\0" "|"' - "${args[@]}"
	assert_output $'verify.command=a|verify.command=b\nc|verify.metrics=m|agent.x.env=A=1|'
	# A path is executed, a name is looked up.
	project '[agent]' 'default = ./run'
	run -0 bash -c 'wisp-config asks "$@" | tr "\0" "|"' - "${args[@]}"
	assert_output 'agent.default=./run|verify.metrics=m|'
	run -0 bash -c 'wisp-config asks "$@" --set verify.metrics=mine --option agent.default=./mine | tr "\0" "|"' - "${args[@]}"
	assert_output ''
	run -1 bash -c 'wisp-config asks "$@" | wisp-config trust' - "${args[@]}"
	assert_output $'agent.default=./run\nverify.metrics=m'
	run -0 bash -c 'wisp-config asks "$@" | wisp-config trust --add' - "${args[@]}"
	run -0 bash -c 'wisp-config asks "$@" | wisp-config trust' - "${args[@]}"
}

@test "trust: asked for by what the project's file loosens, and by no limit beside" {
	local args=(--layer user="$XDG_CONFIG_HOME/wisp/config" --layer project=.wisp/config)

	user '[limits]' 'maxCostUsd = 5' 'maxHours = 2' 'maxIterations = 9' '[step]' 'timeout = 90s'
	project '[limits]' 'maxCostUsd = 1000' 'maxHours = 1' 'maxIterations = 99' '[step]' 'timeout = none' 'grace = 9s' \
		'[step]' 'pidNamespace = false' '[completion]' 'promise = optional' '[verify]' 'metrics = none'
	run -0 bash -c 'wisp-config asks "$@" | tr "\0" "|"' - "${args[@]}"
	assert_output 'limits.maxCostUsd=1000|step.timeout=none|step.pidNamespace=false|'
	user '[completion]' 'promise = required' '[limits]' 'maxCostUsd = 5' '[step]' 'timeout = 90s'
	run -0 bash -c 'wisp-config asks "$@" | tr "\0" "|"' - "${args[@]}"
	assert_output 'limits.maxCostUsd=1000|step.timeout=none|step.pidNamespace=false|completion.promise=optional|'
	# What a person sets here is trusted, in whatever form.
	wisp config limits.maxCostUsd 1000.0
	wisp config step.timeout 2m
	run -1 bash -c 'wisp-config asks "$@" | wisp-config trust' - "${args[@]}"
	assert_output $'step.pidNamespace=false\ncompletion.promise=optional'
}

@test "trust: config_trusted is what the commands ask" {
	local own=$XDG_CONFIG_HOME/wisp/templates/own

	cat >../ask <<-'END'
		source "$WISP_LIBEXEC/lib/common.bash"
		source "$WISP_LIBEXEC/lib/people.bash"
		source "$WISP_LIBEXEC/lib/config.bash"
		PROJECT=$1
		shift
		"$@"
	END
	export WISP_LIBEXEC=$ROOT/libexec
	template '{"verify.metrics": "m"}'
	project '[worktree]' 'setup = s'
	run -1 bash ../ask "$PWD" config_trusted "$PWD/.wisp/templates/default"
	assert_output $'verify.metrics=m\nworktree.setup=s'
	run -0 bash ../ask "$PWD" config_trust verify.metrics=m
	run -1 bash ../ask "$PWD" config_trusted "$PWD/.wisp/templates/default"
	assert_output worktree.setup=s
	run -0 bash ../ask "$PWD" config_trust worktree.setup=s
	run -0 bash ../ask "$PWD" config_trusted "$PWD/.wisp/templates/default"
	# A template outside of the repository is the person's.
	mkdir -p "$own"
	echo '{"config": {"verify.metrics": "other"}}' >"$own/loop.json"
	run -0 bash ../ask "$PWD" config_trusted "$own"
	project '[worktree'
	run -102 bash ../ask "$PWD" config_trusted
}

@test "resolve: the thresholds of a run, as JSON" {
	wisp-config resolve --option limits.maxIterations=5 --set limits.maxIterations=4 --set steps.keep=9 >all.json
	run -0 wisp-state get -f all.json '.["limits.maxIterations"]'
	assert_output 5
	run -0 wisp-state get -f all.json '.["steps.keep"]'
	assert_output 9
	run -0 wisp-state get -f all.json '.["step.timeout"]'
	assert_output 3600000
	wisp-config list --to too.json --option limits.maxIterations=5 --set limits.maxIterations=4 --set steps.keep=9 >text
	cmp all.json too.json
	grep -qx limits.maxIterations=5 text
	run -111 wisp-config list --to no/such.json
	wisp-config resolve --origin --option limits.maxIterations=5 >all.json
	run -0 wisp-state get -f all.json .origin
	assert_equal '{"limits.maxIterations":"option"}' "${output//[[:space:]]/}"
	run -100 --separate-stderr wisp-config resolve --option limits.maxIterations=x
	assert_stderr "wisp-config: limits.maxIterations: expected a whole number from 1, not 'x'"
	run -100 wisp-config resolve --layer project
}

@test "config: what confines a step is set in a file of the user's own for the project, and that counts" {
	local built_in own

	make_repo 'a project'
	cd 'a project'
	own=${XDG_CONFIG_HOME:-$HOME/.config}/wisp/projects$(pwd -P)/config
	built_in=$(wisp config sandbox)
	wisp config sandbox landlock
	wisp config --add sandbox.write "$HOME/store"
	[[ ! -e .wisp/config ]]
	assert_equal landlock "$(git config -f "$own" wisp.sandbox)"
	assert_equal "$HOME/store" "$(wisp config sandbox.write)"
	rm -rf "$WISP_HOME"
	assert_equal landlock "$(wisp config sandbox)"
	run -0 wisp config --list --origin
	assert_contains "$output" $'sandbox=landlock\town'
	# Of another project it says nothing.
	make_repo ../other
	assert_equal "$built_in" "$(cd ../other && wisp config sandbox)"
	wisp config --unset sandbox
	assert_equal "$built_in" "$(wisp config sandbox)"
	run -1 --separate-stderr wisp config --unset sandbox
	assert_contains "$stderr" "'$own'"
	mkdir -p .wisp
	git config -f .wisp/config wisp.sandbox bwrap
	wisp config sandbox off
	assert_equal off "$(wisp config sandbox)"
}

@test "config: a pipe in the place of the file is bad data, and nothing waits for it" {
	make_repo project
	cd project
	mkdir .wisp
	mkfifo .wisp/config
	run -102 --separate-stderr wisp config limits.maxHours
	assert_contains "$stderr" ".wisp/config' is not a regular file"
}

@test "a lock that a killed git left beside the file is removed" {
	wisp config step.grace 7s
	touch -t 202001010000 .wisp/config.lock
	run -0 --separate-stderr wisp config step.grace 8s
	assert_contains "$stderr" "config.lock', which a git that was killed has left"
	[[ ! -e .wisp/config.lock ]]
	assert_equal 8s "$(wisp config step.grace)"
}

@test "config: sandbox.*: what no step could start with is refused, what is not there is named" {
	run -100 --separate-stderr wisp config sandbox.write store
	assert_equal "wisp config: sandbox.write: expected an absolute path, or one that begins with ~/, not 'store'" "$stderr"
	run -100 --separate-stderr wisp config --add sandbox.sockets dokcer
	assert_contains "$stderr" "sandbox.sockets: expected ssh-agent, docker,"
	run -100 --separate-stderr wisp config --add sandbox.write /
	assert_equal "wisp config: sandbox.write: '/' is everything; sandbox = off confines nothing" "$stderr"
	assert_equal none "$(wisp config sandbox.write)"
	run -0 --separate-stderr wisp config --add sandbox.write '~'/store
	assert_equal "wisp config: '~/store' does not exist: a step has it once it does" "$stderr"
	mkdir "$HOME/store"
	run -0 --separate-stderr wisp config sandbox.write '~'/store
	assert_equal '' "$stderr"
}
