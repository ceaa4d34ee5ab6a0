/*
 * act: see act.h.
 */
#include "act.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TEXT_MAX ((size_t)1 << 20) /* bytes that are kept of what a command prints, up to twice as many */
#define OUTCOME_MAX 500
#define CANNOT 111

static char *
path_of(const char *name)
{
	const char *folder = getenv("WISP_LIBEXEC");

	return wisp_str("%s/wisp-%s", folder != NULL ? folder : ".", name);
}

bool
wisp_act_known(const char *name)
{
	char *path = path_of(name);
	bool known = access(path, X_OK) == 0;

	free(path);
	return known;
}

/* In the child. */
static _Noreturn void
become(const char *path, const char *project, const char *const *words)
{
	char *argv[16] = {(char *)(intptr_t)path};
	size_t i;

	signal(SIGPIPE, SIG_DFL);
	for (i = 1; words[i] != NULL && i < sizeof argv / sizeof *argv - 1; i++)
		argv[i] = (char *)(intptr_t)words[i];
	if (chdir(project) == 0)
		execv(path, argv);
	dprintf(STDERR_FILENO, "wisp %s: cannot start in '%s': %s\n", words[0], project, strerror(errno));
	_exit(CANNOT);
}

static void
drop(int fds[2])
{
	close(fds[0]);
	close(fds[1]);
}

/* Two ends that no other child gets. */
static int
make_pipe(int fds[2])
{
	if (pipe(fds) < 0)
		return -1;
	(void)fcntl(fds[0], F_SETFD, FD_CLOEXEC);
	(void)fcntl(fds[1], F_SETFD, FD_CLOEXEC);
	return 0;
}

int
wisp_act_start(struct wisp_act *a, const char *project, const char *const *words, const char *input)
{
	int in[2], out[2];
	char *path;

	if (make_pipe(in) < 0)
		return -1;
	if (make_pipe(out) < 0) {
		drop(in);
		return -1;
	}
	path = path_of(words[0]);
	a->pid = fork();
	if (a->pid == 0) {
		setsid();
		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		dup2(out[1], STDERR_FILENO);
		become(path, project, words);
	}
	free(path);
	close(in[0]);
	close(out[1]);
	/* A line fits into the pipe; nobody there to read it says so itself. */
	if (a->pid > 0 && input != NULL && write(in[1], input, strlen(input)) < 0 && errno != EPIPE)
		wisp_buf_printf(&a->text, "cannot hand it on: %s\n", strerror(errno));
	close(in[1]);
	if (a->pid < 0) {
		a->pid = 0;
		close(out[0]);
		return -1;
	}
	(void)fcntl(out[0], F_SETFL, O_NONBLOCK);
	a->out = out[0];
	a->name = wisp_strdup(words[0]);
	return 0;
}

static void
take(struct wisp_act *a)
{
	char piece[4096];
	const char *line;
	ssize_t n;

	while ((n = read(a->out, piece, sizeof piece)) > 0) {
		wisp_buf_add(&a->text, piece, (size_t)n);
		a->read += (size_t)n;
		if (a->text.len <= 2 * TEXT_MAX)
			continue;
		line = strchr(a->text.data + TEXT_MAX, '\n');
		if (line == NULL)
			line = a->text.data + TEXT_MAX;
		a->text.len -= (size_t)(line - a->text.data);
		memmove(a->text.data, line, a->text.len + 1);
	}
}

/* Its lines with `; ` between. */
static char *
one_line(const struct wisp_act *a, int status)
{
	struct wisp_buf all = WISP_BUF_INIT, b = WISP_BUF_INIT;
	const char *p, *text = a->text.len > 0 ? a->text.data : "";

	for (p = text; *p != '\0'; p++) {
		if (*p != '\n')
			wisp_buf_putc(&all, *p);
		else if (p[1] != '\0' && p[1] != '\n' && all.len > 0)
			wisp_buf_puts(&all, "; ");
	}
	if (all.len == 0 && WIFEXITED(status))
		wisp_buf_printf(&all, "wisp %s: exit %d", a->name, WEXITSTATUS(status));
	else if (all.len == 0)
		wisp_buf_printf(&all, "wisp %s: killed by signal %d", a->name, WTERMSIG(status));
	wisp_buf_line(&b, all.data, OUTCOME_MAX);
	wisp_buf_release(&all);
	return wisp_buf_detach(&b);
}

bool
wisp_act_ended(struct wisp_act *a, int *status)
{
	if (a->pid == 0)
		return false;
	take(a);	/* what it leaves running may hold the other end, so that its own end is what counts */
	if (waitpid(a->pid, status, WNOHANG) != a->pid)
		return false;
	take(a);
	close(a->out);
	a->pid = 0;
	return true;
}

char *
wisp_act_outcome(struct wisp_act *a)
{
	int status;
	char *text;

	if (!wisp_act_ended(a, &status))
		return NULL;
	text = one_line(a, status);
	wisp_act_release(a);
	return text;
}

int
wisp_act_here(const char *project, const char *const *words, const volatile int *stop)
{
	static const int signals[] = {SIGINT, SIGQUIT, SIGTSTP};	/* they are for the command, and go to it too */
	struct sigaction ignore = {.sa_handler = SIG_IGN}, normal = {.sa_handler = SIG_DFL}, before[3];
	char *path = path_of(words[0]);
	int status = 0, i, rc;
	pid_t pid;

	for (i = 0; i < 3; i++)
		sigaction(signals[i], signals[i] == SIGTSTP ? &normal : &ignore, &before[i]);
	pid = fork();
	if (pid == 0) {
		for (i = 0; i < 3; i++)
			sigaction(signals[i], &normal, NULL);
		become(path, project, words);
	}
	while (pid > 0 && (rc = waitpid(pid, &status, 0)) < 0 && errno == EINTR)
		if (*stop != 0)
			kill(pid, *stop);
	for (i = 0; i < 3; i++)
		sigaction(signals[i], &before[i], NULL);
	free(path);
	return pid > 0 ? status : -1;
}

void
wisp_act_kill(struct wisp_act *a)
{
	if (a->pid > 0) {
		kill(-a->pid, SIGTERM);
		kill(a->pid, SIGTERM); /* also before it has a session of its own */
		while (waitpid(a->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	wisp_act_release(a);
}

void
wisp_act_release(struct wisp_act *a)
{
	if (a->pid > 0)
		close(a->out);
	wisp_buf_release(&a->text);
	free(a->name);
	*a = (struct wisp_act){0};
}
