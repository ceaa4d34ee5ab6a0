/*
 * session: identity, status, counters and totals of one piece of work
 * (session.json, wisp-state(5)). The status moves that are legal:
 *
 *   running -> paused | completed | halted
 *   paused  -> running | halted
 *   halted  -> running (a person's resume only)
 *   completed is final for a session id
 */
#ifndef WISP_SESSION_H
#define WISP_SESSION_H

#include "schema.h"

#define WISP_SESSION_STATUS "running|paused|completed|halted"

/* A new session object: a fresh id, status `paused` until its loop starts, counters zero. The caller frees it. */
struct cJSON *wisp_session_new(const char *branch, const char *template, const char *agent);
/* 0 moved; 1 not legal, or no status at all. `reason` becomes pause_reason or halt_reason. */
int wisp_session_move(struct cJSON *session, const char *status, const char *reason) WISP_CHECK;
/* The same without asking: for the loop, which also stays where it is with another reason. */
void wisp_session_put(struct cJSON *session, const char *status, const char *reason);
/* -1 with `err` if the document does not hold. One without a version need only have session_id, branch, started_at, loop_count. */
int wisp_session_check(const struct wisp_source *src, const struct cJSON *session, struct wisp_err *err) WISP_CHECK;
/* Such a one that holds, with all members; it is taken over. */
struct cJSON *wisp_session_whole(struct cJSON *session);
/* As money and time are kept: finer than any that is reported, and 20 less 19.3 is 0.7, not a hair less. NAN stays one. */
double wisp_millionths(double amount);
/* Adds to a number in `totals`. */
void wisp_session_add(struct cJSON *session, const char *total, double amount);
double wisp_session_total(const struct cJSON *session, const char *total);

#endif
