/*
 * claude: see claude.h.
 *
 * A session may print several results: one for each turn, and turns are made
 * of what background tasks report. The promise is that of the last one which
 * is no such report; cost and modelUsage are the session's sums, turns and
 * usage are those of one turn and added up here.
 */
#include "claude.h"

#include <math.h>
#include <string.h>

enum {
	TYPE, SUBTYPE, VERSION, QWEN_VERSION, MODEL, SESSION, ERROR, IS_ERROR, STATUS, TURNS, RESULT, ERRORS,
	ERROR_TEXT, TERMINAL, COST,
	INPUT, OUTPUT, CACHE_READ, CACHE_WRITE, LIMIT_STATUS, LIMIT_TYPE, LIMIT_RESET,
	ERROR_STATUS, KEY_SOURCE, ORIGIN, HEARTBEAT, OVERAGE, OVERAGE_NOW,
	USE, USE_INPUT, USE_OUTPUT, USE_READ, USE_WRITE,
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
	[ERROR] = {"error", 300},
	[ERROR_STATUS] = {"error_status", 16},
	[KEY_SOURCE] = {"apiKeySource", 32},
	[ORIGIN] = {"origin.kind", 32},
	[HEARTBEAT] = {"heartbeat", 1},
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
	[OVERAGE] = {"rate_limit_info.isUsingOverage", 1},
	[OVERAGE_NOW] = {"rate_limit_info.overageInUse", 1},
	[USE] = {"modelUsage.*", WISP_WANT_ITEM},
	[USE_INPUT] = {"modelUsage.*.inputTokens", 24},
	[USE_OUTPUT] = {"modelUsage.*.outputTokens", 24},
	[USE_READ] = {"modelUsage.*.cacheReadInputTokens", 24},
	[USE_WRITE] = {"modelUsage.*.cacheCreationInputTokens", 24},
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

/* What one model used, of a line that may yet turn out to be torn. */
static void
add_use(struct wisp_parse *p)
{
	struct wisp_claude *c = p->state;
	int i;

	if (!c->uses || c->bad != p->event.bad)
		memset(c->used, 0, sizeof c->used);
	c->uses = true;
	c->bad = p->event.bad;
	for (i = 0; i < WISP_TOKENS; i++)
		c->used[i] += wisp_event_number(&p->event, USE_INPUT + i, 0);
}

void
wisp_claude_item(struct wisp_parse *p, int want)
{
	const struct wisp_event *e = &p->event;

	if (want == USE)
		add_use(p);
	else if (want == DENIED)
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

/* It will try ten times; where that is of no use the step ends at the first. */
static void
retry_line(struct wisp_parse *p)
{
	const struct wisp_claude *c = p->state;
	const char *kind = wisp_claude_auth(wisp_event_text(&p->event, ERROR));
	int status = (int)wisp_event_count(&p->event, ERROR_STATUS, WISP_HTTP_MAX, 0);

	if (kind == NULL)
		return;
	p->hopeless = true;
	p->step->api_status = status;
	p->step->auth = strcmp(kind, "token") == 0 && (c->keyed || status != 401) ? "login" : kind;
}

static void
system_line(struct wisp_parse *p)
{
	const struct wisp_event *e = &p->event;
	struct wisp_claude *c = p->state;

	if (wisp_event_is(e, SUBTYPE, "init")) {
		wisp_step_note(&p->step->agent_version, wisp_event_text(e, VERSION));
		wisp_step_note(&p->step->agent_version, wisp_event_text(e, QWEN_VERSION));
		wisp_step_note(&p->step->model, wisp_event_text(e, MODEL));
		c->keyed = wisp_event_is(e, KEY_SOURCE, "ANTHROPIC_API_KEY");
	} else if (wisp_event_is(e, SUBTYPE, "api_retry")) {
		p->quiet = true;
		p->step->retries++;
		retry_line(p);
	} else if (wisp_event_is(e, SUBTYPE, "task_notification")) {
		c->report = c->result;
	}
}

const char *
wisp_claude_auth(const char *error)
{
	static const struct {
		const char *error, *kind;
	} kinds[] = {
		{"authentication_failed", "token"}, {"cloud_credential_error", "login"},
		{"verification_required", "login"}, {"billing_error", "credit"},
		{"account_on_hold", "plan"},	    {"oauth_org_not_allowed", "plan"},
	};
	size_t i;

	for (i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(error, kinds[i].error) == 0)
			return kinds[i].kind;
	return NULL;
}

static void
add(double *sum, double more)
{
	if (!isnan(more))
		*sum = isnan(*sum) ? more : *sum + more;
}

static void
add_tokens(struct wisp_parse *p)
{
	const struct wisp_claude *c = p->state;
	double *tokens = p->step->tokens;
	int i;

	for (i = 0; i < WISP_TOKENS; i++)
		if (c->uses && c->bad == p->event.bad)
			tokens[i] = c->used[i];
		else
			add(&tokens[i], wisp_event_number(&p->event, INPUT + i, NAN));
}

/* Is the result's text what the main agent said last? A report has it only where it promises, or nothing was said. */
static bool
is_word(const struct wisp_parse *p, bool failed)
{
	const struct wisp_claude *c = p->state;
	bool report =
		c->success && (c->report || wisp_event_is(&p->event, ORIGIN, "task-notification"));

	return failed || !report || p->final.len == 0 || wisp_text_promise(&p->next);
}

static void
result_line(struct wisp_parse *p)
{
	const struct wisp_event *e = &p->event;
	struct wisp_claude *c = p->state;
	struct wisp_step *s = p->step;
	bool failed = wisp_event_true(e, IS_ERROR), word = is_word(p, failed);
	long long turns = wisp_event_count(e, TURNS, WISP_TURNS_MAX, -1);

	p->over = c->result = true;
	c->report = false;
	c->success = wisp_event_is(e, SUBTYPE, "success") && !failed;
	wisp_event_copy(e, SUBTYPE, c->subtype, sizeof c->subtype);
	wisp_event_copy(e, TERMINAL, c->terminal, sizeof c->terminal);
	if (wisp_event_has(e, RESULT) && word)
		wisp_parse_take(p);
	p->no_promise = failed;
	p->recovered = c->erred && c->success;
	wisp_event_copy(e,
			wisp_event_has(e, ERRORS)	? ERRORS
			: wisp_event_has(e, ERROR_TEXT) ? ERROR_TEXT
							: ERROR,
			c->failure, sizeof c->failure);
	s->api_status = (int)wisp_event_count(e, STATUS, WISP_HTTP_MAX, 0);
	if (turns >= 0)
		s->turns = (s->turns < 0 ? 0 : s->turns) + turns;
	s->cost_usd = wisp_event_number(e, COST, NAN);
	add_tokens(p);
	c->uses = false;
}

static void
limit_line(struct wisp_parse *p)
{
	const struct wisp_event *e = &p->event;
	struct wisp_claude *c = p->state;
	wisp_ms resets = wisp_event_count(e, LIMIT_RESET, WISP_SECONDS_MAX, 0);

	/* Of a subscription's own limit; where paid extra usage takes over, work goes on. */
	bool overage = wisp_event_true(e, OVERAGE) || wisp_event_true(e, OVERAGE_NOW);

	if (overage || (p->step->overage < 0 &&
			(wisp_event_has(e, OVERAGE) || wisp_event_has(e, OVERAGE_NOW))))
		p->step->overage = overage;
	c->rejected = !overage && wisp_event_is(e, LIMIT_STATUS, "rejected");
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
	p->quiet = wisp_event_is(e, TYPE, "keep_alive") ||
		   (wisp_event_is(e, TYPE, "tool_progress") && wisp_event_true(e, HEARTBEAT));
	if (!is_one_of(e, TYPE, types))
		return false;
	if (wisp_event_is(e, TYPE, "system")) {
		system_line(p);
		return is_one_of(e, SUBTYPE, subtypes);
	}
	if (wisp_event_is(e, TYPE, "assistant")) {
		wisp_event_copy(e, ERROR, c->error, sizeof c->error);
		c->erred = c->erred || wisp_event_has(e, ERROR);
	} else if (wisp_event_is(e, TYPE, "result"))
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
