/*
 * scan_set: a change to a document that leaves its other bytes alone.
 *
 * What is added to a document looks like its neighbours because it is made of
 * their bytes: the separator between the last two members, the colon of the
 * last key. Only where a container has none are these taken from elsewhere.
 */
#include "scan.h"

#include <stdlib.h>
#include <string.h>

#define INDENT "  "	/* in a document that shows none of its own */
#define BOM "\xef\xbb\xbf"

static bool
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* How the members of a container are laid out, by offsets in it. */
struct layout {
	size_t count, key_end;
	struct wisp_span glue;		/* between the last two members; before the only one */
	struct wisp_span colon;		/* between the last key and its value */
	size_t end;			/* of the last member; of the bracket if there is none */
	bool object;
};

static int
layout_token(void *arg, const struct wisp_scan *scan, enum wisp_token t, uint64_t start, uint64_t end)
{
	struct layout *l = arg;

	if (scan->depth - wisp_token_opens(t) != 1)
		return 0;
	if (t == WISP_KEY || (!l->object && !wisp_token_closes(t))) {
		l->glue = (struct wisp_span){l->end, (size_t)start};
		l->count++;
	} else if (!wisp_token_closes(t)) {
		l->colon = (struct wisp_span){l->key_end, (size_t)start};
	}
	if (t == WISP_KEY)
		l->key_end = (size_t)end;
	else
		l->end = (size_t)end;
	return 0;
}

/* Between the first key of a document and its value. */
static int
colon_token(void *arg, const struct wisp_scan *scan, enum wisp_token t, uint64_t start, uint64_t end)
{
	struct wisp_span *colon = arg;

	(void)scan;
	if (t == WISP_KEY)
		colon->start = (size_t)end;
	else if (colon->start > 0)
		colon->end = (size_t)start;
	return colon->end > 0;
}

static struct wisp_span
first_colon(const struct wisp_buf *doc)
{
	struct wisp_span colon = {0, 0};
	const struct wisp_scan_sink sink = {colon_token, NULL, &colon};
	struct wisp_scan scan;

	if (wisp_scan_all(&scan, &sink, doc->data, doc->len) == 0)
		colon.end = 0;	/* no key at all */
	return colon;
}

static bool
has(const char *s, size_t len, char c)
{
	return len > 0 && memchr(s, c, len) != NULL;
}

/* The blanks that the last line of s[0..len) begins with. */
static struct wisp_span
last_indent(const char *s, size_t len)
{
	struct wisp_span in;

	for (in.start = len; in.start > 0 && s[in.start - 1] != '\n'; in.start--)
		;
	for (in.end = in.start; in.end < len && is_blank(s[in.end]); in.end++)
		;
	return in;
}

/* A document on its way to the next one. */
struct edit {
	const struct wisp_buf *doc;
	struct wisp_buf out;
	const char *value;
	size_t len;
	/* how `doc` is written */
	const char *eol;
	char *unit;		/* one level of indentation */
	bool lines;		/* is it spread over lines? */
};

static void
edit_init(struct edit *e, const struct wisp_buf *doc, const char *value)
{
	const char *s = doc->data, *end = s + doc->len, *lf = memchr(s, '\n', doc->len);
	size_t n = 0;

	*e = (struct edit){.doc = doc, .value = value, .len = strlen(value)};
	if (strncmp(value, BOM, strlen(BOM)) == 0) {
		e->value += strlen(BOM);
		e->len -= strlen(BOM);
	}
	for (; is_space(*e->value); e->value++)
		e->len--;
	while (is_space(e->value[e->len - 1]))
		e->len--;
	while (is_space(end[-1]))
		end--;
	e->lines = lf != NULL && lf < end;
	e->eol = lf != NULL && lf > s && lf[-1] == '\r' ? "\r\n" : "\n";
	/* The first line that is indented shows the unit. */
	for (; n == 0 && lf != NULL && lf < end; lf = memchr(lf + 1, '\n', (size_t)(end - lf - 1)))
		for (s = lf + 1; is_blank(s[n]); n++)
			;
	e->unit = n > 0 ? wisp_str("%.*s", (int)n, s) : wisp_strdup(INDENT);
}

/* Further lines of the value are indented as the one on which it begins, by the document's unit. */
static void
put_value(struct edit *e)
{
	struct wisp_span in = last_indent(e->out.data, e->out.len);
	char *base = wisp_str("%.*s", (int)(in.end - in.start), e->out.data + in.start);
	const char *p = e->value, *end = p + e->len, *lf;
	size_t n, unit = 0;

	while ((lf = memchr(p, '\n', (size_t)(end - p))) != NULL) {
		wisp_buf_add(&e->out, p, (size_t)(lf - p) - (lf > p && lf[-1] == '\r'));
		wisp_buf_printf(&e->out, "%s%s", e->eol, base);
		p = lf + 1;
		for (n = 0; is_blank(p[n]); n++)
			;
		if (unit == 0)
			unit = n;
		for (; n > 0 && n >= unit; n -= unit, p += unit)
			wisp_buf_puts(&e->out, e->unit);
	}
	wisp_buf_add(&e->out, p, (size_t)(end - p));
	free(base);
}

static void
put_bytes(struct edit *e, size_t start, size_t end)
{
	wisp_buf_add(&e->out, e->doc->data + start, end - start);
}

/* The member itself; `l` lies in the document from `at` on. */
static void
put_member(struct edit *e, const struct layout *l, size_t at, const char *key)
{
	struct wisp_span colon = l->colon;

	if (key != NULL) {
		wisp_scan_quote(&e->out, key, strlen(key));
		if (colon.end > 0) {
			put_bytes(e, at + colon.start, at + colon.end);
		} else if ((colon = first_colon(e->doc)).end > 0) {
			put_bytes(e, colon.start, colon.end);
		} else {
			wisp_buf_puts(&e->out, ": ");
		}
	}
	put_value(e);
}

static void
put_first(struct edit *e, const struct layout *l, struct wisp_span at, const char *key)
{
	struct wisp_span in = last_indent(e->doc->data, at.start + 1);
	char *base = wisp_str("%.*s", (int)(in.end - in.start), e->doc->data + in.start);

	put_bytes(e, 0, at.start + 1);
	if (e->lines)
		wisp_buf_printf(&e->out, "%s%s%s", e->eol, base, e->unit);
	put_member(e, l, at.start, key);
	if (e->lines)
		wisp_buf_printf(&e->out, "%s%s", e->eol, base);
	put_bytes(e, at.end - 1, e->doc->len);
	free(base);
}

static void
put_last(struct edit *e, const struct layout *l, struct wisp_span at, const char *key)
{
	const char *glue = e->doc->data + at.start + l->glue.start;
	size_t len = l->glue.end - l->glue.start;
	struct wisp_span colon = first_colon(e->doc);

	put_bytes(e, 0, at.start + l->end);
	if (l->count == 1)
		wisp_buf_putc(&e->out, ',');
	/* The only member may have a space before it that belongs to the bracket. */
	if (l->count > 1 || has(glue, len, '\n'))
		wisp_buf_add(&e->out, glue, len);
	else if (colon.end > colon.start + 1)
		wisp_buf_putc(&e->out, ' ');
	put_member(e, l, at.start, key);
	put_bytes(e, at.start + l->end, e->doc->len);
}

/* False if the value at `at` can have no such member. */
static bool
put_new(struct edit *e, struct wisp_span at, const struct wisp_path_step *step)
{
	struct layout l = {.end = 1, .object = e->doc->data[at.start] == '{'};
	const struct wisp_scan_sink sink = {layout_token, NULL, &l};
	struct wisp_scan scan;

	if (!l.object && e->doc->data[at.start] != '[')
		return false;
	if (wisp_scan_all(&scan, &sink, e->doc->data + at.start, at.end - at.start) != 0)
		return false;
	if (l.object ? step->key == NULL : step->key != NULL || step->index != l.count)
		return false;
	if (l.count == 0)
		put_first(e, &l, at, step->key);
	else
		put_last(e, &l, at, step->key);
	return true;
}

int
wisp_scan_set(struct wisp_buf *doc, const struct wisp_path *path, const char *value, struct wisp_err *err)
{
	struct wisp_span at;
	struct edit e;
	size_t depth;
	int rc = 0;

	if (wisp_scan_check(value, strlen(value), NULL, err) < 0)
		return -1;
	edit_init(&e, doc, value);
	/* A document that was empty up to now has no style: it gets that of wisp_json_print. */
	if (path->count == 1)
		e.lines = true;
	if (wisp_scan_find(doc->data, doc->len, path, &at, &depth) == 0) {
		put_bytes(&e, 0, at.start);
		put_value(&e);
		put_bytes(&e, at.end, doc->len);
	} else if (depth + 1 != path->count || !put_new(&e, at, &path->steps[depth])) {
		rc = 1;
	}
	/* Two good parts can make a whole that is too deep or too large. */
	if (rc == 0)
		rc = wisp_scan_check(e.out.data, e.out.len, NULL, err);
	if (rc == 0) {
		wisp_buf_release(doc);
		*doc = e.out;
		e.out = (struct wisp_buf)WISP_BUF_INIT;
	}
	wisp_buf_release(&e.out);
	free(e.unit);
	return rc;
}
