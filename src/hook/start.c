/*
 * start: a new loop in .loop/state.json.
 */
#include "verb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "core/time.h"

struct wanted {
	const char *spec, *shape, *budget;
	struct wisp_texts criteria, steps, checks;
	long long max;
};

static struct cJSON *
strings(const struct wisp_texts *t)
{
	struct cJSON *list = wisp_json_array();

	for (size_t i = 0; i < t->count; i++)
		wisp_json_push(list, wisp_json_string(t->list[i]));
	return list;
}

static bool
holds(const struct wisp_texts *t, const char *text, size_t len)
{
	for (size_t i = 0; i < t->count; i++)
		if (strlen(t->list[i]) == len && memcmp(t->list[i], text, len) == 0)
			return true;
	return false;
}

/* CRITERION=COMMAND. A criterion may have = in it: the longest one that is known counts. */
static struct cJSON *
checks(const struct wanted *w)
{
	struct cJSON *verify = wisp_json_object();

	for (size_t i = 0; i < w->checks.count; i++) {
		const char *text = w->checks.list[i], *equals = text + strlen(text);
		char *criterion;

		while (equals > text && !(*equals == '=' && holds(&w->criteria, text, (size_t)(equals - text))))
			equals--;
		if (equals == text || equals[1] == '\0')
			die_usage("--verify: expected CRITERION=COMMAND with one of the criteria, not '%s'", text);
		criterion = wisp_str("%.*s", (int)(equals - text), text);
		wisp_json_set_str(verify, criterion, equals + 1);
		free(criterion);
	}
	return verify;
}

char *
wisp_hook_here(void)
{
	const char *dir = getenv("CLAUDE_PROJECT_DIR");
	char *here = dir != NULL && *dir == '/' ? wisp_strdup(dir) : realpath(".", NULL);

	if (here == NULL)
		die_sys("cannot tell the current folder");
	return here;
}

double
wisp_hook_usd(const char *what, const char *text)
{
	char *end;
	double usd = strtod(text, &end);

	if (end == text || *end != '\0' || !(usd >= 0) || usd > 1e9)
		die_usage("%s: expected an amount of US dollars, not '%s'", what, text);
	return usd;
}

static struct cJSON *
document(const struct wanted *w)
{
	struct cJSON *v = wisp_json_object(), *status, *meta;
	char *now = wisp_time_iso(wisp_time_now());

	wisp_json_set_str(v, "spec", w->spec);
	wisp_json_set(v, "criteria", strings(&w->criteria));
	status = wisp_json_object_at(v, "criteriaStatus");
	for (size_t i = 0; i < w->criteria.count; i++)
		wisp_json_set_bool(status, w->criteria.list[i], false);
	wisp_json_set(v, "steps", strings(&w->steps));
	wisp_json_set(v, "completedSteps", wisp_json_array());
	wisp_json_set(v, "remainingSteps", strings(&w->steps));
	wisp_json_set_num(v, "iteration", 0);
	wisp_json_set_str(v, "status", "in_progress");
	wisp_json_set_null(v, "session_id");
	wisp_json_set(v, "verify", checks(w));
	meta = wisp_json_object_at(v, "metadata");
	wisp_json_set_num(meta, "iteration", 0);
	wisp_json_set_num(meta, "cost", 0);
	wisp_json_set_str(meta, "shape", w->shape);
	wisp_json_set(meta, "budget", w->budget == NULL ? NULL : wisp_json_double(wisp_hook_usd("--budget", w->budget)));
	wisp_json_set(meta, "maxIterations", w->max < 0 ? NULL : wisp_json_double((double)w->max));
	wisp_json_set_str(meta, "startedAt", now);
	wisp_json_set_str(meta, "lastCheckpoint", now);
	wisp_json_set(meta, "errors", wisp_json_array());
	free(now);
	return v;
}

static void
check_wanted(const struct wanted *w)
{
	if (w->spec[strspn(w->spec, " \t\r\n")] == '\0')
		die_usage("the spec is empty");
	if (w->criteria.count == 0)
		die_usage("a loop without criteria has no end: --criterion C");
	for (size_t i = 0; i < w->criteria.count; i++) {
		struct wisp_texts rest = {w->criteria.list + i + 1, w->criteria.count - i - 1};

		if (w->criteria.list[i][0] == '\0')
			die_usage("a criterion is empty");
		if (holds(&rest, w->criteria.list[i], strlen(w->criteria.list[i])))
			die_usage("the criterion '%s' is given twice", w->criteria.list[i]);
	}
	if (w->shape != NULL && strcmp(w->shape, "tool") != 0 && strcmp(w->shape, "colleague") != 0)
		die_usage("--shape: expected tool or colleague, not '%s'", w->shape);
	if (w->max == 0)
		die_usage("--max-iterations: expected a whole number from 1, not 0");
}

/* What was there before is kept beside it. */
static void
put_aside(const struct wisp_hook_loop *h)
{
	char *old;

	if (h->verdict == WISP_VALID && wisp_hook_in_progress(h))
		die_usage("a loop is under way in '%s': wisp hook cancel ends it", h->root);
	old = wisp_str("%s.old", h->path);
	if (h->verdict != WISP_MISSING && wisp_file_move(h->path, old, WISP_NOSYNC) != 0)
		die_sys("cannot move '%s' aside", h->path);
	free(old);
}

int
wisp_hook_start(struct wisp_cli *cli)
{
	struct wanted w = {.max = -1};
	const struct wisp_option options[] = {
		{"criterion", .list = &w.criteria}, {"step", .list = &w.steps}, {"verify", .list = &w.checks},
		{"max-iterations", .number = &w.max}, {"budget", .text = &w.budget}, {"shape", .text = &w.shape}, {0}
	};
	struct wisp_hook_loop h;
	struct cJSON *doc;
	char *here, *dir;

	wisp_cli_read(cli, options, 1, 1);
	w.spec = cli->argv[0];
	check_wanted(&w);
	doc = document(&w);
	here = wisp_hook_here();
	wisp_hook_open(&h, here);
	dir = wisp_str("%s/.loop", h.root);
	if (wisp_dir_make(dir) != 0)
		die_sys("cannot make '%s'", dir);
	/* Two that begin at once: the second finds the loop of the first. */
	if (h.lock < 0)
		wisp_hook_reopen(&h);
	put_aside(&h);
	wisp_hook_allow(&h, wisp_json_get(doc, "verify"));
	if (wisp_json_write(h.path, doc, WISP_NOSYNC) != 0)
		die_sys("cannot write '%s'", h.path);
	if (cli->json) {
		wisp_cli_json(doc);
	} else {
		printf("a loop with %zu %s: %s\n", w.criteria.count, w.criteria.count == 1 ? "criterion" : "criteria", h.path);
		wisp_json_free(doc);
	}
	wisp_hook_release(&h);
	free(w.criteria.list);
	free(w.steps.list);
	free(w.checks.list);
	free(here);
	free(dir);
	return 0;
}
