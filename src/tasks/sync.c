/*
 * sync: the verb. What passes here is ticked in the file that a list came from, which
 * people go on editing: the boxes of a task, or the value that says that it is done,
 * and no other byte. Nothing is ever unticked there, and nothing changed here.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

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

/* What a task of the source is found by. */
struct name {
	const char *text;
	size_t index;
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

static int
by_text(const void *a, const void *b)
{
	const struct name *x = a, *y = b;
	int order = strcmp(x->text, y->text);

	return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

/* The tasks of the source that have such a member, by its text, then by their order. */
static size_t
sort_by(const struct pairs *p, const char *key, struct name *names)
{
	size_t n = 0;

	for (size_t i = 0; i < p->im.count; i++) {
		names[n] = (struct name){wisp_json_str(p->source[i], key, NULL), i};
		n += names[n].text != NULL;
	}
	qsort(names, n, sizeof *names, by_text);
	return n;
}

/* The first of that name that is left, and without an id where `no_id` says so; it is taken then. -1 if there is none. */
static long
take(struct pairs *p, const struct name *names, size_t n, const char *text, bool no_id)
{
	size_t from = 0, to = n, at;

	while (from < to) {
		at = from + (to - from) / 2;
		if (strcmp(names[at].text, text) < 0)
			from = at + 1;
		else
			to = at;
	}
	for (; from < n && strcmp(names[from].text, text) == 0; from++) {
		at = names[from].index;
		if (!p->taken[at] && !(no_id && wisp_json_get(p->source[at], "id") != NULL)) {
			p->taken[at] = true;
			return (long)at;
		}
	}
	return -1;
}

/* As wisp-tasks diff: tasks are the same if their ids are; then, where not both have one, if their descriptions are. */
static void
match(struct pairs *p, long *there)
{
	struct name *names = wisp_alloc(p->im.count, sizeof *names);
	const struct wisp_task *list = p->list.list;
	size_t n = sort_by(p, "id", names);

	for (size_t i = 0; i < p->list.count; i++)
		there[i] = list[i].id != NULL ? take(p, names, n, list[i].id, false) : -1;
	n = sort_by(p, "description", names);
	for (size_t i = 0; i < p->list.count; i++)
		if (there[i] < 0)
			there[i] = take(p, names, n, list[i].description, list[i].id != NULL);
	free(names);
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

static void
compare(struct pairs *p, struct wisp_buf *bytes)
{
	const struct wisp_task *task = p->list.list;
	long *there = wisp_alloc(p->list.count, sizeof *there);
	size_t i = 0;

	for (const struct cJSON *s = wisp_json_first(p->im.tasks); s != NULL; s = wisp_json_next(s))
		p->source[i++] = s;
	match(p, there);
	for (i = 0; i < p->list.count; i++, task++)
		if (there[i] < 0)
			tell(p, "absent", task->number, task->description);
		else if (task->passes && !wisp_json_bool(p->source[there[i]], "passes", false))
			tell(p, wisp_import_tick(&p->im, (size_t)there[i], bytes) ? "ticked" : "unmarked", task->number,
			     task->description);
	for (i = 0; i < p->im.count; i++)
		if (!p->taken[i])
			tell(p, "new", 0, wisp_json_str(p->source[i], "description", ""));
	free(there);
}

/*
 * One sync after the other, by a lock on the file's folder, which leaves nothing behind. It ends with
 * the program. Where a file system has no locks there is none.
 */
static void
lock(const char *file)
{
	char *path = realpath(file, NULL), *slash = path != NULL ? strrchr(path, '/') : NULL;
	int fd;

	if (slash != NULL) {
		slash[slash == path] = '\0';
		fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		while (fd >= 0 && flock(fd, LOCK_EX) < 0 && errno == EINTR)
			;
		wisp_file_sweep(path);	/* what one left that was killed */
	}
	free(path);
}

static void
write_back(const struct wisp_import *im, const struct wisp_buf *bytes)
{
	/* A link stays one: what it leads to is replaced. */
	char *path = realpath(im->path, NULL);

	if (path == NULL || !wisp_file_holds(path, im->bytes.data, im->bytes.len))
		die_data("%s: was changed at the same time: nothing is ticked", im->path);
	/* Replacing it would pass over that it is read-only. */
	if (access(path, W_OK) < 0 || wisp_file_write(path, bytes->data, bytes->len, WISP_SYNC) != 0)
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
	if (!dry)
		lock(cli->argv[1]);
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
