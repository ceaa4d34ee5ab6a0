/*
 * schema: see schema.h.
 */
#include "schema.h"

#include <stdlib.h>
#include <string.h>

#include "scan.h"

/* The chain as a path from the root; its keys are borrowed, free only `steps`. */
static struct wisp_path
path_to(const struct wisp_at *at)
{
	const struct wisp_at *a;
	struct wisp_path path = {0};
	size_t i;

	for (a = at; a != NULL; a = a->up)
		path.count++;
	path.steps = wisp_alloc(path.count, sizeof *path.steps);
	for (a = at, i = path.count; a != NULL; a = a->up) {
		i--;
		path.steps[i].key = (char *)a->key;
		path.steps[i].index = a->index;
	}
	return path;
}

static void
add_path(struct wisp_buf *out, const char *name, const struct wisp_path *path)
{
	size_t i;

	wisp_buf_puts(out, name);
	for (i = 0; i < path->count; i++) {
		if (path->steps[i].key != NULL)
			wisp_buf_printf(out, ".%s", path->steps[i].key);
		else
			wisp_buf_printf(out, "[%zu]", path->steps[i].index);
	}
}

static void
position(const struct wisp_source *src, const struct wisp_path *path, size_t *line, size_t *col)
{
	struct wisp_span span = {0};
	const char *p;

	*line = *col = 0;
	/* Missing is as good: the span is then the value in which it is missing. */
	if (src->data == NULL || wisp_scan_find(src->data, src->len, path, &span, NULL) < 0)
		return;
	*line = *col = 1;
	for (p = src->data; p < src->data + span.start; p++) {
		*col = *p == '\n' ? 1 : *col + 1;
		*line += *p == '\n';
	}
}

int
wisp_schema_refuse(const struct wisp_source *src, const struct wisp_at *at, struct wisp_err *err,
		   const char *fmt, ...)
{
	struct wisp_path path;
	struct wisp_buf text = WISP_BUF_INIT;
	size_t line, col;
	va_list ap;

	if (err == NULL)
		return -1;
	path = path_to(at);
	add_path(&text, src->name, &path);
	wisp_buf_puts(&text, ": ");
	va_start(ap, fmt);
	wisp_buf_vprintf(&text, fmt, ap);
	va_end(ap);
	position(src, &path, &line, &col);
	wisp_err_set(err, src->path, line, col, "%s", text.data);
	wisp_buf_release(&text);
	free(path.steps);
	return -1;
}

int
wisp_words_find(const char *words, const char *word)
{
	size_t len = strlen(word), n;
	int i;

	for (i = 0; ; words += n + 1, i++) {
		n = strcspn(words, "|");
		if (n == len && strncmp(words, word, n) == 0)
			return i;
		if (words[n] == '\0')
			return -1;
	}
}

static bool
whole(double d)
{
	return d > -WISP_JSON_EXACT && d < WISP_JSON_EXACT && (double)(long long)d == d;
}

static int
check_value(const struct wisp_source *src, const struct wisp_at *at, const struct cJSON *v,
	    const struct wisp_field *f, struct wisp_err *err)
{
	const struct cJSON *item;
	struct wisp_at below = {at, NULL, 0};
	enum wisp_type type = wisp_json_type(v);

	if (type != f->type)
		return wisp_schema_refuse(src, at, err, "expected %s, not %s",
					  wisp_type_name(f->type), wisp_type_name(type));
	if ((f->flags & WISP_FILLED) != 0 && *wisp_json_text(v, "") == '\0')
		return wisp_schema_refuse(src, at, err, "must not be empty");
	if ((f->flags & WISP_INTEGER) != 0 && !whole(wisp_json_number(v, 0)))
		return wisp_schema_refuse(src, at, err, "expected a whole number");
	if (f->words != NULL && wisp_words_find(f->words, wisp_json_text(v, "")) < 0)
		return wisp_schema_refuse(src, at, err, "expected one of %s, not '%s'",
					  f->words, wisp_json_text(v, ""));
	if (type != WISP_T_ARRAY || f->items == WISP_T_NONE)
		return 0;
	for (item = wisp_json_first(v); item != NULL; item = wisp_json_next(item), below.index++)
		if (wisp_json_type(item) != f->items)
			return wisp_schema_refuse(src, &below, err, "expected %s, not %s",
						  wisp_type_name(f->items), wisp_type_name(wisp_json_type(item)));
	return 0;
}

static const struct wisp_field *
find_field(const struct wisp_field *f, const char *name)
{
	/* The first byte tells most of them apart; this runs for every member of a list of thousands. */
	while (f->name != NULL && (f->name[0] != name[0] || strcmp(f->name, name) != 0))
		f++;
	return f->name != NULL ? f : NULL;
}

int
wisp_schema_check(const struct wisp_source *src, const struct wisp_at *at, const struct cJSON *object,
		  const struct wisp_field *fields, const struct cJSON **found, struct wisp_err *err)
{
	const struct cJSON *v, *values[WISP_FIELDS_MAX] = {0};
	struct wisp_at below = {at, NULL, 0};
	const struct wisp_field *f;

	if (found == NULL)
		found = values;
	if (wisp_json_type(object) != WISP_T_OBJECT)
		return wisp_schema_refuse(src, at, err, "expected an object, not %s",
					  wisp_type_name(wisp_json_type(object)));
	for (f = fields; f->name != NULL; f++)
		found[f - fields] = NULL;
	for (v = wisp_json_first(object); v != NULL; v = wisp_json_next(v)) {
		f = find_field(fields, wisp_json_key(v));
		if (f == NULL || (wisp_json_type(v) == WISP_T_NULL && (f->flags & WISP_REQUIRED) == 0))
			continue;
		below.key = f->name;
		if (check_value(src, &below, v, f, err) < 0)
			return -1;
		found[f - fields] = v;
	}
	for (f = fields; f->name != NULL; f++) {
		below.key = f->name;
		if ((f->flags & WISP_REQUIRED) != 0 && found[f - fields] == NULL)
			return wisp_schema_refuse(src, &below, err, "is missing");
	}
	return 0;
}
