/*
 * tasks_diff: what tasks.h says of two lists. Everything is n log n: an agent
 * may write what it likes, and ten thousand equal descriptions must not be ten
 * thousand times slower.
 */
#include "tasks.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "depends.h"

#define NONE SIZE_MAX

/* What makes a task another one when it changes; `passes` and `notes` are free, other fields nobody's business. */
static const char *const wording[] = {
	"category", "description", "steps", "id", "priority", "depends_on", "acceptance", "verify", NULL
};

static bool
is_wording(const char *key)
{
	size_t i;

	for (i = 0; wording[i] != NULL && strcmp(wording[i], key) != 0; i++)
		;
	return wording[i] != NULL;
}

/* Member for member, in the same order: most tasks are what they were, and need not be searched for each key. */
static bool
same_members(const struct wisp_task *a, const struct wisp_task *b)
{
	const struct cJSON *x = wisp_json_first(a->json), *y = wisp_json_first(b->json);

	for (; x != NULL && y != NULL; x = wisp_json_next(x), y = wisp_json_next(y))
		if (strcmp(wisp_json_key(x), wisp_json_key(y)) != 0 ||
		    (!wisp_json_equal(x, y) && is_wording(wisp_json_key(x))))
			return false;
	return x == NULL && y == NULL;
}

static bool
same_wording(const struct wisp_task *a, const struct wisp_task *b)
{
	const struct cJSON *x, *y;
	const char *const *key;

	if (same_members(a, b))
		return true;
	for (key = wording; *key != NULL; key++) {
		x = wisp_json_get(a->json, *key);
		y = wisp_json_get(b->json, *key);
		if (wisp_json_type(x) <= WISP_T_NULL && wisp_json_type(y) <= WISP_T_NULL)
			continue;
		if (wisp_json_type(x) <= WISP_T_NULL || !wisp_json_equal(x, y))
			return false;
	}
	return true;
}

static int
by_description(const void *a, const void *b)
{
	const struct wisp_task *x = *(const struct wisp_task *const *)a, *y = *(const struct wisp_task *const *)b;
	int order = strcmp(x->description, y->description);

	if (order != 0)
		return order;
	if ((x->id == NULL) != (y->id == NULL))
		return x->id == NULL ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* The tasks that are not `taken`, sorted by description, those without an id first. */
static const struct wisp_task **
unmatched(const struct wisp_tasks *t, const size_t *taken, size_t *count)
{
	const struct wisp_task **list = wisp_alloc(t->count, sizeof *list);
	size_t i;

	*count = 0;
	for (i = 0; i < t->count; i++)
		if (taken[i] == NONE)
			list[(*count)++] = &t->list[i];
	if (*count > 0)
		qsort(list, *count, sizeof *list, by_description);
	return list;
}

/* Which task is which: indexes into the other list, or NONE. */
struct match {
	size_t *to_new, *to_old;
};

static void
pair(struct match *m, const struct wisp_task *old, const struct wisp_task *new)
{
	m->to_new[old->number - 1] = new->number - 1;
	m->to_old[new->number - 1] = old->number - 1;
}

/* Equal descriptions are paired in order; two that both have an id never are, so those without go first. */
static void
match_descriptions(struct match *m, const struct wisp_tasks *old, const struct wisp_tasks *new)
{
	const struct wisp_task **a, **b;
	size_t i = 0, j = 0, n_a, n_b;
	int order;

	a = unmatched(old, m->to_new, &n_a);
	b = unmatched(new, m->to_old, &n_b);
	while (i < n_a && j < n_b) {
		order = strcmp(a[i]->description, b[j]->description);
		if (order == 0 && (a[i]->id == NULL || b[j]->id == NULL))
			pair(m, a[i++], b[j++]);
		else if (order <= 0)
			i++;
		else
			j++;
	}
	free(a);
	free(b);
}

static bool
same_name(const struct wisp_task *a, const struct wisp_task *b)
{
	if (a->id != NULL && b->id != NULL)
		return strcmp(a->id, b->id) == 0;
	return a->id == NULL && b->id == NULL && strcmp(a->description, b->description) == 0;
}

/* Is each old task still in its place? It is paired with the one there then, as sorting would have it: equal ones in order. */
static bool
match_places(struct match *m, const struct wisp_tasks *old, const struct wisp_tasks *new)
{
	size_t i;

	for (i = 0; i < old->count; i++)
		if (i == new->count || !same_name(&old->list[i], &new->list[i]))
			return false;
	for (i = 0; i < old->count; i++)
		pair(m, &old->list[i], &new->list[i]);
	return true;
}

static void
match_init(struct match *m, const struct wisp_tasks *old, const struct wisp_tasks *new)
{
	struct wisp_depends ids;
	const struct wisp_task *other;
	size_t i;

	m->to_new = wisp_alloc(old->count, sizeof *m->to_new);
	m->to_old = wisp_alloc(new->count, sizeof *m->to_old);
	for (i = 0; i < old->count; i++)
		m->to_new[i] = NONE;
	for (i = 0; i < new->count; i++)
		m->to_old[i] = NONE;
	if (match_places(m, old, new))
		return;
	wisp_depends_init(&ids, new);
	for (i = 0; i < old->count; i++) {
		other = old->list[i].id != NULL ? wisp_depends_find(&ids, old->list[i].id) : NULL;
		if (other != NULL)
			pair(m, &old->list[i], other);
	}
	wisp_depends_release(&ids);
	match_descriptions(m, old, new);
}

static void
match_release(struct match *m)
{
	free(m->to_new);
	free(m->to_old);
}

/*
 * Marks the fewest old tasks whose moving explains the new order: all that are
 * not in a longest increasing subsequence of new places. `tail[n]` is the old
 * task that ends the best subsequence of length n + 1 so far.
 */
static void
find_moved(const size_t *to_new, size_t count, bool *moved)
{
	size_t *tail = wisp_alloc(count, sizeof *tail), *before = wisp_alloc(count, sizeof *before);
	size_t i, low, high, mid, length = 0;

	for (i = 0; i < count; i++) {
		moved[i] = to_new[i] != NONE;
		if (!moved[i])
			continue;
		for (low = 0, high = length; low < high; ) {
			mid = low + (high - low) / 2;
			if (to_new[tail[mid]] < to_new[i])
				low = mid + 1;
			else
				high = mid;
		}
		before[i] = low > 0 ? tail[low - 1] : NONE;
		tail[low] = i;
		if (low == length)
			length++;
	}
	for (i = length > 0 ? tail[length - 1] : NONE; i != NONE; i = before[i])
		moved[i] = false;
	free(tail);
	free(before);
}

static void
push(size_t **list, size_t *n, size_t index)
{
	/* Room doubles whenever the count is a power of two. */
	if ((*n & (*n - 1)) == 0)
		*list = wisp_realloc(*list, *n > 0 ? *n * 2 : 1, sizeof **list);
	(*list)[(*n)++] = index + 1;
}

static void
compare_old(struct wisp_tasks_diff *d, const struct wisp_tasks *old, const struct wisp_tasks *new,
	    const size_t *to_new)
{
	bool *moved = wisp_alloc(old->count, sizeof *moved);
	size_t i;

	find_moved(to_new, old->count, moved);
	for (i = 0; i < old->count; i++) {
		if (to_new[i] == NONE) {
			push(&d->lost, &d->n_lost, i);
			continue;
		}
		if (!same_wording(&old->list[i], &new->list[to_new[i]])) {
			push(&d->reworded, &d->n_reworded, i);
			push(&d->became, &d->n_became, to_new[i]);
		}
		if (moved[i])
			push(&d->moved, &d->n_moved, i);
	}
	free(moved);
}

void
wisp_tasks_compare(struct wisp_tasks_diff *d, const struct wisp_tasks *old, const struct wisp_tasks *new)
{
	bool was, end = true;
	struct match m;
	size_t i;

	*d = (struct wisp_tasks_diff){.lawful = true};
	if (old->doc == new->doc)
		return;
	match_init(&m, old, new);
	compare_old(d, old, new, m.to_new);
	for (i = 0; i < new->count; i++) {
		was = m.to_old[i] != NONE && old->list[m.to_old[i]].passes;
		if (m.to_old[i] == NONE)
			push(&d->added, &d->n_added, i);
		else if (d->n_added > 0)
			end = false;	/* an old task after a new one */
		if (new->list[i].passes && !was)
			push(&d->passed, &d->n_passed, i);
		else if (!new->list[i].passes && was)
			push(&d->reopened, &d->n_reopened, i);
	}
	d->lawful = end && d->n_lost == 0 && d->n_reworded == 0 && d->n_moved == 0;
	match_release(&m);
}

void
wisp_tasks_diff_release(struct wisp_tasks_diff *d)
{
	free(d->lost);
	free(d->reworded);
	free(d->became);
	free(d->moved);
	free(d->passed);
	free(d->reopened);
	free(d->added);
	*d = (struct wisp_tasks_diff){0};
}

void
wisp_tasks_put_back(struct wisp_tasks *old, const struct wisp_tasks *new)
{
	bool *passes = wisp_alloc(old->count, sizeof *passes);
	const struct wisp_task *other;
	struct match m;
	size_t i;

	match_init(&m, old, new);
	for (i = 0; i < old->count; i++) {
		other = m.to_new[i] != NONE ? &new->list[m.to_new[i]] : NULL;
		passes[i] = other != NULL && same_wording(&old->list[i], other) ? other->passes : old->list[i].passes;
	}
	wisp_tasks_set_passes(old, passes);
	match_release(&m);
	free(passes);
}
