/*
 * show: a session's progress, its status line and its box; with phases, where
 * the session has a loop-state.json, else by its tasks.
 */
#include "verb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/config.h"
#include "core/state.h"
#include "box.h"
#include "phases.h"

struct shown {
	const char *name;		/* of the phase, or of the template */
	const struct cJSON *loop;	/* NULL: no phases */
	struct cJSON *phases;
	long long passed, total, iteration, most;
	int percent;
	const char *status, *id, *spec;
};

static void
look_at_tasks(const struct wisp_record *r, struct shown *s)
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

/* In phases it is the tests that count, as the agent told of them last. */
static void
look_at_tests(const struct wisp_record *r, struct shown *s)
{
	char *path = wisp_record_dir_path(r, "state.json");
	struct wisp_state st;

	if (wisp_state_load(&st, path, NULL) == WISP_VALID) {
		s->passed = wisp_json_int(st.doc, "tests_passed", 0);
		s->total = wisp_json_int(st.doc, "tests_run", 0);
	}
	wisp_state_release(&st);
	free(path);
}

static const struct cJSON *
current_phase(const struct shown *s)
{
	for (const struct cJSON *p = wisp_json_first(s->phases); p != NULL; p = wisp_json_next(p))
		if (strcmp(wisp_json_str(p, "name", ""), s->name) == 0)
			return p;
	return NULL;
}

static void
look(const struct wisp_record *r, const char *template, struct shown *s)
{
	const struct cJSON *session = wisp_json_get(r->doc, "session"), *loop = wisp_json_get(r->doc, "phases");

	memset(s, 0, sizeof *s);
	s->status = wisp_json_str(session, "status", "paused");
	s->id = wisp_json_str(session, "session_id", "");
	s->spec = wisp_json_str(session, "spec", "none");
	if (wisp_json_type(loop) != WISP_T_OBJECT) {
		s->name = wisp_json_str(session, "template", "default");
		s->iteration = wisp_json_int(session, "loop_count", 0);
		s->most = wisp_config_count(wisp_json_get(r->doc, "config"), "limits.maxIterations");
		look_at_tasks(r, s);
		return;
	}
	s->loop = loop;
	s->name = wisp_json_str(loop, "current_phase", "");
	if (template == NULL)
		template = wisp_json_str(wisp_json_get(r->doc, "template"), "dir", NULL);
	s->phases = template == NULL ? NULL : wisp_phases_load(template);
	if (s->phases == NULL)
		s->phases = wisp_phases_default();
	s->iteration = wisp_json_int(loop, "current_iteration", 0);
	s->most = wisp_json_int(current_phase(s), "max_iterations", 10);
	s->percent = wisp_phases_percent(s->phases, loop);
	look_at_tests(r, s);
}

int
wisp_verb_progress(struct wisp_cli *cli)
{
	const char *template = NULL;
	const struct wisp_option options[] = {{"template", .text = &template}, {0}};
	struct cJSON *answer;
	struct wisp_record r;
	struct shown s;

	wisp_cli_read(cli, options, 0, 0);
	wisp_cli_need_record(cli, &r, WISP_READ);
	look(&r, template, &s);
	if (cli->json) {
		answer = wisp_json_object();
		wisp_json_set_num(answer, "progress", s.percent);
		wisp_cli_json(answer);
	} else {
		printf("%d\n", s.percent);
	}
	wisp_json_free(s.phases);
	wisp_record_release(&r);
	return 0;
}

/* `12/50`, or `12` where there is no limit; the caller frees it. */
static char *
of_most(long long n, long long most)
{
	return most < 0 ? wisp_str("%lld", n) : wisp_str("%lld/%lld", n, most);
}

static void
phase_rows(bool utf8, const struct shown *s)
{
	wisp_box_row(utf8, "", "");
	wisp_box_row(utf8, "Progress:", "");
	for (const struct cJSON *p = wisp_json_first(s->phases); p != NULL; p = wisp_json_next(p)) {
		const char *name = wisp_json_str(p, "name", ""), *branch, *mark;
		const struct cJSON *past = wisp_json_get(wisp_json_get(s->loop, "phase_history"), name);
		bool done = wisp_phase_done(s->loop, name), now = !done && strcmp(name, s->name) == 0;
		char *count = of_most(s->iteration, s->most), *text;

		branch = utf8 ? wisp_json_next(p) != NULL ? "\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80" : "\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80"
			      : wisp_json_next(p) != NULL ? "|--" : "`--";
		mark = !utf8 ? done ? "[x] " : now ? "[>] " : "[ ] " : done ? "\xe2\x9c\x85 " : "\xe2\x8f\xb3 ";
		text = done ? wisp_str("%s %s: %*s%sComplete (%lld iters)", branch, name, 8 - (int)strlen(name), "", mark,
				       wisp_json_int(past, "iterations", 0))
			    : wisp_str("%s %s: %*s%s%s%s", branch, name, 8 - (int)strlen(name), "", mark,
				       now ? count : "Pending", now ? " iters" : "");
		wisp_box_row(utf8, "", text);
		free(count);
		free(text);
	}
	wisp_box_row(utf8, "", "");
}

static void
box(const struct shown *s)
{
	bool utf8 = wisp_box_utf8();
	char *iteration = of_most(s->iteration, s->most), *tasks = wisp_str("%lld/%lld pass", s->passed, s->total);

	wisp_box_edge(utf8, WISP_BOX_TOP);
	wisp_box_row(utf8, "         LOOP STATE SUMMARY", "");
	wisp_box_edge(utf8, WISP_BOX_MIDDLE);
	wisp_box_row(utf8, "Session:    ", s->id);
	wisp_box_row(utf8, "Spec:       ", s->spec);
	wisp_box_row(utf8, s->loop != NULL ? "Phase:      " : "Template:   ", s->name);
	wisp_box_row(utf8, "Iteration:  ", iteration);
	wisp_box_row(utf8, "Status:     ", s->status);
	wisp_box_row(utf8, s->loop != NULL ? "Tests:      " : "Tasks:      ", tasks);
	if (s->loop != NULL)
		phase_rows(utf8, s);
	wisp_box_bar(utf8, "Overall:    ", s->percent);
	wisp_box_edge(utf8, WISP_BOX_BOTTOM);
	free(iteration);
	free(tasks);
}

static void
document(const struct shown *s)
{
	struct cJSON *v = wisp_json_object();

	wisp_json_set_str(v, s->loop != NULL ? "phase" : "template", s->name);
	wisp_json_set_str(v, "session_id", s->id);
	wisp_json_set_num(v, "iteration", (double)s->iteration);
	wisp_json_set(v, "max_iterations", s->most < 0 ? NULL : wisp_json_double((double)s->most));
	wisp_json_set_num(v, s->loop != NULL ? "tests_passed" : "tasks_passed", (double)s->passed);
	wisp_json_set_num(v, s->loop != NULL ? "tests_total" : "tasks_total", (double)s->total);
	wisp_json_set_str(v, "status", s->status);
	wisp_json_set_num(v, "progress", s->percent);
	wisp_cli_json(v);
}

int
wisp_verb_show(struct wisp_cli *cli)
{
	const char *template = NULL;
	bool detail = false;
	const struct wisp_option options[] = {{"detail", .flag = &detail}, {"template", .text = &template}, {0}};
	struct wisp_record r;
	struct shown s;
	char *count;

	wisp_cli_read(cli, options, 0, 0);
	wisp_cli_need_record(cli, &r, WISP_READ);
	look(&r, template, &s);
	count = of_most(s.iteration, s.most);
	if (cli->json)
		document(&s);
	else if (detail)
		box(&s);
	else
		printf("[%s] Iteration %s | %lld/%lld %s passing | Status: %s\n", s.name, count, s.passed, s.total,
		       s.loop != NULL ? "tests" : "tasks", s.status);
	free(count);
	wisp_json_free(s.phases);
	wisp_record_release(&r);
	return 0;
}
