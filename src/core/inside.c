/*
 * inside: see inside.h.
 */
#include "inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "holder.h"

#define STAT_MAX 4096		/* a line of /proc/N/stat, or of ps */

#if defined(__linux__) && !defined(WISP_PORTABLE)

#include <linux/magic.h>
#include <sys/statfs.h>

/* Is it `wisp-agent run --outside`? */
static bool
is_outside(long pid)
{
	static const char run[] = "run\0" WISP_OUTSIDE;
	char *path = wisp_str("/proc/%ld/cmdline", pid);
	struct wisp_buf b = WISP_BUF_INIT;
	size_t at;
	bool yes;

	yes = wisp_file_read(path, WISP_FILE_MAX, &b) == 0 && b.len > 0 && (at = strlen(b.data) + 1) + sizeof run <= b.len &&
	      memcmp(b.data + at, run, sizeof run) == 0;
	wisp_buf_release(&b);
	free(path);
	return yes;
}

/* Its parent; -1 where it cannot be seen. */
static long
look(long pid, bool *agent)
{
	char *path = wisp_str("/proc/%ld/stat", pid), *name, *end = NULL;
	struct wisp_buf b = WISP_BUF_INIT;
	long parent = -1;

	*agent = false;
	/* The name stands in parentheses and may hold any character, these too. */
	if (wisp_file_read(path, STAT_MAX, &b) == 0 && (name = strchr(b.data, '(')) != NULL &&
	    (end = strrchr(b.data, ')')) != NULL && sscanf(end, ") %*c %ld", &parent) == 1) {
		*end = '\0';
		*agent = strcmp(name + 1, "wisp-init") == 0 ||
			 ((strcmp(name + 1, "wisp-agent") == 0 || strcmp(name + 1, "wisp-watch") == 0) && !is_outside(pid));
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

#else

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
	const char *step = getenv("WISP_ITERATION"), *dir = getenv("WISP_SESSION_DIR");

	if (step != NULL && *step != '\0' && dir != NULL && *dir != '\0')
		return true;
	/* Who cannot look up is no person's. */
	return !has_proc() || below_agent();
}

bool
wisp_inside_other(const struct wisp_place *place)
{
	char *path = wisp_str("%s/lock", place->home != NULL ? place->home : place->dir), *here = wisp_inside_name();
	struct wisp_holder h;
	bool other = wisp_lock_held(path) == 1 && wisp_holder_read(&h, path);

	if (other) {
		other = strncmp(h.space, "pid:", 4) == 0 && strcmp(h.space, here) != 0;
		wisp_holder_release(&h);
	}
	free(path);
	free(here);
	return other;
}
