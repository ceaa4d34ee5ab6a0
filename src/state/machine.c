/*
 * machine: see machine.h.
 */
#include "machine.h"

#include <string.h>

#include "core/orchestra.h"
#include "core/phase.h"
#include "core/template.h"

struct cJSON *
wisp_machine_find(const char *template, const struct cJSON *record)
{
	const struct cJSON *kept = wisp_json_get(record, "machine");
	struct cJSON *doc = NULL, *machine = NULL;
	struct wisp_err err = WISP_ERR_INIT;

	if (template != NULL) {
		if (wisp_template_load(template, NULL, &doc, &err) != 0)
			die_err(&err);
		machine = wisp_template_machine(doc);
		wisp_json_free(doc);
		if (machine == NULL)
			die_data("the template '%s' has no phases", template);
		return machine;
	}
	return wisp_json_type(kept) == WISP_T_OBJECT ? wisp_json_copy(kept) : wisp_template_tdd();
}

bool
wisp_machine_holds(const struct wisp_cli *cli, const char *template, const struct wisp_kind *kind,
		   const struct wisp_source *src, const struct cJSON *doc, struct wisp_err *err)
{
	struct wisp_err unread = WISP_ERR_INIT;
	struct cJSON *machine;
	struct wisp_record r;
	bool open, holds;

	if (kind == NULL || strcmp(kind->name, "loop") != 0 || wisp_orchestra_is(doc))
		return true;
	/* What is wrong with the record is for the verb to say, where it matters to it. */
	open = cli->place.dir != NULL && wisp_record_open(&r, &cli->place, WISP_READ, &unread) == 0;
	machine = wisp_machine_find(template, open ? r.doc : NULL);
	holds = wisp_phase_check(src, doc, machine, err) == 0;
	if (open)
		wisp_record_release(&r);
	wisp_err_release(&unread);
	wisp_json_free(machine);
	return holds;
}

void
wisp_loop_open(struct wisp_loop *l, struct wisp_cli *cli, enum wisp_record_mode mode)
{
	l->session = wisp_cli_record(cli, &l->r, mode);
	if (l->session) {
		l->loop = wisp_json_get(l->r.doc, "phases");
		if (wisp_json_type(l->loop) != WISP_T_OBJECT)
			l->loop = NULL;
		return;
	}
	/* A lock file is for a folder that has what is to be locked. */
	l->loop = wisp_cli_file(&cli->place, "loop");
	if (l->loop != NULL && mode == WISP_WRITE) {
		wisp_json_free(l->loop);
		wisp_cli_lock(&cli->place);
		l->loop = wisp_cli_file(&cli->place, "loop");
	}
	if (l->loop == NULL)
		wisp_cli_no_session(&cli->place);
	if (wisp_orchestra_is(l->loop))
		die_data("'%s/loop-state.json' is that of an orchestration, which has no status and no errors", cli->place.dir);
}

void
wisp_loop_keep(struct wisp_loop *l, const struct wisp_cli *cli)
{
	if (l->session)
		wisp_cli_commit(&l->r);
	else
		wisp_cli_keep_file(&cli->place, "loop", l->loop);
}

void
wisp_loop_release(struct wisp_loop *l)
{
	if (l->session)
		wisp_record_release(&l->r);
	else
		wisp_json_free(l->loop);
}
