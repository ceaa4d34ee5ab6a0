/*
 * clock: the time limits of a step: all of it, silence, what it may go on with
 * after its final event, and the grace between TERM and KILL.
 *
 * Time in which the supervisor did not run is no time of the step: the machine
 * was suspended, or the supervisor stopped by a signal. CLOCK_MONOTONIC stands
 * still in a suspended machine on Linux; the rest shows as a gap: a poll that
 * came back much later than it was asked to.
 */
#ifndef WISP_CLOCK_H
#define WISP_CLOCK_H

#include "format.h"

#define WISP_CLOCK_TICK 2000	/* no poll is longer while a limit runs: else a gap would be none */
#define WISP_CLOCK_LATE 1000	/* a poll that is later is a gap; below it, the machine is busy */

struct wisp_clock {
	wisp_ms timeout, idle_timeout;	/* 0 or less: none */
	wisp_ms linger;			/* below 0: none */
	wisp_ms grace;
	wisp_ms started, heard;		/* the start; the last sign of life */
	wisp_ms finished;		/* the final event out, the state valid; -1: not yet */
	wisp_ms stopped;		/* when it was told to end; -1: it was not */
};

wisp_ms wisp_clock_now(void);
/* The limit that has been reached; none once it was told to end. */
enum wisp_timed_out wisp_clock_check(const struct wisp_clock *c, wisp_ms now);
bool wisp_clock_grace_over(const struct wisp_clock *c, wisp_ms now);
/* For poll: milliseconds until one of these changes its answer, or a tick; -1 for never. */
int wisp_clock_sleep(const struct wisp_clock *c, wisp_ms now);
/* A poll of `asked` ms (-1: no end) from `began` on is over. A gap in it counts for no limit. */
void wisp_clock_woke(struct wisp_clock *c, wisp_ms began, int asked, wisp_ms now);

#endif
