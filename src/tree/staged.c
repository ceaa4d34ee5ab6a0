/*
 * staged: what is staged in a work tree.
 */
#include "tree.h"

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

#ifdef __APPLE__
#define st_mtim st_mtimespec
#endif

bool
wisp_tree_known_unstaged(const struct wisp_tree *t)
{
	char *path = wisp_tree_file(t, "wisp.unstaged"), *index = wisp_tree_file(t, "index");
	struct stat a, b;
	bool yes = stat(path, &a) == 0 && stat(index, &b) == 0 &&
		   (a.st_mtim.tv_sec > b.st_mtim.tv_sec ||
		    (a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec > b.st_mtim.tv_nsec));

	free(path);
	free(index);
	return yes && wisp_tree_line_is(t, "wisp.unstaged", t->head);
}

void
wisp_tree_note_unstaged(const struct wisp_tree *t, const char *head)
{
	wisp_tree_write_line(t, "wisp.unstaged", head);
}

/* However large. */
static void
copy(const char *from, const char *to)
{
	struct wisp_buf b = WISP_BUF_INIT;
	int fd = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);

	if (fd < 0 || wisp_file_read(from, SIZE_MAX / 2, &b) < 0 || wisp_fd_write(fd, b.data, b.len) < 0)
		die_sys("cannot copy '%s'", from);
	close(fd);
	wisp_buf_release(&b);
}

/* The entries of HEAD, which are those of wisp.index but for how its tree differs, beside those of the index. */
struct beside {
	size_t hash;			/* bytes of an id */
	const struct wisp_buf *diff;	/* from HEAD to the tree of wisp.index */
	size_t diff_at, at;
	struct wisp_raw next;
	bool more;			/* there is a next one */
	struct wisp_buf head;		/* mode, id and name of each, and a NUL */
	bool same;
};

static void
put_entry(struct beside *b, uint32_t mode, const unsigned char *id, const char *name)
{
	wisp_buf_add(&b->head, (const char *)&mode, sizeof mode);
	wisp_buf_add(&b->head, (const char *)id, b->hash);
	wisp_names_add(&b->head, name);
}

/* As it is in HEAD. */
static void
put_raw(struct beside *b, const struct wisp_raw *e)
{
	unsigned char id[WISP_TREE_ID] = {0};
	unsigned byte;

	if (e->status == 'A' || wisp_raw_is_wisp(e->name))
		return;
	for (size_t i = 0; i < b->hash && sscanf(e->old + 2 * i, "%2x", &byte) == 1; i++)
		id[i] = (unsigned char)byte;
	put_entry(b, (uint32_t)strtoul(e->before, NULL, 8), id, e->name);
}

/* What differs in the names up to `name`, or all that is left; is that itself among them? */
static bool
put_changed(struct beside *b, const char *name)
{
	bool found = false;
	int order = -1;

	while (b->more && (name == NULL || (order = strcmp(b->next.name, name)) <= 0)) {
		/* What HEAD alone has is not in wisp.index, and all else is. */
		b->same = b->same && (b->next.status == 'D') == (order < 0);
		found = order == 0;
		put_raw(b, &b->next);
		b->more = wisp_raw_next(b->diff, &b->diff_at, &b->next);
	}
	return found;
}

static void
take_warm(void *arg, const struct wisp_index_entry *e)
{
	struct beside *b = arg;

	if (!put_changed(b, e->name))
		put_entry(b, e->mode, e->id, e->name);
}

static void
take_index(void *arg, const struct wisp_index_entry *e)
{
	struct beside *b = arg;
	const char *head = b->head.data + b->at;
	size_t before_name = sizeof e->mode + b->hash;

	if (!b->same || wisp_raw_is_wisp(e->name))
		return;
	b->same = !e->unmerged && !e->intended && b->at < b->head.len && memcmp(head, &e->mode, sizeof e->mode) == 0 &&
		  memcmp(head + sizeof e->mode, e->id, b->hash) == 0 && strcmp(head + before_name, e->name) == 0;
	b->at += before_name + strlen(e->name) + 1;
}

/* Is the index HEAD? False where that is not known, too. */
static bool
index_is_head(struct wisp_tree *t, const char *index)
{
	struct beside b = {.hash = strlen(t->head) / 2, .head = WISP_BUF_INIT};
	char *warm = wisp_tree_file(t, "wisp.index");

	if (t->warm && !wisp_tree_is_sparse(t)) {
		b.diff = wisp_raw_diff(t, t->head, t->tree, &b.diff_at);
		b.more = wisp_raw_next(b.diff, &b.diff_at, &b.next);
		b.same = true;
		b.same = wisp_index_walk(warm, b.hash, UINT32_MAX, take_warm, &b) == 0 && b.same;
		(void)put_changed(&b, NULL);
		b.same = wisp_index_walk(index, b.hash, UINT32_MAX, take_index, &b) == 0 && b.same && b.at == b.head.len;
	}
	wisp_buf_release(&b.head);
	free(warm);
	return b.same;
}

/* What wisp.index does not have. */
static void
take_flagged(void *arg, const struct wisp_index_entry *e)
{
	bool *flagged = arg;

	for (size_t i = 0; i < WISP_INDEX_FLAGS; i++)
		*flagged = *flagged || e->flag[i] || wisp_raw_is_wisp(e->name);
}

/* By its lock, as git would. */
static bool
write_index(const char *index, const char *lock, mode_t mode, const struct wisp_buf *bytes, struct timespec mtime)
{
	struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, mtime};
	int fd = open(lock, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	bool good;

	if (fd < 0)
		return false;
	good = wisp_fd_write(fd, bytes->data, bytes->len) == 0 && fchmod(fd, mode & 0777) == 0 && futimens(fd, times) == 0;
	good = close(fd) == 0 && good && rename(lock, index) == 0;
	if (!good)
		(void)unlink(lock);
	return good;
}

bool
wisp_tree_index_warm(struct wisp_tree *t, const char *tree)
{
	char *index = wisp_tree_file(t, "index"), *lock = wisp_str("%s.lock", index), *warm = wisp_tree_file(t, "wisp.index");
	char *unstaged = wisp_tree_file(t, "wisp.unstaged");
	struct wisp_buf bytes = WISP_BUF_INIT;
	struct stat st, as;
	bool good, flagged = false;

	good = !t->persons && t->was_index != NULL && *t->was_index != '\0' && strcmp(t->was_tree, tree) == 0 &&
	       wisp_tree_known_unstaged(t) && !wisp_tree_is_sparse(t) && lstat(index, &st) == 0 && S_ISREG(st.st_mode) &&
	       wisp_index_walk(index, strlen(t->head) / 2, UINT32_MAX, take_flagged, &flagged) == 0 && !flagged &&
	       strcmp(t->was_index, wisp_tree_index_sum(t)) == 0 && stat(warm, &as) == 0 &&
	       wisp_file_read(warm, SIZE_MAX / 2, &bytes) == 0;
	if (good) {
		/* It may be newer than the index that comes. */
		(void)unlink(unstaged);
		/* A file that changed as it was read looks unchanged to git, but for the time of the index. */
		good = write_index(index, lock, st.st_mode, &bytes, as.st_mtim);
	}
	wisp_buf_release(&bytes);
	free(index);
	free(lock);
	free(warm);
	free(unstaged);
	return good;
}

const char *
wisp_tree_staged(struct wisp_tree *t)
{
	char *index = wisp_tree_file(t, "index"), *temp = wisp_tree_file(t, "wisp.temp");
	const char *tree = "";
	struct stat st;
	int rc = 0;

	if (*t->head == '\0' || stat(index, &st) < 0 || !S_ISREG(st.st_mode) || wisp_tree_known_unstaged(t))
		return "";
	if (!index_is_head(t, index))
		rc = wisp_git(t, 0, NULL, wisp_git_args("diff-index", "--cached", "--quiet", "HEAD", "--", WISP_GIT_NO_WISP));
	if (rc == 0)
		wisp_tree_note_unstaged(t, t->head);
	/* Anything but 1: no difference, or an index that is none, from which nothing can be had. */
	if (rc == 1) {
		copy(index, temp);
		wisp_git_must(t, WISP_GIT_TEMP, NULL,
			      wisp_git_args("rm", "-r", "-f", "-q", "--cached", "--ignore-unmatch", "--", ".wisp"));
		tree = wisp_git_line(t, WISP_GIT_TEMP | WISP_GIT_KEEP, wisp_git_args("write-tree"));
	}
	free(index);
	free(temp);
	return tree;
}
