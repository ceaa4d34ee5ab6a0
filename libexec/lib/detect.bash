# detect.bash: how a project tests itself. Sourced by wisp-init, wisp-doctor and wisp-config.
#
#	detect_test DIR     prints the command and, after a tab, what says so;
#	                    1 if nothing does
#	detect_protected DIR COMMAND   prints patterns of the files that such a command
#	                    runs from, one a line: tests, CI, and what says what it does
#	named_files DIR COMMAND PATTERNS   those that the command itself names
#
# Looks only at files that git does not ignore: what a build made is not there
# in a fresh work tree. The first match counts: what people wrote for this
# project (a Makefile, a script of package.json) before what a language has.

# has FILE: it is there and part of the project.
has()
{
	[[ -f $1 ]] && ! git_run -c core.fsmonitor=false check-ignore -q -- "$1"
}

# mentions FILE PATTERN (an extended regular expression)
mentions()
{
	has "$1" && grep -qE -- "$2" "$1"
}

found()
{
	printf '%s\t%s\n' "$1" "$2"
}

# make_target NAME FILE: is NAME one of the targets before a colon?
make_target()
{
	mentions "$2" "^([^#[:space:]:=]+[[:space:]]+)*$1([[:space:]]+[^#:=]+)?[[:space:]]*::?([^=:]|\$)"
}

detect_make()
{
	local file target

	for file in GNUmakefile makefile Makefile; do
		for target in check test; do
			if make_target "$target" "$file"; then
				found "make $target" "the target $target of $file"
				return 0
			fi
		done
	done
	return 1
}

# The package manager is the one whose lock file is there.
detect_node()
{
	local script manager=npm

	has package.json || return 1
	script=$(wisp-state get -f package.json .scripts.test 2>/dev/null) || return 1
	case $script in
	'' | *'no test specified'*) return 1 ;;
	esac
	if has pnpm-lock.yaml; then
		manager=pnpm
	elif has yarn.lock; then
		manager=yarn
	elif has bun.lock || has bun.lockb; then
		manager='bun run'
	fi
	found "$manager test" "scripts.test of package.json"
}

detect_python()
{
	local runner=''

	if has uv.lock; then
		runner='uv run '
	elif has poetry.lock; then
		runner='poetry run '
	elif has pdm.lock; then
		runner='pdm run '
	fi
	if mentions tox.ini '^\[(tox|testenv)'; then
		found "${runner}tox" tox.ini
	elif has pytest.ini; then
		found "${runner}pytest" pytest.ini
	elif mentions pyproject.toml 'pytest'; then
		found "${runner}pytest" pyproject.toml
	elif mentions setup.cfg '^\[tool:pytest\]'; then
		found "${runner}pytest" setup.cfg
	elif has conftest.py || has tests/conftest.py; then
		found "${runner}pytest" conftest.py
	else
		return 1
	fi
}

detect_java()
{
	if has mvnw && has pom.xml; then
		found './mvnw -q test' pom.xml
	elif has pom.xml; then
		found 'mvn -q test' pom.xml
	elif has gradlew; then
		found './gradlew test' gradlew
	elif has build.gradle || has build.gradle.kts; then
		found 'gradle test' build.gradle
	else
		return 1
	fi
}

detect_bats()
{
	local dir file

	for dir in test tests; do
		for file in "$dir"/*.bats; do
			if has "$file"; then
				found "bats $dir" "the bats files in $dir/"
				return 0
			fi
		done
	done
	return 1
}

# What is configured once and then only built, in a folder of the work tree.
detect_native()
{
	if mentions CMakeLists.txt '^[[:space:]]*(enable_testing|ENABLE_TESTING|include[[:space:]]*\([[:space:]]*CTest)'; then
		found 'cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure' CMakeLists.txt
	elif has meson.build; then
		found '{ [ -d build ] || meson setup build; } && meson test -C build' meson.build
	else
		return 1
	fi
}

# Languages with one command for it: FILE, COMMAND.
detect_language()
{
	local file command

	while IFS='|' read -r file command; do
		for file in $file; do
			if has "$file"; then
				found "$command" "$file"
				return 0
			fi
		done
	done <<-'END'
		Cargo.toml|cargo test
		go.mod|go test ./...
		mix.exs|mix test
		Package.swift|swift test
		dune-project|dune test
		stack.yaml|stack test
		*.cabal|cabal test
		*.sln|dotnet test
		deno.json deno.jsonc|deno test
	END
	return 1
}

detect_test()
{
	local found

	found=$(cd -- "$1" && {
		detect_make || detect_node || detect_python || detect_language ||
			detect_java || detect_bats || detect_native
	}) || return 1
	printf '%s\n' "$found"
}

# has_folder PATH: are there files of the project in it?
has_folder()
{
	[[ -d $1 ]] && has_files "$1/"
}

# has_files PATHSPEC
has_files()
{
	git_reply git_run -c core.fsmonitor=false ls-files --cached --others --exclude-standard -- "$1" && [[ -n $REPLY ]]
}

# protect PATTERN: prints it, unless PROTECTED has it already, or all of a folder around it.
protect()
{
	local known

	while IFS= read -r known; do
		[[ $1 != "$known" && ($known != *'/**' || $1 != "${known%'**'}"*) ]] || return 0
	done <<<"$PROTECTED"
	PROTECTED+=${PROTECTED:+$'\n'}$1
	printf '%s\n' "$1"
}

# protect_file PATH: where it is a file of the project.
protect_file()
{
	local file=$1

	while [[ $file == ./* || $file == */./* ]]; do
		file=${file#./}
		file=${file/\/.\///}
	done
	file=${file#"$PWD/"}
	[[ -z $file || $file == /* || /$file/ == */../* ]] || ! has "$file" || protect "$file"
}

# The files that the words of a command name, `cd` followed; and what make and the package
# managers of node read without being told.
protect_named()
{
	local word dir='' last='' words=() set

	set=${1//$'\n'/ ; }
	set=${set//[\;\&\|\(\)]/ ; }
	set=${set//[\"\']/}
	IFS=$' \t\n' read -r -d '' -a words <<<"$set" || :
	for word in ${words[@]+"${words[@]}"}; do
		case $last:$word in
		cd:*) dir=$dir${word%/}/ ;;
		-C:* | *:--directory=*) dir=$dir${word#--directory=}/ ;;
		*:*[!=]=?*) protect_file "$dir${word#*=}" ;;
		*:make | *:gmake)
			for set in GNUmakefile makefile Makefile; do
				! has "$dir$set" || { protect_file "$dir$set" && break; }
			done
			;;
		*:npm | *:pnpm | *:yarn | *:bun) protect_file "${dir}package.json" ;;
		*) protect_file "$dir$word" ;;
		esac
		last=$word
	done
}

protected_files()
{
	local command=$1 path PROTECTED=''

	for path in test tests spec e2e .github/workflows .circleci; do
		! has_folder "$path" || protect "$path/**"
	done
	if has_files ':(glob)**/__tests__/**'; then
		protect '**/__tests__/**'
	fi
	for path in .gitlab-ci.yml Jenkinsfile azure-pipelines.yml conftest.py pytest.ini tox.ini; do
		! has "$path" || protect "$path"
	done
	protect_named "$command"
}

# named_files DIR COMMAND PATTERNS: those that the command names and the patterns do not have, one a line.
named_files()
{
	local PROTECTED=$3

	(cd -- "$1" && protect_named "$2")
}

detect_protected()
{
	(cd -- "$1" && protected_files "$2")
}

# shellcheck source=lib/withheld.bash
source "${BASH_SOURCE[0]%/*}/withheld.bash"
