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

/* State and tasks must be there and whole before they can say yes or no. */
static void
need_both(const struct wisp_context *c)
{
	if (c->state.verdict != WISP_VALID)
		die_err(&c->state_err);
	if (c->tasks_verdict != WISP_VALID)
		die_err(&c->tasks_err);
}

/* One condition: a line with its reason, and a member of the document. */
static void
condition(struct cJSON *answer, bool json, const char *name, bool holds, char *reason)
{
	struct cJSON *v;

	if (json) {
		v = wisp_json_object_at(answer, name);
		wisp_json_set_bool(v, "holds", holds);
		wisp_json_set_str(v, "reason", reason);
	} else {
		printf("%s=%s %s\n", name, holds ? "yes" : "no", reason);
	}
	free(reason);
}

static char *
promise_reason(const struct wisp_context *c, const struct wisp_facts *f)
{
	if (f->promise)
		return wisp_str("seen in step %s", c->step_name);
	if (!f->promise_required)
		return wisp_strdup("not asked for");
	if (c->step == NULL)
		return wisp_strdup("there is no step.json");
	return wisp_str("not in the final message of step %s", c->step_name);
}

static int
gate_exit(struct wisp_cli *cli)
{
	const char *promise = NULL;
	const struct wisp_option options[] = {{"promise", .text = &promise}, {0}};
	struct cJSON *answer = wisp_json_object();
	struct wisp_context c;
	struct wisp_facts f;
	bool done, all, held;

	wisp_cli_read(cli, options, 0, 0);
	if (promise != NULL && strcmp(promise, "required") != 0 && strcmp(promise, "optional") != 0)
		die_usage("--promise is required or optional, not '%s'", promise);
	wisp_context_load(&c, cli);
	need_both(&c);
	wisp_context_facts(&c, &f);
	if (promise != NULL)
		f.promise_required = strcmp(promise, "required") == 0;
	done = f.status == WISP_DONE;
	all = c.tasks.count > 0 && c.tasks.passed == c.tasks.count;
	held = f.promise || !f.promise_required;
	wisp_json_set_bool(answer, "open", done && all && held);
	condition(answer, cli->json, "done", done, wisp_str("state.json says %s", wisp_status_name(f.status)));
	condition(answer, cli->json, "tasks", all, wisp_str("%zu of %zu pass", c.tasks.passed, c.tasks.count));
	condition(answer, cli->json, "promise", held, promise_reason(&c, &f));
	if (cli->json)
		wisp_cli_json(answer);
	else
		wisp_json_free(answer);
	wisp_context_release(&c);
	return done && all && held ? 0 : 1;
}

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
		{"exit", gate_exit, "[--promise required|optional]", "may the session end? open 0, shut 1"},
		{"phase", wisp_gate_phase, "[--template DIR] [NAME]", "may the phase end? both gates open 0, else 1"},
		{"eval", eval, "FILTER", "a jq filter that gives a boolean: true 0, false 1"},
		{"decide", wisp_gate_decide,
		 "[--outcome WORD] [--token] [--state WORD] [--status WORD] [--tasks P/T] [--promise WORD] [--verify WORD] "
		 "[--uncommitted] [--failures N] "
		 "[--signal N | --stop] [--stuck | --no-stuck] [--breaker | --no-breaker] [--pause] [--once] "
		 "[--phases] [--gate-1] [--gate-2] [--last] [--reject N/MAX] [--template DIR]",
		 "what the step that ended last means for the loop"},
		{"explain", wisp_gate_explain, "[OPTION]...", "as decide, with every fact and where it comes from"},
		{"list", wisp_gate_list, "[--all]", "the stage gates that wait for a person"},
		{"approve", wisp_gate_approve, "[--feedback TEXT] [--by WHO] ID", "open one, and tell its agent; 1: decided before"},
		{"reject", wisp_gate_reject, "--feedback TEXT [--by WHO] ID", "its agent is told what to change; 1: decided before"},
		{0}
	};

	wisp_cli_main(argc, argv, "the gates of a session", verbs);
}
