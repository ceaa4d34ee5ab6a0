/*
 * change_check: what a change may do to a task list, and what it does, for
 * people.
 */
#include "change.h"

#include <stdint.h>
#include <string.h>

#include "lines.h"

#define SHOWN 100	/* lines of each kind that people are shown */

static char *
refuse(const struct wisp_task *task, const char *what)
{
	struct wisp_buf b = WISP_BUF_INIT;

	wisp_buf_printf(&b, "task %zu (", task->number);
	wisp_buf_line(&b, task->description, WISP_LINE_NAMES);
	wisp_buf_printf(&b, ") %s", what);
	return wisp_buf_detach(&b);
}

/* Of those that pass, the first that a change may not do that to; NULL for none. */
static const struct wisp_task *
first_passing(const struct wisp_tasks *t, const size_t *numbers, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (t->list[numbers[i] - 1].passes)
			return &t->list[numbers[i] - 1];
	return NULL;
}

/* A task that passes says what was done and checked: with other words that is not known any more. */
static char *
refuse_reworded(const struct wisp_tasks_diff *d, const struct wisp_tasks *old, const struct wisp_tasks *new)
{
	for (size_t i = 0; i < d->n_reworded; i++) {
		const struct wisp_task *was = &old->list[d->reworded[i] - 1], *is = &new->list[d->became[i] - 1];

		if (was->passes && is->passes)
			return refuse(is, "passes and was reworded: leave it as it was and add a task for the difference, "
				      "or set its `passes` to false");
	}
	return NULL;
}

static char *
refuse_update(const struct wisp_tasks_diff *d, const struct wisp_tasks *old, const struct wisp_tasks *new)
{
	const struct wisp_task *task = first_passing(old, d->lost, d->n_lost);

	if (task != NULL)
		return refuse(task, "passes and is gone: leave it, and add a task that undoes what is not asked for any more");
	return refuse_reworded(d, old, new);
}

static char *
refuse_review(const struct wisp_tasks_diff *d)
{
	if (d->lawful)
		return NULL;
	return wisp_str("%zu tasks removed, %zu reworded, %zu moved, or a new one before an old one: a review adds tasks at the "
			"end and sets `passes` to false, nothing else", d->n_lost, d->n_reworded, d->n_moved);
}

char *
wisp_change_refuse(const char *kind, const struct wisp_tasks *old, const struct wisp_tasks *new)
{
	struct wisp_tasks_diff d;
	char *why;

	if (new->count == 0)
		return wisp_strdup("no task at all");
	wisp_tasks_compare(&d, old, new);
	why = strcmp(kind, "review") == 0 ? refuse_review(&d) : refuse_update(&d, old, new);
	if (why == NULL && d.n_passed > 0)
		why = refuse(&new->list[d.passed[0] - 1], "passes now: this step plans, and does no task");
	wisp_tasks_diff_release(&d);
	return why;
}

/* A task's own command is what a yes lets run: it is shown whole. */
static void
put_task(struct wisp_buf *out, const struct wisp_task *task)
{
	wisp_buf_printf(out, "    %zu  ", task->number);
	wisp_buf_line(out, task->description, WISP_LINE_TEXT);
	wisp_buf_putc(out, '\n');
	if (task->verify != NULL) {
		wisp_buf_puts(out, "       verified by: ");
		wisp_buf_line(out, task->verify, SIZE_MAX);
		wisp_buf_putc(out, '\n');
	}
}

static void
put_kind(struct wisp_buf *out, const char *name, const size_t *numbers, size_t n, const struct wisp_tasks *t)
{
	if (n == 0)
		return;
	wisp_buf_printf(out, "  %s: %zu\n", name, n);
	for (size_t i = 0; i < n; i++)
		if (i < SHOWN || t->list[numbers[i] - 1].verify != NULL)
			put_task(out, &t->list[numbers[i] - 1]);
	if (n > SHOWN)
		wisp_buf_printf(out, "    ... %zu in all\n", n);
}

int
wisp_change_text(struct wisp_record *r, struct wisp_buf *out, size_t *differences, struct wisp_err *err)
{
	const struct cJSON *change = wisp_json_get(r->doc, "change");
	struct wisp_tasks old = {0}, new = {0};
	struct wisp_tasks_diff d;
	int rc = wisp_record_good_tasks(r, wisp_json_str(change, "tasks", ""), &old, err);

	if (rc == 0)
		rc = wisp_record_good_tasks(r, wisp_json_str(change, "list", ""), &new, err);
	if (rc == 1)
		rc = wisp_err_set(err, r->home, 0, 0, "no changed task list is kept here");
	if (rc == 0) {
		wisp_tasks_compare(&d, &old, &new);
		put_kind(out, "added", d.added, d.n_added, &new);
		put_kind(out, "removed", d.lost, d.n_lost, &old);
		put_kind(out, "reworded", d.became, d.n_became, &new);
		put_kind(out, "reopened", d.reopened, d.n_reopened, &new);
		put_kind(out, "moved", d.moved, d.n_moved, &old);
		*differences = d.n_added + d.n_lost + d.n_reworded + d.n_reopened + d.n_moved;
		wisp_tasks_diff_release(&d);
	}
	wisp_tasks_release(&old);
	wisp_tasks_release(&new);
	return rc;
}
