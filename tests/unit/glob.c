/*
 * glob: patterns of file names (verify.protect).
 */
#include "core/glob.h"
#include "core/buf.h"
#include "unit.h"

static const struct {
	const char *pattern, *name;
	bool yes;
} cases[] = {
	{"Makefile", "Makefile", true},
	{"Makefile", "src/Makefile", false},
	{"Makefile", "Makefile.in", false},
	{"Makefile", "makefile", false},
	{"", "a", false},
	{"/", "a", false},

	{"tests", "tests/a/b.c", true},
	{"tests/", "tests/a/b.c", true},
	{"/tests/", "tests/a", true},
	{"tests", "tests", true},
	{"tests", "tests2/a", false},
	{"tests", "src/tests/a", false},
	{"tests/**", "tests/a/b.c", true},
	{"tests/**", "tests/a", true},
	{"tests/**", "tests", false},
	{"tests/**/", "tests/a", true},
	{"tests/*", "tests/a/b.c", true},
	{"test?", "tests/a", true},

	{"*.c", "a.c", true},
	{"*.c", "src/a.c", false},
	{"src/*.c", "src/a.c", true},
	{"src/*.c", "src/core/a.c", false},
	{"src/*/a.c", "src/core/a.c", true},
	{"*/*", "a", false},
	{"*", "a/b", true},
	{"a*b*c", "aXbYbZc", true},
	{"a*b*c", "aXbY", false},
	{"a**c", "abc", true},
	{"a**c", "a/c", false},
	{"**", "a/b/c", true},

	{"**/*.bats", "a.bats", true},
	{"**/*.bats", "tests/e2e/a.bats", true},
	{"**/*.bats", "tests/e2e/a.bash", false},
	{"**/__tests__/**", "__tests__/a.js", true},
	{"**/__tests__/**", "src/x/__tests__/y/a.js", true},
	{"**/__tests__/**", "src/x__tests__/a.js", false},
	{"a/**/b", "a/b", true},
	{"a/**/b", "a/x/y/b", true},
	{"a/**/b", "a/xb", false},
	{"a/**/b*/c", "a/x/b1/y/b2/c", true},
	{"**/a/**/b/c*", "x/a/b/a/b/cd", true},

	{"[ab].c", "a.c", true},
	{"[ab].c", "c.c", false},
	{"[a-c]x", "bx", true},
	{"[!a-c]x", "bx", false},
	{"[^a-c]x", "dx", true},
	{"[]a]", "]", true},
	{"[!]]", "]", false},
	{"[a\\]b]", "]", true},
	{"a[!b]c", "a/c", false},
	{"a[b", "a[b", true},
	{"a[-]c", "a-c", true},
	{"a?c", "a/c", false},
	{"\\*", "*", true},
	{"\\*", "a", false},
	{"a\\", "a\\", true},
	{".github/workflows/*", ".github/workflows/ci.yml", true},
	{"caf\xc3\xa9/**", "caf\xc3\xa9/a b", true},
};

/* Patterns over which a careless matcher sits for years. */
static void
hostile(void)
{
	struct wisp_buf name = WISP_BUF_INIT;

	for (int i = 0; i < 1000; i++)
		wisp_buf_puts(&name, i % 50 == 49 ? "a/" : "a");
	CHECK(!wisp_glob("a*a*a*a*a*a*a*a*a*a*b", name.data), "many stars");
	CHECK(!wisp_glob("**/a*/**/a*/**/a*/**/a*/**/*a*a*a*b", name.data), "many folders");
	wisp_buf_release(&name);
}

int
main(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *label = wisp_str("'%s' and '%s'", cases[i].pattern, cases[i].name);

		CHECK_INT(wisp_glob(cases[i].pattern, cases[i].name), cases[i].yes, label);
		free(label);
	}
	hostile();
	return unit_done();
}
