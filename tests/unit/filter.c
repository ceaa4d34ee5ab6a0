/*
 * filter: what a jq filter may do, and that it cannot do more. Answers that
 * differ between versions of libjq are not asked for.
 */
#include <unistd.h>

#include "core/filter.h"
#include "unit.h"

static struct cJSON *input;

static const struct {
	const char *filter, *results;
} good[] = {
	{".", "{\"a\":1,\"s\":\"\xc3\xa9\\n\",\"l\":[1,2]}\n"},
	{".a", "1\n"},
	{".l[]", "1\n2\n"},
	{"empty", ""},
	{".nothing", "null\n"},
	{"", "{\"a\":1,\"s\":\"\xc3\xa9\\n\",\"l\":[1,2]}\n"},
	{".a == 1 and (.l | length) == 2", "true\n"},
	{"[.l[] | . * 2] | add", "6\n"},
	{"1.1, 1e3, nan", "1.1\n1000\nnull\n"},
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
	const char *filter, *part;	/* of the message */
} bad[] = {
	{".a |", "syntax error"},
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
results(void)
{
	struct wisp_err err = WISP_ERR_INIT;
	size_t i;

	for (i = 0; i < sizeof good / sizeof *good; i++) {
		struct wisp_buf out = WISP_BUF_INIT;

		wisp_buf_puts(&out, "before\n");
		CHECK_INT(wisp_filter_run(good[i].filter, input, &out, &err), 0, good[i].filter);
		CHECK_STR(out.data + strlen("before\n"), good[i].results, good[i].filter);
		wisp_buf_release(&out);
	}
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
	static const char json[] = "{\"a\": 1, \"s\": \"\xc3\xa9\\n\", \"l\": [1, 2]}";
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
