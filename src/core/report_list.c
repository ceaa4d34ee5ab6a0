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
put_note(struct wisp_buf *out, const char *before, const char *text)
{
	if (text == NULL || *text == '\0')
		return;
	wisp_buf_printf(out, "  %s", before);
	wisp_buf_line(out, text, TEXT_MAX);
}

static void
put_counts(struct wisp_buf *out, const struct cJSON *status, wisp_ms now)
{
	const struct cJSON *session = wisp_json_get(status, "session"), *tasks = wisp_json_get(status, "tasks");
	wisp_ms last = wisp_time_parse(wisp_json_str(session, "last_activity", NULL));
	char *since = wisp_duration_text(last >= 0 && last <= now ? now - last : -1);
	char *count = wisp_json_num(tasks, "passed", -1) < 0 ? wisp_strdup("?")
		    : wisp_str("%lld/%lld", wisp_json_int(tasks, "passed", 0), wisp_json_int(tasks, "total", 0));
	double spent = wisp_session_total(session, "cost_usd");
	/* Agents that worked for nothing are those that do not say what they cost. */
	char *cost = spent <= 0 && wisp_session_total(session, "agent_calls") > 0 ? wisp_strdup("?") : wisp_str("%.2f", spent);

	wisp_buf_printf(out, "  iteration %-3lld  tasks %-7s  $%-7s  %6s ago",
			wisp_json_int(session, "loop_count", 0), count, cost, since);
	free(cost);
	free(count);
	free(since);
}

static void
put_line(struct wisp_buf *out, const struct cJSON *status, int width, bool projects, wisp_ms now)
{
	const struct cJSON *session = wisp_json_get(status, "session"), *question = wisp_json_get(status, "question");
	const struct cJSON *problem = wisp_json_get(status, "problem");
	const char *word = wisp_status_word(status), *branch = wisp_json_str(status, "branch", "-");

	wisp_buf_printf(out, "%-*s  %-9s", width, branch, word);
	if (strcmp(word, "broken") != 0)
		put_counts(out, status, now);
	if (problem != NULL)
		put_note(out, "", wisp_json_str(problem, "text", NULL));
	else if (wisp_json_type(question) == WISP_T_OBJECT)
		put_note(out, "asks: ", wisp_json_str(question, "question", NULL));
	else if (strcmp(word, "paused") == 0)
		put_note(out, "", wisp_json_str(session, "pause_reason", NULL));
	else if (strcmp(word, "halted") == 0)
		put_note(out, "", wisp_json_str(session, "halt_reason", NULL));
	if (projects)
		put_note(out, "", wisp_json_str(status, "project", NULL));
	wisp_buf_putc(out, '\n');
}

void
wisp_status_lines(struct wisp_buf *out, const struct cJSON *list, bool projects, wisp_ms now)
{
	const struct cJSON *s;
	int width = branch_width(list);

	for (s = wisp_json_first(list); s != NULL; s = wisp_json_next(s))
		put_line(out, s, width, projects, now);
}
