/*
 * turn_charge: what a step cost is settled: its reservation ends, its cost, time
 * and tokens go into the totals.
 */
#include "turn.h"

#include "config.h"
#include "session.h"

#define MONOTONIC_SLACK_S 3600		/* that a step may take beyond what its supervisor measured */

/* The dearest step so far, 0 if no cost is known. */
static double
dearest(const struct wisp_record *r)
{
	double most = wisp_json_num(r->doc, "dearest", 0);

	return most > 0 ? most : 0;
}

/* What the step took: monotonic since its begin, where the clock has not started anew; else what the supervisor measured. */
static double
seconds_of(const struct cJSON *step, const struct cJSON *step_json)
{
	double began = wisp_json_num(step, "started_mono", -1), now = (double)wisp_time_monotonic();
	double measured = wisp_json_num(step_json, "duration_s", 0);

	if (began >= 0 && now >= began && step_json != NULL && (now - began) / 1000 < measured + MONOTONIC_SLACK_S)
		return (now - began) / 1000;
	return measured;
}

void
wisp_turn_charge(struct wisp_record *r, const struct cJSON *step_json)
{
	struct cJSON *step = wisp_turn_step(r), *session = wisp_record_session(r);
	const struct cJSON *tokens = wisp_json_get(step_json, "tokens");
	double cost = wisp_json_num(step_json, "cost_usd", -1), most;

	if (step == NULL || wisp_json_bool(step, "charged", false))
		return;
	if (cost >= 0) {
		if (cost > dearest(r))
			wisp_json_set_num(r->doc, "dearest", cost);
	} else {
		wisp_json_set_num(r->doc, "unpriced", wisp_json_num(r->doc, "unpriced", 0) + 1);
		most = wisp_config_number(wisp_record_config(r), "limits.maxStepCostUsd");
		cost = most >= 0 ? most : dearest(r);
	}
	wisp_session_add(session, "cost_usd", cost);
	wisp_session_add(session, "seconds", seconds_of(step, step_json));
	wisp_session_add(session, "input_tokens", wisp_json_num(tokens, "input", 0));
	wisp_session_add(session, "output_tokens", wisp_json_num(tokens, "output", 0));
	wisp_json_set_bool(step, "charged", true);
	wisp_json_set_null(step, "reserved_usd");
}
