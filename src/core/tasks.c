/*
 * tasks: see tasks.h; ids and dependencies are in depends.c, changes
 * in tasks_change.c, two lists side by side in tasks_diff.c.
 */
#include "tasks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "depends.h"
#include "hash.h"
#include "schema.h"

enum { CATEGORY, DESCRIPTION, STEPS, PASSES, ID, PRIORITY, DEPENDS_ON, ACCEPTANCE, VERIFY, NOTES, FIELDS };

static const struct wisp_field fields[FIELDS + 1] = {
	[CATEGORY] = {"category", WISP_T_STRING, WISP_REQUIRED, WISP_CATEGORIES, WISP_T_NONE},
	[DESCRIPTION] = {"description", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	[STEPS] = {"steps", WISP_T_ARRAY, WISP_REQUIRED, NULL, WISP_T_STRING},
	[PASSES] = {"passes", WISP_T_BOOL, WISP_REQUIRED, NULL, WISP_T_NONE},
	[ID] = {"id", WISP_T_STRING, WISP_FILLED, NULL, WISP_T_NONE},
	[PRIORITY] = {"priority", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	[DEPENDS_ON] = {"depends_on", WISP_T_ARRAY, 0, NULL, WISP_T_STRING},
	[ACCEPTANCE] = {"acceptance", WISP_T_ARRAY, 0, NULL, WISP_T_STRING},
	[VERIFY] = {"verify", WISP_T_STRING, WISP_FILLED, NULL, WISP_T_NONE},
	[NOTES] = {"notes", WISP_T_STRING, 0, NULL, WISP_T_NONE},
};

/* Where a long is shorter than what the schema lets through. */
static long
clamp(double d)
{
	return d >= (double)LONG_MAX ? LONG_MAX - 1 : d <= (double)LONG_MIN ? LONG_MIN : (long)d;
}

/* Adds a task whose fields were checked. */
static void
add(struct wisp_tasks *t, const struct cJSON *json, const struct cJSON *const *found)
{
	struct wisp_task *task = &t->list[t->count++];

	task->number = t->count;
	task->json = json;
	task->id = wisp_json_text(found[ID], NULL);
	task->category = wisp_json_text(found[CATEGORY], NULL);
	task->description = wisp_json_text(found[DESCRIPTION], NULL);
	task->verify = wisp_json_text(found[VERIFY], NULL);
	task->depends_on = found[DEPENDS_ON];
	task->priority = found[PRIORITY] != NULL ? clamp(wisp_json_number(found[PRIORITY], 0)) : WISP_NO_PRIORITY;
	task->passes = wisp_json_true(found[PASSES]);
	t->passed += task->passes;
}

/* From t->doc. 0, or -1 with `err` if the list does not hold. */
static int
fill_all(struct wisp_tasks *t, const struct wisp_source *src, struct wisp_err *err)
{
	const struct cJSON *json, *found[FIELDS];
	struct wisp_at at = {0};
	struct wisp_depends depends;
	int rc;

	if (wisp_json_type(t->doc) != WISP_T_ARRAY)
		return wisp_schema_refuse(src, NULL, err, "expected an array, not %s",
					  wisp_type_name(wisp_json_type(t->doc)));
	t->list = wisp_alloc(wisp_json_len(t->doc), sizeof *t->list);
	for (json = wisp_json_first(t->doc); json != NULL; json = wisp_json_next(json)) {
		at.index = t->count;
		if (wisp_schema_check(src, &at, json, fields, found, err) < 0)
			return -1;
		add(t, json, found);
	}
	wisp_depends_init(&depends, t);
	rc = wisp_depends_check(&depends, t, src, err);
	wisp_depends_release(&depends);
	return rc;
}

/* The lists that were valid last; two, since a step's list is held against the one before it. */
static struct {
	struct wisp_tasks tasks;
	size_t users;
	bool newest;
	char sha[WISP_HASH_SIZE];	/* of its bytes; "" until it is asked for */
} kept[2];

static void
release(struct wisp_tasks *t)
{
	wisp_buf_release(&t->bytes);
	wisp_json_free(t->doc);
	free(t->list);
	*t = (struct wisp_tasks){0};
}

/* Takes doc and list of the list that has these very bytes, if it is kept. */
static bool
share(struct wisp_tasks *t)
{
	for (size_t i = 0; i < 2; i++) {
		const struct wisp_tasks *k = &kept[i].tasks;

		if (k->doc == NULL || k->bytes.len != t->bytes.len || memcmp(k->bytes.data, t->bytes.data, t->bytes.len) != 0)
			continue;
		t->doc = k->doc;
		t->list = k->list;
		t->count = k->count;
		t->passed = k->passed;
		t->shared = true;
		kept[i].users++;
		kept[i].newest = true;
		kept[1 - i].newest = false;
		return true;
	}
	return false;
}

/* Keeps a list that was just found valid in place of one that is not in use, if there is one. */
static void
keep(struct wisp_tasks *t)
{
	size_t i = kept[0].newest ? 1 : 0;

	if (kept[i].users > 0)
		i = 1 - i;
	if (kept[i].users > 0)
		return;
	release(&kept[i].tasks);
	kept[i].tasks = *t;
	kept[i].tasks.bytes = (struct wisp_buf)WISP_BUF_INIT;
	wisp_buf_add(&kept[i].tasks.bytes, t->bytes.data, t->bytes.len);
	kept[i].users = 1;
	kept[i].newest = true;
	kept[i].sha[0] = '\0';
	kept[1 - i].newest = false;
	t->shared = true;
}

/* From t->bytes, which are not shared. */
static enum wisp_verdict
parse(struct wisp_tasks *t, const char *path, struct wisp_err *err)
{
	const struct wisp_source src = {t->bytes.data, t->bytes.len, path, "tasks"};
	enum wisp_verdict verdict = wisp_json_decide(t->bytes.data, t->bytes.len, path, &t->doc, err);

	if (verdict == WISP_VALID && fill_all(t, &src, err) < 0)
		verdict = WISP_INVALID;
	if (verdict != WISP_VALID)
		release(t);
	return verdict;
}

static enum wisp_verdict
parse_once(struct wisp_tasks *t, const char *path, struct wisp_err *err)
{
	enum wisp_verdict verdict;

	if (share(t))
		return WISP_VALID;
	verdict = parse(t, path, err);
	if (verdict == WISP_VALID)
		keep(t);
	return verdict;
}

enum wisp_verdict
wisp_tasks_parse(struct wisp_tasks *t, const char *data, size_t len, const char *path, struct wisp_err *err)
{
	*t = (struct wisp_tasks){0};
	if (len > WISP_TASKS_MAX) {
		wisp_err_set(err, path, 0, 0, "larger than %zu MiB", WISP_TASKS_MAX >> 20);
		return WISP_MALFORMED;
	}
	wisp_buf_add(&t->bytes, data, len);
	return parse_once(t, path, err);
}

enum wisp_verdict
wisp_tasks_load(struct wisp_tasks *t, const char *path, struct wisp_err *err)
{
	enum wisp_verdict verdict;

	*t = (struct wisp_tasks){0};
	verdict = wisp_json_read_bytes(path, WISP_TASKS_MAX, &t->bytes, err);
	if (verdict != WISP_VALID)
		release(t);
	return verdict == WISP_VALID ? parse_once(t, path, err) : verdict;
}

void
wisp_tasks_hash(const struct wisp_tasks *t, char *sha)
{
	char *known = !t->shared ? NULL : kept[0].tasks.doc == t->doc ? kept[0].sha : kept[1].sha;

	if (known == NULL || known[0] == '\0')
		wisp_hash(t->bytes.data, t->bytes.len, sha);
	else
		memcpy(sha, known, WISP_HASH_SIZE);
	if (known != NULL)
		memcpy(known, sha, WISP_HASH_SIZE);
}

bool
wisp_tasks_blank(const char *path)
{
	struct wisp_buf b = WISP_BUF_INIT;
	bool blank = wisp_file_read(path, WISP_FILE_MAX, &b) == 0;

	for (size_t i = 0; blank && i < b.len; i++)
		blank = b.data[i] == '\0';
	wisp_buf_release(&b);
	return blank;
}

/* Doc and list go back to where they are kept. */
static void
unshare(struct wisp_tasks *t)
{
	for (size_t i = 0; i < 2; i++)
		kept[i].users -= kept[i].tasks.doc == t->doc;
	t->doc = NULL;
	t->list = NULL;
	t->count = t->passed = 0;
	t->shared = false;
}

void
wisp_tasks_release(struct wisp_tasks *t)
{
	if (t->shared)
		unshare(t);
	release(t);
}

void
wisp_tasks_own(struct wisp_tasks *t)
{
	if (!t->shared)
		return;
	unshare(t);
	if (parse(t, NULL, NULL) != WISP_VALID)
		die_bug("a task list that was valid is no longer");
}

const struct wisp_task *
wisp_tasks_next(const struct wisp_tasks *t)
{
	const struct wisp_task *task, *best = NULL;
	struct wisp_depends depends;

	wisp_depends_init(&depends, t);
	for (task = t->list; task < t->list + t->count; task++)
		if (!task->passes && (best == NULL || task->priority < best->priority) &&
		    wisp_depends_met(&depends, task))
			best = task;
	wisp_depends_release(&depends);
	return best;
}

const struct wisp_task *
wisp_tasks_find(const struct wisp_tasks *t, const char *name)
{
	unsigned long long number;
	size_t i;
	char *end;

	for (i = 0; i < t->count; i++)
		if (t->list[i].id != NULL && strcmp(t->list[i].id, name) == 0)
			return &t->list[i];
	if (*name < '1' || *name > '9')
		return NULL;
	errno = 0;
	number = strtoull(name, &end, 10);
	return *end == '\0' && errno == 0 && number <= t->count ? &t->list[number - 1] : NULL;
}
