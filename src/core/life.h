/*
 * life: each test of a session, over its iterations. The file `tests` beside the record, in lines:
 *
 *	iterations N N ...				of the marks, oldest first, WISP_LIFE_MARKS at most
 *	MARKS BORN GOOD LOST COMMAND NTH <tab> SUITE <tab> NAME <tab> FILE
 *
 * a test each (cases.h): a mark for each iteration, the iteration that it was first seen in (0: before the first step), that
 * it first passed in as verify did (-1: none), that it is lost since (0: it is not). What an iteration said takes the
 * place of what it said before, and of all that comes after it: after a rollback, or in the next session of the folder.
 *
 * A test that passed is lost where its command ran to its end and passed, and it is not there, or is skipped. It is not lost
 * where it went somewhere else as it went away: as a new test of that name that passes, or where its file, or its suite
 * where no file is known, has no fewer new tests that pass than tests that went away. Nor is it where there is a reason.
 */
#ifndef WISP_LIFE_H
#define WISP_LIFE_H

#include "cases.h"
#include "json.h"

#define WISP_LIFE_MARKS 50
#define WISP_LIFE_MAX ((size_t)64 << 20)	/* bytes of the file */

enum wisp_mark {
	WISP_MARK_PASSED = '.', WISP_MARK_FAILED = 'F', WISP_MARK_SKIPPED = 's', WISP_MARK_FLAKY = '~', WISP_MARK_ABSENT = '-',
	WISP_MARK_UNKNOWN = '?',	/* its command did not run to its end */
	WISP_MARK_UNBORN = '_'		/* it had not been seen yet */
};

struct wisp_life_row {
	const char *marks, *command, *suite, *name, *file;	/* borrowed from the file's text */
	size_t n_marks;
	long long born, good, lost;
	uint32_t nth;
	/* Of the iteration that is added. */
	char mark;
	bool absent_ok;			/* its command passed, and it was not there */
	bool elsewhere;			/* ... but another one in its place: it is not kept */
};

/* A command of an iteration: were all of its tests seen, and did it pass? */
struct wisp_life_run {
	char command[WISP_CASE_COMMAND];
	bool whole, ok;
};

struct wisp_life {
	long long iterations[WISP_LIFE_MARKS];
	size_t n;			/* of them */
	struct wisp_life_row *rows;
	size_t count;
};

/* Reads the file's text, which is changed and borrowed from; iterations after `last` are left out. Lines that are none are passed over. */
void wisp_life_read(struct wisp_life *l, char *text, long long last);
void wisp_life_release(struct wisp_life *l);
/* How often it was flaky, in the iterations that have a mark. */
size_t wisp_life_flaky(const struct wisp_life_row *row);

struct wisp_life_verdict {
	struct cJSON *lost;		/* labels of the tests that are lost now; arrays, which the caller frees */
	struct cJSON *vanished;		/* labels of suites of two tests and more, of which not one is left */
	struct cJSON *protected;	/* labels of lost tests in protected files */
	struct cJSON *removed;		/* labels of those with a reason */
	struct cJSON *flaky, *worn;	/* ... of flaky ones; of them those for the third time or more often */
	struct cJSON *failed;		/* ... of those that failed, and are not excused: that did not fail before the first step and ever since */
	size_t n_new;
};

struct wisp_life_ask {
	long long iteration;
	struct wisp_cases *cases;	/* what was said, indexed; a flaky one has that set */
	const struct wisp_life_run *runs;
	size_t n_runs;
	bool (*has_reason)(void *arg, const char *label, const char *name);
	bool (*is_protected)(void *arg, const struct wisp_life_row *row);
	void *arg;
};
/* What the iteration means for the tests that there were until then. */
void wisp_life_judge(struct wisp_life *l, const struct wisp_life_ask *ask, struct wisp_life_verdict *v);
void wisp_life_verdict_release(struct wisp_life_verdict *v);
/* The file's text with what was judged last, new tests included; `good`: what passes in it has passed. */
void wisp_life_print(const struct wisp_life *l, const struct wisp_life_ask *ask, bool good, struct wisp_buf *out);

#endif
