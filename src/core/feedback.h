/*
 * feedback: what the next prompt says has happened, in the words that the
 * agent reads. The record keeps the entries (docs/record.md):
 *
 *	{"kind", "text", "iteration", "question", "items", "file", "ref"}
 *
 * all but `kind` optional. A kind that is not known is shown as a note.
 */
#ifndef WISP_FEEDBACK_H
#define WISP_FEEDBACK_H

#include "buf.h"

#define WISP_FEEDBACK_TEXT ((size_t)16 << 10)	/* bytes of an answer, and of most kinds, that the prompt shows */

struct cJSON;

/* One entry as a section with a heading. */
void wisp_feedback_add(struct wisp_buf *out, const struct cJSON *entry);

#endif
