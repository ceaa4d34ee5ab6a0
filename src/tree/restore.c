/*
 * restore: going back to a checkpoint, once all that would be lost is saved.
 */
#include "tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"

#define LINK_MODE "160000 "

enum pass { DROP, THEIRS, OURS, PASSES };

void
wisp_tree_end_operations(const struct wisp_tree *t)
{
	static const char *const names[] = {
		"MERGE_HEAD", "MERGE_MSG", "MERGE_MODE", "MERGE_RR", "AUTO_MERGE", "SQUASH_MSG", "CHERRY_PICK_HEAD",
		"REVERT_HEAD", "REBASE_HEAD", "rebase-merge", "rebase-apply", "sequencer", "BISECT_LOG", "BISECT_START",
		"BISECT_NAMES", "BISECT_TERMS", "BISECT_EXPECTED_REV",
	};
	char *path;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		path = wisp_tree_file(t, names[i]);
		if (wisp_dir_remove(path) < 0)
			die_sys("cannot remove '%s'", path);
		free(path);
	}
}

/* Does the commit `id` come after `base`, or is it the same? */
static bool
builds_on(struct wisp_tree *t, const char *id, const char *base)
{
	return wisp_git(t, WISP_GIT_WARM, NULL, wisp_git_args("merge-base", "--is-ancestor", base, id)) == 0;
}

const char *
wisp_tree_home(struct wisp_tree *t, const char *branch)
{
	const char *ref = wisp_str("refs/heads/%s", branch), *from, *to = "", *tip;

	wisp_tree_head(t);
	if (strcmp(t->ref, ref) == 0)
		return NULL;
	from = strncmp(t->ref, "refs/heads/", 11) == 0 ? t->ref + 11 : t->ref;
	tip = wisp_tree_commit_of(t, ref);
	if (*t->head != '\0' && *tip == '\0') {
		to = wisp_str(", which was made again at %.12s", t->head);
		wisp_git_must(t, WISP_GIT_WARM, NULL,
			      wisp_git_args("update-ref", "--no-deref", "-m", "wisp: branch was gone", ref, t->head));
	} else if (*t->head != '\0' && strcmp(tip, t->head) != 0 && builds_on(t, t->head, tip)) {
		to = wisp_str(", which moved on to %.12s", t->head);
		wisp_git_must(t, WISP_GIT_WARM, NULL,
			      wisp_git_args("update-ref", "--no-deref", "-m", "wisp: commits made elsewhere", ref, t->head,
					    tip));
	} else if (*t->head != '\0' && strcmp(tip, t->head) != 0) {
		to = wisp_str(", which stays at %.12s: %.12s does not build on it", tip, t->head);
	}
	wisp_git_must(t, WISP_GIT_WARM, NULL,
		      wisp_git_args("symbolic-ref", "-m", "wisp: back on the branch", "HEAD", ref));
	wisp_tree_end_operations(t);
	from = *from != '\0' ? wisp_str("on '%s'", from) : "detached";
	wisp_tree_head(t);
	return wisp_str("HEAD was %s and is back on '%s'%s", from, branch, to);
}

/*
 * Unmerged entries, `MODE ID STAGE<tab>NAME`, as input for update-index that settles them: ours, where there is one. What
 * theirs alone has is in conflict with a file or a folder: it goes in before ours, and ours takes the place of what is in
 * its way.
 */
static void
settle(const struct wisp_buf *list, struct wisp_buf *info)
{
	static const char nulls[] = "0000000000000000000000000000000000000000000000000000000000000000";
	const char *entry, *name, *id, *last;
	size_t at, len;

	for (int pass = DROP; pass < PASSES; pass++)
		for (at = 0, last = ""; (entry = wisp_git_next(list, &at)) != NULL; last = name) {
			name = strchr(entry, '\t');
			id = strchr(entry, ' ');
			if (name == NULL || id == NULL || name - id < 4)
				die_bug("git ls-files -u says '%s'", entry);
			len = (size_t)(name++ - entry) - 2;	/* MODE ID */
			if (pass == DROP)
				wisp_buf_printf(info, "0 %.*s\t%s", (int)(len - (size_t)(id + 1 - entry)), nulls, name);
			else if (pass == THEIRS ? entry[len + 1] == '3' && strcmp(name, last) != 0 : entry[len + 1] == '2')
				wisp_buf_printf(info, "%.*s 0\t%s", (int)len, entry, name);
			else
				continue;
			wisp_buf_putc(info, '\0');
		}
}

/* Commit, commit and tree: the tree `ours` plus what `theirs` changed since `base` where `ours` did not; without .wisp. */
static const char *
merge(struct wisp_tree *t, const char *base, const char *ours, const char *theirs)
{
	struct wisp_buf list = WISP_BUF_INIT, info = WISP_BUF_INIT;
	char *temp = wisp_tree_file(t, "wisp.temp");
	const char *tree;

	(void)unlink(temp);
	free(temp);
	wisp_git_must(t, WISP_GIT_TEMP, NULL,
		      wisp_git_args("read-tree", "-i", "-m", "--aggressive", wisp_str("%s^{tree}", base),
				    wisp_str("%s^{tree}", ours), wisp_str("%s^{tree}", theirs)));
	wisp_git_must(t, WISP_GIT_TEMP, NULL, wisp_git_args("ls-files", "-u", "-z"));
	if (t->out.len > 0) {
		wisp_buf_add(&list, t->out.data, t->out.len);
		settle(&list, &info);
		wisp_git_must(t, WISP_GIT_TEMP, &info, wisp_git_args("update-index", "-z", "--index-info"));
	}
	wisp_git_must(t, WISP_GIT_TEMP, NULL,
		      wisp_git_args("rm", "-r", "-f", "-q", "--cached", "--ignore-unmatch", "--", ".wisp"));
	tree = wisp_git_line(t, WISP_GIT_TEMP, wisp_git_args("write-tree"));
	if (*tree == '\0')
		wisp_exit(WISP_EXIT_SYS);
	wisp_buf_release(&list);
	wisp_buf_release(&info);
	return tree;
}

/* What W is to become: from the checkpoint, and HEAD as it is. */
static void
plan(struct wisp_tree *t, struct wisp_tree_restore *r, bool reset)
{
	const struct wisp_checkpoint *c = &r->from;

	r->head = c->head;
	r->tree = c->tree;
	r->index = c->index;
	r->staged = c->staged;
	r->commits = "";
	/* A step that rewrote what earlier ones had committed leaves nothing to build on. */
	if (reset || *c->head == '\0' || *t->head == '\0' || strcmp(t->head, c->head) == 0 ||
	    !builds_on(t, t->head, c->head))
		return;
	r->tree = merge(t, c->head, t->head, c->tree);
	r->head = r->index = t->head;
	r->staged = false;
	wisp_git_must(t, WISP_GIT_WARM, NULL,
		      wisp_git_args("log", "--no-show-signature", "--format=%H %s",
				    wisp_str("%s..%s", c->head, t->head)));
	while (t->out.len > 0 && t->out.data[t->out.len - 1] == '\n')
		t->out.data[--t->out.len] = '\0';
	r->commits = wisp_strdup(t->out.data);
}

static void
branch_to(struct wisp_tree *t, const struct wisp_tree_restore *r)
{
	char *ref = wisp_str("refs/heads/%s", r->branch);
	bool on = strcmp(t->ref, ref) == 0;

	if (!on || strcmp(t->head, r->head) != 0) {
		if (*r->head == '\0')
			wisp_git_must(t, 0, NULL, wisp_git_args("update-ref", "--no-deref", "-d", ref));
		else if (strcmp(wisp_tree_commit_of(t, ref), r->head) != 0)
			wisp_git_must(t, 0, NULL,
				      wisp_git_args("update-ref", "--no-deref", "-m", "wisp: back to checkpoint", ref,
						    r->head));
		if (!on)
			wisp_git_must(t, 0, NULL,
				      wisp_git_args("symbolic-ref", "-m", "wisp: back to checkpoint", "HEAD", ref));
	}
	free(ref);
}

/*
 * Where ignore rules change on the way back, the new ones count: what they do not hide is saved too, what only they hide is
 * not touched. So they are laid out first, with all of the new tree, and W is looked at again.
 */
static void
rules_first(struct wisp_tree *t, struct wisp_tree_restore *r)
{
	struct wisp_buf names = WISP_BUF_INIT;
	const char *name;
	char *path;
	size_t at = 0;

	wisp_git_must(t, WISP_GIT_WARM, NULL,
		      wisp_git_args("diff-tree", "-r", "--name-only", "-z", "--no-renames", t->tree, r->tree, "--",
				    ":(top,glob)**/.gitignore"));
	if (t->out.len == 0)
		return;
	wisp_buf_add(&names, t->out.data, t->out.len);
	wisp_git_must(t, WISP_GIT_WARM, NULL, wisp_git_args("read-tree", "--reset", r->tree));
	while ((name = wisp_git_next(&names, &at)) != NULL) {
		path = wisp_str("%s/%s", t->top, name);
		if (wisp_tree_is_file(t, name) && unlink(path) < 0)
			die_sys("cannot remove '%s'", path);
		free(path);
	}
	wisp_buf_release(&names);
	wisp_git_must(t, WISP_GIT_WARM, NULL, wisp_git_args("checkout-index", "-q", "-f", "-a", "-u"));
	wisp_tree_save(t, r);
}

/* Away with what is not in the tree: it is saved. */
static void
clean(struct wisp_tree *t, const struct wisp_tree_restore *r)
{
	static const char *const first[] = {"clean", "-ffdq", "-e", "/.wisp"};
	const struct wisp_texts *const kept[] = {&r->from.nested, &t->large};
	struct wisp_texts args = {0};
	char *p;

	for (size_t i = 0; i < sizeof first / sizeof *first; i++)
		wisp_texts_add(&args, first[i]);
	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < kept[k]->count; i++) {
			p = wisp_tree_pattern(kept[k]->list[i]);
			wisp_texts_add(&args, "-e");
			wisp_texts_add(&args, wisp_str("/%s", p));
			free(p);
		}
	wisp_texts_add(&args, NULL);
	/* git reports what it could not remove: that ends nothing. */
	if (wisp_git(t, WISP_GIT_WARM, NULL, args.list) != 0 && wisp_tree_give_rights(t))
		(void)!wisp_git(t, WISP_GIT_WARM, NULL, args.list);
	free(args.list);
}

/* The tree of an index that had something staged: .wisp in it is as in HEAD. */
static const char *
staged_tree(struct wisp_tree *t, const struct wisp_tree_restore *r)
{
	const char *tree;

	wisp_git_must(t, WISP_GIT_TEMP, NULL, wisp_git_args("read-tree", r->index));
	if (wisp_git(t, WISP_GIT_KEEP, NULL, wisp_git_args("cat-file", "-e", "HEAD:.wisp/")) == 0)
		wisp_git_must(t, WISP_GIT_TEMP, NULL, wisp_git_args("read-tree", "--prefix=.wisp/", "HEAD:.wisp"));
	tree = wisp_git_line(t, WISP_GIT_TEMP, wisp_git_args("write-tree"));
	if (*tree == '\0')
		wisp_exit(WISP_EXIT_SYS);
	return tree;
}

/* The real index. */
static void
index_to(struct wisp_tree *t, const struct wisp_tree_restore *r)
{
	static const char *const own[] = {"wisp.index", "wisp.head"};
	const char *tree = r->staged ? staged_tree(t, r) : r->index;
	char *path;

	if (wisp_git(t, 0, NULL, wisp_git_args("read-tree", "--reset", tree)) != 0) {
		path = wisp_tree_file(t, "index");
		if (t->persons || wisp_dir_remove(path) < 0) /* else it is torn */
			wisp_exit(WISP_EXIT_SYS);
		free(path);
		wisp_git_must(t, 0, NULL, wisp_git_args("read-tree", tree));
	}
	/* Without -u, read-tree forgets what a sparse checkout leaves out; with it, the warm index is flagged for that. */
	if (wisp_tree_is_sparse(t)) {
		(void)!wisp_git(t, WISP_GIT_KEEP, NULL, wisp_git_args("sparse-checkout", "reapply"));
		for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
			path = wisp_tree_file(t, own[i]);
			(void)unlink(path);
			free(path);
		}
	}
	(void)!wisp_git(t, 0, NULL, wisp_git_args("update-index", "-q", "--refresh"));
}

/* Is there a link at that path of W, or on the way to it? */
static bool
is_by_link(const struct wisp_tree *t, const char *name)
{
	char *path = wisp_str("%s/%s", t->top, name), *slash;
	struct stat st;
	bool yes = false;

	do {
		yes = lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
		slash = strrchr(path, '/');
		*slash = '\0';
	} while (!yes && slash > path + strlen(t->top));
	free(path);
	return yes;
}

/* A submodule that is empty is a folder all the same; git would call it deleted. */
static void
make_link_folders(struct wisp_tree *t)
{
	char *path = wisp_str("%s/.gitmodules", t->top);
	struct stat st;
	const char *entry;
	size_t at = 0;
	bool any = stat(path, &st) == 0 && S_ISREG(st.st_mode);

	free(path);
	if (!any)
		return;
	wisp_git_must(t, 0, NULL, wisp_git_args("ls-files", "-s", "-z"));
	while ((entry = wisp_git_next(&t->out, &at)) != NULL) {
		if (strncmp(entry, LINK_MODE, strlen(LINK_MODE)) != 0)
			continue;
		entry = strchr(entry, '\t') + 1;
		path = wisp_str("%s/%s", t->top, entry);
		if (!is_by_link(t, entry) && !wisp_file_exists(path))
			(void)!wisp_dir_make(path);
		free(path);
	}
}

/* Branch, work tree and index become what `r` says. */
static void
carry_out(struct wisp_tree *t, struct wisp_tree_restore *r)
{
	wisp_git_unplug(t);
	branch_to(t, r);
	rules_first(t, r);
	wisp_git_must(t, WISP_GIT_WARM, NULL,
		      wisp_git_args("read-tree", "--no-recurse-submodules", "--reset", "-u", r->tree));
	clean(t, r);
	index_to(t, r);
	make_link_folders(t);
	wisp_tree_end_operations(t);
}

bool
wisp_tree_put_away(struct wisp_tree *t, struct wisp_tree_restore *r, bool reset)
{
	char *ref = wisp_str("refs/heads/%s", r->branch);
	bool on;

	if (!wisp_tree_read(t, r->branch, r->checkpoint, &r->from))
		return false;
	wisp_tree_unlock(t, r->branch);
	wisp_tree_head(t);
	on = strcmp(t->ref, ref) == 0;
	free(ref);
	/* No plan without the branch's HEAD, and none that an earlier run may have begun to carry out. */
	if (reset || on)
		plan(t, r, reset);
	wisp_tree_save(t, r);
	if (!reset && !on) {
		(void)wisp_tree_home(t, r->branch);
		plan(t, r, false);
	}
	carry_out(t, r);
	return true;
}

void
wisp_tree_clear(struct wisp_tree *t, struct wisp_tree_restore *r)
{
	(void)wisp_tree_home(t, r->branch);
	wisp_tree_observe(t, false);
	(void)wisp_tree_read(t, r->branch, r->checkpoint, &r->from);
	if (*t->head == '\0') {
		warn("'%s' has no commit to go back to", r->branch);
		wisp_exit(WISP_EXIT_SYS);
	}
	r->tree = merge(t, t->head, t->head, t->head);
	r->head = r->index = t->head;
	if (strcmp(t->tree, r->from.tree) != 0 && strcmp(t->tree, r->tree) != 0)
		wisp_tree_save(t, r);
	carry_out(t, r);
}
