/*
 * values: the few values that are wanted of a JSON object, however large it is.
 *
 * They are named by path; each is kept, cut to the size it is allowed, and all
 * else is passed over at the scanner's speed, in constant memory.
 *
 *	static const struct wisp_want wants[] = {
 *		{"type", 32},			the string or number at .type
 *		{"result", WISP_WANT_PIECES},	all of it, handed on as it comes
 *		{"content[]", WISP_WANT_ITEM},	`item` is called after each element,
 *		{"content[].name", 64},		  with the values of that element
 *		{"use.*", WISP_WANT_ITEM},	the same for each member of an object
 *	};
 *
 * `pieces` and `item` are called before the object is known to be whole.
 */
#ifndef WISP_VALUES_H
#define WISP_VALUES_H

#include "core/scan.h"

#define WISP_WANTS_MAX 64	/* a bit each */
#define WISP_WANT_PIECES 0
#define WISP_WANT_ITEM ((size_t)-1)
#define WISP_KEY_MAX 64		/* longer keys match no path */

struct wisp_want {
	const char *path;	/* keys joined by dots, [] for each element of an array */
	size_t size;		/* bytes to keep, or one of the above */
};

struct wisp_value {
	int token;		/* WISP_STRING, WISP_NUMBER, WISP_TRUE ...; -1: there is none */
	char *text;		/* NUL-terminated; "" for what is neither string nor number */
	size_t len;
};

struct wisp_values_sink {
	/* A value's next bytes; the first call for a value has p NULL. */
	void (*pieces)(void *arg, int want, const char *p, size_t n);
	void (*item)(void *arg, int want);
	void *arg;
};

struct wisp_values {
	struct wisp_value *value;	/* by want */
	/* private */
	const struct wisp_want *wants;
	size_t count;
	struct wisp_values_sink sink;
	struct wisp_scan scan;
	struct values_path *paths;
	struct values_depth *depths;	/* by depth - 1, as deep as paths go */
	char *store;
	uint64_t through[WISP_SCAN_DEPTH + 1];	/* by depth: wants whose path goes on in that container */
	signed char item[WISP_SCAN_DEPTH + 1];	/* by depth: the want that is that container, or -1 */
	uint64_t arrays;			/* bit n: the container at depth n + 1 is an array */
	uint64_t seen;				/* wants whose value is to be cleared */
	uint64_t next;				/* wants whose path leads to the value to come or beyond */
	char key[WISP_KEY_MAX];
	size_t key_len;
	int reading;				/* the want whose text comes, or -1 */
	bool begun;				/* its first piece was seen */
};

/* The same bytes? For a few of them that were just stored one piece at a time: memcmp would wait until they are in memory. */
static inline bool
wisp_values_same(const char *a, const char *b, size_t n)
{
	while (n > 0 && *a == *b)
		a++, b++, n--;
	return n == 0;
}

/* `wants` must outlive it. */
void wisp_values_init(struct wisp_values *v, const struct wisp_want *wants, size_t count,
		      const struct wisp_values_sink *sink);
void wisp_values_release(struct wisp_values *v);
void wisp_values_begin(struct wisp_values *v);	/* a new object */
/* 0, or -1 if it is no JSON. */
int wisp_values_feed(struct wisp_values *v, const char *p, size_t n) WISP_CHECK;
int wisp_values_end(struct wisp_values *v) WISP_CHECK;	/* 0 if the object is whole */
const char *wisp_values_error(const struct wisp_values *v);	/* why it is none, static text */

#endif
