/*
 * orchestra: see orchestra.h. orchestra_check.c holds a state to its schema.
 */
#include "orchestra.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const decisions[] = {"pending", "approved", "rejected"};

bool
wisp_orchestra_is(const struct cJSON *state)
{
	static const char *const own[] = {"orchestratorId", "modeDetection", "scopeDiscovery", "subAgents", "gates", "sessionHandoff"};
	size_t i = 0;

	/* By any of its members, so that a part of one is not held against the rules of phases. */
	while (i < sizeof own / sizeof *own && wisp_json_get(state, own[i]) == NULL)
		i++;
	return i < sizeof own / sizeof *own;
}

struct cJSON *
wisp_orchestra_of(const struct wisp_record *r)
{
	struct cJSON *state = wisp_json_get(r->doc, "orchestration");

	return wisp_orchestra_is(state) ? state : NULL;
}

static void
set_time(struct cJSON *object, const char *key, wisp_ms t)
{
	char *text = wisp_time_iso(t);

	wisp_json_set_str(object, key, text);
	free(text);
}

struct cJSON *
wisp_orchestra_new(wisp_ms now)
{
	struct cJSON *state = wisp_json_object(), *part;
	char *id = wisp_str("orch-%lld", (long long)now);

	wisp_json_set_num(state, "version", 1);
	wisp_json_set_str(state, "orchestratorId", id);
	set_time(state, "startedAt", now);
	wisp_json_set_null(state, "mode");
	part = wisp_json_object_at(state, "modeDetection");
	wisp_json_set_null(part, "detected");
	wisp_json_set_num(part, "confidence", 0);
	wisp_json_set(part, "signals", wisp_json_array());
	wisp_json_set_bool(part, "confirmedByUser", false);
	wisp_json_set_bool(part, "overridden", false);
	part = wisp_json_object_at(state, "scopeDiscovery");
	wisp_json_set_null(part, "completedAt");
	wisp_json_set(part, "gaps", wisp_json_array());
	wisp_json_set(part, "systems", wisp_json_array());
	wisp_json_set_num(part, "estimatedLoops", 0);
	wisp_json_set_num(part, "parallelizationFactor", 1);
	wisp_json_set_num(state, "currentLoop", 1);
	wisp_json_set_str(state, "currentPhase", "DETECT");
	wisp_json_set(state, "subAgents", wisp_json_array());
	wisp_json_set(state, "completedSystems", wisp_json_array());
	part = wisp_json_object_at(state, "gates");
	for (size_t i = 0; i < sizeof decisions / sizeof *decisions; i++)
		wisp_json_set(part, decisions[i], wisp_json_array());
	part = wisp_json_object_at(state, "metrics");
	wisp_json_set_num(part, "loopsCompleted", 0);
	wisp_json_set_num(part, "estimatedHours", 0);
	wisp_json_set_num(part, "actualHours", 0);
	wisp_json_set_num(part, "calibrationFactor", 1);
	free(id);
	return state;
}

int
wisp_orchestra_move(struct cJSON *state, const char *phase)
{
	static const char *const legal[][2] = {
		{"DETECT", "DISCOVER"}, {"DISCOVER", "PLAN"}, {"PLAN", "EXECUTE"}, {"EXECUTE", "RETROSPECT"},
		{"RETROSPECT", "COMPLETE"}, {"RETROSPECT", "EXECUTE"}
	};
	const char *from = wisp_json_str(state, "currentPhase", "");
	struct cJSON *metrics;
	size_t i;

	for (i = 0; i < sizeof legal / sizeof *legal; i++)
		if (strcmp(legal[i][0], from) == 0 && strcmp(legal[i][1], phase) == 0)
			break;
	if (i == sizeof legal / sizeof *legal)
		return 1;
	if (strcmp(from, "RETROSPECT") == 0) {
		metrics = wisp_json_object_at(state, "metrics");
		wisp_json_set_num(metrics, "loopsCompleted", wisp_json_num(metrics, "loopsCompleted", 0) + 1);
		if (strcmp(phase, "EXECUTE") == 0)
			wisp_json_set_num(state, "currentLoop", wisp_json_num(state, "currentLoop", 1) + 1);
	}
	wisp_json_set_str(state, "currentPhase", phase);
	return 0;
}

struct cJSON *
wisp_orchestra_agent(const struct cJSON *state, const char *id_or_system)
{
	struct cJSON *a;

	for (a = wisp_json_first(wisp_json_get(state, "subAgents")); a != NULL; a = wisp_json_next(a))
		if (strcmp(wisp_json_str(a, "system", ""), id_or_system) == 0 || strcmp(wisp_json_str(a, "id", ""), id_or_system) == 0)
			return a;
	return NULL;
}

const char *
wisp_orchestra_word(const struct cJSON *agent, bool runs)
{
	const char *status = wisp_json_str(agent, "status", "");

	return !runs && strcmp(status, "spawning") == 0 ? "stopped" : status;
}

bool
wisp_orchestra_completed(const struct cJSON *state, const char *system)
{
	for (const struct cJSON *s = wisp_json_first(wisp_json_get(state, "completedSystems")); s != NULL; s = wisp_json_next(s))
		if (strcmp(wisp_json_text(s, ""), system) == 0)
			return true;
	return false;
}

size_t
wisp_orchestra_systems(const struct cJSON *state, size_t *total)
{
	size_t done = 0;

	*total = 0;
	for (const struct cJSON *s = wisp_json_first(wisp_json_get(wisp_json_get(state, "scopeDiscovery"), "systems")); s != NULL;
	     s = wisp_json_next(s)) {
		*total += 1;
		done += wisp_orchestra_completed(state, wisp_json_str(s, "name", ""));
	}
	return done;
}

int
wisp_orchestra_percent(const struct cJSON *state)
{
	static const struct { const char *phase; int begins; } phases[] = {
		{"DISCOVER", 5}, {"PLAN", 10}, {"EXECUTE", 15}, {"RETROSPECT", 95}, {"COMPLETE", 100}
	};
	const char *phase = wisp_json_str(state, "currentPhase", "");
	size_t total, done = wisp_orchestra_systems(state, &total);

	for (size_t i = 0; i < sizeof phases / sizeof *phases; i++)
		if (strcmp(phases[i].phase, phase) == 0)
			return phases[i].begins + (strcmp(phase, "EXECUTE") == 0 && total > 0 ? (int)(80 * done / total) : 0);
	return 0;
}

/* --- gates ------------------------------------------------------------------- */

const struct cJSON *
wisp_orchestra_gate(const struct cJSON *state, const char *id, const char **list)
{
	const struct cJSON *gates = wisp_json_get(state, "gates");

	for (size_t i = 0; i < sizeof decisions / sizeof *decisions; i++)
		for (const struct cJSON *g = wisp_json_first(wisp_json_get(gates, decisions[i])); g != NULL; g = wisp_json_next(g))
			if (strcmp(wisp_json_str(g, "id", ""), id) == 0) {
				if (list != NULL)
					*list = decisions[i];
				return g;
			}
	return NULL;
}

/* The highest number of a gate-NNN so far, whatever became of it. */
static long
last_number(const struct cJSON *gates)
{
	long last = 0, n;

	for (size_t i = 0; i < sizeof decisions / sizeof *decisions; i++)
		for (const struct cJSON *g = wisp_json_first(wisp_json_get(gates, decisions[i])); g != NULL; g = wisp_json_next(g))
			if (sscanf(wisp_json_str(g, "id", ""), "gate-%9ld", &n) == 1 && n > last)
				last = n;
	return last;
}

const char *
wisp_orchestra_request(struct cJSON *state, const char *agent, const char *type, const char *description,
		       const struct cJSON *artifacts, wisp_ms now)
{
	struct cJSON *gates = wisp_json_object_at(state, "gates"), *pending = wisp_json_array_at(gates, "pending"), *gate;
	char *id;

	for (gate = wisp_json_first(pending); gate != NULL; gate = wisp_json_next(gate))
		if (strcmp(wisp_json_str(gate, "agent", ""), agent) == 0 && strcmp(wisp_json_str(gate, "type", ""), type) == 0)
			return wisp_json_str(gate, "id", "");
	id = wisp_str("gate-%03ld", last_number(gates) + 1);
	gate = wisp_json_object();
	wisp_json_set_str(gate, "id", id);
	wisp_json_set_str(gate, "agent", agent);
	wisp_json_set_str(gate, "type", type);
	wisp_json_set_str(gate, "description", description);
	wisp_json_set(gate, "artifacts", artifacts != NULL ? wisp_json_copy(artifacts) : wisp_json_array());
	set_time(gate, "requestedAt", now);
	wisp_json_push(pending, gate);
	free(id);
	return wisp_json_str(gate, "id", "");
}

/* Takes it out of the pending ones. */
static void
remove_pending(struct cJSON *gates, const char *id)
{
	struct cJSON *left = wisp_json_array();

	for (const struct cJSON *g = wisp_json_first(wisp_json_get(gates, "pending")); g != NULL; g = wisp_json_next(g))
		if (strcmp(wisp_json_str(g, "id", ""), id) != 0)
			wisp_json_push(left, wisp_json_copy(g));
	wisp_json_set(gates, "pending", left);
}

int
wisp_orchestra_decide(struct cJSON *state, const char *id, bool approve, const char *by, const char *feedback, wisp_ms now)
{
	struct cJSON *gates = wisp_json_object_at(state, "gates"), *entry;
	const char *list = NULL;
	const struct cJSON *gate = wisp_orchestra_gate(state, id, &list);

	if (gate == NULL)
		return -1;
	if (strcmp(list, "pending") != 0)
		return 1;
	entry = wisp_json_object();
	wisp_json_set_str(entry, "id", wisp_json_str(gate, "id", ""));
	wisp_json_set_str(entry, "agent", wisp_json_str(gate, "agent", ""));
	wisp_json_set_str(entry, "type", wisp_json_str(gate, "type", ""));
	set_time(entry, approve ? "approvedAt" : "rejectedAt", now);
	wisp_json_set_str(entry, "feedback", feedback);
	wisp_json_set_str(entry, approve ? "approvedBy" : "rejectedBy", by);
	wisp_json_push(wisp_json_array_at(gates, approve ? "approved" : "rejected"), entry);
	remove_pending(gates, wisp_json_str(entry, "id", ""));
	return 0;
}
