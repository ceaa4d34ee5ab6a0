/*
 * turn_person: see turn_person.h.
 */
#include "turn_person.h"

#include <stdlib.h>
#include <string.h>

#include "breaker.h"
#include "decide.h"
#include "phase.h"
#include "pool.h"
#include "session.h"
#include "turn_phase.h"

static int
refuse(struct wisp_err *err, const char *text)
{
	(void)wisp_err_set(err, NULL, 0, 0, "%s", text);
	return 1;
}

static bool
is_completed(struct wisp_record *r)
{
	return strcmp(wisp_json_str(wisp_record_session(r), "status", ""), "completed") == 0;
}

static void
end(struct wisp_record *r, const char *status, int code, const char *reason)
{
	wisp_session_put(wisp_record_session(r), status, reason);
	wisp_json_set_num(r->doc, "exit", code);
	wisp_json_set_str(r->doc, "reason", reason);
}

/* `completed, but RED, QA: skipped by a person`; the caller frees it. */
static char *
skipped_text(const struct cJSON *loop)
{
	const struct cJSON *history = wisp_json_get(loop, "phase_history"), *h;
	struct wisp_buf b = WISP_BUF_INIT;
	const char *comma = "completed, but ";

	for (h = wisp_json_first(history); h != NULL; h = wisp_json_next(h)) {
		if (strcmp(wisp_json_str(h, "exit_reason", ""), WISP_SKIPPED) != 0)
			continue;
		wisp_buf_printf(&b, "%s%s", comma, wisp_json_key(h));
		comma = ", ";
	}
	wisp_buf_puts(&b, ": " WISP_SKIPPED);
	return wisp_buf_detach(&b);
}

int
wisp_turn_skip_phase(struct wisp_record *r, struct cJSON *answer, struct wisp_err *err)
{
	const struct cJSON *machine = wisp_turn_machine(r);
	struct cJSON *loop = wisp_turn_loop(r);
	char *text;

	if (machine == NULL || wisp_json_type(loop) != WISP_T_OBJECT)
		return refuse(err, "the session has no phases: there is none to skip");
	if (is_completed(r))
		return refuse(err, "the session is completed: there is no phase to skip");
	if (strcmp(wisp_json_str(wisp_turn_step(r), "stage", "recorded"), "recorded") != 0)
		return refuse(err, "the last step is not judged yet: resume without skipping the phase first");
	wisp_json_set_str(answer, "skipped", wisp_json_str(loop, "current_phase", ""));
	wisp_breaker_reset(wisp_json_object_at(r->doc, "breaker"));
	wisp_json_set_null(r->doc, "question");
	if (wisp_phase_pass(machine, loop, WISP_SKIPPED)) {
		wisp_json_set_str(answer, "phase", wisp_json_str(loop, "current_phase", ""));
	} else {
		text = skipped_text(loop);
		end(r, "completed", 0, text);
		wisp_json_set_str(answer, "reason", text);
		free(text);
	}
	return wisp_record_commit(r);
}

int
wisp_turn_abort(struct wisp_record *r, struct wisp_err *err)
{
	if (is_completed(r))
		return refuse(err, "the session is completed: there is nothing to abort");
	end(r, "halted", WISP_END_STUCK, WISP_ABORTED);
	return wisp_record_commit(r);
}

int
wisp_turn_new_hour(struct wisp_record *r, struct wisp_err *err)
{
	struct cJSON *hourly = wisp_json_object_at(wisp_json_object_at(r->doc, "limits"), "hourly");

	wisp_json_set_num(hourly, "calls_made", 0);
	wisp_json_set_null(hourly, "next_reset");
	return wisp_pool_forget(r, false, err) != 0 ? -1 : wisp_record_commit(r);
}

void
wisp_turn_tell_stuck(const struct wisp_record *r, struct cJSON *answer)
{
	const struct cJSON *session = wisp_json_get(r->doc, "session"), *breaker = wisp_json_get(r->doc, "breaker");
	const char *reason = wisp_json_str(r->doc, "reason", "");
	bool halted = strcmp(wisp_json_str(session, "status", ""), "halted") == 0 &&
		      wisp_json_int(r->doc, "exit", 0) == WISP_END_STUCK && strcmp(reason, WISP_ABORTED) != 0;

	if (wisp_breaker_open(breaker))
		reason = wisp_json_str(breaker, "open_reason", reason);
	wisp_json_set_bool(answer, "stuck", halted);
	wisp_json_set_bool(answer, "phases", wisp_turn_machine(r) != NULL);
	wisp_json_set_str(answer, "phase", wisp_json_str(wisp_turn_loop(r), "current_phase", NULL));
	wisp_json_set_str(answer, "reason", reason);
	wisp_json_set_num(answer, "iterations", wisp_json_num(session, "loop_count", 0));
}
