/*
 * buf: see buf.h.
 */
#include "buf.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAP_MIN 64
#define REPLACEMENT "\xef\xbf\xbd"	/* U+FFFD */

static _Noreturn void
no_memory(void)
{
	errno = ENOMEM;
	die_sys("cannot go on");
}

void *
wisp_alloc(size_t n, size_t size)
{
	void *p = calloc(n > 0 ? n : 1, size > 0 ? size : 1);

	if (p == NULL)
		no_memory();
	return p;
}

void *
wisp_realloc(void *p, size_t n, size_t size)
{
	void *grown;

	if (size > 0 && n > SIZE_MAX / size)
		no_memory();
	n *= size;
	grown = realloc(p, n > 0 ? n : 1);
	if (grown == NULL)
		no_memory();
	return grown;
}

void
wisp_buf_grow(struct wisp_buf *b, size_t room)
{
	size_t need, cap = b->cap < CAP_MIN ? CAP_MIN : b->cap;

	if (room >= SIZE_MAX / 2 - b->len)
		no_memory();
	need = b->len + room + 1;
	if (need <= b->cap)
		return;
	while (cap < need)
		cap *= 2;
	b->data = wisp_realloc(b->data, cap, 1);
	b->cap = cap;
	b->data[b->len] = '\0';
}

void
wisp_buf_add(struct wisp_buf *b, const void *data, size_t len)
{
	wisp_buf_grow(b, len);
	if (len > 0)
		memcpy(b->data + b->len, data, len);
	b->len += len;
	b->data[b->len] = '\0';
}

void
wisp_buf_puts(struct wisp_buf *b, const char *s)
{
	wisp_buf_add(b, s, strlen(s));
}

void
wisp_buf_putc(struct wisp_buf *b, char c)
{
	wisp_buf_add(b, &c, 1);
}

void
wisp_buf_vprintf(struct wisp_buf *b, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0)
		die_bug("cannot format '%s'", fmt);
	wisp_buf_grow(b, (size_t)n);
	vsnprintf(b->data + b->len, (size_t)n + 1, fmt, ap);
	b->len += (size_t)n;
}

void
wisp_buf_printf(struct wisp_buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	wisp_buf_vprintf(b, fmt, ap);
	va_end(ap);
}

void
wisp_buf_reset(struct wisp_buf *b)
{
	b->len = 0;
	if (b->data != NULL)
		b->data[0] = '\0';
}

char *
wisp_buf_detach(struct wisp_buf *b)
{
	char *s;

	wisp_buf_grow(b, 0);
	s = b->data;
	*b = (struct wisp_buf)WISP_BUF_INIT;
	return s;
}

void
wisp_buf_release(struct wisp_buf *b)
{
	free(b->data);
	*b = (struct wisp_buf)WISP_BUF_INIT;
}

char *
wisp_str(const char *fmt, ...)
{
	struct wisp_buf b = WISP_BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	wisp_buf_vprintf(&b, fmt, ap);
	va_end(ap);
	return wisp_buf_detach(&b);
}

char *
wisp_strdup(const char *s)
{
	size_t size;

	if (s == NULL)
		return NULL;
	size = strlen(s) + 1;
	return memcpy(wisp_alloc(size, 1), s, size);
}

/* Is `c` legal after `lead` (RFC 3629)? No overlong form, no surrogate, nothing past U+10FFFF. */
static bool
second_ok(unsigned char lead, unsigned char c)
{
	unsigned char low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
	unsigned char high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;

	return c >= low && c <= high;
}

int
wisp_utf8_char(const char *s, size_t len)
{
	const unsigned char *p = (const unsigned char *)s;
	int need, n;

	if (p[0] < 0x80)
		return 1;
	if (p[0] < 0xc2 || p[0] > 0xf4)
		return -1;
	need = p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
	if (len < 2 || !second_ok(p[0], p[1]))
		return -1;
	for (n = 2; n < need; n++)
		if ((size_t)n >= len || (p[n] & 0xc0) != 0x80)
			return -n;
	return need;
}

bool
wisp_utf8_turns(const char *s, int n)
{
	const unsigned char *p = (const unsigned char *)s;

	if (n == 2)
		return p[0] == 0xd8 && p[1] == 0x9c;		/* U+061C */
	if (n != 3 || p[0] != 0xe2)
		return false;
	if (p[1] == 0x80)					/* U+200E, U+200F, U+2028 to U+202E */
		return p[2] == 0x8e || p[2] == 0x8f || (p[2] >= 0xa8 && p[2] <= 0xae);
	return p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9;	/* U+2066 to U+2069 */
}

size_t
wisp_utf8_cut(const char *s, size_t len, size_t max)
{
	size_t n;

	if (len <= max)
		return len;
	for (n = max; n > 0 && max - n < 4; n--)
		if (((unsigned char)s[n] & 0xc0) != 0x80)
			return n;
	return n == 0 ? 0 : max;	/* four bytes without an edge: not UTF-8 at all */
}

void
wisp_buf_line(struct wisp_buf *b, const char *s, size_t max)
{
	size_t left = strlen(s), start = b->len;
	bool space = false;
	int n;

	wisp_buf_grow(b, 0);
	for (; left > 0 && b->len - start <= max; s += n, left -= (size_t)n) {
		n = wisp_utf8_char(s, left);
		if ((n == 1 && ((unsigned char)*s <= ' ' || *s == 0x7f)) ||
		    (n == 2 && *s == '\xc2' && (unsigned char)s[1] < 0xa0)) {
			space = true;
			continue;
		}
		if (space && b->len > start)
			wisp_buf_putc(b, ' ');
		space = false;
		if (n > 0 && !wisp_utf8_turns(s, n))
			wisp_buf_add(b, s, (size_t)n);
		else
			wisp_buf_puts(b, REPLACEMENT);
		n = n < 0 ? -n : n;
	}
	if (b->len - start <= max)
		return;
	b->len = start + wisp_utf8_cut(b->data + start, b->len - start, max > 3 ? max - 3 : max);
	while (b->len > start && b->data[b->len - 1] == ' ')
		b->len--;
	b->data[b->len] = '\0';
	if (max > 3)
		wisp_buf_puts(b, "...");
}

size_t
wisp_utf8_chars(const char *s, size_t len, size_t max)
{
	size_t at = 0;

	for (; max > 0 && at < len; max--) {
		int n = wisp_utf8_char(s + at, len - at);

		at += (size_t)(n > 0 ? n : -n);
	}
	return at;
}
