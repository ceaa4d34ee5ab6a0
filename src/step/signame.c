/*
 * signame: see signame.h.
 */
#include "signame.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SIGNAL_MAX 128

static const struct {
	const char *name;
	int number;
} signals[] = {
	{"HUP", SIGHUP}, {"INT", SIGINT}, {"QUIT", SIGQUIT}, {"ILL", SIGILL}, {"TRAP", SIGTRAP},
	{"ABRT", SIGABRT}, {"BUS", SIGBUS}, {"FPE", SIGFPE}, {"KILL", SIGKILL}, {"USR1", SIGUSR1},
	{"SEGV", SIGSEGV}, {"USR2", SIGUSR2}, {"PIPE", SIGPIPE}, {"ALRM", SIGALRM}, {"TERM", SIGTERM},
	{"CHLD", SIGCHLD}, {"CONT", SIGCONT}, {"STOP", SIGSTOP}, {"TSTP", SIGTSTP}, {"TTIN", SIGTTIN},
	{"TTOU", SIGTTOU}, {"URG", SIGURG}, {"XCPU", SIGXCPU}, {"XFSZ", SIGXFSZ},
	{"VTALRM", SIGVTALRM}, {"PROF", SIGPROF}, {"SYS", SIGSYS},
#ifdef SIGSTKFLT
	{"STKFLT", SIGSTKFLT},
#endif
#ifdef SIGWINCH
	{"WINCH", SIGWINCH},
#endif
#ifdef SIGIO
	{"IO", SIGIO},
#endif
#ifdef SIGPWR
	{"PWR", SIGPWR},
#endif
};

int
wisp_signal_number(const char *name)
{
	char *end;
	long n;
	size_t i;

	errno = 0;
	n = strtol(name, &end, 10);
	if (end != name)
		return *end == '\0' && errno == 0 && n > 0 && n < SIGNAL_MAX ? (int)n : 0;
	if (strncasecmp(name, "SIG", 3) == 0)
		name += 3;
	for (i = 0; i < sizeof signals / sizeof *signals; i++)
		if (strcasecmp(name, signals[i].name) == 0)
			return signals[i].number;
	return 0;
}

const char *
wisp_signal_name(int number, char out[WISP_SIGNAME_SIZE])
{
	size_t i;

	for (i = 0; i < sizeof signals / sizeof *signals; i++) {
		if (signals[i].number == number) {
			snprintf(out, WISP_SIGNAME_SIZE, "%s", signals[i].name);
			return out;
		}
	}
	snprintf(out, WISP_SIGNAME_SIZE, "%d", number);
	return out;
}
