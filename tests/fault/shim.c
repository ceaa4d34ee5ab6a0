/*
 * shim: makes one call of a program fail, or the program die at it.
 *
 *	LD_PRELOAD=.../shim.so FAULT_AT=3 FAULT_DO=ENOSPC FAULT_LOG=FILE PROGRAM ...
 *
 *	FAULT_AT    which of the calls, from 1; 0: none, they are only logged
 *	FAULT_DO    ENOSPC, EIO or EACCES: the call fails with it; exit: _exit(99);
 *	            kill: SIGKILL, group: to all of the process group FAULT_GROUP. A
 *	            write that the program dies at is done by half.
 *	FAULT_FULL  if set, that call and all later ones fail that need room, no others
 *	FAULT_IF    a file: as long as it is not there, no call counts
 *	FAULT_LOG   gets a line `NUMBER CALL PATH` for each call that counts
 *	FAULT_SHARED  a file of 8 bytes: the calls of all processes that have it are
 *	            counted together, there; and fork and execve count as well
 *	FAULT_DIRTY a file: gets what a power cut takes, a line `DEVICE:INODE SIZE` for
 *	            each write that was not synced yet, SIZE being what is left of the
 *	            file, and `DEVICE:INODE -` where it was synced
 *
 * Calls that count: write (not to the three standard streams), fsync,
 * fdatasync, rename, link, symlink, mkdir, rmdir, unlink, and open for writing,
 * each with its variants. The program's own calls alone: what libc does inside
 * itself, for stdio say, passes by.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DIED 99

/* What is made here replaces what libc declares; these have no declaration there. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int dir, const char *path, int flags);
int __openat64_2(int dir, const char *path, int flags);

static long calls;

/* The real function of that name. A cast would be no C: ISO keeps functions and objects apart. */
#define REAL(pointer, name) \
	do { \
		void *found = dlsym(RTLD_NEXT, name); \
		memcpy(&(pointer), &found, sizeof pointer); \
	} while (0)

/* Past what is replaced here. */
static void
append(const char *log, const char *line, int n)
{
	long fd;

	fd = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (fd < 0 || syscall(SYS_write, fd, line, n) != n)
		abort();
	(void)syscall(SYS_close, fd);
}

static void
note(const char *call, const char *path)
{
	const char *log = getenv("FAULT_LOG");
	char line[PATH_MAX + 64];
	int n;

	if (log == NULL)
		return;
	n = snprintf(line, sizeof line, "%ld %s %s\n", calls, call, path);
	if (n < 0 || (size_t)n >= sizeof line)
		abort();
	append(log, line, n);
}

/* What a power cut leaves of an open file: `size` bytes, or if that is negative all of it. */
static void
note_dirty(int fd, off_t size)
{
	const char *log = getenv("FAULT_DIRTY");
	int error = errno;
	struct stat st;
	char line[96];

	if (log != NULL && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		int n = snprintf(line, sizeof line, size < 0 ? "%llu:%llu -\n" : "%llu:%llu %lld\n",
		    (unsigned long long)st.st_dev, (unsigned long long)st.st_ino, (long long)size);

		append(log, line, n);
	}
	errno = error;
}

static off_t
size_of(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 ? st.st_size : 0;
}

/* The number of this call: the next of this process, or of all that share FAULT_SHARED. */
static long
next_call(void)
{
	const char *shared = getenv("FAULT_SHARED");
	static _Atomic long *all;

	if (shared == NULL)
		return calls + 1;
	if (all == NULL) {
		int fd = (int)syscall(SYS_openat, AT_FDCWD, shared, O_RDWR | O_CLOEXEC);
		void *map = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

		if (fd < 0 || map == MAP_FAILED)
			abort();
		(void)syscall(SYS_close, fd);
		all = map;
	}
	return atomic_fetch_add(all, 1) + 1;
}

static int
error_named(const char *name)
{
	if (strcmp(name, "ENOSPC") == 0)
		return ENOSPC;
	return strcmp(name, "EIO") == 0 ? EIO : EACCES;
}

enum fault { NONE, FAIL, DIE };

/* One more call: what becomes of it? FAIL sets errno. `room`: it may need room on the disk. */
static enum fault
count(const char *call, const char *path, bool room)
{
	const char *at = getenv("FAULT_AT"), *what = getenv("FAULT_DO");
	const char *only = getenv("FAULT_IF");
	long which = at != NULL ? strtol(at, NULL, 10) : 0;

	if ((only != NULL && access(only, F_OK) != 0) || strncmp(path, "/dev/", 5) == 0)
		return NONE;
	calls = next_call();
	note(call, path);
	if (what == NULL || which == 0 || calls < which)
		return NONE;
	if (getenv("FAULT_FULL") != NULL ? !room : calls > which)
		return NONE;
	if (strcmp(what, "exit") == 0 || strcmp(what, "kill") == 0 || strcmp(what, "group") == 0)
		return DIE;
	errno = error_named(what);
	return FAIL;
}

static void
die(void)
{
	const char *group = getenv("FAULT_GROUP");

	if (strcmp(getenv("FAULT_DO"), "exit") == 0)
		_exit(DIED);
	if (strcmp(getenv("FAULT_DO"), "group") == 0 && group != NULL && atoi(group) > 1)
		(void)kill(-atoi(group), SIGKILL);
	(void)kill(getpid(), SIGKILL);
	_exit(DIED);
}

/* For calls that nothing is left of where the program dies at them. */
static bool
fails(const char *call, const char *path, bool room)
{
	enum fault fault = count(call, path, room);

	if (fault == DIE)
		die();
	return fault == FAIL;
}

/* The path of an open file, as far as the system can tell. */
static const char *
path_of(int fd, char *path, size_t size)
{
	char link[64];
	ssize_t n;

	(void)snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = readlink(link, path, size - 1);
	path[n > 0 ? n : 0] = '\0';
	return path;
}

ssize_t
write(int fd, const void *data, size_t len)
{
	ssize_t (*real)(int, const void *, size_t);
	char path[PATH_MAX];
	enum fault fault;

	REAL(real, "write");
	if (fd <= STDERR_FILENO)
		return real(fd, data, len);
	fault = count("write", path_of(fd, path, sizeof path), true);
	if (fault == DIE) {
		(void)!real(fd, data, len / 2);
		die();
	}
	if (fault == FAIL)
		return -1;
	note_dirty(fd, size_of(fd));
	return real(fd, data, len);
}

static int
synced(int fd, int answer)
{
	if (answer == 0)
		note_dirty(fd, -1);
	return answer;
}

int
fsync(int fd)
{
	int (*real)(int);
	char path[PATH_MAX];

	REAL(real, "fsync");
	return fails("fsync", path_of(fd, path, sizeof path), true) ? -1 : synced(fd, real(fd));
}

int
fdatasync(int fd)
{
	int (*real)(int);
	char path[PATH_MAX];

	REAL(real, "fdatasync");
	return fails("fdatasync", path_of(fd, path, sizeof path), true) ? -1 : synced(fd, real(fd));
}

/* Of all files on a disk: there is but one here. */
static void
note_all_synced(void)
{
	const char *log = getenv("FAULT_DIRTY");

	if (log != NULL)
		append(log, "* -\n", 4);
}

int
syncfs(int fd)
{
	int (*real)(int);
	char path[PATH_MAX];

	REAL(real, "syncfs");
	if (fails("syncfs", path_of(fd, path, sizeof path), true))
		return -1;
	note_all_synced();
	return real(fd);
}

void
sync(void)
{
	void (*real)(void);

	REAL(real, "sync");
	note_all_synced();
	real();
}

/* How git writes many objects with one flush at the end (core.fsyncMethod=batch). */
int
sync_file_range(int fd, off64_t offset, off64_t count, unsigned int flags)
{
	int (*real)(int, off64_t, off64_t, unsigned int);

	REAL(real, "sync_file_range");
	return synced(fd, real(fd, offset, count, flags));
}

int
rename(const char *from, const char *to)
{
	int (*real)(const char *, const char *);

	REAL(real, "rename");
	return fails("rename", to, false) ? -1 : real(from, to);
}

int
renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	int (*real)(int, const char *, int, const char *);

	REAL(real, "renameat");
	return fails("renameat", to, false) ? -1 : real(from_dir, from, to_dir, to);
}

int
link(const char *from, const char *to)
{
	int (*real)(const char *, const char *);

	REAL(real, "link");
	return fails("link", to, true) ? -1 : real(from, to);
}

int
linkat(int from_dir, const char *from, int to_dir, const char *to, int flags)
{
	int (*real)(int, const char *, int, const char *, int);

	REAL(real, "linkat");
	return fails("linkat", to, true) ? -1 : real(from_dir, from, to_dir, to, flags);
}

int
symlink(const char *target, const char *path)
{
	int (*real)(const char *, const char *);

	REAL(real, "symlink");
	return fails("symlink", path, true) ? -1 : real(target, path);
}

int
rmdir(const char *path)
{
	int (*real)(const char *);

	REAL(real, "rmdir");
	return fails("rmdir", path, false) ? -1 : real(path);
}

int
mkdir(const char *path, mode_t mode)
{
	int (*real)(const char *, mode_t);

	REAL(real, "mkdir");
	return fails("mkdir", path, true) ? -1 : real(path, mode);
}

int
mkdirat(int dir, const char *path, mode_t mode)
{
	int (*real)(int, const char *, mode_t);

	REAL(real, "mkdirat");
	return fails("mkdirat", path, true) ? -1 : real(dir, path, mode);
}

int
unlink(const char *path)
{
	int (*real)(const char *);

	REAL(real, "unlink");
	return fails("unlink", path, false) ? -1 : real(path);
}

int
unlinkat(int dir, const char *path, int flags)
{
	int (*real)(int, const char *, int);

	REAL(real, "unlinkat");
	return fails("unlinkat", path, false) ? -1 : real(dir, path, flags);
}

/* All ways to open a file end here; `name` is the one that the program took. */
static int
open_as(const char *name, int dir, const char *path, int flags, mode_t mode)
{
	int (*real)(int, const char *, int, ...);
	bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT) != 0;
	int fd;

	if (writes && fails(name, path, (flags & O_CREAT) != 0))
		return -1;
	REAL(real, "openat");
	fd = real(dir, path, flags, mode);
	if (fd >= 0 && writes)
		note_dirty(fd, size_of(fd));
	return fd;
}

static mode_t
mode_in(va_list ap, int flags)
{
	return (flags & O_CREAT) != 0 ? va_arg(ap, mode_t) : 0;
}

#define DEFINE_OPEN(name) \
	int \
	name(const char *path, int flags, ...) \
	{ \
		va_list ap; \
		mode_t mode; \
\
		va_start(ap, flags); \
		mode = mode_in(ap, flags); \
		va_end(ap); \
		return open_as("open", AT_FDCWD, path, flags, mode); \
	}

#define DEFINE_OPENAT(name) \
	int \
	name(int dir, const char *path, int flags, ...) \
	{ \
		va_list ap; \
		mode_t mode; \
\
		va_start(ap, flags); \
		mode = mode_in(ap, flags); \
		va_end(ap); \
		return open_as("openat", dir, path, flags, mode); \
	}

DEFINE_OPEN(open)
DEFINE_OPENAT(openat)
/* Other names that a C library may have for the same. */
#ifdef __GLIBC__
#undef open64
#undef openat64
DEFINE_OPEN(open64)
DEFINE_OPENAT(openat64)

int
__open_2(const char *path, int flags)
{
	return open_as("open", AT_FDCWD, path, flags, 0);
}

int
__open64_2(const char *path, int flags)
{
	return open_as("open", AT_FDCWD, path, flags, 0);
}

int
__openat_2(int dir, const char *path, int flags)
{
	return open_as("openat", dir, path, flags, 0);
}

int
__openat64_2(int dir, const char *path, int flags)
{
	return open_as("openat", dir, path, flags, 0);
}
#endif

/* Processes are made and become others: of interest where the calls of all of them count. */
pid_t
fork(void)
{
	pid_t (*real)(void);

	REAL(real, "fork");
	return getenv("FAULT_SHARED") != NULL && fails("fork", "", true) ? -1 : real();
}

int
execve(const char *path, char *const argv[], char *const env[])
{
	int (*real)(const char *, char *const[], char *const[]);

	REAL(real, "execve");
	return getenv("FAULT_SHARED") != NULL && fails("execve", path, false) ? -1 : real(path, argv, env);
}
