/*
 * find: the orchestrations of a project, a branch a line.
 */
#include "verb.h"

#include <stdio.h>
#include <string.h>

#include "core/orchestra.h"
#include "core/place.h"

/* A start that was killed early has left no state: then the template tells. */
static bool
is_orchestration(const struct wisp_record *r)
{
	return wisp_orchestra_of(r) != NULL ||
	       strcmp(wisp_json_str(wisp_json_get(r->doc, "session"), "template", ""), "orchestrator") == 0;
}

int
wisp_orch_find(struct wisp_cli *cli)
{
	const char *project = NULL;
	const struct wisp_option options[] = {{"project", .text = &project}, {0}};
	char **branches = NULL;
	size_t count = 0;

	wisp_cli_read(cli, options, 0, 0);
	if (project == NULL)
		die_usage("find needs --project");
	if (wisp_place_sessions(project, &branches, &count) != 0)
		count = 0;
	for (size_t i = 0; i < count; i++) {
		struct wisp_err err = WISP_ERR_INIT;
		struct wisp_place place = {0};
		struct wisp_record r = {.lock = -1};

		/* What cannot be read is none here: `wisp list` names it. */
		if (wisp_place_session(&place, project, branches[i], NULL) == 0 &&
		    wisp_record_open(&r, &place, WISP_READ, &err) == 0 && is_orchestration(&r))
			puts(branches[i]);
		wisp_record_release(&r);
		wisp_place_release(&place);
		wisp_err_release(&err);
	}
	wisp_dir_list_free(branches, count);
	return 0;
}
