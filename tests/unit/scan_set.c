/*
 * scan_set: paths, the value that one leads to, and changes that touch no other byte.
 */
#include "core/scan.h"
#include "unit.h"

static void
test_path(void)
{
	static const struct {
		const char *text, *want;	/* steps as K:key or I:index, or what is wrong */
	} t[] = {
		{".", ""},
		{".a", "K:a "},
		{".a.b[0][\"c d\"]", "K:a K:b I:0 K:c d "},
		{".[3]", "I:3 "},
		{".[\"\"]", "K: "},
		{"._a-b9", "K:_a-b9 "},
		{".a[\"\\u00e9\\\"]\"]", "K:a K:\xc3\xa9\"] "},
		{".a[0012]", "K:a I:12 "},
		{"", "'' is not a path: byte 1"},
		{"a", "'a' is not a path: byte 1"},
		{"[0]", "'[0]' is not a path: byte 1"},
		{"..", "'..' is not a path: byte 2"},
		{".a.", "'.a.' is not a path: byte 4"},
		{".a..b", "'.a..b' is not a path: byte 4"},
		{".9", "'.9' is not a path: byte 2"},
		{".a b", "'.a b' is not a path: byte 3"},
		{".a[", "'.a[' is not a path: byte 4"},
		{".a[]", "'.a[]' is not a path: byte 4"},
		{".a[-1]", "'.a[-1]' is not a path: byte 4"},
		{".a[1", "'.a[1' is not a path: byte 5"},
		{".a[1]b", "'.a[1]b' is not a path: byte 6"},
		{".a.[0]", "'.a.[0]' is not a path: byte 4"},
		{".a[\"b]", "'.a[\"b]' is not a path: byte 7"},
		{".a[\"b\"x]", "'.a[\"b\"x]' is not a path: byte 7"},
		{".a[\"\\u0000\"]", "'.a[\"\\u0000\"]' is not a path: byte 10"},
		{".a['b']", "'.a['b']' is not a path: byte 4"},
		{".a[99999999999999999999]", "'.a[99999999999999999999]' is not a path: byte 13"},
	};
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_path path;
	struct wisp_buf got;
	size_t i, j;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		got = (struct wisp_buf)WISP_BUF_INIT;
		if (wisp_path_parse(&path, t[i].text, &err) < 0)
			wisp_buf_puts(&got, err.text);
		for (j = 0; j < path.count; j++)
			if (path.steps[j].key != NULL)
				wisp_buf_printf(&got, "K:%s ", path.steps[j].key);
			else
				wisp_buf_printf(&got, "I:%zu ", path.steps[j].index);
		CHECK_OWN(wisp_buf_detach(&got), t[i].want, t[i].text);
		wisp_path_release(&path);
		wisp_path_release(&path);
	}
	wisp_err_release(&err);
}

static struct wisp_path
parse(const char *text)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_path path;

	if (wisp_path_parse(&path, text, &err) < 0)
		die_err(&err);
	return path;
}

static void
test_find(void)
{
	static const char doc[] = "\xef\xbb\xbf{ \"a\": {\"b\": [10, {\"c d\": \"x\"}, []]},\n"
				  "  \"x\": {\"a\": {\"b\": 1}}, \"\\u0065\": -1.5, \"A\": null, \"\": {}, \"l\": [[4], [5, [7]]] }\n";
	static const struct {
		const char *path, *want;	/* the value, or the number of steps found and the deepest */
	} t[] = {
		{".a.b[0]", "10"},
		{".a.b", "[10, {\"c d\": \"x\"}, []]"},
		{".a.b[1]", "{\"c d\": \"x\"}"},
		{".a.b[1][\"c d\"]", "\"x\""},
		{".a.b[2]", "[]"},
		{".x.a.b", "1"},
		{".l[1][1][0]", "7"},
		{".l[1][2]", "2 [5, [7]]"},
		{".e", "-1.5"},
		{".A", "null"},
		{".[\"\"]", "{}"},
		{".b", "0 {"},
		{".a.c", "1 {\"b\": [10, {\"c d\": \"x\"}, []]}"},
		{".a.b[3]", "2 [10, {\"c d\": \"x\"}, []]"},
		{".a.b.c", "2 [10, {\"c d\": \"x\"}, []]"},
		{".a[0]", "1 {\"b\": [10, {\"c d\": \"x\"}, []]}"},
		{".a.b[0].c", "3 10"},
		{".a.b[2][0]", "3 []"},
		{".e[0]", "1 -1.5"},
		{".[\"\"].a", "1 {}"},
		{".aa", "0 {"},
		{".x.a.b.c.d", "3 1"},
	};
	struct wisp_span span;
	struct wisp_path path;
	struct wisp_buf got;
	size_t i, depth, len;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		got = (struct wisp_buf)WISP_BUF_INIT;
		path = parse(t[i].path);
		if (wisp_scan_find(doc, sizeof doc - 1, &path, &span, &depth) == 0)
			CHECK_INT(depth, path.count, "all steps are found");
		else
			wisp_buf_printf(&got, "%zu ", depth);
		len = span.end - span.start;
		/* The whole document is too long to show. */
		wisp_buf_add(&got, doc + span.start, depth == 0 ? 1 : len);
		CHECK_OWN(wisp_buf_detach(&got), t[i].want, t[i].path);
		wisp_path_release(&path);
	}
	path = parse(".");
	CHECK_INT(wisp_scan_find(doc, sizeof doc - 1, &path, &span, NULL), 0, "the whole is there");
	CHECK(span.start == 3 && span.end == sizeof doc - 2, "without the byte-order mark and the line feed");
	CHECK_INT(wisp_scan_find("12", 2, &path, &span, NULL), 0, "a number at the very end");
	CHECK(span.start == 0 && span.end == 2, "has its span");
}

#define DEEP "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"

static void
test_set(void)
{
	static const struct {
		const char *doc, *path, *value, *want;
	} t[] = {
		/* replaced: no other byte changes */
		{"{\"a\": 1}", ".a", "2", "{\"a\": 2}"},
		{"{ \"n\" :12345678901234567890,\t\"p\":1.10 , \"a\":false}\r\n", ".a", "true",
		  "{ \"n\" :12345678901234567890,\t\"p\":1.10 , \"a\":true}\r\n"},
		{"\xef\xbb\xbf[1,2]", ".[1]", "{}", "\xef\xbb\xbf[1,{}]"},
		{"1", ".", "2", "2"},
		{" 1 \n", ".", " [2] \n", " [2] \n"},
		{"{\"a\": {\"b\": 1}}", ".a", "null", "{\"a\": null}"},
		{"{\"\\u0061\": 1}", ".a", "2", "{\"\\u0061\": 2}"},
		{"[1]", ".[0]", "\xef\xbb\xbf 2\r\n", "[2]"},
		/* added to neighbours */
		{"{\"a\":1}", ".b", "2", "{\"a\":1,\"b\":2}"},
		{"{\"a\": 1}", ".b", "2", "{\"a\": 1, \"b\": 2}"},
		{"{ \"a\": 1 }", ".b", "2", "{ \"a\": 1, \"b\": 2 }"},
		{"{\"a\" : 1 , \"b\" : 2 }", ".c", "3", "{\"a\" : 1 , \"b\" : 2 , \"c\" : 3 }"},
		{"[1,2]", ".[2]", "3", "[1,2,3]"},
		{"[1, 2]", ".[2]", "3", "[1, 2, 3]"},
		{"[ 1 ]", ".[1]", "2", "[ 1,2 ]"},
		{"{\"a\": [1]}", ".a[1]", "2", "{\"a\": [1, 2]}"},
		{"{\n  \"a\": 1\n}\n", ".b", "2", "{\n  \"a\": 1,\n  \"b\": 2\n}\n"},
		{"{\n    \"a\": 1,\n    \"b\": 2\n}\n", ".c", "3", "{\n    \"a\": 1,\n    \"b\": 2,\n    \"c\": 3\n}\n"},
		{"{\r\n\t\"a\": 1\r\n}\r\n", ".b", "2", "{\r\n\t\"a\": 1,\r\n\t\"b\": 2\r\n}\r\n"},
		{"{\n\"a\": 1\n}", ".b", "2", "{\n\"a\": 1,\n\"b\": 2\n}"},
		{"[\n  1\n , 2\n]", ".[2]", "3", "[\n  1\n , 2\n , 3\n]"},
		{"{\"a\": {\"x\": [{}]}, \"b\": 1}", ".a.y", "2", "{\"a\": {\"x\": [{}], \"y\": 2}, \"b\": 1}"},
		{"{\"a\": 1}", ".[\"c d\\n\\\"\"]", "2", "{\"a\": 1, \"c d\\n\\\"\": 2}"},
		{"{\"A\": 1}", ".a", "2", "{\"A\": 1, \"a\": 2}"},
		/* the first of its container */
		{"{}", ".a", "1", "{\n  \"a\": 1\n}"},
		{"{}\n", ".a", "1", "{\n  \"a\": 1\n}\n"},
		{"\xef\xbb\xbf{ }\r\n", ".a", "1", "\xef\xbb\xbf{\r\n  \"a\": 1\r\n}\r\n"},
		{"[]", ".[0]", "1", "[\n  1\n]"},
		{"{\"a\":{}}", ".a.b", "1", "{\"a\":{\"b\":1}}"},
		{"{\"a\": []}\n", ".a[0]", "1", "{\"a\": [1]}\n"},
		{"[{}]", ".[0].a", "1", "[{\"a\": 1}]"},
		{"{\n  \"a\": {}\n}", ".a.b", "1", "{\n  \"a\": {\n    \"b\": 1\n  }\n}"},
		{"{\r\n\t\"a\": [\r\n\t]\r\n}", ".a[0]", "1", "{\r\n\t\"a\": [\r\n\t\t1\r\n\t]\r\n}"},
		{"{\n    \"a\": [\n        {}\n    ]\n}", ".a[0].b", "1",
		  "{\n    \"a\": [\n        {\n            \"b\": 1\n        }\n    ]\n}"},
		/* values of several lines take the document's indentation and line ends */
		{"{\n\t\"a\": [\n\t\t1\n\t]\n}", ".a[1]", "{\n  \"b\": [\n    2\n  ]\n}\n",
		  "{\n\t\"a\": [\n\t\t1,\n\t\t{\n\t\t\t\"b\": [\n\t\t\t\t2\n\t\t\t]\n\t\t}\n\t]\n}"},
		{"{\r\n    \"a\": 1\r\n}", ".a", "[\n  1\n]", "{\r\n    \"a\": [\r\n        1\r\n    ]\r\n}"},
		{"{\n  \"a\": 1\n}", ".a", "[\r\n\t1\r\n]", "{\n  \"a\": [\n    1\n  ]\n}"},
		/* no place */
		{"{\"a\": 1}", ".b.c", "2", "1"},
		{"{\"a\": 1}", ".a.b", "2", "1"},
		{"{\"a\": 1}", ".[0]", "2", "1"},
		{"[1]", ".a", "2", "1"},
		{"[1]", ".[2]", "2", "1"},
		{"[]", ".[1]", "2", "1"},
		{"[[]]", ".[0].a", "2", "1"},
		{"\"text\"", ".[0]", "2", "1"},
		/* no value */
		{"{\"a\": 1}", ".a", "", "-1 1:1: no value"},
		{"{\"a\": 1}", ".a", "2 3", "-1 1:3: text after the value"},
		{"{\"a\": 1}", ".a", "2, \"b\": 3", "-1 1:2: text after the value"},
		{"{\"a\": 1}", ".a", "{\"x\": 1, \"x\": 2}", "-1 1:10: duplicate key 'x'"},
		{"{\"a\": 1}", ".a", DEEP, "-1 1:70: nested deeper than 64"},
		{"{\"a\": 1}", ".b.c", "x", "-1 1:1: expected a value"},
	};
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_buf doc = WISP_BUF_INIT;
	struct wisp_path path;
	char *text;
	size_t i;
	int rc;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		wisp_buf_reset(&doc);
		wisp_buf_puts(&doc, t[i].doc);
		path = parse(t[i].path);
		rc = wisp_scan_set(&doc, &path, t[i].value, &err);
		if (rc != 0) {
			CHECK_STR(doc.data, t[i].doc, "the document is as it was");
			wisp_buf_reset(&doc);
			text = rc < 0 ? wisp_err_string(&err) : wisp_strdup("");
			wisp_buf_printf(&doc, "%d%s%s", rc, rc < 0 ? " " : "", text);
			free(text);
		}
		CHECK_STR(doc.data, t[i].want, t[i].doc);
		wisp_err_release(&err);
		wisp_path_release(&path);
	}
	wisp_buf_release(&doc);
}

static void
test_quote(void)
{
	static const struct {
		const char *text;
		size_t len;
		const char *want;
	} t[] = {
		{"", 0, "\"\""},
		{"plain", 5, "\"plain\""},
		{"\"\\/", 3, "\"\\\"\\\\/\""},
		{"\b\f\n\r\t", 5, "\"\\b\\f\\n\\r\\t\""},
		{"\x01\x1f\x7f", 3, "\"\\u0001\\u001f\x7f\""},
		{"a\0b", 3, "\"ab\""},
		{"\xc3\xa9\xf0\x9f\x98\x80", 6, "\"\xc3\xa9\xf0\x9f\x98\x80\""},
		{"\xff" "a", 2, "\"\xef\xbf\xbd" "a\""},
		{"\xc0\x80", 2, "\"\xef\xbf\xbd\xef\xbf\xbd\""},
		{"\xe2\x82", 2, "\"\xef\xbf\xbd\""},
		{"\xed\xa0\x80", 3, "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
		{"\xf0\x9f\x98x", 4, "\"\xef\xbf\xbdx\""},
	};
	struct wisp_buf b = WISP_BUF_INIT;
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		wisp_buf_reset(&b);
		wisp_scan_quote(&b, t[i].text, t[i].len);
		CHECK_STR(b.data, t[i].want, t[i].want);
		CHECK_INT(wisp_scan_check(b.data, b.len, NULL, NULL), 0, "which is JSON");
	}
	wisp_buf_release(&b);
}

int
main(void)
{
	test_path();
	test_find();
	test_set();
	test_quote();
	return unit_done();
}
