/*
 * decide: the table of core/decide by hand. Every fact is read from the session's
 * files, or given as an option; `explain` shows which.
 */
#include "given.h"

#include <stdio.h>
#include <stdlib.h>

static void
add_decision(struct cJSON *answer, const struct wisp_facts *f)
{
	struct wisp_decision d;

	wisp_decide(&d, f);
	wisp_json_set_str(answer, "decision", wisp_action_name(d.action));
	wisp_json_set_num(answer, "exit", d.exit);
	wisp_json_set_str(answer, "reason", d.reason);
	wisp_json_set_str(answer, "row", d.row);
	wisp_json_set_str(answer, "tree", wisp_tree_name(d.tree));
	wisp_json_set_str(answer, "refused", d.refused);
}

int
wisp_gate_decide(struct wisp_cli *cli)
{
	struct cJSON *answer = wisp_json_object();
	struct wisp_stuck s = {0};
	struct wisp_context c;
	struct wisp_facts f;
	struct wisp_given g;

	wisp_given_gather(cli, &g, &c, &s, &f);
	add_decision(answer, &f);
	wisp_cli_answer(cli, answer);
	wisp_stuck_release(&s);
	wisp_context_release(&c);
	return 0;
}

/* One fact: what it is and where it comes from. */
static void
fact(struct cJSON *facts, const char *name, const char *value, const char *source)
{
	struct cJSON *v = wisp_json_object();

	wisp_json_set_str(v, "value", value);
	wisp_json_set_str(v, "from", source);
	wisp_json_set(facts, name, v);
}

static const char *
source(bool option, const char *file)
{
	return option ? "option" : file;
}

static void
add_phase_facts(struct cJSON *facts, const struct wisp_given *g, const struct wisp_context *c, const struct wisp_facts *f)
{
	const struct cJSON *noted = wisp_json_get(c->judged, "phase");
	const char *asked = noted != NULL ? "record.json" : "the template's filter";
	const char *phase = wisp_json_str(noted, "name", NULL); /* which may be over by now */
	char *rejects = f->reject ? wisp_str("%d/%d", f->rejects, f->rejects_max) : wisp_strdup("no");
	bool given = wisp_given_phases(g);

	fact(facts, "phase", phase != NULL ? phase : wisp_json_str(c->loop, "current_phase", "-"),
	     phase != NULL ? "record.json" : "loop-state.json");
	fact(facts, "gate_1", f->gate_1 ? "open" : "shut", source(given, asked));
	fact(facts, "gate_2", f->gate_2 ? "open" : "shut", source(given, "state.json"));
	fact(facts, "last", f->last_phase ? "yes" : "no", source(given, asked));
	fact(facts, "reject", rejects, source(given, asked));
	free(rejects);
}

static void
add_facts(struct cJSON *facts, const struct wisp_given *g, const struct wisp_context *c, const struct wisp_stuck *s,
	  const struct wisp_facts *f)
{
	const struct wisp_rule_result *rule = wisp_stuck_first(s);
	char *step = c->step != NULL ? wisp_str("steps/%s/step.json", c->step_name) : wisp_strdup("no step.json");
	char *tasks = wisp_str("%zu/%zu", f->tasks_claimed, f->tasks_total), *failures = wisp_str("%d", f->failed_before);
	char *cut = f->cut > 0 ? wisp_str("signal %d", f->cut) : wisp_strdup(f->cut < 0 ? "stop" : "no");
	bool valid = f->state == WISP_VALID;

	fact(facts, "cut", cut, source(f->cut != 0, "no option"));
	fact(facts, "outcome", wisp_outcome_name(f->outcome), source(g->outcome != NULL, step));
	fact(facts, "state", wisp_verdict_name(f->state), source(g->state != NULL || g->status != NULL, "state.json"));
	fact(facts, "status", valid ? wisp_status_name(f->status) : "none", source(g->status != NULL, "state.json"));
	fact(facts, "tasks", tasks, source(g->tasks != NULL, c->judged != NULL ? "record.json" : "tasks.json"));
	fact(facts, "promise", f->promise ? "seen" : f->promise_required ? "missing" : "optional",
	     source(g->promise != NULL, f->promise || f->promise_required ? step : "completion.promise"));
	fact(facts, "verify", wisp_verify_name(f->verify),
	     source(g->verify != NULL, c->judged != NULL ? "record.json" : "verify.command"));
	fact(facts, "commit", f->uncommitted ? "failed" : "ok",
	     source(g->uncommitted, c->judged != NULL ? "record.json" : "no option"));
	if (f->outcome == WISP_AUTH)
		fact(facts, "token", f->token ? "yes" : "no",
		     source(g->outcome != NULL || g->token, step));
	fact(facts, "failures", failures, source(g->failures >= 0, "history.json"));
	fact(facts, "stuck", f->stuck ? "yes" : "no",
	     source(g->stuck || g->not_stuck, rule != NULL ? rule->evidence : "history.json"));
	fact(facts, "breaker", f->open ? "open" : "closed", source(g->breaker || g->no_breaker, "breaker.json"));
	if (f->phases)
		add_phase_facts(facts, g, c, f);
	fact(facts, "pause", f->pause ? "yes" : "no", source(f->pause, "no option"));
	fact(facts, "once", f->once ? "yes" : "no", source(f->once, "no option"));
	free(step);
	free(tasks);
	free(failures);
	free(cut);
}

int
wisp_gate_explain(struct wisp_cli *cli)
{
	struct cJSON *answer = wisp_json_object(), *facts = wisp_json_object_at(answer, "facts");
	struct wisp_stuck s = {0};
	struct wisp_context c;
	struct wisp_facts f;
	struct wisp_given g;

	wisp_given_gather(cli, &g, &c, &s, &f);
	add_facts(facts, &g, &c, &s, &f);
	add_decision(answer, &f);
	for (const struct cJSON *v = cli->json ? NULL : wisp_json_first(facts); v != NULL; v = wisp_json_next(v))
		printf("%s=%s (%s)\n", wisp_json_key(v), wisp_json_str(v, "value", ""), wisp_json_str(v, "from", ""));
	wisp_cli_answer(cli, answer);
	wisp_stuck_release(&s);
	wisp_context_release(&c);
	return 0;
}
