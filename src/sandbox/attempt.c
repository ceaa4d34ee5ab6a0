/*
 * attempt: see attempt.h.
 */
#include "attempt.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/time.h"

#ifdef __linux__
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#endif

#define RACE_MS 300		/* how long a name that changes meanwhile is opened */

static int
done(int fd)
{
	if (fd < 0)
		return -1;
	(void)close(fd);
	return 0;
}

/* A file is opened to be added to, and not changed; what does not exist is made. */
static int
try_write(char *const *arg)
{
	return done(open(arg[0], O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600));
}

static int
try_truncate(char *const *arg)
{
	return truncate(arg[0], 0);
}

static int
try_read(char *const *arg)
{
	int fd = open(arg[0], O_RDONLY | O_CLOEXEC), rc;
	char byte;

	if (fd < 0)
		return -1;
	rc = read(fd, &byte, 1) < 0 && errno != EISDIR ? -1 : 0;
	(void)done(fd);
	return rc;
}

static int
try_list(char *const *arg)
{
	return done(open(arg[0], O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

static int
try_make(char *const *arg)
{
	return mkdir(arg[0], 0700);
}

static int
try_remove(char *const *arg)
{
	return remove(arg[0]);
}

static int
try_rename(char *const *arg)
{
	return rename(arg[0], arg[1]);
}

static int
try_link(char *const *arg)
{
	return link(arg[0], arg[1]);
}

static int
try_mode(char *const *arg)
{
	return chmod(arg[0], 0777);
}

/* No signal is sent: whether it could be is all that is asked. */
static int
try_kill(char *const *arg)
{
	return kill((pid_t)atol(arg[0]), 0);
}

/* A socket with that address of `len` bytes, by connect or bind. */
static int
unix_socket(int (*use)(int, const struct sockaddr *, socklen_t), const char *name, size_t len)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_un to = {.sun_family = AF_UNIX};

	if (fd < 0)
		return -1;
	if (len > sizeof to.sun_path)
		len = sizeof to.sun_path;
	memcpy(to.sun_path, name, len);
	if (use(fd, (struct sockaddr *)&to, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len)) < 0) {
		(void)done(fd);
		return -1;
	}
	return fd;
}

/* The same with a name that lies in no file system. */
static int
abstract_socket(int (*use)(int, const struct sockaddr *, socklen_t), const char *name)
{
	char address[sizeof ((struct sockaddr_un *)0)->sun_path] = "";
	int n = snprintf(address + 1, sizeof address - 1, "%s", name);

	return unix_socket(use, address, (size_t)n + 1);
}

static int
try_socket(char *const *arg)
{
	return done(unix_socket(connect, arg[0], strlen(arg[0]) + 1));
}

static int
try_abstract(char *const *arg)
{
	return done(abstract_socket(connect, arg[0]));
}

int
wisp_attempt_listen(const char *path, const char *name)
{
	int fd = unix_socket(bind, path, strlen(path) + 1), other = abstract_socket(bind, name);

	return fd < 0 || other < 0 || listen(other, 1) < 0 || listen(fd, 1) < 0 ? -1 : 0;
}

static int
send_to(int type, const char *address, const char *port)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
	int fd, rc;

	if (inet_pton(AF_INET, address, &to.sin_addr) != 1) {
		errno = EINVAL;
		return -1;
	}
	fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	rc = connect(fd, (struct sockaddr *)&to, sizeof to);
	if (rc == 0 && type == SOCK_DGRAM)
		rc = send(fd, "", 1, MSG_NOSIGNAL) < 0 ? -1 : 0;
	(void)done(fd);
	return rc;
}

static int
try_tcp(char *const *arg)
{
	return send_to(SOCK_STREAM, arg[0], arg[1]);
}

static int
try_udp(char *const *arg)
{
	return send_to(SOCK_DGRAM, arg[0], arg[1]);
}

#ifdef __linux__

static int
try_trace(char *const *arg)
{
	pid_t pid = (pid_t)atol(arg[0]);

	if (ptrace(PTRACE_SEIZE, pid, NULL, NULL) < 0)
		return -1;
	(void)ptrace(PTRACE_INTERRUPT, pid, NULL, NULL);
	(void)waitpid(pid, NULL, __WALL);
	(void)ptrace(PTRACE_DETACH, pid, NULL, NULL);
	return 0;
}

/* FOLDER/door and FOLDER/way, which leads elsewhere, change places all the time. Does FOLDER/door/NAME open then? */
static int
try_race(char *const *arg)
{
	char *door = wisp_str("%s/door", arg[0]), *way = wisp_str("%s/way", arg[0]);
	char *file = wisp_str("%s/%s", door, arg[1]);
	wisp_ms end = wisp_time_monotonic() + RACE_MS;
	int fd = -1, why = EACCES;
	pid_t pid = fork();

	if (pid == 0)
		for (;;)
			if (renameat2(AT_FDCWD, door, AT_FDCWD, way, RENAME_EXCHANGE) < 0)
				_exit(1);
	while (pid > 0 && fd < 0 && wisp_time_monotonic() < end) {
		fd = open(file, O_RDONLY | O_CLOEXEC);
		why = errno;
	}
	if (pid > 0 && kill(pid, SIGKILL) == 0)
		(void)waitpid(pid, NULL, 0);
	free(door);
	free(way);
	free(file);
	errno = why;
	return done(fd);
}

/* Whether the kernel heeds the bit of a setuid program, which is what its execution would show. */
static int
try_setuid(char *const *arg)
{
	(void)arg;
	errno = EPERM;
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0 ? 0 : -1;
}

static int
try_unshare(char *const *arg)
{
	(void)arg;
	return unshare(CLONE_NEWUSER);
}

/* What was mounted is taken away at once. Unmounting is not tried: where it is allowed it would be done. */
static int
try_mount(char *const *arg)
{
	int rc = mount("none", arg[0], "tmpfs", 0, NULL);

	return rc == 0 ? umount2(arg[0], MNT_DETACH) : rc;
}

static int
try_io_uring(char *const *arg)
{
	char parameters[120] = {0};

	(void)arg;
	return done((int)syscall(425, 1, parameters));
}

/* A NUL, pushed into the terminal's input (TIOCSTI); ENOTTY where the device is no terminal. */
static int
try_type(char *const *arg)
{
	char byte = 0;

	(void)arg;
	return ioctl(0, TIOCSTI, &byte);
}

#endif

const struct wisp_attempt wisp_attempts[] = {
	{"write", "FILE", 1, try_write}, {"truncate", "FILE", 1, try_truncate}, {"read", "FILE", 1, try_read},
	{"list", "FOLDER", 1, try_list}, {"make", "FOLDER", 1, try_make}, {"remove", "FILE", 1, try_remove},
	{"rename", "FILE NEW", 2, try_rename}, {"link", "FILE NEW", 2, try_link}, {"mode", "FILE", 1, try_mode},
	{"kill", "PID", 1, try_kill}, {"socket", "PATH", 1, try_socket}, {"abstract", "NAME", 1, try_abstract},
	{"tcp", "ADDRESS PORT", 2, try_tcp}, {"udp", "ADDRESS PORT", 2, try_udp},
#ifdef __linux__
	{"trace", "PID", 1, try_trace}, {"unshare", "", 0, try_unshare}, {"mount", "FOLDER", 1, try_mount},
	{"io_uring", "", 0, try_io_uring}, {"type", "", 0, try_type}, {"race", "FOLDER NAME", 2, try_race},
	{"setuid", "", 0, try_setuid},
#endif
	{0}
};
