/*
 * session: all sixteen moves of status, the schema, the sums.
 */
#include <math.h>

#include "core/session.h"
#include "unit.h"

static const char *const words[] = {"running", "paused", "completed", "halted"};

/* From the row, to the column. */
static const int legal[4][4] = {
	{0, 1, 1, 1},
	{1, 0, 0, 1},
	{0, 0, 0, 0},
	{1, 0, 0, 0},
};

static void
test_moves(void)
{
	for (int from = 0; from < 4; from++)
		for (int to = 0; to < 4; to++) {
			struct cJSON *s = wisp_session_new("b", "default", "replay");
			char *label = wisp_str("%s to %s", words[from], words[to]);
			bool moved;

			wisp_json_set_str(s, "status", words[from]);
			moved = wisp_session_move(s, words[to], "why") == 0;
			CHECK_INT(moved, legal[from][to], label);
			CHECK_STR(wisp_json_str(s, "status", ""), words[moved ? to : from], label);
			if (moved && to == 1)
				CHECK_STR(wisp_json_str(s, "pause_reason", NULL), "why", "a pause has its reason");
			if (moved && to == 3)
				CHECK_STR(wisp_json_str(s, "halt_reason", NULL), "why", "a halt has its reason");
			if (moved && to == 0)
				CHECK_STR(wisp_json_str(s, "pause_reason", NULL), NULL, "running has none");
			free(label);
			wisp_json_free(s);
		}
}

static const struct {
	const char *key, *value, *error;
} broken[] = {
	{"version", "2", "session.version: expected 1"},
	{"session_id", "\"x\"", "session.session_id: expected a UUID v4"},
	{"session_id", "\"a1b2c3d4-e5f6-1890-abcd-ef1234567890\"", "session.session_id: expected a UUID v4"},
	{"session_id", "\"a1b2c3d4-e5f6-4890-cbcd-ef1234567890\"", "session.session_id: expected a UUID v4"},
	{"branch", "null", "session.branch: expected a string, not null"},
	{"status", "\"done\"", "session.status: expected one of running|paused|completed|halted, not 'done'"},
	{"loop_count", "-1", "session.loop_count: expected a whole number from 0"},
	{"loop_count", "1.5", "session.loop_count: expected a whole number from 0"},
	{"started_at", "\"2026-01-16T10:00:00\"", "session.started_at: expected a time with a zone (ISO 8601)"},
	{"totals", "[]", "session.totals: expected an object, not an array"},
	{"totals", "{\"seconds\": \"1\"}", "session.totals.seconds: expected a number from 0"},
};

static void
test_schema(void)
{
	const struct wisp_source src = {.path = "f", .name = "session"};
	struct cJSON *s = wisp_session_new("b", "default", "replay");
	struct wisp_err err = WISP_ERR_INIT;

	CHECK_INT(wisp_session_check(&src, s, &err), 0, "a new session holds");
	wisp_json_free(s);
	for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
		s = wisp_session_new("b", "default", "replay");
		wisp_json_set(s, broken[i].key, wisp_json_parse(broken[i].value, strlen(broken[i].value), "v", NULL));
		CHECK_INT(wisp_session_check(&src, s, &err), -1, broken[i].key);
		CHECK_STR(err.text, broken[i].error, broken[i].value);
		wisp_err_release(&err);
		wisp_json_free(s);
	}
}

static void
test_totals(void)
{
	struct cJSON *s = wisp_session_new("b", "default", "replay");

	for (int i = 0; i < 10; i++)
		wisp_session_add(s, "cost_usd", 0.1);
	CHECK(wisp_session_total(s, "cost_usd") == 1.0, "ten dimes are a dollar, without binary dust");
	CHECK(wisp_session_total(s, "unknown") == 0, "what is not there is 0");
	wisp_json_free(s);
}

int
main(void)
{
	test_moves();
	test_schema();
	test_totals();
	CHECK_INT(wisp_millionths(20 - 19.3) == 0.7, true, "20 less 19.3 is 0.7");
	CHECK_INT(wisp_millionths(0.0018000000000000002) == 0.0018, true, "what an agent has added up");
	CHECK_INT(isnan(wisp_millionths(NAN)), true, "what is not known stays so");
	return unit_done();
}
