/*
 * say_gemini: gemini, whose messages come in pieces.
 */
#include "say_reader.h"

#include <math.h>

enum {
	TYPE, ROLE, CONTENT, TOOL, COMMAND, FILE_PATH, PATTERN, DIR_PATH, QUERY, URL, OUTPUT, STATUS, SEVERITY, MESSAGE, ERROR,
	TOKENS_IN, TOKENS_OUT,
	WANTS
};

static const struct wisp_want wants[WANTS] = {
	[TYPE] = {"type", 40},
	[ROLE] = {"role", 16},
	[CONTENT] = {"content", WISP_SAY_TEXT},
	[TOOL] = {"tool_name", 100},
	[COMMAND] = {"parameters.command", WISP_SAY_WANT_LINE},
	[FILE_PATH] = {"parameters.file_path", WISP_SAY_WANT_LINE},
	[PATTERN] = {"parameters.pattern", WISP_SAY_WANT_LINE},
	[DIR_PATH] = {"parameters.dir_path", WISP_SAY_WANT_LINE},
	[QUERY] = {"parameters.query", WISP_SAY_WANT_LINE},
	[URL] = {"parameters.url", WISP_SAY_WANT_LINE},
	[OUTPUT] = {"output", WISP_SAY_WANT_LINE},
	[STATUS] = {"status", 32},
	[SEVERITY] = {"severity", 16},
	[MESSAGE] = {"message", WISP_SAY_WANT_LINE},
	[ERROR] = {"error.message", WISP_SAY_WANT_LINE},
	[TOKENS_IN] = {"stats.input_tokens", 24},
	[TOKENS_OUT] = {"stats.output_tokens", 24},
};

static void
tool_result(struct wisp_say *s, const struct wisp_event *e)
{
	static const int why[] = {ERROR, OUTPUT};

	if (wisp_event_is(e, STATUS, "success"))
		wisp_say_result(s, wisp_event_text(e, OUTPUT));
	else
		wisp_say_failed(s, wisp_say_first(e, why, sizeof why / sizeof *why));
}

static bool
line(struct wisp_say *s, const struct wisp_event *e)
{
	static const int on[] = {COMMAND, FILE_PATH, PATTERN, DIR_PATH, QUERY, URL};

	if (wisp_event_is(e, TYPE, "message") && wisp_event_has(e, ROLE)) {
		if (wisp_event_is(e, ROLE, "assistant"))
			wisp_say_piece(s, wisp_event_text(e, CONTENT));
	} else if (wisp_event_is(e, TYPE, "tool_use") && wisp_event_has(e, TOOL)) {
		wisp_say_tool(s, wisp_event_text(e, TOOL), e, on, sizeof on / sizeof *on);
	} else if (wisp_event_is(e, TYPE, "tool_result")) {
		tool_result(s, e);
	} else if (wisp_event_is(e, TYPE, "error") && wisp_event_has(e, SEVERITY)) {
		wisp_say_failed(s, wisp_event_text(e, MESSAGE));
	} else if (wisp_event_is(e, TYPE, "result") && wisp_event_has(e, STATUS)) {
		if (wisp_event_has(e, ERROR))
			wisp_say_failed(s, wisp_event_text(e, ERROR));
		wisp_say_ended(s, wisp_event_text(e, STATUS), NAN, NAN, wisp_event_number(e, TOKENS_IN, NAN),
			       wisp_event_number(e, TOKENS_OUT, NAN));
	} else {
		return wisp_event_is(e, TYPE, "init");
	}
	return true;
}

const struct wisp_say_reader wisp_say_gemini = {.wants = wants, .count = WANTS, .line = line};
