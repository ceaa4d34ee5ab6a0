/*
 * act: the commands of wisp, run as children in the project of a session. They do what is done; the screen writes nothing.
 *
 * One runs at a time in the background, in a session of its own, without a terminal. `words` are the command's name
 * (`pause`) and its arguments, ended by NULL.
 */
#ifndef WISP_SCREEN_ACT_H
#define WISP_SCREEN_ACT_H

#include <stdbool.h>
#include <sys/types.h>
#include "core/buf.h"

struct wisp_act {
	pid_t pid;		/* 0: none runs */
	int out;		/* what it prints; a descriptor that never blocks */
	struct wisp_buf text; /* what it printed, of much the end */
	size_t read;	      /* bytes that came in all */
	char *name;
};

/* Is there such a command in $WISP_LIBEXEC? */
bool wisp_act_known(const char *name);
/* Starts one in the background, with `input` (NULL: none) on its stdin. -1 with errno. */
int wisp_act_start(struct wisp_act *a, const char *project, const char *const *words, const char *input) WISP_CHECK;
/* Takes what it has printed. True, once, when it has ended: with its status as of waitpid(2). */
bool wisp_act_ended(struct wisp_act *a, int *status);
/* What came of it, on one line, once it has ended, and then `a` is free again; NULL while it runs. The caller frees it. */
char *wisp_act_outcome(struct wisp_act *a);
/*
 * Runs one on this terminal, which is not the screen's meanwhile, until it ends: its status as of waitpid(2); -1 with
 * errno. A signal in *stop ends it.
 */
int wisp_act_here(const char *project, const char *const *words, const volatile int *stop) WISP_CHECK;
/* Ends what runs, and what that has started. */
void wisp_act_kill(struct wisp_act *a);
/* Forgets what runs; it goes on. */
void wisp_act_release(struct wisp_act *a);

#endif
