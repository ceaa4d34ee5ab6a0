/*
 * spawn: starts the program of a step, and is the only place that does.
 *
 * The program leads a session of its own, has no terminal, reads `in` and
 * writes two pipes, has every signal at its default and no other descriptor,
 * and is killed by the kernel when the supervisor dies (Linux; the watchdog
 * does it elsewhere).
 */
#ifndef WISP_SPAWN_H
#define WISP_SPAWN_H

#include <sys/types.h>
#include "core/buf.h"

struct wisp_spawn {
	char *const *argv;
	char *const *env;
	int in;			/* becomes its standard input */
	/* the answer */
	pid_t pid;
	int out, err;		/* to read from, not blocking */
	const char *fault;	/* after 1: why it cannot be started, static text */
};

/*
 * 0 started; 1 the program cannot be started (`fault`); -1 the system refused,
 * with errno.
 */
int wisp_spawn(struct wisp_spawn *s) WISP_CHECK;

#endif
