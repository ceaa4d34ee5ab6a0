/*
 * detail: what the lower part of the screen says of one session.
 */
#ifndef WISP_SCREEN_DETAIL_H
#define WISP_SCREEN_DETAIL_H

#include "layout.h"

/*
 * Appends lines of at most view->width columns, the most needed first: the question with its choices, or how the
 * session stands; what runs or is waited for, the next task, the last summary, what was spent and is left, where.
 */
void wisp_detail(struct wisp_buf *out, const struct wisp_view *view, const struct wisp_row *row);

#endif
