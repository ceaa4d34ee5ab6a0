/*
 * create: see create.h.
 */
#include "create.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "change.h"
#include "hash.h"
#include "ledger.h"
#include "session.h"

int
wisp_create_past(const struct wisp_record *r)
{
	const struct cJSON *session = wisp_json_get(r->doc, "session");
	char *dir = wisp_record_dir_path(r, "past");
	char *path = wisp_str("%s/%s.json", dir, wisp_json_str(session, "session_id", "unknown"));
	int rc = wisp_dir_make(dir);

	if (rc == 0)
		rc = wisp_json_write(path, session, WISP_SYNC);
	free(path);
	free(dir);
	return rc;
}

/* The path of the work tree as session.json shows it: below the project where it lies there. */
static const char *
shown_worktree(const struct wisp_record *r, const char *worktree)
{
	const char *project = r->place->project;
	size_t n = project == NULL ? 0 : strlen(project);

	if (worktree != NULL && n > 0 && strncmp(worktree, project, n) == 0 && worktree[n] == '/')
		return worktree + n + 1;
	return worktree != NULL && project != NULL && strcmp(worktree, project) == 0 ? "." : worktree;
}

/*
 * The spec as it stands, so that another one can be compared with it; that of the session before, where that had
 * the same: who edited it since has not said so yet. One that cannot be read is not known.
 */
static void
keep_spec(struct wisp_record *r, const char *spec)
{
	const char *project = r->place->project;
	struct wisp_buf text = WISP_BUF_INIT;
	char sha[WISP_HASH_SIZE], *path;

	if (spec != NULL && strcmp(spec, wisp_json_str(wisp_record_session(r), "spec", "")) == 0)
		return;
	wisp_json_set_null(r->doc, "spec");
	if (spec == NULL)
		return;
	path = *spec == '/' || project == NULL ? wisp_strdup(spec) : wisp_str("%s/%s", project, spec);
	if (wisp_change_load(&text, path, NULL) == 0 && wisp_record_keep(r, text.data, text.len, sha) == 0)
		wisp_json_set_str(r->doc, "spec", sha);
	wisp_buf_release(&text);
	free(path);
}

static void
fill(struct wisp_record *r, const struct wisp_create *c)
{
	static const char *const over[] = {"change", "step", "after", "checkpoint", "pending", "question", "exit", "reason", "phases",
					   "dearest", "unpriced", "tally", "waits", "orchestra", "rest", "uncommitted", "tests", "tests_removed"};
	/* A folder of no session has no branch; its name stands for it. */
	const char *branch = r->place->branch != NULL ? r->place->branch : strrchr(r->place->dir, '/') + 1;
	struct cJSON *session = wisp_session_new(branch, c->template, c->agent), *template = wisp_json_object();

	keep_spec(r, c->spec);
	wisp_json_set_str(session, "spec", c->spec);
	wisp_json_set_str(session, "base", c->base);
	wisp_json_set_str(session, "base_branch", c->base_branch);
	wisp_json_set_str(session, "worktree", shown_worktree(r, c->worktree));
	wisp_json_set(r->doc, "session", session);
	wisp_json_set_str(template, "name", c->template);
	wisp_json_set_str(template, "dir", c->template_dir);
	wisp_json_set(r->doc, "template", template);
	wisp_json_set_str(r->doc, "worktree", c->worktree);
	if (c->parent != NULL)
		wisp_json_set_str(r->doc, "parent", c->parent);
	wisp_json_set(r->doc, "history", wisp_json_array());
	wisp_json_set(r->doc, "feedback", wisp_json_array());
	wisp_json_set(r->doc, "checkpoints", wisp_json_array());
	wisp_json_set_num(r->doc, "intervened", 0);
	wisp_json_set_bool(r->doc, "verified_start", false);
	wisp_json_set_null(r->doc, "machine");
	wisp_ledger_next(r);
	for (size_t i = 0; i < sizeof over / sizeof *over; i++)
		wisp_json_set_null(r->doc, over[i]);
	wisp_record_gitfile(r);
}

static int
put_tasks(struct wisp_record *r, const struct wisp_tasks *t)
{
	char *path = wisp_record_dir_path(r, "tasks.json");
	int rc = wisp_record_keep_tasks(r, t);

	if (rc == 0)
		rc = wisp_tasks_write(t, path);
	free(path);
	return rc;
}

/* Opens what is there, or makes an empty record. 1: a session that is not completed is there, and stays. */
static int
open_or_make(struct wisp_record *r, const struct wisp_place *place, bool replace, struct wisp_err *err)
{
	int rc = wisp_record_open(r, place, WISP_WRITE, err);

	if (rc == 1)
		return wisp_record_create(r, place);
	if (rc < 0)
		return -1;
	if (!replace && strcmp(wisp_json_str(wisp_record_session(r), "status", ""), "completed") != 0) {
		wisp_record_release(r);
		return 1;
	}
	if (wisp_create_past(r) != 0) {
		wisp_record_release(r);
		return -1;
	}
	return 0;
}

int
wisp_create(const struct wisp_place *place, const struct wisp_create *c, struct wisp_err *err)
{
	struct wisp_tasks t = {0};
	struct wisp_record r;
	int rc;

	if (c->tasks != NULL && wisp_tasks_load(&t, c->tasks, err) != WISP_VALID) {
		wisp_tasks_release(&t);
		return -1;
	}
	rc = open_or_make(&r, place, c->replace, err);
	if (rc == 0) {
		fill(&r, c);
		if (c->tasks != NULL)
			rc = put_tasks(&r, &t);
		/* The files that git has checked out come before the record that counts on them. */
		if (rc == 0 && c->worktree != NULL)
			rc = wisp_file_sync_all(c->worktree);
		if (rc == 0)
			rc = wisp_record_commit(&r);
		wisp_record_release(&r);
	}
	wisp_tasks_release(&t);
	return rc;
}

/* Is one of the two branch names a folder above the other? */
static bool
nested(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);

	return (n < m && strncmp(a, b, n) == 0 && b[n] == '/') || (m < n && strncmp(a, b, m) == 0 && a[m] == '/');
}

/* Would it be looked for so deep (place.h)? One that is there already is left alone. */
static bool
too_deep(const struct wisp_place *place)
{
	char *path = wisp_str("%s/session.json", place->dir);
	bool known = wisp_file_exists(path);
	int parts = 1;

	for (const char *p = strchr(place->branch, '/'); p != NULL; p = strchr(p + 1, '/'))
		parts++;
	free(path);
	return parts > WISP_BRANCH_PARTS && !known;
}

int
wisp_create_check(const struct wisp_place *place, struct wisp_err *err)
{
	char **branches = NULL;
	size_t count = 0;
	int rc = 0;

	if (too_deep(place))
		return wisp_err_set(err, NULL, 0, 0, "the branch '%s' has more than %d parts: give it a shorter name",
				    place->branch, WISP_BRANCH_PARTS);
	if (wisp_place_sessions(place->project, &branches, &count) != 0)
		return errno == ENOENT ? 0 : wisp_err_set(err, place->project, 0, 0, "cannot list its sessions: %s",
							 strerror(errno));
	for (size_t i = 0; i < count && rc == 0; i++)
		if (nested(branches[i], place->branch))
			rc = wisp_err_set(err, NULL, 0, 0, "session '%s' cannot be beside session '%s': "
					  "one's folder would lie in the other's", place->branch, branches[i]);
	wisp_dir_list_free(branches, count);
	return rc;
}
