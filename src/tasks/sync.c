/*
 * sync: the verb. What passes here is ticked in the file that a list came from, which
 * people go on editing: the boxes of a task, or the value that says that it is done,
 * and no other byte. Nothing is ever unticked there, and nothing changed here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/scan.h"
#include "format.h"
#include "verb.h"

/* A task here, and its counterpart there. */
struct pairs {
	struct wisp_import im;
	const struct cJSON **source;	/* its tasks */
	bool *taken;
	struct wisp_tasks list;
	struct cJSON *answer;
};

/* The list as it is observed: while a live loop's step is open the file says what the agent claims. */
static void
load(struct wisp_cli *cli, struct wisp_tasks *t)
{
	char *path = wisp_verb_path(cli);
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_record r;
	const char *stage;
	int rc = 1;

	wisp_cli_refuse_step(&cli->place, "ticking tasks elsewhere");
	if (cli->place.home != NULL && wisp_cli_record(cli, &r, WISP_READ)) {
		stage = wisp_json_str(wisp_json_get(r.doc, "step"), "stage", "recorded");
		if (strcmp(stage, "recorded") != 0 && wisp_cli_owned(&r))
			rc = wisp_record_good_tasks(&r, NULL, t, &err);
		wisp_record_release(&r);
	}
	if (rc < 0)
		die_err(&err);
	if (rc > 0)
		wisp_verb_load(t, path);
	free(path);
}

/* The index of the counterpart, which is then taken; -1 if there is none. */
static long
counterpart(struct pairs *p, const struct wisp_task *task)
{
	for (int by_id = 1; by_id >= 0; by_id--)
		for (size_t i = 0; i < p->im.count; i++) {
			const char *there = wisp_json_str(p->source[i], by_id ? "id" : "description", NULL);
			const char *here = by_id ? task->id : task->description;

			if (!p->taken[i] && there != NULL && here != NULL && strcmp(there, here) == 0) {
				p->taken[i] = true;
				return (long)i;
			}
		}
	return -1;
}

static void
tell(struct pairs *p, const char *kind, size_t number, const char *description)
{
	struct cJSON *entry = wisp_json_object();

	if (number > 0)
		wisp_json_set_num(entry, "number", (double)number);
	wisp_json_set_str(entry, "description", description);
	wisp_json_push(wisp_json_array_at(p->answer, kind), entry);
}

/* Ticks task `i` in `bytes`; false where there is nothing to tick. */
static bool
tick(const struct wisp_import *im, size_t i, struct wisp_buf *bytes)
{
	const char *mark = im->origins[i].mark;
	struct wisp_path path = {0};
	bool ticked = false;

	if (mark != NULL) {
		ticked = wisp_path_parse(&path, mark, NULL) == 0 && wisp_scan_set(bytes, &path, "true", NULL) == 0;
		wisp_path_release(&path);
		return ticked;
	}
	for (const struct wisp_box *b = im->boxes; b < im->boxes + im->n_boxes; b++)
		if (b->task == i) {
			bytes->data[b->offset] = 'x';
			ticked = true;
		}
	return ticked;
}

static void
compare(struct pairs *p, struct wisp_buf *bytes)
{
	const struct wisp_task *task;
	size_t i = 0;
	long at;

	for (const struct cJSON *s = wisp_json_first(p->im.tasks); s != NULL; s = wisp_json_next(s))
		p->source[i++] = s;
	for (task = p->list.list; task < p->list.list + p->list.count; task++) {
		at = counterpart(p, task);
		if (at < 0)
			tell(p, "absent", task->number, task->description);
		else if (task->passes && !wisp_json_bool(p->source[at], "passes", false))
			tell(p, tick(&p->im, (size_t)at, bytes) ? "ticked" : "unmarked", task->number, task->description);
	}
	for (i = 0; i < p->im.count; i++)
		if (!p->taken[i])
			tell(p, "new", 0, wisp_json_str(p->source[i], "description", ""));
}

static void
write_back(const struct wisp_import *im, const struct wisp_buf *bytes)
{
	/* A link stays one: what it leads to is replaced. */
	char *path = realpath(im->path, NULL);

	if (path == NULL || !wisp_file_holds(path, im->bytes.data, im->bytes.len))
		die_data("%s: was changed at the same time: nothing is ticked", im->path);
	if (wisp_file_write(path, bytes->data, bytes->len, WISP_SYNC) != 0)
		die_sys("cannot write '%s'", path);
	free(path);
}

static void
print(struct wisp_cli *cli, struct cJSON *answer)
{
	struct wisp_buf line = WISP_BUF_INIT;

	if (cli->json) {
		wisp_cli_json(answer);
		return;
	}
	for (const struct cJSON *kind = wisp_json_first(answer); kind != NULL; kind = wisp_json_next(kind))
		for (const struct cJSON *e = wisp_json_first(kind); e != NULL; e = wisp_json_next(e)) {
			wisp_buf_reset(&line);
			if (wisp_json_get(e, "number") != NULL)
				wisp_buf_printf(&line, "%lld ", wisp_json_int(e, "number", 0));
			wisp_buf_puts(&line, wisp_json_str(e, "description", ""));
			wisp_cli_pair(wisp_json_key(kind), line.data);
		}
	wisp_buf_release(&line);
	wisp_json_free(answer);
}

int
wisp_verb_sync(struct wisp_cli *cli, const struct wisp_by_filter *by)
{
	static const char *const kinds[] = {"ticked", "unmarked", "absent", "new"};
	bool dry = false;
	const struct wisp_option options[] = {{"dry-run", .flag = &dry}, {0}};
	struct wisp_buf bytes = WISP_BUF_INIT, changed = WISP_BUF_INIT;
	struct wisp_err err = WISP_ERR_INIT;
	const struct wisp_format *f;
	struct pairs p = {.answer = NULL};

	wisp_cli_read(cli, options, 1, 2);
	f = wisp_format_pick(cli, by, dry ? "--dry-run" : NULL);
	if (strcmp(cli->argv[1], "-") == 0)
		die_usage("a file is needed: standard input cannot be ticked");
	load(cli, &p.list);
	wisp_format_read(cli->argv[1], &bytes);
	if (wisp_format_parse(f, by, "feature", cli->argv[1], &bytes, &p.im, &err) != 0)
		die_err(&err);
	p.source = wisp_alloc(p.im.count, sizeof *p.source);
	p.taken = wisp_alloc(p.im.count, sizeof *p.taken);
	p.answer = wisp_json_object();
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		wisp_json_array_at(p.answer, kinds[i]);
	wisp_buf_add(&changed, p.im.bytes.data, p.im.bytes.len);
	compare(&p, &changed);
	if (!dry && wisp_json_len(wisp_json_get(p.answer, "ticked")) > 0)
		write_back(&p.im, &changed);
	print(cli, p.answer);
	free(p.source);
	free(p.taken);
	wisp_buf_release(&changed);
	wisp_tasks_release(&p.list);
	wisp_import_release(&p.im);
	return 0;
}
