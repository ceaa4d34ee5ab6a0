/*
 * shown: see shown.h.
 */
#include "shown.h"

#include <stdlib.h>
#include <string.h>

#include "core/config.h"
#include "core/kinds.h"
#include "core/orchestra.h"
#include "core/phase.h"
#include "core/state.h"
#include "core/template.h"
#include "machine.h"

static void
look_at_tasks(const struct wisp_record *r, struct wisp_shown *s)
{
	char *path = wisp_record_dir_path(r, "tasks.json");
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_tasks t = {0};
	enum wisp_verdict v = wisp_tasks_load(&t, path, &err);

	if (v != WISP_VALID && v != WISP_MISSING)
		die_err(&err);
	s->passed = (long long)t.passed;
	s->total = (long long)t.count;
	s->percent = t.count == 0 ? 0 : (int)(100 * t.passed / t.count);
	wisp_tasks_release(&t);
	wisp_err_release(&err);
	free(path);
}

/* A pair of counts, if both are there. */
static bool
take_counts(struct wisp_shown *s, const struct cJSON *from, const char *passed, const char *total)
{
	long long n = wisp_json_int(from, passed, -1), of = wisp_json_int(from, total, -1);

	if (n < 0 || of < 0)
		return false;
	s->passed = n;
	s->total = of;
	return true;
}

/* In phases it is the tests that count: as they were judged last, else as the agent tells of them. */
static void
look_at_tests(const char *dir, struct wisp_shown *s)
{
	char *path = wisp_str("%s/state.json", dir);
	struct wisp_state st;
	bool valid = wisp_state_load(&st, path, NULL) == WISP_VALID;

	if (!take_counts(s, wisp_json_get(s->loop, "last"), "tests_passing", "tests_total") && valid &&
	    !take_counts(s, st.metrics, "tests_passing", "tests_total"))
		(void)take_counts(s, st.doc, "tests_passed", "tests_run");
	wisp_state_release(&st);
	free(path);
}

static void
look_at_phases(const struct wisp_cli *cli, struct wisp_shown *s)
{
	s->name = wisp_json_str(s->loop, "current_phase", "");
	s->iteration = wisp_json_int(s->loop, "current_iteration", 0);
	s->most = wisp_json_int(s->loop, "allowed", wisp_json_int(wisp_phase_now(s->machine, s->loop), "max_iterations",
								  WISP_PHASE_ITERATIONS));
	s->percent = wisp_phase_percent(s->machine, s->loop);
	look_at_tests(cli->place.dir, s);
}

static void
look_at_orchestra(const struct cJSON *state, struct wisp_shown *s)
{
	size_t total;

	s->name = wisp_json_str(state, "currentPhase", "");
	s->id = wisp_json_str(state, "orchestratorId", "");
	s->iteration = wisp_json_int(state, "currentLoop", 1);
	s->most = -1;
	s->passed = (long long)wisp_orchestra_systems(state, &total);
	s->total = (long long)total;
	s->percent = wisp_orchestra_percent(state);
}

/* What a loop state alone says of it: a handoff is there for whoever goes on. */
static const char *
status_of(const struct cJSON *state)
{
	if (strcmp(wisp_json_str(state, "currentPhase", ""), "COMPLETE") == 0)
		return "completed";
	return wisp_json_type(wisp_json_get(state, "sessionHandoff")) == WISP_T_OBJECT ? "paused" : "running";
}

static void
look_at_session(struct wisp_cli *cli, const struct wisp_record *r, const char *template, struct wisp_shown *s)
{
	const struct cJSON *session = wisp_json_get(r->doc, "session"), *loop = wisp_json_get(r->doc, "phases");

	s->status = wisp_json_str(session, "status", "paused");
	s->id = wisp_json_str(session, "session_id", "");
	s->spec = wisp_json_str(session, "spec", "none");
	if (wisp_orchestra_of(r) != NULL) {
		s->orchestra = wisp_json_copy(wisp_orchestra_of(r));
		look_at_orchestra(s->orchestra, s);
		return;
	}
	if (wisp_json_type(loop) == WISP_T_OBJECT) {
		s->loop = wisp_json_copy(loop);
		s->machine = wisp_machine_find(template, r->doc);
		s->spec = wisp_json_str(loop, "prp_file", s->spec);
		look_at_phases(cli, s);
		return;
	}
	s->name = wisp_json_str(session, "template", "default");
	s->iteration = wisp_json_int(session, "loop_count", 0);
	s->most = wisp_config_count(wisp_json_get(r->doc, "config"), "limits.maxIterations");
	look_at_tasks(r, s);
}

/* A loop state alone; dies where there is none, or it does not hold. */
static void
look_at_file(struct wisp_cli *cli, const char *template, struct wisp_shown *s)
{
	char *path = wisp_str("%s/loop-state.json", cli->place.dir);
	struct wisp_buf bytes = WISP_BUF_INIT;
	struct wisp_err err = WISP_ERR_INIT;
	enum wisp_verdict v = wisp_kind_read(wisp_kind_find("loop"), path, &bytes, &s->loop, &err);

	if (v == WISP_MISSING)
		wisp_cli_no_session(&cli->place);
	if (v != WISP_VALID)
		die_err(&err);
	wisp_buf_release(&bytes);
	free(path);
	if (wisp_orchestra_is(s->loop)) {
		s->orchestra = s->loop;
		s->loop = NULL;
		s->status = status_of(s->orchestra);
		look_at_orchestra(s->orchestra, s);
		return;
	}
	s->machine = wisp_machine_find(template, NULL);
	s->status = wisp_json_str(s->loop, "status", "");
	s->id = wisp_json_str(s->loop, "session_id", "");
	s->spec = wisp_json_str(s->loop, "prp_file", "");
	look_at_phases(cli, s);
}

void
wisp_shown_look(struct wisp_shown *s, struct wisp_cli *cli, const char *template)
{
	memset(s, 0, sizeof *s);
	s->open = wisp_cli_record(cli, &s->record, WISP_READ);
	if (s->open)
		look_at_session(cli, &s->record, template, s);
	else
		look_at_file(cli, template, s);
}

void
wisp_shown_release(struct wisp_shown *s)
{
	wisp_json_free(s->loop);
	wisp_json_free(s->machine);
	wisp_json_free(s->orchestra);
	if (s->open)
		wisp_record_release(&s->record);
}
