/*
 * settings: see settings.h.
 */
#include "settings.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "verb.h"

char *
wisp_hook_settings_path(bool local, bool user)
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
reparse(struct wisp_hook_settings *s)
{
	struct wisp_err err = WISP_ERR_INIT;

	wisp_json_free(s->doc);
	s->doc = wisp_json_parse(s->bytes.data, s->bytes.len, s->path, &err);
	if (s->doc == NULL)
		die_err(&err);
	if (wisp_json_type(s->doc) != WISP_T_OBJECT)
		die_data("%s: expected an object, not %s", s->path, wisp_type_name(wisp_json_type(s->doc)));
}

void
wisp_hook_settings_read(struct wisp_hook_settings *s)
{
	struct wisp_err err = WISP_ERR_INIT;
	char *real = realpath(s->path, NULL);
	enum wisp_verdict v;
	struct stat st;

	if (real == NULL && lstat(s->path, &st) == 0)
		die_sys("cannot read '%s'", s->path);
	if (real != NULL) {
		free(s->path);
		s->path = real;
	}
	v = wisp_json_read(s->path, &s->bytes, &s->doc, &err);

	if (v == WISP_MISSING || v == WISP_EMPTY) {
		wisp_buf_reset(&s->bytes);
		wisp_buf_puts(&s->bytes, "{}\n");
	} else if (v != WISP_VALID) {
		die_err(&err);
	}
	wisp_err_release(&err);
	reparse(s);
}

void
wisp_hook_settings_put(struct wisp_hook_settings *s, struct wisp_path_step *steps, size_t n, const char *json)
{
	const struct wisp_path path = {steps, n};
	struct wisp_err err = WISP_ERR_INIT;

	if (wisp_scan_set(&s->bytes, &path, json, &err) != 0)
		die_data("%s: hooks.%s: expected an array in an object", s->path, n > 1 ? steps[1].key : "");
	reparse(s);
}

void
wisp_hook_settings_drop(struct wisp_hook_settings *s, struct wisp_path_step *steps, size_t n)
{
	const struct wisp_path path = {steps, n};

	if (wisp_scan_drop(&s->bytes, &path) != 0)
		die_bug("%s: a hook that is there is not found", s->path);
	reparse(s);
}

void
wisp_hook_settings_write(const struct wisp_hook_settings *s)
{
	char *dir = wisp_strdup(s->path);

	*strrchr(dir, '/') = '\0';
	if ((access(s->path, F_OK) == 0 ? access(s->path, W_OK) : wisp_dir_make(dir)) != 0 ||
	    wisp_file_write(s->path, s->bytes.data, s->bytes.len, WISP_SYNC) != 0)
		die_sys("cannot write '%s'", s->path);
	free(dir);
}

void
wisp_hook_settings_release(struct wisp_hook_settings *s)
{
	wisp_buf_release(&s->bytes);
	wisp_json_free(s->doc);
	free(s->path);
}
