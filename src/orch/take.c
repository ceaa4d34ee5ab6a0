/*
 * take: what an agent's step was to leave is taken into the state, or refused.
 */
#include "verb.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibrate.h"
#include "core/orchestra.h"
#include "core/question.h"
#include "core/time.h"
#include "limit.h"
#include "open.h"
#include "scope.h"

struct taking {
	struct wisp_record r;
	struct cJSON *state, *doc, *answer;
	enum wisp_scope scope;
	struct wisp_err err;
};

/* Only what is known goes in, so that the state holds. */
static struct cJSON *
copy_of(const struct cJSON *from, const char *const *keys)
{
	struct cJSON *to = wisp_json_object();

	for (; *keys != NULL; keys++)
		if (wisp_json_get(from, *keys) != NULL)
			wisp_json_set(to, *keys, wisp_json_copy(wisp_json_get(from, *keys)));
	return to;
}

static void
take_gaps(struct taking *t, struct cJSON *scope)
{
	static const char *const keys[] = {"category", "severity", "description", NULL};
	struct cJSON *gaps = wisp_json_array();

	for (const struct cJSON *g = wisp_json_first(wisp_json_get(t->doc, "gaps")); g != NULL; g = wisp_json_next(g))
		wisp_json_push(gaps, copy_of(g, keys));
	wisp_json_set(scope, "gaps", gaps);
}

/* Adds the systems of the document; those of a discovery take the place of what was there. */
static void
take_systems(struct taking *t, struct cJSON *scope)
{
	static const char *const keys[] = {"name", "type", "priority", "parallelizable", "depends_on", "estimatedHours",
					   "description", NULL};
	struct cJSON *systems;

	if (t->scope == WISP_DISCOVER)
		wisp_json_set(scope, "systems", wisp_json_array());
	systems = wisp_json_array_at(scope, "systems");
	for (const struct cJSON *s = wisp_json_first(wisp_json_get(t->doc, "systems")); s != NULL; s = wisp_json_next(s))
		wisp_json_push(systems, copy_of(s, keys));
}

/*
 * parallelizationFactor: how many may run at once, no more than there are systems. estimatedLoops: rounds, one for each that runs
 * alone, and those that the others need side by side (the example of 001_: one alone, two others, factor 3: 2).
 */
static void
estimate(struct taking *t, struct cJSON *scope)
{
	double parallel = wisp_json_num(wisp_json_get(t->r.doc, "orchestra"), "parallel", 1), alone = 0, others = 0, hours = 0, factor;
	struct cJSON *metrics = wisp_json_object_at(t->state, "metrics");

	for (const struct cJSON *s = wisp_json_first(wisp_json_get(scope, "systems")); s != NULL; s = wisp_json_next(s)) {
		if (wisp_json_bool(s, "parallelizable", false))
			others++;
		else
			alone++;
		hours += wisp_json_num(s, "estimatedHours", 0);
	}
	factor = fmax(1, fmin(parallel, alone + others));
	wisp_json_set_num(scope, "parallelizationFactor", factor);
	wisp_json_set_num(scope, "estimatedLoops", alone + ceil(others / factor));
	wisp_json_set_num(metrics, "estimatedHours", floor(hours * wisp_calibration(&t->r) * 1000 + 0.5) / 1000);
}

/* The task lists that sessions begin with, one file each. */
static int
write_plan(struct taking *t)
{
	char *dir = wisp_record_dir_path(&t->r, "plan");
	int rc = wisp_dir_make(dir);

	for (const struct cJSON *s = wisp_json_first(wisp_json_get(t->doc, "systems")); rc == 0 && s != NULL; s = wisp_json_next(s)) {
		char *path = wisp_str("%s/%s.json", dir, wisp_json_str(s, "name", ""));

		rc = wisp_json_write(path, wisp_json_get(s, "tasks"), WISP_SYNC);
		free(path);
	}
	free(dir);
	return rc;
}

static int
write_scope(struct taking *t)
{
	char *path = wisp_record_dir_path(&t->r, "SCOPE-DISCOVERY.md");
	struct wisp_buf text = WISP_BUF_INIT;
	int rc;

	wisp_scope_render(&text, t->state);
	rc = wisp_file_write(path, text.data, text.len, WISP_SYNC);
	wisp_buf_release(&text);
	free(path);
	return rc;
}

/* Files first: killed before the commit, the document is there still, and is taken again. */
static int
take(struct taking *t)
{
	struct cJSON *scope = wisp_json_object_at(t->state, "scopeDiscovery");
	char *now = wisp_time_iso(wisp_time_now());
	int rc = 0;

	if (t->scope != WISP_DECOMPOSE) {
		wisp_json_set_str(scope, "completedAt", now);
		take_gaps(t, scope);
		take_systems(t, scope);
	}
	if (t->scope == WISP_DISCOVER) {
		estimate(t, scope);
		rc = wisp_orchestra_move(t->state, "PLAN");
	}
	if (t->scope != WISP_DISCOVER && rc == 0)
		rc = write_plan(t);
	if (t->scope != WISP_DECOMPOSE && rc == 0)
		rc = write_scope(t);
	free(now);
	return rc;
}

/* What is wrong is told to the next step, as often as the template has it; then a person is asked. */
static void
refuse(struct taking *t)
{
	struct cJSON *orchestra = wisp_json_object_at(t->r.doc, "orchestra");
	double times = wisp_json_num(orchestra, "invalid", 0) + 1;
	char *text = wisp_err_string(&t->err), *question;

	wisp_record_tell(&t->r, "artefact", text);
	if (times > (double)wisp_orch_limit(&t->r, WISP_ORCH_INVALID)) {
		question = wisp_str("%s does not hold for the %.0f. time: %s. What should the agent do?", wisp_scope_file(t->scope), times, text);
		wisp_question_ask(&t->r, question, NULL, NULL, wisp_json_int(wisp_record_session(&t->r), "loop_count", 0));
		wisp_json_set_bool(t->answer, "asked", true);
		free(question);
		times = 0;
	}
	wisp_json_set_num(orchestra, "invalid", times);
	wisp_json_set_str(t->answer, "text", text);
	free(text);
}

/* It goes beside the step that left it. */
static void
put_aside(const struct taking *t, const char *path)
{
	const char *name = wisp_json_str(wisp_json_get(t->r.doc, "step"), "name", "0000");
	char *to = wisp_str("%s/steps/%s/%s", t->r.place->dir, name, wisp_scope_file(t->scope));

	/* What cannot be moved must go: it would count once more. */
	if (wisp_file_move(path, to, WISP_NOSYNC) != 0 && wisp_dir_remove(path) != 0)
		errno = 0;
	free(to);
}

int
wisp_orch_take(struct wisp_cli *cli)
{
	struct taking t = {.err = WISP_ERR_INIT};
	struct wisp_buf bytes = WISP_BUF_INIT;
	struct wisp_scope_facts facts;
	struct wisp_source src;
	bool holds;
	char *path;
	int word;

	wisp_cli_read(cli, NULL, 1, 1);
	word = wisp_words_find(WISP_SCOPE_WORDS, cli->argv[0]);
	if (word < 0)
		die_usage("expected one of %s, not '%s'", WISP_SCOPE_WORDS, cli->argv[0]);
	t.scope = (enum wisp_scope)word;
	t.state = wisp_orch_open(cli, &t.r, WISP_WRITE);
	t.answer = wisp_json_object();
	facts = (struct wisp_scope_facts){t.state, t.r.place->branch, wisp_orch_limit(&t.r, WISP_ORCH_SYSTEMS)};
	path = wisp_record_dir_path(&t.r, wisp_scope_file(t.scope));
	holds = wisp_json_read(path, &bytes, &t.doc, &t.err) == WISP_VALID;
	src = (struct wisp_source){bytes.data, bytes.len, wisp_scope_file(t.scope), "document"};
	holds = holds && wisp_scope_check(&src, t.scope, t.doc, &facts, &t.err) == 0;
	if (holds && take(&t) != 0)
		die_sys("cannot write what is found below '%s'", t.r.place->dir);
	if (holds)
		wisp_json_set_num(wisp_json_object_at(t.r.doc, "orchestra"), "invalid", 0);
	else
		refuse(&t);
	wisp_orch_commit(&t.r);
	put_aside(&t, path);
	wisp_err_release(&t.err);
	wisp_record_release(&t.r);
	wisp_buf_release(&bytes);
	wisp_json_free(t.doc);
	free(path);
	wisp_cli_answer(cli, t.answer);
	return holds ? 0 : 1;
}
