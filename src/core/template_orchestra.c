/*
 * template_orchestra: the member `orchestrator` of a template's loop.json: how often the
 * orchestrator tries, and the table by which it tells what kind of project it is in.
 */
#include "template.h"

#include <math.h>

#include "schema.h"

#define LIMIT_MAX 1000
#define WEIGHT_MAX 1000

static const struct wisp_field fields[] = {
	{"limits", WISP_T_OBJECT, 0, NULL, WISP_T_NONE},
	{"detect", WISP_T_ARRAY, 0, NULL, WISP_T_OBJECT},
	{0}
};

/* With the least that each may be. */
static const struct { const char *name; int least; } limits[] = {
	{"systems", 1}, {"loops", 1}, {"restarts", 0}, {"back", 0}, {"invalid", 0}
};

static const struct wisp_field row_fields[] = {
	{"fact", WISP_T_STRING, WISP_REQUIRED, WISP_FACT_NAMES, WISP_T_NONE},
	{"min", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	{"max", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	{"and", WISP_T_OBJECT, 0, NULL, WISP_T_NONE},
	{"category", WISP_T_STRING, WISP_REQUIRED, WISP_FACT_CATEGORIES, WISP_T_NONE},
	{"signal", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{"weight", WISP_T_NUMBER, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"mode", WISP_T_STRING, WISP_REQUIRED, WISP_FACT_MODES, WISP_T_NONE},
	{0}
};
static const struct wisp_field and_fields[] = {
	{"fact", WISP_T_STRING, WISP_REQUIRED, WISP_FACT_NAMES, WISP_T_NONE},
	{"min", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	{"max", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	{0}
};

static const struct wisp_at in_orchestrator = {NULL, "orchestrator", 0};

static int
check_limits(const struct wisp_source *src, const struct cJSON *object, struct wisp_err *err)
{
	static const struct wisp_at in_limits = {&in_orchestrator, "limits", 0};

	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		const struct wisp_at at = {&in_limits, limits[i].name, 0};
		const struct cJSON *v = wisp_json_get(object, limits[i].name);
		double n = wisp_json_number(v, -1);

		if (wisp_json_type(v) == WISP_T_NONE || wisp_json_type(v) == WISP_T_NULL)
			continue;
		if (!(n >= limits[i].least && n <= LIMIT_MAX) || n != floor(n))
			return wisp_schema_refuse(src, &at, err, "expected a whole number from %d to %d", limits[i].least, LIMIT_MAX);
	}
	return 0;
}

/* A row, or its `and`: its members, and some number lies between min and max. */
static int
check_range(const struct wisp_source *src, const struct wisp_at *at, const struct cJSON *object,
	    const struct wisp_field *known, struct wisp_err *err)
{
	if (wisp_schema_check(src, at, object, known, NULL, err) != 0)
		return -1;
	if (wisp_json_num(object, "min", 0) > wisp_json_num(object, "max", INFINITY))
		return wisp_schema_refuse(src, at, err, "no number is as much as min, %.10g, and no more than max, %.10g",
					  wisp_json_num(object, "min", 0), wisp_json_num(object, "max", 0));
	return 0;
}

static int
check_row(const struct wisp_source *src, const struct wisp_at *at, const struct cJSON *row, struct wisp_err *err)
{
	const struct wisp_at and_at = {at, "and", 0}, weight_at = {at, "weight", 0}, signal_at = {at, "signal", 0};
	const struct cJSON *and = wisp_json_get(row, "and");
	double weight = wisp_json_num(row, "weight", 0);

	if (check_range(src, at, row, row_fields, err) != 0)
		return -1;
	if (wisp_json_type(and) == WISP_T_OBJECT && check_range(src, &and_at, and, and_fields, err) != 0)
		return -1;
	if (!(weight > 0 && weight <= WEIGHT_MAX))
		return wisp_schema_refuse(src, &weight_at, err, "expected a number above 0, at most %d", WEIGHT_MAX);
	for (const char *p = wisp_json_str(row, "signal", ""); *p != '\0'; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			return wisp_schema_refuse(src, &signal_at, err, "must not hold a control character");
	return 0;
}

int
wisp_template_orchestra_check(const struct wisp_source *src, const struct cJSON *doc, struct wisp_err *err)
{
	static const struct wisp_at in_detect = {&in_orchestrator, "detect", 0};
	const struct cJSON *object = wisp_json_get(doc, "orchestrator"), *table;
	struct wisp_at at = {&in_detect, NULL, 0};

	if (wisp_json_type(object) != WISP_T_OBJECT)
		return 0;
	if (wisp_schema_check(src, &in_orchestrator, object, fields, NULL, err) != 0 ||
	    check_limits(src, wisp_json_get(object, "limits"), err) != 0)
		return -1;
	table = wisp_json_get(object, "detect");
	if (wisp_json_type(table) == WISP_T_ARRAY && wisp_json_len(table) == 0)
		return wisp_schema_refuse(src, &in_detect, err, "expected at least one row");
	for (const struct cJSON *row = wisp_json_first(table); row != NULL; row = wisp_json_next(row), at.index++)
		if (check_row(src, &at, row, err) != 0)
			return -1;
	return 0;
}
