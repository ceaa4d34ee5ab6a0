/*
 * report_phase: where a session stands in its phases, and its circuit breaker.
 */
#include "status.h"

#include <string.h>

#include "lines.h"
#include "orchestra.h"
#include "phase.h"
#include "template.h"

/* What one phase has used, of what it may use; resumes have granted more. False for a session without phases. */
static bool
find(const struct wisp_record *r, const char **name, long long *used, long long *most)
{
	const struct cJSON *loop = wisp_json_get(r->doc, "phases"), *machine = wisp_json_get(r->doc, "machine");

	*name = wisp_json_str(loop, "current_phase", NULL);
	*used = wisp_json_int(loop, "current_iteration", 0);
	*most = wisp_json_int(loop, "allowed",
			      wisp_json_int(wisp_phase_now(machine, loop), "max_iterations", WISP_PHASE_ITERATIONS));
	return *name != NULL;
}

static int
percent(const struct wisp_record *r)
{
	return wisp_phase_percent(wisp_json_get(r->doc, "machine"), wisp_json_get(r->doc, "phases"));
}

/* The breaker's state, NULL where there is nothing to be said of it. */
static const char *
tripped(const struct wisp_record *r)
{
	const char *state = wisp_json_str(wisp_json_get(r->doc, "breaker"), "state", "CLOSED");

	return strcmp(state, "CLOSED") != 0 ? state : NULL;
}

static void
put_breaker(struct wisp_buf *out, const struct wisp_record *r)
{
	const struct cJSON *breaker = wisp_json_get(r->doc, "breaker");
	const char *state = tripped(r), *why = wisp_json_str(breaker, "open_reason", NULL);
	long long n = wisp_json_int(breaker, "no_progress_count", 0);
	struct wisp_buf line = WISP_BUF_INIT;

	if (state == NULL)
		return;
	wisp_buf_puts(&line, state);
	if (why != NULL)
		wisp_buf_printf(&line, ": %s", why);
	else if (n > 0)
		wisp_buf_printf(&line, ": %lld iteration%s without progress", n, n == 1 ? "" : "s");
	wisp_line_field(out, "breaker", line.data);
	wisp_buf_release(&line);
}

void
wisp_report_phase(struct wisp_buf *out, const struct wisp_record *r)
{
	struct wisp_buf line = WISP_BUF_INIT;
	long long used, most;
	const char *name;

	if (find(r, &name, &used, &most)) {
		wisp_buf_line(&line, name, WISP_LINE_NAMES);
		wisp_buf_printf(&line, ", %lld of %lld iterations, %d%% of the whole", used, most, percent(r));
		wisp_line_field(out, "phase", line.data);
	}
	wisp_buf_release(&line);
	put_breaker(out, r);
}

bool
wisp_report_phase_line(struct wisp_buf *out, const struct wisp_record *r)
{
	const struct cJSON *last = wisp_json_get(wisp_json_get(r->doc, "phases"), "last");
	const char *stage = wisp_json_str(wisp_json_get(r->doc, "step"), "stage", "recorded");
	long long used, most;
	const char *name;

	if (!find(r, &name, &used, &most))
		return false;
	wisp_buf_putc(out, '[');
	wisp_buf_line(out, name, WISP_LINE_NAMES);
	wisp_buf_printf(out, "] Iteration %lld/%lld | %lld/%lld tests passing | Status: %s",
			used + (strcmp(stage, "recorded") != 0), most, wisp_json_int(last, "tests_passing", 0),
			wisp_json_int(last, "tests_total", 0),
			wisp_json_str(wisp_json_get(r->doc, "session"), "status", "paused"));
	return true;
}

char *
wisp_report_phase_brief(const struct wisp_record *r)
{
	const struct cJSON *orchestra = wisp_orchestra_of(r);
	struct wisp_buf line = WISP_BUF_INIT;
	size_t merged, total = 0;
	long long used, most;
	const char *name;

	if (orchestra != NULL) {
		merged = wisp_orchestra_systems(orchestra, &total);
		return wisp_str("%s %zu/%zu", wisp_json_str(orchestra, "currentPhase", ""), merged, total);
	}
	if (!find(r, &name, &used, &most))
		return NULL;
	wisp_buf_line(&line, name, WISP_LINE_NAMES);
	wisp_buf_printf(&line, " %lld/%lld", used, most);
	if (tripped(r) != NULL)
		wisp_buf_printf(&line, " %s", tripped(r));
	return wisp_buf_detach(&line);
}
