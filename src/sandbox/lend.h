/*
 * lend: a copy of a repository's git folder for a step, and what is taken over from it afterwards.
 *
 * The copy, TO/git, is bound in the place of the git folder (plan.h, git_copy). It has the references, logs and index, and
 * no objects: those are read below WISP_SANDBOX_GIT, by its alternates. A submodule whose git folder lies in that of the
 * repository has a copy in the copy. TO/before and TO/modules/N, which the step does not see, say what was lent.
 *
 * Where nothing can be bound, .git of the work tree leads to the copy while the step runs. In the project's own checkout that is
 * a folder, which the step has then; other references than its branch are put back afterwards, but for wisp's own and branches
 * that are checked out in other work trees.
 *
 * Afterwards the copy is data: no git runs in it, since it may say anything. The session's branch alone is taken over, from
 * the value that it had; its new objects are packed by the real repository's git, and checked as they are stored there. Of a
 * submodule that is its HEAD, or the branch that this is on. All other references that the step changed are named, and stay
 * as they were. It may be repeated after a kill at any point.
 */
#ifndef WISP_SANDBOX_LEND_H
#define WISP_SANDBOX_LEND_H

#include "tree/tree.h"

struct wisp_lent {
	const char *branch;	/* from the caller: the session's */
	const char *to;		/* and TO */
	/* What became of it. */
	const char *tampered;	/* what is not as it was outside of the copy: nothing was taken over; NULL: nothing is */
	const char *was, *now;	/* the branch before, and as it is now; "": it had no commit */
	const char *why;	/* why its new value was not taken over; NULL: it was */
	struct wisp_texts others;	/* references that were changed, made or removed */
	struct wisp_texts modules;	/* submodules of which nothing was taken over, `NAME: WHY` */
};

/*
 * The session's folder is lent as TO/session, the files in it, with `links` to its folders where they are not bound there.
 * Taken over are the files that a step may leave, by name, and those at its top that the gate of a question names, which
 * TO.artefacts keeps: regular ones of at most WISP_FILE_MAX bytes; where the user changed the task list meanwhile, what
 * newly passes. The names of all others are added to `dropped`.
 */
void wisp_lend_session(const char *dir, const char *to, bool links);
void wisp_lend_take_session(const char *dir, const char *to, struct wisp_texts *dropped);

/*
 * In the folder TO, which the caller has emptied. Of the tree `top`, `git` and `common` are needed. `bound`: the copy is to be
 * bound in the place of the git folder. Else .git of the work tree leads to it, once wisp_lend_lead is called for that; where
 * .git is the git folder itself the step has that, and no copy. Dies where the system refuses.
 */
void wisp_lend(const struct wisp_tree *t, const char *to, bool bound);
/* .git leads to the copy, or, not `there`, to the git folder again. Where it is not what was lent it stays. */
void wisp_lend_lead(const char *to, bool there);
/* Takes over what may be; dies 111 where git or the system refuses. */
void wisp_lend_take(struct wisp_tree *t, struct wisp_lent *l);

#endif
