/*
 * inside: see inside.h.
 */
#include "inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "file.h"
#include "holder.h"

#define TRIES 3
#define PAUSE_NS 2000000L
#define STAT_MAX 4096		/* a line of /proc/N/stat, or of ps */

#if defined(__linux__) && !defined(WISP_PORTABLE)

#include <dirent.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statfs.h>

/* Does its command line begin with, or go on after its first word by, these words? */
static bool
has_words(long pid, bool first, const char *words, size_t len)
{
	char *path = wisp_str("/proc/%ld/cmdline", pid);
	struct wisp_buf b = WISP_BUF_INIT;
	size_t at;
	bool yes;

	yes = wisp_file_read(path, WISP_FILE_MAX, &b) == 0 && b.len > 0 && (at = first ? 0 : strlen(b.data) + 1) + len <= b.len &&
	      memcmp(b.data + at, words, len) == 0;
	wisp_buf_release(&b);
	free(path);
	return yes;
}

/* Its parent; -1 where it cannot be seen. */
static long
look(long pid, bool *agent)
{
	static const char outside[] = "run\0" WISP_OUTSIDE, sandbox[] = WISP_INSIDE_BWRAP;
	char *path = wisp_str("/proc/%ld/stat", pid), *name, *end = NULL;
	struct wisp_buf b = WISP_BUF_INIT;
	long parent = -1;

	*agent = false;
	/* The name stands in parentheses and may hold any character, these too. */
	if (wisp_file_read(path, STAT_MAX, &b) == 0 && (name = strchr(b.data, '(')) != NULL &&
	    (end = strrchr(b.data, ')')) != NULL && sscanf(end, ") %*c %ld", &parent) == 1) {
		*end = '\0';
		*agent = strcmp(name + 1, "wisp-init") == 0 ||
			 (strcmp(name + 1, "bwrap") == 0 && has_words(pid, true, sandbox, sizeof sandbox)) ||
			 ((strcmp(name + 1, "wisp-agent") == 0 || strcmp(name + 1, "wisp-watch") == 0) &&
			  !has_words(pid, false, outside, sizeof outside));
	}
	wisp_buf_release(&b);
	free(path);
	return parent;
}

/* Another file system in its place would say what whoever mounted it likes. */
static bool
has_proc(void)
{
	struct statfs fs;

	return statfs("/proc", &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

char *
wisp_inside_name(void)
{
	char name[64];
	ssize_t n = readlink("/proc/self/ns/pid", name, sizeof name - 1);

	return n > 0 ? wisp_str("%.*s", (int)n, name) : wisp_strdup("-");
}

static bool
says_lock(const char *info)
{
	struct wisp_buf b = WISP_BUF_INIT;
	bool yes = wisp_file_read(info, WISP_FILE_MAX, &b) == 0 && strstr(b.data, "\nlock:") != NULL;

	wisp_buf_release(&b);
	return yes;
}

/* Some systems that stand in for Linux have no locks in fdinfo. */
static bool
tells_locks(void)
{
	char *info;
	int fds[2];
	bool yes;

	if (pipe(fds) < 0)
		return true;
	(void)flock(fds[0], LOCK_SH);
	info = wisp_str("/proc/self/fdinfo/%d", fds[0]);
	yes = says_lock(info);
	free(info);
	close(fds[0]);
	close(fds[1]);
	return yes;
}

/* Has that process, of this pid namespace, the lock? */
static bool
holds(const char *pid, const struct stat *lock, const char *here)
{
	char *folder = wisp_str("/proc/%s/fd", pid), *space = wisp_str("/proc/%s/ns/pid", pid), *path, *info, name[64];
	ssize_t n = readlink(space, name, sizeof name - 1);
	DIR *d = n > 0 && strlen(here) == (size_t)n && strncmp(here, name, (size_t)n) == 0 ? opendir(folder) : NULL;
	struct dirent *e;
	struct stat st;
	bool yes = false;

	while (!yes && d != NULL && (e = readdir(d)) != NULL) {
		path = wisp_str("%s/%s", folder, e->d_name);
		info = wisp_str("/proc/%s/fdinfo/%s", pid, e->d_name);
		yes = stat(path, &st) == 0 && st.st_ino == lock->st_ino && st.st_dev == lock->st_dev && says_lock(info);
		free(path);
		free(info);
	}
	if (d != NULL)
		closedir(d);
	free(folder);
	free(space);
	return yes;
}

/* Is a lock held by a process of this pid namespace? Whoever writes into the file is not believed where the kernel tells. */
static bool
held_here(const char *path)
{
	char *here = wisp_inside_name(), *pid;
	struct wisp_holder h = {0};
	struct dirent *e;
	struct stat lock;
	bool says = wisp_holder_read(&h, path), known = stat(path, &lock) == 0, yes;
	DIR *d = NULL;

	pid = wisp_str("%ld", h.pid);
	yes = known && says && holds(pid, &lock, here);
	free(pid);
	if (!yes && (!tells_locks() || !known || (d = opendir("/proc")) == NULL))
		yes = !says || strncmp(h.space, "pid:", 4) != 0 || strcmp(h.space, here) == 0;
	while (!yes && d != NULL && (e = readdir(d)) != NULL)
		yes = *e->d_name >= '1' && *e->d_name <= '9' && holds(e->d_name, &lock, here);
	if (d != NULL)
		closedir(d);
	if (says)
		wisp_holder_release(&h);
	free(here);
	return yes;
}

#else

/* Nothing is known of namespaces. */
static bool
held_here(const char *path)
{
	(void)path;
	return true;
}

static bool
has_proc(void)
{
	return true;
}

static long
look(long pid, bool *agent)
{
	char *command = wisp_str("exec /bin/ps -o ppid= -o args= -p %ld 2>/dev/null", pid), line[STAT_MAX], name[STAT_MAX], *base;
	FILE *f = popen(command, "r");
	long parent = -1;
	int at = 0;

	*agent = false;
	if (f != NULL && fgets(line, sizeof line, f) != NULL && sscanf(line, "%ld %s%n", &parent, name, &at) == 2) {
		base = strrchr(name, '/');
		*agent = strcmp(base != NULL ? base + 1 : name, "wisp-agent") == 0 &&
			 strncmp(line + at, " run " WISP_OUTSIDE, sizeof " run " WISP_OUTSIDE - 1) != 0;
	}
	if (f != NULL)
		(void)pclose(f);
	free(command);
	return parent;
}

char *
wisp_inside_name(void)
{
	return wisp_strdup("-");
}

#endif

/*
 * Up to the top. One that cannot be seen has ended, and who it started has another parent by now: once more.
 * It may also be hidden (hidepid): then it is there the second time, too.
 */
static bool
below_agent(void)
{
	long gone = 0, pid, parent;
	bool agent;

	for (pid = (long)getppid(); pid > 0; pid = parent) {
		parent = look(pid, &agent);
		if (agent)
			return true;
		if (parent < 0 && pid == gone)
			break;
		if (parent < 0) {
			gone = pid;
			parent = (long)getppid();
		}
	}
	/* What entered the namespace of a step has its parent outside. */
	(void)look(1, &agent);
	return agent;
}

bool
wisp_inside(void)
{
	static int below = -1; /* looked up once: who has started this stays the same */
	const char *step = getenv("WISP_ITERATION"), *dir = getenv("WISP_SESSION_DIR");

	if (step != NULL && *step != '\0' && dir != NULL && *dir != '\0')
		return true;
	/* Who cannot look up is no person's. */
	if (below < 0)
		below = !has_proc() || below_agent();
	return below > 0;
}

/* Has the session of that home a live loop in another pid namespace? */
static bool
other(const char *home)
{
	struct timespec pause = {.tv_nsec = PAUSE_NS};
	char *path = wisp_str("%s/lock", home);
	bool yes = false;

	/* One that has just been released has no owner to be seen. */
	for (int i = 0; i < TRIES && (i == 0 || yes); i++) {
		if (i > 0)
			nanosleep(&pause, NULL);
		yes = wisp_lock_held(path) == 1 && !held_here(path);
	}
	free(path);
	return yes;
}

char *
wisp_inside_other(const struct wisp_place *place, const char *project)
{
	struct wisp_err err = WISP_ERR_INIT;
	char **branches = NULL, *found = NULL;
	size_t count = 0;
	struct wisp_place p;

	if (place != NULL && other(place->home != NULL ? place->home : place->dir))
		return wisp_strdup(place->branch);
	if (project != NULL && wisp_place_sessions(project, &branches, &count) != 0)
		count = 0;
	for (size_t i = 0; i < count && found == NULL; i++) {
		if (place != NULL && strcmp(branches[i], place->branch) == 0)
			continue;
		if (wisp_place_session(&p, project, branches[i], &err) == 0) {
			if (p.home != NULL && other(p.home))
				found = wisp_strdup(branches[i]);
			wisp_place_release(&p);
		}
		wisp_err_release(&err);
	}
	wisp_dir_list_free(branches, count);
	return found;
}
