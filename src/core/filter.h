/*
 * filter: a jq filter over a JSON document, through libjq (filter_child.h).
 *
 * Bounded: 2 seconds of CPU, 16 MiB of results, no modules, no `input`, no `$ENV`/`env`, no
 * file. The filter runs in a child process, so that no filter can hang or
 * exhaust the caller.
 */
#ifndef WISP_FILTER_H
#define WISP_FILTER_H

#include "json.h"

/* Every result of the filter, one JSON text a line, appended to `out`. -1 with `err` (compile or run error, time, size). */
int wisp_filter_run(const char *filter, const struct cJSON *input, struct wisp_buf *out, struct wisp_err *err) WISP_CHECK;
/* The same for a filter that is wisp's own and ends by itself, over a document of any size: a minute. */
int wisp_filter_run_own(const char *filter, const struct cJSON *input, struct wisp_buf *out, struct wisp_err *err) WISP_CHECK;
/*
 * Do they compile, each of them also in brackets? One start of libjq for all; nothing is run. -1 with `err`, and *bad
 * is the index of the first that does not.
 */
int wisp_filter_compile(const char *const *filters, size_t count, size_t *bad, struct wisp_err *err) WISP_CHECK;
/* A filter that must give one boolean: 1 true, 0 false, -1 with `err`. */
int wisp_filter_bool(const char *filter, const struct cJSON *input, struct wisp_err *err) WISP_CHECK;

#endif
