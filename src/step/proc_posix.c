/*
 * proc where there is no /proc: see proc.h.
 *
 * ps(1) prints environments after the commands (the BSD option `e`, on macOS
 * -E); what it may not show is found by parent and process group alone.
 */
#include "proc.h"

#if !defined(__linux__) || defined(WISP_PORTABLE)

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void
run_ps(int out)
{
	int null = open("/dev/null", O_RDWR);
#ifdef __APPLE__
	const char *how = "-AEww";
#else
	const char *how = "axeww";
#endif

	if (null >= 0 && dup2(null, 0) >= 0 && dup2(null, 2) >= 0 && dup2(out, 1) >= 0)
		execlp("ps", "ps", how, "-o", "pid=", "-o", "ppid=", "-o", "pgid=", "-o", "stat=", "-o", "command=",
		       (char *)NULL);
	_exit(WISP_EXIT_SYS);
}

/* Starts ps and opens its output; NULL with errno. */
static FILE *
open_ps(pid_t *pid)
{
	int fd[2];

	if (pipe(fd) < 0)
		return NULL;
	*pid = fork();
	if (*pid == 0)
		run_ps(fd[1]);
	(void)close(fd[1]);
	if (*pid < 0) {
		(void)close(fd[0]);
		return NULL;
	}
	return fdopen(fd[0], "r");
}

static bool
parse(const char *line, const char *mark, struct wisp_proc *p)
{
	long pid, parent, group;
	char state[16];
	const char *at;
	int used;

	memset(p, 0, sizeof *p);
	if (sscanf(line, "%ld %ld %ld %15s%n", &pid, &parent, &group, state, &used) != 4 || state[0] == 'Z')
		return false;
	p->pid = (pid_t)pid;
	p->parent = (pid_t)parent;
	p->session = (pid_t)group;
	at = strstr(line + used, mark);
	p->marked = at != NULL && at[-1] == ' ';
	return true;
}

int
wisp_proc_list(const char *mark, struct wisp_proc **list, size_t *count)
{
	size_t cap = 0, size = 0;
	char *line = NULL;
	int status = 0;
	pid_t ps = -1;
	FILE *f = open_ps(&ps);

	*list = NULL;
	*count = 0;
	if (f == NULL)
		return -1;
	while (getline(&line, &size, f) > 0) {
		if (*count == cap) {
			cap = cap == 0 ? 256 : 2 * cap;
			*list = wisp_realloc(*list, cap, sizeof **list);
		}
		if (parse(line, mark, &(*list)[*count]) && (*list)[*count].pid != ps)
			++*count;
	}
	free(line);
	(void)fclose(f);
	while (waitpid(ps, &status, 0) < 0 && errno == EINTR)
		;
	if (*count > 0)
		return 0;
	errno = ENOSYS;
	return -1;
}

bool
wisp_proc_marked(const struct wisp_proc *p, const char *mark)
{
	(void)mark;
	return p->marked;
}

int
wisp_proc_signal(const struct wisp_proc *p, int sig)
{
	if (p->pid <= 1)
		return -1;
	return kill(p->pid, sig) < 0 && errno != ESRCH ? -1 : 0;
}

#endif
