/*
 * observe: the tree of the work tree as it is, by an index of wisp's own that stays between runs.
 */
#include "tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "core/index_flags.h"
#include "names.h"
#include "raw.h"

#define GITLINK 0160000u
#define IS_LINK "160000 " /* how ls-files begins the entry of a repository in a folder */

const char *
wisp_tree_index_sum(const struct wisp_tree *t)
{
	char *path = wisp_tree_file(t, "wisp.index");
	struct wisp_buf hex = WISP_BUF_INIT;
	size_t size = strlen(t->head) == 64 ? 32 : 20;
	unsigned char sum[32], any = 0;
	int fd = wisp_file_open(path);

	free(path);
	if (fd < 0)
		return "";
	if (lseek(fd, -(off_t)size, SEEK_END) > 0 && read(fd, sum, size) == (ssize_t)size)
		for (size_t i = 0; i < size; i++) {
			wisp_buf_printf(&hex, "%02x", sum[i]);
			any |= sum[i];
		}
	close(fd);
	return any != 0 ? wisp_buf_detach(&hex) : ""; /* index.skipHash leaves it out */
}

bool
wisp_tree_is_sparse(const struct wisp_tree *t)
{
	struct stat st;
	char *path = wisp_tree_file(t, "info/sparse-checkout");
	bool yes = stat(path, &st) == 0 && S_ISREG(st.st_mode);

	free(path);
	return yes;
}

char *
wisp_tree_pattern(const char *name)
{
	struct wisp_buf b = WISP_BUF_INIT;

	if (strchr("\\*?[", *name) == NULL)
		wisp_buf_putc(&b, '\\');
	for (; *name != '\0'; name++) {
		if (strchr("\\*?[", *name) != NULL)
			wisp_buf_putc(&b, '\\');
		wisp_buf_putc(&b, *name);
	}
	return wisp_buf_detach(&b);
}

/* Those of `nested` that are still there, which are left out of what follows. */
static void
leave_nested(struct wisp_tree *t, struct wisp_texts *args)
{
	size_t kept = 0;
	char *path, *p;

	for (size_t i = 0; i < t->nested.count; i++) {
		path = wisp_str("%s/%s/.git", t->top, t->nested.list[i]);
		if (wisp_file_exists(path)) {
			t->nested.list[kept++] = t->nested.list[i];
			p = wisp_tree_pattern(t->nested.list[kept - 1]);
			wisp_texts_add(args, wisp_str(":(exclude,top)%s", p));
			wisp_texts_add(args, wisp_str(":(exclude,top)%s/*", p));
			free(p);
		}
		free(path);
	}
	t->nested.count = kept;
}

struct own {
	struct wisp_buf links; /* names of submodules, a NUL after each */
	bool foreign;	       /* it is none that wisp has had git write */
};

static void
take_own(void *arg, const struct wisp_index_entry *e)
{
	struct own *o = arg;
	uint32_t kind = e->mode & S_IFMT;

	if (kind == GITLINK)
		wisp_buf_add(&o->links, e->name, strlen(e->name) + 1);
	else if (kind != S_IFREG && kind != S_IFLNK)
		o->foreign = true;
	for (size_t i = 0; i < WISP_INDEX_FLAGS; i++)
		o->foreign = o->foreign || e->flag[i];
}

/*
 * wisp.index lies where an agent can write. In submodules that it has, `add` would start a git that reads their own
 * configuration: they go. An index that hides files is made again.
 */
static void
own_index(struct wisp_tree *t)
{
	static const char *const names[] = {"wisp.index", "wisp.head"};
	char *path = wisp_tree_file(t, names[0]);
	struct own o = {.links = WISP_BUF_INIT};

	if (wisp_index_walk(path, strlen(t->head) == 64 ? 32 : 20, UINT32_MAX, take_own, &o) != 0 || o.foreign) {
		for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
			free(path);
			path = wisp_tree_file(t, names[i]);
			(void)unlink(path);
		}
		t->named = false;
	} else if (o.links.len > 0) {
		t->named = false;
		wisp_git_must(t, WISP_GIT_WARM, &o.links,
			      wisp_git_args("update-index", "--force-remove", "-z", "--stdin"));
	}
	free(path);
	wisp_buf_release(&o.links);
}

/* `git add` of all but what is left out: its status. */
static int
add_but_nested(struct wisp_tree *t, bool errors)
{
	const char *const no_wisp[] = {WISP_GIT_NO_WISP};
	struct wisp_texts args = {0};
	int rc;

	if (t->has_large)
		wisp_git_find_large(t);
	t->has_large = t->large.count > 0;
	wisp_texts_add(&args, "add");
	wisp_texts_add(&args, "-A");
	wisp_texts_add(&args, "-v");
	if (errors)
		wisp_texts_add(&args, "--ignore-errors");
	/* git before 2.34 has no such word, and needs none. It prints its usage with 129. */
	if (wisp_tree_is_sparse(t) && wisp_git(t, WISP_GIT_KEEP, NULL, wisp_git_args("add", "-h")) != 0 &&
	    (strstr(t->out.data, "sparse") != NULL || strstr(t->said.data, "sparse") != NULL))
		wisp_texts_add(&args, "--sparse");
	wisp_texts_add(&args, "--");
	wisp_texts_add(&args, no_wisp[0]);
	wisp_texts_add(&args, no_wisp[1]);
	for (size_t i = 0; i < t->large.count; i++)
		wisp_texts_add(&args, wisp_str(":(exclude,top)%s", wisp_tree_pattern(t->large.list[i])));
	leave_nested(t, &args);
	wisp_texts_add(&args, NULL);
	own_index(t);
	rc = wisp_git(t, WISP_GIT_WARM | WISP_GIT_KEEP | WISP_GIT_PATIENT | WISP_GIT_ADDS, NULL, args.list);
	free(args.list);
	return rc;
}

/* `nested`, after dropping the links that stand for them from the warm index; false where that is no index. */
static bool
find_nested(struct wisp_tree *t)
{
	struct wisp_buf links = WISP_BUF_INIT;
	const char *name;
	size_t at = 0;

	if (wisp_git(t, WISP_GIT_WARM | WISP_GIT_KEEP, NULL, wisp_git_args("ls-files", "-s", "-z")) != 0)
		return false;
	while ((name = wisp_git_next(&t->out, &at)) != NULL)
		if (strncmp(name, IS_LINK, strlen(IS_LINK)) == 0) {
			name = strchr(name, '\t') + 1;
			wisp_buf_add(&links, name, strlen(name) + 1);
		}
	if ((links.len > 0 && wisp_git(t, WISP_GIT_WARM | WISP_GIT_KEEP, &links,
				       wisp_git_args("update-index", "--force-remove", "-z", "--stdin")) != 0) ||
	    wisp_git(t, WISP_GIT_WARM | WISP_GIT_KEEP | WISP_GIT_PATIENT, NULL,
		     wisp_git_args("ls-files", "-o", "--exclude-standard", "-z", "--", WISP_GIT_NO_WISP)) != 0) {
		wisp_buf_release(&links);
		return false;
	}
	wisp_buf_release(&links);
	t->nested.count = 0;
	for (at = 0; (name = wisp_git_next(&t->out, &at)) != NULL;)
		if (name[strlen(name) - 1] == '/')
			wisp_texts_add(&t->nested, wisp_str("%.*s", (int)strlen(name) - 1, name));
	return true;
}

/* What git said on stderr, without the line ends at its end. */
static char *
words(const struct wisp_tree *t)
{
	size_t len = t->said.len;

	while (len > 0 && strchr("\r\n", t->said.data[len - 1]) != NULL)
		len--;
	return wisp_str("%.*s", (int)len, t->said.data);
}

bool
wisp_tree_is_file(const struct wisp_tree *t, const char *name)
{
	char *path = wisp_str("%s/%s", t->top, name), *slash = path + strlen(t->top);
	struct stat st;
	bool yes = true;

	while (yes && (slash = strchr(slash + 1, '/')) != NULL) {
		*slash = '\0';
		yes = lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
		*slash = '/';
	}
	yes = yes && lstat(path, &st) == 0 && (S_ISREG(st.st_mode) || S_ISLNK(st.st_mode));
	free(path);
	return yes;
}

static void
write_tree(struct wisp_tree *t)
{
	t->tree = wisp_git_line(t, WISP_GIT_WARM, wisp_git_args("write-tree"));
	if (*t->tree == '\0')
		wisp_exit(WISP_EXIT_SYS);
}

/* The tree, with the files of `from` that it lacks and that are there all the same. */
static void
keep_files(struct wisp_tree *t, const char *from)
{
	struct wisp_buf found = WISP_BUF_INIT;
	const struct wisp_buf *diff;
	struct wisp_raw e;
	size_t at;

	diff = wisp_raw_diff(t, from, t->tree, &at);
	while (wisp_raw_next(diff, &at, &e))
		if (e.status == 'D' && !wisp_raw_is_wisp(e.name) && wisp_tree_is_file(t, e.name))
			wisp_buf_add(&found, e.name, strlen(e.name) + 1);
	if (found.len > 0) {
		wisp_git_must(t, WISP_GIT_WARM, &found, wisp_git_args("update-index", "--add", "-z", "--stdin"));
		write_tree(t);
		t->named = false;
	}
	wisp_buf_release(&found);
}

void
wisp_tree_write_line(const struct wisp_tree *t, const char *name, const char *text)
{
	char *path = wisp_tree_file(t, name), *line = wisp_str("%s\n", text);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);

	if (fd < 0 || wisp_fd_write(fd, line, strlen(line)) < 0)
		die_sys("cannot write '%s'", path);
	close(fd);
	free(line);
	free(path);
}

bool
wisp_tree_line_is(const struct wisp_tree *t, const char *name, const char *text)
{
	char *path = wisp_tree_file(t, name), *line = wisp_file_line(path, "");
	bool yes = line != NULL && strcmp(line, text) == 0;

	free(line);
	free(path);
	return yes;
}

/* Into the warm index what a sparse checkout leaves out, without the flags that would hide it. */
static void
keep_sparse(struct wisp_tree *t)
{
	struct wisp_buf info = WISP_BUF_INIT;
	const char *name;
	size_t at = 0;

	wisp_git_must(t, 0, NULL, wisp_git_args("ls-files", "-s", "-t", "-z"));
	while ((name = wisp_git_next(&t->out, &at)) != NULL)
		if (strncmp(name, "S ", 2) == 0 && strncmp(name + 2, IS_LINK, strlen(IS_LINK)) != 0)
			wisp_buf_add(&info, name + 2, strlen(name) - 1);
	wisp_git_must(t, WISP_GIT_WARM, &info, wisp_git_args("update-index", "-z", "--index-info"));
	wisp_buf_release(&info);
}

/* The names of `add 'NAME'`, if nothing else was said, and they can be told apart; else `named` becomes false. */
static void
take_names(struct wisp_tree *t)
{
	char *line = t->out.data, *end;

	t->names.count = 0;
	for (; t->named && *line != '\0'; line = end + 1) {
		end = strchr(line, '\n');
		t->named = end != NULL && end - line > 6 && strncmp(line, "add '", 5) == 0 && end[-1] == '\'';
		if (t->named)
			wisp_texts_add(&t->names, wisp_str("%.*s", (int)(end - line - 6), line + 5));
		else
			break;
	}
}

/* May a name in the warm index look like two in what `git add -v` says? */
static bool
has_ambiguous(const struct wisp_tree *t)
{
	char *path = wisp_tree_file(t, "wisp.index");
	struct wisp_buf b = WISP_BUF_INIT;
	/* Version 4 stores a part of most names. */
	bool yes = wisp_file_read(path, WISP_FILE_MAX, &b) < 0 || b.len < 12 || b.data[7] > 3 ||
		   memmem(b.data, b.len, "'\nadd '", 7) != NULL;

	wisp_buf_release(&b);
	free(path);
	return yes;
}

/* A repository in a folder makes `add` fail, or store a link to it. After a power cut the index may be no index. */
static void
add_around_nested(struct wisp_tree *t)
{
	char *path;
	int rc;

	if (!find_nested(t)) {
		path = wisp_tree_file(t, "wisp.index");
		(void)unlink(path);
		free(path);
		path = wisp_tree_file(t, "wisp.head");
		(void)unlink(path);
		free(path);
		if (!find_nested(t)) {
			fprintf(stderr, "%s\n", words(t));
			wisp_exit(WISP_EXIT_SYS);
		}
	}
	rc = add_but_nested(t, true);
	t->note = t->said.len > 0 ? words(t) : NULL;
	t->partial = rc == 1;
	if (rc > 1) {
		/* Such as an encoding that .gitattributes asks for, and a file lacks; where the disk is full git says nothing. */
		warn("git cannot take in what is in '%s': %s (mend that, then once more)", t->top,
		     t->note != NULL ? t->note : wisp_str("git add ended with %d", rc));
		wisp_exit(WISP_EXIT_SYS);
	}
}

/* Is the tree HEAD's? Known where nothing is staged on it, and git has noted what the index is. */
static bool
is_head_tree(const struct wisp_tree *t)
{
	char *index = wisp_tree_file(t, "index"), *tree = NULL;
	bool yes;

	if (wisp_tree_known_unstaged(t))
		tree = wisp_index_tree(index, strlen(t->head) == 64 ? 32 : 20);
	yes = tree != NULL && strcmp(tree, t->tree) == 0;
	free(tree);
	free(index);
	return yes;
}

void
wisp_tree_observe(struct wisp_tree *t, bool staged)
{
	const char *tree;

	if (t->index != NULL) {
		t->was_index = t->index;
		t->was_tree = t->tree;
	}
	t->note = NULL;
	t->partial = false;
	wisp_tree_head(t);
	wisp_tree_unlock(t, strncmp(t->ref, "refs/heads/", 11) == 0 ? t->ref + 11 : t->ref);
	t->named = t->was_index != NULL && *t->was_index != '\0' && strcmp(t->was_index, wisp_tree_index_sum(t)) == 0 &&
		   !wisp_tree_is_sparse(t);
	if (add_but_nested(t, false) == 0 && t->said.len == 0) {
		if (t->named)
			take_names(t);
	} else {
		t->named = false;
		add_around_nested(t);
	}
	if (wisp_tree_is_sparse(t))
		keep_sparse(t);
	if (t->named && t->names.count == 0 && wisp_tree_has_loose(t, t->was_tree))
		t->tree = t->was_tree;
	else
		write_tree(t);
	t->named = t->named && (t->names.count == 0 || !has_ambiguous(t));
	/* `add` finds all but what HEAD tracks in spite of an ignore rule. Once in the warm index it stays there. */
	if (*t->head != '\0' && !wisp_tree_line_is(t, "wisp.head", t->head)) {
		if (!is_head_tree(t))
			keep_files(t, t->head);
		wisp_tree_write_line(t, "wisp.head", t->head);
	}
	t->warm = true;
	if (staged && *(tree = wisp_tree_staged(t)) != '\0')
		keep_files(t, tree);
	t->index = wisp_tree_index_sum(t);
}

void
wisp_tree_names(struct wisp_tree *t, const char *since, const char *path)
{
	struct wisp_buf list = WISP_BUF_INIT;

	if (t->named && strcmp(since, t->was_tree) == 0) {
		for (size_t i = 0; i < t->names.count; i++)
			wisp_names_add(&list, t->names.list[i]);
		wisp_names_join(&list, NULL);
	} else if (strcmp(since, t->tree) != 0) {
		wisp_git_must(t, WISP_GIT_WARM, NULL,
			      wisp_git_args("diff-tree", "-r", "--name-only", "-z", "--no-renames", since, t->tree));
		wisp_buf_add(&list, t->out.data, t->out.len);
	}
	wisp_names_write(path, &list);
	wisp_buf_release(&list);
}
