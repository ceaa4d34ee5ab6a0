/*
 * summary_phases: the phases of a session in the report at its end, for programs
 * and for people.
 *
 *	  phases    70% done, 1 of 3 rejections, GREEN by sonnet
 *	     RED       completed, 1 iteration: Dual-Gate satisfied
 *	     GREEN     current, 2 iterations
 */
#include <string.h>

#include "core/lines.h"
#include "core/phase.h"
#include "summary.h"

#define NAME_WIDTH 24
#define PHASES_SHOWN 10

/* A phase that is current counts as its history does; one of an older loop state has no count there. */
static double
iterations(const struct cJSON *loop, const struct cJSON *past, bool now)
{
	double n = wisp_json_num(past, "iterations", 0), current = wisp_json_num(loop, "current_iteration", 0);

	return now && current > n ? current : n;
}

static struct cJSON *
phase_of(const struct cJSON *loop, const char *name)
{
	const struct cJSON *past = wisp_json_get(wisp_json_get(loop, "phase_history"), name);
	const struct cJSON *rejections = wisp_json_get(past, "rejections");
	bool done = wisp_phase_done(loop, name), now = !done && strcmp(name, wisp_json_str(loop, "current_phase", "")) == 0;
	struct cJSON *phase = wisp_json_object();

	wisp_json_set_str(phase, "phase", name);
	wisp_json_set_str(phase, "status", done ? "completed" : now ? "current" : "open");
	wisp_json_set_num(phase, "iterations", iterations(loop, past, now));
	wisp_json_set_str(phase, "reason", wisp_json_str(past, "exit_reason", NULL));
	wisp_json_set(phase, "rejections", rejections != NULL ? wisp_json_copy(rejections) : wisp_json_array());
	return phase;
}

struct cJSON *
wisp_summary_phases(const struct wisp_record *r)
{
	const struct cJSON *loop = wisp_json_get(r->doc, "phases"), *machine = wisp_json_get(r->doc, "machine");
	struct cJSON *phases, *list;

	if (wisp_json_type(loop) != WISP_T_OBJECT)
		return wisp_json_null();
	phases = wisp_json_object();
	wisp_json_set_str(phases, "current", wisp_json_str(loop, "current_phase", NULL));
	wisp_json_set_num(phases, "percent", wisp_phase_percent(machine, loop));
	wisp_json_set_num(phases, "qa_attempts", wisp_json_num(loop, "qa_attempts", 0));
	wisp_json_set_str(phases, "green_model", wisp_json_str(loop, "green_model", NULL));
	list = wisp_json_array_at(phases, "list");
	for (const struct cJSON *p = wisp_json_first(wisp_json_get(machine, "phases")); p != NULL; p = wisp_json_next(p))
		wisp_json_push(list, phase_of(loop, wisp_json_str(p, "name", "?")));
	return phases;
}

static void
put_phase(struct wisp_buf *out, const struct cJSON *p, int width)
{
	long long n = wisp_json_int(p, "iterations", 0);
	struct wisp_buf line = WISP_BUF_INIT, name = WISP_BUF_INIT;
	const char *reason = wisp_json_str(p, "reason", NULL);

	wisp_buf_line(&name, wisp_json_str(p, "phase", "?"), NAME_WIDTH);
	wisp_buf_printf(&line, "     %-*s  %s", width, name.data != NULL ? name.data : "", wisp_json_str(p, "status", "-"));
	if (n > 0)
		wisp_buf_printf(&line, ", %lld iteration%s", n, n == 1 ? "" : "s");
	if (reason != NULL)
		wisp_buf_puts(&line, ": ");
	wisp_line_cut(out, &line, reason != NULL ? reason : "");
	wisp_buf_release(&name);
}

/* The line of the whole. */
static void
put_whole(struct wisp_buf *out, const struct wisp_record *r, const struct cJSON *phases)
{
	const struct cJSON *reject = wisp_json_get(wisp_json_get(r->doc, "machine"), "reject");
	const char *model = wisp_json_str(phases, "green_model", NULL);
	long long attempts = wisp_json_int(phases, "qa_attempts", 0);
	struct wisp_buf line = WISP_BUF_INIT;

	wisp_buf_printf(&line, "%lld%% done", wisp_json_int(phases, "percent", 0));
	if (attempts > 0)
		wisp_buf_printf(&line, ", %lld of %lld rejections", attempts, wisp_json_int(reject, "max", 0));
	if (model != NULL)
		wisp_buf_printf(&line, ", %s by %s", wisp_json_str(reject, "goto", "implemented"), model);
	wisp_line_wrapped(out, "phases", line.data);
	wisp_buf_release(&line);
}

void
wisp_summary_put_phases(struct wisp_buf *out, const struct wisp_record *r, const struct cJSON *summary)
{
	const struct cJSON *phases = wisp_json_get(summary, "phases"), *list = wisp_json_get(phases, "list"), *p;
	size_t width = 0, len, shown = 0;

	if (wisp_json_type(phases) != WISP_T_OBJECT)
		return;
	put_whole(out, r, phases);
	for (p = wisp_json_first(list); p != NULL; p = wisp_json_next(p)) {
		len = strlen(wisp_json_str(p, "phase", "?"));
		width = len > width ? len : width;
	}
	for (p = wisp_json_first(list); p != NULL && shown < PHASES_SHOWN; p = wisp_json_next(p), shown++)
		put_phase(out, p, width < NAME_WIDTH ? (int)width : NAME_WIDTH);
	if (wisp_json_len(list) > shown)
		wisp_buf_printf(out, "     ... %zu more\n", wisp_json_len(list) - shown);
}
