/*
 * take: the document that an agent's step was to leave (scope.h), as it lies in the session's folder.
 */
#ifndef WISP_TAKE_H
#define WISP_TAKE_H

#include "core/record.h"
#include "scope.h"

/*
 * Reads it and holds it against its schema, the state, and the sessions that the project has. 0 with *doc,
 * which the caller frees; -1 with `err`, the first fault.
 */
int wisp_take_read(const struct wisp_record *r, enum wisp_scope scope, const char *path, struct cJSON **doc,
		   struct wisp_err *err) WISP_CHECK;

#endif
