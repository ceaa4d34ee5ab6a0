/*
 * columns: which columns of the table fit, how wide they are, and a session's cells.
 */
#ifndef WISP_SCREEN_COLUMNS_H
#define WISP_SCREEN_COLUMNS_H

#include "layout.h"

enum wisp_column { WISP_BRANCH, WISP_PROJECT, WISP_STATUS, WISP_BAR, WISP_TASKS, WISP_ITERATION, WISP_AGE, WISP_COST,
		   WISP_NOTE, WISP_COLUMNS };

struct wisp_columns {
	size_t width[WISP_COLUMNS];	/* 0: left out */
};

void wisp_columns_fit(struct wisp_columns *c, const struct wisp_view *view, const struct wisp_row *rows, size_t count);
/* The line of a session; of the heads for NULL. Without the blanks at its end. */
void wisp_columns_line(struct wisp_buf *out, const struct wisp_columns *c, const struct wisp_view *view,
		       const struct wisp_row *row);

#endif
