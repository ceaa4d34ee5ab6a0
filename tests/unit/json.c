/*
 * json: the document model. The first tests are the holes of cJSON that it closes.
 */
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/json.h"
#include "unit.h"

/* The document, or NULL with what is wrong printed: the tests go on to say what they miss. */
static struct cJSON *
parse(const char *text)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *v = wisp_json_parse(text, strlen(text), NULL, &err);
	char *s;

	if (v == NULL) {
		s = wisp_err_string(&err);
		printf("# %s\n", s);
		free(s);
		wisp_err_release(&err);
	}
	return v;
}

static char *
compact(const struct cJSON *v)
{
	struct wisp_buf out = WISP_BUF_INIT;

	wisp_json_print_compact(&out, v);
	return wisp_buf_detach(&out);
}

static void
test_holes(void)
{
	static const struct {
		const char *text;
		size_t len;
		const char *want;
	} t[] = {
		{"{} x", 4, "f:1:4: text after the value"},
		{"{\"a\": 1, \"a\": 2}", 16, "f:1:10: duplicate key 'a'"},
		{"[\"a\0b\"]", 7, "f:1:4: a NUL byte"},
		{"[\"a\\u0000b\"]", 12, "f:1:4: a NUL as \\u0000"},
		{"{\"a\": NaN}", 10, "f:1:7: NaN and Infinity are not JSON"},
		{"[\"\xff\"]", 5, "f:1:3: invalid UTF-8"},
		{"[01]", 4, "f:1:2: a leading zero"},
		{"{}", 1, "f:1:2: unexpected end of JSON"},
	};
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *v;
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		CHECK(wisp_json_parse(t[i].text, t[i].len, "f", &err) == NULL, t[i].want);
		CHECK_OWN(wisp_err_string(&err), t[i].want, "is why");
		wisp_err_release(&err);
	}
	v = parse("{\"passes\": false, \"Passes\": true}");
	CHECK(!wisp_json_bool(v, "passes", true) && wisp_json_bool(v, "Passes", false), "keys are told apart by case");
	CHECK(wisp_json_get(v, "PASSES") == NULL, "and none answers for another");
	wisp_json_drop(v, "PASSES");
	wisp_json_set_num(v, "PASSES", 1);
	wisp_json_drop(v, "passes");
	CHECK_OWN(compact(v), "{\"Passes\":true,\"PASSES\":1}", "when written neither");
	wisp_json_free(v);
}

static void
test_numbers(void)
{
	static const struct {
		const char *text;
		double d;
		long long i;	/* -7: not an integer that can be trusted */
		const char *printed;
	} t[] = {
		{"0", 0, 0, "0"}, {"-0", 0, 0, "0"}, {"-0.0", 0, 0, "0"}, {"1", 1, 1, "1"}, {"1.0", 1, 1, "1"},
		{"-17", -17, -17, "-17"}, {"1e3", 1000, 1000, "1000"}, {"2147483648", 2147483648.0, 2147483648, "2147483648"},
		{"1768568400123", 1768568400123.0, 1768568400123, "1768568400123"},
		{"9007199254740992", 9007199254740992.0, 9007199254740992, "9007199254740992"},
		{"9007199254740994", 9007199254740994.0, -7, "9007199254740994"},
		{"-9007199254740992", -9007199254740992.0, -9007199254740992, "-9007199254740992"},
		{"-9007199254740994", -9007199254740994.0, -7, "-9007199254740994"},
		{"1.5", 1.5, -7, "1.5"}, {"0.1", 0.1, -7, "0.1"}, {"0.30000000000000004", 0.30000000000000004, -7, "0.30000000000000004"},
		{"3.141592653589793", 3.141592653589793, -7, "3.141592653589793"}, {"5e-324", 5e-324, -7, "5e-324"},
		{"1e20", 1e20, -7, "1e+20"}, {"1e21", 1e21, -7, "1e+21"}, {"123456789012345678901234567890", 1.2345678901234568e29, -7, "1.2345678901234568e+29"},
		{"1e999", 1.7976931348623157e308, -7, "1.7976931348623157e+308"}, {"-1e999", -1.7976931348623157e308, -7, "-1.7976931348623157e+308"},
		{"1e-999", 0, 0, "0"},
		{"1000000000000000000000000000000000000000000000000000000000000000000000e-69", 1, 1, "1"},
	};
	struct cJSON *v, *again;
	char *text, *s;
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		text = wisp_str("{\"n\": %s}", t[i].text);
		v = parse(text);
		CHECK(wisp_json_num(v, "n", -1) == t[i].d, t[i].text);
		CHECK_INT(wisp_json_int(v, "n", -7), t[i].i, "as an integer");
		s = compact(wisp_json_get(v, "n"));
		CHECK_STR(s, t[i].printed, "as text");
		again = parse(s);
		CHECK(wisp_json_equal(again, wisp_json_get(v, "n")), "which is read back the same");
		wisp_json_free(again);
		wisp_json_free(v);
		free(s);
		free(text);
	}
	v = wisp_json_double(NAN);
	CHECK_OWN(compact(v), "null", "NaN is null");
	wisp_json_free(v);
	v = wisp_json_double(-INFINITY);
	CHECK_OWN(compact(v), "null", "so is an infinity");
	wisp_json_free(v);
}

/* A text that was cut in the middle of a character beyond 16 bits. */
static void
test_surrogates(void)
{
	static const struct {
		const char *text, *want;
	} t[] = {
		{"\\ud83d\\ude00", "\xf0\x9f\x98\x80"}, {"a\\ud83d b", "a\xef\xbf\xbd b"}, {"\\ud83d", "\xef\xbf\xbd"},
		{"\\ude00b", "\xef\xbf\xbd" "b"}, {"\\ud83d\\n", "\xef\xbf\xbd\n"}, {"\\ud83d\\u0041", "\xef\xbf\xbd" "A"},
		{"\\ud83d\\ud83d\\ude00", "\xef\xbf\xbd\xf0\x9f\x98\x80"}, {"\\ude00\\ud83d", "\xef\xbf\xbd\xef\xbf\xbd"},
	};

	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		char *text = wisp_str("{\"n\": \"%s\"}", t[i].text);
		struct cJSON *v = parse(text);

		CHECK_STR(wisp_json_str(v, "n", NULL), t[i].want, t[i].text);
		wisp_json_free(v);
		free(text);
	}
}

static void
test_getters(void)
{
	struct cJSON *v = parse("{\"s\": \"\\u00e9\\n\", \"n\": 2.5, \"b\": true, \"z\": null, \"a\": [1, [2], {}], \"o\": {\"k\": \"\"}, \"\": 0}");
	static const char *const keys[] = {"s", "n", "b", "z", "a", "o", "none"};
	static const char *const types[] = {"a string", "a number", "a boolean", "null", "an array", "an object", "nothing"};
	const struct cJSON *e;
	char *s;
	size_t i;

	for (i = 0; i < sizeof keys / sizeof *keys; i++)
		CHECK_STR(wisp_type_name(wisp_json_type(wisp_json_get(v, keys[i]))), types[i], keys[i]);
	CHECK_STR(wisp_json_str(v, "s", "-"), "\xc3\xa9\n", "a string");
	CHECK_STR(wisp_json_str(v, "n", "-"), "-", "is none");
	CHECK_STR(wisp_json_str(v, "z", NULL), NULL, "nor is null");
	CHECK_STR(wisp_json_str(wisp_json_get(v, "o"), "k", "-"), "", "an empty one");
	CHECK(wisp_json_num(v, "n", 0) == 2.5 && wisp_json_num(v, "s", 7) == 7, "a number");
	CHECK_INT(wisp_json_int(v, "s", 7), 7, "no integer");
	CHECK(wisp_json_bool(v, "b", false) && wisp_json_bool(v, "n", true) && !wisp_json_bool(v, "n", false), "a boolean");
	CHECK(wisp_json_true(wisp_json_get(v, "b")) && !wisp_json_true(wisp_json_get(v, "n")) && !wisp_json_true(NULL), "true is nothing else");
	CHECK_STR(wisp_json_text(wisp_json_get(v, "a"), "-"), "-", "an array is no text");
	CHECK(wisp_json_number(NULL, 3) == 3, "nothing is no number");
	CHECK_STR(wisp_json_str(wisp_json_get(wisp_json_get(NULL, "x"), "y"), "z", "-"), "-", "getters chain over nothing");
	CHECK(wisp_json_get(wisp_json_get(v, "a"), "0") == NULL, "an array has no keys");
	CHECK_INT(wisp_json_len(v), 7, "members");
	CHECK_INT(wisp_json_len(wisp_json_get(v, "a")), 3, "elements");
	CHECK(wisp_json_len(NULL) == 0 && wisp_json_len(wisp_json_get(v, "s")) == 0, "of what is no container");
	CHECK(wisp_json_first(wisp_json_get(v, "s")) == NULL && wisp_json_first(NULL) == NULL && wisp_json_next(NULL) == NULL, "nor first nor next");
	CHECK(wisp_json_key(NULL) == NULL, "no key of nothing");
	for (e = wisp_json_first(v), i = 0; e != NULL && i < 6; e = wisp_json_next(e), i++)
		CHECK_STR(wisp_json_key(e), keys[i], "in order");
	s = compact(v);
	CHECK_STR(s, "{\"s\":\"\xc3\xa9\\n\",\"n\":2.5,\"b\":true,\"z\":null,\"a\":[1,[2],{}],\"o\":{\"k\":\"\"},\"\":0}", "printed");
	free(s);
	wisp_json_free(v);
	wisp_json_free(NULL);
}

static void
test_setters(void)
{
	struct cJSON *v = wisp_json_object(), *a, *o;

	wisp_json_set_str(v, "s", "x");
	wisp_json_set_num(v, "n", 1);
	wisp_json_set_bool(v, "b", true);
	wisp_json_set_str(v, "z", NULL);
	CHECK_OWN(compact(v), "{\"s\":\"x\",\"n\":1,\"b\":true,\"z\":null}", "added in order");
	wisp_json_set_str(v, "n", "one");
	wisp_json_set_null(v, "s");
	wisp_json_set_num(v, "z", 3);
	CHECK_OWN(compact(v), "{\"s\":null,\"n\":\"one\",\"b\":true,\"z\":3}", "replaced in place");
	wisp_json_set_str(v, "n", wisp_json_str(v, "n", NULL));
	CHECK_STR(wisp_json_str(v, "n", NULL), "one", "set from itself");
	wisp_json_drop(v, "s");
	wisp_json_drop(v, "z");
	wisp_json_drop(v, "none");
	wisp_json_set_num(v, "last", 9);
	CHECK_OWN(compact(v), "{\"n\":\"one\",\"b\":true,\"last\":9}", "dropped, and added after that");
	a = wisp_json_array_at(v, "a");
	wisp_json_push(a, wisp_json_double(1));
	wisp_json_push(a, wisp_json_string("two"));
	wisp_json_push(a, NULL);
	wisp_json_push(wisp_json_array_at(v, "a"), wisp_json_array());
	wisp_json_shift(a);
	CHECK_OWN(compact(a), "[\"two\",null,[]]", "pushed and shifted");
	wisp_json_shift(a);
	wisp_json_shift(a);
	wisp_json_shift(a);
	wisp_json_shift(a);
	wisp_json_push(a, wisp_json_boolean(false));
	CHECK_OWN(compact(a), "[false]", "emptied, and pushed again");
	o = wisp_json_object_at(v, "b");
	wisp_json_set_num(o, "x", 1);
	CHECK_OWN(compact(wisp_json_get(v, "b")), "{\"x\":1}", "an object in the place of something else");
	CHECK(wisp_json_object_at(v, "b") == o, "and then that one");
	o = wisp_json_take(v, "b");
	CHECK(wisp_json_take(v, "b") == NULL, "taken once");
	wisp_json_set(v, "n", wisp_json_copy(o));
	wisp_json_set_num(o, "x", 2);
	CHECK_OWN(compact(v), "{\"n\":{\"x\":1},\"last\":9,\"a\":[false]}", "a copy stands alone");
	wisp_json_set(v, "n", wisp_json_get(v, "n"));
	wisp_json_push(wisp_json_array_at(v, "a"), o);
	CHECK_OWN(compact(v), "{\"n\":{\"x\":1},\"last\":9,\"a\":[false,{\"x\":2}]}", "what is taken can be put elsewhere");
	CHECK(wisp_json_copy(NULL) == NULL, "a copy of nothing");
	wisp_json_free(v);
}

static void
test_equal(void)
{
	static const struct {
		const char *a, *b;
		bool want;
	} t[] = {
		{"1", "1.0", true}, {"1", "2", false}, {"1", "\"1\"", false}, {"true", "true", true}, {"true", "false", false},
		{"null", "null", true}, {"null", "false", false}, {"\"a\"", "\"\\u0061\"", true}, {"\"a\"", "\"A\"", false},
		{"[]", "[]", true}, {"[]", "{}", false}, {"{}", "{}", true}, {"[1,2]", "[1,2]", true}, {"[1,2]", "[2,1]", false},
		{"[1]", "[1,2]", false}, {"[1,2]", "[1]", false}, {"{\"a\":1,\"b\":[{}]}", "{\"b\":[{}],\"a\":1}", true},
		{"{\"a\":1}", "{\"A\":1}", false}, {"{\"a\":1}", "{\"a\":1,\"b\":2}", false}, {"{\"a\":1,\"b\":2}", "{\"a\":1}", false},
		{"{\"a\":1,\"b\":2}", "{\"a\":2,\"b\":1}", false}, {"0.1", "0.10000000000000001", true}, {"1", "1.0000000000000002", false},
	};
	struct cJSON *a, *b;
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		a = parse(t[i].a);
		b = parse(t[i].b);
		CHECK(wisp_json_equal(a, b) == t[i].want && wisp_json_equal(b, a) == t[i].want, t[i].a);
		wisp_json_free(a);
		wisp_json_free(b);
	}
	CHECK(wisp_json_equal(NULL, NULL), "nothing is like nothing");
}

static void
test_print(void)
{
	struct cJSON *v = parse("{\"a\":[1,[],{}],\"b\":{\"c\":{\"d\":\"x\\ty\"}},\"e\":[]}");
	struct wisp_buf out = WISP_BUF_INIT;

	wisp_json_print(&out, v);
	CHECK_STR(out.data, "{\n  \"a\": [\n    1,\n    [],\n    {}\n  ],\n  \"b\": {\n    \"c\": {\n"
		  "      \"d\": \"x\\ty\"\n    }\n  },\n  \"e\": []\n}\n", "as JSON.stringify(v, null, 2)");
	wisp_json_free(v);
	v = wisp_json_string("\xff\"\\\n");
	wisp_buf_reset(&out);
	wisp_json_print(&out, v);
	CHECK_STR(out.data, "\"\xef\xbf\xbd\\\"\\\\\\n\"\n", "whatever a string holds");
	wisp_json_free(v);
	wisp_buf_release(&out);
}

static void
test_load(void)
{
	static const struct {
		const char *text, *verdict, *err;
	} t[] = {
		{NULL, "missing", "f: missing"},
		{"", "empty", "f: empty"},
		{" \r\n\t", "empty", "f: empty"},
		{"\xef\xbb\xbf\n", "empty", "f: empty"},
		{"\xef\xbb\xbf{\"a\": 1}\r\n", "valid", ""},
		{"null", "valid", ""},
		{"{\n \"a\" 1}", "malformed", "f:2:6: expected a colon"},
	};
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_buf bytes = WISP_BUF_INIT;
	enum wisp_verdict verdict;
	struct cJSON *v = NULL;
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		if (t[i].text != NULL && wisp_file_write("f", t[i].text, strlen(t[i].text), WISP_NOSYNC) < 0)
			die_sys("cannot write 'f'");
		verdict = wisp_json_load("f", &v, &err);
		CHECK_STR(wisp_verdict_name(verdict), t[i].verdict, t[i].text != NULL ? t[i].text : "no file");
		CHECK_OWN(wisp_err_string(&err), t[i].err, "is why");
		CHECK((v != NULL) == (verdict == WISP_VALID), "a document only if it is valid");
		wisp_err_release(&err);
		wisp_json_free(v);
		v = NULL;
	}
	wisp_buf_puts(&bytes, "> ");
	CHECK_INT(wisp_json_read("f", &bytes, &v, &err), WISP_MALFORMED, "read with its bytes");
	CHECK_STR(bytes.data, "> {\n \"a\" 1}", "which are appended");
	wisp_buf_release(&bytes);
	wisp_err_release(&err);
	unlink("f");
	CHECK_STR(wisp_verdict_name(wisp_json_load(".", &v, &err)), "unreadable", "a folder");
	CHECK_STR(err.text, "cannot read: not a regular file", "is why");
	CHECK_STR(wisp_verdict_name(wisp_json_load(".", &v, NULL)), "unreadable", "and nobody has to know");
	CHECK_STR(wisp_verdict_name(WISP_INVALID), "invalid", "the verdict that others give");
	wisp_err_release(&err);
}

static void
test_load_large(void)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *v = NULL;

	CHECK_INT(wisp_file_write("f", "1", 1, WISP_NOSYNC), 0, "a file");
	CHECK_INT(truncate("f", (off_t)WISP_FILE_MAX + 1), 0, "that is too large");
	CHECK_STR(wisp_verdict_name(wisp_json_load("f", &v, &err)), "malformed", "is refused");
	CHECK_STR(err.text, "larger than 64 MiB", "for that");
	wisp_err_release(&err);
	unlink("f");
}

static void
test_write(void)
{
	struct cJSON *v = parse("{\"a\": [1.5]}"), *again = NULL;

	CHECK_INT(wisp_json_write("f", v, WISP_NOSYNC), 0, "written");
	CHECK_INT(wisp_json_load("f", &again, NULL), WISP_VALID, "and read");
	CHECK(wisp_json_equal(v, again), "are the same");
	CHECK_INT(wisp_json_write("none/f", v, WISP_NOSYNC), -1, "an error is handed on");
	wisp_json_free(again);
	wisp_json_free(v);
	unlink("f");
}

static void
test_salvage(void)
{
	static const struct {
		const char *text;
		const char *want;
		bool whole;
	} t[] = {
		{"{\"a\": 1}", "{\"a\":1}", true},
		{"\xef\xbb\xbf{\"a\": 1}\r\n", "{\"a\":1}", true},
		{"{\"a\": \"x\\u0000y\"}", "{\"a\":\"x\xef\xbf\xbdy\"}", true},
		{"{\"a\": \"\xff\"}", "{\"a\":\"\xef\xbf\xbd\"}", true},
		{"{\"a\": 1, \"a\": 2}", "{\"a\":1,\"a\":2}", true},
		{"{\"a\": 1} x", "{\"a\":1}", false},
		{"{\"a\": 1, \"b\": \"x", "{\"a\":1}", false},
		{"{\"a\": 1, \"b\": [tru", "{\"a\":1,\"b\":[]}", false},
		{"{\"a\": 1, \"b", "{\"a\":1}", false},
		{"", NULL, false},
		{"words", NULL, false},
	};
	static const char deep[] = "{\"a\": 1, \"b\": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[";
	struct cJSON *v;
	char *text;
	bool whole;

	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		v = wisp_json_salvage(t[i].text, strlen(t[i].text), &whole);
		text = v != NULL ? compact(v) : NULL;
		CHECK_STR(text, t[i].want, t[i].text);
		CHECK_INT(whole, t[i].whole, t[i].text);
		wisp_json_free(v);
		free(text);
	}
	v = wisp_json_salvage("{\"a\": \"x\0y\"}", 12, &whole);
	CHECK_STR(wisp_json_str(v, "a", NULL), "x\xef\xbf\xbdy", "a NUL");
	wisp_json_free(v);
	/* Deeper than can be: what came before is there. */
	v = wisp_json_salvage(deep, sizeof deep - 1, &whole);
	CHECK_INT(wisp_json_int(v, "a", 0), 1, "deep");
	wisp_json_free(v);
}

int
main(void)
{
	const char *tmp = getenv("TMPDIR");
	char *dir = wisp_str("%s/unit-json-XXXXXX", tmp != NULL ? tmp : "/tmp");

	if (mkdtemp(dir) == NULL || chdir(dir) < 0)
		die_sys("cannot make '%s'", dir);
	test_holes();
	test_salvage();
	test_numbers();
	test_surrogates();
	test_getters();
	test_setters();
	test_equal();
	test_print();
	test_load();
	test_load_large();
	test_write();
	if (chdir("/") < 0 || wisp_dir_remove(dir) < 0)
		die_sys("cannot remove '%s'", dir);
	free(dir);
	return unit_done();
}
