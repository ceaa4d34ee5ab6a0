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

/* `  NAME: N`: a number, the length of a list, else 0. */
static void
put_number(struct wisp_buf *out, const char *name, const struct cJSON *object, const char *key)
{
	const struct cJSON *v = wisp_json_get(object, key);
	struct cJSON *n = wisp_json_double(wisp_json_type(v) == WISP_T_ARRAY ? (double)wisp_json_len(v)
									      : wisp_json_number(v, 0));

	wisp_buf_printf(out, "%s: ", name);
	wisp_json_print_compact(out, n);
	wisp_buf_putc(out, '\n');
	wisp_json_free(n);
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

static void
put_limits(struct wisp_buf *out, const struct cJSON *limits)
{
	const struct cJSON *hourly = wisp_json_get(limits, "hourly"), *usage = wisp_json_get(limits, "usage");
	long long limit = wisp_json_int(hourly, "limit", -1);

	wisp_buf_printf(out, "\nRATE_LIMIT:\n  HOURLY: %lld/", wisp_json_int(hourly, "calls_made", 0));
	if (limit >= 0)
		wisp_buf_printf(out, "%lld\n", limit);
	else
		wisp_buf_puts(out, "none\n");
	wisp_buf_printf(out, "  5H_LIMIT: %s\n", wisp_json_bool(usage, "waiting", false) ? "DETECTED" : "OK");
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
	wisp_buf_puts(out, "\nTESTS:\n");
	put_number(out, "  TOTAL", b->metrics, "tests_total");
	put_number(out, "  PASSING", b->metrics, "tests_passing");
	put_number(out, "  FAILING", b->metrics, "tests_failing");
	put_number(out, "  SKIPPED", b->metrics, "tests_skipped");
	wisp_buf_puts(out, "\nFILES:\n");
	put_number(out, "  CREATED", b->metrics, "files_created");
	put_number(out, "  MODIFIED", b->metrics, "files_modified");
	put_number(out, "  DELETED", b->metrics, "files_deleted");
	wisp_buf_puts(out, "\nCIRCUIT_BREAKER:\n");
	put_text(out, "  STATE:", wisp_json_str(b->breaker, "state", "CLOSED"));
	put_number(out, "  NO_PROGRESS_COUNT", b->breaker, "no_progress_count");
	wisp_buf_puts(out, "\nDUAL_GATE:\n");
	put_truth(out, "  GATE_1", b->gate_1);
	put_truth(out, "  GATE_2", b->gate_2);
	put_truth(out, "  CAN_EXIT", b->gate_1 && b->gate_2);
	put_limits(out, b->limits);
	wisp_buf_puts(out, "\nBLOCKERS:\n");
	put_text(out, "  -", b->blocker);
	wisp_buf_putc(out, '\n');
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
