/*
 * json_load: documents from text and from files (json.h).
 */
#include "json.h"

#include <errno.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "scan.h"

/* A tree that grows: `open` are the containers that are, `text` the key or value being read. */
struct builder {
	struct cJSON *root, *open[WISP_SCAN_DEPTH];
	char *key;
	struct wisp_buf text;
};

static int
build_text(void *arg, const struct wisp_scan *scan, bool key, const char *p, size_t n)
{
	struct builder *b = arg;

	(void)scan;
	(void)key;
	wisp_buf_add(&b->text, p, n);
	return 0;
}

static struct cJSON *
build_value(struct builder *b, enum wisp_token t)
{
	double d;

	switch (t) {
	case WISP_OBJECT:
		return wisp_json_object();
	case WISP_ARRAY:
		return wisp_json_array();
	case WISP_STRING:
		return wisp_json_string(b->text.data != NULL ? b->text.data : "");
	case WISP_NUMBER:
		d = strtod(b->text.data, NULL);
		return wisp_json_double(d > DBL_MAX ? DBL_MAX : d < -DBL_MAX ? -DBL_MAX : d);
	case WISP_TRUE:
	case WISP_FALSE:
		return wisp_json_boolean(t == WISP_TRUE);
	default:
		return wisp_json_null();
	}
}

static int
build_token(void *arg, const struct wisp_scan *scan, enum wisp_token t, uint64_t start, uint64_t end)
{
	bool opens = wisp_token_opens(t);
	int depth = scan->depth - opens;
	struct builder *b = arg;
	struct cJSON *v;

	(void)start;
	(void)end;
	if (wisp_token_closes(t))
		return 0;
	if (t == WISP_KEY) {
		b->key = wisp_buf_detach(&b->text);
		return 0;
	}
	v = build_value(b, t);
	wisp_buf_reset(&b->text);
	if (opens)
		b->open[depth] = v;
	if (depth == 0)
		b->root = v;
	else if (b->key == NULL)
		wisp_json_push(b->open[depth - 1], v);
	else
		wisp_json_add(b->open[depth - 1], b->key, v);
	free(b->key);
	b->key = NULL;
	return 0;
}

struct cJSON *
wisp_json_parse(const char *data, size_t len, const char *path, struct wisp_err *err)
{
	struct builder b = {.root = NULL};
	const struct wisp_scan_sink sink = {build_token, build_text, &b};
	struct wisp_scan scan;

	if (wisp_scan_check(data, len, path, err) < 0)
		return NULL;
	if (wisp_scan_all(&scan, &sink, data, len) != 0)
		die_bug("a document that was checked is refused: %s", scan.error);
	wisp_buf_release(&b.text);
	return b.root;
}

/* One pass that takes what it can; whether that was all. */
static bool
build(struct builder *b, const char *data, size_t len)
{
	const struct wisp_scan_sink sink = {build_token, build_text, b};
	struct wisp_scan scan;
	bool whole;

	wisp_scan_init(&scan, &sink);
	scan.lenient = true;
	whole = wisp_scan_feed(&scan, data, len) == 0 && wisp_scan_end(&scan) == 0;
	wisp_buf_release(&b->text);
	free(b->key);
	b->key = NULL;
	return whole;
}

/* NUL and what is no UTF-8 become U+FFFD. */
static void
mend(struct wisp_buf *out, const char *p, size_t len)
{
	while (len > 0) {
		int n = wisp_utf8_char(p, len);
		size_t taken = (size_t)(n < 0 ? -n : n);

		if (n < 0 || *p == '\0')
			wisp_buf_puts(out, "\xef\xbf\xbd");
		else
			wisp_buf_add(out, p, taken);
		p += taken;
		len -= taken;
	}
}

struct cJSON *
wisp_json_salvage(const char *data, size_t len, bool *whole)
{
	struct builder b = {.root = NULL};
	struct wisp_buf mended = WISP_BUF_INIT;

	*whole = build(&b, data, len);
	if (!*whole) {
		wisp_json_free(b.root);
		b.root = NULL;
		mend(&mended, data, len);
		*whole = build(&b, mended.data, mended.len);
		wisp_buf_release(&mended);
	}
	return b.root;
}

static const char *const verdicts[] = {
	[WISP_VALID] = "valid", [WISP_MISSING] = "missing", [WISP_EMPTY] = "empty",
	[WISP_MALFORMED] = "malformed", [WISP_INVALID] = "invalid",
	[WISP_UNREADABLE] = "unreadable",
};

const char *
wisp_verdict_name(enum wisp_verdict v)
{
	return verdicts[v];
}

int
wisp_verdict_parse(const char *name)
{
	for (int i = WISP_VALID; i <= WISP_UNREADABLE; i++)
		if (strcmp(verdicts[i], name) == 0)
			return i;
	return -1;
}

static bool
is_empty(const char *data, size_t len)
{
	static const char bom[] = "\xef\xbb\xbf";
	size_t i = len >= strlen(bom) && memcmp(data, bom, strlen(bom)) == 0 ? strlen(bom) : 0;

	while (i < len && (data[i] == ' ' || data[i] == '\t' || data[i] == '\r' || data[i] == '\n'))
		i++;
	return i == len;
}

enum wisp_verdict
wisp_json_decide(const char *data, size_t len, const char *path, struct cJSON **out, struct wisp_err *err)
{
	struct cJSON *v;

	if (is_empty(data, len)) {
		wisp_err_set(err, path, 0, 0, "empty");
		return WISP_EMPTY;
	}
	v = wisp_json_parse(data, len, path, err);
	if (v == NULL)
		return WISP_MALFORMED;
	*out = v;
	return WISP_VALID;
}

enum wisp_verdict
wisp_json_read_bytes(const char *path, size_t max, struct wisp_buf *bytes, struct wisp_err *err)
{
	if (wisp_file_read(path, max, bytes) == 0)
		return WISP_VALID;
	if (errno == ENOENT || errno == ENOTDIR) {
		wisp_err_set(err, path, 0, 0, "missing");
		return WISP_MISSING;
	}
	if (errno == EFBIG) {
		wisp_err_set(err, path, 0, 0, "larger than %zu MiB", max >> 20);
		return WISP_MALFORMED;
	}
	wisp_err_set(err, path, 0, 0, "cannot read: %s",
		     errno == EINVAL ? "not a regular file" : strerror(errno));
	return WISP_UNREADABLE;
}

enum wisp_verdict
wisp_json_read_max(const char *path, size_t max, struct wisp_buf *bytes, struct cJSON **out, struct wisp_err *err)
{
	size_t start = bytes->len;
	enum wisp_verdict verdict = wisp_json_read_bytes(path, max, bytes, err);

	return verdict != WISP_VALID ? verdict : wisp_json_decide(bytes->data + start, bytes->len - start, path, out, err);
}

enum wisp_verdict
wisp_json_read(const char *path, struct wisp_buf *bytes, struct cJSON **out, struct wisp_err *err)
{
	return wisp_json_read_max(path, WISP_FILE_MAX, bytes, out, err);
}

enum wisp_verdict
wisp_json_load(const char *path, struct cJSON **out, struct wisp_err *err)
{
	struct wisp_buf bytes = WISP_BUF_INIT;
	enum wisp_verdict verdict = wisp_json_read(path, &bytes, out, err);

	wisp_buf_release(&bytes);
	return verdict;
}
