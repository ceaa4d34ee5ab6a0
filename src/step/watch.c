/*
 * watch: see watch.h.
 */
#include "watch.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__) && !defined(WISP_PORTABLE)
#include <sys/prctl.h>
#include <sys/syscall.h>
#define WAIT_FLAGS __WALL
#else
#define WAIT_FLAGS 0
#endif

#include "fd.h"

static pid_t
fork_unseen(void)
{
#if defined(__linux__) && !defined(WISP_PORTABLE)
	/* A child that sends no signal when it ends is not found by plain wait(). */
	return (pid_t)syscall(SYS_clone, 0L, NULL, NULL, NULL, 0L);
#else
	return fork();
#endif
}

/* True with the next word, the agent's pid or 0 for "all is well"; false when the supervisor is gone. */
static bool
hear(int fd, pid_t *word)
{
	ssize_t n;

	do
		n = read(fd, word, sizeof *word);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof *word;
}

/* A name of its own, so that whoever kills `wisp-agent` by name leaves the watchdog to do its work. */
static void
rename_self(void)
{
#if defined(__linux__) && !defined(WISP_PORTABLE)
	static const char from[] = "wisp-agent", to[] = "wisp-watch";
	char *at = strstr(program_invocation_name, from);

	(void)prctl(PR_SET_NAME, to);
	if (at != NULL)
		memcpy(at, to, strlen(to));
#endif
}

static _Noreturn void
stand_by(int fd, const char *mark)
{
	struct wisp_ptree tree = {.mark = mark};
	sigset_t all;
	pid_t word;

	sigfillset(&all);
	(void)sigprocmask(SIG_BLOCK, &all, NULL);
	(void)setsid();
	rename_self();
	fd = wisp_fd_only(fd);
	while (hear(fd, &word)) {
		if (word == 0)
			_exit(0);
		tree.session = word;
	}
	(void)wisp_ptree_kill(&tree, NULL);
	_exit(0);
}

int
wisp_watch_start(struct wisp_watch *w, const char *mark)
{
	int fd[2];

	if (wisp_fd_pipe(fd) < 0)
		return -1;
	w->pid = fork_unseen();
	if (w->pid == 0) {
		(void)close(fd[1]);
		stand_by(fd[0], mark);
	}
	(void)close(fd[0]);
	w->fd = fd[1];
	if (w->pid > 0)
		return 0;
	(void)close(fd[1]);
	return -1;
}

/* A watchdog that is dead hears nothing; there is nobody to tell. */
static void
say(const struct wisp_watch *w, pid_t word)
{
	ssize_t n;

	do
		n = write(w->fd, &word, sizeof word);
	while (n < 0 && errno == EINTR);
}

void
wisp_watch_tell(const struct wisp_watch *w, pid_t session)
{
	say(w, session);
}

void
wisp_watch_end(struct wisp_watch *w)
{
	say(w, 0);
	(void)close(w->fd);
	/* One that an agent stopped would never hear it. */
	(void)kill(w->pid, SIGCONT);
	while (waitpid(w->pid, NULL, WAIT_FLAGS) < 0 && errno == EINTR)
		;
}
