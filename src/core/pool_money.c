/*
 * pool_money: what a step may take of the money of an orchestration (pool.h).
 */
#include "pool.h"

#include <math.h>
#include <string.h>

#include "session.h"

/* The sums, and how many others are at work on a step. */
static int
add_up(struct wisp_pool_share *s, const struct cJSON *pool, const char *id, wisp_pool_live_fn *live, void *arg)
{
	int busy = 0;

	for (const struct cJSON *e = wisp_json_first(wisp_json_get(pool, "sessions")); e != NULL; e = wisp_json_next(e)) {
		double reserved = wisp_json_num(e, "reserved_usd", 0);

		s->spent += wisp_json_num(e, "cost_usd", 0);
		if (reserved <= 0 || strcmp(wisp_json_key(e), id) == 0)
			continue;
		if (live(arg, e)) {
			s->reserved += reserved;
			busy++;
		} else {
			s->spent += reserved;
			s->gone = true;
		}
	}
	s->spent = wisp_millionths(s->spent);
	s->reserved = wisp_millionths(s->reserved);
	return busy;
}

/* Of what is left, the part for one of those that may still begin a step beside the `busy` ones. */
static double
share(const struct cJSON *pool, double left, int busy)
{
	double others = wisp_json_num(pool, "parallel", 1) - busy, part;

	part = others > 1 ? floor(left / others * 1e6) / 1e6 : left;
	return part > 0 ? part : left;
}

void
wisp_pool_share(struct wisp_pool_share *s, const struct cJSON *pool, const struct wisp_pool_need *need,
		wisp_pool_live_fn *live, void *arg)
{
	double most = wisp_json_num(pool, "max_cost_usd", -1), left, enough, part;
	int busy;

	memset(s, 0, sizeof *s);
	busy = add_up(s, pool, need->id, live, arg);
	s->what = WISP_GO;
	s->cap = need->own;
	if (most < 0)
		return;
	left = wisp_millionths(most - s->spent - s->reserved);
	enough = fmin(need->dearest, need->own);	/* fmin passes over a NAN */
	if (busy > 0 && (left <= 0 || left < enough)) {
		s->what = WISP_LIMIT_WAIT;
	} else if (left <= 0) {
		s->what = WISP_LIMIT_COST;
	} else {
		part = need->capped ? left : fmax(share(pool, left, busy), fmin(enough, left));
		s->cap = fmin(part, need->own);
	}
}
