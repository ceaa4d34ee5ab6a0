/*
 * git: starting git, with a time limit and signals heard meanwhile; see tree.h.
 *
 * git opens some files of its folder whatever they are, and at a named pipe it would wait for ever. The limit is for that,
 * not for slow machines. A handler that ends the child needs no window in which a signal could be missed: whoever waits
 * goes on by the child's end.
 */
#include "tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/file.h"
#include "wait/parent.h"

#define LIMIT_MAX 300			/* seconds */
#define LARGE ((off_t)1 << 30)		/* bytes */
#define SIGNALLED(rc) ((rc) > 128 && (rc) < 193) /* 129 is git's usage, but wisp's calls are right; 255 a failure */

extern char **environ;

static volatile sig_atomic_t ticked, ended;
static volatile pid_t child;
static int limit = LIMIT_MAX;

/* Nothing may run a program of the repository's choice, wait for a person, change bytes on their way through, or trust a
 * setting that hides a change. fsync: by itself git does not sync loose objects. Versions that do not know a key ignore it. */
static const char *const settings[] = {
	"core.hooksPath=/dev/null", "core.fsmonitor=false", "core.autocrlf=false", "core.safecrlf=false",
	"core.fsync=objects,reference", "core.fsyncMethod=batch", "core.untrackedCache=false", "core.splitIndex=false",
	"core.checkStat=default", "core.ignoreStat=false", "gc.auto=0", "color.ui=false", "i18n.commitEncoding=UTF-8",
	"submodule.recurse=false", "diff.submodule=short",
};

/* WISP_GIT_PLAIN. */
static const char *const plain[] = {
	"core.hooksPath=/dev/null", "core.fsmonitor=false", "core.fsync=objects,reference", "core.fsyncMethod=batch",
	"gc.auto=0", "maintenance.auto=false", "color.ui=false", "submodule.recurse=false",
};

/* What a caller inside a hook, an alias or another work tree has set is not ours. */
static const char *const dropped[] = {
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_NAMESPACE", "GIT_OBJECT_DIRECTORY",
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS",
	"GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS", "GIT_EXTERNAL_DIFF", "GIT_CONFIG", "GIT_GRAFT_FILE", "GIT_SHALLOW_FILE",
};

/* Where the configuration lies: that of the session, and the caller's. */
static struct {
	const char *name, *file;
	char *here, *other;
} known[] = {
	{"GIT_COMMON_DIR", "common", NULL, NULL},
	{"GIT_CONFIG_GLOBAL", "global", NULL, NULL},
	{"GIT_CONFIG_SYSTEM", "system", NULL, NULL},
};
static char *protocols; /* the caller's GIT_ALLOW_PROTOCOL */

static void
on_signal(int sig)
{
	int saved = errno;

	if (sig == SIGALRM) {
		ticked = 1;
	} else {
		ended = 1;
		if (child > 0)
			(void)kill(child, SIGTERM);
	}
	errno = saved;
}

static void
put(const char *name, const char *value)
{
	if ((value != NULL ? setenv(name, value, 1) : unsetenv(name)) < 0)
		die_sys("cannot set %s", name);
}

void
wisp_git_init(struct wisp_tree *t)
{
	const char *text = getenv("WISP_GIT_LIMIT");	/* lowers it: for tests alone */
	long n = text != NULL ? strtol(text, NULL, 10) : 0;
	struct sigaction act = {.sa_handler = on_signal};

	if (n > 0 && n < LIMIT_MAX)
		limit = (int)n;
	sigemptyset(&act.sa_mask);
	(void)sigaction(SIGALRM, &act, NULL);
	(void)sigaction(SIGTERM, &act, NULL);
	for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
		put(dropped[i], NULL);
	put("GIT_TERMINAL_PROMPT", "0");
	put("GIT_OPTIONAL_LOCKS", "0");
	put("GIT_PAGER", "cat");
	put("GIT_NO_REPLACE_OBJECTS", "1");
	protocols = wisp_strdup(getenv("GIT_ALLOW_PROTOCOL"));
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		known[i].other = wisp_strdup(getenv(known[i].name));
		known[i].here = t->known != NULL ? wisp_str("%s/%s", t->known, known[i].file) : known[i].other;
	}
}

static int
seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int)now.tv_sec;
}

/* A scratch file that has no name any more, so that nothing is left of it whatever happens. */
static int
scratch(const struct wisp_tree *t, int *fd)
{
	char *path;

#ifdef MFD_CLOEXEC
	if (*fd < 0)
		*fd = memfd_create("wisp.said", MFD_CLOEXEC);
#endif
	if (*fd < 0) {
		path = wisp_tree_file(t, "wisp.said");
		(void)unlink(path);
		*fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, WISP_FILE_MODE);
		if (*fd < 0)
			die_sys("cannot write '%s'", path);
		(void)unlink(path);
		free(path);
	}
	if (ftruncate(*fd, 0) < 0 || lseek(*fd, 0, SEEK_SET) < 0)
		die_sys("cannot write a scratch file in '%s'", t->git);
	return *fd;
}

static void
read_back(int fd, struct wisp_buf *out)
{
	ssize_t n = 0;
	off_t size = lseek(fd, 0, SEEK_END);

	wisp_buf_reset(out);
	wisp_buf_grow(out, size > 0 ? (size_t)size : 0);
	while ((off_t)out->len < size && (n = pread(fd, out->data + out->len, (size_t)size - out->len, (off_t)out->len)) != 0)
		if (n > 0)
			out->len += (size_t)n;
		else if (errno != EINTR)
			break;
	if (size < 0 || n < 0)
		die_sys("cannot read what git said");
	out->data[out->len] = '\0';
}

static pid_t
start(const char *const *argv, const int fds[3], bool watched)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t block, old;
	pid_t pid;
	int rc;

	sigemptyset(&block);
	sigaddset(&block, SIGTERM);
	sigaddset(&block, SIGALRM);
	sigprocmask(SIG_BLOCK, &block, &old);
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attr, &old);
	for (int i = 0; i < 3; i++)
		if (fds[i] != i)
			posix_spawn_file_actions_adddup2(&actions, fds[i], i);
	rc = posix_spawnp(&pid, argv[0], &actions, &attr, (char *const *)argv, environ);
	if (rc == 0 && watched)
		child = pid;
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&actions);
	sigprocmask(SIG_SETMASK, &old, NULL);
	errno = rc;
	if (rc != 0)
		die_sys("cannot start '%s'", argv[0]);
	return pid;
}

/* The end of a program that is started beside a git which is waited for: its status, or -1. */
static int
wait_beside(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int
null_fd(void)
{
	static int fd = -1;

	if (fd < 0 && (fd = open("/dev/null", O_RDWR | O_CLOEXEC)) < 0)
		die_sys("cannot open '/dev/null'");
	return fd;
}

void
wisp_git_unplug(const struct wisp_tree *t)
{
	static int fd = -1;
	struct wisp_buf names = WISP_BUF_INIT;
	const char *name;
	size_t at = 0;

	(void)wait_beside(start(wisp_git_args("wisp-session", "unplug", t->top, t->git, t->common),
				(int[]){null_fd(), scratch(t, &fd), STDERR_FILENO}, false));
	read_back(fd, &names);
	while ((name = wisp_git_next(&names, &at)) != NULL)
		warn("removed the named pipe %s", name);
	wisp_buf_release(&names);
}

static bool
ignored(const struct wisp_tree *t, const char *name)
{
	const char *argv[] = {"git", "-C", t->top, wisp_str("--git-dir=%s", t->git), wisp_str("--work-tree=%s", t->top),
			      "check-ignore", "-q", "--", name, NULL};

	return wait_beside(start(argv, (int[]){null_fd(), null_fd(), null_fd()}, false)) == 0;
}

/* Calls `found` with each file below `folder` ("" or ending in /) of `top` until it says true. */
static bool
walk(struct wisp_tree *t, const char *top, const char *folder,
     bool (*found)(struct wisp_tree *t, const char *name, const struct stat *st))
{
	char *path = wisp_str("%s/%s", top, folder), *name;
	DIR *d = opendir(path);
	struct dirent *e;
	struct stat st;
	bool yes = false;

	free(path);
	while (!yes && d != NULL && (e = readdir(d)) != NULL) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
		    fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		name = wisp_str("%s%s%s", folder, e->d_name, S_ISDIR(st.st_mode) ? "/" : "");
		yes = found(t, name, &st);
		if (!yes && S_ISDIR(st.st_mode) && strcmp(e->d_name, ".git") != 0 && strcmp(name, ".wisp/") != 0)
			yes = walk(t, top, name, found);
		free(name);
	}
	if (d != NULL)
		closedir(d);
	return yes;
}

static bool
is_large(struct wisp_tree *t, const char *name, const struct stat *st)
{
	if (S_ISREG(st->st_mode) && st->st_size > LARGE && !ignored(t, name))
		wisp_texts_add(&t->large, wisp_strdup(name));
	return false;
}

void
wisp_git_find_large(struct wisp_tree *t)
{
	t->large.count = 0;
	(void)walk(t, t->top, "", is_large);
	t->has_large = t->large.count > 0;
}

static bool
is_pipe(struct wisp_tree *t, const char *name, const struct stat *st)
{
	if (S_ISFIFO(st->st_mode))
		wisp_texts_add(&t->names, wisp_strdup(name));
	return S_ISFIFO(st->st_mode);
}

/* The verb among git's arguments. */
static const char *
verb(const char *const *args)
{
	while (**args == '-')
		args += strcmp(*args, "-C") == 0 || strcmp(*args, "-c") == 0 ? 2 : 1;
	return *args;
}

/* Says why, and ends the program. */
static _Noreturn void
die_late(struct wisp_tree *t, const char *verb)
{
	const char *const folders[] = {t->git, t->common};

	t->names.count = 0;
	for (size_t i = 0; i < 2; i++)
		if (walk(t, folders[i], "", is_pipe)) {
			warn("git %s gave no answer for %d s: '%s/%s' is a named pipe: remove it", verb, limit, folders[i],
			     t->names.list[0]);
			wisp_exit(WISP_EXIT_SYS);
		}
	warn("git %s gave no answer for %d s: and was ended", verb, limit);
	wisp_exit(WISP_EXIT_SYS);
}

/* The end of the git that was started; sets *late where that was the limit's doing. */
static int
wait_git(struct wisp_tree *t, int how, bool *late)
{
	int period = (how & WISP_GIT_PATIENT) != 0 && t->patience < limit ? (int)t->patience : limit, began = seconds(), status;
	struct itimerval every = {{period, 0}, {period, 0}}, none = {{0, 0}, {0, 0}};

	ticked = 0;
	(void)setitimer(ITIMER_REAL, &every, NULL);
	while (waitpid(child, &status, 0) < 0) {
		if (errno != EINTR)
			die_sys("cannot wait for git");
		if (!ticked)
			continue;
		ticked = 0;
		if (seconds() - began >= limit) {
			*late = true;
			(void)kill(child, SIGALRM);
			continue;
		}
		if ((how & WISP_GIT_PATIENT) != 0)
			wisp_git_unplug(t);
		if ((how & WISP_GIT_ADDS) != 0 && !t->has_large) {
			wisp_git_find_large(t);
			if (t->has_large)
				(void)kill(child, SIGTERM);
		}
	}
	child = 0;
	(void)setitimer(ITIMER_REAL, &none, NULL);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void
build(const struct wisp_tree *t, int how, const char *const *args, struct wisp_texts *argv)
{
	const char *const first[] = {"-C", t->top, wisp_str("--git-dir=%s", t->git), wisp_str("--work-tree=%s", t->top)};
	const char *const *set = (how & WISP_GIT_PLAIN) != 0 ? plain : settings;
	size_t n = (how & WISP_GIT_PLAIN) != 0 ? sizeof plain / sizeof *plain : sizeof settings / sizeof *settings;
	bool here = (how & WISP_GIT_OTHER) == 0;

	wisp_texts_add(argv, "git");
	for (size_t i = 0; here && i < sizeof first / sizeof *first; i++)
		wisp_texts_add(argv, first[i]);
	for (size_t i = 0; here && i < n; i++) {
		wisp_texts_add(argv, "-c");
		wisp_texts_add(argv, set[i]);
	}
#ifdef __linux__
	/* Names that come after the data does: the journal that the commit's own sync waits for has both, in this order. */
	if (here && t->sync_follows) {
		wisp_texts_add(argv, "-c");
		wisp_texts_add(argv, "core.fsyncMethod=writeout-only");
	}
#endif
	for (size_t i = 0; here && i < t->config.count; i++) {
		wisp_texts_add(argv, "-c");
		wisp_texts_add(argv, t->config.list[i]);
	}
	do
		wisp_texts_add(argv, *args);
	while (*args++ != NULL);
}

/* Which index, and who commits. git reads an index where it needs none: a torn one must not matter there. */
static void
set_how(const struct wisp_tree *t, int how)
{
	const char *who = (how & WISP_GIT_WISP) != 0 ? "wisp" : NULL, *mail = who != NULL ? "wisp@localhost" : NULL;
	const char *name = (how & WISP_GIT_WARM) != 0	  ? "wisp.index"
			   : (how & WISP_GIT_TEMP) != 0	  ? "wisp.temp"
			   : (how & WISP_GIT_NESTED) != 0 ? "wisp.nested"
							  : NULL;
	char *index = name != NULL ? wisp_tree_file(t, name) : NULL;

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		put(known[i].name, (how & WISP_GIT_OTHER) != 0 || t->known == NULL ? known[i].other : known[i].here);
	/* An object that is missing is fetched in a partial clone, by a program that its configuration names. */
	put("GIT_ALLOW_PROTOCOL", (how & WISP_GIT_OTHER) != 0 || t->known == NULL ? "" : protocols);
	put("GIT_LITERAL_PATHSPECS", (how & WISP_GIT_LITERAL) != 0 ? "1" : NULL);
	put("GIT_INDEX_FILE", index);
	free(index);
	if (who == NULL)
		return;
	put("GIT_AUTHOR_NAME", who);
	put("GIT_AUTHOR_EMAIL", mail);
	put("GIT_COMMITTER_NAME", who);
	put("GIT_COMMITTER_EMAIL", mail);
}

/* Ends as the signal does, so that the caller sees it; no caller is left to read more of an answer. */
static void
end_if_told(const struct wisp_tree *t)
{
	if (!ended && !wisp_parent_gone(t->parent))
		return;
	(void)signal(SIGTERM, SIG_DFL);
	(void)raise(SIGTERM);
}

int
wisp_git(struct wisp_tree *t, int how, const struct wisp_buf *in, const char *const *args)
{
	static int in_fd = -1, out_fd = -1, said_fd = -1;
	struct wisp_texts argv = {0};
	int fds[3] = {null_fd(), scratch(t, &out_fd), STDERR_FILENO}, rc;
	bool late = false;

	end_if_told(t);
	if (in != NULL) {
		fds[0] = scratch(t, &in_fd);
		if (wisp_fd_write(fds[0], in->data, in->len) < 0 || lseek(fds[0], 0, SEEK_SET) < 0)
			die_sys("cannot write what git is to read");
	}
	if ((how & WISP_GIT_KEEP) != 0)
		fds[2] = scratch(t, &said_fd);
	build(t, how, args, &argv);
	set_how(t, how);
	(void)start(argv.list, fds, true);
	free(argv.list);
	rc = wait_git(t, how, &late);
	end_if_told(t);
	if (late)
		die_late(t, verb(args));
	wisp_buf_reset(&t->said);
	if ((how & WISP_GIT_KEEP) != 0)
		read_back(said_fd, &t->said);
	if (SIGNALLED(rc) && (how & WISP_GIT_KEEP) == 0) {
		warn("git %s was killed by signal %d", verb(args), rc - 128);
		wisp_exit(WISP_EXIT_SYS);
	}
	read_back(out_fd, &t->out);
	return rc;
}

void
wisp_git_must(struct wisp_tree *t, int how, const struct wisp_buf *in, const char *const *args)
{
	if (wisp_git(t, how, in, args) != 0)
		wisp_exit(WISP_EXIT_SYS);	/* git has said why */
}

const char *
wisp_git_line(struct wisp_tree *t, int how, const char *const *args)
{
	if (wisp_git(t, how, NULL, args) != 0)
		return "";
	t->out.data[strcspn(t->out.data, "\n")] = '\0';
	return wisp_strdup(t->out.data);
}

const char *
wisp_git_head_of(struct wisp_tree *t, const char *folder)
{
	return wisp_git_line(t, WISP_GIT_OTHER | WISP_GIT_KEEP,
			     wisp_git_args(wisp_str("--git-dir=%s", folder), "rev-parse", "-q", "--verify", "HEAD^{commit}"));
}

const char *
wisp_git_next(const struct wisp_buf *b, size_t *at)
{
	const char *name = b->data + *at;

	if (*at >= b->len)
		return NULL;
	*at += strlen(name) + 1;
	return name;
}
