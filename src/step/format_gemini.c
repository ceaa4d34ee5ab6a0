/*
 * gemini: `gemini --output-format stream-json`.
 *
 * An answer comes in pieces, and a run of them is one message. Its `result`
 * says that it failed, but its exit status says why: that is the HTTP status
 * modulo 256, or one of its own.
 */
#include "format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define EXIT_LOGIN 41
#define EXIT_TURN_CAP 53

enum {
	TYPE, SESSION, MODEL, SEVERITY, MESSAGE, ROLE, CONTENT, TOOL, TOOL_ID, STATUS, ERROR_TYPE, ERROR,
	INPUT, OUTPUT, CACHED,
	WANTS
};

static const struct wisp_want wants[WANTS] = {
	[TYPE] = {"type", 32},
	[SESSION] = {"session_id", 100},
	[MODEL] = {"model", 100},
	[SEVERITY] = {"severity", 16},
	[MESSAGE] = {"message", 400},
	[ROLE] = {"role", 16},
	[CONTENT] = {"content", WISP_WANT_PIECES},
	[TOOL] = {"tool_name", 100},
	[TOOL_ID] = {"tool_id", 100},
	[STATUS] = {"status", 16},
	[ERROR_TYPE] = {"error.type", 64},
	[ERROR] = {"error.message", 400},
	[INPUT] = {"stats.input_tokens", 24},
	[OUTPUT] = {"stats.output_tokens", 24},
	[CACHED] = {"stats.cached", 24},
};

struct gemini {
	bool speaking;			/* the last line was the assistant's */
	bool result, success;
	bool erred;			/* an error event, and no result after it */
	char error_type[65], error[401];
	char warning[401];		/* the last one: why it stopped, though it did well */
};

static void
pieces(struct wisp_parse *p, int want, const char *s, size_t n)
{
	const struct gemini *g = p->state;

	(void)want;
	wisp_parse_piece(p, s, n, g->speaking);
}

static void
result_line(struct wisp_parse *p)
{
	const struct wisp_event *e = &p->event;
	struct gemini *g = p->state;
	struct wisp_step *s = p->step;

	p->over = g->result = true;
	g->success = wisp_event_is(e, STATUS, "success");
	p->recovered = g->erred && g->success;
	wisp_event_copy(e, ERROR_TYPE, g->error_type, sizeof g->error_type);
	if (wisp_event_has(e, ERROR))
		wisp_event_copy(e, ERROR, g->error, sizeof g->error);
	s->tokens[WISP_INPUT] = wisp_event_number(e, INPUT, NAN);
	s->tokens[WISP_OUTPUT] = wisp_event_number(e, OUTPUT, NAN);
	s->tokens[WISP_CACHE_READ] = wisp_event_number(e, CACHED, NAN);
}

static void
error_line(struct wisp_parse *p)
{
	struct gemini *g = p->state;
	bool warning = wisp_event_is(&p->event, SEVERITY, "warning");

	p->quiet = true;
	g->erred = g->erred || !warning;
	wisp_event_copy(&p->event, MESSAGE, warning ? g->warning : g->error, sizeof g->error);
}

static bool
line(struct wisp_parse *p)
{
	const struct wisp_event *e = &p->event;
	struct gemini *g = p->state;
	bool known = true, speaks = false;

	if (wisp_event_is(e, TYPE, "init")) {
		wisp_step_note(&p->step->agent_session, wisp_event_text(e, SESSION));
		wisp_step_note(&p->step->model, wisp_event_text(e, MODEL));
	} else if (wisp_event_is(e, TYPE, "message")) {
		speaks = wisp_event_is(e, ROLE, "assistant");
		if (speaks && wisp_event_has(e, CONTENT))
			wisp_parse_take(p);
	} else if (wisp_event_is(e, TYPE, "tool_use")) {
		wisp_parse_tool(p, wisp_event_text(e, TOOL), wisp_event_text(e, TOOL_ID));
	} else if (wisp_event_is(e, TYPE, "tool_result")) {
		p->worked += wisp_event_is(e, STATUS, "success");
	} else if (wisp_event_is(e, TYPE, "result")) {
		result_line(p);
	} else if (wisp_event_is(e, TYPE, "error")) {
		error_line(p);
	} else {
		known = false;
	}
	g->speaking = speaks;
	return known;
}

/* The HTTP status that an exit status stands for, or 0. */
static int
http_status(int exit_code)
{
	static const int statuses[] = {400, 401, 402, 403, 404, 408, 413, 429, 500, 502, 503, 504};
	size_t i;

	for (i = 0; i < sizeof statuses / sizeof *statuses; i++)
		if (statuses[i] % 256 == exit_code)
			return statuses[i];
	return 0;
}

static void
judge_failure(struct wisp_parse *p, int exit_code)
{
	const struct gemini *g = p->state;
	bool capped = exit_code == EXIT_TURN_CAP ||
		      strcmp(g->error_type, "FatalTurnLimitedError") == 0;
	int status = http_status(exit_code);
	char text[64];

	p->step->api_status = status;
	if (g->error[0] == '\0')
		snprintf(text, sizeof text, "exit status %d%s", exit_code,
			 capped ? ", its maximum number of turns" : "");
	if (capped)
		wisp_step_end(p->step, WISP_CAPPED, "%s", g->error[0] != '\0' ? g->error : text);
	else
		wisp_parse_failed(p, g->error[0] != '\0' ? g->error : text,
				  exit_code == EXIT_LOGIN ? WISP_AUTH : wisp_parse_status(status),
				  NULL, -1);
}

static void
judge(struct wisp_parse *p, int exit_code)
{
	const struct gemini *g = p->state;

	if (g->success)
		wisp_step_end(p->step, WISP_OK, "%s", g->warning);
	else if (g->result || http_status(exit_code) != 0 || exit_code == EXIT_TURN_CAP)
		judge_failure(p, exit_code);
	else
		wisp_parse_lost(p, exit_code, "no result line");
	if (exit_code == EXIT_LOGIN && !g->result) {
		p->step->outcome = WISP_AUTH;
		p->step->auth = "login";
	}
}

const struct wisp_format wisp_format_gemini = {
	.name = "gemini", .size = sizeof(struct gemini), .wants = wants, .count = WANTS,
	.pieces = pieces, .line = line, .judge = judge,
};
