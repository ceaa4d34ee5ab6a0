/*
 * show: a session's progress, its status line and its box (000_'s, where it has
 * phases; show_orchestra.c has those of an orchestration).
 */
#include "verb.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/phase.h"
#include "box.h"
#include "shown.h"

int
wisp_verb_progress(struct wisp_cli *cli)
{
	const char *template = NULL;
	const struct wisp_option options[] = {{"template", .text = &template}, {0}};
	struct wisp_shown s;
	struct cJSON *answer;

	wisp_cli_read(cli, options, 0, 0);
	wisp_shown_look(&s, cli, template);
	if (cli->json) {
		answer = wisp_json_object();
		wisp_json_set_num(answer, "progress", s.percent);
		wisp_cli_json(answer);
	} else {
		printf("%d\n", s.percent);
	}
	wisp_shown_release(&s);
	return 0;
}

/* `12/50`, or `12` where there is no limit; the caller frees it. */
static char *
of_most(long long n, long long most)
{
	return most < 0 ? wisp_str("%lld", n) : wisp_str("%lld/%lld", n, most);
}

/* `docs/PRPs/2026-01-16-feature-name.md` is `feature-name.md`. */
static const char *
short_name(const char *path)
{
	static const char date[] = "dddd-dd-dd-";
	const char *last = strrchr(path, '/');
	size_t i;

	last = last != NULL && last[1] != '\0' ? last + 1 : path;
	for (i = 0; date[i] != '\0'; i++)
		if (date[i] == 'd' ? !isdigit((unsigned char)last[i]) : last[i] != '-')
			return last;
	return last[i] != '\0' ? last + i : last;
}

/* The sign of a phase of 000_, or NULL. */
static const char *
sign(const char *phase)
{
	static const char *const signs[][2] = {
		{"RED", "\xf0\x9f\x94\xb4"}, {"GREEN", "\xf0\x9f\x9f\xa2"}, {"REFACTOR", "\xf0\x9f\x94\xb5"},
		{"DOCUMENT", "\xf0\x9f\x93\x9a"}, {"QA", "\xf0\x9f\x94\x8d"}
	};

	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (strcmp(signs[i][0], phase) == 0)
			return signs[i][1];
	return NULL;
}

static void
phase_row(bool utf8, const struct wisp_shown *s, const struct cJSON *phase)
{
	static const char *const branches[2][2] = {
		{"|--", "`--"}, {"\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80", "\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80"}
	};
	const char *name = wisp_json_str(phase, "name", ""), *mark;
	const struct cJSON *past = wisp_json_get(wisp_json_get(s->loop, "phase_history"), name);
	bool done = wisp_phase_done(s->loop, name), now = !done && strcmp(name, s->name) == 0;
	int pad = 9 - (int)strlen(name);
	char *what, *text;

	mark = !utf8 ? done ? "[x]" : now ? "[>]" : "[ ]" : done ? "\xe2\x9c\x85" : "\xe2\x8f\xb3";
	what = done ? wisp_str("Complete (%lld iters)", wisp_json_int(past, "iterations", 0))
	     : now ? wisp_str("%lld/%lld iters", s->iteration, s->most) : wisp_strdup("Pending");
	text = wisp_str("%s %s:%*s%s %s", branches[utf8][wisp_json_next(phase) == NULL], name, pad > 1 ? pad : 1, "", mark, what);
	wisp_box_row(utf8, "", text);
	free(what);
	free(text);
}

static void
phase_box(bool utf8, const struct wisp_shown *s)
{
	char *id = strlen(s->id) > 12 ? wisp_str("%.9s...", s->id) : wisp_strdup(s->id);
	char *phase = utf8 && sign(s->name) != NULL ? wisp_str("%s (%s)", s->name, sign(s->name)) : wisp_strdup(s->name);
	char *iteration = wisp_str("%lld", s->iteration);

	wisp_box_row(utf8, "Session:    ", id);
	wisp_box_row(utf8, "PRP:        ", short_name(s->spec));
	wisp_box_row(utf8, "Phase:      ", phase);
	wisp_box_row(utf8, "Iteration:  ", iteration);
	wisp_box_row(utf8, "Status:     ", s->status);
	wisp_box_row(utf8, "", "");
	wisp_box_row(utf8, "Progress:", "");
	for (const struct cJSON *p = wisp_json_first(wisp_json_get(s->machine, "phases")); p != NULL; p = wisp_json_next(p))
		phase_row(utf8, s, p);
	wisp_box_row(utf8, "", "");
	free(id);
	free(phase);
	free(iteration);
}

static void
task_box(bool utf8, const struct wisp_shown *s)
{
	char *iteration = of_most(s->iteration, s->most), *tasks = wisp_str("%lld/%lld pass", s->passed, s->total);

	wisp_box_row(utf8, "Session:    ", s->id);
	wisp_box_row(utf8, "Spec:       ", s->spec);
	wisp_box_row(utf8, "Template:   ", s->name);
	wisp_box_row(utf8, "Iteration:  ", iteration);
	wisp_box_row(utf8, "Status:     ", s->status);
	wisp_box_row(utf8, "Tasks:      ", tasks);
	free(iteration);
	free(tasks);
}

static void
box(const struct wisp_shown *s)
{
	bool utf8 = wisp_box_utf8();

	wisp_box_edge(utf8, WISP_BOX_TOP);
	wisp_box_row(utf8, "         LOOP STATE SUMMARY", "");
	wisp_box_edge(utf8, WISP_BOX_MIDDLE);
	if (s->orchestra != NULL)
		wisp_orchestra_box(utf8, s);
	else if (s->loop != NULL)
		phase_box(utf8, s);
	else
		task_box(utf8, s);
	wisp_box_bar(utf8, "Overall:    ", s->percent);
	wisp_box_edge(utf8, WISP_BOX_BOTTOM);
}

static void
document(const struct wisp_shown *s)
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
	struct wisp_shown s;
	char *count;

	wisp_cli_read(cli, options, 0, 0);
	wisp_shown_look(&s, cli, template);
	count = of_most(s.iteration, s.most);
	if (cli->json && s.orchestra != NULL)
		wisp_cli_json(wisp_orchestra_document(&s));
	else if (cli->json)
		document(&s);
	else if (detail)
		box(&s);
	else if (s.orchestra != NULL)
		wisp_orchestra_line(&s);
	else
		printf("[%s] Iteration %s | %lld/%lld %s passing | Status: %s\n", s.name, count, s.passed, s.total,
		       s.loop != NULL ? "tests" : "tasks", s.status);
	free(count);
	wisp_shown_release(&s);
	return 0;
}
