/*
 * context_metrics: the metrics in force, as far as files can tell them.
 */
#include "context.h"

#include <string.h>

#include "core/phase.h"

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
	bool green;

	wisp_phase_claim(&c->claim, &c->state, c->step);
	if (c->recorded) {
		c->metrics = wisp_phase_gather(&c->claim, c->loop, c->judged, uncounted(c), &green);
	} else {
		c->metrics = wisp_phase_metrics(NULL, c->claim.metrics, NULL);
		add_counters(c->metrics, c->loop);
	}
}
