/*
 * columns: see columns.h.
 */
#include "columns.h"

#include <stdlib.h>

#include "cells.h"

#define GAP 2		/* before the first column: the mark of the selected one; then one blank between two */
#define BAR_MIN 10
#define BAR_MAX 20
#define NOTE_MIN 24
#define NAME_WIDTH 40
#define TASKS_WIDTH 20
#define NEW 5 /* seconds */
#define MINUTE 60
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)

/* In the order of the screen; `rank`: which is there first, as the screen grows. */
static const struct {
	const char *head;
	size_t min, max;	/* max 0: as wide as its widest cell */
	int rank;
	bool right;
} columns[WISP_COLUMNS] = {
	[WISP_BRANCH] = {"BRANCH", 8, NAME_WIDTH, 0, false},
	[WISP_PROJECT] = {"PROJECT", 8, NAME_WIDTH, 7, false},
	[WISP_STATUS] = {"STATUS", 6, 0, 1, false},
	[WISP_BAR] = {"PROGRESS", BAR_MIN, BAR_MAX, 5, false},
	[WISP_TASKS] = {"TASKS", 5, TASKS_WIDTH, 2, false},
	[WISP_ITERATION] = {"ITER", 4, 0, 4, true},
	[WISP_AGE] = {"AGE", 3, 0, 3, true},
	[WISP_COST] = {"COST", 5, 0, 6, true},
	[WISP_NOTE] = {"", NOTE_MIN, 0, 8, false},
};

char *
wisp_age(wisp_ms since, wisp_ms now)
{
	long long s = since >= 0 ? (long long)(now > since ? (now - since) / 1000 : 0) : -1;

	if (s < 0)
		return wisp_strdup("-");
	if (s < NEW)
		return wisp_strdup("now");
	if (s < MINUTE)
		return wisp_str("%llds", s);
	if (s < HOUR)
		return wisp_str("%lldm", s / MINUTE);
	return s < DAY ? wisp_str("%lldh", s / HOUR) : wisp_str("%lldd", s / DAY);
}

/* `####------`, or with blocks. */
static char *
bar(int percent, size_t width, bool utf8)
{
	struct wisp_buf b = WISP_BUF_INIT;
	size_t i, full = percent < 0 ? 0 : (size_t)percent * width / 100;

	for (i = 0; percent >= 0 && i < width; i++)
		wisp_buf_puts(&b, i < full ? (utf8 ? "\xe2\x96\x88" : "#") : utf8 ? "\xe2\x96\x91" : "-");
	return wisp_buf_detach(&b);
}

/* The caller frees it. */
static char *
cell(const struct wisp_row *row, enum wisp_column column, size_t width, const struct wisp_view *view)
{
	switch (column) {
	case WISP_BRANCH:
		return wisp_str("%s%s", row->parent != NULL ? "  " : "", row->branch);
	case WISP_PROJECT:
		return wisp_strdup(view->width == WISP_WIDE && row->project != NULL ? row->project
										    : wisp_row_project(row));
	case WISP_STATUS:
		return wisp_strdup(row->word);
	case WISP_BAR:
		return bar(row->percent, width, view->utf8);
	case WISP_TASKS:
		return wisp_strdup(row->tasks != NULL ? row->tasks : "-");
	case WISP_ITERATION:
		if (row->iteration < 0)
			return wisp_strdup("-");
		return row->most < 0 ? wisp_str("%lld", row->iteration) : wisp_str("%lld/%lld", row->iteration, row->most);
	case WISP_AGE:
		return wisp_age(row->last, view->now);
	case WISP_COST:
		return row->cost != NULL ? wisp_str("$%s", row->cost) : wisp_strdup("-");
	default:
		return wisp_strdup(row->note != NULL ? row->note : "");
	}
}

/* What the column would take, had it all the room. */
static size_t
wanted(enum wisp_column column, const struct wisp_view *view, const struct wisp_row *rows, size_t count)
{
	size_t i, width, most = 0;
	char *text;

	if (column == WISP_BAR)
		return BAR_MAX;
	if (column == WISP_PROJECT && view->one)
		return 0;
	for (i = 0; i < count; i++) {
		text = cell(&rows[i], column, 0, view);
		width = wisp_cells_width(text, view->utf8);
		most = width > most ? width : most;
		free(text);
	}
	if (most == 0 && column == WISP_NOTE)
		return 0;	/* nobody has one */
	most = most < columns[column].min ? columns[column].min : most;
	return view->width != WISP_WIDE && columns[column].max > 0 && most > columns[column].max ? columns[column].max
												 : most;
}

/* Gives a column of what is left, up to `want`. */
static void
grow(size_t *width, size_t want, size_t *left)
{
	size_t more = *width > 0 && want > *width ? want - *width : 0;

	more = more < *left ? more : *left;
	*width += more;
	*left -= more;
}

void
wisp_columns_fit(struct wisp_columns *c, const struct wisp_view *view, const struct wisp_row *rows, size_t count)
{
	static const enum wisp_column growing[] = {WISP_TASKS, WISP_BRANCH, WISP_PROJECT, WISP_NOTE, WISP_BAR};
	size_t want[WISP_COLUMNS] = {0}, left = view->width > GAP ? view->width - GAP : 0, need, names;
	int rank, i;

	*c = (struct wisp_columns){{0}};
	for (rank = 0; rank < WISP_COLUMNS; rank++) {
		for (i = 0; columns[i].rank != rank; i++)
			;
		want[i] = wanted((enum wisp_column)i, view, rows, count);
		need = columns[i].max > 0 || i == WISP_NOTE ? columns[i].min : want[i];
		if (want[i] == 0)
			continue;
		names = 0;	/* they come before any note, and so do the tasks */
		if (i == WISP_NOTE)
			names = want[WISP_BRANCH] - c->width[WISP_BRANCH] + want[WISP_TASKS] - c->width[WISP_TASKS];
		if (rank > 0 && need + 1 + names > left)
			break;	/* nor anything that is needed less */
		c->width[i] = need < left ? need : left;
		left -= c->width[i] + (rank > 0 ? 1 : 0);
	}
	for (i = 0; i < (int)(sizeof growing / sizeof *growing); i++)
		grow(&c->width[growing[i]], want[growing[i]], &left);
}

void
wisp_columns_line(struct wisp_buf *out, const struct wisp_columns *c, const struct wisp_view *view,
		  const struct wisp_row *row)
{
	char *text;
	int i;

	for (i = 0; i < WISP_COLUMNS; i++) {
		if (c->width[i] == 0)
			continue;
		if (i > 0)
			wisp_buf_putc(out, ' ');
		text = row != NULL ? cell(row, (enum wisp_column)i, c->width[i], view) : wisp_strdup(columns[i].head);
		wisp_cells_pad(out, text, c->width[i], columns[i].right, view->utf8);
		free(text);
	}
	while (out->len > 0 && out->data[out->len - 1] == ' ')
		out->data[--out->len] = '\0';
}
