/*
 * cases: tests one by one, of what test programs print.
 */
#include <stdlib.h>
#include <string.h>

#include "core/cases.h"
#include "core/counts.h"
#include "unit.h"

#define SUITE(...) "<testsuite name=\"s\">" __VA_ARGS__ "</testsuite>"
#define GO(action, more) "{\"Time\":\"2026-01-01T00:00:00Z\",\"Action\":\"" action "\",\"Package\":\"m/p\"" more "}\n"

/* `RESULT LABEL` for each test, with its file where there is one; `cut` at the end where they are not all. */
static const struct {
	const char *label, *text, *want;
} cases[] = {
	{"nothing", "", ""},
	{"prose", "ok, that went well\n12 passed\n", ""},
	/* TAP */
	{"three results", "1..4\nok 1 - a\nnot ok 2 - b\nok 3 - c # SKIP no display\nnot ok 4 d # TODO\n",
	 "passed a\nfailed b\nskipped c\nskipped d\n"},
	{"without a plan it is prose", "ok 1 - a\nok 2 - b\n", ""},
	{"a document after prose", "ok 1 - a\nTAP version 13\nok 1 - b\n1..1\n", "passed b\n"},
	{"no names", "1..2\nok\nnot ok 2\n", "passed test 1\nfailed test 2\n"},
	{"no dash", "1..1\nok 1 it works\n", "passed it works\n"},
	{"an escaped mark", "1..2\nok 1 - a \\# b\nok 2 - c:\\\\d\n", "passed a # b\npassed c:\\d\n"},
	{"a remark", "1..1\nok 1 - a # 12ms\n", "passed a\n"},
	{"the time of bats", "1..4\nok 1 a in 12ms\nok 2 b in 3sec\nok 3 c in ms\nok 4 in 5ms\n",
	 "passed a\npassed b\npassed c in ms\npassed in 5ms\n"},
	{"the same name twice", "1..3\nok 1 - a\nnot ok 2 - a\nok 3 - a\n", "passed a\nfailed a (2)\npassed a (3)\n"},
	{"CRLF", "1..1\r\nok 1 - a\r\n", "passed a\n"},
	{"fewer than planned", "1..3\nok 1 - a\n", "passed a\ncut"},
	{"bail out", "1..1\nok 1 - a\nBail out!\n", "passed a\ncut"},
	{"subtests", "TAP version 13\n# Subtest: f\n    # Subtest: x\n    ok 1 - x\n    not ok 2 - y\n    1..2\nnot ok 1 - f\nok 2 - g\n1..2\n",
	 "passed f > x\nfailed f > y\npassed g\n"},
	{"subtests of subtests", "1..1\n        ok 1 - a\n        ok 2 - b\n    ok 1 - m\n    ok 2 - n\nok 1 - f\n",
	 "passed f > m > a\npassed f > m > b\npassed f > n\n"},
	{"what fails around subtests that pass", "1..1\n    ok 1 - a\nnot ok 1 - f\n", "passed f > a\nfailed f\n"},
	{"subtests without a test around them", "1..1\nok 1 - a\n    ok 1 - x\nTAP version 13\nok 1 - b\n1..1\n", "passed a\npassed x\npassed b\n"},
	{"indented otherwise", "1..1\n  ok 1 - a\n     ok 1 - b\nok 1 - f\n", "passed f\n"},
	/* JUnit XML */
	{"three results", SUITE("<testcase classname=\"k\" name=\"a\" file=\"t/a.py\"/><testcase name=\"b\"><failure/></testcase>"
				"<testcase name=\"c\"><error/></testcase><testcase name=\"d\"><skipped/></testcase>"),
	 "passed k > a [t/a.py]\nfailed s > b\nfailed s > c\nskipped s > d\n"},
	{"suites in suites", "<testsuites name=\"all\"><testsuite name=\"o\" file=\"o.js\"><testsuite name=\"i\"><testcase name=\"a\"/></testsuite>"
	 "<testcase name=\"b\"/></testsuite><testsuite><testcase name=\"c\"/></testsuite></testsuites>",
	 "passed i > a [o.js]\npassed o > b [o.js]\npassed all > c\n"},
	{"a name with lines", SUITE("<testcase name=\"a&#10;b&#9;c\"/>"), "passed s > a\\nb\\tc\n"},
	{"no names", "<testsuite><testcase/><testcase/></testsuite>", "passed \npassed  (2)\n"},
	{"cut", "<testsuite><testcase name=\"a\"/><testcase name=\"b\">", "passed a\nfailed b\ncut"},
	{"numbers alone", "<testsuite tests=\"3\"/>", "cut"},
	{"a DOCTYPE", "<?xml version=\"1.0\"?><!DOCTYPE t [<!ENTITY a \"ha\">]><testsuite><testcase name=\"&a;\"/></testsuite>", ""},
	{"beside TAP", "1..1\nok 1 - a\n" SUITE("<testcase name=\"b\"/>") "\n", "passed a\npassed s > b\n"},
	/* go test -json */
	{"go", GO("start", "") GO("run", ",\"Test\":\"TestA\"") GO("output", ",\"Test\":\"TestA\",\"Output\":\"--- PASS: TestA\\n\"")
	 GO("pass", ",\"Test\":\"TestA\",\"Elapsed\":0.01") GO("fail", ",\"Test\":\"TestB/a_\\u0026_\\\"b\\\"\"") GO("skip", ",\"Test\":\"TestC\"")
	 GO("pass", ",\"Elapsed\":1"), "passed m/p > TestA\nfailed m/p > TestB/a_&_\"b\"\nskipped m/p > TestC\n"},
	{"a package of go that does not build", GO("fail", ",\"Elapsed\":0"), "failed m/p\n"},
	{"no event of go's", "{\"Action\":\"pass\"}\n{\"Action\":\"pass\",\"Package\":7}\n{\"Action\":\"pass\",\"Package\":\"p\",\"Test\":\"t\"\n", ""},
	/* hostile */
	{"invalid UTF-8", "1..1\nok 1 - a\xff\xfe" "b\n", "passed a\xef\xbf\xbd\xef\xbf\xbd" "b\n"},
	{"control characters", "1..1\nok 1 - a\x1b[31mb\x7f\n", "passed a\\x1b[31mb\\x7f\n"},
	{"what turns text around", "1..1\nok 1 - a\xe2\x80\xae" "b\n", "passed a\xef\xbf\xbd" "b\n"},
	{"binary", "\x7f" "ELF\x01\x02\x80\xff\n\xfe\n", ""},
};

static char *
text_of(struct wisp_cases *c)
{
	struct wisp_buf b = WISP_BUF_INIT;

	wisp_cases_index(c);
	for (size_t i = 0; i < c->count; i++) {
		const struct wisp_case *k = &c->list[i];

		wisp_buf_printf(&b, "%s ", wisp_case_word((enum wisp_case_result)k->result));
		wisp_case_label(&b, wisp_case_text(c, k->suite), wisp_case_text(c, k->name), k->nth);
		if (k->file != 0)
			wisp_buf_printf(&b, " [%s]", wisp_case_text(c, k->file));
		wisp_buf_putc(&b, '\n');
	}
	wisp_buf_puts(&b, c->cut ? "cut" : "");
	return wisp_buf_detach(&b);
}

static void
reads(const char *label, const char *text, const char *want)
{
	struct wisp_cases c = {.command = "01234567"}, again = {0};
	struct wisp_buf b = WISP_BUF_INIT;
	struct wisp_counts sum;
	char *got;

	(void)wisp_counts_read(&sum, &c, text, strlen(text));
	got = text_of(&c);
	CHECK_STR(got, want, label);
	/* And what a step keeps of it is read back as the same. */
	wisp_cases_print(&c, &b);
	again.cut = c.cut;
	wisp_cases_parse(&again, b.data);
	CHECK_OWN(text_of(&again), got, label);
	free(got);
	wisp_buf_release(&b);
	wisp_cases_release(&c);
	wisp_cases_release(&again);
}

static void
found(void)
{
	static const char text[] = "1..3\nok 1 - a\nok 2 - a\nok 3 - b\n";
	struct wisp_cases c = {.command = "01234567"};
	struct wisp_counts sum;

	CHECK(wisp_cases_find(&c, "01234567", "", "a", 1) == NULL, "none is found before they are indexed");
	(void)wisp_counts_read(&sum, &c, text, sizeof text - 1);
	wisp_cases_index(&c);
	CHECK(wisp_cases_find(&c, "01234567", "", "a", 2) == &c.list[1], "the second of a name is found");
	CHECK(wisp_cases_find(&c, "01234567", "", "a", 3) == NULL, "a third is not");
	CHECK(wisp_cases_find(&c, "01234567", "b", "", 1) == NULL, "a suite is no name");
	CHECK(wisp_cases_find(&c, "76543210", "", "a", 1) == NULL, "nor is another command's test found");
	wisp_cases_release(&c);
}

/* More tests than are kept, all of one name, and names without an end: all of it in little time. */
static void
large(void)
{
	struct wisp_cases c = {.command = "01234567"};
	struct wisp_buf b = WISP_BUF_INIT;
	struct wisp_counts sum;

	wisp_buf_puts(&b, "TAP version 13\n");
	for (size_t i = 0; i < WISP_CASES_MAX + 1000; i++)
		wisp_buf_puts(&b, "ok - the same\n");
	wisp_buf_puts(&b, "ok - ");
	for (size_t i = 0; i < 20 * WISP_CASE_NAME_MAX; i++)
		wisp_buf_puts(&b, "\x01");
	wisp_buf_puts(&b, "\n");
	(void)wisp_counts_read(&sum, &c, b.data, b.len);
	wisp_cases_index(&c);
	CHECK(sum.total == (long long)WISP_CASES_MAX + 1001, "all are counted");
	CHECK(c.count == WISP_CASES_MAX && c.cut, "not more are kept than there may be, and that is known");
	CHECK(c.list[c.count - 1].nth == WISP_CASES_MAX, "each of a name has its number");
	CHECK(strlen(wisp_case_text(&c, c.text.len - 1 - WISP_CASE_NAME_MAX)) <= WISP_CASE_NAME_MAX, "a long name is cut");
	wisp_buf_release(&b);
	wisp_cases_release(&c);
}

int
main(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		reads(cases[i].label, cases[i].text, cases[i].want);
	found();
	large();
	return unit_done();
}
