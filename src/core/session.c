/*
 * session: see session.h.
 */
#include "session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "time.h"

static const struct wisp_field fields[] = {
	{"version", WISP_T_NUMBER, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"session_id", WISP_T_STRING, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"branch", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{"template", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"agent", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"spec", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"base", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"base_branch", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"worktree", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"started_at", WISP_T_STRING, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"last_activity", WISP_T_STRING, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"loop_count", WISP_T_NUMBER, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"status", WISP_T_STRING, WISP_REQUIRED, WISP_SESSION_STATUS, WISP_T_NONE},
	{"pause_reason", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"halt_reason", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"state_status", WISP_T_STRING, 0, "BLOCKED", WISP_T_NONE},
	{"totals", WISP_T_OBJECT, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"owner", WISP_T_OBJECT, 0, NULL, WISP_T_NONE},
	{"paused_at", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{0}
};

/* The smaller one of other tools, told by its lack of a version. */
static const struct wisp_field small[] = {
	{"session_id", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{"branch", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{"started_at", WISP_T_STRING, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"loop_count", WISP_T_NUMBER, WISP_REQUIRED, NULL, WISP_T_NONE},
	{0}
};

struct cJSON *
wisp_session_new(const char *branch, const char *template, const char *agent)
{
	static const char *const empty[] = {"spec", "base", "base_branch", "worktree"};
	static const char *const totals[] = {"agent_calls", "seconds", "cost_usd", "input_tokens", "output_tokens"};
	struct cJSON *s = wisp_json_object(), *t;
	char id[WISP_UUID_SIZE];
	char *now = wisp_time_iso(wisp_time_now());

	wisp_uuid(id);
	wisp_json_set_num(s, "version", 1);
	wisp_json_set_str(s, "session_id", id);
	wisp_json_set_str(s, "branch", branch);
	wisp_json_set_str(s, "template", template);
	wisp_json_set_str(s, "agent", agent);
	for (size_t i = 0; i < sizeof empty / sizeof *empty; i++)
		wisp_json_set_null(s, empty[i]);
	wisp_json_set_str(s, "started_at", now);
	wisp_json_set_str(s, "last_activity", now);
	wisp_json_set_num(s, "loop_count", 0);
	wisp_json_set_str(s, "status", "paused");
	wisp_json_set_null(s, "pause_reason");
	wisp_json_set_null(s, "halt_reason");
	t = wisp_json_object_at(s, "totals");
	for (size_t i = 0; i < sizeof totals / sizeof *totals; i++)
		wisp_json_set_num(t, totals[i], 0);
	wisp_json_set_null(s, "owner");
	wisp_json_set_null(s, "paused_at");
	free(now);
	return s;
}

/* The legal moves of session.h; NULL for a word that is no status. */
static const char *
moves_from(const char *status)
{
	static const char *const table[][2] = {
		{"running", "paused|completed|halted"},
		{"paused", "running|halted"},
		{"halted", "running"},
		{"completed", ""},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (strcmp(table[i][0], status) == 0)
			return table[i][1];
	return NULL;
}

int
wisp_session_move(struct cJSON *session, const char *status, const char *reason)
{
	const char *legal = moves_from(wisp_json_str(session, "status", ""));

	if (moves_from(status) == NULL || legal == NULL || wisp_words_find(legal, status) < 0)
		return 1;
	wisp_session_put(session, status, reason);
	return 0;
}

void
wisp_session_put(struct cJSON *session, const char *status, const char *reason)
{
	char *now = wisp_time_iso(wisp_time_now());

	wisp_json_set_str(session, "status", status);
	/* For scripts that ask for an agent's status: a loop that was stopped is blocked, whatever its agent said last. */
	if (strcmp(status, "halted") == 0 && wisp_json_get(session, "totals") != NULL)
		wisp_json_set_str(session, "state_status", "BLOCKED");
	else
		wisp_json_drop(session, "state_status");
	wisp_json_set_str(session, "pause_reason", strcmp(status, "paused") == 0 ? reason : NULL);
	wisp_json_set_str(session, "halt_reason", strcmp(status, "halted") == 0 ? reason : NULL);
	wisp_json_set_str(session, "paused_at", strcmp(status, "paused") == 0 ? now : NULL);
	wisp_json_set_str(session, "last_activity", now);
	free(now);
}

static int
check_totals(const struct wisp_source *src, const struct cJSON *totals, struct wisp_err *err)
{
	static const struct wisp_at in_totals = {NULL, "totals", 0};

	for (const struct cJSON *t = wisp_json_first(totals); t != NULL; t = wisp_json_next(t)) {
		struct wisp_at at = {&in_totals, wisp_json_key(t), 0};

		if (wisp_json_number(t, -1) < 0)
			return wisp_schema_refuse(src, &at, err, "expected a number from 0");
	}
	return 0;
}

int
wisp_session_check(const struct wisp_source *src, const struct cJSON *session, struct wisp_err *err)
{
	static const struct wisp_at version = {NULL, "version", 0}, id = {NULL, "session_id", 0},
				    count = {NULL, "loop_count", 0};
	static const char *const times[] = {"started_at", "last_activity"};
	bool whole = wisp_json_type(session) != WISP_T_OBJECT || wisp_json_get(session, "version") != NULL;

	if (wisp_schema_check(src, NULL, session, whole ? fields : small, NULL, err) != 0)
		return -1;
	if (whole && wisp_json_int(session, "version", 0) != 1)
		return wisp_schema_refuse(src, &version, err, "expected 1");
	if (whole && !wisp_uuid_valid(wisp_json_str(session, "session_id", ""), "4"))
		return wisp_schema_refuse(src, &id, err, "expected a UUID v4");
	if (wisp_json_int(session, "loop_count", -1) < 0)
		return wisp_schema_refuse(src, &count, err, "expected a whole number from 0");
	for (size_t i = 0; i < (whole ? sizeof times / sizeof *times : 1); i++) {
		struct wisp_at at = {NULL, times[i], 0};

		if (wisp_time_parse(wisp_json_str(session, times[i], "")) < 0)
			return wisp_schema_refuse(src, &at, err, "expected a time with a zone (ISO 8601)");
	}
	return check_totals(src, wisp_json_get(session, "totals"), err);
}

struct cJSON *
wisp_session_whole(struct cJSON *session)
{
	struct cJSON *whole;

	if (wisp_json_get(session, "version") != NULL)
		return session;
	whole = wisp_session_new("", NULL, NULL);
	wisp_json_set_str(whole, "last_activity", wisp_json_str(session, "started_at", NULL));
	for (const struct cJSON *m = wisp_json_first(session); m != NULL; m = wisp_json_next(m))
		if (strcmp(wisp_json_key(m), "session_id") != 0 || wisp_uuid_valid(wisp_json_text(m, ""), "4"))
			wisp_json_set(whole, wisp_json_key(m), wisp_json_copy(m));
	wisp_json_free(session);
	return whole;
}

double
wisp_millionths(double amount)
{
	return floor(amount * 1e6 + 0.5) / 1e6;
}

void
wisp_session_add(struct cJSON *session, const char *total, double amount)
{
	struct cJSON *totals = wisp_json_object_at(session, "totals");
	double sum = wisp_json_num(totals, total, 0) + amount;

	wisp_json_set_num(totals, total, wisp_millionths(sum));
}

double
wisp_session_total(const struct cJSON *session, const char *total)
{
	return wisp_json_num(wisp_json_get(session, "totals"), total, 0);
}
