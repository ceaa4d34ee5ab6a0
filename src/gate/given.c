/*
 * given: see given.h.
 */
#include "given.h"

#include <stdlib.h>
#include <string.h>

#include "core/breaker.h"

/* What `parse` makes of a word; dies for one that is none. */
static int
parse_word(const char *word, const char *option, int (*parse)(const char *))
{
	int i = parse(word);

	if (i < 0)
		die_usage("--%s: unknown word '%s'", option, word);
	return i;
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

/* N/MAX */
static void
parse_reject(const char *text, struct wisp_facts *f)
{
	char *end;

	f->reject = true;
	f->rejects = (int)strtol(text, &end, 10);
	if (*text < '1' || *text > '9' || *end != '/' || end[1] < '1' || end[1] > '9')
		die_usage("--reject: expected N/MAX, not '%s'", text);
	f->rejects_max = (int)strtol(end + 1, &end, 10);
	if (*end != '\0')
		die_usage("--reject: expected N/MAX, not '%s'", text);
}

bool
wisp_given_phases(const struct wisp_given *g)
{
	return g->phases || g->gate_1 || g->gate_2 || g->last || g->reject != NULL;
}

static void
take_given(const struct wisp_given *g, struct wisp_facts *f)
{
	if (wisp_given_phases(g)) {
		f->phases = true;
		f->gate_1 = g->gate_1;
		f->gate_2 = g->gate_2;
		f->last_phase = g->last;
		f->reject = false;
	}
	if (g->reject != NULL)
		parse_reject(g->reject, f);
	if (g->breaker || g->no_breaker)
		f->open = g->breaker;
	if (g->outcome != NULL || g->token)
		f->token = g->token;
	if (g->outcome != NULL)
		f->outcome = (enum wisp_outcome)parse_word(g->outcome, "outcome", wisp_outcome_parse);
	if (g->status != NULL) {
		f->status = (enum wisp_status)parse_word(g->status, "status", wisp_status_parse);
		f->state = WISP_VALID;
	}
	if (g->state != NULL)
		f->state = (enum wisp_verdict)parse_word(g->state, "state", wisp_verdict_parse);
	if (g->tasks != NULL)
		parse_tasks(g->tasks, f);
	if (g->promise != NULL) {
		f->promise = strcmp(g->promise, "seen") == 0;
		f->promise_required = strcmp(g->promise, "optional") != 0;
		if (!f->promise && f->promise_required && strcmp(g->promise, "missing") != 0)
			die_usage("--promise: expected seen, missing or optional, not '%s'", g->promise);
	}
	if (g->verify != NULL)
		f->verify = (enum wisp_verify)parse_word(g->verify, "verify", wisp_verify_parse);
	if (g->uncommitted)
		f->uncommitted = true;
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

/* Of a session with phases: what the controller asked of the step, else the gates as the files stand. */
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

void
wisp_given_gather(struct wisp_cli *cli, struct wisp_given *g, struct wisp_context *c, struct wisp_stuck *s,
		  struct wisp_facts *f)
{
	const struct wisp_option options[] = {
		{"outcome", .text = &g->outcome}, {"state", .text = &g->state}, {"status", .text = &g->status},
		{"tasks", .text = &g->tasks}, {"promise", .text = &g->promise}, {"verify", .text = &g->verify},
		{"uncommitted", .flag = &g->uncommitted}, {"failures", .number = &g->failures}, {"signal", .number = &g->signal}, {"stop", .flag = &g->stop},
		{"stuck", .flag = &g->stuck}, {"no-stuck", .flag = &g->not_stuck}, {"pause", .flag = &g->pause},
		{"once", .flag = &g->once}, {"token", .flag = &g->token}, {"phases", .flag = &g->phases},
		{"gate-1", .flag = &g->gate_1},
		{"gate-2", .flag = &g->gate_2}, {"last", .flag = &g->last}, {"reject", .text = &g->reject},
		{"breaker", .flag = &g->breaker}, {"no-breaker", .flag = &g->no_breaker}, {"template", .text = &g->template}, {0}
	};

	*g = (struct wisp_given){.failures = -1};
	wisp_cli_read(cli, options, 0, 0);
	wisp_context_load(c, cli);
	if (g->tasks == NULL && c->tasks_verdict != WISP_VALID && c->tasks_verdict != WISP_MISSING)
		die_err(&c->tasks_err);
	wisp_context_facts(c, f);
	wisp_stuck_check(s, c->history, c->intervened, c->config);
	f->stuck = s->stuck;
	f->open = wisp_breaker_open(c->breaker);
	if ((c->machine != NULL || c->loop != NULL) && !wisp_given_phases(g))
		add_phase(c, cli, g->template, f);
	take_given(g, f);
}
