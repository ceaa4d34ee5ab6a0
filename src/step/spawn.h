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
#include "pidns.h"

struct wisp_spawn {
	char *const *argv;
	const char *program;	/* what that is to start in its turn, and is looked for as well; else NULL */
	char *const *env;
	int in;			/* becomes its standard input */
	enum wisp_pidns pidns;	/* whether it gets a pid namespace */
	/* the answer */
	pid_t pid;
	pid_t init;		/* of its pid namespace, a child like it, or 0 */
	int room;		/* for wisp_pidns_leave, or -1 */
	int out, err;		/* to read from, not blocking */
	char *fault;		/* after 1: why it cannot be started, for the caller to free */
};

/*
 * 0 started; 1 the program cannot be started (`fault`); -1 the system refused,
 * with errno.
 */
int wisp_spawn(struct wisp_spawn *s) WISP_CHECK;
/* The file to execute for `name`, as the shell finds it in `path`; the caller frees it. NULL with an errno in *error. */
char *wisp_spawn_find(const char *name, const char *path, int *error) WISP_CHECK;
/* 0 where exec would take what `name` is, a script's interpreter, too; else the errno. */
int wisp_spawn_check(const char *name, const char *path) WISP_CHECK;
/* What that errno, or one of exec, says about a program; static text or strerror's. */
const char *wisp_spawn_fault(int error);

#endif
