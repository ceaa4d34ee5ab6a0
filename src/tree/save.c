/*
 * save: what a failed step left, saved before it is taken away.
 */
#include "tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"

#define PARENTS 5	/* at most */

/* What a step has kept from being read, or removed, in the folder `path` gets its owner's rights back. */
static void
give_rights(const char *path, bool top)
{
	DIR *d = opendir(path);
	struct dirent *e;
	struct stat st;
	mode_t need;
	char *below;

	while (d != NULL && (e = readdir(d)) != NULL) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
		    (top && strcmp(e->d_name, ".git") == 0) ||
		    fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		need = S_ISDIR(st.st_mode) ? S_IRWXU : S_ISREG(st.st_mode) ? S_IRUSR : 0;
		if ((st.st_mode & need) != need)
			(void)!fchmodat(dirfd(d), e->d_name, (st.st_mode & 07777) | need, 0);
		if (!S_ISDIR(st.st_mode))
			continue;
		below = wisp_str("%s/%s", path, e->d_name);
		give_rights(below, false);
		free(below);
	}
	if (d != NULL)
		closedir(d);
}

bool
wisp_tree_give_rights(const struct wisp_tree *t)
{
	struct stat st;

	if (t->persons)
		return false;
	if (stat(t->top, &st) == 0 && (st.st_mode & S_IRWXU) != S_IRWXU)
		(void)!chmod(t->top, (st.st_mode & 07777) | S_IRWXU);
	give_rights(t->top, true);
	return true;
}

static bool
is_among(const char *name, const struct wisp_texts *names)
{
	for (size_t i = 0; i < names->count; i++)
		if (strcmp(names->list[i], name) == 0)
			return true;
	return false;
}

static const char *
write_tree(struct wisp_tree *t, int how)
{
	const char *tree = wisp_git_line(t, how, wisp_git_args("write-tree"));

	if (*tree == '\0')
		wisp_exit(WISP_EXIT_SYS);
	return tree;
}

/* The tree with the files of nested repositories that going back will remove. */
static const char *
whole_tree(struct wisp_tree *t, const struct wisp_tree_restore *r)
{
	const char *name, *tree;
	bool any = false;
	char *index;

	for (size_t i = 0; i < t->nested.count; i++) {
		name = t->nested.list[i];
		if (is_among(name, &r->from.nested))
			continue;
		if (!any)
			wisp_git_must(t, WISP_GIT_TEMP, NULL, wisp_git_args("read-tree", t->tree));
		any = true;
		index = wisp_tree_file(t, "wisp.nested");
		(void)unlink(index);
		free(index);
		(void)!wisp_git(t, WISP_GIT_NESTED | WISP_GIT_KEEP, NULL,
				wisp_git_args("-C", name, wisp_str("--work-tree=%s/%s", t->top, name), "add", "-A",
					      "--ignore-errors"));
		tree = write_tree(t, WISP_GIT_NESTED);
		wisp_git_must(t, WISP_GIT_TEMP, NULL,
			      wisp_git_args("read-tree", wisp_str("--prefix=%s/", name), tree));
	}
	return any ? write_tree(t, WISP_GIT_TEMP) : t->tree;
}

/* Is what is staged in the index that W is to have, or in a parent of the commit `old`? */
static bool
is_staged_known(struct wisp_tree *t, const struct wisp_tree_restore *r, const char *old, const char *staged)
{
	struct wisp_texts known = {0};
	char *id, *rest;
	bool yes = false;

	if (*r->index != '\0')
		wisp_texts_add(&known, r->index);
	if (wisp_git(t, WISP_GIT_WARM, NULL, wisp_git_args("rev-parse", wisp_str("%s^@", old))) != 0)
		return false;
	for (id = strtok_r(t->out.data, "\n", &rest); id != NULL; id = strtok_r(NULL, "\n", &rest))
		wisp_texts_add(&known, wisp_strdup(id));
	for (size_t i = 0; i < known.count && !yes; i++)
		yes = wisp_git(t, WISP_GIT_WARM, NULL,
			       wisp_git_args("diff-tree", "--quiet", known.list[i], staged, "--", WISP_GIT_NO_WISP)) == 0;
	free(known.list);
	return yes;
}

/* Is all that would be saved in the commit `old` and those before it, or in what W is to become? */
static bool
is_old_enough(struct wisp_tree *t, const struct wisp_tree_restore *r, const char *old, const char *tree, const char *tip,
	      const char *staged)
{
	const char *const ids[] = {t->head, tip};

	for (size_t i = 0; i < 2; i++)
		if (*ids[i] != '\0' && strcmp(ids[i], r->head) != 0 &&
		    wisp_git(t, WISP_GIT_WARM, NULL, wisp_git_args("merge-base", "--is-ancestor", ids[i], old)) != 0)
			return false;
	if (*staged != '\0' && !is_staged_known(t, r, old, staged))
		return false;
	/* Names that differ from each of the others. */
	return wisp_git(t, WISP_GIT_WARM, NULL,
			wisp_git_args("diff", "-c", "--name-only", "--no-ext-diff", tree, old,
				      *r->tree != '\0' ? r->tree : old, *t->head != '\0' ? t->head : old)) == 0 &&
	       t->out.len == 0;
}

static void
add_parent(const char *parents[PARENTS + 1], const char *id)
{
	size_t n = 0;

	while (parents[n] != NULL && strcmp(parents[n], id) != 0)
		n++;
	if (*id != '\0')
		parents[n] = id;
}

/* What `git rebase --autostash` had set aside; "": nothing. */
static const char *
autostash(const struct wisp_tree *t)
{
	char *path = wisp_tree_file(t, "rebase-merge/autostash"), *line = wisp_file_line(path, "");

	free(path);
	return line != NULL && wisp_tree_is_id(line) ? line : "";
}

void
wisp_tree_save(struct wisp_tree *t, struct wisp_tree_restore *r)
{
	const char *tree, *tip, *old, *staged, *parents[PARENTS + 1] = {NULL};
	char *branch = wisp_str("refs/heads/%s", r->branch), *text;

	wisp_tree_observe(t, false);
	wisp_git_unplug(t);
	if (t->note != NULL && wisp_tree_give_rights(t))
		wisp_tree_observe(t, false);
	if (t->partial) {
		warn("cannot save all of '%s': %s", t->top, t->note);
		wisp_exit(WISP_EXIT_SYS);
	}
	tree = whole_tree(t, r);
	tip = strcmp(t->ref, branch) == 0 ? t->head : wisp_tree_commit_of(t, branch);
	r->ref = wisp_str("refs/wisp/failed/%s/%04lld", r->branch, r->n);
	old = wisp_tree_commit_of(t, r->ref);
	staged = wisp_tree_staged(t);
	free(branch);
	if (*old != '\0' && is_old_enough(t, r, old, tree, tip, staged)) {
		r->saved = old;
		return;
	}
	add_parent(parents, t->head);
	add_parent(parents, old);
	add_parent(parents, tip);
	if (*staged != '\0')
		add_parent(parents, wisp_tree_store_staged(t, staged));
	add_parent(parents, autostash(t));
	text = wisp_str("wisp put away %s/%lld\n\nWisp-Step: %s/%lld", r->branch, r->n, r->session, r->n);
	r->saved = wisp_tree_store(t, r->ref, tree, text, parents);
	free(text);
}
