/*
 * landlock: a plan as rules of the kernel's Landlock, by raw calls; the rights of
 * newer kernels are defined here. Only what is allowed can be said: of a folder
 * that holds something hidden its entries are allowed one by one, and it cannot be
 * listed itself. All there is on other systems is ENOSYS.
 */
#ifndef WISP_SANDBOX_LANDLOCK_H
#define WISP_SANDBOX_LANDLOCK_H

#include "plan.h"

#define WISP_LANDLOCK_ABI_MIN 3	/* before it a file that may only be read can be truncated */

/* The kernel's own; 0 for none. */
int wisp_landlock_abi(void);
/* A ruleset for the plan, or with a NULL plan one that only keeps abstract sockets away; a descriptor, -1 with errno. */
int wisp_landlock_rules(const struct wisp_sandbox_plan *p, int abi) WISP_CHECK;
/* Restricts this process to the ruleset. -1 with errno. */
int wisp_landlock_restrict(int ruleset) WISP_CHECK;

#endif
