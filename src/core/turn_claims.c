/*
 * turn_claims: the task list after a step. What an agent may not do to it is put
 * back; what is left is its claim (tasks.h, `lawful`).
 */
#include "turn.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "turn_phase.h"

static char *
violation(const struct wisp_tasks_diff *d)
{
	return wisp_str("tasks.json was put back: %zu removed, %zu reworded, %zu moved. In a step an agent may set `passes`, "
			"add tasks at the end and edit `notes`, nothing else", d->n_lost, d->n_reworded, d->n_moved);
}

void
wisp_turn_note(struct wisp_record *r, const char *text)
{
	struct cJSON *step = wisp_turn_step(r);
	const char *before = wisp_json_str(step, "note", NULL);
	char *both = before != NULL ? wisp_str("%s; %s", before, text) : NULL;

	wisp_json_set_str(step, "note", both != NULL ? both : text);
	free(both);
}

/* What was refused is kept beside the step for people; where that fails, the good list goes back all the same. */
static void
keep_rejected(const struct wisp_record *r)
{
	char *path = wisp_record_dir_path(r, "tasks.json"), *keep = wisp_turn_step_path(r, "tasks.rejected.json");

	/* What is no file is moved: there is nothing to be read from a pipe, and a folder would be in the way. */
	if (wisp_file_exists(path) && wisp_file_copy(path, keep, WISP_NOSYNC) != 0 &&
	    wisp_file_move(path, keep, WISP_NOSYNC) != 0)
		errno = 0;
	free(path);
	free(keep);
}

static void
note_counts(struct wisp_record *r, struct cJSON *claims, size_t before, size_t claimed, size_t total)
{
	struct cJSON *step = wisp_turn_step(r);

	wisp_json_set(step, "claims", claims);
	wisp_json_set_num(step, "claimed", (double)claimed);
	wisp_json_set_num(step, "before", (double)before);
	wisp_json_set_num(step, "total", (double)total);
}

static void
note_passed(struct wisp_record *r, const struct wisp_tasks_diff *d, const struct wisp_tasks *old, const struct wisp_tasks *now)
{
	struct cJSON *claims = wisp_json_array();

	for (size_t i = 0; i < d->n_passed; i++)
		wisp_json_push(claims, wisp_json_double((double)d->passed[i]));
	note_counts(r, claims, old->passed, now->passed, now->count);
}

void
wisp_turn_note_claims(struct wisp_record *r, const struct wisp_tasks *old, const struct wisp_tasks *now)
{
	struct wisp_tasks_diff d;

	wisp_tasks_compare(&d, old, now);
	note_passed(r, &d, old, now);
	wisp_tasks_diff_release(&d);
}

/*
 * tasks.json against `old`, the list that the step began with; `fixed` is the
 * same once more, to be changed. A bad or unlawful list is put back, with
 * `passes` kept where the task is the same, and the agent is told.
 */
static int
settle(struct wisp_record *r, const struct wisp_tasks *old, struct wisp_tasks *fixed)
{
	char *path = wisp_record_dir_path(r, "tasks.json"), *text = NULL, *what;
	struct wisp_tasks now = {0};
	struct wisp_err why = WISP_ERR_INIT;
	enum wisp_verdict verdict = wisp_tasks_load(&now, path, &why);
	struct wisp_tasks_diff d = {0};
	int rc;

	if (verdict != WISP_VALID) {
		what = wisp_err_string(&why);
		text = wisp_str("tasks.json was put back: %s", what);
		free(what);
	} else {
		wisp_tasks_compare(&d, old, &now);
		if (!d.lawful) {
			text = violation(&d);
			wisp_tasks_put_back(fixed, &now);
		}
	}
	if (text != NULL) {
		keep_rejected(r);
		wisp_record_tell(r, "tasks", text);
		wisp_turn_note(r, text);
	}
	if (text != NULL)
		wisp_turn_note_claims(r, old, fixed);
	else
		note_passed(r, &d, old, &now);
	rc = wisp_turn_put_tasks(r, text != NULL ? fixed : &now);
	wisp_tasks_diff_release(&d);
	wisp_err_release(&why);
	wisp_tasks_release(&now);
	free(path);
	free(text);
	return rc;
}

int
wisp_turn_take_list(struct wisp_record *r, bool due, size_t least, char **why)
{
	char *path = wisp_record_dir_path(r, "tasks.json");
	struct wisp_tasks now = {0};
	struct wisp_err err = WISP_ERR_INIT;
	enum wisp_verdict verdict = wisp_tasks_load(&now, path, &err);
	int rc = 0;

	if (verdict == WISP_VALID && now.count >= least) {
		rc = wisp_record_keep_tasks(r, &now);
		wisp_turn_note_claims(r, &now, &now);
	} else if (verdict != WISP_MISSING || due) {
		if (verdict == WISP_VALID)
			wisp_err_set(&err, path, 0, 0, "no task at all");
		*why = wisp_err_string(&err);
		keep_rejected(r);
		rc = wisp_dir_remove(path);
	}
	wisp_err_release(&err);
	wisp_tasks_release(&now);
	free(path);
	return rc;
}

/* With phases the list is the agent's own, and claims nothing; but it is a list, or goes back. */
static int
settle_free(struct wisp_record *r)
{
	char *why = NULL;
	int rc = wisp_turn_take_list(r, wisp_json_str(r->doc, "good", NULL) != NULL, 0, &why);

	if (why != NULL) {
		wisp_record_tell(r, "tasks", why);
		wisp_turn_note(r, why);
	}
	free(why);
	return rc;
}

/* Nothing was done to the list that the step began with, or `passes` set: then it is not parsed. 1: it has to be. */
static int
settle_flips(struct wisp_record *r, const char *sha)
{
	char *path = wisp_record_dir_path(r, "tasks.json");
	struct wisp_buf old = WISP_BUF_INIT, now = WISP_BUF_INIT;
	struct cJSON *claims = wisp_json_array();
	size_t before, passed, total;
	int rc = 1;

	if (strcmp(wisp_json_str(r->doc, "good", ""), sha) == 0 && wisp_record_good_bytes(r, sha, &old) &&
	    wisp_json_read_bytes(path, WISP_TASKS_MAX, &now, NULL) == WISP_VALID) {
		wisp_record_counts(r, &before, &total);
		passed = before;
		if (wisp_tasks_flips(&old, &now, claims, &passed)) {
			rc = wisp_record_keep_list(r, &now, passed, total);
			note_counts(r, wisp_json_copy(claims), before, passed, total);
		}
	}
	wisp_json_free(claims);
	wisp_buf_release(&old);
	wisp_buf_release(&now);
	free(path);
	return rc;
}

int
wisp_turn_settle_tasks(struct wisp_record *r, struct wisp_err *err)
{
	const char *sha = wisp_json_str(wisp_turn_step(r), "tasks", NULL);
	struct wisp_tasks old = {0}, fixed = {0};
	int rc;

	if (wisp_turn_machine(r) != NULL && wisp_turn_plan(r) == NULL)
		return settle_free(r);
	if (wisp_turn_plan(r) != NULL || sha == NULL)
		return wisp_turn_settle_plan(r, err);
	rc = settle_flips(r, sha);
	if (rc <= 0)
		return rc;
	rc = wisp_record_good_tasks(r, sha, &old, err);
	if (rc == 0)
		rc = wisp_record_good_tasks(r, sha, &fixed, err);
	if (rc == 0)
		rc = settle(r, &old, &fixed);
	else if (rc == 1)
		rc = wisp_err_set(err, r->home, 0, 0, "the good copy of the task list is gone: good/%s", sha);
	wisp_tasks_release(&old);
	wisp_tasks_release(&fixed);
	return rc;
}

/* Are the claims as they are to be, in the good list and in tasks.json? */
static bool
are_put(struct wisp_record *r, const struct cJSON *claims, bool passes)
{
	char *path = wisp_record_dir_path(r, "tasks.json");
	struct wisp_buf good = WISP_BUF_INIT;
	bool yes = wisp_record_good_bytes(r, NULL, &good) && wisp_file_holds(path, good.data, good.len);
	struct cJSON *tasks = yes ? wisp_tasks_some(&good, claims) : NULL;

	for (const struct cJSON *t = wisp_json_first(tasks); yes && t != NULL; t = wisp_json_next(t))
		yes = wisp_json_bool(t, "passes", !passes) == passes;
	wisp_json_free(tasks);
	wisp_buf_release(&good);
	free(path);
	return yes;
}

/* A verify that failed, died before its commit and now passes gives back what it had taken: hence both ways. */
int
wisp_turn_claims_put(struct wisp_record *r, bool passes, struct wisp_err *err)
{
	const struct cJSON *claims = wisp_json_get(wisp_turn_step(r), "claims");
	struct wisp_tasks now = {0};
	int rc;

	if (wisp_json_len(claims) == 0 || are_put(r, claims, passes))
		return 0;
	rc = wisp_record_good_tasks(r, NULL, &now, err);
	for (const struct cJSON *c = wisp_json_first(claims); rc == 0 && c != NULL; c = wisp_json_next(c)) {
		size_t n = (size_t)wisp_json_number(c, 0);

		if (n >= 1 && n <= now.count && now.list[n - 1].passes != passes)
			wisp_tasks_mark(&now, n, passes);
	}
	if (rc == 0)
		rc = wisp_turn_put_tasks(r, &now);
	else if (rc == 1)
		rc = wisp_err_set(err, r->home, 0, 0, "the good copy of the task list is gone");
	wisp_tasks_release(&now);
	return rc;
}
