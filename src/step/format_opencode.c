/*
 * opencode: `opencode run --format json`.
 *
 * It ended well if the last step_finish has reason stop and no error line came
 * after it; newer versions then print `done`. An error before it is one that it
 * got over, though its exit status stays 1. Cost and tokens are given for each
 * step and added up here. The text parts of one message belong together.
 */
#include "format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reset.h"

#define YEAR_MS (366LL * 24 * 60 * 60 * 1000)

enum {
	TYPE, TIME, SESSION, MESSAGE, TEXT, TOOL, CALL, TOOL_STATUS, TOOL_ERROR, COMMAND, PATH, REASON, COST,
	INPUT, OUTPUT, CACHE_READ, CACHE_WRITE, ERROR_NAME, ERROR, HTTP, RETRYABLE, RETRY_AFTER,
	RETRY_AFTER_MS,
	WANTS
};

static const struct wisp_want wants[WANTS] = {
	[TYPE] = {"type", 32},
	[TIME] = {"timestamp", 24},
	[SESSION] = {"sessionID", 100},
	[MESSAGE] = {"part.messageID", 100},
	[TEXT] = {"part.text", WISP_WANT_PIECES},
	[TOOL] = {"part.tool", 100},
	[CALL] = {"part.callID", 100},
	[TOOL_STATUS] = {"part.state.status", 16},
	[TOOL_ERROR] = {"part.state.error", 100},
	[COMMAND] = {"part.state.input.command", 200},
	[PATH] = {"part.state.input.filePath", 200},
	[REASON] = {"part.reason", 32},
	[COST] = {"part.cost", 32},
	[INPUT] = {"part.tokens.input", 24},
	[OUTPUT] = {"part.tokens.output", 24},
	[CACHE_READ] = {"part.tokens.cache.read", 24},
	[CACHE_WRITE] = {"part.tokens.cache.write", 24},
	[ERROR_NAME] = {"error.name", 64},
	[ERROR] = {"error.data.message", 400},
	[HTTP] = {"error.data.statusCode", 16},
	[RETRYABLE] = {"error.data.isRetryable", 1},
	[RETRY_AFTER] = {"error.data.responseHeaders.retry-after", 40},
	[RETRY_AFTER_MS] = {"error.data.responseHeaders.retry-after-ms", 16},
};

struct opencode {
	char message[101];		/* the one that `final` is of */
	char reason[33];		/* of the last step_finish */
	bool failed, retryable;		/* by an error line that nothing followed */
	bool erred;			/* there was one */
	char name[65], error[401];
	wisp_ms retry_at;
};

static void
pieces(struct wisp_parse *p, int want, const char *s, size_t n)
{
	const struct opencode *o = p->state;
	bool same = wisp_event_is(&p->event, MESSAGE, o->message);

	(void)want;
	wisp_parse_piece(p, s, n, same);
	if (s == NULL && same && p->next.len > 0)
		wisp_parse_piece(p, "\n", 1, true);
}

static void
tool_line(struct wisp_parse *p)
{
	const struct wisp_event *e = &p->event;
	bool denied = strncmp(wisp_event_text(e, TOOL_ERROR), "The user rejected permission", 28) == 0;

	wisp_parse_tool(p, wisp_event_text(e, TOOL), wisp_event_text(e, CALL));
	if (wisp_event_is(e, TOOL_STATUS, "completed"))
		p->worked++;
	else if (denied)
		wisp_step_denial(p->step, wisp_event_text(e, TOOL),
				 wisp_event_text(e, wisp_event_has(e, COMMAND) ? COMMAND : PATH));
}

static void
add(double *sum, double more)
{
	if (!isnan(more))
		*sum = isnan(*sum) ? more : *sum + more;
}

static void
finish_line(struct wisp_parse *p)
{
	const struct wisp_event *e = &p->event;
	struct opencode *o = p->state;
	struct wisp_step *s = p->step;

	s->turns++;
	o->failed = false;
	wisp_event_copy(e, REASON, o->reason, sizeof o->reason);
	p->over = strcmp(o->reason, "stop") == 0;
	p->recovered = p->over && o->erred;
	add(&s->cost_usd, wisp_event_number(e, COST, NAN));
	add(&s->tokens[WISP_INPUT], wisp_event_number(e, INPUT, NAN));
	add(&s->tokens[WISP_OUTPUT], wisp_event_number(e, OUTPUT, NAN));
	add(&s->tokens[WISP_CACHE_READ], wisp_event_number(e, CACHE_READ, NAN));
	add(&s->tokens[WISP_CACHE_WRITE], wisp_event_number(e, CACHE_WRITE, NAN));
}

/* Milliseconds, seconds, or a date; from the time of the line. */
static wisp_ms
retry_at(const struct wisp_event *e)
{
	wisp_ms at = wisp_event_count(e, TIME, WISP_SECONDS_MAX * 1000, -1), found;
	double ms = strtod(wisp_event_text(e, RETRY_AFTER_MS), NULL);
	char *words;

	if (at > 0 && ms > 0 && ms < (double)YEAR_MS)
		return at + (wisp_ms)ms;
	words = wisp_str("retry after %s", wisp_event_text(e, RETRY_AFTER));
	found = at > 0 ? wisp_reset_find(words, at, at) : -1;
	free(words);
	return found;
}

static void
error_line(struct wisp_parse *p)
{
	const struct wisp_event *e = &p->event;
	struct opencode *o = p->state;

	p->quiet = o->failed = o->erred = true;
	p->over = false;
	wisp_event_copy(e, ERROR_NAME, o->name, sizeof o->name);
	o->retryable = wisp_event_true(e, RETRYABLE);
	o->retry_at = retry_at(e);
	wisp_event_copy(e, wisp_event_has(e, ERROR) ? ERROR : ERROR_NAME, o->error, sizeof o->error);
	p->step->api_status = (int)wisp_event_count(e, HTTP, WISP_HTTP_MAX, 0);
}

static bool
line(struct wisp_parse *p)
{
	const struct wisp_event *e = &p->event;
	struct opencode *o = p->state;

	if (p->step->turns < 0)
		p->step->turns = 0;
	wisp_step_note(&p->step->agent_session, wisp_event_text(e, SESSION));
	if (wisp_event_is(e, TYPE, "step_start")) {
		p->over = false;
		if (!wisp_event_is(e, MESSAGE, o->message))
			wisp_text_reset(&p->final);
		wisp_event_copy(e, MESSAGE, o->message, sizeof o->message);
	} else if (wisp_event_is(e, TYPE, "text")) {
		if (wisp_event_has(e, TEXT))
			wisp_parse_take(p);
		wisp_event_copy(e, MESSAGE, o->message, sizeof o->message);
	} else if (wisp_event_is(e, TYPE, "tool_use")) {
		tool_line(p);
	} else if (wisp_event_is(e, TYPE, "step_finish")) {
		finish_line(p);
	} else if (wisp_event_is(e, TYPE, "error")) {
		error_line(p);
	} else if (wisp_event_is(e, TYPE, "done")) {
		p->over = true;
	} else {
		return wisp_event_is(e, TYPE, "reasoning");
	}
	return true;
}

/* By its name, where no status tells: what the provider's own errors are made into. */
static enum wisp_outcome
by_name(const struct opencode *o, int status)
{
	if (strcmp(o->name, "ProviderAuthError") == 0)
		return WISP_AUTH;
	return status == 0 && o->retryable ? WISP_TRANSIENT : wisp_parse_status(status);
}

static void
judge_failure(struct wisp_parse *p)
{
	const struct opencode *o = p->state;

	wisp_parse_failed(p, o->error, by_name(o, p->step->api_status), NULL, o->retry_at);
}

static void
judge(struct wisp_parse *p, int exit_code)
{
	const struct opencode *o = p->state;

	if (o->failed)
		judge_failure(p);
	else if (o->reason[0] == '\0')
		wisp_parse_lost(p, exit_code, "no step was finished");
	/* A denied call ends the run at once, with this reason; whether any worked is asked by the caller. */
	else if (strcmp(o->reason, "stop") == 0 || (p->step->denial_count > 0 && p->worked == 0))
		wisp_step_end(p->step, WISP_OK, "%s", "");
	else
		wisp_parse_lost(p, exit_code, "its last step did not come to its end");
}

const struct wisp_format wisp_format_opencode = {
	.name = "opencode", .size = sizeof(struct opencode), .wants = wants, .count = WANTS,
	.pieces = pieces, .line = line, .judge = judge,
};
