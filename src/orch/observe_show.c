/*
 * observe_show: what loop-state.json shows of a sub-agent, as observed.
 */
#include "observe.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/lines.h"
#include "core/time.h"

#define SUMMARY_MAX 200	/* characters of a summary, or a task, that are shown */

/* What verify has counted, last less first of the window. */
static double
tests_added(const struct wisp_record *of)
{
	double first = -1, last = 0, n;

	for (const struct cJSON *e = wisp_json_first(wisp_json_get(of->doc, "history")); e != NULL; e = wisp_json_next(e)) {
		n = wisp_json_num(wisp_json_get(e, "observed"), "tests_total", -1);
		if (n >= 0 && first < 0)
			first = n;
		if (n >= 0)
			last = n;
	}
	return first >= 0 && last > first ? last - first : 0;
}

/* SYSTEM=FILES,COMMITS, as git has counted them. */
static void
show_git(struct wisp_look *l, struct cJSON *metrics)
{
	size_t n = strlen(l->system);
	char *end = NULL;

	for (size_t i = 0; i < l->git->count; i++)
		if (strncmp(l->git->list[i], l->system, n) == 0 && l->git->list[i][n] == '=') {
			wisp_json_set_num(metrics, "filesModified", (double)strtol(l->git->list[i] + n + 1, &end, 10));
			if (*end == ',')
				wisp_json_set_num(metrics, "commitsCreated", (double)strtol(end + 1, NULL, 10));
		}
}

/* The last output or event, whichever is newer. */
static void
show_output(struct wisp_look *l)
{
	const char *name = wisp_json_str(wisp_json_get(l->of.doc, "step"), "name", NULL);
	wisp_ms beat = wisp_time_parse(wisp_json_str(l->session, "last_activity", "")), written;
	struct stat st;
	char *path, *text;

	if (name != NULL) {
		path = wisp_str("%s/steps/%s/output.log", l->of.place->dir, name);
		if (stat(path, &st) == 0) {
			written = (wisp_ms)st.st_mtime * 1000;
			beat = written > beat ? written : beat;
			wisp_json_set_str(l->agent, "outputFile", path);
		}
		free(path);
	}
	if (beat > 0) {
		text = wisp_time_iso(beat);
		wisp_json_set_str(l->agent, "lastHeartbeat", text);
		free(text);
	}
}

/* Its last summary; before there is one, the task that it has begun with. */
static void
show_progress(struct wisp_look *l, const char *summary)
{
	struct wisp_buf line = WISP_BUF_INIT;
	struct wisp_tasks tasks;

	wisp_buf_line(&line, summary, SUMMARY_MAX);
	if (line.len == 0 && wisp_record_good_tasks(&l->of, NULL, &tasks, NULL) == 0) {
		const struct wisp_task *next = wisp_tasks_next(&tasks);

		wisp_buf_line(&line, next != NULL ? next->description : "", SUMMARY_MAX);
		wisp_tasks_release(&tasks);
	}
	if (line.len > 0)
		wisp_json_set_str(l->agent, "progress", line.data);
	wisp_buf_release(&line);
}

void
wisp_look_show(struct wisp_look *l)
{
	const struct cJSON *history = wisp_json_get(l->of.doc, "history"), *last = NULL;
	struct cJSON *metrics = wisp_json_object_at(l->agent, "metrics");

	for (const struct cJSON *e = wisp_json_first(history); e != NULL; e = wisp_json_next(e))
		last = e;
	wisp_json_set_str(l->agent, "currentStage",
			  wisp_json_str(wisp_json_get(l->of.doc, "phases"), "current_phase", "IMPLEMENT"));
	show_progress(l, wisp_json_str(last, "summary", ""));
	show_git(l, metrics);
	wisp_json_set_num(metrics, "testsAdded", tests_added(&l->of));
	show_output(l);
}
