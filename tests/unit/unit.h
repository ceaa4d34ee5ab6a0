/*
 * unit: TAP for the tests of the core.
 *
 * A failed CHECK prints where it stands, what was expected and what came, and
 * the test goes on. `label` names the case. CHECK_OWN frees the string that it
 * checks. main ends with `return unit_done();`.
 */
#ifndef UNIT_H
#define UNIT_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int unit_count, unit_failed;

/* Prints `s` on one line. */
static inline void
unit_show(const char *before, const char *s)
{
	printf("%s", before);
	for (; s != NULL && *s != '\0'; s++)
		printf((unsigned char)*s < ' ' || *s == '#' ? "\\x%02x" : "%c", (unsigned char)*s);
	printf("%s\n", s == NULL ? "NULL" : "");
}

/* One more result; true if it is to be explained. */
static inline bool
unit_result(bool ok, const char *file, int line, const char *label)
{
	if (unit_count == 0) /* a test that dies, or leaks, has printed what came before */
		setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
	printf("%sok %d - ", ok ? "" : "not ", ++unit_count);
	unit_show("", label);
	if (!ok) {
		unit_failed++;
		printf("# at %s:%d\n", file, line);
	}
	return !ok;
}

static inline void
unit_number(long long got, long long want, const char *file, int line, const char *label)
{
	if (unit_result(got == want, file, line, label))
		printf("# expected: %lld\n#   actual: %lld\n", want, got);
}

static inline void
unit_string(const char *got, const char *want, const char *file, int line, const char *label)
{
	bool same = got == want || (got != NULL && want != NULL && strcmp(got, want) == 0);

	if (unit_result(same, file, line, label)) {
		unit_show("# expected: ", want);
		unit_show("#   actual: ", got);
	}
}

static inline void
unit_own(char *got, const char *want, const char *file, int line, const char *label)
{
	unit_string(got, want, file, line, label);
	free(got);
}

static inline int
unit_done(void)
{
	printf("1..%d\n", unit_count);
	return unit_failed > 0 || fflush(stdout) != 0;
}

#define CHECK(cond, label) ((void)unit_result((cond), __FILE__, __LINE__, label))
#define CHECK_INT(got, want, label) unit_number((long long)(got), (long long)(want), __FILE__, __LINE__, label)
#define CHECK_STR(got, want, label) unit_string((got), (want), __FILE__, __LINE__, label)
#define CHECK_OWN(got, want, label) unit_own((got), (want), __FILE__, __LINE__, label)

#endif
