/*
 * report_limits: what was spent, what is left of each limit, and what is waited for.
 */
#include "status.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "limits.h"
#include "lines.h"
#include "pool.h"
#include "session.h"
#include "shared.h"

/*
 * No step said what it cost, and nothing stands in for that: the limit on money cannot be reached. While the first one
 * runs nothing is known, either.
 */
bool
wisp_report_unpriced(const struct wisp_record *r)
{
	const struct cJSON *session = wisp_json_get(r->doc, "session"), *step = wisp_json_get(r->doc, "step");
	bool first = wisp_session_total(session, "agent_calls") == 1 && wisp_json_type(step) == WISP_T_OBJECT &&
		     !wisp_json_bool(step, "charged", false);

	return (first || wisp_json_num(r->doc, "unpriced", 0) > 0) && wisp_session_total(session, "cost_usd") <= 0;
}

/* An agent that does not say what a step cost has not worked for nothing. */
static const char *
unknown(const struct wisp_record *r, double limit)
{
	if (!wisp_report_unpriced(r))
		return "";
	if (wisp_json_num(wisp_json_get(wisp_json_get(r->doc, "tally"), "outcomes"), "ok", 0) <= 0)
		return "; cost unknown: no step ended well yet";
	return limit >= 0 ? "; cost unknown: limits.maxCostUsd not enforced" : "; cost unknown";
}

static void
put_spent(struct wisp_buf *out, const struct wisp_record *r)
{
	const struct cJSON *session = wisp_json_get(r->doc, "session"), *config = wisp_json_get(r->doc, "config");
	double money = wisp_config_number(config, "limits.maxCostUsd"), cost = wisp_session_total(session, "cost_usd");
	double tokens = wisp_session_total(session, "input_tokens") + wisp_session_total(session, "output_tokens");
	double calls = wisp_session_total(session, "agent_calls"), unpriced = wisp_json_num(r->doc, "unpriced", 0);
	char *time = wisp_duration_text((wisp_ms)(wisp_session_total(session, "seconds") * 1000));

	wisp_line_label(out, "spent");
	if (!wisp_report_unpriced(r))
		wisp_buf_printf(out, money >= 0 ? "$%.2f of $%g, " : "$%.2f, ", cost, money);
	wisp_buf_printf(out, "%s in %.0f agent call%s", time, calls, calls == 1 ? "" : "s");
	if (tokens > 0)
		wisp_buf_printf(out, ", %.0f tokens", tokens);
	wisp_buf_printf(out, "%s\n", unknown(r, money));
	if (unpriced > 0 && cost > 0) {
		wisp_line_label(out, "");
		wisp_buf_printf(out, "%.0f step%s without a price, counted as %s\n", unpriced, unpriced == 1 ? "" : "s",
				wisp_config_number(config, "limits.maxStepCostUsd") >= 0 ? "limits.maxStepCostUsd" : "the most expensive one");
	}
	free(time);
}

/* By all sessions, where limits.maxCostPerDayUsd is set. */
static void
put_today(struct wisp_buf *out, const struct cJSON *today)
{
	if (wisp_json_type(today) != WISP_T_OBJECT)
		return;
	wisp_line_label(out, "");
	wisp_buf_printf(out, "$%.2f of $%g today, by all sessions\n", wisp_json_num(today, "cost_usd", 0),
			wisp_json_num(today, "max_cost_usd", 0));
}

/* Extra usage that is paid for, once a step ran on it. */
static void
put_overage(struct wisp_buf *out, const struct cJSON *overage)
{
	const char *since = wisp_json_str(overage, "since", NULL);
	long long steps = wisp_json_int(overage, "steps", 0);

	if (steps == 0)
		return;
	wisp_line_label(out, "");
	wisp_buf_printf(out, "%lld step%s on paid extra usage", steps, steps == 1 ? "" : "s");
	if (since != NULL)
		wisp_buf_printf(out, ", on it since %s", since);
	wisp_buf_putc(out, '\n');
}

static void
put_left(struct wisp_buf *out, const struct wisp_record *r, const struct cJSON *left)
{
	double hours = wisp_json_num(left, "hours", -1), money = wisp_json_num(left, "cost_usd", -1);
	double iterations = wisp_json_num(left, "iterations", -1), calls = wisp_json_num(left, "calls", -1);
	double reserved = wisp_json_num(wisp_json_get(r->doc, "step"), "reserved_usd", -1);
	char *time = wisp_duration_text((wisp_ms)(hours * 3600 * 1000 + 0.5));
	struct wisp_buf b = WISP_BUF_INIT;

	if (iterations >= 0)
		wisp_buf_printf(&b, ", %.0f iteration%s", iterations, iterations == 1 ? "" : "s");
	if (hours >= 0)
		wisp_buf_printf(&b, ", %s", time);
	if (money >= 0)
		wisp_buf_printf(&b, reserved >= 0 ? ", $%.2f ($%.2f reserved)" : ", $%.2f", money, reserved);
	else if (reserved >= 0 && wisp_report_unpriced(r) && wisp_json_num(r->doc, "unpriced", 0) <= 0)
		wisp_buf_printf(&b, ", $%.2f reserved", reserved);
	if (calls >= 0)
		wisp_buf_printf(&b, ", %.0f call%s this hour", calls, calls == 1 ? "" : "s");
	wisp_line_field(out, "left", b.len > 0 ? b.data + 2 : NULL);
	wisp_buf_release(&b);
	free(time);
}

/*
 * What is shared is waited for like a limit of its own. That others have reserved what is left matters
 * only to a loop that has asked for it. One that cannot be read says so at the next step. True: it is the orchestration's.
 */
static bool
look_at_shared(struct wisp_limit_answer *a, const struct wisp_record *r, wisp_ms now)
{
	const char *waits = wisp_json_str(wisp_json_get(r->doc, "waits"), "for", "");
	bool pool;

	if (wisp_pool_look(r, true, now, a, NULL) != 0)
		errno = 0;
	pool = a->what != WISP_GO;
	if (!pool && wisp_shared_look(r, true, now, a, NULL) != 0)
		errno = 0;
	if (a->kind != NULL && strcmp(a->kind, "money") == 0 && strcmp(waits, "money") != 0)
		a->kind = NULL;
	return pool;
}

/* No limit: a loop that is alive lets some time pass before its next step (`next_at`, by the record of the last one). */
static struct cJSON *
delayed(const struct wisp_record *r, wisp_ms now)
{
	const char *at = wisp_json_str(r->doc, "next_at", NULL);
	struct cJSON *waiting;
	char *clock, *text;

	if (at == NULL || wisp_time_parse(at) <= now || wisp_record_owned(r) != 1)
		return wisp_json_null();
	waiting = wisp_json_object();
	clock = wisp_time_clock(wisp_time_parse(at), now);
	wisp_json_set_str(waiting, "for", "delay");
	wisp_json_set_str(waiting, "until", at);
	text = wisp_str("the next step begins at %s", clock);
	wisp_json_set_str(waiting, "text", text);
	free(text);
	free(clock);
	return waiting;
}

struct cJSON *
wisp_status_waiting(const struct wisp_record *r, wisp_ms now)
{
	struct cJSON *limits = wisp_json_copy(wisp_json_get(r->doc, "limits")), *waiting;
	struct wisp_limit_answer a;
	char *until;

	bool shared, pool = false;

	if (limits == NULL)
		limits = wisp_limits_new();
	wisp_limits_waited(&a, limits, wisp_json_get(r->doc, "config"), true, now);
	wisp_json_free(limits);
	shared = a.what == WISP_GO;
	if (shared)
		pool = look_at_shared(&a, r, now);
	if (a.kind == NULL) {
		wisp_limit_answer_release(&a);
		return delayed(r, now);
	}
	waiting = wisp_json_object();
	until = wisp_time_iso(a.until);
	wisp_json_set_str(waiting, "for", a.kind);
	wisp_json_set_str(waiting, "until", until);
	wisp_json_set_str(waiting, "text", a.text);
	if (pool)
		wisp_json_set_str(waiting, "orchestration", wisp_pool_of(r));
	else if (shared && strcmp(a.kind, "money") != 0)
		wisp_json_set_str(waiting, "login", wisp_json_str(r->doc, "login", NULL));
	wisp_limit_answer_release(&a);
	free(until);
	return waiting;
}

const char *
wisp_status_untimed(const struct cJSON *waiting)
{
	const char *what = wisp_json_str(waiting, "for", "");

	if (strcmp(what, "login") == 0)
		return "another session of this login, which tries first";
	return strcmp(what, "money") == 0 ? "money that other agents have reserved" : NULL;
}

const char *
wisp_status_timed(const struct cJSON *waiting)
{
	const char *what = wisp_json_str(waiting, "for", "");

	if (strcmp(what, "delay") == 0)
		return "delay before the next step";
	return strcmp(what, "usage") == 0 ? "usage limit" : "hourly limit of calls";
}

const char *
wisp_status_whose(const struct cJSON *waiting)
{
	if (wisp_json_get(waiting, "login") != NULL)
		return " of this login";
	return wisp_json_get(waiting, "orchestration") != NULL ? " of the orchestration" : "";
}

void
wisp_report_limits(struct wisp_buf *out, const struct wisp_record *r, const struct cJSON *status, wisp_ms now)
{
	struct cJSON *waiting = wisp_status_waiting(r, now);
	const char *until = wisp_json_str(waiting, "until", NULL);
	wisp_ms end = wisp_time_parse(until);
	char *rest = wisp_duration_text(end - now);

	put_spent(out, r);
	put_today(out, wisp_json_get(status, "today"));
	put_overage(out, wisp_json_get(status, "overage"));
	put_left(out, r, wisp_json_get(status, "left"));
	if (until != NULL && strcmp(wisp_status_word(status), "completed") != 0) {
		wisp_line_label(out, "waits");
		if (wisp_status_untimed(waiting) != NULL)
			wisp_buf_printf(out, "%s\n", wisp_status_untimed(waiting));
		else
			wisp_buf_printf(out, "%s%s: until %s, %s from now\n", wisp_status_timed(waiting),
					wisp_status_whose(waiting), until, rest);
	}
	wisp_json_free(waiting);
	free(rest);
}
