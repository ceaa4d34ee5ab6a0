/*
 * texts: each line of the table of docs/agents.md, in the place where its
 * agent prints such a text; the same text in a message, which decides nothing;
 * and the times that limits name.
 */
#include "core/file.h"
#include "core/json.h"
#include "step/format.h"
#include "step/reset.h"
#include "step/texts.h"
#include "unit.h"

#define DOC "docs/agents.md"
#define CELLS 6		/* agent, text, outcome, kind, reset, source */
#define ROWS_MIN 120
#define BEGAN "2026-11-28T12:00:00Z"
#define SAID "2026-11-28T12:30:00Z"

/* How each prints that it failed, %s being the text as a JSON string, and that it did well, with the text as what it said. */
static const struct {
	const char *format;
	int exit_code;
	const char *failed, *said;
} streams[] = {
	{"claude", 1,
	 "{\"type\":\"assistant\",\"error\":\"unknown\",\"session_id\":\"s\"}\n"
	 "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":true,\"num_turns\":1,\"result\":%s}\n",
	 "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"num_turns\":1,\"result\":%s}\n"},
	{"amp", 1,
	 "{\"type\":\"result\",\"subtype\":\"error_during_execution\",\"is_error\":true,\"num_turns\":0,\"error\":%s}\n",
	 "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"num_turns\":1,\"result\":%s}\n"},
	{"codex", 1,
	 "{\"type\":\"turn.failed\",\"error\":{\"message\":%s}}\n",
	 "{\"type\":\"item.completed\",\"item\":{\"id\":\"a\",\"type\":\"agent_message\",\"text\":%s}}\n"
	 "{\"type\":\"turn.completed\",\"usage\":{}}\n"},
	{"gemini", 1,
	 "{\"type\":\"result\",\"status\":\"error\",\"error\":{\"type\":\"unknown\",\"message\":%s}}\n",
	 "{\"type\":\"message\",\"role\":\"assistant\",\"content\":%s}\n{\"type\":\"result\",\"status\":\"success\"}\n"},
	{"qwen", 0,
	 "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":%s,"
	 "\"usage\":{\"input_tokens\":0,\"output_tokens\":0}}\n",
	 "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":%s,"
	 "\"usage\":{\"input_tokens\":9,\"output_tokens\":9}}\n"},
	{"opencode", 1,
	 "{\"type\":\"error\",\"sessionID\":\"s\",\"error\":{\"name\":\"APIError\",\"data\":{\"message\":%s}}}\n",
	 "{\"type\":\"text\",\"part\":{\"messageID\":\"m\",\"text\":%s}}\n"
	 "{\"type\":\"step_finish\",\"part\":{\"reason\":\"stop\"}}\n"},
	{"copilot", 1,
	 "{\"type\":\"session.error\",\"data\":{\"errorType\":\"query\",\"message\":%s}}\n{\"type\":\"result\",\"exitCode\":1}\n",
	 "{\"type\":\"assistant.message\",\"data\":{\"content\":%s}}\n{\"type\":\"result\",\"exitCode\":0}\n"},
};

static bool covered[1024];

static void
read_step(struct wisp_step *step, const char *format, const char *stream, const char *text, int exit_code)
{
	static struct wisp_parse parse;
	struct wisp_ending end = {.exit_code = exit_code, .limit = -1};
	struct cJSON *string = wisp_json_string(text);
	struct wisp_buf quoted = WISP_BUF_INIT, line = WISP_BUF_INIT;
	const char *at = strstr(stream, "%s");

	wisp_json_print_compact(&quoted, string);
	quoted.data[strcspn(quoted.data, "\n")] = '\0';
	wisp_buf_add(&line, stream, (size_t)(at - stream));
	wisp_buf_puts(&line, quoted.data);
	wisp_buf_puts(&line, at + 2);
	wisp_step_init(step);
	step->started_at = wisp_time_parse(BEGAN);
	step->ended_at = wisp_time_parse(SAID);
	wisp_parse_init(&parse, wisp_format_find(format), step);
	wisp_parse_feed(&parse, line.data, line.len);
	wisp_parse_finish(&parse, &end);
	wisp_parse_release(&parse);
	wisp_json_free(string);
	wisp_buf_release(&quoted);
	wisp_buf_release(&line);
}

static void
check_row(char *cell[CELLS])
{
	const char *const wide = "too much for the model's context: ", *agent = cell[0], *text = cell[1];
	const struct wisp_text_row *row;
	struct wisp_buf folded = WISP_BUF_INIT;
	struct wisp_step step;
	size_t i;

	for (i = 0; i < sizeof streams / sizeof *streams && strcmp(streams[i].format, agent) != 0; i++)
		;
	if (i == sizeof streams / sizeof *streams) {
		CHECK(false, agent);
		return;
	}
	/* Without the mark that it puts before a failure. */
	wisp_texts_fold(&folded, strncmp(text, "[API Error: ", 12) == 0 && strcmp(agent, "qwen") == 0 ? text + 12 : text);
	row = wisp_texts_find(agent, folded.data);
	if (row != NULL)
		covered[row - wisp_texts] = true;
	read_step(&step, agent, streams[i].failed, text, streams[i].exit_code);
	CHECK_STR(wisp_outcome_name(step.outcome), cell[2], text);
	CHECK_STR(step.limit_kind != NULL ? step.limit_kind : step.auth != NULL ? step.auth :
		  step.outcome == WISP_ERROR && strncmp(step.reason.data, wide, strlen(wide)) == 0 ? "context" : "", cell[3], text);
	CHECK_OWN(step.outcome == WISP_LIMITED && step.resets_at >= 0 ? wisp_time_utc(step.resets_at) : wisp_strdup(""),
		  cell[4], text);
	CHECK(cell[5][0] != '\0', "it has a source");
	wisp_step_release(&step);
	read_step(&step, agent, streams[i].said, text, 0);
	CHECK_STR(wisp_outcome_name(step.outcome), "ok", "the same in a message");
	CHECK(step.limit_kind == NULL && step.auth == NULL, "which is no limit and no login");
	wisp_step_release(&step);
	wisp_buf_release(&folded);
}

/* The cells of a line, without the blanks around them; \| is a stroke in one. */
static int
split(char *line, char *cell[CELLS])
{
	char *to, *from = strchr(line, '|');
	int n = 0;

	while (from != NULL && n < CELLS) {
		from++;
		from += strspn(from, " ");
		cell[n] = to = from;
		for (; *from != '\0' && *from != '|'; *to++ = *from++)
			if (*from == '\\' && from[1] == '|')
				from++;
		if (*from == '\0')
			break;
		for (; to > cell[n] && to[-1] == ' '; to--)
			;
		*to = '\0';
		n++;
	}
	return n;
}

static void
test_document(void)
{
	FILE *f = fopen(DOC, "r");
	char line[1024], *cell[CELLS];
	int rows = 0;
	size_t i;

	while (f != NULL && fgets(line, sizeof line, f) != NULL)
		if (line[0] == '|' && split(line, cell) == CELLS && strcmp(cell[0], "agent") != 0 && cell[0][0] != '-') {
			check_row(cell);
			rows++;
		}
	if (f != NULL)
		fclose(f);
	CHECK(rows >= ROWS_MIN, "the table of " DOC);
	CHECK(wisp_texts_count <= sizeof covered, "room for all rows");
	for (i = 0; i < wisp_texts_count; i++)
		if (!covered[i])
			CHECK_STR(wisp_texts[i].text, "", "a row without an example in " DOC);
}

static void
test_fold(void)
{
	static const struct {
		const char *text, *folded;
	} cases[] = {
		{"You\xe2\x80\x99ve", "You've"}, {"You\xe2\x80\x98ve", "You've"},
		{"You\xca\xbcve", "You've"},
		{"  a \t\n b\xc2\xa0" "c", "a b c"}, {"5\xe2\x80\x91hour", "5-hour"}, {"", ""},
		{"\xc2\xb7", "\xc2\xb7"},
	};
	struct wisp_buf b = WISP_BUF_INIT;
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		wisp_buf_reset(&b);
		wisp_texts_fold(&b, cases[i].text);
		CHECK_STR(b.data != NULL ? b.data : "", cases[i].folded, cases[i].text);
	}
	wisp_buf_release(&b);
}

static void
test_reset(void)
{
	static const struct {
		const char *text, *utc;		/* "" for none */
	} cases[] = {
		{"try again in 20s", "2026-11-28T12:30:20Z"},
		{"try again in 3h 20m", "2026-11-28T15:50:00Z"},
		{"try again in 1.5 hours", "2026-11-28T14:00:00Z"},
		{"Try Again In 2 days, 1 hour and 5 minutes.", "2026-11-30T13:35:00Z"},
		{"try again in an hour", "2026-11-28T13:30:00Z"},
		{"try again in about 5 minutes", "2026-11-28T12:35:00Z"},
		{"try again in less than a minute", "2026-11-28T12:31:00Z"},
		{"retry in 900ms", "2026-11-28T12:30:00Z"},
		{"retry after 3600", "2026-11-28T13:30:00Z"},
		{"reset after 12h30m5s.", "2026-11-29T01:00:05Z"},
		{"Resets in 1 week", "2026-12-05T12:30:00Z"},
		{"please wait 2 minutes", "2026-11-28T12:32:00Z"},
		{"please wait and try again in 4m", "2026-11-28T12:34:00Z"},
		{"resets 3am", "2026-11-29T03:00:00Z"}, {"resets 3pm", "2026-11-28T15:00:00Z"},
		{"resets 12am", "2026-11-29T00:00:00Z"}, {"resets 12 PM", "2026-11-29T12:00:00Z"},
		{"resets 12:15 pm", "2026-11-28T12:15:00Z"},
		{"resets at 18:05", "2026-11-28T18:05:00Z"},
		{"resets 3am (America/New_York)", "2026-11-29T08:00:00Z"},
		{"resets 3am (AMERICA/nowhere)", ""},
		{"resets 3am (Etc/GMT+5)", "2026-11-29T08:00:00Z"},
		{"resets 3am (Asia/Kolkata)", "2026-11-28T21:30:00Z"},
		{"resets 3am (UTC+2)", "2026-11-29T01:00:00Z"},
		{"resets 3am GMT", "2026-11-29T03:00:00Z"},
		{"resets 3am PST", ""}, {"resets 3am (../../etc/passwd)", ""},
		{"resets 3am (/etc/localtime)", ""},
		{"resets at Nov 30, 7 PM", "2026-11-30T19:00:00Z"},
		{"resets Nov 30", "2026-11-30T00:00:00Z"},
		{"resets on 30 Nov at 7am", "2026-11-30T07:00:00Z"},
		{"resets January 2nd, 7:30am", "2027-01-02T07:30:00Z"},
		{"resets Nov 28, 11am", "2026-11-28T11:00:00Z"},
		{"resets Nov 20, 11am", "2027-11-20T11:00:00Z"},
		{"resets Sunday, Nov 29, 7am", "2026-11-29T07:00:00Z"},
		{"try again at Dec 1st, 2026 9:06 PM.", "2026-12-01T21:06:00Z"},
		{"try again at 9:06 PM.", "2026-11-28T21:06:00Z"},
		{"regain access on 2026-12-01 at 00:00 UTC.", "2026-12-01T00:00:00Z"},
		{"resets 2026-12-01T08:00:00Z", "2026-12-01T08:00:00Z"},
		{"resets 2026-12-01T08:00:00+02:00", "2026-12-01T06:00:00Z"},
		{"reached|1795903600", "2026-11-28T22:06:40Z"},
		{"reached|1795903600000", "2026-11-28T22:06:40Z"},
		{"retry after 5pm", "2026-11-28T17:00:00Z"},
		{"try again after 9:06 PM", "2026-11-28T21:06:00Z"},
		{"retry after Sat, 28 Nov 2026 14:00:00 GMT", "2026-11-28T14:00:00Z"},
		{"try again in 3 business days", ""},
		{"wait for limits to reset (every 5h and every week.)", ""},
		{"try again in 3h, 20 of 20 are used", "2026-11-28T15:30:00Z"},
		{"retry after 30]", "2026-11-28T12:30:30Z"},
		{"reached|17", ""}, {"try again later", ""}, {"resets soon", ""},
		{"resets 25:00", ""}, {"resets 13pm", ""},
		{"resets Feb 31", "2027-03-03T00:00:00Z"}, {"resets in 9999999999 days", ""},
		{"presets 3am", ""}, {"resets", ""},
		{"nothing", ""}, {"", ""},
	};
	wisp_ms began = wisp_time_parse(BEGAN), said = wisp_time_parse(SAID), t;
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		t = wisp_reset_find(cases[i].text, began, said);
		CHECK_OWN(t < 0 ? wisp_strdup("") : wisp_time_utc(t), cases[i].utc, cases[i].text);
		CHECK_STR(getenv("TZ"), "UTC", "the zone is as it was");
	}
	CHECK_INT(wisp_reset_find("try again in 20s", -1, -1), -1, "when it was said is not known");
	CHECK_INT(wisp_reset_find("resets 3am", -1, said), -1, "nor which day it was");
	CHECK_INT(wisp_reset_find("resets Nov 30, 7 PM", -1, said), -1, "nor which year");
	setenv("TZ", "America/New_York", 1);
	CHECK_INT(wisp_reset_find("resets 8am", began, said), wisp_time_parse("2026-11-28T13:00:00Z"), "local time");
	unsetenv("TZ");
	CHECK(wisp_reset_find("resets 8am (Asia/Seoul)", began, said) > 0 && getenv("TZ") == NULL, "no TZ stays no TZ");
}

static void
test_notices(void)
{
	static const struct {
		const char *line;
		bool notice;
	} cases[] = {
		{"Attempt 1 failed: You have exhausted your capacity on this model.. Retrying after 5476ms...", true},
		{"Attempt 3 failed with status 429. Retrying with backoff... GaxiosError: [{", true},
		{"Reconnecting... 2/5", true},
		{"Waiting for API response - will retry in 5s", true},
		{"Attempt 3 failed", false}, {"compiling", false}, {"", false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		CHECK_INT(wisp_texts_notice(cases[i].line, strlen(cases[i].line)), cases[i].notice, cases[i].line);
}

int
main(void)
{
	setenv("TZ", "UTC", 1);
	test_document();
	test_fold();
	test_notices();
	test_reset();
	return unit_done();
}
