/*
 * turn_rollback: back to the end of an iteration (`wisp rollback N`).
 */
#include "turn.h"

#include <string.h>

#include "create.h"
#include "hash.h"
#include "ledger.h"
#include "question.h"
#include "session.h"

static const struct cJSON *
checkpoint(const struct wisp_record *r, long long n)
{
	const struct cJSON *list = wisp_json_get(r->doc, "checkpoints"), *found = NULL;

	for (const struct cJSON *c = wisp_json_first(list); c != NULL; c = wisp_json_next(c))
		if (wisp_json_int(c, "n", -1) == n)
			found = c;
	return found;
}

/* Takes what lies after iteration n out of an array of objects that say which one they are of. */
static void
forget_after(struct cJSON *doc, const char *member, const char *key, long long n)
{
	struct cJSON *old = wisp_json_array_at(doc, member), *kept = wisp_json_array();

	for (struct cJSON *e = wisp_json_first(old); e != NULL; e = wisp_json_next(e))
		if (wisp_json_int(e, key, 0) <= n)
			wisp_json_push(kept, wisp_json_copy(e));
	wisp_json_set(doc, member, kept);
}

/* The list as it was; a template with phases may have none. */
static int
put_tasks(struct wisp_record *r, const char *sha, struct wisp_err *err)
{
	struct wisp_tasks t = {0};
	int rc = 0;

	if (sha != NULL) {
		rc = wisp_record_good_tasks(r, sha, &t, err);
		if (rc == 0)
			rc = wisp_turn_put_tasks(r, &t);
		wisp_tasks_release(&t);
	}
	return rc == 0 ? 0 : -1;
}

/* The loop state as it was, but for its errors: they happened. */
static void
put_phases(struct wisp_record *r, const struct cJSON *then)
{
	struct cJSON *back, *now = wisp_json_get(r->doc, "phases");

	if (wisp_json_type(then) != WISP_T_OBJECT)
		return;
	back = wisp_json_copy(then);
	wisp_json_set(back, "error_history", wisp_json_copy(wisp_json_get(now, "error_history")));
	wisp_json_set(r->doc, "phases", back);
}

int
wisp_turn_rollback(struct wisp_record *r, long long n, const char *head, const char *tree, struct wisp_err *err)
{
	static const char *const over[] = {"step", "change", "pending", "question", "exit", "reason"};
	const struct cJSON *c = checkpoint(r, n);
	struct cJSON *session = wisp_record_session(r);
	char id[WISP_UUID_SIZE];

	if (c == NULL)
		return 1;
	if (head == NULL)
		return 0;
	if (put_tasks(r, wisp_json_str(c, "tasks", NULL), err) != 0)
		return -1;
	put_phases(r, wisp_json_get(c, "phases"));
	if (wisp_json_get(c, "spec") != NULL)
		wisp_json_set_str(r->doc, "spec", wisp_json_str(c, "spec", NULL));
	/* Completed is final for a session id: what goes on from here is another session. */
	if (strcmp(wisp_json_str(session, "status", ""), "completed") == 0) {
		if (wisp_create_past(r) != 0)
			return -1;
		wisp_uuid(id);
		wisp_json_set_str(session, "session_id", id);
	}
	wisp_ledger_rollback(r, n);
	forget_after(r->doc, "history", "iteration", n);
	forget_after(r->doc, "checkpoints", "n", n);
	if (wisp_json_type(wisp_json_get(r->doc, "tests_removed")) == WISP_T_ARRAY)
		forget_after(r->doc, "tests_removed", "iteration", n);
	if (wisp_json_int(wisp_json_get(r->doc, "tests"), "iteration", 0) > n)
		wisp_json_drop(r->doc, "tests");
	/* Numbers are used again, and with them the ids of questions: no answer of before may meet one. */
	wisp_question_done(r);
	wisp_json_set(r->doc, "feedback", wisp_json_array());
	for (size_t i = 0; i < sizeof over / sizeof *over; i++)
		wisp_json_set_null(r->doc, over[i]);
	wisp_turn_after(r, head, tree);
	wisp_turn_point(r, (double)n, head, tree, NULL);
	wisp_json_set_num(session, "loop_count", (double)n);
	wisp_json_set_num(r->doc, "intervened", (double)n);
	wisp_session_put(session, "paused", "rolled back");
	return wisp_record_commit(r);
}
