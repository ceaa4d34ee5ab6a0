/*
 * probe: the verbs by which `wisp doctor` looks at the machine.
 */
#include "verb.h"

#include <stdio.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

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
has_user_namespaces(void)
{
	pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(unshare(CLONE_NEWUSER | CLONE_NEWPID) == 0 ? 0 : 1);
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
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
