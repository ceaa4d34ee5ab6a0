/*
 * turn_begin: requests, questions and limits are asked, then a step is
 * reserved: its number, its call and its folder (docs/loop.md).
 */
#include "turn.h"

#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "ledger.h"
#include "question.h"
#include "session.h"
#include "turn_phase.h"

/* until= when an answer is no longer waited for, if the loop begins to wait now (input.timeout). */
static void
answer_until(struct wisp_record *r, struct cJSON *answer)
{
	wisp_ms timeout = wisp_config_ms(wisp_record_config(r), "input.timeout");
	char *until;

	if (timeout < 0)
		return;
	until = wisp_time_iso(wisp_time_now() + timeout);
	wisp_json_set_str(answer, "until", until);
	free(until);
}

/* True where a question is still open: the answer is `act=ask`. */
static int
ask(struct wisp_record *r, struct cJSON *answer, bool *used)
{
	struct cJSON *question = wisp_json_get(r->doc, "question");
	char *why = NULL;
	int rc;

	if (wisp_json_type(question) != WISP_T_OBJECT)
		return 0;
	rc = wisp_question_take(r, &why);
	*used = rc == 1;
	if (rc == 0) {
		wisp_session_put(wisp_record_session(r), "paused", "needs_input");
		wisp_json_set_num(r->doc, "exit", WISP_END_INPUT);
		wisp_json_set_str(r->doc, "reason", wisp_json_str(question, "question", ""));
		wisp_json_set_str(answer, "act", "ask");
		wisp_json_set_num(answer, "exit", WISP_END_INPUT);
		wisp_json_set_str(answer, "reason", "needs_input");
		wisp_json_set_str(answer, "id", wisp_json_str(question, "id", ""));
		wisp_json_set_str(answer, "question", wisp_json_str(question, "question", ""));
		if (wisp_json_get(question, "gate") != NULL)
			wisp_json_set_str(answer, "gate", wisp_json_str(wisp_json_get(question, "gate"), "type", "gate"));
		answer_until(r, answer);
		wisp_json_set_str(answer, "text", why);
		rc = 1;
	} else if (rc == 1) {
		rc = 0;
	}
	free(why);
	return rc;
}

/* Tasks: what a person changed is adopted, none at all is bad data, all passing before the first step is asked about. */
static int
look_at_tasks(struct wisp_record *r, const struct wisp_begin *o, struct cJSON *answer, struct wisp_err *err)
{
	struct wisp_tasks t = {0};
	int rc;

	if (o->plan != NULL && (strcmp(o->plan, "plan") == 0 || wisp_turn_artefact(o->plan) != NULL))
		return 0;
	rc = wisp_turn_adopt_tasks(r, &t, err);
	if (wisp_turn_machine(r) != NULL) {
		rc = rc < 0 ? -1 : 0;	/* phases need no list, and do not end by it */
	} else if (rc == 1 || (rc == 0 && t.count == 0 && o->plan == NULL)) {
		char *path = wisp_record_dir_path(r, "tasks.json");

		rc = wisp_err_set(err, path, 0, 0, "no task at all: there is nothing to do (wisp plan SPEC makes the list)");
		free(path);
	} else if (rc == 0 && o->plan == NULL && t.passed == t.count && !wisp_json_bool(r->doc, "verified_start", false)) {
		wisp_json_set_str(answer, "act", "check");
	}
	wisp_tasks_release(&t);
	return rc;
}

/* adopted= what a person changed in the task list; `before` is how much the next prompt said until then. */
static void
answer_adopted(struct wisp_record *r, size_t before, struct cJSON *answer)
{
	size_t i = 0;

	for (const struct cJSON *f = wisp_json_first(wisp_record_feedback(r)); f != NULL; f = wisp_json_next(f))
		if (i++ >= before && strcmp(wisp_json_str(f, "kind", ""), "adopted") == 0)
			wisp_json_set_str(answer, "adopted", wisp_json_text(wisp_json_first(wisp_json_get(f, "items")), NULL));
}

static int
begin(struct wisp_record *r, const struct wisp_begin *o, struct wisp_asked *asked, struct cJSON *answer, struct wisp_err *err)
{
	bool used = false, reserved;
	double cap = 0;
	size_t told = wisp_json_len(wisp_record_feedback(r));
	int rc = wisp_turn_requests(r, asked, err);

	if (rc == 0 && asked->pause)
		wisp_turn_stop(r, answer, WISP_END_PAUSED, "request", "on request");
	if (rc == 0 && !asked->pause) {
		rc = ask(r, answer, &used);
		if (rc == 0)
			rc = look_at_tasks(r, o, answer, err);
		if (rc == 0 && wisp_json_get(answer, "act") == NULL)
			rc = wisp_turn_limits(r, o, &cap, answer, err);
		if (rc == 0 && wisp_json_get(answer, "act") == NULL)
			rc = wisp_turn_reserve(r, o, cap, answer);
	}
	if (rc < 0)
		return -1;
	answer_adopted(r, told, answer);
	reserved = strcmp(wisp_json_str(answer, "act", ""), "step") == 0;
	if (!reserved && wisp_record_commit(r) != 0)
		return -1;
	if (used)
		wisp_question_done(r);
	wisp_turn_requests_done(asked, true);
	return reserved ? wisp_question_show(r) : 0;
}

int
wisp_turn_begin(struct wisp_record *r, const struct wisp_begin *o, struct cJSON *answer, struct wisp_err *err)
{
	const char *stage = wisp_json_str(wisp_turn_step(r), "stage", "recorded");
	struct wisp_asked asked;
	int rc;

	if (strcmp(stage, "begun") == 0) {
		wisp_turn_tell_step(r, answer);
		return wisp_question_show(r) != 0 ? -1 : wisp_record_publish(r);
	}
	if (strcmp(stage, "recorded") != 0) {
		wisp_json_set_str(answer, "act", "judge");
		return 0;
	}
	rc = begin(r, o, &asked, answer, err);
	wisp_requests_release(&asked.requests);
	return rc;
}

int
wisp_turn_checked(struct wisp_record *r, enum wisp_verify verify, struct cJSON *answer)
{
	char *path = wisp_record_dir_path(r, "tasks.json");
	struct wisp_tasks t = {0};
	bool open = wisp_tasks_load(&t, path, NULL) == WISP_VALID && t.passed < t.count;

	wisp_tasks_release(&t);
	free(path);
	wisp_json_set_bool(r->doc, "verified_start", true);
	if (verify == WISP_VERIFY_FAILED) {
		wisp_record_tell(r, "verify", "every task passes, but the verify command fails on the work tree as it is");
		wisp_json_set_str(answer, "act", "loop");
	} else if (open) {	/* a person has added a task meanwhile */
		wisp_json_set_str(answer, "act", "loop");
	} else {
		if (verify == WISP_VERIFY_PASSED)
			wisp_ledger_checked(r);
		wisp_session_put(wisp_record_session(r), "completed", NULL);
		wisp_json_set_num(r->doc, "exit", 0);
		wisp_json_set_str(r->doc, "reason", "every task passes");
		wisp_json_set_str(answer, "act", "completed");
	}
	return wisp_record_commit(r);
}
