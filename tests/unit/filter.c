/*
 * filter: what a jq filter may do, and that it cannot do more. Every version of
 * libjq gives the same answers here.
 */
#include <unistd.h>

#include "core/filter.h"
#include "unit.h"

/* Numbers that no double holds are the nearest one, in every comparison. */
static const char json[] = "{\"a\": 1, \"s\": \"\xc3\xa9\\n\", \"l\": [1, 2]}",
	numbers[] = "{\"big\": 12345678901234567890, \"next\": 12345678901234567891, \"e\": 1e3, \"f\": 1.10, \"o\": 1e400}";
static struct cJSON *input;

static const struct {
	const char *filter, *results;
} good[] = {
	{".", "{\"a\":1,\"s\":\"\xc3\xa9\\n\",\"l\":[1,2]}\n"},
	{".a", "1\n"},
	{".l[]", "1\n2\n"},
	{"empty", ""},
	{".nothing", "null\n"},
	{"# a comment\n.a # and one more", "1\n"},
	{"# it ends with a backslash \\\n.a", "1\n"},
	{"# with one and a carriage return \\\r\n.a\r\n", "1\n"},
	{"# with two \\\\\n.a", "1\n"},
	{"\"two: \\\\\n\" | length", "7\n"},
	{".a # the last character is a backslash \\", "1\n"},
	{"def f: 1; f", "1\n"},
	{". as $x | $x.a", "1\n"},
	{".a, .l[0] as $x | $x", "1\n1\n"},
	{".a == 1 and (.l | length) == 2", "true\n"},
	{"[.l[] | . * 2] | add", "6\n"},
	{"1.1, 1e3, 1E-3, 1.10, 0.5e1, -0, nan", "1.1\n1000\n0.001\n1.1\n5\n-0\nnull\n"},
	{"{a: [1e3, {b: 1.0}]}", "{\"a\":[1000,{\"b\":1}]}\n"},
	{"12345678901234567890", "12345678901234567000\n"},
	{"1e1000, -1e1000", "1.7976931348623157e+308\n-1.7976931348623157e+308\n"},
	{".a < 1e1000", "true\n"},
	{"\"abc\" | test(\"B\"; \"i\")", "true\n"},
	{"reduce range(1000) as $i (0; . + $i)", "499500\n"},
	{"env | length", "0\n"},
	{"$ENV | length", "0\n"},
	{"env.HOME, $ENV.WISP_SECRET", "null\nnull\n"},
	{"get_search_list", "[]\n"},
	{"try error(\"x\") catch .", "\"x\"\n"},
	{".a | debug | stderr", "1\n"},
};

static const struct {
	const char *filter, *results;
} doubles[] = {
	{"[.e, .f]", "[1000,1.1]\n"},
	{".e, .f | tostring", "\"1000\"\n\"1.1\"\n"},
	{".big == .next", "true\n"},
	{".big < .next", "false\n"},
	{".big == 12345678901234567999", "true\n"},
	{"[.big, .next] | unique | length", "1\n"},
	{".big", "12345678901234567000\n"},
	{".o", "1.7976931348623157e+308\n"},
	{"{(.e | tojson): .f}", "{\"1000\":1.1}\n"},
};

static const struct {
	const char *filter, *part;	/* of the message */
} bad[] = {
	{"", "syntax error"},
	{" \n", "syntax error"},
	{"# a comment alone", "syntax error"},
	{"def f: 1;", "syntax error"},
	{".a |", "syntax error"},
	{"1), (2", "syntax error"},
	{"1], [2", "syntax error"},
	{"nothing_known", "nothing_known/0 is not defined"},
	{"$nothing", "$nothing is not defined"},
	{".a.b", "Cannot index number with"},
	{"error(\"mine\")", "mine"},
	{"error({a: 1})", "{\"a\":1}"},
	{"import \"m\" as m; m::f", "unexpected"},
	{"include \"m\"; f", "unexpected"},
	{"import \"m\" as m {search: \"DIR\"}; m::f", "unexpected"},
	{"include \"m\" {search: \"DIR\"}; f", "unexpected"},
	{"import \"d\" as $d {search: \"DIR\"}; $d", "unexpected"},
	{"\"m\" | modulemeta", "module not found"},
	{"input", "there is no more input"},
	{"halt", "it halts"},
	{"1, halt_error", "it halts"},
	{"range(1e9)", "it "},	/* too much or too long, as fast as it is */
	{"def f: f; f", "it takes more than 2 seconds"},
};

static void
gives(const char *filter, const struct cJSON *document, const char *results)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_buf out = WISP_BUF_INIT;
	int rc;

	wisp_buf_puts(&out, "before\n");
	rc = wisp_filter_run(filter, document, &out, &err);
	CHECK_INT(rc, 0, rc == 0 ? filter : err.text);
	CHECK_STR(out.data + strlen("before\n"), results, filter);
	wisp_buf_release(&out);
	wisp_err_release(&err);
}

static void
results(void)
{
	struct cJSON *document = wisp_json_parse(numbers, strlen(numbers), NULL, NULL);

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		gives(good[i].filter, input, good[i].results);
	for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++)
		gives(doubles[i].filter, document, doubles[i].results);
	gives(".", NULL, "null\n");
	wisp_json_free(document);
}

/* One of wisp's own may take longer than any other: it has not been ended when those would be. */
static void
own(void)
{
	static const char longer[] = "now as $begun | def f: if now - $begun > 2.2 then \"done\" else f end; f";
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_buf out = WISP_BUF_INIT;

	CHECK_INT(wisp_filter_run_own(longer, input, &out, &err), 0, "longer than two seconds");
	CHECK_STR(out.data, "\"done\"\n", "its result");
	wisp_buf_release(&out);
	wisp_err_release(&err);
}

static char *
with_dir(const char *filter, const char *dir)
{
	const char *at = strstr(filter, "DIR");

	return at == NULL ? wisp_strdup(filter) : wisp_str("%.*s%s%s", (int)(at - filter), filter, dir, at + 3);
}

static void
refusals(const char *dir)
{
	size_t i;

	for (i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct wisp_err err = WISP_ERR_INIT;
		struct wisp_buf out = WISP_BUF_INIT;
		char *filter = with_dir(bad[i].filter, dir);

		CHECK_INT(wisp_filter_run(filter, input, &out, &err), -1, filter);
		CHECK(err.text != NULL && strncmp(err.text, "filter '", 8) == 0 && strstr(err.text + 8, bad[i].part) != NULL,
		      err.text != NULL ? err.text : filter);
		CHECK(out.len == 0, "nothing of it is kept");
		wisp_err_release(&err);
		wisp_buf_release(&out);
		free(filter);
	}
}

static void
booleans(void)
{
	struct wisp_err err = WISP_ERR_INIT;

	CHECK_INT(wisp_filter_bool(".a == 1", input, &err), 1, "true");
	CHECK_INT(wisp_filter_bool(".a == 2", input, &err), 0, "false");
	CHECK_INT(wisp_filter_bool(".a", input, &err), -1, "a number");
	CHECK_STR(err.text, "filter '.a': expected true or false, not 1", "its message");
	CHECK_INT(wisp_filter_bool("null", input, NULL), -1, "null is not false");
	CHECK_INT(wisp_filter_bool("\"true\"", input, NULL), -1, "a string");
	CHECK_INT(wisp_filter_bool("true, true", input, NULL), -1, "two");
	wisp_err_release(&err);
	CHECK_INT(wisp_filter_bool("empty", input, &err), -1, "none");
	CHECK_STR(err.text, "filter 'empty': expected true or false, not nothing", "its message");
	wisp_err_release(&err);
}

int
main(void)
{
	char dir[] = "/tmp/wisp-unit-filter-XXXXXX", *module, *data;

	if (mkdtemp(dir) == NULL)
		die_sys("cannot make '%s'", dir);
	module = wisp_str("%s/m.jq", dir);
	data = wisp_str("%s/d.json", dir);
	if (wisp_file_write(module, "def f: 1;", 9, WISP_NOSYNC) < 0 || wisp_file_write(data, "1", 1, WISP_NOSYNC) < 0)
		die_sys("cannot write '%s'", module);
	setenv("WISP_SECRET", "x", 1);
	setenv("HOME", dir, 1);
	input = wisp_json_parse(json, strlen(json), NULL, NULL);
	results();
	own();
	refusals(dir);
	booleans();
	wisp_json_free(input);
	free(module);
	free(data);
	CHECK_INT(wisp_dir_remove(dir), 0, "clean up");
	return unit_done();
}
