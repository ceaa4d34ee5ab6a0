/*
 * say_opencode: opencode, which has no final event; each step has its own cost.
 */
#include "say_reader.h"

#include <math.h>
#include <stdlib.h>

enum {
	TYPE, SESSION, TEXT, TOOL, COMMAND, FILE_PATH, PATTERN, URL, ABOUT, STATUS, ERROR, EXIT, OUTPUT, REASON, COST,
	TOKENS_IN, TOKENS_OUT, FAILURE, FAILURE_NAME, HTTP,
	WANTS
};

static const struct wisp_want wants[WANTS] = {
	[TYPE] = {"type", 40},
	[SESSION] = {"sessionID", 8},
	[TEXT] = {"part.text", WISP_SAY_TEXT},
	[TOOL] = {"part.tool", 100},
	[COMMAND] = {"part.state.input.command", WISP_SAY_WANT_LINE},
	[FILE_PATH] = {"part.state.input.filePath", WISP_SAY_WANT_LINE},
	[PATTERN] = {"part.state.input.pattern", WISP_SAY_WANT_LINE},
	[URL] = {"part.state.input.url", WISP_SAY_WANT_LINE},
	[ABOUT] = {"part.state.input.description", WISP_SAY_WANT_LINE},
	[STATUS] = {"part.state.status", 32},
	[ERROR] = {"part.state.error", WISP_SAY_WANT_LINE},
	[EXIT] = {"part.state.metadata.exit", 16},
	[OUTPUT] = {"part.state.output", WISP_SAY_WANT_LINE},
	[REASON] = {"part.reason", 32},
	[COST] = {"part.cost", 32},
	[TOKENS_IN] = {"part.tokens.input", 24},
	[TOKENS_OUT] = {"part.tokens.output", 24},
	[FAILURE] = {"error.data.message", WISP_SAY_WANT_LINE},
	[FAILURE_NAME] = {"error.name", 64},
	[HTTP] = {"error.data.statusCode", 16},
};

static void
tool_line(struct wisp_say *s, const struct wisp_event *e)
{
	static const int on[] = {COMMAND, FILE_PATH, PATTERN, URL, ABOUT};
	const char *output = wisp_event_text(e, OUTPUT);
	double status = wisp_event_number(e, EXIT, 0);
	char *text;

	wisp_say_tool(s, wisp_event_text(e, TOOL), e, on, sizeof on / sizeof *on);
	if (wisp_event_is(e, STATUS, "error")) {
		wisp_say_failed(s, wisp_event_text(e, ERROR));
	} else if (status != 0) {
		text = wisp_str("exit status %.0f%s%s", status, *output != '\0' ? ": " : "", output);
		wisp_say_failed(s, text);
		free(text);
	} else {
		wisp_say_result(s, output);
	}
}

static void
add(double *sum, double more)
{
	if (!isnan(more))
		*sum = isnan(*sum) ? more : *sum + more;
}

/* The last one is the end, and it cannot be known which that is: reason stop comes once. */
static void
finish_line(struct wisp_say *s, const struct wisp_event *e)
{
	add(&s->cost, wisp_event_number(e, COST, NAN));
	add(&s->tokens[0], wisp_event_number(e, TOKENS_IN, NAN));
	add(&s->tokens[1], wisp_event_number(e, TOKENS_OUT, NAN));
	if (!wisp_event_is(e, REASON, "tool-calls"))
		wisp_say_ended(s, wisp_event_text(e, REASON), NAN, s->cost, s->tokens[0], s->tokens[1]);
}

static void
error_line(struct wisp_say *s, const struct wisp_event *e)
{
	static const int why[] = {FAILURE, FAILURE_NAME};
	bool http = wisp_event_has(e, HTTP);
	char *text = wisp_str("%s%s%s%s", wisp_say_first(e, why, sizeof why / sizeof *why), http ? " (" : "",
			      wisp_event_text(e, HTTP), http ? ")" : "");

	wisp_say_failed(s, text);
	free(text);
}

static bool
line(struct wisp_say *s, const struct wisp_event *e)
{
	if (wisp_event_is(e, TYPE, "text") && wisp_event_has(e, TEXT))
		wisp_say_text(s, wisp_event_text(e, TEXT));
	else if (wisp_event_is(e, TYPE, "tool_use") && wisp_event_has(e, TOOL))
		tool_line(s, e);
	else if (wisp_event_is(e, TYPE, "step_finish"))
		finish_line(s, e);
	else if (wisp_event_is(e, TYPE, "error") && wisp_event_has(e, SESSION))
		error_line(s, e);
	else
		return wisp_event_has(e, SESSION);
	return true;
}

const struct wisp_say_reader wisp_say_opencode = {.wants = wants, .count = WANTS, .line = line};
