/*
 * scan: the scanner, by the files of tests/cases/json and by what it calls back.
 *
 * accept/ holds what is JSON, refuse/ what is not; refuse.expect says where
 * and why, a line `NAME LINE:COL: REASON` for each. Each file is read once as
 * a whole and again in pieces of all kinds, which must make no difference.
 */
#include "core/file.h"
#include "core/scan.h"
#include "unit.h"

#define CASES "tests/cases/json"

static int
trace_text(void *arg, const struct wisp_scan *scan, bool key, const char *p, size_t n)
{
	struct wisp_buf *out = arg;

	/* Where a text is cut depends on the pieces, so nothing marks it. */
	(void)scan;
	if (out->len == 0 || out->data[out->len - 1] == '\n')
		wisp_buf_puts(out, key ? "key " : "text ");
	for (; n > 0; p++, n--)
		wisp_buf_putc(out, *p == '\n' ? '~' : *p);
	return 0;
}

static int
trace_token(void *arg, const struct wisp_scan *scan, enum wisp_token t, uint64_t start, uint64_t end)
{
	static const char *const names[] = {"{", "}", "[", "]", "k", "s", "n", "true", "false", "null"};
	struct wisp_buf *out = arg;

	wisp_buf_printf(out, "%s%s %d %llu-%llu\n", out->len > 0 && out->data[out->len - 1] != '\n' ? "|" : "",
			names[t], scan->depth, (unsigned long long)start, (unsigned long long)end);
	return 0;
}

/* All that can be seen from outside of reading `data` in pieces of `first` bytes and then `size`. */
static char *
trace(const char *data, size_t len, size_t first, size_t size)
{
	struct wisp_buf out = WISP_BUF_INIT;
	const struct wisp_scan_sink sink = {trace_token, trace_text, &out};
	struct wisp_scan scan;
	size_t n = first;
	int rc = 0;

	wisp_scan_init(&scan, &sink);
	while (len > 0 && rc == 0) {
		n = n < len ? n : len;
		/* A copy of its own size, so that reading on is seen. */
		char *piece = wisp_alloc(n, 1);
		memcpy(piece, data, n);
		rc = wisp_scan_feed(&scan, piece, n);
		free(piece);
		data += n;
		len -= n;
		n = size;
	}
	if (rc == 0)
		rc = wisp_scan_end(&scan);
	if (rc < 0)	/* the last text may not have come whole */
		wisp_buf_reset(&out);
	wisp_buf_printf(&out, "%d %zu:%zu %s", rc, scan.line, scan.col, scan.error != NULL ? scan.error : "");
	return wisp_buf_detach(&out);
}

static bool
same_in_pieces(const char *data, size_t len)
{
	char *whole = trace(data, len, len, len), *other;
	bool same = true;
	size_t i;

	for (i = 1; i <= 17 && same; i++) {
		other = trace(data, len, i, i);
		same = strcmp(whole, other) == 0;
		free(other);
	}
	for (i = 0; i < len && i < 300 && same; i++) {
		other = trace(data, len, i, len);
		same = strcmp(whole, other) == 0;
		free(other);
	}
	free(whole);
	return same;
}

/* Mutes the outermost container. */
static int
mute_all(void *arg, const struct wisp_scan *scan, enum wisp_token t, uint64_t start, uint64_t end)
{
	(void)scan, (void)start, (void)end;
	if (wisp_token_opens(t) || wisp_token_closes(t))
		((struct wisp_scan *)arg)->mute = wisp_token_opens(t);
	return 0;
}

/* What nobody hears is read as strictly, in pieces of any kind: the same verdict, at the same place. */
static bool
same_muted(const char *data, size_t len)
{
	struct wisp_scan heard, muted;
	const struct wisp_scan_sink sink = {mute_all, NULL, &muted};
	int want = wisp_scan_all(&heard, NULL, data, len);
	bool same = true;

	for (size_t size = 1; size <= 40 && same; size++) {
		int rc = 0;

		wisp_scan_init(&muted, &sink);
		for (size_t at = 0; at < len && rc == 0; at += size) {
			size_t n = size == 40 ? len : len - at < size ? len - at : size;
			char *piece = wisp_alloc(n, 1);

			memcpy(piece, data + at, n);
			rc = wisp_scan_feed(&muted, piece, n);
			free(piece);
			if (size == 40)
				break;
		}
		if (rc == 0)
			rc = wisp_scan_end(&muted);
		same = rc == want && muted.line == heard.line && muted.col == heard.col && muted.error == heard.error &&
		       muted.offset == heard.offset;
	}
	return same;
}

static char **
list(const char *dir, size_t *count)
{
	char **names;

	if (wisp_dir_list(dir, &names, count) < 0)
		die_sys("cannot read '%s'", dir);
	return names;
}

static void
load(struct wisp_buf *out, const char *dir, const char *name)
{
	char *path = wisp_str("%s/%s", dir, name);

	wisp_buf_reset(out);
	if (wisp_file_read(path, WISP_FILE_MAX, out) < 0)
		die_sys("cannot read '%s'", path);
	free(path);
}

static void
test_accept(void)
{
	struct wisp_buf text = WISP_BUF_INIT;
	struct wisp_err err = WISP_ERR_INIT;
	char **names, *got;
	size_t i, count;

	names = list(CASES "/accept", &count);
	for (i = 0; i < count; i++) {
		load(&text, CASES "/accept", names[i]);
		got = wisp_scan_check(text.data, text.len, NULL, &err) == 0 ? wisp_strdup("accepted") : wisp_err_string(&err);
		CHECK_OWN(got, "accepted", names[i]);
		CHECK(same_in_pieces(text.data, text.len), "the same in pieces");
		CHECK(same_muted(text.data, text.len), "the same where nobody hears it");
		wisp_err_release(&err);
	}
	CHECK(count >= 40, "there are cases");
	wisp_dir_list_free(names, count);
	wisp_buf_release(&text);
}

/* The rest of the line that begins with `name` less its .json; the caller frees it. */
static char *
expected(const struct wisp_buf *table, const char *name)
{
	size_t len = strlen(name) - strlen(".json");
	const char *line, *end;

	for (line = table->data; *line != '\0'; line = end + 1) {
		end = strchr(line, '\n');
		if (strncmp(line, name, len) == 0 && line[len] == ' ')
			return wisp_str("%.*s", (int)(end - line - (ptrdiff_t)len - 1), line + len + 1);
	}
	return wisp_strdup("no line in refuse.expect");
}

static void
test_refuse(void)
{
	struct wisp_buf text = WISP_BUF_INIT, table = WISP_BUF_INIT;
	struct wisp_err err = WISP_ERR_INIT;
	size_t i, count, lines = 0;
	char **names, *want, *got;

	load(&table, CASES, "refuse.expect");
	for (i = 0; i < table.len; i++)
		lines += table.data[i] == '\n';
	names = list(CASES "/refuse", &count);
	for (i = 0; i < count; i++) {
		load(&text, CASES "/refuse", names[i]);
		want = expected(&table, names[i]);
		got = wisp_scan_check(text.data, text.len, NULL, &err) == 0 ? wisp_strdup("accepted") : wisp_err_string(&err);
		CHECK_OWN(got, want, names[i]);
		CHECK(same_in_pieces(text.data, text.len), "the same in pieces");
		CHECK(same_muted(text.data, text.len), "the same where nobody hears it");
		wisp_err_release(&err);
		free(want);
	}
	CHECK_INT(lines, count, "a file for each line of refuse.expect");
	wisp_dir_list_free(names, count);
	wisp_buf_release(&text);
	wisp_buf_release(&table);
}

static void
test_tokens(void)
{
	static const struct {
		const char *text, *want;
	} t[] = {
		{"{}", "{ 1 0-1\n} 0 1-2\n0 1:3 "},
		{" [1]\n", "[ 1 1-2\ntext 1|n 1 2-3\n] 0 3-4\n0 2:1 "},
		{"{\"a\": [true, null]}", "{ 1 0-1\nkey a|k 1 1-4\n[ 2 6-7\ntrue 2 7-11\nnull 2 13-17\n] 1 17-18\n} 0 18-19\n0 1:20 "},
		{"\"a\\n\\u00e9\\ud83d\\ude00z\"", "text a~\xc3\xa9\xf0\x9f\x98\x80z|s 0 0-24\n0 1:25 "},
		{"\"\"", "s 0 0-2\n0 1:3 "},
		{"-1.5e+3", "text -1.5e+3|n 0 0-7\n0 1:8 "},
		{"\xef\xbb\xbf" "false", "false 0 3-8\n0 1:9 "},
	};
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++)
		CHECK_OWN(trace(t[i].text, strlen(t[i].text), SIZE_MAX, SIZE_MAX), t[i].want, t[i].text);
}

/* Every length around the words of the fast path, with each kind of byte that ends it at each place. */
static void
test_fast_path(void)
{
	static const char *const odd[] = {"\\n", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\x1f", "\x80", "\xff", "\x7f", "!"};
	struct wisp_buf b = WISP_BUF_INIT;
	struct wisp_scan scan;
	size_t len, at, i;
	bool ok = true;
	int want, got;

	for (len = 0; len < 40; len++) {
		for (at = 0; at <= len; at++) {
			for (i = 0; i < sizeof odd / sizeof *odd; i++) {
				wisp_buf_reset(&b);
				wisp_buf_printf(&b, "\"%.*s%s%.*s\"", (int)at, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
						odd[i], (int)(len - at), "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz");
				want = i >= 4 && i <= 6 ? -1 : 0;
				got = wisp_scan_all(&scan, NULL, b.data, b.len);
				ok = ok && got == want && (got == 0 || scan.col == at + 2);
			}
		}
	}
	CHECK(ok, "odd bytes are found at every place of a word");
	wisp_buf_release(&b);
}

static int
stop_at_number(void *arg, const struct wisp_scan *scan, enum wisp_token t, uint64_t start, uint64_t end)
{
	(void)scan, (void)start, (void)end;
	++*(int *)arg;
	return t == WISP_NUMBER ? 7 : 0;
}

static void
test_stop(void)
{
	const char *text = "[true, 12, false]";
	int calls = 0;
	const struct wisp_scan_sink sink = {stop_at_number, NULL, &calls};
	struct wisp_scan scan;

	wisp_scan_init(&scan, &sink);
	CHECK_INT(wisp_scan_feed(&scan, text, strlen(text)), 7, "what a callback returns comes out");
	CHECK_INT(scan.offset, 9, "and offset says how far it went");
	CHECK(scan.error == NULL, "which is no refusal");
	CHECK_INT(wisp_scan_feed(&scan, text + scan.offset, strlen(text) - scan.offset), 0, "it goes on from there");
	CHECK_INT(wisp_scan_end(&scan), 0, "to the end");
	CHECK_INT(calls, 5, "with each token once");
	CHECK_INT(wisp_scan_feed(&scan, "x", 1), -1, "text after the value is refused");
	CHECK_INT(wisp_scan_feed(&scan, " ", 1), -1, "and after a refusal all is");
	CHECK_INT(wisp_scan_end(&scan), -1, "the end too");
	wisp_scan_init(&scan, NULL);
	CHECK_INT(wisp_scan_feed(&scan, NULL, 0), 0, "an empty piece");
}

/* Mutes each array, as one does that wants nothing in it. */
static int
mute_arrays(void *arg, const struct wisp_scan *scan, enum wisp_token t, uint64_t start, uint64_t end)
{
	struct wisp_scan *own = *(struct wisp_scan **)arg;

	(void)scan, (void)start, (void)end;
	if (t == WISP_ARRAY)
		own->mute = own->depth;
	else if (t == WISP_ARRAY_END)
		own->mute = 0;
	own->line += 1000;	/* a thousand for each call */
	return 0;
}

static void
test_mute(void)
{
	const char *text = "{\"a\": [1, {\"b\": [[\"\\u0041\"]]}, []], \"c\": [2]}", *bad = "{\"a\": [{\"b\" 1}]}";
	struct wisp_scan scan, *own = &scan;
	const struct wisp_scan_sink sink = {mute_arrays, NULL, &own};

	CHECK_INT(wisp_scan_all(&scan, &sink, text, strlen(text)), 0, "a muted array is scanned");
	CHECK_INT((long)scan.line, 8001, "without a call but for its two ends");
	CHECK_INT(wisp_scan_all(&scan, &sink, bad, strlen(bad)), -1, "and checked");
	CHECK_STR(scan.error, "expected a colon", "as all else is");
}

/* Every byte of a document in turn replaced by each that means something, where nobody hears it. */
static void
test_muted_bytes(void)
{
	const char *text = "{\"a\": [1, 20, -3.5e1, \"b\\n\", true,false , null], \"long enough\":{},\"d\": {\"e\":[]}}";
	const char odd[] = "{}[]:,\"\\ \n0-.etfn1x\x01\x80";
	size_t len = strlen(text);
	bool same = true;

	for (size_t at = 0; at < len; at++) {
		for (size_t i = 0; i < sizeof odd; i++) {
			char *s = wisp_strdup(text);

			s[at] = odd[i];
			same = same && same_muted(s, len);
			free(s);
		}
	}
	CHECK(same, "what is wrong is wrong at the same place");
}

/* Enough keys for any table to grow, and the same one again as the last. */
static void
test_many_keys(void)
{
	struct wisp_buf b = WISP_BUF_INIT;
	struct wisp_err err = WISP_ERR_INIT;
	int i;

	wisp_buf_putc(&b, '{');
	for (i = 0; i < 20000; i++)
		wisp_buf_printf(&b, "\"key %d\": {\"key %d\": 1},\n", i, i);
	wisp_buf_puts(&b, "\"last\": 1}");
	CHECK_INT(wisp_scan_check(b.data, b.len, "big", &err), 0, "20000 keys");
	b.len -= strlen("\"last\": 1}");
	wisp_buf_puts(&b, "\"key 4711\": 1}");
	CHECK_INT(wisp_scan_check(b.data, b.len, "big", &err), -1, "and one of them again");
	CHECK_OWN(wisp_err_string(&err), "big:20001:1: duplicate key 'key 4711'", "which is named");
	wisp_err_release(&err);
	wisp_buf_release(&b);
}

static void
test_too_large(void)
{
	char *text = wisp_alloc(WISP_FILE_MAX + 1, 1);
	struct wisp_err err = WISP_ERR_INIT;

	memset(text, ' ', WISP_FILE_MAX + 1);
	text[0] = '1';
	CHECK_INT(wisp_scan_check(text, WISP_FILE_MAX + 1, "f", &err), -1, "a byte beyond 64 MiB");
	CHECK_OWN(wisp_err_string(&err), "f: larger than 64 MiB", "is said to be too large");
	CHECK_INT(wisp_scan_check(text, WISP_FILE_MAX, "f", NULL), 0, "64 MiB are not");
	wisp_err_release(&err);
	free(text);
}

int
main(void)
{
	test_accept();
	test_refuse();
	test_tokens();
	test_fast_path();
	test_stop();
	test_mute();
	test_muted_bytes();
	test_many_keys();
	test_too_large();
	return unit_done();
}
