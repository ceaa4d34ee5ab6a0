/*
 * template: what a template's phases are; template_load.c reads them.
 */
#include "template.h"

#include <stdlib.h>
#include <string.h>

#include "self.h"

struct cJSON *
wisp_template_machine(const struct cJSON *doc)
{
	const struct cJSON *phases = wisp_json_get(doc, "phases"), *reject = wisp_json_get(doc, "reject");
	struct cJSON *machine;

	if (wisp_json_type(phases) != WISP_T_ARRAY)
		return NULL;
	machine = wisp_json_object();
	wisp_json_set(machine, "phases", wisp_json_copy(phases));
	wisp_json_set(machine, "reject", wisp_json_type(reject) == WISP_T_OBJECT ? wisp_json_copy(reject) : NULL);
	return machine;
}

struct cJSON *
wisp_template_tdd(void)
{
	static const struct { const char *name; int weight; } table[] = {
		{"RED", 10}, {"GREEN", 45}, {"REFACTOR", 15}, {"DOCUMENT", 15}, {"QA", 15}
	};
	struct cJSON *machine = wisp_json_object(), *phases = wisp_json_array_at(machine, "phases");

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct cJSON *p = wisp_json_object();

		wisp_json_set_str(p, "name", table[i].name);
		wisp_json_set_num(p, "weight", table[i].weight);
		wisp_json_set_num(p, "max_iterations", WISP_PHASE_ITERATIONS);
		wisp_json_push(phases, p);
	}
	wisp_json_set_null(machine, "reject");
	return machine;
}

const struct cJSON *
wisp_template_phase(const struct cJSON *machine, const char *name)
{
	for (const struct cJSON *p = wisp_json_first(wisp_json_get(machine, "phases")); p != NULL; p = wisp_json_next(p))
		if (strcmp(wisp_json_str(p, "name", ""), name) == 0)
			return p;
	return NULL;
}

/* --- installed templates ----------------------------------------------------- */

/* The folder BASE/PART/templates/NAME if it is there, else NULL. */
static char *
below(const char *base, const char *part, const char *name)
{
	char *dir = wisp_str("%s%s/templates/%s", base, part, name);

	if (wisp_file_exists(dir))
		return dir;
	free(dir);
	return NULL;
}

char *
wisp_template_installed(const char *name)
{
	/* Installed in PREFIX/bin or PREFIX/libexec/wisp/bin, or built in a folder of the source tree. */
	static const char *const parts[] = {"/../share/wisp", "/../../../share/wisp", "/.."};
	const char *share = getenv("WISP_SHARE");
	char *dir = NULL, *own;

	if (share != NULL && *share != '\0')
		return below(share, "", name);
	own = wisp_self_folder();
	for (size_t i = 0; own != NULL && dir == NULL && i < sizeof parts / sizeof *parts; i++)
		dir = below(own, parts[i], name);
	free(own);
	return dir;
}
