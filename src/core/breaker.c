/*
 * breaker: see breaker.h. What seed 003_ has it do, word for word, with these
 * three things beside it:
 *
 * - 003_ closes it at any progress. No step runs while it is open, so an open one
 *   never sees progress there; here that is a rule: nothing but a reset changes it.
 * - It opens at the same moment, and notes when, whichever of the two counts was
 *   full; where both were, the reason is the error, as 003_ writes it last.
 * - An iteration without an error neither adds to the row of errors nor ends it:
 *   the row is one of errors, each compared with the error before it (000_).
 */
#include "breaker.h"

#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "hash.h"
#include "time.h"

#define HALF_OPEN_AT 2	/* without progress in a row */

static bool
is_state(const struct cJSON *breaker, const char *state)
{
	return strcmp(wisp_json_str(breaker, "state", "CLOSED"), state) == 0;
}

/* 003_'s table; false for any other phase. */
static bool
of_table(struct wisp_thresholds *t, const char *phase)
{
	static const struct {
		const char *phase;
		struct wisp_thresholds t;
	} table[] = {
		{"RED", {3, 5}}, {"GREEN", {2, 3}}, {"REFACTOR", {5, 5}}, {"DOCUMENT", {3, 5}}, {"QA", {3, 3}}
	};

	for (size_t i = 0; phase != NULL && i < sizeof table / sizeof *table; i++) {
		if (strcmp(table[i].phase, phase) == 0) {
			*t = table[i].t;
			return true;
		}
	}
	return false;
}

struct wisp_thresholds
wisp_breaker_thresholds(const struct cJSON *machine, const char *phase, const struct cJSON *config)
{
	struct wisp_thresholds t;
	const struct cJSON *p, *own;

	if (!of_table(&t, phase))
		t = (struct wisp_thresholds){(int)wisp_config_count(config, "stuck.noProgress"),
					     (int)wisp_config_count(config, "stuck.similarErrors")};
	for (p = wisp_json_first(wisp_json_get(machine, "phases")); phase != NULL && p != NULL; p = wisp_json_next(p)) {
		if (strcmp(wisp_json_str(p, "name", ""), phase) != 0)
			continue;
		own = wisp_json_get(p, "breaker");
		t.no_progress = (int)wisp_json_int(own, "no_progress", t.no_progress);
		t.same_error = (int)wisp_json_int(own, "same_error", t.same_error);
	}
	return t;
}

struct cJSON *
wisp_breaker_new(void)
{
	struct cJSON *breaker = wisp_json_object();

	wisp_breaker_reset(breaker);
	return breaker;
}

void
wisp_breaker_reset(struct cJSON *breaker)
{
	wisp_json_set_str(breaker, "state", "CLOSED");
	wisp_json_set_num(breaker, "no_progress_count", 0);
	wisp_json_set_num(breaker, "same_error_count", 0);
	wisp_json_set_null(breaker, "last_error_hash");
	if (wisp_json_get(breaker, "last_progress_metric") == NULL)
		wisp_json_set_null(breaker, "last_progress_metric");
	wisp_json_set_null(breaker, "open_reason");
	wisp_json_set_null(breaker, "opened_at");
}

bool
wisp_breaker_open(const struct cJSON *breaker)
{
	return is_state(breaker, "OPEN");
}

void
wisp_breaker_warn(struct cJSON *breaker)
{
	if (is_state(breaker, "CLOSED"))
		wisp_json_set_str(breaker, "state", "HALF_OPEN");
}

/* One more in the row that `key` counts. */
static long long
count(struct cJSON *breaker, const char *key)
{
	long long n = wisp_json_int(breaker, key, 0);

	n = n < 0 ? 1 : n + 1;
	wisp_json_set_num(breaker, key, (double)n);
	return n;
}

void
wisp_breaker_trip(struct cJSON *breaker, const char *reason)
{
	char *now = wisp_time_iso(wisp_time_now());

	if (!wisp_breaker_open(breaker))
		wisp_json_set_str(breaker, "opened_at", now);
	wisp_json_set_str(breaker, "state", "OPEN");
	wisp_json_set_str(breaker, "open_reason", reason);
	free(now);
}

/* By a count of its own; frees the reason. */
static void
trip(struct cJSON *breaker, char *reason)
{
	wisp_breaker_trip(breaker, reason);
	free(reason);
}

static void
count_error(struct cJSON *breaker, int threshold, const char *error)
{
	char hash[WISP_HASH_SIZE];
	long long n;

	wisp_hash(error, strlen(error), hash);
	if (strcmp(wisp_json_str(breaker, "last_error_hash", ""), hash) != 0) {
		wisp_json_set_str(breaker, "last_error_hash", hash);
		wisp_json_set_num(breaker, "same_error_count", 1);
		return;
	}
	n = count(breaker, "same_error_count");
	if (threshold > 0 && n >= threshold)
		trip(breaker, wisp_str("Same error repeated %lld times", n));
}

void
wisp_breaker_update(struct cJSON *breaker, struct wisp_thresholds t, bool progress, const char *error,
		    const struct cJSON *metrics)
{
	long long n;

	if (wisp_breaker_open(breaker))
		return;
	if (progress) {
		wisp_json_set_str(breaker, "state", "CLOSED");
		wisp_json_set_num(breaker, "no_progress_count", 0);
		wisp_json_set(breaker, "last_progress_metric", metrics != NULL ? wisp_json_copy(metrics) : wisp_json_object());
	} else {
		n = count(breaker, "no_progress_count");
		if (n == HALF_OPEN_AT)
			wisp_json_set_str(breaker, "state", "HALF_OPEN");
		if (t.no_progress > 0 && n >= t.no_progress)
			trip(breaker, wisp_str("No progress for %lld iterations", n));
	}
	if (error != NULL && *error != '\0')
		count_error(breaker, t.same_error, error);
}
