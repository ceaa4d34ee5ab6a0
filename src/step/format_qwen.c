/*
 * qwen: `qwen --output-format stream-json`, lines like claude's.
 *
 * API failures are printed as successes whose result is `[API Error: ...]`,
 * maybe after the beginning of an answer; they are told from an agent that
 * writes such words by their usage of no tokens at all. At its turn cap it
 * exits with 53 and prints no result.
 */
#include "claude.h"

#include <string.h>

#define EXIT_TURN_CAP 53
#define API_ERROR "[API Error: "

static bool
line(struct wisp_parse *p)
{
	static const char *const types[] = {
		"system", "assistant", "user", "result", "stream_event", "keep_alive", NULL
	};
	static const char *const subtypes[] = {
		"init", "api_retry", "status", "task_started", "task_notification", NULL
	};

	return wisp_claude_line(p, types, subtypes);
}

/* The words of an API failure, without its mark; NULL if there was none. */
static const char *
api_error(const struct wisp_parse *p)
{
	const struct wisp_step *s = p->step;
	const char *at = strstr(s->final_text, API_ERROR);

	if (s->tokens[WISP_INPUT] != 0 || s->tokens[WISP_OUTPUT] != 0)
		return NULL;
	/* These two of its own service come without the mark. */
	if (strncmp(s->final_text, "Qwen OAuth quota exceeded:", 26) == 0 ||
	    strncmp(s->final_text, "Qwen OAuth free tier has been discontinued", 42) == 0)
		return s->final_text;
	return at != NULL ? at + strlen(API_ERROR) : NULL;
}

static void
judge_api_error(struct wisp_parse *p, const char *text)
{
	p->step->api_status = wisp_parse_http(text);
	p->step->promise = false;
	wisp_parse_failed(p, text, wisp_parse_status(p->step->api_status), NULL, -1);
}

static void
judge(struct wisp_parse *p, int exit_code)
{
	const struct wisp_claude *c = p->state;
	const char *text = api_error(p);
	struct wisp_buf why = WISP_BUF_INIT;

	if (text != NULL) {
		judge_api_error(p, text);
	} else if (exit_code == EXIT_TURN_CAP) {
		wisp_step_end(p->step, WISP_CAPPED, "reached its maximum number of turns");
	} else if (!c->result) {
		wisp_parse_lost(p, exit_code, "no result line");
	} else if (!c->success) {
		wisp_claude_reason(p, &why);
		p->step->api_status = why.len > 0 ? wisp_parse_http(why.data) : 0;
		wisp_parse_failed(p, why.len > 0 ? why.data : "",
				  wisp_parse_status(p->step->api_status), NULL, -1);
		wisp_buf_release(&why);
	} else {
		wisp_step_end(p->step, WISP_OK, "%s", "");
	}
}

const struct wisp_format wisp_format_qwen = {
	.name = "qwen", .size = sizeof(struct wisp_claude), .wants = wisp_claude_wants, .count = WISP_CLAUDE_WANTS,
	.pieces = wisp_claude_pieces, .item = wisp_claude_item, .line = line, .judge = judge,
};
