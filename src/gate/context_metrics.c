/*
 * context_metrics: the metrics in force, as far as files can tell them.
 */
#include "context.h"

#include <string.h>

#include "core/block.h"
#include "core/phase.h"

/* state.json's, else those of the block in the step's final message. */
static const struct cJSON *
claimed(struct wisp_context *c)
{
	if (c->state.metrics != NULL)
		return c->state.metrics;
	c->block = wisp_block_parse(wisp_json_str(c->step, "final_text", ""));
	return wisp_json_get(c->block, "metrics");
}

/* Has the step run, but not become history? Then the controller will count it before it asks. */
static bool
uncounted(const struct wisp_context *c)
{
	return wisp_json_type(c->loop) == WISP_T_OBJECT && c->judged != NULL &&
	       strcmp(wisp_json_str(c->judged, "stage", ""), "recorded") != 0;
}

/* In files of somebody else the agent may have counted itself (003_): what it says stands. */
static void
add_counters(struct cJSON *metrics, const struct cJSON *loop)
{
	static const char *const names[][2] = {
		{"iteration", "current_iteration"}, {"consecutive_green_runs", "consecutive_green_runs"}
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct cJSON *n = wisp_json_get(loop, names[i][1]);

		if (n != NULL && wisp_json_get(metrics, names[i][0]) == NULL)
			wisp_json_set(metrics, names[i][0], wisp_json_copy(n));
	}
}

void
wisp_context_measure(struct wisp_context *c)
{
	const struct cJSON *claim = claimed(c), *observed = wisp_json_get(c->judged, "observed");
	bool green;

	c->metrics = wisp_phase_metrics(NULL, claim, observed);
	if (!c->recorded) {
		add_counters(c->metrics, c->loop);
		return;
	}
	green = wisp_phase_green(c->metrics) && strcmp(wisp_json_str(c->judged, "verify", ""), "failed") != 0;
	if (uncounted(c))
		wisp_phase_count(c->loop, green);
	wisp_json_free(c->metrics);
	c->metrics = wisp_phase_metrics(c->loop, claim, observed);
}
