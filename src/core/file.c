/*
 * file: see file.h. Reading is in file_read.c, folders are in dir.c, locks in lock.c.
 *
 * A writer holds its temporary under flock: a sweep from another pid
 * namespace, where the pid in the name says nothing, sees that it is in use.
 */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK 65536
#define NAME_KEPT 200		/* bytes of NAME in `.NAME.wisp-*`: NAME_MAX less the rest */

struct temp {
	int fd, dir;
	char *path;
};

/* For error paths: what is undone must not hide what went wrong. */
static int
close_keep(int fd)
{
	int saved = errno;

	if (fd >= 0)
		close(fd);
	errno = saved;
	return -1;
}

/* The folder of `path`; the caller frees it. */
static char *
parent(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash == NULL)
		return wisp_strdup(".");
	if (slash == path)
		return wisp_strdup("/");
	return wisp_str("%.*s", (int)(slash - path), path);
}

static int
open_dir(const char *path)
{
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static int
sync_dir(int fd)
{
	/* EINVAL: a file system that has no such thing. */
	return fsync(fd) == 0 || errno == EINVAL ? 0 : -1;
}

int
wisp_file_sync_all(const char *dir)
{
	int fd = open_dir(dir), rc = 0;

	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR ? 0 : -1;
#if defined(__linux__) && !defined(WISP_PORTABLE)
	rc = syncfs(fd);
#else
	sync();
#endif
	(void)close(fd);
	return rc;
}

int
wisp_fd_write(int fd, const void *data, size_t len)
{
	const char *p = data;
	ssize_t n;

	while (len > 0) {
		n = write(fd, p, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

static void
temp_drop(struct temp *t)
{
	int saved = errno;

	if (t->fd >= 0) {
		unlink(t->path);
		close(t->fd);
	}
	if (t->dir >= 0)
		close(t->dir);
	free(t->path);
	errno = saved;
}

/* Opens t->path under a new name until one is free. */
static int
temp_create(struct temp *t, const char *dir, const char *name, mode_t mode)
{
	size_t kept = wisp_utf8_cut(name, strlen(name), NAME_KEPT);
	uint64_t random;

	do {
		if (getentropy(&random, sizeof random) < 0)
			return -1;
		free(t->path);
		t->path = wisp_str("%s/.%.*s.wisp-%ld-%016llx", dir, (int)kept, name,
				   (long)getpid(), (unsigned long long)random);
		t->fd = open(t->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	} while (t->fd < 0 && errno == EEXIST);
	return t->fd < 0 ? -1 : 0;
}

/* The folder is opened first: what can fail should fail before the rename. */
static int
temp_open(struct temp *t, const char *path, enum wisp_sync sync)
{
	const char *slash = strrchr(path, '/');
	char *dir = parent(path);
	struct stat st;
	bool old = lstat(path, &st) == 0 && S_ISREG(st.st_mode);
	int rc = -1;

	*t = (struct temp){.fd = -1, .dir = -1};
	if (sync == WISP_SYNC && (t->dir = open_dir(dir)) < 0)
		goto out;
	if (temp_create(t, dir, slash != NULL ? slash + 1 : path, WISP_FILE_MODE) < 0)
		goto out;
	/* Some file systems have no locks; then the pid alone must do. */
	flock(t->fd, LOCK_EX | LOCK_NB);
	if (old && fchmod(t->fd, st.st_mode & 0777) < 0)
		goto out;
	rc = 0;
out:
	if (rc < 0)
		temp_drop(t);
	free(dir);
	return rc;
}

/*
 * The file at `path` gets the second name `kept`: a link, so that what was synced
 * need not be synced again. Without links (FAT) there is a copy, and where that is
 * refused none: it is a spare, and no reason to fail.
 */
static bool
keep_old(const char *path, const char *kept)
{
	char *dir = parent(kept), *link_path = wisp_str("%s/.%s.wisp-%ld-0", dir, strrchr(kept, '/') + 1, (long)getpid());
	int saved = errno;
	bool done;

	if (link(path, link_path) == 0)
		done = rename(link_path, kept) == 0;
	else
		done = errno != ENOENT && wisp_file_copy(path, kept, WISP_NOSYNC) == 0;
	/* Two names of one file stay both where one is renamed over the other. */
	(void)unlink(link_path);
	free(link_path);
	free(dir);
	errno = saved;
	return done;
}

/* Puts the temporary in the place of `path`; whatever happens, `t` is done with. 1: but the old one has no name `kept`. */
static int
temp_commit(struct temp *t, const char *path, const char *kept)
{
	bool lost = false;
	int rc = -1;

	if (t->dir >= 0 && fsync(t->fd) < 0)
		goto out;
	if (kept != NULL)
		lost = !keep_old(path, kept);
	if (rename(t->path, path) < 0)
		goto out;
	rc = close(t->fd);
	t->fd = -1;
	if (rc == 0 && t->dir >= 0)
		rc = sync_dir(t->dir);
	if (rc == 0 && lost)
		rc = 1;
out:
	temp_drop(t);
	return rc;
}

static int
write_over(const char *path, const char *kept, const void *data, size_t len, enum wisp_sync sync)
{
	struct temp t;

	if (temp_open(&t, path, sync) < 0)
		return -1;
	if (wisp_fd_write(t.fd, data, len) < 0) {
		temp_drop(&t);
		return -1;
	}
	return temp_commit(&t, path, kept);
}

int
wisp_file_write(const char *path, const void *data, size_t len, enum wisp_sync sync)
{
	return write_over(path, NULL, data, len, sync);
}

int
wisp_file_write_keeping(const char *path, const char *kept, const void *data, size_t len)
{
	return write_over(path, kept, data, len, WISP_SYNC);
}

int
wisp_file_copy(const char *from, const char *to, enum wisp_sync sync)
{
	static char chunk[CHUNK];	/* a stack may be small */
	struct stat st;
	struct temp t;
	ssize_t n = -1;
	int fd, rc = -1;

	fd = wisp_file_open(from);
	if (fd < 0)
		return -1;
	/* Such as a sparse file of terabytes: no file of wisp's is as large. */
	if (fstat(fd, &st) < 0 || st.st_size > (off_t)WISP_FILE_MAX) {
		errno = EFBIG;
		return close_keep(fd);
	}
	if (temp_open(&t, to, sync) < 0)
		return close_keep(fd);
	while ((n = read(fd, chunk, sizeof chunk)) > 0 || (n < 0 && errno == EINTR))
		if (n > 0 && wisp_fd_write(t.fd, chunk, (size_t)n) < 0)
			break;
	if (n == 0)
		rc = temp_commit(&t, to, NULL);
	else
		temp_drop(&t);
	close_keep(fd);
	return rc;
}

int
wisp_file_move(const char *from, const char *to, enum wisp_sync sync)
{
	char *from_dir = parent(from), *to_dir = parent(to);
	int a = -1, b = -1, rc = -1;

	if (sync == WISP_SYNC && ((a = open_dir(from_dir)) < 0 || (b = open_dir(to_dir)) < 0))
		goto out;
	if (rename(from, to) < 0)
		goto out;
	/* The new name first: a crash between may leave two names, never none. */
	if (sync == WISP_SYNC && (sync_dir(b) < 0 || sync_dir(a) < 0))
		goto out;
	rc = 0;
out:
	close_keep(a);
	close_keep(b);
	free(from_dir);
	free(to_dir);
	return rc;
}
