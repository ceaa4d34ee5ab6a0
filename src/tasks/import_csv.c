/*
 * import_csv: a table with a header, as RFC 4180 has it, with commas, semicolons or
 * tabs, whichever the header has, or what the line `sep=;` of spreadsheets before it
 * says. The columns are found by their names.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "import.h"

/* The member of a rough task that a column is. */
struct column {
	const char *names;	/* separated by |, small letters */
	const char *key;	/* "words" gathers */
};

static const struct column known[] = {
	{"title|summary|task|name|subject", "title"},
	{"description", "description"},
	{"category|type|kind|labels|label|issue type", "words"},
	{"priority|prio", "priority"},
	{"passes|passed|done|status|completed|state", "passes"},
	{"resolution", "resolution"},
	{"id|key|issue key", "id"},
	{"steps|step", "steps"},
	{"acceptance|acceptance criteria|acceptance_criteria|criteria", "acceptance"},
	{"depends_on|depends on|dependencies|blocked by", "depends_on"},
	{"verify|command", "verify"},
	{"notes|note|comment|comments", "notes"},
	{0}
};

#define DONE "true|yes|y|x|1|done|closed|complete|completed|passed|finished|resolved|fixed|[x]"

struct table {
	struct wisp_import *im;
	struct wisp_err *err;
	const char *p, *end;
	char separator;
	size_t line;			/* of p */
	char **cells;			/* of the row at hand */
	size_t count, cap;
	const char **keys;		/* of each column; NULL: not known */
	char **names;
	size_t columns;
};

static void
reset(struct table *t)
{
	while (t->count > 0)
		free(t->cells[--t->count]);
}

static void
push(struct table *t, struct wisp_buf *cell)
{
	if (t->count == t->cap) {
		t->cap = t->cap > 0 ? t->cap * 2 : 16;
		t->cells = wisp_realloc(t->cells, t->cap, sizeof *t->cells);
	}
	t->cells[t->count++] = wisp_buf_detach(cell);
}

/* What is between quotes, p behind the first. */
static int
quoted(struct table *t, struct wisp_buf *cell)
{
	size_t begun = t->line;

	for (; t->p < t->end; t->p++) {
		if (*t->p == '"' && (t->p + 1 == t->end || t->p[1] != '"'))
			break;
		t->p += *t->p == '"';
		t->line += *t->p == '\n';
		if (*t->p != '\r' || t->p + 1 == t->end || t->p[1] != '\n')
			wisp_buf_putc(cell, *t->p);
	}
	if (t->p == t->end)
		return wisp_err_set(t->err, t->im->path, begun, 0, "a quote that does not end");
	t->p++;
	while (t->p < t->end && (*t->p == ' ' || *t->p == '\r'))
		t->p++;
	if (t->p < t->end && *t->p != t->separator && *t->p != '\n')
		return wisp_err_set(t->err, t->im->path, t->line, 0, "text behind a quote that has ended");
	return 0;
}

/* Reads a row: 1, 0 after the last, -1 with an error. *line is where it begins. */
static int
row(struct table *t, size_t *line)
{
	struct wisp_buf cell = WISP_BUF_INIT;
	bool more = true;

	reset(t);
	*line = t->line;
	if (t->p == t->end)
		return 0;
	while (more) {
		if (t->p < t->end && *t->p == '"') {
			t->p++;
			if (quoted(t, &cell) < 0) {
				wisp_buf_release(&cell);
				return -1;
			}
		} else {
			for (; t->p < t->end && *t->p != t->separator && *t->p != '\n'; t->p++)
				if (*t->p != '\r' || t->p + 1 == t->end || t->p[1] != '\n')
					wisp_buf_putc(&cell, *t->p);
		}
		push(t, &cell);
		more = t->p < t->end && *t->p == t->separator;
		t->p += more;
	}
	if (t->p < t->end) {
		t->p++;
		t->line++;
	}
	return 1;
}

static bool
is_one_of(const char *names, const char *word)
{
	size_t n, len = strlen(word);

	for (; *names != '\0'; names += n + (names[n] == '|')) {
		n = strcspn(names, "|");
		if (n == len && strncasecmp(names, word, n) == 0)
			return true;
	}
	return false;
}

static const char *
key_of(const char *name)
{
	for (const struct column *c = known; c->names != NULL; c++)
		if (is_one_of(c->names, name))
			return c->key;
	return NULL;
}

static void
trim(char *s)
{
	size_t n = strlen(s), lead = strspn(s, " \t\r\n");

	memmove(s, s + lead, n - lead + 1);
	for (n -= lead; n > 0 && strchr(" \t\r\n", s[n - 1]) != NULL; n--)
		s[n - 1] = '\0';
}

/* The most frequent of the three in the first line, or what `sep=` says there. */
static char
separator(const char *p, const char *end)
{
	static const char all[] = ",;\t";
	size_t best = 0, n;
	char found = ',';

	if (end - p > 4 && strncasecmp(p, "sep=", 4) == 0 && strchr(",;\t|", p[4]) != NULL)
		return p[4];
	for (const char *c = all; *c != '\0'; c++) {
		n = 0;
		for (const char *q = p; q < end && *q != '\n'; q++)
			n += *q == *c;
		if (n > best) {
			best = n;
			found = *c;
		}
	}
	return found;
}

/* The column of that key; t->columns where there is none. */
static size_t
column(const struct table *t, const char *key)
{
	size_t i = 0;

	while (i < t->columns && (t->keys[i] == NULL || strcmp(t->keys[i], key) != 0))
		i++;
	return i;
}

/* What the columns are. A table with titles and descriptions has in the latter what is to be done: the steps. */
static int
header(struct table *t, size_t line)
{
	size_t title, description;

	t->columns = t->count;
	t->keys = wisp_alloc(t->columns, sizeof *t->keys);
	t->names = wisp_alloc(t->columns, sizeof *t->names);
	for (size_t i = 0; i < t->columns; i++) {
		const char *key;

		trim(t->cells[i]);
		t->names[i] = t->cells[i];
		key = key_of(t->names[i]);
		/* The first of a kind counts, but there may be many labels. */
		if (key != NULL && (strcmp(key, "words") == 0 || column(t, key) == t->columns))
			t->keys[i] = key;
	}
	t->count = 0;	/* the names are kept */
	title = column(t, "title");
	description = column(t, "description");
	if (title < t->columns) {
		t->keys[title] = "description";
		if (description < t->columns)
			t->keys[description] = column(t, "steps") == t->columns ? "steps" : NULL;
	} else if (description == t->columns) {
		return wisp_err_set(t->err, t->im->path, line, 0, "no column is called description or title");
	}
	return 0;
}

static void
passes(struct table *t, struct cJSON *task, const char *text, size_t line)
{
	bool done = is_one_of(DONE, text);

	wisp_json_set_bool(task, "passes", done);
	if (!done && !is_one_of("false|no|n|0|open|todo|to do|pending|not started|backlog|failed|[ ]", text) && *text != '\0')
		wisp_import_lose(t->im, "a status that says neither open nor done (taken as open)", line, text);
}

static void
set_cell(struct table *t, struct cJSON *task, size_t i, size_t line)
{
	const char *key = t->keys[i], *text = t->cells[i];

	if (key != NULL && strcmp(key, "resolution") == 0 && is_one_of(DONE, text))
		return;		/* as its state says */
	if (key == NULL || strcmp(key, "resolution") == 0) {
		char *what = wisp_str("the column '%s'", t->names[i]);

		wisp_import_lose(t->im, what, line, text);
		free(what);
	} else if (strcmp(key, "passes") == 0) {
		passes(t, task, text, line);
	} else if (strcmp(key, "words") == 0) {
		char *words = wisp_strdup(text), *word, *rest = words;

		while ((word = strsep(&rest, ",;|\n")) != NULL) {
			trim(word);
			wisp_json_push(wisp_json_array_at(task, "words"), wisp_json_string(word));
		}
		free(words);
	} else {
		wisp_json_set_str(task, key, text);
	}
}

static bool
is_dropped(const struct table *t, const char *key)
{
	size_t i = column(t, key);

	return i < t->count && i < t->columns && wisp_import_dropped(t->cells[i]);
}

/* Takes the row at hand as a task, unless it is empty. */
static int
add(struct table *t, size_t line)
{
	struct cJSON *task;
	size_t filled = 0, i;

	for (i = 0; i < t->count; i++) {
		trim(t->cells[i]);
		filled += *t->cells[i] != '\0';
		if (*t->cells[i] != '\0' && i >= t->columns)
			return wisp_err_set(t->err, t->im->path, line, 0, "%zu fields, where the header has %zu", i + 1, t->columns);
	}
	if (filled == 0)
		return 0;
	if (is_dropped(t, "passes") || is_dropped(t, "resolution")) {
		i = column(t, "description");
		wisp_import_lose(t->im, "tasks that were canceled, duplicate or not planned", line, i < t->count ? t->cells[i] : "");
		return 0;
	}
	task = wisp_json_object();
	for (i = 0; i < t->count && i < t->columns; i++)
		if (*t->cells[i] != '\0')
			set_cell(t, task, i, line);
	wisp_import_take(t->im, task, line);
	return 0;
}

int
wisp_import_csv(struct wisp_import *im, struct wisp_err *err)
{
	struct table t = {.im = im, .err = err, .p = im->bytes.data + im->start, .end = im->bytes.data + im->bytes.len, .line = 1};
	size_t line;
	int rc = 1;

	t.separator = separator(t.p, t.end);
	while (rc > 0 && (rc = row(&t, &line)) > 0) {
		if (t.columns == 0 && ((t.count == 1 && strspn(t.cells[0], " \t\r") == strlen(t.cells[0])) ||
				       (t.count == 2 && strcasecmp(t.cells[0], "sep=") == 0)))
			continue;	/* what stands before the header */
		if ((t.columns == 0 ? header(&t, line) : add(&t, line)) < 0)
			rc = -1;
	}
	reset(&t);
	for (size_t i = 0; i < t.columns; i++)
		free(t.names[i]);
	free(t.cells);
	free(t.keys);
	free(t.names);
	return rc;
}
