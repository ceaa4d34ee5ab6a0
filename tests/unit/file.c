/*
 * file: whole reads and writes, what errors leave behind, folders, locks.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/file.h"
#include "core/time.h"
#include "unit.h"

/* Reads `path`; what is wrong in words. The caller frees it. */
static char *
contents(const char *path)
{
	struct wisp_buf b = WISP_BUF_INIT;

	if (wisp_file_read(path, WISP_FILE_MAX, &b) < 0)
		wisp_buf_printf(&b, "errno %d", errno);
	return wisp_buf_detach(&b);
}

/* All names in `dir` on one line; the caller frees it. */
static char *
names_in(const char *dir)
{
	struct wisp_buf b = WISP_BUF_INIT;
	size_t i, count;
	char **names;

	if (wisp_dir_list(dir, &names, &count) < 0)
		return wisp_str("errno %d", errno);
	for (i = 0; i < count; i++)
		wisp_buf_printf(&b, "%s%s", i > 0 ? " " : "", names[i]);
	wisp_dir_list_free(names, count);
	return wisp_buf_detach(&b);
}

static void
put(const char *path, const char *text)
{
	if (wisp_file_write(path, text, strlen(text), WISP_NOSYNC) < 0)
		die_sys("cannot write '%s'", path);
}

static mode_t
mode(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 ? st.st_mode & 07777 : 0;
}

static void
test_read(void)
{
	struct wisp_buf b = WISP_BUF_INIT;

	put("f", "12345");
	wisp_buf_puts(&b, "> ");
	CHECK_INT(wisp_file_read("f", 5, &b), 0, "as large as allowed");
	CHECK_STR(b.data, "> 12345", "is appended");
	CHECK_INT(wisp_file_read("f", 4, &b), -1, "larger than allowed");
	CHECK_INT(errno, EFBIG, "is EFBIG");
	CHECK_STR(b.data, "> 12345", "and leaves the buffer alone");
	CHECK_INT(wisp_file_read("f", SIZE_MAX, &b), 0, "without a limit");
	CHECK_STR(b.data, "> 1234512345", "is appended too");
	wisp_buf_release(&b);
	put("f", "");
	CHECK_INT(wisp_file_read("f", 0, &b), 0, "an empty file");
	CHECK_STR(b.data, "", "gives an empty string, not NULL");
	CHECK_INT(wisp_file_read("none", 5, &b), -1, "a missing file");
	CHECK_INT(errno, ENOENT, "is ENOENT");
	CHECK_INT(wisp_file_read(".", 5, &b), -1, "a folder");
	CHECK_INT(errno, EINVAL, "is EINVAL");
	CHECK_INT(mkfifo("fifo", 0600), 0, "a FIFO");
	CHECK_INT(wisp_file_read("fifo", 5, &b), -1, "is not waited for");
	CHECK_INT(errno, EINVAL, "but EINVAL");
	/* A size of 0 says nothing there. */
	if (access("/proc/self/status", R_OK) == 0)
		CHECK(wisp_file_read("/proc/self/status", WISP_FILE_MAX, &b) == 0 && b.len > 0, "a file without a size");
	unlink("fifo");
	unlink("f");
	wisp_buf_release(&b);
}

static void
test_write(void)
{
	umask(0);
	CHECK_INT(wisp_file_write("f", "a\0b", 3, WISP_SYNC), 0, "a new file, synced");
	CHECK_INT(mode("f"), 0600, "is its owner's alone");
	chmod("f", 0750);
	CHECK_INT(wisp_file_write("f", "two", 3, WISP_NOSYNC), 0, "replaced");
	CHECK_OWN(contents("f"), "two", "has the new text");
	CHECK_INT(mode("f"), 0750, "and the old mode");
	CHECK_INT(wisp_file_write("f", NULL, 0, WISP_NOSYNC), 0, "with nothing");
	CHECK_OWN(contents("f"), "", "is empty");
	CHECK_INT(symlink("f", "l"), 0, "a link");
	put("l", "three");
	CHECK_OWN(contents("f"), "", "is replaced, not followed");
	CHECK_OWN(contents("l"), "three", "by a file");
	unlink("l");
	mkdir("d", 0777);
	CHECK_INT(wisp_file_write("d", "x", 1, WISP_NOSYNC), -1, "a folder in its place");
	CHECK_INT(errno, EISDIR, "is EISDIR");
	CHECK_INT(wisp_file_write("none/f", "x", 1, WISP_NOSYNC), -1, "no folder");
	CHECK_INT(errno, ENOENT, "is ENOENT");
	CHECK_INT(wisp_file_write("f/g", "x", 1, WISP_SYNC), -1, "a file for a folder");
	CHECK_INT(errno, ENOTDIR, "is ENOTDIR");
	CHECK_OWN(names_in("."), "d f", "and nothing is left behind");
	unlink("f");
	rmdir("d");
}

static void
test_long_name(void)
{
	char name[NAME_MAX + 1];

	memset(name, 'n', NAME_MAX);
	name[NAME_MAX] = '\0';
	CHECK_INT(wisp_file_write(name, "x", 1, WISP_NOSYNC), 0, "the longest name there is");
	CHECK_OWN(names_in("."), name, "and no temporary");
	unlink(name);
}

/* Root may write anywhere, so this is done by somebody else. */
static int
write_as_nobody(void)
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		if (geteuid() == 0 && (setgid(65534) < 0 || setuid(65534) < 0))
			_exit(1);
		_exit(wisp_file_write("d/f", "x", 1, WISP_NOSYNC) < 0 ? errno : 0);
	}
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

static void
test_unwritable(void)
{
	mkdir("d", 0777);
	put("d/f", "old");
	chmod("d", 0555);
	CHECK_INT(write_as_nobody(), EACCES, "a folder that may not be written to");
	CHECK_OWN(contents("d/f"), "old", "keeps its file");
	CHECK_OWN(names_in("d"), "f", "and gets no other");
	chmod("d", 0755);
	CHECK_INT(wisp_dir_remove("d"), 0, "removed");
}

/* A limit on the size of files stands in for a full disk. */
static void
test_full(void)
{
	char text[8192] = {0};
	int status = 0;
	pid_t pid;

	put("f", "old");
	pid = fork();
	if (pid == 0) {
		struct rlimit limit = {4096, 4096};

		signal(SIGXFSZ, SIG_IGN);
		_exit(setrlimit(RLIMIT_FSIZE, &limit) == 0 &&
		      wisp_file_write("f", text, sizeof text, WISP_NOSYNC) < 0 ? errno : 0);
	}
	waitpid(pid, &status, 0);
	CHECK_INT(WEXITSTATUS(status), EFBIG, "no room");
	CHECK_OWN(contents("f"), "old", "keeps the old file");
	CHECK_OWN(names_in("."), "f", "and leaves nothing behind");
	unlink("f");
}

static void
test_copy_move(void)
{
	size_t len = 200000;
	char *big = wisp_alloc(len + 1, 1), *got;

	memset(big, 'b', len);
	put("from", big);
	CHECK_INT(wisp_file_copy("from", "to", WISP_SYNC), 0, "copied");
	got = contents("to");
	CHECK(strcmp(got, big) == 0, "whole");
	free(got);
	chmod("to", 0600);
	put("from", "small");
	CHECK_INT(wisp_file_copy("from", "to", WISP_NOSYNC), 0, "copied over another");
	CHECK_OWN(contents("to"), "small", "which it replaces");
	CHECK_INT(mode("to"), 0600, "but for its mode");
	CHECK_INT(wisp_file_copy("none", "to", WISP_NOSYNC), -1, "nothing to copy");
	CHECK_INT(errno, ENOENT, "is ENOENT");
	CHECK_INT(wisp_file_copy("from", "none/to", WISP_NOSYNC), -1, "nowhere to copy to");
	CHECK_INT(errno, ENOENT, "is ENOENT too");
	mkdir("d", 0777);
	CHECK_INT(wisp_file_move("from", "d/to", WISP_SYNC), 0, "moved");
	CHECK_OWN(contents("d/to"), "small", "is there");
	CHECK(!wisp_file_exists("from") && wisp_file_exists("d/to"), "and no longer here");
	CHECK_INT(wisp_file_move("from", "to", WISP_NOSYNC), -1, "nothing to move");
	CHECK_INT(errno, ENOENT, "is ENOENT");
	CHECK_OWN(names_in("."), "d to", "nothing else is left");
	unlink("to");
	CHECK_INT(wisp_dir_remove("d"), 0, "removed");
	free(big);
}

/*
 * A writer that ended before the rename: nothing but its temporary tells of it. What it leaves
 * of itself is for the caller to wait for.
 */
static char *
ended_writer(pid_t *pid)
{
	char *name;
	siginfo_t info;

	*pid = fork();
	if (*pid == 0)
		_exit(0);
	CHECK(waitid(P_PID, (id_t)*pid, &info, WEXITED | WNOWAIT) == 0, "a writer ends");
	name = wisp_str(".f.wisp-%ld-0123456789abcdef", (long)*pid);
	put(name, "half");
	return name;
}

static void
test_sweep(void)
{
	static const char *const kept[] = {
		".f.wisp-0-ab", ".f.wisp--1-ab", ".f.wisp-x-ab", ".f.wisp-99999999", ".f.wisp-99999999-",
		".f.wisp-99999999-xyz", ".wisp-x", "f", "f.wisp-99999999-ab",
	};
	pid_t pid;
	char *dead = ended_writer(&pid), *zombie, *own = wisp_str(".f.wisp-%ld-ab", (long)getpid());
	struct timespec old[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
	size_t i;
	int fd;

	waitpid(pid, NULL, 0);
	for (i = 0; i < sizeof kept / sizeof *kept; i++)
		put(kept[i], "");
	put(own, "");
	mkdir(".d.wisp-99999999-ab", 0777);
	fd = open(dead, O_WRONLY);
	CHECK(fd >= 0 && flock(fd, LOCK_EX) == 0, "a temporary in use");
	wisp_file_sweep(".");
	CHECK(wisp_file_exists(dead), "stays, whatever its pid says");
	close(fd);
	wisp_file_sweep(".");
	CHECK(!wisp_file_exists(dead), "what a killed writer left goes");
	CHECK(wisp_file_exists(own), "that of a living one stays");
	zombie = ended_writer(&pid);
	wisp_file_sweep(".");
	CHECK(!wisp_file_exists(zombie), "that of one that ended goes, though nobody waited for it yet");
	waitpid(pid, NULL, 0);
	utimensat(AT_FDCWD, own, old, 0);
	wisp_file_sweep(".");
	CHECK(!wisp_file_exists(own), "unless it is older than any write");
	for (i = 0; i < sizeof kept / sizeof *kept; i++)
		CHECK_INT(unlink(kept[i]), 0, kept[i]);
	CHECK_INT(rmdir(".d.wisp-99999999-ab"), 0, "a folder stays");
	wisp_file_sweep("none");
	free(zombie);
	free(dead);
	free(own);
}

static void
test_dirs(void)
{
	char **names;
	size_t count;

	CHECK_INT(wisp_dir_make("a/b//c/"), 0, "made with its parents");
	CHECK_INT(mode("a") | mode("a/b/c"), 0700, "its owner's alone");
	CHECK_INT(wisp_dir_make("a/b/c"), 0, "made again");
	CHECK_INT(wisp_dir_make("/"), 0, "the root");
	CHECK_INT(wisp_dir_make(""), -1, "nothing");
	CHECK_INT(errno, ENOENT, "is ENOENT");
	put("a/f", "");
	CHECK_INT(wisp_dir_make("a/f"), -1, "a file in its place");
	CHECK_INT(errno, ENOTDIR, "is ENOTDIR");
	CHECK_INT(wisp_dir_make("a/f/g"), -1, "a file on the way");
	CHECK_INT(errno, ENOTDIR, "is ENOTDIR too");
	put("a/Z", "");
	put("a/.h", "");
	CHECK_OWN(names_in("a"), ".h Z b f", "sorted, with hidden ones");
	CHECK_OWN(names_in("a/b/c"), "", "an empty one");
	errno = 0;
	CHECK(wisp_dir_list("none", &names, &count) < 0 && errno == ENOENT, "a missing one is ENOENT");
	CHECK(names == NULL && count == 0, "and gives no names");
	put("kept", "");
	mkdir("outside", 0777);
	put("outside/kept", "");
	CHECK(symlink("../outside", "a/l") == 0 && symlink("none", "a/broken") == 0, "links");
	CHECK_INT(wisp_dir_remove("a/l/"), 0, "a link goes, whatever stands behind it");
	CHECK(symlink("../outside", "a/l") == 0, "again");
	CHECK_INT(wisp_dir_remove("a"), 0, "all below goes");
	CHECK_OWN(names_in("outside"), "kept", "what is linked to stays");
	CHECK_INT(wisp_dir_remove("a"), 0, "a missing one is fine");
	CHECK_INT(wisp_dir_remove("kept"), 0, "a file is removed too");
	CHECK_INT(wisp_dir_remove("outside"), 0, "and the rest");
	CHECK_OWN(names_in("."), "", "nothing is left");
}

static void
test_lock(void)
{
	int fd, other, status = 0;
	pid_t pid;

	CHECK_INT(wisp_lock_held("lock"), 0, "a missing lock is held by nobody");
	fd = wisp_lock("lock");
	CHECK(fd >= 0, "taken");
	CHECK((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0, "not inherited by programs");
	CHECK_INT(wisp_lock_held("lock"), 1, "and seen");
	other = open("lock", O_RDWR | O_CLOEXEC);
	CHECK_INT(wisp_lock_fd(other), 1, "it is not to be had twice");
	CHECK_INT(wisp_lock_fd(fd), 0, "but by the same again");
	close(fd);
	CHECK_INT(wisp_lock_held("lock"), 0, "let go");
	CHECK_INT(wisp_lock_fd(other), 0, "and taken by the other");
	close(other);
	pid = fork();
	if (pid == 0) {
		fd = wisp_lock("lock");
		raise(SIGKILL);
	}
	waitpid(pid, &status, 0);
	CHECK(WIFSIGNALED(status) && wisp_lock_held("lock") == 0, "death lets go too");
	CHECK_INT(wisp_lock("none/lock"), -1, "no folder");
	CHECK_INT(errno, ENOENT, "is ENOENT");
	CHECK_INT(wisp_lock_fd(-1), -1, "no descriptor");
	CHECK_INT(errno, EBADF, "is EBADF");
	unlink("lock");
}

/* Until `pid` waits for a lock, where the system tells. */
static void
until_waiting(pid_t pid)
{
	wisp_ms end = wisp_time_monotonic() + 5000;
	char *entry = wisp_str(" %ld ", (long)pid), *locks;
	const char *line;
	bool waits = false;

	while (!waits && wisp_time_monotonic() < end && access("/proc/locks", R_OK) == 0) {
		locks = contents("/proc/locks");
		for (line = locks; !waits && (line = strstr(line, "-> FLOCK")) != NULL; line++)
			waits = strstr(line, entry) != NULL;
		free(locks);
	}
	free(entry);
}

/* The waiter must not be content with a lock on a file that was removed while it waited. */
static void
test_lock_removed(void)
{
	int fd = wisp_lock("lock"), again, status = 0;
	pid_t pid;

	pid = fork();
	if (pid == 0) {
		close(fd);
		fd = wisp_lock("lock");
		_exit(fd >= 0 && wisp_lock_held("lock") == 1 ? 0 : 1);
	}
	until_waiting(pid);
	unlink("lock");
	again = open("lock", O_RDWR | O_CREAT, 0666);
	close(again);
	close(fd);
	waitpid(pid, &status, 0);
	CHECK_INT(status, 0, "whoever waits gets the lock that others see");
	unlink("lock");
}

static void
test_private(void)
{
	CHECK_INT(mkdir("p", 0777) | mkdir("p/d", 0777) | mkfifo("p/pipe", 0666) | symlink("../out", "p/l"), 0, "a folder");
	put("out", "x");
	put("p/f", "x");
	put("p/d/deep", "x");
	CHECK_INT(chmod("p", 0777) | chmod("p/d", 0775) | chmod("out", 0644) | chmod("p/f", 0754) | chmod("p/d/deep", 0644), 0,
		  "all may read it");
	wisp_dir_private("p");
	CHECK_INT(mode("p"), 0700, "the folder");
	CHECK_INT(mode("p/d"), 0700, "a folder in it");
	CHECK_INT(mode("p/f"), 0700, "a file in it");
	CHECK_INT(mode("p/d/deep"), 0644, "not what is deeper");
	CHECK_INT(mode("out"), 0644, "not what a link leads to");
	wisp_dir_private("none");
	CHECK_INT(wisp_dir_remove("p") | unlink("out"), 0, "removed");
}

int
main(void)
{
	const char *tmp = getenv("TMPDIR");
	char *dir = wisp_str("%s/unit-file-XXXXXX", tmp != NULL ? tmp : "/tmp");

	if (mkdtemp(dir) == NULL || chdir(dir) < 0)
		die_sys("cannot make '%s'", dir);
	test_read();
	test_write();
	test_long_name();
	test_unwritable();
	test_full();
	test_copy_move();
	test_sweep();
	test_dirs();
	test_private();
	test_lock();
	test_lock_removed();
	if (chdir("/") < 0 || wisp_dir_remove(dir) < 0)
		die_sys("cannot remove '%s'", dir);
	free(dir);
	return unit_done();
}
