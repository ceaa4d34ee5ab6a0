/*
 * limits: what ends a run, what is waited for, and clocks that jump.
 */
#include "core/config.h"
#include "core/limits.h"
#include "core/session.h"
#include "unit.h"

#define NOW ((wisp_ms)1768568400000)	/* 2026-01-16T13:00:00Z */
#define MINUTE ((wisp_ms)60000)
#define HOUR (60 * MINUTE)

static const struct {
	const char *label;
	double iterations, seconds, cost;
	bool repeat;
	enum wisp_limit what;
} totals[] = {
	{"nothing used", 0, 0, 0, false, WISP_GO},
	{"one iteration is left", 49, 0, 0, false, WISP_GO},
	{"iterations are used up", 50, 0, 0, false, WISP_LIMIT_ITERATIONS},
	{"a repeat keeps its number", 50, 0, 0, true, WISP_GO},
	{"time is used up", 1, 4 * 3600, 0, false, WISP_LIMIT_HOURS},
	{"a second is left", 1, 4 * 3600 - 1, 0, false, WISP_GO},
	{"money is used up", 1, 0, 20, false, WISP_LIMIT_COST},
	{"a cent is left", 1, 0, 19.99, false, WISP_GO},
	{"iterations are named first", 50, 5 * 3600, 30, false, WISP_LIMIT_ITERATIONS},
	{"a repeat has no time either", 50, 5 * 3600, 0, true, WISP_LIMIT_HOURS},
};

static void
test_totals(void)
{
	struct cJSON *config = wisp_config_defaults();

	for (size_t i = 0; i < sizeof totals / sizeof *totals; i++) {
		struct cJSON *s = wisp_session_new("b", "default", "replay"), *l = wisp_limits_new();
		struct wisp_limit_answer a;

		wisp_json_set_num(s, "loop_count", totals[i].iterations);
		wisp_session_add(s, "seconds", totals[i].seconds);
		wisp_session_add(s, "cost_usd", totals[i].cost);
		wisp_limits_check(&a, l, s, config, totals[i].repeat, true, NOW);
		CHECK_INT(a.what, totals[i].what, totals[i].label);
		CHECK((a.text != NULL) == (a.what != WISP_GO), "what is in the way is said");
		wisp_limit_answer_release(&a);
		wisp_json_free(s);
		wisp_json_free(l);
	}
	wisp_json_free(config);
}

/* Asks at a time and compares. */
static void
ask(struct cJSON *limits, bool wait, wisp_ms now, enum wisp_limit what, wisp_ms until, const char *label)
{
	struct cJSON *config = wisp_config_defaults(), *s = wisp_session_new("b", "default", "replay");
	struct wisp_limit_answer a;

	wisp_limits_check(&a, limits, s, config, false, wait, now);
	CHECK_INT(a.what, what, label);
	CHECK_INT(a.until, until, label);
	wisp_limit_answer_release(&a);
	wisp_json_free(config);
	wisp_json_free(s);
}

static void
test_hour(void)
{
	struct cJSON *l = wisp_limits_new(), *config = wisp_config_defaults();

	for (int i = 0; i < 99; i++)
		wisp_limits_charge(l, config, NOW);
	ask(l, true, NOW + MINUTE, WISP_GO, -1, "99 of 100 calls");
	wisp_limits_charge(l, config, NOW + MINUTE);
	ask(l, true, NOW + MINUTE, WISP_LIMIT_WAIT, NOW + HOUR, "100 of 100 calls: the hour is waited for");
	ask(l, false, NOW + MINUTE, WISP_LIMIT_CALLS, NOW + HOUR, "or not");
	ask(l, true, NOW + HOUR, WISP_GO, -1, "a new hour");
	for (int i = 0; i < 100; i++)
		wisp_limits_charge(l, config, NOW + HOUR);
	ask(l, true, NOW - 9 * HOUR, WISP_LIMIT_WAIT, NOW - 8 * HOUR, "a clock set back waits an hour at most");
	wisp_json_free(l);
	wisp_json_free(config);
}

static void
test_usage(void)
{
	struct cJSON *l = wisp_limits_new();

	wisp_limits_usage(l, "five_hour", NOW + 30 * MINUTE, NOW);
	ask(l, true, NOW, WISP_LIMIT_WAIT, NOW + 30 * MINUTE, "until the stated reset");
	ask(l, false, NOW, WISP_LIMIT_USAGE, NOW + 30 * MINUTE, "told not to wait");
	ask(l, true, NOW + 30 * MINUTE, WISP_GO, -1, "at the reset it goes on");
	wisp_limits_usage(l, "unknown", -1, NOW);
	ask(l, true, NOW, WISP_LIMIT_WAIT, NOW + HOUR, "not stated: 60 minutes");
	wisp_limits_usage(l, "seven_day", NOW + 9 * 24 * HOUR, NOW);
	ask(l, true, NOW, WISP_LIMIT_USAGE, NOW + 9 * 24 * HOUR, "more than 8 days away is not waited for");
	wisp_limits_usage_over(l);
	for (int i = 0; i < 5; i++)
		wisp_limits_usage(l, "requests", NOW + MINUTE, NOW);
	ask(l, true, NOW, WISP_LIMIT_WAIT, NOW + MINUTE, "five in a row");
	wisp_limits_usage(l, "requests", NOW + MINUTE, NOW);
	ask(l, true, NOW, WISP_LIMIT_USAGE, NOW + MINUTE, "a sixth is not waited for");
	wisp_json_free(l);
}

int
main(void)
{
	test_totals();
	test_hour();
	test_usage();
	return unit_done();
}
