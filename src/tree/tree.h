/*
 * tree: a session's work tree as git sees it, and the checkpoints that are made of it.
 *
 * wisp-tree works on one work tree, W, whose session the caller owns: no other program of wisp's changes W or refs/wisp
 * meanwhile, so locks that a killed git left there are removed, and the scratch files in W's git folder, `wisp.*`, have
 * one user. All of it may be repeated after a kill at any point. docs/checkpoints.md says what is stored and why.
 *
 *	GIT/wisp.index		the index of the work tree as it was seen last, with its stat data
 *	GIT/wisp.temp		one for a moment
 *	GIT/wisp.head		the commit whose ignored files are in wisp.index
 *	GIT/wisp.unstaged	newer than the index: nothing is staged on the commit that is in it
 *
 * Units: paths are absolute and names are below W, both as git has them: any bytes but NUL. Ids are hexadecimal, of SHA-1
 * or SHA-256; "" where there is none.
 * Ownership: what a struct here points to belongs to the program, which does one thing and ends; nothing is freed that
 * does not grow with the size of W.
 * Errors: where git or the system refuses, the program ends with 111 and says why as `wisp: ...`, like the shell that
 * starts it; functions return only when they have done their work.
 */
#ifndef WISP_TREE_TREE_H
#define WISP_TREE_TREE_H

#include <stdbool.h>
#include <sys/types.h>

#include "core/cli.h"

#define WISP_TREE_ID 65	/* an id and a NUL */

struct wisp_tree {
	/* From the caller. */
	const char *top, *git, *common;	/* W, its git folder, that of the repository */
	const char *known;		/* SHARED/.git-known; NULL: git reads the repository's own configuration */
	struct wisp_texts config;	/* KEY=VALUE of W's own that count all the same: what a sparse checkout has */
	pid_t parent;			/* the caller, with which it ends; 0: none */
	bool persons;			/* a checkout of a person's own: locks in it may be held by their git */
	long long patience;		/* seconds until what git may hang at is looked for */
	const char *was_index, *was_tree; /* wisp.index and its tree when it was looked at last; NULL: unknown */

	/* What git said last. */
	struct wisp_buf out, said;	/* on stdout; on stderr, where it was kept */

	bool sync_follows;		/* what git writes need only be on its way to the disk: a synced commit of it follows */

	struct wisp_buf diff;		/* how a tree differs from another (raw.h): both ids, and what git said of them last */

	/* W as it is. */
	const char *head, *ref;		/* "": no commit yet; detached */
	const char *tree;
	const char *index;		/* the checksum that wisp.index ends with; "": it has none */
	struct wisp_texts nested;	/* folders that are repositories of their own, and left out */
	struct wisp_texts large;	/* files that are left out since git would read them for minutes */
	bool has_large;
	const char *note;		/* git's words about files that it could not read; NULL: none */
	bool partial;			/* there were some */
	bool warm;			/* wisp.index has just been seen to be the tree's */
	bool named;			/* the tree is exactly was_tree and what `names` says */
	struct wisp_texts names;
};

/* A commit of what is left. */
struct wisp_commit {
	const char *branch, *message, *trailer;	/* the message is a file; `Key: value` */
	const char *skip;	/* a file of names, NUL-separated and sorted, which stay as HEAD has them; NULL: none */
	const char *tree;	/* what is committed */
	const char *line_ends;	/* core.autocrlf, as it was asked for before; "": it is asked for */
	const char *commit;	/* what came of it; NULL: there was nothing to commit */
	const char *why;	/* why not, or how much it would delete */
	struct wisp_buf names;	/* what it changed in HEAD */
};

/* The end of a step. */
struct wisp_close {
	struct wisp_commit commit;	/* with `message`: what was verified is committed; else NULL */
	const char *branch, *session, *not_work, *dir;	/* the last two as in struct wisp_work_tree, with its lists */
	long long n, keep;
	const char *worked;	/* the tree that verify ran on; "": nothing has run in the step */
	const char *diff;	/* as in struct wisp_work_tree */
	const char *credited, *listed, *since;	/* as the agent left it; whose names are in `files`, since that one: trees */
	const char *files;	/* what the step changed; NULL afterwards: nothing */
	bool interrupted;
	bool done;		/* it ends the session, and verify passed: what HEAD lacks is named */
	bool observes;		/* trees are looked at; else `files` is what is uncommitted */
	bool save;		/* the step is good: a checkpoint is due */
	struct wisp_texts lines;	/* for its message */
	const char *uncommitted, *deletes, *deleted, *rest, *checkpoint;	/* what came of it; NULL: nothing */
	bool observed;		/* W was looked at again */
};

/* What in a work tree is not the agent's work. */
struct wisp_work_tree {
	const char *dir;	/* a folder of the caller's, with lists: `files` that the step changed; `own`, in the tree that
				 * a check ran on, and `wrote`, by checks in this step: these are no work; `news`, of these
				 * what no person has heard of yet; `raw`: `diff` of struct wisp_tree, before a check ran */
	const char *not_work;	/* the list that stays, beside the record */
	const char *step;	/* SESSION/N */
	const char *branch;	/* in a person's own checkout, which has dirt of theirs; else NULL */
	const char *verify;	/* what a first run of it said; NULL: nothing runs again */
	bool fresh;		/* no step: there are no lists yet */
	bool end;		/* nothing else is run in the step */
	const char *credited;	/* the tree as the agent left it */
	const char *again;	/* where verify changed what it ran on: that, in words, since it runs once more */
	const char *wrote;	/* `news` in words; NULL for none */
	const char *diff;	/* the hash of `raw`, which a check may have rewritten; NULL: there is none */
};

/* A checkpoint as it is stored. */
struct wisp_checkpoint {
	const char *commit, *tree;	/* "": there is no such checkpoint */
	const char *head;		/* "": there was no commit yet */
	const char *index;		/* HEAD's tree, or, with `staged`, that of what was staged */
	bool staged;
	struct wisp_texts nested, links; /* folders; `COMMIT PATH` of submodules */
};

/* The way back from what a step left. */
struct wisp_tree_restore {
	/* From the caller. */
	const char *branch, *session;
	long long n;			/* the iteration whose work is put away */
	const char *checkpoint;		/* the one to go back to: its number, or its commit, should its ref be gone */

	struct wisp_checkpoint from;	/* that one */
	const char *head, *tree, *index; /* what W is to become; "": unknown. The index: a commit or a tree */
	bool staged;			/* the index has what was staged */
	const char *commits;		/* those of the step that stay, a line `ID SUBJECT` each; "": none */
	const char *ref, *saved;	/* what was put away; "": nothing */
};

/* How a git is started, any of these together. */
enum wisp_git_how {
	WISP_GIT_WARM = 1,	/* its index is wisp.index; else W's own */
	WISP_GIT_TEMP = 2,	/* or wisp.temp */
	WISP_GIT_KEEP = 4,	/* its errors are kept in `said`; else they are shown */
	WISP_GIT_PATIENT = 8,	/* it reads the work tree: pipes are looked for, and removed, where that takes long */
	WISP_GIT_ADDS = 16,	/* and giants */
	WISP_GIT_WISP = 32,	/* commits are wisp's */
	WISP_GIT_LITERAL = 64,	/* names are names, and no patterns */
	WISP_GIT_OTHER = 128,	/* another repository, which the arguments name */
	WISP_GIT_NESTED = 256,	/* its index is wisp.nested */
	WISP_GIT_PLAIN = 512,	/* in a checkout of a person's own: their settings for line ends and the like hold */
};

/* What no tree of wisp's has, as the last arguments. Spelled with a wildcard: `git add` refuses a literal name that is ignored. */
#define WISP_GIT_NO_WISP ":(exclude,top).wis[p]", ":(exclude,top).wis[p]/*"

#define WISP_TREE_OPTIONS 11
/* The options of any program that works on W, so many; fills in what is not given. Then wisp_tree_begin. */
size_t wisp_tree_options(struct wisp_tree *t, const char **parent, struct wisp_option *out);
void wisp_tree_begin(struct wisp_tree *t, const char *parent);
/* No git is started any more: what came of it is noted, by a program of that name, and no signal interrupts that. */
void wisp_tree_end(const char *program);
/* KEY=VALUE; nothing where that is NULL. */
void wisp_tree_answer(const char *key, const char *value);
/* W as it is. */
void wisp_tree_answer_state(const struct wisp_tree *t);
/* What of it is not the agent's. */
void wisp_work_answer(const struct wisp_work_tree *w);
/* Needs `head`, `tree` and `nested` where something has run in W since the agent ended. */
void wisp_tree_close(struct wisp_tree *t, struct wisp_close *c);
/* Before all else: the environment and the signals of every git. */
void wisp_git_init(struct wisp_tree *t);
/*
 * git ARGS (ends with NULL) in W, with `in` (may be NULL) on its stdin: its exit status, or 128 and the signal that ended
 * it where WISP_GIT_KEEP is set. Its output is in `out`. No program of the repository's choice runs, and nobody is asked.
 * After 300 seconds, or WISP_GIT_LIMIT, it is ended, and so is the program.
 */
int wisp_git(struct wisp_tree *t, int how, const struct wisp_buf *in, const char *const *args) WISP_CHECK;
#define wisp_git_args(...) ((const char *const[]){__VA_ARGS__, NULL})
/* The same where only 0 will do. */
void wisp_git_must(struct wisp_tree *t, int how, const struct wisp_buf *in, const char *const *args);
/* What it said, without the line end; "" where it failed. */
const char *wisp_git_line(struct wisp_tree *t, int how, const char *const *args);
/* The commit that the repository in a git folder is at; "" for none. */
const char *wisp_git_head_of(struct wisp_tree *t, const char *folder);
/* The next of NUL-separated names in `b` from *at on; NULL at the end. */
const char *wisp_git_next(const struct wisp_buf *b, size_t *at);
/* Removes named pipes from W, at which git would wait for ever. */
void wisp_git_unplug(const struct wisp_tree *t);
/* Sets `large` to the files of W beyond 1 GiB that are not ignored. */
void wisp_git_find_large(struct wisp_tree *t);

/* `head` and `ref`. */
void wisp_tree_head(struct wisp_tree *t);
/* Removes the locks that a killed git left, for the branch B, and what stands in the place of a scratch file. */
void wisp_tree_unlock(const struct wisp_tree *t, const char *branch);
/* All of W's state above; what was observed before spares work. With `staged`, so is what is staged in spite of an ignore rule in the tree. */
void wisp_tree_observe(struct wisp_tree *t, bool staged);
/* wisp.index's last bytes, its checksum, in hexadecimal; "" where it has none. */
const char *wisp_tree_index_sum(const struct wisp_tree *t);
/* The tree of what is staged in W; "" if that is HEAD's, or unmerged. Needs `head`. */
const char *wisp_tree_staged(struct wisp_tree *t);
/* Was nothing staged on `head` when that was asked, since the index was written? */
bool wisp_tree_known_unstaged(const struct wisp_tree *t);
/* The index becomes wisp.index. False, and nothing is done, where that is not the tree's, or the index has more than HEAD. */
bool wisp_tree_index_warm(struct wisp_tree *t, const char *tree);
/* Nothing is staged on that commit. */
void wisp_tree_note_unstaged(const struct wisp_tree *t, const char *head);
/* Into the file `path`: the names, NUL-separated and sorted, in which the tree differs from `since`. */
void wisp_tree_names(struct wisp_tree *t, const char *since, const char *path);
/* Has the repository that object in a file of its own, so that no git need be asked for it? */
bool wisp_tree_has_loose(const struct wisp_tree *t, const char *id);
/* What was observed, `head`, `tree` and `nested`, becomes checkpoint N of a branch; `lines` end its message. The commit's id. */
const char *wisp_tree_checkpoint(struct wisp_tree *t, const char *branch, long long n, const char *session,
				 const struct wisp_texts *lines);
/* The checkpoint K of a branch, a number or its commit; false where there is none. */
bool wisp_tree_read(struct wisp_tree *t, const char *branch, const char *checkpoint, struct wisp_checkpoint *c);
/* A commit of wisp's under a ref; `parents` ends with NULL. Its id. */
const char *wisp_tree_store(struct wisp_tree *t, const char *ref, const char *tree, const char *text,
			    const char *const *parents);
/* A commit of wisp's of what is staged, on HEAD. */
const char *wisp_tree_store_staged(struct wisp_tree *t, const char *staged);
/* Deletes each ref of wisp's for a branch, and the scratch files in W's git folder. */
void wisp_tree_drop(struct wisp_tree *t, const char *branch);
/* Keeps the newest `keep` checkpoints and failed refs of a branch, and checkpoint 0, the tree as the session found it. */
void wisp_tree_prune(struct wisp_tree *t, const char *branch, long long keep);

/*
 * Commits as the user, on HEAD's branch, what `c` says: 0; 1 where that cannot be; 2 where it would delete most of what
 * there is: the names are in GIT/wisp.deleted. Needs `nested`.
 */
int wisp_tree_commit(struct wisp_tree *t, struct wisp_commit *c);
/* Into the file `path`: the names that such a commit would change in HEAD. */
void wisp_tree_uncommitted(struct wisp_tree *t, const struct wisp_commit *c, const char *path);
/* Does `to` delete more than half of what `from` tracks and at least ten files, or all? How many: c->why; names in `path`. */
bool wisp_tree_deletes_much(struct wisp_tree *t, struct wisp_commit *c, const char *from, const char *to, const char *path);
/* wisp.temp is HEAD. */
void wisp_tree_temp_head(struct wisp_tree *t);
/* The files of the list in wisp.temp become what git makes of them when it checks them out and adds them. */
void wisp_tree_renormalize(struct wisp_tree *t, const struct wisp_buf *list, const char *autocrlf);

/* Observes W, with what is staged, before a check runs in it; w->credited. `since`: a tree; NULL or "": `files` stays as it is. */
void wisp_work_before(struct wisp_tree *t, struct wisp_work_tree *w, const char *since);
/* Observes W after a check has run on the tree `before`; w->again. */
void wisp_work_after(struct wisp_tree *t, struct wisp_work_tree *w, const char *before);
/* The list in `path` loses what is no work in `tree`, or where that is "" is on the lists: that in words; the caller frees it. */
char *wisp_work_apart(struct wisp_tree *t, const struct wisp_work_tree *w, const char *path);
/*
 * Adds to `left` the names of what `git status` finds uncommitted in W, files that are just as a checkout makes them apart;
 * `untracked` is its word. Submodules are not looked into: wisp_tree_links has those with a repository of their own.
 */
void wisp_tree_left(struct wisp_tree *t, int how, const char *untracked, struct wisp_buf *left);
void wisp_tree_links(struct wisp_tree *t, struct wisp_texts *links);
/* No file is hidden from git by the index any more, by assume-unchanged, or else by skip-worktree. */
void wisp_tree_unhide(struct wisp_tree *t, bool assumed);

/*
 * Into the file `path`: what of an observed checkout is not in HEAD, but for what was there at checkpoint 0 of a branch and
 * is the same now. Where that is not known the file stays as it is.
 */
void wisp_work_left(struct wisp_tree *t, const char *branch, const char *path);

/*
 * Everything in W as it is becomes a commit under refs/wisp/failed: its parents are HEAD, whatever else would be lost, and
 * an older commit of that name. Where that has it all, or r->head, r->tree and r->index do, the older one stays.
 */
void wisp_tree_save(struct wisp_tree *t, struct wisp_tree_restore *r);
/* Ends a merge, rebase, cherry-pick or bisect that a step left half done. */
void wisp_tree_end_operations(const struct wisp_tree *t);
/* What a step has kept from being read, or removed, gets its owner's rights back. False: W is a person's own checkout. */
bool wisp_tree_give_rights(const struct wisp_tree *t);
/* HEAD goes back to the branch, where the agent moved or detached it; commits made elsewhere come along if they build on
 * it. Tree and index stay. What was done, in words; NULL: nothing. */
const char *wisp_tree_home(struct wisp_tree *t, const char *branch);
/*
 * A failed step: all in W is saved; then W becomes HEAD plus what the checkpoint had uncommitted and the commits since did
 * not touch, and those commits stay. With `reset` branch, index and tree become the checkpoint exactly. False where there
 * is no such checkpoint: nothing was done.
 */
bool wisp_tree_put_away(struct wisp_tree *t, struct wisp_tree_restore *r, bool reset);
/* W becomes HEAD. What the checkpoint does not hold is saved first; where there is none, all that is uncommitted. */
void wisp_tree_clear(struct wisp_tree *t, struct wisp_tree_restore *r);

/* GIT/NAME. The caller frees it. */
char *wisp_tree_file(const struct wisp_tree *t, const char *name);
/* That file is a line. */
void wisp_tree_write_line(const struct wisp_tree *t, const char *name, const char *text);
bool wisp_tree_line_is(const struct wisp_tree *t, const char *name, const char *text);
bool wisp_tree_is_id(const char *s);
/* Has W a sparse checkout, or had one? */
bool wisp_tree_is_sparse(const struct wisp_tree *t);
/* Is there a file, or a symbolic link, of that name in W, and not by way of a link? */
bool wisp_tree_is_file(const struct wisp_tree *t, const char *name);
/* A pattern that matches just `name`, beginning with a backslash, so that for git it is no literal (WISP_GIT_NO_WISP). */
char *wisp_tree_pattern(const char *name);
/* The commit that a name stands for; "": there is none. */
const char *wisp_tree_commit_of(struct wisp_tree *t, const char *name);

#endif
