/*
 * block: see block.h. How it is printed, and its log; block_parse.c reads it.
 */
#include "block.h"

#include <stdlib.h>
#include <string.h>

#include "phase.h"
#include "time.h"

#define LOG_MAX ((size_t)1 << 20)	/* bytes of phase-status.log */
#define TEXT_MAX 500			/* bytes of a blocker or a recommendation */

/* A number, or the length of a list. */
static double
count_of(const struct cJSON *object, const char *key, double otherwise)
{
	const struct cJSON *v = wisp_json_get(object, key);

	return wisp_json_type(v) == WISP_T_ARRAY ? (double)wisp_json_len(v) : wisp_json_number(v, otherwise);
}

static void
put_count(struct wisp_buf *out, const char *name, double count)
{
	struct cJSON *n = wisp_json_double(count);

	wisp_buf_printf(out, "%s: ", name);
	wisp_json_print_compact(out, n);
	wisp_buf_putc(out, '\n');
	wisp_json_free(n);
}

static void
put_number(struct wisp_buf *out, const char *name, const struct cJSON *object, const char *key)
{
	put_count(out, name, count_of(object, key, 0));
}

/* `NAME: text` on one line, whatever the text holds. */
static void
put_text(struct wisp_buf *out, const char *name, const char *text)
{
	wisp_buf_printf(out, "%s ", name);
	wisp_buf_line(out, text != NULL && *text != '\0' ? text : "none", TEXT_MAX);
	wisp_buf_putc(out, '\n');
}

static void
put_truth(struct wisp_buf *out, const char *name, bool truth)
{
	wisp_buf_printf(out, "%s: %s\n", name, truth ? "true" : "false");
}

/* What the metrics do not say: state.json, then what was observed. */
static void
put_counts(struct wisp_buf *out, const struct wisp_block *b)
{
	double passing = count_of(b->metrics, "tests_passing", count_of(b->state, "tests_passed", 0));
	double failing = count_of(b->metrics, "tests_failing", 0);

	wisp_buf_puts(out, "\nTESTS:\n");
	put_count(out, "  TOTAL", count_of(b->metrics, "tests_total", count_of(b->state, "tests_run", passing + failing)));
	put_count(out, "  PASSING", passing);
	put_count(out, "  FAILING", failing);
	put_number(out, "  SKIPPED", b->metrics, "tests_skipped");
	wisp_buf_puts(out, "\nFILES:\n");
	put_number(out, "  CREATED", b->metrics, "files_created");
	put_count(out, "  MODIFIED", count_of(b->metrics, "files_modified",
					      count_of(b->state, "files_modified", (double)wisp_json_len(b->files))));
	put_number(out, "  DELETED", b->metrics, "files_deleted");
}

/* Why the loop stopped, then what the agent named itself. */
static void
put_blockers(struct wisp_buf *out, const struct wisp_block *b)
{
	const struct cJSON *own = wisp_json_first(b->blockers);

	wisp_buf_puts(out, "\nBLOCKERS:\n");
	if (b->blocker != NULL || own == NULL)
		put_text(out, "  -", b->blocker);
	for (; own != NULL; own = wisp_json_next(own))
		put_text(out, "  -", wisp_json_text(own, NULL));
	wisp_buf_putc(out, '\n');
}

static void
put_limits(struct wisp_buf *out, const struct cJSON *limits, bool limited)
{
	const struct cJSON *hourly = wisp_json_get(limits, "hourly"), *usage = wisp_json_get(limits, "usage");
	long long limit = wisp_json_int(hourly, "limit", -1);

	wisp_buf_printf(out, "\nRATE_LIMIT:\n  HOURLY: %lld/", wisp_json_int(hourly, "calls_made", 0));
	if (limit >= 0)
		wisp_buf_printf(out, "%lld\n", limit);
	else
		wisp_buf_puts(out, "none\n");
	wisp_buf_printf(out, "  5H_LIMIT: %s\n", limited || wisp_json_bool(usage, "waiting", false) ? "DETECTED" : "OK");
}

void
wisp_block_print(struct wisp_buf *out, const struct wisp_block *b)
{
	char *now = wisp_time_iso(wisp_time_now());
	bool complete = strcmp(b->status, "COMPLETE") == 0;

	wisp_buf_printf(out, "---PRP_PHASE_STATUS---\nTIMESTAMP: %s\n", now);
	put_text(out, "PHASE:", wisp_json_str(b->loop, "current_phase", NULL));
	put_text(out, "STATUS:", b->status);
	put_number(out, "ITERATION", b->loop, "current_iteration");
	/* The loop state is that of the iteration, in which its last phase was not yet completed. */
	wisp_buf_printf(out, "PROGRESS_PERCENT: %d\n", complete ? 100 : wisp_phase_percent(b->machine, b->loop));
	put_counts(out, b);
	wisp_buf_puts(out, "\nCIRCUIT_BREAKER:\n");
	put_text(out, "  STATE:", wisp_json_str(b->breaker, "state", "CLOSED"));
	put_number(out, "  NO_PROGRESS_COUNT", b->breaker, "no_progress_count");
	wisp_buf_puts(out, "\nDUAL_GATE:\n");
	put_truth(out, "  GATE_1", b->gate_1);
	put_truth(out, "  GATE_2", b->gate_2);
	put_truth(out, "  CAN_EXIT", b->gate_1 && b->gate_2);
	put_limits(out, b->limits, b->limited);
	put_blockers(out, b);
	put_truth(out, "EXIT_SIGNAL", b->gate_2);
	put_text(out, "RECOMMENDATION:", b->recommendation);
	wisp_buf_puts(out, "---END_PRP_PHASE_STATUS---\n");
	free(now);
}

int
wisp_block_log(const char *path, const struct wisp_buf *text)
{
	return wisp_file_log(path, text->data, text->len, LOG_MAX);
}
