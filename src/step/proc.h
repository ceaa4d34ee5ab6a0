/*
 * proc: the processes of this machine, as far as they can be seen.
 *
 * proc_linux.c reads /proc and signals through pidfds, which cannot hit a
 * process that has taken over a number. proc_posix.c asks ps(1) and uses
 * kill(2). One of the two is empty; the build chooses (WISP_PORTABLE).
 */
#ifndef WISP_PROC_H
#define WISP_PROC_H

#include <stdbool.h>
#include <sys/types.h>
#include "core/buf.h"

struct wisp_proc {
	pid_t pid, parent;
	pid_t session;			/* POSIX: its process group */
	unsigned long long start;	/* tells one holder of a number from the next; POSIX: 0 */
	bool marked;			/* POSIX: found at once; Linux: by wisp_proc_marked */
};

/* Every process that is not a zombie; the caller frees *list. 0, or -1 with errno. */
int wisp_proc_list(const char *mark, struct wisp_proc **list, size_t *count) WISP_CHECK;
/* Does it have `mark` (NAME=VALUE) in its environment? */
bool wisp_proc_marked(const struct wisp_proc *p, const char *mark);
/* Sends `sig` if it is still that process; -1 where it is not allowed, 0 also if it is gone. */
int wisp_proc_signal(const struct wisp_proc *p, int sig);

#endif
