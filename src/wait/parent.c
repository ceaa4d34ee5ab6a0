/*
 * parent: see parent.h.
 */
#include "parent.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#if defined(__linux__) && !defined(WISP_PORTABLE)
#include <sys/prctl.h>
#endif

#include "core/die.h"

pid_t
wisp_parent_follow(const char *text)
{
	char *end;
	long pid = strtol(text, &end, 10);

	if (pid < 2 || *end != '\0')
		die_usage("--parent needs a process, not '%s'", text);
#if defined(__linux__) && !defined(WISP_PORTABLE)
	(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
	/* It may have ended before it was followed. */
	if (wisp_parent_gone((pid_t)pid))
		wisp_exit(128 + SIGTERM);
	return (pid_t)pid;
}

bool
wisp_parent_gone(pid_t parent)
{
	return parent != 0 && getppid() != parent;
}
