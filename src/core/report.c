/*
 * report: the block of status.h, for people.
 */
#include "status.h"

#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "lines.h"

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
put_tasks(struct wisp_buf *out, const struct cJSON *status)
{
	const struct cJSON *tasks = wisp_json_get(status, "tasks"), *next = wisp_json_get(tasks, "next");
	const char *error = wisp_json_str(tasks, "error", NULL);

	if (wisp_json_str(status, "phase", NULL) != NULL && wisp_json_num(tasks, "total", -1) == 0)
		return;	/* phases need no list */
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
		wisp_line_field(out, "", "answered; the next prompt says so");
	wisp_line_field(out, "answer", wisp_json_str(question, "invalid", NULL));
}

static void
put_last(struct wisp_buf *out, const struct cJSON *entry, const struct cJSON *status)
{
	const char *verify = wisp_json_str(entry, "verify", "none");

	wisp_line_field(out, "last", wisp_json_str(entry, "summary", NULL));
	wisp_line_field(out, "error", wisp_json_str(entry, "error", NULL));
	if (entry == NULL)
		return;	/* before the first run there are no settings in force */
	if (wisp_json_bool(status, "unverified", false))
		wisp_line_unverified(out, status);
	else
		wisp_line_field(out, "verify", strcmp(verify, "skipped") == 0 ? "not run (nothing new was claimed)" : verify);
	wisp_line_observed(out, entry);
	wisp_line_cases(out, wisp_json_get(status, "tests"), wisp_json_get(status, "tests_removed"));
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
	wisp_ms since = wisp_time_parse(wisp_json_str(step, "started_at", NULL)), now = wisp_time_now();
	char *time;

	wisp_line_label(out, "iteration");
	of_many(out, wisp_json_num(wisp_json_get(status, "session"), "loop_count", 0),
		wisp_config_count(wisp_json_get(r->doc, "config"), "limits.maxIterations"));
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
	put_head(out, status);
	wisp_line_field(out, "note", wisp_json_str(status, "note", NULL));
	put_iteration(out, r, status);
	wisp_report_phase(out, r);
	wisp_report_orchestra(out, r);
	if (wisp_json_get(status, "orchestration") == NULL)
		put_tasks(out, status);
	put_question(out, wisp_json_get(status, "question"));
	put_last(out, last_of(wisp_json_get(r->doc, "history")), status);
	wisp_report_limits(out, r, status, wisp_time_now());
	wisp_report_divergence(out, wisp_json_get(status, "divergence"));
	wisp_line_field(out, "where", wisp_json_str(r->doc, "worktree", r->place->dir));
	wisp_status_confined(out, status);
	put_reason(out, status);
	wisp_status_now(out, status);
}
