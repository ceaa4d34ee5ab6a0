/*
 * place_git: what place.h needs to know of git, read from its files.
 *
 * Work trees are told apart by their common git folder: the main one is the
 * folder above `X/.git`. Where the common folder has another name (a
 * submodule, --separate-git-dir, a bare repository) git itself would have to
 * be asked; there it is the outermost work tree around `start` with the same
 * common folder, which holds for all work trees that wisp makes.
 */
#include "place.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file.h"

#define POINTER_MAX 8192	/* .git, commondir and HEAD hold one line */

static bool
is_dir(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The first line of a small file without `prefix`; NULL if it does not begin so. */
static char *
read_line(const char *path, const char *prefix)
{
	struct wisp_buf b = WISP_BUF_INIT;
	char *line = NULL;

	if (wisp_file_read(path, POINTER_MAX, &b) == 0 && strncmp(b.data, prefix, strlen(prefix)) == 0) {
		b.data[strcspn(b.data, "\r\n")] = '\0';
		line = wisp_strdup(b.data + strlen(prefix));
	}
	wisp_buf_release(&b);
	return line;
}

/* `path` as seen from the folder `from`, resolved; NULL if it is no folder. Takes `path`. */
static char *
resolve_from(const char *from, char *path)
{
	char *full, *real;

	if (path == NULL)
		return NULL;
	full = *path == '/' ? wisp_strdup(path) : wisp_str("%s/%s", from, path);
	real = realpath(full, NULL);
	if (real != NULL && !is_dir(real)) {
		free(real);
		real = NULL;
	}
	free(full);
	free(path);
	return real;
}

/* The git folder of the work tree whose top is `dir`; NULL if it is none. */
static char *
git_dir(const char *dir)
{
	char *path = wisp_str("%s/.git", dir), *found, *head;

	if (is_dir(path))
		found = realpath(path, NULL);
	else
		found = resolve_from(dir, read_line(path, "gitdir: "));
	free(path);
	if (found == NULL)
		return NULL;
	head = wisp_str("%s/HEAD", found);
	if (!wisp_file_exists(head)) {
		free(found);
		found = NULL;
	}
	free(head);
	return found;
}

static char *
common_dir(const char *git)
{
	char *path = wisp_str("%s/commondir", git), *found;

	found = resolve_from(git, read_line(path, ""));
	free(path);
	return found != NULL ? found : wisp_strdup(git);
}

/* Cuts the last part off; false at the root. */
static bool
go_up(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash == NULL || slash[1] == '\0')
		return false;
	slash[slash == path] = '\0';
	return true;
}

/* `top` is a work tree of `common`: the outermost one above it that is one too. */
static char *
outermost(const char *top, const char *common)
{
	char *found = wisp_strdup(top), *dir = wisp_strdup(top), *git, *other;

	while (go_up(dir)) {
		git = git_dir(dir);
		if (git == NULL)
			continue;
		other = common_dir(git);
		if (strcmp(other, common) == 0) {
			free(found);
			found = wisp_strdup(dir);
		}
		free(other);
		free(git);
	}
	free(dir);
	return found;
}

char *
wisp_place_project(const char *start, char **worktree, char **gitdir)
{
	char *dir = realpath(start, NULL), *git = NULL, *common, *project;
	size_t len;

	if (worktree != NULL)
		*worktree = NULL;
	if (gitdir != NULL)
		*gitdir = NULL;
	while (dir != NULL && (git = git_dir(dir)) == NULL)
		if (!go_up(dir))
			break;
	if (git == NULL) {
		free(dir);
		return NULL;
	}
	common = common_dir(git);
	len = strlen(common);
	if (len > 5 && strcmp(common + len - 5, "/.git") == 0)
		project = wisp_str("%.*s", (int)(len - 5), common);
	else
		project = outermost(dir, common);
	free(common);
	if (worktree != NULL)
		*worktree = dir;
	else
		free(dir);
	if (gitdir != NULL)
		*gitdir = git;
	else
		free(git);
	return project;
}

/* One part of a branch name, between slashes. */
static bool
part_ok(const char *s, size_t len)
{
	size_t i;
	int size;

	if (len == 0 || s[0] == '.' || (len >= 5 && strncmp(s + len - 5, ".lock", 5) == 0))
		return false;
	for (i = 0; i < len; i++) {
		if ((unsigned char)s[i] <= ' ' || s[i] == 0x7f || strchr("~^:?*[\\", s[i]) != NULL)
			return false;
		if (i > 0 && ((s[i - 1] == '.' && s[i] == '.') || (s[i - 1] == '@' && s[i] == '{')))
			return false;
	}
	/* git takes any bytes; what goes into JSON has to be UTF-8. */
	for (i = 0; i < len; i += (size_t)size) {
		size = wisp_utf8_char(s + i, len - i);
		if (size < 0)
			return false;
	}
	return true;
}

bool
wisp_branch_ok(const char *branch)
{
	size_t len;

	/* A branch could be called `@`, but every command would take it for HEAD. */
	if (*branch == '-' || strcmp(branch, "@") == 0 || strcmp(branch, "HEAD") == 0)
		return false;
	for (;; branch += len + 1) {
		len = strcspn(branch, "/");
		if (!part_ok(branch, len))
			return false;
		if (branch[len] == '\0')
			return branch[len - 1] != '.';
	}
}

char *
wisp_place_branch(const char *gitdir)
{
	char *path = wisp_str("%s/HEAD", gitdir), *branch = read_line(path, "ref: refs/heads/");

	free(path);
	return branch;
}
