/*
 * lent: one repository that is lent, the project's or a submodule's. For lend*.c alone; lend.h says what lending is.
 */
#ifndef WISP_SANDBOX_LENT_H
#define WISP_SANDBOX_LENT_H

#include "core/place.h"
#include "tree/tree.h"

#define WISP_LENT_REF_MAX 4096		/* bytes of the file of a reference, and of .git */

struct wisp_lent_repo {
	struct wisp_tree *t;
	const char *name;	/* where it lies in the work tree; "": the project's */
	const char *copy;	/* of t->common */
	const char *before;	/* a folder: what it was */
	/* While it is taken over. */
	const char *ref;	/* whose new value is taken over */
	const char *was, *now;	/* its values */
	const char *why;	/* why not; NULL */
};

/* No link is followed. */
bool wisp_lent_is_folder(const char *path);
bool wisp_lent_is_file(const char *path);
/* Which folder its git folder is: another may lie there by now under the same name. The caller frees it. */
char *wisp_lent_inode(const struct wisp_tree *t);
/* The path as git reads it in a list of such, and in its configuration. The caller frees it. */
char *wisp_lent_quoted(const char *path);

/* Takes over objects of git-lfs that are new in the copy: those whose content has the hash that is their name. */
void wisp_lent_lfs(const struct wisp_lent_repo *r);

/*
 * The submodules in the work tree `t`, and those in them, whose git folder lies in that of the repository. Found from there: a
 * step cannot write it, while .git of a submodule says what a step wants. `each` is called with top, git and common.
 */
void wisp_lent_modules(const struct wisp_tree *t, void (*each)(void *arg, const struct wisp_tree *module), void *arg);

#endif
