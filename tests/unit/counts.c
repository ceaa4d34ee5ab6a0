/*
 * counts: what test programs say of themselves.
 */
#include "core/counts.h"
#include "core/buf.h"
#include "unit.h"

/* total passed failed skipped; NULL: neither TAP nor JUnit XML. */
static const struct {
	const char *label, *text, *want;
} cases[] = {
	/* TAP */
	{"plan first", "1..3\nok 1 - a\nnot ok 2 - b\nok 3 - c\n", "3 2 1 0"},
	{"plan last, no final line end", "ok 1\nok 2\n1..2", "2 2 0 0"},
	{"a version, no plan", "TAP version 14\nok 1\nnot ok 2\n", "2 1 1 0"},
	{"a version and a plan", "TAP version 13\n1..1\nok 1 - a\n", "1 1 0 0"},
	{"without numbers", "1..2\nok a\nnot ok b\n", "2 1 1 0"},
	{"CRLF", "TAP version 13\r\n1..2\r\nok 1 - a\r\nok 2\r\n", "2 2 0 0"},
	{"a byte-order mark", "\xef\xbb\xbf" "1..1\nok 1\n", "1 1 0 0"},
	{"in other output", "cc -o x x.c\n1..1\nok 1 - x\nmake: done\n", "1 1 0 0"},
	{"skipped and to do", "1..4\nok 1 # SKIP no display\nok 2 # skip\nnot ok 3 # TODO later\nok 4 # TODO now\n", "1 1 0 3"},
	{"skipped in another form", "1..2\nok 1 - a # Skipped: x\nnot ok 2 - b #todo\n", "0 0 0 2"},
	{"an escaped mark is none", "1..2\nok 1 - a \\# skip\nnot ok 2 - C\\# TODO\n", "2 1 1 0"},
	{"a remark that is no directive", "1..1\nok 1 - a # slow\n", "1 1 0 0"},
	{"all skipped", "1..0 # SKIP no display\n", "0 0 0 0"},
	{"fewer than planned", "1..5\nok 1\nok 2\n", "5 2 3 0"},
	{"none of those planned", "1..4\n", "4 0 4 0"},
	{"more than planned", "1..1\nok 1\nok 2\n", "2 2 0 0"},
	{"bail out", "1..5\nok 1\nBail out! no database\n", "5 1 4 0"},
	{"bail out at the end of the plan", "1..1\nok 1\nBail out!\n", "2 1 1 0"},
	{"bail out before a plan", "TAP version 13\nok 1\nBail out!\n", "2 1 1 0"},
	{"subtests count once", "1..2\n# Subtest: a\n    1..2\n    ok 1\n    not ok 2\nnot ok 1 - a\n"
	 "    TAP version 13\n\tok 1\nok 2 - b {\n    1..1\n    ok 1\n}\n", "2 1 1 0"},
	{"diagnostics and pragmas", "TAP version 13\npragma +strict\n1..1\nnot ok 1 - a\n  ---\n  ok: no\n  ...\n# ok 2\n", "1 0 1 0"},
	{"two documents, plans first", "1..1\nok 1\n1..2\nok 1\nnot ok 2\n", "3 2 1 0"},
	{"two documents, plans last", "ok 1\n1..1\nok 1\nok 2\n1..2\n", "3 3 0 0"},
	{"two documents, first and last", "1..2\nok 1\nok 2\nok 1\nok 2\n1..2\n", "4 4 0 0"},
	{"two documents, each with a version", "TAP version 13\n1..1\nok 1\nTAP version 13\n1..1\nnot ok 1\n", "2 1 1 0"},
	{"one that died is not whole", "1..3\nok 1\n1..1\nok 1\n", "4 2 2 0"},
	/* prose */
	{"nothing", "", NULL},
	{"ok without a plan", "ok 1 - a\nnot ok 2\n", NULL},
	{"prose", "12 tests passed, 0 failed\nok, that went well\n1..3 of the rules\nTAP version one\n", NULL},
	{"an indented plan", "  1..3\n  ok 1\n", NULL},
	{"a plan beyond reason", "1..99999999999999999999\nok 1\n", NULL},
	{"a range in prose", "lines 1..3\n", NULL},
	{"bail out in prose", "Bail out!\n", NULL},
	/* JUnit XML */
	{"suites", "<?xml version=\"1.0\"?>\n<testsuites tests=\"9\"><testsuite name=\"a\" tests=\"3\">"
	 "<testcase name=\"1\"/><testcase name=\"2\"><failure message=\"x\">t</failure></testcase>"
	 "<testcase name=\"3\"><skipped/></testcase></testsuite></testsuites>\n", "2 1 1 1"},
	{"one suite, an error", "<testsuite>\n<testcase><error/></testcase>\n<testcase><system-out>ok 1\n1..1\n</system-out></testcase></testsuite>",
	 "2 1 1 0"},
	{"suites in suites", "<testsuites><testsuite tests=\"2\"><testsuite><testcase/></testsuite><testcase/></testsuite></testsuites>", "2 2 0 0"},
	{"failed and skipped", "<testsuite><testcase><skipped/><failure/><error/></testcase></testsuite>", "1 0 1 0"},
	{"a failure deeper down is none", "<testsuite><testcase><properties><failure/></properties></testcase></testsuite>", "1 1 0 0"},
	{"a retry that passed", "<testsuite><testcase><flakyFailure/></testcase></testsuite>", "1 1 0 0"},
	{"never run", "<testsuite><testcase status=\"notrun\"/><testcase status=\"run\"/></testsuite>", "1 1 0 1"},
	{"attributes alone", "<testsuites tests=\"7\" failures=\"2\" errors=\"1\" skipped=\"1\"/>", "6 3 3 1"},
	{"attributes of the suites in it", "<testsuites><testsuite tests=\"2\" failures=\"1\"/><testsuite tests=\"3\"></testsuite></testsuites>", "5 4 1 0"},
	{"attributes that are none", "<testsuites tests=\"-7\" failures=\"99999999999999999999\"/>", "0 0 0 0"},
	{"more failures than tests", "<testsuite tests=\"2\" failures=\"9\" skipped=\"1\"/>", "1 0 1 1"},
	{"several documents", "<?xml version='1.0'?><testsuite><testcase/></testsuite><?xml version='1.0'?>\n"
	 "<testsuite><testcase/></testsuite>\n\nnoise\n<testsuites><testsuite><testcase><failure/></testcase></testsuite></testsuites>", "3 2 1 0"},
	{"in other output", "Running tests\n  <testsuite><testcase/></testsuite>\nok 1 - no plan\n", "1 1 0 0"},
	{"beside TAP", "1..1\nok 1\n<testsuite><testcase/></testsuite>\n1..1\nnot ok 1\n", "3 2 1 0"},
	{"in the text of a test", "1..1\nok 1 - reads <testsuite>\n# <testsuite>\n", "1 1 0 0"},
	{"other XML", "<?xml version=\"1.0\"?><html><testcase/></html>", NULL},
	{"a word that begins like it", "<testsuited/>\n<testsuitesx><testcase/></testsuitesx>\n", NULL},
	/* hostile */
	{"cut in a case", "<testsuite tests=\"4\"><testcase/><testcase name=\"b", "4 1 3 0"},
	{"cut in an open case", "<testsuite><testcase/><testcase><system-out>", "2 1 1 0"},
	{"cut before a case", "<testsuites>", NULL},
	{"not well-formed", "<testsuite><testcase/><testcase></testsuite>\n<testsuite><testcase/></testsuite>", "2 1 1 0"},
	{"broken, then whole", "<testsuite><testcase/></oops>\n<?xml version='1.0'?><testsuite><testcase/></testsuite>", "2 2 0 0"},
	{"a DOCTYPE", "<?xml version=\"1.0\"?><!DOCTYPE t [<!ENTITY a \"ha\">]><testsuite><testcase name=\"&a;\"/></testsuite>", NULL},
	{"an entity that nobody declared", "<testsuite><testcase name=\"&a;\"/></testsuite>", NULL},
	{"invalid UTF-8", "<testsuite><testcase/><testcase name=\"\xff\"/></testsuite>", "1 1 0 0"},
	{"binary", "\x7f" "ELF\x01\x02\x80\xff\n\xfe\n", NULL},
};

static char *
counts_text(const char *data, size_t len)
{
	struct wisp_counts c;

	if (!wisp_counts_read(&c, NULL, data, len))
		return NULL;
	return wisp_str("%lld %lld %lld %lld", c.total, c.passed, c.failed, c.skipped);
}

/* `head`, `piece` often enough for `size` bytes, `tail`: it must be read in one go, in little time. */
static void
large(const char *label, const char *head, const char *piece, const char *tail, size_t size, const char *want)
{
	struct wisp_buf b = WISP_BUF_INIT;

	wisp_buf_puts(&b, head);
	while (b.len < size)
		wisp_buf_puts(&b, piece);
	wisp_buf_puts(&b, tail);
	CHECK_OWN(counts_text(b.data, b.len), want, label);
	wisp_buf_release(&b);
}

static void
laughs(void)
{
	struct wisp_buf b = WISP_BUF_INIT;

	wisp_buf_puts(&b, "<?xml version=\"1.0\"?>\n<!DOCTYPE l [\n<!ENTITY l0 \"lol\">\n");
	for (int i = 1; i < 60; i++)
		wisp_buf_printf(&b, "<!ENTITY l%d \"&l%d;&l%d;&l%d;&l%d;\">\n", i, i - 1, i - 1, i - 1, i - 1);
	wisp_buf_puts(&b, "]>\n<testsuite><testcase name=\"&l59;\"/></testsuite>\n");
	CHECK_OWN(counts_text(b.data, b.len), NULL, "a billion laughs");
	wisp_buf_release(&b);
}

static void
nul(void)
{
	static const char text[] = "1..2\nok 1 - a\0b\nok 2\n\0\0\n<testsuite><testcase/>\0</testsuite>";

	CHECK_OWN(counts_text(text, sizeof text - 1), "3 3 0 0", "NUL bytes");
}

static void
metrics(const char *label, const char *text, const char *want, const char *fault)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_buf b = WISP_BUF_INIT;
	struct cJSON *v = wisp_counts_metrics(text, strlen(text), &err);
	char *why = err.text != NULL ? wisp_err_string(&err) : NULL;

	if (v != NULL)
		wisp_json_print_compact(&b, v);
	CHECK_STR(b.data, want, label);
	CHECK_OWN(why, fault, label);
	wisp_json_free(v);
	wisp_err_release(&err);
	wisp_buf_release(&b);
}

int
main(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		CHECK_OWN(counts_text(cases[i].text, strlen(cases[i].text)), cases[i].want, cases[i].label);
	laughs();
	nul();
	large("100 MB of cases", "<testsuite>", "<testcase classname=\"a.b.c.d.e.f.g\" name=\"a test with a name\" time=\"0.001\"/>\n",
	      "</testsuite>", 100 << 20, "1361787 1361787 0 0");
	large("100 MB in one attribute", "<testsuite><testcase name=\"", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "\"/></testsuite>",
	      100 << 20, "1 1 0 0");
	large("folders in folders", "", "<testsuite>", "", 10 << 20, NULL);
	large("documents that break at once", "", "<?xml version='1.0'?><", "", 10 << 20, NULL);
	large("documents that are cut", "", "<?xml version='1.0'?><testsuite>\n", "", 10 << 20, NULL);
	large("100 MB of TAP", "TAP version 13\n", "ok - a test with a name # skipped\n", "1..1\n", 100 << 20, "0 0 0 3084047");
	large("one line", "1..1\nok 1 ", "# # # # # \\", "", 10 << 20, "1 1 0 0");
	metrics("an object", " {\"coverage\": 81.5, \"tests_total\": 3}\n", "{\"coverage\":81.5,\"tests_total\":3}", NULL);
	metrics("counts", "1..2\nok 1\nok 2 # skip\n",
		"{\"tests_total\":1,\"tests_passing\":1,\"tests_failing\":0,\"tests_skipped\":1}", NULL);
	metrics("nothing", " \n", NULL, "it printed nothing");
	metrics("prose", "all is well\n", NULL, "it printed neither a JSON object, nor TAP, nor JUnit XML");
	metrics("an array", "[1]", NULL, "it printed neither a JSON object, nor TAP, nor JUnit XML");
	metrics("no number", "{\"a\": NaN}", NULL, "standard output:1:7: NaN and Infinity are not JSON");
	metrics("cut", "{\"a\": 1", NULL, "standard output:1:8: unexpected end of JSON");
	metrics("twice", "{\"a\": 1}{\"a\": 2}", NULL, "standard output:1:9: text after the value");
	return unit_done();
}
