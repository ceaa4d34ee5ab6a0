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
#include "core/turn.h"
#include "limit.h"
#include "open.h"
#include "take.h"

#define FAULT_MAX 2000	/* bytes of what is told of a document */

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

static bool
is_among(const struct cJSON *gap, const struct cJSON *gaps)
{
	const struct cJSON *g = wisp_json_first(gaps);

	while (g != NULL && (strcmp(wisp_json_str(g, "category", ""), wisp_json_str(gap, "category", "")) != 0 ||
			     strcmp(wisp_json_str(g, "description", ""), wisp_json_str(gap, "description", "")) != 0))
		g = wisp_json_next(g);
	return g != NULL;
}

/* Those of a retrospect are what is left: the others were closed, and stay as that. */
static void
take_gaps(struct taking *t, struct cJSON *scope)
{
	static const char *const keys[] = {"category", "severity", "description", NULL};
	const struct cJSON *found = wisp_json_get(t->doc, "gaps"), *old = wisp_json_get(scope, "gaps"), *g;
	size_t room = WISP_GAPS_MAX - wisp_json_len(found);
	struct cJSON *gaps = wisp_json_array(), *closed;

	for (g = wisp_json_first(found); g != NULL; g = wisp_json_next(g))
		wisp_json_push(gaps, copy_of(g, keys));
	g = t->scope == WISP_RETROSPECT ? wisp_json_first(old) : NULL;
	for (; g != NULL && room > 0; g = wisp_json_next(g)) {
		if (is_among(g, found))
			continue;
		closed = copy_of(g, keys);
		wisp_json_set_bool(closed, "closed", true);
		wisp_json_push(gaps, closed);
		room--;
	}
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

/* The task lists that sessions begin with, one file each; none that an agent has laid there. */
static int
write_plan(struct taking *t)
{
	char *dir = wisp_record_dir_path(&t->r, "plan");
	int rc = t->scope == WISP_RETROSPECT ? wisp_turn_clear(dir, true) : wisp_dir_remove(dir);
	/* What is discovered has no lists yet. */
	const struct cJSON *systems = t->scope == WISP_DISCOVER ? NULL : wisp_json_get(t->doc, "systems");

	if (rc == 0 && systems != NULL)
		rc = wisp_dir_make(dir);
	for (const struct cJSON *s = wisp_json_first(systems); rc == 0 && s != NULL; s = wisp_json_next(s)) {
		char *path = wisp_str("%s/%s.json", dir, wisp_json_str(s, "name", ""));

		rc = wisp_turn_clear(path, false);
		if (rc == 0)
			rc = wisp_json_write(path, wisp_json_get(s, "tasks"), WISP_SYNC);
		free(path);
	}
	free(dir);
	return rc;
}

static int
write_text(struct taking *t, const char *name, struct wisp_buf *text)
{
	char *path = wisp_record_dir_path(&t->r, name);
	int rc = wisp_turn_clear(path, false);

	if (rc == 0)
		rc = wisp_file_write(path, text->data, text->len, WISP_SYNC);
	wisp_buf_release(text);
	free(path);
	return rc;
}

static int
write_scope(struct taking *t)
{
	struct wisp_buf text = WISP_BUF_INIT;

	wisp_scope_render(&text, &t->r);
	return write_text(t, "SCOPE-DISCOVERY.md", &text);
}

/* A section for each loop, so that what was learned is not lost with the step. */
static int
write_retrospect(struct taking *t)
{
	char *path = wisp_record_dir_path(&t->r, "RETROSPECT.md"), *head = wisp_str("## Loop %lld\n", wisp_json_int(t->state, "currentLoop", 1));
	struct wisp_buf text = WISP_BUF_INIT;
	const char *own;

	/* Taken again after a crash, this loop's own section begins anew. */
	if (wisp_file_read(path, WISP_FILE_MAX, &text) != 0 || text.len == 0)
		wisp_buf_puts(&text, "# Retrospect\n");
	own = strstr(text.data, head);
	if (own != NULL)
		text.len = (size_t)(own - text.data);
	else
		wisp_buf_putc(&text, '\n');
	wisp_buf_puts(&text, head);
	wisp_scope_retrospect(&text, t->state, wisp_json_str(t->doc, "lessons", NULL));
	free(path);
	free(head);
	return write_text(t, "RETROSPECT.md", &text);
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
	if (rc == 0)
		rc = write_plan(t);
	if (rc == 0)
		rc = write_scope(t);
	if (t->scope == WISP_RETROSPECT && rc == 0)
		rc = write_retrospect(t);
	if (t->scope == WISP_RETROSPECT)
		wisp_json_set_num(wisp_json_object_at(t->r.doc, "orchestra"), "learned", wisp_json_num(t->state, "currentLoop", 1));
	free(now);
	return rc;
}

/* What is wrong is told to the next step, as often as the template has it; then a person is asked. */
static void
refuse(struct taking *t)
{
	struct cJSON *orchestra = wisp_json_object_at(t->r.doc, "orchestra");
	double times = wisp_json_num(orchestra, "invalid", 0) + 1;
	struct wisp_buf line = WISP_BUF_INIT;
	char *whole = wisp_err_string(&t->err), *text, *question;

	/* It quotes the document, which may be long. */
	wisp_buf_line(&line, whole, FAULT_MAX);
	free(whole);
	text = line.data;
	wisp_record_tell(&t->r, "artefact", text);
	if (times > (double)wisp_orch_limit(&t->r, WISP_ORCH_INVALID)) {
		question = wisp_str("%s was invalid %.0f times, the last time: %s. What should the agent do?", wisp_scope_file(t->scope), times, text);
		wisp_question_ask(&t->r, question, NULL, NULL, wisp_json_int(wisp_record_session(&t->r), "loop_count", 0));
		wisp_json_set_bool(t->answer, "asked", true);
		free(question);
		times = 0;
	}
	wisp_json_set_num(orchestra, "invalid", times);
	wisp_json_set_str(t->answer, "text", text);
	wisp_buf_release(&line);
}

/* It goes beside the step that left it; what a person laid there before the first one stays, by another name. */
static void
put_aside(const struct taking *t, const char *path)
{
	const char *name = wisp_json_str(wisp_turn_step(&t->r), "name", NULL);
	char *to = name != NULL ? wisp_turn_step_path(&t->r, wisp_scope_file(t->scope)) : wisp_str("%s.old", path);

	/* What cannot be moved must go: it would count once more. */
	if (wisp_file_move(path, to, WISP_NOSYNC) != 0 && wisp_dir_remove(path) != 0)
		errno = 0;
	free(to);
}

/* Was it taken, and its loop killed before it went on? Dies where the phase is another one. */
static bool
taken_before(const struct taking *t)
{
	static const char *const phases[] = {"DISCOVER", "PLAN", "RETROSPECT"};
	const char *phase = wisp_json_str(t->state, "currentPhase", "");

	if (t->scope == WISP_DISCOVER && strcmp(phase, "PLAN") == 0)
		return true;
	if (strcmp(phase, phases[t->scope]) != 0)
		die_usage("%s is of the phase %s: this one is %s", wisp_scope_file(t->scope), phases[t->scope], phase);
	return t->scope == WISP_RETROSPECT &&
	       wisp_json_int(wisp_json_get(t->r.doc, "orchestra"), "learned", 0) == wisp_json_int(t->state, "currentLoop", 1);
}

/* Takes it, or refuses it: is it taken? */
static bool
judge(struct taking *t, const char *path)
{
	bool holds = wisp_take_read(&t->r, t->scope, path, &t->doc, &t->err) == 0;

	if (holds && take(t) != 0)
		die_sys("cannot write what is found below '%s'", t->r.place->dir);
	if (holds)
		wisp_json_set_num(wisp_json_object_at(t->r.doc, "orchestra"), "invalid", 0);
	else
		refuse(t);
	wisp_orch_commit(&t->r);
	return holds;
}

int
wisp_orch_take(struct wisp_cli *cli)
{
	struct taking t = {.err = WISP_ERR_INIT};
	bool left = false, taken;
	const struct wisp_option options[] = {{"left", .flag = &left}, {0}};
	char *path;
	int word;

	wisp_cli_read(cli, options, 1, 1);
	word = wisp_words_find(WISP_SCOPE_WORDS, cli->argv[0]);
	if (word < 0)
		die_usage("expected one of %s, not '%s'", WISP_SCOPE_WORDS, cli->argv[0]);
	t.scope = (enum wisp_scope)word;
	t.state = wisp_orch_open(cli, &t.r, WISP_WRITE);
	t.answer = wisp_json_object();
	path = wisp_record_dir_path(&t.r, wisp_scope_file(t.scope));
	taken = taken_before(&t);
	if (!taken && (!left || wisp_file_exists(path)))
		taken = judge(&t, path);
	put_aside(&t, path);
	wisp_err_release(&t.err);
	wisp_record_release(&t.r);
	wisp_json_free(t.doc);
	free(path);
	wisp_cli_answer(cli, t.answer);
	return taken ? 0 : 1;
}
