/*
 * breaker: see breaker.h. A session's breaker stands in its record; a folder of
 * no session has a breaker.json, and a missing one is a new breaker.
 */
#include "breaker.h"

#include <stdlib.h>
#include <string.h>

#include "core/breaker.h"
#include "core/config.h"

struct options {
	const char *phase, *error, *metrics;
	bool progress, no_progress;
};

/* What the verbs work on: `breaker` and the documents around it. */
struct work {
	struct wisp_record r;
	bool session;		/* else a bare folder: what follows was read for it, and is freed */
	struct cJSON *breaker, *loop, *history, *machine, *config, *metrics;
	const char *phase;
	struct wisp_thresholds t;
};

static const struct cJSON *
last_of(const struct cJSON *history)
{
	const struct cJSON *last = NULL;

	for (const struct cJSON *e = wisp_json_first(history); e != NULL; e = wisp_json_next(e))
		last = e;
	return last;
}

static void
open_work(struct work *w, struct wisp_cli *cli, const struct options *o, bool change)
{
	memset(w, 0, sizeof *w);
	wisp_cli_place(cli);
	if (change)
		wisp_cli_refuse_step(&cli->place, "changing the breaker");
	w->session = wisp_cli_record(cli, &w->r, change ? WISP_WRITE : WISP_READ);
	if (w->session) {
		w->breaker = wisp_json_object_at(w->r.doc, "breaker");
		w->loop = wisp_json_get(w->r.doc, "phases");
		w->history = wisp_json_get(w->r.doc, "history");
		w->machine = wisp_json_get(w->r.doc, "machine");
		w->config = wisp_record_config(&w->r);
	} else {
		if (change)
			wisp_cli_lock(&cli->place);
		w->breaker = wisp_cli_file(&cli->place, "breaker");
		w->loop = wisp_cli_file(&cli->place, "loop");
		w->history = wisp_cli_file(&cli->place, "history");
		w->config = wisp_config_defaults();
		if (w->breaker == NULL)
			w->breaker = wisp_breaker_new();
	}
	w->phase = o->phase != NULL ? o->phase : wisp_json_str(w->loop, "current_phase", NULL);
	if (w->phase == NULL)
		w->phase = wisp_json_str(last_of(w->history), "phase", NULL);
	w->t = wisp_breaker_thresholds(w->machine, w->phase, w->config);
}

static void
close_work(struct work *w)
{
	wisp_json_free(w->metrics);
	if (w->session) {
		wisp_record_release(&w->r);
		return;
	}
	wisp_json_free(w->breaker);
	wisp_json_free(w->loop);
	wisp_json_free(w->history);
	wisp_json_free(w->config);
}

static void
keep(struct work *w, struct wisp_cli *cli)
{
	if (w->session)
		wisp_cli_commit(&w->r);
	else
		wisp_cli_keep_file(&cli->place, "breaker", w->breaker);
}

static void
set_threshold(struct cJSON *answer, const char *key, int n, bool json)
{
	if (n < 0)
		wisp_json_set_str(answer, key, json ? NULL : "none");
	else
		wisp_json_set_num(answer, key, n);
}

static void
show(const struct work *w, struct wisp_cli *cli)
{
	struct cJSON *answer = wisp_json_copy(w->breaker);

	wisp_json_set_str(answer, "phase", w->phase);
	set_threshold(answer, "no_progress_threshold", w->t.no_progress, cli->json);
	set_threshold(answer, "same_error_threshold", w->t.same_error, cli->json);
	wisp_cli_answer(cli, answer);
}

/* One iteration: as the options tell it, or as it stands in the history and in state.json. */
static void
update(struct work *w, struct wisp_cli *cli, const struct options *o)
{
	const struct cJSON *entry = last_of(w->history), *metrics;
	bool told = o->progress || o->no_progress || o->error != NULL || o->metrics != NULL, progress = o->progress;
	struct wisp_err err = WISP_ERR_INIT;
	const char *error = o->error;
	struct cJSON *state = NULL;

	if (!told) {
		if (wisp_json_type(wisp_json_get(entry, "progress")) != WISP_T_BOOL)
			die_data("no iteration in the history of '%s' says whether there was progress: give --progress or --no-progress",
				 cli->place.dir);
		progress = wisp_json_bool(entry, "progress", false);
		error = wisp_json_str(entry, "error", NULL);
		state = wisp_cli_file(&cli->place, "state");
	}
	if (o->metrics != NULL) {
		w->metrics = wisp_json_parse(o->metrics, strlen(o->metrics), "--metrics", &err);
		if (wisp_json_type(w->metrics) != WISP_T_OBJECT)
			die_usage("--metrics needs a JSON object, not '%s'", o->metrics);
	}
	metrics = o->metrics != NULL ? w->metrics : wisp_json_get(state, "metrics");
	wisp_breaker_update(w->breaker, w->t, progress, error, wisp_json_type(metrics) == WISP_T_OBJECT ? metrics : NULL);
	wisp_json_free(state);
}

int
wisp_verb_breaker(struct wisp_cli *cli)
{
	struct options o = {0};
	const struct wisp_option options[] = {
		{"phase", .text = &o.phase}, {"error", .text = &o.error}, {"metrics", .text = &o.metrics},
		{"progress", .flag = &o.progress}, {"no-progress", .flag = &o.no_progress}, {0}
	};
	bool is_update, is_reset, change, open;
	const char *verb;
	struct work w;

	wisp_cli_read(cli, options, 1, 1);
	verb = cli->argv[0];
	is_update = strcmp(verb, "update") == 0;
	is_reset = strcmp(verb, "reset") == 0;
	change = is_update || is_reset;
	if (!change && strcmp(verb, "show") != 0 && strcmp(verb, "allow") != 0)
		die_usage("breaker: expected show, update, reset or allow, not '%s'", verb);
	if (!is_update && (o.error != NULL || o.metrics != NULL || o.progress || o.no_progress))
		die_usage("breaker %s takes no iteration", verb);
	if (o.progress && o.no_progress)
		die_usage("--progress and --no-progress exclude each other");
	open_work(&w, cli, &o, change);
	if (is_update)
		update(&w, cli, &o);
	if (is_reset)
		wisp_breaker_reset(w.breaker);
	if (change)
		keep(&w, cli);
	if (strcmp(verb, "allow") != 0 || cli->json)
		show(&w, cli);
	open = wisp_breaker_open(w.breaker);
	close_work(&w);
	return strcmp(verb, "allow") == 0 && open ? 1 : 0;
}
