/*
 * trust: see trust.h.
 */
#include "trust.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "hash.h"

#define SHOWN 200	/* bytes of a value in its line */

/* A missing file is an empty one. */
static int
load(const char *path, struct wisp_buf *text)
{
	wisp_buf_grow(text, 0);
	return wisp_file_read(path, WISP_FILE_MAX, text) == 0 || errno == ENOENT ? 0 : -1;
}

static bool
known(const struct wisp_buf *text, const char *hash)
{
	const char *line = text->data;
	size_t len = strlen(hash);

	while (strncmp(line, hash, len) != 0) {
		line = strchr(line, '\n');
		if (line == NULL)
			return false;
		line++;
	}
	return true;
}

/* The next value: its length in *n; returns what it takes up with its NUL. */
static size_t
next(const char *values, size_t len, size_t *n)
{
	const char *end = memchr(values, '\0', len);

	*n = end != NULL ? (size_t)(end - values) : len;
	return *n + (end != NULL);
}

int
wisp_trust_check(const char *shared, const char *values, size_t len, struct wisp_buf *unknown)
{
	char *path = wisp_str("%s/.trust", shared), hash[WISP_HASH_SIZE];
	struct wisp_buf text = WISP_BUF_INIT;
	int rc = load(path, &text);
	size_t n, step;

	for (; rc == 0 && len > 0; values += step, len -= step) {
		step = next(values, len, &n);
		wisp_hash(values, n, hash);
		if (!known(&text, hash)) {
			wisp_buf_add(unknown, values, n);
			wisp_buf_putc(unknown, '\0');
		}
	}
	wisp_buf_release(&text);
	free(path);
	return rc;
}

static void
note(struct wisp_buf *text, const char *value, size_t len)
{
	char hash[WISP_HASH_SIZE], *shown;

	wisp_hash(value, len, hash);
	if (known(text, hash))
		return;
	shown = wisp_str("%.*s", (int)len, value);
	wisp_buf_printf(text, "%s  ", hash);
	wisp_buf_line(text, shown, SHOWN);
	wisp_buf_putc(text, '\n');
	free(shown);
}

int
wisp_trust_add(const char *shared, const char *values, size_t len)
{
	char *path = wisp_str("%s/.trust", shared), *lock = wisp_str("%s/.trust.lock", shared);
	struct wisp_buf text = WISP_BUF_INIT;
	int fd = -1, rc = wisp_dir_make(shared);
	size_t n, step;

	if (rc == 0 && (fd = wisp_lock(lock)) < 0)
		rc = -1;
	if (rc == 0) {
		wisp_file_sweep(shared);
		rc = load(path, &text);
	}
	for (; rc == 0 && len > 0; values += step, len -= step) {
		step = next(values, len, &n);
		note(&text, values, n);
	}
	if (rc == 0)
		rc = wisp_file_write(path, text.data, text.len, WISP_SYNC);
	if (fd >= 0)
		close(fd);
	wisp_buf_release(&text);
	free(path);
	free(lock);
	return rc;
}
