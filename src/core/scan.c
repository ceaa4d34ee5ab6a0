/*
 * scan: see scan.h. Strings are in scan_string.c, numbers in scan_number.c.
 *
 * A table of states; each step takes at least one byte or changes the state,
 * and can stop at any byte, so the pieces may be cut anywhere. Bytes of a
 * string, key or number that can be handed on as they are form a run, which
 * is flushed at an escape, at the end of the token and at the end of a piece.
 */
#include "scan_step.h"

static const char *const words[] = {"true", "false", "null"};

static uint64_t
offset(const struct wisp_scan *s, const struct scan_piece *in)
{
	return s->offset + (uint64_t)(in->p - in->counted);
}

/* Brings the public fields up to date, for whoever is called or returned to. */
static void
settle(struct wisp_scan *s, struct scan_piece *in)
{
	s->offset = offset(s, in);
	in->counted = in->p;
	s->col = (size_t)(s->offset - s->line_start) + 1;
}

int
wisp_scan_fail(struct wisp_scan *s, struct scan_piece *in, const char *error, size_t back)
{
	bool nul = in->p < in->end && *in->p == '\0';

	settle(s, in);
	s->col -= nul ? 0 : back;
	s->error = nul ? "a NUL byte" : error;
	s->state = FAILED;
	return -1;
}

int
wisp_scan_call(struct wisp_scan *s, struct scan_piece *in, enum wisp_token t, uint64_t start)
{
	settle(s, in);
	return s->sink.token(s->sink.arg, s, t, start, s->offset);
}

int
wisp_scan_put(struct wisp_scan *s, struct scan_piece *in, const char *text, size_t n)
{
	if (s->sink.text == NULL)
		return 0;
	settle(s, in);
	return s->sink.text(s->sink.arg, s, s->key, text, n);
}

static bool
pass_space(struct wisp_scan *s, struct scan_piece *in)
{
	for (; in->p < in->end; in->p++) {
		if (*in->p == '\n') {
			s->line++;
			s->line_start = offset(s, in) + 1;
		} else if (*in->p != ' ' && *in->p != '\t' && *in->p != '\r') {
			return true;
		}
	}
	return false;
}

/* False at the end of the piece. */
static inline bool
skip_space(struct wisp_scan *s, struct scan_piece *in)
{
	return *in->p > ' ' || pass_space(s, in);
}

static int
open_container(struct wisp_scan *s, struct scan_piece *in, bool object)
{
	if (s->depth == WISP_SCAN_DEPTH)
		return wisp_scan_fail(s, in, "nested deeper than 64", 0);
	wisp_scan_deeper(s, object);
	s->state = object ? FIRST_KEY : FIRST_VALUE;
	in->p++;
	return wisp_scan_emit(s, in, object ? WISP_OBJECT : WISP_ARRAY, offset(s, in) - 1);
}

static int
close_container(struct wisp_scan *s, struct scan_piece *in)
{
	enum wisp_token t = wisp_scan_in_object(s) ? WISP_OBJECT_END : WISP_ARRAY_END;

	s->depth--;
	wisp_scan_value_done(s);
	in->p++;
	return wisp_scan_emit(s, in, t, offset(s, in) - 1);
}

static int
at_start(struct wisp_scan *s, struct scan_piece *in)
{
	static const unsigned char bom[] = {0xef, 0xbb, 0xbf};

	if (*in->p == bom[s->need]) {
		in->p++;
		if (++s->need == sizeof bom)
			s->state = VALUE;
		return 0;
	}
	if (s->need > 0)
		return wisp_scan_fail(s, in, "expected a value", 0);
	s->state = VALUE;
	return 0;
}

static int
begin_string(struct wisp_scan *s, struct scan_piece *in)
{
	s->state = STRING;
	in->p++;
	return in->p < in->end ? wisp_scan_string(s, in) : 0;
}

static int
at_value(struct wisp_scan *s, struct scan_piece *in)
{
	unsigned char c;

	if (!skip_space(s, in))
		return 0;
	c = *in->p;
	if (c == '{' || c == '[')
		return open_container(s, in, c == '{');
	if (c == ']' && s->state == FIRST_VALUE)
		return close_container(s, in);
	s->start = offset(s, in);
	s->key = false;
	if (c == '"') {
		return begin_string(s, in);
	} else if (c == '-' || (c >= '0' && c <= '9')) {
		wisp_scan_number_begin(s, in);
	} else if (c == 't' || c == 'f' || c == 'n') {
		s->state = WORD;
		s->sub = c == 't' ? 0 : c == 'f' ? 1 : 2;
		s->need = 0;
	} else {
		return wisp_scan_fail(s, in, c == 'N' || c == 'I' ? "NaN and Infinity are not JSON" :
			    "expected a value", 0);
	}
	return 0;
}

static int
at_key(struct wisp_scan *s, struct scan_piece *in)
{
	if (!skip_space(s, in))
		return 0;
	if (*in->p == '}' && s->state == FIRST_KEY)
		return close_container(s, in);
	if (*in->p != '"')
		return wisp_scan_fail(s, in, "expected a key in double quotes", 0);
	s->start = offset(s, in);
	s->key = true;
	return begin_string(s, in);
}

static int
at_colon(struct wisp_scan *s, struct scan_piece *in)
{
	if (!skip_space(s, in))
		return 0;
	if (*in->p != ':')
		return wisp_scan_fail(s, in, "expected a colon", 0);
	s->state = VALUE;
	in->p++;
	return in->p < in->end ? at_value(s, in) : 0;
}

static int
after_value(struct wisp_scan *s, struct scan_piece *in)
{
	bool object = wisp_scan_in_object(s);

	if (!skip_space(s, in))
		return 0;
	if (*in->p == (object ? '}' : ']'))
		return close_container(s, in);
	if (*in->p != ',')
		return wisp_scan_fail(s, in, object ? "expected a comma or the end of the object" :
			    "expected a comma or the end of the array", 0);
	s->state = object ? KEY : VALUE;
	in->p++;
	return in->p == in->end ? 0 : object ? at_key(s, in) : at_value(s, in);
}

static int
at_end(struct wisp_scan *s, struct scan_piece *in)
{
	return skip_space(s, in) ? wisp_scan_fail(s, in, "text after the value", 0) : 0;
}

static int
in_word(struct wisp_scan *s, struct scan_piece *in)
{
	const char *word = words[s->sub];

	for (; in->p < in->end && word[s->need] != '\0'; in->p++, s->need++)
		if (*in->p != (unsigned char)word[s->need])
			return wisp_scan_fail(s, in, "expected true, false or null", s->need);
	if (word[s->need] != '\0')
		return 0;
	wisp_scan_value_done(s);
	return wisp_scan_emit(s, in, WISP_TRUE + s->sub, s->start);
}

void
wisp_scan_init(struct wisp_scan *scan, const struct wisp_scan_sink *sink)
{
	/* A field each: a stream has one of these for every line, and a compiler may clear the whole by a slow instruction. */
	scan->sink = sink != NULL ? *sink : (struct wisp_scan_sink){0};
	scan->offset = scan->start = scan->line_start = scan->object = 0;
	scan->line = scan->col = 1;
	scan->depth = scan->mute = 0;
	scan->error = NULL;
	scan->unicode = scan->surrogate = 0;
	scan->state = START;
	scan->sub = scan->need = scan->low = scan->high = 0;
	scan->lenient = scan->key = scan->done = false;
}

int
wisp_scan_feed(struct wisp_scan *s, const char *data, size_t len)
{
	static int (*const step[])(struct wisp_scan *, struct scan_piece *) = {
		[START] = at_start, [VALUE] = at_value, [FIRST_VALUE] = at_value,
		[KEY] = at_key, [FIRST_KEY] = at_key, [COLON] = at_colon,
		[AFTER] = after_value, [END] = at_end,
		[STRING] = wisp_scan_string, [UTF8] = wisp_scan_utf8,
		[ESCAPE] = wisp_scan_escape, [UNICODE] = wisp_scan_unicode,
		[LOW_SLASH] = wisp_scan_low, [LOW_U] = wisp_scan_low,
		[NUMBER] = wisp_scan_number, [WORD] = in_word,
	};
	const unsigned char *p = (const unsigned char *)data;
	struct scan_piece in;
	int rc = 0;

	if (s->state == FAILED)
		return -1;
	if (len == 0)
		return 0;
	in = (struct scan_piece){.p = p, .end = p + len, .counted = p};
	while (in.p < in.end && rc == 0) {
		if (s->mute != 0 && s->state <= AFTER && s->sink.text == NULL)
			wisp_scan_pass(s, &in);
		if (in.p < in.end)
			rc = step[s->state](s, &in);
	}
	if (rc != 0)
		return rc;
	rc = wisp_scan_flush(s, &in);
	settle(s, &in);
	return rc;
}

int
wisp_scan_end(struct wisp_scan *s)
{
	static const unsigned char none;
	struct scan_piece in = {.p = &none, .end = &none, .counted = &none};
	int rc;

	if (s->state == FAILED)
		return -1;
	if (s->state == NUMBER && (rc = wisp_scan_number_end(s, &in)) != 0)
		return rc;
	if (s->done)
		return 0;
	if (s->depth == 0 && (s->state == START || s->state == VALUE))
		return wisp_scan_fail(s, &in, "no value", 0);
	return wisp_scan_fail(s, &in, s->state >= STRING && s->state <= LOW_U ? "ends inside a string" :
		    "unexpected end of JSON", 0);
}

int
wisp_scan_all(struct wisp_scan *scan, const struct wisp_scan_sink *sink, const char *data, size_t len)
{
	int rc;

	wisp_scan_init(scan, sink);
	rc = wisp_scan_feed(scan, data, len);
	return rc != 0 ? rc : wisp_scan_end(scan);
}
