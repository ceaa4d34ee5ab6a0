/*
 * claude: `claude -p --output-format stream-json --verbose`, also the single
 * object of `json`; and amp, which prints the same.
 *
 * Success is a `result` with subtype success, not is_error and terminal_reason
 * completed; an API failure too has subtype success. What kind of failure it
 * was stands in the `error` of the last assistant line and in
 * api_error_status, and a subscriber's limit in a rate_limit_event before it.
 */
#include "claude.h"

#include <string.h>

/* The kinds that step.json knows; a week's limit has several names, one for each model. */
static const char *
limit_kind(const struct wisp_claude *c)
{
	if (strcmp(c->limit_type, "five_hour") == 0)
		return "five_hour";
	if (strcmp(c->limit_type, "overage") == 0)
		return "quota";
	return strncmp(c->limit_type, "seven_day", 9) == 0 ? "seven_day" : "unknown";
}

static enum wisp_outcome
failure(const struct wisp_parse *p)
{
	const struct wisp_claude *c = p->state;

	if (c->rejected || strcmp(c->error, "rate_limit") == 0 || p->step->api_status == 429)
		return WISP_LIMITED;
	if (wisp_claude_auth(c->error) != NULL)
		return WISP_AUTH;
	if (strcmp(c->error, "server_error") == 0 || strcmp(c->error, "overloaded") == 0)
		return WISP_TRANSIENT;
	return wisp_parse_status(p->step->api_status);
}

/*
 * The words count where the agent says that it is its own: an error of the last
 * assistant line, a status, or the reason of a result without text.
 */
static void
judge_failure(struct wisp_parse *p, int exit_code)
{
	const struct wisp_claude *c = p->state;
	const char *auth = wisp_claude_auth(c->error), *kind = c->rejected ? limit_kind(c) : auth;
	bool own = c->error[0] != '\0' || c->failure[0] != '\0' || p->step->api_status != 0 ||
		   c->rejected;
	struct wisp_buf text = WISP_BUF_INIT;

	if (!c->result && c->error[0] == '\0') {
		wisp_parse_lost(p, exit_code, "no result line");
		return;
	}
	/* A key that is refused is no login that another process may have renewed. */
	if (!c->rejected && auth != NULL && strcmp(auth, "token") == 0 &&
	    (c->keyed || p->step->api_status != 401))
		kind = "login";
	wisp_claude_reason(p, &text);
	if (own)
		wisp_parse_failed(p, text.len > 0 ? text.data : "", failure(p), kind,
				  c->rejected ? c->resets_at : -1);
	else
		wisp_step_end(p->step, WISP_ERROR, "%s",
			      text.len > 0 ? text.data : "the agent reported a failure");
	wisp_buf_release(&text);
}

static void
judge(struct wisp_parse *p, int exit_code)
{
	struct wisp_claude *c = p->state;

	if (strcmp(c->subtype, "error_max_turns") == 0 || strcmp(c->subtype, "error_max_budget_usd") == 0)
		wisp_step_end(p->step, WISP_CAPPED, "%s", c->failure[0] != '\0' ? c->failure : c->subtype);
	else if (!c->success)
		judge_failure(p, exit_code);
	else if (c->terminal[0] != '\0' && strcmp(c->terminal, "completed") != 0)
		wisp_step_end(p->step, WISP_ERROR, "ended early: %s", c->terminal);
	else if (p->step->turns == 0)
		wisp_step_end(p->step, WISP_ERROR, "no request was made: %s",
			      p->step->final_text[0] != '\0' ? p->step->final_text : "the prompt was not taken");
	else
		wisp_step_end(p->step, WISP_OK, "%s", "");
}

static bool
line(struct wisp_parse *p)
{
	/* Each piece of a text is a stream_event. */
	static const char *const types[] = {
		"stream_event", "system", "assistant", "user", "result", "rate_limit_event", "keep_alive",
		"tool_progress", "tool_use_summary", "auth_status", "prompt_suggestion", "active_goal", NULL
	};
	static const char *const subtypes[] = {
		"init", "api_retry", "hook_started", "hook_response", "informational", "model_fallback",
		"model_refusal_no_fallback", "notification", "status", "task_started", "task_updated",
		"task_notification", "thinking_tokens", "permission_denied", "background_tasks_changed",
		"ui_invalidate", "task_progress", "compact_boundary", "session_state_changed",
		"worker_shutting_down", "commands_changed", "files_persisted", "memory_recall",
		"elicitation_complete", "mirror_error", "local_command_output", "hook_progress",
		"plugin_install", "model_refusal_fallback", "conversation_reset", "agents_killed",
		"api_error", "away_summary", "bridge_state", "bridge_status", "checkpoint_done",
		"cloud_session_delta", "cloud_session_status", "code_change_published",
		"control_request_progress", "dev_intent", "feedback_draft_queued",
		"file_attachments_missing", "file_snapshot", "inherited_asks_settled",
		"instruction_size_warning", "late_allow_not_run", "local_command", "memory_saved",
		"model_consent_fallback", "peer_message_hold", "per_turn_effort_changed",
		"permission_check_status", "permission_retry", "placed", "post_turn_summary",
		"rewind_stand_in", "scheduled_task_fire", "session_metadata", "session_title_changed",
		"session_writes_lost", "shell_cwd", "start_folder", "stop_hook_summary", "task_summary",
		"tool_host_result", "turn_began_before_init", "turn_duration", "turn_handoff_available",
		"turn_preempted", "turn_starting", "ui_focus", "ui_log", "ui_notify", "ui_notify_cancel",
		"ui_panes", "ui_placed", "ui_scroll", "ui_status", "ui_toast", "vcs_state_changed",
		"voice_call_talk", NULL
	};

	return wisp_claude_line(p, types, subtypes);
}

#define CLAUDE(NAME) { \
	.name = NAME, .size = sizeof(struct wisp_claude), .wants = wisp_claude_wants, .count = WISP_CLAUDE_WANTS, \
	.pieces = wisp_claude_pieces, .item = wisp_claude_item, .line = line, .judge = judge, \
}

const struct wisp_format wisp_format_claude = CLAUDE("claude");
const struct wisp_format wisp_format_amp = CLAUDE("amp");
