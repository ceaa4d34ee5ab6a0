/*
 * close: git's part of the end of a step. What was verified is committed, what the step changed is named, and the tree
 * becomes a checkpoint. docs/checkpoints.md has the rule.
 */
#include "tree.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/hash.h"
#include "names.h"

#define PRUNED_AT 10 /* one step in so many: looking costs a program. The end of the loop prunes what is left over */

/* What `before` was told need not be asked again. */
static void
read_diff(struct wisp_tree *t, const struct wisp_close *c)
{
	char *path = wisp_str("%s/raw", c->dir), hash[WISP_HASH_SIZE];

	if (c->diff != NULL) {
		wisp_names_read(&t->diff, path);
		wisp_hash(t->diff.data, t->diff.len, hash);
		if (strcmp(hash, c->diff) != 0)
			wisp_buf_reset(&t->diff);
	}
	free(path);
}

/* What was verified is committed, or it is named what the last commit lacks. */
static void
commit_work(struct wisp_tree *t, struct wisp_close *c)
{
	char *own = wisp_str("%s/own", c->dir), *rest = wisp_str("%s/rest", c->dir);
	struct wisp_commit *commit = &c->commit;
	struct wisp_buf names = WISP_BUF_INIT;

	commit->branch = c->branch;
	commit->tree = c->worked;
	commit->skip = own;
	read_diff(t, c);
	if (commit->message != NULL) {
		switch (wisp_tree_commit(t, commit)) {
		case 0:
			if (commit->commit != NULL)
				t->head = commit->commit;
			break;
		case 1:
			c->uncommitted = commit->why;
			break;
		default:
			c->deletes = commit->why;
			c->deleted = wisp_tree_file(t, "wisp.deleted");
			c->save = false;
		}
	} else if (c->done) {
		wisp_tree_uncommitted(t, commit, rest);
		wisp_names_read(&names, rest);
		if (names.len > 0)
			c->rest = wisp_strdup(rest);
		wisp_buf_release(&names);
	}
	free(rest);
}

static void
empty(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, WISP_FILE_MODE);

	if (fd < 0)
		die_sys("cannot write '%s'", path);
	close(fd);
}

/* What the step changed since `since`, into `files`. */
static void
name_changes(struct wisp_tree *t, struct wisp_close *c)
{
	const char *tree = t->tree;

	if (!c->observes) {
		/* Without checkpoints: what is uncommitted, and was work. */
		if (*c->worked != '\0') {
			struct wisp_work_tree lists = {.dir = c->dir};
			struct wisp_buf left = WISP_BUF_INIT;

			t->tree = "";
			free(wisp_work_apart(t, &lists, c->files));
			t->tree = tree;
			wisp_names_read(&left, c->files);
			wisp_names_join(&c->commit.names, NULL);
			wisp_names_minus(&left, &c->commit.names);
			wisp_names_write(c->files, &left);
			wisp_buf_release(&left);
		}
		return;
	}
	if (*c->worked == '\0' || c->interrupted) {
		wisp_tree_observe(t, false);
		c->observed = true;
		c->credited = t->tree;
		if (*c->since != '\0')
			wisp_tree_names(t, c->since, c->files);
	} else if (strcmp(c->credited, c->since) != 0 && strcmp(c->credited, c->listed) != 0 && *c->since != '\0') {
		t->tree = c->credited;
		t->named = false;
		wisp_tree_names(t, c->since, c->files);
		t->tree = tree;
	}
	if (*c->since == '\0' || strcmp(c->credited, c->since) == 0)
		c->files = NULL;
}

void
wisp_tree_close(struct wisp_tree *t, struct wisp_close *c)
{
	bool judged = *c->worked != '\0' && !c->interrupted;

	if (judged)
		commit_work(t, c);
	/* The number may come again, after a rollback. */
	if (judged)
		empty(wisp_str("%s.before", c->not_work));
	t->sync_follows = c->observes && c->save && !c->interrupted;
	name_changes(t, c);
	if (!t->sync_follows)
		return;
	t->sync_follows = false;
	wisp_tree_unlock(t, c->branch);
	c->checkpoint = wisp_tree_checkpoint(t, c->branch, c->n, c->session, &c->lines);
	if (c->n % PRUNED_AT == 0)
		wisp_tree_prune(t, c->branch, c->keep);
}
