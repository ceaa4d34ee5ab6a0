/*
 * hash: known sums, trees that must differ, ids.
 */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sha2.h>

#include "core/file.h"
#include "core/hash.h"
#include "unit.h"

#define EMPTY "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define MILLION_A "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"

static void
put(const char *path, const char *text)
{
	if (wisp_file_write(path, text, strlen(text), WISP_NOSYNC) < 0)
		die_sys("cannot write '%s'", path);
}

static void
test_sums(void)
{
	size_t len = 1000000;
	char hex[WISP_HASH_SIZE], *a = wisp_alloc(len + 1, 1);

	memset(a, 'a', len);
	wisp_hash("", 0, hex);
	CHECK_STR(hex, EMPTY, "nothing");
	wisp_hash("abc", 3, hex);
	CHECK_STR(hex, ABC, "abc");
	wisp_hash(a, len, hex);
	CHECK_STR(hex, MILLION_A, "a million of a");
	put("f", a);
	CHECK_INT(wisp_hash_file("f", hex), 0, "a file");
	CHECK_STR(hex, MILLION_A, "has the sum of its bytes");
	put("f", "");
	CHECK_INT(wisp_hash_file("f", hex), 0, "an empty file");
	CHECK_STR(hex, EMPTY, "has the sum of nothing");
	CHECK_INT(wisp_hash_file("none", hex), -1, "a missing file");
	CHECK_INT(errno, ENOENT, "is ENOENT");
	CHECK_INT(wisp_hash_file(".", hex), -1, "a folder");
	CHECK_INT(errno, EINVAL, "is EINVAL");
	unlink("f");
	free(a);
}

/* Some processors have instructions for whole blocks: of any length the sum is what the library says. */
static void
test_lengths(void)
{
	char data[300], hex[WISP_HASH_SIZE], known[SHA256_DIGEST_STRING_LENGTH];

	for (size_t i = 0; i < sizeof data; i++)
		data[i] = (char)(i * 7 + i / 64);
	for (size_t len = 0; len <= sizeof data; len++) {
		wisp_hash(data, len, hex);
		SHA256Data((const uint8_t *)data, len, known);
		if (strcmp(hex, known) != 0 || len == sizeof data)
			CHECK_STR(hex, known, "a length");
	}
}

/* The hash of the tree `t` must not be among `seen`, and joins it. */
static void
differs(char seen[][WISP_HASH_SIZE], size_t *n, const char *label)
{
	size_t i;

	CHECK_INT(wisp_hash_tree("t", seen[*n]), 0, label);
	for (i = 0; i < *n; i++)
		if (strcmp(seen[i], seen[*n]) == 0)
			break;
	CHECK_INT(i, *n, "is unlike all before");
	++*n;
}

static void
test_tree(void)
{
	char seen[20][WISP_HASH_SIZE], hex[WISP_HASH_SIZE];
	size_t n = 0;

	CHECK_INT(wisp_dir_make("t"), 0, "a tree");
	differs(seen, &n, "empty");
	put("t/a", "x");
	differs(seen, &n, "a file");
	put("t/a", "y");
	differs(seen, &n, "other contents");
	chmod("t/a", 0755);
	differs(seen, &n, "the exec bit");
	chmod("t/a", 0700);
	CHECK(wisp_hash_tree("t", hex) == 0 && strcmp(hex, seen[n - 1]) == 0, "other bits mean nothing");
	put("t/b", "");
	differs(seen, &n, "two files");
	CHECK_INT(wisp_file_move("t/b", "t/c", WISP_NOSYNC), 0, "another name");
	differs(seen, &n, "another name");
	unlink("t/c");
	CHECK_INT(wisp_dir_make("t/c"), 0, "a folder of that name");
	differs(seen, &n, "a folder");
	put("t/c/d", "");
	differs(seen, &n, "a file in it");
	CHECK_INT(wisp_file_move("t/c/d", "t/d", WISP_NOSYNC), 0, "the same beside it");
	differs(seen, &n, "a file beside it");
	CHECK_INT(symlink("x", "t/e"), 0, "a link");
	differs(seen, &n, "a broken link");
	unlink("t/e");
	CHECK_INT(symlink("y", "t/e"), 0, "another link");
	differs(seen, &n, "a link elsewhere");
	CHECK_INT(mkfifo("t/z", 0600), 0, "a FIFO");
	differs(seen, &n, "a FIFO, which is not read");
	CHECK_INT(wisp_file_copy("t/a", "t/A", WISP_NOSYNC), 0, "again");
	differs(seen, &n, "one more");
	unlink("t/A");
	unlink("t/z");
	CHECK(wisp_hash_tree("t", hex) == 0 && strcmp(hex, seen[n - 3]) == 0, "and back");
	CHECK_INT(wisp_hash_tree("none", hex), -1, "a missing tree");
	CHECK_INT(errno, ENOENT, "is ENOENT");
	CHECK_INT(wisp_hash_tree("t/a", hex), -1, "a file");
	CHECK_INT(errno, ENOTDIR, "is ENOTDIR");
}

static void
test_uuid(void)
{
	char a[WISP_UUID_SIZE], b[WISP_UUID_SIZE];
	bool ok = true;
	int i;

	wisp_uuid(a);
	for (i = 0; i < 36; i++)
		ok = ok && (i == 8 || i == 13 || i == 18 || i == 23 ? a[i] == '-' : strchr("0123456789abcdef", a[i]) != NULL);
	CHECK(ok && a[36] == '\0', "the form of a UUID");
	for (i = 0, ok = true; i < 100; i++) {
		wisp_uuid(b);
		ok = ok && strcmp(a, b) != 0 && b[14] == '4' && strchr("89ab", b[19]) != NULL;
	}
	CHECK(ok, "version 4, never the same");
}

int
main(void)
{
	const char *tmp = getenv("TMPDIR");
	char *dir = wisp_str("%s/unit-hash-XXXXXX", tmp != NULL ? tmp : "/tmp");

	if (mkdtemp(dir) == NULL || chdir(dir) < 0)
		die_sys("cannot make '%s'", dir);
	test_sums();
	test_lengths();
	test_tree();
	test_uuid();
	if (chdir("/") < 0 || wisp_dir_remove(dir) < 0)
		die_sys("cannot remove '%s'", dir);
	free(dir);
	return unit_done();
}
