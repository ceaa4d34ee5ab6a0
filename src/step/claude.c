/*
 * claude: see claude.h.
 */
#include "claude.h"

#include <math.h>

enum {
	TYPE, SUBTYPE, VERSION, QWEN_VERSION, MODEL, SESSION, ERROR, IS_ERROR, STATUS, TURNS, RESULT, ERRORS,
	ERROR_TEXT, TERMINAL, COST,
	INPUT, OUTPUT, CACHE_READ, CACHE_WRITE, LIMIT_STATUS, LIMIT_TYPE, LIMIT_RESET,
	BLOCK, BLOCK_TYPE, BLOCK_NAME, BLOCK_ID, BLOCK_ERROR,
	DENIED, DENIED_TOOL, DENIED_COMMAND, DENIED_PATH,
	WANTS
};

const struct wisp_want wisp_claude_wants[WANTS] = {
	[TYPE] = {"type", 32},
	[SUBTYPE] = {"subtype", 64},
	[VERSION] = {"claude_code_version", 64},
	[QWEN_VERSION] = {"qwen_code_version", 64},
	[MODEL] = {"model", 100},
	[SESSION] = {"session_id", 100},
	[ERROR] = {"error", 64},
	[IS_ERROR] = {"is_error", 1},
	[STATUS] = {"api_error_status", 16},
	[TURNS] = {"num_turns", 24},
	[RESULT] = {"result", WISP_WANT_PIECES},
	[ERRORS] = {"errors[]", 300},
	[ERROR_TEXT] = {"error.message", 300},
	[TERMINAL] = {"terminal_reason", 64},
	[COST] = {"total_cost_usd", 32},
	[INPUT] = {"usage.input_tokens", 24},
	[OUTPUT] = {"usage.output_tokens", 24},
	[CACHE_READ] = {"usage.cache_read_input_tokens", 24},
	[CACHE_WRITE] = {"usage.cache_creation_input_tokens", 24},
	[LIMIT_STATUS] = {"rate_limit_info.status", 32},
	[LIMIT_TYPE] = {"rate_limit_info.rateLimitType", 32},
	[LIMIT_RESET] = {"rate_limit_info.resetsAt", 24},
	[BLOCK] = {"message.content[]", WISP_WANT_ITEM},
	[BLOCK_TYPE] = {"message.content[].type", 32},
	[BLOCK_NAME] = {"message.content[].name", 100},
	[BLOCK_ID] = {"message.content[].id", 100},
	[BLOCK_ERROR] = {"message.content[].is_error", 1},
	[DENIED] = {"permission_denials[]", WISP_WANT_ITEM},
	[DENIED_TOOL] = {"permission_denials[].tool_name", 100},
	[DENIED_COMMAND] = {"permission_denials[].tool_input.command", 200},
	[DENIED_PATH] = {"permission_denials[].tool_input.file_path", 200},
};

_Static_assert(WANTS == WISP_CLAUDE_WANTS, "claude.h says how many there are");

void
wisp_claude_pieces(struct wisp_parse *p, int want, const char *s, size_t n)
{
	(void)want;
	wisp_parse_piece(p, s, n, false);
}

void
wisp_claude_item(struct wisp_parse *p, int want)
{
	const struct wisp_event *e = &p->event;

	if (want == DENIED)
		wisp_step_denial(p->step, wisp_event_text(e, DENIED_TOOL),
				 wisp_event_text(e, wisp_event_has(e, DENIED_COMMAND) ? DENIED_COMMAND : DENIED_PATH));
	else if (wisp_event_is(e, BLOCK_TYPE, "tool_use"))
		wisp_parse_tool(p, wisp_event_text(e, BLOCK_NAME), wisp_event_text(e, BLOCK_ID));
	else if (wisp_event_is(e, BLOCK_TYPE, "tool_result") && !wisp_event_true(e, BLOCK_ERROR))
		p->worked++;
}

static bool
is_one_of(const struct wisp_event *e, int want, const char *const *words)
{
	for (; *words != NULL; words++)
		if (wisp_event_is(e, want, *words))
			return true;
	return false;
}

static void
system_line(struct wisp_parse *p)
{
	const struct wisp_event *e = &p->event;

	if (wisp_event_is(e, SUBTYPE, "init")) {
		wisp_step_note(&p->step->agent_version, wisp_event_text(e, VERSION));
		wisp_step_note(&p->step->agent_version, wisp_event_text(e, QWEN_VERSION));
		wisp_step_note(&p->step->model, wisp_event_text(e, MODEL));
	} else if (wisp_event_is(e, SUBTYPE, "api_retry")) {
		p->step->retries++;
		p->hopeless = p->hopeless || wisp_event_is(e, ERROR, "authentication_failed");
	}
}

static void
result_line(struct wisp_parse *p)
{
	const struct wisp_event *e = &p->event;
	struct wisp_claude *c = p->state;
	struct wisp_step *s = p->step;
	bool failed = wisp_event_true(e, IS_ERROR);

	c->result = true;
	c->success = wisp_event_is(e, SUBTYPE, "success") && !failed;
	wisp_event_copy(e, SUBTYPE, c->subtype, sizeof c->subtype);
	wisp_event_copy(e, TERMINAL, c->terminal, sizeof c->terminal);
	if (wisp_event_has(e, RESULT))
		wisp_parse_take(p);
	p->no_promise = failed;
	wisp_event_copy(e, wisp_event_has(e, ERRORS) ? ERRORS : ERROR_TEXT, c->failure, sizeof c->failure);
	s->api_status = (int)wisp_event_count(e, STATUS, WISP_HTTP_MAX, 0);
	s->turns = wisp_event_count(e, TURNS, WISP_TURNS_MAX, -1);
	s->cost_usd = wisp_event_number(e, COST, NAN);
	s->tokens[WISP_INPUT] = wisp_event_number(e, INPUT, NAN);
	s->tokens[WISP_OUTPUT] = wisp_event_number(e, OUTPUT, NAN);
	s->tokens[WISP_CACHE_READ] = wisp_event_number(e, CACHE_READ, NAN);
	s->tokens[WISP_CACHE_WRITE] = wisp_event_number(e, CACHE_WRITE, NAN);
}

static void
limit_line(struct wisp_parse *p)
{
	const struct wisp_event *e = &p->event;
	struct wisp_claude *c = p->state;
	wisp_ms resets = wisp_event_count(e, LIMIT_RESET, WISP_SECONDS_MAX, 0);

	c->rejected = wisp_event_is(e, LIMIT_STATUS, "rejected");
	wisp_event_copy(e, LIMIT_TYPE, c->limit_type, sizeof c->limit_type);
	c->resets_at = resets > 0 ? resets * 1000 : -1;
}

bool
wisp_claude_line(struct wisp_parse *p, const char *const *types, const char *const *subtypes)
{
	const struct wisp_event *e = &p->event;
	struct wisp_claude *c = p->state;

	if (p->step->retries < 0)
		p->step->retries = 0;
	wisp_step_note(&p->step->agent_session, wisp_event_text(e, SESSION));
	if (!is_one_of(e, TYPE, types))
		return false;
	if (wisp_event_is(e, TYPE, "system")) {
		system_line(p);
		return is_one_of(e, SUBTYPE, subtypes);
	}
	if (wisp_event_is(e, TYPE, "assistant"))
		wisp_event_copy(e, ERROR, c->error, sizeof c->error);
	else if (wisp_event_is(e, TYPE, "result"))
		result_line(p);
	else if (wisp_event_is(e, TYPE, "rate_limit_event"))
		limit_line(p);
	return true;
}

void
wisp_claude_reason(const struct wisp_parse *p, struct wisp_buf *out)
{
	const struct wisp_claude *c = p->state;

	wisp_text_excerpt(&p->final, out, WISP_STEP_REASON);
	if (out->len == 0)
		wisp_buf_puts(out, c->failure[0] != '\0' ? c->failure : c->error[0] != '\0' ? c->error : c->subtype);
}
