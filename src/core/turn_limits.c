/*
 * turn_limits: may the next step start? The session's own limits, its phase's, and what it
 * shares with the orchestration that it belongs to and with all sessions of the machine, in this order.
 */
#include "turn.h"

#include <stdlib.h>

#include "pool.h"
#include "session.h"
#include "shared.h"
#include "turn_phase.h"

void
wisp_turn_stop(struct wisp_record *r, struct cJSON *answer, int code, const char *reason, const char *text)
{
	wisp_turn_wait_over(r, true);
	wisp_session_put(wisp_record_session(r), "paused", text);
	wisp_json_set_num(r->doc, "exit", code);
	wisp_json_set_str(r->doc, "reason", text);
	wisp_json_set_str(answer, "act", "stop");
	wisp_json_set_num(answer, "exit", code);
	wisp_json_set_str(answer, "reason", reason);
	wisp_json_set_str(answer, "text", text);
}

/* What is in the way, if anything, becomes the answer. */
static void
put(struct wisp_record *r, struct cJSON *answer, const struct wisp_limit_answer *a)
{
	static const struct { enum wisp_limit what; int code; const char *reason; } ends[] = {
		{WISP_LIMIT_ITERATIONS, WISP_END_LIMIT, "max_iterations"}, {WISP_LIMIT_HOURS, WISP_END_LIMIT, "max_hours"},
		{WISP_LIMIT_COST, WISP_END_LIMIT, "max_cost"}, {WISP_LIMIT_CALLS, WISP_END_WAIT, "hourly_limit"},
		{WISP_LIMIT_USAGE, WISP_END_WAIT, "usage_limit"}, {WISP_LIMIT_RESERVED, WISP_END_WAIT, "reserved"},
		{WISP_LIMIT_OVERAGE, WISP_END_WAIT, "overage"}
	};
	char *until;

	if (a->what == WISP_LIMIT_WAIT) {
		wisp_turn_wait(r, a->kind, a->until);
		until = wisp_time_iso(a->until);
		wisp_session_put(wisp_record_session(r), "paused", a->text);
		wisp_json_set_str(answer, "act", "wait");
		wisp_json_set_str(answer, "limit", a->kind);
		wisp_json_set_str(answer, "until", until);
		wisp_json_set_str(answer, "text", a->text);
		free(until);
	}
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (ends[i].what == a->what)
			wisp_turn_stop(r, answer, ends[i].code, ends[i].reason, a->text);
	if (a->what == WISP_LIMIT_CALLS) {
		until = wisp_time_iso(a->until);
		wisp_json_set_str(answer, "until", until);
		free(until);
	}
}

int
wisp_turn_limits(struct wisp_record *r, const struct wisp_begin *o, double *cap, struct cJSON *answer, struct wisp_err *err)
{
	bool repeat = wisp_json_bool(wisp_turn_step(r), "again", false);
	struct wisp_limit_answer a;
	char *spent = NULL, *path;
	int rc;

	wisp_limits_check(&a, wisp_json_object_at(r->doc, "limits"), wisp_record_session(r), wisp_record_config(r),
			  repeat, o->wait, wisp_time_now());
	put(r, answer, &a);
	wisp_limit_answer_release(&a);
	if (wisp_json_get(answer, "act") == NULL && !repeat)
		spent = wisp_turn_phase_spent(r);
	if (spent != NULL)
		wisp_turn_stop(r, answer, WISP_END_LIMIT, "phase_iterations", spent);
	free(spent);
	if (wisp_json_get(answer, "act") != NULL)
		return 0;
	*cap = wisp_limits_cap(wisp_record_session(r), wisp_record_config(r));
	rc = wisp_pool_take(r, o->wait, cap, &a, err);
	put(r, answer, &a);
	path = a.what == WISP_LIMIT_WAIT ? wisp_pool_path(r) : NULL;
	if (rc == 0 && a.what == WISP_GO) {
		wisp_limit_answer_release(&a);
		rc = wisp_shared_take(r, o->wait, cap, &a, err);
		put(r, answer, &a);
		path = a.what == WISP_LIMIT_WAIT ? wisp_shared_path() : NULL;
		/* What was reserved for the step is given back. */
		if (rc == 0 && a.what != WISP_GO)
			rc = wisp_pool_settle(r, NULL, err);
	}
	if (path != NULL)
		wisp_json_set_str(answer, "pool", path);
	free(path);
	wisp_limit_answer_release(&a);
	return rc;
}
