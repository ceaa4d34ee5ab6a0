/*
 * text: see text.h.
 */
#include "text.h"

#include <stdlib.h>
#include <string.h>

static const char promise[] = "<promise>COMPLETE</promise>";

#define PROMISE_LEN (sizeof promise - 1)
#define NO_MATCH 255		/* this line is no promise */
#define EXCERPT_LINES 3

void
wisp_text_reset(struct wisp_text *t)
{
	t->len = 0;
	t->cut = t->promise = false;
	t->match = 0;
}

static void
keep(struct wisp_text *t, const char *p, size_t n)
{
	if (n >= WISP_TEXT_KEEP) {
		t->cut = t->cut || t->len > 0 || n > WISP_TEXT_KEEP;
		memcpy(t->data, p + n - WISP_TEXT_KEEP, WISP_TEXT_KEEP);
		t->len = WISP_TEXT_KEEP;
		return;
	}
	if (t->len + n > sizeof t->data) {
		memmove(t->data, t->data + t->len - WISP_TEXT_KEEP, WISP_TEXT_KEEP);
		t->len = WISP_TEXT_KEEP;
		t->cut = true;
	}
	memcpy(t->data + t->len, p, n);
	t->len += n;
}

static bool
is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Follows the open line by one byte. */
static unsigned char
follow(unsigned char match, char c)
{
	if (is_blank(c))
		return match == 0 || match == PROMISE_LEN ? match : NO_MATCH;
	return match < PROMISE_LEN && c == promise[match] ? (unsigned char)(match + 1) : NO_MATCH;
}

void
wisp_text_add(struct wisp_text *t, const char *p, size_t n)
{
	const char *end = p + n, *line;

	keep(t, p, n);
	while (p < end) {
		if (t->match == NO_MATCH) {
			line = memchr(p, '\n', (size_t)(end - p));
			if (line == NULL)
				return;
			p = line;
		}
		if (*p == '\n') {
			t->promise = t->promise || t->match == PROMISE_LEN;
			t->match = 0;
		} else {
			t->match = follow(t->match, *p);
		}
		p++;
	}
}

bool
wisp_text_promise(const struct wisp_text *t)
{
	return t->promise || t->match == PROMISE_LEN;
}

char *
wisp_text_end(const struct wisp_text *t)
{
	size_t n = t->len, skip = 0;
	const char *p = t->data;
	struct wisp_buf b = WISP_BUF_INIT;

	if (n > WISP_TEXT_KEEP) {
		p += n - WISP_TEXT_KEEP;
		n = WISP_TEXT_KEEP;
	}
	/* Where something was dropped the first bytes may be the rest of a character. */
	if (t->cut || t->len > n)
		while (skip < n && skip < 3 && ((unsigned char)p[skip] & 0xc0) == 0x80)
			skip++;
	p += skip;
	n -= skip;
	while (n > 0 && is_blank(p[n - 1]))
		n--;
	wisp_buf_grow(&b, n);
	for (; n > 0; p++, n--)
		if (*p != '\0')
			wisp_buf_putc(&b, *p);
	return wisp_buf_detach(&b);
}

void
wisp_text_excerpt(const struct wisp_text *t, struct wisp_buf *out, size_t max)
{
	char *s = wisp_text_end(t), *from;
	size_t len = strlen(s);
	int lines = 0;

	from = s + len;
	while (from > s && (size_t)(s + len - from) < max && lines < EXCERPT_LINES)
		if (*--from == '\n' && ++lines == EXCERPT_LINES)
			from++;
	wisp_buf_line(out, from, max);
	free(s);
}
