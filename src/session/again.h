/*
 * again: a session that is there is started: is it continued, begun anew, or refused?
 */
#ifndef WISP_AGAIN_H
#define WISP_AGAIN_H

#include <stdbool.h>

struct wisp_again_facts {
	bool completed;
	bool planned;		/* it has a task list */
	bool phases;		/* its template has them */
	bool template, spec;	/* it is asked for with another one than its own */
	bool given, tasks;	/* with a task list; that makes other tasks of those that it has */
	bool change;		/* its list is to be changed */
	bool resume;		/* by wisp resume */
	bool open;		/* a task of it is open */
	bool terminal;		/* the user can be asked */
};

enum wisp_again {
	WISP_AGAIN_CONTINUE,
	WISP_AGAIN_PLAN,		/* continued: its next step makes the list */
	WISP_AGAIN_ANEW,		/* another session takes its place, with its spec */
	WISP_AGAIN_SPEC,		/* with the other spec; no task list belongs to that */
	WISP_AGAIN_ASK,			/* the same, if the user says so */
	WISP_AGAIN_OTHER_TEMPLATE,	/* refused */
	WISP_AGAIN_OTHER_SPEC,
	WISP_AGAIN_OTHER_TASKS
};

enum wisp_again wisp_again(const struct wisp_again_facts *f);
const char *wisp_again_name(enum wisp_again a);

#endif
