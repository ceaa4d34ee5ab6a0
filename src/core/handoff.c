/*
 * handoff: see handoff.h.
 */
#include "handoff.h"

#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "orchestra.h"
#include "time.h"

static void
push(struct cJSON *list, char *text)
{
	wisp_json_push(list, wisp_json_string(text));
	free(text);
}

static void
pending_gates(struct cJSON *list, const struct cJSON *state)
{
	const struct cJSON *gates = wisp_json_get(wisp_json_get(state, "gates"), "pending");

	for (const struct cJSON *g = wisp_json_first(gates); g != NULL; g = wisp_json_next(g))
		push(list, wisp_str("Decide %s: %s of %s", wisp_json_str(g, "id", ""), wisp_json_str(g, "type", ""),
				    wisp_json_str(g, "agent", "")));
}

static void
pending_agents(struct cJSON *list, const struct cJSON *state)
{
	for (const struct cJSON *a = wisp_json_first(wisp_json_get(state, "subAgents")); a != NULL; a = wisp_json_next(a)) {
		const char *id = wisp_json_str(a, "id", ""), *status = wisp_json_str(a, "status", "");
		const char *system = wisp_json_str(a, "system", "");

		if (wisp_orchestra_completed(state, system))
			continue;
		if (strcmp(status, "failed") == 0)
			push(list, wisp_str("Look at %s: %s", id, wisp_json_str(a, "progress", "it failed")));
		else if (strcmp(status, "completed") == 0)
			push(list, wisp_str("Merge %s branch", system));
		else if (strcmp(status, "running") == 0)
			push(list, wisp_str("Wait for %s to complete", id));
	}
}

/* Systems that no agent has begun. */
static void
pending_systems(struct cJSON *list, const struct cJSON *state)
{
	const struct cJSON *systems = wisp_json_get(wisp_json_get(state, "scopeDiscovery"), "systems");
	const struct cJSON *agents = wisp_json_get(state, "subAgents"), *a;

	for (const struct cJSON *s = wisp_json_first(systems); s != NULL; s = wisp_json_next(s)) {
		const char *name = wisp_json_str(s, "name", "");

		for (a = wisp_json_first(agents); a != NULL; a = wisp_json_next(a))
			if (strcmp(wisp_json_str(a, "system", ""), name) == 0)
				break;
		if (a == NULL && !wisp_orchestra_completed(state, name))
			push(list, wisp_str("Start %s", name));
	}
}

static const char *
instructions(const char *phase)
{
	static const char *const say[][2] = {
		{"DETECT", "Confirm the mode of the project"},
		{"DISCOVER", "Continue with the gap analysis"},
		{"PLAN", "Continue with a task list for each system"},
		{"EXECUTE", "Continue with the systems that are not merged, then merge what they finish"},
		{"RETROSPECT", "Continue with the retrospect of this loop"}
	};

	for (size_t i = 0; i < sizeof say / sizeof *say; i++)
		if (strcmp(say[i][0], phase) == 0)
			return say[i][1];
	return "Continue";
}

void
wisp_handoff(struct wisp_record *r, const char *reason)
{
	struct cJSON *state = wisp_orchestra_of(r), *handoff, *pending;
	const char *phase = wisp_json_str(state, "currentPhase", "");
	struct wisp_buf typed = WISP_BUF_INIT;
	char *now, *text;

	if (reason == NULL)
		reason = wisp_json_str(wisp_json_get(state, "sessionHandoff"), "reason", NULL);
	if (reason == NULL || strcmp(phase, "COMPLETE") == 0) {
		wisp_json_set_null(state, "sessionHandoff");
		return;
	}
	now = wisp_time_iso(wisp_time_now());
	wisp_line_shell(&typed, r->place->branch);
	text = wisp_str("%s: wisp orchestrate --resume --branch %s", instructions(phase), typed.data);
	wisp_buf_release(&typed);
	handoff = wisp_json_object();
	wisp_json_set_str(handoff, "pausedAt", now);
	wisp_json_set_str(handoff, "reason", reason);
	wisp_json_set_str(handoff, "resumeInstructions", text);
	pending = wisp_json_array_at(handoff, "pendingActions");
	pending_gates(pending, state);
	pending_agents(pending, state);
	pending_systems(pending, state);
	wisp_json_set(state, "sessionHandoff", handoff);
	free(text);
	free(now);
}
