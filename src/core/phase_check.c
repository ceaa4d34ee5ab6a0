/*
 * phase_check: loop-state.json against 000_'s rules of validation.
 */
#include "phase.h"

#include <string.h>

#include "hash.h"
#include "session.h"
#include "template.h"
#include "time.h"

static const struct wisp_field fields[] = {
	{"session_id", WISP_T_STRING, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"prp_file", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{"started_at", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"current_phase", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{"current_iteration", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	{"green_model", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"last_activity", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"status", WISP_T_STRING, WISP_REQUIRED, WISP_SESSION_STATUS, WISP_T_NONE},
	{"halt_reason", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"pause_reason", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"paused_at", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"phases_completed", WISP_T_ARRAY, 0, NULL, WISP_T_STRING},
	{"phase_history", WISP_T_OBJECT, 0, NULL, WISP_T_NONE},
	{"error_history", WISP_T_ARRAY, 0, NULL, WISP_T_OBJECT},
	{"total_agent_calls", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	{"qa_attempts", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	{"consecutive_green_runs", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	{"last", WISP_T_OBJECT, 0, NULL, WISP_T_NONE},
	{"allowed", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	{0}
};

static const struct wisp_field past_fields[] = {
	{"started_at", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"completed_at", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"iterations", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	{"exit_reason", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"rejections", WISP_T_ARRAY, 0, NULL, WISP_T_OBJECT},
	{0}
};

static const struct wisp_field error_fields[] = {
	{"timestamp", WISP_T_STRING, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"phase", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"iteration", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	{"error", WISP_T_STRING, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"hash", WISP_T_STRING, WISP_REQUIRED, NULL, WISP_T_NONE},
	{0}
};

struct check {
	const struct wisp_source *src;
	const struct cJSON *machine;
	struct wisp_err *err;
};

/* Every time of an object that `keys` (ends with NULL) names, where it is there. */
static int
check_times(const struct check *c, const struct wisp_at *up, const struct cJSON *object, const char *const *keys)
{
	for (; *keys != NULL; keys++) {
		const char *time = wisp_json_str(object, *keys, NULL);
		const struct wisp_at at = {up, *keys, 0};

		if (time != NULL && wisp_time_parse(time) < 0)
			return wisp_schema_refuse(c->src, &at, c->err, "expected a time with a zone (ISO 8601), not '%s'", time);
	}
	return 0;
}

static int
check_range(const struct check *c, const struct wisp_at *up, const struct cJSON *object, const char *key, long long most)
{
	const struct wisp_at at = {up, key, 0};
	long long n = wisp_json_int(object, key, 0);

	if (n < 0)
		return wisp_schema_refuse(c->src, &at, c->err, "must not be below 0");
	return n > most ? wisp_schema_refuse(c->src, &at, c->err, "must not be above %lld", most) : 0;
}

/* RED|GREEN|... for messages, the names of the machine. */
static void
add_names(struct wisp_buf *b, const struct cJSON *machine)
{
	for (const struct cJSON *p = wisp_json_first(wisp_json_get(machine, "phases")); p != NULL; p = wisp_json_next(p))
		wisp_buf_printf(b, "%s%s", b->len > 0 ? "|" : "", wisp_json_str(p, "name", ""));
}

static int
check_name(const struct check *c, const struct wisp_at *at, const char *name)
{
	struct wisp_buf names = WISP_BUF_INIT;

	if (c->machine == NULL || wisp_template_phase(c->machine, name) != NULL)
		return 0;
	add_names(&names, c->machine);
	wisp_schema_refuse(c->src, at, c->err, "expected one of %s, not '%s'", names.len > 0 ? names.data : "", name);
	wisp_buf_release(&names);
	return -1;
}

static int
check_completed(const struct check *c, const struct cJSON *list)
{
	static const struct wisp_at completed = {NULL, "phases_completed", 0};
	struct wisp_at at = {&completed, NULL, 0};

	for (const struct cJSON *n = wisp_json_first(list); n != NULL; n = wisp_json_next(n), at.index++)
		if (check_name(c, &at, wisp_json_text(n, "")) != 0)
			return -1;
	return 0;
}

static int
check_history(const struct check *c, const struct cJSON *history)
{
	static const char *const times[] = {"started_at", "completed_at", NULL};
	static const struct wisp_at up = {NULL, "phase_history", 0};

	for (const struct cJSON *p = wisp_json_first(history); p != NULL; p = wisp_json_next(p)) {
		const struct wisp_at at = {&up, wisp_json_key(p), 0};

		if (check_name(c, &at, at.key) != 0 || wisp_schema_check(c->src, &at, p, past_fields, NULL, c->err) != 0 ||
		    check_times(c, &at, p, times) != 0 || check_range(c, &at, p, "iterations", (long long)WISP_JSON_EXACT) != 0)
			return -1;
	}
	return 0;
}

static bool
is_hash(const char *s)
{
	return strlen(s) == WISP_HASH_SIZE - 1 && strspn(s, "0123456789abcdefABCDEF") == WISP_HASH_SIZE - 1;
}

static int
check_errors(const struct check *c, const struct cJSON *errors)
{
	static const char *const times[] = {"timestamp", NULL};
	static const struct wisp_at up = {NULL, "error_history", 0};
	struct wisp_at at = {&up, NULL, 0}, error = {&at, "error", 0}, hash = {&at, "hash", 0};

	if (wisp_json_len(errors) > WISP_PHASE_ERRORS)
		return wisp_schema_refuse(c->src, &up, c->err, "expected at most %d errors, not %zu", WISP_PHASE_ERRORS,
					  wisp_json_len(errors));
	for (const struct cJSON *e = wisp_json_first(errors); e != NULL; e = wisp_json_next(e), at.index++) {
		const char *text = wisp_json_str(e, "error", "");

		if (wisp_schema_check(c->src, &at, e, error_fields, NULL, c->err) != 0 || check_times(c, &at, e, times) != 0 ||
		    check_range(c, &at, e, "iteration", (long long)WISP_JSON_EXACT) != 0)
			return -1;
		if (wisp_utf8_chars(text, strlen(text), WISP_PHASE_ERROR_MAX) < strlen(text))
			return wisp_schema_refuse(c->src, &error, c->err, "expected at most %d characters",
						  WISP_PHASE_ERROR_MAX);
		if (!is_hash(wisp_json_str(e, "hash", "")))
			return wisp_schema_refuse(c->src, &hash, c->err, "expected a SHA-256, 64 hex digits");
	}
	return 0;
}

int
wisp_phase_check(const struct wisp_source *src, const struct cJSON *loop, const struct cJSON *machine, struct wisp_err *err)
{
	static const char *const times[] = {"started_at", "last_activity", "paused_at", NULL};
	static const char *const counts[] = {"total_agent_calls", "qa_attempts", "consecutive_green_runs", "allowed"};
	static const struct wisp_at id = {NULL, "session_id", 0}, phase = {NULL, "current_phase", 0};
	const struct check c = {src, machine, err};

	if (wisp_schema_check(src, NULL, loop, fields, NULL, err) != 0)
		return -1;
	/* 000_ asks for version 4, and its own example is one of version 7. */
	if (!wisp_uuid_valid(wisp_json_str(loop, "session_id", ""), "47"))
		return wisp_schema_refuse(src, &id, err, "expected a UUID v4");
	if (check_name(&c, &phase, wisp_json_str(loop, "current_phase", "")) != 0 ||
	    check_range(&c, NULL, loop, "current_iteration", WISP_PHASE_COUNT_MAX) != 0 || check_times(&c, NULL, loop, times) != 0)
		return -1;
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		if (check_range(&c, NULL, loop, counts[i], (long long)WISP_JSON_EXACT) != 0)
			return -1;
	if (check_completed(&c, wisp_json_get(loop, "phases_completed")) != 0 ||
	    check_history(&c, wisp_json_get(loop, "phase_history")) != 0)
		return -1;
	return check_errors(&c, wisp_json_get(loop, "error_history"));
}
