/*
 * metrics: how much an agent, or a command, may report: metrics, and the gate of a question.
 * They are kept in the record, some several times, deeper in it than where they came
 * from: without a bound of their own the record could not be read again.
 */
#ifndef WISP_METRICS_H
#define WISP_METRICS_H

#include "json.h"

#define WISP_METRICS_DEPTH 16			/* containers, the object itself included */
#define WISP_METRICS_MAX ((size_t)64 << 10)	/* bytes, as compact text */

/* NULL if they fit, else what is wrong with them: "nested deeper than 16". Static. */
const char *wisp_metrics_fault(const struct cJSON *metrics);

#endif
