/*
 * plain: see plain.h.
 */
#include "plain.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cells.h"
#include "core/lines.h"
#include "layout.h"
#include "sessions.h"

#define TICK 1000	/* ms */

/* The columns of the terminal that stdout is, else of $COLUMNS. */
static size_t
width_of_output(void)
{
	const char *columns = getenv("COLUMNS");
	long n = columns != NULL ? strtol(columns, NULL, 10) : 0;

	return wisp_cells_terminal(STDOUT_FILENO, n > 0 && n < 10000 ? (size_t)n : WISP_WIDE);
}

/* The column of what a line says: `  reason    text`, `    text`. */
static size_t
column_of(const char *line, size_t len, size_t width)
{
	size_t blanks = strspn(line, " "), column = blanks;

	if (blanks == 2 && len > WISP_LINE_LABEL && line[WISP_LINE_LABEL - 1] == ' ' && line[WISP_LINE_LABEL] != ' ')
		column = WISP_LINE_LABEL;
	return column < width / 2 ? column : 0;
}

/* The length of the word at `s`, if it is wider than that. */
static size_t
wide_word(const char *s, size_t width, bool utf8)
{
	struct wisp_buf word = WISP_BUF_INIT;
	size_t len = strcspn(s, " ");

	wisp_buf_add(&word, s, len);
	if (wisp_cells_width(word.data, utf8) <= width)
		len = 0;
	wisp_buf_release(&word);
	return len;
}

/* The next line of at most `width` columns; what is left of `s`. A word that is wider, as a path, stays whole. */
static const char *
wrap_words(struct wisp_buf *out, const char *s, size_t width, bool utf8)
{
	size_t len = wide_word(s, width, utf8);

	if (len == 0) {
		s = wisp_cells_wrap(out, s, width, utf8);
		len = wide_word(s, width, utf8);
		if (len > 0)
			wisp_buf_putc(out, ' ');
	}
	wisp_buf_add(out, s, len);
	return s + len + strspn(s + len, " ");
}

static void
wrap_line(struct wisp_buf *out, const char *line, size_t len, size_t width, bool utf8)
{
	struct wisp_buf b = WISP_BUF_INIT;
	size_t column = column_of(line, len, width);
	const char *rest;

	wisp_buf_add(&b, line, len);
	if (wisp_cells_width(b.data, utf8) <= width) {
		wisp_buf_add(out, line, len);
	} else {
		wisp_buf_add(out, line, column);
		for (rest = b.data + column;;) {
			rest = wrap_words(out, rest, width - column, utf8);
			if (*rest == '\0')
				break;
			wisp_buf_printf(out, "\n%*s", (int)column, "");
		}
	}
	wisp_buf_release(&b);
}

bool
wisp_plain_print(struct wisp_buf *text)
{
	size_t width = isatty(STDOUT_FILENO) ? width_of_output() : WISP_WIDE, at, len;
	struct wisp_buf out = WISP_BUF_INIT;
	bool ok;

	for (at = 0; width != WISP_WIDE && at < text->len; at += len + 1) {
		len = strcspn(text->data + at, "\n");
		wrap_line(&out, text->data + at, len, width, wisp_cells_utf8());
		if (at + len < text->len)
			wisp_buf_putc(&out, '\n');
	}
	if (width == WISP_WIDE)
		wisp_buf_add(&out, text->data, text->len);
	ok = out.len == 0 || fwrite(out.data, 1, out.len, stdout) == out.len;
	wisp_buf_release(&out);
	wisp_buf_reset(text);
	return ok;
}

static void
print_table(const struct wisp_sessions *s, bool one)
{
	struct wisp_view view = {.width = width_of_output(),
				 .utf8 = wisp_cells_utf8(),
				 .plain = true,
				 .one = one,
				 .now = wisp_time_now()};
	struct wisp_lines lines = {0};
	size_t i;

	if (s->count > 0)
		wisp_layout_table(&lines, &view, s->rows, s->count);
	for (i = 0; i < lines.count; i++)
		printf("%s\n", lines.list[i].text);
	wisp_lines_release(&lines);
}

int
wisp_plain_once(void)
{
	static const struct wisp_choice all = {.since = -1};
	struct wisp_sessions s = {0};

	if (wisp_sessions_load(&s, NULL) < 0)
		return -1;
	wisp_sessions_arrange(&s, &all);
	print_table(&s, false);
	wisp_sessions_release(&s);
	return 0;
}

int
wisp_plain_list(const char *project)
{
	struct wisp_sessions s = {0};

	if (wisp_sessions_load(&s, project) < 0)
		return -1;
	if (s.count == 0)
		warn(project != NULL ? "no sessions here; --all lists those of all projects" : "no sessions");
	print_table(&s, project != NULL);
	wisp_sessions_release(&s);
	return 0;
}

/* `10:05 shop feature/x: running, iteration 4 of 50`. */
static void
print(const struct wisp_row *row, const char *text, bool utf8)
{
	struct wisp_lines lines = {0};
	wisp_ms now = wisp_time_now();
	char *time = wisp_time_clock(now, now), *all = wisp_str("%s %s %s: %s", time, wisp_row_project(row), row->branch, text);

	wisp_lines_add(&lines, all, strlen(all), utf8, WISP_LOOK_PLAIN);
	printf("%s\n", lines.list[0].text);
	wisp_lines_release(&lines);
	free(all);
	free(time);
}

static const struct wisp_row *
find(const struct wisp_sessions *s, const char *home)
{
	size_t i = wisp_sessions_find(s, home, 0);

	return i < s->count && strcmp(s->rows[i].home, home) == 0 ? &s->rows[i] : NULL;
}

static void
print_changes(const struct wisp_sessions *before, const struct wisp_sessions *now, bool utf8)
{
	const struct wisp_row *row;
	struct wisp_buf was = WISP_BUF_INIT, is = WISP_BUF_INIT;
	size_t i;

	for (i = 0; i < now->count; i++) {
		wisp_buf_reset(&was);
		wisp_buf_reset(&is);
		row = find(before, now->rows[i].home);
		if (row != NULL)
			wisp_row_say(&was, row);
		wisp_row_say(&is, &now->rows[i]);
		if (row == NULL || strcmp(was.data, is.data) != 0)
			print(&now->rows[i], is.data, utf8);
	}
	for (i = 0; i < before->count; i++)
		if (find(now, before->rows[i].home) == NULL)
			print(&before->rows[i], "removed", utf8);
	wisp_buf_release(&was);
	wisp_buf_release(&is);
}

void
wisp_plain_watch(void)
{
	struct wisp_sessions before = {0}, now;
	bool utf8 = wisp_cells_utf8();

	for (;;) {
		now = (struct wisp_sessions){0};
		if (wisp_sessions_load(&now, NULL) < 0)
			break;
		print_changes(&before, &now, utf8);
		wisp_sessions_release(&before);
		before = now;
		if (fflush(stdout) != 0)
			break;
		while (!wisp_sessions_changed(&before))
			(void)poll(NULL, 0, TICK);
	}
	wisp_sessions_release(&before);
}
