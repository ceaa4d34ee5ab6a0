/*
 * counts_junit: one document of JUnit XML, for counts.c; the only user of expat.
 */
#ifndef WISP_COUNTS_JUNIT_H
#define WISP_COUNTS_JUNIT_H

#include "counts.h"

enum wisp_junit {
	WISP_JUNIT_NONE,	/* XML of another kind */
	WISP_JUNIT_WHOLE,
	WISP_JUNIT_BROKEN	/* not well-formed, cut, or with a DOCTYPE: what was counted up to there counts */
};

/*
 * The document at the beginning of `data`, its counts added to `c`, its tests to `cases` (may be NULL). *used: how
 * many bytes were read of it, at least 1 of a `len` above 0.
 */
enum wisp_junit wisp_junit_read(struct wisp_counts *c, struct wisp_cases *cases, const char *data, size_t len, size_t *used);

#endif
