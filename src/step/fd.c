/*
 * fd: see fd.h.
 */
#include "fd.h"

#include <fcntl.h>
#include <unistd.h>

#if defined(__linux__) && !defined(WISP_PORTABLE)
#include <sys/syscall.h>
#endif
#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC (1u << 2)
#endif

/* Above this number descriptors are only found where the kernel does it at once. */
#define DESCRIPTORS_MAX 4096

int
wisp_fd_pipe(int fd[2])
{
	int i, high;

	if (pipe(fd) < 0)
		return -1;
	for (i = 0; i < 2; i++) {
		high = fcntl(fd[i], F_DUPFD_CLOEXEC, 3);
		(void)close(fd[i]);
		fd[i] = high;
	}
	if (fd[0] >= 0 && fd[1] >= 0)
		return 0;
	for (i = 0; i < 2; i++)
		if (fd[i] >= 0)
			(void)close(fd[i]);
	fd[0] = fd[1] = -1;
	return -1;
}

int
wisp_fd_nonblock(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	return flags < 0 ? -1 : fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

/* Without a name for the call the system has none. */
static int
close_range_from(int first, unsigned how)
{
#ifdef SYS_close_range
	return (int)syscall(SYS_close_range, (unsigned)first, ~0u, how);
#else
	(void)first;
	(void)how;
	return -1;
#endif
}

void
wisp_fd_close_from(int first)
{
	int fd;

	if (close_range_from(first, 0) == 0)
		return;
	for (fd = first; fd < DESCRIPTORS_MAX; fd++)
		(void)close(fd);
}

void
wisp_fd_cloexec_from(int first)
{
	int fd, flags;

	if (close_range_from(first, CLOSE_RANGE_CLOEXEC) == 0)
		return;
	for (fd = first; fd < DESCRIPTORS_MAX; fd++) {
		flags = fcntl(fd, F_GETFD);
		if (flags >= 0)
			(void)fcntl(fd, F_SETFD, flags | FD_CLOEXEC);
	}
}

int
wisp_fd_only(int fd)
{
	const int kept = 3;
	int i, null;

	(void)dup2(fd, kept);
	wisp_fd_close_from(kept + 1);
	null = open("/dev/null", O_RDWR);
	for (i = 0; i < kept; i++)
		(void)dup2(null, i);
	(void)close(null);
	return kept;
}
