/*
 * summary_text: the report at the end of a run, for people.
 *
 *	wisp/greet: completed, unverified (exit 0)
 *	  reason    every gate held
 *	  tasks     2 of 3 pass, 1 of them verified
 *	       1  verified    in 2    lay the ground
 *	       2  unverified  in 3    build the house
 *	  ...
 */
#include <stdlib.h>
#include <string.h>

#include "core/lines.h"
#include "summary.h"

#define TASKS_SHOWN 10
#define COMMITS_SHOWN 5
#define STEPS_SHOWN 5
#define NAMES_SHOWN 4
#define CHOICES_SHOWN 9

static void
put_more(struct wisp_buf *out, size_t n, const char *where, const char *branch)
{
	if (n == 0)
		return;
	wisp_buf_printf(out, "     ... %zu more: %s ", n, where);
	wisp_line_shell(out, branch);
	wisp_buf_putc(out, '\n');
}

static void
put_question(struct wisp_buf *out, const struct cJSON *question)
{
	const struct cJSON *choice = wisp_json_first(wisp_json_get(question, "choices"));

	wisp_line_wrapped(out, "question", wisp_json_str(question, "question", ""));
	for (int n = 1; choice != NULL && n <= CHOICES_SHOWN; choice = wisp_json_next(choice), n++) {
		struct wisp_buf line = WISP_BUF_INIT;

		wisp_line_label(&line, "");
		wisp_buf_printf(&line, "%d  ", n);
		wisp_line_cut(out, &line, wisp_json_text(choice, "?"));
	}
}

static void
put_head(struct wisp_buf *out, const struct cJSON *s)
{
	const char *result = wisp_json_str(s, "result", "-");

	wisp_buf_line(out, wisp_json_str(s, "branch", "-"), WISP_LINE_WIDTH / 2);
	wisp_buf_printf(out, ": %s", result);
	if (strcmp(result, "completed") == 0 && wisp_json_bool(s, "unverified", false))
		wisp_buf_puts(out, ", unverified");
	if (wisp_json_type(wisp_json_get(s, "exit")) == WISP_T_NUMBER)
		wisp_buf_printf(out, " (exit %lld)", wisp_json_int(s, "exit", 0));
	wisp_buf_putc(out, '\n');
	if (wisp_json_type(wisp_json_get(s, "question")) == WISP_T_OBJECT)
		put_question(out, wisp_json_get(s, "question"));
	else
		wisp_line_wrapped(out, "reason", wisp_json_str(s, "reason", NULL));
}

/* What is known of a task, in a word. */
static const char *
task_word(const struct cJSON *task)
{
	if (wisp_json_bool(task, "verified", false))
		return "verified";
	if (wisp_json_bool(task, "passes", false))
		return "unverified";
	return wisp_json_num(task, "refused", 0) > 0 ? "taken back" : "open";
}

static void
put_task(struct wisp_buf *out, const struct cJSON *task)
{
	bool passes = wisp_json_bool(task, "passes", false);
	long long when = wisp_json_int(task, passes ? "iteration" : "claimed", 0);
	char *in = when > 0 ? wisp_str("in %lld", when) : wisp_strdup("");
	struct wisp_buf line = WISP_BUF_INIT;

	wisp_buf_printf(&line, "  %6lld  %-10s  %-6s  ", wisp_json_int(task, "task", 0), task_word(task), in);
	wisp_line_cut(out, &line, wisp_json_str(task, "description", ""));
	free(in);
}

static void
put_tasks(struct wisp_buf *out, const struct cJSON *s)
{
	const struct cJSON *tasks = wisp_json_get(s, "tasks"), *list = wisp_json_get(tasks, "list"), *t;
	size_t total = wisp_json_len(list), shown = 0;
	long long verified = 0;

	if (total == 0) {
		wisp_line_wrapped(out, "tasks", wisp_json_str(tasks, "error", NULL));
		return;
	}
	for (t = wisp_json_first(list); t != NULL; t = wisp_json_next(t))
		verified += wisp_json_bool(t, "verified", false);
	wisp_line_label(out, "tasks");
	wisp_buf_printf(out, "%lld of %zu pass, %lld of them verified\n", wisp_json_int(tasks, "passed", 0), total, verified);
	/* Where there are too many, those that a person need not look at are left out. */
	for (t = wisp_json_first(list); t != NULL && shown < TASKS_SHOWN; t = wisp_json_next(t)) {
		if (total > TASKS_SHOWN && wisp_json_bool(t, "verified", false))
			continue;
		put_task(out, t);
		shown++;
	}
	put_more(out, total - shown, "wisp tasks list", wisp_json_str(s, "branch", ""));
}

static void
put_commits(struct wisp_buf *out, const struct cJSON *s)
{
	const struct cJSON *commits = wisp_json_get(s, "commits"), *c;
	long long count = wisp_json_int(commits, "count", 0);
	size_t shown = 0;

	if (wisp_json_type(commits) != WISP_T_OBJECT)
		return;
	wisp_line_label(out, "commits");
	wisp_buf_printf(out, "%lld since %.12s", count, wisp_json_str(s, "base", "-"));
	if (wisp_json_str(s, "base_branch", NULL) != NULL) {
		wisp_buf_puts(out, " of ");
		wisp_buf_line(out, wisp_json_str(s, "base_branch", ""), WISP_LINE_WIDTH / 2);
	}
	wisp_buf_putc(out, '\n');
	for (c = wisp_json_first(wisp_json_get(commits, "list")); c != NULL && shown < COMMITS_SHOWN; c = wisp_json_next(c)) {
		struct wisp_buf line = WISP_BUF_INIT;

		wisp_buf_printf(&line, "     %.12s  ", wisp_json_str(c, "id", ""));
		wisp_line_cut(out, &line, wisp_json_str(c, "subject", ""));
		shown++;
	}
	if (count > (long long)shown)
		wisp_buf_printf(out, "     ... %lld more\n", count - (long long)shown);
}

/* Under its step: what was observed where it was claimed otherwise. */
static void
put_differs(struct wisp_buf *out, const struct cJSON *e)
{
	const struct cJSON *differs = wisp_json_get(e, "claimed_differs"), *n;
	struct wisp_buf line = WISP_BUF_INIT, names = WISP_BUF_INIT;

	if (wisp_json_len(differs) == 0)
		return;
	wisp_buf_puts(&line, "          observed ");
	wisp_line_tests(&line, wisp_json_get(e, "observed"));
	wisp_buf_puts(&line, wisp_json_len(wisp_json_get(e, "observed")) > 0 ? ", not as claimed: " : "differs from claimed: ");
	for (n = wisp_json_first(differs); n != NULL; n = wisp_json_next(n))
		wisp_buf_printf(&names, "%s%s", names.len > 0 ? " " : "", wisp_json_text(n, "?"));
	wisp_line_cut(out, &line, names.data);
	wisp_buf_release(&names);
}

static void
put_step(struct wisp_buf *out, const struct cJSON *e)
{
	wisp_ms from = wisp_time_parse(wisp_json_str(e, "started_at", NULL)), to = wisp_time_parse(wisp_json_str(e, "ended_at", NULL));
	double measured = wisp_json_num(e, "seconds", -1), cost = wisp_json_num(e, "cost_usd", -1);
	const char *what = wisp_json_str(e, "summary", NULL), *status = wisp_json_str(e, "status", NULL);
	char *time = wisp_duration_text(measured >= 0 ? (wisp_ms)(measured * 1000) : from >= 0 && to >= from ? to - from : -1);
	struct wisp_buf line = WISP_BUF_INIT;

	wisp_buf_printf(&line, "  %6lld  %s ", wisp_json_int(e, "iteration", 0), wisp_json_str(e, "outcome", "-"));
	wisp_buf_printf(&line, status != NULL ? "%s, %s" : "(state %s), %s",
			status != NULL ? status : wisp_json_str(e, "state", "-"), time);
	if (cost >= 0)
		wisp_buf_printf(&line, ", $%.2f", cost);
	wisp_buf_printf(&line, ", verify %s: ", wisp_json_str(e, "verify", "none"));
	wisp_line_cut(out, &line, what != NULL ? what : wisp_json_str(e, "error", ""));
	free(time);
	put_differs(out, e);
}

static void
put_steps(struct wisp_buf *out, const struct cJSON *s)
{
	const struct cJSON *steps = wisp_json_get(s, "iterations"), *list = wisp_json_get(steps, "list"), *e, *o;
	size_t skip = wisp_json_len(list) > STEPS_SHOWN ? wisp_json_len(list) - STEPS_SHOWN : 0;
	struct wisp_buf line = WISP_BUF_INIT;
	bool first = true;

	wisp_buf_printf(&line, "%lld", wisp_json_int(steps, "count", 0));
	for (o = wisp_json_first(wisp_json_get(steps, "outcomes")); o != NULL; o = wisp_json_next(o), first = false)
		wisp_buf_printf(&line, "%s%.0f %s", first ? ": " : ", ", wisp_json_number(o, 0), wisp_json_key(o));
	wisp_line_wrapped(out, "steps", line.data);
	wisp_buf_release(&line);
	for (e = wisp_json_first(list); e != NULL; e = wisp_json_next(e))
		if (skip == 0)
			put_step(out, e);
		else
			skip--;
}

/* What was counted by name: those of the last times. */
static void
put_names(struct wisp_buf *out, const struct cJSON *s, const char *member, const char *label)
{
	const struct cJSON *list = wisp_json_get(s, member), *n;
	size_t skip = wisp_json_len(list) > NAMES_SHOWN ? wisp_json_len(list) - NAMES_SHOWN : 0;

	for (n = wisp_json_first(list); n != NULL; n = wisp_json_next(n)) {
		struct wisp_buf line = WISP_BUF_INIT;
		double times = wisp_json_num(n, "times", 1);

		if (skip > 0) {
			skip--;
			continue;
		}
		wisp_line_label(&line, label);
		label = "";
		wisp_buf_printf(&line, "in %lld", wisp_json_int(n, "iteration", 0));
		if (times > 1)
			wisp_buf_printf(&line, " (%.0f times)", times);
		wisp_buf_puts(&line, ": ");
		wisp_line_cut(out, &line, wisp_json_str(n, "name", "?"));
	}
}

/* Tasks that a change of the list took from it. */
static void
put_removed(struct wisp_buf *out, const struct cJSON *s)
{
	const struct cJSON *list = wisp_json_get(s, "removed"), *t;
	size_t n = wisp_json_len(list), skip = n > NAMES_SHOWN ? n - NAMES_SHOWN : 0;
	const char *label = "removed";

	for (t = wisp_json_first(list); t != NULL; t = wisp_json_next(t)) {
		struct wisp_buf line = WISP_BUF_INIT;

		if (skip > 0) {
			skip--;
			continue;
		}
		wisp_line_label(&line, label);
		label = "";
		wisp_line_cut(out, &line, wisp_json_str(t, "description", ""));
	}
}

static void
put_waited(struct wisp_buf *out, const struct cJSON *s)
{
	const struct cJSON *waits = wisp_json_get(s, "waits");
	double usage = wisp_json_num(waits, "usage", 0), hourly = wisp_json_num(waits, "hourly", 0);
	double money = wisp_json_num(waits, "money", 0);
	char *time = wisp_duration_text((wisp_ms)(wisp_json_num(waits, "seconds", 0) * 1000));

	if (usage + hourly + money > 0) {
		wisp_line_label(out, "waited");
		wisp_buf_printf(out, "%s: %.0f for a usage limit, %.0f for a new hour", time, usage, hourly);
		if (money > 0)
			wisp_buf_printf(out, ", %.0f for money", money);
		wisp_buf_putc(out, '\n');
	}
	free(time);
}

void
wisp_summary_text(struct wisp_buf *out, const struct wisp_record *r, const struct cJSON *summary, wisp_ms now)
{
	struct cJSON *status = wisp_status_of(r, now);

	put_head(out, summary);
	wisp_summary_put_phases(out, r, summary);
	put_tasks(out, summary);
	put_commits(out, summary);
	put_steps(out, summary);
	wisp_report_limits(out, r, status, now);
	put_waited(out, summary);
	put_names(out, summary, "tampered", "tampered");
	put_names(out, summary, "protected", "protected");
	put_names(out, summary, "claimed_differs", "claimed");
	if (wisp_json_bool(summary, "unverified", false))
		wisp_line_unverified(out, summary);
	wisp_line_cases(out, wisp_json_get(summary, "tests"), wisp_json_get(summary, "tests_removed"));
	put_removed(out, summary);
	wisp_report_divergence(out, wisp_json_get(summary, "divergence"));
	wisp_line_field(out, "where", wisp_json_str(summary, "worktree", NULL));
	wisp_status_confined(out, status);
	wisp_summary_shipped_text(out, summary);
	wisp_status_now(out, status);
	wisp_json_free(status);
}
