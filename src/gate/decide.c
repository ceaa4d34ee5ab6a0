/*
 * decide: what the step that ended last means for the loop, by the table of core/decide. Of a step that is not recorded
 * yet it is what the loop itself notes; else the session's files say, and the record's thresholds.
 */
#include "context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/breaker.h"
#include "core/stuck.h"
#include "core/turn_phase.h"
#include "core/turn_record.h"

/* The step is not recorded yet: the loop's own answer. */
static void
ask_record(struct wisp_gate *g, struct wisp_record *r, bool note)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_turn t;

	if (wisp_turn_machine(r) != NULL && wisp_json_get(wisp_turn_step(r), "phase") == NULL)
		wisp_cli_must(wisp_turn_phase_ask(r, &err), &err, r);
	wisp_cli_must(wisp_turn_decide(r, &err), &err, r);
	if (note)
		wisp_cli_must(wisp_record_save(r), &err, r);
	wisp_cli_must(wisp_turn_open(&t, r, &err), &err, r);
	g->facts = t.facts;
	g->decision = t.decision;
	if (t.facts.stuck)
		g->evidence = wisp_strdup(wisp_json_str(wisp_json_get(t.step, "verdict"), "evidence", ""));
	wisp_turn_close(&t);
}

/* With phases: what the controller asked of the step, else the gates as the files stand. */
static void
add_phase(struct wisp_context *c, const struct wisp_cli *cli, const char *template, struct wisp_facts *f)
{
	const struct cJSON *noted = wisp_json_get(c->judged, "phase");
	struct wisp_phase_answer a = {0};

	f->phases = true;
	if (f->state != WISP_VALID)
		return;
	if (noted != NULL)
		a = (struct wisp_phase_answer){
			.gate_1 = wisp_json_bool(noted, "gate_1", false), .gate_2 = wisp_json_bool(noted, "gate_2", false),
			.reject = wisp_json_bool(noted, "reject", false), .last = wisp_json_bool(noted, "last", false),
			.attempts = (int)wisp_json_int(noted, "rejects", 0),
			.attempts_max = (int)wisp_json_int(noted, "rejects_max", 0)
		};
	else
		wisp_gate_ask(c, cli, template, NULL, &a);
	f->gate_1 = a.gate_1;
	f->gate_2 = a.gate_2;
	f->last_phase = a.last;
	f->reject = a.reject;
	f->rejects = a.attempts;
	f->rejects_max = a.attempts_max;
}

/* The loop-state.json of an orchestration has none. */
static bool
has_phases(const struct wisp_context *c)
{
	return c->machine != NULL || wisp_json_str(c->loop, "current_phase", NULL) != NULL;
}

static void
ask_files(struct wisp_gate *g, const struct wisp_cli *cli, const char *template)
{
	struct wisp_context *c = &g->context;
	struct wisp_stuck s;

	if (c->tasks_verdict != WISP_VALID && c->tasks_verdict != WISP_MISSING)
		die_err(&c->tasks_err);
	wisp_context_facts(c, &g->facts);
	wisp_stuck_check(&s, c->history, c->intervened, c->config);
	g->facts.stuck = s.stuck;
	g->evidence = s.stuck ? wisp_strdup(wisp_stuck_first(&s)->evidence) : NULL;
	g->facts.open = wisp_breaker_open(c->breaker);
	if (has_phases(c))
		add_phase(c, cli, template, &g->facts);
	wisp_decide(&g->decision, &g->facts);
	wisp_stuck_release(&s);
}

void
wisp_gate_load(struct wisp_gate *g, struct wisp_cli *cli, const char *template, bool note)
{
	memset(g, 0, sizeof *g);
	g->record.lock = -1;
	if (note) {
		wisp_cli_need_loop(cli, &g->record, NULL);
	} else {
		wisp_context_load(&g->context, cli);
		(void)wisp_cli_record(cli, &g->record, WISP_READ);
	}
	g->open = note || wisp_turn_is_open(&g->record);
	if (g->open)
		ask_record(g, &g->record, note);
	else
		ask_files(g, cli, template);
}

void
wisp_gate_release(struct wisp_gate *g)
{
	wisp_context_release(&g->context);
	wisp_record_release(&g->record);
	free(g->evidence);
}

static void
add_decision(struct cJSON *answer, const struct wisp_decision *d)
{
	wisp_json_set_str(answer, "decision", wisp_action_name(d->action));
	wisp_json_set_num(answer, "exit", d->exit);
	wisp_json_set_str(answer, "reason", d->reason);
	wisp_json_set_str(answer, "row", d->row);
	wisp_json_set_str(answer, "tree", wisp_tree_name(d->tree));
	wisp_json_set_str(answer, "refused", d->refused);
}

static void
read_options(struct wisp_gate *g, struct wisp_cli *cli, bool may_note)
{
	const char *template = NULL;
	bool note = false;
	const struct wisp_option options[] = {
		{"template", .text = &template}, {may_note ? "note" : NULL, .flag = &note}, {0}
	};

	wisp_cli_read(cli, options, 0, 0);
	if (note && template != NULL)
		die_usage("what is noted is judged by the template in force");
	wisp_gate_load(g, cli, template, note);
}

int
wisp_gate_decide(struct wisp_cli *cli)
{
	struct cJSON *answer = wisp_json_object();
	struct wisp_gate g;

	read_options(&g, cli, true);
	add_decision(answer, &g.decision);
	wisp_cli_answer(cli, answer);
	wisp_gate_release(&g);
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

static void
add_phase_facts(struct cJSON *facts, const struct wisp_gate *g)
{
	const struct cJSON *noted = wisp_json_get(g->context.judged, "phase");
	const char *asked = noted != NULL || g->open ? "record.json" : "the template's filter";
	const char *phase = wisp_json_str(noted, "name", NULL); /* which may be over by now */
	const struct wisp_facts *f = &g->facts;
	char *rejects = f->reject ? wisp_str("%d/%d", f->rejects, f->rejects_max) : wisp_strdup("no");

	fact(facts, "phase", phase != NULL ? phase : wisp_json_str(g->context.loop, "current_phase", "-"),
	     phase != NULL ? "record.json" : "loop-state.json");
	fact(facts, "gate_1", f->gate_1 ? "open" : "shut", asked);
	fact(facts, "gate_2", f->gate_2 ? "open" : "shut", "state.json");
	fact(facts, "last", f->last_phase ? "yes" : "no", asked);
	fact(facts, "reject", rejects, asked);
	free(rejects);
}

static void
add_facts(struct cJSON *facts, const struct wisp_gate *g)
{
	const struct wisp_context *c = &g->context;
	const struct wisp_facts *f = &g->facts;
	char *step = c->step != NULL ? wisp_str("steps/%s/step.json", c->step_name) : wisp_strdup("no step.json");
	char *tasks = wisp_str("%zu/%zu", f->tasks_claimed, f->tasks_total), *failures = wisp_str("%d", f->failed_before);
	char *cut = f->cut > 0 ? wisp_str("signal %d", f->cut) : wisp_strdup(f->cut < 0 ? "stop" : "no");
	const char *asked = g->open ? "record.json" : "nobody asks";
	bool judged = c->judged != NULL, valid = f->state == WISP_VALID;

	fact(facts, "cut", cut, asked);
	fact(facts, "outcome", wisp_outcome_name(f->outcome), step);
	fact(facts, "state", wisp_verdict_name(f->state), "state.json");
	fact(facts, "status", valid ? wisp_status_name(f->status) : "none", "state.json");
	fact(facts, "tasks", tasks, judged ? "record.json" : "tasks.json");
	fact(facts, "promise", f->promise ? "seen" : f->promise_required ? "missing" : "optional",
	     f->promise || f->promise_required ? step : "completion.promise");
	fact(facts, "verify", wisp_verify_name(f->verify), judged ? "record.json" : "verify.command");
	fact(facts, "commit", f->uncommitted ? "failed" : "ok", judged ? "record.json" : asked);
	if (f->outcome == WISP_AUTH)
		fact(facts, "token", f->token ? "yes" : "no", step);
	fact(facts, "failures", failures, "history.json");
	fact(facts, "stuck", f->stuck ? "yes" : "no", g->evidence != NULL ? g->evidence : "history.json");
	fact(facts, "breaker", f->open ? "open" : "closed", g->open ? "record.json" : "breaker.json");
	if (f->phases)
		add_phase_facts(facts, g);
	fact(facts, "pause", f->pause ? "yes" : "no", asked);
	fact(facts, "once", f->once ? "yes" : "no", asked);
	free(step);
	free(tasks);
	free(failures);
	free(cut);
}

int
wisp_gate_explain(struct wisp_cli *cli)
{
	struct cJSON *answer = wisp_json_object(), *facts = wisp_json_object_at(answer, "facts");
	struct wisp_gate g;

	read_options(&g, cli, false);
	add_facts(facts, &g);
	add_decision(answer, &g.decision);
	for (const struct cJSON *v = cli->json ? NULL : wisp_json_first(facts); v != NULL; v = wisp_json_next(v))
		printf("%s=%s (%s)\n", wisp_json_key(v), wisp_json_str(v, "value", ""), wisp_json_str(v, "from", ""));
	wisp_cli_answer(cli, answer);
	wisp_gate_release(&g);
	return 0;
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
promise_reason(const struct wisp_gate *g)
{
	if (g->facts.promise)
		return wisp_str("seen in step %s", g->context.step_name);
	if (!g->facts.promise_required)
		return wisp_strdup("not asked for");
	if (g->context.step == NULL)
		return wisp_strdup("there is no step.json");
	return wisp_str("not in the final message of step %s", g->context.step_name);
}

/* What a DONE needs, one by one. */
static void
add_conditions(struct cJSON *answer, bool json, const struct wisp_gate *g)
{
	const struct wisp_facts *f = &g->facts;

	condition(answer, json, "done", f->status == WISP_DONE, wisp_str("state.json says %s", wisp_status_name(f->status)));
	condition(answer, json, "tasks", f->tasks_total > 0 && f->tasks_claimed == f->tasks_total,
		  wisp_str("%zu of %zu pass", f->tasks_claimed, f->tasks_total));
	condition(answer, json, "promise", f->promise || !f->promise_required, promise_reason(g));
	if (f->verify != WISP_VERIFY_NONE)
		condition(answer, json, "verify", f->verify == WISP_VERIFY_PASSED,
			  wisp_strdup(f->verify == WISP_VERIFY_SKIPPED ? "not run" : wisp_verify_name(f->verify)));
	if (f->uncommitted)
		condition(answer, json, "commit", false, wisp_strdup("what the step left could not be committed"));
}

/* With phases: the gates of the last one. */
static void
add_gates(struct cJSON *answer, bool json, const struct wisp_gate *g)
{
	const struct wisp_facts *f = &g->facts;
	const char *phase = wisp_json_str(g->context.loop, "current_phase", "-");

	condition(answer, json, "gate_1", f->gate_1, wisp_str("the filter of phase %s", phase));
	condition(answer, json, "gate_2", f->gate_2, wisp_strdup("DONE, or exit_signal, in state.json"));
	condition(answer, json, "last", f->last_phase, wisp_str("phase %s is %s", phase, f->last_phase ? "the last" : "not the last"));
	if (f->reject)
		condition(answer, json, "accepted", false, wisp_strdup("the work was rejected"));
}

/* State and tasks must be there and whole before they can say yes or no; phases need no list. */
static void
need_both(const struct wisp_context *c)
{
	if (c->state.verdict != WISP_VALID)
		die_err(&c->state_err);
	if (c->tasks_verdict != WISP_VALID && !(has_phases(c) && c->tasks_verdict == WISP_MISSING))
		die_err(&c->tasks_err);
}

int
wisp_gate_exit(struct wisp_cli *cli)
{
	const char *promise = NULL;
	const struct wisp_option options[] = {{"promise", .text = &promise}, {0}};
	struct cJSON *answer = wisp_json_object();
	struct wisp_gate g;
	bool open;

	wisp_cli_read(cli, options, 0, 0);
	if (promise != NULL && strcmp(promise, "required") != 0 && strcmp(promise, "optional") != 0)
		die_usage("--promise is required or optional, not '%s'", promise);
	wisp_gate_load(&g, cli, NULL, false);
	need_both(&g.context);
	if (promise != NULL)
		g.facts.promise_required = strcmp(promise, "required") == 0;
	/* A request to pause, or to run once, shuts no gate. */
	g.facts.pause = g.facts.once = false;
	wisp_decide(&g.decision, &g.facts);
	open = g.decision.action == WISP_DO_COMPLETE;
	wisp_json_set_bool(answer, "open", open);
	if (g.facts.phases)
		add_gates(answer, cli->json, &g);
	else
		add_conditions(answer, cli->json, &g);
	if (cli->json)
		wisp_cli_json(answer);
	else
		wisp_json_free(answer);
	wisp_gate_release(&g);
	return open ? 0 : 1;
}
