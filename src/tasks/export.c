/*
 * export: the verb. What was written is read again as an import would read it, and
 * held against the list: what differs is what the format cannot hold, and is named.
 */
#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "verb.h"

/* A field, by the name of a task's member, that does not come back. */
struct difference {
	char *field;
	size_t count, first;	/* tasks; the number of the first */
};

struct differences {
	struct difference *list;
	size_t count;
};

static void
differs(struct differences *d, const char *field, size_t number)
{
	size_t i = 0;

	while (i < d->count && strcmp(d->list[i].field, field) != 0)
		i++;
	if (i == d->count) {
		d->list = wisp_realloc(d->list, d->count + 1, sizeof *d->list);
		d->list[d->count++] = (struct difference){wisp_strdup(field), 0, number};
	}
	d->list[i].count++;
}

/* Null, "" and [] say as much as nothing. */
static bool
says_nothing(const struct cJSON *v)
{
	enum wisp_type type = wisp_json_type(v);

	return type == WISP_T_NONE || type == WISP_T_NULL || (type == WISP_T_STRING && *wisp_json_text(v, "") == '\0') ||
	       (type == WISP_T_ARRAY && wisp_json_len(v) == 0);
}

static void
compare(struct differences *d, const struct cJSON *task, const struct cJSON *back, size_t number)
{
	const struct cJSON *m, *other;

	for (m = wisp_json_first(task); m != NULL; m = wisp_json_next(m)) {
		other = wisp_json_get(back, wisp_json_key(m));
		if (!(says_nothing(m) && says_nothing(other)) && (other == NULL || !wisp_json_equal(m, other)))
			differs(d, wisp_json_key(m), number);
	}
	for (m = wisp_json_first(back); m != NULL; m = wisp_json_next(m))
		if (wisp_json_get(task, wisp_json_key(m)) == NULL && !says_nothing(m))
			differs(d, wisp_json_key(m), number);
}

/* The next of the tasks from `from` on that has that description, else NULL. */
static const struct cJSON *
with_description(const struct cJSON *from, const char *description)
{
	while (from != NULL && strcmp(wisp_json_str(from, "description", ""), description) != 0)
		from = wisp_json_next(from);
	return from;
}

static void
tell_differences(const char *format, const struct cJSON *tasks, const struct cJSON *back)
{
	struct differences d = {0};
	const struct cJSON *b = wisp_json_first(back), *found;
	bool aligned = wisp_json_len(tasks) == wisp_json_len(back);
	size_t number = 1;

	for (const struct cJSON *t = wisp_json_first(tasks); t != NULL; t = wisp_json_next(t), number++) {
		found = aligned ? b : with_description(b, wisp_json_str(t, "description", ""));
		if (found == NULL) {
			differs(&d, "the whole", number);
			continue;
		}
		compare(&d, t, found, number);
		b = wisp_json_next(found);
	}
	for (size_t i = 0; i < d.count; i++) {
		warn("%s cannot hold: %s of %zu task%s, the first is %zu", format, d.list[i].field, d.list[i].count,
		     d.list[i].count > 1 ? "s" : "", d.list[i].first);
		free(d.list[i].field);
	}
	free(d.list);
}

int
wisp_verb_export(struct wisp_cli *cli, const struct wisp_by_filter *by)
{
	struct wisp_buf out = WISP_BUF_INIT, copy = WISP_BUF_INIT;
	struct wisp_err err = WISP_ERR_INIT;
	const struct wisp_format *f;
	struct wisp_import im;
	struct wisp_tasks t;
	char *path;

	wisp_cli_read(cli, NULL, 1, 1);
	f = wisp_format_pick(cli, by, NULL);
	path = wisp_verb_path(cli);
	wisp_verb_load(&t, path);
	if (t.count == 0)
		die_data("%s: there is no task in it", path);
	if ((f->print != NULL ? f->print(t.doc, &out, &err) : by->print(f->name, t.doc, &out, &err)) != 0)
		die_err(&err);
	wisp_buf_add(&copy, out.data, out.len);
	if (wisp_format_parse(f, by, "feature", "what was written", &copy, &im, &err) != 0)
		die_data("%s: %s cannot hold this list: %s", path, f->name, wisp_err_string(&err));
	tell_differences(f->name, t.doc, im.tasks);
	wisp_cli_print(&out);
	wisp_import_release(&im);
	wisp_tasks_release(&t);
	free(path);
	return 0;
}
