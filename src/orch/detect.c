/*
 * detect: see detect.h; and the verbs detect and mode.
 */
#include "detect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/orchestra.h"
#include "core/schema.h"
#include "core/template.h"
#include "core/time.h"
#include "open.h"
#include "verb.h"

#define CATEGORIES "codebase|git|cicd|deploy|tests|docs"
#define MODES "greenfield|feature|polish"	/* of equals the first */

static const struct wisp_field row_fields[] = {
	{"category", WISP_T_STRING, WISP_REQUIRED, CATEGORIES, WISP_T_NONE},
	{"fact", WISP_T_STRING, WISP_REQUIRED, WISP_FACT_NAMES, WISP_T_NONE},
	{"min", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	{"max", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	{"and", WISP_T_OBJECT, 0, NULL, WISP_T_NONE},
	{"signal", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{"weight", WISP_T_NUMBER, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"mode", WISP_T_STRING, WISP_REQUIRED, MODES, WISP_T_NONE},
	{0}
};

int
wisp_detect_check(const struct cJSON *table, const char *path, struct wisp_err *err)
{
	static const struct wisp_at up = {NULL, "orchestrator", 0}, list = {&up, "detect", 0};
	const struct wisp_source src = {.path = path, .name = "loop"};
	struct wisp_at at = {&list, NULL, 0};
	const struct wisp_at and_at = {&at, "and", 0}, weight = {&at, "weight", 0};

	if (wisp_json_type(table) != WISP_T_ARRAY)
		return wisp_schema_refuse(&src, &up, err, "detect: expected an array");
	for (const struct cJSON *row = wisp_json_first(table); row != NULL; row = wisp_json_next(row), at.index++) {
		const struct cJSON *and = wisp_json_get(row, "and");

		if (wisp_schema_check(&src, &at, row, row_fields, NULL, err) != 0)
			return -1;
		if (wisp_json_num(row, "weight", 0) <= 0)
			return wisp_schema_refuse(&src, &weight, err, "must be above 0");
		if (wisp_json_num(row, "min", 0) > wisp_json_num(row, "max", INFINITY))
			return wisp_schema_refuse(&src, &at, err, "min is above max");
		if (and != NULL && wisp_words_find(WISP_FACT_NAMES, wisp_json_str(and, "fact", "")) < 0)
			return wisp_schema_refuse(&src, &and_at, err, "fact: expected one of %s", WISP_FACT_NAMES);
	}
	return 0;
}

/* The fact of a condition lies between its min and max; *value is it. */
static bool
holds(const struct cJSON *condition, const long long *facts, long long *value)
{
	int fact = wisp_words_find(WISP_FACT_NAMES, wisp_json_str(condition, "fact", ""));

	if (fact < 0)
		return false;
	*value = facts[fact];
	return (double)*value >= wisp_json_num(condition, "min", 0) && (double)*value <= wisp_json_num(condition, "max", INFINITY);
}

/* `%d files`, with the number in the place of %d. */
static char *
signal_text(const char *pattern, long long value)
{
	const char *place = strstr(pattern, "%d");

	if (place == NULL)
		return wisp_strdup(pattern);
	return wisp_str("%.*s%lld%s", (int)(place - pattern), pattern, value, place + 2);
}

struct cJSON *
wisp_detect(const struct cJSON *table, const long long *facts)
{
	static const char *const names[] = {"greenfield", "brownfield-feature", "brownfield-polish"};
	struct cJSON *detection = wisp_json_object(), *signals = wisp_json_array();
	double weights[] = {0, 0, 0}, all = 0;
	size_t best = 0;

	for (const struct cJSON *row = wisp_json_first(table); row != NULL; row = wisp_json_next(row)) {
		const struct cJSON *and = wisp_json_get(row, "and");
		int mode = wisp_words_find(MODES, wisp_json_str(row, "mode", ""));
		double weight = wisp_json_num(row, "weight", 0);
		long long value, other;
		struct cJSON *signal;
		char *text;

		if (mode < 0 || !holds(row, facts, &value) || (and != NULL && !holds(and, facts, &other)))
			continue;
		weights[mode] += weight;
		all += weight;
		text = signal_text(wisp_json_str(row, "signal", ""), value);
		signal = wisp_json_object();
		wisp_json_set_str(signal, "category", wisp_json_str(row, "category", ""));
		wisp_json_set_str(signal, "signal", text);
		wisp_json_set_num(signal, "weight", weight);
		wisp_json_set_str(signal, "mode", wisp_json_str(row, "mode", ""));
		wisp_json_push(signals, signal);
		free(text);
	}
	/* In thousandths: a sum of tenths is not always what it seems. */
	for (size_t i = 1; i < sizeof weights / sizeof *weights; i++)
		if (lround(weights[i] * 1000) > lround(weights[best] * 1000))
			best = i;
	wisp_json_set_str(detection, "detected", names[best]);
	wisp_json_set_num(detection, "confidence", all > 0 ? floor(weights[best] / all * 100 + 0.5) / 100 : 0);
	wisp_json_set(detection, "signals", signals);
	wisp_json_set_bool(detection, "confirmedByUser", false);
	wisp_json_set_bool(detection, "overridden", false);
	return detection;
}

/* --- verbs ----------------------------------------------------------------------- */

/* NAME=NUMBER, as git has counted it. */
static void
set_fact(long long *facts, const char *given)
{
	const char *equal = strchr(given, '=');
	char *name = equal != NULL ? wisp_str("%.*s", (int)(equal - given), given) : NULL, *end = NULL;
	int fact = name != NULL ? wisp_words_find(WISP_FACT_NAMES, name) : -1;

	if (fact < 0)
		die_usage("expected FACT=NUMBER, not '%s'", given);
	facts[fact] = strtoll(equal + 1, &end, 10);
	if (end == equal + 1 || *end != '\0' || facts[fact] < 0)
		die_usage("expected FACT=NUMBER, not '%s'", given);
	free(name);
}

/* Names on stdin, NUL after each. */
static void
read_names(long long *facts)
{
	char *name = NULL;
	size_t room = 0;

	while (getdelim(&name, &room, '\0', stdin) > 0)
		wisp_facts_add(facts, name);
	free(name);
	if (ferror(stdin))
		die_sys("cannot read the names of the files");
}

/* For people: each signal, and what comes of them. */
static void
show(const struct cJSON *detection)
{
	struct wisp_buf out = WISP_BUF_INIT;

	for (const struct cJSON *s = wisp_json_first(wisp_json_get(detection, "signals")); s != NULL; s = wisp_json_next(s))
		wisp_buf_printf(&out, "  %-9s %-28s %.1f %s\n", wisp_json_str(s, "category", ""), wisp_json_str(s, "signal", ""),
				wisp_json_num(s, "weight", 0), wisp_json_str(s, "mode", ""));
	wisp_buf_printf(&out, "detected %s, confidence %.2f\n", wisp_json_str(detection, "detected", ""),
			wisp_json_num(detection, "confidence", 0));
	wisp_cli_print(&out);
}

/* With -C the state of that orchestration gets what is detected; without, or with --json, it is printed. */
int
wisp_orch_detect(struct wisp_cli *cli)
{
	const char *template = NULL;
	struct wisp_texts given = {0};
	const struct wisp_option options[] = {{"template", .text = &template}, {"fact", .list = &given}, {0}};
	long long facts[WISP_FACTS] = {0};
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *doc = NULL, *detection, *state;
	const struct cJSON *table;
	struct wisp_record r;
	char *path;

	wisp_cli_read(cli, options, 0, 0);
	if (template == NULL)
		die_usage("detect needs --template DIR");
	path = wisp_str("%s/loop.json", template);
	if (wisp_template_load(template, NULL, &doc, &err) != 0)
		die_err(&err);
	table = wisp_json_get(wisp_json_get(doc, "orchestrator"), "detect");
	if (wisp_detect_check(table, path, &err) != 0)
		die_err(&err);
	read_names(facts);
	for (size_t i = 0; i < given.count; i++)
		set_fact(facts, given.list[i]);
	detection = wisp_detect(table, facts);
	if (cli->dir != NULL) {
		state = wisp_orch_open(cli, &r, WISP_WRITE);
		wisp_json_set(state, "modeDetection", wisp_json_copy(detection));
		wisp_orch_commit(&r);
		wisp_record_release(&r);
	}
	if (cli->json) {
		wisp_cli_json(detection);
	} else {
		show(detection);
		wisp_json_free(detection);
	}
	wisp_json_free(doc);
	free(given.list);
	free(path);
	return 0;
}

/* The mode is confirmed, or with --mode overridden; then DISCOVER follows. */
int
wisp_orch_mode(struct wisp_cli *cli)
{
	const char *mode = NULL, *detected;
	const struct wisp_option options[] = {{"mode", .text = &mode}, {0}};
	struct cJSON *state, *detection, *answer = wisp_json_object();
	struct wisp_record r;

	wisp_cli_read(cli, options, 0, 0);
	state = wisp_orch_open(cli, &r, WISP_WRITE);
	detection = wisp_json_object_at(state, "modeDetection");
	detected = wisp_json_str(detection, "detected", NULL);
	if (mode == NULL && detected == NULL)
		die_data("no mode is detected yet");
	if (mode != NULL && wisp_words_find("greenfield|brownfield-feature|brownfield-polish", mode) < 0)
		die_usage("'%s' is no mode", mode);
	wisp_json_set_bool(detection, "overridden", mode != NULL && (detected == NULL || strcmp(mode, detected) != 0));
	wisp_json_set_bool(detection, "confirmedByUser", true);
	wisp_json_set_str(state, "mode", mode != NULL ? mode : detected);
	if (wisp_orchestra_move(state, "DISCOVER") != 0 && strcmp(wisp_json_str(state, "currentPhase", ""), "DISCOVER") != 0)
		die_usage("the mode is confirmed already: the phase is %s", wisp_json_str(state, "currentPhase", ""));
	wisp_orch_commit(&r);
	wisp_json_set_str(answer, "mode", wisp_json_str(state, "mode", ""));
	wisp_record_release(&r);
	wisp_cli_answer(cli, answer);
	return 0;
}
