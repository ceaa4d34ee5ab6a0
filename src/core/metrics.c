/*
 * metrics: see metrics.h.
 */
#include "metrics.h"

static int
depth(const struct cJSON *v)
{
	int most = 0, d;

	if (wisp_json_type(v) != WISP_T_OBJECT && wisp_json_type(v) != WISP_T_ARRAY)
		return 0;
	for (const struct cJSON *e = wisp_json_first(v); e != NULL; e = wisp_json_next(e)) {
		d = depth(e);
		if (d > most)
			most = d;
	}
	return most + 1;
}

const char *
wisp_metrics_fault(const struct cJSON *metrics)
{
	struct wisp_buf text = WISP_BUF_INIT;
	bool large;

	if (metrics == NULL)
		return NULL;
	if (depth(metrics) > WISP_METRICS_DEPTH)
		return "nested deeper than 16";
	wisp_json_print_compact(&text, metrics);
	large = text.len > WISP_METRICS_MAX;
	wisp_buf_release(&text);
	return large ? "larger than 64 KiB" : NULL;
}
