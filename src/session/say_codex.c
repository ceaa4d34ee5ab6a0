/*
 * say_codex: codex, whose items are started and completed.
 */
#include "say_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	TYPE, MESSAGE, SEVERITY, OPENCODE, ERROR, INPUT, OUTPUT,
	ITEM_ID, ITEM_TYPE, ITEM_TEXT, ITEM_MESSAGE, ITEM_COMMAND, ITEM_PATH, ITEM_QUERY, ITEM_TOOL, ITEM_EXIT, ITEM_STATUS,
	ITEM_OUTPUT, ITEM_ERROR,
	WANTS
};

static const struct wisp_want wants[WANTS] = {
	[TYPE] = {"type", 40},
	[MESSAGE] = {"message", WISP_SAY_WANT_LINE},
	[SEVERITY] = {"severity", 8},
	[OPENCODE] = {"sessionID", 8},
	[ERROR] = {"error.message", WISP_SAY_WANT_LINE},
	[INPUT] = {"usage.input_tokens", 24},
	[OUTPUT] = {"usage.output_tokens", 24},
	[ITEM_ID] = {"item.id", 64},
	[ITEM_TYPE] = {"item.type", 40},
	[ITEM_TEXT] = {"item.text", WISP_SAY_TEXT},
	[ITEM_MESSAGE] = {"item.message", WISP_SAY_WANT_LINE},
	[ITEM_COMMAND] = {"item.command", WISP_SAY_WANT_LINE},
	[ITEM_PATH] = {"item.changes[].path", WISP_SAY_WANT_LINE},
	[ITEM_QUERY] = {"item.query", WISP_SAY_WANT_LINE},
	[ITEM_TOOL] = {"item.tool", 100},
	[ITEM_EXIT] = {"item.exit_code", 16},
	[ITEM_STATUS] = {"item.status", 16},
	[ITEM_OUTPUT] = {"item.aggregated_output", WISP_SAY_WANT_LINE},
	[ITEM_ERROR] = {"item.error.message", WISP_SAY_WANT_LINE},
};

static bool
is_tool(const struct wisp_event *e)
{
	static const char *const no_tools[] = {"agent_message", "reasoning", "error", "todo_list", "user_message"};
	size_t i;

	for (i = 0; i < sizeof no_tools / sizeof *no_tools; i++)
		if (wisp_event_is(e, ITEM_TYPE, no_tools[i]))
			return false;
	return wisp_event_has(e, ITEM_TYPE);
}

static void
put_tool(struct wisp_say *s, const struct wisp_event *e)
{
	static const int on[] = {ITEM_COMMAND, ITEM_PATH, ITEM_QUERY, ITEM_TOOL};

	wisp_say_tool(s, wisp_event_text(e, ITEM_TYPE), e, on, sizeof on / sizeof *on);
}

/* Only commands tell what they gave. */
static void
put_result(struct wisp_say *s, const struct wisp_event *e)
{
	static const int why[] = {ITEM_ERROR, ITEM_OUTPUT};
	const char *text = wisp_say_first(e, why, sizeof why / sizeof *why);
	double status = wisp_event_number(e, ITEM_EXIT, 0);

	if (status != 0) {
		char *all = wisp_str("exit status %.0f%s%s", status, *text != '\0' ? ": " : "", text);

		wisp_say_failed(s, all);
		free(all);
	} else if (wisp_event_is(e, ITEM_STATUS, "failed") || wisp_event_is(e, ITEM_STATUS, "declined")) {
		wisp_say_failed(s, *text != '\0' ? text : wisp_event_text(e, ITEM_STATUS));
	} else if (wisp_event_has(e, ITEM_OUTPUT)) {
		wisp_say_result(s, text);
	}
}

static void
completed(struct wisp_say *s, const struct wisp_event *e)
{
	if (wisp_event_is(e, ITEM_TYPE, "agent_message")) {
		wisp_say_text(s, wisp_event_text(e, ITEM_TEXT));
	} else if (wisp_event_is(e, ITEM_TYPE, "error")) {
		wisp_say_note(s, "%s", wisp_event_text(e, ITEM_MESSAGE));
	} else if (is_tool(e)) {
		if (!wisp_say_was_started(s, wisp_event_text(e, ITEM_ID)))
			put_tool(s, e);
		put_result(s, e);
	}
}

static void
error_line(struct wisp_say *s, const struct wisp_event *e)
{
	if (strncmp(wisp_event_text(e, MESSAGE), "Reconnecting...", 15) == 0)
		wisp_say_note(s, "%s", wisp_event_text(e, MESSAGE));
	else
		wisp_say_failed(s, wisp_event_text(e, wisp_event_has(e, MESSAGE) ? MESSAGE : ERROR));
}

static void
failed_line(struct wisp_say *s, const struct wisp_event *e)
{
	char *how = wisp_str("failed: %s", wisp_event_text(e, ERROR));

	wisp_say_ended(s, how, NAN, NAN, NAN, NAN);
	free(how);
}

static bool
line(struct wisp_say *s, const struct wisp_event *e)
{
	const char *type = wisp_event_text(e, TYPE);

	if (strcmp(type, "item.completed") == 0) {
		completed(s, e);
	} else if (strcmp(type, "item.started") == 0 && is_tool(e)) {
		put_tool(s, e);
		wisp_say_started(s, wisp_event_text(e, ITEM_ID));
	} else if (strcmp(type, "turn.completed") == 0) {
		wisp_say_ended(s, "completed", NAN, NAN, wisp_event_number(e, INPUT, NAN), wisp_event_number(e, OUTPUT, NAN));
	} else if (strcmp(type, "turn.failed") == 0) {
		failed_line(s, e);
	} else if (strcmp(type, "error") == 0 && !wisp_event_has(e, SEVERITY) && !wisp_event_has(e, OPENCODE)) {
		error_line(s, e);
	} else {
		return strncmp(type, "item.", 5) == 0 || strncmp(type, "turn.", 5) == 0 || strncmp(type, "thread.", 7) == 0;
	}
	return true;
}

const struct wisp_say_reader wisp_say_codex = {.wants = wants, .count = WANTS, .line = line};
