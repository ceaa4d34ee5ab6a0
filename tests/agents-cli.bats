#!/usr/bin/env bats
# The agents that drive a CLI, against CLIs that note how they were started:
# the exact command line, the prompt, --probe, and the check before a run.

load helper
load helper-scenario

AGENTS=$ROOT/libexec/agents

# What every CLI must list in its help (the agents' own lists are held against this one).
flags()
{
	case $1 in
	claude) echo --output-format --verbose --no-session-persistence --settings --dangerously-skip-permissions \
		--append-system-prompt --add-dir --model --max-budget-usd ;;
	codex) echo --json --ephemeral --skip-git-repo-check --add-dir --model --sandbox --dangerously-bypass-approvals-and-sandbox ;;
	gemini) echo --output-format --skip-trust --approval-mode --include-directories --model ;;
	qwen) echo --output-format --auth-type --approval-mode --append-system-prompt --include-directories --model ;;
	opencode) echo --format --auto --title --model ;;
	copilot) echo --output-format --no-auto-update --no-ask-user --allow-all-tools --allow-all-paths --deny-tool --add-dir --model ;;
	amp) echo --execute --stream-json --no-notifications --mode ;;
	esac
}

readonly CLIS='claude codex gemini qwen opencode copilot amp'

setup()
{
	mkdir -p bin tree session
	export WISP_SESSION_DIR=$PWD/session WISP_BRANCH=work WISP_ITERATION=3
	# What a login could be told by is none of the test's machine.
	unset ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN CLAUDE_CODE_OAUTH_TOKEN CLAUDE_CONFIG_DIR CODEX_API_KEY CODEX_HOME \
		GEMINI_API_KEY GOOGLE_GENAI_USE_VERTEXAI GOOGLE_GENAI_USE_GCA GEMINI_CLI_HOME OPENAI_API_KEY OPENCODE_API_KEY \
		COPILOT_GITHUB_TOKEN COPILOT_PROVIDER_BASE_URL GH_TOKEN GITHUB_TOKEN AMP_API_KEY IS_SANDBOX
	PATH=$PWD/bin:$PATH
	echo 'be good' >system.md
	cd tree || return
}

# stub NAME [FLAG]...: a CLI that knows these flags (by default all it should), and notes in ../asked what it was
# asked, in ../started how a step was started, in ../stdin what it was told.
stub()
{
	local name=$1 flag
	shift
	# shellcheck disable=SC2046 # words
	(($#)) || set -- $(flags "$name")

	{
		printf '#!/usr/bin/env bash\ndir=%q\n' "$BATS_TEST_TMPDIR"
		cat <<'END'
echo "$*" >>"$dir/asked"
case " $* " in
*' --version '*) echo "$(cat "$dir/version" 2>/dev/null || echo 9.8.7) (The \"CLI\")."; exit ;;
*' status '*) cat "$dir/login" 2>/dev/null; [[ ! -e $dir/login ]]; exit ;;
*' --help '*) : ;;
*)
	printf '%s\n' "$@" >"$dir/started"
	env >"$dir/environment"
	cat >"$dir/stdin"
	[[ ! -e $dir/effects ]] || . "$dir/effects"
	exit
	;;
esac
cat <<'HELP'
Usage: some words
END
		for flag; do
			printf '  %s <value>\n      what it does\n' "$flag"
		done
		echo HELP
	} >"$BATS_TEST_TMPDIR/bin/$name"
	chmod +x "$BATS_TEST_TMPDIR/bin/$name"
}

# started AGENT WORD...: the words the CLI was started with, and what it was told.
started()
{
	local agent=$1
	shift
	run -0 "$AGENTS/$agent" ${ARGS[@]+"${ARGS[@]}"} <<<'- a prompt'
	assert_equal "$(printf '%s\n' "$@")" "$(<../started)"
}
ARGS=()

# probe AGENT; then `says FIELD VALUE` of its answer.
probe()
{
	run -0 --separate-stderr "$AGENTS/$1" --probe "${@:2}"
	assert_stderr ''
	printf '%s\n' "$output" >../probe.json
}

says()
{
	assert_equal "$2" "$(wisp-state get -f ../probe.json "$1")"
}

# in_environment NAME=VALUE
in_environment()
{
	grep -qxF "$1" ../environment || fail "not in its environment: $1"
}

@test "claude: the command line, the prompt, the environment" {
	stub claude
	started claude -p --output-format stream-json --verbose --no-session-persistence \
		--dangerously-skip-permissions --settings "$AGENTS/claude.settings.json"
	assert_equal $'\n- a prompt' "$(<../stdin)"
	in_environment DISABLE_AUTOUPDATER=1
	in_environment CLAUDE_CODE_DISABLE_TERMINAL_TITLE=1
	in_environment CLAUDE_CODE_DISABLE_BACKGROUND_TASKS=1
	[[ $EUID -ne 0 ]] || in_environment IS_SANDBOX=1

	export WISP_SYSTEM_FILE=../system.md WISP_MODEL=opus WISP_STEP_BUDGET_USD=2.50
	ARGS=(--fallback-model 'a b')
	started claude -p --output-format stream-json --verbose --no-session-persistence \
		--dangerously-skip-permissions --settings "$AGENTS/claude.settings.json" \
		--append-system-prompt-file ../system.md --model opus --max-budget-usd 2.50 --fallback-model 'a b'
}

@test "claude: background tasks are off, unless a person wants them" {
	stub claude
	CLAUDE_CODE_DISABLE_BACKGROUND_TASKS=0 started claude -p --output-format stream-json --verbose \
		--no-session-persistence --dangerously-skip-permissions --settings "$AGENTS/claude.settings.json"
	in_environment CLAUDE_CODE_DISABLE_BACKGROUND_TASKS=0
}

@test "claude: a budget of nothing, an empty system prompt and an empty model are not passed on" {
	stub claude
	: >../empty.md
	for budget in '' 0 0.00; do
		WISP_SYSTEM_FILE=../empty.md WISP_MODEL='' WISP_STEP_BUDGET_USD=$budget \
			started claude -p --output-format stream-json --verbose --no-session-persistence \
			--dangerously-skip-permissions --settings "$AGENTS/claude.settings.json"
	done
}

@test "claude: permissions by rules, or by a settings file" {
	stub claude
	WISP_AGENT_PERMISSIONS=rules started claude -p --output-format stream-json --verbose --no-session-persistence \
		--add-dir "$WISP_SESSION_DIR" --settings "$AGENTS/claude.settings.json"
	WISP_AGENT_PERMISSIONS=/my/settings.json started claude -p --output-format stream-json --verbose \
		--no-session-persistence --add-dir "$WISP_SESSION_DIR" --settings /my/settings.json
}

@test "claude: the denials that ship are rules that it can read" {
	local rule

	for rule in 'Bash(git push)' 'Bash(git push *)' 'Read(//**/.env)' 'Read(~/.ssh/**)' 'Read(~/.aws/**)' \
		'Edit(//**/.wisp/config)' 'Edit(//**/.git/hooks/**)' 'Edit(//**/.claude/settings.json)'; do
		"$JQ" -e --arg rule "$rule" '.permissions.deny | index($rule)' "$AGENTS/claude.settings.json" >/dev/null ||
			fail "$rule is not denied"
	done
	run -0 "$JQ" -c '[keys, (.permissions | keys), (.permissions.deny | all(test("^(Bash|Read|Edit)\\(.+\\)$")))]' \
		"$AGENTS/claude.settings.json"
	assert_output '[["permissions"],["deny"],true]'
}

@test "codex: the command line and the prompt" {
	stub codex
	started codex exec --json --ephemeral --skip-git-repo-check --add-dir "$WISP_SESSION_DIR" \
		--dangerously-bypass-approvals-and-sandbox
	assert_equal '- a prompt' "$(<../stdin)"

	export WISP_SYSTEM_FILE=../system.md WISP_MODEL=o3
	ARGS=(-c 'x="y z"')
	WISP_AGENT_PERMISSIONS=workspace-write started codex exec --json --ephemeral --skip-git-repo-check \
		--add-dir "$WISP_SESSION_DIR" --sandbox workspace-write --model o3 -c 'x="y z"'
	assert_equal $'be good\n- a prompt' "$(<../stdin)"
}

@test "codex: what a commit in a linked work tree writes is given to its sandbox, but no configuration and no hooks" {
	local common

	stub codex
	make_repo ../project
	git -C ../project worktree add -q -b other ../linked
	common=$(cd ../project/.git && pwd -P)
	cd ../linked
	WISP_AGENT_PERMISSIONS=workspace-write started codex exec --json --ephemeral --skip-git-repo-check \
		--add-dir "$WISP_SESSION_DIR" --sandbox workspace-write --add-dir "$common/worktrees/linked" \
		--add-dir "$common/objects" --add-dir "$common/refs" --add-dir "$common/logs"
	WISP_AGENT_PERMISSIONS=read-only started codex exec --json --ephemeral --skip-git-repo-check \
		--add-dir "$WISP_SESSION_DIR" --sandbox read-only
	# A git folder that is the main checkout's own holds both.
	cd ../project
	WISP_AGENT_PERMISSIONS=workspace-write started codex exec --json --ephemeral --skip-git-repo-check \
		--add-dir "$WISP_SESSION_DIR" --sandbox workspace-write
}

@test "gemini: the command line, the prompt, no launcher" {
	stub gemini
	started gemini --output-format stream-json --skip-trust --include-directories "$WISP_SESSION_DIR" --approval-mode yolo
	in_environment GEMINI_CLI_NO_RELAUNCH=true

	export WISP_SYSTEM_FILE=../system.md WISP_MODEL=gemini-x
	ARGS=(--policy p)
	WISP_AGENT_PERMISSIONS=auto_edit started gemini --output-format stream-json --skip-trust \
		--include-directories "$WISP_SESSION_DIR" --model gemini-x --approval-mode auto_edit --policy p
	assert_equal $'be good\n- a prompt' "$(<../stdin)"
}

@test "qwen: the command line and the prompt" {
	stub qwen
	started qwen --output-format stream-json --include-directories "$WISP_SESSION_DIR" --approval-mode yolo

	export WISP_SYSTEM_FILE=../system.md WISP_MODEL=coder OPENAI_API_KEY=k
	ARGS=(--max-session-turns 9)
	WISP_AGENT_PERMISSIONS=auto-edit started qwen --output-format stream-json --include-directories "$WISP_SESSION_DIR" \
		--append-system-prompt 'be good' --auth-type openai --model coder --approval-mode auto-edit --max-session-turns 9
	assert_equal '- a prompt' "$(<../stdin)"
}

@test "opencode: the command line and the prompt" {
	stub opencode
	started opencode run --format json --title 'wisp work 3' --auto
	in_environment OPENCODE_DISABLE_AUTOUPDATE=1

	export WISP_SYSTEM_FILE=../system.md WISP_MODEL=p/m
	ARGS=(--variant high)
	WISP_AGENT_PERMISSIONS=rules started opencode run --format json --title 'wisp work 3' --model p/m --variant high
	assert_equal $'be good\n- a prompt' "$(<../stdin)"
}

@test "copilot: the command line, and the prompt on stdin since there is no -p" {
	stub copilot
	started copilot --output-format json --no-auto-update --no-ask-user --allow-all-tools --allow-all-paths \
		'--deny-tool=shell(git push)'

	export WISP_SYSTEM_FILE=../system.md WISP_MODEL=gpt
	ARGS=('--allow-tool=shell(git:*)')
	WISP_AGENT_PERMISSIONS=rules started copilot --output-format json --no-auto-update --no-ask-user \
		--add-dir "$WISP_SESSION_DIR" --model gpt '--allow-tool=shell(git:*)'
	assert_equal $'be good\n- a prompt' "$(<../stdin)"
}

@test "amp: the command line and the prompt" {
	stub amp
	started amp --execute --stream-json --no-notifications --dangerously-allow-all

	export WISP_SYSTEM_FILE=../system.md WISP_MODEL=high
	ARGS=(--no-ide)
	WISP_AGENT_PERMISSIONS=rules started amp --execute --stream-json --no-notifications --mode high --no-ide
	assert_equal $'be good\n- a prompt' "$(<../stdin)"
}

@test "an agent's exit status is its CLI's, and its process too" {
	echo 'kill -TERM "$$"' >../effects
	for cli in $CLIS; do
		stub "$cli"
		run -143 "$AGENTS/$cli" <<<x
	done
}

@test "probe: a CLI that is not there is named, with the package that brings it" {
	for cli in $CLIS; do
		probe "$cli"
		says .version null
		says .path null
		assert_contains "$(wisp-state get -f ../probe.json '.problems[0]')" "$cli is not in PATH: npm install -g "
		run -1 wisp-state get -f ../probe.json '.problems[1]'
	done
}

@test "probe: version and path of a CLI that knows all flags, and no problem" {
	export ANTHROPIC_API_KEY=k CODEX_API_KEY=k GEMINI_API_KEY=k OPENAI_API_KEY=k OPENCODE_API_KEY=k \
		COPILOT_GITHUB_TOKEN=k AMP_API_KEY=k
	for cli in $CLIS; do
		stub "$cli"
		probe "$cli"
		says .version 9.8.7
		says .path "$BATS_TEST_TMPDIR/bin/$cli"
		says .problems '[]'
		says .logged_in true
	done
}

@test "probe: each flag that an agent uses is missed when the help does not list it" {
	local flag others

	export ANTHROPIC_API_KEY=k CODEX_API_KEY=k GEMINI_API_KEY=k
	for cli in $CLIS; do
		for flag in $(flags "$cli"); do
			others=$(flags "$cli" | tr ' ' '\n' | grep -vxe "$flag")
			# shellcheck disable=SC2086 # words
			stub "$cli" $others "$flag-other"
			probe "$cli"
			says '.problems[0]' "'$BATS_TEST_TMPDIR/bin/$cli' 9.8.7 does not know $flag: another version is needed"
		done
	done
}

@test "probe: a version that is known to fail is refused, also where it was found before" {
	export ANTHROPIC_API_KEY=k
	stub claude
	while IFS='|' read -r version why; do
		echo "$version" >../version
		rm -rf "$XDG_CACHE_HOME"
		for _ in first again; do
			probe claude
			says '.problems[0]' "'$BATS_TEST_TMPDIR/bin/claude' $version is known to fail: $why; another version is needed"
			run -1 wisp-state get -f ../probe.json '.problems[1]'
		done
	done <<-'END'
		2.1.0|it does not start
		2.1.83|its final message is empty
	END
	echo 2.1.830 >../version
	rm -rf "$XDG_CACHE_HOME"
	probe claude
	says .problems '[]'
}

@test "probe: every option an agent may pass is one that its probe looks for" {
	local word unlisted

	export WISP_SYSTEM_FILE=../system.md WISP_MODEL=m WISP_STEP_BUDGET_USD=1 OPENAI_API_KEY=k
	for cli in $CLIS; do
		stub "$cli"
		unlisted=' --append-system-prompt-file --dangerously-allow-all ' # which their help does not list
		for permissions in bypass rules; do
			WISP_AGENT_PERMISSIONS=$permissions "$AGENTS/$cli" <<<x
			while read -r word; do
				[[ $word == --* ]] || continue
				[[ " $(flags "$cli") $unlisted" == *" ${word%%=*} "* ]] || fail "$cli: $word"
			done <../started
		done
	done
}

@test "probe: permissions that an agent does not know, and a settings file that is not there, are problems" {
	export ANTHROPIC_API_KEY=k CODEX_API_KEY=k GEMINI_API_KEY=k
	for cli in $CLIS; do
		stub "$cli"
		WISP_AGENT_PERMISSIONS=everything probe "$cli"
		assert_contains "$(wisp-state get -f ../probe.json '.problems[0]')" "unknown permissions 'everything'; there are: bypass "
		WISP_AGENT_PERMISSIONS=bypass probe "$cli"
		says .problems '[]'
	done
	WISP_AGENT_PERMISSIONS=./nothing.json probe claude
	assert_contains "$output" "unknown permissions './nothing.json'"
	touch settings.json
	WISP_AGENT_PERMISSIONS=./settings.json probe claude
	says .problems '[]'
}

@test "probe: a CLI that does not answer" {
	for cli in $CLIS; do
		printf '#!/bin/sh\nexit 1\n' >../bin/"$cli"
		chmod +x ../bin/"$cli"
		probe "$cli"
		assert_contains "$(wisp-state get -f ../probe.json '.problems[0]')" "/bin/$cli --version' does not answer"
	done
}

@test "probe: a login is told without a request: claude" {
	stub claude
	echo '{"loggedIn": false}' >../login
	probe claude
	says .logged_in false
	assert_contains "$(wisp-state get -f ../probe.json '.problems[0]')" 'not logged in: '
	assert_contains "$(<../asked)" 'auth status'
	rm ../asked
	mkdir "$HOME/.claude"
	touch "$HOME/.claude/.credentials.json"
	probe claude
	says .logged_in true
	[[ ! -e ../asked ]] || fail "asked: $(<../asked)"
	rm "$HOME/.claude/.credentials.json" ../login
	probe claude # says nothing of a login: another version, perhaps
	says .logged_in null
	CLAUDE_CODE_OAUTH_TOKEN=t probe claude
	says .logged_in true
}

@test "probe: a login is told without a request: codex" {
	stub codex
	echo 'Not logged in' >../login
	probe codex
	says .logged_in false
	probe codex -c model_provider=mine
	says .logged_in null
	mkdir "$HOME/.codex" ../other
	touch "$HOME/.codex/auth.json" ../other/config.toml
	probe codex
	says .logged_in true
	CODEX_HOME=../other probe codex
	says .logged_in null
}

@test "probe: a login is told without a request: gemini, qwen, opencode, copilot, amp" {
	local cli

	for cli in gemini qwen opencode copilot amp; do
		stub "$cli"
	done
	probe gemini
	says .logged_in false
	touch .env
	probe gemini
	says .logged_in null
	mkdir -p "$HOME/.gemini" "$HOME/.qwen" "$XDG_DATA_HOME/opencode" "$XDG_DATA_HOME/amp"
	touch "$HOME/.gemini/oauth_creds.json"
	probe gemini
	says .logged_in true
	for cli in qwen opencode copilot amp; do
		probe "$cli"
		says .logged_in null
		says .problems '[]'
	done
	touch "$HOME/.qwen/oauth_creds.json" "$XDG_DATA_HOME/amp/secrets.json"
	echo '{}' >"$XDG_DATA_HOME/opencode/auth.json"
	for cli in qwen opencode amp; do
		probe "$cli"
		says .logged_in true
	done
}

@test "probe: what was found good is kept until the program changes; a problem is not" {
	export GEMINI_API_KEY=k
	stub gemini --output-format
	probe gemini
	assert_contains "$output" 'does not know'
	probe gemini
	assert_contains "$output" 'does not know'

	stub gemini
	probe gemini
	rm ../asked
	probe gemini
	says .version 9.8.7
	says .problems '[]'
	[[ ! -e ../asked ]] || fail "asked again: $(<../asked)"

	stub gemini --output-format --nothing-else
	probe gemini
	assert_contains "$output" 'does not know'
}

@test "probe: it works where nothing can be kept" {
	export XDG_CACHE_HOME=$PWD/file GEMINI_API_KEY=k
	touch file
	stub gemini
	probe gemini
	says .problems '[]'
}

# --- the check before a run, and what the configuration hands on ------------

# project: a repository with one task to be worked on.
project()
{
	unset WISP_SESSION_DIR WISP_BRANCH WISP_ITERATION
	make_repo project
	cd project || return
	scenario_tasks 1 >"$BATS_TEST_TMPDIR/tasks.json"
	DIR=$PWD/.wisp/sessions/work
	BIN=$BATS_TEST_TMPDIR/bin
	# The stubs note beside them what they were asked.
	export WISP_CONFIG_SET=${WISP_CONFIG_SET:+$WISP_CONFIG_SET$'\n'}sandbox.write=$BATS_TEST_TMPDIR$'\n'sandbox.write=$HOME
}

# work CODE AGENT [OPTION]...
work()
{
	run --separate-stderr wisp run work --agent "$2" --tasks "$BATS_TEST_TMPDIR/tasks.json" --foreground "${@:3}" </dev/null
	[[ $status == "$1" ]] || fail "expected exit $1, not $status" "$output" "$stderr"
}

@test "run: an agent that is not logged in ends it with 16, and nothing was made" {
	project
	stub gemini
	work 16 gemini
	assert_stderr "wisp run: the agent 'gemini' cannot run: not logged in: start gemini once, or set GEMINI_API_KEY"
	[[ ! -e $DIR ]] || fail 'a session was made'
	run -1 git rev-parse --verify -q refs/heads/work
}

@test "run: an agent whose CLI is missing, or of another version, ends it with 16" {
	project
	work 16 claude
	assert_contains "$stderr" "the agent 'claude' cannot run: claude is not in PATH: npm install -g @anthropic-ai/claude-code"
}

@test "run: an agent whose CLI lost a flag, or is known to fail, ends it with 16 before the first step" {
	export ANTHROPIC_API_KEY=k
	project
	# shellcheck disable=SC2046 # words
	stub claude $(flags claude | sed 's/--settings//')
	work 16 claude
	assert_contains "$stderr" "the agent 'claude' cannot run: '$BIN/claude' 9.8.7 does not know --settings: another version is needed"
	stub claude
	echo 2.1.83 >"$BATS_TEST_TMPDIR/version"
	work 16 claude
	assert_contains "$stderr" "the agent 'claude' cannot run: '$BIN/claude' 2.1.83 is known to fail: "
	[[ ! -e $BATS_TEST_TMPDIR/started ]] || fail 'a step was started'
	[[ ! -e $DIR ]] || fail 'a session was made'
}

@test "run: a stream without the final event that is known says so, and not only that there was no state" {
	local what

	export ANTHROPIC_API_KEY=k CODEX_API_KEY=k GEMINI_API_KEY=k
	cat >../effects <<'END'
echo '{"type":"new.thing"}'
echo '{"type":"new.end"}'
END
	for cli in $CLIS; do
		stub "$cli"
		mkdir "$BATS_TEST_TMPDIR/tree/$cli"
		cd "$BATS_TEST_TMPDIR/tree/$cli"
		project
		work 16 "$cli"
		case $cli in
		codex) what='no turn was completed' ;;
		opencode) what='no step was finished' ;;
		*) what='no result line' ;;
		esac
		assert_contains "$output" "retry: error: exit status 0, $what, 2 of 2 lines unknown (another version?)"
		run -0 wisp status work
		assert_contains "$output" "$what, 2 of 2 lines unknown"
	done
}

@test "run: an agent of the project is asked only after it is trusted, and must answer" {
	project
	mkdir -p .wisp/agents
	printf '#!/bin/sh\n# --probe\ntouch asked\n' >.wisp/agents/own
	chmod +x .wisp/agents/own
	work 100 own
	[[ ! -e asked ]] || fail 'it was started before it was trusted'
	work 16 own --trust
	assert_contains "$stderr" "the agent 'own' does not answer: '$PWD/.wisp/agents/own --probe' printed no JSON"
}

@test "run: a path is not asked; arguments, environment and permissions come from the configuration" {
	project
	cat >"$BIN/mine" <<'END'
#!/usr/bin/env bash
# Format: text
[[ ${1-} != --probe ]] || touch "$HOME/asked"
{ printf '%s\n' "$@"; echo "$WISP_AGENT_PERMISSIONS|$SETTING|${PASSED-}|${OTHER-}"; } >"$HOME/started"
wisp-tasks -C "$WISP_SESSION_DIR" list >/dev/null
echo '{"status": "BLOCKED", "summary": "s", "error": "seen enough"}' >"$WISP_STATE_FILE"
END
	chmod +x "$BIN/mine"
	cat >../config <<'END'
[agent "mine"]
	args = --one
	args = two words
	permissions = some
	env = SETTING=a=b
	env = PASSED
END
	mkdir -p "$XDG_CONFIG_HOME/wisp"
	mv ../config "$XDG_CONFIG_HOME/wisp/config"
	PASSED=yes OTHER=no work 11 "$BIN/mine"
	assert_equal $'--one\ntwo words\nsome|a=b|yes|' "$(<"$HOME/started")"
	[[ ! -e $HOME/asked ]] || fail 'it was asked'
}

@test "run: the probe sees the environment that the step will see" {
	project
	stub gemini
	GEMINI_API_KEY='' work 16 gemini
	git config --file "$HOME/config" agent.gemini.env GEMINI_API_KEY=k
	mkdir -p "$XDG_CONFIG_HOME/wisp"
	mv "$HOME/config" "$XDG_CONFIG_HOME/wisp/config"
	echo "echo '{\"status\": \"BLOCKED\", \"summary\": \"s\", \"error\": \"e\"}' >\"\$WISP_STATE_FILE\"" >"$BATS_TEST_TMPDIR/effects"
	echo 'echo "{\"type\":\"result\",\"status\":\"success\"}"' >>"$BATS_TEST_TMPDIR/effects"
	work 11 gemini
}
