/*
 * shared: what all sessions of a person on this machine share, whatever project they belong to:
 * the usage limit of their login, and the money of a day (limits.maxCostPerDayUsd).
 *
 * ROOT/shared.json, ROOT being WISP_HOME (place.h), under the lock ROOT/.shared:
 *   {"version": 1,
 *    "logins": {LOGIN: {"usage": {as in limits.json}, "first": HOME or null, "tried_at": TIME}},
 *    "day": {"ends": TIME,
 *            "sessions": {SESSION_ID: {"home", "cost_usd", "total_usd", "reserved_usd"}}}}
 *
 * LOGIN is the record's `login`: an agent and a hash of what its login depends on. It stands here
 * from the limit that a session met until a step has shown that it has lifted. After the reset
 * one session tries, `first`, and the others wait for what comes of it as long as its loop is
 * there, and for two minutes: a limit that stands is met by the first request, and a step may take
 * an hour.
 *
 * The day is the local one of whoever began it. A session's `cost_usd` is what was settled in it,
 * `total_usd` the session's total by then; a step belongs to the day in which it ends. Only a
 * session for which limits.maxCostPerDayUsd is set reserves what its step may cost. A new day
 * drops the sessions without an open step.
 *
 * As with the pool (pool.h) what is written may be written again, it is written, synced, before
 * the record's commit, and the lock is taken after all others and for one change. A file that does
 * not hold is passed over, but where the limit of the day is set: that is an error, since what was
 * spent is not known.
 */
#ifndef WISP_SHARED_H
#define WISP_SHARED_H

#include "limits.h"
#include "record.h"

#define WISP_SHARED_LOGINS 64 /* at most; those that have lifted longest ago go */

/* The file, for who waits until it changes; NULL where there is no home. The caller frees it. */
char *wisp_shared_path(void);
/* LOGIN of an agent, with the variables that it depends on beside HOME and where XDG puts files; the caller frees it. */
char *wisp_shared_login(const char *agent, const char *names, const char *const *set, size_t n_set);
/* These four are as in pool.h, with the kind `login` where another session tries first. */
int wisp_shared_take(const struct wisp_record *r, bool wait, double *cap,
		     struct wisp_limit_answer *a, struct wisp_err *err) WISP_CHECK;
int wisp_shared_look(const struct wisp_record *r, bool wait, wisp_ms now,
		     struct wisp_limit_answer *a, struct wisp_err *err) WISP_CHECK;
int wisp_shared_settle(const struct wisp_record *r, const struct cJSON *result,
		       struct wisp_err *err) WISP_CHECK;
int wisp_shared_forget(const struct wisp_record *r, struct wisp_err *err) WISP_CHECK;
/* {"cost_usd": by all in this day, "max_cost_usd", "ends"}; null where no limit of a day is set. The caller frees it. */
struct cJSON *wisp_shared_today(const struct wisp_record *r, wisp_ms now);

#endif
