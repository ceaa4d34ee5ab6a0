/*
 * phase_claim: what an agent says of a phase, with what was observed and counted (phase.h).
 */
#include "phase.h"

#include <string.h>

#include "block.h"
#include "metrics.h"

void
wisp_phase_claim(struct wisp_phase_claim *c, const struct wisp_state *st, const struct cJSON *step_json)
{
	const struct cJSON *metrics;

	*c = (struct wisp_phase_claim){.metrics = st->metrics};
	c->exit = st->exit_signal || (st->verdict == WISP_VALID && st->status == WISP_DONE);
	if (st->metrics != NULL)
		return;
	c->block = wisp_block_parse(wisp_json_str(step_json, "final_text", ""));
	c->exit |= wisp_json_bool(c->block, "exit_signal", false);
	metrics = wisp_json_get(c->block, "metrics");
	c->metrics = wisp_metrics_fault(metrics) == NULL ? metrics : NULL;
}

void
wisp_phase_claim_release(struct wisp_phase_claim *c)
{
	wisp_json_free(c->block);
	*c = (struct wisp_phase_claim){0};
}

/* Whether the tests are green counts into the metrics: they are gathered without it first. */
struct cJSON *
wisp_phase_gather(const struct wisp_phase_claim *c, struct cJSON *loop, const struct cJSON *step, bool count, bool *green)
{
	const struct cJSON *observed = wisp_json_get(step, "observed");
	struct cJSON *plain = wisp_phase_metrics(NULL, c->metrics, observed);

	*green = wisp_phase_green(plain) && strcmp(wisp_json_str(step, "verify", ""), "failed") != 0;
	wisp_json_free(plain);
	if (count)
		wisp_phase_count(loop, *green);
	return wisp_phase_metrics(loop, c->metrics, observed);
}
