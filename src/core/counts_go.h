/*
 * counts_go: one line of `go test -json`, for counts.c.
 */
#ifndef WISP_COUNTS_GO_H
#define WISP_COUNTS_GO_H

#include <stdbool.h>
#include <stddef.h>

#include "cases.h"

struct wisp_go_event {
	enum wisp_case_result result;
	char package[WISP_CASE_NAME_MAX + 1], test[WISP_CASE_NAME_MAX + 1];	/* cut where they are longer */
};

/* Does the line say how a test ended, or that a package failed (`test` is then empty)? */
bool wisp_go_read(struct wisp_go_event *e, const char *line, size_t len);

#endif
