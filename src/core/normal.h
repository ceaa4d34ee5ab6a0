/*
 * normal: the text of an error without what differs from one time to the next,
 * so that two can be compared for being the same trouble.
 *
 *	N  numbers, with sign, fraction and exponent, also inside words (test12)
 *	H  0x..., UUIDs, words of 7 or more hex digits (a letter and a digit among them)
 *	P  paths: what has a slash in it, URLs, C:\..., also `name.ext:12`; with :LINE:COLUMN
 *	T  dates, times, durations
 *	Q  quoted text: '...', "...", `...`, `...', and the typographic pairs; not over a line's end
 *
 * White space and control characters become one space, none at the ends. All
 * else stays as it is, case included. Linear in the length of the text.
 */
#ifndef WISP_NORMAL_H
#define WISP_NORMAL_H

/* The caller frees it; NULL gives "". */
char *wisp_error_normal(const char *error);

#endif
