/*
 * proposal: what a pull request says: a title, printed as one line, and a body,
 * written to a file: the last summary, the tasks, what verify said, and where the
 * work departs from the spec.
 *
 * What agents wrote stands in it as text: one line each without markup or
 * mentions, divergence.md between fences that it cannot close. Bounded to what
 * hosts take (65,536 characters).
 */
#include "verb.h"

#include <stdlib.h>
#include <string.h>

#include "core/ledger.h"
#include "core/secrets.h"

#define TITLE_MAX 100		/* bytes */
#define TEXT_MAX 160		/* of a task */
#define SUMMARY_MAX 1000
#define TASKS_MAX 100
#define DIVERGENCE_MAX 20000
#define FENCE_MIN 3

struct proposal {
	const char *commit, *verify, *project, *divergence, *body;
	struct wisp_tasks tasks;
};

/* One line as plain text in Markdown; an address after @ gets no message. */
static void
put_text(struct wisp_buf *out, const char *text, size_t max)
{
	struct wisp_buf line = WISP_BUF_INIT;

	wisp_buf_line(&line, text, max);
	for (const char *p = line.data; p != NULL && *p != '\0'; p++) {
		if (strchr("\\`*_{}[]<>#|~!&", *p) != NULL)
			wisp_buf_putc(out, '\\');
		wisp_buf_putc(out, *p);
		if (*p == '@')
			wisp_buf_puts(out, "\u200b");
	}
	wisp_buf_release(&line);
}

static size_t
longest_run(const char *text, char c)
{
	size_t run = 0, longest = 0;

	for (; *text != '\0'; text++) {
		run = *text == c ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	return longest;
}

/* A file's lines, whatever is in them, between fences. */
static void
put_fenced(struct wisp_buf *out, struct wisp_buf *text)
{
	size_t len = wisp_utf8_cut(text->data, text->len, DIVERGENCE_MAX), fence;
	bool cut = len < text->len;
	char *line, *next;

	text->data[len] = '\0';
	fence = longest_run(text->data, '~') + 1;
	fence = fence < FENCE_MIN ? FENCE_MIN : fence;
	for (size_t i = 0; i < fence; i++)
		wisp_buf_putc(out, '~');
	wisp_buf_puts(out, "\n");
	for (line = text->data; line != NULL && *line != '\0'; line = next) {
		next = strchr(line, '\n');
		if (next != NULL)
			*next++ = '\0';
		wisp_buf_line(out, line, DIVERGENCE_MAX);
		wisp_buf_putc(out, '\n');
	}
	if (cut)
		wisp_buf_puts(out, "[...]\n");
	for (size_t i = 0; i < fence; i++)
		wisp_buf_putc(out, '~');
	wisp_buf_putc(out, '\n');
}

static void
put_tasks(struct wisp_buf *out, const struct wisp_record *r, const struct wisp_tasks *tasks)
{
	if (tasks->count == 0)
		return;
	wisp_buf_puts(out, "## Tasks\n\n");
	for (size_t i = 0; i < tasks->count && i < TASKS_MAX; i++) {
		const struct wisp_task *t = &tasks->list[i];
		const struct cJSON *e = wisp_ledger_of(wisp_json_get(r->doc, "ledger"), t);

		wisp_buf_printf(out, "- [%c] ", t->passes ? 'x' : ' ');
		put_text(out, t->description, TEXT_MAX);
		if (t->passes && strcmp(wisp_json_str(e, "verify", ""), "passed") == 0)
			wisp_buf_puts(out, " (verified)");
		wisp_buf_putc(out, '\n');
	}
	if (tasks->count > TASKS_MAX)
		wisp_buf_printf(out, "- and %zu more\n", tasks->count - TASKS_MAX);
	wisp_buf_putc(out, '\n');
}

static void
put_verify(struct wisp_buf *out, const struct proposal *p)
{
	const char *verify = p->verify != NULL ? p->verify : "";

	if (strcmp(verify, "passed") == 0)
		wisp_buf_printf(out, "The verify command passes on %.12s.\n\n", p->commit != NULL ? p->commit : "it");
	else if (strcmp(verify, "none") == 0)
		wisp_buf_puts(out, "Unverified: no verify command is set.\n\n");
}

static void
put_divergence(struct wisp_buf *out, const struct proposal *p)
{
	struct wisp_buf text = WISP_BUF_INIT;

	if (p->divergence == NULL)
		return;
	if (wisp_file_read(p->divergence, WISP_FILE_MAX, &text) != 0)
		die_sys("cannot read '%s'", p->divergence);
	if (text.len > 0) {
		wisp_buf_puts(out, "## Where it departs from the spec\n\n");
		put_fenced(out, &text);
		wisp_buf_putc(out, '\n');
	}
	wisp_buf_release(&text);
}

static void
put_body(struct wisp_buf *out, const struct wisp_record *r, const struct proposal *p)
{
	const struct cJSON *session = wisp_json_get(r->doc, "session"), *e, *last = NULL;
	const char *spec = wisp_json_str(session, "spec", NULL);

	for (e = wisp_json_first(wisp_json_get(r->doc, "history")); e != NULL; e = wisp_json_next(e))
		last = wisp_json_str(e, "summary", NULL) != NULL ? e : last;
	if (last != NULL) {
		put_text(out, wisp_json_str(last, "summary", ""), SUMMARY_MAX);
		wisp_buf_puts(out, "\n\n");
	}
	put_tasks(out, r, &p->tasks);
	put_verify(out, p);
	put_divergence(out, p);
	wisp_buf_printf(out, "wisp session %.36s, %.0f iterations", wisp_json_str(session, "session_id", "-"),
			wisp_json_num(session, "loop_count", 0));
	if (spec != NULL) {
		wisp_buf_puts(out, ", spec ");
		put_text(out, spec, TEXT_MAX);
	}
	wisp_buf_puts(out, "\n");
}

/* The spec's first heading; NULL where it has none, or cannot be read. The caller frees it. */
static char *
heading(const struct wisp_record *r, const char *project)
{
	const char *spec = wisp_json_str(wisp_json_get(r->doc, "session"), "spec", NULL);
	struct wisp_buf text = WISP_BUF_INIT;
	char *path, *found = NULL, *line;

	if (spec == NULL || project == NULL)
		return NULL;
	path = *spec == '/' ? wisp_strdup(spec) : wisp_str("%s/%s", project, spec);
	if (wisp_file_read(path, WISP_FILE_MAX, &text) == 0 && text.len > 0) {
		line = strncmp(text.data, "# ", 2) == 0 ? text.data : strstr(text.data, "\n# ");
		if (line != NULL) {
			line += *line == '\n' ? 3 : 2;
			line[strcspn(line, "\r\n")] = '\0';
			found = wisp_strdup(line);
		}
	}
	wisp_buf_release(&text);
	free(path);
	return found;
}

int
wisp_verb_proposal(struct wisp_cli *cli)
{
	struct proposal p = {0};
	const struct wisp_option options[] = {
		{"commit", .text = &p.commit}, {"verify", .text = &p.verify}, {"project", .text = &p.project},
		{"divergence", .text = &p.divergence}, {"body", .text = &p.body}, {0}
	};
	struct wisp_buf title = WISP_BUF_INIT, body = WISP_BUF_INIT;
	struct wisp_record r;
	char *path, *head;

	wisp_verb_open(&r, cli, options);
	path = wisp_record_dir_path(&r, "tasks.json");
	if (wisp_tasks_load(&p.tasks, path, NULL) != WISP_VALID)
		p.tasks = (struct wisp_tasks){0};
	head = p.tasks.count == 1 ? wisp_strdup(p.tasks.list[0].description) : heading(&r, p.project);
	wisp_buf_line(&title, head != NULL && *head != '\0' ? head : r.place->branch, TITLE_MAX);
	wisp_buf_putc(&title, '\n');
	put_body(&body, &r, &p);
	wisp_secrets_hide(&title);
	wisp_secrets_hide(&body);
	if (p.body != NULL && wisp_file_write(p.body, body.data, body.len, WISP_NOSYNC) != 0)
		die_sys("cannot write '%s'", p.body);
	wisp_cli_print(&title);
	wisp_tasks_release(&p.tasks);
	wisp_buf_release(&body);
	wisp_record_release(&r);
	free(head);
	free(path);
	return 0;
}
