/*
 * trust: what a person allowed, remembered by its hash.
 */
#include <unistd.h>

#include "core/file.h"
#include "core/trust.h"
#include "unit.h"

static char top[] = "/tmp/wisp-unit-trust-XXXXXX";

/* The unknown ones of a NUL-separated list, with `,` for the NULs; static. */
static const char *
unknown(const char *shared, const char *values, size_t len)
{
	static struct wisp_buf b;
	size_t i;

	wisp_buf_reset(&b);
	wisp_buf_grow(&b, 0);
	if (wisp_trust_check(shared, values, len, &b) < 0)
		return "failed";
	for (i = 0; i < b.len; i++)
		if (b.data[i] == '\0')
			b.data[i] = ',';
	return b.data;
}

#define UNKNOWN(values) unknown(shared, values, sizeof values - 1)

int
main(void)
{
	struct wisp_buf text = WISP_BUF_INIT;
	char *shared, *path;
	size_t len;

	if (mkdtemp(top) == NULL)
		die_sys("cannot make '%s'", top);
	shared = wisp_str("%s/made/of/need", top);
	path = wisp_str("%s/.trust", shared);

	CHECK_STR(UNKNOWN(""), "", "nothing is asked");
	CHECK_STR(UNKNOWN("a\0b\0"), "a,b,", "nothing is trusted yet");
	CHECK_INT(wisp_trust_add(shared, "a\0c d\ne\0", 8), 0, "trust two");
	CHECK_STR(UNKNOWN("a\0b\0c d\ne\0"), "b,", "one is left");
	CHECK_STR(UNKNOWN("c d\ne"), "", "the last NUL may be missing");
	CHECK_STR(UNKNOWN("c d e\0A\0a \0"), "c d e,A,a ,", "what only looks alike is not trusted");
	CHECK_STR(UNKNOWN("\0"), ",", "an empty one is one");
	CHECK_INT(wisp_file_read(path, 10000, &text), 0, "the file");
	CHECK_STR(text.data,
		  "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb  a\n"
		  "78048cc15f81d54a191d17d5686a6dd384338ed9a73252549b7555605514b9ac  c d e\n", "shows them");
	len = text.len;
	CHECK_INT(wisp_trust_add(shared, "a\0", 2), 0, "trust one again");
	wisp_buf_reset(&text);
	CHECK_INT(wisp_file_read(path, 10000, &text), 0, "the file");
	CHECK_INT(text.len, len, "it stands there once");
	wisp_buf_release(&text);
	CHECK_INT(wisp_dir_remove(top), 0, "clean up");
	free(path);
	free(shared);
	return unit_done();
}
