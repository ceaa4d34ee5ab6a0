/*
 * watch: the watchdog of a step.
 *
 * A process that waits for the supervisor to be gone without a word, be it by
 * KILL, and then ends the step's tree, daemons included. It sits in a session
 * of its own, ignores signals, holds nothing open, and on Linux has a name of
 * its own and is a child that wait() does not see, so that "no child is left"
 * keeps its meaning.
 */
#ifndef WISP_WATCH_H
#define WISP_WATCH_H

#include "tree.h"

struct wisp_watch {
	pid_t pid;
	int fd;
};

/* Starts it for a tree whose `mark` is set. 0, or -1 with errno. */
int wisp_watch_start(struct wisp_watch *w, const char *mark) WISP_CHECK;
/* Tells it the agent's session. */
void wisp_watch_tell(const struct wisp_watch *w, pid_t session);
/* All is well: it ends, and is gone when this returns. */
void wisp_watch_end(struct wisp_watch *w);

#endif
