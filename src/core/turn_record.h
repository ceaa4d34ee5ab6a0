/*
 * turn_record: what the modules share that make history of a step.
 */
#ifndef WISP_TURN_RECORD_H
#define WISP_TURN_RECORD_H

#include "phase.h"
#include "state.h"
#include "stuck.h"
#include "turn.h"

/* A step that ran, with what was noted of it. */
struct wisp_turn {
	struct wisp_record *r;
	struct cJSON *step, *session, *result, *entry;	/* entry: NULL before it is observed, and where it is no iteration */
	const struct cJSON *seen;		/* what the controller saw after it, struct wisp_seen as an object */
	struct wisp_state state;
	struct wisp_facts facts;
	struct wisp_decision decision;
	const struct cJSON *metrics;		/* with phases: those in force, borrowed */
	char *error;				/* of the iteration, whole; NULL for none */
};

/* turn_judge.c: -1 with `err` where no step is open that ran. Release it in any case. */
int wisp_turn_open(struct wisp_turn *t, struct wisp_record *r, struct wisp_err *err) WISP_CHECK;
void wisp_turn_close(struct wisp_turn *t);
/* Tasks were added since the step was observed: its iteration counts them, and is judged anew. */
void wisp_turn_judge_again(struct wisp_turn *t);
/* turn_enter.c: the iteration as history will have it, but for what the decision adds; `files` names all that changed. */
void wisp_turn_enter(struct wisp_turn *t, const char *files);
void wisp_turn_enter_counts(struct wisp_turn *t);	/* tasks_passed, tasks_total */
void wisp_turn_enter_refused(struct wisp_turn *t);	/* refused: what a DONE lacks */
char *wisp_turn_error(const struct wisp_turn *t);	/* of the iteration, whole; NULL for none; the caller frees it */
/* The reason of an outcome other than `ok`, or where none is told its word; borrowed. */
const char *wisp_turn_outcome_reason(const struct wisp_turn *t);
/* The end of what verify printed; the caller frees it. */
char *wisp_turn_verify_tail(const struct wisp_record *r);

/* turn_good.c: task lists and specs that nothing refers to any more are removed. */
void wisp_turn_sweep_good(const struct wisp_record *r);

/* turn_tell.c: what the step was prompted with has been heard, once it left a valid state. */
void wisp_turn_forget_told(struct wisp_turn *t);
/* What the next prompt has to say of this step. */
void wisp_turn_tell_next(struct wisp_turn *t);
/* ... and of a step that was cut off: its changes lie in the work tree. */
void wisp_turn_tell_left(struct wisp_turn *t);
/* In words, why the loop does what it does; the caller frees it. */
char *wisp_turn_reason(const struct wisp_turn *t);

#endif
