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
#include "core/time.h"
#include "open.h"
#include "verb.h"

/* The fact of a condition lies between its min and max; *value is it. */
static bool
holds(const struct cJSON *condition, const long long *facts, long long *value)
{
	int fact = wisp_words_find(WISP_FACT_NAMES, wisp_json_str(condition, "fact", ""));

	if (fact < 0)
		return false;
	*value = facts[fact];
	return *value >= 0 && (double)*value >= wisp_json_num(condition, "min", 0) && (double)*value <= wisp_json_num(condition, "max", INFINITY);
}

/* The text of a row, `%d file(s)`: 1 file, 2 files. */
static char *
signal_text(const char *pattern, long long value)
{
	struct wisp_buf out = WISP_BUF_INIT;

	for (; *pattern != '\0'; pattern++) {
		if (strncmp(pattern, "%d", 2) == 0) {
			wisp_buf_printf(&out, "%lld", value);
			pattern++;
		} else if (strncmp(pattern, "(s)", 3) == 0) {
			wisp_buf_puts(&out, value == 1 ? "" : "s");
			pattern += 2;
		} else {
			wisp_buf_putc(&out, *pattern);
		}
	}
	return wisp_buf_detach(&out);
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
		int mode = wisp_words_find(WISP_FACT_MODES, wisp_json_str(row, "mode", ""));
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

/* One entry: `MODE TYPE ID<tab>NAME`. Of a symbolic link only that it is a README; a submodule is another repository. */
static void
read_entry(long long *facts, const char *entry)
{
	const char *tab = strchr(entry, '\t');
	long long of_link[WISP_FACTS] = {0};

	if (tab == NULL)
		die_data("what git lists is no entry of a tree: '%s'", entry);
	if (strncmp(entry, "120000 ", 7) == 0) {
		wisp_facts_add(of_link, tab + 1);
		facts[WISP_FACT_README] += of_link[WISP_FACT_README];
	} else if (strncmp(entry, "160000 ", 7) != 0) {
		wisp_facts_add(facts, tab + 1);
	}
}

/* `git ls-tree -r -z` on stdin, NUL after each entry. */
static void
read_tree(long long *facts)
{
	char *entry = NULL;
	size_t room = 0;

	while (getdelim(&entry, &room, '\0', stdin) > 0)
		read_entry(facts, entry);
	free(entry);
	if (ferror(stdin))
		die_sys("cannot read the names of the files");
}

/* For people: each signal, and what comes of them. */
static void
show(const struct cJSON *detection)
{
	struct wisp_buf out = WISP_BUF_INIT;

	for (const struct cJSON *s = wisp_json_first(wisp_json_get(detection, "signals")); s != NULL; s = wisp_json_next(s))
		wisp_buf_printf(&out, "  %-9s %-28s %.3g %s\n", wisp_json_str(s, "category", ""), wisp_json_str(s, "signal", ""),
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

	wisp_cli_read(cli, options, 0, 0);
	if (template == NULL)
		die_usage("detect needs --template DIR");
	if (wisp_template_load(template, NULL, &doc, &err) != 0)
		die_err(&err);
	table = wisp_json_get(wisp_json_get(doc, "orchestrator"), "detect");
	if (wisp_json_type(table) != WISP_T_ARRAY)
		die_data("'%s/loop.json' has no table orchestrator.detect", template);
	/* What git does not say, as in a shallow clone, is not known. */
	for (int fact = WISP_FACT_COMMITS; fact < WISP_FACTS; fact++)
		facts[fact] = -1;
	read_tree(facts);
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
