# wisp init: what it writes, what it finds, and what it leaves alone.

load helper

setup()
{
	make_repo project
	cd project || return 1
}

# init OPTION...: exits 0, its words in $output.
init()
{
	run -0 wisp init "$@"
}

verify_command()
{
	git config --file .wisp/config --get-all verify.command
}

@test "config, gitignore and the template are written, and all is set up" {
	run -0 --separate-stderr wisp init --no-verify
	assert_output "wrote .wisp/.gitignore
wrote .wisp/config
wrote .wisp/templates/default (6 files)"
	assert_stderr ''
	assert_equal $'sessions/\nworktrees/' "$(<.wisp/.gitignore)"
	local file
	for file in "$ROOT"/templates/default/*; do
		cmp "$file" ".wisp/templates/default/${file##*/}"
	done
	mkdir -p .wisp/sessions/main .wisp/worktrees/main
	touch .wisp/sessions/main/session.json .wisp/worktrees/main/file
	run -0 git status --short --untracked-files=all
	assert_lacks "$output" sessions/main
	assert_lacks "$output" worktrees/main
}

@test "a second time changes nothing and says nothing" {
	init --no-verify
	cp -R .wisp "$BATS_TEST_TMPDIR/before"
	init --no-verify
	assert_output ''
	diff -r "$BATS_TEST_TMPDIR/before" .wisp
}

@test "what was edited is kept and named, what was lost comes back" {
	init --no-verify
	echo 'My own words.' >>.wisp/templates/default/system.md
	rm .wisp/templates/default/iterate.md
	git config --file .wisp/config limits.maxHours 1
	echo '# mine' >>.wisp/.gitignore
	init --no-verify
	assert_output "kept .wisp/templates/default/system.md, which is edited
wrote .wisp/templates/default (1 file)"
	assert_contains "$(<.wisp/templates/default/system.md)" 'My own words.'
	assert_equal 1 "$(git config --file .wisp/config limits.maxHours)"
	assert_contains "$(<.wisp/.gitignore)" '# mine'
	[[ -e .wisp/templates/default/iterate.md ]]
}

@test "a gitignore without our lines gets them" {
	mkdir .wisp
	printf '*.log' >.wisp/.gitignore
	init --no-verify
	assert_equal $'*.log\nsessions/\nworktrees/' "$(<.wisp/.gitignore)"
}

@test "a template that is shipped in another form now replaces what nobody edited" {
	local share=$XDG_CONFIG_HOME/wisp/templates/mine
	mkdir -p "$share"
	printf '{}\n' >"$share/loop.json"
	echo one >"$share/iterate.md"
	echo one >"$share/system.md"
	init --no-verify --template mine
	assert_contains "$output" 'wrote .wisp/templates/mine (3 files)'
	assert_contains "$output" '`wisp run --template mine` begins a session with it'
	[[ ! -e .wisp/templates/default ]]
	echo edited >.wisp/templates/mine/system.md
	echo two >"$share/iterate.md"
	echo two >"$share/system.md"
	init --no-verify --template mine
	assert_equal two "$(<.wisp/templates/mine/iterate.md)"
	assert_equal edited "$(<.wisp/templates/mine/system.md)"
	assert_contains "$output" "kept .wisp/templates/mine/system.md, which is edited; it is shipped in another form now: $share/system.md"
	init --no-verify --template mine
	assert_contains "$output" 'it is shipped in another form now'
}

# finds COMMAND FILE [LINE]...: in a project with that file, and what was there before, init sets COMMAND.
finds()
{
	local command=$1 file=$2
	shift 2
	mkdir -p "$(dirname "$file")"
	printf '%s\n' "$@" >"$file"
	rm -rf .wisp
	init
	assert_equal "$command" "$(verify_command)" || return 1
	assert_contains "$output" "set verify.command = $command (found "
	assert_contains "$output" '; `wisp config verify.command CMD` changes it)'
}

@test "the project's own test command is found, by what is most its own" {
	finds '{ [ -d build ] || meson setup build; } && meson test -C build' meson.build ''
	finds 'cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure' \
		CMakeLists.txt 'project(x)' 'enable_testing()'
	finds 'bats tests' tests/a.bats ''
	finds 'gradle test' build.gradle ''
	finds './gradlew test' gradlew ''
	finds 'mvn -q test' pom.xml ''
	finds './mvnw -q test' mvnw ''
	finds 'mix test' mix.exs ''
	finds 'go test ./...' go.mod 'module x'
	finds 'cargo test' Cargo.toml '[package]'
	finds pytest conftest.py ''
	finds pytest setup.cfg '[tool:pytest]'
	finds pytest pyproject.toml '[tool.pytest.ini_options]'
	finds pytest pytest.ini '[pytest]'
	finds tox tox.ini '[tox]'
	finds 'poetry run tox' poetry.lock ''
	finds 'uv run tox' uv.lock ''
	finds 'npm test' package.json '{"scripts": {"test": "vitest run"}}'
	finds 'yarn test' yarn.lock ''
	finds 'pnpm test' pnpm-lock.yaml ''
	finds 'make test' Makefile '.PHONY: all test' 'all lib: ' 'test:' '	true'
	finds 'make check' Makefile 'test:' 'build check ::' '	true'
}

protected()
{
	git config --file .wisp/config --get-all verify.protect | tr '\n' ' '
}

@test "what the test command runs from is proposed as verify.protect, and set once" {
	mkdir -p tests/e2e test spec src/__tests__ .github/workflows .circleci lib
	echo tests/build >.gitignore
	touch tests/e2e/a src/__tests__/a.js .github/workflows/ci.yml .gitlab-ci.yml Jenkinsfile lib/a
	printf 'check:\n\ttrue\n' >Makefile
	init
	assert_equal 'tests/** .github/workflows/** **/__tests__/** .gitlab-ci.yml Jenkinsfile Makefile ' "$(protected)"
	assert_contains "$output" 'set verify.protect = tests/** .github/workflows/** **/__tests__/** .gitlab-ci.yml Jenkinsfile Makefile (reported when a step changes them)'
	git config --file .wisp/config --unset-all verify.protect
	init
	assert_output ''
	run -1 git config --file .wisp/config --get-all verify.protect
	git config --file .wisp/config verify.protect 'mine/*'
	init --verify true
	assert_equal 'mine/* ' "$(protected)"
}

@test "verify.protect: what git ignores is left out, and what decides what the command does is in" {
	mkdir test tests
	touch tests/a test/a conftest.py
	echo test/ >.gitignore
	echo '{"scripts": {"test": "vitest run"}}' >package.json
	printf 'all:\n' >Makefile
	init
	assert_equal 'tests/** conftest.py package.json ' "$(protected)"
	rm -r .wisp
	init --verify ./check
	assert_equal 'tests/** conftest.py ' "$(protected)"
	rm -r .wisp
	init --no-verify
	run -1 git config --file .wisp/config --get-all verify.protect
}

@test "verify.protect: the files that the command names, whatever runs them" {
	mkdir -p scripts tools x sub tests
	touch check.sh run-tests scripts/ci.sh tools/check.py test.mjs build.mk x/y.sh sub/Makefile jest.config.js tests/a.sh ignored.sh
	echo ignored.sh >.gitignore
	while IFS='|' read -r command want; do
		rm -rf .wisp
		init --verify "$command"
		assert_equal "$command: tests/** ${want:+$want }" "$command: $(protected)"
		assert_lacks "$output" 'is not reported'
	done <<-'END'
		sh check.sh|check.sh
		./run-tests|run-tests
		bash -e scripts/ci.sh --all|scripts/ci.sh
		python3 tools/check.py|tools/check.py
		node "test.mjs"|test.mjs
		make -f build.mk test|build.mk
		make -C sub check|
		cd x && ./y.sh|x/y.sh
		(cd x; ./y.sh) && ./check.sh|x/y.sh
		CI=1 LANG=C ./check.sh >log 2>&1|check.sh
		jest --config=jest.config.js|jest.config.js
		sh -c './check.sh && tests/a.sh'|check.sh
		././check.sh|check.sh
		sh ignored.sh|
		/bin/sh ../check.sh|
		true|
	END
}

@test "wisp config verify.command says which files of it verify.protect does not have" {
	touch check.sh
	init --no-verify
	run --separate-stderr -0 wisp config verify.command 'sh check.sh'
	assert_contains "$stderr" "a step that changes 'check.sh' is not reported: wisp config --add verify.protect 'check.sh'"
	wisp config --add verify.protect 'check.sh'
	run --separate-stderr -0 wisp config verify.command 'sh ./check.sh'
	assert_stderr ''
}

@test "what only looks like a test command is none" {
	echo '{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}' >package.json
	printf 'check := yes\nlatest:\n\ttrue\n# test: comment\ntests:\n' >Makefile
	echo '[build-system]' >pyproject.toml
	echo 'project(x)' >CMakeLists.txt
	init
	assert_contains "$output" 'found no test command: set one with `wisp config verify.command CMD`, or sessions are unverified'
	run -1 verify_command
	echo '{"scripts": ' >package.json
	init
	assert_contains "$output" 'found no test command'
}

@test "what a build made is not taken for the project's own" {
	echo Makefile >.gitignore
	printf 'check:\n\ttrue\n' >Makefile
	echo 'module x' >go.mod
	init
	assert_equal 'go test ./...' "$(verify_command)"
}

@test "what the files name and the tests will not be given is said once, unless verify.env is set" {
	export DATABASE_URL=db API_TOKEN=t OTHER_SECRET=s XDG_DATA_HOME=$PWD/data
	printf 'check:\n\tpsql "$$DATABASE_URL"\n' >Makefile
	echo 'get("OTHER_SECRET_NAME", API_TOKEN, XDG_DATA_HOME)' >new.py
	git config submodule.recurse true
	init
	[[ $output =~ 'wisp withholds '(API_TOKEN, DATABASE_URL|DATABASE_URL, API_TOKEN)' from it: wisp config --add verify.env NAME' ]]
	assert_lacks "$output" OTHER_SECRET
	init --verify 'make other'
	assert_contains "$output" DATABASE_URL
	init
	assert_output ''
	wisp config verify.env DATABASE_URL
	init --verify 'make check'
	assert_lacks "$output" withholds
	rm -r .wisp Makefile new.py
	init --verify true
	assert_lacks "$output" withholds
}

@test "what is set stays, --verify sets, --no-verify sets none" {
	printf 'check:\n\ttrue\n' >Makefile
	init --no-verify
	run -1 verify_command
	init --verify 'make -s test "a b"'
	assert_contains "$output" 'set verify.command = make -s test "a b"'
	init
	assert_output ''
	assert_equal 'make -s test "a b"' "$(verify_command)"
	run -100 --separate-stderr wisp init --verify x --no-verify
	assert_stderr 'wisp init: --verify and --no-verify exclude each other'
}

@test "--agent sets the agent; what a template or agent cannot be is refused" {
	init --no-verify --agent replay
	assert_contains "$output" 'set agent.default = replay'
	assert_equal replay "$(git config --file .wisp/config agent.default)"
	run -100 --separate-stderr wisp init --template nothing
	assert_stderr "wisp init: there is no template 'nothing'"
	run -100 --separate-stderr wisp init --template ../x
	assert_stderr "wisp init: a template has a name without '/', not '../x'"
	run -100 --separate-stderr wisp init now
	assert_contains "$stderr" "unexpected argument 'now'"
}

@test "from a subfolder and from a work tree it is the main work tree" {
	mkdir sub
	git worktree add -q "$BATS_TEST_TMPDIR/linked" -b linked
	(cd sub && wisp init --no-verify)
	[[ -e .wisp/config && ! -e sub/.wisp ]]
	rm -r .wisp
	(cd "$BATS_TEST_TMPDIR/linked" && wisp init --no-verify)
	[[ -e .wisp/config && ! -e $BATS_TEST_TMPDIR/linked/.wisp ]]
}

@test "outside of a repository, in a bare one, in an empty one" {
	cd "$BATS_TEST_TMPDIR"
	run -100 --separate-stderr wisp init
	assert_stderr 'wisp init: no git repository here (git init makes one)'
	git init -q --bare bare.git
	cd bare.git
	run -100 --separate-stderr wisp init
	assert_stderr 'wisp init: this repository is bare: go into a work tree of it (git worktree add makes one)'
	git init -q "$BATS_TEST_TMPDIR/empty"
	cd "$BATS_TEST_TMPDIR/empty"
	run -0 --separate-stderr wisp init --no-verify
	assert_stderr 'wisp init: the repository has no commit yet; make one before `wisp run`'
	[[ -e .wisp/config ]]
}

@test "what cannot be written is named, with 111" {
	touch .wisp
	run -111 --separate-stderr wisp init
	assert_stderr "wisp init: cannot make '$PWD/.wisp'"
	rm .wisp
	mkdir -p .wisp/templates/default/iterate.md/x
	run -111 --separate-stderr wisp init
	assert_contains "$stderr" "$PWD/.wisp/templates/default/iterate.md"
}

@test "a step cannot set up" {
	WISP_ITERATION=1 WISP_SESSION_DIR=$PWD run -100 --separate-stderr wisp init
	assert_stderr 'wisp init: init is not possible from inside a step'
	[[ ! -e .wisp ]]
}

@test "eight at once: each ends with 0, and what they wrote is whole" {
	local i pids=() pid

	printf 'check:\n\ttrue\n' >Makefile
	for ((i = 1; i <= 8; i++)); do
		wisp init >"$BATS_TEST_TMPDIR/said.$i" 2>&1 3>&- &
		pids+=("$!")
	done
	for pid in "${pids[@]}"; do
		wait "$pid" || fail "$?" "$(cat "$BATS_TEST_TMPDIR"/said.*)"
	done
	assert_equal 1 "$(grep -l 'wrote .wisp/config' "$BATS_TEST_TMPDIR"/said.* | wc -l | tr -d ' ')"
	assert_equal $'sessions/\nworktrees/' "$(<.wisp/.gitignore)"
	assert_equal 'make check' "$(verify_command)"
	diff -r -x .shipped "$ROOT/templates/default" .wisp/templates/default
	init
	assert_output ''
}

@test "init: one that is killed in the middle is repeated, and leaves nothing of its own" {
	mkdir "$BATS_TEST_TMPDIR/stubs"
	printf '#!/bin/sh\nkill -KILL "$PPID"\n' >"$BATS_TEST_TMPDIR/stubs/mv"
	chmod +x "$BATS_TEST_TMPDIR/stubs/mv"
	PATH=$BATS_TEST_TMPDIR/stubs:$PATH run -137 wisp init
	[[ -n $(find .wisp -type f) ]]
	run -0 wisp init
	assert_equal '' "$(find .wisp -name '.*.init')"
	[[ -s .wisp/.gitignore && -s .wisp/config ]]
}
