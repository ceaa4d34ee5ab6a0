/*
 * staged: what is staged in a work tree.
 */
#include "tree.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"

#ifdef __APPLE__
#define st_mtim st_mtimespec
#endif

bool
wisp_tree_known_unstaged(const struct wisp_tree *t, const char *index)
{
	char *path = wisp_tree_file(t, "wisp.unstaged");
	struct stat a, b;
	bool yes = stat(path, &a) == 0 && stat(index, &b) == 0 &&
		   (a.st_mtim.tv_sec > b.st_mtim.tv_sec ||
		    (a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec > b.st_mtim.tv_nsec));

	free(path);
	return yes && wisp_tree_line_is(t, "wisp.unstaged", t->head);
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

const char *
wisp_tree_staged(struct wisp_tree *t)
{
	char *index = wisp_tree_file(t, "index"), *temp = wisp_tree_file(t, "wisp.temp");
	const char *tree = "";
	struct stat st;
	int rc = 0;

	if (*t->head == '\0' || stat(index, &st) < 0 || !S_ISREG(st.st_mode) || wisp_tree_known_unstaged(t, index))
		return "";
	rc = wisp_git(t, 0, NULL, wisp_git_args("diff-index", "--cached", "--quiet", "HEAD", "--", WISP_GIT_NO_WISP));
	if (rc == 0)
		wisp_tree_write_line(t, "wisp.unstaged", t->head);
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
