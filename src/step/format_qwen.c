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
	static const char *const types[] = {"system", "assistant", "user", "result", NULL};
	static const char *const subtypes[] = {"init", NULL};

	return wisp_claude_line(p, types, subtypes);
}

/* What follows the mark of an API failure, or NULL if there was none. */
static const char *
api_error(const struct wisp_parse *p)
{
	const struct wisp_step *s = p->step;
	const char *at = strstr(s->final_text, API_ERROR);

	return at != NULL && s->tokens[WISP_INPUT] == 0 && s->tokens[WISP_OUTPUT] == 0 ? at + strlen(API_ERROR) : NULL;
}

static void
judge_api_error(struct wisp_parse *p, const char *text)
{
	int status = wisp_parse_http(text);
	enum wisp_outcome outcome = wisp_parse_status(status);

	if (status == 0 && (strncmp(text, "Connection error", 16) == 0 || strncmp(text, "terminated", 10) == 0))
		outcome = WISP_TRANSIENT;
	p->step->api_status = status;
	p->step->promise = false;
	if (outcome == WISP_LIMITED)
		wisp_parse_limit(p, "requests", -1);
	wisp_step_end(p->step, outcome, "%s", text);
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
		wisp_step_end(p->step, WISP_ERROR, "%s", why.len > 0 ? why.data : "the agent reported a failure");
		wisp_buf_release(&why);
	} else {
		wisp_step_end(p->step, WISP_OK, "%s", "");
	}
}

const struct wisp_format wisp_format_qwen = {
	.name = "qwen", .size = sizeof(struct wisp_claude), .wants = wisp_claude_wants, .count = WISP_CLAUDE_WANTS,
	.pieces = wisp_claude_pieces, .item = wisp_claude_item, .line = line, .judge = judge,
};
