/*
 * layout: see layout.h.
 */
#include "layout.h"

#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "columns.h"

#define HEADS_FROM 8	/* lines of the screen from which the columns have heads */
#define DETAIL_MAX 14	/* lines of the lower part */

void
wisp_lines_add(struct wisp_lines *lines, const char *text, size_t width, bool utf8, enum wisp_look look)
{
	struct wisp_buf b = WISP_BUF_INIT;

	wisp_cells_cut(&b, text, width, utf8);
	lines->list = wisp_realloc(lines->list, lines->count + 1, sizeof *lines->list);
	lines->list[lines->count++] = (struct wisp_line){wisp_buf_detach(&b), look, false};
}

void
wisp_lines_release(struct wisp_lines *lines)
{
	while (lines->count > 0)
		free(lines->list[--lines->count].text);
	free(lines->list);
	lines->list = NULL;
}

static bool
is_filtered(const struct wisp_view *view)
{
	return view->filter != NULL && *view->filter != '\0';
}

static enum wisp_look
look_of(const struct wisp_row *row)
{
	static const struct { const char *word; enum wisp_look look; } looks[] = {
		{"running", WISP_LOOK_GOOD}, {"halted", WISP_LOOK_BAD}, {"stale", WISP_LOOK_BAD},
		{"broken", WISP_LOOK_BAD}, {"gone", WISP_LOOK_DIM}, {"completed", WISP_LOOK_DIM},
	};
	size_t i;

	if (wisp_row_waits(row))
		return WISP_LOOK_ASKS;
	for (i = 0; i < sizeof looks / sizeof *looks; i++)
		if (strcmp(looks[i].word, row->word) == 0)
			return looks[i].look;
	return WISP_LOOK_PLAIN;
}

/* Is there room for heads, and for a detail that says more of the selected one? */
static bool
is_high(const struct wisp_view *view)
{
	return view->height == 0 || view->height >= HEADS_FROM;
}

/* Has the row a second line, for its note? */
static bool
is_tall(const struct wisp_columns *c, const struct wisp_view *view, const struct wisp_row *row, bool selected)
{
	return row->note != NULL && c->width[WISP_NOTE] == 0 && is_high(view) && !selected;
}

static void
add_row(struct wisp_lines *out, const struct wisp_columns *c, const struct wisp_view *view, const struct wisp_row *row,
	bool selected)
{
	struct wisp_row shown = *row;
	struct wisp_buf b = WISP_BUF_INIT;

	if (selected && is_high(view))
		shown.note = NULL;
	if (view->width != WISP_WIDE)
		wisp_buf_puts(&b, selected ? "> " : wisp_row_waits(row) ? "? " : "  ");
	wisp_columns_line(&b, c, view, &shown);
	wisp_lines_add(out, b.data, view->width, view->utf8, look_of(row));
	out->list[out->count - 1].selected = selected;
	if (is_tall(c, view, row, selected)) {
		wisp_buf_reset(&b);
		wisp_buf_printf(&b, "    %s", row->note);
		wisp_lines_add(out, b.data, view->width, view->utf8,
			       wisp_row_waits(row) ? WISP_LOOK_ASKS : WISP_LOOK_DIM);
	}
	wisp_buf_release(&b);
}

static void
add_heads(struct wisp_lines *out, const struct wisp_columns *c, const struct wisp_view *view)
{
	struct wisp_buf b = WISP_BUF_INIT;

	if (view->width != WISP_WIDE)
	wisp_buf_puts(&b, "  ");
	wisp_columns_line(&b, c, view, NULL);
	wisp_lines_add(out, b.data, view->width, view->utf8, WISP_LOOK_DIM);
	wisp_buf_release(&b);
}

void
wisp_layout_table(struct wisp_lines *out, const struct wisp_view *view, const struct wisp_row *rows, size_t count)
{
	struct wisp_columns c;
	size_t i;

	wisp_columns_fit(&c, view, rows, count);
	add_heads(out, &c, view);
	for (i = 0; i < count; i++)
		add_row(out, &c, view, &rows[i], false);
}

/* `wisp: 3 sessions, 1 waiting for an answer, 1 running, 4 completed hidden`, and the time at the other end. */
static void
add_title(struct wisp_lines *out, const struct wisp_view *view, const struct wisp_row *rows, size_t count)
{
	size_t i, runs = 0, waits = 0, used;
	struct wisp_buf b = WISP_BUF_INIT;
	char *time = wisp_time_clock(view->now, view->now);

	for (i = 0; i < count; i++) {
		runs += strcmp(rows[i].word, "running") == 0;
		waits += wisp_row_waits(&rows[i]);
	}
	wisp_buf_puts(&b, "wisp: ");
	if (is_filtered(view))
		wisp_buf_printf(&b, "/%s: ", view->filter);
	wisp_buf_printf(&b, "%zu session%s", count, count == 1 ? "" : "s");
	if (waits > 0)
		wisp_buf_printf(&b, ", %zu waiting for an answer", waits);
	wisp_buf_printf(&b, ", %zu running", runs);
	if (view->hidden > 0)
		wisp_buf_printf(&b, ", %zu completed hidden", view->hidden);
	used = wisp_cells_width(b.data, view->utf8);
	if (used + 1 + strlen(time) <= view->width)
		wisp_buf_printf(&b, "%*s%s", (int)(view->width - used - strlen(time)), "", time);
	wisp_lines_add(out, b.data, view->width, view->utf8, WISP_LOOK_HEAD);
	wisp_buf_release(&b);
	free(time);
}

static size_t
lines_of(const struct wisp_columns *c, const struct wisp_view *view, const struct wisp_row *rows, size_t i)
{
	return is_tall(c, view, &rows[i], !view->plain && i == view->selected) ? 2 : 1;
}

/* The first row that is shown: the selected one is among `lines` lines, and none of them is empty for nothing. */
static size_t
first_row(const struct wisp_columns *c, const struct wisp_view *view, const struct wisp_row *rows, size_t count,
	  size_t lines)
{
	size_t top = view->top < view->selected ? view->top : view->selected, i, need = 0;

	for (i = top; i <= view->selected; i++)
		need += lines_of(c, view, rows, i);
	for (; need > lines && top < view->selected; top++)
		need -= lines_of(c, view, rows, top);
	for (; i < count && need < lines; i++)
		need += lines_of(c, view, rows, i);
	for (; i == count && top > 0 && need + lines_of(c, view, rows, top - 1) <= lines; top--)
		need += lines_of(c, view, rows, top - 1);
	return top;
}

/* Where there is no row. */
static const char *
nothing(const struct wisp_view *view)
{
	if (is_filtered(view))
		return "  no session matches: Esc shows all";
	return view->hidden > 0 ? "  all sessions are completed: c shows them"
				: "  no sessions yet: `wisp plan` and `wisp run` make them";
}

static void
add_rows(struct wisp_lines *out, const struct wisp_columns *c, struct wisp_view *view, const struct wisp_row *rows,
	 size_t count, size_t end)
{
	size_t i;

	if (is_high(view))
		add_heads(out, c, view);
	if (count == 0)
		wisp_lines_add(out, nothing(view), view->width, view->utf8, WISP_LOOK_PLAIN);
	else
		view->top = first_row(c, view, rows, count, end > out->count ? end - out->count : 0);
	for (i = view->top; i < count && out->count < end; i++)
		add_row(out, c, view, &rows[i], !view->plain && i == view->selected);
	while (out->count > end)
		free(out->list[--out->count].text);
	while (out->count < end)
		wisp_lines_add(out, "", view->width, view->utf8, WISP_LOOK_PLAIN);
}

/* The lines of `detail` below a rule, down to line `end`. */
static void
add_detail(struct wisp_lines *out, const struct wisp_view *view, size_t end)
{
	const char *rest = view->detail != NULL ? view->detail : "";
	struct wisp_buf b = WISP_BUF_INIT;
	size_t i;

	if (out->count + 1 < end) {
		for (i = 0; i < view->width; i++)
			wisp_buf_puts(&b, view->utf8 ? "\xe2\x94\x80" : "-");
		wisp_lines_add(out, b.data, view->width, view->utf8, WISP_LOOK_DIM);
	}
	while (out->count < end) {
		wisp_buf_reset(&b);
		wisp_buf_add(&b, rest, strcspn(rest, "\n"));
		wisp_lines_add(out, b.data, view->width, view->utf8, WISP_LOOK_PLAIN);
		rest += b.len + (rest[b.len] == '\n');
	}
	wisp_buf_release(&b);
}

static void
add_foot(struct wisp_lines *out, const struct wisp_view *view)
{
	const char *foot = view->foot != NULL ? view->foot : "";

	while (view->foot_end && *foot != '\0' && wisp_cells_width(foot, view->utf8) + 1 > view->width)
		foot += wisp_utf8_char(foot, strlen(foot)) > 0 ? wisp_utf8_char(foot, strlen(foot)) : 1;
	wisp_lines_add(out, foot, view->width, view->utf8, WISP_LOOK_HEAD);
}

/* The lines of the lower part: two fifths of the screen, more where the rows leave room. */
static size_t
detail_of(const struct wisp_columns *c, const struct wisp_view *view, const struct wisp_row *rows, size_t count)
{
	size_t i, need = 3, share; /* title, heads and the last line */

	if (!is_high(view))
		return view->height >= 5 ? 1 : 0;
	share = (view->height - need) * 2 / 5;
	for (i = 0; i < count && need < view->height; i++)
		need += is_tall(c, view, &rows[i], false) ? 2 : 1;
	if (need + share < view->height)
		share = view->height - need;
	return share > DETAIL_MAX ? DETAIL_MAX : share;
}

void
wisp_layout(struct wisp_lines *out, struct wisp_view *view, const struct wisp_row *rows, size_t count)
{
	size_t foot = view->height >= 3 ? 1 : 0;
	struct wisp_columns c;

	wisp_columns_fit(&c, view, rows, count);
	if (view->selected >= count)
		view->selected = count > 0 ? count - 1 : 0;
	if (view->height >= 2)
		add_title(out, view, rows, count);
	add_rows(out, &c, view, rows, count, view->height - foot - detail_of(&c, view, rows, count));
	add_detail(out, view, view->height - foot);
	if (foot > 0)
		add_foot(out, view);
}
