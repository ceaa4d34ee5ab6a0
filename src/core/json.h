/*
 * json: the document model, and the only user of cJSON.
 *
 * Ownership: the document is the arena. Whatever a getter returns is borrowed
 * and dies with the document; what is pushed or set becomes the document's.
 * One wisp_json_free of the root ends it all. Strings passed in are copied.
 *
 * Parsing goes through wisp_scan_check first, so that everything scan.h
 * refuses is refused here. Keys are compared with their case. Getters accept
 * a NULL or wrong-typed object and then answer the default, so that they can
 * be chained; where a wrong type must be reported, check wisp_json_type. To set
 * in what is no object, or push to what is no array, is a bug (101).
 *
 * A number is a double. What is too large for one becomes the largest, as in jq.
 */
#ifndef WISP_JSON_H
#define WISP_JSON_H

#include <stdbool.h>
#include "buf.h"
#include "file.h"

#define WISP_JSON_EXACT 9007199254740992.0	/* 2^53: up to here a double holds every integer */

struct cJSON;

enum wisp_type { WISP_T_NONE, WISP_T_NULL, WISP_T_BOOL, WISP_T_NUMBER, WISP_T_STRING, WISP_T_ARRAY, WISP_T_OBJECT };

/* The answers to "what about that file?", never mixed up. */
enum wisp_verdict {
	WISP_VALID, WISP_MISSING, WISP_EMPTY, WISP_MALFORMED, WISP_INVALID, WISP_UNREADABLE
};
const char *wisp_verdict_name(enum wisp_verdict v);	/* "valid", "missing", ... */
int wisp_verdict_parse(const char *name);		/* -1 for an unknown word */

struct cJSON *wisp_json_parse(const char *data, size_t len, const char *path, struct wisp_err *err) WISP_CHECK;
/*
 * For what another program says and must be answered whatever it holds: NUL and invalid
 * UTF-8 become U+FFFD, of a key that is there twice the first counts, and of a document that
 * breaks off or turns to nonsense what came before that is there (*whole: nothing was wrong). NULL
 * where nothing is. Never for a file that is written again.
 */
struct cJSON *wisp_json_salvage(const char *data, size_t len, bool *whole) WISP_CHECK;
/*
 * Reads and parses a file. *out is set only with WISP_VALID; never answers
 * WISP_INVALID. `err` is filled in all other cases (missing included).
 * EMPTY is no byte, or nothing but white space.
 */
enum wisp_verdict wisp_json_load(const char *path, struct cJSON **out, struct wisp_err *err) WISP_CHECK;
/*
 * The same, and appends the file's bytes to `bytes`, for whoever changes them
 * or tells where in them something is wrong.
 */
enum wisp_verdict wisp_json_read(const char *path, struct wisp_buf *bytes, struct cJSON **out,
				 struct wisp_err *err) WISP_CHECK;
/* The same, of at most `max` bytes, a number of MiB: beyond that it is malformed, and not read. */
enum wisp_verdict wisp_json_read_max(const char *path, size_t max, struct wisp_buf *bytes, struct cJSON **out,
				     struct wisp_err *err) WISP_CHECK;
/* Its bytes alone, which may be anything: valid, or why they could not be read. */
enum wisp_verdict wisp_json_read_bytes(const char *path, size_t max, struct wisp_buf *bytes, struct wisp_err *err) WISP_CHECK;
/* The same of bytes that are there already: valid, empty or malformed. */
enum wisp_verdict wisp_json_decide(const char *data, size_t len, const char *path, struct cJSON **out,
				   struct wisp_err *err) WISP_CHECK;
void wisp_json_free(struct cJSON *v);
struct cJSON *wisp_json_copy(const struct cJSON *v);

enum wisp_type wisp_json_type(const struct cJSON *v);	/* NONE for NULL */
const char *wisp_type_name(enum wisp_type t);		/* "a string", "an object", ... for messages */

/* Reading. */
struct cJSON *wisp_json_get(const struct cJSON *object, const char *key);	/* NULL where there is none */
struct cJSON *wisp_json_first(const struct cJSON *container);	/* first element or member, or NULL */
struct cJSON *wisp_json_next(const struct cJSON *element);
const char *wisp_json_key(const struct cJSON *member);		/* its name in its object */
size_t wisp_json_len(const struct cJSON *container);
const char *wisp_json_str(const struct cJSON *object, const char *key, const char *otherwise);
double wisp_json_num(const struct cJSON *object, const char *key, double otherwise);
long long wisp_json_int(const struct cJSON *object, const char *key, long long otherwise);	/* only integral, within WISP_JSON_EXACT */
bool wisp_json_bool(const struct cJSON *object, const char *key, bool otherwise);
/* The same of a value itself. */
const char *wisp_json_text(const struct cJSON *v, const char *otherwise);
double wisp_json_number(const struct cJSON *v, double otherwise);
bool wisp_json_true(const struct cJSON *v);			/* is it `true`? */
bool wisp_json_equal(const struct cJSON *a, const struct cJSON *b);

/* Making. */
struct cJSON *wisp_json_object(void);
struct cJSON *wisp_json_array(void);
struct cJSON *wisp_json_string(const char *s);	/* NULL gives null */
struct cJSON *wisp_json_double(double d);	/* NaN and infinities give null */
struct cJSON *wisp_json_boolean(bool b);
struct cJSON *wisp_json_null(void);

/* Adds a member without a look at those that are there: for a key that is known to be new. */
void wisp_json_add(struct cJSON *object, const char *key, struct cJSON *item);
/* Setting replaces a member in its place or adds it at the end; `item` may be NULL for null. */
void wisp_json_set(struct cJSON *object, const char *key, struct cJSON *item);
void wisp_json_set_str(struct cJSON *object, const char *key, const char *s);
void wisp_json_set_num(struct cJSON *object, const char *key, double d);
void wisp_json_set_bool(struct cJSON *object, const char *key, bool b);
void wisp_json_set_null(struct cJSON *object, const char *key);
void wisp_json_drop(struct cJSON *object, const char *key);	/* a missing one is fine */
struct cJSON *wisp_json_take(struct cJSON *object, const char *key);	/* out of the document; the caller frees it */
void wisp_json_push(struct cJSON *array, struct cJSON *item);
void wisp_json_shift(struct cJSON *array);	/* removes the first */
void wisp_json_remove(struct cJSON *array, struct cJSON *item);
/* Each string in the document, but no key, becomes what `make` makes of it. */
void wisp_json_replace(struct cJSON *v, char *make(const char *text));
/* The object (array) under `key`, made and set if it is missing or of another type. */
struct cJSON *wisp_json_object_at(struct cJSON *object, const char *key);
struct cJSON *wisp_json_array_at(struct cJSON *object, const char *key);

/* Pretty-printed with two spaces and a final line feed; compact on one line without. */
void wisp_json_print(struct wisp_buf *out, const struct cJSON *v);
void wisp_json_print_compact(struct wisp_buf *out, const struct cJSON *v);
/* wisp_json_print into wisp_file_write. */
int wisp_json_write(const char *path, const struct cJSON *v, enum wisp_sync sync) WISP_CHECK;

#endif
