/*
 * scan: a strict JSON scanner (RFC 8259) in constant memory.
 *
 * Three jobs that cJSON does not do: refuse what must be refused, with line
 * and column; find the byte span of one value, so that a change leaves every
 * other byte of a file as it was; read the agents' streams of any size.
 *
 * Refused: text after the value, NUL (also as \u0000), control characters in
 * strings, invalid UTF-8 (overlong forms and surrogates included), nesting
 * beyond 64, NaN and Infinity, leading zeros and all else RFC 8259 has not. In
 * whole documents also a duplicate key (compared after unescaping), and a size
 * beyond WISP_FILE_MAX. A byte-order mark at the very start and CRLF line ends
 * are accepted; a lone surrogate as \uXXXX is U+FFFD.
 *
 * Push interface: wisp_scan_feed takes the input in pieces of any size and
 * calls back as tokens are found; nothing is allocated.
 */
#ifndef WISP_SCAN_H
#define WISP_SCAN_H

#include <stdbool.h>
#include <stdint.h>
#include "buf.h"

#define WISP_SCAN_DEPTH 64

enum wisp_token {
	WISP_OBJECT, WISP_OBJECT_END, WISP_ARRAY, WISP_ARRAY_END,
	WISP_KEY, WISP_STRING, WISP_NUMBER, WISP_TRUE, WISP_FALSE, WISP_NULL
};

static inline bool
wisp_token_opens(enum wisp_token t)
{
	return t == WISP_OBJECT || t == WISP_ARRAY;
}

static inline bool
wisp_token_closes(enum wisp_token t)
{
	return t == WISP_OBJECT_END || t == WISP_ARRAY_END;
}

struct wisp_scan;

/*
 * `token` is called when a token is complete: `start` and `end` are its byte
 * offsets in the input (strings and keys with their quotes; end is one past).
 * scan->depth is the number of open containers: for WISP_OBJECT and WISP_ARRAY
 * it counts the one just opened, for the END tokens no longer.
 * `text` (may be NULL) gets the unescaped bytes of a key or string, or the raw
 * bytes of a number, in pieces, before the `token` call of that token; `key`
 * says which of the two. Either returns 0 to go on; anything else stops, and
 * wisp_scan_feed returns it.
 */
struct wisp_scan_sink {
	int (*token)(void *arg, const struct wisp_scan *scan, enum wisp_token t, uint64_t start, uint64_t end);
	int (*text)(void *arg, const struct wisp_scan *scan, bool key, const char *p, size_t n);
	void *arg;
};

struct wisp_scan {
	struct wisp_scan_sink sink;
	uint64_t offset;	/* bytes taken */
	size_t line, col;	/* of the next byte, from 1; after a refusal, of the fault */
	int depth;
	const char *error;	/* static text after a refusal, else NULL */
	int mute;		/* set to scan->depth as a container opens: no `token` call until that ends; 0: none */
	bool lenient;		/* set it after init: \u0000 is taken, as U+FFFD */
	/* private */
	uint64_t start;		/* of the token being read */
	uint64_t line_start;
	uint64_t object;	/* bit n: container at depth n+1 is an object */
	uint32_t unicode, surrogate;
	unsigned char state, sub, need, low, high;
	bool key, done;
};

void wisp_scan_init(struct wisp_scan *scan, const struct wisp_scan_sink *sink);
/* 0 taken; -1 refused (error, line, col are set); else what a callback returned. */
int wisp_scan_feed(struct wisp_scan *scan, const char *data, size_t len) WISP_CHECK;
/* The input is over: 0 if exactly one value was read, else -1 as above. */
int wisp_scan_end(struct wisp_scan *scan) WISP_CHECK;
/* All three, for input that is there as a whole; wisp_scan_end's answer. */
int wisp_scan_all(struct wisp_scan *scan, const struct wisp_scan_sink *sink,
		  const char *data, size_t len) WISP_CHECK;

/* A whole document, duplicate keys included. 0, or -1 with `err` (path may be NULL). */
int wisp_scan_check(const char *data, size_t len, const char *path, struct wisp_err *err) WISP_CHECK;

/* A span of bytes in a document. */
struct wisp_span {
	size_t start, end;
};

/*
 * PATH of wisp-state(1): `.a.b[0]["c d"]`, `.` for the whole. A step is a key or an
 * index. Names without quotes are [A-Za-z_][A-Za-z0-9_-]*.
 */
struct wisp_path_step {
	char *key;		/* NULL: `index` */
	size_t index;
};
struct wisp_path {
	struct wisp_path_step *steps;
	size_t count;
};
int wisp_path_parse(struct wisp_path *path, const char *text, struct wisp_err *err) WISP_CHECK;
void wisp_path_release(struct wisp_path *path);

/*
 * The span of the value at `path` in a document that passed wisp_scan_check.
 * 0 found; 1 not there (*depth, if not NULL, is the number of steps that were
 * found, and *span the deepest value found).
 */
int wisp_scan_find(const char *data, size_t len, const struct wisp_path *path,
		   struct wisp_span *span, size_t *depth) WISP_CHECK;

/*
 * Sets the value at `path` to the JSON text `value` (checked first) in `doc`,
 * touching no other byte: a present value's bytes are replaced; a missing last
 * key is added at the end of its object, an index equal to the length at the
 * end of its array, both in the layout of their neighbours (line breaks,
 * indentation, CRLF). Where `value` has line breaks itself, its lines are
 * indented to fit. 0; 1 if a step before the last is missing or of the wrong
 * type; -1 with `err` if `value` is not JSON, or the whole would be too deep or
 * too large. Unless 0, `doc` is as it was.
 */
int wisp_scan_set(struct wisp_buf *doc, const struct wisp_path *path, const char *value,
		  struct wisp_err *err) WISP_CHECK;

/*
 * Takes the value at `path`, an element or a member with its key, out of a document that passed
 * wisp_scan_check, with the comma that belongs to it; an empty container stays. 0, or 1 where there is none.
 */
int wisp_scan_drop(struct wisp_buf *doc, const struct wisp_path *path) WISP_CHECK;

/* Appends `s` (len bytes, any) as a JSON string with quotes; invalid UTF-8 becomes U+FFFD, NUL is dropped. */
void wisp_scan_quote(struct wisp_buf *out, const char *s, size_t len);

#endif
