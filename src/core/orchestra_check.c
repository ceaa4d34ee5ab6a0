/*
 * orchestra_check: a loop state of 001_ against what that document says of its fields.
 *
 * Beside types and words: times have a zone, no number is below 0, ids and names come once, a gate has the time of
 * what became of it, and a system has a name that a branch can have, since one is named after it.
 */
#include "orchestra.h"

#include <string.h>

#include "place.h"

#define MODES "greenfield|brownfield-feature|brownfield-polish"
#define LEVELS "critical|high|medium|low"

static const struct wisp_field top[] = {
	{"version", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	{"orchestratorId", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{"startedAt", WISP_T_STRING, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"mode", WISP_T_STRING, 0, MODES, WISP_T_NONE},
	{"modeDetection", WISP_T_OBJECT, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"scopeDiscovery", WISP_T_OBJECT, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"currentLoop", WISP_T_NUMBER, WISP_REQUIRED | WISP_INTEGER, NULL, WISP_T_NONE},
	{"currentPhase", WISP_T_STRING, WISP_REQUIRED, "DETECT|DISCOVER|PLAN|EXECUTE|RETROSPECT|COMPLETE", WISP_T_NONE},
	{"subAgents", WISP_T_ARRAY, WISP_REQUIRED, NULL, WISP_T_OBJECT},
	{"completedSystems", WISP_T_ARRAY, WISP_REQUIRED, NULL, WISP_T_STRING},
	{"gates", WISP_T_OBJECT, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"metrics", WISP_T_OBJECT, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"sessionHandoff", WISP_T_OBJECT, 0, NULL, WISP_T_NONE},
	{0}
};

static const struct wisp_field detection[] = {
	{"detected", WISP_T_STRING, 0, MODES, WISP_T_NONE},
	{"confidence", WISP_T_NUMBER, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"signals", WISP_T_ARRAY, WISP_REQUIRED, NULL, WISP_T_OBJECT},
	{"confirmedByUser", WISP_T_BOOL, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"overridden", WISP_T_BOOL, WISP_REQUIRED, NULL, WISP_T_NONE},
	{0}
};

static const struct wisp_field signal[] = {
	{"category", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{"signal", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{"weight", WISP_T_NUMBER, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"mode", WISP_T_STRING, WISP_REQUIRED, "greenfield|feature|polish", WISP_T_NONE},
	{0}
};

static const struct wisp_field discovery[] = {
	{"completedAt", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"gaps", WISP_T_ARRAY, WISP_REQUIRED, NULL, WISP_T_OBJECT},
	{"systems", WISP_T_ARRAY, WISP_REQUIRED, NULL, WISP_T_OBJECT},
	{"estimatedLoops", WISP_T_NUMBER, WISP_REQUIRED | WISP_INTEGER, NULL, WISP_T_NONE},
	{"parallelizationFactor", WISP_T_NUMBER, WISP_REQUIRED, NULL, WISP_T_NONE},
	{0}
};

static const struct wisp_field gap[] = {
	{"closed", WISP_T_BOOL, 0, NULL, WISP_T_NONE},
	{"category", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{"severity", WISP_T_STRING, WISP_REQUIRED, LEVELS, WISP_T_NONE},
	{"description", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{0}
};

static const struct wisp_field sys[] = {
	{"name", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{"type", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{"priority", WISP_T_STRING, WISP_REQUIRED, LEVELS, WISP_T_NONE},
	{"parallelizable", WISP_T_BOOL, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"depends_on", WISP_T_ARRAY, 0, NULL, WISP_T_STRING},
	{"estimatedHours", WISP_T_NUMBER, 0, NULL, WISP_T_NONE},
	{0}
};

static const struct wisp_field agent[] = {
	{"id", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{"system", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{"worktree", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"branch", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"status", WISP_T_STRING, WISP_REQUIRED, "spawning|running|waiting-gate|completed|failed", WISP_T_NONE},
	{"currentStage", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"progress", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"outputFile", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"spawnedAt", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"lastHeartbeat", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"completedAt", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"metrics", WISP_T_OBJECT, 0, NULL, WISP_T_NONE},
	{0}
};

static const struct wisp_field agent_metrics[] = {
	{"filesModified", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	{"testsAdded", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	{"commitsCreated", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	{0}
};

static const struct wisp_field gates[] = {
	{"pending", WISP_T_ARRAY, WISP_REQUIRED, NULL, WISP_T_OBJECT},
	{"approved", WISP_T_ARRAY, WISP_REQUIRED, NULL, WISP_T_OBJECT},
	{"rejected", WISP_T_ARRAY, WISP_REQUIRED, NULL, WISP_T_OBJECT},
	{0}
};

static const struct wisp_field gate[] = {
	{"id", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{"agent", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{"type", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{"description", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"artifacts", WISP_T_ARRAY, 0, NULL, WISP_T_STRING},
	{"requestedAt", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"approvedAt", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"approvedBy", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"rejectedAt", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"rejectedBy", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"feedback", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{0}
};

static const struct wisp_field metrics[] = {
	{"loopsCompleted", WISP_T_NUMBER, WISP_REQUIRED | WISP_INTEGER, NULL, WISP_T_NONE},
	{"estimatedHours", WISP_T_NUMBER, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"actualHours", WISP_T_NUMBER, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"calibrationFactor", WISP_T_NUMBER, WISP_REQUIRED, NULL, WISP_T_NONE},
	{0}
};

static const struct wisp_field handoff[] = {
	{"pausedAt", WISP_T_STRING, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"reason", WISP_T_STRING, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"resumeInstructions", WISP_T_STRING, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"pendingActions", WISP_T_ARRAY, WISP_REQUIRED, NULL, WISP_T_STRING},
	{0}
};

struct check {
	const struct wisp_source *src;
	struct wisp_err *err;
};

/* Its fields; then whatever in it is called a time, is one, and no number is below 0. */
static int
check_object(const struct check *c, const struct wisp_at *at, const struct cJSON *object, const struct wisp_field *fields)
{
	const struct cJSON *found[WISP_FIELDS_MAX];

	if (wisp_schema_check(c->src, at, object, fields, found, c->err) != 0)
		return -1;
	for (size_t i = 0; fields[i].name != NULL; i++) {
		const struct wisp_at below = {at, fields[i].name, 0};
		size_t n = strlen(fields[i].name);

		if (found[i] == NULL)
			continue;
		if (fields[i].type == WISP_T_NUMBER && wisp_json_number(found[i], 0) < 0)
			return wisp_schema_refuse(c->src, &below, c->err, "must not be below 0");
		if (((n > 2 && strcmp(fields[i].name + n - 2, "At") == 0) || strcmp(fields[i].name, "lastHeartbeat") == 0) &&
		    wisp_time_parse(wisp_json_text(found[i], "")) < 0)
			return wisp_schema_refuse(c->src, &below, c->err, "expected a time with a zone (ISO 8601), not '%s'",
						  wisp_json_text(found[i], ""));
	}
	return 0;
}

static int
check_member(const struct check *c, const struct cJSON *state, const char *key, const struct wisp_field *fields)
{
	const struct wisp_at at = {NULL, key, 0};
	const struct cJSON *v = wisp_json_get(state, key);

	return wisp_json_type(v) != WISP_T_OBJECT ? 0 : check_object(c, &at, v, fields);
}

/* Each element; `unique` (or NULL) names a member of them that may not come twice. */
static int
check_list(const struct check *c, const struct wisp_at *up, const struct cJSON *list, const struct wisp_field *fields,
	   const char *unique)
{
	struct wisp_at at = {up, NULL, 0};

	for (const struct cJSON *v = wisp_json_first(list); v != NULL; v = wisp_json_next(v), at.index++) {
		const struct wisp_at name = {&at, unique, 0};

		if (check_object(c, &at, v, fields) != 0)
			return -1;
		for (const struct cJSON *w = unique != NULL ? wisp_json_first(list) : v; w != v; w = wisp_json_next(w))
			if (strcmp(wisp_json_str(w, unique, ""), wisp_json_str(v, unique, "")) == 0)
				return wisp_schema_refuse(c->src, &name, c->err, "'%s' is there twice", wisp_json_str(v, unique, ""));
	}
	return 0;
}

/* Names of systems: members `key` of the elements, or with NULL these themselves. They become parts of branches' and files' names. */
static int
check_names(const struct check *c, const struct wisp_at *up, const struct cJSON *list, const char *key)
{
	struct wisp_at at = {up, NULL, 0};

	for (const struct cJSON *v = wisp_json_first(list); v != NULL; v = wisp_json_next(v), at.index++) {
		const struct wisp_at below = {&at, key, 0};
		const char *name = key != NULL ? wisp_json_str(v, key, "") : wisp_json_text(v, "");

		if (!wisp_branch_ok(name) || strchr(name, '/') != NULL)
			return wisp_schema_refuse(c->src, key != NULL ? &below : &at, c->err,
						  "'%s' cannot be a part of a branch's name", name);
	}
	return 0;
}

static int
check_agents(const struct check *c, const struct cJSON *agents)
{
	static const struct wisp_at up = {NULL, "subAgents", 0};
	struct wisp_at at = {&up, NULL, 0}, metrics_at = {&at, "metrics", 0};

	if (check_list(c, &up, agents, agent, "id") != 0 || check_names(c, &up, agents, "system") != 0)
		return -1;
	for (const struct cJSON *a = wisp_json_first(agents); a != NULL; a = wisp_json_next(a), at.index++) {
		const struct cJSON *m = wisp_json_get(a, "metrics");

		if (wisp_json_type(m) == WISP_T_OBJECT && check_object(c, &metrics_at, m, agent_metrics) != 0)
			return -1;
	}
	return 0;
}

/* The time that it must have, by the list it stands in; and no list may have its id again. */
static int
check_gate(const struct check *c, const struct wisp_at *at, const struct cJSON *all, const struct cJSON *g, const char *time)
{
	const struct wisp_at time_at = {at, time, 0}, id_at = {at, "id", 0};
	const char *id = wisp_json_str(g, "id", "");

	if (wisp_json_str(g, time, NULL) == NULL)
		return wisp_schema_refuse(c->src, &time_at, c->err, "is missing");
	return wisp_orchestra_gate(all, id, NULL) == g ? 0
		: wisp_schema_refuse(c->src, &id_at, c->err, "'%s' is there twice", id);
}

static int
check_gates(const struct check *c, const struct cJSON *state)
{
	static const struct wisp_at up = {NULL, "gates", 0};
	static const char *const times[] = {"requestedAt", "approvedAt", "rejectedAt"};

	for (size_t i = 0; gates[i].name != NULL; i++) {
		const struct wisp_at list_at = {&up, gates[i].name, 0};
		const struct cJSON *list = wisp_json_get(wisp_json_get(state, "gates"), gates[i].name);
		struct wisp_at at = {&list_at, NULL, 0};

		if (check_list(c, &list_at, list, gate, NULL) != 0)
			return -1;
		for (const struct cJSON *g = wisp_json_first(list); g != NULL; g = wisp_json_next(g), at.index++)
			if (check_gate(c, &at, state, g, times[i]) != 0)
				return -1;
	}
	return 0;
}

int
wisp_orchestra_check(const struct wisp_source *src, const struct cJSON *state, struct wisp_err *err)
{
	static const struct wisp_at in_detection = {NULL, "modeDetection", 0}, in_discovery = {NULL, "scopeDiscovery", 0};
	static const struct wisp_at signals = {&in_detection, "signals", 0}, confidence = {&in_detection, "confidence", 0};
	static const struct wisp_at gap_list = {&in_discovery, "gaps", 0}, systems = {&in_discovery, "systems", 0};
	static const struct wisp_at loop = {NULL, "currentLoop", 0}, version = {NULL, "version", 0};
	static const struct wisp_at completed = {NULL, "completedSystems", 0};
	const struct check c = {src, err};
	const struct cJSON *d = wisp_json_get(state, "modeDetection"), *s = wisp_json_get(state, "scopeDiscovery");

	if (check_object(&c, NULL, state, top) != 0 || check_member(&c, state, "modeDetection", detection) != 0 ||
	    check_member(&c, state, "scopeDiscovery", discovery) != 0 || check_member(&c, state, "gates", gates) != 0 ||
	    check_member(&c, state, "metrics", metrics) != 0 || check_member(&c, state, "sessionHandoff", handoff) != 0)
		return -1;
	if (wisp_json_num(state, "version", 1) != 1)
		return wisp_schema_refuse(src, &version, err, "expected 1");
	if (wisp_json_num(state, "currentLoop", 1) < 1)
		return wisp_schema_refuse(src, &loop, err, "must not be below 1");
	if (wisp_json_num(d, "confidence", 0) > 1)
		return wisp_schema_refuse(src, &confidence, err, "must not be above 1");
	if (check_list(&c, &signals, wisp_json_get(d, "signals"), signal, NULL) != 0 ||
	    check_list(&c, &gap_list, wisp_json_get(s, "gaps"), gap, NULL) != 0 ||
	    check_list(&c, &systems, wisp_json_get(s, "systems"), sys, "name") != 0 ||
	    check_names(&c, &systems, wisp_json_get(s, "systems"), "name") != 0 ||
	    check_agents(&c, wisp_json_get(state, "subAgents")) != 0 ||
	    check_names(&c, &completed, wisp_json_get(state, "completedSystems"), NULL) != 0)
		return -1;
	return check_gates(&c, state);
}
