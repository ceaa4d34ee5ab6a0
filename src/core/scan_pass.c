/*
 * scan_pass: what nobody hears, in one loop.
 *
 * In a container that is muted most tokens are short and plain, and a step for
 * each costs more than its bytes do. What is rare, cut off or wrong, and the end
 * of the container itself, is left to the steps, in the state they would be in.
 */
#include "scan_step.h"

#include <string.h>

static const unsigned char *
pass_spaces(const unsigned char *p, const unsigned char *end)
{
	while (p < end && *p == ' ')
		p++;
	return p;
}

/* Behind a number of digits alone, or one of the words; `p` where something else is there, or the piece may end within it. */
static const unsigned char *
pass_plain(const unsigned char *p, const unsigned char *end)
{
	const unsigned char *from = p;

	if (end - p > 4 && (memcmp(p, "true", 4) == 0 || memcmp(p, "null", 4) == 0))
		return p + 4;
	if (end - p > 5 && memcmp(p, "false", 5) == 0)
		return p + 5;
	while (p < end && *p >= '0' && *p <= '9')
		p++;
	if (p == end || (*from == '0' && p - from > 1) || *p == '.' || (*p | 0x20) == 'e')
		return from;
	return p;
}

/* To the end of a string, and `then`; or to the first byte in it that is not plain. */
static inline const unsigned char *
pass_string(const unsigned char *p, const unsigned char *end, unsigned char then, unsigned char *state)
{
	p = wisp_scan_plain(p + 1, end);
	*state = p < end && *p == '"' ? then : STRING;
	return *state == STRING ? p : p + 1;
}

/* False for the muted container itself. */
static inline bool
pass_close(struct wisp_scan *s, bool *object, unsigned char *state)
{
	if (s->depth == s->mute)
		return false;
	s->depth--;
	*object = wisp_scan_in_object(s);
	*state = AFTER;
	return true;
}

void
wisp_scan_pass(struct wisp_scan *s, struct scan_piece *in)
{
	const unsigned char *p = in->p, *const end = in->end, *value;
	bool object = wisp_scan_in_object(s);
	unsigned char state = s->state;

	while (state <= AFTER && (p = pass_spaces(p, end)) < end) {
		if (*p == (object ? '}' : ']') && (state == AFTER || state == FIRST_KEY || state == FIRST_VALUE)) {
			if (!pass_close(s, &object, &state))
				break;
			p++;
			continue;
		}
		switch (state) {
		case FIRST_KEY:
		case KEY:
		key:
			if (*p != '"')
				goto leave;
			s->key = true;
			p = pass_string(p, end, COLON, &state);
			if (state == STRING || p == end || *p != ':')
				break;
			/* FALLTHROUGH */
		case COLON:
			if (*p != ':')
				goto leave;
			state = VALUE;
			p++;
			if (p == end || *p == ' ')
				break;
			/* FALLTHROUGH */
		default:
			value = p;
			if (*p == '"') {
				s->key = false;
				p = pass_string(p, end, AFTER, &state);
			} else if ((*p == '{' || *p == '[') && s->depth < WISP_SCAN_DEPTH) {
				object = *p++ == '{';
				wisp_scan_deeper(s, object);
				state = object ? FIRST_KEY : FIRST_VALUE;
			} else if ((p = pass_plain(p, end)) == value) {
				goto leave;
			} else {
				state = AFTER;
			}
			break;
		case AFTER:
			if (*p != ',')
				goto leave;
			state = object ? KEY : VALUE;
			p++;
			if (object && p < end && *p == '"')
				goto key;
		}
	}
leave:
	s->state = state;
	in->p = p;
}
