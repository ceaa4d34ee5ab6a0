/*
 * verb: see verb.h.
 */
#include "verb.h"

#include <stdio.h>

void
wisp_verb_open(struct wisp_record *r, const struct wisp_cli *cli)
{
	struct wisp_err err = WISP_ERR_INIT;
	int rc = wisp_record_open(r, &cli->place, WISP_READ, &err);

	if (rc < 0 && err.text != NULL)
		die_err(&err);
	if (rc < 0)
		die_sys("cannot read the record of '%s'", cli->place.dir);
	if (rc > 0)
		die_data("no session in '%s'", cli->place.dir);
}

/* Opens the session that the operand names, else the one wisp would pick. Dies where there is none. */
void
wisp_verb_begin(struct wisp_record *r, struct wisp_cli *cli, const struct wisp_option *options)
{
	struct wisp_err err = WISP_ERR_INIT;

	wisp_cli_read(cli, options, 0, 1);
	if (cli->argc == 0)
		wisp_cli_place(cli);
	else if (wisp_place_pick(&cli->place, cli->dir != NULL ? cli->dir : ".", cli->argv[0], &err) != 0)
		die_usage("%s", wisp_err_string(&err));
	wisp_verb_open(r, cli);
}

void
wisp_verb_print(struct wisp_buf *text)
{
	if (text->len > 0)
		fwrite(text->data, 1, text->len, stdout);
	wisp_buf_release(text);
}
