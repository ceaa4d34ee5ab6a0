/*
 * time: points in time and durations, as tables.
 */
#include "core/time.h"
#include "unit.h"

static void
test_parse(void)
{
	static const struct {
		const char *s;
		wisp_ms want;
	} t[] = {
		{"1970-01-01T00:00:00Z", 0},
		{"2026-01-16T10:00:00-03:00", 1768568400000},
		{"2026-01-16T13:00:00Z", 1768568400000},
		{"2026-01-16T13:00:00+00:00", 1768568400000},
		{"2026-01-16T18:30:00+0530", 1768568400000},
		{"2026-01-16t13:00:00z", 1768568400000},
		{"2026-01-16 13:00:00Z", 1768568400000},
		{"2026-01-16T13:00:00.5Z", 1768568400500},
		{"2026-01-16T13:00:00.123456789Z", 1768568400123},
		{"2026-01-16T13:00:00.007+00:00", 1768568400007},
		{"2024-02-29T00:00:00Z", 1709164800000},
		{"2000-02-29T12:00:00Z", 951825600000},
		{"2016-12-31T23:59:60Z", 1483228800000},
		{"9999-12-31T23:59:59Z", 253402300799000},
		{"1970-01-01T05:00:00+05:00", 0},
		{NULL, -1}, {"", -1},
		{"1969-12-31T23:59:59Z", -1},		/* before the epoch there is nothing */
		{"2026-01-16T13:00:00", -1},		/* no zone */
		{"2026-01-16", -1}, {"2026-01-16T13:00Z", -1}, {"2026-1-16T13:00:00Z", -1},
		{"2026-13-01T00:00:00Z", -1}, {"2026-00-01T00:00:00Z", -1}, {"2026-04-31T00:00:00Z", -1},
		{"2026-02-29T00:00:00Z", -1}, {"1900-02-29T00:00:00Z", -1}, {"2026-01-00T00:00:00Z", -1},
		{"2026-01-16T24:00:00Z", -1}, {"2026-01-16T13:60:00Z", -1}, {"2026-01-16T13:00:61Z", -1},
		{"2026-01-16T13:00:00.Z", -1}, {"2026-01-16T13:00:00Zx", -1}, {"2026-01-16T13:00:00+3:00", -1},
		{"2026-01-16T13:00:00+03", -1}, {"2026-01-16T13:00:00+24:00", -1}, {"2026-01-16T13:00:00+03:60", -1},
		{"2026-01-16T13:00:00 Z", -1}, {" 2026-01-16T13:00:00Z", -1}, {"1768568400", -1},
	};
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++)
		CHECK_INT(wisp_time_parse(t[i].s), t[i].want, t[i].s != NULL ? t[i].s : "NULL");
}

static void
test_print(void)
{
	static const struct {
		const char *zone;
		wisp_ms t;
		const char *want;
	} t[] = {
		{"UTC0", 1768568400000, "2026-01-16T13:00:00+00:00"},
		{"XXX3", 1768568400999, "2026-01-16T10:00:00-03:00"},
		{"XXX-5:30", 1768568400000, "2026-01-16T18:30:00+05:30"},
		{"UTC0", 0, "1970-01-01T00:00:00+00:00"},
		{"UTC0", -1, NULL},
	};
	char *s;
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		setenv("TZ", t[i].zone, 1);
		s = wisp_time_iso(t[i].t);
		if (s != NULL)
			CHECK_INT(wisp_time_parse(s), t[i].t / 1000 * 1000, "is read back");
		CHECK_OWN(s, t[i].want, t[i].zone);
	}
	CHECK_OWN(wisp_time_utc(1768568400000), "2026-01-16T13:00:00Z", "UTC in any zone");
	setenv("TZ", "UTC0", 1);
	CHECK_OWN(wisp_time_clock(1768568400000, 1768521600000), "13:00", "a time of today");
	CHECK_OWN(wisp_time_clock(1768568400000, 1768608000000), "2026-01-16 13:00", "a time of another day");
	CHECK_OWN(wisp_time_clock(-1, 0), "-", "no time");
	CHECK_OWN(wisp_time_utc(-1), NULL, "no time");
}

static void
test_now(void)
{
	wisp_ms a, b;

	setenv("WISP_NOW", "1768568400123", 1);
	CHECK_INT(wisp_time_now(), 1768568400123, "WISP_NOW stands in");
	a = wisp_time_monotonic();
	b = wisp_time_monotonic();
	CHECK(a >= 0 && b >= a && a != 1768568400123, "but not for the monotonic clock, which never goes back");
	setenv("WISP_NOW", "12x", 1);
	CHECK(wisp_time_now() > 1500000000000, "nonsense does not");
	setenv("WISP_NOW", "", 1);
	CHECK(wisp_time_now() > 1500000000000, "nor does nothing");
	unsetenv("WISP_NOW");
	CHECK(wisp_time_now() > 1500000000000, "the clock");
}

static void
test_duration(void)
{
	static const struct {
		const char *s;
		wisp_ms want;
	} t[] = {
		{"0", 0}, {"500ms", 500}, {"2s", 2000}, {"15m", 900000}, {"1h30m", 5400000}, {"2d", 172800000},
		{"42", 42000}, {"1.5", 1500}, {"0.001", 1}, {"0.0001", 0}, {"1d2h3m4s5ms", 93784005},
		{"1.5h", 5400000}, {"1m0.25s", 60250}, {"90m", 5400000}, {"03m05s", 185000},
		{"9223372036854774", 9223372036854774000},
		{NULL, -1}, {"", -1}, {"-1", -1}, {"+1", -1}, {" 1", -1}, {"1 ", -1}, {"s", -1}, {"1x", -1},
		{"1.", -1}, {".5", -1}, {"1.s", -1}, {"1.5.5", -1}, {"1e3", -1}, {"1h30", -1}, {"30m1h", -1},
		{"1h1h", -1}, {"1.5h30m", -1}, {"1H", -1}, {"1,5", -1}, {"0x10", -1}, {"inf", -1}, {"nan", -1},
		{"9223372036854775", -1}, {"99999999999999999999", -1}, {"106751991168d", -1}, {"1ms1ms", -1},
	};
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++)
		CHECK_INT(wisp_duration_parse(t[i].s), t[i].want, t[i].s != NULL ? t[i].s : "NULL");
}

static void
test_duration_text(void)
{
	static const struct {
		wisp_ms d;
		const char *want;
	} t[] = {
		{-1, "-"}, {0, "0s"}, {350, "350ms"}, {999, "999ms"}, {1000, "1s"}, {42900, "42s"}, {59999, "59s"},
		{60000, "1m00s"}, {185000, "3m05s"}, {3599999, "59m59s"}, {3600000, "1h00m"}, {3720000, "1h02m"},
		{86399999, "23h59m"}, {86400000, "1d00h"}, {183600000, "2d03h"},
	};
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++)
		CHECK_OWN(wisp_duration_text(t[i].d), t[i].want, t[i].want);
}

int
main(void)
{
	test_parse();
	test_print();
	test_now();
	test_duration();
	test_duration_text();
	return unit_done();
}
