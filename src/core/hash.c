/*
 * hash: see hash.h.
 */
#include "hash.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sha2.h>

#include "file.h"
#include "sha256.h"

#define CHUNK 65536
#define BLOCK 64

static void
finish(SHA2_CTX *ctx, char hex[WISP_HASH_SIZE])
{
	static const char digit[] = "0123456789abcdef";
	uint8_t sum[SHA256_DIGEST_LENGTH];
	size_t i;

	SHA256Final(sum, ctx);
	for (i = 0; i < sizeof sum; i++) {
		hex[2 * i] = digit[sum[i] >> 4];
		hex[2 * i + 1] = digit[sum[i] & 15];
	}
	hex[2 * i] = '\0';
}

/* Whole blocks may go the fast way. */
static void
update(SHA2_CTX *ctx, const uint8_t *data, size_t len)
{
#ifdef WISP_SHA256_BLOCKS
	size_t blocks = ctx->bitcount[0] % (8 * BLOCK) == 0 ? len / BLOCK : 0;

	if (blocks > 0 && wisp_sha256_blocks(ctx->state.st32, data, blocks)) {
		ctx->bitcount[0] += blocks * BLOCK * 8;
		data += blocks * BLOCK;
		len -= blocks * BLOCK;
	}
#endif
	SHA256Update(ctx, data, len);
}

void
wisp_hash(const void *data, size_t len, char hex[WISP_HASH_SIZE])
{
	SHA2_CTX ctx;

	SHA256Init(&ctx);
	update(&ctx, data, len);
	finish(&ctx, hex);
}

int
wisp_hash_file(const char *path, char hex[WISP_HASH_SIZE])
{
	static uint8_t chunk[CHUNK];
	SHA2_CTX ctx;
	struct stat st;
	char *text;
	ssize_t n;
	int fd, saved;

	fd = wisp_file_open(path);
	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && st.st_size > (off_t)WISP_FILE_MAX) {
		text = wisp_str("%lld bytes at %lld", (long long)st.st_size, (long long)st.st_mtime);
		wisp_hash(text, strlen(text), hex);
		free(text);
		close(fd);
		return 0;
	}
	SHA256Init(&ctx);
	while ((n = read(fd, chunk, sizeof chunk)) > 0 || (n < 0 && errno == EINTR))
		if (n > 0)
			update(&ctx, chunk, (size_t)n);
	saved = errno;
	close(fd);
	if (n < 0) {
		errno = saved;
		return -1;
	}
	finish(&ctx, hex);
	return 0;
}

/* A string with its NUL, so that no two lists of strings look alike. */
static void
add(SHA2_CTX *ctx, const char *s)
{
	SHA256Update(ctx, (const uint8_t *)s, strlen(s) + 1);
}

static int
add_link(SHA2_CTX *ctx, const char *path)
{
	struct wisp_buf target = WISP_BUF_INIT;
	size_t room = 256;
	ssize_t n;

	do {
		room *= 2;
		wisp_buf_grow(&target, room);
		n = readlink(path, target.data, room);
	} while (n >= 0 && (size_t)n == room);
	if (n >= 0) {
		target.data[n] = '\0';
		add(ctx, target.data);
	}
	wisp_buf_release(&target);
	return n < 0 ? -1 : 0;
}

/*
 * An entry is its kind, its name, and by kind: the hash of a file (`f`, `x` if
 * it may be executed), the target of a link (`l`), the entries of a folder
 * (`d`) up to an empty string, nothing (`o`, all others).
 */
static int
add_dir(SHA2_CTX *ctx, const char *dir)
{
	char **names, *path, hex[WISP_HASH_SIZE];
	size_t i, count;
	struct stat st;
	int rc = 0;

	if (wisp_dir_list(dir, &names, &count) < 0)
		return -1;
	for (i = 0; i < count && rc == 0; i++) {
		path = wisp_str("%s/%s", dir, names[i]);
		rc = lstat(path, &st);
		if (rc == 0) {
			add(ctx, S_ISDIR(st.st_mode) ? "d" : S_ISLNK(st.st_mode) ? "l" :
			    !S_ISREG(st.st_mode) ? "o" : st.st_mode & S_IXUSR ? "x" : "f");
			add(ctx, names[i]);
		}
		if (rc == 0 && S_ISDIR(st.st_mode))
			rc = add_dir(ctx, path);
		else if (rc == 0 && S_ISLNK(st.st_mode))
			rc = add_link(ctx, path);
		else if (rc == 0 && S_ISREG(st.st_mode) && (rc = wisp_hash_file(path, hex)) == 0)
			add(ctx, hex);
		free(path);
	}
	add(ctx, "");
	wisp_dir_list_free(names, count);
	return rc;
}

int
wisp_hash_tree(const char *dir, char hex[WISP_HASH_SIZE])
{
	SHA2_CTX ctx;

	SHA256Init(&ctx);
	if (add_dir(&ctx, dir) < 0)
		return -1;
	finish(&ctx, hex);
	return 0;
}

void
wisp_uuid(char out[WISP_UUID_SIZE])
{
	static const char digit[] = "0123456789abcdef";
	uint8_t r[16];
	size_t i;

	/* A system without random numbers can make no id that is safe to use. */
	if (getentropy(r, sizeof r) < 0)
		die_sys("cannot get random bytes");
	r[6] = (r[6] & 0x0f) | 0x40;
	r[8] = (r[8] & 0x3f) | 0x80;
	for (i = 0; i < sizeof r; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			*out++ = '-';
		*out++ = digit[r[i] >> 4];
		*out++ = digit[r[i] & 15];
	}
	*out = '\0';
}

bool
wisp_uuid_valid(const char *s, const char *versions)
{
	for (int i = 0; i < WISP_UUID_SIZE - 1; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;

		if (dash ? s[i] != '-' : s[i] == '\0' || strchr("0123456789abcdefABCDEF", s[i]) == NULL)
			return false;
	}
	return s[WISP_UUID_SIZE - 1] == '\0' && strchr(versions, s[14]) != NULL && strchr("89abAB", s[19]) != NULL;
}
