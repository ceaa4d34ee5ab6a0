/*
 * open: see open.h.
 */
#include "open.h"

#include "core/orchestra.h"

struct cJSON *
wisp_orch_open(struct wisp_cli *cli, struct wisp_record *r, enum wisp_record_mode mode)
{
	struct cJSON *state;

	wisp_cli_need_record(cli, r, mode);
	state = wisp_orchestra_of(r);
	if (state == NULL)
		die_data("'%s' is no orchestration", cli->place.dir);
	return state;
}

void
wisp_orch_commit(struct wisp_record *r)
{
	/* While it runs there is none; wisp_orch_end writes it. */
	wisp_json_set_null(wisp_orchestra_of(r), "sessionHandoff");
	wisp_cli_commit(r);
}
