/*
 * scan_number: numbers, by a state of their own for each byte (RFC 8259).
 */
#include "scan_step.h"

enum number { MINUS, ZERO, INT, POINT, FRACTION, E, E_SIGN, EXPONENT };

static bool
number_whole(const struct wisp_scan *s)
{
	return s->sub == ZERO || s->sub == INT || s->sub == FRACTION || s->sub == EXPONENT;
}

/* The state after one more byte, or -1 if it does not belong to the number. */
static int
number_next(unsigned char sub, unsigned char c)
{
	bool digit = c >= '0' && c <= '9';

	switch ((enum number)sub) {
	case MINUS:
		return c == '0' ? ZERO : digit ? INT : -1;
	case INT:
		if (digit)
			return INT;
		/* FALLTHROUGH */
	case ZERO:
		return c == '.' ? POINT : (c | 0x20) == 'e' ? E : -1;
	case POINT:
		return digit ? FRACTION : -1;
	case FRACTION:
		return digit ? FRACTION : (c | 0x20) == 'e' ? E : -1;
	case E:
		return c == '+' || c == '-' ? E_SIGN : digit ? EXPONENT : -1;
	case E_SIGN:
	case EXPONENT:
		return digit ? EXPONENT : -1;
	}
	return -1;
}

static int
end_number(struct wisp_scan *s, struct scan_piece *in)
{
	int rc = wisp_scan_flush(s, in);

	if (rc != 0)
		return rc;
	wisp_scan_value_done(s);
	return wisp_scan_emit(s, in, WISP_NUMBER, s->start);
}

int
wisp_scan_number(struct wisp_scan *s, struct scan_piece *in)
{
	int next;

	if (in->run == NULL)
		in->run = in->p;
	for (; in->p < in->end; in->p++) {
		next = number_next(s->sub, *in->p);
		if (next < 0 && s->sub == ZERO && *in->p >= '0' && *in->p <= '9')
			return wisp_scan_fail(s, in, "a leading zero", 1);
		if (next < 0)
			return number_whole(s) ? end_number(s, in) : wisp_scan_fail(s, in, "expected a digit", 0);
		s->sub = (unsigned char)next;
	}
	return 0;
}

void
wisp_scan_number_begin(struct wisp_scan *s, struct scan_piece *in)
{
	s->state = NUMBER;
	s->sub = *in->p == '-' ? MINUS : *in->p == '0' ? ZERO : INT;
	in->run = in->p++;
}

int
wisp_scan_number_end(struct wisp_scan *s, struct scan_piece *in)
{
	return number_whole(s) ? end_number(s, in) : 0;
}
