/*
 * depends: see depends.h.
 */
#include "depends.h"

#include <stdlib.h>
#include <string.h>

#define SHOWN 5	/* tasks of a circle in its message */

static int
by_id(const void *a, const void *b)
{
	const struct wisp_task *x = *(const struct wisp_task *const *)a, *y = *(const struct wisp_task *const *)b;
	int order = strcmp(x->id, y->id);

	return order != 0 ? order : (x->number > y->number) - (x->number < y->number);
}

void
wisp_depends_init(struct wisp_depends *d, const struct wisp_tasks *t)
{
	size_t i;

	d->by_id = wisp_alloc(t->count, sizeof *d->by_id);
	d->count = 0;
	for (i = 0; i < t->count; i++)
		if (t->list[i].id != NULL)
			d->by_id[d->count++] = &t->list[i];
	if (d->count > 0)
		qsort(d->by_id, d->count, sizeof *d->by_id, by_id);
}

void
wisp_depends_release(struct wisp_depends *d)
{
	free(d->by_id);
	*d = (struct wisp_depends){0};
}

const struct wisp_task *
wisp_depends_find(const struct wisp_depends *d, const char *id)
{
	size_t low = 0, high = d->count, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (strcmp(d->by_id[mid]->id, id) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low < d->count && strcmp(d->by_id[low]->id, id) == 0 ? d->by_id[low] : NULL;
}

bool
wisp_depends_met(const struct wisp_depends *d, const struct wisp_task *task)
{
	const struct wisp_task *other;
	const struct cJSON *id;

	for (id = wisp_json_first(task->depends_on); id != NULL; id = wisp_json_next(id)) {
		other = wisp_depends_find(d, wisp_json_text(id, ""));
		if (other == NULL || !other->passes)
			return false;
	}
	return true;
}

static int
check_ids(const struct wisp_depends *d, const struct wisp_source *src, struct wisp_err *err)
{
	const struct wisp_task *a, *b;
	size_t i;

	for (i = 1; i < d->count; i++) {
		a = d->by_id[i - 1];
		b = d->by_id[i];
		if (strcmp(a->id, b->id) == 0)
			return wisp_schema_refuse(src, &(struct wisp_at){
				&(struct wisp_at){NULL, NULL, b->number - 1}, "id", 0}, err,
				"'%s' is the id of task %zu already", b->id, a->number);
	}
	return 0;
}

static int
refuse_unknown(const struct wisp_task *task, const struct cJSON *dependency,
	       const struct wisp_source *src, struct wisp_err *err)
{
	const struct wisp_at whole = {NULL, NULL, task->number - 1}, list = {&whole, "depends_on", 0};
	struct wisp_at here = {&list, NULL, 0};
	const struct cJSON *id;

	for (id = wisp_json_first(task->depends_on); id != dependency; id = wisp_json_next(id))
		here.index++;
	return wisp_schema_refuse(src, &here, err, "there is no task '%s'", wisp_json_text(dependency, ""));
}

/* A walk along the dependencies that keeps its own stack: a list may be one chain of ten thousand. */
struct visit {
	const struct wisp_task *task;
	const struct cJSON *next;	/* its dependency to look at next */
};

enum color { NEW, OPEN, DONE };

static int
refuse_circle(const struct visit *stack, size_t depth, const struct wisp_task *again,
	      const struct wisp_source *src, struct wisp_err *err)
{
	struct wisp_buf ids = WISP_BUF_INIT;
	struct wisp_at task = {NULL, NULL, again->number - 1}, list = {&task, "depends_on", 0};
	size_t i = depth, shown;

	while (stack[i - 1].task != again)
		i--;
	for (shown = 0; i <= depth && shown < SHOWN; i++, shown++)
		wisp_buf_printf(&ids, "'%s' waits for ", stack[i - 1].task->id);
	if (i <= depth)
		wisp_buf_puts(&ids, "... waits for ");
	wisp_schema_refuse(src, &list, err, "%s'%s'", ids.data, again->id);
	wisp_buf_release(&ids);
	return -1;
}

/* All that `start` waits for, near and far. `stack` has room for every task. */
static int
walk(const struct wisp_depends *d, const struct wisp_task *start, struct visit *stack, unsigned char *color,
     const struct wisp_source *src, struct wisp_err *err)
{
	const struct wisp_task *other;
	struct visit *top;
	size_t depth = 1;

	stack[0] = (struct visit){start, wisp_json_first(start->depends_on)};
	color[start->number - 1] = OPEN;
	while (depth > 0) {
		top = &stack[depth - 1];
		if (top->next == NULL) {
			color[top->task->number - 1] = DONE;
			depth--;
			continue;
		}
		other = wisp_depends_find(d, wisp_json_text(top->next, ""));
		if (other == NULL)
			return refuse_unknown(top->task, top->next, src, err);
		top->next = wisp_json_next(top->next);
		if (color[other->number - 1] == OPEN)
			return refuse_circle(stack, depth, other, src, err);
		if (color[other->number - 1] == DONE)
			continue;
		color[other->number - 1] = OPEN;
		stack[depth++] = (struct visit){other, wisp_json_first(other->depends_on)};
	}
	return 0;
}

int
wisp_depends_check(const struct wisp_depends *d, const struct wisp_tasks *t,
		   const struct wisp_source *src, struct wisp_err *err)
{
	struct visit *stack;
	unsigned char *color;
	size_t i;
	int rc = check_ids(d, src, err);

	if (rc < 0)
		return rc;
	stack = wisp_alloc(t->count, sizeof *stack);
	color = wisp_alloc(t->count, sizeof *color);
	for (i = 0; i < t->count && rc == 0; i++)
		if (color[i] == NEW)
			rc = walk(d, &t->list[i], stack, color, src, err);
	free(stack);
	free(color);
	return rc;
}
