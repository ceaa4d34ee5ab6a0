/*
 * status, log and answer: what people are shown of a record, and what they say.
 */
#include "core/answer.h"
#include "core/lines.h"
#include "core/log.h"
#include "core/status.h"
#include "parse.h"
#include "unit.h"

static void
check_word(void)
{
	static const struct { const char *status, *want; } cases[] = {
		{"{\"session\": {\"status\": \"running\"}, \"alive\": true}", "running"},
		{"{\"session\": {\"status\": \"running\"}, \"alive\": false}", "stale"},
		{"{\"session\": {\"status\": \"paused\"}, \"alive\": true}", "paused"},
		{"{\"session\": {\"status\": \"halted\"}, \"alive\": false}", "halted"},
		{"{\"session\": {\"status\": \"completed\"}, \"alive\": false}", "completed"},
		{"{\"session\": null, \"problem\": {\"kind\": \"broken\"}}", "broken"},
		{"{\"session\": {\"status\": \"running\"}, \"problem\": {\"kind\": \"gone\"}}", "gone"},
		{"{\"session\": {}}", "paused"},
	};
	struct cJSON *s;
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		s = parse(cases[i].status);
		CHECK_STR(wisp_status_word(s), cases[i].want, cases[i].status);
		wisp_json_free(s);
	}
}

static void
check_answer(void)
{
	static const struct { const char *text, *want; } cases[] = {
		{"1", "red"}, {"2", "green"}, {"3", "3"}, {"0", "0"}, {"01", "01"}, {" 1", " 1"}, {"1 ", "1 "},
		{"-1", "-1"}, {"blue", "blue"}, {"", ""}, {"18446744073709551617", "18446744073709551617"},
	};
	struct cJSON *with = parse("{\"question\": \"Which?\\n\\nOf \\u001bthese\", \"choices\": [\"red\", \"green\"]}");
	struct cJSON *without = parse("{\"question\": \"Which?\", \"choices\": null}");
	struct wisp_buf out = WISP_BUF_INIT;
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++)
		CHECK_STR(wisp_answer_text(with, cases[i].text), cases[i].want, cases[i].text);
	CHECK_STR(wisp_answer_text(without, "1"), "1", "a number where there are no choices");
	wisp_answer_show(&out, with);
	CHECK_STR(out.data, "Which?\n\nOf these\n  1  red\n  2  green\n", "the question, line by line");
	wisp_buf_release(&out);
	wisp_json_free(with);
	wisp_json_free(without);
}

/* The numbers of the iterations, with blanks between. */
static char *
numbers(const char *history, long long most, long long after)
{
	struct wisp_place place = {.dir = "/nonexistent"};
	struct wisp_record r = {.place = &place, .doc = wisp_json_object(), .lock = -1};
	struct wisp_buf out = WISP_BUF_INIT;
	struct cJSON *log, *e;

	wisp_json_set(r.doc, "history", parse(history));
	log = wisp_log_entries(&r, most, after);
	for (e = wisp_json_first(log); e != NULL; e = wisp_json_next(e))
		wisp_buf_printf(&out, "%s%lld", out.len > 0 ? " " : "", wisp_json_int(e, "iteration", -1));
	CHECK(wisp_json_len(wisp_json_get(r.doc, "history")) == wisp_json_len(log) || most >= 0 || after >= 0,
	      "the record keeps its history");
	wisp_json_free(log);
	wisp_json_free(r.doc);
	return wisp_buf_detach(&out);
}

static void
check_log(void)
{
	const char *three = "[{\"iteration\": 4}, {\"iteration\": 5}, {\"iteration\": 6}]";

	CHECK_OWN(numbers(three, -1, -1), "4 5 6", "all");
	CHECK_OWN(numbers(three, 2, -1), "5 6", "the last two");
	CHECK_OWN(numbers(three, 9, -1), "4 5 6", "more than there are");
	CHECK_OWN(numbers(three, 0, -1), "", "none");
	CHECK_OWN(numbers(three, -1, 4), "5 6", "those after 4");
	CHECK_OWN(numbers(three, -1, 6), "", "those after the last");
	CHECK_OWN(numbers("[]", -1, -1), "", "an empty history");
	CHECK_OWN(numbers("null", 1, -1), "", "no history");
}

static void
check_lines(void)
{
	struct wisp_buf out = WISP_BUF_INIT;
	struct cJSON *v = parse("[3, 1.5, \"x\", null]"), *names = parse("[\"a b\", \"c\\nd\", 7]");

	wisp_line_field(&out, "name", "two\n\tlines\x1b");
	wisp_line_field(&out, "none", NULL);
	wisp_line_field(&out, "empty", "");
	CHECK_STR(out.data, "  name      two lines\n", "one line, and none for nothing");
	wisp_buf_reset(&out);
	for (const struct cJSON *e = wisp_json_first(v); e != NULL; e = wisp_json_next(e)) {
		wisp_line_number(&out, e);
		wisp_buf_putc(&out, ' ');
	}
	CHECK_STR(out.data, "3 1.5 - - ", "numbers and what is none");
	wisp_buf_reset(&out);
	wisp_line_names(&out, names);
	CHECK_STR(out.data, "a b c d ?\n", "names");
	wisp_buf_release(&out);
	wisp_json_free(v);
	wisp_json_free(names);
}

int
main(void)
{
	check_word();
	check_answer();
	check_log();
	check_lines();
	return unit_done();
}
