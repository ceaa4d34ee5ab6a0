/*
 * cli_record: the record of the session that a command line names. See cli.h.
 */
#include "cli.h"

#include <errno.h>

bool
wisp_cli_record(struct wisp_cli *cli, struct wisp_record *r, enum wisp_record_mode mode)
{
	struct wisp_err err = WISP_ERR_INIT;
	int rc;

	if (cli->place.dir == NULL)
		wisp_cli_place(cli);
	errno = 0;
	rc = wisp_record_open(r, &cli->place, mode, &err);
	if (rc < 0 && err.text != NULL)
		die_err(&err);
	if (rc < 0)
		die_sys("cannot open the record of '%s'", cli->place.dir);
	return rc == 0;
}

void
wisp_cli_need_record(struct wisp_cli *cli, struct wisp_record *r, enum wisp_record_mode mode)
{
	if (!wisp_cli_record(cli, r, mode))
		die_data("no session in '%s'", cli->place.dir);
}

bool
wisp_cli_owned(const struct wisp_record *r)
{
	int owned = wisp_record_owned(r);

	if (owned < 0)
		die_sys("cannot look at the lock in '%s'", r->home);
	return owned == 1;
}

void
wisp_cli_commit(struct wisp_record *r)
{
	if (wisp_record_commit(r, WISP_SYNC) != 0)
		die_sys("cannot write the record in '%s'", r->home);
}
