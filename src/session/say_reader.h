/*
 * say_reader: what the readers of say.h have in common. A reader is the
 * knowledge of one format's events as far as people want to see them; it says
 * what a line means with the functions below.
 *
 * The first want of each is `type`. Sizes of texts are a bit more than is
 * shown, so that what is cut gets its dots.
 */
#ifndef WISP_SAY_READER_H
#define WISP_SAY_READER_H

#include "say.h"

#define WISP_SAY_WANT_LINE (WISP_SAY_LINE + 8)

struct wisp_say_reader {
	const struct wisp_want *wants;
	size_t count;
	void (*item)(struct wisp_say *s, const struct wisp_event *e, int want);	/* may be NULL */
	bool (*line)(struct wisp_say *s, const struct wisp_event *e);		/* is it of this format? */
};

extern const struct wisp_say_reader wisp_say_claude, wisp_say_codex, wisp_say_gemini, wisp_say_opencode,
	wisp_say_copilot;

/* The first of the wants that the line has a text of, or "". */
const char *wisp_say_first(const struct wisp_event *e, const int *wants, size_t count);

void wisp_say_text(struct wisp_say *s, const char *text);	/* a message, line by line */
void wisp_say_piece(struct wisp_say *s, const char *text);	/* the next piece of one; other lines end it */
/* A tool runs. `on` are the wants of what it may run on. */
void wisp_say_tool(struct wisp_say *s, const char *name, const struct wisp_event *e, const int *on, size_t count);
/* It was shown when it started: wisp_say_started remembers the id, wisp_say_was_started asks and forgets. */
void wisp_say_started(struct wisp_say *s, const char *id);
bool wisp_say_was_started(struct wisp_say *s, const char *id);
void wisp_say_result(struct wisp_say *s, const char *text);	/* what it gave */
void wisp_say_failed(struct wisp_say *s, const char *why);	/* may be "" */
void wisp_say_note(struct wisp_say *s, const char *fmt, ...) WISP_PRINTF(2, 3);	/* retries, limits, warnings */
/* The end: `how`, and what is known (otherwise NAN) of turns, cost in USD and tokens. */
void wisp_say_ended(struct wisp_say *s, const char *how, double turns, double cost, double input, double output);

#endif
