/*
 * turn_person: what a person decides about a session whose loop does not go on by
 * itself: skip the phase, abort, or not wait for the hour. (A reset is the
 * start of a resume; guidance is a request.)
 *
 * All return 0; 1 where that cannot be, with the reason in `err`; -1 with errno.
 * Each commits.
 */
#ifndef WISP_TURN_PERSON_H
#define WISP_TURN_PERSON_H

#include "record.h"

#define WISP_ABORTED "aborted by a person"
#define WISP_SKIPPED "skipped by a person"

/*
 * The current phase is complete, though its gates are not open. skipped= names it, phase= the next
 * one; with the last one the session is completed, and says which were skipped.
 */
int wisp_turn_skip_phase(struct wisp_record *r, struct cJSON *answer, struct wisp_err *err) WISP_CHECK;
/* Halted until a resume; exit code 12. */
int wisp_turn_abort(struct wisp_record *r, struct wisp_err *err) WISP_CHECK;
/* The hour begins anew with no agent start in it, for the whole of an orchestration (pool.h); a usage limit stays. */
int wisp_turn_new_hour(struct wisp_record *r, struct wisp_err *err) WISP_CHECK;
/* stuck= (is it halted for want of progress?), phases=, phase=, reason=, iterations=: what a person is asked about. */
void wisp_turn_tell_stuck(const struct wisp_record *r, struct cJSON *answer);

#endif
