/*
 * buf: byte strings, and text made fit for people.
 */
#include "core/buf.h"
#include "unit.h"

static void
test_add(void)
{
	struct wisp_buf b = WISP_BUF_INIT;
	char *s;
	int i;

	wisp_buf_add(&b, "a\0b", 3);
	CHECK(b.len == 3 && memcmp(b.data, "a\0b", 4) == 0, "holds NULs and ends with one");
	wisp_buf_reset(&b);
	CHECK_STR(b.data, "", "reset empties");
	wisp_buf_puts(&b, "x");
	wisp_buf_putc(&b, 'y');
	wisp_buf_printf(&b, "%d %s", 12, "z");
	wisp_buf_add(&b, NULL, 0);
	CHECK_STR(b.data, "xy12 z", "puts, putc, printf, nothing");
	for (i = 0; i < 10000; i++)
		wisp_buf_printf(&b, "%04d", i);
	CHECK(b.len == 40006 && strcmp(b.data + 40002, "9999") == 0, "grows");
	s = wisp_buf_detach(&b);
	CHECK(strlen(s) == 40006 && b.data == NULL && b.len == 0 && b.cap == 0, "detach leaves an empty one");
	free(s);
	CHECK_OWN(wisp_buf_detach(&b), "", "detach of an empty one");
	wisp_buf_release(&b);
	wisp_buf_release(&b);
	wisp_buf_reset(&b);
	CHECK(b.data == NULL, "release twice, and reset of nothing");
	CHECK_OWN(wisp_str("%s-%d", "a", 1), "a-1", "str");
	CHECK(wisp_strdup(NULL) == NULL, "strdup of NULL");
	CHECK_OWN(wisp_strdup(""), "", "strdup of nothing");
}

static void
test_line(void)
{
	static const struct {
		const char *text;
		size_t max;
		const char *want;
	} t[] = {
		{"", 10, ""},
		{"plain", 10, "plain"},
		{"  a \t\r\n b\n", 10, "a b"},
		{"\n\n", 10, ""},
		{"a\x1b[0mb\x7f" "c\xc2\x9b" "d", 20, "a [0mb c d"},
		{"exactly10!", 10, "exactly10!"},
		{"exactly10!   ", 10, "exactly10!"},
		{"eleven byte", 10, "eleven..."},
		{"eleven-byte", 10, "eleven-..."},
		{"\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 8, "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"},
		{"\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 9, "\xc3\xa9\xc3\xa9\xc3\xa9..."},
		{"\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 8, "\xc3\xa9\xc3\xa9..."},
		{"a\xff" "b", 10, "a\xef\xbf\xbd" "b"},
		{"a\xe2\x82", 10, "a\xef\xbf\xbd"},
		{"\xf0\x9f\x98\x80!", 10, "\xf0\x9f\x98\x80!"},
		/* What turns the direction of text, or breaks a line unseen; their neighbours stay. */
		{"a\xe2\x80\xae" "b", 20, "a\xef\xbf\xbd" "b"},
		{"\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\xa8\xd8\x9c", 20, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
		{"\xe2\x81\xa6\xe2\x81\xa9", 20, "\xef\xbf\xbd\xef\xbf\xbd"},
		{"\xe2\x80\x8d\xe2\x80\xa7\xe2\x80\xaf", 20, "\xe2\x80\x8d\xe2\x80\xa7\xe2\x80\xaf"},
		{"\xe2\x81\xa5\xe2\x81\xaa\xd8\x9b", 20, "\xe2\x81\xa5\xe2\x81\xaa\xd8\x9b"},
		{"abcdef", 3, "abc"},
		{"abcdef", 4, "a..."},
		{"abcdef", 0, ""},
	};
	struct wisp_buf b = WISP_BUF_INIT;
	char *want;
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++) {
		wisp_buf_reset(&b);
		wisp_buf_puts(&b, "> ");
		wisp_buf_line(&b, t[i].text, t[i].max);
		want = wisp_str("> %s", t[i].want);
		CHECK_STR(b.data, want, t[i].text);
		free(want);
	}
	wisp_buf_release(&b);
}

static void
test_utf8(void)
{
	static const struct {
		const char *s;
		int want;
	} t[] = {
		{"a", 1}, {"\x7f", 1}, {"\xc2\x80", 2}, {"\xdf\xbf", 2}, {"\xe0\xa0\x80", 3},
		{"\xed\x9f\xbf", 3}, {"\xee\x80\x80", 3}, {"\xf0\x90\x80\x80", 4}, {"\xf4\x8f\xbf\xbf", 4},
		{"\x80", -1}, {"\xbf", -1}, {"\xc0\x80", -1}, {"\xc1\xbf", -1}, {"\xc2", -1}, {"\xc2x", -1},
		{"\xe0\x9f\xbf", -1}, {"\xe2\x82", -2}, {"\xe2\x82x", -2}, {"\xed\xa0\x80", -1},
		{"\xf0\x8f\xbf\xbf", -1}, {"\xf0\x9f", -2}, {"\xf0\x9f\x98", -3}, {"\xf0\x9f\x98x", -3},
		{"\xf4\x90\x80\x80", -1}, {"\xf5\x80\x80\x80", -1}, {"\xff", -1},
	};
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++)
		CHECK_INT(wisp_utf8_char(t[i].s, strlen(t[i].s)), t[i].want, t[i].s);
}

static void
test_cut(void)
{
	static const struct {
		const char *s;
		size_t max, want;
	} t[] = {
		{"abc", 3, 3}, {"abc", 9, 3}, {"abc", 2, 2}, {"abc", 0, 0},
		{"a\xc3\xa9" "b", 2, 1}, {"a\xc3\xa9" "b", 3, 3}, {"\xe2\x82\xac" "b", 2, 0},
		{"\xf0\x9f\x98\x80" "b", 3, 0}, {"\xf0\x9f\x98\x80" "b", 4, 4}, {"a\xf0\x9f\x98\x80" "b", 4, 1},
		{"\x80\x80\x80\x80\x80\x80\x80\x80", 6, 6},
	};
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++)
		CHECK_INT(wisp_utf8_cut(t[i].s, strlen(t[i].s), t[i].max), t[i].want, t[i].s);
}

int
main(void)
{
	test_add();
	test_line();
	test_utf8();
	test_cut();
	return unit_done();
}
