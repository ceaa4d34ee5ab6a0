/*
 * values: see values.h.
 *
 * Paths are followed as sets of wants, one bit each: `next` holds those whose
 * path leads to the value that comes next; opening a container hands on those
 * that go further. Inside a container that no want goes through the scanner
 * makes no call and runs at its full speed.
 */
#include "values.h"

#include <stdlib.h>
#include <string.h>

#define STEPS_MAX 8

struct values_path {
	struct {
		const char *key;	/* NULL: each element */
		size_t len;
	} step[STEPS_MAX];
	size_t count;
};

#define KEYS 64

/* Which wants have such a step there: an element, any key, a key of that hash. */
struct values_depth {
	uint64_t element, any, keys[KEYS];
};

static size_t
key_hash(const char *key, size_t len)
{
	return len == 0 ? 0 : (len * 7 + (unsigned char)key[0] + (unsigned char)key[len - 1]) % KEYS;
}

/* Bytes read of a value: one more than are kept, to see where a character ends. */
static size_t
size_of(const struct wisp_want *want)
{
	return want->size == WISP_WANT_ITEM || want->size == WISP_WANT_PIECES ? 0 : want->size + 1;
}

static uint64_t
bit(size_t i)
{
	return (uint64_t)1 << i;
}

/* `a.b[].c` in steps. */
static void
compile(struct values_path *path, const char *text)
{
	size_t n;

	while (*text != '\0' && path->count < STEPS_MAX) {
		if (*text == '.')
			text++;
		if (strncmp(text, "[]", 2) == 0) {
			path->step[path->count++].key = NULL;
			text += 2;
			continue;
		}
		n = strcspn(text, ".[");
		path->step[path->count].key = text;
		path->step[path->count++].len = n;
		text += n;
	}
}

static void
index_steps(struct wisp_values *v, size_t want)
{
	const struct values_path *path = &v->paths[want];
	size_t i;

	for (i = 0; i < path->count; i++) {
		struct values_depth *at = &v->depths[i];

		if (path->step[i].key == NULL)
			at->element |= bit(want);
		else if (path->step[i].len == 1 && *path->step[i].key == '*')
			at->any |= bit(want);
		else
			at->keys[key_hash(path->step[i].key, path->step[i].len)] |= bit(want);
	}
}

/* Takes the lowest want out of a set that is not empty. */
static size_t
next_want(uint64_t *set)
{
	size_t i = 0;

#ifdef __GNUC__
	i = (size_t)__builtin_ctzll(*set);
#else
	while ((*set & bit(i)) == 0)
		i++;
#endif
	*set &= *set - 1;
	return i;
}

static void
clear_values(struct wisp_values *v, uint64_t which)
{
	which &= v->seen;
	v->seen &= ~which;
	while (which != 0) {
		size_t i = next_want(&which);

		v->value[i].token = -1;
		v->value[i].len = 0;
		v->value[i].text[0] = '\0';
	}
}

/* Of `set`, the wants whose step at `depth` is this key, or `*`. */
static uint64_t
follow(const struct wisp_values *v, uint64_t set, int depth, const char *key, size_t len)
{
	const struct values_depth *at;
	uint64_t found;

	if (set == 0)
		return 0;
	at = &v->depths[depth - 1];
	found = set & at->any;
	set &= at->keys[key_hash(key, len)];
	while (set != 0) {
		size_t i = next_want(&set), n = v->paths[i].step[depth - 1].len;

		if (n == len && wisp_values_same(v->paths[i].step[depth - 1].key, key, len))
			found |= bit(i);
	}
	return found;
}

/* Of `next`, the wants whose path ends here; the others are left in *on. */
static int
ending(const struct wisp_values *v, int depth, uint64_t *on)
{
	uint64_t set = v->next;
	int found = -1;

	*on = 0;
	while (set != 0) {
		size_t i = next_want(&set);

		if (v->paths[i].count == (size_t)depth)
			found = (int)i;
		else
			*on |= bit(i);
	}
	return found;
}

/* A value begins inside the container at `depth`: which want is it? */
static int
begin_value(struct wisp_values *v, int depth, uint64_t *on)
{
	if ((v->arrays & bit((size_t)depth - 1)) != 0)
		v->next = v->through[depth] != 0 ? v->through[depth] & v->depths[depth - 1].element : 0;
	return ending(v, depth, on);
}

/* A string or number begins, of which the first piece or nothing at all has come. */
static void
begin_text(struct wisp_values *v, int depth)
{
	uint64_t on;

	if (v->begun)
		return;
	v->begun = true;
	v->reading = begin_value(v, depth, &on);
	if (v->reading < 0)
		return;
	v->seen |= bit((size_t)v->reading);
	v->value[v->reading].len = 0;
	if (v->wants[v->reading].size == WISP_WANT_PIECES)
		v->sink.pieces(v->sink.arg, v->reading, NULL, 0);
}

static void
add_key(struct wisp_values *v, const char *p, size_t n)
{
	if (v->key_len + n > sizeof v->key) {
		v->key_len = sizeof v->key + 1;
		return;
	}
	memcpy(v->key + v->key_len, p, n);
	v->key_len += n;
}

static int
on_text(void *arg, const struct wisp_scan *scan, bool key, const char *p, size_t n)
{
	struct wisp_values *v = arg;
	struct wisp_value *to;
	size_t room;

	if (key) {
		add_key(v, p, n);
		return 0;
	}
	begin_text(v, scan->depth);
	if (v->reading < 0)
		return 0;
	if (v->wants[v->reading].size == WISP_WANT_PIECES) {
		v->sink.pieces(v->sink.arg, v->reading, p, n);
		return 0;
	}
	to = &v->value[v->reading];
	room = size_of(&v->wants[v->reading]) - to->len;
	if (n > room)
		n = room;
	memcpy(to->text + to->len, p, n);
	to->len += n;
	return 0;
}

static void
on_open(struct wisp_values *v, int depth, bool array)
{
	uint64_t on = ~(uint64_t)0 >> (64 - v->count);
	int want = depth > 1 ? begin_value(v, depth - 1, &on) : -1;

	v->arrays = array ? v->arrays | bit((size_t)depth - 1) : v->arrays & ~bit((size_t)depth - 1);
	v->through[depth] = on;
	v->item[depth] = (signed char)(want >= 0 && v->wants[want].size == WISP_WANT_ITEM ? want : -1);
	if (v->item[depth] >= 0)
		clear_values(v, on);
}

static void
on_scalar(struct wisp_values *v, int depth, enum wisp_token t)
{
	struct wisp_value *to;

	begin_text(v, depth);
	v->begun = false;
	if (v->reading < 0)
		return;
	to = &v->value[v->reading];
	to->token = (int)t;
	to->len = wisp_utf8_cut(to->text, to->len, v->wants[v->reading].size);
	to->text[to->len] = '\0';
}

static int
on_token(void *arg, const struct wisp_scan *scan, enum wisp_token t, uint64_t start, uint64_t end)
{
	struct wisp_values *v = arg;
	int depth = scan->depth;
	bool listen;

	(void)start;
	(void)end;
	switch (t) {
	case WISP_KEY:
		v->next = v->key_len <= sizeof v->key ? follow(v, v->through[depth], depth, v->key, v->key_len) : 0;
		v->key_len = 0;
		break;
	case WISP_OBJECT:
	case WISP_ARRAY:
		on_open(v, depth, t == WISP_ARRAY);
		if (v->through[depth] == 0)
			v->scan.mute = depth;
		break;
	case WISP_OBJECT_END:
	case WISP_ARRAY_END:
		v->scan.mute = 0;
		if (v->item[depth + 1] >= 0)
			v->sink.item(v->sink.arg, v->item[depth + 1]);
		break;
	default:
		on_scalar(v, depth, t);
	}
	/* What nobody wants is scanned without calls for its text. */
	listen = t == WISP_KEY ? v->next != 0 : depth > 0 && v->through[depth] != 0;
	v->scan.sink.text = listen ? on_text : NULL;
	return 0;
}

void
wisp_values_init(struct wisp_values *v, const struct wisp_want *wants, size_t count,
		 const struct wisp_values_sink *sink)
{
	size_t i, at = 0;

	if (count > WISP_WANTS_MAX)
		die_bug("%zu wants, and bits for %d", count, WISP_WANTS_MAX);
	memset(v, 0, sizeof *v);
	v->wants = wants;
	v->count = count;
	v->sink = *sink;
	v->reading = -1;
	v->value = wisp_alloc(count, sizeof *v->value);
	v->paths = wisp_alloc(count, sizeof *v->paths);
	v->depths = wisp_alloc(STEPS_MAX, sizeof *v->depths);
	for (i = 0; i < count; i++)
		at += size_of(&wants[i]) + 1;
	v->store = wisp_alloc(at, 1);
	for (i = at = 0; i < count; i++) {
		compile(&v->paths[i], wants[i].path);
		index_steps(v, i);
		v->value[i].text = v->store + at;
		v->seen |= bit(i);
		at += size_of(&wants[i]) + 1;
	}
}

void
wisp_values_release(struct wisp_values *v)
{
	free(v->value);
	free(v->paths);
	free(v->depths);
	free(v->store);
	memset(v, 0, sizeof *v);
}

void
wisp_values_begin(struct wisp_values *v)
{
	const struct wisp_scan_sink sink = {.token = on_token, .arg = v};

	wisp_scan_init(&v->scan, &sink);
	v->scan.lenient = true;
	v->key_len = 0;
	v->begun = false;
	clear_values(v, v->seen);
}

int
wisp_values_feed(struct wisp_values *v, const char *p, size_t n)
{
	return wisp_scan_feed(&v->scan, p, n);
}

int
wisp_values_end(struct wisp_values *v)
{
	return wisp_scan_end(&v->scan);
}

const char *
wisp_values_error(const struct wisp_values *v)
{
	return v->scan.error;
}
