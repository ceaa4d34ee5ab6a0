#!/usr/bin/env bats
# What kind of project is it? Repositories built for the purpose, and all that
# `wisp orchestrate` sees in each. What names count for, and the rules, are unit/detect.c.

load helper
load helper-scenario

# repository NAME COMMITS AUTHORS TAGS DAYS FILE...: so many commits over so many days; the files come with the first.
repository()
{
	local name=$1 commits=$2 authors=$3 tags=$4 days=$5 n
	shift 5

	git init -q -b main "$name"
	for ((n = 1; n <= commits; n++)); do
		printf 'commit refs/heads/main\ncommitter A%d <a%d@b> %d +0000\ndata 1\nx\n' \
			"$((n % authors))" "$((n % authors))" "$((1700000000 + (commits > 1 ? days * 86400 * (n - 1) / (commits - 1) : 0)))"
		((n > 1)) || printf 'M 644 inline %s\ndata 1\nx\n' "$@"
	done | git -C "$name" fast-import --quiet
	git -C "$name" reset -q --hard
	for ((n = 1; n <= tags; n++)); do
		git -C "$name" tag "v$n"
	done
}

# files COUNT PATTERN: names with 1 to COUNT in the place of N.
files()
{
	local n

	for ((n = 1; n <= $1; n++)); do
		printf '%s\n' "${2//N/$n}"
	done
}

readonly WHOLE='.modeDetection | "\(.detected) \(.confidence): \([.signals[] | "\(.signal) \(.weight)\(.mode[0:1])"] | join(", "))"'

# taken_as NAME WHOLE: the mode, how sure it is, and every signal with its weight and the first letter of its mode.
taken_as()
{
	cd "$1" || return
	run -10 wisp orchestrate --agent replay --foreground </dev/null
	assert_contains "$output" "detected ${2%% *}, confidence "
	assert_equal "$2" "$(wisp-state -C .wisp/sessions/wisp/orchestra query -f loop "$WHOLE")"
	cd ..
}

setup()
{
	new_world
	scenario_new
}

@test "detect: empty, and one with documents only, are greenfield" {
	repository empty 1 1 0 0 README.md
	taken_as empty 'greenfield 1: 1 file 0.5g, no source file 0.8g, no build file 0.1g, 1 commit 0.4g'
	# shellcheck disable=SC2046
	repository words 12 1 0 30 README.md $(files 20 docs/N.md)
	taken_as words 'greenfield 1: no source file 0.8g, no build file 0.1g'
}

@test "detect: a prototype, and one with tests but no CI, want polish" {
	# shellcheck disable=SC2046
	repository prototype 8 1 0 5 Makefile $(files 20 src/N.py)
	taken_as prototype 'brownfield-polish 1: 21 files 0.3p, 8 commits 0.4p, no CI/CD 0.5p, no deploy config 0.5p, no tests 0.4p, no README 0.2p'
	# shellcheck disable=SC2046
	repository tested 40 1 0 60 README.md package.json $(files 20 src/N.ts) $(files 10 src/N.test.ts)
	taken_as tested 'brownfield-polish 0.81: 32 files 0.3p, 40 commits 0.4p, no CI/CD 0.5p, no deploy config 0.5p, 10 test files 0.4f'
}

@test "detect: a library with CI, a monorepo, an old service and a grown product get features" {
	local n id

	# shellcheck disable=SC2046
	repository library 120 2 3 300 README.md Cargo.toml .github/workflows/ci.yml $(files 40 src/N.rs) $(files 9 tests/N.rs)
	taken_as library 'brownfield-feature 0.69: 52 files 0.3p, 120 commits 0.4f, 3 tags 0.3f, 300 days of history 0.2f, 1 CI/CD file 0.5f, no deploy config 0.5p, 9 test files 0.4f'
	# shellcheck disable=SC2046
	repository monorepo 150 5 0 200 README.md .gitlab-ci.yml $(files 5 packages/N/package.json) $(files 250 packages/1/src/N.js) \
		$(files 30 packages/2/test/N.js)
	taken_as monorepo 'brownfield-feature 0.84: 287 files 0.4f, 280 source files 0.3f, 5 build files 0.2f, 150 commits 0.4f, 5 authors 0.2f, 200 days of history 0.2f, 1 CI/CD file 0.5f, no deploy config 0.5p, 30 test files 0.4f'
	# shellcheck disable=SC2046
	repository service 400 4 12 2000 README.md Makefile Jenkinsfile Dockerfile k8s/a.yaml $(files 150 app/N.java) $(files 40 src/test/N.java) $(files 9 docs/N.md)
	git -C service checkout -q --detach
	taken_as service 'brownfield-feature 1: 204 files 0.4f, 190 source files 0.3f, 400 commits 0.4f, 4 authors 0.2f, 12 tags 0.3f, 2000 days of history 0.2f, 1 CI/CD file 0.5f, 2 deploy files 0.4f, 40 test files 0.4f, 10 documents 0.1f'
	# One that its people go on with on a branch: features come in by merges.
	# shellcheck disable=SC2046
	repository product 110 3 9 700 README.md package.json .circleci/config.yml Dockerfile $(files 120 src/N.ts) $(files 60 src/N.spec.ts)
	for n in 1 2 3 4 5; do
		id=$(GIT_COMMITTER_DATE='1760480000 +0000' git -C product commit-tree -p HEAD -p HEAD~1 -m merge 'HEAD^{tree}')
		git -C product reset -q --soft "$id"
	done
	git -C product checkout -q -b feature
	taken_as product 'brownfield-feature 0.9: 184 files 0.3p, 180 source files 0.3f, 115 commits 0.4f, 4 authors 0.2f, 9 tags 0.3f, 5 merges 0.1f, 700 days of history 0.2f, 1 CI/CD file 0.5f, 1 deploy file 0.4f, 60 test files 0.4f'
}

@test "detect: what others wrote counts for nothing, and neither does .wisp/, a submodule or a link" {
	# shellcheck disable=SC2046
	repository vendored 3 1 0 1 main.go doc/README .wisp/templates/x/a.py $(files 90 vendor/N/x.go) $(files 90 node_modules/N/index.js)
	mkdir $'vendored/line\nfeed'
	echo >$'vendored/line\nfeed/a\tb'
	ln -s doc/README vendored/README
	ln -s main.go vendored/other.go
	git -C vendored update-index --add --cacheinfo "160000,$(git -C vendored rev-parse HEAD),sub.go"
	git -C vendored add README other.go 'line*'
	GIT_COMMITTER_DATE='1700086400 +0000' git -C vendored commit -q -m links
	# What is not committed is not looked at.
	echo >vendored/more.go
	git -C vendored add more.go
	taken_as vendored 'greenfield 1: 3 files 0.5g, 1 source file 0.8g, no build file 0.1g, 4 commits 0.4g'
}

@test "detect: a shallow clone says nothing of the history" {
	# shellcheck disable=SC2046
	repository deep 40 4 3 300 README.md Makefile $(files 20 src/N.c)
	git clone -q --depth 2 "file://$PWD/deep" shallow
	taken_as shallow 'brownfield-polish 1: 22 files 0.3p, no CI/CD 0.5p, no deploy config 0.5p, no tests 0.4p'
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
