/*
 * reset: when a limit ends, by the words that a service says it in.
 *
 *	try again in 3h 20m		resets 3am (America/New_York)
 *	resets at Nov 30, 7 PM		regain access on 2026-12-01 at 00:00 UTC
 *	reached|1795903600		retry after 3600
 *
 * A time without a zone is local; a zone that this machine does not know is
 * not guessed at, nor is anything else.
 */
#ifndef WISP_RESET_H
#define WISP_RESET_H

#include "core/time.h"

/*
 * `text` has single blanks and straight apostrophes (wisp_texts_fold). Times of
 * day, and dates without a year, are the first after `began`; durations count
 * from `said`. Either may be -1, not known. -1 where the text names no time.
 */
wisp_ms wisp_reset_find(const char *text, wisp_ms began, wisp_ms said);

#endif
