/*
 * say_copilot: copilot, whose types have dots and whose values lie in `data`.
 */
#include "say_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	TYPE, EXIT, CONTENT, TOOL, COMMAND, PATH, PATTERN, URL, SUCCESS, RESULT, ERROR, REASON, MESSAGE, CALL_ERROR, HTTP,
	WANTS
};

static const struct wisp_want wants[WANTS] = {
	[TYPE] = {"type", 64},
	[EXIT] = {"exitCode", 16},
	[CONTENT] = {"data.content", WISP_SAY_TEXT},
	[TOOL] = {"data.toolName", 100},
	[COMMAND] = {"data.arguments.command", WISP_SAY_WANT_LINE},
	[PATH] = {"data.arguments.path", WISP_SAY_WANT_LINE},
	[PATTERN] = {"data.arguments.pattern", WISP_SAY_WANT_LINE},
	[URL] = {"data.arguments.url", WISP_SAY_WANT_LINE},
	[SUCCESS] = {"data.success", 1},
	[RESULT] = {"data.result.content", WISP_SAY_WANT_LINE},
	[ERROR] = {"data.error.message", WISP_SAY_WANT_LINE},
	[REASON] = {"data.reason", 64},
	[MESSAGE] = {"data.message", WISP_SAY_WANT_LINE},
	[CALL_ERROR] = {"data.errorMessage", WISP_SAY_WANT_LINE},
	[HTTP] = {"data.statusCode", 16},
};

static void
result_line(struct wisp_say *s, const struct wisp_event *e)
{
	long long status = wisp_event_count(e, EXIT, 255, 1);
	char *how = status == 0 ? wisp_strdup("success") : wisp_str("failed, exit status %lld", status);

	wisp_say_ended(s, how, NAN, NAN, NAN, NAN);
	free(how);
}

static bool
line(struct wisp_say *s, const struct wisp_event *e)
{
	static const int on[] = {COMMAND, PATH, PATTERN, URL};
	const char *type = wisp_event_text(e, TYPE);
	bool http = wisp_event_has(e, HTTP);

	if (strcmp(type, "assistant.message") == 0)
		wisp_say_text(s, wisp_event_text(e, CONTENT));
	else if (strcmp(type, "tool.execution_start") == 0)
		wisp_say_tool(s, wisp_event_text(e, TOOL), e, on, sizeof on / sizeof *on);
	else if (strcmp(type, "tool.execution_complete") == 0 && wisp_event_true(e, SUCCESS))
		wisp_say_result(s, wisp_event_text(e, RESULT));
	else if (strcmp(type, "tool.execution_complete") == 0)
		wisp_say_failed(s, wisp_event_text(e, ERROR));
	else if (strcmp(type, "model.call_failure") == 0)
		wisp_say_note(s, "the call failed%s%s%s: %s", http ? " (" : "", wisp_event_text(e, HTTP), http ? ")" : "",
			      wisp_event_text(e, CALL_ERROR));
	else if (strcmp(type, "assistant.turn_retry") == 0)
		wisp_say_note(s, "retry: %s", wisp_event_text(e, REASON));
	else if (strcmp(type, "session.error") == 0)
		wisp_say_failed(s, wisp_event_text(e, MESSAGE));
	else if (strcmp(type, "result") == 0 && wisp_event_has(e, EXIT))
		result_line(s, e);
	else
		return false;
	return true;
}

const struct wisp_say_reader wisp_say_copilot = {.wants = wants, .count = WANTS, .line = line};
