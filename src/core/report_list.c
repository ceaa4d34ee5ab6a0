/*
 * report_list: the lines of `wisp list`.
 */
#include "status.h"

#include <stdlib.h>
#include <string.h>

#include "session.h"

#define BRANCH_MAX 40	/* the column of branches grows to this */
#define TEXT_MAX 100	/* bytes of a question, a reason or a problem */

static int
branch_width(const struct cJSON *list)
{
	const struct cJSON *s;
	size_t len, width = 0;

	for (s = wisp_json_first(list); s != NULL; s = wisp_json_next(s)) {
		len = strlen(wisp_json_str(s, "branch", "-"));
		if (len > width)
			width = len;
	}
	return width < BRANCH_MAX ? (int)width : BRANCH_MAX;
}

static void
put_waiting(struct wisp_buf *out, const struct cJSON *waiting, wisp_ms now)
{
	wisp_ms until = wisp_time_parse(wisp_json_str(waiting, "until", NULL));
	char *clock = wisp_time_clock(until, now);

	if (wisp_status_untimed(waiting) != NULL)
		wisp_buf_printf(out, "waits for %s", wisp_status_untimed(waiting));
	else
		wisp_buf_printf(out, "waits for the %s%s until %s",
				strcmp(wisp_json_str(waiting, "for", ""), "usage") == 0 ? "usage limit" : "next hour of calls",
				wisp_status_whose(waiting), clock);
	free(clock);
}

void
wisp_status_note(struct wisp_buf *out, const struct cJSON *status, wisp_ms now)
{
	const struct cJSON *session = wisp_json_get(status, "session"), *question = wisp_json_get(status, "question");
	const struct cJSON *problem = wisp_json_get(status, "problem"), *waiting = wisp_json_get(status, "waiting");
	const struct cJSON *gate = wisp_json_first(wisp_json_get(wisp_json_get(status, "orchestration"), "gates"));
	const char *word = wisp_status_word(status);

	if (problem != NULL) {
		wisp_buf_line(out, wisp_json_str(problem, "text", ""), TEXT_MAX);
	} else if (wisp_json_str(status, "note", NULL) != NULL) {
		wisp_buf_line(out, wisp_json_str(status, "note", ""), TEXT_MAX);
	} else if (wisp_json_type(question) == WISP_T_OBJECT) {
		wisp_buf_puts(out, wisp_json_bool(question, "answered", false) ? "answered: " : "asks: ");
		wisp_buf_line(out, wisp_json_str(question, "question", ""), TEXT_MAX);
	} else if (gate != NULL) {
		wisp_status_gate(out, gate);
	} else if (waiting != NULL && strcmp(word, "halted") != 0) {
		put_waiting(out, waiting, now);
	} else if (strcmp(word, "paused") == 0) {
		wisp_buf_line(out, wisp_json_str(session, "pause_reason", ""), TEXT_MAX);
	} else if (strcmp(word, "halted") == 0) {
		wisp_buf_line(out, wisp_json_str(session, "halt_reason", ""), TEXT_MAX);
	}
}

/* Agents that worked for nothing are those that do not say what they cost. */
char *
wisp_status_cost(const struct cJSON *status)
{
	const struct cJSON *session = wisp_json_get(status, "session");
	double spent = wisp_session_total(session, "cost_usd");

	return spent <= 0 && wisp_session_total(session, "agent_calls") > 0 ? wisp_strdup("?") : wisp_str("%.2f", spent);
}

static void
put_counts(struct wisp_buf *out, const struct cJSON *status, wisp_ms now)
{
	const struct cJSON *session = wisp_json_get(status, "session"), *tasks = wisp_json_get(status, "tasks");
	wisp_ms last = wisp_time_parse(wisp_json_str(session, "last_activity", NULL));
	char *since = wisp_duration_text(last >= 0 && last <= now ? now - last : -1);
	const char *stands = wisp_json_str(status, "stands", NULL);
	char *count = stands != NULL ? wisp_strdup(stands)
		    : wisp_json_num(tasks, "passed", -1) < 0 ? wisp_strdup("tasks ?")
		    : wisp_str("tasks %lld/%lld", wisp_json_int(tasks, "passed", 0), wisp_json_int(tasks, "total", 0));
	char *cost = wisp_status_cost(status);

	wisp_buf_printf(out, "  iteration %-3lld  %-13s  $%-7s  %6s ago",
			wisp_json_int(session, "loop_count", 0), count, cost, since);
	free(cost);
	free(count);
	free(since);
}

static void
put_line(struct wisp_buf *out, const struct cJSON *status, int width, bool projects, wisp_ms now)
{
	const char *word = wisp_status_word(status), *branch = wisp_json_str(status, "branch", "-");
	const char *project = wisp_json_str(status, "project", NULL);
	struct wisp_buf note = WISP_BUF_INIT;

	wisp_buf_printf(out, "%-*s  %-9s", width, branch, word);
	if (strcmp(word, "broken") != 0)
		put_counts(out, status, now);
	wisp_status_note(&note, status, now);
	if (note.len > 0)
		wisp_buf_printf(out, "  %s", note.data);
	if (projects && project != NULL) {
		wisp_buf_puts(out, "  ");
		wisp_buf_line(out, project, TEXT_MAX);
	}
	wisp_buf_putc(out, '\n');
	wisp_buf_release(&note);
}

void
wisp_status_lines(struct wisp_buf *out, const struct cJSON *list, bool projects, wisp_ms now)
{
	const struct cJSON *s;
	int width = branch_width(list);

	for (s = wisp_json_first(list); s != NULL; s = wisp_json_next(s))
		put_line(out, s, width, projects, now);
}
