/*
 * loop_file: see loop_file.h.
 */
#include "loop_file.h"

static const struct wisp_field fields[] = {
	{"spec", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"criteria", WISP_T_ARRAY, 0, NULL, WISP_T_STRING},
	{"criteriaStatus", WISP_T_OBJECT, 0, NULL, WISP_T_NONE},
	{"steps", WISP_T_ARRAY, 0, NULL, WISP_T_STRING},
	{"completedSteps", WISP_T_ARRAY, 0, NULL, WISP_T_STRING},
	{"remainingSteps", WISP_T_ARRAY, 0, NULL, WISP_T_STRING},
	{"iteration", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	{"status", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"session_id", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"verify", WISP_T_OBJECT, 0, NULL, WISP_T_NONE},
	{"metadata", WISP_T_OBJECT, 0, NULL, WISP_T_NONE},
	{0}
};

/* A limit that is no number would be none. */
static const struct wisp_field meta_fields[] = {
	{"cost", WISP_T_NUMBER, 0, NULL, WISP_T_NONE},
	{"budget", WISP_T_NUMBER, 0, NULL, WISP_T_NONE},
	{"maxIterations", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	{0}
};

static int
check_members(const struct wisp_source *src, const struct cJSON *object, const char *key, enum wisp_type type,
	      struct wisp_err *err)
{
	const struct wisp_at up = {NULL, key, 0};

	for (const struct cJSON *m = wisp_json_first(wisp_json_get(object, key)); m != NULL; m = wisp_json_next(m)) {
		const struct wisp_at at = {&up, wisp_json_key(m), 0};

		if (wisp_json_type(m) != type)
			return wisp_schema_refuse(src, &at, err, "expected %s, not %s", wisp_type_name(type),
						  wisp_type_name(wisp_json_type(m)));
	}
	return 0;
}

int
wisp_loop_file_check(const struct wisp_source *src, const struct cJSON *doc, struct wisp_err *err)
{
	const struct cJSON *meta = wisp_json_get(doc, "metadata");
	const struct wisp_at at = {NULL, "metadata", 0};

	if (wisp_schema_check(src, NULL, doc, fields, NULL, err) != 0 ||
	    check_members(src, doc, "criteriaStatus", WISP_T_BOOL, err) != 0 ||
	    check_members(src, doc, "verify", WISP_T_STRING, err) != 0)
		return -1;
	return wisp_json_type(meta) != WISP_T_OBJECT ? 0 : wisp_schema_check(src, &at, meta, meta_fields, NULL, err);
}
