/*
 * wisp-screen: all sessions of all projects on one screen, for `wisp watch`.
 * Reads the records; what is done to a session the ordinary commands do, which it
 * starts from $WISP_LIBEXEC.
 *
 * Exit: 0 by `q`, 100 called wrongly or no terminal that can show it, 111 the
 * system refused, 128+N by signal N, with the terminal as it was.
 */
#include <locale.h>
#include <stdlib.h>

#include "core/cli.h"
#include "screen/plain.h"
#include "screen/term.h"
#include "screen/ui.h"

static int
screen(struct wisp_cli *cli)
{
	bool plain = false, once = false;
	const struct wisp_option options[] = {{"plain", .flag = &plain}, {"once", .flag = &once}, {0}};
	char *problem;

	wisp_cli_read(cli, options, 0, 0);
	if (cli->json)
		die_usage("`wisp list --all --json` is for programs");
	if (plain && once)
		die_usage("--plain and --once exclude each other");
	setlocale(LC_CTYPE, "");
	if (once && wisp_plain_once() < 0)
		die_sys("cannot list the sessions");
	if (once)
		return 0;
	if (plain) {
		wisp_plain_watch();
		die_sys("cannot go on");
	}
	problem = wisp_term_open();
	if (problem != NULL)
		die_usage("%s; use --plain, --once or `wisp list --all`", problem);
	return wisp_ui_run();
}

int
main(int argc, char **argv)
{
	static const struct wisp_verb verbs[] = {{"", screen, "[--plain | --once]", ""}, {0}};

	wisp_cli_main(argc, argv, "all sessions on one screen", verbs);
}
