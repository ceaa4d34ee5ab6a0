/*
 * trust: what a person has allowed to be executed although it came out of a
 * repository: SHARED/.trust, a line for each,
 *
 *	SHA-256  the value, as far as it goes on one line
 *
 * of which the hash counts. A value is any text; callers say in it what it is
 * for (`verify.command=make test`), so that one allowed for one purpose is not
 * allowed for another. Lists of values are NUL-separated, the last NUL optional.
 */
#ifndef WISP_TRUST_H
#define WISP_TRUST_H

#include "buf.h"

/* Appends the values that are not known to `unknown`, a NUL after each. -1 with errno. */
int wisp_trust_check(const char *shared, const char *values, size_t len, struct wisp_buf *unknown) WISP_CHECK;
/* Remembers the values, under a lock. -1 with errno. */
int wisp_trust_add(const char *shared, const char *values, size_t len) WISP_CHECK;

#endif
