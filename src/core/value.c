/*
 * value: the values of config.h's keys, from text to their one form and back.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "schema.h"

#define HOST_MAX 253	/* bytes of a name */
#define COUNT_MAX 1000000000	/* fits an int everywhere */

const char *
wisp_config_expected(const struct wisp_key *key)
{
	switch (key->type) {
	case WISP_KEY_COUNT:
		return "a whole number from 1";
	case WISP_KEY_NUMBER:
		return "a number above 0";
	case WISP_KEY_DURATION:
		return key->limit ? "a duration above 0, such as 90s or 1h30m" : "a duration, such as 90s or 1h30m";
	case WISP_KEY_BOOL:
		return "true or false";
	case WISP_KEY_WORD:
		return key->words;
	default:
		return key->words != NULL ? key->words : "a text in UTF-8";
	}
}

static struct cJSON *
parse_count(const char *value)
{
	size_t len = strlen(value);
	long n = len >= 1 && len <= 10 && strspn(value, "0123456789") == len ? (long)strtoll(value, NULL, 10) : 0;

	return n >= 1 && n <= COUNT_MAX ? wisp_json_double((double)n) : NULL;
}

/* Digits with or without a fraction: strtod alone would take inf, hex and a sign. */
static struct cJSON *
parse_number(const char *value)
{
	size_t whole = strspn(value, "0123456789"), n = whole;
	double d;

	if (value[n] == '.')
		n += 1 + strspn(value + n + 1, "0123456789");
	d = strtod(value, NULL);
	return whole > 0 && value[n] == '\0' && value[n - 1] != '.' && d > 0 && d <= 1e15 ? wisp_json_double(d) : NULL;
}

static struct cJSON *
parse_duration(const struct wisp_key *key, const char *value)
{
	wisp_ms d = wisp_duration_parse(value);

	return d > 0 || (d == 0 && !key->limit) ? wisp_json_double((double)d) : NULL;
}

static struct cJSON *
parse_text(const struct wisp_key *key, const char *value)
{
	size_t left = strlen(value);
	const char *p = value;
	int n;

	if (left == 0 && key->type == WISP_KEY_TEXT)
		return key->value == NULL ? wisp_json_null() : NULL;
	for (; left > 0; p += n, left -= (size_t)n)
		if ((n = wisp_utf8_char(p, left)) < 0)
			return NULL;
	return wisp_json_string(value);
}

/* open, off, agent, a name, `*.name` or an address, the last three with a port or not; "" empties a list. */
static bool
host_ok(const char *host)
{
	const char *name = strncmp(host, "*.", 2) == 0 ? host + 2 : host, *end;
	size_t len = *name == '[' ? strcspn(name, "]") + 1 : strcspn(name, ":"), digits;

	if (*host == '\0' || wisp_words_find("open|off|agent", host) >= 0)
		return true;
	if (len == 0 || len > HOST_MAX || len > strlen(name))
		return false;
	end = name + len;
	digits = *end == ':' ? strspn(end + 1, "0123456789") : 0;
	if (*end != '\0' && (digits == 0 || digits > 5 || end[1 + digits] != '\0' || atoi(end + 1) > 65535 || atoi(end + 1) < 1))
		return false;
	if (*name == '[')
		return strspn(name + 1, "0123456789abcdefABCDEF:.") == len - 2;
	return strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._") >= len && *name != '.' &&
	       *name != '-' && (memchr(name, '.', len) != NULL || *end == ':');
}

struct cJSON *
wisp_config_parse(const struct wisp_key *key, const char *value)
{
	int word;

	if (key->type == WISP_KEY_WORD)
		return wisp_words_find(key->words, value) >= 0 ? wisp_json_string(value) : NULL;
	if (strcmp(value, "none") == 0 && (key->limit || key->value == NULL))
		return wisp_json_null();
	switch (key->type) {
	case WISP_KEY_COUNT:
		return parse_count(value);
	case WISP_KEY_NUMBER:
		return parse_number(value);
	case WISP_KEY_DURATION:
		return parse_duration(key, value);
	case WISP_KEY_BOOL:
		word = wisp_words_find("false|true|no|yes|off|on|0|1", value);
		return word >= 0 ? wisp_json_boolean(word % 2 == 1) : NULL;
	default:
		return key->words != NULL && !host_ok(value) ? NULL : parse_text(key, value);
	}
}

/* The unit that people would write it in: 60m and 90m, but 2h. */
static void
add_duration(struct wisp_buf *out, double ms)
{
	static const struct {
		const char *unit;
		long long ms, from;
	} units[] = {{"d", 86400000, 172800000}, {"h", 3600000, 7200000}, {"m", 60000, 60000}, {"s", 1000, 1000}, {"ms", 1, 1}};
	long long n = (long long)ms;
	size_t i;

	for (i = 0; i < sizeof units / sizeof *units; i++)
		if (n >= units[i].from && n % units[i].ms == 0)
			break;
	if (n <= 0)
		wisp_buf_puts(out, "0");
	else
		wisp_buf_printf(out, "%lld%s", n / units[i].ms, units[i].unit);
}

void
wisp_config_print(struct wisp_buf *out, const struct wisp_key *key, const struct cJSON *v)
{
	switch (wisp_json_type(v)) {
	case WISP_T_STRING:
		wisp_buf_puts(out, wisp_json_text(v, ""));
		break;
	case WISP_T_NUMBER:
		if (key->type == WISP_KEY_DURATION)
			add_duration(out, wisp_json_number(v, 0));
		else
			wisp_json_print_compact(out, v);
		break;
	case WISP_T_BOOL:
		wisp_buf_puts(out, wisp_json_true(v) ? "true" : "false");
		break;
	default:
		wisp_buf_puts(out, "none");
	}
}
