/*
 * wisp-stuck: is the loop getting anywhere?
 *
 * The five rules of wisp-stuck(1) over the rolling window of iterations, as the
 * loop itself asks them: with the history, the thresholds in force and the
 * last intervention of the session's record. A folder without a record is
 * judged by its history.json and the defaults. Options override either. With --note the answer, and the breaker's, is
 * noted with the open step: what the loop halts by. The breaker's own verbs are in stuck/breaker.c.
 *
 * Exit: 0 stuck, the breaker lets a step start; 1 not; 100 called wrongly; 102 no history, or one that is
 * none; 111 the system refused.
 */
#include <stdio.h>
#include <stdlib.h>

#include "core/cli.h"
#include "core/config.h"
#include "core/turn.h"
#include "stuck/breaker.h"

/* NULL where the file is missing and need not be there. */
static struct cJSON *
load(const char *path, bool needed)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *v = NULL;
	enum wisp_verdict verdict = wisp_json_load(path, &v, &err);

	if (verdict != WISP_VALID && (verdict != WISP_MISSING || needed))
		die_err(&err);
	wisp_err_release(&err);
	return v;
}

static void
check_history(const struct cJSON *history, const char *path)
{
	const struct cJSON *e;
	size_t i = 0;

	if (wisp_json_type(history) != WISP_T_ARRAY)
		die_data("%s: history: expected an array, not %s", path, wisp_type_name(wisp_json_type(history)));
	for (e = wisp_json_first(history); e != NULL; e = wisp_json_next(e), i++)
		if (wisp_json_type(e) != WISP_T_OBJECT)
			die_data("%s: history[%zu]: expected an object, not %s", path, i, wisp_type_name(wisp_json_type(e)));
}

/* The record of a folder that has no session: its thresholds, and what history.json beside it holds. */
static struct cJSON *
folder_record(const struct wisp_place *place)
{
	char *path = wisp_str("%s/%s", place->dir, WISP_RECORD);
	struct cJSON *doc = load(path, false), *history;

	free(path);
	if (doc == NULL)
		doc = wisp_json_object();
	path = wisp_str("%s/history.json", place->dir);
	history = load(path, true);
	check_history(history, path);
	wisp_json_set(doc, "history", history);
	if (wisp_json_type(wisp_json_get(doc, "config")) != WISP_T_OBJECT)
		wisp_json_set(doc, "config", wisp_config_defaults());
	free(path);
	return doc;
}

static void
use_template(struct cJSON *config, const char *dir)
{
	char *path = wisp_str("%s/loop.json", dir);
	struct cJSON *loop = load(path, true);
	struct wisp_err err = WISP_ERR_INIT;

	if (wisp_config_apply_json(config, NULL, wisp_json_get(loop, "config"), path, &err) < 0)
		die_err(&err);
	wisp_json_free(loop);
	free(path);
}

static void
use_option(struct cJSON *config, const char *name, const char *value)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *v;

	if (value == NULL)
		return;
	v = wisp_config_value(wisp_config_key(name, NULL), value, &err);
	if (v == NULL)
		die_usage("%s", err.text);
	wisp_json_set(config, name, v);
}

static void
print_rules(const struct wisp_stuck *s)
{
	const struct wisp_rule_result *r;

	for (r = s->rule; r < s->rule + WISP_RULES; r++) {
		printf("%s=%d/", r->name, r->count);
		if (r->threshold < 0)
			printf("none");
		else
			printf("%d", r->threshold);
		printf("%s%s\n", *r->evidence != '\0' ? " " : "", r->evidence);
	}
	printf("warning=%s\nstuck=%s\n", s->warning ? "yes" : "no", s->stuck ? "yes" : "no");
}

static void
print_json(const struct wisp_stuck *s)
{
	const struct wisp_rule_result *first = wisp_stuck_first(s), *r;
	struct cJSON *doc = wisp_json_object(), *rules, *o;

	wisp_json_set_bool(doc, "stuck", s->stuck);
	wisp_json_set_bool(doc, "warning", s->warning);
	wisp_json_set_str(doc, "rule", first != NULL ? first->name : NULL);
	wisp_json_set_str(doc, "evidence", first != NULL ? first->evidence : NULL);
	rules = wisp_json_array_at(doc, "rules");
	for (r = s->rule; r < s->rule + WISP_RULES; r++) {
		o = wisp_json_object();
		wisp_json_set_str(o, "rule", r->name);
		wisp_json_set_num(o, "count", r->count);
		wisp_json_set(o, "threshold", r->threshold < 0 ? wisp_json_null() : wisp_json_double(r->threshold));
		wisp_json_set_bool(o, "stuck", r->stuck);
		wisp_json_set_bool(o, "warning", r->warning);
		wisp_json_set_str(o, "evidence", r->evidence);
		wisp_json_push(rules, o);
	}
	wisp_cli_json(doc);
}

/* A step that ran and is not recorded yet is asked about with the history that it will be in, and that may be noted with it. */
static void
ask(struct wisp_record *r, bool note, struct wisp_stuck *s)
{
	struct wisp_err err = WISP_ERR_INIT;
	int rc = 0;

	if (note || (r->home != NULL && wisp_turn_is_open(r)))
		rc = wisp_turn_stuck(r, s, &err);
	else
		wisp_stuck_check(s, wisp_json_get(r->doc, "history"), wisp_json_int(r->doc, "intervened", 0),
				 wisp_record_config(r));
	if (rc == 0 && note)
		rc = wisp_record_save(r);
	wisp_cli_must(rc, &err, r);
}

static int
check(struct wisp_cli *cli)
{
	static const char *const keys[WISP_RULES] = {
		"stuck.noProgress", "stuck.sameFiles", "stuck.similarErrors", "stuck.returningTree", "stuck.falseDone"
	};
	const char *value[WISP_RULES] = {NULL}, *template = NULL;
	long long since = -1;
	bool note = false, given = false;
	const struct wisp_option options[] = {
		{"no-progress", .text = &value[WISP_NO_PROGRESS]},
		{"same-files", .text = &value[WISP_SAME_FILES]},
		{"similar-errors", .text = &value[WISP_SIMILAR_ERRORS]},
		{"returning-tree", .text = &value[WISP_RETURNING_TREE]},
		{"false-done", .text = &value[WISP_FALSE_DONE]},
		{"since", .number = &since},
		{"template", .text = &template},
		{"note", .flag = &note},
		{0}
	};
	struct wisp_record r = {.lock = -1};
	struct wisp_stuck s;

	wisp_cli_read(cli, options, 0, 0);
	for (int i = 0; i < WISP_RULES; i++)
		given = given || value[i] != NULL;
	if (note && (given || template != NULL || since >= 0))
		die_usage("what is noted is judged by the thresholds in force");
	wisp_cli_place(cli);
	if (note)
		wisp_cli_need_loop(cli, &r, NULL);
	else if (cli->place.home == NULL || !wisp_cli_record(cli, &r, WISP_READ))
		r.doc = folder_record(&cli->place);
	if (template != NULL)
		use_template(wisp_record_config(&r), template);
	for (int i = 0; i < WISP_RULES; i++)
		use_option(wisp_record_config(&r), keys[i], value[i]);
	if (since >= 0)
		wisp_json_set_num(r.doc, "intervened", (double)since);
	ask(&r, note, &s);
	if (cli->json)
		print_json(&s);
	else
		print_rules(&s);
	given = s.stuck;
	wisp_stuck_release(&s);
	wisp_record_release(&r);
	return given ? 0 : 1;
}

int
main(int argc, char **argv)
{
	static const struct wisp_verb verbs[] = {
		{"check", check, "[--no-progress N] [--same-files N] [--similar-errors N] [--returning-tree N]"
		 " [--false-done N] [--since ITERATION] [--template DIR] [--note]", "each rule with its evidence; 0 stuck, 1 not"},
		{"breaker", wisp_verb_breaker, "show|update|reset|allow [--phase P] [--progress | --no-progress] [--error TEXT]"
		 " [--metrics JSON]", "the circuit breaker; allow: 1 where it is OPEN"},
		{0}
	};

	wisp_cli_main(argc, argv, "is the loop getting anywhere?", verbs);
}
