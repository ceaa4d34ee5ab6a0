/*
 * scan_check: wisp_scan_check and wisp_scan_quote.
 */
#include "scan.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"

#define KEY_SHOWN 60	/* bytes of a key in a message */

/*
 * Duplicate keys. The keys of the open objects lie on a stack, unescaped; at
 * its end the keys of an object are sorted and neighbours compared. So memory
 * is proportional to the keys of the open objects, and time n log n whatever
 * they are; a hash table would be quadratic for keys that were made for it.
 */
struct key {
	union {
		size_t at;		/* while its object is open: offset in `text` */
		const char *s;		/* while they are sorted */
	} text;
	uint32_t hash, start;		/* WISP_FILE_MAX bounds both */
};

struct keys {
	struct key *all;
	size_t count, cap;
	size_t first[WISP_SCAN_DEPTH];	/* by depth: where the keys of the open object begin */
	struct wisp_buf text;
	size_t begun;			/* where in `text` the key being read begins */
	const struct key *duplicate;
};

/* FNV-1a. Only to compare without touching the text. */
static uint32_t
hash(const char *s)
{
	uint32_t h = 2166136261u;

	for (; *s != '\0'; s++)
		h = (h ^ (unsigned char)*s) * 16777619u;
	return h;
}

static int
same_key(const struct key *a, const struct key *b)
{
	return a->hash == b->hash && strcmp(a->text.s, b->text.s) == 0;
}

static int
by_text(const void *left, const void *right)
{
	const struct key *a = left, *b = right;
	int order;

	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	order = strcmp(a->text.s, b->text.s);
	return order != 0 ? order : a->start < b->start ? -1 : 1;
}

static int
keys_text(void *arg, const struct wisp_scan *scan, bool key, const char *p, size_t n)
{
	struct keys *k = arg;

	(void)scan;
	if (key)
		wisp_buf_add(&k->text, p, n);
	return 0;
}

static void
keys_push(struct keys *k, uint64_t start)
{
	wisp_buf_putc(&k->text, '\0');
	if (k->count == k->cap) {
		k->cap = k->cap > 0 ? k->cap * 2 : 64;
		k->all = wisp_realloc(k->all, k->cap, sizeof *k->all);
	}
	k->all[k->count++] = (struct key){
		.text.at = k->begun, .hash = hash(k->text.data + k->begun), .start = (uint32_t)start,
	};
	k->begun = k->text.len;
}

/* The keys from `first` on are all that the object has: 1 if one is there twice. */
static int
keys_end(struct keys *k, size_t first)
{
	size_t i, n = k->count - first;
	struct key *own;

	if (n == 0)
		return 0;
	own = k->all + first;
	k->begun = own[0].text.at;
	for (i = 0; i < n; i++)
		own[i].text.s = k->text.data + own[i].text.at;
	qsort(own, n, sizeof *own, by_text);
	for (i = 1; i < n; i++)
		if (same_key(&own[i - 1], &own[i]) && (k->duplicate == NULL || own[i].start < k->duplicate->start))
			k->duplicate = &own[i];
	if (k->duplicate != NULL)
		return 1;
	k->text.len = k->begun;
	k->count = first;
	return 0;
}

static int
keys_token(void *arg, const struct wisp_scan *scan, enum wisp_token t, uint64_t start, uint64_t end)
{
	struct keys *k = arg;

	(void)end;
	if (t == WISP_OBJECT)
		k->first[scan->depth - 1] = k->count;
	else if (t == WISP_KEY)
		keys_push(k, start);
	else if (t == WISP_OBJECT_END)
		return keys_end(k, k->first[scan->depth]);
	return 0;
}

static int
refuse_duplicate(const struct key *key, const char *data, const char *path, struct wisp_err *err)
{
	struct wisp_buf name = WISP_BUF_INIT;
	const char *p = data, *at = data + key->start, *lf;
	size_t line = 1;

	for (; (lf = memchr(p, '\n', (size_t)(at - p))) != NULL; p = lf + 1)
		line++;
	wisp_buf_line(&name, key->text.s, KEY_SHOWN);
	wisp_err_set(err, path, line, (size_t)(at - p) + 1, "duplicate key '%s'", name.data);
	wisp_buf_release(&name);
	return -1;
}

int
wisp_scan_check(const char *data, size_t len, const char *path, struct wisp_err *err)
{
	struct keys keys = {.text = WISP_BUF_INIT};
	const struct wisp_scan_sink sink = {keys_token, keys_text, &keys};
	struct wisp_scan scan;
	int rc;

	if (len > WISP_FILE_MAX)
		return wisp_err_set(err, path, 0, 0, "larger than %zu MiB", WISP_FILE_MAX >> 20);
	rc = wisp_scan_all(&scan, &sink, data, len);
	if (rc > 0)
		rc = refuse_duplicate(keys.duplicate, data, path, err);
	else if (rc < 0)
		wisp_err_set(err, path, scan.line, scan.col, "%s", scan.error);
	free(keys.all);
	wisp_buf_release(&keys.text);
	return rc;
}

void
wisp_scan_quote(struct wisp_buf *out, const char *s, size_t len)
{
	static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
	const char *end = s + len, *run = s, *at;
	int n;

	wisp_buf_putc(out, '"');
	while (s < end) {
		n = wisp_utf8_char(s, (size_t)(end - s));
		if (n > 1 || (n == 1 && (unsigned char)*s >= 0x20 && *s != '"' && *s != '\\')) {
			s += n;
			continue;
		}
		wisp_buf_add(out, run, (size_t)(s - run));
		if (n < 0)
			wisp_buf_puts(out, "\xef\xbf\xbd");
		else if (*s != '\0' && (at = strchr(from, *s)) != NULL)
			wisp_buf_printf(out, "\\%c", to[at - from]);
		else if (*s != '\0')
			wisp_buf_printf(out, "\\u%04x", (unsigned)*s);
		s += n < 0 ? -n : n;
		run = s;
	}
	wisp_buf_add(out, run, (size_t)(end - run));
	wisp_buf_putc(out, '"');
}
