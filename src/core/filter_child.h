/*
 * filter_child: what runs in the child of filter.c; the only user of libjq. Only wisp-filter is linked with it, the other
 * programs are with filter_exec.c, whose child becomes wisp-filter.
 *
 * The child has one descriptor that matters, the pipe, and is not able to open
 * another: RLIMIT_NOFILE is 0, so that whatever a version of jq would look for
 * (modules, ~/.jq, the password file) cannot be read. It has no environment.
 * It sends its answer, and says by its exit code which kind it is.
 */
#ifndef WISP_FILTER_CHILD_H
#define WISP_FILTER_CHILD_H

#include "json.h"

#define WISP_FILTER_SECONDS 2
#define WISP_FILTER_PATIENCE 60	/* seconds, of a filter that is wisp's own */
#define WISP_FILTER_OUTPUT ((size_t)16 << 20)	/* bytes of results */

/* Exit codes: what was sent is results, a line each, or why there are none. */
enum wisp_filter_answer { WISP_FILTER_RESULTS, WISP_FILTER_FAILED, WISP_FILTER_NO_MEMORY };

/* Runs the filter over a document, that many seconds at most, and sends its results to the descriptor `out`. */
_Noreturn void wisp_filter_child_run(int out, const char *filter, const struct cJSON *input, int seconds);
/* Compiles them and sends nothing; or why one does not compile: `INDEX WHY`. */
_Noreturn void wisp_filter_child_compile(int out, const char *const *filters, size_t count);

#endif
