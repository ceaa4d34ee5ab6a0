/*
 * fuzz_counts: any bytes as the output of a test program.
 *
 * What must hold: the counts add up, none is negative, and metrics are made of
 * what holds some, and of nothing else.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/cases.h"
#include "core/counts.h"

static void
must(bool ok, const char *what)
{
	if (ok)
		return;
	warn("%s", what);
	abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	const char *data = (const char *)bytes;
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_counts c;
	struct cJSON *metrics;
	struct wisp_cases cases = {.command = "00000000"}, again = {0};
	struct wisp_buf b = WISP_BUF_INIT;
	int found = wisp_counts_read(&c, &cases, data, len);

	must(c.total == c.passed + c.failed, "the counts add up");
	must(c.passed >= 0 && c.failed >= 0 && c.skipped >= 0, "none is negative");
	must(found == 1 || (found == 0 && c.total == 0 && c.skipped == 0), "what holds none has no counts");
	wisp_cases_index(&cases);
	wisp_cases_print(&cases, &b);
	wisp_cases_parse(&again, b.data);
	must(again.count == cases.count, "what is kept of the tests is read back");
	must(found == 1 || cases.count == 0, "what holds none has none");
	wisp_cases_release(&cases);
	wisp_cases_release(&again);
	wisp_buf_release(&b);
	metrics = wisp_counts_metrics(data, len, &err);
	must((metrics == NULL) == (err.text != NULL), "a refusal has its reason");
	must(found == 0 || metrics != NULL || memchr(data, '{', len) != NULL, "counts are metrics");
	wisp_json_free(metrics);
	wisp_err_release(&err);
	return 0;
}
