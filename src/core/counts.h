/*
 * counts: how many tests ran and passed, as test programs report it for
 * programs: TAP (with subtests, plans at either end, todo and skip, bail out), JUnit
 * XML (testsuites or testsuite; several documents one after the other) and the lines of
 * `go test -json`. Never from prose. And the tests one by one (cases.h), where they are asked for.
 */
#ifndef WISP_COUNTS_H
#define WISP_COUNTS_H

#include "json.h"

struct wisp_counts {
	long long total, passed, failed, skipped;
};

struct wisp_cases;

/*
 * From a whole output: 1 if it holds any of these, else 0. A file that says less than its plan counts the missing as failed.
 * `cases` (may be NULL) gets the tests, not indexed, and is `cut` where not all that ran are among them. Of TAP these are the
 * innermost: what has subtests is the suite of those, while it is counted as one.
 */
int wisp_counts_read(struct wisp_counts *c, struct wisp_cases *cases, const char *data, size_t len);
/*
 * What `verify.metrics` printed, as an object of metrics: a JSON object as it is, or counts as tests_total,
 * tests_passing, tests_failing, tests_skipped. NULL with `err`. The caller frees it.
 */
struct cJSON *wisp_counts_metrics(const char *data, size_t len, struct wisp_err *err);
/* The same from counts. The caller frees it. */
struct cJSON *wisp_counts_json(const struct wisp_counts *c);

#endif
