/*
 * refused: which path, and which setting, the words of shells, tools and languages come to.
 */
#include "step/refused.h"
#include "unit.h"

#define WRITE "the sandbox does not let it change '/h/a': wisp config --add sandbox.write PATH"
#define REACH "the sandbox does not let it reach '/h/a': wisp config --add sandbox.read PATH, " \
	"or sandbox.write"

static void
test_words(void)
{
	static const struct { const char *text, *expected; } cases[] = {
		{"sh: 1: cannot create /h/a: Read-only file system", WRITE},
		{"/bin/x: 3: cannot create /h/a: Read-only file system", WRITE},
		{"touch: cannot touch '/h/a': Read-only file system\n", WRITE},
		{"mkdir: cannot create directory \u2018/h/a\u2019: Read-only file system", WRITE},
		{"x: \u201c/h/a\u201d: Read-only file system", WRITE},
		{"OSError: [Errno 30] Read-only file system: '/h/a'", WRITE},
		{"Error: EROFS: read-only file system, mkdir '/h/a'", WRITE},
		{"open /h/a: read-only file system", WRITE},
		{"Error: EACCES: permission denied, open '/h/a'", REACH},
		{"cat: /h/a: Permission denied", REACH},
		{"cat: /tree/a: Permission denied\ncat: /h/a: Permission denied", REACH},
		{"cat: /tree/a: Permission denied", NULL},
		{"cat: a: Permission denied\n/h/a is next", NULL},
		{"git@example.org: Permission denied (publickey).", NULL},
		{"cat: /h/a: No such file or directory", NULL},
		{"", NULL},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		CHECK_OWN(wisp_refused(cases[i].text, "/tree"), cases[i].expected, cases[i].text);
	CHECK_OWN(wisp_refused("cat: /h/a: Permission denied", NULL), REACH, "of no tree");
}

/* What is there out here, and is missing inside, is hidden; of a program it may be the interpreter. */
static void
test_hidden(void)
{
	CHECK_OWN(wisp_refused("cat: /etc/passwd: No such file or directory", "/tree"),
		  "the sandbox does not let it see '/etc/passwd': wisp config --add sandbox.read PATH", "hidden");
	CHECK_OWN(wisp_refused("/bin/sh: No such file or directory", "/tree"), NULL, "an interpreter");
}

int
main(void)
{
	test_words();
	test_hidden();
	return unit_done();
}
