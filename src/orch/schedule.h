/*
 * schedule: what is to be done next with the systems of an orchestration (SPEC 11).
 * Pure: no file, no clock.
 *
 * A system begins when all that it depends on are merged. Systems that are not
 * parallelizable go first and alone, by their priority; one that becomes ready
 * later lets those that work end, and then runs alone until it is merged. The
 * others run side by side, up to N; one that waits for a person takes no place.
 * One merge at a time, the oldest finished first.
 */
#ifndef WISP_SCHEDULE_H
#define WISP_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>

enum wisp_system_status {
	WISP_SYSTEM_OPEN,	/* not begun, or to be gone on with */
	WISP_SYSTEM_ACTIVE,	/* its loop runs, or begins */
	WISP_SYSTEM_WAITING,	/* for a person */
	WISP_SYSTEM_FINISHED,	/* to be merged */
	WISP_SYSTEM_MERGING, WISP_SYSTEM_MERGED, WISP_SYSTEM_FAILED
};

enum wisp_priority { WISP_CRITICAL, WISP_HIGH, WISP_MEDIUM, WISP_LOW };

struct wisp_system {
	const char *name;
	enum wisp_priority priority;
	bool parallelizable;
	const size_t *needs;		/* indices of those that it depends on */
	size_t n_needs;
	enum wisp_system_status status;
	long long finished;		/* of a finished one: a number that is the higher the later */
};

enum wisp_deed {
	WISP_DEED_START,	/* `system` */
	WISP_DEED_MERGE,	/* `system` */
	WISP_DEED_FAIL,		/* `system`, since `cause`, which it depends on, has failed */
	WISP_DEED_WAIT,		/* somebody works */
	WISP_DEED_PERSON,	/* nobody works, and only a person can change that */
	WISP_DEED_DONE		/* all are merged or failed */
};

struct wisp_deeds {
	struct { enum wisp_deed what; size_t system, cause; } *list;
	size_t count;
};

/* What can be done at once, in that order; the last one is WAIT, PERSON or DONE. Release it with free(d->list). */
void wisp_schedule(struct wisp_deeds *d, const struct wisp_system *systems, size_t count, size_t parallel);
/*
 * In which round each would run at the earliest, from 0, if all of a round took equally long and nothing
 * failed: what --dry-run shows. `waves` has room for `count`.
 */
void wisp_schedule_waves(size_t *waves, const struct wisp_system *systems, size_t count, size_t parallel);

#endif
