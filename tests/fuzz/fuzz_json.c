/*
 * fuzz_json: any bytes through the scanner, the document model and changes.
 *
 * What must hold: the pieces do not matter; what the scanner takes, the model
 * takes, prints and reads back the same; cJSON's own parser agrees where it is
 * sound; a change leaves a good document, with the value that was set, and
 * with every other byte where it was.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cJSON.h>

#include "core/json.h"
#include "core/scan.h"

#define BOM "\xef\xbb\xbf"	/* its parser wants text of some length behind it */
#define CJSON_NUMBER_MAX 63	/* its parser cuts longer numbers */
#define SURROGATE "\\ud"	/* half of a pair, which its parser refuses, begins so; whole pairs do, too */

static void
must(bool ok, const char *what)
{
	if (ok)
		return;
	warn("%s", what);
	abort();
}

static int
longest_number(void *arg, const struct wisp_scan *scan, enum wisp_token t, uint64_t start, uint64_t end)
{
	uint64_t *longest = arg;

	(void)scan;
	if (t == WISP_NUMBER && end - start > *longest)
		*longest = end - start;
	return 0;
}

/* Nobody hears what is in the outermost container. */
static int
mute_all(void *arg, const struct wisp_scan *scan, enum wisp_token t, uint64_t start, uint64_t end)
{
	(void)scan, (void)start, (void)end;
	if (wisp_token_opens(t) || wisp_token_closes(t))
		((struct wisp_scan *)arg)->mute = wisp_token_opens(t);
	return 0;
}

static int
feed(struct wisp_scan *scan, const struct wisp_scan_sink *sink, const char *data, size_t len, size_t size)
{
	size_t n;
	int rc = 0;

	wisp_scan_init(scan, sink);
	for (; len > 0 && rc == 0; data += n, len -= n) {
		n = size < len ? size : len;
		rc = wisp_scan_feed(scan, data, n);
	}
	return rc != 0 ? rc : wisp_scan_end(scan);
}

static void
check_pieces(const char *data, size_t len, const struct wisp_err *err)
{
	static const size_t sizes[] = {1, 2, 3, 5, 8, 64, SIZE_MAX};
	struct wisp_scan whole, scan;
	const struct wisp_scan_sink muted = {mute_all, NULL, &scan};
	int rc = wisp_scan_all(&whole, NULL, data, len);
	size_t i;

	/* Only a duplicate key is seen by nobody but wisp_scan_check. */
	must((err->text == NULL) == (rc == 0) || strncmp(err->text, "duplicate", 9) == 0, "check and scan agree");
	for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		must(feed(&scan, NULL, data, len, sizes[i]) == rc, "the same verdict in pieces");
		must(scan.line == whole.line && scan.col == whole.col && scan.error == whole.error, "at the same place");
		must(feed(&scan, &muted, data, len, sizes[i]) == rc, "the same verdict where nobody hears it");
		must(scan.line == whole.line && scan.col == whole.col && scan.error == whole.error, "at the same place there");
	}
}

static void
check_model(const char *data, size_t len, struct cJSON *v)
{
	struct wisp_buf out = WISP_BUF_INIT;
	struct cJSON *again;
	uint64_t longest = 0;
	const struct wisp_scan_sink sink = {longest_number, NULL, &longest};
	struct wisp_scan scan;

	wisp_json_print(&out, v);
	again = wisp_json_parse(out.data, out.len, NULL, NULL);
	must(again != NULL && wisp_json_equal(v, again), "printed and read back");
	wisp_json_free(again);
	wisp_buf_reset(&out);
	wisp_json_print_compact(&out, v);
	again = wisp_json_parse(out.data, out.len, NULL, NULL);
	must(again != NULL && wisp_json_equal(v, again), "printed compactly and read back");
	wisp_json_free(again);
	must(wisp_scan_all(&scan, &sink, data, len) == 0, "scanned again");
	wisp_buf_reset(&out);
	wisp_buf_add(&out, data, len);
	if (longest <= CJSON_NUMBER_MAX && strcasestr(out.data, SURROGATE) == NULL) {
		again = cJSON_Parse(out.data + (strncmp(out.data, BOM, strlen(BOM)) == 0 ? strlen(BOM) : 0));
		must(again != NULL, "cJSON takes it too");
		cJSON_Delete(again);
	}
	wisp_buf_release(&out);
}

static void
check_set(const char *data, size_t len, const char *text, const char *value)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_buf doc = WISP_BUF_INIT;
	struct wisp_span before, after;
	struct wisp_path path;
	struct cJSON *want, *got;
	size_t tail;
	int found, rc;

	must(wisp_path_parse(&path, text, &err) == 0, "a path");
	wisp_buf_add(&doc, data, len);
	found = wisp_scan_find(data, len, &path, &before, NULL);
	rc = wisp_scan_set(&doc, &path, value, &err);
	must(found != 0 || rc == 0 || err.text != NULL, "what is there can be set, or is said to be too deep");
	if (rc == 0) {
		must(wisp_scan_check(doc.data, doc.len, NULL, NULL) == 0, "a good document");
		must(wisp_scan_find(doc.data, doc.len, &path, &after, NULL) == 0, "with the value in it");
		want = wisp_json_parse(value, strlen(value), NULL, NULL);
		got = wisp_json_parse(doc.data + after.start, after.end - after.start, NULL, NULL);
		must(want != NULL && wisp_json_equal(want, got), "as it was set");
		wisp_json_free(want);
		wisp_json_free(got);
	}
	if (rc == 0 && found == 0) {
		tail = len - before.end;
		must(before.start == after.start && memcmp(doc.data, data, before.start) == 0, "nothing before it changed");
		must(doc.len - after.end == tail && memcmp(doc.data + after.end, data + before.end, tail) == 0, "nor behind it");
	}
	if (rc != 0)
		must(doc.len == len && memcmp(doc.data, data, len) == 0, "untouched if refused");
	wisp_path_release(&path);
	wisp_buf_release(&doc);
	wisp_err_release(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static const char *const paths[] = {".", ".a", ".[0]", ".[1]", ".a.b", ".a[0]", ".[\"c d\"]", ".[0].a", ".[1][2]", ".tasks[0].passes"};
	static const char *const values[] = {"1", "\"x\\n\"", "{\n  \"k\": [\n    1\n  ]\n}\n", "[]"};
	const char *data = (const char *)bytes;
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *v;
	size_t i;
	int rc;

	rc = wisp_scan_check(data, len, NULL, &err);
	must((rc == 0) == (err.text == NULL), "a refusal has its reason");
	check_pieces(data, len, &err);
	wisp_err_release(&err);
	v = wisp_json_parse(data, len, NULL, &err);
	must((v != NULL) == (rc == 0), "the model takes what the scanner takes");
	wisp_err_release(&err);
	if (v == NULL)
		return 0;
	check_model(data, len, v);
	wisp_json_free(v);
	for (i = 0; i < sizeof paths / sizeof *paths; i++)
		check_set(data, len, paths[i], values[i % (sizeof values / sizeof *values)]);
	return 0;
}
