/*
 * text: the end of a text of any size, and the promise in it.
 *
 * A promise is `<promise>COMPLETE</promise>` alone on a line; white space
 * around it does not matter, anything else on the line does.
 */
#ifndef WISP_TEXT_H
#define WISP_TEXT_H

#include <stdbool.h>
#include "core/buf.h"

#define WISP_TEXT_KEEP 8192	/* bytes of `final_text` in step.json */

struct wisp_text {
	char data[2 * WISP_TEXT_KEEP];
	size_t len;
	bool cut;		/* something before data was dropped */
	bool promise;		/* on a line that is over */
	unsigned char match;	/* of the promise, on the line that is open */
};

void wisp_text_reset(struct wisp_text *t);
void wisp_text_add(struct wisp_text *t, const char *p, size_t n);
/* As if the text ended here. */
bool wisp_text_promise(const struct wisp_text *t);
/* The last WISP_TEXT_KEEP bytes, without NULs, half a character before and white space after; the caller frees it. */
char *wisp_text_end(const struct wisp_text *t);
/* Appends the last lines to `out` as one line of at most `max` bytes: what a program said before it failed. */
void wisp_text_excerpt(const struct wisp_text *t, struct wisp_buf *out, size_t max);

#endif
