/*
 * phase: see phase.h.
 */
#include "phase.h"

#include <stdint.h>

#include "core/phase.h"
#include "core/quote.h"
#include "core/template.h"

#define METRICS_MAX ((size_t)4 << 10)

static void
add_quoted(struct wisp_buf *out, const char *heading, const char *text, size_t max)
{
	if (text == NULL || *text == '\0')
		return;
	wisp_buf_printf(out, "\n%s\n\n", heading);
	wisp_quote(out, text, max, false);
}

static void
add_metrics(struct wisp_buf *out, const struct cJSON *last)
{
	struct wisp_buf text = WISP_BUF_INIT;

	if (wisp_json_len(last) == 0)
		return;
	wisp_json_print(&text, last);
	add_quoted(out, "The metrics of the iteration before:", text.data, METRICS_MAX);
	wisp_buf_release(&text);
}

/* The REJECTs since a person's answer or an APPROVE, the last of them in words. */
static void
add_rejects(struct wisp_buf *out, const struct cJSON *machine, const struct cJSON *loop)
{
	const char *reviewer = wisp_json_str(wisp_json_get(machine, "reject"), "phase", "");
	const struct cJSON *past = wisp_json_get(wisp_json_get(loop, "phase_history"), reviewer), *last = NULL;
	long long attempts = wisp_json_int(loop, "qa_attempts", 0);

	for (const struct cJSON *e = wisp_json_first(wisp_json_get(past, "rejections")); e != NULL; e = wisp_json_next(e))
		last = e;
	if (attempts < 1 || last == NULL)
		return;
	wisp_buf_puts(out, "\n");
	wisp_buf_line(out, reviewer, SIZE_MAX);
	wisp_buf_printf(out, " has rejected the work %lld of at most %lld times.\n", attempts,
			wisp_json_int(wisp_json_get(machine, "reject"), "max", 3));
	add_quoted(out, "The last time it said:", wisp_json_str(last, "reason", NULL), METRICS_MAX);
}

void
wisp_prompt_phase(struct wisp_buf *out, const struct wisp_record *r)
{
	const struct cJSON *machine = wisp_json_get(r->doc, "machine"), *loop = wisp_json_get(r->doc, "phases");
	const struct cJSON *now;

	if (wisp_json_type(machine) != WISP_T_OBJECT)
		return;
	now = wisp_phase_now(machine, loop);
	wisp_buf_puts(out, "\n## The phase\n\nPhase ");
	wisp_buf_line(out, wisp_json_str(loop, "current_phase", "?"), SIZE_MAX);
	wisp_buf_printf(out, ", iteration %lld in it of at most %lld.\n", wisp_json_int(loop, "current_iteration", 0) + 1,
			wisp_json_int(loop, "allowed", WISP_PHASE_ITERATIONS));
	wisp_buf_puts(out, "Session ");
	wisp_buf_line(out, wisp_json_str(loop, "session_id", "?"), SIZE_MAX);
	wisp_buf_puts(out, ", PRP file ");
	wisp_buf_line(out, wisp_json_str(loop, "prp_file", "none"), SIZE_MAX);
	wisp_buf_puts(out, ".\n");
	add_quoted(out, "It is over when you set `exit_signal` to true and this jq filter holds, in which `.metrics` is what\n"
		   "you report in the state file and what wisp observes:", wisp_json_str(now, "gate", NULL), METRICS_MAX);
	add_metrics(out, wisp_json_get(loop, "last"));
	add_rejects(out, machine, loop);
}
