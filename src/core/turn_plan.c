/*
 * turn_plan: the task list after a step that makes it, or changes it (change.h):
 * what holds is taken or proposed, what does not is a failed step.
 */
#include "turn.h"

#include <stdlib.h>
#include <string.h>

#include "change.h"

const char *
wisp_turn_artefact(const char *plan)
{
	static const char *const known[][2] = {
		{"discover", "discovery.json"}, {"decompose", "plan.json"}, {"retrospect", "retrospect.json"}
	};

	for (size_t i = 0; plan != NULL && i < sizeof known / sizeof *known; i++)
		if (strcmp(known[i][0], plan) == 0)
			return known[i][1];
	return NULL;
}

/* Is the list due at the end of this step? Not where it asks or is blocked. */
static bool
list_due(const struct cJSON *step)
{
	const char *status = wisp_json_str(step, "status", "");

	return strcmp(status, "NEEDS_INPUT") != 0 && strcmp(status, "BLOCKED") != 0;
}

static void
refuse(struct cJSON *step, const char *why)
{
	wisp_json_set_str(step, "error", why);
	wisp_json_set_str(step, "state", "invalid");
	wisp_json_set_bool(step, "list_refused", true);
}

/* What holds is adopted whole, what does not is told and set aside. */
static int
settle_made(struct wisp_record *r)
{
	struct cJSON *step = wisp_turn_step(r);
	char *why = NULL;
	int rc = wisp_turn_take_list(r, list_due(step), 1, &why);

	if (why != NULL)
		refuse(step, why);
	free(why);
	return rc;
}

/*
 * The list as the step left it goes beside the step, before the old one is put back: a repetition after a crash
 * has to find what was proposed. The path of the copy, or of what could not be copied, for which loading it gives
 * the reason; the caller frees it.
 */
static char *
put_aside(const struct wisp_record *r)
{
	char *path = wisp_record_dir_path(r, "tasks.json"), *copy = wisp_turn_step_path(r, "tasks.proposed.json");

	if (!wisp_file_exists(copy) && wisp_file_exists(path) && wisp_file_copy(path, copy, WISP_SYNC) != 0) {
		free(copy);
		return path;
	}
	free(path);
	return copy;
}

/* Proposes what the step left, or refuses it. */
static int
propose(struct wisp_record *r, const struct wisp_tasks *old, const char *path)
{
	struct cJSON *step = wisp_turn_step(r);
	struct wisp_tasks now = {0};
	struct wisp_err err = WISP_ERR_INIT;
	enum wisp_verdict verdict = wisp_tasks_load(&now, path, &err);
	char *why = verdict == WISP_VALID ? wisp_change_refuse(wisp_turn_plan(r), old, &now)
		  : verdict == WISP_MISSING ? wisp_strdup("tasks.json is gone") : wisp_err_string(&err);
	int rc = 0;

	if (why == NULL)
		rc = wisp_change_propose(r, &now, wisp_json_str(step, "tasks", NULL));
	else
		refuse(step, why);
	free(why);
	wisp_err_release(&err);
	wisp_tasks_release(&now);
	return rc;
}

/* Until a person says yes, the list is what it was. */
static int
settle_changed(struct wisp_record *r, struct wisp_err *err)
{
	const struct cJSON *step = wisp_turn_step(r);
	const char *base = wisp_json_str(step, "tasks", NULL);
	char *path = put_aside(r);
	struct wisp_tasks old = {0};
	int rc = wisp_record_good_tasks(r, base, &old, err);

	if (rc == 1)
		rc = wisp_err_set(err, r->home, 0, 0, "the good copy of the task list is gone: good/%s", base);
	if (rc == 0 && list_due(step) && strcmp(wisp_json_str(step, "state", ""), "valid") == 0)
		rc = propose(r, &old, path);
	if (rc == 0) {
		wisp_turn_note_claims(r, &old, &old);
		rc = wisp_turn_put_tasks(r, &old);
	}
	wisp_tasks_release(&old);
	free(path);
	return rc;
}

int
wisp_turn_settle_plan(struct wisp_record *r, struct wisp_err *err)
{
	const char *plan = wisp_turn_plan(r);

	if (wisp_turn_artefact(plan) != NULL)
		return 0;
	return plan == NULL || strcmp(plan, "plan") == 0 ? settle_made(r) : settle_changed(r, err);
}
