/*
 * schedule: see schedule.h.
 */
#include "schedule.h"

#include <stdlib.h>
#include <string.h>

#include "core/buf.h"

#define NONE ((size_t)-1)

static void
add(struct wisp_deeds *d, enum wisp_deed what, size_t system, size_t cause)
{
	d->list[d->count].what = what;
	d->list[d->count].system = system;
	d->list[d->count].cause = cause;
	d->count++;
}

static size_t
count_of(const struct wisp_system *systems, size_t count, enum wisp_system_status status)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += systems[i].status == status;
	return n;
}

static bool
ready(const struct wisp_system *systems, size_t i)
{
	if (systems[i].status != WISP_SYSTEM_OPEN)
		return false;
	for (size_t n = 0; n < systems[i].n_needs; n++)
		if (systems[systems[i].needs[n]].status != WISP_SYSTEM_MERGED)
			return false;
	return true;
}

/* The first of those by priority that are ready and (not) parallelizable; NONE. */
static size_t
best(const struct wisp_system *systems, size_t count, bool parallelizable)
{
	size_t found = NONE;

	for (size_t i = 0; i < count; i++)
		if (systems[i].parallelizable == parallelizable && ready(systems, i) &&
		    (found == NONE || systems[i].priority < systems[found].priority))
			found = i;
	return found;
}

/* Is one that has to be alone between its start and its merge? */
static bool
alone(const struct wisp_system *systems, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!systems[i].parallelizable && systems[i].status >= WISP_SYSTEM_ACTIVE && systems[i].status <= WISP_SYSTEM_MERGING)
			return true;
	return false;
}

/* What depends on one that has failed will never be ready. */
static void
fail(struct wisp_deeds *d, struct wisp_system *systems, size_t count)
{
	for (bool again = true; again;) {
		again = false;
		for (size_t i = 0; i < count; i++)
			for (size_t n = 0; systems[i].status == WISP_SYSTEM_OPEN && n < systems[i].n_needs; n++)
				if (systems[systems[i].needs[n]].status == WISP_SYSTEM_FAILED) {
					add(d, WISP_DEED_FAIL, i, systems[i].needs[n]);
					systems[i].status = WISP_SYSTEM_FAILED;
					again = true;
				}
	}
}

static void
merge(struct wisp_deeds *d, struct wisp_system *systems, size_t count)
{
	size_t oldest = NONE;

	if (count_of(systems, count, WISP_SYSTEM_MERGING) > 0)
		return;
	for (size_t i = 0; i < count; i++)
		if (systems[i].status == WISP_SYSTEM_FINISHED &&
		    (oldest == NONE || systems[i].finished < systems[oldest].finished))
			oldest = i;
	if (oldest != NONE) {
		add(d, WISP_DEED_MERGE, oldest, 0);
		systems[oldest].status = WISP_SYSTEM_MERGING;
	}
}

static void
start(struct wisp_deeds *d, struct wisp_system *systems, size_t count, size_t parallel)
{
	size_t active = count_of(systems, count, WISP_SYSTEM_ACTIVE), serial = best(systems, count, false), next;

	if (alone(systems, count))
		return;
	if (serial != NONE) {
		/* Those that work are let end. What is finished is merged first, since it may be what this one builds on. */
		if (active == 0 && count_of(systems, count, WISP_SYSTEM_FINISHED) == 0 && count_of(systems, count, WISP_SYSTEM_MERGING) == 0) {
			add(d, WISP_DEED_START, serial, 0);
			systems[serial].status = WISP_SYSTEM_ACTIVE;
		}
		return;
	}
	while (active < parallel && (next = best(systems, count, true)) != NONE) {
		add(d, WISP_DEED_START, next, 0);
		systems[next].status = WISP_SYSTEM_ACTIVE;
		active++;
	}
}

static enum wisp_deed
left(const struct wisp_system *systems, size_t count)
{
	size_t over = count_of(systems, count, WISP_SYSTEM_MERGED) + count_of(systems, count, WISP_SYSTEM_FAILED);

	if (over == count)
		return WISP_DEED_DONE;
	if (count_of(systems, count, WISP_SYSTEM_ACTIVE) > 0 || count_of(systems, count, WISP_SYSTEM_MERGING) > 0)
		return WISP_DEED_WAIT;
	return WISP_DEED_PERSON;
}

void
wisp_schedule(struct wisp_deeds *d, const struct wisp_system *systems, size_t count, size_t parallel)
{
	struct wisp_system *now = wisp_alloc(count + 1, sizeof *now);

	if (count > 0)
		memcpy(now, systems, count * sizeof *now);
	d->list = wisp_alloc(2 * count + 1, sizeof *d->list);
	d->count = 0;
	fail(d, now, count);
	merge(d, now, count);
	start(d, now, count, parallel > 0 ? parallel : 1);
	add(d, left(now, count), 0, 0);
	free(now);
}

void
wisp_schedule_waves(size_t *waves, const struct wisp_system *systems, size_t count, size_t parallel)
{
	struct wisp_system *now = wisp_alloc(count + 1, sizeof *now);
	struct wisp_deeds d;

	for (size_t i = 0; i < count; i++) {
		now[i] = systems[i];
		now[i].status = systems[i].status == WISP_SYSTEM_MERGED ? WISP_SYSTEM_MERGED : WISP_SYSTEM_OPEN;
		waves[i] = 0;
	}
	for (size_t wave = 0; wave <= count; wave++) {
		wisp_schedule(&d, now, count, parallel);
		for (size_t k = 0; k < d.count; k++)
			if (d.list[k].what == WISP_DEED_START) {
				waves[d.list[k].system] = wave;
				now[d.list[k].system].status = WISP_SYSTEM_MERGED;
			}
		free(d.list);
	}
	free(now);
}
