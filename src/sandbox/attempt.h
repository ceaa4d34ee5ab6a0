/*
 * attempt: tries one thing that a confined program may not do, for the proof of
 * a sandbox. What it changes it changes only where it was allowed.
 */
#ifndef WISP_SANDBOX_ATTEMPT_H
#define WISP_SANDBOX_ATTEMPT_H

struct wisp_attempt {
	const char *name, *args;	/* args: what the operands are, for the usage */
	int operands;
	int (*run)(char *const *operands);	/* 0 allowed, -1 refused with errno */
};

extern const struct wisp_attempt wisp_attempts[];	/* a NULL name at the end */

/* Sockets of this process that can be connected to until it ends: at a path, and an abstract one. -1 with errno. */
int wisp_attempt_listen(const char *path, const char *name);

#endif
