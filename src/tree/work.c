/*
 * work: what in a work tree is the agent's work, and what is not: files that a check wrote, or that worktree.copy and
 * worktree.setup put there. docs/checkpoints.md has the rule.
 *
 * The list of what is not work is a file: the tree in which that was so, then the names, a NUL after each. A name counts as
 * long as it is the same. The names in FILE.copied, which worktree.copy brought, count whatever becomes of them: they may
 * be secrets. FILE.before is the step, and the tree before a check ran in it.
 */
#include "tree.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "core/hash.h"
#include "names.h"
#include "raw.h"

static char *
list_path(const struct wisp_work_tree *w, const char *name)
{
	return wisp_str("%s/%s", w->dir, name);
}

static void
read_list(const struct wisp_work_tree *w, const char *name, struct wisp_buf *list)
{
	char *path = list_path(w, name);

	wisp_names_read(list, path);
	free(path);
}

static void
write_list(const struct wisp_work_tree *w, const char *name, const struct wisp_buf *list)
{
	char *path = list_path(w, name);

	wisp_names_write(path, list);
	free(path);
}

/* Into `list` the names that differ between two trees; false where one of them is gone. */
static bool
changed(struct wisp_tree *t, const char *from, const char *to, struct wisp_buf *list)
{
	wisp_buf_reset(list);
	if (strcmp(from, to) == 0)
		return true;
	if (wisp_git(t, WISP_GIT_WARM | WISP_GIT_KEEP, NULL,
		     wisp_git_args("diff-tree", "-r", "--name-only", "-z", "--no-renames", from, to, "--",
				   WISP_GIT_NO_WISP)) != 0)
		return false;
	wisp_buf_add(list, t->out.data, t->out.len);
	return true;
}

/* What the list says, NULL without one: the tree; `names` are those of it. */
static const char *
read_not_work(const struct wisp_work_tree *w, struct wisp_buf *names)
{
	struct wisp_buf text = WISP_BUF_INIT;
	const char *tree;
	size_t at = 0;

	wisp_names_read(&text, w->not_work);
	tree = wisp_strdup(wisp_git_next(&text, &at));
	if (tree != NULL)
		wisp_buf_add(names, text.data + at, text.len - at);
	wisp_buf_release(&text);
	return tree;
}

/* The names of the list that are in `tree` as they were. */
static void
add_not_work(struct wisp_tree *t, const struct wisp_work_tree *w, struct wisp_buf *own)
{
	struct wisp_buf differ = WISP_BUF_INIT, copied = WISP_BUF_INIT;
	const char *tree = read_not_work(w, own);
	char *path = wisp_str("%s.copied", w->not_work);

	/* A tree that is gone says nothing of the names. */
	if (tree != NULL && own->len > 0 && changed(t, tree, t->tree, &differ))
		wisp_names_minus(own, &differ);
	else
		wisp_buf_reset(own);
	wisp_names_read(&copied, path);
	wisp_names_join(own, &copied);
	wisp_buf_release(&differ);
	wisp_buf_release(&copied);
	free(path);
}

/* May files be other in the work tree than in the repository? */
static bool
has_attributes(const struct wisp_tree *t)
{
	char *own = wisp_str("%s/.gitattributes", t->top), *info = wisp_str("%s/info/attributes", t->common);
	bool yes = access(own, F_OK) == 0 || access(info, F_OK) == 0;

	free(own);
	free(info);
	return yes;
}

/*
 * The names that the tree changes in HEAD by what git makes of HEAD's own file alone, such as other line ends where
 * .gitattributes ask for them: nobody has touched those.
 */
static void
add_renormalized(struct wisp_tree *t, struct wisp_buf *own)
{
	struct wisp_buf list = WISP_BUF_INIT;
	const struct wisp_buf *diff;
	struct wisp_raw e;
	size_t at;

	if (*t->head == '\0' || !has_attributes(t))
		return;
	diff = wisp_raw_diff(t, t->head, t->tree, &at);
	while (wisp_raw_next(diff, &at, &e))
		if (e.status == 'M' && strncmp(e.before, "100", 3) == 0 && !wisp_raw_is_wisp(e.name))
			wisp_names_add(&list, e.name);
	if (list.len > 0) {
		wisp_tree_temp_head(t);
		wisp_tree_renormalize(t, &list, "false");
		wisp_git_must(t, WISP_GIT_TEMP, NULL,
			      wisp_git_args("diff-index", "--cached", "--name-only", "-z", "--no-renames", t->tree, "--"));
		wisp_names_minus(&list, &t->out);
		wisp_names_join(own, &list);
	}
	wisp_buf_release(&list);
}

/* What was uncommitted at checkpoint 0 of a branch, and is the same now, stays the person's. False where that is not known. */
static bool
add_dirt(struct wisp_tree *t, const char *branch, struct wisp_buf *own)
{
	char *ref = wisp_str("refs/wisp/checkpoints/%s/0000", branch), *head = wisp_str("%s^1", ref);
	struct wisp_buf dirt = WISP_BUF_INIT, differ = WISP_BUF_INIT;
	bool known = changed(t, head, ref, &dirt) && changed(t, ref, t->tree, &differ);

	if (known) {
		wisp_names_minus(&dirt, &differ);
		wisp_names_join(own, &dirt);
	}
	wisp_buf_release(&dirt);
	wisp_buf_release(&differ);
	free(ref);
	free(head);
	return known;
}

void
wisp_work_left(struct wisp_tree *t, const char *branch, const char *path)
{
	struct wisp_buf left = WISP_BUF_INIT, dirt = WISP_BUF_INIT;

	if (*t->head != '\0' && changed(t, t->head, t->tree, &left) && add_dirt(t, branch, &dirt)) {
		wisp_names_minus(&left, &dirt);
		wisp_names_write(path, &left);
	}
	wisp_buf_release(&left);
	wisp_buf_release(&dirt);
}

/*
 * What a check did to the tree: into `added` the names that it alone has, into `other` those that differ otherwise, in both
 * without those in `own`. False where `from` is gone.
 */
static bool
wrote(struct wisp_tree *t, const char *from, const struct wisp_buf *own, struct wisp_buf *added, struct wisp_buf *other)
{
	const char *status, *name;
	size_t at = 0;

	if (strcmp(from, t->tree) == 0)
		return true;
	if (wisp_git(t, WISP_GIT_WARM | WISP_GIT_KEEP, NULL,
		     wisp_git_args("diff-tree", "-r", "--name-status", "-z", "--no-renames", from, t->tree)) != 0)
		return false;
	while ((status = wisp_git_next(&t->out, &at)) != NULL && (name = wisp_git_next(&t->out, &at)) != NULL)
		wisp_names_add(strcmp(status, "A") == 0 ? added : other, name);
	wisp_names_minus(added, own);
	wisp_names_minus(other, own);
	return true;
}

/*
 * The tree before a check is noted: one that was cut off has written files, too, when the next start runs it for the step
 * again. The files that are new since are `own` then, and were written.
 */
static void
note_before(struct wisp_tree *t, struct wisp_work_tree *w, struct wisp_buf *own, struct wisp_buf *written)
{
	char *path = wisp_str("%s.before", w->not_work), *prefix = wisp_str("%s ", w->step), *tree, *line;
	struct wisp_buf other = WISP_BUF_INIT;

	tree = wisp_file_line(path, prefix);
	w->credited = t->tree;
	if (tree != NULL && wisp_tree_is_id(tree) && wrote(t, tree, own, written, &other)) {
		wisp_names_join(own, written);
		w->credited = tree;
	} else {
		line = wisp_str("%s%s\n", prefix, t->tree);
		if (wisp_file_write(path, line, strlen(line), WISP_NOSYNC) < 0)
			die_sys("cannot write '%s'", path);
		free(line);
	}
	wisp_buf_release(&other);
	free(path);
	free(prefix);
}

/* From now on the list is that of all that is not work, as it is in the tree; `news` are those that are new on it. */
static void
note_not_work(struct wisp_tree *t, struct wisp_work_tree *w, const struct wisp_buf *own, const struct wisp_buf *written)
{
	struct wisp_buf known = WISP_BUF_INIT, news = WISP_BUF_INIT, text = WISP_BUF_INIT;

	if (written->len == 0 && (own->len == 0 || strcmp(w->credited, t->tree) == 0))
		return;
	(void)read_not_work(w, &known);
	wisp_names_join(&news, written);
	wisp_names_minus(&news, &known);
	wisp_buf_reset(&known);
	wisp_buf_add(&known, own->data, own->len);
	wisp_names_join(&known, written);
	wisp_names_add(&text, t->tree);
	wisp_buf_add(&text, known.data, known.len);
	if (wisp_file_write(w->not_work, text.data, text.len, WISP_NOSYNC) < 0)
		die_sys("cannot write '%s'", w->not_work);
	if (news.len > 0) {
		write_list(w, "news", &news);
		w->wrote = wisp_names_shown(&news, "");
	}
	wisp_buf_release(&known);
	wisp_buf_release(&news);
	wisp_buf_release(&text);
}

void
wisp_work_before(struct wisp_tree *t, struct wisp_work_tree *w, const char *since)
{
	struct wisp_buf own = WISP_BUF_INIT, written = WISP_BUF_INIT;
	char *hash;

	wisp_tree_observe(t, true);
	if (since != NULL && *since != '\0')
		wisp_tree_names(t, since, list_path(w, "files"));
	add_not_work(t, w, &own);
	add_renormalized(t, &own);
	if (w->branch != NULL)
		(void)add_dirt(t, w->branch, &own);
	note_before(t, w, &own, &written);
	write_list(w, "own", &own);
	write_list(w, "wrote", &written);
	if (t->diff.len > 0) {
		write_list(w, "raw", &t->diff);
		w->diff = hash = wisp_alloc(1, WISP_HASH_SIZE);
		wisp_hash(t->diff.data, t->diff.len, hash);
	}
	if (w->end)
		note_not_work(t, w, &own, &written);
	wisp_buf_release(&own);
	wisp_buf_release(&written);
}

void
wisp_work_after(struct wisp_tree *t, struct wisp_work_tree *w, const char *before)
{
	struct wisp_buf own = WISP_BUF_INIT, written = WISP_BUF_INIT, added = WISP_BUF_INIT, other = WISP_BUF_INIT;
	char *names;

	if (w->fresh) {
		t->tree = before;
		add_not_work(t, w, &own);
	} else {
		read_list(w, "own", &own);
		read_list(w, "wrote", &written);
	}
	wisp_tree_observe(t, false);
	if (!wrote(t, before, &own, &added, &other)) {
		warn("%.*s", (int)strcspn(t->said.data, "\n"), t->said.data);
		wisp_exit(WISP_EXIT_SYS);
	}
	wisp_names_join(&written, &added);
	if (w->verify == NULL) {
		wisp_names_join(&written, &other);
	} else if (strcmp(w->verify, "passed") == 0 && other.len > 0) {
		names = wisp_names_shown(&other, "");
		w->again = wisp_str("changed %s: verifying what it left", names);
		free(names);
		wisp_names_join(&own, &added);
		write_list(w, "own", &own);
	}
	write_list(w, "wrote", &written);
	if (w->end && w->again == NULL)
		note_not_work(t, w, &own, &written);
	wisp_buf_release(&own);
	wisp_buf_release(&written);
	wisp_buf_release(&added);
	wisp_buf_release(&other);
}

char *
wisp_work_apart(struct wisp_tree *t, const struct wisp_work_tree *w, const char *path)
{
	struct wisp_buf own = WISP_BUF_INIT, left = WISP_BUF_INIT, work = WISP_BUF_INIT;
	char *words;

	wisp_names_read(&left, path);
	if (*t->tree != '\0') {
		add_not_work(t, w, &own);
	} else {
		read_list(w, "own", &own);
		read_list(w, "wrote", &own);
		wisp_names_join(&own, NULL);
	}
	wisp_buf_add(&work, left.data, left.len);
	wisp_names_minus(&work, &own);
	wisp_names_write(path, &work);
	wisp_names_join(&work, NULL);
	wisp_names_minus(&left, &work);
	words = wisp_names_shown(&left, "");
	wisp_buf_release(&own);
	wisp_buf_release(&left);
	wisp_buf_release(&work);
	return words;
}
