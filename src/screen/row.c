/*
 * row: see row.h.
 */
#include "row.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/config.h"
#include "core/lines.h"
#include "core/orchestra.h"
#include "core/phase.h"

/* One line of `s`; NULL for nothing. */
static char *
line(const char *s)
{
	struct wisp_buf b = WISP_BUF_INIT;

	if (s == NULL || *s == '\0')
		return NULL;
	wisp_buf_line(&b, s, WISP_LINE_TEXT);
	return wisp_buf_detach(&b);
}

static int
percent_of(const struct wisp_row *row, const struct wisp_record *r)
{
	const struct cJSON *machine = wisp_json_get(r->doc, "machine"), *phases = wisp_json_get(r->doc, "phases");

	if (wisp_orchestra_of(r) != NULL)
		return wisp_orchestra_percent(wisp_orchestra_of(r));
	if (wisp_json_type(machine) == WISP_T_OBJECT && wisp_json_type(phases) == WISP_T_OBJECT)
		return wisp_phase_percent(machine, phases);
	return row->total > 0 ? (int)(100 * row->passed / row->total) : -1;
}

void
wisp_row_look(struct wisp_row *row)
{
	struct stat st;

	if (row->output != NULL && stat(row->output, &st) == 0 && (wisp_ms)st.st_mtime * 1000 > row->last)
		row->last = (wisp_ms)st.st_mtime * 1000;
}

/* What the record tells beside the status. */
static void
add_record(struct wisp_row *row, const struct wisp_record *r)
{
	const char *name = wisp_json_str(wisp_json_get(r->doc, "step"), "name", NULL);
	char *brief;

	row->most = wisp_config_count(wisp_json_get(r->doc, "config"), "limits.maxIterations");
	row->percent = percent_of(row, r);
	brief = wisp_report_phase_brief(r);
	if (brief != NULL) {
		free(row->tasks);
		row->tasks = brief;
	}
	if (row->alive && name != NULL)
		row->output = wisp_str("%s/steps/%s/output.log", r->place->dir, name);
	wisp_row_look(row);
}

void
wisp_row_fill(struct wisp_row *row, const struct wisp_place *place, const struct wisp_record *r,
	      const struct cJSON *status, wisp_ms now)
{
	const struct cJSON *session = wisp_json_get(status, "session"), *tasks = wisp_json_get(status, "tasks");
	const struct cJSON *question = wisp_json_get(status, "question");
	struct wisp_buf note = WISP_BUF_INIT;

	*row = (struct wisp_row){.most = -1, .percent = -1};
	row->home = wisp_strdup(place->home);
	row->shared = wisp_strdup(place->shared);
	row->dir = wisp_strdup(place->dir);
	row->branch = wisp_strdup(wisp_json_str(status, "branch", "-"));
	row->project = wisp_strdup(wisp_json_str(status, "project", NULL));
	row->stage = line(wisp_json_str(wisp_json_first(wisp_json_get(wisp_json_get(status, "orchestration"), "gates")), "id", NULL));
	row->parent = line(wisp_json_str(status, "parent", NULL));
	row->word = wisp_strdup(wisp_status_word(status));
	row->phase = line(wisp_json_str(status, "phase", NULL));
	row->cost = r != NULL ? wisp_status_cost(status) : NULL;
	wisp_status_note(&note, status, now);
	row->note = line(note.data);
	wisp_buf_release(&note);
	row->iteration = r != NULL ? wisp_json_int(session, "loop_count", 0) : -1;
	row->passed = wisp_json_int(tasks, "passed", -1);
	row->total = wisp_json_int(tasks, "total", -1);
	row->tasks = row->total >= 0 ? wisp_str("%lld/%lld", row->passed, row->total) : NULL;
	row->alive = wisp_json_bool(status, "alive", false);
	if (wisp_json_type(question) == WISP_T_OBJECT && !wisp_json_bool(question, "answered", false))
		row->question = wisp_strdup(wisp_json_str(question, "id", "-"));
	row->gate = row->question != NULL && wisp_json_get(question, "gate") != NULL;
	row->last = wisp_time_parse(wisp_json_str(session, "last_activity", NULL));
	if (r != NULL)
		add_record(row, r);
}

void
wisp_row_release(struct wisp_row *row)
{
	free(row->home);
	free(row->shared);
	free(row->dir);
	free(row->branch);
	free(row->project);
	free(row->word);
	free(row->phase);
	free(row->cost);
	free(row->tasks);
	free(row->parent);
	free(row->note);
	free(row->output);
	free(row->question);
	free(row->stage);
	*row = (struct wisp_row){0};
}

bool
wisp_row_waits(const struct wisp_row *row)
{
	return row->question != NULL || row->stage != NULL;
}

const char *
wisp_row_project(const struct wisp_row *row)
{
	const char *slash = row->project != NULL ? strrchr(row->project, '/') : NULL;

	return slash != NULL && slash[1] != '\0' ? slash + 1 : row->project != NULL ? row->project : "-";
}

void
wisp_row_say(struct wisp_buf *out, const struct wisp_row *row)
{
	wisp_buf_puts(out, row->word);
	if (row->phase != NULL)
		wisp_buf_printf(out, ", phase %s", row->phase);
	if (row->iteration >= 0)
		wisp_buf_printf(out, ", iteration %lld", row->iteration);
	if (row->iteration >= 0 && row->most >= 0)
		wisp_buf_printf(out, " of %lld", row->most);
	if (row->total > 0)
		wisp_buf_printf(out, ", tasks %lld/%lld", row->passed, row->total);
	if (row->cost != NULL)
		wisp_buf_printf(out, ", $%s", row->cost);
	if (row->note != NULL)
		wisp_buf_printf(out, "; %s", row->note);
}
