/*
 * live_line: the status line of a run's screen, and one line for each of its events.
 */
#ifndef WISP_LIVE_LINE_H
#define WISP_LIVE_LINE_H

#include "core/time.h"

/* What the status line is made of; "" for what is not known. Texts may hold anything. */
struct wisp_live_line {
	const char *head;	/* where the session stands */
	const char *title;	/* of the task */
	const char *doing;	/* the last event */
	const char *spent;	/* money, of its limit */
	const char *left;	/* time, of its limit */
	wisp_ms elapsed;
};

/*
 * In at most `width` columns. What does not fit is cut or left out: head and elapsed come first, then the beginning of
 * the last event, money, time, and what is left over is for title and event.
 */
void wisp_live_status(struct wisp_buf *out, const struct wisp_live_line *line, size_t width, bool utf8);
/* One line of what say.h makes of the output, in at most `width` columns; `colour`: with the escapes for it. */
void wisp_live_event(struct wisp_buf *out, const char *text, size_t width, bool utf8, bool colour);

#endif
