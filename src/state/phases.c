/*
 * phases: see phases.h.
 */
#include "phases.h"

#include <stdlib.h>
#include <string.h>

#define ITERATIONS 10	/* of a phase, as its progress is estimated */

struct cJSON *
wisp_phases_load(const char *dir)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *doc = NULL, *phases;
	char *path = wisp_str("%s/loop.json", dir);
	enum wisp_verdict v = wisp_json_load(path, &doc, &err);

	if (v != WISP_VALID && v != WISP_MISSING)
		die_err(&err);
	phases = wisp_json_type(wisp_json_get(doc, "phases")) == WISP_T_ARRAY ? wisp_json_take(doc, "phases") : NULL;
	wisp_json_free(doc);
	wisp_err_release(&err);
	free(path);
	return phases;
}

struct cJSON *
wisp_phases_default(void)
{
	static const struct { const char *name; int weight; } table[] = {
		{"RED", 10}, {"GREEN", 45}, {"REFACTOR", 15}, {"DOCUMENT", 15}, {"QA", 15}
	};
	struct cJSON *phases = wisp_json_array(), *p;

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		p = wisp_json_object();
		wisp_json_set_str(p, "name", table[i].name);
		wisp_json_set_num(p, "weight", table[i].weight);
		wisp_json_push(phases, p);
	}
	return phases;
}

bool
wisp_phase_done(const struct cJSON *loop, const char *name)
{
	for (const struct cJSON *d = wisp_json_first(wisp_json_get(loop, "phases_completed")); d != NULL; d = wisp_json_next(d))
		if (strcmp(wisp_json_text(d, ""), name) == 0)
			return true;
	return false;
}

int
wisp_phases_percent(const struct cJSON *phases, const struct cJSON *loop)
{
	const char *current = wisp_json_str(loop, "current_phase", "");
	double part = wisp_json_num(loop, "current_iteration", 0) / ITERATIONS, sum = 0;

	if (part > 1)
		part = 1;
	for (const struct cJSON *p = wisp_json_first(phases); p != NULL; p = wisp_json_next(p)) {
		const char *name = wisp_json_str(p, "name", "");
		double weight = wisp_json_num(p, "weight", 0);

		if (wisp_phase_done(loop, name))
			sum += weight;
		else if (strcmp(name, current) == 0 && part > 0)
			sum += weight * part;
	}
	return sum < 0 ? 0 : sum > 100 ? 100 : (int)(sum + 1e-9);
}
