/*
 * due: what is due of a step whose agent has ended, one thing after the other: to the loop one word each, and it does that.
 */
#ifndef WISP_DUE_H
#define WISP_DUE_H

#include <stdbool.h>

enum wisp_due {
	WISP_DUE_RAN,		/* nothing yet has been done */
	WISP_DUE_VERIFY,	/* the verify commands */
	WISP_DUE_METRICS,	/* verify.metrics */
	WISP_DUE_GATES,		/* the filters of the phase */
	WISP_DUE_COMMIT,	/* the step's end, with a commit of what the agent left */
	WISP_DUE_OBSERVE	/* and without one */
};

struct wisp_due_facts {
	bool valid;		/* the step left a valid state */
	bool plan;		/* it is about the list as a whole */
	bool phases;		/* the template has them */
	bool claims;		/* a task newly passes */
	bool left;		/* work of claims before is still to be committed */
	bool done;		/* the status is DONE */
	bool ends;		/* which ends the session, as far as its tasks and the promise go */
	bool refused;		/* verify failed */
	bool commands, metrics;	/* are set */
	bool fallback;		/* commit.fallback */
};

/* What comes after `done`. */
enum wisp_due wisp_due_next(enum wisp_due done, const struct wisp_due_facts *f);
/* Is what the agent left to be committed, as far as verify has answered? */
bool wisp_due_commit(const struct wisp_due_facts *f);
const char *wisp_due_name(enum wisp_due d);

#endif
