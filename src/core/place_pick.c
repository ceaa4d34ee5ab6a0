/*
 * place_pick: what place.h says of all sessions of a project, and which one is meant.
 */
#include "place.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file.h"
#include "record.h"

#define WORKTREES "/.wisp/worktrees/"

struct names {
	char **list;
	size_t count, cap;
};

/* Adds the sessions at and below `branch` ("" for the top). */
static int
walk(struct names *out, const char *top, const char *branch, int depth)
{
	char *dir = wisp_str("%s%s", top, branch), *file = wisp_str("%s/session.json", dir), *below;
	bool session = *branch != '\0' && wisp_file_exists(file);
	char **names = NULL;
	size_t i, count = 0;
	struct stat st;
	int rc = 0;

	if (session) {
		if (out->count == out->cap) {
			out->cap = out->cap > 0 ? out->cap * 2 : 16;
			out->list = wisp_realloc(out->list, out->cap, sizeof *out->list);
		}
		out->list[out->count++] = wisp_strdup(branch);
	} else if (depth < WISP_BRANCH_PARTS && wisp_dir_list(dir, &names, &count) < 0) {
		rc = errno == ENOENT ? 0 : -1;
	}
	free(file);
	for (i = 0; i < count && rc == 0; i++) {
		below = wisp_str("%s%s%s", branch, *branch != '\0' ? "/" : "", names[i]);
		file = wisp_str("%s%s", top, below);
		if (wisp_branch_ok(below) && lstat(file, &st) == 0 && S_ISDIR(st.st_mode))
			rc = walk(out, top, below, depth + 1);
		free(file);
		free(below);
	}
	wisp_dir_list_free(names, count);
	free(dir);
	return rc;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int
wisp_place_sessions(const char *project, char ***branches, size_t *count)
{
	char *top = wisp_str("%s%s", project, WISP_SESSIONS);
	struct names out = {0};
	int rc = walk(&out, top, "", 0);

	free(top);
	if (rc < 0) {
		wisp_dir_list_free(out.list, out.count);
		out = (struct names){0};
	}
	if (out.count > 0)	/* folder by folder is not their order: `a/b` stands after `a-b` */
		qsort(out.list, out.count, sizeof *out.list, by_name);
	*branches = out.list;
	*count = out.count;
	return rc;
}

static const char *
member(char **names, size_t count, const char *name)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (name != NULL && strcmp(names[i], name) == 0)
			return names[i];
	return NULL;
}

/* The session in whose work tree `start` is, told by its path: a work tree's .git may be damaged. */
static const char *
by_path(char **names, size_t count, const char *project, const char *start)
{
	char *real = realpath(start, NULL), *top = wisp_str("%s%s", project, WORKTREES);
	const char *rest, *found = NULL;
	size_t i, len;

	if (real != NULL && strncmp(real, top, strlen(top)) == 0) {
		rest = real + strlen(top);
		for (i = 0; i < count && found == NULL; i++) {
			len = strlen(names[i]);
			if (strncmp(rest, names[i], len) == 0 && (rest[len] == '/' || rest[len] == '\0'))
				found = names[i];
		}
	}
	free(top);
	free(real);
	return found;
}

static bool
recorded(const char *project, const char *branch)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_place p;
	bool there = wisp_place_session(&p, project, branch, &err) == 0 && wisp_record_there(p.home);

	wisp_place_release(&p);
	wisp_err_release(&err);
	return there;
}

static void
not_one(struct wisp_err *err, const char *project, const char *branch, char **names, size_t count)
{
	struct wisp_buf text = WISP_BUF_INIT;
	size_t i;

	if (branch != NULL)
		wisp_buf_printf(&text, "no session '%s'", branch);
	else
		wisp_buf_puts(&text, count > 0 ? "which session?" : "no session here: `wisp run --spec FILE` or `--tasks FILE` begins one");
	for (i = 0; i < count; i++)
		wisp_buf_printf(&text, "%s%s", i > 0 ? ", " : branch != NULL ? "; there is " : " There is ", names[i]);
	wisp_err_set(err, project, 0, 0, "%s", text.data);
	wisp_buf_release(&text);
}

int
wisp_place_pick(struct wisp_place *p, const char *start, const char *branch, struct wisp_err *err)
{
	char *project, *gitdir, *head = NULL, **names = NULL;
	const char *env = getenv("WISP_SESSION_DIR"), *found;
	size_t count = 0;
	int rc = 1;

	*p = (struct wisp_place){0};
	if (branch == NULL && env != NULL && *env != '\0')
		return wisp_place_dir(p, env, err);
	if (branch != NULL && !wisp_branch_ok(branch))
		return wisp_err_set(err, NULL, 0, 0, "'%s' is no name for a branch", branch);
	project = wisp_place_project(start, NULL, &gitdir);
	if (project == NULL) {
		wisp_err_set(err, start, 0, 0, "not in a git repository");
		return 1;
	}
	if (wisp_place_sessions(project, &names, &count) < 0) {
		rc = wisp_err_set(err, project, 0, 0, "cannot list its sessions: %s", strerror(errno));
		goto out;
	}
	found = member(names, count, branch);
	/* One whose folder was emptied is still in its record, and published again by a start. */
	if (found == NULL && branch != NULL && recorded(project, branch))
		found = branch;
	if (branch == NULL && (found = by_path(names, count, project, start)) == NULL) {
		head = wisp_place_branch(gitdir);
		found = member(names, count, head);
		if (found == NULL && count == 1)
			found = names[0];
	}
	if (found != NULL)
		rc = wisp_place_session(p, project, found, err);
	else
		not_one(err, project, branch, names, count);
out:
	wisp_dir_list_free(names, count);
	free(head);
	free(gitdir);
	free(project);
	return rc;
}
