/*
 * scan_path: the paths of scan.h, and where they lead.
 */
#include "scan.h"

#include <stdlib.h>
#include <string.h>

#define INDEX_MAX ((size_t)1 << 31)	/* no document has that many elements (WISP_FILE_MAX) */

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
starts_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Takes `key`. */
static void
push(struct wisp_path *path, char *key, size_t index)
{
	path->steps = wisp_realloc(path->steps, path->count + 1, sizeof *path->steps);
	path->steps[path->count++] = (struct wisp_path_step){.key = key, .index = index};
}

/* Each of these takes a step at *s and moves past it, or to where it is wrong. */
static bool
parse_name(struct wisp_path *path, const char **s)
{
	const char *p = ++*s;

	if (!starts_name(*p))
		return false;
	while (starts_name(*p) || is_digit(*p) || *p == '-')
		p++;
	push(path, wisp_str("%.*s", (int)(p - *s), *s), 0);
	*s = p;
	return true;
}

static int
add_text(void *arg, const struct wisp_scan *scan, bool key, const char *p, size_t n)
{
	(void)scan;
	(void)key;
	wisp_buf_add(arg, p, n);
	return 0;
}

static int
stop(void *arg, const struct wisp_scan *scan, enum wisp_token t, uint64_t start, uint64_t end)
{
	(void)arg;
	(void)scan;
	(void)t;
	(void)start;
	(void)end;
	return 1;
}

static bool
parse_quoted(struct wisp_path *path, const char **s)
{
	struct wisp_buf key = WISP_BUF_INIT;
	const struct wisp_scan_sink sink = {stop, add_text, &key};
	struct wisp_scan scan;
	int rc;

	wisp_scan_init(&scan, &sink);
	rc = wisp_scan_feed(&scan, *s, strlen(*s));
	*s += scan.offset;
	if (rc == 1)
		push(path, wisp_buf_detach(&key), 0);
	wisp_buf_release(&key);
	return rc == 1;
}

static bool
parse_index(struct wisp_path *path, const char **s)
{
	size_t index = 0;

	if (!is_digit(**s))
		return false;
	for (; is_digit(**s); (*s)++) {
		index = index * 10 + (size_t)(**s - '0');
		if (index > INDEX_MAX)
			return false;
	}
	push(path, NULL, index);
	return true;
}

static bool
parse_brackets(struct wisp_path *path, const char **s)
{
	if (**s != '[')
		return false;
	(*s)++;
	if (!(**s == '"' ? parse_quoted(path, s) : parse_index(path, s)) || **s != ']')
		return false;
	(*s)++;
	return true;
}

int
wisp_path_parse(struct wisp_path *path, const char *text, struct wisp_err *err)
{
	const char *s = text;
	bool ok = *s == '.';

	*path = (struct wisp_path){0};
	if (ok && (s[1] == '\0' || s[1] == '['))
		s++;
	while (ok && *s != '\0')
		ok = *s == '.' ? parse_name(path, &s) : parse_brackets(path, &s);
	if (ok)
		return 0;
	wisp_path_release(path);
	return wisp_err_set(err, NULL, 0, 0, "'%s' is not a path: byte %zu", text, (size_t)(s - text) + 1);
}

void
wisp_path_release(struct wisp_path *path)
{
	size_t i;

	for (i = 0; i < path->count; i++)
		free(path->steps[i].key);
	free(path->steps);
	*path = (struct wisp_path){0};
}

/*
 * The way to a value. `found` steps lead to the deepest value found; while it
 * is an open container, its members are those at depth `found` + 1.
 */
struct finder {
	const struct wisp_path *path;
	size_t found;
	bool root, object;	/* seen at all; the deepest value is an object */
	bool differs, match;	/* the key being read; the last key that was */
	size_t pos;		/* in the key being read */
	size_t index;		/* of the next element */
	struct wisp_span span;
};

enum { FOUND = 1, NOT_THERE };

static const struct wisp_path_step *
next_step(const struct finder *f)
{
	return f->found < f->path->count ? &f->path->steps[f->found] : NULL;
}

static bool
among_members(const struct finder *f, size_t depth)
{
	return f->root && depth == f->found + 1;
}

static int
find_text(void *arg, const struct wisp_scan *scan, bool key, const char *p, size_t n)
{
	struct finder *f = arg;
	const struct wisp_path_step *step = next_step(f);

	if (!key || step == NULL || step->key == NULL || !among_members(f, (size_t)scan->depth))
		return 0;
	if (!f->differs && strncmp(step->key + f->pos, p, n) == 0)
		f->pos += n;
	else
		f->differs = true;
	return 0;
}

/* Is the value that begins among the members the one that the next step names? */
static bool
is_next(struct finder *f)
{
	const struct wisp_path_step *step = next_step(f);

	if (f->object)
		return f->match;
	return f->index++ == step->index && step->key == NULL;
}

static int
find_value(struct finder *f, enum wisp_token t, size_t depth, uint64_t start, uint64_t end)
{
	if (!f->root)
		f->root = true;
	else if (next_step(f) != NULL && among_members(f, depth) && is_next(f))
		f->found++;
	else
		return 0;
	f->span = (struct wisp_span){(size_t)start, (size_t)end};
	f->object = t == WISP_OBJECT;
	f->index = 0;
	f->match = false;
	if (wisp_token_opens(t))
		return 0;
	return next_step(f) == NULL ? FOUND : NOT_THERE;
}

static int
find_token(void *arg, const struct wisp_scan *scan, enum wisp_token t, uint64_t start, uint64_t end)
{
	struct finder *f = arg;
	const struct wisp_path_step *step = next_step(f);
	size_t depth = (size_t)scan->depth;

	if (t == WISP_KEY) {
		if (among_members(f, depth)) {
			f->match = step != NULL && step->key != NULL && !f->differs &&
				   step->key[f->pos] == '\0';
			f->differs = false;
			f->pos = 0;
		}
		return 0;
	}
	if (wisp_token_closes(t)) {
		if (depth != f->found)
			return 0;
		f->span.end = (size_t)end;
		return step == NULL ? FOUND : NOT_THERE;
	}
	return find_value(f, t, wisp_token_opens(t) ? depth - 1 : depth, start, end);
}

int
wisp_scan_find(const char *data, size_t len, const struct wisp_path *path,
	       struct wisp_span *span, size_t *depth)
{
	struct finder f = {.path = path};
	const struct wisp_scan_sink sink = {find_token, find_text, &f};
	struct wisp_scan scan;
	int rc = wisp_scan_all(&scan, &sink, data, len);

	*span = f.span;
	if (depth != NULL)
		*depth = f.found;
	return rc == FOUND ? 0 : 1;
}
