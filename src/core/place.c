/*
 * place: see place.h; what it reads of git is in place_git.c, which
 * sessions there are and which is meant in place_pick.c.
 */
#include "place.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file.h"
#include "hash.h"

#define NAME_KEPT 64		/* bytes of a project's name in its home */
#define HASH_KEPT 16

char *
wisp_place_root(void)
{
	const char *home = getenv("WISP_HOME"), *state = getenv("XDG_STATE_HOME");

	if (home != NULL && *home != '\0')
		return wisp_strdup(home);
	if (state != NULL && *state == '/')	/* its specification has relative ones ignored */
		return wisp_str("%s/wisp", state);
	home = getenv("HOME");
	return home != NULL && *home != '\0' ? wisp_str("%s/.local/state/wisp", home) : NULL;
}

/* NAME-HASH */
static char *
home_name(const char *project)
{
	struct wisp_buf name = WISP_BUF_INIT;
	char hex[WISP_HASH_SIZE];
	const char *p = strrchr(project, '/');

	p = p != NULL ? p + 1 : project;
	if (*p == '.') {	/* not hidden from those who list all */
		wisp_buf_putc(&name, '_');
		p++;
	}
	for (; *p != '\0' && name.len < NAME_KEPT; p++)
		wisp_buf_putc(&name, strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
					    "0123456789._-", *p) != NULL ? *p : '_');
	wisp_hash(project, strlen(project), hex);
	wisp_buf_printf(&name, "-%.*s", HASH_KEPT, hex);
	return wisp_buf_detach(&name);
}

int
wisp_place_session(struct wisp_place *p, const char *project, const char *branch, struct wisp_err *err)
{
	char *root, *name;

	*p = (struct wisp_place){0};
	if (!wisp_branch_ok(branch))
		return wisp_err_set(err, NULL, 0, 0, "'%s' is no name for a branch", branch);
	root = wisp_place_root();
	if (root == NULL)
		return wisp_err_set(err, NULL, 0, 0, "neither WISP_HOME nor HOME is set");
	p->project = realpath(project, NULL);
	if (p->project == NULL)
		p->project = wisp_strdup(project);
	name = home_name(p->project);
	p->branch = wisp_strdup(branch);
	p->dir = wisp_str("%s%s%s", p->project, WISP_SESSIONS, branch);
	p->shared = wisp_str("%s/%s", root, name);
	p->home = wisp_str("%s/%s", p->shared, branch);
	free(name);
	free(root);
	return 0;
}

void
wisp_place_release(struct wisp_place *p)
{
	free(p->project);
	free(p->branch);
	free(p->dir);
	free(p->home);
	free(p->shared);
	*p = (struct wisp_place){0};
}

/* Is a folder on the way to that session a session itself? Then this is only something inside of one. */
static bool
inside_session(const char *project, const char *branch)
{
	const char *slash;
	bool yes = false;
	char *path;

	for (slash = strchr(branch, '/'); slash != NULL && !yes; slash = strchr(slash + 1, '/')) {
		path = wisp_str("%s%s%.*s/session.json", project, WISP_SESSIONS, (int)(slash - branch), branch);
		yes = wisp_file_exists(path);
		free(path);
	}
	return yes;
}

/* PROJECT/.wisp/sessions/BRANCH: 1 it is and *p is filled, 0 it is not, -1 with `err`. */
static int
session_path(struct wisp_place *p, const char *path, struct wisp_err *err)
{
	char *project = wisp_strdup(path), *branch = NULL, *at;
	size_t len;
	int rc = 0;

	/* The last one: no branch may hold a part that begins with a dot. */
	for (at = project; (at = strstr(at, WISP_SESSIONS)) != NULL; at++)
		branch = at;
	if (branch == NULL || branch == project)
		goto out;
	*branch = '\0';
	branch += strlen(WISP_SESSIONS);
	for (len = strlen(branch); len > 0 && branch[len - 1] == '/'; len--)
		branch[len - 1] = '\0';
	if (wisp_branch_ok(branch) && !inside_session(project, branch))
		rc = wisp_place_session(p, project, branch, err) < 0 ? -1 : 1;
out:
	free(project);
	return rc;
}

int
wisp_place_dir(struct wisp_place *p, const char *dir, struct wisp_err *err)
{
	char *real = realpath(dir, NULL), *here, *given;
	struct stat st;
	int rc;

	*p = (struct wisp_place){0};
	if (real == NULL)
		return wisp_err_set(err, dir, 0, 0, "%s", strerror(errno));
	if (stat(real, &st) == 0 && !S_ISDIR(st.st_mode)) {
		free(real);
		return wisp_err_set(err, dir, 0, 0, "%s", strerror(ENOTDIR));
	}
	here = realpath(".", NULL);
	/* As it was given first: `.wisp` may be a link to elsewhere. */
	given = *dir == '/' || here == NULL ? wisp_strdup(dir) : wisp_str("%s/%s", here, dir);
	rc = session_path(p, given, err);
	if (rc == 0)
		rc = session_path(p, real, err);
	if (rc == 0)
		p->dir = wisp_strdup(real);
	free(given);
	free(here);
	free(real);
	return rc < 0 ? -1 : 0;
}
