/*
 * shim: makes one call of a program fail, or the program die at it.
 *
 *	LD_PRELOAD=.../shim.so FAULT_AT=3 FAULT_DO=ENOSPC FAULT_LOG=FILE PROGRAM ...
 *
 *	FAULT_AT    which of the calls, from 1; 0: none, they are only logged
 *	FAULT_DO    ENOSPC, EIO or EACCES: the call fails with it; exit: _exit(99);
 *	            kill: SIGKILL. A write that the program dies at is done by half.
 *	FAULT_FULL  if set, that call and all later ones fail that need room, no others
 *	FAULT_IF    a file: as long as it is not there, no call counts
 *	FAULT_LOG   gets a line `NUMBER CALL PATH` for each call that counts
 *
 * Calls that count: write (not to the three standard streams), fsync,
 * fdatasync, rename, mkdir, unlink, and open for writing, each with its
 * variants. The program's own calls alone: what libc does inside itself, for
 * stdio say, passes by.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static void
note(const char *call, const char *path)
{
	const char *log = getenv("FAULT_LOG");
	char line[PATH_MAX + 64];
	long fd;
	int n;

	if (log == NULL)
		return;
	n = snprintf(line, sizeof line, "%ld %s %s\n", calls, call, path);
	if (n < 0 || (size_t)n >= sizeof line)
		abort();
	fd = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (fd < 0 || syscall(SYS_write, fd, line, n) != n)
		abort();
	(void)syscall(SYS_close, fd);
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
	calls++;
	note(call, path);
	if (what == NULL || which == 0 || calls < which)
		return NONE;
	if (getenv("FAULT_FULL") != NULL ? !room : calls > which)
		return NONE;
	if (strcmp(what, "exit") == 0 || strcmp(what, "kill") == 0)
		return DIE;
	errno = error_named(what);
	return FAIL;
}

static void
die(void)
{
	if (strcmp(getenv("FAULT_DO"), "exit") == 0)
		_exit(DIED);
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
	return fault == FAIL ? -1 : real(fd, data, len);
}

int
fsync(int fd)
{
	int (*real)(int);
	char path[PATH_MAX];

	REAL(real, "fsync");
	return fails("fsync", path_of(fd, path, sizeof path), true) ? -1 : real(fd);
}

int
fdatasync(int fd)
{
	int (*real)(int);
	char path[PATH_MAX];

	REAL(real, "fdatasync");
	return fails("fdatasync", path_of(fd, path, sizeof path), true) ? -1 : real(fd);
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

	if (((flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT) != 0) && fails(name, path, (flags & O_CREAT) != 0))
		return -1;
	REAL(real, "openat");
	return real(dir, path, flags, mode);
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
