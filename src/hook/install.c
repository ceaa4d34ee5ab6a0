/*
 * install: the two hooks in a settings file of Claude Code, and out of it again. No
 * byte but theirs is touched.
 */
#include "verb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "core/self.h"
#include "settings.h"

/* Of the Stop hook: longer than its checks take, or the session would end unasked. */
#define TIMEOUT_S ((WISP_HOOK_CHECKS_MS + WISP_HOOK_CHECK_GRACE_MS) / 1000 + 118)

struct event {
	const char *name, *verb;
	int timeout;		/* seconds; 0: the CLI's own */
};

static const struct event events[] = {{"Stop", "stop", TIMEOUT_S}, {"SessionStart", "session-start", 0}};
#define EVENTS (sizeof events / sizeof *events)

/* What install wrote, in whatever version, or people did who call it themselves. */
static bool
is_ours(const struct cJSON *hook, const struct event *e)
{
	static const char *const callers[] = {"wisp hook ", "wisp-hook ", "wisp-hook' "};
	const char *command = wisp_json_str(hook, "command", "");
	size_t len = strlen(command), verb = strlen(e->verb), n;

	for (size_t i = 0; i < sizeof callers / sizeof *callers; i++) {
		n = strlen(callers[i]);
		if (len >= n + verb && strncmp(command + len - verb - n, callers[i], n) == 0 && strcmp(command + len - verb, e->verb) == 0)
			return true;
	}
	return false;
}

static const struct cJSON *
entries(const struct wisp_hook_settings *s, const struct event *e)
{
	return wisp_json_get(wisp_json_get(s->doc, "hooks"), e->name);
}

/*
 * The program itself, without a shell script in between; where it is gone, since wisp was moved or
 * installed anew, the `wisp` of PATH. The caller frees it.
 */
static char *
command_of(const struct event *e)
{
	char *own = wisp_self_folder(), *command;
	struct wisp_buf quoted = WISP_BUF_INIT;

	if (own == NULL)
		die_sys("cannot tell where this program lies");
	/* In single quotes, with what they cannot hold outside of them. */
	for (const char *p = own; *p != '\0'; p++)
		if (*p == '\'')
			wisp_buf_puts(&quoted, "'\\''");
		else
			wisp_buf_putc(&quoted, *p);
	command = wisp_str("[ -x '%s/wisp-hook' ] && exec '%s/wisp-hook' %s; exec wisp hook %s", quoted.data, quoted.data,
			   e->verb, e->verb);
	wisp_buf_release(&quoted);
	free(own);
	return command;
}

/* {"hooks": [{"type": "command", "command": "... stop", "timeout": 600}]}; the caller frees it. */
static char *
entry(const struct event *e)
{
	struct cJSON *v = wisp_json_object(), *hook = wisp_json_object();
	char *command = command_of(e), *text;
	struct wisp_buf b = WISP_BUF_INIT;

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
	free(command);
	return text;
}

/* Is it there already? Where: steps[2] and steps[4] of a path to its command. */
static const struct cJSON *
find(const struct wisp_hook_settings *s, const struct event *e, struct wisp_path_step *steps)
{
	steps[2].index = 0;
	for (const struct cJSON *m = wisp_json_first(entries(s, e)); m != NULL; m = wisp_json_next(m), steps[2].index++) {
		steps[4].index = 0;
		for (const struct cJSON *h = wisp_json_first(wisp_json_get(m, "hooks")); h != NULL; h = wisp_json_next(h), steps[4].index++)
			if (is_ours(h, e))
				return h;
	}
	return NULL;
}

/* One that install wrote names the wisp that is here; what people wrote themselves is left. */
static bool
renew(struct wisp_hook_settings *s, const struct event *e, const struct cJSON *hook, struct wisp_path_step *steps)
{
	const char *old = wisp_json_str(hook, "command", "");
	char *command = command_of(e);
	struct wisp_buf quoted = WISP_BUF_INIT;
	bool stale = strstr(old, "/wisp-hook' ") != NULL && strcmp(old, command) != 0;

	if (stale) {
		wisp_scan_quote(&quoted, command, strlen(command));
		wisp_hook_settings_put(s, steps, 6, quoted.data);
	}
	wisp_buf_release(&quoted);
	free(command);
	return stale;
}

static bool
add(struct wisp_hook_settings *s, const struct event *e)
{
	struct wisp_path_step steps[6] = {{"hooks", 0}, {(char *)e->name, 0}, {NULL, 0}, {"hooks", 0}, {NULL, 0}, {"command", 0}};
	const struct cJSON *old = find(s, e, steps);
	char *text;

	if (old != NULL)
		return renew(s, e, old, steps);
	if (wisp_json_get(s->doc, "hooks") == NULL)
		wisp_hook_settings_put(s, steps, 1, "{}");
	if (entries(s, e) == NULL)
		wisp_hook_settings_put(s, steps, 2, "[]");
	steps[2].index = wisp_json_len(entries(s, e));
	text = entry(e);
	wisp_hook_settings_put(s, steps, 3, text);
	free(text);
	return true;
}

/* The hooks of ours in one entry; the entry itself where nothing else is in it. How many were taken out. */
static size_t
take_from(struct wisp_hook_settings *s, const struct event *e, size_t at)
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
		wisp_hook_settings_drop(s, steps, 5);
		taken++;
		m = wisp_json_first(entries(s, e));
		for (size_t k = 0; k < at; k++)
			m = wisp_json_next(m);
	}
	hooks = wisp_json_get(m, "hooks");
	if (taken > 0 && wisp_json_len(hooks) == 0)
		wisp_hook_settings_drop(s, steps, 3);
	return taken;
}

static bool
take(struct wisp_hook_settings *s, const struct event *e)
{
	struct wisp_path_step steps[2] = {{"hooks", 0}, {(char *)e->name, 0}};
	size_t taken = 0;

	if (wisp_json_type(entries(s, e)) != WISP_T_ARRAY)
		return false;
	for (size_t i = wisp_json_len(entries(s, e)); i-- > 0;)
		taken += take_from(s, e, i);
	if (taken > 0 && wisp_json_len(entries(s, e)) == 0)
		wisp_hook_settings_drop(s, steps, 2);
	if (taken > 0 && wisp_json_len(wisp_json_get(s->doc, "hooks")) == 0)
		wisp_hook_settings_drop(s, steps, 1);
	return taken > 0;
}

static int
change(struct wisp_cli *cli, bool (*one)(struct wisp_hook_settings *, const struct event *), const char *done, const char *nothing)
{
	bool local = false, user = false, print = false, path = false, changed = false;
	const struct wisp_option options[] = {
		{"local", .flag = &local}, {"user", .flag = &user}, {"print", .flag = &print}, {"path", .flag = &path}, {0}
	};
	struct wisp_hook_settings s = {0};

	wisp_cli_read(cli, options, 0, 0);
	if (local && user)
		die_usage("--local and --user exclude each other");
	s.path = wisp_hook_settings_path(local, user);
	wisp_hook_settings_read(&s);
	for (size_t i = 0; i < EVENTS; i++)
		changed |= one(&s, &events[i]);
	if (path) {
		puts(s.path);
	} else if (print) {
		printf("file=%s\n", s.path);
		fwrite(s.bytes.data, 1, s.bytes.len, stdout);
	} else if (changed) {
		wisp_hook_settings_write(&s);
		printf("%s %s\n", done, s.path);
	} else {
		printf("%s %s\n", nothing, s.path);
	}
	wisp_hook_settings_release(&s);
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
