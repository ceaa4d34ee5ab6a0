/*
 * file_log: a file that grows, up to a bound (file.h).
 */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is no file of its own is removed, so that nothing is written through a link. -1 with errno. */
static off_t
size_of(const char *path)
{
	struct stat st;

	if (lstat(path, &st) != 0)
		return errno == ENOENT ? 0 : -1;
	if (S_ISREG(st.st_mode))
		return st.st_size;
	return wisp_dir_remove(path) == 0 ? 0 : -1;
}

static int
begin_anew(const char *path)
{
	char *older = wisp_str("%s.1", path);
	int rc = size_of(older) < 0 || wisp_file_move(path, older, WISP_NOSYNC) != 0 ? -1 : 0;

	free(older);
	return rc;
}

int
wisp_file_log(const char *path, const void *data, size_t len, size_t max)
{
	off_t size = size_of(path);
	int fd, rc;

	if (size < 0 || (size > 0 && size + (off_t)len > (off_t)max && begin_anew(path) != 0))
		return -1;
	fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, WISP_FILE_MODE);
	if (fd < 0)
		return -1;
	rc = wisp_fd_write(fd, data, len);
	if (close(fd) != 0)
		rc = -1;
	return rc;
}
