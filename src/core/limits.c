/*
 * limits: see limits.h.
 */
#include "limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "session.h"

#define HOUR ((wisp_ms)60 * 60 * 1000)

static wisp_ms
time_at(const struct cJSON *object, const char *key)
{
	const char *s = wisp_json_str(object, key, NULL);

	return s == NULL ? -1 : wisp_time_parse(s);
}

static void
set_time(struct cJSON *object, const char *key, wisp_ms t)
{
	char *s = t < 0 ? NULL : wisp_time_iso(t);

	wisp_json_set_str(object, key, s);
	free(s);
}

struct cJSON *
wisp_limits_new(void)
{
	struct cJSON *limits = wisp_json_object();
	struct cJSON *hourly = wisp_json_object_at(limits, "hourly"), *usage = wisp_json_object_at(limits, "usage");

	wisp_json_set_num(hourly, "calls_made", 0);
	wisp_json_set_null(hourly, "limit");
	wisp_json_set_null(hourly, "next_reset");
	wisp_json_set_bool(usage, "detected", false);
	wisp_json_set_null(usage, "detected_at");
	wisp_json_set_null(usage, "resume_at");
	wisp_json_set_bool(usage, "waiting", false);
	wisp_json_set_null(usage, "kind");
	wisp_json_set_num(usage, "waits", 0);
	return limits;
}

/* Begins a new hour if the old one is over, or lies further ahead than an hour can: the clock was set back. */
static void
renew_hour(struct cJSON *hourly, const struct cJSON *config, wisp_ms now)
{
	wisp_ms reset = time_at(hourly, "next_reset");
	long long limit = wisp_config_count(config, "limits.callsPerHour");

	if (limit > 0)
		wisp_json_set_num(hourly, "limit", (double)limit);
	else
		wisp_json_set_null(hourly, "limit");
	if (reset >= 0 && now >= reset)
		wisp_json_set_num(hourly, "calls_made", 0);
	if (reset < 0 || now >= reset || reset > now + HOUR)
		set_time(hourly, "next_reset", now + HOUR);
}

static void
answer(struct wisp_limit_answer *a, enum wisp_limit what, wisp_ms until, char *text)
{
	a->what = what;
	a->until = until;
	a->kind = NULL;
	a->text = text;
}

static double
money_left(const struct cJSON *session, double most)
{
	double left = most - wisp_session_total(session, "cost_usd");

	return left > 0 ? wisp_millionths(left) : 0;
}

double
wisp_limits_cap(const struct cJSON *session, const struct cJSON *config)
{
	double step = wisp_config_number(config, "limits.maxStepCostUsd"), total = wisp_config_number(config, "limits.maxCostUsd");
	double left = total < 0 ? INFINITY : money_left(session, total);

	if (step >= 0 && step < left)
		return step;
	return total < 0 ? NAN : left;
}

static bool
no_overage(const struct cJSON *config)
{
	const char *then = wisp_config_text(config, "limits.overage");

	return then != NULL && strcmp(then, "pause") == 0;
}

/* Iterations, hours, money, paid extra usage: ends a run until a person raises them. */
static bool
check_totals(struct wisp_limit_answer *a, const struct cJSON *limits, const struct cJSON *session, const struct cJSON *config,
	     bool repeat)
{
	const char *since = wisp_json_str(wisp_json_get(limits, "overage"), "since", NULL);
	long long iterations = wisp_config_count(config, "limits.maxIterations");
	long long done = wisp_json_int(session, "loop_count", 0);
	double hours = wisp_config_number(config, "limits.maxHours");
	double spent = wisp_session_total(session, "seconds") / 3600;
	double money = wisp_config_number(config, "limits.maxCostUsd");
	double cost = wisp_session_total(session, "cost_usd");

	if (iterations >= 0 && !repeat && done >= iterations)
		answer(a, WISP_LIMIT_ITERATIONS, -1, wisp_str("%lld of %lld iterations are used", done, iterations));
	else if (hours >= 0 && spent >= hours)
		answer(a, WISP_LIMIT_HOURS, -1, wisp_str("%.2f of %g hours are used", spent, hours));
	else if (money >= 0 && money_left(session, money) <= 0)
		answer(a, WISP_LIMIT_COST, -1, wisp_str("%.2f of %g USD are spent", cost, money));
	else if (since != NULL && no_overage(config))
		answer(a, WISP_LIMIT_OVERAGE, -1, wisp_str("paid extra usage since %s, and limits.overage is pause", since));
	else
		return false;
	return true;
}

/* Was the reset not stated? */
static bool
guessed(const struct cJSON *usage)
{
	return !wisp_json_bool(usage, "stated", true);
}

/*
 * When the usage limit lifts, -1 for none. A stated reset is the service's clock;
 * the 60 minutes of one that was not stated are ours, and a clock that was set
 * back does not make them more.
 */
static wisp_ms
usage_until(struct cJSON *usage, wisp_ms now)
{
	wisp_ms until = time_at(usage, "resume_at"), since = time_at(usage, "detected_at");

	if (until >= 0 && now < since && guessed(usage)) {
		set_time(usage, "detected_at", now);
		set_time(usage, "resume_at", now + WISP_USAGE_WAIT);
		until = time_at(usage, "resume_at");
	}
	return until;
}

static void
check_usage(struct wisp_limit_answer *a, struct cJSON *usage, const struct cJSON *config, bool wait, wisp_ms now)
{
	wisp_ms until = usage_until(usage, now);
	long long waits = wisp_json_int(usage, "waits", 0), most = wisp_config_count(config, "limits.maxWaits");
	bool guess = guessed(usage), over = until < 0 || now >= until,
		    row = most >= 0 && waits > most && wisp_json_bool(usage, "waiting", false);
	char *when;

	if (over)
		wisp_json_set_bool(usage, "waiting", false);
	/* A limit that is met again and again though each reset has passed ends the row of waits, too. */
	if (over && !row)
		return;
	when = wisp_time_iso(until);
	if (until - now > WISP_USAGE_FAR)
		answer(a, WISP_LIMIT_USAGE, until, wisp_str("the usage limit resets only at %s", when));
	else if (row)
		answer(a, WISP_LIMIT_USAGE, until, wisp_str("the usage limit was met %lld times in a row", waits));
	else if (!wait)
		answer(a, WISP_LIMIT_USAGE, until,
		       wisp_str(
			       guess ? "no end of the usage limit is known; it is tried again at %s (wisp's guess)"
				     : "the usage limit resets at %s",
			       when));
	else
		answer(a, WISP_LIMIT_WAIT, until,
		       wisp_str("usage limit (%s) %s %s%s", wisp_json_str(usage, "kind", "unknown"),
				guess ? "is tried again at" : "until", when,
				guess ? " (wisp's guess)" : ""));
	a->kind = "usage";
	free(when);
}

static void
check_hour(struct wisp_limit_answer *a, struct cJSON *hourly, const struct cJSON *config, bool wait, wisp_ms now)
{
	long long limit = wisp_config_count(config, "limits.callsPerHour"), made;
	const char *then = wisp_config_text(config, "limits.onHourly");
	wisp_ms reset;

	renew_hour(hourly, config, now);
	made = wisp_json_int(hourly, "calls_made", 0);
	reset = time_at(hourly, "next_reset");
	if (limit < 0 || made < limit)
		return;
	if (!wait || (then != NULL && strcmp(then, "pause") == 0))
		answer(a, WISP_LIMIT_CALLS, reset, wisp_str("%lld of %lld agent starts are used this hour", made, limit));
	else
		answer(a, WISP_LIMIT_WAIT, reset, wisp_str("%lld of %lld agent starts are used this hour", made, limit));
	a->kind = "hourly";
}

static void
check_waits(struct wisp_limit_answer *a, struct cJSON *limits, const struct cJSON *config, bool wait, wisp_ms now)
{
	check_usage(a, wisp_json_object_at(limits, "usage"), config, wait, now);
	if (a->what == WISP_GO)
		check_hour(a, wisp_json_object_at(limits, "hourly"), config, wait, now);
}

void
wisp_limits_check(struct wisp_limit_answer *a, struct cJSON *limits, const struct cJSON *session,
		  const struct cJSON *config, bool repeat, bool wait, wisp_ms now)
{
	answer(a, WISP_GO, -1, NULL);
	if (!check_totals(a, limits, session, config, repeat))
		check_waits(a, limits, config, wait, now);
}

void
wisp_limits_waited(struct wisp_limit_answer *a, struct cJSON *limits, const struct cJSON *config, bool wait, wisp_ms now)
{
	answer(a, WISP_GO, -1, NULL);
	check_waits(a, limits, config, wait, now);
}

void
wisp_limits_usage_met(struct wisp_limit_answer *a, struct cJSON *limits, bool wait, wisp_ms now)
{
	struct cJSON *config = wisp_json_object();

	answer(a, WISP_GO, -1, NULL);
	wisp_json_set_null(config, "limits.maxWaits");
	check_usage(a, wisp_json_object_at(limits, "usage"), config, wait, now);
	wisp_json_free(config);
}

void
wisp_limit_answer_release(struct wisp_limit_answer *a)
{
	free(a->text);
	a->text = NULL;
}

void
wisp_limit_answer_prefix(struct wisp_limit_answer *a, const char *whose)
{
	char *text = a->text;

	if (text == NULL)
		return;
	a->text = wisp_str("%s: %s", whose, text);
	free(text);
}

void
wisp_limits_charge(struct cJSON *limits, const struct cJSON *config, wisp_ms now)
{
	struct cJSON *hourly = wisp_json_object_at(limits, "hourly");

	renew_hour(hourly, config, now);
	wisp_json_set_num(hourly, "calls_made", wisp_json_num(hourly, "calls_made", 0) + 1);
}

void
wisp_limits_usage(struct cJSON *limits, const char *kind, wisp_ms resets, wisp_ms now)
{
	struct cJSON *usage = wisp_json_object_at(limits, "usage");

	wisp_json_set_bool(usage, "detected", true);
	set_time(usage, "detected_at", now);
	set_time(usage, "resume_at", resets >= 0 ? resets : now + WISP_USAGE_WAIT);
	wisp_json_set_bool(usage, "stated", resets >= 0);
	wisp_json_set_bool(usage, "waiting", true);
	wisp_json_set_str(usage, "kind", kind);
	wisp_json_set_num(usage, "waits", wisp_json_num(usage, "waits", 0) + 1);
}

void
wisp_limits_met(struct cJSON *limits, const struct cJSON *limit, wisp_ms now)
{
	const char *resets = wisp_json_str(limit, "resets_at", NULL);
	wisp_ms stands = time_at(wisp_json_get(limits, "usage"), "resume_at");
	wisp_ms until = resets == NULL ? -1 : wisp_time_parse(resets);

	if (now >= stands || until > stands)
		wisp_limits_usage(limits, wisp_json_str(limit, "kind", "unknown"), until, now);
}

void
wisp_limits_usage_over(struct cJSON *limits)
{
	struct cJSON *usage = wisp_json_object_at(limits, "usage");

	wisp_json_set_num(usage, "waits", 0);
	wisp_json_set_bool(usage, "waiting", false);
}

void
wisp_limits_overage(struct cJSON *limits, const struct cJSON *overage, wisp_ms now)
{
	bool on = wisp_json_true(overage);
	struct cJSON *o;

	if (wisp_json_type(overage) != WISP_T_BOOL || (!on && wisp_json_get(limits, "overage") == NULL))
		return;
	o = wisp_json_object_at(limits, "overage");
	if (!on)
		wisp_json_set_null(o, "since");
	else if (wisp_json_str(o, "since", NULL) == NULL)
		set_time(o, "since", now);
	wisp_json_set_num(o, "steps", wisp_json_num(o, "steps", 0) + on);
}

void
wisp_limits_overage_seen(struct cJSON *limits, const struct cJSON *config)
{
	if (no_overage(config) && wisp_json_get(limits, "overage") != NULL)
		wisp_json_set_null(wisp_json_object_at(limits, "overage"), "since");
}

/* limit - used, not below 0; null where there is no limit. */
static void
set_left(struct cJSON *left, const char *key, double limit, double used)
{
	double rest = limit < 0 ? NAN : limit - used;

	wisp_json_set(left, key, wisp_json_double(rest < 0 ? 0 : rest));
}

struct cJSON *
wisp_limits_left(const struct cJSON *limits, const struct cJSON *session, const struct cJSON *config, wisp_ms now)
{
	struct cJSON *left = wisp_json_object(), *hourly = wisp_json_copy(wisp_json_get(limits, "hourly"));

	if (hourly == NULL)
		hourly = wisp_json_object();
	renew_hour(hourly, config, now);
	set_left(left, "iterations", (double)wisp_config_count(config, "limits.maxIterations"),
		 wisp_json_num(session, "loop_count", 0));
	set_left(left, "hours", wisp_config_number(config, "limits.maxHours"), wisp_session_total(session, "seconds") / 3600);
	set_left(left, "cost_usd", wisp_config_number(config, "limits.maxCostUsd"), wisp_session_total(session, "cost_usd"));
	set_left(left, "calls", (double)wisp_config_count(config, "limits.callsPerHour"), wisp_json_num(hourly, "calls_made", 0));
	wisp_json_free(hourly);
	return left;
}
