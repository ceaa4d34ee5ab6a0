/*
 * record: the commit point, what is published, and the parts of the document.
 */
#include "record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hash.h"
#include "time.h"

const char *const wisp_published[][2] = {
	{"session", "session.json"},
	{"history", "history.json"},
	{"breaker", "breaker.json"},
	{"limits", "limits.json"},
	{"phases", "loop-state.json"},
	{"orchestration", "loop-state.json"},	/* never both */
	{NULL, NULL}
};

char *
wisp_record_dir_path(const struct wisp_record *r, const char *name)
{
	return wisp_str("%s/%s", r->place->dir, name);
}

char *
wisp_record_home_path(const struct wisp_record *r, const char *name)
{
	return wisp_str("%s/%s", r->home, name);
}

/* PRP_SESSION_DIR (000_): whoever looks on there; where it cannot be written nothing of ours is lost. */
static void
publish_there(const struct wisp_buf *loop)
{
	const char *dir = getenv("PRP_SESSION_DIR");
	char *path;

	if (dir == NULL || *dir == '\0')
		return;
	path = wisp_str("%s/loop-state.json", dir);
	if (wisp_dir_make(dir) != 0 || wisp_file_write(path, loop->data, loop->len, WISP_NOSYNC) != 0)
		errno = 0;
	free(path);
}

/* The loop state shows the session's id, status and reasons as its own (000_). */
static void
mirror(struct wisp_record *r)
{
	static const char *const shared[] = {"session_id", "status", "halt_reason", "pause_reason", "paused_at", "last_activity"};
	struct cJSON *loop = wisp_json_get(r->doc, "phases");

	for (size_t i = 0; wisp_json_type(loop) == WISP_T_OBJECT && i < sizeof shared / sizeof *shared; i++)
		wisp_json_set(loop, shared[i], wisp_json_copy(wisp_json_get(wisp_record_session(r), shared[i])));
}

int
wisp_record_publish(const struct wisp_record *r)
{
	struct wisp_buf want = WISP_BUF_INIT;
	int rc = 0;

	for (int i = 0; rc == 0 && wisp_published[i][0] != NULL; i++) {
		const struct cJSON *v = wisp_json_get(r->doc, wisp_published[i][0]);
		char *path;

		if (wisp_json_type(v) == WISP_T_NULL || v == NULL)
			continue;
		path = wisp_record_dir_path(r, wisp_published[i][1]);
		wisp_buf_reset(&want);
		wisp_json_print(&want, v);
		if (!wisp_file_holds(path, want.data, want.len))
			rc = wisp_file_write(path, want.data, want.len, WISP_NOSYNC);
		if (rc == 0 && strcmp(wisp_published[i][0], "phases") == 0)
			publish_there(&want);
		free(path);
	}
	wisp_buf_release(&want);
	/* What an agent, or an older wisp, has left for all to read. */
	if (r->place->home != NULL) {
		wisp_dir_private(r->place->dir);
		wisp_dir_private(r->place->home);
	}
	return rc;
}

/* Puts the document in the place of record.json, synced; of a session the old one is kept, and what a step noted over it is over. */
static int
replace(struct wisp_record *r)
{
	char *path = wisp_record_home_path(r, WISP_RECORD), *last = wisp_record_home_path(r, WISP_RECORD_LAST);
	char *now = wisp_record_home_path(r, WISP_RECORD_NOW);
	bool session = r->place->home != NULL;
	struct wisp_buf out = WISP_BUF_INIT;
	int rc;

	wisp_json_print(&out, r->doc);
	rc = wisp_file_write_keeping(path, session ? last : NULL, out.data, out.len);
	if (rc >= 0) {
		memcpy(r->sha[WISP_RECORD_WAS], rc == 0 ? r->sha[WISP_RECORD_IS] : "", rc == 0 ? WISP_HASH_SIZE : 1);
		wisp_hash(out.data, out.len, r->sha[WISP_RECORD_IS]);
		rc = 0;
	}
	if (rc == 0 && session)
		strcpy(r->sha[WISP_RECORD_OPEN], unlink(now) == 0 || errno == ENOENT ? "-" : "?");
	wisp_buf_release(&out);
	free(now);
	free(last);
	free(path);
	return rc;
}

int
wisp_record_commit(struct wisp_record *r)
{
	char *now = wisp_time_iso(wisp_time_now());
	bool read_back = r->place->home == NULL;
	int rc;

	if (!r->swept)
		wisp_record_sweep(r);
	wisp_json_set_str(wisp_record_session(r), "last_activity", now);
	if (!read_back)
		mirror(r);
	/* Killed before all is published, the older files must not be taken for what somebody wrote. */
	if (read_back)
		wisp_json_set_bool(r->doc, "unpublished", true);
	rc = replace(r);
	r->behind = r->later && !read_back;
	if (rc == 0 && !r->behind)
		rc = wisp_record_publish(r);
	if (rc == 0 && read_back) {
		wisp_json_drop(r->doc, "unpublished");
		rc = replace(r);
	}
	free(now);
	return rc != 0 ? -1 : 0;
}

bool
wisp_record_there(const char *home)
{
	char *path = wisp_str("%s/" WISP_RECORD, home), *last = wisp_str("%s/" WISP_RECORD_LAST, home);
	bool there = wisp_file_exists(path) || wisp_file_exists(last);

	free(last);
	free(path);
	return there;
}

int
wisp_record_save(struct wisp_record *r)
{
	struct wisp_buf out = WISP_BUF_INIT;
	char *path;
	int rc;

	/* Where the published files are the authority, they must follow at once. */
	if (r->place->home == NULL || strlen(r->sha[WISP_RECORD_IS]) < WISP_HASH_SIZE - 1)
		return wisp_record_commit(r);
	path = wisp_record_home_path(r, WISP_RECORD_NOW);
	wisp_json_set_str(r->doc, "base", r->sha[WISP_RECORD_IS]);
	wisp_json_print(&out, r->doc);
	wisp_json_drop(r->doc, "base");
	rc = wisp_file_write(path, out.data, out.len, WISP_NOSYNC);
	if (rc == 0)
		wisp_hash(out.data, out.len, r->sha[WISP_RECORD_OPEN]);
	wisp_buf_release(&out);
	free(path);
	return rc;
}

struct cJSON *
wisp_record_session(struct wisp_record *r)
{
	return wisp_json_object_at(r->doc, "session");
}

struct cJSON *
wisp_record_config(struct wisp_record *r)
{
	return wisp_json_object_at(r->doc, "config");
}

struct cJSON *
wisp_record_feedback(struct wisp_record *r)
{
	return wisp_json_array_at(r->doc, "feedback");
}

struct cJSON *
wisp_record_tell(struct wisp_record *r, const char *kind, const char *text)
{
	struct cJSON *entry = wisp_json_object();

	wisp_json_set_str(entry, "kind", kind);
	wisp_json_set_str(entry, "text", text);
	wisp_json_push(wisp_record_feedback(r), entry);
	return entry;
}

static int
keep(const struct wisp_record *r, const void *data, size_t len, const char *sha)
{
	char *dir = wisp_record_home_path(r, "good"), *path = wisp_str("%s/%s", dir, sha);
	int rc = 0;

	if (!wisp_file_exists(path)) {
		rc = wisp_dir_make(dir);
		if (rc == 0)
			rc = wisp_file_write(path, data, len, WISP_SYNC);
	}
	free(path);
	free(dir);
	return rc;
}

int
wisp_record_keep(const struct wisp_record *r, const void *data, size_t len, char *sha)
{
	wisp_hash(data, len, sha);
	return keep(r, data, len, sha);
}

static int
keep_list(struct wisp_record *r, const struct wisp_buf *list, const char *sha, size_t passed, size_t total)
{
	struct cJSON *counts;

	if (keep(r, list->data, list->len, sha) != 0)
		return -1;
	wisp_json_set_str(r->doc, "good", sha);
	counts = wisp_json_object_at(r->doc, "counts");
	wisp_json_set_str(counts, "good", sha);
	wisp_json_set_num(counts, "passed", (double)passed);
	wisp_json_set_num(counts, "total", (double)total);
	return 0;
}

int
wisp_record_keep_tasks(struct wisp_record *r, const struct wisp_tasks *t)
{
	char sha[WISP_HASH_SIZE];

	wisp_tasks_hash(t, sha);
	return keep_list(r, &t->bytes, sha, t->passed, t->count);
}

int
wisp_record_keep_list(struct wisp_record *r, const struct wisp_buf *list, size_t passed, size_t total)
{
	char sha[WISP_HASH_SIZE];

	wisp_hash(list->data, list->len, sha);
	return keep_list(r, list, sha, passed, total);
}

void
wisp_record_counts(const struct wisp_record *r, size_t *passed, size_t *total)
{
	const struct cJSON *counts = wisp_json_get(r->doc, "counts");
	struct wisp_tasks t = {0};

	/* A record of an older wisp has none. */
	if (strcmp(wisp_json_str(counts, "good", ""), wisp_json_str(r->doc, "good", "none")) == 0) {
		*passed = (size_t)wisp_json_num(counts, "passed", 0);
		*total = (size_t)wisp_json_num(counts, "total", 0);
		return;
	}
	(void)!wisp_record_good_tasks(r, NULL, &t, NULL);
	*passed = t.passed;
	*total = t.count;
	wisp_tasks_release(&t);
}

bool
wisp_record_good_bytes(const struct wisp_record *r, const char *sha, struct wisp_buf *out)
{
	char *path, is[WISP_HASH_SIZE] = "";

	if (sha == NULL)
		sha = wisp_json_str(r->doc, "good", "-");
	path = wisp_str("%s/good/%s", r->home, sha);
	if (wisp_json_read_bytes(path, WISP_TASKS_MAX, out, NULL) == WISP_VALID)
		wisp_hash(out->data, out->len, is);
	free(path);
	return strcmp(is, sha) == 0;
}

int
wisp_record_good_tasks(const struct wisp_record *r, const char *sha, struct wisp_tasks *t, struct wisp_err *err)
{
	char *path, is[WISP_HASH_SIZE];
	enum wisp_verdict verdict;
	int rc;

	if (sha == NULL)
		sha = wisp_json_str(r->doc, "good", NULL);
	if (sha == NULL)
		return 1;
	path = wisp_str("%s/good/%s", r->home, sha);
	verdict = wisp_tasks_load(t, path, err);
	rc = verdict == WISP_VALID ? 0 : verdict == WISP_MISSING ? 1 : -1;
	if (rc == 0) {
		wisp_tasks_hash(t, is);
		if (strcmp(is, sha) != 0) {
			rc = wisp_err_set(err, path, 0, 0, "changed, and not by wisp: it is kept under its hash");
			wisp_tasks_release(t);
		}
	}
	free(path);
	return rc;
}

int
wisp_record_owned(const struct wisp_record *r)
{
	char *path = wisp_record_home_path(r, "lock");
	int held = wisp_lock_held(path);

	free(path);
	return held;
}
