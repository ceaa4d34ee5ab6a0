/*
 * plain: the sessions as lines on standard output, for screen readers, logs and terminals that cannot move a cursor.
 */
#ifndef WISP_SCREEN_PLAIN_H
#define WISP_SCREEN_PLAIN_H

#include "core/buf.h"

/* The table once, by urgency. -1 with errno where the sessions cannot be listed. */
int wisp_plain_once(void);
/* The same of a project, or (NULL) of all, by their names; where there is none, that is said on stderr. */
int wisp_plain_list(const char *project) WISP_CHECK;
/*
 * Prints the text, and empties it. What is wider than a terminal is broken at words, below where the line's own
 * text begins; elsewhere nothing is. False with errno where that fails.
 */
bool wisp_plain_print(struct wisp_buf *text);
/* A line for each session, then one for each change, until a signal ends the program. Returns with errno if that fails. */
void wisp_plain_watch(void);

#endif
