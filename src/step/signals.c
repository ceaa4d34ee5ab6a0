/*
 * signals: see signals.h.
 */
#include "signals.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#if defined(__linux__) && !defined(WISP_PORTABLE)
#include <sys/prctl.h>
#endif

#include "fd.h"

/* A handler has no argument of its own, so this one must be global. */
static int to_pipe = -1;

static void
handle(int sig)
{
	int saved = errno;
	unsigned char byte = (unsigned char)sig;

	/* A full pipe holds enough reasons to look around. */
	if (write(to_pipe, &byte, 1) < 0)
		errno = saved;
	errno = saved;
}

static int
catch(int sig, bool even_if_ignored)
{
	struct sigaction sa, old;

	if (sigaction(sig, NULL, &old) < 0)
		return -1;
	if (old.sa_handler == SIG_IGN && !even_if_ignored)
		return 0;
	memset(&sa, 0, sizeof sa);
	sa.sa_handler = handle;
	sa.sa_flags = SA_RESTART | SA_NOCLDSTOP;
	sigfillset(&sa.sa_mask);
	return sigaction(sig, &sa, NULL);
}

/* A caller may have blocked what must be heard here. */
static int
unblock(void)
{
	sigset_t none;

	sigemptyset(&none);
	return sigprocmask(SIG_SETMASK, &none, NULL);
}

int
wisp_signals_open(void)
{
	int fd[2];

	if (wisp_fd_pipe(fd) < 0)
		return -1;
	to_pipe = fd[1];
	if (wisp_fd_nonblock(fd[0]) < 0 || wisp_fd_nonblock(fd[1]) < 0 || catch(SIGCHLD, true) < 0 ||
	    catch(SIGTERM, true) < 0 || catch(SIGQUIT, true) < 0 || catch(SIGHUP, false) < 0 || catch(SIGINT, false) < 0 ||
	    catch(WISP_SIGNAL_ORPHANED, true) < 0 || unblock() < 0)
		return -1;
	(void)signal(SIGPIPE, SIG_IGN);
#if defined(__linux__) && !defined(WISP_PORTABLE)
	(void)prctl(PR_SET_PDEATHSIG, WISP_SIGNAL_ORPHANED);
#endif
	return fd[0];
}

int
wisp_signals_next(int fd)
{
	unsigned char sig;
	ssize_t n;

	do
		n = read(fd, &sig, 1);
	while (n < 0 && errno == EINTR);
	return n == 1 ? sig : 0;
}
