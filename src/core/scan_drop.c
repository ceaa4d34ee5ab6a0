/*
 * scan_drop: a value is taken out of a document, the other bytes stay.
 */
#include "scan.h"

#include <string.h>

static bool
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Where the key of the member begins whose value is at `value`. A quote inside a key has an odd number of backslashes before it. */
static size_t
key_start(const char *data, size_t value)
{
	size_t at = value, slashes;

	while (is_space(data[at - 1]) || data[at - 1] == ':')
		at--;
	at--;	/* on its closing quote */
	do {
		at--;
		for (slashes = 0; data[at] == '"' && data[at - slashes - 1] == '\\'; slashes++)
			;
	} while (data[at] != '"' || slashes % 2 != 0);
	return at;
}

static void
cut(struct wisp_buf *doc, size_t from, size_t to)
{
	memmove(doc->data + from, doc->data + to, doc->len - to + 1);
	doc->len -= to - from;
}

int
wisp_scan_drop(struct wisp_buf *doc, const struct wisp_path *path)
{
	struct wisp_span span;
	size_t from, to, after, before;

	if (path->count == 0 || wisp_scan_find(doc->data, doc->len, path, &span, NULL) != 0)
		return 1;
	from = path->steps[path->count - 1].key != NULL ? key_start(doc->data, span.start) : span.start;
	for (after = span.end; is_space(doc->data[after]); after++)
		;
	for (before = from; is_space(doc->data[before - 1]); before--)
		;
	to = span.end;
	if (doc->data[after] == ',') {
		for (to = after + 1; is_space(doc->data[to]); to++)
			;
	} else if (doc->data[before - 1] == ',') {
		for (from = before - 1; is_space(doc->data[from - 1]); from--)
			;
	} else {
		from = before;
		to = after;
	}
	cut(doc, from, to);
	return 0;
}
