/*
 * counts: how many tests ran and passed, as test programs report it for
 * programs: TAP (with subtests, plans at either end, todo and skip, bail out) and JUnit
 * XML (testsuites or testsuite; several documents one after the other). Never from prose.
 */
#ifndef WISP_COUNTS_H
#define WISP_COUNTS_H

#include "json.h"

struct wisp_counts {
	long long total, passed, failed, skipped;
};

/* From a whole output: 1 if it holds TAP or JUnit XML, else 0. A file that says less than its plan counts the missing as failed. */
int wisp_counts_read(struct wisp_counts *c, const char *data, size_t len);
/*
 * What `verify.metrics` printed, as an object of metrics: a JSON object as it is, or counts as tests_total,
 * tests_passing, tests_failing, tests_skipped. NULL with `err`. The caller frees it.
 */
struct cJSON *wisp_counts_metrics(const char *data, size_t len, struct wisp_err *err);
/* The same from counts. The caller frees it. */
struct cJSON *wisp_counts_json(const struct wisp_counts *c);

#endif
