/*
 * scan_step: what scan.c, scan_string.c and scan_number.c share, private to them.
 *
 * A step looks at the byte at in->p, which is there. It takes at least one, or
 * changes the state, and returns 0; anything else stops the feed.
 */
#ifndef WISP_SCAN_STEP_H
#define WISP_SCAN_STEP_H

#include <stddef.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "scan.h"

enum scan_state {
	START, VALUE, FIRST_VALUE, KEY, FIRST_KEY, COLON, AFTER, END,
	STRING, UTF8, ESCAPE, UNICODE, LOW_SLASH, LOW_U, NUMBER, WORD, FAILED
};

/* The piece being fed. */
struct scan_piece {
	const unsigned char *p, *end;
	const unsigned char *counted;	/* scan->offset is the offset of this byte */
	const unsigned char *run;	/* NULL: none */
};

/* Refuses; the fault began `back` bytes before the current one. Returns -1. */
int wisp_scan_fail(struct wisp_scan *s, struct scan_piece *in, const char *error, size_t back);
/* Hand on a token that ends here, a piece of text; what the callback returned. */
int wisp_scan_call(struct wisp_scan *s, struct scan_piece *in, enum wisp_token t, uint64_t start);
int wisp_scan_put(struct wisp_scan *s, struct scan_piece *in, const char *text, size_t n);

/* Reports the token, unless there is no callback or its container is muted. */
static inline int
wisp_scan_emit(struct wisp_scan *s, struct scan_piece *in, enum wisp_token t, uint64_t start)
{
	bool heard = s->sink.token != NULL && (s->mute == 0 || s->depth < s->mute);

	return heard ? wisp_scan_call(s, in, t, start) : 0;
}

/* The run, which is over. */
static inline int
wisp_scan_flush(struct wisp_scan *s, struct scan_piece *in)
{
	const unsigned char *run = in->run;

	in->run = NULL;
	return run == NULL || run == in->p || s->sink.text == NULL ? 0 : wisp_scan_put(s, in, (const char *)run, (size_t)(in->p - run));
}

/* The state after a whole value. */
static inline void
wisp_scan_value_done(struct wisp_scan *s)
{
	s->done = s->depth == 0;
	s->state = s->done ? END : AFTER;
}

/* Is the innermost container that is open an object? */
static inline bool
wisp_scan_in_object(const struct wisp_scan *s)
{
	return s->depth > 0 && (s->object >> (s->depth - 1) & 1) != 0;
}

/* One container more is open. */
static inline void
wisp_scan_deeper(struct wisp_scan *s, bool object)
{
	uint64_t bit = (uint64_t)1 << s->depth++;

	s->object = object ? s->object | bit : s->object & ~bit;
}

/*
 * The first byte that is not plain: a quote, a backslash, a control or a byte
 * beyond ASCII, which with its sign is below the controls. Sixteen at a time
 * where a processor has instructions for that, else eight at a time: the top bit of a byte of `odd` is set where
 * that byte of `w` is below 0x20, a quote, a backslash, or has its top bit set;
 * a borrow may set it in a byte above such a byte too, never below the lowest.
 */
static inline const unsigned char *
wisp_scan_plain(const unsigned char *p, const unsigned char *end)
{
	const uint64_t ones = UINT64_MAX / 255, tops = ones << 7;
	uint64_t w, quote, slash, odd;

#ifdef __SSE2__
	for (; end - p >= (ptrdiff_t)sizeof(__m128i); p += sizeof(__m128i)) {
		const __m128i all = _mm_loadu_si128((const __m128i *)p);
		const int found = _mm_movemask_epi8(_mm_or_si128(
			_mm_cmplt_epi8(all, _mm_set1_epi8(0x20)),
			_mm_or_si128(_mm_cmpeq_epi8(all, _mm_set1_epi8('"')), _mm_cmpeq_epi8(all, _mm_set1_epi8('\\')))));

		if (found != 0)
			return p + __builtin_ctz((unsigned)found);
	}
#endif
	for (; end - p >= (ptrdiff_t)sizeof w; p += sizeof w) {
		memcpy(&w, p, sizeof w);
		quote = w ^ ones * '"';
		slash = w ^ ones * '\\';
		odd = (w | (w - ones * 0x20) | (quote - ones) | (slash - ones)) & tops;
		if (odd == 0)
			continue;
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
		return p + __builtin_ctzll(odd) / 8;
#else
		break;
#endif
	}
	while (p < end && *p >= 0x20 && *p < 0x80 && *p != '"' && *p != '\\')
		p++;
	return p;
}

/* Goes on within the muted container as far as the bytes are common; the steps take the next one. */
void wisp_scan_pass(struct wisp_scan *s, struct scan_piece *in);

/* The steps of STRING, UTF8, ESCAPE, UNICODE, and of LOW_SLASH and LOW_U. */
int wisp_scan_string(struct wisp_scan *s, struct scan_piece *in);
int wisp_scan_utf8(struct wisp_scan *s, struct scan_piece *in);
int wisp_scan_escape(struct wisp_scan *s, struct scan_piece *in);
int wisp_scan_unicode(struct wisp_scan *s, struct scan_piece *in);
int wisp_scan_low(struct wisp_scan *s, struct scan_piece *in);

/* The first byte of a number; the step of NUMBER; the end of the input, where a whole number ends too. */
void wisp_scan_number_begin(struct wisp_scan *s, struct scan_piece *in);
int wisp_scan_number(struct wisp_scan *s, struct scan_piece *in);
int wisp_scan_number_end(struct wisp_scan *s, struct scan_piece *in);

#endif
