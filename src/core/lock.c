/*
 * lock: what file.h says of locks.
 *
 * flock, because the kernel drops it with the last descriptor: a lock that a
 * crash leaves behind is no lock.
 */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define TRIES 5			/* a look by wisp_lock_held lasts far less than one pause */
#define PAUSE_NS 2000000L

bool
wisp_lock_is_file(int fd, const char *path)
{
	struct stat a, b;

	return fstat(fd, &a) == 0 && stat(path, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

int
wisp_lock(const char *path)
{
	int fd, saved;

	for (;;) {
		fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, WISP_FILE_MODE);
		if (fd < 0)
			return -1;
		if (flock(fd, LOCK_EX) < 0) {
			saved = errno;
			close(fd);
			errno = saved;
			return -1;
		}
		if (wisp_lock_is_file(fd, path))
			return fd;
		close(fd);
	}
}

int
wisp_lock_fd(int fd)
{
	struct timespec pause = {.tv_nsec = PAUSE_NS};
	int i;

	for (i = 0; i < TRIES; i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return 0;
		if (errno != EWOULDBLOCK)
			return -1;
		if (i + 1 < TRIES)
			nanosleep(&pause, NULL);
	}
	return 1;
}

int
wisp_lock_held(const char *path)
{
	int fd, rc;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return errno == ENOENT ? 0 : -1;
	/* Shared, so that two who look do not take each other for an owner. */
	rc = flock(fd, LOCK_SH | LOCK_NB) == 0 ? 0 : errno == EWOULDBLOCK ? 1 : -1;
	close(fd);
	return rc;
}
