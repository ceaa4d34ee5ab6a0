/*
 * decide: the table of core/decide by hand. Every fact is read from the session's
 * files, or given as an option; `explain` shows which.
 */
#include "context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/stuck.h"

/* The facts as options have them; NULL and -1 where they do not say. */
struct given {
	const char *outcome, *state, *status, *tasks, *promise, *verify;
	long long failures, signal;
	bool stuck, not_stuck, stop, pause, once;
};

/* Index of a word that `name` gives for 0 to `last`; dies for any other. */
static int
parse_word(const char *word, const char *option, const char *(*name)(int), int last)
{
	for (int i = 0; i <= last; i++)
		if (strcmp(name(i), word) == 0)
			return i;
	die_usage("--%s: unknown word '%s'", option, word);
}

static const char *
state_name(int i)
{
	return wisp_verdict_name((enum wisp_verdict)i);
}

static const char *
status_name(int i)
{
	return wisp_status_name((enum wisp_status)i);
}

static const char *
outcome_name(int i)
{
	return wisp_outcome_name((enum wisp_outcome)i);
}

static const char *
verify_name(int i)
{
	return wisp_verify_name((enum wisp_verify)i);
}

/* PASSED/TOTAL */
static void
parse_tasks(const char *text, struct wisp_facts *f)
{
	char *end;

	f->tasks_claimed = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end != '/' || end[1] < '0' || end[1] > '9')
		die_usage("--tasks: expected PASSED/TOTAL, not '%s'", text);
	f->tasks_total = strtoul(end + 1, &end, 10);
	if (*end != '\0' || f->tasks_claimed > f->tasks_total)
		die_usage("--tasks: expected PASSED/TOTAL, not '%s'", text);
}

static void
take_given(const struct given *g, struct wisp_facts *f)
{
	if (g->outcome != NULL)
		f->outcome = (enum wisp_outcome)parse_word(g->outcome, "outcome", outcome_name, WISP_UNSTARTABLE);
	if (g->status != NULL) {
		f->status = (enum wisp_status)parse_word(g->status, "status", status_name, WISP_BLOCKED);
		f->state = WISP_VALID;
	}
	if (g->state != NULL)
		f->state = (enum wisp_verdict)parse_word(g->state, "state", state_name, WISP_UNREADABLE);
	if (g->tasks != NULL)
		parse_tasks(g->tasks, f);
	if (g->promise != NULL) {
		f->promise = strcmp(g->promise, "seen") == 0;
		f->promise_required = strcmp(g->promise, "optional") != 0;
		if (!f->promise && f->promise_required && strcmp(g->promise, "missing") != 0)
			die_usage("--promise: expected seen, missing or optional, not '%s'", g->promise);
	}
	if (g->verify != NULL)
		f->verify = (enum wisp_verify)parse_word(g->verify, "verify", verify_name, WISP_VERIFY_FAILED);
	if (g->failures >= 0)
		f->failed_before = g->failures > 1000 ? 1000 : (int)g->failures;
	if (g->signal > 127)
		die_usage("--signal: there is no signal %lld", g->signal);
	if (g->stuck || g->not_stuck)
		f->stuck = g->stuck;
	f->cut = g->stop ? WISP_CUT_STOP : (int)g->signal;
	f->pause = g->pause;
	f->once = g->once;
}

/* Reads options and files; `s` is what wisp_stuck_check says of the history. */
static void
gather(struct wisp_cli *cli, struct given *g, struct wisp_context *c, struct wisp_stuck *s, struct wisp_facts *f)
{
	const struct wisp_option options[] = {
		{"outcome", .text = &g->outcome}, {"state", .text = &g->state}, {"status", .text = &g->status},
		{"tasks", .text = &g->tasks}, {"promise", .text = &g->promise}, {"verify", .text = &g->verify},
		{"failures", .number = &g->failures}, {"signal", .number = &g->signal}, {"stop", .flag = &g->stop},
		{"stuck", .flag = &g->stuck}, {"no-stuck", .flag = &g->not_stuck}, {"pause", .flag = &g->pause},
		{"once", .flag = &g->once}, {0}
	};

	*g = (struct given){.failures = -1};
	wisp_cli_read(cli, options, 0, 0);
	wisp_context_load(c, cli);
	if (g->tasks == NULL && c->tasks_verdict != WISP_VALID && c->tasks_verdict != WISP_MISSING)
		die_err(&c->tasks_err);
	wisp_context_facts(c, f);
	wisp_stuck_check(s, c->history, c->intervened, c->config);
	f->stuck = s->stuck;
	take_given(g, f);
}

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
	struct given g;

	gather(cli, &g, &c, &s, &f);
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
add_facts(struct cJSON *facts, const struct given *g, const struct wisp_context *c, const struct wisp_stuck *s,
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
	fact(facts, "failures", failures, source(g->failures >= 0, "history.json"));
	fact(facts, "stuck", f->stuck ? "yes" : "no",
	     source(g->stuck || g->not_stuck, rule != NULL ? rule->evidence : "history.json"));
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
	struct given g;

	gather(cli, &g, &c, &s, &f);
	add_facts(facts, &g, &c, &s, &f);
	add_decision(answer, &f);
	for (const struct cJSON *v = cli->json ? NULL : wisp_json_first(facts); v != NULL; v = wisp_json_next(v))
		printf("%s=%s (%s)\n", wisp_json_key(v), wisp_json_str(v, "value", ""), wisp_json_str(v, "from", ""));
	wisp_cli_answer(cli, answer);
	wisp_stuck_release(&s);
	wisp_context_release(&c);
	return 0;
}
