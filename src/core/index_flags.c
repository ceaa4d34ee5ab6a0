/*
 * index_flags: see index_flags.h. The format is git's: Documentation/gitformat-index.
 */
#include "index_flags.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "file.h"

#define INDEX_MAX ((size_t)1 << 30)
#define NAMES_MAX 10
#define HEAD_SIZE 12		/* DIRC, version, number of entries */
#define STAT_SIZE 40		/* before the object id */
#define ASSUMED 0x8000u
#define EXTENDED 0x4000u
#define SKIPPED 0x4000u		/* of the second 16 bits, which are there with EXTENDED */

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

static bool
take_entry(struct reader *r, size_t hash, uint32_t version, struct wisp_buf *name, struct wisp_index_flags *f)
{
	size_t start = r->at;
	uint32_t flags, more = 0;
	bool hit[WISP_INDEX_FLAGS];

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
	hit[WISP_INDEX_ASSUMED] = (flags & ASSUMED) != 0;
	hit[WISP_INDEX_SKIPPED] = (more & SKIPPED) != 0;
	for (size_t i = 0; i < WISP_INDEX_FLAGS; i++)
		f->count[i] += hit[i];
	if ((hit[WISP_INDEX_ASSUMED] || hit[WISP_INDEX_SKIPPED]) && wisp_json_len(f->names) < NAMES_MAX)
		wisp_json_push(f->names, wisp_json_string(name->data));
	return true;
}

/* The extensions come after the entries: name, size, and so many bytes. */
static bool
is_split(struct reader *r)
{
	for (; has(r, 8); r->at += 8 + number(r->data + r->at + 4, 4)) {
		if (memcmp(r->data + r->at, "link", 4) == 0)
			return true;
		if (!has(r, 8 + (size_t)number(r->data + r->at + 4, 4)))
			break;
	}
	return false;
}

void
wisp_index_flags(struct wisp_index_flags *f, const char *path, size_t hash)
{
	struct wisp_buf b = WISP_BUF_INIT, name = WISP_BUF_INIT;
	struct reader r;
	uint32_t version, count;

	*f = (struct wisp_index_flags){.names = wisp_json_array()};
	if (wisp_file_read(path, INDEX_MAX, &b) != 0) {
		errno = 0;
	} else if (b.len > HEAD_SIZE && memcmp(b.data, "DIRC", 4) == 0) {
		r = (struct reader){(const unsigned char *)b.data, b.len, HEAD_SIZE};
		version = number(r.data + 4, 4);
		count = number(r.data + 8, 4);
		while (count > 0 && take_entry(&r, hash, version, &name, f))
			count--;
		f->split = count == 0 && is_split(&r);
	}
	wisp_buf_release(&b);
	wisp_buf_release(&name);
}

void
wisp_index_flags_release(struct wisp_index_flags *f)
{
	wisp_json_free(f->names);
}
