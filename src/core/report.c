/*
 * report: the block of status.h, for people.
 */
#include "status.h"

#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "decide.h"
#include "lines.h"
#include "session.h"

static void
of_many(struct wisp_buf *out, double n, long long most)
{
	wisp_buf_printf(out, "%.0f", n);
	if (most >= 0)
		wisp_buf_printf(out, " of %lld", most);
}

static const struct cJSON *
last_of(const struct cJSON *array)
{
	const struct cJSON *e, *last = NULL;

	for (e = wisp_json_first(array); e != NULL; e = wisp_json_next(e))
		last = e;
	return last;
}

static void
put_tasks(struct wisp_buf *out, const struct cJSON *tasks)
{
	const struct cJSON *next = wisp_json_get(tasks, "next");
	const char *error = wisp_json_str(tasks, "error", NULL);

	if (error != NULL) {
		wisp_line_field(out, "tasks", error);
		return;
	}
	wisp_line_label(out, "tasks");
	wisp_line_number(out, wisp_json_get(tasks, "passed"));
	wisp_buf_puts(out, " of ");
	wisp_line_number(out, wisp_json_get(tasks, "total"));
	wisp_buf_puts(out, " pass");
	if (wisp_json_type(next) == WISP_T_OBJECT) {
		wisp_buf_printf(out, "; next: %lld ", wisp_json_int(next, "number", 0));
		wisp_buf_line(out, wisp_json_str(next, "description", ""), WISP_LINE_TEXT);
	}
	wisp_buf_putc(out, '\n');
}

static void
put_question(struct wisp_buf *out, const struct cJSON *question)
{
	const struct cJSON *choice, *choices = wisp_json_get(question, "choices");
	int n = 0;

	if (wisp_json_type(question) != WISP_T_OBJECT)
		return;
	wisp_line_field(out, "question", wisp_json_str(question, "question", ""));
	for (choice = wisp_json_first(choices); choice != NULL; choice = wisp_json_next(choice)) {
		wisp_line_label(out, "");
		wisp_buf_printf(out, "%d  ", ++n);
		wisp_buf_line(out, wisp_json_text(choice, "?"), WISP_LINE_TEXT);
		wisp_buf_putc(out, '\n');
	}
	if (wisp_json_bool(question, "answered", false))
		wisp_line_field(out, "", "answered; the next step is told");
}

static void
put_last(struct wisp_buf *out, const struct cJSON *entry, bool unverified)
{
	const char *verify = wisp_json_str(entry, "verify", "none");

	wisp_line_field(out, "last", wisp_json_str(entry, "summary", NULL));
	wisp_line_field(out, "error", wisp_json_str(entry, "error", NULL));
	if (entry == NULL)
		return;	/* before the first run there are no settings in force */
	if (unverified)
		wisp_line_field(out, "verify", "unverified: no verify.command is set");
	else
		wisp_line_field(out, "verify", strcmp(verify, "skipped") == 0 ? "not due after the last step" : verify);
}

/* An agent that does not say what a step cost has not worked for nothing: `unpriced` counts such steps. */
static void
put_spent(struct wisp_buf *out, const struct cJSON *session, const struct cJSON *config, double unpriced)
{
	double money = wisp_config_number(config, "limits.maxCostUsd"), cost = wisp_session_total(session, "cost_usd");
	char *time = wisp_duration_text((wisp_ms)(wisp_session_total(session, "seconds") * 1000));
	double calls = wisp_session_total(session, "agent_calls");

	wisp_line_label(out, "spent");
	if (unpriced > 0 && cost <= 0)
		wisp_buf_puts(out, money >= 0 ? "an unknown part" : "an unknown sum");
	else
		wisp_buf_printf(out, "$%.2f", cost);
	if (money >= 0)
		wisp_buf_printf(out, " of $%g", money);
	wisp_buf_printf(out, ", %s in %.0f agent call%s", time, calls, calls == 1 ? "" : "s");
	if (unpriced > 0 && cost > 0)
		wisp_buf_printf(out, " (%.0f without a price, reckoned as the dearest)", unpriced);
	wisp_buf_putc(out, '\n');
	free(time);
}

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

/* How to go on after a run that ended, by its exit code. */
static void
put_resume(struct wisp_buf *out, const struct cJSON *status, const char *branch)
{
	const struct cJSON *session = wisp_json_get(status, "session");
	bool begun = wisp_json_int(session, "loop_count", 0) > 0 &&
		     strcmp(wisp_json_str(session, "pause_reason", ""), "planned") != 0;

	switch (wisp_json_int(status, "exit", 0)) {
	case WISP_END_BLOCKED:
		wisp_buf_printf(out, "wisp log -n 1 %s; wisp resume %s", branch, branch);
		break;
	case WISP_END_STUCK:
		wisp_buf_printf(out, "wisp log %s; wisp resume %s --guide TEXT", branch, branch);
		break;
	case WISP_END_LIMIT:
		wisp_buf_printf(out, "wisp resume %s%s", branch, raise_option(wisp_json_get(status, "left")));
		break;
	case WISP_END_AGENT:
		wisp_buf_printf(out, "wisp log -n 1 %s; wisp doctor; wisp resume %s", branch, branch);
		break;
	default:
		wisp_buf_printf(out, "wisp %s %s", begun ? "resume" : "run", branch);
	}
}

/* What a person may type now. */
static void
put_next(struct wisp_buf *out, const struct cJSON *status)
{
	const char *branch = wisp_json_str(status, "branch", ""), *word = wisp_status_word(status);
	const struct cJSON *question = wisp_json_get(status, "question");
	bool completed = strcmp(word, "completed") == 0;
	bool over = completed || strcmp(word, "halted") == 0;	/* then a loop that lives is about to end */
	bool alive = wisp_json_bool(status, "alive", false) && !over;

	wisp_line_label(out, "now");
	if (wisp_json_type(question) == WISP_T_OBJECT && !wisp_json_bool(question, "answered", false)) {
		wisp_buf_printf(out, "wisp answer %s TEXT", branch);
		if (wisp_json_len(wisp_json_get(question, "choices")) > 0)
			wisp_buf_puts(out, " (or the number of a choice)");
		if (!alive)
			wisp_buf_printf(out, ", then: wisp resume %s", branch);
	} else if (alive) {
		wisp_buf_printf(out, "wisp log -f %s, wisp pause %s", branch, branch);
	} else if (completed) {
		wisp_buf_printf(out, "git merge %s; wisp rm %s", branch, branch);
	} else {
		put_resume(out, status, branch);
	}
	wisp_buf_putc(out, '\n');
}

static void
put_head(struct wisp_buf *out, const struct cJSON *status)
{
	const struct cJSON *session = wisp_json_get(status, "session");
	const char *word = wisp_status_word(status), *reason;

	reason = strcmp(word, "halted") == 0 ? wisp_json_str(session, "halt_reason", NULL)
	       : strcmp(word, "paused") == 0 ? wisp_json_str(session, "pause_reason", NULL) : NULL;
	wisp_buf_line(out, wisp_json_str(status, "branch", "-"), WISP_LINE_NAMES);
	wisp_buf_printf(out, ": %s", word);
	if (strcmp(word, "stale") == 0)
		reason = "its loop is gone";
	if (reason != NULL) {
		wisp_buf_puts(out, " (");
		wisp_buf_line(out, reason, WISP_LINE_TEXT);
		wisp_buf_putc(out, ')');
	}
	if (strcmp(word, "paused") == 0 && wisp_json_bool(status, "alive", false))
		wisp_buf_puts(out, ", its loop waits");
	if (strcmp(word, "completed") == 0 && wisp_json_bool(status, "unverified", false))
		wisp_buf_puts(out, ", unverified");
	wisp_buf_putc(out, '\n');
}

/* Why the last run ended, where that was not said yet. */
static void
put_reason(struct wisp_buf *out, const struct cJSON *status)
{
	const struct cJSON *session = wisp_json_get(status, "session");
	const char *reason = wisp_json_str(status, "reason", NULL);

	if (reason != NULL && wisp_json_type(wisp_json_get(status, "question")) != WISP_T_OBJECT &&
	    strcmp(reason, wisp_json_str(session, "pause_reason", "")) != 0 &&
	    strcmp(reason, wisp_json_str(session, "halt_reason", "")) != 0)
		wisp_line_field(out, "reason", reason);
}

static void
put_iteration(struct wisp_buf *out, const struct wisp_record *r, const struct cJSON *status)
{
	const struct cJSON *step = wisp_json_get(r->doc, "step");
	const char *phase = wisp_json_str(status, "phase", NULL);
	wisp_ms since = wisp_time_parse(wisp_json_str(step, "started_at", NULL)), now = wisp_time_now();
	char *time;

	wisp_line_label(out, "iteration");
	of_many(out, wisp_json_num(wisp_json_get(status, "session"), "loop_count", 0),
		wisp_config_count(wisp_json_get(r->doc, "config"), "limits.maxIterations"));
	if (phase != NULL)
		wisp_buf_printf(out, ", phase %s", phase);
	if (wisp_json_bool(status, "alive", false) && strcmp(wisp_json_str(step, "stage", ""), "begun") == 0 && since >= 0) {
		time = wisp_duration_text(now > since ? now - since : 0);
		wisp_buf_printf(out, ", its step runs for %s", time);
		free(time);
	}
	wisp_buf_putc(out, '\n');
}

void
wisp_status_text(struct wisp_buf *out, const struct wisp_record *r, const struct cJSON *status)
{
	const struct cJSON *session = wisp_json_get(status, "session"), *config = wisp_json_get(r->doc, "config");

	put_head(out, status);
	put_iteration(out, r, status);
	put_tasks(out, wisp_json_get(status, "tasks"));
	put_question(out, wisp_json_get(status, "question"));
	put_last(out, last_of(wisp_json_get(r->doc, "history")), wisp_json_bool(status, "unverified", false));
	put_spent(out, session, config, wisp_json_num(r->doc, "unpriced", 0));
	wisp_line_field(out, "where", wisp_json_str(r->doc, "worktree", r->place->dir));
	put_reason(out, status);
	put_next(out, status);
}
