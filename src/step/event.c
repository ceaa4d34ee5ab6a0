/*
 * event: see event.h.
 */
#include "event.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first three: how much of a byte-order mark was seen. */
enum { AT_START, BOM_1, BOM_2, BETWEEN, IN_OBJECT, IN_BAD };

void
wisp_event_init(struct wisp_event *e, const struct wisp_want *wants, size_t count,
		const struct wisp_event_sink *sink)
{
	memset(e, 0, sizeof *e);
	e->sink = *sink;
	wisp_values_init(&e->values, wants, count, &sink->values);
}

void
wisp_event_release(struct wisp_event *e)
{
	wisp_values_release(&e->values);
}

bool
wisp_event_busy(const struct wisp_event *e)
{
	return e->state == IN_BAD || (e->state == IN_OBJECT && e->line_len > WISP_NOTICE_MAX);
}

static void
begin_line(struct wisp_event *e, unsigned char state)
{
	e->state = state;
	e->bad_len = e->line_len = 0;
	if (state == IN_OBJECT)
		wisp_values_begin(&e->values);
}

/* Keeps the beginning of a bad line. */
static void
take_bad(struct wisp_event *e, const char *p, size_t n)
{
	size_t room = WISP_BAD_KEEP - e->bad_len;

	if (n > room)
		n = room;
	memcpy(e->bad_text + e->bad_len, p, n);
	e->bad_len += n;
	e->bad_text[e->bad_len] = '\0';
}

/* The line that was an object so far turns out to be none. */
static void
become_bad(struct wisp_event *e)
{
	const char *error = wisp_values_error(&e->values);

	begin_line(e, IN_BAD);
	take_bad(e, error, strlen(error));
	e->bad_len = WISP_BAD_KEEP;	/* what follows says no more */
}

static void
end_line(struct wisp_event *e)
{
	if (e->state == IN_OBJECT && wisp_values_end(&e->values) == 0) {
		e->lines++;
		e->sink.line(e->sink.arg);
	} else if (e->state == IN_OBJECT) {
		become_bad(e);
	}
	if (e->state == IN_BAD)
		e->bad++;
	e->state = BETWEEN;
}

/* Passes over blanks, and a byte-order mark before all else; where the line begins. */
static const char *
find_begin(struct wisp_event *e, const char *p, const char *end)
{
	static const char bom[] = "\xef\xbb\xbf";

	for (; p < end; p++) {
		if (e->state < BETWEEN && *p == bom[e->state]) {
			e->state++;
			continue;
		}
		if (e->state == BOM_1 || e->state == BOM_2)
			begin_line(e, IN_BAD);
		else if (*p == '{')
			begin_line(e, IN_OBJECT);
		else if (*p != ' ' && *p != '\t' && *p != '\r' && *p != '\n')
			begin_line(e, IN_BAD);
		else
			e->state = BETWEEN;
		if (e->state != BETWEEN)
			break;
	}
	return p;
}

/* The bytes of a line, without its end. */
static void
take(struct wisp_event *e, const char *p, size_t n)
{
	e->line_len += n;
	if (e->state == IN_BAD)
		take_bad(e, p, n);
	else if (wisp_values_feed(&e->values, p, n) < 0)
		become_bad(e);
}

void
wisp_event_feed(struct wisp_event *e, const char *p, size_t n)
{
	const char *end = p + n, *stop;

	while (p < end) {
		if (e->state <= BETWEEN) {
			p = find_begin(e, p, end);
			continue;
		}
		stop = memchr(p, '\n', (size_t)(end - p));
		take(e, p, (size_t)((stop != NULL ? stop : end) - p));
		if (stop == NULL)
			return;
		end_line(e);
		p = stop + 1;
	}
}

void
wisp_event_end(struct wisp_event *e)
{
	if (e->state == BOM_1 || e->state == BOM_2)
		begin_line(e, IN_BAD);
	end_line(e);
}

bool
wisp_event_has(const struct wisp_event *e, int want)
{
	return e->values.value[want].token >= 0 && e->values.value[want].token != WISP_NULL;
}

const char *
wisp_event_text(const struct wisp_event *e, int want)
{
	return e->values.value[want].text;
}

bool
wisp_event_true(const struct wisp_event *e, int want)
{
	return e->values.value[want].token == WISP_TRUE;
}

void
wisp_event_copy(const struct wisp_event *e, int want, char *to, size_t size)
{
	snprintf(to, size, "%s", e->values.value[want].text);
}

double
wisp_event_number(const struct wisp_event *e, int want, double otherwise)
{
	double d = e->values.value[want].token == WISP_NUMBER ? strtod(e->values.value[want].text, NULL) : NAN;

	return isfinite(d) ? d : otherwise;
}

long long
wisp_event_count(const struct wisp_event *e, int want, long long max, long long otherwise)
{
	double d = wisp_event_number(e, want, -1);

	return d >= 0 && d <= (double)max ? (long long)d : otherwise;
}
