/*
 * typed: see typed.h.
 */
#include "typed.h"

#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "screen/cells.h"

#define CTRL(c) ((c)&0x1f)
#define ESCAPE 0x1b
#define RUBOUT 0x7f

void
wisp_typed_init(struct wisp_typed *t, const char *file)
{
	const char *term = getenv("TERM");

	memset(t, 0, sizeof *t);
	t->utf8 = wisp_cells_utf8();
	t->plain = term == NULL || *term == '\0' || strcmp(term, "dumb") == 0;
	if (wisp_file_exists(file) && wisp_file_read(file, WISP_TYPED_MAX, &t->text) < 0)
		die_sys("cannot read '%s'", file);
}

void
wisp_typed_release(struct wisp_typed *t)
{
	wisp_buf_release(&t->text);
	wisp_buf_release(&t->echo);
}

/* Tabs and half characters are shown as one column each. */
static void
put_line(struct wisp_typed *t, const char *line, size_t len)
{
	char *s = wisp_str("%.*s", (int)len, line), *p;

	for (p = s; (p = strchr(p, '\t')) != NULL;)
		*p = ' ';
	wisp_buf_puts(&t->echo, WISP_TYPED_PROMPT);
	wisp_cells_cut(&t->echo, s, WISP_TYPED_MAX, t->utf8);
	free(s);
}

/* Shows all lines; the rows of a terminal of that width that they take, but for the first. */
static size_t
put_text(struct wisp_typed *t, size_t width)
{
	const char *line = t->text.len > 0 ? t->text.data : "", *stop;
	size_t rows = 0, start;

	for (;; line = stop + 1, rows++) {
		stop = strchr(line, '\n');
		start = t->echo.len;
		put_line(t, line, stop != NULL ? (size_t)(stop - line) : strlen(line));
		rows += (wisp_cells_width(t->echo.data + start, t->utf8) - 1) / width;
		if (stop == NULL)
			return rows;
		wisp_buf_putc(&t->echo, '\n');
	}
}

void
wisp_typed_show(struct wisp_typed *t)
{
	(void)put_text(t, WISP_TYPED_MAX);
}

/* Takes the text of before away, which took so many rows, and shows that of now. */
static void
redraw(struct wisp_typed *t, size_t rows, size_t width)
{
	if (t->plain) {
		wisp_buf_putc(&t->echo, '\n');
	} else {
		wisp_buf_putc(&t->echo, '\r');
		if (rows > 0)
			wisp_buf_printf(&t->echo, "\033[%zuA", rows);
		wisp_buf_puts(&t->echo, "\033[J");
	}
	(void)put_text(t, width);
}

static size_t
rows_of(struct wisp_typed *t, size_t width)
{
	size_t before = t->echo.len, rows = put_text(t, width);

	t->echo.len = before;
	t->echo.data[before] = '\0';
	return rows;
}

/* The length without its last character, its last word, or its last line. */
static size_t
erased(const struct wisp_typed *t, int key)
{
	const char *s = t->text.data;
	size_t n = t->text.len;

	if (key == CTRL('w')) {
		while (n > 0 && strchr(" \t\n", s[n - 1]) != NULL)
			n--;
		while (n > 0 && strchr(" \t\n", s[n - 1]) == NULL)
			n--;
	} else if (key == CTRL('u') && n > 0 && s[n - 1] != '\n') {
		while (n > 0 && s[n - 1] != '\n')
			n--;
	} else if (n > 0) {
		for (n--; n > 0 && (s[n] & 0xc0) == 0x80;)
			n--;
	}
	return n;
}

static void
erase(struct wisp_typed *t, int key, size_t width)
{
	size_t rows = rows_of(t, width), len = erased(t, key);

	if (len == t->text.len)
		return;
	t->text.len = len;
	t->text.data[len] = '\0';
	redraw(t, rows, width);
}

static void
add(struct wisp_typed *t, char c)
{
	if (t->text.len >= WISP_TYPED_MAX)
		return;
	wisp_buf_putc(&t->text, c);
	if (c == '\n')
		wisp_buf_puts(&t->echo, "\n" WISP_TYPED_PROMPT);
	else
		wisp_buf_putc(&t->echo, c == '\t' ? ' ' : c);
}

/* Is it a text? */
static bool
counts(const struct wisp_typed *t)
{
	return t->empty || (t->text.len > 0 && t->text.data[strspn(t->text.data, " \t\n")] != '\0');
}

/* Does it end the text? Not one after which more has come already: that is a paste, too, where the terminal does not mark it. */
static bool
enter(struct wisp_typed *t, bool more)
{
	bool on = t->text.len > 0 && t->text.data[t->text.len - 1] == '\\';

	/* Enter alone, though the answer behind it may be read with it. */
	if (t->text.len == 0 && !t->empty)
		return false;
	if (on && !t->pasting)
		t->text.data[--t->text.len] = '\0';
	if (on || more || t->pasting) {
		add(t, '\n');
		return false;
	}
	return counts(t);
}

/* Arrows and function keys mean nothing. */
static void
escape(struct wisp_typed *t, char c)
{
	bool ended = t->escape_len > 1 ? c >= '@' && c <= '~' : c != '[' && c != 'O';

	if (t->escape_len < sizeof t->escape - 1)
		t->escape[t->escape_len++] = c;
	if (!ended)
		return;
	t->escape[t->escape_len] = '\0';
	if (strcmp(t->escape, "\033[200~") == 0)
		t->pasting = true;
	else if (strcmp(t->escape, "\033[201~") == 0)
		t->pasting = false;
	else if (strcmp(t->escape, "\033\n") == 0 || strcmp(t->escape, "\033\r") == 0) /* Alt-Enter */
		add(t, '\n');
	t->escape_len = 0;
}

static bool
key(struct wisp_typed *t, char c, bool more, size_t width)
{
	if (t->escape_len > 0) {
		escape(t, c);
		return false;
	}
	switch (c) {
	case ESCAPE:
		t->escape[t->escape_len++] = c;
		return false;
	case '\r':
	case '\n':
		return enter(t, more);
	case CTRL('d'):
		return !t->pasting && counts(t);
	case RUBOUT:
	case '\b':
	case CTRL('w'):
	case CTRL('u'):
		erase(t, c, width);
		return false;
	case CTRL('l'):
		redraw(t, rows_of(t, width), width);
		return false;
	default:
		if ((unsigned char)c >= ' ' || c == '\t')
			add(t, c);
		return false;
	}
}

bool
wisp_typed_feed(struct wisp_typed *t, const char *p, size_t n, bool more, size_t width)
{
	bool ended = false;

	wisp_buf_reset(&t->echo);
	for (size_t i = 0; i < n && !ended; i++)
		ended = key(t, p[i], more || i + 1 < n, width);
	return ended;
}
