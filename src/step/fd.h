/*
 * fd: descriptors for programs that start others.
 */
#ifndef WISP_FD_H
#define WISP_FD_H

#include "core/buf.h"

/* A pipe closed on exec, its ends above 2, so that dup2 onto 0, 1 and 2 spoils neither. 0, or -1 with errno. */
int wisp_fd_pipe(int fd[2]) WISP_CHECK;
int wisp_fd_nonblock(int fd) WISP_CHECK;
/* Closes, or marks to be closed on exec, all from `first` on. */
void wisp_fd_close_from(int first);
void wisp_fd_cloexec_from(int first);
/* Closes all but `fd`, which gets the number that this returns; 0, 1 and 2 are /dev/null. */
int wisp_fd_only(int fd);

#endif
