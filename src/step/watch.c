/*
 * watch: see watch.h.
 */
#include "watch.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__) && !defined(WISP_PORTABLE)
#include <sys/prctl.h>
#endif

#include "signals.h"

static void
nothing(int sig)
{
	(void)sig;
}

/* Blocks those that the watchdog waits for; what is ignored stays so, but for those that it needs. */
static void
block(sigset_t *set)
{
	static const int all[] = {SIGCHLD, SIGTERM, SIGQUIT, WISP_SIGNAL_ORPHANED, SIGCONT, SIGALRM, SIGHUP, SIGINT};
	struct sigaction sa = {.sa_handler = nothing}, old;
	size_t i;

	sigemptyset(set);
	sigfillset(&sa.sa_mask);
	for (i = 0; i < sizeof all / sizeof *all; i++) {
		(void)sigaction(all[i], NULL, &old);
		if (old.sa_handler == SIG_IGN && (all[i] == SIGHUP || all[i] == SIGINT))
			continue;
		/* One whose default is to be ignored may not be kept for sigwait. */
		(void)sigaction(all[i], &sa, NULL);
		sigaddset(set, all[i]);
	}
	(void)sigprocmask(SIG_BLOCK, set, NULL);
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

/* Is this one for the supervisor? */
static bool
of_person(int sig)
{
	return sig == SIGTERM || sig == SIGQUIT || sig == SIGHUP || sig == SIGINT;
}

/* Once a second: CONT wakes a process that was stopped, and a timer runs meanwhile. */
static void
look_around(void)
{
#if defined(__linux__) && !defined(WISP_PORTABLE)
	struct sigevent cont = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
	const struct itimerspec second = {{1, 0}, {1, 0}};
	timer_t timer;

	if (timer_create(CLOCK_MONOTONIC, &cont, &timer) == 0)
		(void)timer_settime(timer, 0, &second, NULL);
#else
	/* No signal tells of the parent's death. */
	const struct itimerval second = {{1, 0}, {1, 0}};

	(void)setitimer(ITIMER_REAL, &second, NULL);
#endif
}

/* Takes away the dead; true if the supervisor is among them. One that was stopped goes on. */
static bool
reap(pid_t supervisor, int *status)
{
	bool ended = false;
	int how;
	pid_t pid;

	while ((pid = waitpid(-1, &how, WNOHANG | WUNTRACED)) > 0) {
		if (pid != supervisor)
			continue;
		if (WIFSTOPPED(how)) {
			(void)kill(supervisor, SIGCONT);
			continue;
		}
		*status = how;
		ended = true;
	}
	return ended;
}

static _Noreturn void
watch(const struct wisp_watch *w, pid_t parent, pid_t supervisor, const sigset_t *set, const char *mark)
{
	struct wisp_ptree tree = {.self = getpid(), .mark = mark};
	int sig, status = 0;
	bool ended;

	rename_self();
	look_around();
#if defined(__linux__) && !defined(WISP_PORTABLE)
	(void)prctl(PR_SET_PDEATHSIG, WISP_SIGNAL_ORPHANED);
#endif
	while (!(ended = reap(supervisor, &status)) && getppid() == parent)
		if (sigwait(set, &sig) == 0 && of_person(sig))
			(void)kill(supervisor, sig);
	tree.session = w->session;
	if (!ended || !w->over)
		(void)wisp_ptree_kill(&tree, NULL);
	_exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

struct wisp_watch *
wisp_watch_start(pid_t parent, const char *mark)
{
	struct wisp_watch *w = mmap(NULL, sizeof *w, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t pid;
	sigset_t set;

	if (w == MAP_FAILED)
		return NULL;
	block(&set);
	wisp_ptree_adopt();
	pid = fork();
	if (pid > 0)
		watch(w, parent, pid, &set, mark);
	if (pid < 0)
		return NULL;
	/* What a terminal sends comes through the watchdog, and so once. */
	(void)setsid();
	return w;
}
