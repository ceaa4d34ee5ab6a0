/*
 * box: see box.h.
 */
#include "box.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "core/buf.h"

#define BAR_WIDTH 20

bool
wisp_box_utf8(void)
{
	return setlocale(LC_CTYPE, "") != NULL && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

void
wisp_box_edge(bool utf8, enum wisp_box_edge edge)
{
	static const char *const corners[][2] = {
		{"\xe2\x95\x94", "\xe2\x95\x97"}, {"\xe2\x95\xa0", "\xe2\x95\xa3"}, {"\xe2\x95\x9a", "\xe2\x95\x9d"}
	};

	fputs(utf8 ? corners[edge][0] : "+", stdout);
	for (int i = 0; i < WISP_BOX_WIDTH; i++)
		fputs(utf8 ? "\xe2\x95\x90" : "=", stdout);
	puts(utf8 ? corners[edge][1] : "+");
}

/* The character of n bytes that wisp_utf8_char found at p. */
static wchar_t
code_point(const char *p, int n)
{
	wchar_t c = (unsigned char)p[0] & (n == 1 ? 0x7f : 0xff >> (n + 1));

	for (int i = 1; i < n; i++)
		c = (wchar_t)(c << 6 | ((unsigned char)p[i] & 0x3f));
	return c;
}

/* Columns of the character at p, whose size goes to *n; -1 where it cannot be shown as it is. */
static int
columns(bool utf8, const char *p, int *n)
{
	int size = wisp_utf8_char(p, strlen(p));

	*n = size > 0 ? size : -size;
	if (size <= 0 || (size > 1 && !utf8))
		return -1;
	return size == 1 ? (*p >= ' ' && *p < 0x7f ? 1 : -1) : wcwidth(code_point(p, size));
}

/* Appends as much of `text` as `room` columns hold, `?` for what cannot be shown; *rest is what is left. Returns the columns. */
static int
add_part(struct wisp_buf *b, bool utf8, const char *text, int room, const char **rest)
{
	int used = 0, n, width;

	for (; *text != '\0'; text += n) {
		width = columns(utf8, text, &n);
		if (used + (width < 0 ? 1 : width) > room)
			break;
		if (width < 0)
			wisp_buf_putc(b, '?');
		else
			wisp_buf_add(b, text, (size_t)n);
		used += width < 0 ? 1 : width;
	}
	*rest = text;
	return used;
}

static bool
fits(bool utf8, const char *text, int room)
{
	struct wisp_buf b = WISP_BUF_INIT;

	(void)add_part(&b, utf8, text, room, &text);
	wisp_buf_release(&b);
	return *text == '\0';
}

void
wisp_box_row(bool utf8, const char *label, const char *text)
{
	struct wisp_buf b = WISP_BUF_INIT;
	const char *side = utf8 ? "\xe2\x95\x91" : "|";
	int room = WISP_BOX_WIDTH - 2 - (int)strlen(label), used;

	used = add_part(&b, utf8, text, room - 3, &text);
	if (fits(utf8, text, 3)) {
		used += add_part(&b, utf8, text, 3, &text);
	} else {
		used += 3;
		wisp_buf_puts(&b, "...");
	}
	printf("%s %s%s%*s %s\n", side, label, b.len > 0 ? b.data : "", room - used, "", side);
	wisp_buf_release(&b);
}

void
wisp_box_bar(bool utf8, const char *label, int percent)
{
	struct wisp_buf b = WISP_BUF_INIT;

	for (int i = 0; i < BAR_WIDTH; i++) {
		bool full = i < percent * BAR_WIDTH / 100;

		wisp_buf_puts(&b, utf8 ? full ? "\xe2\x96\x88" : "\xe2\x96\x91" : full ? "#" : ".");
	}
	wisp_buf_printf(&b, "  %d%%", percent);
	wisp_box_row(utf8, label, b.data);
	wisp_buf_release(&b);
}
