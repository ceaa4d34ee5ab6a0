/*
 * schema: has an object the fields that it must have?
 *
 * What is wrong is named twice: by its path for the one who wrote the file
 * (`tasks[3].passes: expected a boolean, not a string`), by line and column
 * for their editor. Only the first fault is told. Fields that are not in the
 * table are not looked at; an optional field that is null counts as absent.
 */
#ifndef WISP_SCHEMA_H
#define WISP_SCHEMA_H

#include "json.h"

/* The document that is checked. */
struct wisp_source {
	const char *data;	/* the bytes it was parsed from; NULL: no line and column */
	size_t len;
	const char *path;	/* its file, for messages */
	const char *name;	/* what its root is called in messages: "tasks" */
};

/* A place in it: a chain up to the root, which is NULL; made on the stack. */
struct wisp_at {
	const struct wisp_at *up;
	const char *key;	/* NULL: `index` */
	size_t index;
};

enum wisp_field_flag {
	WISP_REQUIRED = 1,
	WISP_FILLED = 2,	/* a string with something in it */
	WISP_INTEGER = 4
};

#define WISP_FIELDS_MAX 32	/* in one table */

struct wisp_field {
	const char *name;
	enum wisp_type type;
	int flags;
	const char *words;	/* a string that must be one of these, separated by |; NULL for any */
	enum wisp_type items;	/* of an array: what its elements must be; WISP_T_NONE for anything */
};

/* The index of a word among `words`, which are separated by |; -1 if it is none of them. */
int wisp_words_find(const char *words, const char *word);
/*
 * 0, or -1 with `err`. `fields` ends with a NULL name; `at` is where `object`
 * stands. `found` (NULL, or room for all fields) gets the value of each field,
 * NULL where it is absent.
 */
int wisp_schema_check(const struct wisp_source *src, const struct wisp_at *at, const struct cJSON *object,
		      const struct wisp_field *fields, const struct cJSON **found, struct wisp_err *err) WISP_CHECK;
/* Fills `err` with a fault at `at` (or the nearest value around it that exists); returns -1. */
int wisp_schema_refuse(const struct wisp_source *src, const struct wisp_at *at, struct wisp_err *err,
		       const char *fmt, ...) WISP_PRINTF(4, 5);

#endif
