/*
 * wisp-gate: may this session end, and what does a step's end mean?
 *
 *	exit      open (0) when DONE is claimed, every task passes and the promise
 *	          was seen; shut (1) when one of them is missing
 *	phase     the dual gate of a phase: its template's filter, and the agent's word
 *	eval      a jq filter over {state, tasks, history, session, loop, step,
 *	          metrics, last, verify}: true 0, false 1
 *	decide    the table of core/decide on the step that ended last
 *	explain   the same, with every fact and where it comes from
 *	list, approve, reject   the stage gates of an orchestration
 *
 * A gate that cannot read its input is neither open nor shut: 102.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/filter.h"
#include "gate/context.h"
#include "gate/stage.h"

static int
eval(struct wisp_cli *cli)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_context c;
	struct cJSON *doc;
	int rc;

	wisp_cli_read(cli, NULL, 1, 1);
	wisp_context_load(&c, cli);
	if (c.state.verdict != WISP_VALID && c.state.verdict != WISP_MISSING)
		die_err(&c.state_err);
	if (c.tasks_verdict != WISP_VALID && c.tasks_verdict != WISP_MISSING)
		die_err(&c.tasks_err);
	doc = wisp_context_document(&c);
	rc = wisp_filter_bool(cli->argv[0], doc, &err);
	if (rc < 0)
		die_err(&err);
	puts(rc == 1 ? "true" : "false");	/* JSON as it stands */
	wisp_json_free(doc);
	wisp_context_release(&c);
	return rc == 1 ? 0 : 1;
}

int
main(int argc, char **argv)
{
	static const struct wisp_verb verbs[] = {
		{"exit", wisp_gate_exit, "[--promise required|optional]", "may the session end? open 0, shut 1"},
		{"phase", wisp_gate_phase, "[--template DIR] [--note] [NAME]", "may the phase end? both gates open 0, else 1"},
		{"eval", eval, "FILTER", "a jq filter that gives a boolean: true 0, false 1"},
		{"decide", wisp_gate_decide, "[--template DIR] [--note]", "what the step that ended last means for the loop"},
		{"explain", wisp_gate_explain, "[--template DIR]", "the same, with every fact and where it comes from"},
		{"list", wisp_gate_list, "[--all]", "the stage gates that wait for a person"},
		{"approve", wisp_gate_approve, "[--feedback TEXT] [--by WHO] ID", "open one, and tell its agent; 1: decided before"},
		{"reject", wisp_gate_reject, "--feedback TEXT [--by WHO] ID", "its agent is told what to change; 1: decided before"},
		{0}
	};

	wisp_cli_main(argc, argv, "the gates of a session", verbs);
}
