/*
 * lend_modules: see lent.h.
 */
#include "lent.h"

#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "plan.h"

#define CONFIG_MAX ((size_t)1 << 20)

struct finder {
	const struct wisp_tree *t;
	void (*each)(void *arg, const struct wisp_tree *module);
	void *arg;
};

/* The work tree at `path`, if it is one in that of the session, and not that of another session. */
static void
found(const struct finder *f, const char *path, const char *git, const char *common)
{
	char *top = realpath(path, NULL), *file = wisp_str("%s/.git", path), *others = wisp_str("%s/.wisp", f->t->top);
	struct wisp_tree module = {.top = top, .git = git, .common = common};

	if (top != NULL && strcmp(top, f->t->top) != 0 && wisp_sandbox_below(top, f->t->top) && !wisp_sandbox_below(top, others) &&
	    wisp_lent_is_file(file))
		f->each(f->arg, &module);
	free(file);
	free(others);
}

/* core.worktree, as git itself writes it where a submodule is made; NULL: there is none. */
static char *
work_tree(const char *git, const char *name)
{
	char *path = wisp_str("%s/%s", git, name), *line, *rest, *tree = NULL;
	struct wisp_buf text = WISP_BUF_INIT;

	if (wisp_file_read(path, CONFIG_MAX, &text) < 0)
		wisp_buf_putc(&text, '\n');
	for (line = strtok_r(text.data, "\n", &rest); tree == NULL && line != NULL; line = strtok_r(NULL, "\n", &rest)) {
		line += strspn(line, " \t");
		if (strncmp(line, "worktree = ", 11) == 0)
			tree = line[11] == '/' ? wisp_strdup(line + 11) : wisp_str("%s/%s", git, line + 11);
	}
	wisp_buf_release(&text);
	free(path);
	return tree;
}

/* The work trees of the git folder of a submodule: its own, and those that are linked. */
static void
find_trees(const struct finder *f, const char *common)
{
	char *folder = wisp_str("%s/worktrees", common), *tree = work_tree(common, "config"), **names, *git, *line;
	size_t count, i;

	if (tree == NULL)
		tree = work_tree(common, "config.worktree");
	if (tree != NULL)
		found(f, tree, common, common);
	free(tree);
	if (wisp_dir_list(folder, &names, &count) == 0) {
		for (i = 0; i < count; i++) {
			git = wisp_str("%s/%s", folder, names[i]);
			tree = wisp_str("%s/gitdir", git);
			line = wisp_file_line(tree, "");
			if (line != NULL && wisp_dir_up(line))
				found(f, line, git, common);
			free(tree);
			free(line);
		}
		wisp_dir_list_free(names, count);
	}
	free(folder);
}

/* The git folders in `folder`: their names may have slashes. */
static void
find_in(const struct finder *f, const char *folder)
{
	char **names, *inner, *head;
	size_t count, i;

	if (wisp_dir_list(folder, &names, &count) < 0)
		return;
	for (i = 0; i < count; i++) {
		inner = wisp_str("%s/%s", folder, names[i]);
		head = wisp_str("%s/HEAD", inner);
		if (wisp_lent_is_file(head)) {
			find_trees(f, inner);
			find_in(f, wisp_str("%s/modules", inner));
		} else if (wisp_lent_is_folder(inner)) {
			find_in(f, inner);
		}
		free(head);
	}
	wisp_dir_list_free(names, count);
}

void
wisp_lent_modules(const struct wisp_tree *t, void (*each)(void *arg, const struct wisp_tree *module), void *arg)
{
	const struct finder f = {t, each, arg};

	find_in(&f, wisp_str("%s/modules", t->common));
	if (strcmp(t->git, t->common) != 0)
		find_in(&f, wisp_str("%s/modules", t->git));
}
