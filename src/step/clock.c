/*
 * clock: see clock.h.
 */
#include "clock.h"

#include <time.h>

wisp_ms
wisp_clock_now(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (wisp_ms)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static bool
over(wisp_ms since, wisp_ms limit, wisp_ms now)
{
	return limit > 0 && now - since >= limit;
}

enum wisp_timed_out
wisp_clock_check(const struct wisp_clock *c, wisp_ms now)
{
	if (c->stopped >= 0)
		return WISP_IN_TIME;
	if (c->finished >= 0 && c->linger >= 0 && now - c->finished >= c->linger)
		return WISP_LINGERED;
	if (over(c->started, c->timeout, now))
		return WISP_WALL_TIME;
	return over(c->heard, c->idle_timeout, now) ? WISP_IDLE_TIME : WISP_IN_TIME;
}

bool
wisp_clock_grace_over(const struct wisp_clock *c, wisp_ms now)
{
	return c->stopped >= 0 && now - c->stopped >= c->grace;
}

/* Brings `wait` forward to `end`. */
static void
sooner(wisp_ms *wait, wisp_ms end, wisp_ms now)
{
	wisp_ms left = end > now ? end - now : 0;

	if (*wait < 0 || left < *wait)
		*wait = left;
}

int
wisp_clock_sleep(const struct wisp_clock *c, wisp_ms now)
{
	wisp_ms wait = -1;

	if (c->stopped >= 0)
		sooner(&wait, c->stopped + c->grace, now);
	else if (c->finished >= 0 && c->linger >= 0)
		sooner(&wait, c->finished + c->linger, now);
	if (c->stopped < 0 && c->timeout > 0)
		sooner(&wait, c->started + c->timeout, now);
	if (c->stopped < 0 && c->idle_timeout > 0)
		sooner(&wait, c->heard + c->idle_timeout, now);
	return wait > WISP_CLOCK_TICK ? WISP_CLOCK_TICK : (int)wait;
}

void
wisp_clock_woke(struct wisp_clock *c, wisp_ms began, int asked, wisp_ms now)
{
	wisp_ms gap = asked < 0 ? 0 : now - began - asked;

	if (gap < WISP_CLOCK_LATE)
		return;
	c->started += gap;
	c->heard += gap;
	if (c->finished >= 0)
		c->finished += gap;
}
