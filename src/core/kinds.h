/*
 * kinds: the files of a session by name, each with its schema (wisp-state(5)).
 *
 *	session state tasks history loop breaker limits response
 */
#ifndef WISP_KINDS_H
#define WISP_KINDS_H

#include "schema.h"

struct wisp_kind {
	const char *name;	/* "history" */
	const char *file;	/* "history.json" */
	const char *member;	/* of the record that it is published from, or NULL */
	size_t max;		/* bytes */
};

extern const struct wisp_kind wisp_kinds[];	/* ends with a NULL name */

/* By its word, or by the last part of a path (.loop/state.json: the last two); NULL where it is none of them. */
const struct wisp_kind *wisp_kind_find(const char *word_or_path);
/* A document that was read against its schema. 0, or -1 with `err`. */
int wisp_kind_hold(const struct wisp_kind *kind, const struct wisp_source *src, const struct cJSON *doc,
		   struct wisp_err *err) WISP_CHECK;
/*
 * Reads a file, its bytes into `bytes`, and holds it against its schema (`kind`
 * NULL: any JSON will do). *doc is set only with WISP_VALID; `err` is filled
 * for all else.
 */
enum wisp_verdict wisp_kind_read(const struct wisp_kind *kind, const char *path, struct wisp_buf *bytes,
				 struct cJSON **doc, struct wisp_err *err) WISP_CHECK;

#endif
