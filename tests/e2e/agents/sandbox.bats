#!/usr/bin/env bats
# Whole sessions with the real CLIs inside bwrap and inside landlock, which may write nothing but what a step may: each
# with a configuration folder of the session, as root and as an ordinary user.

load ../../helper
load ../../helper-scenario
load ../helper-e2e
load helper-agents

setup()
{
	agents_begin
	export WISP_CONFIG_SET='' WISP_LIBEXEC=$ROOT/libexec
	export WISP_HOME=$BATS_TEST_TMPDIR/records
	cd "$BATS_TEST_TMPDIR"
	mkdir -p records session tree own caches "$HOME/.claude" "$HOME/.codex" "$HOME/.gemini"
	cd tree
	git init -q
	DIR=$BATS_TEST_TMPDIR/session
	printf '{"sandbox.write": ["%s"]}\n' "$DIR" >../config
	export WISP_SESSION_DIR=$DIR WISP_STATE_FILE=$DIR/state.json WISP_BRANCH=work WISP_ITERATION=1
	echo '{"hooks": {}}' >"$HOME/.claude/settings.json"
	echo "{}" >"$HOME/.claude.json"
	USER_FIRST=()
}

become_user()
{
	((EUID == 0)) || skip 'it is one'
	chown -R 65534:65534 "$BATS_TEST_TMPDIR"
	chmod 755 "$BATS_TEST_TMPDIR" "${BATS_TEST_TMPDIR%/*}" "${BATS_TEST_TMPDIR%/*/*}"
	USER_FIRST=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	"${USER_FIRST[@]}" test -x "$WISP_BUILD/wisp-sandbox" || skip 'the programs are not readable by others'
}

# session AGENT: in each sandbox; what the agent made is there, what is the person's is as it was.
session_of()
{
	local kind before

	before=$(find "$HOME" -type f -exec sha256sum {} + | sort)
	for kind in bwrap landlock; do
		wisp-sandbox driver --driver "$kind" >/dev/null 2>&1 || continue
		rm -f login.c "$DIR/state.json"
		"${USER_FIRST[@]}" wisp-sandbox run --driver "$kind" --known --keep-env --config ../config --tmp ../own --caches ../caches \
			--agent "$1" --agent-state "$BATS_TEST_TMPDIR/own/$kind" -- "$ROOT/libexec/agents/$1" \
			<<<'do it' >../output 2>&1 || fail "$kind: $(tail -n 20 ../output)"
		"${USER_FIRST[@]}" wisp-sandbox take --worktree . --agent-state "$BATS_TEST_TMPDIR/own/$kind" none
		assert_equal 'int login;' "$(<login.c)"
		assert_equal "$DONE" "$(<"$DIR/state.json")"
		[[ ! -e $HOME/escaped ]] || fail "$kind: it wrote into the home"
		assert_equal "$before" "$(find "$HOME" -type f -exec sha256sum {} + | sort)"
	done
}

claude_session()
{
	local work

	work=("$(bash_tool "echo 'int login;' >login.c; echo x >$HOME/escaped; echo x >>$HOME/.claude.json")"
		"$(bash_tool "echo '$DONE' >\"\$WISP_STATE_FILE\"")" "$(says "$PROMISE")")
	export ANTHROPIC_API_KEY=sk-ant-invented
	claude_serve "${work[@]}" "${work[@]}"
	[[ -z ${1-} ]] || "$1"
	session_of claude
}

codex_session()
{
	local work

	work=("$(calls_tool exec_command "{\"cmd\": $(json_text "echo 'int login;' >login.c; echo x >$HOME/escaped; echo x >>$HOME/.codex/config.toml")}")"
		"$(calls_tool exec_command "{\"cmd\": $(json_text "echo '$DONE' >\"\$WISP_STATE_FILE\"")}")" "$(says "$PROMISE")")
	serve "${work[@]}" "${work[@]}"
	cat >"$HOME/.codex/config.toml" <<-END
		model_provider = "invented"
		model = "invented"

		[model_providers.invented]
		name = "invented"
		base_url = "http://127.0.0.1:$PORT/v1"
		env_key = "OPENAI_API_KEY"
		wire_api = "responses"
	END
	export OPENAI_API_KEY=sk-invented
	[[ -z ${1-} ]] || "$1"
	session_of codex
}

gemini_session()
{
	local work

	work=("$(calls_tool run_shell_command "{\"command\": $(json_text "echo 'int login;' >login.c; echo x >$HOME/escaped; echo x >>$HOME/.gemini/settings.json"), \"description\": \"x\"}")"
		"$(calls_tool run_shell_command "{\"command\": $(json_text "echo '$DONE' >\"\$WISP_STATE_FILE\""), \"description\": \"x\"}")"
		"$(says "$PROMISE")")
	serve "${work[@]}" "${work[@]}"
	echo '{"security": {"auth": {"selectedType": "gemini-api-key"}}, "general": {"maxAttempts": 2}}' >"$HOME/.gemini/settings.json"
	export GEMINI_API_KEY=invented GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:$PORT WISP_MODEL=gemini-2.5-pro
	[[ -z ${1-} ]] || "$1"
	session_of gemini
}

@test "sandbox: claude: inside bwrap and landlock" {
	claude_session
}

@test "sandbox: codex: inside bwrap and landlock" {
	codex_session
}

@test "sandbox: gemini: inside bwrap and landlock" {
	gemini_session
}

@test "sandbox: claude: the same as an ordinary user" {
	claude_session become_user
}

@test "sandbox: codex: the same as an ordinary user" {
	codex_session become_user
}

@test "sandbox: gemini: the same as an ordinary user" {
	gemini_session become_user
}
