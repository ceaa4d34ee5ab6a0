/*
 * env: see env.h.
 */
#include "env.h"

#include <stdlib.h>
#include <string.h>

#include "core/given.h"

struct vars {
	char **list;		/* ends with NULL */
	size_t count;
};

/* What passes into each step; a name that ends with `*` stands for all that begin so. */
static const char *const tools[] = {
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "LANG", "LANGUAGE", "LC_*", "TZ", "XDG_*", "WISP_*",
	/* the network */
	"HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY", "NO_PROXY",
	"http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy",
	"SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS",
	"SSH_AUTH_SOCK",
	/* who commits */
	"GIT_AUTHOR_*", "GIT_COMMITTER_*", "GIT_SSH_COMMAND", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "EMAIL",
	/* where tools are: a project must build for the agent as it does for its owner */
	"JAVA_HOME", "ANDROID_HOME", "ANDROID_SDK_ROOT", "GOPATH", "GOROOT", "GOPROXY", "GOFLAGS", "CARGO_HOME",
	"RUSTUP_HOME", "NVM_DIR", "NODE_PATH", "PNPM_HOME", "VIRTUAL_ENV", "CONDA_*", "PYENV_ROOT", "PYTHONPATH",
	"RBENV_ROOT", "GEM_HOME", "GEM_PATH", "BUNDLE_PATH", "SDKMAN_DIR", "NIX_*", "LD_LIBRARY_PATH",
	"PKG_CONFIG_PATH", "CMAKE_PREFIX_PATH", "HOMEBREW_PREFIX", "SDKROOT", "DEVELOPER_DIR", "DOCKER_HOST",
};

/* And into an agent's: agents, and the services behind them. */
static const char *const agents[] = {
	"ANTHROPIC_*", "CLAUDE_*", "OPENAI_*", "CODEX_*", "GEMINI_*", "GOOGLE_*", "QWEN_*", "DASHSCOPE_*",
	"OPENCODE_*", "COPILOT_*", "AMP_*", "CURSOR_*", "OPENROUTER_*", "MISTRAL_*", "DEEPSEEK_*", "XAI_*",
	"GROQ_*", "OLLAMA_*", "AWS_*", "AZURE_*", "VERTEX_*", "CLOUD_ML_REGION", "API_TIMEOUT_MS",
	"BASH_DEFAULT_TIMEOUT_MS", "BASH_MAX_TIMEOUT_MS", "MAX_THINKING_TOKENS", "MCP_*",
	"DISABLE_*", "IS_SANDBOX",
};

/* Of these, what leads to a service that is not confined. */
static const char *const sockets[] = {"SSH_AUTH_SOCK", "DOCKER_HOST"};

/*
 * Never passes: an agent around wisp has set these, and one of the same kind would take them for its own; what the
 * commands tell wisp's programs has values that are none of a step's business.
 */
static const char *const nested[] = {
	WISP_GIVEN_ENV, WISP_GIVEN_CONFIG, WISP_GIVEN_SECRETS,
	"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT", "CLAUDE_CODE_SESSION_ID", "CODEX_SANDBOX",
	"CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID", "GEMINI_CLI", "QWEN_CODE", "OPENCODE", "COPILOT_CLI",
	"OPENCODE_PID",
};

/* Of a terminal and its shell: no program asks a person for these. */
static const char *const unasked[] = {"_", "TERM", "PWD", "OLDPWD", "SHLVL", "COLUMNS", "LINES", "PS1"};

static const char *const settled[] = {
	"EDITOR=false", "VISUAL=false", "GIT_EDITOR=false", "GIT_SEQUENCE_EDITOR=false",
	"PAGER=cat", "GIT_PAGER=cat", "MANPAGER=cat", "SYSTEMD_PAGER=cat",
	"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=false", "SSH_ASKPASS=false", "SSH_ASKPASS_REQUIRE=force",
	"DEBIAN_FRONTEND=noninteractive",
};

#define COUNT(a) (sizeof(a) / sizeof *(a))
#define DEFAULT_PATH "PATH=/usr/local/bin:/usr/bin:/bin"

/* Length of the name in `NAME=VALUE`. */
static size_t
name_len(const char *var)
{
	return strcspn(var, "=");
}

/* Is the name of `var` on the list? */
static bool
listed(const char *var, const char *const *list, size_t count)
{
	size_t i, n, len = name_len(var);

	for (i = 0; i < count; i++) {
		n = strlen(list[i]);
		if (n > 0 && list[i][n - 1] == '*' ? len >= n - 1 && memcmp(var, list[i], n - 1) == 0
						    : len == n && memcmp(var, list[i], n) == 0)
			return true;
	}
	return false;
}

/* Sets `NAME=VALUE`, in place of an earlier one. */
static void
put(struct vars *v, const char *var)
{
	size_t i, len = name_len(var);

	for (i = 0; i < v->count; i++) {
		if (strncmp(v->list[i], var, len) == 0 && v->list[i][len] == '=') {
			free(v->list[i]);
			v->list[i] = wisp_strdup(var);
			return;
		}
	}
	v->list = wisp_realloc(v->list, v->count + 2, sizeof *v->list);
	v->list[v->count++] = wisp_strdup(var);
	v->list[v->count] = NULL;
}

static bool
passes(const struct wisp_env *e, const char *var)
{
	if (listed(var, e->pass, e->pass_count))
		return true;
	return !listed(var, nested, COUNT(nested)) && !(e->confined && listed(var, sockets, COUNT(sockets))) &&
	       (e->kind == WISP_ENV_ALL || listed(var, tools, COUNT(tools)) ||
		(e->kind == WISP_ENV_AGENT && listed(var, agents, COUNT(agents))));
}

char **
wisp_env_make(const struct wisp_env *e, char *const *base)
{
	struct vars v = {0};
	char *mark;
	size_t i;

	put(&v, DEFAULT_PATH);
	for (i = 0; base[i] != NULL; i++)
		if (base[i][name_len(base[i])] == '=' && passes(e, base[i]))
			put(&v, base[i]);
	for (i = 0; i < COUNT(settled); i++)
		put(&v, settled[i]);
	for (i = 0; i < e->set_count; i++)
		put(&v, e->set[i]);
	mark = wisp_str(WISP_ENV_MARK "=%s", e->mark);
	put(&v, mark);
	free(mark);
	return v.list;
}

void
wisp_env_free(char **env)
{
	size_t i;

	for (i = 0; env != NULL && env[i] != NULL; i++)
		free(env[i]);
	free(env);
}

const char *
wisp_env_get(char *const *env, const char *name)
{
	size_t i, len = strlen(name);

	for (i = 0; env[i] != NULL; i++)
		if (strncmp(env[i], name, len) == 0 && env[i][len] == '=')
			return env[i] + len + 1;
	return NULL;
}

static bool
name_char(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

/* Is that name a word of the text? */
static bool
mentions(const char *text, const char *name, size_t len)
{
	const char *p = text;

	for (; (p = strstr(p, name)) != NULL; p++)
		if ((p == text || !name_char(p[-1])) && !name_char(p[len]))
			return true;
	return false;
}

size_t
wisp_env_withheld(char *const *base, char *const *env, const char *text, struct wisp_buf *names)
{
	size_t count = 0, len;
	char *name;

	for (; *base != NULL; base++) {
		len = name_len(*base);
		if (len == 0 || listed(*base, nested, COUNT(nested)) || listed(*base, unasked, COUNT(unasked)))
			continue;
		name = wisp_str("%.*s", (int)len, *base);
		if (wisp_env_get(env, name) == NULL && (text != NULL ? mentions(text, name, len) : strchr(name, '_') != NULL))
			wisp_buf_printf(names, "%s%s", count++ > 0 ? ", " : "", name);
		free(name);
	}
	return count;
}
