/*
 * verb: see verb.h.
 */
#include "verb.h"

#include "screen/plain.h"

void
wisp_verb_open(struct wisp_record *r, struct wisp_cli *cli, const struct wisp_option *options)
{
	struct wisp_err err = WISP_ERR_INIT;
	int rc = 0;

	wisp_cli_read(cli, options, 0, 1);
	if (cli->argc == 0 && cli->dir != NULL)
		wisp_cli_place(cli);
	else	/* Whoever is told which sessions there are names a branch here, and no folder. */
		rc = wisp_place_pick(&cli->place, cli->dir != NULL ? cli->dir : ".", cli->argv[0], &err);
	if (rc < 0 && cli->argc == 0)
		die_err(&err);
	if (rc != 0)
		die_usage("%s", wisp_err_string(&err));
	wisp_cli_need_record(cli, r, WISP_READ);
}

void
wisp_verb_print(struct wisp_buf *text)
{
	if (!wisp_plain_print(text))
		die_sys("cannot write to standard output");
	wisp_buf_release(text);
}
