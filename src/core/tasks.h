/*
 * tasks: the task list, tasks.json (wisp-state(5)).
 *
 * A loaded list keeps the file's bytes and the parsed document side by side.
 * Every change is a change of bytes through scan: order, layout, unknown
 * fields and numbers stay as they are.
 *
 * A program reads the same list several times, and thousands of tasks take
 * a while: what was valid is kept, and the same bytes are not parsed again. A list
 * that is changed is first given a document of its own.
 *
 * Schema: an array of objects; category one of setup feature bugfix refactor
 * test docs, description a non-empty string, steps an array of strings, passes
 * a boolean are required; id a non-empty string, unique; priority an integer;
 * depends_on ids of this list, no cycle; acceptance strings; verify a
 * non-empty string; notes a string. Other fields are kept and not looked at.
 */
#ifndef WISP_TASKS_H
#define WISP_TASKS_H

#include <limits.h>
#include "json.h"

#define WISP_TASKS_MAX ((size_t)8 << 20)	/* bytes; a document takes many times as much memory */
#define WISP_NO_PRIORITY LONG_MAX
#define WISP_CATEGORIES "setup|feature|bugfix|refactor|test|docs"

struct wisp_task {
	size_t number;			/* from 1, as people count */
	const char *id;			/* NULL where it has none; all strings are borrowed */
	const char *category, *description, *verify;
	long priority;			/* WISP_NO_PRIORITY where it has none */
	bool passes;
	const struct cJSON *depends_on;	/* NULL where it has none */
	const struct cJSON *json;
};

struct wisp_tasks {
	struct wisp_buf bytes;
	struct cJSON *doc;
	struct wisp_task *list;
	size_t count, passed;
	bool shared;			/* doc and list belong to the list that was parsed last */
};

/* VALID, or what is wrong with `err` filled (`tasks[3].passes: expected a boolean`, with its line and column). */
enum wisp_verdict wisp_tasks_load(struct wisp_tasks *t, const char *path, struct wisp_err *err) WISP_CHECK;
/* The same for bytes in memory (copied); `path` only names them. */
enum wisp_verdict wisp_tasks_parse(struct wisp_tasks *t, const char *data, size_t len,
				   const char *path, struct wisp_err *err) WISP_CHECK;
void wisp_tasks_release(struct wisp_tasks *t);	/* twice is fine */
/* Of its bytes, as wisp_hash has it; asked once of the same bytes. `sha` holds WISP_HASH_SIZE. */
void wisp_tasks_hash(const struct wisp_tasks *t, char *sha);
/* Gives a list that is to be changed a document of its own; what was borrowed of it before is no longer its. */
void wisp_tasks_own(struct wisp_tasks *t);

/*
 * Has `now`, any bytes, nothing but other values of `passes` than `old`, the bytes of a valid list? Then it is one, too; the
 * numbers of the tasks that pass in it alone are added to `claims`, and *passed changes by how many more do. false: it is
 * to be parsed, and what was added says nothing.
 */
bool wisp_tasks_flips(const struct wisp_buf *old, const struct wisp_buf *now, struct cJSON *claims, size_t *passed) WISP_CHECK;
/* The tasks of these numbers, of the bytes of a valid list: a new array, without those that are not there. */
struct cJSON *wisp_tasks_some(const struct wisp_buf *list, const struct cJSON *numbers);

/*
 * The next task: the first open one whose dependencies pass, by priority (1
 * before 2, none last), then by order. NULL where there is none.
 */
const struct wisp_task *wisp_tasks_next(const struct wisp_tasks *t);
/* By number ("3", from 1) or id; an id wins. NULL where there is none. */
const struct wisp_task *wisp_tasks_find(const struct wisp_tasks *t, const char *name);

/* Sets `passes` of task `number` in t->bytes and t->doc. */
void wisp_tasks_mark(struct wisp_tasks *t, size_t number, bool passes);
/* The same for all tasks at once, t->count of them: one pass over the bytes however many change. */
void wisp_tasks_set_passes(struct wisp_tasks *t, const bool *passes);
/* Adds a task (an object of the schema; consumed) at the end. -1 with `err` if the list would not hold. */
int wisp_tasks_append(struct wisp_tasks *t, struct cJSON *task, struct wisp_err *err) WISP_CHECK;
/*
 * Makes a change that was asked for: {"op": "pass" or "open", "task": number or
 * id as text} or {"op": "add", "add": {...}}. 0 made, also where nothing had
 * to change; 1 no such task; -1 with `err`.
 */
int wisp_tasks_apply(struct wisp_tasks *t, const struct cJSON *change, struct wisp_err *err) WISP_CHECK;
/* Does the file hold nothing, or nothing but NUL? A power cut leaves it so: it is no list that was meant. */
bool wisp_tasks_blank(const char *path);
/* Replaces the file atomically with t->bytes. */
int wisp_tasks_write(const struct wisp_tasks *t, const char *path) WISP_CHECK;

/*
 * What became of a list. Tasks are matched by id where both have one, else by
 * description. Lists of numbers: lost, reworded, moved in the OLD list; passed
 * (newly), reopened, added in the NEW one, as is `became`: what the reworded are
 * there. `lawful`: an agent may do that in a step: passes either way, tasks added
 * at the end, notes edited, nothing else.
 * An added task that already passes counts as added and as passed.
 */
struct wisp_tasks_diff {
	size_t *lost, *reworded, *became, *moved, *passed, *reopened, *added;
	size_t n_lost, n_reworded, n_became, n_moved, n_passed, n_reopened, n_added;
	bool lawful;
};
void wisp_tasks_compare(struct wisp_tasks_diff *d, const struct wisp_tasks *old, const struct wisp_tasks *new);
void wisp_tasks_diff_release(struct wisp_tasks_diff *d);
/* The old list with the new one's `passes` where the task is the same: what a violation is put back to. */
void wisp_tasks_put_back(struct wisp_tasks *old, const struct wisp_tasks *new);

#endif
