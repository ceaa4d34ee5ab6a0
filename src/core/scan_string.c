/*
 * scan_string: the inside of strings and keys: plain runs, UTF-8, escapes.
 */
#include "scan_step.h"

#include <string.h>

#define REPLACEMENT 0xfffd	/* stands for a character that is none */

static int
emit_char(struct wisp_scan *s, struct scan_piece *in, uint32_t c)
{
	char text[4];
	size_t n = 0;

	s->state = STRING;
	if (c < 0x80) {
		text[n++] = (char)c;
	} else if (c < 0x800) {
		text[n++] = (char)(0xc0 | c >> 6);
	} else if (c < 0x10000) {
		text[n++] = (char)(0xe0 | c >> 12);
		text[n++] = (char)(0x80 | (c >> 6 & 0x3f));
	} else {
		text[n++] = (char)(0xf0 | c >> 18);
		text[n++] = (char)(0x80 | (c >> 12 & 0x3f));
		text[n++] = (char)(0x80 | (c >> 6 & 0x3f));
	}
	if (c >= 0x80)
		text[n++] = (char)(0x80 | (c & 0x3f));
	return wisp_scan_put(s, in, text, n);
}

/* The first byte of a character beyond ASCII: how many follow, and the range of the second (RFC 3629). */
static int
begin_utf8(struct wisp_scan *s, struct scan_piece *in)
{
	unsigned char c = *in->p;

	if (c < 0xc2 || c > 0xf4)
		return wisp_scan_fail(s, in, "invalid UTF-8", 0);
	s->need = c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
	s->low = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80;
	s->high = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;
	s->state = UTF8;
	in->p++;
	return 0;
}

int
wisp_scan_utf8(struct wisp_scan *s, struct scan_piece *in)
{
	if (in->run == NULL)
		in->run = in->p;
	for (; in->p < in->end && s->need > 0; in->p++, s->need--) {
		if (*in->p < s->low || *in->p > s->high)
			return wisp_scan_fail(s, in, "invalid UTF-8", 0);
		s->low = 0x80;
		s->high = 0xbf;
	}
	if (s->need == 0)
		s->state = STRING;
	return 0;
}

/* What an escape of one letter stands for; 0: there is none. */
static unsigned char
letter(unsigned char c)
{
	switch (c) {
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case 'r':
		return '\r';
	case 'b':
		return '\b';
	case 'f':
		return '\f';
	case '"':
	case '\\':
	case '/':
		return c;
	default:
		return 0;
	}
}

static int
hex(unsigned char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The character of an escape that lies whole before `end`, and its length; 0: it is for the states, which know what is wrong. */
static uint32_t
whole_escape(const unsigned char *p, const unsigned char *end, size_t *len)
{
	uint32_t c = 0;
	int i, digit;

	*len = 2;
	if (end - p < 2 || p[1] != 'u')
		return end - p < 2 ? 0 : letter(p[1]);
	*len = 6;
	if (end - p < 6)
		return 0;
	for (i = 2; i < 6; i++) {
		if ((digit = hex(p[i])) < 0)
			return 0;
		c = c << 4 | (uint32_t)digit;
	}
	return c >= 0xd800 && c <= 0xdfff ? 0 : c;
}

/* To the first byte that the states have to look at. */
static int
pass_text(struct wisp_scan *s, struct scan_piece *in)
{
	uint32_t c;
	size_t len;
	int rc, n;

	for (;;) {
		if (in->run == NULL)
			in->run = in->p;
		in->p = wisp_scan_plain(in->p, in->end);
		if (in->p == in->end || *in->p == '"')
			return 0;
		/* Whole characters at once; one that is cut or wrong is left to the states. */
		while (in->end - in->p >= 4 && *in->p >= 0x80 && (n = wisp_utf8_char((const char *)in->p, 4)) > 0)
			in->p = wisp_scan_plain(in->p + n, in->end);
		if (in->p == in->end || *in->p != '\\' || (c = whole_escape(in->p, in->end, &len)) == 0)
			return 0;
		if (s->sink.text != NULL && (rc = wisp_scan_flush(s, in)) != 0)
			return rc;
		in->p += len;
		if (s->sink.text != NULL && (rc = emit_char(s, in, c)) != 0)
			return rc;
	}
}

int
wisp_scan_string(struct wisp_scan *s, struct scan_piece *in)
{
	unsigned char c;
	int rc = pass_text(s, in);

	if (rc != 0 || in->p == in->end)
		return rc;
	c = *in->p;
	if (c >= 0x80)
		return begin_utf8(s, in);
	if (c < 0x20)
		return wisp_scan_fail(s, in, "a control character in a string", 0);
	rc = wisp_scan_flush(s, in);
	if (rc != 0)
		return rc;
	in->p++;
	if (c == '\\') {
		s->state = ESCAPE;
		return 0;
	}
	if (s->key)
		s->state = COLON;
	else
		wisp_scan_value_done(s);
	return wisp_scan_emit(s, in, s->key ? WISP_KEY : WISP_STRING, s->start);
}

int
wisp_scan_escape(struct wisp_scan *s, struct scan_piece *in)
{
	unsigned char c = letter(*in->p);

	if (*in->p == 'u') {
		s->state = UNICODE;
		s->need = 4;
		s->unicode = 0;
		in->p++;
		return 0;
	}
	if (c == 0)
		return wisp_scan_fail(s, in, "unknown escape", 1);
	in->p++;
	return emit_char(s, in, c);
}

/* Half of a pair alone is one unknown character: programs cut texts anywhere. */
static int
lone(struct wisp_scan *s, struct scan_piece *in)
{
	s->surrogate = 0;
	return emit_char(s, in, REPLACEMENT);
}

int
wisp_scan_unicode(struct wisp_scan *s, struct scan_piece *in)
{
	int digit = hex(*in->p), rc;
	uint32_t c, first = s->surrogate;
	bool low;

	if (digit < 0)
		return wisp_scan_fail(s, in, "expected four hex digits", 0);
	c = s->unicode = s->unicode << 4 | (uint32_t)digit;
	if (--s->need > 0) {
		in->p++;
		return 0;
	}
	low = c >= 0xdc00 && c <= 0xdfff;
	if (first != 0 && !low) {
		if ((rc = lone(s, in)) != 0)
			return rc;
		first = 0;
	}
	if (c == 0 && !s->lenient)
		return wisp_scan_fail(s, in, "a NUL as \\u0000", 5);
	in->p++;
	if (c >= 0xd800 && c <= 0xdbff) {
		s->surrogate = c;
		s->state = LOW_SLASH;
		return 0;
	}
	s->surrogate = 0;
	if (first != 0)
		c = 0x10000 + ((first - 0xd800) << 10) + (c - 0xdc00);
	return emit_char(s, in, c == 0 || (low && first == 0) ? REPLACEMENT : c);
}

int
wisp_scan_low(struct wisp_scan *s, struct scan_piece *in)
{
	bool slash = s->state == LOW_SLASH;
	int rc;

	if (*in->p != (slash ? '\\' : 'u')) {
		rc = lone(s, in);
		if (rc == 0 && !slash)
			s->state = ESCAPE;
		return rc;
	}
	s->state = slash ? LOW_U : UNICODE;
	s->need = 4;
	s->unicode = 0;
	in->p++;
	return 0;
}
