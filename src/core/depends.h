/*
 * depends: the tasks of a list by id, and which waits for which.
 *
 * The index borrows from the list and is stale once the list changes. All of
 * it is n log n in the number of tasks and dependencies.
 */
#ifndef WISP_DEPENDS_H
#define WISP_DEPENDS_H

#include "schema.h"
#include "tasks.h"

struct wisp_depends {
	const struct wisp_task **by_id;	/* those that have one, sorted */
	size_t count;
};

void wisp_depends_init(struct wisp_depends *d, const struct wisp_tasks *t);
void wisp_depends_release(struct wisp_depends *d);
const struct wisp_task *wisp_depends_find(const struct wisp_depends *d, const char *id);
/* Do all tasks pass that this one waits for? */
bool wisp_depends_met(const struct wisp_depends *d, const struct wisp_task *task);
/* Each id once, each dependency a task of the list, no circle. 0, or -1 with `err`. */
int wisp_depends_check(const struct wisp_depends *d, const struct wisp_tasks *t,
		       const struct wisp_source *src, struct wisp_err *err) WISP_CHECK;

#endif
