/*
 * log: see log.h.
 */
#include "log.h"

#include <stdlib.h>

#include "lines.h"
#include "time.h"

/* The folder of the last attempt at an iteration, or NULL if it was removed. */
static char *
step_dir(const struct wisp_record *r, long long iteration)
{
	char *name = wisp_str("steps/%04lld", iteration), *dir = wisp_record_dir_path(r, name), *found = NULL;
	int attempt = 1;

	while (wisp_file_exists(dir)) {
		free(found);
		found = dir;
		dir = wisp_str("%s/%s.%d", r->place->dir, name, ++attempt);
	}
	free(dir);
	free(name);
	return found;
}

struct cJSON *
wisp_log_entries(const struct wisp_record *r, long long most, long long after)
{
	struct cJSON *log = wisp_json_copy(wisp_json_get(r->doc, "history")), *e;
	long long skip;
	char *dir;

	if (log == NULL)
		log = wisp_json_array();
	for (skip = (long long)wisp_json_len(log) - most; most >= 0 && skip > 0; skip--)
		wisp_json_shift(log);
	while ((e = wisp_json_first(log)) != NULL && wisp_json_int(e, "iteration", 0) <= after)
		wisp_json_shift(log);
	for (e = wisp_json_first(log); e != NULL; e = wisp_json_next(e)) {
		dir = step_dir(r, wisp_json_int(e, "iteration", 0));
		wisp_json_set_str(e, "dir", dir);
		free(dir);
	}
	return log;
}

void
wisp_log_head(struct wisp_buf *out, const struct cJSON *entry)
{
	wisp_ms from = wisp_time_parse(wisp_json_str(entry, "started_at", NULL));
	wisp_ms to = wisp_time_parse(wisp_json_str(entry, "ended_at", NULL));
	const char *status = wisp_json_str(entry, "status", NULL), *phase = wisp_json_str(entry, "phase", NULL);
	char *lasted = wisp_duration_text(from >= 0 && to >= from ? to - from : -1);

	wisp_buf_printf(out, "iteration %lld", wisp_json_int(entry, "iteration", 0));
	if (phase != NULL)
		wisp_buf_printf(out, " (%s)", phase);
	wisp_buf_printf(out, "  %s, %s: %s", wisp_json_str(entry, "started_at", "-"), lasted,
			wisp_json_str(entry, "outcome", "-"));
	if (status != NULL)
		wisp_buf_printf(out, ", %s", status);
	else
		wisp_buf_printf(out, ", state.json %s", wisp_json_str(entry, "state", "-"));
	wisp_buf_putc(out, '\n');
	free(lasted);
}

void
wisp_log_body(struct wisp_buf *out, const struct cJSON *entry)
{
	const struct cJSON *files = wisp_json_get(entry, "files"), *tampered = wisp_json_get(entry, "tampered");
	double cost = wisp_json_num(entry, "cost_usd", -1);

	wisp_line_field(out, "summary", wisp_json_str(entry, "summary", NULL));
	wisp_line_field(out, "error", wisp_json_str(entry, "error", NULL));
	/* With phases there may be no list. */
	if (wisp_json_num(entry, "tasks_total", 1) > 0) {
		wisp_line_label(out, "tasks");
		wisp_line_number(out, wisp_json_get(entry, "tasks_passed"));
		wisp_buf_puts(out, " of ");
		wisp_line_number(out, wisp_json_get(entry, "tasks_total"));
		wisp_buf_puts(out, " pass\n");
	}
	wisp_line_field(out, "verify", wisp_json_str(entry, "verify", NULL));
	if (cost >= 0) {
		wisp_line_label(out, "cost");
		wisp_buf_printf(out, "$%.2f\n", cost);
	}
	if (wisp_json_len(files) > 0) {
		wisp_line_label(out, "files");
		wisp_line_names(out, files);
	}
	if (wisp_json_len(tampered) > 0) {
		wisp_line_label(out, "tampered");
		wisp_line_names(out, tampered);
	}
	wisp_line_observed(out, entry);
	wisp_line_field(out, "step", wisp_json_str(entry, "dir", NULL));
}
