/*
 * tree: the commits that wisp-tree writes itself; the ids are those of `git hash-object -t commit`.
 */
#include "tree/object.h"
#include "unit.h"

#define COMMIT                                                                                                         \
	"tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n"                                                              \
	"author wisp <wisp@localhost> 1700000000 +0000\n"                                                              \
	"committer wisp <wisp@localhost> 1700000000 +0000\n"                                                           \
	"\n"                                                                                                           \
	"x\n"

static const struct {
	const char *text, *sha1, *sha256;
} cases[] = {
	{COMMIT, "0271d307cf83b9cf69bb869fcb43529b1c6827f7",
	 "8b428177aaa853e337e665143614b80444ee044a73b758b7374e37e84049ad7b"},
	{"", "dcf5b16e76cce7425d0beaef62d79a7d10fce1f5", "9f2a7f3b00f22334f6adc2721fb1f89cd969f02264d37cf6a2c32ba09beb6822"},
};

static void
ids(void)
{
	struct wisp_buf text = WISP_BUF_INIT, file = WISP_BUF_INIT;
	char id[WISP_HASH_SIZE];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		wisp_buf_reset(&text);
		wisp_buf_puts(&text, cases[i].text);
		wisp_object_commit(&text, false, id, &file);
		CHECK_STR(id, cases[i].sha1, "SHA-1");
		wisp_object_commit(&text, true, id, &file);
		CHECK_STR(id, cases[i].sha256, "SHA-256");
	}
	wisp_buf_release(&text);
	wisp_buf_release(&file);
}

/* The whole file of an empty commit; its sum is that of `commit 0` and a NUL. */
static void
bytes(void)
{
	static const char want[] = "\x78\x01\x01\x09\x00\xf6\xff"
				   "commit 0\0"
				   "\x11\x22\x02\xda";
	struct wisp_buf text = WISP_BUF_INIT, file = WISP_BUF_INIT;
	char id[WISP_HASH_SIZE];

	wisp_object_commit(&text, false, id, &file);
	CHECK_INT(file.len, sizeof want - 1, "how many bytes");
	CHECK(file.len == sizeof want - 1 && memcmp(file.data, want, file.len) == 0, "which");
	wisp_buf_release(&file);
}

/* More than a block holds: `commit 70000`, a NUL and as many bytes in one of 65535 and one of the rest. */
static void
blocks(void)
{
	struct wisp_buf text = WISP_BUF_INIT, file = WISP_BUF_INIT;
	char id[WISP_HASH_SIZE];

	for (int i = 0; i < 70000; i++)
		wisp_buf_putc(&text, 'x');
	wisp_object_commit(&text, false, id, &file);
	CHECK_INT(file.len, 2 + 5 + 65535 + 5 + (70013 - 65535) + 4, "how many bytes");
	CHECK(file.len > 65542 && memcmp(file.data + 2, "\x00\xff\xff\x00\x00", 5) == 0, "the first block");
	CHECK(file.len > 65547 && memcmp(file.data + 65542, "\x01\x7e\x11\x81\xee", 5) == 0, "the last block");
	wisp_buf_release(&text);
	wisp_buf_release(&file);
}

int
main(void)
{
	ids();
	bytes();
	blocks();
	return unit_done();
}
