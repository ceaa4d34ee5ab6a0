/*
 * log: the verbs log and step of wisp-session: what the iterations were, and
 * what their agents printed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/log.h"
#include "follow.h"
#include "output.h"
#include "verb.h"

struct view {
	bool dirs, events, all, follow, raw;
};

static void
show_output(const char *dir, bool whole)
{
	struct wisp_output output;

	wisp_output_open(&output, dir, false, whole);
	wisp_output_close(&output);
}

static void
show_entry(const struct cJSON *entry, const struct view *view)
{
	const char *dir = wisp_json_str(entry, "dir", NULL);
	struct wisp_buf text = WISP_BUF_INIT;

	if (view->dirs) {
		wisp_cli_pair("dir", dir);
		return;
	}
	wisp_log_head(&text, entry);
	wisp_verb_print(&text);
	if (view->events && dir != NULL)
		show_output(dir, view->all);
	wisp_log_body(&text, entry);
	wisp_verb_print(&text);
}

/* The folder of the current or last step, or NULL before the first; the caller frees it. */
static char *
step_dir(const struct wisp_record *r)
{
	const char *name = wisp_json_str(wisp_json_get(r->doc, "step"), "name", NULL);

	return name != NULL ? wisp_str("%s/steps/%s", r->place->dir, name) : NULL;
}

/* Is there a step that the history does not have? It runs, or its controller died. */
static bool
is_open(const struct wisp_record *r)
{
	const char *stage = wisp_json_str(wisp_json_get(r->doc, "step"), "stage", NULL);

	return stage != NULL && strcmp(stage, "recorded") != 0;
}

static void
show_open_step(const struct wisp_record *r, const struct view *view)
{
	const struct cJSON *s = wisp_json_get(r->doc, "step");
	struct wisp_buf text = WISP_BUF_INIT;
	char *dir = step_dir(r);

	wisp_buf_printf(&text, "iteration %lld  %s: %s\n", wisp_json_int(s, "iteration", 0),
			wisp_json_str(s, "started_at", "-"), wisp_record_owned(r) != 0 ? "runs" : "was cut off");
	wisp_verb_print(&text);
	if (view->events && dir != NULL)
		show_output(dir, view->all);
	free(dir);
}

int
wisp_verb_log(struct wisp_cli *cli)
{
	struct view view = {0};
	long long most = -1, seen = 0;
	const struct wisp_option options[] = {
		{"lines", 'n', .number = &most}, {"dirs", .flag = &view.dirs}, {"events", .flag = &view.events},
		{"all", .flag = &view.all}, {"follow", 'f', .flag = &view.follow}, {"raw", .flag = &view.raw}, {0}
	};
	struct wisp_record r;
	struct cJSON *log, *e;
	bool open;

	wisp_verb_open(&r, cli, options);
	open = is_open(&r) && most != 0 && !view.follow && !view.raw && !view.dirs && !cli->json;
	if (open && most > 0)
		most--;
	log = wisp_log_entries(&r, most, -1);
	if (cli->json) {
		wisp_cli_json(log);
	} else {
		for (e = wisp_json_first(log); e != NULL; e = wisp_json_next(e)) {
			seen = wisp_json_int(e, "iteration", 0);
			if (!view.raw)
				show_entry(e, &view);
		}
		if (open)
			show_open_step(&r, &view);
		wisp_json_free(log);
	}
	wisp_record_release(&r);
	if (view.follow && !cli->json)
		wisp_follow(&cli->place, view.raw, view.all, seen);
	return 0;
}

/* The current or last step. 1 before the first. */
int
wisp_verb_step(struct wisp_cli *cli)
{
	const struct cJSON *s;
	struct wisp_record r;
	bool found;
	char *dir;

	wisp_verb_open(&r, cli, NULL);
	s = wisp_json_get(r.doc, "step");
	dir = step_dir(&r);
	found = dir != NULL;
	if (found) {
		printf("iteration=%lld\n", wisp_json_int(s, "iteration", 0));
		wisp_cli_pair("stage", wisp_json_str(s, "stage", NULL));
		wisp_cli_pair("dir", dir);
	}
	wisp_record_release(&r);
	free(dir);
	return found ? 0 : 1;
}
