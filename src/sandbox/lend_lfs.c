/*
 * lend_lfs: see lent.h.
 */
#include "lent.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sha2.h>

#include "core/file.h"

#define CHUNK 65536
#define HOLLOW_MIN ((off_t)64 << 20)
#define ID_SIZE 64

/* A file that is all hole, but for less than a thousandth: to read it takes for ever, its copy all of the disk. */
static bool
is_hollow(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_size > HOLLOW_MIN && (off_t)st.st_blocks * 512 < st.st_size / 1000;
}

/* Copies it, and says whether that is what its name says: it may be large, and another name of a file in the work tree. */
static bool
copy_checked(const char *from, const char *to, const char *id)
{
	static uint8_t chunk[CHUNK];
	char hex[SHA256_DIGEST_STRING_LENGTH];
	int in = wisp_file_open(from), out;
	ssize_t n = -1;
	SHA2_CTX ctx;

	if (in < 0 || is_hollow(in)) {
		if (in >= 0)
			(void)close(in);
		return false;
	}
	(void)unlink(to);
	out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (out < 0)
		die_sys("cannot write '%s'", to);
	SHA256Init(&ctx);
	while ((n = read(in, chunk, sizeof chunk)) > 0 || (n < 0 && errno == EINTR)) {
		if (n < 0)
			continue;
		SHA256Update(&ctx, chunk, (size_t)n);
		if (wisp_fd_write(out, chunk, (size_t)n) < 0)
			die_sys("cannot write '%s'", to);
	}
	if (n < 0 || fsync(out) < 0)
		die_sys("cannot copy '%s'", from);
	(void)close(in);
	(void)close(out);
	return strcmp(SHA256End(&ctx, hex), id) == 0;
}

static void
take_object(const char *from, const char *objects, const char *id)
{
	char *folder = wisp_str("%s/%.2s/%.2s", objects, id, id + 2), *path = wisp_str("%s/%s", folder, id);
	char *part = wisp_str("%s.part", path);

	if (wisp_lent_is_file(from) && !wisp_file_exists(path)) {
		if (wisp_dir_make(folder) < 0)
			die_sys("cannot make '%s'", folder);
		if (!copy_checked(from, part, id))
			(void)unlink(part);
		else if (wisp_file_move(part, path, WISP_NOSYNC) < 0)
			die_sys("cannot write '%s'", path);
	}
	free(folder);
	free(path);
	free(part);
}

/* They lie in two levels of folders: aa/bb/aabb... */
static void
take_folder(const char *from, const char *objects, int level)
{
	char **names, *inner;
	size_t count, i;

	if (!wisp_lent_is_folder(from) || wisp_dir_list(from, &names, &count) < 0)
		return;
	for (i = 0; i < count; i++) {
		inner = wisp_str("%s/%s", from, names[i]);
		if (level < 2)
			take_folder(inner, objects, level + 1);
		else if (strlen(names[i]) == ID_SIZE && strspn(names[i], "0123456789abcdef") == ID_SIZE)
			take_object(inner, objects, names[i]);
		free(inner);
	}
	wisp_dir_list_free(names, count);
}

void
wisp_lent_lfs(const struct wisp_lent_repo *r)
{
	char *from = wisp_str("%s/lfs/objects", r->copy), *objects = wisp_str("%s/lfs/objects", r->t->common);

	take_folder(from, objects, 0);
	free(from);
	free(objects);
}
