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
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__) && !defined(WISP_PORTABLE)
#include <sys/prctl.h>
#endif

#include "env.h"
#include "fd.h"

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

/* What is said through the pipe: one that only closes says that the program runs. */
enum what { RUNS, NO_PROGRAM, NO_NAMESPACE };

struct report {
	enum what what;
	int error;
	pid_t init, pid;	/* where a namespace was made */
};

static _Noreturn void
say(int fd, const struct report *r)
{
	_exit(write(fd, r, sizeof *r) < 0 ? WISP_EXIT_BUG : WISP_EXIT_SYS);
}

/* What was opened for a step; [0] is the supervisor's end. */
enum { OUT, ERR, REPORT, ROOM, PIPES };

struct pipes {
	int fd[PIPES][2];
	int in;
};

static void
close_end(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
	*fd = -1;
}

/* The agent marks all that is not its own to be closed on exec. */
static int
open_pipes(struct pipes *p, int in, bool enclosed)
{
	int i;

	for (i = 0; i < PIPES; i++)
		p->fd[i][0] = p->fd[i][1] = -1;
	p->in = fcntl(in, F_DUPFD_CLOEXEC, 3);
	if (p->in < 0 || (enclosed && socketpair(AF_UNIX, SOCK_STREAM, 0, p->fd[ROOM]) < 0))
		return -1;
	for (i = 0; i < ROOM; i++)
		if (wisp_fd_pipe(p->fd[i]) < 0)
			return -1;
	return wisp_fd_nonblock(p->fd[OUT][0]) < 0 || wisp_fd_nonblock(p->fd[ERR][0]) < 0 ? -1 : 0;
}

static _Noreturn void
run_child(const struct wisp_spawn *s, const char *file, pid_t parent, const struct pipes *p)
{
	struct report failed = {.what = NO_PROGRAM};

	(void)setsid();
	if (dup2(p->in, 0) >= 0 && dup2(p->fd[OUT][1], 1) >= 0 && dup2(p->fd[ERR][1], 2) >= 0) {
		/* Nothing that the caller left open, a lock above all, may stay with the agent. */
		wisp_fd_cloexec_from(3);
		default_signals();
		die_with(parent);
		execve(file, s->argv, s->env);
	}
	failed.error = errno;
	say(p->fd[REPORT][1], &failed);
}

/* In a child that ends at once: the agent in a namespace, where its parent has the number 0. */
static _Noreturn void
run_enclosed(const struct wisp_spawn *s, const char *file, const struct pipes *p)
{
	const int report = p->fd[REPORT][1];
	struct report r = {.what = RUNS};

	r.pid = wisp_pidns_fork(p->fd[ROOM], report, &r.init);
	if (r.pid == 0)
		run_child(s, file, 0, p);
	if (r.pid < 0) {
		r.what = NO_NAMESPACE;
		r.error = errno;
	}
	say(report, &r);
}

/* All reports in one, when the last who could make one has become the program or has ended. */
static struct report
read_reports(int fd)
{
	struct report all = {.what = RUNS}, r;
	ssize_t n;

	while ((n = read(fd, &r, sizeof r)) == (ssize_t)sizeof r || (n < 0 && errno == EINTR)) {
		if (n < 0)
			continue;
		all.init = r.init > 0 ? r.init : all.init;
		all.pid = r.pid > 0 ? r.pid : all.pid;
		if (r.what == RUNS)
			continue;
		all.what = r.what;
		all.error = r.error;
	}
	return all;
}

static void
wait_for(pid_t pid)
{
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* The init of a namespace ends only after all others were waited for. */
static void
end_namespace(const struct report *r)
{
	wait_for(r->pid);
	if (r->init > 0)
		(void)kill(r->init, SIGKILL);
	wait_for(r->init);
}

static char *
no_namespace(int error)
{
	return wisp_str("cannot be given a pid namespace (step.pidNamespace is true): %s",
			error == ENOSYS ? "there is none in this system, or in this build of wisp" : strerror(error));
}

/* 0 runs; -1 with errno; else the report says why not. */
static int
attempt(struct wisp_spawn *s, const char *file, bool enclosed, struct pipes *p, struct report *r)
{
	pid_t parent = getpid(), child = fork();
	int i;

	if (child < 0)
		return -1;
	if (child == 0) {
		/* Whoever asks the pipe whether it is still read is not to hear of itself. */
		(void)close(p->fd[REPORT][0]);
		if (enclosed)
			run_enclosed(s, file, p);
		run_child(s, file, parent, p);
	}
	for (i = 0; i < PIPES; i++)
		close_end(&p->fd[i][1]);
	*r = read_reports(p->fd[REPORT][0]);
	s->pid = enclosed ? r->pid : child;
	s->init = r->init;
	if (enclosed)
		wait_for(child);
	/* Killed for a call that is not allowed, it could not say so. */
	if (enclosed && r->what == RUNS && r->pid == 0)
		*r = (struct report){.what = NO_NAMESPACE, .error = EPERM};
	if (r->what == RUNS)
		return 0;
	if (enclosed)
		end_namespace(r);
	else
		wait_for(child);
	return 1;
}

static int
start(struct wisp_spawn *s, const char *file, bool enclosed, struct report *r)
{
	struct pipes p;
	int i, error, rc = -1;

	if (open_pipes(&p, s->in, enclosed) == 0)
		rc = attempt(s, file, enclosed, &p, r);
	error = errno;
	if (rc == 0) {
		s->out = p.fd[OUT][0];
		s->err = p.fd[ERR][0];
		s->room = p.fd[ROOM][0];
		p.fd[OUT][0] = p.fd[ERR][0] = p.fd[ROOM][0] = -1;
	}
	for (i = 0; i < PIPES; i++) {
		close_end(&p.fd[i][0]);
		close_end(&p.fd[i][1]);
	}
	close_end(&p.in);
	errno = error;
	return rc;
}

/* 0, 1 or -1 as wisp_spawn, from a program that may be one. */
static int
start_file(struct wisp_spawn *s, const char *file)
{
	struct report r = {.what = RUNS};
	int rc = start(s, file, wisp_pidns_wanted(s->pidns), &r);

	if (rc == 1 && r.what == NO_NAMESPACE && s->pidns == WISP_PIDNS_AUTO)
		rc = start(s, file, false, &r);
	if (rc == 1 && r.what == NO_NAMESPACE)
		s->fault = no_namespace(r.error);
	else if (rc == 1)
		/* The kernel says "no such file" of the interpreter too. */
		s->fault = wisp_strdup(r.error == ENOENT ? "has an interpreter on its #! line that is not found"
							 : wisp_spawn_fault(r.error));
	return rc;
}

int
wisp_spawn(struct wisp_spawn *s)
{
	char *file = NULL;
	int error = 0, rc;

	s->out = s->err = s->room = -1;
	s->init = 0;
	if (s->program != NULL)
		error = wisp_spawn_check(s->program, wisp_env_get(s->env, "PATH"));
	if (error == 0)
		file = wisp_spawn_find(s->argv[0], wisp_env_get(s->env, "PATH"), &error);
	if (file == NULL) {
		s->fault = wisp_strdup(wisp_spawn_fault(error));
		return 1;
	}
	rc = start_file(s, file);
	error = errno;
	free(file);
	errno = error;
	return rc;
}
