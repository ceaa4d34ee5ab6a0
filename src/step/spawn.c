/*
 * spawn: see spawn.h.
 *
 * The child tells through a pipe that closes on exec why exec failed. No
 * library function that falls back to a shell is used: a file that the kernel
 * does not take is a fault to be reported, not a script to be guessed at.
 */
#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__) && !defined(WISP_PORTABLE)
#include <sys/prctl.h>
#endif

#include "env.h"
#include "fd.h"

static const char *
fault_text(int error)
{
	switch (error) {
	case ENOENT:
	case ENOTDIR:
		return "is not found";
	case EACCES:
	case EPERM:
		return "is not executable";
	case EISDIR:
		return "is a directory";
	case ENOEXEC:
		return "has the wrong format: it is neither a program nor a script with a #! line";
	case E2BIG:
		return "gets more arguments or environment than the system allows";
	default:
		return strerror(error);
	}
}

/* 0 if `path` may be a program, else the errno that says why not. */
static int
check(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return errno;
	if (S_ISDIR(st.st_mode))
		return EISDIR;
	if (access(path, X_OK) < 0)
		return errno;
	return 0;
}

/* The file to execute for `name`, as the shell finds it; the caller frees it. NULL with *error. */
static char *
look_up(const char *name, const char *path, int *error)
{
	char *file;
	size_t n;
	int why;

	if (strchr(name, '/') != NULL) {
		*error = check(name);
		return *error == 0 ? wisp_strdup(name) : NULL;
	}
	*error = ENOENT;
	while (*name != '\0' && path != NULL) {
		n = strcspn(path, ":");
		file = n == 0 ? wisp_str("./%s", name) : wisp_str("%.*s/%s", (int)n, path, name);
		why = check(file);
		if (why == 0)
			return file;
		if (why == EACCES)
			*error = why;
		free(file);
		path = path[n] == ':' ? path + n + 1 : NULL;
	}
	return NULL;
}

static void
default_signals(void)
{
	struct sigaction sa;
	sigset_t none;
	int i;

	memset(&sa, 0, sizeof sa);
	sa.sa_handler = SIG_DFL;
	for (i = 1; i < NSIG; i++)
		(void)sigaction(i, &sa, NULL);
	sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Dies with `parent`, also if that is gone already. */
static void
die_with(pid_t parent)
{
#if defined(__linux__) && !defined(WISP_PORTABLE)
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	if (getppid() != parent)
		_exit(WISP_EXIT_SYS);
}

static _Noreturn void
run_child(const struct wisp_spawn *s, const char *file, pid_t parent, const int fd[3], int report)
{
	int error;

	(void)setsid();
	if (dup2(fd[0], 0) >= 0 && dup2(fd[1], 1) >= 0 && dup2(fd[2], 2) >= 0) {
		/* Nothing that the caller left open, a lock above all, may stay with the agent. */
		wisp_fd_cloexec_from(3);
		default_signals();
		die_with(parent);
		execve(file, s->argv, s->env);
	}
	error = errno;
	if (write(report, &error, sizeof error) < 0)
		_exit(WISP_EXIT_BUG);
	_exit(WISP_EXIT_SYS);
}

/* Waits until the child has become the program: 0, or the errno with which it has not. */
static int
read_report(int fd)
{
	int error = 0;
	ssize_t n;

	do
		n = read(fd, &error, sizeof error);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof error ? error : 0;
}

/* pipes[0..2]: stdout, stderr, the report. */
static int
start(struct wisp_spawn *s, const char *file, int in, int pipes[3][2])
{
	const int fd[3] = {in, pipes[0][1], pipes[1][1]};
	pid_t parent = getpid();
	int i, error, status;

	s->pid = fork();
	if (s->pid < 0)
		return -1;
	if (s->pid == 0)
		run_child(s, file, parent, fd, pipes[2][1]);
	for (i = 0; i < 3; i++) {
		(void)close(pipes[i][1]);
		pipes[i][1] = -1;
	}
	error = read_report(pipes[2][0]);
	if (error == 0)
		return 0;
	while (waitpid(s->pid, &status, 0) < 0 && errno == EINTR)
		;
	/* The kernel says "no such file" of the interpreter too. */
	s->fault = error == ENOENT ? "has an interpreter on its #! line that is not found" : fault_text(error);
	return 1;
}

int
wisp_spawn(struct wisp_spawn *s)
{
	int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
	int i, error, in = -1, rc = -1;
	char *file;

	s->out = s->err = -1;
	file = look_up(s->argv[0], wisp_env_get(s->env, "PATH"), &error);
	if (file == NULL) {
		s->fault = fault_text(error);
		return 1;
	}
	in = fcntl(s->in, F_DUPFD_CLOEXEC, 3);
	if (in < 0 || wisp_fd_pipe(pipes[0]) < 0 || wisp_fd_pipe(pipes[1]) < 0 || wisp_fd_pipe(pipes[2]) < 0 ||
	    wisp_fd_nonblock(pipes[0][0]) < 0 || wisp_fd_nonblock(pipes[1][0]) < 0)
		goto out;
	rc = start(s, file, in, pipes);
	if (rc == 0) {
		s->out = pipes[0][0];
		s->err = pipes[1][0];
		pipes[0][0] = pipes[1][0] = -1;
	}
out:
	error = errno;
	for (i = 0; i < 3; i++) {
		if (pipes[i][0] >= 0)
			(void)close(pipes[i][0]);
		if (pipes[i][1] >= 0)
			(void)close(pipes[i][1]);
	}
	if (in >= 0)
		(void)close(in);
	free(file);
	errno = error;
	return rc;
}
