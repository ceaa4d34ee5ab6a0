/*
 * follow: see follow.h.
 */
#include "follow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fsevent.h"
#include "core/log.h"
#include "core/record.h"
#include "output.h"
#include "verb.h"

#define LOOK_MS 2000	/* how soon it is seen that a loop died */

struct follow {
	const struct wisp_place *place;
	bool raw, whole;
	long long seen;			/* the last iteration whose end was shown */
	char *dir;			/* of the step whose output is shown, or NULL */
	struct wisp_output output;	/* of it */
	struct wisp_buf text;
};

static void
close_step(struct follow *f)
{
	if (f->dir != NULL)
		wisp_output_close(&f->output);
	free(f->dir);
	f->dir = NULL;
}

/* Of the step that runs already when it is first looked at, only the end is shown. */
static void
open_step(struct follow *f, const char *dir, long long iteration)
{
	f->dir = wisp_strdup(dir);
	if (!f->raw)
		printf("iteration %lld runs\n", iteration);
	wisp_output_open(&f->output, dir, f->raw, f->whole);
	f->whole = true;
	wisp_output_show(&f->output);
}

/* The iterations before `end` that have ended since the last look. */
static void
show_ended(struct follow *f, const struct wisp_record *r, long long end)
{
	struct cJSON *log = wisp_log_entries(r, -1, f->seen), *e;
	long long n;

	for (e = wisp_json_first(log); e != NULL; e = wisp_json_next(e)) {
		n = wisp_json_int(e, "iteration", 0);
		if (n >= end)
			break;
		if (!f->raw) {
			wisp_log_head(&f->text, e);
			wisp_log_body(&f->text, e);
		}
		f->seen = n;
	}
	wisp_verb_print(&f->text);
	wisp_json_free(log);
}

static void
look_at(struct follow *f, const struct wisp_record *r)
{
	const struct cJSON *step = wisp_json_get(r->doc, "step");
	const char *name = wisp_json_str(step, "name", NULL);
	long long iteration = wisp_json_int(step, "iteration", 0);
	char *dir = name != NULL ? wisp_str("%s/steps/%s", r->place->dir, name) : NULL;

	if (f->dir != NULL)
		wisp_output_show(&f->output);
	if (dir != NULL && (f->dir == NULL || strcmp(dir, f->dir) != 0)) {
		close_step(f);
		show_ended(f, r, iteration);
		if (f->raw || iteration > f->seen)
			open_step(f, dir, iteration);
	}
	if (f->dir != NULL && iteration > f->seen && strcmp(wisp_json_str(step, "stage", ""), "recorded") == 0 && !f->raw)
		close_step(f);
	show_ended(f, r, iteration + 1);
	free(dir);
}

/* One look; does a loop own the session still? */
static bool
look(struct follow *f)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_record r;
	int rc = wisp_record_open(&r, f->place, WISP_READ, &err), owned;

	if (rc < 0 && err.text != NULL)
		die_err(&err);
	if (rc != 0)
		return false;	/* it was removed */
	owned = wisp_record_owned(&r);
	if (owned == 0) {	/* its last words came before it let go */
		wisp_record_release(&r);
		if (wisp_record_open(&r, f->place, WISP_READ, &err) != 0)
			return false;
	}
	look_at(f, &r);
	wisp_record_release(&r);
	if (fflush(stdout) != 0)
		die_sys("cannot write to standard output");
	return owned > 0;
}

/* Sleeps until the record or the output changes, from before the look that comes next. */
static bool
look_again(struct follow *f, const char *record)
{
	char *output = wisp_str("%s/output.log", f->dir != NULL ? f->dir : f->place->dir);
	const char *paths[] = {record, output};
	struct wisp_fsevent event;
	bool owned;

	wisp_fsevent_init(&event, paths, sizeof paths / sizeof *paths);
	wisp_fsevent_arm(&event);
	owned = look(f);
	if (owned)
		(void)wisp_fsevent_wait(&event, LOOK_MS);
	wisp_fsevent_release(&event);
	free(output);
	return owned;
}

void
wisp_follow(const struct wisp_place *place, bool raw, bool whole, long long after)
{
	struct follow f = {.place = place, .raw = raw, .whole = whole, .seen = after};
	char *record = wisp_str("%s/record.json", place->home != NULL ? place->home : place->dir);

	while (look_again(&f, record))
		;
	close_step(&f);
	wisp_buf_release(&f.text);
	free(record);
}
