/*
 * turn_phase_ask: the gates of a phase are asked of the step that ran (turn_phase.h).
 */
#include "turn_phase.h"

#include <stdlib.h>
#include <string.h>

#include "document.h"

/* What a question is made of. */
struct asking {
	struct wisp_record *r;
	const struct cJSON *machine, *step;
	struct cJSON *loop;		/* as it is once this iteration is counted */
	struct cJSON *result;		/* step.json */
	struct wisp_state state;
	struct wisp_phase_claim claim;
	struct cJSON *metrics;
	bool green;
};

static struct cJSON *
document(const struct asking *a)
{
	struct wisp_tasks tasks = {0};
	bool listed = wisp_record_good_tasks(a->r, NULL, &tasks, NULL) == 0;
	const struct wisp_document d = {
		.state = a->state.doc, .history = wisp_json_get(a->r->doc, "history"), .session = wisp_record_session(a->r),
		.loop = a->loop, .step = a->result, .metrics = a->metrics, .tasks = listed ? &tasks : NULL,
		.verify = wisp_json_str(a->step, "verify", NULL)
	};
	struct cJSON *doc = wisp_document_new(&d);

	wisp_tasks_release(&tasks);
	return doc;
}

static void
note(struct asking *a, const struct wisp_phase_answer *said)
{
	struct cJSON *v = wisp_json_object();

	wisp_json_set_str(v, "name", wisp_json_str(a->loop, "current_phase", NULL));
	wisp_json_set_bool(v, "gate_1", said->gate_1);
	wisp_json_set_bool(v, "gate_2", said->gate_2);
	wisp_json_set_bool(v, "progress", said->progress);
	wisp_json_set_bool(v, "reject", said->reject);
	wisp_json_set_num(v, "rejects", said->attempts);
	wisp_json_set_num(v, "rejects_max", said->attempts_max);
	wisp_json_set_bool(v, "last", said->last);
	wisp_json_set_bool(v, "green", a->green);
	wisp_json_set(v, "metrics", wisp_json_copy(a->metrics));
	wisp_json_set(v, "claimed", wisp_json_copy(wisp_json_get(a->claim.block, "metrics")));
	wisp_json_set(v, "blockers", wisp_json_copy(wisp_json_get(a->claim.block, "blockers")));
	wisp_json_set_str(v, "recommendation", wisp_json_str(a->claim.block, "recommendation", NULL));
	wisp_json_set(wisp_turn_step(a->r), "phase", v);
}

static int
ask(struct asking *a, struct wisp_err *err)
{
	struct wisp_phase_answer said;
	struct cJSON *doc;
	int rc;

	wisp_phase_claim(&a->claim, &a->state, a->result);
	a->metrics = wisp_phase_gather(&a->claim, a->loop, a->step, true, &a->green);
	doc = document(a);
	rc = wisp_phase_ask(&said, a->machine, a->loop, doc, a->claim.exit, err);
	wisp_json_free(doc);
	if (rc == 0)
		note(a, &said);
	return rc == 0 ? 0 : 1;
}

int
wisp_turn_phase_ask(struct wisp_record *r, struct wisp_err *err)
{
	struct asking a = {.r = r, .machine = wisp_turn_machine(r), .step = wisp_turn_step(r)};
	char *path;
	int rc = 0;

	if (!wisp_turn_is_open(r))
		return wisp_err_set(err, r->home, 0, 0, "no step is open that ran");
	if (a.machine == NULL || strcmp(wisp_json_str(a.step, "state", ""), "valid") != 0)
		return 0;
	(void)wisp_turn_result(r, &a.result, NULL);
	path = wisp_record_dir_path(r, "state.json");
	if (wisp_state_load(&a.state, path, NULL) != WISP_VALID) {
		rc = wisp_err_set(err, path, 0, 0, "it was valid when the step ended, and is not any more");
	} else {
		a.loop = wisp_json_copy(wisp_turn_loop(r));
		rc = ask(&a, err);
	}
	free(path);
	wisp_state_release(&a.state);
	wisp_json_free(a.result);
	wisp_phase_claim_release(&a.claim);
	wisp_json_free(a.loop);
	wisp_json_free(a.metrics);
	return rc;
}
