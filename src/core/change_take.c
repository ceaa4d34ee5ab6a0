/*
 * change_take: a person has said yes to a changed task list, or no.
 */
#include "change.h"

#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "session.h"
#include "turn.h"

#define REMOVED_MAX 500			/* tasks that are kept once they are gone from the list */

void
wisp_change_put_spec(struct wisp_record *r, const char *spec, const char *sha)
{
	wisp_json_set_str(wisp_record_session(r), "spec", spec);
	wisp_json_set_str(r->doc, "spec", sha);
}

static void
keep_removed(struct wisp_record *r, const struct wisp_tasks *old, const struct wisp_tasks *new)
{
	struct cJSON *removed = wisp_json_array_at(r->doc, "removed"), *task;
	char *now = wisp_time_iso(wisp_time_now());
	struct wisp_tasks_diff d;

	wisp_tasks_compare(&d, old, new);
	for (size_t i = 0; i < d.n_lost; i++) {
		task = wisp_json_copy(old->list[d.lost[i] - 1].json);
		wisp_json_set_str(task, "removed_at", now);
		wisp_json_push(removed, task);
	}
	while (wisp_json_len(removed) > REMOVED_MAX)
		wisp_json_shift(removed);
	wisp_tasks_diff_release(&d);
	free(now);
}

/* Nothing is under way any more; where every task passes, that is asked as before a first step. */
static void
over(struct wisp_record *r)
{
	wisp_json_set_null(r->doc, "change");
	wisp_json_set_bool(r->doc, "verified_start", false);
}

/* The list `new` took the place of `old`: what else the change means. */
static void
settle(struct wisp_record *r, const struct wisp_tasks *old, const struct wisp_tasks *new)
{
	const struct cJSON *change = wisp_change_now(r);
	bool update = wisp_change_is(change, "kind", "update");

	keep_removed(r, old, new);
	if (update)
		wisp_change_put_spec(r, wisp_json_str(change, "spec", NULL), wisp_json_str(change, "sha", NULL));
	wisp_record_tell(r, "adopted", update ? "the spec is another one now, and the task list was changed for it"
					      : "the work was reviewed, and the task list says what came of that");
	wisp_json_set_num(r->doc, "intervened", wisp_json_num(wisp_record_session(r), "loop_count", 0));
	over(r);
}

/* The list that is proposed, which was good when it was kept. */
static int
load_list(struct wisp_record *r, struct wisp_tasks *t, struct wisp_err *err)
{
	const char *sha = wisp_json_str(wisp_change_now(r), "list", NULL);
	int rc = sha == NULL ? 1 : wisp_record_good_tasks(r, sha, t, err);

	return rc == 1 ? wisp_err_set(err, r->home, 0, 0, "no changed task list is kept here") : rc;
}

int
wisp_change_take(struct wisp_record *r, struct cJSON *answer, struct wisp_err *err)
{
	struct wisp_tasks old = {0}, new = {0};
	char sha[WISP_HASH_SIZE];
	int rc = load_list(r, &new, err);

	if (rc == 0)
		rc = wisp_turn_adopt_tasks(r, &old, err);
	if (rc == 1)
		rc = wisp_err_set(err, r->place->dir, 0, 0, "there is no task list to change");
	if (rc == 0) {
		wisp_hash(old.bytes.data, old.bytes.len, sha);
		if (wisp_change_is(wisp_change_now(r), "tasks", sha)) {
			rc = wisp_turn_put_tasks(r, &new);
			if (rc == 0)
				settle(r, &old, &new);
			wisp_json_set_str(answer, "act", "taken");
		} else {
			wisp_json_set_str(wisp_change_now(r), "stage", "asked");
			wisp_json_set_str(answer, "act", "stale");
		}
	}
	if (rc == 0)
		rc = wisp_record_commit(r);
	wisp_tasks_release(&old);
	wisp_tasks_release(&new);
	return rc;
}

int
wisp_change_recover(struct wisp_record *r)
{
	const char *base = wisp_json_str(wisp_change_now(r), "tasks", NULL);
	char *path = wisp_record_dir_path(r, "tasks.json");
	struct wisp_tasks old = {0}, new = {0};
	int rc = 0;

	if (wisp_change_is(wisp_change_now(r), "stage", "proposed") && !wisp_change_is(wisp_change_now(r), "list", base) && load_list(r, &new, NULL) == 0 &&
	    wisp_file_holds(path, new.bytes.data, new.bytes.len) && wisp_record_good_tasks(r, base, &old, NULL) == 0) {
		rc = wisp_record_keep_tasks(r, &new);
		settle(r, &old, &new);
	}
	wisp_tasks_release(&old);
	wisp_tasks_release(&new);
	free(path);
	return rc;
}

int
wisp_change_wait(struct wisp_record *r)
{
	static const char why[] = "a changed task list waits for a person's yes";

	wisp_session_put(wisp_record_session(r), "paused", why);
	wisp_json_set_num(r->doc, "exit", WISP_END_INPUT);
	wisp_json_set_str(r->doc, "reason", why);
	return wisp_record_commit(r);
}

int
wisp_change_drop(struct wisp_record *r)
{
	static const char why[] = "a person did not want the task list changed";

	wisp_session_put(wisp_record_session(r), "paused", why);
	wisp_json_set_num(r->doc, "exit", WISP_END_PAUSED);
	wisp_json_set_str(r->doc, "reason", why);
	over(r);
	return wisp_record_commit(r);
}
