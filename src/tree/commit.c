/*
 * commit: what a step left uncommitted, as a commit of the user's on the branch. Nothing is read from the work tree but for
 * where submodules are: what was verified is what is committed.
 */
#include "tree.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "core/index_flags.h"
#include "names.h"
#include "raw.h"

#define LINK_MODE "160000"
#define MANY 10 /* files: fewer are no alarm, unless they are all there are */

/* What a tree changes in HEAD, as input for update-index; submodules and what stays as it is are not among it. */
struct changes {
	struct wisp_buf info;
	bool whole; /* it is all that the tree changes */
	bool links; /* submodules, too */
	size_t deleted;
};

static void
put_info(struct wisp_buf *info, const char *mode, const char *id, const char *name)
{
	wisp_buf_printf(info, "%s %s\t%s", mode, id, name);
	wisp_buf_putc(info, '\0');
}

/* `skip`: names, NUL-separated and sorted. */
static void
find_changes(struct wisp_tree *t, const char *tree, const struct wisp_buf *skip, struct changes *c)
{
	const char *skipped = NULL;
	const struct wisp_buf *diff;
	size_t at, skip_at = 0;
	struct wisp_raw e;

	if (skip != NULL)
		skipped = wisp_git_next(skip, &skip_at);
	c->whole = true;
	diff = wisp_raw_diff(t, t->head, tree, &at);
	while (wisp_raw_next(diff, &at, &e)) {
		while (skipped != NULL && strcmp(skipped, e.name) < 0)
			skipped = wisp_git_next(skip, &skip_at);
		if (wisp_raw_is_link(&e))
			c->links = true;
		if (wisp_raw_is_link(&e) || (skipped != NULL && strcmp(skipped, e.name) == 0) ||
		    wisp_raw_is_wisp(e.name)) {
			c->whole = false;
			continue;
		}
		c->deleted += e.status == 'D';
		put_info(&c->info, e.mode, e.id, e.name);
	}
}

/* Of submodules what is staged: there is no file to look at. */
static void
add_staged_links(struct wisp_tree *t, struct wisp_buf *info)
{
	struct wisp_raw e;
	size_t at = 0;

	wisp_git_must(
		t, 0, NULL,
		wisp_git_args("diff-index", "--cached", "--raw", "-z", "--no-abbrev", "--no-renames", "HEAD", "--"));
	while (wisp_raw_next(&t->out, &at, &e))
		if (wisp_raw_is_link(&e))
			put_info(info, e.mode, e.id, e.name);
}

/* Submodules that are at another commit than HEAD says. */
static void
add_moved_links(struct wisp_tree *t, struct wisp_buf *info)
{
	static const char *const first[] = {"ls-tree", "-z", "HEAD", "--"};
	struct wisp_texts args = {0};
	struct wisp_buf list = WISP_BUF_INIT;
	const char *line, *name, *id;
	size_t at = 0;

	if (t->nested.count == 0)
		return;
	for (size_t i = 0; i < sizeof first / sizeof *first; i++)
		wisp_texts_add(&args, first[i]);
	for (size_t i = 0; i < t->nested.count; i++)
		wisp_texts_add(&args, t->nested.list[i]);
	wisp_texts_add(&args, NULL);
	wisp_git_must(t, WISP_GIT_LITERAL, NULL, args.list);
	free(args.list);
	wisp_buf_add(&list, t->out.data, t->out.len);
	/* MODE commit ID<tab>NAME */
	while ((line = wisp_git_next(&list, &at)) != NULL) {
		name = strchr(line, '\t');
		if (name == NULL || strncmp(line, LINK_MODE " commit ", 14) != 0)
			continue;
		id = wisp_git_head_of(t, wisp_str("%s/%s/.git", t->top, name + 1));
		if (*id != '\0' && strncmp(line + 14, id, (size_t)(name - line) - 14) != 0)
			put_info(info, LINK_MODE, id, name + 1);
	}
	wisp_buf_release(&list);
}

/* What core.autocrlf says, but for wisp's own false, which comes last. */
static const char *
line_ends(struct wisp_tree *t)
{
	char *line, *rest, *last = NULL, *before = NULL;

	wisp_git_must(t, 0, NULL, wisp_git_args("config", "--get-all", "core.autocrlf"));
	for (line = strtok_r(t->out.data, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
		before = last;
		last = line;
	}
	return before != NULL ? wisp_strdup(before) : "false";
}

void
wisp_tree_temp_head(struct wisp_tree *t)
{
	char *temp = wisp_tree_file(t, "wisp.temp");

	(void)unlink(temp);
	free(temp);
	wisp_git_must(t, WISP_GIT_TEMP, NULL, wisp_git_args("read-tree", "HEAD"));
}

void
wisp_tree_renormalize(struct wisp_tree *t, const struct wisp_buf *list, const char *autocrlf)
{
	char *copies = wisp_tree_file(t, "wisp.copies"), *prefix = wisp_str("--prefix=%s/", copies);

	(void)!wisp_dir_remove(copies);
	wisp_git_must(t, WISP_GIT_TEMP, list, wisp_git_args("checkout-index", "-z", "--stdin", prefix));
	wisp_git_must(t, WISP_GIT_TEMP | WISP_GIT_LITERAL | WISP_GIT_KEEP, list,
		      wisp_git_args("-C", copies, wisp_str("--work-tree=%s", copies), "-c",
				    wisp_str("core.autocrlf=%s", autocrlf), "add", "--renormalize",
				    "--pathspec-from-file=-", "--pathspec-file-nul"));
	(void)!wisp_dir_remove(copies);
	free(copies);
	free(prefix);
}

/* With core.autocrlf a user's commits have other line ends than the files. */
static void
renormalize(struct wisp_tree *t, const struct wisp_buf *info, const char *autocrlf)
{
	struct wisp_buf list = WISP_BUF_INIT;
	const char *entry;
	size_t at = 0;

	while ((entry = wisp_git_next(info, &at)) != NULL)
		if (strncmp(entry, "100", 3) == 0)
			wisp_names_add(&list, strchr(entry, '\t') + 1);
	if (list.len > 0)
		wisp_tree_renormalize(t, &list, autocrlf);
	wisp_buf_release(&list);
}

/* The tree that is to be committed; "" for no change in HEAD. */
static const char *
tree_but(struct wisp_tree *t, struct wisp_commit *c, const struct wisp_buf *skip, struct changes *found)
{
	const char *new;

	find_changes(t, c->tree, skip, found);
	if (found->links || t->nested.count > 0) {
		add_staged_links(t, &found->info);
		add_moved_links(t, &found->info);
		found->whole = false;
	}
	if (found->info.len == 0)
		return "";
	if (*c->line_ends == '\0')
		c->line_ends = line_ends(t);
	if (found->whole && strcmp(c->line_ends, "false") == 0)
		return c->tree;
	wisp_tree_temp_head(t);
	wisp_git_must(t, WISP_GIT_TEMP, &found->info, wisp_git_args("update-index", "-z", "--index-info"));
	if (strcmp(c->line_ends, "false") != 0)
		renormalize(t, &found->info, c->line_ends);
	new = wisp_git_line(t, WISP_GIT_TEMP, wisp_git_args("write-tree"));
	if (*new == '\0')
		wisp_exit(WISP_EXIT_SYS);
	return new;
}

static size_t
count_names(const struct wisp_buf *b)
{
	const char *name;
	size_t at = 0, count = 0;

	while ((name = wisp_git_next(b, &at)) != NULL)
		count += strncmp(name, ".wisp/", 6) != 0;
	return count;
}

bool
wisp_tree_deletes_much(struct wisp_tree *t, struct wisp_commit *c, const char *from, const char *to, const char *path)
{
	size_t deleted, tracked;

	wisp_git_must(t, WISP_GIT_WARM, NULL,
		      wisp_git_args("diff-tree", "-r", "-M", "--name-only", "-z", "--diff-filter=D", from, to, "--",
				    WISP_GIT_NO_WISP));
	deleted = count_names(&t->out);
	if (deleted == 0)
		return false;
	wisp_names_write(path, &t->out);
	wisp_git_must(t, WISP_GIT_WARM, NULL, wisp_git_args("ls-tree", "-r", "-z", "--name-only", from));
	tracked = count_names(&t->out);
	c->why = wisp_str("%zu of %zu tracked files", deleted, tracked);
	return deleted == tracked || (deleted >= MANY && 2 * deleted > tracked);
}

static void
take_unmerged(void *arg, const struct wisp_index_entry *e)
{
	bool *unmerged = arg;

	*unmerged = *unmerged || e->unmerged;
}

/* Is a merge half done? A torn index is made anew, but not a person's. */
static bool
is_unmerged(struct wisp_tree *t)
{
	char *index = wisp_tree_file(t, "index");
	bool unmerged = false;

	if (wisp_index_walk(index, strlen(t->head) / 2, UINT32_MAX, take_unmerged, &unmerged) == 0)
		return unmerged;
	/* One in parts, or none. */
	if (wisp_git(t, WISP_GIT_KEEP, NULL, wisp_git_args("ls-files", "-u")) == 0)
		return t->out.len > 0;
	if (t->persons || *t->head == '\0') {
		warn("%.*s", (int)strcspn(t->said.data, "\n"), t->said.data);
		wisp_exit(WISP_EXIT_SYS);
	}
	if (wisp_dir_remove(index) < 0)
		die_sys("cannot remove '%s'", index);
	free(index);
	wisp_git_must(t, 0, NULL, wisp_git_args("read-tree", "HEAD"));
	return false;
}

/* Into the real index what the tree changes in HEAD: nothing else that is staged, and no flag that hides a change. */
static void
index_like(struct wisp_tree *t, const char *new, const char *tree, struct changes *found)
{
	const struct wisp_buf *diff;
	struct wisp_raw e;
	size_t at;

	if (found->whole && strcmp(new, tree) == 0 && wisp_tree_index_warm(t, tree))
		return;
	if (strcmp(new, tree) != 0 || !found->whole) {
		wisp_buf_reset(&found->info);
		diff = wisp_raw_diff(t, t->head, new, &at);
		while (wisp_raw_next(diff, &at, &e))
			if (!wisp_raw_is_link(&e))
				put_info(&found->info, e.mode, e.id, e.name);
		add_moved_links(t, &found->info);
	}
	wisp_git_must(t, 0, &found->info, wisp_git_args("update-index", "-z", "--index-info"));
	(void)!wisp_git(t, WISP_GIT_KEEP, NULL, wisp_git_args("update-index", "-q", "--refresh"));
}

static bool
has_identity(struct wisp_tree *t)
{
	static const char *const who[] = {"GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"};

	for (size_t i = 0; i < 2; i++)
		if (wisp_git(t, WISP_GIT_KEEP, NULL, wisp_git_args("-c", "user.useConfigOnly=true", "var", who[i])) !=
		    0)
			return false;
	return true;
}

/* The commit, and HEAD's branch goes there. A merge that is resolved is concluded. */
static const char *
commit_tree(struct wisp_tree *t, const char *tree, const struct wisp_buf *message)
{
	static const char *const first[] = {"-c", "user.useConfigOnly=true", "commit-tree", "-p"};
	struct wisp_texts args = {0};
	struct wisp_buf merged = WISP_BUF_INIT;
	char *path = wisp_tree_file(t, "MERGE_HEAD"), *id, *rest = NULL;
	const char *commit;
	int how = WISP_GIT_KEEP;

	for (size_t i = 0; i < sizeof first / sizeof *first; i++)
		wisp_texts_add(&args, first[i]);
	wisp_texts_add(&args, t->head);
	if (wisp_file_read(path, WISP_FILE_MAX, &merged) == 0)
		for (id = strtok_r(merged.data, "\n", &rest); id != NULL; id = strtok_r(NULL, "\n", &rest))
			if (wisp_tree_is_id(id)) {
				wisp_texts_add(&args, "-p");
				wisp_texts_add(&args, id);
			}
	wisp_texts_add(&args, tree);
	wisp_texts_add(&args, NULL);
	if (wisp_git(t, how, message, args.list) != 0) {
		if (has_identity(t))
			how = 0; /* once more, for its words */
		else
			how = WISP_GIT_WISP;
		wisp_git_must(t, how, message, args.list);
	}
	t->out.data[strcspn(t->out.data, "\n")] = '\0';
	commit = wisp_strdup(t->out.data);
	wisp_git_must(t, how & WISP_GIT_WISP, NULL,
		      wisp_git_args("update-ref", "-m",
				    wisp_str("commit: %.*s", (int)strcspn(message->data, "\n"), message->data), "HEAD",
				    commit, t->head));
	free(args.list);
	free(path);
	return commit;
}

static void
read_skip(const struct wisp_commit *c, struct wisp_buf *skip)
{
	if (c->skip != NULL)
		wisp_names_read(skip, c->skip);
}

void
wisp_tree_uncommitted(struct wisp_tree *t, const struct wisp_commit *c, const char *path)
{
	struct wisp_buf skip = WISP_BUF_INIT, names = WISP_BUF_INIT;
	struct changes found = {0};
	const char *entry;
	size_t at = 0;

	read_skip(c, &skip);
	find_changes(t, c->tree, &skip, &found);
	add_moved_links(t, &found.info);
	while ((entry = wisp_git_next(&found.info, &at)) != NULL)
		wisp_names_add(&names, strchr(entry, '\t') + 1);
	wisp_names_write(path, &names);
	wisp_buf_release(&names);
}

int
wisp_tree_commit(struct wisp_tree *t, struct wisp_commit *c)
{
	struct wisp_buf skip = WISP_BUF_INIT, message = WISP_BUF_INIT;
	struct changes found = {0};
	const char *new, *entry;
	bool unstaged;
	size_t at;

	if (wisp_file_read(c->message, WISP_FILE_MAX, &message) < 0)
		die_sys("cannot read '%s'", c->message);
	while (message.len > 0 && strchr("\r\n", message.data[message.len - 1]) != NULL)
		message.data[--message.len] = '\0';
	wisp_buf_printf(&message, "\n\n%s\n", c->trailer);
	read_skip(c, &skip);
	wisp_tree_head(t);
	wisp_tree_unlock(t, c->branch);
	if (is_unmerged(t)) {
		c->why = "a merge is half done";
		return 1;
	}
	new = tree_but(t, c, &skip, &found);
	if (*new == '\0')
		return 0;
	if (found.deleted > 0 && wisp_tree_deletes_much(t, c, "HEAD", new, wisp_tree_file(t, "wisp.deleted")))
		return 2;
	for (at = 0; (entry = wisp_git_next(&found.info, &at)) != NULL;)
		wisp_names_add(&c->names, strchr(entry, '\t') + 1);
	unstaged = wisp_tree_known_unstaged(t);
	/* The index first: killed between the two, it is only ahead. */
	index_like(t, new, c->tree, &found);
	c->commit = commit_tree(t, new, &message);
	if (unstaged)
		wisp_tree_note_unstaged(t, c->commit);
	wisp_tree_end_operations(t);
	return 0;
}
