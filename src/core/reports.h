/*
 * reports: the files in a work tree that a check has written for programs, found by patterns (glob.h).
 *
 * A check runs what an agent wrote: no link is followed, on no part of a path, nothing but a regular file is opened, `.git`
 * is not looked into, and there are bounds to all of it.
 */
#ifndef WISP_REPORTS_H
#define WISP_REPORTS_H

#include <stdint.h>
#include "json.h"

#define WISP_REPORTS_MAX 5000			/* files */
#define WISP_REPORTS_BYTES ((size_t)64 << 20)	/* of all of them */
#define WISP_REPORTS_LOOKED 200000		/* names that are looked at on the way */

/*
 * Calls `take` with the text of each file below `top` that a pattern (one text, or an array of them) matches and that was
 * changed at `since` or later, in nanoseconds since 1970. NULL, or what was left out, in words; the caller frees it.
 */
char *wisp_reports_read(const char *top, const struct cJSON *patterns, int64_t since,
			void (*take)(void *arg, int64_t changed, const char *text, size_t len), void *arg);

#endif
