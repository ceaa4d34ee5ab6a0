/*
 * say_claude: claude, qwen and amp, whose messages are lists of blocks.
 */
#include "say_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/time.h"

enum {
	TYPE, SUBTYPE, EXIT, STATUS, IS_ERROR, ERROR, ERRORS, ERROR_MESSAGE, RESULT, TURNS, COST,
	BLOCK, BLOCK_TYPE, BLOCK_TEXT, BLOCK_NAME, BLOCK_COMMAND, BLOCK_FILE, BLOCK_PATTERN, BLOCK_PATH, BLOCK_URL,
	BLOCK_QUERY, BLOCK_ABOUT, BLOCK_FAILED, BLOCK_RESULT, BLOCK_PART,
	ATTEMPT, ATTEMPTS, DELAY, HTTP,
	LIMIT_STATUS, LIMIT_TYPE, LIMIT_RESET,
	DENIED, DENIED_TOOL, DENIED_COMMAND, DENIED_FILE,
	WANTS
};

static const struct wisp_want wants[WANTS] = {
	[TYPE] = {"type", 40},
	[SUBTYPE] = {"subtype", 64},
	[EXIT] = {"exitCode", 8},
	[STATUS] = {"status", 8},
	[IS_ERROR] = {"is_error", 1},
	[ERROR] = {"error", 64},
	[ERRORS] = {"errors[]", WISP_SAY_WANT_LINE},
	[ERROR_MESSAGE] = {"error.message", WISP_SAY_WANT_LINE},
	[RESULT] = {"result", WISP_SAY_TEXT},
	[TURNS] = {"num_turns", 24},
	[COST] = {"total_cost_usd", 32},
	[BLOCK] = {"message.content[]", WISP_WANT_ITEM},
	[BLOCK_TYPE] = {"message.content[].type", 32},
	[BLOCK_TEXT] = {"message.content[].text", WISP_SAY_TEXT},
	[BLOCK_NAME] = {"message.content[].name", 100},
	[BLOCK_COMMAND] = {"message.content[].input.command", WISP_SAY_WANT_LINE},
	[BLOCK_FILE] = {"message.content[].input.file_path", WISP_SAY_WANT_LINE},
	[BLOCK_PATTERN] = {"message.content[].input.pattern", WISP_SAY_WANT_LINE},
	[BLOCK_PATH] = {"message.content[].input.path", WISP_SAY_WANT_LINE},
	[BLOCK_URL] = {"message.content[].input.url", WISP_SAY_WANT_LINE},
	[BLOCK_QUERY] = {"message.content[].input.query", WISP_SAY_WANT_LINE},
	[BLOCK_ABOUT] = {"message.content[].input.description", WISP_SAY_WANT_LINE},
	[BLOCK_FAILED] = {"message.content[].is_error", 1},
	[BLOCK_RESULT] = {"message.content[].content", WISP_SAY_WANT_LINE},
	[BLOCK_PART] = {"message.content[].content[].text", WISP_SAY_WANT_LINE},
	[ATTEMPT] = {"attempt", 24},
	[ATTEMPTS] = {"max_retries", 24},
	[DELAY] = {"retry_delay_ms", 24},
	[HTTP] = {"error_status", 16},
	[LIMIT_STATUS] = {"rate_limit_info.status", 32},
	[LIMIT_TYPE] = {"rate_limit_info.rateLimitType", 32},
	[LIMIT_RESET] = {"rate_limit_info.resetsAt", 24},
	[DENIED] = {"permission_denials[]", WISP_WANT_ITEM},
	[DENIED_TOOL] = {"permission_denials[].tool_name", 100},
	[DENIED_COMMAND] = {"permission_denials[].tool_input.command", WISP_SAY_WANT_LINE},
	[DENIED_FILE] = {"permission_denials[].tool_input.file_path", WISP_SAY_WANT_LINE},
};

/* What a person or a tool said to the agent is in lines of type user: only results are of interest. */
static void
item(struct wisp_say *s, const struct wisp_event *e, int want)
{
	static const int on[] = {
		BLOCK_COMMAND, BLOCK_FILE, BLOCK_PATTERN, BLOCK_PATH, BLOCK_URL, BLOCK_QUERY, BLOCK_ABOUT
	};
	static const int given[] = {BLOCK_RESULT, BLOCK_PART}, denied[] = {DENIED_COMMAND, DENIED_FILE};

	if (want == DENIED) {
		const char *what = wisp_say_first(e, denied, sizeof denied / sizeof *denied);

		wisp_say_note(s, "denied: %s%s%s", wisp_event_text(e, DENIED_TOOL), *what != '\0' ? ": " : "", what);
	} else if (wisp_event_is(e, BLOCK_TYPE, "text") && !wisp_event_is(e, TYPE, "user")) {
		wisp_say_text(s, wisp_event_text(e, BLOCK_TEXT));
	} else if (wisp_event_is(e, BLOCK_TYPE, "tool_use")) {
		wisp_say_tool(s, wisp_event_text(e, BLOCK_NAME), e, on, sizeof on / sizeof *on);
	} else if (wisp_event_is(e, BLOCK_TYPE, "tool_result")) {
		const char *text = wisp_say_first(e, given, sizeof given / sizeof *given);

		if (wisp_event_true(e, BLOCK_FAILED))
			wisp_say_failed(s, text);
		else
			wisp_say_result(s, text);
	}
}

static void
retry_line(struct wisp_say *s, const struct wisp_event *e)
{
	char *delay = wisp_duration_text((wisp_ms)wisp_event_number(e, DELAY, -1));
	bool http = wisp_event_has(e, HTTP);

	wisp_say_note(s, "retry %s of %s in %s: %s%s%s%s", wisp_event_text(e, ATTEMPT), wisp_event_text(e, ATTEMPTS), delay,
		      wisp_event_text(e, ERROR), http ? " (" : "", wisp_event_text(e, HTTP), http ? ")" : "");
	free(delay);
}

static void
limit_line(struct wisp_say *s, const struct wisp_event *e)
{
	long long reset = wisp_event_count(e, LIMIT_RESET, 253402300799LL, -1);
	char *at = reset > 0 ? wisp_time_iso(reset * 1000) : NULL;

	if (!wisp_event_is(e, LIMIT_STATUS, "allowed"))
		wisp_say_note(s, "limit %s: %s%s%s", wisp_event_text(e, LIMIT_TYPE), wisp_event_text(e, LIMIT_STATUS),
			      at != NULL ? ", resets at " : "", at != NULL ? at : "");
	free(at);
}

/* It says success though it is an error: what the word means is in what came before. */
static void
result_line(struct wisp_say *s, const struct wisp_event *e)
{
	const char *word = wisp_event_text(e, SUBTYPE);
	bool failed = wisp_event_true(e, IS_ERROR);

	if (failed && strcmp(word, "success") == 0)
		word = "failed";
	if (!s->words)
		wisp_say_text(s, wisp_event_text(e, RESULT));
	if (wisp_event_has(e, ERRORS) || wisp_event_has(e, ERROR_MESSAGE))
		wisp_say_failed(s, wisp_event_text(e, wisp_event_has(e, ERRORS) ? ERRORS : ERROR_MESSAGE));
	wisp_say_ended(s, word, wisp_event_number(e, TURNS, NAN), wisp_event_number(e, COST, NAN), NAN, NAN);
}

static bool
line(struct wisp_say *s, const struct wisp_event *e)
{
	if (wisp_event_is(e, TYPE, "system") && wisp_event_is(e, SUBTYPE, "api_retry"))
		retry_line(s, e);
	else if (wisp_event_is(e, TYPE, "rate_limit_event"))
		limit_line(s, e);
	else if (wisp_event_is(e, TYPE, "result") && !wisp_event_has(e, EXIT) && !wisp_event_has(e, STATUS))
		result_line(s, e);
	else
		return wisp_event_is(e, TYPE, "system") || wisp_event_is(e, TYPE, "assistant") || wisp_event_is(e, TYPE, "user");
	return true;
}

const struct wisp_say_reader wisp_say_claude = {.wants = wants, .count = WANTS, .item = item, .line = line};
