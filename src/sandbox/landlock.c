/*
 * landlock: see landlock.h.
 */
#include "landlock.h"

#include <errno.h>

#ifdef __linux__

#include <fcntl.h>
#include <linux/types.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/file.h"

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

#define GET_VERSION 1U
#define PATH_BENEATH 1

/* The rights, as the kernel numbers them. */
#define EXECUTE (UINT64_C(1) << 0)
#define WRITE_FILE (UINT64_C(1) << 1)
#define READ_FILE (UINT64_C(1) << 2)
#define READ_DIR (UINT64_C(1) << 3)
#define TRUNCATE (UINT64_C(1) << 14)	/* ABI 3 */
#define IOCTL_DEV (UINT64_C(1) << 15)	/* ABI 5 */
#define ALL_RIGHTS ((UINT64_C(1) << 16) - 1)
#define OF_FILES (EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV)
#define TO_READ (EXECUTE | READ_FILE | READ_DIR)
#define TO_WRITE (ALL_RIGHTS & ~IOCTL_DEV)

#define SCOPE_ABSTRACT (UINT64_C(1) << 0)	/* ABI 6 */
#define SCOPE_SIGNAL (UINT64_C(1) << 1)

struct attributes {
	uint64_t files, network, scopes;
};

struct beneath {
	uint64_t allowed;
	int32_t folder;
} __attribute__((packed));

struct rules {
	const struct wisp_sandbox_plan *plan;
	int fd;
	uint64_t known;		/* the rights of this ABI */
};

/* Devices that programs write to; the rest of /dev is read. */
static const char *const devices[] = {
	"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx", "/dev/pts", "/dev/shm",
};

int
wisp_landlock_abi(void)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, GET_VERSION);

	return abi > 0 ? (int)abi : 0;
}

/* What is not there, or not ours, is not allowed; nor is what has become another kind of file meanwhile, or a link. */
static int
allow(const struct rules *r, const char *path, bool folder, uint64_t rights)
{
	struct beneath rule = {.allowed = rights & r->known & (folder ? ALL_RIGHTS : OF_FILES)};
	int rc, error;

	rule.folder = open(path, O_PATH | O_CLOEXEC | O_NOFOLLOW | (folder ? O_DIRECTORY : 0));
	if (rule.folder < 0)
		return errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ELOOP ? 0 : -1;
	rc = (int)syscall(SYS_landlock_add_rule, r->fd, PATH_BENEATH, &rule, 0U);
	error = errno;
	(void)close(rule.folder);
	errno = error;
	return rc;
}

/* Is an entry of the plan below `path` that allows less than is allowed above it? `path` itself does not count. */
static bool
holds_hidden(const struct rules *r, const char *path)
{
	size_t i;

	for (i = 0; i < r->plan->count; i++)
		if (wisp_sandbox_below(r->plan->paths[i].path, path) && strcmp(r->plan->paths[i].path, path) != 0 &&
		    (r->plan->paths[i].access == WISP_SANDBOX_HIDE || r->plan->paths[i].access == WISP_SANDBOX_EMPTY ||
		     r->plan->paths[i].from != NULL))
			return true;
	return false;
}

static bool
planned(const struct rules *r, const char *path)
{
	size_t i;

	for (i = 0; i < r->plan->count; i++)
		if (strcmp(r->plan->paths[i].path, path) == 0)
			return true;
	return false;
}

/* All below `path` that has no entry of its own; a link in it is its target's own affair. */
static int
allow_below(const struct rules *r, const char *path, bool folder, uint64_t rights)
{
	char **names, *inner;
	size_t count, i;
	struct stat st;
	int rc = 0;

	if (!holds_hidden(r, path))
		return allow(r, path, folder, rights);
	if (wisp_dir_list(path, &names, &count) < 0)
		return 0;	/* what we cannot list is not allowed */
	for (i = 0; i < count && rc == 0; i++) {
		inner = wisp_str("%s/%s", strcmp(path, "/") == 0 ? "" : path, names[i]);
		if (!planned(r, inner) && lstat(inner, &st) == 0 && !S_ISLNK(st.st_mode))
			rc = allow_below(r, inner, S_ISDIR(st.st_mode), rights);
		free(inner);
	}
	wisp_dir_list_free(names, count);
	return rc;
}

static int
allow_plan(const struct rules *r)
{
	const struct wisp_sandbox_path *e;
	struct stat st;
	uint64_t rights;
	size_t i;
	int rc = 0;

	for (e = r->plan->paths; e < r->plan->paths + r->plan->count && rc == 0; e++) {
		if (e->access == WISP_SANDBOX_HIDE || e->access == WISP_SANDBOX_EMPTY)
			continue;
		rights = e->access == WISP_SANDBOX_WRITE ? TO_WRITE : TO_READ;
		rc = e->from != NULL ? allow(r, e->from, e->folder, rights) : allow_below(r, e->path, e->folder, rights);
	}
	for (i = 0; i < sizeof devices / sizeof *devices && rc == 0; i++)
		rc = stat(devices[i], &st) < 0 ? 0 : allow(r, devices[i], S_ISDIR(st.st_mode), TO_WRITE | IOCTL_DEV);
	return rc;
}

int
wisp_landlock_rules(const struct wisp_sandbox_plan *p, int abi)
{
	struct attributes a = {0};
	struct rules r = {.plan = p};
	size_t size = sizeof a;
	int error;

	r.known = abi >= 5 ? ALL_RIGHTS : abi >= 3 ? ALL_RIGHTS & ~IOCTL_DEV : ALL_RIGHTS & ~(IOCTL_DEV | TRUNCATE);
	if (p != NULL)
		a.files = r.known;
	if (abi >= 6)
		a.scopes = p != NULL ? SCOPE_ABSTRACT | SCOPE_SIGNAL : SCOPE_ABSTRACT;
	else
		size = sizeof a.files;	/* older kernels know no more */
	r.fd = (int)syscall(SYS_landlock_create_ruleset, &a, size, 0U);
	if (r.fd < 0 || p == NULL || allow_plan(&r) == 0)
		return r.fd;
	error = errno;
	(void)close(r.fd);
	errno = error;
	return -1;
}

int
wisp_landlock_restrict(int ruleset)
{
	return (int)syscall(SYS_landlock_restrict_self, ruleset, 0U);
}

#else

int
wisp_landlock_abi(void)
{
	return 0;
}

int
wisp_landlock_rules(const struct wisp_sandbox_plan *p, int abi)
{
	(void)p;
	(void)abi;
	errno = ENOSYS;
	return -1;
}

int
wisp_landlock_restrict(int ruleset)
{
	(void)ruleset;
	errno = ENOSYS;
	return -1;
}

#endif
