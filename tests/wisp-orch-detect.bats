#!/usr/bin/env bats
# What kind of project is it? Repositories built for the purpose, and what
# `wisp orchestrate` makes of each: the mode, and how sure it is.

load helper
load helper-scenario

# repository NAME COMMITS AUTHORS TAGS DAYS FILE...: so many commits over so many days; the files come with the first.
repository()
{
	local name=$1 commits=$2 authors=$3 tags=$4 days=$5 n when
	shift 5

	git init -q -b main "$name"
	cd "$name" || return
	for n; do
		mkdir -p "$(dirname -- "$n")"
		echo "$n" >"$n"
	done
	git add -A
	{
		for ((n = 1; n <= commits; n++)); do
			when=$((1700000000 + (commits > 1 ? days * 86400 * (n - 1) / (commits - 1) : 0)))
			printf 'commit refs/heads/main\nmark :%d\ncommitter A%d <a%d@b> %d +0000\ndata 1\nx\n' \
				"$((n + 1))" "$((n % authors))" "$((n % authors))" "$when"
			((n > 1)) || git_files
			printf '\n'
		done
	} | git fast-import --quiet --force
	git reset -q --hard
	for ((n = 1; n <= tags; n++)); do
		git tag "v$n"
	done
	cd ..
}

# The files of the index, for the first commit.
git_files()
{
	local mode id stage path

	while read -r mode id stage path; do
		printf 'M %s %s %s\n' "$mode" "$id" "$path"
	done < <(git ls-files -s)
}

# files COUNT PATTERN: names with 1 to COUNT in the place of N.
files()
{
	local n

	for ((n = 1; n <= $1; n++)); do
		printf '%s\n' "${2//N/$n}"
	done
}

# taken_as NAME MODE CONFIDENCE SIGNAL...
taken_as()
{
	local name=$1 shown signal
	shift

	cd "$name" || return
	run -10 wisp orchestrate --agent replay --foreground </dev/null
	shown=$output
	assert_contains "$shown" "detected $1, confidence $2"
	shift 2
	for signal; do
		assert_contains "$shown" "$signal"
	done
	cd ..
}

setup()
{
	new_world
	scenario_new
}

@test "detect: empty, and one with documents only, are greenfield" {
	repository empty 1 1 0 0 README.md
	taken_as empty greenfield 1.00 '1 files' '0 source files' 'no build file' '1 commits'
	# shellcheck disable=SC2046
	repository words 12 1 0 30 README.md $(files 20 docs/N.md)
	taken_as words greenfield 0.69 '0 source files'
}

@test "detect: a prototype, and one with tests but no CI, want polish" {
	# shellcheck disable=SC2046
	repository prototype 8 1 0 5 Makefile $(files 20 src/N.py)
	taken_as prototype brownfield-polish 1.00 '21 files' '8 commits' 'no CI/CD' 'no deploy config' 'no tests' 'no README'
	# shellcheck disable=SC2046
	repository tested 40 1 0 60 README.md package.json $(files 20 src/N.ts) $(files 10 src/N.test.ts)
	taken_as tested brownfield-polish 0.81 '10 test files'
}

@test "detect: a library with CI, a monorepo, an old service and a grown product get features" {
	# shellcheck disable=SC2046
	repository library 120 2 3 300 README.md Cargo.toml .github/workflows/ci.yml $(files 40 src/N.rs) $(files 9 tests/N.rs)
	taken_as library brownfield-feature 0.69 '3 tags' '1 CI/CD files' '9 test files'
	# shellcheck disable=SC2046
	repository monorepo 150 5 0 200 README.md .gitlab-ci.yml $(files 5 packages/N/package.json) $(files 250 packages/1/src/N.js) \
		$(files 30 packages/2/test/N.js)
	taken_as monorepo brownfield-feature 0.84 '5 build files' '5 authors' '287 files'
	# shellcheck disable=SC2046
	repository service 400 4 12 2000 README.md Makefile Jenkinsfile Dockerfile k8s/a.yaml $(files 150 app/N.java) $(files 40 src/test/N.java) $(files 9 docs/N.md)
	taken_as service brownfield-feature 1.00 '2 deploy files' '2000 days of history'
}

@test "detect: what others wrote counts for nothing, and neither does .wisp/" {
	# shellcheck disable=SC2046
	repository vendored 3 1 0 1 README.md main.go $(files 90 vendor/N/x.go) $(files 90 node_modules/N/index.js)
	taken_as vendored greenfield 1.00 '2 files' '1 source files'
}

@test "detect: the same repository gives the same bytes, from a folder below and from another work tree too" {
	local first name

	# shellcheck disable=SC2046
	repository same 30 2 1 90 README.md $(files 20 src/N.c)
	git -C same worktree add -q ../other
	run -10 env -C same wisp orchestrate --agent replay --foreground --branch a
	run -10 env -C same/src wisp orchestrate --agent replay --foreground --branch b
	run -10 env -C other wisp orchestrate --agent replay --foreground --branch c
	cd same
	first=$(wisp-state -C .wisp/sessions/a query -f loop .modeDetection)
	for name in b c; do
		assert_equal "$first" "$(wisp-state -C ".wisp/sessions/$name" query -f loop .modeDetection)"
	done
}
