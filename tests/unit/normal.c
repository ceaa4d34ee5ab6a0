/*
 * normal: errors brought to the form in which they are compared.
 */
#include "core/normal.h"
#include "core/buf.h"
#include "unit.h"

static const char *const cases[][2] = {
	{"", ""},
	{"build failed", "build failed"},
	{"  Build\t failed \n\n twice ", "Build failed twice"},
	{"\x1b[31mred\x1b[0m", "[Nmred [T"},

	{"3 of 17 tests failed", "N of N tests failed"},
	{"got -5, want +6.25e-3", "got N, want N"},
	{"test12 and e2e", "testN and eNe"},
	{"1,234.5 x 3/7", "N x N/N"},
	{"10-20", "N-N"},

	{"at 0xdeadBEEF", "at H"},
	{"commit a1b2c3d gone", "commit H gone"},
	{"id 550e8400-e29b-41d4-a716-446655440000", "id H"},
	{"deface effaced cafe12", "deface effaced cafeN"},
	{"da39a3ee5e6b4b0d3255bfef95601890afd80709", "H"},
	{"1234567890", "N"},

	{"src/a.c:12:34: error", "P: error"},
	{"main.c:7: error", "P: error"},
	{"open /tmp/x.1/y failed.", "open P failed."},
	{"--file=/tmp/x", "--file=P"},
	{"see https://example.org:80/a?b=1&c=2 (404)", "see P (N)"},
	{"C:\\Users\\me\\a.txt is missing", "P is missing"},
	{"~/.config/x and ./y and ../z", "P and P and P"},
	{"in foo.bar", "in foo.bar"},

	{"2026-01-16T10:00:00-03:00 it broke", "T it broke"},
	{"2026-01-16 10:00:00,123 it broke", "T it broke"},
	{"2026/01/16 10:00", "T"},
	{"10:30 it broke", "T it broke"},
	{"took 1m30s, not 500ms or 2.5h", "took T, not T or T"},

	{"no such table: 'users'", "no such table: Q"},
	{"unknown \"a b\" and `c`", "unknown Q and Q"},
	{"undefined reference to `foo'", "undefined reference to Q"},
	{"\xe2\x80\x98x\xe2\x80\x99 undeclared, \xe2\x80\x9cy\xe2\x80\x9d too", "Q undeclared, Q too"},
	{"don't say can't", "don't say can't"},
	{"can't open 'don't.txt'", "can't open Q"},
	{"a 'quote that never ends", "a 'quote that never ends"},
	{"'one\ntwo'", "'one two'"},
	{"Case Stays", "Case Stays"},
};

/* Text that makes a careless scanner look to the end again and again: it would take minutes, not milliseconds. */
static void
linear(const char *piece, const char *label)
{
	struct wisp_buf b = WISP_BUF_INIT;
	char *normal;
	int i;

	for (i = 0; i < 200000; i++)
		wisp_buf_puts(&b, piece);
	normal = wisp_error_normal(b.data);
	CHECK(strlen(normal) > 0 && strlen(normal) <= b.len, label);
	free(normal);
	wisp_buf_release(&b);
}

int
main(void)
{
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++)
		CHECK_OWN(wisp_error_normal(cases[i][0]), cases[i][1], cases[i][0]);
	CHECK_OWN(wisp_error_normal(NULL), "", "NULL");
	linear("\xe2\x80\x98 ", "opening quotes");
	linear("a'b`", "apostrophes");
	linear("1:", "colons");
	linear("a:/", "drives");
	linear("ffffffff", "hex");
	linear("1s", "durations");
	linear("x://", "schemes");
	linear("a.1", "names");
	linear("!", "ends of sentences");
	return unit_done();
}
