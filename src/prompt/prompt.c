/*
 * prompt: see prompt.h.
 */
#include "prompt.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/config.h"
#include "core/feedback.h"
#include "core/quote.h"
#include "core/secrets.h"
#include "core/tasks.h"
#include "core/template.h"
#include "prompt/phase.h"
#include "prompt/spec.h"

#define SUMMARY_MAX ((size_t)2 << 10)

struct prompt {
	const struct wisp_record *record;
	struct wisp_tasks tasks;
	bool has_tasks;
	struct wisp_buf out;
};

static void
add_file(struct wisp_buf *out, const char *what, const char *path)
{
	wisp_buf_printf(out, "- %s: ", what);
	wisp_buf_line(out, path, SIZE_MAX);
	wisp_buf_putc(out, '\n');
}

/* The file of the session as the step has it: landlock covers nothing, so the copy is named. */
static char *
lent_path(const struct prompt *p, bool landlock, const char *name)
{
	char *lent = wisp_str("lent/session/%s", name), *path;

	path = landlock ? wisp_record_home_path(p->record, lent) : wisp_record_dir_path(p->record, name);
	free(lent);
	return path;
}

static void
add_place(struct prompt *p)
{
	bool landlock = strcmp(wisp_json_str(p->record->doc, "sandbox", ""), "landlock") == 0;
	const struct cJSON *session = wisp_json_get(p->record->doc, "session");
	const struct cJSON *step = wisp_json_get(p->record->doc, "step");
	long long n = wisp_json_int(step, "iteration", wisp_json_int(session, "loop_count", 0));
	long long max = wisp_config_count(wisp_json_get(p->record->doc, "config"), "limits.maxIterations");
	static const char *const files[][2] = {
		{"state file", "state.json"}, {"task list", "tasks.json"}, {"divergence file", "divergence.md"}
	};
	char *path;

	wisp_buf_puts(&p->out, "\n# From the controller\n\n"
		      "wisp, which runs you, wrote this part. Lines indented by four spaces are quoted: from people, files,\n"
		      "tools and earlier steps.\n\n");
	wisp_buf_printf(&p->out, "Iteration %lld", n > 0 ? n : 1);
	if (max > 0)
		wisp_buf_printf(&p->out, " of at most %lld", max);
	wisp_buf_puts(&p->out, ".");
	if (p->has_tasks)
		wisp_buf_printf(&p->out, " %zu of %zu tasks are open.", p->tasks.count - p->tasks.passed, p->tasks.count);
	wisp_buf_puts(&p->out, "\n\n");
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		path = lent_path(p, landlock, files[i][1]);
		add_file(&p->out, files[i][0], path);
		free(path);
	}
	if ((path = wisp_prompt_spec(p->record)) != NULL)
		add_file(&p->out, "spec", path);
	free(path);
}

/* The state file that a step left, as it was archived: history keeps less of its summary. NULL where there is none. */
static struct cJSON *
load_claim(struct prompt *p, long long iteration)
{
	char *name = wisp_str("steps/%04lld/state.json", iteration), *path = wisp_record_dir_path(p->record, name);
	struct cJSON *doc = NULL;

	if (wisp_json_load(path, &doc, NULL) != WISP_VALID)
		doc = NULL;
	free(name);
	free(path);
	return doc;
}

/* The newest one: a step that failed said nothing, but what was said before it still helps. */
static void
add_summary(struct prompt *p)
{
	const struct cJSON *entry = NULL, *v;
	struct cJSON *claim;
	const char *summary;
	long long n;

	for (v = wisp_json_first(wisp_json_get(p->record->doc, "history")); v != NULL; v = wisp_json_next(v)) {
		if (wisp_json_str(v, "status", NULL) != NULL)
			entry = v;
	}
	if (entry == NULL)
		return;
	n = wisp_json_int(entry, "iteration", 0);
	claim = load_claim(p, n);
	summary = wisp_json_str(claim, "summary", wisp_json_str(entry, "summary", ""));
	wisp_buf_printf(&p->out, "\n## The last summary\n\nIteration %lld said %s:\n\n", n,
			wisp_json_str(entry, "status", ""));
	wisp_quote(&p->out, summary, SUMMARY_MAX, false);
	wisp_json_free(claim);
}

static void
add_task(struct prompt *p)
{
	const struct wisp_task *t = wisp_tasks_next(&p->tasks);
	struct wisp_buf *out = &p->out;
	const char *notes;

	wisp_buf_puts(out, "\n## The next task\n\n");
	if (t == NULL) {
		wisp_buf_puts(out, "No task is open.\n");
		return;
	}
	wisp_buf_printf(out, "Task %zu of %zu (%s", t->number, p->tasks.count, t->category);
	if (t->id != NULL) {
		wisp_buf_puts(out, ", id ");
		wisp_buf_line(out, t->id, SIZE_MAX);
	}
	wisp_buf_puts(out, "):\n\n");
	wisp_quote(out, t->description, SIZE_MAX, false);
	wisp_quote_list(out, "\nSteps:\n\n", wisp_json_get(t->json, "steps"), NULL, SIZE_MAX);
	wisp_quote_list(out, "\nIt is done when:\n\n", wisp_json_get(t->json, "acceptance"), "-", SIZE_MAX);
	if (t->verify != NULL) {
		wisp_buf_puts(out, "\nAnd this command succeeds:\n\n");
		wisp_quote(out, t->verify, SIZE_MAX, false);
	}
	notes = wisp_json_str(t->json, "notes", "");
	if (*notes != '\0') {
		wisp_buf_puts(out, "\nNotes:\n\n");
		wisp_quote(out, notes, SIZE_MAX, false);
	}
}

/* Of the prompts that are about the list as a whole, which all end in -tasks.md, none is about one task. */
static bool
is_about_tasks(const char *name)
{
	size_t len = strlen(name);

	return len >= 9 && strcmp(name + len - 9, "-tasks.md") == 0;
}

/* 0, or 1 where there is no such file. */
static int
add_file_of(struct wisp_buf *out, const char *template, const char *name)
{
	char *path = wisp_str("%s/%s", template, name);
	int rc = 0;

	if (wisp_file_read(path, WISP_FILE_MAX, out) < 0) {
		if (errno != ENOENT && errno != ENOTDIR)
			die_sys("cannot read '%s'", path);
		rc = 1;
	}
	if (out->len > 0 && out->data[out->len - 1] != '\n')
		wisp_buf_putc(out, '\n');
	free(path);
	return rc;
}

/* What a template does not have comes from the default one. */
static int
add_template(struct wisp_buf *out, const char *template, const char *name)
{
	char *installed;
	int rc = add_file_of(out, template, name);

	if (rc != 0 && (installed = wisp_template_installed("default")) != NULL) {
		rc = add_file_of(out, installed, name);
		free(installed);
	}
	return rc;
}

static void
add_block(struct prompt *p, const char *name)
{
	size_t start = p->out.len;
	const struct cJSON *news;

	add_place(p);
	wisp_prompt_phase(&p->out, p->record);
	add_summary(p);
	if (wisp_prompt_change(p->record) != NULL)
		wisp_feedback_add(&p->out, wisp_json_get(wisp_prompt_change(p->record), "told"));
	for (news = wisp_json_first(wisp_json_get(p->record->doc, "feedback")); news != NULL; news = wisp_json_next(news))
		wisp_feedback_add(&p->out, news);
	if (p->has_tasks && !is_about_tasks(name))
		add_task(p);
	wisp_quote_disarm(p->out.data + start, p->out.len - start);
}

static void
load_tasks(struct prompt *p)
{
	struct wisp_err err = WISP_ERR_INIT;
	char *path = wisp_record_dir_path(p->record, "tasks.json");
	enum wisp_verdict verdict = wisp_tasks_load(&p->tasks, path, &err);

	if (verdict == WISP_UNREADABLE || verdict == WISP_MALFORMED || verdict == WISP_INVALID)
		die_err(&err);
	p->has_tasks = verdict == WISP_VALID;
	wisp_err_release(&err);
	free(path);
}

static void
put(const char *path, const struct wisp_buf *text)
{
	if (path == NULL || strcmp(path, "-") == 0)
		fwrite(text->data, 1, text->len, stdout);
	else if (wisp_file_write(path, text->data, text->len, WISP_NOSYNC) < 0)
		die_sys("cannot write '%s'", path);
}

void
wisp_prompt_write(const struct wisp_record *r, const struct wisp_prompt *o)
{
	const char *template = o->template != NULL ? o->template : wisp_json_str(wisp_json_get(r->doc, "template"), "dir", NULL);
	struct prompt p = {.record = r};
	struct wisp_buf system = WISP_BUF_INIT;

	load_tasks(&p);
	if (template == NULL)
		die_usage("which template? (--template DIR, such as .wisp/templates/default of wisp init)");
	if (!wisp_file_exists(template))
		die_data("%s: template folder not found", template);
	if (add_template(&p.out, template, o->name) != 0)
		die_data("%s/%s: prompt file not found", template, o->name);
	add_block(&p, o->name);
	if (o->system_out != NULL) {
		/* A template without one gives an empty file: nothing is added to the system prompt. */
		if (add_file_of(&system, template, "system.md") != 0)
			wisp_buf_reset(&system);
		wisp_secrets_hide(&system);
		put(o->system_out, &system);
	}
	wisp_secrets_hide(&p.out);
	put(o->out, &p.out);
	wisp_buf_release(&system);
	wisp_buf_release(&p.out);
	wisp_tasks_release(&p.tasks);
}
