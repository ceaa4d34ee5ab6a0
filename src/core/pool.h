/*
 * pool: one budget over an orchestration and its sub-agents. Each of them is a
 * session with limits of its own; beyond those they share the orchestration's
 * money, its calls of an hour and its usage limit. Its thresholds are written by
 * `wisp-orch pool` (pool_file.h), its sums by the turns of all sessions that belong to it: those
 * whose record has `parent`, and the orchestration's own, which has `orchestra`.
 *
 * HOME/pool.json, HOME being the orchestration's (place.h), under the lock HOME/.pool:
 *   {"version": 1, "parallel": N, "max_cost_usd": n or null, "calls_per_hour": n or null,
 *    "limits": {as limits.json},
 *    "sessions": {SESSION_ID: {"branch", "cost_usd", "reserved_usd": n or null, "calls"}}}
 *
 * What a session writes here is absolute and by its id: its total so far, what its
 * open step may cost at most, its agent starts. So each call may be repeated, and a
 * session that ended, or was removed, stays counted. It is written, synced, before the
 * record's commit: killed between the two, too much is set aside and never too little.
 *
 * Locks: a session's write lock first, then the pool's, which is held only to read,
 * change and rename. Who holds it waits for no record.
 *
 * All return 0, or -1: with `err` where pool.json does not hold or is missing, with
 * an empty `err` and errno where the system refused. For a session that belongs to
 * no orchestration, or whose orchestration was removed, they do nothing and return 0.
 */
#ifndef WISP_POOL_H
#define WISP_POOL_H

#include "limits.h"
#include "record.h"

#define WISP_POOL_AGAIN ((wisp_ms)10 * 1000)	/* then money that others have reserved is asked for again */

/* The branch of the orchestration that a session belongs to, borrowed; NULL for none. */
const char *wisp_pool_of(const struct wisp_record *r);
/* Its pool.json, for who waits until that changes; NULL where there is no orchestration. The caller frees it. */
char *wisp_pool_path(const struct wisp_record *r);
/*
 * May the next step start, by what all of them share? To be asked after the session's
 * own limits. With WISP_GO the step is counted, what it may cost at most is reserved, and *cap, which
 * is what the session's own limits leave for it (NAN: no limit), becomes that. Else `a` is as in limits.h; its
 * kind can also be `money`: others have reserved what is left.
 */
int wisp_pool_take(const struct wisp_record *r, bool wait, double *cap, struct wisp_limit_answer *a,
		   struct wisp_err *err) WISP_CHECK;
/* The same question; nothing changes, and no lock is taken. */
int wisp_pool_look(const struct wisp_record *r, bool wait, wisp_ms now, struct wisp_limit_answer *a,
		   struct wisp_err *err) WISP_CHECK;
/*
 * The session's total, and what its step has reserved, are what the record says now. `result` is
 * the step.json of a step that has just ended: a usage limit that it met holds for all. NULL for none.
 */
int wisp_pool_settle(const struct wisp_record *r, const struct cJSON *result, struct wisp_err *err) WISP_CHECK;
/* A person says so: the hour begins anew, and with `usage` the usage limit is forgotten. */
int wisp_pool_forget(const struct wisp_record *r, bool usage, struct wisp_err *err) WISP_CHECK;

/* Adds to `sessions` what a record says of its session, as it stands. */
void wisp_pool_note(struct cJSON *sessions, const struct wisp_record *r);

/* pool_money.c: who gets how much. */
struct wisp_pool_need {
	const char *id;			/* of the session that asks */
	double own;			/* what its own limits leave for the step; NAN for no limit */
	bool capped;			/* limits.maxStepCostUsd is part of that */
	double dearest;			/* its dearest step so far, 0 if none is known */
};
struct wisp_pool_share {
	enum wisp_limit what;		/* WISP_GO, WISP_LIMIT_WAIT or WISP_LIMIT_COST */
	double cap;			/* with WISP_GO; NAN for no limit */
	double spent, reserved;		/* by all, with what was reserved by loops that are gone; by others that are at work */
	bool gone;			/* there are such loops */
};
/* Does the loop of that entry's session live? A dead one's reservation counts as spent, and is not waited for. */
typedef bool wisp_pool_live_fn(void *arg, const struct cJSON *entry);
/*
 * Without limits.maxStepCostUsd a step gets one share of what is left, so that others can run beside it, but no less than the
 * dearest step took. Where less than such a step is left, it waits while others have something to give back.
 */
void wisp_pool_share(struct wisp_pool_share *s, const struct cJSON *pool, const struct wisp_pool_need *need,
		     wisp_pool_live_fn *live, void *arg);
/* What a session needs, its own limits leaving `own`. */
void wisp_pool_need(struct wisp_pool_need *need, const struct wisp_record *r, double own);
/* The share as an answer: with WISP_GO *cap, else what is in the way. */
void wisp_pool_ask_money(struct wisp_limit_answer *a, const struct cJSON *pool, const struct wisp_pool_need *need, bool wait,
			 double *cap, wisp_pool_live_fn *live, void *arg, wisp_ms now);
/*
 * Entries of other sessions of the same place, by a member of theirs: an earlier session settles
 * nothing any more, and what its step had reserved counts as spent.
 */
void wisp_pool_close_earlier(struct cJSON *sessions, const char *id, const char *key, const char *value);

#endif
