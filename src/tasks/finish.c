/*
 * finish: from what a parser found to tasks of the schema. See import.h.
 */
#include "import.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/tasks.h"

#define BLANKS " \t\r\n\f\v"

/* All that is needed while one task after the other is made. */
struct work {
	struct wisp_import *im;
	const char *category;		/* where nothing is said */
	const char **ids;		/* sorted */
	size_t n_ids;
	size_t index;			/* of the task at hand */
};

static size_t
origin_line(const struct wisp_import *im, size_t index)
{
	const struct wisp_origin *o = &im->origins[index];

	return o->at != NULL ? wisp_import_line_at(im, o->at) : o->line;
}

/* Of the task at hand. Its line is looked for only where it is going to be shown. */
static void
lose(const struct work *w, const char *what, const char *example)
{
	struct wisp_import *im = w->im;
	const struct wisp_origin *o = &im->origins[w->index];
	size_t before = im->n_losses;

	wisp_import_lose(im, what, o->line, example);
	if (im->n_losses > before)
		im->losses[before].at = wisp_strdup(o->at);
}

/* The text between blanks, as a value; NULL where nothing is left. */
static struct cJSON *
trimmed(const char *text, size_t len)
{
	struct cJSON *v;
	char *copy;

	while (len > 0 && strchr(BLANKS, text[len - 1]) != NULL)
		len--;
	for (; len > 0 && strchr(BLANKS, *text) != NULL; len--)
		text++;
	if (len == 0)
		return NULL;
	copy = wisp_str("%.*s", (int)len, text);
	v = wisp_json_string(copy);
	free(copy);
	return v;
}

static void
push_filled(struct cJSON *array, const char *text, size_t len)
{
	struct cJSON *v = trimmed(text, len);

	if (v != NULL)
		wisp_json_push(array, v);
}

/* An array of strings, or text whose lines (between any of `separators`) they are; blank ones do not count. */
static struct cJSON *
texts(const struct cJSON *rough, const char *separators)
{
	struct cJSON *array = wisp_json_array();
	const char *text = wisp_json_text(rough, "");
	size_t n;

	if (wisp_json_type(rough) == WISP_T_ARRAY)
		for (const struct cJSON *e = wisp_json_first(rough); e != NULL; e = wisp_json_next(e))
			push_filled(array, wisp_json_text(e, ""), strlen(wisp_json_text(e, "")));
	else
		for (; *text != '\0'; text += n + (text[n] != '\0')) {
			n = strcspn(text, separators);
			push_filled(array, text, n);
		}
	return array;
}

static void
set_text(struct cJSON *task, const char *key, const struct cJSON *rough)
{
	const char *text = wisp_json_str(rough, key, "");
	struct cJSON *v = trimmed(text, strlen(text));

	if (v != NULL)
		wisp_json_add(task, key, v);
}

static void
set_texts(struct cJSON *task, const char *key, struct cJSON *array)
{
	if (wisp_json_len(array) > 0)
		wisp_json_add(task, key, array);
	else
		wisp_json_free(array);
}

/* What `words` say of category and priority; what they say beyond that is lost. */
static const char *
read_words(const struct work *w, const struct cJSON *words, const char *category, bool *has_priority, long *priority)
{
	const char *word, *found;
	long number;

	for (const struct cJSON *e = wisp_json_first(words); e != NULL; e = wisp_json_next(e)) {
		word = wisp_json_text(e, "");
		found = wisp_import_category(word);
		if (found != NULL && (category == NULL || strcmp(category, found) == 0)) {
			category = found;
		} else if (found == NULL && !*has_priority && wisp_import_priority(word, &number)) {
			*has_priority = true;
			*priority = number;
		} else if (*word != '\0') {
			lose(w, "labels and types that are no category", word);
		}
	}
	return category != NULL ? category : w->category;
}

static void
read_priority(const struct work *w, const struct cJSON *v, bool *has, long *priority)
{
	double d = wisp_json_number(v, 0);
	const char *word = wisp_json_text(v, NULL);
	struct wisp_buf shown = WISP_BUF_INIT;

	if (wisp_json_type(v) == WISP_T_NONE || wisp_json_type(v) == WISP_T_NULL || (word != NULL && *word == '\0'))
		return;
	*has = true;
	if (wisp_json_type(v) == WISP_T_NUMBER && floor(d) == d && fabs(d) < 1e9) {
		*priority = (long)d;
	} else if (word == NULL || !wisp_import_priority(word, priority)) {
		*has = false;
		wisp_json_print_compact(&shown, v);
		lose(w, "priorities that are no whole number", word != NULL ? word : shown.data);
	}
	wisp_buf_release(&shown);
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static struct cJSON *
depends_on(const struct work *w, const struct cJSON *rough)
{
	struct cJSON *all = texts(rough, "\n,;"), *known = wisp_json_array();

	for (const struct cJSON *e = wisp_json_first(all); e != NULL; e = wisp_json_next(e)) {
		const char *id = wisp_json_text(e, "");

		if (bsearch(&id, w->ids, w->n_ids, sizeof *w->ids, by_text) != NULL)
			wisp_json_push(known, wisp_json_string(id));
		else
			lose(w, "dependencies on what is not in the list", id);
	}
	wisp_json_free(all);
	return known;
}

/* One task of the schema; NULL where it has no description. */
static struct cJSON *
make(const struct work *w, const struct cJSON *rough)
{
	const char *text = wisp_json_str(rough, "description", "");
	struct cJSON *description = trimmed(text, strlen(text)), *task;
	const char *category = wisp_json_str(rough, "category", NULL);
	bool has = false;
	long priority = 0;

	if (description == NULL)
		return NULL;
	task = wisp_json_object();
	read_priority(w, wisp_json_get(rough, "priority"), &has, &priority);
	category = read_words(w, wisp_json_get(rough, "words"), category, &has, &priority);
	set_text(task, "id", rough);
	wisp_json_add(task, "category", wisp_json_string(category));
	wisp_json_add(task, "description", description);
	wisp_json_add(task, "steps", texts(wisp_json_get(rough, "steps"), "\n"));
	wisp_json_add(task, "passes", wisp_json_boolean(wisp_json_bool(rough, "passes", false)));
	if (has)
		wisp_json_add(task, "priority", wisp_json_double((double)priority));
	set_texts(task, "depends_on", depends_on(w, wisp_json_get(rough, "depends_on")));
	set_texts(task, "acceptance", texts(wisp_json_get(rough, "acceptance"), "\n"));
	set_text(task, "verify", rough);
	set_text(task, "notes", rough);
	return task;
}

static void
collect_ids(struct work *w)
{
	const struct cJSON *t;

	w->ids = wisp_alloc(w->im->count + 1, sizeof *w->ids);
	for (t = wisp_json_first(w->im->rough); t != NULL; t = wisp_json_next(t))
		if (wisp_json_str(t, "id", NULL) != NULL)
			w->ids[w->n_ids++] = wisp_json_str(t, "id", NULL);
	qsort(w->ids, w->n_ids, sizeof *w->ids, by_text);
}

/* Does the list hold, as wisp-tasks check would say? A fault is told of by its place in the source. */
static int
hold(const struct wisp_import *im, struct wisp_err *err)
{
	struct wisp_buf text = WISP_BUF_INIT;
	struct wisp_err why = WISP_ERR_INIT;
	struct wisp_tasks t;
	size_t index;
	int rc = 0;

	wisp_json_print(&text, im->tasks);
	if (text.len > WISP_TASKS_MAX) {
		rc = wisp_err_set(err, im->path, 0, 0, "the list that it makes would be larger than %zu MiB", WISP_TASKS_MAX >> 20);
	} else if (wisp_tasks_parse(&t, text.data, text.len, NULL, &why) == WISP_VALID) {
		wisp_tasks_release(&t);
	} else if (sscanf(why.text, "tasks[%zu]", &index) == 1 && index < im->count) {
		rc = wisp_err_set(err, im->path, origin_line(im, index), 0, "%s", why.text);
	} else {
		rc = wisp_err_set(err, im->path, 0, 0, "%s", why.text);
	}
	wisp_buf_release(&text);
	wisp_err_release(&why);
	return rc;
}

int
wisp_import_finish(struct wisp_import *im, const char *category, struct wisp_err *err)
{
	struct work w = {.im = im, .category = category};
	const struct cJSON *rough;
	struct cJSON *task;
	int rc = 0;

	collect_ids(&w);
	im->tasks = wisp_json_array();
	for (rough = wisp_json_first(im->rough); rough != NULL && rc == 0; rough = wisp_json_next(rough), w.index++) {
		task = make(&w, rough);
		if (task != NULL)
			wisp_json_push(im->tasks, task);
		else
			rc = wisp_err_set(err, im->path, origin_line(im, w.index), 0, "a task without a description");
	}
	free(w.ids);
	for (size_t i = 0; i < im->n_losses; i++)
		if (im->losses[i].at != NULL)
			im->losses[i].line = wisp_import_line_at(im, im->losses[i].at);
	if (rc == 0 && im->count == 0)
		rc = wisp_err_set(err, im->path, 0, 0, "there is no task in it%s%s%s", im->hint != NULL ? " (" : "",
				  im->hint != NULL ? im->hint : "", im->hint != NULL ? ")" : "");
	return rc == 0 ? hold(im, err) : -1;
}
