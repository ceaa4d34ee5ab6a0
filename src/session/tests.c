/*
 * tests: the verb tests of wisp-session: each test of a session with its life over the iterations (core/life.h).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/life.h"
#include "core/session.h"
#include "verb.h"

struct view {
	bool lost, flaky, fresh, failing;
};

static char
last_mark(const struct wisp_life_row *row)
{
	return row->n_marks > 0 ? row->marks[row->n_marks - 1] : WISP_MARK_UNKNOWN;
}

static bool
is_new(const struct wisp_life *l, const struct wisp_life_row *row)
{
	return l->n > 0 && row->born == l->iterations[l->n - 1];
}

static bool
is_shown(const struct view *v, const struct wisp_life *l, const struct wisp_life_row *row)
{
	if (!v->lost && !v->flaky && !v->fresh && !v->failing)
		return true;
	return (v->lost && row->lost > 0) || (v->flaky && wisp_life_flaky(row) > 0) || (v->fresh && is_new(l, row)) ||
	       (v->failing && last_mark(row) == WISP_MARK_FAILED);
}

static const char *
word_of(char mark)
{
	switch (mark) {
	case WISP_MARK_PASSED: return "passed";
	case WISP_MARK_FLAKY: return "flaky";
	case WISP_MARK_FAILED: return "failed";
	case WISP_MARK_SKIPPED: return "skipped";
	case WISP_MARK_ABSENT: return "absent";
	default: return NULL;	/* it is not known */
	}
}

static struct cJSON *
row_json(const struct wisp_life *l, const struct wisp_life_row *row)
{
	struct cJSON *t = wisp_json_object();
	char *marks = wisp_str("%.*s", (int)row->n_marks, row->marks);

	wisp_json_set_str(t, "suite", row->suite);
	wisp_json_set_str(t, "name", row->name);
	wisp_json_set_num(t, "nth", (double)row->nth);
	wisp_json_set_str(t, "file", row->file[0] != '\0' ? row->file : NULL);
	wisp_json_set_str(t, "command", row->command);
	wisp_json_set_str(t, "marks", marks);
	wisp_json_set_str(t, "last", word_of(last_mark(row)));
	wisp_json_set_num(t, "first_seen", (double)row->born);
	wisp_json_set_bool(t, "new", is_new(l, row));
	wisp_json_set_num(t, "flaky", (double)wisp_life_flaky(row));
	if (row->lost > 0)
		wisp_json_set_num(t, "lost_since", (double)row->lost);
	else
		wisp_json_set_null(t, "lost_since");
	free(marks);
	return t;
}

static void
put_row(struct wisp_buf *out, const struct wisp_life_row *row)
{
	struct wisp_buf label = WISP_BUF_INIT;

	for (size_t i = 0; i < row->n_marks; i++)
		wisp_buf_putc(out, row->marks[i] == WISP_MARK_UNBORN ? ' ' : row->marks[i]);
	wisp_case_label(&label, row->suite, row->name, row->nth);
	wisp_buf_printf(out, "  %s", label.data != NULL ? label.data : "");
	if (row->lost > 0)
		wisp_buf_printf(out, "  (lost since %lld)", row->lost);
	wisp_buf_putc(out, '\n');
	wisp_buf_release(&label);
}

static void
put_head(struct wisp_buf *out, const struct wisp_life *l)
{
	if (l->n == 0)
		return;
	wisp_buf_printf(out, "iteration%s %lld", l->n > 1 ? "s" : "", l->iterations[0]);
	if (l->n > 1)
		wisp_buf_printf(out, " to %lld, of which %zu had tests", l->iterations[l->n - 1], l->n);
	wisp_buf_puts(out, ": . passed, F failed, s skipped, ~ flaky, - absent\n");
}

static size_t
show(const struct wisp_cli *cli, const struct wisp_record *r, const struct wisp_life *l, const struct view *v)
{
	struct cJSON *doc = wisp_json_object(), *tests = wisp_json_array_at(doc, "tests"), *iterations = wisp_json_array();
	const struct cJSON *removed = wisp_json_get(r->doc, "tests_removed");
	struct wisp_buf out = WISP_BUF_INIT;
	size_t n = 0;

	put_head(&out, l);
	for (size_t i = 0; i < l->count; i++) {
		if (!is_shown(v, l, &l->rows[i]))
			continue;
		n++;
		if (cli->json)
			wisp_json_push(tests, row_json(l, &l->rows[i]));
		else
			put_row(&out, &l->rows[i]);
	}
	for (size_t i = 0; i < l->n; i++)
		wisp_json_push(iterations, wisp_json_double((double)l->iterations[i]));
	wisp_json_set_num(doc, "version", 1);
	wisp_json_set_str(doc, "branch", r->place->branch);
	wisp_json_set(doc, "iterations", iterations);
	wisp_json_set(doc, "removed", wisp_json_type(removed) == WISP_T_ARRAY ? wisp_json_copy(removed) : wisp_json_array());
	if (cli->json)
		wisp_cli_json(doc);
	else if (n > 0)
		wisp_cli_print(&out);
	if (!cli->json)
		wisp_json_free(doc);
	wisp_buf_release(&out);
	return n;
}

int
wisp_verb_tests(struct wisp_cli *cli)
{
	struct view v = {0};
	const struct wisp_option options[] = {
		{"lost", .flag = &v.lost}, {"flaky", .flag = &v.flaky}, {"new", .flag = &v.fresh}, {"failing", .flag = &v.failing}, {0}
	};
	struct wisp_buf text = WISP_BUF_INIT;
	struct wisp_record r;
	struct wisp_life l;
	char *path;
	size_t n;

	wisp_verb_open(&r, cli, options);
	path = wisp_record_home_path(&r, "tests");
	if (wisp_file_read(path, WISP_LIFE_MAX, &text) != 0 && errno != ENOENT)
		die_sys("cannot read '%s'", path);
	wisp_life_read(&l, text.data, wisp_json_int(wisp_json_get(r.doc, "session"), "loop_count", 0));
	n = show(cli, &r, &l, &v);
	if (n == 0 && !cli->json)
		warn("%s", l.n == 0 ? "verify has said nothing of single tests yet (man wisp-tests)" : "there is no such test");
	wisp_life_release(&l);
	wisp_buf_release(&text);
	wisp_record_release(&r);
	free(path);
	return n > 0 || cli->json ? 0 : 1;
}
