/*
 * time: wall clock in milliseconds since the epoch (UTC), ISO 8601 with a
 * zone, durations. -1 stands for "no time", and so does a NULL string.
 *
 * WISP_NOW (milliseconds since the epoch) in the environment stands in for the
 * clock in tests.
 */
#ifndef WISP_TIME_H
#define WISP_TIME_H

#include <stdint.h>
#include "buf.h"

typedef int64_t wisp_ms;

wisp_ms wisp_time_now(void);
wisp_ms wisp_time_monotonic(void);	/* since boot, suspend included where the system can; never WISP_NOW */
/* The next local midnight. */
wisp_ms wisp_time_midnight(wisp_ms now);
/* Local time with its zone, `2026-01-16T10:00:00-03:00`; the caller frees it. */
char *wisp_time_iso(wisp_ms t);
/* For people, local and without a zone: `10:05`, or `2026-01-17 10:05` on another day than `now`; the caller frees it. */
char *wisp_time_clock(wisp_ms t, wisp_ms now);
/* UTC, `2026-01-16T13:00:00Z`. */
char *wisp_time_utc(wisp_ms t);
/* Accepts seconds with fractions and Z, +hh:mm, +hhmm; a zone is required. -1 if it is none. */
wisp_ms wisp_time_parse(const char *s);
/*
 * `500ms`, `2s`, `15m`, `1h30m`, `2d`, or a number of seconds; the
 * last part may have a fraction. -1 if it is none or below 0.
 */
wisp_ms wisp_duration_parse(const char *s);
/* For people: `350ms`, `42s`, `3m05s`, `1h02m`, `2d03h`, `-` for none; the caller frees it. */
char *wisp_duration_text(wisp_ms d);
/* The same as a clock counts: `2:05`, from an hour on `1:02:05`; the caller frees it. */
char *wisp_duration_clock(wisp_ms d);

#endif
