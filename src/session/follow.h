/*
 * follow: shows what a loop does while it does it.
 */
#ifndef WISP_FOLLOW_H
#define WISP_FOLLOW_H

#include "core/place.h"

/* Until no loop owns the session. `raw`: the agent's output as it is; `after`: the iteration seen last. Dies where it must. */
void wisp_follow(const struct wisp_place *place, bool raw, long long after);
/* A step's output.log as text on standard output; a missing one is fine. -1 with errno. */
int wisp_follow_show(const char *dir) WISP_CHECK;

#endif
