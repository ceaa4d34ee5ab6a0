/*
 * guard: what the two halves of wisp_record_guard share: guard.c for the
 * session's own files, good.c for those of the project.
 */
#ifndef WISP_GUARD_H
#define WISP_GUARD_H

#include "record.h"

/* Adds a name, once. */
void wisp_guard_name(struct cJSON *names, const char *name);
/* What the agent left at `path` goes to KEEP/NAME (slashes and all), so that a person can look at it. -1 with errno. */
int wisp_guard_keep(const char *path, const char *keep, const char *name) WISP_CHECK;
/* Config and templates are put back to the project's good copy. -1 with errno. */
int wisp_good_guard(const struct wisp_record *r, const char *keep, struct cJSON *names) WISP_CHECK;

#endif
