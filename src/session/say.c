/*
 * say: see say.h.
 */
#include "say.h"

#include <stdlib.h>
#include <string.h>

#define TEXT 4000	/* bytes of a message */
#define LINE 200	/* bytes of anything else */

/* In the order of the formats: claude, qwen and amp; codex; gemini; opencode; copilot. */
enum {
	TYPE, ROLE, STATUS, SUBTYPE, IS_ERROR, ERROR, MESSAGE,
	BLOCK, BLOCK_TYPE, BLOCK_TEXT, BLOCK_NAME, BLOCK_COMMAND, BLOCK_FILE, BLOCK_PATTERN, BLOCK_PATH, BLOCK_URL,
	BLOCK_ABOUT, BLOCK_FAILED, BLOCK_RESULT,
	ITEM_TYPE, ITEM_TEXT, ITEM_MESSAGE, ITEM_COMMAND, ITEM_EXIT, ITEM_PATH, ITEM_QUERY,
	CONTENT, TOOL, TOOL_COMMAND, TOOL_FILE, TOOL_PATH, TOOL_PATTERN, TOOL_RESULT,
	PART_TEXT, PART_TOOL, PART_COMMAND, PART_FILE, PART_PATTERN, PART_STATUS, PART_ERROR, PART_EXIT,
	DATA_CONTENT, DATA_TOOL, DATA_COMMAND, DATA_PATH, DATA_PATTERN, DATA_SUCCESS, DATA_ERROR,
	WANTS
};

static const struct wisp_want wants[WANTS] = {
	[TYPE] = {"type", 40},
	[ROLE] = {"role", 16},
	[STATUS] = {"status", 32},
	[SUBTYPE] = {"subtype", 64},
	[IS_ERROR] = {"is_error", 1},
	[ERROR] = {"error.message", LINE},
	[MESSAGE] = {"message", LINE},
	[BLOCK] = {"message.content[]", WISP_WANT_ITEM},
	[BLOCK_TYPE] = {"message.content[].type", 32},
	[BLOCK_TEXT] = {"message.content[].text", TEXT},
	[BLOCK_NAME] = {"message.content[].name", 100},
	[BLOCK_COMMAND] = {"message.content[].input.command", LINE},
	[BLOCK_FILE] = {"message.content[].input.file_path", LINE},
	[BLOCK_PATTERN] = {"message.content[].input.pattern", LINE},
	[BLOCK_PATH] = {"message.content[].input.path", LINE},
	[BLOCK_URL] = {"message.content[].input.url", LINE},
	[BLOCK_ABOUT] = {"message.content[].input.description", LINE},
	[BLOCK_FAILED] = {"message.content[].is_error", 1},
	[BLOCK_RESULT] = {"message.content[].content", LINE},
	[ITEM_TYPE] = {"item.type", 32},
	[ITEM_TEXT] = {"item.text", TEXT},
	[ITEM_MESSAGE] = {"item.message", LINE},
	[ITEM_COMMAND] = {"item.command", LINE},
	[ITEM_EXIT] = {"item.exit_code", 16},
	[ITEM_PATH] = {"item.changes[].path", LINE},
	[ITEM_QUERY] = {"item.query", LINE},
	[CONTENT] = {"content", TEXT},
	[TOOL] = {"tool_name", 100},
	[TOOL_COMMAND] = {"parameters.command", LINE},
	[TOOL_FILE] = {"parameters.file_path", LINE},
	[TOOL_PATH] = {"parameters.dir_path", LINE},
	[TOOL_PATTERN] = {"parameters.pattern", LINE},
	[TOOL_RESULT] = {"output", LINE},
	[PART_TEXT] = {"part.text", TEXT},
	[PART_TOOL] = {"part.tool", 100},
	[PART_COMMAND] = {"part.state.input.command", LINE},
	[PART_FILE] = {"part.state.input.filePath", LINE},
	[PART_PATTERN] = {"part.state.input.pattern", LINE},
	[PART_STATUS] = {"part.state.status", 32},
	[PART_ERROR] = {"part.state.error", LINE},
	[PART_EXIT] = {"part.state.metadata.exit", 16},
	[DATA_CONTENT] = {"data.content", TEXT},
	[DATA_TOOL] = {"data.toolName", 100},
	[DATA_COMMAND] = {"data.arguments.command", LINE},
	[DATA_PATH] = {"data.arguments.path", LINE},
	[DATA_PATTERN] = {"data.arguments.pattern", LINE},
	[DATA_SUCCESS] = {"data.success", 1},
	[DATA_ERROR] = {"data.error.message", LINE},
};

static void
put(struct wisp_say *s, const char *mark, const char *text, size_t max)
{
	wisp_buf_printf(s->out, "  %s", mark);
	wisp_buf_line(s->out, text, max);
	wisp_buf_putc(s->out, '\n');
}

/* What the agent said, line by line. */
static void
put_text(struct wisp_say *s, const char *text)
{
	size_t len;
	char *line;

	for (; *text != '\0'; text += len + (text[len] != '\0')) {
		len = strcspn(text, "\n");
		line = wisp_str("%.*s", (int)len, text);
		if (line[strspn(line, " \t\r")] != '\0')
			put(s, "  ", line, TEXT);
		free(line);
	}
}

/* The first of `count` wants that the line has, or "". */
static const char *
first(const struct wisp_say *s, const int *want, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (wisp_event_text(&s->event, want[i])[0] != '\0')
			return wisp_event_text(&s->event, want[i]);
	return "";
}

static void
put_tool(struct wisp_say *s, int name, const int *on, size_t count)
{
	const char *what = first(s, on, count);
	char *text = wisp_str("%s%s%s", wisp_event_text(&s->event, name), *what != '\0' ? ": " : "", what);

	put(s, "> ", text, LINE);
	free(text);
}

static void
put_failed(struct wisp_say *s, const char *why)
{
	put(s, *why != '\0' ? "! failed: " : "! failed", why, LINE);
}

static bool
is(const struct wisp_say *s, int want, const char *text)
{
	return wisp_event_is(&s->event, want, text);
}

static const char *
text_of(const struct wisp_say *s, int want)
{
	return wisp_event_text(&s->event, want);
}

/* claude, qwen, amp: a block of a message. */
static void
item(void *arg, int want)
{
	static const int on[] = {BLOCK_COMMAND, BLOCK_FILE, BLOCK_PATTERN, BLOCK_PATH, BLOCK_URL, BLOCK_ABOUT};
	struct wisp_say *s = arg;

	(void)want;
	if (is(s, BLOCK_TYPE, "text") && !is(s, TYPE, "user"))
		put_text(s, text_of(s, BLOCK_TEXT));
	else if (is(s, BLOCK_TYPE, "tool_use"))
		put_tool(s, BLOCK_NAME, on, sizeof on / sizeof *on);
	else if (is(s, BLOCK_TYPE, "tool_result") && wisp_event_true(&s->event, BLOCK_FAILED))
		put_failed(s, text_of(s, BLOCK_RESULT));
}

static void
say_codex(struct wisp_say *s)
{
	static const int on[] = {ITEM_COMMAND, ITEM_PATH, ITEM_QUERY};

	if (is(s, ITEM_TYPE, "agent_message"))
		put_text(s, text_of(s, ITEM_TEXT));
	else if (is(s, ITEM_TYPE, "error"))
		put_failed(s, text_of(s, ITEM_MESSAGE));
	else if (!is(s, ITEM_TYPE, "reasoning"))
		put_tool(s, ITEM_TYPE, on, sizeof on / sizeof *on);
	if (wisp_event_has(&s->event, ITEM_EXIT) && !is(s, ITEM_EXIT, "0") && wisp_event_number(&s->event, ITEM_EXIT, 0) != 0)
		put_failed(s, text_of(s, ITEM_EXIT));
}

static void
say_gemini(struct wisp_say *s)
{
	static const int on[] = {TOOL_COMMAND, TOOL_FILE, TOOL_PATTERN, TOOL_PATH};

	if (is(s, TYPE, "tool_use"))
		put_tool(s, TOOL, on, sizeof on / sizeof *on);
	else if (is(s, TYPE, "tool_result") && !is(s, STATUS, "success"))
		put_failed(s, text_of(s, wisp_event_has(&s->event, ERROR) ? ERROR : TOOL_RESULT));
}

static void
say_opencode(struct wisp_say *s)
{
	static const int on[] = {PART_COMMAND, PART_FILE, PART_PATTERN};

	if (is(s, TYPE, "text"))
		put_text(s, text_of(s, PART_TEXT));
	if (!is(s, TYPE, "tool_use"))
		return;
	put_tool(s, PART_TOOL, on, sizeof on / sizeof *on);
	if (is(s, PART_STATUS, "error"))
		put_failed(s, text_of(s, PART_ERROR));
	else if (wisp_event_number(&s->event, PART_EXIT, 0) != 0)
		put_failed(s, text_of(s, PART_EXIT));
}

static void
say_copilot(struct wisp_say *s)
{
	static const int on[] = {DATA_COMMAND, DATA_PATH, DATA_PATTERN};

	if (is(s, TYPE, "assistant.message"))
		put_text(s, text_of(s, DATA_CONTENT));
	else if (is(s, TYPE, "tool.execution_start"))
		put_tool(s, DATA_TOOL, on, sizeof on / sizeof *on);
	else if (is(s, TYPE, "tool.execution_complete") && wisp_event_has(&s->event, DATA_SUCCESS) &&
		 !wisp_event_true(&s->event, DATA_SUCCESS))
		put_failed(s, text_of(s, DATA_ERROR));
}

/* claude says success though it is an error: what the word means is in what came before. */
static void
say_end(struct wisp_say *s)
{
	static const int how[] = {SUBTYPE, STATUS};
	const char *word = first(s, how, 2);
	bool failed = wisp_event_true(&s->event, IS_ERROR);

	if (failed && strcmp(word, "success") == 0)
		word = "failed";
	put(s, "= ", *word != '\0' ? word : "ended", LINE);
	if (wisp_event_has(&s->event, ERROR))
		put_failed(s, text_of(s, ERROR));
}

static void
flush_said(struct wisp_say *s)
{
	if (s->said.len > 0)
		put_text(s, s->said.data);
	wisp_buf_reset(&s->said);
}

static void
line(void *arg)
{
	struct wisp_say *s = arg;

	if (is(s, TYPE, "message") && is(s, ROLE, "assistant")) {
		if (s->said.len < TEXT)
			wisp_buf_puts(&s->said, text_of(s, CONTENT));
		return;
	}
	flush_said(s);
	if (is(s, TYPE, "item.completed"))
		say_codex(s);
	else if (wisp_event_has(&s->event, PART_TOOL) || wisp_event_has(&s->event, PART_TEXT))
		say_opencode(s);
	else if (wisp_event_has(&s->event, TOOL) || is(s, TYPE, "tool_result"))
		say_gemini(s);
	else if (is(s, TYPE, "result"))
		say_end(s);
	else if (is(s, TYPE, "error") || is(s, TYPE, "turn.failed"))
		put_failed(s, text_of(s, wisp_event_has(&s->event, ERROR) ? ERROR : MESSAGE));
	else
		say_copilot(s);
}

void
wisp_say_init(struct wisp_say *s, struct wisp_buf *out)
{
	struct wisp_event_sink sink = {.values = {.item = item, .arg = s}, .line = line, .arg = s};

	*s = (struct wisp_say){.out = out};
	wisp_event_init(&s->event, wants, WANTS, &sink);
}

/* A line that is no event is the program's own words. */
static void
show_bad(struct wisp_say *s)
{
	if (s->event.bad == s->bad)
		return;
	s->bad = s->event.bad;
	flush_said(s);
	put(s, "  ", s->event.bad_text, LINE);
}

void
wisp_say_feed(struct wisp_say *s, const char *p, size_t n)
{
	const char *stop;
	size_t len;

	for (; n > 0; p += len, n -= len) {
		stop = memchr(p, '\n', n);
		len = stop != NULL ? (size_t)(stop - p) + 1 : n;
		wisp_event_feed(&s->event, p, len);
		show_bad(s);
	}
}

void
wisp_say_end(struct wisp_say *s)
{
	wisp_event_end(&s->event);
	show_bad(s);
	flush_said(s);
}

void
wisp_say_release(struct wisp_say *s)
{
	wisp_event_release(&s->event);
	wisp_buf_release(&s->said);
}
