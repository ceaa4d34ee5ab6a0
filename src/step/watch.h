/*
 * watch: the watchdog of a step.
 *
 * It is the process that was started as wisp-agent; the supervisor is its child, in
 * a session of its own. Descendants of a supervisor that was killed come to it (the
 * subreaper, on Linux), and it ends them, daemons included; it hands on the signals
 * of people, and has a supervisor that an agent stopped go on. The supervisor does the
 * same for a watchdog that was killed: it is then orphaned. An agent has to end both
 * at once to be rid of them.
 *
 * On Linux it has a name of its own, and goes on by itself when it is stopped.
 */
#ifndef WISP_WATCH_H
#define WISP_WATCH_H

#include "tree.h"

/* Shared with the supervisor, which fills it. */
struct wisp_watch {
	pid_t session;		/* the agent's, or 0 */
	bool over;		/* nothing is left of the step */
};

/*
 * Returns in a child, the supervisor of a tree with this `mark`: what it shares with
 * the watchdog, or NULL with errno. The caller itself becomes the watchdog, and ends as
 * the supervisor does, or when `parent`, its own, has ended.
 */
struct wisp_watch *wisp_watch_start(pid_t parent, const char *mark) WISP_CHECK;

#endif
