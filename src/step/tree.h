/*
 * tree: all processes of one step, wherever they have gone.
 *
 * A process belongs to the step if it is a child of the supervisor (which is
 * the subreaper of its descendants on Linux, and the watchdog after it: whoever loses
 * its parent becomes its child, or that of the init of the step's pid namespace), is in the agent's
 * session, carries the step's mark in its environment, or has a parent that
 * belongs to it. So setsid, double forks and an emptied environment do not lead
 * out of it.
 */
#ifndef WISP_TREE_H
#define WISP_TREE_H

#include <stdbool.h>
#include <sys/types.h>
#include "core/buf.h"

struct wisp_ptree {
	pid_t self;		/* the supervisor, or the watchdog in its place; never signalled */
	pid_t init;		/* of the step's pid namespace, or 0: no part of the step either */
	pid_t session;		/* the agent's pid, or 0 */
	pid_t wrapper;		/* not asked to end: it ends with what it has started; or 0 */
	const char *mark;	/* WISP_STEP_MARK=VALUE */
};

/* Makes this process the one to which lost descendants come back, where there is such a thing. */
void wisp_ptree_adopt(void);
/* Is any process of the step left? Cheap on Linux while this is the supervisor, which reaps its zombies first. */
bool wisp_ptree_alive(const struct wisp_ptree *t);
/* Sends `sig` once to all of them. */
void wisp_ptree_signal(const struct wisp_ptree *t, int sig);
/*
 * Ends them all: stops them until no new one appears, so that none can fork
 * its way out, then kills, `init` as well, and looks until they are gone (to be
 * reaped by the caller). Returns how many there were, without the agent itself; *left (may
 * be NULL) is how many could not be killed.
 */
size_t wisp_ptree_kill(const struct wisp_ptree *t, size_t *left);

#endif
