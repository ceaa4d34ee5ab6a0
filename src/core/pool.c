/*
 * pool: what pool.h says of the file; the shares are in pool_money.c.
 */
#include "pool.h"

#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "pool_file.h"
#include "session.h"

const char *
wisp_pool_of(const struct wisp_record *r)
{
	const char *parent = wisp_json_str(r->doc, "parent", NULL);

	if (r->place->project == NULL)
		return NULL;
	if (parent != NULL)
		return parent;
	return wisp_json_type(wisp_json_get(r->doc, "orchestra")) == WISP_T_OBJECT ? r->place->branch : NULL;
}

static bool
is_live(void *arg, const struct cJSON *entry)
{
	const char *branch = wisp_json_str(entry, "branch", "");
	const struct wisp_record *r = arg;
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_place place;
	char *lock;
	bool yes;

	if (wisp_place_session(&place, r->place->project, branch, &err) != 0) {
		wisp_err_release(&err);
		return false;
	}
	lock = wisp_str("%s/lock", place.home);
	yes = wisp_lock_held(lock) == 1;
	free(lock);
	wisp_place_release(&place);
	return yes;
}

/* How limits.h is to look at what all share. How many waits are too many is each session's own count. */
static struct cJSON *
config_of(const struct cJSON *pool, const struct wisp_record *r)
{
	const struct cJSON *own = wisp_json_get(r->doc, "config");
	struct cJSON *config = wisp_json_object();

	wisp_json_set(config, "limits.callsPerHour", wisp_json_copy(wisp_json_get(pool, "calls_per_hour")));
	wisp_json_set(config, "limits.onHourly", wisp_json_copy(wisp_json_get(own, "limits.onHourly")));
	wisp_json_set_null(config, "limits.maxWaits");
	return config;
}

void
wisp_pool_need(struct wisp_pool_need *need, const struct wisp_record *r, double own)
{
	need->id = wisp_json_str(wisp_json_get(r->doc, "session"), "session_id", "");
	need->own = own;
	need->capped = wisp_config_number(wisp_json_get(r->doc, "config"), "limits.maxStepCostUsd") >= 0;
	need->dearest = wisp_json_num(r->doc, "dearest", 0);
}

void
wisp_pool_ask_money(struct wisp_limit_answer *a, const struct cJSON *pool, const struct wisp_pool_need *need, bool wait,
		    double *cap, wisp_pool_live_fn *live, void *arg, wisp_ms now)
{
	double most = wisp_json_num(pool, "max_cost_usd", -1);
	struct wisp_pool_share s;
	const char *spent;

	wisp_pool_share(&s, pool, need, live, arg);
	if (s.what == WISP_GO) {
		*cap = s.cap;
		return;
	}
	spent = s.gone ? "spent, or were reserved by loops that are gone" : "spent";
	a->what = s.what;
	if (s.what == WISP_LIMIT_COST) {
		a->text = wisp_str("%.2f of %g USD are %s", s.spent, most, spent);
		return;
	}
	if (!wait)
		a->what = WISP_LIMIT_RESERVED;
	a->until = now + WISP_POOL_AGAIN;
	a->kind = "money";
	a->text = wisp_str("%.2f of %g USD are %s, and other agents have reserved %.2f", s.spent, most, spent, s.reserved);
}

/* Fills `a`, and with WISP_GO *cap. Limits in `p` are brought up to `now`. */
static void
ask(struct wisp_limit_answer *a, struct wisp_pool *p, const struct wisp_record *r, bool wait, double *cap, wisp_ms now)
{
	struct cJSON *config = config_of(p->doc, r);
	struct wisp_pool_need need;
	char *whose = wisp_str("orchestration %s", wisp_pool_of(r));

	wisp_pool_need(&need, r, *cap);
	wisp_limits_waited(a, wisp_json_object_at(p->doc, "limits"), config, wait, now);
	if (a->what == WISP_GO)
		wisp_pool_ask_money(a, p->doc, &need, wait, cap, is_live, (void *)r, now);
	wisp_limit_answer_prefix(a, whose);
	wisp_json_free(config);
	free(whose);
}

static double
larger(const struct cJSON *entry, const char *key, double now)
{
	double before = wisp_json_num(entry, key, 0);

	return now > before ? now : before;
}

void
wisp_pool_close_earlier(struct cJSON *sessions, const char *id, const char *key, const char *value)
{
	for (struct cJSON *e = wisp_json_first(sessions); e != NULL; e = wisp_json_next(e)) {
		if (strcmp(wisp_json_key(e), id) == 0 || strcmp(wisp_json_str(e, key, ""), value) != 0 ||
		    wisp_json_num(e, "reserved_usd", -1) < 0)
			continue;
		wisp_json_set_num(e, "cost_usd", wisp_json_num(e, "cost_usd", 0) + wisp_json_num(e, "reserved_usd", 0));
		wisp_json_set_null(e, "reserved_usd");
	}
}

/* The session's entry by its record. What was spent stays spent, though the record be an older one. */
static struct cJSON *
note(struct cJSON *sessions, const struct wisp_record *r)
{
	const struct cJSON *session = wisp_json_get(r->doc, "session");
	const char *id = wisp_json_str(session, "session_id", ""), *branch = r->place->branch;
	struct cJSON *entry = wisp_json_object_at(sessions, id);

	wisp_json_set_str(entry, "branch", branch);
	wisp_json_set_num(entry, "cost_usd", larger(entry, "cost_usd", wisp_session_total(session, "cost_usd")));
	wisp_json_set(entry, "reserved_usd", wisp_json_copy(wisp_json_get(wisp_json_get(r->doc, "step"), "reserved_usd")));
	wisp_json_set_num(entry, "calls", larger(entry, "calls", wisp_session_total(session, "agent_calls")));
	wisp_pool_close_earlier(sessions, id, "branch", branch);
	return entry;
}

void
wisp_pool_note(struct cJSON *sessions, const struct wisp_record *r)
{
	(void)note(sessions, r);
}

/* The step that is about to begin; a begin that is repeated is no second start. */
static void
reserve(struct wisp_pool *p, const struct wisp_record *r, struct cJSON *entry, double cap, wisp_ms now)
{
	double calls = wisp_session_total(wisp_json_get(r->doc, "session"), "agent_calls") + 1;
	struct cJSON *config;

	wisp_json_set(entry, "reserved_usd", wisp_json_double(cap));
	if (wisp_json_num(entry, "calls", 0) >= calls)
		return;
	wisp_json_set_num(entry, "calls", calls);
	config = config_of(p->doc, r);
	wisp_limits_charge(wisp_json_object_at(p->doc, "limits"), config, now);
	wisp_json_free(config);
}

int
wisp_pool_take(const struct wisp_record *r, bool wait, double *cap, struct wisp_limit_answer *a, struct wisp_err *err)
{
	wisp_ms now = wisp_time_now();
	struct wisp_pool p;
	struct cJSON *entry;
	int rc = wisp_pool_open(&p, r, WISP_WRITE, err);

	*a = (struct wisp_limit_answer){.what = WISP_GO, .until = -1};
	if (rc != 0)
		return rc < 0 ? -1 : 0;
	entry = note(wisp_json_object_at(p.doc, "sessions"), r);
	ask(a, &p, r, wait, cap, now);
	if (a->what == WISP_GO)
		reserve(&p, r, entry, *cap, now);
	return wisp_pool_commit(&p);
}

int
wisp_pool_look(const struct wisp_record *r, bool wait, wisp_ms now, struct wisp_limit_answer *a, struct wisp_err *err)
{
	struct wisp_pool p;
	double cap = wisp_limits_cap(wisp_json_get(r->doc, "session"), wisp_json_get(r->doc, "config"));
	int rc = wisp_pool_open(&p, r, WISP_READ, err);

	*a = (struct wisp_limit_answer){.what = WISP_GO, .until = -1};
	if (rc != 0)
		return rc < 0 ? -1 : 0;
	ask(a, &p, r, wait, &cap, now);
	wisp_pool_release(&p);
	return 0;
}

int
wisp_pool_settle(const struct wisp_record *r, const struct cJSON *result, struct wisp_err *err)
{
	wisp_ms now = wisp_time_now();
	struct wisp_pool p;
	struct cJSON *limits;
	int rc = wisp_pool_open(&p, r, WISP_WRITE, err);

	if (rc != 0)
		return rc < 0 ? -1 : 0;
	(void)note(wisp_json_object_at(p.doc, "sessions"), r);
	limits = wisp_json_object_at(p.doc, "limits");
	if (strcmp(wisp_json_str(result, "outcome", ""), "limit") == 0)
		wisp_limits_met(limits, wisp_json_get(result, "limit"), now);
	else if (result != NULL && now >= wisp_time_parse(wisp_json_str(wisp_json_get(limits, "usage"), "resume_at", NULL)))
		wisp_limits_usage_over(limits);
	return wisp_pool_commit(&p);
}

int
wisp_pool_forget(const struct wisp_record *r, bool usage, struct wisp_err *err)
{
	struct wisp_pool p;
	struct cJSON *none;
	int rc = wisp_pool_open(&p, r, WISP_WRITE, err);

	if (rc != 0)
		return rc < 0 ? -1 : 0;
	none = wisp_limits_new();
	wisp_json_set(wisp_json_object_at(p.doc, "limits"), "hourly", wisp_json_take(none, "hourly"));
	if (usage)
		wisp_json_set(wisp_json_object_at(p.doc, "limits"), "usage", wisp_json_take(none, "usage"));
	wisp_json_free(none);
	return wisp_pool_commit(&p);
}
