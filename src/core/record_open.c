/*
 * record_open: the record is read, or rebuilt from what was published, or made.
 */
#include "record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "breaker.h"
#include "config.h"
#include "guard.h"
#include "hash.h"
#include "kinds.h"
#include "limits.h"
#include "orchestra.h"
#include "session.h"

static void
note_moved(void *names, const char *name)
{
	wisp_guard_name(names, name);
}

/* An agent may have put links, or files, in the place of folders: nothing is written, or removed, behind them. */
static int
own_folders(struct wisp_record *r)
{
	static const char *const folders[] = {"steps", "answers", "past"};
	const char *step = wisp_json_str(wisp_json_get(r->doc, "step"), "name", NULL);
	char *path;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < sizeof folders / sizeof *folders; i++) {
		path = wisp_record_dir_path(r, folders[i]);
		rc = wisp_dir_own(r->place->dir, path, note_moved, r->moved);
		free(path);
	}
	if (rc == 0 && step != NULL) {
		path = wisp_str("%s/steps/%s", r->place->dir, step);
		rc = wisp_dir_own(r->place->dir, path, note_moved, r->moved);
		free(path);
	}
	return rc;
}

static int
take_lock(struct wisp_record *r)
{
	char *path = wisp_record_home_path(r, r->place->home != NULL ? ".write" : ".lock");

	r->lock = wisp_lock(path);
	free(path);
	return r->lock < 0 ? -1 : 0;
}

/* A loop state is that of phases, or of an orchestration. */
static bool
is_member(const char *member, const struct cJSON *v)
{
	if (strcmp(member, "orchestration") == 0)
		return wisp_orchestra_is(v);
	return strcmp(member, "phases") != 0 || !wisp_orchestra_is(v);
}

/*
 * Reads the published files into the document. 0; 1 if there is no
 * session.json; -1 with `err` where one of them does not hold.
 */
static int
read_published(struct wisp_record *r, struct wisp_err *err)
{
	int rc = 0;

	for (int i = 0; rc == 0 && wisp_published[i][0] != NULL; i++) {
		char *path = wisp_record_dir_path(r, wisp_published[i][1]);
		struct wisp_buf bytes = WISP_BUF_INIT;
		struct wisp_err why = WISP_ERR_INIT;
		struct cJSON *v = NULL;
		enum wisp_verdict verdict = wisp_kind_read(wisp_kind_find(path), path, &bytes, &v, &why);

		if (verdict == WISP_VALID && is_member(wisp_published[i][0], v))
			wisp_json_set(r->doc, wisp_published[i][0], i == 0 ? wisp_session_whole(v) : v);
		else if (verdict == WISP_VALID)
			wisp_json_free(v);
		else if (verdict != WISP_MISSING)
			rc = wisp_err_set(err, why.path, why.line, why.col, "%s", why.text);
		else if (i == 0)
			rc = 1;
		wisp_err_release(&why);
		wisp_buf_release(&bytes);
		free(path);
	}
	return rc;
}

/* Members that everybody relies on. */
static void
complete(struct wisp_record *r)
{
	struct cJSON *config = wisp_record_config(r), *defaults;

	wisp_json_set_num(r->doc, "version", 1);
	wisp_json_object_at(r->doc, "session");
	wisp_json_array_at(r->doc, "history");
	wisp_json_array_at(r->doc, "feedback");
	wisp_json_array_at(r->doc, "checkpoints");
	if (wisp_json_type(wisp_json_get(r->doc, "limits")) != WISP_T_OBJECT)
		wisp_json_set(r->doc, "limits", wisp_limits_new());
	if (wisp_json_type(wisp_json_get(r->doc, "breaker")) != WISP_T_OBJECT)
		wisp_json_set(r->doc, "breaker", wisp_breaker_new());
	if (wisp_json_len(config) == 0) {
		defaults = wisp_config_defaults();
		wisp_json_set(r->doc, "config", defaults);
	}
}

/* Removes what writers that were killed left in a folder of the step and below. */
static void
sweep_below(const char *dir)
{
	char **names = NULL;
	size_t count = 0;

	wisp_file_sweep(dir);
	if (wisp_dir_list(dir, &names, &count) != 0)
		return;
	for (size_t i = 0; i < count; i++) {
		char *path = wisp_str("%s/%s", dir, names[i]);
		struct stat st;

		if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode))
			sweep_below(path);
		free(path);
	}
	wisp_dir_list_free(names, count);
}

void
wisp_record_sweep(struct wisp_record *r)
{
	static const char *const own[] = {".", "good", "requests"}, *const shown[] = {".", "answers", "past"};
	const char *step = wisp_json_str(wisp_json_get(r->doc, "step"), "name", NULL);
	char *path;

	for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
		path = wisp_record_home_path(r, own[i]);
		wisp_file_sweep(path);
		free(path);
		path = wisp_record_dir_path(r, shown[i]);
		wisp_file_sweep(path);
		free(path);
	}
	if (step != NULL) {
		path = wisp_str("%s/steps/%s", r->place->dir, step);
		sweep_below(path);
		free(path);
	}
	r->swept = true;
}

/* What the published files leave open: where the session lies now, for it may have been moved or copied. */
static void
rebuild(struct wisp_record *r)
{
	struct cJSON *session = wisp_record_session(r);
	const char *tree = wisp_json_str(session, "worktree", NULL), *project = r->place->project;
	double n = wisp_json_num(session, "loop_count", 0);
	char *path = NULL;

	if (tree != NULL && project != NULL)
		path = *tree == '/' ? wisp_strdup(tree)
		     : strcmp(tree, ".") == 0 ? wisp_strdup(project) : wisp_str("%s/%s", project, tree);
	wisp_json_set_str(r->doc, "project", project);
	wisp_json_set_str(r->doc, "branch", r->place->branch);
	wisp_json_set_str(r->doc, "worktree", path);
	wisp_json_set_num(r->doc, "intervened", n);
	wisp_json_set_bool(r->doc, "verified_start", n > 0);
	free(path);
}

/* A file of the record is read, once: what is compared with a seal is what is worked on. */
static enum wisp_verdict
read_file(struct wisp_record *r, enum wisp_record_file which, const char *path, struct wisp_buf *bytes, struct wisp_err *err)
{
	enum wisp_verdict verdict = wisp_json_read_bytes(path, WISP_FILE_MAX, bytes, err);

	if (verdict == WISP_MISSING || verdict == WISP_UNREADABLE)
		strcpy(r->sha[which], verdict == WISP_MISSING ? "-" : "?");
	else
		wisp_hash(bytes->data, bytes->len, r->sha[which]);
	return verdict;
}

/* What the open step noted over the record, where it belongs to just this one: then that was one, and need not be parsed. */
static bool
use_noted(struct wisp_record *r, const struct wisp_buf *bytes)
{
	struct cJSON *noted = NULL;

	if (bytes->len == 0 || wisp_json_decide(bytes->data, bytes->len, NULL, &noted, NULL) != WISP_VALID)
		return false;
	if (wisp_json_type(noted) == WISP_T_OBJECT && strcmp(wisp_json_str(noted, "base", ""), r->sha[WISP_RECORD_IS]) == 0) {
		wisp_json_drop(noted, "base");
		r->doc = noted;
		r->noted = true;
		return true;
	}
	wisp_json_free(noted);
	return false;
}

/* record.json. INVALID where it holds JSON, but no record. */
static enum wisp_verdict
parse_record(struct wisp_record *r, const char *path, const struct wisp_buf *bytes, struct wisp_err *err)
{
	enum wisp_verdict verdict = wisp_json_decide(bytes->data, bytes->len, path, &r->doc, err);

	if (verdict == WISP_VALID && wisp_json_type(r->doc) != WISP_T_OBJECT) {
		wisp_err_set(err, path, 0, 0, "expected an object");
		wisp_json_free(r->doc);
		r->doc = NULL;
		verdict = WISP_INVALID;
	}
	return verdict;
}

/* Nothing takes the place of a damaged record: what is wrong with it, and with the published files. */
static int
set_damaged(struct wisp_err *err, const struct wisp_err *record, int rc)
{
	char *published = rc == 1 ? wisp_strdup("missing") : wisp_err_string(err);

	rc = wisp_err_set(err, record->path, record->line, record->col,
			  "%s; no record is kept beside it, and of the published files: %s", record->text, published);
	free(published);
	return rc;
}

/* The record of a session is missing, or damaged: 0, 1 where nothing tells of it, -1 with `err`. */
static int
make_again(struct wisp_record *r, enum wisp_verdict verdict, const struct wisp_err *why, struct wisp_err *err)
{
	int rc = wisp_record_back(r, why->text);

	if (rc == 1) {
		r->doc = wisp_json_object();
		rc = read_published(r, err);
		r->rebuilt = rc == 0;
		if (rc == 0)
			rebuild(r);
		if (rc == 0 && verdict != WISP_MISSING)
			wisp_record_note_back(r, why->text);
	}
	return rc == 0 || verdict == WISP_MISSING ? rc : set_damaged(err, why, rc);
}

static int
load(struct wisp_record *r, const char *seal, struct wisp_buf *names, struct wisp_err *err)
{
	char *path = wisp_record_home_path(r, WISP_RECORD), *noted_path = wisp_record_home_path(r, WISP_RECORD_NOW);
	struct wisp_buf bytes = WISP_BUF_INIT, noted = WISP_BUF_INIT;
	struct wisp_err why = WISP_ERR_INIT;
	enum wisp_verdict verdict = read_file(r, WISP_RECORD_IS, path, &bytes, &why);
	bool session = r->place->home != NULL;
	int rc = 0;

	if (session)
		(void)read_file(r, WISP_RECORD_OPEN, noted_path, &noted, NULL);
	if (seal != NULL)
		rc = wisp_record_sealed(r, seal, names);
	if (rc == 0 && verdict == WISP_VALID && !(session && use_noted(r, &noted)))
		verdict = parse_record(r, path, &bytes, &why);
	if (rc != 0)
		;
	else if (verdict == WISP_VALID && wisp_json_int(r->doc, "version", 0) != 1)
		rc = wisp_err_set(err, path, 0, 0, "version: expected 1");
	else if (verdict == WISP_UNREADABLE || (!session && verdict != WISP_VALID && verdict != WISP_MISSING))
		rc = wisp_err_set(err, why.path, why.line, why.col, "%s", why.text);
	else if (session && verdict != WISP_VALID)
		rc = make_again(r, verdict, &why, err);
	if (rc == 0 && !session && !wisp_json_bool(r->doc, "unpublished", false)) {
		if (r->doc == NULL)
			r->doc = wisp_json_object();
		rc = read_published(r, err);
	}
	wisp_buf_release(&noted);
	wisp_buf_release(&bytes);
	wisp_err_release(&why);
	free(noted_path);
	free(path);
	return rc;
}

/* What was damaged makes room for what takes its place. */
static int
put_aside(struct wisp_record *r)
{
	char *path = wisp_record_home_path(r, WISP_RECORD), *aside = wisp_record_home_path(r, WISP_RECORD_DAMAGED);
	int rc = 0;

	if (wisp_file_exists(path)) {
		wisp_json_set_str(wisp_json_get(r->doc, "back"), "kept", aside);
		rc = wisp_file_move(path, aside, WISP_NOSYNC);
	}
	free(aside);
	free(path);
	return rc == 0 ? wisp_record_commit(r) : -1;
}

/* To change it: under the write lock. 1: there is none. A folder that held a record goes on to be compared with its seal. */
static int
lock_record(struct wisp_record *r, bool sealed)
{
	char *session = wisp_record_dir_path(r, "session.json");
	bool known = wisp_file_exists(session) || wisp_record_there(r->home);

	free(session);
	if (!known)
		return sealed ? 0 : 1;
	return wisp_dir_make(r->home) != 0 || take_lock(r) != 0 ? -1 : 0;
}

int
wisp_record_open_sealed(struct wisp_record *r, const struct wisp_place *place, enum wisp_record_mode mode, const char *seal,
			struct wisp_buf *names, struct wisp_err *err)
{
	int rc;

	memset(r, 0, sizeof *r);
	r->place = place;
	r->lock = -1;
	r->home = wisp_strdup(place->home != NULL ? place->home : place->dir);
	rc = mode == WISP_WRITE ? lock_record(r, seal != NULL) : 0;
	if (rc == 0)
		rc = load(r, seal, names, err);
	if (rc == 0) {
		complete(r);
		r->moved = wisp_json_array();
		if (mode == WISP_WRITE && r->place->home != NULL)
			rc = own_folders(r);
	}
	if (rc == 0 && mode == WISP_WRITE) {
		if (!r->noted)
			wisp_record_sweep(r);
		if (r->back)
			rc = put_aside(r);
		else if (wisp_json_bool(r->doc, "unpublished", false))
			rc = wisp_record_commit(r);
	}
	if (rc != 0)
		wisp_record_release(r);
	return rc;
}

int
wisp_record_open(struct wisp_record *r, const struct wisp_place *place, enum wisp_record_mode mode, struct wisp_err *err)
{
	return wisp_record_open_sealed(r, place, mode, NULL, NULL, err);
}

int
wisp_record_create(struct wisp_record *r, const struct wisp_place *place)
{
	char *good;
	int rc;

	memset(r, 0, sizeof *r);
	r->place = place;
	r->lock = -1;
	r->home = wisp_strdup(place->home != NULL ? place->home : place->dir);
	good = wisp_record_home_path(r, "good");
	rc = wisp_dir_make(place->dir) != 0 || wisp_dir_make(good) != 0 || take_lock(r) != 0 ? -1 : 0;
	free(good);
	if (rc != 0) {
		wisp_record_release(r);
		return -1;
	}
	r->doc = wisp_json_object();
	complete(r);
	wisp_json_set_str(r->doc, "project", place->project);
	wisp_json_set_str(r->doc, "branch", place->branch);
	return 0;
}

void
wisp_record_release(struct wisp_record *r)
{
	int saved = errno;

	wisp_json_free(r->doc);
	wisp_json_free(r->moved);
	free(r->home);
	if (r->lock >= 0)
		(void)close(r->lock);
	memset(r, 0, sizeof *r);
	r->lock = -1;
	errno = saved;
}
