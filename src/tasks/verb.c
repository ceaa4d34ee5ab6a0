/*
 * verb: see verb.h.
 */
#include "verb.h"

char *
wisp_verb_path(struct wisp_cli *cli)
{
	wisp_cli_place(cli);
	return wisp_str("%s/tasks.json", cli->place.dir);
}

void
wisp_verb_load(struct wisp_tasks *t, const char *path)
{
	struct wisp_err err = WISP_ERR_INIT;

	if (wisp_tasks_load(t, path, &err) != WISP_VALID)
		die_err(&err);
}

int
wisp_verb_no_task(const char *name)
{
	warn("there is no task '%s'", name);
	return 1;
}
