/*
 * wisp-exec: becomes another program, which is started as at a terminal, or has a time limit.
 *
 *	wisp-exec PROGRAM [ARGUMENT]...
 *	wisp-exec --limit SECONDS PROGRAM [ARGUMENT]...
 *	wisp-exec -V			the version
 *
 * bin/wisp becomes every command through this one: what ignored a signal before (`&` in a
 * script, a supervisor, a CI job) would have bash ignore it, too, whatever it traps, and git
 * lose its children. HUP stays ignored: that is what nohup is for.
 *
 * With --limit the program gets ALRM after so many seconds, a timer that outlives exec, and
 * other signals stay as they are: so no process has to watch it. Exits 126 or 127, as a shell
 * does, where there is no such program.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/die.h"
#include "core/inherit.h"

#define LIMIT_MAX 86400

static void
set_limit(const char *seconds)
{
	char *end;
	long n = seconds == NULL ? 0 : strtol(seconds, &end, 10);

	if (n < 1 || n > LIMIT_MAX || *end != '\0')
		die_usage("--limit needs seconds, 1 to %d", LIMIT_MAX);
	(void)signal(SIGALRM, SIG_DFL);
	(void)alarm((unsigned)n);
}

int
main(int argc, char **argv)
{
	bool limit = argc > 1 && strcmp(argv[1], "--limit") == 0;

	wisp_inherit_reset();
	wisp_die_name("wisp");
	if (argc > 1 && strcmp(argv[1], "-V") == 0) {
		printf("wisp-exec %s\n", WISP_VERSION);
		wisp_exit(0);
	}
	if (limit) {
		set_limit(argv[2]);
		argc -= 2;
		argv += 2;
	}
	if (argc < 2)
		die_usage("a program is needed");
	if (!limit)
		wisp_inherit_signals();
	execvp(argv[1], argv + 1);
	warn("cannot start '%s': %s", argv[1], strerror(errno));
	return errno == ENOENT ? 127 : 126;
}
