/*
 * export_text: lists as markdown, as a table, as lines. What a format cannot hold is
 * written as near as it can be, or left out; the verb then reads what was
 * written, and names what differs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "markdown.h"

/* On one line. */
static void
put_line(struct wisp_buf *out, const char *text)
{
	for (; *text != '\0'; text++)
		wisp_buf_putc(out, *text == '\n' || *text == '\r' ? ' ' : *text);
}

static const char *
field(const struct cJSON *task, const char *key)
{
	return wisp_json_str(task, key, "");
}

/* Notes that read as nothing but notes; others would open code, or be items. */
static bool
is_plain(const char *notes, bool items)
{
	struct wisp_buf bytes = WISP_BUF_INIT;
	struct wisp_md md = {0};
	struct wisp_import im;
	bool plain;

	wisp_buf_puts(&bytes, notes);
	plain = wisp_import_open(&im, "", &bytes, NULL) == 0;
	while (plain && wisp_md_next(&md, &im))
		plain = md.kind == WISP_MD_TEXT || (items && md.kind == WISP_MD_ITEM && md.box == WISP_MD_NO_BOX);
	wisp_md_release(&md);
	wisp_import_release(&im);
	return plain;
}

static void
put_notes(struct wisp_buf *out, const char *notes, const char *indent, bool items)
{
	size_t n;

	if (!is_plain(notes, items))
		return;
	wisp_buf_putc(out, '\n');
	for (; *notes != '\0'; notes += n + (notes[n] == '\n')) {
		n = strcspn(notes, "\n");
		wisp_buf_printf(out, "%s%.*s\n", indent, (int)n, notes);
	}
}

static void
put_box(struct wisp_buf *out, bool done, const char *text)
{
	wisp_buf_puts(out, done ? "- [x] " : "- [ ] ");
	put_line(out, text);
	wisp_buf_putc(out, '\n');
}

/* The heading of a priority, where it is another than that of the task before. */
static void
priority_heading(struct wisp_buf *out, const struct cJSON *task)
{
	static const char *const names[] = {"Priority 0", "High Priority", "Medium Priority", "Low Priority"};
	double priority = wisp_json_num(task, "priority", -1);

	if (priority >= 0 && priority <= 3)
		wisp_buf_printf(out, "%s## %s\n\n", out->len > 0 ? "\n" : "", names[(int)priority]);
	else if (priority > 3)
		wisp_buf_printf(out, "%s## Priority %.0f\n\n", out->len > 0 ? "\n" : "", priority);
	else
		wisp_buf_printf(out, "%s## Tasks\n\n", out->len > 0 ? "\n" : "");
}

static bool
after_heading(const struct wisp_buf *out)
{
	return out->len > 1 && strcmp(out->data + out->len - 2, "\n\n") == 0;
}

int
wisp_export_fixplan(const struct cJSON *tasks, struct wisp_buf *out, struct wisp_err *err)
{
	static const char *const headings[][2] = {
		{"setup", "Setup"}, {"feature", "Features"}, {"bugfix", "Bug Fixes"}, {"refactor", "Refactoring"}, {"test", "Tests"},
		{"docs", "Documentation"},
	};
	const char *category = "feature";
	double priority = -1;

	(void)err;
	for (const struct cJSON *t = wisp_json_first(tasks); t != NULL; t = wisp_json_next(t)) {
		if (out->len == 0 || wisp_json_num(t, "priority", -1) != priority) {
			priority = wisp_json_num(t, "priority", -1);
			category = "feature";
			priority_heading(out, t);
		}
		for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
			if (strcmp(field(t, "category"), category) != 0 && strcmp(field(t, "category"), headings[i][0]) == 0) {
				category = headings[i][0];
				wisp_buf_printf(out, "%s### %s\n\n", after_heading(out) ? "" : "\n", headings[i][1]);
				break;
			}
		put_box(out, wisp_json_bool(t, "passes", false), field(t, "description"));
		for (const struct cJSON *s = wisp_json_first(wisp_json_get(t, "steps")); s != NULL; s = wisp_json_next(s)) {
			wisp_buf_puts(out, "  - ");
			put_line(out, wisp_json_text(s, ""));
			wisp_buf_putc(out, '\n');
		}
		put_notes(out, field(t, "notes"), "  ", false);
	}
	return 0;
}

/* The command that verifies each of them; "" where they differ. */
static const char *
common_verify(const struct cJSON *tasks)
{
	const char *verify = field(wisp_json_first(tasks), "verify");

	for (const struct cJSON *t = wisp_json_first(tasks); t != NULL; t = wisp_json_next(t))
		if (strcmp(field(t, "verify"), verify) != 0)
			return "";
	return verify;
}

int
wisp_export_ralphex(const struct cJSON *tasks, struct wisp_buf *out, struct wisp_err *err)
{
	const char *verify = common_verify(tasks);
	const struct cJSON *step;
	size_t number = 0;
	bool done;

	(void)err;
	wisp_buf_puts(out, "# Plan\n");
	if (*verify != '\0') {
		wisp_buf_puts(out, "\n## Validation Commands\n\n- `");
		put_line(out, verify);
		wisp_buf_puts(out, "`\n");
	}
	for (const struct cJSON *t = wisp_json_first(tasks); t != NULL; t = wisp_json_next(t)) {
		wisp_buf_printf(out, "\n### Task %zu: ", ++number);
		put_line(out, field(t, "description"));
		wisp_buf_putc(out, '\n');
		put_notes(out, field(t, "notes"), "", true);
		wisp_buf_putc(out, '\n');
		done = wisp_json_bool(t, "passes", false);
		step = wisp_json_first(wisp_json_get(t, "steps"));
		if (step == NULL)
			put_box(out, done, field(t, "description"));
		for (; step != NULL; step = wisp_json_next(step))
			put_box(out, done, wisp_json_text(step, ""));
	}
	return 0;
}

/* A field of a table, in quotes where it needs them. */
static void
put_cell(struct wisp_buf *out, const char *text)
{
	if (strpbrk(text, ",;\t\"\r\n") == NULL) {
		wisp_buf_puts(out, text);
		return;
	}
	wisp_buf_putc(out, '"');
	for (; *text != '\0'; text++) {
		if (*text == '"')
			wisp_buf_putc(out, '"');
		wisp_buf_putc(out, *text);
	}
	wisp_buf_putc(out, '"');
}

/* The strings of an array, a line each. */
static void
put_list(struct wisp_buf *out, const struct cJSON *list)
{
	struct wisp_buf text = WISP_BUF_INIT;

	for (const struct cJSON *e = wisp_json_first(list); e != NULL; e = wisp_json_next(e))
		wisp_md_add_line(&text, wisp_json_text(e, ""));
	if (text.len > 0)
		put_cell(out, text.data);
	wisp_buf_release(&text);
}

int
wisp_export_csv(const struct cJSON *tasks, struct wisp_buf *out, struct wisp_err *err)
{
	static const char *const columns[] = {"id", "category", "description", "steps", "passes", "priority", "depends_on",
					      "acceptance", "verify", "notes"};
	const size_t n = sizeof columns / sizeof *columns;

	(void)err;
	for (size_t i = 0; i < n; i++)
		wisp_buf_printf(out, "%s%s", i > 0 ? "," : "", columns[i]);
	wisp_buf_putc(out, '\n');
	for (const struct cJSON *t = wisp_json_first(tasks); t != NULL; t = wisp_json_next(t)) {
		for (size_t i = 0; i < n; i++) {
			const struct cJSON *v = wisp_json_get(t, columns[i]);

			if (i > 0)
				wisp_buf_putc(out, ',');
			if (wisp_json_type(v) == WISP_T_ARRAY)
				put_list(out, v);
			else if (wisp_json_type(v) == WISP_T_STRING)
				put_cell(out, wisp_json_text(v, ""));
			else if (v != NULL)
				wisp_json_print_compact(out, v);
		}
		wisp_buf_putc(out, '\n');
	}
	return 0;
}

int
wisp_export_lines(const struct cJSON *tasks, struct wisp_buf *out, struct wisp_err *err)
{
	(void)err;
	for (const struct cJSON *t = wisp_json_first(tasks); t != NULL; t = wisp_json_next(t)) {
		put_line(out, field(t, "description"));
		wisp_buf_putc(out, '\n');
	}
	return 0;
}
