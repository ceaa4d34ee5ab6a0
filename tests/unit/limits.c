/*
 * limits: what ends a run, what is waited for, and clocks that jump.
 */
#include "core/config.h"
#include "core/limits.h"
#include "core/session.h"
#include "core/turn.h"
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
	{"a millionth is left", 1, 0, 19.999999, false, WISP_GO},
	{"more than there was is spent", 1, 0, 20.5, false, WISP_LIMIT_COST},
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
	ask(l, true, NOW + HOUR - MINUTE, WISP_LIMIT_WAIT, NOW + 2 * HOUR - MINUTE, "a clock set back over the reset");
	ask(l, true, NOW - 9 * HOUR, WISP_LIMIT_WAIT, NOW - 8 * HOUR, "a clock set back waits an hour at most");
	ask(l, true, NOW + 300 * HOUR, WISP_GO, -1, "a clock set forward");
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
	ask(l, true, NOW - 5 * HOUR, WISP_LIMIT_WAIT, NOW - 4 * HOUR, "... and no more where the clock was set back");
	wisp_limits_usage(l, "five_hour", NOW + 30 * MINUTE, NOW);
	ask(l, true, NOW - 5 * HOUR, WISP_LIMIT_WAIT, NOW + 30 * MINUTE, "a stated reset is not ours to move");
	wisp_limits_usage(l, "five_hour", NOW + HOUR, NOW);
	ask(l, true, NOW - 5 * HOUR, WISP_LIMIT_WAIT, NOW + HOUR, "... nor one that is an hour away as the guess is");
	wisp_limits_usage(l, "seven_day", NOW + 8 * 24 * HOUR, NOW);
	ask(l, true, NOW, WISP_LIMIT_WAIT, NOW + 8 * 24 * HOUR, "8 days away is waited for");
	wisp_limits_usage_over(l);
	wisp_limits_usage(l, "seven_day", NOW + 9 * 24 * HOUR, NOW);
	ask(l, true, NOW, WISP_LIMIT_USAGE, NOW + 9 * 24 * HOUR, "more than 8 days away is not waited for");
	wisp_limits_usage_over(l);
	for (int i = 0; i < 5; i++)
		wisp_limits_usage(l, "requests", NOW + MINUTE, NOW);
	ask(l, true, NOW, WISP_LIMIT_WAIT, NOW + MINUTE, "five in a row");
	wisp_limits_usage(l, "requests", NOW + MINUTE, NOW);
	ask(l, true, NOW, WISP_LIMIT_USAGE, NOW + MINUTE, "a sixth is not waited for");
	wisp_limits_usage(l, "requests", NOW - MINUTE, NOW);
	ask(l, true, NOW, WISP_LIMIT_USAGE, NOW - MINUTE, "nor one whose reset has passed: it is met again all the same");
	ask(l, true, NOW + HOUR, WISP_GO, -1, "a later run tries again");
	wisp_limits_usage_over(l);
	wisp_limits_usage(l, "requests", NOW - MINUTE, NOW);
	ask(l, true, NOW, WISP_GO, -1, "the first of a row goes on at once where its reset has passed");
	wisp_json_free(l);
}

/* Minutes 08 and 09, the hours of a change of clocks, and a reset that another zone wrote. */
static void
test_zones(void)
{
	static const struct { const char *zone, *label; wisp_ms start; } times[] = {
		{"UTC", "at minute 08", NOW + 8 * MINUTE},
		{"UTC", "at minute 09", NOW + 9 * MINUTE + 9000},
		{"UTC", "over midnight", NOW + 10 * HOUR + 59 * MINUTE},
		{"America/New_York", "into summer time", (wisp_ms)1772951400000},	/* 2026-03-08T06:30Z, 01:30 there */
		{"America/New_York", "the hour that comes twice", (wisp_ms)1793511000000},	/* 2026-11-01T05:30Z */
		{"Asia/Kathmandu", "a zone of quarters", NOW},
	};
	struct cJSON *config = wisp_config_defaults();

	for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
		struct cJSON *l = wisp_limits_new();

		setenv("TZ", times[i].zone, 1);
		for (int n = 0; n < 100; n++)
			wisp_limits_charge(l, config, times[i].start);
		wisp_limits_usage(l, "unknown", -1, times[i].start);
		setenv("TZ", "Pacific/Auckland", 1);
		ask(l, true, times[i].start + HOUR - 1000, WISP_LIMIT_WAIT, times[i].start + HOUR, times[i].label);
		ask(l, true, times[i].start + HOUR, WISP_GO, -1, times[i].label);
		wisp_json_free(l);
	}
	setenv("TZ", "UTC", 1);
	wisp_json_free(config);
}

/* What a step may cost at most: its own limit, or what is left. -1: no cap. */
static const struct {
	const char *label;
	double step, total, spent, cap;
} caps[] = {
	{"no limit", -1, -1, 5, -1},
	{"all that is left", -1, 20, 19.3, 0.7},
	{"nothing is left", -1, 20, 20, 0},
	{"more than all is spent", -1, 20, 21, 0},
	{"its own limit", 2, 20, 5, 2},
	{"its own, and no other", 2, -1, 500, 2},
	{"more than is left is no more", 2, 20, 19.5, 0.5},
	{"just as much", 2, 20, 18, 2},
};

static struct wisp_record
record(const char *doc)
{
	struct wisp_record r = {.lock = -1};

	r.doc = wisp_json_parse(doc, strlen(doc), "test", NULL);
	return r;
}

static void
test_caps(void)
{
	for (size_t i = 0; i < sizeof caps / sizeof *caps; i++) {
		struct cJSON *config = wisp_config_defaults(), *s = wisp_session_new("b", "default", "replay");
		double cap;

		wisp_json_set(config, "limits.maxStepCostUsd", wisp_json_double(caps[i].step < 0 ? 0.0 / 0.0 : caps[i].step));
		wisp_json_set(config, "limits.maxCostUsd", wisp_json_double(caps[i].total < 0 ? 0.0 / 0.0 : caps[i].total));
		wisp_session_add(s, "cost_usd", caps[i].spent);
		cap = wisp_limits_cap(s, config);
		CHECK(caps[i].cap < 0 ? cap != cap : cap == caps[i].cap, caps[i].label);
		wisp_json_free(config);
		wisp_json_free(s);
	}
}

/* What is charged of a step that was reserved for: total after it, and how many are unpriced. */
static const struct {
	const char *label, *result, *most;
	double dearest, total, unpriced;
} charges[] = {
	{"its cost", "{\"cost_usd\": 0.25}", "null", 1, 0.25, 0},
	{"no cost is 0 where it is reported so", "{\"cost_usd\": 0}", "2", 1, 0, 0},
	{"unknown: the dearest so far", "{\"cost_usd\": null}", "null", 1, 1, 1},
	{"unknown: maxStepCostUsd", "{\"cost_usd\": null}", "2", 1, 2, 1},
	{"lost in a crash: the dearest so far", NULL, "null", 1, 1, 1},
	{"lost in a crash: maxStepCostUsd", NULL, "2", 1, 2, 1},
	{"unknown, and none is known", "{\"cost_usd\": null}", "null", 0, 0, 1},
};

static void
test_charge(void)
{
	for (size_t i = 0; i < sizeof charges / sizeof *charges; i++) {
		char *doc = wisp_str("{\"config\": {\"limits.maxStepCostUsd\": %s}, \"dearest\": %g, \"session\": {\"totals\": {}}, "
				     "\"step\": {\"reserved_usd\": 2}}", charges[i].most, charges[i].dearest);
		struct wisp_record r = record(doc);
		struct cJSON *result = NULL;

		if (charges[i].result != NULL)
			result = wisp_json_parse(charges[i].result, strlen(charges[i].result), "test", NULL);
		wisp_turn_charge(&r, result);
		wisp_turn_charge(&r, result);
		CHECK(wisp_session_total(wisp_json_get(r.doc, "session"), "cost_usd") == charges[i].total, charges[i].label);
		CHECK(wisp_json_num(r.doc, "unpriced", 0) == charges[i].unpriced, charges[i].label);
		CHECK_INT(wisp_json_type(wisp_json_get(wisp_json_get(r.doc, "step"), "reserved_usd")), WISP_T_NULL,
			  "the reservation is settled");
		wisp_json_free(result);
		wisp_json_free(r.doc);
		free(doc);
	}
}

static void
at(wisp_ms now)
{
	char *text = wisp_str("%lld", (long long)now);

	setenv("WISP_NOW", text, 1);
	free(text);
}

static void
waits_are(const struct wisp_record *r, double usage, double hourly, double seconds, const char *label)
{
	const struct cJSON *waits = wisp_json_get(r->doc, "waits");

	CHECK(wisp_json_num(waits, "usage", 0) == usage && wisp_json_num(waits, "hourly", 0) == hourly &&
	      wisp_json_num(waits, "seconds", 0) == seconds, label);
}

static void
test_waits(void)
{
	struct wisp_record r = record("{}");

	at(NOW);
	wisp_turn_wait_over(&r, true);
	waits_are(&r, 0, 0, 0, "nobody waited");
	wisp_turn_wait(&r, "usage", NOW + 30 * MINUTE);
	at(NOW + 10 * MINUTE);
	wisp_turn_wait(&r, "usage", NOW + 30 * MINUTE);
	at(NOW + 20 * MINUTE);
	wisp_turn_wait_over(&r, true);
	wisp_turn_wait_over(&r, true);
	waits_are(&r, 1, 0, 1200, "asked again, it is one wait; ended twice, it is counted once");
	wisp_turn_wait(&r, "usage", NOW + 30 * MINUTE);
	at(NOW + 90 * HOUR);
	wisp_turn_wait_over(&r, true);
	waits_are(&r, 2, 0, 1800, "no longer than the limit stood");
	wisp_turn_wait(&r, "hourly", NOW + 91 * HOUR);
	at(NOW + 90 * HOUR + MINUTE);
	wisp_turn_wait(&r, "usage", NOW + 92 * HOUR);
	waits_are(&r, 3, 1, 1860, "one limit after the other");
	at(NOW + 91 * HOUR);
	wisp_turn_wait_over(&r, false);
	waits_are(&r, 3, 1, 1860, "the loop was gone: nobody waited");
	wisp_turn_wait(&r, "hourly", NOW + 92 * HOUR);
	at(NOW);
	wisp_turn_wait_over(&r, true);
	waits_are(&r, 3, 2, 1860, "a clock set back takes nothing away");
	unsetenv("WISP_NOW");
	wisp_json_free(r.doc);
}

int
main(void)
{
	test_totals();
	test_hour();
	test_usage();
	test_zones();
	test_caps();
	test_charge();
	test_waits();
	return unit_done();
}
