/*
 * pool: who gets how much of a shared budget, what is waited for, and what
 * becomes of pool.json whatever happens to it or to the sessions.
 */
#include <math.h>
#include <unistd.h>

#include "core/config.h"
#include "core/create.h"
#include "core/pool.h"
#include "core/pool_file.h"
#include "core/session.h"
#include "core/turn.h"
#include "unit.h"

#define NOW ((wisp_ms)1768568400000)	/* 2026-01-16T13:00:00Z */
#define MINUTE ((wisp_ms)60000)
#define HOUR (60 * MINUTE)

/* Of another session, on a branch that begins with `gone` where its loop is not there any more. */
#define S(id, branch, cost, reserved) "\"" id "\": {\"branch\": \"" branch "\", \"cost_usd\": " cost ", \"reserved_usd\": " reserved ", \"calls\": 1}"
#define NO NAN

static const struct {
	const char *label;
	double parallel;
	const char *most, *sessions;
	double own;
	bool capped;
	double dearest;
	enum wisp_limit what;
	double cap;
} shares[] = {
	{"no ceiling, no limit", 3, "null", S("a", "a", "50", "null"), NO, false, 0, WISP_GO, NO},
	{"no ceiling: its own limits", 3, "null", S("a", "a", "50", "9"), 4, false, 0, WISP_GO, 4},
	{"the first of three", 3, "9", "", NO, false, 0, WISP_GO, 3},
	{"the second of three", 3, "9", S("a", "a", "0", "3"), NO, false, 0, WISP_GO, 3},
	{"the third of three", 3, "9", S("a", "a", "0", "3") "," S("b", "b", "0", "3"), NO, false, 0, WISP_GO, 3},
	{"a fourth, of three", 3, "9", S("a", "a", "0", "2") "," S("b", "b", "0", "2") "," S("c", "c", "0", "2"), NO, false, 0, WISP_GO, 3},
	{"one at a time gets all", 1, "9", S("a", "a", "2.5", "null"), NO, false, 0, WISP_GO, 6.5},
	{"a share in millionths, never more than there is", 3, "0.000002", "", NO, false, 0, WISP_GO, 0.000002},
	{"20 less 19.3 is 0.7", 1, "20", S("a", "a", "19.3", "null"), NO, false, 0, WISP_GO, 0.7},
	{"its own limits leave less", 3, "9", "", 0.5, false, 0, WISP_GO, 0.5},
	{"its own limits leave more", 3, "9", "", 20, false, 0, WISP_GO, 3},
	{"maxStepCostUsd stands for the share", 3, "9", "", 5, true, 0, WISP_GO, 5},
	{"... as long as that much is left", 3, "9", S("a", "a", "6", "null"), 5, true, 0, WISP_GO, 3},
	{"no less than the dearest step took", 3, "9", S("a", "a", "6", "null"), NO, false, 2, WISP_GO, 2},
	{"... as long as that much is left", 3, "9", S("a", "a", "8", "null"), NO, false, 2, WISP_GO, 1},
	{"all is spent", 3, "9", S("a", "a", "9", "null"), NO, false, 0, WISP_LIMIT_COST, 0},
	{"more than all is spent", 3, "9", S("a", "a", "5", "null") "," S("b", "b", "5", "null"), NO, false, 0, WISP_LIMIT_COST, 0},
	{"a ceiling of nothing", 3, "0", "", NO, false, 0, WISP_LIMIT_COST, 0},
	{"others have reserved it all", 3, "9", S("a", "a", "4", "5"), NO, false, 0, WISP_LIMIT_WAIT, 0},
	{"spent, and others can give nothing back that would do", 3, "9", S("a", "a", "9", "1"), NO, false, 0, WISP_LIMIT_WAIT, 0},
	{"what others leave is less than a step takes", 3, "9", S("a", "a", "3", "5"), NO, false, 2, WISP_LIMIT_WAIT, 0},
	{"... and as much as it takes", 3, "9", S("a", "a", "3", "4"), NO, false, 2, WISP_GO, 2},
	{"... unless its own limits leave no more either", 3, "9", S("a", "a", "3", "5"), 1, false, 2, WISP_GO, 1},
	{"nobody waits for a loop that is gone", 3, "9", S("a", "gone", "4", "5"), NO, false, 0, WISP_LIMIT_COST, 0},
	{"... nor for less than a step takes", 3, "9", S("a", "gone", "3", "5"), NO, false, 2, WISP_GO, 1},
	{"... and it takes no share", 2, "9", S("a", "gone", "0", "3"), NO, false, 0, WISP_GO, 3},
	{"what it reserved itself is not in its way", 1, "9", S("me", "me", "1", "8"), NO, false, 0, WISP_GO, 8},
	{"sessions that ended keep their cost", 1, "9", S("a", "gone", "4", "null") "," S("b", "gone-b", "4", "null"), NO, false, 0, WISP_GO, 1},
};

static bool
lives(void *arg, const struct cJSON *entry)
{
	(void)arg;
	return strncmp(wisp_json_str(entry, "branch", ""), "gone", 4) != 0;
}

static void
test_shares(void)
{
	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
		char *text = wisp_str("{\"parallel\": %g, \"max_cost_usd\": %s, \"sessions\": {%s}}", shares[i].parallel, shares[i].most,
				      shares[i].sessions);
		struct cJSON *pool = wisp_json_parse(text, strlen(text), "test", NULL);
		struct wisp_pool_need need = {"me", shares[i].own, shares[i].capped, shares[i].dearest};
		struct wisp_pool_share s;

		wisp_pool_share(&s, pool, &need, lives, NULL);
		CHECK_INT(s.what, shares[i].what, shares[i].label);
		if (shares[i].what == WISP_GO)
			CHECK(isnan(shares[i].cap) ? isnan(s.cap) : s.cap == shares[i].cap, shares[i].label);
		wisp_json_free(pool);
		free(text);
	}
}

/* --- sessions of a project, and their pool ------------------------------- */

static char top[] = "/tmp/wisp-unit-pool-XXXXXX";

struct member {
	struct wisp_place place;
	struct wisp_record r;
	int lock;
};

static void
need(bool ok, const char *what)
{
	if (!ok)
		die_sys("cannot %s", what);
}

/* A session with a live loop; `parent` NULL: the orchestration itself. */
static void
make(struct member *m, const char *branch, const char *parent)
{
	struct wisp_create c = {.template = "default", .template_dir = "/t", .agent = "replay", .worktree = top, .parent = parent};
	struct wisp_err err = WISP_ERR_INIT;
	char *project = wisp_str("%s/repo", top), *lock;

	need(wisp_place_session(&m->place, project, branch, &err) == 0, "place it");
	need(wisp_dir_make(m->place.dir) == 0 && wisp_create(&m->place, &c, &err) == 0, "make it");
	need(wisp_record_open(&m->r, &m->place, WISP_WRITE, &err) == 0, "open it");
	if (parent == NULL)
		wisp_json_set_num(wisp_json_object_at(m->r.doc, "orchestra"), "parallel", 2);
	need(wisp_record_commit(&m->r) == 0, "commit it");
	lock = wisp_str("%s/lock", m->place.home);
	m->lock = wisp_lock(lock);
	free(lock);
	free(project);
}

static void
end(struct member *m)
{
	if (m->lock >= 0)
		close(m->lock);
	wisp_record_release(&m->r);
	wisp_place_release(&m->place);
}

static void
at(wisp_ms now)
{
	char *text = wisp_str("%lld", (long long)now);

	setenv("WISP_NOW", text, 1);
	free(text);
}

/* As `wisp-orch pool` does; most and calls below 0 for none. */
static char *
thresholds(struct member *b, double most, double calls)
{
	struct cJSON *sessions = wisp_json_object();
	struct wisp_pool p;
	char *bad;

	wisp_pool_note(sessions, &b->r);
	need(wisp_pool_make(&p, &b->r, sessions, &bad) == 0, "make the pool");
	wisp_json_set_num(p.doc, "parallel", 2);
	wisp_json_set(p.doc, "max_cost_usd", most < 0 ? NULL : wisp_json_double(most));
	wisp_json_set(p.doc, "calls_per_hour", calls < 0 ? NULL : wisp_json_double(calls));
	need(wisp_pool_commit(&p) == 0, "write the pool");
	wisp_json_free(sessions);
	return bad;
}

/* A number of the pool, by up to three keys; -1 where it is null. */
static double
pool(const struct member *b, const char *one, const char *two, const char *three)
{
	char *path = wisp_str("%s/pool.json", b->place.home);
	struct cJSON *doc = NULL;
	const struct cJSON *v;
	double n;

	need(wisp_json_load(path, &doc, NULL) == WISP_VALID, "read the pool");
	v = wisp_json_get(doc, one);
	v = two != NULL ? wisp_json_get(v, two) : v;
	v = three != NULL ? wisp_json_get(v, three) : v;
	n = wisp_json_number(v, -1);
	wisp_json_free(doc);
	free(path);
	return n;
}

static const char *
id(const struct member *m)
{
	return wisp_json_str(wisp_json_get(m->r.doc, "session"), "session_id", "");
}

static double
entry(const struct member *b, const struct member *m, const char *key)
{
	return pool(b, "sessions", id(m), key);
}

static void
take(struct member *m, bool wait, enum wisp_limit what, double cap, const char *text, const char *label)
{
	struct wisp_limit_answer a;
	struct wisp_err err = WISP_ERR_INIT;
	double got = NAN;

	CHECK_INT(wisp_pool_take(&m->r, wait, &got, &a, &err), 0, label);
	CHECK_INT(a.what, what, label);
	if (what == WISP_GO)
		CHECK(isnan(cap) ? isnan(got) : got == cap, label);
	CHECK_STR(a.text, text, label);
	wisp_limit_answer_release(&a);
}

/* Its step begins: the record says so only now. */
static void
begun(struct member *m, double cap)
{
	struct cJSON *step = wisp_json_object();

	wisp_json_set_str(step, "stage", "begun");
	wisp_json_set(step, "reserved_usd", wisp_json_double(cap));
	wisp_json_set(m->r.doc, "step", step);
	wisp_session_add(wisp_record_session(&m->r), "agent_calls", 1);
}

/* It ends, and is settled. */
static void
ran(struct member *m, const char *result)
{
	struct cJSON *r = wisp_json_parse(result, strlen(result), "test", NULL);

	wisp_turn_charge(&m->r, r);
	CHECK_INT(wisp_pool_settle(&m->r, r, NULL), 0, result);
	wisp_json_free(r);
}

#define OK(cost) "{\"outcome\": \"ok\", \"cost_usd\": " cost "}"
#define LIMIT(resets) "{\"outcome\": \"limit\", \"cost_usd\": 0, \"limit\": {\"kind\": \"five_hour\", \"resets_at\": " resets "}}"

static void
test_money(struct member *b, struct member *x, struct member *y)
{
	free(thresholds(b, 10, -1));
	take(x, true, WISP_GO, 5, NULL, "the first gets its share");
	take(x, true, WISP_GO, 5, NULL, "a begin that is repeated gets the same");
	CHECK(entry(b, x, "reserved_usd") == 5 && entry(b, x, "calls") == 1, "it is set aside once");
	begun(x, 5);
	take(y, true, WISP_GO, 5, NULL, "so does the second");
	begun(y, 5);
	take(b, true, WISP_LIMIT_WAIT, 0, "orchestration b: 0.00 of 10 USD are spent, and other agents have reserved 10.00",
	     "nothing is left for a third, now");
	take(b, false, WISP_LIMIT_RESERVED, 0, "orchestration b: 0.00 of 10 USD are spent, and other agents have reserved 10.00",
	     "who does not wait is told so");
	CHECK(entry(b, b, "reserved_usd") == -1, "who waits reserves nothing");
	ran(x, OK("1"));
	CHECK(entry(b, x, "reserved_usd") == -1 && entry(b, x, "cost_usd") == 1, "its end gives back what it did not need");
	ran(x, OK("1"));
	CHECK(entry(b, x, "cost_usd") == 1, "settled twice, it counts once");
	take(b, true, WISP_GO, 4, NULL, "which is there for others");
	CHECK_INT(wisp_pool_settle(&b->r, NULL, NULL), 0, "a start");
	CHECK(entry(b, b, "reserved_usd") == -1, "what was reserved for a step that never began is given back by a start");
	take(x, true, WISP_GO, 4, NULL, "and for itself");
	begun(x, 4);
	ran(x, OK("4"));
	ran(y, OK("5"));
	take(x, true, WISP_LIMIT_COST, 0, "orchestration b: 10.00 of 10 USD are spent", "all is spent");
	free(thresholds(b, 12, -1));
	take(x, true, WISP_GO, 2, NULL, "a person raised it: no less than a step took before, as far as it goes");
	begun(x, 2);
	close(x->lock);
	x->lock = -1;
	take(y, true, WISP_LIMIT_COST, 0, "orchestration b: 12.00 of 12 USD are spent, or were reserved by loops that are gone",
	     "what a dead loop had reserved is as good as spent");
	ran(x, OK("0.5"));
	take(y, true, WISP_GO, 1.5, NULL, "until it is settled");
	CHECK_INT(wisp_pool_settle(&y->r, NULL, NULL), 0, "given back");
	free(thresholds(b, -1, -1));
	take(y, true, WISP_GO, NAN, NULL, "no ceiling");
	CHECK_INT(wisp_pool_settle(&y->r, NULL, NULL), 0, "given back");
}

static void
test_earlier(struct member *b, struct member *y)
{
	struct wisp_create c = {.template = "default", .template_dir = "/t", .agent = "replay", .worktree = top, .replace = true};
	char *old = wisp_strdup(id(y));
	double cost = pool(b, "sessions", old, "cost_usd");

	take(y, true, WISP_GO, NAN, NULL, "a step of the session before");
	free(thresholds(b, 100, -1));
	take(y, true, WISP_GO, 50 - 5.25, NULL, "... which has reserved");
	wisp_record_release(&y->r);
	need(wisp_create(&y->place, &c, NULL) == 0 && wisp_record_open(&y->r, &y->place, WISP_WRITE, NULL) == 0, "replace it");
	CHECK_STR(wisp_json_str(y->r.doc, "parent", NULL), "b", "the one after it belongs to the same orchestration");
	CHECK_INT(wisp_pool_settle(&y->r, NULL, NULL), 0, "it starts");
	CHECK(pool(b, "sessions", old, "cost_usd") == cost + 44.75 && pool(b, "sessions", old, "reserved_usd") == -1,
	      "what that one had reserved it settles no more: it counts as spent");
	CHECK(entry(b, y, "cost_usd") == 0, "and its own sum begins at 0");
	free(old);
}

static void
look(struct member *m, wisp_ms now, enum wisp_limit what, wisp_ms until, const char *label)
{
	struct wisp_limit_answer a;

	CHECK_INT(wisp_pool_look(&m->r, true, now, &a, NULL), 0, label);
	CHECK_INT(a.what, what, label);
	CHECK_INT(a.until, until, label);
	wisp_limit_answer_release(&a);
}

static void
test_usage(struct member *x, struct member *y)
{
	at(NOW);
	begun(x, NAN);
	begun(y, NAN);
	ran(x, LIMIT("\"2026-01-16T13:30:00Z\""));
	look(y, NOW, WISP_LIMIT_WAIT, NOW + 30 * MINUTE, "what one met, all wait for");
	take(y, true, WISP_LIMIT_WAIT, 0, "orchestration b: usage limit (five_hour) until 2026-01-16T13:30:00+00:00", "and are told so");
	take(y, false, WISP_LIMIT_USAGE, 0, "orchestration b: the usage limit resets at 2026-01-16T13:30:00+00:00", "or do not wait");
	ran(y, OK("0"));
	look(y, NOW, WISP_LIMIT_WAIT, NOW + 30 * MINUTE, "a step that was under way ends well: the limit stands all the same");
	at(NOW + MINUTE);
	begun(y, NAN);
	ran(y, LIMIT("null"));
	look(x, NOW + MINUTE, WISP_LIMIT_WAIT, NOW + 30 * MINUTE, "met again without a time, it is the same one");
	begun(y, NAN);
	ran(y, LIMIT("\"2026-01-16T13:45:00Z\""));
	look(x, NOW + MINUTE, WISP_LIMIT_WAIT, NOW + 45 * MINUTE, "the later of two resets");
	look(x, NOW - 5 * HOUR, WISP_LIMIT_WAIT, NOW + 45 * MINUTE, "a clock set back moves no stated reset");
	look(x, NOW + 45 * MINUTE, WISP_GO, -1, "at the reset all go on");
	for (int i = 0; i < 9; i++) {
		at(NOW + HOUR + i * MINUTE);
		begun(y, NAN);
		ran(y, LIMIT("null"));
	}
	look(x, NOW + HOUR, WISP_LIMIT_WAIT, NOW + 2 * HOUR, "how often it was met in a row ends a run of the one that met it, not of all");
	look(x, NOW - HOUR, WISP_LIMIT_WAIT, NOW, "60 minutes that nobody stated are no more where the clock was set back");
	CHECK_INT(wisp_pool_forget(&x->r, true, NULL), 0, "a person says that it is over");
	look(x, NOW + HOUR, WISP_GO, -1, "so it is for all");
	begun(y, NAN);
	ran(y, LIMIT("\"2026-03-16T13:00:00Z\""));
	look(x, NOW + HOUR, WISP_LIMIT_USAGE, 1773666000000, "too far away for all");
	CHECK_INT(wisp_pool_forget(&x->r, true, NULL), 0, "forgotten");
}

static void
test_hour(struct member *b, struct member *x, struct member *y)
{
	at(NOW + 10 * HOUR);
	free(thresholds(b, -1, 2));
	take(x, true, WISP_GO, NAN, NULL, "one of two calls");
	take(x, true, WISP_GO, NAN, NULL, "again, before its commit");
	begun(x, NAN);
	take(y, true, WISP_GO, NAN, NULL, "two of two calls");
	begun(y, NAN);
	look(x, NOW + 10 * HOUR, WISP_LIMIT_WAIT, NOW + 11 * HOUR, "the hour is used up for all");
	take(x, true, WISP_LIMIT_WAIT, 0, "orchestration b: 2 of 2 agent starts are used this hour", "and they are told so");
	take(x, false, WISP_LIMIT_CALLS, 0, "orchestration b: 2 of 2 agent starts are used this hour", "or do not wait");
	look(x, NOW, WISP_LIMIT_WAIT, NOW + HOUR, "a clock set back waits an hour at most");
	look(x, NOW + 11 * HOUR, WISP_GO, -1, "a new hour");
	CHECK_INT(wisp_pool_forget(&x->r, false, NULL), 0, "a person begins a new one");
	look(y, NOW + 10 * HOUR, WISP_GO, -1, "for all");
	free(thresholds(b, -1, -1));
}

static void
refused(struct member *m, const char *want, const char *label)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_limit_answer a;
	double cap = NAN;
	char *text;

	CHECK_INT(wisp_pool_take(&m->r, true, &cap, &a, &err), -1, label);
	CHECK_INT(wisp_pool_settle(&m->r, NULL, NULL), -1, label);
	text = wisp_err_string(&err);
	CHECK_STR(strstr(text, "pool.json") != NULL ? strstr(text, "pool.json") : text, want, label);
	free(text);
	wisp_err_release(&err);
	wisp_limit_answer_release(&a);
}

static void
test_bad(struct member *b, struct member *x)
{
	static const struct { const char *text, *want; } bad[] = {
		{"", "pool.json: empty: wisp orchestrate --resume makes it anew"},
		{"{\"version\": 1", "pool.json:1:14: unexpected end of JSON: wisp orchestrate --resume makes it anew"},
		{"{\"version\": 1, \"parallel\": 1, \"max_cost_usd\": \"5\", \"limits\": {}, \"sessions\": {}}",
		 "pool.json:1:47: pool.max_cost_usd: expected a number, not a string: wisp orchestrate --resume makes it anew"},
		{"{\"version\": 2, \"parallel\": 1, \"limits\": {}, \"sessions\": {}}",
		 "pool.json:1:13: pool.version: expected 1: wisp orchestrate --resume makes it anew"},
		{"{\"version\": 1, \"parallel\": 1, \"limits\": {}, \"sessions\": {\"i\": {\"branch\": \"x\", \"calls\": 1}}}",
		 "pool.json:1:63: pool.sessions.i.cost_usd: is missing: wisp orchestrate --resume makes it anew"},
		{"{\"version\": 1, \"parallel\": 1, \"limits\": {}, \"sessions\": {}}",
		 "pool.json: pool.limits.hourly: is missing: wisp orchestrate --resume makes it anew"},
	};
	char *path = wisp_str("%s/pool.json", b->place.home), *aside = wisp_str("%s.bad", path), *why;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		need(wisp_file_write(path, bad[i].text, strlen(bad[i].text), WISP_NOSYNC) == 0, "write it");
		refused(x, bad[i].want, "a pool that does not hold lets nobody spend");
		CHECK(wisp_file_holds(path, bad[i].text, strlen(bad[i].text)), "and stays as it is");
	}
	why = thresholds(b, 7, -1);
	CHECK(why != NULL && strstr(why, "pool.limits.hourly") != NULL, "it is made anew, and why is told");
	CHECK(wisp_file_exists(aside) && pool(b, "max_cost_usd", NULL, NULL) == 7, "the old one is kept");
	free(why);
	need(unlink(path) == 0, "remove it");
	refused(x, "pool.json: the budget of the orchestration is missing: wisp orchestrate --resume makes it anew", "nor does one that is missing");
	CHECK_OWN(thresholds(b, 7, -1), NULL, "that is made without a word");
	free(path);
	free(aside);
}

/* Whoever belongs to none: no file, no lock, no answer. */
static void
test_alone(struct member *b, struct member *x)
{
	struct member alone, *both[] = {&alone, x};
	char *lock;

	make(&alone, "alone", "no-such-branch");
	wisp_record_release(&b->r);
	need(wisp_dir_remove(b->place.home) == 0, "remove the orchestration");
	for (int i = 0; i < 2; i++) {
		take(both[i], true, WISP_GO, NAN, NULL, "whose orchestration is gone has limits of its own");
		CHECK_INT(wisp_pool_settle(&both[i]->r, NULL, NULL), 0, "nothing to settle");
	}
	wisp_json_drop(alone.r.doc, "parent");
	CHECK(wisp_pool_of(&alone.r) == NULL, "most sessions belong to none");
	take(&alone, true, WISP_GO, NAN, NULL, "they are not looked at");
	lock = wisp_str("%s/.pool", alone.place.home);
	CHECK(!wisp_file_exists(lock) && !wisp_file_exists(b->place.home), "and nothing is made");
	free(lock);
	end(&alone);
}

int
main(void)
{
	struct member b, x, y;
	char *home;

	test_shares();
	need(mkdtemp(top) != NULL, "make a folder");
	home = wisp_str("%s/home", top);
	setenv("WISP_HOME", home, 1);
	setenv("TZ", "UTC", 1);
	make(&b, "b", NULL);
	make(&x, "b-x", "b");
	make(&y, "b-y", "b");
	test_money(&b, &x, &y);
	test_earlier(&b, &y);
	free(thresholds(&b, -1, -1));
	test_usage(&x, &y);
	test_hour(&b, &x, &y);
	test_bad(&b, &x);
	test_alone(&b, &x);
	end(&b);
	end(&x);
	end(&y);
	need(wisp_dir_remove(top) == 0, "remove the folder");
	free(home);
	return unit_done();
}
