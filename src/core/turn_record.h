/*
 * turn_record: what the modules share that make history of a step.
 */
#ifndef WISP_TURN_RECORD_H
#define WISP_TURN_RECORD_H

#include "phase.h"
#include "state.h"
#include "stuck.h"
#include "turn.h"

/* What a recording works with. */
struct wisp_turn {
	struct wisp_record *r;
	const struct wisp_result *o;
	struct cJSON *step, *session, *result, *entry, *files;
	struct wisp_state state;
	struct wisp_facts facts;
	struct wisp_decision decision;
	struct wisp_stuck stuck;
	const struct cJSON *metrics;		/* with phases: those in force, borrowed */
	char *error;				/* of the iteration, whole; NULL for none */
};

/* turn_judge.c: decides, and makes the history entry that the second look needs. */
void wisp_turn_judge(struct wisp_turn *t);
/* turn_enter.c: the iteration's place in history, but for what the decision adds. */
void wisp_turn_enter(struct wisp_turn *t);
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
