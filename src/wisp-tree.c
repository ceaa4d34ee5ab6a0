/*
 * wisp-tree: the git transactions of a session (tree/tree.h). Private: lib/git.bash starts it.
 *
 * Answers are lines KEY=VALUE in which % and a line feed are %25 and %0A.
 * Exit: 0; 100 called wrongly; 111 git or the system refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tree/names.h"
#include "tree/tree.h"

struct call {
	struct wisp_tree tree;
	struct wisp_commit commit;
	struct wisp_work_tree work;
	struct wisp_tree_restore restore;
	const char *parent, *branch, *session, *since, *files, *untracked, *flags;
	struct wisp_texts lines;
	long long n, keep;
	bool staged, plain;
};

static void
read_call(struct wisp_cli *cli, struct call *c)
{
	struct wisp_tree *t = &c->tree;
	const struct wisp_option own[] = {
		{"staged", .flag = &c->staged}, {"plain", .flag = &c->plain}, {"untracked", .text = &c->untracked},
		{"flags", .text = &c->flags},
		{"head", .text = &t->head}, {"tree", .text = &t->tree}, {"since", .text = &c->since},
		{"files", .text = &c->files},
		{"branch", .text = &c->branch}, {"n", .number = &c->n}, {"session", .text = &c->session},
		{"message", .text = &c->commit.message}, {"trailer", .text = &c->commit.trailer},
		{"skip", .text = &c->commit.skip}, {"line-ends", .text = &c->commit.line_ends},
		{"checkpoint", .text = &c->restore.checkpoint},
		{"line", .list = &c->lines}, {"keep", .number = &c->keep},
		{"work", .text = &c->work.dir}, {"not-work", .text = &c->work.not_work}, {"step", .text = &c->work.step},
		{"verify", .text = &c->work.verify}, {"fresh", .flag = &c->work.fresh}, {"end", .flag = &c->work.end},
		{"credited", .text = &c->work.credited},
	};
	struct wisp_option options[WISP_TREE_OPTIONS + sizeof own / sizeof *own + 1] = {0};

	memcpy(options + wisp_tree_options(t, &c->parent, options), own, sizeof own);
	c->commit.line_ends = "";
	c->restore = (struct wisp_tree_restore){.head = "", .tree = "", .index = "", .commits = "", .ref = "", .saved = ""};
	wisp_cli_read(cli, options, 0, 0);
	wisp_tree_begin(t, c->parent);
	c->commit.branch = c->branch;
	c->commit.tree = t->tree;
	c->restore.branch = c->branch;
	c->restore.session = c->session;
	c->restore.n = c->n;
}

/* Submodules are bash's: it makes the checkpoint with lines about them. */
static bool
has_submodules(const struct wisp_tree *t)
{
	char *path = wisp_str("%s/.gitmodules", t->top);
	bool yes = t->nested.count > 0 && wisp_file_exists(path);

	free(path);
	return yes;
}

static int
observe(struct wisp_cli *cli)
{
	struct call c = {0};

	read_call(cli, &c);
	wisp_tree_observe(&c.tree, c.staged);
	if (c.files != NULL && c.since != NULL && *c.since != '\0')
		wisp_tree_names(&c.tree, c.since, c.files);
	wisp_tree_answer_state(&c.tree);
	if (c.branch != NULL && c.session != NULL && !has_submodules(&c.tree))
		wisp_tree_answer("commit", wisp_tree_checkpoint(&c.tree, c.branch, c.n, c.session, &c.lines));
	return 0;
}

static int
look(struct wisp_cli *cli)
{
	struct call c = {.untracked = "all"};
	struct wisp_buf left = WISP_BUF_INIT;
	struct wisp_texts links = {0};

	read_call(cli, &c);
	wisp_tree_head(&c.tree);
	wisp_tree_left(&c.tree, c.plain ? WISP_GIT_PLAIN : 0, c.untracked, &left);
	if (!c.plain)
		wisp_tree_links(&c.tree, &links);
	if (c.files != NULL)
		wisp_names_write(c.files, &left);
	wisp_tree_answer("at", c.tree.head);
	wisp_tree_answer("ref", c.tree.ref);
	wisp_tree_answer("left", left.len > 0 ? left.data : NULL);
	for (size_t i = 0; i < links.count; i++)
		wisp_tree_answer("link", links.list[i]);
	return 0;
}

static int
unhide(struct wisp_cli *cli)
{
	struct call c = {.flags = ""};

	read_call(cli, &c);
	if (strstr(c.flags, "assumed") != NULL)
		wisp_tree_unhide(&c.tree, true);
	if (strstr(c.flags, "skipped") != NULL)
		wisp_tree_unhide(&c.tree, false);
	return 0;
}

static int
before(struct wisp_cli *cli)
{
	struct call c = {0};

	read_call(cli, &c);
	if (c.work.dir == NULL || c.work.not_work == NULL || c.work.step == NULL)
		die_usage("--work, --not-work and --step are needed");
	c.work.branch = c.branch;
	wisp_work_before(&c.tree, &c.work, c.since);
	wisp_tree_answer_state(&c.tree);
	wisp_work_answer(&c.work);
	return 0;
}

static int
after(struct wisp_cli *cli)
{
	struct call c = {0};

	read_call(cli, &c);
	if (c.work.dir == NULL || c.work.not_work == NULL || c.work.credited == NULL || *c.tree.tree == '\0')
		die_usage("--work, --not-work, --credited and --tree are needed");
	wisp_work_after(&c.tree, &c.work, c.tree.tree);
	wisp_tree_answer_state(&c.tree);
	wisp_work_answer(&c.work);
	return 0;
}

static int
apart(struct wisp_cli *cli)
{
	struct call c = {0};
	struct wisp_buf work = WISP_BUF_INIT;

	read_call(cli, &c);
	if (c.files == NULL || (*c.tree.tree != '\0' ? c.work.not_work : c.work.dir) == NULL)
		die_usage("--files, and --tree and --not-work or --work are needed");
	wisp_tree_answer("names", wisp_work_apart(&c.tree, &c.work, c.files));
	wisp_names_read(&work, c.files);
	wisp_tree_answer("few", wisp_names_shown(&work, "'"));
	return 0;
}

static int
left(struct wisp_cli *cli)
{
	struct call c = {0};

	read_call(cli, &c);
	if (c.branch == NULL || c.files == NULL)
		die_usage("--branch and --files are needed");
	wisp_tree_observe(&c.tree, false);
	wisp_tree_answer_state(&c.tree);
	wisp_work_left(&c.tree, c.branch, c.files);
	return 0;
}

static int
checkpoint(struct wisp_cli *cli)
{
	struct call c = {0};

	read_call(cli, &c);
	if (c.branch == NULL || c.session == NULL || *c.tree.tree == '\0')
		die_usage("--branch, --session and --tree are needed");
	wisp_tree_unlock(&c.tree, c.branch);
	if (c.restore.checkpoint != NULL && c.files != NULL &&
	    wisp_tree_read(&c.tree, c.branch, c.restore.checkpoint, &c.restore.from)) {
		wisp_tree_names(&c.tree, c.restore.from.tree, c.files);
		wisp_tree_answer("ck-commit", c.restore.from.commit);
	}
	wisp_tree_answer("commit", wisp_tree_checkpoint(&c.tree, c.branch, c.n, c.session, &c.lines));
	return 0;
}

static void
checkpoint_answer(const struct wisp_checkpoint *c)
{
	wisp_tree_answer("ck-commit", c->commit);
	wisp_tree_answer("ck-head", c->head);
	wisp_tree_answer("ck-tree", c->tree);
	wisp_tree_answer("ck-index", c->index);
	wisp_tree_answer("ck-staged", c->staged ? "1" : NULL);
	for (size_t i = 0; i < c->nested.count; i++)
		wisp_tree_answer("ck-nested", c->nested.list[i]);
	for (size_t i = 0; i < c->links.count; i++)
		wisp_tree_answer("ck-link", c->links.list[i]);
}

/* 1: there is no such checkpoint. */
static int
read_checkpoint(struct wisp_cli *cli)
{
	struct call c = {0};

	read_call(cli, &c);
	if (c.branch == NULL || c.restore.checkpoint == NULL)
		die_usage("--branch and --checkpoint are needed");
	if (!wisp_tree_read(&c.tree, c.branch, c.restore.checkpoint, &c.restore.from))
		return 1;
	checkpoint_answer(&c.restore.from);
	return 0;
}

static int
drop(struct wisp_cli *cli)
{
	struct call c = {0};

	read_call(cli, &c);
	if (c.branch == NULL)
		die_usage("--branch is needed");
	wisp_tree_drop(&c.tree, c.branch);
	return 0;
}

static int
home(struct wisp_cli *cli)
{
	struct call c = {0};
	const char *said;

	read_call(cli, &c);
	if (c.branch == NULL)
		die_usage("--branch is needed");
	said = wisp_tree_home(&c.tree, c.branch);
	wisp_tree_answer("at", c.tree.head);
	wisp_tree_answer("ref", c.tree.ref);
	wisp_tree_answer("said", said);
	return 0;
}

/* 1: there is no such checkpoint, and nothing was done. */
static int
restore(struct wisp_cli *cli)
{
	struct call c = {0};
	const char *how = cli->verb->name;

	read_call(cli, &c);
	if (c.branch == NULL || c.session == NULL || c.restore.checkpoint == NULL)
		die_usage("--branch, --session and --checkpoint are needed");
	if (strcmp(how, "clear") == 0)
		wisp_tree_clear(&c.tree, &c.restore);
	else if (!wisp_tree_put_away(&c.tree, &c.restore, strcmp(how, "reset") == 0))
		return 1;
	wisp_tree_observe(&c.tree, false);
	wisp_tree_answer_state(&c.tree);
	checkpoint_answer(&c.restore.from);
	wisp_tree_answer("put-head", c.restore.head);
	wisp_tree_answer("put-tree", c.restore.tree);
	wisp_tree_answer("put-commits", c.restore.commits);
	wisp_tree_answer("put-ref", c.restore.ref);
	return 0;
}

static int
prune(struct wisp_cli *cli)
{
	struct call c = {0};

	read_call(cli, &c);
	if (c.branch == NULL)
		die_usage("--branch is needed");
	wisp_tree_prune(&c.tree, c.branch, c.keep);
	return 0;
}

static int
commit(struct wisp_cli *cli)
{
	struct call c = {0};
	int rc;

	read_call(cli, &c);
	if (c.branch == NULL || c.commit.message == NULL || c.commit.trailer == NULL || *c.tree.tree == '\0')
		die_usage("--branch, --message, --trailer and --tree are needed");
	rc = wisp_tree_commit(&c.tree, &c.commit);
	wisp_tree_answer("commit", c.commit.commit);
	wisp_tree_answer("why", rc != 0 ? c.commit.why : NULL);
	wisp_tree_answer("line-ends", c.commit.line_ends);
	return rc;
}

/* 1 for no. */
static int
deletes(struct wisp_cli *cli)
{
	struct call c = {0};
	struct wisp_buf names = WISP_BUF_INIT;
	bool much;

	read_call(cli, &c);
	if (c.since == NULL || c.files == NULL || *c.tree.tree == '\0')
		die_usage("--since, --tree and --files are needed");
	much = wisp_tree_deletes_much(&c.tree, &c.commit, c.since, c.tree.tree, c.files);
	wisp_names_read(&names, c.files);
	wisp_tree_answer("why", c.commit.why);
	wisp_tree_answer("few", much ? wisp_names_shown(&names, "") : NULL);
	return much ? 0 : 1;
}

int
main(int argc, char **argv)
{
	static const struct wisp_verb verbs[] = {
		{"observe", observe, "[--staged] [--since TREE --files FILE] [--branch B --n N --session ID]",
		 "the work tree as it is, what changed, a checkpoint of it"},
		{"look", look, "[--untracked WORD] [--files FILE] [--plain]", "what is uncommitted, and which submodules are there"},
		{"unhide", unhide, "--flags KINDS", "what the index hides from git, `assumed` or `skipped`, is seen again"},
		{"before", before, "[--since TREE] --work DIR --not-work FILE --step SESSION/N [--branch B] [--end]",
		 "the work tree before a check runs in it: what there is no work"},
		{"after", after, "--tree TREE --credited TREE --work DIR --not-work FILE [--verify WORD] [--fresh] [--end]",
		 "and after it: what it wrote"},
		{"apart", apart, "--files FILE (--tree TREE --not-work FILE | --work DIR)", "takes what is no work out of a list"},
		{"left", left, "--branch B --files FILE", "what is uncommitted in a person's checkout, and was not before the session"},
		{"checkpoint", checkpoint,
		 "--tree TREE [--head COMMIT] --branch B --n N --session ID [--checkpoint K --files FILE]",
		 "of what was observed before, and how it differs from another one"},
		{"read", read_checkpoint, "--branch B --checkpoint K", "what a checkpoint has"},
		{"home", home, "--branch B", "HEAD goes back to the branch"},
		{"put-away", restore, "--branch B --n N --session ID --checkpoint K",
		 "saves what a step left, and goes back; its commits stay"},
		{"reset", restore, "--branch B --n N --session ID --checkpoint K", "the same, commits too"},
		{"clear", restore, "--branch B --n N --session ID --checkpoint K",
		 "saves what no checkpoint has, and goes back to HEAD"},
		{"commit", commit, "--tree TREE --branch B --message FILE --trailer TEXT [--skip FILE]",
		 "what a step left, on the branch"},
		{"deletes", deletes, "--since TREE --tree TREE --files FILE", "does it delete most of what there is?"},
		{"prune", prune, "--branch B --keep N", "keeps the newest checkpoints"},
		{"drop", drop, "--branch B", "removes all refs of a session"},
		{0}
	};

	wisp_cli_main(argc, argv, "a session's work tree as git sees it", verbs);
}
