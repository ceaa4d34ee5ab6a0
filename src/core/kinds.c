/*
 * kinds: see kinds.h.
 */
#include "kinds.h"

#include <string.h>

#include "loop_file.h"
#include "orchestra.h"
#include "phase.h"
#include "session.h"
#include "state.h"
#include "tasks.h"
#include "time.h"

const struct wisp_kind wisp_kinds[] = {
	{"session", "session.json", "session", WISP_FILE_MAX},
	{"state", "state.json", NULL, WISP_STATE_MAX},
	{"tasks", "tasks.json", NULL, WISP_TASKS_MAX},
	{"history", "history.json", "history", WISP_FILE_MAX},
	{"loop", "loop-state.json", "phases", WISP_FILE_MAX},
	{"breaker", "breaker.json", "breaker", WISP_FILE_MAX},
	{"limits", "limits.json", "limits", WISP_FILE_MAX},
	{"response", "response.json", NULL, WISP_FILE_MAX},
	{0}
};

/* No file of a session's folder, and called as one of them. */
static const struct wisp_kind hook = {"hook", ".loop/state.json", NULL, WISP_FILE_MAX};

static const struct wisp_field history_entry[] = {
	{"iteration", WISP_T_NUMBER, WISP_REQUIRED | WISP_INTEGER, NULL, WISP_T_NONE},
	{"started_at", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"ended_at", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"outcome", WISP_T_STRING, 0,
	 "ok|limit|transient|auth|capped|refused|error|timeout|idle|interrupted|crashed|unstartable", WISP_T_NONE},
	{"state", WISP_T_STRING, 0, "valid|missing|empty|malformed|invalid|unreadable", WISP_T_NONE},
	{"status", WISP_T_STRING, 0, "CONTINUE|DONE|NEEDS_INPUT|BLOCKED", WISP_T_NONE},
	{"summary", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"tasks_passed", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	{"tasks_total", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	{"files", WISP_T_ARRAY, 0, NULL, WISP_T_STRING},
	{"progress", WISP_T_BOOL, 0, NULL, WISP_T_NONE},
	{"error", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"verify", WISP_T_STRING, 0, "passed|failed|skipped|none", WISP_T_NONE},
	{"cost_usd", WISP_T_NUMBER, 0, NULL, WISP_T_NONE},
	{"tampered", WISP_T_ARRAY, 0, NULL, WISP_T_STRING},
	{"note", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"observed", WISP_T_OBJECT, 0, NULL, WISP_T_NONE},
	{"claimed_differs", WISP_T_ARRAY, 0, NULL, WISP_T_STRING},
	{"tests", WISP_T_OBJECT, 0, NULL, WISP_T_NONE},
	{"protected", WISP_T_ARRAY, 0, NULL, WISP_T_STRING},
	{0}
};

static const struct wisp_field breaker[] = {
	{"state", WISP_T_STRING, WISP_REQUIRED, "CLOSED|HALF_OPEN|OPEN", WISP_T_NONE},
	{"no_progress_count", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	{"same_error_count", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	{"last_error_hash", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"last_progress_metric", WISP_T_OBJECT, 0, NULL, WISP_T_NONE},
	{"open_reason", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"opened_at", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{0}
};

static const struct wisp_field limits[] = {
	{"hourly", WISP_T_OBJECT, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"usage", WISP_T_OBJECT, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"overage", WISP_T_OBJECT, 0, NULL, WISP_T_NONE},
	{0}
};

static const struct wisp_field overage[] = {
	{"since", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"steps", WISP_T_NUMBER, WISP_REQUIRED | WISP_INTEGER, NULL, WISP_T_NONE},
	{0}
};

static const struct wisp_field hourly[] = {
	{"calls_made", WISP_T_NUMBER, WISP_REQUIRED | WISP_INTEGER, NULL, WISP_T_NONE},
	{"limit", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	{"next_reset", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{0}
};

static const struct wisp_field usage[] = {
	{"detected", WISP_T_BOOL, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"detected_at", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"resume_at", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"stated", WISP_T_BOOL, 0, NULL, WISP_T_NONE},
	{"waiting", WISP_T_BOOL, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"kind", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"waits", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	{0}
};

static const struct wisp_field response[] = {
	{"response", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{"question_id", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"choice", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"responded_at", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{0}
};

const struct wisp_kind *
wisp_kind_find(const char *word_or_path)
{
	const char *last = strrchr(word_or_path, '/'), *folder = last;

	while (folder != NULL && folder > word_or_path && folder[-1] != '/')
		folder--;
	if (folder != NULL && strcmp(folder, hook.file) == 0)
		return &hook;
	last = last == NULL ? word_or_path : last + 1;
	for (const struct wisp_kind *k = wisp_kinds; k->name != NULL; k++)
		if (strcmp(k->name, word_or_path) == 0 || strcmp(k->file, last) == 0)
			return k;
	return NULL;
}

static int
check_history(const struct wisp_source *src, const struct cJSON *doc, struct wisp_err *err)
{
	size_t i = 0;

	if (wisp_json_type(doc) != WISP_T_ARRAY)
		return wisp_schema_refuse(src, NULL, err, "expected an array");
	for (const struct cJSON *e = wisp_json_first(doc); e != NULL; e = wisp_json_next(e), i++) {
		struct wisp_at at = {NULL, NULL, i};

		if (wisp_schema_check(src, &at, e, history_entry, NULL, err) < 0)
			return -1;
	}
	return 0;
}

static int
check_limits(const struct wisp_source *src, const struct cJSON *doc, struct wisp_err *err)
{
	static const struct wisp_at in_hourly = {NULL, "hourly", 0}, in_usage = {NULL, "usage", 0},
				    in_overage = {NULL, "overage", 0};
	const struct cJSON *extra = wisp_json_get(doc, "overage");

	if (wisp_schema_check(src, NULL, doc, limits, NULL, err) < 0)
		return -1;
	if (wisp_schema_check(src, &in_hourly, wisp_json_get(doc, "hourly"), hourly, NULL, err) < 0)
		return -1;
	if (wisp_schema_check(src, &in_usage, wisp_json_get(doc, "usage"), usage, NULL, err) < 0)
		return -1;
	return extra == NULL ? 0 : wisp_schema_check(src, &in_overage, extra, overage, NULL, err);
}

static int
check_tasks(const struct wisp_source *src, struct wisp_err *err)
{
	struct wisp_tasks t = {0};
	enum wisp_verdict v = wisp_tasks_parse(&t, src->data, src->len, src->path, err);

	wisp_tasks_release(&t);
	return v == WISP_VALID ? 0 : -1;
}

int
wisp_kind_hold(const struct wisp_kind *kind, const struct wisp_source *src, const struct cJSON *doc, struct wisp_err *err)
{
	const char *name = kind->name;

	if (kind == &hook)
		return wisp_loop_file_check(src, doc, err);
	if (strcmp(name, "session") == 0)
		return wisp_session_check(src, doc, err);
	if (strcmp(name, "state") == 0)
		return wisp_state_check(src, doc, err);
	if (strcmp(name, "tasks") == 0)
		return check_tasks(src, err);
	if (strcmp(name, "history") == 0)
		return check_history(src, doc, err);
	if (strcmp(name, "limits") == 0)
		return check_limits(src, doc, err);
	if (strcmp(name, "breaker") == 0)
		return wisp_schema_check(src, NULL, doc, breaker, NULL, err);
	if (strcmp(name, "loop") == 0)
		return wisp_orchestra_is(doc) ? wisp_orchestra_check(src, doc, err) : wisp_phase_check(src, doc, NULL, err);
	/* A response may be a bare string. */
	return wisp_json_type(doc) == WISP_T_STRING ? 0 : wisp_schema_check(src, NULL, doc, response, NULL, err);
}

enum wisp_verdict
wisp_kind_read(const struct wisp_kind *kind, const char *path, struct wisp_buf *bytes, struct cJSON **doc,
	       struct wisp_err *err)
{
	struct wisp_source src = {.path = path, .name = kind != NULL ? kind->name : ""};
	enum wisp_verdict v = wisp_json_read_max(path, kind != NULL ? kind->max : WISP_FILE_MAX, bytes, doc, err);

	src.data = bytes->data;
	src.len = bytes->len;
	if (v == WISP_VALID && kind != NULL && wisp_kind_hold(kind, &src, *doc, err) < 0) {
		wisp_json_free(*doc);
		*doc = NULL;
		v = WISP_INVALID;
	}
	return v;
}
