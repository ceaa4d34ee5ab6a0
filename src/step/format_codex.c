/*
 * codex: `codex exec --json`.
 *
 * It ends with turn.completed or turn.failed. `error` lines tell of retries
 * too, and an item of type error is a warning, so neither is a failure. What
 * kind of failure it was stands only in the words of turn.failed.
 */
#include "format.h"

#include <math.h>
#include <string.h>

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
	bool completed, failed, erred;
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

	p->over = true;
	p->recovered = completed && c->erred;
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

/* It waits for the service, or gives up, which turn.failed says again. */
static void
error_line(struct wisp_parse *p)
{
	struct codex *c = p->state;

	p->quiet = c->erred = true;
	p->step->retries +=
		strncmp(wisp_event_text(&p->event, MESSAGE), "Reconnecting...", 15) == 0;
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
	else if (wisp_event_is(e, TYPE, "item.started") ||
		 wisp_event_is(e, TYPE, "item.completed") || wisp_event_is(e, TYPE, "item.updated"))
		item_line(p);
	else if (wisp_event_is(e, TYPE, "error"))
		error_line(p);
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

static void
judge_failure(struct wisp_parse *p, const char *text)
{
	p->step->api_status = status_in(text);
	wisp_parse_failed(p, text, wisp_parse_status(p->step->api_status), NULL, -1);
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
