/*
 * turn_observe: what verify.metrics printed, over the tests that verify said (turn_tests.c). What became of the numbers
 * afterwards is turn_compare.c's.
 */
#include "turn_compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "counts.h"

/* What is printed beside a metric that holds is not lost with it: several notes make one. */
static void
note(struct wisp_buf *notes, const char *about, const char *text)
{
	wisp_buf_printf(notes, "%s%s: %s", notes->len > 0 ? "; " : "", about, text);
}

/* How the command ended. Test programs exit with 1 where a test fails: that is an answer, being cut off is none. */
static struct cJSON *
load_ending(const char *file, bool *ended)
{
	char *path = wisp_str("%s.json", file);
	struct cJSON *result = NULL;
	const char *outcome;

	if (wisp_json_load(path, &result, NULL) != WISP_VALID)
		result = NULL;
	outcome = wisp_json_str(result, "outcome", "");
	*ended = strcmp(outcome, "ok") == 0 || strcmp(outcome, "error") == 0;
	free(path);
	return result;
}

/* A number of tests is a whole one; anything else is not observed, but made up. */
static void
drop_bad_counts(struct cJSON *metrics, struct wisp_buf *notes)
{
	char *text;

	for (size_t i = 0; i < WISP_TURN_COUNTS; i++) {
		const char *name = wisp_turn_counts[i];

		if (wisp_json_get(metrics, name) == NULL || wisp_json_int(metrics, name, -1) >= 0)
			continue;
		text = wisp_str("%s: expected a whole number from 0", name);
		note(notes, "verify.metrics", text);
		wisp_json_drop(metrics, name);
		free(text);
	}
}

static struct cJSON *
parse(const char *file, struct wisp_err *why)
{
	struct wisp_buf b = WISP_BUF_INIT;
	struct cJSON *metrics = NULL;

	if (wisp_file_read(file, WISP_FILE_MAX, &b) != 0)
		(void)wisp_err_set(why, NULL, 0, 0, "its output cannot be read: %s", strerror(errno));
	else
		metrics = wisp_counts_metrics(b.data != NULL ? b.data : "", b.len, why);
	wisp_buf_release(&b);
	return metrics;
}

/* What the command printed, over what is there. */
static void
read_metrics(const char *file, struct cJSON *observed, struct wisp_buf *notes)
{
	struct wisp_err why = WISP_ERR_INIT;
	bool ended;
	struct cJSON *result = load_ending(file, &ended), *metrics = ended ? parse(file, &why) : NULL;
	const char *reason = wisp_json_str(result, "reason", "");
	char *text = NULL;

	if (metrics != NULL) {
		drop_bad_counts(metrics, notes);
	} else if (ended) {
		/* Why it failed is of interest, too, where it did. */
		text = wisp_err_string(&why);
		note(notes, "verify.metrics", text);
		wisp_buf_printf(notes, reason[0] != '\0' ? " (%s)" : "%s", reason);
	} else {
		text = wisp_str("it gave none: %s", reason[0] != '\0' ? reason : "it was cut off");
		note(notes, "verify.metrics", text);
	}
	for (const struct cJSON *m = wisp_json_first(metrics); m != NULL; m = wisp_json_next(m))
		wisp_json_set(observed, wisp_json_key(m), wisp_json_copy(m));
	free(text);
	wisp_err_release(&why);
	wisp_json_free(metrics);
	wisp_json_free(result);
}

int
wisp_turn_observed(struct wisp_record *r, const char *metrics, struct cJSON *answer, struct wisp_err *err)
{
	struct cJSON *step = wisp_turn_step(r), *observed;
	const char *stage = wisp_json_str(step, "stage", "recorded");
	struct wisp_buf notes = WISP_BUF_INIT;

	if (strcmp(stage, "ran") != 0 && strcmp(stage, "verified") != 0)
		return wisp_err_set(err, r->home, 0, 0, "no step is open that ran");
	observed = wisp_json_get(step, "observed") != NULL ? wisp_json_copy(wisp_json_get(step, "observed")) : wisp_json_object();
	wisp_buf_puts(&notes, wisp_json_str(step, "observed_note", ""));
	read_metrics(metrics, observed, &notes);
	if (wisp_json_len(observed) > 0)
		wisp_json_set(step, "observed", wisp_json_copy(observed));
	else
		wisp_json_drop(step, "observed");
	wisp_json_set_str(step, "observed_note", notes.data);
	wisp_json_set_str(answer, "note", notes.data);
	wisp_json_free(observed);
	wisp_buf_release(&notes);
	if (wisp_turn_due(r, WISP_DUE_METRICS, answer) != 0)
		return -1;
	return wisp_record_save(r);
}
