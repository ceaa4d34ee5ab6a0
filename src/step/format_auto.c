/*
 * auto: finds the format by the first line of a known shape, and reads the
 * stream as text where none comes in time.
 *
 * What was read until then is kept, up to a bound, and fed to the format found.
 */
#include "format.h"

#include <string.h>

#define KEEP ((size_t)256 << 10)	/* claude's first line lists every tool and command there is */

enum {
	TYPE, SESSION_ID, SESSION_CAMEL, THREAD, ITEM, PART, ROLE, DATA, ID, QWEN,
	WANTS
};

static const struct wisp_want wants[WANTS] = {
	[TYPE] = {"type", 48},
	[SESSION_ID] = {"session_id", 8},
	[SESSION_CAMEL] = {"sessionID", 8},
	[THREAD] = {"thread_id", 8},
	[ITEM] = {"item.id", 8},
	[PART] = {"part.id", 8},
	[ROLE] = {"role", 16},
	[DATA] = {"data", WISP_WANT_ITEM},
	[ID] = {"id", 8},
	[QWEN] = {"qwen_code_version", 8},
};

struct autos {
	struct wisp_buf seen;
	bool data;			/* the line has an object `data` */
	const struct wisp_format *found;
};

static void
item(struct wisp_parse *p, int want)
{
	struct autos *a = p->state;

	(void)want;
	a->data = true;
}

static bool
starts(const struct wisp_event *e, int want, const char *with)
{
	return strncmp(wisp_event_text(e, want), with, strlen(with)) == 0;
}

/* The format whose first line this is, or NULL. */
static const struct wisp_format *
recognise(const struct wisp_event *e, bool data)
{
	bool claude = wisp_event_is(e, TYPE, "system") || wisp_event_is(e, TYPE, "assistant") ||
		      wisp_event_is(e, TYPE, "user") || wisp_event_is(e, TYPE, "result") ||
		      wisp_event_is(e, TYPE, "rate_limit_event") || wisp_event_is(e, TYPE, "stream_event");

	if (wisp_event_has(e, THREAD) && wisp_event_is(e, TYPE, "thread.started"))
		return &wisp_format_codex;
	if ((wisp_event_has(e, ITEM) && starts(e, TYPE, "item.")) || starts(e, TYPE, "turn."))
		return &wisp_format_codex;
	if (wisp_event_has(e, SESSION_CAMEL) && (wisp_event_has(e, PART) || wisp_event_is(e, TYPE, "error")))
		return &wisp_format_opencode;
	if (data && wisp_event_has(e, ID) && wisp_event_has(e, TYPE))
		return &wisp_format_copilot;
	if (wisp_event_has(e, SESSION_ID) && wisp_event_is(e, TYPE, "init"))
		return &wisp_format_gemini;
	if (wisp_event_has(e, ROLE) && wisp_event_is(e, TYPE, "message"))
		return &wisp_format_gemini;
	if (claude && wisp_event_has(e, SESSION_ID))
		return wisp_event_has(e, QWEN) ? &wisp_format_qwen : &wisp_format_claude;
	return NULL;
}

static bool
line(struct wisp_parse *p)
{
	struct autos *a = p->state;

	if (a->found == NULL)
		a->found = recognise(&p->event, a->data);
	a->data = false;
	return true;
}

/* Goes on as `format`, from the beginning. */
static void
become(struct wisp_parse *p, const struct wisp_format *format)
{
	struct wisp_buf seen = ((struct autos *)p->state)->seen;

	wisp_parse_become(p, format);
	if (seen.len > 0)
		wisp_parse_feed(p, seen.data, seen.len);
	wisp_buf_release(&seen);
}

static void
feed(struct wisp_parse *p, const char *s, size_t n)
{
	struct autos *a = p->state;

	wisp_buf_add(&a->seen, s, n);
	wisp_event_feed(&p->event, s, n);
	if (a->found != NULL)
		become(p, a->found);
	else if (a->seen.len > KEEP)
		become(p, &wisp_format_text);
}

static void
close_auto(struct wisp_parse *p)
{
	struct autos *a = p->state;

	wisp_event_end(&p->event);
	become(p, a->found != NULL ? a->found : &wisp_format_text);
}

const struct wisp_format wisp_format_auto = {
	.name = "auto", .size = sizeof(struct autos), .wants = wants, .count = WANTS,
	.item = item, .line = line, .feed = feed, .close = close_auto,
};
