/*
 * breaker: the circuit breaker of seed 003_ (breaker.json): CLOSED, HALF_OPEN
 * at 2 without progress, OPEN at a threshold of the phase, or when the very same error
 * came so many times in a row. Fields: state no_progress_count same_error_count
 * last_error_hash last_progress_metric open_reason opened_at.
 */
#ifndef WISP_BREAKER_H
#define WISP_BREAKER_H

#include "json.h"

struct wisp_thresholds {
	int no_progress, same_error;	/* -1: none, never opens by it */
};
/*
 * Those of a phase: its `breaker` in the machine, else 003_'s table by its name, else (`phase` NULL or unknown)
 * stuck.noProgress and stuck.similarErrors of the configuration in force.
 */
struct wisp_thresholds wisp_breaker_thresholds(const struct cJSON *machine, const char *phase, const struct cJSON *config);

struct cJSON *wisp_breaker_new(void);	/* CLOSED; the caller frees it */
/* One iteration. `error` and `metrics` may be NULL. An open one stays open: only a reset closes it. */
void wisp_breaker_update(struct cJSON *breaker, struct wisp_thresholds t, bool progress, const char *error,
			 const struct cJSON *metrics);
/* A person's reset. */
void wisp_breaker_reset(struct cJSON *breaker);
/* Another rule of wisp-stuck(1) halts the loop: OPEN, for `reason`. */
void wisp_breaker_trip(struct cJSON *breaker, const char *reason);
bool wisp_breaker_open(const struct cJSON *breaker);
/* A warning of another rule (stuck.sameFiles): CLOSED becomes HALF_OPEN. */
void wisp_breaker_warn(struct cJSON *breaker);

#endif
