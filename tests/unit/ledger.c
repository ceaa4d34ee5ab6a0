/*
 * ledger: what is kept of each task's claims, over steps, verify, rollback and a
 * list that a person changed; and the counts that outlive the history window.
 */
#include "core/create.h"
#include "core/ledger.h"
#include "parse.h"
#include "unit.h"

#define TASK(name, passes) "{\"id\": \"" name "\", \"category\": \"test\", \"description\": \"" name "\", \"steps\": [], \"passes\": " passes "}"

static char dir[64];
static struct wisp_place place;
static struct wisp_record r;

/* The good list is this one from now on. */
static void
list(const char *text)
{
	struct wisp_tasks t = {0};
	struct wisp_err err = WISP_ERR_INIT;

	CHECK_INT(wisp_tasks_parse(&t, text, strlen(text), "test", &err), WISP_VALID, err.text != NULL ? err.text : "a list");
	CHECK_INT(wisp_record_keep_tasks(&r, &t), 0, "it is kept");
	wisp_tasks_release(&t);
	wisp_err_release(&err);
}

/* A step from commit `a` with these claims ends as `entry` says, at `head`. */
static void
settle(const char *step, const char *entry, const char *head)
{
	struct cJSON *e = entry == NULL ? NULL : parse(entry);

	wisp_json_set(r.doc, "step", parse(step));
	wisp_ledger_settle(&r, e, head);
	wisp_json_free(e);
}

static void
holds(const char *member, const char *want, const char *label)
{
	struct wisp_buf b = WISP_BUF_INIT;

	wisp_json_print_compact(&b, wisp_json_get(r.doc, member));
	CHECK_STR(b.data, want, label);
	wisp_buf_release(&b);
}

#define ENTRY(state, verify) "{\"iteration\": 1, \"outcome\": \"ok\", \"state\": \"" state "\", \"verify\": \"" verify "\"}"
#define STEP(n, claims) "{\"iteration\": " n ", \"head\": \"a\", \"claims\": " claims "}"
#define LINE(n, name, claims, claimed, refused, verify, commit, iteration) \
	"{\"task\":" n ",\"name\":\"" name "\",\"claims\":" claims ",\"claimed\":" claimed ",\"refused\":" refused \
	",\"verify\":\"" verify "\",\"commit\":" commit ",\"iteration\":" iteration "}"
#define SAW "\"observed\":{\"tests_total\":3},\"claimed_differs\":[\"tests_run\"]"
#define OBSERVED(verify) "{\"iteration\": 4, \"outcome\": \"ok\", \"state\": \"valid\", \"verify\": \"" verify "\", " SAW "}"
/* A line of a claim with which this was observed. */
#define SEEN(n, name, claims, claimed, refused, verify, commit, iteration) \
	"{\"task\":" n ",\"name\":\"" name "\",\"claims\":" claims ",\"claimed\":" claimed ",\"refused\":" refused \
	",\"verify\":\"" verify "\",\"commit\":" commit ",\"iteration\":" iteration "," SAW "}"

/* One step each, on an empty ledger, that claims task 2. */
static const struct {
	const char *label, *claims, *entry, *head, *list, *want;
} cases[] = {
	{"no claim", "[]", ENTRY("valid", "skipped"), "b", "false", "[]"},
	{"none at all", "null", ENTRY("valid", "skipped"), "b", "false", "[]"},
	{"verified and committed", "[2]", ENTRY("valid", "passed"), "b", "true",
	  "[" LINE("2", "t2", "1", "4", "0", "passed", "\"b\"", "4") "]"},
	{"nothing to verify with", "[2]", ENTRY("valid", "none"), "b", "true",
	  "[" LINE("2", "t2", "1", "4", "0", "none", "\"b\"", "4") "]"},
	{"verify was not due", "[2]", ENTRY("valid", "skipped"), "b", "true",
	  "[" LINE("2", "t2", "1", "4", "0", "none", "\"b\"", "4") "]"},
	{"no commit was made", "[2]", ENTRY("valid", "passed"), "a", "true",
	  "[" LINE("2", "t2", "1", "4", "0", "passed", "null", "4") "]"},
	{"HEAD was not observed", "[2]", ENTRY("valid", "passed"), NULL, "true",
	  "[" LINE("2", "t2", "1", "4", "0", "passed", "null", "4") "]"},
	{"observed, and claimed otherwise", "[2]", OBSERVED("passed"), "b", "true",
	  "[" SEEN("2", "t2", "1", "4", "0", "passed", "\"b\"", "4") "]"},
	{"observed where it was taken back", "[2]", OBSERVED("failed"), "b", "false",
	  "[" SEEN("2", "t2", "1", "4", "1", "failed", "null", "null") "]"},
	{"verify failed", "[2]", ENTRY("valid", "failed"), "b", "false",
	  "[" LINE("2", "t2", "1", "4", "1", "failed", "null", "null") "]"},
	{"no valid state", "[2]", ENTRY("missing", "skipped"), "b", "false",
	  "[" LINE("2", "t2", "1", "4", "1", "none", "null", "null") "]"},
	{"cut by a usage limit", "[2]", NULL, "b", "false",
	  "[" LINE("2", "t2", "1", "4", "1", "none", "null", "null") "]"},
	{"a number that no task has", "[0, 9]", ENTRY("valid", "passed"), "b", "false", "[]"},
};

static void
test_claims(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *step = wisp_str("{\"iteration\": 4, \"head\": \"a\", \"claims\": %s}", cases[i].claims);

		list(strcmp(cases[i].list, "true") == 0 ? "[" TASK("t1", "false") "," TASK("t2", "true") "]"
							 : "[" TASK("t1", "false") "," TASK("t2", "false") "]");
		wisp_json_set_null(r.doc, "ledger");
		settle(step, cases[i].entry, cases[i].head);
		holds("ledger", cases[i].want, cases[i].label);
		free(step);
	}
}

static void
test_over_time(void)
{
	wisp_json_set_null(r.doc, "ledger");
	list("[" TASK("t1", "false") "," TASK("t2", "false") "]");
	settle(STEP("1", "[2]"), ENTRY("valid", "failed"), "b");
	list("[" TASK("t1", "false") "," TASK("t2", "true") "]");
	settle(STEP("2", "[2]"), ENTRY("valid", "passed"), "c");
	holds("ledger", "[" LINE("2", "t2", "2", "2", "1", "passed", "\"c\"", "2") "]", "claimed again, and it holds");
	list("[" TASK("t1", "true") "," TASK("t2", "true") "]");
	settle(STEP("3", "[1]"), ENTRY("valid", "passed"), "d");
	holds("ledger", "[" LINE("1", "t1", "1", "3", "0", "passed", "\"d\"", "3") ","
	      LINE("2", "t2", "2", "2", "1", "passed", "\"c\"", "2") "]", "in the order of the list");
	list("[" TASK("new", "false") "," TASK("t2", "true") "," TASK("t1", "true") "]");
	settle(STEP("4", "[]"), ENTRY("valid", "skipped"), "d");
	holds("ledger", "[" LINE("2", "t2", "2", "2", "1", "passed", "\"c\"", "2") ","
	      LINE("3", "t1", "1", "3", "0", "passed", "\"d\"", "3") "]", "a person reordered the list");
	wisp_ledger_rollback(&r, 2);
	holds("ledger", "[" LINE("2", "t2", "2", "2", "1", "passed", "\"c\"", "2") ","
	      LINE("3", "t1", "1", "null", "0", "none", "null", "null") "]", "rolled back to iteration 2");
	list("[" TASK("t2", "false") "]");
	settle(STEP("5", "[]"), ENTRY("valid", "skipped"), "d");
	holds("ledger", "[" LINE("1", "t2", "2", "2", "1", "passed", "null", "null") "]", "open again, and one task is gone");
	settle(STEP("6", "[1]"), OBSERVED("failed"), "d");
	holds("ledger", "[" SEEN("1", "t2", "3", "6", "2", "failed", "null", "null") "]", "observed of the last claim");
	wisp_ledger_rollback(&r, 6);
	holds("ledger", "[" SEEN("1", "t2", "3", "6", "2", "failed", "null", "null") "]", "that claim stays");
	wisp_ledger_rollback(&r, 5);
	holds("ledger", "[" LINE("1", "t2", "3", "null", "2", "none", "null", "null") "]", "rolled back: nothing was observed");
	settle(STEP("6", "[1]"), OBSERVED("failed"), "d");
	settle(STEP("7", "[1]"), ENTRY("valid", "failed"), "d");
	holds("ledger", "[" LINE("1", "t2", "5", "7", "4", "failed", "null", "null") "]", "the last claim had none");
}

static void
test_tally(void)
{
	wisp_json_set_null(r.doc, "tally");
	settle(STEP("1", "[]"), "{\"iteration\": 1, \"outcome\": \"ok\", \"tampered\": [\"x\", \"y\"]}", NULL);
	settle(STEP("2", "[]"), "{\"iteration\": 2, \"outcome\": \"ok\", \"tampered\": [\"x\"], \"protected\": [\"t/a\"], "
	       "\"claimed_differs\": [\"tests_run\"]}", NULL);
	settle(STEP("3", "[]"), NULL, NULL);
	holds("tally", "{\"outcomes\":{\"ok\":2,\"limit\":1},"
	      "\"tampered\":[{\"name\":\"x\",\"times\":2,\"iteration\":2},{\"name\":\"y\",\"times\":1,\"iteration\":1}],"
	      "\"protected\":[{\"name\":\"t/a\",\"times\":1,\"iteration\":2}],"
	      "\"claimed_differs\":[{\"name\":\"tests_run\",\"times\":1,\"iteration\":2}]}", "what outlives the window");
	for (int i = 0; i < 60; i++) {
		char *entry = wisp_str("{\"iteration\": 9, \"outcome\": \"ok\", \"tampered\": [\"n%d\"]}", i);

		settle(STEP("9", "[]"), entry, NULL);
		free(entry);
	}
	CHECK_INT(wisp_json_len(wisp_json_get(wisp_json_get(r.doc, "tally"), "tampered")), 50, "50 names, no more");
}

int
main(void)
{
	struct wisp_create c = {.template = "tdd", .agent = "replay"};
	struct wisp_err err = WISP_ERR_INIT;

	snprintf(dir, sizeof dir, "/tmp/wisp-ledger-XXXXXX");
	if (mkdtemp(dir) == NULL || wisp_place_dir(&place, dir, &err) != 0 || wisp_create(&place, &c, &err) != 0 ||
	    wisp_record_open(&r, &place, WISP_WRITE, &err) != 0)
		return 111;
	settle(STEP("1", "[1]"), ENTRY("valid", "none"), "b");
	CHECK_INT(wisp_json_len(wisp_json_get(r.doc, "ledger")), 0, "no task list, no entry");
	test_claims();
	test_over_time();
	test_tally();
	wisp_record_release(&r);
	CHECK_INT(wisp_dir_remove(dir), 0, "the folder goes");
	wisp_place_release(&place);
	return unit_done();
}
