/*
 * follow: shows what a loop does while it does it.
 */
#ifndef WISP_FOLLOW_H
#define WISP_FOLLOW_H

#include "core/place.h"

/*
 * Until no loop owns the session. `raw`: the agent's output as it is; `whole`:
 * all that the step printed that runs already, else the end of it; `after`: the
 * iteration seen last. Dies where it must.
 */
void wisp_follow(const struct wisp_place *place, bool raw, bool whole, long long after);

#endif
