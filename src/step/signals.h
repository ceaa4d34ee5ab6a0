/*
 * signals: those that a supervisor waits for, as bytes in a pipe.
 */
#ifndef WISP_SIGNALS_H
#define WISP_SIGNALS_H

#include <sys/types.h>
#include "core/buf.h"

/* Stands for "the parent has died"; the kernel sends it where it can. */
#define WISP_SIGNAL_ORPHANED SIGUSR1

/*
 * From now on CHLD, TERM, QUIT, HUP and INT (the last two unless they were ignored)
 * are read from the descriptor that it returns, -1 with errno. PIPE is ignored.
 */
int wisp_signals_open(void) WISP_CHECK;
/* The next one that has come, or 0. */
int wisp_signals_next(int fd);

#endif
