/*
 * layout: the screen as lines of text, from rows and a size; it touches nothing else.
 *
 * Columns that do not fit are left out, the least needed first; what a session asks
 * or waits for stands in a column of its own where there is room, else on a
 * line of its own; of the selected one in the detail alone, where there is one.
 */
#ifndef WISP_SCREEN_LAYOUT_H
#define WISP_SCREEN_LAYOUT_H

#include "row.h"

enum wisp_look { WISP_LOOK_PLAIN, WISP_LOOK_HEAD, WISP_LOOK_ASKS, WISP_LOOK_GOOD, WISP_LOOK_BAD, WISP_LOOK_DIM };

struct wisp_line {
	char *text;		/* at most as wide as the screen, safe to print */
	enum wisp_look look;
	bool selected;
};

struct wisp_lines {
	struct wisp_line *list;
	size_t count;
};

#define WISP_WIDE ((size_t)-1)

struct wisp_view {
	size_t width, height; /* WISP_WIDE: nothing is cut, no row marked; height 0: as many lines as there are */
	size_t top, selected;		/* indices of rows; top is set so that the selected one is seen */
	bool utf8, plain;		/* plain: nothing is selected */
	bool one;	      /* all rows are of one project */
	wisp_ms now;
	size_t hidden;	    /* completed sessions that are not among the rows */
	const char *filter; /* what the rows have to contain; NULL or "" for all */
	const char *detail;		/* of the selected session: lines; NULL for none */
	const char *foot;		/* the last line: keys, a message or a prompt; NULL for none */
	bool foot_end;			/* show the end of it, where it is too long */
};

/* The whole screen: `height` lines. */
void wisp_layout(struct wisp_lines *out, struct wisp_view *view, const struct wisp_row *rows, size_t count);
/* The table alone: the heads of the columns, then all rows. */
void wisp_layout_table(struct wisp_lines *out, const struct wisp_view *view, const struct wisp_row *rows, size_t count);
/* Adds a text, cut to `width`. */
void wisp_lines_add(struct wisp_lines *lines, const char *text, size_t width, bool utf8, enum wisp_look look);
void wisp_lines_release(struct wisp_lines *lines);

/* `now`, `12s`, `3m`, `2h`, `5d`, or `-`: an age in few columns; the caller frees it. */
char *wisp_age(wisp_ms since, wisp_ms now);

#endif
