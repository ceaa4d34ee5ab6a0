/*
 * cells: see cells.h.
 */
#include "cells.h"

#include <langinfo.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#define ELLIPSIS "\xe2\x80\xa6"

static wchar_t
decode(const char *s, int n)
{
	const unsigned char *p = (const unsigned char *)s;
	wchar_t c = (wchar_t)(p[0] & (n == 1 ? 0x7f : 0xff >> (n + 1)));
	int i;

	for (i = 1; i < n; i++)
		c = (wchar_t)(c << 6 | (p[i] & 0x3f));
	return c;
}

/* The columns of the character at `s`, its bytes in *n; -1 where `?` stands for it, in one column. */
static int
columns(const char *s, bool utf8, int *n)
{
	*n = wisp_utf8_char(s, strlen(s));
	if (*n == 1)
		return (unsigned char)*s < ' ' || *s == 0x7f ? -1 : 1;
	if (*n < 0) {
		*n = -*n;
		return -1;
	}
	return !utf8 || wisp_utf8_turns(s, *n) ? -1 : wcwidth(decode(s, *n));
}

bool
wisp_cells_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

size_t
wisp_cells_terminal(int fd, size_t otherwise)
{
	struct winsize w;

	return ioctl(fd, TIOCGWINSZ, &w) == 0 && w.ws_col > 0 ? w.ws_col : otherwise;
}

bool
wisp_cells_behind(int fd)
{
	pid_t front = tcgetpgrp(fd);

	return front >= 0 && front != getpgrp();
}

size_t
wisp_cells_width(const char *s, bool utf8)
{
	size_t sum = 0;
	int n, w;

	for (; *s != '\0'; s += n) {
		w = columns(s, utf8, &n);
		sum += w < 0 ? 1 : (size_t)w;
	}
	return sum;
}

/* How far `s` goes in `width` columns; the columns that takes in *used. */
static const char *
reach(const char *s, size_t width, bool utf8, size_t *used)
{
	int n, w;

	for (*used = 0; *s != '\0'; s += n, *used += (size_t)w) {
		w = columns(s, utf8, &n);
		w = w < 0 ? 1 : w;
		if (*used + (size_t)w > width)
			break;
	}
	return s;
}

static void
put(struct wisp_buf *out, const char *s, const char *end, bool utf8)
{
	int n;

	for (; s < end; s += n) {
		if (columns(s, utf8, &n) < 0)
			wisp_buf_putc(out, '?');
		else
			wisp_buf_add(out, s, (size_t)n);
	}
}

size_t
wisp_cells_cut(struct wisp_buf *out, const char *s, size_t width, bool utf8)
{
	size_t used;
	const char *end = reach(s, width, utf8, &used);

	if (width == 0)
		return 0;
	if (*end == '\0') {
		put(out, s, end, utf8);
		return used;
	}
	put(out, s, reach(s, width - 1, utf8, &used), utf8);
	wisp_buf_puts(out, utf8 ? ELLIPSIS : "~");
	return used + 1;
}

void
wisp_cells_pad(struct wisp_buf *out, const char *s, size_t width, bool right, bool utf8)
{
	size_t used = wisp_cells_width(s, utf8);

	for (; right && used < width; used++)
		wisp_buf_putc(out, ' ');
	used = wisp_cells_cut(out, s, width, utf8);
	for (; !right && used < width; used++)
		wisp_buf_putc(out, ' ');
}

const char *
wisp_cells_wrap(struct wisp_buf *out, const char *s, size_t width, bool utf8)
{
	const char *end, *blank;
	size_t used;
	int n;

	end = reach(s, width, utf8, &used);
	if (end == s && *s != '\0') {	/* two columns, where there is one */
		(void)columns(s, utf8, &n);
		wisp_buf_putc(out, '?');
		return s + n;
	}
	if (*end != '\0' && *end != ' ') {
		for (blank = end; blank > s && blank[-1] != ' '; blank--)
			;
		end = blank > s ? blank : end;
	}
	for (blank = end; blank > s && blank[-1] == ' '; blank--)
		;
	put(out, s, blank, utf8);
	while (*end == ' ')
		end++;
	return end;
}

void
wisp_cells_put(struct wisp_buf *b, unsigned int c)
{
	if (c < 0x80) {
		wisp_buf_putc(b, (char)c);
	} else if (c < 0x800) {
		wisp_buf_putc(b, (char)(0xc0 | c >> 6));
	} else {
		if (c < 0x10000) {
			wisp_buf_putc(b, (char)(0xe0 | c >> 12));
		} else {
			wisp_buf_putc(b, (char)(0xf0 | c >> 18));
			wisp_buf_putc(b, (char)(0x80 | (c >> 12 & 0x3f)));
		}
		wisp_buf_putc(b, (char)(0x80 | (c >> 6 & 0x3f)));
	}
	if (c >= 0x80)
		wisp_buf_putc(b, (char)(0x80 | (c & 0x3f)));
}

void
wisp_cells_drop(struct wisp_buf *b)
{
	while (b->len > 0 && ((unsigned char)b->data[--b->len] & 0xc0) == 0x80)
		;
	if (b->data != NULL)
		b->data[b->len] = '\0';
}
