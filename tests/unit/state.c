/*
 * state: what an agent may claim, and what is refused with its position.
 */
#include <unistd.h>

#include "core/state.h"
#include "unit.h"

#define S(rest) "{\"status\":\"CONTINUE\",\"summary\":\"s\"" rest "}"

static char path[] = "/tmp/wisp-unit-state-XXXXXX";

static enum wisp_verdict
load(struct wisp_state *st, const char *text, struct wisp_err *err)
{
	CHECK_INT(wisp_file_write(path, text, strlen(text), WISP_NOSYNC), 0, "write");
	return wisp_state_load(st, path, err);
}

/* `at` is LINE:COL without the path; NULL: it is valid. */
static const struct {
	const char *text;
	enum wisp_verdict verdict;
	size_t line, col;
	const char *error;
} cases[] = {
	{S(""), WISP_VALID, 0, 0, NULL},
	{"\xef\xbb\xbf" S("") "\r\n", WISP_VALID, 0, 0, NULL},
	{S(",\"question\":null,\"error\":null,\"choices\":null,\"metrics\":null"), WISP_VALID, 0, 0, NULL},
	{S(",\"question\":\"\",\"error\":\"\",\"unknown\":[1],\"Status\":3"), WISP_VALID, 0, 0, NULL},
	{S(",\"verification\":{\"method\":\"tests\",\"passed\":true,\"details\":\"\",\"x\":1}"), WISP_VALID, 0, 0, NULL},
	{S(",\"gate\":{\"type\":\"visual-review\",\"artifacts\":[\"a\"]}"), WISP_VALID, 0, 0, NULL},
	{"", WISP_EMPTY, 0, 0, "empty"},
	{"\n \t\r\n", WISP_EMPTY, 0, 0, "empty"},
	{"{\"status\":", WISP_MALFORMED, 1, 11, "unexpected end of JSON"},
	{S("") "\n{}", WISP_MALFORMED, 2, 1, "text after the value"},
	{S(",\n\"summary\":\"t\""), WISP_MALFORMED, 2, 1, "duplicate key 'summary'"},
	{"[]", WISP_INVALID, 1, 1, "state: expected an object, not an array"},
	{"null", WISP_INVALID, 1, 1, "state: expected an object, not null"},
	{"{\"summary\":\"s\"}", WISP_INVALID, 1, 1, "state.status: is missing"},
	{"{\"status\":\"DONE\"}", WISP_INVALID, 1, 1, "state.summary: is missing"},
	{"{\"status\":\"DONE\",\n \"summary\":null}", WISP_INVALID, 2, 12, "state.summary: expected a string, not null"},
	{"{\"status\":\"done\",\"summary\":\"s\"}", WISP_INVALID, 1, 11,
	  "state.status: expected one of CONTINUE|DONE|NEEDS_INPUT|BLOCKED, not 'done'"},
	{"{\"status\":\"CONTINUE|DONE\",\"summary\":\"s\"}", WISP_INVALID, 1, 11,
	  "state.status: expected one of CONTINUE|DONE|NEEDS_INPUT|BLOCKED, not 'CONTINUE|DONE'"},
	{"{\"Status\":\"DONE\",\"summary\":\"s\"}", WISP_INVALID, 1, 1, "state.status: is missing"},
	{"{\"status\":true,\"summary\":\"s\"}", WISP_INVALID, 1, 11, "state.status: expected a string, not a boolean"},
	{"{\"status\":\"NEEDS_INPUT\",\"summary\":\"s\"}", WISP_INVALID, 1, 1, "state.question: is missing"},
	{"{\"status\":\"NEEDS_INPUT\",\"summary\":\"s\",\n\"question\":\"\"}", WISP_INVALID, 2, 12,
	  "state.question: must not be empty"},
	{"{\"status\":\"NEEDS_INPUT\",\"summary\":\"s\",\n\"question\":null}", WISP_INVALID, 2, 12,
	  "state.question: expected a string, not null"},
	{"{\"status\":\"BLOCKED\",\"summary\":\"s\"}", WISP_INVALID, 1, 1, "state.error: is missing"},
	{"{\"status\":\"BLOCKED\",\"summary\":\"s\",\n\"error\":\"\"}", WISP_INVALID, 2, 9, "state.error: must not be empty"},
	{S(",\n\"exit_signal\":1"), WISP_INVALID, 2, 15, "state.exit_signal: expected a boolean, not a number"},
	{S(",\n\"choices\":[\"a\",{}]"), WISP_INVALID, 2, 16, "state.choices[1]: expected a string, not an object"},
	{S(",\n\"files_modified\":[\"a\"]"), WISP_INVALID, 2, 18,
	  "state.files_modified: expected a number, not an array"},
	{S(",\n\"metrics\":[]"), WISP_INVALID, 2, 11, "state.metrics: expected an object, not an array"},
	{S(",\n\"verification\":{\"method\":\"hope\"}"), WISP_INVALID, 2, 26,
	  "state.verification.method: expected one of tests|typecheck|build|manual|none, not 'hope'"},
	{S(",\n\"gate\":{\"type\":7}"), WISP_INVALID, 2, 16, "state.gate.type: expected a string, not a number"},
};

static void
table(void)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_state st;
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		CHECK_INT(load(&st, cases[i].text, &err), cases[i].verdict, cases[i].text);
		CHECK_INT(st.verdict, cases[i].verdict, "  its verdict");
		CHECK_STR(err.text, cases[i].error, "  its error");
		CHECK_INT(err.line, cases[i].line, "  its line");
		CHECK_INT(err.col, cases[i].col, "  its column");
		wisp_state_release(&st);
		wisp_err_release(&err);
	}
}

static void
fields(void)
{
	struct wisp_state st;

	CHECK_INT(load(&st, "{\"status\":\"NEEDS_INPUT\",\"summary\":\"s\",\"question\":\"q?\",\"choices\":[\"a\",\"b\"],"
		       "\"phase\":\"GREEN\",\"exit_signal\":true,\"metrics\":{\"n\":1}}", NULL),
		  WISP_VALID, "a question");
	CHECK_INT(st.status, WISP_NEEDS_INPUT, "  status");
	CHECK_STR(wisp_status_name(st.status), "NEEDS_INPUT", "  its name");
	CHECK_STR(st.summary, "s", "  summary");
	CHECK_STR(st.question, "q?", "  question");
	CHECK_STR(st.error, NULL, "  no error");
	CHECK_STR(st.phase, "GREEN", "  phase");
	CHECK_INT(wisp_json_len(st.choices), 2, "  choices");
	CHECK_INT(wisp_json_int(st.metrics, "n", 0), 1, "  metrics");
	CHECK(st.exit_signal, "  exit signal");
	wisp_state_release(&st);
	wisp_state_release(&st);

	CHECK_INT(load(&st, S(",\"metrics\":{\"a\":[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]}"), NULL), WISP_VALID, "metrics too deep");
	CHECK(st.metrics == NULL, "  they are dropped");
	CHECK_STR(st.dropped, "nested deeper than 16", "  and why");
	wisp_state_release(&st);

	CHECK_INT(load(&st, "{\"status\":\"BLOCKED\",\"summary\":\"\",\"error\":\"e\",\"choices\":null}", NULL),
		  WISP_VALID, "blocked");
	CHECK_INT(st.status, WISP_BLOCKED, "  status");
	CHECK_STR(st.error, "e", "  error");
	CHECK_STR(st.summary, "", "  summary");
	CHECK(st.choices == NULL && st.metrics == NULL && !st.exit_signal, "  nothing else");
	wisp_state_release(&st);
}

static void
no_file(void)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_state st;

	unlink(path);
	CHECK_INT(wisp_state_load(&st, path, &err), WISP_MISSING, "no file");
	CHECK_STR(err.path, path, "  its path");
	CHECK_STR(err.text, "missing", "  says so");
	CHECK_INT(wisp_state_load(&st, "/", &err), WISP_UNREADABLE, "a folder");
	CHECK_STR(err.text, "cannot read: not a regular file", "  says so");
	wisp_state_release(&st);
	wisp_err_release(&err);
}

int
main(void)
{
	int fd = mkstemp(path);

	if (fd < 0)
		die_sys("cannot make '%s'", path);
	close(fd);
	table();
	fields();
	no_file();
	return unit_done();
}
