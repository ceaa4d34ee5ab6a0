/*
 * say: an agent's output as text for people: what it said, which tool ran on
 * what, what failed, how it ended. Knows the streams of all formats at once;
 * what is no JSON is shown as it is. Constant memory; decides nothing.
 *
 *	  Reading the task list first.
 *	> Bash: cat tasks.json
 *	! failed: exit status 1
 *	= success
 */
#ifndef WISP_SAY_H
#define WISP_SAY_H

#include "step/event.h"

struct wisp_say {
	struct wisp_event event;
	struct wisp_buf *out;
	struct wisp_buf said;		/* a message that comes in pieces */
	unsigned long long bad;		/* lines that were shown as they are */
};

void wisp_say_init(struct wisp_say *s, struct wisp_buf *out);
void wisp_say_feed(struct wisp_say *s, const char *p, size_t n);
void wisp_say_end(struct wisp_say *s);
void wisp_say_release(struct wisp_say *s);

#endif
