/*
 * ledger: see ledger.h.
 */
#include "ledger.h"

#include <stdlib.h>
#include <string.h>

#define NAME_MAX_BYTES 1024	/* of a task's name; what is longer is compared by its beginning */
#define NAMES_MAX 50		/* of tampered files, of protected ones, and of claims that differ */

/* What a task is known by; the caller frees it. */
static char *
name_of(const struct wisp_task *task)
{
	const char *name = task->id != NULL ? task->id : task->description;

	return wisp_str("%.*s", (int)wisp_utf8_cut(name, strlen(name), NAME_MAX_BYTES), name);
}

static struct cJSON *
find(const struct cJSON *list, const char *name)
{
	struct cJSON *e = wisp_json_first(list);

	while (e != NULL && strcmp(wisp_json_str(e, "name", ""), name) != 0)
		e = wisp_json_next(e);
	return e;
}

const struct cJSON *
wisp_ledger_of(const struct cJSON *ledger, const struct wisp_task *task)
{
	char *name = name_of(task);
	const struct cJSON *e = find(ledger, name);

	free(name);
	return e;
}

static void
open_again(struct cJSON *e)
{
	wisp_json_set_null(e, "commit");
	wisp_json_set_null(e, "iteration");
}

/* What was observed with the last claim; nothing of it is left for NULL. */
static void
note_observed(struct cJSON *e, const struct cJSON *entry)
{
	static const char *const members[] = {"observed", "claimed_differs"};

	for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
		const struct cJSON *v = wisp_json_get(entry, members[i]);

		wisp_json_drop(e, members[i]);
		if (v != NULL)
			wisp_json_set(e, members[i], wisp_json_copy(v));
	}
}

/* The entry of a task, made where there is none. */
static struct cJSON *
entry_of(struct cJSON *ledger, const struct wisp_task *task)
{
	char *name = name_of(task);
	struct cJSON *e = find(ledger, name);

	if (e == NULL) {
		e = wisp_json_object();
		wisp_json_set_num(e, "task", (double)task->number);
		wisp_json_set_str(e, "name", name);
		wisp_json_push(ledger, e);
	}
	free(name);
	return e;
}

/* One claim of `task`: does it stand? */
static void
note_claim(struct cJSON *ledger, const struct wisp_task *task, const struct cJSON *step, const struct cJSON *entry,
	   bool stands, const char *head)
{
	const char *verify = wisp_json_str(entry, "verify", "none");
	const char *before = wisp_json_str(step, "head", "");
	double n = wisp_json_num(step, "iteration", 0);
	struct cJSON *e = entry_of(ledger, task);

	wisp_json_set_num(e, "claims", wisp_json_num(e, "claims", 0) + 1);
	wisp_json_set_num(e, "claimed", n);
	wisp_json_set_num(e, "refused", wisp_json_num(e, "refused", 0) + (stands ? 0 : 1));
	wisp_json_set_str(e, "verify", strcmp(verify, "passed") == 0 || strcmp(verify, "failed") == 0 ? verify : "none");
	open_again(e);
	note_observed(e, entry);
	if (!stands)
		return;
	if (head != NULL && strcmp(head, before) != 0)
		wisp_json_set_str(e, "commit", head);
	wisp_json_set_num(e, "iteration", n);
}

/* The entries of the list as it is now, in its order; a task that is open again passes since nothing. */
static void
put_in_order(struct wisp_record *r, const struct wisp_tasks *tasks)
{
	struct cJSON *old = wisp_json_array_at(r->doc, "ledger"), *ledger = wisp_json_array(), *e;

	for (size_t i = 0; i < tasks->count; i++) {
		e = wisp_json_copy(wisp_ledger_of(old, &tasks->list[i]));
		if (e == NULL)
			continue;
		wisp_json_set_num(e, "task", (double)tasks->list[i].number);
		if (!tasks->list[i].passes)
			open_again(e);
		wisp_json_push(ledger, e);
	}
	wisp_json_set(r->doc, "ledger", ledger);
}

static void
settle_tasks(struct wisp_record *r, const struct wisp_tasks *tasks, const struct cJSON *entry, const char *head)
{
	const struct cJSON *step = wisp_json_get(r->doc, "step"), *claims = wisp_json_get(step, "claims");
	struct cJSON *ledger = wisp_json_array_at(r->doc, "ledger");
	bool stands = strcmp(wisp_json_str(entry, "state", ""), "valid") == 0 &&
		      strcmp(wisp_json_str(entry, "verify", "none"), "failed") != 0;

	for (const struct cJSON *c = wisp_json_first(claims); c != NULL; c = wisp_json_next(c)) {
		size_t n = (size_t)wisp_json_number(c, 0);

		if (n >= 1 && n <= tasks->count)
			note_claim(ledger, &tasks->list[n - 1], step, entry, stands, head);
	}
	put_in_order(r, tasks);
}

/* Adds to the names of `member`; the oldest go beyond the limit. */
static void
count_names(struct cJSON *tally, const char *member, const struct cJSON *entry)
{
	struct cJSON *list = wisp_json_array_at(tally, member), *e;

	for (const struct cJSON *n = wisp_json_first(wisp_json_get(entry, member)); n != NULL; n = wisp_json_next(n)) {
		const char *name = wisp_json_text(n, "?");

		e = find(list, name);
		if (e == NULL) {
			e = wisp_json_object();
			wisp_json_set_str(e, "name", name);
			wisp_json_push(list, e);
		}
		wisp_json_set_num(e, "times", wisp_json_num(e, "times", 0) + 1);
		wisp_json_set_num(e, "iteration", wisp_json_num(entry, "iteration", 0));
	}
	while (wisp_json_len(list) > NAMES_MAX)
		wisp_json_shift(list);
}

static void
count(struct wisp_record *r, const struct cJSON *entry)
{
	struct cJSON *tally = wisp_json_object_at(r->doc, "tally"), *outcomes = wisp_json_object_at(tally, "outcomes");
	const char *outcome = wisp_json_str(entry, "outcome", "limit");

	wisp_json_set_num(outcomes, outcome, wisp_json_num(outcomes, outcome, 0) + 1);
	count_names(tally, "tampered", entry);
	count_names(tally, "protected", entry);
	count_names(tally, "claimed_differs", entry);
}

void
wisp_ledger_settle(struct wisp_record *r, const struct cJSON *entry, const char *head)
{
	const struct cJSON *claims = wisp_json_get(wisp_json_get(r->doc, "step"), "claims");
	struct wisp_tasks tasks = {0};

	count(r, entry);
	/* A template with phases needs no task list; nor is it read where nothing was claimed. */
	if (wisp_json_len(claims) + wisp_json_len(wisp_json_array_at(r->doc, "ledger")) > 0 &&
	    wisp_record_good_tasks(r, NULL, &tasks, NULL) == 0)
		settle_tasks(r, &tasks, entry, head);
	wisp_tasks_release(&tasks);
}

void
wisp_ledger_checked(struct wisp_record *r)
{
	struct cJSON *ledger = wisp_json_array_at(r->doc, "ledger");
	struct wisp_tasks tasks = {0};

	if (wisp_record_good_tasks(r, NULL, &tasks, NULL) == 0)
		for (size_t i = 0; i < tasks.count; i++)
			if (tasks.list[i].passes)
				wisp_json_set_str(entry_of(ledger, &tasks.list[i]), "verify", "passed");
	wisp_tasks_release(&tasks);
}

void
wisp_ledger_next(struct wisp_record *r)
{
	struct cJSON *old = wisp_json_array_at(r->doc, "ledger"), *ledger = wisp_json_array(), *kept;

	for (const struct cJSON *e = wisp_json_first(old); e != NULL; e = wisp_json_next(e)) {
		if (strcmp(wisp_json_str(e, "verify", ""), "passed") != 0)
			continue;
		kept = wisp_json_object();
		wisp_json_set_num(kept, "task", wisp_json_num(e, "task", 0));
		wisp_json_set_str(kept, "name", wisp_json_str(e, "name", ""));
		wisp_json_set_str(kept, "verify", "passed");
		wisp_json_set_str(kept, "commit", wisp_json_str(e, "commit", NULL));
		wisp_json_push(ledger, kept);
	}
	wisp_json_set(r->doc, "ledger", ledger);
}

void
wisp_ledger_rollback(struct wisp_record *r, long long n)
{
	struct cJSON *ledger = wisp_json_array_at(r->doc, "ledger");

	for (struct cJSON *e = wisp_json_first(ledger); e != NULL; e = wisp_json_next(e)) {
		if (wisp_json_int(e, "iteration", 0) > n)
			open_again(e);
		/* The numbers after n are given again, to other iterations. */
		if (wisp_json_int(e, "claimed", 0) > n) {
			wisp_json_set_null(e, "claimed");
			wisp_json_set_str(e, "verify", "none");
			note_observed(e, NULL);
		}
	}
}
