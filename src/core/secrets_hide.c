/*
 * secrets_hide: takes the values out of a stream, in one pass (Wu and Manber): a window as long as the shortest of them
 * moves over it, by as much as the last two bytes in it allow. See secrets.h.
 */
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "secrets.h"

#define HINT 6		/* bytes of one that say too much of it */

enum at { NONE, MAYBE, HERE };

/*
 * Does one begin here? The longest, so that one that begins with another is whole; without `more` to come what
 * may be is not.
 */
static enum at
look(const struct wisp_secrets *s, const char *p, size_t left, bool more, const struct wisp_secret **hit)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct wisp_secret *one = &s->list[i];
		bool whole = one->len <= left;

		if (*p != *one->text || (!whole && !more) || memcmp(p, one->text, whole ? one->len : left) != 0)
			continue;
		*hit = one;
		return whole ? HERE : MAYBE;
	}
	return NONE;
}

/* The first position where one is, or may be, from `at` on; n where there is none. */
static size_t
find(const struct wisp_secrets *s, const char *p, size_t n, size_t at, bool more, enum at *what,
     const struct wisp_secret **hit)
{
	const unsigned char *bytes = (const unsigned char *)p;
	const size_t window = s->shortest;
	unsigned char shift;

	while (at + window <= n) {
		shift = s->shift[bytes[at + window - 2] << 8 | bytes[at + window - 1]];
		if (shift == 0 && (*what = look(s, p + at, n - at, more, hit)) != NONE)
			return at;
		at += shift > 0 ? shift : 1;
	}
	for (; more && at < n; at++)
		if ((*what = look(s, p + at, n - at, more, hit)) != NONE)
			return at;
	return n;
}

/* Hands on what is sure; how many bytes that is. */
static size_t
pass(struct wisp_hide *h, const char *p, size_t n, bool more)
{
	const struct wisp_secret *hit = NULL;
	size_t from = 0, at = 0;
	enum at what;

	while ((at = find(h->secrets, p, n, at, more, &what, &hit)) < n) {
		if (at > from)
			h->put(h->arg, p + from, at - from);
		from = at;
		if (what == MAYBE)
			return from;
		if (h->found != NULL)
			h->found(h->arg, hit);
		h->put(h->arg, "[secret ", 8);
		h->put(h->arg, hit->name, strlen(hit->name));
		h->put(h->arg, "]", 1);
		from = at += hit->len;
	}
	if (n > from)
		h->put(h->arg, p + from, n - from);
	return n;
}

static void
feed(struct wisp_hide *h, const char *p, size_t n, bool more)
{
	size_t done;

	if (h->held.len > 0) {
		wisp_buf_add(&h->held, p, n);
		done = pass(h, h->held.data, h->held.len, more);
		h->held.len -= done;
		memmove(h->held.data, h->held.data + done, h->held.len);
		return;
	}
	done = pass(h, p, n, more);
	if (done < n)
		wisp_buf_add(&h->held, p + done, n - done);
}

void
wisp_hide_feed(struct wisp_hide *h, const char *p, size_t n)
{
	if (h->secrets->count == 0)
		h->put(h->arg, p, n);
	else if (n > 0)
		feed(h, p, n, true);
}

void
wisp_hide_end(struct wisp_hide *h)
{
	if (h->held.len > 0)
		feed(h, "", 0, false);
	wisp_buf_release(&h->held);
}

static void
add(void *out, const char *p, size_t n)
{
	wisp_buf_add(out, p, n);
}

void
wisp_secrets_hide(struct wisp_buf *text)
{
	struct wisp_buf out = WISP_BUF_INIT;
	struct wisp_hide h = {.secrets = wisp_secrets(), .put = add, .arg = &out};

	if (h.secrets->count == 0 || text->len == 0)
		return;
	wisp_hide_feed(&h, text->data, text->len);
	wisp_hide_end(&h);
	wisp_buf_release(text);
	*text = out;
}

char *
wisp_secrets_hidden(const char *text)
{
	struct wisp_buf b = WISP_BUF_INIT;

	wisp_buf_puts(&b, text);
	wisp_secrets_hide(&b);
	return wisp_buf_detach(&b);
}

/* What is left of one that was cut: its end at the beginning of the text, its beginning at the end. */
static char *
without_ends(const char *text)
{
	const struct wisp_secrets *s = wisp_secrets();
	struct wisp_buf b = WISP_BUF_INIT;
	size_t front = 0, back = 0, len;
	const char *first = "", *last = "";
	char *cut;

	wisp_buf_puts(&b, text);
	wisp_secrets_hide(&b);
	len = b.len;
	for (size_t i = 0; i < s->count; i++) {
		const struct wisp_secret *one = &s->list[i];

		for (size_t n = one->len - 1 < len ? one->len - 1 : len; n >= HINT; n--) {
			if (n > front && memcmp(b.data, one->text + one->len - n, n) == 0)
				front = n, first = one->name;
			if (n > back && memcmp(b.data + len - n, one->text, n) == 0)
				back = n, last = one->name;
		}
	}
	if (front + back == 0 || front + back > len)
		return wisp_buf_detach(&b);
	cut = wisp_str("%s%s%s%.*s%s%s%s", front > 0 ? "[secret " : "", first, front > 0 ? "]" : "",
			(int)(len - front - back), b.data + front, back > 0 ? "[secret " : "", last, back > 0 ? "]" : "");
	wisp_buf_release(&b);
	return cut;
}

void
wisp_secrets_hide_json(struct cJSON *doc)
{
	if (wisp_secrets()->count > 0)
		wisp_json_replace(doc, wisp_secrets_hidden);
}

void
wisp_secrets_hide_cut(struct cJSON *doc)
{
	if (wisp_secrets()->count > 0)
		wisp_json_replace(doc, without_ends);
}
