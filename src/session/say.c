/*
 * say: see say.h.
 */
#include "say.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "say_reader.h"

#define INDENT 40	/* blanks that are kept before a line of a message */

static const struct wisp_say_reader *const readers[WISP_SAY_READERS] = {
	&wisp_say_claude, &wisp_say_codex, &wisp_say_gemini, &wisp_say_opencode, &wisp_say_copilot,
};

/* A line of a message, in its indentation; nothing for one that is blank. */
static void
put_line(struct wisp_say *s, const char *p, size_t len, size_t max)
{
	size_t blanks = 0, before = s->out->len, start, i;
	char *line;

	for (; len > 0 && (*p == ' ' || *p == '\t'); p++, len--)
		blanks += *p == '\t' ? 8 : 1;
	line = wisp_alloc(len + 1, 1);
	for (i = 0; i < len; i++)
		line[i] = p[i] != '\0' ? p[i] : ' ';
	wisp_buf_printf(s->out, "    %*s", (int)(blanks < INDENT ? blanks : INDENT), "");
	start = s->out->len;
	wisp_buf_line(s->out, line, max);
	if (s->out->len > start) {
		wisp_buf_putc(s->out, '\n');
		s->words = true;
	} else {
		s->out->len = before;
		s->out->data[before] = '\0';
	}
	free(line);
}

/* The whole lines of a message, or all of it. The bytes that were shown. */
static size_t
put_lines(struct wisp_say *s, const char *text, size_t len, bool all)
{
	const char *p = text, *end = text + len, *stop;

	while (p < end) {
		stop = memchr(p, '\n', (size_t)(end - p));
		if (stop == NULL && !all)
			break;
		put_line(s, p, (size_t)((stop != NULL ? stop : end) - p), WISP_SAY_TEXT);
		p = stop != NULL ? stop + 1 : end;
	}
	return (size_t)(p - text);
}

static void
flush_said(struct wisp_say *s)
{
	if (s->said.len > 0)
		put_lines(s, s->said.data, s->said.len, true);
	wisp_buf_reset(&s->said);
}

static void
put(struct wisp_say *s, const char *mark, const char *text)
{
	flush_said(s);
	wisp_buf_printf(s->out, "  %s", mark);
	wisp_buf_line(s->out, text, WISP_SAY_LINE);
	wisp_buf_putc(s->out, '\n');
}

const char *
wisp_say_first(const struct wisp_event *e, const int *wants, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (wisp_event_text(e, wants[i])[0] != '\0')
			return wisp_event_text(e, wants[i]);
	return "";
}

void
wisp_say_text(struct wisp_say *s, const char *text)
{
	size_t len = strlen(text);

	flush_said(s);
	put_lines(s, text, len, true);
	if (len >= WISP_SAY_TEXT)
		put(s, "~ ", "the message is longer than that");
}

void
wisp_say_piece(struct wisp_say *s, const char *text)
{
	size_t shown;

	s->speaking = true;
	wisp_buf_puts(&s->said, text);
	if (s->said.len == 0)
		return;
	shown = put_lines(s, s->said.data, s->said.len, s->said.len >= WISP_SAY_TEXT);
	memmove(s->said.data, s->said.data + shown, s->said.len - shown + 1);
	s->said.len -= shown;
}

void
wisp_say_tool(struct wisp_say *s, const char *name, const struct wisp_event *e, const int *on, size_t count)
{
	const char *what = wisp_say_first(e, on, count);
	char *text = wisp_str("%s%s%s", *name != '\0' ? name : "a tool", *what != '\0' ? ": " : "", what);

	put(s, "> ", text);
	free(text);
}

void
wisp_say_started(struct wisp_say *s, const char *id)
{
	char *call = s->calls[s->call_at++ % WISP_SAY_CALLS];

	snprintf(call, sizeof s->calls[0], "%s", id);
}

bool
wisp_say_was_started(struct wisp_say *s, const char *id)
{
	size_t i;

	for (i = 0; i < WISP_SAY_CALLS; i++) {
		if (*id != '\0' && strncmp(s->calls[i], id, sizeof s->calls[0] - 1) == 0) {
			s->calls[i][0] = '\0';
			return true;
		}
	}
	return false;
}

void
wisp_say_result(struct wisp_say *s, const char *text)
{
	put(s, "< ", text[strspn(text, " \t\r\n")] != '\0' ? text : "(nothing)");
}

void
wisp_say_failed(struct wisp_say *s, const char *why)
{
	put(s, *why != '\0' ? "! failed: " : "! failed", why);
}

void
wisp_say_note(struct wisp_say *s, const char *fmt, ...)
{
	struct wisp_buf text = WISP_BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	wisp_buf_vprintf(&text, fmt, ap);
	va_end(ap);
	put(s, "~ ", text.data);
	wisp_buf_release(&text);
}

void
wisp_say_ended(struct wisp_say *s, const char *how, double turns, double cost, double input, double output)
{
	struct wisp_buf text = WISP_BUF_INIT;

	wisp_buf_puts(&text, *how != '\0' ? how : "ended");
	if (!isnan(turns))
		wisp_buf_printf(&text, ", %.0f turn%s", turns, turns == 1 ? "" : "s");
	if (!isnan(input) && !isnan(output))
		wisp_buf_printf(&text, ", %.0f tokens in, %.0f out", input, output);
	if (!isnan(cost))
		wisp_buf_printf(&text, ", $%.2f", cost);
	put(s, "= ", text.data);
	wisp_buf_release(&text);
}

static void
item(void *arg, int want)
{
	struct wisp_say_reading *r = arg;

	if (r->reader->item != NULL)
		r->reader->item(r->say, &r->event, want);
}

static void
line(void *arg)
{
	struct wisp_say_reading *r = arg;

	if (r->reader->line(r->say, &r->event))
		r->say->claimed = true;
}

void
wisp_say_init(struct wisp_say *s, struct wisp_buf *out)
{
	size_t i;

	memset(s, 0, sizeof *s);
	s->out = out;
	s->cost = s->tokens[0] = s->tokens[1] = NAN;
	for (i = 0; i < WISP_SAY_READERS; i++) {
		struct wisp_say_reading *r = &s->reading[i];
		struct wisp_event_sink sink = {.values = {.item = item, .arg = r}, .line = line, .arg = r};

		r->say = s;
		r->reader = readers[i];
		wisp_event_init(&r->event, r->reader->wants, r->reader->count, &sink);
	}
}

/* A line is over, if it was one: shown as it is if it was no event. */
static void
end_line(struct wisp_say *s)
{
	const struct wisp_event *e = &s->reading[0].event;
	bool bad = e->bad > s->bad, own = bad || (e->lines > s->lines && !s->claimed && !wisp_event_has(e, 0));

	if (!s->speaking)
		flush_said(s);
	if (own && s->head.len > 0) {
		wisp_buf_add(&s->head, "", 1);
		put_line(s, s->head.data, s->head.len - 1, bad && strchr("{[", *s->head.data) == NULL ? WISP_SAY_TEXT
												      : WISP_SAY_LINE);
	}
	wisp_buf_reset(&s->head);
	s->claimed = s->speaking = false;
	s->bad = e->bad;
	s->lines = e->lines;
}

void
wisp_say_feed(struct wisp_say *s, const char *p, size_t n)
{
	const char *stop;
	size_t len, room, i;

	for (; n > 0; p += len, n -= len) {
		stop = memchr(p, '\n', n);
		len = stop != NULL ? (size_t)(stop - p) + 1 : n;
		room = WISP_SAY_TEXT + 1 - s->head.len;
		wisp_buf_add(&s->head, p, len < room ? len : room);
		for (i = 0; i < WISP_SAY_READERS; i++)
			wisp_event_feed(&s->reading[i].event, p, len);
		if (stop != NULL)
			end_line(s);
	}
}

void
wisp_say_end(struct wisp_say *s)
{
	size_t i;

	for (i = 0; i < WISP_SAY_READERS; i++)
		wisp_event_end(&s->reading[i].event);
	end_line(s);
	flush_said(s);
}

void
wisp_say_release(struct wisp_say *s)
{
	size_t i;

	for (i = 0; i < WISP_SAY_READERS; i++)
		wisp_event_release(&s->reading[i].event);
	wisp_buf_release(&s->said);
	wisp_buf_release(&s->head);
}
