/*
 * limits: what a run may spend (wisp-config(5), limits.*). All are cumulative
 * over resumes and survive a crash.
 *
 * limits.json: {"hourly": {"calls_made", "limit", "next_reset"},
 *   "usage": {"detected", "detected_at", "resume_at", "stated", "waiting", "kind", "waits"}}
 * `stated`: resume_at is what the service said; else it is wisp's guess. Once a step ran on paid extra usage
 * there is "overage": {"since": null once it is over, "steps": how many did}.
 */
#ifndef WISP_LIMITS_H
#define WISP_LIMITS_H

#include "json.h"
#include "time.h"

#define WISP_USAGE_WAIT ((wisp_ms)60 * 60 * 1000)		/* where no reset time is stated */
#define WISP_USAGE_FAR ((wisp_ms)8 * 24 * 60 * 60 * 1000)	/* a reset further away is not waited for */

enum wisp_limit { WISP_GO, WISP_LIMIT_WAIT, WISP_LIMIT_ITERATIONS, WISP_LIMIT_HOURS, WISP_LIMIT_COST, WISP_LIMIT_CALLS,
		  WISP_LIMIT_USAGE, WISP_LIMIT_RESERVED, WISP_LIMIT_OVERAGE };

struct wisp_limit_answer {
	enum wisp_limit what;
	wisp_ms until;		/* with WISP_LIMIT_WAIT, _CALLS, _USAGE and _RESERVED */
	/* with those four: `usage`, `hourly`, of a pool (pool.h) `money`, of shared.h also `login`; else NULL */
	const char *kind;
	char *text;		/* for people, owned */
};

struct cJSON *wisp_limits_new(void);	/* the caller frees it */
/*
 * May a step start now? Renews the hour if it is over (also after the clock
 * jumped). `repeat`: the step keeps its number, so the count of iterations is
 * not asked. `wait` false: what would be waited for is an answer instead.
 */
void wisp_limits_check(struct wisp_limit_answer *a, struct cJSON *limits, const struct cJSON *session,
		       const struct cJSON *config, bool repeat, bool wait, wisp_ms now);
/* The same of the two that lift by themselves, usage and calls. */
void wisp_limits_waited(struct wisp_limit_answer *a, struct cJSON *limits, const struct cJSON *config, bool wait, wisp_ms now);
/*
 * What the next step may cost at most in USD, to be reserved before it starts
 * and given to the agent as its own cap: limits.maxStepCostUsd, or what is left of
 * limits.maxCostUsd where that is less. NAN where neither is set; 0: nothing is left.
 */
double wisp_limits_cap(const struct cJSON *session, const struct cJSON *config);
/* The same of the usage limit alone, that others may have met: how often in a row is each session's own count. */
void wisp_limits_usage_met(struct wisp_limit_answer *a, struct cJSON *limits, bool wait, wisp_ms now);
void wisp_limit_answer_release(struct wisp_limit_answer *a);
/* `WHOSE: TEXT`, where there is a text. */
void wisp_limit_answer_prefix(struct wisp_limit_answer *a, const char *whose);
/* One agent start is charged to the hour. */
void wisp_limits_charge(struct cJSON *limits, const struct cJSON *config, wisp_ms now);
/* A usage limit was met: waits until `resets` (-1: not stated). */
void wisp_limits_usage(struct cJSON *limits, const char *kind, wisp_ms resets, wisp_ms now);
/* `limit` of a step.json was met by one of those that share these: it holds until the later of both resets. */
void wisp_limits_met(struct cJSON *limits, const struct cJSON *limit, wisp_ms now);
/* A step ended in something else: the row of waits is over. */
void wisp_limits_usage_over(struct cJSON *limits);
/* A step said whether it ran on paid extra usage: `overage` of its step.json, null where it did not say. */
void wisp_limits_overage(struct cJSON *limits, const struct cJSON *overage, wisp_ms now);
/* A resume: paid extra usage, which limits.overage = pause stopped for, is allowed until a step reports it again. */
void wisp_limits_overage_seen(struct cJSON *limits, const struct cJSON *config);
/* What is left, for status: null where there is no limit. The caller frees it. */
struct cJSON *wisp_limits_left(const struct cJSON *limits, const struct cJSON *session, const struct cJSON *config, wisp_ms now);

#endif
