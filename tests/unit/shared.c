/*
 * shared: what one session met or spent, another one of the same person is told of, in other projects too.
 */
#include <math.h>
#include <unistd.h>

#include "core/create.h"
#include "core/session.h"
#include "core/shared.h"
#include "core/turn.h"
#include "unit.h"

#define NOW ((wisp_ms)1768568400000) /* 2026-01-16T13:00:00Z */
#define MINUTE ((wisp_ms)60000)
#define DAY ((wisp_ms)24 * 60 * MINUTE)

#define OK(cost) "{\"agent\": \"replay\", \"outcome\": \"ok\", \"cost_usd\": " cost "}"
#define LIMIT(resets)                                                                                            \
	"{\"agent\": \"replay\", \"outcome\": \"limit\", \"cost_usd\": 0, \"limit\": {\"kind\": \"five_hour\", " \
	"\"resets_at\": " resets "}}"

static char top[] = "/tmp/wisp-unit-shared-XXXXXX";

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

static void
own(struct member *m)
{
	char *lock = wisp_str("%s/lock", m->place.home);

	m->lock = wisp_lock(lock);
	need(m->lock >= 0, "own it");
	free(lock);
}

static void
leave(struct member *m)
{
	close(m->lock);
	m->lock = -1;
}

/* A session with a live loop, in a project of its own. */
static void
make(struct member *m, const char *name, const char *login)
{
	struct wisp_create c = {
		.template = "default", .template_dir = "/t", .agent = "replay", .worktree = top};
	char *project = wisp_str("%s/%s", top, name);

	need(wisp_place_session(&m->place, project, "work", NULL) == 0, "place it");
	need(wisp_dir_make(m->place.dir) == 0 && wisp_create(&m->place, &c, NULL) == 0, "make it");
	need(wisp_record_open(&m->r, &m->place, WISP_WRITE, NULL) == 0, "open it");
	wisp_json_set_str(m->r.doc, "login", login);
	own(m);
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

static void
take(struct member *m, bool wait, enum wisp_limit what, double cap, const char *text,
     const char *label)
{
	struct wisp_limit_answer a;
	struct wisp_err err = WISP_ERR_INIT;
	double got = NAN;

	CHECK_INT(wisp_shared_take(&m->r, wait, &got, &a, &err), 0, label);
	CHECK_INT(a.what, what, label);
	if (what == WISP_GO)
		CHECK(isnan(cap) ? isnan(got) : got == cap, label);
	CHECK_STR(a.text, text, label);
	wisp_limit_answer_release(&a);
}

/* A step of it, which reserves `cap`. */
static void
begun(struct member *m, double cap)
{
	struct cJSON *step = wisp_json_object();

	wisp_json_set_str(step, "stage", "begun");
	wisp_json_set(step, "reserved_usd", wisp_json_double(cap));
	wisp_json_set(m->r.doc, "step", step);
}

static void
ran(struct member *m, const char *result)
{
	struct cJSON *r = wisp_json_parse(result, strlen(result), "test", NULL);

	wisp_turn_charge(&m->r, r);
	CHECK_INT(wisp_shared_settle(&m->r, r, NULL), 0, result);
	wisp_json_free(r);
}

static void
test_login(struct member *x, struct member *y, struct member *other)
{
	const char *met = "login replay-1: usage limit (five_hour) until 2026-01-16T13:30:00+00:00";
	const char *first =
		"login replay-1: another session tries first whether the usage limit has lifted";

	at(NOW);
	take(x, true, WISP_GO, NAN, NULL, "nothing is known");
	begun(x, NAN);
	ran(x, LIMIT("\"2026-01-16T13:30:00Z\""));
	take(y, true, WISP_LIMIT_WAIT, 0, met, "what one met, all of the login wait for");
	take(y, false, WISP_LIMIT_USAGE, 0,
	     "login replay-1: the usage limit resets at 2026-01-16T13:30:00+00:00",
	     "or do not wait");
	take(other, true, WISP_GO, NAN, NULL, "another login does not");
	begun(y, NAN);
	ran(y, OK("0"));
	take(x, true, WISP_LIMIT_WAIT, 0, met,
	     "a step that was under way ends well: the limit stands");
	begun(y, NAN);
	ran(y,
	    "{\"agent\": \"judge\", \"outcome\": \"limit\", \"limit\": {\"kind\": \"quota\", \"resets_at\": \"2026-01-16T19:00:00Z\"}}");
	take(x, true, WISP_LIMIT_WAIT, 0, met, "what the agent of a phase met is another login's");
	at(NOW + 30 * MINUTE);
	take(y, true, WISP_GO, NAN, NULL, "at the reset one tries");
	begun(y, NAN);
	take(x, true, WISP_LIMIT_WAIT, 0, first, "and the others wait for it");
	take(x, false, WISP_LIMIT_USAGE, 0, first, "or do not");
	take(y, true, WISP_GO, NAN, NULL, "a begin that is repeated is the same try");
	ran(y, LIMIT("null"));
	take(x, true, WISP_LIMIT_WAIT, 0,
	     "login replay-1: usage limit (five_hour) is tried again at 2026-01-16T14:30:00+00:00 (wisp's guess)",
	     "it has not lifted");
	at(NOW + 90 * MINUTE);
	take(x, true, WISP_GO, NAN, NULL, "then another one may try");
	begun(x, NAN);
	leave(x);
	take(y, true, WISP_GO, NAN, NULL, "one whose loop is gone is not waited for");
	own(x);
	CHECK_INT(wisp_shared_settle(&x->r, NULL, NULL), 0, "its next loop starts");
	take(x, true, WISP_LIMIT_WAIT, 0, first, "and waits for who tries now");
	begun(y, NAN);
	ran(y, "{\"agent\": \"replay\", \"outcome\": \"interrupted\"}");
	take(x, true, WISP_GO, NAN, NULL, "a try that was cut short tells nothing: the next one");
	begun(x, NAN);
	take(y, true, WISP_LIMIT_WAIT, 0, first, "tries alone");
	at(NOW + 92 * MINUTE);
	take(y, true, WISP_GO, NAN, NULL,
	     "after two minutes it has evidently lifted: a step may take an hour");
	at(NOW + 80 * MINUTE);
	take(y, true, WISP_LIMIT_WAIT, 0,
	     "login replay-1: usage limit (five_hour) is tried again at 2026-01-16T14:30:00+00:00 (wisp's guess)",
	     "nor is a clock that goes back waited for");
	at(NOW + 90 * MINUTE);
	ran(x, OK("0"));
	take(y, true, WISP_GO, NAN, NULL, "it has lifted, for all");
	take(x, true, WISP_GO, NAN, NULL, "at once");
	ran(x, LIMIT("\"2026-03-16T13:00:00Z\""));
	take(y, true, WISP_LIMIT_USAGE, 0,
	     "login replay-1: the usage limit resets only at 2026-03-16T13:00:00+00:00",
	     "too far away for all");
	CHECK_INT(wisp_shared_forget(&y->r, NULL), 0, "a person says that it is over");
	take(y, true, WISP_GO, NAN, NULL, "so it is");
}

/* limits.maxCostPerDayUsd of a session; below 0 for none. */
static void
allow(struct member *m, double most)
{
	wisp_json_set(wisp_record_config(&m->r), "limits.maxCostPerDayUsd",
		      most < 0 ? NULL : wisp_json_double(most));
}

static double
today(struct member *m)
{
	struct cJSON *t = wisp_shared_today(&m->r, wisp_time_now());
	double spent = wisp_json_num(t, "cost_usd", -1);

	wisp_json_free(t);
	return spent;
}

static void
test_day(struct member *x, struct member *y, struct member *other)
{
	at(NOW + DAY);
	wisp_session_add(wisp_record_session(&x->r), "cost_usd", 100);
	allow(x, 10);
	allow(y, 10);
	take(other, true, WISP_GO, NAN, NULL, "a session without that limit");
	CHECK(today(other) < 0, "is told of no day");
	begun(other, NAN);
	take(x, true, WISP_GO, 5, NULL,
	     "of ten dollars one of two gets half; what it spent before is another day's");
	begun(x, 5);
	take(x, true, WISP_GO, 5, NULL, "again, the same");
	leave(other);
	take(y, true, WISP_GO, 5, NULL, "the second gets the rest");
	begun(y, 5);
	own(other);
	ran(other, OK("3"));
	CHECK(today(x) == 3, "what a session without the limit spends counts");
	ran(x, OK("1"));
	ran(x, OK("1"));
	CHECK(today(x) == 4, "settled twice, it counts once");
	take(x, true, WISP_GO, 1, NULL, "what is left");
	begun(x, 1);
	leave(y);
	take(x, true, WISP_GO, 1, NULL,
	     "its own reservation is not in its way, and a loop that is gone has spent its");
	own(y);
	ran(x, OK("2"));
	take(x, true, WISP_LIMIT_WAIT, 0,
	     "all sessions today (limits.maxCostPerDayUsd): 6.00 of 10 USD are spent, and other agents have reserved 5.00",
	     "where others have reserved it is waited for");
	ran(y, OK("4.5"));
	take(x, true, WISP_LIMIT_COST, 0,
	     "all sessions today (limits.maxCostPerDayUsd): 10.50 of 10 USD are spent",
	     "all is spent");
	allow(x, 20);
	take(x, true, WISP_GO, 3.166666, NULL, "a person raised it");
	begun(x, 3.166666);
	at(NOW + DAY + 11 * 60 * MINUTE);
	CHECK(today(x) == 0, "after midnight a new day begins");
	take(y, true, WISP_GO, 6.833334, NULL, "with what an open step has reserved");
	ran(x, OK("1"));
	CHECK(today(x) == 1, "which counts where it ends");
	at(NOW - 9 * DAY);
	CHECK(today(x) == 0, "a clock that was set back by days begins another one");
}

static void
test_bad(struct member *x, struct member *other)
{
	char *path = wisp_shared_path();
	struct wisp_limit_answer a;
	struct wisp_err err = WISP_ERR_INIT;
	double cap = NAN;
	char *text;

	need(wisp_file_write(path, "{", 1, WISP_NOSYNC) == 0, "write it");
	take(other, true, WISP_GO, NAN, NULL, "a file that does not hold is passed over");
	CHECK(wisp_file_holds(path, "{", 1), "and stays");
	CHECK_INT(wisp_shared_take(&x->r, true, &cap, &a, &err), -1,
		  "but not where money is counted by it");
	text = wisp_err_string(&err);
	CHECK(strstr(text,
		     "shared.json:1:2: unexpected end of JSON: what was spent today is not known; remove it") !=
		      NULL,
	      text);
	free(text);
	free(path);
	wisp_err_release(&err);
}

static void
test_names(void)
{
	static const char *const set[] = {"KEY=2"};
	char *one, *two;

	setenv("KEY", "1", 1);
	one = wisp_shared_login("/a/b/claude", "KEY", NULL, 0);
	CHECK(strncmp(one, "claude-", 7) == 0 && strlen(one) == 7 + 16, "an agent and a hash");
	two = wisp_shared_login("/a/b/claude", "KEY", set, 1);
	CHECK(strcmp(one, two) != 0, "what the agent gets counts");
	free(two);
	setenv("KEY", "2", 1);
	two = wisp_shared_login("/a/b/claude", " OTHER  KEY ", set, 1);
	free(one);
	one = wisp_shared_login("/a/b/claude", "KEY", NULL, 0);
	CHECK(strcmp(one, two) == 0, "wherever it comes from");
	free(two);
	two = wisp_shared_login("/a/claude", "KEY", NULL, 0);
	CHECK(strcmp(one, two) != 0, "another program of that name has another login");
	free(one);
	free(two);
}

int
main(void)
{
	struct member x, y, other;
	char *home;

	need(mkdtemp(top) != NULL, "make a folder");
	home = wisp_str("%s/home", top);
	setenv("WISP_HOME", home, 1);
	setenv("TZ", "UTC", 1);
	test_names();
	make(&x, "x", "replay-1");
	make(&y, "y", "replay-1");
	make(&other, "other", "replay-2");
	test_login(&x, &y, &other);
	test_day(&x, &y, &other);
	test_bad(&x, &other);
	end(&x);
	end(&y);
	end(&other);
	need(wisp_dir_remove(top) == 0, "remove the folder");
	free(home);
	return unit_done();
}
