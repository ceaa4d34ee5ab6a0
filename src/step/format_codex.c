/*
 * codex: `codex exec --json`.
 *
 * It ends with turn.completed or turn.failed. `error` lines tell of retries
 * too, and an item of type error is a warning, so neither is a failure. What
 * kind of failure it was stands only in the words of turn.failed; those that
 * are known are below, all else is an error.
 */
#include "format.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum {
	TYPE, THREAD, ITEM_TYPE, ITEM_ID, ITEM_TEXT, MESSAGE, FAILURE, INPUT, OUTPUT, CACHE_READ, CACHE_WRITE,
	WANTS
};

static const struct wisp_want wants[WANTS] = {
	[TYPE] = {"type", 32},
	[THREAD] = {"thread_id", 100},
	[ITEM_TYPE] = {"item.type", 64},
	[ITEM_ID] = {"item.id", 100},
	[ITEM_TEXT] = {"item.text", WISP_WANT_PIECES},
	[MESSAGE] = {"message", 32},
	[FAILURE] = {"error.message", 600},
	[INPUT] = {"usage.input_tokens", 24},
	[OUTPUT] = {"usage.output_tokens", 24},
	[CACHE_READ] = {"usage.cached_input_tokens", 24},
	[CACHE_WRITE] = {"usage.cache_write_input_tokens", 24},
};

struct codex {
	bool completed, failed;
	char failure[601];
};

/* Items that are no tool calls. */
static const char *const no_tools[] = {"agent_message", "reasoning", "error", "todo_list", "user_message"};

static void
pieces(struct wisp_parse *p, int want, const char *s, size_t n)
{
	(void)want;
	wisp_parse_piece(p, s, n, false);
}

static void
item_line(struct wisp_parse *p)
{
	const struct wisp_event *e = &p->event;
	size_t i;

	if (wisp_event_is(e, ITEM_TYPE, "agent_message") && wisp_event_has(e, ITEM_TEXT) &&
	    wisp_event_is(e, TYPE, "item.completed"))
		wisp_parse_take(p);
	for (i = 0; i < sizeof no_tools / sizeof *no_tools; i++)
		if (wisp_event_is(e, ITEM_TYPE, no_tools[i]))
			return;
	wisp_parse_tool(p, wisp_event_text(e, ITEM_TYPE), wisp_event_text(e, ITEM_ID));
}

static void
end_line(struct wisp_parse *p, bool completed)
{
	const struct wisp_event *e = &p->event;
	struct codex *c = p->state;
	struct wisp_step *s = p->step;

	c->completed = completed;
	c->failed = !completed;
	wisp_event_copy(e, FAILURE, c->failure, sizeof c->failure);
	if (!completed)
		return;
	s->tokens[WISP_INPUT] = wisp_event_number(e, INPUT, NAN);
	s->tokens[WISP_OUTPUT] = wisp_event_number(e, OUTPUT, NAN);
	s->tokens[WISP_CACHE_READ] = wisp_event_number(e, CACHE_READ, NAN);
	s->tokens[WISP_CACHE_WRITE] = wisp_event_number(e, CACHE_WRITE, NAN);
}

static bool
line(struct wisp_parse *p)
{
	const struct wisp_event *e = &p->event;
	struct wisp_step *s = p->step;

	if (s->retries < 0)
		s->retries = s->turns = 0;
	wisp_step_note(&s->agent_session, wisp_event_text(e, THREAD));
	if (wisp_event_is(e, TYPE, "turn.started"))
		s->turns++;
	else if (wisp_event_is(e, TYPE, "item.started") || wisp_event_is(e, TYPE, "item.completed"))
		item_line(p);
	else if (wisp_event_is(e, TYPE, "error"))
		s->retries += strncmp(wisp_event_text(e, MESSAGE), "Reconnecting...", 15) == 0;
	else if (wisp_event_is(e, TYPE, "turn.completed") || wisp_event_is(e, TYPE, "turn.failed"))
		end_line(p, wisp_event_is(e, TYPE, "turn.completed"));
	else
		return wisp_event_is(e, TYPE, "thread.started");
	return true;
}

/* The HTTP status that the words name, or 0. */
static int
status_in(const char *text)
{
	static const char *const before[] = {"unexpected status ", "last status: "};
	const char *at;
	size_t i;

	for (i = 0; i < sizeof before / sizeof *before; i++) {
		at = strstr(text, before[i]);
		if (at != NULL)
			return wisp_parse_http(at + strlen(before[i]));
	}
	return 0;
}

static bool
begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* The first 5:21 AM after a step began, in the time of this machine. */
static wisp_ms
next_time_of_day(const char *text, wisp_ms began)
{
	time_t t = (time_t)(began / 1000);
	struct tm tm;

	if (began < 0 || localtime_r(&t, &tm) == NULL || strptime(text, "%I:%M %p", &tm) == NULL)
		return -1;
	tm.tm_sec = 0;
	tm.tm_isdst = -1;
	t = mktime(&tm);
	if (t > 0 && (wisp_ms)t * 1000 <= began) {
		tm.tm_mday++;
		tm.tm_isdst = -1;
		t = mktime(&tm);
	}
	return t > 0 ? (wisp_ms)t * 1000 : -1;
}

/* `... try again at Nov 28th, 2026 9:06 PM.`, on that day itself `... at 9:06 PM.`, in local time; -1 if it does not say. */
static wisp_ms
reset_time(const char *text, wisp_ms began)
{
	static const char before[] = "try again at ";
	const char *at = strstr(text, before);
	struct tm tm = {.tm_isdst = -1};
	time_t t;

	if (at == NULL)
		return -1;
	text = at + strlen(before);
	at = strptime(text, "%b %d", &tm);
	if (at == NULL)
		return next_time_of_day(text, began);
	if (strlen(at) < 2)
		return -1;
	/* After the day comes st, nd, rd or th. */
	at = strptime(at + 2, ", %Y %I:%M %p", &tm);
	t = at != NULL ? mktime(&tm) : -1;
	return t > 0 ? (wisp_ms)t * 1000 : -1;
}

/* The apostrophes are U+2019. */
static void
judge_failure(struct wisp_parse *p, const char *text)
{
	int status = status_in(text);
	enum wisp_outcome outcome = wisp_parse_status(status);
	const char *limit = "requests";

	if (begins(text, "You\xe2\x80\x99ve hit your usage limit")) {
		outcome = WISP_LIMITED;
		limit = "unknown";
	} else if (begins(text, "Quota exceeded.")) {
		outcome = WISP_LIMITED;
		limit = "quota";
	} else if (begins(text, "stream disconnected before completion") ||
		   begins(text, "We\xe2\x80\x99re currently experiencing high demand")) {
		outcome = WISP_TRANSIENT;
	}
	p->step->api_status = status;
	if (outcome == WISP_LIMITED)
		wisp_parse_limit(p, limit, reset_time(text, p->step->started_at));
	wisp_step_end(p->step, outcome, "%s", *text != '\0' ? text : "the turn failed");
}

static void
judge(struct wisp_parse *p, int exit_code)
{
	const struct codex *c = p->state;

	if (c->failed)
		judge_failure(p, c->failure);
	else if (!c->completed)
		wisp_parse_lost(p, exit_code, "no turn was completed");
	else
		wisp_step_end(p->step, WISP_OK, "%s", "");
}

const struct wisp_format wisp_format_codex = {
	.name = "codex", .size = sizeof(struct codex), .wants = wants, .count = WANTS,
	.pieces = pieces, .line = line, .judge = judge,
};
