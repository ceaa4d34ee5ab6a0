/*
 * probe: the verbs by which `wisp doctor` looks at the machine, and at what lies about.
 */
#include "verb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/file.h"
#include "core/status.h"

#if defined(__linux__) && !defined(WISP_PORTABLE)
#define LINUX_PATHS
#include <sched.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#ifdef LINUX_PATHS
static bool
works(int fd)
{
	if (fd < 0)
		return false;
	close(fd);
	return true;
}

static bool
has_pidfd(void)
{
#ifdef SYS_pidfd_open
	return works((int)syscall(SYS_pidfd_open, getpid(), 0));
#else
	return false;
#endif
}

static bool
has_subreaper(void)
{
	return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0;
}

static bool
has_inotify(void)
{
	return works(inotify_init1(IN_CLOEXEC));
}

/* In a child: there is no way back out of a namespace. */
static bool
can_unshare(int flags)
{
	pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(unshare(flags) == 0 ? 0 : 1);
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool
has_user_namespaces(void)
{
	return can_unshare(CLONE_NEWUSER | CLONE_NEWPID);
}

/* The right to one, or a user namespace to have it in. */
static bool
has_pid_namespaces(void)
{
	return can_unshare(CLONE_NEWPID) || has_user_namespaces();
}
#else
static bool
has_pidfd(void)
{
	return false;
}

static bool
has_subreaper(void)
{
	return false;
}

static bool
has_inotify(void)
{
	return false;
}

static bool
has_user_namespaces(void)
{
	return false;
}

static bool
has_pid_namespaces(void)
{
	return false;
}
#endif

/* What of the kernel this build of wisp can use. */
int
wisp_verb_kernel(struct wisp_cli *cli)
{
	wisp_cli_read(cli, NULL, 0, 0);
	printf("pidfd=%s\n", has_pidfd() ? "yes" : "no");
	printf("subreaper=%s\n", has_subreaper() ? "yes" : "no");
	printf("inotify=%s\n", has_inotify() ? "yes" : "no");
	printf("userns=%s\n", has_user_namespaces() ? "yes" : "no");
	printf("pidns=%s\n", has_pid_namespaces() ? "yes" : "no");
	return 0;
}

/* Does a lock keep others out, and let them in again? */
static bool
locks(const char *path)
{
	int fd = wisp_lock(path);
	bool held = fd >= 0 && wisp_lock_held(path) == 1;

	if (fd >= 0)
		(void)close(fd);
	return held && wisp_lock_held(path) == 0;
}

/* Is what records and sessions need true of the folder's file system? 0, or 1 with a line for what is not. */
int
wisp_verb_disk(struct wisp_cli *cli)
{
	char *path;
	bool writes, replaces, lock;

	wisp_cli_read(cli, NULL, 1, 1);
	path = wisp_str("%s/.wisp-doctor.%ld", cli->argv[0], (long)getpid());
	writes = wisp_file_write(path, "1", 1, WISP_SYNC) == 0;
	if (!writes)
		warn("cannot write and sync a file in '%s'", cli->argv[0]);
	replaces = writes && wisp_file_write(path, "2", 1, WISP_SYNC) == 0 && wisp_file_holds(path, "2", 1);
	if (writes && !replaces)
		warn("a file in '%s' cannot be replaced by a rename", cli->argv[0]);
	lock = writes && locks(path);
	if (writes && !lock)
		warn("file locks (flock) do not work in '%s'", cli->argv[0]);
	(void)unlink(path);
	free(path);
	return writes && replaces && lock ? 0 : 1;
}

/* `WORD HOME` of a session whose folder is gone: what its record says of it last. */
static void
say_gone(void *arg, const struct wisp_place *place, const struct wisp_record *r, struct cJSON *status)
{
	(void)arg;
	if (r != NULL && strcmp(wisp_status_word(status), "gone") == 0)
		printf("%s %s\n", wisp_json_str(wisp_json_get(status, "session"), "status", "?"), place->home);
	wisp_json_free(status);
}

/* `WORD BRANCH` for each session of the project: running, paused, completed, halted, stale, broken or gone. */
int
wisp_verb_states(struct wisp_cli *cli)
{
	bool gone = false;
	const struct wisp_option options[] = {{"gone", .flag = &gone}, {0}};
	struct cJSON *sessions;
	char *project;

	wisp_cli_read(cli, options, 0, 0);
	if (gone) {
		if (wisp_status_each(NULL, say_gone, NULL, wisp_time_now()) < 0)
			die_sys("cannot list the sessions");
		return 0;
	}
	project = wisp_place_project(cli->dir != NULL ? cli->dir : ".", NULL, NULL);
	if (project == NULL)
		die_usage("not in a git repository");
	if (wisp_status_list(project, &sessions, wisp_time_now()) < 0)
		die_sys("cannot list the sessions");
	for (const struct cJSON *s = wisp_json_first(sessions); s != NULL; s = wisp_json_next(s)) {
		const char *note = wisp_json_str(s, "note", NULL), *branch = wisp_json_str(s, "branch", "?");

		printf("%s %s\n", wisp_status_word(s), branch);
		if (note != NULL)
			printf("note %s: %s\n", branch, note);
	}
	wisp_json_free(sessions);
	free(project);
	return 0;
}

/* What an agent answered to --probe, as key=value lines; 1 if it names a problem or is not logged in. */
int
wisp_verb_agent(struct wisp_cli *cli)
{
	struct wisp_err err = WISP_ERR_INIT;
	const struct cJSON *problems, *p;
	struct cJSON *doc;
	bool logged_in;
	int rc;

	wisp_cli_read(cli, NULL, 1, 1);
	if (wisp_json_load(cli->argv[0], &doc, &err) != WISP_VALID)
		die_err(&err);
	problems = wisp_json_get(doc, "problems");
	if (wisp_json_type(problems) != WISP_T_ARRAY)
		die_data("%s: problems: expected an array", cli->argv[0]);
	logged_in = wisp_json_bool(doc, "logged_in", true);	/* null: it cannot tell */
	wisp_cli_pair("agent", wisp_json_str(doc, "agent", NULL));
	wisp_cli_pair("version", wisp_json_str(doc, "version", NULL));
	wisp_cli_pair("path", wisp_json_str(doc, "path", NULL));
	for (p = wisp_json_first(problems); p != NULL; p = wisp_json_next(p))
		wisp_cli_pair("problem", wisp_json_text(p, "?"));
	if (!logged_in && wisp_json_len(problems) == 0)
		wisp_cli_pair("problem", "not logged in");
	rc = wisp_json_len(problems) > 0 || !logged_in ? 1 : 0;
	wisp_json_free(doc);
	return rc;
}
