/*
 * plan: see plan.h. The tables first, then what makes a plan of them.
 */
#include "plan.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/config.h"
#include "core/file.h"
#include "step/env.h"

#define READ WISP_SANDBOX_READ
#define WRITE WISP_SANDBOX_WRITE
#define HIDE WISP_SANDBOX_HIDE
#define EMPTY WISP_SANDBOX_EMPTY
#define COUNT(a) (sizeof(a) / sizeof *(a))

const char *const wisp_sandbox_drivers[] = {"bwrap", "landlock", "off", NULL};
const char *const wisp_sandbox_accesses[] = {"read", "write", "hide", "empty", NULL};

/*
 * A path begins with `/`, with `~/`, or with a word of places() below; a rule whose
 * place does not exist in these facts is skipped. A `*` at the end stands for the
 * rest of a name. Of two rules for one path the later one counts.
 */
struct rule {
	const char *path;
	enum wisp_sandbox_access access;
	const char *from, *why;
};

static const char keys[] = "keys and passwords", history[] = "shell histories", browser[] = "a browser's profile";
static const char system_keys[] = "the system's keys", repository[] = "the repository", copy[] = "a copy of the git folder";

static const struct rule rules[] = {
	{"/", READ, NULL, "the system"},
	{"/tmp", WRITE, "@tmp", "temporary files"},
	{"/run", EMPTY, NULL, "sockets of services"},
	{"@runtime", EMPTY, NULL, "sockets of the person's services"},
	{"/etc/resolv.conf", READ, NULL, "name service"},
	{"~", READ, NULL, "the home folder"},
	{"@private", HIDE, NULL, "sandbox.home is private"},

	{"~/.ssh", HIDE, NULL, keys}, {"~/.gnupg", HIDE, NULL, keys}, {"~/.aws", HIDE, NULL, keys},
	{"~/.azure", HIDE, NULL, keys}, {"~/.kube", HIDE, NULL, keys}, {"~/.docker/config.json", HIDE, NULL, keys},
	{"~/.netrc", HIDE, NULL, keys}, {"~/.git-credentials", HIDE, NULL, keys}, {"~/.npmrc", HIDE, NULL, keys},
	{"~/.pypirc", HIDE, NULL, keys}, {"~/.cargo/credentials*", HIDE, NULL, keys},
	{"~/.m2/settings.xml", HIDE, NULL, keys}, {"~/.gradle/gradle.properties", HIDE, NULL, keys},
	{"~/.pgpass", HIDE, NULL, keys}, {"~/.my.cnf", HIDE, NULL, keys}, {"~/.s3cfg", HIDE, NULL, keys},
	{"~/.boto", HIDE, NULL, keys}, {"~/.vault-token", HIDE, NULL, keys}, {"~/.password-store", HIDE, NULL, keys},
	{"@data/keyrings", HIDE, NULL, keys}, {"@config/gh", HIDE, NULL, keys}, {"@config/glab-cli", HIDE, NULL, keys},
	{"@config/gcloud", HIDE, NULL, keys}, {"@config/rclone", HIDE, NULL, keys}, {"@config/op", HIDE, NULL, keys},
	{"@config/git/credentials", HIDE, NULL, keys}, {"@config/containers/auth.json", HIDE, NULL, keys},
	{"@config/wisp", HIDE, NULL, "the configuration of wisp"},
	{"~/.mozilla", HIDE, NULL, browser}, {"~/.thunderbird", HIDE, NULL, browser}, {"~/snap/firefox", HIDE, NULL, browser},
	{"@config/google-chrome*", HIDE, NULL, browser}, {"@config/chromium", HIDE, NULL, browser},
	{"@config/BraveSoftware", HIDE, NULL, browser}, {"@config/microsoft-edge", HIDE, NULL, browser},
	{"@config/vivaldi", HIDE, NULL, browser}, {"@config/opera", HIDE, NULL, browser},
	{"~/.bash_history", HIDE, NULL, history}, {"~/.zsh_history", HIDE, NULL, history}, {"~/.histfile", HIDE, NULL, history},
	{"@data/fish/fish_history", HIDE, NULL, history}, {"~/.python_history", HIDE, NULL, history},
	{"~/.node_repl_history", HIDE, NULL, history}, {"~/.psql_history", HIDE, NULL, history},
	{"~/.mysql_history", HIDE, NULL, history}, {"~/.sqlite_history", HIDE, NULL, history},

	{"@root/etc/shadow*", HIDE, NULL, system_keys}, {"@root/etc/gshadow*", HIDE, NULL, system_keys},
	{"@root/var/backups", HIDE, NULL, system_keys}, {"@root/etc/ssl/private", HIDE, NULL, system_keys},
	{"@root/etc/ssh/ssh_host_*", HIDE, NULL, system_keys}, {"@root/run/secrets", HIDE, NULL, system_keys},
	{"@records", HIDE, NULL, "the records of wisp"},

	{"@project", READ, NULL, repository},
	{"@common", READ, NULL, repository},
	{"@worktree", WRITE, NULL, "the work tree"},
	{"@project/.wisp", READ, NULL, "the project's configuration of wisp"},
	{"@common", READ, NULL, repository},
	{"@uncopied", READ, NULL, repository},
	{"@worktree/.git", READ, NULL, repository},
	{"@lent", WRITE, NULL, copy},
	{"@common", WRITE, "@git", copy},
	{"@common/config", READ, "@git/config", copy}, {"@common/hooks", READ, "@git/hooks", copy},
	{"@common/info", READ, "@git/info", copy},
	{"@gitdir/commondir", READ, "@copied/commondir", copy}, {"@gitdir/gitdir", READ, "@copied/gitdir", copy},
	{"@gitdir/config.worktree", READ, "@copied/config.worktree", copy},
	{"@session", READ, NULL, "the session's folder"},
	{"@session", WRITE, "@mine", "a copy of the session's folder"},
};

/* What is taken away with a service, and what lets it in again: sandbox.sockets. */
struct service {
	const char *word, *variables[3], *path;	/* path: `$NAME` at its begin is the value of that variable */
};

static const struct service services[] = {
	{"ssh-agent", {"SSH_AUTH_SOCK", "SSH_AGENT_PID"}, "$SSH_AUTH_SOCK"},
	{"docker", {"DOCKER_HOST"}, "/run/docker.sock"},
	{"dbus", {"DBUS_SESSION_BUS_ADDRESS"}, "@runtime/bus"},
	{"x11", {"DISPLAY", "XAUTHORITY"}, "/tmp/.X11-unix"},
	{"wayland", {"WAYLAND_DISPLAY"}, "@runtime/$WAYLAND_DISPLAY"},
	{"gpg-agent", {"GPG_AGENT_INFO"}, "@runtime/gnupg"},
	{"tmux", {"TMUX", "TMUX_PANE"}, NULL},
};

/* Where tools keep what they can fetch again: by a variable, else in HOME. */
struct cache {
	const char *variable, *name, *home;
};

static const struct cache caches[] = {
	{"XDG_CACHE_HOME", "xdg", "~/.cache"}, {"npm_config_cache", "npm", "~/.npm"},
	{"PIP_CACHE_DIR", "pip", "~/.cache/pip"}, {"GOCACHE", "go-build", "~/.cache/go-build"},
	{"GOMODCACHE", "go-mod", "~/go/pkg/mod"}, {"CARGO_HOME", "cargo", "~/.cargo/registry"},
	{"YARN_CACHE_FOLDER", "yarn", "~/.cache/yarn"}, {"UV_CACHE_DIR", "uv", "~/.cache/uv"},
	{"CCACHE_DIR", "ccache", "~/.cache/ccache"}, {"GRADLE_USER_HOME", "gradle", "~/.gradle/caches"},
	{"NUGET_PACKAGES", "nuget", "~/.nuget/packages"}, {"COMPOSER_CACHE_DIR", "composer", "~/.cache/composer"},
};

/* While a plan is made. */
struct maker {
	struct wisp_sandbox_plan *plan;
	const struct wisp_sandbox_facts *f;
	const struct wisp_sandbox_world *world;
	const struct wisp_sandbox_agent *agent;
	struct wisp_err *err;
	char *copied;	/* the work tree's folder in the copy of the git folder */
};

bool
wisp_sandbox_below(const char *path, const char *top)
{
	size_t len = strlen(top);

	if (strcmp(top, "/") == 0)
		return true;
	return strncmp(path, top, len) == 0 && (path[len] == '\0' || path[len] == '/');
}

static const char *
text_of(const struct maker *m, const char *key)
{
	const char *text = wisp_config_text(m->f->config, key);

	return text != NULL ? text : "";
}

static const char *
variable(const struct maker *m, const char *name)
{
	const char *value = wisp_env_get(m->f->env, name);

	return value != NULL && *value != '\0' ? value : NULL;
}

/* --- paths --------------------------------------------------------------------- */

/* The path of a rule, NULL where its place is none; the caller frees it. */
static char *
expand(const struct maker *m, const char *path)
{
	const struct wisp_sandbox_facts *f = m->f;
	const struct { const char *word, *place; } places[] = {
		{"~", f->home}, {"@config", f->config_home}, {"@data", f->data_home}, {"@runtime", f->runtime},
		{"@private", strcmp(text_of(m, "sandbox.home"), "private") == 0 ? f->home : NULL},
		{"@root", f->root ? "" : NULL}, {"@records", f->records}, {"@tmp", f->tmp},
		{"@project", f->project}, {"@common", f->common}, {"@gitdir", f->gitdir}, {"@worktree", f->worktree},
		{"@session", f->session}, {"@mine", f->driver != WISP_SANDBOX_LANDLOCK ? f->session_copy : NULL},
		{"@git", f->driver != WISP_SANDBOX_LANDLOCK ? f->git_copy : NULL},
		{"@lent", f->driver == WISP_SANDBOX_LANDLOCK ? f->git_copy : NULL}, {"@copied", m->copied},
		{"@uncopied", m->copied == NULL ? f->gitdir : NULL},
	};
	size_t i, len = strcspn(path, "/");
	const char *value;

	if (*path == '/')
		return wisp_strdup(path);
	if (*path == '$') {
		value = variable(m, path + 1);
		return value != NULL && *value == '/' ? wisp_strdup(value) : NULL;
	}
	for (i = 0; i < COUNT(places); i++)
		if (strlen(places[i].word) == len && strncmp(places[i].word, path, len) == 0)
			return places[i].place != NULL ? wisp_str("%s%s", places[i].place, path + len) : NULL;
	return NULL;
}

static struct wisp_sandbox_path *
find(struct wisp_sandbox_plan *p, const char *path)
{
	size_t i;

	for (i = 0; i < p->count; i++)
		if (strcmp(p->paths[i].path, path) == 0)
			return &p->paths[i];
	return NULL;
}

/* Takes `path`, which has no links, and `from`. */
static void
put(struct maker *m, char *path, char *from, enum wisp_sandbox_access access, const char *why)
{
	struct wisp_sandbox_plan *p = m->plan;
	struct wisp_sandbox_path *e = find(p, path);

	if (e == NULL) {
		p->paths = wisp_realloc(p->paths, p->count + 1, sizeof *p->paths);
		e = &p->paths[p->count++];
	} else {
		free(e->path);
		free(e->from);
	}
	*e = (struct wisp_sandbox_path){.path = path, .from = from, .access = access, .why = why,
					.folder = m->world->is_folder(m->world->arg, path)};
}

/* Was there such a path? */
static bool
add(struct maker *m, const char *path, const char *from, enum wisp_sandbox_access access, const char *why)
{
	char *real = m->world->real(m->world->arg, path), *source = NULL;

	if (real != NULL && from != NULL && (source = m->world->real(m->world->arg, from)) == NULL) {
		free(real);
		real = NULL;
	}
	if (real != NULL)
		put(m, real, source, access, why);
	return real != NULL;
}

/* All names that begin as the pattern does. */
static void
add_matching(struct maker *m, const char *pattern, enum wisp_sandbox_access access, const char *why)
{
	const char *begin = strrchr(pattern, '/') + 1;
	char *folder = wisp_str("%.*s", (int)(begin - 1 - pattern), pattern), *path, **names;
	size_t count, i;

	if (m->world->list(m->world->arg, folder, &names, &count) == 0) {
		for (i = 0; i < count; i++) {
			if (strncmp(names[i], begin, strlen(begin) - 1) != 0)
				continue;
			path = wisp_str("%s/%s", folder, names[i]);
			(void)add(m, path, NULL, access, why);
			free(path);
		}
		wisp_dir_list_free(names, count);
	}
	free(folder);
}

static void
add_rule(struct maker *m, const struct rule *r)
{
	char *path = expand(m, r->path), *from = r->from != NULL ? expand(m, r->from) : NULL;

	if (path != NULL && path[strlen(path) - 1] == '*')
		add_matching(m, path, r->access, r->why);
	else if (path != NULL && (r->from == NULL || from != NULL))
		(void)add(m, path, from, r->access, r->why);
	free(path);
	free(from);
}

/* The copy of the git folder has no objects of its own: it reads those that it covers, also those of submodules. */
static void
add_objects(struct maker *m)
{
	const char *own = m->copied != NULL ? m->copied + strlen(m->f->git_copy) : "";
	char *folders[] = {wisp_strdup("/objects"), wisp_strdup("/lfs"), wisp_strdup("/modules"),
			   *own != '\0' ? wisp_str("%s/modules", own) : NULL};
	size_t i;

	for (i = 0; i < COUNT(folders); i++) {
		if (folders[i] != NULL && m->f->git_copy != NULL && m->f->common != NULL && m->f->driver == WISP_SANDBOX_BWRAP) {
			char *path = wisp_str("%s%s", m->f->common, folders[i]), *real = m->world->real(m->world->arg, path);

			if (real != NULL)
				put(m, wisp_str(WISP_SANDBOX_GIT "%s", folders[i]), real, READ, "the repository's objects");
			free(path);
		}
		free(folders[i]);
	}
}

/* NULL takes it away. */
static void
set_variable(struct maker *m, const char *name, const char *value)
{
	struct wisp_sandbox_plan *p = m->plan;

	p->variables = wisp_realloc(p->variables, p->variable_count + 1, sizeof *p->variables);
	p->variables[p->variable_count++] = (struct wisp_sandbox_variable){wisp_strdup(name), wisp_strdup(value)};
}

/*
 * Folders in that of the session, such as those of the steps, are read where they are. Where nothing can lie in the place of
 * it, variables lead to the copy.
 */
static void
add_session(struct maker *m)
{
	static const char *const names[][2] = {
		{"WISP_SESSION_DIR", ""}, {"WISP_STATE_FILE", "/state.json"}, {"WISP_TASKS_FILE", "/tasks.json"},
		{"WISP_RESPONSE_FILE", "/response.json"}, {"WISP_DIVERGENCE_FILE", "/divergence.md"},
	};
	const struct wisp_sandbox_facts *f = m->f;
	char **inner, *path;
	size_t count = 0, i;

	if (f->session == NULL || f->session_copy == NULL)
		return;
	if (f->driver == WISP_SANDBOX_LANDLOCK) {
		(void)add(m, f->session_copy, NULL, WRITE, "a copy of the session's folder");
		for (i = 0; i < COUNT(names); i++) {
			path = wisp_str("%s%s", f->session_copy, names[i][1]);
			set_variable(m, names[i][0], path);
			free(path);
		}
	} else if (m->world->list(m->world->arg, f->session, &inner, &count) == 0) {
		for (i = 0; i < count; i++) {
			path = wisp_str("%s/%s", f->session, inner[i]);
			if (m->world->is_folder(m->world->arg, path))
				(void)add(m, path, NULL, READ, "the session's folder");
			free(path);
		}
		wisp_dir_list_free(inner, count);
	}
}

/* A path that the user wrote; NULL with the error. */
static char *
named(struct maker *m, const char *key, const char *text)
{
	char *path = *text == '/' || strncmp(text, "~/", 2) == 0 || strcmp(text, "~") == 0 ? expand(m, text) : NULL;

	if (path == NULL)
		(void)wisp_err_set(m->err, NULL, 0, 0, "%s: expected an absolute path, or one that begins with ~/, not '%s'", key, text);
	return path;
}

/* Nothing that holds the records may be written, nor moved away by a folder above them. */
static int
may_write(struct maker *m, const char *name, const char *path)
{
	char *real = m->world->real(m->world->arg, path);
	char *records = m->f->records != NULL ? m->world->real(m->world->arg, m->f->records) : NULL;
	const char *held = records != NULL ? records : m->f->records;
	int rc = 0;

	if (real != NULL && strcmp(real, "/") == 0)
		rc = wisp_err_set(m->err, NULL, 0, 0, "%s: '%s' is everything; sandbox = off confines nothing", name, path);
	else if (real != NULL && held != NULL && (wisp_sandbox_below(held, real) || wisp_sandbox_below(real, held)))
		rc = wisp_err_set(m->err, NULL, 0, 0, "%s: '%s' holds the records of wisp, or lies in them ('%s')", name, path, held);
	free(real);
	free(records);
	return rc;
}

static int
add_named(struct maker *m, const char *key, enum wisp_sandbox_access access, const char *why)
{
	const struct cJSON *e;
	const char *text;
	char *path;
	int rc = 0;

	for (e = wisp_json_first(wisp_json_get(m->f->config, key)); e != NULL && rc == 0; e = wisp_json_next(e)) {
		text = wisp_json_text(e, "");
		path = named(m, key, text);
		if (path == NULL)
			return -1;
		if (access == WRITE)
			rc = may_write(m, key, path);
		if (rc == 0 && !add(m, path, NULL, access, why))
			wisp_buf_printf(&m->plan->notes, "%s: '%s' does not exist\n", key, text);
		free(path);
	}
	return rc;
}

static int
by_path(const void *a, const void *b)
{
	return strcmp(((const struct wisp_sandbox_path *)a)->path, ((const struct wisp_sandbox_path *)b)->path);
}

/* What holds for a path without its own entry: the last one before it that lies above; NULL for the first. */
static const struct wisp_sandbox_path *
above(const struct wisp_sandbox_path *kept, size_t count, const char *path)
{
	while (count > 0)
		if (wisp_sandbox_below(path, kept[--count].path))
			return &kept[count];
	return NULL;
}

/* Does an entry change nothing, given what holds above? Below what covers a folder there is nothing to hide. */
static bool
idle(const struct wisp_sandbox_path *e, const struct wisp_sandbox_path *top)
{
	bool covered = top != NULL && (top->from != NULL || top->access == HIDE || top->access == EMPTY);

	if (top == NULL || e->from != NULL)
		return false;
	if (e->access == HIDE)
		return covered;
	return e->access != EMPTY && e->access == top->access && !covered;
}

static int
finish_paths(struct maker *m)
{
	struct wisp_sandbox_plan *p = m->plan;
	size_t i, n = 0;

	qsort(p->paths, p->count, sizeof *p->paths, by_path);
	for (i = 0; i < p->count; i++) {
		if (idle(&p->paths[i], above(p->paths, n, p->paths[i].path))) {
			free(p->paths[i].path);
			free(p->paths[i].from);
		} else {
			p->paths[n++] = p->paths[i];
		}
	}
	p->count = n;
	return n <= WISP_SANDBOX_PATHS_MAX ? 0
		: wisp_err_set(m->err, NULL, 0, 0, "the sandbox has %zu paths, and %d are possible: name folders, not files",
			       n, WISP_SANDBOX_PATHS_MAX);
}

/* --- variables ----------------------------------------------------------------- */

/* Does something of the step's own lie in the place of what is outside? */
static bool
is_covered(const struct maker *m, const char *path)
{
	return wisp_sandbox_below(path, "/tmp") || wisp_sandbox_below(path, "/run") ||
	       (m->f->runtime != NULL && wisp_sandbox_below(path, m->f->runtime));
}

/* Folders of PATH in what is covered, as Nix and fnm have in /run: by where they really are, and read there. */
static void
lead_path(struct maker *m)
{
	const char *was = variable(m, "PATH"), *from = was;
	struct wisp_buf path = WISP_BUF_INIT;
	char *entry, *real;
	size_t len;

	for (; from != NULL; from = from[len] == ':' ? from + len + 1 : NULL) {
		len = strcspn(from, ":");
		entry = wisp_str("%.*s", (int)len, from);
		real = *entry == '/' && is_covered(m, entry) ? m->world->real(m->world->arg, entry) : NULL;
		if (real != NULL && is_covered(m, real))
			(void)add(m, real, NULL, READ, "PATH");
		wisp_buf_printf(&path, "%s%s", from != was ? ":" : "", real != NULL ? real : entry);
		free(entry);
		free(real);
	}
	if (was != NULL && strcmp(path.data, was) != 0)
		set_variable(m, "PATH", path.data);
	wisp_buf_release(&path);
}

static void
add_caches(struct maker *m)
{
	bool shared = strcmp(text_of(m, "sandbox.caches"), "shared") == 0;
	const char *value;
	char *path;
	size_t i;

	if (!shared && m->f->caches != NULL)
		(void)add(m, m->f->caches, NULL, WRITE, "caches of the session");
	for (i = 0; i < COUNT(caches); i++) {
		value = variable(m, caches[i].variable);
		if (!shared && m->f->caches != NULL) {
			path = wisp_str("%s/%s", m->f->caches, caches[i].name);
			set_variable(m, caches[i].variable, path);
		} else {
			path = value != NULL ? wisp_strdup(value) : expand(m, caches[i].home);
			if (shared && path != NULL)
				(void)add(m, path, NULL, WRITE, "sandbox.caches is shared");
		}
		free(path);
	}
}

/* --- services ------------------------------------------------------------------ */

static bool
let_in(const struct maker *m, const char *word)
{
	const struct cJSON *e;

	for (e = wisp_json_first(wisp_json_get(m->f->config, "sandbox.sockets")); e != NULL; e = wisp_json_next(e))
		if (strcmp(wisp_json_text(e, ""), word) == 0)
			return true;
	return false;
}

/*
 * What git is told inside. In the new user namespace files of other users belong to the user `nobody`, and git
 * would refuse their repositories. The keys that sign are hidden: with all commits signed there would be none.
 */
static void
configure_git(struct maker *m)
{
	static const char *const settings[][2] = {
		{"safe.directory", "*"}, {"commit.gpgSign", "false"}, {"tag.gpgSign", "false"},
	};
	size_t n = let_in(m, "gpg-agent") || let_in(m, "ssh-agent") ? 1 : COUNT(settings), i;
	const char *count = variable(m, "GIT_CONFIG_COUNT");
	long first = count != NULL ? strtol(count, NULL, 10) : 0;
	char *name, *value;

	first = first > 0 ? first : 0;
	value = wisp_str("%ld", first + (long)n);
	set_variable(m, "GIT_CONFIG_COUNT", value);
	free(value);
	for (i = 0; i < n; i++) {
		name = wisp_str("GIT_CONFIG_KEY_%ld", first + (long)i);
		set_variable(m, name, settings[i][0]);
		free(name);
		name = wisp_str("GIT_CONFIG_VALUE_%ld", first + (long)i);
		set_variable(m, name, settings[i][1]);
		free(name);
	}
}

/* The path of a service's socket, NULL where it has none; the caller frees it. */
static char *
socket_path(const struct maker *m, const struct service *s)
{
	const char *dollar = s->path != NULL ? strchr(s->path, '$') : NULL, *value;
	char *text, *path;

	if (s->path == NULL)
		return NULL;
	if (dollar == NULL)
		return expand(m, s->path);
	value = variable(m, dollar + 1);
	if (value == NULL)
		return NULL;
	text = wisp_str("%.*s%s", (int)(dollar - s->path), s->path, *value == '/' && dollar != s->path ? value + 1 : value);
	path = expand(m, text);
	free(text);
	return path;
}

static int
check_sockets(struct maker *m)
{
	const struct cJSON *e;
	const char *text;
	size_t i;

	for (e = wisp_json_first(wisp_json_get(m->f->config, "sandbox.sockets")); e != NULL; e = wisp_json_next(e)) {
		text = wisp_json_text(e, "");
		for (i = 0; i < COUNT(services) && strcmp(services[i].word, text) != 0; i++)
			;
		if (*text == '/' ? !add(m, text, NULL, WRITE, "sandbox.sockets") : i == COUNT(services)) {
			if (*text != '/')
				return wisp_err_set(m->err, NULL, 0, 0, "sandbox.sockets: expected ssh-agent, docker, dbus, x11, "
						    "wayland, gpg-agent, tmux or an absolute path, not '%s'", text);
			wisp_buf_printf(&m->plan->notes, "sandbox.sockets: '%s' does not exist\n", text);
		}
		wisp_buf_printf(&m->plan->weak, "the service behind '%s' can be asked for anything (sandbox.sockets)\n", text);
	}
	return 0;
}

static int
add_services(struct maker *m)
{
	const struct service *s;
	char *path;
	size_t i;

	for (s = services; s < services + COUNT(services); s++) {
		if (let_in(m, s->word)) {
			path = socket_path(m, s);
			if (path != NULL && !add(m, path, NULL, WRITE, "sandbox.sockets"))
				wisp_buf_printf(&m->plan->notes, "sandbox.sockets: '%s' does not exist\n", path);
			free(path);
			continue;
		}
		for (i = 0; i < COUNT(s->variables) && s->variables[i] != NULL; i++)
			set_variable(m, s->variables[i], NULL);
	}
	return check_sockets(m);
}

/* --- the network --------------------------------------------------------------- */

/* What asks for a proxy, and who must not: the step has a loopback of its own. */
static const char *const proxied[] = {"http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"};

/* All that is not open has no route but this one. */
static void
lead_to_proxy(struct maker *m)
{
	size_t i;

	if (m->f->proxy != NULL)
		put(m, wisp_strdup(WISP_SANDBOX_PROXY), wisp_strdup(m->f->proxy), READ, "the way to the hosts of sandbox.network");
	for (i = 0; i < COUNT(proxied); i++)
		set_variable(m, proxied[i], "http://127.0.0.1:" WISP_SANDBOX_PROXY_PORT);
	set_variable(m, "no_proxy", "localhost,127.0.0.1,::1");
	set_variable(m, "NO_PROXY", "localhost,127.0.0.1,::1");
	set_variable(m, "NODE_USE_ENV_PROXY", "1");
}

static void
add_agent_hosts(struct maker *m)
{
	size_t i;

	for (i = 0; m->agent != NULL && i < m->agent->count; i++)
		if (strcmp(m->agent->lines[i].word, "host") == 0)
			wisp_buf_printf(&m->plan->hosts, "%s\n", m->agent->lines[i].value);
}

static int
choose_network(struct maker *m)
{
	const char *key = m->f->network_key != NULL ? m->f->network_key : "sandbox.network", *text;
	const struct cJSON *list = wisp_json_get(m->f->config, key), *e = wisp_json_first(list);
	struct wisp_sandbox_plan *p = m->plan;
	bool word;

	for (; e != NULL; e = wisp_json_next(e)) {
		text = wisp_json_text(e, "");
		word = strcmp(text, "open") == 0 || strcmp(text, "off") == 0;
		if (word && wisp_json_len(list) > 1)
			return wisp_err_set(m->err, NULL, 0, 0, "%s: '%s' stands alone, without hosts beside it", key, text);
		if (word) {
			p->network = *text == 'o' && text[1] == 'p' ? WISP_SANDBOX_OPEN : WISP_SANDBOX_CLOSED;
			continue;
		}
		p->network = WISP_SANDBOX_HOSTS;
		if (strcmp(text, "agent") == 0)
			add_agent_hosts(m);
		else
			wisp_buf_printf(&p->hosts, "%s\n", text);
	}
	if (p->network == WISP_SANDBOX_HOSTS && p->hosts.len == 0) {
		wisp_buf_printf(&p->notes, "%s: no hosts of an agent are known here: nothing is reached\n", key);
		p->network = WISP_SANDBOX_CLOSED;
	}
	if (p->network == WISP_SANDBOX_HOSTS && p->driver == WISP_SANDBOX_LANDLOCK)
		return wisp_err_set(m->err, NULL, 0, 0, "landlock cannot hold a step to the hosts of %s: sandbox = bwrap can", key);
	if (p->network == WISP_SANDBOX_HOSTS && p->driver == WISP_SANDBOX_BWRAP)
		lead_to_proxy(m);
	if (p->network == WISP_SANDBOX_OPEN)
		wisp_buf_puts(&p->weak, "what is read can be sent away, and services on this host can be reached (sandbox.network is open)\n");
	return 0;
}

/* --- agents -------------------------------------------------------------------- */

static const struct wisp_sandbox_agent *
find_agent(const struct wisp_sandbox_facts *f)
{
	const struct wisp_sandbox_agent *a;

	for (a = f->agents; f->agent != NULL && a != NULL && a->name != NULL; a++)
		if (strcmp(a->name, f->agent) == 0)
			return a;
	return NULL;
}

/* The variable of the agent's configuration folder: `NAME PATH`. */
static void
move_config(struct maker *m, const char *value)
{
	char *name = wisp_str("%.*s", (int)strcspn(value, " \t"), value);

	set_variable(m, name, m->f->agent_config);
	(void)add(m, m->f->agent_config, NULL, WRITE, "the agent's state in this session");
	free(name);
}

static void
add_own_agent(struct maker *m)
{
	const struct wisp_sandbox_line *l;
	bool moved = false;
	char *path;

	for (l = m->agent->lines; l < m->agent->lines + m->agent->count; l++)
		if (m->f->agent_config != NULL && strcmp(l->word, "config") == 0) {
			move_config(m, l->value);
			moved = true;
		}
	for (l = m->agent->lines; l < m->agent->lines + m->agent->count; l++) {
		path = expand(m, l->value);
		if (strcmp(l->word, "set") == 0) {
			free(path);
			path = wisp_str("%.*s", (int)strcspn(l->value, "="), l->value);
			set_variable(m, path, l->value[strlen(path)] == '=' ? l->value + strlen(path) + 1 : NULL);
		} else if (path != NULL && strcmp(l->word, "read") == 0) {
			(void)add(m, path, NULL, READ, "needed by the agent");
		} else if (path != NULL && strcmp(l->word, "write") == 0) {
			(void)add(m, path, NULL, moved ? READ : WRITE, "the agent's state");
		} else if (path != NULL && !moved && strcmp(l->word, "fixed") == 0 &&
			   !add(m, path, NULL, READ, "what the agent's program runs later")) {
			wisp_buf_add(&m->plan->watched, path, strlen(path) + 1);
		}
		free(path);
	}
}

static void
add_agents(struct maker *m)
{
	const struct wisp_sandbox_agent *a;
	char *path;
	size_t i;

	for (a = m->f->agents; a != NULL && a->name != NULL; a++)
		for (i = 0; a != m->agent && i < a->count; i++)
			if (strcmp(a->lines[i].word, "login") == 0 && (path = expand(m, a->lines[i].value)) != NULL) {
				(void)add(m, path, NULL, HIDE, "another agent's login");
				free(path);
			}
	if (m->agent != NULL)
		add_own_agent(m);
}

/* --- what is not held off ------------------------------------------------------ */

static void
add_weak(struct maker *m)
{
	struct wisp_sandbox_plan *p = m->plan;
	const struct wisp_sandbox_path *top;
	size_t i;

	if (p->driver == WISP_SANDBOX_LANDLOCK) {
		wisp_buf_puts(&p->weak, "processes of others are seen, and sockets in the file system can be connected to (landlock)\n");
		for (i = 0; i < p->count; i++) {
			top = above(p->paths, i, p->paths[i].path);
			if (p->paths[i].access == READ && top != NULL && top->access == WRITE && top->from == NULL)
				wisp_buf_printf(&p->weak, "'%s' can be changed: landlock takes nothing out of a folder\n",
						p->paths[i].path);
		}
		if (m->f->abi < 6)
			wisp_buf_puts(&p->weak, "processes of the same user can be signalled (landlock before ABI 6)\n");
	}
	if (m->f->abi < 6 && p->network == WISP_SANDBOX_OPEN)
		wisp_buf_puts(&p->weak, "abstract sockets can be connected to (landlock before ABI 6)\n");
	if (p->user_namespaces)
		wisp_buf_puts(&p->weak, "user namespaces can be made (sandbox.userns is true)\n");
}

/* Landlock allows folders with all that is in them: what is hidden in one that is written cannot be taken out of it. */
static int
check_landlock(struct maker *m)
{
	const struct wisp_sandbox_path *top;
	size_t i;

	for (i = 0; i < m->plan->count; i++) {
		top = above(m->plan->paths, i, m->plan->paths[i].path);
		if (m->plan->paths[i].access == HIDE && top != NULL && top->access == WRITE && top->from == NULL)
			return wisp_err_set(m->err, NULL, 0, 0, "landlock cannot hide '%s' in '%s', which may be written: sandbox = bwrap can",
					    m->plan->paths[i].path, top->path);
	}
	return 0;
}

int
wisp_sandbox_plan(struct wisp_sandbox_plan *p, const struct wisp_sandbox_facts *f, struct wisp_err *err)
{
	struct maker m = {.plan = p, .f = f, .world = f->world, .err = err};
	size_t i;
	int rc;

	memset(p, 0, sizeof *p);
	p->driver = f->driver;
	p->user_namespaces = wisp_config_bool(f->config, "sandbox.userns");
	m.agent = find_agent(f);
	if (f->git_copy != NULL && f->driver != WISP_SANDBOX_LANDLOCK && f->common != NULL && f->gitdir != NULL &&
	    wisp_sandbox_below(f->gitdir, f->common))
		m.copied = wisp_str("%s%s", f->git_copy, f->gitdir + strlen(f->common));
	rc = f->worktree != NULL ? may_write(&m, "the work tree", f->worktree) : 0;
	for (i = 0; i < COUNT(rules) && rc == 0; i++)
		add_rule(&m, &rules[i]);
	add_objects(&m);
	add_session(&m);
	for (i = 0; f->programs != NULL && f->programs[i] != NULL; i++)
		(void)add(&m, f->programs[i], NULL, READ, "the programs of wisp");
	set_variable(&m, "TMPDIR", f->driver == WISP_SANDBOX_LANDLOCK && f->tmp != NULL ? f->tmp : "/tmp");
	lead_path(&m);
	add_agents(&m);
	add_caches(&m);
	configure_git(&m);
	if (rc == 0)
		rc = add_services(&m);
	if (rc == 0)
		rc = add_named(&m, "sandbox.read", READ, "sandbox.read");
	if (rc == 0)
		rc = add_named(&m, "sandbox.write", WRITE, "sandbox.write");
	if (rc == 0)
		rc = add_named(&m, "sandbox.hide", HIDE, "sandbox.hide");
	if (rc == 0)
		rc = choose_network(&m);
	if (rc == 0)
		rc = finish_paths(&m);
	if (rc == 0 && p->driver == WISP_SANDBOX_LANDLOCK)
		rc = check_landlock(&m);
	if (rc == 0)
		add_weak(&m);
	free(m.copied);
	return rc;
}

void
wisp_sandbox_plan_release(struct wisp_sandbox_plan *p)
{
	size_t i;

	for (i = 0; i < p->count; i++) {
		free(p->paths[i].path);
		free(p->paths[i].from);
	}
	for (i = 0; i < p->variable_count; i++) {
		free(p->variables[i].name);
		free(p->variables[i].value);
	}
	free(p->paths);
	free(p->variables);
	wisp_buf_release(&p->hosts);
	wisp_buf_release(&p->watched);
	wisp_buf_release(&p->weak);
	wisp_buf_release(&p->notes);
	memset(p, 0, sizeof *p);
}

/* --- the system itself --------------------------------------------------------- */

static char *
real_path(const void *arg, const char *path)
{
	(void)arg;
	return realpath(path, NULL);
}

static bool
is_folder(const void *arg, const char *path)
{
	struct stat st;

	(void)arg;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int
list_folder(const void *arg, const char *path, char ***names, size_t *count)
{
	(void)arg;
	return wisp_dir_list(path, names, count);
}

const struct wisp_sandbox_world wisp_sandbox_system = {real_path, is_folder, list_folder, NULL};
