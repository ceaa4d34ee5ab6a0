/*
 * dir: what file.h says of folders, and the sweep of temporaries.
 */
#include "file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "holder.h"

#define STALE_S (24 * 60 * 60)	/* no write takes that long: its pid belongs to another by now */

static bool
is_dir(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool
wisp_dir_up(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash == NULL || slash[1] == '\0')
		return false;
	slash[slash == path] = '\0';
	return true;
}

int
wisp_dir_make(const char *path)
{
	char *copy = wisp_strdup(path), *p = copy;
	int rc = *path != '\0' ? 0 : -1;

	if (rc < 0)
		errno = ENOENT;
	/* Each parent in turn, then the whole; one that is there is not made, as the system may refuse even that. */
	while (rc == 0 && (p = strchr(p + 1, '/')) != NULL) {
		*p = '\0';
		if (!is_dir(copy) && mkdir(copy, WISP_DIR_MODE) < 0 && errno != EEXIST)
			rc = -1;
		*p = '/';
	}
	if (rc == 0 && !is_dir(path) && mkdir(path, WISP_DIR_MODE) < 0) {
		rc = -1;
		if (errno == EEXIST) {
			/* Somebody else was quicker, or it is something else. */
			rc = is_dir(path) ? 0 : -1;
			errno = ENOTDIR;
		}
	}
	free(copy);
	return rc;
}

/* Opened before it is changed: what a link leads to is not ours to change. */
static void
private_at(int dir, const char *name)
{
	struct stat st;
	int fd;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0 || (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) ||
	    (st.st_mode & 0077) == 0)
		return;
	fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)))
		(void)fchmod(fd, st.st_mode & WISP_DIR_MODE);
	close(fd);
}

void
wisp_dir_private(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), saved = errno;
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;

	if (d == NULL && fd >= 0)
		close(fd);
	while (d != NULL && (e = readdir(d)) != NULL)
		if (strcmp(e->d_name, "..") != 0)	/* . is the folder itself */
			private_at(fd, e->d_name);
	if (d != NULL)
		closedir(d);
	errno = saved;
}

/* To .NAME.moved, or .NAME.moved.2 and so on. */
static int
move_aside(const char *path)
{
	const char *slash = strrchr(path, '/');
	int at = slash != NULL ? (int)(slash - path) + 1 : 0, rc;
	char *aside = wisp_str("%.*s.%s.moved", at, path, path + at);
	struct stat st;

	for (int n = 2; lstat(aside, &st) == 0; n++) {
		free(aside);
		aside = wisp_str("%.*s.%s.moved.%d", at, path, path + at, n);
	}
	rc = rename(path, aside);
	if (rc == 0)
		warn("'%s' is no folder: it is moved to '%s'", path, aside);
	free(aside);
	return rc;
}

int
wisp_dir_own(const char *top, const char *path, void (*moved)(void *arg, const char *name), void *arg)
{
	const char *slash = strrchr(top, '/');
	size_t base = slash != NULL ? (size_t)(slash - top) + 1 : 0, len = strlen(top), all = strlen(path);
	char *part;
	struct stat st;
	int rc = 0;

	for (; rc == 0; len += 1 + strcspn(path + len + 1, "/")) {
		part = wisp_str("%.*s", (int)len, path);
		if (lstat(part, &st) == 0 && !S_ISDIR(st.st_mode) && (rc = move_aside(part)) == 0)
			moved(arg, part + (len > strlen(top) ? strlen(top) + 1 : base));
		free(part);
		if (len >= all)
			break;
	}
	return rc;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int
read_names(DIR *d, char ***names, size_t *count)
{
	struct dirent *e;
	size_t cap = 0;

	*names = NULL;
	*count = 0;
	for (errno = 0; (e = readdir(d)) != NULL; errno = 0) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		if (*count == cap) {
			cap = cap > 0 ? cap * 2 : 16;
			*names = wisp_realloc(*names, cap, sizeof **names);
		}
		(*names)[(*count)++] = wisp_strdup(e->d_name);
	}
	if (errno != 0)
		return -1;
	if (*count > 0)
		qsort(*names, *count, sizeof **names, by_name);
	return 0;
}

int
wisp_dir_list(const char *dir, char ***names, size_t *count)
{
	DIR *d = opendir(dir);
	int rc, saved;

	*names = NULL;
	*count = 0;
	if (d == NULL)
		return -1;
	rc = read_names(d, names, count);
	saved = errno;
	if (rc < 0) {
		wisp_dir_list_free(*names, *count);
		*names = NULL;
		*count = 0;
	}
	closedir(d);
	errno = saved;
	return rc;
}

void
wisp_dir_list_free(char **names, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		free(names[i]);
	free(names);
}

/* Everything goes by open folders, so that a link put in the way while this runs leads nowhere. */
static int
remove_at(int dir, const char *name)
{
	char **names = NULL;
	size_t i, count = 0;
	struct stat st;
	DIR *d;
	int fd, rc, saved;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : -1;
	if (!S_ISDIR(st.st_mode))
		return unlinkat(dir, name, 0) == 0 || errno == ENOENT ? 0 : -1;
	/* An agent, or a tool's cache, may have made it one that cannot be read or written. */
	if ((st.st_mode & S_IRWXU) != S_IRWXU && fchmodat(dir, name, S_IRWXU, AT_SYMLINK_NOFOLLOW) < 0)
		return -1;
	fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -1;
	d = fdopendir(fd);
	if (d == NULL) {
		close(fd);
		return -1;
	}
	/* All names first: removing while reading may pass some over. */
	rc = read_names(d, &names, &count);
	for (i = 0; rc == 0 && i < count; i++)
		rc = remove_at(fd, names[i]);
	saved = errno;
	wisp_dir_list_free(names, count);
	closedir(d);
	errno = saved;
	return rc < 0 ? -1 : unlinkat(dir, name, AT_REMOVEDIR);
}

int
wisp_dir_remove(const char *path)
{
	char *copy = wisp_strdup(path);
	size_t len = strlen(copy);
	int rc;

	/* With a slash at the end a link would be followed. */
	while (len > 1 && copy[len - 1] == '/')
		copy[--len] = '\0';
	rc = remove_at(AT_FDCWD, copy);
	free(copy);
	return rc;
}

/* The pid in `.NAME.wisp-PID-RANDOM`, 0 if it is no such name. */
static pid_t
temp_pid(const char *name)
{
	const char *p = NULL, *s;
	char *end;
	long pid;

	if (*name != '.')
		return 0;
	for (s = name; (s = strstr(s, ".wisp-")) != NULL; s++)
		p = s + strlen(".wisp-");
	if (p == NULL || *p < '1' || *p > '9')
		return 0;
	errno = 0;
	pid = strtol(p, &end, 10);
	if (errno != 0 || *end != '-' || (pid_t)pid != pid || end[1] == '\0')
		return 0;
	return end[1 + strspn(end + 1, "0123456789abcdef")] == '\0' ? (pid_t)pid : 0;
}

static bool
temp_abandoned(const char *path, pid_t pid)
{
	struct stat st;
	bool yes;
	int fd;

	fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return false;
	yes = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
	      (wisp_process_ended(pid) || st.st_mtime < time(NULL) - STALE_S);
	close(fd);
	return yes;
}

void
wisp_file_sweep(const char *dir)
{
	char **names, *path;
	size_t i, count;
	pid_t pid;

	if (wisp_dir_list(dir, &names, &count) < 0)
		return;
	for (i = 0; i < count; i++) {
		pid = temp_pid(names[i]);
		if (pid == 0)
			continue;
		path = wisp_str("%s/%s", dir, names[i]);
		if (temp_abandoned(path, pid))
			unlink(path);
		free(path);
	}
	wisp_dir_list_free(names, count);
}
