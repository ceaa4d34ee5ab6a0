/*
 * proc on Linux: see proc.h.
 */
#include "proc.h"

#if defined(__linux__) && !defined(WISP_PORTABLE)

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define STAT_MAX 1024		/* a line of /proc/N/stat; the name in it has at most 64 bytes */
#define ENVIRON_STEP 16384

static int
open_file(pid_t pid, const char *name)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, name);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* False if there is no such process, or it is a zombie. */
static bool
read_stat(pid_t pid, struct wisp_proc *p)
{
	char line[STAT_MAX + 1], state;
	long parent, session;
	const char *rest;
	ssize_t n;
	int fd = open_file(pid, "stat");

	if (fd < 0)
		return false;
	n = read(fd, line, STAT_MAX);
	(void)close(fd);
	if (n <= 0)
		return false;
	line[n] = '\0';
	/* The name stands in parentheses and may hold any character, these too. */
	rest = strrchr(line, ')');
	if (rest == NULL)
		return false;
	memset(p, 0, sizeof *p);
	p->pid = pid;
	if (sscanf(rest + 1, " %c %ld %*d %ld %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
		   &state, &parent, &session, &p->start) != 4)
		return false;
	p->parent = (pid_t)parent;
	p->session = (pid_t)session;
	return state != 'Z' && state != 'X';
}

int
wisp_proc_list(const char *mark, struct wisp_proc **list, size_t *count)
{
	DIR *dir = opendir("/proc");
	struct dirent *e;
	size_t cap = 0;

	(void)mark;
	*list = NULL;
	*count = 0;
	if (dir == NULL)
		return -1;
	while ((e = readdir(dir)) != NULL) {
		if (!isdigit((unsigned char)e->d_name[0]))
			continue;
		if (*count == cap) {
			cap = cap == 0 ? 256 : 2 * cap;
			*list = wisp_realloc(*list, cap, sizeof **list);
		}
		if (read_stat((pid_t)atol(e->d_name), &(*list)[*count]))
			++*count;
	}
	(void)closedir(dir);
	return 0;
}

/* Is `mark` one of the strings in an environment that is read in pieces? */
bool
wisp_proc_marked(const struct wisp_proc *p, const char *mark)
{
	static char buf[ENVIRON_STEP];
	size_t len = strlen(mark) + 1, have = 1;
	bool found = false;
	ssize_t n;
	int fd = open_file(p->pid, "environ");

	if (fd < 0)
		return false;
	buf[0] = '\0';		/* so that the first string, too, follows a NUL */
	while (!found && (n = read(fd, buf + have, sizeof buf - have)) > 0) {
		char *at = buf;
		size_t left = have + (size_t)n;

		/* The NUL before and the one after belong to the match. */
		while ((at = memmem(at, left - (size_t)(at - buf), mark, len)) != NULL) {
			found = at > buf && at[-1] == '\0';
			if (found)
				break;
			at++;
		}
		have = left < len + 1 ? left : len + 1;
		memmove(buf, buf + left - have, have);
	}
	(void)close(fd);
	return found;
}

#if defined(SYS_pidfd_open) && defined(SYS_pidfd_send_signal)
static int
open_pidfd(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

static int
signal_pidfd(int fd, int sig)
{
	return (int)syscall(SYS_pidfd_send_signal, fd, sig, NULL, 0);
}
#else	/* headers before Linux 5.3 */
static int
open_pidfd(pid_t pid)
{
	(void)pid;
	errno = ENOSYS;
	return -1;
}

static int
signal_pidfd(int fd, int sig)
{
	(void)fd;
	(void)sig;
	return -1;
}
#endif

int
wisp_proc_signal(const struct wisp_proc *p, int sig)
{
	struct wisp_proc now;
	int fd, rc = 0;

	if (p->pid <= 1)
		return -1;
	fd = open_pidfd(p->pid);
	if (fd < 0 && errno == ESRCH)
		return 0;
	/* The descriptor holds on to the process it found: is that the one meant? */
	if (!read_stat(p->pid, &now) || now.start != p->start)
		rc = 0;
	else if (fd >= 0)
		rc = signal_pidfd(fd, sig);
	else
		rc = kill(p->pid, sig);
	if (rc < 0 && errno == ESRCH)
		rc = 0;
	if (fd >= 0)
		(void)close(fd);
	return rc;
}

#endif
