/*
 * normal: see normal.h.
 *
 * At each place the matchers are asked in order; the first that takes
 * something decides. To stay linear, what looks ahead without bound looks only
 * from the start of a word, or remembers that it found nothing.
 */
#include "normal.h"

#include <string.h>

#include "buf.h"

#define HEX_MIN 7	/* digits: git's short ids */
#define HEX_WORD 16	/* digits from which letters alone are no word */
#define HEX "0123456789abcdefABCDEF"
#define UUID "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh"

static const struct {
	const char *open, *close;
} quotes[] = {
	{"'", "'"}, {"\"", "\""}, {"`", "`"}, {"`", "'"}, {"\xe2\x80\x98", "\xe2\x80\x99"}, {"\xe2\x80\x9c", "\xe2\x80\x9d"}
};
#define QUOTES (sizeof quotes / sizeof *quotes)

struct text {
	const char *start;
	const char *unclosed[QUOTES];	/* up to here there is no closing quote */
};

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_alpha(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool
is_hex(char c)
{
	return c != '\0' && strchr(HEX, c) != NULL;
}

static bool
is_word(char c)
{
	return is_digit(c) || is_alpha(c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool
is_path(char c)
{
	return is_word(c) || (c != '\0' && strchr("./~@%+-#$*?&!^", c) != NULL);
}

static char
before(const struct text *t, const char *p)
{
	return p > t->start ? p[-1] : ' ';
}

static size_t
digits(const char *p)
{
	size_t n = 0;

	while (is_digit(p[n]))
		n++;
	return n;
}

/* Does `p` fit `pattern`? 9 stands for a digit, h for a hex digit, all else for itself. */
static bool
fits(const char *p, const char *pattern)
{
	for (; *pattern != '\0'; p++, pattern++)
		if (*pattern == '9' ? !is_digit(*p) : *pattern == 'h' ? !is_hex(*p) : *p != *pattern)
			return false;
	return true;
}

static size_t
match_quote(struct text *t, const char *p)
{
	const char *q;
	size_t k;

	if (*p == '\'' && is_word(before(t, p)))	/* don't */
		return 0;
	for (k = 0; k < QUOTES; k++) {
		size_t open = strlen(quotes[k].open), close = strlen(quotes[k].close);

		if (strncmp(p, quotes[k].open, open) != 0 || (t->unclosed[k] != NULL && p < t->unclosed[k]))
			continue;
		for (q = p + open; *q != '\0' && *q != '\n'; q++)
			if (strncmp(q, quotes[k].close, close) == 0 &&
			    !(*q == '\'' && is_word(q[-1]) && is_word(q[1])))
				return (size_t)(q - p) + close;
		t->unclosed[k] = q;
	}
	return 0;
}

/* :LINE:COLUMN */
static size_t
position(const char *p)
{
	size_t n = 0;

	while (p[n] == ':' && is_digit(p[n + 1]))
		n += 1 + digits(p + n + 1);
	return n;
}

/* main.c in `main.c:12` */
static bool
has_extension(const char *p, size_t len)
{
	size_t n = 0;

	while (n < len && (is_alpha(p[len - 1 - n]) || is_digit(p[len - 1 - n])))
		n++;
	return n >= 1 && n <= 5 && n + 1 < len && p[len - 1 - n] == '.' && is_alpha(p[len - n]);
}

static size_t
match_path(struct text *t, const char *p)
{
	bool drive = is_alpha(p[0]) && p[1] == ':' && (p[2] == '\\' || p[2] == '/'), url = false;
	bool slash = drive, letter = drive;
	size_t n = drive ? 2 : 0;

	if (is_path(before(t, p)) || before(t, p) == '\\')
		return 0;
	for (; is_path(p[n]) || (drive && p[n] == '\\') || (url && (p[n] == '=' || p[n] == ':')) ||
	       (!url && n > 0 && strncmp(p + n, "://", 3) == 0); n++) {
		url |= p[n] == ':';
		slash |= p[n] == '/';
		letter |= is_alpha(p[n]) || (unsigned char)p[n] >= 0x80;
	}
	while (n > 0 && strchr(".!?:", p[n - 1]) != NULL)
		n--;
	if (n < 2)
		return 0;
	if (slash && (letter || *p == '/'))
		return n + position(p + n);
	return has_extension(p, n) && position(p + n) > 0 ? n + position(p + n) : 0;
}

static size_t
match_hex(struct text *t, const char *p)
{
	size_t n = strlen(UUID), decimals = 0;

	if (is_word(before(t, p)))
		return 0;
	if (fits(p, UUID) && !is_word(p[n]))
		return n;
	if (fits(p, "0xh") || fits(p, "0Xh"))
		return 2 + strspn(p + 2, HEX);
	for (n = 0; is_hex(p[n]); n++)
		decimals += is_digit(p[n]);
	return !is_word(p[n]) && decimals < n && n >= (decimals > 0 ? HEX_MIN : HEX_WORD) ? n : 0;
}

static size_t
clock_time(const char *p)
{
	size_t n = digits(p);

	if (n < 1 || n > 2 || !fits(p + n, ":99"))
		return 0;
	n += 3;
	if (fits(p + n, ":99"))
		n += 3;
	if ((p[n] == '.' || p[n] == ',') && is_digit(p[n + 1]))
		n += 1 + digits(p + n + 1);
	if (p[n] == 'Z')
		return n + 1;
	if ((p[n] == '+' || p[n] == '-') && fits(p + n + 1, "99:99"))
		return n + 6;
	return (p[n] == '+' || p[n] == '-') && fits(p + n + 1, "9999") ? n + 5 : n;
}

static size_t
date(const char *p)
{
	static const char *const forms[] = {"9999-99-99", "9999/99/99", "99/99/9999", "99.99.9999", NULL};
	int i;

	for (i = 0; forms[i] != NULL; i++)
		if (fits(p, forms[i]))
			return strlen(forms[i]);
	return 0;
}

/* 30s, 1.5h, 2m05s */
static size_t
duration(const char *p)
{
	static const char *const units[] = {"ms", "us", "ns", "min", "sec", "s", "m", "h", "d", NULL};
	size_t n = 0, end = 0;
	int i;

	while (is_digit(p[n])) {
		n += digits(p + n);
		if (p[n] == '.' && is_digit(p[n + 1]))
			n += 1 + digits(p + n + 1);
		for (i = 0; units[i] != NULL && strncmp(p + n, units[i], strlen(units[i])) != 0; i++)
			;
		if (units[i] == NULL)
			break;
		n += strlen(units[i]);
		end = n;
	}
	return end;
}

static size_t
match_time(struct text *t, const char *p)
{
	size_t n, clock;

	if (!is_digit(*p) || is_word(before(t, p)) || before(t, p) == ':' || before(t, p) == '.')
		return 0;
	n = date(p);
	clock = n == 0 ? clock_time(p) : p[n] == 'T' || p[n] == ' ' ? clock_time(p + n + 1) : 0;
	if (clock > 0)
		n += clock + (n > 0);
	if (n == 0)
		n = duration(p);
	return is_word(p[n]) || p[n] == '/' || (p[n] == ':' && is_digit(p[n + 1])) ? 0 : n;
}

static size_t
match_number(struct text *t, const char *p)
{
	char c = before(t, p);
	size_t n = (*p == '-' || *p == '+') && !is_path(c) ? 1 : 0;

	if (!is_digit(p[n]))
		return 0;
	n += digits(p + n);
	while ((p[n] == '.' || p[n] == ',') && is_digit(p[n + 1]))
		n += 1 + digits(p + n + 1);
	if (!is_word(c) && (p[n] == 'e' || p[n] == 'E')) {
		size_t sign = p[n + 1] == '-' || p[n + 1] == '+', exponent = digits(p + n + 1 + sign);

		if (exponent > 0 && !is_word(p[n + 1 + sign + exponent]))
			n += 1 + sign + exponent;
	}
	return n;
}

char *
wisp_error_normal(const char *error)
{
	static const struct {
		size_t (*match)(struct text *, const char *);
		char stands;
	} kinds[] = {
		{match_quote, 'Q'}, {match_time, 'T'}, {match_path, 'P'}, {match_hex, 'H'}, {match_number, 'N'}
	};
	struct text t = {.start = error};
	struct wisp_buf out = WISP_BUF_INIT;
	const char *p = error;
	bool space = false;
	size_t k, n;

	while (p != NULL && *p != '\0') {
		if ((unsigned char)*p <= ' ' || *p == 0x7f) {
			space = true;
			p++;
			continue;
		}
		if (space && out.len > 0)
			wisp_buf_putc(&out, ' ');
		space = false;
		for (k = 0, n = 0; k < sizeof kinds / sizeof *kinds && n == 0; k++)
			n = kinds[k].match(&t, p);
		wisp_buf_putc(&out, n > 0 ? kinds[k - 1].stands : *p);
		p += n > 0 ? n : 1;
	}
	return wisp_buf_detach(&out);
}
