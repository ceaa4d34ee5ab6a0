/*
 * plain: the sessions as lines on standard output, for screen readers, logs and terminals that cannot move a cursor.
 */
#ifndef WISP_SCREEN_PLAIN_H
#define WISP_SCREEN_PLAIN_H

/* The table once. -1 with errno where the sessions cannot be listed. */
int wisp_plain_once(void);
/* A line for each session, then one for each change, until a signal ends the program. Returns with errno if that fails. */
void wisp_plain_watch(void);

#endif
