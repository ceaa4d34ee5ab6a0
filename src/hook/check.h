/*
 * check: the commands that alone may meet a criterion (wisp-hook(1), --verify).
 */
#ifndef WISP_HOOK_CHECK_H
#define WISP_HOOK_CHECK_H

#include "loop.h"

#include "core/time.h"

/* Milliseconds: of one command, of all of them, and from TERM to KILL. install.c gives the hook more, or the session would end unasked. */
#define WISP_HOOK_CHECK_MS 60000
#define WISP_HOOK_CHECKS_MS 480000
#define WISP_HOOK_CHECK_GRACE_MS 2000

/* How long a command may take after others took `spent`; 0: it is not to be run. */
wisp_ms wisp_hook_check_time(wisp_ms spent);

/*
 * Has a person allowed that command as the check of that criterion, here? A state file may come out of
 * a repository, or be written by an agent: what stands in it is not run unseen (core/trust.h).
 */
bool wisp_hook_allowed(const struct wisp_hook_loop *h, const char *criterion, const char *command);
/* Remembers an object of checks as allowed; dies where that cannot be. */
void wisp_hook_allow(const struct wisp_hook_loop *h, const struct cJSON *checks);

/*
 * Runs every check that is allowed in the project's folder, by wisp-agent, which ends all that
 * they start, and sets the status of their criteria. Whether a criterion is met that has
 * a check is never asked of anybody else: one that cannot be run is none that holds. The lock is let go meanwhile.
 */
void wisp_hook_checks(struct wisp_hook_loop *h);

#endif
