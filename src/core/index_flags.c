/*
 * index_flags: see index_flags.h. The format is git's: Documentation/gitformat-index.
 */
#include "index_flags.h"

#include <errno.h>
#include <string.h>

#include "file.h"

#define INDEX_MAX ((size_t)1 << 30)
#define NAMES_MAX 10
#define HEAD_SIZE 12		/* DIRC, version, number of entries */
#define STAT_SIZE 40		/* before the object id */
#define ASSUMED 0x8000u
#define EXTENDED 0x4000u
#define STAGE 0x3000
#define SKIPPED 0x4000u		/* of the second 16 bits, which are there with EXTENDED */
#define INTENDED 0x2000u

struct reader {
	const unsigned char *data;
	size_t len, at;
};

static uint32_t
number(const unsigned char *p, size_t bytes)
{
	uint32_t n = 0;

	for (size_t i = 0; i < bytes; i++)
		n = n << 8 | p[i];
	return n;
}

static bool
has(const struct reader *r, size_t bytes)
{
	return r->len - r->at >= bytes;
}

/* Version 4: how many bytes of the name before do not stand at the beginning of this one. */
static bool
take_cut(struct reader *r, size_t *cut)
{
	unsigned char c;

	if (!has(r, 1))
		return false;
	c = r->data[r->at++];
	*cut = c & 0x7f;
	while ((c & 0x80) != 0) {
		if (!has(r, 1) || *cut > INDEX_MAX)
			return false;
		c = r->data[r->at++];
		*cut = ((*cut + 1) << 7) | (c & 0x7f);
	}
	return true;
}

/* The name of an entry that began at `start`; false where the index ends before it does. */
static bool
take_name(struct reader *r, size_t start, uint32_t version, struct wisp_buf *name)
{
	const unsigned char *end;
	size_t cut = name->len, size;

	if (version >= 4 && !take_cut(r, &cut))
		return false;
	end = r->at < r->len ? memchr(r->data + r->at, '\0', r->len - r->at) : NULL;
	if (end == NULL || cut > name->len)
		return false;
	name->len -= cut;
	wisp_buf_add(name, r->data + r->at, (size_t)(end - (r->data + r->at)));
	r->at = (size_t)(end - r->data) + 1;
	/* Before version 4, entries are padded to a multiple of eight, with one NUL at least. */
	size = r->at - start;
	if (version < 4)
		r->at = start + (size + 7) / 8 * 8;
	return r->at <= r->len;
}

static void
take_flags(void *arg, const struct wisp_index_entry *e)
{
	struct wisp_index_flags *f = arg;
	bool hit = false;

	for (size_t i = 0; i < WISP_INDEX_FLAGS; i++) {
		f->count[i] += e->flag[i];
		hit = hit || e->flag[i];
	}
	if (hit && wisp_json_len(f->names) < NAMES_MAX)
		wisp_json_push(f->names, wisp_json_string(e->name));
}

static bool
take_entry(struct reader *r, size_t hash, uint32_t version, struct wisp_buf *name, struct wisp_index_entry *e)
{
	size_t start = r->at;
	const unsigned char *stat = r->data + start;
	uint32_t flags, more = 0;

	if (!has(r, STAT_SIZE + hash + 4))
		return false;
	r->at += STAT_SIZE + hash;
	flags = number(r->data + r->at, 2);
	r->at += 2;
	if (version >= 3 && (flags & EXTENDED) != 0) {
		more = number(r->data + r->at, 2);
		r->at += 2;
	}
	if (!take_name(r, start, version, name))
		return false;
	*e = (struct wisp_index_entry){
		.name = name->data, .id = stat + STAT_SIZE, .mtime = number(stat + 8, 4), .nanoseconds = number(stat + 12, 4),
		.mode = number(stat + 24, 4), .size = number(stat + 36, 4),
		.flag = {[WISP_INDEX_ASSUMED] = (flags & ASSUMED) != 0, [WISP_INDEX_SKIPPED] = (more & SKIPPED) != 0},
		.unmerged = (flags & STAGE) != 0, .intended = (more & INTENDED) != 0,
	};
	return true;
}

/* The extensions come after the entries: name, size, and so many bytes. What that one has; NULL where there is none. */
static const unsigned char *
find_extension(struct reader *r, const char *name, size_t *size)
{
	for (; has(r, 8); r->at += 8 + *size) {
		*size = number(r->data + r->at + 4, 4);
		if (!has(r, 8 + *size))
			break;
		if (memcmp(r->data + r->at, name, 4) == 0)
			return r->data + r->at + 8;
	}
	return NULL;
}

static void
pass_over(void *arg, const struct wisp_index_entry *e)
{
	(void)arg;
	(void)e;
}

/* Each entry; then `r` is at the extensions. False where it ends early or is none, or there are more than `max`. */
static bool
read_index(struct wisp_buf *b, const char *path, size_t hash, size_t max, struct reader *r, wisp_index_fn *fn, void *arg)
{
	struct wisp_buf name = WISP_BUF_INIT;
	struct wisp_index_entry entry;
	uint32_t version, count = 1;

	if (wisp_file_read(path, INDEX_MAX, b) != 0) {
		errno = 0;
	} else if (b->len > HEAD_SIZE && memcmp(b->data, "DIRC", 4) == 0) {
		*r = (struct reader){(const unsigned char *)b->data, b->len, HEAD_SIZE};
		version = number(r->data + 4, 4);
		count = number(r->data + 8, 4);
		for (; count > 0 && count <= max && take_entry(r, hash, version, &name, &entry); count--)
			fn(arg, &entry);
	}
	wisp_buf_release(&name);
	return count == 0;
}

int
wisp_index_walk(const char *path, size_t hash, size_t max, wisp_index_fn *fn, void *arg)
{
	struct wisp_buf b = WISP_BUF_INIT;
	struct reader r;
	size_t size;
	int rc = -1;

	if (read_index(&b, path, hash, max, &r, fn, arg))
		rc = find_extension(&r, "link", &size) != NULL;
	wisp_buf_release(&b);
	return rc;
}

/* Of the trees that git has noted the first is that of all: no name, how many entries and trees are in it, and its id. */
char *
wisp_index_tree(const char *path, size_t hash)
{
	struct wisp_buf b = WISP_BUF_INIT, hex = WISP_BUF_INIT;
	const unsigned char *tree = NULL, *id = NULL;
	struct reader r;
	size_t size;

	if (read_index(&b, path, hash, UINT32_MAX, &r, pass_over, NULL))
		tree = find_extension(&r, "TREE", &size);
	if (tree != NULL && size > 2 && tree[0] == '\0' && tree[1] != '-')
		id = memchr(tree, '\n', size);
	if (id != NULL && size - (size_t)(id + 1 - tree) >= hash)
		for (size_t i = 1; i <= hash; i++)
			wisp_buf_printf(&hex, "%02x", id[i]);
	wisp_buf_release(&b);
	return hex.len > 0 ? wisp_buf_detach(&hex) : NULL;
}

void
wisp_index_flags(struct wisp_index_flags *f, const char *path, size_t hash)
{
	*f = (struct wisp_index_flags){.names = wisp_json_array()};
	f->split = wisp_index_walk(path, hash, UINT32_MAX, take_flags, f) == 1;
}

void
wisp_index_flags_release(struct wisp_index_flags *f)
{
	wisp_json_free(f->names);
}
