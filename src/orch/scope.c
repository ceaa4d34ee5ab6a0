/*
 * scope: see scope.h. scope_render.c writes what is found for people.
 */
#include "scope.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/orchestra.h"
#include "core/place.h"
#include "core/tasks.h"

#define LEVELS "critical|high|medium|low"
#define NAME_MAX_LENGTH 40
#define HOURS_MAX 10000
#define TEXT_MAX 2000		/* bytes, likewise */

static const struct wisp_field found_fields[] = {
	{"gaps", WISP_T_ARRAY, WISP_REQUIRED, NULL, WISP_T_OBJECT},
	{"systems", WISP_T_ARRAY, WISP_REQUIRED, NULL, WISP_T_OBJECT},
	{"lessons", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{0}
};
static const struct wisp_field plan_fields[] = {
	{"systems", WISP_T_ARRAY, WISP_REQUIRED, NULL, WISP_T_OBJECT},
	{0}
};
static const struct wisp_field gap_fields[] = {
	{"category", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{"severity", WISP_T_STRING, WISP_REQUIRED, LEVELS, WISP_T_NONE},
	{"description", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{0}
};
static const struct wisp_field system_fields[] = {
	{"name", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{"type", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{"priority", WISP_T_STRING, WISP_REQUIRED, LEVELS, WISP_T_NONE},
	{"parallelizable", WISP_T_BOOL, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"depends_on", WISP_T_ARRAY, 0, NULL, WISP_T_STRING},
	{"estimatedHours", WISP_T_NUMBER, 0, NULL, WISP_T_NONE},
	{"description", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"tasks", WISP_T_ARRAY, 0, NULL, WISP_T_OBJECT},
	{0}
};
static const struct wisp_field planned_fields[] = {
	{"name", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{"tasks", WISP_T_ARRAY, WISP_REQUIRED, NULL, WISP_T_OBJECT},
	{0}
};

struct check {
	const struct wisp_source *src;
	const struct wisp_scope_facts *f;
	enum wisp_scope scope;
	struct wisp_err *err;
	const struct cJSON *systems;	/* of the document */
};

static const struct wisp_at in_systems = {NULL, "systems", 0};

const char *
wisp_scope_file(enum wisp_scope scope)
{
	static const char *const files[] = {"discovery.json", "plan.json", "retrospect.json"};

	return files[scope];
}

/* The system of that name; NULL. */
static const struct cJSON *
find(const struct cJSON *systems, const char *name)
{
	const struct cJSON *s = wisp_json_first(systems);

	while (s != NULL && strcmp(wisp_json_str(s, "name", ""), name) != 0)
		s = wisp_json_next(s);
	return s;
}

static const struct cJSON *
known(const struct check *c)
{
	return wisp_json_get(wisp_json_get(c->f->state, "scopeDiscovery"), "systems");
}

/* The texts that are kept are none too long. */
static int
check_texts(const struct check *c, const struct wisp_at *at, const struct cJSON *object)
{
	static const char *const keys[] = {"category", "type", "description"};

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const struct wisp_at text_at = {at, keys[i], 0};
		size_t len = strlen(wisp_json_str(object, keys[i], ""));

		if (len > TEXT_MAX)
			return wisp_schema_refuse(c->src, &text_at, c->err, "expected at most %d bytes, not %zu", TEXT_MAX, len);
	}
	return 0;
}

/* It becomes part of a branch's name, and of a file's. */
static int
check_name(const struct check *c, const struct wisp_at *at, const struct cJSON *system)
{
	const struct wisp_at name_at = {at, "name", 0};
	const char *name = wisp_json_str(system, "name", "");
	bool ok = strlen(name) <= NAME_MAX_LENGTH && name[0] != '-' && name[strlen(name) - 1] != '-' && strstr(name, "--") == NULL &&
		  strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(name);
	char *branch;

	if (ok) {
		branch = wisp_str("%s-%s", c->f->branch, name);
		ok = wisp_branch_ok(branch);
		free(branch);
	}
	if (!ok)
		return wisp_schema_refuse(c->src, &name_at, c->err,
					  "expected lower case letters, digits and single dashes between them, at most %d, not '%s'",
					  NAME_MAX_LENGTH, name);
	if (find(c->systems, name) != system)
		return wisp_schema_refuse(c->src, &name_at, c->err, "'%s' is there twice", name);
	if (c->scope == WISP_RETROSPECT && find(known(c), name) != NULL)
		return wisp_schema_refuse(c->src, &name_at, c->err,
					  "'%s' was there in this orchestration: what is new needs a name of its own, and what failed is tried again by itself", name);
	return 0;
}

static bool
named_before(const struct cJSON *need, const struct cJSON *list)
{
	const struct cJSON *n = wisp_json_first(list);

	while (n != need && strcmp(wisp_json_text(n, ""), wisp_json_text(need, "")) != 0)
		n = wisp_json_next(n);
	return n != need;
}

static int
check_needs(const struct check *c, const struct wisp_at *at, const struct cJSON *system)
{
	const struct wisp_at list = {at, "depends_on", 0};
	struct wisp_at need = {&list, NULL, 0};

	for (const struct cJSON *n = wisp_json_first(wisp_json_get(system, "depends_on")); n != NULL; n = wisp_json_next(n), need.index++) {
		const char *name = wisp_json_text(n, "");

		if (find(c->systems, name) == system)
			return wisp_schema_refuse(c->src, &need, c->err, "'%s' cannot depend on itself", name);
		if (named_before(n, wisp_json_get(system, "depends_on")))
			return wisp_schema_refuse(c->src, &need, c->err, "'%s' is there twice", name);
		if (find(c->systems, name) == NULL && (c->scope == WISP_DISCOVER || find(known(c), name) == NULL))
			return wisp_schema_refuse(c->src, &need, c->err, "there is no system '%s'", name);
	}
	return 0;
}

static int
check_rings(const struct check *c)
{
	struct wisp_at at = {&in_systems, NULL, 0}, list = {&at, "depends_on", 0};
	struct wisp_buf ring = WISP_BUF_INIT;
	int rc = 0;

	if (wisp_scope_ring(c->systems, &ring, &at.index))
		rc = wisp_schema_refuse(c->src, &list, c->err, "they depend on each other in a ring: %s", ring.data);
	wisp_buf_release(&ring);
	return rc;
}

/* As it would stand in tasks.json. */
static int
check_tasks(const struct check *c, const struct wisp_at *at, const struct cJSON *system)
{
	const struct wisp_at tasks_at = {at, "tasks", 0};
	const struct cJSON *list = wisp_json_get(system, "tasks");
	struct wisp_buf text = WISP_BUF_INIT;
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_tasks t = {0};
	int rc = 0;

	if (wisp_json_len(list) == 0)
		return wisp_schema_refuse(c->src, &tasks_at, c->err, "expected at least one task");
	wisp_json_print(&text, list);
	if (wisp_tasks_parse(&t, text.data, text.len, NULL, &err) != WISP_VALID)
		rc = wisp_schema_refuse(c->src, &tasks_at, c->err, "%s", err.text);
	else if (t.passed > 0)
		rc = wisp_schema_refuse(c->src, &tasks_at, c->err, "a task passes already: what is there needs none");
	wisp_tasks_release(&t);
	wisp_err_release(&err);
	wisp_buf_release(&text);
	return rc;
}

static int
check_system(const struct check *c, const struct wisp_at *at, const struct cJSON *system)
{
	const struct wisp_at hours_at = {at, "estimatedHours", 0};
	double hours = wisp_json_num(system, "estimatedHours", 1);	/* none is as good */

	if (wisp_schema_check(c->src, at, system, system_fields, NULL, c->err) != 0 || check_texts(c, at, system) != 0 ||
	    check_name(c, at, system) != 0 || check_needs(c, at, system) != 0)
		return -1;
	if (!(hours > 0 && hours <= HOURS_MAX))
		return wisp_schema_refuse(c->src, &hours_at, c->err, "expected hours above 0, at most %d", HOURS_MAX);
	return c->scope == WISP_RETROSPECT ? check_tasks(c, at, system) : 0;
}

/* Is a system left that is tried again? Its gaps need no other one. */
static bool
any_open(const struct check *c)
{
	const struct cJSON *s = wisp_json_first(known(c));

	while (s != NULL && wisp_orchestra_completed(c->f->state, wisp_json_str(s, "name", "")))
		s = wisp_json_next(s);
	return s != NULL;
}

static int
check_found(const struct check *c, const struct cJSON *doc)
{
	static const struct wisp_at in_gaps = {NULL, "gaps", 0};
	struct wisp_at at = {&in_gaps, NULL, 0};
	size_t gaps = wisp_json_len(wisp_json_get(doc, "gaps"));

	if (gaps > WISP_GAPS_MAX)
		return wisp_schema_refuse(c->src, &in_gaps, c->err, "expected at most %d gaps, not %zu: join them", WISP_GAPS_MAX, gaps);
	for (const struct cJSON *g = wisp_json_first(wisp_json_get(doc, "gaps")); g != NULL; g = wisp_json_next(g), at.index++)
		if (wisp_schema_check(c->src, &at, g, gap_fields, NULL, c->err) != 0 || check_texts(c, &at, g) != 0)
			return -1;
	if (gaps > 0 && wisp_json_len(c->systems) == 0 && (c->scope == WISP_DISCOVER || !any_open(c)))
		return wisp_schema_refuse(c->src, &in_systems, c->err, "there are %zu gaps, and no system to close them in", gaps);
	if (wisp_json_len(c->systems) > (size_t)c->f->most)
		return wisp_schema_refuse(c->src, &in_systems, c->err, "expected at most %lld systems, not %zu", c->f->most,
					  wisp_json_len(c->systems));
	at = (struct wisp_at){&in_systems, NULL, 0};
	for (const struct cJSON *s = wisp_json_first(c->systems); s != NULL; s = wisp_json_next(s), at.index++)
		if (check_system(c, &at, s) != 0)
			return -1;
	return check_rings(c);
}

static int
check_plan(const struct check *c)
{
	struct wisp_at at = {&in_systems, NULL, 0}, name_at = {&at, "name", 0};

	for (const struct cJSON *s = wisp_json_first(c->systems); s != NULL; s = wisp_json_next(s), at.index++) {
		const char *name = wisp_json_str(s, "name", "");

		if (wisp_schema_check(c->src, &at, s, planned_fields, NULL, c->err) != 0)
			return -1;
		if (find(known(c), name) == NULL)
			return wisp_schema_refuse(c->src, &name_at, c->err, "there is no system '%s'", name);
		if (find(c->systems, name) != s)
			return wisp_schema_refuse(c->src, &name_at, c->err, "'%s' is there twice", name);
		if (check_tasks(c, &at, s) != 0)
			return -1;
	}
	for (const struct cJSON *s = wisp_json_first(known(c)); s != NULL; s = wisp_json_next(s))
		if (find(c->systems, wisp_json_str(s, "name", "")) == NULL)
			return wisp_schema_refuse(c->src, &in_systems, c->err, "the system '%s' is missing", wisp_json_str(s, "name", ""));
	return 0;
}

int
wisp_scope_check(const struct wisp_source *src, enum wisp_scope scope, const struct cJSON *doc,
		 const struct wisp_scope_facts *f, struct wisp_err *err)
{
	const struct check c = {src, f, scope, err, wisp_json_get(doc, "systems")};

	if (wisp_schema_check(src, NULL, doc, scope == WISP_DECOMPOSE ? plan_fields : found_fields, NULL, err) != 0)
		return -1;
	return scope == WISP_DECOMPOSE ? check_plan(&c) : check_found(&c, doc);
}
