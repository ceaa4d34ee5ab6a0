/*
 * driver: see driver.h.
 */
#include "driver.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/capability.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include "core/inside.h"
#include "filter.h"
#include "landlock.h"
#include "step/env.h"
#include "step/spawn.h"

#define FILTER_FD_MIN 10	/* a descriptor that no script uses by its number */
#define PROBE_LIMIT 10		/* seconds */
#define ERRORS_MAX 500		/* bytes of what bwrap says */

int
wisp_sandbox_abi(void)
{
	const char *mask = getenv("WISP_LANDLOCK_ABI");
	int abi = wisp_landlock_abi(), most = mask != NULL ? atoi(mask) : abi;

	return most < abi ? most : abi;
}

/* --- what is executed ---------------------------------------------------------- */

static void
push(struct wisp_sandbox_run *r, size_t *count, const char *word)
{
	r->argv = wisp_realloc(r->argv, *count + 2, sizeof *r->argv);
	r->argv[(*count)++] = wisp_strdup(word);
	r->argv[*count] = NULL;
}

static void
push_pair(struct wisp_sandbox_run *r, size_t *count, const char *option, const char *value)
{
	push(r, count, option);
	push(r, count, value);
}

static void
push_path(struct wisp_sandbox_run *r, size_t *count, const struct wisp_sandbox_path *e)
{
	const char *from = e->from != NULL ? e->from : e->path;

	if (e->access == WISP_SANDBOX_EMPTY || (e->access == WISP_SANDBOX_HIDE && e->folder)) {
		push_pair(r, count, "--tmpfs", e->path);
		return;
	}
	if (e->access == WISP_SANDBOX_HIDE)
		from = "/dev/null";
	push_pair(r, count, e->access != WISP_SANDBOX_WRITE ? "--ro-bind" : strncmp(e->path, "/dev/", 5) == 0 ? "--dev-bind" : "--bind",
		  from);
	push(r, count, e->path);
}

/*
 * Files of /proc that belong to root can be written by root without any capability: by core_pattern a program would be
 * started outside. bwrap covers some of these, but not /proc/sys, whose folder cannot be written itself.
 */
static void
push_proc(struct wisp_sandbox_run *r, size_t *count)
{
	static const char *const parts[] = {
		"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs", "/proc/acpi", "/proc/scsi", "/proc/mtrr",
	};
	size_t i;

	push_pair(r, count, "--proc", "/proc");
	for (i = 0; geteuid() == 0 && i < sizeof parts / sizeof *parts; i++)
		if (access(parts[i], F_OK) == 0) {
			push_pair(r, count, "--ro-bind", parts[i]);
			push(r, count, parts[i]);
		}
}

char *
wisp_sandbox_tool(const char *name)
{
	const char *env = getenv("PATH");
	char *path = wisp_str("%s:/usr/sbin:/usr/local/sbin", env != NULL ? env : ""), *folder, *file = NULL, *part;
	size_t len;
	int error;

	for (part = path; file == NULL && *part != '\0'; part += len + (part[len] == ':')) {
		len = strcspn(part, ":");
		if (*part != '/')
			continue;
		folder = wisp_str("%.*s", (int)len, part);
		file = wisp_spawn_find(name, folder, &error);
		free(folder);
	}
	free(path);
	return file;
}

static int
ready_bwrap(struct wisp_sandbox_run *r, char *const *argv, bool session, struct wisp_err *err)
{
	static const char *const first[] = {
		"--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent", "--cap-drop", "ALL",
	};
	const struct wisp_sandbox_plan *p = r->plan;
	char *program = wisp_sandbox_tool("bwrap"), *cwd;
	size_t n = 0, i;

	if (program == NULL)
		return wisp_err_set(err, NULL, 0, 0, "bwrap is not found: install bubblewrap");
	r->file = program;
	push(r, &n, WISP_INSIDE_BWRAP);
	for (i = 0; i < sizeof first / sizeof *first; i++)
		push(r, &n, first[i]);
	if (p->network != WISP_SANDBOX_OPEN)
		push(r, &n, "--unshare-net");
	if (session)
		push(r, &n, "--new-session");
	push(r, &n, "--seccomp");
	/* Its number is known once it is opened, in the process itself. */
	r->argv = wisp_realloc(r->argv, n + 2, sizeof *r->argv);
	r->argv[n++] = r->filter;
	for (i = 0; i < p->count; i++) {
		push_path(r, &n, &p->paths[i]);
		if (i > 0)
			continue;
		push_pair(r, &n, "--dev", "/dev");
		push_proc(r, &n);
	}
	for (i = 0; i < p->count; i++)
		if (p->paths[i].access == WISP_SANDBOX_HIDE && p->paths[i].folder)
			push_pair(r, &n, "--remount-ro", p->paths[i].path);
	cwd = getcwd(NULL, 0);
	if (cwd != NULL)
		push_pair(r, &n, "--chdir", cwd);
	free(cwd);
	push(r, &n, "--");
	for (; *argv != NULL; argv++)
		push(r, &n, *argv);
	return 0;
}

static int
ready_landlock(struct wisp_sandbox_run *r, char *const *argv)
{
	size_t n = 0;

	for (; *argv != NULL; argv++)
		push(r, &n, *argv);
	if (r->plan->driver == WISP_SANDBOX_LANDLOCK)
		r->ruleset = wisp_landlock_rules(r->plan, wisp_sandbox_abi());
	return r->plan->driver == WISP_SANDBOX_LANDLOCK && r->ruleset < 0 ? -1 : 0;
}

static bool
is_variable(const char *entry, const char *name)
{
	size_t len = strlen(name);

	return strncmp(entry, name, len) == 0 && entry[len] == '=';
}

static void
make_env(struct wisp_sandbox_run *r, char *const *env)
{
	const struct wisp_sandbox_plan *p = r->plan;
	size_t i, n = 0, have = 0;

	while (env[have] != NULL)
		have++;
	r->env = wisp_alloc(have + p->variable_count + 1, sizeof *r->env);
	for (; *env != NULL; env++) {
		for (i = 0; i < p->variable_count && !is_variable(*env, p->variables[i].name); i++)
			;
		if (i == p->variable_count)
			r->env[n++] = wisp_strdup(*env);
	}
	for (i = 0; i < p->variable_count; i++)
		if (p->variables[i].value != NULL)
			r->env[n++] = wisp_str("%s=%s", p->variables[i].name, p->variables[i].value);
}

int
wisp_sandbox_ready(struct wisp_sandbox_run *r, const struct wisp_sandbox_plan *p, char *const *argv,
		   char *const *env, bool session, struct wisp_err *err)
{
	memset(r, 0, sizeof *r);
	r->plan = p;
	r->ruleset = -1;
	make_env(r, env);
	return p->driver == WISP_SANDBOX_BWRAP ? ready_bwrap(r, argv, session, err) : ready_landlock(r, argv);
}

void
wisp_sandbox_run_release(struct wisp_sandbox_run *r)
{
	size_t i;

	for (i = 0; r->argv != NULL && r->argv[i] != NULL; i++)
		if (r->argv[i] != r->filter)
			free(r->argv[i]);
	free(r->argv);
	free(r->file);
	wisp_env_free(r->env);
	if (r->ruleset >= 0)
		(void)close(r->ruleset);
	r->argv = r->env = NULL;
	r->file = NULL;
	r->ruleset = -1;
}

/* --- the process itself -------------------------------------------------------- */

#ifdef __linux__

/* With no_new_privs none comes back, not to root either. */
static int
drop_capabilities(void)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
	int cap;

	for (cap = 0; prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) == 0; cap++)
		;
	(void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	return (int)syscall(SYS_capset, &head, none);
}

static unsigned
filter_of(const struct wisp_sandbox_plan *p)
{
	unsigned what = WISP_FILTER_BASE;

	if (!p->user_namespaces)
		what |= WISP_FILTER_NAMESPACES;
	if (p->driver == WISP_SANDBOX_LANDLOCK && p->network != WISP_SANDBOX_OPEN)
		what |= WISP_FILTER_NETWORK;
	return what;
}

/* A file with the filter, which bwrap sets last: it makes a namespace itself. */
static int
keep_filter(struct wisp_sandbox_run *r, const struct wisp_buf *program)
{
	int fd = memfd_create("wisp-filter", MFD_CLOEXEC), kept = -1;

	if (fd >= 0 && write(fd, program->data, program->len) == (ssize_t)program->len && lseek(fd, 0, SEEK_SET) == 0)
		kept = fcntl(fd, F_DUPFD, FILTER_FD_MIN);
	if (fd >= 0)
		(void)close(fd);
	snprintf(r->filter, sizeof r->filter, "%d", kept);
	return kept < 0 ? -1 : 0;
}

static int
enter_bwrap(struct wisp_sandbox_run *r, const struct wisp_buf *program)
{
	int abi = wisp_sandbox_abi(), rules, rc;

	if (keep_filter(r, program) < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	if (abi < 6)
		return 0;
	rules = wisp_landlock_rules(NULL, abi);
	rc = rules >= 0 ? wisp_landlock_restrict(rules) : -1;
	if (rules >= 0)
		(void)close(rules);
	return rc;
}

int
wisp_sandbox_enter(struct wisp_sandbox_run *r)
{
	struct wisp_buf program = WISP_BUF_INIT;
	int rc = 0;

	if (r->plan->driver == WISP_SANDBOX_OFF)
		return 0;
	wisp_filter_make(&program, filter_of(r->plan));
	if (r->plan->driver == WISP_SANDBOX_BWRAP)
		rc = enter_bwrap(r, &program);
	else if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || wisp_landlock_restrict(r->ruleset) < 0 ||
		 drop_capabilities() < 0 || wisp_filter_set(&program) < 0)
		rc = -1;
	wisp_buf_release(&program);
	return rc;
}

#else

int
wisp_sandbox_enter(struct wisp_sandbox_run *r)
{
	errno = ENOSYS;
	return r->plan->driver == WISP_SANDBOX_OFF ? 0 : -1;
}

#endif

/* --- does it work? ------------------------------------------------------------- */

static _Noreturn void
probe_child(struct wisp_sandbox_run *r, int errors)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	(void)alarm(PROBE_LIMIT);
	if (null >= 0 && dup2(null, 0) >= 0 && dup2(null, 1) >= 0 && dup2(errors, 2) >= 0 && wisp_sandbox_enter(r) == 0)
		execve(r->file != NULL ? r->file : r->argv[0], r->argv, r->env);
	dprintf(errors, "%s", strerror(errno));
	_exit(WISP_EXIT_SYS);
}

/* What it says is the first line of it. */
static char *
probe_run(struct wisp_sandbox_run *r)
{
	struct wisp_buf said = WISP_BUF_INIT;
	char text[ERRORS_MAX];
	int fd[2], status = 0;
	ssize_t n;
	pid_t pid;

	if (pipe2(fd, O_CLOEXEC) < 0 || (pid = fork()) < 0)
		return wisp_str("%s", strerror(errno));
	if (pid == 0)
		probe_child(r, fd[1]);
	(void)close(fd[1]);
	n = read(fd[0], text, sizeof text - 1);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	(void)close(fd[0]);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return NULL;
	text[n > 0 ? n : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	wisp_buf_line(&said, *text != '\0' ? text : WIFSIGNALED(status) ? "it gives no answer" : "it fails", ERRORS_MAX);
	return wisp_buf_detach(&said);
}

char *
wisp_sandbox_probe(enum wisp_sandbox_driver driver)
{
	char root[] = "/", *argv[] = {(char[]){"/bin/sh"}, (char[]){"-c"}, (char[]){":"}, NULL}, *env[] = {NULL}, *why;
	struct wisp_sandbox_path top = {.path = root, .folder = true, .why = ""};
	struct wisp_sandbox_plan plan = {.driver = driver, .paths = &top, .count = 1};
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_sandbox_run run;

	if (driver == WISP_SANDBOX_OFF)
		return NULL;
	if (driver == WISP_SANDBOX_LANDLOCK && wisp_sandbox_abi() < WISP_LANDLOCK_ABI_MIN)
		return wisp_sandbox_abi() == 0 ? wisp_str("the kernel has no landlock")
			: wisp_str("landlock of the kernel is too old: ABI %d, and %d is needed", wisp_sandbox_abi(), WISP_LANDLOCK_ABI_MIN);
	if (driver == WISP_SANDBOX_LANDLOCK)
		return NULL;
	if (wisp_sandbox_ready(&run, &plan, argv, env, true, &err) < 0)
		why = wisp_strdup(err.text != NULL ? err.text : strerror(errno));
	else
		why = probe_run(&run);
	wisp_sandbox_run_release(&run);
	wisp_err_release(&err);
	return why;
}
