/*
 * copilot: `copilot --output-format json`.
 *
 * It ends with a `result` line whose exitCode is that of the program; after a
 * signal with none at all, and exit status 0. A session.error says what went
 * wrong; where it has no HTTP status, the last model.call_failure tells the
 * network's faults.
 */
#include "format.h"

#include <string.h>

enum {
	TYPE, SESSION, EXIT, MODEL, CONTENT, TOOL, CALL, SUCCESS, ERROR_CODE, ERROR_TYPE, STATUS, MESSAGE, FAILURE,
	WANTS
};

static const struct wisp_want wants[WANTS] = {
	[TYPE] = {"type", 64},
	[SESSION] = {"sessionId", 100},
	[EXIT] = {"exitCode", 16},
	[MODEL] = {"data.model", 100},
	[CONTENT] = {"data.content", WISP_WANT_PIECES},
	[TOOL] = {"data.toolName", 100},
	[CALL] = {"data.toolCallId", 100},
	[SUCCESS] = {"data.success", 1},
	[ERROR_CODE] = {"data.error.code", 32},
	[ERROR_TYPE] = {"data.errorType", 32},
	[STATUS] = {"data.statusCode", 16},
	[MESSAGE] = {"data.message", 400},
	[FAILURE] = {"data.failureKind", 32},
};

#define CALLS 8			/* of parallel tool calls whose names are remembered */

struct copilot {
	bool result;
	int exit_code;			/* as the result says */
	bool failed;			/* a session.error came */
	bool erred;			/* one before a turn that was finished */
	char type[33], message[401];
	char failure[33];		/* of the last failed call to the model */
	struct {
		char id[101], name[101];
	} calls[CALLS];
	size_t call_at;
};

/* The types that mean nothing here. */
static const char *const other_types[] = {
	"abort", "agent.interrupted", "assistant.intent", "assistant.message_delta",
	"assistant.message_start", "assistant.reasoning", "assistant.reasoning_delta",
	"assistant.tool_call_delta", "model.call_final_result", "model.call_finished",
	"session.background_tasks_changed", "session.info", "session.mcp_server_status_changed",
	"session.mcp_servers_loaded", "session.model_change", "session.skills_loaded", "session.start",
	"session.task_complete", "session.tools_updated", "session.truncation", "session.warning",
	"subagent.completed", "subagent.failed", "subagent.started", "tool.execution_partial_result",
	"tool.execution_progress", "tool.shell_output", "user.message",
};

/* Of a request that may be tried again, and of nothing at all. */
static const char *const quiet_types[] = {
	"assistant.idle", "assistant.turn_retry", "model.call_failure", "model.call_start",
	"session.usage_info",
};

static void
pieces(struct wisp_parse *p, int want, const char *s, size_t n)
{
	(void)want;
	wisp_parse_piece(p, s, n, false);
}

static void
start_line(struct wisp_parse *p)
{
	const struct wisp_event *e = &p->event;
	struct copilot *c = p->state;
	size_t i = c->call_at++ % CALLS;

	wisp_parse_tool(p, wisp_event_text(e, TOOL), wisp_event_text(e, CALL));
	wisp_event_copy(e, CALL, c->calls[i].id, sizeof c->calls[i].id);
	wisp_event_copy(e, TOOL, c->calls[i].name, sizeof c->calls[i].name);
}

static void
complete_line(struct wisp_parse *p)
{
	const struct wisp_event *e = &p->event;
	const struct copilot *c = p->state;
	const char *name = "a tool";
	size_t i;

	if (wisp_event_true(e, SUCCESS)) {
		p->worked++;
		return;
	}
	if (!wisp_event_is(e, ERROR_CODE, "denied"))
		return;
	for (i = 0; i < CALLS; i++)
		if (wisp_event_is(e, CALL, c->calls[i].id))
			name = c->calls[i].name;
	wisp_step_denial(p->step, name, "");
}

static void
error_line(struct wisp_parse *p)
{
	const struct wisp_event *e = &p->event;
	struct copilot *c = p->state;

	p->quiet = c->failed = c->erred = true;
	p->recovered = false;
	wisp_event_copy(e, ERROR_TYPE, c->type, sizeof c->type);
	wisp_event_copy(e, MESSAGE, c->message, sizeof c->message);
	p->step->api_status = (int)wisp_event_count(e, STATUS, WISP_HTTP_MAX, 0);
}

static void
result_line(struct wisp_parse *p)
{
	struct copilot *c = p->state;

	p->over = c->result = true;
	c->exit_code = (int)wisp_event_count(&p->event, EXIT, 255, 1);
	wisp_step_note(&p->step->agent_session, wisp_event_text(&p->event, SESSION));
}

static bool
is_one_of(const struct wisp_event *e, const char *const *types, size_t count)
{
	while (count-- > 0)
		if (wisp_event_is(e, TYPE, types[count]))
			return true;
	return false;
}

static bool
line(struct wisp_parse *p)
{
	const struct wisp_event *e = &p->event;
	struct copilot *c = p->state;
	struct wisp_step *s = p->step;

	if (s->turns < 0)
		s->turns = s->retries = 0;
	wisp_step_note(&s->model, wisp_event_text(e, MODEL));
	p->quiet = is_one_of(e, quiet_types, sizeof quiet_types / sizeof *quiet_types);
	if (wisp_event_is(e, TYPE, "assistant.turn_start"))
		s->turns++;
	else if (wisp_event_is(e, TYPE, "assistant.turn_retry"))
		s->retries++;
	else if (wisp_event_is(e, TYPE, "assistant.message") && wisp_event_has(e, CONTENT))
		wisp_parse_take(p);
	else if (wisp_event_is(e, TYPE, "assistant.turn_end"))
		p->recovered = c->erred;	/* its own result may remember the error */
	else if (wisp_event_is(e, TYPE, "tool.execution_start"))
		start_line(p);
	else if (wisp_event_is(e, TYPE, "tool.execution_complete"))
		complete_line(p);
	else if (wisp_event_is(e, TYPE, "model.call_failure"))
		wisp_event_copy(e, FAILURE, c->failure, sizeof c->failure);
	else if (wisp_event_is(e, TYPE, "session.error"))
		error_line(p);
	else if (wisp_event_is(e, TYPE, "result"))
		result_line(p);
	else
		return p->quiet ||
		       is_one_of(e, other_types, sizeof other_types / sizeof *other_types) ||
		       wisp_event_is(e, TYPE, "assistant.message");
	return true;
}

static enum wisp_outcome
by_type(const struct copilot *c, int status, const char **kind)
{
	if (strcmp(c->type, "rate_limit") == 0)
		return WISP_LIMITED;
	if (strcmp(c->type, "quota") == 0)
		*kind = "credit";
	else if (strcmp(c->type, "authorization") == 0)
		*kind = "plan";
	if (*kind != NULL || strcmp(c->type, "authentication") == 0)
		return WISP_AUTH;
	if (status == 0 && strcmp(c->failure, "transport") == 0)
		return WISP_TRANSIENT;
	return wisp_parse_status(status);
}

static void
judge_failure(struct wisp_parse *p)
{
	const struct copilot *c = p->state;
	const char *kind = NULL;
	enum wisp_outcome outcome = by_type(c, p->step->api_status, &kind);

	wisp_parse_failed(p, c->message, outcome, kind, -1);
}

static void
judge(struct wisp_parse *p, int exit_code)
{
	const struct copilot *c = p->state;

	if (c->result && (c->exit_code == 0 || (c->exit_code == 1 && p->recovered)))
		wisp_step_end(p->step, WISP_OK, "%s", "");
	else if (c->failed)
		judge_failure(p);
	else if (!c->result)
		wisp_parse_lost(p, exit_code, "no result line");
	else
		wisp_parse_lost(p, exit_code, "its result is a failure");
}

const struct wisp_format wisp_format_copilot = {
	.name = "copilot", .size = sizeof(struct copilot), .wants = wants, .count = WANTS,
	.pieces = pieces, .line = line, .judge = judge,
};
