/*
 * lines: how a report for people is laid out: `  NAME      text`. Whatever an
 * agent or a person wrote is brought to one line without control characters.
 */
#ifndef WISP_LINES_H
#define WISP_LINES_H

#include "json.h"

#define WISP_LINE_TEXT 300	/* bytes of a summary or an error */
#define WISP_LINE_NAMES 120	/* bytes of a name, or of a list of them */

/* The beginning of a line. */
void wisp_line_label(struct wisp_buf *out, const char *name);
/* A whole line; none for NULL or "". */
void wisp_line_field(struct wisp_buf *out, const char *name, const char *text);
/* `3`, `1.5`, or `-` where it is no number. */
void wisp_line_number(struct wisp_buf *out, const struct cJSON *v);
/* Strings with blanks between them, `and N more` where they are too many, and the end of the line. */
void wisp_line_names(struct wisp_buf *out, const struct cJSON *names);

#endif
