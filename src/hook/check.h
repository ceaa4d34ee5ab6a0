/*
 * check: the commands that alone may meet a criterion (wisp-hook(1), --verify).
 */
#ifndef WISP_HOOK_CHECK_H
#define WISP_HOOK_CHECK_H

#include "loop.h"

#define WISP_HOOK_CHECK_TIME "60s"	/* of one command; install.c gives the hook more than all are likely to take */

/*
 * Runs every check there is in the project's folder, by wisp-agent, which ends all that
 * they start, and sets the status of their criteria. Whether a criterion is met that has
 * a check is never asked of anybody else. The lock is let go meanwhile.
 */
void wisp_hook_checks(struct wisp_hook_loop *h);

#endif
