/*
 * filter: what a confined program may not ask of the kernel, as a seccomp filter: io_uring, by
 * which files are opened unseen; the calls that put words into a terminal's input; further user
 * namespaces; sockets of the network. What is refused as unknown (ENOSYS) is done in another way
 * by those who ask. Programs of another architecture than wisp's find no system calls at all.
 */
#ifndef WISP_SANDBOX_FILTER_H
#define WISP_SANDBOX_FILTER_H

#include "core/buf.h"

enum wisp_filter {
	WISP_FILTER_BASE = 0,
	WISP_FILTER_NAMESPACES = 1,	/* no user namespace is made */
	WISP_FILTER_NETWORK = 2		/* no socket but those of this machine */
};

/* The program for the kernel; empty where this architecture is not known. */
void wisp_filter_make(struct wisp_buf *program, unsigned what);
/* This process has it from now on, and has no_new_privs. -1 with errno. */
int wisp_filter_set(const struct wisp_buf *program) WISP_CHECK;

#endif
