/*
 * next: what a person may type now, by how a session stands.
 */
#include "status.h"

#include <stdlib.h>
#include <string.h>

#include "decide.h"
#include "lines.h"

/* The option that raises the limit of which nothing is left. */
static const char *
raise_option(const struct cJSON *left)
{
	if (wisp_json_num(left, "iterations", 1) <= 0)
		return " --max-iterations N";
	if (wisp_json_num(left, "hours", 1) <= 0)
		return " --max-hours N";
	return wisp_json_num(left, "cost_usd", 1) <= 0 ? " --max-cost N" : "";
}

/* `before`, the branch as a shell reads it, `after`. */
static void
push(struct cJSON *commands, const char *before, const char *branch, const char *after)
{
	struct wisp_buf b = WISP_BUF_INIT;

	wisp_buf_puts(&b, before);
	wisp_line_shell(&b, branch);
	wisp_buf_puts(&b, after);
	wisp_json_push(commands, wisp_json_string(b.data));
	wisp_buf_release(&b);
}

/* In a checkout of the person's own there is nothing to merge, and what is committed can be looked at. */
static void
push_completed(struct cJSON *commands, const struct cJSON *session, const char *branch)
{
	const char *base = wisp_json_str(session, "base", NULL);
	char *range;

	if (strcmp(wisp_json_str(session, "worktree", ""), ".") != 0) {
		push(commands, "wisp done ", branch, " --merge");
	} else if (base != NULL) {
		range = wisp_str("git log %.12s..", base);
		push(commands, range, branch, "");
		free(range);
	}
	push(commands, "wisp rm ", branch, "");
}

/* What a person may decide of a loop that got nowhere, as the menu at the terminal has it. */
static void
push_stuck(struct cJSON *commands, const struct cJSON *status, const char *branch)
{
	push(commands, "wisp log ", branch, "");
	push(commands, "wisp resume ", branch, " --guide TEXT");
	push(commands, "wisp resume ", branch, " --reset");
	if (wisp_json_str(status, "phase", NULL) != NULL)
		push(commands, "wisp resume ", branch, " --skip-phase");
	push(commands, "wisp resume ", branch, " --abort");
}

/* How to go on after a run that ended, by its exit code. */
static void
push_resume(struct cJSON *commands, const struct cJSON *status, const char *branch)
{
	const struct cJSON *session = wisp_json_get(status, "session");
	bool begun = wisp_json_int(session, "loop_count", 0) > 0 &&
		     strcmp(wisp_json_str(session, "pause_reason", ""), "planned") != 0;

	switch (wisp_json_int(status, "exit", 0)) {
	case WISP_END_BLOCKED:
		push(commands, "wisp log -n 1 ", branch, "");
		push(commands, "wisp resume ", branch, "");
		break;
	case WISP_END_STUCK:
		push_stuck(commands, status, branch);
		break;
	case WISP_END_LIMIT:
		push(commands, "wisp resume ", branch, raise_option(wisp_json_get(status, "left")));
		break;
	case WISP_END_AGENT:
		push(commands, "wisp log -n 1 ", branch, "");
		wisp_json_push(commands, wisp_json_string("wisp doctor"));
		push(commands, "wisp resume ", branch, "");
		break;
	default:
		push(commands, begun ? "wisp resume " : "wisp run ", branch, "");
	}
}

static bool
asks(const struct cJSON *status)
{
	const struct cJSON *question = wisp_json_get(status, "question");

	return wisp_json_type(question) == WISP_T_OBJECT && !wisp_json_bool(question, "answered", false);
}

/* Is there a loop that goes on? One that has just decided its end is about to go. */
static bool
lives(const struct cJSON *status)
{
	const char *word = wisp_status_word(status);

	return wisp_json_bool(status, "alive", false) && strcmp(word, "completed") != 0 && strcmp(word, "halted") != 0;
}

/* Of an orchestration: the gates first, since agents wait at them. */
static void
push_orchestra(struct cJSON *commands, const struct cJSON *status, const char *branch)
{
	const struct cJSON *gates = wisp_json_get(wisp_json_get(status, "orchestration"), "gates");

	if (asks(status))
		push(commands, "wisp answer ", branch, " TEXT");
	if (wisp_json_len(gates) > 0)
		push(commands, "wisp approve ", wisp_json_str(wisp_json_first(gates), "id", ""), "");
	if (lives(status) && !asks(status))
		push(commands, "wisp pause ", branch, "");
	else if (!lives(status) && strcmp(wisp_status_word(status), "completed") == 0)
		push_completed(commands, wisp_json_get(status, "session"), branch);
	else if (!lives(status))
		push(commands, "wisp orchestrate --resume --branch ", branch, "");
}

struct cJSON *
wisp_status_next(const struct cJSON *status)
{
	const char *branch = wisp_json_str(status, "branch", "");
	struct cJSON *commands = wisp_json_array();

	if (wisp_json_get(status, "orchestration") != NULL) {
		push_orchestra(commands, status, branch);
	} else if (asks(status)) {
		push(commands, "wisp answer ", branch, " TEXT");
		if (!lives(status))
			push(commands, "wisp resume ", branch, "");
	} else if (lives(status)) {
		push(commands, "wisp log -f ", branch, "");
		push(commands, "wisp pause ", branch, "");
	} else if (strcmp(wisp_status_word(status), "completed") == 0) {
		push_completed(commands, wisp_json_get(status, "session"), branch);
	} else {
		push_resume(commands, status, branch);
	}
	return commands;
}

void
wisp_status_now(struct wisp_buf *out, const struct cJSON *status)
{
	bool choices = wisp_json_len(wisp_json_get(wisp_json_get(status, "question"), "choices")) > 0;
	bool orchestra = wisp_json_get(status, "orchestration") != NULL;	/* whose commands are each for itself */
	const char *between = asks(status) && !orchestra ? ", then: " : "; ";
	struct cJSON *commands = wisp_status_next(status), *c;

	wisp_line_label(out, "now");
	for (c = wisp_json_first(commands); c != NULL; c = wisp_json_next(c)) {
		if (c != wisp_json_first(commands))
			wisp_buf_puts(out, between);
		wisp_buf_puts(out, wisp_json_text(c, ""));
		if (c == wisp_json_first(commands) && asks(status) && choices)
			wisp_buf_puts(out, " (or the number of a choice)");
	}
	wisp_buf_putc(out, '\n');
	wisp_json_free(commands);
}
