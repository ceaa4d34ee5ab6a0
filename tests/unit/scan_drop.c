/*
 * scan_drop: what is taken out, with its comma; all else stays byte for byte.
 */
#include "core/scan.h"
#include "unit.h"

static const struct {
	const char *label, *before, *path, *after;
	int rc;
} cases[] = {
	{"the only member", "{\"a\": 1}", ".a", "{}", 0},
	{"the only member, on lines", "{\n  \"a\": 1\n}\n", ".a", "{}\n", 0},
	{"the first member", "{\"a\": 1, \"b\": 2}", ".a", "{\"b\": 2}", 0},
	{"the first member, on lines", "{\n  \"a\": 1,\n  \"b\": 2\n}", ".a", "{\n  \"b\": 2\n}", 0},
	{"the last member", "{\"a\": 1, \"b\": 2}", ".b", "{\"a\": 1}", 0},
	{"the last member, on lines", "{\n  \"a\": 1,\n  \"b\": [2]\n}", ".b", "{\n  \"a\": 1\n}", 0},
	{"one in the middle", "{\"a\":1,\"b\":{\"x\":[1,2]},\"c\":3}", ".b", "{\"a\":1,\"c\":3}", 0},
	{"the only element", "[1]", ".[0]", "[]", 0},
	{"the first element", "[1, 2, 3]", ".[0]", "[2, 3]", 0},
	{"an element in the middle", "[1, 2, 3]", ".[1]", "[1, 3]", 0},
	{"the last element", "[1, 2, 3]", ".[2]", "[1, 2]", 0},
	{"an object in an array in an object", "{\"h\": {\"S\": [{\"x\": 1}, {\"y\": 2}]}}", ".h.S[0]", "{\"h\": {\"S\": [{\"y\": 2}]}}", 0},
	{"a key with quotes and backslashes", "{\"a\\\"\\\\\": 1, \"b\\\\\": 2}", ".[\"b\\\\\"]", "{\"a\\\"\\\\\": 1}", 0},
	{"a key that ends in an escaped quote", "{\"x\": 0, \"a\\\"\": 1}", ".[\"a\\\"\"]", "{\"x\": 0}", 0},
	{"a colon with room", "{\"a\"  :\n 1 , \"b\":2}", ".a", "{\"b\":2}", 0},
	{"CRLF", "{\r\n\t\"a\": 1,\r\n\t\"b\": 2\r\n}", ".b", "{\r\n\t\"a\": 1\r\n}", 0},
	{"a blank before the comma", "[ {\"a\":1} ,\n  {} ,\n  {\"b\":2}]", ".[2]", "[ {\"a\":1} ,\n  {}]", 0},
	{"a long number stays", "{\"n\": 12345678901234567890, \"x\": 1}", ".x", "{\"n\": 12345678901234567890}", 0},
	{"not there", "{\"a\": 1}", ".b", "{\"a\": 1}", 1},
	{"beyond the end", "[1]", ".[1]", "[1]", 1},
	{"the whole", "{\"a\": 1}", ".", "{\"a\": 1}", 1},
};

int
main(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct wisp_buf doc = WISP_BUF_INIT;
		struct wisp_path path = {0};

		wisp_buf_puts(&doc, cases[i].before);
		CHECK_INT(wisp_path_parse(&path, cases[i].path, NULL), 0, cases[i].label);
		CHECK_INT(wisp_scan_drop(&doc, &path), cases[i].rc, cases[i].label);
		CHECK_STR(doc.data, cases[i].after, cases[i].label);
		CHECK_INT((long long)doc.len, (long long)strlen(cases[i].after), cases[i].label);
		wisp_path_release(&path);
		wisp_buf_release(&doc);
	}
	return unit_done();
}
