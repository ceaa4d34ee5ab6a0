/*
 * inherit: see inherit.h.
 */
#include "inherit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>

void
wisp_inherit_reset(void)
{
	sigset_t none;

	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			(void)open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
	(void)signal(SIGCHLD, SIG_DFL);
	sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

void
wisp_inherit_signals(void)
{
	int sig;

	for (sig = 1; sig < NSIG; sig++)
		if (sig != SIGHUP && sig != SIGXFSZ)
			(void)signal(sig, SIG_DFL);
}
