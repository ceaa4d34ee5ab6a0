/*
 * event: streams of JSON objects, one a line, in constant memory.
 *
 * Lines end at \n only. A line that is not one JSON object counts as bad, a
 * blank one as nothing. Of each line the wanted values are kept (values.h);
 * `line` is called for those that are whole.
 */
#ifndef WISP_EVENT_H
#define WISP_EVENT_H

#include <string.h>

#include "values.h"

#define WISP_BAD_KEEP 200
#define WISP_NOTICE_MAX 4096	/* bytes; a longer line is no notice */

struct wisp_event_sink {
	struct wisp_values_sink values;
	void (*line)(void *arg);
	void *arg;
};

struct wisp_event {
	unsigned long long lines, bad;	/* objects; lines that are none */
	char bad_text[WISP_BAD_KEEP + 1];	/* the last bad line's beginning, or what is wrong with it */
	struct wisp_values values;
	/* private */
	struct wisp_event_sink sink;
	size_t bad_len, line_len;
	unsigned char state;
};

/* `wants` must outlive it. */
void wisp_event_init(struct wisp_event *e, const struct wisp_want *wants, size_t count,
		     const struct wisp_event_sink *sink);
void wisp_event_feed(struct wisp_event *e, const char *p, size_t n);
/* The stream is over; a last line without \n counts if it is whole. */
void wisp_event_end(struct wisp_event *e);
void wisp_event_release(struct wisp_event *e);
/* Is a line open that is longer than a notice, or no object at all? */
bool wisp_event_busy(const struct wisp_event *e);

/* The values of the line, or of the element in `item`. */
bool wisp_event_has(const struct wisp_event *e, int want);	/* other than null */
const char *wisp_event_text(const struct wisp_event *e, int want);	/* "" where there is none */
/* That very string? */
static inline bool
wisp_event_is(const struct wisp_event *e, int want, const char *text)
{
	const struct wisp_value *v = &e->values.value[want];

	return v->token == WISP_STRING && v->text[0] == text[0] && v->len == strlen(text) &&
	       wisp_values_same(v->text, text, v->len);
}

bool wisp_event_true(const struct wisp_event *e, int want);
void wisp_event_copy(const struct wisp_event *e, int want, char *to, size_t size);	/* cut where it must be */
double wisp_event_number(const struct wisp_event *e, int want, double otherwise);
/* A number from 0 to `max`, without its fraction. */
long long wisp_event_count(const struct wisp_event *e, int want, long long max, long long otherwise);

#endif
