/*
 * live_line: see live_line.h.
 */
#include "live_line.h"

#include <stdlib.h>
#include <string.h>

#include "screen/cells.h"

#define GAP " | "
#define GAP_WIDTH (sizeof GAP - 1)
#define DOING 24	/* columns that the last event keeps before money and time are shown */
#define TITLE 12	/* fewer of a title say nothing */

/* The columns of one more member. */
static size_t
member(const char *text, bool utf8)
{
	return *text != '\0' ? GAP_WIDTH + wisp_cells_width(text, utf8) : 0;
}

static void
put(struct wisp_buf *out, const char *text, size_t width, bool utf8)
{
	if (*text == '\0' || width <= GAP_WIDTH)
		return;
	wisp_buf_puts(out, GAP);
	wisp_cells_cut(out, text, width - GAP_WIDTH, utf8);
}

void
wisp_live_status(struct wisp_buf *out, const struct wisp_live_line *line, size_t width, bool utf8)
{
	char *time = wisp_duration_clock(line->elapsed);
	size_t used = wisp_cells_width(line->head, utf8) + member(time, utf8), rest = used < width ? width - used : 0;
	size_t doing = member(line->doing, utf8), title = member(line->title, utf8);
	size_t spent = member(line->spent, utf8), left = member(line->left, utf8);

	if (rest < spent + (doing < DOING ? doing : DOING))
		spent = 0;
	rest -= spent;
	if (rest < left + (doing < DOING ? doing : DOING))
		left = 0;
	rest -= left;
	/* Of two that do not both fit each gets half at the least. */
	if (title > rest / 2 && doing + title > rest)
		title = doing < rest / 2 ? rest - doing : rest / 2;
	if (title < TITLE && title < member(line->title, utf8))
		title = 0;
	wisp_cells_cut(out, line->head, width, utf8);
	if (used <= width) {
		put(out, time, width, utf8);
		put(out, line->title, title, utf8);
		put(out, line->doing, rest - title, utf8);
		put(out, line->spent, spent, utf8);
		put(out, line->left, left, utf8);
	}
	free(time);
}

/* Results are less than calls, and failures more. */
static const char *
escape_of(const char *text)
{
	if (strncmp(text, "  <", 3) == 0)
		return "\033[2m";
	if (strncmp(text, "  !", 3) == 0)
		return "\033[31m";
	return strncmp(text, "  >", 3) == 0 ? "\033[1m" : "";
}

void
wisp_live_event(struct wisp_buf *out, const char *text, size_t width, bool utf8, bool colour)
{
	const char *escape = colour ? escape_of(text) : "";

	wisp_buf_puts(out, escape);
	wisp_cells_cut(out, text, width, utf8);
	if (*escape != '\0')
		wisp_buf_puts(out, "\033[0m");
}
