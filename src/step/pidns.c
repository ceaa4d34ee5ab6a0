/*
 * pidns: see pidns.h.
 */
#include "pidns.h"

#include <errno.h>

#if defined(__linux__) && !defined(WISP_PORTABLE)

#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fd.h"

#define ANSWER_MS 1000		/* for init, which someone may have stopped */

/* What init says, which else is an errno: it stands; nothing is left; something is. */
enum { READY = -1, EMPTY = -2, BUSY = -3 };

static bool
may_mount(void)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {{0}};

	return syscall(SYS_capget, &head, sets) == 0 &&
	       (sets[CAP_TO_INDEX(CAP_SYS_ADMIN)].effective & CAP_TO_MASK(CAP_SYS_ADMIN)) != 0;
}

bool
wisp_pidns_wanted(enum wisp_pidns how)
{
	return how == WISP_PIDNS_TRUE || (how == WISP_PIDNS_AUTO && may_mount());
}

static int
write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), rc = -1;

	if (fd < 0)
		return -1;
	if (write(fd, text, strlen(text)) == (ssize_t)strlen(text))
		rc = 0;
	(void)close(fd);
	return rc;
}

/* Who runs this is the same in the new user namespace, and nobody else is known there. */
static int
map_self(uid_t uid, gid_t gid)
{
	char *users = wisp_str("%ld %ld 1\n", (long)uid, (long)uid);
	char *groups = wisp_str("%ld %ld 1\n", (long)gid, (long)gid);
	int rc = 0;

	/* Linux before 3.19 has no such file, and does not ask for it. */
	if (write_file("/proc/self/setgroups", "deny") < 0 && errno != ENOENT)
		rc = -1;
	if (rc == 0 && (write_file("/proc/self/uid_map", users) < 0 || write_file("/proc/self/gid_map", groups) < 0))
		rc = -1;
	free(users);
	free(groups);
	return rc;
}

/* What is forked from now on is in the new namespace. */
static int
make(void)
{
	uid_t uid = geteuid();
	gid_t gid = getegid();

	if (may_mount())
		return unshare(CLONE_NEWPID | CLONE_NEWNS);
	if (unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS) < 0)
		return -1;
	return map_self(uid, gid);
}

/* A fork whose parent is the caller's; libraries have no call for that. */
static pid_t
fork_sibling(void)
{
	const unsigned long flags = CLONE_PARENT | SIGCHLD;

#ifdef __s390__
	return (pid_t)syscall(SYS_clone, NULL, flags, NULL, NULL, 0L);
#else
	return (pid_t)syscall(SYS_clone, flags, NULL, NULL, NULL, 0L);
#endif
}

/* Dies with the supervisor, also if that is gone already: its number cannot be seen from inside, but whether it reads. */
static void
die_with_reader(int report)
{
	struct pollfd p = {.fd = report};

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (poll(&p, 1, 0) > 0)
		_exit(WISP_EXIT_SYS);
}

/* Over the one of outside, which stays as it is: the new one is to be seen here only. */
static int
mount_proc(void)
{
	if (mount(NULL, "/proc", NULL, MS_PRIVATE, NULL) < 0)
		return -1;
	return mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
}

/*
 * Numbers go on from the supervisor's. Were they small in every step, a pid
 * file that one step left would name a living process of the next, and names
 * made of a number would meet those of other steps. Not every kernel has this.
 */
static void
count_from(pid_t number)
{
	char *text = wisp_str("%ld", (long)number);

	(void)write_file("/proc/sys/kernel/ns_last_pid", text);
	free(text);
}

/* The next word on `room`, 0 where there is none. */
static int
hear(int room)
{
	int word = 0;
	ssize_t n;

	do
		n = read(room, &word, sizeof word);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof word ? word : 0;
}

static void
tell(int room, int word)
{
	(void)send(room, &word, sizeof word, MSG_NOSIGNAL);
}

/* Pid 1: signals from inside do not reach it, and its dead children vanish by themselves. */
static _Noreturn void
be_init(int room, pid_t supervisor)
{
	sigset_t all;

	sigfillset(&all);
	(void)sigprocmask(SIG_BLOCK, &all, NULL);
	(void)signal(SIGCHLD, SIG_IGN);
	(void)setsid();
	(void)prctl(PR_SET_NAME, "wisp-init");
	room = wisp_fd_only(room);
	if (mount_proc() < 0) {
		tell(room, errno);
		_exit(WISP_EXIT_SYS);
	}
	count_from(supervisor);
	tell(room, READY);
	(void)hear(room);
	tell(room, waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD ? EMPTY : BUSY);
	while (waitpid(-1, NULL, 0) >= 0 || errno == EINTR)
		;
	_exit(0);
}

pid_t
wisp_pidns_fork(const int room[2], int report, pid_t *init)
{
	pid_t pid, supervisor = getppid();
	int word;

	*init = 0;
	if (make() < 0)
		return -1;
	pid = fork_sibling();
	if (pid < 0)
		return -1;
	if (pid == 0) {
		die_with_reader(report);
		be_init(room[1], supervisor);
	}
	*init = pid;
	(void)close(room[1]);
	word = hear(room[0]);
	if (word != READY) {
		errno = word != 0 ? word : ECHILD;
		return -1;
	}
	pid = fork_sibling();
	if (pid == 0)
		die_with_reader(report);
	return pid;
}

void
wisp_pidns_leave(int room, pid_t *init)
{
	struct pollfd p = {.fd = room, .events = POLLIN};
	bool empty;

	if (*init == 0)
		return;
	(void)shutdown(room, SHUT_WR);
	empty = poll(&p, 1, ANSWER_MS) > 0 && hear(room) == EMPTY;
	(void)close(room);
	if (!empty)
		return;
	while (waitpid(*init, NULL, 0) < 0 && errno == EINTR)
		;
	*init = 0;
}

#else

bool
wisp_pidns_wanted(enum wisp_pidns how)
{
	return how == WISP_PIDNS_TRUE;
}

pid_t
wisp_pidns_fork(const int room[2], int report, pid_t *init)
{
	(void)room;
	(void)report;
	*init = 0;
	errno = ENOSYS;
	return -1;
}

void
wisp_pidns_leave(int room, pid_t *init)
{
	(void)room;
	(void)init;
}

#endif
