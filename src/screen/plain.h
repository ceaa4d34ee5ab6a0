/*
 * plain: the sessions as lines on standard output, for screen readers, logs and terminals that cannot move a cursor.
 */
#ifndef WISP_SCREEN_PLAIN_H
#define WISP_SCREEN_PLAIN_H

#include <stddef.h>
#include "core/die.h"

/* The table once, by urgency. -1 with errno where the sessions cannot be listed. */
int wisp_plain_once(void);
/* The same of a project, or (NULL) of all, by their names; where there is none, that is said on stderr. */
int wisp_plain_list(const char *project) WISP_CHECK;
/* The columns of the terminal that stdout is, else of $COLUMNS, else WISP_WIDE. */
size_t wisp_plain_width(void);
/* A line for each session, then one for each change, until a signal ends the program. Returns with errno if that fails. */
void wisp_plain_watch(void);

#endif
