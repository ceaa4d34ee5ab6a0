/*
 * lines: how a report for people is laid out: `  NAME      text`. Whatever an
 * agent or a person wrote is brought to one line without control characters.
 */
#ifndef WISP_LINES_H
#define WISP_LINES_H

#include "json.h"

#define WISP_LINE_TEXT 300	/* bytes of a summary or an error */
#define WISP_LINE_NAMES 120	/* bytes of a name, or of a list of them */
#define WISP_LINE_LABEL 12	/* columns of `  reason    ` */
#define WISP_LINE_WIDTH 80	/* columns of a report; a character has no more of them than bytes */

/* The beginning of a line. */
void wisp_line_label(struct wisp_buf *out, const char *name);
/* A whole line; none for NULL or "". */
void wisp_line_field(struct wisp_buf *out, const char *name, const char *text);
/* The same on up to four lines of WISP_LINE_WIDTH columns; none for NULL. */
void wisp_line_wrapped(struct wisp_buf *out, const char *name, const char *text);
/* `3`, `1.5`, or `-` where it is no number. */
void wisp_line_number(struct wisp_buf *out, const struct cJSON *v);
/* Strings with blanks between them, `and N more` where they are too many, and the end of the line. */
void wisp_line_names(struct wisp_buf *out, const struct cJSON *names);
/* Why a status or a summary is `unverified`. */
void wisp_line_unverified(struct wisp_buf *out, const struct cJSON *status);

/* `11 of 12 tests pass, 1 skipped`, or `no test ran`, of an `observed` of the history; nothing for NULL. */
void wisp_line_tests(struct wisp_buf *out, const struct cJSON *observed);
/* The lines of what the history says was observed of a step, where it says something (wisp-state(5)). */
void wisp_line_observed(struct wisp_buf *out, const struct cJSON *entry);

/* `2 (a, b)` of {"count", "names"}, and `and N more` where there are more, or they do not fit; nothing for NULL. */
void wisp_line_some(struct wisp_buf *out, const struct cJSON *some);
/* The line of what became of single tests (turn_tests.h, src/core), and one for each reason that was accepted for one that went. */
void wisp_line_cases(struct wisp_buf *out, const struct cJSON *tests, const struct cJSON *removed);

/* What `head` holds, then as much of the text as fits on its line; releases `head`. */
void wisp_line_cut(struct wisp_buf *out, struct wisp_buf *head, const char *text);
/* A word as a shell reads it: in single quotes, unless it needs none. */
void wisp_line_shell(struct wisp_buf *out, const char *word);

#endif
