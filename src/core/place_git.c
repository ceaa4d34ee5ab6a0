/*
 * place_git: what place.h needs to know of git, read from its files.
 *
 * Work trees are told apart by their common git folder: the main one is where
 * `.git` leads to just that, or the folder above `X/.git`. Of a linked work
 * tree whose common folder has another name (a submodule, --separate-git-dir)
 * git itself would have to be asked for the main one, and where the repository
 * is bare there is none: there it is the outermost work tree around `start`
 * with the same common folder, which holds for all work trees that wisp makes.
 */
#include "place.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "file.h"

#define CONFIG_MAX (1 << 20)

static bool
is_dir(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
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
	char *path = wisp_str("%s/.git", dir), *found, *head, *real;

	if (is_dir(path))
		found = realpath(path, NULL);
	else
		found = resolve_from(dir, wisp_file_line(path, "gitdir: "));
	free(path);
	if (found == NULL)
		return NULL;
	path = wisp_str("%s/" WISP_GIT_REAL, found);
	real = wisp_file_line(path, "");
	free(path);
	if (real != NULL) {
		free(found);
		found = real;
	}
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

	found = resolve_from(git, wisp_file_line(path, ""));
	free(path);
	return found != NULL ? found : wisp_strdup(git);
}

/* core.bare as the file says it last; `before` where it says nothing. */
static bool
config_bare(const char *common, const char *name, bool before)
{
	static const char *const yes[] = {"true", "yes", "on", "1", NULL};
	char *path = wisp_str("%s/%s", common, name), *line, *rest;
	struct wisp_buf b = WISP_BUF_INIT;
	bool core = false;
	size_t i;

	if (wisp_file_read(path, CONFIG_MAX, &b) < 0)
		wisp_buf_putc(&b, '\n');
	for (line = strtok_r(b.data, "\r\n", &rest); line != NULL; line = strtok_r(NULL, "\r\n", &rest)) {
		line += strspn(line, " \t");
		if (*line == '[') {
			core = strncasecmp(line, "[core]", 6) == 0;
			line += core ? 6 + strspn(line + 6, " \t") : 0;
		}
		if (!core || strncasecmp(line, "bare", 4) != 0 || strchr(" \t=#;", line[4]) == NULL)
			continue;
		line += 4 + strspn(line + 4, " \t");
		before = *line != '=';	/* a name alone is true */
		line += strspn(line, "= \t");
		for (i = 0; !before && yes[i] != NULL; i++)
			before = strncasecmp(line, yes[i], strlen(yes[i])) == 0;
	}
	wisp_buf_release(&b);
	free(path);
	return before;
}

/* Has the repository no main work tree? With extensions.worktreeConfig the second file has the word. */
static bool
is_bare(const char *common)
{
	return config_bare(common, "config.worktree", config_bare(common, "config", false));
}

/* Cuts the last part off; false at the root. */
/* `top` is a linked work tree of `common`: the outermost one above it that is one too, or the main one. */
static char *
outermost(const char *top, const char *common, bool bare)
{
	char *found = wisp_strdup(top), *dir = wisp_strdup(top), *git, *other;
	size_t len = strlen(common);
	bool main_one = false;

	while (wisp_dir_up(dir)) {
		git = git_dir(dir);
		if (git == NULL)
			continue;
		other = common_dir(git);
		if (strcmp(other, common) == 0 && !(bare && strcmp(git, common) == 0)) {
			free(found);
			found = wisp_strdup(dir);
			main_one = strcmp(git, common) == 0;
		}
		free(other);
		free(git);
	}
	free(dir);
	if (!bare && !main_one && len > 5 && strcmp(common + len - 5, "/.git") == 0) {
		free(found);
		found = wisp_str("%.*s", (int)(len - 5), common);
	}
	return found;
}

char *
wisp_place_project(const char *start, char **worktree, char **gitdir)
{
	char *dir = realpath(start, NULL), *git = NULL, *common, *project = NULL;
	bool bare;

	if (worktree != NULL)
		*worktree = NULL;
	if (gitdir != NULL)
		*gitdir = NULL;
	while (dir != NULL && (git = git_dir(dir)) == NULL)
		if (!wisp_dir_up(dir))
			break;
	if (git == NULL) {
		free(dir);
		return NULL;
	}
	common = common_dir(git);
	bare = is_bare(common);
	if (strcmp(git, common) != 0)
		project = outermost(dir, common, bare);
	else if (!bare)
		project = wisp_strdup(dir);
	free(common);
	if (project != NULL && worktree != NULL)
		*worktree = dir;
	else
		free(dir);
	if (project != NULL && gitdir != NULL)
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
	char *path = wisp_str("%s/HEAD", gitdir), *branch = wisp_file_line(path, "ref: refs/heads/");

	free(path);
	return branch;
}
