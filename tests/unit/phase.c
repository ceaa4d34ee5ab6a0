/*
 * phase: the moves of a loop state, step by step, and what a loop-state.json must
 * hold to be one. The filters are in phase_gates.c.
 */
#include "core/hash.h"
#include "core/phase.h"
#include "core/template.h"
#include "parse.h"
#include "unit.h"

#define ID "a1b2c3d4-e5f6-4890-abcd-ef1234567890"
#define HASH "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

static char *
text_of(const struct cJSON *v)
{
	struct wisp_buf b = WISP_BUF_INIT;

	if (v == NULL)
		return wisp_strdup("absent");
	wisp_json_print_compact(&b, v);
	return wisp_buf_detach(&b);
}

#define CHECK_JSON(v, want, label) CHECK_OWN(text_of(v), want, label)

/* RED to QA, where QA may go back to GREEN. */
static struct cJSON *
machine(void)
{
	struct cJSON *m = wisp_template_tdd();

	wisp_json_set(m, "reject", parse("{\"phase\": \"QA\", \"goto\": \"GREEN\", \"when\": \"true\", \"max\": 3}"));
	wisp_json_set_num(wisp_json_next(wisp_json_first(wisp_json_get(m, "phases"))), "max_iterations", 3);
	return m;
}

static const struct cJSON *
past(const struct cJSON *loop, const char *phase, const char *key)
{
	return wisp_json_get(wisp_json_get(wisp_json_get(loop, "phase_history"), phase), key);
}

static void
begins(void)
{
	struct cJSON *m = machine(), *loop = wisp_phase_new(m, ID, "docs/prp.md"), *bare = wisp_phase_new(m, ID, NULL);
	const struct wisp_source src = {.path = "x", .name = "loop"};
	struct wisp_err err = WISP_ERR_INIT;

	CHECK_JSON(loop, "{\"session_id\":\"" ID "\",\"prp_file\":\"docs/prp.md\",\"started_at\":\"2026-01-16T10:00:00+00:00\","
		   "\"current_phase\":\"RED\",\"current_iteration\":0,\"last_activity\":\"2026-01-16T10:00:00+00:00\","
		   "\"status\":\"running\",\"green_model\":null,\"halt_reason\":null,\"pause_reason\":null,\"paused_at\":null,"
		   "\"phases_completed\":[],\"phase_history\":{\"RED\":{\"started_at\":\"2026-01-16T10:00:00+00:00\","
		   "\"completed_at\":null,\"iterations\":0}},\"error_history\":[],\"total_agent_calls\":0,\"qa_attempts\":0,"
		   "\"consecutive_green_runs\":0,\"last\":{},\"allowed\":10}", "a new one");
	CHECK_INT(wisp_phase_check(&src, loop, m, &err), 0, "it holds");
	CHECK_STR(wisp_json_str(bare, "prp_file", NULL), "none", "without a PRP");
	CHECK_INT(wisp_phase_check(&src, bare, m, &err), 0, "it holds too");
	wisp_json_free(m);
	wisp_json_free(loop);
	wisp_json_free(bare);
}

/* One iteration, judged as far as counters go. */
static void
iterate(struct cJSON *loop, const char *metrics)
{
	struct cJSON *claimed = parse(metrics);

	wisp_phase_count(loop, wisp_phase_green(claimed));
	wisp_phase_keep(loop, claimed);
	wisp_json_free(claimed);
}

static const char green[] = "{\"tests_total\":2,\"tests_passing\":2,\"tests_failing\":0}";

/* From RED to the first iteration of QA. */
static void
walk_to_review(const struct cJSON *m, struct cJSON *loop)
{
	iterate(loop, "{}");
	iterate(loop, "{\"tests_generated\":2}");
	CHECK_INT(wisp_json_int(loop, "current_iteration", 0), 2, "two iterations");
	CHECK_JSON(wisp_json_get(loop, "last"), "{\"tests_generated\":2}", "  the metrics of the last");
	CHECK_INT(wisp_phase_percent(m, loop), 2, "  percent");
	setenv("WISP_NOW", "1768557900000", 1);
	CHECK(wisp_phase_pass(m, loop, "Dual-Gate satisfied"), "RED is complete");
	CHECK_JSON(wisp_json_get(wisp_json_get(loop, "phase_history"), "RED"),
		   "{\"started_at\":\"2026-01-16T10:00:00+00:00\",\"completed_at\":\"2026-01-16T10:05:00+00:00\",\"iterations\":2,"
		   "\"exit_reason\":\"Dual-Gate satisfied\"}", "  its history");
	CHECK_STR(wisp_json_str(loop, "current_phase", ""), "GREEN", "  GREEN is next");
	CHECK_STR(wisp_json_str(loop, "last_activity", ""), "2026-01-16T10:05:00+00:00", "  now");
	CHECK_INT(wisp_json_int(loop, "current_iteration", -1), 0, "  from 0");
	CHECK_JSON(wisp_json_get(loop, "last"), "{}", "  nothing is behind it");
	CHECK_INT(wisp_json_int(loop, "allowed", 0), 3, "  with iterations of its own");
	iterate(loop, green);
	iterate(loop, green);
	CHECK_INT(wisp_json_int(loop, "consecutive_green_runs", 0), 2, "green twice");
	iterate(loop, "{\"tests_total\":2,\"tests_passing\":1,\"tests_failing\":1}");
	CHECK_INT(wisp_json_int(loop, "consecutive_green_runs", -1), 0, "  and not any more");
	CHECK(!wisp_phase_allowed(m, loop), "its iterations are used");
	wisp_phase_grant(m, loop);
	CHECK(wisp_phase_allowed(m, loop), "  until a person grants more");
	wisp_phase_grant(m, loop);
	CHECK_INT(wisp_json_int(loop, "allowed", 0), 6, "  once, however often they ask");
	iterate(loop, green);
	CHECK(wisp_phase_pass(m, loop, "x") && wisp_phase_pass(m, loop, "x") && wisp_phase_pass(m, loop, "x"), "as far as QA");
	CHECK_STR(wisp_json_str(loop, "current_phase", ""), "QA", "  this is it");
	CHECK_INT(wisp_json_int(loop, "consecutive_green_runs", -1), 0, "  nothing was green in it");
	CHECK_INT(wisp_phase_percent(m, loop), 85, "  percent");
	iterate(loop, "{\"verdict\":\"REJECT\"}");
}

/* The whole way with two REJECTs, as 003_ draws it. */
static void
walks(void)
{
	struct cJSON *m = machine(), *loop = wisp_phase_new(m, ID, NULL);

	walk_to_review(m, loop);
	wisp_phase_reject(m, loop, "too\nslow");
	CHECK_STR(wisp_json_str(loop, "current_phase", ""), "GREEN", "QA sends back to GREEN");
	CHECK_JSON(wisp_json_get(loop, "phases_completed"), "[\"RED\",\"REFACTOR\",\"DOCUMENT\"]", "  which is not complete any more");
	CHECK_JSON(wisp_json_get(wisp_json_get(loop, "phase_history"), "QA"),
		   "{\"started_at\":\"2026-01-16T10:05:00+00:00\",\"completed_at\":null,\"iterations\":1,\"rejections\":"
		   "[{\"at\":\"2026-01-16T10:05:00+00:00\",\"reason\":\"too slow\"}],\"exit_reason\":\"too slow\"}", "  the reason is noted");
	CHECK_JSON(past(loop, "GREEN", "completed_at"), "null", "  GREEN is open");
	CHECK_JSON(past(loop, "GREEN", "exit_reason"), "absent", "  GREEN has not ended");
	CHECK_JSON(past(loop, "GREEN", "iterations"), "4", "  GREEN had 4 iterations");
	CHECK_INT(wisp_json_int(loop, "qa_attempts", 0), 1, "  one attempt");
	CHECK_INT(wisp_json_int(loop, "allowed", 0), 3, "  with iterations of its own again");
	iterate(loop, green);
	CHECK_JSON(past(loop, "GREEN", "iterations"), "5", "  and one more");
	CHECK(wisp_phase_pass(m, loop, "x"), "GREEN once more");
	CHECK_STR(wisp_json_str(loop, "current_phase", ""), "QA", "  then QA, what lies between is complete");
	CHECK_INT(wisp_json_int(loop, "qa_attempts", 0), 1, "  GREEN does not reset the attempts");
	CHECK_JSON(past(loop, "QA", "exit_reason"), "absent", "  QA is open again");
	wisp_phase_reject(m, loop, NULL);
	CHECK_INT(wisp_json_int(loop, "qa_attempts", 0), 2, "  two attempts");
	CHECK_INT(wisp_json_len(past(loop, "QA", "rejections")), 2, "  two reasons");
	CHECK(wisp_phase_pass(m, loop, "x"), "GREEN a third time");
	CHECK(!wisp_phase_pass(m, loop, "approved"), "QA approves, and nothing is left");
	CHECK_INT(wisp_json_int(loop, "qa_attempts", -1), 0, "  APPROVE resets the attempts");
	CHECK_STR(wisp_json_str(loop, "status", ""), "completed", "  completed");
	CHECK_JSON(wisp_json_get(loop, "phases_completed"), "[\"RED\",\"REFACTOR\",\"DOCUMENT\",\"GREEN\",\"QA\"]", "  all of them");
	CHECK_INT(wisp_phase_percent(m, loop), 100, "  percent");
	CHECK_INT(wisp_json_int(loop, "total_agent_calls", 0), 8, "  calls of the agent");
	setenv("WISP_NOW", "1768557600000", 1);
	wisp_json_free(m);
	wisp_json_free(loop);
}

static void
bounds(void)
{
	struct cJSON *m = machine(), *loop = wisp_phase_new(m, ID, NULL);

	for (int i = 0; i < 12; i++)
		wisp_phase_reject(m, loop, "again");
	CHECK_INT(wisp_json_len(past(loop, "QA", "rejections")), 10, "10 rejections are kept");
	for (int i = 0; i < 120; i++)
		wisp_phase_count(loop, true);
	CHECK_INT(wisp_json_int(loop, "current_iteration", 0), 100, "an iteration is at most 100");
	CHECK_JSON(past(loop, "GREEN", "iterations"), "120", "  its history tells of all");
	wisp_phase_grant(m, loop);
	CHECK_INT(wisp_json_int(loop, "allowed", 0), 100, "no more than that is granted");
	CHECK(!wisp_phase_allowed(m, loop), "  and so it ends");
	wisp_json_drop(loop, "allowed");
	wisp_json_set_num(loop, "current_iteration", 2);
	CHECK(wisp_phase_allowed(m, loop), "a file of somebody else has what the template says");
	wisp_json_set_num(loop, "current_iteration", 3);
	CHECK(!wisp_phase_allowed(m, loop), "  and no more");
	wisp_json_set_str(loop, "current_phase", "BLUE");
	CHECK(wisp_phase_now(m, loop) == NULL, "a phase that was renamed");
	CHECK(wisp_phase_allowed(m, loop), "  has 10");
	CHECK_INT(wisp_phase_percent(m, loop), 0, "  and no weight");
	wisp_json_free(m);
	wisp_json_free(loop);
}

static void
errors(void)
{
	struct cJSON *m = machine(), *loop = wisp_phase_new(m, ID, NULL), *list;
	struct wisp_buf text = WISP_BUF_INIT;
	char hash[WISP_HASH_SIZE];

	wisp_phase_count(loop, false);
	wisp_phase_error(loop, "");
	list = wisp_json_get(loop, "error_history");
	CHECK_JSON(list, "[{\"timestamp\":\"2026-01-16T10:00:00+00:00\",\"phase\":\"RED\",\"iteration\":1,\"error\":\"\",\"hash\":\"" HASH "\"}]",
		   "an error");
	for (int i = 0; i < 600; i++)
		wisp_buf_puts(&text, "\xc3\xa9");
	for (int i = 0; i < 51; i++)
		wisp_phase_error(loop, text.data);
	CHECK_INT(wisp_json_len(list), 50, "50 are kept");
	CHECK_INT(strlen(wisp_json_str(wisp_json_first(list), "error", "")), 1000, "  500 characters of each");
	wisp_hash(text.data, text.len, hash);
	CHECK_STR(wisp_json_str(wisp_json_first(list), "hash", ""), hash, "  and the hash of all");
	wisp_json_set_null(loop, "error_history");
	wisp_phase_error(loop, "x");
	CHECK_INT(wisp_json_len(wisp_json_get(loop, "error_history")), 1, "a history that was none");
	wisp_buf_release(&text);
	wisp_json_free(m);
	wisp_json_free(loop);
}

static const struct {
	const char *loop, *claimed, *observed, *metrics;	/* NULL: none */
} merges[] = {
	{NULL, NULL, NULL, "{}"},
	{NULL, "{\"a\":1,\"b\":2}", NULL, "{\"a\":1,\"b\":2}"},
	{NULL, "{\"a\":1,\"b\":2}", "{\"b\":3,\"c\":4}", "{\"a\":1,\"b\":3,\"c\":4}"},
	{NULL, "{\"iteration\":9}", NULL, "{\"iteration\":9}"},
	{"{\"current_iteration\":5,\"consecutive_green_runs\":2}", "{\"iteration\":9,\"consecutive_green_runs\":9}", NULL,
	 "{\"iteration\":5,\"consecutive_green_runs\":2}"},
	{"{\"current_iteration\":5,\"consecutive_green_runs\":2}", "{}", "{\"iteration\":9}", "{\"iteration\":5,\"consecutive_green_runs\":2}"},
	{"{\"current_iteration\":5}", "{\"consecutive_green_runs\":9}", NULL, "{\"consecutive_green_runs\":9,\"iteration\":5}"},
	{"{}", "[1]", "null", "{}"},
};

static const struct {
	const char *metrics;
	bool green;
} greens[] = {
	{"{\"tests_total\":3,\"tests_passing\":3,\"tests_failing\":0}", true},
	{"{\"tests_total\":3,\"tests_passing\":3,\"tests_failing\":1}", false},
	{"{\"tests_total\":3,\"tests_passing\":2,\"tests_failing\":0}", false},
	{"{\"tests_total\":3,\"tests_passing\":3}", false},
	{"{\"tests_total\":0,\"tests_passing\":0,\"tests_failing\":0}", false},
	{"{\"tests_passing\":0,\"tests_failing\":0}", false},
	{"{\"tests_total\":\"3\",\"tests_passing\":\"3\",\"tests_failing\":\"0\"}", false},
	{"{\"tests_total\":-1,\"tests_passing\":-1,\"tests_failing\":0}", false},
	{"{}", false},
};

static void
metrics(void)
{
	for (size_t i = 0; i < sizeof merges / sizeof *merges; i++) {
		struct cJSON *loop = merges[i].loop != NULL ? parse(merges[i].loop) : NULL;
		struct cJSON *claimed = merges[i].claimed != NULL ? parse(merges[i].claimed) : NULL;
		struct cJSON *observed = merges[i].observed != NULL ? parse(merges[i].observed) : NULL;
		struct cJSON *m = wisp_phase_metrics(loop, claimed, observed);

		CHECK_JSON(m, merges[i].metrics, merges[i].metrics);
		wisp_json_free(m);
		wisp_json_free(loop);
		wisp_json_free(claimed);
		wisp_json_free(observed);
	}
	for (size_t i = 0; i < sizeof greens / sizeof *greens; i++) {
		struct cJSON *m = parse(greens[i].metrics);

		CHECK_INT(wisp_phase_green(m), greens[i].green, greens[i].metrics);
		wisp_json_free(m);
	}
}

static const struct {
	const char *phase, *completed;
	double iteration;
	int percent;
} percents[] = {
	{"RED", "[]", 0, 0},
	{"RED", "[]", 9, 9},
	{"RED", "[]", 11, 10},
	{"GREEN", "[\"RED\"]", 5, 32},
	{"GREEN", "[\"RED\"]", 10, 55},
	{"REFACTOR", "[\"RED\", \"GREEN\"]", 3, 59},
	{"GREEN", "[\"RED\", \"REFACTOR\", \"DOCUMENT\"]", 0, 40},
	{"QA", "[\"RED\", \"GREEN\", \"REFACTOR\", \"DOCUMENT\"]", 6, 94},
	{"QA", "[\"RED\", \"GREEN\", \"REFACTOR\", \"DOCUMENT\", \"QA\"]", 6, 100},
	{"GREEN", "[\"RED\", \"RED\"]", 0, 10},
	{"GREEN", "[\"RED\"]", -5, 10},
	{"GREEN", "[\"RED\"]", 1e300, 55},
	{"BLUE", "[\"BLACK\"]", 5, 0},
};

static void
progress(void)
{
	struct cJSON *m = machine();

	for (size_t i = 0; i < sizeof percents / sizeof *percents; i++) {
		struct cJSON *loop = wisp_json_object();
		char *label = wisp_str("%s %g after %s", percents[i].phase, percents[i].iteration, percents[i].completed);

		wisp_json_set_str(loop, "current_phase", percents[i].phase);
		wisp_json_set_num(loop, "current_iteration", percents[i].iteration);
		wisp_json_set(loop, "phases_completed", parse(percents[i].completed));
		CHECK_INT(wisp_phase_percent(m, loop), percents[i].percent, label);
		free(label);
		wisp_json_free(loop);
	}
	wisp_json_free(m);
}

#define ERROR_OF(more) "[{\"timestamp\":\"2026-01-16T10:30:00Z\",\"error\":\"e\",\"hash\":\"" HASH "\"" more "}]"

/* One member of a loop state that holds is set to this; NULL takes it away. */
static const struct {
	const char *key, *value, *error;	/* NULL: it holds */
} members[] = {
	{"halt_reason", "null", NULL},
	{"more", "{}", NULL},
	{"session_id", NULL, "loop.session_id: is missing"},
	{"session_id", "\"\"", "loop.session_id: expected a UUID v4"},
	{"session_id", "\"a1b2c3d4-e5f6-1890-abcd-ef1234567890\"", "loop.session_id: expected a UUID v4"},
	{"session_id", "\"a1b2c3d4-e5f6-4890-cbcd-ef1234567890\"", "loop.session_id: expected a UUID v4"},
	{"session_id", "\"a1b2c3d4-e5f6-4890-abcd-ef1234567890x\"", "loop.session_id: expected a UUID v4"},
	{"session_id", "1", "loop.session_id: expected a string, not a number"},
	{"prp_file", NULL, "loop.prp_file: is missing"},
	{"prp_file", "null", "loop.prp_file: expected a string, not null"},
	{"prp_file", "\"\"", "loop.prp_file: must not be empty"},
	{"current_phase", NULL, "loop.current_phase: is missing"},
	{"current_phase", "\"BLUE\"", "loop.current_phase: expected one of RED|GREEN|REFACTOR|DOCUMENT|QA, not 'BLUE'"},
	{"current_phase", "\"green\"", "loop.current_phase: expected one of RED|GREEN|REFACTOR|DOCUMENT|QA, not 'green'"},
	{"current_iteration", NULL, NULL},
	{"current_iteration", "0", NULL},
	{"current_iteration", "100", NULL},
	{"current_iteration", "101", "loop.current_iteration: must not be above 100"},
	{"current_iteration", "-1", "loop.current_iteration: must not be below 0"},
	{"current_iteration", "1.5", "loop.current_iteration: expected a whole number"},
	{"current_iteration", "1e300", "loop.current_iteration: expected a whole number"},
	{"current_iteration", "\"5\"", "loop.current_iteration: expected a number, not a string"},
	{"status", NULL, "loop.status: is missing"},
	{"status", "\"Running\"", "loop.status: expected one of running|paused|completed|halted, not 'Running'"},
	{"started_at", "\"2026-01-16T10:00:00\"", "loop.started_at: expected a time with a zone (ISO 8601), not '2026-01-16T10:00:00'"},
	{"started_at", "\"2026-01-16T10:00:00+0330\"", NULL},
	{"last_activity", "\"yesterday\"", "loop.last_activity: expected a time with a zone (ISO 8601), not 'yesterday'"},
	{"paused_at", "\"2026-02-30T10:00:00Z\"", "loop.paused_at: expected a time with a zone (ISO 8601), not '2026-02-30T10:00:00Z'"},
	{"phases_completed", "[\"RED\", \"BLUE\"]", "loop.phases_completed[1]: expected one of RED|GREEN|REFACTOR|DOCUMENT|QA, not 'BLUE'"},
	{"phases_completed", "[1]", "loop.phases_completed[0]: expected a string, not a number"},
	{"phases_completed", "\"RED\"", "loop.phases_completed: expected an array, not a string"},
	{"phase_history", "{\"BLUE\": {}}", "loop.phase_history.BLUE: expected one of RED|GREEN|REFACTOR|DOCUMENT|QA, not 'BLUE'"},
	{"phase_history", "{\"RED\": []}", "loop.phase_history.RED: expected an object, not an array"},
	{"phase_history", "{\"RED\": {\"completed_at\": null, \"iterations\": 200}}", NULL},
	{"phase_history", "{\"RED\": {\"iterations\": -1}}", "loop.phase_history.RED.iterations: must not be below 0"},
	{"phase_history", "{\"RED\": {\"completed_at\": \"soon\"}}",
	 "loop.phase_history.RED.completed_at: expected a time with a zone (ISO 8601), not 'soon'"},
	{"error_history", ERROR_OF(""), NULL},
	{"error_history", ERROR_OF(",\"phase\":null,\"iteration\":3"), NULL},
	{"error_history", ERROR_OF(",\"iteration\":-3"), "loop.error_history[0].iteration: must not be below 0"},
	{"error_history", "[{}]", "loop.error_history[0].timestamp: is missing"},
	{"error_history", "[{\"timestamp\":\"2026-01-16\",\"error\":\"e\",\"hash\":\"" HASH "\"}]",
	 "loop.error_history[0].timestamp: expected a time with a zone (ISO 8601), not '2026-01-16'"},
	{"error_history", "[{\"timestamp\":\"2026-01-16T10:30:00Z\",\"error\":\"e\",\"hash\":\"e3b0c442\"}]",
	 "loop.error_history[0].hash: expected a SHA-256, 64 hex digits"},
	{"total_agent_calls", "-1", "loop.total_agent_calls: must not be below 0"},
	{"qa_attempts", "-1", "loop.qa_attempts: must not be below 0"},
	{"last", "[]", "loop.last: expected an object, not an array"},
	{"green_model", "5", "loop.green_model: expected a string, not a number"},
};

static void
set_long_errors(struct cJSON *loop, int count, int length)
{
	struct wisp_buf text = WISP_BUF_INIT;
	struct cJSON *e;

	for (int i = 0; i < length; i++)
		wisp_buf_puts(&text, "\xc3\xa9");
	wisp_json_set(loop, "error_history", wisp_json_array());
	for (int i = 0; i < count; i++) {
		e = wisp_json_object();
		wisp_json_set_str(e, "timestamp", "2026-01-16T10:30:00Z");
		wisp_json_set_str(e, "error", text.data);
		wisp_json_set_str(e, "hash", HASH);
		wisp_json_push(wisp_json_get(loop, "error_history"), e);
	}
	wisp_buf_release(&text);
}

static void
checks(void)
{
	const struct wisp_source src = {.path = "x", .name = "loop"};
	struct cJSON *m = machine(), *loop;
	struct wisp_err err = WISP_ERR_INIT;

	for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
		char *label = wisp_str("%s %s", members[i].key, members[i].value != NULL ? members[i].value : "missing");

		loop = wisp_phase_new(m, ID, "prp.md");
		if (members[i].value != NULL)
			wisp_json_set(loop, members[i].key, parse(members[i].value));
		else
			wisp_json_drop(loop, members[i].key);
		CHECK_INT(wisp_phase_check(&src, loop, m, &err), members[i].error != NULL ? -1 : 0, label);
		CHECK_STR(err.text, members[i].error, label);
		wisp_err_release(&err);
		free(label);
		wisp_json_free(loop);
	}
	loop = wisp_phase_new(m, ID, "prp.md");
	set_long_errors(loop, 50, 500);
	CHECK_INT(wisp_phase_check(&src, loop, m, &err), 0, "50 errors of 500 characters");
	set_long_errors(loop, 51, 1);
	CHECK_INT(wisp_phase_check(&src, loop, m, &err), -1, "51 errors");
	CHECK_STR(err.text, "loop.error_history: expected at most 50 errors, not 51", "  its message");
	wisp_err_release(&err);
	set_long_errors(loop, 1, 501);
	CHECK_INT(wisp_phase_check(&src, loop, m, &err), -1, "501 characters");
	CHECK_STR(err.text, "loop.error_history[0].error: expected at most 500 characters", "  its message");
	wisp_err_release(&err);
	wisp_json_set_null(loop, "error_history");
	wisp_json_set_str(loop, "current_phase", "BLUE");
	CHECK_INT(wisp_phase_check(&src, loop, NULL, &err), 0, "without a machine any phase will do");
	wisp_json_free(loop);
	wisp_json_free(m);
}

int
main(void)
{
	wisp_die_name("phase");
	setenv("TZ", "UTC", 1);
	setenv("WISP_NOW", "1768557600000", 1);
	begins();
	walks();
	bounds();
	errors();
	metrics();
	progress();
	checks();
	return unit_done();
}
