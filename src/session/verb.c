/*
 * verb: see verb.h.
 */
#include "verb.h"

void
wisp_verb_open(struct wisp_record *r, struct wisp_cli *cli, const struct wisp_option *options)
{
	struct wisp_err err = WISP_ERR_INIT;

	wisp_cli_read(cli, options, 0, 1);
	if (cli->argc == 0)
		wisp_cli_place(cli);
	else if (wisp_place_pick(&cli->place, cli->dir != NULL ? cli->dir : ".", cli->argv[0], &err) != 0)
		die_usage("%s", wisp_err_string(&err));
	wisp_cli_need_record(cli, r, WISP_READ);
}
