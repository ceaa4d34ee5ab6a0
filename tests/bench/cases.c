/*
 * cases: what 10,000 tests cost an iteration, from what was printed to what is kept: read, found among those of the
 * iterations before, judged, and both files made, but not written. Prints `FORMAT MICROSECONDS` of CPU, the median of runs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/counts.h"
#include "core/life.h"

#define TESTS 10000
#define RUNS 21

static void
put_tap(struct wisp_buf *b)
{
	wisp_buf_printf(b, "1..%d\n", TESTS);
	for (int i = 1; i <= TESTS; i++)
		wisp_buf_printf(b, "ok %d - module %d does the thing that number %d is about\n", i, i / 20, i);
}

static void
put_junit(struct wisp_buf *b)
{
	wisp_buf_puts(b, "<testsuites><testsuite name=\"pytest\">");
	for (int i = 1; i <= TESTS; i++)
		wisp_buf_printf(b, "<testcase classname=\"tests.unit.test_module_%d.TestThing\" name=\"test_number_%d[a]\" time=\"0.001\"/>",
				i / 20, i);
	wisp_buf_puts(b, "</testsuite></testsuites>\n");
}

static void
put_go(struct wisp_buf *b)
{
	static const char *const more[] = {"run\"", "output\",\"Output\":\"--- PASS\\n\"", "pass\",\"Elapsed\":0"};

	for (int i = 0; i < 3 * TESTS; i++)
		wisp_buf_printf(b, "{\"Time\":\"2026-01-01T00:00:00.123456Z\",\"Package\":\"example.com/m/p%d\",\"Test\":\"TestThing%d\","
				"\"Action\":\"%s}\n", i / 300, i / 3, more[i % 3]);
}

/* One iteration; `life` becomes what it is with it. */
static void
iterate(const struct wisp_buf *said, long long iteration, struct wisp_buf *life)
{
	struct wisp_cases c = {.command = "01234567"};
	const struct wisp_life_run run = {.command = "01234567", .whole = true, .ok = true};
	const struct wisp_life_ask ask = {.iteration = iteration, .cases = &c, .runs = &run, .n_runs = 1};
	struct wisp_buf kept = WISP_BUF_INIT, out = WISP_BUF_INIT;
	struct wisp_life_verdict v;
	struct wisp_counts sum;
	struct wisp_life l;

	(void)wisp_counts_read(&sum, &c, said->data, said->len);
	wisp_cases_index(&c);
	wisp_cases_print(&c, &kept);
	wisp_life_read(&l, life->data, iteration - 1);
	wisp_life_judge(&l, &ask, &v);
	wisp_life_print(&l, &ask, true, &out);
	wisp_life_release(&l);
	wisp_life_verdict_release(&v);
	wisp_cases_release(&c);
	wisp_buf_release(&kept);
	wisp_buf_release(life);
	*life = out;
}

static long long
cpu_us(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

static int
by_size(const void *a, const void *b)
{
	return *(const long long *)a > *(const long long *)b ? 1 : -1;
}

static void
measure(const char *format, void (*put)(struct wisp_buf *))
{
	struct wisp_buf said = WISP_BUF_INIT, life = WISP_BUF_INIT;
	long long us[RUNS], from;

	put(&said);
	for (int i = 0; i < RUNS; i++) {
		from = cpu_us();
		iterate(&said, i + 1, &life);
		us[i] = cpu_us() - from;
	}
	qsort(us, RUNS, sizeof *us, by_size);
	printf("%s %lld\n", format, us[RUNS / 2]);
	wisp_buf_release(&said);
	wisp_buf_release(&life);
}

int
main(void)
{
	measure("TAP", put_tap);
	measure("JUnit XML", put_junit);
	measure("go test -json", put_go);
	return 0;
}
