/*
 * import: markdown line by line, tables, words, where boxes stand, what is lost; and
 * that no beginning of any source breaks a parser.
 */
#include "tasks/format.h"
#include "tasks/markdown.h"
#include "unit.h"

/* --- markdown ---------------------------------------------------------------- */

static const struct {
	const char *text, *expected;	/* kind letter, then what matters of it; a line each */
} markdown[] = {
	{"# a\n###### b ##\n####### c\n#d\n    # e\n", "h1 a|h6 b|t ####### c|t #d|t # e"},
	{"- a\n* b\n+ c\n1. d\n12) e\n-f\n1.g\n-\n", "i0 a|i0 b|i0 c|i0 d|i0 e|t -f|t 1.g|i0 "},
	{"- [ ] a\n- [x] b\n- [X] c\n- [-] d\n- [/] e\n- [] f\n- [\xe2\x9c\x93] g\n", "io a|id b|id c|is d|i? e|io f|id g"},
	{"- [a](b)\n- [xx] c\n- [ ]d\n- [ \n- [", "i0 [a](b)|i0 [xx] c|i0 [ ]d|i0 [|i0 ["},
	{"---\n- - -\n***\n--\n- --x\n", "b|b|b|t --|i0 --x"},
	{"```\n- [ ] a\n````\n# b\n", "b|c - [ ] a|b|h1 b"},
	{"~~~\n```\n~~~~\na\n```x```\nb\n", "b|c ```|b|t a|t ```x```|t b"},
	{"<!-- a -->\n<!--\n# b\n-->\nc\n", "m <!-- a -->|m <!--|m # b|m -->|t c"},
	{"\n \t \r\na\r\n", "b|b|t a"},
	{"\t- a\n  \t- b\n     - c\n", "i0 a|i0 b|i0 c"},
};

static void
show(struct wisp_buf *out, const struct wisp_md *md)
{
	wisp_buf_putc(out, "bhitcm"[md->kind]);
	if (md->kind == WISP_MD_HEADING)
		wisp_buf_printf(out, "%d", md->level);
	if (md->kind == WISP_MD_ITEM)
		wisp_buf_putc(out, "0ods?"[md->box]);
	if (md->kind != WISP_MD_BLANK)
		wisp_buf_printf(out, " %s", md->text);
}

static void
lines(void)
{
	for (size_t i = 0; i < sizeof markdown / sizeof *markdown; i++) {
		struct wisp_buf bytes = WISP_BUF_INIT, out = WISP_BUF_INIT;
		struct wisp_md md = {0};
		struct wisp_import im;

		wisp_buf_puts(&bytes, markdown[i].text);
		CHECK_INT(wisp_import_open(&im, "f", &bytes, NULL), 0, "it is text");
		while (wisp_md_next(&md, &im)) {
			if (out.len > 0)
				wisp_buf_putc(&out, '|');
			show(&out, &md);
		}
		CHECK_STR(out.data, markdown[i].expected, markdown[i].text);
		wisp_md_release(&md);
		wisp_import_release(&im);
		wisp_buf_release(&out);
	}
}

/* --- words ------------------------------------------------------------------- */

static void
words(void)
{
	static const char *const categories[][2] = {
		{"bug", "bugfix"}, {"Bug Fixes", "bugfix"}, {"type: bug", "bugfix"}, {"kind/feature", "feature"}, {"tech-debt", "refactor"},
		{"Documentation", "docs"}, {"QA", "test"}, {"  chore ", "setup"}, {"", NULL}, {"bugs and more", NULL}, {"priority: high", NULL},
		{"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", NULL},
	};
	static const struct {
		const char *word;
		long priority;
	} priorities[] = {
		{"high", 1}, {"High Priority", 1}, {"priority: low", 3}, {"P0", 0}, {"priority/2", 2}, {"7", 7}, {"-3", -3},
		{"Priority 12", 12}, {"nice to have", 3}, {"priority", -99}, {"1.5", -99}, {"", -99}, {"99999999999999999999", -99}, {"highly", -99},
	};

	for (size_t i = 0; i < sizeof categories / sizeof *categories; i++)
		CHECK_STR(wisp_import_category(categories[i][0]), categories[i][1], categories[i][0]);
	for (size_t i = 0; i < sizeof priorities / sizeof *priorities; i++) {
		long priority = -99;

		if (!wisp_import_priority(priorities[i].word, &priority))
			priority = -99;
		CHECK_INT(priority, priorities[i].priority, priorities[i].word);
	}
}

/* --- whole sources ----------------------------------------------------------- */

static const struct parser {
	const char *name;
	wisp_import_parse *parse;
	wisp_export_print *print;
} parsers[] = {
	{"fixplan", wisp_import_fixplan, wisp_export_fixplan},
	{"ralphex", wisp_import_ralphex, wisp_export_ralphex},
	{"csv", wisp_import_csv, wisp_export_csv},
	{"lines", wisp_import_lines, wisp_export_lines},
};

/* 0, or -1 and then `im` is released. */
static int
read_all(const struct parser *p, const char *data, size_t len, struct wisp_import *im, struct wisp_err *err)
{
	struct wisp_buf bytes = WISP_BUF_INIT;
	int rc;

	wisp_buf_add(&bytes, data, len);
	rc = wisp_import_open(im, "f", &bytes, err);
	if (rc == 0)
		rc = p->parse(im, err);
	if (rc == 0)
		rc = wisp_import_finish(im, "docs", err);
	if (rc != 0)
		wisp_import_release(im);
	return rc;
}

static const char plan[] =
	"\xef\xbb\xbf# Plan\r\n## High Priority\r\n- [ ] One\r\n  - [ ] a\r\n  - [x] b\r\n  more\r\n\r\n  note\r\n"
	"### Task 1: One\n\n```\ncode\n```\n- [ ] c\n- [-] d\n## Validation Commands\n- `true`\n<!-- x -->\n* [/] \xc5\xbc\n"
	"\"quoted\"\"\",b\nid,description\n\"a\nb\",\"c\"\n";

/* How much is wrong with what a parser makes of it: a list that holds, or a fault that names the file. */
static int
wrong(const struct parser *p, const char *data, size_t len)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_import im;
	int n = 0;

	if (read_all(p, data, len, &im, &err) == 0) {
		for (size_t b = 0; b < im.n_boxes; b++)
			n += im.boxes[b].offset == 0 || im.bytes.data[im.boxes[b].offset - 1] != '[' ||
			     im.bytes.data[im.boxes[b].offset + 1] != ']' || im.boxes[b].task >= im.count;
		wisp_import_release(&im);
	} else {
		n = err.text == NULL || err.path == NULL || strcmp(err.path, "f") != 0;
	}
	wisp_err_release(&err);
	return n;
}

static void
cuts(void)
{
	int n = 0;

	for (size_t p = 0; p < sizeof parsers / sizeof *parsers; p++)
		for (size_t i = 0; i < sizeof plan; i++)
			n += wrong(&parsers[p], plan, i) + wrong(&parsers[p], plan + i, sizeof plan - 1 - i);
	CHECK_INT(n, 0, "no beginning and no end of a source breaks a parser");
}

static const struct {
	const char *name, *text, *error;
} faults[] = {
	{"csv", "description\n\"a\nb\n", "f:2: a quote that does not end"},
	{"csv", "description\na\n\"b\"c\n", "f:3: text behind a quote that has ended"},
	{"csv", "a,b\n", "f:1: no column is called description or title"},
	{"csv", "description\n\"x\ny\"\nb,c\n", "f:4: 2 fields, where the header has 1"},
	{"csv", "description,id\n\"a\nb\",x\nc,x\n", "f:4: tasks[1].id: 'x' is the id of task 1 already"},
	{"lines", " \n\t\n", "f: empty"},
	{"fixplan", "a\n", "f: there is no task in it"},
	{"ralphex", "# Plan\n\n### Task 7:\n", "f:3: a task without a description"},
};

static void
refusals(void)
{
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
		for (size_t p = 0; p < sizeof parsers / sizeof *parsers; p++) {
			struct wisp_err err = WISP_ERR_INIT;
			struct wisp_import im;

			if (strcmp(parsers[p].name, faults[i].name) != 0)
				continue;
			CHECK_INT(read_all(&parsers[p], faults[i].text, strlen(faults[i].text), &im, &err), -1, faults[i].text);
			CHECK_OWN(wisp_err_string(&err), faults[i].error, faults[i].text);
			wisp_err_release(&err);
		}
}

static void
losses(void)
{
	static const char text[] = "# T\nprose\n- [-] a\n- [ ] b\n# U\n";
	struct wisp_import im;

	CHECK_INT(read_all(&parsers[0], text, strlen(text), &im, NULL), 0, "a plan");
	CHECK_INT((long long)im.n_losses, 3, "three kinds");
	CHECK_STR(im.losses[0].what, "headings", "the first");
	CHECK(im.losses[0].line == 1 && im.losses[0].count == 2, "with its line and how many");
	CHECK_STR(im.losses[1].example, "prose", "an example of the second");
	CHECK_INT((long long)im.losses[2].line, 3, "the line of the third");
	wisp_import_release(&im);
	wisp_import_release(&im);
}

int
main(void)
{
	lines();
	words();
	cuts();
	refusals();
	losses();
	return unit_done();
}
