/*
 * context: see context.h.
 */
#include "context.h"

#include <stdlib.h>
#include <string.h>

#include "core/config.h"
#include "core/document.h"

/* A document that may be missing, but not broken. */
static struct cJSON *
load_optional(const struct wisp_cli *cli, const char *name)
{
	char *path = wisp_str("%s/%s", cli->place.dir, name);
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *v = NULL;
	enum wisp_verdict verdict = wisp_json_load(path, &v, &err);

	if (verdict != WISP_VALID && verdict != WISP_MISSING)
		die_err(&err);
	wisp_err_release(&err);
	free(path);
	return v;
}

/*
 * The step.json of the last step: the record's, or where there is no record the
 * one in the newest folder. An older one would answer for a step that it is not
 * of.
 */
static void
load_step(struct wisp_context *c, const struct wisp_cli *cli)
{
	char *dir = wisp_str("%s/steps", cli->place.dir), **names = NULL, *name;
	size_t count = 0;

	if (c->step_name == NULL && wisp_turn_steps(dir, &names, &count) == 0 && count > 0)
		c->step_name = wisp_strdup(names[count - 1]);
	if (c->step_name != NULL) {
		name = wisp_str("steps/%s/step.json", c->step_name);
		c->step = load_optional(cli, name);
		free(name);
	}
	wisp_dir_list_free(names, count);
	free(dir);
}

/* Thresholds, and the step that is being judged, from the record; defaults where there is none. */
static void
load_record(struct wisp_context *c, struct wisp_cli *cli)
{
	const struct cJSON *step, *machine;
	const char *stage;
	struct wisp_record r;
	char *path;

	if (!wisp_cli_record(cli, &r, WISP_READ)) {
		c->config = wisp_config_defaults();
		return;
	}
	c->config = wisp_json_copy(wisp_record_config(&r));
	c->intervened = wisp_json_int(r.doc, "intervened", 0);
	machine = wisp_json_get(r.doc, "machine");
	c->machine = wisp_json_type(machine) == WISP_T_OBJECT ? wisp_json_copy(machine) : NULL;
	path = wisp_record_home_path(&r, "record.json");
	c->recorded = cli->place.home != NULL || wisp_file_exists(path);
	free(path);
	step = wisp_turn_step(&r);
	if (step != NULL) {
		stage = wisp_json_str(step, "stage", "");
		c->step_name = wisp_strdup(wisp_json_str(step, "name", "0000"));
		c->judged = strcmp(stage, "begun") == 0 ? NULL : wisp_json_copy(step);
	}
	wisp_record_release(&r);
}

void
wisp_context_load(struct wisp_context *c, struct wisp_cli *cli)
{
	char *path;

	memset(c, 0, sizeof *c);
	wisp_cli_place(cli);
	path = wisp_str("%s/state.json", cli->place.dir);
	if (wisp_state_load(&c->state, path, &c->state_err) == WISP_VALID)
		wisp_err_release(&c->state_err);
	free(path);
	path = wisp_str("%s/tasks.json", cli->place.dir);
	c->tasks_verdict = wisp_tasks_load(&c->tasks, path, &c->tasks_err);
	free(path);
	c->history = load_optional(cli, "history.json");
	c->session = load_optional(cli, "session.json");
	c->loop = load_optional(cli, "loop-state.json");
	c->breaker = load_optional(cli, "breaker.json");
	load_record(c, cli);
	load_step(c, cli);
	wisp_context_measure(c);
}

void
wisp_context_release(struct wisp_context *c)
{
	wisp_state_release(&c->state);
	wisp_err_release(&c->state_err);
	wisp_tasks_release(&c->tasks);
	wisp_err_release(&c->tasks_err);
	wisp_json_free(c->history);
	wisp_json_free(c->session);
	wisp_json_free(c->loop);
	wisp_json_free(c->breaker);
	wisp_json_free(c->step);
	wisp_json_free(c->config);
	wisp_json_free(c->judged);
	wisp_json_free(c->machine);
	wisp_phase_claim_release(&c->claim);
	wisp_json_free(c->metrics);
	free(c->step_name);
}

static const struct cJSON *
last_of(const struct cJSON *array)
{
	const struct cJSON *last = NULL;

	for (const struct cJSON *e = wisp_json_first(array); e != NULL; e = wisp_json_next(e))
		last = e;
	return last;
}

struct cJSON *
wisp_context_document(const struct wisp_context *c)
{
	const struct wisp_document d = {
		.state = c->state.doc, .history = c->history, .session = c->session, .loop = c->loop, .step = c->step,
		.metrics = c->metrics, .tasks = c->tasks_verdict == WISP_VALID ? &c->tasks : NULL,
		.verify = wisp_json_str(c->judged, "verify", wisp_json_str(last_of(c->history), "verify", NULL))
	};

	return wisp_document_new(&d);
}

/* What the history before the judged step says; once recorded, that is itself the last of it. */
static void
look_back(const struct wisp_context *c, struct wisp_facts *f)
{
	struct cJSON *before = wisp_json_array();

	for (const struct cJSON *e = wisp_json_first(c->history); e != NULL; e = wisp_json_next(e))
		if (wisp_json_next(e) != NULL || wisp_json_int(e, "iteration", -1) != wisp_json_int(c->judged, "iteration", 0))
			wisp_json_push(before, wisp_json_copy(e));
	f->failed_before = wisp_turn_failures(before, c->intervened);
	f->token = wisp_turn_token(c->step, before, c->intervened);
	wisp_json_free(before);
}

static bool
verify_set(const struct wisp_context *c)
{
	const struct cJSON *command = wisp_json_get(c->config, "verify.command");

	return wisp_json_type(command) == WISP_T_STRING || wisp_json_len(command) > 0;
}

void
wisp_context_facts(const struct wisp_context *c, struct wisp_facts *f)
{
	const char *promise = wisp_config_text(c->config, "completion.promise");
	int word = wisp_outcome_parse(wisp_json_str(c->step, "outcome", "ok"));

	memset(f, 0, sizeof *f);
	f->outcome = word < 0 ? WISP_ERROR : (enum wisp_outcome)word;
	f->state = c->state.verdict;
	f->status = c->state.status;
	f->tasks_total = c->tasks.count;
	f->tasks_claimed = c->tasks.passed;
	f->promise = wisp_json_bool(c->step, "promise", false);
	f->promise_required = promise == NULL || strcmp(promise, "optional") != 0;
	look_back(c, f);
	word = wisp_verify_parse(wisp_json_str(c->judged, "verify", verify_set(c) ? "skipped" : "none"));
	f->verify = word < 0 ? WISP_VERIFY_NONE : (enum wisp_verify)word;
	if (c->judged != NULL) {
		f->uncommitted = wisp_json_str(c->judged, "uncommitted", NULL) != NULL;
		if (wisp_json_bool(c->judged, "deletes", false))
			f->state = WISP_INVALID;
		f->tasks_claimed = (size_t)wisp_json_num(c->judged, "claimed", (double)f->tasks_claimed);
		f->tasks_total = (size_t)wisp_json_num(c->judged, "total", (double)f->tasks_total);
	}
}
