/*
 * place: where a session lives, found without starting git.
 *
 * project   top of the repository's main work tree, resolved
 * dir       PROJECT/.wisp/sessions/BRANCH
 * home      ${WISP_HOME:-${XDG_STATE_HOME:-~/.local/state}/wisp}/NAME-HASH/BRANCH,
 *           NAME the last part of project, HASH 16 digits of its SHA-256
 * shared    the home of the project: home without BRANCH. Its own files begin
 *           with a dot, which no branch can (git-check-ref-format(1)).
 *
 * A folder given with -C that is no session's has only `dir`.
 */
#ifndef WISP_PLACE_H
#define WISP_PLACE_H

#include <stdbool.h>
#include "buf.h"

#define WISP_SESSIONS "/.wisp/sessions/"	/* between project and branch in `dir` */
#define WISP_GIT_REAL "wisp.real"		/* in a copy of a git folder, which a step is lent: where the real one is */
#define WISP_BRANCH_PARTS 32			/* of the branch name of a session, at most: so deep they are looked for */

struct wisp_place {
	char *project, *branch, *dir, *home, *shared;	/* all but dir NULL for a folder of no session */
};

/* The folder that holds everything: WISP_HOME and so on; NULL if HOME is needed and unset. The caller frees it. */
char *wisp_place_root(void);
/*
 * The top of the main work tree for a path inside any of its work trees, by
 * reading .git files: NULL where there is none. *worktree (may be NULL) gets
 * the top of the work tree that `start` is in, *gitdir that one's git folder.
 */
char *wisp_place_project(const char *start, char **worktree, char **gitdir);
/* The branch in the HEAD of a git folder; NULL where HEAD is detached. The caller frees it. */
char *wisp_place_branch(const char *gitdir);
/* A session by name. -1 with `err` for a branch name that git would refuse. Nothing needs to exist. */
int wisp_place_session(struct wisp_place *p, const char *project, const char *branch, struct wisp_err *err) WISP_CHECK;
/* -C DIR: the session whose folder that is, else just the folder. -1 with `err` if it is no folder. */
int wisp_place_dir(struct wisp_place *p, const char *dir, struct wisp_err *err) WISP_CHECK;
/*
 * What `wisp` would pick from `start` (a folder): `branch` if not NULL, else
 * $WISP_SESSION_DIR, else the session of the work tree or branch that `start` is in, else
 * the only one. 0 found; 1 none or more than one (err lists them); -1 with `err`.
 */
int wisp_place_pick(struct wisp_place *p, const char *start, const char *branch, struct wisp_err *err) WISP_CHECK;
/* Branches of the sessions of a project, sorted; free with wisp_dir_list_free. A session is a folder with session.json. */
int wisp_place_sessions(const char *project, char ***branches, size_t *count) WISP_CHECK;
/* Is it a name git takes for a branch? (git-check-ref-format(1)) */
bool wisp_branch_ok(const char *branch);
void wisp_place_release(struct wisp_place *p);

#endif
