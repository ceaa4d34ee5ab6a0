/*
 * clock: the time limits of a step: all of it, silence, and the grace between
 * TERM and KILL.
 *
 * Time stands still while the machine sleeps: the agent slept too.
 */
#ifndef WISP_CLOCK_H
#define WISP_CLOCK_H

#include "format.h"

struct wisp_clock {
	wisp_ms timeout, idle_timeout;	/* 0 or less: none */
	wisp_ms grace;
	wisp_ms started, heard;		/* the start; the last byte of output */
	wisp_ms stopped;		/* when it was told to end; -1: it was not */
};

wisp_ms wisp_clock_now(void);
/* The limit that has been reached; none once it was told to end. */
enum wisp_timed_out wisp_clock_check(const struct wisp_clock *c, wisp_ms now);
bool wisp_clock_grace_over(const struct wisp_clock *c, wisp_ms now);
/* For poll: milliseconds until one of these changes its answer, -1 for never. */
int wisp_clock_sleep(const struct wisp_clock *c, wisp_ms now);

#endif
