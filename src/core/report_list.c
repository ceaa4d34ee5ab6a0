/*
 * report_list: what a list says of a session beside its counts.
 */
#include "status.h"

#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "session.h"

static void
put_waiting(struct wisp_buf *out, const struct cJSON *waiting, wisp_ms now)
{
	wisp_ms until = wisp_time_parse(wisp_json_str(waiting, "until", NULL));
	char *clock = wisp_time_clock(until, now);

	if (wisp_status_untimed(waiting) != NULL)
		wisp_buf_printf(out, "waits for %s", wisp_status_untimed(waiting));
	else
		wisp_buf_printf(out, "waits for the %s%s until %s", wisp_status_timed(waiting), wisp_status_whose(waiting), clock);
	free(clock);
}

void
wisp_status_confined(struct wisp_buf *out, const struct cJSON *status)
{
	const char *by = wisp_json_str(status, "sandbox", NULL);

	if (by != NULL)
		wisp_line_field(out, "confined", strcmp(by, "off") == 0 ? "not at all: the sandbox is off" : by);
}

void
wisp_status_note(struct wisp_buf *out, const struct cJSON *status, wisp_ms now)
{
	const struct cJSON *session = wisp_json_get(status, "session"), *question = wisp_json_get(status, "question");
	const struct cJSON *problem = wisp_json_get(status, "problem"), *waiting = wisp_json_get(status, "waiting");
	const struct cJSON *gate = wisp_json_first(wisp_json_get(wisp_json_get(status, "orchestration"), "gates"));
	const char *word = wisp_status_word(status);

	if (problem != NULL) {
		wisp_buf_line(out, wisp_json_str(problem, "text", ""), WISP_LINE_TEXT);
	} else if (wisp_json_str(status, "note", NULL) != NULL) {
		wisp_buf_line(out, wisp_json_str(status, "note", ""), WISP_LINE_TEXT);
	} else if (wisp_json_type(question) == WISP_T_OBJECT) {
		wisp_buf_puts(out, wisp_json_bool(question, "answered", false) ? "answered: " : "asks: ");
		wisp_buf_line(out, wisp_json_str(question, "question", ""), WISP_LINE_TEXT);
	} else if (gate != NULL) {
		wisp_status_gate(out, gate);
	} else if (waiting != NULL && strcmp(word, "halted") != 0) {
		put_waiting(out, waiting, now);
	} else if (strcmp(word, "paused") == 0) {
		wisp_buf_line(out, wisp_json_str(session, "pause_reason", ""), WISP_LINE_TEXT);
	} else if (strcmp(word, "halted") == 0) {
		wisp_buf_line(out, wisp_json_str(session, "halt_reason", ""), WISP_LINE_TEXT);
	}
}

char *
wisp_status_cost(const struct cJSON *status)
{
	double spent = wisp_session_total(wisp_json_get(status, "session"), "cost_usd");

	return wisp_json_bool(status, "cost_known", true) ? wisp_str("%.2f", spent) : NULL;
}
