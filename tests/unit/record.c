/*
 * record: what is kept beside record.json, what takes its place where that is
 * missing or damaged, and what a step notes over it.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "core/create.h"
#include "core/session.h"
#include "core/turn.h"
#include "unit.h"

#define LIST "[{\"category\": \"test\", \"description\": \"one\", \"steps\": [], \"passes\": false}]\n"

static char top[64];
static struct wisp_place place;

/* A file of the record's folder; the caller frees it. */
static char *
at_home(const char *name)
{
	return wisp_str("%s/%s", place.home, name);
}

static void
put(const char *path, const char *data, size_t len)
{
	CHECK_INT(wisp_file_write(path, data, len, WISP_NOSYNC), 0, path);
}

static void
open_record(struct wisp_record *r, enum wisp_record_mode mode)
{
	struct wisp_err err = WISP_ERR_INIT;

	if (wisp_record_open(r, &place, mode, &err) != 0) {
		CHECK_STR(err.text, NULL, "the record opens");
		exit(1);
	}
}

/* A session whose step 1 was recorded: record.last.json has it as it was begun. */
static void
set_up(void)
{
	struct wisp_create c = {.template = "default", .agent = "replay"};
	struct wisp_err err = WISP_ERR_INIT;
	char *list;

	snprintf(top, sizeof top, "/tmp/wisp-record-XXXXXX");
	if (mkdtemp(top) == NULL)
		exit(111);
	place = (struct wisp_place){.project = wisp_str("%s/p", top), .branch = wisp_strdup("b"), .dir = wisp_str("%s/p/.wisp/sessions/b", top),
				    .home = wisp_str("%s/home/b", top), .shared = wisp_str("%s/home", top)};
	CHECK_INT(wisp_dir_make(place.dir), 0, "a folder");
	list = wisp_str("%s/list", top);
	put(list, LIST, strlen(LIST));
	c.tasks = list;
	CHECK_INT(wisp_create(&place, &c, &err), 0, "a session is made");
	free(list);
}

static void
tear_down(void)
{
	CHECK_INT(wisp_dir_remove(top), 0, "the folder goes");
	wisp_place_release(&place);
}

/* Commits the record with this as its reason. */
static void
commit(const char *reason)
{
	struct wisp_record r;

	open_record(&r, WISP_WRITE);
	wisp_json_set_str(r.doc, "reason", reason);
	CHECK_INT(wisp_record_commit(&r), 0, reason);
	wisp_record_release(&r);
}

static void
has(enum wisp_record_mode mode, const char *reason, const char *label)
{
	struct wisp_record r;

	open_record(&r, mode);
	CHECK_STR(wisp_json_str(r.doc, "reason", NULL), reason, label);
	CHECK(wisp_json_get(r.doc, "base") == NULL, "nothing of the notes' own is in it");
	wisp_record_release(&r);
}

static const struct {
	const char *label, *data;
	size_t len;
	const char *why;
} damages[] = {
	{"missing", NULL, 0, "was missing: "},
	{"empty", "", 0, "was damaged (empty): "},
	{"torn", "{\"version\": 1, \"ses", 18, "was damaged (ends inside a string): "},
	{"zeroed", "\0\0\0\0\0\0\0\0", 8, "was damaged (a NUL byte): "},
	{"no object", "[1]", 3, "was damaged (expected an object): "},
};

static void
test_damage(size_t i)
{
	char *path, *aside, *text;
	struct wisp_record r;

	set_up();
	commit("first");
	commit("second");
	path = at_home(WISP_RECORD);
	aside = at_home(WISP_RECORD_DAMAGED);
	if (damages[i].data == NULL)
		CHECK_INT(unlink(path), 0, "it goes");
	else
		put(path, damages[i].data, damages[i].len);
	open_record(&r, WISP_READ);
	text = wisp_record_back_text(&r);
	CHECK(r.back && text != NULL && strstr(text, damages[i].why) != NULL, text != NULL ? text : damages[i].label);
	free(text);
	wisp_record_release(&r);
	CHECK_INT(damages[i].data != NULL, wisp_file_exists(path), "who reads changes nothing");
	has(WISP_WRITE, "first", damages[i].label);
	CHECK_INT(damages[i].data != NULL, wisp_file_exists(aside), "what was damaged is kept");
	has(WISP_READ, "first", "and the record is whole again");
	open_record(&r, WISP_READ);
	CHECK(!r.back && wisp_json_get(r.doc, "back") != NULL, "which is said until a loop starts");
	wisp_record_release(&r);
	free(aside);
	free(path);
	tear_down();
}

/* Nothing was kept: the published files are what there is. */
static void
test_published(void)
{
	struct wisp_record r;
	char *path, *last, *text;

	set_up();
	commit("first");
	path = at_home(WISP_RECORD);
	last = at_home(WISP_RECORD_LAST);
	put(path, "", 0);
	put(last, "", 0);
	open_record(&r, WISP_WRITE);
	text = wisp_record_back_text(&r);
	CHECK(r.rebuilt && text != NULL && strstr(text, "what is in its published files, of ") != NULL, text != NULL ? text : "no text");
	free(text);
	CHECK_STR(wisp_json_str(wisp_record_session(&r), "branch", NULL), "b", "the session is there");
	wisp_record_release(&r);
	free(last);
	free(path);
	tear_down();
}

/* A newer wisp's record is not damaged. */
static void
test_version(void)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_record r;
	char *path;

	set_up();
	commit("first");
	path = at_home(WISP_RECORD);
	put(path, "{\"version\": 2}", 14);
	CHECK_INT(wisp_record_open(&r, &place, WISP_WRITE, &err), -1, "it is refused");
	CHECK_STR(err.text, "version: expected 1", "and says why");
	wisp_err_release(&err);
	free(path);
	tear_down();
}

static void
save(const char *reason)
{
	struct wisp_record r;

	open_record(&r, WISP_WRITE);
	wisp_json_set_str(r.doc, "reason", reason);
	CHECK_INT(wisp_record_save(&r), 0, reason);
	wisp_record_release(&r);
}

static void
test_notes(void)
{
	struct wisp_buf synced = WISP_BUF_INIT;
	char *path, *now;

	set_up();
	commit("begun");
	path = at_home(WISP_RECORD);
	now = at_home(WISP_RECORD_NOW);
	CHECK_INT(wisp_file_read(path, WISP_FILE_MAX, &synced), 0, "the record");
	save("ran");
	has(WISP_READ, "ran", "the next one finds what was noted");
	save("verified");
	has(WISP_WRITE, "verified", "and that which came after it");
	CHECK(wisp_file_holds(path, synced.data, synced.len), "the record itself is as it was synced");
	put(now, "", 0);
	has(WISP_WRITE, "begun", "a power cut may take the notes");
	save("ran");
	commit("recorded");
	CHECK(!wisp_file_exists(now), "they end with the next commit");
	has(WISP_READ, "recorded", "which holds");
	save("ran again");
	put(path, synced.data, synced.len);
	has(WISP_READ, "begun", "notes over another record count for nothing");
	wisp_buf_release(&synced);
	free(now);
	free(path);
	tear_down();
}

/* The record that is gone had begun a step: it is open, and lost. */
static void
test_lost_step(void)
{
	struct wisp_record r;
	char *path = NULL, *folder;

	set_up();
	commit("recorded");
	commit("begun");
	folder = wisp_str("%s/steps/0001", place.dir);
	CHECK_INT(wisp_dir_make(folder), 0, "a folder");
	path = at_home(WISP_RECORD);
	put(path, "", 0);
	open_record(&r, WISP_READ);
	CHECK(wisp_turn_step(&r) == NULL, "one that never ran was not begun");
	wisp_record_release(&r);
	free(path);
	path = wisp_str("%s/prompt.md", folder);
	put(path, "do it", 5);
	free(folder);
	folder = wisp_str("%s/steps/0007", place.dir);
	CHECK_INT(wisp_dir_make(folder), 0, "a folder of an agent");
	open_record(&r, WISP_WRITE);
	CHECK_STR(wisp_json_str(wisp_turn_step(&r), "name", NULL), "0001", "the step that was begun");
	CHECK_STR(wisp_json_str(wisp_turn_step(&r), "stage", NULL), "begun", "is open");
	CHECK(wisp_json_bool(wisp_turn_step(&r), "damaged", false), "and lost");
	CHECK_INT(wisp_json_int(wisp_record_session(&r), "loop_count", 0), 1, "it keeps its number");
	CHECK(wisp_session_total(wisp_record_session(&r), "agent_calls") == 1, "and is a call");
	wisp_record_release(&r);
	free(folder);
	free(path);
	tear_down();
}

/* What stands in the place of a file of the record. */
static void
forge(const char *path, const char *how)
{
	CHECK_INT(wisp_dir_remove(path), 0, path);
	if (strcmp(how, "changed") == 0)
		put(path, "{\"version\": 1}", 14);
	else if (strcmp(how, "a folder") == 0)
		CHECK_INT(mkdir(path, 0700), 0, path);
	else if (strcmp(how, "a pipe") == 0)
		CHECK_INT(mkfifo(path, 0600), 0, path);
	else if (strcmp(how, "sparse") == 0) {
		put(path, "", 0);
		CHECK_INT(truncate(path, (off_t)1 << 40), 0, path);
	}
}

/* Opens with the seal: 0, or 2 with the name of the file, which is moved aside. */
static void
unseal(const struct wisp_buf *seal, int want, const char *path, const char *label)
{
	struct wisp_buf names = WISP_BUF_INIT;
	struct wisp_err err = WISP_ERR_INIT;
	char *aside = wisp_str("%s.changed", path);
	bool there = wisp_file_exists(path);
	struct wisp_record r;

	CHECK_INT(wisp_record_open_sealed(&r, &place, WISP_WRITE, seal->data, &names, &err), want, label);
	CHECK_STR(names.len > 0 ? names.data : NULL, want == 0 ? NULL : path, label);
	if (want == 0)
		wisp_record_release(&r);
	else
		CHECK(!wisp_file_exists(path) && wisp_file_exists(aside) == there, label);
	free(aside);
	wisp_buf_release(&names);
	wisp_err_release(&err);
}

/*
 * The seal is of what was read and written here: a file that somebody changes after that, `before` it is asked for or after
 * it, is told.
 */
static void
test_seal(const char *name, const char *how, bool before)
{
	char *path, *label = wisp_str("%s %s, %s", name, how, before ? "before" : "after");
	struct wisp_buf seal = WISP_BUF_INIT, names = WISP_BUF_INIT;
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_record r;

	set_up();
	path = at_home(name);
	commit("begun");
	open_record(&r, WISP_WRITE);
	CHECK_INT(wisp_record_save(&r), 0, label);
	wisp_record_seal(&r, &seal);
	wisp_record_release(&r);
	unseal(&seal, 0, path, label);
	CHECK_INT(wisp_record_open_sealed(&r, &place, WISP_WRITE, seal.data, &names, &err), 0, label);
	wisp_buf_reset(&seal);
	if (before)
		forge(path, how);
	wisp_record_seal(&r, &seal);
	wisp_record_release(&r);
	if (!before)
		forge(path, how);
	unseal(&seal, 2, path, label);
	wisp_buf_release(&seal);
	free(path);
	free(label);
	tear_down();
}

/* What a commit links as the record before is what was read here, or it is told. */
static void
test_seal_linked(void)
{
	struct wisp_buf seal = WISP_BUF_INIT;
	char *path, *last;
	struct wisp_record r;

	set_up();
	path = at_home(WISP_RECORD);
	last = at_home(WISP_RECORD_LAST);
	open_record(&r, WISP_WRITE);
	CHECK_INT(wisp_record_commit(&r), 0, "committed");
	wisp_record_seal(&r, &seal);
	wisp_record_release(&r);
	unseal(&seal, 0, last, "as it was");
	open_record(&r, WISP_WRITE);
	forge(path, "changed");
	CHECK_INT(wisp_record_commit(&r), 0, "committed over it");
	wisp_buf_reset(&seal);
	wisp_record_seal(&r, &seal);
	wisp_record_release(&r);
	unseal(&seal, 2, last, "another record, linked");
	wisp_buf_release(&seal);
	free(last);
	free(path);
	tear_down();
}

/* How many tasks pass is known without the list. */
static void
test_counts(void)
{
	struct wisp_record r;
	struct wisp_buf b = WISP_BUF_INIT;
	size_t passed = 7, total = 7;
	char *good;
	const char *sha;

	set_up();
	open_record(&r, WISP_WRITE);
	sha = wisp_json_str(r.doc, "good", "");
	good = wisp_str("%s/good/%s", place.home, sha);
	CHECK(wisp_record_good_bytes(&r, NULL, &b) && strcmp(b.data, LIST) == 0, "the good list, unparsed");
	put(good, LIST " ", strlen(LIST " "));
	CHECK(!wisp_record_good_bytes(&r, sha, &b), "it is none where the copy is no longer what its name says");
	CHECK(!wisp_record_good_bytes(&r, "f", &b), "nor where there is no copy");
	wisp_buf_release(&b);
	wisp_record_counts(&r, &passed, &total);
	CHECK(passed == 0 && total == 1, "the record knows how many there are");
	wisp_json_set_str(r.doc, "good", "f");
	wisp_record_counts(&r, &passed, &total);
	CHECK(passed == 0 && total == 0, "of that list, and of no other");
	put(good, LIST, strlen(LIST));
	wisp_json_set_str(r.doc, "good", wisp_json_str(wisp_json_get(r.doc, "counts"), "good", ""));
	wisp_json_drop(r.doc, "counts");
	wisp_record_counts(&r, &passed, &total);
	CHECK(passed == 0 && total == 1, "a record of an older wisp knows nothing: the list is read");
	free(good);
	wisp_record_release(&r);
	tear_down();
}

int
main(void)
{
	static const char *const sealed[] = {WISP_RECORD, WISP_RECORD_LAST, WISP_RECORD_NOW};
	static const char *const forged[] = {"changed", "gone", "a folder", "a pipe", "sparse"};

	for (size_t i = 0; i < sizeof damages / sizeof *damages; i++)
		test_damage(i);
	test_published();
	test_version();
	test_notes();
	test_lost_step();
	for (size_t i = 0; i < 3 * 5 * 2; i++)
		test_seal(sealed[i % 3], forged[i / 3 % 5], i < 3 * 5);
	test_seal_linked();
	test_counts();
	return unit_done();
}
