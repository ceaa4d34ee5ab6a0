/*
 * say: an agent's output as text for people: what it said, which tool ran on
 * what and how that ended, retries, limits, how it all ended. Constant memory;
 * decides nothing.
 *
 *	  Reading the task list first.
 *	> Bash: cat tasks.json
 *	< [{"category": "feature", ...
 *	! failed: exit status 1
 *	~ retry 1 of 10 in 2s: rate_limit (429)
 *	= success, 5 turns, $0.03
 *
 * Each format has a reader of its own (say_reader.h), and all of them read
 * every line: a line is claimed by the one whose shape it has. So nothing has
 * to be known of the stream, it may begin anywhere, and a text agent's words
 * come at once. A line that is no JSON, or has no `type`, is shown as it is;
 * events that nobody claims are passed over.
 */
#ifndef WISP_SAY_H
#define WISP_SAY_H

#include "step/event.h"

#define WISP_SAY_READERS 5
#define WISP_SAY_TEXT 16384	/* bytes of a message */
#define WISP_SAY_LINE 200	/* bytes of anything else */
#define WISP_SAY_CALLS 8	/* tool calls that run at once */

struct wisp_say_reading {
	struct wisp_say *say;
	const struct wisp_say_reader *reader;
	struct wisp_event event;
};

struct wisp_say {
	struct wisp_buf *out;
	struct wisp_say_reading reading[WISP_SAY_READERS];
	struct wisp_buf said;		/* the last line of a message that comes in pieces */
	struct wisp_buf head;		/* of the line being read */
	bool speaking;			/* this line is a piece of that message */
	bool claimed;			/* a reader knew this line */
	bool words;			/* something was said */
	double cost, tokens[2];		/* added up, where the steps have their own */
	char calls[WISP_SAY_CALLS][64];	/* ids of the tools that were shown when they started */
	size_t call_at;
	unsigned long long bad, lines;	/* of the first reader's, as last seen */
};

/* `out` gets whole lines. It must outlive `s`, which must not be moved. */
void wisp_say_init(struct wisp_say *s, struct wisp_buf *out);
void wisp_say_feed(struct wisp_say *s, const char *p, size_t n);
void wisp_say_end(struct wisp_say *s);	/* what was not a whole line yet */
void wisp_say_release(struct wisp_say *s);

#endif
