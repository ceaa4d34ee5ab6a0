/*
 * file_read: what file.h says of reading.
 */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK 65536
#define UNSIZED 4096
#define LINE_FILE_MAX 8192

/* For error paths: what is undone must not hide what went wrong. */
static int
close_keep(int fd)
{
	int saved = errno;

	close(fd);
	errno = saved;
	return -1;
}

/* wisp_file_open, with what fstat says of the file. */
static int
open_regular(const char *path, struct stat *st)
{
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0) {
		if (errno == ENXIO)	/* a socket */
			errno = EINVAL;
		return -1;
	}
	if (fstat(fd, st) < 0)
		return close_keep(fd);
	if (!S_ISREG(st->st_mode)) {
		errno = EINVAL;
		return close_keep(fd);
	}
	return fd;
}

int
wisp_file_open(const char *path)
{
	struct stat st;

	return open_regular(path, &st);
}

static ssize_t
read_some(int fd, void *data, size_t len)
{
	ssize_t n;

	do
		n = read(fd, data, len);
	while (n < 0 && errno == EINTR);
	return n;
}

static int
read_fd(int fd, off_t size, size_t max, struct wisp_buf *out)
{
	size_t start = out->len, room;
	ssize_t n;

	if (size > 0 && (size_t)size > max) {
		errno = EFBIG;
		return -1;
	}
	/* One byte more than the size says, to see the end without another turn; a file of /proc has none. */
	for (room = size > 0 ? (size_t)size + 1 : UNSIZED; ; room = CHUNK) {
		wisp_buf_grow(out, room);
		n = read_some(fd, out->data + out->len, room);
		if (n <= 0)
			return n < 0 ? -1 : 0;
		out->len += (size_t)n;
		out->data[out->len] = '\0';
		if (out->len - start > max) {
			errno = EFBIG;
			return -1;
		}
		if (size > 0 && out->len - start == (size_t)size)
			return 0;
	}
}

int
wisp_file_read(const char *path, size_t max, struct wisp_buf *out)
{
	size_t start = out->len;
	struct stat st;
	int fd;

	fd = open_regular(path, &st);
	if (fd < 0)
		return -1;
	wisp_buf_grow(out, 0);
	if (read_fd(fd, st.st_size, max, out) < 0) {
		out->len = start;
		out->data[start] = '\0';
		return close_keep(fd);
	}
	close(fd);
	return 0;
}

bool
wisp_file_holds(const char *path, const void *data, size_t len)
{
	struct wisp_buf have = WISP_BUF_INIT;
	bool same = wisp_file_read(path, len, &have) == 0 && have.len == len &&
		    (len == 0 || memcmp(have.data, data, len) == 0);

	wisp_buf_release(&have);
	return same;
}

bool
wisp_file_exists(const char *path)
{
	return access(path, F_OK) == 0;
}

char *
wisp_file_line(const char *path, const char *prefix)
{
	struct wisp_buf b = WISP_BUF_INIT;
	char *line = NULL;

	if (wisp_file_read(path, LINE_FILE_MAX, &b) == 0 && b.len > 0 && strncmp(b.data, prefix, strlen(prefix)) == 0) {
		b.data[strcspn(b.data, "\r\n")] = '\0';
		line = wisp_strdup(b.data + strlen(prefix));
	}
	wisp_buf_release(&b);
	return line;
}
