/*
 * fsevent: see fsevent.h.
 */
#include "fsevent.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAP_FIRST 250
#define NAP_LAST 1000

#if defined(__linux__) && !defined(WISP_PORTABLE)
#include <sys/inotify.h>

#define CONTENT (IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
#define FOLDER (IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
#define PLAIN (IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)

static int
open_events(void)
{
	return inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
}

/* 0 where there is nothing to watch (any more), -1 if the system cannot watch. */
static int
watch(int fd, const char *path, unsigned mask)
{
	int wd = inotify_add_watch(fd, path, mask);

	if (wd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ELOOP))
		return 0;
	return wd;
}

/* Watches the lowest folder above `path` that exists; *len is the length of its name. -1 as above. */
static int
watch_above(int fd, const char *path, size_t *len)
{
	char *dir = wisp_strdup(path), *slash;
	int wd = 0;

	while (wd == 0 && strcmp(dir, ".") != 0 && strcmp(dir, "/") != 0) {
		slash = strrchr(dir, '/');
		if (slash == NULL)
			strcpy(dir, ".");
		else
			slash[slash == dir] = '\0';
		wd = watch(fd, dir, FOLDER);
	}
	*len = strlen(dir);
	free(dir);
	return wd;
}

/*
 * A folder may be made between the failure to watch it and the watch of the
 * one above, and nothing would tell of it: hence until twice the same.
 */
static int
arm_one(int fd, const char *path, int *own)
{
	size_t len = 0, before;

	do {
		before = len;
		if (watch_above(fd, path, &len) < 0)
			return -1;
	} while (len != before);
	*own = watch(fd, path, FOLDER);
	if (*own == 0)
		*own = watch(fd, path, PLAIN);
	return *own;
}

/* Reads what has happened: the path whose contents it happened to, or -1. */
static int
read_events(const struct wisp_fsevent *f)
{
	_Alignas(struct inotify_event) char data[4096];
	const struct inotify_event *e;
	ssize_t n = read(f->fd, data, sizeof data), at;
	size_t i;

	for (at = 0; at < n; at += (ssize_t)(sizeof *e + e->len)) {
		e = (const struct inotify_event *)(const void *)(data + at);
		for (i = 0; i < f->count; i++)
			if (e->wd == f->watch[i] && (e->mask & CONTENT) != 0)
				return (int)i;
	}
	return -1;
}
#else
static int
open_events(void)
{
	return -1;
}

static int
arm_one(int fd, const char *path, int *own)
{
	(void)fd;
	(void)path;
	(void)own;
	return -1;
}

static int
read_events(const struct wisp_fsevent *f)
{
	(void)f;
	return -1;
}
#endif

void
wisp_fsevent_init(struct wisp_fsevent *f, const char *const *paths, size_t count)
{
	*f = (struct wisp_fsevent){.paths = paths, .count = count, .fd = count > 0 ? open_events() : -1, .nap = NAP_FIRST};
	f->watch = wisp_alloc(count, sizeof *f->watch);
}

void
wisp_fsevent_arm(struct wisp_fsevent *f)
{
	size_t i;

	for (i = 0; i < f->count && f->fd >= 0; i++) {
		if (arm_one(f->fd, f->paths[i], &f->watch[i]) < 0) {
			close(f->fd);
			f->fd = -1;
		}
	}
}

int
wisp_fsevent_wait(struct wisp_fsevent *f, int ms)
{
	struct pollfd p = {f->fd, POLLIN, 0};

	if (f->fd >= 0)
		return poll(&p, 1, ms) > 0 ? read_events(f) : -1;
	if (f->count > 0 && ms > f->nap) {
		ms = f->nap;
		f->nap = f->nap * 2 < NAP_LAST ? f->nap * 2 : NAP_LAST;
	}
	poll(NULL, 0, ms);
	return -1;
}

void
wisp_fsevent_release(struct wisp_fsevent *f)
{
	if (f->fd >= 0)
		close(f->fd);
	free(f->watch);
	*f = (struct wisp_fsevent){.fd = -1};
}
