/*
 * install: the two hooks in a settings file of Claude Code, and out of it again. No
 * byte but theirs is touched.
 */
#include "verb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/scan.h"
#include "core/self.h"

#define TIMEOUT_S 600		/* of the Stop hook: longer than its checks take (check.h), or the session would end unasked */

struct event {
	const char *name, *verb;
	int timeout;		/* seconds; 0: the CLI's own */
};

static const struct event events[] = {{"Stop", "stop", TIMEOUT_S}, {"SessionStart", "session-start", 0}};
#define EVENTS (sizeof events / sizeof *events)

struct settings {
	char *path;
	struct wisp_buf bytes;
	struct cJSON *doc;
};

/* Which settings file is meant: the project's, its local one, or the person's. The caller frees it. */
static char *
settings_path(bool local, bool user)
{
	const char *config = getenv("CLAUDE_CONFIG_DIR"), *home = getenv("HOME");
	struct wisp_hook_loop h;
	char *here, *path;

	if (user && config != NULL && *config != '\0')
		return wisp_str("%s/settings.json", config);
	if (user && (home == NULL || *home == '\0'))
		die_data("HOME is not set: where are the settings?");
	if (user)
		return wisp_str("%s/.claude/settings.json", home);
	here = wisp_hook_here();
	wisp_hook_open(&h, here);
	path = wisp_str("%s/.claude/settings%s.json", h.root, local ? ".local" : "");
	wisp_hook_release(&h);
	free(here);
	return path;
}

static void
reparse(struct settings *s)
{
	struct wisp_err err = WISP_ERR_INIT;

	wisp_json_free(s->doc);
	s->doc = wisp_json_parse(s->bytes.data, s->bytes.len, s->path, &err);
	if (s->doc == NULL)
		die_err(&err);
	if (wisp_json_type(s->doc) != WISP_T_OBJECT)
		die_data("%s: expected an object, not %s", s->path, wisp_type_name(wisp_json_type(s->doc)));
}

static void
read_settings(struct settings *s)
{
	struct wisp_err err = WISP_ERR_INIT;
	enum wisp_verdict v = wisp_json_read(s->path, &s->bytes, &s->doc, &err);

	if (v == WISP_MISSING || v == WISP_EMPTY) {
		wisp_buf_reset(&s->bytes);
		wisp_buf_puts(&s->bytes, "{}\n");
	} else if (v != WISP_VALID) {
		die_err(&err);
	}
	wisp_err_release(&err);
	reparse(s);
}

static bool
is_ours(const struct cJSON *hook, const struct event *e)
{
	const char *command = wisp_json_str(hook, "command", "");
	size_t len = strlen(command), n = strlen(e->verb);

	return (strstr(command, "wisp-hook") != NULL || strstr(command, "wisp hook") != NULL) && len > n &&
	       command[len - n - 1] == ' ' && strcmp(command + len - n, e->verb) == 0;
}

/* Sets what steps[0..n) name; dies where that cannot be. */
static void
put(struct settings *s, struct wisp_path_step *steps, size_t n, const char *json)
{
	const struct wisp_path path = {steps, n};
	struct wisp_err err = WISP_ERR_INIT;

	if (wisp_scan_set(&s->bytes, &path, json, &err) != 0)
		die_data("%s: hooks.%s: expected an array in an object", s->path, n > 1 ? steps[1].key : "");
	reparse(s);
}

static void
drop(struct settings *s, struct wisp_path_step *steps, size_t n)
{
	const struct wisp_path path = {steps, n};

	if (wisp_scan_drop(&s->bytes, &path) != 0)
		die_bug("%s: a hook that is there is not found", s->path);
	reparse(s);
}

static const struct cJSON *
entries(const struct settings *s, const struct event *e)
{
	return wisp_json_get(wisp_json_get(s->doc, "hooks"), e->name);
}

/* {"hooks": [{"type": "command", "command": "... stop", "timeout": 600}]}; the caller frees it. */
static char *
entry(const struct event *e)
{
	char *own = wisp_self_folder(), *command, *text;
	struct cJSON *v = wisp_json_object(), *hook = wisp_json_object();
	struct wisp_buf b = WISP_BUF_INIT, quoted = WISP_BUF_INIT;

	if (own == NULL)
		die_sys("cannot tell where this program lies");
	/* In single quotes, with what they cannot hold outside of them. */
	for (const char *p = own; *p != '\0'; p++)
		if (*p == '\'')
			wisp_buf_puts(&quoted, "'\\''");
		else
			wisp_buf_putc(&quoted, *p);
	command = wisp_str("'%s/wisp-hook' %s", quoted.data, e->verb);
	wisp_json_set_str(hook, "type", "command");
	wisp_json_set_str(hook, "command", command);
	if (e->timeout > 0)
		wisp_json_set_num(hook, "timeout", e->timeout);
	wisp_json_push(wisp_json_array_at(v, "hooks"), hook);
	wisp_json_print(&b, v);
	if (b.len > 0 && b.data[b.len - 1] == '\n')
		b.data[--b.len] = '\0';
	text = wisp_buf_detach(&b);
	wisp_json_free(v);
	wisp_buf_release(&quoted);
	free(command);
	free(own);
	return text;
}

/* Is it there already? */
static bool
has(const struct settings *s, const struct event *e)
{
	for (const struct cJSON *m = wisp_json_first(entries(s, e)); m != NULL; m = wisp_json_next(m))
		for (const struct cJSON *h = wisp_json_first(wisp_json_get(m, "hooks")); h != NULL; h = wisp_json_next(h))
			if (is_ours(h, e))
				return true;
	return false;
}

static bool
add(struct settings *s, const struct event *e)
{
	struct wisp_path_step steps[3] = {{"hooks", 0}, {(char *)e->name, 0}, {NULL, 0}};
	char *text;

	if (has(s, e))
		return false;
	if (wisp_json_get(s->doc, "hooks") == NULL)
		put(s, steps, 1, "{}");
	if (entries(s, e) == NULL)
		put(s, steps, 2, "[]");
	steps[2].index = wisp_json_len(entries(s, e));
	text = entry(e);
	put(s, steps, 3, text);
	free(text);
	return true;
}

/* The hooks of ours in one entry; the entry itself where nothing else is in it. How many were taken out. */
static size_t
take_from(struct settings *s, const struct event *e, size_t at)
{
	struct wisp_path_step steps[5] = {{"hooks", 0}, {(char *)e->name, 0}, {NULL, at}, {"hooks", 0}, {NULL, 0}};
	const struct cJSON *hooks, *m = wisp_json_first(entries(s, e));
	size_t taken = 0, i;

	for (i = 0; i < at; i++)
		m = wisp_json_next(m);
	for (i = wisp_json_len(wisp_json_get(m, "hooks")); i-- > 0;) {
		const struct cJSON *h = wisp_json_first(wisp_json_get(m, "hooks"));

		for (size_t k = 0; k < i; k++)
			h = wisp_json_next(h);
		if (!is_ours(h, e))
			continue;
		steps[4].index = i;
		drop(s, steps, 5);
		taken++;
		m = wisp_json_first(entries(s, e));
		for (size_t k = 0; k < at; k++)
			m = wisp_json_next(m);
	}
	hooks = wisp_json_get(m, "hooks");
	if (taken > 0 && wisp_json_len(hooks) == 0)
		drop(s, steps, 3);
	return taken;
}

static bool
take(struct settings *s, const struct event *e)
{
	struct wisp_path_step steps[2] = {{"hooks", 0}, {(char *)e->name, 0}};
	size_t taken = 0;

	if (wisp_json_type(entries(s, e)) != WISP_T_ARRAY)
		return false;
	for (size_t i = wisp_json_len(entries(s, e)); i-- > 0;)
		taken += take_from(s, e, i);
	if (taken > 0 && wisp_json_len(entries(s, e)) == 0)
		drop(s, steps, 2);
	if (taken > 0 && wisp_json_len(wisp_json_get(s->doc, "hooks")) == 0)
		drop(s, steps, 1);
	return taken > 0;
}

static int
change(struct wisp_cli *cli, bool (*one)(struct settings *, const struct event *), const char *done, const char *nothing)
{
	bool local = false, user = false, print = false, changed = false;
	const struct wisp_option options[] = {{"local", .flag = &local}, {"user", .flag = &user}, {"print", .flag = &print}, {0}};
	struct settings s = {0};
	char *dir;

	wisp_cli_read(cli, options, 0, 0);
	if (local && user)
		die_usage("--local and --user exclude each other");
	s.path = settings_path(local, user);
	read_settings(&s);
	for (size_t i = 0; i < EVENTS; i++)
		changed |= one(&s, &events[i]);
	if (print) {
		wisp_cli_pair("file", s.path);
		fwrite(s.bytes.data, 1, s.bytes.len, stdout);
	} else if (changed) {
		dir = wisp_strdup(s.path);
		*strrchr(dir, '/') = '\0';
		if (wisp_dir_make(dir) != 0 || wisp_file_write(s.path, s.bytes.data, s.bytes.len, WISP_SYNC) != 0)
			die_sys("cannot write '%s'", s.path);
		free(dir);
		printf("%s %s\n", done, s.path);
	} else {
		printf("%s %s\n", nothing, s.path);
	}
	wisp_buf_release(&s.bytes);
	wisp_json_free(s.doc);
	free(s.path);
	return 0;
}

int
wisp_hook_install(struct wisp_cli *cli)
{
	return change(cli, add, "the hooks Stop and SessionStart are in", "the hooks are there already, in");
}

int
wisp_hook_uninstall(struct wisp_cli *cli)
{
	return change(cli, take, "the hooks are taken out of", "no hook of wisp is in");
}
