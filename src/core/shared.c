/*
 * shared: see shared.h.
 */
#include "shared.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "hash.h"
#include "pool.h"
#include "pool_file.h"
#include "session.h"

#define TRY ((wisp_ms)2 * 60 * 1000)	       /* within it a limit that stands is met */
#define DAY_MAX ((wisp_ms)26 * 60 * 60 * 1000) /* longer than any day of a year */

static const struct wisp_field fields[] = {
	{"version", WISP_T_NUMBER, WISP_REQUIRED | WISP_INTEGER, NULL, WISP_T_NONE},
	{"logins", WISP_T_OBJECT, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"day", WISP_T_OBJECT, WISP_REQUIRED, NULL, WISP_T_NONE},
	{0}
};

char *
wisp_shared_path(void)
{
	char *root = wisp_place_root(),
	     *path = root != NULL ? wisp_str("%s/shared.json", root) : NULL;

	free(root);
	return path;
}

static void
add_variable(struct wisp_buf *b, const char *name, size_t len, const char *const *set, size_t n_set)
{
	char *key = wisp_str("%.*s", (int)len, name);
	const char *value = getenv(key);

	for (size_t i = 0; i < n_set; i++)
		if (strncmp(set[i], key, len) == 0 && set[i][len] == '=')
			value = set[i] + len + 1;
	if (value != NULL)
		wisp_buf_printf(b, "\n%s=%s", key, value);
	free(key);
}

char *
wisp_shared_login(const char *agent, const char *names, const char *const *set, size_t n_set)
{
	const char *lists[] = {"HOME XDG_CONFIG_HOME XDG_DATA_HOME", names},
		   *slash = strrchr(agent, '/');
	struct wisp_buf b = WISP_BUF_INIT;
	char hex[WISP_HASH_SIZE];

	wisp_buf_puts(&b, agent);
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		for (const char *p = lists[i] + strspn(lists[i], " "); *p != '\0';) {
			size_t len = strcspn(p, " ");

			add_variable(&b, p, len, set, n_set);
			p += len + strspn(p + len, " ");
		}
	wisp_hash(b.data, b.len, hex);
	wisp_buf_release(&b);
	return wisp_str("%s-%.16s", slash != NULL ? slash + 1 : agent, hex);
}

/* -1 for none. */
static double
day_limit(const struct wisp_record *r)
{
	return wisp_config_number(wisp_json_get(r->doc, "config"), "limits.maxCostPerDayUsd");
}

static enum wisp_verdict
load(const char *path, struct cJSON **doc, struct wisp_err *err)
{
	struct wisp_buf bytes = WISP_BUF_INIT;
	enum wisp_verdict verdict = wisp_json_read(path, &bytes, doc, err);
	const struct wisp_source src = {bytes.data, bytes.len, path, "shared"};
	const struct wisp_at version = {NULL, "version", 0};

	if (verdict == WISP_MISSING) {
		*doc = wisp_json_object();
		wisp_json_set_num(*doc, "version", 1);
		(void)wisp_json_object_at(*doc, "logins");
		(void)wisp_json_object_at(*doc, "day");
		verdict = WISP_VALID;
	} else if (verdict == WISP_VALID &&
		   (wisp_schema_check(&src, NULL, *doc, fields, NULL, err) != 0 ||
		    (wisp_json_int(*doc, "version", 0) != 1 &&
		     wisp_schema_refuse(&src, &version, err, "expected 1") != 0))) {
		verdict = WISP_INVALID;
		wisp_json_free(*doc);
		*doc = NULL;
	}
	wisp_buf_release(&bytes);
	return verdict;
}

static bool
is_live(void *root, const struct cJSON *entry)
{
	char *lock = wisp_str("%s/lock", wisp_json_str(entry, "home", ""));
	bool yes = wisp_lock_held(lock) == 1;

	(void)root;
	free(lock);
	return yes;
}

/* A new day, or a clock set back by more than one: what was spent before is of no interest. */
static void
renew_day(struct cJSON *day, wisp_ms now)
{
	wisp_ms ends = wisp_time_parse(wisp_json_str(day, "ends", NULL));
	struct cJSON *old = wisp_json_object_at(day, "sessions"), *sessions, *e;
	char *text;

	if (now < ends && ends <= now + DAY_MAX)
		return;
	sessions = wisp_json_object();
	for (e = wisp_json_first(old); e != NULL; e = wisp_json_next(e))
		if (wisp_json_num(e, "reserved_usd", -1) >= 0 && is_live(NULL, e)) {
			struct cJSON *kept = wisp_json_copy(e);

			wisp_json_set_num(kept, "cost_usd", 0);
			wisp_json_set(sessions, wisp_json_key(e), kept);
		}
	wisp_json_set(day, "sessions", sessions);
	text = wisp_time_iso(wisp_time_midnight(now));
	wisp_json_set_str(day, "ends", text);
	free(text);
}

/* 0; 1: there is nothing that could be shared. -1 as shared.h says. */
static int
open_shared(struct wisp_pool *p, const struct wisp_record *r, enum wisp_record_mode mode,
	    struct wisp_err *err)
{
	struct wisp_err why = WISP_ERR_INIT;
	char *root = r->place->home != NULL ? wisp_place_root() : NULL, *lock;
	int rc = 0;

	memset(p, 0, sizeof *p);
	p->lock = -1;
	if (root == NULL)
		return 1;
	p->path = wisp_str("%s/shared.json", root);
	lock = wisp_str("%s/.shared", root);
	if (mode == WISP_WRITE && (p->lock = wisp_lock(lock)) < 0)
		rc = -1;
	if (p->lock >= 0)
		wisp_file_sweep(root);
	if (rc == 0 && load(p->path, &p->doc, &why) != WISP_VALID)
		rc = day_limit(r) < 0
			     ? 1
			     : wisp_err_set(
				       err, p->path, why.line, why.col,
				       "%s: what was spent today is not known; remove it to count anew",
				       why.text);
	if (rc != 0)
		wisp_pool_release(p);
	wisp_err_release(&why);
	free(lock);
	free(root);
	return rc;
}

/* The session's entry of this day, brought up to its record. */
static struct cJSON *
note(struct cJSON *doc, const struct wisp_record *r, wisp_ms now)
{
	const struct cJSON *session = wisp_json_get(r->doc, "session");
	const char *id = wisp_json_str(session, "session_id", "");
	struct cJSON *day = wisp_json_object_at(doc, "day"), *sessions, *e;
	double total = wisp_session_total(session, "cost_usd"), before;

	renew_day(day, now);
	sessions = wisp_json_object_at(day, "sessions");
	e = wisp_json_object_at(sessions, id);
	before = wisp_json_num(e, "total_usd", total);
	wisp_json_set_str(e, "home", r->home);
	wisp_json_set_num(
		e, "cost_usd",
		wisp_millionths(wisp_json_num(e, "cost_usd", 0) + fmax(total - before, 0)));
	wisp_json_set_num(e, "total_usd", fmax(total, before));
	if (day_limit(r) < 0)
		wisp_json_set_null(e, "reserved_usd");
	else
		wisp_json_set(e, "reserved_usd",
			      wisp_json_copy(wisp_json_get(wisp_json_get(r->doc, "step"),
							   "reserved_usd")));
	wisp_pool_close_earlier(sessions, id, "home", r->home);
	return e;
}

/* How many sessions may want a share of what is left: those at work, and one yet to come. */
static double
at_work(const struct cJSON *sessions, const char *id)
{
	double n = 1;

	for (const struct cJSON *e = wisp_json_first(sessions); e != NULL; e = wisp_json_next(e))
		n += strcmp(wisp_json_key(e), id) != 0 && is_live(NULL, e);
	return fmax(n, 2);
}

static void
ask_money(struct wisp_limit_answer *a, const struct cJSON *doc, const struct wisp_record *r,
	  bool wait, double *cap, wisp_ms now)
{
	const struct cJSON *sessions = wisp_json_get(wisp_json_get(doc, "day"), "sessions");
	double most = day_limit(r);
	struct wisp_pool_need need;
	struct cJSON *pool;

	if (most < 0)
		return;
	pool = wisp_json_object();
	wisp_pool_need(&need, r, *cap);
	wisp_json_set_num(pool, "max_cost_usd", most);
	wisp_json_set_num(pool, "parallel", at_work(sessions, need.id));
	wisp_json_set(pool, "sessions", wisp_json_copy(sessions));
	wisp_pool_ask_money(a, pool, &need, wait, cap, is_live, NULL, now);
	wisp_json_free(pool);
	wisp_limit_answer_prefix(a, "all sessions today (limits.maxCostPerDayUsd)");
}

/* What the session's login has met; NULL where nothing is known of it. */
static struct cJSON *
login_of(struct cJSON *doc, const struct wisp_record *r)
{
	const char *login = wisp_json_str(r->doc, "login", NULL);
	struct cJSON *logins = wisp_json_object_at(doc, "logins");

	return login != NULL && wisp_json_get(logins, login) != NULL
		       ? wisp_json_object_at(logins, login)
		       : NULL;
}

/* Until when a session tries that is there; -1 where there is none. */
static wisp_ms
tries_until(const struct cJSON *login, wisp_ms now)
{
	wisp_ms since = wisp_time_parse(wisp_json_str(login, "tried_at", NULL));
	struct cJSON *first = wisp_json_object();
	bool live;

	wisp_json_set_str(first, "home", wisp_json_str(login, "first", ""));
	live = is_live(NULL, first);
	wisp_json_free(first);
	return live ? (since < now ? since : now) + TRY : -1;
}

static void
ask_login(struct wisp_limit_answer *a, struct cJSON *login, const struct wisp_record *r, bool wait,
	  wisp_ms now)
{
	wisp_ms until = tries_until(login, now);
	char *who;

	wisp_limits_usage_met(a, login, wait, now);
	if (a->what == WISP_GO && now < until &&
	    strcmp(wisp_json_str(login, "first", ""), r->home) != 0) {
		a->what = wait ? WISP_LIMIT_WAIT : WISP_LIMIT_USAGE;
		a->until = until < now + WISP_POOL_AGAIN ? until : now + WISP_POOL_AGAIN;
		a->kind = "login";
		a->text = wisp_strdup(
			"another session tries first whether the usage limit has lifted");
	}
	who = wisp_str("login %s", wisp_json_str(r->doc, "login", ""));
	wisp_limit_answer_prefix(a, who);
	free(who);
}

/* Fills `a`, and with WISP_GO *cap. */
static void
ask(struct wisp_limit_answer *a, struct cJSON *doc, const struct wisp_record *r, bool wait,
    double *cap, wisp_ms now)
{
	struct cJSON *login = login_of(doc, r);

	*a = (struct wisp_limit_answer){.what = WISP_GO, .until = -1};
	if (login != NULL)
		ask_login(a, login, r, wait, now);
	if (a->what == WISP_GO)
		ask_money(a, doc, r, wait, cap, now);
}

int
wisp_shared_take(const struct wisp_record *r, bool wait, double *cap, struct wisp_limit_answer *a,
		 struct wisp_err *err)
{
	wisp_ms now = wisp_time_now();
	struct cJSON *entry, *login;
	struct wisp_pool p;
	char *time;
	int rc = open_shared(&p, r, WISP_WRITE, err);

	*a = (struct wisp_limit_answer){.what = WISP_GO, .until = -1};
	if (rc != 0)
		return rc < 0 ? -1 : 0;
	entry = note(p.doc, r, now);
	ask(a, p.doc, r, wait, cap, now);
	login = login_of(p.doc, r);
	if (a->what == WISP_GO && login != NULL && tries_until(login, now) < 0) {
		time = wisp_time_iso(now);
		wisp_json_set_str(login, "first", r->home);
		wisp_json_set_str(login, "tried_at", time);
		free(time);
	}
	if (a->what == WISP_GO && day_limit(r) >= 0)
		wisp_json_set(entry, "reserved_usd", wisp_json_double(*cap));
	return wisp_pool_commit(&p);
}

int
wisp_shared_look(const struct wisp_record *r, bool wait, wisp_ms now, struct wisp_limit_answer *a,
		 struct wisp_err *err)
{
	double cap =
		wisp_limits_cap(wisp_json_get(r->doc, "session"), wisp_json_get(r->doc, "config"));
	struct wisp_pool p;
	int rc = open_shared(&p, r, WISP_READ, err);

	*a = (struct wisp_limit_answer){.what = WISP_GO, .until = -1};
	if (rc != 0)
		return rc < 0 ? -1 : 0;
	renew_day(wisp_json_object_at(p.doc, "day"), now);
	ask(a, p.doc, r, wait, &cap, now);
	wisp_pool_release(&p);
	return 0;
}

/* The login that lifted longest ago makes room. */
static void
drop_logins(struct cJSON *logins)
{
	while (wisp_json_len(logins) > WISP_SHARED_LOGINS) {
		const struct cJSON *oldest = NULL;
		wisp_ms least = 0, at;

		for (const struct cJSON *e = wisp_json_first(logins); e != NULL;
		     e = wisp_json_next(e)) {
			at = wisp_time_parse(
				wisp_json_str(wisp_json_get(e, "usage"), "resume_at", NULL));
			if (oldest == NULL || at < least) {
				oldest = e;
				least = at;
			}
		}
		wisp_json_drop(logins, wisp_json_key(oldest));
	}
}

/* Did the agent whose login the record has run the step? A phase may have one of its own. */
static bool
is_of(const struct cJSON *result, const char *login)
{
	const char *agent = wisp_json_str(result, "agent", "");
	size_t len = strlen(agent);

	return login != NULL && strncmp(login, agent, len) == 0 && login[len] == '-';
}

/* What a step that ended says of the login. */
static void
settle_login(struct cJSON *doc, const struct wisp_record *r, const struct cJSON *result,
	     wisp_ms now)
{
	const char *login = wisp_json_str(r->doc, "login", NULL),
		   *outcome = wisp_json_str(result, "outcome", "interrupted");
	struct cJSON *logins = wisp_json_object_at(doc, "logins"), *met = login_of(doc, r);
	bool mine = strcmp(wisp_json_str(met, "first", ""), r->home) == 0;

	if (is_of(result, login) && strcmp(outcome, "limit") == 0) {
		met = wisp_json_object_at(logins, login);
		wisp_limits_met(met, wisp_json_get(result, "limit"), now);
		wisp_json_set_null(met, "first");
		drop_logins(logins);
		return;
	}
	if (met != NULL && is_of(result, login) && strcmp(outcome, "interrupted") != 0 &&
	    now >= wisp_time_parse(wisp_json_str(wisp_json_get(met, "usage"), "resume_at", NULL))) {
		wisp_json_drop(logins, login);
		return;
	}
	if (met != NULL && mine)
		wisp_json_set_null(met, "first");
}

int
wisp_shared_settle(const struct wisp_record *r, const struct cJSON *result, struct wisp_err *err)
{
	wisp_ms now = wisp_time_now();
	struct wisp_pool p;
	int rc = open_shared(&p, r, WISP_WRITE, err);

	if (rc != 0)
		return rc < 0 ? -1 : 0;
	(void)note(p.doc, r, now);
	settle_login(p.doc, r, result, now);
	return wisp_pool_commit(&p);
}

int
wisp_shared_forget(const struct wisp_record *r, struct wisp_err *err)
{
	const char *login = wisp_json_str(r->doc, "login", NULL);
	struct wisp_pool p;
	int rc = open_shared(&p, r, WISP_WRITE, err);

	if (rc != 0)
		return rc < 0 ? -1 : 0;
	if (login != NULL)
		wisp_json_drop(wisp_json_object_at(p.doc, "logins"), login);
	return wisp_pool_commit(&p);
}

struct cJSON *
wisp_shared_today(const struct wisp_record *r, wisp_ms now)
{
	struct cJSON *today, *day;
	struct wisp_pool p;
	double spent = 0;

	if (day_limit(r) < 0 || open_shared(&p, r, WISP_READ, NULL) != 0)
		return wisp_json_null();
	today = wisp_json_object();
	day = wisp_json_object_at(p.doc, "day");
	renew_day(day, now);
	for (const struct cJSON *e = wisp_json_first(wisp_json_get(day, "sessions")); e != NULL;
	     e = wisp_json_next(e))
		spent += wisp_json_num(e, "cost_usd", 0);
	wisp_json_set_num(today, "cost_usd", wisp_millionths(spent));
	wisp_json_set_num(today, "max_cost_usd", day_limit(r));
	wisp_json_set_str(today, "ends", wisp_json_str(day, "ends", NULL));
	wisp_pool_release(&p);
	return today;
}
