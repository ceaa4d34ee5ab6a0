/*
 * own: the locks of a session, on descriptors that a script has opened; what a start
 * is making while it holds them (docs/record.md, "Making a session").
 */
#include "verb.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/holder.h"
#include "core/time.h"

#define OWNER_FD 9
#define WORK_FD 8
/* What a loop that was killed had just started has its lock for less, and much longer on a busy machine. */
#define LINGER_MS 2000
#define LINGER_BUSY_MS 60000
#define PAUSE_MS 10

/*
 * Waits up to so many milliseconds, but no longer than there is somebody to take it for. 0 taken, 1 another process has
 * it; dies where that cannot be told.
 */
static int
lock_for(int fd, long long ms)
{
	struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
	wisp_ms end = wisp_time_monotonic() + ms;
	pid_t caller = getppid();
	int rc;

	for (;;) {
		rc = wisp_lock_fd(fd);
		if (rc < 0 && errno != EINTR)
			die_sys("cannot lock descriptor %d", fd);
		if (rc == 0 || (rc == 1 && (wisp_time_monotonic() >= end || getppid() != caller)))
			return rc;
		(void)nanosleep(&pause, NULL);
	}
}

void
wisp_own_above(const char *path)
{
	char *name = wisp_strdup(path);

	for (char *slash = strchr(name + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(name, 0777) != 0 && errno != EEXIST)
			die_sys("cannot make '%s'", name);
		*slash = '/';
	}
	free(name);
}

int
wisp_own_file(const char *path, long long seconds)
{
	struct stat st;
	int fd, rc;

	wisp_own_above(path);
	if (lstat(path, &st) == 0 && !S_ISREG(st.st_mode) && wisp_dir_remove(path) != 0)
		die_sys("cannot remove '%s'", path);
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666);
	if (fd < 0)
		die_sys("cannot open '%s'", path);
	rc = lock_for(fd, seconds * 1000);
	if (rc != 0)
		close(fd);
	return rc;
}

/* Sessions and work trees never enter a commit; `wisp init` writes the same file. */
static void
ignore_sessions(const struct wisp_place *place)
{
	static const char text[] = "sessions/\nworktrees/\n";
	char *path = wisp_str("%s/.wisp/.gitignore", place->project);

	if (!wisp_file_exists(path) && wisp_file_write(path, text, sizeof text - 1, WISP_NOSYNC) != 0)
		die_sys("cannot write '%s'", path);
	free(path);
}

/* From here on the next owner knows what this one is making: HOME/making, which `create` removes. */
static void
mark_making(struct wisp_cli *cli, const char *what, const char *token)
{
	char *mark, *tasks, *line;

	if (cli->dir == NULL)
		die_usage("--making needs -C DIR");
	if (wisp_dir_make(cli->dir) != 0)
		die_sys("cannot make '%s'", cli->dir);
	wisp_cli_place(cli);
	if (cli->place.home == NULL)
		die_usage("'%s' is no session's folder", cli->place.dir);
	ignore_sessions(&cli->place);
	mark = wisp_str("%s/making", cli->place.home);
	tasks = wisp_str("%s/tasks.json", cli->place.dir);
	line = wisp_str("%s %s%s\n", what, token, wisp_file_exists(tasks) ? " tasks" : "");
	if (wisp_file_write(mark, line, strlen(line), WISP_SYNC) != 0)
		die_sys("cannot write '%s'", mark);
	free(line);
	free(tasks);
	free(mark);
}

int
wisp_verb_own(struct wisp_cli *cli)
{
	long long fd = -1, seconds = 0;
	const char *making = NULL, *token = "";
	const struct wisp_option options[] = {
		{"fd", .number = &fd}, {"wait", .number = &seconds}, {"making", .text = &making}, {"token", .text = &token}, {0}
	};
	int rc = 0;

	wisp_cli_read_loop(cli, options, 0, 0);
	if (fd >= 0 || making == NULL)
		rc = lock_for((int)fd, seconds * 1000);
	if (rc == 0 && making != NULL)
		mark_making(cli, making, token);
	return rc;
}

/* The same for what a process that has ended had started; after a while that is said. */
static int
lock_ended(int fd, const struct wisp_holder *h)
{
	int rc = lock_for(fd, LINGER_MS);

	if (rc == 0)
		return 0;
	warn("waiting up to a minute until what process %ld, which has ended, has started ends", h->pid);
	return lock_for(fd, LINGER_BUSY_MS);
}

static int
held(const char *which, const struct wisp_holder *h)
{
	wisp_cli_pair("held", which);
	if (h->pid > 0) {
		char *pid = wisp_str("%ld", h->pid);

		wisp_cli_pair("pid", pid);
		wisp_cli_pair("host", h->host);
		wisp_cli_pair("home", h->home);
		free(pid);
	}
	return 1;
}

/* The owner's. Where its process has ended, what that had started will, in a moment. */
static int
take_lock(const char *path)
{
	struct wisp_holder h;
	int rc = lock_for(OWNER_FD, 0);

	if (rc == 0)
		return 0;
	if (wisp_holder_read(&h, path) && wisp_holder_ended(&h))
		rc = lock_ended(OWNER_FD, &h);
	if (rc != 0)
		(void)held("lock", &h);
	wisp_holder_release(&h);
	return rc;
}

/*
 * The branch's. Under the owner's lock, what holds it is what an earlier loop of this very record
 * has started, and is waited for; or it is the loop of another record, below another WISP_HOME.
 */
static int
take_work(const char *path, const struct wisp_holder *self)
{
	struct wisp_holder h;
	int rc = lock_for(WORK_FD, 0);
	bool other;

	if (rc == 0)
		return 0;
	other = wisp_holder_read(&h, path) && strcmp(h.id, self->id) != 0;
	if (other && wisp_holder_ended(&h))
		rc = lock_ended(WORK_FD, &h);
	if (rc != 0 && other) {
		(void)held("work", &h);
	} else if (rc != 0) {
		warn("waiting until what an earlier loop has started ends");
		do
			rc = flock(WORK_FD, LOCK_EX);
		while (rc < 0 && errno == EINTR);
		if (rc < 0)
			die_sys("cannot lock '%s'", path);
	}
	wisp_holder_release(&h);
	return rc;
}

/* held= says which of the two another process has, and who that is; gone=yes: open them again. */
int
wisp_verb_take(struct wisp_cli *cli)
{
	const char *lock = NULL, *work = NULL;
	long long pid = 0;
	const struct wisp_option options[] = {
		{"lock", .text = &lock}, {"work", .text = &work}, {"pid", .number = &pid}, {0}
	};
	struct wisp_holder self;
	int rc = 1;

	wisp_cli_read_loop(cli, options, 0, 0);
	if (lock == NULL || work == NULL || pid < 2)
		die_usage("take needs --lock, --work and --pid");
	wisp_holder_fill(&self, (long)pid, OWNER_FD);
	if (take_lock(lock) == 0) {
		wisp_holder_write(&self, OWNER_FD);
		if (!wisp_lock_is_file(OWNER_FD, lock)) {
			wisp_cli_pair("gone", "yes");
		} else if (take_work(work, &self) == 0) {
			wisp_holder_write(&self, WORK_FD);
			rc = wisp_lock_is_file(WORK_FD, work) ? 0 : 1;
			wisp_cli_pair("gone", rc != 0 ? "yes" : NULL);
		}
	}
	wisp_holder_release(&self);
	return rc;
}

void
wisp_making_over(const struct wisp_place *place)
{
	char *mark = wisp_str("%s/making", place->home != NULL ? place->home : place->dir);

	if (unlink(mark) != 0 && errno != ENOENT)
		die_sys("cannot remove '%s'", mark);
	free(mark);
}
