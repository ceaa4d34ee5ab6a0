/*
 * wisp-filter: what a turn of the loop needs a large library for, which the other
 * programs therefore need not load: libjq for the filters of a template, expat
 * for the tests that were counted. And what wisp-tasks needs libjq for: import, export
 * and sync of formats whose files are JSON, which it hands over.
 *
 * Private: a start asks it for its loop.json, the loop where there is something to ask.
 *
 * Exit: 0; 100, 101, 102, 111 as everywhere.
 */
#include "core/cli.h"
#include "core/filter.h"
#include "core/template.h"
#include "core/turn.h"
#include "filter/import.h"

/* phases=yes|no, then agent= for each agent that a phase names. */
static int
template(struct wisp_cli *cli)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *doc = NULL, *machine;

	wisp_cli_read(cli, NULL, 1, 1);
	if (wisp_template_load(cli->argv[0], wisp_filter_compile, &doc, &err) != 0)
		die_err(&err);
	machine = wisp_template_machine(doc);
	wisp_cli_pair("phases", machine != NULL ? "yes" : "no");
	for (const struct cJSON *p = wisp_json_first(wisp_json_get(machine, "phases")); p != NULL; p = wisp_json_next(p))
		if (wisp_json_str(p, "agent", NULL) != NULL)
			wisp_cli_pair("agent", wisp_json_str(p, "agent", NULL));
	wisp_json_free(machine);
	wisp_json_free(doc);
	return 0;
}

/* Prints the answer of a verb that did its work, or dies with what was wrong. */
static int
answered(struct wisp_cli *cli, struct wisp_record *r, int rc, struct cJSON *answer, struct wisp_err *err)
{
	wisp_cli_must(rc, err, r);
	wisp_cli_answer(cli, answer);
	wisp_err_release(err);
	wisp_record_release(r);
	return 0;
}

static int
observed(struct wisp_cli *cli)
{
	const char *metrics = NULL, *seal = NULL;
	const struct wisp_option options[] = {{"metrics", .text = &metrics}, {"seal", .text = &seal}, {0}};
	struct cJSON *answer = wisp_json_object();
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_record r;

	wisp_cli_read_loop(cli, options, 0, 0);
	wisp_cli_need_loop(cli, &r, seal);
	return answered(cli, &r, wisp_turn_observed(&r, metrics, answer, &err), answer, &err);
}

int
main(int argc, char **argv)
{
	static const struct wisp_verb verbs[] = {
		{"template", template, "DIR", "does its loop.json hold? phases=, and agent= for each that a phase names"},
		{"observed", observed, "[--seal S] [--metrics FILE]", "the tests that verify printed, and what verify.metrics did, are counted"},
		{"import", wisp_filter_import, "prd|criteria|beads|issues FILE [--category C]", "wisp-tasks, for formats that are JSON"},
		{"export", wisp_filter_export, "prd|criteria|beads", ""},
		{"sync", wisp_filter_sync, "prd|criteria|beads FILE [--dry-run]", ""},
		{0}
	};

	wisp_cli_main(argc, argv, "what a turn needs a large library for", verbs);
}
