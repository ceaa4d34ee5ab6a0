/*
 * wisp-exec: becomes another program, which is started as at a terminal.
 *
 *	wisp-exec PROGRAM [ARGUMENT]...
 *	wisp-exec -V			the version
 *
 * bin/wisp becomes every command through this one: what ignored a signal before (`&` in a
 * script, a supervisor, a CI job) would have bash ignore it, too, whatever it traps, and git
 * lose its children. HUP stays ignored: that is what nohup is for. Exits 126 or 127, as a
 * shell does, where there is no such program.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/die.h"
#include "core/inherit.h"

int
main(int argc, char **argv)
{
	wisp_inherit_reset();
	wisp_die_name("wisp");
	if (argc < 2)
		die_usage("a program is needed");
	if (strcmp(argv[1], "-V") == 0) {
		printf("wisp-exec %s\n", WISP_VERSION);
		wisp_exit(0);
	}
	wisp_inherit_signals();
	execvp(argv[1], argv + 1);
	warn("cannot start '%s': %s", argv[1], strerror(errno));
	return errno == ENOENT ? 127 : 126;
}
