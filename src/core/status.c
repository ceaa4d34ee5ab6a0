/*
 * status: the object of status.h; all sessions are in status_list.c, the text in
 * report.c and report_list.c.
 */
#include "status.h"

#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "limits.h"
#include "orchestra.h"
#include "question.h"
#include "shared.h"

/* `note` is set where the record's list stands for one that a power cut has emptied. */
static struct cJSON *
tasks_of(const struct wisp_record *r, const char **note)
{
	struct cJSON *tasks = wisp_json_object(), *next;
	char *path = wisp_record_dir_path(r, "tasks.json"), *text;
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_tasks t = {0};
	enum wisp_verdict verdict = wisp_tasks_load(&t, path, &err);
	const struct wisp_task *task;

	if (verdict != WISP_VALID && wisp_tasks_blank(path) && wisp_record_good_tasks(r, NULL, &t, NULL) == 0) {
		verdict = WISP_VALID;
		*note = "tasks.json is empty: this is the list of the record, and `wisp resume` puts it back";
	}
	task = verdict == WISP_VALID ? wisp_tasks_next(&t) : NULL;
	if (verdict == WISP_VALID || verdict == WISP_MISSING) {
		wisp_json_set_num(tasks, "passed", (double)t.passed);
		wisp_json_set_num(tasks, "total", (double)t.count);
	} else {
		wisp_json_set_null(tasks, "passed");
		wisp_json_set_null(tasks, "total");
	}
	wisp_json_set_null(tasks, "next");
	if (task != NULL) {
		next = wisp_json_object_at(tasks, "next");
		wisp_json_set_num(next, "number", (double)task->number);
		wisp_json_set_str(next, "id", task->id);
		wisp_json_set_str(next, "description", task->description);
	}
	if (verdict != WISP_VALID && verdict != WISP_MISSING) {
		text = wisp_err_string(&err);
		wisp_json_set_str(tasks, "error", text);
		free(text);
	}
	wisp_tasks_release(&t);
	wisp_err_release(&err);
	free(path);
	return tasks;
}

/* Does response.json answer that question? It stays until the loop takes it. If it is none, why. */
static void
set_answered(struct cJSON *question, const struct wisp_record *r)
{
	char *why, *answer = wisp_question_answered(r, &why);

	wisp_json_set_bool(question, "answered", answer != NULL);
	if (why != NULL)
		wisp_json_set_str(question, "invalid", why);
	free(why);
	free(answer);
}

static struct cJSON *
question_of(const struct wisp_record *r)
{
	static const char *const members[] = {"id", "question", "choices", "iteration", "asked_at"};
	const struct cJSON *asked = wisp_json_get(r->doc, "question");
	struct cJSON *question;
	size_t i;

	if (wisp_json_type(asked) != WISP_T_OBJECT)
		return wisp_json_null();
	question = wisp_json_object();
	for (i = 0; i < sizeof members / sizeof *members; i++)
		wisp_json_set(question, members[i], wisp_json_copy(wisp_json_get(asked, members[i])));
	if (wisp_json_get(asked, "gate") != NULL)
		wisp_json_set(question, "gate", wisp_json_copy(wisp_json_get(asked, "gate")));
	set_answered(question, r);
	return question;
}

/* An unknown cost is null, and so is what is left of the money. */
static void
hide_cost(struct cJSON *status)
{
	wisp_json_set_bool(status, "cost_known", false);
	wisp_json_set_null(wisp_json_object_at(wisp_json_object_at(status, "session"), "totals"), "cost_usd");
	wisp_json_set_null(wisp_json_object_at(status, "left"), "cost_usd");
}

struct cJSON *
wisp_status_of(const struct wisp_record *r, wisp_ms now)
{
	const struct cJSON *session = wisp_json_get(r->doc, "session"), *config = wisp_json_get(r->doc, "config");
	const struct cJSON *rest = wisp_json_get(r->doc, "rest"), *overage = wisp_json_get(wisp_json_get(r->doc, "limits"), "overage");
	struct cJSON *status = wisp_json_object(), *waiting = wisp_status_waiting(r, now), *divergence,
		     *today = wisp_shared_today(r, now);
	char *back = wisp_record_back_text(r);
	const char *note = NULL;

	wisp_json_set_num(status, "version", 1);
	wisp_json_set_str(status, "branch", r->place->branch != NULL ? r->place->branch
								      : wisp_json_str(session, "branch", NULL));
	wisp_json_set_str(status, "project", r->place->project);
	wisp_json_set(status, "session", wisp_json_copy(session));
	wisp_json_set_bool(status, "alive", wisp_record_owned(r) == 1);
	wisp_json_set(status, "tasks", tasks_of(r, &note));
	if (back != NULL || note != NULL)
		wisp_json_set_str(status, "note", back != NULL ? back : note);
	wisp_json_set_str(status, "phase", wisp_json_str(wisp_json_get(r->doc, "phases"), "current_phase",
							 wisp_json_str(wisp_orchestra_of(r), "currentPhase", NULL)));
	wisp_json_set(status, "question", question_of(r));
	wisp_json_set_bool(status, "unverified",
			   wisp_config_text(config, "verify.command") == NULL || wisp_json_len(rest) > 0);
	if (wisp_json_len(rest) > 0)
		wisp_json_set(status, "uncommitted", wisp_json_copy(rest));
	if (wisp_json_type(wisp_json_get(r->doc, "tests")) == WISP_T_OBJECT)
		wisp_json_set(status, "tests", wisp_json_copy(wisp_json_get(r->doc, "tests")));
	if (wisp_json_type(wisp_json_get(r->doc, "tests_removed")) == WISP_T_ARRAY)
		wisp_json_set(status, "tests_removed", wisp_json_copy(wisp_json_get(r->doc, "tests_removed")));
	if (wisp_json_str(r->doc, "sandbox", NULL) != NULL)
		wisp_json_set_str(status, "sandbox", wisp_json_str(r->doc, "sandbox", NULL));
	wisp_json_set(status, "exit", wisp_json_copy(wisp_json_get(r->doc, "exit")));
	wisp_json_set_str(status, "reason", wisp_json_str(r->doc, "reason", NULL));
	wisp_json_set(status, "left", wisp_limits_left(wisp_json_get(r->doc, "limits"), session, config, now));
	if (wisp_report_unpriced(r))
		hide_cost(status);
	if (wisp_json_type(today) == WISP_T_OBJECT)
		wisp_json_set(status, "today", today);
	else
		wisp_json_free(today);
	if (overage != NULL)
		wisp_json_set(status, "overage", wisp_json_copy(overage));
	if (wisp_orchestra_of(r) != NULL)
		wisp_json_set(status, "orchestration", wisp_status_orchestra(r));
	if (wisp_json_str(r->doc, "parent", NULL) != NULL)
		wisp_json_set_str(status, "parent", wisp_json_str(r->doc, "parent", NULL));
	divergence = wisp_status_divergence(r);
	if (wisp_json_bool(divergence, "present", false))
		wisp_json_set(status, "divergence", divergence);
	else
		wisp_json_free(divergence);
	if (wisp_json_type(waiting) == WISP_T_OBJECT && strcmp(wisp_json_str(session, "status", ""), "completed") != 0)
		wisp_json_set(status, "waiting", waiting);
	else
		wisp_json_free(waiting);
	free(back);
	return status;
}

const char *
wisp_status_word(const struct cJSON *status)
{
	const char *word = wisp_json_str(wisp_json_get(status, "problem"), "kind", NULL);

	if (word != NULL)
		return word;
	word = wisp_json_str(wisp_json_get(status, "session"), "status", "paused");
	return strcmp(word, "running") == 0 && !wisp_json_bool(status, "alive", false) ? "stale" : word;
}
